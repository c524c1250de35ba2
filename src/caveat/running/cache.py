"""What is kept between runs, in the user's cache folder: the compiled registry and rules, and findings by draft.

The cache can make a run faster and nothing else. Every entry is named after the content that it was computed from and
carries a checksum over that name and itself; it is JSON, so that reading it can run nothing; and the folder is used
only if nobody else can write to it. Whatever is wrong with an entry, a folder or a disk, the work is done again.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache

from caveat import __version__
from caveat.digest import digest

DESKS, FINDINGS, CONFIGS = "desks", "findings", "configs"
# How much is kept. Findings lie in 256 folders by the first two digits of their key: a write prunes a small one.
DESK_BYTES = 32 << 20
SHARD_BYTES = 256 << 10
LARGEST_ENTRY = 64 << 20
OTHERS_MAY_WRITE = 0o022


def cache_folder(environment: Mapping[str, str]) -> str:
    """The folder for Caveat's cache by the customs of the platform, or "" if there is no home to put it in."""
    chosen = environment.get("CAVEAT_CACHE_DIR")
    if chosen:
        return os.path.abspath(chosen)
    customary = environment.get("XDG_CACHE_HOME", "")
    if os.path.isabs(customary):
        return os.path.join(customary, "caveat")
    if sys.platform == "win32":
        local = environment.get("LOCALAPPDATA", "")
        return os.path.join(local, "caveat", "Cache") if local else ""
    home = os.path.expanduser("~")
    if not os.path.isabs(home):
        return ""
    return os.path.join(home, *(("Library", "Caches") if sys.platform == "darwin" else (".cache",)), "caveat")


class Cache:
    """Texts kept by kind and key. With the folder "" nothing is kept. `refusal` says why one is not used or filled."""

    __slots__ = ("folder", "refusal")

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.refusal = ""
        if folder and not self._usable():
            self.folder = ""

    def _usable(self) -> bool:
        try:
            _make(self.folder)
            about = os.stat(self.folder)
        except OSError as error:
            self.refusal = f"{self.folder}: not used as a cache: {error.strerror or error}"
            return False
        if hasattr(os, "getuid") and about.st_uid != os.getuid():
            self.refusal = f"{self.folder}: not used as a cache: it belongs to another user"
        elif hasattr(os, "getuid") and about.st_mode & OTHERS_MAY_WRITE:
            self.refusal = f"{self.folder}: not used as a cache: other users can write to it"
        if self.refusal:
            return False
        if not os.access(self.folder, os.W_OK):  # what others have put there can still be read
            self.refusal = f"{self.folder}: nothing is added to this cache: it cannot be written"
        return True

    def read(self, kind: str, key: str) -> str | None:
        """The text that was kept under a key, or None if there is none that can be trusted."""
        if not self.folder:
            return None
        try:
            handle = os.open(self._path(kind, key), os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
            with open(handle, "rb") as file:
                about = os.fstat(handle)
                foreign = hasattr(os, "getuid") and (
                    about.st_uid != os.getuid() or about.st_mode & OTHERS_MAY_WRITE != 0
                )
                if foreign or about.st_size > LARGEST_ENTRY:
                    return None
                seal, _, body = file.read(LARGEST_ENTRY).partition(b"\n")
            return body.decode("utf-8") if seal == _seal(key, body) else None
        except (OSError, UnicodeDecodeError):
            return None

    def write(self, kind: str, key: str, text: str) -> None:
        """Keep a text under a key: whole or not at all, and never an error."""
        if not self.folder:
            return
        path = self._path(kind, key)
        folder = os.path.dirname(path)
        passing = os.path.join(folder, f".{os.getpid()}-{time.monotonic_ns()}")
        body = text.encode("utf-8")
        try:
            _make(folder)
            handle = os.open(passing, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            try:
                with open(handle, "wb") as file:
                    file.write(_seal(key, body) + b"\n" + body)
                os.replace(passing, path)
            except OSError:
                os.unlink(passing)
                raise
            _prune(folder, DESK_BYTES if kind == DESKS else SHARD_BYTES, newest=os.path.basename(path))
        except OSError:
            return

    def _path(self, kind: str, key: str) -> str:
        if kind in {DESKS, CONFIGS}:
            return os.path.join(self.folder, kind, key)
        return os.path.join(self.folder, kind, key[:2], key)


@lru_cache(maxsize=1)
def code_state() -> str:
    """Version, Python, and size and time of each file of the package: what is kept must not outlive its code."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    states = [__version__, f"{sys.version_info[:2]}"]
    folders = [package]
    while folders:
        for entry in os.scandir(folders.pop()):
            if entry.name.endswith(".py"):
                about = entry.stat()
                states.append(f"{entry.path} {about.st_size} {about.st_mtime_ns}")
            elif entry.is_dir() and entry.name not in {"__pycache__", "data"}:
                folders.append(entry.path)
    return "\n".join(sorted(states))


def _make(folder: str) -> None:
    """Make a folder, and those above it that are missing, for the user alone."""
    if not os.path.isdir(folder):
        _make(os.path.dirname(folder))
        with suppress(FileExistsError):  # another run was faster
            os.mkdir(folder, 0o700)


def _seal(key: str, body: bytes) -> bytes:
    """A checksum over an entry and its name: an entry that was moved to another name is as bad as a torn one."""
    return digest(key.encode("ascii"), body).encode("ascii")


def _prune(folder: str, limit: int, newest: str) -> None:
    """Remove the oldest entries of a folder until the others fit the limit; the newest stays in any case."""
    entries = []
    for entry in os.scandir(folder):
        about = entry.stat(follow_symlinks=False)
        entries.append((entry.name == newest, about.st_mtime_ns, about.st_size, entry.path))
    total = sum(size for _, _, size, _ in entries)
    for is_newest, _, size, path in sorted(entries):
        if total <= limit or is_newest:
            return
        os.unlink(path)
        total -= size
