# ruff: noqa: FBT001 - rules take `probe` by position
"""Definitions of labels: `[label]: destination "title"`."""

from __future__ import annotations

from caveat.markdown.block_state import BlockState
from caveat.markdown.links import destination, folded, is_allowed, title_end
from caveat.markdown.signs import BLANKS


def definition_of_label(state: BlockState, line: int, _last: int, _probe: bool) -> bool:
    """The definition of a label, `[label]: destination "title"`, over as many lines as it takes."""
    reader = _Definition(state, line)
    end = reader.label_end()
    if end < 0 or reader.text[end + 1 : end + 2] != ":":
        return False
    start = reader.past_space(end + 2)
    found = destination(reader.text, start, len(reader.text))
    if found is None or not is_allowed(found[1]):
        return False
    behind, following = found[0], reader.following
    title = reader.title(behind)
    # What stands behind a title makes it none; behind an empty one it makes the whole no definition, in markdown-it.
    if title is None or (not reader.ends_at(title[1]) and title[1] - title[0] > 2):
        reader.following = following
    else:
        behind = title[1]
    label = folded(reader.text[1:end])
    if not reader.ends_at(behind) or not label:
        return False
    state.references.setdefault(label, found[1])
    state.line = reader.following
    return True


class _Definition:
    """The text of a definition, to which lines are added as they are needed."""

    __slots__ = ("following", "state", "text")

    def __init__(self, state: BlockState, line: int) -> None:
        self.state = state
        self.text = state.text[state.start(line) : state.ends[line] + 1]
        self.following = line + 1

    def label_end(self) -> int:
        """The offset of the bracket that closes the label, or -1."""
        at = 1
        while at < len(self.text):
            sign = self.text[at]
            if sign == "[":
                return -1
            if sign == "]":
                return at
            if sign == "\\":
                at += 1
            if self.text[at : at + 1] == "\n":
                self._add_line()
            at += 1
        return -1

    def past_space(self, at: int) -> int:
        """The offset of the next sign that is neither a blank nor a line break."""
        while at < len(self.text) and self.text[at] in "\t\n ":
            if self.text[at] == "\n":
                self._add_line()
            at += 1
        return at

    def title(self, at: int) -> tuple[int, int] | None:
        """Where the title behind a destination starts and ends, or None if there is none."""
        start = self.past_space(at)
        end, done = title_end(self.text, start, len(self.text)), len(self.text)
        while end < 0 and self._add_line():
            end, done = title_end(self.text, start, len(self.text), done), len(self.text)
        return (start, end) if end > 0 and start > at else None

    def ends_at(self, at: int) -> bool:
        """Whether nothing but blanks follows on the line."""
        return self.text[at:].partition("\n")[0].strip(BLANKS) == ""

    def _add_line(self) -> bool:
        """Add the next line; False if none can go on with the definition."""
        state, line = self.state, self.following
        if line >= state.lines or state.is_empty(line):
            return False
        lazy = state.is_code(line) or state.widths[line] < 0
        if not lazy and state.ends_before(line, state.lines, state.flavour.in_definition):
            return False
        self.text += state.text[state.start(line) : state.ends[line] + 1]
        self.following += 1
        return True
