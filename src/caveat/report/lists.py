"""Lists that stand in place of findings: the drafts that are checked, and how many findings each rule has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from caveat.finding import SEVERITIES
from caveat.outcome import Outcome
from caveat.report.json_report import array, written_out
from caveat.report.text import table, visible


def file_list(names: Iterable[str], fmt: str) -> str:
    """The names of drafts, one a line, or as JSON."""
    if fmt == "json":
        return written_out(list(names)) + "\n"
    return "".join(visible(name) + "\n" for name in names)


def statistics(outcomes: Iterable[Outcome], fmt: str) -> str:
    """The number of findings by rule and severity, the most first, or as JSON."""
    counts = Counter((finding.rule, finding.severity) for outcome in outcomes for finding in outcome.findings)
    order = sorted(counts.items(), key=lambda entry: (-entry[1], -SEVERITIES.index(entry[0][1]), entry[0][0]))
    if fmt == "json":
        return array({"rule": rule, "severity": severity, "count": count} for (rule, severity), count in order)
    width = len(str(order[0][1])) if order else 0
    rows = [(str(count).rjust(width), severity, rule) for (rule, severity), count in order]
    return table(("", "", ""), rows).split("\n", 1)[1]
