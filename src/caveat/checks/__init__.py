"""The checks that rule files configure: one explicit table, from the name in a rule file to the function."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from caveat.article import Article
from caveat.checks.arithmetic import printed_arithmetic, registered_ratio
from caveat.checks.baselines import missing_baseline
from caveat.checks.basis import comparison_basis, stated_basis
from caveat.checks.benchmarks import benchmark_context
from caveat.checks.citations import undefined_citation
from caveat.checks.independence import self_comparison
from caveat.checks.prices import undated_price
from caveat.checks.registered import contradiction, qualifier_kept
from caveat.checks.sourcing import unsourced_figure
from caveat.finding import Finding
from caveat.rulebook.rules import Rule

Check = Callable[[Article, Rule], Iterator[Finding]]

CHECKS: dict[str, Check] = {
    "benchmark-context": benchmark_context,
    "comparison-basis": comparison_basis,
    "contradiction": contradiction,
    "missing-baseline": missing_baseline,
    "printed-arithmetic": printed_arithmetic,
    "qualifier-kept": qualifier_kept,
    "registered-ratio": registered_ratio,
    "self-comparison": self_comparison,
    "stated-basis": stated_basis,
    "undefined-citation": undefined_citation,
    "undated-price": undated_price,
    "unsourced-figure": unsourced_figure,
}
