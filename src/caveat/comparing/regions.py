"""Tables that a draft has from the registry: between two comments, the first of which says what is in the table.

<!-- caveat: table trainium3 b200 h200 metrics="FP8, memory" -->
<!-- caveat: end -->
"""

from __future__ import annotations

import re
import shlex
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from caveat.comparing.asking import Asked, Mistake, find_metrics, find_products
from caveat.comparing.tables import Table, as_markdown, build_table
from caveat.finding import Edit, apply_edits
from caveat.markdown.document import Document
from caveat.markdown.regions import TABLE, Marker
from caveat.registry.registry import Registry

OPENING, CLOSING = "<!-- caveat: table {} -->", "<!-- caveat: end -->"
_METRICS = re.compile(r"(?:--)?metrics=(.*)")
_LINE_END = re.compile(r"\r\n?|\n")
# How a formatter may set a table: blanks around the cells, dashes under the header.
_PADDING = re.compile(r"[ \t]*\|[ \t]*")
_DASHES = re.compile(r":?-+:?(?=\|)")


class Fault(NamedTuple):
    """A region that cannot be kept true: the words to show, what is wrong with them, and the mistake behind it."""

    start: int
    end: int
    problem: str
    mistake: Mistake | None = None


class Region(NamedTuple):
    """What stands between two markers, from `start` to `end`, and what the registry has there: `expected`.

    `opening` is the first of the markers.
    """

    opening: Marker
    start: int
    end: int
    expected: str


class Stale(NamedTuple):
    """The first line of a region that is not as expected, by its place, and what the row is about."""

    start: int
    end: int
    row: str


def fenced_table(registry: Registry, products: Sequence[str], metrics: Sequence[str]) -> str:
    """A table with its two comments, ready for a draft. Raises Mistake for what cannot be asked."""
    asked = find_metrics(registry, metrics)
    found = find_products(registry, products)
    words = [product.id for product in found]
    if asked:
        words.append(f"metrics={shlex.quote(', '.join(_in_words(each) for each in asked))}")
    table = as_markdown(build_table(registry, found, asked))
    return f"{OPENING.format(' '.join(words))}\n\n{table}\n{CLOSING}\n"


def _in_words(asked: Asked) -> str:
    if asked.metric and asked.precision:
        return f"{asked.precision} {asked.metric.replace('-', ' ')}"
    return asked.metric or asked.precision


def read_regions(document: Document, registry: Registry) -> tuple[list[Region], list[Fault]]:
    """The regions of a draft, each with what belongs there, and those that cannot be made out."""
    regions: list[Region] = []
    pairs, faults = _paired(document)
    ends = [closing.start for _, closing in pairs]
    noted = {
        label.casefold()
        for label, (start, _) in document.footnotes.items()
        if (at := bisect_right(ends, start)) == len(pairs) or start < pairs[at][0].end
    }
    for opening, closing in pairs:
        try:
            table = _table(registry, opening.words)
        except Mistake as mistake:
            faults.append(Fault(opening.start, opening.end, str(mistake), mistake))
            continue
        line_end = _line_end_at(document.source.text, opening.end)
        text = as_markdown(table, [label for label in table.notes if label.casefold() in noted])
        noted |= {label.casefold() for label in table.notes}
        expected = f"\n\n{text}\n".replace("\n", line_end)
        regions.append(Region(opening, opening.end, closing.start, expected))
    return regions, sorted(faults, key=lambda fault: fault.start)


def _paired(document: Document) -> tuple[list[tuple[Marker, Marker]], list[Fault]]:
    """Each marker that opens a region with the one that closes it, and those that have none."""
    pairs: list[tuple[Marker, Marker]] = []
    faults: list[Fault] = []
    opened: Marker | None = None
    for marker in sorted(document.markers, key=lambda marker: marker.start):
        if not marker.alone:
            faults.append(
                Fault(marker.start, marker.end, "this comment must stand alone on a line, in no list or quote")
            )
        if marker.form == TABLE:
            faults += _without_end(opened)
            opened = marker
        elif opened is None:
            faults.append(Fault(marker.start, marker.end, 'no "caveat: table" stands before this end'))
        else:
            if opened.alone and marker.alone:
                pairs.append((opened, marker))
            opened = None
    return pairs, faults + _without_end(opened)


def _without_end(opened: Marker | None) -> list[Fault]:
    if opened is None or not opened.alone:
        return []  # of one that does not stand alone that is said already
    return [Fault(opened.start, opened.end, f"this table has no end; write {CLOSING} behind it")]


def _table(registry: Registry, words: str) -> Table:
    """The table that the words of a marker ask for. Raises Mistake."""
    try:
        said = shlex.split(words)
    except ValueError:
        raise Mistake("a quotation mark is not closed") from None
    metrics: list[str] = []
    products = []
    for word in said:
        option = _METRICS.fullmatch(word)
        if option:
            metrics += [name.strip() for name in option[1].split(",") if name.strip()]
        elif word.strip(","):
            products.append(word.strip(","))
    if not products:
        raise Mistake("this table names no product; write their ids behind the word table")
    return build_table(registry, find_products(registry, products), find_metrics(registry, metrics))


def _line_end_at(text: str, offset: int) -> str:
    found = _LINE_END.match(text, offset)
    return found[0] if found else "\n"


def stale_line(text: str, region: Region) -> Stale | None:
    """The first line of a region that is not what belongs there; None if it is true, however it is set."""
    there = list(_lines(text, region.start, region.end))
    wanted = [line for line, _, _ in _lines(region.expected, 0, len(region.expected))]
    for at, (line, start, end) in enumerate(there):
        if at >= len(wanted) or line != wanted[at]:
            return Stale(start, end, _row(line))
    if len(there) < len(wanted):
        return Stale(region.opening.start, region.opening.end, _row(wanted[len(there)]))
    return None


def _lines(text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """The lines of a piece of text that are not blank, as they are without a formatter, each with its place."""
    at = start
    while at < end:
        found = _LINE_END.search(text, at, end)
        stop, following = (found.start(), found.end()) if found else (end, end)
        line = text[at:stop].strip()
        if line:
            place = at + (stop - at - len(text[at:stop].lstrip()))
            yield (_DASHES.sub("---", _PADDING.sub("|", line)) if line[0] == "|" else line), place, place + len(line)
        at = following


def _row(line: str) -> str:
    """What a line of a table is about: its first cell, or its note's label."""
    return line[1:].split("|", maxsplit=1)[0].strip() if line[0] == "|" else line.partition(":")[0]


def synced(document: Document, regions: Sequence[Region]) -> str:
    """The text of a draft with each region as the registry has it; a true one is left as it is set."""
    text = document.source.text
    stale = [region for region in regions if stale_line(text, region) is not None]
    return apply_edits(text, [Edit(region.start, region.end, region.expected) for region in stale])
