"""Numbers written in digits: separators, decimals, exponents and the letters that multiply them."""

from __future__ import annotations

import re
from decimal import Decimal

from caveat.figures.quantity import MAX_DIGITS, MAX_EXPONENT, ONE, Quantity
from caveat.figures.vocabulary import Vocabulary

_DIGITS = re.compile(r"[0-9]+(?:[.,'][0-9]+)*")
_SCALE_WORD = re.compile(r"[\s-]{1,12}([A-Za-z]{2,8})\b")
# These are rare, and compiled when a sign of theirs is first met.
_RARE = frozenset("’\u00a0\u2007\u2009\u202f")
_RARE_DIGITS = r"[0-9]+(?:(?:[.,'’]|[\u00a0\u2007\u2009\u202f] {0,7})[0-9]+)*"
_SPACED = r"(?: [0-9]{3}){1,4}(?![0-9])(?![.,][0-9]{3}(?![0-9]))"
_E = r"[eE]([+\-−]?[0-9]{1,4})(?![0-9\w])"
_TEN = r"\s?[×x*·⋅]\s?10(?:(?:\^|\*\*)\{?([+\-−]?[0-9]{1,4})\}?|([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4}))"
_POWER = r"(?:\^|\*\*)\{?([+\-−]?[0-9]{1,4})\}?|([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4})"
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻−", "0123456789+--")


class Numeral:
    """A number as written in digits or words, before its unit: no sign yet.

    `european` marks a comma read as a decimal point, which needs a unit to be believed; `letter` is the letter that
    multiplied it ("25K"), `plain` says that it is a bare run of digits, `dots` counts the points of a version.
    """

    __slots__ = ("coarse", "dots", "end", "european", "in_words", "letter", "plain", "start", "step", "value")

    def __init__(self, start: int, end: int, value: Decimal, step: Decimal, *, coarse: Decimal | None = None) -> None:
        self.start = start
        self.end = end
        self.value = value
        self.step = step
        self.coarse = step if coarse is None else coarse
        self.dots = 0
        self.european = False
        self.in_words = False
        self.letter = ""
        self.plain = False

    @property
    def whole(self) -> bool:
        """Whether it is printed as a whole number."""
        return self.step >= ONE

    def scaled(self, factor: Decimal, end: int) -> None:
        """Multiply by a factor that the text goes on with."""
        self.value *= factor
        self.step *= factor
        self.coarse *= factor
        self.end = end
        self.plain = False

    def lead_with_point(self) -> None:
        """Make bare digits the digits after a point."""
        self.step = ONE.scaleb(self.start - self.end)
        self.value *= self.step
        self.coarse, self.plain = self.step, False

    def quantity(self, *, negative: bool = False) -> Quantity:
        """The quantity printed, negated if a sign says so."""
        value = -self.value if negative else self.value
        return Quantity(value, value, self.step, self.coarse)


def read_numeral(text: str, start: int, limit: int) -> Numeral | None:
    """The number in digits that starts at an offset; None for a run too long to be one.

    `end` of the match is where the digits that belong to the number end. Ordinary spaces are not taken as separators
    here, see `spaced_thousands`.
    """
    end = _digits_end(text, start, limit)
    if not start < end <= start + 4 * MAX_DIGITS:
        return None
    body = text[start:end]
    groups, seps, ends = _cut(body)
    if len(groups[0]) > MAX_DIGITS:
        return None
    numeral = _read_groups(groups, seps, start, ends)
    _read_exponent(text, numeral, limit)
    return numeral


def digits_end(text: str, start: int, limit: int) -> int:
    """Where the run of digits and separators at an offset ends."""
    return max(_digits_end(text, start, limit), start + 1)


def _digits_end(text: str, start: int, limit: int) -> int:
    """Where the digits and separators that start at an offset end; the offset itself if there are none."""
    match = _DIGITS.match(text, start, limit)
    if match is not None and text[match.end() : match.end() + 1] in _RARE:
        match = re.compile(_RARE_DIGITS).match(text, start, limit)
    return match.end() if match else start


def _cut(body: str) -> tuple[list[str], list[str], list[int]]:
    """The groups of digits of a number, the sign between each two, and where each group ends."""
    groups: list[str] = []
    seps: list[str] = []
    ends: list[int] = []
    begin = 0
    at = 0
    size = len(body)
    while at < size:
        if body[at].isdigit():
            at += 1
            continue
        groups.append(body[begin:at])
        ends.append(at)
        seps.append(body[at])
        while not body[at].isdigit():
            at += 1
        begin = at
    groups.append(body[begin:])
    ends.append(size)
    return groups, seps, ends


def _read_groups(groups: list[str], seps: list[str], start: int, ends: list[int]) -> Numeral:
    """Decide what the separators mean."""
    first = seps[0] if seps else ""
    if not first:
        return _whole(groups[:1], start, ends[0], plain=True)
    if first == ".":
        return _pointed(groups, seps, start, ends)
    run = _thousands(groups, seps)
    if run > 1:
        if run < len(groups) and (seps[run - 1] == "." or (seps[run - 1] == "," and first != ",")):
            return _decimal("".join(groups[:run]), groups[run], start, ends[run])
        return _whole(groups[:run], start, ends[run - 1])
    if first == "," and len(groups) == 2 and len(groups[1]) != 3:
        numeral = _decimal(groups[0], groups[1], start, ends[1])
        numeral.european = True
        return numeral
    return _whole(groups[:1], start, ends[0], plain=True)


def _thousands(groups: list[str], seps: list[str]) -> int:
    """How many groups the same separator joins as thousands; 1 if it does not."""
    run = 1
    while run < len(groups) and seps[run - 1] == seps[0] and len(groups[run]) == 3:
        run += 1
    return run if len(groups[0]) <= 3 and groups[0][0] != "0" else 1


def _pointed(groups: list[str], seps: list[str], start: int, ends: list[int]) -> Numeral:
    """A number whose first separator is a point: a decimal, European thousands, or a version."""
    run = _thousands(groups, seps)
    if len(seps) > 1 and run > 1:
        if run == len(groups) and run > 2:
            return _whole(groups, start, ends[-1])
        if run == len(groups) - 1 and seps[-1] == ",":
            return _decimal("".join(groups[:-1]), groups[-1], start, ends[-1])
    dots = 1
    while dots < len(seps) and seps[dots] == ".":
        dots += 1
    numeral = _decimal(groups[0], groups[1], start, ends[1])
    if dots > 1:
        numeral.dots = dots
        numeral.end = start + ends[dots]
    return numeral


def _whole(groups: list[str], start: int, end: int, *, plain: bool = False) -> Numeral:
    digits = "".join(groups)[:MAX_DIGITS]
    zeros = len(digits) - len(digits.rstrip("0"))
    coarse = ONE.scaleb(zeros if zeros < len(digits) else 0)
    numeral = Numeral(start, start + end, Decimal(digits), ONE, coarse=coarse)
    numeral.plain = plain
    return numeral


def _decimal(whole: str, part: str, start: int, end: int) -> Numeral:
    part = part[:MAX_DIGITS]
    step = ONE.scaleb(-len(part))
    return Numeral(start, start + end, Decimal(f"{whole[:MAX_DIGITS]}.{part}"), step)


def _read_exponent(text: str, numeral: Numeral, limit: int) -> None:
    """Take "e15", "×10^15", "× 10¹⁵" after a number, and "^15" after a ten or a two."""
    at = numeral.end
    near = text[at : at + 5]
    sign = near[:2].strip()[:1]
    if not sign or sign not in "eE×x*·⋅^⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺":
        return
    match = None
    if sign in "eE":
        if near[1:2].isdigit() or near[1:2] in ("+", "-", "−"):
            match = re.compile(_E).match(text, at, limit)
    elif "10" in near:
        match = re.compile(_TEN).match(text, at, limit)
    if match is not None:
        power = _power(match)
        if abs(power) <= MAX_EXPONENT:
            numeral.scaled(ONE.scaleb(power), match.end())
        return
    match = re.compile(_POWER).match(text, at, limit) if numeral.value in (2, 10) else None
    if match is not None:
        power = _power(match)
        if abs(power) <= MAX_EXPONENT:
            value = numeral.value**power
            numeral.value, numeral.step, numeral.end = value, min(ONE, value), match.end()
            numeral.coarse, numeral.plain = value, False


def _power(match: re.Match[str]) -> int:
    text = next(group for group in match.groups() if group)
    return int(text.translate(_SUPERSCRIPTS))


def spaced_thousands(text: str, numeral: Numeral, limit: int) -> Numeral | None:
    """The number that "1 979" is if its ordinary space separates thousands; the caller asks for a unit after it."""
    if not numeral.plain or numeral.end - numeral.start > 3 or text[numeral.start] == "0":
        return None
    if text[numeral.end : numeral.end + 1] != " " or not text[numeral.end + 1 : numeral.end + 2].isdigit():
        return None
    match = re.compile(_SPACED).match(text, numeral.end, limit)
    if match is None:
        return None
    wide = _whole([text[numeral.start : numeral.end], *match.group().split()], 0, 0)
    wide.start, wide.end = numeral.start, match.end()
    return wide


def read_scale(text: str, numeral: Numeral, limit: int, vocabulary: Vocabulary, *, money: bool) -> None:
    """Take a letter or word that multiplies the number: "25K", "$3.5m", "1 million"."""
    at = numeral.end
    letters = vocabulary.glued_money if money else vocabulary.glued
    for size in (2, 1):
        letter = text[at : at + size]
        if letter in letters and at + size <= limit and not _joins(text, at + size, limit):
            numeral.scaled(Decimal(letters[letter]), at + size)
            numeral.letter = letter
            return
    match = _SCALE_WORD.match(text, at, limit)
    if match is not None:
        factor = vocabulary.scales.get(match.group(1).lower())
        if factor is not None and match.group().count("\n") < 2:
            numeral.scaled(Decimal(factor), match.end())


def _joins(text: str, at: int, limit: int) -> bool:
    """Whether the text goes on with a letter or digit."""
    return at < limit and (text[at].isalnum() or text[at] == "_")
