"""What a finding says, as running text for the pages and logs of other programs."""

from __future__ import annotations

from caveat.finding import Finding
from caveat.report.text import visible


def message(finding: Finding) -> str:
    """What is wrong, on one line, with nothing in it that acts on a screen."""
    return one_line(finding.message)


def message_and_help(finding: Finding) -> str:
    """What is wrong, and on a second line what would cure it."""
    return f"{message(finding)}\n{one_line(finding.help)}" if finding.help else message(finding)


def one_line(text: str) -> str:
    """A text on one line, made visible."""
    return visible(" ".join(text.split()))
