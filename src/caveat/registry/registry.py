"""Vendors, products, sources and claims, as views of the compiled registry.

A check of a draft looks at few products, so claims stay JSON text until their product is asked for, and a value stays
text until its figure is. Everything here has been validated when it was compiled and is trusted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from decimal import Decimal
from typing import Any

from caveat.figures.figure import Figure
from caveat.figures.quantity import Quantity
from caveat.figures.vocabulary import Vocabulary
from caveat.language.phrases import PhraseIndex, packed, unpacked

# The value of a dimension of which a source says nothing: a value of its own, and never a blank.
UNSTATED = "unstated"


class Vendor:
    """Who makes products and publishes figures."""

    __slots__ = ("aliases", "id", "name")

    def __init__(self, id_: str, name: str, aliases: list[str]) -> None:
        self.id = id_
        self.name = name
        self.aliases = aliases

    def row(self) -> list[Any]:
        """What it was made of, after the id."""
        return [self.name, self.aliases]


class Product:
    """What figures are about. `unit` is its scope (chip, board, rack ...); `contains` counts the products in it."""

    __slots__ = ("aliases", "contains", "id", "name", "status", "unit", "vendor")

    def __init__(
        self, id_: str, name: str, vendor: str, unit: str, aliases: list[str], contains: dict[str, int], status: str
    ) -> None:
        self.id = id_
        self.name = name
        self.vendor = vendor
        self.unit = unit
        self.aliases = aliases
        self.contains = contains
        self.status = status

    def row(self) -> list[Any]:
        """What it was made of, after the id."""
        return [self.name, self.vendor, self.unit, self.aliases, self.contains, self.status]


class SourceRecord:
    """Where claims come from. `publisher` is a vendor id or another organisation's name; dates are YYYY[-MM[-DD]]."""

    __slots__ = ("aliases", "id", "kind", "published", "publisher", "reporter", "retrieved", "title", "url")

    def __init__(
        self,
        id_: str,
        title: str,
        publisher: str,
        kind: str,
        url: str,
        published: str,
        retrieved: str,
        reporter: str,
        aliases: list[str],
    ) -> None:
        self.id = id_
        self.title = title
        self.publisher = publisher
        self.kind = kind
        self.url = url
        self.published = published
        self.retrieved = retrieved
        self.reporter = reporter
        self.aliases = aliases

    def row(self) -> list[Any]:
        """What it was made of, after the id."""
        return [
            self.title,
            self.publisher,
            self.kind,
            self.url,
            self.published,
            self.retrieved,
            self.reporter,
            self.aliases,
        ]


class Claim:
    """One published figure, quotation or absence, with where it was published and where the registry records it.

    `value` is the text of the registry; `figure` what it says, or None for words and dates. `qualifier` is as written
    and `bound` its canonical value ("over" is "more than"). `basis` maps dimensions to values. `compare_to` is a
    product id, words, or "". `self_published`: the source's publisher is the product's vendor.
    """

    __slots__ = (
        "_figure",
        "_stored_figure",
        "as_of",
        "basis",
        "bound",
        "caveat",
        "chosen",
        "compare_to",
        "conflicts",
        "derived",
        "evidence",
        "file",
        "id",
        "line",
        "metric",
        "product",
        "qualifier",
        "searched",
        "self_published",
        "source",
        "status",
        "value",
    )

    def __init__(self, record: dict[str, Any]) -> None:
        get = record.get
        self.id: str = record["id"]
        self.product: str = record["product"]
        self.metric: str = record["metric"]
        self.value: str = record["value"]
        self.qualifier: str = get("qualifier", "")
        self.bound: str = get("bound", "")
        self.basis: dict[str, str] = get("basis", {})
        self.compare_to: str = get("compare_to", "")
        self.derived: str = get("derived", "")
        self.source: str = record["source"]
        self.evidence: str = get("evidence", "")
        self.status: str = get("status", "current")
        self.conflicts: list[str] = get("conflicts", [])
        self.chosen: str = get("chosen", "")
        self.caveat: str = get("caveat", "")
        self.as_of: str = get("as_of", "")
        self.searched: list[str] = get("searched", [])
        self.self_published: bool = get("self_published", False)
        self.file: str = record["file"]
        self.line: int = record["line"]
        self._stored_figure: list[Any] | None = get("figure")
        self._figure: Figure | None = None

    def __repr__(self) -> str:
        return f"Claim({self.id}: {self.qualifier} {self.value})"

    @property
    def stated(self) -> str:
        """The value as the registry has it, with its qualifier."""
        return f"{self.qualifier} {self.value}".strip()

    @property
    def figure(self) -> Figure | None:
        """The value as a figure, with the claim's qualifier; None if the value is words or a date."""
        if self._figure is None and self._stored_figure is not None:
            self._figure = _unpack_figure(self._stored_figure)
            self._figure.qualifier = self.bound
        return self._figure


def pack_figure(figure: Figure) -> list[Any]:
    """A figure as what JSON can hold; decimals as text, so that they stay exact."""
    quantity = figure.quantity
    return [
        str(quantity.low),
        str(quantity.high),
        str(quantity.step),
        str(quantity.coarse),
        None if quantity.margin is None else str(quantity.margin),
        figure.kind,
        figure.unit,
        figure.dimension,
        str(figure.factor),
        list(figure.per),
        figure.noun,
        figure.direction,
    ]


def _unpack_figure(stored: list[Any]) -> Figure:
    low, high, step, coarse, margin, kind, unit, dimension, factor, per, noun, direction = stored
    quantity = Quantity(
        Decimal(low), Decimal(high), Decimal(step), Decimal(coarse), None if margin is None else Decimal(margin)
    )
    figure = Figure(0, 0, quantity, kind, unit, dimension, Decimal(factor))
    figure.per = tuple(per)
    figure.noun = noun
    figure.direction = direction
    return figure


class Registry:
    """All that the registry knows, looked up by id."""

    __slots__ = ("_claims", "_compiled", "_stored_claims", "phrases", "products", "sources", "vendors", "vocabulary")

    def __init__(self, compiled: dict[str, Any]) -> None:
        """`compiled` is what `caveat.loading.compile.compile_desk` returns, straight from there or from the cache."""
        self._compiled = compiled
        stored = compiled["registry"]
        self.vocabulary = Vocabulary(compiled["vocabulary"])
        self.phrases = PhraseIndex(compiled["phrases"])
        self.vendors = {id_: Vendor(id_, *row) for id_, row in stored["vendors"].items()}
        self.products = {id_: Product(id_, *row) for id_, row in stored["products"].items()}
        self.sources = {id_: SourceRecord(id_, *row) for id_, row in stored["sources"].items()}
        self._stored_claims: dict[str, str] = stored["claims"]
        self._claims: dict[str, list[Claim]] = {}

    def extended(
        self,
        vendors: Iterable[Vendor] = (),
        products: Iterable[Product] = (),
        sources: Iterable[SourceRecord] = (),
        claims: Iterable[dict[str, Any]] = (),
        names: dict[str, Any] | None = None,
    ) -> Registry:
        """This registry with more records, to read a draft by what is not in it yet.

        `claims` are records that `Claim` takes; `names` is the index of the new names, as `build_index` gives it.
        """
        compiled, stored = self._compiled, self._compiled["registry"]
        held: dict[str, list[Any]] = {}
        for record in claims:
            product = record["product"]
            held.setdefault(product, unpacked(stored["claims"].get(product, "[]"))).append(record)
        records = {
            "vendors": stored["vendors"] | {each.id: each.row() for each in vendors},
            "products": stored["products"] | {each.id: each.row() for each in products},
            "sources": stored["sources"] | {each.id: each.row() for each in sources},
            "claims": stored["claims"] | {product: packed(listed) for product, listed in held.items()},
        }
        phrases = [*compiled["phrases"], *([names] if names is not None else [])]
        return Registry({**compiled, "registry": records, "phrases": phrases})

    def claims_of(self, product: str) -> list[Claim]:
        """The claims about a product, in the order of the registry; none for an unknown product."""
        claims = self._claims.get(product)
        if claims is None:
            stored = self._stored_claims.get(product)
            claims = [Claim(record) for record in unpacked(stored)] if stored else []
            self._claims[product] = claims
        return claims

    def claim(self, claim_id: str) -> Claim | None:
        """The claim with an id, or None."""
        written = packed(claim_id)
        for product, stored in self._stored_claims.items():
            if written in stored:  # far cheaper than decoding every product's claims
                for claim in self.claims_of(product):
                    if claim.id == claim_id:
                        return claim
        return None

    def claims_from(self, sources: Collection[str]) -> Iterator[Claim]:
        """Every claim with one of some sources, by their ids; only products that may have one are decoded."""
        written = [packed(source) for source in sources]
        for product, stored in self._stored_claims.items():
            if any(each in stored for each in written):
                yield from (claim for claim in self.claims_of(product) if claim.source in sources)

    def all_claims(self) -> Iterator[Claim]:
        """Every claim, product by product."""
        for product in self._stored_claims:
            yield from self.claims_of(product)
