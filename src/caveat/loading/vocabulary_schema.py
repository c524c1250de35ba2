"""The vocabulary as it may be written, and how a folder's own adds to the one that is shipped."""

from __future__ import annotations

import os
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from caveat.loading.problems import Problem, quoted, suggest
from caveat.loading.validation import Placed, Record, Text, validate
from caveat.loading.yaml_text import Node, read_yaml


def _check_number(text: str) -> str:
    try:
        number = Decimal(text)
    except InvalidOperation:
        number = Decimal(0)
    if not number.is_finite() or number <= 0 or abs(number.adjusted()) > 99:
        raise ValueError(f"{quoted(text)} is not a size; write a positive number, for example 1e9")
    return text


Size = Annotated[Text, AfterValidator(_check_number)]
Texts = list[Text]


class PrefixEntry(Record):
    """A prefix such as giga."""

    symbols: Texts = Field(description="the signs before a unit's symbol as a list")
    factor: Size = Field(description="how many times it multiplies")


class ScaleEntry(Record):
    """A word or letter that multiplies a number."""

    factor: Size = Field(description="how many times it multiplies")
    glued: Texts = Field([], description="spellings as a list")
    money: Texts = Field([], description="spellings as a list")
    words: Texts = Field([], description="spellings as a list")


class UnitEntry(Record):
    """A unit of measurement; claims/vocabulary.yaml explains each key."""

    dimension: Text = Field(description="the dimension that the unit measures, for example bytes")
    factor: Size = Field(description="its size in the base unit of the dimension")
    prefixes: list[Text] = Field([], description="families of prefixes as a list")
    symbols: Texts = Field([], description="signs as a list")
    names: Texts = Field([], description="words as a list")
    before: Texts = Field([], description="signs before the number as a list")
    rate: Text = ""
    kind: Literal["measure", "count", "price", "percent", "points"] = "measure"
    setting: Size = ""
    narrative: Literal["words", "all", ""] = ""
    glued: Literal["yes", "no"] = "yes"
    bare: Literal["yes", "no", "names"] = "yes"
    needs: Literal["rate", ""] = ""


class PerEntry(Record):
    """What a figure is counted per."""

    seconds: Size = ""
    symbols: Texts = Field([], description="signs as a list")
    names: Texts = Field([], description="words as a list")


class MetricEntry(Record):
    """What a claim is about."""

    dimensions: Texts = Field([], description="the dimensions of its figures as a list")
    phrases: Texts = Field([], description="what prose calls it, as a list")
    general: Texts = Field([], description="what prose calls it among other things, as a list")
    rate: Text = Field("", description="the metric of a figure per second that is said of this one")
    title: Text = Field("", description="what the row of a table is headed, if not by the id")
    wholes: Text = Field("", description="what the row is headed that has the figures of what contains a product")


class DimensionEntry(Record):
    """A dimension of a claim's basis."""

    values: dict[str, Texts] = Field({}, description="values with lists of phrases, for example {dense: [dense]}")
    aliases: dict[str, Text] = Field({}, description="other spellings of values, for example {bidirectional: two-way}")
    applies_to: Texts = Field([], description="dimensions of units as a list")
    metrics: Texts = Field([], description="metrics as a list, if not all figures of those units have it")
    comparable: list[Texts] = Field([], description="lists of values that count as one when figures are compared")
    describes: Literal["yes", "no"] = "no"
    distinct: Literal["yes", "no"] = "no"
    open: Literal["yes", "no"] = "no"


class VocabularyEntry(Record):
    """A whole vocabulary, or what a folder adds to one."""

    prefixes: dict[str, dict[str, PrefixEntry]] = Field({}, description="families of prefixes")
    scales: dict[str, ScaleEntry] = Field({}, description="words that multiply a number")
    units: dict[str, UnitEntry] = Field({}, description="units by their key")
    per: dict[str, PerEntry] = Field({}, description="what figures are counted per")
    metrics: dict[str, MetricEntry] = Field({}, description="metrics by id")
    dimensions: dict[str, DimensionEntry] = Field({}, description="dimensions by name")


def merge_vocabularies(shipped: str, added: list[tuple[str, Node]], problems: list[Problem]) -> dict[str, Any]:
    """The shipped vocabulary with what a folder adds, as plain text, lists and mappings.

    Lists grow, mappings are merged, other values are replaced. `shipped` is the path of the shipped file; that file
    may also be among those `added`.
    """
    if not any(os.path.realpath(file) == os.path.realpath(shipped) for file, _ in added):
        root = read_yaml(shipped, problems)
        added = [(shipped, root), *added] if root is not None else added
    merged: dict[str, Any] = {section: {} for section in VocabularyEntry.model_fields}
    for file, node in added:
        placed = Placed[VocabularyEntry](file, "vocabulary", node.line, node.column, node, None)
        entry = validate(VocabularyEntry, placed, problems).entry
        plain = node.plain()
        if entry is not None and isinstance(plain, dict) and _refers_well(placed, entry, merged, problems):
            merge_into(merged, plain)
    return merged


def _refers_well(
    placed: Placed[VocabularyEntry], entry: VocabularyEntry, merged: dict[str, Any], problems: list[Problem]
) -> bool:
    """Whether the families of prefixes and the values that the entries name exist, here or in what came before."""
    before = len(problems)
    families = [*merged["prefixes"], *entry.prefixes]
    for key, unit in entry.units.items():
        for at, family in enumerate(unit.prefixes):
            if family not in families:
                message = f"no family of prefixes is named {quoted(family)}"
                problems.append(placed.problem(("units", key, "prefixes", at), message, suggest(family, families)))
    for name, dimension in entry.dimensions.items():
        values = [*merged["dimensions"].get(name, {}).get("values", ()), *dimension.values]
        for alias, value in dimension.aliases.items():
            if value not in values:
                message = f"{quoted(value)} is no value of the dimension"
                problems.append(placed.problem(("dimensions", name, "aliases", alias), message, suggest(value, values)))
    return len(problems) == before


def merge_into(into: dict[str, Any], more: dict[str, Any]) -> None:
    """Add a vocabulary to another: lists grow, mappings are merged, other values are replaced."""
    for key, value in more.items():
        known = into.get(key)
        if isinstance(known, dict) and isinstance(value, dict):
            merge_into(known, value)
        elif isinstance(known, list) and isinstance(value, list):
            known += [item for item in value if item not in known]
        else:
            into[key] = value
