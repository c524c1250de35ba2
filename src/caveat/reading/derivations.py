"""Arithmetic that a text shows: which printed figure comes out of which others, and whether it does.

WP:CALC allows routine arithmetic on like figures; what the text shows can be checked within the rounding it shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from caveat.figures.agreement import gives, span
from caveat.figures.figure import Figure
from caveat.figures.quantity import Interval, product, ratio, total
from caveat.language.tokens import Tokens
from caveat.markdown.document import Document
from caveat.reading.mentions import count_of
from caveat.reading.sentences import Sentence
from caveat.reading.statements import Statement
from caveat.reading.subjects import SubjectReader

_RELATIVE = frozenset(("ratio", "percent"))
_TIMES = frozenset(("×", "x", "*", "·", "⋅", "X"))
_OVER = frozenset(("÷", "/", "over"))
# How many words may stand between an expression and its result.
_RESULT_REACH = 6
_CHANGE_REACH = 12


class Derivation(NamedTuple):
    """A printed result and the printed operands that the text says it comes from; `holds` if it does."""

    result: Statement
    operands: tuple[Statement, ...]
    how: str
    holds: bool


class DerivationReader:
    """Finds the computations that one draft shows."""

    def __init__(
        self, document: Document, tokens: Tokens, subjects: SubjectReader, statements: dict[int, list[Statement]]
    ) -> None:
        """`statements` are those of each sentence, by the sentence's index."""
        self.document = document
        self.tokens = tokens
        self.subjects = subjects
        self.statements = statements

    def derivations(self) -> list[Derivation]:
        """Every computation, in order of the results."""
        found: list[Derivation] = []
        for statements in self.statements.values():
            if len(statements) > 1:
                sentence = statements[0].sentence
                found += self._changes(sentence, statements)
                found += self._products(sentence, statements)
                found += self._shares(sentence, statements)
        found += self._table_totals()
        return sorted(found, key=lambda d: d.result.figure.start)

    def _changes(self, sentence: Sentence, statements: list[Statement]) -> Iterator[Derivation]:
        """ "from 540 ms to 420 ms, a 22% cut": a change between the ends of a movement."""
        for old, new in self._movements(sentence, statements):
            last = max(old.figure.end, new.figure.end)
            for result in statements:
                figure = result.figure
                if figure.start < last or figure.kind not in (*_RELATIVE, "points") or result in (old, new):
                    continue
                if self._words_between(last, figure.start) > _CHANGE_REACH or not self._is_change(sentence, figure):
                    continue
                yield Derivation(result, (old, new), "change", _change_holds(old.figure, new.figure, figure))
                break

    def _movements(self, sentence: Sentence, statements: list[Statement]) -> Iterator[tuple[Statement, Statement]]:
        """The pairs "from A to B" of a sentence; a range between two products' values is one too."""
        words = self.tokens.words
        leads = {self.tokens.first_from(mark.end) for mark in sentence.of_kind("from-word")}
        for old, new in zip(statements, statements[1:], strict=False):
            if old.figure.dimension != new.figure.dimension or old.figure.kind != new.figure.kind:
                continue
            at = self.tokens.first_from(old.figure.start)
            between = words[self.tokens.first_from(old.figure.end) : self.tokens.first_from(new.figure.start)]
            if at in leads and "to" in between and len(between) <= _RESULT_REACH:
                yield old, new
        for statement in statements:
            if statement.figure.quantity.is_range and statement.figure.kind in ("measure", "count", "price"):
                low, high = statement.figure.ends()
                yield statement.of(low), statement.of(high)

    def _is_change(self, sentence: Sentence, figure: Figure) -> bool:
        """Whether words close to a ratio or percentage call it a change."""
        if figure.direction:
            return True
        first, last = self.tokens.first_from(figure.start), self.tokens.first_from(figure.end)
        for mark in sentence.of_kind("change-noun"):
            at = self.tokens.first_from(mark.start)
            if -3 <= at - first < 0 or 0 <= at - last <= 2:
                return True
        return figure.kind == "points" or self.tokens.words[first - 1] in ("or", "a", "an")

    def _products(self, sentence: Sentence, statements: list[Statement]) -> Iterator[Derivation]:
        """ "8 × 141 GB = 1,128 GB", "1,128 GB (8 × 141 GB)", "9,216 chips × 4,614 TFLOPS comes to 42.5 exaflops"."""
        prose, numbers = self.document.prose, sentence.numbers
        by_start = {s.figure.start: s for s in statements}
        for left, right in zip(numbers, numbers[1:], strict=False):
            sign = prose[left.end : right.start].split()
            one, other = by_start.get(left.start), by_start.get(right.start)
            if len(sign) not in (1, 2, 3) or not any(word in _TIMES for word in sign) or other is None:
                continue
            factor = one.figure if one else None
            count = _plain_value(prose[left.start : left.end]) if factor is None else None
            if factor is None and count is None:
                continue
            result = self._result_of(sentence, statements, left.start, right.end)
            if result is None or result.figure.dimension != other.figure.dimension:
                continue
            if factor is not None and factor.kind not in ("count", "ratio") and factor.dimension:
                continue
            size = span(factor) if factor is not None else Interval(count or Decimal(0), count or Decimal(0))
            holds = product(size, span(other.figure)).meets(span(result.figure))
            yield Derivation(result, tuple(s for s in (one, other) if s), "product", holds)

    def _result_of(self, sentence: Sentence, statements: list[Statement], start: int, end: int) -> Statement | None:
        """The figure that an expression from `start` to `end` gives: behind a word for it, or before a bracket around it."""
        words = self.tokens.words
        first, last = self.tokens.first_from(start), self.tokens.first_from(end)
        leads = {self.tokens.first_from(mark.end) for mark in sentence.of_kind("result-word")}
        for statement in statements:
            at = self.tokens.first_from(statement.figure.start)
            if at >= last and at - last <= _RESULT_REACH and any(last < lead <= at for lead in leads):
                return statement
        if words[first - 1] == "(":
            before = [s for s in statements if s.figure.end <= start]
            if before and first - self.tokens.first_from(before[-1].figure.end) <= _RESULT_REACH:
                return before[-1]
        return None

    def _shares(self, sentence: Sentence, statements: list[Statement]) -> Iterator[Derivation]:
        """ "16 chips and 1.5 TB, which works out at 94 GB per chip": a total shared out over a count.

        Where no word says that it is computed, the share is taken for one only if it holds.
        """
        words = self.tokens.words
        for result in statements:
            figure = result.figure
            last = self.tokens.first_from(figure.end)
            if figure.kind not in ("measure", "price") or not (figure.per or words[last : last + 1] == ["each"]):
                continue
            totals = [s for s in statements if s.figure.dimension == figure.dimension and s.figure.end <= figure.start]
            counts = [n for n in sentence.numbers if n.end <= figure.start and count_of(n, self.document.prose) > 1]
            if len(totals) != 1 or len(counts) != 1:
                continue
            size = Interval(*[count_of(counts[0], self.document.prose)] * 2)
            quotient = ratio(span(totals[0].figure), size)
            holds = quotient is not None and quotient.meets(span(figure))
            said = any(
                0 <= self.tokens.first_from(figure.start) - self.tokens.first_from(m.end) <= 3
                for m in sentence.of_kind("computed")
            )
            if holds or said:
                yield Derivation(result, (totals[0],), "share", holds)

    def _table_totals(self) -> Iterator[Derivation]:
        """The last row of a table that calls itself a total, against the sum of the rows above it."""
        for table in self.document.tables:
            if len(table.rows) < 4:
                continue
            last = table.rows[-1]
            label = self._cell(last[0]) if last else None
            if label is None or not label.has("total-label"):
                continue
            for column in range(1, len(last)):
                cells = [self._cell(row[column]) if column < len(row) else None for row in table.rows[1:]]
                figures = [self.statements.get(cell.index, []) if cell else [] for cell in cells]
                if any(len(each) != 1 for each in figures):
                    continue
                *parts, result = [each[0] for each in figures]
                if any(p.figure.dimension != result.figure.dimension for p in parts) or result.figure.kind in _RELATIVE:
                    continue
                values = [p.figure.base()[0] for p in parts]
                if min(values) <= result.figure.base()[0] <= max(values):
                    continue  # a mean of rates, not their sum
                holds = total([span(p.figure) for p in parts]).meets(span(result.figure))
                yield Derivation(result, tuple(parts), "total", holds)

    def _words_between(self, start: int, stop: int) -> int:
        return self.tokens.first_from(stop) - self.tokens.first_from(start)

    def _cell(self, block: int) -> Sentence | None:
        return next(iter(self.subjects.of_block(block)), None) if block >= 0 else None


def _change_holds(old: Figure, new: Figure, result: Figure) -> bool:
    """Whether a change is what its two ends give, in points for points and in relation for the rest."""
    if result.kind == "points":
        low, high = span(result)
        first, last = span(old), span(new)
        moved = (last.low - first.high, last.high - first.low)
        return any(a <= high and low <= b for a, b in (moved, (-moved[1], -moved[0])))
    return gives(new, old, result) or gives(old, new, result)


def _plain_value(text: str) -> Decimal | None:
    """The value of a bare number without a unit."""
    digits = text.replace(",", "").strip(" x×")
    return Decimal(digits) if digits.replace(".", "", 1).isdigit() and len(digits) < 20 else None
