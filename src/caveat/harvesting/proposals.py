"""The figures of drafts as claims that a registry could hold, each with what the draft does not say left open."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

from caveat.article import Article
from caveat.figures.figure import ANY_METRIC, RELATIVE, Figure
from caveat.figures.readings import read_quantity
from caveat.harvesting.citing import Cited, cited
from caveat.harvesting.names import Names
from caveat.harvesting.provisional import PARTS
from caveat.reading.comparisons import Comparison
from caveat.reading.mentions import Mention
from caveat.reading.sentences import Sentence
from caveat.reading.statements import Statement
from caveat.reading.subjects import BEHIND, CARRIED, STRONG
from caveat.registry.registry import UNSTATED, Registry

# Dimensions of a basis that hold for all figures of a sentence, whatever stands by which of them.
_COMMON = frozenset(("scope", "kind"))
# What a rate of work is called in the vocabulary, and the one rate that is none.
_RATE, _OF_DATA = "-rate", "data-rate"
# "8 chips with 144 GB", "144 GB each": words by which an amount is that of a part.
_EACH = frozenset(("each", "every", "per", "apiece"))
_HAVING = frozenset(("with", "at", "having", "of"))
_COMPARES = frozenset(("compare", "compares", "compared", "comparing"))
_WITH = frozenset(("with", "to", "against", "and"))
# "1.4 TB across 8 GPUs": what leads from an amount to the parts that share it, and how many words may stand between.
_ACROSS = frozenset(("across", "over", "among"))
_ACROSS_REACH = 3
# Words for a comparand that are no name: how many there may be, and what ends them.
_MOST_WORDS = 8
_THAN = frozenset(("than", "with", "to", "of", "over", "against"))
_ENDS = frozenset((".", ",", ";", ":", "(", ")", "and", "at", "with", "but", "while", "in", "on", "for", '"', "?", "!"))


class Place(NamedTuple):
    """Where a draft states a figure, and in which words."""

    filename: str
    row: int
    column: int
    words: str


class Proposal:
    """A claim as drafts state it. "" is what they do not say.

    `state` is new, same or differs, and `against` the id of the claim of the registry that it is held against, whose
    value is `registered`. `notes` say what whoever fills it in should know.
    """

    __slots__ = (
        "against",
        "basis",
        "cited",
        "compare_to",
        "computed",
        "figure",
        "id",
        "metric",
        "notes",
        "places",
        "product",
        "qualifier",
        "registered",
        "relative",
        "state",
        "surely",
        "value",
    )

    def __init__(self, figure: Figure, product: str, metric: str, value: str, basis: dict[str, str], place: Place) -> None:
        self.figure = figure
        self.id = ""
        self.product = product
        self.metric = metric
        self.value = value
        self.qualifier = figure.qualifier
        self.basis = basis
        self.compare_to = ""
        self.relative = figure.kind in RELATIVE
        self.cited = Cited()
        self.computed = False
        self.places = [place]
        self.notes: list[str] = []
        self.surely = False
        self.state = "new"
        self.against = ""
        self.registered = ""


class LeftOut(NamedTuple):
    """A figure that is not proposed, and why."""

    place: Place
    why: str


class Reader:
    """Reads the proposals of one draft, whose article knows its names."""

    def __init__(self, article: Article, names: Names, meant: Mapping[int, str]) -> None:
        """`meant` has by the offset of a name another product that it stands for there."""
        self.article = article
        self.registry: Registry = article.registry
        self.names = names
        self.meant = meant
        self.left_out: list[LeftOut] = []
        self._comparisons = {id(c.statement): c for c in article.comparisons if c.statement is not None}
        self._topic = self._title()

    def proposals(self) -> list[Proposal]:
        """A proposal for each figure that asserts something of somebody else's, in order of place."""
        found: list[tuple[Statement, Proposal]] = []
        for statement in self.article.statements:
            why = self._unfit(statement)
            proposal = None if why else self._proposal(statement, [p for s, p in found if s.sentence is statement.sentence])
            if proposal is None:
                self.left_out.append(LeftOut(self._place(statement), why or "it does not say of what it is"))
            else:
                found.append((statement, proposal))
        for (one, ratio), (other, next_ratio) in pairwise(found):
            if one.sentence is other.sentence and ratio.relative and next_ratio.relative and not ratio.compare_to:
                ratio.compare_to = next_ratio.compare_to
        return [proposal for _, proposal in found]

    def _unfit(self, statement: Statement) -> str:
        """Why a figure is no claim; "" if it is one."""
        sentence = statement.sentence
        if self.article.stances.silences(sentence) or self.article.stances.rejects(sentence, statement.figure):
            return "the text does not assert it"
        if self.article.sourcing.own(sentence).own or (
            self.article.sourcing.is_own(sentence) and not self.article.sourcing.own(sentence).sourced
        ):
            return "the writer's own measurement"
        if statement.figure.quantity.is_range:
            return "a range: a claim has one value"
        return ""

    def _proposal(self, statement: Statement, before: list[Proposal]) -> Proposal | None:
        figure = statement.figure
        value = self._value(figure)
        if not value:
            return None
        product, surely = self._product(statement)
        metric = self._metric(statement, before)
        note = ""
        if not product and self._topic and figure.kind in RELATIVE and metric:
            product, note = self._topic, "the title names this product, the passage none"
        if not metric and (not product or figure.kind in RELATIVE):
            return None
        proposal = Proposal(figure, product, metric, value, self._basis(statement, product), self._place(statement))
        proposal.surely = surely
        proposal.cited = cited(self.article, statement, product)
        proposal.computed = self.article.is_result(statement) or statement.sentence.has("computed")
        if figure.kind in RELATIVE:
            proposal.compare_to = self._compared(statement, product)
        if note:
            proposal.notes.append(note)
        return proposal

    def _place(self, statement: Statement) -> Place:
        source, figure = self.article.document.source, statement.figure
        row, column = source.place(figure.start)
        return Place(source.filename, row, column, self.article.told(figure.start, figure.end))

    # What the figure is of.

    def _title(self) -> str:
        """The product that the title names first."""
        for sentence in self.article.sentences:
            block = self.article.document.blocks[sentence.block]
            if block.kind == "heading":
                products = [m.product for m in self.article.subjects.mentions(sentence) if m.product]
                return products[0] if products and block.level == 1 else ""
        return ""

    def _product(self, statement: Statement) -> tuple[str, bool]:
        """The product that a figure is of, and whether the text leaves no doubt about it."""
        comparison = self._comparisons.get(id(statement))
        if comparison is not None and statement.figure.kind in RELATIVE:
            left, _ = self._sides(comparison)
            if left:
                return left, True
        subject = statement.subject
        mention = subject.mention
        reach = [mention, *subject.others] if mention is not None else list(subject.others)
        if mention is not None and not mention.product and self.article.document.blocks[statement.sentence.block].table >= 0:
            given = self.article.subjects.given(statement.sentence)
            reach = [given.mention, *given.others] if given.mention is not None else reach
        if mention is not None and (whole := self._holder(mention, statement)):
            return whole, True
        products = [self._meant(m, statement.sentence) for m in reach if m is not None]
        first = products[0] if products else ""
        scope = statement.tied.get("scope", "") or ("" if first else statement.basis.get("scope", ""))
        told = self._shared_out(statement)
        if told or (first and scope and scope not in PARTS and self._unit(first) != scope):
            fitting = list(dict.fromkeys(p for p in products if p and self._unit(p) == (told or scope)))
            if len(fitting) == 1:
                return fitting[0], True
            if told or self._unit(first):
                return "", True
        if mention is not None and self._is_comparand(mention, statement):
            first = self._carried(statement)
            return first, False
        if first and subject.hold in (CARRIED, BEHIND) and self._is_of_another_maker(statement, first):
            return "", False
        return first, subject.hold == STRONG

    def _unit(self, product: str) -> str:
        return self.registry.products[product].unit

    def _meant(self, mention: Mention, sentence: Sentence) -> str:
        """The product that a name stands for; in another sentence than its own, what it is by itself."""
        here = sentence.start <= mention.start < sentence.end
        return self.meant.get(mention.start, mention.product) if here else mention.product

    def _holder(self, mention: Mention, statement: Statement) -> str:
        """As in "a rack holds 144 chips for 20.7 TB": the whole has what is told behind its parts, unless each has it."""
        tokens, figure = self.article.tokens, statement.figure
        counts = [s for s in self.article.statements_of(statement.sentence) if s.figure.kind == "count"]
        for count in counts:
            inside = count.figure.start <= mention.start < count.figure.end <= figure.start
            between = tokens.words[tokens.first_from(count.figure.end) : tokens.first_from(figure.start)]
            behind = tokens.words[tokens.first_from(figure.end) : tokens.first_from(figure.end) + 1]
            each = not _EACH.isdisjoint([*between, *behind]) or not _HAVING.isdisjoint(between[:1])
            if inside and not figure.per and not each and count.product != mention.product:
                return count.product if count.subject.hold == STRONG else ""
        return ""

    def _shared_out(self, statement: Statement) -> str:
        """The unit of what an amount is of that several parts share, as in "1.4 TB across 8 GPUs"; "" for others."""
        words, last = self.article.tokens.words, self.article.tokens.first_from(statement.figure.end)
        if words[last : last + 1] and words[last] in _ACROSS and statement.sentence.last > last + 1:
            number = next((n for n in statement.sentence.numbers if n.start >= statement.figure.end), None)
            near = number is not None and self.article.tokens.first_from(number.start) - last <= _ACROSS_REACH
            wholes = {self._unit(m.product) for m in statement.subject.others if m.product} - {"", "chip"}
            return wholes.pop() if near and len(wholes) == 1 else ""
        return ""

    def _is_comparand(self, mention: Mention, statement: Statement) -> bool:
        """Whether the product before a figure is only what another figure of its sentence is compared with."""
        if statement.figure.kind in RELATIVE:
            return False
        others = [c for c in self.article.comparisons if c.sentence is statement.sentence and c.right.mention is not None]
        return any(c.right.mention.start == mention.start and c.start < mention.start for c in others if c.right.mention)

    def _carried(self, statement: Statement) -> str:
        """What a sentence is about whose own products are only compared with."""
        given = self.article.subjects.given(statement.sentence)
        return self._meant(given.mention, statement.sentence) if given.mention is not None else ""

    def _is_of_another_maker(self, statement: Statement, product: str) -> bool:
        """Whether a figure is somebody's who does not make the product that was named last."""
        vendors = self.article.sourcing.own(statement.sentence).vendors
        maker = self.registry.products[product].vendor
        return bool(vendors) and bool(maker) and maker not in vendors

    # What is said of it.

    def _metric(self, statement: Statement, before: list[Proposal]) -> str:
        """The metric, by its name, or as the only one that has such figures; else that of the ratio before in a list."""
        if statement.metric_named or len(statement.metrics) == 1:
            return statement.metrics[0]
        if statement.figure.kind in ANY_METRIC and "precision" in statement.tied:
            return next((p.metric for p in reversed(before) if p.relative and "precision" in p.basis), "")
        return ""

    def _basis(self, statement: Statement, product: str) -> dict[str, str]:
        """The basis that the text gives a figure: what stands by it, and what holds for all around it."""
        figure, vocabulary = statement.figure, self.registry.vocabulary
        metric = statement.metrics[0] if statement.metrics else ""
        basis: dict[str, str] = {}
        for name, dimension in vocabulary.dimensions.items():
            limits = dimension["applies_to"]
            fits = not limits or figure.dimension in limits or (figure.kind in ANY_METRIC and name in statement.tied)
            value = statement.basis.get(name, "")
            if value and fits and self._concerns(name, value, statement, metric):
                basis[name] = value
            elif limits and fits and not value and figure.kind not in ANY_METRIC and self._has_unstated(name):
                basis[name] = UNSTATED
        scope = self._scope(statement, product)
        basis.pop("scope", None)
        if scope and figure.kind != "count":
            basis["scope"] = scope
        return basis

    def _has_unstated(self, dimension: str) -> bool:
        """Whether the vocabulary names it as a value of its own that a source leaves a dimension out."""
        return UNSTATED in self.registry.vocabulary.dimensions[dimension]["values"]

    def _concerns(self, name: str, value: str, statement: Statement, metric: str) -> bool:
        """Whether a value of a dimension is said of a figure: a word by it, or one that bears on all of its kind."""
        figure = statement.figure
        named = [m.value for m in statement.sentence.of_kind("metric")]
        limits = self.registry.vocabulary.dimensions[name]["applies_to"]
        if name in _COMMON or limits:
            return True
        if self._names_metric(value):
            return metric == self._names_metric(value)
        if figure.kind in ANY_METRIC:
            return name in statement.tied or (len(named) <= 1 and len(statement.sentence.figures) == 1)
        return figure.dimension.endswith(_RATE) and figure.dimension != _OF_DATA

    def _names_metric(self, value: str) -> str:
        """The metric that a value of a basis is a word for as well: HBM3e says what memory it is, and that it is one."""
        return self._metric_words().get(value.lower(), "")

    def _metric_words(self) -> dict[str, str]:
        words: dict[str, str] = {}
        prose = self.article.document.prose
        for sentence in self.article.sentences:
            for mark in sentence.of_kind("metric"):
                words.setdefault(prose[mark.start : mark.end].lower(), mark.value)
        self._metric_words = lambda: words  # type: ignore[method-assign]
        return words

    def _scope(self, statement: Statement, product: str) -> str:
        tied = statement.tied.get("scope", "")
        unit = self._unit(product) if product else ""
        return tied if tied in PARTS or not unit else unit

    def _value(self, figure: Figure) -> str:
        """The value as a registry writes it; "" for one that it has no way to write."""
        number = f"{figure.quantity.low:f}"
        per = "".join(f" per {name}" for name in figure.per if name not in self._scopes())
        less = "-" if figure.kind == "percent" and figure.direction == "less" else ""
        if figure.kind == "ratio":
            text = f"{number}x"
        elif figure.kind == "count":
            text = f"{number} {figure.noun}{'' if number == '1' or not figure.noun else 's'}".strip()
        else:
            glue = "" if figure.kind == "percent" else " "
            text = f"{less}{number}{glue}{figure.unit}{per}"
        read = read_quantity(text, self.registry.vocabulary)
        return text if read is not None and read.unit == figure.unit else ""

    def _scopes(self) -> set[str]:
        """What figures are counted per that is the scope of a product: chip, board, rack ..."""
        return {"GPU", "TPU", "CPU", "card", "accelerator", "device", *self.registry.vocabulary.dimensions["scope"]["values"]}

    # What it is compared with.

    def _sides(self, comparison: Comparison) -> tuple[str, str]:
        """The products that a ratio sets against each other, by the ids that their names stand for."""
        left, right = comparison.left.mention, comparison.right.mention
        if left is not None and right is not None and self._is_set_beside(right, left):
            left, right = right, left
        here = comparison.sentence
        return (self._meant(left, here) if left else ""), (self._meant(right, here) if right else "")

    def _is_set_beside(self, first: Mention, second: Mention) -> bool:
        """As in "they compare Alpha2 with Alpha1: 3x the speed": the first is the one that has so much."""
        tokens = self.article.tokens
        at, stop = tokens.first_from(first.start), tokens.first_from(second.start)
        between = tokens.words[tokens.first_from(first.end) : stop]
        return first.end <= second.start and tokens.words[at - 1] in _COMPARES and len(between) == 1 and between[0] in _WITH

    def _compared(self, statement: Statement, product: str) -> str:
        """The product, or the words, that a ratio is over; "" if the text does not say."""
        comparison = self._comparisons.get(id(statement))
        right = self._sides(comparison)[1] if comparison is not None else ""
        if right and right != product and self._told_right(comparison, statement):
            return right
        return self._words_compared(statement)

    def _told_right(self, comparison: Comparison | None, statement: Statement) -> bool:
        """Whether the product that a ratio is over is not only one that counts something in its sentence."""
        mention = comparison.right.mention if comparison is not None else None
        return mention is None or not any(
            f.kind == "count" and f.start <= mention.start < f.end for f in statement.sentence.figures
        )

    def _words_compared(self, statement: Statement) -> str:
        """As in "half the cost of GPUs", "compared with alternatives": the words behind "than" or "of"."""
        tokens, last = self.article.tokens, statement.sentence.last
        start = tokens.first_from(statement.figure.end)
        others = [f.start for f in statement.sentence.figures if f.start > statement.figure.start]
        stop = min([last, *(tokens.first_from(start) for start in others)])
        for at in range(start, stop):
            if tokens.words[at] in _THAN and at + 1 < stop:
                end = at + 1
                while end < min(stop, at + _MOST_WORDS) and tokens.words[end] not in _ENDS:
                    end += 1
                if end > at + 1:
                    return self.article.told(tokens.starts[at + 1], tokens.ends[end - 1])
        return ""


