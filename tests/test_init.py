"""`caveat init`: what it writes in which folder, what it leaves alone, and that what it writes works."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from syrupy.assertion import SnapshotAssertion

from commands import Result, Run

ROOT = Path(__file__).parent.parent
WRITTEN = ["caveat.toml", "claims/example.yaml", ".pre-commit-config.yaml", ".github/workflows/caveat.yaml"]


def files(folder: str = ".") -> set[str]:
    return {path.relative_to(folder).as_posix() for path in Path(folder).rglob("*") if path.is_file()}


def test_an_empty_folder_gets_all_of_it_and_it_works(run: Run, snapshot: SnapshotAssertion) -> None:
    result = run("init")
    assert result == snapshot
    assert files() == set(WRITTEN)
    assert run("claims", "check").code == 0
    Path("draft.md").write_text("The Acme Two has 48 GB, according to the Acme Two data sheet.\n")
    assert "figure-mismatch 48 GB" in run("check", "--format", "concise").out


def test_every_key_that_the_configuration_shows_may_be_said(run: Run) -> None:
    run("init")
    Path("base.toml").write_text('severity = "info"\n')
    text = Path("caveat.toml").read_text().replace("../caveat.toml", "base.toml")
    shown = [line.removeprefix("# ") for line in text.splitlines() if " = " in line or line.startswith("# [")]
    Path("caveat.toml").write_text("\n".join(shown))
    Path("rules").mkdir()
    Path("draft.md").write_text("Nothing.\n")
    assert run("baseline", "--quiet").code == 0
    assert run("check", "--quiet") == Result(0, "Seen: no figures in 1 draft.\nFound: nothing.\n", "")
    assert "default" not in run("config").out


def test_a_second_time_nothing_is_written(run: Run, snapshot: SnapshotAssertion) -> None:
    run("init")
    before = {name: Path(name).read_bytes() for name in files()}
    assert run("init") == snapshot
    assert {name: Path(name).read_bytes() for name in files()} == before


def test_what_is_not_wanted_is_not_written(run: Run) -> None:
    result = run("init", "new/folder", "--no-hooks", "--no-workflow", "--no-claims")
    assert (result.code, files()) == (0, {"new/folder/caveat.toml"})
    assert "pre-commit" not in result.out
    assert 'claims = ["starter"]\n' in Path("new/folder/caveat.toml").read_text()


def test_hooks_that_are_there_are_left_alone_and_shown_what_to_add(run: Run, snapshot: SnapshotAssertion) -> None:
    existing = "repos:\n  - repo: local\n    hooks: []\n"
    Path(".pre-commit-config.yaml").write_text(existing)
    result = run("init", "--no-workflow")
    assert result == snapshot
    assert Path(".pre-commit-config.yaml").read_text() == existing
    to_add = result.out.partition("under `repos:`:\n")[2].partition("\nNext:")[0]
    both = yaml.safe_load(existing + to_add)
    assert [hook["id"] for hook in both["repos"][1]["hooks"]] == ["caveat", "caveat-all"]


def test_hooks_that_somebody_has_already_are_not_offered_again(run: Run) -> None:
    hook = "repos:\n  - repo: https://example.com/caveat\n    rev: v1\n    hooks: [{id: caveat}]\n"
    Path(".pre-commit-config.yaml").write_text(hook)
    assert "  .pre-commit-config.yaml: it has the hooks already\n" in run("init").out


@pytest.mark.parametrize(
    ("name", "text"), [(".caveat.toml", ""), ("caveat.toml", "broken ="), ("pyproject.toml", "[tool.caveat]\n")]
)
def test_a_configuration_of_any_name_is_left_alone(run: Run, name: str, text: str) -> None:
    Path(name).write_text(text)
    assert f"caveat.toml: {'it' if name == 'caveat.toml' else name} is there already" in run("init").out
    assert Path(name).read_text() == text
    assert Path("caveat.toml").exists() == (name == "caveat.toml")


def test_a_configuration_that_is_there_already_is_shown_the_key_for_the_registry(run: Run) -> None:
    Path("pyproject.toml").write_text("[tool.caveat]\n")
    said = 'To add to pyproject.toml, under `[tool.caveat]`:\n  claims = ["starter", "claims"]\n'
    assert said in run("init").out
    Path("pyproject.toml").write_text('[tool.caveat]\nclaims = "starter"\n')
    assert "To add to pyproject.toml" not in run("init").out


def test_a_pyproject_of_others_does_not_count(run: Run) -> None:
    Path("pyproject.toml").write_text('[project]\nname = "caveat"\n')
    run("init")
    assert Path("caveat.toml").exists()


def test_a_folder_of_other_claims_is_no_registry(run: Run) -> None:
    Path("claims").mkdir()
    Path("claims/insurance.yaml").write_text("damage: high\n")
    result = run("init")
    assert "claims: no sound registry beside the starter one; `caveat claims check --claims claims` says" in result.out
    assert 'claims = ["starter"]\n' in Path("caveat.toml").read_text()
    assert run("claims", "check").code == 0


def test_a_folder_in_a_repository_gets_its_hooks_at_the_root(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    subprocess.run(["git", "init", "--quiet"], check=True)
    folder = Path("my drafts: é")
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert run("init").code == 0
    assert files() == {"caveat.toml", "claims/example.yaml"}
    monkeypatch.chdir("..")
    one, every = yaml.safe_load(Path(".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"][0]["hooks"]
    assert one["files"] == "^my\\ drafts:\\ é/"
    assert every["entry"] == "caveat check 'my drafts: é'"
    steps = yaml.safe_load(Path(".github/workflows/caveat.yaml").read_text(encoding="utf-8"))["jobs"]["claims"]["steps"]
    assert steps[-1] == {"run": "caveat check --format github 'my drafts: é'"}


def test_a_folder_that_cannot_be_written_is_named(run: Run) -> None:
    Path("file").write_text("")
    result = run("init", "file")
    assert (result.code, result.out, result.err) == (2, "", "error: file: cannot be written: File exists\n")


def test_what_cannot_be_written_costs_nothing_else(run: Run) -> None:
    Path(".github").write_text("")
    result = run("init")
    assert result.code == 2
    assert result.err == "error: .github/workflows: cannot be written: Not a directory\n"
    assert files() == {".github", *WRITTEN} - {WRITTEN[-1]}
    assert "Written:\n  claims/example.yaml" in result.out


def test_a_file_that_appears_in_the_meantime_is_not_overwritten(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    link = os.link

    def be_late(passing: str, path: str) -> None:
        Path(path).write_text("somebody else's\n")
        link(passing, path)

    monkeypatch.setattr(os, "link", be_late)
    result = run("init", "--no-claims", "--no-hooks", "--no-workflow")
    assert (result.code, result.err) == (2, "error: caveat.toml: cannot be written: File exists\n")
    assert Path("caveat.toml").read_text() == "somebody else's\n"
    assert files() == {"caveat.toml"}


def test_where_gitlab_is_in_use_its_job_is_shown(run: Run) -> None:
    Path(".gitlab-ci.yml").write_text("stages: [test]\n")
    result = run("init")
    assert files() == {".gitlab-ci.yml", *WRITTEN} - {WRITTEN[-1]}
    job = result.out.partition("To add to .gitlab-ci.yml:\n")[2].partition("\nNext:")[0]
    assert yaml.safe_load(job)["caveat"]["artifacts"]["reports"] == {"codequality": "gl-code-quality-report.json"}
    Path(".gitlab-ci.yml").write_text("stages: [test]\n" + job)
    assert "  .gitlab-ci.yml: it has the job already\n" in run("init").out


@pytest.mark.parametrize("name", ["a\nb", 'it\'s "so": #1', "${{ secrets.A }}", os.fsdecode(b"\xff"), "-x"])
def test_a_folder_may_have_any_name(run: Run, name: str) -> None:
    subprocess.run(["git", "init", "--quiet"], check=True)
    assert run("init", "--", name).code == 0
    one, every = yaml.safe_load(Path(".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"][0]["hooks"]
    assert re.search(one["files"], f"{name}/a.md")
    assert re.search(every["files"], f"{name}/claims/a.yaml")
    assert os.path.normpath(shlex.split(every["entry"])[-1]) == name
    steps = yaml.safe_load(Path(".github/workflows/caveat.yaml").read_text(encoding="utf-8"))["jobs"]["claims"]["steps"]
    assert os.path.normpath(shlex.split(steps[-1]["run"].replace("${{ '${{' }}", "${{"))[-1]) == name


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_hooks_and_workflow_say_what_pre_commit_and_github_want(run: Run) -> None:
    run("init")
    hooks = yaml.safe_load(Path(".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    assert [(hook["id"], hook["language"]) for hook in hooks] == [("caveat", "system"), ("caveat-all", "system")]
    assert "files" not in hooks[0]
    workflow = yaml.load(Path(".github/workflows/caveat.yaml").read_text(), Loader=yaml.BaseLoader)  # noqa: S506 - a safe one
    assert set(workflow) == {"name", "on", "permissions", "jobs"}


def test_the_hooks_are_those_that_other_repositories_take(run: Run) -> None:
    run("init")
    (local,) = yaml.safe_load(Path(".pre-commit-config.yaml").read_text())["repos"]
    manifest = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    for written, offered in zip(local["hooks"], manifest, strict=True):
        about_offering = {"description", "minimum_pre_commit_version"}
        assert written == {key: offered[key] for key in offered if key not in about_offering} | {"language": "system"}
