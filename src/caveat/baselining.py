"""The `baseline` command: findings are recorded as known, or entries removed that no finding meets any more."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence

from caveat.command import CLEAN, FAILED, Draft, Run, check_drafts, from_severity, read_drafts
from caveat.options import CheckOptions
from caveat.outcome import Outcome, UserError
from caveat.report.baseline import how_to_use, pruned, recorded
from caveat.running.baseline import DEFAULT_FILE, Baseline, Entry, Ran, read_baseline, write_baseline
from caveat.running.files import STDIN, shown_path
from caveat.running.settings import Settings
from caveat.streams import Speaker, print_report, save_report

Checked = Sequence[tuple[Draft, Outcome]]


def run_baseline(options: CheckOptions, *, prune: bool) -> int:
    """Record the findings of drafts, or prune what is recorded, say so, and return the exit code.

    Each draft's findings go into the baseline that its configuration names.
    """
    speak = Speaker(quiet=options.quiet)
    try:
        run = _run(options, speak)
        drafts = read_drafts(run)
        old = {path: _old(path, prune=prune) for path in _baselines(run, drafts)}
        checked = check_drafts(run, drafts)
        for path, baseline in old.items() if checked or not run.blocked else ():
            of_baseline = [(draft, outcome) for draft, outcome in checked if _file(draft.settings) == path]
            report = _prune(baseline, of_baseline) if prune else _record(baseline, of_baseline)
            print_report("" if options.quiet else report)
            if not prune and not baseline.entries and path == DEFAULT_FILE:
                speak.note(*how_to_use(DEFAULT_FILE))
    except UserError as error:
        speak.error(error)
    return FAILED if speak.failed else CLEAN


def _run(options: CheckOptions, speak: Speaker) -> Run:
    if STDIN in options.paths:
        raise UserError("a baseline is about files: give paths, not -")
    return Run(options, speak)


def _baselines(run: Run, drafts: Sequence[Draft]) -> list[str]:
    """The files that the drafts' findings go into; without a draft, that of the working folder."""
    return list(dict.fromkeys(_file(draft.settings) for draft in drafts)) or [_file(run.settings.of_folder("."))]


def _file(settings: Settings) -> str:
    return settings.baseline or DEFAULT_FILE


def _old(path: str, *, prune: bool) -> Baseline:
    """What is recorded by now; nothing, before the first time."""
    return read_baseline(path) if prune or os.path.exists(path) else Baseline(path, {})


def _record(baseline: Baseline, checked: Checked) -> str:
    shown = [from_severity(draft.settings, outcome) for draft, outcome in checked]
    entries = baseline.renewed(shown, _ran(baseline, checked))
    _save(baseline, entries)
    before, drafts = Counter(baseline.entries), len({entry.path for entry in entries})
    changes = ((entries - before).total(), (before - entries).total())
    return recorded(shown_path(baseline.path), entries.total(), drafts, *changes)


def _prune(baseline: Baseline, checked: Checked) -> str:
    for _, outcome in checked:
        baseline.leave_out(outcome)
    stale = baseline.stale(_ran(baseline, checked))
    entries = Counter(baseline.entries) - stale
    if stale:
        _save(baseline, entries)
    return pruned(shown_path(baseline.path), stale.total(), entries.total())


def _ran(baseline: Baseline, checked: Checked) -> Ran:
    return {baseline.key(outcome.source.filename): draft.runs for draft, outcome in checked}


def _save(baseline: Baseline, entries: Counter[Entry]) -> None:
    save_report(write_baseline(entries), baseline.path, "caveat baseline:")
