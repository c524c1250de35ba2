"""A ratio of unlike figures makes way for the sentence that names both: their values, and what each of them counts."""

from __future__ import annotations

from collections.abc import Iterator

from caveat.article import Article
from caveat.binding.bind import BOUND
from caveat.binding.ratios import recompute
from caveat.checks.common import product_name
from caveat.checks.comparability.like_for_like import alike_pair
from caveat.checks.comparability.sides import SideValues
from caveat.comparing.telling import Half, half_of, like_for_like_sentence, unlike_sentence
from caveat.comparing.wording import with_article
from caveat.figures.words import word_set
from caveat.finding import UNSAFE, Edit, Finding, Fix
from caveat.fixing.case import Case
from caveat.fixing.wording import end_of, start_of
from caveat.reading.comparisons import Comparison, Side
from caveat.reading.sentences import Sentence
from caveat.registry.registry import UNSTATED, Claim

# A longer sentence says more than its ratio, and would say it no more.
_LONGEST = 40
# A thought behind the comparison that does not follow from it stays.
_FOLLOWING = word_set("that this it so they these those")
_DETERMINERS = frozenset(("the", "a", "an", "each", "every", "one"))


def both_bases(case: Case, finding: Finding) -> Iterator[Fix]:
    """The sentence anew: with the like-for-like ratio if the registry gives one, else with both figures and none."""
    article, rule = case.article, case.rules[finding.rule]
    place = (finding.start, finding.end)
    comparison = next((c for c in article.comparisons if (c.start, c.end) == place), None)
    if comparison is None or not _says_no_more(article, comparison):
        return
    values = SideValues(article, rule)
    pair = alike_pair(article, comparison, values.dimension, values.metrics)
    if pair is not None:
        halves = [_of_claim(article, side, claim) for side, claim in zip(_sides(comparison), pair, strict=True)]
        yield _fix(case, finding, like_for_like_sentence(halves, article.registry))
    bases = values.of(comparison)
    unlike = _unlike(article, comparison, values.dimension, bases) if bases else []
    if bases and unlike:
        told = unlike_sentence(unlike, [(values.dimension, *bases)], article.registry)
        yield _fix(case, finding, told)


def _fix(case: Case, finding: Finding, words: str) -> Fix:
    sentence = case.sentence(finding)
    start, end = start_of(case.article, sentence), _end(case.article, sentence)
    return Fix(f"Write: {words}", UNSAFE, (Edit(start, end, words),))


def _says_no_more(article: Article, comparison: Comparison) -> bool:
    """Whether a sentence of a paragraph or list is about this comparison alone, with no reference and no markup."""
    sentence, document = comparison.sentence, article.document
    block = document.blocks[sentence.block]
    if block.table >= 0 or block.kind == "heading" or block.quoted or sentence.references:
        return False
    if article.sourcing.is_own(sentence):
        return False  # the writer's own measurement is in it
    printed = [s.statement.figure for s in _sides(comparison) if s.statement is not None]
    own = {figure.start for figure in printed} | {comparison.start}
    products = {mention.product for mention in article.subjects.mentions(sentence)}
    if products != {side.product for side in _sides(comparison)} or "" in products:
        return False
    start, end = start_of(article, sentence), end_of(article, sentence)
    written = document.source.text[start:end]
    return (
        all(figure.start in own for figure in sentence.figures)
        and sentence.last - sentence.first <= _LONGEST
        and written == document.prose[start:end]
    )


def _end(article: Article, sentence: Sentence) -> int:
    """Where the comparison ends: the sentence, or ", and" with a thought of its own behind all figures and names."""
    tokens, end = article.tokens, end_of(article, sentence)
    last = max([f.end for f in sentence.figures] + [m.end for m in article.subjects.mentions(sentence)])
    for at in range(tokens.first_from(last), tokens.first_from(end) - 2):
        if tokens.words[at : at + 2] == [",", "and"]:
            return end if tokens.words[at + 2] in _FOLLOWING else tokens.starts[at]
    return end


def _sides(comparison: Comparison) -> tuple[Side, Side]:
    return comparison.left, comparison.right


def _of_claim(article: Article, side: Side, claim: Claim) -> Half:
    return half_of(claim, article.registry, _name(article, side, claim))


def _name(article: Article, side: Side, claim: Claim) -> str:
    """A product as the sentence calls it, with its article: "the B200", "a Trn3 UltraServer"."""
    if side.mention is None:
        return product_name(article, claim.product)
    words = article.tokens.words
    at = article.tokens.first_from(side.mention.start)
    name = " ".join(article.words(side.mention.start, side.mention.end).split())
    if at and words[at - 1] in _DETERMINERS:
        return f"{words[at - 1]} {name}"
    return with_article(name)


def _unlike(article: Article, comparison: Comparison, dimension: str, bases: tuple[str, str]) -> list[Half]:
    """Both sides with the figures that are not alike: those printed, else the registered pair of these bases."""
    printed = [_printed(article, side) for side in _sides(comparison)]
    if printed[0] is not None and printed[1] is not None:
        return [printed[0], printed[1]]
    for pair in recompute(comparison, article.registry).operands:
        if tuple(claim.basis.get(dimension, UNSTATED) for claim in (pair.left, pair.right)) == bases:
            both = zip(_sides(comparison), (pair.left, pair.right), strict=True)
            return [_of_claim(article, side, claim) for side, claim in both]
    return []


def _printed(article: Article, side: Side) -> Half | None:
    """A side whose figure the draft prints, and the registry has."""
    if side.statement is None or side.mention is None:
        return None
    binding, figure = article.binding_of(side.statement), side.statement.figure
    if binding.status != BOUND or not binding.claims:
        return None
    claim = binding.claims[0]
    return Half(_name(article, side, claim), article.words(figure.start, figure.end), claim)
