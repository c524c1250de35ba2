"""One value as a registry writes it: "2.52 PFLOPS", "4.4x", "-50%", "1000000 chips"."""

from __future__ import annotations

from decimal import Decimal

from caveat.figures.figure import Figure
from caveat.figures.reader import make_figure
from caveat.figures.units import Stretch
from caveat.figures.values import Value, read_value
from caveat.figures.vocabulary import Vocabulary


def read_quantity(text: str, vocabulary: Vocabulary) -> Figure | None:
    """The figure that a registry's value states, or None if it states none.

    A number with a unit, a currency, "x" or "%"; or with one more word, which is the noun of a count. The offsets of
    the figure are those in the stripped text.
    """
    text = text.strip()
    start = next((at for at, sign in enumerate(text) if "0" <= sign <= "9"), -1)
    if not 0 <= start <= 5:
        return None
    value = read_value(Stretch(text, 0, len(text), vocabulary), start, 0)
    if value is None or value.numeral.dots or value.start > 0 or value.numeral.european:
        return None
    rest = text[value.stop :].strip()
    if value.ratio:
        return _finished(make_figure(value, "ratio", None), "x", "ratio", "") if not rest else None
    if value.unit is not None:
        return _measure(value) if not rest else None
    if rest and (value.sign or not all(word.isalpha() for word in rest.split()) or len(rest.split()) > 3):
        return None
    figure = _finished(make_figure(value, "count", None), "", "count", _singular(rest))
    figure.end = len(text)
    return figure


def _measure(value: Value) -> Figure:
    assert value.unit is not None
    kind = value.unit.unit.kind
    figure = make_figure(value, "measure" if kind == "count" and value.unit.rated else kind, value.unit)
    if kind == "count":
        figure.noun = value.unit.unit.key
    return figure


def _finished(figure: Figure, unit: str, dimension: str, noun: str) -> Figure:
    figure.unit, figure.dimension, figure.factor, figure.noun = unit, dimension, Decimal(1), noun
    return figure


def _singular(noun: str) -> str:
    """The noun of one of them: "chip" for "chips"."""
    return noun[:-1] if noun.endswith("s") and not noun.endswith("ss") else noun
