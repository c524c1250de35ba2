"""Records put into a registry file that ruamel.yaml has read, as the house writes them."""

from __future__ import annotations

from typing import Any

from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import CommentMark
from ruamel.yaml.scalarstring import SingleQuotedScalarString
from ruamel.yaml.tokens import CommentToken

_WIDTH = 120  # of a line; a mapping that is longer is written key by key


def keeps_comments(root: Any) -> bool:
    """Whether a mapping is one that ruamel.yaml has read, and no plain one."""
    return isinstance(root, CommentedMap)


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
