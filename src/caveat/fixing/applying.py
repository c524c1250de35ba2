"""Fixes put to use: shown with the findings that they cure, or made in the draft until none is left to make."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from caveat.engine import Checked
from caveat.finding import Finding, Fix
from caveat.fixing.offers import FIXERS
from caveat.fixing.proving import Prover, Recheck
from caveat.rulebook.rules import Rule

# Each pass cures a finding at the least and most of them one a sentence, so that hardly a draft needs ten.
MOST_PASSES = 100


class Applied(NamedTuple):
    """A draft after its fixes: `origin` gives for each finding left the number of the one that it was before."""

    checked: Checked
    origin: list[int]


def may_be_fixed(findings: Collection[Finding], rules: Collection[Rule]) -> bool:
    """Whether there is a fix to be tried for any of some findings."""
    fixable = {rule.name for rule in rules if rule.check in FIXERS}
    return any(finding.rule in fixable for finding in findings)


def with_fixes(
    checked: Checked, rules: list[Rule], recheck: Recheck, shown: Collection[int] | None = None
) -> list[Finding]:
    """All findings, each with the best fix that is proven for it, if there is one.

    `shown` are the numbers of those to look at, all without it. `recheck` checks another text in the draft's place.
    """
    findings = list(checked.findings)
    numbers = range(len(findings)) if shown is None else sorted(shown)
    if may_be_fixed(findings, rules):
        for proof in Prover(checked, rules, recheck).proofs(numbers):
            for number, fix in proof.fixes.items():
                findings[number] = findings[number]._replace(fix=fix)
    return findings


def apply_fixes(
    checked: Checked,
    rules: list[Rule],
    recheck: Recheck,
    allowed: Callable[[Fix], bool],
    shown: Collection[int],
    hidden: tuple[Collection[int], Collection[int]] = ((), ()),
) -> Applied:
    """Make the fixes of the findings with the numbers `shown`, as many at a time as hold together, until none holds.

    `hidden` are the numbers of findings that were recorded before, which keep their fingerprint, and of those on lines
    that shall not change.
    """
    origin = list(range(len(checked.findings)))
    for _ in range(MOST_PASSES):
        of_shown, kept, closed = (
            [at for at, first in enumerate(origin) if first in numbers] for numbers in (shown, *hidden)
        )
        provers = (Prover(checked, rules, recheck, allowed, kept, closed, by_sentence=many) for many in (True, False))
        proof = next((proof for prover in provers for proof in prover.proofs(of_shown)), None)
        if proof is None:
            break
        checked, origin = proof.checked, [origin[number] for number in proof.origin]
    return Applied(checked, origin)
