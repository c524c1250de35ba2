"""TOML with places: what a table of a file holds, as nodes that know their lines, and all faults with theirs.

The library that reads TOML tells no places. They are found by reading the file a second time, statement by statement:
a statement ends with the first line up to which the lines from its beginning can be read.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any, NamedTuple

from caveat.loading.problems import Problem
from caveat.loading.yaml_text import Node

Path = tuple[int | str, ...]

# A statement of several lines can only end where a bracket or a text of several lines does.
_CLOSING = ("]", "}", '"""', "'''")
_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)$")
_AT_END = " (at end of document)"


class Table(NamedTuple):
    """A table of a file as nodes, in which scalars that are not text have no value, and as what Python has for it."""

    node: Node
    value: Any


def read_toml(data: bytes, file: str, table: Path, problems: list[Problem]) -> Table | None:
    """The table at a path of a file; None if the file has none, or cannot be read, which is added to `problems`."""
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
        return _table(tomllib.loads(text), text, table)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problems.append(Problem(file, line, 1, "", "not UTF-8 text", "save the file as UTF-8"))
    except tomllib.TOMLDecodeError as error:
        problems.append(_syntax_fault(str(error), text, file))
    except RecursionError:
        problems.append(Problem(file, 1, 1, "", "brackets or dots nested too deeply", "write lists and tables plainly"))
    return None


def _table(value: Any, text: str, path: Path) -> Table | None:
    """The table at a path of what a file holds; None if it has none."""
    for step in path:
        value = value.get(step) if isinstance(value, dict) else None
    return None if value is None else Table(_node(value, path, key_places(text)), value)


def _syntax_fault(message: str, text: str, file: str) -> Problem:
    place = _PLACE.search(message)
    rest = text.rstrip("\n").split("\n")
    line, column = (int(place[1]), int(place[2])) if place else (len(rest), len(rest[-1]) + 1)
    said = _PLACE.sub("", message).removesuffix(_AT_END)
    hint = 'write key = "text" or key = ["one", "two"], and [table] on a line of its own'
    return Problem(file, line, column, "", f"not valid TOML: {said[:1].lower()}{said[1:]}", hint)


def _node(value: Any, path: Path, places: Mapping[Path, tuple[int, int]]) -> Node:
    """A value and all in it as nodes; what has no place of its own gets that of what it is in."""
    above = path
    while above and above not in places:
        above = above[:-1]
    line, column = places.get(above, (1, 1))
    if isinstance(value, dict):
        node = Node({str(key): _node(child, (*path, key), places) for key, child in value.items()}, line, column)
        node.keys = {str(key): places.get((*path, key), (line, column)) for key in value}
        return node
    if isinstance(value, list):
        return Node([_node(child, (*path, at), places) for at, child in enumerate(value)], line, column)
    return Node(value if isinstance(value, str) else None, line, column)


def not_text(value: Any, path: Path = ()) -> list[tuple[Path, str]]:
    """The paths of the scalars in a value that are not text, with what is written there."""
    if isinstance(value, dict):
        return [found for key, child in value.items() for found in not_text(child, (*path, key))]
    if isinstance(value, list):
        return [found for at, child in enumerate(value) for found in not_text(child, (*path, at))]
    if isinstance(value, str):
        return []
    return [(path, written(value))]


def written(scalar: Any) -> str:
    """A scalar as it was probably written."""
    return str(scalar).lower() if isinstance(scalar, bool) else str(scalar)


def key_places(text: str) -> dict[Path, tuple[int, int]]:
    """The line and column of every key and every item of a list in a TOML text that can be read."""
    places: dict[Path, tuple[int, int]] = {}
    table: Path = ()
    counts: dict[Path, int] = {}
    statement: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        statement.append(line)
        if len(statement) > 1 and not any(sign in line for sign in _CLOSING):
            continue
        try:
            parsed = tomllib.loads("\n".join(statement))
        except tomllib.TOMLDecodeError:
            continue
        first = number - len(statement) + 1
        if line.lstrip().startswith("[") and len(statement) == 1:
            table = _header(parsed, counts)
            places[table] = (first, line.index("[") + 1)
        else:
            _Finder(statement, first, places).find(parsed, table)
        statement = []
    return places


def _header(parsed: dict[str, Any], counts: dict[Path, int]) -> Path:
    """The path of the table that a line such as [tool.caveat] opens; [[lists]] of tables are counted."""
    path: Path = ()
    value: Any = parsed
    while value:
        if isinstance(value, list):
            counts[path] = counts.get(path, -1) + 1
            path, value = (*path, counts[path]), value[0]
        else:
            ((key, value),) = value.items()
            path = (*path, key)
    return path


class _Finder:
    """Finds the keys and items of one statement in its lines, each behind the one before."""

    def __init__(self, lines: list[str], first: int, places: dict[Path, tuple[int, int]]) -> None:
        self.lines = lines
        self.first = first
        self.places = places
        self.row = self.at = 0

    def find(self, value: Any, path: Path) -> None:
        """Give a place to everything in a value."""
        if isinstance(value, dict):
            for key, child in value.items():
                self._place((key,), (*path, key))
                self.find(child, (*path, key))
        elif isinstance(value, list):
            for at, child in enumerate(value):
                if not isinstance(child, dict | list):
                    word = written(child)
                    self._place((f'"{word}"', f"'{word}'", word), (*path, at))
                self.find(child, (*path, at))

    def _place(self, forms: tuple[str, ...], path: Path) -> None:
        """What is not found in any form, because it is written with escapes, has the place of what is before it."""
        for form in forms:
            for row in range(self.row, len(self.lines)):
                at = self.lines[row].find(form, self.at if row == self.row else 0)
                if at >= 0:
                    self.row, self.at = row, at + len(form)
                    opening = self.lines[row][at - 1 : at] in {'"', "'"}
                    self.places.setdefault(path, (self.first + row, at + 1 - opening))
                    return
        self.places.setdefault(path, (self.first + self.row, 1))
