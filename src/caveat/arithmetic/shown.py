"""Arithmetic that a draft shows in code or mathematics: where it stands, and the results that it prints.

The prose has blanks there, so this looks at the file's own text: "`7.75GiB / 50GBps` = 166 ms", "$B = 2550^2 / 30000$".
"""

from __future__ import annotations

import re
from bisect import bisect_left

from caveat.markdown.document import Document

# Few drafts show any: the patterns are compiled when one does.
_SPAN = r"(?s)`[^`\n]{1,300}`|\$\$.{1,2000}?\$\$|\$[^$\n]{1,300}\$"
# An operation between two operands, one of which is a number, or an equation.
_OPERATION = r"[\w)}] ?(?:[-+*/×÷^<>]|\\[a-z]+) ?[\w({\\.]|\\frac|[=≈]"
_NUMBER = r"\d"
_OPTION = r"(?:^|\s)--?[A-Za-z]"
_RESULT = r"(?:=|≈|\\approx(?:eq)?|\\to|\\rightarrow)\s*~?\s*\$?(\d[\d,]*(?:\.\d+)?)"
_DIGITS = r"\d[\d,]*(?:\.\d+)?"
# A result of one digit says nothing of where it comes from.
_LEAST_DIGITS = 2


class Workings:
    """The expressions of a draft, in order, and its printed results by their digits."""

    def __init__(self, document: Document) -> None:
        self.starts: list[int] = []
        self._results: dict[str, list[int]] = {}
        text, prose = document.source.text, document.prose
        if "`" not in text and "$" not in text:
            return
        for match in re.finditer(_SPAN, text):
            start, end = match.span()
            if prose[start:end].strip() or not _is_expression(match.group()):
                continue
            self.starts.append(start)
            for result in re.finditer(_RESULT, match.group()):
                self._results.setdefault(_digits(result.group(1)), []).append(start)

    def between(self, start: int, end: int) -> bool:
        """Whether an expression stands between two offsets."""
        at = bisect_left(self.starts, start)
        return at < len(self.starts) and self.starts[at] < end

    def gives(self, words: str, start: int, end: int) -> bool:
        """Whether an expression between two offsets prints a figure's digits as its result."""
        digits = _digits(words)
        if len(digits) < _LEAST_DIGITS:
            return False
        places = self._results.get(digits, [])
        at = bisect_left(places, start)
        return at < len(places) and places[at] < end


def _is_expression(text: str) -> bool:
    """Whether code or mathematics computes: not a name, a path or a command with options."""
    inner = text.strip("`$")
    if re.search(_NUMBER, inner) is None or re.search(_OPERATION, inner) is None:
        return False
    return re.search(_OPTION, inner) is None


def _digits(text: str) -> str:
    """The significant digits of the first number of a text."""
    match = re.search(_DIGITS, text)
    return match.group().replace(",", "").replace(".", "").strip("0") if match else ""
