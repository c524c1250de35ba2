"""What stands at a place of a draft: findings, figures with their claims, citations and notes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from caveat.article import Article
from caveat.finding import Finding
from caveat.markdown.document import Reference
from caveat.registry.registry import Claim, SourceRecord
from caveat.server.session import Review

MOST = 5


class Spot(NamedTuple):
    """What is known of a place. `start` and `end` are of the smallest stretch of text that it is known of."""

    start: int
    end: int
    findings: list[Finding]
    claims: list[Claim]
    sources: list[SourceRecord]
    notes: list[str]


def look_up(review: Review, offset: int) -> Spot | None:
    """What stands at an offset, or right before it; None if nothing does."""
    article = review.article
    if article is None:
        return None
    findings = [finding for finding in review.findings if finding.start <= offset <= finding.end]
    figures = [b for b in article.bindings if b.statement.figure.start <= offset <= b.statement.figure.end]
    references = [each for each in article.document.references if each.start <= offset <= each.end]
    spans = [(f.start, f.end) for f in findings] + [(b.statement.figure.start, b.statement.figure.end) for b in figures]
    spans += [(each.start, each.end) for each in references if each.kind in {"citation", "footnote"}]
    if not spans:
        return None
    start, end = min(spans, key=lambda span: (span[1] - span[0], span))
    claims = {claim.id: claim for binding in figures for claim in binding.claims}
    claims |= {claim.id: claim for claim in _named(article, findings, references)}
    keys = [each.label for each in references if each.kind == "citation"]
    sources = [article.registry.sources[key] for key in keys if key in article.registry.sources]
    notes = [each.label for each in references if each.kind == "footnote" and each.defined]
    return Spot(start, end, findings, list(claims.values())[:MOST], sources, notes)


def _named(article: Article, findings: list[Finding], references: list[Reference]) -> Iterator[Claim]:
    """The claims that findings rest on, and those that are cited by their ids."""
    names = [claim for finding in findings for claim in finding.claims]
    names += [each.label for each in references if each.kind == "citation"]
    for name in names[: 2 * MOST]:
        claim = article.registry.claim(name)
        if claim is not None:
            yield claim
