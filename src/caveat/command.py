"""The `check` command: options in, a report and an exit code out."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from caveat.digest import digest
from caveat.finding import SEVERITIES, Finding, reading_order
from caveat.markdown.source import Source
from caveat.options import CheckOptions
from caveat.outcome import Outcome, UserError
from caveat.report.formats import FOR_PEOPLE, FROM_ROOT, LISTED, STDOUT, WITH_FIXES, Wanted, render, wanted_reports
from caveat.running import files
from caveat.running.cache import Cache, cache_folder
from caveat.running.checking import Failure, Task, check_tasks, described, kept_outcomes
from caveat.running.desk import Desk, Desks
from caveat.running.settings import Settings, SettingsFinder
from caveat.streams import Speaker, add_to_file, print_report, save_report, wants_colour

if TYPE_CHECKING:
    from caveat.mending import Mended
    from caveat.rulebook.rules import Rule
    from caveat.running.baseline import Baseline
    from caveat.running.changes import Changes

CLEAN, FOUND, FAILED = 0, 1, 2
Result = TypeVar("Result")


class Draft:
    """A draft with what holds for it, and the rules that are left out of it."""

    __slots__ = ("ignores", "path", "settings", "source")

    def __init__(self, source: Source, settings: Settings, ignores: tuple[str, ...], path: str) -> None:
        """`path` is where it was read, "" for the text of a command line."""
        self.path = path
        self.source = source
        self.settings = settings
        self.ignores = ignores

    def runs(self, rule: str) -> bool:
        """Whether a rule of this name runs for the draft."""
        select = self.settings.values["select"]
        return (not select or rule in select) and rule not in self.ignores


class Run:
    """One run: what holds for its drafts, their desks, and the cache. `blocked`: some had no settings or no desk.

    `with_fixes`: a report has a place for fixes. `baselines` are those that have been read, by their path; `changes`
    what has changed since --diff.
    """

    def __init__(self, options: CheckOptions, speak: Speaker) -> None:
        """Raises UserError for options that cannot be followed."""
        self.options = options
        self.speak = speak
        self.blocked = False
        self.with_fixes = False
        self._said: set[str] = set()
        self.cache = Cache("" if options.no_cache else cache_folder(os.environ))
        if self.cache.refusal:
            speak.note(f"note: {self.cache.refusal}")
        self.settings = SettingsFinder(options, self.cache)
        self.desks = Desks(self.cache)
        self.baselines: dict[str, Baseline] = {}
        self.changes = _changes(options)

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

    def read_baseline(self, settings: Settings) -> bool:
        """Whether the baseline of some settings, if they have one, is read. Raises UserError if it cannot be."""
        if settings.baseline and settings.baseline not in self.baselines:
            from caveat.running.baseline import read_baseline

            self.baselines[settings.baseline] = read_baseline(settings.baseline)
        return True

    def excluded_in(self, folder: str) -> list[files.Patterns]:
        """What the configuration of a folder excludes; nothing, if it cannot be read."""
        settings = self.attempt(lambda: self.settings.of_folder(folder))
        return settings.exclude if settings else []


def run_check(options: CheckOptions) -> int:
    """Check what the options name, report it, and return the exit code. Nothing that a user can mend raises."""
    speak = Speaker(quiet=options.quiet)
    failing = False
    try:
        reports = wanted_reports(options)
        _refuse_contrary(options)
        run = Run(_with_listed(options), speak)
        run.with_fixes = options.show_fixes or any(wanted.format in WITH_FIXES for wanted in reports)
        drafts = read_drafts(run)
        _refuse_overwriting(reports, drafts)
        if options.show_files or options.show_figures:
            listed = _numbers(run, drafts) if options.show_figures else _names(options, drafts)
            if listed or not run.blocked:
                _deliver(listed, reports[0])
        else:
            failing = _check_and_report(run, drafts, reports)
    except UserError as error:
        speak.error(error)
    if speak.failed:
        return FAILED
    return FOUND if failing and not options.exit_zero else CLEAN


def _check_and_report(run: Run, drafts: Sequence[Draft], reports: Sequence[Wanted]) -> bool:
    """Check drafts, write the reports, and return whether what was found fails the run."""
    drafts = [draft for draft in drafts if run.attempt(partial(run.read_baseline, draft.settings))]
    checked = check_drafts(run, drafts)
    outcomes = [narrowed(run, draft, outcome) for draft, outcome in checked]
    if run.options.fix or run.options.diff_fixes:
        outcomes = _fixed(run, [draft for draft, _ in checked], outcomes, reports[0])
        reports = reports[1:] if run.options.diff_fixes else reports
    if outcomes or not run.blocked:
        _report(run, drafts, outcomes, reports)
    _say_what_is_stale(run, checked)
    findings = _all_findings(outcomes)
    floor = SEVERITIES.index(_fail_level(run.options, findings))
    return any(SEVERITIES.index(finding.severity) >= floor for finding in findings)


def _fail_level(options: CheckOptions, findings: Sequence[Finding]) -> str:
    """The severity from which on findings fail the run: that which is asked for, warnings too if they are too many."""
    level = options.fail_on or ("info" if options.max_warnings is None else "error")
    warnings = sum(finding.severity == "warning" for finding in findings)
    too_many = options.max_warnings is not None and warnings > options.max_warnings
    return "warning" if too_many and level == "error" else level


def _all_findings(outcomes: Sequence[Outcome]) -> list[Finding]:
    return [finding for outcome in outcomes for finding in outcome.findings]


def _with_listed(options: CheckOptions) -> CheckOptions:
    """The options with the paths that --files-from names."""
    if not options.files_from:
        return options
    if options.text is not None or (options.files_from == files.STDIN and files.STDIN in options.paths):
        raise UserError("--files-from names drafts: give no --text, and standard input for one thing only")
    return CheckOptions(**{**vars(options), "paths": (*options.paths, *files.listed_paths(options.files_from))})


def _refuse_overwriting(reports: Sequence[Wanted], drafts: Sequence[Draft]) -> None:
    """Raises UserError for a report that would take the place of a draft."""
    saved = [wanted for wanted in reports if wanted.path != STDOUT]
    taken = {os.path.realpath(draft.path) for draft in drafts} if saved else ()
    for wanted in saved:
        if os.path.realpath(wanted.path) in taken:
            raise UserError(f"{wanted.option} {wanted.path}: this is one of the drafts; give the report another path")


def _refuse_contrary(options: CheckOptions) -> None:
    """Raises UserError for options about fixes that say nothing together."""
    if options.fix and options.diff_fixes:
        raise UserError("--fix writes the fixes and --diff-fixes only shows them: give one of them")
    if options.unsafe_fixes and not (options.fix or options.diff_fixes):
        raise UserError("--unsafe-fixes says which fixes to make: give it with --fix or --diff-fixes")
    if options.no_suppressions and (options.fix or options.diff_fixes):
        raise UserError(
            "--no-suppressions shows what drafts leave out, which --fix is to leave alone: give one of them"
        )
    for field, what in LISTED.items() if options.fix or options.diff_fixes or options.show_fixes else ():
        if getattr(options, field):
            option = f"--{field.replace('_', '-')}"
            raise UserError(f"{option} lists {what}, not findings: there is nothing to fix in it")


def _fixed(run: Run, drafts: Sequence[Draft], outcomes: Sequence[Outcome], first: Wanted) -> list[Outcome]:
    """The outcomes after the fixes, which are made in the drafts; with --diff-fixes as before, and a patch is shown."""
    from caveat.mending import write_mended
    from caveat.report.summary import fixes

    results, patches, would_be = [], [], []
    for draft, outcome in zip(drafts, outcomes, strict=True):
        desk = desk_of(run, draft)
        mended = _mended(run, draft, outcome, desk) if desk else None
        if mended is not None and run.options.diff_fixes:
            patches.append(mended.patch())
            would_be.append(mended.after)
        written = mended is not None and run.options.fix and _attempt(run, partial(write_mended, mended))
        results.append(mended.after if mended is not None and written else outcome)
    if run.options.diff_fixes:
        _deliver("".join(patches), first, for_machines=True)
        run.speak.note(*(fixes(would_be, "Would fix") or ["Nothing to fix."]))
    return results


def _mended(run: Run, draft: Draft, outcome: Outcome, desk: Desk) -> Mended | None:
    """A draft with its fixes; None if a fault of Caveat's keeps it from them, which costs no other draft."""
    from caveat.mending import mend

    try:
        return mend(draft.path, outcome, desk, unsafe=run.options.unsafe_fixes)
    except Exception as error:  # noqa: BLE001 - reported, and the other drafts are still fixed
        run.speak.error(f"{outcome.source.filename}: not fixed, by a fault in Caveat: {described(error)}")
        return None


def _changes(options: CheckOptions) -> Changes | None:
    if options.diff is None:
        return None
    if options.text is not None or files.STDIN in options.paths:
        raise UserError("--diff asks git what has changed in files: give it paths, not --text or -")
    from caveat.running.changes import find_changes

    return find_changes(options.diff, options.paths)


def read_drafts(run: Run) -> list[Draft]:
    """The drafts that can be read and whose configuration can; of the others it is said why not."""
    options = run.options
    if options.text is not None:
        if options.paths:
            raise UserError("--text is checked instead of files: give it or paths, not both")
        return [_draft(Source(options.text, "<text>"), run.settings.of_folder("."), "", "")]
    if options.stdin_filename and files.STDIN not in options.paths:
        raise UserError("--stdin-filename names what - reads: give - as the path")
    named = options.paths or _unnamed(run)
    for path in named:  # a faulty configuration is one even where there is no draft
        run.attempt(partial(run.settings.of_path, _name(run, path)))
    not_named = run.changes is not None and not options.paths
    force = options.force_exclude or not_named
    found = files.find_drafts(named, run.excluded_in, force_exclude=force, stdin_filename=options.stdin_filename)
    for message in found.errors:
        run.speak.error(message)
    for message in found.notes:
        run.speak.note(f"note: {message}")
    return [draft for path in _changed(run, found.paths) for draft in _read(run, path)]


def _unnamed(run: Run) -> Sequence[str]:
    """The paths that are meant where none is given."""
    if run.options.files_from:
        run.speak.note(f"note: --files-from {run.options.files_from}: it names no path")
        return ()
    return run.changes.drafts() if run.changes else (".",)


def _changed(run: Run, paths: list[str]) -> list[str]:
    """The paths of drafts with changed lines, all without --diff."""
    if run.changes is None:
        return paths
    changed = [path for path in paths if run.attempt(partial(run.changes.lines, path))]
    if not changed:
        run.speak.note(f"note: no draft has a changed line since the merge base with {run.options.diff}")
    return changed


def _name(run: Run, path: str) -> str:
    """The path by which a draft's configuration is found: standard input's is the name that it was given."""
    return run.options.stdin_filename if path == files.STDIN else path


def _read(run: Run, path: str) -> list[Draft]:
    """The draft at a path; none if it, or its configuration, cannot be read, which is said."""
    settings = run.attempt(lambda: run.settings.of_draft(_name(run, path)))
    if settings is None:
        return []
    try:
        return [_draft(files.read_draft(path, run.options.stdin_filename), settings, _name(run, path), path)]
    except UserError as error:
        run.speak.error(error)
        return []


def _draft(source: Source, settings: Settings, name: str, path: str) -> Draft:
    return Draft(source, settings, tuple(settings.ignores_for(name)), path)


def check_drafts(run: Run, drafts: Sequence[Draft]) -> list[tuple[Draft, Outcome]]:
    """What was found in each draft that could be checked."""
    tasks = [task_of(run, draft) for draft in drafts]
    kept = kept_outcomes(tasks, run.cache)
    if not tasks:  # the desk must be sound even if nothing is left to check
        run.attempt(lambda: run.desk(_name(run, (run.options.paths or (".",))[0])))
    missing = [at for at, outcome in enumerate(kept) if outcome is None]
    desks = {at: desk for at in missing if (desk := desk_of(run, drafts[at])) is not None}
    with run.speak.progress(sum(tasks[at].size for at in desks)) as done:
        checked = check_tasks([tasks[at] for at in desks], list(desks.values()), run.cache, run.options.workers, done)
    results: dict[int, Outcome | Failure] = dict(zip(desks, checked, strict=True))
    checked_drafts = []
    for at, known in enumerate(kept):
        outcome = results.get(at) if known is None else known
        if isinstance(outcome, Failure):
            run.speak.error(f"{outcome.filename}: not checked, by a fault in Caveat: {outcome.message}")
        elif outcome is not None:
            checked_drafts.append((drafts[at], outcome))
    return checked_drafts


def desk_of(run: Run, draft: Draft) -> Desk | None:
    """The desk that a draft is checked at; None if there is none, which is said."""
    return run.attempt(lambda: run.desks.desk(draft.settings, draft.ignores))


def narrowed(run: Run, draft: Draft, outcome: Outcome) -> Outcome:
    """What is to be shown of an outcome: not in the baseline, on changed lines, at the severity asked for or above."""
    if run.options.no_suppressions:
        everything = sorted((*outcome.findings, *outcome.suppressed), key=reading_order)
        outcome = outcome._replace(findings=tuple(everything), suppressed=())
    if draft.settings.baseline:
        outcome = run.baselines[draft.settings.baseline].leave_out(outcome)
    if run.changes is not None:
        outcome = run.changes.leave_out(outcome)
    return from_severity(draft.settings, outcome)


def from_severity(settings: Settings, outcome: Outcome) -> Outcome:
    """The outcome without findings below the severity that settings ask for."""
    floor = SEVERITIES.index(settings.values["severity"])

    def above(findings: Sequence[Finding]) -> tuple[Finding, ...]:
        return tuple(finding for finding in findings if SEVERITIES.index(finding.severity) >= floor)

    return outcome._replace(
        findings=above(outcome.findings),
        suppressed=above(outcome.suppressed),
        baselined=above(outcome.baselined),
        unchanged=above(outcome.unchanged),
    )


def _say_what_is_stale(run: Run, checked: Sequence[tuple[Draft, Outcome]]) -> None:
    """Name the entries of the baselines that no finding has met."""
    for path, baseline in run.baselines.items():
        keys = {
            baseline.key(outcome.source.filename): draft.runs
            for draft, outcome in checked
            if draft.settings.baseline == path
        }
        stale = baseline.stale(keys)
        if stale:
            from caveat.report.baseline import stale_entries

            run.speak.note(*stale_entries(files.shown_path(path), [entry[:3] for entry in stale.elements()]))


def task_of(run: Run, draft: Draft) -> Task:
    """A draft with the key of all that its findings depend on."""
    source = draft.source
    key = run.desks.key(draft.settings, draft.ignores)
    parts: tuple[str, ...] = (key, source.filename, "\ufeff" * source.bom, source.text)
    if run.with_fixes:
        parts = (*parts, "with fixes")
    key = digest(*(part.encode("utf-8", "surrogatepass") for part in parts))
    return Task(source, key, len(source.text), fixes=run.with_fixes)


def _report(run: Run, drafts: Sequence[Draft], outcomes: Sequence[Outcome], reports: Sequence[Wanted]) -> None:
    """Write the reports, each of them even if another cannot be. The closing count is in a full one, or said aside."""
    counted_aside = all(wanted.format != "full" for wanted in reports) and not run.options.diff_fixes
    if run.options.statistics or counted_aside:
        from caveat.report.summary import summary

        run.speak.note(*summary(outcomes))
    for wanted in reports:
        _attempt(run, partial(_write, run, drafts, outcomes, wanted))
    page = os.environ.get("GITHUB_STEP_SUMMARY")
    if page and any(wanted.format == "github" for wanted in reports):
        from caveat.report.github import step_summary

        table = step_summary(_as_read_by("github", outcomes))
        _attempt(run, partial(add_to_file, table, page, "GITHUB_STEP_SUMMARY"))


def _attempt(run: Run, work: Callable[[], None]) -> bool:
    """Whether one of several things is done; what keeps it from being done is said."""
    try:
        work()
    except UserError as error:
        run.speak.error(error)
        return False
    return True


def _write(run: Run, drafts: Sequence[Draft], outcomes: Sequence[Outcome], wanted: Wanted) -> None:
    """Write one report."""
    if run.options.statistics:
        from caveat.report.lists import statistics

        _deliver(statistics(outcomes, wanted.format), wanted)
        return
    aside = run.options.fix and any(draft.path in ("", files.STDIN) for draft in drafts)
    colour = wanted.path == STDOUT and not aside and wants_colour(run.options.color)
    seen = _as_read_by(wanted.format, outcomes)
    if run.with_fixes and wanted.format not in WITH_FIXES and not (run.options.show_fixes or run.options.fix):
        seen = [_without_fixes(outcome) for outcome in seen]  # another report has them
    level = _fail_level(run.options, _all_findings(outcomes))
    report = render(wanted.format, seen, lambda: _rules(run, drafts), colour=colour, fail_level=level)
    if aside and wanted.path == STDOUT:
        run.speak.aside(report)  # the fixed text is on standard output
    else:
        _deliver(report, wanted)


def _without_fixes(outcome: Outcome) -> Outcome:
    return outcome._replace(findings=tuple(finding._replace(fix=None) for finding in outcome.findings))


def _rules(run: Run, drafts: Sequence[Draft]) -> list[Rule]:
    """The rules that ran for any of the drafts, by name; without a draft, those that would run here."""
    desks = [desk_of(run, draft) for draft in drafts] or [run.desk()]
    by_name = {rule.name: rule for desk in reversed(desks) if desk is not None for rule in desk.rules}
    return [rule for _, rule in sorted(by_name.items())]


def _as_read_by(fmt: str, outcomes: Sequence[Outcome]) -> Sequence[Outcome]:
    """The outcomes with the paths that the readers of a format look for."""
    if fmt not in FROM_ROOT:
        return outcomes
    from caveat.running.root import repository_root, seen_from

    return seen_from(repository_root(os.environ), outcomes)


def _deliver(report: str, wanted: Wanted, *, for_machines: bool = False) -> None:
    if wanted.path == STDOUT:
        print_report(report, for_machines=for_machines or wanted.format not in FOR_PEOPLE)
    else:
        save_report(report, wanted.path, wanted.option)


def _names(options: CheckOptions, drafts: Sequence[Draft]) -> str:
    """The names of the drafts, instead of findings."""
    from caveat.report.lists import file_list

    return file_list((draft.source.filename for draft in drafts), options.format)


def _numbers(run: Run, drafts: Sequence[Draft]) -> str:
    """Every number of the drafts with its reading, instead of findings."""
    from caveat.article import read_article
    from caveat.report import number_list

    desks = [(draft.source, desk_of(run, draft)) for draft in drafts]
    articles = [read_article(source, desk.registry) for source, desk in desks if desk is not None]
    return number_list.as_json(articles) if run.options.format == "json" else number_list.as_text(articles)
