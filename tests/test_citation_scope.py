"""How far a link, a footnote or an attribution reaches: its sentence, or with the wider scope its paragraph."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from caveat.article import read_article
from caveat.engine import lint
from caveat.markdown.source import Source
from caveat.reading.reach import PARAGRAPH, SENTENCE
from caveat.running.cache import Cache
from caveat.running.desk import Desk, find_desk, load_desk

LINK = "The Foo 9 has 64 GB ([data sheet](https://example.com/foo)). It draws 700 W."
NOTE = "The Foo 9 draws 700 W. It has 64 GB.[^1]\n\n[^1]: The data sheet of the Foo 9, in its version of May."
KEY = "The Foo 9 draws 700 W. That much is new. It has 64 GB [@foo]."


@pytest.fixture(scope="module")
def desk() -> Desk:
    return load_desk(find_desk(str(Path(__file__).parent / "claims")), Cache(""))


def unsourced(desk: Desk, text: str, scope: str) -> list[str]:
    """The figures of a text that have no source."""
    found = lint(Source(text), desk.registry, desk.rules, scope)
    return [text[finding.start : finding.end] for finding in found if finding.rule == "unsourced-figure"]


@pytest.mark.parametrize("text", [LINK, NOTE, KEY, "Dell says that the Foo 9 has 64 GB. It draws 700 W.", f"- {LINK}"])
def test_a_source_reaches_its_paragraph_if_it_may(desk: Desk, text: str) -> None:
    assert unsourced(desk, text, SENTENCE) == ["700 W"]
    assert unsourced(desk, text, PARAGRAPH) == []


@pytest.mark.parametrize(
    "text",
    [
        "The Foo 9 has 64 GB ([data sheet](https://example.com/foo)).\n\nIt draws 700 W.",
        "- The Foo 9 has 64 GB ([data sheet](https://example.com/foo)).\n- It draws 700 W.",
        "| Chip | Power |\n|---|---|\n| Foo ([sheet](https://example.com/foo)). It has 64 GB | 1 |\n| Bar | 700 W |",
        "Studies show that the Foo 9 is fast. It draws 700 W.",
    ],
)
def test_no_scope_lends_what_another_paragraph_item_or_row_has(desk: Desk, text: str) -> None:
    assert unsourced(desk, text, PARAGRAPH) == ["700 W"] == unsourced(desk, text, SENTENCE)


def test_the_same_words_are_attributed_no_further_than_before_by_their_own_sentence(desk: Desk) -> None:
    text = "NVIDIA's B200 is the world's fastest chip."

    def rules(scope: str) -> list[str]:
        return [finding.rule for finding in lint(Source(text), desk.registry, desk.rules, scope)]

    assert rules(PARAGRAPH) == rules(SENTENCE) == ["unattributed-superlative"]


def test_a_wider_scope_costs_no_more_for_a_longer_paragraph(
    desk: Desk, calls: Callable[[Callable[[], object]], int]
) -> None:
    def cost(sentences: int) -> int:
        source = Source("AWS says that the Foo 9 has 64 GB. " * sentences)
        return calls(lambda: read_article(source, desk.registry, PARAGRAPH))

    cost(5)
    assert cost(200) < 4.5 * cost(50)
