"""What is said about a baseline: what was recorded, what was removed, and what is stale."""

from __future__ import annotations

from collections.abc import Sequence

from caveat.report.text import counted, visible

MOST = 5


def stale_entries(baseline: str, stale: Sequence[tuple[str, str, str]]) -> list[str]:
    """Lines that name the stale entries of a baseline, or the first of them, each by its path, rule and words."""
    one = len(stale) == 1
    what = "1 entry is stale" if one else f"{len(stale)} entries are stale"
    cure = f"`caveat baseline --prune` removes {'it' if one else 'them'}"
    lines = [f"note: {baseline}: {what}, for there is no such finding any more; {cure}"]
    lines += [f"  {path}: {rule} {words}" for path, rule, words in stale[:MOST]]
    return lines + ([f"  and {len(stale) - MOST} more"] if len(stale) > MOST else [])


def recorded(baseline: str, findings: int, drafts: int, added: int, removed: int) -> str:
    """A line on what a baseline now holds, and how that differs from what it held."""
    held = f"{counted(findings, 'finding')} in {counted(drafts, 'draft')}"
    return visible(f"{baseline}: {held}; {added} added, {removed} removed.") + "\n"


def how_to_use(baseline: str) -> list[str]:
    """What to do with a baseline that no configuration names."""
    check = f"`caveat check --baseline {baseline}` leaves these findings out"
    return [f'note: {check}; so does `caveat check` with baseline = "{baseline}" in its configuration']


def pruned(baseline: str, removed: int, left: int) -> str:
    """A line on what was removed from a baseline."""
    entries = "1 stale entry" if removed == 1 else f"{removed or 'no'} stale entries"
    return visible(f"{baseline}: {entries} removed, {counted(left, 'finding')} left.") + "\n"
