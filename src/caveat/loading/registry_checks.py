"""What must hold between the records of a registry: names, references, values, derivations and conflicts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal

from caveat.figures.figure import Figure
from caveat.figures.quantity import Interval, widened
from caveat.language.tokens import words_of
from caveat.loading.derived import ExpressionError, evaluate, names_in
from caveat.loading.problems import Problem, nearest, quoted, suggest
from caveat.loading.registry_files import Records
from caveat.loading.registry_schema import DATES, WORDS, ClaimEntry, ProductEntry, VendorEntry
from caveat.loading.validation import Placed

# Qualifiers that say a value is near the one printed; "up to" and its like bound it and say nothing of how near.
_APPROXIMATE = ("about", "nearly", "just under", "just over")


def check_references(records: Records, problems: list[Problem]) -> None:
    """Names that stand for one thing only, and references that lead somewhere."""
    _check_names(records.vendors, "vendor", problems)
    _check_names(records.products, "product", problems)
    for id_, product in records.products.items():
        entry = product.entry
        if entry is None:
            continue
        if entry.vendor not in records.vendors:
            problems.append(product.problem(("vendor",), *_unknown("vendor", entry.vendor, records.vendors)))
        for part in entry.contains:
            path = ("contains", part)
            if part == id_:
                problems.append(product.problem(path, "a product cannot contain itself", "name what it is made of"))
            elif part not in records.products:
                problems.append(product.problem(path, *_unknown("product", part, records.products)))
    _check_publishers(records, problems)
    names = _names(records.products)
    for id_, claim in records.claims.items():
        if claim.entry is not None:
            _check_subject(claim, claim.entry, records, problems)
            _check_comparison(claim, claim.entry, records, names, problems)
            _check_conflicts(id_, claim, claim.entry, records, problems)
            _check_absence(claim, claim.entry, problems)


def _unknown(kind: str, id_: str, known: Iterable[str]) -> tuple[str, str]:
    """The message and the hint for an id that nothing has."""
    return f"no {kind} has the id {quoted(id_)}", suggest(id_, known)


def _check_names(
    records: Mapping[str, Placed[VendorEntry]] | Mapping[str, Placed[ProductEntry]], kind: str, problems: list[Problem]
) -> None:
    """A name in a draft must lead to one record."""
    owners: dict[tuple[str, ...], tuple[str, str]] = {}
    for id_, placed in records.items():
        entry = placed.entry
        if entry is None:
            continue
        paths: list[tuple[int | str, ...]] = [("name",), *(("aliases", at) for at in range(len(entry.aliases)))]
        for path, name in zip(paths, [entry.name, *entry.aliases], strict=True):
            words = tuple(words_of(name))
            if not words:
                problems.append(placed.problem(path, f"{quoted(name)} holds no word", "write a name"))
                continue
            owner, place = owners.setdefault(words, (id_, placed.place))
            if owner != id_:
                message = f"{quoted(name)} is already a name of the {kind} {quoted(owner)} ({place})"
                problems.append(placed.problem(path, message, "write a name that only one of them has"))


def _check_subject(claim: Placed[ClaimEntry], entry: ClaimEntry, records: Records, problems: list[Problem]) -> None:
    if entry.product not in records.products:
        problems.append(claim.problem(("product",), *_unknown("product", entry.product, records.products)))
    if entry.source not in records.sources:
        problems.append(claim.problem(("source",), *_unknown("source", entry.source, records.sources)))


def _check_publishers(records: Records, problems: list[Problem]) -> None:
    """A publisher that is a vendor must be given by its id, or the vendor's own claims would pass as another's."""
    vendors = _names(records.vendors)
    for source in records.sources.values():
        entry = source.entry
        if entry is None or entry.publisher in records.vendors:
            continue
        near = vendors.get(entry.publisher.lower())
        if near is not None:
            message = f"{quoted(entry.publisher)} is the name of a vendor"
            problems.append(source.problem(("publisher",), message, f"write its id, {near}"))
        elif entry.kind.startswith("vendor-"):
            message = f"no vendor has the id {quoted(entry.publisher)}, and the kind is {entry.kind}"
            problems.append(source.problem(("publisher",), message, suggest(entry.publisher, records.vendors)))


def _check_comparison(
    claim: Placed[ClaimEntry], entry: ClaimEntry, records: Records, names: Mapping[str, str], problems: list[Problem]
) -> None:
    """`compare.to` may be words, but not the name of a product, nor words that are nearly its id."""
    to = entry.compare.to if entry.compare else ""
    if not to or to in records.products:
        return
    near = names.get(to.lower(), "") or ("" if " " in to else nearest(to, records.products, cutoff=0.85))
    if near:
        message = f"no product has the id {quoted(to)}"
        problems.append(claim.problem(("compare", "to"), message, f"write {near}"))


def _names(records: Mapping[str, Placed[VendorEntry]] | Mapping[str, Placed[ProductEntry]]) -> dict[str, str]:
    """Each id, name and alias of vendors or products, in lower case, with the id."""
    return {
        name.lower(): id_
        for id_, placed in records.items()
        if placed.entry is not None
        for name in (id_, placed.entry.name, *placed.entry.aliases)
    }


def _check_conflicts(
    id_: str, claim: Placed[ClaimEntry], entry: ClaimEntry, records: Records, problems: list[Problem]
) -> None:
    """Conflicting claims name one another and say so in their status."""
    if entry.status == "conflicting" and not entry.conflicts:
        message = "conflicting, but no conflicts are given"
        problems.append(claim.problem(("status",), message, "write conflicts: [the ids of the other claims]"))
    if entry.conflicts and entry.status != "conflicting":
        message = f"{entry.status}, but conflicts are given"
        problems.append(claim.problem(("status",), message, "write status: conflicting"))
    if entry.chosen and not entry.conflicts:
        message = "it is no side of a conflict"
        problems.append(claim.problem(("chosen",), message, "take it out, or write conflicts: [the other claims]"))
    for at, other_id in enumerate(entry.conflicts):
        path = ("conflicts", at)
        other = records.claims.get(other_id)
        if other_id == id_:
            problems.append(claim.problem(path, "a claim cannot conflict with itself", "name the other claim"))
        elif other is None:
            problems.append(claim.problem(path, *_unknown("claim", other_id, records.claims)))
        elif other.entry is not None and id_ not in other.entry.conflicts:
            message = f"{quoted(other_id)} ({other.place}) does not name this claim"
            problems.append(claim.problem(path, message, f"add {id_} to its conflicts"))
        elif entry.chosen and other.entry is not None and other.entry.chosen:
            message = f"{quoted(other_id)} ({other.place}) is chosen too"
            problems.append(claim.problem(("chosen",), message, "one side can be the one to print: keep one"))


def _check_absence(claim: Placed[ClaimEntry], entry: ClaimEntry, problems: list[Problem]) -> None:
    if entry.metric == "absence" and not entry.searched and isinstance(claim.node.value, dict):
        if "searched" in claim.node.value:
            problems.append(claim.problem(("searched",), "empty", "write where it was looked for, as a list"))
        else:
            problems.append(claim.problem((), "searched: missing", "write where it was looked for, as a list"))


def check_derived(records: Records, problems: list[Problem]) -> None:
    """Derived values recompute within the rounding of the printed value, and none rests on itself."""
    for id_, claim in records.claims.items():
        if claim.entry is not None and claim.entry.derived:
            _check_expression(claim, claim.entry, records, problems)
            failed = recomputed_otherwise(id_, records)
            if failed is not None:
                problems.append(failed)
    for circle in _circles(records):
        claim = records.claims[circle[0]]
        message = f"rests on itself: {' -> '.join([*circle, circle[0]])}"
        problems.append(claim.problem(("derived",), message, "derive one of them from something else"))


def _check_expression(claim: Placed[ClaimEntry], entry: ClaimEntry, records: Records, problems: list[Problem]) -> None:
    try:
        _computed(entry, records)
    except ExpressionError as error:
        message, _, hint = str(error).partition("; ")
        if message:
            problems.append(claim.problem(("derived",), message, hint))


def recomputed_otherwise(id_: str, records: Records) -> Problem | None:
    """The problem of a derived claim whose value is not what its expression gives; None if there is none of the kind.

    What keeps an expression from being read or computed is another problem.
    """
    claim, figure = records.claims[id_], records.figures.get(id_)
    if claim.entry is None or not claim.entry.derived or figure is None:
        return None
    try:
        computed, exact = _computed(claim.entry, records)
    except ExpressionError:
        return None
    printed = figure.interval(qualified=False)
    if figure.qualifier in _APPROXIMATE:
        printed = widened(printed, figure.qualifier)
    if computed.meets(printed):
        return None
    message = f"{claim.entry.derived} is {_in_unit(exact, figure)}, but the value is {claim.entry.value}"
    return claim.problem(("derived",), message, "correct the value or the expression")


def _computed(entry: ClaimEntry, records: Records) -> tuple[Interval, Interval]:
    """What an expression gives, with the room that rounding leaves and from the values as printed.

    Raises ExpressionError.
    """

    def interval_of(name: str) -> Interval:
        return _figure_of(name, records).interval(qualified=False)

    def printed_value_of(name: str) -> Interval:
        return Interval(*_figure_of(name, records).base()[:2])

    return evaluate(entry.derived, interval_of), evaluate(entry.derived, printed_value_of)


def _figure_of(name: str, records: Records) -> Figure:
    """The figure of a claim that an expression names; an error without text if its fault has been reported already."""
    figure = records.figures.get(name)
    if figure is not None:
        return figure
    claim = records.claims.get(name)
    if claim is None:
        raise ExpressionError("; ".join(_unknown("claim", name, records.claims)))
    if claim.entry is None or claim.entry.metric not in DATES | WORDS:
        raise ExpressionError("")
    raise ExpressionError(f"the value of {quoted(name)} is no number; name a claim with a number")


def _in_unit(value: Interval, figure: Figure) -> str:
    """A computed value as a person would write it beside the printed one."""
    ends = []
    for end in dict.fromkeys(value):
        rounded = Decimal(f"{end / figure.factor:.6g}")
        ends.append(f"{rounded.normalize():f}")
    text = " to ".join(ends)
    return f"{text}{figure.unit}" if figure.unit in ("x", "%") else f"{text} {figure.unit or figure.noun}".rstrip()


def _circles(records: Records) -> Iterable[list[str]]:
    """Circles of derivations, each once; without recursion, since a chain may be as long as the registry."""
    parts = {
        id_: [name for name in names_in(claim.entry.derived) if name in records.claims]
        for id_, claim in records.claims.items()
        if claim.entry is not None and claim.entry.derived
    }
    done: set[str] = set()
    for start, first in parts.items():
        path = {} if start in done else {start: iter(first)}
        while path:
            name = next(reversed(path))
            part = next(path[name], None)
            if part is None:
                done.add(name)
                del path[name]
            elif part in path:
                names = list(path)
                yield names[names.index(part) :]
            elif part in parts and part not in done:
                path[part] = iter(parts[part])
