"""The desk that drafts are checked at: the registry and the rules, compiled when they change and kept until they do."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from caveat import data
from caveat.digest import digest
from caveat.outcome import DeskError, UserError
from caveat.running.cache import DESKS, Cache, code_state
from caveat.running.files import shown_path
from caveat.running.settings import DEFAULTS, Settings

if TYPE_CHECKING:
    from caveat.registry.registry import Registry
    from caveat.rulebook.rules import Rule


class Desk:
    """What drafts are checked against, and how far a source reaches in them.

    `rules` are those that run, `every_rule` all that there are: a suppression may name one that does not run.
    """

    __slots__ = ("citation_scope", "every_rule", "registry", "rules")

    def __init__(
        self,
        registry: Registry,
        rules: list[Rule],
        citation_scope: str = DEFAULTS["citation-scope"],
        every_rule: list[Rule] | None = None,
    ) -> None:
        self.registry = registry
        self.rules = rules
        self.citation_scope = citation_scope
        self.every_rule = rules if every_rule is None else every_rule


class DeskFiles:
    """The folders of a registry and those of rules, as they are to be shown, and the key of all that is in them."""

    __slots__ = ("claims", "key", "rules")

    def __init__(self, claims: tuple[str, ...], rules: tuple[str, ...], key: str) -> None:
        self.claims = claims
        self.rules = rules
        self.key = key


def find_desk(claims: str | Sequence[str], rules: str | Sequence[str] = ()) -> DeskFiles:
    """The files of a registry folder, or several, of the shipped rules, and of folders of added rules.

    Their key holds the names and contents of the files, the names of the folders, because findings are shown with
    them, the version, and the state of the code.
    """
    of_claims = _shown(claims)
    of_rules = (shown_path(data.rules_folder()), *_shown(rules))
    parts = [code_state()]
    contents = [_content(data.vocabulary_file())]
    for folders in (of_claims, of_rules):
        for folder in folders:
            parts.append(folder)
            for path in data.yaml_files(folder):
                parts.append(path)
                contents.append(_content(path))
        parts.append("")
    names = "\0".join(parts).encode("utf-8", "surrogateescape")
    return DeskFiles(of_claims, of_rules, digest(names, *contents))


def _shown(folders: str | Sequence[str]) -> tuple[str, ...]:
    """One folder or several as they are to be shown, each once."""
    listed = [folders] if isinstance(folders, str) else folders
    return tuple(dict.fromkeys(shown_path(folder) for folder in listed if folder))


def load_desk(files: DeskFiles, cache: Cache) -> Desk:
    """The desk of these files, from the cache or compiled anew. Raises DeskError naming every fault of the files."""
    kept = cache.read(DESKS, files.key)
    if kept is not None:
        with suppress(ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError):  # no desk at all
            return _build(json.loads(kept))
    compiled = _compile(files)
    if cache.folder and find_desk(files.claims, files.rules[1:]).key == files.key:  # not if a file changed meanwhile
        cache.write(DESKS, files.key, json.dumps(compiled, separators=(",", ":")))
    return _build(compiled)


def select_rules(
    desk: Desk,
    select: Collection[str],
    ignore: Collection[str],
    severities: Mapping[str, str] | None = None,
    citation_scope: str = DEFAULTS["citation-scope"],
) -> Desk:
    """The desk with the rules that are selected (all, if none are named) and not ignored, at other severities."""
    kept = [rule for rule in desk.rules if (not select or rule.name in select) and rule.name not in ignore]
    changed = severities or {}
    rules = [rule.with_severity(changed[rule.name]) if rule.name in changed else rule for rule in kept]
    return Desk(desk.registry, rules, citation_scope, desk.every_rule)


class Desks:
    """The desks of a run: each is found, loaded and narrowed once for all drafts that share it."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._files: dict[tuple[tuple[str, ...], tuple[str, ...]], DeskFiles] = {}
        self._whole: dict[str, Desk | UserError] = {}
        self._narrowed: dict[str, Desk] = {}
        self._keys: dict[tuple[Settings, tuple[str, ...]], str] = {}

    def renewed(self) -> Desks:
        """Desks whose files are looked at anew; what is loaded of these is loaded no second time."""
        others = Desks(self._cache)
        asked = {files.key for files in self._files.values()}
        others._whole = {key: desk for key, desk in self._whole.items() if key in asked}
        return others

    def files(self, settings: Settings) -> DeskFiles:
        """The files of the desk that settings ask for."""
        folders = (settings.claims, settings.rules)
        if folders not in self._files:
            self._files[folders] = find_desk(*folders)
        return self._files[folders]

    def whole(self, settings: Settings) -> Desk:
        """The desk that settings ask for with all its rules.

        Raises UserError for faults in the registry or in rules, and for names that no rule has.
        """
        whole = self._load(self.files(settings))
        check_names(whole, settings)
        return whole

    def desk(self, settings: Settings, ignore: Collection[str]) -> Desk:
        """The desk of these settings without the rules to ignore. Raises as `whole` does."""
        key = self.key(settings, ignore)
        if key not in self._narrowed:
            whole, values = self.whole(settings), settings.values
            self._narrowed[key] = select_rules(
                whole, values["select"], ignore, values["per-rule-severity"], values["citation-scope"]
            )
        return self._narrowed[key]

    def key(self, settings: Settings, ignore: Collection[str]) -> str:
        """A key of all that findings depend on beside the draft: the desk, and what settings make of it.

        Rules that are named without effect count too: findings are kept only of settings without a wrong name.
        """
        of = (settings, tuple(ignore))
        if of not in self._keys:
            values = settings.values
            severities = [f"{rule}={severity}" for rule, severity in values["per-rule-severity"].items()]
            named = {name for _, _, name in settings.named_rules()}
            lists = (values["select"], ignore, severities, named, [values["citation-scope"]])
            choice = "\n\n".join("\n".join(sorted(names)) for names in lists)
            self._keys[of] = f"{self.files(settings).key}\n{choice}"
        return self._keys[of]

    def _load(self, files: DeskFiles) -> Desk:
        if files.key not in self._whole:
            try:
                self._whole[files.key] = load_desk(files, self._cache)
            except UserError as error:
                self._whole[files.key] = error
        loaded = self._whole[files.key]
        if isinstance(loaded, UserError):
            raise loaded
        return loaded


def check_names(desk: Desk, settings: Settings) -> None:
    """Raises UserError for all names in the settings that no rule has."""
    names = [rule.name for rule in desk.rules]
    unknown = [(key, path, name) for key, path, name in settings.named_rules() if name not in names]
    if unknown:
        from caveat.loading.problems import suggest

        raise UserError(
            "\n".join(
                f"{settings.place(key, path)}: there is no rule {name!r}; {suggest(name, names)}"
                for key, path, name in unknown
            )
        )


def _build(compiled: dict[str, Any]) -> Desk:
    from caveat.registry.registry import Registry
    from caveat.rulebook.rules import build_rules

    return Desk(Registry(compiled), build_rules(compiled))


def _compile(files: DeskFiles) -> dict[str, Any]:
    """The files compiled. Raises DeskError with all that is wrong with them."""
    from caveat.checks import CHECK_NAMES
    from caveat.loading.compile import compile_folders

    compiled, problems = compile_folders(files.claims, files.rules, CHECK_NAMES)
    if problems:
        raise DeskError("\n".join(str(problem) for problem in problems))
    return compiled


def _content(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b"unreadable"  # the loader says so with its place
