"""Which places of a draft rest on which claims: what it says, computes, compares, quotes and cites."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from caveat.article import Article
from caveat.binding.bind import AMBIGUOUS, BOUND, CONTRADICTS
from caveat.binding.ratios import HOLDS, recompute
from caveat.binding.registered_arithmetic import RegisteredArithmetic
from caveat.checks.origin.quotations import quotations
from caveat.checks.wording.superlatives import registered_superlatives
from caveat.figures.agreement import exactly
from caveat.language.tokens import words_of
from caveat.loading.registry_schema import DATES
from caveat.reading.statements import Statement
from caveat.registry.registry import Claim

# How a place rests on a claim, surest first: of two on the same words, the surer one is told.
SAYS, MAY_SAY, CONTRADICTED, QUOTES, CITES, COMPUTED = (
    "says",
    "may say",
    "contradicts",
    "quotes",
    "cites",
    "is computed from",
)
_SURENESS = (SAYS, QUOTES, CITES, MAY_SAY, COMPUTED, CONTRADICTED)
# A draft says dates and absences in too many ways for it to be sure that it does not.
UNTRACED = DATES | {"absence"}
_QUOTATION = "quotation"
# A quotation of fewer words is a name or a phrase that anybody may use.
_FEWEST_WORDS = 3
_MEASURES = frozenset(("measure", "price"))


class Place(NamedTuple):
    """Words of a draft, by two offsets, a claim that they rest on, and how."""

    start: int
    end: int
    claim: str
    how: str


def places_in(article: Article) -> list[Place]:
    """Every place of a draft that rests on a claim, in order; of the same words and claim the surest one."""
    surest: dict[tuple[int, int, str], Place] = {}
    for place in _all(article):
        known = surest.setdefault(place[:3], place)
        if _SURENESS.index(place.how) < _SURENESS.index(known.how):
            surest[place[:3]] = place
    return sorted(surest.values(), key=lambda place: (place[:2], _SURENESS.index(place.how), place.claim))


def _all(article: Article) -> Iterator[Place]:
    bound = _Bound(article)
    yield from bound.places()
    yield from _quoted(article)
    yield from _praised(article)
    for reference in article.document.references:
        if reference.kind == "citation" and article.registry.claim(reference.label) is not None:
            yield Place(reference.start, reference.end, reference.label, CITES)


class _Bound:
    """The figures of a draft with the claims that they rest on, printed figures passing theirs on to what they give."""

    def __init__(self, article: Article) -> None:
        self.article = article
        self._behind: dict[int, set[str]] = {}  # by the start of a figure, the claims that it rests on
        self._arithmetic = RegisteredArithmetic(article.subjects, article.document.prose)

    def places(self) -> Iterator[Place]:
        """Every figure that says, contradicts or results from claims."""
        yield from self._told()
        for derivation in self.article.derivations:
            if derivation.holds:
                behind = self._of(statement.figure.start for statement in derivation.operands)
                yield from self._place(derivation.start, derivation.end, behind, COMPUTED)
        yield from self._compared()
        yield from self._others()

    def _told(self) -> Iterator[Place]:
        """The figures that are bound to claims."""
        sides = {c.start: {c.left.product, c.right.product} for c in self.article.comparisons if c.recomputes}
        for binding in self.article.bindings:
            figure = binding.statement.figure
            if binding.status in (BOUND, AMBIGUOUS):
                claims = [claim for claim in binding.claims if _is_between(claim, sides.get(figure.start))]
                how = SAYS if binding.status == BOUND else MAY_SAY
                yield from self._place(figure.start, figure.end, _ids(claims), how)

    def _compared(self) -> Iterator[Place]:
        """The ratios of registered or printed figures."""
        for comparison in self.article.comparisons:
            recomputed = recompute(comparison, self.article.registry)
            pairs = recomputed.operands if recomputed.status == HOLDS else []
            behind = _ids(claim for pair in pairs for claim in (pair.left, pair.right))
            if comparison.recomputes:
                sides = (comparison.left.statement, comparison.right.statement)
                behind |= self._of(side.figure.start for side in sides if side is not None)
            yield from self._place(comparison.start, comparison.end, behind, COMPUTED)

    def _others(self) -> Iterator[Place]:
        """The figures that registered ones give, and those that contradict claims."""
        for binding in self.article.bindings:
            figure = binding.statement.figure
            if figure.start not in self._behind:
                how, claims = COMPUTED, self._arithmetic.claims_behind(binding.statement)
                if not claims and binding.status == CONTRADICTS:
                    how, claims = CONTRADICTED, binding.claims
                elif not claims and figure.kind in _MEASURES:
                    how, claims = MAY_SAY, self._like(binding.statement)
                yield from self._place(figure.start, figure.end, _ids(claims), how)

    def _like(self, statement: Statement) -> list[Claim]:
        """The claims that a figure may say, whatever its subject: of products named in its paragraph, exactly."""
        block = self.article.subjects.of_block(statement.sentence.block)
        products = {mention.product for each in block for mention in self.article.subjects.mentions(each)}
        return [
            claim
            for product in sorted(filter(None, products))
            for claim in self.article.registry.claims_of(product)
            if claim.figure is not None
            and exactly(statement.figure, claim.figure)
            and (not statement.metric_named or claim.metric == statement.metrics[0])
        ]

    def _place(self, start: int, end: int, claims: Iterable[str], how: str) -> Iterator[Place]:
        for claim in sorted(claims):
            self._behind.setdefault(start, set()).add(claim)
            yield Place(start, end, claim, how)

    def _of(self, starts: Iterable[int]) -> set[str]:
        return {claim for start in starts for claim in self._behind.get(start, ())}


def _is_between(claim: Claim, sides: set[str] | None) -> bool:
    """Whether a claim may be meant by a ratio that printed figures give: of these two sides, if there are such."""
    return sides is None or {claim.product, claim.compare_to} <= sides


def _ids(claims: Iterable[Claim]) -> set[str]:
    return {claim.id for claim in claims}


def _quoted(article: Article) -> Iterator[Place]:
    """Quotations that are cut out of the recorded words of a quotation, or hold them."""
    recorded = [
        (claim.id, words_of(claim.value)) for claim in article.registry.all_claims() if claim.metric == _QUOTATION
    ]
    for _, start, end, inner in quotations(article) if recorded else ():
        words = words_of(article.document.prose[slice(*inner)])
        for id_, of_claim in recorded:
            shorter, longer = sorted((words, of_claim), key=len)
            if len(shorter) >= _FEWEST_WORDS and _holds(longer, shorter):
                yield Place(start, end, id_, QUOTES)


def _holds(words: list[str], part: list[str]) -> bool:
    return any(words[at : at + len(part)] == part for at in range(len(words) - len(part) + 1))


def _praised(article: Article) -> Iterator[Place]:
    """Superlatives that the registry holds of a product that is named beside them."""
    for sentence in article.sentences:
        for mark in sentence.of_kind("superlative"):
            for claim in registered_superlatives(article, sentence, mark):
                yield Place(mark.start, mark.end, claim.id, SAYS)
