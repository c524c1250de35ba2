"""Tables from the registry: what `caveat claims table` prints, and the regions that `caveat sync` keeps true."""

from __future__ import annotations

import json
import re
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from caveat import data
from caveat.comparing.asking import Asked, Mistake
from caveat.comparing.regions import fenced_table
from caveat.comparing.tables import as_markdown, build_table
from caveat.engine import lint
from caveat.markdown.source import Source
from caveat.registry.registry import Product
from caveat.running.cache import Cache
from caveat.running.desk import Desk, find_desk, load_desk
from commands import Run

ARTICLE = Path(__file__).parent / "articles" / "trainium3.md"


@cache
def starter() -> Desk:
    return load_desk(find_desk(data.claims_folder()), Cache(""))


def products() -> list[Product]:
    return list(starter().registry.products.values())


def every_metric() -> list[Asked]:
    return [Asked(metric, "") for metric in starter().registry.vocabulary.metrics]


PAIRS = st.deferred(lambda: st.sampled_from(list(combinations(products(), 2))))
SOME = st.deferred(lambda: st.lists(st.sampled_from(products()), min_size=1, max_size=4, unique=True))


def rules_found(text: str) -> list[tuple[str, str]]:
    found = lint(Source(text), starter().registry, starter().rules)
    return [(each.rule, text[each.start : each.end]) for each in found]


def rows(text: str) -> dict[str, list[str]]:
    """The rows of a Markdown table by their first cell, without marks of footnotes."""
    lines = [re.sub(r"\[\^[^\]]+\]", "", line) for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {row[0]: row[1:] for row in cells}


# ---- the table of the article

# Each row of the article with that of the table: what the cells of the one say, and by which words those of the other.
SAME = {
    ("FP8 per chip", "FP8 compute"): (
        [
            ("2.52 PFLOPs", "2.52 PFLOPS"),
            ("AWS does not state sparse or dense", "AWS does not say dense or sparse"),
        ],
        [
            ("about 4.5 PFLOPS dense", "about 4.5 PFLOPS dense"),
            ("computed: 36 PFLOPS dense per 8-GPU board", "computed: 36 PFLOPS dense per board / 8"),
        ],
        [("1,979 TFLOPS dense", "1,979 TFLOPS dense"), ("3,958 with sparsity", "3,958 TFLOPS sparse")],
    ),
    ("Low-precision formats", "Low-precision formats"): (
        [("MXFP8, MXFP4", "MXFP8, MXFP4")],
        [("FP8, FP4", "FP8, FP4")],
        [("FP8", "FP8")],
    ),
    ("Memory per chip", "Memory capacity"): (
        [("144 GB HBM3e", "144 GB HBM3e")],
        [("1.4 TB across 8 GPUs", "computed: 1.4 TB per board / 8"), ("about 180 GB each", "about 180 GB")],
        [("141 GB HBM3e", "141 GB HBM3e")],
    ),
    ("Memory bandwidth", "Memory bandwidth"): (
        [("4.9 TB/s", "4.9 TB/s")],
        [("not listed on the HGX page", "not stated")],
        [("4.8 TB/s", "4.8 TB/s")],
    ),
    ("Largest scale-up domain", "Largest scale-up domain"): (
        [("144 chips (Trn3 UltraServer)", "144 chips (Trn3 UltraServer)")],
        [("8 GPUs per HGX board", "8 GPUs (HGX B200)")],
        [("8 GPUs per HGX board", "8 GPUs (HGX H200)")],
    ),
    ("Scale-up fabric", "Interconnect bandwidth"): (
        [("NeuronLink-v4", "NeuronLink-v4"), ("2 TB/s", "2 TB/s")],
        [("NVLink 5", "NVLink 5"), ("1.8 TB/s", "1.8 TB/s")],
        [("NVLink", "NVLink"), ("900 GB/s", "900 GB/s")],
    ),
    ("Process", "Process node"): (
        [("3nm", "3 nm")],
        [("not stated", "not stated")],
        [("not stated", "not stated")],
    ),
}


def test_the_table_of_the_article_comes_from_the_registry_alone(run: Run, snapshot: SnapshotAssertion) -> None:
    result = run("claims", "table", "trainium3", "b200", "h200")
    assert (result.code, result.err) == (0, "")
    assert result.out == snapshot


def test_it_has_the_rows_of_the_article_with_the_same_values_modes_and_caveats(run: Run) -> None:
    made = rows(run("claims", "table", "trainium3", "b200", "h200").out)
    article = rows(ARTICLE.read_text(encoding="utf-8"))
    told_by_the_writer = {"", "---", "Where you rent it"}  # the market of today is nobody's specification
    assert {row for row, _ in SAME} == article.keys() - told_by_the_writer
    for (ours, theirs), cells in SAME.items():
        for of_article, of_table, words in zip(article[ours], made[theirs], cells, strict=True):
            for said, printed in words:
                assert said in of_article
                assert printed in of_table


def test_checking_it_gives_no_finding(run: Run, inside: Path) -> None:
    (inside / "table.md").write_text(run("claims", "table", "trainium3", "b200", "h200").out)
    result = run("check", "table.md")
    assert (result.code, result.out.splitlines()[-1]) == (0, "Found: nothing.")


# ---- any table


@settings(max_examples=40, deadline=None)
@given(PAIRS, st.sampled_from(["specified", "everything"]))
def test_a_table_passes_the_check(pair: tuple[Product, Product], rows_of: str) -> None:
    try:
        table = as_markdown(build_table(starter().registry, pair, every_metric() if rows_of == "everything" else []))
    except Mistake:
        return
    assert rules_found(table) == []


@settings(max_examples=30, deadline=None)
@given(SOME, st.sampled_from(["", "FP8", "memory", "FP8 compute"]))
def test_a_fenced_table_is_what_its_own_comment_asks_for(some: list[Product], metric: str) -> None:
    try:
        fenced = fenced_table(starter().registry, [p.id for p in some], [metric] if metric else [])
    except Mistake:
        return
    assert not [rule for rule, _ in rules_found(fenced) if rule == "stale-table"]
    assert rules_found(fenced.replace("\n| ", "\n| was ", 1))[0][0] == "stale-table"


def test_systems_of_different_kinds_are_told_apart_in_the_header(run: Run) -> None:
    made = rows(run("claims", "table", "b200", "HGX B200", "--metrics", "memory").out)
    assert made[""] == ["NVIDIA B200 (chip)", "NVIDIA HGX B200 (board)"]


def test_a_format_is_shown_with_what_is_specified_and_a_measurement_if_its_metric_is_named(run: Run) -> None:
    assert list(rows(run("claims", "table", "h200", "--metrics", "FP8").out)) == ["", "---", "FP8 compute"]
    named = rows(run("claims", "table", "h200", "--metrics", "FP8,token-throughput").out)
    assert named["FP8 token throughput"] == ["11,819 tokens/s measured by NVIDIA (Llama 2 13B; on one chip)"]


def test_a_machine_gets_cells_with_their_claims_and_the_notes(run: Run) -> None:
    made = json.loads(run("claims", "table", "b200", "h200", "--metrics", "memory bandwidth", "--format", "json").out)
    ((none, some),) = [row["cells"] for row in made["rows"]]
    assert (none["text"], none["claims"]) == ("not stated", [])
    assert [claim["id"] for claim in some["claims"]] == ["h200-memory-bandwidth"]
    assert made["notes"] == {"nvidia-h200-page": "NVIDIA H200 Tensor Core GPU."}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["trainum3"], "there is no product 'trainum3'; did you mean trainium3?"),
        (["h200", "H200 SXM"], "'h200' and 'H200 SXM' are the same product: name each product once"),
        (["h200", "--metrics", "memory,pwoer"], "there is no metric 'pwoer'; did you mean power?"),
        (["trainium3", "b200", "--metrics", "latency"], "no figures of Trainium3 or B200 on these metrics"),
        (["trainium4"], "the registry has no figures of Trainium4 on any metric"),
    ],
)  # fmt: skip
def test_what_no_table_can_be_made_of_is_said(arguments: list[str], said: str, run: Run) -> None:
    code, out, err = run("claims", "table", *arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1


def test_words_of_a_registry_stay_words_in_a_table(run: Run, inside: Path) -> None:
    (inside / "own").mkdir()
    (inside / "own" / "acme.yaml").write_text(
        """
vendors:
  acme: {name: "Acme|<b>"}
products:
  rocket: {name: "Rocket --> [x](y)", vendor: acme, unit: chip}
sources:
  sheet: {title: "Sheet <!-- caveat: end -->", publisher: acme, kind: vendor-doc}
claims:
  - {id: rocket-memory, product: rocket, metric: memory-capacity, value: 64 GB, source: sheet}
"""
    )
    fenced = run("claims", "table", "--claims", "own", "rocket", "--fenced").out
    assert fenced.count("-->") == 2
    assert "| | Acme\\|\\<b\\> Rocket --\\> \\[x\\](y) |" in fenced
    (inside / "draft.md").write_text(fenced)
    assert run("sync", "--claims", "own", "--check", "draft.md").code == 0


# ---- sync

ASKED = 'h200 b200 metrics="memory capacity"'
REGION = f"<!-- caveat: table {ASKED} -->\n"
END = "<!-- caveat: end -->\n"
TRUE = (
    "\n| | NVIDIA H200 | NVIDIA B200 |\n| --- | --- | --- |\n"
    "| Memory capacity | 141 GB HBM3e[^nvidia-h200-page] | about 180 GB (computed: 1.4 TB per board / 8)"
    "[^nvidia-hgx-page] |\n\n[^nvidia-h200-page]: NVIDIA H200 Tensor Core GPU.\n"
    "[^nvidia-hgx-page]: NVIDIA HGX platform.\n\n"
)


def write(path: Path, text: str) -> bytes:
    path.write_bytes(text.encode())
    return text.encode()


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_sync_writes_the_table_and_keeps_all_else(line_end: str, mark: str, run: Run, inside: Path) -> None:
    before = f"{mark}# Café\n\nText.\n\n{REGION}{END}\nMore.".replace("\n", line_end)
    write(inside / "draft.md", before)
    result = run("sync")
    assert result == (
        0,
        f"draft.md:5:1: table {ASKED}: synced\n1 table in 1 draft: 1 synced, 0 up to date.\n",
        "",
    )
    after = f"{mark}# Café\n\nText.\n\n{REGION}{TRUE}{END}\nMore.".replace("\n", line_end)
    assert (inside / "draft.md").read_bytes() == after.encode()
    assert run("check", "draft.md").code == 0
    assert run("sync").out == "1 table in 1 draft: 0 synced, 1 up to date.\n"


def test_a_stale_table_is_shown_and_not_written_if_it_is_only_checked(run: Run, inside: Path) -> None:
    before = write(inside / "draft.md", f"Text.\n\n{REGION}{TRUE.replace('141', '140')}{END}")
    code, out, _ = run("sync", "--check")
    assert code == 1
    assert out.splitlines() == [
        f'draft.md:3:1: table {ASKED}: stale, from "Memory capacity" on',
        "1 table in 1 draft: 1 stale, 0 up to date.",
    ]
    patch = run("sync", "--diff")
    assert patch.code == 1
    assert [line[:26] for line in patch.out.splitlines() if line[:1] in "+-"] == [
        "--- a/draft.md",
        "+++ b/draft.md",
        "-| Memory capacity | 140 G",
        "+| Memory capacity | 141 G",
    ]
    assert (inside / "draft.md").read_bytes() == before


def test_an_editor_is_offered_the_table_anew(run: Run, inside: Path) -> None:
    write(inside / "draft.md", f"Text.\n\n{REGION}{TRUE.replace('141', '140')}{END}")
    found = json.loads(run("check", "--format", "json", "draft.md").out)
    (fix,) = [row["fix"] for row in found if row["rule"] == "stale-table"]
    assert fix["applicability"] == "display-only"
    assert fix["edits"][0]["content"] == f"\n{TRUE}"
    assert run("check", "--fix", "--unsafe-fixes", "draft.md").code == 1


def test_a_table_that_a_formatter_has_set_is_left_as_it_is(run: Run, inside: Path) -> None:
    set_ = TRUE.replace("| --- | --- | --- |", "|:----|-----|---|").replace(" | about", "    |   about")
    before = write(inside / "draft.md", f"{REGION}{set_}{END}")
    assert run("sync").out == "1 table in 1 draft: 0 synced, 1 up to date.\n"
    assert (inside / "draft.md").read_bytes() == before


def test_a_note_that_the_draft_has_is_not_written_twice(run: Run, inside: Path) -> None:
    two = f"{REGION}{END}\n{REGION}{END}\n[^nvidia-hgx-page]: My own words.\n"
    write(inside / "draft.md", two)
    assert run("sync").code == 0
    text = (inside / "draft.md").read_text()
    assert text.count("[^nvidia-hgx-page]:") == text.count("[^nvidia-h200-page]:") == 1
    assert "My own words." in text
    assert run("sync", "--check").code == 0


def test_a_changed_registry_makes_a_table_stale_and_sync_mends_it(run: Run, inside: Path) -> None:
    (inside / "own").mkdir()
    registry = """
vendors:
  acme: {name: Acme}
products:
  rocket: {name: Rocket, vendor: acme, unit: chip}
sources:
  sheet: {title: Rocket data sheet, publisher: acme, kind: vendor-doc}
claims:
  - {id: rocket-memory, product: rocket, metric: memory-capacity, value: 64 GB, source: sheet}
"""
    (inside / "own" / "acme.yaml").write_text(registry)
    write(inside / "draft.md", f"<!-- caveat: table rocket -->\n{END}")
    assert run("sync", "--claims", "own").code == 0
    assert run("check", "--claims", "own", "draft.md").code == 0
    (inside / "own" / "acme.yaml").write_text(registry.replace("64 GB", "96 GB"))
    found = json.loads(run("check", "--claims", "own", "--format", "json", "draft.md").out)
    assert {"stale-table", "figure-mismatch"} == {row["rule"] for row in found}
    assert run("sync", "--claims", "own").code == 0
    assert "96 GB" in (inside / "draft.md").read_text()
    assert run("check", "--claims", "own", "draft.md").code == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<!-- caveat: table h200 b20 -->\n" + END, "draft.md:1:1: there is no product 'b20'; "),
        ("<!-- caveat: table trainum3 -->\n" + END, "did you mean trainium3?"),
        ("<!-- caveat: table h200 metrics=memory-bandwith -->\n" + END, "did you mean memory-bandwidth?"),
        ("<!-- caveat: table h200 H200 -->\n" + END, "'h200' and 'H200' are the same product"),
        ("<!-- caveat: table -->\n" + END, "this table names no product"),
        ('<!-- caveat: table "h200 -->\n' + END, "a quotation mark is not closed"),
        ("<!-- caveat: table trainium4 -->\n" + END, "no figures of Trainium4"),
        ("Text.\n\n" + REGION, "draft.md:3:1: this table has no end; write <!-- caveat: end --> behind it"),
        (REGION + REGION + END, "draft.md:1:1: this table has no end"),
        (END, 'draft.md:1:1: no "caveat: table" stands before this end'),
        (f"> {REGION}> {END}", "draft.md:1:3: this comment must stand alone on a line, in no list or quote"),
    ],
)
def test_a_region_that_cannot_be_made_out_is_a_finding_and_stops_sync(
    text: str, said: str, run: Run, inside: Path
) -> None:
    before = write(inside / "draft.md", f"{text}\n{REGION}{END}" if text != END else f"{END}\n{REGION}{END}")
    if "no end" in said and not text.startswith(REGION):
        before = write(inside / "draft.md", text)
    code, out, err = run("sync")
    assert (code, out) == (2, "")
    assert said in err
    assert "nothing in this draft was changed" in err
    assert (inside / "draft.md").read_bytes() == before
    found = json.loads(run("check", "--format", "json", "draft.md").out)
    assert any(row["rule"] == "stale-table" for row in found)


def test_a_comment_in_code_opens_nothing(run: Run, inside: Path) -> None:
    write(inside / "draft.md", f"```\n{REGION}```\n\n    {REGION}\nand `{REGION.strip()}`.\n")
    assert run("sync").out == "No draft has a table from the registry.\n"
    assert run("check", "draft.md").code == 0


def test_standard_input_is_synced_to_standard_output(run: Run) -> None:
    result = run("sync", "-", stdin=f"{REGION}{END}".encode())
    assert (result.code, result.out) == (0, f"{REGION}{TRUE}{END}")
    assert result.err.endswith("1 table in 1 draft: 1 synced, 0 up to date.\n")


def test_mdx_has_comments_of_its_own(run: Run, inside: Path) -> None:
    write(inside / "draft.mdx", "{/* caveat: table h200 metrics=memory */}\n{/* caveat: end */}\n")
    assert run("sync").code == 0
    assert "| Memory capacity | 141 GB HBM3e[^nvidia-h200-page] |" in (inside / "draft.mdx").read_text()
    assert run("check", "draft.mdx").code == 0


def test_a_machine_gets_what_was_synced(run: Run, inside: Path) -> None:
    write(inside / "draft.md", f"{REGION}{END}")
    stale = {"row": 1, "column": 1, "words": 'h200 b200 metrics="memory capacity"', "differs": ""}
    expected = [{"filename": "draft.md", "tables": 1, "stale": [stale], "written": True}]
    assert json.loads(run("sync", "--format", "json").out) == expected


def test_a_file_that_cannot_be_written_is_said_and_the_others_are_synced(run: Run, inside: Path) -> None:
    before = write(inside / "a.md", f"{REGION}{END}")
    write(inside / "b.md", f"{REGION}{END}")
    (inside / "a.md").chmod(0o444)
    code, _, err = run("sync")
    assert (code, err) == (2, "error: a.md: cannot be synced: the file is read-only\n")
    assert (inside / "a.md").read_bytes() == before
    assert TRUE in (inside / "b.md").read_text()
