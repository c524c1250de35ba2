"""Figures that are so many of a registered product or the ratio of two, and wrong percentages of registered figures."""

from __future__ import annotations

from pathlib import Path

import pytest

from caveat.article import Article, read_article
from caveat.binding.ratios import FAILS, HOLDS, recompute
from caveat.binding.registered_arithmetic import RegisteredArithmetic
from caveat.markdown.source import Source
from caveat.registry.registry import Registry
from caveat.running.cache import Cache
from caveat.running.desk import find_desk, load_desk

CLAIMS = Path(__file__).parent / "claims"


@pytest.fixture(scope="module")
def registry() -> Registry:
    """The registry of tests/claims."""
    return load_desk(find_desk(str(CLAIMS)), Cache("")).registry


def read(text: str, registry: Registry) -> Article:
    return read_article(Source(text, "draft.md"), registry)


def given(text: str, registry: Registry) -> list[str]:
    """The figures of a text that registered ones give."""
    article = read(text, registry)
    arithmetic = RegisteredArithmetic(article.subjects, article.document.prose)
    found = [statement.figure for statement in article.statements if arithmetic.gives(statement)]
    return [article.words(figure.start, figure.end) for figure in found]


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("A pair of H200s has 282 GB.", ["282 GB"]),
        ("Two H100s give you 160 GB, three give you 240 GB.", ["160 GB", "240 GB"]),
        ("Eight MI300X hold 1,536 GB.", ["1,536 GB"]),
        ("Eight MI300X hold 1,636 GB.", []),
        (
            "The parts are the H200 and the MI300X. For eight modules that is 1,128 GB and 1,536 GB.",
            ["1,128 GB", "1,536 GB"],
        ),
        ("The H200 has 141 GB, so the MI300X has 51 GB more.", ["51 GB"]),
        ("The H200 has 141 GB, so the MI300X has 61 GB more.", []),
        ("From the H100 the price rose. The H200 then added 61 GB.", ["61 GB"]),
        ("From the H100 the price rose. The H200 then added 71 GB.", []),
        ("First came the H200. The MI300X went on to add 51 GB, and 500 GB/s.", ["51 GB", "500 GB/s"]),
        ("First came the H200. The MI300X went on, and 51 GB of it was idle.", []),
        ("The H100 has 42% of the MI300X's memory and 63% of its bandwidth.", ["42%", "63%"]),
        ("The H100 has 48% of the MI300X's memory.", []),
        ("We use 8 nodes with 512 GB of main memory.", []),
        ("The H200 costs 43% more.", []),
    ],
)
def test_what_registered_figures_give(text: str, figures: list[str], registry: Registry) -> None:
    assert given(text, registry) == figures


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("The H100 has 42% of the MI300X's memory.", HOLDS),
        ("The H100 has 58% of the MI300X's memory.", FAILS),
        ("The H100 has only 42% of the MI300X's memory, and 63% of its bandwidth.", HOLDS),
        ("The H200 has 43% more memory bandwidth than the H100.", HOLDS),
    ],
)
def test_a_percentage_of_another_product_is_the_part_itself(text: str, status: str, registry: Registry) -> None:
    article = read(text, registry)
    assert recompute(article.comparisons[0], registry).status == status
