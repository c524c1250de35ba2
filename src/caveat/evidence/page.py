"""A snapshot as the document that its figures are read from, piece by piece.

It is the same `Document` that a draft becomes, so that all that reads drafts reads the sources too: figures with their
units, the product of a column, the words of a row, the notes below.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from caveat.markdown.document import Block, Document, Item, ListRun, Reference, Table
from caveat.markdown.source import Source

# What is written where a mark led to a note: nothing of it is prose, or "700" and its mark "1" would be "7001".
_NOTE = re.compile("\ufdd0(.*?)\ufdd1")
_NO_CHARACTER = re.compile("[\ufdd0-\ufdd2]")
_SPACE = re.compile(r"\s+")
# "1 With sparsity", "(1) With sparsity", "[a] ...", "* With sparsity".
_BEGINS = re.compile(r"[\[(]?([0-9]{1,3}|[a-z]|[*†‡§¶]{1,3})(?:[\]).:]\s*|\s+)(?=\S)")
_MOST_COLUMNS = 200


# A raised text that may lead to notes, and what stands before one that is an exponent: a ten, a unit of length or time.
_RAISED = re.compile(r"[\[(]?((?:[0-9]{1,2}|[a-z]|[*†‡§¶]{1,3})(?:, ?(?:[0-9]{1,2}|[a-z]))*)[\]).]?\Z")
_POWER = re.compile(r"(?:(?<![0-9.,])10|(?<![A-Za-z])[cdkmnuµ]?m|(?<![A-Za-z])s)\Z")
_EXPONENT = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")


def raised(text: str, before: str) -> tuple[str, list[str]]:
    """A raised text as it is to stand behind another, and the labels of the notes that it leads to, if it does."""
    text = text.strip()
    if _POWER.search(before.rstrip()) and text.strip("+-−").isdigit():
        return text.translate(_EXPONENT), []
    marks = _RAISED.match(text)
    labels = [label.strip() for label in marks[1].split(",")] if marks else []
    return "".join(map(note_mark, labels)) or text, labels


def note_mark(label: str) -> str:
    """A mark that leads to the note with a label, to stand in the text of a piece."""
    return f"\ufdd0{label}\ufdd1"


def unmarked(text: str) -> str:
    """A text of pieces without the marks in it."""
    return _NOTE.sub("", text)


def begins_note(text: str) -> bool:
    """Whether a text begins as a note does: "1. With sparsity."."""
    return _BEGINS.match(text.lstrip()) is not None


def without_marks(text: str) -> str:
    """A text of a stranger without the signs that stand for no character, so that nothing in it passes for a mark."""
    return _NO_CHARACTER.sub("", text)


class Page(NamedTuple):
    """A page as it is read.

    `pages` are the offsets at which those of a PDF begin; `in_order` is its text as the file has it, where a table may
    stand in another order, and "" for what is no PDF.
    """

    document: Document
    pages: list[int]
    in_order: str


class Cell:
    """A cell of a table that is being read, with the rows and columns that it stretches over."""

    __slots__ = ("columns", "heads", "rows", "text")

    def __init__(self, text: str, *, heads: bool = False, columns: int = 1, rows: int = 1) -> None:
        self.text = text
        self.heads = heads
        self.columns = columns
        self.rows = rows


class PageBuilder:
    """Takes the pieces of a page in their order. `pages` has the offset at which each page of a PDF begins."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []
        self._tables: list[Table] = []
        self._lists: list[ListRun] = []
        self._items: list[Item] = []
        self._marks: list[tuple[int, int, str]] = []
        self.pages: list[int] = []

    def begin_page(self) -> None:
        """All that follows is on the next page."""
        self.pages.append(self._length)

    def paragraph(self, text: str, *, kind: str = "paragraph", level: int = 0, note: str = "", item: int = -1) -> int:
        """Add a run of prose and return its index; -1 if it holds nothing. `note` is the label of the note it is."""
        index = self._add(text, kind, level=level, note=note, item=item)
        if index >= 0 and item >= 0:
            self._items[item].blocks.append(index)
        return index

    def list(self) -> int:
        """Begin a list, led in by the block before; its index."""
        self._lists.append(ListRun(len(self._blocks) - 1, [], ordered=False))
        return len(self._lists) - 1

    def item(self, of: int, parent: int) -> int:
        """Begin an item of a list; its index. `parent` is the item that the list is in, -1 for none."""
        self._items.append(Item(of, parent, []))
        self._lists[of].items.append(len(self._items) - 1)
        return len(self._items) - 1

    def table(self, rows: Sequence[Sequence[Cell]]) -> None:
        """Add a table. A cell that stretches over several columns or rows is one block in all of them.

        The rows that only head columns become one, so that each column is headed by all that stands over it.
        """
        grid = _grid(rows)
        heads = _heads(grid)
        if len(grid) <= heads:
            grid = [[cell for cell in row if cell] for row in grid]
            for row in grid:
                self.paragraph(" ".join(dict.fromkeys(cell.text for cell in row if cell)))
            return
        width = max(len(row) for row in grid)
        number, before = len(self._tables), len(self._blocks) - 1
        table = Table([], before, -1)
        self._tables.append(table)
        header = [
            " ".join(dict.fromkeys(cell.text for row in grid[:heads] for cell in row[column : column + 1] if cell))
            for column in range(width)
        ]
        table.rows.append([self._cell(text, number, 0, column) for column, text in enumerate(header)])
        placed: dict[int, int] = {}
        for at, row in enumerate(grid[heads:], start=1):
            indices = []
            for column in range(width):
                cell = row[column] if column < len(row) else None
                if cell is None:
                    indices.append(-1)
                    continue
                if id(cell) not in placed:
                    placed[id(cell)] = self._cell(cell.text, number, at, column)
                indices.append(placed[id(cell)])
            table.rows.append(indices)

    def _cell(self, text: str, table: int, row: int, column: int) -> int:
        return self._add(text, "cell", table=table, row=row, column=column)

    def _add(
        self,
        text: str,
        kind: str,
        *,
        level: int = 0,
        note: str = "",
        item: int = -1,
        table: int = -1,
        row: int = -1,
        column: int = -1,
    ) -> int:
        text = _SPACE.sub(" ", text).strip()
        if not text:
            return -1
        start, end = self._length, self._length + len(text)
        for mark in _NOTE.finditer(text):
            self._marks.append((start + mark.start(), start + mark.end(), mark[1]))
        self._text += [text, "\n"]
        self._length = end + 1
        place = {"item": item, "table": table, "row": row, "column": column}
        self._blocks.append(Block(kind, start, end, level=level, quoted=False, footnote=note, **place))
        return len(self._blocks) - 1

    def document(self, filename: str) -> Document:
        """All that was added, as a document."""
        text = "".join(self._text)
        prose = _NOTE.sub(lambda mark: " " * len(mark[0]), text)
        document = Document(Source(_NOTE.sub(lambda mark: f"[{mark[1]}]", text), filename), prose)
        document.blocks, document.tables = self._blocks, self._tables
        document.lists, document.items = self._lists, self._items
        self._find_notes(prose)
        defined = {block.footnote for block in self._blocks}
        document.references = [
            Reference("footnote", start, end, label, defined=label in defined) for start, end, label in self._marks
        ]
        return document

    def _find_notes(self, prose: str) -> None:
        """The last block that begins with a mark is its note, if the page does not say otherwise which one is."""
        wanted = {label for _, _, label in self._marks} - {block.footnote for block in self._blocks}
        for block in reversed(self._blocks) if wanted else ():
            begins = _BEGINS.match(prose, block.start, block.end)
            label = begins[1] if begins else ""
            if label in wanted and not block.footnote:
                block.footnote = label
                wanted.discard(label)


def _grid(rows: Sequence[Sequence[Cell]]) -> list[list[Cell | None]]:
    """The cells by row and column; one that stretches over several places is in each of them."""
    grid: list[list[Cell | None]] = [[] for _ in rows]
    for at, row in enumerate(rows):
        column = 0
        for cell in row:
            while column < len(grid[at]) and grid[at][column] is not None:
                column += 1
            right = min(column + cell.columns, _MOST_COLUMNS)
            for below in range(at, min(at + cell.rows, len(rows))):
                grid[below] += [None] * (right - len(grid[below]))
                for place in range(column, right):
                    grid[below][place] = grid[below][place] or cell
            column = right
    return [row for row in grid if any(cell is not None and cell.text.strip() for cell in row)]


def _heads(grid: list[list[Cell | None]]) -> int:
    """How many rows head the columns: those of nothing but heads, else the first."""
    count = 0
    for row in grid:
        if not all(cell is None or cell.heads or not cell.text.strip() for cell in row):
            break
        count += 1
    return count or 1
