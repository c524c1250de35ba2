"""Folders of rules and lexicons as what JSON can hold, with every fault of the folders."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from caveat.language.phrases import build_index, packed
from caveat.loading.problems import Problem
from caveat.loading.rule_schema import ExampleEntry, Lexicons, RuleEntry, load_lexicons, load_rules

# The lexicon whose values are the canonical qualifiers of figures.
QUALIFIERS = "qualifier"


def load_rulebook(folders: Sequence[str], checks: Collection[str], problems: list[Problem]) -> dict[str, Any]:
    """The rules of the folders as rows, their lexicons as an index of phrases, and the canonical qualifiers.

    A rule in a later folder takes the place of one with its name in an earlier folder. `checks` are the names of the
    checks that exist. Every fault is added to `problems`; the result lacks what is faulty.
    """
    rules, lexicons = load_rules(folders, checks, problems), load_lexicons(folders, problems)
    return {
        "rules": [_rule_row(rule) for rule in rules],
        "phrases": build_index(
            (phrase, kind, value)
            for kind, values in lexicons.items()
            for value, phrases in values.items()
            for phrase in phrases
        ),
        "qualifiers": qualifiers_of(lexicons),
    }


def qualifiers_of(lexicons: Lexicons) -> dict[str, str]:
    """Each phrase that qualifies a figure, in lower case, with the canonical qualifier that it is."""
    return {
        phrase.lower(): value for value, phrases in lexicons.get(QUALIFIERS, {}).items() for phrase in (value, *phrases)
    }


def _rule_row(rule: RuleEntry) -> list[Any]:
    """A rule in the order in which `Rule` takes it, its examples packed as text."""
    return [
        rule.name,
        rule.check,
        rule.severity,
        rule.summary,
        rule.message,
        rule.help,
        rule.options,
        rule.why,
        rule.cite,
        packed([_example_row(example) for example in rule.examples]),
    ]


def _example_row(example: ExampleEntry) -> list[Any]:
    """An example as `Rule.examples` reads it."""
    return [
        example.bad is not None,
        example.bad or example.good,
        example.why,
        [claim.model_dump(exclude_defaults=True) for claim in example.claims],
    ]
