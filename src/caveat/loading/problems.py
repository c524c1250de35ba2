"""What is wrong with a file that someone wrote for Caveat, said so that they can put it right."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache
from typing import NamedTuple

# Comparing a word with more words than this takes too long if there are many slips.
_FEW = 100


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


class RegistryWarning(NamedTuple):
    """What the keeper of a sound registry should look at: the name of its kind, and what is wrong where.

    `claims` are the ids of those that it is about, `source` that of the source if it is about one.
    """

    name: str
    problem: Problem
    claims: tuple[str, ...]
    source: str = ""


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """The problems by file and place; those of one place stay as they were found."""
    return sorted(problems, key=lambda problem: problem[:3])


def quoted(text: str, limit: int = 60) -> str:
    """The text in quotation marks, on one line and cut short, for use in a message."""
    line = " ".join(text.split())
    return f'"{line[: limit - 3]}..."' if len(line) > limit else f'"{line}"'


def nearest(word: str, known: Iterable[str], cutoff: float = 0.7) -> str:
    """The known word that a word was probably meant to be, letter case aside; "" if none is near.

    Words that differ in a digit are different names, not slips: H100 and H200.
    """
    return _nearest(word[:100].lower(), tuple(known), cutoff)


@lru_cache(maxsize=256)  # one slip is often made a thousand times
def _nearest(word: str, known: tuple[str, ...], cutoff: float) -> str:
    meant = _by_spelling(known)
    for spelling in (word, *_with_one_sign_less(word)):
        if spelling in meant:
            return meant[spelling]
    if len(known) > _FEW:
        return ""
    lowered = {name.lower(): name for name in known}
    alike = [name for name in lowered if _digits(name) == _digits(word)]
    near = get_close_matches(word, alike, n=1, cutoff=cutoff)
    return lowered[near[0]] if near else ""


@lru_cache(maxsize=8)
def _by_spelling(known: tuple[str, ...]) -> dict[str, str]:
    """Each word by its spelling in lower case and by all that lack one sign of it.

    Two words that are one slip apart share such a spelling, so that no word has to be compared with every other.
    """
    spellings = {name.lower(): name for name in known}
    for name in known:
        for spelling in _with_one_sign_less(name.lower()):
            spellings.setdefault(spelling, name)
    return spellings


def _with_one_sign_less(word: str) -> list[str]:
    """The spellings of a word that lack one sign, but no digit; none for words so short or long that it says little."""
    if not 4 <= len(word) <= 60:
        return []
    return [word[:at] + word[at + 1 :] for at, sign in enumerate(word) if not sign.isdigit()]


def _digits(word: str) -> str:
    return "".join(sign for sign in word if sign.isdigit())


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
