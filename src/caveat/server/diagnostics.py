"""Findings and faults as the diagnostics that editors show."""

from __future__ import annotations

import os
from collections.abc import Iterable

from lsprotocol import types

from caveat.finding import Finding
from caveat.markdown.source import Source
from caveat.report.sentences import message
from caveat.report.text import visible
from caveat.server.faults import Fault
from caveat.server.places import Places
from caveat.server.session import Review
from caveat.server.uris import uri_of

NAME = "caveat"
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}
MOST_CLAIMS = 5


def of_draft(review: Review, places: Places, *, related: bool) -> list[types.Diagnostic]:
    """The findings of a draft, in its order; `related`: with the places of the claims that they rest on."""
    return [of_finding(review, finding, places, related=related) for finding in review.findings]


def of_finding(review: Review, finding: Finding, places: Places, *, related: bool) -> types.Diagnostic:
    """One finding."""
    return types.Diagnostic(
        range=places.range(finding.start, finding.end),
        message=message(finding),
        severity=_SEVERITIES[finding.severity],
        code=finding.rule,
        source=NAME,
        related_information=_claims(review, finding) if related and finding.claims else None,
    )


def _claims(review: Review, finding: Finding) -> list[types.DiagnosticRelatedInformation]:
    cited = [(claim, review.cited[claim]) for claim in finding.claims[:MOST_CLAIMS] if claim in review.cited]
    return [
        types.DiagnosticRelatedInformation(row_of(record.file, record.line), visible(f"{claim}: {record.value}"))
        for claim, record in cited
    ]


def row_of(file: str, line: int) -> types.Location:
    """The beginning of a line of a file; lines count from 1."""
    start = types.Position(max(line, 1) - 1, 0)
    return types.Location(uri_of(os.path.abspath(file)), types.Range(start, start))


def of_faults(faults: Iterable[Fault], encoding: str) -> dict[str, list[types.Diagnostic]]:
    """The faults that are in a file, by its path."""
    by_path: dict[str, list[Fault]] = {}
    for fault in faults:
        if fault.path:
            by_path.setdefault(fault.path, []).append(fault)
    return {path: _in_file(path, found, encoding) for path, found in by_path.items()}


def _in_file(path: str, faults: list[Fault], encoding: str) -> list[types.Diagnostic]:
    try:
        with open(path, "rb") as file:
            source = Source(file.read().decode("utf-8", "replace"), path)
    except OSError:
        source = Source("", path)
    places = Places(source, encoding)
    return [
        types.Diagnostic(
            range=places.range(*_span(source, fault)),
            message=visible(fault.message),
            severity=types.DiagnosticSeverity.Error,
            source=NAME,
        )
        for fault in faults
    ]


def _span(source: Source, fault: Fault) -> tuple[int, int]:
    """From the place of a fault to the end of its row; the first row if it is about the file as a whole."""
    starts = source.row_starts()
    row = min(max(fault.row, 1), len(starts))
    end = starts[row] if row < len(starts) else len(source.text)
    while end > starts[row - 1] and source.text[end - 1] in "\r\n":
        end -= 1
    return min(starts[row - 1] + max(fault.column - 1, 0), end), end
