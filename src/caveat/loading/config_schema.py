"""The configuration as it may be written. Its descriptions are printed as what to write."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from caveat.loading.problems import Problem, quoted
from caveat.loading.toml_text import not_text, read_toml
from caveat.loading.validation import Placed, Record, Text, expected, validate

TOOL_TABLE = ("tool", "caveat")
_DAYS = re.compile(r"[1-9][0-9]{0,5} days?\Z")


def _as_list(value: object) -> object:
    return [value] if isinstance(value, str) else value


def _no_switch(value: object) -> object:
    """Other linters switch a rule off by its severity; here there is one way to do it."""
    if isinstance(value, str) and value.lower() in {"off", "ignore", "none", "false"}:
        raise ValueError(f"{quoted(value)} is no severity; to leave the rule out, put its name into ignore")
    return value


def _no_table(value: object) -> object:
    if isinstance(value, dict):
        message = "one severity is expected, not a table; to give rules their own, write [per-rule-severity]"
        raise ValueError(message)  # noqa: TRY004 - the only one that pydantic collects
    return value


def _no_negation(value: dict[str, list[str]]) -> dict[str, list[str]]:
    for pattern in value:
        if pattern.startswith("!"):
            raise ValueError(f"{quoted(pattern)} would leave nothing out; write the files that are meant")
    return value


def _check_days(text: str) -> str:
    if not _DAYS.match(text):
        raise ValueError(f'{quoted(text)} is not a number of days; write how many, for example "30 days"')
    return text


Level = Literal["info", "warning", "error"]
Days = Annotated[Text, AfterValidator(_check_days)]
Texts = list[Text]
Folders = Annotated[Texts, BeforeValidator(_as_list)]


class UpkeepEntry(Record):
    """What `caveat claims check` warns of, and the drafts that the registry is for."""

    drafts: Folders = Field([], description='the drafts that rest on the registry, for example drafts = ["docs/"]')
    ignore: Texts = Field([], description='a list of warnings to leave out, for example ignore = ["no-snapshot"]')
    price: Days = Field("30 days", description='how long a price may go unseen, for example price = "30 days"')
    benchmark: Days = Field(
        "180 days", description='how long a measurement may go unseen, for example benchmark = "180 days"'
    )
    specification: Days = Field(
        "365 days", description='how long any other claim may go unseen, for example specification = "365 days"'
    )


class ConfigEntry(Record):
    """A configuration file, or the table [tool.caveat] of a pyproject.toml."""

    extend: Text = Field("", description='the path of another configuration, for example extend = "../caveat.toml"')
    claims: Folders = Field(
        ["starter"], description='registry folders, "starter" being the shipped one: claims = ["starter", "claims"]'
    )
    rules: Folders = Field([], description='folders of rules to add, for example rules = "rules"')
    select: Texts = Field([], description='a list of the rules to run, for example select = ["unsourced-figure"]')
    ignore: Texts = Field([], description='a list of rules to leave out, for example ignore = ["unstated-sparsity"]')
    severity: Annotated[Level, BeforeValidator(_no_table)] = Field(
        "info", description='the lowest severity to report, for example severity = "warning"'
    )
    per_rule_severity: dict[Text, Annotated[Level, BeforeValidator(_no_switch)]] = Field(
        {},
        alias="per-rule-severity",
        description='a table of rules with severities: [per-rule-severity], below it unsourced-figure = "error"',
    )
    per_file_ignores: Annotated[dict[Text, Texts], AfterValidator(_no_negation)] = Field(
        {},
        alias="per-file-ignores",
        description='a table of patterns with lists of rules: [per-file-ignores], below it "old/" = ["undated-price"]',
    )
    citation_scope: Literal["sentence", "paragraph"] = Field(
        "sentence",
        alias="citation-scope",
        description='how far a source reaches: citation-scope = "sentence", or "paragraph"',
    )
    exclude: Texts = Field([], description='a list of patterns as in .gitignore, for example exclude = ["drafts/old/"]')
    baseline: Text = Field(
        "", description='a file of findings to leave out, for example baseline = ".caveat-baseline.json"'
    )
    upkeep: UpkeepEntry = Field(
        UpkeepEntry.model_validate({}),
        description='a table on the care of the registry: [upkeep], below it drafts = ["docs/"]',
    )


def compile_config(data: bytes, file: str, *, of_project: bool) -> tuple[dict[str, Any] | None, list[Problem]]:
    """What a file says, key by key, and all that is wrong with it; None for a pyproject.toml that says nothing."""
    problems: list[Problem] = []
    table = read_toml(data, file, TOOL_TABLE if of_project else (), problems)
    if table is None:
        return None, problems
    root = table.node
    if not isinstance(root.value, dict):
        problems.append(Problem(file, root.line, root.column, "", "caveat is to be a table", "write [tool.caveat]"))
        return None, problems
    placed = validate(ConfigEntry, Placed[ConfigEntry](file, "", root.line, root.column, root, None), problems)
    known = {field.alias or name for name, field in ConfigEntry.model_fields.items()}
    for path, written in not_text(table.value):
        if path[0] in known:
            message = f"text in quotes is expected, not {written}"
            problems.append(placed.problem(path, message, expected(ConfigEntry, path, {})))
    if placed.entry is None or problems:
        return None, sorted(problems, key=lambda problem: problem[:3])
    return placed.entry.model_dump(by_alias=True, exclude_unset=True), []


def place_of(data: bytes, path: tuple[int | str, ...], *, of_project: bool) -> tuple[int, int]:
    """The line and column of what is at a path of a configuration, or of what it is in."""
    table = read_toml(data, "", TOOL_TABLE if of_project else (), [])
    if table is None:
        return 1, 1
    above = table.node.find(path[:-1])
    if path and str(path[-1]) in above.keys:
        return above.keys[str(path[-1])]
    node = table.node.find(path)
    return node.line, node.column
