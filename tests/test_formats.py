"""The reports for other programs: each against its published schema, complete, and in the units that it declares."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

import pytest
import xmlschema
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft4Validator, Draft7Validator
from syrupy.assertion import SnapshotAssertion

from caveat.finding import DISPLAY_ONLY, SEVERITIES, UNSAFE, Edit, Finding, Fix, apply_edits
from caveat.markdown.source import Source
from caveat.options import FORMATS, CheckOptions
from caveat.outcome import COUNTED, Cited, Outcome, UserError
from caveat.report import formats, github, sarif
from caveat.rulebook.rules import Rule

SCHEMAS = Path(__file__).parent / "schemas"
COUNTS = dict.fromkeys(COUNTED, 0)
PACKED = json.dumps([])
RULE = Rule(
    [
        "a-rule", "a-check", "warning", "What it flags.", "{words} is wrong", "Write {claim}.", {}, "Readers ask.",
        ["A handbook"], PACKED,
    ]
)  # fmt: skip
HOSTILE = "ab|<>`[](){0}%:,;&\"'\\*_#@= \t\n\r\x00\x07\x1b[31m\x7f\x9b\u202e\u2028\ufeff\ufffe\uffff\udcff漢🚀é×"
MACHINES = sorted(set(FORMATS) - formats.FOR_PEOPLE)


def outcome(text: str, *found: tuple[str, str], name: str = "draft.md", message: str = "") -> Outcome:
    """An outcome with a finding on each of some words, which are given with their severity."""
    source = Source(text, name)
    findings = []
    for number, (words, severity) in enumerate(found):
        start = source.text.index(words)
        told = message or f"about {words}"
        findings.append(
            Finding("a-rule", severity, told, start, start + len(words), "A cure.", (), "A reason.", f"{number:016x}")
        )
    return Outcome(source, tuple(findings), COUNTS, {})


def report(fmt: str, *outcomes: Outcome, rules: Sequence[Rule] = (RULE,)) -> str:
    return formats.render(fmt, outcomes, lambda: rules)


@cache
def validator(name: str) -> Any:
    schema = json.loads((SCHEMAS / name).read_text(encoding="utf-8"))
    return Draft4Validator(schema) if "draft-04" in schema["$schema"] else Draft7Validator(schema)


@cache
def junit_schema() -> xmlschema.XMLSchema:
    return xmlschema.XMLSchema(SCHEMAS / "junit-10.xsd")


def as_github(text: str) -> list[dict[str, str]]:
    """The commands in a log as the runner of GitHub Actions reads them, each with its message."""
    found = []
    for line in text.splitlines():
        stripped = line.lstrip()
        if not stripped.startswith("::"):
            assert "##[" not in line, "a command in the old form"
            continue
        head, _, data = stripped.removeprefix("::").partition("::")
        command, _, properties = head.partition(" ")
        values = dict(pair.split("=", 1) for pair in properties.split(",") if pair)
        found.append({"": command, "message": unescaped(data), **{k: unescaped(v) for k, v in values.items()}})
    return found


def unescaped(text: str) -> str:
    for code, sign in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, sign)
    return text


def read_github(text: str) -> int:
    """How many findings a log has, as commands and after the notice that there are more."""
    commands = as_github(text)
    assert {command[""] for command in commands} <= {"error", "warning", "notice"}
    plain = [line for line in text.splitlines() if not line.lstrip().startswith("::")]
    return sum(command["title"] != "caveat" for command in commands) + len(plain)


def read_sarif(text: str) -> int:
    log = json.loads(text)
    validator("sarif-2.1.0-rtm.5.json").validate(log)
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    for rule in rules:
        for text_of in ("shortDescription", "fullDescription", "help"):
            assert rule[text_of]["text"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    return len(run["results"])


def read_gitlab(text: str) -> int:
    issues = json.loads(text)
    validator("gitlab-code-quality.json").validate(issues)
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)
    return len(issues)


def read_rdjson(text: str) -> int:
    result = json.loads(text)
    validator("rdformat.json").validate(result)
    return len(result["diagnostics"])


def read_rdjsonl(text: str) -> int:
    for line in lines_of(text):
        validator("rdformat.json").validate(json.loads(line))
    return len(lines_of(text))


def read_junit(text: str) -> int:
    root = ET.fromstring(text.encode("utf-8"))  # noqa: S314 - our own report
    junit_schema().validate(root)
    assert len(list(root.iter("testcase"))) == int(root.attrib["tests"]) >= 1
    assert len(list(root.iter("failure"))) == int(root.attrib["failures"])
    return int(root.attrib["failures"])


def lines_of(text: str) -> list[str]:
    """The lines of a report that ends with one; only a line feed ends a line."""
    assert text == "" or text.endswith("\n")
    return text.split("\n")[:-1]


READERS: dict[str, Callable[[str], int]] = {
    "json": lambda text: len(json.loads(text)),
    "jsonl": lambda text: len([json.loads(line) for line in lines_of(text)]),
    "sarif": read_sarif,
    "github": read_github,
    "gitlab": read_gitlab,
    "rdjson": read_rdjson,
    "rdjsonl": read_rdjsonl,
    "junit": read_junit,
}


def test_every_format_for_machines_has_a_reader_here() -> None:
    assert sorted(READERS) == MACHINES


# Whole, valid, complete


@pytest.mark.parametrize("fmt", MACHINES)
def test_a_report_is_valid_and_complete_whatever_the_number_of_findings(fmt: str) -> None:
    read = READERS[fmt]
    assert read(report(fmt)) == 0
    assert read(report(fmt, outcome("nothing"), outcome("", name="empty.md"))) == 0
    assert read(report(fmt, outcome("It is 2x.", ("2x", "error")))) == 1
    many = outcome("It is 2x.", *[("2x", severity) for severity in SEVERITIES for _ in range(40)])
    assert read(report(fmt, many, many._replace(source=many.source.renamed("b.md")))) == 240


@pytest.mark.parametrize("fmt", sorted(set(FORMATS) - {"json", "jsonl"}))
def test_the_whole_of_a_report(fmt: str, snapshot: SnapshotAssertion) -> None:
    cited = {"chip-memory": Cited("128 GB", "Data sheet", "claims/chip.yaml", 7)}
    first = outcome("Up to\r\n2x, 100%.\r\n", ("Up to\r\n2x", "error"), ("100%", "info"), name="docs/a, b: c.md")
    claiming = tuple(finding._replace(claims=("chip-memory",)) for finding in first.findings)
    drafts = (
        first._replace(findings=claiming, cited=cited),
        outcome("漢字 🚀 2x", ("2x", "warning"), name="d.md"),
        outcome("-"),
    )
    assert report(fmt, *drafts) == snapshot


@given(st.text(alphabet=HOSTILE, min_size=1, max_size=30), st.text(alphabet=HOSTILE, max_size=30), st.text(HOSTILE))
def test_no_text_of_a_draft_breaks_a_report(words: str, message: str, name: str) -> None:
    draft = outcome(f"a{words}b", (words, "error"), name=f"d{name}", message=message or "told")
    for fmt, read in READERS.items():
        text = report(fmt, draft, outcome("", name=name))
        assert read(text) == 1, fmt
        assert not set(text) & set("\x00\x07\x1b\x7f\x9b\u202e\u2028"), fmt


@given(st.lists(st.sampled_from(SEVERITIES), max_size=45))
def test_github_gets_no_more_annotations_than_it_shows_and_hears_of_the_rest(severities: list[str]) -> None:
    draft = outcome("It is 2x.", *[("2x", severity) for severity in severities])
    text = report("github", draft)
    commands = as_github(text)
    for kind in ("error", "warning", "notice"):
        assert sum(command[""] == kind for command in commands) <= github.MOST_OF_A_KIND
    annotations = [command for command in commands if command["title"] != "caveat"]
    told = [command["message"] for command in commands if command["title"] == "caveat"]
    left_out = len(severities) - len(annotations)
    assert [int(message.split()[0]) for message in told] == ([left_out] if left_out else [])
    assert read_github(text) == len(severities)


# Escapes


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ('30%, or "a:b"\nnext', '30%, or "a:b" next'),
        ("100%0A::error::x", "100%0A::error::x"),
        ("::set-output name=a::b", "::set-output name=a::b"),
        ("##[error]x", "##[error]x"),
        ("a\x1b[31m", "a\u241b[31m"),
    ],
)
def test_a_message_comes_out_of_a_workflow_command_as_it_went_in(message: str, told: str) -> None:
    (command,) = as_github(report("github", outcome("2x", ("2x", "error"), name="a,b:%.md", message=message)))
    assert command["file"] == "a,b:%.md"
    assert command["message"] == f"a,b:%.md:1:1: a-rule {told}\nA cure."
    assert command["title"] == "a-rule"


@pytest.mark.parametrize("name", ["::error::x.md", " ::stop-commands::x", "\n::error::x", "##[add-mask]x", "a\r::x::"])
def test_no_name_of_a_draft_becomes_a_command(name: str) -> None:
    draft = outcome("2x", *[("2x", "error")] * 11, name=name, message=name)
    commands = as_github(report("github", draft))
    assert [command[""] for command in commands] == ["error"] * 10 + ["notice"]


def test_findings_on_several_lines_get_no_columns_on_github() -> None:
    (command,) = as_github(report("github", outcome("Up to\n2x", ("Up to\n2x", "error"))))
    assert (command["line"], command["endLine"]) == ("1", "2")
    assert not {"col", "endColumn"} & set(command)


def test_the_table_for_github_holds_text_and_nothing_else(snapshot: SnapshotAssertion) -> None:
    evil = outcome("2x", ("2x", "error"), name="a|b.md", message="<img src=//x> | [a](//b) `c` www.d.e @f\n# g \x1b")
    assert github.step_summary([evil]) == snapshot


def test_the_table_for_github_ends_before_it_is_too_long() -> None:
    many = outcome("2x", *[("2x", "error")] * (github.MOST_ROWS + 5))
    assert "\nand 5 more\n" in github.step_summary([many])
    long = outcome("2x", *[("2x", "error")] * 10, message="*" * github.MOST_CHARACTERS)
    assert "\nand 10 more\n" in github.step_summary([long])
    assert "| Place |" not in github.step_summary([outcome("2x")])


def test_a_sarif_message_has_no_links_and_no_places_of_arguments() -> None:
    def told(message: str) -> str:
        log = json.loads(report("sarif", outcome("2x", ("2x", "error"), message=message)))
        text: str = log["runs"][0]["results"][0]["message"]["text"]
        return text.removesuffix("\nA cure.")

    assert told("see [here](http://x.test) \\ {0}") == "see \\[here\\](http://x.test) \\\\ {{0}}"
    assert told("a [note] and {a set}") == "a [note] and {a set}"


# Places


def words_by_sarif(source: Source, region: dict[str, int]) -> str:
    """The words of a region, read as SARIF says: rows of the text without its mark, columns in UTF-16 code units."""
    row = re.split(r"\r\n|\n|\r", source.text)[region["startLine"] - 1].encode("utf-16-le", "surrogatepass")
    assert region["startLine"] == region["endLine"]
    part = row[2 * (region["startColumn"] - 1) : 2 * (region["endColumn"] - 1)]
    return part.decode("utf-16-le", "surrogatepass")


def words_by_reviewdog(source: Source, span: dict[str, dict[str, int]]) -> str:
    """The words of a range, read as reviewdog says: rows of the file as it is, columns in bytes of UTF-8."""
    data = ("\ufeff" * source.bom + source.text).encode()
    starts = [0, *(end.end() for end in re.finditer(rb"\r\n|\n|\r", data))]
    begin, end = (starts[at["line"] - 1] + at["column"] - 1 for at in (span["start"], span["end"]))
    return data[begin:end].decode()


def placed(text: str, spans: Sequence[tuple[int, int]]) -> Outcome:
    """An outcome with findings on these spans, in the order of findings."""
    source = Source(text, "draft.md")
    found = sorted((min(pair[0], len(source.text)), min(sum(pair), len(source.text))) for pair in spans)
    return Outcome(source, tuple(Finding("a-rule", "error", "told", *span) for span in found), COUNTS, {})


def spans_of(fmt: str, draft: Outcome) -> Iterator[dict[str, Any]]:
    read = json.loads(report(fmt, draft))
    if fmt == "sarif":
        yield from (result["locations"][0]["physicalLocation"] for result in read["runs"][0]["results"])
    else:
        yield from (diagnostic["location"]["range"] for diagnostic in read["diagnostics"])


@given(
    st.text(alphabet="ab é漢🚀\t\r\n\ufeff", max_size=60),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 12)), max_size=8),
)
def test_places_lead_back_to_the_words(text: str, spans: list[tuple[int, int]]) -> None:
    draft = placed(text, spans)
    source = draft.source
    for finding, place in zip(draft.findings, spans_of("sarif", draft), strict=True):
        words = source.text[finding.start : finding.end]
        region = place["region"]
        assert words_by_sarif(source, region) == region["snippet"]["text"]
        if "\r" not in words and "\n" not in words:
            assert region["snippet"]["text"] == words
        else:
            assert words.startswith(region["snippet"]["text"])
    for finding, span in zip(draft.findings, spans_of("rdjson", draft), strict=True):
        assert words_by_reviewdog(source, span) == source.text[finding.start : finding.end]


@given(
    st.text(alphabet="ab é漢🚀\t\r\n\ufeff", max_size=40),
    st.lists(st.integers(0, 40), min_size=2, max_size=6),
    st.text(alphabet=HOSTILE.replace("\udcff", ""), max_size=8),
)
def test_an_edit_leads_to_the_same_text_in_every_format(text: str, places: list[int], content: str) -> None:
    source = Source(text, "draft.md")
    bounds = sorted(min(place, len(source.text)) for place in places)
    edits = tuple(Edit(*pair, content) for pair in zip(bounds[::2], bounds[1::2], strict=False))
    draft = placed(text, [(0, 0)])
    fix = Fix("A fix.", UNSAFE, edits)
    draft = draft._replace(findings=(draft.findings[0]._replace(fix=fix),))
    sarif = json.loads(report("sarif", draft))["runs"][0]["results"][0]["fixes"][0]
    replacements = sarif["artifactChanges"][0]["replacements"]
    assert [each["insertedContent"]["text"] for each in replacements] == [content] * len(edits)
    for edit, each in zip(edits, replacements, strict=True):
        region = each["deletedRegion"]
        if region["startLine"] == region["endLine"] and "\r\n" not in source.text[: edit.end + 1]:
            assert words_by_sarif(source, region) == source.text[edit.start : edit.end]
    (diagnostic,) = json.loads(report("rdjson", draft))["diagnostics"]
    for suggestion in diagnostic.get("suggestions", []):
        replaced = words_by_reviewdog(source, suggestion["range"])
        first = edits[0].start
        assert replaced == source.text[first : edits[-1].end]
        after = source.text[:first] + suggestion["text"] + source.text[edits[-1].end :]
        assert after == apply_edits(source.text, edits)
    for fmt in ("sarif", "rdjson", "rdjsonl", "json", "jsonl"):
        assert READERS[fmt](report(fmt, draft)) == 1


def test_a_number_is_no_suggestion_and_far_edits_are_none_either() -> None:
    draft = placed("It is 2x.\n\n\n\n\n\nIt is.\n", [(6, 2)])
    for applicability, edits in (
        (DISPLAY_ONLY, (Edit(6, 8, "3x"),)),
        (UNSAFE, (Edit(6, 8, "3x"), Edit(15, 15, "So. "))),
    ):
        fix = Fix("A fix.", applicability, edits)
        fixable = draft._replace(findings=(draft.findings[0]._replace(fix=fix),))
        (diagnostic,) = json.loads(report("rdjson", fixable))["diagnostics"]
        assert "suggestions" not in diagnostic
        (result,) = json.loads(report("sarif", fixable))["runs"][0]["results"]
        assert ("fixes" in result) == (applicability == UNSAFE)
        (row,) = json.loads(report("json", fixable))
        assert row["fix"]["applicability"] == applicability
        assert len(row["fix"]["edits"]) == len(edits)


@pytest.mark.parametrize(
    ("text", "column", "utf16", "utf8"),
    [
        ("Peak 😀 is 1× — “x” 989 TFLOPS", 20, 21, 30),
        ("图表 989", 4, 4, 8),
        ("\t989", 2, 2, 2),
        ("\ufeff989", 2, 1, 4),
        ("\ufeff😀 989", 4, 4, 9),
        ("e\u0301 989", 4, 4, 5),
    ],
)
def test_each_format_has_its_own_columns(text: str, column: int, utf16: int, utf8: int) -> None:
    for before, row in (("", 1), ("漢\r\n\r\n", 3)):
        if before and text.startswith("\ufeff"):
            continue
        draft = outcome(before + text, ("989", "error"))
        assert json.loads(report("json", draft))[0]["location"] == {"row": row, "column": column}
        (place,) = spans_of("sarif", draft)
        assert (place["region"]["startLine"], place["region"]["startColumn"]) == (row, utf16)
        assert place["region"]["endColumn"] == utf16 + 3
        (span,) = spans_of("rdjson", draft)
        assert span == {"start": {"line": row, "column": utf8}, "end": {"line": row, "column": utf8 + 3}}


def test_a_region_never_leaves_its_row_and_the_rest_is_in_its_context() -> None:
    draft = outcome("It is up\r\nto 2x\r\nfaster.\r\n", ("up\r\nto 2x", "error"))
    (place,) = spans_of("sarif", draft)
    assert place["region"] == {
        "startLine": 1,
        "startColumn": 7,
        "endLine": 1,
        "endColumn": 9,
        "snippet": {"text": "up"},
    }
    assert place["contextRegion"] == {"startLine": 1, "endLine": 2, "snippet": {"text": "It is up\r\nto 2x"}}


def test_columns_cost_no_more_a_finding_in_a_long_row(calls: Callable[[Callable[[], object]], int]) -> None:
    def characters_encoded(count: int) -> int:
        from caveat.report import columns

        draft = placed("é 2x " * count, [(5 * number + 2, 2) for number in range(count)])
        seen = [0]
        real = columns.Columns._units

        def counted(self: columns.Columns, text: str) -> int:
            seen[0] += len(text)
            return real(self, text)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(columns.Columns, "_units", counted)
            report("rdjson", draft)
        return seen[0]

    assert characters_encoded(400) < 2.2 * characters_encoded(200)


# Addresses, fingerprints, rules


@pytest.mark.parametrize("name", ["docs/a b.md", "my draft: v2.md", "图/é.md", "100%.md", "a#b?c.md", "b\udcff.md"])
def test_an_address_leads_back_to_its_path(name: str) -> None:
    (place,) = spans_of("sarif", outcome("2x", ("2x", "error"), name=name))
    artifact = place["artifactLocation"]
    assert artifact["uriBaseId"] == sarif.ROOT
    assert re.fullmatch(r"[A-Za-z0-9._~/%-]+", artifact["uri"])
    assert unquote_to_bytes(artifact["uri"]) == name.encode("utf-8", "surrogateescape")


def test_a_path_outside_of_the_repository_is_absolute() -> None:
    (place,) = spans_of("sarif", outcome("2x", ("2x", "error"), name="/tmp/a b.md"))  # noqa: S108 - no file
    assert place["artifactLocation"] == {"uri": "file:///tmp/a%20b.md"}
    assert urlsplit(place["artifactLocation"]["uri"]).path == "/tmp/a%20b.md"  # noqa: S108
    (place,) = spans_of("sarif", outcome("2x", ("2x", "error"), name="../b.md"))
    assert place["artifactLocation"] == {"uri": "../b.md"}


def test_fingerprints_differ_between_drafts_on_gitlab_and_stay_when_lines_move() -> None:
    def prints(text: str, name: str) -> list[str]:
        return [row["fingerprint"] for row in json.loads(report("gitlab", outcome(text, ("2x", "error"), name=name)))]

    assert prints("2x", "a.md") == prints("\n\n\n2x", "a.md")
    assert prints("2x", "a.md") != prints("2x", "b.md")


def test_rules_that_found_nothing_are_described_and_those_in_no_file_too() -> None:
    other = outcome("2x", ("2x", "info"))
    stray = other._replace(findings=tuple(found._replace(rule="unused-note") for found in other.findings))
    driver = json.loads(report("sarif", stray))["runs"][0]["tool"]["driver"]
    assert [rule["id"] for rule in driver["rules"]] == ["a-rule", "unused-note"]
    assert driver["rules"][0]["help"]["text"] == (
        "Why: Readers ask.\n\nWhat would cure it: Write ....\n\nBy: A handbook"
    )


def test_claims_are_related_places_if_they_are_in_the_repository() -> None:
    draft = outcome("2x", ("2x", "error"))
    found = tuple(finding._replace(claims=("one", "two", "three")) for finding in draft.findings)
    cited = {"one": Cited("1 GB", "Sheet", "claims/a.yaml", 3), "two": Cited("2 GB", "Sheet", "/lib/b.yaml", 4)}
    log = json.loads(report("sarif", draft._replace(findings=found, cited=cited)))
    (related,) = log["runs"][0]["results"][0]["relatedLocations"]
    assert related["message"]["text"] == 'one: 1 GB, "Sheet"'
    assert related["physicalLocation"]["region"] == {"startLine": 3}


def test_an_example_ends_no_block_of_code() -> None:
    assert sarif._code("a\n````\nb") == "`````markdown\na\n````\nb\n`````"


# What is wanted


def test_one_report_is_wanted_unless_others_are_named() -> None:
    def wanted(**said: Any) -> list[tuple[str, str]]:
        return [(entry.format, entry.path) for entry in formats.wanted_reports(CheckOptions(**said))]

    assert wanted() == [("full", "-")]
    assert wanted(format="json", output_file="a") == [("json", "a")]
    assert wanted(output=("sarif=a,b=c",)) == [("full", "-"), ("sarif", "a,b=c")]
    assert wanted(output=("sarif=-", "junit=a")) == [("sarif", "-"), ("junit", "a")]
    assert wanted(output=("sarif=-",), output_file="a") == [("full", "a"), ("sarif", "-")]


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (("sarif",), "--output sarif: write FORMAT=PATH, as in sarif=report.sarif, or FORMAT=- to print it"),
        (("sarif=",), "--output sarif=: write FORMAT=PATH"),
        (("sarf=a",), "--output sarf=a: there is no format 'sarf'; did you mean sarif?"),
        (("html=a",), "there is no format 'html'; write one of full, concise, json, jsonl, github"),
        (("sarif=-", "json=-"), "--output: two reports would go to standard output; give each its own path"),
        (("sarif=a", "json=./a"), "--output: two reports would go to ./a; give each its own path"),
    ],
)
def test_a_report_that_cannot_be_written_is_refused_at_once(said: tuple[str, ...], message: str) -> None:
    with pytest.raises(UserError, match=re.escape(message)):
        formats.wanted_reports(CheckOptions(output=said))
