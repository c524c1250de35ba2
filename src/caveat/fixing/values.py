"""The registry's value for a figure that differs from it: shown, and put in only by whoever looks at this finding."""

from __future__ import annotations

import re
from collections.abc import Iterator

from caveat.comparing.wording import grouped, plain
from caveat.finding import DISPLAY_ONLY, Edit, Finding, Fix
from caveat.fixing.case import Case
from caveat.fixing.wording import in_quotation

_NUMBER = re.compile(r"\d[\d.,]*\d|\d")
_UNGROUPED = re.compile(r"\d{4}")


def registered_value(case: Case, finding: Finding) -> Iterator[Fix]:
    """The value that all claims which a figure contradicts have: its number, where the unit is the same."""
    binding, claims = case.binding(finding), case.claims(finding)
    if binding is None or in_quotation(case.article, case.sentence(finding), finding.start):
        return
    figure = binding.statement.figure
    claims = [claim for claim in claims if claim.figure and claim.figure.unit == figure.unit] or claims
    if len({(claim.qualifier, claim.value) for claim in claims}) != 1:
        return
    claim = claims[0]
    words = case.article.words(figure.start, figure.end)
    value = plain(claim.value) if _UNGROUPED.search(words) else grouped(plain(claim.value))
    printed, registered = _NUMBER.search(words), _NUMBER.search(value)
    if printed is None or registered is None or figure.quantity.low != figure.quantity.high:
        return  # a number in words, or two of them, take more than another number
    same_unit = claim.figure is not None and claim.figure.unit == figure.unit
    if not same_unit and (figure.from_header or figure.kind == "count"):
        return
    start = figure.start + printed.start() if same_unit else figure.start
    end = figure.start + printed.end() if same_unit else figure.end
    text = registered[0] if same_unit else value
    title = f"Write the registered value, {f'{plain(claim.qualifier)} {value}'.strip()}"
    yield Fix(title, DISPLAY_ONLY, (Edit(start, end, text),))
    if claim.qualifier and not figure.qualifier and start == figure.start:
        yield Fix(title, DISPLAY_ONLY, (Edit(start, end, f"{plain(claim.qualifier)} {text}"),))
