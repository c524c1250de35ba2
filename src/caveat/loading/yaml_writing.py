"""Registry files written again: what is changed is changed, comments, order and spelling of the rest stay."""

from __future__ import annotations

import io
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import CommentMark, YAMLError
from ruamel.yaml.nodes import ScalarNode
from ruamel.yaml.resolver import VersionedResolver
from ruamel.yaml.scalarstring import SingleQuotedScalarString
from ruamel.yaml.tokens import CommentToken

_WIDTH = 120  # of a line; a mapping that is longer is written key by key


class _AllText(VersionedResolver):
    """Every scalar is text, as for the loader: 4.10 stays what was typed."""

    def resolve(self, kind: Any, value: Any, implicit: Any) -> Any:
        if kind is ScalarNode and implicit[0]:
            return self.DEFAULT_SCALAR_TAG
        return super().resolve(kind, value, implicit)


def open_yaml(text: str) -> CommentedMap:
    """The mapping that a text holds, with its comments; a text that holds none is an empty one.

    Raises ValueError for a text that is no YAML.
    """
    try:
        root = _yaml().load(text)
    except YAMLError as error:
        raise ValueError(str(error).splitlines()[0]) from error
    return root if isinstance(root, CommentedMap) else CommentedMap()


def write_yaml(root: CommentedMap) -> str:
    """The mapping as text."""
    out = io.StringIO()
    _yaml().dump(root, out)
    return out.getvalue()


def styled(value: Any, *, room: int = 0) -> Any:
    """Plain text, lists and mappings as the house writes them: in braces if they fit on the rest of a line.

    `room` is what is taken of the line; 0 for a mapping that is written key by key.
    """
    if isinstance(value, dict):
        mapping = CommentedMap({key: styled(child, room=len(key) + 6) for key, child in value.items()})
        if room and room + _length(value) < _WIDTH:
            mapping.fa.set_flow_style()
        return mapping
    if isinstance(value, list):
        sequence = CommentedSeq([styled(child) for child in value])
        if room + _length(value) < _WIDTH:
            sequence.fa.set_flow_style()
        return sequence
    text = str(value)
    return text if text[:1].isalnum() else SingleQuotedScalarString(text)  # libyaml takes fewer texts without quotes


def _length(value: Any) -> int:
    """About how many characters a value takes on one line."""
    if isinstance(value, dict):
        return sum(len(key) + 4 + _length(child) for key, child in value.items())
    if isinstance(value, list):
        return 2 + sum(2 + _length(child) for child in value)
    return len(str(value))


def add_record(root: CommentedMap, section: str, id_: str, record: dict[str, Any]) -> None:
    """Add a record behind the others of a section: to the list of claims, or under its id in a mapping."""
    into = root.get(section)
    if not into:
        into = CommentedSeq() if section == "claims" else CommentedMap()
        if root and section not in root:
            root.ca.items[section] = [None, [_note("\n")], None, None]
        root[section] = into
    behind = _take_what_follows(into)
    if isinstance(into, CommentedSeq):
        into.append(styled(record))
    else:
        into[id_] = styled(record, room=len(id_) + 6)
    if behind:
        _put_before_next(root, section, behind)


def _take_what_follows(node: Any) -> str:
    """Blank lines and comments behind the last entry of a section, which ruamel.yaml takes for a part of it."""
    while isinstance(node, CommentedMap | CommentedSeq) and len(node):
        last = len(node) - 1 if isinstance(node, CommentedSeq) else next(reversed(node))
        notes = node.ca.items.get(last, [])
        for note in (each for each in notes if isinstance(each, CommentToken) and "\n" in each.value[:-1]):
            own, _, behind = note.value.partition("\n")
            note.value = f"{own}\n"
            return str(behind)
        node = node[last]
    return ""


def _put_before_next(root: CommentedMap, section: str, text: str) -> None:
    keys = list(root)
    at = keys.index(section) + 1
    note = _note(text)
    if at == len(keys):
        root.ca.comment = root.ca.comment or [None, None]  # without it, what is at the end is not written
        root.ca.end = [*(root.ca.end or ()), note]
        return
    notes = root.ca.items.setdefault(keys[at], [None, None, None, None])
    notes[1] = [note, *(notes[1] or ())]


def _note(text: str) -> CommentToken:
    return CommentToken(text, start_mark=CommentMark(0), end_mark=None)


def _yaml() -> YAML:
    yaml = YAML()
    yaml.Resolver = _AllText
    yaml.preserve_quotes = True
    yaml.width = _WIDTH
    yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml
