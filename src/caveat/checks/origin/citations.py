"""Whether what a text cites is defined."""

from __future__ import annotations

from collections.abc import Iterator

from caveat.article import Article
from caveat.checks.common import finding
from caveat.finding import Finding
from caveat.markdown.document import Reference
from caveat.rulebook.rules import Rule


def undefined_citation(article: Article, rule: Rule) -> Iterator[Finding]:
    """Footnote references, citation keys and claim ids that are defined neither in the draft nor in the registry."""
    for reference in article.document.references:
        if not _defined(article, reference):
            yield finding(
                rule,
                reference.start,
                reference.end,
                words=article.words(reference.start, reference.end),
                label=reference.label,
            )


def _defined(article: Article, reference: Reference) -> bool:
    if reference.kind == "citation":
        label = reference.label
        return label in article.registry.sources or article.registry.claim(label) is not None
    return reference.defined or reference.kind not in ("footnote", "reference")
