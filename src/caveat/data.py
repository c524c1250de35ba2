"""Where the registry and the rules that come with Caveat are."""

from __future__ import annotations

import os


def claims_folder() -> str:
    """The path of the starter registry."""
    return _shipped("claims")


def rules_folder() -> str:
    """The path of the shipped rules; their lexicons are in the subfolder `lexicons`."""
    return _shipped("rules")


def vocabulary_file() -> str:
    """The path of the shipped vocabulary, which every registry builds on."""
    return os.path.join(claims_folder(), "vocabulary.yaml")


def _shipped(name: str) -> str:
    """A folder inside an installed package, or at the top of a checkout."""
    package = os.path.dirname(os.path.abspath(__file__))
    installed = os.path.join(package, "data", name)
    if os.path.isdir(installed):
        return installed
    return os.path.join(os.path.dirname(os.path.dirname(package)), name)
