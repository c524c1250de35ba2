"""The desk that drafts are checked at: the registry and the rules, compiled when they change and kept until they do."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from caveat import __version__, data
from caveat.digest import digest
from caveat.outcome import DeskError, UserError
from caveat.running.cache import DESKS, Cache
from caveat.running.files import shown_path

if TYPE_CHECKING:
    from caveat.registry.registry import Registry
    from caveat.rulebook.rules import Rule


class Desk:
    """What drafts are checked against."""

    __slots__ = ("registry", "rules")

    def __init__(self, registry: Registry, rules: list[Rule]) -> None:
        self.registry = registry
        self.rules = rules


class DeskFiles:
    """The folder of a registry and those of rules, as they are to be shown, and the key of all that is in them."""

    __slots__ = ("claims", "key", "rules")

    def __init__(self, claims: str, rules: tuple[str, ...], key: str) -> None:
        self.claims = claims
        self.rules = rules
        self.key = key


def find_desk(claims: str, rules: str = "") -> DeskFiles:
    """The files of a registry folder, of the shipped rules and of a folder of added rules ("" for none).

    Their key holds the names and contents of the files, the names of the folders, because findings are shown with
    them, the version, and the state of the code.
    """
    folders = [shown_path(folder) for folder in (claims, data.rules_folder(), rules) if folder]
    parts = [__version__, f"{sys.version_info[:2]}", _state_of_code()]
    contents = [_content(data.vocabulary_file())]
    for folder in folders:
        parts.append(folder)
        for path in data.yaml_files(folder):
            parts.append(path)
            contents.append(_content(path))
    names = "\0".join(parts).encode("utf-8", "surrogateescape")
    return DeskFiles(folders[0], tuple(folders[1:]), digest(names, *contents))


def load_desk(files: DeskFiles, cache: Cache) -> Desk:
    """The desk of these files, from the cache or compiled anew. Raises DeskError naming every fault of the files."""
    kept = cache.read(DESKS, files.key)
    if kept is not None:
        with suppress(ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError):  # no desk at all
            return _build(json.loads(kept))
    compiled = _compile(files)
    if cache.folder and find_desk(files.claims, *files.rules[1:]).key == files.key:  # not if a file changed meanwhile
        from caveat.language.phrases import packed_index

        stored = {**compiled, "phrases": packed_index(compiled["phrases"])}
        cache.write(DESKS, files.key, json.dumps(stored, separators=(",", ":")))
    return _build(compiled)


def select_rules(desk: Desk, select: Sequence[str], ignore: Sequence[str]) -> Desk:
    """The desk with the rules that are selected (all, if none are named) and not ignored.

    Raises UserError for names that no rule has.
    """
    names = [rule.name for rule in desk.rules]
    given = [*(("--select", name) for name in select), *(("--ignore", name) for name in ignore)]
    unknown = [(option, name) for option, name in given if name not in names]
    if unknown:
        from caveat.loading.problems import suggest

        lines = [f"{option}: there is no rule {name!r}; {suggest(name, names)}" for option, name in unknown]
        raise UserError("\n".join(lines))
    kept = [rule for rule in desk.rules if (not select or rule.name in select) and rule.name not in ignore]
    return Desk(desk.registry, kept)


def _build(compiled: dict[str, Any]) -> Desk:
    from caveat.registry.registry import Registry
    from caveat.rulebook.rules import build_rules

    return Desk(Registry(compiled), build_rules(compiled))


def _compile(files: DeskFiles) -> dict[str, Any]:
    """The files compiled. Raises DeskError with all that is wrong with them."""
    from caveat.checks import CHECKS
    from caveat.loading.compile import compile_folders

    compiled, problems = compile_folders(files.claims, files.rules, CHECKS.keys())
    if problems:
        raise DeskError("\n".join(str(problem) for problem in problems))
    return compiled


def _content(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b"unreadable"  # the loader says so with its place


def _state_of_code() -> str:
    """Size and time of each file of the package: findings must not outlive the code that found them."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    states = []
    folders = [package]
    while folders:
        for entry in os.scandir(folders.pop()):
            if entry.name.endswith(".py"):
                about = entry.stat()
                states.append(f"{entry.path} {about.st_size} {about.st_mtime_ns}")
            elif entry.is_dir() and entry.name not in {"__pycache__", "data"}:
                folders.append(entry.path)
    return "\n".join(sorted(states))
