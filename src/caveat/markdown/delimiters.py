"""Delimiters of emphasis: which of them open and close, and which belong together."""

from __future__ import annotations

from caveat.markdown.signs import PUNCTUATION, TRIMMED

# Line and paragraph separators are trimmed, and are no space beside a delimiter.
_SPACES = frozenset(TRIMMED) - {"\u2028", "\u2029"}


class Delimiter:
    """A star or underscore, or a pair of tildes, that may begin or end emphasis.

    `run` is the offset of the row of signs that it stands in, `length` that row's length; both are looked at only for
    stars and underscores. `end` is the index of the delimiter that closes what this one opens, -1 for none.
    """

    __slots__ = ("at", "closes", "end", "length", "opens", "run", "sign")

    def __init__(self, sign: str, at: int, run: int, length: int, *, opens: bool, closes: bool) -> None:
        self.sign = sign
        self.at = at
        self.run = run
        self.length = length
        self.opens = opens
        self.closes = closes
        self.end = -1


def delimiters_at(text: str, start: int, end: int) -> tuple[int, list[Delimiter]]:
    """Where the row of one sign at an offset ends, and the delimiters that it is made of; a single tilde is none."""
    sign, at = text[start], start
    while at < end and text[at] == sign:
        at += 1
    length = at - start
    opens, closes = _flanks(text[start - 1] if start else " ", text[at] if at < end else " ", within=sign != "_")
    if sign == "~":
        places, length = range(start + length % 2, at - 1, 2), 0
    else:
        places = range(start, at)
    return at, [Delimiter(sign, place, start, length, opens=opens, closes=closes) for place in places]


def _flanks(before: str, behind: str, *, within: bool) -> tuple[bool, bool]:
    """Whether a row between two signs can open and close emphasis; `within` allows it inside a word."""
    space_before, space_behind = before in _SPACES, behind in _SPACES
    sign_before, sign_behind = _is_punctuation(before), _is_punctuation(behind)
    left = not (space_behind or (sign_behind and not (space_before or sign_before)))
    right = not (space_before or (sign_before and not (space_behind or sign_behind)))
    return left and (within or not right or sign_before), right and (within or not left or sign_behind)


def _is_punctuation(sign: str) -> bool:
    if sign.isascii():
        return sign in PUNCTUATION
    import unicodedata

    return unicodedata.category(sign)[0] in "PS"


def pair(delimiters: list[Delimiter]) -> None:
    """Find the delimiter that closes what each one opens; linear in their number, whatever they are.

    This is markdown-it's way: `jumps` leads over what needs no second look, `bottoms` says how far down none is left.
    """
    bottoms: dict[tuple[str, bool, int], int] = {}
    jumps: list[int] = []
    head, last_run = 0, -1
    for index, closer in enumerate(delimiters):
        jumps.append(0)
        if delimiters[head].sign != closer.sign or last_run != closer.run:
            head = index
        last_run = closer.run
        if not closer.closes:
            continue
        key = closer.sign, closer.opens, closer.length % 3
        at = lowest = head - jumps[head] - 1
        while at > bottoms.get(key, -1):
            opener = delimiters[at]
            if opener.sign == closer.sign and opener.opens and opener.end < 0 and not _odd(opener, closer):
                beyond = jumps[at - 1] + 1 if at > 0 and not delimiters[at - 1].opens else 0
                jumps[index], jumps[at] = index - at + beyond, beyond
                closer.opens, opener.closes, opener.end = False, False, index
                lowest, last_run = -1, -1
                break
            at -= jumps[at] + 1
        if lowest != -1:
            bottoms[key] = lowest


def _odd(opener: Delimiter, closer: Delimiter) -> bool:
    """The rule of three: rows that open and close are no pair if their lengths make a multiple of three."""
    both = opener.closes or closer.opens
    return both and (opener.length + closer.length) % 3 == 0 and (opener.length % 3 != 0 or closer.length % 3 != 0)
