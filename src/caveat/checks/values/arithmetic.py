"""Whether numbers that should come out of others do: printed arithmetic, and ratios of registered figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from caveat.article import Article
from caveat.binding.ratios import FAILS, recompute
from caveat.checks.common import claim_text, finding, product_name
from caveat.finding import Finding
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


def _mismatch(article: Article, rule: Rule, start: int, end: int, shown: Sequence[tuple[int, int]]) -> Finding:
    operands = [article.told(first, last) for first, last in shown[:_MOST_NAMED]]
    if len(shown) > _MOST_NAMED:
        operands.append(f"{len(shown) - _MOST_NAMED} more")
    named = ", ".join(operands[:-1]) + (" and " if len(operands) > 1 else "") + operands[-1]
    return finding(rule, start, end, figure=article.told(start, end), operands=named)


def registered_ratio(article: Article, rule: Rule) -> Iterator[Finding]:
    """Stated ratios of registered figures, their operands not printed, that the registry does not give."""
    settled = {b.statement.figure.start for b in article.bindings if b.registered}
    settled |= {d.result.figure.start for d in article.derivations if d.result is not None}
    for comparison in article.comparisons:
        if comparison.figure is None or comparison.recomputes is not None or comparison.start in settled:
            continue
        if article.stances.disowns(comparison.sentence) or article.sourcing.is_own(comparison.sentence):
            continue
        if article.stances.rejects(comparison.sentence, comparison.figure):
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
            figure=article.told(comparison.start, comparison.end),
            left=product_name(article, pair.left.product),
            right=product_name(article, pair.right.product),
            left_claim=claim_text(article, pair.left),
            right_claim=claim_text(article, pair.right),
            metric=pair.left.metric.replace("-", " "),
        )
