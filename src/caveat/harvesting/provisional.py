"""A registry that knows a draft's own names beside what it holds, so that the draft can be read by them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from caveat.article import Article
from caveat.harvesting.names import Names, slug
from caveat.harvesting.owners import PARTS
from caveat.language.phrases import build_index
from caveat.loading.compile import forms_of
from caveat.reading.statements import Statement
from caveat.reading.subjects import STRONG
from caveat.registry.registry import Product, Registry, Vendor


def knowing(
    registry: Registry, names: Names, units: Mapping[str, str], contains: Mapping[str, dict[str, int]]
) -> Registry:
    """The registry with the vendors and products of drafts; `units` and `contains` as far as they are known."""
    ids = {name: vendor_id(name, registry) for name in names.vendors}
    vendors = [Vendor(id_, name, []) for name, id_ in ids.items() if id_ not in registry.vendors]
    products = [
        Product(
            id_,
            named.name,
            vendor_id(named.vendor, registry),
            units.get(id_, ""),
            list(named.forms),
            {
                part: n
                for part, n in contains.get(id_, {}).items()
                if part in names.products or part in registry.products
            },
            "",
        )
        for id_, named in names.products.items()
    ]
    phrases = [(form, "product", p.id) for p in products for name in (p.name, *p.aliases) for form in forms_of(name)]
    phrases += [(vendor.name, "vendor", vendor.id) for vendor in vendors]
    return registry.extended(vendors, products, names=build_index(phrases))


def vendor_id(name: str, registry: Registry) -> str:
    """The id of a vendor by the name that a draft gives it: that of the registry, if it knows it; "" for no name."""
    known = (v.id for v in registry.vendors.values() if name.lower() in {n.lower() for n in (v.name, *v.aliases)})
    return next(known, slug(name)) if name else ""


def units_told(articles: Iterable[Article], names: Names) -> dict[str, str]:
    """What one of each product is: chip, board, rack ..., as its name, the word behind it or its figures say most."""
    votes: dict[str, Counter[str]] = {id_: Counter() for id_ in names.products}
    for article in articles:
        for sentence in article.sentences:
            for mention in article.subjects.mentions(sentence):
                if mention.product in votes:
                    for mark in sentence.of_kind("scope"):
                        if mention.start <= mark.start < mention.end:
                            votes[mention.product][mark.value] += _BY_NAME
                    behind = article.tokens.first_from(mention.end)
                    if any(m.first == behind and m.value in _ITSELF for m in sentence.of_kind("counted")):
                        votes[mention.product]["chip"] += 1
        for statement in article.statements:
            for scope in _shared_among(article, statement) if statement.product in votes else ():
                votes[statement.product][scope] += 1
    units = {id_: counted.most_common(1)[0][0] for id_, counted in votes.items() if counted}
    heads = {
        names.products[id_].name.split()[-1]: unit for id_, unit in units.items() if " " in names.products[id_].name
    }
    for id_, named in names.products.items():
        if id_ not in units and " " in named.name and named.name.split()[-1] in heads:
            units[id_] = heads[named.name.split()[-1]]  # one "Server" is what the other is
    return units


def _shared_among(article: Article, statement: Statement) -> list[str]:
    """The scopes that an amount is told for by "per": of "144 GB per chip" the chip."""
    table = article.document.blocks[statement.sentence.block].table >= 0
    if statement.figure.kind == "count" or not (statement.subject.hold == STRONG or table):
        return []
    around = [statement.sentence, *(article.labels(statement.sentence) if table else ())]
    marks = [mark for sentence in around for mark in sentence.of_kind("scope")]
    told = statement.basis.get("scope", "")
    pers = (m.value for m in marks if m.value == told and article.tokens.words[m.first] == "per")
    return [scope for scope in pers if scope not in PARTS][:1]


# A word in the name itself decides: that of a rack is a rack. The word behind a name is the thing itself if it is this
# one: "H200 GPUs" are H200s, while an "H200 board" has several.
_BY_NAME = 1000
_ITSELF = frozenset(("chip", "GPU", "TPU", "accelerator", "card"))
