"""The arithmetic that a text shows: which results are recognised, which fail, and what is no arithmetic at all.

The texts are in tests/arithmetic.yaml, where «» marks each result.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from caveat.arithmetic.derivations import DerivationReader
from caveat.article import Article, read_article
from caveat.markdown.source import Source
from caveat.registry.registry import Registry
from caveat.running.cache import Cache
from caveat.running.desk import find_desk, load_desk

CLAIMS = Path(__file__).parent / "claims"

TEXTS = yaml.safe_load((Path(__file__).parent / "arithmetic.yaml").read_text(encoding="utf-8"))
FAILING = [text for texts in TEXTS["failing"].values() for text in texts]
HOLDING = [text for texts in TEXTS["holding"].values() for text in texts]


@pytest.fixture(scope="module")
def registry() -> Registry:
    """The registry of tests/claims."""
    return load_desk(find_desk(str(CLAIMS)), Cache("")).registry


def marked(text: str) -> tuple[str, list[tuple[int, int]]]:
    """A text without its marks, and the stretches that they mark."""
    plain, spans, start = "", [], 0
    for letter in text:
        if letter == "«":
            start = len(plain)
        elif letter == "»":
            spans.append((start, len(plain)))
        else:
            plain += letter
    return plain, spans


def read(text: str, registry: Registry) -> Article:
    return read_article(Source(text, "draft.md"), registry)


def touched(span: tuple[int, int], places: list[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in places)


@pytest.mark.parametrize("text", FAILING)
def test_a_wrong_result_is_told_from_the_right_ones(text: str, registry: Registry) -> None:
    plain, spans = marked(text)
    failing = [(d.start, d.end) for d in read(plain, registry).derivations if not d.holds]
    assert len(failing) == len(spans)
    assert all(touched(span, failing) for span in spans)


@pytest.mark.parametrize("text", HOLDING)
def test_a_right_result_is_recognised(text: str, registry: Registry) -> None:
    plain, spans = marked(text)
    derivations = read(plain, registry).derivations
    assert all(d.holds for d in derivations)
    assert all(touched(span, [(d.start, d.end) for d in derivations]) for span in spans)


@pytest.mark.parametrize("text", TEXTS["silent"])
def test_what_is_no_arithmetic_is_no_failing_arithmetic(text: str, registry: Registry) -> None:
    article = read(text, registry)
    assert [d for d in article.derivations if not d.holds and not article.stances.silences(d.sentence)] == []


@given(st.integers(2, 400), st.integers(2, 4000))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_product_holds_just_when_it_is_right(registry: Registry, count: int, size: int) -> None:
    for wrong in (0, count * size // 5 + 60):
        text = f"The cluster has {count} × {size} GB = {count * size + wrong} GB."
        found = [d.holds for d in read(text, registry).derivations]
        assert found == [not wrong]


@given(st.integers(100, 9999), st.integers(100, 9999))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_change_holds_just_when_it_is_right(registry: Registry, old: int, new: int) -> None:
    percent = (abs(new - old) * 200 + old) // (2 * old)  # halves up, as people round
    word = "more" if new > old else "less"
    far = percent * 3 + 300 if new > old else percent + 45 if percent < 50 else percent - 45
    right = f"Memory went from {old} GB to {new} GB, {percent}% {word}."
    wrong = f"Memory went from {old} GB to {new} GB, {far}% {word}."
    assert all(d.holds for d in read(right, registry).derivations)
    assert not any(d.holds for d in read(wrong, registry).derivations if d.how == "change")


@pytest.mark.parametrize(
    ("head", "piece"),
    [
        ("", "8 × 141 GB + "),
        ("", "from 3 ms to 4 ms, 5% more, "),
        ("", "12 of 48, or 25%, "),
        ("", "2 W, 3 W and 4 W in all "),
        ("", "It has 5 W and 3 W. That is 1.2x more. "),
        ("", "four racks, six boards to the rack, "),
        ("", "64 chips for 72 hours, or 4,608 chip-hours, "),
        ("", "5 W over 3 W is 2, "),
        ("", "The H100 has 80 GB. The H200 has 141 GB. So you get 76% more memory. "),
        ("", "It takes 5 GB. Add 3 GB and you are at 8 GB, which leaves 2 GB. "),
        ("", "15% of 8 kW, or 2 kW, 3 of them, or 5%, "),
        ("", "At $3 an hour and 9 tokens/s a million tokens cost $2; around the clock it is $9 a day. "),
        ("| a | b | c |\n|---|---|---|\n| x | 5 W | 3 W |\n\n", "It is 3.5% more. "),
        ("| a | b | share |\n|---|---|---|\n", "| x | 5 W | 3% |\n"),
        ("| a | b |\n|---|---|\n", "| total | 5 W |\n"),
    ],
    ids=[
        "chain",
        "change",
        "share",
        "sum",
        "back",
        "counts",
        "hours",
        "over",
        "told",
        "added",
        "parts",
        "rents",
        "below",
        "table",
        "totals",
    ],
)
def test_the_cost_grows_with_the_length(
    head: str, piece: str, registry: Registry, calls: Callable[[Callable[[], object]], int]
) -> None:
    long, short = (reader_of(head + piece * times, registry) for times in (500, 50))
    assert calls(long.derivations) < 13 * calls(short.derivations)


def reader_of(text: str, registry: Registry) -> DerivationReader:
    """What finds the computations of a text, once the rest of it is read."""
    article = read(text, registry)
    statements = {s.index: article.statements_of(s) for s in article.sentences}
    return DerivationReader(article.document, article.tokens, article.subjects, statements)
