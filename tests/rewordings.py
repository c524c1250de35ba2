"""Changes to a text that change nothing for a reader, and so no finding."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator

from caveat.markdown.document import read
from caveat.markdown.source import Source

FRONT_MATTER = "---\ntitle: Notes\ndraft: true\n---\n\n"
NEIGHBOUR = "The bicycle shed was painted green again."
# A line of a paragraph that can be wrapped anew: no table, list, heading, quote, code, footnote or directive.
PLAIN_LINE = re.compile(r"[A-Za-z“\"'0-9$€(].{70,}")
LINE_START = re.compile(r"[-+*#>|:=~`]|\d+[.)]|<|\[\^")
LIST = re.compile(r"^ *(?:[-+*]|\d+[.)]) ", re.MULTILINE)
BOLD = "**"
SIGNS = (("\xa0", " "), ("×", "x"), ("“", '"'), ("”", '"'), ("’", "'"), ("‘", "'"), (BOLD, ""), (">", ""))


def plain(words: str) -> str:
    """Flagged words as a reader sees them, whatever the signs that they are written with."""
    for sign, instead in SIGNS:
        words = words.replace(sign, instead)
    return " ".join(words.split())


def crlf(text: str) -> str:
    return text.replace("\n", "\r\n")


def byte_order_mark(text: str) -> str:
    return f"\ufeff{text}"


def front_matter(text: str) -> str:
    return text if text.startswith(("---", "+++")) else FRONT_MATTER + text


def paragraph_before(text: str) -> str:
    return text if text.startswith(("---", "+++")) else f"{NEIGHBOUR}\n\n{text}"


def paragraph_after(text: str) -> str:
    return f"{text.rstrip()}\n\n{NEIGHBOUR}\n"


def wrapped(text: str) -> str:
    return (
        "\n".join(_wrapped_line(line) for line in text.split("\n")) if "```" not in text and "~~~" not in text else text
    )


def _wrapped_line(line: str) -> str:
    if not PLAIN_LINE.fullmatch(line) or "  " in line or "{" in line or "](" in line or "|" in line:
        return line
    lines = textwrap.wrap(line, 56, break_long_words=False, break_on_hyphens=False)
    return line if any(LINE_START.match(each) for each in lines[1:]) else "\n".join(lines)


def quoted(text: str) -> str:
    if text.startswith(("---", "+++")) or "\n>" in f"\n{text}":
        return text
    return "".join(f"> {line}" if line.strip() else f">{line}" for line in text.splitlines(keepends=True))


def listed(text: str) -> str:
    if text.startswith(("---", "+++")) or LIST.search(text):
        return text  # a list in a list is another structure
    lines = text.splitlines(keepends=True)
    return "".join([f"- {lines[0]}", *(f"  {line}" if line.strip() else line for line in lines[1:])]) if lines else text


def bold_numbers(text: str) -> str:
    """The digits of numbers that stand alone, in bold."""
    return _replaced(text, r"(?<=[a-z:,] )\d[\d,.]*(?= )", _in_bold)  # no number of a name: "RTX 6000 Ada"


def _in_bold(match: re.Match[str]) -> str:
    digits = match.group().rstrip(".,")
    return f"{BOLD}{digits}{BOLD}{match.group()[len(digits) :]}"


def hard_spaces(text: str) -> str:
    return _replaced(text, r"(?<=\d) (?=[A-Za-z])", lambda _: "\xa0")


def times_signs(text: str) -> str:
    return _replaced(
        text, r"(?<=[^A-Za-z0-9.]\d)x(?= |,|\.|$)|(?<=[ .]\d\d)x(?= |,|\.|$)|(?<=\.\d)x(?= |,|\.|$)", lambda _: "×"
    )


def curly_quotes(text: str) -> str:
    opened = _replaced(text, r'(?<![^\s(\[])"(?=\S)', lambda _: "“")
    closed = _replaced(opened, r'(?<=\S)"', lambda _: "”")
    return _replaced(closed, r"(?<=\w)'(?=\w)", lambda _: "’")


def _replaced(text: str, pattern: str, by: Callable[[re.Match[str]], str]) -> str:
    """The text with each match in its prose replaced: not in code, links, attributes or comments."""
    pieces, at = [], 0
    for match in _in_prose(text, pattern):
        pieces += [text[at : match.start()], by(match)]
        at = match.end()
    return "".join([*pieces, text[at:]])


def _in_prose(text: str, pattern: str) -> Iterator[re.Match[str]]:
    prose = read(Source(text)).prose
    for match in re.finditer(pattern, prose):
        if prose[match.start() : match.end()] == text[match.start() : match.end()]:
            yield match


# In the order in which they can be made one after the other.
REWORDINGS: dict[str, Callable[[str], str]] = {
    change.__name__: change
    for change in (
        curly_quotes,
        times_signs,
        hard_spaces,
        bold_numbers,
        wrapped,
        paragraph_before,
        paragraph_after,
        quoted,
        listed,
        front_matter,
        byte_order_mark,
        crlf,
    )
}
