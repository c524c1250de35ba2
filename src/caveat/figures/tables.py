"""Units that a table gives to its bare numbers, in the header of the column or the label of the row."""

from __future__ import annotations

from caveat.figures.context import Context
from caveat.figures.units import Stretch, UnitMatch, unit_at
from caveat.markdown.document import Block

_OPENERS = "([,/:–-"
_CLOSERS = ")],;"


class Header:
    """What a header or label says of the numbers under it: a unit, that they are ratios, or that they are settings.

    `noun` is what they count, if the header begins with it: "Chips", "GPUs per board".
    """

    __slots__ = ("counts", "noun", "ratio", "unit")

    def __init__(self, unit: UnitMatch | None, *, ratio: bool, counts: bool, noun: str = "") -> None:
        self.unit = unit
        self.ratio = ratio
        self.counts = counts
        self.noun = noun


class Headers:
    """The headers of a draft's tables, each read once."""

    __slots__ = ("_context", "_read")

    def __init__(self, context: Context) -> None:
        self._context = context
        self._read: dict[int, Header] = {}

    def of_cell(self, block: Block) -> Header | None:
        """What the header of the cell's column says, or else the first cell of its row; None outside tables."""
        if block.table < 0 or block.row <= 0:
            return None
        rows = self._context.document.tables[block.table].rows
        column = self._at(rows, 0, block.column)
        row = self._at(rows, block.row, 0) if block.column > 0 else None
        for header in (column, row):
            if header is not None and header.unit is not None:
                return header
        for header in (column, row):
            if header is not None and (header.ratio or header.counts):
                return header
        return column

    def counts_parts(self, block: Block) -> str:
        """What a cell counts, if its column counts parts of the product that its row is labelled with; else ""."""
        rows = self._context.document.tables[block.table].rows
        header = self._at(rows, 0, block.column)
        label = rows[block.row][0] if block.column > 0 else -1
        if header is None or not header.noun or label < 0:
            return ""
        start = self._context.document.blocks[label].start
        while self._context.text[start].isspace():
            start += 1
        return header.noun if self._context.starting_at(start, "product") is not None else ""

    def _at(self, rows: list[list[int]], row: int, column: int) -> Header | None:
        cells = rows[row] if row < len(rows) else []
        index = cells[column] if column < len(cells) else -1
        if index < 0:
            return None
        header = self._read.get(index)
        if header is None:
            header = self._read[index] = self._header(self._context.document.blocks[index])
        return header

    def _header(self, block: Block) -> Header:
        context, tokens = self._context, self._context.tokens
        text = context.text[block.start : block.end]
        end = block.start + len(text.rstrip())
        first = tokens.first_from(block.start)
        last = tokens.first_from(end)
        unit = None
        ratio = counts = False
        for index in range(first, min(last, first + 40)):
            start = tokens.starts[index]
            if unit is None or context.text[start - 1] in "([":
                unit = self._unit(start, block.start, end) or unit
            ratio = ratio or context.starting_at(start, "ratio-header") is not None
            counts = (
                counts
                or any(
                    context.starting_at(start, kind) is not None
                    for kind in ("counted", "setting-after", "counted-people")
                )
                or context.ending_at(tokens.ends[index], "setting") is not None
            )
        mark = context.starting_at(tokens.starts[first], "counted") if first < last else None
        return Header(unit, ratio=ratio, counts=counts, noun=mark.value if mark else "")

    def _unit(self, start: int, begin: int, end: int) -> UnitMatch | None:
        """A unit at an offset of a header, if it is set off by a bracket or closes the header."""
        text = self._context.text
        match = unit_at(Stretch(text, begin, end, self._context.vocabulary), start)
        if match is None:
            return None
        before = text[begin:start].rstrip()
        after = text[match.stop : end].lstrip()
        opened = not before or before[-1] in _OPENERS
        closed = not after or after[0] in _CLOSERS or (opened and after[0] == "(")
        if closed and (opened or (not after and (match.stop - start > 1 or match.unit.kind != "measure"))):
            return match
        return None
