"""What is asked about: products by any of their names, and metrics in the words that prose has for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from caveat.language.phrases import find_phrases
from caveat.language.tokens import Tokens, words_of
from caveat.registry.registry import Product, Registry

# Metrics of words, which nothing can be set against.
TOLD = frozenset(("quotation", "superlative", "absence", "availability"))


class Mistake(Exception):  # noqa: N818 - whoever asks has made it
    """Something that cannot be answered as it was asked; the message says what to write instead."""


class NotKnown(Mistake):
    """A name that nothing in the registry has. `kind` is what it was to name, `known` the names that there are.

    `listed` are the names to show to one who has none of them in mind.
    """

    def __init__(self, kind: str, name: str, known: Iterable[str], listed: Iterable[str]) -> None:
        super().__init__(f"there is no {kind} {name!r}")
        self.kind = kind
        self.name = name
        self.known = tuple(dict.fromkeys(known))
        self.listed = tuple(listed)


class Asked(NamedTuple):
    """A metric, and a number format if it is one of those that have it; either is "" for any."""

    metric: str
    precision: str

    def holds(self, metric: str, precision: str) -> bool:
        """Whether a row of this metric and format was asked for."""
        return self.metric in ("", metric) and self.precision in ("", precision)


def find_products(registry: Registry, names: Sequence[str]) -> list[Product]:
    """The products that are meant, in order. Raises NotKnown, or Mistake for one that is named twice."""
    by_words = {
        tuple(words_of(name)): product
        for product in registry.products.values()
        for name in (*product.aliases, product.name, product.id)
    }
    found: dict[str, str] = {}
    for name in names:
        product = by_words.get(tuple(words_of(name)))
        if product is None:
            known = (each for p in registry.products.values() for each in (p.id, p.name, *p.aliases))
            raise NotKnown("product", name, known, registry.products)
        if product.id in found:
            raise Mistake(f"{found[product.id]!r} and {name!r} are the same product: name each product once")
        found[product.id] = name
    return [registry.products[id_] for id_ in found]


def find_metrics(registry: Registry, names: Iterable[str]) -> list[Asked]:
    """The metrics that are meant: by id ("memory-capacity"), in words ("memory"), or by format ("FP8").

    Raises NotKnown.
    """
    return [_metric(registry, name) for name in names]


def _metric(registry: Registry, name: str) -> Asked:
    vocabulary = registry.vocabulary
    by_id = name.strip().lower().replace(" ", "-")
    titles = {title.lower(): metric for metric, title in vocabulary.titles.items()}
    if by_id in vocabulary.metrics and by_id not in TOLD:
        return Asked(by_id, "")
    if name.strip().lower() in titles:
        return Asked(titles[name.strip().lower()], "")
    tokens = Tokens(name)
    marks = find_phrases(tokens, registry.phrases)
    metrics = [(mark.last - mark.first, mark.value) for mark in marks if mark.kind == "metric"]
    formats = [mark.value for mark in marks if mark.kind == "precision"]
    said = {at for mark in marks if mark.kind in ("metric", "precision") for at in range(mark.first, mark.last)}
    if (not metrics and not formats) or len(said) < len(tokens):
        ids = [metric for metric in vocabulary.metrics if metric not in TOLD]
        precisions = vocabulary.dimensions.get("precision", {}).get("values", ())
        raise NotKnown("metric", name, [*ids, *vocabulary.titles.values(), *precisions], ids)
    return Asked(max(metrics)[1] if metrics else "", formats[0] if formats else "")
