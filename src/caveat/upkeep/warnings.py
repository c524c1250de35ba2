"""All warnings of `caveat claims check` by name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from caveat.loading.problems import RegistryWarning
from caveat.upkeep.ledger import Ledger
from caveat.upkeep.sources import no_snapshot, press_only, stale_source
from caveat.upkeep.unused import unused_claim
from caveat.upkeep.values import halved_sparse, undecided_conflict, undeclared_conflict

WARNINGS: dict[str, Callable[[Ledger], Iterator[RegistryWarning]]] = {
    "no-snapshot": no_snapshot,
    "stale-source": stale_source,
    "press-only": press_only,
    "undecided-conflict": undecided_conflict,
    "undeclared-conflict": undeclared_conflict,
    "halved-sparse": halved_sparse,
    "unused-claim": unused_claim,
}


def warnings_of(ledger: Ledger, names: Collection[str]) -> list[RegistryWarning]:
    """The warnings of these kinds, by file and place."""
    found = [warning for name in WARNINGS if name in names for warning in WARNINGS[name](ledger)]
    return sorted(found, key=lambda warning: warning.problem[:3])
