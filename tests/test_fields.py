"""Another field than chips: its products, words and rules are YAML in a folder, with no line of Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from caveat.engine import lint
from caveat.markdown.source import Source
from caveat.rulebook.rules import Example, Rule
from caveat.running.cache import Cache
from caveat.running.desk import find_desk, load_desk

CARS = Path(__file__).parent / "fields" / "cars"
DESK = load_desk(find_desk(str(CARS / "claims"), str(CARS / "rules")), Cache(""))
OWN = {path.stem for path in (CARS / "rules").glob("*.yaml")}
CASES: list[dict[str, Any]] = yaml.safe_load((CARS / "cases.yaml").read_text(encoding="utf-8"))
EXAMPLES = [
    pytest.param(rule, example, id=f"{rule.name}-{number}")
    for rule in DESK.rules
    if rule.name in OWN
    for number, example in enumerate(rule.examples, 1)
]


def findings(text: str) -> list[tuple[str, str]]:
    return [(f.rule, text[f.start : f.end]) for f in lint(Source(text), DESK.registry, DESK.rules)]


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_an_example_of_a_field_s_rule_holds(rule: Rule, example: Example) -> None:
    before, _, rest = example.text.partition("«")
    marked, _, after = rest.partition("»")
    assert findings(before + marked + after) == ([(rule.name, marked)] if example.bad else [])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"][:60])
def test_a_text_of_the_field_gets_the_findings_that_an_editor_would_give(case: dict[str, Any]) -> None:
    assert findings(case["text"]) == [(rule, words) for each in case["expect"] for rule, words in each.items()]


def test_no_code_knows_the_field() -> None:
    words = ("WLTP", "CLTC", "gross", "charging", "Alder")
    sources = (Path(__file__).parents[1] / "src").rglob("*.py")
    assert [(path.name, word) for path in sources for word in words if word in path.read_text(encoding="utf-8")] == []
