"""The closing count: what was seen, so that silence can be told from blindness, and what was found."""

from __future__ import annotations

from collections.abc import Sequence

from caveat.finding import SAFE, SEVERITIES, UNSAFE
from caveat.outcome import COUNTED, Outcome


def summary(outcomes: Sequence[Outcome]) -> list[str]:
    """Two lines about all drafts of a run, and a third if fixes were made or looked for."""
    return [seen(outcomes), found(outcomes), *fixes(outcomes)]


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


def fixes(outcomes: Sequence[Outcome], fixed: str = "Fixed") -> list[str]:
    """How many findings were fixed, and how many others can be; nothing if there are none of both."""
    done = sum(len(outcome.fixed) for outcome in outcomes)
    kinds = [finding.fix.applicability for outcome in outcomes for finding in outcome.findings if finding.fix]
    safe, unsafe = kinds.count(SAFE), kinds.count(UNSAFE)
    if done:
        more = f" ({unsafe} more with --unsafe-fixes)" if unsafe else ""
        return [f"{fixed} {_number(done, 'finding')}{more}."]
    if safe:
        more = f" ({unsafe} more with --unsafe-fixes)" if unsafe else ""
        return [f"Fixable: {_number(safe, 'finding')} with --fix{more}."]
    return [f"Fixable: {_number(unsafe, 'finding')} with --fix --unsafe-fixes."] if unsafe else []


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 or noun == "info" else f"{count} {noun}s"
