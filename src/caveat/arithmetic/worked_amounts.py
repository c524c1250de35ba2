"""Amounts worked out within a sentence: a percentage of an amount, an amount at a rate, so many units at a price.

Each kind yields a computation that fails only if the words plainly say that the result comes from the operands.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from caveat.arithmetic.expressions import of_rate
from caveat.arithmetic.passages import Passage
from caveat.arithmetic.terms import Derivation, Term, holds, is_change, meant, multiplied, quotient
from caveat.figures.figure import RELATIVE
from caveat.figures.quantity import ONE, Interval, difference, product, total

# How many words may stand between a percentage and its amount, and from an operand to the result.
_PART_GAP, _RESULT_GAP = 4, 9
_ALL = Interval(ONE, ONE)
_JOULES = {"watt-hour": 3_600, "kilowatt-hour": 3_600_000, "megawatt-hour": 3_600_000_000}
_CONCLUDING = frozenset(("so", "thus", "hence", "therefore"))
_BREAKS = frozenset((";", ".", "but", "while", "whereas", "(", ")"))


def worked_amounts(passage: Passage) -> Iterator[Derivation]:
    """The amounts that a sentence works out from a percentage, a rate or a price per unit."""
    yield from _portions(passage)
    yield from _durations(passage)
    yield from _priced(passage)
    yield from _concluded(passage)


def leads_to(passage: Passage, last: Term, result: Term) -> bool:
    """Whether a value is told as what follows from the one before: "or B", ", i.e. B", ", so the array stores B"."""
    words = passage.wording.between(last, result)
    if passage.wording.apposed(last, result):
        return True
    at = next((place for place, word in enumerate(words) if word in _CONCLUDING), -1)
    return at > 0 and words[at - 1] == "," and len(words) <= _RESULT_GAP and not _BREAKS & set(words)


def _portions(passage: Passage) -> Iterator[Derivation]:
    """As in "15% of the 8 kW budget, or 1.2 kW", "12% off the $31,000 list price, so we pay $27,280"."""
    wording = passage.wording
    for (part, whole), result in zip(pairwise(passage.terms), passage.terms[2:], strict=False):
        words = wording.between(part, whole)
        sign = words[0] if words and len(words) <= _PART_GAP else ""
        if part.kind != "percent" or sign not in ("of", "off") or not whole.like(result) or not whole.absolute:
            continue
        if result.start < passage.start or not leads_to(passage, whole, result) or whole.bare:
            continue
        pair, wanted = [part, whole], [meant(result)]
        of = holds(multiplied, pair, wanted) and sign == "of"
        less = holds(lambda v: product(difference(_ALL, v[0]), v[1]), pair, wanted)
        more = holds(lambda v: product(total([_ALL, v[0]]), v[1]), pair, wanted)
        if of or less or more or wording.closed(result) or wording.closed(whole):
            yield Derivation(result, pair, "part", fits=of or less or more)


def _durations(passage: Passage) -> Iterator[Derivation]:
    """As in "a checkpoint of 810 GB over a 25 GB/s link takes 32 seconds"."""
    wording = passage.wording
    for _, result in passage.results():
        if result.dimension != "time" or not wording.lead("taking", result, 1):
            continue
        before = [term for term in passage.before(result) if not term.bare]
        rates = [term for term in before if of_rate(term.dimension)]
        amounts = [t for t in before if rates and t.dimension == of_rate(rates[0].dimension)]
        if not amounts and len(before) == 1:
            amounts = [t for t in passage.before(result) if t.whole and "token" in passage.prose[t.start : t.end]]
            before += amounts
        if len(before) != 2 or len(rates) != 1 or len(amounts) != 1 or rates[0].kind == "price":
            continue
        pair = [amounts[0], rates[0]]
        fits = holds(quotient, pair, [meant(result)])
        if fits or (wording.closed(result) and not any(t.whole for t in passage.before(result))):
            yield Derivation(result, pair, "rate", fits=fits)


def _priced(passage: Passage) -> Iterator[Derivation]:
    """As in "1,200 kWh at $0.12 per kWh, which cost us $144"."""
    wording = passage.wording
    for _, result in passage.results():
        if result.kind != "price" or result.per or result.seconds != ONE:
            continue
        before = passage.before(result)
        prices = [t for t in before if t.kind == "price" and t.dimension == result.dimension and t.figure is not None]
        pairs = [(a, p) for p in prices for a in before if a.figure is not None and a.dimension == "energy" and p.per]
        found = next((pair for pair in pairs if _costs(*pair, result)), None)
        told = wording.lead("cost-word", result, 0) and wording.closed(result)
        plain = told and len(pairs) == 1 and _is_per(*pairs[0]) and len(before) == len(pairs[0])
        if found is not None or (plain and {"which", "cost", "costs"} & set(wording.between(before[-1], result)[:3])):
            yield Derivation(result, found or pairs[0], "product", fits=found is not None)


def _is_per(amount: Term, price: Term) -> bool:
    """Whether a price is told per the unit that an amount is measured in, or one of its kind."""
    return amount.dimension == "energy" and any(name in _JOULES for name in price.per)


def _costs(amount: Term, price: Term, result: Term) -> bool:
    """Whether so many kilowatt-hours at a price per kilowatt-hour come to a result."""
    unit = next((_JOULES[name] for name in price.per if name in _JOULES), 0)
    if not unit:
        return False
    wanted = product(meant(result), Interval(ONE * unit, ONE * unit))
    return holds(multiplied, [amount, price], [wanted])


def _concluded(passage: Passage) -> Iterator[Derivation]:
    """As in "one costs $3.59 and the other $2.69, so the newer card is 33% dearer"; only prices fail."""
    wording = passage.wording
    for _, result in passage.results():
        if result.kind not in RELATIVE:
            continue
        amounts = [term for term in passage.before(result) if term.absolute and not term.bare]
        if len(amounts) != 2 or not leads_to(passage, amounts[1], result):
            continue
        one, other = amounts if amounts[0].like(amounts[1]) else (amounts[0].unpriced(), amounts[1].unpriced())
        if not one.like(other):
            continue
        moved = wording.lead("movement-lead", result, 1)
        fits = is_change(one, other, result, rate=wording.tail("rate-word", result, 3), moved=moved)
        dearer = one.kind == "price" and wording.tail("price-word", result, 0) and not wording.compared_on(result)
        if fits or dearer:
            yield Derivation(result, [one, other], "ratio", fits=fits)
