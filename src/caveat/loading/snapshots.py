"""The snapshots that a registry records for its sources.

No check of a draft needs them, so they are not compiled: they are read from the files when a command asks for them.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from caveat.data import yaml_files
from caveat.loading.problems import Problem
from caveat.loading.registry_schema import SnapshotEntry
from caveat.loading.validation import Placed, validate
from caveat.loading.yaml_text import read_yaml


class Snapshot(NamedTuple):
    """A copy of a source. `path` is the file itself, `recorded` the file and line that record it; `file` as written."""

    path: str
    file: str
    sha256: str
    taken: str
    url: str
    encoding: str
    recorded: tuple[str, int]


def read_snapshots(folders: Sequence[str]) -> dict[str, Snapshot]:
    """The snapshots of the folders of a registry by the ids of their sources; faulty records are left out."""
    found: dict[str, Snapshot] = {}
    for file in (file for folder in folders for file in yaml_files(folder)):
        with suppress(OSError):
            with open(file, "rb") as opened:
                if b"snapshot" not in opened.read():  # far cheaper than parsing every file
                    continue
            _collect(file, found)
    return found


def _collect(file: str, found: dict[str, Snapshot]) -> None:
    """Add the snapshots that one file records."""
    problems: list[Problem] = []
    root = read_yaml(file, problems)
    sources = root.child("sources") if root is not None else None
    for id_, source in sources.value.items() if sources is not None and isinstance(sources.value, dict) else ():
        node = source.child("snapshot")
        if node is None:
            continue
        placed = validate(SnapshotEntry, Placed[SnapshotEntry](file, "", node.line, node.column, node, None), problems)
        entry = placed.entry
        if entry is not None:
            path = os.path.join(os.path.dirname(file), *entry.file.split("/")).replace(os.sep, "/")
            place = (file, node.line)
            found.setdefault(
                id_, Snapshot(path, entry.file, entry.sha256, entry.taken, entry.url, entry.encoding, place)
            )
