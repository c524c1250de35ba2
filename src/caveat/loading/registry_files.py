"""The registry of its folders: all YAML files merged into one set of records, with every fault of every file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from caveat import data
from caveat.data import yaml_files
from caveat.figures.figure import Figure
from caveat.loading.problems import Problem, quoted, suggest
from caveat.loading.registry_schema import ClaimEntry, ProductEntry, SourceEntry, VendorEntry
from caveat.loading.validation import Model, Placed, check_id, validate
from caveat.loading.yaml_text import Node, read_yaml

# A file of this name is a vocabulary as a whole; in any other it is the section `vocabulary`.
VOCABULARY_FILE = "vocabulary.yaml"
SECTIONS = ("vendors", "products", "sources", "claims", "vocabulary")


class Records:
    """All records of a registry by id, faulty ones included, and the figures of its claims.

    `vocabularies` holds what the files add to the vocabulary, each with the name of its file.
    """

    def __init__(self) -> None:
        self.vendors: dict[str, Placed[VendorEntry]] = {}
        self.products: dict[str, Placed[ProductEntry]] = {}
        self.sources: dict[str, Placed[SourceEntry]] = {}
        self.claims: dict[str, Placed[ClaimEntry]] = {}
        self.vocabularies: list[tuple[str, Node]] = []
        self.figures: dict[str, Figure] = {}


def read_records(folders: Sequence[str], problems: list[Problem]) -> Records:
    """The records of folders, each valid by itself or reported; references between them are not looked at.

    An id stands for one record in all folders together: were a later one to take the place of an earlier, a slip in a
    name would change what another folder says, and nobody would notice.
    """
    return collect_records((each for folder in folders for each in read_folder(folder, problems)), problems)


def collect_records(files: Iterable[tuple[str, Node]], problems: list[Problem]) -> Records:
    """The records of files, given by name and root, as `read_records` has them."""
    records = Records()
    unnamed: list[Placed[ClaimEntry]] = []
    for file, root in files:
        if os.path.basename(file) == VOCABULARY_FILE:
            records.vocabularies.append((file, root))
            continue
        for section, node in _sections(file, root, problems):
            if section == "claims":
                _collect_claims(file, node, records.claims, unnamed, problems)
            elif section == "vendors":
                _collect(file, node, "vendor", records.vendors, problems)
            elif section == "products":
                _collect(file, node, "product", records.products, problems)
            elif section == "sources":
                _collect(file, node, "source", records.sources, problems)
            else:
                records.vocabularies.append((file, node))
    _validate_all(records, unnamed, problems)
    return records


def read_folder(folder: str, problems: list[Problem]) -> Iterator[tuple[str, Node]]:
    """The root of each file of the folder that can be read."""
    hint = "give the folder that holds the registry's YAML files"
    if not os.path.isdir(folder):
        found = "is a file, not a folder" if os.path.exists(folder) else f"no such folder: {os.path.abspath(folder)}"
        problems.append(Problem(folder, 0, 0, "registry", found, f"{hint}, or let `caveat init` write one"))
        return
    files = yaml_files(folder)
    if not files:
        problems.append(Problem(folder, 0, 0, "registry", "no YAML file in this folder", hint))
    for file in files:
        root = read_yaml(file, problems)
        if root is not None:
            yield file, root


def _sections(file: str, root: Node, problems: list[Problem]) -> Iterator[tuple[str, Node]]:
    """The known sections of a file that hold anything; a section without content is empty, not wrong."""
    sections = root.value if isinstance(root.value, dict) else {}
    for section, node in sections.items():
        if section not in SECTIONS:
            line, column = root.keys[section]
            message = f"unknown section {quoted(section)}"
            problems.append(Problem(file, line, column, "", message, suggest(section, SECTIONS)))
            continue
        if node.value == "" or node.value is None:
            continue
        wanted, example = (list, "- id: ...") if section == "claims" else (dict, "id: {...}")
        if not isinstance(node.value, wanted):
            message = f"a {'list' if section == 'claims' else 'mapping'} is expected"
            problems.append(Problem(file, node.line, node.column, section, message, f'write "{example}" lines'))
            continue
        yield section, node


def _collect(file: str, section: Node, kind: str, known: dict[str, Placed[Model]], problems: list[Problem]) -> None:
    """The records of a section that maps ids to records."""
    assert isinstance(section.value, dict)
    for id_, node in section.value.items():
        line, column = section.keys[id_]
        placed: Placed[Model] = Placed(file, f"{kind} {quoted(id_)}", line, column, node, None)
        try:
            check_id(id_)
        except ValueError as error:
            message, _, hint = str(error).partition("; ")
            problems.append(Problem(file, line, column, kind, message, hint))
        _add(id_, placed, known, problems)


def _collect_claims(
    file: str,
    section: Node,
    known: dict[str, Placed[ClaimEntry]],
    unnamed: list[Placed[ClaimEntry]],
    problems: list[Problem],
) -> None:
    """The records of a list of claims; those without a usable id are kept apart, to be reported."""
    assert isinstance(section.value, list)
    for number, node in enumerate(section.value, start=1):
        record = node.value
        name = record["id"] if isinstance(record, dict) and "id" in record else None
        if name is not None and isinstance(name.value, str) and name.value:
            subject = f"claim {quoted(name.value)}"
            _add(name.value, Placed(file, subject, name.line, name.column, node, None), known, problems)
        else:
            unnamed.append(Placed(file, f"claim {number} of the file", node.line, node.column, node, None))


def _add(id_: str, placed: Placed[Model], known: dict[str, Placed[Model]], problems: list[Problem]) -> None:
    first = known.setdefault(id_, placed)
    if first is not placed:
        message = f"given twice, first in {first.place}"
        hint = "give one of them another id, or keep one"
        if os.path.abspath(first.file).startswith(os.path.join(data.claims_folder(), "")):
            hint = "the starter registry has it already: refer to that one, or give this one another id"
        problems.append(Problem(placed.file, placed.line, placed.column, placed.subject, message, hint))


def _validate_all(records: Records, unnamed: list[Placed[ClaimEntry]], problems: list[Problem]) -> None:
    """Every record checked against its model; a faulty one stays, without an entry, so that it can be referred to."""
    hints = {
        "vendor": _reference_hint("vendors", records.vendors),
        "product": _reference_hint("products", records.products),
        "source": _reference_hint("sources", records.sources),
    }
    for id_, vendor in records.vendors.items():
        records.vendors[id_] = validate(VendorEntry, vendor, problems, hints)
    for id_, product in records.products.items():
        records.products[id_] = validate(ProductEntry, product, problems, hints)
    for id_, source in records.sources.items():
        records.sources[id_] = validate(SourceEntry, source, problems, hints)
    for id_, claim in records.claims.items():
        records.claims[id_] = validate(ClaimEntry, claim, problems, hints)
    for claim in unnamed:
        validate(ClaimEntry, claim, problems, hints)


def _reference_hint(section: str, known: dict[str, Placed[Model]]) -> str:
    example = next(iter(known), "")
    return f"write the id of one of the {section}" + (f", for example {example}" if example else "")


def place_of_source(folders: Sequence[str], id_: str) -> tuple[str, int] | None:
    """The file and the line in which a source is recorded; None if it is not there any more."""
    for file in (file for folder in folders for file in yaml_files(folder)):
        with suppress(OSError):
            with open(file, "rb") as opened:
                if id_.encode() not in opened.read():  # far cheaper than parsing every file
                    continue
            root = read_yaml(file, [])
            sources = root.value.get("sources") if root is not None and isinstance(root.value, dict) else None
            if sources is not None and id_ in sources.keys:
                return file, sources.keys[id_][0]
    return None
