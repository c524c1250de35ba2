"""The closing count: what was seen, so that silence can be told from blindness, and what was found."""

from __future__ import annotations

from collections.abc import Sequence

from caveat.finding import SEVERITIES
from caveat.outcome import COUNTED, Outcome


def summary(outcomes: Sequence[Outcome]) -> list[str]:
    """Two lines about all drafts of a run."""
    return [seen(outcomes), found(outcomes)]


def seen(outcomes: Sequence[Outcome]) -> str:
    """How many figures there were, and what they rest on."""
    drafts = _number(len(outcomes), "draft")
    figures, *others, data = (sum(outcome.counts.get(name, 0) for outcome in outcomes) for name in COUNTED)
    parts = ", ".join(f"{count} {name}" for name, count in zip(COUNTED[1:-1], others, strict=True))
    counted = f"{_number(figures, 'figure')} in {drafts}: {parts}" if figures else f"no figures in {drafts}"
    return f"Seen: {counted}; {data:,} numbers in paragraphs that are all data." if data else f"Seen: {counted}."


def found(outcomes: Sequence[Outcome]) -> str:
    """How many findings there are, by severity, the worst first; then how many are not shown, and why."""
    severities = [finding.severity for outcome in outcomes for finding in outcome.findings]
    worst_first = [(severity, severities.count(severity)) for severity in reversed(SEVERITIES)]
    shown = ", ".join(_number(count, severity) for severity, count in worst_first if count) or "nothing"
    others = (
        (sum(len(outcome.suppressed) for outcome in outcomes), "suppressed"),
        (sum(len(outcome.baselined) for outcome in outcomes), "in the baseline"),
        (sum(len(outcome.unchanged) for outcome in outcomes), "on unchanged lines"),
    )
    hidden = ", ".join(f"{count} {why}" for count, why in others if count)
    return f"Found: {shown}; {hidden}." if hidden else f"Found: {shown}."


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 or noun == "info" else f"{count} {noun}s"
