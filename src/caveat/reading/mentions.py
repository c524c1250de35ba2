"""Products that a sentence names, as the registry knows them or not."""

from __future__ import annotations

from bisect import bisect_left
from decimal import Decimal

from caveat.language.phrases import Mark
from caveat.language.tokens import Tokens
from caveat.reading.sentences import Sentence
from caveat.registry.registry import Registry

# Numbers read as names inside phrases of these kinds are formats, metrics or documents, not products.
_NOT_PRODUCTS = ("precision", "memory", "metric", "source", "vendor", "sparsity", "kind", "direction", "document-noun")


class Mention:
    """A product named in a sentence.

    `product` is its id, or "" for one that the registry does not know (another variant, another generation). `count` is
    how many of them the text speaks of ("eight H200s"); `scope` the unit of which it is one (chip, board, rack ...).
    """

    __slots__ = ("count", "end", "product", "scope", "start", "vendor")

    def __init__(self, start: int, end: int, product: str, vendor: str, scope: str, count: Decimal) -> None:
        self.start = start
        self.end = end
        self.product = product
        self.vendor = vendor
        self.scope = scope
        self.count = count

    def __repr__(self) -> str:
        return f"Mention({self.start}, {self.end}, {self.product!r}, count={self.count})"


def find_mentions(sentence: Sentence, tokens: Tokens, registry: Registry) -> list[Mention]:
    """The products that a sentence names, in order of place."""
    mentions = [_known(mark, sentence, tokens, registry) for mark in sentence.of_kind("product")]
    taken = [(m.start, m.end) for m in mentions]
    covers = taken + [(mark.start, mark.end) for mark in sentence.marks if mark.kind in _NOT_PRODUCTS]
    for number in sentence.numbers:
        if number.reading == "name" and not any(a < number.end and number.start < b for a, b in covers):
            mentions.append(Mention(number.start, number.end, "", "", "", Decimal(1)))
    for mark in sentence.of_kind("variant"):
        if not any(a <= mark.start and mark.end <= b for a, b in taken) and _names_a_card(mark, sentence):
            mentions.append(Mention(mark.start, mark.end, "", "", "", Decimal(1)))
    mentions.sort(key=lambda mention: mention.start)
    return mentions


def _known(mark: Mark, sentence: Sentence, tokens: Tokens, registry: Registry) -> Mention:
    """A product mark as a mention: another product if a variant or another scope follows it."""
    product = registry.products[mark.value]
    count = _count_before(mark.start, sentence)
    after = tokens.first_from(mark.end)
    start_after = tokens.starts[after] if after < sentence.last else -1
    for other in sentence.marks:
        if other.start != start_after:
            continue
        if other.kind == "variant":
            return Mention(mark.start, other.end, "", product.vendor, "", count)
        if other.kind == "scope" and product.unit and other.value != product.unit:
            related = _related(mark.value, other.value, registry)
            if not _same_thing(product.unit, other.value):
                scope = registry.products[related].unit if related else other.value
                return Mention(mark.start, other.end, related, product.vendor, scope, count)
    return Mention(mark.start, mark.end, mark.value, product.vendor, product.unit, count)


def _same_thing(unit: str, scope: str) -> bool:
    """Whether a scope word after a product's name names the product itself: a cluster of chips is no chip."""
    return unit == scope


def _related(product: str, scope: str, registry: Registry) -> str:
    """The product of a scope that contains a product or is contained in it; "" if there is none or more than one."""
    found = [p.id for p in registry.products.values() if p.unit == scope and product in p.contains]
    found += [
        c for c in registry.products[product].contains if c in registry.products and registry.products[c].unit == scope
    ]
    return found[0] if len(found) == 1 else ""


def _count_before(start: int, sentence: Sentence) -> Decimal:
    """The number that directly precedes a product's name: "eight H200s", "8x H100"; otherwise 1."""
    starts = [number.start for number in sentence.numbers]
    at = bisect_left(starts, start) - 1
    if at < 0:
        return Decimal(1)
    number = sentence.numbers[at]
    if number.figure is not None and number.figure.kind == "count" and number.end >= start - 2:
        return number.figure.quantity.high
    return Decimal(1)


def _names_a_card(mark: Mark, sentence: Sentence) -> bool:
    """ "the PCIe card", "the NVL version": a variant that stands for a product; a bare "PCIe" is a bus."""
    return any(other.kind == "scope" and 0 < other.start - mark.end <= 2 for other in sentence.marks)
