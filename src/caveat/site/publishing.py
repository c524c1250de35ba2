"""A folder of pages put in place as a whole, and only where no other file is lost by it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress

from caveat.outcome import UserError

# In a report, the file that says so. It lists all others, one a line.
MARKER = ".caveat-report"


def check_place(folder: str) -> None:
    """Raises UserError if a report cannot take this place: it is no folder, or has files that are not of a report."""
    if os.path.realpath(folder) == os.path.realpath(os.curdir):
        raise UserError(f"-o {folder}: this is the current folder, which cannot be replaced; name another")
    if not os.path.lexists(folder):
        return
    if not os.path.isdir(folder):
        raise UserError(f"-o {folder}: this is a file; name a folder that is new, empty, or a report")
    try:
        others = sorted(_files(folder) - _listed(folder))
    except OSError as error:
        raise UserError(f"-o {folder}: cannot be read: {error.strerror or error}") from error
    if others:
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        raise UserError(
            f"-o {folder}: it has files that no report wrote: {others[0]}{more}; name a folder that is new, empty, "
            "or a report"
        )


def publish(pages: Mapping[str, str], folder: str) -> None:
    """Write pages, by their paths in it, as the folder: all of them or none. `check_place` has allowed it."""
    target = os.path.realpath(folder)
    try:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        passing = tempfile.mkdtemp(prefix=".caveat-", dir=os.path.dirname(target))
        try:
            new, old = os.path.join(passing, "new"), os.path.join(passing, "old")
            _fill(new, {**pages, MARKER: "".join(f"{path}\n" for path in sorted(pages))})
            if os.path.isdir(target):
                shutil.copymode(target, new)
                os.rename(target, old)
            try:
                os.rename(new, target)
            except OSError:
                with suppress(OSError):
                    os.rename(old, target)
                raise
        finally:
            shutil.rmtree(passing, ignore_errors=True)
    except OSError as error:
        raise UserError(f"-o {folder}: cannot be written: {error.strerror or error}") from error


def _fill(folder: str, pages: Mapping[str, str]) -> None:
    os.mkdir(folder)
    for path in sorted({os.path.dirname(path) for path in pages} - {""}):
        os.makedirs(os.path.join(folder, path), exist_ok=True)
    for path, text in pages.items():
        with open(os.path.join(folder, path), "x", encoding="utf-8", newline="\n", errors="backslashreplace") as file:
            file.write(text)


def _files(folder: str) -> set[str]:
    """All files below a folder, by their paths in it; a link counts as one."""
    found = set()
    for parent, folders, names in os.walk(folder, onerror=_complain):
        links = [name for name in folders if os.path.islink(os.path.join(parent, name))]
        found |= {os.path.relpath(os.path.join(parent, name), folder).replace(os.sep, "/") for name in (*names, *links)}
    return found


def _complain(error: OSError) -> None:
    raise error


def _listed(folder: str) -> set[str]:
    """The files that are there because a report was written here; none if there is no report."""
    try:
        with open(os.path.join(folder, MARKER), encoding="utf-8") as file:
            return {MARKER, *file.read().splitlines()}
    except (FileNotFoundError, UnicodeDecodeError):
        return set()
