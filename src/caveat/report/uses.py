"""The places in drafts that rest on a claim: a table, or JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from caveat.markdown.source import Source
from caveat.report.concise import place
from caveat.report.json_report import array
from caveat.report.text import counted, table

_LONGEST = 60


class Use(NamedTuple):
    """A place in a draft: its offsets, its words on one line, and how it rests on which claim.

    `through` are the claims from this one down to the one that was asked for, both included, each derived from the
    next.
    """

    source: Source
    start: int
    end: int
    words: str
    how: str
    through: tuple[str, ...]


def render_uses(uses: Sequence[Use], stated: str, drafts: int, fmt: str) -> str:
    """The uses of a claim, as it is `stated`, in so many drafts: a JSON array for "json", else a table and a count."""
    if fmt == "json":
        return array(map(as_record, uses))
    rows = [(place(use.source, use.start), _short(use.words), _told(use)) for use in uses]
    listing = table(("PLACE", "WORDS", "HOW"), rows) if rows else ""
    places = len({(use.source.filename, use.start, use.end) for use in uses})
    inside = len({use.source.filename for use in uses})
    return f"{listing}{counted(places, 'place')} in {inside} of {counted(drafts, 'draft')}: {stated}\n"


def _told(use: Use) -> str:
    if len(use.through) == 1:
        return f"{use.how} it"
    return f"{use.how} {', which is derived from '.join(use.through[:-1])}"


def _short(words: str) -> str:
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 3]}..."


def as_record(use: Use) -> dict[str, Any]:
    """A use for a machine."""
    row, column = use.source.place(use.start)
    end_row, end_column = use.source.place(use.end)
    return {
        "filename": use.source.filename,
        "location": {"row": row, "column": column},
        "end_location": {"row": end_row, "column": end_column},
        "text": use.source.text[use.start : use.end],
        "how": use.how,
        "claim": use.through[0],
        "through": list(use.through),
    }
