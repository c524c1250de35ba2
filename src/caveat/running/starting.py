"""What `caveat init` writes: a configuration, a registry to start with, hooks, a workflow. It overwrites nothing."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import NamedTuple

from caveat import __version__, data
from caveat.outcome import UserError
from caveat.running.cache import Cache
from caveat.running.config import NAMES, PROJECT
from caveat.running.desk import find_desk, load_desk
from caveat.running.files import shown_path

HOOKS = ".pre-commit-config.yaml"
WORKFLOW = ".github/workflows/caveat.yaml"
GITLAB = ".gitlab-ci.yml"
CLAIMS = "claims"
# What drafts are checked against, as the hook for all drafts looks for it.
DESK = r"((claims|rules)/.*\.ya?ml|\.?caveat\.toml|pyproject\.toml|\.caveat-baseline\.json)"


class Piece(NamedTuple):
    """A file to write: its path, its text, and in a few words what it is."""

    path: str
    text: str
    what: str


class Started(NamedTuple):
    """What became of each file: those written, with what they are, and those left alone, with the reason.

    `to_add` is what a file that is there already should get, by its path and the key in it. `failed` says what could
    not be written, and why.
    """

    written: dict[str, str]
    left: dict[str, str]
    to_add: dict[tuple[str, str], str]
    failed: list[str]


def start(folder: str, *, claims: bool, hooks: bool, workflow: bool) -> Started:
    """Write what is missing in a folder; what cannot be written costs nothing else."""
    done = Started({}, {}, {}, [])

    def attempt(work: Callable[[], None]) -> None:
        try:
            work()
        except OSError as error:
            path = shown_path(error.filename2 or error.filename or folder)
            done.failed.append(f"{path}: cannot be written: {error.strerror or error}")

    attempt(lambda: os.makedirs(folder, exist_ok=True))
    if done.failed:
        return done
    root = _repository(folder)
    values = _values(os.path.relpath(os.path.abspath(folder), root))
    if claims:
        attempt(lambda: _start_claims(folder, done))
    attempt(lambda: _start_config(folder, done))
    if hooks:
        attempt(lambda: _start_hooks(os.path.join(root, HOOKS), values, done))
    if workflow:
        attempt(lambda: _start_workflow(root, values, done))
    return done


def _start_claims(folder: str, done: Started) -> None:
    piece = Piece(os.path.join(folder, CLAIMS, "example.yaml"), _filled("claims.yaml", {}), "a registry to start with")
    there = os.path.join(folder, CLAIMS)
    _write(piece, done, there if data.yaml_files(there) else "")


def _start_config(folder: str, done: Started) -> None:
    """The configuration names the registry if there is a sound one."""
    registry = os.path.join(folder, CLAIMS)
    claims = '["starter", "claims"]' if data.yaml_files(registry) and _sound(registry, done) else '["starter"]'
    piece = Piece(
        os.path.join(folder, "caveat.toml"),
        _filled("configuration.toml", {"@CLAIMS@": claims}),
        "the configuration, with every key",
    )
    names = (path for name in NAMES for path in [os.path.join(folder, name)] if _configures(path))
    there = next(names, "")
    _write(piece, done, there)
    if there and os.path.isfile(there) and not _mentions(there, r"(?m)^\s*claims\s*=") and CLAIMS in claims:
        done.to_add[shown_path(there), "[tool.caveat]" if os.path.basename(there) == PROJECT else ""] = (
            f"  claims = {claims}\n"
        )


def _sound(registry: str, done: Started) -> bool:
    """Whether a folder that has the name of a registry is one, beside the starter registry."""
    try:
        load_desk(find_desk([data.claims_folder(), registry]), Cache(""))
    except UserError:
        shown = shown_path(registry)
        done.left[shown] = f"no sound registry beside the starter one; `caveat claims check --claims {shown}` says more"
        return False
    return True


def _configures(path: str) -> bool:
    if os.path.basename(path) != PROJECT:
        return os.path.lexists(path)
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return re.search(r"^\s*\[\s*tool\s*\.\s*caveat\b", file.read(), re.MULTILINE) is not None
    except OSError:
        return False


def _start_hooks(path: str, values: dict[str, str], done: Started) -> None:
    """The hooks in a file of their own; if there is one, they are shown, for nobody's YAML is rewritten."""
    text = _filled("pre-commit.yaml", values)
    _write(Piece(path, text, "hooks for pre-commit and prek"), done, path if os.path.lexists(path) else "")
    shown = shown_path(path)
    if shown in done.left:
        if _mentions(path, r"\bcaveat check\b|\bid: *['\"]?caveat\b"):
            done.left[shown] = "it has the hooks already"
        else:
            done.to_add[shown, "repos:"] = text.removeprefix("repos:\n")


def _start_workflow(root: str, values: dict[str, str], done: Started) -> None:
    """The workflow for GitHub; where GitLab is in use and GitHub is not, the job for GitLab is shown instead."""
    path = os.path.join(root, *WORKFLOW.split("/"))
    gitlab = os.path.join(root, GITLAB)
    if os.path.lexists(gitlab) and not os.path.isdir(os.path.join(root, ".github")):
        _add_job(gitlab, done)
        return
    there = [path, path.removesuffix("yaml") + "yml"]
    piece = Piece(path, _filled("workflow.yaml", values), "checks pull requests on GitHub")
    _write(piece, done, next((name for name in there if os.path.lexists(name)), ""))


def _add_job(path: str, done: Started) -> None:
    shown = shown_path(path)
    if _mentions(path, r"\bcaveat check\b|\bcaveat\b.*\.ya?ml"):
        done.left[shown] = "it has the job already"
    else:
        done.left[shown] = "it is there already"
        done.to_add[shown, ""] = _filled("gitlab-ci.yml", {})


def _mentions(path: str, pattern: str) -> bool:
    with open(path, encoding="utf-8", errors="replace") as file:
        return re.search(pattern, file.read()) is not None


def _write(piece: Piece, done: Started, there: str) -> None:
    """Write a file, unless there is one; it appears whole or not at all."""
    shown = shown_path(piece.path)
    if there:
        reason = "it is there already" if there == piece.path else f"{shown_path(there)} is there already"
        done.left.setdefault(shown, reason)
        return
    os.makedirs(os.path.dirname(piece.path) or ".", exist_ok=True)
    passing = f"{piece.path}.{os.getpid()}"
    try:
        with open(passing, "x", encoding="utf-8", newline="\n") as file:
            file.write(piece.text)
        _give_name(passing, piece.path)
    finally:
        with suppress(OSError):
            os.unlink(passing)
    done.written[shown] = piece.what


def _give_name(passing: str, path: str) -> None:
    """Let a finished file have its name, unless another has got it in the meantime."""
    try:
        os.link(passing, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        os.rename(passing, path)


def _repository(folder: str) -> str:
    """The root of the repository that a folder is in; the folder itself outside of one."""
    at = os.path.abspath(folder)
    for above in _upwards(at):
        if os.path.exists(os.path.join(above, ".git")):
            return above
    return at


def _upwards(at: str) -> Iterator[str]:
    yield at
    while os.path.dirname(at) != at:
        at = os.path.dirname(at)
        yield at


def _values(inside: str) -> dict[str, str]:
    """What stands in the templates for what, for a folder given by its path in the repository, as YAML has it."""
    here = inside == os.curdir
    path = inside.replace(os.sep, "/")
    within = "" if here else f"{re.escape(path)}/"
    desk = rf"^{within}(.*/)?{DESK}$"
    which = "" if here else f" {shlex.quote(f'./{path}' if path.startswith('-') else path)}"
    return {
        "        files: @DRAFTS@\n": "" if here else f"        files: {_yaml('^' + within)}\n",
        "@DESK@": _yaml(desk),
        "@CHECK@": _yaml(f"caveat check{which}"),
        "@ANNOTATE@": _yaml(f"caveat check --format github{which}".replace("${{", "${{ '${{' }}")),
        "@VERSION@": __version__,
    }


def _yaml(text: str) -> str:
    """A text as YAML has it: plain where that is safe, else in quotes, and with escapes for what is not to be seen."""
    if re.fullmatch(r"[\w./][\w ./-]*", text, re.ASCII):
        return text
    return "'" + text.replace("'", "''") + "'" if text.isprintable() else json.dumps(text)


def _filled(name: str, values: dict[str, str]) -> str:
    with open(os.path.join(data.templates_folder(), name), encoding="utf-8") as file:
        text = file.read()
    for word, value in values.items():
        text = text.replace(word, value)
    return text
