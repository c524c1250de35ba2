"""Findings as JSON: an array with one object, and one line, a finding."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from caveat.finding import Finding, Fix
from caveat.markdown.source import Source
from caveat.outcome import Outcome

# Signs that JSON lets stand but a terminal acts on: DEL, the C1 controls, line separators and changes of direction.
_RISKY = (0x7F, *range(0x80, 0xA0), 0x061C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A))
_ESCAPED = {code: f"\\u{code:04x}" for code in _RISKY}


def render(outcomes: Iterable[Outcome]) -> str:
    """All findings, in the order of the drafts and of each draft."""
    return array(objects(outcomes))


def objects(outcomes: Iterable[Outcome]) -> Iterator[dict[str, Any]]:
    """One object a finding."""
    return (_object(outcome.source, finding) for outcome in outcomes for finding in outcome.findings)


def array(rows: Iterable[Mapping[str, Any]]) -> str:
    """A JSON array with one object on each line."""
    written = [written_out(row) for row in rows]
    return "[\n" + ",\n".join(written) + "\n]\n" if written else "[]\n"


def lines(rows: Iterable[Mapping[str, Any]]) -> str:
    """JSON objects, one on each line."""
    return "".join(written_out(row) + "\n" for row in rows)


def written_out(value: Any, indent: int | None = None) -> str:
    """JSON as text; nothing in it can steer a terminal."""
    return json.dumps(value, ensure_ascii=False, indent=indent).translate(_ESCAPED)


def _object(source: Source, finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "message": finding.message,
        "filename": source.filename,
        "location": position(source, finding.start),
        "end_location": position(source, finding.end),
        "text": source.text[finding.start : finding.end],
        "claims": list(finding.claims),
        "help": finding.help,
        "fix": fix_object(source, finding.fix),
        "fingerprint": finding.fingerprint,
    }


def fix_object(source: Source, fix: Fix | None) -> dict[str, Any] | None:
    """A fix with the places of its edits, which are to be applied together; None for none."""
    if fix is None:
        return None
    edits = [
        {
            "content": edit.text,
            "location": position(source, edit.start),
            "end_location": position(source, edit.end),
        }
        for edit in fix.edits
    ]
    return {"applicability": fix.applicability, "message": fix.title, "edits": edits}


def position(source: Source, offset: int) -> dict[str, int]:
    """The row and column of an offset, both counted from 1."""
    row, column = source.place(offset)
    return {"row": row, "column": column}
