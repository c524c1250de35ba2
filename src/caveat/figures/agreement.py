"""When a printed figure and a registered one are the same: rounding as written, qualifiers, and relative effects."""

from __future__ import annotations

from decimal import Decimal

from caveat.figures.figure import Figure
from caveat.figures.quantity import Interval, ratio

_ONE = Decimal(1)
# A figure of one digit stands for no value that is farther off than this share of it: "1 kW" is no 700 W.
_MOST_ROUNDING = Decimal("0.15")
_STRICT = frozenset(("more than", "at least", "just over"))
_MEASURES = frozenset(("measure", "price", "count"))

# How far "more than" and "less than" may be from the value that they speak of: more would be an odd way to say it.
_OPEN_ENDED = {
    "more than": (Decimal(1), Decimal("1.2")),
    "at least": (Decimal(1), Decimal("1.2")),
    "just over": (Decimal(1), Decimal("1.1")),
    "less than": (Decimal("0.8"), Decimal(1)),
    "just under": (Decimal("0.9"), Decimal(1)),
    "nearly": (Decimal("0.88"), Decimal(1)),
    "about": (Decimal("0.94"), Decimal("1.06")),
}


def _rounds(figure: Figure) -> bool:
    """Whether "about" lets a round number stand for what rounds to it; the ends of a range are as printed."""
    return figure.qualifier in ("about", "nearly") and not figure.quantity.is_range


def span(figure: Figure, *, qualified: bool = True) -> Interval:
    """The base-unit values that a figure as printed may stand for, with its qualifier's room if `qualified`.

    "Up to" and "at most" name the value itself and give no room; the open-ended ones give a bounded one.
    """
    low, high = figure.interval(qualified=False, coarse=_rounds(figure) if qualified else False)
    if figure.kind in _MEASURES and not figure.quantity.is_range:
        face = figure.base()[0]
        room = abs(face) * _MOST_ROUNDING
        low, high = max(low, face - room), min(high, face + room)
    ends = _OPEN_ENDED.get(figure.qualifier) if qualified else None
    if ends is None:
        return Interval(low, high)
    below, above = ends
    if figure.kind == "ratio" and figure.qualifier in _STRICT and not figure.quantity.is_range:
        low = max(low, figure.base()[0] - figure.base()[2] / 10)  # "more than doubled" is not 1.6 times
    if low < 0:
        below, above = above, below
    return Interval(low * below, high * above)


def same_value(figure: Figure, registered: Figure, times: Decimal = _ONE) -> bool:
    """Whether a figure of the text may be `times` the registered one, both in the same dimension."""
    if figure.dimension != registered.dimension:
        return False
    low, high = registered.interval(qualified=False)
    theirs = Interval(low * times, high * times)
    if span(figure, qualified=False).meets(theirs):
        return True
    return figure.qualifier != registered.qualifier and span(figure).meets(theirs)


def exactly(figure: Figure, registered: Figure) -> bool:
    """Whether a figure as printed, its qualifier apart, is the registered one."""
    theirs = registered.interval(qualified=False)
    return figure.dimension == registered.dimension and span(figure, qualified=False).meets(theirs)


def differs_by(one: Figure, other: Figure, gap: Figure) -> bool:
    """Whether two figures of one dimension are as far apart, at face value, as a third one says."""
    if one.dimension != other.dimension or gap.dimension != one.dimension:
        return False
    apart = abs(one.base()[0] - other.base()[0])
    said = span(gap)
    return apart > 0 and said.low <= apart <= said.high


def effects(figure: Figure, *, qualified: bool = True) -> list[Interval]:
    """What a ratio or percentage does to the thing that it is said of, as multipliers; several if it is left open.

    "1.4x" and "40% more" are 1.4, "50% less" is 0.5; "2x cheaper" is 2 or 0.5; a bare "40%" is 1.4, 0.6 or 0.4, and
    "40% of" just 0.4.
    """
    low, high = span(figure, qualified=qualified)
    if figure.is_share:
        return [Interval(low, high)]
    if figure.kind == "ratio":
        direct = Interval(low, high)
        if high < 1 and figure.direction == "more":
            return [Interval(_ONE + low, _ONE + high)]
        if high < 1:  # "a quarter less", "a third of"
            return [direct, Interval(_ONE + low, _ONE + high), Interval(_ONE - high, _ONE - low)]
        if figure.direction == "less" and low > 0:
            return [Interval(_ONE / high, _ONE / low), direct]
        return [direct]
    if figure.kind in ("percent", "points"):
        more, less = Interval(_ONE + low, _ONE + high), Interval(_ONE - high, _ONE - low)
        if figure.direction == "more":
            return [more]
        if figure.direction == "less":
            return [less]
        return [more, less, Interval(low, high)]
    return []


def said_effects(figure: Figure) -> list[Interval]:
    """What a relative figure of a text may say, with its qualifier's room or at face value."""
    return effects(figure) + (effects(figure, qualified=False) if figure.qualifier else [])


def inverse(effect: Interval) -> Interval:
    """What an effect above nothing is seen from the other side: of twice, half."""
    return Interval(_ONE / effect.high, _ONE / effect.low)


def same_effect(said: list[Interval], registered: Figure) -> bool:
    """Whether two relative figures say the same: "40% more" and "1.4x", "half" and "-50%".

    `said` is what the one of the text may say. The registered one counts at face value: a published "4x" is no
    published "4.4x".
    """
    low, high, _ = registered.base()
    theirs = Interval(low, high) if registered.kind == "ratio" else Interval(_ONE + low, _ONE + high)
    return any(_touches(theirs, each) for each in said)


def gives(left: Figure, right: Figure, result: Figure) -> bool:
    """Whether a ratio or percentage, as printed, is what two figures of one dimension give.

    The operands count at face value where they are printed more finely than the result; where they are coarser, any
    value that rounds to them may be meant.
    """
    if left.dimension != right.dimension:
        return False
    wanted = effects(result)
    quotient = ratio(_at_face(left), _at_face(right))
    if quotient is not None and any(_touches(quotient, effect) for effect in wanted):
        return True
    if max(_fineness(left), _fineness(right)) < _fineness_of_result(result):
        return False
    quotient = ratio(span(left, qualified=True), span(right, qualified=True))
    return quotient is not None and any(quotient.meets(effect) for effect in wanted)


def _at_face(figure: Figure) -> Interval:
    low, high, _ = figure.base()
    return Interval(low, high)


def _touches(quotient: Interval, effect: Interval) -> bool:
    """Whether a quotient lies in what a printed ratio may stand for, the ends included."""
    return quotient.low <= effect.high and effect.low <= quotient.high


def _fineness(figure: Figure) -> Decimal:
    """Half a printed step as a share of the value: how coarsely a figure is printed."""
    low, high, step = figure.base()
    size = max(abs(low), abs(high))
    return step / (2 * size) if size else _ONE


def _fineness_of_result(figure: Figure) -> Decimal:
    """The coarseness of a ratio; of a percentage, that of the multiplier it stands for."""
    if figure.kind == "ratio":
        return _fineness(figure)
    low, _, step = figure.base()
    return step / (2 * (_ONE + abs(low)))
