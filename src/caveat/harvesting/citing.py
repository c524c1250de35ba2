"""The source that a draft cites beside a figure, as a record that a registry could hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from caveat.article import Article
from caveat.harvesting.names import slug
from caveat.markdown.document import Reference
from caveat.reading.evidence import Evidence, Name
from caveat.reading.sentences import Sentence
from caveat.reading.statements import Statement

# How many words behind "Acme's" the noun may stand that makes them the name of a document.
_TITLE_REACH = 6
_LINKS = frozenset(("link", "url", "reference"))
_NOTES = frozenset(("footnote", "citation"))
_ADDRESS = re.compile(r"https?://[^\s<>()\[\]\"']+[^\s<>()\[\]\"'.,;:!?]")
_LINK_TEXT = re.compile(r"\[([^\]]*)\]")
_MOST_LETTERS = 120


class Cited(NamedTuple):
    """A source as a draft cites it; "" is what the draft does not say.

    `known` is the id of a source that the registry has. `publisher` is a vendor's id or an organisation's name.
    """

    known: str = ""
    title: str = ""
    publisher: str = ""
    url: str = ""
    alias: str = ""

    @property
    def id(self) -> str:
        """An id for it, by what is known of it; "" if nothing is."""
        if self.known:
            return self.known
        address = self.url.partition("://")[2].rstrip("/").removesuffix(".html")
        words = slug(self.title or address or self.publisher) if self.title or address or self.publisher else ""
        return words[:60].rstrip("-.")


NOT_CITED = Cited()


def cited(article: Article, statement: Statement, product: str) -> Cited:
    """The source of a figure: what its sentence cites, or what stands about it, of the product and its maker first."""
    maker = article.registry.products[product].vendor if product else ""
    evidences = [evidence for evidence in article.sourcing.of(statement.sentence) if evidence.sourced]
    makers = [evidence for evidence in evidences if maker and maker in evidence.vendors]
    named = [evidence for evidence in evidences if _names(article, evidence, product)]
    makers.sort(key=lambda evidence: evidence not in named)
    own = [evidence for evidence in evidences if evidence.sentence == statement.sentence.index]
    for evidence in [*own, *makers, *named, *evidences]:
        found = _of(article, evidence, maker)
        if found != NOT_CITED:
            return found
    return NOT_CITED


def _names(article: Article, evidence: Evidence, product: str) -> bool:
    """Whether the sentence that lends a source speaks of the product."""
    if not product or evidence.sentence < 0:
        return False
    return any(m.product == product for m in article.subjects.mentions(article.sentences[evidence.sentence]))


def _of(article: Article, evidence: Evidence, maker: str) -> Cited:
    """What one sentence offers as the source."""
    known = sorted(source for source in evidence.sources if source in article.registry.sources)
    if known:
        return Cited(known=known[0])
    sentence = article.sentences[evidence.sentence] if evidence.sentence >= 0 else None
    if sentence is None:
        return NOT_CITED
    linked = next(_linked(article, sentence), NOT_CITED)
    tellers = sorted(evidence.tellers, key=lambda name: name.vendor != maker or not name.vendor)
    told = next((_told(article, name, sentence) for name in tellers), NOT_CITED)
    addresses = {record.url: record.id for record in article.registry.sources.values() if record.url}
    if linked.url in addresses:
        return Cited(known=addresses[linked.url])
    if linked.url or linked.title:
        return linked._replace(publisher=linked.publisher or told.publisher)
    return told


def _linked(article: Article, sentence: Sentence) -> Iterator[Cited]:
    """The links, footnotes and keys of a sentence."""
    for reference in sentence.references:
        if reference.kind in _LINKS and not reference.label.startswith("#"):
            text = article.words(reference.start, reference.end)
            title = _LINK_TEXT.match(text)
            yield Cited(title=_plain(title.group(1)) if title else "", url=_address(reference.label))
        elif reference.kind in _NOTES:
            yield _note(article, reference)
        elif reference.kind == "inline-footnote":
            yield _written(article.words(reference.start, reference.end).strip("^[]"))


def _note(article: Article, reference: Reference) -> Cited:
    place = article.document.footnotes.get(reference.label)
    if place is None:
        return Cited(title=reference.label) if reference.kind == "citation" else NOT_CITED
    return _written(article.words(*place).partition("]:")[2] or article.words(*place))


def _written(text: str) -> Cited:
    """A source from the text of a note: its address, and the words without it as the title."""
    address = _ADDRESS.search(text)
    linked = _LINK_TEXT.search(text)
    title = linked.group(1) if linked else _ADDRESS.sub("", text)
    return Cited(title=_plain(title).strip(" .,;:<>()"), url=address.group() if address else "")


def _told(article: Article, name: Name, sentence: Sentence) -> Cited:
    """As in "per Acme", "Acme's Rocket page": whom the words make the source, and in which document."""
    tokens = article.tokens
    start, end = tokens.starts[name.first], tokens.ends[name.last - 1]
    who = article.told(start, end)
    publisher = name.vendor or who
    first = name.last + (tokens.words[name.last : name.last + 1] in (["'s"], ["'"]))
    marks = [m for m in sentence.of_kind("document-noun") if first <= m.first < first + _TITLE_REACH]
    noun = next((m for m in marks if m.value == "document"), None)
    if noun is None or not _unbroken(article, first, noun.first):
        return Cited(publisher=publisher)
    words = article.told(tokens.starts[first], noun.end)
    return Cited(title=f"{who} {words}", publisher=publisher, alias=words if " " in words else "")


def _unbroken(article: Article, first: int, last: int) -> bool:
    """Whether only words stand between two tokens, and none by which another thing begins."""
    words = article.tokens.words[first:last]
    return all(word[:1].isalnum() for word in words) and not {"and", "or", "in", "with", "of"}.intersection(words)


def _address(label: str) -> str:
    return label if label.startswith(("http://", "https://")) and not any(sign.isspace() for sign in label) else ""


def _plain(text: str) -> str:
    """Words on one line without marks of Markdown, not longer than a title is."""
    return " ".join(re.sub(r"[*_`]", "", text).split())[:_MOST_LETTERS]
