"""What drafts hold for a registry: how much of it is read, with nothing but the vocabulary, and how it is written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from caveat.figures.readings import read_quantity
from caveat.harvesting.entries import records
from caveat.harvesting.harvest import Harvest, harvest
from caveat.harvesting.proposals import Proposal
from caveat.harvesting.writing import add_to_file, as_yaml
from caveat.loading.validation import TODO
from caveat.markdown.source import Source
from caveat.registry.registry import UNSTATED, Claim, Registry
from caveat.running.cache import Cache
from caveat.running.desk import find_desk, load_desk
from commands import Run

TESTS = Path(__file__).parent
ARTICLE = TESTS / "articles" / "trainium3.md"

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
def empty(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    """A registry of nothing: the vocabulary alone."""
    folder = tmp_path_factory.mktemp("empty")
    (folder / "claims.yaml").write_text("claims:\n")
    return load_desk(find_desk(str(folder)), Cache("")).registry


@pytest.fixture(scope="module")
def of_article(empty: Registry) -> Harvest:
    """What the article holds for a registry of nothing."""
    return harvest([Source(ARTICLE.read_text(encoding="utf-8"), "trainium3.md")], empty)


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
        and proposal.basis.get("scope", claim.basis.get("scope"))
        == claim.basis.get("scope", proposal.basis.get("scope"))
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
