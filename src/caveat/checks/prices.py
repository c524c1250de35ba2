"""Whether a price says when it held."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from caveat.article import Article
from caveat.checks.claimless import claims_nothing
from caveat.checks.common import finding, words_between
from caveat.checks.surroundings import Surroundings
from caveat.figures.figure import Figure
from caveat.finding import Finding
from caveat.reading.sentences import Sentence
from caveat.reading.statements import Statement
from caveat.rulebook.rules import Rule

# How many words a price may stand from the word that makes it one, and an amount from the one that makes it none.
_PRICE_REACH = 16
_SUM_REACH = 7
_RATE_REACH = 4
# How many words before a date "launched in" may stand, and how many words a line has that only gives a date.
_EVENT_REACH = 3
_LINE = 10
_FRONT = 4
# How many words before a price tell that it is a result.
_RESULT_REACH = 4
# Signs that say "about" as often as they say "equals".
_ABOUT = frozenset(("≈", "≃", "~"))
_SHORT_TERMS = frozenset(("hour", "minute", "second", "day", "month", "token", "thousand tokens", "million tokens"))


def undated_price(article: Article, rule: Rule) -> Iterator[Finding]:
    """Prices of things on offer that say nowhere near when they held.

    Option: `most`, the amount from which one without a rate is a sum of business and no price.
    """
    prices = _Prices(article, Decimal(rule.options["most"]))
    for binding in article.bindings:
        statement = binding.statement
        figure, sentence = statement.figure, statement.sentence
        if figure.kind != "price" or not prices.is_price(statement) or prices.is_dated(statement):
            continue
        if article.stances.silences(sentence) or article.stances.rejects(sentence, figure):
            continue
        if claims_nothing(article, binding):
            continue
        yield finding(rule, figure.start, figure.end, figure=article.words(figure.start, figure.end))


class _Prices:
    """Which amounts of money of a draft are prices, and which of those have a date."""

    def __init__(self, article: Article, most: Decimal) -> None:
        self.article = article
        self.most = most
        self.around = Surroundings(article)
        self.covered = any(self._dates_all(sentence) for sentence in article.sentences)

    def is_price(self, statement: Statement) -> bool:
        """Whether an amount is what something is offered for, and not a sum that is earned, spent or worked out."""
        figure, sentence = statement.figure, statement.sentence
        if self.article.is_result(statement) or self._follows(statement) or self._is_difference(figure, sentence):
            return False
        if self._is_near(figure, sentence, "other"):
            return False
        if not _SHORT_TERMS.isdisjoint(figure.per) or self._has_rate(figure, sentence):
            return True
        if figure.base()[1] >= self.most or self._is_near(figure, sentence, "company"):
            return False
        if self._is_near(figure, sentence, "own-sum") or (
            self.article.sourcing.is_own(sentence) and not self.article.subjects.mentions(sentence)
        ):
            return False
        return self._called_price(figure, sentence)

    def _has_rate(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "$2.49 per H100-hour": "per" right behind an amount, and a stretch of time or tokens."""
        last = self.article.tokens.first_from(figure.end)
        if self.article.tokens.words[last : last + 1] not in (["per"], ["/"], ["a"], ["an"], ["each"]):
            return False
        return any(0 < mark.first - last <= _RATE_REACH for mark in sentence.of_kind("rate-unit"))

    def _called_price(self, figure: Figure, sentence: Sentence) -> bool:
        """Whether words by an amount, or the labels of its cell or list, call it a price."""
        near = (words_between(self.article, figure, mark) for mark in sentence.of_kind("price-word"))
        if any(distance <= _PRICE_REACH for distance in near):
            return True
        block = self.article.document.blocks[sentence.block]
        if block.table >= 0:
            labels = [*self.around.column(sentence), *self.article.labels(sentence)]
            return any(label.has("price-word") for label in labels if label is not sentence)
        return block.item >= 0 and any(s.has("price-word") for s in self.around.lead_ins(block.item))

    def _is_near(self, figure: Figure, sentence: Sentence, value: str) -> bool:
        """Whether a word of one group of sums stands close to an amount, or labels it."""
        marks = [mark for mark in sentence.of_kind("sum-word") if mark.value == value]
        if any(words_between(self.article, figure, mark) <= _SUM_REACH for mark in marks):
            return True
        block = self.article.document.blocks[sentence.block]
        return block.table >= 0 and any(s.has("sum-word", value) for s in self.article.labels(sentence))

    def _is_difference(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "saves $2 an hour", "$1.14 below the H100": how far two prices are apart."""
        first_from = self.article.tokens.first_from
        first = first_from(figure.qualifier_span[0] if figure.qualifier_span else figure.start)
        first, last = min(first, first_from(figure.start)), first_from(figure.end)
        marks = sentence.of_kind("sum-word")
        return any(
            (mark.value == "saved" and mark.last == first) or (mark.value == "difference" and mark.first == last)
            for mark in marks
        )

    def _follows(self, statement: Statement) -> bool:
        """As in "That makes 6.84 million tokens an hour, or $0.66 per million": what other amounts come to."""
        figure, sentence = statement.figure, statement.sentence
        first = self.article.tokens.first_from(figure.start)
        if self.article.tokens.words[first - 1] == "," and self.article.tokens.words[first - 2] == "say":
            return True  # "at, say, $3 an hour"
        marks = [*sentence.of_kind("plain-result-word"), *sentence.of_kind("consequence")]
        words = self.article.tokens.words
        led = any(0 <= first - mark.last <= _RESULT_REACH and words[mark.first] not in _ABOUT for mark in marks)
        earlier = sentence.figures[0] is not figure or any(s.figures for s in self.around.before(sentence)[:1])
        if led and earlier:
            return True
        return sentence.has("computed") and earlier

    def is_dated(self, statement: Statement) -> bool:
        """Whether a price has a date, in its sentence or where its surroundings give one for it."""
        figure, sentence = statement.figure, statement.sentence
        if self.covered or self._dates(sentence, figure):
            return True
        if any(self._dates(s) for s in self.around.of_place(sentence) if s is not sentence):
            return True
        if any(self._dates(s) for s in self.around.headings(sentence)):
            return True
        if any(self._tells_date(s) for s in self.around.opening(sentence)):
            return True
        return self._dated_before(sentence) or any(self._tells_date(s) for s in self.around.behind(sentence)[:2])

    def _dated_before(self, sentence: Sentence) -> bool:
        """Whether an earlier sentence of the paragraph gives a date that holds on."""
        names = bool(self.article.sourcing.own(sentence).organisations)
        for earlier in self.around.before(sentence):
            if not self._dates(earlier):
                continue
            if not _has_price(earlier):
                return self._has_day(earlier) or earlier.has("prices-word")
            return not names
        return False

    def _tells_date(self, sentence: Sentence) -> bool:
        """As in "Prices as of May 2026", "All three were read on 3 May 2026": a sentence that only dates others."""
        if _has_price(sentence) or not self._dates(sentence):
            return False
        short = sentence.last - sentence.first <= _LINE
        return short or sentence.has("prices-word") or sentence.has("as-of")

    def _dates_all(self, sentence: Sentence) -> bool:
        """As in "All prices are those of 12 May 2026", or a line "Updated 12 May 2026" at the top."""
        if _has_price(sentence) or not self._dates(sentence) or not sentence.has("as-of"):
            return False
        if sentence.has("prices-word"):
            return True
        return sentence.block < _FRONT and sentence.last - sentence.first <= _LINE

    def _dates(self, sentence: Sentence, figure: Figure | None = None) -> bool:
        """Whether a sentence has a date, or words that stand for one, that can be a price's."""
        if sentence.has("dating"):
            return True
        days = [number for number in sentence.numbers if number.reading in ("date", "year")]
        if not days:
            return sentence.has("month-word")
        return any(figure is None or not self._is_of_event(day.start, figure, sentence) for day in days)

    def _has_day(self, sentence: Sentence) -> bool:
        """Whether a date is more than a year."""
        days = any(number.reading == "date" for number in sentence.numbers)
        return days or sentence.has("dating") or sentence.has("month-word")

    def _is_of_event(self, start: int, figure: Figure, sentence: Sentence) -> bool:
        """As in "The H100, launched in 2022, costs $30,000": the date of something else, in a clause of its own."""
        tokens = self.article.tokens
        at, first = tokens.first_from(start), tokens.first_from(figure.start)
        events = [m for m in sentence.of_kind("event-word") if 0 <= at - m.last <= _EVENT_REACH]
        low, high = min(at, first), max(at, first)
        return bool(events) and "," in tokens.words[low:high]


def _has_price(sentence: Sentence) -> bool:
    return any(figure.kind == "price" for figure in sentence.figures)
