"""Text made fit for a terminal, numbers with their nouns, and tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_JOINERS = "\u200c\u200d\ufe0e\ufe0f"  # part of the spelling of some scripts and of emoji, and harmless
_REPLACEMENT = "\ufffd"


def visible(text: str) -> str:
    """The text with nothing in it that could steer a terminal, each character still one character.

    Control characters become their pictures, line breaks and tabs spaces; what reorders text and lone surrogates
    become the replacement character.
    """
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else _harmless(sign) for sign in text)


def _harmless(sign: str) -> str:
    code = ord(sign)
    if sign in "\t\n\r":
        return " "
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if sign in _JOINERS or (sign.isspace() and code >= 0xA0 and sign not in "\u2028\u2029"):
        return sign
    return _REPLACEMENT


def counted(number: int, one: str, many: str = "") -> str:
    """A number with what it counts: `one` of them, else `many`, which is `one` with an "s" if it is not given."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Rows in columns as wide as their widest cell, the header first; cells are made visible, line ends are bare."""
    lines = [list(header), *([visible(cell) for cell in row] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    return "".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() + "\n" for line in lines
    )
