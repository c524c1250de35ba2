"""Whether a figure on which its source contradicts itself is told with that."""

from __future__ import annotations

from collections.abc import Iterator

from caveat.article import Article
from caveat.binding.bind import BOUND, Binding
from caveat.checks.common import asserted, claim_text, figure_finding, product_name
from caveat.checks.surroundings import around
from caveat.figures.agreement import said_effects, same_effect, same_value
from caveat.figures.figure import Figure, Number
from caveat.finding import Finding
from caveat.language.phrases import Mark
from caveat.reading.sentences import Sentence
from caveat.reading.statements import Statement
from caveat.registry.registry import Claim
from caveat.rulebook.rules import Rule

CONFLICTING = "conflicting"
# Before "vary", what makes it a warning to the reader.
_MODALS = frozenset(("may", "might", "will", "can", "could", "would"))


def undisclosed_conflict(article: Article, rule: Rule) -> Iterator[Finding]:
    """Figures whose claims all conflict with others, told without the other value and without a word of the conflict.

    It has no options.
    """
    for binding in article.bindings:
        if binding.status != BOUND or not asserted(article, binding.statement):
            continue
        if not all(claim.status == CONFLICTING for claim in binding.claims) or article.is_result(binding.statement):
            continue
        rivals = _rivals(article, binding)
        if not rivals or article.sourcing.is_own(binding.statement.sentence) or _disclosed(article, binding, rivals):
            continue
        figure, claim = binding.statement.figure, binding.claims[0]
        yield figure_finding(
            article,
            rule,
            figure,
            [*binding.claims, *rivals],
            product=product_name(article, claim.product),
            metric=claim.metric.replace("-", " "),
            claim=claim_text(article, claim),
            other=claim_text(article, rivals[0]),
        )


def _rivals(article: Article, binding: Binding) -> list[Claim]:
    """The claims that conflict with a figure's own and that the figure, as it is rounded, does not fit as well."""
    own = {claim.id for claim in binding.claims}
    by_id = {claim.id: claim for each in binding.claims for claim in article.registry.claims_of(each.product)}
    ids = dict.fromkeys(other for claim in binding.claims for other in claim.conflicts if other not in own)
    found = [by_id.get(other) or article.registry.claim(other) for other in ids]
    return [claim for claim in found if claim is not None and not _says(binding.statement.figure, claim)]


def _disclosed(article: Article, binding: Binding, rivals: list[Claim]) -> bool:
    """Whether the text says that there is a conflict, or gives the other value too, in the sentence or beside it."""
    sentence = binding.statement.sentence
    near = [sentence, *around(article, sentence), *_beside(article, sentence)]
    if any(_gives(number, rival) for each in near for number in each.numbers for rival in rivals):
        return True
    return any(_tells_conflict(article, binding, each, mark) for each in near for mark in each.of_kind("conflict-word"))


def _tells_conflict(article: Article, binding: Binding, sentence: Sentence, mark: Mark) -> bool:
    """Whether a word of conflict in or near a figure's sentence is about the figure.

    "Two figures" may count what the sentence prints, "elsewhere" may lead to a figure of another metric, and "your
    mileage will vary" is about no source.
    """
    if mark.value == "conflict":
        return True
    others = _of_other_metrics(article, binding, sentence)
    if mark.value == "count":
        return not others and not _of_other_metrics(article, binding, binding.statement.sentence)
    if mark.value == "vague":
        modal = article.tokens.words[mark.first - 1] in _MODALS
        return not modal and any(sentence.has(kind) for kind in ("figure-noun", "document-noun", "source"))
    return not others


def _of_other_metrics(article: Article, binding: Binding, sentence: Sentence) -> list[Statement]:
    """The statements of a sentence that are on another metric than a bound figure."""
    metric = binding.claims[0].metric
    return [
        each
        for each in article.statements_of(sentence)
        if each is not binding.statement and (not each.compares or (each.metric_named and each.metrics[0] != metric))
    ]


def _beside(article: Article, sentence: Sentence) -> list[Sentence]:
    """The other cells of a cell's row, or the list items before and after one."""
    document = article.document
    block = document.blocks[sentence.block]
    if block.table >= 0:
        blocks = document.tables[block.table].rows[block.row]
    elif block.item >= 0:
        near = (sentence.block - 1, sentence.block + 1)
        blocks = [at for at in near if 0 <= at < len(document.blocks) and document.blocks[at].item >= 0]
    else:
        blocks = []
    return [s for at in blocks if at >= 0 for s in article.subjects.of_block(at)]


def _gives(number: Number, claim: Claim) -> bool:
    """Whether a number has the value of a claim, with its unit or bare: "190 TFLOPS here and 191 there"."""
    if number.figure is not None:
        return _says(number.figure, claim)
    if number.quantity is None or claim.figure is None or claim.compare_to:
        return False
    return number.quantity.low == claim.figure.quantity.low


def _says(figure: Figure, claim: Claim) -> bool:
    """Whether a printed figure has the value of a claim."""
    if claim.figure is None:
        return False
    if claim.compare_to:
        return same_effect(said_effects(figure), claim.figure)
    return same_value(figure, claim.figure)
