"""A rule: what it flags, how it says so, and the parameters that it gives to its check."""

from __future__ import annotations

from typing import Any

from caveat.language.phrases import unpacked


class Example:
    """A text that shows a rule. In a `bad` one, «» marks the words to be flagged; a good one has no marks.

    `claims` are records that the text needs in the registry beside those that the tests have.
    """

    __slots__ = ("bad", "claims", "text", "why")

    def __init__(self, text: str, why: str, claims: list[dict[str, Any]], *, bad: bool) -> None:
        self.text = text
        self.why = why
        self.claims = claims
        self.bad = bad


class Rule:
    """One rule file. `check` names the function that runs it and `options` is the file's `with`."""

    __slots__ = ("_examples", "check", "cite", "help", "message", "name", "options", "severity", "summary", "why")

    def __init__(self, row: list[Any]) -> None:
        """`row` is what `caveat.loading.compile` makes of a rule file."""
        self.name: str = row[0]
        self.check: str = row[1]
        self.severity: str = row[2]
        self.summary: str = row[3]
        self.message: str = row[4]
        self.help: str = row[5]
        self.options: dict[str, Any] = row[6]
        self.why: str = row[7]
        self.cite: list[str] = row[8]
        self._examples: str = row[9]

    def with_severity(self, severity: str) -> Rule:
        """The rule with another severity."""
        import copy

        other = copy.copy(self)
        other.severity = severity
        return other

    @property
    def examples(self) -> list[Example]:
        """The examples of the rule file, in its order; no check of a draft needs them, so they are kept as text."""
        return [Example(text, why, claims, bad=bad) for bad, text, why, claims in unpacked(self._examples)]


def build_rules(compiled: dict[str, Any]) -> list[Rule]:
    """The rules of what `caveat.loading.compile.compile_desk` returned, in order of their names."""
    return [Rule(row) for row in compiled["rules"]]
