"""Quotients told in words: "3.59 over 2.69", "1,979 TFLOPS over 3.35 TB/s gives 591", "141 GB for $3.50 is 2.5 cents".

A quotient fails to give a result only where "over" divides and the result stands right before or behind it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from caveat.arithmetic.passages import Passage
from caveat.arithmetic.terms import Derivation, Term, holds, is_change, meant, quotient
from caveat.figures.figure import RELATIVE

# How many words may stand between dividend and divisor, and between the divisor and the result.
_GAP, _RESULT_GAP = 3, 4
_BREAKS = frozenset((",", ";", ":", "(", ")", ".", "and", "or", "is", "are", "was", "up", "year", "years"))


def quotients(passage: Passage) -> Iterator[Derivation]:
    """The quotients that "over" or "divided by" makes of two numbers, with the result before or behind them."""
    terms = passage.terms
    for index, (one, other) in enumerate(pairwise(terms)):
        sign = _sign(passage, one, other)
        if not sign:
            continue
        behind = terms[index + 2] if index + 2 < len(terms) else None
        before = terms[index - 1] if index else None
        if behind is not None and behind.start >= passage.start and _led_up_to(passage, other, behind):
            yield from _computed(one, other, behind, plain=sign == "over" and _plain(passage, one, other))
        if before is not None and before.start >= passage.start and _in_bracket(passage, before, one, other):
            yield from _computed(one, other, before, plain=sign == "over" and _plain(passage, one, other))
        if sign == "over":
            for term in (t for t in terms if t.start >= passage.start and t.kind in RELATIVE):
                yield from _computed(one, other, term, plain=False)


def _sign(passage: Passage, one: Term, other: Term) -> str:
    """The word that divides one term by another, "" if there is none."""
    words = passage.wording.between(one, other)
    if not words or len(words) > _GAP or _BREAKS & set(words):
        return ""
    at = passage.wording.at(one)
    if words == ["by"] and passage.wording.words[max(at - 1, 0)] in ("divide", "dividing"):
        return "by"
    return "over" if "over" in words else "for" if words == ["for"] else ""


def _plain(passage: Passage, one: Term, other: Term) -> bool:
    """Whether two terms are measured, or numbers alone: "six jobs over four nodes" are no quotient."""
    if not (one.bare or other.bare):
        return True
    printed = passage.prose[one.start : other.end].replace("over", "")
    return not any(letter.isalpha() for letter in printed)


def _led_up_to(passage: Passage, other: Term, result: Term) -> bool:
    """Whether a word for a result leads from the divisor to a number."""
    words = passage.wording.between(other, result)
    if len(words) > _RESULT_GAP or {",", ";", "(", ")", "."} & set(words):
        return False
    return bool({"being", "get"} & set(words)) or passage.wording.lead("result-word", result, 2)


def _in_bracket(passage: Passage, result: Term, one: Term, other: Term) -> bool:
    """As in "36% here (192 over 141)": the quotient alone in a bracket right behind the result."""
    wording = passage.wording
    words = wording.between(result, one)
    closed = wording.words[wording.behind(other) : wording.behind(other) + 1] == [")"]
    return closed and words[-1:] == ["("] and "." not in words


def _computed(one: Term, other: Term, result: Term, *, plain: bool) -> Iterator[Derivation]:
    """Whether the quotient gives the result: as values or as the numbers stand printed."""
    if other.face.low <= 0:
        return
    alike = one.like(other) or (one.bare and other.bare)
    if result.kind in RELATIVE:
        fits = alike and is_change(other, one, result)
    elif result.kind == "price":
        if "price" not in (one.kind, other.kind):
            return
        pairs = [(a, b.printed()) for a, b in ((one, other), (other, one)) if a.kind == "price" != b.kind]
        fits = any(holds(quotient, pair, [meant(result)]) for pair in pairs)
        plain = False
    elif result.bare:
        printed = [one.printed(), other.printed()]
        fits = holds(quotient, [one, other], [result.span]) or holds(quotient, printed, [result.printed().span])
        plain = plain and (alike or not (one.bare or other.bare or "time" in (one.dimension, other.dimension)))
    else:
        return
    if fits or (plain and (alike or result.bare)):
        yield Derivation(result, [one, other], "quotient", fits=fits)
