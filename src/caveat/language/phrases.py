"""All lexicons as one index, and one pass over the tokens that finds every phrase of it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from caveat.language.tokens import Tokens, words_of

# JSON text that lies inside a larger JSON text needs an escape for each of its quotation marks, and escapes make
# decoding five times as slow. So the marks change places with a sign that needs none and is rare.
_SWAP = str.maketrans('"`', '`"')

# What may follow a word: its next word ("" if the phrase ends) -> [(words after that, kind, value)], longest first.
Followers = dict[str, list[tuple[list[str], str, str]]]

# First word -> its followers, packed as text until a draft has the word: few drafts have many of all first words.
PhraseIndex = dict[str, "str | Followers"]


class Mark:
    """A phrase found in a draft: what kind of phrase it is, and which entry of its lexicon.

    `start` and `end` are offsets, `first` and `last` the range of its tokens, `last` behind the last one.
    """

    __slots__ = ("end", "first", "kind", "last", "start", "value")

    def __init__(self, start: int, end: int, kind: str, value: str, first: int, last: int) -> None:
        self.start = start
        self.end = end
        self.kind = kind
        self.value = value
        self.first = first
        self.last = last


def packed(value: Any) -> str:
    """A value as JSON text that can stand inside JSON without an escape."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).translate(_SWAP)


def unpacked(text: str) -> Any:
    """The value of such a text."""
    return json.loads(text.translate(_SWAP))


def build_index(entries: Iterable[tuple[str, str, str]]) -> PhraseIndex:
    """The index of (phrase, kind, value) entries, ready to be used."""
    index: dict[str, Followers] = {}
    seen: set[tuple[str, str, str]] = set()
    for phrase, kind, value in entries:
        words = words_of(phrase)
        key = (" ".join(words), kind, value)
        if words and key not in seen:
            seen.add(key)
            followers = index.setdefault(words[0], {})
            followers.setdefault(words[1] if len(words) > 1 else "", []).append((words[2:], kind, value))
    for followers in index.values():
        for candidates in followers.values():
            candidates.sort(key=lambda candidate: -len(candidate[0]))
    return dict(index)


def packed_index(index: PhraseIndex) -> PhraseIndex:
    """An index that was built, as text under text: so it is stored, and only what a draft has is read again."""
    return {word: packed(followers) for word, followers in index.items()}


def find_phrases(tokens: Tokens, index: PhraseIndex) -> list[Mark]:
    """Every phrase of the index in the tokens, in order of place.

    Of phrases of one kind that overlap, the first and longest is kept; phrases of different kinds may overlap.
    """
    words, starts, ends = tokens.words, tokens.starts, tokens.ends
    marks: list[Mark] = []
    taken: dict[str, int] = {}
    look_up = index.get
    next_words = [*words[1:], " "]  # no word is a blank
    for at, word in enumerate(words):
        followers = look_up(word)
        if followers is None:
            continue
        if isinstance(followers, str):
            followers = index[word] = unpacked(followers)
        for second, begin in ((next_words[at], at + 2), ("", at + 1)):
            for rest, kind, value in followers.get(second, ()):
                stop = begin + len(rest)
                if (not rest or words[at + 2 : stop] == rest) and taken.get(kind, 0) <= at:
                    taken[kind] = stop
                    marks.append(Mark(starts[at], ends[stop - 1], kind, value, at, stop))
    return marks
