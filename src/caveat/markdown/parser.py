# ruff: noqa: FBT001 - rules take `probe` by position
"""The parser: CommonMark's blocks with what blogs add to them, and the lines that each block came from."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache

from caveat.markdown import blocks, containers
from caveat.markdown.block_state import BlockState, Flavour, Rule, Rules, Token
from caveat.markdown.definitions import definition_of_label
from caveat.markdown.embedded import is_directive, jsx_tag_end, raw_block_closer
from caveat.markdown.inline import InlineParser

__all__ = ["Parsed", "Parser", "Token", "parser_for"]

_LONGEST = 500
"""A block of math or JSX that does not end within this many lines is none, so that cost stays linear."""

_BULLETS, _DIGITS, _ALL = "*-+", "0123456789", ""


class Parsed:
    """The block tokens of a text, the offset at which each of its lines starts and ends, and its definitions.

    `footnotes` maps folded labels to the labels as they are defined, `references` folded labels to their targets.
    """

    __slots__ = ("ends", "footnotes", "references", "starts", "tokens")

    def __init__(self, state: BlockState) -> None:
        self.tokens = state.tokens
        self.starts = state.starts
        self.ends = state.ends
        self.references = state.references
        self.footnotes: dict[str, str] = {}
        for label in state.footnotes:
            self.footnotes.setdefault(label.casefold(), label)


class Parser:
    """One flavour of Markdown. Keeps nothing of the texts that it reads."""

    def __init__(self, *, mdx: bool) -> None:
        self.inline = InlineParser(mdx=mdx)
        # In the order in which they are tried, each with the signs that a line must begin with for it.
        everywhere: list[tuple[str, Rule]] = [("$\\", _raw_block), (":{", _directive)]
        everywhere += [("<{", _jsx_block)] if mdx else []
        everywhere += [("`~", blocks.fence), (">", containers.quote), ("*-_", blocks.thematic_break)]
        over_quotes: list[tuple[str, Rule]] = [("<", blocks.html), ("#", blocks.heading)]
        over_quotes += [(":~", containers.definition_in_list)]
        lists = [(_BULLETS, containers.bullet_list), (_DIGITS, containers.ordered_list)]
        in_paragraph: list[tuple[str, Rule]] = [(_ALL, blocks.table), *everywhere, ("[", containers.footnote)]
        self.flavour = Flavour(
            read=_by_sign(
                (_ALL, blocks.table),
                *everywhere,
                *([("ie", _module_block)] if mdx else []),
                *lists,
                ("[", containers.footnote),
                ("[", definition_of_label),
                ("<", blocks.html),
                ("#", blocks.heading),
                (_ALL, blocks.underlined),
                (_ALL, containers.definition_list),
                (_ALL, blocks.paragraph),
            ),
            in_paragraph=_by_sign(
                *in_paragraph,
                (_BULLETS, containers.bullet_list_in_paragraph),
                (_DIGITS, containers.ordered_list_in_paragraph),
                *over_quotes,
            ),
            in_definition=_by_sign(*in_paragraph, *lists, *over_quotes),
            in_quote=_by_sign(*everywhere, *lists, *over_quotes),
            in_list=_by_sign(*everywhere),
            code=not mdx,
        )

    def parse(self, text: str, first_line: int) -> Parsed:
        """Read the blocks of `text`, whose line breaks are all LF, from a line (counted from 0) on."""
        state = BlockState(text, self.flavour)
        state.read(first_line, state.lines)
        return Parsed(state)


@cache
def parser_for(*, mdx: bool) -> Parser:
    """The parser of a flavour, made when first needed."""
    return Parser(mdx=mdx)


def _by_sign(*rules: tuple[str, Rule]) -> Rules:
    """The rules by the sign that a line begins with, those for all signs among them; under "" these alone."""
    signs = {sign for signs, _ in rules for sign in signs} | {""}
    return {sign: [rule for signs, rule in rules if signs == _ALL or (sign and sign in signs)] for sign in signs}


def _directive(state: BlockState, line: int, _last: int, probe: bool) -> bool:
    """A line that only steers the renderer; it says nothing, and the blocks around it are neighbours."""
    start = state.start(line)
    if state.text[start : start + 1] not in (":", "{"):
        return False
    if not is_directive(state.text[start : state.ends[line]]):
        return False
    if not probe:
        state.line = line + 1
    return True


def _raw_block(state: BlockState, line: int, last: int, probe: bool) -> bool:
    """Display math over several lines."""
    start = state.start(line)
    if state.text[start : start + 1] not in ("$", "\\"):
        return False
    closer = raw_block_closer(state.text[start : state.ends[line]])
    if not closer:
        return False
    close = state.text.find(closer, state.ends[line], state.ends[min(last, line + _LONGEST) - 1])
    end = bisect_left(state.ends, close) if close >= 0 else line
    if end == line or any(state.widths[at] < state.indent and not state.is_empty(at) for at in range(line, end + 1)):
        return False
    return probe or _take(state, end + 1)


def _jsx_block(state: BlockState, line: int, last: int, probe: bool) -> bool:
    """A JSX tag or expression that starts a line and ends on one, alone on them."""
    start = state.start(line)
    sign = state.text[start : start + 1]
    if sign not in ("<", "{"):
        return False
    end = state.brace_end(start) if sign == "{" else jsx_tag_end(state.text, start, len(state.text))
    if not end or (sign == "<" and end <= state.ends[line]):
        return False
    closing = bisect_left(state.ends, end)
    if closing >= last or state.past_blanks(end) < state.ends[closing]:
        return False
    return probe or _take(state, closing + 1)


def _module_block(state: BlockState, line: int, last: int, probe: bool) -> bool:
    """An import or export of MDX: up to the first blank line outside its braces."""
    start = state.begins[line]
    if state.depth or state.widths[line] or not state.text.startswith(("import ", "export ", "import{"), start):
        return False
    following, end = line, 0
    while following < last and not (state.is_empty(following) and end <= state.begins[following]):
        for brace in re.finditer(r"\{", state.text[state.begins[following] : state.ends[following]]):
            end = max(end, state.brace_end(state.begins[following] + brace.start()))
        following += 1
    return probe or _take(state, following)


def _take(state: BlockState, following: int) -> bool:
    """Take the lines up to `following` as one block without prose."""
    state.push("raw")
    state.line = following
    return True
