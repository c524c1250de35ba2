"""What every test gets: an environment without the traces of whoever runs it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

OURS = ("CAVEAT_", "NO_COLOR", "FORCE_COLOR", "XDG_CACHE_HOME", "COLUMNS", "TERM", "PYTHONIOENCODING")


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No variable of the user's reaches a test, and the cache is a folder of the test's own."""
    for name in list(os.environ):
        if name.startswith(OURS):
            monkeypatch.delenv(name)
    cache = tmp_path_factory.mktemp("cache")
    cache.chmod(0o700)
    monkeypatch.setenv("CAVEAT_CACHE_DIR", str(cache))


@pytest.fixture
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
