"""What to look at in the values of a registry: conflicts, told or untold, and dense figures that were halved."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from caveat.article import read_article
from caveat.figures.agreement import exactly, same_value
from caveat.figures.figure import RELATIVE, Figure, Number
from caveat.loading.problems import RegistryWarning
from caveat.markdown.source import Source
from caveat.registry.registry import Claim
from caveat.upkeep.ledger import Ledger, thing

_HALF = Decimal("0.5")


def undecided_conflict(ledger: Ledger) -> Iterator[RegistryWarning]:
    """Conflicts of which no side is chosen: a writer cannot know which figure to print. One warning a conflict."""
    done: set[str] = set()
    for claim in ledger.claims.values():
        if not claim.conflicts or claim.id in done:
            continue
        sides = _sides(ledger, claim)
        done |= {side.id for side in sides}
        if not any(side.chosen or _is_current(ledger, side) for side in sides):
            told = " against ".join([claim.stated, *(f"{side.stated} ({side.id})" for side in sides[1:])])
            message, hint = f"{told}: no side is chosen", 'write "chosen:" and why into the one that is to be printed'
            yield ledger.warning("undecided-conflict", claim, ("conflicts",), message, hint, *sides[1:])


def _is_current(ledger: Ledger, side: Claim) -> bool:
    """Whether a current claim on the same thing has the value of a side: that is the one to print."""
    return any(other.status == "current" and not _differ(side, other) for other in ledger.on_thing[thing(side)])


def _differ(one: Claim, other: Claim) -> bool:
    if one.figure is None or other.figure is None:
        return one.value != other.value
    return not one.figure.interval(qualified=False).meets(other.figure.interval(qualified=False))


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
    for group in map(_Group, ledger.equal_but_for_value):
        for at, claim in enumerate(group.claims):
            against = group.against(at)
            if against is not None:
                message = (
                    f"{claim.stated} here and {against.stated} in {against.id}, and nothing recorded sets them apart"
                )
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
            half = f"{claim.stated} dense is half of {twin.id} ({twin.stated})"
            message = f"{half}, and no recorded words of the source say so"
            hint = "write the source's words on the dense rate into evidence, or take the claim out"
            yield ledger.warning("halved-sparse", claim, ("value",), message, hint, twin)


def _in_mode(ledger: Ledger, mode: str) -> Iterator[Claim]:
    return (claim for claim in ledger.claims.values() if claim.basis.get("sparsity") == mode and not claim.compare_to)


class _SaysSo:
    """Tells whether the recorded words of a source have a dense figure, or say that dense is half; read but once."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self._known: dict[str, bool] = {}

    def of(self, claim: Claim) -> bool:
        """Whether it says so of a claim, or of a dense one that this is derived from."""
        parts = self.ledger.derivations.behind([claim.id]) if claim.derived else {claim.id}
        dense = (part for id_ in sorted(parts) if (part := self.ledger.claims.get(id_)) is not None)
        return any(self._by_its_words(part) for part in dense if part.basis.get("sparsity") == "dense")

    def _by_its_words(self, claim: Claim) -> bool:
        if claim.id not in self._known:
            self._known[claim.id] = claim.value in claim.evidence or self._read(claim)
        return self._known[claim.id]

    def _read(self, claim: Claim) -> bool:
        figure, words = claim.figure, f"{claim.evidence}\n\n{claim.caveat}"
        if figure is None or not words.strip():
            return False
        article = read_article(Source(words, claim.id), self.ledger.registry)
        return any(_gives(number, figure) for number in article.numbers)


def _gives(number: Number, dense: Figure) -> bool:
    """Whether a number is a dense figure, with its unit or without ("158 FP8, 79 BF16 TFLOPS"), or says "half"."""
    figure = number.figure
    if figure is None:
        return number.quantity is not None and number.quantity.low == dense.quantity.low
    half = figure.kind in RELATIVE and figure.base()[0] == _HALF
    return half or exactly(figure, dense) or figure.quantity.low == dense.quantity.low
