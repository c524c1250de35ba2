"""One value as printed: sign, currency, number, margin, multiplier or unit. Ranges are made of two of them."""

from __future__ import annotations

import re
from decimal import Decimal

from caveat.figures.numerals import Numeral, read_numeral, read_scale, spaced_thousands
from caveat.figures.quantity import Quantity
from caveat.figures.units import Stretch, UnitMatch, read_unit, with_per
from caveat.figures.words import GLYPHS

_TIMES_SIGNS = "x×✕X"
_TIMES_WORD = re.compile(r"[ \t\u00a0\r\n-]{1,40}times(?!\w)")
_MARGIN = r"\s?(?:±|\+/[-−]|\+-)\s?(?=[0-9])"  # rare, and compiled when a sign of its is first met
# Emphasis between a currency sign and its digits is blank: "$**2.99**".
_CURRENCY_SIGNS = "$€£¥₹₩"
_BLANKED = 4
# The length of a currency code: "EUR", "USD".
_CODE = 3
_BLANKS = " \t\n\r\f\v"
_SIGNS = "-−+\u2010\u2011"


class Value:
    """A number and what was found around it; `end` closes its span, `stop` the words read with it.

    `ratio` is "x", "times" or "". `plus` marks a "+" right after the digits. `factor` says that a multiplication
    follows, so that the number is an operand. `index` is the token with which it starts, and `high` the other end of a
    range.
    """

    __slots__ = (
        "currency", "end", "factor", "high", "index", "margin", "numeral", "plus", "ratio", "sign", "start", "stop",
        "unit",
    )  # fmt: skip

    def __init__(self, start: int, numeral: Numeral) -> None:
        self.start = start
        self.index = -1
        self.high: Value | None = None
        self.numeral = numeral
        self.sign = ""
        self.currency = ""
        self.margin: Decimal | None = None
        self.unit: UnitMatch | None = None
        self.ratio = ""
        self.plus = False
        self.factor = False
        self.end = numeral.end
        self.stop = numeral.end

    @property
    def bare(self) -> bool:
        """Whether the number has neither unit nor currency nor multiplier."""
        return self.unit is None and not self.ratio

    @property
    def last(self) -> Value:
        """The other end of the range, or the value itself if it is none: the one with the unit."""
        return self.high or self

    def quantity(self) -> Quantity:
        """The quantity printed, with its sign and margin."""
        quantity = self.numeral.quantity(negative=self.sign == "-")
        quantity.margin = self.margin
        return quantity


def read_value(stretch: Stretch, start: int, begin: int) -> Value | None:
    """The value whose digits start at `start`; a sign or currency is looked for back to `begin`. None if too long."""
    numeral = read_numeral(stretch.text, start, stretch.limit)
    if numeral is None:
        return None
    value = Value(start, numeral)
    if numeral.plain and _leads_with_point(stretch.text, start, begin):
        numeral.lead_with_point()
        value.start = start - 1
    _read_lead(stretch, value, begin)
    if numeral.dots:
        return value
    read_rest(stretch, value)
    return value


def read_rest(stretch: Stretch, value: Value) -> None:
    """Read what follows the digits or words of a number."""
    text, limit, vocabulary = stretch.text, stretch.limit, stretch.vocabulary
    numeral = value.numeral
    if not value.currency and _multiplied(text, numeral.end, limit):
        value.factor = True
        return
    if not numeral.in_words:
        _read_glyph(text, numeral, limit)
        read_scale(text, numeral, limit, vocabulary, money=bool(value.currency))
        _read_margin(text, value, limit)
    at = numeral.end
    if text[at : at + 1] == "+" and not text[at + 1 : at + 2].isdigit():
        value.plus, at = True, at + 1
    value.end = value.stop = at
    if value.currency:
        _take(value, with_per(stretch, (vocabulary.unit(value.currency), at)))
        return
    if _read_times(text, value, limit):
        return
    wide = spaced_thousands(text, numeral, limit)
    if wide is not None:
        unit = read_unit(stretch, wide.end)
        if unit is not None:
            value.numeral = wide
            _take(value, unit)
            return
        if not text[wide.end : limit].strip() and not text[stretch.start : value.start].strip():
            value.numeral = wide  # all that its cell holds
            value.end = value.stop = wide.end
            return
    _take(value, read_unit(stretch, at))


def _multiplied(text: str, at: int, limit: int) -> bool:
    """Whether a multiplication goes on at an offset: "× 2", " x ($3". A mere "x" needs blanks around it."""
    sign_at = _past_blanks(text, at, min(at + 8, limit))
    sign = text[sign_at : sign_at + 1]
    if not sign or sign not in "x×*·⋅":
        return False
    after = _past_blanks(text, sign_at + 1, min(sign_at + 9, limit))
    if sign == "x" and (sign_at == at or after == sign_at + 1):
        return False
    if text[after : after + 1] in ("(", "~", "≈"):
        after += 1
    if text[after : after + 1] in ("$", "€", "£"):
        after += 1
    return after < limit and "0" <= text[after] <= "9"


def _read_times(text: str, value: Value, limit: int) -> bool:
    """Take "x", "×", "-fold" or "times" after a number."""
    at = value.end
    sign_at = _past(text, at, min(at + 4, limit), _BLANKS)
    if sign_at < limit and text[sign_at] in _TIMES_SIGNS and not _goes_on(text, sign_at + 1, limit, "_×"):
        value.ratio, end = "x", sign_at + 1
    elif (end := _fold_end(text, at, limit)) > 0:
        value.ratio = "x"
    elif (match := _TIMES_WORD.match(text, at, limit)) is not None:
        value.ratio, end = "times", match.end()
    else:
        return False
    value.end = value.stop = end
    return True


def _fold_end(text: str, at: int, limit: int) -> int:
    """Where "-fold" after a number ends; 0 if there is none."""
    at = _past(text, at, min(at + 2, limit), _BLANKS + "-\u2011")
    return at + 4 if text.startswith("fold", at, limit) and not _goes_on(text, at + 4, limit, "_") else 0


def _past(text: str, at: int, stop: int, signs: str) -> int:
    while at < stop and text[at] in signs:
        at += 1
    return at


def _past_blanks(text: str, at: int, stop: int) -> int:
    while at < stop and text[at].isspace():
        at += 1
    return at


def _goes_on(text: str, at: int, limit: int, signs: str) -> bool:
    """Whether a letter or digit of ASCII, or one of some signs, stands at an offset."""
    return at < limit and (text[at] in signs or (text[at].isascii() and text[at].isalnum()))


def _take(value: Value, unit: UnitMatch | None) -> None:
    if unit is not None:
        value.unit = unit
        value.end = unit.end
        value.stop = unit.stop


def _read_code(stretch: Stretch, value: Value, begin: int) -> None:
    """Take the code of a currency with a blank behind it: "EUR 27,000"."""
    lead = stretch.text[max(begin, value.start - _CODE - _BLANKED - 1) : value.start]
    code = lead.rstrip()[-_CODE:]
    before = lead.rstrip()[-_CODE - 1 : -_CODE]
    if lead != lead.rstrip() and code in stretch.vocabulary.before and code.isalpha() and not before.isalnum():
        value.currency = stretch.vocabulary.before[code]
        value.start -= len(lead) - len(lead.rstrip()) + _CODE


def _read_lead(stretch: Stretch, value: Value, begin: int) -> None:
    """Take the currency and the sign before the digits."""
    text, vocabulary = stretch.text, stretch.vocabulary
    at = value.start
    while at > begin and value.start - at < _BLANKED and text[at - 1] == " ":
        at -= 1
    if at == begin or text[at - 1] not in _CURRENCY_SIGNS:
        at = value.start
    if text[at - 2 : at] == "$$":  # mathematics
        return
    for size in (3, 2, 1):
        sign = text[at - size : at] if at - size >= begin else ""
        if sign in vocabulary.before and not (sign.isalpha() and at - size > begin and text[at - size - 1].isalnum()):
            value.currency, value.start = vocabulary.before[sign], at - size
            break
    if not value.currency:
        _read_code(stretch, value, begin)
    at = value.start
    if at > begin and text[at - 1] in _SIGNS and _is_sign(text, at - 1, begin):
        value.sign = "+" if text[at - 1] == "+" else "-"
        value.start = at - 1
    elif at > begin and text[at - 1] == "±":
        value.start = at - 1


def _leads_with_point(text: str, start: int, begin: int) -> bool:
    """Whether a point without a zero before it makes the digits a fraction: ".9%"."""
    return start > begin and text[start - 1] == "." and (start - 1 == begin or not text[start - 2].isalnum())


def _is_sign(text: str, at: int, begin: int) -> bool:
    """Whether the sign before a number belongs to it: nothing but a blank or an opening stands before it."""
    return at == begin or text[at - 1] in " \t\n\u00a0([{\"'“‘|~≈/,"


def _read_glyph(text: str, numeral: Numeral, limit: int) -> None:
    """Take a fraction sign after whole digits: "2½"."""
    glyph = text[numeral.end : numeral.end + 2].strip()[:1]
    if glyph in GLYPHS and numeral.plain and numeral.end < limit:
        over, under = GLYPHS[glyph]
        numeral.value += Decimal(over) / Decimal(under)
        numeral.step = numeral.coarse = Decimal("0.1")
        numeral.end, numeral.plain = text.index(glyph, numeral.end) + 1, False


def _read_margin(text: str, value: Value, limit: int) -> None:
    """Take the amount after a "±"."""
    if text[value.numeral.end : value.numeral.end + 2].strip()[:1] not in ("±", "+"):
        return
    match = re.compile(_MARGIN).match(text, value.numeral.end, limit)
    if match is None:
        return
    margin = read_numeral(text, match.end(), limit)
    if margin is not None and not margin.dots:
        value.margin = margin.value
        value.numeral.end, value.numeral.plain = margin.end, False
