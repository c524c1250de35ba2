"""Names of pages: safe in every file system and address, each once, the same in every run."""

from __future__ import annotations

import re
from collections.abc import Iterable

from caveat.digest import digest

_LONGEST = 120
# What Windows takes for a device whatever stands behind its dot.
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)


def page_names(names: Iterable[str]) -> dict[str, str]:
    """A page name for each name. Where letter case or a sign that had to go is all that differs, a digest is added."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        plain = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.") or "page"
        if plain.lower() in taken or len(plain) > _LONGEST or _DEVICES.match(plain):
            plain = f"{plain[:_LONGEST]}-{digest(name.encode('utf-8', 'surrogatepass'))[:10]}"
        taken.add(plain.lower())
        found[name] = f"{plain}.html"
    return found
