"""Which reports are wanted and where they go, and each of them written in its format."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from caveat.options import FORMATS, CheckOptions
from caveat.outcome import Outcome, UserError

if TYPE_CHECKING:
    from caveat.rulebook.rules import Rule

STDOUT = "-"
FOR_PEOPLE = frozenset({"full", "concise"})  # printed in the encoding of the terminal; all others are UTF-8
FROM_ROOT = frozenset({"sarif", "github", "gitlab"})  # their readers take paths from the root of the repository
WITH_FIXES = frozenset({"json", "jsonl", "sarif", "rdjson", "rdjsonl"})  # they have a place for them

# What may be listed instead of findings, by the field of the option that asks for it, and in which formats.
LISTED = {"show_files": "drafts", "show_figures": "numbers", "statistics": "counts"}
OF_LISTS = frozenset({*FOR_PEOPLE, "json"})


class Wanted:
    """One report that was asked for: its format, where it goes, and the option that says so."""

    __slots__ = ("format", "option", "path")

    def __init__(self, fmt: str, path: str, option: str) -> None:
        self.format = fmt
        self.path = path
        self.option = option


def wanted_reports(options: CheckOptions) -> list[Wanted]:
    """The reports that the options ask for; raises UserError if they cannot all be written.

    There is always one in `--format`, on standard output or in `--output-file`, unless an `--output` goes to standard
    output in its place.
    """
    lists = [(field, what) for field, what in LISTED.items() if getattr(options, field)]
    for field, what in lists:
        option = f"--{field.replace('_', '-')}"
        if options.output or options.format not in OF_LISTS:
            raise UserError(f"{option} lists {what}, not findings: as full, concise or json, and without --output")
        if len(lists) > 1:
            raise UserError(f"{option} lists {what}: ask for one list at a time")
    others = [_wanted(value) for value in options.output]
    if options.output_file or all(report.path != STDOUT for report in others):
        first = Wanted(options.format, options.output_file or STDOUT, "--output-file")
        others.insert(0, first)
    _refuse_shared(report.path for report in others)
    return others


def render(
    fmt: str,
    outcomes: Sequence[Outcome],
    rules: Callable[[], Sequence[Rule]],
    *,
    colour: bool = False,
    fail_level: str = "info",
) -> str:
    """The report in a format. `rules` gives the rules that the drafts were checked by, if the format describes them.

    `fail_level` is the severity from which on a finding fails the run, for formats that know success and failure.
    """
    if fmt == "full":
        from caveat.report import full

        return full.render(outcomes, colour=colour)
    if fmt == "sarif":
        from caveat.report import sarif

        return sarif.render(outcomes, rules())
    if fmt == "junit":
        from caveat.report import junit

        return junit.render(outcomes, fail_level)
    report: str = import_module(f"caveat.report.{FORMATS[fmt]}").render(outcomes)
    return report


def _wanted(value: str) -> Wanted:
    fmt, equals, path = value.partition("=")
    if equals and path and fmt in FORMATS:
        return Wanted(fmt, path, "--output")
    if not equals or not path:
        raise UserError(f"--output {value}: write FORMAT=PATH, as in sarif=report.sarif, or FORMAT=- to print it")
    from caveat.loading.problems import suggest

    raise UserError(f"--output {value}: there is no format {fmt!r}; {suggest(fmt, FORMATS)}")


def _refuse_shared(paths: Iterable[str]) -> None:
    """Two reports in one place would be neither."""
    seen = set()
    for path in paths:
        place = path if path == STDOUT else os.path.realpath(path)
        if place in seen:
            where = "standard output" if path == STDOUT else path
            raise UserError(f"--output: two reports would go to {where}; give each its own path")
        seen.add(place)
