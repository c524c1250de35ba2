"""Labelled texts of our own: how many of an editor's findings are found, how many others, and what one change does.

tests/cases/figures holds texts labelled for the rules on figures and their basis alone, tests/cases/all texts labelled
for every rule; tests/articles clean articles, and tests/mutations.yaml changes of one fact in them. A finding is right
when its rule is expected and it has some words in common with the expected span. A case may name rules under `also`
whose findings in it are neither right nor wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from caveat.engine import lint
from caveat.finding import Finding
from caveat.markdown.source import Source
from caveat.running.cache import Cache
from caveat.running.desk import Desk, find_desk, load_desk, select_rules

TESTS = Path(__file__).parent
# The rules that the labels of tests/cases/figures cover; a text there may well break another one.
RULES = (
    "unsourced-figure",
    "figure-mismatch",
    "ratio-mismatch",
    "derived-mismatch",
    "dropped-qualifier",
    "mixed-sparsity",
    "unstated-sparsity",
    "self-comparison-as-independent",
    "undefined-citation",
)
LEAST_PRECISION = LEAST_RECALL = 0.85
LEAST_SILENT = 0.95


class Outcome(NamedTuple):
    """How the findings in one text meet its labels; each list holds (rule, words)."""

    right: list[tuple[str, str]]
    missed: list[tuple[str, str]]
    false: list[tuple[str, str]]


def read_yaml(path: Path) -> list[dict[str, Any]]:
    entries = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert isinstance(entries, list)
    return entries


FIGURES, ALL = "figures", "all"
CASES = {
    group: [case for path in sorted((TESTS / "cases" / group).glob("*.yaml")) for case in read_yaml(path)]
    for group in (FIGURES, ALL)
}
ARTICLES = sorted((TESTS / "articles").glob("*.md"))
MUTATIONS = read_yaml(TESTS / "mutations.yaml")


@pytest.fixture(scope="module")
def desk() -> Desk:
    """The registry of tests/claims and all rules."""
    return load_desk(find_desk(str(TESTS / "claims")), Cache(""))


@pytest.fixture(scope="module", params=(FIGURES, ALL))
def outcomes(request: pytest.FixtureRequest, desk: Desk) -> dict[str, Outcome]:
    """How each case of a group came out, by its id."""
    used = select_rules(desk, RULES, ()) if request.param == FIGURES else desk
    cases = CASES[request.param]
    return {case["id"]: judge(case["text"], case["expect"], used, case.get("also", ())) for case in cases}


def judge(text: str, expect: list[dict[str, str]], desk: Desk, also: Collection[str] = ()) -> Outcome:
    """Check a text and pair its findings with its labels; findings of the rules in `also` are no false alarms."""
    left = lint(Source(text), desk.registry, desk.rules)
    right, missed = [], []
    for label in expect:
        rule, span = label["rule"], label["span"]
        places = occurrences(text, span)
        found = next((finding for finding in left if finding.rule == rule and touches(finding, places)), None)
        if found is None:
            missed.append((rule, span))
        else:
            left.remove(found)
            right.append((rule, span))
    return Outcome(right, missed, [(f.rule, text[f.start : f.end]) for f in left if f.rule not in also])


def occurrences(text: str, words: str) -> list[tuple[int, int]]:
    places = []
    start = text.find(words)
    while start != -1:
        places.append((start, start + len(words)))
        start = text.find(words, start + 1)
    return places


def touches(finding: Finding, places: list[tuple[int, int]]) -> bool:
    return any(finding.start < end and start < finding.end for start, end in places)


def share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def table(outcomes: dict[str, Outcome]) -> str:
    """Precision and recall by rule, and then every miss and every false alarm."""
    right, missed, false = (Counter(rule for o in outcomes.values() for rule, _ in o[i]) for i in range(3))
    lines = ["", f"{'rule':32}{'right':>6}{'missed':>8}{'false':>7}{'precision':>11}{'recall':>8}"]
    for rule in (*sorted(right | missed | false), "all"):
        a, b, c = (n.total() if rule == "all" else n[rule] for n in (right, missed, false))
        lines.append(f"{rule:32}{a:6}{b:8}{c:7}{share(a, a + c):11.3f}{share(a, a + b):8.3f}")
    for name, outcome in outcomes.items():
        lines += [f"{name}: missed {rule} on {span!r}" for rule, span in outcome.missed]
        lines += [f"{name}: false {rule} on {words!r}" for rule, words in outcome.false]
    return "\n".join(lines)


def test_precision_and_recall(outcomes: dict[str, Outcome]) -> None:
    right, missed, false = (sum(len(outcome[i]) for outcome in outcomes.values()) for i in range(3))
    assert share(right, right + false) >= LEAST_PRECISION, table(outcomes)
    assert share(right, right + missed) >= LEAST_RECALL, table(outcomes)


def test_silent_texts_stay_silent(outcomes: dict[str, Outcome]) -> None:
    silent = [outcome for outcome in outcomes.values() if not outcome.right and not outcome.missed]
    assert share(sum(not outcome.false for outcome in silent), len(silent)) >= LEAST_SILENT, table(outcomes)


@pytest.mark.parametrize("group", CASES)
def test_there_are_enough_cases_of_each_rule(group: str, desk: Desk) -> None:
    cases, rules = CASES[group], RULES if group == FIGURES else [rule.name for rule in desk.rules]
    labels = Counter(label["rule"] for case in cases for label in case["expect"])
    assert set(labels) == set(rules)
    assert min(labels.values()) >= 5
    assert sum(not case["expect"] for case in cases) * 5 >= len(cases) * 2 >= 320


def test_cases_are_well_formed(desk: Desk) -> None:
    cases = [case for group in CASES.values() for case in group]
    names = {rule.name for rule in desk.rules}
    assert [name for name, count in Counter(case["id"] for case in cases).items() if count > 1] == []
    for case in cases:
        assert {"id", "text", "expect"} <= set(case) <= {"id", "text", "expect", "also", "kind", "why"}, case["id"]
        assert all(label["rule"] in names and label["span"] in case["text"] for label in case["expect"]), case["id"]


@pytest.mark.parametrize("article", ARTICLES, ids=lambda path: path.stem)
def test_a_clean_article_has_no_finding(article: Path, desk: Desk) -> None:
    assert judge(article.read_text(encoding="utf-8"), [], desk).false == []


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: f"{m['article']}: {m['with']}")
def test_one_changed_fact_is_all_that_is_found(mutation: dict[str, Any], desk: Desk) -> None:
    article = (TESTS / "articles" / mutation["article"]).read_text(encoding="utf-8")
    assert article.count(mutation["replace"]) == 1
    changed = article.replace(mutation["replace"], mutation["with"])
    assert all(label["span"] in changed for label in mutation["expect"])
    outcome = judge(changed, mutation["expect"], desk)
    assert (outcome.missed, outcome.false) == ([], [])


def test_every_rule_has_a_changed_fact() -> None:
    assert {label["rule"] for mutation in MUTATIONS for label in mutation["expect"]} >= set(RULES)
    assert len(MUTATIONS) >= 45
