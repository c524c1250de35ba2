"""What a harvest proposes, as records of a registry file: in the order of the house, with TODO for what is missing.

A value that the draft does not give is TODO, which no registry accepts, so that nothing is taken for told by mistake.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from caveat.harvesting.citing import Cited
from caveat.harvesting.harvest import Harvest, ProposedProduct
from caveat.harvesting.proposals import NEW, Proposal
from caveat.loading.validation import TODO

Record = dict[str, Any]


def vendor_record(name: str) -> Record:
    """A vendor as a registry has it."""
    return {"name": name}


def product_record(product: ProposedProduct) -> Record:
    """A product as a registry has it."""
    record: Record = {"name": product.name, "vendor": product.vendor or TODO, "unit": product.unit or TODO}
    if product.contains:
        record["contains"] = product.contains
    if product.aliases:
        record["aliases"] = product.aliases
    if product.status:
        record["status"] = product.status
    return record


def source_record(source: Cited) -> Record:
    """A source as a registry has it. What kind it is, no draft says in the words of a registry."""
    record: Record = {"title": source.title or TODO, "publisher": source.publisher or TODO, "kind": TODO}
    if source.url:
        record["url"] = source.url
    if source.alias:
        record["aliases"] = [source.alias]
    return record


def claim_record(proposal: Proposal) -> Record:
    """A claim as a registry has it."""
    record: Record = {
        "id": proposal.id,
        "product": proposal.product or TODO,
        "metric": proposal.metric or TODO,
        "value": proposal.value,
    }
    if proposal.qualifier:
        record["qualifier"] = proposal.qualifier
    if proposal.basis:
        record["basis"] = proposal.basis
    if proposal.relative:
        record["compare"] = {"to": proposal.compare_to or TODO}
    record["source"] = proposal.cited.id or TODO
    return record


def records(harvest: Harvest) -> dict[str, dict[str, Record]]:
    """All new records of a harvest by section and id, in the order in which a file has them."""
    return {
        "vendors": {id_: vendor_record(name) for id_, name in harvest.vendors.items()},
        "products": {id_: product_record(product) for id_, product in harvest.products.items()},
        "sources": {id_: source_record(source) for id_, source in harvest.sources.items()},
        "claims": {proposal.id: claim_record(proposal) for proposal in harvest.of_state(NEW)},
    }


def todo_of(record: Record) -> list[str]:
    """The fields of a record that are still to be filled in, as paths: source, compare.to ..."""
    found = []
    for key, value in record.items():
        if value == TODO:
            found.append(key)
        elif isinstance(value, dict):
            found += [f"{key}.{inner}" for inner in todo_of(value)]
    return found


def remarks(proposal: Proposal, shown: Callable[[str], str]) -> list[str]:
    """What stands in comments above a claim: where drafts state it, and what to know; `shown` makes text harmless."""
    first, *others = proposal.places
    again = "".join(f", {_place(other.filename, other.row, first.filename)}" for other in others)
    lines = [shown(f'{first.filename}:{first.row}{again}: "{first.words}"')]
    if proposal.computed:
        lines.append("computed in the draft: see whether the source prints it, or say in `derived` how it follows")
    lines += [f"the draft says nothing of {name}: see whether the source does" for name in sorted(proposal.assumed)]
    return lines + [shown(note) for note in proposal.notes]


def _place(filename: str, row: int, before: str) -> str:
    return f"{row}" if filename == before else f"{filename}:{row}"
