"""What holds for a draft: what the command line says, else its configuration, else the default."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

from caveat import data
from caveat.options import CheckOptions
from caveat.outcome import UserError
from caveat.running import files
from caveat.running.cache import Cache
from caveat.running.config import Config, ConfigFile, ConfigReader, place_in

# Every key of a configuration, `extend` aside, with what holds if nobody says it.
DEFAULTS: dict[str, Any] = {
    "claims": ["starter"],
    "rules": [],
    "select": [],
    "ignore": [],
    "severity": "info",
    "per-rule-severity": {},
    "per-file-ignores": {},
    "citation-scope": "sentence",
    "exclude": [],
    "baseline": "",
    "upkeep": {
        "drafts": [],
        "ignore": [],
        "price": "30 days",
        "benchmark": "180 days",
        "specification": "365 days",
    },
}
STARTER = "starter"
ON_THE_COMMAND_LINE = ("claims", "rules", "select", "ignore", "severity", "baseline")
NAMING_RULES = ("select", "ignore", "per-rule-severity", "per-file-ignores")


class Settings:
    """What holds for the drafts of one configuration.

    `values` has every key; `origins` says for each who said it: an option, a file, or None for the default. The
    folders of `claims` and `rules` are resolved, and the file `baseline` ("" for none).
    """

    def __init__(self, options: CheckOptions, config: Config) -> None:
        self.config = config
        self.values: dict[str, Any] = {}
        self.origins: dict[str, str | ConfigFile | None] = {}
        for key, default in DEFAULTS.items():
            file = config.who_says(key)
            said = getattr(options, key, None) if key in ON_THE_COMMAND_LINE else None
            self.origins[key] = f"--{key}" if said else file
            self.values[key] = said or (file.values[key] if file else default)
        if options.select and not options.ignore:  # "run these" is the last word
            self.origins["ignore"], self.values["ignore"] = "--select", []
        self.claims = self._folders("claims")
        self.rules = self._folders("rules")
        self.baseline = "".join(self._folders("baseline"))
        self.exclude = self._patterns("exclude", self.values["exclude"])
        self._per_file = [
            (pattern, rules, compiled)
            for pattern, rules in self.values["per-file-ignores"].items()
            for compiled in self._patterns("per-file-ignores", [pattern])
        ]

    def _folders(self, key: str) -> tuple[str, ...]:
        """The paths of a key: as the command line gives them, or from the folder of the file that says them."""
        given = self.values[key]
        names = ([given] if given else []) if isinstance(given, str) else given
        starter = STARTER if key == "claims" else None
        return tuple(data.claims_folder() if name == starter else self._path(key, name) for name in names)

    def _path(self, key: str, name: str) -> str:
        origin = self.origins[key]
        return os.path.join(origin.base if isinstance(origin, ConfigFile) else "", name)

    def upkeep(self) -> dict[str, Any]:
        """What holds for the care of the registry: what the table says, else the defaults; drafts are resolved."""
        said = self.values["upkeep"]
        drafts = [said["drafts"]] if isinstance(said.get("drafts"), str) else said.get("drafts", [])
        return {**DEFAULTS["upkeep"], **said, "drafts": [self._path("upkeep", name) for name in drafts]}

    def _patterns(self, key: str, lines: list[str]) -> list[files.Patterns]:
        origin = self.origins[key]
        if not lines or not isinstance(origin, ConfigFile):
            return []
        try:
            return [files.patterns(origin.root, lines)]
        except UserError as error:
            raise UserError(f"{place_in(origin, (key,))}: {key}: {error}") from error

    def ignores_for(self, path: str) -> dict[str, str]:
        """The rules that are left out of a draft, "" being one without a path, each with the pattern that says so."""
        found = dict.fromkeys(self.values["ignore"], "")
        for pattern, rules, compiled in self._per_file if path else ():
            if files.matches(path, [compiled]):
                found |= {rule: pattern for rule in rules if rule not in found}
        return found

    def named_rules(self) -> Iterator[tuple[str, tuple[int | str, ...], str]]:
        """Every rule that is named, with the key that names it and its path in the file."""
        for key in NAMING_RULES:
            value = self.values[key]
            if key == "per-rule-severity":
                yield from ((key, (key, name), name) for name in value)
            elif key == "per-file-ignores":
                yield from (
                    (key, (key, pattern, at), name) for pattern in value for at, name in enumerate(value[pattern])
                )
            else:
                yield from ((key, (key, at), name) for at, name in enumerate(value))

    def place(self, key: str, path: tuple[int | str, ...]) -> str:
        """Where something was said: "--select", or "caveat.toml:3:12: select"."""
        origin = self.origins[key]
        return f"{place_in(origin, path)}: {key}" if isinstance(origin, ConfigFile) else str(origin)


def own_folders(folders: Sequence[str]) -> list[str]:
    """The folders of a registry that are its keeper's: without the shipped one, unless that is alone."""
    shipped = os.path.realpath(data.claims_folder())
    return [folder for folder in folders if os.path.realpath(folder) != shipped] or list(folders)


class SettingsFinder:
    """The settings of drafts and folders, one for all that share a configuration. Its methods raise UserError."""

    def __init__(self, options: CheckOptions, cache: Cache) -> None:
        self._options = options
        self._reader = ConfigReader(cache)
        self._known: dict[str, Settings] = {}
        self._of_folder: dict[str, Settings] = {}
        self._fixed: Config | None = None
        from_environment = options.config == os.environ.get("CAVEAT_CONFIG")
        if options.isolated and options.config and not from_environment:
            raise UserError("--isolated and --config exclude each other")
        if options.isolated:
            self._fixed = Config()
        elif options.config:
            self._fixed = self._reader.named(options.config)

    @property
    def asked(self) -> set[str]:
        """The paths of all configurations that were looked for, found or not."""
        return self._reader.asked

    def of_folder(self, folder: str) -> Settings:
        """What holds for the drafts in a folder."""
        found = self._of_folder.get(folder)
        if found is None:
            config = self._fixed if self._fixed is not None else self._reader.nearest(folder)
            name = config.files[0].path if config.files else ""
            if name not in self._known:
                self._known[name] = Settings(self._options, config)
            found = self._of_folder[folder] = self._known[name]
        return found

    def of_draft(self, path: str) -> Settings:
        """What holds for a draft, which need not exist; "" and names without a folder are of the working folder."""
        return self.of_folder(os.path.dirname(path) or ".")

    def of_path(self, path: str) -> Settings:
        """What holds for a draft, or for a folder."""
        return self.of_folder(path) if os.path.isdir(path) else self.of_draft(path)
