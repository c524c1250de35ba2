"""The plain form of the command line, read without click, and click's reading of the same words."""

from __future__ import annotations

from typing import Any

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caveat import cli
from caveat.cli.shared import given_options
from caveat.options import FIELDS, OPTIONS, CheckOptions, read_plain


def told(options: CheckOptions | None) -> dict[str, Any] | None:
    """What options say, field by field."""
    return None if options is None else {field: getattr(options, field) for field in FIELDS}


def by_click(arguments: list[str]) -> CheckOptions | None:
    """What click makes of the arguments after `check`; None if it refuses them."""
    try:
        context = cli.check.make_context("check", list(arguments))
    except (click.ClickException, click.exceptions.Exit):
        return None
    paths = context.params.pop("paths")
    return given_options(paths, context.params)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["check"], {}),
        (["check", "a.md", "b"], {"paths": ("a.md", "b")}),
        (["check", "-"], {"paths": ("-",)}),
        (["check", "--format", "json", "a.md"], {"format": "json", "paths": ("a.md",)}),
        (["check", "--format=json", "--format=concise"], {"format": "concise"}),
        (["check", "--claims=", "a.md"], {"claims": "", "paths": ("a.md",)}),
        (["check", "--select", "one,two", "--select=three"], {"select": ("one", "two", "three")}),
        (["check", "--output", "sarif=a,b", "--output=json=c"], {"output": ("sarif=a,b", "json=c")}),
        (["check", "-o", "out.txt", "-q"], {"output_file": "out.txt", "quiet": True}),
        (["check", "--workers", "4", "--no-cache"], {"workers": 4, "no_cache": True}),
        (["check", "--max-warnings", "0", "--fail-on=error"], {"max_warnings": 0, "fail_on": "error"}),
        (["check", "--text", "It is 2x faster."], {"text": "It is 2x faster."}),
    ],
)
def test_a_plain_check_is_read(arguments: list[str], expected: dict[str, Any]) -> None:
    assert told(read_plain(arguments, {})) == told(CheckOptions(**expected))


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["rules"],
        ["--version"],
        ["check", "--help"],
        ["check", "--nonsense"],
        ["check", "--format", "yaml"],
        ["check", "--format"],
        ["check", "--text", "-5 % in a year"],
        ["check", "--quiet=yes"],
        ["check", "--workers", "0"],
        ["check", "--workers", "many"],
        ["check", "--max-warnings", "0000000005"],
        ["check", "-ofile"],
        ["check", "--", "a.md"],
    ],
)
def test_the_rest_is_left_to_click(arguments: list[str]) -> None:
    assert read_plain(arguments, {}) is None


def test_the_environment_speaks_where_the_command_line_does_not() -> None:
    environment = {"CAVEAT_FORMAT": "json", "CAVEAT_NO_CACHE": "1"}
    assert told(read_plain(["check"], environment)) == told(CheckOptions(format="json", no_cache=True))
    assert told(read_plain(["check", "--format", "full"], environment)) == told(
        CheckOptions(format="full", no_cache=True)
    )
    assert read_plain(["check"], {"CAVEAT_FORMAT": "yaml"}) is None


WORDS = st.sampled_from(
    [
        *(option.name for option in OPTIONS),
        *(option.short for option in OPTIONS if option.short),
        *("a.md", "docs", "-", "--", "json", "concise", "full", "error", "always", "2", "0", "a,b", "", " , "),
        *("--format=json", "--severity=error", "--select=a", "--workers=3", "--color=never", "--text=x", "--claims="),
        *("--output=sarif=a,b", "--output", "junit=-"),
        *("-o=x", "-qo", "--exit-zero=1", "--form", "-5"),
    ]
)


@settings(deadline=None)
@given(st.lists(WORDS, max_size=6))
def test_click_reads_the_same(arguments: list[str]) -> None:
    plain = read_plain(["check", *arguments], {})
    if plain is not None:
        assert told(plain) == told(by_click(arguments))
