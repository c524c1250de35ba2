"""What is wrong with a file that someone wrote for Caveat, said so that they can put it right."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache
from typing import NamedTuple


class Problem(NamedTuple):
    """One fault in one file. Lines and columns count from 1; line 0 stands for the file or folder as a whole."""

    file: str
    line: int
    column: int
    subject: str
    message: str
    hint: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        subject = f"{self.subject}: " if self.subject else ""
        hint = f"; {self.hint}" if self.hint else ""
        return f"{place}: {subject}{self.message}{hint}".replace("\n", " ").replace("\r", " ")


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """The problems by file and place; those of one place stay as they were found."""
    return sorted(problems, key=lambda problem: problem[:3])


def quoted(text: str, limit: int = 60) -> str:
    """The text in quotation marks, on one line and cut short, for use in a message."""
    line = " ".join(text.split())
    return f'"{line[: limit - 3]}..."' if len(line) > limit else f'"{line}"'


def nearest(word: str, known: Iterable[str], cutoff: float = 0.7) -> str:
    """The known word that a word was probably meant to be, letter case aside; "" if none is near."""
    return _nearest(word[:100], tuple(known), cutoff)


@lru_cache(maxsize=256)  # one slip is often made a thousand times
def _nearest(word: str, known: tuple[str, ...], cutoff: float) -> str:
    lowered = {name.lower(): name for name in known}
    near = get_close_matches(word.lower(), lowered, n=1, cutoff=cutoff)
    return lowered[near[0]] if near else ""


def suggest(word: str, known: Iterable[str]) -> str:
    """A hint for a word that is not known: the nearest known word if one is near, else what the known words are."""
    words = list(known)
    near = nearest(word, words)
    if near:
        return f"did you mean {near}?"
    if not words:
        return "none is defined"
    if len(words) <= 12:
        return f"write one of {', '.join(words)}"
    return f"write one of {', '.join(words[:6])} ... ({len(words)} in all)"
