# ruff: noqa: ARG001, FBT001 - markdown-it calls block rules with these positions
"""The parser: markdown-it's blocks with what blogs add to them, and the lines that each block came from."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote.index import footnote_def

from caveat.markdown.embedded import brace_pairs, is_directive, jsx_tag_end, raw_block_closer
from caveat.markdown.inline import InlineParser

__all__ = ["Parsed", "Parser", "Token", "parser_for"]

DEEPEST = 100
"""Quotes and lists nested deeper than this are not read, as in markdown-it."""

_LONGEST = 500
"""A block of math or JSX that does not end within this many lines is none, so that cost stays linear."""


class Parsed:
    """The block tokens of a text, the offset at which each of its lines starts and ends, and its definitions.

    `footnotes` maps folded labels to the labels as they are defined, `references` are markdown-it's link definitions.
    """

    __slots__ = ("ends", "footnotes", "references", "starts", "tokens")

    def __init__(self, state: _State) -> None:
        self.tokens = state.tokens
        self.starts = state.starts
        self.ends = state.eMarks
        self.references: dict[str, object] = state.env.get("references", {})
        labels: dict[str, int] = state.env.get("footnotes", {}).get("refs", {})
        self.footnotes: dict[str, str] = {}
        for label in labels:
            self.footnotes.setdefault(label[1:].casefold(), label[1:])


class _State(StateBlock):
    """Notes, for each row of a table, where its text starts: containers move that mark, and put it back."""

    def __init__(self, text: str, md: MarkdownIt) -> None:
        super().__init__(text, md, {}, [])
        self.starts = self.bMarks[:]
        self._row = 0
        self._braces: dict[int, int] | None = None

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        token = super().push(ttype, tag, nesting)
        if ttype == "table_open":
            self._row = self.line
        elif ttype == "tr_open":
            token.meta = {"start": self.bMarks[self._row] + self.tShift[self._row]}
            self._row += 2 if self.tokens[-2].type == "thead_open" else 1
        return token

    def brace_end(self, position: int) -> int:
        """The offset behind the brace that closes the one at `position`; 0 when none does."""
        if self._braces is None:
            self._braces = brace_pairs(self.src)
        return self._braces.get(position, 0)


class _Markdown(MarkdownIt):
    """markdown-it that leaves link targets as they are written."""

    def normalizeLink(self, url: str) -> str:  # noqa: N802 - markdown-it's name
        return url


class Parser:
    """One flavour of Markdown. Keeps nothing of the texts that it reads."""

    def __init__(self, *, mdx: bool) -> None:
        self.md = _Markdown("commonmark", {"maxNesting": DEEPEST, "tasklists": True, "alerts": True})
        self.md.enable("table")
        self.md.use(deflist_plugin)
        rules = self.md.block.ruler
        everywhere: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
        rules.before("reference", "footnote_def", footnote_def, {"alt": ["paragraph", "reference"]})
        rules.before("fence", "raw", _raw_block, everywhere)
        rules.before("fence", "directive", _directive, everywhere)
        if mdx:
            self.md.disable("code")
            rules.before("fence", "jsx", _jsx_block, everywhere)
            rules.before("fence", "module", _module_block, {"alt": []})
        self.inline = InlineParser(self.md, mdx=mdx)
        self.md.inline = self.inline

    def parse(self, text: str, first_line: int) -> Parsed:
        """Read the blocks of `text`, whose line breaks are all LF, from a line (counted from 0) on."""
        state = _State(text, self.md)
        self.md.block.tokenize(state, first_line, state.lineMax)
        return Parsed(state)


@cache
def parser_for(*, mdx: bool) -> Parser:
    """The parser of a flavour, made when first needed."""
    return Parser(mdx=mdx)


def _directive(state: StateBlock, line: int, last: int, silent: bool) -> bool:
    """A line that only steers the renderer; it says nothing, and the blocks around it are neighbours."""
    start = state.bMarks[line] + state.tShift[line]
    if state.src[start : start + 1] not in (":", "{") or state.is_code_block(line):
        return False
    if not is_directive(state.src[start : state.eMarks[line]]):
        return False
    if not silent:
        state.line = line + 1
    return True


def _raw_block(state: StateBlock, line: int, last: int, silent: bool) -> bool:
    """Display math over several lines."""
    start = state.bMarks[line] + state.tShift[line]
    if state.src[start : start + 1] not in ("$", "\\") or state.is_code_block(line):
        return False
    closer = raw_block_closer(state.src[start : state.eMarks[line]])
    if not closer:
        return False
    close = state.src.find(closer, state.eMarks[line], state.eMarks[min(last, line + _LONGEST) - 1])
    end = bisect_left(state.eMarks, close) if close >= 0 else line
    if end == line or any(state.sCount[at] < state.blkIndent and not state.isEmpty(at) for at in range(line, end + 1)):
        return False
    return silent or _take(state, end + 1)


def _jsx_block(state: StateBlock, line: int, last: int, silent: bool) -> bool:
    """A JSX tag or expression that starts a line and ends on one, alone on them."""
    start = state.bMarks[line] + state.tShift[line]
    sign = state.src[start : start + 1]
    if sign not in ("<", "{") or not isinstance(state, _State):
        return False
    end = state.brace_end(start) if sign == "{" else jsx_tag_end(state.src, start, len(state.src))
    if not end or (sign == "<" and end <= state.eMarks[line]):
        return False
    closing = bisect_left(state.eMarks, end)
    if closing >= last or state.skipSpaces(end) < state.eMarks[closing]:
        return False
    comment = state.src.startswith("{/*", start)
    return silent or _take(state, closing + 1, (start, end) if comment else None)


def _module_block(state: StateBlock, line: int, last: int, silent: bool) -> bool:
    """An import or export of MDX: up to the first blank line outside its braces."""
    start = state.bMarks[line]
    if (
        not isinstance(state, _State)
        or state.level
        or state.sCount[line]
        or not state.src.startswith(("import ", "export ", "import{"), start)
    ):
        return False
    following, end = line, 0
    while following < last and not (state.isEmpty(following) and end <= state.bMarks[following]):
        for brace in re.finditer(r"\{", state.src[state.bMarks[following] : state.eMarks[following]]):
            end = max(end, state.brace_end(state.bMarks[following] + brace.start()))
        following += 1
    return silent or _take(state, following)


def _take(state: StateBlock, following: int, comment: tuple[int, int] | None = None) -> bool:
    """Take the lines up to `following` as one block without prose; `comment` is the range of one that is all of it."""
    state.push("raw", "", 0).meta = {"comment": comment}
    state.line = following
    return True
