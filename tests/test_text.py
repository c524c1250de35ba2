"""What is printed cannot steer a terminal."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveat.report.text import table, visible


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain 2.5 µs – “x” 漢字 🚀", "plain 2.5 µs – “x” 漢字 🚀"),
        ("\x1b[31mred", "␛[31mred"),
        ("a\tb\r\nc", "a b  c"),
        ("\x00\x07\x7f", "␀␇␡"),
        ("\x9b2J", "�2J"),
        ("a\u202eb\u2066c\u2028d\ud800", "a�b�c�d�"),
        ("4\u00a0GB\u202f\u3000👩\u200d🔬", "4\u00a0GB\u202f\u3000👩\u200d🔬"),
    ],
)
def test_control_characters_become_harmless(text: str, expected: str) -> None:
    assert visible(text) == expected


@given(st.text())
def test_every_character_stays_one_character(text: str) -> None:
    shown = visible(text)
    assert len(shown) == len(text)
    assert not any(unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") for sign in shown)
    shown.encode()


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    assert table(("A", "LONG"), [("one", "x"), ("\x1b", "")]) == "A    LONG\none  x\n␛\n"
