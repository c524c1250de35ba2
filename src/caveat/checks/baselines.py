"""Whether a comparative figure says what it is compared with."""

from __future__ import annotations

from collections.abc import Iterator

from caveat.article import Article
from caveat.checks.claimless import claims_nothing
from caveat.checks.common import finding
from caveat.checks.surroundings import Surroundings
from caveat.figures.figure import Figure
from caveat.finding import Finding
from caveat.language.phrases import Mark
from caveat.reading.sentences import Sentence
from caveat.reading.statements import Statement
from caveat.rulebook.rules import Rule

# How many words behind "half" the thing may stand that is halved, and behind a ratio the "of" of the other side.
_NOUN_REACH = 4
_OF_REACH = 8
# How many words behind a ratio its product may stand: "2x H100 throughput".
_RIGHT_BEHIND = 3
# How many sentences before may name both sides, and how many below a heading.
_BEFORE = 2
_BELOW = 4
_HALVES = frozenset(("half", "third", "quarter", "fifth", "tenth"))
_OPENERS = frozenset(("the", "a", "an", "its", "their", "our", "that", "those", "what", "any", "one", "another", "each", "this"))
_CLOSERS = frozenset((".", ",", ";", ":", "(", ")", "and", "but"))
_FROM_REACH = 4


def missing_baseline(article: Article, rule: Rule) -> Iterator[Finding]:
    """Ratios and percentages of more or less that are compared with nothing, in their sentence or around it.

    Option: `kinds` of figures that compare.
    """
    kinds = frozenset(rule.options["kinds"])
    baselines = _Baselines(article)
    for binding in article.bindings:
        statement = binding.statement
        figure, sentence = statement.figure, statement.sentence
        if figure.kind not in kinds or not baselines.compares(statement) or baselines.has(statement):
            continue
        if article.stances.disowns(sentence) or article.stances.rejects(sentence, figure):
            continue
        if claims_nothing(article, binding):
            continue
        yield finding(rule, figure.start, figure.end, figure=article.words(figure.start, figure.end))


class _Baselines:
    """Which figures of a draft compare, and what the text sets them against."""

    def __init__(self, article: Article) -> None:
        self.article = article
        self.tokens = article.tokens
        self.around = Surroundings(article)
        self.computed = {comparison.start for comparison in article.comparisons if comparison.recomputes}
        self.covered = any(self._tells_for_all(sentence) for sentence in article.sentences)

    def compares(self, statement: Statement) -> bool:
        """Whether a figure says how much more or less something is, and not which part of it."""
        figure, sentence = statement.figure, statement.sentence
        if figure.is_share or self._of_list_price(figure, sentence):
            return False
        if figure.kind == "percent":
            return self._is_change(statement)
        if figure.quantity.low == figure.quantity.high == 1:
            return False
        words = self.tokens.words[self.tokens.first_from(figure.start) : self.tokens.first_from(figure.end)]
        if figure.in_words and not _HALVES.isdisjoint(word.rstrip("s") for word in words):
            return bool(figure.direction) or self._is_of_measure(figure, sentence) or self._led_by_change(figure, sentence)
        return True

    def _is_change(self, statement: Statement) -> bool:
        """Whether a percentage is of more or less: "40% cheaper", "cut by 30%", a column of gains."""
        figure, sentence = statement.figure, statement.sentence
        if statement.followed_by == "of" or not statement.compares:
            return False
        if self.article.document.blocks[sentence.block].table < 0:
            return bool(figure.direction) or self._led_by_change(figure, sentence) or self._led_to_change(figure, sentence)
        labels = [s for s in self.article.labels(sentence) if s is not sentence]
        return bool(figure.direction) or any(s.has("change-noun") for s in labels)

    def _led_by_change(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "cut by two-thirds", "a reduction of half"."""
        first = self.tokens.first_from(figure.start)
        return self.tokens.words[first - 1] in ("by", "of") and any(
            0 <= first - mark.last <= _OF_REACH for mark in sentence.of_kind("change-noun")
        )

    def _led_to_change(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "a 40% gain"."""
        last = self.tokens.first_from(figure.end)
        return any(0 <= mark.first - last <= 1 for mark in sentence.of_kind("change-noun"))

    def _is_of_measure(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "half the cost", "a third of the power": of an amount, and no part of a number of things."""
        last = self.tokens.first_from(figure.end)
        return any(0 <= mark.first - last <= _NOUN_REACH for mark in sentence.of_kind("measured-noun"))

    def _of_list_price(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "20% off", "a 10% discount": of the price that is asked."""
        last = self.tokens.first_from(figure.end)
        return any(0 <= mark.first - last <= 1 for mark in sentence.of_kind("reduction-of-list"))

    def has(self, statement: Statement) -> bool:
        """Whether something is named, or plainly carried over, with which a figure compares."""
        figure, sentence = statement.figure, statement.sentence
        if self.covered or figure.start in self.computed or self.article.is_result(statement):
            return True
        if self._in_sentence(statement) or self._of_change(sentence):
            return True
        if any(self._sets_against(s) for s in self.around.of_place(sentence) if s is not sentence):
            return True
        if self.article.document.blocks[sentence.block].table >= 0 and self._in_table(sentence):
            return True
        if any(self._sets_against(s) for s in self.around.headings(sentence)[:1]):
            return True
        if self.article.document.blocks[sentence.block].kind == "heading":
            below = self.article.subjects.of_block(sentence.block + 1)[:_BELOW]
            return any(self._sets_against(s) for s in below)
        return self._carried(sentence) or any(self._explains(s) for s in self.around.behind(sentence)[:1])

    def _in_sentence(self, statement: Statement) -> bool:
        """Whether the sentence of a figure itself names the other side."""
        figure, sentence = statement.figure, statement.sentence
        if self._names_other_side(sentence):
            return True
        first = self.tokens.first_from(figure.start)
        before = {m.product or m.start for m in self.article.subjects.mentions(sentence) if m.end <= figure.start}
        if len(before) > 1 or self._is_of_other(figure, sentence) or self._is_multiple_of(figure, sentence):
            return True
        return self._moves(first, sentence)

    def _names_other_side(self, sentence: Sentence) -> bool:
        """Whether words of a sentence set something against something, or say that they do not."""
        if sentence.has("baseline-word") or sentence.has("no-baseline") or sentence.has("comparative"):
            return True
        return any(self._leads(mark, sentence) for mark in sentence.of_kind("against-word"))

    def _leads(self, mark: Mark, sentence: Sentence) -> bool:
        """Whether "than" or "over" leads to the other side, and not to the figure: "more than 2x", "over 40%"."""
        if mark.value == "behind":
            return False
        starts = [self.tokens.first_from(f.start) for f in sentence.figures if f.qualifier_span and f.qualifier_span[0] <= mark.start < f.start]
        if mark.last in starts or mark.last >= sentence.last:
            return False
        return mark.value != "over" or not self.tokens.words[mark.last][:1].isdigit()

    def _is_of_other(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "1.9x the throughput of the H100": what the ratio is over stands behind an "of"."""
        last = self.tokens.first_from(figure.end)
        words = self.tokens.words
        for at in range(last + 1, min(sentence.last - 1, last + _OF_REACH)):
            if words[at] in _CLOSERS:
                return False
            if words[at] == "of" and at > last:
                word = self.article.document.prose[self.tokens.starts[at + 1] : self.tokens.ends[at + 1]]
                return words[at + 1] in _OPENERS or word[:1].isupper()
        return False

    def _is_multiple_of(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "twice that", "1.8x Trainium3's", "2x what it was": the other side right behind the ratio."""
        last = self.tokens.first_from(figure.end)
        if any(mark.value == "behind" and 0 <= mark.first - last <= 1 for mark in sentence.of_kind("against-word")):
            return True
        for mention in self.article.subjects.mentions(sentence):
            between = self.tokens.words[last : self.tokens.first_from(mention.start)] if mention.start >= figure.end else None
            if between is not None and len(between) <= _RIGHT_BEHIND and _CLOSERS.isdisjoint(between) and "in" not in between:
                return True
        return False

    def _moves(self, first: int, sentence: Sentence) -> bool:
        """As in "from 12 ms to 9 ms", "down from the 540 ms of May": an old value is printed."""
        words = self.tokens.words
        for at in range(sentence.first, sentence.last - 1):
            if words[at] != "from":
                continue
            behind = words[at + 1 : min(sentence.last, at + 1 + _FROM_REACH)]
            if any(word[:1].isdigit() for word in behind) or words[at - 1] in ("down", "up"):
                return True
            if "to" in words[at + 1 : min(sentence.last, at + 2 * _FROM_REACH)]:
                return True
        return False

    def _of_change(self, sentence: Sentence) -> bool:
        """Whether the sentence tells of something that was done, before which there was the baseline."""
        words = self.tokens.words[sentence.first : sentence.last]
        if any(mark.first <= sentence.first + 1 or words[mark.first - sentence.first - 1] in ("by", "after", "the", "this", "that", "with", "from", ",") for mark in sentence.of_kind("cause-word")):
            return True
        return self.article.sourcing.own(sentence).own and (sentence.has("movement-verb") or sentence.has("change-verb"))

    def _sets_against(self, sentence: Sentence) -> bool:
        """Whether a sentence around a figure names both sides, or the other one."""
        products = {m.product or m.start for m in self.article.subjects.mentions(sentence)}
        return len(products) > 1 or self._names_other_side(sentence)

    def _in_table(self, sentence: Sentence) -> bool:
        """Whether a table has a row or column that others are relative to, or prints what a ratio comes from."""
        block = self.article.document.blocks[sentence.block]
        rows = self.article.document.tables[block.table].rows
        row = [f for s in self.around.row(sentence) for f in s.figures if f.kind not in ("ratio", "percent")]
        if len({f.dimension for f in row}) < len(row):
            return True
        column = [r[block.column] for r in rows[1:] if block.column < len(r) and r[block.column] >= 0]
        cells = [s for cell in column[:60] for s in self.article.subjects.of_block(cell)]
        return any(self._is_reference(s) for s in cells)

    def _is_reference(self, sentence: Sentence) -> bool:
        """Whether a cell says that the others are relative to its row: "1.0x", "baseline", a dash."""
        if sentence.has("baseline-label"):
            return True
        return any(n.quantity is not None and n.quantity.low == n.quantity.high == 1 for n in sentence.numbers)

    def _carried(self, sentence: Sentence) -> bool:
        """Whether a sentence before names both sides, and this one goes on about them."""
        own = {m.product or m.start for m in self.article.subjects.mentions(sentence)}
        for earlier in self.around.before(sentence)[:_BEFORE]:
            named = {m.product or m.start for m in self.article.subjects.mentions(earlier)}
            if self._sets_against(earlier) and (not own or own <= named or len(named) > 1):
                return True
        return False

    def _explains(self, sentence: Sentence) -> bool:
        """As in "The baseline is the old scheduler.": the next sentence says what a figure compares with."""
        return not sentence.figures and (sentence.has("no-baseline") or sentence.has("ratio-noun") or sentence.has("baseline-word", "baseline"))

    def _tells_for_all(self, sentence: Sentence) -> bool:
        """As in "All speedups are relative to the A100": a sentence without a figure that gives the baseline of all."""
        if any(f.kind in ("ratio", "percent") for f in sentence.figures) or not sentence.has("ratio-noun"):
            return False
        return any(mark.value == "against" for mark in sentence.of_kind("against-word")) or sentence.has("baseline-word", "baseline")
