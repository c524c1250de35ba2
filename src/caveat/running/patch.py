"""A patch without context, as git prints it: which lines of which files it adds or changes."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Iterator

# Lines of a file, first and last, counted from 1; in order, and apart.
Ranges = list[tuple[int, int]]
ALL: Ranges = [(1, 1 << 60)]

_HUNK = re.compile(rb"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
_SIGNS = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}


def changed_lines(patch: bytes) -> dict[str, Ranges]:
    """The added and changed lines of each file that a patch has lines of, by its new path.

    A file that only lost lines has no ranges, one that is gone is not among them. The content of a hunk is passed over
    by its counts, because its lines may look like anything.
    """
    found: dict[str, Ranges] = {}
    path = ""
    lines = iter(patch.split(b"\n"))
    for line in lines:
        if line.startswith(b"+++ "):
            path = _new_path(line)
            if path:
                found[path] = []
            continue
        hunk = _HUNK.match(line)
        if hunk:
            removed, first, added = (int(number) if number is not None else 1 for number in hunk.groups())
            _pass_over(lines, removed + added)
            if path and added:
                found[path].append((first, first + added - 1))
    return found


def touches(ranges: Ranges, first: int, last: int) -> bool:
    """Whether any of the lines from `first` to `last` is in the ranges."""
    at = bisect_right(ranges, last, key=_first) - 1
    return at >= 0 and ranges[at][1] >= first


def _first(lines: tuple[int, int]) -> int:
    return lines[0]


def _pass_over(lines: Iterator[bytes], count: int) -> None:
    while count:
        count -= not next(lines, b"").startswith(b"\\")  # "\ No newline at end of file" is no line


def _new_path(line: bytes) -> str:
    """The path in "+++ b/path", as the system spells it; "" for a file that is gone."""
    name = line[4:]
    if name.startswith(b'"'):
        name = _unquoted(name[1 : name.rindex(b'"')])
    elif name.endswith(b"\t"):  # follows a name with spaces
        name = name[:-1]
    return os.fsdecode(name[2:]) if name.startswith(b"b/") else ""


def _unquoted(name: bytes) -> bytes:
    """A name without the escapes of C."""

    def sign(escape: re.Match[bytes]) -> bytes:
        code = escape[1]
        return bytes([int(code, 8)]) if len(code) == 3 else _SIGNS.get(code, code)

    return _ESCAPE.sub(sign, name)
