"""Whether numbers that should come out of others do: printed arithmetic, and ratios of registered figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from caveat.article import Article
from caveat.binding.ratios import FAILS, recompute
from caveat.checks.common import claim_text, finding, product_name
from caveat.finding import Finding
from caveat.reading.comparisons import Comparison
from caveat.rulebook.rules import Rule

# A message names no more operands than this.
_MOST_NAMED = 6


def printed_arithmetic(article: Article, rule: Rule) -> Iterator[Finding]:
    """Results that do not follow from the figures that the text prints for them, within the rounding shown."""
    for derivation in article.derivations:
        if derivation.holds or article.stances.silences(derivation.sentence):
            continue
        if derivation.result is not None and article.stances.rejects(derivation.sentence, derivation.result.figure):
            continue
        yield _mismatch(article, rule, derivation.start, derivation.end, derivation.shown)
    results = {derivation.start for derivation in article.derivations}
    for comparison in article.comparisons:
        if comparison.recomputes is False and comparison.start not in results and _about_operands(article, comparison):
            sides = [side.statement for side in (comparison.left, comparison.right) if side.statement]
            shown = [(side.figure.start, side.figure.end) for side in sides]
            yield _mismatch(article, rule, comparison.start, comparison.end, shown)


def _mismatch(article: Article, rule: Rule, start: int, end: int, shown: Sequence[tuple[int, int]]) -> Finding:
    operands = [" ".join(article.words(first, last).split()) for first, last in shown[:_MOST_NAMED]]
    if len(shown) > _MOST_NAMED:
        operands.append(f"{len(shown) - _MOST_NAMED} more")
    named = ", ".join(operands[:-1]) + (" and " if len(operands) > 1 else "") + operands[-1]
    return finding(rule, start, end, figure=article.words(start, end), operands=named)


def _about_operands(article: Article, comparison: Comparison) -> bool:
    """Whether a ratio that fits no printed figures is nevertheless about the two beside it."""
    statement = comparison.statement
    if statement is None or article.stances.silences(comparison.sentence):
        return False
    left, right = comparison.left.statement, comparison.right.statement
    if (
        left is None
        or right is None
        or left.sentence is not comparison.sentence
        or right.sentence is not comparison.sentence
    ):
        return False
    if not statement.metric_named:
        return False
    return article.registry.vocabulary.fits(statement.metrics[0], left.figure.dimension)


def registered_ratio(article: Article, rule: Rule) -> Iterator[Finding]:
    """Stated ratios of registered figures, their operands not printed, that the registry does not give."""
    bound = {b.statement.figure.start for b in article.bindings if b.registered}
    for comparison in article.comparisons:
        if comparison.figure is None or comparison.recomputes is not None or comparison.start in bound:
            continue
        if article.stances.disowns(comparison.sentence) or article.sourcing.is_own(comparison.sentence):
            continue
        recomputed = recompute(comparison, article.registry)
        if recomputed.status != FAILS:
            continue
        pair = recomputed.operands[0]
        yield finding(
            rule,
            comparison.start,
            comparison.end,
            [pair.left, pair.right],
            figure=article.words(comparison.start, comparison.end),
            left=product_name(article, pair.left.product),
            right=product_name(article, pair.right.product),
            left_claim=claim_text(article, pair.left),
            right_claim=claim_text(article, pair.right),
            metric=pair.left.metric.replace("-", " "),
        )
