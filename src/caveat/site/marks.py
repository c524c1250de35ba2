"""What is marked in a draft: its figures, each with what it rests on, and the words that other findings are about."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import Any, NamedTuple

from markupsafe import Markup

from caveat.engine import FLAGGED, REGISTERED
from caveat.finding import Finding
from caveat.markdown.rendering import Range, Rendered, render_marked
from caveat.markdown.source import Source
from caveat.report.text import visible
from caveat.site.survey import SeenFigure, Surveyed

_NOTED = frozenset({FLAGGED, REGISTERED})


class Item(NamedTuple):
    """A figure, or words that only findings are about; `number` is that of its note, 0 for none."""

    number: int
    start: int
    end: int
    state: str
    binding: str
    claims: tuple[str, ...]
    findings: tuple[Finding, ...]


def items_of(surveyed: Surveyed) -> list[Item]:
    """All that is marked in a draft, in order of place; what has more to it than its state gets a number."""
    found: dict[int, list[Finding]] = {}
    for finding in (*surveyed.outcome.findings, *surveyed.outcome.baselined):
        found.setdefault(finding.start, []).append(finding)
    figures = {figure.start: figure for figure in surveyed.figures}
    items = []
    for start in sorted({*found, *figures}):
        findings = tuple(found.get(start, ()))
        end = max(finding.end for finding in findings) if findings else start
        figure = figures.get(start) or SeenFigure(start, end, FLAGGED, "", ())
        items.append(Item(0, start, figure.end, figure.state, figure.binding, figure.claims, findings))
    return _numbered(items)


def _numbered(items: list[Item]) -> list[Item]:
    numbered, last = [], 0
    for item in items:
        noted = item.state in _NOTED
        last += noted
        numbered.append(item._replace(number=last if noted else 0))
    return numbered


def rendered(source: Source, items: list[Item]) -> tuple[list[Rendered], set[int]]:
    """The blocks of a draft with its marks, and the numbers of the notes whose words are marked in them."""
    pieces = _apart(items)
    ranges = [place for place, _ in pieces]
    firsts: dict[int, int] = {}
    for at, (_, item) in enumerate(pieces):
        firsts.setdefault(item, at)

    def wrap(at: int, html: str, first: bool, linked: bool) -> str:  # noqa: FBT001 - as `render_marked` calls it
        item = items[pieces[at][1]]
        return _mark(item, html, first=first and firsts[pieces[at][1]] == at, linked=linked)

    blocks = render_marked(_shown(source), ranges, wrap)
    marked = {items[pieces[at][1]].number for block in blocks for at in block.marked}
    return blocks, marked - {0}


def _mark(item: Item, html: str, *, first: bool, linked: bool) -> str:
    """A piece of marked words. Who does not see the mark hears its state."""
    tag = "a" if item.number and not linked else "span"
    name = Markup(' id="f{}"').format(item.number) if first and item.number else ""
    link = Markup(' href="#n{}"').format(item.number) if tag == "a" else ""
    state = Markup('<span class="hidden">{}: </span>').format(item.state) if first else ""
    words = Markup(html)  # noqa: S704 - the renderer has escaped it
    return Markup('<{} class="mark {}"{}{}>{}{}</{}>').format(tag, item.state, name, link, state, words, tag)


def _apart(items: list[Item]) -> list[tuple[Range, int]]:
    """Ranges that do not overlap, each with the index of its item: figures whole, other words around them."""
    pieces: list[tuple[Range, int]] = []
    at = 0
    for index, item in enumerate(items):
        if item.binding and item.start >= at:
            pieces.append(((item.start, item.end), index))
            at = item.end
    taken = [place for place, _ in pieces]
    last = 0
    for index, item in enumerate(items):
        if item.binding:
            continue
        at = max(item.start, last)
        for start, end in [*taken[max(0, bisect_left(taken, (at, at)) - 1) :], (item.end, item.end)]:
            if start >= item.end or end > at:
                if at < min(start, item.end):
                    pieces.append(((at, min(start, item.end)), index))
                at = max(at, end)
            if start >= item.end:
                break
        last = max(last, item.end)
    return sorted(pieces)


def _shown(source: Source) -> Source:
    """The draft with nothing in it that acts on a page, every offset as it was."""
    keep: Callable[[str], Any] = "\t\n\r".__contains__
    text = source.text
    if not all(sign.isprintable() or keep(sign) for sign in text):
        text = "".join(sign if keep(sign) else visible(sign) for sign in text)
    return source.edited(text)
