"""Findings as workflow commands of GitHub Actions, which shows them at their lines, and a table for its summary."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from caveat.finding import SEVERITIES, Finding
from caveat.markdown.source import Source
from caveat.outcome import Outcome
from caveat.report.columns import last_row
from caveat.report.concise import place
from caveat.report.sentences import message, message_and_help, one_line
from caveat.report.summary import summary
from caveat.report.text import counted, visible

# What GitHub shows: so many annotations of each kind a step; of a summary, no more than a mebibyte.
MOST_OF_A_KIND = 10
MOST_ROWS = 1000
MOST_CHARACTERS = 200_000
_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}
_MARKDOWN = re.compile(r"([!#$&*+./:<=>@\[\\\]^_`{|}~])")  # also what makes links of addresses, and emoji of words

Placed = tuple[Source, Finding]


def render(outcomes: Iterable[Outcome]) -> str:
    """The findings that GitHub shows as annotations, the worst first; after them the others, as lines of the log."""
    ranked = _worst_first(outcomes)
    shown, left_out = _within_limits(ranked)
    lines = [_command(*placed) for placed in shown]
    if left_out:
        findings = counted(len(left_out), "finding")
        lines.append(
            f"::notice title=caveat::{findings} more than GitHub shows as annotations; see the log of this step"
        )
        lines += [_log_line(*placed) for placed in left_out]
    return "".join(line + "\n" for line in lines)


def step_summary(outcomes: Sequence[Outcome]) -> str:
    """The closing count and a table of the findings, the worst first, as Markdown."""
    ranked = _worst_first(outcomes)
    rows, room = [], MOST_CHARACTERS
    for source, finding in ranked[:MOST_ROWS]:
        cells = (place(source, finding.start), finding.severity, finding.rule, finding.message)
        row = f"| {' | '.join(_cell(cell) for cell in cells)} |\n"
        room -= len(row)
        if room < 0:
            break
        rows.append(row)
    table = ["| Place | Severity | Rule | Message |\n|---|---|---|---|\n", *rows] if rows else []
    more = f"\nand {len(ranked) - len(rows)} more\n" if len(rows) < len(ranked) else ""
    counts = "\n\n".join(summary(outcomes))
    return f"## Caveat\n\n{counts}\n\n{''.join(table)}{more}\n"


def _worst_first(outcomes: Iterable[Outcome]) -> list[Placed]:
    """All findings with their drafts: by severity, then as they come."""
    placed = [(outcome.source, finding) for outcome in outcomes for finding in outcome.findings]
    return sorted(placed, key=lambda pair: -SEVERITIES.index(pair[1].severity))


def _within_limits(ranked: Sequence[Placed]) -> tuple[list[Placed], list[Placed]]:
    """The findings that become annotations, and the others. If there are others, one notice is kept to say so."""
    counts = {severity: sum(found.severity == severity for _, found in ranked) for severity in SEVERITIES}
    some_left_out = any(count > MOST_OF_A_KIND for count in counts.values())
    room = dict.fromkeys(SEVERITIES, MOST_OF_A_KIND)
    room["info"] -= some_left_out
    shown: list[Placed] = []
    left_out: list[Placed] = []
    for placed in ranked:
        severity = placed[1].severity
        room[severity] -= 1
        (shown if room[severity] >= 0 else left_out).append(placed)
    return shown, left_out


def _command(source: Source, finding: Finding) -> str:
    """`::error file=...,line=...::message`. GitHub takes columns only for what is on one line."""
    (first, column), last = source.place(finding.start), last_row(source, finding.start, finding.end)
    about = {"title": finding.rule, "file": source.filename, "line": first, "endLine": last}
    if first == last:
        about |= {"col": column, "endColumn": column + finding.end - finding.start}
    properties = ",".join(f"{name}={_property(str(value))}" for name, value in about.items())
    where = one_line(f"{place(source, finding.start)}: {finding.rule}")
    return f"::{_COMMANDS[finding.severity]} {properties}::{_data(f'{where} {message_and_help(finding)}')}"


def _log_line(source: Source, finding: Finding) -> str:
    """A plain line; GitHub would take `::` at the beginning of a line, or `##[` anywhere, for a command."""
    where = f"{finding.severity}: {place(source, finding.start)}: {finding.rule}"
    return f"{one_line(where)} {message(finding)}".replace("##[", "## [")


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return visible(_data(text).replace(":", "%3A").replace(",", "%2C"))


def _cell(text: str) -> str:
    """A text as a cell of a table, every sign of it meaning itself."""
    return _MARKDOWN.sub(r"\\\1", one_line(text))
