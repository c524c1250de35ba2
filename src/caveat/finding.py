"""What a rule reports: the words, why, what would cure it, and the edits that do so."""

# Annotations are left to be evaluated: as texts, each of a named tuple would be compiled when it is made.
from collections.abc import Iterable
from typing import NamedTuple

SEVERITIES = ("info", "warning", "error")

# How far a fix may be applied: always, by who has asked for more than safe ones, or only to the one finding that
# somebody looks at, because it changes a number.
SAFE, UNSAFE, DISPLAY_ONLY = "safe", "unsafe", "display-only"
APPLICABILITIES = (SAFE, UNSAFE, DISPLAY_ONLY)


class Edit(NamedTuple):
    """A piece of a draft, by two offsets into its text, and what is to stand in its place."""

    start: int
    end: int
    text: str


class Fix(NamedTuple):
    """What would cure a finding: `title` says it as an order, `applicability` is one of APPLICABILITIES.

    `edits` are in order of place and do not overlap; all of them are applied, or none.
    """

    title: str
    applicability: str
    edits: tuple[Edit, ...]


class Finding(NamedTuple):
    """One finding in one draft.

    `start` and `end` are offsets into the draft's text, end exclusive. `message` says what is wrong here, `why` why it
    matters, `cite` by whose authority, `help` what would cure it; `claims` are the ids of the registry claims that it
    rests on. `fingerprint` stays the same when lines move or a paragraph is wrapped anew. `fix` is None where there is
    none, or none was asked for.
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
    fix: Fix | None = None


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits made, which do not overlap; what they do not touch stays as it is."""
    pieces, at = [], 0
    for edit in sorted(edits):
        pieces += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join([*pieces, text[at:]])


def reading_order(finding: Finding) -> tuple[int, int, int, str]:
    """What findings are sorted by: their place, then the worst first."""
    return finding.start, finding.end, -SEVERITIES.index(finding.severity), finding.rule
