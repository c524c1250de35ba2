"""Arithmetic that a text shows: which printed figure comes out of which others, and whether it does.

WP:CALC allows routine arithmetic on like figures; what the text shows can be checked within the rounding it shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from caveat.arithmetic.carried import Carried, may_draw_on_earlier
from caveat.arithmetic.compositions import per_unit, products, rates, totals
from caveat.arithmetic.expressions import expressions
from caveat.arithmetic.passages import Passage
from caveat.arithmetic.printed_ratios import between_operands, printed_ratios
from caveat.arithmetic.quotients import quotients
from caveat.arithmetic.table_arithmetic import TableArithmetic
from caveat.arithmetic.tallies import plain_products, tallies
from caveat.arithmetic.terms import (
    Derivation,
    Term,
    holds,
    is_change,
    is_undirected_share,
    meant,
    multiplied,
    quotient,
    terms_of,
)
from caveat.arithmetic.weighted_sums import weighted_sums
from caveat.arithmetic.wording import Wording
from caveat.arithmetic.worked_amounts import worked_amounts
from caveat.arithmetic.workings import (
    changes,
    conversions,
    dated_changes,
    differences,
    markups,
    means,
    restated_rates,
    shares,
)
from caveat.figures.figure import RELATIVE
from caveat.language.phrases import Mark
from caveat.language.tokens import Tokens
from caveat.markdown.document import Document
from caveat.reading.sentences import Sentence
from caveat.reading.statements import Statement
from caveat.reading.subjects import SubjectReader

__all__ = ["Derivation", "DerivationReader"]

# How many sentences back a sentence that begins with "That is" may draw on.
_BACK = 2
# So many terms before a result are tried for another computation that gives it.
_RESCUE = 12
# How many words may stand before "that is".
_OPENING = 7
# How long a sentence may be that is nothing but a ratio of what was told before.
_FRAGMENT = 7
_POINTING = frozenset(("that", "that's", "this", "it", "those", "these"))
_KINDS = (
    changes, dated_changes, shares, totals, differences, per_unit, products, tallies, rates, quotients, markups, means,
    conversions, restated_rates, worked_amounts, weighted_sums,
)  # fmt: skip


class DerivationReader:
    """Finds the computations that one draft shows."""

    def __init__(
        self, document: Document, tokens: Tokens, subjects: SubjectReader, statements: dict[int, list[Statement]]
    ) -> None:
        """`statements` are those of each sentence, by the sentence's index."""
        self.document = document
        self.tokens = tokens
        self.subjects = subjects
        self.statements = statements
        self._terms: dict[int, list[Term]] = {}

    def derivations(self) -> list[Derivation]:
        """Every computation, one for each result, in order of the results."""
        found: dict[int, Derivation] = {}
        for derivation in self._all():
            known = found.get(derivation.start)
            if known is None or (derivation.holds and not known.holds and not _settled(known, derivation)):
                found[derivation.start] = derivation
        return [found[start] for start in sorted(found)]

    def _all(self) -> Iterator[Derivation]:
        for sentence in self.subjects.sentences:
            if sentence.numbers and self.document.blocks[sentence.block].table < 0:
                yield from self._of_sentence(sentence)
        yield from TableArithmetic(self.document, self.subjects, self.terms).derivations()

    def terms(self, sentence: Sentence) -> list[Term]:
        """The terms of a sentence or cell."""
        found = self._terms.get(sentence.index)
        if found is None:
            vocabulary, prose = self.subjects.registry.vocabulary, self.document.prose
            found = terms_of(sentence, self.statements.get(sentence.index, ()), vocabulary, prose)
            self._terms[sentence.index] = found
        return found

    def _of_sentence(self, sentence: Sentence) -> Iterator[Derivation]:
        """The computations whose result is in a sentence, from its own numbers or from those it refers back to."""
        if len(sentence.numbers) < 2 and not may_draw_on_earlier(sentence) and not self._refers_back(sentence):
            return
        registry = self.subjects.registry
        own = self.terms(sentence)
        if len(own) > 1:
            passage = self._passage([sentence], own)
            yield from self._unless_rescued(passage, expressions(passage))
            for kind in _KINDS:
                yield from self._unless_rescued(passage, kind(passage))
            yield from self._unless_rescued(passage, between_operands(passage, registry))
            yield from self._unless_rescued(passage, printed_ratios(passage, registry, refers_back=False))
        if any(term.figure is not None for term in own):
            yield from self._from_before(sentence, own)
        if not own or not self._refers_back(sentence):
            return
        for back in range(1, min(_BACK, sentence.place) + 1):
            sentences = self.subjects.sentences[sentence.index - back : sentence.index + 1]
            terms = [term for each in sentences[:-1] for term in self.terms(each)] + own
            if len(terms) <= len(own):
                continue
            passage = self._passage(sentences, terms)
            for kind in _KINDS:
                yield from self._unless_rescued(passage, kind(passage))
            yield from self._unless_rescued(passage, printed_ratios(passage, registry, refers_back=True))

    def _from_before(self, sentence: Sentence, own: list[Term]) -> Iterator[Derivation]:
        """What the sentences before give without being referred back to."""
        alone = self._passage([sentence], own)
        carried = Carried(self.document, self.subjects, self.terms)  # kept by the reader, the two would hold each other
        yield from self._unless_rescued(alone, carried.derivations(alone))
        yield from plain_products(alone)
        before = self.subjects.sentences[sentence.index - 1] if sentence.index else sentence
        if before.numbers and self.subjects.heading_of(before.block) == self.subjects.heading_of(sentence.block):
            yield from plain_products(self._passage([before, sentence], self.terms(before) + own))

    def _passage(self, sentences: list[Sentence], terms: list[Term]) -> Passage:
        return Passage(sentences, terms, Wording(self.tokens, sentences), self.document.prose)

    def _refers_back(self, sentence: Sentence) -> bool:
        """Whether a sentence begins by drawing on the one before it."""
        if not sentence.place:
            return False
        lead = sentence.figures[0] if sentence.figures else None
        opens = lead is not None and self.tokens.first_from(lead.start) == sentence.first
        if lead is not None and opens and lead.kind in RELATIVE and sentence.last - sentence.first <= _FRAGMENT:
            return True  # "One in eight, then."
        marks = [*sentence.of_kind("back-reference"), *sentence.of_kind("of-them")]
        return any(mark.first - sentence.first <= 1 or self._after_opening(sentence, mark) for mark in marks)

    def _after_opening(self, sentence: Sentence, mark: Mark) -> bool:
        """As in "Left running, that is", "At 192 GB a chip, that makes", "176 of them": not with the first word."""
        opening = mark.first - sentence.first
        words = self.tokens.words
        before = [term for term in self.terms(sentence) if term.end <= mark.start and not term.whole]
        each = {noun.first for noun in sentence.of_kind("each-word")}
        own = [term for term in before if not (term.per or self.tokens.first_from(term.end) in each)]
        if own or opening > _OPENING or mark.last <= mark.first:
            return False
        return mark.kind == "of-them" or (words[mark.first - 1] == "," and words[mark.first] in _POINTING)

    def _unless_rescued(self, passage: Passage, found: Iterator[Derivation]) -> Iterator[Derivation]:
        """The computations, without the failing ones whose result other numbers of the passage give."""
        for derivation in found:
            if derivation.holds or not _given_by_others(passage, derivation):
                yield derivation


def _settled(known: Derivation, other: Derivation) -> bool:
    """Whether a failing change is plain enough that no looser reading of the same two values can save it."""
    return known.how == "change" and other.how == "ratio" and set(known.shown) == set(other.shown)


def _given_by_others(passage: Passage, derivation: Derivation) -> bool:
    """Whether any two like numbers of a passage, or any number times a count, give a result."""
    if derivation.how in ("expression", "ratio"):
        return False  # no other reading is left, or all have been tried
    result = next(term for term in passage.terms if term.start == derivation.start)
    terms = [t for t in passage.terms if t is not result and t.kind != "points"][:_RESCUE]
    gives = _as_amount if result.absolute else _as_share if passage.wording.says_part(result) else _as_relation
    tried = set(derivation.shown)
    return any(
        gives(one, other, result)
        for one, other in combinations(terms, 2)
        if not {(one.start, one.end), (other.start, other.end)} <= tried
    )


def _as_share(one: Term, other: Term, result: Term) -> bool:
    return one.like(other) and (is_undirected_share(one, other, result) or is_undirected_share(other, one, result))


def _as_relation(one: Term, other: Term, result: Term) -> bool:
    return _as_share(one, other, result) or (one.like(other) and is_change(one, other, result))


def _as_amount(one: Term, other: Term, result: Term) -> bool:
    for count, amount in ((one, other), (other, one)):
        if count.whole and amount.dimension == result.dimension:
            wanted = [meant(result)]
            if holds(multiplied, [count, amount], wanted) or holds(quotient, [amount, count], wanted):
                return True
    return False
