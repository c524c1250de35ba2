"""Exact quantities with the precision that was printed, and arithmetic on the intervals that rounding leaves.

Nothing here raises on a value: zero, huge exponents and infinities give an interval or None.
"""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import NamedTuple

# No operation traps: what would raise elsewhere becomes an infinity or a NaN, which `_sane` turns into an open end.
_CONTEXT = Context(prec=40, rounding=ROUND_HALF_EVEN, Emin=-999_999, Emax=999_999, traps=[])

ZERO = Decimal(0)
ONE = Decimal(1)
TWO = Decimal(2)
INFINITY = Decimal("Infinity")

# A text with more digits than this is an identifier, not a quantity; an exponent beyond the limit likewise.
MAX_DIGITS = 40
MAX_EXPONENT = 99

# How far a qualifier stretches a value, as shares of it.
_ABOUT = Decimal("0.05")
_NEARLY = Decimal("0.15")
_OVER = Decimal("0.5")


class Interval(NamedTuple):
    """The values that a printed number may stand for, ends included; an end may be infinite."""

    low: Decimal
    high: Decimal

    def meets(self, other: Interval) -> bool:
        """Whether the two share a value: a single common end counts only if one of them is a single value."""
        if self.low == self.high or other.low == other.high:
            return self.low <= other.high and other.low <= self.high
        return self.low < other.high and other.low < self.high

    def holds(self, value: Decimal) -> bool:
        """Whether a value lies in the interval, ends included."""
        return self.low <= value <= self.high


class Quantity:
    """One printed quantity: a value, or a range with both ends.

    `low` and `high` are equal unless the text gives a range. `step` is the value of one unit in the last printed digit
    ("2.52" 0.01, "1,979" 1, "25K" 1000); `coarse` is that of the last digit that is not a zero ("500,000" 100,000),
    never below `step`, for checks that must be lenient with round numbers. `margin` is the amount after a "±", or None.
    """

    __slots__ = ("coarse", "high", "low", "margin", "step")

    def __init__(
        self, low: Decimal, high: Decimal, step: Decimal, coarse: Decimal | None = None, margin: Decimal | None = None
    ) -> None:
        self.low = low
        self.high = high
        self.step = step
        self.coarse = step if coarse is None else coarse
        self.margin = margin

    def __repr__(self) -> str:
        ends = f"{self.low}" if self.low == self.high else f"{self.low}..{self.high}"
        return f"Quantity({ends}, step={self.step}, coarse={self.coarse})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Quantity):
            return NotImplemented
        return (self.low, self.high, self.step, self.margin) == (other.low, other.high, other.step, other.margin)

    def __hash__(self) -> int:
        return hash((self.low, self.high, self.step, self.margin))

    @property
    def is_range(self) -> bool:
        """Whether the text gives two ends."""
        return self.low != self.high

    def times(self, factor: Decimal) -> Quantity:
        """The same quantity in a unit that is 1/factor as large."""
        if factor == ONE:
            return self
        multiply = _CONTEXT.multiply
        margin = None if self.margin is None else multiply(self.margin, factor)
        size = abs(factor)
        low, high = multiply(self.low, factor), multiply(self.high, factor)
        if low > high:
            low, high = high, low
        return Quantity(low, high, multiply(self.step, size), multiply(self.coarse, size), margin)

    def interval(self, *, coarse: bool = False) -> Interval:
        """All values that print as this quantity: half a step to each side, or the margin of a "±"."""
        slack = self.margin
        if slack is None:
            slack = _CONTEXT.divide(self.coarse if coarse else self.step, TWO)
        return _sane(_CONTEXT.subtract(self.low, slack), _CONTEXT.add(self.high, slack))


def _sane(low: Decimal, high: Decimal) -> Interval:
    """An interval without NaN: an end that could not be computed is open."""
    if low.is_nan():
        low = -INFINITY
    if high.is_nan():
        high = INFINITY
    return Interval(low, high) if low <= high else Interval(high, low)


def widened(interval: Interval, qualifier: str) -> Interval:
    """The values that a qualified number may stand for: "about 4.5" more than 4.5, "at least 3" anything above.

    `qualifier` is a canonical value of the lexicon of qualifiers; an unknown one changes nothing.
    """
    low, high = interval
    if qualifier == "about":
        return _stretched(low, high, _ABOUT, _ABOUT)
    if qualifier == "nearly":
        return _stretched(low, high, _NEARLY, ZERO)
    if qualifier in ("just under", "just over"):
        return (
            _stretched(low, high, _ABOUT * 2, ZERO)
            if qualifier == "just under"
            else _stretched(low, high, ZERO, _ABOUT * 2)
        )
    if qualifier in ("at least", "more than"):
        return Interval(low, INFINITY)
    if qualifier in ("up to", "less than", "at most"):
        return Interval(-INFINITY if low < 0 else ZERO, high)
    return interval


def _stretched(low: Decimal, high: Decimal, below: Decimal, above: Decimal) -> Interval:
    """The interval with its ends moved out by shares of their size."""
    down = _CONTEXT.multiply(abs(low), below) if low.is_finite() else ZERO
    up = _CONTEXT.multiply(abs(high), above) if high.is_finite() else ZERO
    return _sane(_CONTEXT.subtract(low, down), _CONTEXT.add(high, up))


def product(left: Interval, right: Interval) -> Interval:
    """Every product of a value of one interval with a value of the other."""
    ends = [_times(a, b) for a in left for b in right]
    return _sane(min(ends), max(ends))


def _times(left: Decimal, right: Decimal) -> Decimal:
    """A product in which nothing times infinity is nothing."""
    return ZERO if left == 0 or right == 0 else _CONTEXT.multiply(left, right)


def ratio(left: Interval, right: Interval) -> Interval | None:
    """Every quotient of a value of the left interval by one of the right; None if the right one holds zero."""
    if right.low <= 0 <= right.high:
        return None
    inverse = Interval(_CONTEXT.divide(ONE, right.high), _CONTEXT.divide(ONE, right.low))
    return product(left, inverse)


def total(intervals: list[Interval]) -> Interval:
    """Every sum with one value from each interval."""
    low = high = ZERO
    for interval in intervals:
        low, high = _CONTEXT.add(low, interval.low), _CONTEXT.add(high, interval.high)
    return _sane(low, high)


def difference(left: Interval, right: Interval) -> Interval:
    """Every difference of a value of the left interval and one of the right."""
    return _sane(_CONTEXT.subtract(left.low, right.high), _CONTEXT.subtract(left.high, right.low))


def divided(left: Decimal, right: Decimal) -> Decimal:
    """A quotient to forty digits; 0 where there is none."""
    return ZERO if right == 0 else _CONTEXT.divide(left, right)
