"""Who a sentence speaks of, and whether it stands by what it says: shared by the checks that judge words, not figures."""

from __future__ import annotations

from itertools import pairwise

from caveat.article import Article
from caveat.reading.sentences import Sentence

# How far before a phrase a hedge or a denial still bears on it, in words.
_HEDGE_REACH = 8
_DENIAL_REACH = 5
# How far before a phrase a condition may stand, and how far behind it an open outcome, in words.
_CONDITION_REACH = 40
_OPEN_REACH = 30
_STOPS = frozenset((";", ":", ".", "(", ")", "!", "?"))
_QUOTES = frozenset('"')
# Stances that a sentence's own doubt does not bring about: it asks, supposes or corrects.
_UNSAID = frozenset(("question", "supposed", "corrected"))


class Party:
    """A product, a vendor or another capitalised name in a sentence: its tokens, and its vendor's id if known.

    `known` says that the registry has it, `product` that it is a product or named like one.
    """

    __slots__ = ("first", "known", "last", "product", "vendor")

    def __init__(self, first: int, last: int, vendor: str, *, known: bool, product: bool) -> None:
        self.first = first
        self.last = last
        self.vendor = vendor
        self.known = known
        self.product = product


def parties(article: Article, sentence: Sentence) -> list[Party]:
    """The products, vendors and other names of a sentence, in order; of overlapping ones the surest."""
    tokens = article.tokens
    found = [
        Party(tokens.first_from(m.start), tokens.first_from(m.end), m.vendor, known=bool(m.vendor), product=True)
        for m in article.subjects.mentions(sentence)
    ]
    found += [Party(m.first, m.last, m.value, known=True, product=False) for m in sentence.of_kind("vendor")]
    taken = {at for party in found for at in range(party.first, party.last)}
    for name in article.sourcing.own(sentence).names:
        if taken.isdisjoint(range(name.first, name.last)) and not name.vendor:
            found.append(Party(name.first, name.last, "", known=False, product=False))
    return sorted(found, key=lambda party: (party.first, -party.last))


def asserted(article: Article, sentence: Sentence, first: int, last: int) -> bool:
    """Whether a sentence stands by the words from token `first` to `last`.

    It does not where it asks, supposes, hedges, denies or quotes them, or makes them hang on a condition.
    """
    if article.stances.of(sentence) & _UNSAID or quoted(article, sentence, first):
        return False
    return not (
        _hedged(article, sentence, first)
        or denied(article, sentence, first)
        or _left_open(article, sentence, last)
    )


def unsaid(article: Article, sentence: Sentence) -> bool:
    """Whether a sentence as a whole asks, supposes or corrects."""
    return bool(article.stances.of(sentence) & _UNSAID)


def quoted(article: Article, sentence: Sentence, at: int) -> bool:
    """Whether a token stands between quotation marks."""
    words = article.tokens.words
    if '"' not in words[sentence.first : sentence.last]:
        return False
    marks = [step for step in range(sentence.first, sentence.last) if words[step] in _QUOTES]
    return any(one < at < other for one, other in list(pairwise(marks))[::2])


def denied(article: Article, sentence: Sentence, first: int, reach: int = _DENIAL_REACH) -> bool:
    """Whether a word of denial stands close before a token, in its clause: "is not the", "one of the"."""
    words = article.tokens.words
    for mark in sentence.of_kind("denial"):
        if mark.last <= first <= mark.last + reach and not _broken(words[mark.last : first], ","):
            return True
    return False


def _hedged(article: Article, sentence: Sentence, first: int) -> bool:
    """Whether a hedge stands before a token in its clause, or a condition anywhere before it in the sentence."""
    words = article.tokens.words
    for mark in sentence.of_kind("hedge"):
        gap = first - mark.last
        if mark.value == "before" and 0 <= gap <= _HEDGE_REACH and not _broken(words[mark.last : first], "and", "but"):
            return True
        if mark.value == "condition" and 0 <= gap <= _CONDITION_REACH and not _broken(words[mark.last : first]):
            return True
    return False


def _left_open(article: Article, sentence: Sentence, last: int) -> bool:
    """As in "faster than an H200, or slower": the words behind leave the other outcome open."""
    return any(0 <= m.first - last <= _OPEN_REACH for m in sentence.of_kind("open-outcome"))


def _broken(words: list[str], *stops: str) -> bool:
    """Whether a stretch of words holds the end of a clause."""
    return any(word in _STOPS or word in stops for word in words)
