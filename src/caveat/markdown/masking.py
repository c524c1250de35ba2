"""What is kept while one piece of inline content is read, and the masked text that comes of it."""

from __future__ import annotations

from caveat.markdown.delimiters import Delimiter
from caveat.markdown.embedded import FILLER

# A reference found in inline content: its kind, start and end as offsets into that content, and its label.
Note = tuple[str, int, int, str]


class Masked:
    """Inline content with the same length and line breaks, its signs blanked, and the references in it."""

    __slots__ = ("notes", "text")

    def __init__(self, text: str, notes: list[Note]) -> None:
        self.text = text
        self.notes = notes


class InlineState:
    """One piece of inline content while it is read: from `at` up to `end`.

    `depth` counts the links, images and notes around, `links` the links alone. `ends` has the place behind each sign
    that was passed over while a label was looked for. `delimiters` are those between the brackets that are read, and
    `groups` those of all brackets.
    """

    __slots__ = (
        "_ticks", "anchor", "at", "blanks", "braces", "delimiters", "depth", "end", "ends", "footnotes", "groups",
        "lasts", "links", "notes", "references", "text",
    )  # fmt: skip

    def __init__(self, text: str, footnotes: dict[str, str], references: dict[str, str]) -> None:
        self.text = text
        self.footnotes = footnotes
        self.references = references
        self.at = 0
        self.end = len(text)
        self.depth = 0
        self.links = 0
        self.ends: dict[int, int] = {}
        self.lasts: dict[str, int] = {}
        self.delimiters: list[Delimiter] = []
        self.groups = [self.delimiters]
        self.blanks: list[tuple[int, int, str]] = []
        self.notes: list[Note] = []
        self.anchor: tuple[int, str] | None = None
        self.braces: dict[int, int] | None = None
        self._ticks: dict[int, int] | None = None

    def blank(self, start: int, end: int, instead: str = "") -> None:
        """Note a range that is no prose, and what stands for it at its start."""
        self.blanks.append((start, end, instead))

    def note(self, kind: str, start: int, end: int, label: str) -> None:
        """Note a reference."""
        self.notes.append((kind, start, end, label))

    def last(self, text: str) -> int:
        """Where `text` occurs for the last time, or -1: what can be closed nowhere need not be looked for."""
        if text not in self.lasts:
            self.lasts[text] = self.text.rfind(text)
        return self.lasts[text]

    def has_later(self, text: str) -> bool:
        """Whether `text` occurs behind the position."""
        return self.last(text) > self.at

    def last_ticks(self, length: int) -> int:
        """Where a row of just so many back quotes stands for the last time, or -1."""
        if self._ticks is None:
            self._ticks = {}
            at = self.text.find("`")
            while at >= 0:
                end = past_ticks(self.text, at, len(self.text))
                self._ticks[end - at] = at
                at = self.text.find("`", end)
        return self._ticks.get(length, -1)


def past_ticks(text: str, at: int, end: int) -> int:
    """Where a row of back quotes ends."""
    while at < end and text[at] == "`":
        at += 1
    return at


def blanked(content: str, blanks: list[tuple[int, int, str]]) -> str:
    """The content with each range blanked, or replaced by what stands for it and spaces."""
    parts: list[str] = []
    done = 0
    for start, end, instead in sorted(blanks):
        parts.append(content[done:start])
        gap = content[start + len(instead) : end]
        parts.append(instead)
        parts.append("\n".join(" " * len(line) for line in gap.split("\n")) if "\n" in gap else " " * len(gap))
        done = end
    parts.append(content[done:])
    return unfilled("".join(parts))


def unfilled(text: str) -> str:
    """The text with spaces where shortcodes were hidden."""
    return text.replace(FILLER, " ") if FILLER in text else text
