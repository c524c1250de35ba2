"""The state of one reading: where it is, what it has found, and the figures that it hands out."""

from __future__ import annotations

from decimal import Decimal

from caveat.figures.context import Context
from caveat.figures.figure import Figure, Number
from caveat.figures.quantity import ONE, Quantity
from caveat.figures.tables import Headers
from caveat.figures.units import Stretch, UnitMatch
from caveat.figures.values import Value
from caveat.figures.words import word_set
from caveat.language.phrases import Mark
from caveat.markdown.document import Block

_CONNECTING_SIGNS = frozenset(("/", ",", ";", "&", "-", "–", "→", "->"))
_CONNECTING_WORDS = word_set("and or to vs vs. versus against over through by")
_SOFT = word_set("pointer setting version year")
_SUFFIX_REACH = 8
# Qualifiers that compare if a number stands right before them, and words that are prepositions before a few things.
_COMPARATIVE = frozenset(("more than", "less than", "just over", "just under"))
_PREPOSITIONS = word_set("over under above below past beyond around about")
# "40% further down": where it stands on the page, not which way it goes.
_PLACING = word_set("further farther lower higher")
_FEW = 20
# Two numbers with a slash between them that are further apart share no unit.
_FAR_APART = 10
_CLAUSE_ENDS = word_set(", ; : . ! ? ( )")

_NOWHERE = Block("paragraph", 0, 0, level=0, quoted=False, footnote="", item=-1, table=-1, row=-1, column=-1)


class Reader:
    """Collects the numbers of a draft, block by block. `cursor` is the offset up to which all is read."""

    __slots__ = ("_pending", "block", "context", "cursor", "headers", "numbers", "stretch")

    def __init__(self, context: Context) -> None:
        self.context = context
        self.headers = Headers(context)
        self.numbers: list[Number] = []
        self.cursor = 0
        self.block = _NOWHERE
        self._pending: list[tuple[Number, Value]] = []
        self.stretch = Stretch(context.text, 0, 0, context.vocabulary)

    def enter(self, block: Block) -> None:
        """Go on to the next block."""
        context = self.context
        self.block = block
        self.stretch = Stretch(context.text, block.start, block.end, context.vocabulary, filler=context.filler_end)
        self._pending = []

    def last(self) -> Number | None:
        """The number read before, if it is in the same block."""
        if self.numbers and self.numbers[-1].start >= self.block.start:
            return self.numbers[-1]
        return None

    def place(self, start: int, end: int, reading: str, why: str, quantity: Quantity | None = None) -> None:
        """Add a number that is no figure."""
        self.numbers.append(Number(start, end, reading, why, quantity=quantity))
        self.cursor = max(self.cursor, end)

    def bare(self, value: Value, why: str, reading: str = "number") -> None:
        """Add a number without a unit; a unit after "and", "or" or a slash may still come to it."""
        if self._pending and not self._joined(self._pending[-1][0].end, value.start):
            self._pending = []
        number = Number(value.start, value.end, reading, why, quantity=value.quantity())
        self.numbers.append(number)
        self.cursor = max(self.cursor, value.end)
        self._pending.append((number, value))

    def list_start(self, index: int) -> int:
        """The token with which a list of numbers begins that goes on to a token: "8" in "8, 16 and 32 GPUs"."""
        at = index
        start = self.context.tokens.starts[index]
        for number, _ in reversed(self._pending):
            if not self._joined(number.end, start):
                break
            start = number.start
            at = self.context.tokens.first_from(start)
        return at

    def continued(self, start: int) -> Number | None:
        """The pointer, setting, version or year that a bare number goes on with: "Sections 3 and 4"."""
        last = self.last()
        if last is None or last.reading not in _SOFT or not self._joined(last.end, start):
            return None
        digits = self.context.text[start : start + len("2026")].rstrip(" .;)")
        if last.reading == "year" and not digits.isdigit():
            return None  # "40,000 in 2024 and 75,000 a year later"
        if last.reading in ("version", "year") and self.context.text[last.end : start].strip() in (",", ";"):
            return None
        return last

    def _joined(self, end: int, start: int) -> bool:
        """Whether nothing but a conjunction, comma or slash stands between two places."""
        if not 0 < start - end <= 40:
            return False
        gap = self.context.text[end:start].strip()
        return gap in _CONNECTING_SIGNS or gap.removeprefix(",").lstrip() in _CONNECTING_WORDS

    def figure(self, figure: Figure, stop: int, why: str, index: int) -> None:
        """Add a figure that starts with a token; bare numbers joined to it take its unit."""
        self._qualify(figure, stop, index)
        self._share(figure)
        self.numbers.append(Number(figure.start, figure.end, "figure", why, figure=figure))
        self.cursor = max(self.cursor, stop, figure.end)

    def _share(self, figure: Figure) -> None:
        """Give the unit of a figure to the bare numbers that a conjunction joins to it."""
        pending, self._pending = self._pending, []
        if not pending or not self._joined(pending[-1][0].end, _qualified_start(figure)):
            return
        text = self.context.text
        gap = text[pending[-1][0].end : figure.start].strip()
        if gap == "," or (gap == ", and" and len(pending) == 1) or _restates(gap, pending, figure):
            return
        for number, value in pending:
            shared = Figure(
                number.start,
                number.end,
                value.quantity(),
                figure.kind,
                unit=figure.unit,
                dimension=figure.dimension,
                factor=figure.factor,
            )
            shared.per, shared.noun = figure.per, figure.noun
            self._qualify(shared, number.end, self.context.tokens.first_from(number.start))
            number.reading, number.figure, number.why = "figure", shared, "shares the unit of the next figure"

    def _qualify(self, figure: Figure, stop: int, index: int) -> None:
        """Find the qualifier and the direction of a figure."""
        mark = self.qualifier_before(index, few=figure.kind == "count" and abs(figure.quantity.high) <= _FEW)
        if mark is not None:
            figure.qualifier, figure.qualifier_span = mark.value, (mark.start, mark.end)
        elif figure.qualifier == "":
            self._qualify_after(figure, stop)
        if not figure.direction:
            figure.direction = self._direction(figure, stop, index)
        after = self.context.next_token(stop, self.block)
        part = figure.kind == "ratio" and figure.in_words and figure.quantity.high < 1
        figure.is_share = (
            (figure.kind == "percent" or part)
            and not figure.direction
            and after >= 0
            and self.context.word(after, self.block) == "of"
        )

    def qualifier_before(self, index: int, *, few: bool) -> Mark | None:
        """The qualifier of the figure that starts with a token.

        None if the qualifying words compare with the number before them ("2% more than 144 GB"), or if they are a
        preposition before a `few` things ("1.4 TB over eight GPUs").
        """
        context = self.context
        mark = context.qualifier_before(index, self.block)
        if mark is None or mark.start < self.cursor:
            return None
        if few and context.text[mark.start : mark.end].lower() in _PREPOSITIONS:
            return None
        last = self.last()
        if last is not None and mark.value in _COMPARATIVE and not context.text[last.end : mark.start].strip():
            return None
        return mark

    def _qualify_after(self, figure: Figure, stop: int) -> None:
        """Find a qualifier behind a figure, a few words off at most: "6x its FP4 processing or more"."""
        context, tokens = self.context, self.context.tokens
        index = context.next_token(stop, self.block)
        if index < 0:
            return
        for at in range(index, min(index + _SUFFIX_REACH, len(tokens.words))):
            word = context.word(at, self.block)
            if not word or (word[0].isdigit() and at > index):
                return
            mark = context.starting_at(tokens.starts[at], "qualifier-after")
            if mark is not None and (at == index or " " in context.text[mark.start : mark.end]):
                if not self._leads_on(mark.end):
                    figure.qualifier, figure.qualifier_span = mark.value, (mark.start, mark.end)
                return
            if word in _CLAUSE_ENDS:
                return

    def _leads_on(self, end: int) -> bool:
        """Whether a number follows, so that the qualifier belongs to that."""
        index = self.context.next_token(end, self.block)
        word = self.context.word(index, self.block) if index >= 0 else ""
        return bool(word) and (word[0].isdigit() or word in "$€£~" or word in ("a", "an"))

    def _direction(self, figure: Figure, stop: int, index: int) -> str:
        """Whether the figure tells of more or less: "40% cheaper", "fell by 38%"."""
        context, block = self.context, self.block
        if figure.kind not in ("ratio", "percent", "points"):
            return ""
        after = context.next_token(stop, block)
        for at in range(after, after + 3) if after >= 0 else ():
            word = context.word(at, block)
            if not word or word in _CLAUSE_ENDS:
                break
            mark = context.starting_at(context.tokens.starts[at], "change")
            placed = at > after and word in ("up", "down") and context.word(at - 1, block) in _PLACING
            if mark is not None and not placed:
                return mark.value
        span = figure.qualifier_span
        if span is not None and span[0] < figure.start:
            index = context.tokens.first_from(span[0])
        if context.word(index - 1, block) in ("from", "to", "at"):
            return ""
        for back in range(index, max(index - 6, 0), -1):
            word = context.word(back - 1, block)
            if not word or word in _CLAUSE_ENDS or context.tokens.ends[back - 1] <= self.cursor:
                break
            mark = context.before(back, "change", block)
            if mark is not None:
                return mark.value
        return ""

    def last_measure(self) -> Figure | None:
        """The nearest measure before in the block, among the last four numbers."""
        for number in reversed(self.numbers[-4:]):
            if number.start < self.block.start:
                break
            if number.figure is not None and number.figure.kind == "measure":
                return number.figure
        return None


def _restates(gap: str, pending: list[tuple[Number, Value]], figure: Figure) -> bool:
    """As in "24, or 65%", "70 / 4800 s": the figure says the same otherwise, or divides the number before it."""
    if gap == "/":
        low, high = sorted((abs(pending[-1][1].numeral.value), abs(figure.quantity.high)))
        return high > low * _FAR_APART
    return gap.startswith(",") and gap.endswith("or") and len(pending) == 1


def _qualified_start(figure: Figure) -> int:
    """Where a figure starts with the qualifier before it."""
    span = figure.qualifier_span
    return span[0] if span is not None and span[0] < figure.start else figure.start


def make_figure(value: Value, kind: str, unit: UnitMatch | None = None) -> Figure:
    """A figure of one value, or of a range, in a unit."""
    high = value.high
    quantity = value.quantity()
    if high is not None:
        other = high.quantity()
        quantity = Quantity(
            quantity.low, other.high, max(quantity.step, other.step), max(quantity.coarse, other.coarse)
        )
    key, dimension, factor = (unit.key, unit.dimension, unit.factor) if unit is not None else ("", "", ONE)
    figure = Figure(value.start, value.last.end, quantity, kind, unit=key, dimension=dimension, factor=factor)
    if unit is not None:
        figure.per = unit.per
    figure.in_words = value.numeral.in_words
    if value.sign and kind in ("percent", "points", "ratio"):
        figure.direction = "less" if value.sign == "-" else "more"
    if value.plus or value.last.plus:
        figure.qualifier = "more than"
    return figure


def ratio_of(value: Value) -> Figure:
    """The multiplier that a value is."""
    figure = make_figure(value, "ratio")
    figure.unit, figure.dimension = "x", "ratio"
    return figure


def ratio_figure(start: int, end: int, value: Decimal, step: Decimal, *, direction: str = "") -> Figure:
    """A multiplier or a part told in words."""
    figure = Figure(start, end, Quantity(value, value, step), "ratio", unit="x", dimension="ratio")
    figure.in_words = True
    figure.direction = direction
    return figure
