"""The comments around what is generated in a draft: `<!-- caveat: table ... -->` and `<!-- caveat: end -->`."""

from __future__ import annotations

import re

TABLE, END = "table", "end"

_WRITTEN = re.compile(r"(?s)\s*caveat:\s*(table|end)(?![\w-])(.*)")


class Marker:
    """A comment that opens or closes a generated region. `form` is TABLE or END, `words` what is said behind it.

    `start` and `end` are its offsets; `alone` says that nothing else is on its lines, not even a blank before it.
    """

    __slots__ = ("alone", "end", "form", "start", "words")

    def __init__(self, start: int, end: int, form: str, words: str, *, alone: bool) -> None:
        self.start = start
        self.end = end
        self.form = form
        self.words = words
        self.alone = alone


def read_marker(text: str, start: int, end: int) -> Marker | None:
    """The marker that a comment of a draft is, from its first sign to its last; None for any other comment."""
    opening = 4 if text.startswith("<!--", start) else 3
    closing = next((close for close in ("-->", "*/}") if text.endswith(close, start + opening, end)), "")
    written = _WRITTEN.match(text, start + opening, end - len(closing))
    if written is None:
        return None
    before = text[max(0, start - 1) : start]
    behind = text[end : end + 1]
    alone = before in ("", "\n", "\r") and behind in ("", "\n", "\r")
    return Marker(start, end, written[1], " ".join(written[2].split()), alone=alone)
