"""The lines of a draft that a finding is on, with its words marked."""

from __future__ import annotations

from bisect import bisect_right

from caveat.markdown.source import Source
from caveat.report.layout import COLUMNS, width
from caveat.report.text import visible

MOST_ROWS = 3
TAB = 4
CUT = "..."


class Line:
    """One row as it is shown: its number, what stands before, in and after the marked words, and the carets."""

    __slots__ = ("after", "before", "carets", "marked", "row")

    def __init__(self, row: int, before: str, marked: str, after: str, carets: str) -> None:
        self.row = row
        self.before = before
        self.marked = marked
        self.after = after
        self.carets = carets


def excerpt(source: Source, start: int, end: int) -> list[Line]:
    """The rows from `start` to `end`, at most MOST_ROWS of them, each cut to about COLUMNS around its marked words."""
    starts = source.row_starts()
    first = bisect_right(starts, start)
    last = max(first, bisect_right(starts, max(start, end - 1)))
    return [_line(source, row, start, end) for row in range(first, min(last, first + MOST_ROWS - 1) + 1)]


def _line(source: Source, row: int, start: int, end: int) -> Line:
    starts, text = source.row_starts(), source.text
    row_start = starts[row - 1]
    row_end = starts[row] if row < len(starts) else len(text)
    while row_end > row_start and text[row_end - 1] in "\r\n":
        row_end -= 1
    a, b = min(max(start, row_start), row_end), min(max(start, end), row_end)
    while start < row_start and a < b and text[a].isspace():
        a += 1
    left, right = _window(text, row_start, row_end, a, b)
    lead = CUT if left > row_start else ""
    before = lead + _shown(text[left:a], len(lead))
    at = width(before)
    marked = _shown(text[a : min(b, right)], at)
    after = _shown(text[b:right], at + width(marked)) + (CUT if right < row_end else "")
    return Line(row, before, marked, after, " " * at + "^" * max(1, width(marked)))


def _window(text: str, row_start: int, row_end: int, a: int, b: int) -> tuple[int, int]:
    """The part of a row to show: all of a short one; else what is about the marked words, cut at spaces."""
    if row_end - row_start <= COLUMNS:
        return row_start, row_end
    spare = max(0, COLUMNS - (b - a))
    left_room, right_room = a - row_start, row_end - b
    left = min(left_room, max(spare // 2, spare - right_room))
    start, end = a - left, min(b + spare - left, a + COLUMNS, row_end)
    if start > row_start:
        space = text.find(" ", start, min(start + 16, a))
        start = space + 1 if space != -1 else start
    if b < end < row_end:
        space = text.rfind(" ", max(end - 16, b), end)
        end = space if space != -1 else end
    return start, end


def _shown(text: str, column: int) -> str:
    """Text for a terminal: tabs to the next stop, control characters as escapes."""
    if "\t" not in text:
        return visible(text)
    first, *others = text.split("\t")
    shown = visible(first)
    for part in others:
        shown += " " * (TAB - (column + width(shown)) % TAB) + visible(part)
    return shown
