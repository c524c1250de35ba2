"""JSON Schemas of what people write for Caveat, so that their editors complete it: made from the models, when asked.

Everything in YAML is text for Caveat, so `value: 8` and `published: 2026` are sound, and the schemas must let them be.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pydantic import Field
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from caveat import data
from caveat.loading.config_schema import ConfigEntry
from caveat.loading.registry_files import SECTIONS
from caveat.loading.registry_schema import ClaimEntry, ProductEntry, SourceEntry, VendorEntry
from caveat.loading.rule_schema import RuleEntry
from caveat.loading.validation import Id, Record
from caveat.loading.vocabulary_schema import VocabularyEntry, merge_vocabularies

DIALECT = "http://json-schema.org/draft-07/schema#"  # the latest that all editors know


class RegistryFile(Record):
    """A file of a registry."""

    vendors: dict[Id, VendorEntry] = Field({}, description="vendors by id")
    products: dict[Id, ProductEntry] = Field({}, description="products by id")
    sources: dict[Id, SourceEntry] = Field({}, description="sources by id")
    claims: list[ClaimEntry] = Field([], description="claims as a list")
    vocabulary: VocabularyEntry | None = Field(None, description="what this registry adds to the vocabulary")


assert tuple(RegistryFile.model_fields) == SECTIONS


class _OfYaml(GenerateJsonSchema):
    """The schema of a YAML file whose scalars may look like numbers to an editor."""

    def str_schema(self, schema: core_schema.StringSchema) -> JsonSchemaValue:
        return {**super().str_schema(schema), "type": ["string", "number", "boolean"]}

    def int_schema(self, schema: core_schema.IntSchema) -> JsonSchemaValue:
        return {**super().int_schema(schema), "type": ["integer", "string"]}


def render_schema(of: str, checks: Sequence[str]) -> str:
    """The schema of "config", "registry" or "rule" as JSON. `checks` are the names of the checks that exist."""
    schema = _SCHEMAS[of](checks)
    return json.dumps({"$schema": DIALECT, **_tidied(schema)}, indent=2, ensure_ascii=False) + "\n"


def _config(_: Sequence[str]) -> dict[str, Any]:
    """Names of rules are offered, not demanded: there may be others in a folder of one's own."""
    schema = ConfigEntry.model_json_schema()
    keys, names = schema["properties"], [os.path.splitext(name)[0] for name in sorted(os.listdir(data.rules_folder()))]
    rule = {"anyOf": [{"enum": [name for name in names if name != "lexicons"]}, {"type": "string", "minLength": 1}]}
    for key in ("select", "ignore"):
        keys[key]["items"] = rule
    keys["per-file-ignores"]["additionalProperties"]["items"] = rule
    keys["per-rule-severity"]["propertyNames"] = rule
    for key in ("claims", "rules"):
        shape = {name: keys[key].pop(name) for name in ("type", "items")}
        keys[key]["anyOf"] = [{"type": "string", "minLength": 1}, shape]
    return schema


def _registry(_: Sequence[str]) -> dict[str, Any]:
    """Metrics, dimensions and their values are offered, not demanded: a registry may add its own."""
    schema = RegistryFile.model_json_schema(schema_generator=_OfYaml)
    vocabulary = merge_vocabularies(data.vocabulary_file(), [], [])
    claim = schema["$defs"]["ClaimEntry"]["properties"]
    claim["metric"] = {"description": claim["metric"]["description"], **_offered(vocabulary["metrics"])}
    claim["basis"]["properties"] = {
        name: _offered([*dimension.get("values", ()), "unstated"])
        for name, dimension in vocabulary["dimensions"].items()
    }
    return schema


def _offered(words: Iterable[str]) -> dict[str, Any]:
    """Any text, these words first."""
    return {"anyOf": [{"enum": list(dict.fromkeys(words))}, {"type": ["string", "number", "boolean"]}]}


def _rule(checks: Sequence[str]) -> dict[str, Any]:
    schema = RuleEntry.model_json_schema(schema_generator=_OfYaml)
    schema["properties"]["check"]["enum"] = sorted(checks)
    cite = schema["properties"]["cite"]
    cite["anyOf"] = [cite["items"], {name: cite.pop(name) for name in ("type", "items")}]
    return schema


_SCHEMAS: dict[str, Callable[[Sequence[str]], dict[str, Any]]] = {
    "config": _config,
    "registry": _registry,
    "rule": _rule,
}


def _tidied(value: Any) -> Any:
    """A schema without the titles that the models' names make, which tell nobody anything."""
    if isinstance(value, dict):
        return {key: _tidied(child) for key, child in value.items() if not (key == "title" and isinstance(child, str))}
    return [_tidied(child) for child in value] if isinstance(value, list) else value
