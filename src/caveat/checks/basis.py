"""Whether figures say on what basis they were counted, and whether compared figures share it."""

from __future__ import annotations

from collections.abc import Iterator

from caveat.article import Article
from caveat.binding.bind import Binding
from caveat.binding.ratios import HOLDS, metric_of, published, recompute
from caveat.checks.common import SideText, finding, product_name
from caveat.finding import Finding
from caveat.reading.comparisons import Comparison, Side
from caveat.reading.sentences import Sentence
from caveat.reading.statements import Statement
from caveat.registry.registry import Claim
from caveat.rulebook.rules import Rule

UNSTATED = "unstated"


def comparison_basis(article: Article, rule: Rule) -> Iterator[Finding]:
    """Comparisons between products whose figures differ on a dimension, or both leave it unstated across vendors.

    Options: `dimension`; `metrics` of which figures have it; `units`, the dimensions of printed figures that do.
    """
    for comparison in article.comparisons:
        if article.stances.disowns(comparison.sentence):
            continue
        pair = _bases(article, comparison, rule)
        if pair is None or not _mixed(comparison, *pair):
            continue
        left, right = pair
        yield finding(
            rule,
            comparison.start,
            comparison.end,
            words=article.words(comparison.start, comparison.end),
            left=_side_text(article, comparison.left, left),
            right=_side_text(article, comparison.right, right),
        )


def _bases(article: Article, comparison: Comparison, rule: Rule) -> tuple[str, str] | None:
    """The values of the rule's dimension on the two sides; None if the comparison is about something else."""
    dimension, units = rule.options["dimension"], rule.options["units"]
    one, other = comparison.left.statement, comparison.right.statement
    if one is not None and other is not None:
        if one.figure.dimension not in units or other.figure.dimension not in units:
            return None
        return _printed(article, comparison.left, dimension), _printed(article, comparison.right, dimension)
    statement = comparison.statement
    if statement is not None and one is not None and one.figure.dimension in units:
        return _half_printed(article, comparison, one, rule)
    if statement is None or metric_of(statement) not in rule.options["metrics"]:
        return None
    return _registered(article, comparison, dimension)


def _half_printed(article: Article, comparison: Comparison, printed: Statement, rule: Rule) -> tuple[str, str] | None:
    """The bases where only the left side prints its figure: the right one has the value of its registered figures."""
    statement, dimension = comparison.statement, rule.options["dimension"]
    if statement is None or not comparison.right.product:
        return None
    if statement.metric_named and metric_of(statement) not in ("", "performance", *rule.options["metrics"]):
        return None
    named = statement if statement.basis.get("precision") else printed
    claims = [
        claim
        for metric in rule.options["metrics"]
        for claim in published(article.registry, comparison.right.product, metric, named)
    ]
    values = {_value(claim, dimension) for claim in claims}
    left = _printed(article, comparison.left, dimension)
    if not values or left in values - {UNSTATED}:
        return None
    return left, min(values)


def _printed(article: Article, side: Side, dimension: str) -> str:
    """The basis of a printed figure: what the text says by it, else the one value that its claims have."""
    statement = side.statement
    if statement is None:
        return UNSTATED
    if dimension in statement.basis:
        return statement.basis[dimension]
    claims = article.binding_of(statement).claims
    values = {claim.basis.get(dimension, UNSTATED) for claim in claims}
    return values.pop() if len(values) == 1 else UNSTATED


def _registered(article: Article, comparison: Comparison, dimension: str) -> tuple[str, str] | None:
    """The bases of two registered figures: of the pair that gives the ratio, else of any pair."""
    recomputed = recompute(comparison, article.registry)
    pairs = recomputed.operands
    if not pairs:
        return None
    alike = [p for p in pairs if _value(p.left, dimension) == _value(p.right, dimension) != UNSTATED]
    if recomputed.status == HOLDS and alike:
        return None
    chosen = alike[0] if alike else pairs[0]
    return _value(chosen.left, dimension), _value(chosen.right, dimension)


def _value(claim: Claim, dimension: str) -> str:
    return claim.basis.get(dimension, UNSTATED)


def _mixed(comparison: Comparison, left: str, right: str) -> bool:
    """Whether two bases are not like for like: different, or both unstated across vendors; not of one product."""
    if _same_product(comparison):
        return False
    if left != right:
        return True
    return left == UNSTATED and not _same_vendor(comparison)


def _same_product(comparison: Comparison) -> bool:
    left, right = comparison.left.mention, comparison.right.mention
    if left is None or right is None:
        return True
    return left is right or bool(left.product and left.product == right.product)


def _same_vendor(comparison: Comparison) -> bool:
    left, right = comparison.left.mention, comparison.right.mention
    return left is not None and right is not None and bool(left.vendor) and left.vendor == right.vendor


def _side_text(article: Article, side: Side, basis: str) -> SideText:
    if side.product:
        name = product_name(article, side.product)
    elif side.mention is not None:
        name = article.words(side.mention.start, side.mention.end)
    else:
        name = "one side"
    return SideText(name, "not stated" if basis == UNSTATED else basis)


def stated_basis(article: Article, rule: Rule) -> Iterator[Finding]:
    """Figures that leave unsaid a dimension which they need.

    Options: `dimension`; `units` of figures that need it; `when` maps another dimension to the values that call for it;
    `not_kinds` of figures that have none (measured, sustained).
    """
    for binding in article.bindings:
        statement = binding.statement
        figure, sentence = statement.figure, statement.sentence
        if article.is_result(statement):
            continue  # it counts what its operands count
        if figure.kind != "measure" or figure.dimension not in rule.options["units"]:
            continue
        if not _calls_for(binding, rule) or _settled(article, binding, rule):
            continue
        if article.stances.disowns(sentence) or article.stances.rejects(sentence, figure):
            continue
        yield finding(
            rule,
            figure.start,
            figure.end,
            binding.claims,
            figure=article.words(figure.start, figure.end),
            product=product_name(article, statement.product) if statement.product else "the product",
        )


def _calls_for(binding: Binding, rule: Rule) -> bool:
    """Whether the figure's other dimensions make it one that needs the rule's: an FP8 rate, not an FP64 one."""
    basis = binding.statement.basis
    if basis.get("kind", "") in rule.options["not_kinds"]:
        return False
    for dimension, values in rule.options["when"].items():
        said = {basis[dimension]} if basis.get(dimension) else {c.basis.get(dimension, "") for c in binding.claims}
        if not said & set(values):
            return False
    return True


def _settled(article: Article, binding: Binding, rule: Rule) -> bool:
    """Whether the text states the dimension near the figure, or the registry knows one published value only."""
    dimension = rule.options["dimension"]
    statement = binding.statement
    if dimension in statement.basis or _said_nearby(article, binding, dimension):
        return True
    if _follows_from_stated(article, binding, dimension):
        return True
    if not statement.product:
        return False
    claims = published(article.registry, statement.product, "compute", statement)
    return len({claim.value for claim in claims}) == 1


def _follows_from_stated(article: Article, binding: Binding, dimension: str) -> bool:
    """As in "36 PFLOPS of dense FP8, hence 4.5 PFLOPS or so per GPU": what follows from a figure counts as it does."""
    figure, sentence = binding.statement.figure, binding.statement.sentence
    links = [
        mark.start
        for mark in (*sentence.of_kind("consequence"), *sentence.of_kind("computed"))
        if mark.end <= figure.start
    ]
    return bool(links) and any(
        other.figure.dimension == figure.dimension and other.figure.end <= links[-1] and dimension in other.basis
        for other in article.statements_of(sentence)
    )


def _said_nearby(article: Article, binding: Binding, dimension: str) -> bool:
    """Whether the sentence, the sentence after it, or a table's caption or note speaks of the dimension."""
    sentence = binding.statement.sentence
    block = article.document.blocks[sentence.block]
    if dimension in article.tokens.words[sentence.first : sentence.last]:
        return True  # the sentence is about the dimension itself
    if any(note.has(dimension) for note in article.notes(sentence)):
        return True
    if block.table >= 0:
        table = article.document.tables[block.table]
        around = [s for b in (table.before, table.after) if b >= 0 for s in article.subjects.of_block(b)]
        return any(s.has(dimension) and not _has_figure_like(s, binding) for s in around)
    after = sentence.index + 1
    if after < len(article.sentences) and article.sentences[after].block == sentence.block:
        follower = article.sentences[after]
        return follower.has(dimension) and not _has_figure_like(follower, binding)
    return False


def _has_figure_like(sentence: Sentence, binding: Binding) -> bool:
    """Whether a sentence has a figure of the same dimension, which its words are then about."""
    return any(figure.dimension == binding.statement.figure.dimension for figure in sentence.figures)
