"""What `caveat claims compare` says of two products, and that its sentences pass the check."""

from __future__ import annotations

import json
from decimal import Decimal
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from caveat import data
from caveat.binding.ratios import basis_value
from caveat.comparing.asking import Mistake
from caveat.comparing.compare import Row, Verdict, compare
from caveat.engine import lint
from caveat.markdown.source import Source
from caveat.registry.registry import UNSTATED, Product
from caveat.running.cache import Cache
from caveat.running.desk import Desk, find_desk, load_desk
from commands import Run

# The dimensions in which the two figures of a ratio may not differ.
MODES = ("precision", "sparsity", "scope", "kind", "direction", "power", "phase", "workload")


class Told(NamedTuple):
    """Two products, and one of the things that comparing them gives."""

    left: Product
    right: Product
    row: Row
    verdict: Verdict


@cache
def starter() -> Desk:
    return load_desk(find_desk(data.claims_folder()), Cache(""))


def told_of(left: Product, right: Product) -> list[Told]:
    """All that comparing two products gives; nothing for two without a metric in common."""
    try:
        rows = compare(starter().registry, left, right)
    except Mistake:
        return []
    return [Told(left, right, row, verdict) for row in rows for verdict in row.verdicts]


@cache
def everything() -> list[Told]:
    """What comparing all pairs of shipped products gives."""
    shipped = [product for product in starter().registry.products.values() if product.status == "current"]
    return [told for left, right in permutations(shipped, 2) for told in told_of(left, right)]


ANYTHING = st.deferred(lambda: st.sampled_from(everything()))


def findings(text: str) -> list[tuple[str, str]]:
    found = lint(Source(text), starter().registry, starter().rules)
    return [(each.rule, text[each.start : each.end]) for each in found]


def test_there_is_something_to_compare() -> None:
    assert len(everything()) > 2000
    assert {told.row.metric for told in everything()} >= {"compute", "memory-capacity", "memory-bandwidth"}
    assert 500 < sum(told.verdict.ratio is not None for told in everything()) < len(everything()) - 500


@settings(max_examples=60, deadline=None)
@given(ANYTHING)
def test_a_sentence_passes_the_check(told: Told) -> None:
    assert findings(told.verdict.sentence) == []


@settings(max_examples=4, deadline=None)
@given(st.lists(ANYTHING, min_size=40, max_size=40, unique_by=lambda told: told.verdict.sentence))
def test_sentences_pass_the_check_together(many: list[Told]) -> None:
    assert findings("\n\n".join(told.verdict.sentence for told in many)) == []


def test_no_ratio_is_of_mixed_modes() -> None:
    for told in everything():
        left, right, apart, ratio, interval, sentence = told.verdict
        assert (ratio is None) == ("a ratio of" not in sentence)
        assert (ratio is None) == ("no like-for-like ratio" in sentence)
        if ratio is None or interval is None:
            continue
        assert not apart
        assert left.status == right.status == "current"
        assert told.left.unit == told.right.unit
        assert interval.low < ratio < interval.high
        for name in MODES:
            one, other = (basis_value(claim, name, starter().registry) for claim in (left, right))
            assert one == other, (left.id, right.id, name)
            assert one != UNSTATED or told.left.vendor == told.right.vendor, (left.id, right.id, name)


def test_a_ratio_is_the_same_seen_from_the_other_side() -> None:
    ratios = {
        (told.verdict.left.id, told.verdict.right.id): told.verdict.ratio
        for told in everything()
        if told.verdict.ratio is not None
    }
    for (left, right), ratio in ratios.items():
        back = ratios.get((right, left))
        assert back is None or abs(ratio * back - 1) < Decimal("1e-20")


def test_trainium3_and_b200_have_no_ratio_in_fp8(run: Run, snapshot: SnapshotAssertion) -> None:
    result = run("claims", "compare", "trainium3", "b200", "--metric", "FP8")
    assert (result.code, result.err) == (0, "")
    assert result.out == snapshot
    assert "no like-for-like ratio" in result.out
    assert "1.8" not in result.out
    assert "0.56" not in result.out


def test_what_is_like_for_like_has_its_ratio_with_the_room_that_rounding_leaves(
    run: Run, snapshot: SnapshotAssertion
) -> None:
    assert run("claims", "compare", "mi300x", "H100 SXM", "--metric", "FP8", "--metric", "memory").out == snapshot


def test_what_is_in_dispute_is_told_with_both_values(run: Run, snapshot: SnapshotAssertion) -> None:
    assert run("claims", "compare", "TPU v5p", "gaudi3", "--metric", "memory capacity").out == snapshot


def test_what_is_published_of_two_products_is_listed_with_who_says_so(run: Run, snapshot: SnapshotAssertion) -> None:
    named = ("claims", "compare", "Trn3 UltraServer", "Trn2 UltraServer", "--metric", "performance,memory bandwidth")
    assert run(*named).out == snapshot
    published = [row["published"] for row in json.loads(run(*named, "--format", "json").out)["metrics"]]
    assert [[claim["value"] for claim in claims] for claims in published] == [["3.9x"], ["4.4x"]]


OWN = """
vendors:
  acme: {name: Acme}
  bolt: {name: Bolt}
products:
  rocket: {name: Rocket, vendor: acme, unit: chip}
  rocket2: {name: Rocket 2, vendor: acme, unit: chip, status: target}
  comet: {name: Comet, vendor: bolt, unit: chip}
sources:
  sheet: {title: Rocket data sheet, publisher: acme, kind: vendor-doc}
  comet-sheet: {title: Comet data sheet, publisher: bolt, kind: vendor-doc}
  shop: {title: Price list, publisher: Chip Shop, kind: press}
claims:
  - {id: a, product: rocket, metric: memory-capacity, value: 64 GB, qualifier: up to, source: sheet}
  - {id: b, product: rocket2, metric: memory-capacity, value: 128 GB, source: sheet}
  - {id: c, product: comet, metric: memory-capacity, value: 48 GB, source: comet-sheet}
  - {id: d, product: rocket, metric: price, value: $2.99 per hour, as_of: 2026-01-05, source: shop}
  - {id: e, product: comet, metric: price, value: $1.99 per hour, as_of: 2026-01-05, source: shop}
  - {id: f, product: rocket2, metric: price, value: $4.99 per hour, as_of: 2026-02-05, source: shop}
  - {id: g, product: rocket, metric: power, value: 0 W, source: sheet}
  - {id: h, product: comet, metric: power, value: 300 W, source: comet-sheet}
  - {id: i, product: rocket, metric: compute, value: 1 PFLOPS, basis: {precision: FP8}, source: sheet}
  - {id: j, product: comet, metric: compute, value: 2 PFLOPS, basis: {precision: FP8}, source: comet-sheet}
  - {id: k, product: rocket, metric: latency, value: 20 ms, basis: {kind: measured, workload: Llama 70B}, source: shop}
  - {id: l, product: comet, metric: latency, value: 30 ms, basis: {kind: measured, workload: Llama 70B}, source: shop}
"""


@pytest.mark.parametrize("pair", [("rocket", "comet"), ("rocket2", "comet"), ("rocket", "rocket2")], ids="-".join)
def test_bounds_plans_prices_nothing_and_scores_are_told_for_what_they_are(
    pair: tuple[str, str], run: Run, inside: Path, snapshot: SnapshotAssertion
) -> None:
    (inside / "own").mkdir()
    (inside / "own" / "own.yaml").write_text(OWN)
    told = json.loads(run("claims", "compare", "--claims", "own", *pair, "--format", "json").out)["metrics"]
    verdicts = [verdict for row in told for verdict in row["comparisons"]]
    assert {verdict["sentence"]: [d["dimension"] for d in verdict["differences"]] for verdict in verdicts} == snapshot
    (inside / "draft.md").write_text("\n\n".join(verdict["sentence"] for verdict in verdicts))
    assert run("check", "--claims", "own", "draft.md").code == 0
    table = run("claims", "table", "--claims", "own", *pair, "--metrics", "memory,price,power,FP8,latency").out
    (inside / "draft.md").write_text(table)
    assert run("check", "--claims", "own", "draft.md").code == 0


def test_a_machine_gets_the_claims_the_verdict_and_the_sentence(run: Run) -> None:
    result = run("claims", "compare", "Trainium3", "NVIDIA H200", "--metric", "memory-capacity", "--format", "json")
    told: dict[str, Any] = json.loads(result.out)
    (row,) = told["metrics"]
    (comparison,) = row["comparisons"]
    assert (told["left"]["id"], told["right"]["vendor"]) == ("trainium3", "NVIDIA")
    assert [claim["id"] for claim in row["right"]] == ["h200-memory"]
    assert comparison["ratio"] == {"value": 1.02128, "low": 1.014, "high": 1.029}
    assert comparison["comparable"] is True
    assert comparison["sentence"] == (
        "In memory capacity, Trainium3 has 144 GB and the H200 141 GB, a ratio of 1.02x, per AWS and NVIDIA."
    )


def test_the_differences_are_named_for_a_machine(run: Run) -> None:
    result = run("claims", "compare", "Trainium3", "B200", "--metric", "FP8 compute", "--format", "json")
    (comparison,) = json.loads(result.out)["metrics"][0]["comparisons"]
    assert comparison["differences"] == [{"dimension": "sparsity", "left": "unstated", "right": "dense"}]
    assert (comparison["comparable"], comparison["ratio"]) == (False, None)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["trainum3", "b200"], "there is no product 'trainum3'; did you mean trainium3?"),
        (["b200", "b300x"], "there is no product 'b300x'; did you mean B300?"),
        (["b200", "Wafer"], "there is no product 'Wafer'; write one of mi250, "),
        (["b200", "NVIDIA B200"], "'b200' and 'NVIDIA B200' are the same product: name each product once"),
        (["b200", "h200", "--metric", "memory-capcity"], "no metric 'memory-capcity'; did you mean memory-capacity?"),
        (["b200", "h200", "--metric", "warmth"], "there is no metric 'warmth'; write one of compute"),
        (["trainium3", "b200", "--metric", "latency"], "B200 on these metrics; they share BF16 compute, "),
        (["trainium3", "b200", "--metric", "process"], "these metrics, only of one of them on process node"),
        (["trainium4", "b200"], "no figures of both Trainium4 and B200 on any metric"),
        (["trainium4", "trn2-latency"], "there is no product 'trn2-latency'"),
    ],
)  # fmt: skip
def test_what_cannot_be_compared_is_said(arguments: list[str], said: str, run: Run) -> None:
    code, out, err = run("claims", "compare", *arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert err.startswith("error: ")
    assert len(err.splitlines()) == 1


def test_a_name_with_signs_that_steer_a_terminal_is_shown_without_them(run: Run) -> None:
    assert "\x1b" not in run("claims", "compare", "b\x1b[31m", "h200").err
