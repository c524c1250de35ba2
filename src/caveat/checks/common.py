"""What all checks share: how a rule's words become a finding, and how products and claims are named in it."""

from __future__ import annotations

from caveat.article import Article
from caveat.figures.figure import Figure
from caveat.finding import Finding
from caveat.language.phrases import Mark
from caveat.reading.mentions import Mention
from caveat.reading.sentences import Sentence
from caveat.reading.statements import Statement
from caveat.registry.registry import Claim
from caveat.rulebook.rules import Rule

# "Does not cut everyone's costs by 50%": how far before a figure the denial of its verb may stand, and what ends it.
_DENIAL_REACH = 10
_BREAKS = frozenset((",", ";", ":", "but", "(", "only", "just"))
# "Twice what it does on ...", "as much as with a ...": what leads to the other side of a comparison, what may stand
# between, and how far before it, in words.
_COMPARING = frozenset(("than", "as", "what", "versus", "vs", "against", "compared", "beside", "over"))
_BETWEEN = frozenset(
    ("on", "with", "the", "an", "a", "to", "it", "they", "do", "does", "is", "in", "for", "costs", "would")
)
_LINK_REACH = 6


class SideText:
    """One side of a comparison as a message names it: the product, and what its figure counts as `basis`."""

    __slots__ = ("basis", "text")

    def __init__(self, text: str, basis: str) -> None:
        self.text = text
        self.basis = basis

    def __str__(self) -> str:
        return self.text


def finding(rule: Rule, start: int, end: int, claims: list[Claim] | None = None, **fields: str | SideText) -> Finding:
    """A finding of a rule on the words from `start` to `end`; `fields` fill in its message and help."""
    return Finding(
        rule=rule.name,
        severity=rule.severity,
        message=rule.message.format_map(fields),
        start=start,
        end=end,
        help=rule.help.format_map(fields),
        claims=tuple(claim.id for claim in claims or ()),
        why=rule.why,
        cite="; ".join(rule.cite),
    )


def figure_finding(
    article: Article, rule: Rule, figure: Figure, claims: list[Claim] | None = None, **fields: str
) -> Finding:
    """A finding of a rule on a figure, whose words are the field `figure`; `fields` are the others."""
    words = article.told(figure.start, figure.end)
    return finding(rule, figure.start, figure.end, claims, figure=words, **fields)


def product_name(article: Article, product: str) -> str:
    """The name of a product of the registry, or "the other product"."""
    known = article.registry.products.get(product)
    return known.name if known else "the other product"


def claim_text(article: Article, claim: Claim) -> str:
    """A claim as a reader would say it: "up to 144 chips (Amazon EC2 Trn3 UltraServers)"."""
    source = article.registry.sources.get(claim.source)
    said = f"{claim.value[1:]} less" if claim.value.startswith("-") else claim.value
    value = f"{claim.qualifier} {said}".strip()
    words = [claim.basis[name] for name in ("precision", "sparsity") if claim.basis.get(name)]
    basis = f" {' '.join(words)}" if words else ""
    return f"{value}{basis} ({source.title})" if source else f"{value}{basis}"


def asserted(article: Article, statement: Statement) -> bool:
    """Whether the text stands by a figure: no question, correction, doubt, rejection or denial of its verb."""
    sentence, figure = statement.sentence, statement.figure
    if article.stances.silences(sentence) or article.stances.rejects(sentence, figure):
        return False
    words, at = article.tokens.words, article.tokens.first_from(figure.start)
    mention = statement.subject.mention
    named = mention is not None and sentence.start < mention.start < figure.start
    if mention is not None and named and words[article.tokens.first_from(mention.start) - 1] == "no":
        return False  # "No H100 has 94 GB"
    return not any(
        mark.value == "not" and 0 <= at - mark.last <= _DENIAL_REACH and _BREAKS.isdisjoint(words[mark.last : at])
        for mark in sentence.of_kind("negation")
    )


def words_between(article: Article, figure: Figure, mark: Mark) -> int:
    """How many words stand between a figure and a phrase before or behind it."""
    first_from = article.tokens.first_from
    if mark.start >= figure.end:
        return mark.first - first_from(figure.end)
    return max(0, first_from(figure.start) - mark.last)


def other_way_round(article: Article, statement: Statement, claim: Claim) -> bool:
    """As in "on GPUs it costs twice what it does on Trainium3": said of what a claim compares with, over its product.

    That is of claims that are compared with no product of the registry.
    """
    sentence, figure, prose = statement.sentence, statement.figure, article.document.prose
    if not claim.compare_to or claim.compare_to in article.registry.products:
        return False
    at = prose.find(claim.compare_to, sentence.start, sentence.end)
    products = [m for m in article.subjects.mentions(sentence) if m.product == claim.product]
    if at < 0 or not products or prose.find(claim.compare_to, max(products[-1].end, figure.end), sentence.end) >= 0:
        return False
    return all(_is_comparand(article, sentence, figure, m) for m in products)


def _is_comparand(article: Article, sentence: Sentence, figure: Figure, mention: Mention) -> bool:
    """Whether a product is what a figure is over: "twice what it does on ...", "compared with ...", "twice that of"."""
    words, at = article.tokens.words, article.tokens.first_from(mention.start)
    stop = max(sentence.first, at - _LINK_REACH)
    for step in range(at - 1, stop - 1, -1):
        if words[step] in _COMPARING or (words[step] == "of" and mention.start > figure.end):
            return True
        if words[step] not in _BETWEEN:
            return False
    return False
