"""How old the claims of a registry are on a day, in steps that a chart can show."""

from __future__ import annotations

from datetime import date

from caveat.registry.registry import Claim, SourceRecord

UNDATED = "no date"
_STEPS = ((92, "under 3 months"), (365, "3 to 12 months"), (730, "1 to 2 years"))
_OLDER = "over 2 years"
STEPS = (*(name for _, name in _STEPS), _OLDER, UNDATED)


def date_of(claim: Claim, source: SourceRecord) -> str:
    """The day for which a claim was made: its own, else that of its source, else that on which this was read."""
    return claim.as_of or source.published or source.retrieved


def age(day: str, today: date) -> str:
    """The step of a day, month or year (YYYY[-MM[-DD]]), of which the first day counts; what is to come is new."""
    if not day:
        return UNDATED
    year, month, first = (int(part) for part in f"{day}-01-01".split("-")[:3])
    days = (today - date(year, month, first)).days
    return next((name for limit, name in _STEPS if days < limit), _OLDER)
