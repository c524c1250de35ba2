"""Computations written with signs: "8 × 141 GB = 1,128 GB", "3.5 TB (2 + 1.5)"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

from caveat.arithmetic.passages import Passage
from caveat.arithmetic.terms import BARE, COUNT, RATE, Derivation, Term, holds, is_change, meant
from caveat.figures.figure import RELATIVE
from caveat.figures.quantity import ZERO, Interval, difference, product, ratio, total

_OPERATORS = {
    "x": "*", "*": "*", "·": "*", "⋅": "*", "times": "*", "multiplied": "*", "+": "+", "plus": "+",
    "−": "-", "minus": "-", "÷": "/", "/": "/", "divided": "/",
}  # fmt: skip
_DASHES = frozenset(("-", "–", "−"))
_SIGNS = frozenset("×*·⋅+÷/^=")
_GAP = 4
# What one unit of a dimension may be of another: giga of tera, and the same in powers of two.
_PREFIXES = tuple(Decimal(base) ** power for base in (1000, 1024) for power in (-3, -2, -1, 1, 2, 3))
# How many words may stand between an expression and its result.
_RESULT_REACH = 6
_OF_RATES = {"data-rate": "bytes", "power": "energy"}


def expressions(passage: Passage) -> Iterator[Derivation]:
    """The chains of numbers and operators of a passage that have a result beside them."""
    at = 0
    while at < len(passage.terms) - 1:
        chain, signs = _chain(passage, at)
        if signs and _complete(passage, chain):
            yield from _factors(passage, chain)
            found = _result(passage, chain, at + len(chain), signs)
            if found is not None:
                yield found
        at += max(len(signs), 1)


def _factors(passage: Passage, chain: list[Term]) -> Iterator[Derivation]:
    """The multipliers that stand in an expression as mere factors: the "sixteen times" of "sixteen times 80 GB"."""
    for one, other in pairwise(chain):
        direct = not passage.wording.between(one, other) and other.absolute and one.start >= passage.start
        if one.kind == "ratio" and one.statement is not None and direct:
            yield Derivation(one, (), "factor", fits=True)


def _chain(passage: Passage, at: int) -> tuple[list[Term], list[str]]:
    """The terms from `at` on that operators join, and the operators."""
    terms, signs = [passage.terms[at]], []
    for term in passage.terms[at + 1 :]:
        sign = _sign(passage, terms[-1], term)
        if not sign:
            break
        if sign == "+":
            terms[-1] = terms[-1].plain()
        terms.append(term)
        signs.append(sign)
    return terms, signs


def _sign(passage: Passage, one: Term, other: Term) -> str:
    """The operator between two terms, "" if there is none."""
    gap = passage.prose[one.end : other.start].strip()
    if gap in _DASHES:
        return "-"
    words = passage.wording.between(one, other)
    last = passage.prose[one.start : one.end].rstrip().lower()
    if not words and last.endswith(("x", "×", "times")):
        return "*"
    found = [_OPERATORS[word] for word in words if word in _OPERATORS]
    rest = [word for word in words if word not in _OPERATORS and word != "by"]
    if len(found) != 1 or len(words) > _GAP or not all(word.isalpha() for word in rest) or {"and", "or"} & set(rest):
        return ""
    if rest and found[0] in "/-":
        return ""
    return found[0]


def _complete(passage: Passage, chain: list[Term]) -> bool:
    """Whether a chain is no part of a longer expression with brackets or signs of another kind."""
    before = passage.prose[max(0, chain[0].start - 12) : chain[0].start].rstrip(" *~≈")
    behind = passage.prose[chain[-1].end : chain[-1].end + 12].lstrip(" ")
    return not (before.endswith(")") or before[-1:] in _SIGNS - {"="}) and behind[:1] not in _SIGNS - {"="}


def _result(passage: Passage, chain: list[Term], following: int, signs: list[str]) -> Derivation | None:
    """The computation with the number that the words make its result."""
    terms = passage.terms
    sure_signs = not {"-", "/"} & set(signs)
    closing = passage.wording.behind(chain[-1])
    in_brackets = passage.wording.words[closing : closing + 1] == [")"]
    if all(term.bare for term in chain):  # "3 sizes (2 × 4 and 4 × 4)" are no product
        sure_signs = sure_signs and in_brackets
    behind = terms[following] if following < len(terms) else None
    at = next(i for i, term in enumerate(terms) if term.start == chain[0].start)
    before = terms[at - 1] if at else None
    restates = before is not None and before.start >= passage.start and _restated(passage, before, chain[0])
    if behind is not None and not (restates and in_brackets) and _gives(passage, chain[-1], behind):
        return _computed(chain, signs, behind, sure=True)
    return _computed(chain, signs, before, sure=sure_signs) if before is not None and restates else None


def _gives(passage: Passage, last: Term, result: Term) -> bool:
    """Whether a word or sign for a result stands between an expression and a number."""
    wording = passage.wording
    start, stop = wording.behind(last), wording.at(result)
    if stop - start > _RESULT_REACH or ";" in wording.words[start:stop]:
        return False
    return any(start <= first and end <= stop for first, end, _ in wording.marks("result-word"))


def _restated(passage: Passage, result: Term, first: Term) -> bool:
    """Whether an expression explains the number before it: "1,128 GB (8 × 141 GB)", "1,128 GB = 8 × 141 GB"."""
    words = passage.wording.between(result, first)
    if not words or len(words) > _RESULT_REACH + 2 or ")" in words:
        return False
    aside = words[-1] == "," and words[0] == "of"  # "140 GB of weights, 70 × 2"
    return words[-1] in ("(", "=", "≈", "or") or "(" in words[-3:] or aside


def _computed(chain: list[Term], signs: list[str], result: Term, *, sure: bool) -> Derivation | None:
    """Whether an expression gives its result; None where the units do not tell."""
    dimension = _dimension(chain, signs)
    measured = next((term for term in chain if term.dimension not in (BARE, COUNT)), None)
    if measured is not None and dimension == measured.dimension:
        result, chain = result.lent(measured), _with_units(chain, signs, measured)
    if any(term.face == result.face for term in chain) and result.start < chain[0].start:
        return None
    if dimension == "ratio" and result.kind in RELATIVE and len(chain) == 2:
        return Derivation(result, chain, "expression", fits=is_change(chain[1], chain[0], result))
    if dimension is None or (dimension == BARE and result.dimension not in (BARE, COUNT) and result.absolute):
        return _by_numbers(chain, signs, result, sure=sure and dimension == BARE)
    if dimension == result.dimension + RATE:
        chain = [term.untimed() for term in chain]
    elif _plain(result.dimension) != _plain(dimension):
        return None
    fits = holds(lambda values: _value(values, signs), chain, [meant(result)])
    return Derivation(result, chain, "expression", fits=fits) if fits or sure else None


def _by_numbers(chain: list[Term], signs: list[str], result: Term, *, sure: bool) -> Derivation | None:
    """A computation whose units do not tell, if its numbers as printed hold: "40 hours × $2.50 = $100".

    Numbers without any unit fail to give an amount only if they do so in each of its units: "1.5 TB (8 × 192)".
    """
    printed = [*(term.printed() for term in chain), result.printed()]
    wanted = [printed[-1].face, meant(printed[-1])]
    if all(term.bare for term in chain):
        wanted += [product(wanted[1], Interval(each, each)) for each in _PREFIXES]
    fits = holds(lambda values: _value(values, signs), printed[:-1], wanted)
    return Derivation(result, chain, "expression", fits=fits) if fits or sure else None


def _plain(dimension: str) -> str:
    return BARE if dimension in (COUNT, "ratio", "number") else dimension


def _with_units(chain: list[Term], signs: list[str], measured: Term) -> list[Term]:
    """In a sum, bare numbers in the unit that one of them names: "2,400 + 400 W"."""
    return [term.lent(measured) for term in chain] if not {"*", "/"} & set(signs) else chain


def _value(values: Sequence[Interval], signs: list[str]) -> Interval | None:
    """The value of an expression, products and quotients first."""
    sums, current, minus = Interval(ZERO, ZERO), values[0], False
    for sign, value in zip(signs, values[1:], strict=True):
        if sign == "*":
            current = product(current, value)
        elif sign == "/":
            divided = ratio(current, value)
            if divided is None:
                return None
            current = divided
        else:
            sums = difference(sums, current) if minus else total([sums, current])
            current, minus = value, sign == "-"
    return difference(sums, current) if minus else total([sums, current])


def _dimension(chain: list[Term], signs: list[str]) -> str | None:
    """The dimension of an expression's value: "" for a bare number, None where it cannot be told."""
    groups: list[str | None] = [_of(chain[0])]
    for sign, term in zip(signs, chain[1:], strict=True):
        if sign in "*/":
            groups[-1] = _joined(groups[-1], _of(term), sign)
        else:
            groups.append(_of(term))
    known = {group for group in groups if group != BARE}
    if len(known) > 1:
        return None
    return known.pop() if known else BARE


def _of(term: Term) -> str:
    return BARE if term.kind in ("ratio", "percent", "count", "number") else term.dimension


def _joined(left: str | None, right: str, sign: str) -> str | None:
    """The dimension of a product or quotient."""
    if left is None or right == BARE:
        return left
    if sign == "*":
        if left == BARE:
            return right
        rate, other = (left, right) if right == "time" else (right, left)
        return of_rate(rate) if other == "time" else None
    if left == right:
        return "ratio"
    if of_rate(right) == left:
        return "time"
    return None


def of_rate(rate: str) -> str | None:
    """What a rate is a rate of: bytes for a data rate, dollars for a price per hour."""
    if rate in _OF_RATES:
        return _OF_RATES[rate]
    if not rate.endswith(RATE):
        return None
    what = rate[: -len(RATE)]
    return what if what.isupper() else f"{what}s"
