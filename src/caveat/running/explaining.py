"""What holds for a draft and who says so, for `caveat config`."""

from __future__ import annotations

import os
from collections.abc import Iterator

from caveat.report.settings import Page, Row
from caveat.running.config import ConfigFile, lines_of, place_in
from caveat.running.files import matches, shown_path
from caveat.running.settings import DEFAULTS, Settings


def explain_settings(path: str, settings: Settings) -> Page:
    """The page of a draft or folder, which need not exist."""
    rows = [*(_row(key, settings) for key in DEFAULTS if key != "upkeep"), *_upkeep(settings)]
    is_folder = os.path.isdir(path)
    return Page(
        shown_path(path),
        [shown_path(file.path) for file in settings.config.files],
        rows,
        {key: [shown_path(folder) for folder in getattr(settings, key)] for key in ("claims", "rules")},
        excluded=not is_folder and matches(path, settings.exclude),
        ignores=settings.ignores_for("" if is_folder else path),
    )


def _upkeep(settings: Settings) -> Iterator[Row]:
    """The rows of the table on the care of the registry, each key of which has a default of its own."""
    said, origin = settings.values["upkeep"], settings.origins["upkeep"]
    for name, default in DEFAULTS["upkeep"].items():
        if isinstance(origin, ConfigFile) and name in said:
            line = int(place_in(origin, ("upkeep", name)).rsplit(":", 2)[1])
            yield Row(f"upkeep.{name}", said[name], shown_path(origin.path), line)
        else:
            yield Row(f"upkeep.{name}", default, "")


def _row(key: str, settings: Settings) -> Row:
    value, origin = settings.values[key], settings.origins[key]
    if isinstance(origin, ConfigFile):
        return Row(key, value, shown_path(origin.path), lines_of(origin)[key])
    return Row(key, list(value) if isinstance(value, tuple) else value, origin or "")
