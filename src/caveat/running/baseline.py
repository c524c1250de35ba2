"""The baseline: findings that were there when Caveat was taken up, recorded one by one, so that new ones are seen.

An entry stands for one finding, by its draft and its fingerprint, which no moved line changes. So where one finding is
mended and another made, the one is stale and the other new.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple

from caveat.finding import Finding
from caveat.outcome import Outcome, UserError
from caveat.running.files import shown_path

DEFAULT_FILE = ".caveat-baseline.json"
VERSION = 1
LONGEST = 100  # characters of a finding's words
ANEW = "restore the file, or delete it and record it anew with `caveat baseline`"

# For each draft that was checked, by its path in a baseline: whether a rule ran for it.
Ran = Mapping[str, Callable[[str], bool]]


class Entry(NamedTuple):
    """A recorded finding, in the order in which entries stand in the file. Rule and text are there to be read."""

    path: str
    rule: str
    text: str
    fingerprint: str


class Baseline:
    """The entries of a file, and how often each of them is still to be met by a finding."""

    def __init__(self, path: str, entries: Mapping[Entry, int]) -> None:
        self.path = path
        self.entries = dict(entries)
        self._folder = os.path.realpath(os.path.dirname(os.path.abspath(path)))
        self._open: Counter[tuple[str, str]] = Counter()
        for entry, count in entries.items():
            self._open[entry.path, entry.fingerprint] += count

    def key(self, filename: str) -> str:
        """The path of a draft as entries have it: from the folder of the baseline on, with forward slashes."""
        folder, name = os.path.split(os.path.abspath(filename))
        return os.path.relpath(os.path.join(os.path.realpath(folder), name), self._folder).replace(os.sep, "/")

    def of_draft(self, filename: str) -> Baseline:
        """The entries about one draft alone, none of them met so far."""
        path = self.key(filename)
        return Baseline(self.path, {entry: count for entry, count in self.entries.items() if entry.path == path})

    def entry(self, path: str, text: str, finding: Finding) -> Entry:
        """The entry of a finding in the draft with this path and text."""
        words = " ".join(text[finding.start : finding.end].split())
        shown = words if len(words) <= LONGEST else words[: LONGEST - 3] + "..."
        return Entry(path, finding.rule, shown, finding.fingerprint)

    def leave_out(self, outcome: Outcome) -> Outcome:
        """The outcome with the findings that are in the baseline set aside; each entry sets aside one."""
        path = self.key(outcome.source.filename)
        shown: list[Finding] = []
        known: list[Finding] = []
        for finding in outcome.findings:
            met = self._open[path, finding.fingerprint] > 0
            self._open[path, finding.fingerprint] -= met
            (known if met else shown).append(finding)
        return outcome._replace(findings=tuple(shown), baselined=tuple(known))

    def stale(self, ran: Ran) -> Counter[Entry]:
        """The entries that no finding has met and that a finding could have met, or whose draft is gone."""
        left = self._open.copy()
        found: Counter[Entry] = Counter()
        for entry, count in self.entries.items():
            unmet = min(count, left[entry.path, entry.fingerprint])
            if unmet > 0 and self._judged(entry, ran):
                found[entry] = unmet
                left[entry.path, entry.fingerprint] -= unmet
        return found

    def renewed(self, outcomes: Iterable[Outcome], ran: Ran) -> Counter[Entry]:
        """The entries after recording anew: what was found, and what is about drafts and rules that were not run."""
        entries = Counter({entry: count for entry, count in self.entries.items() if not self._judged(entry, ran)})
        for outcome in outcomes:
            path, text = self.key(outcome.source.filename), outcome.source.text
            entries.update(self.entry(path, text, finding) for finding in outcome.findings)
        return entries

    def _judged(self, entry: Entry, ran: Ran) -> bool:
        if entry.path in ran:
            return ran[entry.path](entry.rule)
        return not os.path.exists(os.path.join(self._folder, entry.path))


def write_baseline(entries: Mapping[Entry, int]) -> str:
    """The text of a baseline: one line an entry, in an order that keeps the differences between two of them small."""
    from caveat.report.json_report import array

    rows = [_row(entry, count) for entry, count in sorted(entries.items())]
    listed = array(rows).rstrip("\n").replace("\n", "\n    ").replace("\n    ]", "\n  ]")
    return f'{{\n  "version": {VERSION},\n  "findings": {listed}\n}}\n'


def _row(entry: Entry, count: int) -> dict[str, Any]:
    return entry._asdict() | ({"count": count} if count > 1 else {})


def read_baseline(path: str) -> Baseline:
    """The baseline in a file. Raises UserError with the place of what is wrong with it."""
    shown = shown_path(path)
    try:
        with open(path, "rb") as file:
            text = file.read().decode("utf-8")
    except FileNotFoundError as error:
        raise UserError(f"{shown}: there is no such baseline; `caveat baseline` records one") from error
    except OSError as error:
        raise UserError(f"{shown}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{shown}: not UTF-8 at offset {error.start}; {ANEW}") from error
    try:
        return Baseline(path, _entries(json.loads(text), text, shown))
    except json.JSONDecodeError as error:
        conflict = text.split("\n")[error.lineno - 1].startswith(("<<<<<<<", "=======", ">>>>>>>"))
        cure = "settle the merge conflict: keep the entries of both sides" if conflict else ANEW
        raise UserError(f"{shown}:{error.lineno}:{error.colno}: not readable as JSON: {error.msg}; {cure}") from error
    except RecursionError as error:
        raise UserError(f"{shown}:1:1: this is no baseline; {ANEW}") from error


def _entries(read: Any, text: str, shown: str) -> dict[Entry, int]:
    rows = read.get("findings") if isinstance(read, dict) else None
    if not isinstance(rows, list):
        raise UserError(f'{shown}:1:1: this is no baseline: it is to have a list "findings"; {ANEW}')
    if read.get("version") != VERSION:
        raise UserError(f"{shown}:1:1: this baseline is not of version {VERSION}; record it anew with this Caveat")
    entries: Counter[Entry] = Counter()
    for number, row in enumerate(rows):
        problem = _problem(row)
        if problem:
            line, column = _place_of_row(text, number)
            raise UserError(f"{shown}:{line}:{column}: {problem}; {ANEW}")
        entries[Entry(*(row[field] for field in Entry._fields))] += row.get("count", 1)
    return entries


def _problem(row: Any) -> str:
    """What is wrong with an entry; "" if nothing is."""
    if not isinstance(row, dict):
        return "an entry is to be an object"
    for field in Entry._fields:
        if not isinstance(row.get(field), str):
            return f'an entry is to have "{field}", as text'
    count = row.get("count", 1)
    return "" if type(count) is int and count > 0 else '"count" is to be a number from 1 on'


def _place_of_row(text: str, number: int) -> tuple[int, int]:
    """Line and column of an entry, by reading those before it."""
    decoder = json.JSONDecoder()
    at = text.index("[", text.index('"findings"')) + 1
    for _ in range(number):
        at = decoder.raw_decode(text, _past(text, at, " \t\r\n,"))[1]
    at = _past(text, at, " \t\r\n,")
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def _past(text: str, at: int, signs: Collection[str]) -> int:
    while text[at] in signs:
        at += 1
    return at
