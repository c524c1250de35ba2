"""What a writer may print instead of a ratio of unlike figures: the like-for-like one, if the registry can give it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from caveat.article import Article
from caveat.binding.ratios import differences, printed_quotient
from caveat.checks.common import product_name
from caveat.reading.comparisons import Comparison
from caveat.reading.statements import Statement
from caveat.registry.registry import UNSTATED, Claim

# What a pair of claims must share beside the dimension of the rule.
_SHARED = ("precision", "sparsity", "direction", "kind", "memory")


def like_for_like(article: Article, comparison: Comparison, dimension: str, metrics: Sequence[str]) -> str:
    """A sentence with the ratio of two registered figures that share a value of the dimension, or one without it."""
    pair = alike_pair(article, comparison, dimension, metrics)
    if pair is None:
        return f"The registry has no two figures of one {dimension} here: say that there is no like-for-like ratio."
    one, other = pair
    shared = " ".join(value for name in _SHARED if (value := one.basis.get(name, UNSTATED)) != UNSTATED)
    return (
        f"Like for like ({shared}), the registry gives {printed_quotient(one, other)}: {one.stated} for "
        f"{product_name(article, one.product)}, {other.stated} for {product_name(article, other.product)}."
    )


def alike_pair(
    article: Article, comparison: Comparison, dimension: str, metrics: Sequence[str]
) -> tuple[Claim, Claim] | None:
    """Two registered figures of the products of a comparison that may be divided; None if there are none."""
    left, right = comparison.left.product, comparison.right.product
    said = {value for statement in _printed(comparison) for value in statement.tied.values()}
    pairs = _pairs(article, left, right, dimension, _metrics(comparison, metrics))
    return max(pairs, key=lambda p: len(said & set(p[0].basis.values())), default=None)


def _metrics(comparison: Comparison, metrics: Sequence[str]) -> list[str]:
    """The metrics of the figures that the comparison prints, or those that its words and its rule name."""
    printed = _printed(comparison)
    said = [metric for statement in printed[:1] for metric in statement.metrics[:1]]
    if not said and comparison.statement is not None and comparison.statement.metric_named:
        said = comparison.statement.metrics[:1]
    return said + [metric for metric in metrics if metric not in said and not printed]


def _printed(comparison: Comparison) -> list[Statement]:
    return [side.statement for side in (comparison.left, comparison.right) if side.statement is not None]


def _pairs(
    article: Article, left: str, right: str, dimension: str, metrics: Sequence[str]
) -> Iterator[tuple[Claim, Claim]]:
    """Current claims of the two products on one metric that share the dimension's value and all else that matters."""
    ours, theirs = _claims(article, left, metrics), _claims(article, right, metrics)
    for one in ours:
        for other in theirs:
            if one.metric != other.metric or one.basis.get(dimension, UNSTATED) == UNSTATED:
                continue
            if not differences(one, other, article.registry):
                yield one, other


def _claims(article: Article, product: str, metrics: Sequence[str]) -> list[Claim]:
    return [
        claim
        for claim in article.registry.claims_of(product)
        if claim.metric in metrics and claim.status == "current" and claim.figure is not None and not claim.compare_to
    ]
