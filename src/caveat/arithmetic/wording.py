"""The words between the numbers of a sentence: what leads up to a result, what restates, what sets values apart."""

from __future__ import annotations

from itertools import pairwise

from caveat.arithmetic.terms import Term
from caveat.figures.words import CARDINALS
from caveat.language.tokens import Tokens
from caveat.reading.sentences import Sentence

# What may separate a value from its restatement; a full stop does it across two sentences.
_SEPARATORS = frozenset((",", ";", ":", "(", "—", "–", "."))
_CLOSERS = frozenset((".", ",", ";", ":", ")", "—", "–", "!", "(", "]"))
_APPOSED = ("apposition-word", "result-word", "qualifier", "article", "difference-lead", "sum-lead", "mean-lead")
# How many words of the value's own ("tok/s on four cards") may stand before what separates it from its restatement, and
# how many behind.
_TAIL, _LEAD = 14, 6
_CONTRAST_REACH, _PHRASE = 8, 7
# A bracket explains what stands right before it.
_BRACKET_TAIL = 3
# Words and signs behind a value after which something else is told.
_TAIL_ENDS = frozenset((";", ":", "(", ")", ".", "—", "while", "but", "and", "whereas"))


class Wording:
    """The words of one sentence, or of several in a row, by token."""

    def __init__(self, tokens: Tokens, sentences: list[Sentence]) -> None:
        self.tokens = tokens
        self.words = tokens.words
        self.first, self.last = sentences[0].first, sentences[-1].last
        self._sentences = sentences
        self._marks: dict[str, list[tuple[int, int, str]]] = {}
        self._apposed: set[int] | None = None

    def marks(self, kind: str) -> list[tuple[int, int, str]]:
        """The phrases of a lexicon as (first token, token behind, value)."""
        known = self._marks.get(kind)
        if known is None:
            known = [(mark.first, mark.last, mark.value) for each in self._sentences for mark in each.of_kind(kind)]
            self._marks[kind] = known
        return known

    def at(self, term: Term) -> int:
        """The first token of a term."""
        return self.tokens.first_from(term.start)

    def behind(self, term: Term) -> int:
        """The first token behind a term."""
        return self.tokens.first_from(term.end)

    def between(self, one: Term, other: Term) -> list[str]:
        """The words between two terms."""
        return self.words[self.behind(one) : self.at(other)]

    def lead(self, kind: str, term: Term, reach: int = 2) -> bool:
        """Whether a phrase of a lexicon stands before a term, at most `reach` words away."""
        marks = self.marks(kind)
        if not marks:
            return False
        at = self.at(term)
        return any(0 <= at - stop <= reach for _, stop, _ in marks)

    def tail(self, kind: str, term: Term, reach: int = 2) -> bool:
        """Whether a phrase of a lexicon stands behind a term, at most `reach` words away."""
        marks = self.marks(kind)
        if not marks:
            return False
        behind = self.behind(term)
        return any(
            0 <= start - behind <= reach and not _SEPARATORS & set(self.words[behind:start]) for start, _, _ in marks
        )

    def joined(self, one: Term, other: Term, kind: str = "between-word") -> str:
        """The value of the phrase that joins two terms, "" if none stands between them."""
        start, stop = self.behind(one), self.at(other)
        return next((value for first, last, value in self.marks(kind) if start <= first and last <= stop), "")

    def stated(self, one: Term, other: Term) -> bool:
        """Whether a verb behind a value makes a later term what comes of it: "the 141 GB of an H200 is 1.76x"."""
        start, stop = self.behind(one), self.at(other)
        words = self.words[start:stop]
        verb = next((i for i, word in enumerate(words) if word in ("is", "are", "means", "was")), -1)
        if not 0 <= verb <= _PHRASE or len(words) - verb > _LEAD or _SEPARATORS & set(words[:verb]):
            return False
        covered = self._apposition()
        return words[0] in ("of", "for", "on", "in", "at", "is", "are") and all(
            at in covered for at in range(start + verb + 1, stop)
        )

    def apposed(self, one: Term, other: Term) -> bool:
        """Whether the words make the second term a restatement of what ends with the first.

        "A, or B", "A (B)", "A, which is a gain of B", "A: B"; not "A, and the price rose by B".
        """
        start, stop = self.behind(one), self.at(other)
        words = self.words[start:stop]
        if len(words) > _TAIL + _LEAD:
            return False
        covered = self._apposition()
        cut = max((i for i, w in enumerate(words) if w in _SEPARATORS and start + i not in covered), default=-1)
        if _TAIL_ENDS & set(words[: max(cut, 0)]) or (cut > _BRACKET_TAIL and words[cut] == "("):
            return False
        lead = range(start + cut + 1, stop)
        if len(lead) > _LEAD or cut > _TAIL:
            return False
        return all(at in covered for at in lead) and (cut >= 0 or len(words) > 0)

    def closed(self, term: Term, kind: str = "") -> bool:
        """Whether nothing more is said of a term but a phrase of a lexicon: punctuation or the end follows."""
        at = self.behind(term)
        at = next((stop for start, stop, _ in self.marks(kind) if start == at), at)
        return at >= self.last or self.words[at] in _CLOSERS

    def leads_back(self, term: Term) -> bool:
        """Whether "it was" or the like leads up to a term: the thing is the one told of before."""
        words = self.words[max(self.first, self.at(term) - _PHRASE) : self.at(term)]
        return any(
            one == "it" and other in ("was", "is", "had", "has", "cost", "costs") for one, other in pairwise(words)
        )

    def says_part(self, term: Term) -> bool:
        """Whether a fraction or percentage is plainly one of the whole: "half of what it was"."""
        at = self.behind(term)
        return at < self.last and self.words[at] == "of" and term.span.high < 1

    def compared_on(self, term: Term, reach: int = 4) -> bool:
        """Whether a ratio says itself what it is relative to: "2x faster than vLLM", "3x the previous generation"."""
        at = self.behind(term)
        words = self.words[at : min(at + reach, self.last)]
        for word in words:
            if word in _CLOSERS:
                return False
            if word == "over" and self._stretch_follows(at + words.index(word) + 1):
                return False
            if word in ("than", "over", "versus", "vs", "against", "compared", "relative", "of", "that", "per"):
                return True
        if words[:1] == ["the"]:
            return not any(at + 1 == first for first, _, _ in self.marks("metric"))
        return words.count("as") > 1

    def _stretch_follows(self, at: int) -> bool:
        """Whether a number is next: "over three years" is no comparison."""
        word = self.words[at] if at < self.last else ""
        return word in CARDINALS or word[:1].isdigit()

    def contrasted(self, one: Term, result: Term) -> bool:
        """Whether words such as "old" and "new" set terms apart, from the first on to a result."""
        start, stop = max(self.at(one) - _CONTRAST_REACH, self.first), self.at(result)
        found = {value for first, last, value in self.marks("contrast-word") if start <= first and last <= stop}
        return len(found) > 1

    def _apposition(self) -> set[int]:
        """The tokens that can stand between a separator and a restatement."""
        if self._apposed is None:
            self._apposed = {
                at for kind in _APPOSED for first, last, _ in self.marks(kind) for at in range(first, last)
            }
        return self._apposed
