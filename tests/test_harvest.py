"""What drafts hold for a registry: how much of it is read, with nothing but the vocabulary, and how it is written."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from caveat.article import read_article
from caveat.figures.readings import read_quantity
from caveat.harvesting.harvest import Harvest, harvest
from caveat.harvesting.names import read_names
from caveat.harvesting.proposals import Proposal
from caveat.harvesting.writing import add_to_file
from caveat.loading.validation import TODO
from caveat.markdown.source import Source
from caveat.registry.registry import Claim, Registry
from caveat.running.cache import Cache
from caveat.running.desk import Desk, find_desk, load_desk
from commands import Run

TESTS = Path(__file__).parent
ARTICLE = TESTS / "articles" / "trainium3.md"
DRAFT = """# Acme's RK2

The RK2 does 1,200 TFLOPS of dense FP8 and draws up to 700 W, by [Acme's data sheet](https://example.com/rk2).
An RK2 Server holds 8 RK2 chips for 512 GB of memory, per Acme, and is said to be 1.5x faster. Do not ask for 900 W.
"""

# The figures of tests/claims that the article prints, each with the words that print it.
PRINTED = {
    "trainium3-fp8": "2.52 PFLOPs FP8",
    "trainium3-memory": "144 GB of HBM3e at 4.9 TB/s per chip, per AWS",
    "trainium3-memory-bandwidth": "at 4.9 TB/s per chip, per AWS",
    "trainium3-link": "NeuronLink-v4, 2 TB/s per chip",
    "trainium3-process": "| Process | 3nm |",
    "trn3-ultraserver-chips": "in Trn3 UltraServers of up to 144 chips",
    "trn3-ultraserver-fp8": "for up to 362 FP8 PFLOPs",
    "trn3-ultraserver-memory": "20.7 TB of HBM3e",
    "trn3-ultraserver-memory-bandwidth": "706 TB/s of aggregate memory bandwidth",
    "trn3-latency": 'inter-chip latency "just under 10 microseconds."',
    "trn3-link-vs-trn2": "doubles inter-chip bandwidth over Trn2",
    "ultraclusters-chips": "up to a stated 1 million Trainium chips",
    "trn3-performance-vs-trn2": "up to 4.4x higher performance",
    "trn3-memory-bandwidth-vs-trn2": "3.9x higher memory bandwidth",
    "trn3-performance-per-watt-vs-trn2": "4x better performance per watt",
    "trainium3-speed-vs-trainium2": "Trainium3 is up to 3x faster than Trainium2",
    "trainium3-tokens-per-megawatt-vs-trainium2": "over 5x higher output tokens per megawatt",
    "trainium3-energy-efficiency-takeaways": '"4x" energy efficiency',
    "trainium3-energy-efficiency-body": '"40%" better efficiency',
    "trainium-customer-cost": "cost reductions of up to 50%",
    "decart-speed": "4x faster real-time video generation",
    "decart-cost": "at half the cost of GPUs",
    "project-rainier-chips": "more than 500,000 Trainium2 chips in Project Rainier",
    "project-rainier-size": "five times the size of the infrastructure",
    "trainium4-fp4": "at least 6x the FP4 processing",
    "trainium4-fp8": "3x the FP8 performance",
    "trainium4-memory-bandwidth": "4x the memory bandwidth of Trainium3",
    "hgx-b200-fp8-dense": "36 PFLOPS dense per 8-GPU board",
    "b200-fp8-dense": "about 4.5 PFLOPS dense",
    "hgx-b200-memory": "1.4 TB across 8 GPUs",
    "b200-memory": "(about 180 GB each, computed)",
    "hgx-b200-gpus": "8 GPUs per HGX board; larger",
    "b200-nvlink": "NVLink 5, 1.8 TB/s per GPU",
    "h200-fp8-sparse": "(3,958 with sparsity)",
    "h200-fp8-dense": "1,979 TFLOPS dense",
    "h200-memory": "141 GB HBM3e",
    "h200-memory-bandwidth": "4.8 TB/s",
    "h200-nvlink": "NVLink 900 GB/s",
}


@pytest.fixture(scope="module")
def reference() -> Registry:
    """The registry of tests/claims."""
    return load_desk(find_desk(str(TESTS / "claims")), Cache("")).registry


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """The desk of a registry of nothing: the vocabulary alone, and the rules."""
    folder = tmp_path_factory.mktemp("empty")
    (folder / "claims.yaml").write_text("claims:\n")
    return load_desk(find_desk(str(folder)), Cache(""))


@pytest.fixture(scope="module")
def of_article(empty: Desk) -> Harvest:
    """What the article holds for a registry of nothing."""
    return harvest([Source(ARTICLE.read_text(encoding="utf-8"), "trainium3.md")], empty.registry, empty.rules)


def names_of(product: str, reference: Registry) -> set[str]:
    known = reference.products[product]
    return {name.lower() for name in (known.name, *known.aliases)}


def proposed_names(product: str, found: Harvest) -> set[str]:
    proposed = found.products.get(product)
    return {name.lower() for name in (proposed.name, *proposed.aliases)} if proposed else set()


def gives(proposal: Proposal, claim: Claim, found: Harvest, reference: Registry) -> bool:
    """Whether a proposal has the value, unit, product, metric, mode and qualifier of a claim."""
    written = read_quantity(proposal.value, reference.vocabulary)
    assert written is not None
    assert claim.figure is not None
    return (
        (written.base()[:2], written.unit, written.kind, written.noun)
        == (claim.figure.base()[:2], claim.figure.unit, claim.figure.kind, claim.figure.noun)
        and bool(proposed_names(proposal.product, found) & names_of(claim.product, reference))
        and proposal.metric == claim.metric
        and proposal.qualifier == claim.bound
        and all(proposal.basis.get(mode, "") == claim.basis.get(mode, "") for mode in ("precision", "sparsity"))
        and (proposal.basis.get("kind") == "target") == (claim.basis.get("kind") == "target")
        and claim.basis.get("scope") in (None, proposal.basis.get("scope"))
    )


def test_the_list_of_what_the_article_prints_is_whole(reference: Registry, of_article: Harvest) -> None:
    article = " ".join(ARTICLE.read_text(encoding="utf-8").split())
    assert [id_ for id_, words in PRINTED.items() if words not in article] == []
    printed = {p.figure.base()[:2] for p in of_article.proposals}
    for claim in reference.all_claims():
        if claim.id in PRINTED or claim.figure is None:
            continue
        named = any(
            re.search(rf"\b{re.escape(name)}s?\b", article.lower()) for name in names_of(claim.product, reference)
        )
        assert not (named and claim.figure.base()[:2] in printed), claim


def test_an_article_and_an_empty_registry_give_nine_of_ten_registered_figures(
    reference: Registry, of_article: Harvest
) -> None:
    claims = [claim for claim in reference.all_claims() if claim.id in PRINTED]
    assert len(claims) == len(PRINTED)
    missed = [c.id for c in claims if not any(gives(p, c, of_article, reference) for p in of_article.proposals)]
    assert 1 - len(missed) / len(claims) >= 0.9, missed
    assert missed == []


def test_next_to_nothing_is_proposed_that_the_reference_does_not_hold(reference: Registry, of_article: Harvest) -> None:
    claims = [claim for claim in reference.all_claims() if claim.figure is not None]
    others = [p.id for p in of_article.proposals if not any(gives(p, c, of_article, reference) for c in claims)]
    assert others == ["trainium3-chip-count"]


def test_what_is_written_is_sound_once_it_is_filled_in(run: Run, inside: Path) -> None:
    (inside / "claims").mkdir()
    (inside / "article.md").write_text(ARTICLE.read_text(encoding="utf-8"), encoding="utf-8")
    file = inside / "claims" / "aws.yaml"
    file.write_text("# Ours.\nclaims:\n")
    with_ours = ("--isolated", "--claims", "claims")
    written = run("claims", "harvest", *with_ours, "article.md", "--write", "claims/aws.yaml")
    assert (written.code, written.err) == (0, "")
    left = re.search(r"(\d+) TODO to fill in", written.out)
    assert left
    refused = run("claims", "check", *with_ours)
    assert refused.code == 2
    assert refused.err.count(": still TODO; write ") == int(left[1])
    meant = {"vendor": "aws", "unit": "chip", "kind": "press", "title": "A page", "source": "aws", "to": "unstated"}
    text = file.read_text().replace("product: TODO", "product: h200")
    file.write_text(re.sub(r"(\w+): TODO", lambda found: f"{found[1]}: {meant[found[1]]}", text))
    assert run("claims", "check", *with_ours).code == 0
    assert json.loads(run("check", *with_ours, "--format", "json", "article.md").out) == []
    again = run("claims", "harvest", *with_ours, "article.md", "--write", "claims/aws.yaml")
    assert again.out == "claims/aws.yaml: nothing to add.\n"


def test_the_shipped_registry_holds_all_that_the_article_has(run: Run, inside: Path) -> None:
    (inside / "article.md").write_text(ARTICLE.read_text(encoding="utf-8"), encoding="utf-8")
    found = json.loads(run("claims", "harvest", "--format", "json", "article.md").out)
    assert {claim["state"] for claim in found["claims"]} == {"same"}


@pytest.fixture
def drafts(inside: Path) -> Path:
    """A folder with a draft, and a registry that has one of its figures otherwise and one as it is."""
    (inside / "draft.md").write_text(DRAFT)
    (inside / "claims").mkdir()
    (inside / "claims" / "acme.yaml").write_text(
        "vendors:\n  acme: {name: Acme}\n"
        "products:\n  rk2: {name: RK2, vendor: acme, unit: chip}\n"
        "sources:\n  sheet: {title: RK2 sheet, publisher: acme, kind: vendor-doc}\n"
        "claims:\n"
        "  - {id: rk2-power, product: rk2, metric: power, value: 650 W, basis: {scope: chip}, source: sheet}\n"
        "  - {id: rk2-fp8, product: rk2, metric: compute, value: 1.2 PFLOPS, source: sheet,\n"
        "     basis: {precision: FP8, sparsity: dense, scope: chip}}\n"
    )
    return inside


@pytest.mark.parametrize("form", ["yaml", "full", "json"])
def test_what_a_draft_holds_is_printed(form: str, run: Run, drafts: Path, snapshot: SnapshotAssertion) -> None:
    assert run("claims", "harvest", "--claims", "claims", "--format", form, "draft.md") == snapshot


def test_a_differing_value_is_shown_and_never_written(run: Run, drafts: Path) -> None:
    before = (drafts / "claims" / "acme.yaml").read_text()
    written = run("claims", "harvest", "--claims", "claims", "draft.md", "--write", "claims/acme.yaml")
    assert written.out.startswith("draft.md:3: up to 700 W here; the registry has 650 W (rk2-power)\n")
    after = (drafts / "claims" / "acme.yaml").read_text()
    assert [line for line in before.splitlines() if line not in after.splitlines()] == []
    assert "700 W" not in after


def test_figures_of_others_and_of_the_writer_and_of_nobody_are_told_apart(empty: Desk) -> None:
    text = (
        "# The RK2\n\nWe measured 120 tokens/s on one RK2 with Llama 3.1 8B. Is the RK2 2x faster? "
        "By Acme, it takes 2-3x the power of an RK1. The RK2 has 64 GB of memory [^1]. It is worth 12 apples.\n\n"
        "[^1]: [RK2 sheet](https://example.com/rk2)\n"
    )
    found = harvest([Source(text, "draft.md")], empty.registry, empty.rules)
    assert [(p.value, p.product, p.metric, p.cited.title, p.cited.url) for p in found.proposals] == [
        ("64 GB", "rk2", "memory-capacity", "RK2 sheet", "https://example.com/rk2")
    ]
    assert {(left.place.words, left.why) for left in found.left_out} == {
        ("120 tokens/s", "the writer's own measurement"),
        ("2x", "the text does not assert it"),
        ("2-3x", "a range: a claim has one value"),
    }


@pytest.mark.parametrize(
    ("text", "products"),
    [
        ("The Intel Gaudi 3 has 128 GB. Intel says so.", {"Gaudi 3": "Intel"}),
        ("AMD Instinct MI300X, 192 GB, AMD says. NVIDIA's H200, 141 GB.", {"MI300X": "AMD", "H200": "NVIDIA"}),
        (
            "A GB200 NVL72 has 13.4 TB, a DGX H100 640 GB, eight H100s too.",
            {"GB200 NVL72": "", "DGX H100": "", "H100": ""},
        ),
        ("The RTX 4090 has 24 GB and the CS-3 44 GB.", {"RTX 4090": "", "CS-3": ""}),
        (
            "It has 8 GB of HBM3e, FP8, NVLink 5, PCIe Gen5 and P2P over NVLink-C2C, CUDA 12.4 and Llama 3.1 70B.",
            {},
        ),
        ("We ran 24 GB through it. See Table 3 of Section 2, March 2025, and Python 3.", {}),
        ("| | Acme RK2 | Acme QX7 |\n|---|---|---|\n| memory | 64 GB | 80 GB |\n", {"RK2": "Acme", "QX7": "Acme"}),
        ("They compare RK2 with RK1 Servers: 4x the speed.", {"RK2": "", "RK1 Server": "", "RK2 Server": ""}),
    ],
)
def test_names_are_read_by_their_form(text: str, products: dict[str, str], empty: Desk) -> None:
    names = read_names(read_article(Source(text, "draft.md"), empty.registry))
    assert {product.name: product.vendor for product in names.products.values()} == products


BROKEN = {
    "broken.yaml": ("claims: [a\n", "broken.yaml:2:1: not valid YAML"),
    "twice.yaml": ("claims:\n  - {id: x, id: y}\n", 'twice.yaml:2:13: the key "id" is given twice'),
    "list.yaml": ("- a\n", "list.yaml:1:1: a mapping is expected"),
    "flow.yaml": ("claims: {a: b}\n", "flow.yaml:1: claims is not written as lines"),
    "line.yaml": ("{claims: }\n", "line.yaml: a registry file holds sections"),
    "notes.txt": ("", "notes.txt: a registry file has a name that ends in .yaml or .yml"),
    "draft.md": (DRAFT, "draft.md: this is one of the drafts"),
    "folder.yaml": (None, "folder.yaml: cannot be read: Is a directory"),
    "nowhere/new.yaml": (None, "nowhere/new.yaml: cannot be written: No such file or directory"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_cannot_be_added_to_stays_as_it_is(name: str, run: Run, drafts: Path) -> None:
    text, message = BROKEN[name]
    if text is not None:
        (drafts / name).write_text(text)
    (drafts / "folder.yaml").mkdir()
    before = sorted(path for path in drafts.rglob("*"))
    result = run("claims", "harvest", "--claims", "claims", "draft.md", "--write", name)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"error: --write {message}")
    assert sorted(path for path in drafts.rglob("*")) == before
    assert text is None or (drafts / name).read_text() == text


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("empty.md", "\n\n", "empty.md: this draft is empty, so there is nothing to harvest"),
        ("words.md", "Hello there, 2025.\n", "words.md: this draft has no figure: no number with a unit"),
        ("missing.md", None, "missing.md: no such file or folder"),
    ],
)
def test_a_draft_with_nothing_in_it_ends_it_before_anything_is_written(
    name: str, text: str | None, message: str, run: Run, drafts: Path
) -> None:
    if text is not None:
        (drafts / name).write_text(text)
    result = run("claims", "harvest", "--claims", "claims", "draft.md", name, "--write", "new.yaml")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"error: {message}")
    assert not (drafts / "new.yaml").exists()


def test_what_the_draft_itself_contradicts_is_left_out(empty: Desk) -> None:
    text = "The RK2 chip has 64 GB of memory, by Acme's data sheet. The RK2 chip has 80 GB of memory in that table.\n"
    found = harvest([Source(text, "draft.md")], empty.registry, empty.rules)
    assert {p.value for p in found.proposals} == {"64 GB", "80 GB"}
    text = "The RK2 is 1.5x as fast as the RK1, Acme says.\n\nThe RK2 is 3.2x as fast as the RK1, Acme says.\n"
    found = harvest([Source(text, "draft.md")], empty.registry, empty.rules)
    assert found.proposals == []


def test_a_folder_may_have_drafts_without_figures(run: Run, drafts: Path) -> None:
    (drafts / "words.md").write_text("Hello there.\n")
    assert run("claims", "harvest", "--claims", "claims", ".").code == 0


def test_the_words_of_a_draft_steer_no_terminal_and_break_no_file(run: Run, drafts: Path) -> None:
    evil = "The QX9 draws 700\u202eW and 500 W, by [Acme\x1b[31m # x: {y\u2028}](https://example.com/rk2).\n"
    (drafts / "e\x1bvil.md").write_text(evil, encoding="utf-8")
    result = run("claims", "harvest", "--claims", "claims", "e\x1bvil.md", "--write", "new.yaml")
    assert result.code == 0
    assert "\x1b" not in result.out + result.err + (drafts / "new.yaml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def found(empty: Desk) -> Harvest:
    """What the draft holds for a registry of nothing."""
    return harvest([Source(DRAFT, "draft.md")], empty.registry, empty.rules)


COMMENTS = st.sampled_from(["", "# a note\n", "\n# two\n# notes\n\n", "\n\n"])
ENTRIES = {
    "vendors": ["a{0}: {{name: A}}\n", "b{0}:\n{1}  name: B # so called\n"],
    "products": ["p{0}: {{name: P{0}0, vendor: a1,\n{1}      unit: chip}}\n"],
    "sources": ['s{0}: {{title: "T: {0}", publisher: a1, kind: press}}\n'],
    "claims": [
        "- {{id: c{0}, product: p1, metric: power, value: {0} W, source: s1}}\n",
        "- id: c{0}\n{1}  # inside\n{1}  product: p1\n{1}  metric: power\n{1}  value: {0} W\n{1}  source: s1\n",
    ],
}


@st.composite
def registry_files(draw: st.DrawFn) -> str:
    """A registry file as somebody may have written it: any sections in any order, comments, indents and line ends."""
    text = draw(COMMENTS)
    for section in draw(st.permutations(list(ENTRIES)))[: draw(st.integers(0, 4))]:
        count = draw(st.integers(0, 2))
        text += f"{section}:{draw(st.sampled_from(['', '  # these']))}\n" if count else f"{section}:\n"
        indent = " " * draw(st.sampled_from([2, 4] if section != "claims" else [0, 2, 4]))
        for number in range(1, count + 1):
            entry = draw(st.sampled_from(ENTRIES[section]))
            text += draw(COMMENTS) + indent + entry.format(number, indent)
        text += draw(COMMENTS)
    text = text.rstrip("\n") if draw(st.booleans()) else text
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


@settings(max_examples=25, deadline=None)
@given(text=registry_files())
def test_a_file_keeps_every_line_and_gets_the_new_ones_once(
    text: str, found: Harvest, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("written") / "own.yaml"
    path.write_bytes(text.encode())
    added = add_to_file(found, str(path), str)
    kept = iter(added.text.splitlines())
    assert all(line in kept for line in text.splitlines())  # in their order: an iterator is used up
    assert ("\r\n" in text) <= ("\n" not in added.text.replace("\r\n", ""))
    assert sorted(added.ids) == ["claims", "products", "sources", "vendors"]
    path.write_bytes(added.text.encode())
    assert add_to_file(found, str(path), str).ids == {}
    assert added.text.count(TODO) == text.count(TODO) + 5


def test_what_the_registry_calls_otherwise_is_known_by_its_names_and_addresses(run: Run, inside: Path) -> None:
    (inside / "claims").mkdir()
    (inside / "claims" / "own.yaml").write_text(
        "vendors:\n  amazon: {name: Amazon, aliases: [AWS]}\n"
        "products:\n  tr3: {name: Other Tr3 thing, vendor: amazon, unit: chip}\n"
        "sources:\n  page: {title: A page, publisher: amazon, kind: vendor-page, url: https://example.com/tr3}\n"
    )
    (inside / "a.md").write_text("# AWS Tr3\n\nThe AWS Tr3 chip draws 500 W, by [this](https://example.com/tr3).\n")
    (inside / "b.md").write_text("# Two\n\nAWS Tr3 has 96 GB of memory, AWS says. AWS Tr3 chips draw 0.5 kW.\n")
    found = json.loads(run("claims", "harvest", "--claims", "claims", "--format", "json", "a.md", "b.md").out)
    assert found["vendors"] == {}
    assert {id_: product["vendor"] for id_, product in found["products"].items()} == {"tr3-2": "amazon"}
    assert [(c["product"], c["value"], c["source"], len(c["places"])) for c in found["claims"]] == [
        ("tr3-2", "500 W", "page", 2),
        ("tr3-2", "96 GB", "amazon", 1),
    ]
