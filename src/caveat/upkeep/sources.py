"""What to look at in the sources of a registry: how long they went unseen, what is kept of them, who they are."""

from __future__ import annotations

import calendar
from collections.abc import Iterator
from datetime import date

from caveat.loading.problems import RegistryWarning, quoted
from caveat.loading.registry_schema import SourceEntry
from caveat.registry.registry import Claim, SourceRecord
from caveat.upkeep.ledger import Ledger, thing

# How fast claims of different classes grow old; the first that fits one holds.
PRICE, BENCHMARK, SPECIFICATION = "price", "benchmark", "specification"
_THEIR_OWN = frozenset(("measured", "sustained"))  # by whoever publishes it
_MEASURED = _THEIR_OWN | {"vendor-measured"}
_PRESS, _ABSENCE = "press", "absence"
_MOST_NAMED = 3
_MONTHS = 12
_PUBLISHED = ("published",)


def no_snapshot(ledger: Ledger) -> Iterator[RegistryWarning]:
    """Sources of which the registry keeps no copy: once the page has changed, nobody can look their claims up."""
    for id_, placed, entry in ledger.sources():
        if entry.snapshot is None:
            claims = ledger.claims_from[id_]
            message = f"no snapshot of it is kept, and {_named(claims)} {'rests' if len(claims) == 1 else 'rest'} on it"
            hint = f"keep one: caveat claims snapshot {id_} --from {entry.url or 'FILE'}"
            yield RegistryWarning("no-snapshot", placed.problem((), message, hint), _ids(claims), id_)


def stale_source(ledger: Ledger) -> Iterator[RegistryWarning]:
    """Sources that were not seen for longer than the most perishable class of their claims allows."""
    for id_, placed, entry in ledger.sources():
        claims = ledger.claims_from[id_]
        class_ = min((class_of(claim) for claim in claims), key=lambda name: ledger.days[name])
        of_class = [claim for claim in claims if class_of(claim) == class_]
        allowed = f"{class_}: {ledger.days[class_]} days at most"
        seen, path = _last_seen(entry)
        ago = (ledger.today - seen).days if seen is not None else 0
        if seen is not None and ago <= ledger.days[class_]:
            continue
        if seen is None:
            message = f"no day is recorded on which it was seen ({allowed})"
        elif path == _PUBLISHED:
            message = f"no day is recorded on which it was seen since it came out {ago} days ago ({allowed})"
        else:
            message = f"not seen for {ago} days ({allowed})"
        hint = f"look whether it still says {_named(of_class)}, and write retrieved: {ledger.today}"
        yield RegistryWarning("stale-source", placed.problem(path, message, hint), _ids(of_class), id_)


def class_of(claim: Claim) -> str:
    """The class of a claim, by how soon it may be outdated: price, benchmark or specification."""
    if claim.figure is not None and claim.figure.kind == "price":
        return PRICE
    if claim.basis.get("kind") in _MEASURED or claim.metric == _ABSENCE:  # a next round may bring what is absent
        return BENCHMARK
    return SPECIFICATION


def _last_seen(entry: SourceEntry) -> tuple[date | None, tuple[int | str, ...]]:
    """The last day on which somebody can have seen a source, by any date it has, and where that is recorded."""
    taken = entry.snapshot.taken if entry.snapshot else ""
    days = [
        (_last_day(text), path)
        for text, path in ((entry.published, _PUBLISHED), (entry.retrieved, ("retrieved",)), (taken, ("snapshot",)))
        if text
    ]
    return max(days, key=lambda day: day[0], default=(None, ()))


def _last_day(text: str) -> date:
    """The last day of a day, month or year as YYYY[-MM[-DD]]."""
    year, month, day = ([int(part) for part in str(text)[:10].split("-")] + [0, 0])[:3]
    month = month or _MONTHS
    return date(year, month, day or calendar.monthrange(year, month)[1])


def press_only(ledger: Ledger) -> Iterator[RegistryWarning]:
    """Claims of vendors that nothing but a press report supports."""
    sources = ledger.registry.sources
    for claim in ledger.claims.values():
        source = sources[claim.source]
        vendor = _whose(ledger, claim, source) if source.kind == _PRESS else ""
        firm = (other for other in ledger.on_thing[thing(claim)] if sources[other.source].kind != _PRESS)
        if vendor and not any(_same(claim, other) for other in firm):
            message = f"{vendor}'s claim rests on a press report alone ({quoted(source.title)})"
            hint = f"record where {vendor} says so as well, or name another reporter in the source if it is not theirs"
            yield ledger.warning("press-only", claim, ("source",), message, hint)._replace(source=source.id)


def _whose(ledger: Ledger, claim: Claim, source: SourceRecord) -> str:
    """The name of the vendor whose claim a report tells, "" if it is somebody else's.

    Unless the report names a reporter or tells of a measurement, what it says of a product is from who makes it.
    """
    vendors = ledger.registry.vendors
    if source.reporter:
        named = [v for v in vendors.values() if source.reporter.lower() in map(str.lower, (v.id, v.name, *v.aliases))]
        return named[0].name if named else ""
    own = claim.basis.get("kind") in _THEIR_OWN or claim.metric == _ABSENCE
    return "" if own else vendors[ledger.registry.products[claim.product].vendor].name


def _same(claim: Claim, other: Claim) -> bool:
    """Whether two claims on one thing say the same."""
    if claim.figure is None or other.figure is None:
        return claim.value.lower() == other.value.lower()
    return claim.figure.dimension == other.figure.dimension and claim.figure.interval().meets(other.figure.interval())


def _ids(claims: list[Claim]) -> tuple[str, ...]:
    return tuple(claim.id for claim in claims)


def _named(claims: list[Claim]) -> str:
    """Some claims by their ids, or how many they are."""
    if len(claims) <= _MOST_NAMED:
        return ", ".join(claim.id for claim in claims)
    return f"{len(claims)} claims"
