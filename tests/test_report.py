"""What a report looks like, given what was found."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveat.finding import Finding
from caveat.markdown.source import Source
from caveat.outcome import COUNTED, Cited, Outcome
from caveat.report import concise, full, json_report
from caveat.report.excerpt import MOST_ROWS, excerpt
from caveat.report.layout import width, wrapped
from caveat.report.summary import summary

NOTHING = dict.fromkeys(COUNTED, 0)


def finding(source: Source, words: str, rule: str = "a-rule", severity: str = "error", **more: object) -> Finding:
    start = source.text.index(words)
    return Finding(rule, severity, f"about {words}", start, start + len(words), **more)  # type: ignore[arg-type]


def outcome(text: str, *findings: tuple[str, str, str], figures: int = 0) -> Outcome:
    source = Source(text, "draft.md")
    found = tuple(finding(source, words, rule, severity) for words, rule, severity in findings)
    return Outcome(source, found, {**NOTHING, "figures": figures}, {})


def marked(text: str, words: str) -> list[str]:
    """The shown rows, each followed by its carets."""
    start = text.index(words)
    lines = excerpt(Source(text), start, start + len(words))
    return [row for line in lines for row in (line.before + line.marked + line.after, line.carets)]


def test_the_whole_of_a_full_report() -> None:
    source = Source("The chip has 144 GB\nand is 2x faster.\n", "draft.md")
    found = (
        finding(source, "144 GB", "figure-mismatch", "warning", claims=("chip-memory",), help="Write 128 GB."),
        finding(source, "144 GB", "unsourced-figure", "error", why="Readers ask where a figure is from."),
        finding(source, "2x", "missing-baseline", "info"),
    )
    cited = {"chip-memory": Cited("128 GB", "Data sheet", "claims/chip.yaml", 7)}
    counts = {"figures": 2, "registered": 1, "cited": 0, "own": 0, "flagged": 2}
    assert full.render([Outcome(source, found, counts, cited)], colour=False) == (
        "draft.md:1:14: error[unsourced-figure] about 144 GB\n"
        "  |\n"
        "1 | The chip has 144 GB\n"
        "  |              ^^^^^^\n"
        "  = why: Readers ask where a figure is from.\n"
        "draft.md:1:14: warning[figure-mismatch] about 144 GB\n"
        "  = help: Write 128 GB.\n"
        '  = claim: chip-memory: 128 GB, "Data sheet" (claims/chip.yaml:7)\n'
        "\n"
        "draft.md:2:8: info[missing-baseline] about 2x\n"
        "  |\n"
        "2 | and is 2x faster.\n"
        "  |        ^^\n"
        "\n"
        "Seen: 2 figures in 1 draft: 1 registered, 0 cited, 0 own, 2 flagged.\n"
        "Found: 1 error, 1 warning, 1 info.\n"
    )


def test_colours_change_no_letter() -> None:
    outcomes = [outcome("It is 2x faster.", ("2x", "a-rule", "warning"))]
    coloured = full.render(outcomes, colour=True)
    assert "\x1b[1;33mwarning\x1b[0m" in coloured
    for code in ("\x1b[1m", "\x1b[34m", "\x1b[1;33m", "\x1b[0m"):
        coloured = coloured.replace(code, "")
    assert coloured == full.render(outcomes, colour=False)


@pytest.mark.parametrize(
    ("text", "words", "lines"),
    [
        ("a\tb", "b", ["a   b", "    ^"]),
        ("\ta\tb", "a\tb", ["    a   b", "    ^^^^^"]),
        ("图表 2x", "2x", ["图表 2x", "     ^^"]),
        ("图表 2x", "图表", ["图表 2x", "^^^^"]),
        ("🚀 2x", "2x", ["🚀 2x", "   ^^"]),
        ("e\u0301 2x", "2x", ["e\u0301 2x", "  ^^"]),
        ("one\r\ntwo 2x\r\n", "2x", ["two 2x", "    ^^"]),
        ("one\rtwo 2x", "2x", ["two 2x", "    ^^"]),
        ("- up to\n  2x here", "up to\n  2x", ["- up to", "  ^^^^^", "  2x here", "  ^^"]),
        ("a \x1b[31m2x", "2x", ["a \u241b[31m2x", "       ^^"]),
        ("a \u202e2x", "2x", ["a \ufffd2x", "   ^^"]),
    ],
)
def test_carets_stand_under_the_words(text: str, words: str, lines: list[str]) -> None:
    assert marked(text, words) == lines


def test_a_long_line_is_cut_about_the_words() -> None:
    text = "start " + "word " * 60 + "2x " + "more " * 60 + "end"
    row, carets = marked(text, "2x")
    assert row.startswith("...word ")
    assert row.endswith(" more...")
    assert len(row) <= 106
    assert row[carets.index("^") : carets.rindex("^") + 1] == "2x"


@pytest.mark.parametrize("words", ["start", "end", "word word word"])
def test_a_cut_line_keeps_what_is_marked(words: str) -> None:
    text = "start " + "word " * 60 + "end"
    row, carets = marked(text, words)
    assert row[carets.index("^") : carets.rindex("^") + 1] == words


def test_words_longer_than_a_line_are_cut_too() -> None:
    row, carets = marked("a " + "b" * 1000 + " c", "b" * 1000)
    assert len(row) <= 106
    assert set(carets.strip()) == {"^"}


def test_of_many_rows_the_first_are_shown() -> None:
    lines = excerpt(Source("a\n" * 50), 0, 99)
    assert [line.row for line in lines] == list(range(1, MOST_ROWS + 1))


@given(st.text(alphabet="ab \t\n\r漢🚀\u0301\x1b\u202e", max_size=40), st.integers(0, 40), st.integers(0, 40))
def test_an_excerpt_holds_nothing_that_steers_a_terminal(text: str, one: int, other: int) -> None:
    source = Source(text)
    start, end = sorted((min(one, len(source.text)), min(other, len(source.text))))
    for line in excerpt(source, start, end):
        shown = line.before + line.marked + line.after
        assert not set(shown) & set("\t\n\r\x1b\u202e")
        assert line.carets.count("^") == max(1, width(line.marked))


def test_long_notes_are_wrapped_under_their_beginning() -> None:
    lines = wrapped("word " * 40, "  = why: ", "         ")
    assert len(lines) == 3
    assert all(len(line) <= 100 for line in lines)
    assert all(line.startswith("         word") for line in lines[1:])


def test_more_claims_than_one_wants_to_read_are_counted() -> None:
    source = Source("2x", "draft.md")
    found = (finding(source, "2x", claims=tuple("abcdefg")),)
    report = full.render([Outcome(source, found, NOTHING, {})], colour=False)
    assert "  = claim: e\n  = claim: and 2 more\n" in report


@pytest.mark.parametrize(
    ("outcomes", "lines"),
    [
        ([], ["Seen: no figures in 0 drafts.", "Found: nothing."]),
        ([outcome("x")], ["Seen: no figures in 1 draft.", "Found: nothing."]),
        (
            [outcome("2x 3x", ("2x", "r", "info"), ("3x", "r", "info"), figures=2), outcome("y", figures=1)],
            ["Seen: 3 figures in 2 drafts: 0 registered, 0 cited, 0 own, 0 flagged.", "Found: 2 info."],
        ),
    ],
)
def test_the_closing_count(outcomes: list[Outcome], lines: list[str]) -> None:
    assert summary(outcomes) == lines


def test_a_concise_report_has_one_line_a_finding() -> None:
    source = Source("It is\n2x", "dr\naft.md")
    found = (Finding("a-rule", "error", "two\nlines \x1b[2J", 6, 8),)
    assert concise.render([Outcome(source, found, NOTHING, {})]) == "dr aft.md:2:1: error a-rule two lines \u241b[2J\n"


def test_json_without_findings_is_an_empty_array() -> None:
    assert json_report.render([outcome("x")]) == "[]\n"


def test_json_as_designed() -> None:
    source = Source("\ufeff× 144 GB\n", "draft.md")
    found = (finding(source, "144 GB", claims=("a",), help="cure", fingerprint="f00"),)
    assert json.loads(json_report.render([Outcome(source, found, NOTHING, {})])) == [
        {
            "rule": "a-rule",
            "severity": "error",
            "message": "about 144 GB",
            "filename": "draft.md",
            "location": {"row": 1, "column": 4},
            "end_location": {"row": 1, "column": 10},
            "text": "144 GB",
            "claims": ["a"],
            "help": "cure",
            "fix": None,
            "fingerprint": "f00",
        }
    ]


@given(st.text(max_size=20))
def test_json_holds_what_was_there_and_steers_no_terminal(words: str) -> None:
    found = (Finding("a-rule", "error", words, 0, 0),)
    report = json_report.render([Outcome(Source("", words), found, NOTHING, {})])
    assert json.loads(report)[0]["message"] == words
    assert not set(report) & set("\x1b\x7f\x85\x9b\u202e\u2028")
