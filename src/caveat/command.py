"""The `check` command: options in, a report and an exit code out."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from caveat.digest import digest
from caveat.finding import SEVERITIES
from caveat.markdown.source import Source
from caveat.options import CheckOptions
from caveat.outcome import Outcome, UserError
from caveat.report.formats import FOR_PEOPLE, FROM_ROOT, STDOUT, Wanted, render, wanted_reports
from caveat.running import files
from caveat.running.cache import Cache, cache_folder
from caveat.running.checking import Failure, Task, check_tasks, kept_outcomes
from caveat.running.desk import Desk, Desks
from caveat.running.settings import Settings, SettingsFinder
from caveat.streams import Speaker, add_to_file, print_report, save_report, wants_colour

if TYPE_CHECKING:
    from caveat.rulebook.rules import Rule

CLEAN, FOUND, FAILED = 0, 1, 2
Result = TypeVar("Result")


class Draft:
    """A draft with what holds for it, and the rules that are left out of it."""

    __slots__ = ("ignores", "settings", "source")

    def __init__(self, source: Source, settings: Settings, ignores: tuple[str, ...]) -> None:
        self.source = source
        self.settings = settings
        self.ignores = ignores


class Run:
    """One run: what holds for its drafts, their desks, and the cache. `blocked`: some had no settings or no desk."""

    def __init__(self, options: CheckOptions, speak: Speaker) -> None:
        """Raises UserError for options that cannot be followed."""
        self.options = options
        self.speak = speak
        self.blocked = False
        self._said: set[str] = set()
        self.cache = Cache("" if options.no_cache else cache_folder(os.environ))
        if self.cache.refusal:
            speak.note(f"note: {self.cache.refusal}")
        self.settings = SettingsFinder(options, self.cache)
        self.desks = Desks(self.cache)

    def desk(self, path: str = ".", *, every_rule: bool = False) -> Desk:
        """The desk of a folder, with the rules that run there, or with all.

        Raises UserError for faults in its configuration, registry or rules.
        """
        settings = self.settings.of_path(path)
        return self.desks.whole(settings) if every_rule else self.desks.desk(settings, settings.values["ignore"])

    def attempt(self, work: Callable[[], Result]) -> Result | None:
        """What a piece of work on settings or desks gives; None after a mistake of the user's, which is said once."""
        try:
            return work()
        except UserError as error:
            self.blocked = True
            if str(error) not in self._said:
                self._said.add(str(error))
                self.speak.error(error)
            return None

    def excluded_in(self, folder: str) -> list[files.Patterns]:
        """What the configuration of a folder excludes; nothing, if it cannot be read."""
        settings = self.attempt(lambda: self.settings.of_folder(folder))
        return settings.exclude if settings else []


def run_check(options: CheckOptions) -> int:
    """Check what the options name, report it, and return the exit code. Nothing that a user can mend raises."""
    speak = Speaker(quiet=options.quiet)
    found = 0
    try:
        reports = wanted_reports(options)
        run = Run(options, speak)
        drafts = _drafts(run)
        if options.show_figures:
            report = _numbers(run, drafts)
            if report:
                _deliver(report, reports[0])
        else:
            outcomes = _outcomes(run, drafts)
            found = sum(len(outcome.findings) for outcome in outcomes)
            if outcomes or not run.blocked:
                _report(run, drafts, outcomes, reports)
    except UserError as error:
        speak.error(error)
    if speak.failed:
        return FAILED
    return FOUND if found and not options.exit_zero else CLEAN


def _drafts(run: Run) -> list[Draft]:
    """The drafts that can be read and whose configuration can; of the others it is said why not."""
    options = run.options
    if options.text is not None:
        if options.paths:
            raise UserError("--text is checked instead of files: give it or paths, not both")
        return [_draft(Source(options.text, "<text>"), run.settings.of_folder("."), "")]
    if options.stdin_filename and files.STDIN not in options.paths:
        raise UserError("--stdin-filename names what - reads: give - as the path")
    named = options.paths or (".",)
    for path in named:  # a faulty configuration is one even where there is no draft
        run.attempt(partial(run.settings.of_path, _name(run, path)))
    found = files.find_drafts(
        named, run.excluded_in, force_exclude=options.force_exclude, stdin_filename=options.stdin_filename
    )
    for message in found.errors:
        run.speak.error(message)
    for message in found.notes:
        run.speak.note(f"note: {message}")
    return [draft for path in found.paths for draft in _read(run, path)]


def _name(run: Run, path: str) -> str:
    """The path by which a draft's configuration is found: standard input's is the name that it was given."""
    return run.options.stdin_filename if path == files.STDIN else path


def _read(run: Run, path: str) -> list[Draft]:
    """The draft at a path; none if it, or its configuration, cannot be read, which is said."""
    settings = run.attempt(lambda: run.settings.of_draft(_name(run, path)))
    if settings is None:
        return []
    try:
        return [_draft(files.read_draft(path, run.options.stdin_filename), settings, _name(run, path))]
    except UserError as error:
        run.speak.error(error)
        return []


def _draft(source: Source, settings: Settings, path: str) -> Draft:
    return Draft(source, settings, tuple(settings.ignores_for(path)))


def _outcomes(run: Run, drafts: Sequence[Draft]) -> list[Outcome]:
    """What was found in each draft, at the severity asked for and above."""
    tasks = [_task(run, draft) for draft in drafts]
    kept = kept_outcomes(tasks, run.cache)
    if not tasks:  # the desk must be sound even if nothing is left to check
        run.attempt(lambda: run.desk(_name(run, (run.options.paths or (".",))[0])))
    missing = [at for at, outcome in enumerate(kept) if outcome is None]
    desks = {at: desk for at in missing if (desk := _desk(run, drafts[at])) is not None}
    with run.speak.progress(sum(tasks[at].size for at in desks)) as done:
        checked = check_tasks([tasks[at] for at in desks], list(desks.values()), run.cache, run.options.workers, done)
    results: dict[int, Outcome | Failure] = dict(zip(desks, checked, strict=True))
    outcomes = []
    for at, known in enumerate(kept):
        outcome = results.get(at) if known is None else known
        if isinstance(outcome, Failure):
            run.speak.error(f"{outcome.filename}: not checked, by a fault in Caveat: {outcome.message}")
        elif outcome is not None:
            outcomes.append(_shown(outcome, drafts[at].settings.values["severity"]))
    return outcomes


def _desk(run: Run, draft: Draft) -> Desk | None:
    return run.attempt(lambda: run.desks.desk(draft.settings, draft.ignores))


def _shown(outcome: Outcome, severity: str) -> Outcome:
    """The outcome without findings below a severity."""
    floor = SEVERITIES.index(severity)
    return outcome._replace(findings=tuple(f for f in outcome.findings if SEVERITIES.index(f.severity) >= floor))


def _task(run: Run, draft: Draft) -> Task:
    """A draft with the key of all that its findings depend on."""
    source = draft.source
    key = run.desks.key(draft.settings, draft.ignores)
    parts = (key, source.filename, "\ufeff" * source.bom, source.text)
    return Task(source, digest(*(part.encode("utf-8", "surrogatepass") for part in parts)), len(source.text))


def _report(run: Run, drafts: Sequence[Draft], outcomes: Sequence[Outcome], reports: Sequence[Wanted]) -> None:
    """Write the reports, each of them even if another cannot be. The closing count is in a full one, or said aside."""
    if all(wanted.format != "full" for wanted in reports):
        from caveat.report.summary import summary

        run.speak.note(*summary(outcomes))
    for wanted in reports:
        _attempt(run, partial(_write, run, drafts, outcomes, wanted))
    page = os.environ.get("GITHUB_STEP_SUMMARY")
    if page and any(wanted.format == "github" for wanted in reports):
        from caveat.report.github import step_summary

        table = step_summary(_as_read_by("github", outcomes))
        _attempt(run, partial(add_to_file, table, page, "GITHUB_STEP_SUMMARY"))


def _attempt(run: Run, work: Callable[[], None]) -> None:
    """Do one of several things; what keeps it from being done is said."""
    try:
        work()
    except UserError as error:
        run.speak.error(error)


def _write(run: Run, drafts: Sequence[Draft], outcomes: Sequence[Outcome], wanted: Wanted) -> None:
    """Write one report."""
    colour = wanted.path == STDOUT and wants_colour(run.options.color)
    seen = _as_read_by(wanted.format, outcomes)
    _deliver(render(wanted.format, seen, lambda: _rules(run, drafts), colour=colour), wanted)


def _rules(run: Run, drafts: Sequence[Draft]) -> list[Rule]:
    """The rules that ran for any of the drafts, by name; without a draft, those that would run here."""
    desks = [_desk(run, draft) for draft in drafts] or [run.desk()]
    by_name = {rule.name: rule for desk in reversed(desks) if desk is not None for rule in desk.rules}
    return [rule for _, rule in sorted(by_name.items())]


def _as_read_by(fmt: str, outcomes: Sequence[Outcome]) -> Sequence[Outcome]:
    """The outcomes with the paths that the readers of a format look for."""
    if fmt not in FROM_ROOT:
        return outcomes
    from caveat.running.root import repository_root, seen_from

    return seen_from(repository_root(os.environ), outcomes)


def _deliver(report: str, wanted: Wanted) -> None:
    if wanted.path == STDOUT:
        print_report(report, for_machines=wanted.format not in FOR_PEOPLE)
    else:
        save_report(report, wanted.path, wanted.option)


def _numbers(run: Run, drafts: Sequence[Draft]) -> str:
    """Every number of the drafts with its reading, instead of findings."""
    from caveat.article import read_article
    from caveat.report import number_list

    if run.options.output or run.options.format not in {*FOR_PEOPLE, "json"}:
        raise UserError("--show-figures lists numbers, not findings: as full, concise or json, and without --output")
    desks = [(draft.source, _desk(run, draft)) for draft in drafts]
    rows = [(source, read_article(source, desk.registry).numbers) for source, desk in desks if desk is not None]
    if run.blocked and not rows:
        return ""
    return number_list.as_json(rows) if run.options.format == "json" else number_list.as_text(rows)
