"""All lexicons as one index, and one pass over the tokens that finds every phrase of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from caveat.language.tokens import Tokens, words_of

# first word -> the phrases that begin with it, longest first: (further words, kind, value)
PhraseIndex = dict[str, list[tuple[list[str], str, str]]]


class Mark(NamedTuple):
    """A phrase found in a draft: what kind of phrase it is, and which entry of its lexicon."""

    start: int
    end: int
    kind: str
    value: str


def build_index(entries: Iterable[tuple[str, str, str]]) -> PhraseIndex:
    """The index of (phrase, kind, value) entries: plain lists and strings, so that it can be stored as JSON."""
    index: PhraseIndex = {}
    seen: set[tuple[str, str, str]] = set()
    for phrase, kind, value in entries:
        words = words_of(phrase)
        key = (" ".join(words), kind, value)
        if words and key not in seen:
            seen.add(key)
            index.setdefault(words[0], []).append((words[1:], kind, value))
    for candidates in index.values():
        candidates.sort(key=lambda candidate: -len(candidate[0]))
    return index


def find_phrases(tokens: Tokens, index: PhraseIndex) -> list[Mark]:
    """Every phrase of the index in the tokens, in order of place.

    Of phrases of one kind that overlap, the first and longest is kept; phrases of different kinds may overlap.
    """
    words, starts, ends = tokens.words, tokens.starts, tokens.ends
    marks: list[Mark] = []
    taken: dict[str, int] = {}
    look_up = index.get
    for at, word in enumerate(words):
        candidates = look_up(word)
        if candidates is None:
            continue
        for rest, kind, value in candidates:
            stop = at + 1 + len(rest)
            if (not rest or words[at + 1 : stop] == rest) and taken.get(kind, 0) <= at:
                taken[kind] = stop
                marks.append(Mark(starts[at], ends[stop - 1] if stop > at else ends[at], kind, value))
    return marks
