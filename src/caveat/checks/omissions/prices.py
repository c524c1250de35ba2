"""Whether a price says when it held."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from caveat.article import Article
from caveat.checks.claimless import claims_nothing
from caveat.checks.common import figure_finding, words_between
from caveat.checks.surroundings import Surroundings, below_list
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
# A sentence of so few words is no more than a date; within so many a sentence opens on its day.
_BARE = 5
_OPENING_REACH = 2
_POINTING = frozenset(("that", "this", "these", "those", "all", "both"))
# Before an amount and the thing behind it; between a thing and its amount.
_ARTICLES = frozenset(("a", "an", "the", "its", "their", "our", "this", "that"))
_ASKING_AT = frozenset(("is", "are", "was", "were", "at", "for"))
# Before "the 2025 sale" where the year is that of the price; first words of a clause put in.
_DURING = frozenset(("in", "during", "at", "under", "from", "for", "since"))
_ASIDES = frozenset(("which", "who", "whose", "that", "where"))
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
        yield figure_finding(article, rule, figure)


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
        return self._called_price(figure, sentence) or self._is_of_thing(figure, sentence)

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
            return any(s.has("price-word") or _is_hourly(s) for s in labels if s is not sentence)
        return block.item >= 0 and any(s.has("price-word") for s in self.around.lead_ins(block.item))

    def _is_of_thing(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "a $30,000 GPU", "the card is $1,399", "a DGX Spark for $3,999"."""
        tokens = self.article.tokens
        first, last = self._first(figure), tokens.first_from(figure.end)
        things = [
            (tokens.first_from(m.start), tokens.first_from(m.end)) for m in self.article.subjects.mentions(sentence)
        ]
        things += [(mark.first, mark.last) for mark in sentence.of_kind("counted")]
        if any(0 <= start - last <= 1 for start, _ in things):
            return tokens.words[first - 1] in _ARTICLES
        return tokens.words[first - 1] in _ASKING_AT and any(0 <= first - 1 - stop <= 1 for _, stop in things)

    def _first(self, figure: Figure) -> int:
        """The first token of a figure, its qualifier counted in."""
        start = figure.qualifier_span[0] if figure.qualifier_span else figure.start
        return self.article.tokens.first_from(min(start, figure.start))

    def _is_near(self, figure: Figure, sentence: Sentence, value: str) -> bool:
        """Whether a word of one group of sums stands close to an amount, or labels it."""
        marks = [mark for mark in sentence.of_kind("sum-word") if mark.value == value]
        if any(words_between(self.article, figure, mark) <= _SUM_REACH for mark in marks):
            return True
        block = self.article.document.blocks[sentence.block]
        return block.table >= 0 and any(s.has("sum-word", value) for s in self.article.labels(sentence))

    def _is_difference(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "saves $2 an hour", "$1.14 below the H100": how far two prices are apart."""
        first, last = self._first(figure), self.article.tokens.first_from(figure.end)
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
        if any(self._dates_place(s, sentence) for s in self.around.of_place(sentence) if s is not sentence):
            return True
        if any(self._dates(s) and not self._is_class(s) for s in self.around.headings(sentence)):
            return True
        listed = below_list(self.article, self.article.document.blocks[sentence.block])
        if any(self._tells_date(s) for s in (*self.around.opening(sentence), *listed)):
            return True
        return self._dated_before(sentence) or any(self._tells_date(s) for s in self.around.behind(sentence)[:2])

    def _is_class(self, heading: Sentence) -> bool:
        """As in "The class of 2022": a title that has no more of a date than the year of something."""
        words, first_from = self.article.tokens.words, self.article.tokens.first_from
        days = [number for number in heading.numbers if number.reading in ("date", "year")]
        named = heading.has("month-word") or heading.has("dating") or heading.has("prices-word")
        return not named and all(n.reading == "year" and words[first_from(n.start) - 1] == "of" for n in days)

    def _dates_place(self, sentence: Sentence, priced: Sentence) -> bool:
        """Whether a caption, label or note dates the prices beside it; what stands under a table may be other news."""
        below = sentence.block > priced.block and self.article.document.blocks[sentence.block].table < 0
        return self._dates(sentence) and (not below or self._tells_date(sentence) or _is_short(sentence))

    def _dated_before(self, sentence: Sentence) -> bool:
        """Whether an earlier sentence of the paragraph gives a date that holds on."""
        names = self._organisations(sentence)
        for earlier in self.around.before(sentence):
            if not self._dates(earlier):
                continue
            if not _has_price(earlier):
                return self._is_about_prices(earlier) or (self._opens_on_day(earlier) and not sentence.has("price-now"))
            return names <= self._organisations(earlier)
        return False

    def _organisations(self, sentence: Sentence) -> set[str]:
        """The names of the organisations that a sentence speaks of."""
        words = self.article.tokens.words
        return {" ".join(words[name.first : name.last]) for name in self.article.sourcing.own(sentence).organisations}

    def _is_about_prices(self, sentence: Sentence) -> bool:
        """As in "We checked three clouds on 4 May 2026", "Here is what they asked at the time of writing"."""
        kinds = (("prices-word", ""), ("price-word", ""), ("as-of", "as of"), ("dating", "writing"))
        return any(sentence.has(kind, value) for kind, value in kinds)

    def _opens_on_day(self, sentence: Sentence) -> bool:
        """As in "In January 2026 we went shopping": the date of all that follows in the past."""
        marks = [*sentence.of_kind("dating"), *sentence.of_kind("month-word")]
        starts = [self.article.tokens.first_from(n.start) for n in sentence.numbers if n.reading in ("date", "year")]
        return any(at - sentence.first <= _OPENING_REACH for at in (*starts, *(mark.first for mark in marks)))

    def _tells_date(self, sentence: Sentence) -> bool:
        """As in "Prices as of May 2026", "All three were read on 3 May 2026": a sentence that only dates others."""
        if _has_price(sentence) or not self._dates(sentence):
            return False
        if sentence.last - sentence.first <= _BARE:
            return True
        points = self.article.tokens.words[sentence.first] in _POINTING
        return points or self._is_about_prices(sentence)

    def _dates_all(self, sentence: Sentence) -> bool:
        """As in "All prices are those of 12 May 2026", or a line "Updated 12 May 2026" at the top."""
        if _has_price(sentence) or not self._dates(sentence) or not sentence.has("as-of"):
            return False
        if sentence.has("prices-word"):
            return True
        return sentence.block < _FRONT and _is_short(sentence) and sentence.has("as-of", "as of")

    def _dates(self, sentence: Sentence, figure: Figure | None = None) -> bool:
        """Whether a sentence has a date, or words that stand for one, that can be a price's."""
        if sentence.has("dating"):
            return True
        days = [number for number in sentence.numbers if number.reading in ("date", "year")]
        if not days:
            return sentence.has("month-word")
        return any(figure is None or not self._is_of_event(day.start, figure, sentence) for day in days)

    def _is_of_event(self, start: int, figure: Figure, sentence: Sentence) -> bool:
        """As in "The H100, launched in 2022, costs $30,000", "the 2022 H100": the date of something else."""
        tokens = self.article.tokens
        at, first = tokens.first_from(start), tokens.first_from(figure.start)
        low, high = min(at, first), max(at, first)
        parted = "," in tokens.words[low:high] or any(low < m.first < high for m in sentence.of_kind("price-now"))
        if not parted:
            return self._is_attribute(at, sentence)
        if tokens.words[at - 1] == "by" or any(
            0 <= at - m.last <= _EVENT_REACH for m in sentence.of_kind("event-word")
        ):
            return True
        return self._is_attribute(at, sentence) or self._is_aside(at, first, sentence)

    def _is_attribute(self, at: int, sentence: Sentence) -> bool:
        """As in "the 2022 H100", "the A100 (2020)"; not "in the 2025 sale", "its 2026 price list"."""
        words = self.article.tokens.words
        if not words[at].isdigit():
            return False
        behind = words[at + 1 : at + 2]
        if words[at - 1] == "(" and behind == [")"]:
            ends = {self.article.tokens.first_from(m.end) for m in self.article.subjects.mentions(sentence)}
            return at - 1 in ends
        if words[at - 1] not in _ARTICLES or words[at - 2] in _DURING or not all(w.isalnum() for w in behind):
            return False
        kinds = ("price-word", "prices-word", "document-noun")
        return not any(mark.first == at + 1 for kind in kinds for mark in sentence.of_kind(kind))

    def _is_aside(self, at: int, first: int, sentence: Sentence) -> bool:
        """As in "CoreWeave, which went public in 2025, asks $6.16": a clause between commas, without the price."""
        words, start, stop = self.article.tokens.words, at, at
        while start > sentence.first and words[start - 1] != ",":
            start -= 1
        while stop < sentence.last and words[stop] != ",":
            stop += 1
        return words[start] in _ASIDES and not start <= first < stop


def _is_hourly(label: Sentence) -> bool:
    """As in the header "Card-hour": what an amount under it buys."""
    return any(mark.last == label.last for mark in label.of_kind("rate-unit"))


def _is_short(sentence: Sentence) -> bool:
    return sentence.last - sentence.first <= _LINE


def _has_price(sentence: Sentence) -> bool:
    return any(figure.kind == "price" for figure in sentence.figures)
