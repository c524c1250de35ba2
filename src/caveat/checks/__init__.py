"""The checks that rule files configure: explicit tables, from the name in a rule file to the function.

They lie in rooms by what they ask: `origin` where a figure or quotation comes from, `values` whether a figure is right,
`comparability` whether two figures can be compared, `omissions` what a figure leaves out, `ownership` whose claim it
is, `wording` what words claim without a figure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from caveat.article import Article
from caveat.checks.comparability.basis import stated_basis
from caveat.checks.comparability.likeness import comparison_basis
from caveat.checks.omissions.baselines import missing_baseline
from caveat.checks.omissions.benchmarks import benchmark_context
from caveat.checks.omissions.prices import undated_price
from caveat.checks.origin.citations import undefined_citation
from caveat.checks.origin.conflicts import undisclosed_conflict
from caveat.checks.origin.quotations import altered_quotation
from caveat.checks.origin.sourcing import unsourced_figure
from caveat.checks.ownership.independence import self_comparison
from caveat.checks.ownership.roadmap import target_as_shipping
from caveat.checks.ownership.testimonials import testimonial_as_result
from caveat.checks.suppressions import Ledger, unexplained_suppression, unknown_suppression, unused_suppression
from caveat.checks.values.arithmetic import printed_arithmetic, registered_ratio
from caveat.checks.values.registered import contradiction, qualifier_kept
from caveat.checks.wording.absence import absence_told
from caveat.checks.wording.superlatives import superlative_attributed
from caveat.checks.wording.verdicts import verdict_supported
from caveat.finding import Finding
from caveat.rulebook.rules import Rule

Check = Callable[[Article, Rule], Iterator[Finding]]
SuppressionCheck = Callable[[Ledger, Rule], Iterator[Finding]]


def _registered_table(article: Article, rule: Rule) -> Iterator[Finding]:
    if article.document.markers:  # few drafts have one, and the others do not load what makes tables
        from caveat.checks.values.tables import registered_table

        yield from registered_table(article, rule)


CHECKS: dict[str, Check] = {
    "altered-quotation": altered_quotation,
    "absence-told": absence_told,
    "benchmark-context": benchmark_context,
    "comparison-basis": comparison_basis,
    "contradiction": contradiction,
    "missing-baseline": missing_baseline,
    "printed-arithmetic": printed_arithmetic,
    "qualifier-kept": qualifier_kept,
    "registered-ratio": registered_ratio,
    "registered-table": _registered_table,
    "self-comparison": self_comparison,
    "stated-basis": stated_basis,
    "target-as-shipping": target_as_shipping,
    "testimonial-as-result": testimonial_as_result,
    "superlative-attributed": superlative_attributed,
    "undefined-citation": undefined_citation,
    "undisclosed-conflict": undisclosed_conflict,
    "undated-price": undated_price,
    "unsourced-figure": unsourced_figure,
    "verdict-supported": verdict_supported,
}

# These run last, and look at what the suppressions of a draft left out.
SUPPRESSION_CHECKS: dict[str, SuppressionCheck] = {
    "unexplained-suppression": unexplained_suppression,
    "unknown-suppression": unknown_suppression,
    "unused-suppression": unused_suppression,
}

CHECK_NAMES = (*CHECKS, *SUPPRESSION_CHECKS)
