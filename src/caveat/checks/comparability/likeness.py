"""Whether the two sides of a comparison are counted alike: in one number format, scope, kind, direction ..."""

from __future__ import annotations

from collections.abc import Iterator

from caveat.article import Article
from caveat.checks.common import SideText, finding, product_name
from caveat.checks.comparability.like_for_like import like_for_like
from caveat.checks.comparability.sides import SideValues
from caveat.finding import Finding
from caveat.reading.comparisons import Comparison, Side
from caveat.registry.registry import UNSTATED, Claim
from caveat.rulebook.rules import Rule


def comparison_basis(article: Article, rule: Rule) -> Iterator[Finding]:
    """Comparisons between products whose figures differ on a dimension.

    Options: `dimension`; `metrics` of which figures have it; `units`, the dimensions of printed figures that do;
    `usual`, by the dimension of a printed figure, the value that it has if no word says another, and `own` the one that
    it has in a sentence of the writer's own measuring; `only`, by value, the dimensions of the figures that can have
    it; `products`, whether a product's own unit (chip, board, rack) is its value; `unstated`, whether a side that
    states no value is unlike one that does, and unlike another vendor's that states none either; `planned`, values that
    are unlike others only between vendors; `plan`, the one of them that words of `plans` give a figure (by lexicon and
    entry, with their reach in words), or the status of its product; `not_kinds` of figures that have no such dimension
    (measured, sustained).
    """
    values = SideValues(article, rule)
    for comparison in article.comparisons:
        if article.stances.disowns(comparison.sentence):
            continue
        if comparison.figure is not None and article.stances.rejects(comparison.sentence, comparison.figure):
            continue
        pair = values.of(comparison)
        if pair is None or not values.mixed(comparison, *pair):
            continue
        left, right = pair
        yield finding(
            rule,
            comparison.start,
            comparison.end,
            _claims(article, comparison),
            words=article.told(comparison.start, comparison.end),
            left=_side_text(article, comparison.left, left),
            right=_side_text(article, comparison.right, right),
            like_for_like=like_for_like(article, comparison, values.dimension, values.metrics),
        )


def _claims(article: Article, comparison: Comparison) -> list[Claim]:
    """The claims that the printed figures of a comparison rest on."""
    printed = [side.statement for side in (comparison.left, comparison.right) if side.statement is not None]
    return [claim for statement in printed for claim in article.binding_of(statement).claims[:1]]


def _side_text(article: Article, side: Side, basis: str) -> SideText:
    if side.product:
        name = product_name(article, side.product)
    elif side.mention is not None:
        name = article.words(side.mention.start, side.mention.end)
    else:
        name = "one side"
    return SideText(name, "not stated" if basis == UNSTATED else basis)
