"""What the language server knows of a text while it is edited, and finds in it, without the wire."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lsprotocol import types

from caveat.markdown.source import Source
from caveat.options import CheckOptions
from caveat.server import diagnostics
from caveat.server.completion import completions
from caveat.server.places import ENCODINGS, Places, edited
from caveat.server.session import Review, Session
from caveat.server.suppressing import comment_for, comment_for_all
from caveat.server.uris import name_of, path_of, uri_of
from commands import Run

# Signs of one to four bytes, all that ends a line to somebody, and what a terminal would obey.
SIGNS = st.sampled_from(
    [*"ab 1\t", "\n", "\r\n", "\r", "é", "…", "😋", "\x0b", "\x0c", "\x85", "\u2028", "\x1b", "\0", "\ufeff"]
)
TEXTS = st.lists(SIGNS, max_size=12).map("".join)
SENTENCES = st.sampled_from(
    [
        "Trn3 UltraServers are 4.4x faster than Trn2 UltraServers.",
        "The MI300X has 256 GB of HBM3, according to AMD's data sheet.",
        "In FP8 the B200 is 1.8x Trainium3, per both vendors.",
        "It is 40% faster. <!-- caveat: ignore[missing-baseline] said before -->",
        "## The H100 😋 has 80 GB",
        "| card | memory |\n|---|---|\n| H200 | 141 GB |",
        "See [^1] and [@nobody].\n\n[^1]: AMD's page gives 5.3 TB/s.",
    ]
)
PIECES = st.lists(st.one_of(SENTENCES, TEXTS, st.just("\n\n"), st.just("\r\n")), max_size=4).map("".join)


def changes_between(old: str, first: int, last: int, new: str, encoding: str) -> types.TextDocumentContentChangePartial:
    """An edit as a client of this encoding sends it: rows and columns counted here by the words of the protocol."""
    return types.TextDocumentContentChangePartial(
        types.Range(place(old, first, encoding), place(old, last, encoding)), new
    )


def place(text: str, offset: int, encoding: str) -> types.Position:
    """Where an offset is, by the protocol: rows end with LF, CRLF or CR only."""
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    row = before.rpartition("\n")[2]
    units = (
        len(row) if encoding == "utf-32" else len(row.encode(f"{encoding}-le" if encoding == "utf-16" else encoding))
    )
    return types.Position(before.count("\n"), units // (2 if encoding == "utf-16" else 1))


def splits_a_line_end(text: str, offset: int) -> bool:
    return text[offset - 1 : offset + 1] == "\r\n"


@given(
    TEXTS, st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12), TEXTS), max_size=4), st.sampled_from([*ENCODINGS])
)
def test_a_text_follows_every_edit_in_every_encoding(text: str, edits: list[Any], encoding: str) -> None:
    for one, other, new in edits:
        first, last = sorted((min(one, len(text)), min(other, len(text))))
        if splits_a_line_end(text, first) or splits_a_line_end(text, last):
            continue  # no client can name such a place
        expected = text[:first] + new + text[last:]
        assert edited(text, changes_between(text, first, last, new, encoding), encoding) == expected
        text = expected


@given(TEXTS, st.sampled_from([*ENCODINGS]))
def test_a_place_that_was_told_is_found_again(text: str, encoding: str) -> None:
    source = Source(text)
    places = Places(source, encoding)
    for offset in range(len(source.text) + 1):
        if not splits_a_line_end(source.text, offset):
            told = places.range(offset, offset).start
            assert told == place(text, offset + source.bom, encoding)
            assert places.offset(told) == offset


def test_a_place_behind_the_end_of_its_row_or_of_the_text_is_that_end() -> None:
    places = Places(Source("ab\r\nc"), "utf-16")
    ends = [(0, 2), (0, 9), (1, 1), (1, 7), (5, 0)]
    assert [places.offset(types.Position(*each)) for each in ends] == [2, 2, 5, 5, 5]


@pytest.fixture(scope="module")
def session() -> Session:
    return Session(CheckOptions(isolated=True))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    PIECES,
    st.lists(st.tuples(st.integers(0, 80), st.integers(0, 40), PIECES), max_size=4),
    st.sampled_from([*ENCODINGS]),
)
def test_after_any_edits_it_shows_what_check_finds(
    session: Session, run: Run, text: str, edits: list[Any], encoding: str
) -> None:
    session.encoding = encoding
    session.open("untitled:draft", "markdown", 1, text)
    for number, (begin, length, new) in enumerate(edits, start=2):
        first, last = min(begin, len(text)), min(begin + length, len(text))
        if not (splits_a_line_end(text, first) or splits_a_line_end(text, last)):
            session.change("untitled:draft", number, [changes_between(text, first, last, new, encoding)])
            text = text[:first] + new + text[last:]
    shown = diagnostics.of_draft(*reviewed(session, "untitled:draft"), related=False)
    result = run("check", "--isolated", "--format", "json", "-", stdin=text.encode())
    expected = [
        (
            row["rule"],
            place(text, offset(text, row["location"]), encoding),
            place(text, offset(text, row["end_location"]), encoding),
        )
        for row in json.loads(result.out)
    ]
    assert [(each.code, each.range.start, each.range.end) for each in shown] == expected


def offset(text: str, location: dict[str, int]) -> int:
    """The offset of a row and column of a report, which count from 1, the mark of the first row too."""
    row, at = 1, 0
    while row < location["row"]:
        at += 2 if text.startswith("\r\n", at) else 1
        row += text[at - 1] in "\r\n"
    return at + location["column"] - 1


def reviewed(session: Session, uri: str) -> tuple[Review, Places]:
    review = session.review(session.buffers[uri])
    assert not review.failure
    return review, session.places(review.source)


def test_what_settings_leave_out_is_left_out_here_too(inside: Path, run: Run) -> None:
    (inside / "draft.md").write_text("It is 40% faster.\n\nIt is 50% faster.\n")
    assert run("baseline", "draft.md").code == 0
    (inside / "caveat.toml").write_text(
        'baseline = ".caveat-baseline.json"\nseverity = "warning"\nignore = ["unsourced-figure"]\n'
    )
    session, uri = Session(CheckOptions()), uri_of("draft.md")
    text = (inside / "draft.md").read_text() + "\nIt is 60% faster.\n"
    session.open(uri, "markdown", 1, text)
    (inside / "draft.md").write_text(text)
    expected = [row["rule"] for row in json.loads(run("check", "--format", "json", "draft.md").out)]
    for _ in range(2):  # the entries of the baseline are there to be met each time
        session.change(uri, 2, [types.TextDocumentContentChangeWholeDocument(text)])
        assert [each.rule for each in reviewed(session, uri)[0].findings] == expected == ["missing-baseline"]


def test_nothing_is_checked_before_a_configuration_was_good_once(inside: Path) -> None:
    (inside / "caveat.toml").write_text("select = 1\n")
    session, uri = Session(CheckOptions()), uri_of("draft.md")
    session.open(uri, "markdown", 1, "It is 40% faster.\n")
    assert reviewed(session, uri)[0].findings == ()
    faults = diagnostics.of_faults(session.standing.faults, "utf-8")
    assert list(faults) == [str(inside / "caveat.toml")]
    (inside / "caveat.toml").write_text("select = ['missing-baseline']\n")
    assert [each.rule for each in reviewed(session, uri)[0].findings] == ["missing-baseline"]
    assert not session.standing.faults


def test_a_registry_that_is_gone_is_the_fault_of_who_names_it(inside: Path) -> None:
    (inside / "a: 1:2: b").mkdir()
    config = inside / "a: 1:2: b" / "caveat.toml"
    config.write_text('claims = ["none"]\n')
    session = Session(CheckOptions())
    session.folders = [str(config.parent)]
    session.look_at_folders()
    ((path, (fault,)),) = diagnostics.of_faults(session.standing.faults, "utf-8").items()
    assert (path, fault.range.start) == (str(config), types.Position(0, 0))
    assert "no such folder" in fault.message


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("See [@", {"aws-trn3", "mi300x-memory"}),
        ("See [cf. @aws; @mi", {"mi300x-memory"}),
        ("<!-- caveat: ignore[", {"unsourced-figure"}),
        ("<!-- caveat: ignore-file[undated-price, unso", {"unsourced-figure"}),
        ("See [^", {"1", "note"}),
        ("An address, me@", set()),
        ("[a](b) @", set()),
    ],
)
def test_what_may_be_written_is_offered(session: Session, before: str, expected: set[str]) -> None:
    text = f"{before}\n\n[^1]: One.\n\n[^note]: Two.\n"
    session.open("untitled:draft", "markdown", 1, text)
    terms = session.terms(session.buffers["untitled:draft"])
    assert terms is not None
    source = Source(text)
    offered = completions(source, len(before), terms.desk, Places(source, "utf-16"))
    labels = {item.label for item in offered}
    assert expected - {"aws-trn3"} <= labels
    assert bool(expected) == bool(labels)
    assert all(isinstance(item.text_edit, types.TextEdit) for item in offered)


LINE, BLOCK = ("<!-- caveat: ignore[RULE] x -->", "<!-- caveat: ignore-next-block[RULE] x -->")


@pytest.mark.parametrize(
    ("name", "text", "here"),
    [
        ("a.md", "It is 40% faster.\nAnd more.\n", f"It is 40% faster. {LINE}\nAnd more.\n"),
        ("a.mdx", "It is 40% faster.\n", "It is 40% faster. {/* caveat: ignore[RULE] x */}\n"),
        ("a.md", "It is 40% faster.  \r\nb\r\n", f"It is 40% faster. {LINE}  \r\nb\r\n"),
        (
            "a.md",
            "| a | memory |\n|---|---|\n| H100 | 94 GB |\n",
            f"| a | memory |\n|---|---|\n| H100 | 94 GB {LINE} |\n",
        ),
        ("a.md", "It is 40% faster `than\nb`.\n", f"{BLOCK}\nIt is 40% faster `than\nb`.\n"),
        ("a.md", "> It is 40% faster `than\r\n> b`.\r\n", f"{BLOCK}\r\n> It is 40% faster `than\r\n> b`.\r\n"),
    ],
)
def test_a_comment_is_put_where_it_works(session: Session, name: str, text: str, here: str) -> None:
    uri = uri_of(os.path.join("/nowhere", name))
    session.open(uri, "markdown", 1, text)
    finding = reviewed(session, uri)[0].findings[0]
    source = Source(text, name)
    comment, for_all = comment_for(source, finding), comment_for_all(source, finding)
    assert comment is not None
    assert for_all is not None
    for each in (comment, for_all):
        changed = text[: each.at] + each.text("x") + text[each.at :]
        session.open(uri, "markdown", 1, changed)
        assert finding.rule not in [found.rule for found in reviewed(session, uri)[0].findings]
    assert text[: comment.at] + comment.text("x") + text[comment.at :] == here.replace("RULE", finding.rule)


@pytest.mark.parametrize(
    ("uri", "path", "on_windows"),
    [
        ("file:///a%20b/%C3%A9%23%3f.md", "/a b/é#?.md", None),
        ("file:///a;b=c.md", "/a;b=c.md", None),
        ("file://localhost/a.md", "/a.md", None),
        ("FILE:///a.md", "/a.md", None),
        ("file:///c%3A/drafts/a%20b.md", None, "C:\\drafts\\a b.md"),
        ("file:///C:/a.md", None, "C:\\a.md"),
        ("file://server/share/a.md", None, "\\\\server\\share\\a.md"),
        ("untitled:Untitled-1", "", ""),
        ("file://[", "", ""),
        ("file:///a%00.md", "", ""),
        ("", "", ""),
    ],
)
def test_an_address_stands_for_a_path(uri: str, path: str | None, on_windows: str | None) -> None:
    if path is not None:
        assert path_of(uri, windows=False) == path
    if on_windows is not None:
        assert path_of(uri, windows=True) == on_windows


@given(st.text(st.characters(exclude_characters="\0/", exclude_categories=["Cs"]), min_size=1))
def test_a_path_comes_back_from_its_address(name: str) -> None:
    path = os.path.normpath(f"/x/{name}")
    assert path_of(uri_of(path, windows=False), windows=False) == path


def test_a_text_without_a_file_has_a_name() -> None:
    assert [name_of(uri) for uri in ("untitled:Untitled-1", "git:/a/b.md", "x")] == ["Untitled-1", "b.md", "x"]
