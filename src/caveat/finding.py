"""What a rule reports: the words, why, and what would cure it."""

# Annotations are left to be evaluated: as texts, each of a named tuple would be compiled when it is made.
from typing import NamedTuple

SEVERITIES = ("info", "warning", "error")


class Finding(NamedTuple):
    """One finding in one draft.

    `start` and `end` are offsets into the draft's text, end exclusive. `message` says what is wrong here, `why` why it
    matters, `cite` by whose authority, `help` what would cure it; `claims` are the ids of the registry claims that it
    rests on. `fingerprint` stays the same when lines move or a paragraph is wrapped anew.
    """

    rule: str
    severity: str
    message: str
    start: int
    end: int
    help: str = ""
    claims: tuple[str, ...] = ()
    why: str = ""
    fingerprint: str = ""
    cite: str = ""


def reading_order(finding: Finding) -> tuple[int, int, int, str]:
    """What findings are sorted by: their place, then the worst first."""
    return finding.start, finding.end, -SEVERITIES.index(finding.severity), finding.rule
