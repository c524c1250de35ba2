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
    others = [_wanted(value) for value in options.output]
    if options.output_file or all(report.path != STDOUT for report in others):
        first = Wanted(options.format, options.output_file or STDOUT, "--output-file")
        others.insert(0, first)
    _refuse_shared(report.path for report in others)
    return others


def render(fmt: str, outcomes: Sequence[Outcome], rules: Callable[[], Sequence[Rule]], *, colour: bool = False) -> str:
    """The report in a format. `rules` gives the rules that the drafts were checked by, if the format describes them."""
    if fmt == "full":
        from caveat.report import full

        return full.render(outcomes, colour=colour)
    if fmt == "sarif":
        from caveat.report import sarif

        return sarif.render(outcomes, rules())
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
