"""The `claims harvest` command: drafts in, proposals out, or into a registry file."""

from __future__ import annotations

import os
from collections.abc import Sequence

from caveat.command import CLEAN, FAILED, Draft, Run, read_drafts
from caveat.harvesting.entries import claim_record, records, todo_of
from caveat.harvesting.harvest import READINGS, Harvest, harvest
from caveat.harvesting.proposals import NEW
from caveat.harvesting.writing import add_to_file, as_yaml
from caveat.options import CheckOptions
from caveat.outcome import UserError
from caveat.report import harvested
from caveat.report.text import visible
from caveat.streams import Speaker, print_report, save_report


def run_harvest(options: CheckOptions, fmt: str, write: str) -> int:
    """Read drafts, print what a registry could hold of them or add it to the file `write`; return the exit code.

    Of several drafts one that cannot be read ends it: nothing is written of the others.
    """
    speak = Speaker(quiet=options.quiet)
    try:
        _harvest(options, fmt, write, speak)
    except UserError as error:
        speak.error(error)
    return FAILED if speak.failed else CLEAN


def _harvest(options: CheckOptions, fmt: str, write: str, speak: Speaker) -> None:
    run = Run(options, speak)
    desk = run.desk()
    drafts = read_drafts(run)
    if speak.failed or run.blocked:
        return
    _refuse_overwriting(write, drafts)
    sources = [draft.source for draft in drafts]
    with speak.progress(READINGS * sum(len(source.text) for source in sources)) as advance:
        found = harvest(sources, desk.registry, desk.rules, desk.citation_scope, advance)
    _refuse_empty(found, drafts, options.paths)
    open_fields = {proposal.id: todo_of(claim_record(proposal)) for proposal in found.proposals}
    if write:
        written = add_to_file(found, write, visible)
        if written.ids:
            save_report(written.text, write, "--write")
        todo = sum(len(todo_of(records(found)[section][id_])) for section, ids in written.ids.items() for id_ in ids)
        if fmt == "yaml":
            lines = [f"{visible(line)}\n" for line in harvested.differing(found)]
            print_report("".join(lines) + harvested.added(write, written.ids, todo))
            return
    if fmt == "json":
        print_report(harvested.as_json(found, open_fields), for_machines=True)
    elif fmt == "full":
        print_report(harvested.as_table(found, open_fields))
    else:
        print_report(_page(found), for_machines=True)
        speak.note(harvested.tally(found))


def _page(found: Harvest) -> str:
    """The new records as YAML, and in comments behind them what differs from the registry."""
    page = as_yaml(found, visible) if found.of_state(NEW) else ""
    differing = [f"# {visible(line)}\n" for line in harvested.differing(found)]
    return page + ("\n" if page and differing else "") + "".join(differing)


def _refuse_overwriting(write: str, drafts: Sequence[Draft]) -> None:
    """Raises UserError if the file to write is a draft."""
    if write and any(draft.path and os.path.realpath(draft.path) == os.path.realpath(write) for draft in drafts):
        raise UserError(f"--write {write}: this is one of the drafts; give the registry another path")


def _refuse_empty(found: Harvest, drafts: Sequence[Draft], named: Sequence[str]) -> None:
    """Raises UserError for drafts that are named and hold nothing, and if no draft at all holds a figure."""
    having = {place.filename for proposal in found.proposals for place in proposal.places}
    having |= {left.place.filename for left in found.left_out}
    faults = []
    for draft in drafts:
        if draft.source.filename not in having and (draft.path in named or len(drafts) == 1):
            empty = not draft.source.text.strip()
            what = "is empty" if empty else "has no figure: no number with a unit, ratio, percentage or count"
            faults.append(f"{draft.source.filename}: this draft {what}, so there is nothing to harvest")
    if not faults and not having:
        faults.append("no draft has a figure, so there is nothing to harvest")
    if faults:
        raise UserError("\n".join(faults))
