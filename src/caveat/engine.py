"""The pipeline: a draft goes in, findings come out. Pure: no file is touched and no rule is named."""

from __future__ import annotations

from collections.abc import Sequence

from caveat.article import Article, read_article
from caveat.binding.bind import Binding
from caveat.checks import CHECKS, SUPPRESSION_CHECKS
from caveat.checks.suppressions import Ledger
from caveat.digest import digest
from caveat.figures.grammar import DATA
from caveat.finding import Finding, reading_order
from caveat.markdown.source import Source
from caveat.reading.reach import SENTENCE
from caveat.registry.registry import Registry
from caveat.rulebook.rules import Rule

# What a figure rests on, of which each has one: a finding, the registry, the writer's own measurement, a source, none.
FLAGGED, REGISTERED, OWN, CITED, OTHER = "flagged", "registered", "own", "cited", "other"


class Checked:
    """The findings of a draft in order of place, and how many figures were seen and how they were sourced.

    `suppressed` are the findings that the draft itself asks to leave out; `article` is the draft as it was read.
    """

    __slots__ = ("article", "counts", "findings", "suppressed")

    def __init__(
        self, article: Article, findings: list[Finding], counts: dict[str, int], suppressed: list[Finding]
    ) -> None:
        self.article = article
        self.findings = findings
        self.counts = counts
        self.suppressed = suppressed


def check(
    source: Source,
    registry: Registry,
    rules: Sequence[Rule],
    citation_scope: str = SENTENCE,
    every_rule: Sequence[Rule] | None = None,
) -> Checked:
    """Check one draft by the rules. The counts are figures, registered, cited, own, flagged, and numbers of data.

    `every_rule` are all rules that there are, if others than those that run.
    """
    article = read_article(source, registry, citation_scope)
    found = [f for rule in rules if rule.check in CHECKS for f in CHECKS[rule.check](article, rule)]
    found.sort(key=reading_order)
    ledger = Ledger(article.document.suppressions, found, _suppressible(every_rule or rules), _suppressible(rules))
    if ledger.suppressions:
        last = [rule for rule in rules if rule.check in SUPPRESSION_CHECKS]
        found += [f for rule in last for f in SUPPRESSION_CHECKS[rule.check](ledger, rule)]
        found.sort(key=reading_order)
    marked = _with_fingerprints(article, found)
    shown = [finding for finding in marked if not ledger.leaves_out(finding)]
    suppressed = [finding for finding in marked if ledger.leaves_out(finding)]
    return Checked(article, shown, _counts(article, shown), suppressed)


def _suppressible(rules: Sequence[Rule]) -> set[str]:
    """The names of the rules that a draft may ask to leave out: all but those about asking."""
    return {rule.name for rule in rules if rule.check in CHECKS}


def lint(source: Source, registry: Registry, rules: Sequence[Rule], citation_scope: str = SENTENCE) -> list[Finding]:
    """Every finding in one draft, in reading order."""
    return check(source, registry, rules, citation_scope).findings


def _counts(article: Article, found: list[Finding]) -> dict[str, int]:
    """How many figures were seen, and of them registered, cited, own (the writer's measurements) and flagged."""
    states = figure_states(article, found)
    counts = {"figures": len(states)} | {state: states.count(state) for state in (REGISTERED, CITED, OWN, FLAGGED)}
    counts["data"] = sum(number.reading == DATA for number in article.numbers)
    return counts


def figure_states(article: Article, found: list[Finding]) -> list[str]:
    """For each binding of a draft what its figure rests on; OTHER is what needs no source, or is worked out."""
    starts = {finding.start for finding in found}
    return [_state(article, binding, binding.statement.figure.start in starts) for binding in article.bindings]


def _state(article: Article, binding: Binding, flagged: bool) -> str:  # noqa: FBT001 - the first of the states
    sentence = binding.statement.sentence
    if flagged:
        return FLAGGED
    if binding.registered:
        return REGISTERED
    if article.sourcing.is_own(sentence):
        return OWN
    return CITED if article.sourcing.sourced(sentence) else OTHER


def _with_fingerprints(article: Article, found: list[Finding]) -> list[Finding]:
    """The findings, each with a mark of its rule, its words and their sentence that no moved line changes."""
    sentences: dict[int, str] = {}
    seen: dict[str, int] = {}
    marked = []
    for finding in found:
        at = article.sentence_at(finding.start).index if article.sentences else -1
        if at not in sentences:
            sentences[at] = _plain_words(article, at)
        words = article.told(finding.start, finding.end)
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
