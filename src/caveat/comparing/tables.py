"""A table of several products from the registry: a row a metric, with modes, qualifiers, and notes on the sources."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple

from caveat.binding.ratios import SCOPE, basis_value
from caveat.comparing.asking import TOLD, Asked, Mistake
from caveat.comparing.compare import Key, figures_of, heading, is_absolute, is_score, of_one_thing, ordered, wanted
from caveat.comparing.telling import CONFLICT, rivals_of, told, with_rivals
from caveat.comparing.wording import capital, note_text, plain, publisher
from caveat.registry.registry import UNSTATED, Claim, Product, Registry

NOT_STATED = "not stated"
# What a product is specified to do; what it was measured to do is in a row of its own kind, and only if asked for.
_SPECIFIED = frozenset(("peak", "target"))
# Chips of a cluster are in one building, not in one domain.
_LOOSE = "cluster"


class Cell(NamedTuple):
    """What one product has in a row: its figures as text, and the claims that they rest on; none where nothing is."""

    text: str
    claims: tuple[Claim, ...]


class Line(NamedTuple):
    """A row of a table: the metric and the number format that it is about, its heading, and a cell a product."""

    metric: str
    precision: str
    title: str
    cells: tuple[Cell, ...]


class Table(NamedTuple):
    """Products side by side, and the note on each source by its label, in the order in which they are first cited."""

    products: tuple[Product, ...]
    headings: tuple[str, ...]
    lines: tuple[Line, ...]
    notes: dict[str, str]


def build_table(registry: Registry, products: Sequence[Product], asked: Sequence[Asked] = ()) -> Table:
    """The table of some products: with the rows that are asked for, else with all that is specified of any of them.

    A number format that only one of several products has is left out unless it is asked for. Raises Mistake if no row
    is left.
    """
    figures = [_all_of(registry, product) for product in products]
    keys = ordered(registry, {key for of_product in figures for key in of_product if wanted(asked, key)})
    lines = [_line(registry, products, key, [of_product.get(key, []) for of_product in figures]) for key in keys]
    kept = [line for line, key in zip(lines, keys, strict=True) if _belongs(key, line, asked)]
    if not kept:
        names = " or ".join(product.name for product in products)
        raise Mistake(f"the registry has no figures of {names} on {'these metrics' if asked else 'any metric'}")
    sources = dict.fromkeys(claim.source for line in kept for cell in line.cells for claim in cell.claims)
    notes = {source: note_text(registry, registry.sources[source]) for source in sources}
    return Table(tuple(products), tuple(_headings(registry, products)), tuple(kept), notes)


def as_markdown(table: Table, noted: Collection[str] = ()) -> str:
    """A table in Markdown, with a footnote for each source but those whose labels are `noted` already."""
    rows = [["", *table.headings], ["---"] * (len(table.products) + 1)]
    rows += [[line.title, *(cell.text for cell in line.cells)] for line in table.lines]
    text = "".join(f"| {' | '.join(row)} |\n".replace("|  |", "| |") for row in rows)
    notes = [f"[^{label}]: {note}\n" for label, note in table.notes.items() if label not in noted]
    return text + ("\n" + "".join(notes) if notes else "")


def _all_of(registry: Registry, product: Product) -> dict[Key, list[Claim]]:
    """The absolute claims of a product by metric and format, with words and with what its largest system has."""
    found = figures_of(registry, product.id)
    for claim in registry.claims_of(product.id):
        if claim.figure is None and claim.metric not in TOLD and is_absolute(claim):
            found.setdefault((claim.metric, ""), []).append(claim)
    for metric in registry.vocabulary.wholes:
        largest = max(_of_wholes(registry, product, metric), key=_size, default=None)
        if largest is not None and (metric, "") not in found:
            found[metric, ""] = [largest]
    return found


def _of_wholes(registry: Registry, product: Product, metric: str) -> Iterable[Claim]:
    wholes = (p for p in registry.products.values() if product.id in p.contains and p.unit != _LOOSE)
    claims = (claim for whole in wholes for claim in registry.claims_of(whole.id))
    return (claim for claim in claims if claim.metric == metric and claim.figure is not None and is_absolute(claim))


def _size(claim: Claim) -> Decimal:
    return claim.figure.base()[1] if claim.figure is not None else Decimal(0)


def _belongs(key: Key, line: Line, asked: Sequence[Asked]) -> bool:
    """Whether a row stands in the table: what is only measured if its metric is named, a lone format if it is asked."""
    filled = [cell.claims for cell in line.cells if cell.claims]
    if not any(_is_specified(claim) for claims in filled for claim in claims):
        return any(each.metric == key[0] for each in asked)
    return bool(asked) or not key[1] or len(filled) >= min(2, len(line.cells))


def _is_specified(claim: Claim) -> bool:
    return claim.basis.get("kind", "peak") in _SPECIFIED


def _line(registry: Registry, products: Sequence[Product], key: Key, figures: Sequence[Sequence[Claim]]) -> Line:
    specified = [[claim for claim in claims if _is_specified(claim)] for claims in figures]
    shown = specified if any(specified) else figures
    cells = [_cell(registry, product, claims) for product, claims in zip(products, shown, strict=True)]
    of_wholes = any(claim.product != p.id for p, cell in zip(products, cells, strict=True) for claim in cell.claims)
    title = registry.vocabulary.wholes.get(key[0], "") if of_wholes else ""
    return Line(*key, plain(title or capital(heading(registry, *key))), tuple(cells))


def _headings(registry: Registry, products: Sequence[Product]) -> Iterable[str]:
    """The products by vendor and name, and by what they are if not all are the same."""
    mixed = len({product.unit for product in products}) > 1
    for product in products:
        vendor = registry.vendors[product.vendor].name
        name = product.name if vendor.casefold() in product.name.casefold() else f"{vendor} {product.name}"
        yield plain(f"{name} ({product.unit})" if mixed else name)


def _cell(registry: Registry, product: Product, claims: Sequence[Claim]) -> Cell:
    chosen = _one_a_mode(registry, sorted(claims, key=lambda claim: (claim.status != "current", not claim.chosen)))
    disputed = {claim.id: [claim, *rivals_of(claim, registry)] for claim in chosen}
    texts = [
        _figure(registry, product, claim)
        + "".join(f"[^{source}]" for source in dict.fromkeys(each.source for each in disputed[claim.id]))
        for claim in chosen
    ]
    return Cell(", ".join(texts) or NOT_STATED, tuple(each for claims in disputed.values() for each in claims))


def _one_a_mode(registry: Registry, claims: Sequence[Claim]) -> list[Claim]:
    """One claim a mode, dense and sparse or one-way and two-way, and all of the thing that the first is about."""
    kept: dict[tuple[str, ...], Claim] = {}
    for claim in of_one_thing(registry, claims):
        first = next(iter(kept.values()), claim)
        shared = first.basis.keys() & claim.basis.keys() - set(registry.vocabulary.distinct)
        if all(first.basis[name] == claim.basis[name] for name in shared):
            noun = claim.figure.noun if claim.figure is not None else ""
            modes = [claim.basis.get(name, "") for name in registry.vocabulary.distinct]
            kept.setdefault((noun, *modes), claim)
    return [kept[mode] for mode in sorted(kept, key=lambda mode: _order(registry, mode))]


def _order(registry: Registry, mode: Sequence[str]) -> list[int]:
    """The place of a mode in the order of the vocabulary, dense before sparse; what is unstated last."""
    dimensions = [registry.vocabulary.dimensions[name]["values"] for name in registry.vocabulary.distinct]
    return [
        values.index(value) if value in values else len(values)
        for values, value in zip(dimensions, mode[1:], strict=True)
    ]


def _figure(registry: Registry, product: Product, claim: Claim) -> str:
    """One figure as a cell has it: its value, its mode, and in brackets what else it counts and where it is from."""
    modes, notes = _modes(registry, claim)
    if rivals_of(claim, registry):
        notes.insert(0, CONFLICT)
    if claim.product != product.id:
        notes.insert(0, plain(registry.products[claim.product].name))
    elif claim.basis.get(SCOPE, product.unit) != product.unit and not is_score(claim):
        notes.append(f"per {plain(claim.basis[SCOPE])}")
    if claim.as_of:
        notes.append(f"as of {claim.as_of}")
    if is_score(claim):
        stated = basis_value(claim, SCOPE, registry)
        notes += [f"on one {plain(stated)}"] + (["precision not stated"] if "precision" not in claim.basis else [])
    if claim.derived:
        working = _worked_out(registry, claim)
        notes.append(f"computed: {working}" if working else "computed")
    words = " ".join([with_rivals(claim, registry), *modes])
    return f"{words} ({'; '.join(notes)})" if notes else words


def _modes(registry: Registry, claim: Claim) -> tuple[list[str], list[str]]:
    """What a figure counts: words that follow it ("dense", "HBM3e"), and what stands in brackets."""
    product = registry.products[claim.product]
    modes: list[str] = []
    notes: list[str] = []
    blank = {name: basis_value(claim, name, registry) for name in registry.vocabulary.distinct}
    basis = {**{name: value for name, value in blank.items() if value}, **claim.basis}
    for name, value in basis.items():
        dimension = registry.vocabulary.dimensions[name]
        known = [each for each in dimension["values"] if each != UNSTATED]
        if name in ("precision", SCOPE) or value == "peak":
            continue
        if value == UNSTATED:
            notes.append(f"{publisher(registry, claim)} does not say {' or '.join(known)}")
        elif value in known:
            modes.append(f"measured by {publisher(registry, claim)}" if value == "vendor-measured" else plain(value))
        else:
            notes.append(plain(value))
    if product.status == "target" and "target" not in modes:
        modes.append("target")
    return modes, notes


def _worked_out(registry: Registry, claim: Claim) -> str:
    """The expression that a value is computed by, with the values of the claims that it names.

    "" where one is of a product that is no part of the claim's own, nor the whole: a bracket is too short for it.
    """
    words, own = [], registry.products[claim.product]
    for word in claim.derived.replace("(", "( ").replace(")", " )").split():
        named = registry.claim(word)
        if named is None:
            words.append("x" if word == "*" else plain(word))
            continue
        other = registry.products[named.product]
        if other is not own and other.id not in own.contains and own.id not in other.contains:
            return ""
        modes, _ = _modes(registry, named)
        of = "" if other is own else f"per {plain(other.unit)}"
        words.append(" ".join(part for part in (told(named), *modes, of) if part))
    return " ".join(words).replace("( ", "(").replace(" )", ")")
