"""What an import did to a registry file."""

from __future__ import annotations

from collections.abc import Sequence

from caveat.report.json_report import written_out
from caveat.report.text import visible

_SHOWN = 12  # ids of each kind; more are counted


def render_imported(path: str, added: Sequence[str], changed: Sequence[str], same: Sequence[str], fmt: str) -> str:
    """The ids of the records that were added, changed and left as they were; `path` is the file, "" for none."""
    if fmt == "json":
        report = {"filename": path or None, "added": added, "changed": changed, "same": same}
        return written_out(report, indent=2) + "\n"
    kinds = (("Added", added), ("Changed", changed))
    lines = [f"{word}: {_listed(ids)}\n" for word, ids in kinds if ids]
    what = f"{len(added)} added, {len(changed)} changed, {len(same)} the same"
    return f"{''.join(lines)}{visible(path)}: {what}.\n"


def _listed(ids: Sequence[str]) -> str:
    more = f" ... ({len(ids)} in all)" if len(ids) > _SHOWN else ""
    return visible(", ".join(ids[:_SHOWN])) + more
