"""What `caveat sync` did, or would do: the tables of each draft that were not as the registry has them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from caveat.markdown.source import Source
from caveat.report.text import counted, visible


class StaleTable(NamedTuple):
    """A table that was not up to date: the row and column of its comment, its words, and the first row that differs."""

    row: int
    column: int
    words: str
    differs: str


class Synced(NamedTuple):
    """A draft with tables, before and after; how many there are, and which of them were not up to date.

    `path` is where it was read.
    """

    path: str
    before: Source
    after: Source
    tables: int
    stale: list[StaleTable]


def render_synced(results: Sequence[Synced], fmt: str, *, written: bool) -> str:
    """A JSON array for "json", one object a draft with tables; else a line for each stale table, and a count."""
    if fmt == "json":
        return json.dumps([_record(result, written=written) for result in results], indent=2, ensure_ascii=False) + "\n"
    lines = []
    for result in results:
        for table in result.stale:
            place = f"{result.before.filename}:{table.row}:{table.column}"
            about = f', from "{table.differs}" on' if table.differs else ""
            lines.append(visible(f"{place}: table {table.words}: {'synced' if written else 'stale'}{about}"))
    stale, tables = sum(len(result.stale) for result in results), sum(result.tables for result in results)
    said = f"{stale} {'synced' if written else 'stale'}, {tables - stale} up to date"
    drafts = f"{counted(tables, 'table')} in {counted(len(results), 'draft')}"
    lines.append(f"{drafts}: {said}." if tables else "No draft has a table from the registry.")
    return "".join(f"{line}\n" for line in lines)


def _record(result: Synced, *, written: bool) -> dict[str, object]:
    return {
        "filename": result.before.filename,
        "tables": result.tables,
        "stale": [table._asdict() for table in result.stale],
        "written": written and result.before.text != result.after.text,
    }
