"""What happens to files while people work on them: half written, deleted, not readable, with odd names."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from caveat.options import FORMATS
from caveat.running import files
from commands import Run
from test_cli import BAD, GOOD, write
from test_diff import QUIET, commit, git

CONFIG = 'claims = ["starter", "claims"]\nbaseline = "known.json"\n[per-file-ignores]\n"old/" = ["undated-price"]\n'
REGISTRY = """\
vendors: {acme: {name: Acme}}
products: {rocket: {name: Rocket, vendor: acme, unit: chip}}
sources: {sheet: {title: Sheet, publisher: acme, kind: vendor-doc}}
claims:
  - id: rocket-memory
    product: rocket
    metric: memory-capacity
    value: 64 GB
    source: sheet
"""
ODD = ["a b.md", "a: b.md", "é図.md", "a\nb.md", "a'\"$(x)`.md", "-a.md", "a%20b,c;d.md", "[a](b)*.md"]


@pytest.fixture
def project(run: Run) -> None:
    """A project with a configuration, a registry and a baseline, and a draft elsewhere that needs none of them."""
    write(("work/caveat.toml", CONFIG), ("work/claims/a.yaml", REGISTRY), ("work/a.md", BAD), ("other/b.md", BAD))
    assert run("baseline", "--quiet", "work").code == 0


def cut(path: str, share: float) -> None:
    """A file as it is while somebody's editor still writes it."""
    data = Path(path).read_bytes()
    Path(path).write_bytes(data[: int(len(data) * share)])


@pytest.mark.parametrize(
    ("path", "share", "message"),
    [
        ("work/caveat.toml", 0.2, "error: work/caveat.toml:1:2"),
        ("work/claims/a.yaml", 0.8, "work/claims/a.yaml:8:1: not valid YAML: "),
        ("work/known.json", 0.5, "error: work/known.json:4:"),
    ],
)
def test_a_half_written_file_is_named_with_its_place(
    run: Run, project: None, path: str, share: float, message: str
) -> None:
    assert run("check", "work").code == 0
    cut(path, share)
    result = run("check", "--format", "concise", "--quiet", "work", "other")
    assert result.code == 2
    assert result.err.startswith(message)
    assert [line.partition(":")[0] for line in result.out.splitlines()] == ["other/b.md"]


@given(which=st.sampled_from(["caveat.toml", "claims/a.yaml", "known.json"]), share=st.floats(0, 1))
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_file_cut_anywhere_is_sound_or_named(run: Run, project: None, which: str, share: float) -> None:
    path = f"work/{which}"
    whole = Path(path).read_bytes()
    try:
        cut(path, share)
        result = run("check", "--format", "json", "--quiet", "work", "other")
    finally:
        Path(path).write_bytes(whole)
    assert result.code in {1, 2}
    assert "fault in Caveat" not in result.err
    assert result.code == 1 or f"{path}:" in result.err or "work/claims" in result.err
    assert json.loads(result.out)[-1]["filename"] == "other/b.md"


@pytest.mark.parametrize("command", [["check", "--format", "json"], ["baseline"]])
def test_a_draft_that_is_deleted_before_it_is_read(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    write(("a.md", BAD), ("b.md", BAD), ("c.md", BAD))
    listed = files.find_drafts

    def find_and_lose(*arguments: Any, **more: Any) -> files.Drafts:
        drafts = listed(*arguments, **more)
        os.unlink("b.md")
        return drafts

    monkeypatch.setattr(files, "find_drafts", find_and_lose)
    result = run(*command, "--quiet", ".")
    assert (result.code, result.err) == (2, "error: b.md: cannot be read: No such file or directory\n")
    recorded = Path(".caveat-baseline.json").read_text() if command == ["baseline"] else result.out
    assert "a.md" in recorded
    assert "c.md" in recorded


def test_a_folder_that_cannot_be_read_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write(("a.md", BAD), ("closed/b.md", BAD))
    scan = os.scandir

    def refuse(path: str) -> Any:
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    result = run("check", "--format", "concise", "--quiet", ".")
    assert (result.code, result.err) == (2, "error: closed: cannot be read: Permission denied\n")
    assert result.out.startswith("a.md:1:24: ")


def test_links_that_lead_nowhere_are_passed_over_unless_they_are_named(run: Run) -> None:
    write(("a.md", GOOD))
    Path("loop.md").symlink_to("loop.md")
    Path(".#a.md").symlink_to("somebody@host.1234")  # how an editor says that it has a file open
    os.mkfifo("pipe.md")
    assert run("check", "--quiet", ".").code == 0
    result = run("check", "--quiet", "loop.md", "a.md")
    assert (result.code, result.err) == (2, "error: loop.md: no such file or folder\n")


def test_a_cache_folder_that_cannot_be_made_is_said_and_does_without(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write(("a.md", BAD), ("file", ""))
    monkeypatch.setenv("CAVEAT_CACHE_DIR", "file/cache")
    result = run("check", "--format", "concise", "a.md")
    assert result.code == 1
    assert result.err.startswith(f"note: {os.path.abspath('file/cache')}: not used as a cache: Not a directory\n")
    assert run("check", "--quiet", "--format", "concise", "a.md") == result._replace(err="")


def test_a_cache_folder_that_cannot_be_written_is_said_and_still_read(
    run: Run, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(("a.md", BAD), ("b.md", BAD))
    first = run("check", "--format", "concise", "--quiet", "a.md")
    kept = [path for path in own_cache.rglob("*") if path.is_file()]
    opened = os.open

    def refuse(path: str, flags: int, *more: int) -> int:
        if flags & os.O_CREAT and str(path).startswith(str(own_cache)):
            raise OSError(30, "Read-only file system", path)
        return opened(path, flags, *more)

    monkeypatch.setattr(os, "access", lambda path, _: str(path) != str(own_cache))
    monkeypatch.setattr(os, "open", refuse)
    again = run("check", "--format", "concise", "a.md", "b.md")
    assert again.out == first.out + first.out.replace("a.md", "b.md")
    assert again.err.startswith(f"note: {own_cache}: nothing is added to this cache: it cannot be written\n")
    assert [path for path in own_cache.rglob("*") if path.is_file()] == kept


def test_a_repository_without_a_commit(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in QUIET.items():
        monkeypatch.setenv(name, value)
    git("init", "--quiet")
    write(("a.md", BAD))
    result = run("check", "--diff", "HEAD", "a.md")
    assert (result.code, result.out) == (2, "")
    assert "has no commit yet; leave --diff out to check all drafts" in result.err
    assert run("check", "--quiet", "a.md").code == 1
    assert run("baseline", "--quiet").code == 0
    assert run("check", "--quiet", "--baseline", ".caveat-baseline.json").code == 0
    assert run("init").code == 0


@pytest.mark.parametrize("name", ODD)
def test_an_odd_name_is_a_name_to_every_command(run: Run, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    for variable, value in QUIET.items():
        monkeypatch.setenv(variable, value)
    git("init", "--quiet", "--initial-branch", "main")
    commit(("first.md", GOOD))
    write((f"d/{name}", BAD), ("list", f"d/{name}\0"))

    def checked(*arguments: str) -> list[str]:
        rows = json.loads(run("check", "--quiet", "--format", "json", *arguments).out)
        return [row["filename"] for row in rows]

    assert checked() == checked("d") == checked("--", f"d/{name}") == [f"d/{name}"]
    assert checked("--diff", "main") == checked("--files-from", "list") == [f"d/{name}"]
    for form in FORMATS:
        assert run("check", "--quiet", "--format", form, "d").code == 1
    assert run("baseline", "--quiet").code == 0
    assert run("check", "--quiet", "--baseline", ".caveat-baseline.json").code == 0
    assert run("config", "--", f"d/{name}").code == 0
