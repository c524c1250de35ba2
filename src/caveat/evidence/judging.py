"""Whether a page bears out a claim: its words, its value in the right unit, and what the words around that say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from caveat.article import Article
from caveat.evidence.page import Page
from caveat.evidence.wording import Span, Words
from caveat.figures.agreement import exactly, said_effects, same_effect
from caveat.figures.figure import RELATIVE, Figure, Number
from caveat.figures.quantity import Quantity
from caveat.language.phrases import Mark
from caveat.reading.sentences import Sentence
from caveat.reading.statements import Statement
from caveat.reading.subjects import STRONG
from caveat.registry.registry import UNSTATED, Claim, Registry

VERIFIED = "verified"
VALUE_ABSENT = "value absent"
WORDS_ABSENT = "words absent"
OTHER_PRODUCT = "other product's column"
MODE = "mode contradicted"
DROPPED = "qualifier dropped"
ADDED = "qualifier added"
NOTHING_TO_FIND = "nothing to find"
NO_SNAPSHOT = "no snapshot"
CHANGED = "page changed since"
UNREADABLE = "snapshot unreadable"

# Those that the page does not bear out, the worst first: of several places with the value, the best one counts.
NOT_BORNE_OUT = (VALUE_ABSENT, WORDS_ABSENT, OTHER_PRODUCT, MODE, DROPPED, ADDED)

# Metrics whose value is no quantity.
_DATE, _ABSENCE, _WORDS = "availability", "absence", frozenset(("superlative", "quotation"))
_PLANNED = frozenset(("projected", "target"))
# What a heading or a note may say of the figures that it is about.
_BOUNDING = frozenset(("up to", "at least"))
_BETWEEN = re.compile(r"(?:[\s/,&|+]|\band\b|\bor\b|(?<=/)\w+(?=/))*\Z")
_MONTHS = (
    *("", "January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_NEARBY = 3
_EXCERPT = 160


class Verdict(NamedTuple):
    """What became of a claim: a result, what the page has in a few words, and the words of the page with their place.

    `page` is the number of the page in a PDF, 0 where there are none.
    """

    claim: Claim
    result: str
    message: str = ""
    excerpt: str = ""
    page: int = 0

    @property
    def looked_at(self) -> bool:
        """Whether there was a page to look at."""
        return self.result not in (NO_SNAPSHOT, CHANGED, UNREADABLE)

    @property
    def failed(self) -> bool:
        """Whether the page does not bear the claim out."""
        return self.result in NOT_BORNE_OUT


class _Place(NamedTuple):
    """A place where the value stands, and what the page says with it; `bare` is a number that has no unit there."""

    statement: Statement
    bare: bool

    @property
    def start(self) -> int:
        return self.statement.figure.start

    @property
    def end(self) -> int:
        return self.statement.figure.end

    @property
    def sentence(self) -> Sentence:
        return self.statement.sentence


class Judge:
    """Holds claims against one page."""

    def __init__(self, page: Page, registry: Registry) -> None:
        self.page = page
        self.registry = registry
        self.article = Article(page.document, registry)
        self.words = Words(page.document.prose)
        self.in_order = Words(page.in_order) if page.in_order else None
        self.alike = {name: about["alike"] for name, about in registry.vocabulary.dimensions.items()}

    def verdict(self, claim: Claim) -> Verdict:
        """Whether the page bears out a claim."""
        spans = self.words.find(claim.evidence) if claim.evidence else []
        there = bool(spans) or (
            bool(claim.evidence) and self.in_order is not None and self.in_order.has(claim.evidence)
        )
        if claim.figure is None:
            return self._of_words(claim, spans, there=there)
        places = list(self._places(claim, spans))
        if not places:
            return self._absent(claim, spans, there=there)
        if claim.evidence and not there:
            place = places[0]
            message = f"the page has {self._told(place)}, and not the words of the evidence"
            return self._verdict(claim, WORDS_ABSENT, message, place)
        return self._best(claim, self._nearest(claim, places, spans))

    # Claims whose value is no figure.

    def _of_words(self, claim: Claim, spans: Sequence[Span], *, there: bool) -> Verdict:
        if claim.evidence and not there:
            return Verdict(claim, WORDS_ABSENT, "the page has not the words of the evidence")
        if claim.metric == _DATE:
            found = [span for form in _written(claim.value) for span in self.words.find(form)]
            if not found:
                return Verdict(claim, VALUE_ABSENT, f"the page has not the date {claim.value}")
            return self._at(claim, VERIFIED, found[0])
        if claim.metric == _ABSENCE:
            return Verdict(claim, NOTHING_TO_FIND, "what is absent stands on no page")
        found = list(spans) or self.words.find(claim.value)
        if found:
            return self._at(claim, VERIFIED, found[0])
        return Verdict(claim, VERIFIED if there else NOTHING_TO_FIND, "" if there else "no evidence is recorded")

    # Where the value stands.

    def _places(self, claim: Claim, spans: Sequence[Span]) -> Iterator[_Place]:
        """All places of the page with the value of a claim, some of them in its evidence."""
        assert claim.figure is not None
        for statement in self.article.statements:
            if _same(statement.figure, claim.figure):
                yield _Place(statement, bare=False)
        for sentence in self.article.sentences:
            for number in sentence.numbers:
                if number.figure is None and self._bare(number, claim.figure, sentence, spans):
                    yield _Place(self._statement(number, claim.figure, sentence), bare=True)

    def _bare(self, number: Number, figure: Figure, sentence: Sentence, spans: Sequence[Span]) -> bool:
        """Whether a number without a unit is the value: of a count, or in the evidence, or under a label with the unit.

        The rows of a table are often recorded as evidence without the header that has the unit.
        """
        if number.quantity is None or figure.kind in RELATIVE or not _rounds_to(number.quantity, figure.quantity):
            return False
        if figure.kind == "count" or any(number.start < end and number.end > start for start, end in spans):
            return True
        around = [*self._over(sentence), sentence]
        words = {word for each in around for word in re.split(r"[\s()\[\],]+", self._text(each.start, each.end))}
        return bool(figure.unit) and figure.unit in words

    def _statement(self, number: Number, figure: Figure, sentence: Sentence) -> Statement:
        """What the page says with a number, read as if it had the unit of the claim."""
        read = Figure(number.start, number.end, figure.quantity, figure.kind, figure.unit, figure.dimension)
        basis: dict[str, str] = {}
        for label in self._over(sentence):
            for dimension in self.registry.vocabulary.dimensions:
                if label.has(dimension):
                    basis.setdefault(dimension, label.of_kind(dimension)[0].value)
        subject = self.article.subjects.subject(read, sentence)
        return Statement(read, sentence, subject, [], basis, metric_named=False)

    def _nearest(self, claim: Claim, places: list[_Place], spans: Sequence[Span]) -> list[_Place]:
        """Those places that the claim is about: in its evidence, else beside it, else of its product and metric."""
        inside = [p for p in places if any(p.start < end and p.end > start for start, end in spans)]
        if inside:
            return inside
        beside = [p for p in places if any(self._beside(p.sentence, span) for span in spans)]
        if beside:
            return beside
        own = [p for p in places if self._may_be(claim, p.statement)]
        named = [p for p in own if p.statement.product == claim.product]
        return named or own or places

    def _beside(self, sentence: Sentence, span: Span) -> bool:
        """Whether a sentence overlaps a span, or stands in the same row of a table."""
        if sentence.start < span[1] and sentence.end > span[0]:
            return True
        block = self.page.document.blocks[sentence.block]
        if block.table < 0:
            return False
        row = self.page.document.tables[block.table].rows[block.row]
        blocks = [self.page.document.blocks[index] for index in row if index >= 0]
        return any(each.start < span[1] and each.end > span[0] for each in blocks)

    def _may_be(self, claim: Claim, statement: Statement) -> bool:
        """Whether nothing in the words for the metric denies that a statement is the claim."""
        return not statement.metric_named or statement.metrics[:1] == [claim.metric]

    # What the words around the value say.

    def _best(self, claim: Claim, places: list[_Place]) -> Verdict:
        """The best of the verdicts about each place."""
        verdicts = [self._of_place(claim, place) for place in places]
        order = (VERIFIED, *reversed(NOT_BORNE_OUT))
        best = min(verdicts, key=lambda verdict: order.index(verdict.result))
        if best.result != VERIFIED and claim.derived and not claim.evidence:
            return Verdict(claim, NOTHING_TO_FIND, f"computed: {claim.derived}")
        return best

    def _of_place(self, claim: Claim, place: _Place) -> Verdict:
        statement = place.statement
        if not claim.evidence and not self._may_be(claim, statement):
            message = f"{self._told(place)} is {statement.metrics[0]} on the page, not {claim.metric}"
            return self._verdict(claim, VALUE_ABSENT, message, place)
        for result, message in (
            (OTHER_PRODUCT, self._other_product(claim, statement)),
            (MODE, self._other_mode(claim, statement)),
            (DROPPED, self._dropped(claim, statement)),
            (ADDED, self._added(claim, statement)),
        ):
            if message:
                return self._verdict(claim, result, message, place)
        return self._verdict(
            claim, VERIFIED, "the unit stands elsewhere" if self._lacks_unit(claim, place) else "", place
        )

    def _lacks_unit(self, claim: Claim, place: _Place) -> bool:
        return place.bare and claim.figure is not None and claim.figure.kind != "count"

    def _other_product(self, claim: Claim, statement: Statement) -> str:
        """As in a value that stands in the column of another product, or is said of one; "" if it does not."""
        known = self.registry.products.get(statement.product)
        if statement.subject.hold != STRONG or known is None or known.id == claim.product:
            return ""
        around = [statement.sentence, *self.article.labels(statement.sentence)]
        named = {mark.value for sentence in around for mark in sentence.of_kind("product")}
        if claim.product in named or known.id not in named or self._related(claim.product, known.id):
            return ""
        in_table = self.page.document.blocks[statement.sentence.block].table >= 0
        return f"it stands in the column or row of {known.name}" if in_table else f"it is said of {known.name}"

    def _related(self, one: str, other: str) -> bool:
        """Whether one product is a part of the other, by the registry or, as the H200 of the HGX H200, by its name."""
        products = (self.registry.products[one], self.registry.products[other])
        part, whole = sorted(products, key=lambda product: len(product.name))
        inside = set(part.name.split()) < set(whole.name.split()) and part.unit != whole.unit
        return inside or one in products[1].contains or other in products[0].contains

    def _other_mode(self, claim: Claim, statement: Statement) -> str:
        """Where the page says another mode than the claim: another number format, with sparsity, a plan."""
        for dimension in self.registry.vocabulary.dimensions:
            recorded = claim.basis.get(dimension, "")
            said = self._said(dimension, statement)
            if not said:
                continue
            values = {self._canonical(dimension, mark.value) for mark in said}
            if dimension == "kind":
                wrong = values <= {self._canonical(dimension, each) for each in _PLANNED} and not self._planned(claim)
            elif dimension not in self.registry.vocabulary.distinct:
                continue
            elif not recorded:
                wrong = values == {"sparse"}
            else:
                wrong = recorded == UNSTATED or self._canonical(dimension, recorded) not in values
            if wrong:
                words = self._text(said[0].start, said[-1].end)
                return f'the page says "{words}"; the claim, {self._of_claim(dimension, recorded)}'
        return ""

    def _of_claim(self, dimension: str, recorded: str) -> str:
        return f"{dimension} {recorded}" if recorded else f"nothing of its {dimension}"

    def _planned(self, claim: Claim) -> bool:
        """Whether the registry has a claim as a plan or projection."""
        product = self.registry.products.get(claim.product)
        return (
            claim.basis.get("kind") in _PLANNED
            or claim.status == "target"
            or (product is not None and product.status == "target")
        )

    def _said(self, dimension: str, statement: Statement) -> list[Mark]:
        """The words that give a figure its value of a dimension: beside it, in its notes, or over it; the nearest."""
        applies = self.registry.vocabulary.dimensions[dimension]["applies_to"]
        figure, sentence = statement.figure, statement.sentence
        if applies and figure.dimension not in applies and figure.kind not in RELATIVE:
            return []
        own = [mark for mark in sentence.of_kind(dimension) if mark.value != UNSTATED]
        if dimension in statement.tied:
            return self._group(statement.tied[dimension], own, figure)
        for note in self._notes(sentence):
            if note.has(dimension):
                return [mark for mark in note.of_kind(dimension) if mark.value != UNSTATED]
        if dimension not in statement.basis:
            return []
        if own:
            return own
        for label in self._over(sentence):
            marks = [mark for mark in label.of_kind(dimension) if mark.value != UNSTATED]
            if statement.basis[dimension] in {mark.value for mark in marks}:
                return marks
        return []

    def _group(self, value: str, marks: list[Mark], figure: Figure) -> list[Mark]:
        """The words that stand together with the one that is a figure's own: all three of "79 BF16/FP16/TF32"."""
        groups: list[list[Mark]] = []
        for mark in marks:
            if groups and _BETWEEN.match(self._text(groups[-1][-1].end, mark.start)):
                groups[-1].append(mark)
            else:
                groups.append([mark])
        fitting = [group for group in groups if value in {mark.value for mark in group}]
        return min(fitting, key=lambda group: min(abs(m.start - figure.start) for m in group), default=[])

    def _canonical(self, dimension: str, value: str) -> str:
        alike: dict[str, str] = self.alike[dimension]
        return alike.get(value, value)

    def _dropped(self, claim: Claim, statement: Statement) -> str:
        """Where the page bounds or rounds the value in words that the claim has not."""
        bound, words = statement.figure.qualifier, statement.figure.qualifier_span
        if bound:
            told = self._text(*words) if words else bound
        else:
            mark = next(self._bounds(statement), None)
            bound, told = (mark.value, self._text(mark.start, mark.end)) if mark is not None else ("", "")
        if not bound or bound == claim.bound:
            return ""
        return f'the page says "{told}"; the claim, {claim.stated}'

    def _over(self, sentence: Sentence) -> list[Sentence]:
        """What stands over a sentence: the labels and the caption of a cell, the lead-in of a list, the heading."""
        if self.page.document.blocks[sentence.block].table >= 0:
            return self.article.captions(sentence)
        heading = self.article.subjects.heading_of(sentence.block)
        above = self.article.subjects.of_block(heading) if heading >= 0 else []
        return self.article.labels(sentence) + above

    def _notes(self, sentence: Sentence) -> list[Sentence]:
        """The notes that marks in a sentence lead to, or in the labels of its row and column."""
        return [note for each in (sentence, *self.article.labels(sentence)) for note in self.article.notes(each)]

    def _bounds(self, statement: Statement) -> Iterator[Mark]:
        """The words of labels and notes that bound a figure: "Memory (up to)"."""
        sentence = statement.sentence
        for other in [*self.article.labels(sentence), *self._notes(sentence)]:
            marks = [*other.of_kind("qualifier"), *other.of_kind("qualifier-after")]
            yield from (mark for mark in marks if mark.value in _BOUNDING and not other.figures)

    def _added(self, claim: Claim, statement: Statement) -> str:
        """Where the claim bounds or rounds the value in words that the page has not."""
        if not claim.bound or claim.bound == statement.figure.qualifier:
            return ""
        sentence = statement.sentence
        around = [sentence, *self._over(sentence), *self._notes(sentence)]
        marks = (m for s in around for kind in ("qualifier", "qualifier-after") for m in s.of_kind(kind))
        if any(mark.value == claim.bound for mark in marks):
            return ""
        if any(claim.qualifier.lower() in self._text(s.start, s.end).lower() for s in around):
            return ""
        return f'the claim says "{claim.qualifier}", the page does not'

    # How it is told.

    def _absent(self, claim: Claim, spans: Sequence[Span], *, there: bool) -> Verdict:
        if claim.derived and not claim.evidence:
            return Verdict(claim, NOTHING_TO_FIND, f"computed: {claim.derived}")
        assert claim.figure is not None
        figures = [s for s in self.article.statements if s.figure.dimension == claim.figure.dimension]
        near = [s for s in figures if any(self._beside(s.sentence, span) for span in spans)]
        own = [s for s in figures if s.product == claim.product and self._may_be(claim, s)]
        near = near or own
        values = list(dict.fromkeys(self._printed(s.figure) for s in near))[:_NEARBY]
        has = f"; it has {' and '.join(values)} there" if values else ""
        words = "" if there or not claim.evidence else " nor the words of the evidence"
        place = near[0].sentence if near else None
        message = f"the page has not {claim.value}{words}{has}"
        if place is None:
            return Verdict(claim, VALUE_ABSENT, message)
        return Verdict(
            claim, VALUE_ABSENT, message, self._excerpt(place, near[0].figure.start), self._page_of(place.start)
        )

    def _verdict(self, claim: Claim, result: str, message: str, place: _Place) -> Verdict:
        return Verdict(claim, result, message, self._excerpt(place.sentence, place.start), self._page_of(place.start))

    def _at(self, claim: Claim, result: str, span: Span) -> Verdict:
        """A verdict about words at a place."""
        sentence = self.article.sentence_at(span[0])
        return Verdict(claim, result, "", self._excerpt(sentence, span[0]), self._page_of(span[0]))

    def _told(self, place: _Place) -> str:
        return self._text(place.start, place.end)

    def _printed(self, figure: Figure) -> str:
        """A figure as the page has it, with the unit of its header."""
        text = self._text(figure.start, figure.end)
        return f"{text} {figure.unit}" if figure.from_header and figure.unit not in text else text

    def _excerpt(self, sentence: Sentence, offset: int) -> str:
        """The words around an offset; a cell with the labels of its row and column."""
        labels = self.article.labels(sentence) if self.page.document.blocks[sentence.block].table >= 0 else []
        lead = " / ".join(self._text(label.start, label.end) for label in labels[:2])
        start, end = sentence.start, sentence.end
        if end - start > _EXCERPT:
            start = max(start, self._space_before(offset - _EXCERPT // 2))
            end = min(end, self._space_before(start + _EXCERPT))
        text = self._text(start, end)
        text = f"{'... ' if start > sentence.start else ''}{text}{' ...' if end < sentence.end else ''}"
        return f"{lead}: {text}" if lead else text

    def _space_before(self, offset: int) -> int:
        """The last space before an offset, so that no word is cut."""
        return max(self.page.document.prose.rfind(" ", 0, max(offset, 0)), 0)

    def _text(self, start: int, end: int) -> str:
        return " ".join(self.page.document.prose[start:end].split())

    def _page_of(self, offset: int) -> int:
        return sum(start <= offset for start in self.page.pages)


def _rounds_to(printed: Quantity, claimed: Quantity) -> bool:
    """Whether a claimed value is a printed one, or a rounding of it."""
    if (printed.low, printed.high) == (claimed.low, claimed.high):
        return True
    return printed.step <= claimed.step and printed.interval().meets(claimed.interval())


def _same(figure: Figure, claimed: Figure) -> bool:
    """Whether a figure of a page is the claimed one: the same quantity, of which the claim may be a rounding."""
    if claimed.kind in RELATIVE:
        return figure.kind in RELATIVE and same_effect(said_effects(figure), claimed)
    if not exactly(figure, claimed):
        return False
    return figure.base()[:2] == claimed.base()[:2] or figure.base()[2] <= claimed.base()[2]


def _written(date: str) -> Iterable[str]:
    """A date as a page may print it."""
    year, *rest = date.split("-")
    if not rest:
        return [year]
    month = _MONTHS[int(rest[0])]
    names = dict.fromkeys((month, month[:3], f"{month[:3]}."))
    if len(rest) == 1:
        return [date, *(f"{name} {year}" for name in names)]
    day = str(int(rest[1]))
    american = [form for name in names for form in (f"{name} {day}, {year}", f"{name} {rest[1]}, {year}")]
    others = [f"{day} {name} {year}" for name in names]
    return [date, date.replace("-", "/"), date.replace("-", "."), *american, *others]
