"""Words looked for in a page, whatever it does with spaces, line ends, quotation marks and dashes."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left

# What differs between a page and a fragment that somebody copied from it.
_SKIPPED = frozenset("*†‡§¶•|\u00ad\u200b\u200c\u200d\ufeff⁰¹²³⁴⁵⁶⁷⁸⁹")
_SAME = str.maketrans("“”„«»‘’‚‐‑‒–—―−×", '"""""\'\'\'-------x')
_OMISSION = re.compile(r"\s*(?:\[\s*)?(?:\.\.\.|…)(?:\s*\])?\s*")
_MOST_PLACES = 20

Span = tuple[int, int]


def squeezed(text: str) -> tuple[str, list[int]]:
    """A text without what makes no difference, and for each of its signs the offset that it comes from."""
    signs: list[str] = []
    offsets: list[int] = []
    for offset, sign in enumerate(text):
        if sign.isspace() or sign in _SKIPPED:
            continue
        plain = sign if sign.isascii() else unicodedata.normalize("NFKC", sign.translate(_SAME))
        for each in plain.casefold():
            if not each.isspace():
                signs.append(each)
                offsets.append(offset)
    return "".join(signs), offsets


class Words:
    """The words of a page, to be searched."""

    __slots__ = ("_offsets", "_text")

    def __init__(self, text: str) -> None:
        self._text, self._offsets = squeezed(text)

    def find(self, fragment: str) -> list[Span]:
        """Where the page has a fragment, as offsets; one with omissions ("...") where its parts follow one another."""
        parts = [part for part in (squeezed(piece)[0] for piece in _OMISSION.split(fragment)) if part]
        spans: list[Span] = []
        at = self._text.find(parts[0]) if parts else -1
        while at >= 0 and len(spans) < _MOST_PLACES:
            end = at + len(parts[0])
            for part in parts[1:]:
                found = self._text.find(part, end)
                if found < 0:
                    return spans
                end = found + len(part)
            spans.append((self._offsets[at], self._offsets[end - 1] + 1))
            at = self._text.find(parts[0], at + 1)
        return spans

    def has(self, fragment: str) -> bool:
        """Whether the page has a fragment."""
        return bool(self.find(fragment))

    def before(self, offset: int) -> int:
        """How many signs stand before an offset."""
        return bisect_left(self._offsets, offset)
