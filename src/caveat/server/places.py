"""Places in a text as an editor counts them: rows from 0, and columns in the units of the encoding agreed on."""

from __future__ import annotations

from typing import NamedTuple

from lsprotocol import types

from caveat.markdown.source import Source
from caveat.report.columns import Columns

UTF8, UTF16, UTF32 = "utf-8", "utf-16", "utf-32"


class Encoding(NamedTuple):
    """A codec whose code units are columns, the bytes of a unit, and the units of a byte order mark."""

    codec: str
    size: int
    mark: int


ENCODINGS = {UTF8: Encoding("utf-8", 1, 3), UTF16: Encoding("utf-16-le", 2, 1), UTF32: Encoding("utf-32-le", 4, 1)}


class Places:
    """The places of one text. Offsets are those of its `Source`; a byte order mark counts in the first row."""

    def __init__(self, source: Source, encoding: str = UTF16) -> None:
        self._source = source
        self._encoding = ENCODINGS[encoding]
        self._columns = Columns(source, *self._encoding)

    def range(self, start: int, end: int) -> types.Range:
        """The range between two offsets."""
        first, last = self._columns.span(start, end)
        return types.Range(types.Position(first[0] - 1, first[1] - 1), types.Position(last[0] - 1, last[1] - 1))

    def offset(self, position: types.Position) -> int:
        """The offset of a place; one behind the end of its row or of the text counts as that end."""
        source, starts = self._source, self._source.row_starts()
        if position.line >= len(starts):
            return len(source.text)
        start = starts[position.line]
        end = starts[position.line + 1] if position.line + 1 < len(starts) else len(source.text)
        row = source.text[start:end].rstrip("\r\n")
        units = position.character
        if source.bom and position.line == 0:
            units = max(0, units - self._encoding.mark)
        return start + self._signs(row, units)

    def _signs(self, row: str, units: int) -> int:
        """How many signs of a row take so many units."""
        if row.isascii():
            return min(units, len(row))
        done = 0
        for at, sign in enumerate(row):
            if done >= units:
                return at
            done += len(sign.encode(self._encoding.codec, "surrogatepass")) // self._encoding.size
        return len(row)


def edited(text: str, change: types.TextDocumentContentChangeEvent, encoding: str) -> str:
    """A text after one change. A byte order mark in it is a sign like any other."""
    if not isinstance(change, types.TextDocumentContentChangePartial):
        return change.text
    whole = Source("")
    whole.text = text
    places = Places(whole, encoding)
    first = places.offset(change.range.start)
    last = max(first, places.offset(change.range.end))
    return text[:first] + change.text + text[last:]
