"""The pipeline: a draft goes in, findings come out. Pure: no file is touched and no rule is named."""

from __future__ import annotations

from collections.abc import Sequence

from caveat.article import Article, read_article
from caveat.checks import CHECKS
from caveat.digest import digest
from caveat.finding import SEVERITIES, Finding
from caveat.markdown.source import Source
from caveat.reading.reach import SENTENCE
from caveat.registry.registry import Registry
from caveat.rulebook.rules import Rule


class Checked:
    """The findings of a draft in order of place, and how many figures were seen and how they were sourced."""

    __slots__ = ("counts", "findings")

    def __init__(self, findings: list[Finding], counts: dict[str, int]) -> None:
        self.findings = findings
        self.counts = counts


def check(source: Source, registry: Registry, rules: Sequence[Rule], citation_scope: str = SENTENCE) -> Checked:
    """Check one draft by the rules. The counts are figures, registered, cited, own and flagged."""
    article = read_article(source, registry, citation_scope)
    found = [finding for rule in rules for finding in CHECKS[rule.check](article, rule)]
    found.sort(key=lambda f: (f.start, f.end, -SEVERITIES.index(f.severity), f.rule))
    return Checked(_with_fingerprints(article, found), _counts(article, found))


def lint(source: Source, registry: Registry, rules: Sequence[Rule], citation_scope: str = SENTENCE) -> list[Finding]:
    """Every finding in one draft, in reading order."""
    return check(source, registry, rules, citation_scope).findings


def _counts(article: Article, found: list[Finding]) -> dict[str, int]:
    """How many figures were seen, and of them registered, cited, own (the writer's measurements) and flagged."""
    flagged_starts = sorted({finding.start for finding in found})
    counts = {"figures": len(article.statements), "registered": 0, "cited": 0, "own": 0, "flagged": 0}
    starts = set(flagged_starts)
    for binding in article.bindings:
        sentence = binding.statement.sentence
        if binding.statement.figure.start in starts:
            counts["flagged"] += 1
        elif binding.registered:
            counts["registered"] += 1
        elif article.sourcing.is_own(sentence):
            counts["own"] += 1
        elif article.sourcing.sourced(sentence):
            counts["cited"] += 1
    return counts


def _with_fingerprints(article: Article, found: list[Finding]) -> list[Finding]:
    """The findings, each with a mark of its rule, its words and their sentence that no moved line changes."""
    sentences: dict[int, str] = {}
    seen: dict[str, int] = {}
    marked = []
    for finding in found:
        at = article.sentence_at(finding.start).index if article.sentences else -1
        if at not in sentences:
            sentences[at] = _plain_words(article, at)
        words = " ".join(article.words(finding.start, finding.end).split())
        key = "\n".join((finding.rule, words, sentences[at]))
        seen[key] = seen.get(key, 0) + 1
        fingerprint = digest(f"{key}\n{seen[key]}".encode("utf-8", "surrogatepass"))[:16]
        marked.append(finding._replace(fingerprint=fingerprint))
    return marked


def _plain_words(article: Article, at: int) -> str:
    """The words of a sentence, with white space made one blank; none before the first sentence."""
    if at < 0:
        return ""
    sentence = article.sentences[at]
    return " ".join(article.document.prose[sentence.start : sentence.end].split())
