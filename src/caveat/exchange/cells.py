"""Values of a registry in the cells of a table, and back. A cell is text; what it holds is never a formula.

A program for tables runs a cell that begins with "=", "+", "-" or "@", also one that comes from a file. Such a cell
gets an apostrophe in front, by which those programs take it for text. Reading takes it off again, and a cell that had
one before gets another, so that every text comes back as it was.
"""

from __future__ import annotations

import json
import re

# What begins a formula: the signs, their full-width forms, and white space that is skipped before them.
_FORMULA = re.compile("'*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
_SEPARATOR = "; "


def guarded(cell: str) -> str:
    """A cell that no program for tables takes for a formula."""
    return f"'{cell}" if _FORMULA.match(cell) else cell


def unguarded(cell: str) -> str:
    """The cell as it was before `guarded`; one that was typed without an apostrophe stays as it is."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def list_cell(items: list[str]) -> str:
    """A list in a cell: `one; two`, or as JSON if that could be read in another way."""
    plain = _SEPARATOR.join(items)
    return plain if items_of(plain) == items else json.dumps(items, ensure_ascii=False)


def items_of(cell: str) -> list[str]:
    """The items of a list in a cell."""
    if cell.startswith("["):
        try:
            items = json.loads(cell)
        except ValueError:
            items = None
        if isinstance(items, list) and all(isinstance(item, str) for item in items):
            return items
    return [item.strip() for item in cell.split(";") if item.strip()]


def counts_cell(counts: dict[str, int]) -> str:
    """Counts by id in a cell: `h100: 8; cpu: 2`."""
    return _SEPARATOR.join(f"{id_}: {count}" for id_, count in counts.items())


def counts_of(cell: str) -> dict[str, str]:
    """The counts in a cell as they were typed; an item without a colon has an empty one."""
    parts = (item.partition(":") for item in cell.split(";") if item.strip())
    return {id_.strip(): count.strip() for id_, _, count in parts}
