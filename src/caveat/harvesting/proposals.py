"""The figures of drafts as claims that a registry could hold, each with what the draft does not say left open."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

from caveat.article import Article
from caveat.figures.figure import ANY_METRIC, RELATIVE, Figure
from caveat.figures.readings import read_quantity
from caveat.harvesting.citing import Cited, cited
from caveat.harvesting.owners import PARTS, Owners
from caveat.reading.statements import Statement
from caveat.registry.registry import UNSTATED, Registry

# Dimensions of a basis that hold for all figures of a sentence, whatever stands by which of them.
_COMMON = frozenset(("scope", "kind"))
# What a rate of work is called in the vocabulary, and the one rate that is none.
_RATE, _OF_DATA = "-rate", "data-rate"

# Other words of the vocabulary for a chip that figures are counted per.
_CHIPS = ("GPU", "TPU", "CPU", "card", "accelerator", "device")


# What a registry has of a proposal.
NEW, SAME, DIFFERS = "new", "same", "differs"


class Place(NamedTuple):
    """Where a draft states a figure, and in which words."""

    filename: str
    row: int
    column: int
    words: str


class Proposal:
    """A claim as drafts state it. "" is what they do not say.

    `state` is new, same or differs, and `against` the id of the claim of the registry that it is held against, whose
    value is `registered`. `assumed` are the dimensions that are "unstated" because the draft is silent, not because it
    says so; `notes` say what else whoever fills it in should know.
    """

    __slots__ = (
        "against",
        "assumed",
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

    def __init__(
        self, figure: Figure, product: str, metric: str, value: str, basis: dict[str, str], place: Place
    ) -> None:
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
        self.assumed: set[str] = set()
        self.notes: list[str] = []
        self.surely = False
        self.state = NEW
        self.against = ""
        self.registered = ""


class LeftOut(NamedTuple):
    """A figure that is not proposed, and why."""

    place: Place
    why: str


class Reader:
    """Reads the proposals of one draft, whose article knows its names."""

    def __init__(self, article: Article, meant: Mapping[int, str]) -> None:
        """`meant` has by the offset of a name another product that it stands for there."""
        self.article = article
        self.registry: Registry = article.registry
        self.owners = Owners(article, meant)
        self.left_out: list[LeftOut] = []
        prose, marks = article.document.prose, [m for s in article.sentences for m in s.of_kind("metric")]
        self._metric_words = {prose[mark.start : mark.end].lower(): mark.value for mark in reversed(marks)}

    def proposals(self) -> list[Proposal]:
        """A proposal for each figure that asserts something of somebody else's, in order of place."""
        found: list[tuple[Statement, Proposal]] = []
        by_sentence: dict[int, list[Proposal]] = {}
        for statement in self.article.statements:
            before = by_sentence.setdefault(statement.sentence.index, [])
            why = self._unfit(statement)
            proposal = None if why else self._proposal(statement, before)
            if proposal is None:
                self.left_out.append(LeftOut(self._place(statement), why or "it does not say of what it is"))
            else:
                before.append(proposal)
                found.append((statement, proposal))
        for (one, ratio), (other, following) in pairwise(found):
            if one.sentence is other.sentence and ratio.relative and following.relative and not ratio.compare_to:
                ratio.compare_to = following.compare_to
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
        return "" if self._value(statement.figure) else "a registry has no unit for it"

    def _proposal(self, statement: Statement, before: list[Proposal]) -> Proposal | None:
        figure = statement.figure
        product, surely = self.owners.product(statement)
        metric = self._metric(statement, before)
        note = ""
        if not product and self.owners.topic and figure.kind in RELATIVE and metric:
            product, note = self.owners.topic, "the title names this product, the passage none"
        if not metric and (not product or figure.kind in RELATIVE):
            return None
        proposal = Proposal(
            figure, product, metric, self._value(figure), self._basis(statement, product), self._place(statement)
        )
        proposal.surely = surely
        unstated = {name for name, stated in proposal.basis.items() if stated == UNSTATED}
        proposal.assumed = {name for name in unstated if statement.basis.get(name) != UNSTATED}
        proposal.cited = cited(self.article, statement, product)
        proposal.computed = self.article.is_result(statement) or statement.sentence.has("computed")
        if figure.kind in RELATIVE:
            proposal.compare_to = self.owners.compared(statement, product)
        if note:
            proposal.notes.append(note)
        return proposal

    def _place(self, statement: Statement) -> Place:
        source, figure = self.article.document.source, statement.figure
        row, column = source.place(figure.start)
        return Place(source.filename, row, column, self.article.told(figure.start, figure.end))

    # What is said of it.

    def _metric(self, statement: Statement, before: list[Proposal]) -> str:
        """The metric: that which is named, the only one with such figures, or that of the ratio before it in a list."""
        if statement.metric_named or self._says_metric(statement):
            return statement.metrics[0]
        if statement.figure.kind in ANY_METRIC and "precision" in statement.tied:
            return next((p.metric for p in reversed(before) if p.relative and "precision" in p.basis), "")
        return ""

    def _says_metric(self, statement: Statement) -> bool:
        """Whether a figure says by its unit what it is of: watts are power, while metres may be anything's."""
        dimension = statement.figure.dimension
        return len(statement.metrics) == 1 and (statement.metrics[0] == dimension or _is_work(dimension))

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
        return _is_work(figure.dimension)

    def _names_metric(self, value: str) -> str:
        """The metric that a value of a basis is a word for as well: HBM3e says which memory, and that it is one."""
        return self._metric_words.get(value.lower(), "")

    def _scope(self, statement: Statement, product: str) -> str:
        tied = statement.tied.get("scope", "")
        unit = self.owners.unit(product) if product else ""
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
        return {*_CHIPS, *self.registry.vocabulary.dimensions["scope"]["values"]}


def _is_work(dimension: str) -> bool:
    """Whether figures of a dimension are rates at which work is done: of operations, tokens, images ..."""
    return dimension.endswith(_RATE) and dimension != _OF_DATA
