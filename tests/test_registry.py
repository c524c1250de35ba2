"""Loading a registry: all that is wrong is said with its place and its cure; what is right is seen as written."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest
import yaml

from caveat import data
from caveat.figures.quantity import Interval
from caveat.loading.compile import compile_folders
from caveat.loading.derived import ExpressionError, evaluate
from caveat.registry.registry import Registry
from caveat.report.registry import claim_ids, render_claim, render_claims

REFERENCE = Path(__file__).parent / "claims"

ProblemsOf = Callable[[str], list[str]]

BASE = """\
vendors:
  acme: {name: Acme, aliases: [Acme Corp]}
  zeta: {name: Zeta}
products:
  one: {name: One, vendor: acme, unit: chip}
  two: {name: Two, vendor: zeta, unit: rack, contains: {one: 8}}
sources:
  page: {title: Acme page, publisher: acme, kind: vendor-page}
claims:
  - {id: one-memory, product: one, metric: memory-capacity, value: 80 GB, source: page}
"""


def load(folder: str) -> tuple[Registry, list[str]]:
    compiled, problems = compile_folders([folder], [data.rules_folder()], ["any"])
    return Registry(compiled), [str(problem) for problem in problems if problem.file.startswith(folder)]


@pytest.fixture
def problems_of(inside: Path) -> ProblemsOf:
    """A function from the text of claims/a.yaml, beside a sound claims/base.yaml, to the problems of the folder."""

    def run(text: str) -> list[str]:
        (inside / "claims").mkdir(exist_ok=True)
        (inside / "claims" / "base.yaml").write_text(BASE)
        (inside / "claims" / "a.yaml").write_text(text)
        return load("claims")[1]

    return run


def claim(**fields: str) -> str:
    """One claim, sound but for what is given; an empty text leaves a key out."""
    record = {"id": "x", "product": "one", "metric": "memory-capacity", "value": "141 GB", "source": "page"} | fields
    lines = [f"{key}: {value}" for key, value in record.items() if value]
    return "claims:\n  - " + "\n    ".join(lines) + "\n"


FAULTS = yaml.safe_load((Path(__file__).parent / "registry_faults.yaml").read_text("utf-8"))


@pytest.mark.parametrize("case", FAULTS, ids=lambda case: case["fault"])
def test_each_fault_has_its_place_and_its_cure(problems_of: ProblemsOf, case: dict[str, str]) -> None:
    assert problems_of(case["text"]) == case["says"].splitlines()


def test_all_faults_of_a_folder_come_in_one_run_and_a_broken_file_hides_none(
    problems_of: ProblemsOf, inside: Path
) -> None:
    (inside / "claims").mkdir()
    (inside / "claims" / "broken.yaml").write_text("claims: [\n")
    (inside / "claims" / "deep").mkdir()
    (inside / "claims" / "deep" / "z.yml").write_text(claim(id="z", source="").replace("141", "many"))
    found = problems_of(claim(product="three", status="old"))
    assert [problem.partition(": ")[0] for problem in found] == [
        "claims/a.yaml:7:13",
        "claims/broken.yaml:2:1",
        "claims/deep/z.yml:2:5",
    ]


def test_a_claim_that_is_faulty_may_still_be_referred_to(problems_of: ProblemsOf) -> None:
    text = claim(source="") + claim(id="y", value="282 GB", derived="2 * x").removeprefix("claims:\n")
    assert len(problems_of(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "claims:\n",
        "claims: []\nvendors:\n",
        claim(value="160 GB", derived="2 * one-memory"),
        claim(value="165 GB", derived="2 * one-memory", qualifier="about"),
        claim(value="0.5x", metric="memory-capacity", compare="{to: whatever else there is}"),
        claim(value="-50%", metric="cost", compare="{to: unstated}"),
        claim(metric="superlative", value="the largest in the world"),
        claim(metric="availability", value="2025-12"),
        claim(status="retracted"),
        claim(status="superseded", as_of="2024"),
        claim(status="conflicting", conflicts="[y]")
        + "  - {id: y, product: one, metric: power, value: 1 W, source: page, status: conflicting, conflicts: [x]}\n",
        "sources:\n  test: {title: A test, publisher: A Laboratory, kind: independent, url: 'https://example.com/a?b#c'}\n",
        "vocabulary:\n  units: {furlong: {dimension: length, factor: 201.168, names: [furlong, furlongs]}}\n"
        "  metrics: {course: {dimensions: [length], phrases: [course]}}\n"
        "  dimensions: {ground: {values: {turf: [turf], dirt: [dirt]}}}\n"
        + claim(metric="course", value="8 furlongs", basis="{ground: turf}"),
    ],
)
def test_what_is_sound_has_no_problem(problems_of: ProblemsOf, text: str) -> None:
    assert problems_of(text) == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("none", "none: registry: no such folder: AT/none; give the folder that holds the registry's YAML files, INIT"),
        ("file", "file: registry: is a file, not a folder; give the folder that holds the registry's YAML files, INIT"),
        ("empty", "empty: registry: no YAML file in this folder; give the folder that holds the registry's YAML files"),
    ],
)
def test_what_is_no_registry(inside: Path, name: str, expected: str) -> None:
    (inside / "empty").mkdir()
    (inside / "empty" / "notes.txt").write_text("claims: []")
    (inside / "file").write_text("claims: []")
    message = expected.replace("AT", str(inside)).replace("INIT", "or let `caveat init` write one")
    assert load(name)[1] == [message]


def fixed(values: dict[str, tuple[str, str]]) -> Callable[[str], Interval]:
    def value_of(name: str) -> Interval:
        low, high = values[name]
        return Interval(Decimal(low), Decimal(high))

    return value_of


@pytest.mark.parametrize(
    ("expression", "low", "high"),
    [
        ("2", "2", "2"),
        ("a", "1", "2"),
        ("a - a", "-1", "1"),
        ("a + b * 2", "7", "10"),
        ("(a + b) * 2", "8", "12"),
        ("b / a", "1.5", "4"),
        ("2 * (b - (a + 1)) / 0.5", "0", "8"),
        ("h-100 - 3", "5", "5"),
    ],
)
def test_expressions(expression: str, low: str, high: str) -> None:
    value_of = fixed({"a": ("1", "2"), "b": ("3", "4"), "h-100": ("8", "8")})
    assert evaluate(expression, value_of) == Interval(Decimal(low), Decimal(high))


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("", "it ends too early"),
        ("2 *", "it ends too early"),
        ("(2", "a parenthesis is not closed"),
        ("2)", "')' is not expected"),
        ("2 a", "'a' is not expected"),
        ("__import__('os')", "'_' is not expected"),
        ("1 / (a - a)", "divides by what may be zero"),
        ("(" * 30 + "1" + ")" * 30, "'(' is not expected"),
        ("9" * 31, "9"),
        ("1 + " * 200 + "1", "longer than 500 characters"),
    ],
)
def test_expressions_that_are_refused(expression: str, message: str) -> None:
    with pytest.raises((ExpressionError, KeyError)) as refused:
        evaluate(expression, fixed({"a": ("1", "2")}))
    assert message in str(refused.value)


def test_a_problem_is_one_line_whatever_the_file_holds(problems_of: ProblemsOf) -> None:
    assert problems_of(claim(value="100 GB", derived='"2 *\\n\\n one-memory"')) == [
        (
            'claims/a.yaml:7:14: claim "x": derived: 2 *   one-memory is 160 GB, but the value is 100 GB; '
            "correct the value or the expression"
        )
    ]


def test_long_chains_of_derivations_do_not_exhaust_anything(problems_of: ProblemsOf) -> None:
    rows = [claim(id="c0", value="80 GB")]
    rows += [claim(id=f"c{n}", value="80 GB", derived=f"(c{n - 1} + c{n - 1}) / 2")[8:] for n in range(1, 2000)]
    assert problems_of("".join(rows)) == []


@pytest.fixture(scope="module")
def reference() -> Registry:
    registry, problems = load(str(REFERENCE))
    assert problems == []
    return registry


def test_the_reference_registry_is_sound(reference: Registry) -> None:
    assert len(list(reference.all_claims())) == 64
    assert len(reference.products) == 15
    assert len(reference.sources) == 12
    assert list(reference.vendors) == ["aws", "nvidia", "amd", "intel", "google"]


def test_records_are_seen_as_they_were_written(reference: Registry) -> None:
    assert reference.vendors["aws"].aliases == ["Amazon Web Services", "Amazon"]
    rack = reference.products["trn3-ultraserver"]
    assert (rack.name, rack.vendor, rack.unit, rack.contains, rack.status) == (
        "Trn3 UltraServer",
        "aws",
        "rack",
        {"trainium3": 144},
        "current",
    )
    assert reference.products["trainium4"].status == "target"
    source = reference.sources["aws-trn3-announcement"]
    assert (source.publisher, source.kind, source.published, source.url) == (
        "aws",
        "vendor-announcement",
        "2025-12-02",
        "",
    )
    assert reference.sources["decart-on-aws"].reporter == "Decart"


def test_a_claim_is_seen_with_its_figure(reference: Registry) -> None:
    found = reference.claim("trn3-ultraserver-fp8")
    assert found is not None
    assert found in reference.claims_of("trn3-ultraserver")
    assert (found.value, found.qualifier, found.bound, found.derived) == (
        "362 PFLOPS",
        "up to",
        "up to",
        "144 * trainium3-fp8",
    )
    assert found.basis == {"precision": "FP8", "sparsity": "unstated", "scope": "rack", "kind": "peak"}
    assert found.self_published
    assert (Path(found.file).name, found.line) == ("aws.yaml", 74)
    figure = found.figure
    assert figure is not None
    assert figure is found.figure
    assert figure.base() == (Decimal("362e15"), Decimal("362e15"), Decimal("1e15"))
    assert (figure.unit, figure.kind, figure.qualifier) == ("PFLOPS", "measure", "up to")


def test_qualifiers_and_values_of_dimensions_have_one_form(reference: Registry) -> None:
    over = reference.claim("trainium3-tokens-per-megawatt-vs-trainium2")
    link = reference.claim("b200-nvlink")
    assert over is not None
    assert link is not None
    assert (over.qualifier, over.bound, over.compare_to) == ("over", "more than", "trainium2")
    assert link.basis["direction"] == "two-way"


def test_words_and_dates_have_no_figure(reference: Registry) -> None:
    for id_ in ("trn3-availability", "project-rainier-largest", "neuron-no-code-change", "trainium3-no-head-to-head"):
        found = reference.claim(id_)
        assert found is not None
        assert found.figure is None


def test_what_does_not_exist(reference: Registry) -> None:
    assert reference.claim("trainium3") is None
    assert reference.claim('"') is None
    assert reference.claims_of("none") == []


def test_claims_as_a_table(reference: Registry) -> None:
    lines = render_claims(reference, "full").splitlines()
    assert lines[0].split() == ["CLAIM", "PRODUCT", "METRIC", "VALUE", "BASIS", "SOURCE", "STATUS"]
    assert lines[1].split("  ")[0] == "trainium3-fp8"
    row = next(line for line in lines if line.startswith("trn3-ultraserver-fp8 "))
    cells = [cell.strip() for cell in row.split("  ") if cell]
    assert cells[1:4] == ["Trn3 UltraServer", "compute", "up to 362 PFLOPS"]
    assert cells[4:] == ["precision FP8, sparsity unstated, scope rack, kind peak", "aws-trn3-page", "current"]
    assert lines[-1] == "64 claims, 15 products, 12 sources, 5 vendors"


def test_one_claim_in_full(reference: Registry) -> None:
    text = render_claim(reference, "decart-speed", "full")
    assert text is not None
    assert text.replace(str(REFERENCE), "claims") == (
        "decart-speed\n"
        "  product       Trainium3 (AWS, chip)\n"
        "  metric        performance\n"
        "  value         4x\n"
        "  basis         workload real-time video generation\n"
        "  compared with GPUs\n"
        "  status        current\n"
        "  source        Decart on Trainium3 (decart-on-aws)\n"
        "  publisher     AWS (customer-via-vendor, reported by Decart, about its own product)\n"
        "  recorded in   claims/aws.yaml:185\n"
    )
    assert render_claim(reference, "decart", "full") is None
    assert "decart-speed" in claim_ids(reference)


def test_claims_for_machines(reference: Registry) -> None:
    everything = json.loads(render_claims(reference, "json"))
    one = json.loads(render_claim(reference, "h100-power", "json") or "")
    assert one in everything
    assert len(everything) == 64
    assert (one["value"], one["qualifier"], one["source"]["id"]) == ("700 W", "up to", "nvidia-h100-page")
    assert (one["self_published"], one["row"]) == (True, 130)


def test_nothing_of_a_registry_steers_the_terminal(problems_of: ProblemsOf) -> None:
    assert problems_of(claim(caveat='"\\e]0;title\\a\\u202e"')) == []
    registry, _ = load("claims")
    shown = render_claim(registry, "x", "full")
    assert shown is not None
    assert "  caveat        ␛]0;title␇\ufffd\n" in shown
