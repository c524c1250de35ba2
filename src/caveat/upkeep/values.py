"""What to look at in the values of a registry: conflicts, told or untold, and dense figures that were halved."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from caveat.article import read_article
from caveat.figures.agreement import exactly, same_value
from caveat.figures.figure import Figure
from caveat.loading.derived import names_in
from caveat.markdown.source import Source
from caveat.registry.registry import Claim
from caveat.upkeep.ledger import Ledger, RegistryWarning, thing

_HALF = Decimal("0.5")


def undecided_conflict(ledger: Ledger) -> Iterator[RegistryWarning]:
    """Conflicts of which no side is chosen: a writer cannot know which figure to print. One warning a conflict."""
    done: set[str] = set()
    for claim in ledger.claims.values():
        if not claim.conflicts or claim.id in done:
            continue
        sides = _sides(ledger, claim)
        done |= {side.id for side in sides}
        if not any(side.chosen for side in sides):
            told = " against ".join(
                f"{side.stated} ({side.id})" if side is not claim else side.stated for side in sides
            )
            hint = 'write "chosen:" and the reason into the one that is to be printed'
            yield ledger.warning(
                "undecided-conflict", claim, ("conflicts",), f"{told}: no side is chosen", hint, *sides[1:]
            )


def _sides(ledger: Ledger, claim: Claim) -> list[Claim]:
    """All claims of a conflict, the one given first."""
    found = {claim.id: claim}
    waiting = [claim]
    while waiting:
        for id_ in waiting.pop().conflicts:
            other = ledger.claims.get(id_)
            if other is not None and id_ not in found:
                found[id_] = other
                waiting.append(other)
    return list(found.values())


def undeclared_conflict(ledger: Ledger) -> Iterator[RegistryWarning]:
    """Claims that are equal in all but their value, and of which neither says so.

    A claim with the value of another takes part in that one's conflicts.
    """
    for group in map(_Group, ledger.on_one_thing):
        for at, claim in enumerate(group.claims):
            against = group.against(at)
            if against is not None:
                message = f"{claim.stated} here and {against.stated} in {against.id}, which differs in nothing else"
                hint = "write what sets them apart into basis or as_of, or status: conflicting and conflicts into both"
                yield ledger.warning("undeclared-conflict", claim, ("value",), message, hint, against)


class _Group:
    """Claims on one thing, the values that each may stand for, and whether any is in a conflict."""

    def __init__(self, claims: list[Claim]) -> None:
        self.claims = claims
        self.spans = [claim.figure.interval(qualified=False) for claim in claims if claim.figure is not None]
        self.conflicts = any(claim.conflicts for claim in claims)

    def against(self, at: int) -> Claim | None:
        """The first claim before one that differs from it without being told to."""
        for other in range(at):
            if not self._agree(at, other) and not (self.conflicts and self._told(at, other)):
                return self.claims[other]
        return None

    def _agree(self, one: int, other: int) -> bool:
        return self.spans[one].meets(self.spans[other])

    def _told(self, one: int, other: int) -> bool:
        """Whether two values are known to conflict: by these claims, or by others that have the same values."""
        everyone = range(len(self.claims))
        theirs = {self.claims[each].id for each in everyone if self._agree(each, other)}
        return any(not theirs.isdisjoint(self.claims[each].conflicts) for each in everyone if self._agree(each, one))


def halved_sparse(ledger: Ledger) -> Iterator[RegistryWarning]:
    """Dense throughput that is just half of the sparse one, while no recorded words of the source say so."""
    sparse = {thing(claim, without="sparsity"): claim for claim in _in_mode(ledger, "sparse")}
    says_so = _SaysSo(ledger)
    for claim in _in_mode(ledger, "dense"):
        twin = sparse.get(thing(claim, without="sparsity"))
        if twin is None or claim.figure is None or twin.figure is None:
            continue
        if same_value(claim.figure, twin.figure, _HALF) and not says_so.of(claim):
            message = (
                f"{claim.stated} dense is half of {twin.id} ({twin.stated}), and no recorded words of the source say so"
            )
            hint = "write the source's words on the dense rate into evidence, or take the claim out"
            yield ledger.warning("halved-sparse", claim, ("value",), message, hint, twin)


def _in_mode(ledger: Ledger, mode: str) -> Iterator[Claim]:
    return (claim for claim in ledger.claims.values() if claim.basis.get("sparsity") == mode and not claim.compare_to)


class _SaysSo:
    """Tells whether what is recorded of a source has a dense figure, or that dense is half, for each claim once."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self._known: dict[str, bool] = {}

    def of(self, claim: Claim) -> bool:
        """Whether it says so of a claim, or of a dense one that this is derived from."""
        if claim.id not in self._known:
            self._known[claim.id] = False  # of claims in a circle, which is a fault of its own
            self._known[claim.id] = self._by_its_words(claim) or any(
                self.of(part)
                for name in names_in(claim.derived)
                if (part := self.ledger.claims.get(name)) is not None and part.basis.get("sparsity") == "dense"
            )
        return self._known[claim.id]

    def _by_its_words(self, claim: Claim) -> bool:
        figure, words = claim.figure, f"{claim.evidence}\n\n{claim.caveat}"
        if figure is None or not words.strip():
            return False
        if claim.value in claim.evidence:
            return True
        article = read_article(Source(words, claim.id), self.ledger.registry)
        numbers = [number.figure for number in article.numbers if number.figure is not None]
        return any(exactly(each, figure) or _is_half(each) for each in numbers)


def _is_half(figure: Figure) -> bool:
    return figure.base()[0] == _HALF and figure.kind in ("ratio", "percent")
