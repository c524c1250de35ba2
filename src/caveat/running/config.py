"""Configuration files: which one holds for a folder, which others it extends, and what each says."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

from caveat.digest import digest
from caveat.outcome import UserError
from caveat.running.cache import CONFIGS, Cache, code_state
from caveat.running.files import shown_path

PROJECT = "pyproject.toml"
_LARGEST = 1_000_000  # bytes of a configuration: a device never ends
NAMES = (".caveat.toml", "caveat.toml", PROJECT)  # in one folder, the first of them that speaks


class ConfigFile:
    """One file: its path, and what it says by key. Its folders start from `base`, its patterns are about `root`."""

    __slots__ = ("base", "path", "root", "values")

    def __init__(self, path: str, values: dict[str, Any], base: str, root: str = "") -> None:
        self.path = path
        self.values = values
        self.base = base
        self.root = root or base


class Config:
    """A file and those that it extends, the nearest first. Without a file nothing is said.

    Nothing is merged: of two files that say the same key, the nearer one's value holds as a whole.
    """

    __slots__ = ("files",)

    def __init__(self, files: Sequence[ConfigFile] = ()) -> None:
        self.files = tuple(files)

    def who_says(self, key: str) -> ConfigFile | None:
        """The file whose value of a key holds, None if no file has one."""
        return next((file for file in self.files if key in file.values), None)


class ConfigReader:
    """Reads configurations, each file once. What a file says is kept in the cache, so that only changes are parsed.

    `asked` has every path that was looked for, whether there is a file or not: what is read hangs on all of them.
    """

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self.asked: set[str] = set()
        self._nearest: dict[str, Config | UserError] = {}
        self._files: dict[str, dict[str, Any] | None] = {}

    def nearest(self, folder: str) -> Config:
        """The configuration of a folder: that in the folder itself or the nearest one above. Raises UserError."""
        folder = os.path.abspath(folder)
        found = self._nearest.get(folder)
        if found is None:
            found = self._nearest[folder] = self._look_up(folder)
        if isinstance(found, UserError):
            raise found
        return found

    def named(self, path: str) -> Config:
        """The configuration that `--config` names; what is relative in that file starts from the working folder."""
        if not os.path.isfile(path):
            raise UserError(f"--config {path}: no such file")
        values = self._read(os.path.abspath(path))
        if values is None:
            raise UserError(f"--config {path}: it has no [tool.caveat] table")
        return self._with_extended(ConfigFile(os.path.abspath(path), values, os.getcwd()))

    def _look_up(self, folder: str) -> Config | UserError:
        try:
            for name in NAMES:
                path = os.path.join(folder, name)
                values = self._read(path)
                if values is not None:
                    return self._with_extended(ConfigFile(path, values, folder))
            above = os.path.dirname(folder)
            return Config() if above == folder else self.nearest(above)
        except UserError as error:
            return error

    def _with_extended(self, file: ConfigFile) -> Config:
        """A file and, one after the other, those that it extends."""
        files = [file]
        while "extend" in files[-1].values:
            last = files[-1]
            path = os.path.normpath(os.path.join(os.path.dirname(last.path), last.values["extend"]))
            circle = [shown_path(each.path) for each in files]
            if any(os.path.realpath(path) == os.path.realpath(each.path) for each in files):
                turns = " -> ".join([*circle, shown_path(path)])
                place = place_in(last, ("extend",))
                raise UserError(f"{place}: extend goes in a circle: {turns}; take one of them out")
            own = os.path.dirname(path)
            files.append(ConfigFile(path, self._extended(path, last), own, _root(own, file.root)))
        return Config(files)

    def _extended(self, path: str, by: ConfigFile) -> dict[str, Any]:
        values = self._read(path)
        if values is None:
            there = os.path.exists(path)
            wrong = "it has no [tool.caveat] table" if there else "no such file; write its path from this file on"
            raise UserError(f"{place_in(by, ('extend',))}: extend: {path}: {wrong}")
        return values

    def _read(self, path: str) -> dict[str, Any] | None:
        """What a file says; None if there is no such file, or a pyproject.toml says nothing."""
        if path not in self._files:
            self.asked.add(path)
            self._files[path] = self._read_anew(path)
        return self._files[path]

    def _read_anew(self, path: str) -> dict[str, Any] | None:
        try:
            with open(path, "rb") as file:
                data = file.read(_LARGEST + 1)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise UserError(f"{shown_path(path)}: cannot be read: {error.strerror or error}") from error
        if len(data) > _LARGEST:
            raise UserError(f"{shown_path(path)}: not a configuration: it has more than {_LARGEST:,} bytes")
        of_project = os.path.basename(path) == PROJECT
        if of_project and b"caveat" not in data:
            return None
        key = digest(code_state().encode("utf-8", "surrogateescape"), bytes([of_project]), data)
        kept = self._cache.read(CONFIGS, key)
        if kept is not None:
            values: dict[str, Any] | None = json.loads(kept)
            return values
        values = _compile(data, path, of_project=of_project)
        self._cache.write(CONFIGS, key, json.dumps(values))
        return values


def _compile(data: bytes, path: str, *, of_project: bool) -> dict[str, Any] | None:
    """What a file says, checked. Raises UserError with all that is wrong with it."""
    from caveat.loading.config_schema import compile_config

    values, problems = compile_config(data, shown_path(path), of_project=of_project)
    if problems:
        raise UserError("\n".join(str(problem) for problem in problems))
    return values


def _root(own: str, root: str) -> str:
    """The folder that the patterns of an extended file are about: its own, or that of the file that extends it.

    A file that is shared between projects lies in none of them, so its patterns can only mean whoever extends it.
    """
    return own if os.path.join(root, "").startswith(os.path.join(own, "")) else root


def lines_of(file: ConfigFile) -> dict[str, int]:
    """The line of each key that a file says."""
    return {key: int(place_in(file, (key,)).rsplit(":", 2)[1]) for key in file.values}


def place_in(file: ConfigFile, path: tuple[int | str, ...]) -> str:
    """The place of a key or an item as text: "caveat.toml:3:12"."""
    from caveat.loading.config_schema import place_of

    shown = shown_path(file.path)
    try:
        with open(file.path, "rb") as opened:
            data = opened.read()
    except OSError:
        return shown
    line, column = place_of(data, path, of_project=os.path.basename(file.path) == PROJECT)
    return f"{shown}:{line}:{column}"
