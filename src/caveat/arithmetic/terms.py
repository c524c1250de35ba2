"""The numbers of a passage as terms of arithmetic, and whether a result fairly rounds what the terms give."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal

from caveat.figures.agreement import effects, span
from caveat.figures.figure import RELATIVE, Figure, Number
from caveat.figures.quantity import ONE, ZERO, Interval, difference, divided, product, ratio, total
from caveat.figures.units import Stretch, read_unit
from caveat.figures.vocabulary import Vocabulary
from caveat.reading.sentences import Sentence
from caveat.reading.statements import Statement

BARE, COUNT, RATE = "", "count", "-rate"
# More numbers than this in one sentence are a listing, and no computation is looked for beyond them.
MOST_TERMS = 16
_READINGS = frozenset(("figure", "count", "number", "setting", "multiplicity"))
# A round result may stand for what rounds to its leading digits, but for no more than this share of it.
_ROUND_ENOUGH = Decimal(100)
_ROUND_SHARE = Decimal("0.05")
# What a division may be off by in its last digit.
_SLACK = Decimal("1e-30")
# Sizes in bytes are often counted in powers of two and called by the decimal name.
_BINARY = (Decimal("1.024"), Decimal("1.048576"), Decimal("1.073741824"), Decimal("1.099511627776"))

Compute = Callable[[Sequence[Interval]], "Interval | None"]


class Derivation:
    """A printed result and the printed operands that the text says it comes from; `holds` if it does.

    `result` and `operands` are what the text says with them; a bare number is no statement, so the result's place is
    in `start` and `end` and those of all operands in `shown`. `how` names the computation.
    """

    __slots__ = ("end", "holds", "how", "operands", "result", "sentence", "shown", "start")

    def __init__(self, result: Term, operands: Sequence[Term], how: str, *, fits: bool) -> None:
        self.result = result.statement
        self.operands = tuple(term.statement for term in operands if term.statement is not None)
        self.how = how
        self.holds = fits
        self.sentence = result.sentence
        self.start, self.end = result.start, result.end
        self.shown = tuple(dict.fromkeys((term.start, term.end) for term in operands))


class Term:
    """One number that arithmetic may use: a figure, or a bare number that takes its unit from what it stands beside.

    `statement` is what the text says with it, None for a number that is no figure. `dimension` is "" for a bare
    number; `face` is the value as printed, `span` what it may stand for, both in the base unit. A price per hour is a
    rate like any other: its dimension is "USD-rate", its value that of a second, `seconds` the stretch it is told for.
    """

    __slots__ = (
        "dimension",
        "end",
        "face",
        "figure",
        "kind",
        "per",
        "seconds",
        "sentence",
        "span",
        "start",
        "statement",
    )

    def __init__(
        self, start: int, end: int, sentence: Sentence, figure: Figure | None, statement: Statement | None
    ) -> None:
        self.seconds = ONE
        self.start, self.end = start, end
        self.sentence = sentence
        self.figure, self.statement = figure, statement
        self.kind = figure.kind if figure else "number"
        self.dimension = figure.dimension if figure else BARE
        self.per = figure.per if figure else ()
        self.face = self.span = Interval(ZERO, ZERO)
        if figure is not None:
            low, high, _ = figure.base()
            self.face = Interval(low, high)
            self.span = self.face if _counted_exactly(figure) else span(figure)

    @property
    def bare(self) -> bool:
        """Whether the term has no measure: a mere number or a count of things."""
        return self.dimension in (BARE, COUNT)

    @property
    def whole(self) -> bool:
        """Whether the term can be how many there are of something: a whole number above one without a measure."""
        value = self.face.low
        return self.bare and self.face.high == value > 1 and value == value.to_integral_value()

    @property
    def absolute(self) -> bool:
        """Whether the term is an amount, not a ratio or percentage."""
        return self.kind not in RELATIVE and self.kind != "points"

    def like(self, other: Term) -> bool:
        """Whether two terms are amounts of the same thing, so that they can be added and divided."""
        return self.dimension == other.dimension and self.per == other.per

    def timed(self, seconds: Mapping[str, str]) -> Term:
        """A price per hour as a rate; any other term as it is. `seconds` are the lengths of stretches of time."""
        stretch = next((name for name in self.per if name in seconds), None)
        if self.kind == "price" and stretch is not None:
            self.seconds = Decimal(seconds[stretch])
            self.dimension += RATE
            self.per = tuple(name for name in self.per if name != stretch)
            self.face, self.span = (_scaled(each, ONE / self.seconds) for each in (self.face, self.span))
        return self

    def untimed(self) -> Term:
        """A price per hour as a mere price: the $12,000 of "$12,000 a month, or $1,500 per GPU"."""
        if self.seconds == ONE:
            return self
        term = Term(self.start, self.end, self.sentence, self.figure, self.statement)
        term.per = self.per
        return term

    def unpriced(self) -> Term:
        """A price per GPU-hour as a mere price."""
        term = self.untimed()
        if term.per:
            term = Term(self.start, self.end, self.sentence, self.figure, self.statement)
            term.per = ()
        return term

    def printed(self) -> Term:
        """The number alone, without its unit."""
        term = Term(self.start, self.end, self.sentence, None, self.statement)
        factor = self.seconds if self.figure is None else divided(self.seconds, self.figure.factor)
        term.face, term.span = _scaled(self.face, factor), _scaled(self.span, factor)
        return term

    def plain(self) -> Term:
        """The term without a "more than" that is no qualifier: the plus sign of "70 GB + 30 GB"."""
        if self.figure is None or self.figure.qualifier != "more than":
            return self
        term = Term(self.start, self.end, self.sentence, self.figure, self.statement).timed({})
        term.span = term.face
        return term

    def lent(self, other: Term) -> Term:
        """This bare number in the unit of another term: the 310 of "310 to 420 ms"."""
        if self.dimension != BARE or other.figure is None:
            return self
        term = Term(self.start, self.end, self.sentence, None, self.statement)
        term.kind, term.dimension, term.per = other.kind, other.dimension, other.per
        factor = other.figure.factor
        term.face, term.span = _scaled(self.face, factor), _scaled(self.span, factor)
        return term


def by_place(term: Term) -> int:
    """The key that sorts terms as the text has them."""
    return term.start


def _counted_exactly(figure: Figure) -> bool:
    """Whether a count is told to the last one."""
    return figure.kind == COUNT and not figure.qualifier and figure.quantity.step == ONE and figure.factor == ONE


def _scaled(interval: Interval, factor: Decimal) -> Interval:
    return product(interval, Interval(factor, factor))


def term_of(number: Number, sentence: Sentence, statement: Statement | None) -> Term | None:
    """The term that a number is, None for a date, a version and whatever else no arithmetic is about."""
    if number.quantity is None or number.reading not in _READINGS:
        return None
    if number.reading == "count" and number.quantity.high == ONE:
        return None  # the "one" of "the new one"
    term = Term(number.start, number.end, sentence, number.figure, statement)
    if number.figure is None:
        quantity = number.quantity
        term.face = Interval(quantity.low, quantity.high)
        exact = quantity.low == quantity.low.to_integral_value() and quantity.step == ONE
        term.span = term.face if exact else quantity.interval()
    return term


def terms_of(sentence: Sentence, statements: Iterable[Statement], vocabulary: Vocabulary, prose: str) -> list[Term]:
    """The terms of a sentence in order, no more than the first sixteen."""
    by_start = {s.figure.start: s for s in statements}
    terms: list[Term] = []
    for number in sentence.numbers[: MOST_TERMS * 4]:
        term = term_of(number, sentence, by_start.get(number.start))
        if term is not None and number.reading == "setting":
            figure = _measured(number, vocabulary, prose)
            term = term if figure is None else Term(number.start, number.end, sentence, figure, None)
        if term is not None:
            terms.append(term.timed(vocabulary.seconds))
    return terms[:MOST_TERMS]


def _measured(number: Number, vocabulary: Vocabulary, prose: str) -> Figure | None:
    """The amount that a set number states with its unit, as "1.8 TB/s" in an instruction; None without a unit."""
    at = number.start
    while at < number.end and (prose[at].isdigit() or prose[at] in ".,"):
        at += 1
    if not number.start < at < number.end or number.quantity is None:
        return None
    unit = read_unit(Stretch(prose, number.start, number.end, vocabulary), at)
    if unit is None or unit.kind != "measure":
        return None
    figure = Figure(
        number.start,
        number.end,
        number.quantity,
        unit.kind,
        unit=unit.key,
        dimension=unit.dimension,
        factor=unit.factor,
    )
    figure.per = unit.per
    return figure


def ends_of(term: Term) -> tuple[Term, Term]:
    """The two ends of a range as terms."""
    low, high = term.figure.ends() if term.figure is not None else (None, None)
    return (
        Term(term.start, term.end, term.sentence, low, term.statement),
        Term(term.start, term.end, term.sentence, high, term.statement),
    )


def meant(result: Term, *, exact: bool = False) -> Interval:
    """What a printed amount may stand for: its rounding, its qualifier, and for a round one its leading digits."""
    figure = result.figure
    if figure is None or exact:
        return result.span
    quantity = figure.quantity
    if quantity.coarse < quantity.step * _ROUND_ENOUGH:
        return result.span
    room = min(quantity.coarse / 2, abs(quantity.low) * _ROUND_SHARE) * abs(figure.factor)
    room = divided(room, result.seconds)
    low, high = result.span
    return Interval(min(low, result.face.low - room), max(high, result.face.high + room))


def holds(compute: Compute, operands: Sequence[Term], wanted: Iterable[Interval]) -> bool:
    """Whether what the operands give lies in one of the wanted intervals.

    The operands count at face value; where their own rounding leaves more room than that of the result, any value that
    rounds to them may be meant.
    """
    intervals = list(wanted)
    face = compute([term.face for term in operands])
    if face is not None and any(_touches(face, each) for each in intervals):
        return True
    loose = compute([term.span for term in operands])
    if loose is None:
        return False
    width = loose.high - loose.low
    return any(width >= each.high - each.low and loose.meets(each) for each in intervals)


def _touches(one: Interval, other: Interval) -> bool:
    slack = abs(one.low) * _SLACK if one.low.is_finite() else ZERO
    return one.low - slack <= other.high and other.low <= one.high + slack


def summed(intervals: Sequence[Interval]) -> Interval | None:
    """The sum of all."""
    return total(list(intervals))


def multiplied(intervals: Sequence[Interval]) -> Interval | None:
    """The product of all."""
    result = Interval(ONE, ONE)
    for interval in intervals:
        result = product(result, interval)
    return result


def quotient(intervals: Sequence[Interval]) -> Interval | None:
    """The first over the second."""
    return ratio(intervals[0], intervals[1])


def apart(intervals: Sequence[Interval]) -> Interval | None:
    """How far two are from one another."""
    gap = difference(intervals[0], intervals[1])
    return Interval(-gap.high, -gap.low) if gap.high <= 0 else gap


def mean(intervals: Sequence[Interval]) -> Interval | None:
    """The arithmetic mean."""
    count = Decimal(len(intervals))
    return ratio(total(list(intervals)), Interval(count, count))


def equals(one: Term, result: Term) -> bool:
    """Whether a term restates another in other units, powers of two allowed for sizes."""
    wanted = [meant(result)]
    if result.dimension == "bytes":
        for factor in _BINARY:
            wanted += [_scaled(wanted[0], each) for each in (factor, ONE / factor)]
    return holds(lambda values: values[0], [one], wanted)


def is_share(part: Term, whole: Term, result: Term) -> bool:
    """Whether a percentage or fraction is what a part is of a whole."""
    return holds(quotient, [part, whole], [_told(result.figure) if result.figure else result.span])


def is_undirected_share(part: Term, whole: Term, result: Term) -> bool:
    """The same for a percentage that is no increase and no decrease: "203%", not "a gain of 203%"."""
    return (result.figure is None or not result.figure.direction) and is_share(part, whole, result)


def is_change(old: Term, new: Term, result: Term, *, rate: bool = False, moved: bool = False) -> bool:
    """Whether a ratio, percentage or number of points is what lies between two terms, in either direction.

    `rate` says that the words fit time and its inverse alike: "25% faster" for a quarter less time and for a rate of
    1.25 times. "3x more" may be three times or four times. `moved` says that a percentage is one of a cut or rise, and
    no share.
    """
    figure = result.figure
    if figure is None:
        return False
    if figure.kind == "points":
        return holds(apart, [new, old], [span(figure)])
    wanted = _effects(figure, rate=rate and _inverse_of_rate(old))
    if moved and figure.kind == "percent" and not figure.direction:
        wanted = wanted[:2]  # more and less, not the part that it would be
    return holds(quotient, [new, old], wanted) or holds(quotient, [old, new], wanted)


def is_movement(old: Term, new: Term, result: Term, *, rate: bool = False, moved: bool = False) -> bool:
    """The same where the text says which is the old one: a bare "33%" of a fall is what was lost of the old value."""
    figure = result.figure
    bare = figure is not None and not figure.direction and not rate
    if figure is None or not bare or figure.kind not in RELATIVE or result.span.high >= 1:
        return is_change(old, new, result, rate=rate, moved=moved)
    low, high = _told(figure)
    more = new.face.high > old.face.low
    return holds(quotient, [new, old], [Interval(ONE + low, ONE + high) if more else Interval(ONE - high, ONE - low)])


def _inverse_of_rate(term: Term) -> bool:
    """Whether less of an amount may be told as more: times, prices, sizes, but no rates of work."""
    return not term.dimension.endswith(RATE) or term.kind == "price"


def _told(figure: Figure) -> Interval:
    """What a relative figure may stand for; a percentage in tens, such as "40%", for one a point off as well."""
    low, high = span(figure)
    quantity = figure.quantity
    if figure.kind == "percent" and quantity.coarse > quantity.step:
        half = quantity.step * figure.factor / 2
        return Interval(low - half, high + half)
    return Interval(low, high)


def _effects(figure: Figure, *, rate: bool) -> list[Interval]:
    """What a ratio or percentage may do to the thing that it is said of, as multipliers."""
    low, high = _told(figure)
    more, less = Interval(ONE + low, ONE + high), Interval(ONE - high, ONE - low)
    part = figure.kind == "ratio" and high < 1
    if low < 0:
        return [more]  # the sign says it: "-7.3%"
    if not figure.direction:
        return [more, less, Interval(low, high)] if figure.kind == "percent" else effects(figure)
    if part or figure.kind == "percent":
        return [more, less] if rate else [more if figure.direction == "more" else less]
    return [*effects(figure), more]
