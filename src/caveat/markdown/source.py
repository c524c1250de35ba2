"""The text of one file, and how its offsets become rows and columns."""

from __future__ import annotations

import re
from bisect import bisect_right


class Source:
    """A draft as it is on disk, decoded.

    `text` keeps its line endings (LF, CRLF or CR). A byte order mark is not part of `text`; `bom` says that the file
    had one, and columns on its first row count it, so that a position is one in the file as it is on disk.
    Offsets are indexes into `text`, in code points.
    """

    __slots__ = ("_rows", "bom", "filename", "text")

    def __init__(self, text: str, filename: str = "<stdin>") -> None:
        self.bom = text.startswith("\ufeff")
        self.text = text[1:] if self.bom else text
        self.filename = filename
        self._rows: list[int] | None = None

    def renamed(self, filename: str) -> Source:
        """The same draft under another name."""
        other = Source(self.text, filename)
        other.text, other.bom, other._rows = self.text, self.bom, self._rows
        return other

    def edited(self, text: str) -> Source:
        """A draft of the same name with another text; it has a byte order mark if this one has."""
        other = Source("", self.filename)
        other.text, other.bom = text, self.bom
        return other

    @property
    def whole(self) -> str:
        """The text with its byte order mark, if it has one."""
        return "\ufeff" * self.bom + self.text

    def written(self) -> bytes:
        """The draft as it is in a file."""
        return self.whole.encode("utf-8", "surrogatepass")

    def row_starts(self) -> list[int]:
        """The offset at which each row begins; a row ends after LF, CRLF or a lone CR."""
        if self._rows is None:
            starts = [0]
            if "\r" in self.text:
                starts += [found.end() for found in re.finditer(r"\r\n?|\n", self.text)]
            else:
                for line in self.text.split("\n"):
                    starts.append(starts[-1] + len(line) + 1)
                starts.pop()
            self._rows = starts
        return self._rows

    def place(self, offset: int) -> tuple[int, int]:
        """The row and the column of an offset, both counted from 1, the column in code points."""
        rows = self.row_starts()
        row = bisect_right(rows, offset)
        column = offset - rows[row - 1] + 1
        return row, column + (1 if self.bom and row == 1 else 0)
