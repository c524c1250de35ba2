"""Ratios between registered figures: what the registry gives for two products and a metric, under each basis."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

from caveat.figures.agreement import gives, span
from caveat.figures.figure import MODEL_SIZE, Figure
from caveat.figures.quantity import Interval, ratio
from caveat.reading.comparisons import Comparison
from caveat.reading.sentences import Sentence
from caveat.reading.statements import Statement
from caveat.registry.registry import UNSTATED, Claim, Registry

SCOPE = "scope"
# Two decimals say nothing of a ratio beyond these.
_SMALL, _LARGE = Decimal("0.1"), Decimal(1000)
HOLDS, FAILS, UNKNOWN = "holds", "fails", "unknown"
# A bound says what a figure is not: the quotient of an upper limit and a value is neither.
_BOUNDS = frozenset(("up to", "at most", "less than", "at least", "more than"))


class Difference(NamedTuple):
    """What keeps two figures from being like for like: a dimension of their basis, and what each of them has."""

    dimension: str
    left: str
    right: str


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
    part = is_part(result, comparison.sentence)
    holding = [p for p in pairs if any(quotient_is(*each, result, part=part) for each in _both_ways(p))]
    return Recomputed(HOLDS, holding) if holding else Recomputed(FAILS, pairs)


def _both_ways(pair: Operands) -> tuple[tuple[Claim, Claim], tuple[Claim, Claim]]:
    return (pair.left, pair.right), (pair.right, pair.left)


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
    if statement is not None and (not left or not right or left == right):
        return _sparse_over_dense(registry, left or right, statement)
    if statement is None:
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


def _sparse_over_dense(registry: Registry, product: str, statement: Statement) -> list[Operands]:
    """As in "sparsity quadruples the FP8 rate of an MI300X": one product's rates in one number format."""
    marks = statement.sentence.of_kind("sparsity")
    if not product or not statement.basis.get("precision") or not any(mark.value == "sparse" for mark in marks):
        return []
    if len({mark.value for mark in statement.sentence.of_kind("product")}) != 1:
        return []
    claims = published(registry, product, "compute", statement)
    return [
        Operands(a, b)
        for a in claims
        for b in claims
        if (a.basis.get("sparsity"), b.basis.get("sparsity")) == ("sparse", "dense") and _alike(a, b)
    ]


def metric_of(statement: Statement) -> str:
    """The metric that a ratio's words name; a number format with a general word for speed names compute."""
    metric = statement.metrics[0] if statement.metric_named else _named_behind(statement)
    models = any(not mention.product for mention in statement.subject.others)
    models = models or any(number.why == MODEL_SIZE for number in statement.sentence.numbers)
    if _of_something_else(statement):
        return metric
    if metric in ("", "performance") and statement.basis.get("precision") and not models:
        return "compute"
    return metric


def _named_behind(statement: Statement) -> str:
    """The one metric named between a ratio and the next figure: "42% of the MI300X's memory and 63%"; "" if none."""
    sentence, figure = statement.sentence, statement.figure
    stop = next((other.start for other in sentence.figures if other.start >= figure.end), sentence.end)
    named = {mark.value for mark in sentence.of_kind("metric") if figure.end <= mark.start < stop}
    return named.pop() if len(named) == 1 else ""


def _of_something_else(statement: Statement) -> bool:
    """As in "5.3 TB/s against 3.35, so 1.6x, and decode scales with it (FP8)": the sentence measures another thing."""
    printed = [f.dimension for f in statement.sentence.figures if f.kind == "measure"]
    return bool(printed) and "operation-rate" not in printed


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


def is_part(figure: Figure, sentence: Sentence) -> bool:
    """Whether words make a percentage what one thing has of another's: "has 42% of the", not "costs you 30% of the"."""
    if figure.kind != "percent" or figure.direction:
        return False
    start = figure.qualifier_span[0] if figure.qualifier_span is not None else figure.start
    before = any(0 <= min(start, figure.start) - mark.end <= 1 for mark in sentence.of_kind("having"))
    return before and any(0 <= mark.start - figure.end <= 1 for mark in sentence.of_kind("part-word"))


def quotient_is(left: Claim, right: Claim, result: Figure, *, part: bool = False) -> bool:
    """Whether the quotient of two claims of one basis is a stated ratio; a `part` is the quotient itself."""
    one, other = left.figure, right.figure
    if one is None or other is None or one.dimension != other.dimension or not _alike(left, right):
        return False
    if not part:
        return gives(one, other, result)
    quotient = ratio(Interval(*one.base()[:2]), Interval(*other.base()[:2]))
    return quotient is not None and quotient.meets(span(result))


def _alike(one: Claim, other: Claim) -> bool:
    """Whether two claims have the same precision, so that their ratio is one that a text may mean."""
    return one.basis.get("precision") == other.basis.get("precision")


def differences(one: Claim, other: Claim, registry: Registry) -> list[Difference]:
    """All that keeps two claims on one metric from being divided; none if they are like for like.

    Formats must be the same, and not only of one width. What is unstated on both sides is alike in one vendor's figures
    only.
    """
    left, right = one.figure, other.figure
    if left is None or right is None or left.dimension != right.dimension:
        return [Difference("unit", one.value, other.value)]
    found = [
        Difference(name, *stated)
        for name, dimension in registry.vocabulary.dimensions.items()
        if not dimension["describes"] and left.dimension in (dimension["applies_to"] or [left.dimension])
        for stated in [(basis_value(one, name, registry), basis_value(other, name, registry))]
        if stated[0] != stated[1] or (stated[0] == UNSTATED and not _of_one_vendor(one, other, registry))
    ]
    counted = [(" ".join(figure.per), figure.noun if figure.kind == "count" else "") for figure in (left, right)]
    bounds = [figure.qualifier if figure.qualifier in _BOUNDS else "" for figure in (left, right)]
    dates = [claim.as_of if left.kind == "price" else "" for claim in (one, other)]
    units = [registry.products[claim.product].unit for claim in (one, other)]
    if units[0] != units[1] and not any(difference.dimension == SCOPE for difference in found):
        found.append(Difference(SCOPE, *units))
    others = {
        "per": (counted[0][0], counted[1][0]),
        "what is counted": (counted[0][1], counted[1][1]),
        "qualifier": (bounds[0], bounds[1]),
        "date": (dates[0], dates[1]),
    }
    return found + [Difference(name, *pair) for name, pair in others.items() if pair[0] != pair[1]]


def basis_value(claim: Claim, dimension: str, registry: Registry) -> str:
    """What a claim has of a dimension of its basis, if only by being a figure of its product; "" where it has none."""
    said, product = claim.basis.get(dimension), registry.products[claim.product]
    if said:
        return said
    if dimension == SCOPE:
        return product.unit
    if dimension == "kind":
        return product.status if product.status == "target" else "peak"
    about = registry.vocabulary.dimensions[dimension]
    of_metric = claim.metric in (about["metrics"] or [claim.metric])
    return UNSTATED if of_metric and claim.figure and claim.figure.dimension in about["applies_to"] else ""


def _of_one_vendor(one: Claim, other: Claim, registry: Registry) -> bool:
    products = registry.products
    return products[one.product].vendor == products[other.product].vendor


def quotient_of(one: Claim, other: Claim) -> Decimal | None:
    """The quotient of two figures at face value, the middles of ranges; None where there is none."""
    if one.figure is None or other.figure is None:
        return None
    left, right = (sum(figure.base()[:2], Decimal(0)) for figure in (one.figure, other.figure))
    return left / right if right else None


def printed_quotient(one: Claim, other: Claim) -> str:
    """The ratio of two claims as a text prints it: "2.27x"; "" where there is none."""
    quotient = quotient_of(one, other)
    if quotient is None:
        return ""
    if quotient >= _LARGE:
        return f"{quotient:,.0f}x"
    return f"{quotient:.2f}x" if quotient >= _SMALL else f"{Decimal(f'{quotient:.2g}'):f}x"
