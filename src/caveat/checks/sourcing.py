"""Whether a figure says where it comes from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from caveat.article import Article
from caveat.binding.bind import Binding
from caveat.binding.ratios import UNKNOWN, recompute
from caveat.checks.common import finding
from caveat.figures.agreement import same_value
from caveat.figures.figure import Figure
from caveat.finding import Finding
from caveat.reading.sentences import Sentence
from caveat.rulebook.rules import Rule

# Arithmetic inside code or mathematics.
_EXPRESSION = re.compile(r"[`$][^`$\n]{0,200}?[\w)}] ?[-+*/×÷=^] ?[\w({\\][^`$\n]{0,200}[`$]")
_SMALL_TYPE = Decimal(64)
_WOULD_REACH = 8
# How far before a figure its equals sign may stand.
_SIGN_REACH = 12


def unsourced_figure(article: Article, rule: Rule) -> Iterator[Finding]:
    """Figures with no source by GUIDE's list.

    Options: `kinds` of figures that need a source; `least_count`, below which a bare count is a narrative one.
    """
    kinds = frozenset(rule.options["kinds"])
    least = Decimal(rule.options["least_count"])
    worked_out = _worked_out(article)
    known = {article.words(start, end) for start, end in worked_out}
    for binding in article.bindings:
        figure, sentence = binding.statement.figure, binding.statement.sentence
        if figure.kind not in kinds or binding.registered or (figure.start, figure.end) in worked_out:
            continue
        if figure.kind in ("ratio", "percent") and article.words(figure.start, figure.end) in known:
            continue  # worked out elsewhere in the draft
        if figure.kind == "ratio" and figure.quantity.low == figure.quantity.high == 1:
            continue  # what the others are relative to
        if _is_unit_amount(figure) or _predicted(article, binding) or _of_nothing_named(article, binding):
            continue
        if figure.kind == "count" and figure.quantity.high < least and not figure.qualifier:
            continue
        if article.stances.disowns(sentence) or article.stances.rejects(sentence, figure):
            continue
        if figure.kind == "ratio" and _definitional(article, binding):
            continue
        if article.sourcing.sourced(sentence) or article.sourcing.in_own_report(sentence):
            continue
        if _computed(article, binding) or _said_before(article, binding):
            continue
        yield finding(rule, figure.start, figure.end, figure=article.words(figure.start, figure.end))


def _worked_out(article: Article) -> set[tuple[int, int]]:
    """The ratios that printed or registered figures give, rightly or wrongly: other rules look at those."""
    return {
        (c.start, c.end)
        for c in article.comparisons
        if c.figure is not None and (c.recomputes is not None or recompute(c, article.registry).status != UNKNOWN)
    }


def _follows_sign(article: Article, binding: Binding) -> bool:
    """Whether an equals sign leads up to the figure, from an expression in words, code or mathematics."""
    start = binding.statement.figure.start
    before = article.document.prose[max(0, start - _SIGN_REACH) : start].rstrip(" ~≈\t*_")
    return before.endswith(("=", "≈", "→", "=>"))


def _shows_expression(article: Article, sentence: Sentence) -> bool:
    """Whether the sentence shows arithmetic in code or mathematics: "`7.75GiB / 50GBps` = 166 ms"."""
    source, prose = article.document.source.text, article.document.prose
    for match in _EXPRESSION.finditer(source, sentence.start, sentence.end):
        if not prose[match.start() : match.end()].strip():
            return True
    return False


def _is_unit_amount(figure: Figure) -> bool:
    """Whether a figure is an amount of one ("1 byte", "1 second"), or of a few bytes: a unit or a size of a type."""
    high = figure.base()[1]
    if figure.kind != "measure" or figure.from_header or figure.qualifier or figure.per:
        return False
    return (figure.quantity.low == figure.quantity.high == 1 and figure.quantity.step == 1) or (
        figure.dimension == "bytes" and high <= _SMALL_TYPE
    )


def _predicted(article: Article, binding: Binding) -> bool:
    """Whether words before a figure make it what would come of a supposition: "this would take 0.64 seconds"."""
    words, figure = article.tokens.words, binding.statement.figure
    at = article.tokens.first_from(figure.start)
    first = max(binding.statement.sentence.first, at - _WOULD_REACH)
    for step in range(at - 1, first - 1, -1):
        if words[step] in (";", ":", "which", "("):
            return False
        if words[step] in ("would", "d"):
            return True
    return False


def _of_nothing_named(article: Article, binding: Binding) -> bool:
    """Whether a figure is of nothing in particular: a header, a table without names, advice or an example without any."""
    statement = binding.statement
    sentence = statement.sentence
    block = article.document.blocks[sentence.block]
    if block.table >= 0:
        return block.row == 0 or not _named(article, [sentence, *article.captions(sentence)])
    before = article.tokens.words[sentence.first : article.tokens.first_from(statement.figure.start)]
    generic = sentence.has("example") or "you" in before or "your" in before
    return generic and not _named(article, [sentence])


def _named(article: Article, sentences: list[Sentence]) -> bool:
    """Whether any of the sentences names a product or an organisation."""
    return any(article.subjects.mentions(s) or article.sourcing.own(s).names for s in sentences)


def _definitional(article: Article, binding: Binding) -> bool:
    """Whether a ratio says how two values of one dimension differ ("sparsity doubles the dense number"), of no product."""
    sentence = binding.statement.sentence
    if len(article.subjects.mentions(sentence)) > 1:
        return False
    return any(
        len({mark.value for mark in sentence.of_kind(dimension)}) > 1
        for dimension, about in article.registry.vocabulary.dimensions.items()
        if about["applies_to"]
    )


def _said_before(article: Article, binding: Binding) -> bool:
    """Whether the paragraph gives the same value just before: "3.2 Tbps (0.4 TB/s)", "1,350 kW ... (2 × 1,350 kW)"."""
    statement = binding.statement
    figure, sentence = statement.figure, statement.sentence
    if figure.kind not in ("measure", "price") or article.document.blocks[sentence.block].table >= 0:
        return False
    earlier = [s for s in article.statements_of(sentence) if s.figure.start < figure.start]
    if sentence.place > 0:
        earlier += article.statements_of(article.sentences[sentence.index - 1])
    return any(s.figure.kind == figure.kind and same_value(figure, s.figure) for s in earlier)


def _computed(article: Article, binding: Binding) -> bool:
    """Whether the text shows how a figure comes out of others, or says that it is computed."""
    sentence = binding.statement.sentence
    if any(derivation.result is binding.statement for derivation in article.derivations):
        return True
    if _follows_sign(article, binding) or _shows_expression(article, sentence):
        return True
    return article.sourcing.own(sentence).computed and (
        len(sentence.figures) > 1 or binding.statement.figure.kind == "ratio"
    )
