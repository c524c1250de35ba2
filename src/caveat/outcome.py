"""What checking one draft gave: its findings, what was seen, and the claims that the findings name."""

# Annotations are left to be evaluated: as texts, each of a named tuple would be compiled when it is made.
from typing import NamedTuple

from caveat.finding import Finding
from caveat.markdown.source import Source

# What is counted in a draft, in the order in which a report says it; last the numbers in paragraphs that are all data.
COUNTED = ("figures", "registered", "cited", "own", "flagged", "data")


class Cited(NamedTuple):
    """A claim that a finding names: what the registry says, and the file and line where it says so."""

    value: str
    source: str
    file: str
    line: int


class Outcome(NamedTuple):
    """The findings in one draft, in reading order; `counts` by the names in COUNTED; `cited` by claim id.

    What was found and is not shown: `suppressed` by the draft itself, `baselined` because it was recorded before,
    `unchanged` because a change was checked that does not touch it. `fixed` are those that are no longer in the draft.
    """

    source: Source
    findings: tuple[Finding, ...]
    counts: dict[str, int]
    cited: dict[str, Cited]
    suppressed: tuple[Finding, ...] = ()
    baselined: tuple[Finding, ...] = ()
    unchanged: tuple[Finding, ...] = ()
    fixed: tuple[Finding, ...] = ()


class UserError(Exception):
    """Something that whoever runs Caveat must mend before it can do its job. The message may have several lines."""


class DeskError(UserError):
    """Faults in the registry or in rules: each line is one of them and begins with its place."""
