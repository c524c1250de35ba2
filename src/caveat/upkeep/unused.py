"""Claims that no draft uses."""

from __future__ import annotations

from collections.abc import Iterator

from caveat.loading.problems import RegistryWarning
from caveat.upkeep.ledger import Ledger
from caveat.upkeep.uses import UNTRACED


def unused_claim(ledger: Ledger) -> Iterator[RegistryWarning]:
    """Claims that no draft rests on, directly or by derivation, nor on one that they are in conflict with."""
    if ledger.used is None:
        return
    for claim in ledger.claims.values():
        if claim.metric not in UNTRACED and ledger.used.isdisjoint((claim.id, *claim.conflicts)):
            message, hint = "no draft uses it", "take it out, or name the drafts that do with --drafts"
            yield ledger.warning("unused-claim", claim, (), message, hint)
