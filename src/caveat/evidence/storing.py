"""A snapshot stored in the registry's folder and recorded for its source: both or neither."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from functools import partial
from typing import Any, NamedTuple

from caveat import data as shipped
from caveat.command import Run
from caveat.evidence.fetching import MOST_BYTES, fetch
from caveat.evidence.formats import EXTENSIONS, PDF, declared_encoding, decode, kind_of
from caveat.evidence.page import Page
from caveat.evidence.pages import read_page
from caveat.loading.registry_files import place_of_source
from caveat.loading.registry_schema import is_date
from caveat.loading.registry_writing import RewritingError, rewritten
from caveat.loading.snapshots import Snapshot, read_snapshots
from caveat.outcome import UserError
from caveat.registry.registry import SourceRecord
from caveat.running.files import shown_path
from caveat.streams import replace_file

FOLDER = "snapshots"
# What has become of a source since the snapshot before.
FIRST, SAME, SAME_TEXT, CHANGED = "", "the same", "the same text", "changed"


class Original(NamedTuple):
    """What is to be stored: its bytes, what messages call it, what a server says of it, and where it was fetched."""

    data: bytes
    name: str
    says: str
    url: str


class Stored(NamedTuple):
    """A snapshot that was stored; `before` is the day of the one before, and `since` what has become of it."""

    source: str
    file: str
    kind: str
    size: int
    sha256: str
    taken: str
    before: str
    since: str
    recorded: str


def day_of(text: str) -> str:
    """The day that a text is, today for ""; raises UserError for another."""
    if text and not is_date(text):
        raise UserError(f"--taken {text}: not a date; write YYYY-MM-DD, for example 2025-12-02")
    return text or date.today().isoformat()  # noqa: DTZ011 - the day where the user is


def store(run: Run, source: SourceRecord, origin: str, *, encoding: str, taken: str) -> Stored:
    """Store the file or page at `origin` as the snapshot of a source, taken on a day.

    Raises UserError if it cannot be had, read or stored; then nothing has changed.
    """
    folders = run.desks.files(run.settings.of_path(".")).claims
    registry_file = _file_of(source, folders)
    original = _fetched(origin) if "://" in origin else _read(origin)
    kind = kind_of(original.data, original.name, says=original.says)
    known = encoding or declared_encoding(original.says)
    page = read_page(original.data, kind, original.name, known)
    known = "" if kind == PDF else _needed(original, kind, known)
    old = read_snapshots(folders).get(source.id)
    file = f"{FOLDER}/{source.id}{EXTENSIONS[kind]}"
    record: dict[str, str] = {"file": file, "sha256": hashlib.sha256(original.data).hexdigest(), "taken": taken}
    record |= {"url": original.url} if original.url and original.url != source.url else {}
    record |= {"encoding": known} if known else {}
    since = _since(old, original.data, page) if old else FIRST
    path = os.path.join(os.path.dirname(registry_file), FOLDER, os.path.basename(file))
    _write(path, original.data, registry_file, partial(_record, source.id, record))
    if old is not None and os.path.basename(old.file) != os.path.basename(file) and old.file.startswith(f"{FOLDER}/"):
        with suppress(OSError):
            os.unlink(old.path)  # it has another ending, and nothing leads to it any more
    return Stored(
        source.id,
        shown_path(path),
        kind,
        len(original.data),
        record["sha256"],
        taken,
        old.taken if old else "",
        since,
        shown_path(registry_file),
    )


def _file_of(source: SourceRecord, folders: tuple[str, ...]) -> str:
    """The file that records a source, in which its snapshot is to be recorded as well."""
    place = place_of_source(folders, source.id)
    if place is None:
        raise UserError(f"the source {source.id!r} is recorded in no file any more; run it again")
    installed = os.path.join(os.path.dirname(os.path.abspath(shipped.__file__)), "")
    if os.path.abspath(place[0]).startswith(installed):
        raise UserError(
            f"{shown_path(place[0])}: the source {source.id!r} is one of the registry that comes with Caveat, "
            "which an update replaces; copy the file into a registry of your own and name that with --claims"
        )
    return place[0]


def _read(path: str) -> Original:
    """The file at a path."""
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror or error}") from error
    if len(data) > MOST_BYTES:
        most = MOST_BYTES // (1024 * 1024)
        raise UserError(f"{path}: more than {most} MiB, the most that a snapshot may have; store the part that counts")
    return Original(data, path, "", "")


def _fetched(url: str) -> Original:
    """The page at an address."""
    fetched = fetch(url)
    return Original(fetched.data, fetched.url, fetched.content_type, fetched.url)


def _needed(original: Original, kind: str, encoding: str) -> str:
    """The encoding if it must be recorded, because the file by itself would be read otherwise or not at all."""
    with suppress(UserError):
        if not encoding or decode(original.data, kind, original.name) == decode(
            original.data, kind, original.name, encoding
        ):
            return ""
    return encoding


def _since(old: Snapshot, data: bytes, page: Page) -> str:
    """What has become of a page since the snapshot before."""
    with suppress(OSError, UserError):
        with open(old.path, "rb") as file:
            before = file.read(MOST_BYTES)
        if before == data:
            return SAME
        was = read_page(before, kind_of(before, old.path), old.path, old.encoding)
        if was.document.prose.split() == page.document.prose.split():
            return SAME_TEXT
    return CHANGED


def _record(id_: str, record: dict[str, str], root: Any) -> None:
    """Record a snapshot in the root of a registry file."""
    source = root["sources"][id_]
    if hasattr(source, "fa"):
        source.fa.set_block_style()  # one line could not hold it
        for comment in filter(None, root["sources"].ca.items.get(id_, ())):
            comment.column = 0  # it stood behind the line
    source["snapshot"] = dict(record)


def _write(path: str, data: bytes, registry_file: str, change: Callable[[Any], None]) -> None:
    """Write a snapshot and the file that records it: if one cannot be written, the other is as it was."""
    try:
        with open(registry_file, "rb") as file:
            text = file.read().decode("utf-8")
        mark = "\ufeff" * text.startswith("\ufeff")
        after = mark + rewritten(text.removeprefix(mark), change)
    except (OSError, UnicodeDecodeError, RewritingError) as error:
        raise UserError(f"{shown_path(registry_file)}: the snapshot cannot be recorded in it: {error}") from error
    folder = os.path.dirname(path)
    made = not os.path.isdir(folder)
    before = None
    try:
        os.makedirs(folder, exist_ok=True)
        _refuse_links(folder, path, registry_file)
        if os.path.exists(path):
            with open(path, "rb") as file:
                before = file.read()
        replace_file(path, data)
    except OSError as error:
        raise UserError(f"{shown_path(path)}: cannot be written: {error.strerror or error}") from error
    try:
        replace_file(registry_file, after.encode("utf-8"))
    except OSError as error:
        with suppress(OSError):
            os.unlink(path) if before is None else replace_file(path, before)
            if made:
                os.rmdir(folder)
        raise UserError(f"{shown_path(registry_file)}: cannot be written: {error.strerror or error}") from error


def _refuse_links(folder: str, path: str, registry_file: str) -> None:
    """A registry that came from elsewhere may hold a link, by which a file outside of it would be overwritten."""
    home = os.path.realpath(os.path.dirname(registry_file) or ".")
    if os.path.islink(path) or os.path.realpath(folder) != os.path.join(home, FOLDER):
        raise OSError("a link leads out of the registry's folder")
