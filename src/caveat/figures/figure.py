"""What the grammar hands on: every number of a draft, and the figure that it is, if it is one."""

from __future__ import annotations

from decimal import Decimal

from caveat.figures.quantity import ONE, Interval, Quantity, widened

# Kinds of figures that set one thing against another, and all that fit every metric: "40% less latency", "2 points".
RELATIVE = frozenset(("ratio", "percent"))
ANY_METRIC = RELATIVE | {"points"}
# A ratio of one digit says less than half a step: "2x" is no fair rounding of 1.5. So much of the value at most.
_RATIO_SLACK = Decimal("0.2")
# "Twice" and "half" are said of what is nearly so.
_WORD_SLACK = Decimal("0.125")


class Figure:
    """A quantity that asserts something checkable.

    `start` and `end` are offsets in the source text, from the sign or currency to the end of the unit; emphasis, tags
    and entities inside belong to it, the qualifier does not. `unit` is a key of the vocabulary: "GB", "TB/s", "TFLOPS",
    "USD", "x" for a ratio, "%", "pp" for percentage points, "" for a bare count. `per` holds keys of the vocabulary's
    per-units that are not part of the unit: ("GPU", "hour"). `kind` is measure, count, ratio, percent, points or
    price. `noun` is what is counted ("chip", "token"). `qualifier` is a canonical value of the lexicon of
    qualifiers or ""; its span is `qualifier_span`. `direction` is "more", "less" or ""; `is_share` says that the text
    makes it a part of something ("42% of"). `like` is the figure before that gave it its unit ("300 PFLOPS for one and
    180 for the other"), or None. `dimension` and `factor` come from the unit: base value = value * factor.
    """

    __slots__ = (
        "dimension",
        "direction",
        "end",
        "factor",
        "from_header",
        "in_words",
        "is_share",
        "kind",
        "like",
        "noun",
        "per",
        "qualifier",
        "qualifier_span",
        "quantity",
        "start",
        "unit",
    )

    def __init__(
        self,
        start: int,
        end: int,
        quantity: Quantity,
        kind: str,
        unit: str = "",
        dimension: str = "",
        factor: Decimal = ONE,
    ) -> None:
        self.start = start
        self.end = end
        self.quantity = quantity
        self.kind = kind
        self.unit = unit
        self.dimension = dimension
        self.factor = factor
        self.per: tuple[str, ...] = ()
        self.noun = ""
        self.qualifier = ""
        self.qualifier_span: tuple[int, int] | None = None
        self.direction = ""
        self.in_words = False
        self.is_share = False
        self.from_header = False
        self.like: Figure | None = None

    def __repr__(self) -> str:
        per = "".join(f" per {name}" for name in self.per)
        what = f"{self.qualifier} {self.quantity!r} {self.unit}{per} {self.noun} {self.kind}"
        return f"Figure({self.start}, {self.end}, {what})"

    def base(self) -> tuple[Decimal, Decimal, Decimal]:
        """(low, high, step) in the base unit of the dimension.

        Bytes, bytes/second, FLOP/s, watts, joules, seconds, hertz, metres, tokens/second, US dollars ...; a percentage
        and percentage points as a share of 1.
        """
        scaled = self.quantity.times(self.factor)
        return scaled.low, scaled.high, scaled.step

    def ends(self) -> tuple[Figure, Figure]:
        """The two ends of a range, each as a figure of its own; twice the same value if it is no range."""
        return self._at(self.quantity.low), self._at(self.quantity.high)

    def _at(self, value: Decimal) -> Figure:
        """A figure like this one with a single value."""
        quantity = Quantity(value, value, self.quantity.step, self.quantity.coarse)
        return Figure(self.start, self.end, quantity, self.kind, self.unit, self.dimension, self.factor)

    def interval(self, *, coarse: bool = False, qualified: bool = True) -> Interval:
        """The base-unit values that the figure as printed may stand for, widened by its qualifier if `qualified`."""
        scaled = self.quantity.times(self.factor)
        if self.kind == "ratio" and scaled.margin is None:
            slack = _WORD_SLACK if self.in_words else _RATIO_SLACK
            step = min(scaled.step, abs(scaled.low) * slack * 2)
            scaled = Quantity(scaled.low, scaled.high, step, max(step, scaled.coarse))
        interval = scaled.interval(coarse=coarse)
        return widened(interval, self.qualifier) if qualified else interval


# Why the number of "a 70B model" is a name.
MODEL_SIZE = "the size of a model"


class Number:
    """One number of a draft and how it is read; `figure` is set only if the reading is "figure".

    `reading` is figure, version, name, date, time, year, pointer, setting, count, ordinal, pattern, multiplicity or
    number (a bare one without a unit); `why` says in a few words how it was told. `quantity` is the value of a plain
    number, for arithmetic that the text shows ("8 x 141 GB"), or None.
    """

    __slots__ = ("end", "figure", "quantity", "reading", "start", "why")

    def __init__(
        self,
        start: int,
        end: int,
        reading: str,
        why: str,
        *,
        figure: Figure | None = None,
        quantity: Quantity | None = None,
    ) -> None:
        self.start = start
        self.end = end
        self.reading = reading
        self.why = why
        self.figure = figure
        self.quantity = figure.quantity if figure is not None else quantity

    def __repr__(self) -> str:
        return f"Number({self.start}, {self.end}, {self.reading!r}, {self.why!r}, {self.figure!r})"
