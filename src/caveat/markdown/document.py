"""A draft as its prose and its structure, every offset one in the file's own text.

The prose is a copy of the text, of the same length and with the same line breaks, in which all that is not prose is
blanked: a match in the prose is a place in the file. This module holds the types; the parser loads when `read` is
called, so that a run that has nothing to read does not pay for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from caveat.markdown.source import Source
from caveat.markdown.suppressions import Suppression

if TYPE_CHECKING:
    from caveat.markdown.regions import Marker

Indices = list[int]


class Block:
    """A run of prose that sentences do not leave: a paragraph, heading, table cell, term or piece of HTML.

    `start` and `end` are offsets of its content, end exclusive. `level` is a heading's level, else 0. `quoted` is true
    in a block quote, unless the whole draft is one and names nobody; `footnote` is the label of the footnote definition
    around it, or empty. `item` and `table` index `Document.items` and `Document.tables`; `row` and `column` place a
    cell, row 0 being the header. All are -1 when there is none.
    """

    __slots__ = ("column", "end", "footnote", "item", "kind", "level", "quoted", "row", "start", "table")

    def __init__(
        self,
        kind: str,
        start: int,
        end: int,
        *,
        level: int,
        quoted: bool,
        footnote: str,
        item: int,
        table: int,
        row: int,
        column: int,
    ) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.level = level
        self.quoted = quoted
        self.footnote = footnote
        self.item = item
        self.table = table
        self.row = row
        self.column = column


class Item:
    """A list item: its list, the item around that list (-1 for none), and its own blocks, without its subitems'."""

    __slots__ = ("blocks", "list", "parent")

    def __init__(self, list: int, parent: int, blocks: Indices) -> None:  # noqa: A002 - the list of the item
        self.list = list
        self.parent = parent
        self.blocks = blocks


class ListRun:
    """A list: the block directly before it (-1 for none), its items, and whether they are numbered."""

    __slots__ = ("items", "lead_in", "ordered")

    def __init__(self, lead_in: int, items: Indices, *, ordered: bool) -> None:
        self.lead_in = lead_in
        self.items = items
        self.ordered = ordered


class Table:
    """A table: block indices by row and column, row 0 the header; an empty or missing cell is -1.

    `before` and `after` are the blocks directly around it, -1 for none.
    """

    __slots__ = ("after", "before", "rows")

    def __init__(self, rows: list[Indices], before: int, after: int) -> None:
        self.rows = rows
        self.before = before
        self.after = after


class Reference:
    """A link, image or citation in the text.

    `kind` is one of:
        link             the whole `[text](target)`, `[text][label]` or `<a href>..</a>`; label is the target
        url              an autolink or a bare URL; label is the address
        image            the whole `![alternative](target)`; label is the target
        footnote         a `[^label]`; label as its definition writes it, `defined` whether there is one
        inline-footnote  a whole `^[text]`
        citation         a `[@key]`, or one `@key` of several in a bracket; label is the key, `defined` is False
        reference        a `[text][label]` whose label has no definition
    """

    __slots__ = ("defined", "end", "kind", "label", "start")

    def __init__(self, kind: str, start: int, end: int, label: str, *, defined: bool) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.label = label
        self.defined = defined


class Document:
    """What `read` finds in a draft; blocks, references, suppressions and markers are in order of their start.

    `footnotes` maps the label of each footnote definition, as written, to the offsets of the definition.
    """

    __slots__ = (
        "blocks",
        "footnotes",
        "items",
        "lists",
        "markers",
        "prose",
        "references",
        "source",
        "suppressions",
        "tables",
    )

    def __init__(self, source: Source, prose: str) -> None:
        self.source = source
        self.prose = prose
        self.blocks: list[Block] = []
        self.items: list[Item] = []
        self.lists: list[ListRun] = []
        self.tables: list[Table] = []
        self.references: list[Reference] = []
        self.footnotes: dict[str, tuple[int, int]] = {}
        self.suppressions: list[Suppression] = []
        self.markers: list[Marker] = []


def read(source: Source) -> Document:
    """Read a draft. Any text is one: nothing raises. A name that ends in .mdx makes it MDX."""
    from caveat.markdown.structure import Structure  # the parser takes 30 ms to import

    return Structure(source).read()
