# ruff: noqa: FBT003 - rules take `probe` by position
"""Where the reading of blocks stands: the lines of a text, how far each is indented, and the tokens so far.

Blocks are read as markdown-it reads them, rule for rule; the tests hold the two against each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from caveat.markdown.embedded import brace_pairs
from caveat.markdown.signs import BLANKS

DEEPEST = 100
"""Quotes and lists nested deeper than this are not read, as in markdown-it."""

# A rule reads the block that starts on a line, up to another line, or with `probe` only tells whether one may.
Rule = Callable[["BlockState", int, int, bool], bool]
# Rules by the first sign of a line; those under "" are for all signs that have none of their own.
Rules = Mapping[str, list[Rule]]


class Token:
    """One step of the walk over the blocks: a block that opens or closes, or the content of one.

    `first` and `following` are its lines; `level` and `sign` are a heading's, `label` a footnote's; `start` is the
    offset at which the text of a table row starts.
    """

    __slots__ = ("content", "first", "following", "kind", "label", "level", "sign", "start")

    def __init__(self, kind: str, first: int = 0, following: int = 0, content: str = "") -> None:
        self.kind = kind
        self.first = first
        self.following = following
        self.content = content
        self.level = 0
        self.sign = ""
        self.label = ""
        self.start = 0


class Flavour:
    """The rules of one flavour of Markdown: those that read, and those that may end what another one reads."""

    __slots__ = ("code", "in_definition", "in_list", "in_paragraph", "in_quote", "read")

    def __init__(
        self, *, read: Rules, in_paragraph: Rules, in_definition: Rules, in_quote: Rules, in_list: Rules, code: bool
    ) -> None:
        """`code` says whether lines that are indented far are code."""
        self.read = read
        self.in_paragraph = in_paragraph
        self.in_definition = in_definition
        self.in_quote = in_quote
        self.in_list = in_list
        self.code = code


class BlockState:
    """The state of reading one text.

    For each line: where it begins, behind the marks of its containers, and ends; how many blanks it begins with and how
    wide they are; and how wide what stands before `begins` is, for tabs. The entry behind the last line is none.
    """

    __slots__ = (
        "_braces", "begins", "blanks", "definition_indent", "depth", "ends", "flavour", "footnotes", "indent", "line",
        "lines", "list_indent", "offsets", "references", "starts", "text", "tokens", "widths",
    )  # fmt: skip

    def __init__(self, text: str, flavour: Flavour) -> None:
        self.text = text
        self.flavour = flavour
        self.tokens: list[Token] = []
        self.references: dict[str, str] = {}
        self.footnotes: list[str] = []
        self.begins: list[int] = []
        self.ends: list[int] = []
        self.blanks: list[int] = []
        self.widths: list[int] = []
        self._measure()
        self.offsets = [0] * len(self.begins)
        self.starts = self.begins[:]
        self.lines = len(self.begins) - 1
        self.line = 0
        self.indent = 0
        self.depth = 0
        self.list_indent = self.definition_indent = -1
        self._braces: dict[int, int] | None = None

    def _measure(self) -> None:
        """Find the lines; a last one of blanks without a line break is none."""
        lines = self.text.split("\n")
        if not lines[-1].strip(BLANKS):
            lines.pop()
        begins, ends, all_blanks, widths = self.begins.append, self.ends.append, self.blanks.append, self.widths.append
        begin = 0
        for line in lines:
            blanks = len(line) - len(line.lstrip(BLANKS))
            begins(begin)
            ends(begin + len(line))
            all_blanks(blanks)
            widths(len(line[:blanks].expandtabs(4)) if blanks else 0)
            begin += len(line) + 1
        for marks, mark in ((self.begins, len(self.text)), (self.ends, len(self.text)), (self.blanks, 0)):
            marks.append(mark)
        self.widths.append(0)

    def push(self, kind: str, first: int = 0, following: int = 0, content: str = "") -> Token:
        """Add a token."""
        token = Token(kind, first, following, content)
        self.tokens.append(token)
        return token

    def start(self, line: int) -> int:
        """The offset of the first sign of a line."""
        return self.begins[line] + self.blanks[line]

    def rest(self, line: int) -> str:
        """A line from its first sign on."""
        return self.text[self.begins[line] + self.blanks[line] : self.ends[line]]

    def is_empty(self, line: int) -> bool:
        """Whether a line has nothing but blanks."""
        return self.begins[line] + self.blanks[line] >= self.ends[line]

    def is_code(self, line: int) -> bool:
        """Whether a line is indented so far that it is code."""
        return self.widths[line] - self.indent >= 4 and self.flavour.code

    def past_blanks(self, at: int) -> int:
        """The offset of the first sign from an offset on that is no blank."""
        text = self.text
        while at < len(text) and text[at] in BLANKS:
            at += 1
        return at

    def width(self, start: int, end: int, width: int, offset: int = 0) -> tuple[int, int]:
        """Where blanks from `start` on end, and the width there; `offset` is added for tabs."""
        text = self.text
        while start < end and text[start] in BLANKS:
            width += 4 - (width + offset) % 4 if text[start] == "\t" else 1
            start += 1
        return start, width

    def cut(self, first: int, following: int) -> str:
        """The lines of a block without the indent of its container."""
        return "\n".join([self._cut(line) for line in range(first, following)])

    def _cut(self, line: int) -> str:
        """A line without the indent of its container; a tab that goes beyond it leaves its rest in spaces."""
        text, begin, end, width = self.text, self.begins[line], self.ends[line], 0
        at = begin
        while at < end and width < self.indent:
            if text[at] == "\t":
                width += 4 - (width + self.offsets[line]) % 4
            elif text[at] == " " or at - begin < self.blanks[line]:
                width += 1
            else:
                break
            at += 1
        return " " * (width - self.indent) + text[at:end]

    def ends_before(self, line: int, last: int, rules: Rules) -> bool:
        """Whether a block of another kind starts on a line and so ends the one that is read."""
        if self.is_code(line):
            return False
        at = self.start(line)
        return any(rule(self, line, last, True) for rule in rules.get(self.text[at : at + 1]) or rules[""])

    def read(self, line: int, last: int) -> None:
        """Read the blocks from a line up to another, or up to one that belongs to a container around them."""
        rules, text = self.flavour.read, self.text
        while line < last:
            while line < self.lines and self.is_empty(line):
                line += 1
            self.line = line
            if line >= last or self.widths[line] < self.indent:
                return
            if self.depth >= DEEPEST:
                self.line = last
                return
            if self.is_code(line):
                self._read_code(line, last)
            else:
                for rule in rules.get(text[self.start(line)]) or rules[""]:
                    if rule(self, line, last, False):
                        break
            line = self.line
            if line < last and self.is_empty(line):
                line += 1
                self.line = line

    def _read_code(self, first: int, last: int) -> None:
        """Pass over code that is indented, with the empty lines in it."""
        line = following = first + 1
        while line < last and (self.is_empty(line) or self.is_code(line)):
            line += 1
            if not self.is_empty(line - 1):
                following = line
        self.line = following
        self.push("code_block", first, following)

    def brace_end(self, position: int) -> int:
        """The offset behind the brace that closes the one at `position`; 0 when none does."""
        if self._braces is None:
            self._braces = brace_pairs(self.text)
        return self._braces.get(position, 0)
