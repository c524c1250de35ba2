"""What fixes are made of a draft: good sentences, proven, and nothing else changed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from caveat.comparing.wording import address, plain
from caveat.engine import Checked
from caveat.finding import DISPLAY_ONLY, SAFE, UNSAFE, Edit, Finding, Fix, apply_edits
from caveat.fixing import offers
from caveat.fixing.applying import Applied, apply_fixes, with_fixes
from caveat.fixing.case import Case
from caveat.fixing.citations import one_letter_apart
from caveat.fixing.edits import moved, touch
from caveat.fixing.proving import MOST_CHECKS, Prover
from caveat.markdown.document import read
from caveat.markdown.source import Source
from caveat.running.cache import Cache
from caveat.running.checking import recheck
from caveat.running.desk import find_desk, load_desk

TESTS = Path(__file__).parent
DESK = load_desk(find_desk(str(TESTS / "claims")), Cache(""))
FIXABLE = {rule.name for rule in DESK.rules if rule.check in offers.FIXERS}


def read_yaml(path: Path) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return entries


TABLE = read_yaml(TESTS / "fixes.yaml")
CASES = [case for path in sorted((TESTS / "cases").glob("*/*.yaml")) for case in read_yaml(path)]
TEXTS = {case["id"]: case["text"] for case in CASES if any(label["rule"] in FIXABLE for label in case["expect"])} | {
    f"{rule.name} {number}": re.sub("[«»]", "", example.text)
    for rule in DESK.rules
    for number, example in enumerate(rule.examples)
    if example.bad and rule.name in FIXABLE
}


def rechecking(text: str) -> tuple[Checked, Callable[[str], Checked]]:
    check = partial(recheck, DESK, Source(text, "draft.md"))
    return check(Source(text).text), check


def no_number(fix: Fix) -> bool:
    return fix.applicability != DISPLAY_ONLY


def fixed(text: str, allowed: Callable[[Fix], bool] = no_number) -> Applied:
    checked, check = rechecking(text)
    return apply_fixes(checked, DESK.rules, check, allowed, range(len(checked.findings)))


def fixed_text(text: str, allowed: Callable[[Fix], bool] = no_number) -> str:
    return fixed(text, allowed).checked.article.document.source.text


@cache
def offered(name: str) -> tuple[Checked, list[Finding]]:
    """A text checked, and its findings with the fixes that are offered for them."""
    checked, check = rechecking(TEXTS[name])
    return checked, with_fixes(checked, DESK.rules, check)


def rules_of(findings: Sequence[Finding]) -> Counter[str]:
    return Counter(finding.rule for finding in findings)


@pytest.mark.parametrize("entry", TABLE, ids=lambda entry: entry["draft"].strip()[:60])
def test_a_draft_becomes_what_an_editor_would_write(entry: dict[str, str]) -> None:
    assert fixed_text(entry["draft"]) == entry["fixed"]


@pytest.mark.parametrize("name", TEXTS)
def test_fixes_remove_findings_add_none_and_settle(name: str) -> None:
    """Each by itself, and all of them together; with CRLF as with LF."""
    text = TEXTS[name]
    (checked, findings), (_, check) = offered(name), rechecking(text)
    for number, finding in enumerate(findings):
        if finding.fix is not None:
            after = check(apply_edits(text, finding.fix.edits))
            lost = rules_of(checked.findings) - rules_of(after.findings)
            assert lost[checked.findings[number].rule] > 0
            assert not rules_of(after.findings) - rules_of(checked.findings)
            assert not rules_of(after.suppressed) - rules_of(checked.suppressed)
            assert finding.fix.edits == tuple(sorted(finding.fix.edits))
    once = fixed(text)
    became = once.checked.article.document.source.text
    assert not rules_of(once.checked.findings) - rules_of(checked.findings)
    assert fixed_text(became) == became
    assert (became == text) == (len(once.checked.findings) == len(checked.findings))
    if became != text and "\n" in text:
        assert fixed_text(text.replace("\n", "\r\n")) == became.replace("\n", "\r\n")


def test_every_kind_of_fix_is_among_them() -> None:
    found = [finding for name in TEXTS for finding in offered(name)[1] if finding.fix]
    assert {finding.rule for finding in found} >= FIXABLE - {"mixed-direction", "mixed-kind"}
    assert {finding.fix.applicability for finding in found if finding.fix} == {SAFE, UNSAFE, DISPLAY_ONLY}


def test_safe_fixes_are_those_of_keys_and_comments() -> None:
    found = [finding for name in TEXTS for finding in offered(name)[1] if finding.fix]
    safe = {finding.rule for finding in found if finding.fix and finding.fix.applicability == SAFE}
    display = {finding.rule for finding in found if finding.fix and finding.fix.applicability == DISPLAY_ONLY}
    assert safe == {"unused-suppression", "undefined-citation"}
    assert display == {"figure-mismatch", "stale-table"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Trainium3 has 128 GB of HBM3e, AWS says.", "Trainium3 has 144 GB of HBM3e, AWS says."),
        ("NVIDIA's H200 page gives 1,797 TFLOPS of dense FP8.", "NVIDIA's H200 page gives 1,979 TFLOPS of dense FP8."),
        ("NVIDIA's H200 page gives 1797 TFLOPS of dense FP8.", "NVIDIA's H200 page gives 1979 TFLOPS of dense FP8."),
        ("Project Rainier has 300,000 chips, says AWS.", "Project Rainier has more than 500,000 chips, says AWS."),
        ("| | memory (GB) |\n|---|---|\n| Trainium3 | 128 |\n", "| | memory (GB) |\n|---|---|\n| Trainium3 | 144 |\n"),
    ],
)  # fmt: skip
def test_the_registered_value_is_offered_and_never_put_in(text: str, value: str) -> None:
    checked, check = rechecking(text)
    (finding,) = with_fixes(checked, DESK.rules, check)
    assert finding.fix is not None
    assert finding.fix.applicability == DISPLAY_ONLY
    assert apply_edits(text, finding.fix.edits) == value
    assert fixed_text(text) == text


def test_a_finding_has_several_fixes_the_best_first() -> None:
    registry = load_desk(find_desk(str(TESTS.parent / "claims")), Cache(""))
    text = "The H200 is up to 1.9x faster on Llama 2 70B inference than the H100.\n"
    source = Source(text, "draft.md")
    checked = recheck(registry, source, text)
    assert [finding.rule for finding in checked.findings] == ["self-comparison-as-independent"]
    fixes = Prover(checked, registry.rules, partial(recheck, registry, source)).every(0)
    assert [fix.title for fix in fixes] == ['Add "per NVIDIA"', 'Add "per NVIDIA" and a footnote']
    assert apply_edits(text, fixes[1].edits).startswith(
        "The H200 is up to 1.9x faster on Llama 2 70B inference than the H100, per NVIDIA[^"
    )


def test_a_note_on_the_same_address_is_used_again() -> None:
    registry = load_desk(find_desk(str(TESTS.parent / "claims")), Cache(""))
    text = "The H200 is up to 1.9x faster on Llama 2 70B inference than the H100.\n"
    check = partial(recheck, registry, Source(text, "draft.md"))
    checked = check(text)
    _, with_note = Prover(checked, registry.rules, check).every(0)
    note = with_note.edits[1].text.split(": ", 1)[1]
    noted = f"{text}\nIt has 141 GB.[^7]\n\n[^7]: {note}"
    _, again = Prover(check(noted), registry.rules, check).every(0)
    assert [edit.text for edit in again.edits] == [", per NVIDIA[^7]"]


def test_a_fix_that_does_not_cure_or_does_harm_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    def harm(case: Case, finding: Finding) -> Any:
        for text in ("", "MI355X has 999 GB. ", "# ", "\n\n", "| ", "`", "<!--"):
            yield Fix("Try this", SAFE, (Edit(finding.start, finding.start, text),))

    monkeypatch.setitem(offers.FIXERS, "contradiction", (harm,))
    for text in (
        "Trainium3 has 128 GB, AWS says.\n",
        "- More of it\n- Trainium3 has 128 GB, AWS says\n",
    ):
        checked, check = rechecking(text)
        assert [finding.rule for finding in checked.findings] == ["figure-mismatch"]
        assert Prover(checked, DESK.rules, check).every(0) == []
        assert [finding.fix for finding in with_fixes(checked, DESK.rules, check)] == [None]


def test_good_fixes_are_found_among_bad_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nine paragraphs; each third has no good fix, and its bad one makes findings in its own paragraph only."""

    def sometimes(case: Case, finding: Finding) -> Any:
        if case.article.sentence_at(finding.start).block % 3:
            yield Fix("Good", SAFE, (Edit(finding.start, finding.end, "144 GB"),))
        else:
            yield Fix("Bad", SAFE, (Edit(finding.start, finding.end, "129 GB"),))

    monkeypatch.setitem(offers.FIXERS, "contradiction", (sometimes,))
    checked, check = rechecking("Trainium3 has 128 GB, AWS says.\n\n" * 9)
    fixes = [finding.fix for finding in with_fixes(checked, DESK.rules, check)]
    assert [fix is not None for fix in fixes] == [False, True, True] * 3


def test_a_draft_is_checked_a_bounded_number_of_times() -> None:
    sentence = "Trn3 UltraServers run 4.4x faster than Trn2 UltraServers. "
    for text in (sentence * 40, f"{sentence}\n\n" * 40, "The H200 has 141 GB.[^h] " * 40):
        checked, check = rechecking(text)
        seen: list[str] = []

        def counted(changed: str, seen: list[str] = seen, check: Callable[[str], Checked] = check) -> Checked:
            seen.append(changed)
            return check(changed)

        with_fixes(checked, DESK.rules, counted)
        assert 0 < len(seen) <= MOST_CHECKS


def test_many_findings_in_one_paragraph_are_fixed_one_after_another() -> None:
    text = "Trn3 UltraServers run 4.4x faster than Trn2 UltraServers. " * 12
    assert fixed_text(text) == "Trn3 UltraServers run up to 4.4x faster than Trn2 UltraServers, per AWS. " * 12


def test_what_was_recorded_before_keeps_its_fingerprint() -> None:
    text = "Trainium3 has 128 GB and is up to 3x faster than Trainium2 on Bedrock.\n"
    checked, check = rechecking(text)
    rules = [finding.rule for finding in checked.findings]
    assert rules == ["figure-mismatch", "self-comparison-as-independent"]
    applied = apply_fixes(checked, DESK.rules, check, no_number, {1}, ({0}, ()))
    assert applied.checked is checked
    applied = apply_fixes(checked, DESK.rules, check, no_number, {1})
    assert applied.origin == [0]


def test_lines_that_shall_not_change_do_not() -> None:
    text = "Trn3 UltraServers run up to 4.4x\nfaster than Trn2 UltraServers. Trainium3 has 128 GB, AWS says.\n"
    checked, check = rechecking(text)
    assert [finding.rule for finding in checked.findings] == ["self-comparison-as-independent", "figure-mismatch"]
    assert apply_fixes(checked, DESK.rules, check, no_number, {0}, ((), {1})).checked is checked
    assert apply_fixes(checked, DESK.rules, check, no_number, {0}).origin == [1]


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        ("nvida", "nvidia", True),
        ("nvidiaa", "nvidia", True),
        ("nvidea", "nvidia", True),
        ("tpu-docs", "tpu-doc", True),
        ("nvidia", "nvidia", False),
        ("nvdia-", "nvidia", False),
        ("h200", "h100", False),
        ("trn", "trn3", False),
        ("page-1", "page-12", False),
        ("b200", "h200", False),
        ("b200", "gb200", False),
        ("mi300a", "mi300x", False),
        ("mi250", "mi250x", False),
        ("h200-shet", "h200-sheet", True),
        ("amd", "arm", False),
        ("a", "b", False),
        ("", "abcd", False),
    ],
)
def test_one_letter(one: str, other: str, near: bool) -> None:  # noqa: FBT001
    assert one_letter_apart(one, other) is near
    assert one_letter_apart(other, one) is near


@given(st.text("abc-", max_size=8), st.text("abc-", max_size=8))
def test_one_letter_is_one_edit(one: str, other: str) -> None:
    letters = "abc-"
    near = {one[:at] + one[at + 1 :] for at in range(len(one)) if one[at] in letters}
    near |= {one[:at] + sign + one[at:] for at in range(len(one) + 1) for sign in letters}
    near |= {one[:at] + sign + one[at + 1 :] for at in range(len(one)) for sign in letters if one[at] in letters}
    near -= {one}
    assert one_letter_apart(one, other) == (other in near and max(len(one), len(other)) >= 4)


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, list[Edit]]:
    """A text and edits of it that do not touch."""
    text = draw(st.text("ab\r\n é🚀", max_size=30))
    places = draw(st.lists(st.integers(0, len(text)), max_size=8, unique=True).map(sorted))
    pairs = zip(places[::2], places[1::2], strict=False)
    return text, [Edit(start, end - draw(st.integers(0, 1)), draw(st.text("xy\n", max_size=4))) for start, end in pairs]


@given(edited())
def test_edits_change_what_they_name_and_nothing_else(pair: tuple[str, list[Edit]]) -> None:
    text, edits = pair
    after = apply_edits(text, reversed(edits))
    bounds = [0, *(place for edit in edits for place in edit[:2]), len(text)]
    kept = [text[start:end] for start, end in zip(bounds[::2], bounds[1::2], strict=True)]
    parts = [part for pair in zip(kept, [*(edit.text for edit in edits), ""], strict=True) for part in pair]
    assert after == "".join(parts)


@given(edited(), st.integers(0, 30), st.integers(0, 30))
def test_a_place_moves_with_its_words(pair: tuple[str, list[Edit]], one: int, other: int) -> None:
    text, edits = pair
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    after = apply_edits(text, edits)
    low, high = moved((start, end), edits)
    assert 0 <= low <= high <= len(after)
    if not touch(edits, [Edit(start, end, "")]):
        assert after[low:high] == text[start:end]
    else:
        assert all(edit.text in after[low:high] for edit in edits if start <= edit.start and edit.end <= end)


@given(st.text("ab*_`[](){}<>|~$^\\#\n\r\t !&;'\"\x00\u202e", max_size=20))
def test_a_title_of_the_registry_is_plain_text_in_a_note(title: str) -> None:
    written = plain(title)
    assert "\n" not in written
    text = f"Some words.[^x]\n\n[^x]: Maker, [{written or 'it'}](https://example.com/{address(title)}), 2026.\n"
    document = read(Source(text))
    assert list(document.footnotes) == ["x"]
    assert [reference.kind for reference in document.references] == ["footnote", "link"]
    assert document.references[1].end == text.index(", 2026")


BAD = (
    "Trn3 UltraServers run 4.4x faster than Trn2 UltraServers.",
    "Trn3 UltraServers run **up to 4.4x** faster than Trn2 UltraServers, so *plan* for `them`",
    "A Trn3 UltraServer, says AWS, has 144 [chips](https://example.com).",
    "In FP8 the B200 is 1.8x Trainium3, per both vendors.",
    "The H200 has 141 GB of memory.[^h] It has 4.8 TB/s.[^h]",
    "The H200 has 141 GB [@nvidia-h200-pag].",
    "Trainium3 has 128 GB, AWS says.",
    "Chips. <!-- caveat: ignore[undated-price, quote-mismatch] no price -->",
    "<!-- caveat: ignore[figure-mismatch] none --> Trainium3 has 144 GB.",
    "Project Rainier is the largest AI compute cluster in the world.",
    "A plain sentence with é, 🚀 and\u2028a line separator.",
)
SHAPES = (
    "{}\n", "{}\n\n", "# {}\n", "## {} ##\n", "{}\n===\n", "> {}\n", "> > {}\n>\n", "- {}\n", "  - {}\n", "1. {}\n\n",
    "\n| a | b |\n|---|--:|\n| x | {} |\n", "| {} | y |\n", "**{}**\n", "*{}*\\\n", "<div>{}</div>\n\n", "    {}\n",
    "```\n{}\n```\n", "[^n]: {}\n", "({})  \n", "\u201c{}\u201d\n", "\t{}\n",
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(SHAPES), st.sampled_from(BAD)), min_size=1, max_size=6),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(["", "\n"]),
)
def test_fixes_are_right_in_whatever_markdown_they_stand(
    parts: list[tuple[str, str]], line_end: str, last: str
) -> None:
    text = "".join(shape.format(words) for shape, words in parts)
    text = (text.rstrip("\n") + last).replace("\n", line_end)
    checked, check = rechecking(text)
    applied = fixed(text)
    became = applied.checked.article.document.source.text
    assert not rules_of(applied.checked.findings) - rules_of(checked.findings)
    assert not rules_of(applied.checked.suppressed) - rules_of(checked.suppressed)
    assert len(applied.checked.findings) < len(checked.findings) or became == text
    assert fixed_text(became) == became
    assert set(re.findall(r"\r\n?|\n", became)) <= {line_end if line_end in text else "\n"}
    assert became.endswith(line_end) == text.endswith(line_end) or not became
    assert [b.kind for b in check(became).article.document.blocks if not b.footnote] == [
        b.kind for b in checked.article.document.blocks if not b.footnote
    ]
