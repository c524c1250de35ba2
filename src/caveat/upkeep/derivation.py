"""Which claims of a registry are derived from which. Chains are followed without recursion: they may be very long."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from caveat.loading.derived import names_in
from caveat.registry.registry import Registry


class Derivations:
    """The claims of a registry by those that they are derived from, and the other way round."""

    def __init__(self, registry: Registry) -> None:
        self._parts = {claim.id: names_in(claim.derived) if claim.derived else [] for claim in registry.all_claims()}
        self._wholes: dict[str, list[str]] = {}
        for id_, parts in self._parts.items():
            for part in parts:
                self._wholes.setdefault(part, []).append(id_)

    def resting_on(self, claim_id: str) -> dict[str, str]:
        """A claim and all that are derived from it, each with the one through which it is: "" for the claim itself."""
        found = {claim_id: ""}
        waiting = deque([claim_id])
        while waiting:
            name = waiting.popleft()
            for whole in self._wholes.get(name, ()):
                if whole not in found:
                    found[whole] = name
                    waiting.append(whole)
        return found

    def behind(self, claim_ids: Iterable[str]) -> set[str]:
        """Claims and all that they are derived from."""
        found: set[str] = set()
        waiting = list(claim_ids)
        while waiting:
            name = waiting.pop()
            if name in self._parts and name not in found:
                found.add(name)
                waiting += self._parts[name]
        return found
