"""Places in a draft in the units of other programs: UTF-16 code units for SARIF, bytes of UTF-8 for reviewdog."""

from __future__ import annotations

from caveat.markdown.source import Source

Place = tuple[int, int]


class Columns:
    """The rows and columns of one draft in another unit, both counted from 1.

    Each long row is walked through once if the spans come in the order of their beginnings, as findings do.
    """

    __slots__ = ("_at", "_codec", "_counted", "_mark", "_size", "_source")

    def __init__(self, source: Source, codec: str, size: int, mark: int) -> None:
        """`codec` encodes a text to `size` bytes a unit; a byte order mark counts as `mark` units of its row."""
        self._source = source
        self._codec = codec
        self._size = size
        self._mark = mark if source.bom else 0
        self._at = self._counted = 0

    def span(self, start: int, end: int) -> tuple[Place, Place]:
        """The places of two offsets."""
        return self._place(start, keep=True), self._place(end)

    def _place(self, offset: int, *, keep: bool = False) -> Place:
        source = self._source
        row = source.place(offset)[0]
        beginning = source.row_starts()[row - 1]
        known = beginning <= self._at <= offset
        begin, counted = (self._at, self._counted) if known else (beginning, 0)
        counted += self._units(source.text[begin:offset])
        if keep:
            self._at, self._counted = offset, counted
        return row, counted + 1 + (self._mark if row == 1 else 0)

    def _units(self, text: str) -> int:
        return len(text) if text.isascii() else len(text.encode(self._codec, "surrogatepass")) // self._size


def utf16_columns(source: Source) -> Columns:
    """Columns in UTF-16 code units; a byte order mark is no part of the text, as SARIF wants it."""
    return Columns(source, "utf-16-le", 2, mark=0)


def utf8_columns(source: Source) -> Columns:
    """Columns in bytes, those of a byte order mark included."""
    return Columns(source, "utf-8", 1, mark=3)


def end_in_first_row(source: Source, start: int, end: int) -> int:
    """Where words end that shall not reach beyond the row that they begin in."""
    starts = source.row_starts()
    row = source.place(start)[0]
    row_end = starts[row] if row < len(starts) else len(source.text)
    return start + len(source.text[start : min(end, row_end)].rstrip("\r\n"))


def last_row(source: Source, start: int, end: int) -> int:
    """The row of the last sign of some words."""
    return source.place(max(start, end - 1))[0]
