"""Ratios, percentages and comparative words, each with the two sides that it sets against each other."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from decimal import Decimal

from caveat.figures.agreement import gives
from caveat.figures.figure import RELATIVE, Figure
from caveat.language.phrases import Mark
from caveat.language.tokens import Tokens
from caveat.markdown.document import Document
from caveat.reading.mentions import Mention
from caveat.reading.sentences import Sentence
from caveat.reading.statements import Statement
from caveat.reading.subjects import BEHIND, STRONG, SubjectReader

_ABSOLUTE = frozenset(("measure", "count", "price"))
# How many words may stand between "than" and the product that it speaks of.
_COMPARAND_REACH = 5
# How many words may stand between a ratio and the product of "1.8x Trainium3's".
_RIGHT_BEHIND = 2
# How long the clause of "twenty times what ... lists for" may be, in words.
_CLAUSE_REACH = 7
_CLOSING = frozenset((".", ",", ";", "!"))
# Words for the products of a sentence by their order.
_PLACES = {"first": 0, "former": 0, "second": 1, "latter": 1, "third": 2}
# First words of a sentence that stand for the figure before it.
_STANDING_IN = frozenset(("that", "this", "it"))
# What a table has in the ratio column of the row that the others are relative to.
_DASHES = frozenset(("-", "–", "—", "−"))
# Before "more" where nothing is compared: "and more", "or better".
_GOING_ON = frozenset(("and", "or", "no", "any"))
# Words that stand for two products named before.
_PLURAL = frozenset(("two", "both", "they", "these", "those"))
_ENDS = frozenset((",", ";", ":", "(", ")", ".", "and"))
# What a clause that opens with a comparand begins behind: "..., and next to Gaudi 3 ...".
_CLAUSE_STARTS = frozenset((",", ";", ":", "and", "but", "while", "("))
# So many ratios back a product may be what one of them is over.
_EARLIER = 3
_PAIR = 2
_EACH = frozenset(("each", "every", "one", "single"))
# So many cells of a row, and rows of a table, are looked at for what a ratio is computed from.
_MOST_CELLS = 60
# Words that set what comes behind them against what goes before.
_AGAINST = frozenset(("than", "over", "against", "versus", "vs"))
# Under a heading, this many sentences may hold the figures that its ratio compares.
_BELOW_HEADING = 3


# A product and the figure printed for it, either of which may be missing.
Half = tuple[Mention | None, Statement | None]


class Side:
    """One side of a comparison: the product, and the figure that the text prints for it, if it prints one."""

    __slots__ = ("mention", "statement")

    def __init__(self, mention: Mention | None, statement: Statement | None) -> None:
        self.mention = mention
        self.statement = statement

    @property
    def product(self) -> str:
        """The registry's id of the product, or ""."""
        return self.mention.product if self.mention else ""


class Comparison:
    """Two sides set against each other by a ratio, a percentage or a comparative word.

    `start` and `end` are what a finding is put on. `figure` is the ratio, None for a word. `statement` is what the text
    says with the ratio. `recomputes` tells whether printed operands give the ratio; None where none are printed.
    """

    __slots__ = ("end", "figure", "left", "recomputes", "right", "sentence", "start", "statement")

    def __init__(
        self,
        sentence: Sentence,
        place: tuple[int, int],
        statement: Statement | None,
        left: Side,
        right: Side,
        *,
        recomputes: bool | None = None,
    ) -> None:
        self.sentence = sentence
        self.start, self.end = place
        self.statement = statement
        self.figure = statement.figure if statement else None
        self.left = left
        self.right = right
        self.recomputes = recomputes


class ComparisonReader:
    """Finds the comparisons of one draft."""

    def __init__(
        self, document: Document, tokens: Tokens, subjects: SubjectReader, statements: dict[int, list[Statement]]
    ) -> None:
        """`statements` are those of each sentence, by the sentence's index."""
        self.document = document
        self.tokens = tokens
        self.subjects = subjects
        self.statements = statements
        self.vocabulary = subjects.registry.vocabulary
        self._previous: Comparison | None = None

    def comparisons(self, sentences: Iterable[Sentence]) -> list[Comparison]:
        """All comparisons, in order of place."""
        found: list[Comparison] = []
        for sentence in sentences:
            here = [self._of_ratio(s) for s in self.statements.get(sentence.index, ()) if s.figure.kind in RELATIVE]
            here += [self._of_word(mark, sentence) for mark in self._words(sentence)]
            for comparison in here:
                if comparison is not None:
                    found.append(comparison)
                    self._previous = comparison
        return found

    def _of_ratio(self, statement: Statement) -> Comparison | None:
        """The comparison that a ratio or percentage makes."""
        figure, sentence = statement.figure, statement.sentence
        operands = self._operands(statement)
        pair = _matching_pair(figure, operands, self._right_behind(statement, operands))
        left, right = self._sides(statement)
        if right[1] is not None and not statement.metric_named:
            statement.metrics, statement.metric_named = right[1].metrics, True
        recomputes: bool | None = None
        if (pair is None and not statement.compares) or self._is_step(figure, sentence):
            return None
        self._as_much(statement)
        if pair is not None:
            recomputes = True
            left, right = _by_statement(pair, left, right)
        elif self._states_both(operands, statement) and not self._over_another(statement, operands, right[0]):
            recomputes = False
            left, right = _by_statement((operands[0], operands[1]), left, right)
        elif (meant := self._meant_by_that(statement, operands, right[0])) is not None:
            left, right = (_unlike(left[0], meant.subject.mention), None), (meant.subject.mention, meant)
        else:
            printed = self._printed_left(statement, operands, right[0], left[0])
            left = (self._told_of(printed, left[0], right[0]), printed) if printed is not None else left
        return Comparison(
            sentence, (figure.start, figure.end), statement, Side(*left), Side(*right), recomputes=recomputes
        )

    def _told_of(self, printed: Statement, left: Mention | None, right: Mention | None) -> Mention | None:
        """The product of the one printed figure: the left one in "At 19.6 TB/s it has 3.7 times what an MI300X has"."""
        mention = printed.subject.mention
        if printed.subject.hold == BEHIND and mention is right:
            mention = None
        return _unlike(mention or left, right)

    def _right_behind(self, ratio: Statement, operands: list[Statement]) -> Statement | None:
        """What "four times the 4.8 TB/s of an H200" is over: the figure that follows the ratio."""
        last = self.tokens.first_from(ratio.figure.end)
        behind = next(
            (o for o in operands if o.sentence is ratio.sentence and o.figure.start >= ratio.figure.end), None
        )
        if behind is None:
            return None
        between = self.tokens.words[last : self.tokens.first_from(behind.figure.start)]
        return behind if len(between) <= _RIGHT_BEHIND and _ENDS.isdisjoint(between) else None

    def _is_step(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "Halve it, and ...": a step of a calculation that the reader is told to take."""
        first, last = self.tokens.first_from(figure.start), self.tokens.first_from(figure.end)
        return first == sentence.first and self.tokens.words[last : last + 1] in (["it"], ["them"], ["that"])

    def _as_much(self, statement: Statement) -> None:
        """For "It has 2.4 times as much": the ratio is of what the comparison before was of."""
        previous, words = self._previous, self.tokens.words
        at = self.tokens.first_from(statement.figure.end)
        if previous is None or previous.statement is None or statement.metric_named:
            return
        if words[at : at + 2] in (["as", "much"], ["as", "many"]) or words[at : at + 1] == ["that"]:
            statement.metrics, statement.metric_named = previous.statement.metrics, previous.statement.metric_named

    def _meant_by_that(self, ratio: Statement, operands: list[Statement], right: Mention | None) -> Statement | None:
        """The figure that "three times that" is over, or "448 GB/s for one card, so the other has twice the rate"."""
        at = self.tokens.first_from(ratio.figure.end)
        before = [o for o in operands if o.figure.end <= ratio.figure.start]
        if not before:
            return None
        if self.tokens.words[at : at + 1] == ["that"] and self.tokens.words[at + 1 : at + 2] != ["of"]:
            return before[-1]
        own = [o for o in before if o.sentence is ratio.sentence and right in (None, o.subject.mention)]
        others = ratio.product and all(o.product and o.product != ratio.product for o in own)
        return own[-1] if len(own) == 1 and others and ratio.subject.hold == STRONG else None

    def _compared_earlier(self, figure: Figure, sentence: Sentence, mentions: list[Mention]) -> list[Mention]:
        """The products that earlier ratios of the sentence compare with: "1.8x the memory of an H100 and ..."."""
        earlier = [f for f in sentence.figures if f.kind in RELATIVE and f.end <= figure.start]
        near = earlier[-_EARLIER:]
        return [m for m in mentions for f in near if m.start >= f.end and self._is_comparand(m, sentence, f)]

    def _printed_left(
        self, statement: Statement, operands: list[Statement], right: Mention | None, left: Mention | None
    ) -> Statement | None:
        """The one printed figure that a ratio sets against a product's that is not printed: "That is 2.3x an H100"."""
        own = [
            o
            for o in operands
            if self._stands_for(o, statement)
            and not self._of_its_own(o, statement, right)
            and (o.subject.hold == BEHIND or o.subject.mention is not right)
            if o.figure.kind != "count"
            or not statement.metric_named
            or self.vocabulary.fits(statement.metrics[0], "count")
        ]
        if len(own) > 1:
            dimensions = self.vocabulary.dimensions
            limits = {limit for name in statement.basis for limit in dimensions[name]["applies_to"]}
            metric = statement.metrics[0] if statement.metric_named else ""
            limits |= set(self.vocabulary.metrics.get(metric, ()))
            own = [o for o in own if o.figure.dimension in limits]
        product = left.product if left is not None and left.product else statement.product
        if len(own) > 1 and product:
            own = [o for o in own if o.sentence is statement.sentence and o.product == product]
        return own[0] if len(own) == 1 else None

    def _of_its_own(self, operand: Statement, ratio: Statement, right: Mention | None) -> bool:
        """As in "A rack has 20.7 TB. Each chip in it has 1.8x ...": a ratio of another thing than the figure before."""
        if operand.sentence is ratio.sentence:
            return False
        named = ratio.subject.hold == STRONG and bool(ratio.product) and ratio.product != operand.product
        named = named and (right is None or right.product != ratio.product)
        units = self._units_of_each(ratio)
        return named or bool(units and operand.basis.get("scope", "") not in units)

    def _units_of_each(self, ratio: Statement) -> set[str]:
        """The units of which "each", "every" or "one" is said before a ratio: "each chip in it has 1.8x"."""
        before = [m for m in ratio.sentence.of_kind("scope") if m.end <= ratio.figure.start]
        return {mark.value for mark in before if self.tokens.words[mark.first - 1] in _EACH}

    def _stands_for(self, operand: Statement, ratio: Statement) -> bool:
        """Whether an operand is in a ratio's sentence, or meant by "it" or by a sentence that begins with the ratio.

        As in "It has 432 GB. Three times the memory of an H200, in other words.".
        """
        sentence = ratio.sentence
        begins = self.tokens.first_from(ratio.figure.start) == sentence.first
        return operand.sentence is sentence or begins or sentence.has("subject-pronoun")

    def _set_against(self, mention: Mention, sentence: Sentence) -> bool:
        """Whether a product is what another one is compared with: "the memory of an H100" is not, "than an H100" is."""
        at = self.tokens.first_from(mention.start) - 1
        skipped = {m.first for m in sentence.marks if m.kind in ("article", "vendor")}
        while at > sentence.first and at in skipped:
            at -= 1
        return self.tokens.words[at] in _AGAINST

    def _states_both(self, operands: list[Statement], ratio: Statement) -> bool:
        """Whether the text prints just two figures that the ratio can be about: one of them its own product's."""
        if len(operands) != 2 or operands[0].product == operands[1].product:
            return False
        surely = ratio.subject.hold == STRONG and bool(ratio.product)
        return not surely or ratio.product in (operands[0].product, operands[1].product)

    def _over_another(self, ratio: Statement, operands: list[Statement], right: Mention | None) -> bool:
        """As in "four times the bandwidth of Trainium3, so 19.6 TB/s, and Ironwood has 7.37": over neither's figure."""
        if right is None or not right.product or right.start < ratio.figure.end:
            return False
        told = any(ratio.figure.end <= o.figure.start < right.start for o in operands if o.sentence is ratio.sentence)
        return not told and all(o.product != right.product for o in operands)

    def _operands(self, statement: Statement) -> list[Statement]:
        """The printed figures that a ratio may have been computed from: of its sentence, row, neighbour or section."""
        sentence = statement.sentence
        block = self.document.blocks[sentence.block]
        if block.table >= 0:
            return self._row_operands(sentence)
        near = _absolute(self.statements.get(sentence.index, ()))
        if _pairs_up(near):
            return near
        if block.kind == "heading":
            below = self.subjects.of_block(sentence.block + 1)[:_BELOW_HEADING]
            return [s for other in below for s in _absolute(self.statements.get(other.index, ()))]
        if block.item >= 0 and (paired := self._with_item_before(statement, near)):
            return paired
        for back in (1, 2):
            if sentence.place >= back:
                near = _absolute(self.statements.get(sentence.index - back, ())) + near
                if _pairs_up(near):
                    return near
        return near

    def _with_item_before(self, ratio: Statement, own: list[Statement]) -> list[Statement]:
        """The figures of a list's item and of the one before it, or the first, if two give a ratio: "2.7x as many"."""
        item = self.document.blocks[ratio.sentence.block].item
        items = self.document.lists[self.document.items[item].list].items
        at = bisect_left(items, item)
        for before in dict.fromkeys((items[at - 1], items[0])) if at and own else ():
            blocks = self.document.items[before].blocks[:1]
            told = [s for b in blocks for o in self.subjects.of_block(b) for s in self.statements.get(o.index, ())]
            both = _absolute(told) + own
            pair = _matching_pair(ratio.figure, both)
            if pair is not None and not all(s in own for s in pair):
                return both
        return []

    def _row_operands(self, sentence: Sentence) -> list[Statement]:
        """The figures of a ratio's row, or of its row and of the row that it is relative to (1x)."""
        block = self.document.blocks[sentence.block]
        rows = self.document.tables[block.table].rows
        own = self._row_statements(rows, block.row)
        measured = _absolute(own)
        if _pairs_up(measured):
            return measured
        for row in range(1, min(len(rows), _MOST_CELLS)):
            if row != block.row and self._is_reference(rows, row, block.column):
                return measured + _absolute(self._row_statements(rows, row))
        return measured

    def _row_statements(self, rows: list[list[int]], row: int) -> list[Statement]:
        cells = [s for b in rows[row][:_MOST_CELLS] if b >= 0 for s in self.subjects.of_block(b)]
        return [statement for cell in cells for statement in self.statements.get(cell.index, ())]

    def _is_reference(self, rows: list[list[int]], row: int, column: int) -> bool:
        """Whether a row's cell in a ratio column says that it is what the others are relative to: "1.0x", "–"."""
        if column >= len(rows[row]) or rows[row][column] < 0:
            return False
        block = self.document.blocks[rows[row][column]]
        if self.document.prose[block.start : block.end].strip() in _DASHES:
            return True
        cells = self.subjects.of_block(rows[row][column])
        said = [n for cell in cells for n in cell.numbers if n.figure is None or n.figure.kind == "ratio"]
        return any(n.quantity is not None and n.quantity.low == n.quantity.high == 1 for n in said)

    def _sides(self, statement: Statement) -> tuple[Half, Half]:
        """The products of a comparison by the words around it: what is compared, and with what."""
        sentence = statement.sentence
        mentions = self.subjects.mentions(sentence)
        if self.document.blocks[sentence.block].table >= 0:
            mentions = mentions or self._table_mentions(statement)
        elif not mentions and sentence.place > 0 and self._answers(sentence):
            before = self.subjects.mentions(self.subjects.sentences[sentence.index - 1])
            if len(before) == 2 and before[0].product != before[1].product:
                return (before[0], None), (before[1], None)
        figure = statement.figure
        if ordered := self._by_order(figure, sentence, mentions):
            return (ordered[0], None), (ordered[1], None)
        behind = [m for m in mentions if m.start >= figure.end]
        stands_in = len(behind) == len(mentions) and self.subjects.has_pronoun(sentence, figure.start, "it")
        compared = [m for m in mentions if self._is_comparand(m, sentence, figure)]
        right = self._compared_with(figure, sentence, compared)
        others = [m for m in mentions if right is None or m.product != right.product or not m.product]
        others = [m for m in others if m not in compared] or others
        taken = self._compared_earlier(figure, sentence, mentions)
        before = [m for m in others if m.end <= figure.start and not self._set_against(m, sentence) and m not in taken]
        left = (
            before[-1]
            if before
            else None
            if stands_in
            else next((m for m in others if not self._set_against(m, sentence) and m not in taken), None)
        )
        if right is None and left is not None:
            right = self._yardstick(sentence, left)
        if right is None and left is not None and (told := self._told_before(statement, left)) is not None:
            return (left, None), (told.subject.mention, told)
        if right is None and left is not None:
            right = next((m for m in others if m.product != left.product), None)
        if left is None:
            left = self._part_meant(self._carried_left(statement, right), statement)
        if right is None and left is not None:
            right = self._carried_right(statement, left)
        return (left, None), (right, None)

    def _yardstick(self, sentence: Sentence, left: Mention) -> Mention | None:
        """As in "Take the H200 as the yardstick. Ironwood's HBM3e is half as large again": what all is over."""
        before = self.subjects.sentences[sentence.index - 1] if sentence.place else None
        mentions = self.subjects.mentions(before) if before is not None and not before.figures else []
        if before is None or len(mentions) != 1 or mentions[0].product in ("", left.product):
            return None
        at = self.tokens.first_from(mentions[0].end)
        return mentions[0] if self.tokens.words[at] == "as" and before.has("yardstick") else None

    def _told_before(self, statement: Statement, left: Mention) -> Statement | None:
        """The one figure of the sentence before that a ratio without a comparand is over.

        As in "The H200 has 4.8 TB/s. Ironwood has about half as much again", "... An MI300X has 10% more bandwidth".
        """
        sentence, figure = statement.sentence, statement.figure
        last = self.tokens.first_from(figure.end)
        behind = self.tokens.words[last : min(sentence.last, last + _CLAUSE_REACH)]
        again = self.tokens.words[last - 1] == "again"
        elliptical = again or (behind[:1] in (["more"], ["less"]) and behind[1:2] in ([","], ["."], [";"], []))
        if sentence.place == 0 or not left.product or not _AGAINST.isdisjoint(behind):
            return None
        told = [s for s in _absolute(self.statements.get(sentence.index - 1, ())) if s.subject.hold == STRONG]
        if figure.direction and statement.metric_named:
            told = [s for s in told if s.metrics[:1] == statement.metrics[:1]]
        elif not elliptical:
            return None
        return told[0] if len(told) == 1 and told[0].product not in ("", left.product) else None

    def _compared_with(self, figure: Figure, sentence: Sentence, compared: list[Mention]) -> Mention | None:
        """Of the products that words such as "than" lead up to, the one that a ratio is over.

        As in "Next to an H200 it has 36% more memory, and next to Gaudi 3 half as much again": one that leads its
        clause is what the ratios behind it are over, and none before it is.
        """
        if len(compared) <= 1:
            return compared[0] if compared else None
        leading = [m for m in compared if self._leads_clause(m, sentence)]
        behind = [m for m in compared if m.start >= figure.end and m not in leading]
        lead = next((m for m in reversed(leading) if m.end <= figure.start), None)
        following = next(
            (f.start for f in sentence.figures if f.kind in RELATIVE and f.start >= figure.end), sentence.end
        )
        if lead is not None and (not behind or behind[0].start > following):
            return lead
        return behind[0] if behind else compared[-1]

    def _leads_clause(self, mention: Mention, sentence: Sentence) -> bool:
        """As in "Against an H100, ...", "..., and next to Gaudi 3 ...": a comparand that its clause opens with."""
        if not any(f.kind in RELATIVE and f.start >= mention.end for f in sentence.figures):
            return False
        at = self.tokens.first_from(mention.start)
        lead = next((m for m in reversed(sentence.of_kind("comparand-word")) if m.last <= at), None)
        if lead is None or at - lead.last > _COMPARAND_REACH:
            return False
        return lead.first == sentence.first or (
            self.tokens.words[lead.first - 1] in _CLAUSE_STARTS and self.tokens.words[lead.first] not in ("than", "as")
        )

    def _by_order(self, figure: Figure, sentence: Sentence, mentions: list[Mention]) -> tuple[Mention, Mention] | None:
        """The sides of "the first is 1.3 times the second", by the order in which the sentence names the products."""
        words, first = self.tokens.words, self.tokens.first_from(figure.start)
        last = self.tokens.first_from(figure.end)
        behind = [at for at in range(last, min(sentence.last, last + _CLAUSE_REACH)) if words[at] in _PLACES]
        before = [at for at in range(sentence.first, first) if words[at] in _PLACES]
        if not behind or not before or words[behind[0] - 1] != "the":
            return None
        places = _PLACES[words[before[0]]], _PLACES[words[behind[0]]]
        known = [m for m in mentions if m.end <= figure.start]
        return (known[places[0]], known[places[1]]) if max(places) < len(known) else None

    def _answers(self, sentence: Sentence) -> bool:
        """Whether the sentence before asks a question."""
        before = self.subjects.sentences[sentence.index - 1]
        return "?" in self.tokens.words[max(before.first, before.last - 2) : before.last]

    def _table_mentions(self, statement: Statement) -> list[Mention]:
        subject = statement.subject
        return ([subject.mention] if subject.mention else []) + subject.others

    def _carried_left(self, statement: Statement, right: Mention | None) -> Mention | None:
        """What the comparison is of when its sentence names only the other side."""
        previous = self._previous
        if previous is not None and previous.sentence.block == statement.sentence.block and previous.left.mention:
            return previous.left.mention
        block = self.document.blocks[statement.sentence.block]
        given = self.subjects.given(statement.sentence) if block.table < 0 else statement.subject
        if given.hold == BEHIND:
            return None
        mentions = ([given.mention] if given.mention else []) + given.others
        return next((m for m in mentions if right is None or m.product != right.product), None)

    def _part_meant(self, whole: Mention | None, ratio: Statement) -> Mention | None:
        """For "The rack has 20.7 TB. Each chip in it has 1.8x ...": the part of what was named before."""
        products, figure, units = self.subjects.registry.products, ratio.figure, self._units_of_each(ratio)
        if whole is None or not whole.product or not units:
            return whole
        parts = [products[part] for part in products[whole.product].contains if products[part].unit in units]
        if len(parts) != 1:
            return whole
        return Mention(figure.start, figure.start, parts[0].id, parts[0].vendor, parts[0].unit, Decimal(1))

    def _carried_right(self, statement: Statement, left: Mention) -> Mention | None:
        """What a list's lead-in, a table's caption or a pronoun's sentence says that things are compared with."""
        sentence = statement.sentence
        block = self.document.blocks[sentence.block]
        rival = self._rival_of_section(statement, left) if block.table < 0 else None
        rival = rival or (self._rival_of_table(statement, left) if block.table < 0 else None)
        if rival is not None or (block.item < 0 and block.table < 0 and not sentence.has("subject-pronoun")):
            return rival
        given = self.subjects.given(sentence)
        if given.hold == BEHIND:
            return None
        mentions = ([given.mention] if given.mention else []) + given.others
        if block.table >= 0:
            mentions = mentions + self._reference_of_caption(self.document.tables[block.table].before)
        return next((m for m in mentions if m.product != left.product), None)

    def _rival_of_section(self, statement: Statement, left: Mention) -> Mention | None:
        """Under "Gaudi 3 or H200?", what "the H200 has 8% more" is over: the other one of the two in the heading."""
        sentence, heading = statement.sentence, self.subjects.heading_of(statement.sentence.block)
        words = self.tokens.words[sentence.first : sentence.last]
        told = statement.figure.direction or statement.metric_named
        if heading < 0 or not told or not _AGAINST.isdisjoint(words):
            return None
        named = [m for s in self.subjects.of_block(heading) for m in self.subjects.mentions(s)]
        products = {m.product for m in named}
        if len(products) != _PAIR or "" in products or left.product not in products:
            return None
        return next(m for m in named if m.product != left.product)

    def _rival_of_table(self, statement: Statement, left: Mention) -> Mention | None:
        """Right under a table of two products, what "Ironwood has a third more memory" is over: the other one."""
        block = statement.sentence.block
        table = self.document.blocks[block - 1].table if block > 0 else -1
        first = self.tokens.first_from(statement.figure.end)
        words = self.tokens.words[first : statement.sentence.last]
        if table < 0 or not statement.figure.direction or not _AGAINST.isdisjoint(words):
            return None
        rows = self.document.tables[table].rows[:_MOST_CELLS]
        labels = [*rows[0][:_MOST_CELLS], *(row[0] for row in rows[1:] if row)]
        cells = [s for cell in labels if cell >= 0 for s in self.subjects.of_block(cell)]
        named = [m for s in cells for m in self.subjects.mentions(s)]
        products = {m.product for m in named}
        if len(products) != _PAIR or "" in products or left.product not in products:
            return None
        return next(m for m in named if m.product != left.product)

    def _reference_of_caption(self, block: int) -> list[Mention]:
        """As in "Each row divides the card's figure by that of an H100": the one product of a table's lead-in."""
        mentions = [m for s in self.subjects.of_block(block) for m in self.subjects.mentions(s)] if block >= 0 else []
        return mentions if len({m.product for m in mentions}) == 1 else []

    def _is_comparand(self, mention: Mention, sentence: Sentence, figure: Figure) -> bool:
        """Whether a word such as "than", "over" or "against" leads up to a product."""
        leads = {m.last: m for m in sentence.marks if m.kind == "comparand-word"}
        skipped = {m.first for m in sentence.marks if m.kind in ("article", "vendor")}
        at = self.tokens.first_from(mention.start)
        for step in range(at, max(sentence.first, at - _COMPARAND_REACH) - 1, -1):
            lead = leads.get(step)
            if lead is not None and (step == at or step in skipped):
                word = self.tokens.words[step - 1]
                return word not in ("of", "as", "what", "from") or mention.start > figure.start or word == "from"
            if step != at and step not in skipped:
                break
        return mention.start > figure.end and (
            self._possessive_behind(mention, figure) or self._in_what_clause(mention, figure)
        )

    def _in_what_clause(self, mention: Mention, figure: Figure) -> bool:
        """As in "twenty times what the board lists for eight H100s": a product in the clause that a ratio is over."""
        last, first = self.tokens.first_from(figure.end), self.tokens.first_from(mention.start)
        between = self.tokens.words[last:first]
        return between[:1] == ["what"] and len(between) <= _CLAUSE_REACH and _ENDS.isdisjoint(between)

    def _possessive_behind(self, mention: Mention, figure: Figure) -> bool:
        """As in "1.8x Trainium3's 2.52 PFLOPs": the product right behind the ratio is what it is compared with."""
        between = self.tokens.words[self.tokens.first_from(figure.end) : self.tokens.first_from(mention.start)]
        return len(between) <= _RIGHT_BEHIND and _ENDS.isdisjoint(between)

    def _words(self, sentence: Sentence) -> list[Mark]:
        """The comparative words of a sentence that are no part of a ratio."""
        if any(s.figure.kind in RELATIVE for s in self.statements.get(sentence.index, ())):
            return []
        said = {mark.last for mark in sentence.of_kind("more-words")}  # "until Google says more" compares nothing
        bare = [
            mark
            for mark in sentence.of_kind("bare-comparative")
            if mark.last not in said and self._ends_clause(mark, sentence)
        ]
        return sentence.of_kind("comparative") + bare

    def _ends_clause(self, mark: Mark, sentence: Sentence) -> bool:
        """As in "The H200's 3,958 TFLOPS is higher.": a comparative that says nothing of the other side.

        Likewise "Beside the A100's 312 TFLOPS it looks faster at 1,835 TFLOPS", whose other side opens the sentence.
        """
        if mark.last >= sentence.last or self.tokens.words[mark.last] in _CLOSING:
            return True
        opened = any(lead.first == sentence.first for lead in sentence.of_kind("comparand-word"))
        return opened and self.tokens.words[mark.last] in ("with", "at")

    def _before(self, sentence: Sentence, one: Statement) -> list[Statement]:
        """The one figure of the same kind in the sentence before, of another product."""
        if sentence.place == 0:
            return []
        printed = _absolute(self.statements.get(sentence.index - 1, ()))
        alike = [s for s in printed if s.figure.dimension == one.figure.dimension]
        return alike if len(alike) == 1 and alike[0].product != one.product else []

    def _of_both(self, sentence: Sentence) -> tuple[list[Statement], list[Statement]]:
        """For "The two are level on compute": the two like figures of the sentences before, of two products."""
        if _PLURAL.isdisjoint(self.tokens.words[sentence.first : sentence.last]):
            return [], []
        before = range(sentence.index - min(sentence.place, 2), sentence.index)
        near = [s for index in before for s in _absolute(self.statements.get(index, ()))]
        if len(near) != 2 or near[0].subject.mention is near[1].subject.mention:
            return [], []
        return near[:1], near[1:]

    def _opposed(self, told: list[Statement], mark: Mark) -> list[Statement]:
        """As in "Next to the A100's 312 TFLOPS, the 1,835 TFLOPS in Gaudi 3 is far higher.": the first of the two."""
        if len(told) < _PAIR or mark.value == "equal" or self.tokens.words[mark.first - 1] in _GOING_ON:
            return []
        one, other = told[-_PAIR:]
        apart = one.product != other.product and one.figure.dimension == other.figure.dimension
        return [one] if apart else []

    def _set_apart(self, pair: list[Statement]) -> bool:
        """As in "holds more memory than the HGX B200: 20.7 TB against 1.4 TB": the two figures, of two products."""
        one, other = pair
        between = self.tokens.words[self.tokens.first_from(one.figure.end) : self.tokens.first_from(other.figure.start)]
        return between in (["against"], ["to"], ["versus"], ["vs"]) and one.product != other.product

    def _of_word(self, mark: Mark, sentence: Sentence) -> Comparison | None:
        """The comparison that a comparative word makes between the printed figures on its two sides."""
        printed = _absolute(self.statements.get(sentence.index, ()))
        left = [s for s in printed if s.figure.end <= mark.start]
        right = [s for s in printed if s.figure.start >= mark.end]
        if left and not right and self._ends_clause(mark, sentence):
            right = self._opposed(left, mark) or self._before(sentence, left[-1])
        if right and not left and self.tokens.words[sentence.first] in _STANDING_IN:
            left = self._before(sentence, right[0])
        if not left and len(right) == _PAIR and self._set_apart(right):
            left, right = right[:1], right[1:]
        if not printed:
            left, right = self._of_both(sentence)
        if not left or not right or left[-1].figure.dimension != right[0].figure.dimension:
            return None
        one, other = left[-1], right[0]
        return Comparison(
            sentence,
            (mark.start, mark.end),
            None,
            Side(_named(one, other), one),
            Side(_named(other, one), other),
        )


def _absolute(statements: Iterable[Statement]) -> list[Statement]:
    return [s for s in statements if s.figure.kind in _ABSOLUTE]


def _pairs_up(statements: list[Statement]) -> bool:
    """Whether two of the figures have the same dimension."""
    dimensions = [s.figure.dimension for s in statements]
    return len(set(dimensions)) < len(dimensions)


def _matching_pair(
    figure: Figure, operands: list[Statement], surely: Statement | None = None
) -> tuple[Statement, Statement] | None:
    """The first two operands whose quotient is the ratio as printed; with what it is `surely` over first."""
    for one in operands[:12] if surely is not None else ():
        alike = surely is not None and one is not surely and one.figure.dimension == surely.figure.dimension
        if surely is not None and alike and gives(one.figure, surely.figure, figure):
            return one, surely
    for index, one in enumerate(operands[:12]):
        for other in operands[index + 1 : 12]:
            if one.figure.dimension != other.figure.dimension:
                continue
            for left, right in ((one, other), (other, one)):
                if gives(left.figure, right.figure, figure):
                    return left, right
    return None


def _by_statement(pair: tuple[Statement, Statement], left: Half, right: Half) -> tuple[Half, Half]:
    """The printed operands as the two sides, each with its product, or with the one that the words give it alone."""
    one, other = pair
    ours, theirs = _named(one, other), _named(other, one)
    apart = left[0] is not None and right[0] is not None and left[0] is not right[0]
    if apart and ours is not None and ours is theirs and left[0] is not None and not left[0].product:
        return (left[0], one), (right[0], other)  # "A GH200 is half as wide as an H200: 450 GB/s and 900 GB/s"
    return (ours or _unlike(left[0], theirs), one), (theirs or _unlike(right[0], ours), other)


def _named(one: Statement, other: Statement) -> Mention | None:
    """The product of a printed operand, unless it was only taken for want of another and is the other operand's."""
    mention = one.subject.mention
    return None if one.subject.hold == BEHIND and mention is other.subject.mention else mention


def _unlike(mention: Mention | None, other: Mention | None) -> Mention | None:
    """A product, unless it is the one of the other side."""
    if mention is None or other is None:
        return mention
    return None if mention is other or (mention.product and mention.product == other.product) else mention
