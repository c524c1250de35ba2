"""Binding costs in a straight line, however many products a draft names before a figure of nobody."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path

import pytest

from caveat.article import read_article
from caveat.markdown.source import Source
from caveat.registry.registry import Registry
from caveat.running.cache import Cache
from caveat.running.desk import find_desk, load_desk

CLAIMS = Path(__file__).parent / "claims"


@pytest.fixture(scope="module")
def registry() -> Registry:
    return load_desk(find_desk(str(CLAIMS)), Cache("")).registry


def test_many_products_before_many_figures(registry: Registry, calls: Callable[[Callable[[], object]], int]) -> None:
    def read(times: int) -> None:
        text = "The H100 and the H200 and the MI300X. " * times + "\n\n" + "It has 5 GB of it. " * times
        read_article(Source(text, "draft.md"), registry)

    assert calls(lambda: read(200)) < 6 * calls(lambda: read(50))


def test_a_draft_that_was_checked_is_freed_at_once(registry: Registry) -> None:
    source = Source((Path(__file__).parent / "articles" / "hopper-memory.md").read_text(encoding="utf-8"), "draft.md")
    read_article(source, registry)  # what is made once for all drafts is made
    gc.collect()
    gc.disable()
    try:
        read_article(source, registry)
        assert gc.collect() == 0
    finally:
        gc.enable()
