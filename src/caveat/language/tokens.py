"""Words and signs of a text, each with its place."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable

# A number with its inner separators and any letters glued to it; a word; a possessive ending; any other sign by itself.
# Hyphens and spaces are not tokens: "best-case" and "best case" are the same two words.
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*\w*|['’]s\b|[^\W\d_]\w*|[^\s\w\-\u2010\u2011]|_")

# Typographic signs as the lexicons write them.
_PLAIN = {"’s": "'s", "’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "×": "x", "✕": "x"}


# The word of a token that only marks where a block ends.
STOP = "\n"


class Tokens:
    """The tokens of a text as three lists of equal length: where each starts, where it ends, its lower-case word."""

    __slots__ = ("ends", "starts", "words")

    def __init__(self, text: str, stops: Iterable[int] = ()) -> None:
        """`stops` are offsets, in order, at which a stretch of prose ends: a STOP is there, which no phrase spans."""
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.words: list[str] = []
        starts, ends, words = self.starts.append, self.ends.append, self.words.append
        barriers = iter(stops)
        barrier = next(barriers, len(text) + 1)
        for match in _TOKEN.finditer(text):
            start, end = match.span()
            while start >= barrier:
                starts(barrier)
                ends(barrier)
                words(STOP)
                barrier = next(barriers, len(text) + 1)
            starts(start)
            ends(end)
            words(match[0])
        self.words = [_PLAIN.get(word) or word.lower() for word in self.words]

    def __len__(self) -> int:
        return len(self.words)

    def first_from(self, offset: int) -> int:
        """The index of the first token that starts at or after an offset."""
        return bisect_left(self.starts, offset)


def words_of(phrase: str) -> list[str]:
    """The words of a lexicon entry, cut as a draft is cut."""
    return [_PLAIN.get(word) or word.lower() for word in _TOKEN.findall(phrase)]
