"""Strict YAML: every scalar stays the text that was typed, every node knows its place, and all faults are collected.

YAML turns 4.10 into 4.1, 12:30 into 750 and `no` into false, and lets a second key replace the first. A registry of
figures can afford none of that, so the nodes are built here from the parser's events, with none of YAML's types.
"""

from __future__ import annotations

import gc
import os
import re
from collections.abc import Iterator
from typing import Any, TypeAlias

import yaml

from caveat.data import is_yaml
from caveat.loading.problems import Problem, quoted

MAX_DEPTH = 32
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_UNREADABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
_SYNTAX_HINT = 'check the indentation, and put text that holds ": " or " #" or begins with a sign in quotes'

_NO_KEY = ("", 0, 0)  # stands where something other than text was written as a key

Plain: TypeAlias = "str | list[Plain] | dict[str, Plain] | None"


class Node:
    """A value in a YAML file: text, a list of nodes, a mapping of keys to nodes, or None where it was refused.

    `line` and `column` count from 1; `keys` holds the place of each key of a mapping.
    """

    __slots__ = ("column", "keys", "line", "value")

    def __init__(self, value: str | list[Node] | dict[str, Node] | None, line: int, column: int) -> None:
        self.value = value
        self.line = line
        self.column = column
        self.keys: dict[str, tuple[int, int]] = {}

    def plain(self) -> Plain:
        """The node as plain text, lists and dictionaries."""
        value = self.value
        if isinstance(value, dict):
            return {key: child.plain() for key, child in value.items()}
        if isinstance(value, list):
            return [child.plain() for child in value]
        return value

    def find(self, path: tuple[int | str, ...]) -> Node:
        """The node at the end of a path of keys and indices, or the last node on the way that exists."""
        node = self
        for step in path:
            child = node.child(step)
            if child is None:
                break
            node = child
        return node

    def child(self, step: int | str) -> Node | None:
        """The node under a key of a mapping or an index of a list, if there is one."""
        children = self.value
        if isinstance(children, dict):
            return children.get(str(step))
        if isinstance(children, list) and isinstance(step, int) and step < len(children):
            return children[step]
        return None


def files_directly_in(folder: str, problems: list[Problem]) -> list[str]:
    """The YAML files of a folder, not of its subfolders, in a fixed order; an unreadable folder is a problem."""
    try:
        return [f"{folder}/{name}".replace(os.sep, "/") for name in sorted(os.listdir(folder)) if is_yaml(name)]
    except OSError as error:
        problems.append(Problem(folder, 0, 0, "", f"cannot be read: {error.strerror}", "give a folder of YAML files"))
        return []


def read_yaml(file: str, problems: list[Problem]) -> Node | None:
    """The mapping that a YAML file holds; None if it cannot be read at all. What is wrong is added to `problems`.

    An empty file is an empty mapping.
    """
    try:
        with open(file, "rb") as stream:
            data = stream.read()
        text = data.decode("utf-8-sig")
    except OSError as error:
        problems.append(Problem(file, 0, 0, "", f"cannot be read: {error.strerror}"))
        return None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = len(data[data.rfind(b"\n", 0, error.start) + 1 : error.start].decode("utf-8", "replace")) + 1
        problems.append(Problem(file, line, column, "", "not UTF-8 text", "save the file as UTF-8"))
        return None
    root = parse_yaml(text, file, problems)
    if root is not None and root.value == "":
        root.value = {}
    if root is not None and not isinstance(root.value, dict):
        message = "a mapping is expected at the top of the file"
        problems.append(Problem(file, root.line, root.column, "", message, 'write "key: value" lines'))
        return None
    return root


def parse_yaml(text: str, file: str, problems: list[Problem]) -> Node | None:
    """The root node of a YAML text, or None if it is broken; an empty text is a node with empty text."""
    builder = _Builder(file, problems)
    collecting = gc.isenabled()
    gc.disable()  # tens of thousands of small objects and no cycles: the collector would only walk them again and again
    try:
        loader = _LOADER(text)  # the events straight from it: `yaml.parse` looks at each of them twice
        return builder.build(iter(loader.get_event, None))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        problems.append(Problem(file, line, column, "", f"not valid YAML: {error.problem}", _SYNTAX_HINT))
    except yaml.YAMLError:
        problems.append(_control_character(text, file))
    finally:
        if collecting:
            gc.enable()
    return None


def _control_character(text: str, file: str) -> Problem:
    """The parser refuses the text before it reads it: name the character, which it does not place by line."""
    match = _UNREADABLE.search(text)
    offset = match.start() if match else 0
    line, column = text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
    name = f"the control character U+{ord(text[offset]):04X}" if match else "a character that YAML does not allow"
    return Problem(file, line, column, "", f"not valid YAML: it holds {name}", "remove the character")


class _Builder:
    """Builds nodes from parser events without recursion, so that no depth of nesting can exhaust the stack.

    Events are Any: their type stubs leave out attributes that the parser sets on each.
    """

    def __init__(self, file: str, problems: list[Problem]) -> None:
        self.file = file
        self.problems = problems
        self.root: Node | None = None
        self.open: list[Node] = []  # the containers around the next node
        self.pending: list[tuple[str, int, int] | None] = []  # for each: the key that waits for its value

    def build(self, events: Iterator[Any]) -> Node | None:
        """The root of the first document; a second document in the same file is a problem."""
        open_ = self.open
        scalar, start = yaml.ScalarEvent, yaml.CollectionStartEvent
        for event in events:
            if isinstance(event, scalar):
                self._scalar(event)
            elif isinstance(event, start):
                open_.append(self._place(event, {} if isinstance(event, yaml.MappingStartEvent) else []))
                self.pending.append(None)
                if len(open_) > MAX_DEPTH:
                    self._report(event, f"nested more than {MAX_DEPTH} deep", "flatten it")
                    return None
            elif isinstance(event, yaml.CollectionEndEvent):
                open_.pop()
                self.pending.pop()
            elif isinstance(event, yaml.AliasEvent):
                self._report(event, f"the alias *{event.anchor} is not followed", "write the value out")
                self._place(event, None)
            elif isinstance(event, yaml.DocumentStartEvent) and self.root is not None:
                self._report(event, "a second YAML document in one file", 'move it to a file of its own, without "---"')
                return self.root
        return self.root or Node("", 1, 1)

    def _scalar(self, event: Any) -> None:
        """A scalar is the next key of the mapping that is open, or a value."""
        if not self.open or self.pending[-1] is not None or type(self.open[-1].value) is not dict:
            self._place(event, event.value)
            return
        if event.anchor or event.tag:
            self._refuse_decoration(event)
        mark = event.start_mark
        self.pending[-1] = (event.value, mark.line + 1, mark.column + 1)

    def _place(self, event: Any, value: str | list[Node] | dict[str, Node] | None) -> Node:
        """A new node in the container that is open, under the key that waits if that is a mapping."""
        mark = event.start_mark
        node = Node(value, mark.line + 1, mark.column + 1)
        if value is not None and (event.anchor or event.tag):
            self._refuse_decoration(event)
        if not self.open:
            self.root = node
            return node
        parent = self.open[-1]
        children = parent.value
        if isinstance(children, list):
            children.append(node)
        elif isinstance(children, dict):
            key = self.pending[-1]
            if key is None:
                if value is not None:  # an alias has been reported already
                    self._report(event, "a key must be text", "write a word before the colon")
                self.pending[-1] = _NO_KEY
            else:
                self.pending[-1] = None
                self._add(parent, children, key, node)
        return node

    def _add(self, parent: Node, children: dict[str, Node], key: tuple[str, int, int], node: Node) -> None:
        name, line, column = key
        if name == "<<":
            if node.value is not None:  # an alias has been reported already
                message = "the merge key << is not followed"
                self.problems.append(Problem(self.file, line, column, "", message, "write the keys out"))
        elif name in children:
            first = parent.keys[name]
            message = f"the key {quoted(name)} is given twice, first in line {first[0]}"
            self.problems.append(Problem(self.file, line, column, "", message, "keep one of them"))
        elif key is not _NO_KEY:
            children[name] = node
            parent.keys[name] = (line, column)

    def _refuse_decoration(self, event: Any) -> None:
        """Anchors and tags change what the text means elsewhere; the registry is to be read as it stands."""
        if event.anchor:
            self._report(event, f"the anchor &{event.anchor} is not allowed", "write the value out where it is needed")
        if getattr(event, "tag", None):
            self._report(event, f"the tag {event.tag} is not allowed", "every value is text: write it without a tag")

    def _report(self, event: Any, message: str, hint: str) -> None:
        mark = event.start_mark
        self.problems.append(Problem(self.file, mark.line + 1, mark.column + 1, "", message, hint))
