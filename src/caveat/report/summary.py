"""The closing count: what was seen, so that silence can be told from blindness, and what was found."""

from __future__ import annotations

from collections.abc import Sequence

from caveat.finding import SAFE, SEVERITIES, UNSAFE
from caveat.outcome import COUNTED, Outcome
from caveat.report.text import counted

# The severities that do not take an "s".
_MANY = {"info": "info"}


def summary(outcomes: Sequence[Outcome]) -> list[str]:
    """Two lines about all drafts of a run, and a third if fixes were made or looked for."""
    return [seen(outcomes), found(outcomes), *fixes(outcomes)]


def seen(outcomes: Sequence[Outcome]) -> str:
    """How many figures there were, and what they rest on."""
    drafts = counted(len(outcomes), "draft")
    figures, *others, data = (sum(outcome.counts.get(name, 0) for outcome in outcomes) for name in COUNTED)
    parts = ", ".join(f"{count} {name}" for name, count in zip(COUNTED[1:-1], others, strict=True))
    told = f"{counted(figures, 'figure')} in {drafts}: {parts}" if figures else f"no figures in {drafts}"
    return f"Seen: {told}; {data:,} numbers in paragraphs that are all data." if data else f"Seen: {told}."


def found(outcomes: Sequence[Outcome]) -> str:
    """How many findings there are, by severity, the worst first; then how many are not shown, and why."""
    severities = [finding.severity for outcome in outcomes for finding in outcome.findings]
    worst_first = [(severity, severities.count(severity)) for severity in reversed(SEVERITIES)]
    shown = (
        ", ".join(counted(count, severity, _MANY.get(severity, "")) for severity, count in worst_first if count)
        or "nothing"
    )
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
        return [f"{fixed} {counted(done, 'finding')}{more}."]
    if safe:
        more = f" ({unsafe} more with --unsafe-fixes)" if unsafe else ""
        return [f"Fixable: {counted(safe, 'finding')} with --fix{more}."]
    return [f"Fixable: {counted(unsafe, 'finding')} with --fix --unsafe-fixes."] if unsafe else []
