"""Which words of a sentence qualify which figure: its precision, its sparsity, its scope, its kind, its direction."""

from __future__ import annotations

from itertools import pairwise

from caveat.figures.figure import RELATIVE, Figure
from caveat.language.phrases import Mark
from caveat.language.tokens import Tokens
from caveat.reading.mentions import Mention
from caveat.reading.sentences import Sentence

# How many words may stand between a figure and a word that belongs to it alone.
_AFTER = 6
_MEASURE_FIRST = 3
_BEFORE = 6
# A comma keeps a word at a distance; a semicolon or a second figure keeps it out.
_COMMA = 3
# "dense FP8 on both": how far behind a word "on both" may stand.
_BEHIND = 4
_SHARING = frozenset(("both", "all", "each", "also", "either", "likewise"))
_BARRIERS = frozenset((";", "!", "?"))
# "Trainium3 offers in FP8", "dense FP8 on the H200": how far from a name its word may stand, and what ends its reach.
_BESIDE = 4
_BREAKS = frozenset((",", ";", ":", "and", "than", "against", "over", "versus", "vs", "but", "while", "to"))
_TIES = frozenset(("on", "of", "for", "in", "from", "the", "a", "an", "each", "one", "'s"))
# Words that stand for a thing in "the new chip in FP8 and the old one in BF16".
_THINGS = frozenset(("one", "ones", "former", "latter", "other", "first", "second", "itself", "ours", "theirs"))
_PAIR = 2
_PLACING = frozenset(("in", "at", "with", "using"))


def attach(marks: list[Mark], figures: list[Figure], sentence: Sentence, tokens: Tokens) -> tuple[dict[int, str], str]:
    """Share the values of one dimension out over the figures of a sentence.

    Returns the values by figure (the index in `figures`) and the value that all other figures have: of a word that
    leads the sentence ("In dense BF16 ..."), speaks of both or all, or stands by no figure. "" is none.
    """
    own: dict[int, str] = {}
    nearest: dict[int, int] = {}
    shared = ""
    for mark in marks:
        if mark.value == "unstated":  # what a source leaves out, it leaves out of all its figures
            shared = shared or mark.value
            continue
        if _leads(mark, figures, sentence) or _speaks_of_all(mark, sentence, tokens):
            shared = shared or mark.value
            if not _speaks_of_all(mark, sentence, tokens):
                continue
        home, distance = _home(mark, figures, tokens)
        if home < 0:
            shared = shared or mark.value
        elif home not in own or distance < nearest[home]:
            own[home], nearest[home] = mark.value, distance
    return own, shared


def _leads(mark: Mark, figures: list[Figure], sentence: Sentence) -> bool:
    """Whether a word stands before every product and figure of the sentence."""
    if figures and figures[0].start < mark.start:
        return False
    return not any(other.kind == "product" and other.start < mark.start for other in sentence.marks)


def _speaks_of_all(mark: Mark, sentence: Sentence, tokens: Tokens) -> bool:
    """As in "both dense", "all without sparsity", "also dense", "dense FP8 on both"."""
    at = mark.first
    if at > sentence.first and tokens.words[at - 1] in _SHARING:
        return True
    behind = tokens.words[mark.last : min(sentence.last, mark.last + _BEHIND)]
    return any(
        pair in (("on", "both"), ("for", "both"), ("in", "both"), ("on", "each"), ("on", "either"))
        for pair in pairwise(behind)
    )


def _home(mark: Mark, figures: list[Figure], tokens: Tokens) -> tuple[int, int]:
    """The index of the figure that a word belongs to, and how far it is; (-1, 0) if none is near enough."""
    first, last = mark.first, mark.last
    best, best_distance = -1, 99
    for index, figure in enumerate(figures):
        if figure.start <= mark.start and mark.end <= figure.end:
            return index, 0
        if figure.end <= mark.start:
            distance = _between(tokens.first_from(figure.end), first, tokens)
            limit = _AFTER
        else:
            distance = _between(last, tokens.first_from(figure.start), tokens) + 1
            limit = _BEFORE
        if figure.kind in RELATIVE:
            distance += _MEASURE_FIRST  # a word between a ratio and a measure belongs to the measure
        if distance <= limit and distance < best_distance:
            best, best_distance = index, distance
    return best, best_distance


def _between(start: int, stop: int, tokens: Tokens) -> int:
    """The distance between two places in words, commas counting as more."""
    if stop - start > _AFTER:
        return 99
    distance = 0
    for at in range(start, stop):
        word = tokens.words[at]
        if word in _BARRIERS:
            return 99
        if word == ")":
            distance += _COMMA  # the aside with the figure in it is over
        distance += _COMMA if word in (",", "and", "against") else 1
    return distance


def beside(marks: list[Mark], mention: Mention, tokens: Tokens, reach: int = _BESIDE) -> str:
    """The value of a dimension whose word stands in a product's name, or right behind or before it; "" if none does."""
    first, last = tokens.first_from(mention.start), tokens.first_from(mention.end)
    for mark in marks:
        inside = mention.start <= mark.start < mention.end
        behind = 0 <= mark.first - last <= reach and _BREAKS.isdisjoint(tokens.words[last : mark.first])
        before = 0 < first - mark.last <= reach and _TIES.issuperset(tokens.words[mark.last : first])
        if inside or behind or before:
            return mark.value
    return ""


def paired(marks: list[Mark], sentence: Sentence, tokens: Tokens, names: set[str]) -> tuple[str, str] | None:
    """The two values that are said of two things: "the new chip in FP8 and the old one in BF16"; None if none are.

    `names` are words that may be such things beside those that the text has for products.
    """
    things = (
        _THINGS
        | names
        | {tokens.words[m.last - 1] for m in sentence.marks if m.kind in ("product", "scope", "variant")}
    )
    placed = [
        mark.value
        for mark in marks
        if tokens.words[mark.first - 1] in _PLACING and mark.first > sentence.first + 1
        if tokens.words[mark.first - 2] in things
    ]
    return (placed[0], placed[1]) if len(placed) == len(set(placed)) == _PAIR else None
