"""The comments by which a finding is left out, each written where it is known to work."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from caveat.finding import Finding
from caveat.markdown.document import read
from caveat.markdown.embedded import front_matter_lines
from caveat.markdown.source import Source
from caveat.markdown.suppressions import FILE, LINE, NEXT_BLOCK

_ROW_END = re.compile(r"[ \t]*\\?[ \t]*$")  # with what breaks a line in Markdown
_CELL_END = re.compile(r"[ \t]*(?<!\\)\|[ \t]*$")


class Comment(NamedTuple):
    """A comment to be put in at an offset; its reason is to stand between `before` and `after`."""

    at: int
    before: str
    after: str

    def text(self, reason: str = "") -> str:
        """The comment with a reason, or waiting for one."""
        return f"{self.before} {reason}{self.after}" if reason else f"{self.before}{self.after}"


def comment_for(source: Source, finding: Finding) -> Comment | None:
    """A comment about this finding and as little else as can be; None where none works."""
    return next((each for each in _narrow(source, finding) if _works(source, finding, each)), None)


def comment_for_all(source: Source, finding: Finding) -> Comment | None:
    """A comment about the findings of this rule in the whole draft."""
    lines = front_matter_lines(re.sub(r"\r\n?", "\n", source.text))
    starts = source.row_starts()
    at = starts[lines] if lines < len(starts) else len(source.text)
    comment = Comment(at, *_written(source, FILE, finding.rule, ending=_line_end(source) * 2))
    return comment if _works(source, finding, comment) else None


def _narrow(source: Source, finding: Finding) -> Iterator[Comment]:
    """Where the comment may stand: at the end of the row, in a last cell too, or above the block."""
    starts, row = source.row_starts(), source.place(finding.start)[0]
    end = starts[row] if row < len(starts) else len(source.text)
    text = source.text[starts[row - 1] : end].rstrip("\r\n")
    for pattern in (_CELL_END, _ROW_END):
        if found := pattern.search(text):
            before, after = _written(source, LINE, finding.rule)
            yield Comment(starts[row - 1] + found.start(), f" {before}", after)
    while row > 1 and source.text[starts[row - 2] : starts[row - 1]].strip():
        row -= 1
    yield Comment(starts[row - 1], *_written(source, NEXT_BLOCK, finding.rule, ending=_line_end(source)))


def _written(source: Source, form: str, rule: str, ending: str = "") -> tuple[str, str]:
    opening, closing = ("{/*", "*/}") if source.filename.lower().endswith(".mdx") else ("<!--", "-->")
    return f"{opening} caveat: {form}[{rule}]", f" {closing}{ending}"


def _line_end(source: Source) -> str:
    starts = source.row_starts()
    return "\r\n" if len(starts) > 1 and source.text.endswith("\r\n", 0, starts[1]) else "\n"


def _works(source: Source, finding: Finding, comment: Comment) -> bool:
    """Whether the draft with the comment in it has a suppression there, and one that covers the finding."""
    text = comment.text("reason")
    changed = Source(source.text[: comment.at] + text + source.text[comment.at :], source.filename)
    moved = finding.start + (len(text) if comment.at <= finding.start else 0)
    return any(
        comment.at <= each.start < comment.at + len(text) and each.holds and each.covered[0] <= moved < each.covered[1]
        for each in read(changed).suppressions
    )
