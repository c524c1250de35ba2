"""What every test gets: an environment without the traces of whoever runs it."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from caveat.__main__ import main
from commands import Result, Run

OURS = (
    *("CAVEAT_", "NO_COLOR", "FORCE_COLOR", "XDG_CACHE_HOME", "COLUMNS", "TERM", "PYTHONIOENCODING"),
    *("GITHUB_", "CI_PROJECT_DIR", "GIT_", "PRE_COMMIT", "PREK_"),
)


@pytest.fixture(scope="session")
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache for all tests of a run, so that each registry is compiled once."""
    folder = tmp_path_factory.mktemp("cache")
    folder.chmod(0o700)
    return folder


@pytest.fixture
def calls() -> Callable[[Callable[[], object]], int]:
    """Counts the calls that a piece of work takes: its cost, the same on every machine."""

    def count(work: Callable[[], object]) -> int:
        events: list[None] = []
        before = sys.getprofile()
        sys.setprofile(lambda *_: events.append(None))
        try:
            work()
        finally:
            sys.setprofile(before)
        return len(events)

    return count


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, shared_cache: Path) -> None:
    """No variable of the user's reaches a test, and nothing is kept in the user's cache."""
    for name in list(os.environ):
        if name.startswith(OURS):
            monkeypatch.delenv(name)
    monkeypatch.setenv("CAVEAT_CACHE_DIR", str(shared_cache))
    monkeypatch.setenv("CAVEAT_COMPILE", "never")  # what a test installs must be there soon


@pytest.fixture
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty cache for one test."""
    folder = tmp_path_factory.mktemp("cache")
    folder.chmod(0o700)
    monkeypatch.setenv("CAVEAT_CACHE_DIR", str(folder))
    return folder


@pytest.fixture
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(inside: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command in this process, in an empty folder."""

    def run_here(*arguments: str, stdin: bytes = b"") -> Result:
        monkeypatch.setattr(sys, "argv", ["caveat", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = main()
        return Result(code, *capsys.readouterr())

    return run_here
