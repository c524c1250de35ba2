"""Lines of text as a page: a plain text, or the lines that a PDF shows. Columns are told by the space between them."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence

from caveat.evidence.page import Cell, PageBuilder

# A column ends where two spaces or more, a tab or a bar stand; two behind a sentence are a habit of typists.
_GAP = re.compile(r"(?<![.!?:]) {2,}| {3,}|\t| *\| *")
_RULE = re.compile(r"[\s|+=_:─-]{3,}\Z")
_HYPHEN = re.compile(r"(?<=[a-z])-\Z")
# So much of the lines may have text where a column ends, and so wide are columns of prose.
_CROSSING = 0.15
_PROSE_WIDTH = 34
# A line so much shorter than the others ends a paragraph; so short is a title, which has no number at the start of a
# word and no full stop.
_SHORT = 0.6
_TITLE = 80
_NO_TITLE = re.compile(r"(?:^|\s)[$€£~<>≤≥+-]?[0-9]|[.;:,!?]\Z|^[*†‡§¶•]")
_FEWEST_ROWS = 2
# So many rows of a table say where its columns are, and so many lines are looked at together.
_SEEN = 20
_MOST_LINES = 200

Words = tuple[int, str]


def add_lines(builder: PageBuilder, text: str) -> None:
    """Add the paragraphs and tables of a text to a page; a text of a stranger must have lost its marks before."""
    table: list[list[Words]] = []
    rows_before = 0
    waiting = deque(_runs(text.expandtabs(8).splitlines()))
    while waiting:
        run = waiting.popleft()
        rows = [_cells(line) for line in run]
        goes_on = bool(table) and 1 in (rows_before, _columned(rows)) and _aligned(rows, table[-_SEEN:])
        if not goes_on:
            _add_columns(builder, table)
            table = []
        edge = min((at for row in [*table[-_SEEN:], *rows] for at, _ in row[1:]), default=0)
        inside = [len(row) > 1 or (goes_on and _ends(row) < edge) for row in rows]
        first = inside.index(True) if True in inside else len(rows)
        last = first
        while last < len(rows) and (len(rows[last]) > 1 or _ends(rows[last]) < edge):
            last += 1
        if first:
            _add_columns(builder, table)
            table = []
        _add_prose(builder, run[:first])
        table += rows[first:last]
        rows_before = _columned(rows)
        if last < len(rows):
            _add_columns(builder, table)
            table = []
            waiting.appendleft(run[last:])
    _add_columns(builder, table)


def _columned(rows: list[list[Words]]) -> int:
    """How many rows have columns."""
    return sum(len(row) > 1 for row in rows)


def _aligned(rows: list[list[Words]], table: list[list[Words]]) -> bool:
    """Whether a piece of some rows begins or ends below one of a table's."""
    places = {place for row in table for at, text in row[1:] for place in (at, at + len(text))}
    return any(
        near in places
        for row in rows
        for at, text in (row[1:] if len(row) > 1 else ())
        for near in (at, at - 1, at + 1, at + len(text))
    )


def _ends(row: list[Words]) -> int:
    """Where the last piece of a row ends."""
    return row[-1][0] + len(row[-1][1])


def _runs(lines: Sequence[str]) -> Iterator[list[str]]:
    """The lines between two empty ones; those that only draw a rule are left out."""
    run: list[str] = []
    for line in [*lines, ""]:
        if not line.strip() and run:
            yield run
            run = []
        elif line.strip() and not _RULE.match(line):
            run.append(line)
        if len(run) == _MOST_LINES:
            yield run
            run = []


def _add_prose(builder: PageBuilder, lines: Sequence[str]) -> None:
    """Add lines as paragraphs: one ends with a line that leaves much of the width empty. Titles have no figure."""
    width = max(map(len, lines), default=0)
    open_: list[str] = []
    for number, line in enumerate(lines, start=1):
        open_.append(line)
        if len(line) < width * _SHORT or number == len(lines):
            text = _joined(open_)
            titled = len(open_) == 1 and len(text) < _TITLE and not _NO_TITLE.search(text)
            builder.paragraph(text, kind="heading" if titled else "paragraph", level=2 if titled else 0)
            open_ = []


def _cells(line: str) -> list[Words]:
    """The pieces of a line with the places where they begin."""
    found, at = [], 0
    for gap in [*_GAP.finditer(line), None]:
        end = gap.start() if gap else len(line)
        if line[at:end].strip():
            found.append((at + len(line[at:end]) - len(line[at:end].lstrip()), line[at:end].strip()))
        at = gap.end() if gap else at
    return found


def _joined(lines: Sequence[str]) -> str:
    """Lines as one paragraph; a word that was divided at the end of a line is whole again."""
    text = ""
    for line in lines:
        whole = _HYPHEN.search(text)
        text = f"{text[:-1]}{line.strip()}" if whole else f"{text} {line.strip()}"
    return text


def _add_columns(builder: PageBuilder, rows: list[list[Words]]) -> None:
    """Add rows of pieces as a table, or as columns of prose one after the other. A single row is no table."""
    if len(rows) < _FEWEST_ROWS:
        builder.paragraph(" ".join(text for row in rows for _, text in row))
        return
    edges = _edges([row for row in rows if len(row) > 1])
    if len(edges) == 1:  # lines that are spaced out
        _add_prose(builder, [" ".join(text for _, text in row) for row in rows])
        return
    placed = [_placed(_cut(row, edges), edges) for row in rows]
    widths = [max(map(len, column)) for column in zip(*placed, strict=True)]
    if min(widths) >= _PROSE_WIDTH:
        for column in zip(*placed, strict=True):
            _add_prose(builder, [text for text in column if text])
        return
    builder.table([[Cell(text) for text in row] for row in _whole_rows(placed)])


def _cut(row: list[Words], edges: list[int]) -> list[Words]:
    """The pieces of a row, those cut that a single space at the edge of a column keeps together."""
    cut = []
    for start, text in row if len(row) > 1 else ():
        at, rest = start, text
        for edge in edges:
            if at < edge < at + len(rest) and rest[edge - at - 1] == " ":
                cut.append((at, rest[: edge - at].strip()))
                at, rest = edge, rest[edge - at :]
        cut.append((at, rest))
    return cut or row


def _edges(rows: list[list[Words]]) -> list[int]:
    """Where columns begin: behind places in which hardly a line has text."""
    width = max(at + len(text) for row in rows for at, text in row)
    covered = [0] * (width + 1)
    for row in rows:
        for at, text in row:
            for place in range(at, at + len(text)):
                covered[place] += 1
    limit = int(len(rows) * _CROSSING)
    return [at for at in range(width) if covered[at] > limit and (at == 0 or covered[at - 1] <= limit)]


def _placed(row: list[Words], edges: list[int]) -> list[str]:
    """The pieces of a row in the columns that they reach into most."""
    columns = [""] * max(len(edges), 1)
    for at, text in row:
        middle = at if len(row) == 1 else at + len(text) // 2
        column = max((number for number, edge in enumerate(edges) if edge <= max(at, middle)), default=0)
        if columns[column] and column + 1 < len(columns) and not columns[column + 1]:
            column += 1
        columns[column] = f"{columns[column]} {text}".strip()
    return columns


def _whole_rows(rows: list[list[str]]) -> list[list[str]]:
    """Rows whose label takes several lines have it in one; lines above the first label head the columns together."""
    whole: list[list[str]] = []
    label = ""
    open_label = False
    for row in rows:
        values = any(row[1:])
        if not values:
            if open_label and whole:
                whole[-1][0] = f"{whole[-1][0]} {row[0]}".strip()
                continue
            label = f"{label} {row[0]}".strip()
            continue
        heading = not row[0] and not label and (not whole or (len(whole) == 1 and not whole[0][0]))
        if heading and whole:
            whole[0] = [f"{above} {below}".strip() for above, below in zip(whole[0], row, strict=True)]
            continue
        open_label = bool(label) and (not row[0] or row[0][0].islower())
        if open_label:
            whole.append([f"{label} {row[0]}".strip(), *row[1:]])
        else:
            if label:
                whole.append([label, *[""] * (len(row) - 1)])
            whole.append(list(row))
        label = ""
    if label:
        whole.append([label, *[""] * (len(rows[0]) - 1)])
    return whole
