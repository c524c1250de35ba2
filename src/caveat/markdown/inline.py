# ruff: noqa: FBT003 - markdown-it's rules take `silent` by position
"""Reads the inline signs of Markdown: what is prose stays where it is, all else is blanked.

markdown-it gives its inline tokens no positions, but each of its inline rules moves `state.pos` over what it matched.
So the rules are called here, from one loop that looks the sign up instead of trying every rule, and the range that
each one passes over is noted.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from markdown_it import MarkdownIt
from markdown_it.helpers import parseLinkLabel
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline import (
    StateInline,
    autolink,
    backtick,
    emphasis,
    entity,
    html_inline,
    image,
    link,
    link_pairs,
    strikethrough,
)
from markdown_it.token import Token

from caveat.markdown.embedded import (
    PUNCTUATION,
    anchor_target,
    attributes_end,
    bare_url_end,
    brace_pairs,
    bracket_math_end,
    citation_keys,
    dollar_math_end,
    image_target,
    jsx_tag_end,
    raw_element,
)
from caveat.markdown.masking import InlineState, Masked, blanked, unfilled

DEEPEST = 20
"""Links, images and notes nested deeper than this are left as text, as in markdown-it."""

_SIGNS = re.compile(r"[\\`*_~\[!&<$^{]|\b(?:[hH]ttps?://|www\.)")
# Each of these is rare, and compiled when a sign of its is first met.
_HTML_SIGNS = r"[&<{$]|\b(?:[hH]ttps?://|www\.)"
_LABEL_SIGNS = re.compile(r"[\\`\[\]!<]")
_TAG_OPENING = r"<(?:[A-Za-z/?]|!(?:--|[A-Za-z]|\[CDATA\[))"
_FOOTNOTE = r"\[\^([^\s\[\]]+)\]"
_FULL_REFERENCE = r"\[([^\[\]]{1,400})\]\[([^\[\]]{0,200})\]"
_GAP = Token("text", "", 0)


class InlineParser(ParserInline):
    """The inline grammar of one flavour of Markdown; it keeps nothing of the texts that it reads."""

    def __init__(self, md: MarkdownIt, *, mdx: bool) -> None:
        super().__init__()
        self.md = md
        self.mdx = mdx
        rules: dict[str, Callable[[InlineState], bool]] = {
            "\\": self._backslash,
            "`": self._code,
            "*": self._emphasis,
            "_": self._emphasis,
            "~": self._strike,
            "[": self._bracket,
            "!": self._image,
            "<": self._jsx if mdx else self._angle,
            "&": self._entity,
            "$": self._dollar,
            "^": self._caret,
            "{": self._brace,
        }
        self.rules = rules

    def mask(self, content: str, footnotes: dict[str, str], references: dict[str, object]) -> Masked:
        """Blank what is not prose in a paragraph, heading or cell.

        `footnotes` maps folded labels to the labels of their definitions; `references` are markdown-it's own.
        """
        if _SIGNS.search(content) is None:
            return Masked(unfilled(content), [])
        state = InlineState(content, self.md, footnotes, references)
        self.tokenize(state)
        if state.marks:
            _resolve_marks(state)
        return Masked(blanked(content, state.blanks), state.notes, state.comments)

    def mask_html(self, content: str, footnotes: dict[str, str], references: dict[str, object]) -> Masked:
        """Blank tags, comments and code in a block of HTML; its visible text stays, and in MDX is Markdown again."""
        if self.mdx:
            return self.mask(content, footnotes, references)
        state = InlineState(content, self.md, {}, {})
        signs = re.compile(_HTML_SIGNS)
        while match := signs.search(content, state.pos):
            state.pos = match.start()
            rule = self._html_angle if match[0] == "<" else self.rules.get(match[0], self._url)
            if not rule(state):
                state.pos += 1
        return Masked(blanked(content, state.blanks), state.notes, state.comments)

    def tokenize(self, state: InlineState) -> None:  # type: ignore[override]
        """Read from `state.pos` to `state.posMax`; the rules for links call it again for what is between brackets."""
        search, rules, src, end = _SIGNS.search, self.rules, state.src, state.posMax
        deep = state.level >= DEEPEST
        while state.pos < end and not deep:
            match = search(src, state.pos, end)
            if match is None:
                break
            state.pos = match.start()
            if not rules.get(match[0], self._url)(state):
                state.pos += 1
        state.pos = end

    def skipToken(self, state: StateInline) -> None:  # noqa: N802 - markdown-it's name
        """Pass over one token while looking for the bracket that closes a label; only these signs can hide one."""
        start = state.pos
        if start in state.cache:
            state.pos = state.cache[start]
            return
        sign = state.src[start]
        if state.level >= DEEPEST:
            state.pos = state.posMax
        elif sign not in "\\`[]!<":
            match = _LABEL_SIGNS.search(state.src, start, state.posMax)
            state.pos = match.start() if match else state.posMax
        else:
            state.level += 1
            if not _skip(sign, state):
                state.pos = start + 1
            state.level -= 1
        state.cache[start] = state.pos

    def _backslash(self, state: InlineState) -> bool:
        start = state.pos
        following = state.src[start + 1 : min(start + 2, state.posMax)]
        if following in ("(", "[") and (end := bracket_math_end(state.src, start, state.posMax)):
            return _pass(state, end)
        if following not in PUNCTUATION and following != "\n":
            return False
        state.blank(start, start + 1)
        state.pos = start + 2
        return True

    def _code(self, state: InlineState) -> bool:
        start = end = state.pos
        while end < state.posMax and state.src[end] == "`":
            end += 1
        backtick(state, True)
        if state.pos > end:
            state.blank(start, state.pos)
        return True

    def _emphasis(self, state: InlineState) -> bool:
        return _delimiters(state, emphasis.tokenize)

    def _strike(self, state: InlineState) -> bool:
        return _delimiters(state, strikethrough.tokenize)

    def _bracket(self, state: InlineState) -> bool:
        start, src = state.pos, state.src
        if not state.has_later("]"):
            return False
        footnote = re.compile(_FOOTNOTE).match(src, start, state.posMax) if src.startswith("[^", start) else None
        if footnote and not src.startswith("(", footnote.end()):
            return self._footnote(state, footnote)
        if self._link(state) or (footnote and self._footnote(state, footnote)) or _citation(state):
            return True
        _undefined(state)
        return False

    def _link(self, state: InlineState) -> bool:
        start, opened = state.pos, len(state.tokens)
        if not link(state, False):
            return False
        opening = state.tokens[opened]
        label_end = int(opening.meta["label_end"])
        state.blank(start, start + 1)
        state.blank(label_end, state.pos)
        state.note("link", start, state.pos, str(opening.attrs["href"]))
        return True

    def _footnote(self, state: InlineState, match: re.Match[str]) -> bool:
        label = state.footnotes.get(match[1].casefold())
        if label is None and not match[1][0].isalnum():
            return False
        state.blank(*match.span())
        state.note("footnote", *match.span(), label or match[1])
        state.pos = match.end()
        return True

    def _image(self, state: InlineState) -> bool:
        start = state.pos
        if not state.src.startswith("![", start) or not state.has_later("]") or not image(state, True):
            state.pos = start
            return False
        end, state.pos = state.pos, start
        label_end = parseLinkLabel(state, start + 1)
        state.blank(start, start + 2)
        self._inside(state, start + 2, label_end)
        state.blank(label_end, end)
        state.note("image", start, end, image_target(state.src[label_end + 1 : end]))
        state.pos = end
        return True

    def _caret(self, state: InlineState) -> bool:
        start = state.pos
        if not state.src.startswith("^[", start) or not state.has_later("]"):
            return False
        label_end = parseLinkLabel(state, start + 1)
        if label_end < 0:
            return False
        state.blank(start, start + 2)
        self._inside(state, start + 2, label_end)
        state.blank(label_end, label_end + 1)
        state.note("inline-footnote", start, label_end + 1, "")
        state.pos = label_end + 1
        return True

    def _inside(self, state: InlineState, start: int, end: int) -> None:
        """Read what is between the brackets of an image or a note; emphasis does not cross them."""
        limit = state.posMax
        state.push("label_open", "", 1)
        state.pos, state.posMax = start, end
        self.tokenize(state)
        state.posMax = limit
        state.push("label_close", "", -1)

    def _jsx(self, state: InlineState) -> bool:
        if end := jsx_tag_end(state.src, state.pos, state.posMax):
            return _tag(state, state.pos, end)
        return self._angle(state)

    def _angle(self, state: InlineState) -> bool:
        start, src = state.pos, state.src
        if src[start + 1 : start + 2].isspace() or not state.has_later(">"):
            return False
        if autolink(state, True):
            state.blank(start, state.pos)
            state.note("url", start, state.pos, src[start + 1 : state.pos - 1])
            return True
        return html_inline(state, True) and _tag(state, start, state.pos)

    def _html_angle(self, state: InlineState) -> bool:
        """A tag in a block of HTML; one that does not close there is blanked as far as it goes."""
        start, src = state.pos, state.src
        if re.compile(_TAG_OPENING).match(src, start) is None:
            return False
        if html_inline(state, True):
            return _tag(state, start, state.pos, unclosed=len(src))
        close = -1 if src.startswith(("<!--", "<?", "<![CDATA["), start) else src.find(">", start)
        state.pos = close + 1 if close >= 0 else len(src)
        if src.startswith("<!--", start):
            state.comments.append((start, state.pos))
        state.blank(start, state.pos)
        return True

    def _entity(self, state: InlineState) -> bool:
        start = state.pos
        if not state.src.startswith("&#", start) and not state.src[start + 1 : start + 2].isalpha():
            return False
        if not entity(state, False):
            return False
        character = state.tokens[-1].content
        state.blank(start, state.pos, " " if character in "\r\n" else character)
        return True

    def _dollar(self, state: InlineState) -> bool:
        end = dollar_math_end(state.src, state.pos, state.posMax)
        return bool(end) and _pass(state, end)

    def _brace(self, state: InlineState) -> bool:
        if not state.has_later("}"):
            return False
        end = attributes_end(state.src, state.pos)
        if not end and self.mdx:
            if state.braces is None:
                state.braces = brace_pairs(state.src)
            end = state.braces.get(state.pos, 0)
        if not 0 < end <= state.posMax:
            return False
        if state.src.startswith("{/*", state.pos):
            state.comments.append((state.pos, end))
        return _pass(state, end)

    def _url(self, state: InlineState) -> bool:
        start, end = state.pos, bare_url_end(state.src, state.pos, state.posMax)
        if end and not state.linkLevel and state.anchor is None:
            state.note("url", start, end, state.src[start:end])
        return bool(end) and _pass(state, end)


def _skip(sign: str, state: StateInline) -> bool:
    if sign == "\\":
        state.pos = min(state.pos + 2, state.posMax)
        return True
    if sign == "`":
        return backtick(state, True)
    if sign == "[":
        return state.html_terminator_last("]") > state.pos and link(state, True)
    if sign == "!":
        return image(state, True)
    return sign == "<" and (autolink(state, True) or html_inline(state, True))


def _pass(state: InlineState, end: int) -> bool:
    state.blank(state.pos, end)
    state.pos = end
    return True


def _delimiters(state: InlineState, rule: Callable[[StateInline, bool], bool]) -> bool:
    """Run an emphasis rule, and note where the delimiters that it pushed stand."""
    at = state.pos
    # Text pushes no tokens here, and neighbouring tokens count as one run: so keep runs apart.
    state.tokens.append(_GAP)
    first = len(state.tokens)
    if not rule(state, False):
        return False
    for token in state.tokens[first:]:
        state.marks.append((token, at, len(token.content)))
        at += len(token.content)
    return True


def _resolve_marks(state: InlineState) -> None:
    """Pair the delimiters by markdown-it's own rules; those that became emphasis have lost their content."""
    link_pairs(state)
    strikethrough.postProcess(state)
    emphasis.postProcess(state)
    for token, at, length in state.marks:
        if not token.content:
            state.blank(at, at + length)


def _tag(state: InlineState, start: int, end: int, unclosed: int = 0) -> bool:
    """Blank an HTML tag, and with it what stands between the tags of an element that holds code.

    Such an element without an end tag goes on up to `unclosed`, or is taken for its tag alone.
    """
    tag = state.src[start:end]
    if tag.startswith("<!--"):
        state.comments.append((start, end))
    elif closer := raw_element(tag):
        close = state.src.find(closer, end, state.posMax) if state.html_terminator_last(closer) >= end else -1
        end = (state.src.find(">", close) + 1 or state.posMax) if close >= 0 else max(end, unclosed)
    elif (target := anchor_target(tag)) is not None:
        state.anchor = (start, target)
    elif state.anchor and tag.startswith(("</a", "</A")):
        state.note("link", state.anchor[0], end, state.anchor[1])
        state.anchor = None
    elif tag.startswith(("<img", "<Image")):
        state.note("image", start, end, "")
    state.blank(start, end)
    state.pos = end
    return True


def _citation(state: InlineState) -> bool:
    start = state.pos
    close = state.src.find("]", start, min(state.posMax, start + 400))
    keys = citation_keys(state.src[start + 1 : close]) if close > 0 else []
    if not keys or "[" in state.src[start + 1 : close]:
        return False
    for at, key in keys:
        if len(keys) == 1:
            state.note("citation", start, close + 1, key)
        else:
            state.note("citation", start + 1 + at, start + 2 + at + len(key), key)
    state.blank(start, close + 1)
    state.pos = close + 1
    return True


def _undefined(state: InlineState) -> None:
    """Note a `[text][label]` that is no link for want of a definition; its words stay text, as a reader sees them."""
    match = re.compile(_FULL_REFERENCE).match(state.src, state.pos, state.posMax)
    if match and not state.src[max(state.pos - 1, 0) : state.pos].isalnum():
        state.note("reference", *match.span(), match[2] or match[1])
