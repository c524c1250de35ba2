"""Computations told in words: changes, shares, sums, differences, shares per unit, products, means, conversions.

Each kind yields a computation that fails only if the words plainly say that the result comes from the operands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

from caveat.figures.quantity import Interval, product
from caveat.reading.expressions import of_rate
from caveat.reading.passages import Passage
from caveat.reading.terms import (
    BARE,
    COUNT,
    RATE,
    RELATIVE,
    Derivation,
    Term,
    apart,
    derivation,
    ends_of,
    equals,
    holds,
    is_change,
    is_share,
    is_undirected_share,
    mean,
    meant,
    multiplied,
    quotient,
    summed,
)

_ARROWS = ("→", "->", "=>", "⟶", "⇒", "➔")
# All that may stand between a bare number and the amount whose unit it shares.
_TO = frozenset(("to", "down", "up", "all", "the", "way"))
_MOVE_GAP, _NEAR, _PART_GAP = 12, 6, 5
# Behind a total, these words add parts that have no number.
_MORE_PARTS = frozenset(("with", "including", "plus", "counting", "once"))
# A percentage before these words is no share.
_COMPARING = frozenset(("more", "less", "faster", "slower", "higher", "lower", "fewer", "cheaper"))
# A sum that is off by more than this is no slip of the pen but a sum of something else.
_FAR_OFF = 2
_MEASURED = frozenset(("bytes", "energy", "USD"))
_PER_TIME = frozenset(("million tokens", "thousand tokens", "token"))


def changes(passage: Passage) -> Iterator[Derivation]:
    """As in "from 540 ms to 420 ms, a 22% cut", "2.9 GB/s instead of 1.9 GB/s, 1.5 times as much"."""
    for old, new, sure in movements(passage):
        first, last = sorted((old, new), key=_place)
        for result in _restatements(passage, last):
            yield from _change(passage, old, new, result, sure=sure)
        lead = _announced(passage, first)
        if lead is not None:
            yield from _change(passage, old, new, lead, sure=sure)


def _change(passage: Passage, old: Term, new: Term, result: Term, *, sure: bool) -> Iterator[Derivation]:
    """What a movement says of a result: a ratio, a percentage, points or the difference of its ends."""
    wording = passage.wording
    if result.kind in RELATIVE or result.kind == "points":
        rate = wording.tail("rate-word", result, 3) or wording.lead("rate-word", result, 4)
        fits = is_change(old, new, result, rate=rate) or is_undirected_share(new, old, result)
        plain = not wording.compared_on(result) or _compares_with_before(passage, result)
    else:
        if not result.like(old):
            return
        fits = holds(apart, [new, old], [meant(result)])
        plain = wording.lead("difference-lead", result, 1) or wording.tail("difference-tail", result, 1)
    if fits or (sure and plain):
        yield derivation(result, [old, new], "change", fits=fits)


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
    """Two values that stand together, the unit of the second lent to a first that has none: "$4.00 to $3.00 an hour"."""
    if first.kind == second.kind == "price" and second.dimension == first.dimension + RATE:
        return first, second.untimed()
    return first.lent(second), second.lent(first)


def _restatements(passage: Passage, anchor: Term) -> Iterator[Term]:
    """The terms behind one that restate it in turn: "from 34% to 51%: 17 points, or half as much again"."""
    for term in passage.terms:
        if term.start < anchor.end:
            continue
        if not passage.wording.apposed(anchor, term):
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
    return before[-1] if near and not {";", "and", "."} & set(words) and not before[-1].absolute else None


def shares(passage: Passage) -> Iterator[Derivation]:
    """As in "12 of the 48 hours, or 25%", "$3M of $12M, a quarter", "25% (12 of 48)"."""
    for part, whole in (*_parts(passage), *_wholes_first(passage)):
        for result in _restatements(passage, max(part, whole, key=_place)):
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
    if fits or (plain and result.face.high <= 1):
        yield derivation(result, [part, whole], "share", fits=fits)


def _rest(part: Interval, whole: Interval) -> Interval | None:
    """The share that a part leaves."""
    left = apart([whole, part])
    return None if left is None else quotient([left, whole])


def _parts(passage: Passage) -> Iterator[tuple[Term, Term]]:
    """The pairs "A of B" of amounts of one thing, the first no more than the second."""
    wording = passage.wording
    for number, whole in pairwise(passage.terms):
        part = number.lent(whole)
        if not part.absolute or not _alike(part, whole) or part.face.high > whole.face.low:
            continue
        start, stop = wording.behind(part), wording.at(whole)
        if stop - start <= _PART_GAP and any(
            start <= first <= start + 1 and last <= stop for first, last, _ in wording.marks("part-word")
        ):
            yield part, whole


def _wholes_first(passage: Passage) -> Iterator[tuple[Term, Term]]:
    """The pairs (part, whole) of "out of 2,000 prompts, 1,460 passed"."""
    wording = passage.wording
    for whole, number in pairwise(passage.terms):
        part = number.lent(whole)
        words = wording.between(whole, number)
        opens = wording.lead("part-word", whole, 1) and wording.at(whole) - wording.first <= _PART_GAP
        if opens and "," in words and len(words) <= _PART_GAP and part.absolute and _alike(part, whole):
            if part.face.high <= whole.face.low:
                yield part, whole


def _alike(one: Term, other: Term) -> bool:
    return one.like(other) or (_bare(one) and _bare(other))


def _bare(term: Term) -> bool:
    return term.dimension in (BARE, COUNT)


def totals(passage: Passage) -> Iterator[Derivation]:
    """As in "A, B and C add up to D", "D in all: A, B and C"."""
    wording = passage.wording
    for _, result in passage.results():
        if not result.absolute or not _called_total(passage, result):
            continue
        parts = [term for term in passage.before(result) if term.like(result)]
        if len(parts) < 2:
            parts = _listed_behind(passage, result)
        if len(parts) < 2:
            continue
        runs = [parts[at:] for at in range(len(parts) - 1)] + [parts[:at] for at in range(2, len(parts))]
        run = next((run for run in runs if holds(summed, run, [meant(result)])), None)
        if run is not None:
            yield derivation(result, run, "total", fits=True)
        elif _only_addends(passage, parts, result):
            yield derivation(result, parts, "total", fits=False)


def _called_total(passage: Passage, result: Term) -> bool:
    """Whether words make a number a total: "for a total of", "in all", "together ... make"."""
    wording = passage.wording
    if wording.lead("sum-lead", result, 2) or wording.tail("sum-tail", result, 3):
        return True
    first = wording.at(passage.terms[0])
    return wording.lead("result-word", result, 1) and any(stop <= first for _, stop, _ in wording.marks("sum-lead"))


def _listed_behind(passage: Passage, result: Term) -> list[Term]:
    """The parts that follow a total and a colon or bracket."""
    at = passage.wording.behind(result)
    if not {":", "("} & set(passage.wording.words[at : at + 4]):
        return []
    return [term for term in passage.terms if term.start > result.end and term.like(result)]


def _only_addends(passage: Passage, parts: list[Term], result: Term) -> bool:
    """Whether the numbers before a total are its parts, each counted once."""
    wording = passage.wording
    low, high = min(wording.at(term) for term in (*parts, result)), max(wording.behind(t) for t in (*parts, result))
    if any(low <= first < high for first, _, _ in wording.marks("each-word")) or _bare(result):
        return False
    if any(_bare(term) and term.whole for term in passage.terms if term not in parts):
        return False
    if any(not term.span.high or term.per for term in parts):
        return False
    words = wording.words[low:high]
    if _MORE_PARTS & set(wording.words[high : high + 4]):
        return False
    if not {"and", "+"} & set(words) or {"at", "per", "x"} & set(words):
        return False
    value = summed([term.face for term in parts])
    return value is not None and value.high < result.face.low * _FAR_OFF and result.face.high < value.low * _FAR_OFF


def differences(passage: Passage) -> Iterator[Derivation]:
    """As in "256 GB, 64 GB more than the 192 GB of the other", "1.2 kW against 1 kW, a gap of 200 W"."""
    wording, terms = passage.wording, passage.terms
    for index, result in passage.results():
        led = wording.lead("difference-lead", result, 1)
        if result.kind in RELATIVE or not (led or wording.tail("difference-tail", result, 1)):
            continue
        if 0 < index < len(terms) - 1 and "than" in wording.between(result, terms[index + 1])[:4]:
            yield from _difference(passage, terms[index - 1], terms[index + 1], result, plain=True)
        elif index >= 2 and wording.apposed(terms[index - 1], result):
            one, other = terms[index - 2], terms[index - 1]
            yield from _difference(passage, one, other, result, plain=bool(wording.joined(one, other)))


def _difference(passage: Passage, one: Term, other: Term, result: Term, *, plain: bool) -> Iterator[Derivation]:
    one, other = one.lent(other), other.lent(one)
    if one.dimension != other.dimension or _bare(one):
        return
    if result.dimension != one.dimension and (result.kind, one.kind) != ("points", "percent"):
        return
    fits = holds(apart, [one, other], [meant(result)])
    near = len(passage.wording.between(one, result)) <= _MOVE_GAP + _NEAR
    if fits or (plain and near and one.per == other.per == result.per):
        yield derivation(result, [one, other], "difference", fits=fits)


def per_unit(passage: Passage) -> Iterator[Derivation]:
    """As in "$24 an hour for eight, $3 per GPU", "16 chips and 1.5 TB, which works out at 94 GB per chip"."""
    wording = passage.wording
    for _, result in passage.results():
        if not result.absolute or _bare(result) or not (result.per or wording.tail("each-word", result, 1)):
            continue
        wholes = [w for w in _wholes(passage, result) if not wording.tail("each-word", w, 1)]
        counts = [term for term in passage.before(result) if term.whole]
        pair = next(
            ((w, n) for w in wholes for n in counts if holds(quotient, [w, n], [meant(result)])),
            None,
        )
        if pair is not None:
            yield derivation(result, pair, "per unit", fits=True)
        elif len(wholes) == len(counts) == 1 and _worked_out(passage, counts[0], wholes[0], result):
            yield derivation(result, [*wholes, *counts], "per unit", fits=False)


def _wholes(passage: Passage, result: Term) -> Iterator[Term]:
    """The totals before a result that it can be a part of: of the same kind, and not per unit themselves."""
    for term in passage.before(result):
        whole = term if result.dimension.endswith(RATE) else term.untimed()
        if whole.dimension == result.dimension and not _bare(whole) and (not whole.per or whole.per != result.per):
            yield whole


def _worked_out(passage: Passage, count: Term, whole: Term, result: Term) -> bool:
    """Whether the words say that a result is a total shared out over a count."""
    wording = passage.wording
    if not wording.between(count, whole) and count.end <= whole.start:
        return False  # "8x 400 Gbps" is no total
    last = max(count, whole, key=_place)
    bare = wording.between(last, result)[-1:] == [","]
    if bare and not wording.closed(result, "each-word"):
        return False
    return wording.apposed(last, result) or wording.lead("plain-result-word", result, 2)


def products(passage: Passage) -> Iterator[Derivation]:
    """As in "eight of them at 750 W come to 6 kW", "a month of 730 hours at $2.10 an hour comes to $1,533"."""
    wording = passage.wording
    for _, result in passage.results():
        sure = wording.lead("plain-result-word", result, 3)
        cue = sure or wording.lead("sum-lead", result, 2) or wording.tail("sum-tail", result, 3)
        cue = cue or wording.lead("back-reference", result, 1)
        if not result.absolute or not (cue or wording.lead("result-word", result, 2)):
            continue
        before = passage.before(result)
        counts = [term for term in before if term.whole]
        units = [term for term in before if _unit_of(term, result) and term is not result]
        pairs = [(n, unit) for n in counts for unit in units if n is not unit]
        found = next((p for p in pairs if _product_holds(p, result)), None) or _rated(passage, result)
        if found is not None:
            yield derivation(result, found, "product", fits=True)
        elif cue and len(pairs) == 1 and _each(passage, *pairs[0]) and _drawn_from(passage, pairs[0], result):
            yield derivation(result, pairs[0], "product", fits=False)
        elif not counts:
            yield from _failing_rate(passage, result, sure=sure)


def _drawn_from(passage: Passage, pair: tuple[Term, Term], result: Term) -> bool:
    """Whether the words lead from a count and an amount to a result, with no other thing named in between."""
    last = max(pair, key=_place)
    return passage.wording.apposed(last, result) or passage.wording.lead("result-word", result, 3)


def _unit_of(term: Term, result: Term) -> bool:
    return term.dimension == result.dimension or (_bare(term) and _bare(result) and term.kind == COUNT)


def _product_holds(pair: Sequence[Term], result: Term) -> bool:
    return holds(multiplied, pair, [meant(result)])


def _each(passage: Passage, count: Term, unit: Term) -> bool:
    """Whether a count and an amount are told as so many of so much: "eight at 750 W", "16 chips with 96 GB each"."""
    wording = passage.wording
    words = wording.between(*sorted((count, unit), key=_place))
    if unit.per or wording.tail("each-word", unit, 3) or wording.lead("each-word", count, 2):
        return len(words) <= _MOVE_GAP
    return bool({"at", "x", "times", "@"} & set(words[-2:])) and len(words) <= _NEAR


def _rated(passage: Passage, result: Term) -> tuple[Term, Term] | None:
    """A rate and a time that give a result, and a price per hour and a rate of tokens that give a price per token."""
    pairs = list(_rate_pairs(passage, result))
    return next((pair for pair in pairs if _rate_holds(pair, result)), None)


def _failing_rate(passage: Passage, result: Term, *, sure: bool) -> Iterator[Derivation]:
    pairs = list(_rate_pairs(passage, result))
    per_token = bool(pairs and result.per and passage.wording.apposed(passage.before(result)[-1], result))
    if pairs and (per_token or (sure and len(pairs) == 1)):
        yield derivation(result, pairs[0], "product", fits=False)


def _rate_pairs(passage: Passage, result: Term) -> Iterator[tuple[Term, Term]]:
    before = passage.before(result)
    times = [term for term in before if term.dimension == "time"]
    for rate in before:
        if result.kind == "price" and rate.dimension == result.dimension + RATE:
            if not result.per:
                yield from ((rate, time) for time in times)
            elif _PER_TIME & set(result.per):
                yield from ((rate, tokens) for tokens in before if tokens.dimension == "token-rate")


def _rate_holds(pair: tuple[Term, Term], result: Term) -> bool:
    if not result.per:
        return holds(multiplied, pair, [meant(result)])
    tokens = {"million tokens": 10**6, "thousand tokens": 10**3}.get(result.per[0], 1)
    return holds(lambda v: _times(quotient(v), tokens), pair, [meant(result)])


def _times(value: Interval | None, factor: int) -> Interval | None:
    return None if value is None else product(value, Interval(Decimal(factor), Decimal(factor)))


def rates(passage: Passage) -> Iterator[Derivation]:
    """As in "1.2 million tokens in 10 minutes, or 2,000 tokens/s": an amount over the time that it takes."""
    for index, result in passage.results():
        what = of_rate(result.dimension)
        if what is None or index < 2:
            continue
        amount, time = passage.terms[index - 2], passage.terms[index - 1]
        if time.dimension != "time":
            amount, time = time, amount
        fitting = amount.dimension == what or (_bare(amount) and what not in _MEASURED)
        if time.dimension == "time" and fitting and passage.wording.apposed(passage.terms[index - 1], result):
            fits = holds(quotient, [amount, time], [meant(result)])
            if fits or len(passage.wording.between(*sorted((amount, time), key=_place))) <= _NEAR:
                yield derivation(result, [amount, time], "rate", fits=fits)


def _place(term: Term) -> int:
    return term.start


def means(passage: Passage) -> Iterator[Derivation]:
    """As in "12, 15 and 18 minutes, 15 minutes on average"."""
    wording = passage.wording
    for _, result in passage.results():
        if not (wording.lead("mean-lead", result, 1) or wording.tail("mean-tail", result, 1)):
            continue
        parts = [term for term in passage.before(result) if term.like(result)]
        if len(parts) < 2 or result.kind == "ratio":
            continue
        fits = holds(mean, parts, [meant(result)])
        listed = all(set(wording.between(a, b)) <= {",", "and", ";"} for a, b in pairwise(parts))
        if fits or (listed and len(wording.between(parts[-1], result)) <= _NEAR):
            yield derivation(result, parts, "mean", fits=fits)


def conversions(passage: Passage) -> Iterator[Derivation]:
    """As in "90 minutes, or 5,400 seconds", "1,900 tokens/s is 6.84 million tokens an hour"."""
    wording = passage.wording
    for one, other in pairwise(passage.terms):
        if other.start < passage.start or one.figure is None or other.figure is None or not one.absolute:
            continue
        if not one.like(other) or _same_unit(one, other) or not (0 < len(wording.between(one, other)) <= _NEAR):
            continue
        fits = equals(one, other)
        sure = wording.lead("plain-result-word", other, 1) or wording.between(one, other)[:2] in (
            [",", "or"],
            [",", "which"],
            [",", "that"],
            ["(", "or"],
        )
        if (fits and (sure or wording.apposed(one, other))) or (
            sure and wording.closed(other) and _ends_clean(passage, one, other)
        ):
            yield derivation(other, [one], "conversion", fits=fits)


def _same_unit(one: Term, other: Term) -> bool:
    if one.figure is None or other.figure is None:
        return True
    return one.figure.unit == other.figure.unit and one.seconds == other.seconds


def _ends_clean(passage: Passage, one: Term, other: Term) -> bool:
    """Whether two amounts are single values and no count between or before makes them amounts of different things."""
    ranges = one.face.low != one.face.high or other.face.low != other.face.high
    return not ranges and not any(term.whole and _bare(term) for term in passage.before(one))
