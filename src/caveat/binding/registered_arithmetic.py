"""Figures that come out of registered ones: so many of a product, or the ratio of two products that the text names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from itertools import permutations

from caveat.binding.ratios import quotient_is
from caveat.figures.agreement import same_value, span
from caveat.figures.figure import RELATIVE, Figure
from caveat.reading.mentions import count_of
from caveat.reading.sentences import Sentence
from caveat.reading.statements import Statement
from caveat.reading.subjects import SubjectReader
from caveat.registry.registry import Claim, Registry

# How many sentences before one may name the products and the metrics that it is about.
_BACK = 3
# So many products and numbers of a sentence are tried, and no count above this.
_MOST_PRODUCTS, _MOST_NUMBERS, _MOST = 5, 12, Decimal(10) ** 6
# A word of difference stands so many characters from the figure at most.
_BESIDE = 12
_DIFFERENCE = ("difference-lead", "difference-tail", "difference-noun", "leftover-tail", "leftover-lead")
_PAIR = 2
# Told words that stand for a count.
_FEWEST = Decimal(2)


class RegisteredArithmetic:
    """Tells whether a figure of one draft is what registered figures give."""

    def __init__(self, subjects: SubjectReader, prose: str) -> None:
        """`prose` is that of the document that `subjects` read."""
        self.subjects = subjects
        self.registry: Registry = subjects.registry
        self.prose = prose

    def gives(self, statement: Statement) -> bool:
        """Whether a figure is a multiple of a registered one, by a count that the text tells, or a ratio of two."""
        return next(self._found(statement), None) is not None

    def claims_behind(self, statement: Statement) -> list[Claim]:
        """The claims that give a figure, in any of the ways in which they do; none if they do not."""
        return [claim for claims in self._found(statement) for claim in claims]

    def _found(self, statement: Statement) -> Iterator[tuple[Claim, ...]]:
        """The claims that give a figure, once for each way in which they do."""
        figure = statement.figure
        if figure.quantity.is_range or figure.quantity.low < figure.quantity.step * 10:
            return  # one digit tells nothing
        if figure.kind in RELATIVE:
            yield from self._ratio_of(statement)
        elif figure.kind == "measure":
            for way in (self._multiple_of, self._difference_of, self._sum_of, self._shared_out):
                yield from way(statement)

    def _multiple_of(self, statement: Statement) -> Iterator[tuple[Claim, ...]]:
        """As in "a pair of H200s, 282 GB"; "for eight modules the capacities are 1,128 GB and 1,536 GB"."""
        counts = {*self._counts(statement.sentence), *self._ratios(statement)}
        if not counts:
            return
        figure, named = statement.figure, statement.metrics[:1] if statement.metric_named else []
        for product in self._products(statement):
            for claim in self._claims(product, named):
                registered = claim.figure
                like = registered is not None and registered.dimension == figure.dimension
                if like and registered and any(same_value(figure, registered, count) for count in counts):
                    yield (claim,)

    def _shared_out(self, statement: Statement) -> Iterator[tuple[Claim, ...]]:
        """As in "Per watt of TDP, the MI300X has 0.256 GB": one registered figure of a product over another."""
        figure, product = statement.figure, statement.product
        if not product or not statement.sentence.has("shared-out"):
            return
        known = _with_figures(self._claims(product, []))[:_MOST_NUMBERS]
        wanted = span(figure)
        for claim, one in known:
            for other, over in known:
                like = one.dimension == figure.dimension != over.dimension and over.base()[0] > 0
                if like and wanted.low <= one.base()[0] / over.base()[0] <= wanted.high:
                    yield claim, other

    def _sum_of(self, statement: Statement) -> Iterator[tuple[Claim, ...]]:
        """As in "Three Gaudi 3 cards and one H100 hold 464 GB between them": of so many of each product named."""
        figure, sentence = statement.figure, statement.sentence
        mentions = self.subjects.mentions(sentence)[:_MOST_PRODUCTS]
        if len(mentions) < _PAIR or not any(sentence.has(kind) for kind in ("shared-tail", "sum-lead", "sum-tail")):
            return
        wanted = span(figure)
        for metric in dict.fromkeys(claim.metric for claim in self._claims(mentions[0].product, [])):
            firsts = [next(iter(self._claims(mention.product, [metric])), None) for mention in mentions]
            parts = _with_figures(claim for claim in firsts if claim is not None)
            if len(parts) < len(mentions) or any(part.dimension != figure.dimension for _, part in parts):
                continue
            amounts = [part.base()[0] * mention.count for (_, part), mention in zip(parts, mentions, strict=True)]
            if wanted.low <= sum(amounts) <= wanted.high:
                yield tuple(claim for claim, _ in parts)

    def _difference_of(self, statement: Statement) -> Iterator[tuple[Claim, ...]]:
        """As in "141 GB, so the MI300X has 51 GB on it": of a registered figure and a printed or registered one."""
        figure, sentence = statement.figure, statement.sentence
        marks = [mark for kind in _DIFFERENCE for mark in sentence.of_kind(kind)]
        beside = any(0 <= max(mark.start - figure.end, figure.start - mark.end) <= _BESIDE for mark in marks)
        between = (mark for mark in sentence.of_kind("increment") if mark.value == "between")
        if not beside and not any(mark.end <= figure.start for mark in between):
            return
        told = [m.product for each in self._before(sentence) for m in self.subjects.mentions(each)]
        products = list(dict.fromkeys((*self._products(statement), *filter(None, told))))[:_MOST_PRODUCTS]
        like = (claim for product in products for claim in self._claims(product, []))
        known = [each for each in _with_figures(like) if each[1].dimension == figure.dimension][:_MOST_NUMBERS]
        printed = [f for f in sentence.figures[:_MOST_NUMBERS] if f is not figure and f.dimension == figure.dimension]
        wanted = span(figure)
        for claim, one in known:
            if any(wanted.low <= abs(one.base()[0] - other.base()[0]) <= wanted.high for other in printed):
                yield (claim,)
            for second, other in known:
                if wanted.low <= abs(one.base()[0] - other.base()[0]) <= wanted.high:
                    yield claim, second

    def _ratios(self, statement: Statement) -> Iterator[Decimal]:
        """As in "four times the bandwidth of Trainium3, so 19.6 TB/s": the ratios that a figure follows from."""
        figure, sentence = statement.figure, statement.sentence
        follows = [mark for mark in sentence.of_kind("consequence") if 0 <= figure.start - mark.end <= _BESIDE]
        for ratio in sentence.figures[:_MOST_NUMBERS] if follows else ():
            if ratio.kind == "ratio" and ratio.end <= follows[0].start and not ratio.direction:
                yield ratio.quantity.low * ratio.factor

    def _counts(self, sentence: Sentence) -> Iterator[Decimal]:
        """How many of something a sentence tells there are: "eight modules", "a pair of", "8x"."""
        for number in sentence.numbers[:_MOST_NUMBERS]:
            count = count_of(number, self.prose)
            if _FEWEST <= count <= _MOST:
                yield count
        for mark in sentence.of_kind("count-word"):
            yield Decimal(mark.value)
        for part in sentence.figures[:_MOST_NUMBERS]:
            if part.kind == "ratio" and part.in_words and part.quantity.high < 1 and not part.direction:
                yield part.quantity.low * part.factor  # "a quarter of the memory is 45 GB"

    def _products(self, statement: Statement) -> list[str]:
        """The registered products that a figure may be about: its own, its sentence's, or those told of before."""
        own = [statement.subject.product, *(mention.product for mention in statement.subject.others)]
        near = [mention.product for mention in self.subjects.mentions(statement.sentence)]
        if not any(near):
            near = [m.product for each in self._before(statement.sentence) for m in self.subjects.mentions(each)]
        return [product for product in dict.fromkeys(own + near) if product][:_MOST_PRODUCTS]

    def _before(self, sentence: Sentence) -> list[Sentence]:
        """The sentences before one in its section, nearest first."""
        section = self.subjects.heading_of(sentence.block)
        found = self.subjects.sentences[max(0, sentence.index - _BACK) : sentence.index]
        return [each for each in reversed(found) if self.subjects.heading_of(each.block) == section]

    def _claims(self, product: str, metrics: list[str]) -> Iterator[Claim]:
        """The current absolute claims of a product, on one of some metrics if any are given."""
        for claim in self.registry.claims_of(product):
            current = not claim.compare_to and claim.status not in ("retracted", "superseded")
            if current and claim.figure is not None and (not metrics or claim.metric in metrics):
                yield claim

    def _ratio_of(self, statement: Statement) -> Iterator[tuple[Claim, ...]]:
        """As in "the H100 has 42% of the MI300X's memory and 63% of its bandwidth", by any metric that is named."""
        sentence = statement.sentence
        metrics = [mark.value for mark in sentence.of_kind("metric")]
        products = [p for p in dict.fromkeys(m.product for m in self.subjects.mentions(sentence)) if p]
        if not metrics or not 0 < len(products) <= _MOST_PRODUCTS:
            return
        for one, other in permutations(products, 2):
            for metric in dict.fromkeys(metrics):
                yield from self._quotient(one, other, metric, statement.figure)

    def _quotient(self, one: str, other: str, metric: str, figure: Figure) -> Iterator[tuple[Claim, ...]]:
        """Two products' claims on a metric, under one and the same precision, of which a figure is the ratio."""
        for left in self._claims(one, [metric]):
            for right in self._claims(other, [metric]):
                if quotient_is(left, right, figure):
                    yield left, right


def _with_figures(claims: Iterable[Claim]) -> list[tuple[Claim, Figure]]:
    return [(claim, claim.figure) for claim in claims if claim.figure is not None]
