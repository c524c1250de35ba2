"""Where words are put into a draft: where a sentence begins and ends in its Markdown, and what a word is there."""

from __future__ import annotations

import re

from caveat.article import Article
from caveat.figures.words import word_set
from caveat.reading.sentences import Sentence

# What may close behind the last word of a sentence: emphasis, the rest of a link, a tag, a footnote's mark.
CLOSING = re.compile(r"(?:[*_~`]+|\]\([^()\n]*\)|\]\[[^\[\]\n]*\]|\[\^[^\[\]\s]+\]|</[A-Za-z][\w-]*>)+")
_OPENING = "*_~`[\"'“‘("
_ENDS = frozenset((".", "!", "?", "…"))
_CLOSERS = frozenset(('"', "'", ")", "]", "*"))
# First words that lose their capital inside a sentence; all others may be names.
_SMALL = word_set(
    "the a an its it this that these those their they both each every in on at with for against next compared over by "
    "from under per when while where if as all most some one two three four not no and but so here there"
)


# The end of a line, as part of a pattern.
LINE_END = r"(?:\r\n|\r(?!\n)|\n)"


def line_end(text: str) -> str:
    """The line end that a draft uses: that of its first line."""
    found = re.search(LINE_END, text)
    return found[0] if found else "\n"


def end_of(article: Article, sentence: Sentence) -> int:
    """Where words can be added to a sentence: before its full stop; without one, behind its last word and its marks."""
    tokens, text = article.tokens, article.document.source.text
    last = sentence.last - 1
    while last > sentence.first and tokens.words[last] in _CLOSERS:
        last -= 1
    if tokens.words[last] in _ENDS:
        return tokens.starts[last]
    at = tokens.ends[sentence.last - 1]
    closing = CLOSING.match(text, at)
    return closing.end() if closing else at


def start_of(article: Article, sentence: Sentence) -> int:
    """Where words can be put before a sentence: before its first word and the marks that open on it."""
    text = article.document.source.text
    at = article.tokens.starts[sentence.first]
    while at > sentence.start and text[at - 1] in _OPENING:
        at -= 1
    return at


def in_quotation(article: Article, sentence: Sentence, place: int) -> bool:
    """Whether a place in a sentence is between quotation marks, whose words are somebody else's."""
    before = article.document.prose[sentence.start : place]
    return before.count('"') % 2 == 1 or before.count("“") > before.count("”")


def first_word(article: Article, sentence: Sentence) -> str | None:
    """The first word of a sentence as it stands behind other words; None if it may or may not be a name."""
    tokens = article.tokens
    start, end = tokens.starts[sentence.first], tokens.ends[sentence.first]
    written = article.words(start, end)
    if written.lower() in _SMALL:
        return written.lower()
    named = any(
        mark.start <= start < mark.end for kind in ("product", "vendor", "source") for mark in sentence.of_kind(kind)
    )
    named = named or any(mention.start <= start < mention.end for mention in article.subjects.mentions(sentence))
    return written if named or not written[1:].islower() or written[:1].islower() else None
