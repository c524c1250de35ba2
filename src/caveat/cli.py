"""The command line: what can be typed, and which function answers it. Each command imports what it needs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, Any, NoReturn

import click

from caveat import __version__
from caveat.options import FIELDS, NUMBERS, OPTIONS, CheckOptions, Option, values_in

if TYPE_CHECKING:
    from caveat.command import Run

Command = Callable[..., None]
SETTINGS_FIELDS = ("select", "ignore", "severity", "claims", "rules", "baseline", "config", "isolated", "no_cache")
DESK_FIELDS = ("claims", "rules", "config", "isolated", "no_cache")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="caveat")
def main() -> None:
    """Caveat is a linter for claims: figures in Markdown without a source, or that their source does not support."""


def _click_option(option: Option) -> Callable[[Command], Command]:
    """An entry of the table of options as click wants it."""
    about: dict[str, Any] = {"help": option.help, "envvar": option.variable or None, "show_envvar": True}
    if not option.takes:
        about["is_flag"] = True
    elif option.choices:
        about["type"] = click.Choice(option.choices)
        about["default"] = getattr(CheckOptions, option.field) or None
    elif option.field in NUMBERS:
        least, most = NUMBERS[option.field]
        about["type"] = click.IntRange(min=least, max=most)
    about["metavar"] = None if option.choices else option.takes or None
    about["multiple"] = option.many
    names = [name for name in (option.short, option.name) if name]
    return click.option(*names, option.field, **about)


def _with_options(command: Command, fields: Collection[str]) -> Command:
    """A command with the options of these fields of CheckOptions."""
    for option in reversed(OPTIONS):
        if option.field in fields:
            command = _click_option(option)(command)
    return command


def _settings_options(command: Command) -> Command:
    return _with_options(command, SETTINGS_FIELDS)


def _check_options(command: Command) -> Command:
    return _with_options(command, FIELDS)


def _baseline_options(command: Command) -> Command:
    return _with_options(command, (*SETTINGS_FIELDS, "force_exclude", "workers", "quiet"))


@main.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@_check_options
def check(paths: tuple[str, ...], **given: Any) -> None:
    """Check drafts: files, folders (their .md, .markdown and .mdx, as .gitignore allows), or - for standard input.

    Without a PATH the current folder is checked. Exit code 0: no findings; 1: findings; 2: something could not be done.
    """
    from caveat.command import run_check

    sys.exit(run_check(given_options(paths, given)))


@main.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--prune", is_flag=True, help="Remove the entries that no finding meets any more, and add none.")
@_baseline_options
def baseline(paths: tuple[str, ...], *, prune: bool, **given: Any) -> None:
    """Record the findings of today, so that `caveat check --baseline` shows those that are new.

    They go into the file that --baseline or the configuration names, else .caveat-baseline.json. Run again, it records
    anew what it checks; entries about other drafts stay, unless their draft is gone.
    """
    from caveat.baselining import run_baseline

    sys.exit(run_baseline(given_options(paths, given), prune=prune))


def given_options(paths: tuple[str, ...], given: dict[str, Any]) -> CheckOptions:
    """What click has read, as `read_plain` would have returned it."""
    said = {field: value for field, value in given.items() if value is not None}
    for option in OPTIONS:
        if option.many and option.field in said:
            said[option.field] = tuple(name for value in said[option.field] for name in values_in(option, value))
    return CheckOptions(paths=paths, **said)


@main.command()
@click.argument("path", default=".", metavar="[PATH]")
@click.option("--format", "fmt", type=click.Choice(["full", "json"]), default="full", help="How to print it.")
@_settings_options
def config(path: str, fmt: str, **given: Any) -> None:
    """Print what holds for the draft or folder at PATH, key by key, and who says so."""
    from caveat.report.settings import render
    from caveat.running.explaining import explain_settings

    _print(given, lambda run: render(explain_settings(path, run.settings.of_path(path)), fmt), fmt)


@main.command()
@click.argument("folder", default=".", metavar="[FOLDER]")
@click.option("--no-claims", is_flag=True, help="Write no registry.")
@click.option("--no-hooks", is_flag=True, help="Write no .pre-commit-config.yaml.")
@click.option("--no-workflow", is_flag=True, help="Write no GitHub workflow.")
def init(folder: str, *, no_claims: bool, no_hooks: bool, no_workflow: bool) -> None:
    """Write a configuration, a registry to start with, hooks for pre-commit and a GitHub workflow.

    Nothing is asked and nothing is overwritten: what is there already is left alone, and said.
    """
    from caveat.report.started import render_started
    from caveat.running.starting import start

    def begin(run: Run) -> str:
        done = start(folder, claims=not no_claims, hooks=not no_hooks, workflow=not no_workflow)
        for problem in done.failed:
            run.speak.error(problem)
        return render_started(done.written, done.left, done.to_add, hooks=not no_hooks)

    _print({"isolated": True}, begin)


@main.command()
@click.argument("of", type=click.Choice(["config", "registry", "rule"]), metavar="config|registry|rule")
def schema(of: str) -> None:
    """Print the JSON Schema of a configuration, registry or rule file, for editors."""
    from caveat.checks import CHECK_NAMES
    from caveat.loading.json_schemas import render_schema

    _print({}, lambda _: render_schema(of, CHECK_NAMES), "json")


@main.command()
@click.option("--stdio", is_flag=True, help="Speak over standard input and output, as it does in any case.")
@_settings_options
def lsp(*, stdio: bool, **given: Any) -> None:  # noqa: ARG001 - editors add it to any command
    """Run the language server, by which editors show findings while a draft is written."""
    from caveat.server.serving import run_server

    sys.exit(run_server(given_options((), given)))


def _desk_options(command: Command) -> Command:
    return _with_options(command, DESK_FIELDS)


def _listing_options(command: Command) -> Command:
    """The options of the commands that print what is in the registry or in the rules."""
    formats = click.Choice(["full", "json"])
    command = click.option("--format", "fmt", type=formats, default="full", help="How to print it.")(command)
    return _with_options(command, DESK_FIELDS)


@main.command()
@_listing_options
def rules(fmt: str, **given: Any) -> None:
    """List the rules."""
    from caveat.report.rulebook import render_rules

    _print(given, lambda run: render_rules(run.desk().rules, fmt), fmt)


@main.command()
@click.argument("rule")
@_listing_options
def explain(rule: str, fmt: str, **given: Any) -> None:
    """Print the page of a RULE: what it flags, why, what would cure it, and examples."""
    from caveat.report.rulebook import render_rule

    def page(run: Run) -> str:
        known = {entry.name: entry for entry in run.desk(every_rule=True).rules}
        return render_rule(known[rule], fmt) if rule in known else _no_such("rule", rule, known)

    _print(given, page, fmt)


@main.group()
def claims() -> None:
    """Check or print the registry of claims."""


@claims.command("check")
@_desk_options
def claims_check(**given: Any) -> None:
    """Check the registry and the rules. Every fault is printed with its place on standard error; exit code 2."""
    from caveat.report.registry import render_claims

    _print(given, lambda run: f"Sound: {render_claims(run.desk().registry, 'full').splitlines()[-1]}.\n")


@claims.command("list")
@_listing_options
def claims_list(fmt: str, **given: Any) -> None:
    """Print all claims of the registry."""
    from caveat.report.registry import render_claims

    _print(given, lambda run: render_claims(run.desk().registry, fmt), fmt)


@claims.command("show")
@click.argument("claim_id", metavar="ID")
@_listing_options
def claims_show(claim_id: str, fmt: str, **given: Any) -> None:
    """Print the claim with this ID, its source, and where it is recorded."""
    from caveat.report.registry import claim_ids, render_claim

    def page(run: Run) -> str:
        registry = run.desk().registry
        shown = render_claim(registry, claim_id, fmt)
        return _no_such("claim", claim_id, claim_ids(registry)) if shown is None else shown

    _print(given, page, fmt)


def _print(given: dict[str, Any], page: Callable[[Run], str], fmt: str = "full") -> None:
    """Print what a page says of what the options name, or what is wrong, and exit 2."""
    from caveat.command import FAILED, Run
    from caveat.outcome import UserError
    from caveat.streams import Speaker, print_report

    speak = Speaker()
    try:
        print_report(page(Run(given_options((), given), speak)), for_machines=fmt == "json")
    except UserError as error:
        speak.error(error)
    if speak.failed:
        sys.exit(FAILED)


def _no_such(kind: str, name: str, names: Iterable[str]) -> NoReturn:
    from caveat.loading.problems import suggest
    from caveat.outcome import UserError

    raise UserError(f"there is no {kind} {name!r}; {suggest(name, names)}")
