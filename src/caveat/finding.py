"""What a rule reports: the words, why, and what would cure it."""

from __future__ import annotations

from typing import NamedTuple

SEVERITIES = ("info", "warning", "error")


class Finding(NamedTuple):
    """One finding in one draft. `start` and `end` are offsets into the draft's text, end exclusive."""

    rule: str
    severity: str
    message: str
    start: int
    end: int
    help: str = ""
    claims: tuple[str, ...] = ()
