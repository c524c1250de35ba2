"""The compiled form: JSON, with one index of all phrases and claims that are decoded only when they are asked for."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from caveat import data
from caveat.checks import CHECK_NAMES
from caveat.language.phrases import PhraseIndex, find_phrases, packed
from caveat.language.tokens import Tokens
from caveat.loading.compile import compile_folders
from caveat.loading.rulebook_loading import load_rulebook
from caveat.loading.shipped import read_shipped, write_shipped
from caveat.loading.vocabulary_schema import merge_vocabularies
from caveat.registry.registry import Registry
from caveat.rulebook.rules import build_rules

REFERENCE = Path(__file__).parent / "claims"

REGISTRY = """\
vendors:
  acme: {name: Acme, aliases: [Acme Corp]}
products:
  one: {name: One X1, vendor: acme, unit: chip, aliases: [X1-80GB, "Übergröße"]}
sources:
  page: {title: Acme's page, publisher: acme, kind: vendor-page, aliases: [X1 page]}
  lab: {title: A test, publisher: A Laboratory, kind: independent}
claims:
  - id: x1-memory
    product: one
    metric: memory-capacity
    value: 80 GB
    source: page
    evidence: 'It has "80 GB" `of` memory \\ “in all”.'
  - {id: x1-memory-tested, product: one, metric: memory-capacity, value: 79.6 GB, source: lab}
vocabulary:
  metrics: {yield: {dimensions: [percent], phrases: [yield of the line]}}
  dimensions: {season: {values: {summer: [in summer]}, aliases: {sommer: summer}}}
"""
RULE = """\
name: fresh
check: age
severity: error
summary: s
message: m
why: w
examples: [{bad: «x»}, {good: y}]
"""


@pytest.fixture
def compiled(inside: Path) -> dict[str, Any]:
    (inside / "claims").mkdir()
    (inside / "claims" / "a.yaml").write_text(REGISTRY, "utf-8")
    (inside / "rules" / "lexicons").mkdir(parents=True)
    (inside / "rules" / "fresh.yaml").write_text(RULE, "utf-8")
    (inside / "rules" / "lexicons" / "a.yaml").write_text("stance: {doubted: [do not believe]}\n")
    form, problems = compile_folders(["claims"], ["rules"], ["age"])
    assert problems == []
    stored = json.dumps(form)
    read_back: dict[str, Any] = json.loads(stored)
    assert json.dumps(read_back) == stored
    return read_back


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the One X1s", ("product", "one", "One X1s")),
        ("an X1 80GB", ("product", "one", "X1 80GB")),
        ("Übergröße", ("product", "one", "Übergröße")),
        ("ACME CORP", ("vendor", "acme", "ACME CORP")),
        ("the X1 page", ("source", "page", "X1 page")),
        ("high memory bandwidth", ("metric", "memory-bandwidth", "memory bandwidth")),
        ("yield of the line", ("metric", "yield", "yield of the line")),
        ("in summer", ("season", "summer", "in summer")),
        ("w/o sparsity", ("sparsity", "dense", "w/o sparsity")),
        ("I do not believe it", ("stance", "doubted", "do not believe")),
    ],
)
def test_one_index_holds_every_phrase(compiled: dict[str, Any], text: str, expected: tuple[str, str, str]) -> None:
    marks = find_phrases(Tokens(text), PhraseIndex(compiled["phrases"]))
    assert expected in [(mark.kind, mark.value, text[mark.start : mark.end]) for mark in marks]


def test_claims_survive_being_packed(compiled: dict[str, Any]) -> None:
    registry = Registry(compiled)
    claim = registry.claim("x1-memory")
    assert claim is not None
    assert claim.evidence == 'It has "80 GB" `of` memory \\ “in all”.'
    assert [claim.id for claim in registry.claims_of("one")] == ["x1-memory", "x1-memory-tested"]
    assert [claim.self_published for claim in registry.all_claims()] == [True, False]


def test_packed_claims_need_no_escape() -> None:
    text = packed([{"id": "a", "basis": {"scope": "chip"}}])
    assert json.dumps(text) == f'"{text}"'


def test_rules_are_rows(compiled: dict[str, Any]) -> None:
    (rule,) = build_rules(compiled)
    assert (rule.name, rule.check, rule.examples[0].text, rule.examples[1].bad) == ("fresh", "age", "«x»", False)


def test_faulty_records_are_left_out(inside: Path) -> None:
    (inside / "claims").mkdir()
    (inside / "claims" / "a.yaml").write_text(REGISTRY.replace("value: 80 GB\n    source: page\n", "value: 80 GB\n"))
    form, problems = compile_folders(["claims"], [data.rules_folder()], ["any"])
    assert [problem.subject for problem in problems if problem.file == "claims/a.yaml"] == ['claim "x1-memory"']
    assert [claim.id for claim in Registry(form).all_claims()] == ["x1-memory-tested"]


def test_a_folder_may_hold_a_vocabulary_of_its_own(inside: Path) -> None:
    (inside / "claims").mkdir()
    (inside / "claims" / "vocabulary.yaml").write_text(
        "units: {W: {dimension: power, factor: 1, names: [watt, voltampere]}}\n"
        "metrics: {power: {phrases: [thirst]}, memory-capacity: {dimensions: [count]}}\n"
    )
    form, problems = compile_folders(["claims"], [data.rules_folder()], ["any"])
    assert [problem for problem in problems if problem.file.startswith("claims")] == []
    registry = Registry(form)
    assert registry.vocabulary.names["voltampere"] == registry.vocabulary.names["kilowatt"].removeprefix("k")
    assert registry.vocabulary.fits("memory-capacity", "bytes")
    assert registry.vocabulary.fits("memory-capacity", "count")
    values = [mark.value for mark in find_phrases(Tokens("thirst and TDP"), registry.phrases) if mark.kind == "metric"]
    assert values == ["power", "power"]


def test_the_views_need_neither_yaml_nor_pydantic() -> None:
    program = (
        "import sys, caveat.registry.registry, caveat.rulebook.rules, caveat.report.text, caveat.data\n"
        "print(*{'yaml', 'pydantic', 'pathlib', 'importlib.resources', 'dataclasses', 'difflib'} & set(sys.modules))"
    )
    command = [sys.executable, "-S", "-c", f"import sys; sys.path.insert(0, {data.__file__[:-14]!r})\n{program}"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "\n"


def test_the_shipped_folders_exist() -> None:
    for path in (data.claims_folder(), data.rules_folder(), f"{data.rules_folder()}/lexicons"):
        assert Path(path).is_dir()
    assert Path(data.vocabulary_file()).is_file()


def test_an_installed_package_has_its_own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "caveat" / "data" / "claims").mkdir(parents=True)
    monkeypatch.setattr(data, "__file__", str(tmp_path / "caveat" / "data.py"))
    assert data.claims_folder() == str(tmp_path / "caveat" / "data" / "claims")
    assert data.rules_folder() == str(tmp_path.parent / "rules")


def test_the_shipped_rules_may_come_compiled_and_are_used_as_long_as_they_fit(
    inside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(data.rules_folder(), inside / "rules")
    (inside / "claims").mkdir()
    (inside / "claims" / "a.yaml").write_text(REGISTRY.partition("vocabulary:")[0], "utf-8")
    monkeypatch.setattr(data, "rules_folder", lambda: str(inside / "rules"))
    fresh = compile_folders(["claims"], ["rules"], CHECK_NAMES)
    assert read_shipped() is None
    write_shipped(str(inside / "compiled.json"))
    kept = read_shipped()
    assert kept is not None
    assert json.dumps(kept.rulebook) == json.dumps(load_rulebook(["rules"], CHECK_NAMES, []))
    assert kept.vocabulary == merge_vocabularies(data.vocabulary_file(), [], [])
    again = compile_folders(["claims"], ["rules"], ["none of them, for no rule is read"])
    assert json.dumps(again) == json.dumps(fresh)
    rule = inside / "rules" / "missing-baseline.yaml"
    rule.write_text(rule.read_text("utf-8").replace("severity: warning", "severity: info"), "utf-8")
    assert read_shipped() is None


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"of": "another state", "rulebook": {}, "vocabulary": {}}', "\udcff"]
)
def test_compiled_rules_that_are_none_are_not_used(inside: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    (inside / "compiled.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    monkeypatch.setattr(data, "compiled_file", lambda: str(inside / "compiled.json"))
    assert read_shipped() is None


def test_faulty_rules_are_not_built_into_a_package(inside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (inside / "rules").mkdir()
    (inside / "rules" / "fresh.yaml").write_text(RULE, "utf-8")
    monkeypatch.setattr(data, "rules_folder", lambda: str(inside / "rules"))
    with pytest.raises(ValueError, match=r'fresh\.yaml:2:8: .*no check has the name "age"'):
        write_shipped(str(inside / "compiled.json"))
    assert not (inside / "compiled.json").exists()
