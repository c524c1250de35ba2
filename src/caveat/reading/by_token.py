"""The phrases of a sentence by the token at which they begin, for those that say who is the source of something."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from caveat.language.phrases import Mark
from caveat.language.tokens import Tokens
from caveat.reading.sentences import Sentence

# What most sentences have of most kinds.
_NOWHERE: AbstractSet[int] = frozenset()


class ByToken:
    """A sentence's phrases by the index of their first token."""

    __slots__ = (
        "according",
        "adverb",
        "anonymous",
        "blocked",
        "bodies",
        "document_ends",
        "house",
        "looking",
        "naming",
        "not_a_name",
        "noun",
        "noun_ends",
        "outcome",
        "place",
        "product",
        "role",
        "source",
        "trying",
        "vendor",
        "verb",
        "weasel",
    )

    # Of "price page" and "price", which begin in one place, the document counts.
    _NOUNS = ("figure-noun", "document-noun")
    # Phrases that are no part of an organisation's name.
    _BLOCKING = frozenset(("product", "metric", "precision", "memory", "scope", "unit"))

    def __init__(self, sentence: Sentence, tokens: Tokens) -> None:
        kinds, words = sentence.kinds, tokens.words

        def firsts(kind: str) -> AbstractSet[int]:
            return {mark.first for mark in kinds[kind]} if kind in kinds else _NOWHERE

        def lasts(kind: str) -> AbstractSet[int]:
            return {mark.last - 1 for mark in kinds[kind]} if kind in kinds else _NOWHERE

        of_kind = sentence.of_kind
        self.vendor = {mark.first: (mark.last, mark.value) for mark in of_kind("vendor")}
        self.source = {mark.first: (mark.last, mark.value) for mark in of_kind("source")}
        self.noun = {mark.first: mark.value for kind in self._NOUNS for mark in of_kind(kind)}
        nobody = [mark for mark in of_kind("weasel") if not _has_owner(mark, words)]
        self.weasel = _covered(nobody)
        self.verb = firsts("reporting-verb") - firsts("no-report")
        self.verb -= self.weasel  # "a deal with Oracle is said to be worth"
        self.adverb = firsts("source-adverb")
        self.according = {
            mark.last - 1: "per" if words[mark.last - 1] == "per" else mark.value for mark in of_kind("according")
        }
        self.not_a_name = firsts("not-a-name")
        self.blocked = _covered([mark for kind in self._BLOCKING for mark in of_kind(kind)])
        self.anonymous = firsts("anonymous-body")
        self.place = firsts("press-place")
        self.product = firsts("product")
        self.looking = firsts("looking-verb")
        self.noun_ends = {mark.last - 1 for kind in self._NOUNS for mark in of_kind(kind)}
        self.document_ends = {mark.last for mark in of_kind("document-noun") if mark.value == "document"}
        self.trying = firsts("trying-verb")
        self.outcome = firsts("outcome-verb")
        self.naming = firsts("naming-verb")
        self.house = lasts("publishing-house")
        self.role = lasts("role")
        self.bodies = _covered(of_kind("results-body"))


def _covered(marks: list[Mark]) -> AbstractSet[int]:
    """The tokens that phrases cover."""
    return {at for mark in marks for at in range(mark.first, mark.last)} if marks else _NOWHERE


def _has_owner(mark: Mark, words: list[str]) -> bool:
    """As in "Omdia's analysts say": people who are somebody's, and no customers."""
    return words[mark.first - 1] in ("'s", "'") and words[mark.first] not in ("customers", "users")
