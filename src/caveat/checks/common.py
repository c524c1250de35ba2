"""What all checks share: how a rule's words become a finding, and how products and claims are named in it."""

from __future__ import annotations

from typing import Self

from caveat.article import Article
from caveat.figures.figure import Figure
from caveat.finding import Finding
from caveat.language.phrases import Mark
from caveat.markdown.document import Block
from caveat.reading.sentences import Sentence
from caveat.reading.statements import Statement
from caveat.registry.registry import Claim
from caveat.rulebook.rules import Rule

# The value of a dimension that nothing states.
UNSTATED = "unstated"
# "Does not cut everyone's costs by 50%": how far before a figure the denial of its verb may stand, and what ends it.
_DENIAL_REACH = 10
_BREAKS = frozenset((",", ";", ":", "but", "(", "only", "just"))


class SideText(str):
    """One side of a comparison as a message names it: the text is the product, `basis` what its figure counts."""

    __slots__ = ("basis",)
    basis: str

    def __new__(cls, text: str, basis: str) -> Self:
        """A product's name and what its figure counts."""
        side = super().__new__(cls, text)
        side.basis = basis
        return side


def finding(rule: Rule, start: int, end: int, claims: list[Claim] | None = None, **fields: str) -> Finding:
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


def product_name(article: Article, product: str) -> str:
    """The name of a product of the registry, or "the other product"."""
    known = article.registry.products.get(product)
    return known.name if known else "the other product"


def claim_text(article: Article, claim: Claim) -> str:
    """A claim as a reader would say it: "up to 144 chips (Amazon EC2 Trn3 UltraServers)"."""
    source = article.registry.sources.get(claim.source)
    value = f"{claim.qualifier} {claim.value}".strip()
    words = [claim.basis[name] for name in ("precision", "sparsity") if claim.basis.get(name)]
    basis = f" {' '.join(words)}" if words else ""
    return f"{value}{basis} ({source.title})" if source else f"{value}{basis}"


def asserted(article: Article, statement: Statement) -> bool:
    """Whether the text stands by a figure: no question, correction, doubt, rejection or denial of its verb."""
    sentence, figure = statement.sentence, statement.figure
    if article.stances.silences(sentence) or article.stances.rejects(sentence, figure):
        return False
    words, at = article.tokens.words, article.tokens.first_from(figure.start)
    return not any(
        mark.value == "not" and 0 <= at - mark.last <= _DENIAL_REACH and _BREAKS.isdisjoint(words[mark.last : at])
        for mark in sentence.of_kind("negation")
    )


def around(article: Article, sentence: Sentence) -> list[Sentence]:
    """What a reader takes with a sentence: its neighbours, notes and lead-in; a cell's labels, caption and notes."""
    block = article.document.blocks[sentence.block]
    found = article.notes(sentence)
    if block.table >= 0:
        table = article.document.tables[block.table]
        corner = [s for b in table.rows[0][:1] if b >= 0 for s in article.subjects.of_block(b)]
        after = article.subjects.of_block(table.after)[:2] if table.after >= 0 else []
        return found + corner + article.captions(sentence) + after
    found += article.labels(sentence) + _below_list(article, block)
    if block.kind == "heading":
        return found + article.subjects.of_block(sentence.block + 1)[:2]
    return found + neighbours(article, sentence)


def _below_list(article: Article, block: Block) -> list[Sentence]:
    """The first sentence after the list that an item's block is in."""
    if block.item < 0:
        return []
    document = article.document
    last = document.lists[document.items[block.item].list].items[-1]
    return article.subjects.of_block(document.items[last].blocks[-1] + 1)[:1] if document.items[last].blocks else []


def neighbours(article: Article, sentence: Sentence) -> list[Sentence]:
    """The sentences before and after one in its block."""
    places = (sentence.index - 1, sentence.index + 1)
    found = [article.sentences[at] for at in places if 0 <= at < len(article.sentences)]
    return [each for each in found if each.block == sentence.block]


def words_between(article: Article, figure: Figure, mark: Mark) -> int:
    """How many words stand between a figure and a phrase before or behind it."""
    first_from = article.tokens.first_from
    if mark.start >= figure.end:
        return mark.first - first_from(figure.end)
    return max(0, first_from(figure.start) - mark.last)
