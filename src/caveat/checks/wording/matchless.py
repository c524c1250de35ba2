"""Superlatives in other words: "faster than any other chip", "no other chip comes close", "has no equal"."""

from __future__ import annotations

from caveat.article import Article
from caveat.language.phrases import Mark
from caveat.reading.sentences import Sentence

# The lexicons without a word of which a sentence has no such superlative.
TRIGGERS = ("all-others", "none-other", "no-equal", "nothing")
# How far before "than any other" its comparative may stand, how long the noun behind "other" may be, and how far
# behind "no other chip" the verb.
_COMPARATIVE_REACH = 7
_NOUN_REACH = 4
_VERB_REACH = 6
_THAN_REACH = 8
# How far behind "nothing on the market" its comparative may stand.
_BETTER_REACH = 5
# So many phrases of a kind are looked at in a sentence.
_MOST = 6
_MORE = frozenset(("more", "less", "fewer", "better", "worse", "further", "farther"))
_STOPS = frozenset((",", ";", ":", ".", "(", ")", "!", "?", "\n", "–", "—"))
_ALL = frozenset(("anything", "anyone", "everything", "everyone", "nothing", "nobody", "one"))
_BROAD = _ALL | {"competition", "rest", "rival", "rivals", "competitor", "comers"}

Span = tuple[int, int]


class Matchless:
    """Words that set a product above all others: the tokens to flag, and where its name may stand.

    `before` says that its name, or a word for it, ends at the token `subject`; else it stands anywhere in the sentence.
    """

    __slots__ = ("before", "first", "last", "subject")

    def __init__(self, first: int, last: int, subject: int, *, before: bool) -> None:
        self.first = first
        self.last = last
        self.subject = subject
        self.before = before


def matchless(article: Article, sentence: Sentence) -> list[Matchless]:
    """The superlatives of a sentence that are told with "other"."""
    found = [m for mark in sentence.of_kind("all-others")[:_MOST] if (m := _over_all(article, sentence, mark))]
    found += [m for mark in sentence.of_kind("none-other")[:_MOST] if (m := _none_like(article, sentence, mark))]
    found += [Matchless(m.first, m.last, m.first, before=True) for m in sentence.of_kind("no-equal")]
    if sentence.has("better-word"):
        found += [m for mark in sentence.of_kind("nothing")[:_MOST] if (m := _none_better(article, sentence, mark))]
    return found


def _none_better(article: Article, sentence: Sentence, mark: Mark) -> Matchless | None:
    """As in "no GPU is faster than", "there is no better chip on the market than": the product follows "than"."""
    words = article.tokens.words
    better = next((m for m in sentence.of_kind("better-word") if 0 <= m.first - mark.last <= _BETTER_REACH), None)
    if better is None:
        return None
    behind = range(better.last, min(sentence.last, better.last + _THAN_REACH))
    last = next((at + 1 for at in behind if words[at] == "than"), 0)
    if not last or not _STOPS.isdisjoint(words[mark.first : last]):
        return None
    nouns = [n for n in sentence.of_kind("product-class") if mark.first < n.first < last and n.value == "class"]
    if words[mark.last - 1] in _ALL:  # "nothing on the market trains faster than"
        nouns += [m for m in sentence.of_kind("market-scope") if m.first == mark.last and m.last < last]
    return Matchless(mark.first, last, mark.first, before=False) if nouns else None


def _over_all(article: Article, sentence: Sentence, mark: Mark) -> Matchless | None:
    """As in "is faster than any other chip", "beats every other GPU": a comparative or a verb over all others."""
    words = article.tokens.words
    noun = _noun_end(article, sentence, mark)
    if not noun:
        return None
    verb = next((m for m in sentence.of_kind("verdict") if m.last == mark.first), None)
    if verb is not None and verb.value in ("beats", "faster"):
        return Matchless(verb.first, noun, verb.first, before=True)
    if words[mark.first - 1] != "than":
        return None
    for at in range(mark.first - 2, max(sentence.first, mark.first - _COMPARATIVE_REACH) - 1, -1):
        if words[at] in _STOPS:
            return None
        if words[at] in _MORE or (words[at].endswith("er") and len(words[at]) > 4 and words[at] != "other"):
            return Matchless(at, noun, at, before=True)
    return None


def _noun_end(article: Article, sentence: Sentence, mark: Mark) -> int:
    """Where "any other AI chip" ends: behind its kind of product; 0 if "other" leads to no such noun."""
    words = article.tokens.words
    stop = min(sentence.last, mark.last + _NOUN_REACH)
    for noun in sentence.of_kind("product-class"):
        if mark.last <= noun.first < stop and noun.value == "class":
            between = words[mark.last : noun.first]
            return noun.last if _STOPS.isdisjoint(between) and "'s" not in between else 0
    return mark.last if words[mark.last - 1] in _BROAD or not _BROAD.isdisjoint(words[mark.first : mark.last]) else 0


def _none_like(article: Article, sentence: Sentence, mark: Mark) -> Matchless | None:
    """As in "no other chip comes close", "nobody else can match": all others, and a verb of falling short."""
    words = article.tokens.words
    noun = _noun_end(article, sentence, mark)
    if not noun:
        return None
    verb = next((m for m in sentence.of_kind("falls-short") if 0 <= m.first - noun <= _VERB_REACH), None)
    if verb is None or not _STOPS.isdisjoint(words[noun : verb.first]):
        return None
    return Matchless(mark.first, verb.last, mark.first, before=False)
