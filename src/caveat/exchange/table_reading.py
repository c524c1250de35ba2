"""A table of records read into what the registry's own loader takes, every cell with its row and column.

So the faults of a table are found by the same checks as those of a registry file, and told by row and column.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from caveat.exchange.cells import counts_of, items_of, unguarded
from caveat.exchange.contents import MODELS, VOCABULARY
from caveat.exchange.csv_table import ID, KINDS, RECORD, VALUE, column_names
from caveat.exchange.fields import Field, fields_of
from caveat.loading.problems import Problem, quoted, suggest
from caveat.loading.yaml_text import Node
from caveat.outcome import UserError

_LARGEST_CELL = 1 << 24
_DELIMITERS = (",", ";", "\t")
_BLANK = " \t\r\n"  # around a cell; less than `strip` takes, so that all that a registry can hold comes back


class Row(NamedTuple):
    """A record of the table: the section that it is of, its id, the number of its row, and its node.

    `fields` are those that the table has; one that the row leaves empty is not in the node.
    """

    section: str
    id: str
    number: int
    fields: frozenset[str]
    node: Node


class Table:
    """A table that was read: its rows, and the vocabulary that it carries with the number of its row.

    `header` has the names of the columns as they were written.
    """

    __slots__ = ("file", "header", "problems", "rows", "vocabulary")

    def __init__(self, file: str, header: list[str]) -> None:
        self.file = file
        self.header = header
        self.rows: list[Row] = []
        self.vocabulary: Node | None = None
        self.problems: list[Problem] = []

    def told(self, problem: Problem) -> str:
        """A problem as a line; one of the table's with its row and column, as a program for tables counts them."""
        if problem.file != self.file or not problem.line:
            return str(problem)
        place = f"row {problem.line}"
        if 0 < problem.column <= len(self.header):
            place += f", column {_letters(problem.column)} ({self.header[problem.column - 1]})"
        return str(problem._replace(file=f"{self.file}: {place}", line=0))

    def refuse(self, row: int, column: int, subject: str, message: str, hint: str) -> None:
        """Note a fault of the table."""
        self.problems.append(Problem(self.file, row, column, subject, message, hint))


def read_table(path: str, shown: str) -> Table:
    """The table in a file. Raises UserError for a file that is no table; faults of cells are in `problems`."""
    text = _text(path, shown)
    delimiter = _delimiter(text)
    rows = _cells(text, delimiter, shown)
    _, first = next(rows, (1, []))
    header = [name.strip() for name in first]
    table = Table(shown, header)
    _check_header(table)
    if not table.problems:
        numbers: dict[tuple[str, str], int] = {}
        for number, cells in rows:
            _read_row(table, number, cells, numbers)
        if not table.rows and table.vocabulary is None and not table.problems:
            table.refuse(0, 0, "", "no row below the header", "write one record a row")
    return table


def _text(path: str, shown: str) -> str:
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise UserError(f"{shown}: cannot be read: {error.strerror or error}") from error
    if data.startswith(b"PK\x03\x04"):
        raise UserError(f"{shown}: not CSV: it is a workbook or another archive; save the sheet as CSV, in UTF-8")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = data.count(b"\n", 0, error.start) + 1
        raise UserError(f"{shown}: line {row}: not UTF-8 text; save the table as CSV, in UTF-8") from error


def _delimiter(text: str) -> str:
    """What stands between cells: programs for tables write a semicolon where the comma is in numbers."""
    first = text.partition("\n")[0]
    return max(_DELIMITERS, key=lambda sign: sum(_known(name.strip(' "\r')) for name in first.split(sign)))


def _cells(text: str, delimiter: str, shown: str) -> Iterator[tuple[int, list[str]]]:
    """The number of each row, as a program for tables counts them, and its cells."""
    before = csv.field_size_limit(_LARGEST_CELL)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    number = 0
    try:
        for number, cells in enumerate(reader, start=1):
            yield number, [unguarded(cell) for cell in cells]
    except csv.Error as error:
        what = "a quotation mark is opened and never closed" if "end of data" in str(error) else str(error)
        raise UserError(f"{shown}: row {number + 1}: {what}") from error
    finally:
        csv.field_size_limit(before)


def _columns() -> dict[str, None]:
    """The names that a column can have, those of the mappings that are spread aside."""
    fields = (field for section in MODELS for field in fields_of(section).values())
    return dict.fromkeys([RECORD, ID, *(name for field in fields for name in column_names(field))])


def _spread() -> set[str]:
    return {field.name for section in MODELS for field in fields_of(section).values() if field.shape == "spread"}


def _known(name: str) -> bool:
    field, dot, key = name.partition(".")
    return name in _columns() or (field in _spread() and bool(dot and key))


def _check_header(table: Table) -> None:
    """Columns that are known, each once, among them one with ids."""
    if not any(map(_known, table.header)):
        hint = "write one, for example record,id,product,metric,value,source"
        table.refuse(1, 0, "", "this row is no header: it names no column that a table of records has", hint)
        return
    seen: dict[str, int] = {}
    for at, name in enumerate(table.header, start=1):
        if not name:
            table.refuse(1, at, "", "this column has no name", "write one, or remove the column")
        elif not _known(name):
            known = [*_columns(), *(f"{spread}.precision" for spread in _spread())]
            table.refuse(1, at, "", f"unknown column {quoted(name)}", suggest(name, known))
        elif name in seen:
            table.refuse(1, at, "", f"the column {quoted(name)} is there twice", "keep one of them")
        seen[name] = at
    if ID not in seen:
        table.refuse(1, 0, "", "there is no column id", "give each record a name of its own in one")


def _read_row(table: Table, number: int, cells: list[str], numbers: dict[tuple[str, str], int]) -> None:
    """Add the record of a row, if it has one."""
    if not any(cell.strip() for cell in cells):
        return
    if len(cells) > len(table.header) and any(cell.strip() for cell in cells[len(table.header) :]):
        said = f"{len(cells)} cells, but the header has {len(table.header)}"
        table.refuse(number, 0, "", said, "put a cell that holds the separator in quotation marks")
        return
    row = {
        name: (at, cell.strip(_BLANK))
        for at, (name, cell) in enumerate(zip(table.header, cells, strict=False), start=1)
    }
    at, kind = row.get(RECORD, (0, ""))
    kind = kind or "claim"
    if kind == VOCABULARY:
        _read_vocabulary(table, number, row)
        return
    if kind not in KINDS:
        table.refuse(number, at, "", f"there is no record of the kind {quoted(kind)}", suggest(kind, KINDS))
        return
    id_at, id_ = row.get(ID, (0, ""))
    subject = f"{kind} {quoted(id_)}"
    first = numbers.setdefault((kind, id_), number)
    if not id_:
        table.refuse(number, id_at, kind, "id: empty", "give it a name of its own, for example h100-memory")
    elif first != number:
        table.refuse(number, id_at, subject, f"given twice, first in row {first}", "keep one of them")
    else:
        node, fields = _node(KINDS[kind], number, row)
        table.rows.append(Row(KINDS[kind], id_, number, fields, node))


def _node(section: str, number: int, row: dict[str, tuple[int, str]]) -> tuple[Node, frozenset[str]]:
    """The record of a row as a node, and the fields that the table has for it."""
    children: dict[str, Node] = {}
    node = Node(children, number, 0)
    known = fields_of(section)
    touched = set()
    for name, (at, cell) in row.items():
        if name in {RECORD, ID} and (name == RECORD or section != "claims"):
            continue
        name_of, _, key = name.partition(".")
        if name_of in known or cell:  # a cell that this kind of record does not have is a fault, unless it is empty
            touched.add(name_of)
        if not cell:
            continue
        value = _value(known.get(name_of), cell, number, at)
        if key:
            parent = children.setdefault(name_of, Node({}, number, at))
            node.keys.setdefault(name_of, (number, at))
            assert isinstance(parent.value, dict)
            parent.value[key] = value
            parent.keys[key] = (number, at)
        else:
            children[name] = value
            node.keys[name] = (number, at)
    node.value = {name: children[name] for name in ("id", *known, *children) if name in children}
    return node, frozenset(touched)


def _value(field: Field | None, cell: str, row: int, column: int) -> Node:
    """What a cell holds."""
    if field is not None and field.shape == "list":
        return placed_node(items_of(cell), row, column)
    if field is not None and field.shape == "counts":
        return placed_node(counts_of(cell), row, column)
    return Node(cell, row, column)


def placed_node(value: Any, row: int, column: int) -> Node:
    """A value as a node, all of it in one place."""
    if isinstance(value, dict):
        node = Node({str(key): placed_node(child, row, column) for key, child in value.items()}, row, column)
        node.keys = {str(key): (row, column) for key in value}
        return node
    if isinstance(value, list):
        return Node([placed_node(child, row, column) for child in value], row, column)
    return Node(value, row, column)


def _read_vocabulary(table: Table, number: int, row: dict[str, tuple[int, str]]) -> None:
    at, cell = row.get(VALUE, (0, ""))
    try:
        words = json.loads(cell, parse_int=str, parse_float=str)
    except (ValueError, RecursionError):
        words = None
    if not isinstance(words, dict) or table.vocabulary is not None:
        wrong = "not a vocabulary in JSON" if table.vocabulary is None else "a second vocabulary"
        table.refuse(number, at, VOCABULARY, wrong, 'write one in one row, for example {"metrics": {...}}')
        return
    table.vocabulary = placed_node(words, number, at)


def _letters(column: int) -> str:
    """The name of a column in a program for tables: A to Z, then AA."""
    name = ""
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name
