"""Findings as JSON lines: the objects of the JSON report, one a line, none without findings."""

from __future__ import annotations

from collections.abc import Iterable

from caveat.outcome import Outcome
from caveat.report.json_report import lines, objects


def render(outcomes: Iterable[Outcome]) -> str:
    """All findings, in the order of the drafts and of each draft."""
    return lines(objects(outcomes))
