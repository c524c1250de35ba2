"""An outcome as text and back: what the cache keeps, and what a worker hands to the process that started it."""

from __future__ import annotations

import json
from typing import Any

from caveat.finding import APPLICABILITIES, SEVERITIES, Edit, Finding, Fix
from caveat.markdown.source import Source
from caveat.outcome import COUNTED, Cited, Outcome


def write_outcome(outcome: Outcome) -> str:
    """An outcome without its draft, as one line of JSON."""
    parts = [outcome.findings, outcome.counts, outcome.cited, outcome.suppressed]
    return json.dumps(parts, separators=(",", ":"))


def read_outcome(text: str, source: Source) -> Outcome | None:
    """The outcome that was written of this draft, or None if the text is not one, whatever else it may be."""
    try:
        found, counts, cited, left_out = json.loads(text)
        findings, suppressed = (tuple(_finding(row, len(source.text)) for row in rows) for rows in (found, left_out))
        named = {_text(claim): _cited(row) for claim, row in cited.items()}
        return Outcome(source, findings, {name: _count(counts[name]) for name in COUNTED}, named, suppressed)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def _finding(row: Any, length: int) -> Finding:
    finding = Finding(*row)
    texts = (finding.rule, finding.message, finding.help, finding.why, finding.fingerprint, finding.cite)
    if finding.severity not in SEVERITIES or not 0 <= _count(finding.start) <= _count(finding.end) <= length:
        raise ValueError
    for text in texts:
        _text(text)
    claims = tuple(_text(claim) for claim in finding.claims)
    return finding._replace(claims=claims, fix=None if finding.fix is None else _fix(finding.fix, length))


def _fix(row: Any, length: int) -> Fix:
    title, applicability, rows = row
    edits = tuple(Edit(_count(start), _count(end), _text(text)) for start, end, text in rows)
    places = [place for edit in edits for place in edit[:2]]
    if applicability not in APPLICABILITIES or not edits or places != sorted(places) or places[-1] > length:
        raise ValueError
    return Fix(_text(title), applicability, edits)


def _cited(row: Any) -> Cited:
    value, source, file, line = row
    return Cited(_text(value), _text(source), _text(file), _count(line))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _count(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise TypeError
    return value
