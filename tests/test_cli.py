"""The command line as a user meets it: exit codes, whole outputs, and a useful word for every mistake."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from caveat import __version__
from caveat.options import FORMATS, OPTIONS
from commands import Result, Run

ROOT = Path(__file__).parent.parent
CLAIMS = str(Path(__file__).parent / "claims")
BAD = "The Trainium3 chip has 128 GB of memory, according to the Trn3 page.\n"
MISMATCH = (ROOT / "rules" / "figure-mismatch.yaml").read_text(encoding="utf-8")
GOOD = "Trainium3 is a chip. Nothing here is a figure.\n"


@pytest.fixture
def check(run: Run) -> Run:
    """Run `caveat check` with the registry of the tests."""

    def check_here(*arguments: str, stdin: bytes = b"") -> Result:
        return run("check", "--claims", CLAIMS, *arguments, stdin=stdin)

    return check_here


def process(*arguments: str, **more: Any) -> subprocess.CompletedProcess[bytes]:
    """Run a command in a process of its own."""
    return subprocess.run([sys.executable, "-m", "caveat", *arguments], capture_output=True, check=False, **more)


def write(*drafts: tuple[str, str]) -> None:
    for name, text in drafts:
        os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
        Path(name).write_text(text, encoding="utf-8", newline="")


# Exit codes


def test_exit_codes(check: Run) -> None:
    write(("good.md", GOOD), ("bad.md", BAD))
    assert check("good.md").code == 0
    assert check("bad.md").code == 1
    assert check("good.md", "bad.md").code == 1
    assert check("--exit-zero", "bad.md").code == 0
    assert check("good.md", "missing.md").code == 2
    assert check("bad.md", "missing.md").code == 2
    assert check("--exit-zero", "bad.md", "missing.md").code == 2


@pytest.mark.parametrize("form", FORMATS)
def test_the_exit_code_is_the_same_in_every_format_and_with_a_file(check: Run, form: str) -> None:
    write(("good.md", GOOD), ("bad.md", BAD))
    for draft, code in (("good.md", 0), ("bad.md", 1), ("missing.md", 2)):
        assert check("--format", form, draft).code == code
        assert check("--format", form, "--output-file", "report", draft).code == code
        assert check("--quiet", "--output", f"{form}=report", draft).code == code


# Whole outputs


def test_the_full_report(run: Run, snapshot: SnapshotAssertion) -> None:
    shutil.copytree(CLAIMS, "claims")
    write(("draft.md", BAD + "\nThe H200 draws 700 W.\n"))
    result = run("check", "--claims", "claims", "draft.md")
    assert (result.code, result.err) == (1, "")
    assert result.out == snapshot


def test_the_concise_report(check: Run, snapshot: SnapshotAssertion) -> None:
    write(("draft.md", BAD))
    assert check("--format", "concise", "draft.md") == snapshot


def test_the_json_report(check: Run, snapshot: SnapshotAssertion) -> None:
    write(("draft.md", BAD))
    result = check("--format", "json", "draft.md")
    assert json.loads(result.out)[0]["rule"] == "figure-mismatch"
    assert result == snapshot


def test_a_claim_of_less_is_told_as_one(check: Run) -> None:
    text = "Trainium3 costs 70% less than GPUs, customers of AWS say."
    said = "70% here; the registry has up to 50% less (Trainium customers)"
    assert said in check("--format", "concise", "--text", text).out


def test_nothing_seen_is_said(check: Run) -> None:
    write(("draft.md", GOOD))
    assert check("draft.md") == Result(0, "Seen: no figures in 1 draft.\nFound: nothing.\n", "")
    assert check("--format", "json", "draft.md") == Result(0, "[]\n", "Seen: no figures in 1 draft.\nFound: nothing.\n")
    assert check("--format", "json", "--quiet", "draft.md") == Result(0, "[]\n", "")


def test_numbers_that_were_not_read_as_prose_are_told(check: Run) -> None:
    write(("draft.md", "It draws 700 W, says AMD.\n\n" + "14.2 W, " * 4200))
    counted = "Seen: 1 figure in 1 draft: 0 registered, 1 cited, 0 own, 0 flagged"
    assert check("draft.md").out == (f"{counted}; 4,200 numbers in paragraphs that are all data.\nFound: nothing.\n")


def test_every_number_is_listed_with_its_reading(check: Run, snapshot: SnapshotAssertion) -> None:
    write(("draft.md", "CUDA 12.4 on an H200 with 141 GB, in 2024: see section 3.\n"))
    assert check("--show-figures", "draft.md") == snapshot
    rows = json.loads(check("--show-figures", "--format", "json", "draft.md").out)
    assert [row["text"] for row in rows if row["reading"] == "figure"] == ["141 GB"]


def test_help_names_every_command_and_option(run: Run) -> None:
    overview = run("--help")
    assert (overview.code, overview.err) == (0, "")
    for command in ("check", "claims", "explain", "rules", "--version"):
        assert f"  {command} " in overview.out
    page = run("check", "--help")
    for option in OPTIONS:
        assert option.name in page.out
        assert option.variable in page.out


def test_the_version_is_that_of_the_package(run: Run) -> None:
    done = run("--version")
    assert done in [Result(0, f"caveat, version {__version__}, {how}\n", "") for how in ("compiled", "not compiled")]


# Ways to give a draft


def test_a_sentence(check: Run) -> None:
    result = check("--format", "concise", "--text", BAD)
    assert result.code == 1
    assert result.out.startswith("<text>:1:24: error figure-mismatch ")


def test_standard_input(check: Run) -> None:
    assert check("--format", "concise", "-", stdin=BAD.encode()).out.startswith("<stdin>:1:24: ")
    named = check("--format", "concise", "--stdin-filename", "a/b.md", "-", stdin=BAD.encode())
    assert named.out.startswith("a/b.md:1:24: ")


def test_standard_input_uses_the_configuration_of_its_name(check: Run) -> None:
    write(("a/caveat.toml", 'ignore = ["figure-mismatch"]'))
    assert check("--stdin-filename", "a/b.md", "-", stdin=BAD.encode()).code == 0


def test_the_current_folder_is_the_default(check: Run) -> None:
    write(("sub/draft.md", BAD))
    assert check("--format", "concise").out.startswith("sub/draft.md:1:24: ")


def test_a_report_in_a_file(check: Run) -> None:
    write(("draft.md", BAD))
    printed = check("--color", "always", "--format", "full", "draft.md").out
    result = check("--color", "always", "--output-file", "report.txt", "draft.md")
    assert (result.code, result.out) == (1, "")
    assert "\x1b[" in printed
    assert "\x1b[" not in Path("report.txt").read_text()


# Which findings


def test_rules_are_selected_and_ignored(check: Run) -> None:
    write(("draft.md", BAD + "\nThe H200 draws 700 W.\n"))

    def rules(*options: str) -> set[str]:
        return {row["rule"] for row in json.loads(check("--format", "json", *options, "draft.md").out)}

    everything = rules()
    assert everything > {"figure-mismatch"}
    assert rules("--select", "figure-mismatch") == {"figure-mismatch"}
    assert rules("--ignore", "figure-mismatch") == everything - {"figure-mismatch"}
    assert rules("--select", "figure-mismatch", "--ignore", "figure-mismatch") == set()


def test_findings_below_a_severity_do_not_count(check: Run) -> None:
    write(("draft.md", BAD), ("rules/figure-mismatch.yaml", MISMATCH.replace("severity: error", "severity: info")))
    assert check("--rules", "rules", "draft.md").code == 1
    assert check("--rules", "rules", "--severity", "warning", "draft.md").code == 0


def test_the_configuration_speaks_where_the_command_line_does_not(check: Run) -> None:
    write(("draft.md", BAD), ("caveat.toml", 'ignore = ["figure-mismatch"]'))
    assert check("draft.md").code == 0
    assert check("--ignore", "mixed-sparsity", "draft.md").code == 1
    assert check("--isolated", "draft.md").code == 1
    write(("other.toml", 'severity = "error"'))
    assert check("--config", "other.toml", "draft.md").code == 1


def test_a_configured_folder_is_that_of_the_file(run: Run) -> None:
    write(("sub/draft.md", BAD), ("caveat.toml", 'claims = "claims"\nexclude = ["old/"]'), ("old/draft.md", BAD))
    shutil.copytree(CLAIMS, "claims")
    result = run("check", "--format", "concise", "sub", "old")
    assert result.out.startswith("sub/draft.md:1:24: error figure-mismatch")
    assert "old/draft.md" not in result.out
    assert "old: no Markdown in this folder" in result.err


def test_the_shipped_registry_is_the_default(run: Run) -> None:
    write(("draft.md", BAD))
    assert "figure-mismatch" in run("check", "--format", "concise", "draft.md").out


# Lists, and paths from a file


def test_findings_are_counted_by_rule(check: Run) -> None:
    write(("a.md", BAD * 2), ("b.md", "The H200 draws 700 W.\n"), ("good.md", GOOD))
    result = check("--statistics", ".")
    assert result == Result(1, "2  error    figure-mismatch\n1  warning  unsourced-figure\n", result.err)
    assert result.err.endswith("Found: 2 errors, 1 warning.\n")
    assert json.loads(check("--statistics", "--format", "json", "b.md").out) == [
        {"rule": "unsourced-figure", "severity": "warning", "count": 1}
    ]
    assert check("--statistics", "--quiet", "good.md") == Result(0, "", "")


def test_the_drafts_that_would_be_checked_are_listed(check: Run) -> None:
    write(("a.md", BAD), ("old/b.md", BAD), ("c.txt", BAD), ("caveat.toml", 'exclude = ["old/"]'))
    assert check("--show-files") == Result(0, "a.md\n", "")
    assert check("--show-files", "old/b.md", "c.txt").out == "old/b.md\nc.txt\n"
    assert json.loads(check("--show-files", "--format", "json", ".").out) == ["a.md"]
    missing = check("--show-files", "a.md", "missing.md")
    assert missing == Result(2, "a.md\n", "error: missing.md: no such file or folder\n")


@pytest.mark.parametrize("between", ["\n", "\r\n", "\0"])
def test_paths_come_from_a_file_or_from_standard_input(check: Run, between: str) -> None:
    write(("a b.md", BAD), ("c.md", BAD), ("d.md", BAD))
    listed = f"a b.md{between}c.md{between}"
    write(("list", listed))
    assert check("--files-from", "list", "--show-files").out == "a b.md\nc.md\n"
    assert check("--files-from", "-", "--show-files", stdin=listed.encode()).out == "a b.md\nc.md\n"
    assert check("d.md", "--files-from", "list", "--show-files").out == "d.md\na b.md\nc.md\n"


def test_a_list_of_no_paths_is_not_the_whole_folder(check: Run) -> None:
    write(("a.md", BAD), ("list", "\n"))
    result = check("--files-from", "list", "--format", "json")
    assert (result.code, result.out) == (0, "[]\n")
    assert result.err.startswith("note: --files-from list: it names no path\n")


# Mistakes


def test_a_missing_path_is_named_and_the_others_are_checked(check: Run) -> None:
    write(("bad.md", BAD))
    result = check("--format", "concise", "--quiet", "missing.md", "bad.md")
    assert (result.code, result.err) == (2, "error: missing.md: no such file or folder\n")
    assert result.out.startswith("bad.md:1:24: ")


def test_a_folder_without_markdown_is_named(check: Run) -> None:
    write(("notes/a.txt", BAD))
    result = check("notes")
    assert (result.code, result.err) == (0, "note: notes: no Markdown in this folder (.md, .markdown, .mdx)\n")


def test_an_undecodable_draft_is_named_and_the_others_are_checked(check: Run) -> None:
    write(("bad.md", BAD))
    Path("latin.md").write_bytes("Größe: 144 GB\n".encode("latin-1"))
    result = check("--format", "json", "--quiet", "latin.md", "bad.md")
    assert result.code == 2
    assert result.err == "error: latin.md: not UTF-8: byte 0xf6 at offset 2, row 1; save it as UTF-8\n"
    assert [row["filename"] for row in json.loads(result.out)] == ["bad.md"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--select", "figure-mismach"], "--select: there is no rule 'figure-mismach'; did you mean figure-mismatch?"),
        (["--ignore", "mixed-sparsty"], "--ignore: there is no rule 'mixed-sparsty'; did you mean mixed-sparsity?"),
        (["--text", "x"], "--text is checked instead of files: give it or paths, not both"),
        (["--stdin-filename", "a.md"], "--stdin-filename names what - reads: give - as the path"),
        (["--output-file", "no/such/folder"], "--output-file no/such/folder: cannot be written: No such file"),
        (["--output-file", "."], "--output-file .: cannot be written: Is a directory"),
        (["--config", "missing.toml"], "--config missing.toml: no such file"),
        (["--isolated", "--config", "a.toml"], "--isolated and --config exclude each other"),
        (["--format", "yaml"], "'yaml' is not one of 'full', 'concise', 'json'"),
        (["--workers", "0"], "Invalid value for '--workers': 0 is not in the range 1<=x<=999"),
        (["--selct", "a"], "--selct"),
        (["--claims"], "Option '--claims' requires an argument"),
        (["--files-from", "missing"], "--files-from missing: cannot be read: No such file or directory"),
        (["--files-from", "-", "-"], "standard input for one thing only"),
        (["--fail-on", "high"], "'high' is not one of 'info', 'warning', 'error'"),
        (["--max-warnings", "some"], "Invalid value for '--max-warnings': 'some' is not a valid integer range"),
        (["--show-files", "--statistics"], "--show-files lists drafts: ask for one list at a time"),
        (["--statistics", "--format", "sarif"], "--statistics lists counts, not findings: as full, concise or json"),
    ],
)
def test_a_mistake_on_the_command_line_is_named(run: Run, arguments: list[str], message: str) -> None:
    write(("bad.md", BAD))
    result = run("check", "bad.md", *arguments)
    assert (result.code, result.out) == (2, "")
    assert message in " ".join(result.err.split())


def test_a_wrong_format_in_the_environment_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAVEAT_FORMAT", "yaml")
    result = run("check")
    assert result.code == 2
    assert "'yaml' is not one of 'full', 'concise', 'json'" in result.err


@pytest.mark.parametrize(
    ("files", "options", "messages"),
    [
        ({}, ["--claims", "nowhere"], ["nowhere: registry: no such folder"]),
        ({"empty/readme.txt": ""}, ["--claims", "empty"], ["empty: registry: no YAML file in this folder"]),
        ({"claims": "x"}, ["--claims", "claims"], ["claims: registry: is a file, not a folder"]),
        ({"c/a.yaml": "claims: [\n"}, ["--claims", "c"], ["c/a.yaml:"]),
        ({"c/a.yaml": "claim: []\n"}, ["--claims", "c"], ["c/a.yaml:1:1: ", 'unknown section "claim"']),
        (
            {"c/a.yaml": "claims:\n  - id: one\n    product: p\n    metric: power\n    value: 7 W\n"},
            ["--claims", "c"],
            ["c/a.yaml:2:", 'claim "one"', "source"],
        ),
        (
            {"r/figure-mismatch.yaml": MISMATCH.replace("check: contradiction", "check: contradicton")},
            ["--rules", "r"],
            ["r/figure-mismatch.yaml:2:", '"contradicton"', "did you mean contradiction?"],
        ),
        ({}, ["--rules", "nowhere"], ["nowhere: cannot be read: No such file or directory"]),
    ],
)
def test_faults_of_registry_and_rules_are_named_with_their_place(
    run: Run, files: dict[str, str], options: list[str], messages: list[str]
) -> None:
    write(("bad.md", BAD), *files.items())
    result = run("check", "bad.md", *options)
    assert (result.code, result.out) == (2, "")
    for message in messages:
        assert message in result.err
    assert result.err.splitlines()[-1].endswith("in the registry or the rules; nothing was checked against them")


def test_faults_of_the_registry_are_found_even_if_there_is_nothing_to_check(run: Run) -> None:
    write(("empty/a.txt", ""))
    assert run("check", "--claims", "nowhere", "empty").code == 2
    assert run("check", "--select", "nonsense", "empty").code == 2


def test_control_characters_of_a_draft_never_reach_the_terminal(check: Run) -> None:
    evil = "\x1b]0;title\x07The Trainium3 chip has \x9b128 GB\x9b of \u202ememory\x1b[2J, per the Trn3 page.\n"
    write(("evil.md", evil), ("\x1b[31mred.md", BAD))
    for form in FORMATS:
        result = check("--format", form, "evil.md", "\x1b[31mred.md", "\x1b[2Jmissing.md")
        assert result.code == 2
        assert not set(result.out + result.err) & set("\x1b\x07\x9b\u202e")
    assert not set(check("--show-figures", "evil.md").out) & set("\x1b\x07\x9b\u202e")


def test_a_fault_in_caveat_costs_one_draft_and_is_reported(
    check: Run, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from caveat import engine

    real = engine.check

    def faulty(source: Any, *more: Any) -> Any:
        if source.filename == "b.md":
            raise ZeroDivisionError("by nought")
        return real(source, *more)

    monkeypatch.setattr(engine, "check", faulty)
    write(("a.md", BAD), ("b.md", GOOD), ("c.md", BAD))
    result = check("--format", "concise", "--quiet", ".")
    assert result.code == 2
    assert result.err.startswith("error: b.md: not checked, by a fault in Caveat: ZeroDivisionError: by nought (")
    assert [line.partition(":")[0] for line in result.out.splitlines()] == ["a.md", "c.md"]


def test_a_fault_outside_of_drafts_ends_with_code_2_too(check: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from caveat import command

    def faulty(_: object) -> int:
        raise ZeroDivisionError("by nought")

    monkeypatch.setattr(command, "run_check", faulty)
    result = check("draft.md")
    assert (result.code, result.out) == (2, "")
    assert result.err.endswith(
        "ZeroDivisionError: by nought\nerror: this is a fault in Caveat; please report it with the lines above\n"
    )


# Many drafts, the cache


@pytest.fixture
def many(inside: Path) -> list[str]:
    """Drafts of different sizes, enough to be worth several processes."""
    names = [f"{number:02}.md" for number in range(12)]
    for number, name in enumerate(names):
        write((name, BAD * (1 + (number * 5) % 7) + "Filler without figures.\n" * 400))
    return names


def test_the_report_is_the_same_whatever_the_number_of_workers(check: Run, many: list[str]) -> None:
    reports = [check("--no-cache", "--workers", workers, "--format", "json", ".") for workers in ("1", "2", "5")]
    assert reports[0] == reports[1] == reports[2]
    rows = json.loads(reports[0].out)
    assert sorted({row["filename"] for row in rows}) == many
    assert [row["filename"] for row in rows] == sorted(row["filename"] for row in rows)


def test_a_worker_that_dies_is_named_and_the_others_are_checked(
    check: Run, own_cache: Path, many: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from caveat import engine

    real = engine.check

    def dying(source: Any, *more: Any) -> Any:
        if source.filename == "07.md":
            os.kill(os.getpid(), signal.SIGKILL)
        return real(source, *more)

    monkeypatch.setattr(engine, "check", dying)
    result = check("--workers", "2", "--format", "json", "--quiet", ".")
    assert result.code == 2
    fault = "not checked, by a fault in Caveat: the process that checked it was killed by SIGKILL"
    assert result.err == f"error: 07.md: {fault}\n"
    assert sorted({row["filename"] for row in json.loads(result.out)}) == sorted(set(many) - {"07.md"})


@pytest.mark.parametrize("form", FORMATS)
def test_a_second_run_says_the_same(check: Run, form: str) -> None:
    write(("a.md", BAD), ("b.md", "The H200 draws 700 W.\n"), ("c.md", GOOD))
    first = check("--format", form, ".")
    assert check("--format", form, ".") == first
    assert check("--format", form, "--no-cache", ".") == first


def test_a_change_anywhere_is_seen(check: Run, run: Run) -> None:
    write(("draft.md", BAD))
    shutil.copytree(CLAIMS, "claims")
    assert run("check", "--claims", "claims", "draft.md").code == 1
    assert run("check", "--claims", "claims", "--ignore", "figure-mismatch", "draft.md").code == 0
    Path("draft.md").write_text(BAD.replace("128", "144"))
    assert run("check", "--claims", "claims", "draft.md").code == 0
    aws = Path("claims/aws.yaml")
    aws.write_text(aws.read_text().replace("144 GB", "128 GB").replace("20.7 TB", "18.4 TB"))
    assert run("check", "--claims", "claims", "draft.md").code == 1


def test_damage_to_every_file_of_the_cache_changes_nothing(check: Run, own_cache: Path) -> None:
    write(("draft.md", BAD))
    first = check("draft.md")
    files = [path for path in own_cache.rglob("*") if path.is_file()]
    assert len(files) == 2
    for path in files:
        path.write_bytes(b'["hostile"]')
    assert check("draft.md") == first


def test_a_cache_that_others_may_write_is_said_and_not_used(check: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write(("draft.md", BAD), ("cache/x", ""))
    Path("cache").chmod(0o777)
    monkeypatch.setenv("CAVEAT_CACHE_DIR", "cache")
    result = check("draft.md")
    assert result.code == 1
    assert "cache: not used as a cache: other users can write to it" in result.err
    assert [path.name for path in Path("cache").iterdir()] == ["x"]


# Rules and claims


def test_rules_and_their_pages(run: Run) -> None:
    listing = run("rules")
    assert listing.code == 0
    assert "figure-mismatch" in listing.out
    page = run("explain", "figure-mismatch")
    assert page.code == 0
    assert page.out.startswith("figure-mismatch (error)\n")
    assert {row["name"] for row in json.loads(run("rules", "--format", "json").out)} >= {"figure-mismatch"}


def test_an_unknown_rule_or_claim_is_named(run: Run) -> None:
    result = run("explain", "figure-mismach")
    assert (result.code, result.out) == (2, "")
    assert result.err == "error: there is no rule 'figure-mismach'; did you mean figure-mismatch?\n"
    result = run("claims", "show", "trainium3-memry", "--claims", CLAIMS)
    assert result.code == 2
    assert result.err.startswith("error: there is no claim 'trainium3-memry'; did you mean trainium3-memory")


def test_claims_are_checked_listed_and_shown(run: Run) -> None:
    checked = run("claims", "check", "--claims", CLAIMS)
    assert (checked.code, checked.err) == (0, "")
    assert checked.out.startswith("Sound: ")
    assert "trainium3-fp8" in run("claims", "list", "--claims", CLAIMS).out
    shown = json.loads(run("claims", "show", "trainium3-fp8", "--claims", CLAIMS, "--format", "json").out)
    assert shown["value"] == "2.52 PFLOPS"


def test_faults_are_printed_by_claims_check(run: Run) -> None:
    write(("claims/a.yaml", "vendors: 3\nclaims: {}\n"))
    result = run("claims", "check", "--claims", "claims")
    assert result.code == 2
    assert "claims/a.yaml:1:" in result.err
    assert "claims/a.yaml:2:" in result.err


# Streams


def test_colour_follows_the_option_and_the_environment(check: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write(("draft.md", BAD))

    def coloured(*options: str) -> bool:
        return "\x1b[" in check(*options, "draft.md").out

    assert not coloured()
    assert coloured("--color", "always")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert coloured()
    assert not coloured("--color", "never")
    monkeypatch.setenv("NO_COLOR", "1")
    assert coloured()
    monkeypatch.delenv("FORCE_COLOR")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert not coloured()
    assert coloured("--color", "always")
    assert not coloured("--color", "always", "--format", "json")


def test_signs_that_standard_output_cannot_show_are_escaped(inside: Path) -> None:
    write(("draft.md", "图 " + BAD))
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    shown = process("check", "--claims", CLAIMS, "draft.md", env=environment)
    assert shown.returncode == 1
    assert b"\\u56fe The Trainium3" in shown.stdout
    machine = process("check", "--claims", CLAIMS, "--format", "json", "图.md", "draft.md", env=environment)
    assert [row["filename"] for row in json.loads(machine.stdout.decode("utf-8"))] == ["draft.md"]


def test_a_reader_that_goes_away_is_no_error(inside: Path) -> None:
    write(("draft.md", BAD * 3000))
    command = [sys.executable, "-m", "caveat", "check", "--claims", CLAIMS, "draft.md"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout
        assert running.stderr
        running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_a_full_disk_under_standard_output_is_an_error(inside: Path) -> None:
    write(("draft.md", BAD))
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "caveat", "check", "--claims", CLAIMS, "draft.md"]
        ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert ended.returncode == 2
    assert ended.stderr == b"error: standard output cannot be written: No space left on device\n"


@pytest.mark.skipif(os.name != "posix", reason="a shell of another kind")
@pytest.mark.parametrize(
    ("words", "code", "err"),
    [
        ("draft.md >&-", 2, "error: standard output cannot be written: Bad file descriptor\n"),
        ("- <&-", 2, "error: <stdin>: cannot be read: Bad file descriptor\n"),
        ("draft.md 2>&-", 1, ""),
    ],
)
def test_a_stream_that_is_closed_is_no_fault(inside: Path, words: str, code: int, err: str) -> None:
    write(("draft.md", BAD))
    command = shlex.join([sys.executable, "-m", "caveat", "check", "--quiet", "--claims", CLAIMS])
    ended = subprocess.run(["sh", "-c", f"{command} {words}"], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (code, err)


def test_an_interrupt_ends_quietly(inside: Path, request: pytest.FixtureRequest) -> None:
    os.mkfifo("draft.md")
    # A shell's background job ignores interrupts, and what it starts would too.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, before))
    command = [sys.executable, "-m", "caveat", "check", "--claims", CLAIMS, "draft.md"]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running,
        open("draft.md", "wb"),  # opens as soon as the draft is being read
    ):
        running.send_signal(signal.SIGINT)
        out, err = running.communicate()
    assert (running.returncode, out, err) == (130, b"", b"")


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no pseudo-terminals")
def test_a_terminal_sees_a_progress_bar_and_a_pipe_does_not(inside: Path) -> None:
    for number in range(5):
        write((f"{number}.md", BAD + "Filler without figures.\n" * 2000))
    command = [sys.executable, "-m", "caveat", "check", "--no-cache", "--claims", CLAIMS, "--format", "json"]
    screen, terminal = os.openpty()
    ended = subprocess.run([*command, "."], stdout=subprocess.PIPE, stderr=terminal, check=False)
    shown = os.read(screen, 1 << 16).decode()
    assert ended.returncode == 1
    assert len(json.loads(ended.stdout)) == 5
    assert "Checking" in shown
    assert "100%" in shown
    piped = process(*command[3:], ".")
    assert b"Checking" not in piped.stderr
    assert piped.stdout == ended.stdout
