"""Paths as a server sees them that shows findings in a repository: from its root."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from caveat.outcome import Outcome

CHECKOUTS = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")  # where GitHub and GitLab say that the repository is


def repository_root(environment: Mapping[str, str]) -> str:
    """The root of the repository that the working folder is in, by CI or by its .git; else the working folder."""
    here = os.path.realpath(os.getcwd())
    for name in CHECKOUTS:
        given = environment.get(name, "")
        if given and _inside(here, os.path.realpath(given)):
            return os.path.realpath(given)
    at = here
    while not os.path.exists(os.path.join(at, ".git")):
        above = os.path.dirname(at)
        if above == at:
            return here
        at = above
    return at


def seen_from(root: str, outcomes: Sequence[Outcome]) -> list[Outcome]:
    """The outcomes with the paths of drafts and claims from a root; those outside of it are made absolute."""
    return [
        outcome._replace(
            source=outcome.source.renamed(_from_root(outcome.source.filename, root)),
            cited={name: cited._replace(file=_from_root(cited.file, root)) for name, cited in outcome.cited.items()},
        )
        for outcome in outcomes
    ]


def _from_root(path: str, root: str) -> str:
    if path in {"<stdin>", "<text>"}:
        return path
    folder, name = os.path.split(os.path.abspath(path))
    absolute = os.path.join(os.path.realpath(folder), name)
    shown = os.path.relpath(absolute, root) if _inside(absolute, root) else absolute
    return shown.replace(os.sep, "/")


def _inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder if folder.endswith(os.sep) else folder + os.sep)
