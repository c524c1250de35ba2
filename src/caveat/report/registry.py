"""The registry as text: all claims, or one of them."""

from __future__ import annotations

import json
from typing import Any

from caveat.registry.registry import Claim, Registry, SourceRecord
from caveat.report.text import counted, table, visible


def render_claims(registry: Registry, fmt: str) -> str:
    """All claims: a JSON array for "json", else a table with a closing count."""
    claims = list(registry.all_claims())
    if fmt == "json":
        return _json([claim_record(registry, claim) for claim in claims])
    rows = [_row(registry, claim) for claim in claims]
    listing = table(("CLAIM", "PRODUCT", "METRIC", "VALUE", "BASIS", "SOURCE", "STATUS"), rows) if rows else ""
    return f"{listing}{render_counts(registry)}\n"


def render_counts(registry: Registry) -> str:
    """How much a registry holds."""
    counts = (
        counted(sum(1 for _ in registry.all_claims()), "claim"),
        counted(len(registry.products), "product"),
        counted(len(registry.sources), "source"),
        counted(len(registry.vendors), "vendor"),
    )
    return ", ".join(counts)


def render_claim(registry: Registry, claim_id: str, fmt: str) -> str | None:
    """One claim with its source, or None if there is none: a JSON object for "json", else a line for each field."""
    claim = registry.claim(claim_id)
    if claim is None:
        return None
    if fmt == "json":
        return _json(claim_record(registry, claim))
    source = registry.sources[claim.source]
    product = registry.products[claim.product]
    compared = registry.products.get(claim.compare_to)
    fields = [
        ("product", f"{product.name} ({registry.vendors[product.vendor].name}, {product.unit})"),
        ("metric", claim.metric),
        ("value", claim.stated),
        ("basis", basis_text(claim)),
        ("compared with", compared.name if compared else claim.compare_to),
        ("derived", claim.derived),
        ("status", claim.status),
        ("conflicts", ", ".join(claim.conflicts)),
        ("chosen", claim.chosen),
        ("caveat", claim.caveat),
        ("as of", claim.as_of),
        ("searched", ", ".join(claim.searched)),
        ("evidence", f'"{claim.evidence}"' if claim.evidence else ""),
        ("source", f"{source.title} ({source.id})"),
        ("publisher", publisher_of(registry, source, claim)),
        ("address", source.url),
        ("published", source.published),
        ("retrieved", source.retrieved),
        ("recorded in", f"{claim.file}:{claim.line}"),
    ]
    lines = [f"  {name:<14}{visible(text)}\n" for name, text in fields if text]
    return f"{visible(claim.id)}\n{''.join(lines)}"


def claim_ids(registry: Registry) -> list[str]:
    """The ids of all claims, to suggest one for an id that does not exist."""
    return [claim.id for claim in registry.all_claims()]


def claim_record(registry: Registry, claim: Claim) -> dict[str, Any]:
    """A claim for a machine: the words of the registry, and what follows from them."""
    source = registry.sources[claim.source]
    return {
        "id": claim.id,
        "product": claim.product,
        "metric": claim.metric,
        "value": claim.value,
        "qualifier": claim.qualifier,
        "basis": claim.basis,
        "compare_to": claim.compare_to,
        "derived": claim.derived,
        "status": claim.status,
        "conflicts": claim.conflicts,
        "chosen": claim.chosen,
        "caveat": claim.caveat,
        "as_of": claim.as_of,
        "searched": claim.searched,
        "evidence": claim.evidence,
        "source": {
            "id": source.id,
            "title": source.title,
            "publisher": source.publisher,
            "kind": source.kind,
            "reporter": source.reporter,
            "url": source.url,
            "published": source.published,
            "retrieved": source.retrieved,
        },
        "self_published": claim.self_published,
        "filename": claim.file,
        "row": claim.line,
    }


def _row(registry: Registry, claim: Claim) -> tuple[str, ...]:
    product = registry.products[claim.product].name
    return (claim.id, product, claim.metric, claim.stated, basis_text(claim), claim.source, claim.status)


def basis_text(claim: Claim) -> str:
    """The basis of a claim on one line: "precision FP8, sparsity dense"."""
    return ", ".join(f"{dimension} {value}" for dimension, value in claim.basis.items())


def publisher_of(registry: Registry, source: SourceRecord, claim: Claim | None = None) -> str:
    """Who published a source, or a claim in it, and in what role, as far as it bears on trust."""
    vendor = registry.vendors.get(source.publisher)
    name = vendor.name if vendor else source.publisher
    notes = [source.kind]
    if source.reporter:
        notes.append(f"reported by {source.reporter}")
    if claim is not None and claim.self_published:
        notes.append("about its own product")
    return f"{name} ({', '.join(notes)})"


def _json(data: Any) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
