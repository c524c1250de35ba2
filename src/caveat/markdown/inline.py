"""Reads the inline signs of Markdown: what is prose stays where it is, all else is blanked.

The rules are markdown-it's, and the tests hold the two against each other; but markdown-it keeps no positions, and here
nothing else is wanted. One loop looks up each sign that may mean something, and its rule moves `state.at` over what it
takes.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from caveat.markdown.delimiters import delimiters_at, pair
from caveat.markdown.embedded import (
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
from caveat.markdown.links import destination, folded, is_allowed, is_character, named, title_end
from caveat.markdown.masking import InlineState, Masked, blanked, past_ticks, unfilled
from caveat.markdown.signs import PUNCTUATION
from caveat.markdown.tags import tag_end

DEEPEST = 20
"""Links, images and notes nested deeper than this are left as text, as in markdown-it."""

_SIGNS = re.compile(r"[\\`*_~\[!&<$^{]|\b(?:[hH]ttps?://|www\.)")
# Each of these is rare, and compiled when a sign of its is first met.
_HTML_SIGNS = r"[&<{$]|\b(?:[hH]ttps?://|www\.)"
_LABEL_SIGNS = re.compile(r"[\\`\[\]!<]")
_TAG_OPENING = r"<(?:[A-Za-z/?]|!(?:--|[A-Za-z]|\[CDATA\[))"
_FOOTNOTE = r"\[\^([^\s\[\]]+)\]"
_FULL_REFERENCE = r"\[([^\[\]]{1,400})\]\[([^\[\]]{0,200})\]"
_ADDRESS = r"[a-zA-Z][a-zA-Z0-9+.\-]{1,31}:[^<>\x00-\x20]*$"
_LABEL = r"[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
_EMAIL = rf"[a-zA-Z0-9.!#$%&'*+/=?^_`{{|}}~-]+@{_LABEL}(?:\.{_LABEL})*$"
_NUMBERED = r"(?i)&#(?:x([a-f0-9]{1,6})|([0-9]{1,7}));"
_NAMED = r"(?i)&([a-z][a-z0-9]{1,31});"
_SPACE = "\t\n "


class InlineParser:
    """The inline grammar of one flavour of Markdown; it keeps nothing of the texts that it reads."""

    def __init__(self, *, mdx: bool) -> None:
        self.mdx = mdx
        self.rules: dict[str, Callable[[InlineState], bool]] = {
            "\\": _backslash,
            "`": _code,
            "*": _emphasis,
            "_": _emphasis,
            "~": _emphasis,
            "[": self._bracket,
            "!": self._image,
            "<": _jsx if mdx else _angle,
            "&": _entity,
            "$": _dollar,
            "^": self._caret,
            "{": self._brace,
        }

    def mask(self, content: str, footnotes: dict[str, str], references: dict[str, str]) -> Masked:
        """Blank what is not prose in a paragraph, heading or cell.

        `footnotes` maps folded labels to the labels of their definitions; `references` folded labels to targets.
        """
        if _SIGNS.search(content) is None:
            return Masked(unfilled(content), [])
        state = InlineState(content, footnotes, references)
        self.read(state)
        _blank_emphasis(state)
        return Masked(blanked(content, state.blanks), state.notes)

    def mask_html(self, content: str, footnotes: dict[str, str], references: dict[str, str]) -> Masked:
        """Blank tags, comments and code in a block of HTML; its visible text stays, and in MDX is Markdown again."""
        if self.mdx:
            return self.mask(content, footnotes, references)
        state = InlineState(content, {}, {})
        signs = re.compile(_HTML_SIGNS)
        while match := signs.search(content, state.at):
            state.at = match.start()
            rule = _html_angle if match[0] == "<" else self.rules.get(match[0], _url)
            if not rule(state):
                state.at += 1
        return Masked(blanked(content, state.blanks), state.notes)

    def read(self, state: InlineState) -> None:
        """Read from `state.at` to `state.end`; the rules for links call it again for what is between brackets."""
        search, rules, text, end = _SIGNS.search, self.rules, state.text, state.end
        deep = state.depth >= DEEPEST
        while state.at < end and not deep:
            match = search(text, state.at, end)
            if match is None:
                break
            state.at = match.start()
            if not rules.get(match[0], _url)(state):
                state.at += 1
        state.at = end

    def _inside(self, state: InlineState, start: int, end: int) -> None:
        """Read what is between the brackets of a link, an image or a note; emphasis does not cross them."""
        limit, delimiters = state.end, state.delimiters
        state.at, state.end, state.delimiters = start, end, []
        state.groups.append(state.delimiters)
        state.depth += 1
        self.read(state)
        state.depth -= 1
        state.end, state.delimiters = limit, delimiters

    def _bracket(self, state: InlineState) -> bool:
        start, text = state.at, state.text
        if not state.has_later("]"):
            return False
        footnote = re.compile(_FOOTNOTE).match(text, start, state.end) if text.startswith("[^", start) else None
        if footnote and not text.startswith("(", footnote.end()):
            return _footnote(state, footnote)
        if self._link(state) or (footnote and _footnote(state, footnote)) or _citation(state):
            return True
        _undefined(state)
        return False

    def _link(self, state: InlineState) -> bool:
        start, found = state.at, self._find_link(state)
        if found is None:
            return False
        label_end, end, target = found
        state.links += 1
        self._inside(state, start + 1, label_end)
        state.links -= 1
        state.blank(start, start + 1)
        state.blank(label_end, end)
        state.note("link", start, end, target)
        state.at = end
        return True

    def _image(self, state: InlineState) -> bool:
        start = state.at
        if not state.text.startswith("![", start) or not state.has_later("]"):
            return False
        found = self._find_image(state)
        if found is None:
            return False
        label_end, end = found
        state.blank(start, start + 2)
        self._inside(state, start + 2, label_end)
        state.blank(label_end, end)
        state.note("image", start, end, image_target(state.text[label_end + 1 : end]))
        state.at = end
        return True

    def _caret(self, state: InlineState) -> bool:
        start = state.at
        if not state.text.startswith("^[", start) or not state.has_later("]"):
            return False
        label_end = self._label_end(state, start + 1)
        if label_end < 0:
            return False
        state.blank(start, start + 2)
        self._inside(state, start + 2, label_end)
        state.blank(label_end, label_end + 1)
        state.note("inline-footnote", start, label_end + 1, "")
        state.at = label_end + 1
        return True

    def _brace(self, state: InlineState) -> bool:
        if not state.has_later("}"):
            return False
        end = attributes_end(state.text, state.at)
        if not end and self.mdx:
            if state.braces is None:
                state.braces = brace_pairs(state.text)
            end = state.braces.get(state.at, 0)
        return 0 < end <= state.end and _pass(state, end)

    def _find_link(self, state: InlineState) -> tuple[int, int, str] | None:
        """Where the label of the link at the position ends, where the link ends, and its target; None if it is none."""
        text = state.text
        label_end = self._label_end(state, state.at, whole=True)
        if label_end < 0:
            return None
        at = label_end + 1
        if at < state.end and text[at] == "(":
            at = _past_space(text, at + 1, state.end)
            if at >= state.end:
                return None
            at, target = _target(text, at, state.end)
            if at < state.end and text[at] == ")":
                return label_end, at + 1, target
            at += 1
        return self._find_reference(state, state.at + 1, label_end, at)

    def _find_image(self, state: InlineState) -> tuple[int, int] | None:
        """Where the label of the image at the position ends, and where the image ends; None if it is none."""
        text = state.text
        label_end = self._label_end(state, state.at + 1) if text.startswith("[", state.at + 1) else -1
        if label_end < 0:
            return None
        at = label_end + 1
        if at < state.end and text[at] == "(":
            at = _past_space(text, at + 1, state.end)
            if at < state.end:
                at, _ = _target(text, at, state.end)
            return (label_end, at + 1) if at < state.end and text[at] == ")" else None
        found = self._find_reference(state, state.at + 2, label_end, at)
        return None if found is None else found[:2]

    def _find_reference(self, state: InlineState, start: int, label_end: int, at: int) -> tuple[int, int, str] | None:
        """The link by reference whose text is from `start` to `label_end`, if its label, maybe at `at`, is defined."""
        if not state.references:
            return None
        label, end = "", label_end + 1
        if at < state.end and state.text[at] == "[":
            close = self._label_end(state, at)
            if close >= 0:
                label, end = state.text[at + 1 : close], close + 1
        target = state.references.get(folded(label or state.text[start:label_end]))
        return None if target is None else (label_end, end, target)

    def _label_end(self, state: InlineState, start: int, *, whole: bool = False) -> int:
        """Where the label that opens with the bracket at `start` closes, or -1; a `whole` one may hold no link."""
        text, position, level = state.text, state.at, 1
        state.at = start + 1
        found = -1
        while state.at < state.end:
            before, sign = state.at, text[state.at]
            if sign == "]":
                level -= 1
                if level == 0:
                    found = before
                    break
            self._skip(state)
            if sign == "[":
                if state.at == before + 1:
                    level += 1
                elif whole:
                    break
        state.at = position
        return found

    def _skip(self, state: InlineState) -> None:
        """Pass over one token while looking for the bracket that closes a label; only these signs can hide one."""
        start = state.at
        if start in state.ends:
            state.at = state.ends[start]
            return
        sign = state.text[start]
        if state.depth >= DEEPEST:
            state.at = state.end
        elif sign not in "\\`[]!<":
            match = _LABEL_SIGNS.search(state.text, start, state.end)
            state.at = match.start() if match else state.end
        else:
            state.depth += 1
            state.at = self._token_end(sign, state)
            state.depth -= 1
        state.ends[start] = state.at

    def _token_end(self, sign: str, state: InlineState) -> int:
        """Where the token at the position ends: one sign if it is nothing else."""
        start = state.at
        if sign == "\\":
            return min(start + 2, state.end)
        if sign == "`":
            return _code_end(state)[1]
        if sign == "[":
            link = self._find_link(state) if state.has_later("]") else None
            return link[1] if link else start + 1
        if sign == "!":
            image = self._find_image(state)
            return image[1] if image else start + 1
        return (sign == "<" and (_autolink_end(state) or _tag_end(state))) or start + 1


def _past_space(text: str, at: int, end: int) -> int:
    while at < end and text[at] in _SPACE:
        at += 1
    return at


def _target(text: str, at: int, end: int) -> tuple[int, str]:
    """The offset behind the destination and title between the brackets of a link, and the destination."""
    found = destination(text, at, end)
    if found is None or not is_allowed(found[1]):
        return at, ""
    behind = _past_space(text, found[0], end)
    title = title_end(text, behind, end) if behind > found[0] else 0
    return _past_space(text, title, end) if title > 0 else behind, found[1]


def _backslash(state: InlineState) -> bool:
    start = state.at
    following = state.text[start + 1 : min(start + 2, state.end)]
    if following in ("(", "[") and (end := bracket_math_end(state.text, start, state.end)):
        return _pass(state, end)
    if following not in PUNCTUATION and following != "\n":
        return False
    state.blank(start, start + 1)
    state.at = start + 2
    return True


def _code(state: InlineState) -> bool:
    start = state.at
    is_code, state.at = _code_end(state)
    if is_code:
        state.blank(start, state.at)
    return True


def _code_end(state: InlineState) -> tuple[bool, int]:
    """Whether a row of back quotes opens code, and where that ends; if not, where the row ends."""
    text = state.text
    opened = past_ticks(text, state.at, state.end)
    length = opened - state.at
    if state.last_ticks(length) >= opened:
        at = text.find("`", opened)
        while 0 <= at < state.end:
            end = past_ticks(text, at, len(text))
            if end > state.end:
                break
            if end - at == length:
                return True, end
            at = text.find("`", end)
    return False, opened


def _emphasis(state: InlineState) -> bool:
    end, found = delimiters_at(state.text, state.at, state.end)
    if not found:
        return False
    state.delimiters += found
    state.at = end
    return True


def _blank_emphasis(state: InlineState) -> None:
    """Pair the delimiters, and blank those that became emphasis."""
    for delimiters in state.groups:
        pair(delimiters)
        for opener in delimiters:
            if opener.end >= 0:
                for delimiter in (opener, delimiters[opener.end]):
                    state.blank(delimiter.at, delimiter.at + (2 if delimiter.sign == "~" else 1))


def _footnote(state: InlineState, match: re.Match[str]) -> bool:
    label = state.footnotes.get(match[1].casefold())
    if label is None and not match[1][0].isalnum():
        return False
    state.blank(*match.span())
    state.note("footnote", *match.span(), label or match[1])
    state.at = match.end()
    return True


def _jsx(state: InlineState) -> bool:
    if end := jsx_tag_end(state.text, state.at, state.end):
        return _tag(state, state.at, end)
    return _angle(state)


def _angle(state: InlineState) -> bool:
    start, text = state.at, state.text
    if text[start + 1 : start + 2].isspace() or not state.has_later(">"):
        return False
    if end := _autolink_end(state):
        state.blank(start, end)
        state.note("url", start, end, text[start + 1 : end - 1])
        state.at = end
        return True
    end = _tag_end(state)
    return bool(end) and _tag(state, start, end)


def _html_angle(state: InlineState) -> bool:
    """A tag in a block of HTML; one that does not close there is blanked as far as it goes."""
    start, text = state.at, state.text
    if re.compile(_TAG_OPENING).match(text, start) is None:
        return False
    if end := _tag_end(state):
        return _tag(state, start, end, unclosed=len(text))
    close = -1 if text.startswith(("<!--", "<?", "<![CDATA["), start) else text.find(">", start)
    state.at = close + 1 if close >= 0 else len(text)
    state.blank(start, state.at)
    return True


def _autolink_end(state: InlineState) -> int:
    """Where the address between angle brackets at the position ends; 0 if there is none."""
    text, start = state.text, state.at
    opening = text.find("<", start + 1, state.end)
    close = text.find(">", start + 1, opening if opening >= 0 else state.end)
    target = text[start + 1 : close] if close >= 0 else ""
    if ":" in target and re.compile(_ADDRESS).match(target):
        return close + 1 if is_allowed(target) else 0
    return close + 1 if "@" in target and re.compile(_EMAIL).match(target) else 0


def _tag_end(state: InlineState) -> int:
    """Where the tag at the position ends; 0 if there is none. What cannot be closed is not looked for."""
    text, start = state.text, state.at
    sign = text[start + 1 : start + 2]
    if start + 2 >= state.end or not (sign in "!?/" or (sign.isascii() and sign.isalpha())):
        return 0
    if text.startswith("<!--", start):
        short = text.startswith(("<!-->", "<!--->"), start)
        closable = state.last(">") >= start + 4 and (short or state.last("-->") >= start + 4)
    elif text.startswith("<![CDATA[", start):
        closable = state.last("]]>") >= start + 9
    elif sign == "?":
        closable = state.last("?>") >= start + 2
    else:
        closable = state.last(">") >= start + (3 if sign == "!" else 2)
    return tag_end(text, start) if closable else 0


def _entity(state: InlineState) -> bool:
    start, text = state.at, state.text
    if start + 1 >= state.end:
        return False
    if text.startswith("&#", start):
        match = re.compile(_NUMBERED).match(text, start)
        code = (int(match[1], 16) if match[1] else int(match[2])) if match else 0
        character = chr(code) if is_character(code) else "\ufffd"
    else:
        match = re.compile(_NAMED).match(text, start) if text[start + 1].isalpha() else None
        character = named(match[1]) if match else ""
    if not match or not character:
        return False
    state.blank(start, match.end(), " " if character in "\r\n" else character)
    state.at = match.end()
    return True


def _dollar(state: InlineState) -> bool:
    end = dollar_math_end(state.text, state.at, state.end)
    return bool(end) and _pass(state, end)


def _url(state: InlineState) -> bool:
    start, end = state.at, bare_url_end(state.text, state.at, state.end)
    if end and not state.links and state.anchor is None:
        state.note("url", start, end, state.text[start:end])
    return bool(end) and _pass(state, end)


def _pass(state: InlineState, end: int) -> bool:
    state.blank(state.at, end)
    state.at = end
    return True


def _tag(state: InlineState, start: int, end: int, unclosed: int = 0) -> bool:
    """Blank an HTML tag, and with it what stands between the tags of an element that holds code.

    Such an element without an end tag goes on up to `unclosed`, or is taken for its tag alone.
    """
    tag = state.text[start:end]
    if closer := raw_element(tag):
        close = state.text.find(closer, end, state.end) if state.last(closer) >= end else -1
        end = (state.text.find(">", close) + 1 or state.end) if close >= 0 else max(end, unclosed)
    elif (target := anchor_target(tag)) is not None:
        state.anchor = (start, target)
    elif state.anchor and tag.startswith(("</a", "</A")):
        state.note("link", state.anchor[0], end, state.anchor[1])
        state.anchor = None
    elif tag.startswith(("<img", "<Image")):
        state.note("image", start, end, "")
    state.blank(start, end)
    state.at = end
    return True


def _citation(state: InlineState) -> bool:
    start = state.at
    close = state.text.find("]", start, min(state.end, start + 400))
    keys = citation_keys(state.text[start + 1 : close]) if close > 0 else []
    if not keys or "[" in state.text[start + 1 : close]:
        return False
    for at, key in keys:
        if len(keys) == 1:
            state.note("citation", start, close + 1, key)
        else:
            state.note("citation", start + 1 + at, start + 2 + at + len(key), key)
    state.blank(start, close + 1)
    state.at = close + 1
    return True


def _undefined(state: InlineState) -> None:
    """Note a `[text][label]` that is no link for want of a definition; its words stay text, as a reader sees them."""
    match = re.compile(_FULL_REFERENCE).match(state.text, state.at, state.end)
    if match and not state.text[max(state.at - 1, 0) : state.at].isalnum():
        state.note("reference", *match.span(), match[2] or match[1])
