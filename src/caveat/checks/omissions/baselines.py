"""Whether a comparative figure says what it is compared with."""

from __future__ import annotations

from collections.abc import Iterator

from caveat.article import Article
from caveat.checks.claimless import claims_nothing
from caveat.checks.common import figure_finding
from caveat.checks.omissions.changes import Changes
from caveat.checks.omissions.comparands import Comparands
from caveat.checks.omissions.comparatives import Comparatives
from caveat.checks.surroundings import Surroundings, asked_for_gain
from caveat.figures.figure import Figure
from caveat.finding import Finding
from caveat.reading.comparisons import Comparison
from caveat.reading.sentences import Sentence
from caveat.reading.statements import Statement
from caveat.rulebook.rules import Rule

# How many sentences before may name both sides, and how many below a heading.
_BEFORE = 2
_BELOW = 4
# How many blocks under a table still speak of it, and so many cells of a row or column are looked at.
_UNDER = 2
_MOST_CELLS = 60
# How far behind "Release notes" that lead a sentence its colon may stand, in words.
_RELEASE_REACH = 8
_ALL = frozenset(("all", "every", "each", "both", "throughout", "unless"))
# Words that go back to two things named before.
_BACK = frozenset(("it", "they", "first", "second", "former", "latter", "both", "one", "other", "newer", "older",
                   "that", "this", "these", "those", "gap", "difference", "ratio"))  # fmt: skip
_NOBODY = frozenset(("nobody", "none", "nothing"))
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
        if _is_denied(article, sentence) or claims_nothing(article, binding):
            continue
        yield figure_finding(article, rule, figure)


def _is_denied(article: Article, sentence: Sentence) -> bool:
    """As in "Nobody has shown that it is 2x faster"."""
    first, second = article.tokens.words[sentence.first], article.tokens.words[sentence.first + 1 : sentence.first + 2]
    return first in _NOBODY or (first == "no" and second == ["one"])


class _Baselines:
    """What the text sets the comparative figures of a draft against."""

    def __init__(self, article: Article) -> None:
        self.article = article
        self.tokens = article.tokens
        self.around = Surroundings(article)
        self.comparands = Comparands(article)
        self.changes = Changes(article)
        self.workings = article.workings()
        self._set_against: dict[int, bool] = {}
        self._references: dict[tuple[int, int], bool] = {}
        self.computed = article.recomputed.union(c.start for c in article.comparisons if self._of_figure_before(c))
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
        if self._in_sentence(figure, sentence) or self._below_table(sentence) or self._names_recorded(statement):
            return True
        if (question := asked_for_gain(self.article, statement)) is not None:
            return self._sets_against(question)
        place = [s for s in self.around.of_place(sentence) if s is not sentence]
        features = self._lists_features(sentence)
        if any(self._sets_against(s) or (not features and self.changes.tells_cause(s)) for s in place):
            return True
        if self.article.document.blocks[sentence.block].table >= 0 and self._in_table(sentence):
            return True
        if self._in_headings(sentence) or any(self._pairs(s) for s in self.around.opening(sentence)):
            return True
        if self.article.document.blocks[sentence.block].kind == "heading":
            below = self.article.subjects.of_block(sentence.block + 1)[:_BELOW]
            return any(self._sets_against(s) and self._goes_on(s) for s in below)
        return self._carried(sentence) or any(self._explains(s) for s in self.around.behind(sentence)[:1])

    def _of_figure_before(self, comparison: Comparison) -> bool:
        """As in "The H200 has 4.8 TB/s. Ironwood has half as much again": over the figure that was just printed."""
        ratio, other = comparison.statement, comparison.right.statement
        if ratio is None or other is None or ratio.metric_named or comparison.left.mention is None:
            return False
        return other.subject.mention is not None and other.sentence.block == comparison.sentence.block

    def _names_recorded(self, statement: Statement) -> bool:
        """As in "Energy efficiency up 40% on Trainium2": what the registry's claim compares with is named."""
        claims = self.article.binding_of(statement).claims
        named = {mention.product for mention in self.article.subjects.mentions(statement.sentence)}
        return any(claim.compare_to in named for claim in claims if claim.compare_to)

    def _goes_on(self, sentence: Sentence) -> bool:
        """Whether a sentence below a heading takes up its figure; further down, by a ratio or an old version."""
        if sentence.has("no-baseline") or any(sentence.has("baseline-word", v) for v in ("predecessor", "point")):
            return True
        if any(f.kind in ("ratio", "percent") for f in sentence.figures):
            return True
        named = bool(sentence.figures) or bool(self.comparands.sides(sentence, sentence.end))
        return named and sentence.place == 0

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

    def _in_sentence(self, figure: Figure, sentence: Sentence) -> bool:
        """Whether the sentence of a figure itself names the other side."""
        comparands = self.comparands
        opening = [mark.last for mark in sentence.of_kind("release-heading") if mark.first == sentence.first]
        if opening and ":" in self.tokens.words[opening[0] : opening[0] + _RELEASE_REACH]:
            return True  # "Release notes for 4.1: start-up is 30% faster"
        if comparands.names_other_side(sentence, figure) or self.changes.has_start(figure, sentence):
            return True
        if len(comparands.sides(sentence, figure.start)) > 1 or self._refers_back(figure, sentence):
            return True
        if comparands.moves(sentence, own=True):
            return True
        feature = self.changes.is_feature(sentence) or self._lists_features(sentence)
        if self.changes.tells_cause(sentence) and not feature:
            return True
        # What one ratio of a sentence is over, the others are too: "4x the speed at half the cost of GPUs".
        ratios = [f for f in sentence.figures if f.kind == "ratio" or f is figure]
        return any(comparands.has_other_side(f, sentence) for f in ratios)

    def _lists_features(self, sentence: Sentence) -> bool:
        """As in a row "Prefix caching" under "Feature": what a product has, and nothing that was changed."""
        if self.article.sourcing.is_own(sentence) or self.article.sourcing.in_own_report(sentence):
            return False
        place = self.around.of_place(sentence)
        return any(s.has("feature-noun") for s in place if s is not sentence and not s.figures)

    def _refers_back(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "It has 80 GB. The other card has twice as much.": as much as was told before."""
        last = self.tokens.first_from(figure.end)
        words = self.tokens.words[last : last + 3]
        ends = len(words) < 3 or last + 2 >= sentence.last or words[2] in (".", ",", ";", "!", "again")
        return words[:1] == ["as"] and ends and any(s.figures for s in self.around.before(sentence)[:_BEFORE])

    def _sets_against(self, sentence: Sentence) -> bool:
        """Whether a sentence around a figure names both sides, or the other one."""
        known = self._set_against.get(sentence.index)
        if known is None:
            known = self._set_against[sentence.index] = (
                len(self.comparands.sides(sentence, sentence.end)) > 1
                or self.comparands.names_other_side(sentence)
                or self.comparands.moves(sentence, own=False)
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
        if len(self.comparands.sides(sentence, sentence.end)) > 1 or self._names_baseline(sentence):
            return True
        return any(
            mark.value == "against" and self.comparands.leads(mark, sentence)
            for mark in sentence.of_kind("against-word")
        )

    def _names_baseline(self, sentence: Sentence) -> bool:
        """As in "the baseline is the L40S", "our yardstick"."""
        return any(sentence.has("baseline-word", value) for value in ("baseline", "point")) or sentence.has("yardstick")

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
        if self._references[place] or self._names_both(sentence):
            return True
        if any(self._is_reference(s) and s.figures for s in self.around.row(sentence) if s is not sentence):
            return True
        printed = [f for s in self.around.row(sentence) for f in s.figures if f.kind not in ("ratio", "percent")]
        return len({f.dimension for f in printed}) < len(printed)

    def _names_both(self, sentence: Sentence) -> bool:
        """As in a column "Ironwood is" with other chips in the rows: one side heads the column, one labels the row."""
        block = self.article.document.blocks[sentence.block]
        rows = self.article.document.tables[block.table].rows
        labels = [rows[0][block.column : block.column + 1], rows[block.row][:1]]
        cells = [s for found in labels for cell in found if cell >= 0 for s in self.article.subjects.of_block(cell)]
        return len({side for s in cells for side in self.comparands.sides(s, s.end)}) > 1

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
        own, names = self.comparands.sides(sentence, sentence.end), self._organisations(sentence)
        for earlier in self.around.before(sentence)[:_BEFORE]:
            named = self.comparands.sides(earlier, earlier.end)
            asks = earlier.has("change") or not names or self.comparands.names_other_side(earlier)
            if "question" in self.article.stances.of(earlier) and asks:
                return True  # an answer; a vendor's claim needs a question that compares
            others = self._organisations(earlier)
            if names and others and names.isdisjoint(others) and not self.article.sourcing.is_own(sentence):
                return False
            if self._sets_against(earlier) and (own <= named or len(named) > 1 or self._pairs(earlier)):
                return bool(own) or not self._is_new_topic(sentence, earlier)
        return False

    def _is_new_topic(self, sentence: Sentence, earlier: Sentence) -> bool:
        """Whether a sentence behind one that only lists two products speaks of a third thing, by its own words."""
        if self.comparands.names_other_side(earlier) or self.comparands.moves(earlier, own=False):
            return False
        if self.article.sourcing.is_own(sentence) or earlier.figures:
            return False
        return _BACK.isdisjoint(self.tokens.words[sentence.first : sentence.last])

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
