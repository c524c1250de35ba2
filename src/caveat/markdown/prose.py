"""Puts masked content back where it came from: the same-length prose copy of a draft."""

from __future__ import annotations

import re
from bisect import bisect_right

_TRIMMED = "\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))


# A part of a block's content: its start and end as offsets into the content, and where it starts in the text.
Segment = tuple[int, int, int]


class Lines:
    """The lines of a text as the parser sees it (LF only), and as it stands in the file."""

    def __init__(self, text: str, starts: list[int], ends: list[int], file_starts: list[int], *, shifted: bool) -> None:
        self.text = text
        self.starts = starts
        self.ends = ends
        self.file_starts = file_starts
        self.shifted = shifted

    def in_file(self, offset: int) -> int:
        """The offset in the file's text of an offset in the parser's."""
        if not self.shifted:
            return offset
        line = bisect_right(self.starts, offset, 0, len(self.file_starts)) - 1
        return self.file_starts[line] + offset - self.starts[line]

    def locate(self, content: str, first: int, following: int) -> list[Segment]:
        """Find the content of a block, trimmed at both ends, in its lines from `first` up to `following`.

        A block's content is made of the tails of its lines, so each line is found from its end.
        """
        if not self.shifted or following == first + 1:
            at = self.text.rfind(content, self.starts[first], self.ends[following - 1])
            if at >= 0:
                return [(0, len(content), self.in_file(at))]
        lines = content.split("\n")
        spare = following - first - len(lines)  # lines of spaces that are no spaces to Markdown are trimmed away too
        return next((found for skipped in range(spare + 1) if (found := self._tails(lines, first + skipped))), [])

    def _tails(self, lines: list[str], first: int) -> list[Segment]:
        segments: list[Segment] = []
        done = 0
        for number, line in enumerate(lines, start=first):
            # A tab that a container cut in two leaves spaces that are in no file.
            words = line.lstrip(" \t")
            end = self.ends[number]
            at = self.text.rfind(words, self.starts[number], end)
            if at < 0 or self.text[at + len(words) : end].strip(_TRIMMED):
                return []
            start = done + len(line) - len(words)
            segments.append((start, done + len(line), self.in_file(at)))
            done += len(line) + 1
        return segments

    def locate_heading(self, content: str, line: int) -> list[Segment]:
        """Find the content of a heading by #s, which may have closing #s behind it."""
        text = self.text[self.starts[line] : self.ends[line]].rstrip(" \t")
        opened = text.rstrip("#")
        if opened != text and opened.endswith((" ", "\t")):
            text = opened
        at = self.starts[line] + len(text.rstrip(_TRIMMED)) - len(content)
        return [(0, len(content), self.in_file(at))]

    def cells(self, start: int, line: int) -> list[list[Segment]]:
        r"""The cells of a table row whose text starts at `start`, in segments that leave out the backslash of `\|`."""
        end = self.ends[line]
        row = self.text[start:end]
        first = len(row) - len(row.lstrip(_TRIMMED))
        row = row.rstrip(_TRIMMED)
        bars = [bar.start() for bar in re.finditer(r"(?<!\\)\|", row)]
        if first in bars:
            first, bars = first + 1, bars[1:]
        if bars and bars[-1] == len(row) - 1:
            bars[-1:], row = [], row[:-1]
        edges = [*bars, len(row)]
        found: list[list[Segment]] = []
        for edge in edges:
            found.append(self._cell(row[first:edge], start + first))
            first = edge + 1
        return found

    def _cell(self, text: str, at: int) -> list[Segment]:
        words = text.lstrip(_TRIMMED)
        at += len(text) - len(words)
        segments: list[Segment] = []
        done = 0
        for part in words.rstrip(_TRIMMED).replace("\\|", "\0|").split("\0"):
            if part:
                segments.append((done, done + len(part), self.in_file(at)))
            done += len(part)
            at += len(part) + 1
        return segments


def span(segments: list[Segment], start: int, end: int) -> tuple[int, int]:
    """The range in the file of a range of the content."""
    return _place(segments, start), _place(segments, end - 1) + 1


def _place(segments: list[Segment], offset: int) -> int:
    start, end, at = segments[max(bisect_right(segments, offset, key=_start) - 1, 0)]
    return at + max(0, min(offset, end) - start)


def _start(segment: Segment) -> int:
    return segment[0]


class Copy:
    """The prose copy in the making: what is not put into it stays blank."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._parts: list[str] = []
        self._done = 0

    def put(self, segments: list[Segment], masked: str) -> None:
        """Add the masked content of a block; blocks come in the order of the text."""
        for start, end, at in segments:
            self._parts.append(blank(self._text[self._done : at]))
            self._parts.append(masked[start:end])
            self._done = at + end - start

    def finish(self) -> str:
        """The whole copy."""
        self._parts.append(blank(self._text[self._done :]))
        self._done = len(self._text)
        return "".join(self._parts)


def blank(text: str) -> str:
    """Spaces instead of all but line breaks."""
    if "\r" in text:
        return re.sub(r"[^\r\n]", " ", text)
    if "\n" in text:
        return "\n".join([" " * len(line) for line in text.split("\n")])
    return " " * len(text)
