"""Findings in the Reviewdog Diagnostic Format: https://github.com/reviewdog/reviewdog/tree/master/proto/rdf."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from caveat.finding import DISPLAY_ONLY, Finding, Fix, apply_edits
from caveat.markdown.source import Source
from caveat.outcome import Outcome
from caveat.report.columns import Columns, Place, utf8_columns
from caveat.report.json_report import written_out
from caveat.report.sentences import message_and_help

SOURCE = {"name": "caveat"}
MOST_ROWS = 3  # a suggestion for more of them is no longer one that people can look over
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
            suggestion = _suggestion(outcome.source, columns, finding.fix)
            yield diagnostic | ({"suggestions": [suggestion]} if suggestion else {})


def _diagnostic(path: str, columns: Columns, finding: Finding) -> dict[str, Any]:
    return {
        "message": message_and_help(finding),
        "location": {"path": path, "range": _range(columns, finding.start, finding.end)},
        "severity": _SEVERITIES[finding.severity],
        "code": {"value": finding.rule},
    }


def _suggestion(source: Source, columns: Columns, fix: Fix | None) -> dict[str, Any] | None:
    """A fix as one replacement, since readers take several for as many fixes; None if its edits are far apart.

    Nothing would say of a display-only one that it is not to be taken with the others.
    """
    if fix is None or fix.applicability == DISPLAY_ONLY:
        return None
    first, last = fix.edits[0].start, fix.edits[-1].end
    if source.place(last)[0] - source.place(first)[0] > MOST_ROWS:
        return None
    within = [edit._replace(start=edit.start - first, end=edit.end - first) for edit in fix.edits]
    return {"range": _range(columns, first, last), "text": apply_edits(source.text[first:last], within)}


def _range(columns: Columns, first: int, last: int) -> dict[str, Any]:
    start, end = columns.span(first, last)
    return {"start": _position(start), "end": _position(end)}


def _position(place: Place) -> dict[str, int]:
    return {"line": place[0], "column": place[1]}
