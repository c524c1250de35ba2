"""Whether a figure that the registry holds is told as the registry has it: its value, its qualifier."""

from __future__ import annotations

from collections.abc import Iterator

from caveat.article import Article
from caveat.binding.bind import BOUND, CONTRADICTS, Binding
from caveat.binding.ratios import HOLDS, recompute
from caveat.checks.common import asserted, claim_text, figure_finding, other_way_round, product_name
from caveat.figures.agreement import same_value
from caveat.figures.figure import RELATIVE, Figure
from caveat.finding import Finding
from caveat.reading.comparisons import Comparison
from caveat.reading.sentences import Sentence
from caveat.reading.statements import Statement
from caveat.reading.subjects import BEHIND, CARRIED, STRONG, multiplicity
from caveat.registry.registry import Claim
from caveat.rulebook.rules import Rule

# Qualifiers that say "up to" when they are denied, and the words that deny them.
_BEYOND = frozenset(("more than", "over"))
# Signs between the operands of a printed calculation, and how many sentences before one their values may be told.
_SIGNS = frozenset(("/", "×", "÷", "*", "·"))
_TOLD = 8
_DENIALS = frozenset(("no", "not", "never", "none", "nobody", "cannot"))


def contradiction(article: Article, rule: Rule) -> Iterator[Finding]:
    """Figures whose value differs from every claim that they can rest on, beyond the rounding written."""
    comparisons = {comparison.start: comparison for comparison in article.comparisons}
    for binding in article.bindings:
        statement = binding.statement
        if binding.status != CONTRADICTS or _is_worked_out(article, statement) or not asserted(article, statement):
            continue
        sentence = binding.statement.sentence
        comparison = comparisons.get(statement.figure.start)
        if comparison is not None and _recomputes(article, comparison):
            continue
        if article.sourcing.is_own(sentence) or _in_own_table(article, sentence):
            continue
        if any(other_way_round(article, binding.statement, claim) for claim in binding.claims):
            continue
        if all(_is_anothers_test(article, sentence, claim) for claim in binding.claims):
            continue
        figure, claim = binding.statement.figure, binding.claims[0]
        yield figure_finding(
            article,
            rule,
            figure,
            binding.claims,
            product=product_name(article, claim.product),
            claim=claim_text(article, claim),
            claim_id=claim.id,
            metric=claim.metric.replace("-", " "),
        )


def _recomputes(article: Article, comparison: Comparison) -> bool:
    """As in "1.43x the bandwidth of the H100": finer than the ratio that is registered, and right."""
    return recompute(comparison, article.registry).status == HOLDS


def _is_anothers_test(article: Article, sentence: Sentence, claim: Claim) -> bool:
    """As in "1.6x, according to SemiAnalysis": what one tester has measured is no misquotation of another."""
    if claim.basis.get("kind") != "measured":
        return False
    evidence, publisher = article.sourcing.own(sentence), article.registry.sources[claim.source].publisher
    vendor = article.registry.vendors.get(publisher)
    tester = (vendor.name if vendor else publisher).casefold()
    text = article.words(sentence.start, sentence.end).casefold()
    return evidence.named and claim.source not in evidence.sources and tester not in text


def _is_worked_out(article: Article, statement: Statement) -> bool:
    """Whether the text computes a figure, and not by chance from one that another paragraph gives another product."""
    if not article.is_result(statement):
        return False
    known = article.registry.products[statement.product] if statement.product else None
    if known is None or statement.subject.hold != STRONG:
        return True
    kin = {known.id, *known.contains, *(p.id for p in article.registry.products.values() if known.id in p.contains)}
    return kin.issuperset(article.drawn_on(statement))


def _in_own_table(article: Article, sentence: Sentence) -> bool:
    """Whether a cell belongs to a report of the writer's own measurements."""
    return article.document.blocks[sentence.block].table >= 0 and article.sourcing.in_own_report(sentence)


def qualifier_kept(article: Article, rule: Rule) -> Iterator[Finding]:
    """Figures that repeat a qualified claim without a qualifier that means the same.

    Options: `covers` gives for each registered qualifier the ones in a text that carry it; `implied` names the metrics
    whose very name is a maximum.
    """
    covers: dict[str, list[str]] = rule.options["covers"]
    implied = frozenset(rule.options["implied"])
    for binding in article.bindings:
        if binding.status != BOUND or binding.statement.figure.start in article.recomputed:
            continue
        if not asserted(article, binding.statement):
            continue
        if _of_one_of_several(binding.statement) or _of_none_named(article, binding):
            continue
        claims = binding.claims
        if not all(c.bound in covers and c.metric not in implied for c in claims):
            continue
        figure = binding.statement.figure
        covering = set().union(*(covers[c.bound] for c in claims))
        if _said(article, binding, covering) or _scaled(binding, claims) or _is_operand(article, binding, covering):
            continue
        claim = claims[0]
        yield figure_finding(
            article,
            rule,
            figure,
            claims,
            qualifier=claim.qualifier,
            claim=claim_text(article, claim),
            claim_id=claim.id,
        )


def _of_one_of_several(statement: Statement) -> bool:
    """As in "They make 144 GPUs": a figure that may be of either product of the sentence before."""
    subject = statement.subject
    return statement.figure.kind not in RELATIVE and subject.hold == CARRIED and bool(subject.other_products)


def _of_none_named(article: Article, binding: Binding) -> bool:
    """As in "each of 144 chips": a count of what the sentence does not name."""
    statement = binding.statement
    if statement.subject.hold != BEHIND or statement.figure.kind != "count":
        return False
    named = {mention.product for mention in article.subjects.mentions(statement.sentence)}
    return named.isdisjoint(claim.product for claim in binding.claims)


def _scaled(binding: Binding, claims: list[Claim]) -> bool:
    """As in "36 PFLOPS for eight B200s": a figure of several, which the one for each was rounded from."""
    return multiplicity(binding.statement.subject) != 1 and all(c.bound == "about" for c in claims)


def _is_operand(article: Article, binding: Binding, covering: set[str]) -> bool:
    """As in "up to 4.4x ...; per chip, then, 4.4 / 2.25": a value told before with its qualifier, put into a sum."""
    figure, sentence = binding.statement.figure, binding.statement.sentence
    words, first_from = article.tokens.words, article.tokens.first_from
    if _SIGNS.isdisjoint((words[first_from(figure.start) - 1], *words[first_from(figure.end) :][:1])):
        return False
    block = article.subjects.of_block(sentence.block)
    near = block[max(0, sentence.place - _TOLD) : sentence.place + 1]
    told = (s for each in near for s in article.statements_of(each) if s.figure.end <= figure.start)
    return any(s.figure.qualifier in covering and same_value(s.figure, figure) for s in told)


def _said(article: Article, binding: Binding, covering: set[str]) -> bool:
    """Whether the figure, or its row, column or the words close before it, has one of the covering qualifiers."""
    figure, sentence = binding.statement.figure, binding.statement.sentence
    if figure.qualifier in covering or any(mark.value in covering for mark in sentence.of_kind("bound-noun")):
        return True
    tokens = article.tokens
    first = tokens.first_from(figure.start)
    for mark in sentence.of_kind("qualifier"):
        between = range(tokens.first_from(mark.end), first)
        if mark.value in covering and len(between) <= 3 and mark.end <= figure.start and not _broken(article, between):
            return True
    if figure.qualifier in _BEYOND and "up to" in covering and _is_denied(article, sentence, figure):
        return True  # "No rack has more than 144 chips"
    if _said_of_all(article, binding, covering) or _said_behind(article, binding, covering):
        return True
    block = article.document.blocks[sentence.block]
    if block.table >= 0:
        labels = article.labels(sentence)
        return any(
            m.value in covering for label in labels for m in label.marks if m.kind in ("qualifier", "label-qualifier")
        )
    return False


def _is_denied(article: Article, sentence: Sentence, figure: Figure) -> bool:
    """Whether a word of denial stands before a figure in its sentence."""
    words = article.tokens.words[sentence.first : article.tokens.first_from(figure.start)]
    return not _DENIALS.isdisjoint(words)


def _said_of_all(article: Article, binding: Binding, covering: set[str]) -> bool:
    """As in "What a rack can hold at most: 144 chips, and with them 362 PFLOPs": a qualifier before a list's colon."""
    sentence, tokens = binding.statement.sentence, article.tokens
    first = tokens.first_from(binding.statement.figure.start)
    colon = next((at for at in range(first, sentence.first, -1) if tokens.words[at - 1] == ":"), 0)
    marks = (m for kind in ("qualifier", "qualifier-after") for m in sentence.of_kind(kind))
    return any(m.value in covering and m.last < colon for m in marks)


def _said_behind(article: Article, binding: Binding, covering: set[str]) -> bool:
    """As in "six times the FP4 of Trainium3, or better": a qualifier that ends the clause of a figure."""
    sentence, words, figure = binding.statement.sentence, article.tokens.words, binding.statement.figure
    following = min((f.start for f in sentence.figures if f.start >= figure.end), default=sentence.end)
    return any(
        mark.value in covering and figure.end <= mark.start < following and words[mark.first - 1] == ","
        for mark in sentence.of_kind("qualifier-after")
    )


def _broken(article: Article, between: range) -> bool:
    """Whether another figure or punctuation stands between a qualifier and a figure."""
    words = article.tokens.words
    if between and words[between[0]] == ",":
        between = between[1:]  # "is, at best, 3x faster"
    return any(words[at] in (",", ";", "(", "and") or words[at][0].isdigit() for at in between)
