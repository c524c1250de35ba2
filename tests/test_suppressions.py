"""Suppressions: where they are found, what they cover, and what is said about those that do nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from caveat.checks import SUPPRESSION_CHECKS
from caveat.checks.suppressions import Ledger
from caveat.engine import Checked, check
from caveat.finding import Finding
from caveat.markdown.document import read
from caveat.markdown.source import Source
from caveat.markdown.suppressions import FORMS
from caveat.running.cache import Cache
from caveat.running.desk import Desk, find_desk, load_desk, select_rules

CLAIMS = Path(__file__).parent / "claims"
DESK = load_desk(find_desk(str(CLAIMS)), Cache(""))
BAD = "The Trainium3 chip has 128 GB of memory, according to the Trn3 page."
LINE = "<!-- caveat: ignore[figure-mismatch] the page is being corrected -->"
BLOCK = LINE.replace("ignore", "ignore-next-block")
FILE = LINE.replace("ignore", "ignore-file")


def checked(text: str, desk: Desk = DESK, filename: str = "draft.md") -> Checked:
    return check(Source(text, filename), desk.registry, desk.rules, every_rule=desk.every_rule)


def rules(text: str, filename: str = "draft.md") -> list[str]:
    return [finding.rule for finding in checked(text, filename=filename).findings]


def suppressions(text: str, filename: str = "draft.md") -> list[tuple[str, list[str], str]]:
    found = read(Source(text, filename)).suppressions
    return [(each.form, [name.text for name in each.names], each.reason) for each in found]


# How they are written


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("<!-- caveat: ignore[one] why -->", ("ignore", ["one"], "why")),
        ("<!--caveat:ignore[one]why-->", ("ignore", ["one"], "why")),
        ("<!-- caveat: ignore[ one , two,three ] -- a\nreason -->", ("ignore", ["one", "two", "three"], "a reason")),
        ("<!-- caveat: ignore-next-block[one]: why -->", ("ignore-next-block", ["one"], "why")),
        ("<!-- caveat: ignore-file[one] why [1] -->", ("ignore-file", ["one"], "why [1]")),
        ("<!-- caveat: ignore[one] -->", ("ignore", ["one"], "")),
        ("<!-- caveat: ignore[one] -- -->", ("ignore", ["one"], "")),
        ("<!-- caveat: ignore[] why -->", ("ignore", [], "why")),
        ("<!-- caveat: ignore[,] why -->", ("ignore", [], "why")),
        ("<!-- caveat: disable[one] why -->", ("disable", ["one"], "why")),
        ("<!-- caveat: ignore one -->", ("", [], "")),
        ("<!-- caveat ignore[one] why -->", ("", [], "")),
        ("<!-- Caveat: Ignore[one] why -->", ("", [], "")),
        ("<!-- caveat: ignore[one why -->", ("", [], "")),
    ],
)
def test_what_is_read(comment: str, expected: tuple[str, list[str], str]) -> None:
    assert suppressions(f"Words. {comment}\n") == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "<!-- caveat: all figures are of 2023 -->",
        "<!-- Caveat: ignored by most vendors -->",
        "<!-- caveats: ignore[one] why -->",
        "<!-- markdownlint-disable -->",
        f"`{LINE}`",
        f"```\n{LINE}\n```",
        f"    {LINE}",
        f"<pre>{LINE}</pre>",
        f"\\{LINE}",
        f"---\ntitle: {LINE}\n---\n",
        "{/* caveat: ignore[one] why */}",
    ],
)
def test_what_is_none(text: str) -> None:
    assert suppressions(f"{text}\n") == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("{/* caveat: ignore[one] why */}\n", 1),
        ("Words {/* caveat: ignore[one] why */}\n", 1),
        ("| a |\n|---|\n| b {/* caveat: ignore[one] why */} |\n", 1),
        ("<Note>\n{/* caveat: ignore[one] why */}\nwords\n</Note>\n", 1),
        ("<!-- caveat: ignore[one] why -->\n", 1),
        ("`{/* caveat: ignore[one] why */}`\n", 0),
        ("```\n{/* caveat: ignore[one] why */}\n```\n", 0),
    ],
)
def test_mdx(text: str, count: int) -> None:
    assert suppressions(text, "draft.mdx") == [("ignore", ["one"], "why")] * count


def test_one_that_is_not_closed_is_said() -> None:
    (finding,) = checked("Words.\n\n<!-- caveat: ignore[figure-mismatch] why\n\nMore.\n").findings
    assert finding.message.startswith("this comment cannot be read as a suppression")


# What they cover


@pytest.mark.parametrize(
    "text",
    [
        f"{BAD} {LINE}",
        f"{LINE} {BAD}",
        f"- one\n- {BAD} {LINE}\n- three",
        f"> {BAD} {LINE}",
        f"| what |\n|---|\n| {BAD} {LINE} |",
        f"Words.[^1]\n\n[^1]: {BAD} {LINE}",
        f"<div>{BAD} {LINE}</div>",
        f"{BAD} {LINE}\r\nMore.\r\n",
        f"\ufeff{BAD} {LINE}",
        f"{BLOCK}\n{BAD}",
        f"{BLOCK}\n\n{BAD}\n",
        f"{BLOCK}\n<!-- prettier-ignore -->\n{BAD}\n",
        f"{BLOCK}\n\n- one\n- two\n\n  {BAD}\n",
        f"{BLOCK}\n\n> quote\n>\n> {BAD}\n",
        f"{BLOCK}\n| what |\n|---|\n| {BAD} |\n",
        f"{BLOCK}\n## {BAD}\n",
        f"Before. {BLOCK}\n\n{BAD}\n",
        f"- one\n  {BLOCK}\n- {BAD}\n",
        f"| a |\n|---|\n| b {BLOCK} |\n| c |\n\n{BAD}\n",
        f"{FILE}\n\nWords.\n\n{BAD}\n",
        f"{BAD}\n\n{FILE}\n",
        f"- code:\n  ```\n  ---\n  {LINE}\n  ```\n- {BAD} {LINE}\n",
    ],
)
def test_what_is_covered(text: str) -> None:
    outcome = checked(text)
    assert outcome.findings == []
    assert [finding.rule for finding in outcome.suppressed] == ["figure-mismatch"]


@pytest.mark.parametrize(
    "text",
    [
        f"{LINE}\n{BAD}",
        f"{BAD}\n{LINE}",
        f"{BLOCK}\n\nWords.\n\n{BAD}\n",
        f"{BLOCK}\n\n```\ncode\n```\n\n{BAD}\n",
        f"{BLOCK}\n\n---\n\n{BAD}\n",
        f"{BAD}\n\n{BLOCK}\n",
        f"{BLOCK}\n<div>\n\n{BAD}\n\n</div>\n",
    ],
)
def test_what_is_not_covered_and_so_unused(text: str) -> None:
    assert sorted(rules(text)) == ["figure-mismatch", "unused-suppression"]


def test_a_block_in_mdx() -> None:
    comment = "{/* caveat: ignore-next-block[figure-mismatch] the page is being corrected */}"
    assert rules(f"{comment}\n\n{{/* a note */}}\n\n{BAD}\n", "draft.mdx") == []
    assert rules(f"{comment}\n\n<Chart data={{[1]}} />\n\n{BAD}\n", "draft.mdx") == [
        "unused-suppression",
        "figure-mismatch",
    ]


def test_the_narrowest_is_used() -> None:
    assert rules(f"{FILE}\n\n{BAD} {LINE}\n") == ["unused-suppression"]
    found = checked(f"{FILE}\n\n{BLOCK}\n\n{BAD}\n").findings
    assert [(finding.rule, finding.start) for finding in found] == [("unused-suppression", FILE.index("figure"))]


def test_the_same_findings_with_one_suppression_for_two_rules() -> None:
    text = f"{BAD} <!-- caveat: ignore[figure-mismatch, unsourced-figure] why -->"
    (finding,) = checked(text).findings
    assert (finding.rule, text[finding.start : finding.end]) == ("unused-suppression", "unsourced-figure")
    assert finding.message == "unsourced-figure has nothing to suppress on this line"


def test_what_does_not_hold_leaves_everything_in() -> None:
    assert rules(f"{BAD} <!-- caveat: ignore[figure-mismatch] -->") == ["figure-mismatch", "unexplained-suppression"]
    assert rules(f"{BAD} <!-- caveat: ignore[figure-mismatsch] why -->") == ["figure-mismatch", "unknown-suppression"]
    assert rules(f"{BAD} <!-- caveat: ignore[] why -->") == ["figure-mismatch", "unknown-suppression"]


def test_what_is_said_about_suppressions_cannot_be_suppressed() -> None:
    text = "<!-- caveat: ignore-file[unused-suppression] why -->"
    (finding,) = checked(text).findings
    assert finding.message.startswith("unused-suppression is no rule that can be suppressed")


def test_one_of_a_rule_that_did_not_run_is_not_unused() -> None:
    text = f"Words. {LINE}\n"
    assert rules(text) == ["unused-suppression"]
    for select, ignore in ((["unused-suppression"], []), ([], ["figure-mismatch"])):
        assert checked(text, select_rules(DESK, select, ignore)).findings == []
    unknown = select_rules(DESK, ["unknown-suppression"], [])
    assert checked(text, unknown).findings == []
    assert len(checked("<!-- caveat: ignore[no-rule] why -->", unknown).findings) == 1


def test_fingerprints_do_not_depend_on_suppressions() -> None:
    alone = checked(f"{BAD}\n\n{BAD}\n").findings
    one = checked(f"{BAD} {LINE}\n\n{BAD}\n")
    assert [finding.fingerprint for finding in one.suppressed + one.findings] == [f.fingerprint for f in alone]


# Comments change nothing else

TEXTS = [
    "The Trainium3 chip has 128 GB of memory, according to the Trn3 page.\nIt is 4.4x faster.",
    "- The H200 has 141 GB.\n- The B200 draws 1,000 W,\n  says nobody.\n",
    "| chip | memory |\n|---|---|\n| Trainium3 | 128 GB |\n| MI300X | 256 GB |\n",
    "# Trainium3 has 128 GB\n\n> In FP8 the B200 is\n> 1.8x Trainium3, per both vendors.\n",
]
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(TEXTS), st.data(), st.sampled_from(FORMS))
def test_no_suppression_changes_what_is_found_or_rendered(text: str, data: st.DataObject, form: str) -> None:
    rows = text.split("\n")
    row = data.draw(st.integers(0, len(rows) - 1).filter(lambda at: rows[at].strip() and "---" not in rows[at]))
    comment = f"<!-- caveat: {form}[undated-price] why -->"
    if data.draw(st.booleans()) and (row == 0 or not rows[row - 1]):
        rows[row] = f"{comment}\n{rows[row]}"
    else:
        end = len(rows[row]) - 2 if rows[row].endswith(" |") else len(rows[row])
        rows[row] = f"{rows[row][:end]} {comment}{rows[row][end:]}"
    changed = "\n".join(rows)
    assert _found(changed) == _found(text)
    assert _rendered(changed) == _rendered(text)


def _rendered(text: str) -> str:
    html = MarkdownIt("commonmark").enable("table").render(text)
    return "".join(COMMENT.sub("", html).split())


def _found(text: str) -> list[tuple[str, str, str]]:
    findings: list[Finding] = checked(text).findings
    about = set(SUPPRESSION_CHECKS)
    return [(f.rule, text[f.start : f.end], f.fingerprint) for f in findings if f.rule not in about]


def test_cost_grows_in_a_straight_line(calls: Callable[[Callable[[], object]], int]) -> None:
    def cost(count: int) -> int:
        text = f"{FILE}\n\n{BLOCK}\n" * count + f"{LINE} " * count
        found = [Finding("figure-mismatch", "error", "", at, at + 1) for at in range(count)]
        known = {"figure-mismatch"}
        return calls(lambda: Ledger(read(Source(text)).suppressions, found, known, known))

    cost(1)
    assert cost(400) < 4.5 * cost(100)
