"""Findings in the Reviewdog Diagnostic Format: https://github.com/reviewdog/reviewdog/tree/master/proto/rdf."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from caveat.finding import Finding
from caveat.outcome import Outcome
from caveat.report.columns import Columns, Place, utf8_columns
from caveat.report.json_report import written_out
from caveat.report.sentences import message_and_help

SOURCE = {"name": "caveat"}
_SEVERITIES = {"error": "ERROR", "warning": "WARNING", "info": "INFO"}


def render(outcomes: Iterable[Outcome]) -> str:
    """One object with all findings as its diagnostics."""
    return written_out({"source": SOURCE, "diagnostics": list(diagnostics(outcomes))}) + "\n"


def diagnostics(outcomes: Iterable[Outcome]) -> Iterator[dict[str, Any]]:
    """One object a finding."""
    for outcome in outcomes:
        columns = utf8_columns(outcome.source)
        for finding in outcome.findings:
            yield _diagnostic(outcome.source.filename, columns, finding)


def _diagnostic(path: str, columns: Columns, finding: Finding) -> dict[str, Any]:
    start, end = columns.span(finding.start, finding.end)
    return {
        "message": message_and_help(finding),
        "location": {"path": path, "range": {"start": _position(start), "end": _position(end)}},
        "severity": _SEVERITIES[finding.severity],
        "code": {"value": finding.rule},
    }


def _position(place: Place) -> dict[str, int]:
    return {"line": place[0], "column": place[1]}
