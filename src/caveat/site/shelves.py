"""The registries of a report, each with its pages and with what the drafts use of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from caveat.loading.derived import names_in
from caveat.markdown.source import Source
from caveat.registry.independence import STEPS as INDEPENDENCE
from caveat.registry.independence import independence
from caveat.registry.registry import Claim, Registry
from caveat.report.registry import publisher_of
from caveat.site import ages
from caveat.site.marks import Item
from caveat.site.naming import page_names

_BAR = 200  # the width of a chart, in pixels
_AROUND = 60  # characters around the words of a use, but no more than the paragraph, item or row
_EDGE = re.compile(r"\n\s*\n|\n(?=\s*(?:[|>*+#-]|\d+[.)]))")


class Shelf:
    """A registry in a report: `folder` is where the pages of its claims are, `index` the page that lists them."""

    def __init__(self, registry: Registry, number: int, of: int) -> None:
        """`number` counts from 1; `of` is how many registries the drafts are checked against."""
        self.registry = registry
        self.folder = "claims" if number == 1 else f"claims-{number}"
        self.name = "Claims" if of == 1 else f"Claims, registry {number}"
        self.index = f"{self.folder}.html"
        self.claims = {claim.id: claim for claim in registry.all_claims()}
        self.pages = {id_: f"{self.folder}/{page}" for id_, page in page_names(self.claims).items()}
        self.uses: dict[str, list[dict[str, Any]]] = {}
        self.resting: dict[str, list[str]] = {}
        for claim in self.claims.values():
            for name in names_in(claim.derived) if claim.derived else ():
                self.resting.setdefault(name, []).append(claim.id)

    def note_uses(self, source: Source, page: str, items: Iterable[Item]) -> None:
        """Note where a draft rests on claims, or is found to differ from them."""
        for item in items:
            for id_ in dict.fromkeys([*item.claims, *(name for f in item.findings for name in f.claims)]):
                if id_ in self.claims:
                    self.uses.setdefault(id_, []).append(_use(source, page, item))

    def independence(self, claim: Claim) -> str:
        """How far a claim's source stands from the vendor."""
        return independence(self.registry.sources[claim.source].kind, self_published=claim.self_published)

    def told(self, id_: str) -> dict[str, Any] | None:
        """A claim in a line; None if there is none of this id."""
        claim = self.claims.get(id_)
        if claim is None:
            return None
        return {
            "id": id_,
            "page": self.pages[id_],
            "subject": self.registry.products[claim.product].name,
            "metric": claim.metric.replace("-", " "),
            "stated": claim.stated,
            "basis": _basis(claim),
            "status": claim.status,
            "source": self.registry.sources[claim.source].title,
            "independence": self.independence(claim),
            "uses": len(self.uses.get(id_, ())),
        }

    def products(self) -> list[dict[str, Any]]:
        """The products that have claims, with these."""
        by_product: dict[str, list[Claim]] = {}
        for claim in self.claims.values():
            by_product.setdefault(claim.product, []).append(claim)
        return [
            {
                "name": self.registry.products[product].name,
                "anchor": f"product-{number}",
                "claims": [self.told(claim.id) for claim in claims],
            }
            for number, (product, claims) in enumerate(by_product.items(), start=1)
        ]

    def page(self, claim: Claim) -> dict[str, Any]:
        """All that there is to say of a claim."""
        registry, source = self.registry, self.registry.sources[claim.source]
        product = registry.products[claim.product]
        compared = registry.products.get(claim.compare_to)
        fields = [
            ("product", [_text(f"{product.name} ({registry.vendors[product.vendor].name}, {product.unit})")]),
            ("basis", [_text(_basis(claim))]),
            ("compared with", [_text(compared.name if compared else claim.compare_to)]),
            ("derived", [_text(claim.derived)]),
            ("from", [self._link(id_) for id_ in dict.fromkeys(names_in(claim.derived)) if claim.derived]),
            ("rests on it", [self._link(id_) for id_ in self.resting.get(claim.id, ())]),
            ("status", [_text(claim.status)]),
            ("conflicts with", [self._link(id_) for id_ in claim.conflicts]),
            ("caveat", [_text(claim.caveat)]),
            ("as of", [_text(claim.as_of)]),
            ("searched", [_text(place) for place in claim.searched]),
            ("source", [_text(source.title)]),
            ("publisher", [_text(publisher_of(registry, source, claim))]),
            ("independence", [_text(self.independence(claim))]),
            ("address", [{"text": source.url, "link": source.url, "away": True}]),
            ("published", [_text(source.published)]),
            ("retrieved", [_text(source.retrieved)]),
            ("recorded in", [_text(f"{claim.file}:{claim.line}")]),
        ]
        said = [(name, [part for part in parts if part["text"]]) for name, parts in fields]
        return {
            "id": claim.id,
            "product": product.name,
            "metric": claim.metric.replace("-", " "),
            "stated": claim.stated,
            "evidence": claim.evidence,
            "fields": [{"name": name, "parts": parts} for name, parts in said if parts],
        }

    def charts(self, today: date) -> list[dict[str, Any]]:
        """How many claims there are by age and by independence."""
        dates = Counter(
            ages.age(ages.date_of(claim, self.registry.sources[claim.source]), today) for claim in self.claims.values()
        )
        sources = Counter(self.independence(claim) for claim in self.claims.values())
        return [
            {"title": "Claims by age", "of": "age", "rows": _rows(dates, ages.STEPS)},
            {"title": "Claims by independence", "of": "source", "rows": _rows(sources, INDEPENDENCE)},
        ]

    def _link(self, id_: str) -> dict[str, Any]:
        page = self.pages.get(id_, "")
        return {"text": id_, "link": page.rpartition("/")[2], "away": False}


def _rows(counts: Counter[str], names: Sequence[str]) -> list[dict[str, Any]]:
    most, total = max(counts.values(), default=1), counts.total() or 1
    return [
        {
            "name": name,
            "count": counts[name],
            "width": round(_BAR * counts[name] / most, 1),
            "percent": round(100 * counts[name] / total),
        }
        for name in names
    ]


def _basis(claim: Claim) -> str:
    return ", ".join(f"{dimension} {value}" for dimension, value in claim.basis.items())


def _text(text: str) -> dict[str, Any]:
    return {"text": text, "link": "", "away": False}


def _use(source: Source, page: str, item: Item) -> dict[str, Any]:
    """A place in a draft: where it is, its words, and some words around them."""
    text = source.text
    before = _EDGE.split(text[max(0, item.start - _AROUND) : item.start])[-1]
    after = _EDGE.split(text[item.end : item.end + _AROUND])[0]
    if len(before) == _AROUND:
        before = "... " + before.partition(" ")[2]
    if len(after) == _AROUND:
        after = after.rpartition(" ")[0] + " ..."
    return {
        "link": f"{page}#f{item.number}" if item.number else page,
        "name": source.filename,
        "row": source.place(item.start)[0],
        "before": " ".join(before.split()) + " " * before[-1:].isspace(),
        "words": " ".join(text[item.start : item.end].split()),
        "after": " " * after[:1].isspace() + " ".join(after.split()),
        "state": item.state,
    }
