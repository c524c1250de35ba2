"""A rule: what it flags, how it says so, and the parameters that it gives to its check."""

from __future__ import annotations

from typing import Any, NamedTuple


class Example(NamedTuple):
    """A text that shows a rule. In a `bad` one, «» marks the words to be flagged; a good one has no marks.

    `claims` are records that the text needs in the registry beside those that the tests have.
    """

    bad: bool
    text: str
    why: str
    claims: list[dict[str, Any]]


class Rule(NamedTuple):
    """One rule file. `check` names the function that runs it and `options` is the file's `with`."""

    name: str
    check: str
    severity: str
    summary: str
    message: str
    help: str
    options: dict[str, Any]
    why: str
    cite: list[str]
    examples: list[Example]


def build_rules(compiled: dict[str, Any]) -> list[Rule]:
    """The rules of what `caveat.loading.compile.compile_desk` returned, in order of their names."""
    return [Rule._make([*row[:-1], [Example._make(example) for example in row[-1]]]) for row in compiled["rules"]]
