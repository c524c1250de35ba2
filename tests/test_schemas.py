"""The JSON Schemas for editors: sound themselves, they take what Caveat takes and refuse what it refuses."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from caveat.checks import CHECK_NAMES
from caveat.loading.config_schema import compile_config
from caveat.loading.json_schemas import render_schema

ROOT = Path(__file__).parent.parent


class Core(yaml.SafeLoader):
    """YAML 1.2 as editors read it: dates and `no` are text."""


Core.yaml_implicit_resolvers = {
    sign: [
        (tag, re.compile("true|false") if tag.endswith(":bool") else pattern)
        for tag, pattern in resolvers
        if not tag.endswith((":timestamp", ":merge", ":value"))
    ]
    for sign, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def schema(of: str) -> dict[str, Any]:
    made = json.loads(render_schema(of, CHECK_NAMES))
    assert isinstance(made, dict)
    return made


def faults(of: str, value: Any) -> list[str]:
    return [error.message for error in jsonschema.Draft7Validator(schema(of)).iter_errors(value)]


def read(path: Path) -> Any:
    return yaml.load(path.read_text(encoding="utf-8"), Loader=Core)  # noqa: S506 - a safe one


def registries() -> Iterator[Path]:
    for folder in ("claims", "tests/claims", "tests/fields", "templates"):
        yield from (path for path in sorted((ROOT / folder).rglob("*.yaml")) if "claims" in str(path.relative_to(ROOT)))


@pytest.mark.parametrize("of", ["config", "registry", "rule"])
def test_each_is_a_schema_and_says_the_same_every_time(of: str) -> None:
    jsonschema.Draft7Validator.check_schema(schema(of))
    assert render_schema(of, CHECK_NAMES) == render_schema(of, CHECK_NAMES)


@pytest.mark.parametrize("path", [path for path in registries() if path.name != "vocabulary.yaml"], ids=str)
def test_registries_are_taken(path: Path) -> None:
    assert faults("registry", read(path)) == []


@pytest.mark.parametrize("path", sorted((ROOT / "rules").glob("*.yaml")), ids=lambda path: path.stem)
def test_rules_are_taken(path: Path) -> None:
    assert faults("rule", read(path)) == []


@pytest.mark.parametrize(
    ("of", "text", "message"),
    [
        ("registry", "claim: []", "'claim' was unexpected"),
        ("registry", "vendors: {a: {nam: A}}", "'name' is a required property"),
        ("registry", "sources: {a: {title: A, publisher: b, kind: blog}}", "'blog' is not one of"),
        ("registry", "products: {a: {name: A, vendor: b, unit: chip, aliases: B}}", "'B' is not of type 'array'"),
        ("rule", "name: a\ncheck: nonsense", "'nonsense' is not one of"),
        ("rule", "name: a\nseverity: bad", "'bad' is not one of"),
    ],
)
def test_what_is_wrong_is_refused(of: str, text: str, message: str) -> None:
    assert any(message in fault for fault in faults(of, yaml.load(text, Loader=Core)))  # noqa: S506 - a safe one


@pytest.mark.parametrize(
    "text",
    [
        "",
        'claims = "claims"\nrules = ["one", "two"]',
        'select = ["my-own-rule", "figure-mismatch"]\nseverity = "error"',
        '[per-file-ignores]\n"a/*" = ["one"]\n[per-rule-severity]\none = "info"',
        'citation-scope = "paragraph"\nexclude = ["x/"]\nextend = "base.toml"',
        'selct = ["a"]',
        'select = "a"',
        "claims = 3",
        'severity = "bad"',
        '[per-rule-severity]\none = "off"',
        '[per-file-ignores]\n"a/*" = "one"',
        'rules = [""]',
    ],
)
def test_the_configuration_is_taken_or_refused_as_caveat_does(text: str) -> None:
    _, problems = compile_config(text.encode(), "caveat.toml", of_project=False)
    assert bool(faults("config", tomllib.loads(text))) == bool(problems)


def test_known_names_are_offered() -> None:
    keys = schema("config")["properties"]
    assert "figure-mismatch" in keys["ignore"]["items"]["anyOf"][0]["enum"]
    assert "lexicons" not in keys["ignore"]["items"]["anyOf"][0]["enum"]
    claim = schema("registry")["$defs"]["ClaimEntry"]["properties"]
    assert "memory-capacity" in claim["metric"]["anyOf"][0]["enum"]
    assert "dense" in claim["basis"]["properties"]["sparsity"]["anyOf"][0]["enum"]
