"""What installs Caveat by pip, done for real: the hooks from this checkout, by pre-commit and prek, and the action."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from github_runner import run_action
from test_action import DOES, files_in
from test_cli import BAD, CLAIMS, GOOD, write
from test_diff import QUIET, git

ROOT = Path(__file__).parent.parent
SCRIPTS = sysconfig.get_path("scripts")
ONE, ALL = "claims in changed drafts", "claims in all drafts, when registry, rules or configuration change"

Hook = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with all that is in this one, committed or not."""
    copy = tmp_path_factory.mktemp("caveat")
    listed = git("ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT)
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)
    git("init", "--quiet", cwd=copy)
    git("add", "--all", cwd=copy)
    git("commit", "--quiet", "--message", "all of it", cwd=copy)
    return copy


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Where pre-commit and prek keep the environments that they install hooks into: once for all tests."""
    return {name: str(tmp_path_factory.mktemp(name)) for name in ("PRE_COMMIT_HOME", "PREK_HOME")}


@pytest.fixture(params=["pre-commit", "prek"])
def hook(
    request: pytest.FixtureRequest,
    checkout: Path,
    homes: dict[str, str],
    inside: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Hook:
    """Run one of the two programs in a repository whose configuration takes the hooks from the checkout."""
    for name, value in {**homes, **QUIET}.items():
        monkeypatch.setenv(name, value)
    repository = {"repo": str(checkout), "rev": git("rev-parse", "HEAD", cwd=checkout).strip()}
    hooks = [{"id": "caveat"}, {"id": "caveat-all"}]
    write((".pre-commit-config.yaml", yaml.safe_dump({"repos": [{**repository, "hooks": hooks}]})))
    shutil.copytree(CLAIMS, "claims")
    write(("caveat.toml", 'claims = "claims"\nexclude = ["old/"]\n'))
    git("init", "--quiet", "--initial-branch", "main")
    git("add", "--all")
    git("commit", "--quiet", "--no-verify", "--message", "begin")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [os.path.join(SCRIPTS, request.param), *arguments]
        return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)

    return run


def verdicts(done: subprocess.CompletedProcess[str]) -> dict[str, str]:
    """What became of each hook: Passed, Failed or Skipped."""
    dotted = [line for line in done.stdout.splitlines() if line.startswith("claims in ") and "..." in line]
    names = {line.partition("...")[0].rstrip("."): line for line in dotted}
    return {name: line.rpartition(".")[2].rpartition(")")[2].strip() for name, line in names.items()}


def test_a_changed_draft_is_checked_and_no_other(hook: Hook) -> None:
    write(("before.md", BAD))
    git("add", "--all")
    git("commit", "--quiet", "--no-verify", "--message", "an old one")
    write(("good.md", GOOD), ("notes.txt", BAD), ("old/excluded.md", BAD))
    git("add", "--all")
    done = hook("run")
    assert (done.returncode, verdicts(done)) == (0, {ONE: "Passed", ALL: "Skipped"}), done.stdout + done.stderr
    write(("one two: é.md", BAD), ("page.mdx", BAD))
    git("add", "--all")
    done = hook("run")
    assert (done.returncode, verdicts(done)) == (1, {ONE: "Failed", ALL: "Skipped"})
    assert "one two: é.md:1:24: error[figure-mismatch]" in done.stdout
    assert "page.mdx:1:24: error[figure-mismatch]" in done.stdout
    assert "before.md" not in done.stdout


@pytest.mark.parametrize("changed", ["claims/aws.yaml", "caveat.toml", "rules/mine.yaml", ".caveat-baseline.json"])
def test_all_drafts_are_checked_when_what_they_are_checked_against_changes(hook: Hook, changed: str) -> None:
    write(("before.md", BAD), ("old/excluded.md", BAD))
    git("add", "--all")
    git("commit", "--quiet", "--no-verify", "--message", "old ones")
    write(("data/other.yaml", "a: 1\n"))
    git("add", "--all")
    done = hook("run")
    assert verdicts(done) == {ONE: "Skipped", ALL: "Skipped"}
    os.makedirs(os.path.dirname(changed) or ".", exist_ok=True)
    with open(changed, "a", encoding="utf-8") as file:
        file.write("# more\n")
    git("add", "--all")
    done = hook("run")
    assert (done.returncode, verdicts(done)) == (1, {ONE: "Skipped", ALL: "Failed"})
    assert "before.md:1:24: error[figure-mismatch]" in done.stdout
    assert "excluded.md" not in done.stdout


def test_a_repository_without_a_commit(hook: Hook) -> None:
    git("update-ref", "-d", "HEAD")
    write(("draft.md", BAD))
    git("add", "--all")
    done = hook("run")
    assert (done.returncode, verdicts(done)) == (1, {ONE: "Failed", ALL: "Failed"})
    assert "draft.md:1:24: error[figure-mismatch]" in done.stdout


def test_the_action_installs_caveat_from_its_own_checkout(
    checkout: Path, inside: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    temporary = tmp_path_factory.mktemp("runner of jobs")
    write(("a.md", BAD), ("venv.py", "raise SystemExit('a draft was run')\n"), ("pip.py", "raise SystemExit(3)\n"))
    ran = run_action(checkout, inside, temporary, {}, DOES)
    assert (ran.code, files_in(ran.log)) == (1, ["a.md"]), ran.log
    installed = next(temporary.glob("caveat/lib/*/site-packages/caveat/data"))
    assert {path.name for path in installed.iterdir()} >= {"claims", "rules", "templates"}
    assert sys.executable not in ran.log
