"""The registry that ships with Caveat: it loads, it is large enough, and every figure says where it comes from."""

from __future__ import annotations

from pathlib import Path

import pytest

from caveat import data
from caveat.engine import lint
from caveat.loading.problems import Problem
from caveat.loading.registry_files import Records
from caveat.loading.registry_loading import load_registry
from caveat.loading.registry_schema import ClaimEntry, SourceEntry
from caveat.loading.rule_schema import load_lexicons
from caveat.loading.rulebook_loading import qualifiers_of
from caveat.markdown.source import Source
from caveat.running.cache import Cache
from caveat.running.desk import Desk, find_desk, load_desk

# The reference registry, which the starter registry contains whole. Its sources name no addresses.
REFERENCE = Path(__file__).parent / "claims"


def load(folder: str) -> tuple[Records, list[Problem]]:
    problems: list[Problem] = []
    qualifiers = qualifiers_of(load_lexicons([data.rules_folder()], problems))
    records, _ = load_registry([folder], data.vocabulary_file(), problems, qualifiers)
    return records, problems


@pytest.fixture(scope="module")
def starter() -> Records:
    records, problems = load(data.claims_folder())
    assert [str(problem) for problem in problems] == []
    return records


@pytest.fixture(scope="module")
def reference() -> Records:
    records, problems = load(str(REFERENCE))
    assert [str(problem) for problem in problems] == []
    return records


@pytest.fixture(scope="module")
def desk() -> Desk:
    return load_desk(find_desk(data.claims_folder()), Cache(""))


def claims_of(records: Records) -> dict[str, ClaimEntry]:
    return {id_: placed.entry for id_, placed in records.claims.items() if placed.entry is not None}


def sources_of(records: Records) -> dict[str, SourceEntry]:
    return {id_: placed.entry for id_, placed in records.sources.items() if placed.entry is not None}


def test_size(starter: Records) -> None:
    claims = claims_of(starter)
    assert len(claims) >= 200
    assert len({claim.product for claim in claims.values()}) >= 40


def test_contains_the_reference_registry(starter: Records, reference: Records) -> None:
    claims = claims_of(starter)
    for id_, claim in claims_of(reference).items():
        assert claims[id_] == claim, id_
    assert sources_of(starter).items() >= sources_of(reference).items()


def test_reference_products_keep_their_names(starter: Records, reference: Records) -> None:
    for id_, placed in reference.products.items():
        product, entry = starter.products[id_].entry, placed.entry
        assert product is not None
        assert entry is not None
        assert set(product.aliases) >= set(entry.aliases), id_
        assert product.model_copy(update={"aliases": entry.aliases}) == entry, id_


def test_every_source_can_be_looked_up(starter: Records, reference: Records) -> None:
    for id_, source in sources_of(starter).items():
        if id_ not in reference.sources:
            assert source.url, id_
            assert source.published or source.retrieved, id_


def test_no_source_is_left_over(starter: Records) -> None:
    assert sources_of(starter).keys() == {claim.source for claim in claims_of(starter).values()}


def test_no_two_sources_share_a_name(starter: Records) -> None:
    names = [name.lower() for source in sources_of(starter).values() for name in (source.title, *source.aliases)]
    assert len(names) == len(set(names))


def test_vendor_figures_carry_the_words_of_their_source(starter: Records, reference: Records) -> None:
    sources = sources_of(starter)
    for id_, claim in claims_of(starter).items():
        if id_ not in reference.claims and sources[claim.source].kind.startswith("vendor-"):
            assert claim.evidence, id_


def test_throughput_says_whether_it_is_dense(starter: Records) -> None:
    """`unstated` is a value of its own: a peak in operations per second never leaves the question open."""
    for id_, claim in claims_of(starter).items():
        if claim.metric == "compute" and claim.compare is None:
            assert claim.basis.get("sparsity") in {"dense", "sparse", "unstated"}, id_


@pytest.mark.parametrize(
    "pair",
    [
        ("trainium3-energy-efficiency-takeaways", "trainium3-energy-efficiency-body"),
        ("trainium3-memory-bandwidth-neuron", "trainium3-memory-bandwidth-nki"),
        ("trainium3-link-neuron", "trainium3-link-neuron-gib"),
        ("trn3-ultraserver-memory-text", "trn3-ultraserver-memory-gib"),
        ("tpu-v5e-memory-bandwidth", "tpu-v5e-memory-bandwidth-older"),
        ("mi355x-cluster-gpus-summary", "mi355x-cluster-gpus-details"),
    ],
)
def test_known_conflicts_are_recorded(starter: Records, pair: tuple[str, str]) -> None:
    claims = claims_of(starter)
    for one, other in (pair, pair[::-1]):
        assert claims[one].status == "conflicting"
        assert claims[one].conflicts == [other]


def test_older_documents_are_superseded(starter: Records) -> None:
    claims = claims_of(starter)
    superseded = {id_ for id_, claim in claims.items() if claim.status == "superseded"}
    assert {"trn2-instance-fp8-dense-v2.21", "trn2-ultraserver-fp8-dense-v2.21", "trainium1-int8-v2.9"} <= superseded


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The MI300X is 1.6x faster than the H100, according to TensorWave.", {"1.6x": "figure-mismatch"}),
        ("The MI300X is 1.6x faster than the H100.", {"1.6x": "figure-mismatch"}),
        ("The MI300X is 1.6x faster than the H100, according to SemiAnalysis.", {}),  # another tester
        ("SemiAnalysis measured the MI300X at 1.6x the performance of the H100.", {}),
        ("Memory went from 80 GB to 141 GB for the H100.", {"141 GB": "figure-mismatch"}),
        ("Memory went from 80 GB to 141 GB between the H100 and the H200.", {}),  # the one each
        ("The H200 has 1.7x the memory bandwidth of the H100.", {"1.7x": "figure-mismatch"}),
        ("The H200 has 1.43x the memory bandwidth of the H100.", {}),  # as registered figures of both have it
        ("A B200 draws 14.3 kW, according to Dell.", {"14.3 kW": "figure-mismatch"}),
        ("Each of our B200 trays wants 14.3 kW at full load, Supermicro told us.", {}),  # which holds several
        ("A B200 chassis draws 14.3 kW, according to Dell.", {}),
    ],
)
def test_what_is_said_of_something_else_is_no_mismatch(desk: Desk, text: str, found: dict[str, str]) -> None:
    findings = lint(Source(text), desk.registry, desk.rules)
    assert {text[finding.start : finding.end]: finding.rule for finding in findings} == found
