"""Every example of every rule file: a bad one gets its rule's finding on the marked words, a good one none."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from caveat.engine import lint
from caveat.markdown.source import Source
from caveat.rulebook.rules import Example, Rule
from caveat.running.cache import Cache
from caveat.running.desk import Desk, find_desk, load_desk

CLAIMS = Path(__file__).parent / "claims"
DESK = load_desk(find_desk(str(CLAIMS)), Cache(""))
MARK = re.compile("«([^«»]+)»")


class Marked(NamedTuple):
    """An example without its marks, and the stretches that they marked."""

    text: str
    spans: list[tuple[int, int]]


def unmarked(text: str) -> Marked:
    spans: list[tuple[int, int]] = []
    plain, at = "", 0
    for match in MARK.finditer(text):
        plain += text[at : match.start()]
        spans.append((len(plain), len(plain) + len(match.group(1))))
        plain += match.group(1)
        at = match.end()
    return Marked(plain + text[at:], spans)


EXAMPLES = [
    pytest.param(rule, example, id=f"{rule.name}-{number}-{'bad' if example.bad else 'good'}")
    for rule in DESK.rules
    for number, example in enumerate(rule.examples, 1)
]


@pytest.fixture(scope="module")
def desk() -> Desk:
    return DESK


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_an_example_is_flagged_where_it_is_marked_and_nowhere_else(rule: Rule, example: Example, desk: Desk) -> None:
    marked = unmarked(example.text)
    found = lint(Source(marked.text), desk.registry, desk.rules)
    own: list[tuple[int, int]] = [(f.start, f.end) for f in found if f.rule == rule.name]
    others: list[Any] = [(f.rule, marked.text[f.start : f.end]) for f in found if f.rule != rule.name]
    assert own == marked.spans
    assert others == [], "an example shows its own rule only"


@pytest.mark.parametrize("rule", DESK.rules, ids=lambda rule: rule.name)
def test_a_rule_says_why_and_by_whose_authority_and_what_would_cure_it(rule: Rule) -> None:
    assert rule.summary.endswith(".")
    assert rule.why
    assert rule.cite
    assert rule.help
