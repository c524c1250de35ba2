"""A registry as an SQLite database, as Datasette likes it: a table a kind of record, keys between them, full text.

The tables are made from the fields of the records: text in columns, lists and mappings in tables of their own. What
is added to them is for queries: the value of a claim as a number in the base unit of its kind, and how independent of
the vendor its source is.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from caveat.exchange.contents import MODELS, VOCABULARY, Contents
from caveat.exchange.fields import Field, fields_of
from caveat.registry.independence import independence
from caveat.registry.registry import Claim, Registry

# The columns that name a record of another table. A part of a mapping is in the column `name`, an item in `item`.
_REFERENCES = {
    ("products", "vendor"): "vendors",
    ("product_contains", "name"): "products",
    ("claims", "product"): "products",
    ("claims", "source"): "sources",
    ("claim_conflicts", "item"): "claims",
}
_TYPES = {"low": "REAL", "high": "REAL", "position": "INTEGER", "count": "INTEGER"}
_ADDED = {"claims": ("low", "high", "unit", "independence"), "sources": ("publisher_vendor",)}
_REFERENCES_ADDED = {("sources", "publisher_vendor"): "vendors"}
_SEARCHED = ("value", "evidence", "caveat")
_FACETS = (("claims", "metric"), ("claims", "status"), ("claims", "independence"), ("sources", "kind"))


def render_database(contents: Contents) -> bytes:
    """The database as the bytes of its file."""
    assert contents.registry is not None
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in _tables():
            connection.execute(statement)
        for table, row in _rows(contents, contents.registry):
            columns, marks = ", ".join(map(_quoted, row)), ", ".join("?" * len(row))
            insert = f"INSERT INTO {table} ({columns}) VALUES ({marks})"  # noqa: S608 - names of ours
            connection.execute(insert, [*row.values()])
        _index_words(connection)
        connection.commit()
        return connection.serialize()


def _tables() -> Iterator[str]:
    for section in MODELS:
        fields = fields_of(section).values()
        columns = [name for field in fields for name in _columns(field)]
        yield _table(section, ["id", *columns, *_ADDED.get(section, ())], 'PRIMARY KEY ("id")')
        for field in fields:
            if field.shape in {"list", "counts", "spread"}:
                yield from _side_table(section, field)
    yield _table(VOCABULARY, ["section", "name", "entry"], 'PRIMARY KEY ("section", "name")')
    for table, column in _REFERENCES | _REFERENCES_ADDED:
        yield f'CREATE INDEX "{table}_{column}" ON "{table}" ("{column}")'
    for table, column in _FACETS:
        yield f'CREATE INDEX "{table}_{column}" ON "{table}" ("{column}")'


def _side_table(section: str, field: Field) -> Iterator[str]:
    """The table of a list or a mapping in records, by the id of the record."""
    owner, table = section.removesuffix("s"), _side_name(section, field)
    if field.shape == "list":
        yield _table(table, [owner, "position", "item"], f'PRIMARY KEY ("{owner}", "position")', {owner: section})
    else:
        value = "count" if field.shape == "counts" else "value"
        yield _table(table, [owner, "name", value], f'PRIMARY KEY ("{owner}", "name")', {owner: section})


def _table(table: str, columns: list[str], key: str, owners: dict[str, str] | None = None) -> str:
    lines = [f'"{column}" {_TYPES.get(column, "TEXT")}' for column in columns]
    references = {c: of for (t, c), of in (_REFERENCES | _REFERENCES_ADDED).items() if t == table} | (owners or {})
    lines += [key, *(f'FOREIGN KEY ("{column}") REFERENCES "{of}" ("id")' for column, of in references.items())]
    return f'CREATE TABLE "{table}" ({", ".join(lines)})'


def _side_name(section: str, field: Field) -> str:
    return f"{section.removesuffix('s')}_{field.name}"


def _columns(field: Field) -> list[str]:
    """The columns that a field has in the table of its record."""
    if field.shape == "record":
        return [f"{field.name}_{part}" for part in field.parts]
    return [field.name] if field.shape == "text" else []


def _rows(contents: Contents, registry: Registry) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every row with its table."""
    claims = {claim.id: claim for claim in registry.all_claims()}
    for section, id_, _ in contents.rows():
        record = contents.records[section][id_].model_dump()
        row: dict[str, Any] = {"id": id_}
        side = []
        for name, value in record.items():
            field = fields_of(section).get(name)
            if field is None:
                continue
            if field.shape == "record":
                row |= {f"{name}_{part}": value[part] or None for part in field.parts} if value else {}
            elif field.shape == "text":
                row[name] = value or None
            else:
                side += list(_side_rows(section, field, id_, value))
        if section == "claims":
            row |= _about(claims[id_], registry)
        elif section == "sources":
            row["publisher_vendor"] = record["publisher"] if record["publisher"] in registry.vendors else None
        yield section, row
        yield from side
    for part, entries in contents.vocabulary.items():
        for name, entry in entries.items():
            yield VOCABULARY, {"section": part, "name": name, "entry": json.dumps(entry, ensure_ascii=False)}


def _side_rows(section: str, field: Field, id_: str, value: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    owner, table = section.removesuffix("s"), _side_name(section, field)
    if field.shape == "list":
        for position, item in enumerate(value):
            yield table, {owner: id_, "position": position, "item": item}
        return
    of_value = "count" if field.shape == "counts" else "value"
    for name, entry in value.items():
        yield table, {owner: id_, "name": name, of_value: entry}


def _about(claim: Claim, registry: Registry) -> dict[str, Any]:
    """What is computed of a claim."""
    low, high, _ = claim.figure.base() if claim.figure else (None, None, None)
    return {
        "low": None if low is None else float(low),
        "high": None if high is None else float(high),
        "unit": (claim.figure.unit or None) if claim.figure else None,
        "independence": independence(registry.sources[claim.source].kind, self_published=claim.self_published),
    }


def _index_words(connection: sqlite3.Connection) -> None:
    """Full text over the words of claims, if this SQLite has it; Datasette finds it by its content table."""
    columns = ", ".join(map(_quoted, _SEARCHED))
    try:
        connection.execute(f"CREATE VIRTUAL TABLE claims_fts USING fts5 ({columns}, content='claims')")
    except sqlite3.OperationalError:
        return
    connection.execute("INSERT INTO claims_fts (claims_fts) VALUES ('rebuild')")


def _quoted(name: str) -> str:
    return f'"{name}"'
