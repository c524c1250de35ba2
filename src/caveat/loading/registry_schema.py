"""The records of the registry as they may be written. Their descriptions are printed as what to write."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from caveat.loading.problems import quoted
from caveat.loading.validation import Id, Record, Text

# Metrics whose value is no quantity: a date, or the words themselves.
DATES = frozenset({"availability"})
WORDS = frozenset({"superlative", "quotation", "absence", "number-formats"})

_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?\Z", re.ASCII)
_HASH = re.compile(r"[0-9a-f]{64}\Z")
_COUNT = re.compile(r"[1-9][0-9]{0,11}\Z")


def is_date(text: str) -> bool:
    """Whether a text is a day, month or year of the calendar, as YYYY-MM-DD, YYYY-MM or YYYY."""
    match = _DATE.match(text)
    if match is None:
        return False
    year, month, day = (int(part) if part else 1 for part in match.groups())
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def _check_date(text: str) -> str:
    if not is_date(text):
        raise ValueError(f"{quoted(text)} is not a date; write YYYY-MM-DD, for example 2025-12-02")
    return text


def _read_count(value: object) -> int:
    if isinstance(value, str) and _COUNT.match(value):
        return int(value)
    written = quoted(value) if isinstance(value, str) else "this"
    raise ValueError(f"{written} is not a whole number; write how many it contains, for example 8")


def _check_url(text: str) -> str:
    if not text.startswith(("https://", "http://")) or any(sign.isspace() for sign in text):
        raise ValueError(f"{quoted(text)} is not an address; write it in full, from https://")
    return text


def _check_path(text: str) -> str:
    """A registry may come from anywhere, and nothing outside of its folder is its own to name."""
    parts = text.split("/")
    if "\\" in text or ":" in text or any(part in ("", ".", "..") for part in parts):
        raise ValueError(f"{quoted(text)} is no path below this file's folder; write for example snapshots/sheet.pdf")
    return text


def _check_hash(text: str) -> str:
    if not _HASH.match(text):
        raise ValueError(f"{quoted(text)} is no SHA-256; let `caveat claims snapshot` record the file")
    return text


Date = Annotated[Text, AfterValidator(_check_date)]
Path = Annotated[Text, AfterValidator(_check_path)]
Hash = Annotated[Text, AfterValidator(_check_hash)]
Count = Annotated[int, BeforeValidator(_read_count)]
Url = Annotated[Text, AfterValidator(_check_url)]
Texts = list[Text]

ProductStatus = Literal["current", "preview", "target", "discontinued"]
ClaimStatus = Literal["current", "conflicting", "superseded", "retracted", "target"]
SourceKind = Literal[
    "vendor-page",
    "vendor-doc",
    "vendor-announcement",
    "customer-via-vendor",
    "commissioned",
    "independent",
    "audited",
    "peer-reviewed",
    "press",
]


class VendorEntry(Record):
    """Who makes products and publishes figures."""

    name: Text = Field(description="the vendor's name as a draft would give it")
    aliases: Texts = Field([], description="other names as a list, for example [AWS, Amazon]")


class ProductEntry(Record):
    """What figures are about."""

    name: Text = Field(description="the product's name as a draft would give it")
    vendor: Id = Field(description="the id of one of the vendors")
    unit: Text = Field(description="what one of it is: chip, board, rack, cluster ...")
    aliases: Texts = Field([], description="other names as a list, for example [H100, NVIDIA H100]")
    contains: dict[str, Count] = Field({}, description="product ids with counts, for example {h100-sxm: 8}")
    status: ProductStatus = "current"


class SnapshotEntry(Record):
    """A copy of a source as it was on a day, kept beside the registry. `caveat claims snapshot` writes it."""

    file: Path = Field(description="its path from the folder of this file, for example snapshots/sheet.pdf")
    sha256: Hash = Field(description="the SHA-256 of the file, as 64 digits from 0 to f")
    taken: Date = Field(description="the day on which it was taken, for example 2025-12-02")
    url: Url = Field("", description="where it was taken from, if not from the source's own address")
    encoding: Text = Field("", description="the encoding of its text, if the file does not say it itself")


class SourceEntry(Record):
    """A page, document, announcement or result in which claims were published."""

    title: Text = Field(description="the title of the page or document")
    publisher: Text = Field(description="the id of the vendor, or the name of the organisation, that published it")
    kind: SourceKind = Field(description="the kind of the source, for example vendor-page or independent")
    url: Url = ""
    published: Date = ""
    retrieved: Date = ""
    reporter: Text = Field("", description="whose result it is, if not the publisher's own")
    aliases: Texts = Field([], description="other names of the source as a list")
    snapshot: SnapshotEntry | None = Field(None, description="{file: its path, sha256: its hash, taken: the day}")


class CompareEntry(Record):
    """What a relative value is compared with."""

    to: Text = Field(description="the id of a product, words such as GPUs, or unstated")


class ClaimEntry(Record):
    """One published figure, quotation, superlative, date or absence."""

    id: Id = Field(description="a name of its own, for example h100-memory")
    product: Id = Field(description="the id of one of the products")
    metric: Id = Field(description="the metric, for example memory-capacity")
    value: Text = Field(description="the value with its unit, for example 144 GB")
    qualifier: Text = Field("", description="the words before the value, for example up to")
    basis: dict[str, Text] = Field({}, description="dimensions with values, for example {precision: FP8, scope: chip}")
    compare: CompareEntry | None = Field(None, description="{to: the id of a product, words, or unstated}")
    derived: Text = Field("", description="an expression, for example 8 * h100-memory")
    source: Id = Field(description="the id of one of the sources")
    evidence: Text = Field("", description="the words of the source")
    status: ClaimStatus = "current"
    conflicts: list[Id] = Field([], description="the ids of the claims that say otherwise, as a list")
    chosen: Text = Field("", description="of a conflict, why this is the side to print, in a sentence")
    caveat: Text = Field("", description="what a reader must know, in a sentence")
    as_of: Date = ""
    searched: Texts = Field([], description="where it was looked for, as a list")
