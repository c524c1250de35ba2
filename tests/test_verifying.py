"""`caveat claims verify`: what a page bears out, and what the words around a value say against a claim."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from caveat import data
from caveat.evidence.formats import kind_of
from caveat.evidence.html_page import read_html
from caveat.evidence.judging import Judge
from caveat.evidence.lines import add_lines
from caveat.evidence.page import PageBuilder, without_marks
from caveat.evidence.pages import read_page
from caveat.evidence.verdicts import NOT_BORNE_OUT, NOTHING_TO_FIND, VERIFIED, Verdict
from caveat.evidence.wording import Words
from caveat.outcome import UserError
from caveat.registry.registry import Claim, Registry
from caveat.running.cache import Cache
from caveat.running.desk import find_desk, load_desk
from commands import Result, Run
from pages import PAGE, REGISTRY, TITLE, pdf

CASES = yaml.safe_load((Path(__file__).parent / "verdicts.yaml").read_text(encoding="utf-8"))


# Claims that rest on the PDF below.
MEMORY = {"metric": "memory-capacity", "value": "32 GB"}
COMPUTE = {"metric": "compute", "value": "3958 TFLOPS", "basis": {"precision": "FP8", "sparsity": "dense"}}
OF_PDF = {
    "in its column": MEMORY | {"product": "rocket-mini"},
    "in another column": MEMORY,
    "under a note": COMPUTE | {"evidence": "reaches 3,958 TFLOPS in FP8, which is a number"},
    "over the end of a line": MEMORY
    | {"value": "64 GB", "qualifier": "up to", "evidence": "the sentence over the end"},
    "before a raised mark": MEMORY | {"metric": "power", "value": "700 W", "evidence": "draws 700 W and"},
    "in prose of two columns": MEMORY | {"value": "48 GB", "evidence": "dream, as it has 48 GB of memory in one"},
}


def registry_of(claims: dict[str, dict[str, Any]]) -> str:
    """The registry of the tests with these claims, by their ids, instead of its own."""
    records = [{"id": id_, "product": "rocket", "source": "sheet"} | claim for id_, claim in claims.items()]
    return REGISTRY.partition("claims:")[0] + yaml.safe_dump({"claims": records})


def id_of(case: str) -> str:
    return case.replace(",", "").replace(" ", "-")


@pytest.fixture(scope="module")
def rockets(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    """A registry with the claims of all cases."""
    folder = tmp_path_factory.mktemp("claims")
    claims = {case["case"]: case["claim"] for case in CASES} | OF_PDF
    text = registry_of({id_of(case): claim for case, claim in claims.items()})
    (folder / "acme.yaml").write_text(text, encoding="utf-8")
    return load_desk(find_desk(str(folder)), Cache("")).registry


def verdict(registry: Registry, page: bytes, name: str, case: str) -> tuple[str, str]:
    """The result of the claim of a case that rests on a page, and the message."""
    claim = registry.claim(id_of(case))
    assert claim is not None
    found = Judge(read_page(page, kind_of(page, name), name), registry).verdict(claim)
    return found.result, found.message


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])
def test_a_page_says_what_a_claim_says_or_what_it_does_not(case: dict[str, Any], rockets: Registry) -> None:
    pages = {"page.html": f"{TITLE}{case['html']}", "page.txt": case.get("text", "")}
    for name, page in pages.items():
        if page:
            expected = (case["result"], case.get("message", ""))
            assert verdict(rockets, page.encode(), name, case["case"]) == expected


def test_a_pdf_has_columns_and_notes(rockets: Registry) -> None:
    sheet = pdf(
        "Acme Rocket data sheet",
        "The Rocket has up to 64 GB of memory and it reaches 3,958 TFLOPS* in FP8, which is a number that takes the "
        "sentence over the end of its line and on to the next.",
        "It draws 700^1^ W and has 10^9^ transistors.",
        "^1^ Up to, by configuration.",
        table=[["", "Rocket", "Rocket Mini"], ["Memory", "64 GB", "32 GB"], ["Power", "700 W", "350 W"]],
        note="* With sparsity.",
    )
    results = {case: verdict(rockets, sheet, "a.pdf", case) for case in list(OF_PDF)[:-1]}
    assert results == {
        "in its column": (VERIFIED, ""),
        "in another column": ("other product's column", "it stands in the column or row of Rocket Mini"),
        "under a note": ("mode contradicted", 'the page says "With sparsity"; the claim, sparsity dense'),
        "over the end of a line": (VERIFIED, ""),
        "before a raised mark": ("qualifier dropped", 'the page says "Up to"; the claim, 700 W'),
    }


def test_prose_in_two_columns_is_read_one_after_the_other(rockets: Registry) -> None:
    left = [
        "The Rocket is our largest engine and reaches a speed",
        "of which others dream, as it has 48 GB of memory",
        "in one.",
    ]
    page = "\n".join(f"{line:<56}Nothing is said here of any other engine of anyone" for line in left)
    assert verdict(rockets, page.encode(), "a.txt", "in prose of two columns") == (VERIFIED, "")


# The command.


@pytest.fixture
def stored(run: Run, inside: Path) -> Path:
    """A registry of claims, of which one is borne out by its page, some are not, and one has no page."""
    memory = {"metric": "memory-capacity", "value": "64 GB"}
    power = {"metric": "power", "value": "700 W"}
    claims = {
        "memory": memory | {"qualifier": "up to", "evidence": "up to 64 GB"},
        "memory-flat": memory | {"evidence": "64 GB of memory"},
        "power": power | {"evidence": "draws 700 W"},
        "unseen": power | {"source": "page"},
    }
    (inside / "claims").mkdir()
    (inside / "claims" / "acme.yaml").write_text(registry_of(claims))
    (inside / "rocket.html").write_text(PAGE)
    done = run("claims", "snapshot", "sheet", "--from", "rocket.html", "--claims", "claims", "--taken", "2026-12-01")
    assert done.code == 0
    return inside / "claims"


def verify(run: Run, *arguments: str) -> Result:
    return run("claims", "verify", "--claims", "claims", *arguments)


def test_what_is_not_borne_out_is_listed_with_the_words_of_the_page(
    stored: Path, run: Run, snapshot: SnapshotAssertion
) -> None:
    assert verify(run) == snapshot
    assert verify(run, "memory", "unseen") == snapshot(name="named")
    assert verify(run, "--format", "json", "memory", "power") == snapshot(name="json")


def test_exit_codes(stored: Path, run: Run) -> None:
    assert verify(run).code == 1
    assert verify(run, "memory").code == 0
    assert verify(run, "unseen").code == 0
    assert verify(run, "memroy") == Result(2, "", "error: there is no claim 'memroy'; did you mean memory?\n")


def test_a_file_that_is_not_what_was_recorded_is_said(stored: Path, run: Run, snapshot: SnapshotAssertion) -> None:
    (stored / "snapshots" / "sheet.html").write_text(PAGE.replace("64", "48"))
    assert verify(run, "memory") == snapshot


def test_a_missing_file_is_said_and_costs_no_other(stored: Path, run: Run, snapshot: SnapshotAssertion) -> None:
    assert run("claims", "snapshot", "page", "--from", "rocket.html", "--claims", "claims").code == 0
    (stored / "snapshots" / "sheet.html").unlink()
    assert verify(run) == snapshot


def test_a_snapshot_that_was_put_there_by_hand_is_looked_at_in_the_same_way(stored: Path, run: Run) -> None:
    page = stored / "snapshots" / "sheet.html"
    text = (stored / "acme.yaml").read_text()
    before = hashlib.sha256(page.read_bytes()).hexdigest()
    page.write_bytes(pdf("The Rocket has up to 64 GB of memory."))
    (stored / "acme.yaml").write_text(text.replace(before, hashlib.sha256(page.read_bytes()).hexdigest()))
    done = verify(run)
    assert done.code == 2
    assert "claims/snapshots/sheet.html: by its name it is to be HTML, and its content is PDF" in done.err
    assert json.loads(verify(run, "--format", "json").out)[0]["result"] == "snapshot unreadable"


def test_a_fault_of_caveats_costs_no_other_page(stored: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("claims", "snapshot", "page", "--from", "rocket.html", "--claims", "claims").code == 0

    def fault(self: Judge, claim: Claim) -> Verdict:
        if claim.source == "sheet":
            raise ZeroDivisionError
        return Verdict(claim, VERIFIED)

    monkeypatch.setattr(Judge, "verdict", fault)
    done = verify(run)
    assert done.code == 2
    assert done.out == "Verified: 1 of 4 claims; 3 snapshot unreadable.\n"
    assert done.err.startswith(
        "error: claims/snapshots/sheet.html: not verified, by a fault in Caveat: ZeroDivisionError"
    )


def test_the_page_of_a_pdf_is_named(stored: Path, run: Run) -> None:
    (stored.parent / "rocket.pdf").write_bytes(
        pdf("The Rocket.", "\fIt draws 700 W.", "\fIt has up to 64 GB of memory.")
    )
    assert run("claims", "snapshot", "sheet", "--from", "rocket.pdf", "--claims", "claims").code == 0
    done = verify(run)
    assert '    snapshots/sheet.pdf, page 3: "It has up to 64 GB of memory."\n' in done.out
    assert [row["page"] for row in json.loads(verify(run, "memory", "power", "--format", "json").out)] == [3, 2]


def test_what_a_page_says_cannot_steer_the_terminal(stored: Path, run: Run) -> None:
    (stored.parent / "rocket.html").write_text(PAGE.replace("memory", "memory &#27;[31m\u202e"))
    assert run("claims", "snapshot", "sheet", "--from", "rocket.html", "--claims", "claims").code == 0
    done = verify(run)
    assert "\x1b" not in done.out
    assert "\u202e" not in done.out


# Whatever a page holds.


@pytest.fixture(scope="module")
def starter() -> Registry:
    return load_desk(find_desk(data.claims_folder()), Cache("")).registry


def test_the_fragments_of_the_starter_registry_bear_out_its_claims(starter: Registry) -> None:
    """Each source as a page of the fragments that the registry has of it. Five are no whole words of their value."""
    of_source: dict[str, dict[str, None]] = {}
    for claim in starter.all_claims():
        of_source.setdefault(claim.source, {})[claim.evidence] = None
    doubtful = set()
    for source, fragments in of_source.items():
        text = "\n\n".join(filter(None, fragments))
        judge = Judge(read_page(text.encode(), "text", source), starter) if text else None
        claims = [claim for claim in starter.claims_from([source]) if claim.evidence]
        doubtful |= {claim.id for claim in claims if judge and judge.verdict(claim).result in NOT_BORNE_OUT}
    assert doubtful == {
        "h100-first-token-vs-a100",  # "up to" stands elsewhere on the page
        "h200-llama2-13b-headline",  # the title of the source, which no draft could mean as a figure
        "b200-memory-bandwidth-reported",  # a product that the page leaves to its reader
        "mi355x-cluster-gpus-details",  # "(x87)"
        "hgx-h200-gpus",  # "(TP8)"
    }


TEXTS = st.text(st.sampled_from("ab 0159.,%<>/=\"'&;!-*|\n\t[]()¹†\ufdd0\ufdd1GBtrdhpu"), max_size=200)
TAGS = [
    *(
        "<table>",
        "<tr>",
        "<td>",
        "<th rowspan=2>",
        "<td colspan=3>",
        "</td>",
        "<caption>",
        "<thead>",
        "<tfoot>",
        "</table>",
    ),
    *(
        "<p>",
        "<p id=n>",
        "<ul>",
        "<li>",
        "</ul>",
        "<dl>",
        "<dt>",
        "<dd>",
        "<h2>",
        "<pre>",
        "<br>",
        "<sup>1</sup>",
        "64 GB",
    ),
    *("<a href='#n'><sup>*</sup></a>", "up to ", "<!--x-->", "<del>", "</del>", "<template>", "<svg>", "<math>"),
]


def holds_together(builder: PageBuilder) -> None:
    """Blocks follow one another and lie in the text; each cell of a table is where its table has it."""
    document = builder.document("page")
    assert len(document.prose) == len(document.source.text)
    ends = [0, *(block.end for block in document.blocks)]
    assert all(before <= block.start < block.end for before, block in zip(ends, document.blocks, strict=False))
    for number, table in enumerate(document.tables):
        assert len({len(row) for row in table.rows}) == 1
        for at, row in enumerate(table.rows):
            for column, index in enumerate(row):
                if index >= 0:
                    block = document.blocks[index]
                    assert (block.table, block.row <= at, block.column <= column) == (number, True, True)


@given(TEXTS)
def test_any_text_is_a_page(text: str) -> None:
    builder = PageBuilder()
    add_lines(builder, without_marks(text))
    holds_together(builder)
    holds_together(read_html(text))


@given(st.lists(st.sampled_from(TAGS), max_size=40))
def test_any_tags_are_a_page(tags: list[str]) -> None:
    holds_together(read_html("".join(tags)))


@given(
    st.lists(
        st.sampled_from([*TAGS, "Rocket ", "Rocket Mini ", "3,958 TFLOPS ", "FP8 ", "With sparsity. "]), max_size=30
    )
)
@settings(max_examples=50)
def test_any_page_bears_out_a_claim_or_does_not(rockets: Registry, tags: list[str]) -> None:
    with suppress(UserError):
        judge = Judge(read_page("".join(tags).encode(), "HTML", "page"), rockets)
        results = {judge.verdict(claim).result for claim in rockets.all_claims()}
        assert results <= {VERIFIED, *NOT_BORNE_OUT, NOTHING_TO_FIND}


@given(st.binary(max_size=300), st.sampled_from(["a.html", "a.pdf", "a.txt", "a"]))
@settings(max_examples=50)
def test_any_bytes_are_a_page_or_an_error(content: bytes, name: str) -> None:
    for begins in (b"", b"%PDF-1.7\n", b"<!doctype html>", b"\xff\xfe"):
        with suppress(UserError):
            read_page(begins + content, kind_of(begins + content, name), name)


@given(st.text(max_size=60), st.text(st.characters(exclude_characters="…."), max_size=60), st.text(max_size=60))
def test_what_stands_on_a_page_is_found_there(before: str, words: str, after: str) -> None:
    found = Words(f"{before} {words} {after}").find(words)
    assert found or not Words(words).find(words)


@pytest.mark.parametrize(
    ("piece", "times"),
    [
        *(("<div>", 5_000), ("<table><tr><td>", 1_000), ("<ul><li>", 3_000), ("<sup>", 3_000)),
        *(("<a href=#a><sup>", 1_000), ("<tr><td rowspan=65534 colspan=1000>1", 500)),
        *(("1  2\n", 5_000), ("| ", 20_000), ("1\n\n", 10_000)),
    ],
)
def test_no_page_takes_long(piece: str, times: int) -> None:
    text = f"<table>{piece * times}"
    holds_together(read_html(text))
    builder = PageBuilder()
    add_lines(builder, text)
    holds_together(builder)
