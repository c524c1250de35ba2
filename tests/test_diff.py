"""Changed lines only: which lines git says have changed, and which findings are on them. With a real git throughout."""

from __future__ import annotations

import json
import os
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caveat.running.patch import ALL, Ranges, changed_lines, touches
from commands import Result, Run
from test_cli import BAD, CLAIMS, GOOD, many, write

__all__ = ["many"]

OTHER = "The MI300X has 256 GB of HBM3, according to AMD's data sheet.\n"
QUIET = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
IDENTITY = ("-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")


def git(*arguments: str, cwd: str | Path = ".") -> str:
    done = subprocess.run(
        ["git", *IDENTITY, *arguments], cwd=cwd, capture_output=True, check=True, env={**os.environ, **QUIET}
    )
    return done.stdout.decode()


def commit(*drafts: tuple[str, str]) -> None:
    write(*drafts)
    git("add", "--all")
    git("commit", "--quiet", "--allow-empty", "--message", "more")


@pytest.fixture
def check(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """`check --diff main` in an empty repository, or with another base."""
    for name, value in QUIET.items():
        monkeypatch.setenv(name, value)
    git("init", "--quiet", "--initial-branch", "main")

    def check_here(*arguments: str, base: str = "main", form: str = "concise") -> Result:
        return run("check", "--claims", CLAIMS, "--diff", base, "--format", form, *arguments)

    return check_here


def places(result: Result) -> list[str]:
    """The path and line of each finding."""
    return [line.partition(": ")[0].rpartition(":")[0] for line in result.out.splitlines()]


def test_only_what_is_on_a_changed_line(check: Run) -> None:
    commit(("a.md", f"{BAD}\n{OTHER}"), ("b.md", BAD))
    write(("a.md", f"{BAD}\nNew. {OTHER}"))
    result = check()
    assert (result.code, places(result)) == (1, ["a.md:3"])
    assert result.err.endswith("Found: 1 error; 1 on unchanged lines.\n")
    assert places(check("b.md", "a.md")) == ["a.md:3"]
    assert check("--exit-zero").code == 0


def test_nothing_has_changed(check: Run) -> None:
    commit(("a.md", BAD))
    result = check()
    assert (result.code, result.out) == (0, "")
    assert result.err.startswith("note: no draft has a changed line since the merge base with main\n")
    assert check(form="json").out == "[]\n"


def test_the_working_tree_counts_committed_staged_or_neither(check: Run) -> None:
    commit(("a.md", GOOD), ("b.md", GOOD), ("c.md", GOOD))
    git("checkout", "--quiet", "-b", "work")
    commit(("a.md", GOOD + BAD))
    write(("b.md", GOOD + BAD))
    git("add", "b.md")
    write(("c.md", GOOD + BAD), ("new.md", BAD), ("intended.md", BAD))
    git("add", "--intent-to-add", "intended.md")
    assert places(check()) == ["a.md:2", "b.md:2", "c.md:2", "intended.md:1", "new.md:1"]
    write(("a.md", GOOD))
    assert "a.md:2" not in places(check())


def test_what_came_from_the_base_since_does_not_count(check: Run) -> None:
    commit(("a.md", GOOD))
    git("checkout", "--quiet", "-b", "work")
    commit(("work.md", BAD))
    git("checkout", "--quiet", "main")
    commit(("a.md", OTHER))
    git("checkout", "--quiet", "work")
    assert places(check()) == ["work.md:1"]


def test_a_renamed_draft_is_known_by_its_old_lines(check: Run) -> None:
    commit(("old/a.md", f"{BAD}\n{GOOD * 5}"))
    os.mkdir("new")
    git("mv", "old/a.md", "new/b.md")
    assert check().out == ""
    write(("new/b.md", f"{BAD}\n{GOOD * 5}\n{OTHER}"))
    assert places(check()) == ["new/b.md:9"]
    assert places(check("new")) == ["new/b.md:9"]


def test_a_line_that_is_gone_is_no_changed_line(check: Run) -> None:
    commit(("a.md", f"Gone.\n{BAD}Gone.\n"), ("b.md", BAD))
    write(("a.md", BAD))
    os.unlink("b.md")
    assert check().out == ""


def test_a_finding_over_two_lines_is_touched_by_either(check: Run) -> None:
    wrapped = BAD.replace("128 GB", "128\nGB")
    commit(("a.md", wrapped))
    for row in (0, 1):
        lines = wrapped.splitlines()
        lines[row] += " " if row else ""
        lines[row] = lines[row].replace("The Trainium3", "The  Trainium3")
        write(("a.md", "\n".join(lines) + "\n"))
        assert places(check()) == ["a.md:1"], row


NAMES = [
    "with space.md",
    'quo"te.md',
    "co:lon, comma.md",
    "ünï-漢字 😀.md",
    "back\\slash.md",
    "tab\tline\n.md",
    "-dash.md",
    ":(top)magic.md",
    "*[a-z]?.md",
    "b/ b.md",
    "UPPER.MD",
    "page.mdx",
]


@pytest.mark.parametrize("quoting", ["true", "false"])
def test_a_path_may_be_anything(check: Run, quoting: str) -> None:
    git("config", "core.quotePath", quoting)
    commit(*((name, BAD) for name in NAMES))
    write(*((name, f"{BAD}\n{OTHER}") for name in NAMES))
    found = json.loads(check(form="json").out)
    assert sorted(row["filename"] for row in found) == sorted(NAMES)
    assert {row["location"]["row"] for row in found} == {3}
    assert len(json.loads(check("./-dash.md", ":(top)magic.md", form="json").out)) == 2


def test_a_name_that_is_no_text(check: Run) -> None:
    name = os.fsdecode(b"caf\xe9.md")
    commit((name, BAD))
    write((name, BAD + "\n" + OTHER))
    assert json.loads(check(form="json").out)[0]["location"]["row"] == 3


def test_from_a_subfolder_all_changed_drafts_are_meant(check: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(("a.md", GOOD), ("docs/b.md", GOOD))
    write(("a.md", BAD), ("docs/b.md", BAD), ("docs/new.md", BAD))
    monkeypatch.chdir("docs")
    assert places(check()) == ["../a.md:1", "b.md:1", "new.md:1"]
    assert places(check(".")) == ["b.md:1", "new.md:1"]


def test_a_file_of_another_name_is_looked_at_if_it_is_named(check: Run) -> None:
    commit(("notes.txt", BAD))
    write(("notes.txt", f"{BAD}\n{OTHER}"))
    assert check().out == ""
    assert places(check("notes.txt")) == ["notes.txt:3"]


def test_what_is_excluded_or_ignored_is_meant_only_if_it_is_named(check: Run) -> None:
    commit(("caveat.toml", 'exclude = ["old/"]\n'), (".gitignore", "ignored.md\n"))
    write(("old/a.md", BAD), ("ignored.md", BAD), ("node_modules/a.md", BAD))
    assert check().out == ""
    assert places(check("old/a.md", "ignored.md")) == ["old/a.md:1", "ignored.md:1"]


def test_lines_are_those_of_git_whatever_ends_them(check: Run) -> None:
    commit(("crlf.md", f"one\r\n{BAD}"), ("cr.md", f"One.\rMore.\r\n{BAD}"), ("end.md", BAD.rstrip("\n")))
    write(("crlf.md", f"one\r\n{BAD}\r\n{OTHER}"), ("cr.md", f"One.\rMore.\r\n{BAD}\n{OTHER}"), ("end.md", BAD))
    assert places(check()) == ["cr.md:5", "crlf.md:4", "end.md:1"]


def test_how_git_is_configured_does_not_matter(check: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIFF_OPTS", "--unified=5")
    monkeypatch.setenv("GIT_LITERAL_PATHSPECS", "1")
    commit(("a.md", GOOD), (".gitattributes", "*.md binary diff=upper\n"))
    write(("a.md", GOOD + BAD))
    for key, value in (
        ("diff.noprefix", "true"),
        ("diff.mnemonicPrefix", "true"),
        ("diff.external", "false"),
        ("diff.upper.textconv", "tr a-z A-Z <"),
        ("color.ui", "always"),
        ("diff.relative", "true"),
        ("diff.context", "9"),
        ("diff.interHunkContext", "9"),
    ):
        git("config", key, value)
    assert places(check()) == ["a.md:2"]


@pytest.mark.parametrize("form", ["full", "concise", "json", "jsonl", "github", "sarif", "gitlab", "rdjson", "junit"])
def test_every_format_shows_the_same(check: Run, form: str) -> None:
    commit(("a.md", BAD))
    write(("a.md", f"{BAD}\n{OTHER}"))
    for _ in range(2):  # the second time from the cache
        result = check(form=form)
        assert result.code == 1
        assert "256 GB here" in result.out
        assert "128 GB here" not in result.out
    assert check("--select", "unsourced-figure", form=form).code == 0


def test_the_same_for_any_number_of_workers(check: Run, many: list[str]) -> None:
    git("add", "--all")
    git("commit", "--quiet", "--message", "many")
    for name in many[::2]:
        Path(name).write_text(Path(name).read_text() + OTHER)
    reports = [check("--no-cache", "--workers", workers, form="json") for workers in ("1", "4")]
    assert reports[0] == reports[1]
    assert [row["filename"] for row in json.loads(reports[0].out)] == many[::2]


def test_with_a_baseline_and_suppressions(check: Run, run: Run) -> None:
    commit(("a.md", BAD), ("b.md", BAD))
    run("baseline", "--claims", CLAIMS)
    ignored = OTHER.rstrip() + " <!-- caveat: ignore[figure-mismatch] why -->\n"
    write(("a.md", f"New.\n{BAD}\n{ignored}\n{OTHER}"), ("b.md", f"{BAD} New.\n"))
    result = check("--baseline", ".caveat-baseline.json")
    assert places(result) == ["a.md:6"]
    assert result.err.endswith("Found: 1 error; 1 suppressed, 2 in the baseline.\n")


# What git cannot say


def test_without_a_commit(check: Run) -> None:
    write(("a.md", BAD))
    result = check()
    assert (result.code, result.out) == (2, "")
    assert result.err.endswith(" has no commit yet; leave --diff out to check all drafts\n")


@pytest.mark.parametrize("base", ["nosuch", "", "HEAD..HEAD", "a b", "x\nfatal: y", "main:a.md"])
def test_an_unknown_base(check: Run, base: str) -> None:
    commit(("a.md", BAD))
    result = check("a.md", base=base)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("error: --diff ")
    assert "git knows no such commit, branch or tag" in result.err.replace("\n", " ")


def test_a_base_like_an_option_is_no_option(run: Run, check: Run) -> None:
    commit(("a.md", BAD))
    assert "--diff --help: git knows no such commit" in run("check", "--diff=--help").err


def test_no_repository(run: Run, inside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(inside.parent))
    result = run("check", "--diff", "main")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("error: --diff: no working tree of git here: fatal: not a git repository")


def test_no_git(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert run("check", "--diff", "main").err == "error: --diff: git cannot be run: No such file or directory\n"


def test_a_shallow_clone(check: Run, inside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(("a.md", BAD))
    git("checkout", "--quiet", "-b", "work")
    commit(("b.md", BAD))
    commit(("c.md", BAD))
    git("clone", "--quiet", "--depth", "1", "--no-single-branch", f"file://{inside}", "shallow")
    monkeypatch.chdir("shallow")
    cure = "this clone is shallow: fetch its history (git fetch --unshallow, or fetch-depth: 0 in a workflow)\n"
    result = check(base="origin/main")
    assert (result.code, result.err) == (
        2,
        f"error: --diff origin/main: it has no commit in common with HEAD; {cure}",
    )
    assert check(base="main").err == f"error: --diff main: git knows no such commit, branch or tag; {cure}"
    git("fetch", "--quiet", "--unshallow")
    assert places(check(base="origin/main")) == ["b.md:1", "c.md:1"]


def test_a_path_outside_of_the_repository(check: Run, tmp_path_factory: pytest.TempPathFactory) -> None:
    commit(("a.md", BAD))
    other = tmp_path_factory.mktemp("other") / "b.md"
    other.write_text(BAD)
    write(("a.md", BAD + OTHER))
    for named in (other, other.rename(other.with_suffix(".txt"))):
        named.write_text(BAD)
        result = check(str(named), "a.md")
        assert (result.code, places(result)) == (2, ["a.md:2"])
        assert f"error: --diff: {named} is not in the repository " in result.err


def test_what_is_no_file_has_no_changed_lines(check: Run) -> None:
    commit(("a.md", BAD))
    for words in (["-"], ["--text", "It is 2x faster."]):
        result = check(*words)
        assert result.code == 2
        assert result.err == "error: --diff asks git what has changed in files: give it paths, not --text or -\n"


def test_a_missing_path_is_named_and_the_others_are_checked(check: Run) -> None:
    commit(("a.md", GOOD))
    write(("a.md", BAD))
    result = check("missing.md", "a.md")
    assert (result.code, places(result)) == (2, ["a.md:1"])
    assert "missing.md: no such file" in result.err


def test_without_the_option_git_is_not_asked(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    write(("a.md", GOOD))
    assert run("check", "a.md").code == 0


# The lines of a patch

LINE = st.sampled_from(["", "a", "b", "+++ b/evil.md", "--- a/evil.md", "@@ -1 +1,9 @@", "diff --git a/x b/x", "\\ No"])
TEXT = st.lists(LINE, max_size=9)
END = st.sampled_from(["", "\n"])


@settings(max_examples=60, deadline=None)
@given(TEXT, TEXT, END, END)
def test_what_git_leaves_unchanged_stood_there_before(
    tmp_path_factory: pytest.TempPathFactory, before: list[str], after: list[str], end: str, end_after: str
) -> None:
    folder = tmp_path_factory.getbasetemp()
    (folder / "old").write_text("\n".join(before) + end)
    (folder / "new").write_text("\n".join(after) + end_after)
    done = subprocess.run(
        ["git", "diff", "--no-index", "--unified=0", "--text", "old", "new"],
        cwd=folder,
        capture_output=True,
        check=False,
    )
    patch = done.stdout.replace(b"\n+++ b/new\n", b"\n+++ b/draft.md\n", 1)
    changed = changed_lines(patch)
    assert set(changed) <= {"draft.md"}
    ranges = changed.get("draft.md", [])
    assert all(one[1] + 1 < other[0] for one, other in pairwise(ranges))
    kept = [line for number, line in enumerate(_lines(folder / "new"), 1) if not touches(ranges, number, number)]
    old = iter(_lines(folder / "old"))
    assert all(line in old for line in kept)


def _lines(path: Path) -> list[str]:
    return path.read_text().splitlines(keepends=True)


Hunk = tuple[int, list[str], list[str]]
HUNK = st.tuples(st.integers(0, 5), st.lists(LINE, max_size=5), st.lists(LINE, max_size=5))


@given(st.lists(st.tuples(st.text(min_size=1, max_size=9), st.lists(HUNK, max_size=5)), max_size=4))
def test_added_lines_are_counted_whatever_they_say(files: list[tuple[str, list[Hunk]]]) -> None:
    patch: list[str] = []
    expected: dict[str, Ranges] = {}
    for number, (letters, hunks) in enumerate(files):
        name = f"{number}{letters}".replace("\0", "")
        patch += [f"diff --git {_quoted(f'a/{name}')} {_quoted(f'b/{name}')}", "--- x", f"+++ {_quoted(f'b/{name}')}"]
        expected[name] = []
        at = 1
        for gap, removed, added in hunks:
            at += gap + 1
            patch.append(f"@@ -1,{len(removed)} +{at},{len(added)} @@ context")
            patch += [f"-{line}" for line in removed] + [f"+{line}" for line in added]
            if added:
                expected[name].append((at, at + len(added) - 1))
            at += len(added)
    assert changed_lines("\n".join(patch).encode("utf-8", "surrogatepass")) == {
        os.fsdecode(name.encode("utf-8", "surrogatepass")): ranges for name, ranges in expected.items()
    }


def _quoted(name: str) -> str:
    """As git writes a name: in quotes if it has to be, with a tab behind spaces."""
    if any(ord(sign) < 0x20 or sign in '"\\\x7f' for sign in name):
        escaped = "".join(f"\\{ord(sign):03o}" if ord(sign) < 0x20 or sign in '"\\\x7f' else sign for sign in name)
        return f'"{escaped}"'
    return f"{name}\t" if " " in name else name


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(0, 3)), max_size=6), st.integers(1, 40), st.integers(0, 6))
def test_touching(steps: list[tuple[int, int]], first: int, more: int) -> None:
    ranges: Ranges = []
    at = 0
    for gap, length in steps:
        ranges.append((at + gap, at + gap + length))
        at += gap + length + 1
    lines = {line for low, high in ranges for line in range(low, high + 1)}
    assert touches(ranges, first, first + more) == bool(lines & set(range(first, first + more + 1)))
    assert touches(ALL, first, first + more)
