"""Sums of so many of this and so many of that, told in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from caveat.arithmetic.passages import Passage
from caveat.arithmetic.terms import Derivation, Term, holds, meant, multiplied, summed
from caveat.figures.quantity import Interval

# How many words may stand between a count and the amount of each, and what leads to that amount.
_NEAR = 5
_EACH_AT = frozenset(("at", "of", "with", "x", "×", "@", "drawing", "holding", "carrying", "using"))
# How far from a total the word may stand that makes it one, in words.
_CUE_REACH = 3
_PAIR = 2
# A sum that is off by more than this is no slip of the pen but a sum of something else.
_FAR_OFF = 2


def weighted_sums(passage: Passage) -> Iterator[Derivation]:
    """As in "eight GPUs at 700 W and two CPUs at 350 W make 6,300 W"."""
    for _, result in passage.results():
        before = passage.before(result)
        if not result.absolute or result.bare or len(before) < _PAIR * _PAIR:
            continue
        operands = [term for pair in _pairs(passage, before, result) for term in pair]
        if len(operands) < _PAIR * _PAIR or not _is_called_total(passage, result):
            continue
        if holds(_weighted, operands, [meant(result)]):
            yield Derivation(result, operands, "total", fits=True)
        elif len(operands) == len(before) and _is_near(operands, result):
            yield Derivation(result, operands, "total", fits=False)


def _pairs(passage: Passage, before: list[Term], result: Term) -> Iterator[tuple[Term, Term]]:
    """Each count with the amount that it is a count of."""
    for count, amount in pairwise(before):
        words = passage.wording.between(count, amount)
        if count.whole and amount.like(result) and words and len(words) <= _NEAR and words[-1] in _EACH_AT:
            yield count, amount


def _weighted(values: Sequence[Interval]) -> Interval | None:
    """The sum of the products of each two values."""
    parts = [multiplied(values[at : at + _PAIR]) for at in range(0, len(values), _PAIR)]
    known = [part for part in parts if part is not None]
    return summed(known) if len(known) == len(parts) else None


def _is_called_total(passage: Passage, result: Term) -> bool:
    """Whether words make a number the sum of what stands before it: "that is", "together", "make", "in all"."""
    wording = passage.wording
    leads = ("sum-lead", "back-reference", "result-word", "plain-result-word", "totalling-verb")
    return any(wording.lead(kind, result, _CUE_REACH) for kind in leads) or wording.tail("sum-tail", result, _CUE_REACH)


def _is_near(operands: Sequence[Term], result: Term) -> bool:
    value = _weighted([term.face for term in operands])
    return value is not None and value.high < result.face.low * _FAR_OFF and result.face.high < value.low * _FAR_OFF
