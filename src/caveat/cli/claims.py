"""`caveat claims`: the commands of the registry desk. Each imports what it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from caveat.cli.shared import desk_options, listing_options, no_such, print_page

if TYPE_CHECKING:
    from caveat.command import Run


@click.group()
def claims() -> None:
    """Work at the registry of claims: check it, print it, keep it true."""


@claims.command("check")
@desk_options
def claims_check(**given: Any) -> None:
    """Check the registry and the rules. Every fault is printed with its place on standard error; exit code 2."""
    from caveat.report.registry import render_claims

    print_page(given, lambda run: f"Sound: {render_claims(run.desk().registry, 'full').splitlines()[-1]}.\n")


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
