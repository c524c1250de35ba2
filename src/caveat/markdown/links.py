"""The parts of links, read from plain strings: destinations, titles, labels, and the entities in them."""

from __future__ import annotations

import re

from caveat.markdown.signs import TRIMMED

# Rare, and compiled when first met.
_ESCAPE = r"(?i)\\([!\"#$%&'()*+,\-./:;<=>?@[\\\]^_`{|}~])|&([a-z#][a-z0-9]{1,31});"
_NUMBER = r"(?i)#(?:x([a-f0-9]{1,8})|([0-9]{1,8}))"
_REFUSED = r"(?:vbscript|javascript|file|data):"
_PICTURE = r"data:image\/(?:gif|png|jpeg|webp);"

_QUOTES = {'"': '"', "'": "'", "(": ")"}
_DEEPEST = 32
"""Brackets in a destination nested deeper than this make it none."""


def destination(text: str, start: int, end: int) -> tuple[int, str] | None:
    """Where a link's destination that starts at an offset ends, and what it is; None if there is none."""
    if text.startswith("<", start, end):
        at = start + 1
        while at < end and text[at] not in "\n<>":
            at += 2 if text[at] == "\\" and at + 1 < end else 1
        closed = at < end and text[at] == ">"
        return (at + 1, unescaped(text[start + 1 : at])) if closed else None
    at, depth = start, 0
    while at < end and " " < text[at] != "\x7f":
        sign = text[at]
        if sign == "\\" and at + 1 < end:
            if text[at + 1] == " ":
                break
            at += 2
            continue
        if sign == ")" and depth == 0:
            break
        depth += (sign == "(") - (sign == ")")
        if depth > _DEEPEST:
            return None
        at += 1
    return (at, unescaped(text[start:at])) if at > start and depth == 0 else None


def title_end(text: str, start: int, end: int, done: int = 0) -> int:
    """Where a link's title that starts at an offset ends; 0 if there is none, -1 if it does not end in the text.

    Up to `done` there is no end.
    """
    closer = _QUOTES.get(text[start : min(start + 1, end)], "")
    at = max(start + 1, done)
    while closer and at < end:
        if text[at] == closer:
            return at + 1
        if text[at] == "(" == text[start]:
            return 0
        at += 2 if text[at] == "\\" and at + 1 < end else 1
    return -1 if closer else 0


def is_allowed(target: str) -> bool:
    """Whether a target may be one: markdown-it makes no link of a script or a file."""
    target = target.strip().lower()
    return re.compile(_REFUSED).match(target) is None or re.compile(_PICTURE).match(target) is not None


def folded(label: str) -> str:
    """A label as it is compared with others."""
    words = re.compile(f"[{TRIMMED}]+").sub(" ", label.strip(TRIMMED))
    return words.lower().upper()


def unescaped(text: str) -> str:
    """A text with its escapes and entities as what they stand for."""
    if "\\" not in text and "&" not in text:
        return text
    return re.compile(_ESCAPE).sub(lambda found: found[1] or _entity(found[2]) or found[0], text)


def _entity(name: str) -> str:
    """The text that an entity stands for by its name or number; "" if there is none."""
    if not name.startswith("#"):
        return named(name)
    number = re.compile(_NUMBER).fullmatch(name)
    code = (int(number[1], 16) if number[1] else int(number[2])) if number else 0
    return chr(code) if is_character(code) else ""


def named(name: str) -> str:
    """The text that a name of an entity stands for; "" if it is none."""
    from html.entities import html5  # two thousand names, and few drafts have one

    return html5.get(f"{name};", "")


def is_character(code: int) -> bool:
    """Whether a number stands for a character of text."""
    control = code <= 0x08 or code == 0x0B or 0x0E <= code <= 0x1F or 0x7F <= code <= 0x9F
    none = 0xD800 <= code <= 0xDFFF or 0xFDD0 <= code <= 0xFDEF or code & 0xFFFE == 0xFFFE or code > 0x10FFFF
    return not (control or none)
