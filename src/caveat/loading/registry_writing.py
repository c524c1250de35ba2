"""A change to a file of the registry by which nothing else in it changes: comments, order and quotes stay."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import ScalarNode
from ruamel.yaml.resolver import VersionedResolver

from caveat.loading.problems import Problem
from caveat.loading.yaml_text import parse_yaml

_DASH = re.compile(r"^( *)- ", re.MULTILINE)
_WIDTH = 120  # a line is broken only if it is longer, and longer than every line that there was


class RewritingError(Exception):
    """A file that cannot be written back with a change and nothing else; the text says why."""


class _AllText(VersionedResolver):
    """Every scalar is text, as it is for the loader: a date needs no quotes, and 4.10 stays what was typed."""

    def resolve(self, kind: Any, value: Any, implicit: Any) -> Any:
        if kind is ScalarNode and implicit[0]:
            return self.DEFAULT_SCALAR_TAG
        return super().resolve(kind, value, implicit)


def rewritten(text: str, change: Callable[[Any], None]) -> str:
    """A YAML file with a change. `change` is given its root as ruamel.yaml's mapping, and changes it in place.

    Raises RewritingError if the file could not be read again as what it was, but for the change.
    """
    yaml = YAML()
    yaml.Resolver = _AllText
    yaml.preserve_quotes = True
    yaml.width = max(_WIDTH, *map(len, text.splitlines()))
    first = _DASH.search(text)
    offset = len(first[1]) if first else 2
    yaml.indent(mapping=2, sequence=offset + 2, offset=offset)
    try:
        root = yaml.load(text)
        change(root)
        stream = io.StringIO(newline="")
        yaml.dump(root, stream)
    except YAMLError as error:
        raise RewritingError(str(error).partition("\n")[0]) from error
    after = stream.getvalue()
    expected = _plain(text)
    change(expected)
    if _plain(after) != expected:
        raise RewritingError("it holds what cannot be written back as it is")
    return after.replace("\n", "\r\n") if "\r\n" in text else after


def _plain(text: str) -> Any:
    """What Caveat reads in a file."""
    problems: list[Problem] = []
    root = parse_yaml(text, "", problems)
    if root is None or problems:
        raise RewritingError(problems[0].message if problems else "it cannot be read")
    return root.plain()
