# ruff: noqa: ARG002 - all actions on a token are called alike
"""Walks the parser's block tokens once, and gathers blocks, lists, tables, references and the prose copy."""

from __future__ import annotations

import re

from caveat.markdown.document import Block, Document, Item, ListRun, Reference, Table
from caveat.markdown.embedded import FILLER, front_matter_lines, hide_shortcodes
from caveat.markdown.masking import Masked
from caveat.markdown.parser import Token, parser_for
from caveat.markdown.prose import Copy, Lines, Segment, span
from caveat.markdown.source import Source
from caveat.markdown.suppressions import FILE, LINE, NEXT_BLOCK, Suppression, read_suppression

# What ends the wait of a suppression for its block, beside blocks of HTML; not the cells of a table.
_BLOCKS = frozenset(
    (
        *("paragraph_open", "heading_open", "bullet_list_open", "ordered_list_open", "list_item_open"),
        *("blockquote_open", "alert_open", "footnote_reference_open", "dl_open", "dd_open", "table_open"),
        *("fence", "code_block", "hr"),
    )
)

# A quotation's last paragraph begins with one of these if it names who is quoted.
_DASHES = ("—", "–", "-", "―")


class _Place:
    """Where the walk stands: inside which containers, and what was last seen among their children."""

    __slots__ = ("footnote", "item", "previous", "quoted", "table_before")

    def __init__(self, *, quoted: bool, footnote: str, item: int) -> None:
        self.quoted = quoted
        self.footnote = footnote
        self.item = item
        self.previous = -1  # the block directly before, among the children of this container
        self.table_before = -1  # the table directly before


class Structure:
    """Reads one draft."""

    def __init__(self, source: Source) -> None:
        self.source = source
        text = source.text
        if "\r" in text:
            text = re.sub(r"\r\n?", "\n", text)
        self.text = hide_shortcodes(text.replace("\0", "\ufffd"))
        self.parser = parser_for(mdx=source.filename.lower().endswith(".mdx"))
        self.parsed = self.parser.parse(self.text, front_matter_lines(text))
        self.lines = Lines(
            self.text, self.parsed.starts, self.parsed.ends, source.row_starts(), shifted="\r" in source.text
        )
        self.copy = Copy(source.text)
        self.document = Document(source, "")
        self.places = [_Place(quoted=False, footnote="", item=-1)]
        self.open_lists: list[int] = []
        self.cells: list[list[Segment]] = []
        self.kind, self.level, self.sign = "paragraph", 0, ""
        self.waiting: list[Suppression] = []  # for the block that follows

    def read(self) -> Document:
        """The whole document."""
        actions = {
            "paragraph_open": self._paragraph,
            "heading_open": self._heading,
            "inline": self._inline,
            "html_block": self._html,
            "bullet_list_open": self._list,
            "ordered_list_open": self._list,
            "bullet_list_close": self._list_close,
            "ordered_list_close": self._list_close,
            "list_item_open": self._item,
            "list_item_close": self._leave,
            "blockquote_open": self._quote,
            "blockquote_close": self._leave,
            "alert_open": self._alert,
            "alert_close": self._leave,
            "footnote_reference_open": self._footnote,
            "footnote_reference_close": self._leave,
            "dt_open": self._term,
            "dd_open": self._alert,
            "dd_close": self._leave,
            "table_open": self._table,
            "tr_open": self._row,
            "th_open": self._cell,
            "td_open": self._cell,
            "table_close": self._table_close,
            "fence": self._break,
            "code_block": self._break,
            "raw": self._raw,
            "hr": self._break,
        }
        for token in self.parsed.tokens:
            action = actions.get(token.type)
            if self.waiting and token.type in _BLOCKS:
                self._cover(token)
            if action is not None:
                action(token)
        document = self.document
        document.references.sort(key=lambda reference: (reference.start, -reference.end))
        document.prose = self.copy.finish()
        if all(block.quoted for block in document.blocks) and not self._signed():
            for block in document.blocks:
                block.quoted = False
        return document

    def _signed(self) -> bool:
        """Whether the last block says who is quoted: a draft that is one quotation without that is the writer's own."""
        last = self.document.blocks[-1] if self.document.blocks else None
        return last is not None and self.document.prose[last.start : last.end].lstrip()[:1] in _DASHES

    def _paragraph(self, token: Token) -> None:
        self.kind, self.level = "paragraph", 0

    def _heading(self, token: Token) -> None:
        self.kind, self.level, self.sign = "heading", int(token.tag[1]), token.markup[0]

    def _term(self, token: Token) -> None:
        self.kind, self.level = "term", 0

    def _inline(self, token: Token) -> None:
        if self.kind == "cell":
            self._fill_cell(token)
            return
        if not token.content or token.map is None:
            return  # the title that markdown-it gives an alert stands in no file
        first, following = token.map
        if self.kind == "heading" and self.sign == "#":
            segments = self.lines.locate_heading(token.content, first)
        else:
            segments = self.lines.locate(token.content, first, max(following, first + 1))
        self._add(segments, self._mask(token.content))

    def _html(self, token: Token) -> None:
        assert token.map is not None
        content = token.content.strip(" \t\n")
        segments = self.lines.locate(content, token.map[0], token.map[1]) if content else []
        self.kind, self.level = "html", 0
        masked = self.parser.inline.mask_html(content, self.parsed.footnotes, self.parsed.references)
        comments_only = bool(masked.comments) and not (masked.notes or masked.text.strip())
        if self.waiting and not comments_only:
            self._cover(token)
        self._add(segments, masked)

    def _mask(self, content: str) -> Masked:
        return self.parser.inline.mask(content, self.parsed.footnotes, self.parsed.references)

    def _add(self, segments: list[Segment], masked: Masked) -> None:
        """Add a block that is not a cell, unless it holds neither prose nor a reference."""
        self._note_comments(segments, masked)
        if not segments or not (masked.notes or masked.text.strip()):
            return
        place = self.places[-1]
        index = self._block(segments, masked, -1, -1, -1)
        if place.table_before >= 0:
            self.document.tables[place.table_before].after = index
        place.previous, place.table_before = index, -1

    def _block(self, segments: list[Segment], masked: Masked, table: int, row: int, column: int) -> int:
        place, index = self.places[-1], len(self.document.blocks)
        first, last = segments[0], segments[-1]
        start, end = first[2], last[2] + last[1] - last[0]
        self.document.blocks.append(
            Block(
                self.kind,
                start,
                end,
                level=self.level,
                quoted=place.quoted,
                footnote=place.footnote,
                item=place.item,
                table=table,
                row=row,
                column=column,
            )
        )
        if place.item >= 0:
            self.document.items[place.item].blocks.append(index)
        self.copy.put(segments, masked.text)
        for kind, begin, stop, label in masked.notes:
            found = kind in ("link", "url", "image", "inline-footnote")
            defined = found or (kind == "footnote" and label.casefold() in self.parsed.footnotes)
            place_in_file = span(segments, begin, stop)
            reference = Reference(kind, *place_in_file, label.replace(FILLER, ""), defined=defined)
            self.document.references.append(reference)
        return index

    def _note_comments(self, segments: list[Segment], masked: Masked) -> None:
        for start, end in masked.comments if segments else ():
            self._note_comment(*span(segments, start, end))

    def _note_comment(self, start: int, end: int) -> None:
        """Keep a comment if it is a suppression, with what it covers as far as that is known by now."""
        suppression = read_suppression(self.source.text, start, end)
        if suppression is None:
            self._note_marker(start, end)
            return
        self.document.suppressions.append(suppression)
        if suppression.form == LINE:
            row, rows = self.source.place(start)[0], self.source.row_starts()
            suppression.covered = (rows[row - 1], rows[row] if row < len(rows) else len(self.source.text) + 1)
        elif suppression.form == FILE:
            suppression.covered = (0, len(self.source.text) + 1)
        elif suppression.form == NEXT_BLOCK:
            self.waiting.append(suppression)

    def _note_marker(self, start: int, end: int) -> None:
        """Keep a comment if it opens or closes what is generated."""
        _, sign, words = self.source.text[start:end].partition("caveat:")
        if not sign or not words.lstrip().startswith(("table", "end")):
            return
        from caveat.markdown.regions import read_marker  # few drafts have one

        marker = read_marker(self.source.text, start, end)
        if marker is not None:
            self.document.markers.append(marker)

    def _cover(self, token: Token) -> None:
        """Give the waiting suppressions this block."""
        if token.map is not None:
            first, last = token.map[0], max(token.map[0], token.map[1] - 1)
            covered = self.lines.in_file(self.lines.starts[first]), self.lines.in_file(self.lines.ends[last]) + 1
            for suppression in self.waiting:
                suppression.covered = covered
        self.waiting.clear()

    def _raw(self, token: Token) -> None:
        comment = token.meta["comment"]
        if comment is None:
            self.waiting.clear()
        else:
            start, end = comment
            self._note_comment(self.lines.in_file(start), self.lines.in_file(end - 1) + 1)
        self._break(token)

    def _break(self, token: Token) -> None:
        place = self.places[-1]
        place.previous = place.table_before = -1

    def _enter(self, *, quoted: bool, footnote: str, item: int) -> None:
        place = self.places[-1]
        place.previous = place.table_before = -1
        self.places.append(_Place(quoted=quoted, footnote=footnote, item=item))

    def _leave(self, token: Token) -> None:
        self.places.pop()

    def _quote(self, token: Token) -> None:
        place = self.places[-1]
        self._enter(quoted=True, footnote=place.footnote, item=place.item)

    def _alert(self, token: Token) -> None:
        place = self.places[-1]
        self._enter(quoted=place.quoted, footnote=place.footnote, item=place.item)

    def _footnote(self, token: Token) -> None:
        assert token.map is not None
        place, label = self.places[-1], str(token.meta["label"])
        start = self.text.find(f"[^{label}]:", self.lines.starts[token.map[0]])
        last = token.map[1] - 1
        while last > token.map[0] and not self.text[self.lines.starts[last] : self.lines.ends[last]].strip(" \t>"):
            last -= 1
        self.document.footnotes.setdefault(
            label, (self.lines.in_file(start), self.lines.in_file(self.lines.ends[last]))
        )
        self._enter(quoted=place.quoted, footnote=label, item=-1)

    def _list(self, token: Token) -> None:
        self.open_lists.append(len(self.document.lists))
        self.document.lists.append(ListRun(self.places[-1].previous, [], ordered=token.type == "ordered_list_open"))

    def _list_close(self, token: Token) -> None:
        self.open_lists.pop()
        self._break(token)

    def _item(self, token: Token) -> None:
        place, index = self.places[-1], len(self.document.items)
        self.document.items.append(Item(self.open_lists[-1], place.item, []))
        self.document.lists[self.open_lists[-1]].items.append(index)
        self._enter(quoted=place.quoted, footnote=place.footnote, item=index)

    def _table(self, token: Token) -> None:
        self.document.tables.append(Table([], self.places[-1].previous, -1))

    def _row(self, token: Token) -> None:
        assert token.map is not None
        self.document.tables[-1].rows.append([])
        self.cells = self.lines.cells(int(token.meta["start"]), token.map[0])

    def _cell(self, token: Token) -> None:
        self.kind, self.level = "cell", 0

    def _fill_cell(self, token: Token) -> None:
        row = self.document.tables[-1].rows[-1]
        index = -1
        if token.content:
            segments = self.cells[len(row)]
            masked = self._mask(token.content)
            self._note_comments(segments, masked)
            index = self._block(
                segments,
                masked,
                len(self.document.tables) - 1,
                len(self.document.tables[-1].rows) - 1,
                len(row),
            )
        row.append(index)

    def _table_close(self, token: Token) -> None:
        self.kind = "paragraph"
        self._break(token)
        self.places[-1].table_before = len(self.document.tables) - 1
