"""Which fixes a finding may have: an explicit table, from the check that found it to what can be done about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

from caveat.engine import Checked
from caveat.finding import Finding, Fix
from caveat.fixing.attributions import attributed, attributed_with_note
from caveat.fixing.case import Case
from caveat.fixing.citations import near_key, registered_note
from caveat.fixing.comparisons import both_bases
from caveat.fixing.qualifiers import with_qualifier
from caveat.fixing.suppressions import without_suppression
from caveat.fixing.tables import written_anew
from caveat.fixing.values import registered_value
from caveat.rulebook.rules import Rule

Fixer = Callable[[Case, Finding], Iterator[Fix]]

# By the name of the check, the best first.
FIXERS: dict[str, tuple[Fixer, ...]] = {
    "comparison-basis": (both_bases,),
    "contradiction": (registered_value,),
    "qualifier-kept": (with_qualifier,),
    "registered-table": (written_anew,),
    "self-comparison": (attributed, attributed_with_note),
    "superlative-attributed": (attributed, attributed_with_note),
    "undefined-citation": (near_key, registered_note),
    "unused-suppression": (without_suppression,),
}


class Offers:
    """The fixes that may be tried for the findings of one draft; none of them is proven yet."""

    def __init__(self, checked: Checked, rules: list[Rule]) -> None:
        by_name = {rule.name: rule for rule in rules}
        self._case = Case(checked.article, checked.findings, by_name)

    def of(self, finding: Finding) -> Iterator[Fix]:
        """What may cure a finding, the best first, each edit in order of place; made only when it is asked for."""
        rule = self._case.rules.get(finding.rule)
        fixers = FIXERS.get(rule.check, ()) if rule else ()
        made = chain.from_iterable(fixer(self._case, finding) for fixer in fixers)
        return (fix._replace(edits=tuple(sorted(fix.edits))) for fix in made if fix.edits)
