"""Rule files and lexicons: what may be wrong with them, what the views hold, and how rules are printed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from caveat import data
from caveat.loading.compile import compile_desk
from caveat.loading.problems import Problem, in_order
from caveat.loading.registry_files import Records
from caveat.loading.rule_schema import load_lexicons
from caveat.loading.rulebook_loading import load_rulebook, qualifiers_of
from caveat.loading.vocabulary_schema import merge_vocabularies
from caveat.report.rulebook import render_rule, render_rules
from caveat.rulebook.rules import Rule, build_rules

SOUND = {
    "name": "stale-figure",
    "check": "age",
    "severity": "warning",
    "summary": "A figure is older than it may be.",
    "message": '"{figure} is of {date}"',
    "with": "{years: 2, except: [speed of light]}",
    "why": "Products change.",
    "cite": "A handbook, section 3",
    "help": "Look for a newer figure.",
    "examples": '\n  - {bad: "It drew «700 W» in 2015.", why: too old}\n  - good: It draws 700 W.',
}
CHECKS = ["age", "binding", "comparison-basis"]


def rule_text(**fields: str) -> str:
    """A rule file, sound but for what is given; an empty text leaves a key out."""
    return "".join(f"{key}: {value}\n" for key, value in (SOUND | fields).items() if value)


Load = Callable[[str], tuple[list[Rule], list[str]]]


def load(*folders: str) -> tuple[list[Rule], list[str]]:
    problems: list[Problem] = []
    rulebook = load_rulebook(folders, CHECKS, problems)
    vocabulary = merge_vocabularies(data.vocabulary_file(), [], problems)
    compiled = compile_desk(Records(), rulebook, vocabulary)
    return build_rules(json.loads(json.dumps(compiled))), [str(problem) for problem in in_order(problems)]


@pytest.fixture
def load_text(inside: Path) -> Load:
    """A function from the text of rules/stale-figure.yaml to what is loaded and the problems."""

    def run(text: str) -> tuple[list[Rule], list[str]]:
        (inside / "rules").mkdir(exist_ok=True)
        (inside / "rules" / "stale-figure.yaml").write_text(text)
        return load("rules")

    return run


def test_a_sound_rule_is_seen_as_it_was_written(load_text: Load) -> None:
    (rule,), problems = load_text(rule_text())
    assert problems == []
    assert (rule.name, rule.check, rule.severity) == ("stale-figure", "age", "warning")
    assert rule.options == {"years": "2", "except": ["speed of light"]}
    assert rule.message == "{figure} is of {date}"
    assert rule.cite == ["A handbook, section 3"]
    assert [(example.bad, example.text, example.why) for example in rule.examples] == [
        (True, "It drew «700 W» in 2015.", "too old"),
        (False, "It draws 700 W.", ""),
    ]


def test_what_may_be_left_out(load_text: Load) -> None:
    (rule,), problems = load_text(rule_text(**{"with": "", "cite": "", "help": ""}))
    assert problems == []
    assert (rule.options, rule.cite, rule.help) == ({}, [], "")


def test_an_example_may_bring_claims(load_text: Load) -> None:
    claim = "{id: a, product: b, metric: power, value: 700 W, source: c, as_of: 2015}"
    (rule,), problems = load_text(rule_text(examples=f"[{{bad: «x», claims: [{claim}]}}, {{good: x}}]"))
    assert problems == []
    assert rule.examples[0].claims == [
        {"id": "a", "product": "b", "metric": "power", "value": "700 W", "source": "c", "as_of": "2015"}
    ]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"check": "agee"}, '2:8: {}: check: no check has the name "agee"; did you mean age?'),
        (
            {"check": "weather"},
            '2:8: {}: check: no check has the name "weather"; write one of age, binding, comparison-basis',
        ),
        (
            {"name": "old-figure"},
            '1:7: {}: name: "old-figure" is not the name of the file; write stale-figure, or rename the file',
        ),
        (
            {"name": "Stale Figure"},
            '1:7: {}: name: "Stale Figure" is not a rule name; write lower-case words with hyphens: undated-price',
        ),
        ({"severity": "fatal"}, '3:11: {}: severity: "fatal" is not known; write one of info, warning, error'),
        ({"why": ""}, "1:1: {}: why: missing; write why it matters"),
        ({"summary": '""'}, "4:10: {}: summary: empty; write in a sentence, what the rule flags"),
        ({"helpp": "x"}, '13:1: {}: unknown key "helpp"; did you mean help?'),
        (
            {"options": "{a: b}"},
            (
                '13:1: {}: unknown key "options"; write one of name, check, severity, summary, '
                "message, with, why, cite, help, examples"
            ),
        ),
        (
            {"with": "[a]"},
            (
                "6:7: {}: with: a mapping is expected, not a list; write the options of the check, "
                "for example {key: value}"
            ),
        ),
        ({"examples": "[{bad: «x»}]"}, '10:11: {}: examples: no good example; add one: "- good: ..."'),
        ({"examples": "[{good: x}]"}, '10:11: {}: examples: no bad example; add one: "- bad: ..."'),
        (
            {"examples": "[{bad: «x}, {good: y}]"},
            "10:18: {}: examples 1.bad: the marks « and » do not pair; put each stretch to be flagged between « and »",
        ),
        (
            {"examples": "[{bad: ««x»»}, {good: y}]"},
            "10:18: {}: examples 1.bad: the marks « and » do not pair; put each stretch to be flagged between « and »",
        ),
        (
            {"examples": "[{bad: x}, {good: y}]"},
            "10:18: {}: examples 1.bad: nothing is marked; put the words to be flagged between « and »",
        ),
        (
            {"examples": "[{bad: «x»}, {good: «y»}]"},
            "10:31: {}: examples 2.good: a good example has nothing to flag; take out the marks « and »",
        ),
        (
            {"examples": "[{bad: «x», good: y}, {good: y}]"},
            "10:12: {}: examples 1: an example is either bad or good; write one of the two keys",
        ),
        (
            {"examples": "[{why: x}, {bad: «x»}, {good: y}]"},
            "10:12: {}: examples 1: an example is either bad or good; write one of the two keys",
        ),
        (
            {"examples": "[{bad: «x», claims: [{id: a}]}, {good: y}]"},
            "10:32: {}: examples 1.claims 1.product: missing; write the id of one of the products",
        ),
    ],
)
def test_each_fault_of_a_rule_has_its_place_and_its_cure(
    load_text: Load, fields: dict[str, str], expected: str
) -> None:
    _, problems = load_text(rule_text(**fields))
    assert problems[0] == "rules/stale-figure.yaml:" + expected.replace("{}", 'rule "stale-figure"')
    assert len(problems) == (4 if "claims" in fields.get("examples", "") else 1)


def test_a_broken_file_does_not_hide_the_faults_of_others(load_text: Load, inside: Path) -> None:
    (inside / "rules").mkdir()
    (inside / "rules" / "a.yaml").write_text("name: [")
    (inside / "rules" / "b.yaml").write_text("name: b\n")
    _, problems = load_text(rule_text(check="none"))
    assert [problem.partition(":")[0] for problem in problems] == [
        "rules/a.yaml",
        *["rules/b.yaml"] * 6,
        "rules/stale-figure.yaml",
    ]


def test_names_are_unique_within_a_folder(load_text: Load, inside: Path) -> None:
    (inside / "rules").mkdir()
    (inside / "rules" / "stale-figure.yml").write_text(rule_text())
    _, problems = load_text(rule_text())
    assert problems == [
        (
            'rules/stale-figure.yml:1:7: rule "stale-figure": name: a rule with this name is in '
            "rules/stale-figure.yaml already; give one of them another name"
        )
    ]


def test_a_later_folder_takes_the_place_of_an_earlier_one(inside: Path) -> None:
    for folder, names in (("first", ("stale-figure", "dropped")), ("second", ("stale-figure", "added"))):
        (inside / folder).mkdir()
        for name in names:
            (inside / folder / f"{name}.yaml").write_text(rule_text(name=name, summary=folder))
    rules, problems = load("first", "second")
    assert problems == []
    assert [(rule.name, rule.summary) for rule in rules] == [
        ("added", "second"),
        ("dropped", "first"),
        ("stale-figure", "second"),
    ]


def test_a_folder_that_is_not_there(inside: Path) -> None:
    assert load(f"{inside}/none")[1] == [
        f"{inside}/none: cannot be read: No such file or directory; give a folder of YAML files"
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("stance: [doubt]\n", '1:9: lexicon "stance": a mapping is expected; write {value: [phrase, phrase]}'),
        ("stance: {doubted: doubt}\n", '1:19: lexicon "stance": doubted: a list is expected; write [phrase, phrase]'),
        (
            "stance: {doubted: [[x]]}\n",
            '1:20: lexicon "stance": doubted: a phrase is expected; write words or signs as text',
        ),
        (
            "stance: {doubted: ['-']}\n",
            '1:20: lexicon "stance": doubted: a phrase is expected; write words or signs as text',
        ),
        (
            "stance: {a: [if so], b: [If  so]}\n",
            (
                '1:26: lexicon "stance": b: "If so" already stands for "a" (rules/lexicons/a.yaml:1:14); '
                "keep it under one of them"
            ),
        ),
        (
            "product: {a: [b]}\n",
            '1:1: lexicon "product": the names of this kind come from the registry; give the lexicon another kind',
        ),
        (
            "stance: {a: [b]}\nstance: {c: [d]}\n",
            '2:1: the key "stance" is given twice, first in line 1; keep one of them',
        ),
    ],
)
def test_each_fault_of_a_lexicon_has_its_place_and_its_cure(inside: Path, text: str, expected: str) -> None:
    (inside / "rules" / "lexicons").mkdir(parents=True)
    (inside / "rules" / "lexicons" / "a.yaml").write_text(text)
    assert load("rules")[1] == [f"rules/lexicons/a.yaml:{expected}"]


def test_lexicons_are_merged_by_kind_and_value(inside: Path) -> None:
    for folder, text in (
        ("one", "qualifier: {up to: [as much as]}"),
        ("two", "qualifier: {up to: [Tops]}\nstance: {a: ['~']}"),
    ):
        (inside / folder / "lexicons").mkdir(parents=True)
        (inside / folder / "lexicons" / "x.yaml").write_text(text)
    problems: list[Problem] = []
    lexicons = load_lexicons(["one", "two"], problems)
    assert (lexicons, problems) == ({"qualifier": {"up to": ["as much as", "Tops"]}, "stance": {"a": ["~"]}}, [])
    assert qualifiers_of(lexicons) == {"up to": "up to", "as much as": "up to", "tops": "up to"}


def test_the_list_of_rules(load_text: Load) -> None:
    rules, _ = load_text(rule_text())
    assert render_rules(rules, "full") == (
        "RULE          SEVERITY  WHAT IT FLAGS\nstale-figure  warning   A figure is older than it may be.\n"
    )
    (record,) = json.loads(render_rules(rules, "json"))
    assert (record["name"], record["options"]["years"], record["examples"][1]["good"]) == (
        "stale-figure",
        "2",
        "It draws 700 W.",
    )
    assert json.loads(render_rule(rules[0], "json")) == record


def test_the_page_of_a_rule(load_text: Load, snapshot: SnapshotAssertion) -> None:
    table = '"| chip | W |\\n|---|---|\\n| A | «700» |"'
    why = f"Products change. {'The reader does not see it. ' * 5}"
    (rule,), problems = load_text(
        rule_text(why=why, examples=f"\n  - {{bad: {table}, why: in a table}}\n  - good: Ten \u202ewords.")
    )
    assert problems == []
    assert render_rule(rule) == snapshot


def test_the_page_of_a_rule_leaves_out_what_only_a_finding_can_say(load_text: Load) -> None:
    (rule,), _ = load_text(rule_text(help='"Write {figure} anew. {example}"', message='"{figure} {example}"'))
    assert "\nWhat would cure it\n  Write {figure} anew.\n\n" in render_rule(rule)
