"""Rule files and lexicons: what may stand in them, and those of one or more folders."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from caveat.language.tokens import words_of
from caveat.loading.problems import Problem, quoted, suggest
from caveat.loading.registry_schema import ClaimEntry
from caveat.loading.validation import Placed, Record, Text, validate
from caveat.loading.yaml_text import Node, files_directly_in, read_yaml

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


def _as_list(value: object) -> object:
    return [value] if isinstance(value, str) else value


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

    name: Annotated[Text, AfterValidator(_check_name)] = Field(description="the name of the file without .yaml")
    check: Text = Field(description="the name of the check that runs the rule")
    severity: Literal["info", "warning", "error"] = Field(description="one of info, warning, error")
    summary: Text = Field(description="in a sentence, what the rule flags")
    message: Text = Field(description="what a finding says; {words} in braces are filled in by the check")
    options: dict[str, Any] = Field({}, alias="with", description="the options of the check, for example {key: value}")
    why: Text = Field(description="why it matters")
    cite: Annotated[list[Text], BeforeValidator(_as_list)] = Field([], description="the authority, or a list of them")
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
    for file in files_directly_in(folder, problems):
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
    missing = [kind for kind in ("bad", "good") if all(getattr(each, kind) is None for each in rule.examples)]
    problems += [placed.problem(("examples",), f"no {kind} example", f'add one: "- {kind}: ..."') for kind in missing]


def load_lexicons(folders: Sequence[str], problems: list[Problem]) -> Lexicons:
    """The lexicons in the subfolders `lexicons` of the folders, merged by kind and value."""
    reader = _Reader(problems)
    for folder in folders:
        subfolder = f"{folder}/lexicons"
        for file in files_directly_in(subfolder, problems) if os.path.isdir(subfolder) else ():
            root = read_yaml(file, problems)
            if root is not None:
                reader.read(file, root)
    return reader.lexicons


class _Reader:
    """Collects the phrases of lexicon files; within a kind a phrase may stand for one value only."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        self.lexicons: Lexicons = {}
        self._owners: dict[tuple[str, tuple[str, ...]], tuple[str, str]] = {}

    def read(self, file: str, root: Node) -> None:
        """Add the kinds of a file."""
        kinds = root.value if isinstance(root.value, dict) else {}
        for kind, node in kinds.items():
            subject = f"lexicon {quoted(kind)}"
            if kind in REGISTRY_KINDS:
                message, hint = "the names of this kind come from the registry", "give the lexicon another kind"
                self.problems.append(Problem(file, *root.keys[kind], subject, message, hint))
            elif not isinstance(node.value, dict):
                message, hint = "a mapping is expected", "write {value: [phrase, phrase]}"
                self.problems.append(Problem(file, node.line, node.column, subject, message, hint))
            else:
                for value, phrases in node.value.items():
                    self._read_value(file, kind, value, phrases)

    def _read_value(self, file: str, kind: str, value: str, node: Node) -> None:
        """Add the phrases of one value."""
        if not isinstance(node.value, list):
            message = f"{value}: a list is expected"
            self._report(file, node, kind, message, "write [phrase, phrase]")
            return
        phrases = self.lexicons.setdefault(kind, {}).setdefault(value, [])
        for item in node.value:
            words = tuple(words_of(item.value)) if isinstance(item.value, str) else ()
            if not words or not isinstance(item.value, str):
                self._report(file, item, kind, f"{value}: a phrase is expected", "write words or signs as text")
                continue
            owner, place = self._owners.setdefault((kind, words), (value, f"{file}:{item.line}:{item.column}"))
            if owner == value:
                phrases.append(item.value)
            else:
                message = f"{value}: {quoted(item.value)} already stands for {quoted(owner)} ({place})"
                self._report(file, item, kind, message, "keep it under one of them")

    def _report(self, file: str, node: Node, kind: str, message: str, hint: str) -> None:
        self.problems.append(Problem(file, node.line, node.column, f"lexicon {quoted(kind)}", message, hint))
