"""What changes nothing for a reader changes no finding: line ends, wrapping, quotes, emphasis, signs, neighbours."""

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
from rewordings import REWORDINGS, plain

TESTS = Path(__file__).parent
DESK = load_desk(find_desk(str(TESTS / "claims")), Cache(""))
TEXTS = [
    case["text"]
    for path in sorted((TESTS / "cases").rglob("*.yaml"))
    for case in yaml.safe_load(path.read_text(encoding="utf-8"))
]
# Every so many texts one is put through each change alone; Hypothesis draws from all of them.
STEP = 12


def found(text: str) -> list[tuple[str, str]]:
    source = Source(text)
    return sorted((f.rule, plain(source.text[f.start : f.end])) for f in lint(source, DESK.registry, DESK.rules))


@pytest.mark.parametrize("name", REWORDINGS)
def test_a_change_for_no_reader_changes_no_finding(name: str) -> None:
    change = REWORDINGS[name]
    texts = [text for text in TEXTS[::STEP] if change(text) != text]
    assert len(texts) > 3
    assert [text for text in texts if found(change(text)) != found(text)] == []


@settings(deadline=None, max_examples=200, suppress_health_check=[HealthCheck.too_slow])
@given(text=st.sampled_from(TEXTS), names=st.sets(st.sampled_from(sorted(REWORDINGS)), min_size=2, max_size=4))
def test_changes_one_upon_the_other_change_no_finding(text: str, names: set[str]) -> None:
    changed = text
    for name, change in REWORDINGS.items():
        if name in names:
            changed = change(changed)
    assert found(changed) == found(text)
