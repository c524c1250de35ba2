"""A draft as HTML in which ranges of it are marked, for readers who look at it and not at its file.

A mark is put into the text before it is read, as two signs that mean nothing to Markdown, and taken out of the HTML
again. Whether they really mean nothing is checked each time: without them the HTML must be that of the text alone.
What came from the draft is escaped, its own HTML is shown as text, and nothing is loaded from anywhere.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from html import escape
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote.index import footnote_def

from caveat.markdown.embedded import front_matter_lines
from caveat.markdown.source import Source

Range = tuple[int, int]
Wrap = Callable[[int, str, bool, bool], str]

# The signs: the end of any mark, and from there on the begin of each. They are private to whoever uses them.
_END = 0x100000
_LAST = 0x10FFFD
_SIGN = re.compile(f"[{chr(_END)}-{chr(_LAST)}]")
_PRIVATE = re.compile("[\U00100000-\U0010ffff]")
_PIECES = re.compile(f"<[^>]*>|[{chr(_END)}-{chr(_LAST)}]|[^<{chr(_END)}-{chr(_LAST)}]+")
_ATTEMPTS = 40  # so often a draft is rendered to find the marks that do mean something
_ADDRESS = re.compile(r"https?://", re.IGNORECASE)


class Rendered(NamedTuple):
    """A block of a draft as HTML, and where it is in the draft. `marked` are the numbers of the ranges in it."""

    html: str
    start: int
    end: int
    marked: frozenset[int]


def render_marked(source: Source, ranges: Sequence[Range], wrap: Wrap, top: int = 2) -> list[Rendered]:
    """The blocks of a draft with its ranges, which must be in order and not overlap, marked.

    `wrap(number, html, first, linked)` gives the HTML of a piece of a range: `first` of its pieces, `linked` if it is
    inside of a link. Headings begin at the level `top`, and none skips one. A range that cannot be marked is not.
    """
    text = _PRIVATE.sub("\ufffd", source.text)
    plain = _blocks(text, top)
    numbers = _neutral(text, ranges, [html for html, _ in plain], top)
    marked = _blocks(_with_signs(text, ranges, numbers), top)
    rows = [*source.row_starts(), len(text)]
    return [
        Rendered(_wrapped(html, wrap), rows[first], rows[min(last, len(rows) - 1)], _numbers(html))
        for html, (first, last) in marked
    ]


def _neutral(text: str, ranges: Sequence[Range], plain: list[str], top: int) -> list[int]:
    """The numbers of the ranges whose marks change nothing else, found by halves."""
    kept: list[int] = []
    waiting = [list(range(min(len(ranges), _LAST - _END)))]
    for _ in range(_ATTEMPTS):
        if not waiting:
            break
        tried = waiting.pop(0)
        if _same(_blocks(_with_signs(text, ranges, sorted([*kept, *tried])), top), plain):
            kept += tried
        elif len(tried) > 1:
            half = len(tried) // 2
            waiting += [tried[:half], tried[half:]]
    return sorted(kept)


def _same(marked: list[tuple[str, Range]], plain: list[str]) -> bool:
    return [_SIGN.sub("", html) for html, _ in marked] == plain


def _with_signs(text: str, ranges: Sequence[Range], numbers: Sequence[int]) -> str:
    pieces, at = [], 0
    for number in numbers:
        start, end = ranges[number]
        if text[max(0, start - 1) : start] == "\\":  # the escape belongs to the sign that it escapes
            start -= 1
        pieces += [text[at:start], chr(_END + 1 + number), text[start:end], chr(_END)]
        at = end
    return "".join([*pieces, text[at:]])


def _numbers(html: str) -> frozenset[int]:
    return frozenset(ord(sign) - _END - 1 for sign in _SIGN.findall(html) if ord(sign) != _END)


def _wrapped(html: str, wrap: Wrap) -> str:
    """The HTML with marks instead of signs: each piece of text between two tags gets its own."""
    out, open_, first, linked = [], -1, True, False
    for piece in _PIECES.findall(html):
        if piece[0] == "<":
            linked = piece.startswith("<a ") or (linked and piece != "</a>")
            out.append(_SIGN.sub("", piece))
        elif _SIGN.match(piece):
            open_, first = (-1 if ord(piece) == _END else ord(piece) - _END - 1), True
        elif open_ >= 0 and piece.strip():
            out.append(wrap(open_, piece, first, linked))
            first = False
        else:
            out.append(piece)
    return "".join(out)


def _blocks(text: str, top: int) -> list[tuple[str, Range]]:
    """The HTML of each block at the top level, with the rows that it is made of."""
    md = _renderer()
    text = re.sub(r"\r\n?", "\n", text)
    skipped = front_matter_lines(text)
    rows = text.split("\n")
    env: dict[str, Any] = {}
    tokens = md.parse("\n" * skipped + "\n".join(rows[skipped:]), env)
    _level_headings(tokens, top)
    blocks = []
    for group in _groups(tokens):
        first, last = group[0].map or (0, 0)
        blocks.append((md.renderer.render(group, md.options, env), (first, last)))
    return blocks


def _groups(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    group: list[Token] = []
    for token in tokens:
        group.append(token)
        if token.level == 0 and token.nesting <= 0:
            yield group
            group = []


def _level_headings(tokens: Sequence[Token], top: int) -> None:
    """Headings from a level on, each at most one deeper than the one before."""
    levels: list[int] = []  # of the headings around, as the draft has them
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            level = int(token.tag[1])
            del levels[bisect_right(levels, level - 1) :]
            levels.append(level)
            token.tag = tokens[at + 2].tag = f"h{min(6, top + len(levels) - 1)}"


@cache
def _renderer() -> MarkdownIt:
    md = MarkdownIt("commonmark").enable(["table", "strikethrough"]).use(deflist_plugin)
    md.block.ruler.before("reference", "footnote_def", footnote_def, {"alt": ["paragraph", "reference"]})
    rules: dict[str, Callable[..., str]] = {
        "html_block": _html_block,
        "html_inline": _html_inline,
        "image": _image,
        "link_open": _link_open,
        "link_close": _link_close,
        "fence": _code_block,
        "code_block": _code_block,
        "table_open": _table_open,
        "table_close": _table_close,
        "th_open": _cell_open,
        "td_open": _cell_open,
        "footnote_reference_open": _footnote_open,
        "footnote_reference_close": _footnote_close,
    }
    for name, rule in rules.items():
        md.add_render_rule(name, rule)
    return md


def _html_block(_: Any, tokens: Sequence[Token], at: int, *__: Any) -> str:
    return f'<pre class="markup">{escape(tokens[at].content)}</pre>\n'


def _html_inline(_: Any, tokens: Sequence[Token], at: int, *__: Any) -> str:
    return f'<code class="markup">{escape(tokens[at].content)}</code>'


def _image(_: Any, tokens: Sequence[Token], at: int, *__: Any) -> str:
    return f'<span class="image">[image: {escape(tokens[at].content)}]</span>'


def _link_open(_: Any, tokens: Sequence[Token], at: int, *__: Any) -> str:
    """A link to another site stays one; where others lead, there is nothing beside this page."""
    address = str(tokens[at].attrs.get("href", ""))
    if _ADDRESS.match(address):
        return f'<a href="{escape(_SIGN.sub("", address))}" rel="noopener noreferrer nofollow">'
    return '<span class="link">'


def _link_close(_: Any, tokens: Sequence[Token], at: int, *__: Any) -> str:
    opening = next(token for token in reversed(tokens[:at]) if token.type == "link_open")
    return "</a>" if _ADDRESS.match(str(opening.attrs.get("href", ""))) else "</span>"


def _code_block(_: Any, tokens: Sequence[Token], at: int, *__: Any) -> str:
    return f'<pre tabindex="0"><code>{escape(tokens[at].content)}</code></pre>\n'


def _table_open(*_: Any) -> str:
    return '<div class="wide" role="region" aria-label="Table" tabindex="0"><table>\n'


def _table_close(*_: Any) -> str:
    return "</table></div>\n"


def _cell_open(_: Any, tokens: Sequence[Token], at: int, *__: Any) -> str:
    """A cell, its alignment as a class: the page allows no styles in attributes."""
    side = str(tokens[at].attrs.get("style", "")).removeprefix("text-align:")
    scope = ' scope="col"' if tokens[at].tag == "th" else ""
    return f'<{tokens[at].tag}{scope} class="{side}">' if side else f"<{tokens[at].tag}{scope}>"


def _footnote_open(_: Any, tokens: Sequence[Token], at: int, *__: Any) -> str:
    return f'<div class="footnote"><p class="label">[^{escape(str(tokens[at].meta["label"]))}]</p>\n'


def _footnote_close(*_: Any) -> str:
    return "</div>\n"
