"""Words and signs of a text, each with its place."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from itertools import accumulate

# A word; a number with its inner separators and any letters glued to it; a possessive ending; any other sign by itself.
# Hyphens and spaces are not tokens: "best-case" and "best case" are the same two words. The white space behind a token
# is matched with it: to look for the next one at each of its signs would take twice the time.
_TOKEN = re.compile(r"([^\W\d_]\w*|\d+(?:[.,]\d+)*\w*|['’]s\b|[^\s\w\-\u2010\u2011]|_)(\s*)")

# Typographic signs as the lexicons write them.
_PLAIN = {"’s": "'s", "’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "×": "x", "✕": "x"}


# The word of a token that only marks where a block ends.
STOP = "\n"


class Tokens:
    """The tokens of a text as three lists of equal length: where each starts, where it ends, its lower-case word."""

    __slots__ = ("ends", "starts", "words")

    def __init__(self, text: str, stops: Iterable[int] = ()) -> None:
        """`stops` are offsets, in order, at which a stretch of prose ends: a STOP is there, which no phrase spans."""
        pieces = _TOKEN.split(text)  # hyphens, a token and white space in turn; the last piece stands before no token
        bounds = list(accumulate(map(len, pieces)))
        self.starts: list[int] = bounds[:-1:3]
        self.ends: list[int] = bounds[1::3]
        self.words: list[str] = _plain_words(pieces)
        self._put(stops)

    def _put(self, stops: Iterable[int]) -> None:
        """Put a STOP before the first token behind each offset; none is needed behind the last token."""
        starts: list[int] = []
        ends: list[int] = []
        words: list[str] = []
        done, count = 0, len(self.starts)
        for stop in stops:
            following = bisect_left(self.starts, stop, done)
            if following == count:
                break
            starts += self.starts[done:following]
            ends += self.ends[done:following]
            words += self.words[done:following]
            starts.append(stop)
            ends.append(stop)
            words.append(STOP)
            done = following
        self.starts = starts + self.starts[done:]
        self.ends = ends + self.ends[done:]
        self.words = words + self.words[done:]

    def __len__(self) -> int:
        return len(self.words)

    def first_from(self, offset: int) -> int:
        """The index of the first token that starts at or after an offset."""
        return bisect_left(self.starts, offset)


def words_of(phrase: str) -> list[str]:
    """The words of a lexicon entry, cut as a draft is cut."""
    if phrase.isascii() and phrase.replace(" ", "").isalpha():  # as most are, of ten thousand
        return phrase.lower().split()
    return _plain_words(_TOKEN.split(phrase))


def _plain_words(pieces: list[str]) -> list[str]:
    """The tokens among the pieces of a text that was split, in lower case, with plain signs for typographic ones."""
    words = list(map(str.lower, pieces[1::3]))
    if _PLAIN.keys().isdisjoint(words):
        return words
    return [_PLAIN.get(word, word) for word in words]
