"""The pages of a report. What they look like is in the templates; here is what they tell."""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from caveat import __version__, data
from caveat.engine import CITED, FLAGGED, OTHER, OWN, REGISTERED
from caveat.markdown.rendering import Rendered
from caveat.markdown.source import Source
from caveat.registry.registry import Registry
from caveat.report.text import counted, visible
from caveat.site.marks import Item, items_of, rendered
from caveat.site.naming import page_names
from caveat.site.shelves import Shelf
from caveat.site.survey import Surveyed

# What a figure can rest on, in the order of the charts, and what that means.
STATES = (
    (REGISTERED, "the registry has a claim about it"),
    (CITED, "a source is named beside it"),
    (OWN, "the writer's own measurement"),
    (OTHER, "needs no source, or follows from others"),
    (FLAGGED, "a finding is about it"),
)
_BAR = 200  # the width of a bar of coverage, in pixels
_MOST_CLAIMS = 4  # beside a figure; more are counted


def counts_of(surveyed: Surveyed) -> dict[str, int]:
    """How many figures a draft has, and how many in each state."""
    states = [figure.state for figure in surveyed.figures]
    return {"figures": len(states)} | {name: states.count(name) for name, _ in STATES}


def build_pages(drafts: Sequence[Surveyed], registries: Mapping[str, Registry], today: date) -> dict[str, str]:
    """All pages by their paths. `registries` are those that the drafts were checked against, by their keys."""
    shelves = {
        key: Shelf(registry, number, len(registries)) for number, (key, registry) in enumerate(registries.items(), 1)
    }
    names = page_names(each.outcome.source.filename for each in drafts)
    paths = {each.outcome.source.filename: f"drafts/{names[each.outcome.source.filename]}" for each in drafts}
    marked = [(each, items_of(each)) for each in drafts]
    for each, items in marked:
        source = each.outcome.source
        shelves[each.registry].note_uses(source, paths[source.filename], items)
    site = _Site(list(shelves.values()), today)
    told = [_draft(each, paths[each.outcome.source.filename]) for each in drafts]
    pages = {"index.html": site.page("index.html", "", here="index", **_overview(told, site.shelves, today))}
    for (each, items), draft in zip(marked, told, strict=True):
        blocks = _blocks(each.outcome.source, items, shelves[each.registry])
        pages[draft["page"]] = site.page("draft.html", "../", draft=draft, blocks=blocks)
    for shelf in site.shelves:
        pages[shelf.index] = site.page("claims.html", "", here=shelf.index, shelf=shelf, products=shelf.products())
        for claim in shelf.claims.values():
            told_of, uses = shelf.page(claim), shelf.uses.get(claim.id, [])
            pages[shelf.pages[claim.id]] = site.page("claim.html", "../", claim=told_of, uses=uses)
    return pages


class _Site:
    """What all pages share: the templates, the style, the registries that they lead to."""

    def __init__(self, shelves: list[Shelf], today: date) -> None:
        self.shelves = shelves
        folder = os.path.join(data.templates_folder(), "site")
        with open(os.path.join(folder, "style.css"), encoding="utf-8") as file:
            style = file.read()
        sealed = base64.b64encode(hashlib.sha256(style.encode("utf-8")).digest()).decode("ascii")
        self._environment = Environment(
            loader=FileSystemLoader(folder),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=_harmless,
        )
        self._environment.globals.update(
            parts=self._environment.get_template("parts.html").module,
            shelves=shelves,
            states=STATES,
            style=Markup(style),  # noqa: S704 - a file of ours
            style_hash=f"sha256-{sealed}",
            today=today.isoformat(),
            version=__version__,
        )

    def page(self, template: str, root: str, *, here: str = "", **context: Any) -> str:
        """A page; `root` leads from it to the first page's folder, `here` names it if the menu has it."""
        return self._environment.get_template(template).render(root=root, here=here, **context)


def _harmless(value: Any) -> Any:
    """A text with nothing in it that acts on a page; what is HTML by now has gone through this already."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _overview(drafts: list[dict[str, Any]], shelves: list[Shelf], today: date) -> dict[str, Any]:
    names = ["figures", *(name for name, _ in STATES)]
    about = [
        {"name": shelf.name, "count": len(shelf.claims), "used": len(shelf.uses), "charts": shelf.charts(today)}
        for shelf in shelves
    ]
    total = {name: sum(draft["counts"][name] for draft in drafts) for name in names}
    return {"drafts": drafts, "total": total, "about": about}


def _draft(surveyed: Surveyed, page: str) -> dict[str, Any]:
    outcome, counts = surveyed.outcome, counts_of(surveyed)
    hidden = [(len(outcome.suppressed), "suppressed in the draft"), (len(outcome.baselined), "known from the baseline")]
    said = ", ".join(f"{count} {why}" for count, why in hidden if count)
    return {
        "name": outcome.source.filename,
        "page": page,
        "counts": counts,
        "findings": len(outcome.findings),
        "bar": _bar(counts),
        "hidden": f"Findings that a check does not show: {said}." if said else "",
    }


def _bar(counts: dict[str, int]) -> dict[str, Any]:
    """The pieces of a bar of coverage, and what it says in words."""
    pieces, x = [], 0.0
    for name, _ in STATES:
        width = round(_BAR * counts[name] / (counts["figures"] or 1), 1)
        if width:
            pieces.append({"state": name, "x": round(x, 1), "width": width})
        x += width
    parts = ", ".join(f"{counts[name]} {name}" for name, _ in STATES if counts[name])
    figures = counted(counts["figures"], "figure")
    return {"pieces": pieces, "told": f"{figures}: {parts}" if parts else "no figures"}


def _blocks(source: Source, items: list[Item], shelf: Shelf) -> list[dict[str, Any]]:
    """The blocks of a draft with the notes beside them."""
    blocks, marked = rendered(source, items)
    notes: list[list[dict[str, Any]]] = [[] for _ in blocks]
    at = 0
    for item in items:
        while at + 1 < len(blocks) and blocks[at + 1].start <= item.start:
            at += 1
        if item.number and blocks:
            notes[at].append(_note(source, item, shelf, marked=item.number in marked))
    return [{"html": _html(block), "notes": beside} for block, beside in zip(blocks, notes, strict=True)]


def _html(block: Rendered) -> Markup:
    return Markup(block.html)  # noqa: S704 - the renderer has escaped all that came from the draft


def _note(source: Source, item: Item, shelf: Shelf, *, marked: bool) -> dict[str, Any]:
    named = [id_ for finding in item.findings for id_ in finding.claims]
    claims = [told for id_ in dict.fromkeys([*item.claims, *named]) if (told := shelf.told(id_))]
    return {
        "number": item.number,
        "state": item.state,
        "marked": marked,
        "words": " ".join(source.text[item.start : item.end].split()),
        "row": source.place(item.start)[0],
        "findings": [finding._asdict() for finding in item.findings],
        "claims": claims[:_MOST_CLAIMS],
        "more": max(0, len(claims) - _MOST_CLAIMS),
    }
