"""The vocabulary of measurement: compiled from its YAML into plain data, and the hot view of that data."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from caveat.figures.words import word_set

SECTIONS = ("prefixes", "scales", "units", "per", "metrics", "dimensions")
KINDS = ("measure", "count", "price", "percent", "points")
_UNIT_FIELDS = word_set("dimension factor prefixes symbols names rate needs kind before setting narrative bare glued")


class Unit:
    """A unit: one of it is `factor` of its dimension's base unit; `rate` is the dimension of it per second."""

    __slots__ = ("dimension", "factor", "glued", "key", "kind", "narrative", "needs_rate", "rate", "setting")

    def __init__(
        self,
        key: str,
        dimension: str,
        factor: Decimal,
        rate: str,
        kind: str,
        *,
        needs_rate: bool,
        glued: bool,
        narrative: str,
        setting: Decimal,
    ) -> None:
        self.key = key
        self.dimension = dimension
        self.factor = factor
        self.rate = rate
        self.kind = kind
        self.needs_rate = needs_rate
        self.glued = glued
        self.narrative = narrative
        self.setting = setting


class Vocabulary:
    """The compiled vocabulary, ready for look-ups.

    `symbols` map a spelling with its letter case to a unit's key, `names` a lower-case one; `before` the signs that
    stand before a number. `general` are phrases for a metric that give way to any other one in reach; `rates` map a
    metric to that of a figure per second said of it, `titles` to what the row of a table is headed, and `wholes` those
    of which a product has the figure of what contains it to the same. `scales` are words and `glued` letters that
    multiply one.
    `per_names` and `per_symbols` map spellings to the keys of per-units, `seconds` those that are stretches of time to
    their length. `distinct` are the dimensions of which two values make two figures, neither of which contradicts the
    other.
    """

    __slots__ = (
        "_metrics_of",
        "_raw_units",
        "_units",
        "before",
        "dimensions",
        "distinct",
        "general",
        "glued",
        "glued_money",
        "metrics",
        "names",
        "per_names",
        "per_symbols",
        "rates",
        "scales",
        "seconds",
        "starts",
        "symbols",
        "titles",
        "wholes",
    )  # fmt: skip

    def __init__(self, compiled: Mapping[str, Any]) -> None:
        self._raw_units: Mapping[str, list[str]] = compiled["units"]
        self._units: dict[str, Unit] = {}
        self._metrics_of: dict[str, list[str]] = {}
        self.symbols: Mapping[str, str] = compiled["symbols"]
        self.names: Mapping[str, str] = compiled["names"]
        self.starts = frozenset(name.partition(" ")[0] for name in self.names if " " in name)
        self.before: Mapping[str, str] = compiled["before"]
        self.scales: Mapping[str, str] = compiled["scales"]
        self.glued: Mapping[str, str] = compiled["glued"]
        self.glued_money: Mapping[str, str] = compiled["glued_money"]
        self.per_names: Mapping[str, str] = compiled["per_names"]
        self.per_symbols: Mapping[str, str] = compiled["per_symbols"]
        self.seconds: Mapping[str, str] = compiled["seconds"]
        self.metrics: Mapping[str, list[str]] = compiled["metrics"]
        self.general = frozenset(compiled["general"])
        self.rates: Mapping[str, str] = compiled["rates"]
        self.titles: Mapping[str, str] = compiled["titles"]
        self.wholes: Mapping[str, str] = compiled["wholes"]
        self.dimensions: Mapping[str, dict[str, Any]] = compiled["dimensions"]
        self.distinct = tuple(name for name, dimension in self.dimensions.items() if dimension["distinct"])

    def unit(self, key: str) -> Unit:
        """The unit of a key. Raises KeyError for a key that the vocabulary does not have."""
        unit = self._units.get(key)
        if unit is None:
            dimension, factor, rate, kind, needs, glued, narrative, setting = self._raw_units[key]
            unit = Unit(
                key,
                dimension,
                Decimal(factor),
                rate,
                kind,
                needs_rate=bool(needs),
                glued=glued != "no",
                narrative=narrative,
                setting=Decimal(setting or 0),
            )
            self._units[key] = unit
        return unit

    def fits(self, metric: str, dimension: str) -> bool:
        """Whether a figure of a dimension can be a value of a metric: "count" for counts, "" for ratios."""
        return not dimension or dimension in self.metrics.get(metric, ())

    def metrics_of(self, dimension: str) -> list[str]:
        """The metrics whose values have this dimension."""
        known = self._metrics_of.get(dimension)
        if known is None:
            known = [metric for metric, dimensions in self.metrics.items() if dimension in dimensions]
            self._metrics_of[dimension] = known
        return known


def vocabulary_phrases(raw: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """(phrase, kind, value) of every metric and of every value of every basis dimension, for the phrase index."""
    entries: list[tuple[str, str, str]] = []
    for key, metric in _mapping(raw, "metrics").items():
        entries.extend((phrase, "metric", key) for field in ("phrases", "general") for phrase in metric.get(field, ()))
    for name, dimension in _mapping(raw, "dimensions").items():
        for value, phrases in dimension.get("values", {}).items():
            entries.extend((phrase, name, value) for phrase in phrases)
    return entries


def compile_vocabulary(raw: Mapping[str, Any]) -> dict[str, Any]:
    """The vocabulary as plain data that JSON can hold, from the YAML with every scalar as text.

    Raises ValueError that names the entry and says what to write instead.
    """
    for section in raw:
        if section not in SECTIONS:
            raise ValueError(f"unknown section {section!r}; write one of: {', '.join(SECTIONS)}")
    compiled: dict[str, Any] = {"units": {}, "symbols": {}, "names": {}, "before": {}}
    families = _prefix_families(_mapping(raw, "prefixes"))
    for key, unit in _mapping(raw, "units").items():
        _compile_unit(key, unit, families, compiled)
    compiled.update(_compile_scales(_mapping(raw, "scales")))
    compiled.update(_compile_per(_mapping(raw, "per")))
    metrics = _mapping(raw, "metrics")
    compiled["metrics"] = _compile_metrics(metrics)
    compiled["general"] = sorted({phrase.lower() for entry in metrics.values() for phrase in entry.get("general", ())})
    compiled["rates"] = {key: entry["rate"] for key, entry in metrics.items() if entry.get("rate")}
    compiled["wholes"] = {key: entry["wholes"] for key, entry in metrics.items() if entry.get("wholes")}
    compiled["titles"] = {key: entry["title"] for key, entry in metrics.items() if entry.get("title")}
    compiled["dimensions"] = _compile_dimensions(_mapping(raw, "dimensions"))
    return compiled


def _mapping(raw: Mapping[str, Any], section: str) -> Mapping[str, Any]:
    """A section of the vocabulary; an absent one is empty."""
    value = raw.get(section) or {}
    if not isinstance(value, Mapping):
        raise ValueError(f"{section}: write a mapping of key to entry")  # noqa: TRY004 - a fault of the file
    return value


def _texts(entry: Mapping[str, Any], field: str, where: str) -> list[str]:
    """A list of texts of an entry; an absent one is empty."""
    value = entry.get(field) or []
    if isinstance(value, str) or not all(isinstance(text, str) for text in value):
        raise ValueError(f"{where}: {field}: write a list, for example [{value if isinstance(value, str) else 'GB'}]")
    return list(value)


def _factor(text: object, where: str) -> Decimal:
    """A positive decimal number written as text."""
    try:
        value = Decimal(str(text))
    except InvalidOperation:
        value = Decimal(0)
    if not value.is_finite() or value <= 0:
        raise ValueError(f"{where}: factor: {text!r} is not a number above zero; write for example 1e9")
    return value


def _prefix_families(raw: Mapping[str, Any]) -> dict[str, list[tuple[str, list[str], Decimal]]]:
    """Family -> its prefixes as (name, symbols, factor)."""
    return {
        family: [
            (name, _texts(prefix, "symbols", f"prefixes: {name}"), _factor(prefix.get("factor"), f"prefixes: {name}"))
            for name, prefix in _mapping(raw, family).items()
        ]
        for family in raw
    }


def _compile_unit(key: str, unit: Any, families: Mapping[str, Any], compiled: dict[str, Any]) -> None:
    """Add a unit, alone and with each of its prefixes, and the "ps" spellings of its rate."""
    where = f"units: {key}"
    if not isinstance(unit, Mapping):
        raise ValueError(f"{where}: write a mapping with dimension and factor")  # noqa: TRY004 - a fault of the file
    for field in unit:
        if field not in _UNIT_FIELDS:
            raise ValueError(f"{where}: unknown field {field!r}; write one of: {', '.join(sorted(_UNIT_FIELDS))}")
    if not unit.get("dimension"):
        raise ValueError(f"{where}: dimension is missing; write what the unit measures, for example dimension: bytes")
    kind = unit.get("kind", "measure")
    if kind not in KINDS:
        raise ValueError(f"{where}: kind: {kind!r}; write one of: {', '.join(KINDS)}")
    factor = _factor(unit.get("factor"), where)
    symbols, names = _texts(unit, "symbols", where), [name.lower() for name in _texts(unit, "names", where)]
    bare = unit.get("bare", "yes")
    if bare != "no":
        _add_unit(compiled, key, unit, factor, (symbols if bare == "yes" else [], names))
    for sign in _texts(unit, "before", where):
        compiled["before"][sign] = key
    for family in _texts(unit, "prefixes", where):
        if family not in families:
            raise ValueError(f"{where}: prefixes: {family!r}; write some of: {', '.join(families)}")
        for name, signs, size in families[family]:
            prefixed = [sign + symbol for sign in signs for symbol in symbols]
            free = {field: unit[field] for field in unit if field not in ("glued", "narrative", "setting")}
            _add_unit(compiled, signs[0] + key, free, factor * size, (prefixed, [name + each for each in names]))


def _add_unit(
    compiled: dict[str, Any], key: str, unit: Mapping[str, Any], factor: Decimal, spelt: tuple[list[str], list[str]]
) -> None:
    """Add one unit and its spellings; the first spelling of two units wins."""
    symbols, names = spelt
    units = compiled["units"]
    rate = unit.get("rate", "")
    units[key] = [
        unit["dimension"], str(factor), rate, unit.get("kind", "measure"), unit.get("needs", ""), unit.get("glued", ""),
        unit.get("narrative", ""), unit.get("setting", ""),
    ]  # fmt: skip
    for symbol in symbols:
        compiled["symbols"].setdefault(symbol, key)
    for name in names:
        compiled["names"].setdefault(name.replace("-", " "), key)
    if rate and rate != unit["dimension"]:
        units[key + "/s"] = [rate, str(factor), "", "measure", "", "", "", ""]
        for symbol in symbols:
            if len(symbol) <= 3:
                compiled["symbols"].setdefault(symbol + "ps", key + "/s")


def _compile_scales(raw: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    scales: dict[str, str] = {}
    glued: dict[str, str] = {}
    money: dict[str, str] = {}
    for name, scale in raw.items():
        where = f"scales: {name}"
        factor = str(_factor(scale.get("factor"), where))
        scales.update(dict.fromkeys([name, *_texts(scale, "words", where)], factor))
        glued.update(dict.fromkeys(_texts(scale, "glued", where), factor))
        money.update(dict.fromkeys(_texts(scale, "money", where), factor))
    return {"scales": scales, "glued": glued, "glued_money": {**glued, **money}}


def _compile_per(raw: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    names: dict[str, str] = {}
    symbols: dict[str, str] = {}
    seconds: dict[str, str] = {}
    for key, entry in raw.items():
        where = f"per: {key}"
        symbols.update(dict.fromkeys(_texts(entry, "symbols", where), key))
        for name in _texts(entry, "names", where):
            names[name.lower().replace("-", " ")] = key
        if entry.get("seconds"):
            seconds[key] = str(_factor(entry["seconds"], where))
    return {"per_names": names, "per_symbols": symbols, "seconds": seconds}


def _compile_metrics(raw: Mapping[str, Any]) -> dict[str, list[str]]:
    return {key: _texts(metric, "dimensions", f"metrics: {key}") for key, metric in raw.items()}


def _compile_dimensions(raw: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Each basis dimension: its values, whether others are allowed, their aliases, and to which units it applies."""
    dimensions = {}
    for name, dimension in raw.items():
        where = f"dimensions: {name}"
        values = _mapping(dimension, "values")
        for value in values:
            _texts(values, value, where)
        aliases = dict(_mapping(dimension, "aliases"))
        for alias, value in aliases.items():
            if value not in values:
                raise ValueError(f"{where}: aliases: {alias}: {value!r} is no value; write one of: {', '.join(values)}")
        dimensions[name] = {
            "values": list(values),
            "open": dimension.get("open") == "yes",
            "aliases": aliases,
            "applies_to": _texts(dimension, "applies_to", where),
            "metrics": _texts(dimension, "metrics", where),
            "alike": {value: group[0] for group in dimension.get("comparable", []) for value in group},
            "distinct": dimension.get("distinct") == "yes",
            "describes": dimension.get("describes") == "yes",
        }
    return dimensions
