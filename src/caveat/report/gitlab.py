"""Findings as a GitLab code quality report: https://docs.gitlab.com/ci/testing/code_quality/."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from caveat.digest import digest
from caveat.finding import Finding
from caveat.markdown.source import Source
from caveat.outcome import Outcome
from caveat.report.columns import last_row
from caveat.report.json_report import array
from caveat.report.sentences import message

_SEVERITIES = {"error": "major", "warning": "minor", "info": "info"}


def render(outcomes: Iterable[Outcome]) -> str:
    """A JSON array with one object a finding."""
    return array(_issues(outcomes))


def _issues(outcomes: Iterable[Outcome]) -> Iterator[dict[str, Any]]:
    seen: dict[str, int] = {}
    for outcome in outcomes:
        for finding in outcome.findings:
            yield _issue(outcome.source, finding, _fingerprint(outcome.source, finding, seen))


def _issue(source: Source, finding: Finding, fingerprint: str) -> dict[str, Any]:
    return {
        "description": f"{finding.rule}: {message(finding)}",  # GitLab does not show the name of the check
        "check_name": finding.rule,
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[finding.severity],
        "location": {
            "path": source.filename,
            "lines": {
                "begin": source.place(finding.start)[0],
                "end": last_row(source, finding.start, finding.end),
            },
        },
    }


def _fingerprint(source: Source, finding: Finding, seen: dict[str, int]) -> str:
    """A mark of the finding within the project: GitLab shows findings with the same one as one."""
    key = f"{source.filename}\n{finding.rule}\n{finding.fingerprint}"
    seen[key] = seen.get(key, 0) + 1
    return digest(f"{key}\n{seen[key]}".encode("utf-8", "surrogatepass"))[:32]
