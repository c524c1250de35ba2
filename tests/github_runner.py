"""Composite actions run as GitHub's runner runs them: expressions, conditions, scripts in bash, outputs of steps.

Of the expressions it knows those that the action uses, and refuses all others. What a step with `uses` would do is
given by the test: its outputs, by the name of the action without the version.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

Outputs = Mapping[str, str]
_TOKEN = re.compile(r"\s*(?:('(?:[^']|'')*')|(&&|\|\||[!=]=|[!()])|([A-Za-z_][\w.-]*))")
_EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}")


class Ran(NamedTuple):
    """How an action ended: its exit code and log, its outputs, the inputs of other actions, and the page of the run."""

    code: int
    log: str
    outputs: dict[str, str]
    used: dict[str, dict[str, str]]
    page: str


class Expression:
    """Evaluates one expression: `||`, `&&`, `==`, `!=`, `!`, texts, names from a context, and status functions."""

    def __init__(self, text: str, context: Mapping[str, str], *, failed: bool) -> None:
        self._tokens: list[tuple[str, str, str]] = []
        self._context = context
        self._status = {"success": not failed, "failure": failed, "always": True, "cancelled": False}
        at = 0
        while text[at:].strip():
            match = _TOKEN.match(text, at)
            assert match, f"unknown in an expression: {text[at:]!r}"
            literal, operator, name = match.groups(default="")
            self._tokens.append((literal, operator, name))
            at = match.end()

    def value(self) -> str | bool:
        found = self._either()
        assert not self._tokens, f"left over: {self._tokens}"
        return found

    def _next_is(self, operator: str) -> bool:
        if self._tokens and self._tokens[0][1] == operator:
            self._tokens.pop(0)
            return True
        return False

    def _either(self) -> str | bool:
        left = self._both()
        while self._next_is("||"):
            right = self._both()
            left = left or right
        return left

    def _both(self) -> str | bool:
        left = self._equality()
        while self._next_is("&&"):
            right = self._equality()
            left = left and right
        return left

    def _equality(self) -> str | bool:
        left = self._single()
        for operator in ("==", "!="):
            if self._next_is(operator):
                right = self._single()
                assert isinstance(left, str), "only texts are compared here"
                assert isinstance(right, str), "only texts are compared here"
                return (left.lower() == right.lower()) == (operator == "==")  # GitHub compares without case
        return left

    def _single(self) -> str | bool:
        if self._next_is("!"):
            return not self._single()
        if self._next_is("("):
            inside = self._either()
            assert self._next_is(")")
            return inside
        literal, operator, name = self._tokens.pop(0)
        assert not operator, f"unexpected {operator}"
        if literal:
            return literal[1:-1].replace("''", "'")
        if self._next_is("("):
            assert self._next_is(")"), "no function here takes anything"
            return self._status[name]
        return self._context.get(name, "")


def filled(text: str, context: Mapping[str, str]) -> str:
    """A text of an action with the values of its expressions."""

    def value(match: re.Match[str]) -> str:
        found = Expression(match[1], context, failed=False).value()
        return found if isinstance(found, str) else str(found).lower()

    return _EXPRESSION.sub(value, text)


def run_action(
    action: Path, workspace: Path, temporary: Path, given: Outputs, does: Mapping[str, Outputs], **variables: str
) -> Ran:
    """Run the steps of an action in a workspace, with the inputs that are `given` and more variables of the runner."""
    # All of a workflow that is no text becomes one before a step sees it.
    about = yaml.load((action / "action.yml").read_text(encoding="utf-8"), Loader=yaml.BaseLoader)  # noqa: S506 - a safe one
    inputs = {name: entry["default"] for name, entry in about["inputs"].items()}
    unknown = set(given) - set(inputs)
    assert not unknown, unknown
    context = {f"inputs.{name}": value for name, value in {**inputs, **given}.items()}
    used: dict[str, dict[str, str]] = {}
    page, log, code = temporary / "page.md", "", 0
    variables |= {"GITHUB_ACTION_PATH": str(action), "GITHUB_WORKSPACE": str(workspace), "RUNNER_TEMP": str(temporary)}
    variables |= {"GITHUB_ACTIONS": "true", "CI": "true", "GITHUB_STEP_SUMMARY": str(page)}
    for number, step in enumerate(about["runs"]["steps"]):
        condition = re.sub(r"^\$\{\{(.*)\}\}$", r"\1", step.get("if", "success()")).strip()
        if "(" not in condition:
            condition = f"success() && ({condition})"
        if not Expression(condition, context, failed=bool(code)).value():
            continue
        if "uses" in step:
            name = step["uses"].partition("@")[0]
            used[name] = {key: filled(value, context) for key, value in step.get("with", {}).items()}
            outputs = dict(does[name])
        else:
            own = {name: filled(value, context) for name, value in step.get("env", {}).items()}
            ended, outputs = _run_script(step, number, workspace, temporary, {**variables, **own})
            log += ended.stdout
            code = code or ended.returncode
        context |= {f"steps.{step.get('id', number)}.outputs.{name}": value for name, value in outputs.items()}
    of_action = {name: filled(entry["value"], context) for name, entry in about["outputs"].items()}
    return Ran(code, log, of_action, used, page.read_text(encoding="utf-8") if page.exists() else "")


def _run_script(
    step: Mapping[str, Any], number: int, workspace: Path, temporary: Path, variables: Mapping[str, str]
) -> tuple[subprocess.CompletedProcess[str], dict[str, str]]:
    """One script, as the runner calls bash for `shell: bash`, and the outputs that it has set."""
    assert step["shell"] == "bash"
    assert "${{" not in step["run"], "an expression in a script would let an input be run"
    script, outputs = temporary / f"{number}.sh", temporary / f"{number}.outputs"
    script.write_text(step["run"], encoding="utf-8")
    outputs.touch()
    ended = subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script],
        cwd=workspace,
        env={**os.environ, **variables, "GITHUB_OUTPUT": str(outputs)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    lines = outputs.read_text(encoding="utf-8").splitlines()
    assert all("=" in line for line in lines), lines
    return ended, dict(line.split("=", 1) for line in lines)
