"""Which claims of the registry a statement rests on. Binding never judges.

It says bound, contradicts, unknown, or ambiguous: a value that several products have, any of which the text may mean.
"""

from __future__ import annotations

from collections.abc import Collection
from decimal import Decimal

from caveat.figures.agreement import differs_by, exactly, said_effects, same_effect, same_value
from caveat.figures.figure import RELATIVE, Figure
from caveat.reading.mentions import Mention
from caveat.reading.statements import Statement
from caveat.reading.subjects import BEHIND, CARRIED, STRONG, multiplicity
from caveat.registry.registry import Claim, Registry

BOUND, CONTRADICTS, AMBIGUOUS, UNKNOWN = "bound", "contradicts", "ambiguous", "unknown"

_ABSOLUTE = frozenset(("measure", "count", "price"))
# Claims with these statuses are on record and no longer said.
_WITHDRAWN = frozenset(("retracted", "superseded"))
# Scopes that are parts of every product that the registry can hold.
_PARTS = frozenset(("core", "die", "link"))
# A figure said to be one of these kinds is no statement of a published peak.
_NOT_PUBLISHED = frozenset(("measured", "sustained", "projected"))


_HALF = Decimal("0.5")
# How many products are named around a ratio between its sides.
_FLANKS = 2
# How many characters may stand between "adds" or "the gap is" and its figure; how many products are looked at.
_BY = 9
# "Adds 61 GB of memory and 1.45 TB/s": how many characters may stand between two figures of one verb.
_LISTED = 16
_MOST_OPERANDS = 4
# How near a word for a mode touches a figure, in characters.
_TOUCHING = 4


class Binding:
    """A statement and the claims that it rests on or contradicts."""

    __slots__ = ("claims", "statement", "status")

    def __init__(self, statement: Statement, status: str, claims: list[Claim]) -> None:
        self.statement = statement
        self.status = status
        self.claims = claims

    @property
    def registered(self) -> bool:
        """Whether the registry has a figure for what the statement is about."""
        return self.status in (BOUND, CONTRADICTS, AMBIGUOUS)


class Binder:
    """Binds the statements of one draft."""

    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self._distinct = registry.vocabulary.distinct
        self._containers: dict[str, list[str]] = {}
        for product in registry.products.values():
            for part in product.contains:
                self._containers.setdefault(part, []).append(product.id)
        self._reported: dict[str, list[Claim]] = {}

    def bind(self, statement: Statement, vendors: set[str], reporters: Collection[str] = ()) -> Binding:
        """The binding of a statement; `vendors` its sentence names, `reporters` are whose results it tells."""
        figure = statement.figure
        if figure.kind in _ABSOLUTE:
            return self._bind_absolute(statement, vendors)
        if figure.kind in RELATIVE and statement.compares:
            return self._bind_relative(statement, vendors, reporters)
        return Binding(statement, UNKNOWN, [])

    def family(self, product: str) -> list[str]:
        """The products that contain a product or are in it."""
        known = self.registry.products.get(product)
        return [*self._containers.get(product, []), *(known.contains if known else ())]

    # Absolute figures: 144 GB, 700 W, 144 chips.

    def _bind_absolute(self, statement: Statement, vendors: set[str]) -> Binding:
        product = self._product_meant(statement)
        if not product and statement.subject.mention is None:
            found = self._fits_another(statement, "")
            return _one_of(statement, found) if found else self._bind_by_metric(statement, vendors)
        claims = self._comparable(product, statement)
        count = multiplicity(statement.subject)
        fitting = self._of_whole(statement, product) if count != 1 else []
        fitting = fitting or [c for c in claims if c.figure and same_value(statement.figure, c.figure, count)]
        fitting = fitting or self._one_way(statement, claims) or self._ends(statement)
        fitting = fitting or [c for c in claims if count != 1 and c.figure and same_value(statement.figure, c.figure)]
        if fitting and statement.subject.hold == BEHIND:
            return _one_of(statement, self._preferred(fitting, statement) + self._fits_another(statement, product))
        if fitting:
            return Binding(statement, BOUND, self._preferred(fitting, statement))
        kin = statement.subject.mention.kin if statement.subject.mention else ""
        own = [c for c in self._comparable(kin, statement) if c.figure and same_value(statement.figure, c.figure)]
        if own:
            return Binding(statement, BOUND, own)
        another = self._fits_another(statement, product)
        if another:
            return _one_of(statement, another)
        elsewhere = self._fits_vendor(statement, vendors) or self._difference(statement)
        if elsewhere:
            return Binding(statement, BOUND, elsewhere)
        only = self._of_the_one_mode(statement, product)
        if only:
            return Binding(statement, BOUND, only)
        if self._another_vendors(statement, product, vendors):
            return Binding(statement, UNKNOWN, [])
        other = self._of_the_other_mode(statement, product)
        if other:
            return Binding(statement, BOUND, other)
        if statement.followed_by == "to" and "sparsity" in statement.basis:  # "goes from 1,979 to 3,958 TFLOPS"
            other = self._comparable(product, statement, ignoring="sparsity")
            moved = [c for c in other if c.figure and same_value(statement.figure, c.figure)]
            if moved:
                return Binding(statement, BOUND, moved)
        relevant = self._contradicted(statement, claims)
        if relevant and count == 1:
            return Binding(statement, CONTRADICTS, relevant)
        others = self._of_others(statement)
        return Binding(statement, BOUND, others) if others else Binding(statement, UNKNOWN, [])

    def _of_whole(self, statement: Statement, product: str) -> list[Claim]:
        """As in "an UltraServer of 144 chips, 362 PFLOPS": the claims of the named product that holds so many."""
        for whole in self._in_reach(statement):
            if whole in self._containers.get(product, ()):
                fitting = self._printed_as(whole, statement)
                if fitting:
                    return fitting
        return []

    def _of_the_one_mode(self, statement: Statement, product: str) -> list[Claim]:
        """As in "With sparsity, the H200 does 3,958 TFLOPS, double the 1,835 of Gaudi 3": a mode said of another part.

        A word that stands by no figure cannot be meant of a product with a rate in one other mode only.
        """
        if "sparsity" not in statement.basis or "sparsity" in statement.tied:
            return []
        claims = self._comparable(product, statement, ignoring="sparsity")
        modes = {c.basis.get("sparsity", "") for c in claims if c.figure and same_value(statement.figure, c.figure)}
        if len(modes) != 1 or len({c.basis.get("sparsity") for c in claims}) != 1:
            return []
        statement.basis["sparsity"] = modes.pop()
        return [c for c in claims if c.figure and same_value(statement.figure, c.figure)]

    def _of_the_other_mode(self, statement: Statement, product: str) -> list[Claim]:
        """As in "With sparsity the H100 does twice its dense rate: 3,958 TFLOPS": the other mode that is spoken of.

        A word that touches the figure leaves no choice.
        """
        figure, marks = statement.figure, statement.sentence.of_kind("sparsity")
        said = {mark.value for mark in marks}
        if len(said) < _FLANKS or any(-_TOUCHING <= m.start - figure.end <= _TOUCHING for m in marks):
            return []
        if any(0 <= figure.start - m.end <= _TOUCHING for m in marks):
            return []
        claims = self._comparable(product, statement, ignoring="sparsity")
        found = [c for c in claims if c.figure and same_value(statement.figure, c.figure)]
        found = [c for c in found if c.basis.get("sparsity", "") in said]
        if found:
            statement.basis["sparsity"] = statement.tied["sparsity"] = found[0].basis["sparsity"]
        return found

    def _one_way(self, statement: Statement, claims: list[Claim]) -> list[Claim]:
        """The two-way claims of which a figure that counts one way, or may do so, is half."""
        direction = statement.basis.get("direction")
        if direction == "one-way":
            claims = self._comparable(statement.product, statement, ignoring="direction")
        elif direction:
            return []
        both = [c for c in claims if c.basis.get("direction") == "two-way"]
        found = [c for c in both if c.figure and same_value(statement.figure, c.figure, _HALF)]
        if found:
            statement.basis.setdefault("direction", "one-way")
        return found

    def _ends(self, statement: Statement) -> list[Claim]:
        """For "from one product to the other is 3.35 to 4.8 TB/s": the claims that the two ends of a range are."""
        figure = statement.figure
        if not figure.quantity.is_range:
            return []
        found = []
        for end in figure.ends():
            claims = [c for p in self._in_reach(statement) for c in self._comparable(p, statement)]
            fitting = [c for c in claims if c.figure and same_value(end, c.figure)]
            if not fitting:
                return []
            found += fitting[:1]
        return found

    def _product_meant(self, statement: Statement) -> str:
        """The product of the statement, brought to the scope that its words name: "per GPU" of a board is its GPU."""
        product = statement.product
        scope = statement.basis.get("scope", "")
        known = self.registry.products.get(product)
        if known is None or not scope or scope == known.unit:
            return product
        part = statement.tied.get("scope")
        if part in _PARTS and not (part == "die" and self._printed_as(product, statement)):
            return ""  # a core has less than its chip; what a chip has may stand "on its die"
        related = [p for p in self.family(product) if self.registry.products[p].unit == scope]
        return related[0] if len(related) == 1 and statement.figure.per else product

    def _comparable(self, product: str, statement: Statement, *, ignoring: str = "") -> list[Claim]:
        """The product's current claims of the figure's dimension whose basis nothing in the text denies."""
        if not product:
            return []
        figure = statement.figure
        return [
            claim
            for claim in self.registry.claims_of(product)
            if claim.status not in _WITHDRAWN
            and not claim.compare_to
            and claim.figure is not None
            and claim.figure.dimension == figure.dimension
            and _countable(claim.figure, figure)
            and self._basis_allows(claim, statement, ignoring)
        ]

    def _printed_as(self, product: str, statement: Statement) -> list[Claim]:
        """The product's comparable claims that a figure, as printed, is."""
        return [c for c in self._comparable(product, statement) if c.figure and exactly(statement.figure, c.figure)]

    def _basis_allows(self, claim: Claim, statement: Statement, ignoring: str) -> bool:
        """Whether the words by the figure leave a claim's metric and basis possible, on distinct dimensions."""
        for dimension, said in statement.basis.items():
            recorded = claim.basis.get(dimension, said) if dimension in self._distinct else said
            if dimension != ignoring and said != recorded and not _open(said, recorded):
                return False
        return not statement.metric_named or statement.metrics[0] == claim.metric

    def _preferred(self, claims: list[Claim], statement: Statement) -> list[Claim]:
        """Of several claims with the value, those whose metric the words name, then those whose sparsity they do."""
        named = [c for c in claims if statement.metrics and c.metric == statement.metrics[0]]
        return named or claims

    def _fits_another(self, statement: Statement, product: str) -> list[Claim]:
        """The claims of the other products in reach that have the value, where the subject is not sure."""
        subject = statement.subject
        others = list(dict.fromkeys([*subject.other_products, *(m.product for m in subject.nearby if m.product)]))
        if subject.hold == STRONG:
            others = []
        fitting = [claim for other in others for claim in self._printed_as(other, statement)]
        if fitting:
            return fitting
        for other in [*self.family(product), *(f for o in others for f in self.family(o))]:
            fitting = self._printed_as(other, statement)
            if fitting:
                return fitting
        return []

    def _difference(self, statement: Statement) -> list[Claim]:
        """As in "the H200 adds 61 GB": the figures of two products in reach, that far apart."""
        if not _is_increment(statement):
            return []
        claims = [c for p in self._in_reach(statement)[:_MOST_OPERANDS] for c in self._comparable(p, statement)]
        for index, one in enumerate(claims):
            for other in claims[index + 1 :]:
                if one.metric == other.metric and _apart(one, other, statement.figure):
                    return [one, other]
        return []

    def _of_others(self, statement: Statement) -> list[Claim]:
        """As in "3.7 TB/s for Gaudi 3, 3.35 TB/s over 80 GB for the H100": the claims of another product beside it."""
        return [c for product in statement.subject.other_products for c in self._printed_as(product, statement)]

    def _another_vendors(self, statement: Statement, product: str, vendors: set[str]) -> bool:
        """Whether a sentence that does not name the product speaks of other vendors than its own."""
        known = self.registry.products.get(product)
        mention = statement.subject.mention
        if known is None or mention is None or statement.sentence.start <= mention.start < statement.sentence.end:
            return False
        return bool(vendors) and known.vendor not in vendors

    def _fits_vendor(self, statement: Statement, vendors: set[str]) -> list[Claim]:
        """The claims of a vendor that the sentence names, its product only carried over: "AWS ... 2.52 PFLOPs"."""
        mention, figure = statement.subject.mention, statement.figure
        named = mention is not None and statement.sentence.start <= mention.start < statement.sentence.end
        if mention is None or (named and statement.subject.hold != BEHIND):
            return []
        if not statement.metric_named and not (figure.dimension == "operation-rate" and "precision" in statement.basis):
            return []
        for known in self.registry.products.values():
            if known.vendor in vendors:
                fitting = [c for c in self._printed_as(known.id, statement) if c.metric == statement.metrics[0]]
                if fitting:
                    return fitting
        return []

    def _contradicted(self, statement: Statement, claims: list[Claim]) -> list[Claim]:
        """The claims that a statement contradicts, if it is sure enough what it is about; all its values disagree."""
        subject, figure = statement.subject, statement.figure
        if statement.basis.get("kind") in _NOT_PUBLISHED or figure.kind == "price" or _is_increment(statement):
            return []
        if (statement.sentence.has("shared-out") and not figure.per) or statement.followed_by == "instead":
            return []
        if any(mark.start >= figure.end for mark in statement.sentence.of_kind("beyond-capacity")):
            return []
        if _of_a_part(statement) or _of_several(statement) or _of_so_many(statement):
            return []
        if subject.hold == BEHIND or figure.quantity.is_range or statement.basis.get("scope") == "link":
            return []
        if subject.hold != STRONG and any(m.product != subject.product for m in subject.others):
            return []
        if not statement.metric_named and not self._plainly_said(statement):
            return []
        claims = [c for c in claims if c.basis.get("kind") not in _NOT_PUBLISHED]
        if figure.dimension == "operation-rate":
            claims = [
                c
                for c in claims
                if c.basis.get("precision") and c.basis["precision"] == statement.basis.get("precision")
            ]
        if figure.kind == "count":
            sure = statement.metric_named and subject.hold != CARRIED
            claims = [c for c in claims if sure or statement.adjacent]
        return claims

    def _plainly_said(self, statement: Statement) -> bool:
        """Whether a figure without a named metric can be but one: its product leads up to it, memory is spoken of."""
        sentence, figure = statement.sentence, statement.figure
        if statement.subject.hold != STRONG:
            return False
        if figure.dimension == "data-rate" and self._beside_its_like(statement):
            return True
        if figure.dimension == "data-rate":
            elsewhere = any(
                m.kind == "metric" and "data-rate" in self.registry.vocabulary.metrics[m.value] for m in sentence.marks
            )
            return sentence.has("memory") or (not elsewhere and any(f.dimension == "bytes" for f in sentence.figures))
        return figure.dimension != "bytes" or statement.adjacent or self._beside_its_like(statement)

    def _beside_its_like(self, statement: Statement) -> bool:
        """As in "80 GB in the H100 and 144 GB in the H200": the first is the registered memory of another product."""
        figure, sentence = statement.figure, statement.sentence
        if statement.metric_named or sentence.has("model-family") or sentence.has("weights-tail"):
            return False
        like = [f for f in sentence.figures if f is not figure and f.dimension == figure.dimension][:_MOST_OPERANDS]
        claims = [c for p in statement.subject.other_products for c in self.registry.claims_of(p)]
        held = [c.figure for c in claims if c.metric == statement.metrics[0] and c.figure and not c.compare_to]
        return any(exactly(one, other) for one in like for other in held if one.dimension == other.dimension)

    def _bind_by_metric(self, statement: Statement, vendors: set[str]) -> Binding:
        """A figure of no named product: the one claim of a named vendor on a named metric."""
        if not statement.metric_named or not vendors or statement.figure.kind == "count":
            return Binding(statement, UNKNOWN, [])
        found = [
            claim
            for product in self.registry.products.values()
            if product.vendor in vendors
            for claim in self._comparable(product.id, statement)
            if claim.metric == statement.metrics[0]
        ]
        fitting = [c for c in found if c.figure and same_value(statement.figure, c.figure)]
        if fitting:
            return Binding(statement, BOUND, fitting)
        sentence = statement.sentence
        named = any(number.reading in ("name", "version") for number in sentence.numbers)
        contradicts = len(found) == 1 and not named and sentence.has("vendor") and not sentence.has("subject-pronoun")
        return Binding(statement, CONTRADICTS, found) if contradicts else Binding(statement, UNKNOWN, [])

    # Relative figures: 4.4x, 40% more, half the cost.

    def _bind_relative(self, statement: Statement, vendors: set[str], reporters: Collection[str]) -> Binding:
        """The published comparison that a ratio repeats or contradicts."""
        candidates = [c for c in self._published_comparisons(statement, vendors) if self._basis_agrees(c, statement)]
        metric = statement.metrics[0] if statement.metric_named else ""
        if metric in ("", "performance") and statement.basis.get("precision"):
            metric = "compute"  # "8x the FP4 performance"
        said = said_effects(statement.figure) if candidates else []
        fitting = [c for c in candidates if c.figure and same_effect(said, c.figure)]
        told = [c for name in reporters for c in self._reported_by(name) if metric in ("", c.metric)]
        told = [c for c in told if c.figure and same_effect(said_effects(statement.figure), c.figure)]
        if told:
            return Binding(statement, BOUND, told)
        ranked = [(self._rank(c, statement, metric), c) for c in fitting if self._no_third_product(c, statement)]
        best = max((rank for rank, _ in ranked), default=0)
        if best:
            found = [c for rank, c in ranked if rank == best]
            alike = [c for c in found if c.figure and c.figure.kind == statement.figure.kind]
            return Binding(statement, BOUND, alike or found)
        same_metric = [c for c in candidates if c.metric == metric and self._sides_named(c, statement)]
        if metric and same_metric:
            return Binding(statement, CONTRADICTS, same_metric)
        return Binding(statement, UNKNOWN, [])

    def _reported_by(self, reporter: str) -> list[Claim]:
        """The current claims that are somebody's results, not the publisher's own."""
        if reporter not in self._reported:
            sources, products = self.registry.sources, self.registry.products
            every = (claim for product in products for claim in self.registry.claims_of(product))
            theirs = [c for c in every if sources[c.source].reporter == reporter and c.status not in _WITHDRAWN]
            self._reported[reporter] = theirs
        return self._reported[reporter]

    def _rank(self, claim: Claim, statement: Statement, metric: str) -> int:
        """How well a claim with the stated effect fits the words: its sides named, then its metric; 0 does not fit."""
        sides = self._sides_named(claim, statement)
        unnamed = not statement.sentence.has("product") and not statement.lines
        if statement.figure.in_words and not sides and unnamed:
            return 0  # "twice the true value" repeats no published ratio
        if claim.metric == metric:
            return 3 if sides else 2
        if _general(claim, metric):
            return 2 if sides else 1
        return 1 if sides and metric in ("", "performance", "compute", "token-throughput") else 0

    def _no_third_product(self, claim: Claim, statement: Statement) -> bool:
        """Whether every product that the words name is on one of the claim's sides: else it is another comparison."""
        sides = {claim.product, claim.compare_to}
        sides |= {f for p in sides for f in self.family(p)}
        third = {product for product in self._in_reach(statement) if product not in sides}
        return not third or self._told_of_before(third, sides, statement) or self._flanked(third, sides, statement)

    def _flanked(self, third: set[str], sides: set[str], statement: Statement) -> bool:
        """As in "the H200 at 2x the A100, and the B200 at 4x the H100": each ratio between its own two sides."""
        subject, figure = statement.subject, statement.figure
        mentions = ([subject.mention] if subject.mention else []) + subject.others
        own, ratios = _around(figure, mentions), [f for f in statement.sentence.figures if f.kind in RELATIVE]
        others = {m.product for f in ratios if f is not figure for m in _around(f, mentions)}
        return len(own) == _FLANKS and {m.product for m in own} <= sides and third <= others

    def _told_of_before(self, third: set[str], sides: set[str], statement: Statement) -> bool:
        """As in "the cluster links 64 chips, and the chip has 4x the ...": other products, with a figure of their own.

        The sides of the comparison are all named behind that figure.
        """
        subject, start = statement.subject, statement.figure.start
        mentions = ([subject.mention] if subject.mention else []) + subject.others
        before = [f for f in statement.sentence.figures if f.end <= start and f.kind not in RELATIVE]
        return any(
            all(m.end <= figure.start for m in mentions if m.product in third)
            and all(m.start >= figure.end for m in mentions if m.product in sides)
            for figure in before
        )

    def _basis_agrees(self, claim: Claim, statement: Statement) -> bool:
        """Whether the number format that the words name is that of the claim, where it has one."""
        said, recorded = statement.basis.get("precision"), claim.basis.get("precision")
        return not said or not recorded or said == recorded

    def _published_comparisons(self, statement: Statement, vendors: set[str]) -> list[Claim]:
        """Current relative claims with a side in reach: a product named or carried over, or one of a named vendor."""
        named = self._in_reach(statement)
        reach = set(named)
        for product in named:
            reach.update(self.family(product))
        lines = statement.lines
        if lines:
            reach = {p.id for p in self.registry.products.values() if any(p.name.startswith(line) for line in lines)}
        elif not named and statement.subject.mention is None:
            reach = {p.id for p in self.registry.products.values() if p.vendor in vendors}
        found = [c for product in sorted(reach) for c in self.registry.claims_of(product) if c.compare_to]
        if named:
            vendor_products = {self.registry.products[p].vendor for p in named if p in self.registry.products}
            for other in self.registry.products.values():
                if other.vendor in vendor_products and other.id not in reach:
                    found += [c for c in self.registry.claims_of(other.id) if c.compare_to in named]
        return [c for c in found if c.status not in _WITHDRAWN and c.figure is not None]

    def _in_reach(self, statement: Statement) -> list[str]:
        subject = statement.subject
        mentions = ([subject.mention] if subject.mention else []) + subject.others
        return [m.product for m in mentions if m.product]

    def _sides_named(self, claim: Claim, statement: Statement) -> bool:
        """Whether the text names the claim's product, or a relative of it, and what it is compared with."""
        named = set(self._in_reach(statement))
        kin = named | {f for p in named for f in self.family(p)}
        if not self._no_third_product(claim, statement):
            return False
        if claim.compare_to in self.registry.products:
            return claim.compare_to in kin and claim.product in kin
        return claim.product in named


def _around(figure: Figure, mentions: list[Mention]) -> list[Mention]:
    """The products named right before and right behind a figure."""
    before = max((m for m in mentions if m.end <= figure.start), key=lambda m: m.end, default=None)
    behind = min((m for m in mentions if m.start >= figure.end), key=lambda m: m.start, default=None)
    return [m for m in (before, behind) if m is not None]


def _apart(one: Claim, other: Claim, gap: Figure) -> bool:
    """Whether two claims are as far apart as a figure says."""
    return one.figure is not None and other.figure is not None and differs_by(one.figure, other.figure, gap)


def _one_of(statement: Statement, claims: list[Claim]) -> Binding:
    """The binding to claims of one product, or to those of several of which any may be meant."""
    several = len({claim.product for claim in claims}) > 1
    return Binding(statement, AMBIGUOUS if several else BOUND, list(dict.fromkeys(claims)))


def _is_increment(statement: Statement) -> bool:
    """As in "another 61 GB", "61 GB more", "adds 61 GB to the H100's 80 GB": what something has more than another."""
    start, end = statement.figure.start, statement.figure.end
    marks = statement.sentence.of_kind("increment")
    if _of_each(statement):
        marks = [mark for mark in marks if mark.value != "added-to"]
    added = any(mark.value == "added-to" and mark.end <= start for mark in marks)
    if any(mark.value in ("gained", "between") and mark.end <= start for mark in marks):
        return True
    if (added and statement.followed_by == "to") or any(0 <= mark.start - end <= 1 for mark in marks):
        return True
    starts = [start, *(f.start for f in statement.sentence.figures if 0 < start - f.end <= _LISTED)]
    return any(mark.value != "behind" and 0 <= at - mark.end <= _BY for mark in marks for at in starts)


def _of_each(statement: Statement) -> bool:
    """As in "each H100 in the pod adds 1,979 TFLOPS": what one of many adds to them all is all that it has."""
    mention, others = statement.subject.mention, statement.subject.others
    if mention is None or any(other.product != mention.product for other in others):
        return False
    return any(0 <= mention.start - mark.end <= 1 for mark in statement.sentence.of_kind("one-of-many"))


def _of_a_part(statement: Statement) -> bool:
    """As in "Half of a B200's memory is 90 GB": what a share of the product has."""
    figure, mention = statement.figure, statement.subject.mention
    parts = [f for f in statement.sentence.figures if f.is_share and f.end <= figure.start]
    return bool(parts) and mention is not None and any(f.end <= mention.start < figure.start for f in parts)


def _of_several(statement: Statement) -> bool:
    """As in "Three Gaudi 3 cards and one H100 hold 464 GB between them": what different products have together."""
    mention, others = statement.subject.mention, statement.subject.others
    unlike = any(m.product != mention.product for m in others) if mention is not None else False
    return unlike and statement.sentence.has("shared-tail")


def _of_so_many(statement: Statement) -> bool:
    """As in "an MI300X takes 750 W, so eight of them draw 6 kW": what a number of those have that were named before."""
    mention, start = statement.subject.mention, statement.figure.start
    if mention is None:
        return False
    counted = [mark for mark in statement.sentence.of_kind("of-them") if mention.end <= mark.start < start]
    return any(0 < mark.start - number.end <= 1 for mark in counted for number in statement.sentence.numbers)


def _countable(registered: Figure, figure: Figure) -> bool:
    """Whether two figures can be the same kind of thing: counts of like nouns, or no counts."""
    if registered.kind == "count" or figure.kind == "count":
        return registered.kind == figure.kind and (
            registered.noun == figure.noun or {registered.noun, figure.noun} <= _UNITS_OF_COMPUTE
        )
    return registered.kind not in RELATIVE


_UNITS_OF_COMPUTE = frozenset(("chip", "GPU", "accelerator", "card", "device", "processor"))


def _open(said: str, recorded: str) -> bool:
    """Whether one side leaves open what the other states."""
    return "unstated" in (said, recorded)


def _general(claim: Claim, metric: str) -> bool:
    """Whether a claim of general performance fits words that name no metric, or one of its own."""
    return claim.metric == "performance" and metric in ("", "compute", "token-throughput", "performance")
