"""The cache makes a run faster and nothing else, whatever is in its folder."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveat.digest import digest
from caveat.finding import UNSAFE, Edit, Finding, Fix
from caveat.markdown.source import Source
from caveat.outcome import COUNTED, Cited, Outcome
from caveat.running import cache as cache_module
from caveat.running.cache import DESKS, FINDINGS, Cache, cache_folder
from caveat.running.record import read_outcome, write_outcome

KEY = digest(b"a draft")
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="permissions are those of POSIX")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "caveat"


def entry_of(folder: Path, key: str = KEY) -> Path:
    return folder / FINDINGS / key[:2] / key


def test_what_was_written_is_read(folder: Path) -> None:
    Cache(str(folder)).write(FINDINGS, KEY, "é\n")
    assert Cache(str(folder)).read(FINDINGS, KEY) == "é\n"
    assert Cache(str(folder)).read(FINDINGS, digest(b"another")) is None
    assert Cache(str(folder)).read(DESKS, KEY) is None


@POSIX
def test_only_the_owner_can_look_into_it(folder: Path) -> None:
    Cache(str(folder)).write(FINDINGS, KEY, "x")
    for path in (folder, folder / FINDINGS, entry_of(folder).parent):
        assert path.stat().st_mode & 0o777 == 0o700
    assert entry_of(folder).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: b"",
        lambda data: data[:-1],
        lambda data: data + b" ",
        lambda data: data.replace(b"x", b"y"),
        lambda data: b"0" * 64 + data[64:],
        lambda data: data.partition(b"\n")[2],
        lambda _: b"\xff" * 300,
    ],
)
def test_a_damaged_entry_is_none(folder: Path, damage: Any) -> None:
    cache = Cache(str(folder))
    cache.write(FINDINGS, KEY, "xxx")
    path = entry_of(folder)
    path.write_bytes(damage(path.read_bytes()))
    assert cache.read(FINDINGS, KEY) is None


def test_an_entry_moved_to_another_name_is_none(folder: Path) -> None:
    cache = Cache(str(folder))
    other = KEY[:2] + "0" * 62
    cache.write(FINDINGS, KEY, "x")
    entry_of(folder).rename(entry_of(folder, other))
    assert cache.read(FINDINGS, other) is None


@POSIX
def test_an_entry_that_others_may_write_or_a_link_is_none(folder: Path) -> None:
    cache = Cache(str(folder))
    cache.write(FINDINGS, KEY, "x")
    path = entry_of(folder)
    path.chmod(0o666)
    assert cache.read(FINDINGS, KEY) is None
    path.chmod(0o600)
    path.rename(folder / "elsewhere")
    path.symlink_to(folder / "elsewhere")
    assert cache.read(FINDINGS, KEY) is None


@POSIX
def test_a_folder_that_others_may_write_is_refused(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o777)
    cache = Cache(str(folder))
    cache.write(FINDINGS, KEY, "x")
    assert cache.refusal == f"{folder}: not used as a cache: other users can write to it"
    assert cache.read(FINDINGS, KEY) is None
    assert list(folder.iterdir()) == []


@POSIX
def test_a_folder_of_another_user_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stranger = os.getuid() + 1
    monkeypatch.setattr(os, "getuid", lambda: stranger)
    assert Cache(str(folder)).refusal == f"{folder}: not used as a cache: it belongs to another user"


@pytest.mark.parametrize("place", ["a file", "under a file"])
def test_where_no_folder_can_be_the_work_is_done_without(folder: Path, place: str) -> None:
    folder.write_text("not a folder")
    cache = Cache(str(folder if place == "a file" else folder / "below"))
    cache.write(FINDINGS, KEY, "x")
    assert cache.read(FINDINGS, KEY) is None


@pytest.mark.parametrize("call", ["open", "mkdir"])
def test_a_read_only_folder_is_no_error(folder: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    cache = Cache(str(folder))

    def refuse(*_: Any) -> None:
        raise PermissionError(30, "Read-only file system")

    monkeypatch.setattr(os, call, refuse)
    cache.write(FINDINGS, KEY, "x")
    assert cache.read(FINDINGS, KEY) is None


def test_a_full_disk_is_no_error_and_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(str(folder))

    def full(_from: str, _to: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    cache.write(FINDINGS, KEY, "x")
    assert cache.read(FINDINGS, KEY) is None
    assert [path for path in folder.rglob("*") if path.is_file()] == []


def test_the_oldest_entries_go_when_there_are_too_many(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "DESK_BYTES", 1000)
    cache = Cache(str(folder))
    for number in range(6):
        cache.write(DESKS, f"{number:064}", "x" * 200)
        os.utime(folder / DESKS / f"{number:064}", (number, number))
    kept = sorted(int(path.name) for path in (folder / DESKS).iterdir())
    assert kept == [3, 4, 5]


def test_the_newest_entry_stays_however_large(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "SHARD_BYTES", 10)
    cache = Cache(str(folder))
    cache.write(FINDINGS, KEY, "x" * 200)
    assert cache.read(FINDINGS, KEY) == "x" * 200


def test_an_entry_too_large_to_be_ours_is_none(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(str(folder))
    cache.write(FINDINGS, KEY, "x" * 200)
    monkeypatch.setattr(cache_module, "LARGEST_ENTRY", 100)
    assert cache.read(FINDINGS, KEY) is None


def test_a_key_tells_parts_apart() -> None:
    assert digest(b"ab", b"c") != digest(b"a", b"bc") != digest(b"abc") != digest(b"abc", b"")


@pytest.mark.parametrize(
    ("environment", "platform", "folder"),
    [
        ({"CAVEAT_CACHE_DIR": "/own", "XDG_CACHE_HOME": "/xdg"}, "linux", "/own"),
        ({"XDG_CACHE_HOME": "/xdg"}, "linux", "/xdg/caveat"),
        ({"XDG_CACHE_HOME": "relative"}, "linux", "/home/me/.cache/caveat"),
        ({}, "linux", "/home/me/.cache/caveat"),
        ({}, "darwin", "/home/me/Library/Caches/caveat"),
        ({}, "win32", ""),
    ],
)
@POSIX
def test_the_folder_is_the_customary_one(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], platform: str, folder: str
) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.setattr(sys, "platform", platform)
    assert cache_folder(environment) == folder


SOURCE = Source("The chip has 144 GB.", "a.md")
FIX = Fix("Name the source", UNSAFE, (Edit(0, 0, "Per the sheet, "), Edit(0, 1, "t")))
OUTCOME = Outcome(
    SOURCE,
    (
        Finding("unsourced-figure", "error", "no source", 13, 19, "cite it", ("chip-memory",), "readers ask", "f00"),
        Finding("unsourced-figure", "error", "no source", 13, 19, fix=FIX),
    ),
    dict.fromkeys(COUNTED, 1),
    {"chip-memory": Cited("144 GB", "Data sheet", "claims/chip.yaml", 7)},
)


def test_an_outcome_survives_being_written() -> None:
    assert read_outcome(write_outcome(OUTCOME), SOURCE) == OUTCOME


def test_a_record_of_a_longer_draft_is_none() -> None:
    assert read_outcome(write_outcome(OUTCOME), Source("Short.", "a.md")) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=9) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


def sound(fix: Fix) -> bool:
    """Whether a fix can be applied to the draft."""
    places = [place for edit in fix.edits for place in (edit.start, edit.end)]
    texts = [fix.title, *(edit.text for edit in fix.edits)]
    return 0 <= places[0] <= places[-1] <= len(SOURCE.text) and all(isinstance(text, str) for text in texts)


@given(JSON)
def test_json_that_is_no_record_is_none(value: Any) -> None:
    assert read_outcome(json.dumps(value), SOURCE) is None


@given(st.data())
def test_a_record_with_any_part_exchanged_is_none_or_sound(data: st.DataObject) -> None:
    record = json.loads(write_outcome(OUTCOME))
    at = record
    while isinstance(at, (list, dict)) and at:
        steps = list(at) if isinstance(at, dict) else list(range(len(at)))
        step = data.draw(st.sampled_from(steps))
        if data.draw(st.booleans()) or not isinstance(at[step], (list, dict)):
            at[step] = data.draw(JSON)
            break
        at = at[step]
    read = read_outcome(json.dumps(record), SOURCE)
    if read is not None:
        for finding in read.findings:
            assert 0 <= finding.start <= finding.end <= len(SOURCE.text)
            assert all(isinstance(field, (str, int, tuple)) for field in finding[:-1])
            assert finding.fix is None or sound(finding.fix)
        assert all(type(count) is int for count in read.counts.values())


@pytest.mark.parametrize("text", ["", "[", "[[[[" * 100_000, "null", "[[], {}, {}]", '{"a": 1}', "NaN"])
def test_hostile_text_is_none(text: str) -> None:
    assert read_outcome(text, SOURCE) is None
