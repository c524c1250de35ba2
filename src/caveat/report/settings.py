"""What holds for a draft, as a table and as JSON: each key, its value, and who says so."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from caveat.report.text import table, visible


class Row(NamedTuple):
    """A key with its value, and who says so: an option, a file with its line, or "" for the default."""

    key: str
    value: Any
    origin: str
    line: int = 0

    @property
    def told(self) -> str:
        """Who says so, in a word."""
        return f"{self.origin}:{self.line}" if self.line else self.origin or "default"


class Page(NamedTuple):
    """What holds for a path: its configuration files, the nearest first, and a row for each key.

    `folders` has the folders that `claims` and `rules` come to, from the working folder on. `ignores` has the rules
    that are left out of the path, each with the pattern that says so, "" for the key `ignore`.
    """

    path: str
    files: Sequence[str]
    rows: Sequence[Row]
    folders: dict[str, list[str]]
    excluded: bool
    ignores: dict[str, str]


def render(page: Page, fmt: str) -> str:
    """The page as text, or for "json" as one object."""
    if fmt == "json":
        return json.dumps(_record(page), indent=2, ensure_ascii=False) + "\n"
    lines = [(row.key, _written(row.value), row.told) for row in page.rows]
    left_out = {rule: pattern for rule, pattern in page.ignores.items() if pattern}
    parts = [f"{visible(page.path)}: {_files(page)}\n\n", table(("KEY", "VALUE", "FROM"), lines)]
    if left_out or page.excluded:
        parts.append("\n")
    if page.excluded:
        parts.append("This file is excluded: it is checked only if it is named, without --force-exclude.\n")
    parts += [f"Left out of this file by {visible(json.dumps(p))}: {visible(rule)}.\n" for rule, p in left_out.items()]
    return "".join(parts)


def _files(page: Page) -> str:
    if not page.files:
        return "no configuration file; the defaults hold."
    return ", which extends ".join(visible(file) for file in page.files) + "."


def _written(value: Any) -> str:
    """A value as TOML has it in one line."""
    if isinstance(value, dict):
        pairs = ", ".join(f"{json.dumps(key, ensure_ascii=False)} = {_written(item)}" for key, item in value.items())
        return f"{{{pairs}}}"
    return json.dumps(value, ensure_ascii=False)


def _origin(row: Row) -> dict[str, Any] | None:
    if row.line:
        return {"file": row.origin, "line": row.line}
    return {"option": row.origin} if row.origin else None


def _record(page: Page) -> dict[str, Any]:
    keys = {row.key: {"value": row.value, "from": _origin(row)} for row in page.rows}
    return {
        "path": page.path,
        "files": list(page.files),
        "keys": keys,
        "folders": page.folders,
        "excluded": page.excluded,
        "ignored": [{"rule": rule, "pattern": pattern or None} for rule, pattern in page.ignores.items()],
    }
