"""Findings in the Reviewdog Diagnostic Format, one diagnostic a line."""

from __future__ import annotations

from collections.abc import Iterable

from caveat.outcome import Outcome
from caveat.report.json_report import lines
from caveat.report.rdjson import SOURCE, diagnostics


def render(outcomes: Iterable[Outcome]) -> str:
    """One diagnostic a line, each naming its source; nothing without findings."""
    return lines({**diagnostic, "source": SOURCE} for diagnostic in diagnostics(outcomes))
