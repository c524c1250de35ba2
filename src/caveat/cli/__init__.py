"""The command line: what can be typed, and which function answers it. Each command imports what it needs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from caveat import __version__
from caveat.cli.claims import claims
from caveat.cli.shared import (
    check_options,
    draft_options,
    given_options,
    listing_options,
    no_such,
    print_page,
    settings_options,
    sync_options,
)

if TYPE_CHECKING:
    from caveat.command import Run


def _say_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:  # noqa: FBT001 - click's form
    if wanted:
        from importlib.util import find_spec

        engine = find_spec("caveat.engine")
        compiled = engine is not None and not str(engine.origin).endswith(".py")
        click.echo(f"caveat, version {__version__}, {'compiled' if compiled else 'not compiled'}")
        context.exit()


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_say_version,
    help="Show the version, and whether the engine is compiled, and exit.",
)
def main() -> None:
    """Caveat is a linter for claims: figures in Markdown without a source, or that their source does not support."""


@main.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@check_options
def check(paths: tuple[str, ...], **given: Any) -> None:
    """Check drafts: files, folders (their .md, .markdown and .mdx, as .gitignore allows), or - for standard input.

    Without a PATH the current folder is checked. Exit code 0: no findings; 1: findings; 2: something could not be done.
    """
    from caveat.command import run_check

    sys.exit(run_check(given_options(paths, given)))


@main.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--prune", is_flag=True, help="Remove the entries that no finding meets any more, and add none.")
@draft_options
def baseline(paths: tuple[str, ...], *, prune: bool, **given: Any) -> None:
    """Record the findings of today, so that `caveat check --baseline` shows those that are new.

    They go into the file that --baseline or the configuration names, else .caveat-baseline.json. Run again, it records
    anew what it checks; entries about other drafts stay, unless their draft is gone.
    """
    from caveat.baselining import run_baseline

    sys.exit(run_baseline(given_options(paths, given), prune=prune))


@main.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--check", "only_check", is_flag=True, help="Write nothing; say which tables are stale, and exit 1.")
@click.option("--diff", "as_diff", is_flag=True, help="Write nothing; print the change as a patch, and exit 1.")
@click.option("--format", "fmt", type=click.Choice(["full", "json"]), default="full", help="How to print it.")
@sync_options
def sync(paths: tuple[str, ...], *, only_check: bool, as_diff: bool, fmt: str, **given: Any) -> None:
    """Bring the tables of drafts up to date with the registry.

    They stand between `<!-- caveat: table PRODUCT... metrics=METRICS -->` and `<!-- caveat: end -->`, as `caveat claims
    table --fenced` prints them. Without a PATH it takes the drafts of the current folder.
    """
    from caveat.syncing import run_sync

    sys.exit(run_sync(given_options(paths, given), check=only_check, diff=as_diff, fmt=fmt))


@main.command()
@click.argument("path", default=".", metavar="[PATH]")
@click.option("--format", "fmt", type=click.Choice(["full", "json"]), default="full", help="How to print it.")
@settings_options
def config(path: str, fmt: str, **given: Any) -> None:
    """Print what holds for the draft or folder at PATH, key by key, and who says so."""
    from caveat.report.settings import render
    from caveat.running.explaining import explain_settings

    print_page(given, lambda run: render(explain_settings(path, run.settings.of_path(path)), fmt), fmt)


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

    print_page({"isolated": True}, begin)


@main.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--output-dir", "-o", "folder", required=True, metavar="DIR", help="The folder that the pages go into.")
@click.option("--today", default="", metavar="DAY", help="The day from which ages are counted, as YYYY-MM-DD.")
@click.option("--format", "fmt", type=click.Choice(["full", "json"]), default="full", help="How to print the counts.")
@draft_options
def report(paths: tuple[str, ...], folder: str, today: str, fmt: str, **given: Any) -> None:
    """Write pages for a browser: drafts with the claims beside their figures, and claims with their uses.

    DIR must be new, empty, or a report, which is replaced. Nothing that the pages need comes from elsewhere.
    """
    from caveat.report.coverage import render_coverage
    from caveat.site.reporting import index_of, parse_day, write_report

    def page(run: Run) -> str:
        covered = write_report(run, folder, parse_day(today))
        return render_coverage(covered, index_of(folder), fmt)

    print_page(given, page, fmt, paths)


@main.command()
@click.argument("of", type=click.Choice(["config", "registry", "rule"]), metavar="config|registry|rule")
def schema(of: str) -> None:
    """Print the JSON Schema of a configuration, registry or rule file, for editors."""
    from caveat.checks import CHECK_NAMES
    from caveat.loading.json_schemas import render_schema

    print_page({}, lambda _: render_schema(of, CHECK_NAMES), "json")


@main.command()
@click.option("--stdio", is_flag=True, help="Speak over standard input and output, as it does in any case.")
@settings_options
def lsp(*, stdio: bool, **given: Any) -> None:  # noqa: ARG001 - editors add it to any command
    """Run the language server, by which editors show findings while a draft is written."""
    from caveat.server.serving import run_server

    sys.exit(run_server(given_options((), given)))


@main.command()
@listing_options
def rules(fmt: str, **given: Any) -> None:
    """List the rules."""
    from caveat.report.rulebook import render_rules

    print_page(given, lambda run: render_rules(run.desk().rules, fmt), fmt)


@main.command()
@click.argument("rule")
@listing_options
def explain(rule: str, fmt: str, **given: Any) -> None:
    """Print the page of a RULE: what it flags, why, what would cure it, and examples."""
    from caveat.report.rulebook import render_rule

    def page(run: Run) -> str:
        known = {entry.name: entry for entry in run.desk(every_rule=True).rules}
        return render_rule(known[rule], fmt) if rule in known else no_such("rule", rule, known)

    print_page(given, page, fmt)


main.add_command(claims)
