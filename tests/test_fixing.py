"""Drafts fixed by the command line: what is written, what is left alone, and what is said about it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from caveat import mending
from caveat.report.difference import patch_of
from commands import Result, Run

CLAIMS = str(Path(__file__).parent / "claims")
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="about POSIX files")

UNUSED = "Chips. <!-- caveat: ignore[undated-price] no price -->\n"
FLAT = "Trn3 UltraServers run 4.4x faster than Trn2 UltraServers.\n"
WRONG = "Trainium3 has 128 GB, AWS says.\n"
MIXED = f"{UNUSED}\n{FLAT}\n{WRONG}"
SAFELY = f"Chips.\n\n{FLAT}\n{WRONG}"
WHOLLY = f"Chips.\n\nTrn3 UltraServers run up to 4.4x faster than Trn2 UltraServers, per AWS.\n\n{WRONG}"


@pytest.fixture
def check(run: Run) -> Run:
    """Check drafts against the registry of the tests, with no configuration."""

    def check_here(*arguments: str, stdin: bytes = b"") -> Result:
        return run("check", "--claims", CLAIMS, "--isolated", *arguments, stdin=stdin)

    return check_here


@pytest.fixture
def git(inside: Path) -> Callable[..., str]:
    """Run git in a new repository that is the working folder."""

    def git_here(*arguments: str, stdin: str = "") -> str:
        who = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "core.autocrlf=false")
        done = subprocess.run(
            ["git", *who, *arguments], input=stdin.encode(), cwd=inside, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.decode()

    git_here("init", "-q")
    return git_here


def found(result: Result) -> list[str]:
    return [row["rule"] for row in json.loads(result.out)]


def test_fix_makes_the_safe_fixes_and_counts(check: Run, inside: Path, snapshot: SnapshotAssertion) -> None:
    draft = inside / "draft.md"
    draft.write_text(MIXED)
    result = check("--fix", "--format", "concise", "draft.md")
    assert draft.read_text() == SAFELY
    assert result == snapshot
    assert check("--fix", "--format", "concise", "draft.md").out == result.out


def test_unsafe_fixes_are_made_when_they_are_asked_for_but_no_number_is_changed(check: Run, inside: Path) -> None:
    draft = inside / "draft.md"
    draft.write_text(MIXED)
    result = check("--fix", "--unsafe-fixes", "--format", "concise", "draft.md")
    assert draft.read_text() == WHOLLY
    assert result.code == 1
    assert result.out.count("\n") == 1
    assert "Fixed 3 findings.\n" in result.err


def test_the_exit_code_is_0_if_all_is_fixed_and_1_if_not(check: Run, inside: Path) -> None:
    (inside / "draft.md").write_text(UNUSED)
    assert check("draft.md").code == 1
    assert check("--fix", "draft.md") == Result(
        0, "Seen: no figures in 1 draft.\nFound: nothing.\nFixed 1 finding.\n", ""
    )
    assert check("--fix", "draft.md").out == "Seen: no figures in 1 draft.\nFound: nothing.\n"
    (inside / "draft.md").write_text(FLAT)
    assert check("--fix", "draft.md").code == 1


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf", b"\xef\xbb\xbf\xef\xbb\xbf"])
@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("last", [b"", b"\n"])
def test_bytes_that_are_not_fixed_stay(check: Run, inside: Path, mark: bytes, line_end: bytes, last: bytes) -> None:
    draft = inside / "draft.md"
    text = "é\u2028🚀 \x0c\t  \n\n" + MIXED.rstrip("\n") + "\n\n|a|\n|-|\n|b|"
    draft.write_bytes(mark + (text.encode() + last).replace(b"\n", line_end))
    check("--fix", "--unsafe-fixes", "draft.md")
    expected = text.replace(MIXED.rstrip("\n"), WHOLLY.rstrip("\n")).encode() + last
    assert draft.read_bytes() == mark + expected.replace(b"\n", line_end)


def test_a_mixture_of_line_ends_stays_one(check: Run, inside: Path) -> None:
    draft = inside / "draft.md"
    draft.write_bytes(b"One.\r\n\nTwo.\r\n\r\nThe H200 has 141 GB.[^h]\nThree.\r\n")
    check("--fix", "--unsafe-fixes", "draft.md")
    note = b"\r\n[^h]: NVIDIA H200 Tensor Core GPU.\r\n"
    assert draft.read_bytes() == b"One.\r\n\nTwo.\r\n\r\nThe H200 has 141 GB.[^h]\nThree.\r\n" + note


@POSIX
def test_mode_and_link_of_a_file_stay(check: Run, inside: Path) -> None:
    (inside / "real.md").write_text(UNUSED)
    (inside / "real.md").chmod(0o640)
    (inside / "draft.md").symlink_to("real.md")
    assert check("--fix", "draft.md").code == 0
    assert (inside / "draft.md").is_symlink()
    assert (inside / "real.md").read_text() == "Chips.\n"
    assert (inside / "real.md").stat().st_mode & 0o777 == 0o640
    assert sorted(os.listdir(inside)) == ["draft.md", "real.md"]


@POSIX
def test_a_read_only_file_is_said_and_left_alone(check: Run, inside: Path) -> None:
    (inside / "draft.md").write_text(UNUSED)
    (inside / "draft.md").chmod(0o444)
    (inside / "other.md").write_text(UNUSED)
    result = check("--fix", "--format", "concise", "draft.md", "other.md")
    assert result.code == 2
    assert "error: draft.md: cannot be fixed: the file is read-only\n" in result.err
    assert result.out.startswith("draft.md:1:")
    assert (inside / "draft.md").read_text() == UNUSED
    assert (inside / "other.md").read_text() == "Chips.\n"


@pytest.mark.parametrize("becomes", [b"Another text.\n", None])
def test_a_draft_that_changed_meanwhile_is_not_overwritten(
    check: Run, inside: Path, monkeypatch: pytest.MonkeyPatch, becomes: bytes | None
) -> None:
    draft = inside / "draft.md"
    draft.write_text(UNUSED)
    really = mending.mend

    def mend(*arguments: Any, **more: Any) -> mending.Mended:
        if becomes is None:
            draft.unlink()
        else:
            draft.write_bytes(becomes)
        return really(*arguments, **more)

    monkeypatch.setattr(mending, "mend", mend)
    result = check("--fix", "draft.md")
    assert result.code == 2
    assert "error: draft.md: " in result.err
    assert os.listdir(inside) == ([] if becomes is None else ["draft.md"])
    assert becomes is None or draft.read_bytes() == becomes


def test_a_fault_costs_its_draft_only(check: Run, inside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (inside / "a.md").write_text(UNUSED)
    (inside / "b.md").write_text(UNUSED)
    really = mending.mend

    def mend(path: str, *arguments: Any, **more: Any) -> mending.Mended:
        return really(path, *arguments, **more) if path == "b.md" else 1 // 0  # type: ignore[return-value]

    monkeypatch.setattr(mending, "mend", mend)
    result = check("--fix", "a.md", "b.md")
    assert result.code == 2
    assert "error: a.md: not fixed, by a fault in Caveat: ZeroDivisionError" in result.err
    assert (inside / "a.md").read_text() == UNUSED
    assert (inside / "b.md").read_text() == "Chips.\n"


def test_no_file_is_half_written(check: Run, inside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (inside / "draft.md").write_text(UNUSED)

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    result = check("--fix", "--no-cache", "draft.md")
    assert result.code == 2
    assert "error: draft.md: cannot be fixed: No space left on device\n" in result.err
    assert os.listdir(inside) == ["draft.md"]
    assert (inside / "draft.md").read_text() == UNUSED


def test_of_standard_input_the_fixed_text_is_printed(check: Run) -> None:
    text = MIXED.replace("\n", "\r\n").encode()
    result = check("--fix", "--format", "concise", "-", stdin=text)
    assert result.out == SAFELY.replace("\n", "\r\n")
    assert result.code == 1
    assert "<stdin>:3:23: error self-comparison-as-independent" in result.err
    assert "Fixed 1 finding (2 more with --unsafe-fixes).\n" in result.err
    assert check("--fix", "-", stdin=b"Nothing.").out == "Nothing."


def test_of_a_sentence_too(check: Run) -> None:
    result = check("--fix", "--unsafe-fixes", "--text", FLAT.rstrip())
    assert result.code == 0
    assert result.out == "Trn3 UltraServers run up to 4.4x faster than Trn2 UltraServers, per AWS."
    assert "Found: nothing.\n" in result.err


def test_only_what_is_shown_is_fixed(check: Run, inside: Path) -> None:
    draft = inside / "draft.md"
    draft.write_text(MIXED)
    check("--fix", "--unsafe-fixes", "--select", "dropped-qualifier", "draft.md")
    assert draft.read_text() == MIXED.replace("4.4x", "up to 4.4x")
    draft.write_text(MIXED)
    check("--fix", "--unsafe-fixes", "--severity", "error", "draft.md")
    assert draft.read_text() == MIXED.replace("Trn2 UltraServers.", "Trn2 UltraServers, per AWS.")


def test_what_is_suppressed_stays(check: Run, inside: Path) -> None:
    draft = inside / "draft.md"
    text = f"{FLAT.rstrip()} <!-- caveat: ignore[dropped-qualifier, self-comparison-as-independent] quoted -->\n"
    draft.write_text(text)
    assert check("--fix", "--unsafe-fixes", "draft.md").code == 0
    assert draft.read_text() == text


def test_what_is_in_the_baseline_stays_there(check: Run, run: Run, inside: Path) -> None:
    """A fix in the sentence of a recorded finding would make it a new one."""
    draft = inside / "draft.md"
    draft.write_text(f"{FLAT}\n{WRONG}")
    assert run("baseline", "--claims", CLAIMS, "--isolated", "--ignore", "dropped-qualifier", "draft.md").code == 0
    draft.write_text(f"{FLAT}\n{WRONG}\n{FLAT}")
    known = (inside / ".caveat-baseline.json").read_text()
    before = check("--baseline", ".caveat-baseline.json", "--format", "json", "draft.md")
    assert found(before) == ["dropped-qualifier", "self-comparison-as-independent", "dropped-qualifier"]
    result = check("--fix", "--unsafe-fixes", "--baseline", ".caveat-baseline.json", "--format", "json", "draft.md")
    assert found(result) == ["dropped-qualifier"]
    assert draft.read_text() == f"{FLAT}\n{WRONG}\n" + WHOLLY.split("\n\n")[1] + "\n"
    assert "2 in the baseline" in result.err
    assert (inside / ".caveat-baseline.json").read_text() == known
    again = check("--baseline", ".caveat-baseline.json", "--format", "json", "draft.md")
    assert found(again) == ["dropped-qualifier"]


def test_lines_that_have_not_changed_stay(check: Run, inside: Path, git: Callable[..., str]) -> None:
    draft = inside / "draft.md"
    draft.write_text(f"{FLAT}\n{WRONG}")
    git("add", "-A")
    git("commit", "-qm", "first")
    draft.write_text(f"{FLAT}\n{WRONG}\n{FLAT}")
    result = check("--fix", "--unsafe-fixes", "--diff", "HEAD", "draft.md")
    assert result.code == 0
    assert "Fixed 2 findings." in result.out
    assert draft.read_text() == f"{FLAT}\n{WRONG}\n" + WHOLLY.split("\n\n")[1] + "\n"
    assert check("--diff", "HEAD", "draft.md").code == 0


DRAFTS = {
    "plain.md": MIXED,
    "with space/ä ö.md": MIXED.rstrip("\n"),
    "crlf.md": MIXED.replace("\n", "\r\n"),
    "cr.md": f"one\rtwo\r\n{MIXED}\x0cthree\u2028\n",
    "bom.md": f"\ufeff{MIXED}",
    "note.md": "The H200 has 141 GB.[^h]",
    "all.md": "<!-- caveat: ignore-file[undated-price] no price -->",
    'quo"te\\.md': MIXED,
    "clean.md": "Nothing.\n",
}


@POSIX
def test_the_patch_is_one_that_git_applies(check: Run, inside: Path, git: Callable[..., str]) -> None:
    (inside / "with space").mkdir()
    for name, text in DRAFTS.items():
        (inside / name).write_bytes(text.encode())
    git("add", "-A")
    git("commit", "-qm", "first")
    result = check("--diff-fixes", "--unsafe-fixes", ".")
    assert result.code == 1
    assert result.err == "Would fix 20 findings.\n"
    assert {name: (inside / name).read_bytes().decode() for name in DRAFTS} == DRAFTS
    git("apply", "--whitespace=nowarn", "-", stdin=result.out)
    patched = {name: (inside / name).read_bytes() for name in DRAFTS}
    git("checkout", "-q", ".")
    check("--fix", "--unsafe-fixes", ".")
    assert {name: (inside / name).read_bytes() for name in DRAFTS} == patched
    assert patched["all.md"] == b""
    assert patched["note.md"] == b"The H200 has 141 GB.[^h]\n\n[^h]: NVIDIA H200 Tensor Core GPU."


@POSIX
def test_the_patch_is_seen_from_the_working_folder(
    check: Run, inside: Path, git: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (inside / "docs").mkdir()
    (inside / "docs" / "draft.md").write_text(UNUSED)
    monkeypatch.chdir(inside / "docs")
    result = check("--diff-fixes", "draft.md")
    subprocess.run(["git", "apply", "-"], input=result.out.encode(), cwd=inside / "docs", check=True)
    assert (inside / "docs" / "draft.md").read_text() == "Chips.\n"


def test_a_patch_looks_like_this(check: Run, inside: Path, snapshot: SnapshotAssertion) -> None:
    (inside / "draft.md").write_text(MIXED)
    assert check("--diff-fixes", "draft.md") == snapshot
    assert check("--diff-fixes", "--text", "Nothing.") == Result(0, "", "Nothing to fix.\n")


def test_the_patch_goes_where_the_report_would_go(check: Run, inside: Path) -> None:
    (inside / "draft.md").write_text(MIXED)
    result = check("--diff-fixes", "-o", "fixes.patch", "--output", "json=report.json", "draft.md")
    assert result.out == ""
    assert (inside / "fixes.patch").read_text() == check("--diff-fixes", "draft.md").out
    assert len(json.loads((inside / "report.json").read_text())) == 4


def test_a_patch_of_nothing_is_empty() -> None:
    assert patch_of("a.md", "x\n", "x\n") == ""


@pytest.mark.parametrize(
    "options",
    [
        ("--fix", "--diff-fixes"),
        ("--unsafe-fixes",),
        ("--unsafe-fixes", "--show-fixes"),
        ("--fix", "--show-figures"),
        ("--show-fixes", "--show-figures"),
        ("--fix", "--statistics"),
        ("--fix", "--no-suppressions"),
    ],
)
def test_options_that_say_nothing_together_are_refused(
    check: Run, inside: Path, options: tuple[str, ...], snapshot: SnapshotAssertion
) -> None:
    (inside / "draft.md").write_text(MIXED)
    result = check(*options, "draft.md")
    assert (result.code, result.out) == (2, "")
    assert result.err == snapshot
    assert (inside / "draft.md").read_text() == MIXED


def test_show_fixes_says_with_each_finding_how_it_is_fixed(
    check: Run, inside: Path, snapshot: SnapshotAssertion
) -> None:
    (inside / "draft.md").write_text(MIXED)
    result = check("--show-fixes", "draft.md")
    assert result._replace(out=result.out.replace(CLAIMS, "claims")) == snapshot
    plain = check("draft.md").out
    assert "= fix:" not in plain
    assert "Fixable" not in plain
    assert (inside / "draft.md").read_text() == MIXED


def test_reports_for_machines_carry_the_fixes(check: Run, inside: Path) -> None:
    (inside / "draft.md").write_text(f"é {MIXED}")
    rows = json.loads(check("--format", "json", "draft.md").out)
    assert [row["fix"] and row["fix"]["applicability"] for row in rows] == ["safe", "unsafe", "unsafe", "display-only"]
    assert rows[0]["fix"] == {
        "applicability": "safe",
        "message": "Remove the unused suppression",
        "edits": [{"content": "", "location": {"row": 1, "column": 9}, "end_location": {"row": 1, "column": 57}}],
    }
    sarif = json.loads(check("--format", "sarif", "draft.md").out)["runs"][0]["results"]
    assert [len(result.get("fixes", [])) for result in sarif] == [1, 1, 1, 0]
    rdjson = json.loads(check("--format", "rdjson", "draft.md").out)["diagnostics"]
    assert [len(diagnostic.get("suggestions", [])) for diagnostic in rdjson] == [1, 1, 1, 0]
    start = {"line": 1, "column": 10}
    assert rdjson[0]["suggestions"] == [{"range": {"start": start, "end": {"line": 1, "column": 58}}, "text": ""}]


def test_fixes_are_kept_in_the_cache_apart(check: Run, inside: Path, own_cache: Path) -> None:
    (inside / "draft.md").write_text(MIXED)
    plain = check("draft.md").out
    first = check("--show-fixes", "draft.md").out
    assert check("--show-fixes", "draft.md").out == first
    assert check("draft.md").out == plain
    assert first != plain


def test_a_hostile_registry_writes_no_markdown(run: Run, inside: Path) -> None:
    (inside / "claims").mkdir()
    (inside / "claims" / "a.yaml").write_text(
        "vendors:\n  evil: {name: 'E*v<b>il](x)'}\nproducts:\n  rocket: {name: Rocket, vendor: evil, unit: chip}\n"
        "  sled: {name: Sled, vendor: evil, unit: chip}\n"
        "sources:\n  sheet: {title: 'T|i[t](javascript:x)\\n<script>', publisher: evil, kind: vendor-doc, "
        "url: 'https://example.com/a)b'}\n"
        "claims:\n  - {id: a, product: rocket, metric: performance, value: 4x, compare: {to: sled}, source: sheet}\n"
        "  - {id: b, product: rocket, metric: memory-capacity, value: 64 GB, source: sheet}\n"
    )
    (inside / "draft.md").write_text(
        "The Rocket has 4x the performance of the Sled.\n\nThe Rocket has 64 GB of memory.[^x]\n"
    )
    result = run("check", "--claims", "claims", "--isolated", "--fix", "--unsafe-fixes", "draft.md")
    assert result.code == 0, result
    assert (inside / "draft.md").read_text() == (
        "The Rocket has 4x the performance of the Sled, per E\\*v\\<b\\>il\\](x).\n\n"
        "The Rocket has 64 GB of memory.[^x]\n\n"
        "[^x]: E\\*v\\<b\\>il\\](x), [T\\|i\\[t\\](javascript:x)\\\\n\\<script\\>](https://example.com/a%29b).\n"
    )
