"""The GitHub Action and the GitLab job: each script run as a runner would run it, and nothing let in by an input."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from commands import Run
from github_runner import Expression, Ran, filled, run_action
from test_cli import BAD, GOOD, write
from test_diff import QUIET, commit, git

ROOT = Path(__file__).parent.parent
CAVEAT = os.path.join(sysconfig.get_path("scripts"), "caveat")
DOES: dict[str, dict[str, str]] = {
    "actions/setup-python": {"python-path": sys.executable},
    "github/codeql-action/upload-sarif": {},
}
Act = Callable[..., Ran]
OTHER = "The MI300X has 256 GB of HBM3, according to AMD's data sheet.\n"


@pytest.fixture
def temporary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder for what a job needs while it runs."""
    return tmp_path_factory.mktemp("runner")


@pytest.fixture
def act(inside: Path, temporary: Path) -> Act:
    """Run the action in the working folder, with a Caveat that is installed already."""
    action = temporary / "action"
    action.mkdir()
    about = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    install = next(step for step in about["runs"]["steps"] if step.get("id") == "install")
    install["run"] = f'echo "caveat={CAVEAT}" >> "$GITHUB_OUTPUT"\n'
    (action / "action.yml").write_text(yaml.safe_dump(about, sort_keys=False))

    def act_here(given: dict[str, str] | None = None, **variables: str) -> Ran:
        return run_action(action, inside, temporary, given or {}, DOES, **variables)

    return act_here


def files_in(log: str) -> list[str]:
    """The files of the annotations."""
    return [line.partition("file=")[2].partition(",")[0] for line in log.splitlines() if line.startswith("::error")]


def test_findings_become_annotations_and_a_table(act: Act) -> None:
    write(("a.md", BAD), ("docs/b.md", BAD), ("good.md", GOOD))
    ran = act()
    assert "\n::error title=figure-mismatch,file=a.md,line=1,endLine=1,col=24,endColumn=30::a.md:1:24: " in ran.log
    assert files_in(ran.log) == ["a.md", "docs/b.md"]
    assert ran.page.startswith("## Caveat\n")
    assert (ran.code, ran.outputs) == (1, {"exit-code": "1", "sarif-file": ""})
    assert set(ran.used) == {"actions/setup-python"}


def test_the_exit_code_is_that_of_the_check(act: Act) -> None:
    write(("a.md", GOOD))
    assert act().code == 0
    missing = act({"paths": "a.md\nmissing.md"})
    assert (missing.code, missing.outputs["exit-code"]) == (2, "2")
    assert "error: missing.md: no such file or folder" in missing.log


def test_paths_and_arguments_are_one_a_line(act: Act) -> None:
    write(("a b.md", BAD), ("c.md", BAD), ("-d.md", BAD), ("e/f.md", BAD))
    assert files_in(act({"paths": "a b.md\n\n-d.md\n"}).log) == ["a b.md", "-d.md"]
    assert act({"arguments": "--select\nmixed-sparsity\n--output=json=report of today.json"}).code == 0
    assert json.loads(Path("report of today.json").read_text()) == []


HOSTILE = ["$(touch owned)", "`touch owned`", "'; touch owned; '", '"; touch owned; "', "touch owned", "* ${{ 1 }}"]


@pytest.mark.parametrize("name", ["paths", "arguments", "changed-only", "upload-sarif"])
def test_no_input_is_ever_run(act: Act, name: str) -> None:
    write(("a.md", BAD))
    assert act({name: "\n".join(HOSTILE)}).code == 2
    assert not Path("owned").exists()


def test_an_odd_name_is_a_name(act: Act) -> None:
    name = '$(touch owned) it\'s "é", a:b.md'
    write((name, BAD))
    ran = act({"paths": name})
    assert ran.code == 1
    assert '\n::error title=figure-mismatch,file=$(touch owned) it\'s "é"%2C a%3Ab.md,line=1' in ran.log
    assert not Path("owned").exists()


def test_the_branch_of_a_pull_request_is_never_run(act: Act) -> None:
    git("init", "--quiet")
    commit(("a.md", BAD))
    ran = act({"changed-only": "true"}, GITHUB_BASE_REF="$(touch${IFS}owned)")
    assert (ran.code, Path("owned").exists()) == (2, False)
    assert "--diff origin/$(touch${IFS}owned): git knows no such commit, branch or tag" in ran.log


def test_only_what_a_pull_request_changes(act: Act, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in QUIET.items():
        monkeypatch.setenv(name, value)
    git("init", "--quiet", "--initial-branch", "work")
    commit(("a.md", BAD), ("b.md", GOOD))
    git("update-ref", "refs/remotes/origin/main", "HEAD")
    commit(("b.md", OTHER))
    commit(("c.md", OTHER))
    only = {"changed-only": "true"}
    assert files_in(act(only, GITHUB_BASE_REF="main").log) == ["b.md", "c.md"]
    assert files_in(act({**only, "paths": "c.md"}, GITHUB_BASE_REF="main").log) == ["c.md"]
    assert files_in(act(GITHUB_BASE_REF="main").log) == ["a.md", "b.md", "c.md"]
    assert files_in(act(only, GITHUB_BASE_REF="").log) == ["a.md", "b.md", "c.md"]  # a push


def test_a_report_for_code_scanning_is_sent_even_if_there_are_findings(act: Act, temporary: Path) -> None:
    write(("a.md", BAD))
    ran = act({"upload-sarif": "true"})
    report = str(temporary / "caveat.sarif")
    assert (ran.code, ran.outputs["sarif-file"]) == (1, report)
    assert ran.used["github/codeql-action/upload-sarif"] == {"sarif_file": report, "category": "caveat"}
    assert len(json.loads(Path(report).read_text())["runs"][0]["results"]) == 1
    assert files_in(ran.log) == ["a.md"]


def test_a_switch_is_on_or_off_and_nothing_else(act: Act) -> None:
    write(("a.md", BAD))
    ran = act({"changed-only": "yes"})
    assert (ran.code, ran.outputs["exit-code"]) == (2, "2")
    assert ran.log == "::error::the input changed-only is to be true or false\n"


def test_a_report_that_was_not_written_is_not_sent(act: Act) -> None:
    write(("a.md", BAD), ("caveat.toml", "selct = []\n"))
    ran = act({"upload-sarif": "true"})
    assert (ran.code, ran.outputs["sarif-file"]) == (2, "")
    assert "github/codeql-action/upload-sarif" not in ran.used


def test_python_is_that_of_the_input_and_stays_out_of_the_job(act: Act) -> None:
    used = act({"python-version": "3.13"}).used["actions/setup-python"]
    assert used == {"python-version": "3.13", "update-environment": "false"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("inputs.a", "x"),
        ("inputs.none", ""),
        ("'it''s'", "it's"),
        ("inputs.a == 'X'", True),
        ("inputs.a != 'x' || always()", True),
        ("!cancelled() && inputs.none != ''", False),
        ("!(success() && failure())", True),
    ],
)
def test_expressions_are_those_of_github(text: str, value: object) -> None:
    assert Expression(text, {"inputs.a": "x"}, failed=False).value() == value
    shown = value if isinstance(value, str) else str(value).lower()
    assert filled(f"<${{{{ {text} }}}}>", {"inputs.a": "x"}) == f"<{shown}>"


# What others say about the files


def test_the_files_are_what_github_and_gitlab_take(run: Run) -> None:
    run("init")
    for schema, file in (
        ("vendor.github-actions", ROOT / "action.yml"),
        ("vendor.github-workflows", ".github/workflows/caveat.yaml"),
        ("vendor.gitlab-ci", ROOT / "templates" / "gitlab-ci.yml"),
    ):
        check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(file)]
        done = subprocess.run(check, capture_output=True, encoding="utf-8", check=False)
        assert done.returncode == 0, done.stdout


def test_the_action_and_the_workflow_open_no_door(run: Run, temporary: Path) -> None:
    rules = {"rules": {"unpinned-uses": {"config": {"policies": {"actions/*": "ref-pin", "github/*": "ref-pin"}}}}}
    (temporary / "zizmor.yml").write_text(yaml.safe_dump(rules))
    run("init")
    zizmor = os.path.join(sysconfig.get_path("scripts"), "zizmor")
    options = ["--offline", "--no-progress", "--config", str(temporary / "zizmor.yml")]
    for file in (ROOT / "action.yml", ".github/workflows/caveat.yaml"):
        done = subprocess.run([zizmor, *options, str(file)], capture_output=True, encoding="utf-8", check=False)
        assert done.returncode == 0, done.stdout


# GitLab


def test_the_job_of_gitlab_leaves_its_report_and_fails(inside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job = yaml.safe_load((ROOT / "templates" / "gitlab-ci.yml").read_text(encoding="utf-8"))["caveat"]
    install, check = job["script"]
    assert shlex.split(install)[:4] == ["python", "-m", "pip", "install"]
    write(("docs/a.md", BAD))
    monkeypatch.setenv("CI_PROJECT_DIR", str(inside))
    monkeypatch.setenv("PATH", os.path.dirname(CAVEAT), prepend=os.pathsep)
    done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", check], capture_output=True, check=False)
    assert done.returncode == 1
    rows = json.loads(Path(job["artifacts"]["reports"]["codequality"]).read_text())
    assert [row["location"]["path"] for row in rows] == ["docs/a.md"]
    assert job["artifacts"]["when"] == "always"  # or a run with findings would leave none
