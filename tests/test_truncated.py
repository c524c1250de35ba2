"""A draft may end anywhere: in a sentence, a number, a table, a footnote. Nothing is looked up behind its last word."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from caveat.engine import lint
from caveat.markdown.source import Source
from caveat.running.cache import Cache
from caveat.running.desk import find_desk, load_desk

TESTS = Path(__file__).parent
DESK = load_desk(find_desk(str(TESTS / "claims")), Cache(""))
TEXTS = [
    case["text"]
    for path in sorted((TESTS / "cases" / "all").glob("*.yaml"))
    for case in yaml.safe_load(path.read_text(encoding="utf-8"))
]


@settings(deadline=None, max_examples=400, suppress_health_check=[HealthCheck.too_slow])
@given(text=st.sampled_from(TEXTS), share=st.floats(0, 1))
def test_a_draft_that_breaks_off_is_read_to_its_end(text: str, share: float) -> None:
    cut = text[: int(len(text) * share)]
    assert all(0 <= f.start <= f.end <= len(cut) for f in lint(Source(cut), DESK.registry, DESK.rules))


@pytest.mark.parametrize(
    "text",
    [
        "We saw 30% on the MI325X, the lower of what we give each customer",
        "30% MI325X the lower we customer",
        "| Part | Memory |\n|---|---|\n| Gaudi 3 | 128 GB[^g] |\n| Ironwood | 192 GB[^i] |\n\n[^g]",
    ],
)
def test_a_phrase_may_be_the_last_word(text: str) -> None:
    assert all(f.end <= len(text) for f in lint(Source(text), DESK.registry, DESK.rules))
