"""Whether a figure says where it comes from."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from caveat.article import Article
from caveat.binding.bind import Binding
from caveat.binding.ratios import UNKNOWN, recompute
from caveat.checks.common import finding
from caveat.finding import Finding
from caveat.rulebook.rules import Rule


def unsourced_figure(article: Article, rule: Rule) -> Iterator[Finding]:
    """Figures with no source by GUIDE's list.

    Options: `kinds` of figures that need a source; `least_count`, below which a bare count is a narrative one.
    """
    kinds = frozenset(rule.options["kinds"])
    least = Decimal(rule.options["least_count"])
    worked_out = _worked_out(article)
    for binding in article.bindings:
        figure, sentence = binding.statement.figure, binding.statement.sentence
        if figure.kind not in kinds or binding.registered or (figure.start, figure.end) in worked_out:
            continue
        if figure.kind == "ratio" and figure.quantity.low == figure.quantity.high == 1:
            continue  # what the others are relative to
        if figure.kind == "count" and figure.quantity.high < least and not figure.qualifier:
            continue
        if article.stances.silences(sentence) or article.stances.rejects(sentence, figure):
            continue
        if figure.kind == "ratio" and _definitional(article, binding):
            continue
        if article.sourcing.sourced(sentence) or _computed(article, binding):
            continue
        yield finding(rule, figure.start, figure.end, figure=article.words(figure.start, figure.end))


def _worked_out(article: Article) -> set[tuple[int, int]]:
    """The ratios that printed or registered figures give, rightly or wrongly: other rules look at those."""
    return {
        (c.start, c.end)
        for c in article.comparisons
        if c.figure is not None and (c.recomputes is not None or recompute(c, article.registry).status != UNKNOWN)
    }


def _definitional(article: Article, binding: Binding) -> bool:
    """Whether a ratio says how two values of one dimension differ ("sparsity doubles the dense number"), of no product."""
    sentence = binding.statement.sentence
    if article.subjects.mentions(sentence):
        return False
    return any(
        len({mark.value for mark in sentence.of_kind(dimension)}) > 1
        for dimension, about in article.registry.vocabulary.dimensions.items()
        if about["applies_to"]
    )


def _computed(article: Article, binding: Binding) -> bool:
    """Whether the text shows how a figure comes out of others, or says that it is computed."""
    sentence = binding.statement.sentence
    if any(derivation.result is binding.statement for derivation in article.derivations):
        return True
    return article.sourcing.own(sentence).computed and len(sentence.figures) > 1
