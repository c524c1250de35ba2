"""What pydantic says about a record, turned into problems: where, of what, and what to write instead."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Generic, NamedTuple, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints, ValidationError

from caveat.loading.problems import Problem, nearest, quoted, suggest
from caveat.loading.yaml_text import Node

Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]

# What stands where somebody has yet to say something.
TODO = "TODO"

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\Z")


class Record(BaseModel):
    """A record of a YAML file. The description of a field completes the sentence "write ..."."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def check_id(text: str) -> str:
    """An id as it is, or ValueError with what to write."""
    if not _ID.match(text):
        near = re.sub(r"[^A-Za-z0-9._]+", "-", text).strip("-._").lower() or "h100-memory"
        raise ValueError(f"{quoted(text)} is not an id; write letters, digits, hyphens, for example {near}")
    return text


Id = Annotated[Text, AfterValidator(check_id)]

Model = TypeVar("Model", bound=Record)


class Placed(NamedTuple, Generic[Model]):
    """A record with its place: `subject` says what it is, `entry` is None if the record is faulty."""

    file: str
    subject: str
    line: int
    column: int
    node: Node
    entry: Model | None

    @property
    def place(self) -> str:
        """The place as text."""
        return f"{self.file}:{self.line}:{self.column}"

    def problem(self, path: tuple[int | str, ...], message: str, hint: str = "") -> Problem:
        """A problem with the value at a path in the record."""
        node = self.node.find(path)
        return Problem(self.file, node.line, node.column, self.subject, f"{_dotted(path)}{message}", hint)


def validate(
    model: type[Model], placed: Placed[Model], problems: list[Problem], hints: Mapping[str, str] | None = None
) -> Placed[Model]:
    """The record with its entry if it is valid; otherwise every fault of it is added to `problems`.

    `hints` says for a field what to write there, where that depends on the rest of the registry.
    """
    left = list(_left_open(placed.node, ()))
    problems += [placed.problem(path, f"still {TODO}", expected(model, path, hints or {})) for path in left]
    try:
        entry = model.model_validate(placed.node.plain())
        return placed._replace(entry=None if left else entry)
    except ValidationError as error:
        faults = error.errors(include_url=False)
        misspelt = _misspelt(model, faults)
        for fault in faults:
            if fault["loc"] in left or (fault["type"] == "missing" and fault["loc"] in misspelt):
                continue  # that, or the unknown key that was meant for it, is reported, and one report is enough
            problem = _translate(model, placed, fault, hints or {})
            if problem is not None:
                problems.append(problem)
        return placed


def _translate(model: type[Model], placed: Placed[Model], fault: Any, hints: Mapping[str, str]) -> Problem | None:
    """One fault in the words of the person who wrote the file; None for a value that was refused before."""
    kind: str = fault["type"]
    path: tuple[int | str, ...] = fault["loc"]
    node = placed.node.find(path)
    if kind == "extra_forbidden":
        return _unknown_key(model, placed, path)
    if node.value is None:
        return None
    wanted = expected(model, path, hints)
    if kind == "missing":
        return placed.problem(path, "missing", wanted)
    if kind == "string_too_short" or (node.value == "" and path):
        return placed.problem(path, "empty", wanted)
    if kind == "literal_error":
        known = re.findall(r"'([^']*)'", fault["ctx"]["expected"])
        return placed.problem(path, f"{quoted(str(fault['input']))} is not known", suggest(str(fault["input"]), known))
    if kind == "value_error":
        message, _, hint = str(fault["ctx"]["error"]).partition("; ")
        return placed.problem(path, message, hint)
    shape, example = _SHAPES[kind]
    return placed.problem(path, f"{shape} is expected, not {_shape(node)}", wanted or example)


# What was expected by each of the other faults that the models can have, and an example of it.
_SHAPES = {
    "string_type": ("text", "write one value on the line of the key"),
    "list_type": ("a list", "write [one, two]"),
    "dict_type": ("a mapping", "write {key: value}"),
    "model_type": ("a mapping", "write {key: value}"),
}


def _shape(node: Node) -> str:
    if isinstance(node.value, dict):
        return "a mapping"
    return "a list" if isinstance(node.value, list) else "text"


def _misspelt(model: type[Model], faults: list[Any]) -> set[tuple[int | str, ...]]:
    """The paths of the keys that unknown keys were probably meant to be."""
    meant: set[tuple[int | str, ...]] = set()
    for fault in faults:
        path: tuple[int | str, ...] = fault["loc"]
        if fault["type"] == "extra_forbidden":
            meant.add((*path[:-1], nearest(str(path[-1]), _keys(_owner(model, path)))))
    return meant


def _keys(model: type[Record]) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()]


def _unknown_key(model: type[Model], placed: Placed[Model], path: tuple[int | str, ...]) -> Problem:
    parent, key = placed.node.find(path[:-1]), str(path[-1])
    known = _keys(_owner(model, path))
    line, column = parent.keys[key]
    where = _dotted(path[:-1]) if len(path) > 1 else ""
    return Problem(placed.file, line, column, placed.subject, f"{where}unknown key {quoted(key)}", suggest(key, known))


def _owner(model: type[Record], path: tuple[int | str, ...]) -> type[Record]:
    """The model of the record, at any depth, that the last step of a path is a key of."""
    owner = model
    for step in path[:-1]:
        field = owner.model_fields.get(str(step))
        for part in _parts(field.annotation) if field else ():
            if isinstance(part, type) and issubclass(part, Record):
                owner = part
    return owner


def _parts(annotation: Any) -> list[Any]:
    """An annotation and all that it is composed of."""
    parts = [annotation]
    for argument in getattr(annotation, "__args__", ()):
        parts += _parts(argument)
    return parts


def expected(model: type[Record], path: tuple[int | str, ...], hints: Mapping[str, str]) -> str:
    """What to write at a path: what the field says that it is, or the nearest one that it is in."""
    fields = _owner(model, path).model_fields
    known = {name: field for key, field in fields.items() for name in (key, field.alias) if name}
    name = next((step for step in reversed(path) if step in known), "")
    if not name or not isinstance(name, str):
        return ""
    return hints.get(name) or (f"write {known[name].description}" if known[name].description else "")


def _left_open(node: Node, path: tuple[int | str, ...]) -> Iterator[tuple[int | str, ...]]:
    """The paths of the values in a record that somebody has yet to fill in."""
    if node.value == TODO:
        yield path
    elif isinstance(node.value, dict):
        for key, child in node.value.items():
            yield from _left_open(child, (*path, key))
    elif isinstance(node.value, list):
        for index, child in enumerate(node.value):
            yield from _left_open(child, (*path, index))


def _dotted(path: tuple[int | str, ...]) -> str:
    """A path as a person would name it: basis.precision: , aliases 2: ."""
    text = ""
    for step in path:
        text += f" {step + 1}" if isinstance(step, int) else f".{step}" if text else step
    return f"{text}: " if text else ""
