"""The one step of the build that is ours: the shipped rules travel compiled beside their files."""

import os
import sys
import tempfile
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledRules(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the compiled rules to a wheel; an editable install goes without, for its rules may change."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the rules of this checkout with its own code."""
        if version == "editable":
            return
        sys.path.insert(0, os.path.join(self.root, "src"))
        from caveat.loading.shipped import write_rulebook

        self.folder = tempfile.TemporaryDirectory()  # lives as long as the build
        path = os.path.join(self.folder.name, "rulebook.json")
        write_rulebook(path)
        build_data["force_include"][path] = "caveat/data/rulebook.json"
