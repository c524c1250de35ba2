"""Text in the columns of a terminal."""

from __future__ import annotations

import unicodedata

COLUMNS = 100


def width(text: str) -> int:
    """How many columns the text takes: two for wide characters and emoji, none for combining marks and joiners."""
    if text.isascii():
        return len(text)
    return sum(_width_of(character) for character in text)


def _width_of(character: str) -> int:
    if unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1


def wrapped(text: str, first: str, others: str) -> list[str]:
    """The words of a text as lines of at most COLUMNS where words allow; `first` and `others` begin the lines."""
    lines = []
    line, used, empty = first, width(first), True
    for word in text.split():
        taken = width(word)
        if not empty and used + 1 + taken > COLUMNS:
            lines.append(line)
            line, used, empty = others, width(others), True
        line += word if empty else f" {word}"
        used += taken if empty else taken + 1
        empty = False
    return [*lines, line]
