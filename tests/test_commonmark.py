"""The words that the prose keeps are the words of the parser's own text tokens, in their order.

The oracle walks markdown-it's rendered tokens, which know nothing of positions; `read` never sees those tokens.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from caveat.markdown.document import Document, read
from caveat.markdown.source import Source

HERE = Path(__file__).parent
DRAFTS = HERE.parent.parent / "shared" / "drafts"
EXAMPLES: list[dict[str, Any]] = json.loads((HERE / "commonmark" / "examples.json").read_text(encoding="utf-8"))
DOCUMENTS = sorted((HERE / "documents").glob("*.md"))

# Where the reader departs from CommonMark on purpose, and what it keeps.
DEPARTURES: dict[int, list[str]] = {
    156: [],  # a tag in an HTML block that is never closed: no reader sees it
    157: [],
    158: [],
    180: ["okay"],  # a processing instruction, which html.parser ends at the first >
}

_CODE = {"script", "style", "pre", "textarea", "code", "kbd", "samp", "svg", "math"}
_TAG = re.compile(r"<(/?)([A-Za-z]+)")
_URL = re.compile(r"\b(?:https?://|www\.)[^\s<>\"`{}]*[^\s<>\"`{}?!.,:;*_~')]")
# What the core of the parser takes for text: formulas, Liquid, and an address with emphasis in it.
_NOT_IN_CORE = re.compile(r"\$\$.+?\$\$|\$.+?\$|\{%.*?%\}|\\\\\[.*?\\\\\]|_ _open _ _&\S+", re.DOTALL)
_FRONT_MATTER = re.compile(r"\A(---|\+\+\+)\n.*?\n\1\n", re.DOTALL)


class _VisibleText(HTMLParser):
    """The text of an HTML block outside elements that hold code."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.parts: list[str] = []
        self.code = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
        self.code += tag in _CODE
        self.parts.append(" ")

    def handle_endtag(self, tag: str) -> None:
        self.code -= tag in _CODE and self.code > 0
        self.parts.append(" ")

    def handle_data(self, data: str) -> None:
        if not self.code:
            self.parts.append(data)

    def handle_comment(self, data: str) -> None:  # noqa: ARG002
        self.parts.append(" ")

    def handle_entityref(self, name: str) -> None:
        self.handle_data(unescape(f"&{name};") + " ")

    def handle_charref(self, name: str) -> None:
        self.handle_data(unescape(f"&#{name};") + " ")


def oracle() -> MarkdownIt:
    md = MarkdownIt("commonmark", {"maxNesting": 100, "tasklists": True, "alerts": True})
    md.enable(["table", "strikethrough"]).disable("text_join")
    return md.use(footnote_plugin, always_match_refs=True, move_to_end=False).use(deflist_plugin)


def words_of_tokens(text: str) -> list[str]:
    parts: list[str] = []
    notes: dict[str, Any] = {}
    tokens = oracle().parse(text, notes)
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.type == "html_block":
            parts.append(visible_text(token.content))
        elif token.type == "inline" and (before is None or before.type != "alert_title_open"):
            parts.extend(text_of(token.children or [], notes))
        parts.append("\n")
    return "".join(parts).split()


def visible_text(html: str) -> str:
    reader = _VisibleText()
    reader.feed(html)
    reader.close()
    return _URL.sub(" ", "".join(reader.parts))


def text_of(tokens: list[Token], notes: dict[str, Any]) -> Iterator[str]:
    """What a reader sees, as the prose has it: a space where a sign was, entities padded behind, escapes before."""
    automatic = code = 0
    run = ""
    for token in tokens:
        if token.type == "text":
            run += "" if automatic or code else token.content
            continue
        yield _URL.sub(" ", run)
        run = ""
        if token.type == "text_special":
            before = " " if token.info == "escape" and token.content != token.markup else ""
            yield before + token.content + (" " if token.info == "entity" else "")
            continue
        yield " "
        if token.type == "html_inline" and (tag := _TAG.match(token.content)) and tag[2] in _CODE:
            code = max(0, code + (-1 if tag[1] else 1))
        automatic += token.nesting if token.info == "auto" else 0
        if token.type == "image":
            yield from text_of(token.children or [], notes)
            yield " "
        if token.type == "footnote_ref" and "label" not in token.meta:
            yield from text_of(notes["footnotes"]["list"][token.meta["id"]]["tokens"], notes)
            yield " "
    yield _URL.sub(" ", run)


def words_of_prose(document: Document) -> list[str]:
    return [word for block in document.blocks for word in document.prose[block.start : block.end].split()]


def check_copy(document: Document) -> None:
    text, prose = document.source.text, document.prose
    assert len(prose) == len(text)
    assert [at for at, letter in enumerate(prose) if letter in "\r\n"] == [
        at for at, letter in enumerate(text) if letter in "\r\n"
    ]
    assert " ".join(words_of_prose(document)) == " ".join(prose.split())  # no words outside blocks


@pytest.mark.parametrize("example", EXAMPLES, ids=[f"{e['example']}-{e['section']}" for e in EXAMPLES])
def test_examples_of_the_specification(example: dict[str, Any]) -> None:
    document = read(Source(example["markdown"]))
    check_copy(document)
    expected = DEPARTURES.get(example["example"], words_of_tokens(example["markdown"]))
    assert words_of_prose(document) == expected


@pytest.mark.parametrize("path", DOCUMENTS, ids=[path.stem for path in DOCUMENTS])
@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
def test_own_documents(path: Path, line_break: str) -> None:
    text = path.read_text(encoding="utf-8")
    document = read(Source(text.replace("\n", line_break)))
    check_copy(document)
    assert words_of_prose(document) == words_of_tokens(_FRONT_MATTER.sub("", text))


@pytest.mark.skipif(not DRAFTS.is_dir(), reason="real drafts are not part of the project")
def test_real_drafts() -> None:
    """Words that only the parser has are in formulas and shortcodes, which it does not know, or in a URL."""
    paths = sorted(DRAFTS.rglob("*.md"))
    assert paths
    for path in paths:
        text = path.read_text(encoding="utf-8")
        document = read(Source(text, str(path)))
        check_copy(document)
        expected, words = words_of_tokens(_FRONT_MATTER.sub("", text)), words_of_prose(document)
        for kind, a, b, c, d in SequenceMatcher(None, expected, words, autojunk=False).get_opcodes():
            missing, instead = " ".join(expected[a:b]), " ".join(words[c:d])
            left = "".join(_NOT_IN_CORE.sub("", missing).split())
            assert kind == "equal" or left == "".join(instead.split()), f"{path}: {missing!r} became {instead!r}"
