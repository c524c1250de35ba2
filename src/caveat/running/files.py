"""Which drafts a command line names, and what they say."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from caveat.markdown.source import Source
from caveat.outcome import UserError

MARKDOWN = (".md", ".markdown", ".mdx")
NEVER_ENTERED = frozenset({".git", ".hg", ".svn", ".jj", "node_modules", "__pycache__"})
STDIN = "-"


class Drafts:
    """The drafts to check, in order and each once, and what is to be said about the paths that gave none."""

    __slots__ = ("errors", "notes", "paths")

    def __init__(self, paths: list[str], errors: list[str], notes: list[str]) -> None:
        self.paths = paths
        self.errors = errors
        self.notes = notes


class Patterns:
    """Lines in the manner of .gitignore, and the folder that they are about."""

    __slots__ = ("base", "spec")

    def __init__(self, base: str, spec: Any) -> None:
        self.base = base
        self.spec = spec


def patterns(base: str, lines: Sequence[str]) -> Patterns:
    """Compiled patterns; pathspec is loaded only when there are some."""
    from pathspec import GitIgnoreSpec

    try:
        return Patterns(os.path.abspath(base), GitIgnoreSpec.from_lines(lines))
    except ValueError as error:
        raise UserError(f"{base}: a pattern that cannot be read: {error}") from error


def matches(path: str, patterns_: Sequence[Patterns]) -> bool:
    """Whether patterns speak of a file, and the last word is no "!"."""
    return bool(patterns_) and _left_out(os.path.abspath(path), patterns_, folder=False)


def nothing_excluded(folder: str) -> Sequence[Patterns]:  # noqa: ARG001 - as find_drafts calls it
    """No patterns for any folder."""
    return ()


def listed_paths(path: str) -> list[str]:
    """The paths that a file names, `-` being standard input: one a line, or with a NUL after each, as of `git -z`."""
    try:
        data = _bytes(path)
    except OSError as error:
        raise UserError(f"--files-from {path}: cannot be read: {error.strerror or error}") from error
    listed = data.split(b"\0") if b"\0" in data else data.splitlines()
    return [os.fsdecode(name) for name in listed if name]


def find_drafts(
    paths: Sequence[str],
    excluded_in: Callable[[str], Sequence[Patterns]] = nothing_excluded,
    *,
    force_exclude: bool = False,
    stdin_filename: str = "",
) -> Drafts:
    """The drafts behind paths: a file is taken whatever its name, a folder gives the Markdown in it.

    `excluded_in` gives the patterns that hold for what is directly in a folder. What is excluded, or ignored by git,
    is left out of folders only: a file that is named is meant, unless `force_exclude` says that excluded means so.
    """
    if force_exclude:
        named = [(path, stdin_filename if path == STDIN else path) for path in paths]
        paths = [path for path, name in named if not (_is_file(name) and _excluded(name, excluded_in))]
    found: dict[str, str] = {}
    errors: list[str] = []
    notes: list[str] = []
    for path in paths:
        if path == STDIN:
            found.setdefault(STDIN, STDIN)
        elif os.path.isdir(path):
            below = list(_markdown_in(path, excluded_in, errors))
            for draft in below:
                found.setdefault(os.path.abspath(draft), draft)
            if not below:
                notes.append(f"{path}: no Markdown in this folder ({', '.join(MARKDOWN)})")
        elif os.path.exists(path):
            found.setdefault(os.path.abspath(path), path)
        else:
            errors.append(f"{path or repr(path)}: no such file or folder")
    return Drafts(list(found.values()), errors, notes)


def _is_file(path: str) -> bool:
    return path != "" and not os.path.isdir(path)


def _excluded(path: str, excluded_in: Callable[[str], Sequence[Patterns]]) -> bool:
    return matches(path, excluded_in(os.path.dirname(path) or "."))


def _markdown_in(folder: str, excluded_in: Callable[[str], Sequence[Patterns]], errors: list[str]) -> Iterator[str]:
    """The Markdown below a folder, in the order of its names, as paths that begin with the folder's.

    Folders that cannot be read are added to `errors`.
    """
    above = _inherited(os.path.abspath(folder))
    if _left_out(os.path.abspath(folder), above, folder=True):
        above = []
    yield from _walk(folder, os.path.abspath(folder), above, excluded_in, errors)


def _walk(
    folder: str,
    absolute: str,
    ignored: Sequence[Patterns],
    excluded_in: Callable[[str], Sequence[Patterns]],
    errors: list[str],
) -> Iterator[str]:
    ignored = [*ignored, *_ignore_file(absolute, ".gitignore", absolute)]
    excluded = excluded_in(absolute)

    def wanted(path: str, *, is_folder: bool) -> bool:
        return not (_left_out(path, excluded, folder=is_folder) or _left_out(path, ignored, folder=is_folder))

    try:
        with os.scandir(folder) as entries:
            ordered = sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        errors.append(f"{shown_path(folder)}: cannot be read: {error.strerror or error}")
        return
    for entry in ordered:
        name, path = entry.name, os.path.join(absolute, entry.name)
        if entry.is_dir(follow_symlinks=False):
            if name not in NEVER_ENTERED and wanted(path, is_folder=True):
                yield from _walk(entry.path, path, ignored, excluded_in, errors)
        elif name.lower().endswith(MARKDOWN) and os.path.isfile(path) and wanted(path, is_folder=False):
            yield entry.path


def _inherited(folder: str) -> list[Patterns]:
    """The .gitignore files above a folder, from the root of its repository down; none outside a repository."""
    found: list[Patterns] = []
    at = folder
    while True:
        if at != folder:
            found = _ignore_file(at, ".gitignore", at) + found
        if os.path.exists(os.path.join(at, ".git")):
            return _ignore_file(os.path.join(at, ".git", "info"), "exclude", at) + found
        above = os.path.dirname(at)
        if above == at:
            return []
        at = above


def _ignore_file(folder: str, name: str, base: str) -> list[Patterns]:
    try:
        with open(os.path.join(folder, name), "rb") as file:
            lines = os.fsdecode(file.read()).splitlines()
    except OSError:
        return []
    wanted = [line for line in lines if line.strip() and not line.startswith("#")]
    return [patterns(base, wanted)] if wanted else []


def _left_out(path: str, ignored: Sequence[Patterns], *, folder: bool) -> bool:
    """Whether the nearest pattern that speaks of a path leaves it out."""
    for patterns_of in reversed(ignored):
        base, spec = patterns_of.base, patterns_of.spec
        if path == base or not path.startswith(base if base.endswith(os.sep) else base + os.sep):
            continue
        verdict = spec.check_file(os.path.relpath(path, base) + ("/" if folder else "")).include
        if verdict is not None:
            return bool(verdict)
    return False


def read_draft(path: str, stdin_filename: str = "") -> Source:
    """The draft at a path, `-` being standard input. Raises UserError if it cannot be read or decoded."""
    shown = shown_path(path)
    if path == STDIN:
        shown = shown_path(stdin_filename) if stdin_filename else "<stdin>"
    try:
        data = _bytes(path)
    except OSError as error:
        raise UserError(f"{shown}: cannot be read: {error.strerror or error}") from error
    return Source(_decode(data, shown), shown)


def _bytes(path: str) -> bytes:
    """What is in a file, or comes on standard input."""
    if path == STDIN:
        return sys.stdin.buffer.read()
    with open(path, "rb") as file:
        return file.read()


def _decode(data: bytes, name: str) -> str:
    """The text of a draft, a byte order mark included."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        utf16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
        cure = "it looks like UTF-16; save it as UTF-8" if utf16 else "save it as UTF-8"
        row = data.count(b"\n", 0, error.start) + 1
        message = f"{name}: not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start}, row {row}; {cure}"
        raise UserError(message) from error


def shown_path(path: str) -> str:
    """A path as reports print it: relative to the working folder if it is inside, with forward slashes."""
    absolute, here = os.path.abspath(path), os.getcwd()
    inside = absolute.startswith(here if here.endswith(os.sep) else here + os.sep)
    return (os.path.relpath(absolute, here) if inside else path).replace(os.sep, "/")
