"""The `check` command: options in, a report and an exit code out."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from caveat import data
from caveat.digest import digest
from caveat.finding import SEVERITIES
from caveat.markdown.source import Source
from caveat.options import CheckOptions
from caveat.outcome import Outcome, UserError
from caveat.running import files
from caveat.running.cache import Cache, cache_folder
from caveat.running.checking import Failure, Task, check_tasks, kept_outcomes
from caveat.running.config import Config, find_config, read_config
from caveat.running.desk import Desk, DeskFiles, find_desk, load_desk, select_rules
from caveat.streams import Speaker, print_report, save_report, wants_colour

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

    def desk(self) -> Desk:
        """The registry with the rules that are selected. Raises UserError for faults in either."""
        return select_rules(load_desk(self.desk_files, self.cache), self.select, self.ignore)


def run_check(options: CheckOptions) -> int:
    """Check what the options name, report it, and return the exit code. Nothing that a user can mend raises."""
    speak = Speaker(quiet=options.quiet)
    found = 0
    try:
        run = Run(options, speak)
        sources = _sources(run)
        if options.show_figures:
            report = _numbers(run, sources)
        else:
            outcomes = _outcomes(run, sources)
            found = sum(len(outcome.findings) for outcome in outcomes)
            report = _report(run, outcomes)
        if options.output_file:
            save_report(report, options.output_file)
        else:
            print_report(report, for_machines=options.format == "json")
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


def _report(run: Run, outcomes: Sequence[Outcome]) -> str:
    """The report in the format asked for. The full one ends with the closing count; for others it is said aside."""
    from caveat.report.summary import summary

    options = run.options
    if options.format == "full":
        from caveat.report import full

        return full.render(outcomes, colour=not options.output_file and wants_colour(options.color))
    run.speak.note(*summary(outcomes))
    if options.format == "json":
        from caveat.report import json_report

        return json_report.render(outcomes)
    from caveat.report import concise

    return concise.render(outcomes)


def _numbers(run: Run, sources: Sequence[Source]) -> str:
    """Every number of the drafts with its reading, instead of findings."""
    from caveat.article import read_article
    from caveat.report import number_list

    registry = run.desk().registry
    rows = [(source, read_article(source, registry).numbers) for source in sources]
    return number_list.as_json(rows) if run.options.format == "json" else number_list.as_text(rows)
