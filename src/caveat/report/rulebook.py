"""The rules as text: a list of all, and the page of one."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable
from typing import Any

from caveat.report.text import table, visible
from caveat.rulebook.rules import Example, Rule

_WIDTH = 88
# A word of a finding's in which a whole sentence is put, and without which the rest is whole.
_OWN_SENTENCE = re.compile(r"(?<=[.!?])\s+\{\w+\}(?=\s|$)")


def render_rules(rules: Iterable[Rule], fmt: str) -> str:
    """All rules: a JSON array for "json", else a table."""
    if fmt == "json":
        return json.dumps([_record(rule) for rule in rules], indent=2, ensure_ascii=False) + "\n"
    return table(("RULE", "SEVERITY", "WHAT IT FLAGS"), [(rule.name, rule.severity, rule.summary) for rule in rules])


def render_rule(rule: Rule, fmt: str = "full") -> str:
    """The page of a rule: what it flags, why, the cure, its options, its authority and its examples."""
    if fmt == "json":
        return json.dumps(_record(rule), indent=2, ensure_ascii=False) + "\n"
    parts = [f"{rule.name} ({rule.severity})\n", _wrapped(rule.summary), _section("Why", rule.why)]
    if rule.help:
        parts.append(_section("What would cure it", _OWN_SENTENCE.sub("", rule.help)))
    if rule.options:
        options = [f"  {visible(name)}: {visible(_option(value))}\n" for name, value in rule.options.items()]
        parts.append(f"\nOptions of the check {visible(rule.check)}\n{''.join(options)}")
    if rule.cite:
        parts.append(f"\nAuthority\n{''.join(_wrapped(source, '  ') for source in rule.cite)}")
    parts += _examples("Flagged, at the words in «»", [example for example in rule.examples if example.bad])
    parts += _examples("Not flagged", [example for example in rule.examples if not example.bad])
    return "".join(parts)


def _record(rule: Rule) -> dict[str, Any]:
    return {
        "name": rule.name,
        "check": rule.check,
        "severity": rule.severity,
        "summary": rule.summary,
        "message": rule.message,
        "help": rule.help,
        "options": rule.options,
        "why": rule.why,
        "cite": rule.cite,
        "examples": [
            {"bad" if example.bad else "good": example.text, "why": example.why, "claims": example.claims}
            for example in rule.examples
        ],
    }


def _section(title: str, text: str) -> str:
    return f"\n{title}\n{_wrapped(text, '  ')}"


def _examples(title: str, examples: list[Example]) -> list[str]:
    if not examples:
        return []
    lines = [f"\n{title}\n"]
    for example in examples:
        written = [visible(line) for line in example.text.splitlines()]
        if len(written) == 1:
            lines.append(_wrapped(written[0], "  - ", "    "))
        else:  # a table or a list is shown as it stands
            lines += [f"  {'-' if at == 0 else ' '} {line}".rstrip() + "\n" for at, line in enumerate(written)]
        if example.why:
            lines.append(_wrapped(f"({example.why})", "    "))
    return lines


def _wrapped(text: str, indent: str = "", further: str | None = None) -> str:
    """Running text in lines of a readable width."""
    return (
        textwrap.fill(
            visible(text),
            width=_WIDTH,
            initial_indent=indent,
            subsequent_indent=indent if further is None else further,
            break_long_words=False,
            break_on_hyphens=False,
        )
        + "\n"
    )


def _option(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
