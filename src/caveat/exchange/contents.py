"""A registry as it is written: every record with the words of its file, for programs that keep them in another form."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from caveat import data
from caveat.command import Run
from caveat.loading.problems import Problem
from caveat.loading.registry_files import read_records
from caveat.loading.registry_schema import ClaimEntry, ProductEntry, SourceEntry, VendorEntry
from caveat.loading.validation import Placed, Record
from caveat.loading.vocabulary_schema import merge_into
from caveat.registry.registry import Registry

# The sections of a registry file that hold records, in the order in which each refers to those before it.
MODELS: Mapping[str, type[Record]] = MappingProxyType(
    {"vendors": VendorEntry, "products": ProductEntry, "sources": SourceEntry, "claims": ClaimEntry}
)
VOCABULARY = "vocabulary"


class Contents:
    """A sound registry: its records by section and id, what it adds to the vocabulary, and all of it compiled."""

    __slots__ = ("records", "registry", "vocabulary")

    def __init__(
        self, records: dict[str, dict[str, Record]], vocabulary: dict[str, Any], registry: Registry | None = None
    ) -> None:
        self.records = records
        self.vocabulary = vocabulary
        self.registry = registry

    def rows(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """(section, id, the fields that were written), section by section, in the order of the files."""
        for section, records in self.records.items():
            for id_, record in records.items():
                yield section, id_, written(record)


def written(record: Record) -> dict[str, Any]:
    """The fields of a record that say something, without its id; a field at its default is as good as left out."""
    return {name: value for name, value in record.model_dump(exclude_defaults=True).items() if name != "id"}


def read_contents(run: Run) -> Contents:
    """The registry that the options name. Raises UserError for faults in it."""
    registry = run.desk().registry
    problems: list[Problem] = []  # the desk is sound, so that there are none
    records = read_records(run.settings.of_folder(".").claims, problems)
    vocabulary: dict[str, Any] = {}
    for file, node in records.vocabularies:
        plain = node.plain()
        if isinstance(plain, dict) and os.path.realpath(file) != os.path.realpath(data.vocabulary_file()):
            merge_into(vocabulary, plain)
    sections = {
        "vendors": _entries(records.vendors),
        "products": _entries(records.products),
        "sources": _entries(records.sources),
        "claims": _entries(records.claims),
    }
    return Contents(sections, vocabulary, registry)


def _entries(placed: Mapping[str, Placed[Any]]) -> dict[str, Record]:
    return {id_: each.entry for id_, each in placed.items() if each.entry is not None}
