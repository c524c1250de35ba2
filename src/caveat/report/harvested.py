"""What drafts hold for a registry: as a table for people, or as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from caveat.report.text import counted, table, visible

if TYPE_CHECKING:
    from caveat.harvesting.citing import Cited
    from caveat.harvesting.harvest import Harvest, ProposedProduct
    from caveat.harvesting.proposals import LeftOut, Place, Proposal

# So many figures that are no claims are named; the rest is counted.
MOST = 10


def as_table(harvest: Harvest, open_fields: Mapping[str, Sequence[str]]) -> str:
    """A row a claim, then what differs from the registry, and what was left out. `open_fields` by the claim's id."""
    rows = [
        (
            proposal.state,
            proposal.id,
            proposal.product or "TODO",
            proposal.metric or "TODO",
            stated(proposal),
            ", ".join(f"{name} {value}" for name, value in proposal.basis.items()),
            proposal.cited.id or "TODO",
            where(proposal.places[0]),
            ", ".join(open_fields.get(proposal.id, ())),
        )
        for proposal in harvest.proposals
    ]
    header = ("STATE", "CLAIM", "PRODUCT", "METRIC", "VALUE", "BASIS", "SOURCE", "FIRST AT", "TODO")
    return (table(header, rows) if rows else "") + "".join(
        f"{visible(line)}\n" for line in [*differing(harvest), *left_out(harvest.left_out), tally(harvest)]
    )


def as_json(harvest: Harvest, open_fields: Mapping[str, Sequence[str]]) -> str:
    """Everything that was read, as one object."""
    content = {
        "claims": [_claim(proposal, open_fields.get(proposal.id, ())) for proposal in harvest.proposals],
        "vendors": harvest.vendors,
        "products": {id_: _product(product) for id_, product in harvest.products.items()},
        "sources": {id_: _source(source) for id_, source in harvest.sources.items()},
        "left_out": [{**_place(left.place), "why": left.why} for left in harvest.left_out],
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def stated(proposal: Proposal) -> str:
    """The value as the draft has it, with its qualifier."""
    return f"{proposal.qualifier} {proposal.value}".strip()


def where(place: Place) -> str:
    """A place as an editor finds it."""
    return f"{place.filename}:{place.row}"


def differing(harvest: Harvest) -> list[str]:
    """A line for each figure of which the registry has another value, which is left as it is."""
    return [
        f"{where(p.places[0])}: {stated(p)} here; the registry has {p.registered} ({p.against})"
        for p in harvest.of_state("differs")
    ]


def left_out(left: Sequence[LeftOut]) -> list[str]:
    """Lines on the figures that are no claims, or the first of them, each with the reason."""
    lines = [f'{where(each.place)}: "{each.place.words}" is left out: {each.why}' for each in left[:MOST]]
    return lines + ([f"{len(left) - MOST} more are left out"] if len(left) > MOST else [])


def tally(harvest: Harvest) -> str:
    """How many claims were read, by what the registry has of them, and what they refer to."""
    new, same, differs = (len(harvest.of_state(state)) for state in ("new", "same", "differs"))
    also = [
        counted(len(records), noun)
        for records, noun in ((harvest.products, "product"), (harvest.sources, "source"), (harvest.vendors, "vendor"))
    ]
    differ = f"{differs} that {'differs' if differs == 1 else 'differ'}"
    return f"{counted(new, 'new claim')}, {same} that the registry has, {differ}; {', '.join(also)}"


def added(path: str, ids: Mapping[str, Sequence[str]], todo: int) -> str:
    """What was written to a file, and what is still to be filled in there."""
    if not ids:
        return visible(f"{path}: nothing to add.") + "\n"
    counts = [counted(len(listed), section.removesuffix("s")) for section, listed in ids.items()]
    left = f"; {counted(todo, 'TODO', 'TODO')} to fill in, which `caveat claims check` names" if todo else ""
    return visible(f"{path}: {', '.join(counts)} added{left}.") + "\n"


def _claim(proposal: Proposal, todo: Sequence[str]) -> dict[str, Any]:
    return {
        "state": proposal.state,
        "id": proposal.id,
        "product": proposal.product or None,
        "metric": proposal.metric or None,
        "value": proposal.value,
        "qualifier": proposal.qualifier,
        "basis": proposal.basis,
        "compare_to": proposal.compare_to if proposal.relative else None,
        "source": proposal.cited.id or None,
        "computed": proposal.computed,
        "assumed": sorted(proposal.assumed),
        "notes": proposal.notes,
        "todo": list(todo),
        "registered": {"id": proposal.against, "value": proposal.registered} if proposal.against else None,
        "places": [_place(place) for place in proposal.places],
    }


def _product(product: ProposedProduct) -> dict[str, Any]:
    return {
        "name": product.name,
        "vendor": product.vendor or None,
        "unit": product.unit or None,
        "contains": product.contains,
        "aliases": product.aliases,
        "status": product.status or None,
    }


def _source(source: Cited) -> dict[str, Any]:
    return {"title": source.title or None, "publisher": source.publisher or None, "url": source.url or None}


def _place(place: Place) -> dict[str, Any]:
    return {"filename": place.filename, "location": {"row": place.row, "column": place.column}, "text": place.words}
