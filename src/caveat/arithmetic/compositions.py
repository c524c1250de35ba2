"""Computations told in words about counts and amounts: totals, products, amounts per unit, rates.

Each kind yields a computation that fails only if the words plainly say that the result comes from the operands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from caveat.arithmetic.expressions import of_rate
from caveat.arithmetic.passages import Passage
from caveat.arithmetic.terms import (
    COUNT,
    RATE,
    Derivation,
    Term,
    by_place,
    holds,
    meant,
    multiplied,
    quotient,
    summed,
)
from caveat.arithmetic.worked_amounts import leads_to
from caveat.figures.quantity import Interval, product

_MOVE_GAP, _NEAR, _AFTER = 12, 6, 3
# Behind a total, these words add parts that have no number.
_MORE_PARTS = frozenset(("with", "including", "plus", "counting", "once"))
# A sum that is off by more than this is no slip of the pen but a sum of something else.
_FAR_OFF = 2
_MAKING = frozenset(("make", "makes", "give", "gives", "is", "are"))
# What is measured in units and never counted in bare numbers.
_MEASURED = frozenset(("bytes", "energy", "USD"))
_PER_TOKEN = frozenset(("million tokens", "thousand tokens", "token"))


def totals(passage: Passage) -> Iterator[Derivation]:
    """As in "A, B and C add up to D", "D in all: A, B and C"."""
    yield from _counted(passage)
    for _, result in passage.results():
        if not (result.absolute or result.kind == "percent") or not _called_total(passage, result):
            continue
        parts = [term for term in passage.before(result) if term.like(result)]
        if len(parts) < 2:
            parts = _listed_behind(passage, result)
        if len(parts) < 2:
            continue
        runs = [parts[at:] for at in range(len(parts) - 1)] + [parts[:at] for at in range(2, len(parts))]
        run = next((run for run in runs if holds(summed, run, [meant(result)])), None)
        if run is not None:
            yield Derivation(result, run, "total", fits=True)
        elif _only_addends(passage, parts, result):
            yield Derivation(result, parts, "total", fits=False)


def _counted(passage: Passage) -> Iterator[Derivation]:
    """As in "bought 485,000, 230,000 and 224,000 of them, 939,000 in all": numbers in a row, and what they come to."""
    wording = passage.wording
    for _, result in passage.results():
        before = passage.before(result)
        if not result.bare or len(before) < 2 or not wording.tail("sum-tail", result, 1):
            continue
        parts = [before[-1]]
        for term in reversed(before[:-1]):
            if not set(wording.between(term, parts[0])) <= {",", "and"} or not _digits(passage, term):
                break
            parts.insert(0, term)
        value = summed([term.face for term in parts])
        if len(parts) < 2 or value is None or not all(term.bare for term in parts):
            continue
        fits = holds(summed, parts, [meant(result)])
        near = value.high < result.face.low * _FAR_OFF and result.face.high < value.low * _FAR_OFF
        if fits or (near and wording.apposed(parts[-1], result)):
            yield Derivation(result, parts, "total", fits=fits)


def _digits(passage: Passage, term: Term) -> bool:
    """Whether a number is printed as such, without what it counts."""
    return not any(letter.isalpha() for letter in passage.prose[term.start : term.end])


def _called_total(passage: Passage, result: Term) -> bool:
    """Whether words make a number a total: "for a total of", "in all", "together ... make"."""
    wording = passage.wording
    if wording.lead("sum-lead", result, 2) or wording.tail("sum-tail", result, 3):
        return True
    if wording.tail("shared-tail", result, 0):
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
    if any(low <= first < high for first, _, _ in wording.marks("each-word")) or result.bare:
        return False
    if any(term.bare and term.whole for term in passage.terms if term not in parts):
        return False
    if any(not term.span.high or term.per for term in parts):
        return False
    words = wording.words[low:high]
    if _MORE_PARTS & set(wording.words[high : high + 4]):
        return False
    if not {"and", "+", "together"} & set(words) or {"at", "per", "x"} & set(words):
        return False
    value = summed([term.face for term in parts])
    if result.kind == "percent" and (len(parts) != 2 or value is None or value.high > 1):
        return False
    return value is not None and value.high < result.face.low * _FAR_OFF and result.face.high < value.low * _FAR_OFF


def per_unit(passage: Passage) -> Iterator[Derivation]:
    """As in "$24 an hour for eight, $3 per GPU", "16 chips and 1.5 TB, which works out at 94 GB per chip"."""
    wording = passage.wording
    for _, result in passage.results():
        if not result.absolute or result.bare or not (result.per or wording.tail("each-word", result, 1)):
            continue
        wholes = [w for w in _wholes(passage, result) if not wording.tail("each-word", w, 1)]
        counts = [term for term in passage.before(result) if term.whole]
        pair = next(
            ((w, n) for w in wholes for n in counts if holds(quotient, [w, n], [meant(result)])),
            None,
        )
        if pair is not None:
            yield Derivation(result, pair, "per unit", fits=True)
        elif len(wholes) == len(counts) == 1 and _worked_out(passage, counts[0], wholes[0], result):
            yield Derivation(result, [*wholes, *counts], "per unit", fits=False)


def _wholes(passage: Passage, result: Term) -> Iterator[Term]:
    """The totals before a result that it can be a part of: of the same kind, and not per unit themselves."""
    for term in passage.before(result):
        whole = term if result.dimension.endswith(RATE) else term.untimed()
        if whole.dimension == result.dimension and not whole.bare and (not whole.per or whole.per != result.per):
            yield whole


def _worked_out(passage: Passage, count: Term, whole: Term, result: Term) -> bool:
    """Whether the words say that a result is a total shared out over a count."""
    wording = passage.wording
    if not wording.between(count, whole) and count.end <= whole.start:
        return False  # "8x 400 Gbps" is no total
    last = max(count, whole, key=by_place)
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
        cue = cue or wording.tail("shared-tail", result, 0)
        cue = cue or wording.lead("back-reference", result, 1) or wording.words[wording.at(result) - 1] in _MAKING
        cue = cue or _told_each(passage, result)
        costs = _costs(passage, result)
        if not result.absolute or not (cue or costs or wording.lead("result-word", result, 2)):
            continue
        before = passage.before(result)
        counts = [term for term in before if term.whole]
        units = [term for term in before if _unit_of(term, result) and term is not result]
        pairs = [(n, unit) for n in counts for unit in units if n is not unit]
        found = next((p for p in pairs if _product_holds(p, result)), None) or _rated(passage, result)
        if found is not None:
            yield Derivation(result, found, "product", fits=True)
        elif cue and len(pairs) == 1 and _each(passage, *pairs[0]) and _drawn_from(passage, pairs[0], result):
            if any(term.kind == "percent" for term in before):
                continue  # a part is put on it or taken off
            yield Derivation(result, pairs[0], "product", fits=False)
        elif not counts:
            yield from _failing_rate(passage, result, sure=costs or (sure and result.kind == "price"))


def _told_each(passage: Passage, result: Term) -> bool:
    """As in "five nodes hold 640 GB each: 3.2 TB", "3 replicas at 850 tokens/s each, so we serve 2,550 tokens/s"."""
    before = passage.before(result)
    if len(before) != len(("count", "unit")):
        return False
    if not passage.wording.tail("each-word", before[-1], 0):
        return _draws(passage, before, result)
    words = passage.wording.between(before[-1], result)
    verb = passage.wording.lead("totalling-verb", result, 0)
    ours = words[-3:-1] == [",", "we"] and len(words) <= _NEAR
    told = passage.wording.apposed(before[-1], result) or (verb and (ours or leads_to(passage, before[-1], result)))
    return told and not result.per


def _draws(passage: Passage, before: list[Term], result: Term) -> bool:
    """As in "at 0.7 kW each, 16 cards draw 11.2 kW", where nothing says that it is what they were seen to draw."""
    wording = passage.wording
    told = wording.tail("each-word", before[0], 0) and wording.lead("totalling-verb", result, 0)
    short = len(wording.between(before[1], result)) <= _AFTER
    return told and short and wording.closed(result) and not passage.sentence.has("own")


def _costs(passage: Passage, result: Term) -> bool:
    """Whether "costs" and nothing else leads from the number before to a result: "(8,760 hours) costs $17,432"."""
    wording = passage.wording
    before = passage.before(result)[-1:]
    at = wording.behind(before[0]) if before else -1
    while before and wording.words[at] in (")", ",", '"'):
        at += 1
    return any(first == at and stop == wording.at(result) for first, stop, _ in wording.marks("cost-word"))


def _drawn_from(passage: Passage, pair: tuple[Term, Term], result: Term) -> bool:
    """Whether the words lead from a count and an amount to a result, with no other thing named in between."""
    last = max(pair, key=by_place)
    shared = passage.wording.tail("shared-tail", result, 0) or _told_each(passage, result)
    shared = shared or (
        passage.wording.tail("sum-tail", result, 0) and len(passage.wording.between(last, result)) <= _AFTER
    )
    return shared or passage.wording.apposed(last, result) or passage.wording.lead("result-word", result, 3)


def _unit_of(term: Term, result: Term) -> bool:
    return term.dimension == result.dimension or (term.bare and result.bare and term.kind == COUNT)


def _product_holds(pair: Sequence[Term], result: Term) -> bool:
    return holds(multiplied, pair, [meant(result)])


def _each(passage: Passage, count: Term, unit: Term) -> bool:
    """Whether a count and an amount are told as so many of so much: "eight at 750 W", "16 chips with 96 GB each"."""
    wording = passage.wording
    words = wording.between(*sorted((count, unit), key=by_place))
    if unit.per or wording.tail("each-word", unit, 3) or wording.lead("each-word", count, 2):
        return len(words) <= _MOVE_GAP
    return bool({"at", "x", "times", "@"} & set(words[-2:])) and len(words) <= _NEAR


def _rated(passage: Passage, result: Term) -> tuple[Term, Term] | None:
    """A rate and a time that give a result, and a price per hour and a rate of tokens that give a price per token."""
    pairs = list(_rate_pairs(passage, result))
    return next((pair for pair in pairs if _rate_holds(pair, result)), None)


def _failing_rate(passage: Passage, result: Term, *, sure: bool) -> Iterator[Derivation]:
    pairs = list(_rate_pairs(passage, result))
    follows = bool(pairs) and passage.wording.apposed(passage.before(result)[-1], result)
    if pairs and ((result.per and follows) or ((sure or follows) and len(pairs) == 1)):
        yield Derivation(result, pairs[0], "product", fits=False)


def _rate_pairs(passage: Passage, result: Term) -> Iterator[tuple[Term, Term]]:
    before = passage.before(result)
    times = [term for term in before if term.dimension == "time"]
    for rate in before:
        if result.dimension in _MEASURED and result.kind != "price" and of_rate(rate.dimension) == result.dimension:
            yield from ((rate, time) for time in times)
        if result.kind == "price" and rate.dimension == result.dimension + RATE:
            if not result.per:
                yield from ((rate, time) for time in times)
            elif _PER_TOKEN & set(result.per):
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
        fitting = amount.dimension == what or (amount.bare and what not in _MEASURED)
        if time.dimension == "time" and fitting and passage.wording.apposed(passage.terms[index - 1], result):
            fits = holds(quotient, [amount, time], [meant(result)])
            words = passage.wording.between(*sorted((amount, time), key=by_place))
            if fits or (len(words) <= _NEAR and {"in", "over", "within", "every"} & set(words) and ";" not in words):
                yield Derivation(result, [amount, time], "rate", fits=fits)
