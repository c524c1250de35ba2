"""The `check` command: options in, a report and an exit code out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from caveat import data
from caveat.digest import digest
from caveat.finding import SEVERITIES
from caveat.markdown.source import Source
from caveat.options import CheckOptions
from caveat.outcome import Outcome, UserError
from caveat.report.formats import FOR_PEOPLE, FROM_ROOT, STDOUT, Wanted, render, wanted_reports
from caveat.running import files
from caveat.running.cache import Cache, cache_folder
from caveat.running.checking import Failure, Task, check_tasks, kept_outcomes
from caveat.running.config import Config, find_config, read_config
from caveat.running.desk import Desk, DeskFiles, find_desk, load_desk, select_rules
from caveat.streams import Speaker, add_to_file, print_report, save_report, wants_colour

CLEAN, FOUND, FAILED = 0, 1, 2


class Run:
    """One run: its options completed by the configuration, the files of its desk, and the cache."""

    def __init__(self, options: CheckOptions, speak: Speaker) -> None:
        """Raises UserError for options or a configuration that cannot be followed."""
        config = _config(options)
        self.options = options
        self.speak = speak
        self.select = options.select or config.select
        self.ignore = options.ignore or config.ignore
        self.severity = options.severity or config.severity or SEVERITIES[0]
        self.exclude = [files.patterns(config.base, config.exclude)] if config.exclude else []
        self.desk_files: DeskFiles = find_desk(
            options.claims or config.claims or data.claims_folder(), options.rules or config.rules
        )
        self.cache = Cache("" if options.no_cache else cache_folder(os.environ))
        if self.cache.refusal:
            speak.note(f"note: {self.cache.refusal}")

        self._desk: Desk | None = None

    def desk(self) -> Desk:
        """The registry with the rules that are selected. Raises UserError for faults in either."""
        if self._desk is None:
            self._desk = select_rules(load_desk(self.desk_files, self.cache), self.select, self.ignore)
        return self._desk


def run_check(options: CheckOptions) -> int:
    """Check what the options name, report it, and return the exit code. Nothing that a user can mend raises."""
    speak = Speaker(quiet=options.quiet)
    found = 0
    try:
        reports = wanted_reports(options)
        run = Run(options, speak)
        sources = _sources(run)
        if options.show_figures:
            _deliver(_numbers(run, sources), reports[0])
        else:
            outcomes = _outcomes(run, sources)
            found = sum(len(outcome.findings) for outcome in outcomes)
            _report(run, outcomes, reports)
    except UserError as error:
        speak.error(error)
    if speak.failed:
        return FAILED
    return FOUND if found and not options.exit_zero else CLEAN


def _config(options: CheckOptions) -> Config:
    if options.isolated and options.config:
        raise UserError("--isolated and --config exclude each other")
    if options.isolated:
        return Config()
    if options.config:
        return read_config(options.config)
    first = options.paths[0] if options.paths else "."
    return find_config((options.stdin_filename or ".") if first == files.STDIN else first)


def _sources(run: Run) -> list[Source]:
    """The drafts that can be read; of the others it is said why not."""
    options = run.options
    if options.text is not None:
        if options.paths:
            raise UserError("--text is checked instead of files: give it or paths, not both")
        return [Source(options.text, "<text>")]
    if options.stdin_filename and files.STDIN not in options.paths:
        raise UserError("--stdin-filename names what - reads: give - as the path")
    drafts = files.find_drafts(options.paths or (".",), run.exclude)
    for message in drafts.errors:
        run.speak.error(message)
    for message in drafts.notes:
        run.speak.note(f"note: {message}")
    sources = []
    for path in drafts.paths:
        try:
            sources.append(files.read_draft(path, options.stdin_filename))
        except UserError as error:
            run.speak.error(error)
    return sources


def _outcomes(run: Run, sources: Sequence[Source]) -> list[Outcome]:
    """What was found in each draft, at the severity asked for and above."""
    narrowed = bool(run.select or run.ignore)
    tasks = [_task(run, source) for source in sources]
    kept = kept_outcomes(tasks, run.cache)
    missing = [task for task, outcome in zip(tasks, kept, strict=True) if outcome is None]
    checked: Iterator[Outcome | Failure] = iter(())
    if missing or narrowed or not tasks:  # the desk must be sound even if nothing is left to check
        desk = run.desk()
        with run.speak.progress(sum(task.size for task in missing)) as done:
            checked = iter(check_tasks(missing, desk, run.cache, run.options.workers, done))
    floor = SEVERITIES.index(run.severity)
    outcomes = []
    for known in kept:
        outcome = next(checked) if known is None else known
        if isinstance(outcome, Failure):
            run.speak.error(f"{outcome.filename}: not checked, by a fault in Caveat: {outcome.message}")
            continue
        shown = tuple(found for found in outcome.findings if SEVERITIES.index(found.severity) >= floor)
        outcomes.append(outcome._replace(findings=shown))
    return outcomes


def _task(run: Run, source: Source) -> Task:
    """A draft with the key of all that its findings depend on."""
    choice = "\n".join((*sorted(run.select), "", *sorted(run.ignore)))
    parts = (run.desk_files.key, choice, source.filename, "\ufeff" * source.bom, source.text)
    return Task(source, digest(*(part.encode("utf-8", "surrogatepass") for part in parts)), len(source.text))


def _report(run: Run, outcomes: Sequence[Outcome], reports: Sequence[Wanted]) -> None:
    """Write the reports, each of them even if another cannot be. The closing count is in a full one, or said aside."""
    if all(wanted.format != "full" for wanted in reports):
        from caveat.report.summary import summary

        run.speak.note(*summary(outcomes))
    for wanted in reports:
        _attempt(run, partial(_write, run, outcomes, wanted))
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


def _write(run: Run, outcomes: Sequence[Outcome], wanted: Wanted) -> None:
    """Write one report."""
    colour = wanted.path == STDOUT and wants_colour(run.options.color)
    seen = _as_read_by(wanted.format, outcomes)
    _deliver(render(wanted.format, seen, lambda: run.desk().rules, colour=colour), wanted)


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


def _numbers(run: Run, sources: Sequence[Source]) -> str:
    """Every number of the drafts with its reading, instead of findings."""
    from caveat.article import read_article
    from caveat.report import number_list

    if run.options.output or run.options.format not in {*FOR_PEOPLE, "json"}:
        raise UserError("--show-figures lists numbers, not findings: as full, concise or json, and without --output")
    registry = run.desk().registry
    rows = [(source, read_article(source, registry).numbers) for source in sources]
    return number_list.as_json(rows) if run.options.format == "json" else number_list.as_text(rows)
