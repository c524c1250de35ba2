"""The `sync` command: the tables that drafts have from the registry are brought up to date, or the stale ones named."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from caveat.command import CLEAN, FAILED, FOUND, Draft, Run, read_drafts
from caveat.markdown.document import read
from caveat.markdown.source import Source
from caveat.mending import overwrite
from caveat.options import CheckOptions
from caveat.outcome import UserError
from caveat.report.difference import patch_of
from caveat.report.synced import StaleTable, Synced, render_synced
from caveat.running.files import STDIN
from caveat.streams import Speaker, print_report

if TYPE_CHECKING:
    from caveat.comparing.regions import Fault


def run_sync(options: CheckOptions, *, check: bool, diff: bool, fmt: str) -> int:
    """Bring the tables of the drafts that the options name up to date, say what was done, and return the exit code.

    With `check` or `diff` nothing is written, and the code is 1 if something would be. A draft with a table that cannot
    be made out is left as it is.
    """
    speak = Speaker(quiet=options.quiet)
    stale = False
    try:
        run = Run(options, speak)
        results = [result for draft in read_drafts(run) for result in _synced(run, draft)]
        stale = any(result.stale for result in results)
        if not (check or diff):
            results = [result for result in results if run.attempt(partial(_write, result))]
        aside = any(result.path == STDIN for result in results) and not (check or diff)
        if diff:
            print_report("".join(_patch(result) for result in results), for_machines=True)
        elif aside:
            speak.note(*render_synced(results, "full", written=True).splitlines())
        elif results or not speak.failed:
            print_report(render_synced(results, fmt, written=not check), for_machines=fmt == "json")
    except UserError as error:
        speak.error(error)
    if speak.failed:
        return FAILED
    return FOUND if stale and (check or diff) else CLEAN


def _synced(run: Run, draft: Draft) -> Iterator[Synced]:
    """A draft with its tables as the registry has them; nothing for one without tables, or that cannot be done."""
    if "caveat:" not in draft.source.text:
        return
    document = read(draft.source)
    if not document.markers:
        return
    desk = run.attempt(lambda: run.desks.desk(draft.settings, draft.ignores))
    if desk is None:
        return
    from caveat.comparing.regions import read_regions, stale_line, synced

    regions, faults = read_regions(document, desk.registry)
    if faults:
        for fault in faults:
            run.speak.error(_told(draft.source, fault))
        return
    found = [(region, stale_line(draft.source.text, region)) for region in regions]
    stale = [
        StaleTable(*draft.source.place(region.opening.start), region.opening.words, line.row)
        for region, line in found
        if line is not None
    ]
    yield Synced(draft.path, draft.source, draft.source.edited(synced(document, regions)), len(regions), stale)


def _told(source: Source, fault: Fault) -> str:
    """What is wrong with a table, by its place, and that nothing was changed."""
    from caveat.comparing.asking import NotKnown
    from caveat.loading.problems import nearest, suggest

    row, column = source.place(fault.start)
    said, mistake = fault.problem, fault.mistake
    if isinstance(mistake, NotKnown):
        near = nearest(mistake.name, mistake.known)
        said += f"; {suggest(mistake.name, [near] if near else mistake.listed)}"
    return f"{source.filename}:{row}:{column}: {said}; nothing in this draft was changed"


def _write(result: Synced) -> bool:
    if result.path in ("", STDIN):
        print_report(result.after.whole, for_machines=True)
    elif result.after.text != result.before.text:
        overwrite(result.path, result.before, result.after, "synced")
    return True


def _patch(result: Synced) -> str:
    return patch_of(result.before.filename, result.before.whole, result.after.whole)
