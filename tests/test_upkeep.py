"""The care of a registry: what it warns of, which places rest on a claim, and what a change of it makes wrong."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path
from textwrap import indent

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from caveat import data
from caveat.article import read_article
from caveat.markdown.source import Source
from caveat.registry.registry import Claim, Registry
from caveat.report.registry_warnings import render_warnings
from caveat.running.cache import Cache
from caveat.running.desk import find_desk, load_desk
from caveat.running.settings import DEFAULTS
from caveat.upkeep.checking import CLASSES
from caveat.upkeep.derivation import Derivations
from caveat.upkeep.ledger import Ledger
from caveat.upkeep.revision import Rules, read_edition
from caveat.upkeep.sources import SPECIFICATION, stale_source
from caveat.upkeep.uses import places_in
from caveat.upkeep.warnings import WARNINGS, warnings_of
from commands import Result, Run
from test_cli import CLAIMS, write
from test_diff import QUIET, commit, git

HERE = Path(__file__).parent
STARTER = HERE.parent / "claims"
CASES = yaml.safe_load((HERE / "registry_warnings.yaml").read_text(encoding="utf-8"))
BASE = CASES["base"]
FRESH = BASE + "  - {id: x, product: one, metric: power, value: 1 W, source: page}\n"
OLD = BASE + "  - {id: x, product: one, metric: power, value: 1 W, source: old}\n"
OWN = (
    "sources: {page: {title: A page, publisher: amd, kind: vendor-page}}\n"
    "claims:\n  - {id: own, product: mi300x, metric: power, value: 750 W, source: page}\n"
)
TODAY = "2026-12-01"

Checks = Callable[..., Result]


@pytest.fixture
def check(run: Run) -> Checks:
    """`claims check` of one file on a fixed day."""

    def check_here(text: str, *arguments: str) -> Result:
        write(("claims/a.yaml", text))
        return run("claims", "check", "--claims", "claims", "--today", TODAY, *arguments)

    return check_here


# Warnings


@pytest.fixture(scope="module")
def rules() -> Rules:
    return Rules([data.rules_folder()])


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda case: case["case"])
def test_each_warning_has_its_place_and_its_cure(inside: Path, rules: Rules, case: dict[str, str]) -> None:
    write(("claims/a.yaml", BASE + indent(case["claims"], "  ")), ("claims/b.yaml", case.get("more", "")))
    edition = read_edition(["claims"], rules)
    assert (edition.problems, edition.failing) == ([], {})
    days = {class_: int(DEFAULTS["upkeep"][class_].split()[0]) for class_ in CLASSES}
    ledger = Ledger(edition.records, edition.desk.registry, date.fromisoformat(TODAY), days)
    said = render_warnings(warnings_of(ledger, set(WARNINGS) - {"no-snapshot"}), ledger.registry, "full")
    assert [line for line in said.splitlines() if ": warning[" in line] == case.get("says", "").splitlines()


def test_the_starter_registry_is_warned_of_what_is_open_in_it(run: Run, snapshot: SnapshotAssertion) -> None:
    result = run("claims", "check", "--isolated", "--today", TODAY, "--ignore", "no-snapshot", "--format", "json")
    told: dict[str, list[str]] = {}
    for warning in json.loads(result.out):
        told.setdefault(warning["rule"], []).append(warning["source"] or " ".join(warning["claims"]))
    assert told == snapshot


def test_a_source_without_a_snapshot_is_warned_of(check: Checks) -> None:
    result = check(FRESH)
    copy = f"snapshot: {{file: old.pdf, sha256: {'0' * 64}, taken: 2026-11-01}}"
    seen = check(OLD.replace("retrieved: 2025-11-30", copy))
    assert (seen.code, 'snapshot] source "old"' in seen.out, "stale" in seen.out) == (0, False, False)
    assert 'warning[no-snapshot] source "page": no snapshot of it is kept' in result.out


def test_warnings_for_machines(check: Checks) -> None:
    (warning,) = json.loads(check(OLD, "--ignore", "no-snapshot", "--format", "json").out)
    assert warning == {
        "rule": "stale-source",
        "severity": "warning",
        "message": 'source "old": retrieved: not seen for 366 days (specification: 365 days at most)',
        "filename": "claims/a.yaml",
        "location": {"row": 7, "column": 80},
        "claims": ["x"],
        "source": "old",
        "help": "look whether it still says x, and write retrieved: 2026-12-01",
    }
    assert json.loads(check(OLD, "--select", "press-only", "--format", "json").out) == []


def test_warnings_count_only_if_they_are_asked_to(check: Checks) -> None:
    stale = ("--select", "stale-source")
    assert [check(OLD, *stale, "--max-warnings", most).code for most in ("0", "1")] == [1, 0]
    assert check(OLD, *stale, "--ignore", "stale-source", "--max-warnings", "0").code == 0
    assert check(OLD, *stale, "--max-warnings", "-1").code == 2
    faulty = check(OLD + "  - {id: x}\n", "--max-warnings", "0")
    assert (faulty.code, faulty.out) == (2, "")
    assert faulty.err.startswith('claims/a.yaml:12:10: claim "x": given twice')


def test_the_configuration_says_what_is_warned_of_and_how_soon(check: Checks) -> None:
    write(("caveat.toml", '[upkeep]\nspecification = "400 days"\nignore = ["no-snapshot"]\n'))
    assert "warning[" not in check(OLD).out
    write(("caveat.toml", '[upkeep]\nignore = ["no-snapshot", "stale-source"]\n'))
    assert "warning[" not in check(OLD).out
    assert "warning[stale-source]" in check(OLD, "--select", "stale-source").out
    write(("sub/d.md", "Nothing.\n"), ("caveat.toml", '[upkeep]\ndrafts = "sub"\nignore = ["no-snapshot"]\n'))
    assert 'warning[unused-claim] claim "x": no draft uses it' in check(OLD).out
    write(("sub/d.md", "The One takes 1 W.\n"))
    assert "unused-claim" not in check(OLD).out


@pytest.mark.parametrize(
    ("arguments", "config", "says"),
    [
        (["--today", "2026-02-30"], "", "--today 2026-02-30: this is no day; write YYYY-MM-DD, for example 2026-12-01"),
        (["--today", "2026-W01-1"], "", "--today 2026-W01-1: this is no day; write YYYY-MM-DD, for example 2026-12-01"),
        (["--select", "stale"], "", "--select: there is no warning 'stale'; write one of no-snapshot, stale-source, "),
        (["--ignore", "stale-sorce"], "", "--ignore: there is no warning 'stale-sorce'; did you mean stale-source?"),
        ([], 'ignore = ["no-snapshots"]', "caveat.toml:2:11: upkeep: there is no warning 'no-snapshots'; did you mean"),
        ([], 'price = "a month"', 'caveat.toml:2:1: upkeep.price: "a month" is not a number of days; write how many'),
        ([], "price = 30", "caveat.toml:2:1: upkeep.price: text in quotes is expected, not 30; write how long a price"),
        ([], 'prise = "1 day"', 'caveat.toml:2:1: upkeep: unknown key "prise"; did you mean price?'),
        (["--drafts", "gone.md"], "", "gone.md: no such file or folder"),
        (["--drafts", "-"], "", "the drafts of a registry are files: give paths, not -"),
    ],
)
def test_what_cannot_be_done_is_said(check: Checks, arguments: list[str], config: str, says: str) -> None:
    write(("caveat.toml", f"[upkeep]\n{config}\n"))
    result = check(FRESH, *arguments)
    assert result.code == 2
    assert result.err.startswith(f"error: {says}")


def test_drafts_that_cannot_be_read_make_no_claim_unused(check: Checks) -> None:
    write(("good.md", "Nothing.\n"))
    Path("bad.md").write_bytes(b"\xff")
    result = check(FRESH, "--drafts", "good.md", "--drafts", "bad.md")
    assert result.code == 2
    assert "unused-claim" not in result.out


def test_the_starter_registry_is_not_the_users_to_keep(check: Checks, run: Run) -> None:
    write(("caveat.toml", 'claims = ["starter", "claims"]\n'), ("a.md", "Nothing.\n"))
    write(("claims/a.yaml", OLD))
    result = run("claims", "check", "--today", TODAY, "--ignore", "no-snapshot", "--drafts", "a.md")
    assert [line.split()[0] for line in result.out.splitlines() if "warning[" in line] == [
        "claims/a.yaml:7:80:",
        "claims/a.yaml:11:5:",
    ]


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory, rules: Rules) -> Ledger:
    """A registry of one claim, whose source was seen on 2025-11-30."""
    folder = tmp_path_factory.mktemp("claims")
    (folder / "a.yaml").write_text(OLD)
    edition = read_edition([str(folder)], rules)
    return Ledger(edition.records, edition.desk.registry, date(2026, 1, 1), {})


@given(days=st.integers(-1000, 4000), allowed=st.integers(1, 3000))
def test_a_source_is_stale_from_the_first_day_that_is_not_allowed(ledger: Ledger, days: int, allowed: int) -> None:
    ledger.today, ledger.days = date(2025, 11, 30) + timedelta(days), {SPECIFICATION: allowed}
    assert [warning.claims for warning in stale_source(ledger)] == [("x",)] * (days > allowed)


def test_many_claims_on_one_thing_cost_no_more_each(
    tmp_path: Path, rules: Rules, calls: Callable[[Callable[[], object]], int]
) -> None:
    def cost(count: int) -> int:
        folder = tmp_path / str(count)
        folder.mkdir()
        claims = (
            f"  - {{id: c{at}, product: one, metric: power, value: {at} W, source: page}}\n" for at in range(count)
        )
        (folder / "a.yaml").write_text(BASE + "".join(claims))
        edition = read_edition([str(folder)], rules)
        days = dict.fromkeys(CLASSES, 30)
        ledger = Ledger(edition.records, edition.desk.registry, date(2026, 12, 1), days, frozenset())
        return calls(lambda: warnings_of(ledger, WARNINGS))

    assert cost(400) < 2.6 * cost(200)


# Uses


@pytest.fixture(scope="module")
def registry() -> Registry:
    return load_desk(find_desk(str(STARTER)), Cache("")).registry


@pytest.mark.parametrize("claim", ["trainium3-memory", "trainium3-fp8", "hgx-b200-fp8-sparse", "neuron-no-code-change"])
def test_every_place_that_rests_on_a_claim(run: Run, claim: str, snapshot: SnapshotAssertion) -> None:
    for article in (HERE / "articles").iterdir():
        write((f"articles/{article.name}", article.read_text()))
    assert run("claims", "uses", claim, "articles", "--isolated") == snapshot


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("The MI300X has 192 GB.", ["192 GB says mi300x-memory"]),
        ("The MI300X has 256 GB.", ["256 GB contradicts mi300x-memory", "256 GB contradicts mi300x-memory-gib"]),
        ("Eight MI300X hold 1,536 GB.", ["1,536 GB says mi300x-memory"]),
        ("A server with a pair of H200s offers 282 GB.", ["282 GB is computed from h200-memory"]),
        ("See [@mi300x-memory] and [@amd-mi300x-sheet].", ["[@mi300x-memory] cites mi300x-memory"]),
        (
            "The MI300X has 192 GB and the H100 80 GB, 2.4x as much.",
            [
                "192 GB says mi300x-memory",
                "80 GB says h100-memory",
                "2.4x is computed from h100-memory",
                "2.4x is computed from mi300x-memory",
            ],
        ),
        (
            "In memory capacity the MI300X is 2.4x the H100.",
            ["2.4x is computed from h100-memory", "2.4x is computed from mi300x-memory"],
        ),
        (
            'AWS lets you move "without changing a single line of model code" to it.',
            ['"without changing a single line of model code" quotes neuron-no-code-change'],
        ),
        ('AWS says "model code" is fine.', []),
        ("The road is 192 km long.", []),
        (
            "A Trn3 UltraServer is one rack. Its fabric is faster than that of Trn2, and latency is 10 microseconds.",
            ["10 microseconds may say trn3-latency"],
        ),
    ],
)
def test_how_a_place_rests_on_claims(registry: Registry, text: str, places: list[str]) -> None:
    article = read_article(Source(text, "text"), registry)
    assert [f"{text[place.start : place.end]} {place.how} {place.claim}" for place in places_in(article)] == places


def test_uses_for_machines_and_of_derived_claims(run: Run) -> None:
    write(("a.md", "A Trn3 UltraServer has 20.7 TB of HBM3e, per AWS.\n"))
    (use,) = json.loads(run("claims", "uses", "trainium3-memory", "--format", "json", "--isolated").out)
    assert use == {
        "filename": "a.md",
        "location": {"row": 1, "column": 24},
        "end_location": {"row": 1, "column": 31},
        "text": "20.7 TB",
        "how": "says",
        "claim": "trn3-ultraserver-memory",
        "through": ["trn3-ultraserver-memory", "trainium3-memory"],
    }


def test_what_cannot_be_traced_is_said(run: Run) -> None:
    write(("a.md", "Nothing.\n"))
    result = run("claims", "uses", "trainium3-no-head-to-head")
    assert (result.code, result.out) == (0, "0 places in 0 of 1 draft: trainium3-no-head-to-head\n")
    assert result.err == (
        "note: trainium3-no-head-to-head is of the metric absence, which is not traced through drafts\n"
    )


def test_no_use_an_unknown_claim_and_drafts_that_are_not_there(run: Run) -> None:
    write(("a.md", "Nothing.\n"))
    assert run("claims", "uses", "h200-memory", "a.md") == Result(0, "0 places in 0 of 1 draft: h200-memory\n", "")
    result = run("claims", "uses", "h200-memoy")
    assert result == Result(2, "", "error: there is no claim 'h200-memoy'; did you mean h200-memory?\n")
    result = run("claims", "uses", "h200-memory", "a.md", "b.md")
    assert (result.code, result.err) == (2, "error: b.md: no such file or folder\n")


def test_the_drafts_of_the_configuration_are_meant_where_none_is_named(run: Run) -> None:
    write(("caveat.toml", '[upkeep]\ndrafts = ["docs"]\n'), ("a.md", "The H200 has 141 GB.\n"))
    write(("docs/b.md", "The H200 has 141 GB.\n"))
    assert "docs/b.md:1:14" in run("claims", "uses", "h200-memory").out
    assert "a.md" not in run("claims", "uses", "h200-memory").out


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=60))
@settings(deadline=None)
def test_what_rests_on_a_claim_is_what_it_is_behind_of(pairs: list[tuple[int, int]]) -> None:
    parts: dict[int, set[int]] = {}
    for one, other in pairs:
        if one != other:
            parts.setdefault(max(one, other), set()).add(min(one, other))
    derivations = Derivations(_Derived(parts))  # type: ignore[arg-type]
    for claim in range(31):
        resting = derivations.resting_on(f"c{claim}")
        behind = {f"c{whole}" for whole in range(31) if f"c{claim}" in derivations.behind([f"c{whole}"])}
        assert resting.keys() == behind


class _Derived:
    """A registry of claims c0 to c30 with these parts."""

    def __init__(self, parts: dict[int, set[int]]) -> None:
        self._parts = parts

    def all_claims(self) -> Iterator[Claim]:
        for at in range(31):
            derived = " + ".join(f"c{part}" for part in sorted(self._parts.get(at, ())))
            record = {"id": f"c{at}", "product": "p", "metric": "power", "value": "1 W", "source": "s"}
            yield Claim({**record, "derived": derived, "file": "a.yaml", "line": 1})


def test_a_very_long_chain_of_derivations_is_followed() -> None:
    parts = {at: {at - 1} for at in range(1, 31)}
    long = Derivations(_Derived(parts))  # type: ignore[arg-type]
    assert len(long.behind(["c30"])) == len(long.resting_on("c0")) == 31


# A change


@pytest.fixture
def kept(run: Run, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    """A registry, the small one if no other is asked for, and the article on Trainium3, committed."""
    for name, value in QUIET.items():
        monkeypatch.setenv(name, value)
    git("init", "--quiet", "--initial-branch", "main")
    shutil.copytree(getattr(request, "param", CLAIMS), "claims")
    shutil.copy(HERE / "articles" / "trainium3.md", "trainium3.md")
    write(("caveat.toml", 'claims = "claims"\n'))
    commit()
    return Path("claims/aws.yaml")


def change(path: Path, claim: str, old: str, new: str) -> None:
    """Replace the first `old` behind the id of a claim."""
    before, id_, after = path.read_text().partition(f"  - id: {claim}\n")
    assert old in after
    path.write_text(before + id_ + after.replace(old, new, 1))


@pytest.mark.parametrize("kept", [STARTER], indirect=True, ids=["starter"])
def test_a_changed_memory_names_the_lines_that_are_wrong_and_the_derived_total(
    run: Run, kept: Path, snapshot: SnapshotAssertion
) -> None:
    change(kept, "trainium3-memory", "144 GB", "128 GB")
    code, said, heard = run("claims", "diff", "HEAD")
    assert Result(code, re.sub(r"(aws\.yaml):\d+", r"\1:LINE", said), heard) == snapshot
    told = json.loads(run("claims", "diff", "main", "--format", "json").out)
    wrong = {place["location"]["row"] for place in (*told["findings"], *told["lost"])}
    assert wrong == {
        row for row, line in enumerate(Path("trainium3.md").read_text().split("\n"), 1) if "144 GB" in line
    }
    (failing,) = told["derived"]
    assert (failing["claim"], [use["text"] for use in failing["uses"]]) == ("trn3-ultraserver-memory", ["20.7 TB"])


def test_nothing_changed_and_nothing_broken(run: Run, kept: Path) -> None:
    assert run("claims", "diff", "HEAD") == Result(0, "Nothing has changed in the registry since HEAD.\n", "")
    change(kept, "trainium3-memory", "evidence: 144 GB of HBM3e", "evidence: 144 GB of HBM3e per chip")
    result = run("claims", "diff", "HEAD")
    assert (result.code, result.err) == (0, "")
    assert result.out.endswith(
        "    evidence: 144 GB of HBM3e -> 144 GB of HBM3e per chip\nSince HEAD: 1 changed; nothing is wrong for that.\n"
    )


def test_claims_that_are_added_and_removed(run: Run, kept: Path, snapshot: SnapshotAssertion) -> None:
    write(("new.md", "The Trn1 UltraCluster has 9 chips, says AWS.\nThe MI300X has 192 GB of memory.\n"))
    commit()
    other = Path("claims/rivals.yaml")
    before, _, rest = other.read_text().partition("  - id: mi300x-memory\n")
    other.write_text(before + "  - id: " + rest.partition("  - id: ")[2])
    write(
        (
            "claims/own.yaml",
            OWN,
        )
    )
    assert run("claims", "diff", "HEAD", "new.md") == snapshot


def test_an_added_word_of_the_vocabulary_is_a_change_too(run: Run, kept: Path) -> None:
    write(("claims/words.yaml", "vocabulary: {units: {rod: {dimension: length, factor: 5.0292, symbols: [rd]}}}\n"))
    assert run("claims", "diff", "HEAD").out.splitlines()[:2] == [
        "claims/words.yaml:1:13: added vocabulary words.yaml",
        "    units.rod.dimension: + length",
    ]


def test_what_was_wrong_before_is_no_news(run: Run, kept: Path) -> None:
    write(("new.md", "The Trainium3 has 150 GB of HBM3e, per AWS.\n"))
    change(kept, "trainium3-memory", "144 GB", "128 GB")
    assert "new.md" not in run("claims", "diff", "HEAD").out


def test_each_draft_has_its_own_rules(run: Run, kept: Path) -> None:
    write(("sub/caveat.toml", 'claims = "../claims"\nignore = ["figure-mismatch"]\n'))
    write(("sub/a.md", "The Trainium3 chip has 144 GB.\n"), ("other/caveat.toml", ""), ("other/a.md", "144 GB.\n"))
    change(kept, "trainium3-memory", "144 GB", "128 GB")
    result = run("claims", "diff", "HEAD", "sub", "other")
    assert result.out.splitlines()[-2].startswith("sub/a.md:1:24: 144 GB rested on trainium3-memory")
    assert result.err == "note: 1 of 2 drafts left out, which have another registry\n"


def test_a_registry_that_was_faulty_then_is_compared_as_far_as_it_goes(run: Run, kept: Path) -> None:
    sound = kept.read_text()
    change(kept, "trainium3-memory", "source: aws-trn3-page", "source: aws-trn3-pag")
    commit()
    kept.write_text(sound)
    result = run("claims", "diff", "HEAD")
    assert result.code == 0
    assert result.err.startswith(
        "note: the registry then had 1 fault; what was faulty counts as absent: HEAD:claims/aws.yaml:"
    )
    assert "    source: aws-trn3-pag -> aws-trn3-page\n" in result.out


def test_a_registry_that_is_faulty_now_is_not_compared(run: Run, kept: Path) -> None:
    change(kept, "trainium3-memory", "source: aws-trn3-page", "source: aws-trn3-pag")
    result = run("claims", "diff", "HEAD")
    assert (result.code, result.out) == (2, "")
    assert 'claim "trainium3-memory": source: no source has the id "aws-trn3-pag"' in result.err


def test_what_keeps_git_from_saying_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in QUIET.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(Path.cwd().parent))
    shutil.copytree(CLAIMS, "claims")
    diff = ("claims", "diff", "--claims", "claims")
    assert run("claims", "diff", "--claims", "clams", "HEAD").err == "error: claims diff: no such folder: clams\n"
    assert run(*diff, "HEAD").err == "error: claims diff: the registry is in no repository of git: claims\n"
    git("init", "--quiet", "--initial-branch", "main")
    assert run(*diff, "HEAD").err.startswith("error: claims diff: the repository ")
    git("commit", "--quiet", "--allow-empty", "--message", "first")
    assert run(*diff, "HEAD").err == "error: claims diff HEAD: there was no folder claims in it\n"
    commit()
    for base in ("gone", "-p", ""):
        result = run(*diff, "--", base)
        assert (result.code, result.out) == (2, "")
        assert f"error: claims diff {base or repr(base)}: git knows no such commit, branch or tag" in result.err
    assert run(*diff, "HEAD").code == 0
    gone = run(*diff, "HEAD", "gone.md")
    assert (gone.code, gone.err) == (2, "error: gone.md: no such file or folder\n")
    assert not list(Path(tempfile.gettempdir()).glob("caveat-*/0/aws.yaml"))
