"""Findings as one line each, as editors and `grep` like them."""

from __future__ import annotations

from collections.abc import Iterable

from caveat.finding import Finding
from caveat.markdown.source import Source
from caveat.outcome import Outcome
from caveat.report.text import visible


def render(outcomes: Iterable[Outcome]) -> str:
    """All findings as `path:row:column: severity rule message`."""
    lines = (concise(outcome.source, finding) for outcome in outcomes for finding in outcome.findings)
    return "".join(f"{visible(line)}\n" for line in lines)


def concise(source: Source, finding: Finding) -> str:
    """A finding as one line, whose text is not made visible yet."""
    message = " ".join(finding.message.split())
    return f"{place(source, finding.start)}: {finding.severity} {finding.rule} {message}"


def place(source: Source, offset: int) -> str:
    """`path:row:column` of an offset."""
    row, column = source.place(offset)
    return f"{source.filename}:{row}:{column}"
