"""`caveat report`: drafts and their registry as a folder of pages."""

from __future__ import annotations

import os
from datetime import date

from caveat.command import Draft, Run, desk_of, narrowed, read_drafts
from caveat.outcome import UserError
from caveat.registry.registry import Registry
from caveat.report.coverage import Covered
from caveat.running.files import STDIN
from caveat.site.pages import build_pages, counts_of
from caveat.site.publishing import check_place, publish
from caveat.site.survey import Surveyed, survey


def write_report(run: Run, folder: str, today: date) -> list[Covered]:
    """Write the report of the drafts that the options name into a folder, and return what it says of each.

    What cannot be read is said and left out. Raises UserError if there is no draft, or the folder cannot be written.
    """
    if STDIN in run.options.paths:
        raise UserError("a report is about files: give paths, not -")
    check_place(folder)
    drafts = read_drafts(run)
    drafts = [draft for draft in drafts if run.attempt(lambda draft=draft: run.read_baseline(draft.settings))]  # type: ignore[misc]
    surveyed = [each._replace(outcome=narrowed(run, each.draft, each.outcome)) for each in survey(run, drafts)]
    if not surveyed:
        raise UserError("there is no draft to report on: name Markdown files, or folders that have some")
    publish(build_pages(surveyed, _registries(run, surveyed), today), folder)
    return [_covered(each) for each in surveyed]


def _registries(run: Run, surveyed: list[Surveyed]) -> dict[str, Registry]:
    """The registries that the drafts were checked against, in the order of the drafts."""
    first: dict[str, Draft] = {}
    for each in surveyed:
        first.setdefault(each.registry, each.draft)
    return {key: desk.registry for key, draft in first.items() if (desk := desk_of(run, draft)) is not None}


def _covered(surveyed: Surveyed) -> Covered:
    outcome = surveyed.outcome
    return Covered(outcome.source.filename, counts_of(surveyed), len(outcome.findings))


def parse_day(text: str) -> date:
    """A day that was given as YYYY-MM-DD, today for "". Raises UserError for what is none."""
    if not text:
        return date.today()  # noqa: DTZ011 - the day of whoever reads the report
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise UserError(f"--today {text}: not a day; write YYYY-MM-DD, for example 2026-03-01") from error


def index_of(folder: str) -> str:
    """The page to open."""
    return os.path.join(folder, "index.html")
