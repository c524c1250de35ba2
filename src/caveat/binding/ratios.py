"""Ratios between registered figures: what the registry gives for two products and a metric, under each basis."""

from __future__ import annotations

from caveat.figures.agreement import gives
from caveat.figures.figure import Figure
from caveat.reading.comparisons import Comparison
from caveat.reading.statements import Statement
from caveat.registry.registry import Claim, Registry

HOLDS, FAILS, UNKNOWN = "holds", "fails", "unknown"


class Operands:
    """Two registered figures whose quotient a ratio may be."""

    __slots__ = ("left", "right")

    def __init__(self, left: Claim, right: Claim) -> None:
        self.left = left
        self.right = right


class Recomputed:
    """Whether registered figures give a stated ratio, and the operands that do (or all there are)."""

    __slots__ = ("operands", "status")

    def __init__(self, status: str, operands: list[Operands]) -> None:
        self.status = status
        self.operands = operands


def recompute(comparison: Comparison, registry: Registry) -> Recomputed:
    """The stated ratio of a comparison against the quotients of registered figures of its two products."""
    if comparison.figure is None or comparison.statement is None:
        return Recomputed(UNKNOWN, [])
    if _half_printed(comparison, registry):
        return Recomputed(HOLDS, [])
    pairs = list(operands_of(comparison, registry))
    if not pairs:
        return Recomputed(UNKNOWN, [])
    result = comparison.figure
    holding = [pair for pair in pairs if _gives(pair.left, pair.right, result) or _gives(pair.right, pair.left, result)]
    return Recomputed(HOLDS, holding) if holding else Recomputed(FAILS, pairs)


def _half_printed(comparison: Comparison, registry: Registry) -> bool:
    """Whether the ratio is that of the one figure printed and a registered one of the other product."""
    printed, result, product = comparison.left.statement, comparison.figure, comparison.right.product
    if printed is None or result is None or not product or comparison.right.statement is not None:
        return False
    claims = [c for c in registry.claims_of(product) if not c.compare_to and c.figure is not None]
    return any(
        c.figure is not None and (gives(printed.figure, c.figure, result) or gives(c.figure, printed.figure, result))
        for c in claims
    )


def operands_of(comparison: Comparison, registry: Registry) -> list[Operands]:
    """Every pair of absolute claims of the two products on the comparison's metric and stated precision."""
    left, right = comparison.left.product, comparison.right.product
    statement = comparison.statement
    if not left or not right or left == right or statement is None:
        return []
    metric = metric_of(statement)
    if not metric:
        return []
    ours = published(registry, left, metric, statement)
    theirs = published(registry, right, metric, statement)
    return [
        Operands(a, b)
        for a in ours
        for b in theirs
        if a.figure and b.figure and a.figure.dimension == b.figure.dimension and _alike(a, b)
    ]


def metric_of(statement: Statement) -> str:
    """The metric that a ratio's words name; a number format with a general word for speed names compute."""
    metric = statement.metrics[0] if statement.metric_named else ""
    models = any(not mention.product for mention in statement.subject.others)
    if metric in ("", "performance") and statement.basis.get("precision") and not models:
        return "compute"
    return metric


def published(registry: Registry, product: str, metric: str, statement: Statement) -> list[Claim]:
    """The current absolute claims of a product on a metric, of the precision that the text names, if it names one."""
    precision = statement.basis.get("precision")
    return [
        claim
        for claim in registry.claims_of(product)
        if claim.metric == metric
        and not claim.compare_to
        and claim.figure is not None
        and claim.status not in ("retracted", "superseded")
        and claim.basis.get("kind", "peak") in ("peak", "target")
        and (not precision or claim.basis.get("precision", precision) == precision)
    ]


def _gives(left: Claim, right: Claim, result: Figure) -> bool:
    """Whether the quotient of two claims is the stated ratio."""
    return left.figure is not None and right.figure is not None and gives(left.figure, right.figure, result)


def _alike(one: Claim, other: Claim) -> bool:
    """Whether two claims have the same precision, so that their ratio is one that a text may mean."""
    return one.basis.get("precision") == other.basis.get("precision")
