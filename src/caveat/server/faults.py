"""Mistakes in configurations, registries, rules and baselines, with the files that they are in."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from caveat.outcome import UserError

_PLACE = re.compile(r":(\d+):(\d+): |: ")


class Fault(NamedTuple):
    """One mistake. `path` is the file that it is in, or ""; row and column count from 1, 0 is about all of it."""

    path: str
    row: int
    column: int
    message: str


def faults_of(error: UserError, blamed: str = "") -> list[Fault]:
    """The faults that an error names, one a line; `blamed` is the file to mend where a line names none."""
    return [_fault(line, blamed) for line in str(error).split("\n")]


def _fault(line: str, blamed: str) -> Fault:
    """A line that may begin with "file:row:column: " or "file: ". The file is one that exists, as names have colons."""
    for found in _PLACE.finditer(line):
        path = line[: found.start()]
        if os.path.isfile(path):
            return Fault(os.path.abspath(path), int(found[1] or 0), int(found[2] or 0), line[found.end() :])
    return Fault(blamed, 0, 0, line)
