"""The one step of the build that is ours: the shipped rules and vocabulary travel compiled beside their files."""

import os
import sys
import tempfile
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledFiles(BuildHookInterface):  # type: ignore[type-arg]
    """Adds them to a wheel; an editable install goes without, for its files may change."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile what this checkout ships with its own code."""
        if version == "editable":
            return
        sys.path.insert(0, os.path.join(self.root, "src"))
        from caveat.loading.shipped import write_shipped

        self.folder = tempfile.TemporaryDirectory()  # lives as long as the build
        path = os.path.join(self.folder.name, "compiled.json")
        write_shipped(path)
        build_data["force_include"][path] = "caveat/data/compiled.json"
