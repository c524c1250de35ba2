"""The shipped rules, lexicons and vocabulary as they were compiled when the package was built, if they are the same.

Reading all of them takes longer than checking a draft, and where there is no cache it would be done in every run. A
checkout has no such file: everything is read from its folders.
"""

from __future__ import annotations

import json
from typing import Any

from caveat import data
from caveat.digest import digest
from caveat.loading.problems import Problem


class Shipped:
    """What came compiled: `rulebook` as `load_rulebook` returns it, `vocabulary` as `merge_vocabularies` does."""

    __slots__ = ("rulebook", "vocabulary")

    def __init__(self, rulebook: dict[str, Any], vocabulary: dict[str, Any]) -> None:
        self.rulebook = rulebook
        self.vocabulary = vocabulary


def read_shipped() -> Shipped | None:
    """What `write_shipped` has kept; None if there is nothing, or a shipped file has changed since."""
    try:
        with open(data.compiled_file(), encoding="utf-8") as file:
            kept = json.load(file)
        return Shipped(kept["rulebook"], kept["vocabulary"]) if kept["of"] == _state() else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_shipped(path: str) -> None:
    """Compile what is shipped into a file, for the build of the package. Raises ValueError if it is at fault."""
    from caveat.checks import CHECK_NAMES
    from caveat.loading.rulebook_loading import load_rulebook
    from caveat.loading.vocabulary_schema import merge_vocabularies

    problems: list[Problem] = []
    rulebook = load_rulebook([data.rules_folder()], CHECK_NAMES, problems)
    vocabulary = merge_vocabularies(data.vocabulary_file(), [], problems)
    if problems:
        raise ValueError("\n".join(map(str, problems)))
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"of": _state(), "rulebook": rulebook, "vocabulary": vocabulary}, file, separators=(",", ":"))


def _state() -> str:
    """The contents of the shipped files."""
    folder = data.rules_folder()
    parts: list[bytes] = []
    for path in [*data.yaml_files(folder), data.vocabulary_file()]:
        with open(path, "rb") as file:
            parts.append(file.read())
    return digest(*parts)
