"""The difference between a draft and what it becomes, as a patch that `git apply` and `patch -p1` take."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff

_NO_END = "\\ No newline at end of file\n"
_IN_QUOTES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def patch_of(path: str, before: str, after: str) -> str:
    """The patch of one draft, whose path is as seen from where the patch is applied; "" without a difference."""
    old, new = (_named(f"{side}/{path}") for side in "ab")
    lines = unified_diff(_lines(before), _lines(after), old, new)
    return "".join(line if line.endswith("\n") else f"{line}\n{_NO_END}" for line in lines)


def _lines(text: str) -> list[str]:
    """Lines as git has them: a lone CR, a form feed or a line separator ends none."""
    lines = text.split("\n")
    return [*(f"{line}\n" for line in lines[:-1]), *lines[-1:]] if lines[-1] else [f"{line}\n" for line in lines[:-1]]


def _named(path: str) -> str:
    """A path in a header: in quotes if a sign would end it, with a tab behind it if a blank is in it."""
    if any(sign in _IN_QUOTES or ord(sign) < ord(" ") for sign in path):
        return '"' + "".join(_quoted(path)) + '"'
    return f"{path}\t" if " " in path else path


def _quoted(path: str) -> Iterator[str]:
    for sign in path:
        yield _IN_QUOTES.get(sign) or (f"\\{ord(sign):03o}" if ord(sign) < ord(" ") else sign)
