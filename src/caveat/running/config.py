"""The configuration file: where it is, and what it may say."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from caveat.options import SEVERITIES
from caveat.outcome import UserError

NAMES = ("caveat.toml", "pyproject.toml")


class Config:
    """What a configuration says. Folders are already resolved; `base` is the folder that `exclude` is about."""

    claims = ""
    rules = ""
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity = ""
    exclude: tuple[str, ...] = ()
    base = ""
    path = ""

    def __init__(self, **said: Any) -> None:
        """`said` are the fields that the file gives, by name."""
        vars(self).update(said)


LISTS = ("select", "ignore", "exclude")
FOLDERS = ("claims", "rules")
KEYS = (*FOLDERS, "select", "ignore", "severity", "exclude")


def find_config(path: str) -> Config:
    """The nearest configuration on the way up from a draft or folder; an empty one if there is none.

    In one folder caveat.toml comes before pyproject.toml, which counts only if it has a [tool.caveat] table.
    """
    at = os.path.abspath(path)
    while True:
        for name in NAMES:
            config = _config_in(os.path.join(at, name), at)
            if config is not None:
                return config
        above = os.path.dirname(at)
        if above == at:
            return Config()
        at = above


def read_config(path: str) -> Config:
    """The configuration that `--config` names; what is relative in it starts from the working folder."""
    if not os.path.isfile(path):
        raise UserError(f"--config {path}: no such file")
    config = _config_in(path, os.getcwd())
    if config is None:
        raise UserError(f"--config {path}: it has no [tool.caveat] table")
    return config


def _config_in(path: str, base: str) -> Config | None:
    try:
        with open(path, "rb") as file:
            data = file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror or error}") from error
    of_project = os.path.basename(path) == "pyproject.toml"
    if of_project and b"caveat" not in data:
        return None
    table = _parse(data, path)
    if of_project:
        tools = table.get("tool", {})
        if "caveat" not in tools:
            return None
        table = tools["caveat"]
    return _validated(table, path, base)


def _parse(data: bytes, path: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(data.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UserError(f"{path}: not readable as TOML: {error}") from error


def _validated(table: Mapping[str, Any], path: str, base: str) -> Config:
    from caveat.loading.problems import suggest

    problems = []
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key not in KEYS:
            problems.append(f"{path}: unknown key {key!r}; {suggest(key, KEYS)}")
        elif key in LISTS:
            if isinstance(value, list) and all(isinstance(item, str) for item in value):
                values[key] = tuple(value)
            else:
                problems.append(f'{path}: {key} must be a list of texts, as in {key} = ["..."]')
        elif not isinstance(value, str) or not value:
            problems.append(f'{path}: {key} must be a text, as in {key} = "..."')
        elif key == "severity" and value not in SEVERITIES:
            problems.append(f"{path}: severity must be one of {', '.join(SEVERITIES)}, not {value!r}")
        else:
            values[key] = os.path.join(base, value) if key in FOLDERS else value
    if problems:
        raise UserError("\n".join(problems))
    return Config(**values, base=base, path=path)
