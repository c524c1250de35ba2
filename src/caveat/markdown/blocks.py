# ruff: noqa: FBT001 - rules take `probe` by position
"""The rules of blocks that hold no blocks: fences, headings, tables, HTML, paragraphs.

Each is called with the line on which it may start and the line up to which it may go. With `probe` it only tells
whether it may start there and end a paragraph. It is never asked of a line that is empty or indented so far that it is
code.
"""

from __future__ import annotations

import re

from caveat.markdown.block_state import BlockState
from caveat.markdown.signs import BLANKS, TRIMMED
from caveat.markdown.tags import html_closer

_DELIMITER_ROW = re.compile(r"[ \t|:-]+")
_MOST_MISSING_CELLS = 0x10000
"""A table ends when so many cells have been added to its short rows."""


def fence(state: BlockState, line: int, last: int, probe: bool) -> bool:
    """Code between rows of back quotes or tildes."""
    text = state.rest(line)
    sign = text[0]
    length = len(text) - len(text.lstrip(sign))
    if length < 3 or (sign == "`" and "`" in text[length:]):
        return False
    if probe:
        return True
    following, closed = line + 1, False
    while following < last and not closed:
        at = state.start(following)
        outside = at < state.ends[following] and state.widths[following] < state.indent
        if outside or at >= len(state.text):
            break
        closed = not state.is_code(following) and _closes(state.rest(following), sign, length)
        following += 1
    state.line = following
    state.push("fence", line, following)
    return True


def _closes(text: str, sign: str, length: int) -> bool:
    """Whether a line is nothing but a row of at least so many signs."""
    signs = text.rstrip(BLANKS)
    return len(signs) >= length and signs == sign * len(signs)


def thematic_break(state: BlockState, line: int, _last: int, probe: bool) -> bool:
    """Three or more of one sign, with blanks between them."""
    signs = state.rest(line).replace(" ", "").replace("\t", "")
    if len(signs) < 3 or signs != signs[0] * len(signs):
        return False
    if not probe:
        state.line = line + 1
        state.push("hr", line, line + 1)
    return True


def heading(state: BlockState, line: int, _last: int, probe: bool) -> bool:
    """A heading by one to six #s."""
    text = state.rest(line)
    words = text.lstrip("#")
    level = len(text) - len(words)
    if level > 6 or words[:1] not in ("", " ", "\t"):
        return False
    if not probe:
        words = words.rstrip(BLANKS)
        opened = words.rstrip("#")
        state.line = line + 1
        _push_heading(state, level, "#", line, line + 1)
        state.push("inline", line, line + 1, (opened if opened.endswith((" ", "\t")) else words).strip(TRIMMED))
    return True


def _push_heading(state: BlockState, level: int, sign: str, line: int, following: int) -> None:
    token = state.push("heading_open", line, following)
    token.level, token.sign = level, sign


def html(state: BlockState, line: int, last: int, probe: bool) -> bool:
    """A block of HTML, up to what closes it, which for most tags is an empty line."""
    text = state.rest(line)
    closer = html_closer(text)
    if closer is None or probe:
        return closer is not None and closer.interrupts
    following = line + 1
    closed = closer.closes(text)
    while following < last and not closed:
        if state.widths[following] < state.indent and (closer.at_empty_line or not state.is_empty(following)):
            break
        text = state.rest(following)
        closed = closer.closes(text)
        following += not closed or text != ""
    state.line = following
    state.push("html_block", line, following, state.cut(line, following))
    return True


def underlined(state: BlockState, line: int, last: int, _probe: bool) -> bool:
    """A heading that is underlined with = or -."""
    following = line + 1
    while following < last and not state.is_empty(following):
        width = state.widths[following]
        if width - state.indent <= 3:
            sign = state.text[state.start(following)]
            if width >= state.indent and sign in ("-", "=") and _closes(state.rest(following), sign, 1):
                content = state.cut(line, following).strip(TRIMMED)
                state.line = following + 1
                _push_heading(state, 1 if sign == "=" else 2, sign, line, following + 1)
                state.push("inline", line, following, content)
                return True
            if width >= 0 and state.ends_before(following, last, state.flavour.in_paragraph):
                return False
        following += 1
    return False


def paragraph(state: BlockState, line: int, _last: int, _probe: bool) -> bool:
    """A paragraph: up to an empty line, or a block that may end it."""
    following, last = line + 1, state.lines
    while following < last and not state.is_empty(following):
        width = state.widths[following]
        lazy = width - state.indent > 3 or width < 0
        if not lazy and state.ends_before(following, last, state.flavour.in_paragraph):
            break
        following += 1
    content = state.cut(line, following).strip(TRIMMED)
    state.line = following
    state.push("paragraph_open", line, following)
    state.push("inline", line, following, content)
    return True


def table(state: BlockState, line: int, last: int, probe: bool) -> bool:
    """A table: a row of headings, one of hyphens between bars, and rows up to the first that can be none."""
    count = _columns(state, line, last)
    if not count or probe:
        return count > 0
    state.push("table_open", line)
    _push_row(state, line, _cells(state, line), "th_open")
    following, missing = line + 2, 0
    while following < last and state.widths[following] >= state.indent:
        ended = state.ends_before(following, last, state.flavour.in_quote) or state.is_code(following)
        cells = [] if ended else _cells(state, following)
        if ended or not state.rest(following).strip(TRIMMED):
            break
        missing += count - len(cells)
        if missing > _MOST_MISSING_CELLS:
            break
        _push_row(state, following, (cells + [""] * count)[:count], "td_open")
        following += 1
    state.push("table_close")
    state.line = following
    return True


def _columns(state: BlockState, line: int, last: int) -> int:
    """How many columns the table has that starts on a line; 0 if none does."""
    under = line + 1
    if under >= last or state.widths[under] < state.indent or state.is_empty(under) or state.is_code(under):
        return 0
    row = state.rest(under)
    if row[0] not in "|-:" or len(row) < 2 or (row[0] == "-" and row[1] in BLANKS) or "|" not in state.rest(line):
        return 0
    if _DELIMITER_ROW.fullmatch(row) is None:
        return 0
    parts = _without_outer([part.strip(BLANKS) for part in row.split("|")])
    if not all("-" in part and part.removeprefix(":").removesuffix(":").strip("-") == "" for part in parts):
        return 0
    return len(parts) if len(_cells(state, line)) == len(parts) else 0


def _cells(state: BlockState, line: int) -> list[str]:
    r"""The contents of the cells of a row; `\|` is a bar in one."""
    text = state.rest(line).strip(TRIMMED)
    cells: list[str] = []
    content, done = "", 0
    bar = text.find("|")
    while bar >= 0:
        if text[bar - 1 : bar] == "\\":
            content, done = content + text[done : bar - 1], bar
        else:
            cells.append(content + text[done:bar])
            content, done = "", bar + 1
        bar = text.find("|", bar + 1)
    cells.append(content + text[done:])
    return [cell.strip(TRIMMED) for cell in _without_outer(cells)]


def _without_outer(parts: list[str]) -> list[str]:
    """What stands between the bars, without what is empty before the first and behind the last."""
    if parts[0] == "":
        del parts[0]
    if parts and parts[-1] == "":
        del parts[-1]
    return parts


def _push_row(state: BlockState, line: int, cells: list[str], kind: str) -> None:
    token = state.push("tr_open", line, line + 1)
    token.start = state.start(line)
    for cell in cells:
        state.push(kind)
        state.push("inline", line, line + 1, cell)
