"""What users of other linters complain about: complaints.yaml, and what a table cannot show."""

from __future__ import annotations

import ast
import json
import re
import shlex
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml

from caveat.options import FORMATS
from commands import Run
from test_cli import BAD, CLAIMS, GOOD, write
from test_formats import read_junit

TESTS = Path(__file__).parent
COMPLAINTS: list[dict[str, Any]] = yaml.safe_load((TESTS / "complaints.yaml").read_text(encoding="utf-8"))
SHOWN = [entry for entry in COMPLAINTS if "drafts" in entry]
ERROR = BAD
WARNING = "It draws 9 kW.\n"


def test_every_complaint_is_answered() -> None:
    assert [entry["number"] for entry in COMPLAINTS] == sorted(entry["number"] for entry in COMPLAINTS)
    assert {entry["number"] for entry in COMPLAINTS} == set(range(1, 43))
    for entry in COMPLAINTS:
        assert len(entry.keys() & {"drafts", "tested", "not-ours"}) == 1, entry


@pytest.mark.parametrize("name", [name for entry in COMPLAINTS for name in entry.get("tested", ())])
def test_a_test_that_is_named_is_there(name: str) -> None:
    module, _, function = name.partition("::")
    tree = ast.parse((TESTS / module).read_text(encoding="utf-8"))
    assert function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


@pytest.mark.parametrize("entry", SHOWN, ids=lambda entry: f"{entry['number']}: {entry['complaint']}")
def test_a_complaint_cannot_be_made_here(entry: dict[str, Any], run: Run, inside: Path) -> None:
    write(*entry["drafts"].items())
    if "found" in entry:
        result = run("check", "--claims", CLAIMS, "--format", "json", ".")
        assert [_shown(row) for row in json.loads(result.out)] == entry["found"]
        assert result.code == (1 if entry["found"] else 0)
        return
    result = run(*shlex.split(entry["command"]), stdin=entry.get("stdin", "").encode())
    assert result.code == entry["code"]
    assert "out" not in entry or entry["out"] or result.out == ""
    for stream in ("out", "err"):
        for words in entry.get(stream, ()):
            assert words.replace("{here}", str(inside)) in getattr(result, stream)


def _shown(row: dict[str, Any]) -> str:
    place = f"{row['filename']}:{row['location']['row']}:{row['location']['column']}"
    words = re.sub(r"\s*\n[> ]*", " ", row["text"])
    return f"{place} {row['rule']} {words}"


@pytest.mark.parametrize("value", ["1e3", "1,979", "1_979", "3:2", "010", "no", "2.10", "3:2 GB", "0x10 GB", ".inf GB"])
def test_yaml_turns_no_value_into_another(run: Run, value: str) -> None:
    claim = "{{id: one, product: rocket, metric: memory-capacity, source: sheet, value: {}}}"
    head = (
        "vendors: {acme: {name: Acme}}\nproducts: {rocket: {name: Rocket, vendor: acme, unit: chip}}\n"
        "sources: {sheet: {title: Sheet, publisher: acme, kind: vendor-doc}}\nclaims:\n"
    )
    write(("c/a.yaml", f"{head}  - {claim.format(value)}\n"))
    result = run("claims", "show", "one", "--claims", "c")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("c/a.yaml:5:")
    write(("c/a.yaml", f"{head}  - {claim.format('2.10 GB')}\n"))
    assert json.loads(run("claims", "show", "one", "--claims", "c", "--format", "json").out)["value"] == "2.10 GB"
    write(("c/a.yaml", f"{head}  - {claim.format('2.10 GB, value: 3 GB')}\n"))
    assert 'the key "value" is given twice, first in line 5' in run("claims", "check", "--claims", "c").err


@pytest.mark.parametrize("text", ["3–5× faster", "3-5x faster", "3x to 5x faster", "3\u2009to\u20095 times faster"])
def test_a_range_is_one_in_every_spelling(run: Run, text: str) -> None:
    (row,) = json.loads(run("check", "--show-figures", "--format", "json", "--text", f"It is {text}.").out)
    assert (row["kind"], row["value"]) == ("ratio", "3 to 5 x")


def test_what_fails_is_a_failed_test(run: Run) -> None:
    write(("a.md", WARNING))
    for options, failures in ((["--fail-on", "error"], 0), (["--max-warnings", "1"], 0), (["--max-warnings", "0"], 1)):
        text = run("check", "--format", "junit", *options, "a.md").out
        assert read_junit(text) == failures
        report = ET.fromstring(text)  # noqa: S314 - our own
        assert [suite.get("failures") for suite in report] == [str(failures)]
        assert len(report.findall(".//failure")) == failures
        assert len(report.findall(".//system-out")) == 1 - failures


@pytest.mark.parametrize("form", FORMATS)
def test_what_fails_is_the_same_in_every_format(run: Run, form: str) -> None:
    write(("good.md", GOOD), ("error.md", ERROR), ("warning.md", WARNING), ("warnings.md", f"{WARNING}\n" * 3))

    def code(draft: str, *options: str) -> int:
        return run("check", "--claims", CLAIMS, "--quiet", "--format", form, *options, draft).code

    assert [code(name) for name in ("good.md", "warning.md", "error.md")] == [0, 1, 1]
    assert [code(name, "--fail-on", "error") for name in ("good.md", "warnings.md", "error.md")] == [0, 0, 1]
    assert [code("warnings.md", "--max-warnings", most) for most in ("0", "2", "3")] == [1, 1, 0]
    assert [code("error.md", "--max-warnings", "9"), code("good.md", "--max-warnings", "0")] == [1, 0]
    assert code("warning.md", "--fail-on", "warning", "--max-warnings", "9") == 1
    assert code("error.md", "--fail-on", "error", "--exit-zero") == 0
    assert code("missing.md", "--fail-on", "error", "--max-warnings", "9", "--exit-zero") == 2


@pytest.mark.parametrize("form", sorted(set(FORMATS) - {"full", "concise"}))
def test_a_report_for_machines_is_all_that_is_on_standard_output(run: Run, form: str) -> None:
    write(("a.md", ERROR + WARNING))
    Path("latin.md").write_bytes(b"\xff")
    alone = run("check", "--claims", CLAIMS, "--format", form, "--quiet", "a.md")
    with_more_to_say = run("check", "--claims", CLAIMS, "--format", form, "a.md", "latin.md", "missing.md")
    assert with_more_to_say.out == alone.out
    assert with_more_to_say.code == 2


def test_no_format_is_guessed_from_where_it_runs(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write(("a.md", ERROR))
    before = run("check", "--claims", CLAIMS, "a.md")
    for name in ("CI", "GITHUB_ACTIONS", "GITLAB_CI", "PRE_COMMIT"):
        monkeypatch.setenv(name, "true")
    assert run("check", "--claims", CLAIMS, "a.md") == before


@pytest.mark.parametrize("form", sorted(set(FORMATS) - {"full", "github"}))
def test_what_a_draft_leaves_out_is_in_no_report(run: Run, form: str) -> None:
    write(("a.md", f"{WARNING.strip()} <!-- caveat: ignore[unsourced-figure] measured by us -->\n"))
    shown = run("check", "--format", form, "--quiet", "a.md")
    assert shown.code == 0
    assert "no source for" not in shown.out
    both = run("check", "--format", form, "--quiet", "--no-suppressions", "a.md")
    assert both.code == 1
    assert "no source for" in both.out


def test_two_sentences_alike_are_two_findings(run: Run) -> None:
    def fingerprints(text: str) -> list[str]:
        write(("a.md", text))
        return [row["fingerprint"] for row in json.loads(run("check", "--format", "json", "a.md").out)]

    before = fingerprints(f"{WARNING}\n{WARNING}")
    assert len(set(before)) == 2
    assert fingerprints(f"A new line.\n\n{WARNING}\n{WARNING}") == before


def test_drafts_are_checked_together_as_they_are_one_by_one(run: Run) -> None:
    drafts = {"a.md": ERROR, "b.md": WARNING, "c.md": f"It is 3x faster than Trainium3.\n\n{ERROR}"}
    write(*drafts.items())

    def rows(*names: str) -> list[Any]:
        found: list[Any] = json.loads(run("check", "--claims", CLAIMS, "--format", "json", *names).out)
        return found

    assert rows(*drafts) == [row for name in drafts for row in rows(name)]


def test_a_swap_is_seen(run: Run) -> None:
    write(("a.md", "It draws 4 kW.\n\nIt draws 5 kW.\n"))
    run("baseline", "--quiet")
    write(("a.md", "It draws 5 kW.\n\nIt draws 6 kW.\n"))
    result = run("check", "--baseline", ".caveat-baseline.json", "--format", "concise", "a.md")
    assert (result.code, result.out) == (1, "a.md:3:10: warning unsourced-figure no source for 6 kW\n")
    assert "4 kW" in result.err


def test_rules_on_the_same_words_are_shown_together(run: Run) -> None:
    write(("a.md", "It is 4x faster.\n"))
    shown = run("check", "a.md").out
    assert shown.count("1 | It is 4x faster.\n") == 1
    assert shown.count("a.md:1:7: ") == 2


def test_a_check_changes_no_draft(run: Run) -> None:
    text = "\ufeffIt draws 9 kW.\r\n\r\n" + ERROR
    write(("a.md", text))
    before = Path("a.md").stat()
    assert run("check", "a.md").code == 1
    after = Path("a.md").stat()
    assert Path("a.md").read_bytes() == text.encode()
    assert (before.st_mtime_ns, before.st_ino) == (after.st_mtime_ns, after.st_ino)


@pytest.mark.parametrize(("polarity", "other"), [("bad", "good"), ("good", "bad")])
def test_a_rule_needs_examples_of_both_kinds(run: Run, polarity: str, other: str) -> None:
    rule: dict[str, Any] = yaml.safe_load((TESTS.parent / "rules" / "undated-price.yaml").read_text(encoding="utf-8"))
    rule["examples"] = [example for example in rule["examples"] if other in example]
    write(("r/undated-price.yaml", yaml.safe_dump(rule, allow_unicode=True)), ("a.md", GOOD))
    result = run("check", "--rules", "r", "a.md")
    assert result.code == 2
    assert f'rule "undated-price": examples: no {polarity} example; add one' in result.err
