"""All lexicons as one index, and one pass over the tokens that finds every phrase of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from caveat.language.tokens import Tokens, words_of

# JSON text that lies inside a larger JSON text needs an escape for each of its quotation marks, and escapes make
# decoding five times as slow. So the marks change places with a sign that needs none and is rare.
_SWAP = str.maketrans('"`', '`"')

# A candidate: the words behind the first two of a phrase, and what the phrase is: its kind and value.
Candidate = tuple[list[str], str, str]
Meanings = Sequence[Sequence[str]]  # kind and value by number


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


def build_index(entries: Iterable[tuple[str, str, str]]) -> dict[str, Any]:
    """The index of (phrase, kind, value) entries, as what JSON can hold and `PhraseIndex` opens.

    `meanings` are all pairs of kind and value; `words` has, by the first word of phrases, the numbers of what the word
    means alone, and then in turn each second word and the phrases that go on with it: their further words and the
    number of what they mean, longest first. A hyphen lies between, and two spaces between phrases: no word has either.
    """
    numbers: dict[tuple[str, str], int] = {}
    alone: dict[str, dict[str, int]] = {}
    longer: dict[str, dict[str, list[list[str]]]] = {}
    for phrase, kind, value in dict.fromkeys(entries):
        words = words_of(phrase)
        if not words:
            continue
        number = numbers.setdefault((kind, value), len(numbers))
        by_kind = alone.setdefault(words[0], {})
        if len(words) > 1:
            going_on = longer.setdefault(words[0], {}).setdefault(words[1], [])
            going_on.append([*words[2:], str(number)])
        else:
            by_kind.setdefault(kind, number)
    return {
        "meanings": list(numbers),
        "words": {word: _written(by_kind, longer.get(word, {})) for word, by_kind in alone.items()},
    }


def _written(by_kind: dict[str, int], longer: dict[str, list[list[str]]]) -> str:
    """All phrases with one first word as text."""
    fields = [" ".join(map(str, by_kind.values()))]
    for second, phrases in longer.items():
        phrases.sort(key=lambda words: -len(words))
        fields += second, "  ".join(map(" ".join, phrases))
    return "-".join(fields)


class PhraseIndex:
    """Indexes that were built, as one. Few drafts have many of all words: a word's phrases stay text until one has it.

    `by_word` has the phrases by their first word, as far as they were opened.
    """

    __slots__ = ("_opened", "_stored", "by_word")

    def __init__(self, stored: list[dict[str, Any]]) -> None:
        """`stored` holds what `build_index` returns, straight from there or from the cache."""
        self._stored = stored
        self._opened: set[str] = set()
        self.by_word: dict[str, Entry] = {}

    def open(self, words: Iterable[str]) -> None:
        """Read the phrases that begin with some words, if there are any."""
        new = set(words) - self._opened
        self._opened |= new
        for index in self._stored:
            written, meanings = index["words"], index["meanings"]
            for word in written.keys() & new:
                entry = self.by_word.get(word)
                if entry is None:
                    entry = self.by_word[word] = Entry()
                entry.add(written[word], meanings)


class Entry:
    """The phrases with one first word: the (kind, value) of the word alone, and by second word those that go on.

    Those that go on stay text until the second word follows in a draft.
    """

    __slots__ = ("_opened", "alone", "longer")

    def __init__(self) -> None:
        self.alone: list[tuple[str, str]] = []
        self.longer: dict[str, list[tuple[str, Meanings]]] = {}
        self._opened: dict[str, list[Candidate]] = {}

    def add(self, text: str, meanings: Meanings) -> None:
        """Add what an index has written of the word; of a word alone each kind is kept once."""
        fields = text.split("-")
        kinds = {kind for kind, _ in self.alone}
        own = [meanings[int(number)] for number in fields[0].split()]
        self.alone += [(kind, value) for kind, value in own if kind not in kinds]
        for second, phrases in zip(fields[1::2], fields[2::2], strict=True):
            self.longer.setdefault(second, []).append((phrases, meanings))

    def going_on(self, second: str) -> list[Candidate]:
        """The phrases with a second word, longest first."""
        opened = self._opened.get(second)
        if opened is None:
            opened = [candidate for text, meanings in self.longer[second] for candidate in _read(text, meanings)]
            if len(self.longer[second]) > 1:
                opened.sort(key=lambda phrase: -len(phrase[0]))
            self._opened[second] = opened
        return opened


def _read(text: str, meanings: Meanings) -> list[Candidate]:
    """The phrases with two first words in the order of their text."""
    phrases = [phrase.split(" ") for phrase in text.split("  ")]
    meant = [meanings[int(words[-1])] for words in phrases]
    return [(words[:-1], kind, value) for words, (kind, value) in zip(phrases, meant, strict=True)]


def find_phrases(tokens: Tokens, index: PhraseIndex) -> list[Mark]:
    """Every phrase of the index in the tokens, in order of place.

    Of phrases of one kind that overlap, the first and longest is kept; phrases of different kinds may overlap.
    """
    words, starts, ends = tokens.words, tokens.starts, tokens.ends
    index.open(words)
    marks: list[Mark] = []
    add = marks.append
    taken: dict[str, int] = {}  # by kind, the token behind its last phrase of several words
    behind = 0  # the token behind the furthest of them
    next_words = [*words[1:], " "]  # no word is a blank
    for at, entry in enumerate(map(index.by_word.get, words)):
        if entry is None:
            continue
        if next_words[at] in entry.longer:
            for rest, kind, value in entry.going_on(next_words[at]):
                stop = at + 2 + len(rest)
                if (not rest or words[at + 2 : stop] == rest) and taken.get(kind, 0) <= at:
                    taken[kind] = stop
                    behind = max(behind, stop)
                    add(Mark(starts[at], ends[stop - 1], kind, value, at, stop))
        start, end, after = starts[at], ends[at], at + 1
        for kind, value in entry.alone:
            if behind <= at or taken.get(kind, 0) <= at:
                add(Mark(start, end, kind, value, at, after))
    return marks
