"""The registry as git has it in a commit, and as it is now, with its derivations that do not work out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from caveat import data
from caveat.checks import CHECK_NAMES
from caveat.data import is_yaml
from caveat.loading.compile import compile_desk, read_rules
from caveat.loading.problems import Problem, in_order
from caveat.loading.registry_checks import recomputed_otherwise
from caveat.loading.registry_files import Records
from caveat.loading.registry_loading import load_registry
from caveat.outcome import DeskError, UserError
from caveat.registry.registry import Registry
from caveat.rulebook.rules import build_rules
from caveat.running.desk import Desk
from caveat.running.git import Repository, find_repository
from caveat.running.settings import own_folders
from caveat.upkeep.derivation import Derivations

_FILE = b"100"  # how the mode of a file begins; links and modules are no part of a registry


class Edition(NamedTuple):
    """A registry at one time, at a desk. `failing` has the derived claims whose value their expression does not give.

    `problems` are all other faults; what is faulty is not at the desk.
    """

    records: Records
    desk: Desk
    failing: dict[str, Problem]
    problems: list[Problem]
    derivations: Derivations


class Rules:
    """The rules of folders, read once for all editions. Raises DeskError for faults in them."""

    __slots__ = ("known_vocabulary", "rulebook")

    def __init__(self, folders: Sequence[str]) -> None:
        problems: list[Problem] = []
        self.rulebook, self.known_vocabulary = read_rules(folders, CHECK_NAMES, problems)
        if problems:
            raise DeskError("\n".join(map(str, in_order(problems))))


def read_edition(claims: Sequence[str], rules: Rules, shown: Mapping[str, str] | None = None) -> Edition:
    """The registry of folders as it is on disk. `shown` gives names to folders that are not to be shown as they are."""
    problems: list[Problem] = []
    records, vocabulary = load_registry(
        claims, data.vocabulary_file(), problems, rules.rulebook["qualifiers"], rules.known_vocabulary
    )
    failing = {id_: found for id_ in records.claims if (found := recomputed_otherwise(id_, records)) is not None}
    known = set(failing.values())
    others = [problem for problem in in_order(problems) if problem not in known]
    for folder, name in (shown or {}).items():
        _rename(records, folder, name)
        others = [Problem(*(_renamed(part, folder, name) for part in problem)) for problem in others]
    if others:
        _leave_out_what_leads_nowhere(records)
    compiled = compile_desk(records, rules.rulebook, vocabulary)
    registry = Registry(compiled)
    return Edition(records, Desk(registry, build_rules(compiled)), failing, others, Derivations(registry))


def _leave_out_what_leads_nowhere(records: Records) -> None:
    """Take away the entries of records that refer to what is not there or faulty: no desk can hold them."""
    vendors = {id_ for id_, vendor in records.vendors.items() if vendor.entry}
    products = set(records.products)
    while True:
        for id_, product in records.products.items():
            if product.entry and not (product.entry.vendor in vendors and products.issuperset(product.entry.contains)):
                records.products[id_] = product._replace(entry=None)
        sound = {id_ for id_, product in records.products.items() if product.entry}
        if sound == products:
            break
        products = sound
    sources = {id_ for id_, source in records.sources.items() if source.entry}
    for id_, claim in records.claims.items():
        if claim.entry and not (claim.entry.product in products and claim.entry.source in sources):
            records.claims[id_] = claim._replace(entry=None)


def _rename(records: Records, folder: str, name: str) -> None:
    for kind in (records.vendors, records.products, records.sources, records.claims):
        by_id: dict[str, Any] = kind
        for id_, placed in by_id.items():
            by_id[id_] = placed._replace(file=_renamed(placed.file, folder, name))
    records.vocabularies = [(_renamed(file, folder, name), node) for file, node in records.vocabularies]


def _renamed(part: Any, folder: str, name: str) -> Any:
    return part.replace(f"{folder}/", f"{name}/") if isinstance(part, str) else part


class Past:
    """The registry folders of a commit, in a temporary folder; those outside of a repository as they are."""

    def __init__(self, folders: Sequence[str], base: str, asked_by: str) -> None:
        """Raises UserError if git does not know the commit, or has none of the folders in it."""
        self._base = base
        self._kept = TemporaryDirectory(prefix="caveat-")
        self.folders: list[str] = []
        self.shown: dict[str, str] = {}
        self.commit = ""
        try:
            self._take(folders, asked_by)
        except BaseException:
            self.close()
            raise

    def _take(self, folders: Sequence[str], asked_by: str) -> None:
        own = own_folders(folders)
        missing = [folder for folder in folders if not os.path.isdir(folder)]
        if missing:
            raise UserError(f"{asked_by}: no such folder: {', '.join(missing)}")
        for folder in folders:
            repository = _repository(folder, asked_by) if folder in own else None
            self.folders.append(self._copy(repository, folder) if repository else folder)
        if not self.commit:
            raise UserError(f"{asked_by}: the registry is in no repository of git: {', '.join(own)}")

    def _copy(self, repository: Repository, folder: str) -> str:
        """What a folder was in the commit, in a folder of its own."""
        if not repository.has_commits():
            raise UserError(f"{repository.asked_by}: the repository {repository.root} has no commit yet")
        self.commit = repository.commit(self._base)
        copy = os.path.join(self._kept.name, str(len(self.folders)))
        os.mkdir(copy)
        for name, content in _files(repository, self.commit, folder, self._base):
            with open(os.path.join(copy, name), "wb") as file:
                file.write(content)
        self.shown[copy] = f"{self._base}:{folder}"
        return copy

    def close(self) -> None:
        """Remove the temporary folder."""
        self._kept.cleanup()


def _repository(folder: str, asked_by: str) -> Repository | None:
    """The repository that a folder is in, None if it is in none."""
    at = os.path.realpath(folder)
    while not os.path.exists(os.path.join(at, ".git")):
        above = os.path.dirname(at)
        if above == at:
            return None
        at = above
    return find_repository(folder, asked_by)


def _files(repository: Repository, commit: str, folder: str, base: str) -> Iterable[tuple[str, bytes]]:
    """The YAML files that a folder had directly in it in a commit."""
    inside = repository.from_root(os.path.realpath(folder))
    tree = f"{commit}:{'' if inside == '.' else inside}"
    if repository.run("cat-file", "-e", tree).returncode:
        raise UserError(f"{repository.asked_by} {base}: there was no folder {folder} in it")
    for entry in repository.ask("ls-tree", "-z", tree).split(b"\0"):
        about, _, name = entry.partition(b"\t")
        if about.startswith(_FILE) and is_yaml(os.fsdecode(name)):
            yield os.fsdecode(name), repository.ask("cat-file", "blob", about.split()[2].decode("ascii"))
