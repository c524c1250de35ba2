"""`caveat claims snapshot`: a copy of a source is stored and recorded, whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import socket
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pypdf import PdfReader
from pypdf.errors import DependencyError
from syrupy.assertion import SnapshotAssertion

from caveat import data
from caveat.checks import CHECK_NAMES
from caveat.evidence import fetching, storing
from caveat.evidence.formats import kind_of
from caveat.evidence.pages import read_page
from caveat.loading.compile import compile_folders
from caveat.loading.registry_writing import RewritingError, rewritten
from caveat.loading.snapshots import read_snapshots
from caveat.outcome import UserError
from caveat.streams import replace_file
from commands import Result, Run
from pages import PAGE, REGISTRY, TITLE, pdf

Snapshot = Callable[..., Result]


@pytest.fixture
def snapshot_of(run: Run, inside: Path) -> Snapshot:
    """Store what a file holds as the snapshot of a source of a registry."""
    (inside / "claims").mkdir()
    (inside / "claims" / "acme.yaml").write_text(REGISTRY)

    def store(source: str, origin: str, *more: str) -> Result:
        arguments = ("--from", origin, "--claims", "claims", *(more or ("--taken", "2026-12-01")))
        return run("claims", "snapshot", source, *arguments)

    return store


def state() -> dict[str, bytes]:
    """All files of the registry's folder."""
    return {path.as_posix(): path.read_bytes() for path in Path("claims").rglob("*") if path.is_file()}


def test_a_snapshot_is_stored_and_recorded_and_nothing_else_changes(
    snapshot_of: Snapshot, snapshot: SnapshotAssertion
) -> None:
    Path("rocket.html").write_text(PAGE)
    assert snapshot_of("sheet", "rocket.html") == snapshot
    assert Path("claims/snapshots/sheet.html").read_text() == PAGE
    assert snapshot_of("page", "rocket.html").code == 0
    assert Path("claims/acme.yaml").read_text() == snapshot(name="recorded")
    assert read_snapshots(["claims"])["page"].sha256 == hashlib.sha256(PAGE.encode()).hexdigest()


def test_the_registry_with_a_snapshot_is_sound_and_compiled_to_the_same(snapshot_of: Snapshot, run: Run) -> None:
    def compiled() -> Any:
        return compile_folders(["claims"], [data.rules_folder()], CHECK_NAMES)[0]["registry"]["sources"]

    before = compiled()
    Path("rocket.html").write_text(PAGE)
    snapshot_of("page", "rocket.html")
    assert compiled() == before
    said = run("claims", "check", "--claims", "claims", "--select", "no-snapshot")
    sound, warning, *_ = said.out.splitlines()
    assert (said.code, sound) == (0, "Sound: 1 claim, 2 products, 2 sources, 1 vendor.")
    assert warning.endswith("keep one: caveat claims snapshot sheet --from https://vendor.example/page")
    snapshot_of("sheet", "rocket.html")
    assert "no-snapshot" not in run("claims", "check", "--claims", "claims").out


def test_a_snapshot_as_json(snapshot_of: Snapshot) -> None:
    Path("rocket.txt").write_text("The Rocket has up to 64 GB of memory.\n")
    done = snapshot_of("page", "rocket.txt", "--taken", "2026-11", "--format", "json")
    assert json.loads(done.out) == {
        "source": "page",
        "file": "claims/snapshots/page.txt",
        "kind": "text",
        "size": 38,
        "sha256": hashlib.sha256(Path("rocket.txt").read_bytes()).hexdigest(),
        "taken": "2026-11",
        "before": "",
        "since": "",
        "recorded": "claims/acme.yaml",
    }


def test_another_snapshot_says_what_has_become_of_the_page(snapshot_of: Snapshot) -> None:
    Path("rocket.html").write_text(PAGE)
    assert "since" not in snapshot_of("sheet", "rocket.html").out
    again = snapshot_of("sheet", "rocket.html", "--taken", "2027-01-05").out
    assert again.endswith("It is the same as that of 2026-12-01.\n")
    Path("rocket.html").write_text(PAGE.replace("<p>", "<p class=x>"))
    assert "Its text is the same as on 2027-01-05; the file is another." in snapshot_of("sheet", "rocket.html").out
    Path("rocket.pdf").write_bytes(pdf("The Rocket has up to 48 GB of memory."))
    assert "Its text has changed since 2026-12-01" in snapshot_of("sheet", "rocket.pdf").out
    assert sorted(state()) == ["claims/acme.yaml", "claims/snapshots/sheet.pdf"]


def test_a_page_is_fetched_with_the_encoding_that_its_server_says(
    snapshot_of: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = f"{TITLE}<p>Fusée: up to 64 GB of memory.".encode("cp1252")
    served = fetching.Fetched(page, "text/html; charset=ISO-8859-1", "https://vendor.example/page?a=1")
    monkeypatch.setattr(storing, "fetch", lambda _: served)
    assert snapshot_of("sheet", "https://vendor.example/page").code == 0
    found = read_snapshots(["claims"])["sheet"]
    assert (found.encoding, found.url) == ("ISO-8859-1", "https://vendor.example/page?a=1")
    assert Path(found.path).read_bytes() == page


# What goes wrong.

UNDECLARED = f"{TITLE}<p>Fusée: up to 64 GB of memory.".encode("cp1252")
FILES: dict[str, bytes] = {
    "pdf.html": pdf("The Rocket has 64 GB."),
    "page.pdf": PAGE.encode(),
    "page.txt": PAGE.encode(),
    "words.html": b"Nothing but words.",
    "empty.html": b" \n",
    "scripts.html": f"{TITLE}<div id=root></div><script>render()</script>".encode(),
    "picture.html": b"\x89PNG\r\n\x1a\n",
    "sheet.docx": b"PK\x03\x04",
    "noise.txt": b"ab\x00\x01",
    "scan.pdf": pdf(),
    "locked.pdf": pdf("The Rocket has 64 GB.", password="secret"),  # noqa: S106 - of a PDF that holds nothing
    "broken.pdf": b"%PDF-1.7\nnothing of it",
    "cut.pdf": pdf("The Rocket has 64 GB.")[:400],
    "undeclared.html": UNDECLARED,
    "declared.html": UNDECLARED.replace(b"<title>", b"<meta charset=utf-8><title>"),
    "unknown.html": UNDECLARED.replace(b"<title>", b"<meta charset=x-rocket><title>"),
    "large.txt": b"64 GB\n" * 6_000_000,
}


@pytest.mark.parametrize("name", FILES)
def test_what_cannot_be_read_is_said_and_not_stored(
    name: str, snapshot_of: Snapshot, snapshot: SnapshotAssertion
) -> None:
    Path(name).write_bytes(FILES[name])
    before = state()
    done = snapshot_of("page", name)
    assert (done.code, done.out) == (2, "")
    assert done.err == snapshot
    assert state() == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("pgae", "a.html"), "there is no source 'pgae'; did you mean page?"),
        (("page", "missing.html"), "missing.html: cannot be read: No such file or directory"),
        (("page", "claims"), "claims: cannot be read: Is a directory"),
        (("page", "a.html", "--taken", "yesterday"), "--taken yesterday: not a date; write YYYY-MM-DD, for example"),
        (("page", "a.html", "--encoding", "klingon"), "a.html: there is no encoding 'klingon'; give another"),
        (("page", "a.html", "--encoding", "base64"), "a.html: there is no encoding 'base64'; give another"),
        (("page", "http://127.0.0.1:9/"), "127.0.0.1 is at 127.0.0.1, which is no address of the public internet"),
        (("page", "http://localhost:9/"), "localhost is at "),
        (("page", "ftp://vendor.example/"), "only http:// and https:// are fetched"),
    ],
)
def test_a_useful_word_for_every_mistake(arguments: tuple[str, ...], message: str, snapshot_of: Snapshot) -> None:
    Path("a.html").write_text(PAGE)
    before = state()
    done = snapshot_of(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ")
    assert message in done.err
    assert state() == before


def test_an_encoding_that_is_given_is_recorded_with_the_snapshot(snapshot_of: Snapshot) -> None:
    Path("a.html").write_bytes(UNDECLARED)
    assert snapshot_of("page", "a.html", "--encoding", "windows-1252").code == 0
    assert read_snapshots(["claims"])["page"].encoding == "windows-1252"
    assert snapshot_of("sheet", "a.html", "--encoding", "windows-1252").code == 0
    Path("a.html").write_bytes(UNDECLARED.replace(b"<title>", b"<meta charset=windows-1252><title>"))
    assert snapshot_of("page", "a.html", "--encoding", "windows-1252").code == 0
    assert read_snapshots(["claims"])["page"].encoding == ""


def test_a_pdf_that_anyone_may_read_is_read_though_it_is_encrypted(monkeypatch: pytest.MonkeyPatch) -> None:
    open_ = pdf("The Rocket has 64 GB.", password="", owner="us")
    assert "64 GB" in read_page(open_, "PDF", "a.pdf").document.prose

    def no_cipher(*_: object) -> None:
        raise DependencyError

    monkeypatch.setattr(PdfReader, "decrypt", no_cipher)
    with pytest.raises(UserError, match=r"a.pdf: the PDF is encrypted by AES; `pip install pypdf\[crypto\]` reads"):
        read_page(open_, "PDF", "a.pdf")


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        ("<meta charset=windows-1252>", "cp1252"),
        ("<meta http-equiv=Content-Type content='text/html; charset=iso-8859-1'>", "cp1252"),
        ("<meta charset='Shift_JIS'>", "shift_jis"),
        ("<meta charset=utf-16>", "utf-8"),
        ("", "utf-8"),
        ("", "utf-8-sig"),
        ("", "utf-16"),
    ],
)
def test_a_page_is_read_in_the_encoding_that_it_declares(head: str, encoding: str) -> None:
    words = (
        "火箭: 64 GB" if encoding not in ("cp1252", "shift_jis") else {"cp1252": "Fusée “X”"}.get(encoding, "ロケット")
    )
    page = f"<!doctype html>{head}<title>x</title><p>{words}".encode(encoding)
    assert words in read_page(page, kind_of(page, "a.html"), "a.html").document.prose


def test_a_text_may_be_in_another_encoding_if_it_says_so() -> None:
    text = "Rocket   Mini\n\n64 GB    32 GB\n".encode("utf-16")
    assert "64 GB" in read_page(text, kind_of(text, "a.txt"), "a.txt").document.prose


def test_a_link_leads_nothing_out_of_the_registry(snapshot_of: Snapshot) -> None:
    Path("a.html").write_text(PAGE)
    Path("mine.txt").write_text("mine")
    Path("claims/snapshots").mkdir()
    os.symlink(os.path.abspath("mine.txt"), "claims/snapshots/page.html")
    done = snapshot_of("page", "a.html")
    assert (
        done.err == "error: claims/snapshots/page.html: cannot be written: a link leads out of the registry's folder\n"
    )
    assert Path("mine.txt").read_text() == "mine"
    assert Path("claims/acme.yaml").read_text() == REGISTRY


def test_neither_is_changed_if_the_registry_cannot_be_written(
    snapshot_of: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("a.html").write_text(PAGE)

    def full(path: str, data: bytes) -> None:
        if path.endswith(".yaml"):
            raise OSError(28, "No space left on device")
        replace_file(path, data)

    monkeypatch.setattr(storing, "replace_file", full)
    before = state()
    done = snapshot_of("page", "a.html")
    assert done.err == "error: claims/acme.yaml: cannot be written: No space left on device\n"
    assert state() == before
    assert not Path("claims/snapshots").exists()


def test_the_registry_that_comes_with_caveat_is_not_written_to_where_it_is_installed(
    snapshot_of: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("a.html").write_text(PAGE)
    monkeypatch.setattr(storing, "shipped", SimpleNamespace(__file__=os.path.abspath("data.py")))
    done = snapshot_of("page", "a.html")
    assert "the source 'page' is one of the registry that comes with Caveat, which an update replaces" in done.err
    assert Path("claims/acme.yaml").read_text() == REGISTRY


def test_without_a_file_or_an_address_nothing_is_stored(run: Run) -> None:
    done = run("claims", "snapshot", "page")
    assert done.code == 2
    assert "Missing option '--from'" in done.err


def test_nothing_is_connected_to_before_it_was_looked_at(
    snapshot_of: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr(socket.socket, "connect", never)
    monkeypatch.setattr(socket, "create_connection", never)
    assert snapshot_of("page", "http://10.0.0.1/").code == 2


# The record in the registry.


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ("{file: ../x.pdf, sha256: HASH, taken: 2026}", 'file: "../x.pdf" is no path below this file\'s folder'),
        ("{file: /etc/passwd, sha256: HASH, taken: 2026}", 'file: "/etc/passwd" is no path below'),
        ("{file: 'C:\\x.pdf', sha256: HASH, taken: 2026}", "is no path below this file's folder"),
        ("{file: x.pdf, sha256: abc, taken: 2026}", 'sha256: "abc" is no SHA-256; let `caveat claims snapshot` record'),
        ("{file: x.pdf, sha256: HASH, taken: soon}", 'taken: "soon" is not a date'),
        ("{file: x.pdf, sha256: HASH}", "snapshot.taken: missing; write the day on which it was taken"),
        ("{file: x.pdf, hash: HASH, taken: 2026}", 'unknown key "hash"; write one of file, sha256, taken, url'),
        ("x.pdf", "snapshot: a mapping is expected, not text; write {file: its path, sha256: its hash"),
    ],
)
def test_a_faulty_record_is_a_fault_of_the_registry(record: str, message: str, run: Run, inside: Path) -> None:
    (inside / "claims").mkdir()
    text = REGISTRY.replace("    kind: vendor-page\n", f"    kind: vendor-page\n    snapshot: {record}\n")
    (inside / "claims" / "acme.yaml").write_text(text.replace("HASH", "a" * 64))
    done = run("claims", "check", "--claims", "claims")
    assert done.code == 2
    assert message in done.err


def test_the_schema_for_editors_knows_snapshots(run: Run) -> None:
    schema = json.loads(run("schema", "registry").out)
    assert set(schema["$defs"]["SnapshotEntry"]["properties"]) == {"file", "sha256", "taken", "url", "encoding"}


def test_a_file_that_would_change_is_not_rewritten() -> None:
    with pytest.raises(RewritingError, match="the tag !own is not allowed"):
        rewritten("sources:\n  a: {title: !own x}\n", lambda root: root["sources"].update(b={}))


def test_what_looks_like_a_number_or_a_date_stays_as_it_was_typed() -> None:
    text = (
        'sources:\n  a: {published: 2026-01-02T03:04:05.60Z, title: 4.10, url: 0o17, kind: "no", x: 1_000, y: 12:30}\n'
    )
    assert rewritten(text, lambda root: root["sources"].update(b="1e3")) == f"{text}  b: 1e3\n"


def test_line_ends_and_long_lines_stay() -> None:
    text = f"sources:\r\n  a:\r\n    title: {'word ' * 40}end\r\n    aliases: [x,\r\n      y]\r\n"
    after = rewritten(text, lambda root: root["sources"]["a"].update(kind="press"))
    assert after.endswith("    kind: press\r\n")
    assert after.count("\r\n") == after.count("\n")
    assert f"title: {'word ' * 40}end\r\n" in after
