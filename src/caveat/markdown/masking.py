"""What is kept while one piece of inline content is read, and the masked text that comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from caveat.markdown.embedded import FILLER

# A reference found in inline content: its kind, start and end as offsets into that content, and its label.
Note = tuple[str, int, int, str]


class Masked:
    """Inline content with the same length and line breaks, its signs blanked, and the references and comments in it."""

    __slots__ = ("comments", "notes", "text")

    def __init__(self, text: str, notes: list[Note], comments: Sequence[tuple[int, int]] = ()) -> None:
        self.text = text
        self.notes = notes
        self.comments = comments


class InlineState(StateInline):
    """One piece of inline content while it is read."""

    def __init__(self, src: str, md: MarkdownIt, footnotes: dict[str, str], references: dict[str, object]) -> None:
        super().__init__(src, md, {"references": references} if references else {}, [])
        self.footnotes = footnotes
        self.blanks: list[tuple[int, int, str]] = []
        self.notes: list[Note] = []
        self.comments: list[tuple[int, int]] = []
        self.marks: list[tuple[Token, int, int]] = []
        self.anchor: tuple[int, str] | None = None
        self.braces: dict[int, int] | None = None

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        """Push a token; that of a link is told where its text ends."""
        token = super().push(ttype, tag, nesting)
        if ttype == "link_open":
            token.meta = {"label_end": self.posMax}
        return token

    def blank(self, start: int, end: int, instead: str = "") -> None:
        """Note a range that is no prose, and what stands for it at its start."""
        self.blanks.append((start, end, instead))

    def note(self, kind: str, start: int, end: int, label: str) -> None:
        """Note a reference."""
        self.notes.append((kind, start, end, label))

    def has_later(self, text: str) -> bool:
        """Whether `text` occurs behind the position: without it nothing can close, and no rule need look for it."""
        return self.html_terminator_last(text) > self.pos


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
