"""The fields of all records as the columns of one table: what each holds, and where a cell of it belongs."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, NamedTuple

from caveat.exchange.contents import MODELS
from caveat.loading.validation import Record

Shape = Literal["text", "list", "counts", "record", "spread"]

# A mapping whose keys are few and shared by many records: each is a column of its own, `basis.precision`.
_SPREAD = frozenset({"basis"})


class Field(NamedTuple):
    """A field of a record: its name, its shape, and the names in it if it is a record itself."""

    name: str
    shape: Shape
    parts: tuple[str, ...] = ()


@cache
def fields_of(section: str) -> dict[str, Field]:
    """The fields of the records of a section by name, in order, without the id."""
    models = MODELS[section].model_fields
    return {name: _field(name, about.annotation) for name, about in models.items() if name != "id"}


def _field(name: str, annotation: Any) -> Field:
    """A field by its type."""
    kinds = [annotation, *getattr(annotation, "__args__", ())]
    inner = next((kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Record)), None)
    if inner is not None:
        return Field(name, "record", tuple(inner.model_fields))
    origin = getattr(annotation, "__origin__", None)
    if origin is list:
        return Field(name, "list")
    if origin is dict:
        return Field(name, "spread" if name in _SPREAD else "counts")
    return Field(name, "text")
