"""Snapshots and verdicts as text for people, and as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from caveat.report.text import counted, table, visible

if TYPE_CHECKING:
    from caveat.evidence.storing import Stored
    from caveat.evidence.verdicts import Verdict
    from caveat.loading.snapshots import Snapshot

_HEADER = ("CLAIM", "RESULT", "CLAIMED", "WHAT THE PAGE SAYS")


def render_stored(stored: Stored, fmt: str) -> str:
    """What was stored: a JSON object for "json", else a few lines."""
    if fmt == "json":
        return _json(stored._asdict())
    since = {
        "the same": f"It is the same as that of {stored.before}.",
        "the same text": f"Its text is the same as on {stored.before}; the file is another.",
        "changed": f"Its text has changed since {stored.before}: `caveat claims verify` says what of it still holds.",
    }.get(stored.since, "")
    lines = [
        f"Stored {stored.file} ({stored.kind}, {stored.size:,} bytes), taken {stored.taken},",
        f"and recorded it for {stored.source} in {stored.recorded}.",
        *([since] if since else []),
    ]
    return "".join(f"{visible(line)}\n" for line in lines)


def render_verdicts(
    verdicts: Sequence[Verdict], snapshots: Mapping[str, Snapshot], fmt: str, *, every: bool = False
) -> str:
    """The verdicts: a JSON array for "json", else a table and a closing count.

    The table has those that a page was looked at for and that it does not bear out, or `every` one. Below each are the
    words of the page.
    """
    if fmt == "json":
        return _json([_record(verdict, snapshots.get(verdict.claim.source)) for verdict in verdicts])
    shown = [verdict for verdict in verdicts if every or verdict.failed]
    if not shown:
        return _summary(verdicts)
    rows = [(v.claim.id, v.result, v.claim.stated, v.message) for v in shown]
    header, *lines = table(_HEADER, rows).splitlines(keepends=True)
    quoted = (_quoted(verdict, snapshots.get(verdict.claim.source)) for verdict in shown)
    listing = "".join(line + below for line, below in zip(lines, quoted, strict=True))
    return f"{header}{listing}\n{_summary(verdicts)}"


def _quoted(verdict: Verdict, snapshot: Snapshot | None) -> str:
    """The words of the page with their place, on a line of their own."""
    if not verdict.excerpt or snapshot is None:
        return ""
    page = f", page {verdict.page}" if verdict.page else ""
    return f'    {visible(snapshot.file)}{page}: "{visible(verdict.excerpt)}"\n'


def _summary(verdicts: Sequence[Verdict]) -> str:
    """How many claims are borne out, and what became of the others."""
    verified = sum(verdict.verified for verdict in verdicts)
    results = Counter(verdict.result for verdict in verdicts if not verdict.verified)
    others = ", ".join(f"{number} {result}" for result, number in results.items())
    return f"Verified: {verified} of {counted(len(verdicts), 'claim')}{f'; {others}' if others else ''}.\n"


def _record(verdict: Verdict, snapshot: Snapshot | None) -> dict[str, Any]:
    """A verdict for a machine."""
    claim = verdict.claim
    of_snapshot = None
    if snapshot is not None:
        of_snapshot = {"file": snapshot.file, "sha256": snapshot.sha256, "taken": snapshot.taken}
    return {
        "id": claim.id,
        "result": verdict.result,
        "message": verdict.message,
        "value": claim.value,
        "qualifier": claim.qualifier,
        "evidence": claim.evidence,
        "source": claim.source,
        "snapshot": of_snapshot,
        "excerpt": verdict.excerpt,
        "page": verdict.page or None,
        "filename": claim.file,
        "row": claim.line,
    }


def _json(data: Any) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
