"""A registry as its keeper sees it: what is still said, where it is recorded, and what warnings ask of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from functools import cached_property

from caveat.loading.problems import RegistryWarning
from caveat.loading.registry_files import Records
from caveat.loading.registry_schema import SourceEntry
from caveat.loading.validation import Placed
from caveat.registry.registry import Claim, Registry
from caveat.upkeep.derivation import Derivations

# Claims with these statuses are on record and no longer said.
_WITHDRAWN = frozenset(("superseded", "retracted"))


class Ledger:
    """What the warnings look at.

    `today` is the day of the check, `days` how many days a source may go unseen, by class. `used` has the ids of the
    claims that drafts rest on, None if no drafts were named.
    """

    def __init__(
        self,
        records: Records,
        registry: Registry,
        today: date,
        days: Mapping[str, int],
        used: frozenset[str] | None = None,
    ) -> None:
        """`records` and `registry` are of the same folders, and sound; of the records only the places are looked at."""
        self.records = records
        self.registry = registry
        self.today = today
        self.days = days
        self.used = used

    @cached_property
    def claims(self) -> dict[str, Claim]:
        """The claims that are still said, by id, in the order of the files."""
        by_id = {claim.id: claim for claim in self.registry.all_claims()}
        return {id_: by_id[id_] for id_ in self.records.claims if by_id[id_].status not in _WITHDRAWN}

    @cached_property
    def claims_from(self) -> dict[str, list[Claim]]:
        """The claims that are still said, by their source."""
        found: dict[str, list[Claim]] = {}
        for claim in self.claims.values():
            found.setdefault(claim.source, []).append(claim)
        return found

    def sources(self) -> Iterator[tuple[str, Placed[SourceEntry], SourceEntry]]:
        """The sources of claims that are still said."""
        for id_, placed in self.records.sources.items():
            if placed.entry is not None and id_ in self.claims_from:
                yield id_, placed, placed.entry

    @cached_property
    def equal_but_for_value(self) -> list[list[Claim]]:
        """The claims that are equal in all but their value and their source, where the value is a number.

        Prices of two days are not equal, nor are counts of unlike things.
        """
        groups: dict[tuple[object, ...], list[Claim]] = {}
        for claim in self.claims.values():
            figure = claim.figure
            if figure is not None:
                like = (figure.dimension, figure.noun, claim.bound, claim.as_of)
                groups.setdefault((*thing(claim), *like), []).append(claim)
        return [group for group in groups.values() if len(group) > 1]

    @cached_property
    def derivations(self) -> Derivations:
        """Which claims are derived from which."""
        return Derivations(self.registry)

    @cached_property
    def on_thing(self) -> dict[tuple[object, ...], list[Claim]]:
        """The claims that are still said, by what they are about."""
        found: dict[tuple[object, ...], list[Claim]] = {}
        for claim in self.claims.values():
            found.setdefault(thing(claim), []).append(claim)
        return found

    def warning(
        self, name: str, claim: Claim, path: tuple[int | str, ...], message: str, hint: str, *others: Claim
    ) -> RegistryWarning:
        """A warning of a claim, at a path of its record; it is about the others as well."""
        problem = self.records.claims[claim.id].problem(path, message, hint)
        return RegistryWarning(name, problem, (claim.id, *(other.id for other in others)))


def thing(claim: Claim, *, without: str = "") -> tuple[object, ...]:
    """What a claim is about: its product, metric, basis (`without` one dimension) and other side."""
    basis = tuple(sorted(item for item in claim.basis.items() if item[0] != without))
    return claim.product, claim.metric, basis, claim.compare_to
