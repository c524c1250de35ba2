"""What `caveat init` did, and what to do next."""

from __future__ import annotations

from collections.abc import Mapping

from caveat.report.text import table, visible


def render_started(
    written: Mapping[str, str], left: Mapping[str, str], to_add: Mapping[tuple[str, str], str], *, hooks: bool
) -> str:
    """What was written, what was left alone and why, what to add by hand, and the next steps, with hooks or without."""
    parts = []
    if written:
        parts.append("Written:\n" + _indented(table(("", ""), written.items()).split("\n", 1)[1]))
    if left:
        parts.append("Left alone:\n" + "".join(f"  {visible(path)}: {visible(why)}\n" for path, why in left.items()))
    for (path, key), text in to_add.items():
        where = f", under `{key}`" if key else ""
        parts.append(f"To add to {visible(path)}{where}:\n{text}")
    if not parts:
        return ""
    steps = [
        ("caveat check", "what it says about the drafts that are here"),
        ("caveat baseline", "records what is there by now, so that only what is new is reported"),
        ("caveat claims check", "after each change of the registry"),
        ("pre-commit install", "turns the hooks on"),
    ]
    parts.append("Next:\n" + _indented(table(("", ""), steps if hooks else steps[:-1]).split("\n", 1)[1]))
    return "\n".join(parts)


def _indented(lines: str) -> str:
    return "".join(f"  {line}\n" for line in lines.splitlines())
