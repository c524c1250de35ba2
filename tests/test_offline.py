"""Nothing is fetched: every command runs in a process that ends at once when anything asks for the network."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from caveat.cli import main
from caveat.options import FORMATS
from test_cli import BAD, CLAIMS, write
from test_diff import QUIET, commit, git

# What is run before Caveat: a hook that no `except` catches. Programs that are started are named on standard error.
GUARD = """
import os, shlex, sys

FORBIDDEN = ("socket.connect", "socket.getaddrinfo", "socket.gethost", "socket.getname", "socket.sendto", "socket.bind")

def watch(event, details):
    if event.startswith(FORBIDDEN + ("urllib.", "http.", "ftplib.", "smtplib.")):
        os.write(2, f"NETWORK {event} {details}\\n".encode())
        os._exit(99)
    if event in ("subprocess.Popen", "os.exec", "os.posix_spawn", "os.system"):
        os.write(2, f"PROGRAM {details}\\n".encode())

sys.addaudithook(watch)
from caveat.__main__ import main
for line in sys.argv[1:]:
    os.write(2, f"RUN {line}\\n".encode())
    sys.argv = ["caveat", *shlex.split(line)]
    os.write(2, f"\\nCODE {main()}\\n".encode())
"""
OWN = """vendors: {acme: {name: Acme}}
products: {rocket: {name: Rocket, vendor: acme, unit: chip}}
sources: {sheet: {title: Sheet, publisher: acme, kind: vendor-doc, url: https://example.com/sheet}}
claims: [{id: rocket-memory, product: rocket, metric: memory-capacity, value: 64 GB, source: sheet}]
"""
PAGE = "<!doctype html><title>Rocket</title><p>It has 64 GB. <img src=https://example.com/a.png><script src=//x.org/a>"
LINKS = "See https://example.com/a, [b](http://example.com/b) and ![c](https://example.com/c.png).\n"
EVERYWHERE = " ".join(f"--output {form}=report.{form}" for form in FORMATS)

COMMANDS = {
    "check": [
        "check --no-cache .",
        "check --workers 3 --no-cache .",
        f"check {EVERYWHERE} a.md",
        "check --diff main",
        "check --show-figures a.md",
        "check --diff-fixes --unsafe-fixes a.md",
        "check --statistics --no-suppressions a.md",
        "check --show-files .",
        f"check --claims {CLAIMS} --text 'See https://example.com: 4x.'",
    ],
    "baseline": ["baseline", "baseline --prune"],
    "config": ["config a.md"],
    "init": ["init new"],
    "schema": ["schema config", "schema registry", "schema rule"],
    "rules": ["rules"],
    "explain": ["explain mixed-sparsity"],
    "claims check": ["claims check"],
    "claims compare": ["claims compare trainium3 b200"],
    "claims list": ["claims list --format json"],
    "claims harvest": ["claims harvest a.md", "claims harvest a.md --write own.yaml"],
    "claims show": ["claims show mi300x-memory"],
    "claims uses": ["claims uses mi300x-memory ."],
    "claims diff": ["claims diff main --claims own a.md"],
    "claims snapshot": ["claims snapshot --claims acme sheet --from page.html"],
    "claims verify": ["claims verify --claims acme"],
    "claims table": ["claims table trainium3 b200 --fenced"],
    "claims export": [
        "claims export --to jsonld",
        "claims export --to csv -o a.csv",
        "claims export --to sqlite -o a.db",
    ],
    "claims import": ["claims import a.csv --write new.yaml"],
    "report": ["report a.md -o site"],
    "lsp": ["lsp"],
    "sync": ["sync", "sync --diff"],
}


def guarded(*lines: str) -> subprocess.CompletedProcess[str]:
    """Run commands one after the other in a process under the guard, standard input being empty."""
    return subprocess.run(
        [sys.executable, "-c", GUARD, *lines],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
        env={**os.environ, **QUIET},
    )


def names(group: click.Group, before: str = "") -> Iterator[str]:
    """The names of all commands, those of groups with the group's before them."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from names(command, f"{name} ")
        else:
            yield before + name


def test_every_command_is_run_here() -> None:
    assert set(COMMANDS) == set(names(main))


def test_no_command_makes_a_connection(inside: Path, own_cache: Path) -> None:
    git("init", "--quiet", "--initial-branch", "main")
    shutil.copytree(CLAIMS, "own")
    commit(("b.md", BAD))
    write(("acme/acme.yaml", OWN), ("page.html", PAGE))
    write(("a.md", BAD + LINKS), *((name, BAD + "Filler.\n" * 10_000) for name in ("c.md", "d.md")))
    lines = [line for lines in COMMANDS.values() for line in lines]
    done = guarded(*lines)
    assert done.returncode == 0, done.stderr
    said = done.stderr.split("RUN ")[1:]
    assert [each.partition("\n")[0] for each in said] == lines
    for each in said:
        assert each.rpartition("CODE ")[2] in {"0\n", "1\n"}, each
        programs = [line for line in each.splitlines() if line.startswith("PROGRAM")]
        assert bool(programs) == ("diff main" in each), each
        assert all(line.startswith("PROGRAM ('git', ['git', ") for line in programs), each
        assert not any(word in line for line in programs for word in ("'fetch'", "'clone'", "'pull'", "'ls-remote'"))


def test_the_guard_sees_a_connection() -> None:
    attempt = GUARD.replace("from caveat.__main__ import main", "import socket\nsocket.create_connection(('::1', 9))")
    done = subprocess.run([sys.executable, "-c", attempt], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 99
    assert "NETWORK socket.getaddrinfo" in done.stderr


def test_git_fetches_nothing_in_a_clone_that_lacks_old_files(inside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in QUIET.items():
        monkeypatch.setenv(name, value)
    os.mkdir("origin")
    monkeypatch.chdir("origin")
    git("init", "--quiet", "--initial-branch", "main")
    git("config", "uploadpack.allowFilter", "true")
    commit(("a.md", BAD))
    commit(("a.md", "Another text.\n"))
    monkeypatch.chdir("..")
    git("clone", "--quiet", "--filter=blob:none", f"file://{inside / 'origin'}", "clone")
    monkeypatch.chdir("clone")
    done = guarded("check --diff HEAD~1")
    assert done.stderr.endswith("\nCODE 2\n")
    assert (
        "this clone is partial: fetch what it lacks first (git fetch --refetch --filter=blob:limit=1g)" in done.stderr
    )
