"""Rule files and lexicons: what may stand in them, and the rules of one or more folders."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from caveat.language.tokens import words_of
from caveat.loading.problems import Problem, quoted, suggest
from caveat.loading.registry_schema import ClaimEntry
from caveat.loading.validation import Placed, Record, Text, validate
from caveat.loading.yaml_text import Node, read_yaml

# Lexicons by kind: canonical value -> its phrases.
Lexicons = dict[str, dict[str, list[str]]]

# Phrases of these kinds are the registry's own.
REGISTRY_KINDS = ("product", "vendor", "source")

_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*\Z")
_MARKED = re.compile("«[^«»]+»")


def _check_name(text: str) -> str:
    if not _NAME.match(text):
        raise ValueError(f"{quoted(text)} is not a rule name; write lower-case words with hyphens: undated-price")
    return text


def _check_marks(text: str) -> str:
    rest = _MARKED.sub("", text)
    if "«" in rest or "»" in rest:
        raise ValueError("the marks « and » do not pair; put each stretch to be flagged between « and »")
    if rest == text:
        raise ValueError("nothing is marked; put the words to be flagged between « and »")
    return text


def _check_no_marks(text: str) -> str:
    if "«" in text or "»" in text:
        raise ValueError("a good example has nothing to flag; take out the marks « and »")
    return text


class ExampleEntry(Record):
    """A text that the rule flags, or one that it leaves alone."""

    bad: Annotated[Text, AfterValidator(_check_marks)] | None = Field(None, description="a text that is flagged")
    good: Annotated[Text, AfterValidator(_check_no_marks)] | None = Field(None, description="a text without a finding")
    claims: list[ClaimEntry] = Field([], description="a list of claims that the text needs in the registry")
    why: Text = Field("", description="what the example shows")

    @model_validator(mode="after")
    def _one_text(self) -> ExampleEntry:
        if (self.bad is None) == (self.good is None):
            raise ValueError("an example is either bad or good; write one of the two keys")
        return self


class RuleEntry(Record):
    """One rule file."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    name: Annotated[Text, AfterValidator(_check_name)] = Field(description="the name of the file without .yaml")
    check: Text = Field(description="the name of the check that runs the rule")
    severity: Literal["info", "warning", "error"] = Field(description="one of info, warning, error")
    summary: Text = Field(description="in a sentence, what the rule flags")
    message: Text = Field(description="what a finding says; {words} in braces are filled in by the check")
    options: dict[str, Any] = Field({}, alias="with", description="the options of the check, for example {key: value}")
    why: Text = Field(description="why it matters")
    cite: Text | list[Text] = Field("", description="the authority, or a list of them")
    help: Text = Field("", description="what would cure a finding")
    examples: list[ExampleEntry] = Field(description="a list of examples, at least one bad and one good")


def load_rules(folders: Sequence[str], checks: Collection[str], problems: list[Problem]) -> list[RuleEntry]:
    """The rules of the folders, in order of their names; a rule takes the place of one in an earlier folder.

    `checks` are the names of the checks that exist.
    """
    rules: dict[str, RuleEntry] = {}
    for folder in folders:
        rules.update(_load_folder(folder, checks, problems))
    return [rule for _, rule in sorted(rules.items())]


def _load_folder(folder: str, checks: Collection[str], problems: list[Problem]) -> dict[str, RuleEntry]:
    """The valid rules of one folder by name."""
    rules: dict[str, Placed[RuleEntry]] = {}
    for file in _files_of(folder, "rule", problems):
        root = read_yaml(file, problems)
        if root is None:
            continue
        stem = os.path.splitext(os.path.basename(file))[0]
        placed = validate(RuleEntry, Placed[RuleEntry](file, f"rule {quoted(stem)}", 1, 1, root, None), problems)
        if placed.entry is not None:
            _check_rule(stem, placed, placed.entry, checks, problems)
        first = rules.setdefault(stem, placed)
        if first is not placed:
            message = f"a rule with this name is in {first.file} already"
            problems.append(placed.problem(("name",), message, "give one of them another name"))
    return {name: rule.entry for name, rule in rules.items() if rule.entry is not None}


def _files_of(folder: str, kind: str, problems: list[Problem]) -> list[str]:
    """The YAML files directly in a folder."""
    hint = f"give a folder of {kind} files"
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        problems.append(Problem(folder, 0, 0, f"{kind}s", f"cannot be read: {error.strerror}", hint))
        return []
    files = [f"{folder}/{name}" for name in names if name.endswith((".yaml", ".yml")) and not name.startswith(".")]
    if not files and not os.path.isdir(os.path.join(folder, "lexicons")):
        problems.append(Problem(folder, 0, 0, f"{kind}s", "no YAML file in this folder", hint))
    return files


def _check_rule(
    stem: str, placed: Placed[RuleEntry], rule: RuleEntry, checks: Collection[str], problems: list[Problem]
) -> None:
    if rule.name != stem:
        message = f"{quoted(rule.name)} is not the name of the file"
        problems.append(placed.problem(("name",), message, f"write {stem}, or rename the file"))
    if rule.check not in checks:
        known = sorted(checks)
        near = suggest(rule.check, known)
        hint = near if near.startswith("did") else f"write one of {', '.join(known)}"
        problems.append(placed.problem(("check",), f"no check has the name {quoted(rule.check)}", hint))
    for kind in ("bad", "good"):
        if not any(getattr(example, kind) is not None for example in rule.examples):
            problems.append(placed.problem(("examples",), f"no {kind} example", f'add one: "- {kind}: ..."'))


def load_lexicons(folders: Sequence[str], problems: list[Problem]) -> Lexicons:
    """The lexicons of the subfolders `lexicons` of the folders, merged by kind and value."""
    lexicons: Lexicons = {}
    owners: dict[tuple[str, tuple[str, ...]], tuple[str, str]] = {}
    for folder in folders:
        subfolder = f"{folder}/lexicons"
        if not os.path.isdir(subfolder):
            continue
        for file in _files_of(subfolder, "lexicon", problems):
            root = read_yaml(file, problems)
            if root is not None:
                for kind, value, node in _lexicon_values(file, root, problems):
                    phrases = _phrases(file, kind, value, node, owners, problems)
                    lexicons.setdefault(kind, {}).setdefault(value, []).extend(phrases)
    return lexicons


def _lexicon_values(file: str, root: Node, problems: list[Problem]) -> list[tuple[str, str, Node]]:
    """The (kind, value, list of phrases) of a lexicon file."""
    found: list[tuple[str, str, Node]] = []
    kinds = root.value if isinstance(root.value, dict) else {}
    for kind, values in kinds.items():
        subject = f"lexicon {quoted(kind)}"
        line, column = root.keys[kind]
        if kind in REGISTRY_KINDS:
            message = "the names of this kind come from the registry"
            problems.append(Problem(file, line, column, subject, message, "give the lexicon another kind"))
        elif not isinstance(values.value, dict):
            hint = "write {value: [phrase, phrase]}"
            problems.append(Problem(file, values.line, values.column, subject, "a mapping is expected", hint))
        else:
            found += [(kind, value, node) for value, node in values.value.items()]
    return found


def _phrases(
    file: str,
    kind: str,
    value: str,
    node: Node,
    owners: dict[tuple[str, tuple[str, ...]], tuple[str, str]],
    problems: list[Problem],
) -> list[str]:
    """The phrases of one value; within a kind a phrase may stand for one value only."""
    subject = f"lexicon {quoted(kind)}"
    if not isinstance(node.value, list):
        message = f"{value}: a list is expected"
        problems.append(Problem(file, node.line, node.column, subject, message, "write [phrase, phrase]"))
        return []
    phrases: list[str] = []
    for item in node.value:
        words = tuple(words_of(item.value)) if isinstance(item.value, str) else ()
        if not words or not isinstance(item.value, str):
            message = f"{value}: a phrase with a word in it is expected"
            problems.append(Problem(file, item.line, item.column, subject, message, "write a phrase as text"))
            continue
        owner, place = owners.setdefault((kind, words), (value, f"{file}:{item.line}:{item.column}"))
        if owner != value:
            message = f"{value}: {quoted(item.value)} already stands for {quoted(owner)} ({place})"
            problems.append(Problem(file, item.line, item.column, subject, message, "keep it under one of them"))
        else:
            phrases.append(item.value)
    return phrases
