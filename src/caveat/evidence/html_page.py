"""HTML as a page: its prose in blocks, its tables with rows and columns, its marks with the notes that they lead to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from justhtml import JustHTML

from caveat.evidence.page import Cell, PageBuilder, begins_note, note_mark, raised, without_marks
from caveat.figures.words import word_set

# What is on no page, and what a page has struck out.
_UNSEEN = word_set("script style template noscript svg iframe object del s strike head")
_BLOCKS = word_set(
    "address article aside blockquote body button caption center details dialog dd div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol option p pre section select summary "
    "table tbody td tfoot th thead tr ul"
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LISTS = frozenset(("ul", "ol", "menu"))
_NOTE = re.compile(r"[\[(]?([0-9]{1,3}|[a-z]|[*†‡§¶]{1,3})[\]).]?\Z")
# Where a line is broken. What ends with a number and its unit is said, and no sentence that goes on below.
_BREAK = "\ufdd2"
_VALUE = re.compile(r"[0-9][0-9.,]*\s?[A-Za-z/%²µ]{0,9}[.;)]?\s*\Z")
_MOST_ROWS = 100  # that a cell may stretch over
_MOST_COLUMNS = 60

Step = Callable[[], None]


def read_html(text: str) -> PageBuilder:
    """The page of an HTML text. Any text is one."""
    return _Reader(JustHTML(text, sanitize=False).root).read()


class _Reader:
    """Walks a tree without recursion, since a page may nest as deeply as it likes."""

    def __init__(self, root: Any) -> None:
        self.root = root
        self.builder = PageBuilder()
        self.inline: list[str] = []
        self.kind, self.level = "paragraph", 0
        self.note = ""
        self.lists: list[int] = []
        self.items: list[int] = []
        self.layouts: set[int] = set()
        self.notes: dict[str, str] = {}
        self._look_ahead()

    def read(self) -> PageBuilder:
        """The page as a whole."""
        title = self.root.query_one("title")
        if title is not None:
            self.builder.paragraph(_text_of(title), kind="heading", level=1)
        waiting: list[Any] = [self.root]
        while waiting:
            node = waiting.pop()
            if callable(node):
                node()
            elif node.name == "#text":
                self.inline.append(without_marks(node.data or ""))
            elif node.name not in _UNSEEN and not node.name.startswith("!"):
                waiting += self._enter(node)
        self._flush()
        return self.builder

    def _look_ahead(self) -> None:
        """Which tables only lay the page out, because they hold others, and which elements are notes."""
        waiting: list[tuple[Any, int]] = [(self.root, 0)]
        while waiting:
            node, table = waiting.pop()
            if node.name == "table":
                self.layouts |= {table} if table else set()
                table = id(node)
            elif node.name == "a" and (label := _label_of(node)):
                target = (node.attrs.get("href") or "").partition("#")[2]
                if target and (node.parent.name == "sup" or node.query_one("sup") is not None):
                    self.notes[target] = label
            waiting += [(child, table) for child in node.children or ()]

    def _enter(self, node: Any) -> list[Any]:
        """What comes next, last first: an element's children, and what is done behind them."""
        name = node.name
        children = list(reversed(node.children or ()))
        if name == "table" and id(node) not in self.layouts:
            self._flush()
            self._table(node)
            return []
        if name == "sup":
            self.inline.append(self._raised(node, "".join(self.inline[-3:])))
            return []
        if name in ("br", "wbr", "img", "#comment"):
            self.inline.append(_BREAK if name == "br" else "")
            return []
        label = self.notes.get(node.attrs.get("id") or "", "") if node.attrs else ""
        if name not in _BLOCKS and name not in _LISTS:
            if label and not "".join(self.inline).strip():
                self.note = node.attrs["id"]
            return children
        self._flush()
        return [self._opened(node, label), *children]

    def _opened(self, node: Any, label: str) -> Step:
        """What is done at the end of a block that now begins."""
        name = node.name
        before = (self.kind, self.level, self.note)
        if label:
            self.note = node.attrs["id"]
        if name in _HEADINGS:
            self.kind, self.level = "heading", _HEADINGS[name]
        elif name == "dt":
            self.kind, self.level = "term", 0
        elif name in _LISTS:
            self.lists.append(self.builder.list())
        elif name == "li" and self.lists:
            around = self.items[-1] if len(self.lists) > 1 and self.items else -1
            self.items.append(self.builder.item(self.lists[-1], around))

        def close() -> None:
            self._flush()
            self.kind, self.level, self.note = before
            if name in _LISTS:
                self.lists.pop()
            elif name == "li" and self.items:
                self.items.pop()

        return close

    def _flush(self) -> None:
        """The text that has come together is a block."""
        lines, self.inline = "".join(self.inline).split(_BREAK), []
        if all(begins_note(line) for line in lines) and len(lines) > 1:
            for line in lines:
                self.builder.paragraph(line)
        elif any(map(str.strip, lines)):
            item = self.items[-1] if self.items else -1
            self.builder.paragraph(_in_lines(lines), kind=self.kind, level=self.level, note=self.note, item=item)

    def _raised(self, node: Any, before: str) -> str:
        """A raised text: a mark that leads to a note, or an exponent."""
        link = node.query_one("a") or (node.parent if node.parent.name == "a" else None)
        target = (link.attrs.get("href") or "").partition("#")[2] if link is not None else ""
        if target in self.notes and _label_of(node):
            return note_mark(target)
        text, labels = raised(_text_of(node), before)
        if len(labels) == 1 and not before.strip() and not self.note:
            self.note = labels[0]
            return " "
        return text

    def _table(self, table: Any) -> None:
        """A table of data, and behind it the notes that stand in rows of their own."""
        notes = []
        rows = []
        for row in _rows_of(table):
            if row.name == "caption":
                self.builder.paragraph(self._cell_text(row))
                continue
            cells = [
                Cell(
                    self._cell_text(cell),
                    heads=cell.name == "th" or row.parent.name == "thead",
                    columns=_number(cell.attrs.get("colspan"), _MOST_COLUMNS),
                    rows=_number(cell.attrs.get("rowspan"), _MOST_ROWS),
                )
                for cell in row.children or ()
                if cell.name in ("td", "th")
            ]
            if len(cells) == 1 and self.note:
                notes.append((cells[0].text, self.note))
            else:
                rows.append(cells)
            self.note = ""
        self.builder.table(rows)
        for text, label in notes:
            self.builder.paragraph(text, note=label)

    def _cell_text(self, cell: Any) -> str:
        """The text of a cell in one piece."""
        pieces: list[str] = []
        waiting: list[Any] = list(reversed(cell.children or ()))
        while waiting:
            node = waiting.pop()
            if node.name == "#text":
                pieces.append(without_marks(node.data or ""))
            elif node.name == "sup":
                pieces.append(self._raised(node, "".join(pieces[-3:])))
            elif node.name not in _UNSEEN and not node.name.startswith("!"):
                if node.name in _BLOCKS or node.name == "br":
                    pieces.append(_BREAK)
                waiting += reversed(node.children or ())
        return _in_lines("".join(pieces).split(_BREAK))


def _in_lines(lines: Sequence[str]) -> str:
    """Lines in one piece: behind one that ends with a value the next is about something else."""
    text = ""
    for line in filter(str.strip, lines):
        text += f" • {line}" if _VALUE.search(text) else f" {line}"
    return text


def _rows_of(table: Any) -> Iterator[Any]:
    """The caption and the rows of a table in their order."""
    for child in table.children or ():
        if child.name in ("tr", "caption"):
            yield child
        elif child.name in ("thead", "tbody", "tfoot"):
            yield from (row for row in child.children or () if row.name == "tr")


def _text_of(node: Any) -> str:
    """All text in an element."""
    pieces: list[str] = []
    waiting: list[Any] = [node]
    while waiting:
        at = waiting.pop()
        if at.name == "#text":
            pieces.append(without_marks(at.data or ""))
        waiting += reversed(at.children or ())
    return "".join(pieces)


def _label_of(node: Any) -> str:
    """The mark that an element is, "" if it is another text."""
    mark = _NOTE.match(_text_of(node).strip())
    return mark[1] if mark else ""


def _number(text: str | None, most: int) -> int:
    """A span as it is written; one that is none counts as 1, and nothing is spanned beyond `most`."""
    return max(1, min(int(text), most)) if text and text.isdecimal() and len(text) < 6 else 1
