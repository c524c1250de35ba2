"""What holds for drafts while files change: settings, desks and baselines, the last good ones where one is faulty."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

from caveat import data
from caveat.options import CheckOptions
from caveat.outcome import UserError
from caveat.running.baseline import Baseline, read_baseline
from caveat.running.cache import Cache
from caveat.running.config import ConfigFile
from caveat.running.desk import Desk, Desks, select_rules
from caveat.running.files import matches
from caveat.running.settings import Settings, SettingsFinder
from caveat.server.faults import Fault, faults_of

Found = TypeVar("Found")
Stamp = tuple[tuple[str, int, int], ...]


class Terms(NamedTuple):
    """What holds for one draft: as `check` would have it, but that no mistake in a file keeps it from being checked."""

    settings: Settings
    ignores: tuple[str, ...]
    desk: Desk
    baseline: Baseline | None
    excluded: bool


class Standing:
    """Reads what the terms of drafts are made of, and reads it again when it has changed on disk.

    `age` grows with each change. `faults` are the mistakes in what was read since, in the order of reading.
    """

    def __init__(self, options: CheckOptions, cache: Cache) -> None:
        """Raises UserError for options that cannot be followed."""
        self.age = 0
        self.faults: dict[Fault, None] = {}
        self._options = options
        self._cache = cache
        self._finder = SettingsFinder(options, cache)
        self._desks = Desks(cache)
        self._stamps: dict[str, Stamp] = {}
        self._baselines: dict[str, Baseline] = {}
        self._terms: dict[str, Terms | None] = {}
        self._good_settings: dict[str, Settings] = {}
        self._good_desks: dict[str, Desk] = {}
        self._good_baselines: dict[str, Baseline] = {}

    def refresh(self) -> bool:
        """Whether a file has changed that was read or looked for; then all is read anew when it is next asked for."""
        if all(_stamp(path) == stamp for path, stamp in self._stamps.items()):
            return False
        self.age += 1
        self.faults = {}
        try:
            self._finder = SettingsFinder(self._options, self._cache)
        except UserError as error:  # the file that --config names; the last good one holds
            self._note(error, self._options.config)
        self._desks = self._desks.renewed()
        self._stamps = {path: _stamp(path) for path in (self._options.config,) if path}
        self._baselines = {}
        self._terms = {}
        return True

    def terms(self, path: str) -> Terms | None:
        """What holds for the draft at a path, which need not exist; None while nothing good is known for it."""
        if path not in self._terms:
            self._terms[path] = self._look_up(path)
        return self._terms[path]

    def look_at(self, folder: str) -> None:
        """Read what holds for a folder, so that its faults are known before a draft in it is opened."""
        self.terms(os.path.join(folder, ""))

    def _look_up(self, path: str) -> Terms | None:
        folder = os.path.dirname(path) or "."
        settings = self._settings(folder)
        if settings is None:
            return None
        whole = self._whole(settings, folder)
        if whole is None:
            return None
        name = path if os.path.basename(path) else ""
        ignores, values = tuple(settings.ignores_for(name)), settings.values
        severities, scope = values["per-rule-severity"], values["citation-scope"]
        desk = select_rules(whole, values["select"], ignores, severities, scope)
        baseline = self._baseline(settings) if settings.baseline else None
        excluded = bool(name) and matches(path, settings.exclude)
        return Terms(settings, ignores, desk, baseline and baseline.of_draft(path), excluded)

    def _settings(self, folder: str) -> Settings | None:
        settings = self._attempt(lambda: self._finder.of_folder(folder), self._good_settings, folder)
        self._watch(self._finder.asked)
        return settings

    def _whole(self, settings: Settings, folder: str) -> Desk | None:
        """All rules and the registry of a folder."""
        self._watch((*settings.claims, *settings.rules, data.rules_folder(), data.vocabulary_file()))
        origin = settings.origins["claims"] or settings.origins["rules"]
        blamed = origin.path if isinstance(origin, ConfigFile) else ""
        return self._attempt(lambda: self._desks.whole(settings), self._good_desks, folder, blamed)

    def _baseline(self, settings: Settings) -> Baseline | None:
        path = settings.baseline
        self._watch((path,))
        if path not in self._baselines:
            origin = settings.origins["baseline"]
            blamed = origin.path if isinstance(origin, ConfigFile) else ""
            found = self._attempt(lambda: read_baseline(path), self._good_baselines, path, blamed)
            self._baselines[path] = found or Baseline(path, {})
        return self._baselines[path]

    def _attempt(self, work: Callable[[], Found], good: dict[str, Found], key: str, blamed: str = "") -> Found | None:
        """What a piece of work gives; after a mistake of the user's, which is noted, what it last gave."""
        try:
            good[key] = work()
        except UserError as error:
            self._note(error, blamed)
        return good.get(key)

    def _note(self, error: UserError, blamed: str) -> None:
        self.faults |= dict.fromkeys(faults_of(error, blamed))

    def _watch(self, paths: Iterable[str]) -> None:
        """Remember how files and folders are now."""
        for path in paths:
            if path not in self._stamps:
                self._stamps[path] = _stamp(path)


def _stamp(path: str) -> Stamp:
    """How a file, or each file of YAML in a folder, looks from outside; nothing where there is none."""
    names = data.yaml_files(path) if os.path.isdir(path) else [path]
    return tuple(stamp for name in names for stamp in _of_file(name))


def _of_file(path: str) -> Stamp:
    try:
        about = os.stat(path)
    except (OSError, ValueError):
        return ()
    return ((path, about.st_mtime_ns, about.st_size),)
