"""The registry in other formats and back: nothing is lost, and what is wrong with a table is told by its cell."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from pyld import jsonld  # type: ignore[import-untyped]
from ruamel.yaml.comments import CommentedMap

from caveat.command import Run as DeskRun
from caveat.exchange.cells import guarded, items_of, list_cell, unguarded
from caveat.exchange.contents import MODELS, Contents, read_contents
from caveat.exchange.csv_table import render_csv
from caveat.exchange.database import render_database
from caveat.exchange.fields import fields_of
from caveat.exchange.importing import import_table
from caveat.exchange.json_document import render_json
from caveat.exchange.linked_data import render_linked_data
from caveat.loading.record_writing import add_record
from caveat.loading.registry_writing import rewritten
from caveat.options import CheckOptions
from caveat.streams import Speaker
from commands import Run
from test_registry import BASE

HOSTILE = [
    "=1+1",
    "-50%",
    "+x",
    "@SUM(A1)",
    "'=x",
    "''-",
    'say "x"',
    "a, b; c",
    "two\nlines",
    "\tx",
    "[1]",
    '["x"]',
    "=",
]
WORDS = st.one_of(st.sampled_from(HOSTILE), st.text(st.characters(exclude_categories=["Cs"]), max_size=12)).filter(
    lambda text: bool(text.strip())
)
VALUES = st.sampled_from(["80 GB", "4.10 TB/s", "700 W", "1,979 TFLOPS"])
METRICS = {"80 GB": "memory-capacity", "4.10 TB/s": "memory-bandwidth", "700 W": "power", "1,979 TFLOPS": "compute"}


@st.composite
def registries(draw: st.DrawFn) -> dict[str, Any]:
    """A sound registry as its file has it, with texts that are hard on every format."""
    count = draw(st.integers(1, 3))
    registry: dict[str, Any] = {"vendors": {}, "products": {}, "sources": {}, "claims": []}
    for at in range(count):
        registry["vendors"][f"v{at}"] = {"name": f"V{at} {draw(WORDS)}", "aliases": [f"W{at} {draw(WORDS)}"]}
        product = {"name": f"P{at} {draw(WORDS)}", "vendor": "v0", "unit": draw(WORDS)}
        contains = {f"p{part}": str(draw(st.integers(1, 99))) for part in range(at)}
        registry["products"][f"p{at}"] = product | ({"contains": contains} if contains else {})
        source = {"title": draw(WORDS), "publisher": "v0", "kind": "vendor-doc", "published": "2025-12"}
        snapshot = {
            "file": f"snapshots/{at}.html",
            "sha256": f"{at:064x}",
            "taken": "2026-12-01",
            "encoding": draw(WORDS),
        }
        aliases = draw(st.lists(WORDS, min_size=1, max_size=3))
        registry["sources"][f"s{at}"] = source | {"aliases": aliases, "snapshot": snapshot}
    for at in range(draw(st.integers(0, 4))):
        value = draw(VALUES)
        claim: dict[str, Any] = {
            "id": f"c{at}",
            "product": "p0",
            "metric": METRICS[value],
            "value": value,
            "source": "s0",
        }
        optional = {
            "qualifier": st.just("up to"),
            "basis": st.just({"precision": "FP8", "scope": "chip"}),
            "evidence": WORDS,
            "caveat": WORDS,
            "as_of": st.just("2026"),
            "searched": st.lists(WORDS, min_size=1, max_size=3),
            "compare": st.just({"to": "p0"}),
        }
        wanted = draw(st.sets(st.sampled_from(sorted(optional))))
        registry["claims"].append(claim | {name: draw(optional[name]) for name in sorted(wanted)})
    if len(registry["claims"]) > 1:
        for at, other in ((0, "c1"), (1, "c0")):
            registry["claims"][at] |= {"status": "conflicting", "conflicts": [other]}
        registry["claims"][0]["chosen"] = draw(WORDS)
    return registry


def contents_of(folder: Path | str) -> Contents:
    return read_contents(DeskRun(CheckOptions(claims=str(folder), isolated=True, no_cache=True), Speaker()))


def plain(contents: Contents) -> tuple[list[Any], dict[str, Any]]:
    return list(contents.rows()), contents.vocabulary


def save(registry: dict[str, Any], folder: Path) -> Contents:
    folder.mkdir()
    (folder / "a.yaml").write_text(yaml.safe_dump(registry, allow_unicode=True, sort_keys=False), encoding="utf-8")
    return contents_of(folder)


def imported(table: str, folder: Path) -> Contents:
    """What a registry is that a table alone was put into."""
    folder.mkdir()
    (folder / "table.csv").write_text(table, encoding="utf-8", newline="")
    run = DeskRun(CheckOptions(isolated=True), Speaker())
    import_table(run, str(folder / "table.csv"), str(folder / "b.yaml"))
    return contents_of(folder)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An empty folder at each call of `next`."""
    return (tmp_path_factory.mktemp("registry") for _ in iter(int, 1))


# Each example is five registries read: without the phase that makes a failing one smaller, which takes minutes.
@settings(max_examples=8, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(registry=registries())
def test_no_format_loses_anything(registry: dict[str, Any], folders: Iterator[Path]) -> None:
    folder = next(folders)
    contents = save(registry, folder / "yaml")
    assert len(list(contents.rows())) == sum(map(len, registry.values()))
    assert plain(imported(render_csv(contents), folder / "csv")) == plain(contents)
    (folder / "json").mkdir()
    (folder / "json" / "a.yaml").write_text(render_json(contents), encoding="utf-8")
    assert plain(contents_of(folder / "json")) == plain(contents)
    assert read_database(render_database(contents)) == list(contents.rows())


def read_database(data: bytes) -> list[tuple[str, str, dict[str, Any]]]:
    """The records of a database, in its order, as `Contents.rows` gives them."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(data)
        connection.row_factory = sqlite3.Row
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        rows = []
        for section in MODELS:
            for row in connection.execute(f"SELECT * FROM {section} ORDER BY rowid"):  # noqa: S608 - names of ours
                rows += [(section, row["id"], read_row(connection, section, row))]
        return rows


def read_row(connection: sqlite3.Connection, section: str, row: sqlite3.Row) -> dict[str, Any]:
    owner, record = section.removesuffix("s"), {}
    for name, field in fields_of(section).items():
        value: Any
        if field.shape == "text":
            value = row[name]
        elif field.shape == "record":
            value = {part: row[f"{name}_{part}"] for part in field.parts if row[f"{name}_{part}"]}
        else:
            ask = f"SELECT * FROM {owner}_{name} WHERE {owner} = ? ORDER BY rowid"  # noqa: S608 - names of ours
            side = connection.execute(ask, [row["id"]])
            value = [each["item"] for each in side] if field.shape == "list" else {each[1]: each[2] for each in side}
        if value and (name, value) != ("status", "current"):
            record[name] = value
    return record


@given(st.text())
def test_a_cell_is_never_a_formula_and_comes_back_as_it_was(text: str) -> None:
    assert guarded(text)[:1] not in {*"=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"} or not text
    assert unguarded(guarded(text)) == text


@given(st.lists(st.text(), min_size=1))
def test_a_list_in_a_cell_comes_back_as_it_was(items: list[str]) -> None:
    assert items_of(list_cell(items)) == items


def test_the_starter_registry_survives_every_format(folders: Iterator[Path]) -> None:
    contents, folder = contents_of("starter"), next(folders)
    assert plain(imported(render_csv(contents), folder / "csv")) == plain(contents)
    (folder / "json").mkdir()
    (folder / "json" / "a.yaml").write_text(render_json(contents), encoding="utf-8")
    assert plain(contents_of(folder / "json")) == plain(contents)
    assert read_database(render_database(contents)) == list(contents.rows())


def test_a_vocabulary_of_its_own_goes_along(folders: Iterator[Path]) -> None:
    contents, folder = contents_of(Path(__file__).parent / "fields" / "cars" / "claims"), next(folders)
    assert contents.vocabulary
    assert plain(imported(render_csv(contents), folder / "csv")) == plain(contents)
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(render_database(contents))
        found: dict[str, dict[str, Any]] = {}
        for section, name, entry in connection.execute("SELECT * FROM vocabulary"):
            found.setdefault(section, {})[name] = json.loads(entry)
    assert found == contents.vocabulary


def test_a_database_can_be_asked(run: Run, inside: Path) -> None:
    assert run("claims", "export", "--to", "sqlite", "-o", "out.db") == (0, "", "")
    with closing(sqlite3.connect("out.db")) as connection:
        ask = connection.execute
        assert ask("PRAGMA integrity_check").fetchall() == [("ok",)]
        words = "SELECT id FROM claims WHERE rowid IN (SELECT rowid FROM claims_fts WHERE claims_fts MATCH 'sparsity')"
        assert ("neuroncore-v4-bf16-sparse",) in ask(words).fetchall()
        memory = "SELECT low, unit, independence FROM claims WHERE id = 'mi300x-memory'"
        assert ask(memory).fetchone() == (192e9, "GB", "vendor's own")
        joined = "SELECT v.name FROM claims c JOIN products p ON c.product = p.id JOIN vendors v ON p.vendor = v.id"
        assert ask(joined + " WHERE c.id = 'mi300x-memory'").fetchone() == ("AMD",)
        indexes = {name for (name,) in ask("SELECT name FROM sqlite_master WHERE type = 'index'")}
        assert {"claims_product", "claims_source", "products_vendor"} <= indexes


def test_linked_data_is_what_schema_org_calls_claims(folders: Iterator[Path]) -> None:
    graph = jsonld.expand(json.loads(render_linked_data(contents_of("starter"))))
    kinds = {kind for node in graph for kind in node["@type"]}
    assert {"https://schema.org/Claim", "https://schema.org/ClaimReview", "https://schema.org/Organization"} <= kinds
    names = [node["@id"] for node in graph]
    assert len(names) == len(set(names))
    claims = {node["@id"]: node for node in graph if "https://schema.org/Claim" in node["@type"]}
    for node in claims.values():
        for term in ("about", "appearance", "author"):
            (linked,) = node[f"https://schema.org/{term}"]
            assert linked.get("@id", names[0]) in names
    reviews = [node for node in graph if "https://schema.org/ClaimReview" in node["@type"]]
    assert all(node["https://schema.org/itemReviewed"][0]["@id"] in claims for node in reviews)
    assert not any("_:" in name for name in names)
    unknown = [term for node in graph for term in node if not term.startswith(("https://schema.org/", "urn:", "@"))]
    assert unknown == []


SMALL = {
    "vendors": {"acme": {"name": "Acme"}},
    "products": {"one": {"name": "=HYPERLINK(1)", "vendor": "acme", "unit": "chip", "aliases": ["One", "No. 1; old"]}},
    "sources": {"page": {"title": 'Acme\'s "page"', "publisher": "acme", "kind": "vendor-page"}},
    "claims": [
        {
            "id": "one-memory",
            "product": "one",
            "metric": "memory-capacity",
            "value": "80 GB",
            "qualifier": "up to",
            "basis": {"scope": "chip"},
            "source": "page",
            "caveat": "Two lines,\nand a comma.",
        }
    ],
}


def test_the_formats_as_they_look(folders: Iterator[Path], snapshot: Any) -> None:
    contents = save(SMALL, next(folders) / "claims")
    assert render_csv(contents) == snapshot(name="csv")
    assert render_json(contents) == snapshot(name="json")
    assert render_linked_data(contents) == snapshot(name="jsonld")


def test_every_table_says_how_it_was_read(run: Run, inside: Path) -> None:
    (inside / "claims").mkdir()
    (inside / "claims" / "base.yaml").write_text(f"# Ours.\n{BASE}", encoding="utf-8")
    table = "id,product,metric,value,source\none-memory,,,96 GB,\n"
    (inside / "new.csv").write_text(table)
    arguments = ("--write", "claims/base.yaml", "--claims", "claims")
    done = run("claims", "import", "new.csv", *arguments)
    assert done.code == 2
    assert "new.csv: row 2, column B (product)" not in done.err  # an empty cell has no place of its own
    assert 'error: new.csv: row 2: claim "one-memory": product: missing; write the id of one' in done.err
    (inside / "new.csv").write_text("id,value\none-memory,96 GB\n")
    assert run("claims", "import", "new.csv", *arguments) == (
        0,
        "Changed: one-memory\nclaims/base.yaml: 0 added, 1 changed, 0 the same.\n",
        "",
    )
    text = (inside / "claims" / "base.yaml").read_text(encoding="utf-8")
    assert text == f"# Ours.\n{BASE}".replace("80 GB", "96 GB")
    done = run("claims", "import", "new.csv", *arguments, "--format", "json")
    assert json.loads(done.out) == {
        "filename": "claims/base.yaml",
        "added": [],
        "changed": [],
        "same": ["one-memory"],
    }


def test_without_a_file_to_write_the_records_are_printed(run: Run, inside: Path) -> None:
    (inside / "claims").mkdir()
    (inside / "claims" / "base.yaml").write_text(BASE, encoding="utf-8")
    (inside / "new.csv").write_text("id;product;metric;value;source;qualifier\r\nx;one;power;1.5 kW;page;up to\r\n")
    done = run("claims", "import", "new.csv", "--claims", "claims")
    assert done.code == 0, done.err
    assert yaml.safe_load(done.out)["claims"][0] == {
        "id": "x",
        "product": "one",
        "metric": "power",
        "value": "1.5 kW",
        "qualifier": "up to",
        "source": "page",
    }
    assert [path.name for path in (inside / "claims").iterdir()] == ["base.yaml"]


FAULTS = yaml.safe_load((Path(__file__).parent / "table_faults.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", FAULTS)
def test_what_is_wrong_with_a_table_is_told_by_row_and_column(case: str, run: Run, inside: Path) -> None:
    (inside / "claims").mkdir()
    (inside / "claims" / "base.yaml").write_text(BASE, encoding="utf-8")
    (inside / "new.csv").write_text(FAULTS[case]["table"], encoding="utf-8")
    done = run("claims", "import", "new.csv", "--write", "claims/new.yaml", "--claims", "claims")
    assert (done.code, done.out) == (2, "")
    assert f"error: new.csv: {FAULTS[case]['says']}" in done.err
    assert [path.name for path in (inside / "claims").iterdir()] == ["base.yaml"]


def test_what_is_no_table_is_said(run: Run, inside: Path) -> None:
    (inside / "book.csv").write_bytes(b"PK\x03\x04rest")
    (inside / "latin.csv").write_bytes("id,value\nx,5 µm\n".encode("latin-1"))
    (inside / "broken.yaml").write_text("claims: [\n")
    for table, target, message in (
        ("book.csv", "a.yaml", "book.csv: not CSV: it is a workbook"),
        ("latin.csv", "a.yaml", "latin.csv: line 2: not UTF-8 text"),
        ("nothing.csv", "a.yaml", "nothing.csv: cannot be read: No such file"),
        ("book.csv", "a.csv", "--write a.csv: a registry is read from .yaml and .yml files"),
        ("book.csv", "vocabulary.yaml", "--write vocabulary.yaml: a file of this name is a vocabulary"),
        ("book.csv", "broken.yaml", "broken.yaml:2:1: not valid YAML"),
    ):
        done = run("claims", "import", table, "--write", target)
        assert (done.code, message in done.err) == (2, True), done.err
    assert not (inside / "a.yaml").exists()


def test_a_table_that_joins_no_registry_is_told_how_to(run: Run, inside: Path) -> None:
    (inside / "new.csv").write_text("id,product,metric,value,source\nx,h100,power,5 W,page\n")
    done = run("claims", "import", "new.csv", "--write", "a.yaml")
    assert done.err.endswith("nothing was written; a.yaml is in no folder of the registry: --claims names one\n")


def test_an_export_that_cannot_be_written_is_said(run: Run, inside: Path) -> None:
    assert run("claims", "export", "--to", "sqlite").err == (
        "error: sqlite is a file that nobody reads as text: name one with --output-file\n"
    )
    done = run("claims", "export", "--to", "csv", "-o", "missing/out.csv")
    assert (done.code, done.err) == (
        2,
        "error: --output-file missing/out.csv: cannot be written: No such file or directory\n",
    )
    assert run("claims", "export", "--to", "xml").code == 2
    assert run("claims", "export", "--to", "csv", "--claims", "missing").code == 2


def test_a_printed_export_is_what_a_file_gets(run: Run, inside: Path) -> None:
    for form in ("csv", "json", "jsonld"):
        printed = run("claims", "export", "--to", form)
        assert run("claims", "export", "--to", form, "-o", "out").code == printed.code == 0
        assert (inside / "out").read_bytes().decode() == printed.out
    rows = list(csv.DictReader(io.StringIO(run("claims", "export", "--to", "csv").out)))
    assert len(rows) == len({(row["record"], row["id"]) for row in rows})


COMMENTED = """\
# Ours.
vendors:
  acme: {name: Acme}  # the maker

# What it makes.
products:
  one: {name: One, vendor: acme, unit: chip}

claims:
  # The first.
  - id: a
    value: 4.10  # as printed

# The end.
"""


def test_comments_stay_where_they_are() -> None:
    def change(root: Any) -> None:
        if isinstance(root, CommentedMap):
            add_record(root, "vendors", "zeta", {"name": "Zeta"})
            add_record(root, "claims", "b", {"id": "b", "value": "5"})
            add_record(root, "sources", "s", {"title": "S"})
        else:
            root["vendors"]["zeta"] = {"name": "Zeta"}
            root["claims"].append({"id": "b", "value": "5"})
            root["sources"] = {"s": {"title": "S"}}

    assert rewritten(COMMENTED, change) == (
        COMMENTED.replace("the maker\n", "the maker\n  zeta: {name: Zeta}\n").replace(
            "as printed\n", "as printed\n  - id: b\n    value: 5\n\nsources:\n  s: {title: S}\n"
        )
    )


@pytest.mark.parametrize("text", ["", "# Ours.\n", "# Ours.\nclaims:\n", "sources: {}\n"])
def test_an_empty_file_is_filled_and_keeps_its_comments(text: str, run: Run, inside: Path) -> None:
    (inside / "a.yaml").write_text(text)
    (inside / "new.csv").write_text("record,id,name\nvendor,acme,Acme\n")
    done = run("claims", "import", "new.csv", "--write", "a.yaml")
    assert (done.code, done.err) == (0, "")
    after = (inside / "a.yaml").read_text()
    assert after.startswith(text.partition("\n")[0] if text.startswith("#") else "")
    assert yaml.safe_load(after)["vendors"] == {"acme": {"name": "Acme"}}
