"""Suppressions: comments by which a writer leaves findings out, `<!-- caveat: ignore[rule] reason -->`.

The reader of Markdown finds the comments; here their words are read. What is no comment of Caveat's is left alone,
also one that happens to begin with the word caveat.
"""

from __future__ import annotations

import re

LINE, NEXT_BLOCK, FILE = "ignore", "ignore-next-block", "ignore-file"
FORMS = (LINE, NEXT_BLOCK, FILE)

# A comment that means to be a suppression, if not quite: by the sign of ours, or by a word that other linters have.
# Comments are rare, so these are compiled when the first one is met.
_MEANT = r"(?i)\s*caveat\b[\s:,-]*(?:ignore(?![a-z])|(?:disable|enable|allow|noqa|off|on)(?:-[a-z-]+)?\[)"
_WRITTEN = r"(?s)\s*caveat:\s*([\w-]+)\s*\[([^\[\]]*)\](.*)"
_NAME = r"[^\s,](?:[^,]*[^\s,])?"
_LEAD = " \t\r\n:;,-\u2013\u2014"  # what may stand between the bracket and the reason


class RuleName:
    """A rule as a suppression names it, and its place in the draft."""

    __slots__ = ("end", "start", "text")

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.start = start
        self.end = end


class Suppression:
    """A comment of Caveat's. `start` and `end` are its own offsets; findings that begin in `covered` are left out.

    `form` is one of FORMS, or whatever word stands in its place, at `form_start`; "" if the comment cannot be read.
    """

    __slots__ = ("covered", "end", "form", "form_start", "names", "reason", "start")

    def __init__(self, start: int, end: int, form: str, form_start: int, names: list[RuleName], reason: str) -> None:
        self.start = start
        self.end = end
        self.form = form
        self.form_start = form_start
        self.names = names
        self.reason = reason
        self.covered = (0, 0)

    @property
    def holds(self) -> bool:
        """Whether it can leave anything out: one without a reason does not."""
        return self.form in FORMS and bool(self.names) and bool(self.reason)


def read_suppression(text: str, start: int, end: int) -> Suppression | None:
    """The suppression that a comment of a draft is, from its first sign to its last; None for any other comment."""
    opening = 4 if text.startswith("<!--", start) else 3
    closing = next((close for close in ("-->", "*/}") if text.endswith(close, start + opening, end)), "")
    inside = start + opening
    body = text[inside : end - len(closing)]
    if not re.match(_MEANT, body):
        return None
    written = re.match(_WRITTEN, body)
    if written is None or not closing:
        return Suppression(start, end, "", start, [], "")
    first = inside + written.start(2)
    names = [RuleName(name[0], first + name.start(), first + name.end()) for name in re.finditer(_NAME, written[2])]
    reason = " ".join(written[3].strip(_LEAD).split())
    said = reason if any(sign.isalnum() for sign in reason) else ""
    return Suppression(start, end, written[1], inside + written.start(1), names, said)
