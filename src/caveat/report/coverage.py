"""How far the figures of drafts are covered, as a table for people or an array for machines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from caveat.report.json_report import written_out
from caveat.report.text import table, visible


class Covered(NamedTuple):
    """A draft, its figures by what they rest on ("figures" being all of them), and how many findings it has."""

    filename: str
    counts: Mapping[str, int]
    findings: int


def render_coverage(covered: Sequence[Covered], index: str, fmt: str) -> str:
    """A row a draft; then, for people, the page to open."""
    if fmt == "json":
        drafts = [{"filename": each.filename, **each.counts, "findings": each.findings} for each in covered]
        return written_out({"index": index, "drafts": drafts}, indent=2) + "\n"
    names = list(covered[0].counts)
    rows = [(each.filename, *(str(each.counts[name]) for name in names), str(each.findings)) for each in covered]
    header = ("DRAFT", *map(str.upper, names), "FINDINGS")
    return f"{table(header, rows)}Written: {visible(index)}\n"
