"""Whether the tables that a draft has from the registry are still what the registry gives."""

from __future__ import annotations

from collections.abc import Iterator

from caveat.article import Article
from caveat.checks.common import finding
from caveat.checks.suppressions import meant
from caveat.comparing.asking import NotKnown
from caveat.comparing.regions import Fault, read_regions, stale_line
from caveat.finding import Finding
from caveat.rulebook.rules import Rule


def registered_table(article: Article, rule: Rule) -> Iterator[Finding]:
    """Tables between `caveat: table` and `caveat: end` that are not as the registry has them, or cannot be made out.

    It has no options. The range is the first line that is not as it should be, or the comment that is wrong.
    """
    document = article.document
    regions, faults = read_regions(document, article.registry)
    for fault in faults:
        yield finding(rule, fault.start, fault.end, problem=_told(fault))
    for region in regions:
        stale = stale_line(document.source.text, region)
        if stale is not None:
            about = f' of "{stale.row}"' if stale.row else ""
            problem = f"this table is not what the registry gives, from the row{about} on"
            yield finding(rule, stale.start, stale.end, problem=problem)


def _told(fault: Fault) -> str:
    """A fault with what was probably meant."""
    mistake = fault.mistake
    if not isinstance(mistake, NotKnown):
        return fault.problem
    hint = meant(mistake.name, mistake.known, "`caveat claims list` has those that there are")
    return f"{fault.problem}; {hint}"
