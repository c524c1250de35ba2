"""The baseline: recorded once, it hides what was there, one finding an entry, and nothing else."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from caveat.finding import Finding
from caveat.markdown.source import Source
from caveat.outcome import COUNTED, Outcome
from caveat.running.baseline import Baseline, Entry, read_baseline, write_baseline
from commands import Result, Run
from test_cli import BAD, CLAIMS, GOOD, many, write

__all__ = ["many"]

FILE = ".caveat-baseline.json"
HOW_TO_USE = (
    f"note: `caveat check --baseline {FILE}` leaves these findings out; "
    f'so does `caveat check` with baseline = "{FILE}" in its configuration\n'
)
OTHER = "The MI300X has 256 GB of HBM3, according to AMD's data sheet.\n"


@pytest.fixture
def check(run: Run) -> Run:
    """Check with the baseline."""

    def check_here(*arguments: str) -> Result:
        return run("check", "--claims", CLAIMS, "--baseline", FILE, "--format", "concise", *arguments)

    return check_here


@pytest.fixture
def record(run: Run) -> Run:
    """Record a baseline, or prune it."""

    def record_here(*arguments: str) -> Result:
        return run("baseline", "--claims", CLAIMS, *arguments)

    return record_here


def rows() -> list[tuple[str, str, str]]:
    return [(row["path"], row["rule"], row["text"]) for row in json.loads(Path(FILE).read_text())["findings"]]


def test_what_was_there_is_not_shown(record: Run, check: Run, snapshot: SnapshotAssertion) -> None:
    write(("b.md", OTHER + "\n" + BAD), ('a/ü "x".md', BAD), ("good.md", GOOD))
    assert record() == (0, f"{FILE}: 3 findings in 2 drafts; 3 added, 0 removed.\n", HOW_TO_USE)
    assert Path(FILE).read_text(encoding="utf-8") == snapshot
    result = check(".")
    assert (result.code, result.out) == (0, "")
    assert result.err.endswith("Found: nothing; 3 in the baseline.\n")


def test_a_clean_archive_has_an_empty_baseline(record: Run, check: Run) -> None:
    write(("good.md", GOOD))
    assert record() == (0, f"{FILE}: 0 findings in 0 drafts; 0 added, 0 removed.\n", HOW_TO_USE)
    assert json.loads(Path(FILE).read_text()) == {"version": 1, "findings": []}
    assert check(".").code == 0


def test_moved_lines_and_wrapped_paragraphs_are_the_same(record: Run, check: Run) -> None:
    write(("a.md", BAD), ("q.md", "> " + BAD))
    record()
    wrapped = BAD.replace("128 GB", "128\nGB")
    write(("a.md", f"# New\n\nWords.\n\n{wrapped}"), ("q.md", "> " + wrapped.replace("\n", "\n> ", 1)))
    assert check(".").code == 0


def test_a_swap_is_seen(record: Run, check: Run) -> None:
    write(("a.md", BAD + "\n" + OTHER))
    record()
    write(("a.md", BAD.replace("128", "129") + "\n" + OTHER))
    result = check(".")
    assert result.code == 1
    assert result.out.startswith("a.md:1:24: error figure-mismatch 129 GB here")
    assert "1 entry is stale, for there is no such finding any more; `caveat baseline --prune` removes it" in result.err
    assert result.err.endswith("  a.md: figure-mismatch 128 GB\n")


def test_one_more_of_the_same_is_seen(record: Run, check: Run) -> None:
    write(("a.md", f"{BAD}\n{BAD}"))
    record()
    assert check(".").code == 0
    write(("a.md", f"{BAD}\n{BAD}\n{BAD}"))
    assert check(".").out.count("\n") == 1
    write(("b.md", BAD))
    assert check(".").out.count("\n") == 2


def test_pruning_removes_what_is_gone_and_adds_nothing(record: Run, check: Run) -> None:
    write(("a.md", BAD + "\n" + OTHER), ("gone.md", BAD))
    record()
    write(("a.md", BAD), ("new.md", OTHER))
    os.unlink("gone.md")
    assert "2 entries are stale" in check(".").err
    assert record("--prune") == (0, f"{FILE}: 2 stale entries removed, 1 finding left.\n", "")
    assert rows() == [("a.md", "figure-mismatch", "128 GB")]
    before = os.stat(FILE).st_mtime_ns
    assert record("--prune").out == f"{FILE}: no stale entries removed, 1 finding left.\n"
    assert os.stat(FILE).st_mtime_ns == before
    assert check(".").out.startswith("new.md:1:16")


def test_recording_again_replaces_what_it_checks(record: Run) -> None:
    write(("a.md", BAD), ("b.md", BAD), ("gone.md", BAD))
    record()
    os.unlink("gone.md")
    write(("a.md", OTHER), ("b.md", OTHER))
    assert record("a.md").out == f"{FILE}: 2 findings in 2 drafts; 1 added, 2 removed.\n"
    assert rows() == [("a.md", "figure-mismatch", "256 GB"), ("b.md", "figure-mismatch", "128 GB")]


def test_what_a_run_does_not_look_at_is_not_stale(record: Run, check: Run) -> None:
    write(("a.md", BAD), ("b.md", BAD))
    record()
    write(("a.md", GOOD), ("b.md", GOOD))
    assert "stale" not in check("--select", "unsourced-figure", ".").err
    assert "stale" not in check("--ignore", "figure-mismatch", ".").err
    assert "1 entry is stale" in check("a.md").err
    assert record("--ignore", "figure-mismatch").out == f"{FILE}: 2 findings in 2 drafts; 0 added, 0 removed.\n"


def test_severity_makes_nothing_stale(record: Run, check: Run) -> None:
    write(("a.md", "The H200 draws 700 W.\n"))
    record()
    result = check("--severity", "error", ".")
    assert "stale" not in result.err
    assert record("--severity", "error").out.startswith(f"{FILE}: ")


def test_a_suppressed_finding_is_not_recorded(record: Run, check: Run) -> None:
    write(("a.md", BAD.rstrip() + " <!-- caveat: ignore[figure-mismatch] why -->\n"))
    assert record().out.startswith(f"{FILE}: 0 findings")


def test_paths_are_from_the_folder_of_the_baseline(
    run: Run, record: Run, check: Run, inside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(("docs/a.md", BAD))
    record()
    (inside / "elsewhere").symlink_to(inside / "docs")
    monkeypatch.chdir("elsewhere")
    result = run("check", "--claims", CLAIMS, "--baseline", f"../{FILE}", "-q", "a.md")
    assert result.code == 0


def test_the_configuration_names_it(run: Run, inside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(("caveat.toml", f'claims = "{CLAIMS}"\nbaseline = "known.json"\n'), ("docs/a.md", BAD))
    write(("docs/own/caveat.toml", f'claims = "{CLAIMS}"\n'), ("docs/own/b.md", BAD))
    missing = run("check", "docs/a.md")
    assert (missing.code, missing.err) == (
        2,
        "error: known.json: there is no such baseline; `caveat baseline` records one\n",
    )
    monkeypatch.chdir("docs")
    assert run("baseline", "a.md").out.startswith(f"{inside}/known.json: 1 finding in 1 draft")
    assert run("check", "a.md").code == 0
    assert run("check", "own/b.md").code == 1
    assert "known.json" in run("config", "a.md").out


@pytest.mark.parametrize("form", ["full", "concise", "json", "jsonl", "github", "sarif", "gitlab", "rdjson", "junit"])
def test_every_format_leaves_out_the_same(run: Run, record: Run, form: str) -> None:
    write(("a.md", BAD))
    record()
    write(("a.md", f"{BAD}\n{OTHER}"))
    for _ in range(2):  # the second time from the cache
        result = run("check", "--claims", CLAIMS, "--baseline", FILE, "--format", form, "a.md")
        assert result.code == 1
        assert "256 GB here" in result.out
        assert "128 GB here" not in result.out
    record()
    assert run("check", "--claims", CLAIMS, "--baseline", FILE, "--format", form, "a.md").code == 0


def test_the_same_for_any_number_of_workers(run: Run, record: Run, check: Run, many: list[str]) -> None:
    texts = set()
    for workers in ("1", "3"):
        record("--no-cache", "--workers", workers)
        texts.add(Path(FILE).read_text())
        assert check("--no-cache", "--workers", workers, ".").code == 0
    assert len(texts) == 1
    assert len(rows()) == sum(1 + (number * 5) % 7 for number in range(12))


# What may be wrong with the file

ENTRY = '{"path": "a.md", "rule": "r", "text": "t", "fingerprint": "f"}'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ":1:1: not readable as JSON: Expecting value; restore the file, or delete it and record it anew"),
        ('{\n  "version": 1,\n  "findings": [\n    {"path": "a', ":4:14: not readable as JSON: Unterminated string"),
        (
            '{"version": 1, "findings": [\n<<<<<<< main\n',
            ":2:1: not readable as JSON: Expecting value; settle the merge conflict: keep the entries of both sides",
        ),
        ("[]", ':1:1: this is no baseline: it is to have a list "findings"'),
        ("[" * 100_000, ":1:1: this is no baseline"),
        ('{"findings": []}', ":1:1: this baseline is not of version 1"),
        (
            f'{{"version": 1, "findings": [\n  {ENTRY},\n  {{"path": "a.md"}}\n]}}',
            ':3:3: an entry is to have "rule", as text',
        ),
        (f'{{"version": 1, "findings": [{ENTRY}, 3]}}', ":1:93: an entry is to be an object"),
        (
            '{"version": 1, "findings": [' + ENTRY.replace("}", ', "count": 0}') + "]}",
            ':1:29: "count" is to be a number from 1 on',
        ),
    ],
)
@pytest.mark.parametrize("command", ["check", "baseline"])
def test_a_broken_file_is_named_with_its_place_and_left_as_it_is(
    check: Run, record: Run, text: str, message: str, command: str
) -> None:
    write(("a.md", BAD), (FILE, text))
    result = check(".") if command == "check" else record()
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"error: {FILE}{message}")
    assert Path(FILE).read_text() == text


def test_bytes_that_are_no_text_and_a_folder(check: Run) -> None:
    write(("a.md", BAD))
    Path(FILE).write_bytes(b'{"version": 1, \xff')
    assert check(".").err.startswith(f"error: {FILE}: not UTF-8 at offset 15; ")
    os.unlink(FILE)
    os.mkdir(FILE)
    assert check(".").err == f"error: {FILE}: cannot be read: Is a directory\n"


def test_a_folder_that_cannot_be_written_is_named(record: Run) -> None:
    write(("a.md", BAD))
    result = record("--baseline", "nowhere/b.json")
    assert (result.code, result.out) == (2, "")
    assert result.err == "error: caveat baseline: nowhere/b.json: cannot be written: No such file or directory\n"


def test_standard_input_cannot_be_recorded_nor_a_missing_file_pruned(record: Run) -> None:
    write(("a.md", GOOD))
    assert record("-").err == "error: a baseline is about files: give paths, not -\n"
    assert record("--prune").err == f"error: {FILE}: there is no such baseline; `caveat baseline` records one\n"


def test_a_draft_that_cannot_be_read_keeps_its_entries(record: Run) -> None:
    write(("a.md", BAD), ("b.md", BAD))
    record()
    Path("b.md").write_bytes(b"\xff")
    result = record()
    assert result.code == 2
    assert "b.md: not UTF-8" in result.err
    assert [path for path, _, _ in rows()] == ["a.md", "b.md"]


def test_a_fault_of_the_registry_leaves_the_baseline_alone(run: Run, record: Run) -> None:
    write(("a.md", BAD), ("claims/x.yaml", "claims: ["))
    record()
    before = Path(FILE).read_text()
    assert run("baseline", "--claims", "claims").code == 2
    assert Path(FILE).read_text() == before


def test_hostile_words_steer_no_terminal(record: Run) -> None:
    write(("\x1b[31mred\u202e.md", BAD.replace("128 GB", "**128\u202e GB**") + "\n" + BAD))
    record()
    assert not set(Path(FILE).read_text(encoding="utf-8")) & set("\x1b\u202e")
    assert {path for path, _, _ in rows()} == {"\x1b[31mred\u202e.md"}


def test_a_name_that_is_no_text(record: Run, check: Run) -> None:
    write((os.fsdecode(b"caf\xe9.md"), BAD))
    record()
    assert '"path": "caf\\udce9.md"' in Path(FILE).read_text(encoding="utf-8")
    assert check(".").code == 0


def test_a_broken_baseline_costs_the_drafts_of_its_configuration_only(run: Run) -> None:
    for folder, text in (("a", "{"), ("b", '{"version": 1, "findings": []}')):
        write((f"{folder}/caveat.toml", f'claims = "{CLAIMS}"\nbaseline = "known.json"\n'))
        write((f"{folder}/known.json", text), (f"{folder}/draft.md", BAD))
    result = run("check", "--format", "concise", "-q", ".")
    assert (result.code, result.out.partition(":")[0]) == (2, "b/draft.md")
    assert result.err.startswith("error: a/known.json:1:2: not readable as JSON: Expecting property name")


# Properties

WORDS = st.sampled_from(["2x", "3x", "4 GB"])
FOUND = st.lists(WORDS, max_size=8)


def outcome(words: list[str]) -> Outcome:
    text = "".join(f"{word}\n" for word in words)
    findings, at = [], 0
    for word in words:
        findings.append(Finding("rule", "error", word, at, at + len(word), fingerprint=f"print of {word}"))
        at += len(word) + 1
    return Outcome(Source(text, "a.md"), tuple(findings), dict.fromkeys(COUNTED, 0), {})


@given(FOUND, FOUND)
def test_entries_and_findings_meet_one_by_one(before: list[str], after: list[str]) -> None:
    entries = Baseline("b.json", {}).renewed([outcome(before)], {})
    baseline = Baseline("b.json", entries)
    left = baseline.leave_out(outcome(after))
    assert Counter(f.message for f in left.findings) == Counter(after) - Counter(before)
    assert Counter(f.message for f in left.baselined) == Counter(after) & Counter(before)
    stale = baseline.stale({"a.md": lambda _: True})
    assert Counter({entry.text: count for entry, count in stale.items()}) == Counter(before) - Counter(after)


@given(st.dictionaries(st.builds(Entry, *[st.text(max_size=6)] * 4), st.integers(1, 3), max_size=5))
def test_what_is_written_is_read(entries: dict[Entry, int]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "b.json")
        Path(path).write_bytes(write_baseline(entries).encode("utf-8", "backslashreplace"))
        assert read_baseline(path).entries == entries
