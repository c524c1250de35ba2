"""Computations told in words about two amounts: changes, shares, differences; and means and conversions.

Each kind yields a computation that fails only if the words plainly say that the result comes from the operands.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from caveat.arithmetic.passages import Passage
from caveat.arithmetic.terms import (
    RATE,
    Derivation,
    Term,
    apart,
    by_place,
    ends_of,
    equals,
    holds,
    is_change,
    is_movement,
    is_share,
    is_undirected_share,
    mean,
    meant,
    multiplied,
    quotient,
)
from caveat.figures.figure import RELATIVE
from caveat.figures.quantity import ONE, Interval, difference, product, total

_ARROWS = ("→", "->", "=>", "⟶", "⇒", "➔")
# All that may stand between a bare number and the amount whose unit it shares.
_TO = frozenset(("to", "down", "up", "all", "the", "way"))
_MOVE_GAP, _NEAR, _PART_GAP = 12, 6, 5
# So many amounts before "148 of them" may be the whole of which they are a part.
_NEAREST = 3
# A percentage before these words is no share.
_ALL = Interval(ONE, ONE)
_MARKUP_GAP, _LEAST_DATES = 4, 2
# How long what leads from "the gap between" to the first amount may be, in words.
_GAP_LEAD = 6
# A bare number from here on is told as an amount of something.
_LARGE = 1000
# How words that restate an amount begin, and how many of its own "per" part may stand before them.
_RESTATING = frozenset(((",", "or"), (",", "which"), (",", "that"), ("(", "or"), (",", "i"), ("(", "i")))
_PER_WORDS = 4
_COMPARING = frozenset(
    ("more", "less", "faster", "slower", "higher", "lower", "fewer", "cheaper", "up", "down", "above", "below")
)
# A sentence that opens with one of these tells of other conditions than the one before.
_CONDITIONS = frozenset(("with", "without", "at", "on", "under", "if", "when", "once", "using", "after", "for", "in"))


def changes(passage: Passage) -> Iterator[Derivation]:
    """As in "from 540 ms to 420 ms, a 22% cut", "2.9 GB/s instead of 1.9 GB/s, 1.5 times as much"."""
    for old, new, sure in movements(passage):
        first, last = sorted((old, new), key=by_place)
        moved = False
        for result in _restatements(passage, last):
            yield from _change(passage, old, new, result, sure=sure, moved=moved)
            moved = moved or (result.absolute and result.like(old))  # "an increase of 112 GB, or 140%"
        lead = _announced(passage, first)
        if lead is not None:
            yield from _change(passage, old, new, lead, sure=sure)


def _change(
    passage: Passage, old: Term, new: Term, result: Term, *, sure: bool, moved: bool = False
) -> Iterator[Derivation]:
    """What a movement says of a result: a ratio, a percentage, points or the difference of its ends."""
    wording = passage.wording
    if result.kind in RELATIVE or result.kind == "points":
        rate = wording.tail("rate-word", result, 3) or wording.lead("rate-word", result, 4)
        moved = moved or is_moved(passage, result)
        fits = not moved and is_undirected_share(new, old, result)
        fits = fits or (not wording.says_part(result) and is_movement(old, new, result, rate=rate, moved=moved))
        plain = not wording.compared_on(result) or _compares_with_before(passage, result)
    else:
        if not result.like(old):
            return
        fits = holds(apart, [new, old], [meant(result)])
        plain = wording.lead("difference-lead", result, 1) or wording.tail("difference-tail", result, 1)
    if fits or (sure and plain):
        yield Derivation(result, [old, new], "change", fits=fits)


def is_moved(passage: Passage, result: Term) -> bool:
    """Whether words make a percentage one of a cut or a rise, not a share: "a cut of 43%", "a 43% drop"."""
    return passage.wording.lead("movement-lead", result, 1) or passage.wording.tail("change-noun", result, 0)


def dated_changes(passage: Passage) -> Iterator[Derivation]:
    """As in "$12.29 on 4 March 2025 and $6.98 on 9 January 2026, a cut of 43%": two values, each with its date."""
    dates = [number.start for number in passage.sentence.numbers if number.reading in ("date", "year")]
    starts = passage.wording.tokens.starts
    dates += [starts[at] for kind in ("month-word", "contrast-word") for at, _, _ in passage.wording.marks(kind)]
    if len(dates) < _LEAST_DATES:
        return
    for first, second in pairwise(passage.terms):
        one, other = _in_one_unit(first, second)
        words = passage.wording.between(first, second)
        if not one.like(other) or not _amounts(one, other) or not {"and", "then", "to", ","} & set(words):
            continue
        for result in _restatements(passage, second):
            if _each_dated(dates, first, second, result) and result.kind in RELATIVE and is_moved(passage, result):
                fits = is_movement(one, other, result) or is_movement(other, one, result)
                if fits or not passage.wording.compared_on(result):
                    yield Derivation(result, [one, other], "change", fits=fits)


def _amounts(one: Term, other: Term) -> bool:
    """Whether two numbers are amounts: with a unit, or large, as in "40,000 wafers a month in 2024 and 75,000"."""
    return one.absolute and (not one.bare or min(one.face.low, other.face.low) >= _LARGE)


def _each_dated(dates: list[int], first: Term, second: Term, result: Term) -> bool:
    """Whether a date stands behind each of two values, or before each."""
    between = any(first.end <= date < second.start for date in dates)
    before = any(date < first.start for date in dates)
    return between and (before or any(second.end <= date < result.start for date in dates))


def markups(passage: Passage) -> Iterator[Derivation]:
    """As in "72 kW; with 20% on top it is 86.4 kW", "$400 less 10% is $360"."""
    wording, terms = passage.wording, passage.terms
    for index, result in passage.results():
        if index < _LEAST_DATES or not result.absolute or result.bare:
            continue
        amount, part = terms[index - 2], terms[index - 1]
        if part.kind != "percent" or not amount.like(result) or len(wording.between(part, result)) > _NEAR:
            continue
        said = wording.tail("markup-tail", part, 1) and wording.lead("result-word", result, 1)
        if not said:
            continue
        wanted = [meant(result)]
        more = holds(lambda v: product(v[0], total([_ALL, v[1]])), [amount, part], wanted)
        less = holds(lambda v: product(v[0], difference(_ALL, v[1])), [amount, part], wanted)
        near = len(wording.between(amount, part)) <= _MARKUP_GAP
        near = near and not any(term.whole for term in terms[:index])
        near = near and amount.face.low < result.face.low * 2 and result.face.low < amount.face.low * 2
        if more or less or near:
            yield Derivation(result, [amount, part], "markup", fits=more or less)


def _compares_with_before(passage: Passage, result: Term) -> bool:
    """As in "three times what we had": what a ratio is relative to is the old value itself."""
    at = passage.wording.behind(result)
    return bool({"what", "had", "before", "previously"} & set(passage.wording.words[at : at + 4]))


def movements(passage: Passage) -> Iterator[tuple[Term, Term, bool]]:
    """The pairs of values, the old one first, between which something moved, and whether the words plainly say so."""
    wording = passage.wording
    for first, second in pairwise(passage.terms):
        words = wording.between(first, second)
        arrow = len(words) <= _NEAR and any(sign in passage.prose[first.end : second.start] for sign in _ARROWS)
        close = arrow or set(words) <= _TO
        one, other = _in_one_unit(first, second) if close else (first, second)
        if not one.like(other) or one.kind == "ratio" or len(words) > _MOVE_GAP:
            continue
        if arrow or ("to" in words and len(words) <= _NEAR and wording.lead("from-word", one, 1)):
            yield one, other, True
        elif wording.joined(one, other) == "from":
            yield other, one, True
        elif words == ["to"]:
            yield one, other, False
    for term in passage.terms:
        if term.figure is not None and term.figure.quantity.is_range and term.absolute:
            yield *ends_of(term), wording.lead("from-word", term, 1)


def _in_one_unit(first: Term, second: Term) -> tuple[Term, Term]:
    """Two values that stand together, the unit of the second lent to the first: "$4.00 to $3.00 an hour"."""
    if first.kind == second.kind == "price" and second.dimension == first.dimension + RATE:
        return first, second.untimed()
    if first.kind == second.kind == "price" and second.dimension == first.unpriced().dimension and not second.per:
        return first.unpriced(), second
    return first.lent(second), second.lent(first)


def _restatements(passage: Passage, anchor: Term) -> Iterator[Term]:
    """The terms behind one that restate it in turn: "from 34% to 51%: 17 points, or half as much again"."""
    for term in passage.terms:
        if term.start < anchor.end:
            continue
        if not passage.wording.apposed(anchor, term) and not passage.wording.stated(anchor, term):
            return
        if term.start >= passage.start:
            yield term
        anchor = term


def _announced(passage: Passage, first: Term) -> Term | None:
    """The change told right before the movement that it is of: "rose 35% from 310 to 420", "a 22% cut, from ..."."""
    before = passage.before(first)
    if not before or before[-1].start < passage.start:
        return None
    words = passage.wording.between(before[-1], first)
    near = len(words) <= _PART_GAP and (words[-1:] == ["from"] or "(" in words[-1:])
    return before[-1] if near and not {";", "and", "."} & set(words) else None


def shares(passage: Passage) -> Iterator[Derivation]:
    """As in "12 of the 48 hours, or 25%", "$3M of $12M, a quarter", "25% (12 of 48)"."""
    for part, whole in (*_parts(passage), *_wholes_first(passage), *_of_them(passage)):
        for result in _restatements(passage, max(part, whole, key=by_place)):
            if result.kind in RELATIVE:
                yield from _share(passage, part, whole, result)
        before = passage.before(part)
        if before and before[-1].kind in RELATIVE and before[-1].start >= passage.start:
            words = passage.wording.between(before[-1], part)
            if words and words[-1] in ("(", "or", ",") and len(words) <= 2:
                yield from _share(passage, part, whole, before[-1])


def _share(passage: Passage, part: Term, whole: Term, result: Term) -> Iterator[Derivation]:
    at = passage.wording.behind(result)
    fits = is_share(part, whole, result) or is_change(whole, part, result)
    fits = fits or holds(lambda v: _rest(v[0], v[1]), [part, whole], [result.span])
    plain = not _COMPARING & set(passage.wording.words[at : at + 1])
    of_whole = not passage.wording.says_part(result) or (
        passage.wording.tail("whole-word", result, 0) and passage.wording.closed(result, "whole-word")
    )
    if fits or (plain and result.face.high <= 1 and of_whole):
        yield Derivation(result, [part, whole], "share", fits=fits)


def _rest(part: Interval, whole: Interval) -> Interval | None:
    """The share that a part leaves."""
    left = apart([whole, part])
    return None if left is None else quotient([left, whole])


def _parts(passage: Passage) -> Iterator[tuple[Term, Term]]:
    """The pairs "A of B" of amounts of one thing, the first no more than the second."""
    wording = passage.wording
    for first, second in pairwise(passage.terms):
        part, whole = first.lent(second), second.lent(first)
        if not part.absolute or not _alike(part, whole) or part.face.high > whole.face.low:
            continue
        start, stop = wording.behind(part), wording.at(whole)
        if stop - start <= _PART_GAP and any(
            start <= first <= start + 1 and last <= stop for first, last, _ in wording.marks("part-word")
        ):
            yield part, whole


def _wholes_first(passage: Passage) -> Iterator[tuple[Term, Term]]:
    """The pairs (part, whole) of "out of 2,000 prompts, 1,460 passed" and "24 MW, of which 18 MW"."""
    wording = passage.wording
    for whole, number in pairwise(passage.terms):
        part = number.lent(whole)
        words = wording.between(whole, number)
        opens = _opens(passage, whole) and not {";", ".", "and", ":"} & set(words)
        named = opens or ("of" in words and words[-1] in ("which", "these", "them", "those"))
        fits = part.absolute and _alike(part, whole) and part.face.high <= whole.face.low
        if named and fits and len(words) <= (_MOVE_GAP if opens else _PART_GAP + 1):
            yield part, whole


def _of_them(passage: Passage) -> Iterator[tuple[Term, Term]]:
    """The pairs (part, whole) of "640 steps failed; 176 of them were link flaps", whatever stands in between."""
    wording = passage.wording
    for first, stop, _ in wording.marks("of-them"):
        part = next((t for t in passage.terms if 0 <= first - wording.behind(t) <= 1 and wording.at(t) < stop), None)
        if part is None or not part.absolute:
            continue
        before = [t for t in passage.before(part) if (t.whole or not t.bare) and t.absolute]
        for whole in before[: -_NEAREST - 1 : -1]:  # "419 interruptions in 54 days; 148 of them ..."
            lent = part.lent(whole)
            if _alike(lent, whole) and lent.face.high <= whole.face.low:
                yield lent, whole
                break


def _opens(passage: Passage, whole: Term) -> bool:
    """Whether "of" or "out of" before a whole begins a sentence or what follows a colon."""
    wording = passage.wording
    if wording.words[wording.at(whole) - 1] == "which":
        return False
    leads = [first for first, stop, _ in wording.marks("part-word") if stop == wording.at(whole)]
    return any(first == wording.first or wording.words[first - 1] in (":", ".", ";", "(", ",") for first in leads)


def _alike(one: Term, other: Term) -> bool:
    return one.like(other) or (one.bare and other.bare)


def differences(passage: Passage) -> Iterator[Derivation]:
    """As in "256 GB, 64 GB more than the 192 GB of the other", "1.2 kW against 1 kW, a gap of 200 W"."""
    wording, terms = passage.wording, passage.terms
    for index, result in passage.results():
        led = wording.lead("difference-lead", result, 1)
        if index >= 2 and result.absolute and _is_left(passage, terms[index - 2], terms[index - 1], result):
            yield from _difference(passage, terms[index - 2], terms[index - 1], result, plain=True)
            continue
        if index >= 2 and result.absolute and _is_gap_between(passage, terms[index - 2], terms[index - 1], result):
            yield from _difference(passage, terms[index - 2], terms[index - 1], result, plain=True)
            continue
        if result.kind in RELATIVE or not (led or wording.tail("difference-tail", result, 1)):
            continue
        if 0 < index < len(terms) - 1 and _compares_two(wording.between(result, terms[index + 1])):
            yield from _difference(passage, terms[index - 1], terms[index + 1], result, plain=True)
        elif index >= 2 and wording.apposed(terms[index - 1], result):
            one, other = terms[index - 2], terms[index - 1]
            plain = bool(wording.joined(one, other)) or wording.contrasted(one, result)
            yield from _difference(passage, one, other, result, plain=plain)


def _is_left(passage: Passage, one: Term, other: Term, result: Term) -> bool:
    """As in "good for 400 kW, our meter shows 312 kW, so we have 88 kW to spare": what the second leaves."""
    wording = passage.wording
    left = wording.tail("leftover-tail", result, 0) or wording.lead("leftover-lead", result, 1)
    alike = one.like(other) and other.like(result) and not one.bare
    so = {"so", "leaves", "leaving", "which"} & set(wording.between(other, result))
    return bool(left and alike and so) and one.face.low > other.face.high


def _is_gap_between(passage: Passage, one: Term, other: Term, result: Term) -> bool:
    """As in "The gap between the MI300X's 192 GB and the H200's 141 GB is 51 GB"."""
    wording = passage.wording
    start = wording.at(one)
    lead = wording.words[max(wording.first, start - _GAP_LEAD) : start]
    verb = wording.between(other, result)[:1] in (["is"], ["was"], ["comes"], [","], ["amounts"], ["makes"])
    between = "between" in lead and "and" in wording.between(one, other)
    near = len(wording.between(other, result)) <= _PART_GAP
    return between and verb and near and wording.lead("difference-noun", one, _GAP_LEAD)


def _compares_two(words: list[str]) -> bool:
    """Whether the words behind a difference lead to the value that it is from: "64 GB more than the"."""
    return bool({"than", "short", "shy", "ahead", "behind", "above", "below"} & set(words[:4])) and (
        len(words) <= _MOVE_GAP and not {",", ";", "and", "("} & set(words)
    )


def _difference(passage: Passage, one: Term, other: Term, result: Term, *, plain: bool) -> Iterator[Derivation]:
    one, other = one.lent(other), other.lent(one)
    if one.dimension != other.dimension or one.bare:
        return
    if result.dimension != one.dimension and (result.kind, one.kind) != ("points", "percent"):
        return
    fits = holds(apart, [one, other], [meant(result)])
    near = len(passage.wording.between(one, result)) <= _MOVE_GAP + _NEAR
    if fits or (plain and near and one.per == other.per == result.per):
        yield Derivation(result, [one, other], "difference", fits=fits)


def means(passage: Passage) -> Iterator[Derivation]:
    """As in "12, 15 and 18 minutes, 15 minutes on average"."""
    wording = passage.wording
    for _, result in passage.results():
        before = passage.before(result)
        opened = bool(before) and wording.lead("mean-lead", before[0], 1) and wording.lead("result-word", result, 0)
        if not (opened or wording.lead("mean-lead", result, 1) or wording.tail("mean-tail", result, 1)):
            continue
        parts = [term for term in before if term.like(result)]
        if len(parts) < 2 or result.kind == "ratio":
            continue
        fits = holds(mean, parts, [meant(result)])
        listed = all(set(wording.between(a, b)) <= {",", "and", ";"} for a, b in pairwise(parts))
        if fits or (listed and len(wording.between(parts[-1], result)) <= _NEAR):
            yield Derivation(result, parts, "mean", fits=fits)


_DATA_RATE = "data-rate"


def _one_way(passage: Passage) -> bool:
    """Whether a sentence counts some bandwidth one way or both."""
    return passage.sentence.has("direction")


def conversions(passage: Passage) -> Iterator[Derivation]:
    """As in "90 minutes, or 5,400 seconds", "1,900 tokens/s is 6.84 million tokens an hour"."""
    wording = passage.wording
    for one, other in pairwise(passage.terms):
        if other.start < passage.start or one.figure is None or other.figure is None or not one.absolute:
            continue
        if not (one.like(other) or _per_dropped(one, other)) or _same_unit(one, other):
            continue
        if not 0 < len(wording.between(one, other)) <= _NEAR:
            continue
        fits = equals(one, other)
        words = wording.between(one, other)
        if not fits and _DATA_RATE in one.dimension and _one_way(passage):
            continue  # "1.68 TB/s duplex, i.e. 840 GB/s unidirectional": one way of two
        words = words[words.index(",") :] if one.per and "," in words[:_PER_WORDS] else words
        sure = wording.lead("plain-result-word", other, 1) or tuple(words[:2]) in _RESTATING
        if (fits and (sure or wording.apposed(one, other))) or (
            sure and wording.closed(other, "conversion-tail") and _ends_clean(passage, one, other)
        ):
            yield Derivation(other, [one], "conversion", fits=fits)


def restated_rates(passage: Passage) -> Iterator[Derivation]:
    """As in "2,400 tokens/s on one card at batch 64. Left running, that is 8.64 million tokens an hour"."""
    wording = passage.wording
    changed = wording.words[passage.sentence.first] in _CONDITIONS
    for _, result in passage.results():
        if result.figure is None or not result.dimension.endswith(RATE) or result.kind == "price":
            continue
        rates = [t for t in passage.terms if t.dimension == result.dimension and t.start < passage.start]
        if len(rates) != 1 or _same_unit(rates[0], result) or not wording.lead("back-reference", result, 1):
            continue
        counts = [t for t in passage.before(result) if t.whole and t.start > passage.start]
        fits = equals(rates[0], result)
        counted = next((n for n in counts if holds(multiplied, [n, rates[0]], [meant(result)])), None)
        if counted is not None:
            yield Derivation(result, [counted, rates[0]], "product", fits=True)
        elif fits or (
            rates[0].per == result.per
            and not (counts or changed)
            and not (_DATA_RATE in result.dimension and _one_way(passage))
        ):
            yield Derivation(result, rates, "conversion", fits=fits)


def _per_dropped(one: Term, other: Term) -> bool:
    """As in "400 Gb/s per port, which is 50 GB/s": bits and bytes of one thing, its "per port" told once."""
    if one.figure is None or other.figure is None or one.dimension != other.dimension or other.per:
        return False
    return one.figure.unit.lower() == other.figure.unit.lower()


def _same_unit(one: Term, other: Term) -> bool:
    if one.figure is None or other.figure is None:
        return True
    return one.figure.unit == other.figure.unit and one.seconds == other.seconds


def _ends_clean(passage: Passage, one: Term, other: Term) -> bool:
    """Whether two amounts are single values and no count between or before makes them amounts of different things."""
    ranges = one.face.low != one.face.high or other.face.low != other.face.high
    return not ranges and not any(term.whole and term.bare for term in passage.before(one))
