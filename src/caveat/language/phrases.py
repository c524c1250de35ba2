"""All lexicons as one index, and one pass over the tokens that finds every phrase of it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from caveat.language.tokens import Tokens, words_of

# JSON text that lies inside a larger JSON text needs an escape for each of its quotation marks, and escapes make
# decoding five times as slow. So the marks change places with a sign that needs none and is rare.
_SWAP = str.maketrans('"`', '`"')

# The (kind, value) of each phrase that is a word alone, and for those that go on, by the next word, what the words
# behind it must be: [(words, kind, value)], longest first.
Entry = tuple[list[tuple[str, str]], dict[str, list[tuple[list[str], str, str]]]]

# First word -> its phrases, packed as text until a draft has the word: few drafts have many of all first words.
PhraseIndex = dict[str, "str | Entry"]


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
    index: dict[str, Entry] = {}
    seen: set[tuple[str, str, str]] = set()
    for phrase, kind, value in entries:
        words = words_of(phrase)
        key = (" ".join(words), kind, value)
        if not words or key in seen:
            continue
        seen.add(key)
        alone, longer = index.setdefault(words[0], ([], {}))
        if len(words) > 1:
            longer.setdefault(words[1], []).append((words[2:], kind, value))
        elif not any(kind == known for known, _ in alone):
            alone.append((kind, value))
    for _, longer in index.values():
        for candidates in longer.values():
            candidates.sort(key=lambda candidate: -len(candidate[0]))
    return dict(index)


def packed_index(index: PhraseIndex) -> PhraseIndex:
    """An index that was built, as text under text: so it is stored, and only what a draft has is read again."""
    return {word: packed(entry) for word, entry in index.items()}


def find_phrases(tokens: Tokens, index: PhraseIndex) -> list[Mark]:
    """Every phrase of the index in the tokens, in order of place.

    Of phrases of one kind that overlap, the first and longest is kept; phrases of different kinds may overlap.
    """
    words, starts, ends = tokens.words, tokens.starts, tokens.ends
    marks: list[Mark] = []
    add = marks.append
    taken: dict[str, int] = {}  # by kind, the token behind its last phrase of several words
    behind = 0  # the token behind the furthest of them
    next_words = [*words[1:], " "]  # no word is a blank
    for at, stored in enumerate(map(index.get, words)):
        if stored is None:
            continue
        alone, longer = _opened(index, words[at], stored) if isinstance(stored, str) else stored
        if longer:
            for rest, kind, value in longer.get(next_words[at], ()):
                stop = at + 2 + len(rest)
                if (not rest or words[at + 2 : stop] == rest) and taken.get(kind, 0) <= at:
                    taken[kind] = stop
                    behind = max(behind, stop)
                    add(Mark(starts[at], ends[stop - 1], kind, value, at, stop))
        start, end, after = starts[at], ends[at], at + 1
        for kind, value in alone:
            if behind <= at or taken.get(kind, 0) <= at:
                add(Mark(start, end, kind, value, at, after))
    return marks


def _opened(index: PhraseIndex, word: str, text: str) -> Entry:
    """The phrases that begin with a word, which stay unpacked for the next time."""
    entry: Entry = unpacked(text)
    index[word] = entry
    return entry
