"""A qualifier that the registry has and the draft has dropped is put back: "up to 4.4x"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from caveat.article import Article
from caveat.comparing.wording import capital, plain
from caveat.figures.figure import Figure
from caveat.figures.words import word_set
from caveat.finding import UNSAFE, Edit, Finding, Fix
from caveat.fixing.case import Case
from caveat.fixing.wording import in_quotation
from caveat.reading.sentences import Sentence

# Before these "up to" is no English: "the up to 144 chips", "all up to 144 chips".
_NOT_BEHIND = word_set(
    "the its their his her our your this that these those all every each both any another whole same first last of "
    "whose which"
)
# "Doubles" and "halved" are verbs; "up to half" says the contrary of what is meant.
_VERB_OR_HALF = re.compile(r"(?i)\b(?:half(?! an? )|halves|halved|halving|\w+(?:les|led|ling))\b")
_ARTICLES = {"a": "an", "an": "a"}
# "A roughly 180 GB module", for "an about 180 GB module".
_BEHIND_ARTICLE = {"about": "roughly"}
_VOWELS = "aeiou"
# "Aiming at no less than 6x", for "at at least".
_ANOTHER = {"at least": "no less than", "about": "roughly", "over": "more than"}
# What only qualifies, and gives way to the right word; the verb of "peaks at" and "tops out at" stays.
_REPLACED = word_set(
    "about around roughly approximately approx nearly almost over more than at least up to less under some well above "
    "below no most just as much many"
)


def with_qualifier(case: Case, finding: Finding) -> Iterator[Fix]:
    """The registry's qualifier before the figure, in the place of one that says something else."""
    article, binding, claims = case.article, case.binding(finding), case.claims(finding)
    if binding is None or not claims or not claims[0].qualifier:
        return
    figure, sentence = binding.statement.figure, binding.statement.sentence
    words = article.words(figure.start, figure.end)
    if figure.quantity.low != figure.quantity.high or (figure.in_words and _VERB_OR_HALF.search(words)):
        return
    if _is_compound(article, figure) or in_quotation(article, sentence, figure.start):
        return
    qualifier = plain(claims[0].qualifier)
    yield Fix(f'Restore "{qualifier}"', UNSAFE, tuple(_edits(article, sentence, figure, qualifier)))


def _is_compound(article: Article, figure: Figure) -> bool:
    """As in "144-chip rack": a figure that is one word with its noun."""
    text = article.document.source.text
    return re.search(r"\d-[^\W\d]", text[figure.start : figure.end + 2]) is not None


def _edits(article: Article, sentence: Sentence, figure: Figure, qualifier: str) -> Iterator[Edit]:
    tokens, text = article.tokens, article.document.source.text
    start = _replaced_from(article, figure)
    at = tokens.first_from(start)
    before = tokens.words[at - 1] if at > sentence.first else ""
    if before in _NOT_BEHIND:
        return
    if before == qualifier.split(maxsplit=1)[0]:
        qualifier = _ANOTHER.get(qualifier, "")
        if not qualifier:
            return
    if before in _ARTICLES:
        qualifier = _BEHIND_ARTICLE.get(qualifier, qualifier)
        fitting = "an" if qualifier[0] in _VOWELS else "a"
        if fitting != before:
            place = (tokens.starts[at - 1], tokens.ends[at - 1])
            yield Edit(*place, capital(fitting) if text[place[0]].isupper() else fitting)
    lead = capital(qualifier) if at == sentence.first and _takes_capital(article, sentence) else qualifier
    if start < figure.start:
        yield Edit(start, figure.start, f"{lead} ")
    elif figure.in_words and text[start].isupper():
        yield Edit(start, start + 1, f"{lead} {text[start].lower()}")
    else:
        yield Edit(start, start, f"{lead} ")


def _replaced_from(article: Article, figure: Figure) -> int:
    """Where the qualifier begins that stands before a figure and gives way; the figure's own start without one."""
    span = figure.qualifier_span
    if span is None or span[1] > figure.start or article.words(span[1], figure.start).strip():
        return figure.start
    words = article.words(*span).lower().split()
    return span[0] if words and _REPLACED.issuperset(words) else figure.start


def _takes_capital(article: Article, sentence: Sentence) -> bool:
    """Whether a sentence begins with a capital: not a cell, nor a list's item of one phrase."""
    block = article.document.blocks[sentence.block]
    return block.table < 0 and (block.item < 0 or sentence.place > 0)
