"""The addresses by which editors name files, and the paths that they stand for."""

from __future__ import annotations

import os
from pathlib import PurePosixPath, PureWindowsPath
from urllib.parse import quote_from_bytes, unquote_to_bytes, urlsplit

ON_WINDOWS = os.name == "nt"


def path_of(uri: str, *, windows: bool = ON_WINDOWS) -> str:
    """The path of a file: URI; "" for one of another kind, such as that of a text that was never saved."""
    try:
        parts = urlsplit(uri)
    except ValueError:  # a bracket where a host should be
        return ""
    if parts.scheme.lower() != "file" or not parts.path:
        return ""
    path = os.fsdecode(unquote_to_bytes(parts.path))
    if parts.netloc not in {"", "localhost"}:
        path = f"//{parts.netloc}{path}"
    if "\0" in path:  # no file has such a name
        return ""
    if not windows:
        return path
    if path[:1] == "/" and path[2:3] == ":":  # /c:/drafts: the drive is the root
        path = path[1].upper() + path[2:]
    return str(PureWindowsPath(path))


def uri_of(path: str, *, windows: bool = ON_WINDOWS) -> str:
    """The file: URI of a path; one that is relative is of the working folder."""
    if windows:
        return PureWindowsPath(path).as_uri()
    absolute = str(PurePosixPath(os.path.abspath(path)))
    return "file://" + quote_from_bytes(os.fsencode(absolute), safe="/:@!$&'()*+,;=~-._")


def name_of(uri: str) -> str:
    """How a text without a file is called: "Untitled-1" of "untitled:Untitled-1"."""
    return os.path.basename(uri.rpartition(":")[2]) or "untitled"
