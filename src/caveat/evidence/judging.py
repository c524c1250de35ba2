"""Whether a page bears out a claim: its words, its value in the right unit, and what the words around that say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from caveat.article import Article
from caveat.evidence.objections import Objections
from caveat.evidence.page import Page
from caveat.evidence.verdicts import NOT_BORNE_OUT, NOTHING_TO_FIND, VALUE_ABSENT, VERIFIED, WORDS_ABSENT, Verdict
from caveat.evidence.wording import Span, Words
from caveat.figures.agreement import exactly, said_effects, same_effect
from caveat.figures.figure import RELATIVE, Figure, Number
from caveat.figures.quantity import Quantity
from caveat.loading.registry_schema import DATES
from caveat.reading.sentences import Sentence
from caveat.reading.statements import Statement
from caveat.registry.registry import Claim, Registry

_ABSENCE = "absence"
_MONTHS = (
    *("", "January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_NEARBY = 3
_EXCERPT = 160


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
        self.objections = Objections(self.article)

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
        if claim.metric in DATES:
            found = [span for form in _written(claim.value) for span in self.words.find(form) if self._whole(span)]
            if not found:
                return Verdict(claim, VALUE_ABSENT, f"the page has not the date {claim.value}")
            return self._at(claim, VERIFIED, found[0])
        if claim.metric == _ABSENCE:
            return Verdict(claim, NOTHING_TO_FIND, "what is absent stands on no page")
        found = list(spans) or self.words.find(claim.value)
        if found:
            return self._at(claim, VERIFIED, found[0])
        return Verdict(claim, VERIFIED if there else NOTHING_TO_FIND, "" if there else "no evidence is recorded")

    def _whole(self, span: Span) -> bool:
        """Whether no digit stands right before or behind a span: not the 2 December of the 12th."""
        prose = self.page.document.prose
        return not (prose[: span[0]][-1:].isdigit() or prose[span[1] : span[1] + 1].isdigit())

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
        around = [*self.objections.over(sentence), sentence]
        words = {word for each in around for word in re.split(r"[\s()\[\],]+", self._text(each.start, each.end))}
        return bool(figure.unit) and figure.unit in words

    def _statement(self, number: Number, figure: Figure, sentence: Sentence) -> Statement:
        """What the page says with a number, read as if it had the unit of the claim."""
        read = Figure(number.start, number.end, figure.quantity, figure.kind, figure.unit, figure.dimension)
        basis: dict[str, str] = {}
        for label in self.objections.over(sentence):
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
        result, message = self.objections.against(claim, statement)
        if not result and place.bare and claim.figure is not None and claim.figure.kind != "count":
            message = "the unit stands elsewhere"
        return self._verdict(claim, result or VERIFIED, message, place)

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
    (low, high, step), (claimed_low, claimed_high, claimed_step) = figure.base(), claimed.base()
    as_fine = (abs(low), abs(high)) == (abs(claimed_low), abs(claimed_high)) or step <= claimed_step
    if claimed.kind in RELATIVE:
        as_fine = as_fine or figure.kind != claimed.kind  # of "40% more" and "1.4x" none is finer
        return figure.kind in RELATIVE and as_fine and same_effect(said_effects(figure), claimed)
    return as_fine and exactly(figure, claimed)


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
