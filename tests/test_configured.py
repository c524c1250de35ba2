"""Runs under configurations: each draft gets its own, and what it says decides what is found, cached or not."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from caveat import data
from caveat.running import desk
from caveat.running.cache import Cache
from commands import Result, Run

CLAIMS = str(Path(__file__).parent / "claims")
BAD = "The Trainium3 chip has 128 GB of memory, according to the Trn3 page.\n"
CITED = "The Foo 9 has 64 GB ([sheet](https://example.com)). It draws 700 W.\n"
OWN = """\
products:
  rig: {name: Rig 5, vendor: aws, unit: rack}
sources:
  rig-sheet: {title: Rig 5 data sheet, publisher: aws, kind: vendor-doc}
claims:
  - {id: rig-memory, product: rig, metric: memory-capacity, value: 64 GB, source: rig-sheet}
"""


@pytest.fixture
def run(run: Run) -> Run:
    """Run a command in this process, in a folder with the registry of the tests."""
    shutil.copytree(CLAIMS, "claims")
    return run


def write(*files: tuple[str, str]) -> None:
    for name, text in files:
        os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")


def found(result: Result) -> list[str]:
    """File, severity and rule of each finding."""
    lines = [line.split() for line in result.out.splitlines()]
    return [f"{place.split(':')[0]} {severity} {rule}" for place, severity, rule, *_ in lines]


def check(run: Run, *arguments: str, stdin: str = "") -> list[str]:
    return found(run("check", "--quiet", "--format", "concise", *arguments, stdin=stdin.encode()))


BASE = ("caveat.toml", 'claims = "claims"\n')


def test_drafts_of_one_run_have_each_their_own(run: Run) -> None:
    write(
        BASE,
        ("top.md", BAD),
        ("a/caveat.toml", 'extend = "../caveat.toml"\nignore = ["figure-mismatch"]\n'),
        ("a/x.md", BAD),
        ("b/pyproject.toml", '[tool.caveat]\nclaims = "../claims"\nper-rule-severity = {figure-mismatch = "info"}\n'),
        ("b/deep/x.md", BAD),
        ("c/.caveat.toml", 'extend = "../b/pyproject.toml"\nseverity = "warning"\n'),
        ("c/x.md", BAD),
    )
    expected = ["b/deep/x.md info figure-mismatch", "top.md error figure-mismatch"]
    assert check(run, ".") == expected
    assert check(run, "b", "top.md", "a/x.md", "c/x.md") == expected
    assert check(run, "--workers", "3", ".") == expected
    assert check(run, "--isolated", "--claims", "claims", "a", "c") == [f"{n}/x.md error figure-mismatch" for n in "ac"]


def test_a_desk_is_loaded_once_for_all_that_share_it(
    run: Run, monkeypatch: pytest.MonkeyPatch, own_cache: Path
) -> None:
    write(
        BASE,
        *((f"{name}/caveat.toml", f'extend = "../caveat.toml"\nignore = ["{rule}"]\n') for name, rule in PAIRS),
        *((f"{name}/x.md", BAD) for name, _ in PAIRS),
    )
    loads: list[str] = []
    load = desk.load_desk

    def counted(files: desk.DeskFiles, cache: Cache) -> desk.Desk:
        loads.append(files.key)
        return load(files, cache)

    monkeypatch.setattr(desk, "load_desk", counted)
    assert len(check(run, ".")) == 2
    assert len(loads) == 1


PAIRS = (("a", "figure-mismatch"), ("b", "undated-price"), ("c", "mixed-scope"))


def test_a_broken_configuration_costs_its_own_drafts_only(run: Run, snapshot: SnapshotAssertion) -> None:
    write(
        BASE,
        ("good.md", BAD),
        ("a/caveat.toml", 'ignore = ["figure-mismach"]\n\n[per-file-ignores]\n"x" = ["mixed-scop"]\n'),
        ("a/x.md", BAD),
        ("a/y.md", BAD),
        ("b/caveat.toml", 'clams = "x"\nseverity = "high"\nexclude = [\n'),
        ("b/x.md", BAD),
        ("c/caveat.toml", 'clams = "x"\nseverity = "high"\n'),
        ("c/x.md", BAD),
        ("d/caveat.toml", 'claims = ["nowhere"]\n'),
        ("d/x.md", BAD),
        ("d/y.md", BAD),
    )
    result = run("check", "--format", "concise", ".")
    assert result._replace(err=result.err.replace(os.getcwd(), "HERE")) == snapshot
    assert run("check", "--format", "concise", ".") == result


@pytest.mark.parametrize("form", ["full", "concise", "json"])
def test_without_any_sound_configuration_there_is_no_report(run: Run, form: str) -> None:
    write(("caveat.toml", "nothing"), ("x.md", BAD))
    result = run("check", "--format", form, ".")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("error: caveat.toml:1:8: not valid TOML: ")


def test_a_broken_configuration_is_one_even_without_drafts(run: Run) -> None:
    write(("empty/caveat.toml", "what = 1"))
    assert run("check", "empty").code == 2


# What it may say


def test_the_starter_registry_and_an_own_one(run: Run) -> None:
    write(
        ("caveat.toml", 'claims = ["starter", "own"]\n'),
        ("own/rig.yaml", OWN),
        ("x.md", BAD + "\nThe Rig 5 has 72 GB, according to AWS.\n"),
    )
    assert check(run, ".") == ["x.md error figure-mismatch"] * 2
    assert check(run, "--claims", "starter", ".") == ["x.md error figure-mismatch"]
    assert run("claims", "check").code == 0


def test_an_id_of_the_starter_registry_cannot_be_given_again(run: Run) -> None:
    again = "vendors:\n  aws: {name: AWS}\n"
    write(("caveat.toml", 'claims = ["starter", "own"]\n'), ("own/rig.yaml", again), ("x.md", BAD))
    result = run("check", ".")
    assert (result.code, result.out) == (2, "")
    hint = "the starter registry has it already: refer to that one, or give this one another id"
    assert result.err.startswith('own/rig.yaml:2:3: vendor "aws": given twice, first in ')
    assert hint in result.err


def test_the_citation_scope(run: Run) -> None:
    write(BASE, ("x.md", CITED))
    assert check(run, ".") == ["x.md warning unsourced-figure"]
    write(("caveat.toml", 'claims = "claims"\ncitation-scope = "paragraph"\n'))
    assert check(run, ".") == []
    assert check(run, "--isolated", "--claims", "claims", ".") == ["x.md warning unsourced-figure"]


def test_rules_are_left_out_by_pattern(run: Run) -> None:
    write(
        ("caveat.toml", BASE[1] + '[per-file-ignores]\n"notes/" = ["figure-mismatch"]\n'),
        ("notes/deep/x.md", BAD),
        ("x.md", BAD),
    )
    assert check(run, ".") == ["x.md error figure-mismatch"]
    assert check(run, "notes/deep/x.md") == []
    assert check(run, "--select", "figure-mismatch", "notes") == []
    assert check(run, "--stdin-filename", "notes/y.md", "-", stdin=BAD) == []
    assert check(run, "-", stdin=BAD) == ["<stdin> error figure-mismatch"]
    assert check(run, "--text", BAD) == ["<text> error figure-mismatch"]


def test_a_rule_selected_on_the_command_line_runs_though_the_file_ignores_it(run: Run) -> None:
    write(("caveat.toml", BASE[1] + 'ignore = ["figure-mismatch"]\n'), ("x.md", BAD))
    assert check(run, ".") == []
    assert check(run, "--select", "figure-mismatch", ".") == ["x.md error figure-mismatch"]


def test_severities_by_rule_decide_what_is_reported(run: Run) -> None:
    write(("caveat.toml", BASE[1] + '[per-rule-severity]\nfigure-mismatch = "info"\n'), ("x.md", BAD))
    assert check(run, ".") == ["x.md info figure-mismatch"]
    assert check(run, "--severity", "warning", ".") == []


def test_what_is_excluded_is_that_of_the_nearest_configuration(run: Run) -> None:
    write(
        ("caveat.toml", BASE[1] + 'exclude = ["old.md", "gone/"]\n'),
        ("old.md", BAD),
        ("sub/old.md", BAD),
        ("gone/caveat.toml", ""),
        ("gone/x.md", BAD),
        ("own/caveat.toml", 'extend = "../caveat.toml"\nexclude = []\n'),
        ("own/old.md", BAD),
    )
    assert check(run, ".") == ["own/old.md error figure-mismatch"]
    assert check(run, "old.md", "sub/old.md") == [f"{name}.md error figure-mismatch" for name in ("old", "sub/old")]


def test_a_hook_that_names_an_excluded_file_may_mean_it_to_be_left_out(run: Run) -> None:
    write(("caveat.toml", BASE[1] + 'exclude = ["old/"]\n'), ("old/x.md", BAD), ("x.md", BAD))
    assert check(run, "old/x.md", "x.md") == ["old/x.md error figure-mismatch", "x.md error figure-mismatch"]
    assert check(run, "--force-exclude", "old/x.md", "x.md") == ["x.md error figure-mismatch"]
    assert run("check", "--force-exclude", "--quiet", "--format", "json", "old/x.md") == Result(0, "[]\n", "")
    assert run("check", "--force-exclude", "old/missing.md", "gone.md").err.startswith("error: gone.md: no such file")
    assert check(run, "--force-exclude", "--stdin-filename", "old/x.md", "-", stdin=BAD) == []


def test_a_change_of_any_key_is_seen(run: Run, own_cache: Path) -> None:
    write(("x.md", BAD + CITED), ("rules/readme.txt", ""))
    for key in (
        "",
        'ignore = ["figure-mismatch"]',
        'select = ["figure-mismatch"]',
        'severity = "error"',
        'citation-scope = "paragraph"',
        'exclude = ["x.md"]',
        'rules = "rules"',
        '[per-rule-severity]\nfigure-mismatch = "info"',
        '[per-file-ignores]\n"x.md" = ["figure-mismatch"]',
        "",
    ):
        write(("caveat.toml", BASE[1] + key))
        warm, again = check(run, "."), check(run, ".")
        assert warm == again == check(run, "--no-cache", "."), key


def test_the_environment_names_a_configuration(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write(("ours.toml", BASE[1] + 'ignore = ["figure-mismatch"]\n'), ("x.md", BAD))
    monkeypatch.setenv("CAVEAT_CONFIG", "ours.toml")
    assert check(run, ".") == []
    assert check(run, "--isolated", "--claims", "claims", ".") == ["x.md error figure-mismatch"]


# What holds


def test_what_holds_is_printed_with_who_says_it(run: Run, snapshot: SnapshotAssertion) -> None:
    write(
        ("pyproject.toml", '[tool.caveat]\nseverity = "warning"\nexclude = [\n  "old/",\n]\n'),
        (
            "sub/caveat.toml",
            'extend = "../pyproject.toml"\nclaims = ["starter"]\n[per-file-ignores]\n"*.mdx" = ["undated-price"]\n',
        ),
    )
    assert run("config", "sub/x.mdx") == snapshot(name="a draft")
    assert run("config", "old/x.md", "--select", "undated-price") == snapshot(name="excluded, with an option")
    assert run("config", "--isolated") == snapshot(name="nothing said")
    page = json.loads(run("config", "--format", "json", "--ignore", "undated-price", "sub/x.mdx").out)
    assert page.pop("folders") == {"claims": [data.claims_folder()], "rules": []}
    assert page == snapshot(name="as JSON")


def test_what_is_wrong_with_it_is_said_by_config_too(run: Run) -> None:
    write(("caveat.toml", "selct = []"))
    result = run("config")
    assert (result.code, result.out) == (2, "")
    assert result.err == 'error: caveat.toml:1:1: unknown key "selct"; did you mean select?\n'


def test_a_rule_that_is_left_out_still_has_its_page(run: Run) -> None:
    write(("caveat.toml", 'ignore = ["figure-mismatch"]'))
    assert run("explain", "figure-mismatch").out.startswith("figure-mismatch (error)")
    assert "figure-mismatch" not in run("rules").out


def test_a_schema_is_printed(run: Run) -> None:
    write(("caveat.toml", "broken ="))
    for of in ("config", "registry", "rule"):
        assert json.loads(run("schema", of).out)["additionalProperties"] is False
    assert run("schema", "rules").code == 2
