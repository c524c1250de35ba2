"""Whether figures say on what basis they were counted."""

from __future__ import annotations

from collections.abc import Iterator

from caveat.article import Article
from caveat.binding.bind import BOUND, Binding
from caveat.binding.ratios import published
from caveat.checks.common import figure_finding, product_name
from caveat.checks.surroundings import Surroundings
from caveat.finding import Finding
from caveat.reading.sentences import Sentence
from caveat.rulebook.rules import Rule


def stated_basis(article: Article, rule: Rule) -> Iterator[Finding]:
    """Figures that leave unsaid a dimension which they need.

    Options: `dimension`; `units` of figures that need it; `when` maps another dimension to the values that call for it;
    `not_kinds` of figures that have none (measured, sustained).
    """
    around = Surroundings(article)
    for binding in article.bindings:
        statement = binding.statement
        figure, sentence = statement.figure, statement.sentence
        if article.is_result(statement):
            continue  # it counts what its operands count
        if figure.kind != "measure" or figure.dimension not in rule.options["units"]:
            continue
        if figure.quantity.low == figure.quantity.high == 1 and statement.followed_by in ("is", "=", "equals", "means"):
            continue  # "one PFLOPS is 10^15 operations a second"
        if not _calls_for(article, binding, rule) or _settled(around, binding, rule):
            continue
        if article.stances.disowns(sentence) or article.stances.rejects(sentence, figure):
            continue
        if _is_worked_example(article, sentence):
            continue
        yield figure_finding(
            article,
            rule,
            figure,
            binding.claims,
            product=product_name(article, statement.product) if statement.product else "the product",
        )


def _is_worked_example(article: Article, sentence: Sentence) -> bool:
    """As in "e.g. 156 TFLOPS on a peak of 312, `156/312 = 0.5`": how something is worked out, alone or in a list."""
    if not article.workings().between(sentence.start, sentence.end):
        return False
    return any(s.has("example") or "supposed" in article.stances.of(s) for s in (sentence, *article.labels(sentence)))


def _calls_for(article: Article, binding: Binding, rule: Rule) -> bool:
    """Whether the figure's other dimensions make it one that needs the rule's: an FP8 rate, not an FP64 one."""
    basis = binding.statement.basis
    if basis.get("kind", "") in rule.options["not_kinds"] and not _is_published(article, binding, rule):
        return False
    for dimension, values in rule.options["when"].items():
        said = {basis[dimension]} if basis.get(dimension) else {c.basis.get(dimension, "") for c in binding.claims}
        if not said & set(values):
            return False
    return True


def _is_published(article: Article, binding: Binding, rule: Rule) -> bool:
    """As in "72 PFLOPS of FP8 are delivered by one board": a registered peak, whatever verb tells it."""
    if article.sourcing.is_own(binding.statement.sentence) or binding.status != BOUND:
        return False
    return all(claim.basis.get("kind", "") not in rule.options["not_kinds"] for claim in binding.claims)


def _settled(around: Surroundings, binding: Binding, rule: Rule) -> bool:
    """Whether the text states the dimension near the figure, or the registry knows one published value only."""
    dimension = rule.options["dimension"]
    article, statement = around.article, binding.statement
    if dimension in statement.basis or _said_nearby(around, binding, dimension):
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


def _said_nearby(around: Surroundings, binding: Binding, dimension: str) -> bool:
    """Whether the sentence, the one after it, or a table's caption, note or section opening speaks of the dimension."""
    article, sentence = around.article, binding.statement.sentence
    block = article.document.blocks[sentence.block]
    if dimension in article.tokens.words[sentence.first : sentence.last]:
        return True  # the sentence is about the dimension itself
    if any(note.has(dimension) for note in article.notes(sentence)):
        return True
    if block.table >= 0:
        table = article.document.tables[block.table]
        near = [s for b in (table.before, table.after) if b >= 0 for s in article.subjects.of_block(b)]
        near += around.opening(sentence)
        return any(s.has(dimension) and not _has_figure_like(s, binding) for s in near)
    after = sentence.index + 1
    if after < len(article.sentences) and article.sentences[after].block == sentence.block:
        follower = article.sentences[after]
        return follower.has(dimension) and not _has_figure_like(follower, binding)
    return False


def _has_figure_like(sentence: Sentence, binding: Binding) -> bool:
    """Whether a sentence has a figure of the same dimension, which its words are then about."""
    return any(figure.dimension == binding.statement.figure.dimension for figure in sentence.figures)
