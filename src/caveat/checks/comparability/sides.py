"""The value that each side of a comparison has on one dimension: FP8 or FP4, a chip or a rack, a peak or a plan."""

from __future__ import annotations

from caveat.article import Article
from caveat.binding.bind import BOUND
from caveat.binding.ratios import HOLDS, metric_of, published, recompute
from caveat.checks.parties import clause_of, families_of, family
from caveat.reading.basis import beside, paired
from caveat.reading.comparisons import Comparison, Side
from caveat.reading.statements import Statement
from caveat.reading.subjects import BEHIND, STRONG
from caveat.registry.registry import UNSTATED, Claim
from caveat.rulebook.rules import Rule

# What a price is of that is one for several of a product.
SEVERAL = "lot of several"
# How far before a figure the word of "One pod holds 128 TiB" may stand, in words.
_LEAD = 2
# Words that make a scope one that every figure of a sentence may have: "per link", "for each GPU".
_EACH = frozenset(("per", "each", "every"))
_BOTH = 2


class SideValues:
    """Tells the values that the two sides of comparisons have on the dimension of one rule."""

    def __init__(self, article: Article, rule: Rule) -> None:
        options = rule.options
        self.article = article
        self.dimension: str = options["dimension"]
        self.metrics: list[str] = options.get("metrics", [])
        self.units = frozenset(options["units"])
        self.usual: dict[str, str] = options.get("usual", {})
        self.by_product = options.get("products") == "yes"
        self.unstated_counts = options.get("unstated") == "yes"
        self.plan: str = options.get("plan", "")
        self.plans: dict[str, dict[str, int]] = {
            kind: {value: int(reach) for value, reach in values.items()}
            for kind, values in options.get("plans", {}).items()
        }
        self.not_kinds = frozenset(options.get("not_kinds", ()))
        self.planned = frozenset(options.get("planned", ()))
        self.own: str = options.get("own", UNSTATED)
        self.only: dict[str, list[str]] = options.get("only", {})
        self._group: dict[str, str] = article.registry.vocabulary.dimensions[self.dimension]["alike"]

    def of(self, comparison: Comparison) -> tuple[str, str] | None:
        """The values of the two sides; None if the comparison is about something else, or a side's is not known."""
        if _same_product(self.article, comparison, by_product=self.by_product):
            return self._named_apart(comparison)
        if not self.by_product and self._is_of_its_own(comparison):
            return None
        one, other = comparison.left.statement, comparison.right.statement
        if one is not None and other is not None:
            if one.figure.dimension not in self.units or other.figure.dimension not in self.units:
                return None
            if not self.not_kinds.isdisjoint({one.basis.get("kind"), other.basis.get("kind")}):
                return None
            pair = self._completed((self._printed(comparison.left), self._printed(comparison.right)), comparison)
            return self._pinned(comparison, pair) or (None if self._shared(pair, one, other) else pair)
        if comparison.statement is None:
            return None
        if one is not None or other is not None:
            return self._half_printed(comparison, comparison.statement)
        return self._by_words(comparison) or self._registered(comparison, comparison.statement)

    def _is_of_its_own(self, comparison: Comparison) -> bool:
        """As in "an HPL result of 1,742 petaflops, 63% of its 2,746 petaflops peak": a share, and no comparison."""
        at = self.article.tokens.first_from(comparison.end)
        return self.article.tokens.words[at : at + 2] in (["of", "its"], ["of", "their"])

    def mixed(self, comparison: Comparison, left: str, right: str) -> bool:
        """Whether two values are not like for like."""
        if UNSTATED in (left, right):
            named = comparison.left.mention is not None and comparison.right.mention is not None
            if self.unstated_counts:
                named = named or (left != right and comparison.recomputes is True)
                return named and (left != right or not (_same_vendor(comparison) or self._of_one_maker(comparison)))
            known = comparison.left.product or comparison.right.product
            return bool(known) and not self.planned.isdisjoint((left, right)) and not _same_vendor(comparison)
        if self._group.get(left, left) == self._group.get(right, right):
            return False
        return self.planned.isdisjoint((left, right)) or not _same_vendor(comparison)

    def _of_one_maker(self, comparison: Comparison) -> bool:
        """As in "Google's documentation has the v5p at 459 and Ironwood at 4,614": one vendor's sheet of both."""
        sides = (comparison.left, comparison.right)
        known = {side.mention.vendor for side in sides if side.mention is not None} - {""}
        return len(known) == 1 and all(
            side.statement is not None and self.article.sourcing.own(side.statement.sentence).vendors == known
            for side in sides
        )

    def _printed(self, side: Side) -> str:
        """The value of a printed figure: what the text says by it, else what its product or its claims have."""
        statement = side.statement
        if statement is None:
            return UNSTATED
        dimension = statement.figure.dimension
        said = self._can_have(dimension, statement.tied.get(self.dimension, ""))
        if said and self.by_product and (part := self._of_part(side, said)):
            return part  # "per chip, the UltraServer has 4.9 TB/s"
        if said:
            return said
        if self.by_product:
            return self._unit(side)
        binding = self.article.binding_of(statement)
        if binding.status != BOUND and (plan := self._plan(statement) or self._of_planned(side)):
            return plan
        operands = self.article.operands_of(statement)
        values = {s.tied[self.dimension] for s in operands if self.dimension in s.tied}
        if len(values) == 1 and not self.by_product:
            return values.pop()  # a sum of dense rates is a dense rate
        usual = self.usual.get(dimension, UNSTATED)
        if not (self.usual and binding.status == BOUND):
            if dimension in self.usual and self._is_own(statement):
                return self.own
            shared = self._can_have(dimension, statement.basis.get(self.dimension, ""))
            if shared:
                return shared
        values = {claim.basis.get(self.dimension, usual) for claim in binding.claims} or {usual}
        return values.pop() if len(values) == 1 else UNSTATED

    def _of_part(self, side: Side, said: str) -> str:
        """The unit of the part whose registered figure a sentence gives by its word, under the name of the whole."""
        statement, products = side.statement, self.article.registry.products
        if statement is None:
            return ""
        binding = self.article.binding_of(statement)
        units = {products[claim.product].unit for claim in binding.claims if claim.product == side.product}
        named = {mark.value for mark in statement.sentence.of_kind(self.dimension)}
        part = units.pop() if binding.status == BOUND and len(units) == 1 else ""
        return part if part in named and part != said else ""

    def _plan(self, statement: Statement) -> str:
        """The value of a figure that a sentence gives a product that is still to come: "will support 768 GB"."""
        sentence, first = statement.sentence, self.article.tokens.first_from(statement.figure.start)
        for kind, values in self.plans.items():
            for mark in sentence.of_kind(kind):
                if mark.last == first and self.article.tokens.words[first - 1] == "at":
                    continue  # "arrives at 100 GB/s"
                if values.get(mark.value, 0) >= abs(first - mark.last):
                    return self.plan
        mentions = self.article.subjects.mentions(sentence)
        coming = any(self.article.registry.products[m.product].status == self.plan for m in mentions if m.product)
        return self.plan if coming and self.plan else ""

    def _of_planned(self, side: Side) -> str:
        """The value of a figure of a product that is still to come by the registry."""
        known = self.article.registry.products.get(side.product)
        return self.plan if known is not None and self.plan and known.status == self.plan else ""

    def _is_own(self, statement: Statement) -> bool:
        """Whether a figure is of the writer's own measuring: told as that, and of no source."""
        evidence = self.article.sourcing.own(statement.sentence)
        return evidence.own and not evidence.cited

    def _can_have(self, dimension: str, value: str) -> str:
        """A value, or "" if figures of a dimension cannot have it."""
        return value if dimension in self.only.get(value, (dimension,)) else ""

    def _pinned(self, comparison: Comparison, pair: tuple[str, str]) -> tuple[str, str] | None:
        """As in "300 PFLOPS for one rack and 180 for the other, so a chip of the first has 1.7x": systems' figures."""
        ratio = comparison.statement
        if not self.by_product or not comparison.recomputes or ratio is None or ratio.subject.hold != STRONG:
            return None
        if ratio.subject.mention in (None, comparison.left.mention, comparison.right.mention):
            return None
        behind = [m.value for m in comparison.sentence.of_kind(self.dimension) if m.start >= comparison.end]
        systems = [value for value in pair if value not in {UNSTATED, *behind}]
        return (systems[0], behind[0]) if systems and behind else None

    def _completed(self, pair: tuple[str, str], comparison: Comparison) -> tuple[str, str]:
        """As in "..., so the pod is 114 times as powerful": what the sentence calls the side that has no unit."""
        if not self.by_product or pair.count(UNSTATED) != 1:
            return pair
        first = self.article.tokens.first_from(comparison.start)
        marks = comparison.sentence.of_kind(self.dimension)
        called = next((m.value for m in marks if 0 <= first - m.last <= _LEAD), UNSTATED)
        return (called if pair[0] == UNSTATED else pair[0], called if pair[1] == UNSTATED else pair[1])

    def _shared(self, pair: tuple[str, str], one: Statement, other: Statement) -> bool:
        """As in "per link, 153 GB/s for this chip and 128 for that one": whether a word by one figure is for both."""
        return self.by_product and any(
            value == statement.basis.get(self.dimension) and self._is_said_of_each(value, statement)
            for value, statement in zip(pair, (other, one), strict=True)
        )

    def _is_said_of_each(self, value: str, statement: Statement) -> bool:
        """Whether the word for a value is one like "per link", which may be said of all figures of a sentence."""
        words = self.article.tokens.words
        marks = [mark for mark in statement.sentence.of_kind(self.dimension) if mark.value == value]
        return any(word in _EACH for mark in marks for word in words[mark.first - 1 : mark.last])

    def _unit(self, side: Side) -> str:
        """The unit that a side's product is: what the registry or a word right behind its name says."""
        mention = side.mention
        if mention is None:
            return self._led_up_to(side.statement) if side.statement is not None else UNSTATED
        if side.statement is not None and side.statement.figure.kind == "price" and mention.count != 1:
            return SEVERAL  # the price of a node of eight
        if mention.count != 1:
            return UNSTATED  # eight chips are no chip, nor yet a board
        sentence = self.article.sentence_at(mention.start)
        return mention.scope or beside(sentence.of_kind(self.dimension), mention, self.article.tokens, 0) or UNSTATED

    def _led_up_to(self, statement: Statement) -> str:
        """As in "One pod holds 128 TiB": the value whose word stands closely before a figure of no named product."""
        tokens, sentence, figure = self.article.tokens, statement.sentence, statement.figure
        first = tokens.first_from(figure.start)
        if any(f.dimension == figure.dimension and f.end <= figure.start for f in sentence.figures):
            return UNSTATED  # "706 TB/s for the rack is 4.9 TB/s for each chip"
        near = (
            m for m in sentence.of_kind(self.dimension) if 0 <= first - m.last <= _LEAD and m.first > sentence.first
        )
        return next((m.value for m in near if tokens.words[m.first - 1] not in _EACH), UNSTATED)

    def _half_printed(self, comparison: Comparison, ratio: Statement) -> tuple[str, str] | None:
        """The values where one side prints its figure: the other has that of its words or its registered figures."""
        left_printed = comparison.left.statement is not None
        printed, known = comparison.left, comparison.right
        if not left_printed:
            printed, known = known, printed
        statement = printed.statement
        if statement is None or statement.figure.dimension not in self.units:
            return None
        value = self._printed(printed)
        other = self._of_words(known) or self._of_claims(ratio, statement, known, value)
        if not other:
            return None
        return (value, other) if left_printed else (other, value)

    def _of_claims(self, ratio: Statement, printed: Statement, known: Side, value: str) -> str:
        """The value of the registered figures of a side that prints none; "" where one has the printed side's value."""
        if not known.product:
            return ""
        if self.by_product:
            return self._unit(known)
        if ratio.metric_named and metric_of(ratio) not in {"", "performance", *self.metrics}:
            return UNSTATED if value in self.planned else ""
        named = ratio if ratio.basis.get("precision") else printed
        claims = [
            claim for metric in self.metrics for claim in published(self.article.registry, known.product, metric, named)
        ]
        usual = self.usual.get(printed.figure.dimension, UNSTATED)
        figures = [(claim, claim.figure.dimension) for claim in claims if claim.figure is not None]
        values = {c.basis.get(self.dimension, usual) for c, unit in figures if unit == printed.figure.dimension}
        if not values and value in self.planned:
            return UNSTATED
        return min(values) if values and value not in values - {UNSTATED} else ""

    def _is_unit(self, claim: Claim) -> bool:
        return claim.figure is not None and claim.figure.dimension in self.units

    def _of_words(self, side: Side) -> str:
        """The value whose words stand right by a product's name: "Trainium3 in FP8"; "" if none do."""
        if side.mention is None:
            return ""
        sentence = self.article.sentence_at(side.mention.start)
        return beside(sentence.of_kind(self.dimension), side.mention, self.article.tokens)

    def _by_words(self, comparison: Comparison) -> tuple[str, str] | None:
        """The values that words by the two names give, as in "the new chip in FP8 and the old one in BF16"."""
        if comparison.statement is None or self._about_others(comparison.statement):
            return None
        left, right = self._of_words(comparison.left), self._of_words(comparison.right)
        return (left, right) if left and right else None

    def _named_apart(self, comparison: Comparison) -> tuple[str, str] | None:
        """As in "counting the new chip in FP8 and the old one in BF16": two things told apart by no name."""
        ratio = comparison.statement
        if ratio is None or self._about_others(ratio):
            return None
        left, right, words = comparison.left.mention, comparison.right.mention, self.article.tokens.words
        if left is not None and left is right:
            return None
        names = {words[name.last - 1] for name in self.article.sourcing.own(comparison.sentence).names}
        names = names if left is None and right is None else set()  # "Blackwell in FP4 is 4x Hopper in FP8"
        return paired(comparison.sentence.of_kind(self.dimension), comparison.sentence, self.article.tokens, names)

    def _about_others(self, ratio: Statement) -> bool:
        """Whether a ratio names a metric whose figures have no such dimension."""
        return ratio.metric_named and metric_of(ratio) not in {"", *self.metrics}

    def _registered(self, comparison: Comparison, ratio: Statement) -> tuple[str, str] | None:
        """The values of two registered figures: of the pair that gives the ratio, else of any pair."""
        if metric_of(ratio) not in self.metrics:
            return None
        if self.unstated_counts and self._of_strangers(comparison, ratio):
            return UNSTATED, UNSTATED
        recomputed = recompute(comparison, self.article.registry)
        pairs = [p for p in recomputed.operands if self._is_unit(p.left)]
        if self.by_product:
            holds = recomputed.status == HOLDS and bool(pairs)
            return (self._unit(comparison.left), self._unit(comparison.right)) if holds else None
        if not pairs:
            return None
        alike = [p for p in pairs if self._value(p.left) == self._value(p.right) != UNSTATED]
        if recomputed.status == HOLDS and alike:
            return None
        chosen = alike[0] if alike else pairs[0]
        return self._value(chosen.left), self._value(chosen.right)

    def _of_strangers(self, comparison: Comparison, ratio: Statement) -> bool:
        """As in "the MI325X reaches 1.3x the FP8 peak of the H200": a part that the registry lacks, of another maker.

        Nothing in the sentence says the value of either side.
        """
        sides = (comparison.left, comparison.right)
        known = [side for side in sides if side.product]
        if len(known) != 1 or any(side.mention is None for side in sides):
            return False
        if not ratio.basis.get("precision") or comparison.sentence.has(self.dimension):
            return False
        vendors = {self._maker(side) for side in sides}
        return len(vendors) == _BOTH and "" not in vendors

    def _maker(self, side: Side) -> str:
        """The vendor of a side, told by the family of its name where the registry has no such product."""
        mention = side.mention
        if mention is None or mention.vendor:
            return mention.vendor if mention is not None else ""
        known = families_of(self.article)
        names = self.article.words(mention.start, mention.end).split()
        return next((vendor for name in names if (vendor := known.get(family(name)))), "")

    def _value(self, claim: Claim) -> str:
        return claim.basis.get(self.dimension, UNSTATED)


def _same_product(article: Article, comparison: Comparison, *, by_product: bool) -> bool:
    """Whether both sides are one product for all one can tell; the rows of a table are things of their own."""
    left, right = comparison.left.mention, comparison.right.mention
    one, other = comparison.left.statement, comparison.right.statement
    if left is not None and right is not None:
        same = left is right or bool(left.product and left.product == right.product)
        return same and (by_product or not _differ(one, other))
    if one is None or other is None:
        printed = one or other  # "Etched projects 500,000, twenty times what is listed for eight H100s"
        return printed is None or printed.subject.hold != BEHIND or (left or right) is None
    rows = [article.document.blocks[s.sentence.block].row for s in (one, other)]
    if comparison.statement is None and one.subject.hold == BEHIND and (left or right) is not None:
        return False  # "At 320 GB/s the link is narrower than the H200's with its 900": one of them is named
    if not by_product and _alone(article, one, other):
        return not _differ(one, other)
    return left is right and rows[0] == rows[1] and not _told_by_others(article, one, other)


def _told_by_others(article: Article, one: Statement, other: Statement) -> bool:
    """As in "HPE lists 25 GB/s for its port. Cornelis's brief arrives at 100 GB/s": figures of two organisations."""
    names = [_organisations(article, statement) for statement in (one, other)]
    return all(names) and names[0].isdisjoint(names[1])


def _organisations(article: Article, statement: Statement) -> set[str]:
    """The names of the organisations in the clause of a figure."""
    sentence, words = statement.sentence, article.tokens.words
    clause = clause_of(words, sentence, article.tokens.first_from(statement.figure.start))
    names = article.sourcing.own(sentence).organisations
    return {" ".join(words[n.first : n.last]) for n in names if clause.start <= n.first < clause.stop}


def _alone(article: Article, one: Statement, other: Statement) -> bool:
    """As in "72 PFLOPS for the board with sparsity; dense is half, so 36": two figures of the one thing named."""
    sentence = one.sentence
    for statement in (one, other):
        claims = article.binding_of(statement).claims if statement.subject.hold == BEHIND else []
        if statement.subject.hold == BEHIND and {claim.product for claim in claims} != {one.product}:
            return False
    products = {mention.product for mention in article.subjects.mentions(sentence)}
    vendors = {mark.value for mark in sentence.of_kind("vendor")}
    if sentence is not other.sentence or len(products) != 1 or "" in products:
        return False
    return vendors <= {article.registry.products[product].vendor for product in products}


def _differ(one: Statement | None, other: Statement | None) -> bool:
    """As in "its PCIe bus takes 64 GB/s each way, its NVLink 900 GB/s": figures of two things in one product."""
    if one is None or other is None or not (one.metric_named and other.metric_named):
        return False
    return one.metrics[0] != other.metrics[0]


def _same_vendor(comparison: Comparison) -> bool:
    left, right = comparison.left.mention, comparison.right.mention
    return left is not None and right is not None and bool(left.vendor) and left.vendor == right.vendor
