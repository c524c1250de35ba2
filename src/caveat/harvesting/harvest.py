"""Drafts in, proposals for a registry out: every name, figure and source of theirs that it does not hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from caveat.article import Article, read_article
from caveat.figures.agreement import effects, same_effect, same_value
from caveat.figures.figure import RELATIVE
from caveat.harvesting.citing import Cited
from caveat.harvesting.names import NamedProduct, Names, free_id, read_names, slug
from caveat.harvesting.proposals import DIFFERS, NEW, SAME, LeftOut, Proposal, Reader
from caveat.harvesting.proving import leave_out_contradicted
from caveat.harvesting.provisional import knowing, units_told, vendor_id
from caveat.markdown.source import Source
from caveat.reading.reach import SENTENCE
from caveat.reading.subjects import STRONG
from caveat.registry.registry import UNSTATED, Claim, Registry
from caveat.rulebook.rules import Rule

# How often a draft is read once its names are: for what products are, what they contain, claims, and to try these.
READINGS = 4
# Claims with these statuses are on record and no longer said.
_WITHDRAWN = frozenset(("retracted", "superseded"))


class ProposedProduct:
    """A product for the registry: "" is what no draft says, `contains` what it holds of others by their ids."""

    __slots__ = ("aliases", "contains", "id", "name", "status", "unit", "vendor")

    def __init__(self, id_: str, named: NamedProduct, vendor: str, unit: str) -> None:
        self.id = id_
        self.name = named.name
        self.vendor = vendor
        self.unit = unit
        self.aliases = list(named.forms)
        self.contains: dict[str, int] = {}
        self.status = ""


class Harvest:
    """What drafts hold for a registry.

    `vendors` maps ids to names; `sources` ids to sources; only what a proposal refers to is in them. `proposals` are in
    the order of the drafts, each with its state; `left_out` the figures that are no claims, with the reason.
    """

    __slots__ = ("left_out", "products", "proposals", "sources", "vendors")

    def __init__(self) -> None:
        self.vendors: dict[str, str] = {}
        self.products: dict[str, ProposedProduct] = {}
        self.sources: dict[str, Cited] = {}
        self.proposals: list[Proposal] = []
        self.left_out: list[LeftOut] = []

    def of_state(self, state: str) -> list[Proposal]:
        """The proposals that are new to the registry, the same as a claim of it, or differ from one."""
        return [proposal for proposal in self.proposals if proposal.state == state]


def harvest(
    sources: Sequence[Source],
    registry: Registry,
    rules: Sequence[Rule],
    citation_scope: str = SENTENCE,
    advance: Callable[[int], None] = lambda _: None,
) -> Harvest:
    """What drafts hold for a registry: they are read for names, then for what is told of these.

    `rules` are those by which the drafts will be checked against what is proposed. `advance` is told of each of the
    READINGS of a draft, by the characters that it has.
    """

    def read_again(first: Article, known: Registry) -> Article:
        advance(len(first.document.prose))
        return Article(first.document, known, citation_scope)

    firsts = [read_article(source, registry, citation_scope) for source in sources]
    each = [read_names(article) for article in firsts]
    names = _together(each)
    units, contains = _told(firsts, names, registry, read_again)
    known = knowing(registry, names, units, contains)
    result = Harvest()
    proposals: list[Proposal] = []
    for first, of_draft in zip(firsts, each, strict=True):
        reader = Reader(read_again(first, known), of_draft.meant)
        proposals += reader.proposals()
        result.left_out += reader.left_out
    result.proposals = _merged(_completed(proposals, known))
    _hold_against(result.proposals, registry)
    _name(result.proposals, registry)

    def with_products(ids: set[str]) -> Registry:
        return knowing(registry, names.only(ids), units, contains)

    result.left_out += leave_out_contradicted(
        result.proposals, lambda known: [read_again(first, known) for first in firsts], with_products, rules
    )
    _gather(result, names, units, contains, registry)
    return result


def _together(each: Iterable[Names]) -> Names:
    """The names of all drafts."""
    names = Names()
    for of_draft in each:
        for id_, product in of_draft.products.items():
            known = names.products.setdefault(id_, product)
            known.forms |= product.forms
            known.vendor = known.vendor or product.vendor
        names.vendors += [vendor for vendor in of_draft.vendors if vendor not in names.vendors]
    return names


def _told(
    firsts: Sequence[Article], names: Names, registry: Registry, read_again: Callable[[Article, Registry], Article]
) -> tuple[dict[str, str], dict[str, dict[str, int]]]:
    """What one of each product is, and what it contains, as the drafts tell it once their names are known."""
    known = knowing(registry, names, {}, {})
    units = units_told([read_again(first, known) for first in firsts], names)
    _fold_short_forms(names, units)
    known = knowing(registry, names, units, {})
    articles = [read_again(first, known) for first in firsts]
    return units_told(articles, names), _contained(articles, names)


def _fold_short_forms(names: Names, units: Mapping[str, str]) -> None:
    """Make the first word of the one name that goes on with a word for what it is a form of it: "Alpha1" of a server.

    Only if nothing says that the short form is a thing of its own.
    """
    for id_, product in list(names.products.items()):
        begun = len(product.name.split()) + 1
        longer = [
            i
            for i, p in names.products.items()
            if p.name.startswith(f"{product.name} ") and len(p.name.split()) == begun and i in units
        ]
        if len(longer) == 1 and id_ not in units:
            whole = names.products[longer[0]]
            whole.forms[product.name] = None
            whole.forms |= product.forms
            whole.vendor = whole.vendor or product.vendor
            del names.products[id_]


def _contained(articles: Iterable[Article], names: Names) -> dict[str, dict[str, int]]:
    """What products contain of others: "an Alpha1 server holds 16 Alpha1 chips"."""
    contains: dict[str, dict[str, int]] = {}
    for article in articles:
        for statement in article.statements:
            figure, whole = statement.figure, statement.product
            if figure.kind != "count" or whole not in names.products or statement.subject.hold != STRONG:
                continue
            for mention in article.subjects.mentions(statement.sentence):
                inside = figure.start <= mention.start < figure.end and mention.product not in ("", whole)
                if inside and not figure.quantity.is_range:
                    contains.setdefault(whole, {}).setdefault(mention.product, int(figure.quantity.high))
    return contains


def _completed(proposals: list[Proposal], registry: Registry) -> list[Proposal]:
    """The proposals, those without a sure product as repetitions of the one figure that has it for sure."""
    sure: dict[tuple[str, ...], set[str]] = {}
    for proposal in proposals:
        if proposal.surely and proposal.product and not proposal.relative:
            sure.setdefault(_amount(proposal), set()).add(proposal.product)
    for proposal in proposals:
        alike = sure.get(_amount(proposal), set())
        if not proposal.surely and not proposal.relative and len(alike) == 1 and proposal.product not in alike:
            (proposal.product,) = alike
            if "scope" in proposal.basis and (unit := registry.products[proposal.product].unit):
                proposal.basis["scope"] = unit
    return proposals


def _amount(proposal: Proposal) -> tuple[str, ...]:
    """What two proposals of the same amount share, in whatever unit they write it."""
    low, high, _ = proposal.figure.base()
    return proposal.metric, proposal.figure.dimension, str(low.normalize()), str(high.normalize())


def _merged(proposals: Iterable[Proposal]) -> list[Proposal]:
    """Each claim once, with all places that state it."""
    kept: dict[tuple[str, ...], list[Proposal]] = {}
    merged: list[Proposal] = []
    for proposal in proposals:
        alike = kept.setdefault((proposal.product, *_amount(proposal)), [])
        first = next((p for p in alike if _repeats(p, proposal)), None)
        if first is None:
            alike.append(proposal)
            merged.append(proposal)
        else:
            _join(first, proposal)
    return merged


def _repeats(one: Proposal, other: Proposal) -> bool:
    """Whether two proposals of one product, metric and amount are the same claim."""
    if not one.product and one.places[0].filename != other.places[0].filename:
        return False
    told = one.compare_to and other.compare_to
    return _agree(one.basis, other.basis) and (not told or one.compare_to == other.compare_to)


def _agree(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Whether two bases say nothing different of a dimension; what is left unstated may be stated elsewhere."""
    return all(
        name not in other or other[name] == value or UNSTATED in (value, other[name]) for name, value in one.items()
    )


def _join(first: Proposal, other: Proposal) -> None:
    """Add to a proposal what another place says of it."""
    first.places += other.places
    first.qualifier = first.qualifier or other.qualifier
    first.compare_to = first.compare_to or other.compare_to
    first.computed = first.computed or other.computed
    first.notes += [note for note in other.notes if note not in first.notes]
    first.assumed -= {name for name in other.basis if name not in other.assumed}
    for name, value in other.basis.items():
        if first.basis.get(name, UNSTATED) == UNSTATED:
            first.basis[name] = value
    if len(other.cited.id) and (not first.cited.id or (other.cited.title and not first.cited.title)):
        first.cited = other.cited


def _hold_against(proposals: Iterable[Proposal], registry: Registry) -> None:
    """Tell of each proposal whether the registry has it, has another value for it, or has nothing of it."""
    for proposal in proposals:
        held = registry.claims_of(proposal.product) if proposal.product else registry.all_claims()
        alike = [c for c in held if _is_about_the_same(c, proposal, registry)]
        same = next((c for c in alike if c.figure is not None and _says_the_same(proposal, c)), None)
        against = same or next((c for c in alike if proposal.product), None)
        if against is not None:
            proposal.state = SAME if same else DIFFERS
            proposal.against, proposal.registered = against.id, against.stated


def _is_about_the_same(claim: Claim, proposal: Proposal, registry: Registry) -> bool:
    """Whether a claim says how much of what a proposal does, on a basis that does not make it another figure."""
    figure = claim.figure
    if figure is None or claim.status in _WITHDRAWN or claim.metric != proposal.metric:
        return False
    if (figure.kind in RELATIVE) != proposal.relative:
        return False
    told = claim.compare_to in registry.products and proposal.compare_to in registry.products
    if told and claim.compare_to != proposal.compare_to:
        return False
    names = (*registry.vocabulary.distinct, "scope")
    return all(
        proposal.basis.get(name, UNSTATED) in (UNSTATED, claim.basis.get(name, UNSTATED))
        or claim.basis.get(name, UNSTATED) == UNSTATED
        for name in names
    )


def _says_the_same(proposal: Proposal, claim: Claim) -> bool:
    figure = claim.figure
    assert figure is not None
    if proposal.relative:
        return same_effect(effects(proposal.figure), figure)
    return same_value(proposal.figure, figure)


def _name(proposals: Iterable[Proposal], registry: Registry) -> None:
    """Give each proposal the id of the claim that it is held against, or one of its own.

    That says product, metric, what tells it from others, and what it is compared with.
    """
    taken = {claim.id for claim in registry.all_claims()}
    distinct = registry.vocabulary.distinct
    for proposal in proposals:
        if proposal.against:
            proposal.id = proposal.against
            continue
        parts = [proposal.product or slug(_stem(proposal.places[0].filename)), proposal.metric or "figure"]
        parts += [proposal.basis[d] for d in distinct if proposal.basis.get(d, UNSTATED) != UNSTATED]
        if proposal.compare_to in registry.products or slug(proposal.compare_to) == proposal.compare_to:
            parts += ["vs", proposal.compare_to] if proposal.compare_to else []
        proposal.id = free_id(slug("-".join(parts)), taken)
        taken.add(proposal.id)


def _stem(filename: str) -> str:
    return filename.replace("\\", "/").rpartition("/")[2].rpartition(".")[0] or filename


def _gather(
    result: Harvest,
    names: Names,
    units: Mapping[str, str],
    contains: Mapping[str, dict[str, int]],
    registry: Registry,
) -> None:
    """The products, vendors and sources that the new proposals refer to and the registry lacks."""
    kinds: dict[str, set[str]] = {}
    for proposal in result.proposals:
        kinds.setdefault(proposal.product, set()).add(proposal.basis.get("kind", ""))
    wanted = [p for proposal in result.of_state(NEW) for p in (proposal.product, proposal.compare_to)]
    for id_ in dict.fromkeys(p for p in wanted if p in names.products):
        named = names.products[id_]
        product = ProposedProduct(id_, named, vendor_id(named.vendor, registry), units.get(id_, ""))
        product.status = "target" if kinds.get(id_) == {"target"} else ""
        result.products[id_] = product
    for id_, product in result.products.items():
        parts = contains.get(id_, {})
        product.contains = {p: n for p, n in parts.items() if p in result.products or p in registry.products}
    for proposal in result.of_state(NEW):
        if proposal.cited.id and proposal.cited.id not in registry.sources:
            result.sources.setdefault(proposal.cited.id, proposal.cited)
    makers = [p.vendor for p in result.products.values()] + [source.publisher for source in result.sources.values()]
    by_id = {vendor_id(name, registry): name for name in names.vendors}
    result.vendors = {id_: by_id[id_] for id_ in dict.fromkeys(makers) if id_ in by_id and id_ not in registry.vendors}
