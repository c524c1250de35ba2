"""A sentence, or one with the sentences that it draws on, as terms and the words between them."""

from __future__ import annotations

from collections.abc import Iterator

from caveat.arithmetic.terms import Term
from caveat.arithmetic.wording import Wording
from caveat.reading.sentences import Sentence


class Passage:
    """The terms of one to three sentences in a row, in order, the words between them, and where results may stand.

    Only terms from `start` on, those of the last sentence, are results; the ones before are what it draws on.
    """

    __slots__ = ("prose", "sentence", "start", "terms", "wording")

    def __init__(self, sentences: list[Sentence], terms: list[Term], wording: Wording, prose: str) -> None:
        self.sentence = sentences[-1]
        self.start = self.sentence.start
        self.terms = terms
        self.wording = wording
        self.prose = prose

    def results(self) -> Iterator[tuple[int, Term]]:
        """The terms that can be results, each with its index."""
        for index, term in enumerate(self.terms):
            if term.start >= self.start:
                yield index, term

    def before(self, term: Term) -> list[Term]:
        """The terms before one."""
        return [other for other in self.terms if other.end <= term.start]
