"""How words are put into a draft: where a sentence begins and ends in its Markdown, and text that stays plain there."""

from __future__ import annotations

import re
from collections.abc import Sequence

from caveat.article import Article
from caveat.figures.words import word_set
from caveat.reading.sentences import Sentence
from caveat.registry.registry import Claim

# What Markdown or MDX would act on in a name or a title.
_ACTIVE = re.compile(r"([\\`*_\[\]<>|~$^{}])")
_UNSAFE_IN_ADDRESS = re.compile(r"[\s()<>|\\]")
# What may close behind the last word of a sentence: emphasis, the rest of a link, a tag, a footnote's mark.
CLOSING = re.compile(r"(?:[*_~`]+|\]\([^()\n]*\)|\]\[[^\[\]\n]*\]|\[\^[^\[\]\s]+\]|</[A-Za-z][\w-]*>)+")
_LONG_NUMBER = re.compile(r"(?<![\d.,])[1-9]\d{3,}(?![\d,])")
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


def plain(text: str) -> str:
    """A text from the registry on one line, with nothing in it that Markdown acts on."""
    words = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return _ACTIVE.sub(r"\\\1", words)


def grouped(value: str) -> str:
    """A value as prose prints it: "1,979 TFLOPS" for "1979 TFLOPS"."""
    return _LONG_NUMBER.sub(lambda number: f"{int(number[0]):,}", value)


def address(url: str) -> str:
    """An address as the target of a link, with nothing in it that could end it."""
    return _UNSAFE_IN_ADDRESS.sub(lambda sign: "".join(f"%{byte:02X}" for byte in sign[0].encode()), url.strip())


def publisher(article: Article, claim: Claim) -> str:
    """Who publishes a claim, by name; "" if the registry does not say."""
    source = article.registry.sources.get(claim.source)
    if source is None:
        return ""
    vendor = article.registry.vendors.get(source.publisher)
    return plain(vendor.name if vendor else source.publisher)


def listed(names: Sequence[str]) -> str:
    """Names as running text, each once: "AWS", "AWS and NVIDIA"."""
    once = list(dict.fromkeys(names))
    return " and ".join([", ".join(once[:-1]), once[-1]] if len(once) > 1 else once)


def capital(text: str) -> str:
    """A text as it begins a sentence."""
    return text[:1].upper() + text[1:]


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
