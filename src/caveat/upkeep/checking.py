"""`caveat claims check`: whether the registry and the rules are sound, and what the registry warns of."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from caveat.command import CLEAN, FAILED, FOUND, Run
from caveat.loading.problems import Problem, RegistryWarning, suggest
from caveat.loading.registry_files import Records, read_records
from caveat.options import CheckOptions
from caveat.outcome import DeskError, UserError
from caveat.registry.registry import Registry
from caveat.report.registry_warnings import render_warnings
from caveat.running.settings import Settings, own_folders
from caveat.streams import Speaker, print_report
from caveat.upkeep.derivation import Derivations
from caveat.upkeep.drafts import article_at, desk_of, each_draft, run_with_drafts
from caveat.upkeep.ledger import Ledger
from caveat.upkeep.uses import places_in
from caveat.upkeep.warnings import WARNINGS, warnings_of

CLASSES = ("price", "benchmark", "specification")
_DAY = re.compile(r"\d{4}-\d\d-\d\d\Z", re.ASCII)


class Asked:
    """What `claims check` was asked for beside the desk. Names are those of warnings; "" is today."""

    __slots__ = ("drafts", "format", "ignore", "max_warnings", "select", "today")

    def __init__(
        self,
        drafts: Sequence[str] = (),
        today: str = "",
        select: Sequence[str] = (),
        ignore: Sequence[str] = (),
        max_warnings: int | None = None,
        format: str = "full",  # noqa: A002 - as the option is called
    ) -> None:
        self.drafts = drafts
        self.today = today
        self.select = select
        self.ignore = ignore
        self.max_warnings = max_warnings
        self.format = format


def run_claims_check(options: CheckOptions, asked: Asked) -> int:
    """Check the registry, print what it warns of, and return the exit code: 1 only for more warnings than allowed."""
    speak = Speaker()
    warnings: list[RegistryWarning] = []
    try:
        run = Run(options, speak)
        settings = run.settings.of_path(".")
        upkeep, today = settings.upkeep(), _day(asked.today)
        names = _names(settings, upkeep, asked)
        desk = run.desk()
        used = _used(run, asked.drafts or upkeep["drafts"]) if "unused-claim" in names else None
        days = {class_: int(upkeep[class_].split()[0]) for class_ in CLASSES}
        ledger = Ledger(_records(run, settings), desk.registry, today, days, used)
        warnings = _of_own_folders(settings, warnings_of(ledger, names))
        print_report(render_warnings(warnings, desk.registry, asked.format), for_machines=asked.format == "json")
    except UserError as error:
        speak.error(error)
    if speak.failed:
        return FAILED
    return FOUND if asked.max_warnings is not None and len(warnings) > asked.max_warnings else CLEAN


def _day(text: str) -> date:
    """The day of the check, for which today stands if none is given."""
    try:
        return date.fromisoformat(text if _DAY.match(text) else "?") if text else date.today()  # noqa: DTZ011 - the user's
    except ValueError:
        raise UserError(f"--today {text}: this is no day; write YYYY-MM-DD, for example 2026-12-01") from None


def _names(settings: Settings, upkeep: dict[str, Any], asked: Asked) -> list[str]:
    """The kinds of warnings that are wanted. "Run these" is the last word on what the configuration ignores."""
    ignored = asked.ignore or (() if asked.select else upkeep["ignore"])
    said = [("--select", name) for name in asked.select] + [("--ignore", name) for name in asked.ignore]
    said += [(settings.place("upkeep", ("upkeep", "ignore", at)), name) for at, name in enumerate(upkeep["ignore"])]
    unknown = [(who, name) for who, name in said if name not in WARNINGS]
    if unknown:
        lines = [f"{who}: there is no warning {name!r}; {suggest(name, WARNINGS)}" for who, name in unknown]
        raise UserError("\n".join(lines))
    return [name for name in WARNINGS if name in (asked.select or WARNINGS) and name not in ignored]


def _records(run: Run, settings: Settings) -> Records:
    """The records of a sound registry with their places, which no compiled one has."""
    problems: list[Problem] = []
    records = read_records(run.desks.files(settings).claims, problems)
    if problems:  # a file has changed since the desk was loaded
        raise DeskError("\n".join(map(str, problems)))
    return records


def _used(run: Run, paths: Sequence[str]) -> frozenset[str] | None:
    """The claims that drafts rest on; None if none is named, or not all can be read."""
    if not paths:
        return None
    told: dict[Registry, set[str]] = {}
    drafts = run_with_drafts(run, paths)
    for draft, places in each_draft(run, drafts, lambda draft: places_in(article_at(desk_of(run, draft), draft))):
        told.setdefault(desk_of(run, draft).registry, set()).update(place.claim for place in places)
    used = [Derivations(registry).behind(claims) for registry, claims in told.items()]
    return None if run.speak.failed else frozenset().union(*used)


def _of_own_folders(settings: Settings, warnings: list[RegistryWarning]) -> list[RegistryWarning]:
    """The warnings about the keeper's own folders."""
    own = {os.path.realpath(folder) for folder in own_folders(settings.claims)}
    return [each for each in warnings if os.path.realpath(os.path.dirname(each.problem.file)) in own]
