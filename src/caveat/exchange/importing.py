"""`caveat claims import`: the records of a table into a registry file, checked with the registry that it joins."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, NamedTuple

from caveat import data
from caveat.checks import CHECK_NAMES
from caveat.command import Run
from caveat.exchange.contents import MODELS, VOCABULARY
from caveat.exchange.table_reading import Row, Table, placed_node, read_table
from caveat.loading.compile import read_rules
from caveat.loading.problems import Problem, in_order
from caveat.loading.record_writing import add_record, keeps_comments, styled
from caveat.loading.registry_files import VOCABULARY_FILE, collect_records, read_folder
from caveat.loading.registry_loading import check_records
from caveat.loading.registry_writing import RewritingError, rewritten
from caveat.loading.yaml_text import Node, read_yaml
from caveat.outcome import DeskError, UserError
from caveat.report.text import counted
from caveat.running.files import shown_path
from caveat.streams import save_report

_PLAN = "<import>"


class Imported(NamedTuple):
    """What an import does to a registry file: the ids of records by what becomes of them, and its text afterwards."""

    added: list[str]
    changed: list[str]
    same: list[str]
    text: str


class _Target:
    """The registry file that is written: its path, how messages call it, its text and what that holds."""

    def __init__(self, path: str) -> None:
        """Raises UserError if the registry would not read such a file, DeskError if it cannot be read."""
        self.path = path
        self.shown = shown_path(path) if path else _PLAN
        self.text = ""
        self.root = Node({}, 1, 1)
        if path:
            self._refuse_other_files()
        if path and os.path.exists(path):
            problems: list[Problem] = []
            root = read_yaml(path, problems)
            if root is None or problems:
                raise DeskError("\n".join(map(str, problems)))
            self.root = root
            with open(path, encoding="utf-8-sig", newline="") as file:
                self.text = file.read()
        self.records = dict(_records(self.root))

    def _refuse_other_files(self) -> None:
        name = os.path.basename(self.path)
        if not data.is_yaml(name):
            raise UserError(f"--write {self.path}: a registry is read from .yaml and .yml files; name one")
        if name == VOCABULARY_FILE:
            raise UserError(f"--write {self.path}: a file of this name is a vocabulary as a whole; name another")
        if os.path.isdir(self.path):
            raise UserError(f"--write {self.path}: this is a folder; name a file in it")


def _records(root: Node) -> Iterator[tuple[tuple[str, str], Node]]:
    """The records of a file by section and id."""
    for section in MODELS:
        node = root.child(section)
        if node is not None and isinstance(node.value, dict):
            yield from (((section, id_), each) for id_, each in node.value.items())
        elif node is not None:
            yield from (((section, _text_of(each.child("id"))), each) for each in _items(node))


def import_table(run: Run, table_path: str, target_path: str) -> Imported:
    """Read a table and put its records into the file at `target_path`; "" for none, and nothing is written.

    A record whose id the file has gets what the columns of the table say; all others are added, and none is removed.
    Raises UserError with every fault of the table, with its row and column; then nothing is written either.
    """
    target = _Target(target_path)
    table = read_table(table_path, shown_path(table_path))
    merged = {(row.section, row.id): _merged(row, target.records.get((row.section, row.id))) for row in table.rows}
    _check(run, table, target, merged)
    imported = _write(table, target, merged)
    if target_path and (imported.added or imported.changed):
        save_report(imported.text, target_path, "--write")
    return imported


def _merged(row: Row, known: Node | None) -> Node:
    """The record of a row with what the file has of it in the fields that the table lacks."""
    node = Node({}, row.number, 0)
    assert isinstance(node.value, dict)
    old = known.value if known is not None and isinstance(known.value, dict) else {}
    new = row.node.value
    assert isinstance(new, dict)
    for name, child in old.items():
        if name in new or name not in row.fields:
            node.value[name] = new.get(name) or placed_node(child.plain(), row.number, 0)
            node.keys[name] = row.node.keys.get(name, (row.number, 0))
    for name, child in new.items():
        if name not in node.value:
            node.value[name] = child
            node.keys[name] = row.node.keys[name]
    return node


def _check(run: Run, table: Table, target: _Target, merged: dict[tuple[str, str], Node]) -> None:
    """Raises UserError unless the records hold together with the registry that they join."""
    problems = list(table.problems)
    if not problems:
        qualifiers_from, known = read_rules([data.rules_folder()], CHECK_NAMES, problems)
        roots = [*_others(run, target, problems), (target.shown, _without(target, table, merged))]
        records = collect_records([*roots, (table.file, _root(table, merged))], problems)
        check_records(records, data.vocabulary_file(), problems, qualifiers_from["qualifiers"], known)
    if problems:
        lines = [
            table.told(problem) for problem in sorted(in_order(problems), key=lambda each: each.file != table.file)
        ]
        faults = counted(len(lines), "fault")
        alone = "" if _joins(run, target) else f"; {target.shown} is in no folder of the registry: --claims names one"
        raise UserError("\n".join([*lines, f"{faults}; nothing was written{alone}"]))


def _others(run: Run, target: _Target, problems: list[Problem]) -> Iterator[tuple[str, Node]]:
    """The other files of the registry that the target joins."""
    path = os.path.realpath(target.path) if target.path else ""
    for folder in run.settings.of_folder(".").claims if _joins(run, target) else ():
        files = data.yaml_files(folder)
        if files and all(os.path.realpath(file) == path for file in files):
            continue
        for file, root in read_folder(folder, problems):
            if os.path.realpath(file) != path:
                yield file, root


def _joins(run: Run, target: _Target) -> bool:
    """Whether the target is checked with the registry: one that is asked for, or that it lies in; or it is no file."""
    if not target.path or run.options.claims:
        return True
    path = os.path.realpath(target.path)
    folders = run.settings.of_folder(".").claims
    return any(path.startswith(os.path.join(os.path.realpath(folder), "")) for folder in folders)


def _without(target: _Target, table: Table, merged: dict[tuple[str, str], Node]) -> Node:
    """What the file has beside the records of the table."""
    root = Node({}, 1, 1)
    assert isinstance(root.value, dict)
    root.keys = dict(target.root.keys)
    sections = target.root.value if isinstance(target.root.value, dict) else {}
    for section, node in sections.items():
        if section == VOCABULARY and table.vocabulary is not None:
            continue
        rest = Node(node.value, node.line, node.column)
        rest.keys = node.keys
        if isinstance(node.value, list):
            rest.value = [each for each in node.value if (section, _text_of(each.child("id"))) not in merged]
        elif isinstance(node.value, dict) and section in MODELS:
            rest.value = {id_: each for id_, each in node.value.items() if (section, id_) not in merged}
        root.value[section] = rest
    return root


def _root(table: Table, merged: dict[tuple[str, str], Node]) -> Node:
    """The records of the table as the sections of a file."""
    sections: dict[str, Node] = {}
    root = Node(sections, 1, 0)
    ids = {(row.section, row.id): (row.number, table.header.index("id") + 1) for row in table.rows}
    for (section, id_), node in merged.items():
        root.keys.setdefault(section, (1, 0))
        if section == "claims":
            into = sections.setdefault(section, Node([], 1, 0))
            _items(into).append(node)
        else:
            into = sections.setdefault(section, Node({}, 1, 0))
            assert isinstance(into.value, dict)
            into.value[id_] = node
            into.keys[id_] = ids[section, id_]
    if table.vocabulary is not None:
        sections[VOCABULARY] = table.vocabulary
        root.keys[VOCABULARY] = (table.vocabulary.line, table.vocabulary.column)
    return root


def _write(table: Table, target: _Target, merged: dict[tuple[str, str], Node]) -> Imported:
    """The text of the file with the records in it, proven to hold what it should."""
    done = Imported([], [], [], target.text)
    puts: list[tuple[str, str, Any, Any]] = []
    for section in MODELS:
        for (of, id_), node in merged.items():
            if of == section:
                old = target.records.get((section, id_))
                kind = done.added if old is None else done.same if old.plain() == node.plain() else done.changed
                kind.append(id_)
                puts.append((section, id_, None if old is None else old.plain(), node.plain()))
    words = table.vocabulary.plain() if table.vocabulary is not None else None
    if words is not None:
        known = target.root.child(VOCABULARY)
        kind = done.added if known is None else done.same if known.plain() == words else done.changed
        kind.append(VOCABULARY)
    if not (done.added or done.changed):
        return done
    text = target.text
    if not target.root.value:  # ruamel.yaml wants a mapping to keep comments with
        text = f"{text.rstrip()}\n\n".lstrip() + f"{puts[0][0] if puts else VOCABULARY}:\n"

    def change(root: Any) -> None:
        put = _put if keeps_comments(root) else _put_plain
        claims = {str(each.get("id")): each for each in root.get("claims") or []}
        for section, id_, old, new in puts:
            put(root, section, id_, claims.get(id_) if section == "claims" else None, old, new)
        if words is not None and VOCABULARY not in done.same:
            root[VOCABULARY] = styled(words) if keeps_comments(root) else words

    try:
        return done._replace(text=rewritten(text, change))
    except RewritingError as error:
        raise UserError(f"{target.shown}: {error}; nothing was written") from error


def _put(root: Any, section: str, id_: str, claim: Any, old: Any, new: Any) -> None:
    """Write a record into a file's mapping; what does not change stays as it is spelt. `claim` has this id."""
    if old is None:
        add_record(root, section, id_, new)
        return
    record = root[section][id_] if claim is None else claim
    for name in [name for name in record if name not in new]:
        del record[name]
    for name, value in new.items():
        if old.get(name) != value:
            record[name] = styled(value, room=len(name) + 6)


def _put_plain(root: Any, section: str, id_: str, claim: Any, _: Any, new: Any) -> None:
    """The same, to say what the file should hold."""
    if not root.get(section):
        root[section] = [] if section == "claims" else {}
    if section != "claims":
        root[section][id_] = new
    elif claim is None:
        root[section].append(new)
    else:
        claim.clear()
        claim.update(new)


def _items(node: Node) -> list[Node]:
    return node.value if isinstance(node.value, list) else []


def _text_of(node: Node | None) -> str:
    return node.value if node is not None and isinstance(node.value, str) else ""
