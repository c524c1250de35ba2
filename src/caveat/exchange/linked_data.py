"""A registry as JSON-LD: what schema.org has a term for in its terms, all else in terms of Caveat's own.

A claim is a schema.org Claim: asserted by its publisher, about a product, appearing in a source, its figure a
PropertyValue. One that somebody should know more of (a caveat, or a status other than current) has a ClaimReview
beside it, which carries the status as its rating. The registry judges no claim, so that no rating is a number.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from caveat.exchange.contents import Contents
from caveat.exchange.json_document import escaped_json
from caveat.registry.registry import UNSTATED, Claim, Registry

_CONTEXT = {"@vocab": "https://schema.org/", "caveat": "urn:caveat:term:"}
_BODY = {"independent": "Report", "audited": "Report", "peer-reviewed": "ScholarlyArticle", "press": "NewsArticle"}


def render_linked_data(contents: Contents) -> str:
    """The graph of all records, each named by its kind and id."""
    assert contents.registry is not None
    return escaped_json({"@context": _CONTEXT, "@graph": list(_graph(contents, contents.registry))})


# The fields that each kind of node tells in terms of its own; all others are told as they are.
_TOLD = {
    "vendors": {"name", "aliases"},
    "products": {"name", "vendor", "unit", "aliases", "contains", "status"},
    "sources": {"title", "publisher", "kind", "url", "published", "retrieved", "reporter", "aliases"},
    "claims": {
        *("product", "metric", "value", "qualifier", "basis", "compare", "derived", "source", "evidence", "status"),
        *("conflicts", "caveat", "as_of", "searched"),
    },
}


def _graph(contents: Contents, registry: Registry) -> Iterator[dict[str, Any]]:
    claims = {claim.id: claim for claim in registry.all_claims()}
    for section, id_, record in contents.rows():
        if section == "vendors":
            node = _vendor(id_, record)
        elif section == "products":
            node = _product(id_, record)
        elif section == "sources":
            node = _source(id_, record, registry)
        else:
            node = _claim(claims[id_], record, registry)
        yield node | _said(record, **{field: f"caveat:{field}" for field in record if field not in _TOLD[section]})
        if section == "claims":
            yield from _review(claims[id_], record)


def _named(kind: str, id_: str) -> dict[str, str]:
    return {"@id": f"urn:caveat:{kind}:{id_}"}


def _vendor(id_: str, record: dict[str, Any]) -> dict[str, Any]:
    return {
        **_named("vendor", id_),
        "@type": "Organization",
        "identifier": id_,
        "name": record["name"],
        **_said(record, aliases="alternateName"),
    }


def _product(id_: str, record: dict[str, Any]) -> dict[str, Any]:
    parts = [
        {
            "@type": "PropertyValue",
            "propertyID": "caveat:contains",
            "valueReference": _named("product", part),
            "value": n,
        }
        for part, n in record.get("contains", {}).items()
    ]
    return {
        **_named("product", id_),
        "@type": "Product",
        "identifier": id_,
        "name": record["name"],
        "manufacturer": _named("vendor", record["vendor"]),
        "category": record["unit"],
        **_said(record, aliases="alternateName", status="caveat:status"),
        **({"additionalProperty": parts} if parts else {}),
    }


def _source(id_: str, record: dict[str, Any], registry: Registry) -> dict[str, Any]:
    return {
        **_named("source", id_),
        "@type": _BODY.get(record["kind"], "WebPage"),
        "identifier": id_,
        "name": record["title"],
        "publisher": _publisher(record["publisher"], registry),
        "caveat:kind": record["kind"],
        **_said(
            record,
            url="url",
            published="datePublished",
            retrieved="caveat:retrieved",
            aliases="alternateName",
        ),
        **({"author": {"@type": "Organization", "name": record["reporter"]}} if "reporter" in record else {}),
    }


def _publisher(name: str, registry: Registry) -> dict[str, str]:
    return _named("vendor", name) if name in registry.vendors else {"@type": "Organization", "name": name}


def _claim(claim: Claim, record: dict[str, Any], registry: Registry) -> dict[str, Any]:
    source = registry.sources[claim.source]
    linked = {
        **_named("claim", claim.id),
        "@type": "Claim",
        "identifier": claim.id,
        "text": _sentence(claim, registry),
        "about": _named("product", claim.product),
        "author": _publisher(source.publisher, registry),
        "appearance": _named("source", claim.source),
        "mainEntity": _value(claim),
        "creativeWorkStatus": claim.status,
        "caveat:selfPublished": claim.self_published,
        **_said(
            record,
            qualifier="caveat:qualifier",
            basis="caveat:basis",
            derived="caveat:derived",
            evidence="caveat:evidence",
            caveat="caveat:caveat",
            as_of="temporalCoverage",
            searched="caveat:searched",
        ),
    }
    if claim.conflicts:
        linked["caveat:conflicts"] = [_named("claim", other) for other in claim.conflicts]
    if claim.compare_to:
        to = claim.compare_to
        linked["caveat:comparedWith"] = _named("product", to) if to in registry.products else to
    return linked


def _value(claim: Claim) -> dict[str, Any]:
    """The figure as it was written and, where it is a number, as one: exact, in the base unit of its kind."""
    value: dict[str, Any] = {"@type": "PropertyValue", "propertyID": claim.metric, "value": claim.value}
    figure = claim.figure
    if figure is not None:
        low, high, _ = figure.base()
        value |= {"minValue": f"{low:f}", "maxValue": f"{high:f}"}
        if figure.unit:
            value["unitText"] = figure.unit
    return value


def _sentence(claim: Claim, registry: Registry) -> str:
    """What the claim says, in words: `H100, memory capacity: 80 GB (precision FP8)`."""
    basis = ", ".join(f"{name} {value}" for name, value in claim.basis.items() if value != UNSTATED)
    shown = f" ({basis})" if basis else ""
    return f"{registry.products[claim.product].name}, {claim.metric.replace('-', ' ')}: {claim.stated}{shown}"


def _review(claim: Claim, record: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if claim.status == "current" and not claim.caveat:
        return
    yield {
        **_named("review", claim.id),
        "@type": "ClaimReview",
        "itemReviewed": _named("claim", claim.id),
        "claimReviewed": claim.stated,
        "reviewRating": {"@type": "Rating", "alternateName": claim.status},
        **_said(record, caveat="reviewBody"),
    }


def _said(record: dict[str, Any], **terms: str) -> dict[str, Any]:
    """The fields of a record that it has, under the terms given for them; mappings with terms of Caveat's own."""
    said = {term: record[field] for field, term in terms.items() if field in record}
    return {term: _own_terms(value) if isinstance(value, dict) else value for term, value in said.items()}


def _own_terms(mapping: dict[str, Any]) -> dict[str, Any]:
    return {f"caveat:{key}": value for key, value in mapping.items()}
