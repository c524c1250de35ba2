"""Results whose operands stand in the sentences before: "The gap, 51 GB", "The second is 36% larger"."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import combinations

from caveat.arithmetic.passages import Passage
from caveat.arithmetic.sequels import across, moved, sequels
from caveat.arithmetic.terms import (
    RATE,
    Derivation,
    Term,
    apart,
    holds,
    is_change,
    is_share,
    meant,
    multiplied,
    quotient,
)
from caveat.figures.figure import RELATIVE, Number
from caveat.figures.quantity import Interval
from caveat.markdown.document import Document
from caveat.reading.sentences import Sentence
from caveat.reading.subjects import SubjectReader

# How many sentences before one are looked at, and how many of them with numbers are drawn on.
_WINDOW, _BACK = 8, 4
# So many amounts of one kind are tried in pairs.
_MOST = 6
_LEAD, _METRIC_REACH = 4, 3
# A table so many blocks above a sentence is the one that it speaks of; so many rows and columns of it are looked at.
_BLOCKS, _MOST_ROWS = 2, 8
# So many sentences before the size of some weights may name their number format, or the model.
_WEIGHTS_REACH = 5
_BITS = frozenset(("4", "6", "8", "16", "32"))
# A difference that is off by more than this is no slip but another thing.
_FAR_OFF = 2
# What makes a difference, and what is left of an amount.
_DIFFERENCE = ("difference-lead", "difference-tail", "leftover-lead", "leftover-tail")
_SIZES = ("size-word", "pace-word")
_SIZED = frozenset(("larger", "smaller", "bigger", "higher", "lower", "faster", "slower"))
_LARGER = frozenset(("more", "less", "larger", "smaller", "higher", "lower", "bigger", "faster", "slower", "fewer"))


def may_draw_on_earlier(sentence: Sentence) -> bool:
    """Whether a sentence with a single number can be told from those before it: a ratio, or a difference in words."""
    return any(figure.kind in RELATIVE for figure in sentence.figures) or any(
        sentence.has(kind) for kind in (*_DIFFERENCE, "difference-noun", "nonstop")
    )


class Carried:
    """Finds the results of one draft whose operands are sentences, list items or a table away."""

    def __init__(self, document: Document, subjects: SubjectReader, terms: Callable[[Sentence], list[Term]]) -> None:
        """`terms` gives the numbers of a sentence or cell."""
        self.document = document
        self.subjects = subjects
        self.terms = terms
        self.vocabulary = subjects.registry.vocabulary

    def derivations(self, passage: Passage) -> Iterator[Derivation]:
        """The computations of one sentence; `passage` is that sentence alone."""
        earlier = self._earlier(passage.sentence)
        for result in passage.terms:
            if result.figure is None:
                continue
            own = passage.before(result)
            if result.kind in RELATIVE:
                yield from self._left_of(passage, result, own)
            if result.kind in RELATIVE and earlier:
                yield from self._change(passage, result, own, earlier)
                yield from self._share(passage, result, own, earlier)
                yield from moved(passage, result, own, earlier)
                yield from across(passage, result, own, earlier)
            elif result.absolute and not result.bare:
                yield from self._difference(passage, result, own, earlier)
                yield from _rated(passage, result, own, earlier)
                yield from sequels(passage, result, earlier, self.vocabulary.seconds)
                yield from self._weights(passage, result)
            if result.kind in RELATIVE or _says_difference(passage, result):
                yield from self._from_table(passage, result)

    def _left_of(self, passage: Passage, result: Term, own: list[Term]) -> Iterator[Derivation]:
        """As in "Of the 466 interruptions, 47 were planned. That leaves 419, or nine in ten": the share left."""
        wording, sentence = passage.wording, passage.sentence
        left = own[-1] if own and sentence.place else None
        if left is None or not wording.lead("leftover-lead", left, 1) or not wording.apposed(left, result):
            return
        told = [t for t in self.terms(self.subjects.sentences[sentence.index - 1])[:_MOST] if t.absolute]
        for whole, part in combinations(told, 2):
            if whole.face.low > part.face.high and holds(apart, [whole, part], [left.lent(whole).face]):
                fits = is_share(left.lent(whole), whole, result)
                yield Derivation(result, [left.lent(whole), whole], "share", fits=fits)
                return

    def _earlier(self, sentence: Sentence) -> list[list[Term]]:
        """The terms of the sentences before one in its section, nearest first; a table's are the last to come."""
        found: list[list[Term]] = []
        section = self.subjects.heading_of(sentence.block)
        sentences = self.subjects.sentences
        for index in range(sentence.index - 1, max(-1, sentence.index - 1 - _WINDOW), -1):
            other = sentences[index]
            block = self.document.blocks[other.block]
            if block.table >= 0 or block.kind == "heading" or self.subjects.heading_of(other.block) != section:
                break
            terms = self.terms(other) if other.numbers else []
            if any(not term.bare for term in terms) or (terms and other.has("factor-noun")):
                found.append(terms)
            if len(found) == _BACK:
                break
        return found

    def _difference(
        self, passage: Passage, result: Term, own: list[Term], earlier: list[list[Term]]
    ) -> Iterator[Derivation]:
        """As in "... 192 GB ... 141 GB. The gap, 51 GB, is": the difference of the two amounts told last."""
        named = _names_difference(passage, result)
        if not named and not _says_difference(passage, result):
            return
        amounts = [t for terms in reversed(earlier) for t in terms] + own
        amounts = [t for t in amounts if t.dimension == result.dimension and t.face != result.face][-_MOST:]
        wanted = [meant(result)]
        pair = next((p for p in combinations(reversed(amounts), 2) if holds(apart, p, wanted)), None)
        if pair is not None:
            yield Derivation(result, pair, "difference", fits=True)
            return
        here = [t for t in own if t.dimension == result.dimension]
        last = here or [t for t in (earlier[0] if earlier else []) if t.dimension == result.dimension]
        two = len(last) == 2 and all(t.per == result.per for t in last) and _of_one_kind(last, result)
        if named and two and _next_to(last, result):
            yield Derivation(result, last, "difference", fits=False)

    def _change(
        self, passage: Passage, result: Term, own: list[Term], earlier: list[list[Term]]
    ) -> Iterator[Derivation]:
        """As in "... 80 GB ... 141 GB. Moving up, you get 76% more memory": a ratio of two things' amounts."""
        wording = passage.wording
        behind = wording.words[wording.behind(result) : wording.behind(result) + 1]
        if any(t.absolute and not t.bare for t in own) or not (set(behind) & _LARGER or wording.says_part(result)):
            return
        dimension = self._dimension_of(passage, result) or _priced(passage, result, earlier)
        ordinal = not dimension and behind[0] in _SIZED and any(wording.closed(result, kind) for kind in _SIZES)
        ordinal = ordinal and _says_which(passage, result)
        if not dimension and not ordinal:
            return
        rate = wording.tail("rate-word", result, 3)
        pairs = _two_told(earlier, dimension) if dimension else _two_last(earlier)
        for one, other in pairs:
            fits = is_change(one, other, result, rate=rate)
            plain = one.face != other.face and not wording.compared_on(result) and not passage.sentence.has("own")
            if fits or (plain and (ordinal or self._draws_on(passage, one, other, result))):
                yield Derivation(result, [one, other], "ratio", fits=fits)
            return

    def _from_table(self, passage: Passage, result: Term) -> Iterator[Derivation]:
        """What two cells of one row or column of the table above give; only if it holds."""
        if passage.sentence.place > _MOST or not _two_digits(result):
            return
        relative, named = result.kind in RELATIVE, bool(self.subjects.mentions(passage.sentence))
        for line in self._lines_above(passage.sentence):
            terms = [t for t in line if (relative and not (named and t.bare)) or t.dimension == result.dimension]
            for one, other in combinations(terms, 2):
                fits = is_change(one, other, result) if relative else holds(apart, [one, other], [result.span])
                if fits and one.like(other):
                    yield Derivation(result, [one, other], "ratio" if relative else "difference", fits=True)
                    return

    def _lines_above(self, sentence: Sentence) -> Iterator[list[Term]]:
        """The amounts of each row, and with bare numbers each column, of a table that ends just above a block."""
        tables = {self.document.blocks[at].table for at in range(max(0, sentence.block - _BLOCKS), sentence.block)}
        for table in (self.document.tables[at] for at in sorted(tables) if at >= 0):
            rows: list[dict[int, Term]] = []
            for row in table.rows[1:_MOST_ROWS]:
                cells = {at: self._amount(block) for at, block in enumerate(row[:_MOST_ROWS]) if block >= 0}
                rows.append({at: term for at, term in cells.items() if term is not None})
            yield from ([term for term in row.values() if not term.bare] for row in rows)
            yield from ([row[at] for row in rows if at in row] for at in range(_MOST_ROWS))

    def _amount(self, block: int) -> Term | None:
        """The amount in a table cell, or its number if it has no unit; None if it holds neither."""
        sentence = next(iter(self.subjects.of_block(block)), None)
        terms = self.terms(sentence) if sentence is not None and sentence.numbers else []
        return next((term for term in terms if term.absolute), None)

    def _weights(self, passage: Passage, result: Term) -> Iterator[Derivation]:
        """As in "a 70B model in BF16 (140 GB of weights)": a model's parameters times the bytes of its format."""
        if result.dimension != "bytes":
            return
        at = passage.sentence.index
        sentences = self.subjects.sentences[max(0, at - _WEIGHTS_REACH) : at + 1]
        sizes = [size for s in sentences for number in s.numbers[:_MOST] for size in _parameters(number, self.document)]
        widths = [width for s in sentences for width in _bytes_each(s)]
        for size in sizes:
            for width in widths:
                value = Interval(size * width, size * width)
                if result.span.meets(value):
                    yield Derivation(result, (), "product", fits=True)
                    return
        if _plainly_weighs(passage, result, sizes):
            yield Derivation(result, passage.before(result), "product", fits=False)

    def _dimension_of(self, passage: Passage, result: Term) -> str:
        """The dimension of what words right behind a ratio name: "more memory", "more FP8"; "" if they name nothing."""
        start = passage.wording.behind(result)
        for mark in passage.sentence.marks:
            if not 0 <= mark.first - start <= _METRIC_REACH:
                continue
            if mark.kind == "metric" and len(set(self.vocabulary.metrics[mark.value])) == 1:
                return next(iter(self.vocabulary.metrics[mark.value]))
            if mark.kind == "precision":
                return "operation-rate"
        return ""

    def _draws_on(self, passage: Passage, one: Term, other: Term, result: Term) -> bool:
        """Whether words such as "so" or "moving up", or one of two products' name, draw on what was told of them."""
        told = {t.statement.product for t in (one, other) if t.statement is not None}
        named = {mention.product for mention in self.subjects.mentions(passage.sentence)}
        if named - told:
            return False
        at = passage.wording.at(result)
        leads = [stop for _, stop, _ in passage.wording.marks("conclusion") if stop <= at]
        return bool(named or leads)

    def _share(
        self, passage: Passage, result: Term, own: list[Term], earlier: list[list[Term]]
    ) -> Iterator[Derivation]:
        """As in "The weights take 810 GB. On a node with 1,128 GB, that is 72% of the memory"."""
        wording = passage.wording
        if not wording.says_part(result) or not wording.lead("back-reference", result, 1):
            return
        wholes = [t for t in own if t.absolute and not t.bare]
        if len(wholes) != 1 or not wording.apposed(own[-1], result) or "of" in wording.between(own[-1], result):
            return
        parts = [t for t in earlier[0] if t.like(wholes[0])]
        if len(parts) == 1 and _next_to(earlier[0], result):
            fits = is_share(parts[0], wholes[0], result)
            single = not wording.tail("each-word", wholes[0], 1)
            if fits or (single and parts[0].face.high < wholes[0].face.low):
                yield Derivation(result, [parts[0], wholes[0]], "share", fits=fits)


def _plainly_weighs(passage: Passage, result: Term, sizes: list[Decimal]) -> bool:
    """Whether one sentence tells a model's size, the bytes of each parameter and, with nothing else, what they make."""
    sentence, wording = passage.sentence, passage.wording
    here = [number for number in sentence.numbers if number.end <= result.start]
    others = [figure for figure in sentence.figures if figure.dimension == "bytes" and figure.start != result.start]
    said = wording.lead("result-word", result, 1) or wording.lead("taking", result, 1)
    bytes_told = len({mark.value for mark in sentence.of_kind("bytes-each")}) == 1
    return bool(said and bytes_told and not others and len(set(sizes)) == 1 and here) and wording.closed(
        result, "weights-tail"
    )


def _says_difference(passage: Passage, result: Term) -> bool:
    """Whether words beside an amount make it a difference: "saves 51 GB", "$1.14 below"."""
    wording = passage.wording
    return any(wording.lead(kind, result, 1) or wording.tail(kind, result, 2) for kind in _DIFFERENCE)


def _two_digits(result: Term) -> bool:
    """Whether a value has two digits: one says nothing of where it comes from."""
    quantity = result.figure.quantity if result.figure is not None else None
    return quantity is not None and abs(quantity.low) >= quantity.step * 10


def _parameters(number: Number, document: Document) -> Iterator[Decimal]:
    """The parameters of a model whose size a number is: 70 billion for "70B"."""
    text = document.prose[number.start : number.end].partition(" ")[0].rpartition("-")[2]
    digits = text[:-1]
    if text[-1:] in ("B", "b") and digits.replace(".", "", 1).isdecimal() and len(digits) < _MOST:
        yield Decimal(digits) * 10**9


def _bytes_each(sentence: Sentence) -> Iterator[Decimal]:
    """The bytes of a parameter in the number formats that a sentence names, or says in so many words."""
    for mark in sentence.of_kind("precision"):
        digits = "".join(letter for letter in mark.value if letter.isdecimal())
        if digits in _BITS:
            yield Decimal(digits) / 8
    yield from (Decimal(mark.value) for mark in sentence.of_kind("bytes-each"))


def _next_to(terms: list[Term], result: Term) -> bool:
    """Whether a sentence's terms are of the same paragraph as a result."""
    return terms[0].sentence.block == result.sentence.block


def _of_one_kind(pair: list[Term], result: Term) -> bool:
    """Whether two amounts are of one metric, and a difference that they do not give is no other thing altogether."""
    gap = apart([term.face for term in pair])
    metrics = {t.statement.metrics[0] for t in pair if t.statement is not None and t.statement.metrics}
    near = gap is not None and gap.low < result.face.high * _FAR_OFF and result.face.low < gap.high * _FAR_OFF
    return near and len(metrics) <= 1


def _names_difference(passage: Passage, result: Term) -> bool:
    """Whether "the gap" or "the difference" leads up to a result: "The gap, 51 GB,", "so the gap is 0.5 TB/s"."""
    return any(
        0 <= passage.wording.at(result) - stop <= 2
        and not {".", ";", "between"} & set(passage.wording.words[stop : passage.wording.at(result)])
        for _, stop, _ in passage.wording.marks("difference-noun")
    )


def _says_which(passage: Passage, result: Term) -> bool:
    """As in "The second is 36% larger": the sentence begins with which of two it is about."""
    first = passage.sentence.first
    words = passage.wording.words[first : passage.wording.at(result)]
    return len(words) <= _LEAD + 1 and bool({"second", "former", "latter", "first", "other"} & set(words[:3]))


def _priced(passage: Passage, result: Term, earlier: list[list[Term]]) -> str:
    """The dimension of the prices told before, for "The B200 thus costs 67% more"; "" for anything else."""
    at = passage.wording.at(result)
    if not {"costs", "cost"} & set(passage.wording.words[max(passage.sentence.first, at - 2) : at]):
        return ""
    told = {t.dimension for terms in earlier for t in terms if t.kind == "price"}
    return told.pop() if len(told) == 1 else ""


def _two_told(earlier: list[list[Term]], dimension: str) -> Iterator[tuple[Term, Term]]:
    """The two amounts of a dimension if the sentences tell just two of it, of two products."""
    amounts = [t for terms in earlier for t in terms if t.dimension == dimension and t.absolute and t.statement]
    amounts.sort(key=lambda term: term.start)
    products = {t.statement.product for t in amounts if t.statement is not None}
    if len(amounts) == 2 and len(products) == 2 and "" not in products and amounts[0].like(amounts[1]):
        yield amounts[0], amounts[1]


def _two_last(earlier: list[list[Term]]) -> Iterator[tuple[Term, Term]]:
    """The amounts of the sentence before, or of the two list items before, if they are two of one kind."""
    amounts = [t for t in earlier[0] if t.absolute and not t.bare]
    if len(amounts) == 1 and len(earlier) > 1 and earlier[1][0].sentence.block != earlier[0][0].sentence.block:
        amounts = [t for t in earlier[1] if t.absolute and not t.bare] + amounts
    if len(amounts) == 2 and amounts[0].like(amounts[1]):
        yield amounts[0], amounts[1]


def _rated(passage: Passage, result: Term, own: list[Term], earlier: list[list[Term]]) -> Iterator[Derivation]:
    """An amount told before over a rate, or a rate times a stretch; those that hold, or say that they use the rate."""
    before = [t for terms in reversed(earlier) for t in terms][-_MOST * 2 :] + own
    before = [t for t in before if not t.bare and t.absolute and t.face != result.face]
    wanted = [meant(result, exact=True)]
    if result.dimension == "time":
        pairs = [(a, r) for r in before if r.dimension == "data-rate" for a in before if a.dimension == "bytes"]
        found = next((p for p in pairs if holds(quotient, p, wanted)), None)
    elif result.dimension == "energy" or (result.kind == "price" and not result.per):
        rate = "power" if result.dimension == "energy" else result.dimension + RATE
        pairs = [(a, r) for r in before if r.dimension == "time" for a in before if a.dimension == rate]
        found = next((p for p in pairs if holds(multiplied, p, wanted)), None)
    else:
        return
    if found is not None:
        yield Derivation(result, found, "rate", fits=True)
    elif passage.sentence.has("at-that-rate") and len(own) == 1:
        told = [pair for pair in pairs if pair[1] is own[0] or pair[0] is own[0]]
        if len(told) == 1:
            yield Derivation(result, told[0], "rate", fits=False)
