"""The registry, the rules and the lexicons as one structure that JSON can hold, made to be read fast."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from caveat import data
from caveat.figures.vocabulary import compile_vocabulary, vocabulary_phrases
from caveat.language.phrases import build_index, packed
from caveat.loading.problems import Problem, in_order
from caveat.loading.registry_files import Records
from caveat.loading.registry_loading import load_registry
from caveat.loading.registry_schema import ClaimEntry, ProductEntry, SourceEntry, VendorEntry
from caveat.loading.shipped import read_shipped
from caveat.loading.validation import Placed
from caveat.registry.registry import pack_figure

# The name of a line of products: "Trainium" of "Trainium3", "Gaudi" of "Gaudi 3".
_LINE = re.compile(r"([A-Z][A-Za-z]{4,}) ?\d")


def compile_folders(
    claims: Sequence[str], rules: Sequence[str], checks: Collection[str]
) -> tuple[dict[str, Any], list[Problem]]:
    """The compiled form of the folders of a registry and of those of rules, and all that is wrong with them.

    A rule in a later folder takes the place of one with its name in an earlier folder. `checks` are the names of the
    checks that exist. If there are problems, the compiled form lacks what is faulty.
    """
    problems: list[Problem] = []
    rulebook, known = read_rules(rules, checks, problems)
    records, vocabulary = load_registry(claims, data.vocabulary_file(), problems, rulebook["qualifiers"], known)
    return compile_desk(records, rulebook, vocabulary), in_order(problems)


def read_rules(
    rules: Sequence[str], checks: Collection[str], problems: list[Problem]
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """What `load_rulebook` returns of folders of rules, and the shipped vocabulary if it came compiled."""
    shipped = read_shipped()
    known = shipped.vocabulary if shipped is not None else None
    if shipped is not None and len(rules) == 1 and os.path.samefile(rules[0], data.rules_folder()):
        return shipped.rulebook, known
    from caveat.loading.rulebook_loading import load_rulebook

    return load_rulebook(rules, checks, problems), known


def compile_desk(records: Records, rulebook: dict[str, Any], vocabulary: dict[str, Any]) -> dict[str, Any]:
    """The compiled form, whose views are `Registry` and `build_rules`. Faulty records are left out.

    `rulebook` is what `load_rulebook` returns; `vocabulary` is the merged one as it was written, not compiled.
    """
    return {
        "vocabulary": compile_vocabulary(vocabulary),
        "phrases": [build_index(_names(records, vocabulary)), rulebook["phrases"]],
        "rules": rulebook["rules"],
        "registry": {
            "vendors": {id_: _vendor_row(placed.entry) for id_, placed in records.vendors.items() if placed.entry},
            "products": {id_: _product_row(placed.entry) for id_, placed in records.products.items() if placed.entry},
            "sources": {id_: _source_row(placed.entry) for id_, placed in records.sources.items() if placed.entry},
            "claims": _claims_by_product(records, rulebook["qualifiers"], vocabulary),
        },
    }


def _vendor_row(entry: VendorEntry) -> list[Any]:
    """A vendor in the order of the fields of `Vendor`, after the id."""
    return [entry.name, entry.aliases]


def _product_row(entry: ProductEntry) -> list[Any]:
    """A product in the order of the fields of `Product`, after the id."""
    return [entry.name, entry.vendor, entry.unit, entry.aliases, entry.contains, entry.status]


def _source_row(entry: SourceEntry) -> list[Any]:
    """A source in the order of the fields of `SourceRecord`, after the id."""
    return [
        entry.title,
        entry.publisher,
        entry.kind,
        entry.url,
        entry.published,
        entry.retrieved,
        entry.reporter,
        entry.aliases,
    ]


def _names(records: Records, vocabulary: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """All (phrase, kind, value) of a registry and its vocabulary that a draft is searched for."""
    for id_, product in records.products.items():
        if product.entry:
            for name in (product.entry.name, *product.entry.aliases):
                for form in forms_of(name):
                    yield form, "product", id_
            line = _LINE.match(product.entry.name)
            if line:
                yield line.group(1), "product-line", line.group(1)
    for id_, vendor in records.vendors.items():
        if vendor.entry:
            for name in (vendor.entry.name, *vendor.entry.aliases):
                yield name, "vendor", id_
    for id_, source in records.sources.items():
        if source.entry:
            for name in (source.entry.title, *source.entry.aliases):
                yield name, "source", id_
    yield from vocabulary_phrases(vocabulary)


def forms_of(name: str) -> Iterator[str]:
    """A product's name, and its plural or singular: "H200s", "UltraCluster 3.0" beside "UltraClusters 3.0"."""
    yield name
    if name[-1:].isalnum() and not name.endswith("s"):
        yield f"{name}s"
    words = name.split(" ")
    if len(words) > 1 and words[-1][:1].isdigit() and words[-2].endswith("s"):
        yield " ".join([*words[:-2], words[-2][:-1], words[-1]])


def _claims_by_product(records: Records, qualifiers: Mapping[str, str], vocabulary: dict[str, Any]) -> dict[str, str]:
    """The claims of each product as JSON text, decoded only if a draft speaks of the product."""
    aliases = {name: entry.get("aliases", {}) for name, entry in vocabulary.get("dimensions", {}).items()}
    by_product: dict[str, list[dict[str, Any]]] = {}
    for id_, claim in records.claims.items():
        if claim.entry is not None:
            record = _claim_record(id_, claim, claim.entry, records)
            record["bound"] = qualifiers.get(claim.entry.qualifier.lower(), claim.entry.qualifier)
            record["basis"] = {
                dimension: aliases.get(dimension, {}).get(value, value)
                for dimension, value in claim.entry.basis.items()
            }
            kept = {key: value for key, value in record.items() if value}
            by_product.setdefault(claim.entry.product, []).append(kept)
    return {product: packed(claims) for product, claims in by_product.items()}


def _claim_record(id_: str, claim: Placed[ClaimEntry], entry: ClaimEntry, records: Records) -> dict[str, Any]:
    """A claim as `Claim` takes it; empty values may be dropped."""
    figure = records.figures.get(id_)
    source, product = records.sources.get(entry.source), records.products.get(entry.product)
    publisher = source.entry.publisher if source and source.entry else ""
    maker = product.entry.vendor if product and product.entry else ""
    return {
        "id": id_,
        "product": entry.product,
        "metric": entry.metric,
        "value": entry.value,
        "figure": None if figure is None else pack_figure(figure),
        "qualifier": entry.qualifier,
        "compare_to": entry.compare.to if entry.compare else "",
        "derived": entry.derived,
        "source": entry.source,
        "evidence": entry.evidence,
        "status": entry.status,
        "conflicts": entry.conflicts,
        "chosen": entry.chosen,
        "caveat": entry.caveat,
        "as_of": entry.as_of,
        "searched": entry.searched,
        "self_published": publisher != "" and publisher == maker,
        "file": claim.file,
        "line": claim.line,
    }
