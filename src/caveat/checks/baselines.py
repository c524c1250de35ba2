"""Whether a comparative figure says what it is compared with."""

from __future__ import annotations

from collections.abc import Iterator

from caveat.arithmetic.shown import Workings
from caveat.article import Article
from caveat.checks.claimless import claims_nothing
from caveat.checks.common import finding
from caveat.checks.comparatives import Comparatives
from caveat.checks.models import ends_in_size
from caveat.checks.surroundings import Surroundings
from caveat.figures.figure import Figure
from caveat.finding import Finding
from caveat.language.phrases import Mark
from caveat.reading.sentences import Sentence
from caveat.reading.statements import Statement
from caveat.rulebook.rules import Rule

# How many words behind a ratio its product may stand ("2x H100 throughput"), and the "of" of the other side.
_RIGHT_BEHIND = 3
_OF_REACH = 8
# How many words behind a ratio "as" and a clause may begin; behind "from", the old value; before a figure, a deed.
_AS_REACH = 24
_CLAUSE_REACH = 6
_FROM_REACH = 4
_DEED_REACH = 8
# How many sentences before may name both sides, and how many below a heading.
_BEFORE = 2
_BELOW = 4
# How many blocks under a table still speak of it, and so many cells of a row or column are looked at.
_UNDER = 2
_MOST_CELLS = 60
_OPENERS = frozenset(
    ("the", "a", "an", "its", "their", "our", "that", "those", "what", "any", "one", "another", "each", "this")
)
_CLOSERS = frozenset(
    (".", ",", ";", ":", "(", ")", "and", "but", "in", "on", "for", "with", "at", "by", "per", "from", "to", "of")
)
_WITHIN = frozenset(("of", "per", "in", "on"))
_YEAR_LEADS = frozenset(("in", "by", "between", "from", "to", "until", "of", "for"))
_ALL = frozenset(("all", "every", "each", "both", "throughout", "unless"))
_CAUSING = frozenset(("by", "after", "the", "this", "that", "with", "from", ",", "we", "they", "you", "i"))
_DOERS = frozenset(("we", "i", "have", "ve"))
_CLAUSES = frozenset(("that", "which", "it", "they", "what", "we", "you"))
_DRAWN = (["that", "is"], ["that", "'s"], ["that", "was"], ["that", "makes"], ["that", "gives"], ["that", "means"],
          ["this", "is"], ["this", "was"], ["this", "makes"], ["this", "gives"], ["this", "means"])  # fmt: skip


def missing_baseline(article: Article, rule: Rule) -> Iterator[Finding]:
    """Ratios and percentages of more or less that are compared with nothing, in their sentence or around it.

    Option: `kinds` of figures that compare.
    """
    kinds = frozenset(rule.options["kinds"])
    comparatives, baselines = Comparatives(article), _Baselines(article)
    for binding in article.bindings:
        statement = binding.statement
        figure, sentence = statement.figure, statement.sentence
        if figure.kind not in kinds or not comparatives.compares(statement) or baselines.has(statement):
            continue
        if article.stances.disowns(sentence) or article.stances.rejects(sentence, figure):
            continue
        if claims_nothing(article, binding):
            continue
        yield finding(rule, figure.start, figure.end, figure=article.words(figure.start, figure.end))


class _Baselines:
    """What the text sets the comparative figures of a draft against."""

    def __init__(self, article: Article) -> None:
        self.article = article
        self.tokens = article.tokens
        self.around = Surroundings(article)
        self.workings = Workings(article.document)
        self._set_against: dict[int, bool] = {}
        self._references: dict[tuple[int, int], bool] = {}
        self.computed = {comparison.start for comparison in article.comparisons if comparison.recomputes}
        self.covered = any(self._tells_for_all(sentence) for sentence in article.sentences)
        self.own_comparison = any(sentence.has("own-comparison") for sentence in article.sentences)

    def has(self, statement: Statement) -> bool:
        """Whether something is named, or plainly carried over, with which a figure compares."""
        figure, sentence = statement.figure, statement.sentence
        if self.covered or (self.own_comparison and not self.article.sourcing.own(sentence).named):
            return True
        if figure.start in self.computed or self.article.is_result(statement):
            return True
        if self.article.sourcing.points_at_own(sentence) or self._draws(sentence) or self._is_worked(figure, sentence):
            return True
        if self._in_sentence(statement) or self._of_change(sentence) or self._below_table(sentence):
            return True
        place = [s for s in self.around.of_place(sentence) if s is not sentence]
        if any(self._sets_against(s) or self._of_change(s) for s in place):
            return True
        if self.article.document.blocks[sentence.block].table >= 0 and self._in_table(sentence):
            return True
        if self._in_headings(sentence) or any(self._pairs(s) for s in self.around.opening(sentence)):
            return True
        if self.article.document.blocks[sentence.block].kind == "heading":
            below = self.article.subjects.of_block(sentence.block + 1)[:_BELOW]
            return any(self._sets_against(s) and self._goes_on(s) for s in below)
        return self._carried(sentence) or any(self._explains(s) for s in self.around.behind(sentence)[:1])

    def _goes_on(self, sentence: Sentence) -> bool:
        """Whether a sentence below a heading has figures or products: "no more precise than its title" has none."""
        return bool(sentence.figures) or bool(self._products(sentence, sentence.end)) or sentence.has("baseline-word")

    def _draws(self, sentence: Sentence) -> bool:
        """As in "That is 77x slower": what follows from what the text has just shown."""
        return self.tokens.words[sentence.first : sentence.first + 2] in _DRAWN

    def _is_worked(self, figure: Figure, sentence: Sentence) -> bool:
        """Whether code or mathematics in the sentence, or around the paragraph of a derivation, gives the figure."""
        if self.workings.between(sentence.start, sentence.end):
            return True
        blocks = self.article.document.blocks
        first, last = max(0, sentence.block - 1), min(len(blocks) - 1, sentence.block + 1)
        return figure.in_words and self.workings.between(blocks[first].start, blocks[last].end)

    def _in_sentence(self, statement: Statement) -> bool:
        """Whether the sentence of a figure itself names the other side."""
        figure, sentence = statement.figure, statement.sentence
        if self._names_other_side(sentence) or self._changes_in_time(sentence):
            return True
        if len(self._products(sentence, figure.start)) > 1 or self._refers_back(figure, sentence):
            return True
        if self._moves(sentence, own=True) or self._was_done(figure, sentence):
            return True
        # What one ratio of a sentence is over, the others are too: "4x the speed at half the cost of GPUs".
        ratios = [f for f in sentence.figures if f.kind == "ratio" or f is figure]
        return any(self._has_other_side(f, sentence) for f in ratios)

    def _products(self, sentence: Sentence, stop: int) -> set[str | int]:
        """The products that a sentence names before an offset; a model is none."""
        models = {mark.start for mark in sentence.of_kind("model-family")}
        mentions = (m for m in self.article.subjects.mentions(sentence) if m.end <= stop and m.start not in models)
        return {m.product or m.start for m in mentions if not ends_in_size(self.article.words(m.start, m.end))}

    def _refers_back(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "It has 80 GB. The other card has twice as much.": as much as was told before."""
        last = self.tokens.first_from(figure.end)
        words = self.tokens.words[last : last + 3]
        ends = len(words) < 3 or last + 2 >= sentence.last or words[2] in (".", ",", ";", "!")
        return words[:1] == ["as"] and ends and any(s.figures for s in self.around.before(sentence)[:_BEFORE])

    def _changes_in_time(self, sentence: Sentence) -> bool:
        """As in "rose 40% last year", "has doubled since 2022": a change, and the time that it took."""
        if sentence.has("change-verb") and sentence.has("time-span", "pace"):
            return True
        if not sentence.has("change-verb", "changed"):
            return False
        years = [n for n in sentence.numbers if n.reading in ("year", "date") and self._leads_to_year(n.start)]
        return sentence.has("time-span") or bool(years)

    def _leads_to_year(self, start: int) -> bool:
        return self.tokens.words[self.tokens.first_from(start) - 1] in _YEAR_LEADS

    def _was_done(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "We cut latency by 30%": what was before is what it compares with."""
        first, words = self.tokens.first_from(figure.start), self.tokens.words
        deeds = [m.first for m in sentence.of_kind("deed-verb") if m.first <= first and first - m.last <= _DEED_REACH]
        return any(words[at - 1] in _DOERS for at in deeds)

    def _has_other_side(self, figure: Figure, sentence: Sentence) -> bool:
        """Whether the words behind a ratio give what it is over."""
        return (
            self._is_of_other(figure, sentence)
            or self._is_multiple_of(figure, sentence)
            or self._is_as_much(figure, sentence)
            or self._is_in_clause(figure, sentence)
        )

    def _is_as_much(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "5x as many tokens from Trainium3 as from Trainium2", "twice as fast as the last one"."""
        last = self.tokens.first_from(figure.end)
        words = self.tokens.words[last : min(sentence.last, last + _AS_REACH)]
        return words[:1] == ["as"] and "as" in words[1:]

    def _is_in_clause(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "three times the bandwidth that it has on the H200": a product in a clause behind the ratio."""
        for mention in self.article.subjects.mentions(sentence):
            if mention.start < figure.end:
                continue
            between = self.tokens.words[self.tokens.first_from(figure.end) : self.tokens.first_from(mention.start)]
            return not _CLAUSES.isdisjoint(between) and between[:1] == ["the"] and "," not in between
        words = self.tokens.words[self.tokens.first_from(figure.end) : sentence.last]
        return words[:1] == ["the"] and not _CLAUSES.isdisjoint(words[2:_CLAUSE_REACH])

    def _names_other_side(self, sentence: Sentence) -> bool:
        """Whether words of a sentence set something against something, or say that they do not."""
        if sentence.has("baseline-word") or sentence.has("no-baseline"):
            return True
        if any(mark.value != "equal" for mark in sentence.of_kind("comparative")):
            return True
        if self.tokens.words[sentence.first : sentence.first + 1] == ["without"]:
            return True
        return any(self._leads(mark, sentence) for mark in sentence.of_kind("against-word"))

    def _leads(self, mark: Mark, sentence: Sentence) -> bool:
        """Whether "than" or "over" leads to the other side, and not to the figure: "more than 2x", "over 40%"."""
        if mark.value == "behind":
            return False
        starts = [
            self.tokens.first_from(f.start)
            for f in sentence.figures
            if f.qualifier_span and f.qualifier_span[0] <= mark.start < f.start
        ]
        if mark.last in starts or mark.last >= sentence.last:
            return False
        return mark.value != "over" or self._leads_over(mark.last, sentence)

    def _leads_over(self, at: int, sentence: Sentence) -> bool:
        """As in "over the H100", "over its predecessor"; not "over 40%", "over the past year", "over time"."""
        words, start = self.tokens.words, self.tokens.starts[at]
        if any(number.start == start and number.reading in ("version", "name") for number in sentence.numbers):
            return True
        if words[at] in _OPENERS:
            return not any(m.first == at + 1 for m in sentence.of_kind("stretch-noun"))
        word = self.article.document.prose[self.tokens.starts[at] : self.tokens.ends[at]]
        named = any(m.first == at for m in (*sentence.of_kind("baseline-word"), *sentence.of_kind("other-side")))
        return named or word[:1].isupper()

    def _is_of_other(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "1.9x the throughput of the H100": what the ratio is over stands behind an "of"."""
        last = self.tokens.first_from(figure.end)
        words = self.tokens.words
        for at in range(last + 1, min(sentence.last - 1, last + _OF_REACH)):
            if words[at] in _CLOSERS and words[at] not in _WITHIN:
                return False
            if words[at] == "of" and at > last:
                word = self.article.document.prose[self.tokens.starts[at + 1] : self.tokens.ends[at + 1]]
                return words[at + 1] in _OPENERS or word[:1].isupper()
        return False

    def _is_multiple_of(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "twice that", "1.8x Trainium3's", "2x what it was": the other side right behind the ratio."""
        last = self.tokens.first_from(figure.end)
        if (
            figure.quantity.low > 1
            and self.tokens.words[last : last + 1] in (["its"], ["their"])
            and self._is_sign(figure)
        ):
            return True
        if any(mark.value == "behind" and 0 <= mark.first - last <= 1 for mark in sentence.of_kind("against-word")):
            return True
        for mention in self.article.subjects.mentions(sentence):
            gap = self.tokens.first_from(mention.start) - last
            if 0 <= gap <= _RIGHT_BEHIND and _CLOSERS.isdisjoint(self.tokens.words[last : last + gap]):
                return True
        return False

    def _is_sign(self, figure: Figure) -> bool:
        """Whether a ratio is no verb: "4x its bandwidth" is over something else, "doubles its bandwidth" is not."""
        word = self.tokens.words[self.tokens.first_from(figure.start)]
        return not word.endswith(("led", "les", "ling", "ble", "ple"))

    def _moves(self, sentence: Sentence, *, own: bool) -> bool:
        """As in "from 12 ms to 9 ms", "down from the 540 ms of May": an old value is printed."""
        words = self.tokens.words
        products = [self.tokens.first_from(m.start) for m in self.article.subjects.mentions(sentence)]
        moving = {mark.last for mark in sentence.of_kind("moving-word")}
        for at in range(sentence.first, sentence.last - 1):
            if words[at] != "from":
                continue
            if at in moving and any(0 < p - at <= _FROM_REACH for p in products):
                return True
            behind = words[at + 1 : min(sentence.last, at + 1 + _FROM_REACH)]
            if any(word[:1].isdigit() for word in behind) or words[at - 1] in ("down", "up"):
                return True
            if own and "to" in words[at + 1 : min(sentence.last, at + 2 * _FROM_REACH)]:
                return True
        return False

    def _of_change(self, sentence: Sentence) -> bool:
        """Whether the sentence tells of something that was done, before which there was the baseline."""
        words = self.tokens.words[sentence.first : sentence.last]
        if any(
            mark.first <= sentence.first + 1 or words[mark.first - sentence.first - 1] in _CAUSING
            for mark in sentence.of_kind("cause-word")
        ):
            return True
        return self.article.sourcing.own(sentence).own and sentence.has("movement-verb")

    def _sets_against(self, sentence: Sentence) -> bool:
        """Whether a sentence around a figure names both sides, or the other one."""
        known = self._set_against.get(sentence.index)
        if known is None:
            known = self._set_against[sentence.index] = (
                len(self._products(sentence, sentence.end)) > 1
                or self._names_other_side(sentence)
                or self._moves(sentence, own=False)
            )
        return known

    def _in_headings(self, sentence: Sentence) -> bool:
        """Whether the heading above names the other side, or one further up two products."""
        headings = self.around.headings(sentence)
        if any(self._is_release(s) for s in headings):
            return True
        return any(self._sets_against(s) for s in headings[:1]) or any(self._pairs(s) for s in headings[1:])

    def _is_release(self, heading: Sentence) -> bool:
        """As in "2.4.0 (2026-02-11)", "Changelog": what is below compares with the release before."""
        opens = any(n.reading == "version" and n.start == heading.start for n in heading.numbers)
        return opens or heading.has("release-heading")

    def _pairs(self, sentence: Sentence) -> bool:
        """Whether a sentence sets one thing against another in so many words, or names two products."""
        if len(self._products(sentence, sentence.end)) > 1 or sentence.has("baseline-word", "baseline"):
            return True
        return any(mark.value == "against" and self._leads(mark, sentence) for mark in sentence.of_kind("against-word"))

    def _below_table(self, sentence: Sentence) -> bool:
        """Whether a paragraph stands right under a table that sets things against each other."""
        blocks, block = self.article.document.blocks, sentence.block
        above = next((b for b in range(block - 1, max(block - 1 - _UNDER, -1), -1) if blocks[b].table >= 0), -1)
        if above < 0 or blocks[block].table >= 0 or any(blocks[b].kind == "heading" for b in range(above, block + 1)):
            return False
        header = self.article.document.tables[blocks[above].table].rows[0][:_MOST_CELLS]
        cells = [s for cell in header if cell >= 0 for s in self.article.subjects.of_block(cell)]
        return (
            any(self._sets_against(s) for s in cells)
            or len({m.product for s in cells for m in self.article.subjects.mentions(s)}) > 1
        )

    def _in_table(self, sentence: Sentence) -> bool:
        """Whether a table has a row or column that others are relative to, or prints what a ratio comes from."""
        block = self.article.document.blocks[sentence.block]
        place = (block.table, block.column)
        if place not in self._references:
            self._references[place] = self._has_reference(*place)
        if self._references[place]:
            return True
        printed = [f for s in self.around.row(sentence) for f in s.figures if f.kind not in ("ratio", "percent")]
        return len({f.dimension for f in printed}) < len(printed)

    def _has_reference(self, table: int, column: int) -> bool:
        """Whether the header of a table sets against something, or a cell of a column is what the others are over."""
        rows, of_block = self.article.document.tables[table].rows, self.article.subjects.of_block
        header = [s for cell in rows[0][:_MOST_CELLS] if cell >= 0 for s in of_block(cell)]
        if any(s.has("against-word", "against") or s.has("baseline-word") for s in header):
            return True
        cells = [row[column] for row in rows[1:_MOST_CELLS] if column < len(row) and row[column] >= 0]
        return any(self._is_reference(s) for cell in cells for s in of_block(cell))

    def _is_reference(self, sentence: Sentence) -> bool:
        """Whether a cell says that the others are relative to its row: "1.0x", "baseline", a dash."""
        if sentence.has("baseline-label"):
            return True
        return any(n.quantity is not None and n.quantity.low == n.quantity.high == 1 for n in sentence.numbers)

    def _carried(self, sentence: Sentence) -> bool:
        """Whether a sentence before names both sides, and this one goes on about them."""
        own, names = self._products(sentence, sentence.end), self._organisations(sentence)
        for earlier in self.around.before(sentence)[:_BEFORE]:
            named = self._products(earlier, earlier.end)
            if "question" in self.article.stances.of(earlier):
                return True
            others = self._organisations(earlier)
            if names and others and names.isdisjoint(others):
                return False
            if self._sets_against(earlier) and (not own or own <= named or len(named) > 1 or self._pairs(earlier)):
                return True
        return False

    def _organisations(self, sentence: Sentence) -> set[str]:
        """The names of the organisations that a sentence speaks of."""
        words = self.tokens.words
        return {" ".join(words[name.first : name.last]) for name in self.article.sourcing.own(sentence).organisations}

    def _explains(self, sentence: Sentence) -> bool:
        """As in "The baseline is the old scheduler.": the next sentence says what a figure compares with."""
        return not sentence.figures and (
            sentence.has("no-baseline") or sentence.has("ratio-noun") or sentence.has("baseline-word", "baseline")
        )

    def _tells_for_all(self, sentence: Sentence) -> bool:
        """As in "All speedups are relative to the A100": a sentence without a figure that gives the baseline of all."""
        if any(f.kind in ("ratio", "percent") for f in sentence.figures) or not sentence.has("ratio-noun"):
            return False
        if _ALL.isdisjoint(self.tokens.words[sentence.first : sentence.last]):
            return False
        return any(mark.value == "against" for mark in sentence.of_kind("against-word")) or sentence.has(
            "baseline-word", "baseline"
        )
