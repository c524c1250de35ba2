"""Suppressions that leave nothing out are removed: the name, or the comment if nothing else is in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from caveat.article import Article
from caveat.finding import SAFE, Edit, Finding, Fix
from caveat.fixing.case import Case
from caveat.fixing.wording import LINE_END
from caveat.markdown.suppressions import Suppression

_BLANK = " \t"


def without_suppression(case: Case, finding: Finding) -> Iterator[Fix]:
    """Take out a name that leaves nothing out, and the comment with the last of its names."""
    for suppression in case.article.document.suppressions:
        names = suppression.names
        at = next((at for at, name in enumerate(names) if name.start == finding.start), -1)
        if at < 0:
            continue
        unused = {other.start for other in case.findings if other.rule == finding.rule}
        if all(name.start in unused for name in names):
            title = "Remove the unused suppression"
            yield from (Fix(title, SAFE, (edit,)) for edit in _without_comment(case.article, suppression))
        else:
            last = at == len(names) - 1
            place = (names[at - 1].end, names[at].end) if last else (names[at].start, names[at + 1].start)
            yield Fix(f"Remove {names[at].text} from the suppression", SAFE, (Edit(*place, ""),))


def _without_comment(article: Article, suppression: Suppression) -> Iterator[Edit]:
    """Ways to take a comment out, the tidiest first: with its line, with its blanks, by itself."""
    text, start, end = article.document.source.text, suppression.start, suppression.end
    line_start = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    lead, behind = text[line_start:start], re.compile(rf"[ \t]*({LINE_END}|\Z)").match(text, end)
    if behind and not lead.strip(" \t>"):
        blank = re.compile(rf"[ \t>]*{LINE_END}").match(text, behind.end())
        before = text[:line_start]
        opens = not before or re.search(rf"{LINE_END}[ \t>]*{LINE_END}\Z", before) is not None
        if blank and opens:
            yield Edit(line_start, blank.end(), "")
        if behind[1] or not before:
            yield Edit(line_start, behind.end(), "")
        else:  # the last line, of a draft that does not end in a line end
            yield Edit(len(before.rstrip("\r\n >\t")), behind.end(), "")
        yield Edit(line_start + len(lead.rstrip(_BLANK)), behind.start(1), "")
    elif behind and re.search(r"(?:[-*+]|\d[.)])[ \t]*\Z", lead):  # an item that the comment opens
        yield Edit(start, len(text) - len(text[behind.end() :].lstrip(_BLANK)), "")
    first = len(text[:start].rstrip(_BLANK))
    if first > line_start and (behind or text[end : end + 1] in ("", " ", "\t", "|")):
        yield Edit(first, end, "")
    following = len(text) - len(text[end:].lstrip(_BLANK))
    yield Edit(start, following, "")
    yield Edit(start, end, "")
