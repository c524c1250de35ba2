"""A day with Caveat: from taking it up in an old archive to a change of the registry, by real git and pre-commit."""

from __future__ import annotations

import os
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from commands import Run
from test_cli import write
from test_diff import QUIET, git

SCRIPTS = sysconfig.get_path("scripts")
FLAT = "The Acme Two has 64 GB of memory, according to the Acme Two data sheet."
OWN = "The Acme Two is up to 3x faster than the Acme One."
BARE = "With its packaging it weighs 12 kg."


@pytest.fixture
def desk(run: Run, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository with 20 old drafts, on a machine where Caveat and pre-commit are installed."""
    home = str(tmp_path_factory.mktemp("home"))
    for name, value in {**QUIET, "PRE_COMMIT_HOME": home}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PATH", SCRIPTS, prepend=os.pathsep)
    git("init", "--quiet", "--initial-branch", "main")
    for number in range(20):
        write(
            (f"archive/{number:02}.md", f"# Draft {number}\n\nIt draws {300 + number} W.\n\nNothing else is known.\n")
        )
    git("add", "--all")
    git("commit", "--quiet", "--message", "what there was")


def commit(message: str) -> subprocess.CompletedProcess[str]:
    """Commit everything, as somebody would in whose repository the hooks are on."""
    git("add", "--all")
    who = ("-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
    command = ["git", *who, "commit", "--quiet", "--message", message]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


def flagged(done: subprocess.CompletedProcess[str]) -> list[str]:
    """The places and rules that a refused commit names."""
    said = done.stdout + done.stderr
    return [line.partition("] ")[0] + "]" for line in said.splitlines() if ".md:" in line and "[" in line]


def edit(path: str, old: str, new: str) -> None:
    text = Path(path).read_text(encoding="utf-8")
    assert text.count(old) == 1
    Path(path).write_text(text.replace(old, new), encoding="utf-8")


def quick_fix(path: str, finding: dict[str, Any]) -> None:
    """Apply the fix of a finding as an editor does: its edits, from the last to the first."""
    rows = Path(path).read_text(encoding="utf-8").split("\n")
    for edit in reversed(finding["fix"]["edits"]):
        row, start, end = (edit["location"]["row"], edit["location"]["column"], edit["end_location"]["column"])
        assert edit["end_location"]["row"] == row
        line = rows[row - 1]
        rows[row - 1] = line[: start - 1] + edit["content"] + line[end - 1 :]
    Path(path).write_text("\n".join(rows), encoding="utf-8")


def test_a_day(run: Run, desk: None) -> None:
    # Taking it up: what was there before is recorded, and the first commit passes.
    assert run("init").code == 0
    edit("caveat.toml", '# baseline = ".caveat-baseline.json"', 'baseline = ".caveat-baseline.json"')
    recorded = run("baseline")
    assert (recorded.code, recorded.out) == (
        0,
        ".caveat-baseline.json: 20 findings in 20 drafts; 20 added, 0 removed.\n",
    )
    subprocess.run(["pre-commit", "install"], check=True, capture_output=True)
    done = commit("Caveat is taken up")
    assert done.returncode == 0, done.stderr

    # A new draft with three bad sentences is refused, and the old ones are not held against its writer.
    write(("new.md", f"# The Acme Two\n\n{FLAT}\n\n{OWN}\n\n{BARE}\n"))
    done = commit("a new draft")
    assert done.returncode == 1
    assert flagged(done) == [
        "new.md:3:18: warning[dropped-qualifier]",
        "new.md:5:23: error[self-comparison-as-independent]",
        "new.md:7:30: warning[unsourced-figure]",
    ]

    # Two are mended by a quick fix, and one is left as it is for a reason.
    for finding in run_json(run, "new.md"):
        if finding["rule"] != "unsourced-figure":
            quick_fix("new.md", finding)
    edit("new.md", BARE, f"{BARE} <!-- caveat: ignore[unsourced-figure] weighed by us in March -->")
    done = commit("a new draft")
    assert done.returncode == 0, done.stderr

    # A value of the registry changes. First a fault in it is named, then the draft that prints the old value.
    edit("claims/example.yaml", "value: 64 GB", "value: 80 GB")
    done = commit("a new value")
    assert done.returncode == 1
    assert "claims/example.yaml:" in done.stderr
    assert 'claim "acme-rack-memory"' in done.stderr
    edit("claims/example.yaml", "value: 512 GB", "value: 640 GB")
    edit("claims/example.yaml", "evidence: Up to 64 GB of memory", "evidence: Up to 80 GB of memory")
    done = commit("a new value")
    assert done.returncode == 1
    assert flagged(done) == ["new.md:3:24: error[figure-mismatch]"]
    edit("new.md", "64 GB", "80 GB")
    done = commit("a new value")
    assert done.returncode == 0, done.stderr
    assert git("status", "--porcelain") == ""
    assert len(git("log", "--format=%s").splitlines()) == 4


def run_json(run: Run, path: str) -> list[dict[str, Any]]:
    import json

    rows: list[dict[str, Any]] = json.loads(run("check", "--format", "json", path).out)
    return rows
