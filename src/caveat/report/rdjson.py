"""Findings in the Reviewdog Diagnostic Format: https://github.com/reviewdog/reviewdog/tree/master/proto/rdf."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from caveat.finding import DISPLAY_ONLY, Edit, Finding, Fix
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
            diagnostic = _diagnostic(outcome.source.filename, columns, finding)
            yield diagnostic | ({"suggestions": _suggestions(columns, finding.fix)} if _offered(finding) else {})


def _diagnostic(path: str, columns: Columns, finding: Finding) -> dict[str, Any]:
    return {
        "message": message_and_help(finding),
        "location": {"path": path, "range": _range(columns, finding.start, finding.end)},
        "severity": _SEVERITIES[finding.severity],
        "code": {"value": finding.rule},
    }


def _offered(finding: Finding) -> bool:
    """Whether a finding has a fix that may be shown where nothing says how far it may be applied."""
    return finding.fix is not None and finding.fix.applicability != DISPLAY_ONLY


def _suggestions(columns: Columns, fix: Fix | None) -> list[dict[str, Any]]:
    """The edits of a fix. They belong together, which the format cannot say."""
    edits: tuple[Edit, ...] = fix.edits if fix else ()
    return [{"range": _range(columns, edit.start, edit.end), "text": edit.text} for edit in edits]


def _range(columns: Columns, first: int, last: int) -> dict[str, Any]:
    start, end = columns.span(first, last)
    return {"start": _position(start), "end": _position(end)}


def _position(place: Place) -> dict[str, int]:
    return {"line": place[0], "column": place[1]}
