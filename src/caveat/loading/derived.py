"""Derived values: an expression over claims and numbers, recomputed with the intervals that rounding leaves."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal

from caveat.figures.quantity import Interval, difference, product, ratio, total

MAX_LENGTH = 500
_MAX_DEPTH = 20
_TOKEN = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*|[-+*/()]|\S)")
_NUMBER = re.compile(r"[0-9]{1,30}(?:\.[0-9]{1,30})?\Z")


class ExpressionError(Exception):
    """An expression that cannot be read or computed; the text says why, and after "; " what to write."""


def names_in(expression: str) -> list[str]:
    """The claim ids of an expression, each once, in order; it need not be well formed."""
    words = [word for word in _TOKEN.findall(expression[:MAX_LENGTH]) if word[0].isalnum()]
    return list(dict.fromkeys(word for word in words if not _NUMBER.match(word)))


def evaluate(expression: str, value_of: Callable[[str], Interval]) -> Interval:
    """The values that an expression may have. `value_of` gives those of a claim and may raise ExpressionError."""
    if len(expression) > MAX_LENGTH:
        raise ExpressionError(f"longer than {MAX_LENGTH} characters; divide it over several claims")
    reader = _Reader(_TOKEN.findall(expression), value_of)
    value = reader.sum(0)
    if reader.next():
        raise ExpressionError(f"{reader.next()!r} is not expected; {_FORM}")
    return value


_FORM = 'write claim ids and numbers with + - * / and parentheses, with spaces around "-"'


class _Reader:
    """Reads an expression by recursive descent; parentheses may nest to a fixed depth."""

    def __init__(self, words: list[str], value_of: Callable[[str], Interval]) -> None:
        self.words = words
        self.at = 0
        self.value_of = value_of

    def next(self) -> str:
        """The word to come, or "" at the end."""
        return self.words[self.at] if self.at < len(self.words) else ""

    def take(self) -> str:
        """The word to come, which is then done with."""
        word = self.next()
        self.at += 1
        return word

    def sum(self, depth: int) -> Interval:
        """Terms joined by + and -."""
        value = self.term(depth)
        while self.next() in ("+", "-"):
            plus = self.take() == "+"
            term = self.term(depth)
            value = total([value, term]) if plus else difference(value, term)
        return value

    def term(self, depth: int) -> Interval:
        """Factors joined by * and /."""
        value = self.factor(depth)
        while self.next() in ("*", "/"):
            times = self.take() == "*"
            factor = self.factor(depth)
            result = product(value, factor) if times else ratio(value, factor)
            if result is None:
                raise ExpressionError("divides by what may be zero; correct the divisor")
            value = result
        return value

    def factor(self, depth: int) -> Interval:
        """A number, a claim, or a sum in parentheses."""
        word = self.take()
        if word == "(" and depth < _MAX_DEPTH:
            value = self.sum(depth + 1)
            if self.take() != ")":
                raise ExpressionError('a parenthesis is not closed; add the ")"')
            return value
        if _NUMBER.match(word):
            return Interval(Decimal(word), Decimal(word))
        if word[:1].isalnum():
            return self.value_of(word)
        raise ExpressionError(f"{word!r} is not expected; {_FORM}" if word else f"it ends too early; {_FORM}")
