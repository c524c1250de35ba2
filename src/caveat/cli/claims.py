"""`caveat claims`: the commands of the registry desk. Each imports what it needs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from caveat.cli.shared import answered, desk_options, do, given_options, listing_options, no_such, print_page, split_all
from caveat.options import split_names

if TYPE_CHECKING:
    from caveat.command import Run

METRIC_HELP = "Metrics with commas between them: an id (memory-capacity), its words (memory), a number format (FP8)."


@click.group()
def claims() -> None:
    """Work at the registry of claims: check it, print it, keep it true."""


@claims.command("check")
@click.option("--drafts", multiple=True, metavar="PATH", help="Name claims that none of these drafts uses.")
@click.option("--today", default="", metavar="DATE", help="The day of the check, as YYYY-MM-DD, if it is not today.")
@click.option("--select", multiple=True, metavar="NAMES", help="Give these warnings only (with commas between them).")
@click.option("--ignore", multiple=True, metavar="NAMES", help="Leave these warnings out.")
@click.option("--max-warnings", type=click.IntRange(0), metavar="N", help="Exit 1 for more warnings than this.")
@listing_options
def claims_check(fmt: str, **given: Any) -> None:
    """Check the registry and the rules, and warn of what its keeper should look at.

    Every fault is printed with its place on standard error; exit code 2. Warnings do not change the exit code, unless
    there are more of them than --max-warnings allows.
    """
    from caveat.upkeep.checking import Asked, run_claims_check

    own = {name: given.pop(name) for name in ("drafts", "today", "max_warnings", "select", "ignore")}
    for name in ("select", "ignore"):
        own[name] = [each for listed in own[name] for each in split_names(listed)]
    sys.exit(run_claims_check(given_options((), given), Asked(**own, format=fmt)))


@claims.command("list")
@listing_options
def claims_list(fmt: str, **given: Any) -> None:
    """Print all claims of the registry."""
    from caveat.report.registry import render_claims

    print_page(given, lambda run: render_claims(run.desk().registry, fmt), fmt)


@claims.command("show")
@click.argument("claim_id", metavar="ID")
@listing_options
def claims_show(claim_id: str, fmt: str, **given: Any) -> None:
    """Print the claim with this ID, its source, and where it is recorded."""
    from caveat.report.registry import claim_ids, render_claim

    def page(run: Run) -> str:
        registry = run.desk().registry
        shown = render_claim(registry, claim_id, fmt)
        return no_such("claim", claim_id, claim_ids(registry)) if shown is None else shown

    print_page(given, page, fmt)


@claims.command("uses")
@click.argument("claim_id", metavar="ID")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@listing_options
def claims_uses(claim_id: str, paths: tuple[str, ...], fmt: str, **given: Any) -> None:
    """List each place in the drafts that rests on the claim with this ID, directly or by derivation.

    Without a PATH the drafts are those of the configuration, else those of the current folder.
    """
    from caveat.upkeep.tracing import run_uses

    sys.exit(run_uses(given_options(paths, given), claim_id, fmt))


@claims.command("diff")
@click.argument("base", metavar="BASE")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@listing_options
def claims_diff(base: str, paths: tuple[str, ...], fmt: str, **given: Any) -> None:
    """Compare the registry with that of a git commit, branch or tag, and list what the change makes wrong in drafts.

    Without a PATH the drafts are those of the configuration, else those of the current folder. Exit code 1 if anything
    is wrong now that was not before.
    """
    from caveat.upkeep.differing import run_diff

    sys.exit(run_diff(given_options(paths, given), base, fmt))


@claims.command("harvest")
@click.argument("drafts", nargs=-1, required=True, metavar="DRAFT...")
@click.option(
    "--write", default="", metavar="FILE", help="Add what is new to this registry file, and print what was added."
)
@click.option("--format", "fmt", type=click.Choice(["yaml", "full", "json"]), default="yaml", help="How to print it.")
@desk_options
def claims_harvest(drafts: tuple[str, ...], fmt: str, write: str, **given: Any) -> None:
    """Propose claims for the registry from the figures of each DRAFT, a file, a folder, or - for standard input.

    Each has its product, metric, value, basis, qualifier and the source cited beside it; what the draft does not say
    is TODO. What the registry has already is told apart: new, the same, or with another value. Only what is new is
    written, and nothing is overwritten.
    """
    from caveat.harvesting.run import run_harvest

    sys.exit(run_harvest(given_options(drafts, given), fmt, write))


@claims.command("snapshot")
@click.argument("source_id", metavar="SOURCE_ID")
@click.option("--from", "origin", metavar="FILE|URL", required=True, help="What to store: HTML, PDF or text.")
@click.option("--encoding", metavar="NAME", default="", help="The encoding of its text, if it does not say it.")
@click.option("--taken", metavar="DATE", default="", help="The day on which it was taken, YYYY-MM-DD, if not today.")
@listing_options
def claims_snapshot(source_id: str, origin: str, encoding: str, taken: str, fmt: str, **given: Any) -> None:
    """Keep a copy of a source in the folder of the registry, and record it with its hash and date.

    A URL is fetched, by this command alone: over http or https, from public addresses only, 32 MiB and 30 seconds at
    most. What cannot be read is not stored.
    """
    from caveat.evidence.storing import day_of, store
    from caveat.report.evidence import render_stored

    def page(run: Run) -> str:
        day, sources = day_of(taken), run.desk().registry.sources
        if source_id not in sources:
            no_such("source", source_id, sources)
        return render_stored(store(run, sources[source_id], origin, encoding=encoding, taken=day), fmt)

    print_page(given, page, fmt)


@claims.command("verify")
@click.argument("claim_ids", nargs=-1, metavar="[ID]...")
@listing_options
def claims_verify(claim_ids: tuple[str, ...], fmt: str, **given: Any) -> None:
    """Look for the evidence and the value of claims in the snapshots of their sources, and at the words around them.

    Without an ID all claims are looked at, and those listed that their page does not bear out. Exit code 0: none; 1:
    some; 2: a snapshot is missing, is not what was recorded, or cannot be read.
    """
    from caveat.evidence.verifying import verify
    from caveat.report.evidence import render_verdicts

    failed: list[bool] = []

    def page(run: Run) -> str:
        verified = verify(run, claim_ids)
        failed.extend(verdict.failed for verdict in verified.verdicts)
        return render_verdicts(verified.verdicts, verified.snapshots, fmt, every=bool(claim_ids))

    print_page(given, page, fmt)
    sys.exit(1 if any(failed) else 0)


@claims.command("compare")
@click.argument("left", metavar="PRODUCT")
@click.argument("right", metavar="PRODUCT")
@click.option("--metric", "metrics", metavar="METRIC", multiple=True, help=METRIC_HELP)
@listing_options
def claims_compare(left: str, right: str, metrics: tuple[str, ...], fmt: str, **given: Any) -> None:
    """Set two products against each other: what each side says, whether it compares, the ratio, a sentence to paste.

    A PRODUCT is named by its id, its name or an alias.
    """
    from caveat.comparing.asking import find_metrics, find_products
    from caveat.comparing.compare import compare
    from caveat.report.comparison import render_comparison

    def page(run: Run) -> str:
        registry = run.desk().registry
        with answered():
            one, other = find_products(registry, (left, right))
            rows = compare(registry, one, other, find_metrics(registry, split_all(metrics)))
        return render_comparison(registry, one, other, rows, fmt)

    print_page(given, page, fmt)


@claims.command("table")
@click.argument("products", nargs=-1, required=True, metavar="PRODUCT...")
@click.option("--metrics", metavar="METRICS", multiple=True, help=METRIC_HELP)
@click.option("--fenced", is_flag=True, help="Print it between the comments by which `caveat sync` keeps it true.")
@listing_options
def claims_table(products: tuple[str, ...], metrics: tuple[str, ...], *, fenced: bool, fmt: str, **given: Any) -> None:
    """Print a Markdown table of products: modes, qualifiers, what is computed, notes on the sources.

    A PRODUCT is named by its id, its name or an alias. Without --metrics, all that is specified of any of them.
    """
    from caveat.comparing.asking import find_metrics, find_products
    from caveat.comparing.regions import fenced_table
    from caveat.comparing.tables import build_table
    from caveat.report.comparison import render_table

    def page(run: Run) -> str:
        registry = run.desk().registry
        with answered():
            if fenced and fmt != "json":
                return fenced_table(registry, products, split_all(metrics))
            table = build_table(registry, find_products(registry, products), find_metrics(registry, split_all(metrics)))
        return render_table(registry, table, fmt)

    print_page(given, page, fmt)


@claims.command("export")
@click.option("--to", "fmt", type=click.Choice(["csv", "json", "jsonld", "sqlite"]), required=True, help="The format.")
@click.option("--output-file", "-o", "path", default="", metavar="FILE", help="Write it to a file.")
@desk_options
def claims_export(fmt: str, path: str, **given: Any) -> None:
    """Write the registry for other programs: tables, scripts, the web of data, Datasette."""
    from caveat.exchange.exporting import export_registry

    do(given, lambda run: export_registry(run, fmt, path))


@claims.command("import")
@click.argument("table", metavar="FILE.csv")
@click.option("--write", "path", default="", metavar="FILE.yaml", help="The registry file that gets the records.")
@listing_options
def claims_import(table: str, path: str, fmt: str, **given: Any) -> None:
    """Put the records of a CSV table into a registry file; without --write, print what would be written.

    The column id names a record, `record` says of what kind it is (claim, if there is no such column). A record that
    the file has already gets what the columns say; others are added, and none is removed.
    """
    from caveat.exchange.importing import import_table
    from caveat.report.imported import render_imported

    def page(run: Run) -> str:
        done = import_table(run, table, path)
        if not path and fmt == "full":
            return done.text
        return render_imported(path, done.added, done.changed, done.same, fmt)

    print_page(given, page, fmt)
