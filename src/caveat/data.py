"""Where the registry, rules and templates that come with Caveat are, and which files of such a folder count."""

from __future__ import annotations

import os


def claims_folder() -> str:
    """The path of the starter registry."""
    return _shipped("claims")


def rules_folder() -> str:
    """The path of the shipped rules; their lexicons are in the subfolder `lexicons`."""
    return _shipped("rules")


def compiled_file() -> str:
    """The path of the shipped rules and vocabulary as the build of the package compiled them; a checkout has none."""
    return os.path.join(os.path.dirname(rules_folder()), "compiled.json")


def templates_folder() -> str:
    """The path of the files that `caveat init` fills in; in `site` are those of `caveat report`."""
    return _shipped("templates")


def vocabulary_file() -> str:
    """The path of the shipped vocabulary, which every registry builds on."""
    return os.path.join(claims_folder(), "vocabulary.yaml")


def yaml_files(folder: str) -> list[str]:
    """The YAML files of a folder and its subfolders in a fixed order; hidden ones are left out."""
    found: list[str] = []
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        found += [os.path.join(parent, name) for name in names if is_yaml(name)]
    return sorted(path.replace(os.sep, "/") for path in found)


def is_yaml(name: str) -> bool:
    """Whether a file of this name is one of YAML; hidden ones do not count."""
    return name.endswith((".yaml", ".yml")) and not name.startswith(".")


def _shipped(name: str) -> str:
    """A folder inside an installed package, or at the top of a checkout."""
    package = os.path.dirname(os.path.abspath(__file__))
    installed = os.path.join(package, "data", name)
    if os.path.isdir(installed):
        return installed
    return os.path.join(os.path.dirname(os.path.dirname(package)), name)
