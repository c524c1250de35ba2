"""Several reports in one run: where they go, what each of them says of paths, and what happens if one cannot be."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from caveat.options import FORMATS
from commands import Result, Run

CLAIMS = str(Path(__file__).parent / "claims")
BAD = "The Trainium3 chip has 128 GB of memory, according to the Trn3 page.\n"
CLOSING = "Seen: 1 figure in 1 draft: 0 registered, 0 cited, 0 own, 1 flagged.\nFound: 1 error.\n"


@pytest.fixture
def check(run: Run, inside: Path) -> Run:
    """Run `caveat check` with the registry of the tests in a folder with a bad draft."""
    (inside / "draft.md").write_text(BAD)

    def check_here(*arguments: str) -> Result:
        return run("check", "--claims", CLAIMS, *arguments)

    return check_here


def test_all_reports_of_one_run_say_the_same(check: Run, inside: Path) -> None:
    named = [word for fmt in FORMATS for word in ("--output", f"{fmt}={fmt}.out")]
    result = check("--format", "concise", *named, "draft.md")
    assert (result.code, result.err) == (1, "")
    assert result.out.startswith("draft.md:1:24: error figure-mismatch ")
    assert sorted(path.name for path in inside.iterdir()) == sorted(["draft.md", *(f"{fmt}.out" for fmt in FORMATS)])
    for fmt in FORMATS:
        alone = check("--format", fmt, "--quiet", "draft.md").out
        assert Path(f"{fmt}.out").read_bytes() == alone.encode()
        assert "figure-mismatch" in alone


def test_standard_output_takes_one_report(check: Run) -> None:
    result = check("--output", "json=-", "--output", "junit=a.xml", "draft.md")
    assert [row["rule"] for row in json.loads(result.out)] == ["figure-mismatch"]
    assert result.err == CLOSING
    assert ET.parse("a.xml").getroot().get("failures") == "1"  # noqa: S314 - our own report
    result = check("--output", "sarif=-", "--output-file", "a.txt", "draft.md")
    assert json.loads(result.out)["version"] == "2.1.0"
    assert Path("a.txt").read_text().startswith("draft.md:1:24: error[figure-mismatch]")


def test_a_report_that_cannot_be_written_costs_no_other(check: Run) -> None:
    Path("folder").mkdir()
    named = ("--output", "sarif=no/such/a", "--output", "json=folder", "--output", "jsonl=b")
    result = check("--format", "concise", *named, "draft.md")
    assert result.code == 2
    assert result.out.startswith("draft.md:1:24: ")
    assert json.loads(Path("b").read_text())["rule"] == "figure-mismatch"
    assert result.err.splitlines()[-2:] == [
        "error: --output no/such/a: cannot be written: No such file or directory",
        "error: --output folder: cannot be written: Is a directory",
    ]


def test_a_mistake_in_an_output_is_told_before_anything_is_done(check: Run) -> None:
    result = check("--output", "sarif", "draft.md")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("error: --output sarif: write FORMAT=PATH")
    result = check("--output", "sarif=a", "--show-figures", "draft.md")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("error: --show-figures lists numbers, not findings: ")
    assert check("--format", "junit", "--show-figures", "draft.md").code == 2
    assert not Path("a").exists()


def test_no_report_takes_the_place_of_a_draft(check: Run) -> None:
    Path("link").symlink_to("draft.md")
    for named in (("--output", "json=draft.md"), ("--output", "sarif=./link"), ("--output-file", "draft.md")):
        result = check(*named, "--fix", "draft.md")
        path = named[1].rpartition("=")[2]
        assert (result.code, result.out) == (2, "")
        assert result.err == f"error: {named[0]} {path}: this is one of the drafts; give the report another path\n"
        assert Path("draft.md").read_text() == BAD


def test_a_draft_that_cannot_be_read_leaves_the_reports_whole(check: Run) -> None:
    result = check("--quiet", "--output", "sarif=a.sarif", "--format", "junit", "missing.md")
    assert (result.code, result.err) == (2, "error: missing.md: no such file or folder\n")
    assert json.loads(Path("a.sarif").read_text())["runs"][0]["results"] == []
    assert ET.fromstring(result.out.encode()).get("tests") == "1"  # noqa: S314 - our own report


def test_a_file_is_replaced_whole_and_keeps_its_mode_and_links(check: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("real.json").write_text("old")
    Path("real.json").chmod(0o640)
    os.symlink("real.json", "link.json")
    check("--output", "json=link.json", "draft.md")
    assert os.path.islink("link.json")
    assert json.loads(Path("real.json").read_text())
    assert stat.S_IMODE(os.stat("real.json").st_mode) == 0o640

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    Path("real.json").write_text("old")
    result = check("--output", "json=real.json", "draft.md")
    assert result.code == 2
    assert "--output real.json: cannot be written: No space left on device" in result.err
    assert Path("real.json").read_text() == "old"
    assert not [name for name in os.listdir() if name.startswith(".caveat")]


def test_a_device_is_written_to_and_not_replaced(check: Run) -> None:
    assert check("--quiet", "--output", f"json={os.devnull}", "draft.md").code == 1
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


def test_a_pipe_takes_a_report(inside: Path) -> None:
    (inside / "draft.md").write_text(BAD)
    os.mkfifo("pipe")
    command = [sys.executable, "-m", "caveat", "check", "--claims", CLAIMS, "--output", "jsonl=pipe", "draft.md"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as running, open("pipe", encoding="utf-8") as pipe:
        assert json.loads(pipe.read())["rule"] == "figure-mismatch"
    assert running.returncode == 1


@pytest.mark.parametrize("fmt", sorted(set(FORMATS) - {"full", "concise"}))
def test_reports_for_machines_are_utf_8_whatever_the_terminal_is(fmt: str, inside: Path) -> None:
    (inside / "图🚀.md").write_text(BAD)
    command = [sys.executable, "-m", "caveat", "check", "--claims", CLAIMS, "--format", fmt, "图🚀.md"]
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    ended = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert ended.returncode == 1
    assert ("%E5%9B%BE%F0%9F%9A%80.md" if fmt == "sarif" else "图🚀.md") in ended.stdout.decode("utf-8")


# Paths


def paths_in(result: Result, fmt: str) -> list[str]:
    if fmt == "sarif":
        results = json.loads(result.out)["runs"][0]["results"]
        return [row["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for row in results]
    if fmt == "gitlab":
        return [row["location"]["path"] for row in json.loads(result.out)]
    return [line.partition("file=")[2].partition(",")[0] for line in result.out.splitlines()]


@pytest.mark.parametrize("fmt", ["sarif", "gitlab", "github"])
@pytest.mark.parametrize("how", ["GITHUB_WORKSPACE", "CI_PROJECT_DIR", ".git"])
def test_paths_are_those_of_the_repository(
    check: Run, inside: Path, monkeypatch: pytest.MonkeyPatch, fmt: str, how: str
) -> None:
    (inside / "docs" / "deep").mkdir(parents=True)
    (inside / "docs" / "a.md").write_text(BAD)
    (inside / "docs" / "deep" / "b.md").write_text(BAD)
    if how == ".git":
        (inside / ".git").mkdir()
    else:
        monkeypatch.setenv(how, str(inside))
    monkeypatch.chdir(inside / "docs" / "deep")
    result = check("--quiet", "--format", fmt, "./b.md", "../a.md", str(inside / "draft.md"))
    assert paths_in(result, fmt) == ["docs/deep/b.md", "docs/a.md", "draft.md"]


def test_a_checkout_elsewhere_does_not_count(check: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_WORKSPACE", "/nowhere")
    assert paths_in(check("--quiet", "--format", "gitlab", "./draft.md"), "gitlab") == ["draft.md"]
    assert paths_in(check("--quiet", "--format", "gitlab", "--text", BAD), "gitlab") == ["<text>"]


# GitHub's summary


def test_the_summary_of_github_gets_a_table(check: Run, inside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (inside / "page.md").write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(inside / "page.md"))
    assert check("--quiet", "--format", "concise", "draft.md").code == 1
    assert (inside / "page.md").read_text() == "before\n"
    assert check("--quiet", "--output", "github=log", "draft.md").code == 1
    page = (inside / "page.md").read_text()
    assert page.startswith("before\n## Caveat\n")
    assert "| draft\\.md\\:1\\:24 | error | figure-mismatch |" in page


def test_a_summary_that_cannot_be_written_is_an_error_and_costs_no_report(
    check: Run, inside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(inside))
    result = check("--quiet", "--format", "github", "draft.md")
    assert result.code == 2
    assert result.out.startswith("::error title=figure-mismatch,file=draft.md,")
    assert result.err == f"error: GITHUB_STEP_SUMMARY {inside}: cannot be written: Is a directory\n"
