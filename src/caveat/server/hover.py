"""What an editor shows of a word that is pointed at: the claims behind a figure, and why it is flagged."""

from __future__ import annotations

import re
from collections.abc import Iterator

from caveat.finding import Finding
from caveat.registry.registry import UNSTATED, Claim, Registry, SourceRecord
from caveat.report.registry import publisher_of
from caveat.report.sentences import one_line
from caveat.server.looking_up import Spot

# What is Markdown anywhere, and what is at the beginning of a line.
_SIGNS = re.compile(r"([\\`*_{}\[\]<>#|~&]|^[-+=]|^\d+(?=[.)]))")
_BREAKING_AN_ADDRESS = re.compile(r"[<>\s]")


class Words:
    """How texts are put for an editor: in Markdown, or plain. Nothing in a draft or a registry acts as Markdown."""

    def __init__(self, *, markdown: bool) -> None:
        self.markdown = markdown
        self.rule = "\n\n---\n\n" if markdown else "\n\n"

    def plain(self, text: str) -> str:
        """A text as it is, on one line."""
        line = one_line(text)
        return _SIGNS.sub(_escaped, line) if self.markdown else line

    def strong(self, text: str) -> str:
        """A text that stands out."""
        return f"**{self.plain(text)}**" if self.markdown else self.plain(text)

    def link(self, text: str, address: str) -> str:
        """A text that leads to a page of the web; without an address, the text."""
        if not address.startswith(("https://", "http://")):
            return self.plain(text)
        if self.markdown:
            target = _BREAKING_AN_ADDRESS.sub("", one_line(address))
            return f"[{self.plain(text)}](<{target}>)"
        return f"{self.plain(text)} ({self.plain(address)})"


def _escaped(found: re.Match[str]) -> str:
    """A sign with a backslash; a number that could begin a list with one behind it."""
    return f"{found[0]}\\" if found[0].isdigit() else f"\\{found[0]}"


def hover_text(spot: Spot, registry: Registry, *, markdown: bool) -> str:
    """All that is to be said of a place; "" if that is nothing."""
    words = Words(markdown=markdown)
    parts = ["\n\n".join(_finding(finding, words)) for finding in spot.findings]
    parts += ["\n\n".join(_claim(claim, registry, words)) for claim in spot.claims]
    parts += [_source(source, registry, words) for source in spot.sources]
    return words.rule.join(parts)


def _finding(finding: Finding, words: Words) -> Iterator[str]:
    yield f"{words.strong(finding.rule)} ({finding.severity}): {words.plain(finding.message)}"
    for text in (finding.why, finding.help, finding.cite):
        if text:
            yield words.plain(text)


def _claim(claim: Claim, registry: Registry, words: Words) -> Iterator[str]:
    product = registry.products[claim.product].name
    yield f"{words.strong(claim.stated)}: {words.plain(f'{claim.metric} of {product}, {claim.status}')}"
    basis = ", ".join(f"{dimension} {value}" for dimension, value in basis_of(claim, registry).items())
    if basis:
        yield words.plain(basis)
    yield _source(registry.sources[claim.source], registry, words, claim)
    if claim.caveat:
        yield f"{words.strong('Caveat')}: {words.plain(claim.caveat)}"
    yield words.plain(f"{claim.id}, {claim.file}:{claim.line}")


def basis_of(claim: Claim, registry: Registry) -> dict[str, str]:
    """The basis of a claim, in which it also says so if the source does not state, say, dense or sparse."""
    vocabulary = registry.vocabulary
    kind = claim.figure.dimension if claim.figure else ""
    missing = [name for name in vocabulary.distinct if kind in vocabulary.dimensions[name]["applies_to"]]
    return {**claim.basis, **{name: UNSTATED for name in missing if name not in claim.basis}}


def _source(source: SourceRecord, registry: Registry, words: Words, claim: Claim | None = None) -> str:
    dates = [
        f"{word} {date}" for word, date in (("published", source.published), ("retrieved", source.retrieved)) if date
    ]
    about = ", ".join([publisher_of(registry, source, claim), *dates])
    return f"{words.link(source.title, source.url)}: {words.plain(about)}"
