"""Tags of HTML, as Markdown knows them: what opens a block of HTML, what closes it, and a tag within a line.

Most drafts hold none, so the patterns are compiled when one is first met.
"""

from __future__ import annotations

import re

_VALUE = r"(?:[^\"'=<>`\x00-\x20]+|'[^']*'|\"[^\"]*\")"
_OPENING = rf"<[A-Za-z][A-Za-z0-9\-]*(?:\s+[a-zA-Z_:][a-zA-Z0-9:._-]*(?:\s*=\s*{_VALUE})?)*\s*\/?>"
_CLOSING = r"<\/[A-Za-z][A-Za-z0-9\-]*\s*>"
_TAG = (
    rf"{_OPENING}|{_CLOSING}|<!---?>|<!--(?:[^-]|-[^-]|--[^>])*-->|<[?][\s\S]*?[?]>|<![A-Za-z][^>]*>"
    r"|<!\[CDATA\[[\s\S]*?\]\]>"
)
_WHOLE_TAG = rf"(?:{_OPENING}|{_CLOSING})\s*$"
_NAME = r"<(/?)([A-Za-z][A-Za-z0-9]*)(?=(\s|/?>|$))"
_CODE_CLOSER = r"(?ai)</(?:script|pre|style|textarea)>"

_CODE_NAMES = frozenset(("script", "pre", "style", "textarea"))
_BLOCKS = (
    "address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl "
    "dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend "
    "li link main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td "
    "tfoot th thead title tr track ul"
)
_BLOCK_NAMES = frozenset(_BLOCKS.split())


class Closer:
    """What closes a block of HTML: some text, one of the tags that hold code, or ("") an empty line.

    `interrupts` says whether such a block may end a paragraph.
    """

    __slots__ = ("interrupts", "text")

    def __init__(self, text: str, *, interrupts: bool = True) -> None:
        self.text = text
        self.interrupts = interrupts

    @property
    def at_empty_line(self) -> bool:
        """Whether an empty line closes the block."""
        return not self.text

    def closes(self, line: str) -> bool:
        """Whether a line closes the block."""
        if not self.text:
            return not line
        if self.text == _CODE_CLOSER:
            return re.compile(_CODE_CLOSER).search(line) is not None
        return self.text in line


_MARKED = (("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>"))


def html_closer(line: str) -> Closer | None:
    """What closes the block of HTML that a line opens, or None if it opens none."""
    name = re.compile(_NAME).match(line)
    if name and not name[1] and name[2].lower() in _CODE_NAMES and name[3] != "/>":
        return Closer(_CODE_CLOSER)
    for opening, closing in _MARKED:
        if line.startswith(opening):
            return Closer(closing)
    if line.startswith("<!") and line[2:3].isascii() and line[2:3].isalpha():
        return Closer(">")
    if name and name[2].lower() in _BLOCK_NAMES:
        return Closer("")
    if re.compile(_WHOLE_TAG).match(line):
        return Closer("", interrupts=False)
    return None


def tag_end(text: str, start: int) -> int:
    """Where the tag, comment or other construct of HTML at an offset ends; 0 if there is none."""
    match = re.compile(_TAG).match(text, start)
    return match.end() if match else 0
