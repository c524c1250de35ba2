"""Figures bound to claims: to one, to one of several, to none, and against one."""

from __future__ import annotations

from pathlib import Path

import pytest

from caveat.article import read_article
from caveat.markdown.source import Source
from caveat.running.cache import Cache
from caveat.running.desk import find_desk, load_desk

REGISTRY = load_desk(find_desk(str(Path(__file__).parent / "claims")), Cache("")).registry


@pytest.mark.parametrize(
    ("text", "status", "claims"),
    [
        ("The H200 has 141 GB.", "bound", ["h200-memory"]),
        ("The H200 has 192 GB.", "contradicts", ["h200-memory"]),
        ("The H200 costs us 40 kg of copper.", "unknown", []),
        (
            "We looked at the MI300X, at Ironwood and at both their sheets.\n\nWith 192 GB the model fits.",
            "ambiguous",
            ["mi300x-memory", "tpu7x-memory"],
        ),
    ],
)
def test_a_figure_is_bound_to_what_it_may_rest_on(text: str, status: str, claims: list[str]) -> None:
    binding = read_article(Source(text), REGISTRY).bindings[0]
    assert (binding.status, [claim.id for claim in binding.claims]) == (status, claims)
