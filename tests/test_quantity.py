"""Quantities: the precision that is printed, what qualifiers stretch, and arithmetic on intervals that never raises."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveat.figures.numerals import Numeral, read_numeral
from caveat.figures.quantity import (
    INFINITY,
    Interval,
    Quantity,
    difference,
    divided,
    product,
    ratio,
    total,
    widened,
)


def numeral(text: str) -> Numeral:
    found = read_numeral(text, 0, len(text))
    assert found is not None
    return found


def quantity(text: str) -> Quantity:
    return numeral(text).quantity()


def interval(low: str, high: str) -> Interval:
    return Interval(Decimal(low), Decimal(high))


@pytest.mark.parametrize(
    ("text", "value", "step", "coarse"),
    [
        ("144", "144", "1", "1"),
        ("2.52", "2.52", "0.01", "0.01"),
        ("1,979", "1979", "1", "1"),
        ("500,000", "500000", "1", "100000"),
        ("1.0", "1.0", "0.1", "0.1"),
        ("0", "0", "1", "1"),
        ("007", "7", "1", "1"),
        ("1\u2009979", "1979", "1", "1"),
        ("1\u202f979,5", "1979.5", "0.1", "0.1"),
        ("1'979", "1979", "1", "1"),
        ("1.979,5", "1979.5", "0.1", "0.1"),
        ("1,979.5", "1979.5", "0.1", "0.1"),
        ("1.234.567", "1234567", "1", "1"),
        ("3,35", "3.35", "0.01", "0.01"),
        ("4.5e15", "4.5e15", "1e14", "1e14"),
        ("4.5×10^15", "4.5e15", "1e14", "1e14"),
        ("4.5 × 10¹⁵", "4.5e15", "1e14", "1e14"),
        ("10^6", "1000000", "1", "1000000"),
        ("2^30", "1073741824", "1", "1073741824"),
        ("10⁻³", "0.001", "0.001", "0.001"),
    ],
)
def test_digits_carry_their_precision(text: str, value: str, step: str, coarse: str) -> None:
    read = numeral(text)
    assert (read.value, read.step, read.coarse) == (Decimal(value), Decimal(step), Decimal(coarse))
    assert read.end == len(text)


@pytest.mark.parametrize(
    ("text", "rest"),
    [("1,2,3", ",2,3"), ("1,9799", ""), ("12 345", " 345"), ("1,979,12", ",12"), ("0,123", ",123"), ("4'5", "'5")],
)
def test_separators_that_join_nothing_end_the_number(text: str, rest: str) -> None:
    assert text[numeral(text).end :] == rest


@pytest.mark.parametrize("text", ["1" * 41, "1," * 200 + "1", "9" * 1_000_000])
def test_a_run_too_long_is_no_number(text: str) -> None:
    assert read_numeral(text, 0, len(text)) is None


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("1.98", "1.979", True),
        ("1.97", "1.979", False),
        ("4.9", "4.8", False),
        ("2.5", "2.52", True),
        ("144", "144.4", True),
        ("144", "145", False),
        ("500,000", "512,000", False),
    ],
)
def test_two_numbers_agree_when_their_rounding_meets(left: str, right: str, same: bool) -> None:  # noqa: FBT001
    assert quantity(left).interval().meets(quantity(right).interval()) is same
    assert quantity(right).interval().meets(quantity(left).interval()) is same


def test_round_numbers_may_count_as_rounded() -> None:
    assert quantity("500,000").interval(coarse=True).meets(quantity("512,000").interval(coarse=True))


def test_a_margin_is_the_interval() -> None:
    measured = Quantity(Decimal("4.5"), Decimal("4.5"), Decimal("0.1"), margin=Decimal("0.3"))
    assert measured.interval() == interval("4.2", "4.8")
    assert measured.times(Decimal(-2)).interval() == interval("-9.6", "-8.4")


@pytest.mark.parametrize(
    ("qualifier", "inside", "outside"),
    [
        ("about", ["96", "104"], ["90", "110"]),
        ("nearly", ["90", "100"], ["80", "103"]),
        ("just under", ["93", "99"], ["85", "103"]),
        ("just over", ["101", "107"], ["93", "115"]),
        ("at least", ["100", "1000"], ["98"]),
        ("more than", ["101", "1000"], ["98"]),
        ("up to", ["0", "50", "100"], ["102", "-1"]),
        ("less than", ["1", "99"], ["102"]),
        ("", ["99.6", "100.4"], ["99", "101"]),
    ],
)
def test_qualifiers_stretch_a_number(qualifier: str, inside: list[str], outside: list[str]) -> None:
    stretched = widened(quantity("100").interval(), qualifier)
    assert all(stretched.holds(Decimal(value)) for value in inside)
    assert not any(stretched.holds(Decimal(value)) for value in outside)


def test_ratio_and_total_are_recomputed_with_intervals() -> None:
    chips, each = quantity("9,216").interval(), quantity("4,614").interval()
    assert product(chips, each).holds(Decimal(42522624))
    speedup = ratio(quantity("5,240").interval(), quantity("3,240").interval())
    assert speedup is not None
    assert speedup.holds(Decimal("1.617"))
    assert not speedup.holds(Decimal("1.82"))
    assert total([quantity("1.5").interval(), quantity("2").interval()]) == interval("2.95", "4.05")
    assert difference(quantity("54").interval(), quantity("34").interval()) == interval("19", "21")


def test_nothing_is_divided_by_zero() -> None:
    assert ratio(interval("1", "2"), interval("-1", "1")) is None
    assert divided(Decimal(3), Decimal()) == 0


ENDS = st.one_of(
    st.decimals(allow_nan=False, allow_infinity=True),
    st.decimals(min_value=-1000, max_value=1000, places=3),
    st.sampled_from([Decimal("1e999999"), Decimal("-1e999999"), Decimal("1e-999999"), Decimal(0), INFINITY]),
)
INTERVALS = st.tuples(ENDS, ENDS).map(lambda ends: Interval(min(ends), max(ends)))


@given(INTERVALS, INTERVALS)
def test_interval_arithmetic_never_raises(left: Interval, right: Interval) -> None:
    results = [product(left, right), difference(left, right), total([left, right]), ratio(left, right)]
    results += [widened(left, qualifier) for qualifier in ("about", "nearly", "up to", "at least", "just under")]
    for result in results:
        assert result is None or result.low <= result.high


FINITE = st.decimals(min_value=Decimal("0.01"), max_value=10_000, places=2)


@given(st.lists(FINITE, min_size=4, max_size=4).map(sorted), st.data())
def test_arithmetic_holds_what_it_is_computed_from(ends: list[Decimal], data: st.DataObject) -> None:
    left, right = Interval(ends[0], ends[2]), Interval(ends[1], ends[3])
    a, b = (data.draw(st.decimals(min_value=i.low, max_value=i.high, places=2)) for i in (left, right))
    quotient = ratio(left, right)
    assert quotient is not None
    assert quotient.low <= a / b + Decimal("1e-20")
    assert quotient.high >= a / b - Decimal("1e-20")
    assert product(left, right).holds(a * b)
    assert difference(left, right).holds(a - b)


@given(st.integers(min_value=0, max_value=10**12), st.sampled_from([",", "\u2009", "\u202f", "\u00a0", "'"]))
def test_thousands_read_the_same_with_any_separator(value: int, separator: str) -> None:
    read = numeral(f"{value:,}".replace(",", separator))
    assert read.value == value
    assert read.step == 1


@given(st.decimals(min_value=0, max_value=10**9, places=3))
def test_decimals_are_exact(value: Decimal) -> None:
    assert numeral(f"{value:,f}").value == value
