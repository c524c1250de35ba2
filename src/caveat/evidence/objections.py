"""What the words around a value say against a claim: another product, another mode, a qualifier that only one has."""

from __future__ import annotations

import re
from collections.abc import Iterator

from caveat.article import Article
from caveat.evidence.verdicts import ADDED, DROPPED, MODE, OTHER_PRODUCT
from caveat.figures.figure import RELATIVE, Figure
from caveat.language.phrases import Mark
from caveat.reading.sentences import Sentence
from caveat.reading.statements import Statement
from caveat.reading.subjects import STRONG
from caveat.registry.registry import UNSTATED, Claim

_PLANNED = frozenset(("projected", "target"))
# What a label or a note may say of the figures that it is about, and words for it that only name a metric: "Max power".
_BOUNDING = frozenset(("up to", "at least"))
_NAMING = frozenset(("max", "max.", "maximum", "min", "min.", "minimum"))
_QUALIFIERS = ("qualifier", "qualifier-after")
# What stands between the values of one dimension that one figure has: "BF16/FP16/cFP8/TF32".
_BETWEEN = re.compile(r"(?:[\s/,&|+]|\band\b|\bor\b|(?<=/)\w+(?=/))*\Z")


class Objections:
    """Reads the words around the values of one page."""

    def __init__(self, article: Article) -> None:
        self.article = article
        self.registry = article.registry
        self.dimensions = article.registry.vocabulary.dimensions

    def against(self, claim: Claim, statement: Statement) -> tuple[str, str]:
        """The first result that speaks against a claim, with what the page says; two empty texts if none does."""
        for result, message in (
            (OTHER_PRODUCT, self._other_product(claim, statement)),
            (MODE, self._other_mode(claim, statement)),
            (DROPPED, self._dropped(claim, statement)),
            (ADDED, self._added(claim, statement)),
        ):
            if message:
                return result, message
        return "", ""

    def over(self, sentence: Sentence) -> list[Sentence]:
        """What stands over a sentence: the labels and the caption of a cell, the lead-in of a list, the heading."""
        if self.article.document.blocks[sentence.block].table >= 0:
            return self.article.captions(sentence)
        heading = self.article.subjects.heading_of(sentence.block)
        above = self.article.subjects.of_block(heading) if heading >= 0 else []
        return self.article.labels(sentence) + above

    def _notes(self, sentence: Sentence) -> list[Sentence]:
        """The notes that marks in a sentence lead to, or in the labels of its row and column."""
        return [note for each in (sentence, *self.article.labels(sentence)) for note in self.article.notes(each)]

    def _other_product(self, claim: Claim, statement: Statement) -> str:
        """As in a value that stands in the column of another product, or is said of one; "" if it does not."""
        known = self.registry.products.get(statement.product)
        if statement.subject.hold != STRONG or known is None or known.id == claim.product:
            return ""
        around = [statement.sentence, *self.article.labels(statement.sentence)]
        named = {mark.value for sentence in around for mark in sentence.of_kind("product")}
        if claim.product in named or known.id not in named or self._related(claim.product, known.id):
            return ""
        in_table = self.article.document.blocks[statement.sentence.block].table >= 0
        return f"it stands in the column or row of {known.name}" if in_table else f"it is said of {known.name}"

    def _related(self, one: str, other: str) -> bool:
        """Whether one product is a part of the other, by the registry or, as the H200 of the HGX H200, by its name."""
        products = (self.registry.products[one], self.registry.products[other])
        part, whole = sorted(products, key=lambda product: len(product.name))
        inside = set(part.name.split()) < set(whole.name.split()) and part.unit != whole.unit
        return inside or one in products[1].contains or other in products[0].contains

    def _other_mode(self, claim: Claim, statement: Statement) -> str:
        """Where the page says another mode than the claim: another number format, with sparsity, a plan."""
        for dimension in self.dimensions:
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
                words = self.article.told(said[0].start, said[-1].end)
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
        applies = self.dimensions[dimension]["applies_to"]
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
        for label in self.over(sentence):
            marks = [mark for mark in label.of_kind(dimension) if mark.value != UNSTATED]
            if statement.basis[dimension] in {mark.value for mark in marks}:
                return marks
        return []

    def _group(self, value: str, marks: list[Mark], figure: Figure) -> list[Mark]:
        """The words that stand together with the one that is a figure's own: all three of "79 BF16/FP16/TF32"."""
        groups: list[list[Mark]] = []
        for mark in marks:
            if groups and _BETWEEN.match(self.article.told(groups[-1][-1].end, mark.start)):
                groups[-1].append(mark)
            else:
                groups.append([mark])
        fitting = [group for group in groups if value in {mark.value for mark in group}]
        return min(fitting, key=lambda group: min(abs(m.start - figure.start) for m in group), default=[])

    def _canonical(self, dimension: str, value: str) -> str:
        alike: dict[str, str] = self.dimensions[dimension]["alike"]
        return alike.get(value, value)

    def _dropped(self, claim: Claim, statement: Statement) -> str:
        """Where the page bounds or rounds the value in words that the claim has not."""
        bound, words = statement.figure.qualifier, statement.figure.qualifier_span
        if bound:
            told = self.article.told(*words) if words else bound
        else:
            mark = next(self._bounds(statement), None)
            bound, told = (mark.value, self.article.told(mark.start, mark.end)) if mark is not None else ("", "")
        if not bound or bound == claim.bound:
            return ""
        return f'the page says "{told}"; the claim, {claim.stated}'

    def _bounds(self, statement: Statement) -> Iterator[Mark]:
        """The words of labels and notes that bound a figure: "Memory (up to)"."""
        sentence = statement.sentence
        for other in [*self.article.labels(sentence), *self._notes(sentence)]:
            marks = (mark for kind in _QUALIFIERS for mark in other.of_kind(kind))
            bounding = (mark for mark in marks if mark.value in _BOUNDING and not other.figures)
            yield from (mark for mark in bounding if self.article.told(mark.start, mark.end).lower() not in _NAMING)

    def _added(self, claim: Claim, statement: Statement) -> str:
        """Where the claim bounds or rounds the value in words that the page has not."""
        if not claim.bound or claim.bound == statement.figure.qualifier:
            return ""
        sentence = statement.sentence
        around = [sentence, *self.over(sentence), *self._notes(sentence)]
        marks = (m for s in around for kind in _QUALIFIERS for m in s.of_kind(kind))
        if any(mark.value == claim.bound for mark in marks):
            return ""
        if any(claim.qualifier.lower() in self.article.told(s.start, s.end).lower() for s in around):
            return ""
        return f'the claim says "{claim.qualifier}", the page does not'
