"""Arithmetic that a table or a list shows: totals, shares, ratios to a baseline or a neighbour, computed columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from caveat.arithmetic.terms import (
    Compute,
    Derivation,
    Term,
    apart,
    holds,
    is_change,
    is_share,
    is_undirected_share,
    multiplied,
    quotient,
    summed,
)
from caveat.figures.quantity import ONE, Interval
from caveat.language.phrases import Mark
from caveat.markdown.document import Document
from caveat.reading.sentences import Sentence
from caveat.reading.subjects import SubjectReader

_DASHES = frozenset(("–", "—", "-", "−", "0", ""))
# Lines of a table are taken for computed from one another only in a table no wider than this.
_WIDEST = 8
# A label that begins with a word for it is a total's: "Total", "**Total** (all racks)".
_LABEL_REACH = 4
# So many results must come out right before a line counts as computed: in one that is labelled so, and in any other.
_ENOUGH, _PLENTY = 2, 3
# A table with more rows that call themselves totals is no account of anything.
_MOST_TOTALS = 40
# How many words into the sentence under a list the word may stand that makes its first amount the total.
_TOTAL_REACH = 8
_HEADERS = ("share-header", "change-header", "ratio-header")

Row = tuple[Term, tuple[Term, ...], bool]


class Line:
    """One column of a table, or one row of a turned one: its label, and what stands in each place.

    `heading` is the words of a column's label; `cells` holds the number of a cell that has just one, else None; `texts`
    the words of each cell.
    """

    __slots__ = ("cells", "heading", "label", "texts")

    def __init__(self, label: Sentence | None, cells: list[Term | None], texts: list[str], heading: str = "") -> None:
        self.label = label
        self.cells = cells
        self.texts = texts
        self.heading = heading

    def amounts(self) -> bool:
        """Whether the line holds amounts."""
        return any(cell is not None and cell.absolute for cell in self.cells)

    def says(self, kind: str) -> bool:
        """Whether the label has a phrase of a lexicon."""
        return self.label is not None and self.label.has(kind)


class Grid:
    """The numbers of a table by column, with the labels of its rows."""

    __slots__ = ("heads", "lines")

    def __init__(self, heads: list[Sentence | None], lines: list[Line]) -> None:
        self.heads = heads
        self.lines = lines

    def turned(self) -> Grid:
        """Rows as columns."""
        lines = [
            Line(head, [line.cells[at] for line in self.lines], [line.texts[at] for line in self.lines])
            for at, head in enumerate(self.heads)
        ]
        return Grid([line.label for line in self.lines], lines)


class Guess:
    """One way in which a line may come about, with what it makes of each place."""

    __slots__ = ("how", "rows")

    def __init__(self, how: str, rows: list[Row]) -> None:
        self.how = how
        self.rows = rows

    @property
    def right(self) -> int:
        """How many results it gives."""
        return sum(fits for _, _, fits in self.rows)

    @property
    def wrong(self) -> int:
        """How many results it does not give."""
        return len(self.rows) - self.right


class TableArithmetic:
    """Finds the computations in the tables and lists of one draft."""

    def __init__(self, document: Document, subjects: SubjectReader, terms: Callable[[Sentence], list[Term]]) -> None:
        """`terms` gives the numbers of a cell or sentence."""
        self.document = document
        self.subjects = subjects
        self.terms = terms

    def derivations(self) -> Iterator[Derivation]:
        """The computations of all tables and lists."""
        for table in self.document.tables:
            if len(table.rows) < 2 or len(table.rows[0]) < 2:
                continue
            grid = self._grid(table.rows)
            for line in grid.lines:
                yield from _totals(grid.heads, line)
            if len(grid.lines) <= _WIDEST:
                yield from self._columns(grid, (table.before, table.after))
            if len(grid.heads) <= _WIDEST:
                yield from _computed_lines(grid.turned(), headed=False)
        for run in self.document.lists:
            if len(run.items) > _ENOUGH:
                yield from self._list_totals(run.items)
                yield from self._total_below(run.items)

    def _columns(self, grid: Grid, around: tuple[int, int]) -> Iterator[Derivation]:
        """The computed columns of a table, and the words around it that name their factor: "eight times the left"."""
        found = list(_computed_lines(grid, headed=True))
        yield from found
        if not any(each.how == "multiple" and each.holds for each in found):
            return
        factors = {factor.low for line in grid.lines for factor in _factors(line)}
        for sentence in (s for block in around if block >= 0 for s in self.subjects.of_block(block)):
            for term in self.terms(sentence):
                if term.kind == "ratio" and term.face.low == term.face.high and term.face.low in factors:
                    yield Derivation(term, (), "multiple", fits=True)

    def _grid(self, rows: list[list[int]]) -> Grid:
        """The table without its header row and its column of labels."""
        heads = [self._first(row, 0) for row in rows[1:]]
        lines = []
        for at in range(1, max(len(row) for row in rows)):
            cells = [self._cell(self._first(row, at)) for row in rows[1:]]
            label = self._first(rows[0], at)
            heading = self.document.prose[label.start : label.end] if label is not None else ""
            lines.append(Line(label, [cell for cell, _ in cells], [text for _, text in cells], heading))
        return Grid(heads, lines)

    def _first(self, row: list[int], at: int) -> Sentence | None:
        block = row[at] if at < len(row) else -1
        return next(iter(self.subjects.of_block(block)), None) if block >= 0 else None

    def _cell(self, sentence: Sentence | None) -> tuple[Term | None, str]:
        """The number of a cell, if it holds just one, and the cell's words."""
        if sentence is None:
            return None, ""
        terms = self.terms(sentence) if sentence.numbers else []
        text = self.document.prose[sentence.start : sentence.end].strip(" *_").lower()
        return (terms[0] if len(terms) == 1 else None), text

    def _list_totals(self, items: list[int]) -> Iterator[Derivation]:
        """The item of a list that calls itself a total, against the items before it."""
        heads: list[Sentence | None] = []
        cells: list[Term | None] = []
        for item in items:
            blocks = self.document.items[item].blocks
            sentence = self._first(blocks, 0)
            heads.append(sentence)
            cells.append(self._cell(sentence)[0])
        yield from _totals(heads, Line(None, cells, ["?"] * len(cells)))

    def _total_below(self, items: list[int]) -> Iterator[Derivation]:
        """As in "Together 84 kWh" right under a list: the total of its items."""
        blocks = [block for item in items[-1:] for block in self.document.items[item].blocks]
        below = self.subjects.of_block(blocks[-1] + 1)[:1] if blocks else []
        for sentence in below:
            marks = [mark for kind in ("sum-lead", "sum-tail") for mark in sentence.of_kind(kind)]
            result = next((term for term in self.terms(sentence) if term.absolute and not term.bare), None)
            if result is None or not any(mark.first - sentence.first <= _TOTAL_REACH for mark in marks):
                continue
            cells = [self._cell(self._first(self.document.items[item].blocks, 0))[0] for item in items]
            yield from _total(result, [cells])


def _totals(heads: list[Sentence | None], line: Line) -> Iterator[Derivation]:
    """The places whose label calls them a total, against the ones before them."""
    section: list[Term | None] = []
    parts: list[Term | None] = []
    subtotals: list[Term | None] = []
    for head, cell, text in zip(heads, line.cells, line.texts, strict=True):
        mark = _total_mark(head)
        if mark is None:
            if cell is not None or text not in _DASHES:
                section.append(cell)
                parts.append(cell)
            continue
        if cell is not None and len(subtotals) < _MOST_TOTALS:
            yield from _total(cell, [section, parts, subtotals])
        subtotals.append(cell)
        section = []


def _total_mark(head: Sentence | None) -> Mark | None:
    """The word at the beginning of a label that makes it a total's."""
    if head is None:
        return None
    marks = (m for m in head.of_kind("total-label") if m.start - head.start <= _LABEL_REACH)
    # "All" is a total's label only by itself: "All-reduce" is a part.
    return next((m for m in marks if m.value != "all" or (m.first == head.first and m.last == head.last)), None)


def _total(result: Term, candidates: Sequence[Sequence[Term | None]]) -> Iterator[Derivation]:
    """A total against the rows of its section, all rows or all subtotals above it."""
    complete = [
        [part.lent(result) for part in parts if part is not None]
        for parts in candidates
        if len(parts) > 1 and None not in parts
    ]
    complete = [parts for parts in complete if all(part.like(result) for part in parts)]
    wanted = [result.span]
    found = next((parts for parts in complete if holds(summed, parts, wanted)), None)
    if found is not None:
        yield Derivation(result, found, "total", fits=True)
        return
    for parts in complete[:1]:
        values = [part.face.low for part in parts]
        beyond = result.absolute and not min(values) <= result.face.low <= max(values)  # no mean and no maximum
        if beyond or _makes_whole(result, parts):
            yield Derivation(result, parts, "total", fits=False)


def _makes_whole(result: Term, parts: Sequence[Term]) -> bool:
    """Whether percentages are the parts of a hundred: their total or their sum says so, and none is told running up."""
    if result.kind != "percent" or any(part.face.low < 0 for part in parts):
        return False
    values = [part.face.low for part in parts]
    hundred = ONE in (result.face.low, sum(values))
    return hundred and (sum(values) <= ONE or values != sorted(values))


def _computed_lines(grid: Grid, *, headed: bool) -> Iterator[Derivation]:
    """The lines that the other lines of a table give, as most of their numbers tell; `headed` if they are columns."""
    for at, line in enumerate(grid.lines):
        others = [other for other in grid.lines if other is not line and other.amounts()]
        relative = sum(cell is not None and not cell.absolute for cell in line.cells)
        if relative or line.says("ratio-header"):
            guesses = [*_share_guesses(grid, line, others), *_ratio_guesses(grid, line, others)]
            labelled = "/" in line.heading or any(line.says(kind) for kind in _HEADERS)
        elif line.amounts():
            guesses = [*_amount_guesses(grid, line, at, labelled=headed)]
            labelled = any(guess.how in ("multiple", "per unit") for guess in guesses)
            labelled = labelled or _is_total_of_counts(grid, line)
        else:
            continue
        yield from _best(guesses, labelled=labelled, headed=headed)


def _is_total_of_counts(grid: Grid, line: Line) -> bool:
    """Whether a column "Total" stands beside one "Count" or "GPUs": so many of so much in each row."""
    return line.says("total-label") and any(other.says("count-header") for other in grid.lines if other is not line)


def _best(guesses: list[Guess], *, labelled: bool, headed: bool) -> Iterator[Derivation]:
    """What the guess that fits best says: the results that it gives and, if most come out right, those that do not."""
    guesses = [guess for guess in guesses if guess.rows]
    if not guesses:
        return
    best = max(guesses, key=lambda guess: (guess.right - guess.wrong, guess.right))
    rivals = [guess for guess in guesses if guess.right] or guesses
    sure = labelled and headed and len(rivals) == 1 and best.how != "multiple"
    alone = sure and (len(best.rows) == 1 or 0 < best.right >= best.wrong)
    if best.right < (_ENOUGH if labelled else _PLENTY) and not (labelled and best.right > best.wrong) and not alone:
        return
    slips = alone or (best.wrong * (1 if labelled else _PLENTY) <= best.right)
    for result, operands, fits in best.rows:
        if fits or slips:
            yield Derivation(result, operands, best.how, fits=fits)


def _share_guesses(grid: Grid, line: Line, others: list[Line]) -> Iterator[Guess]:
    """Each number of another line as a share of that line's total or sum."""
    for other in others:
        totals = [at for at, head in enumerate(grid.heads) if _total_mark(head) is not None]
        parts = [c for at, c in enumerate(other.cells) if at not in totals and c is not None and c.absolute]
        if len(parts) < _ENOUGH or not all(part.like(parts[0]) for part in parts):
            continue
        printed = other.cells[totals[-1]] if totals else None
        whole = printed if printed is not None and printed.like(parts[0]) else _sum_of(parts)
        rows: list[Row] = []
        for part, result in zip(other.cells, line.cells, strict=True):
            if part is not None and result is not None and result.kind == "percent" and part.like(parts[0]):
                rows.append((result, (part, whole), is_share(part, whole, result)))
        yield Guess("share", rows)


def _sum_of(parts: list[Term]) -> Term:
    """The sum of a line as a term that stands where its last part does."""
    last = parts[-1]
    whole = Term(last.start, last.end, last.sentence, None, last.statement)
    whole.dimension, whole.per, whole.kind = last.dimension, last.per, last.kind
    whole.face = summed([part.face for part in parts]) or last.face
    whole.span = summed([part.span for part in parts]) or last.span
    return whole


def _ratio_guesses(grid: Grid, line: Line, others: list[Line]) -> Iterator[Guess]:
    """Ratios and percentages against a baseline row of another line, or between two other lines."""
    base = _baseline(grid, line)
    for other in others:
        reference = other.cells[base] if base >= 0 else None
        if reference is not None and reference.absolute:
            yield Guess("change", list(_against(reference, other, line)))
    for one, other in combinations(others, 2):
        yield Guess("change", list(_between(one, other, line)))


def _baseline(grid: Grid, line: Line) -> int:
    """The place that a line of ratios is relative to: marked as such, 1x, 0% or blank; -1 if there is none."""
    for at, cell in enumerate(line.cells):
        if cell is not None and cell.kind == "ratio" and cell.face.low == cell.face.high == 1:
            return at
        if cell is not None and cell.kind == "percent" and cell.face.low == cell.face.high and cell.face.low in (0, 1):
            return at
    for at, (cell, text) in enumerate(zip(line.cells, line.texts, strict=True)):
        if cell is None and (text in _DASHES or text in ("baseline", "base", "reference", "ref", "ref.", "n/a")):
            return at
    for at, head in enumerate(grid.heads):
        if head is not None and head.has("baseline-label") and line.cells[at] is None:
            return at
    return -1


def _against(reference: Term, other: Line, line: Line) -> Iterator[Row]:
    for value, result in zip(other.cells, line.cells, strict=True):
        if value is None or result is None or value is reference or result.figure is None or result.absolute:
            continue
        if value.like(reference):
            fits = is_change(reference, value, result, rate=True)
            fits = fits or is_undirected_share(value, reference, result)
            yield result, (reference, value), fits


def _between(one: Line, other: Line, line: Line) -> Iterator[Row]:
    for left, right, result in zip(one.cells, other.cells, line.cells, strict=True):
        if left is None or right is None or result is None or result.figure is None or result.absolute:
            continue
        if left.like(right) and (left.absolute or (left.kind == right.kind == "percent" and result.kind == "points")):
            fits = is_change(left, right, result, rate=True) or is_undirected_share(left, right, result)
            yield result, (left, right), fits or is_undirected_share(right, left, result)


def _amount_guesses(grid: Grid, line: Line, at: int, *, labelled: bool) -> Iterator[Guess]:
    """Amounts as a fixed multiple of another line's, and as product, sum or difference of two lines before it."""
    others = [other for other in grid.lines if other is not line and other.amounts()]
    for factor in _factors(line) if labelled else ():
        for other in others:
            yield Guess("multiple", list(_rows(line, [other], _multiplied_by(factor))))
    before = [other for other in grid.lines[:at] if other.amounts()]
    for one, other in combinations(before, 2):
        yield Guess("product", list(_rows(line, [one, other], multiplied)))
        yield Guess("difference", list(_rows(line, [one, other], apart)))
        if labelled and "per" in line.heading.lower().split():
            yield Guess("per unit", list(_rows(line, [one, other], quotient)))
            yield Guess("per unit", list(_rows(line, [other, one], quotient)))
    if len(before) > 1:
        yield Guess("total", list(_rows(line, before, summed)))


def _multiplied_by(factor: Interval) -> Compute:
    return lambda values: multiplied([factor, values[0]])


def _factors(line: Line) -> list[Interval]:
    """The whole numbers above one of a label: the eight of "Memory of eight", "8 × H200"."""
    if line.label is None:
        return []
    return [
        Interval(number.quantity.low, number.quantity.low)
        for number in line.label.numbers[:3]
        if number.quantity is not None and number.reading in ("count", "number", "setting", "multiplicity", "figure")
        if 1 < number.quantity.low == number.quantity.high
    ]


def _rows(line: Line, operands: Sequence[Line], compute: Compute) -> Iterator[Row]:
    """What a computation makes of the places where all operands and the result are amounts."""
    for at, result in enumerate(line.cells):
        values = [operand.cells[at] for operand in operands]
        terms = tuple(value for value in values if value is not None and value.absolute)
        if result is None or len(terms) < len(values) or not result.absolute or _trivial(result, terms):
            continue
        if compute is multiplied:
            alike = sum(term.dimension == result.dimension for term in terms) == 1 or not result.dimension
        elif compute is quotient:
            alike = terms[1].bare and terms[1].face.low > 0 and terms[0].dimension == result.dimension
        else:
            alike = all(term.dimension == result.dimension for term in terms)
        if alike:
            yield result, terms, holds(compute, terms, [result.span])


def _trivial(result: Term, terms: Sequence[Term]) -> bool:
    """Whether a result says nothing: zero, or one of the operands over again."""
    return result.face.low == 0 or any(term.face == result.face for term in terms)
