"""The shipped rules and lexicons as they were compiled when the package was built, if they still are what lies there.

Reading all lexicons takes longer than checking a draft, and where there is no cache it would be done in every run. A
checkout has no such file: its rules are read from their folder.
"""

from __future__ import annotations

import json
from typing import Any

from caveat import data
from caveat.digest import digest
from caveat.loading.problems import Problem


def shipped_rulebook() -> dict[str, Any] | None:
    """What `write_rulebook` has kept; None if there is nothing, or the rules have changed since."""
    try:
        with open(data.compiled_rulebook(), encoding="utf-8") as file:
            kept = json.load(file)
        rulebook: dict[str, Any] | None = kept["rulebook"] if kept["of"] == _state() else None
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return rulebook


def write_rulebook(path: str) -> None:
    """Compile the shipped rules into a file, for the build of the package. Raises ValueError if they are at fault."""
    from caveat.checks import CHECK_NAMES
    from caveat.loading.rulebook_loading import load_rulebook

    problems: list[Problem] = []
    rulebook = load_rulebook([data.rules_folder()], CHECK_NAMES, problems)
    if problems:
        raise ValueError("\n".join(map(str, problems)))
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"of": _state(), "rulebook": rulebook}, file, separators=(",", ":"))


def _state() -> str:
    """The names and contents of the shipped rules and lexicons."""
    folder = data.rules_folder()
    parts: list[bytes] = []
    for path in data.yaml_files(folder):
        with open(path, "rb") as file:
            parts += path[len(folder) :].encode(), file.read()
    return digest(*parts)
