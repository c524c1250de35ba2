"""New records as YAML in the format of the house, by themselves or added to a registry file.

What a file holds is not written anew: ruamel.yaml finds where its sections end and writes the records that are put in
there, so that every other byte stays, and with them all comments, the order and the way the lines are broken.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Mapping
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import YAMLError

from caveat.data import is_yaml
from caveat.harvesting.entries import Record, records, remarks
from caveat.harvesting.harvest import Harvest
from caveat.harvesting.proposals import NEW
from caveat.loading.problems import Problem
from caveat.loading.yaml_text import read_yaml
from caveat.outcome import UserError

SECTIONS = ("vendors", "products", "sources", "claims")
# A record whose line would be longer is written with a line a field.
_LINE = 120
_NEVER = 1_000_000  # as the width that ruamel.yaml breaks lines at
_FLOW_IN_CLAIMS = ("basis", "compare")
_EMPTY = re.compile(r":[ \t]*(\{\s*\}|\[\s*\])")
_BLANK_OR_NOTE = re.compile(r"[ \t]*(#.*)?\r?\n?\Z")

_BY_HAND = "nothing can be added to this file as it is written; leave --write out, and add by hand what is printed"

Sections = Mapping[str, Mapping[str, Record]]


class Added:
    """What `add_to_file` is to write: the text of the whole file, and the ids that it adds by section."""

    __slots__ = ("ids", "text")

    def __init__(self, text: str, ids: dict[str, list[str]]) -> None:
        self.text = text
        self.ids = ids


def as_yaml(harvest: Harvest, shown: Callable[[str], str]) -> str:
    """The new records of a harvest as the text of a registry file."""
    return "\n".join(
        f"{section}:\n{text}" for section, text in _bodies(records(harvest), _notes(harvest, shown), {}).items()
    )


def add_to_file(harvest: Harvest, path: str, shown: Callable[[str], str]) -> Added:
    """The text of the registry file at a path with the new records, those left out that it has under the same id.

    Raises UserError for a file that is no registry file, or whose sections are not lines of their own.
    """
    if not is_yaml(path):
        raise UserError(f"--write {path}: a registry file has a name that ends in .yaml or .yml")
    text = _text_of(path)
    root = _loaded(text, path)
    new = _not_there(records(harvest), root)
    ids = {section: list(entries) for section, entries in new.items() if entries}
    if not ids:
        return Added(text, ids)
    bodies = _bodies(new, _notes(harvest, shown), {section: _indent(root, section) for section in SECTIONS})
    return Added(_checked(_spliced(text, root, bodies), root, ids, path), ids)


def _text_of(path: str) -> str:
    """The text of a file, with its line ends; "" for one that is not there. Raises UserError if it cannot be read."""
    if not os.path.lexists(path):
        return ""
    problems: list[Problem] = []
    read_yaml(path, problems)
    if problems:
        raise UserError("\n".join(f"--write {problem}" for problem in problems))
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def _loaded(text: str, path: str) -> CommentedMap:
    try:
        root = YAML().load(text)
    except YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f":{mark.line + 1}:{mark.column + 1}" if mark is not None else ""
        raise UserError(f"--write {path}{place}: nothing can be added to a file that is written so") from error
    if root is None:
        return CommentedMap()
    if not isinstance(root, CommentedMap) or root.fa.flow_style():
        raise UserError(f"--write {path}: a registry file holds sections (vendors, products, sources, claims) as lines")
    for section in SECTIONS:
        wanted = CommentedSeq if section == "claims" else CommentedMap
        held = root.get(section)
        if held and (not isinstance(held, wanted) or held.fa.flow_style()):
            line = root.lc.key(section)[0] + 1
            raise UserError(f"--write {path}:{line}: {section} is not written as lines, so nothing can be added to it")
    return root


def _not_there(new: Sections, root: CommentedMap) -> dict[str, dict[str, Record]]:
    """The records that a file does not have: by their id, and a claim also by what it says."""
    claims = [claim for claim in root.get("claims") or [] if isinstance(claim, dict)]
    said = {_what_it_says(claim) for claim in claims}
    known = {section: set(root.get(section) or ()) for section in ("vendors", "products", "sources")}
    known["claims"] = {str(claim.get("id")) for claim in claims}
    return {
        section: {
            id_: record
            for id_, record in entries.items()
            if id_ not in known[section] and not (section == "claims" and _what_it_says(record) in said)
        }
        for section, entries in new.items()
    }


def _what_it_says(claim: Mapping[str, Any]) -> tuple[str, ...]:
    """What makes a claim another than its neighbours, whatever its id is and whoever has filled it in since."""
    basis, compared = claim.get("basis"), claim.get("compare")
    told = sorted(f"{name}={value}" for name, value in basis.items()) if isinstance(basis, dict) else []
    to = str(compared.get("to")) if isinstance(compared, dict) else ""
    return (*(str(claim.get(key)) for key in ("product", "metric", "value", "qualifier")), to, *told)


def _notes(harvest: Harvest, shown: Callable[[str], str]) -> dict[str, list[str]]:
    return {proposal.id: remarks(proposal, shown) for proposal in harvest.of_state(NEW)}


def _indent(root: CommentedMap, section: str) -> int:
    """How far the records of a section are set in; two columns, if it has none."""
    held = root.get(section)
    if isinstance(held, CommentedMap) and held:
        return int(held.lc.key(next(iter(held)))[1])
    if isinstance(held, CommentedSeq) and held:
        return max(int(held.lc.item(0)[1]) - 2, 0)
    return 2


def _bodies(new: Sections, notes: Mapping[str, list[str]], indents: Mapping[str, int]) -> dict[str, str]:
    """The lines of the new records of each section that has any."""
    bodies: dict[str, str] = {}
    for section, entries in new.items():
        indent = " " * indents.get(section, 2)
        lines = [
            f"{indent}{line}\n" if line else "\n"
            for id_, record in entries.items()
            for line in (_claim_lines(record, notes[id_]) if section == "claims" else _record_lines(id_, record))
        ]
        if lines:
            bodies[section] = "".join(lines)
    return bodies


def _record_lines(id_: str, record: Record) -> list[str]:
    """A vendor, product or source on one line, or on a line for each field if that is too long."""
    short = _dumped({id_: _flowing(record)})
    if len(short[0]) <= _LINE - 2 and len(short) == 1:
        return short
    return _dumped({id_: {key: _flowing(value) for key, value in record.items()}})


def _claim_lines(record: Record, notes: list[str]) -> list[str]:
    """A claim, with its comments above it."""
    fields = {key: _flowing(value) if key in _FLOW_IN_CLAIMS else value for key, value in record.items()}
    first, *others = _dumped(fields)
    return [*(f"# {note}" for note in notes), f"- {first}", *(f"  {line}" for line in others)]


def _flowing(value: Any) -> Any:
    """A value that is written on one line: {precision: FP8, scope: chip}."""
    if isinstance(value, dict):
        flowing = CommentedMap((key, _flowing(inner)) for key, inner in value.items())
        flowing.fa.set_flow_style()
        return flowing
    if isinstance(value, list):
        listed = CommentedSeq(value)
        listed.fa.set_flow_style()
        return listed
    return value


def _dumped(value: Any) -> list[str]:
    """The lines of a value as ruamel.yaml writes it."""
    yaml = YAML()
    yaml.width = _NEVER
    written = io.StringIO()
    yaml.dump(CommentedMap(value), written)
    return written.getvalue().splitlines()


def _spliced(text: str, root: CommentedMap, bodies: Mapping[str, str]) -> str:
    """The text with the new lines at the ends of its sections; what has no section yet comes at the end."""
    ends = "\r\n" if "\r\n" in text else "\n"
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += ends
    starts = sorted(root.lc.key(key)[0] for key in root)
    closing = [len(lines) if not re.match(r"\.\.\.\s*\Z", lines[-1]) else len(lines) - 1] if lines else [0]
    put_in: list[tuple[int, str]] = []
    behind = ""
    for section, body in bodies.items():
        if section not in root:
            behind += f"{'' if not lines and not behind else ends}{section}:{ends}{body.replace(chr(10), ends)}"
            continue
        start = root.lc.key(section)[0]
        if not root[section] and root[section] is not None:  # {} or []
            lines[start] = _EMPTY.sub(":", lines[start], count=1)
        stop = next((line for line in starts if line > start), closing[0])
        while stop > start + 1 and _BLANK_OR_NOTE.match(lines[stop - 1]) and not _belongs(lines[stop - 1]):
            stop -= 1
        put_in.append((stop, body.replace("\n", ends)))
    for at, body in sorted(put_in, reverse=True):
        lines.insert(at, body)
    lines.insert(closing[0] + len(put_in), behind)
    return "".join(lines)


def _belongs(line: str) -> bool:
    """Whether a comment is set in, so that it stands with the records above it."""
    return line[:1] in " \t" and "#" in line


def _checked(text: str, before: CommentedMap, ids: Mapping[str, list[str]], path: str) -> str:
    """The text, if it holds all that was there before and the new records; else UserError, and nothing is written."""
    try:
        after = _loaded(text, path)
    except UserError:
        raise UserError(f"--write {path}: {_BY_HAND}") from None
    for key, held in before.items():
        kept = after.get(key)
        if key not in ids or not held:
            same = key in ids or kept == held
        elif key == "claims":
            same = list(kept)[: len(held)] == list(held)
        else:
            same = all(kept.get(id_) == record for id_, record in held.items())
        if not same:
            raise UserError(f"--write {path}: {_BY_HAND}")
    return text
