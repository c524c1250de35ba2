"""A registry as one table: a row a record, whatever it is of, and a column a field.

The column `record` says what a row is: vendor, product, source, claim, or vocabulary, whose `value` is JSON.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

from caveat.exchange.cells import counts_cell, guarded, list_cell
from caveat.exchange.contents import MODELS, VOCABULARY, Contents
from caveat.exchange.fields import Field, fields_of

RECORD, ID, VALUE = "record", "id", "value"
KINDS = {section.removesuffix("s"): section for section in MODELS}


def render_csv(contents: Contents) -> str:
    """The table as RFC 4180 has it."""
    columns = dict.fromkeys(_columns(contents))
    out = io.StringIO()
    writer = csv.DictWriter(out, list(columns))
    writer.writeheader()
    for row in _rows(contents):
        writer.writerow({name: guarded(cell) for name, cell in row.items()})
    return out.getvalue()


def column_names(field: Field, keys: Iterator[str] | tuple[str, ...] = ()) -> Iterator[str]:
    """The columns of a field; `keys` are those of a mapping that is spread over columns."""
    if field.shape in {"record", "spread"}:
        yield from (f"{field.name}.{part}" for part in (field.parts or keys))
    else:
        yield field.name


def _columns(contents: Contents) -> Iterator[str]:
    """The names of all columns: those of claims first, since most rows are claims."""
    yield from (RECORD, ID)
    for section in ("claims", *MODELS):
        for field in fields_of(section).values():
            yield from column_names(field, tuple(_spread_keys(contents, section, field)))


def _spread_keys(contents: Contents, section: str, field: Field) -> dict[str, None]:
    if field.shape != "spread":
        return {}
    return {key: None for record in contents.records[section].values() for key in getattr(record, field.name)}


def _rows(contents: Contents) -> Iterator[dict[str, str]]:
    if contents.vocabulary:
        words = json.dumps(contents.vocabulary, ensure_ascii=False)
        yield {RECORD: VOCABULARY, VALUE: words}
    for section, id_, record in contents.rows():
        row = {RECORD: section.removesuffix("s"), ID: id_}
        for name, value in record.items():
            row |= _cells(fields_of(section)[name], value)
        yield row


def _cells(field: Field, value: Any) -> dict[str, str]:
    """A value of a record by the columns that it goes into."""
    if field.shape in {"record", "spread"}:
        return {f"{field.name}.{part}": str(of_part) for part, of_part in value.items()}
    if field.shape == "list":
        return {field.name: list_cell(value)}
    return {field.name: counts_cell(value) if field.shape == "counts" else str(value)}
