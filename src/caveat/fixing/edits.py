"""Edits of a text told apart, and what becomes of a place in the text when they are made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from caveat.finding import Edit


def touch(some: Iterable[Edit], others: Sequence[Edit]) -> bool:
    """Whether edits overlap or meet, so that what comes of them depends on their order."""
    return any(one.start <= other.end and other.start <= one.end for one in some for other in others)


def moved(place: tuple[int, int], edits: Sequence[Edit]) -> tuple[int, int]:
    """Where a stretch of a text is when the edits are made; what they put into it or right beside it belongs to it.

    `edits` are in order of place.
    """
    start, end = place
    low, high = start, end
    for edit in edits:
        grown = len(edit.text) - (edit.end - edit.start)
        if edit.end < start or (edit.end == start and edit.start < start):
            low += grown
        elif edit.start < start:
            low += edit.start - start  # it begins within what is replaced
        if edit.end <= end:
            high += grown
        elif edit.start < end:
            high += edit.start + len(edit.text) - end
    return low, max(low, high)
