"""Which drafts a command line names, and how they are read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from caveat.outcome import UserError
from caveat.running.files import find_drafts, patterns, read_draft, shown_path


def lay_out(root: Path, *names: str) -> None:
    """Files with these names, each holding nothing; those that are ignore files get their lines after a colon."""
    for name in names:
        path, _, lines = name.partition(": ")
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(lines.replace("; ", "\n"))


def test_a_folder_gives_its_markdown_in_order(inside: Path) -> None:
    lay_out(inside, "b.md", "a.markdown", "c.MDX", "d.txt", "sub/e.md", ".git/f.md", "node_modules/g.md", ".hid/h.md")
    assert find_drafts(["."]).paths == ["./.hid/h.md", "./a.markdown", "./b.md", "./c.MDX", "./sub/e.md"]


def test_a_file_is_taken_whatever_its_name_and_once(inside: Path) -> None:
    lay_out(inside, "notes.txt", "a.md")
    assert find_drafts(["notes.txt", "a.md", "./a.md", ".", "-", "-"]).paths == ["notes.txt", "a.md", "-"]


def test_the_order_is_that_of_the_command_line(inside: Path) -> None:
    lay_out(inside, "z.md", "a.md", "m/x.md")
    assert find_drafts(["z.md", "m", "a.md"]).paths == ["z.md", "m/x.md", "a.md"]


@pytest.mark.parametrize(
    ("ignore_files", "left"),
    [
        ([".gitignore: drafts/"], ["./a.md", "./keep/a.md"]),
        ([".gitignore: *.md; !keep/a.md"], ["./keep/a.md"]),
        ([".gitignore: /a.md"], ["./drafts/a.md", "./drafts/b.md", "./keep/a.md"]),
        ([".gitignore: a.md", "drafts/.gitignore: !a.md; b.md"], ["./drafts/a.md"]),
        ([".gitignore: # nothing; "], ["./a.md", "./drafts/a.md", "./drafts/b.md", "./keep/a.md"]),
        ([".git/info/exclude: drafts"], ["./a.md", "./keep/a.md"]),
    ],
)
def test_gitignore_is_respected(inside: Path, ignore_files: list[str], left: list[str]) -> None:
    lay_out(inside, "a.md", "drafts/a.md", "drafts/b.md", "keep/a.md", *ignore_files)
    assert find_drafts(["."]).paths == left


def test_the_ignore_files_above_a_folder_count_up_to_the_root_of_the_repository(inside: Path) -> None:
    lay_out(inside, ".gitignore: a.md", "repo/.git/HEAD", "repo/.gitignore: b.md", "repo/docs/a.md", "repo/docs/b.md")
    assert find_drafts(["repo/docs"]).paths == ["repo/docs/a.md"]


def test_a_folder_that_is_itself_ignored_is_still_meant_when_it_is_named(inside: Path) -> None:
    lay_out(inside, ".git/HEAD", ".gitignore: build/", "build/a.md", "b.md")
    assert find_drafts(["build"]).paths == ["build/a.md"]
    assert find_drafts(["."]).paths == ["./b.md"]
    assert find_drafts(["build/a.md"]).paths == ["build/a.md"]


def test_excluded_files_are_left_out_of_folders_but_not_when_named(inside: Path) -> None:
    lay_out(inside, "old/a.md", "new/a.md")
    exclude = [patterns(".", ["old/"])]
    assert find_drafts(["."], lambda _: exclude).paths == ["./new/a.md"]
    assert find_drafts(["old/a.md"], lambda _: exclude).paths == ["old/a.md"]


def test_a_link_to_a_folder_above_is_not_followed(inside: Path) -> None:
    lay_out(inside, "a.md")
    (inside / "loop").symlink_to(inside)
    assert find_drafts(["."]).paths == ["./a.md"]


def test_what_gives_no_draft_is_said(inside: Path) -> None:
    (inside / "empty").mkdir()
    drafts = find_drafts(["missing.md", "empty", ""])
    assert drafts.errors == ["missing.md: no such file or folder", "'': no such file or folder"]
    assert drafts.notes == ["empty: no Markdown in this folder (.md, .markdown, .mdx)"]


def test_a_draft_keeps_its_byte_order_mark_and_line_ends(inside: Path) -> None:
    (inside / "a.md").write_bytes("\ufeffone\r\ntwo\rthree".encode())
    source = read_draft("a.md")
    assert (source.text, source.bom, source.filename) == ("one\r\ntwo\rthree", True, "a.md")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"good\nbad \xff", "a.md: not UTF-8: byte 0xff at offset 9, row 2; save it as UTF-8"),
        ("\ufeffhi".encode("utf-16-le"), "a.md: not UTF-8: byte 0xff at offset 0, row 1; it looks like UTF-16"),
    ],
)
def test_an_undecodable_draft_is_named_with_the_byte(inside: Path, data: bytes, message: str) -> None:
    (inside / "a.md").write_bytes(data)
    with pytest.raises(UserError) as raised:
        read_draft("a.md")
    assert str(raised.value).startswith(message)


def test_an_unreadable_draft_is_named(inside: Path) -> None:
    (inside / "a.md").mkdir()
    with pytest.raises(UserError, match=r"a\.md: cannot be read: Is a directory"):
        read_draft("a.md")


def test_paths_are_shown_from_the_working_folder(inside: Path) -> None:
    outside = os.path.join(os.path.dirname(inside), "other.md")
    assert shown_path("./a.md") == "a.md"
    assert shown_path(str(inside / "sub" / "a.md")) == "sub/a.md"
    assert shown_path(outside) == outside
    assert shown_path("../other.md") == "../other.md"


def test_a_pattern_that_cannot_be_read_is_the_users_to_mend() -> None:
    with pytest.raises(UserError, match="a pattern that cannot be read"):
        patterns(".", ["!"])
