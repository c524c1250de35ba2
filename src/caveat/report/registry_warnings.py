"""What a sound registry warns of: a line a warning, or JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from caveat.loading.problems import RegistryWarning
from caveat.registry.registry import Registry
from caveat.report.json_report import array
from caveat.report.registry import render_counts
from caveat.report.text import counted, visible


def render_warnings(warnings: Sequence[RegistryWarning], registry: Registry, fmt: str) -> str:
    """The warnings: a JSON array for "json", else what was found sound, a line each, and their count."""
    if fmt == "json":
        return array(map(_record, warnings))
    lines = [f"Sound: {render_counts(registry)}.", *map(_line, warnings)]
    if warnings:
        kinds = Counter(warning.name for warning in warnings).most_common()
        total = counted(len(warnings), "warning")
        lines.append(f"{total}: {', '.join(f'{count} {name}' for name, count in kinds)}.")
    return "".join(f"{visible(line)}\n" for line in lines)


def _line(warning: RegistryWarning) -> str:
    place, _, what = str(warning.problem).partition(": ")
    return f"{place}: warning[{warning.name}] {what}"


def _record(warning: RegistryWarning) -> dict[str, Any]:
    """A warning in the manner of a finding."""
    problem = warning.problem
    return {
        "rule": warning.name,
        "severity": "warning",
        "message": f"{problem.subject}: {problem.message}",
        "filename": problem.file,
        "location": {"row": problem.line, "column": problem.column},
        "claims": list(warning.claims),
        "source": warning.source or None,
        "help": problem.hint,
    }
