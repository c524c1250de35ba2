# ruff: noqa: FBT001 - rules take `probe` by position
"""The rules of blocks that hold blocks: quotes and alerts, lists, definitions, footnotes.

Each sets the lines that it holds in from its own marks, has them read, and puts them back. See `blocks` for the rest.
"""

from __future__ import annotations

from caveat.markdown.block_state import BlockState
from caveat.markdown.signs import BLANKS

_ALERTS = frozenset(("NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"))
_CHECKED = frozenset((" ", "x", "X"))
_DIGITS = "0123456789"
# A list item of more digits than this is none.
_MOST_DIGITS = 9


class _Marks:
    """The marks of one line, to be put back."""

    __slots__ = ("begin", "blanks", "line", "offset", "width")

    def __init__(self, state: BlockState, line: int) -> None:
        self.line = line
        self.begin = state.begins[line]
        self.blanks = state.blanks[line]
        self.width = state.widths[line]
        self.offset = state.offsets[line]

    def put_back(self, state: BlockState) -> None:
        state.begins[self.line] = self.begin
        state.blanks[self.line] = self.blanks
        state.widths[self.line] = self.width
        state.offsets[self.line] = self.offset


def quote(state: BlockState, line: int, last: int, probe: bool) -> bool:
    """A block quote, or an alert, which is one that begins with `[!NOTE]` or the like."""
    if probe:
        return True
    lines = state.lines
    kept: list[_Marks] = []
    following = _enter_quote(state, line, last, kept)
    indent, state.indent = state.indent, 0
    alert = following > line and _is_alert(state.rest(line))
    kind = "alert" if alert else "blockquote"
    state.push(f"{kind}_open", line)
    state.depth += 1
    if alert and line + 1 >= following:
        state.line = following
    else:
        state.read(line + 1 if alert else line, following)
    state.depth -= 1
    state.push(f"{kind}_close")
    state.lines, state.indent = lines, indent
    for marks in kept:
        marks.put_back(state)
    return True


def _enter_quote(state: BlockState, line: int, last: int, kept: list[_Marks]) -> int:
    """Set the lines of a quote in; the line behind it. A line without the mark may go on with a paragraph of it."""
    following, ends_empty = line, False
    while following < last and not state.is_empty(following):
        inside = following == line or state.widths[following] >= state.indent
        if inside and state.text[state.start(following)] == ">":
            kept.append(_Marks(state, following))
            ends_empty = _step_in(state, following)
        elif ends_empty:
            break
        elif state.ends_before(following, last, state.flavour.in_quote):
            state.lines = following  # or a paragraph of the quote would look below it
            if state.indent:
                kept.append(_Marks(state, following))
                state.widths[following] -= state.indent
            break
        else:
            kept.append(_Marks(state, following))
            state.widths[following] = -1
        following += 1
    return following


def _step_in(state: BlockState, line: int) -> bool:
    """Move the beginning of a line behind its ">" and one blank; whether nothing else is on it."""
    at, end = state.start(line) + 1, state.ends[line]
    width = first = state.widths[line] + 1
    offset = state.offsets[line]
    blank = state.text[at : at + 1] in (" ", "\t")
    if blank and (state.text[at] == " " or (offset + width) % 4 == 3):
        at, width, first = at + 1, width + 1, first + 1
    elif blank:  # the tab is wider than the blank that is taken from it
        offset += 1
    state.begins[line] = at
    at, width = state.width(at, end, width, offset)
    state.offsets[line] = state.widths[line] + 1 + blank
    state.widths[line] = width - first
    state.blanks[line] = at - state.begins[line]
    return at >= end


def _is_alert(text: str) -> bool:
    text = text.rstrip(BLANKS)
    return text.startswith("[!") and text.endswith("]") and text[2:-1].upper() in _ALERTS


def bullet_list(state: BlockState, line: int, last: int, probe: bool) -> bool:
    """A list of items with -, + or *."""
    return _list(state, line, last, probe=probe, ordered=False)


def ordered_list(state: BlockState, line: int, last: int, probe: bool) -> bool:
    """A list of numbered items."""
    return _list(state, line, last, probe=probe, ordered=True)


def bullet_list_in_paragraph(state: BlockState, line: int, _last: int, _probe: bool) -> bool:
    """Whether a list may end a paragraph: not with an item that is empty."""
    return _ends_paragraph(state, line, _past_bullet(state, line))


def ordered_list_in_paragraph(state: BlockState, line: int, _last: int, _probe: bool) -> bool:
    """Whether a numbered list may end a paragraph: not with an item that is empty, and only with 1."""
    behind = _past_number(state, line)
    set_in = state.widths[line] >= state.indent
    return _ends_paragraph(state, line, behind) and not (
        set_in and int(state.text[state.start(line) : behind - 1]) != 1
    )


def _ends_paragraph(state: BlockState, line: int, behind: int) -> bool:
    if behind < 0 or _continues_item(state, line):
        return False
    return state.widths[line] < state.indent or state.past_blanks(behind) < state.ends[line]


def _continues_item(state: BlockState, line: int) -> bool:
    """Whether a mark is indented too far to begin an item, and not far enough for an item of a list within."""
    return state.list_indent >= 0 and state.widths[line] - state.list_indent >= 4 and state.widths[line] < state.indent


def _list(state: BlockState, line: int, last: int, *, probe: bool, ordered: bool) -> bool:
    past_mark = _past_number if ordered else _past_bullet
    behind = past_mark(state, line)
    if behind < 0 or _continues_item(state, line):
        return False
    if probe:
        return True
    sign = state.text[behind - 1]
    kind = "ordered_list" if ordered else "bullet_list"
    state.push(f"{kind}_open", line)
    following = line
    while following < last:
        _read_item(state, following, last, behind)
        following = state.line
        if following >= last or state.widths[following] < state.indent or state.is_code(following):
            break
        if state.ends_before(following, last, state.flavour.in_list):
            break
        behind = past_mark(state, following)
        if behind < 0 or state.text[behind - 1] != sign:
            break
    state.push(f"{kind}_close")
    state.line = following
    return True


def _read_item(state: BlockState, line: int, last: int, behind: int) -> None:
    """Read a list item whose mark ends at `behind`."""
    state.push("list_item_open", line)
    kept = _Marks(state, line)
    end = state.ends[line]
    before = state.widths[line] + behind - state.start(line)
    start, width = state.width(behind, end, before, state.offsets[line])
    gap = width - before
    list_indent, state.list_indent = state.list_indent, state.indent
    state.indent = before + (1 if start >= end or gap > 4 else gap)
    state.blanks[line] = start - state.begins[line]
    state.widths[line] = width
    if not state.is_code(line) and _has_checkbox(state.text[start:end]):
        state.begins[line], state.blanks[line] = start + 4, 0
    state.depth += 2
    if start >= end and state.is_empty(line + 1):
        state.line = min(state.line + 2, last)
    else:
        state.read(line, last)
    state.depth -= 2
    state.indent, state.list_indent = state.list_indent, list_indent
    kept.put_back(state)
    state.push("list_item_close")


def _has_checkbox(text: str) -> bool:
    return text[:1] == "[" and text[1:2] in _CHECKED and text[2:3] == "]" and text[3:4] in (" ", "\t")


def _past_bullet(state: BlockState, line: int) -> int:
    """The offset behind the bullet at the start of a line, or -1."""
    at = state.start(line)
    if state.text[at : at + 1] not in ("*", "-", "+"):
        return -1
    return _past_mark(state, line, at + 1)


def _past_number(state: BlockState, line: int) -> int:
    """The offset behind the number and its sign at the start of a line, or -1."""
    text = state.rest(line)
    digits = len(text) - len(text.lstrip(_DIGITS))
    if not 0 < digits <= _MOST_DIGITS or text[digits : digits + 1] not in (")", "."):
        return -1
    return _past_mark(state, line, state.start(line) + digits + 1)


def _past_mark(state: BlockState, line: int, behind: int) -> int:
    """An offset behind the mark of an item, or -1 if no blank follows there."""
    return behind if behind >= state.ends[line] or state.text[behind] in BLANKS else -1


def definition_list(state: BlockState, line: int, last: int, _probe: bool) -> bool:
    """Terms, each with definitions below it that begin with : or ~."""
    first = _first_definition(state, line, last)
    if first < 0:
        return False
    while first >= 0:
        state.push("dt_open", line)
        state.push("inline", line, line, state.cut(line, line + 1).strip())
        following, ended = _read_definitions(state, first, last)
        state.line = following
        if ended or following >= last or state.is_empty(following) or state.widths[following] < state.indent:
            break
        line = following
        first = _first_definition(state, line, last)
    return True


def _first_definition(state: BlockState, line: int, last: int) -> int:
    """The line of the first definition of a term, which may stand behind an empty line; -1 if there is none."""
    following = line + 1
    if following < last and state.is_empty(following):
        following += 1
    if following >= last or state.widths[following] < state.indent or not _is_definition(state, following):
        return -1
    return following


def _is_definition(state: BlockState, line: int) -> bool:
    """Whether a definition starts on a line: a mark, a blank, and something behind it."""
    text = state.rest(line)
    return text[:1] in (":", "~") and text[1:2] in (" ", "\t") and text[1:].strip(BLANKS) != ""


def definition_in_list(state: BlockState, line: int, _last: int, _probe: bool) -> bool:
    """Whether a definition ends what is read in the one before it."""
    return state.definition_indent >= 0 and _is_definition(state, line)


def _read_definitions(state: BlockState, line: int, last: int) -> tuple[int, bool]:
    """Read the definitions of one term; the line behind them, and whether the list ends there."""
    while True:
        _read_definition(state, line, last)
        following = state.line
        if following >= last or state.widths[following] < state.indent:
            return following, True
        if not _is_definition(state, following):
            return following, False
        line = following


def _read_definition(state: BlockState, line: int, last: int) -> None:
    state.push("dd_open", line)
    kept = _Marks(state, line)
    indent, definition_indent = state.indent, state.definition_indent
    behind = state.start(line) + 1
    state.indent = state.definition_indent = state.widths[line] + 2
    start, width = state.width(behind, state.ends[line], state.widths[line] + 1)
    state.blanks[line], state.widths[line] = start - state.begins[line], width
    state.depth += 2
    state.read(line, last)
    state.depth -= 2
    state.indent, state.definition_indent = indent, definition_indent
    kept.put_back(state)
    state.push("dd_close")


def footnote(state: BlockState, line: int, last: int, probe: bool) -> bool:
    """The definition of a footnote: `[^label]:` and what is indented below it."""
    text = state.rest(line)
    close = text.find("]")
    if not text.startswith("[^") or close < 3 or " " in text[:close] or text[close + 1 : close + 2] != ":":
        return False
    if probe:
        return True
    label = text[2:close]
    state.footnotes.append(label)
    opening = state.push("footnote_reference_open", line)
    opening.label = label
    kept = _Marks(state, line)
    behind = state.start(line) + close + 2
    before = state.widths[line] + close + 2
    start, width = state.width(behind, state.ends[line], before)
    state.begins[line], state.blanks[line], state.widths[line] = behind, start - behind, width - before
    state.indent += 4
    if state.widths[line] < state.indent:
        state.widths[line] += state.indent
    state.depth += 1
    state.read(line, last)
    state.depth -= 1
    state.indent -= 4
    kept.put_back(state)
    opening.following = state.line
    state.push("footnote_reference_close")
    return True


