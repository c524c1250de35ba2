"""Comparisons of worth built of a comparative and its noun: "a more capable card than", "the better inference GPU"."""

from __future__ import annotations

from caveat.article import Article
from caveat.language.phrases import Mark
from caveat.reading.sentences import Sentence

# How many words may stand between a comparative and its noun, and between it and "than".
_NOUN_REACH = 4
_THAN_REACH = 7
# How far behind "nothing AMD" the verb may stand.
_SHORT_REACH = 3
# So many comparatives of a sentence are looked at.
_MOST = 6
_SIGNS = frozenset((",", ";", ":", ".", "(", ")", "!", "?", "\n", "–", "—"))
_ENDS = _SIGNS | {"and", "or", "but", "is", "are", "was", "were"}
_ADVERBS = frozenset(("far", "much", "clearly", "simply", "plainly", "way", "still", "even", "noticeably"))


def contests(article: Article, sentence: Sentence) -> list[Mark]:
    """The verdicts that a sentence builds of a comparative, as marks of kind "verdict".

    Their value is "faster" where "than" leads to the loser, "wins" where the winner alone is named,
    "outmatched" where they hold the loser.
    """
    found = []
    for word in sentence.of_kind("better-word")[:_MOST]:
        first, led = _lead(article, sentence, word)
        than = _than(article, sentence, word)
        if than:
            found.append(_mark(article, first, than, "faster"))
        elif led == "the" and (noun := _noun(article, sentence, word)) and _is_said(sentence, first):
            found.append(_mark(article, first, noun, "wins"))
        elif not led and _is_noted(sentence, word):
            found.append(_mark(article, word.first, word.last, "wins"))
    return found + _outmatched(article, sentence)


def _outmatched(article: Article, sentence: Sentence) -> list[Mark]:
    """As in "nothing AMD makes can touch the B200": a vendor whose every product falls short of another's."""
    words, found = article.tokens.words, []
    for none in sentence.of_kind("nothing")[:_MOST]:
        vendor = next((v for v in sentence.of_kind("vendor") if v.first == none.last), None)
        verbs = sentence.of_kind("falls-short") if vendor and words[none.last - 1] == "nothing" else []
        short = next((v for v in verbs if vendor and 0 < v.first - vendor.last <= _SHORT_REACH), None)
        if short is not None and _SIGNS.isdisjoint(words[none.first : short.last]):
            last = short.last + (words[short.last : short.last + 1] in (["to"], ["with"]))
            found.append(_mark(article, none.first, last, "outmatched"))
    return found


def _mark(article: Article, first: int, last: int, value: str) -> Mark:
    tokens = article.tokens
    return Mark(tokens.starts[first], tokens.ends[last - 1], "verdict", value, first, last)


def _lead(article: Article, sentence: Sentence, word: Mark) -> tuple[int, str]:
    """Where the phrase of a comparative begins, and the article there, if any: "a far better", "the stronger"."""
    words, at = article.tokens.words, word.first
    while at > sentence.first and words[at - 1] in _ADVERBS:
        at -= 1
    if at > sentence.first and words[at - 1] in ("a", "an", "the"):
        return at - 1, words[at - 1]
    return at, ""


def _than(article: Article, sentence: Sentence, word: Mark) -> int:
    """Where "than" behind a comparative ends; 0 if there is none before its clause does."""
    words = article.tokens.words
    for at in range(word.last, min(sentence.last, word.last + _THAN_REACH)):
        if words[at] == "than":
            return at + 1
        if words[at] in _ENDS:
            return 0
    return 0


def _noun(article: Article, sentence: Sentence, word: Mark) -> int:
    """Where the noun behind a comparative ends: a kind of product, or a word for a bargain; 0 for another."""
    words = article.tokens.words
    nouns = [*sentence.of_kind("product-class"), *sentence.of_kind("bargain")]
    near = [n for n in nouns if 0 <= n.first - word.last <= _NOUN_REACH]
    near = [n for n in near if _ENDS.isdisjoint(words[word.last : n.first])]
    return min((n.last for n in near), default=0)


def _is_said(sentence: Sentence, first: int) -> bool:
    """Whether a verb says it of something: "is the better card", "makes the better server"."""
    return any(0 <= first - m.last <= 1 for m in sentence.of_kind("says-of"))


def _is_noted(sentence: Sentence, word: Mark) -> bool:
    """As in "MI300X vs H100: MI300X faster in every case": a note without a verb, after a name and a contest."""
    named = any(m.last == word.first for m in sentence.of_kind("product"))
    return named and sentence.has("comparand-word")
