"""Strict YAML: text stays text, places are exact, and every fault is one problem that says what to write."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from caveat.data import yaml_files
from caveat.loading import yaml_text
from caveat.loading.problems import Problem, nearest, quoted, suggest
from caveat.loading.yaml_text import Node, parse_yaml, read_yaml

SYNTAX_HINT = 'check the indentation, and put text that holds ": " or " #" or begins with a sign in quotes'


def read(text: str) -> tuple[Node | None, list[str]]:
    problems: list[Problem] = []
    node = parse_yaml(text, "a.yaml", problems)
    return node, [str(problem) for problem in problems]


@pytest.fixture(params=["C parser", "pure parser"])
def any_parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "pure parser":
        monkeypatch.setattr(yaml_text, "_LOADER", yaml.BaseLoader)


@pytest.mark.usefixtures("any_parser")
@pytest.mark.parametrize(
    "scalar", ["4.10", "1e3", "1_979", "12:30", "2:4", "010", "0x1F", "no", "on", "null", "~", "2025-12-02", "1,979"]
)
def test_scalars_stay_the_text_that_was_typed(scalar: str) -> None:
    node, problems = read(f"value: {scalar}\nlist: [{scalar!r}]\n")
    assert problems == []
    assert node is not None
    assert node.plain() == {"value": scalar, "list": [scalar]}


@pytest.mark.usefixtures("any_parser")
def test_every_node_and_key_has_its_place() -> None:
    node, problems = read("# a comment\nclaims:\n  - id: a\n    basis: {scope: chip}\n  - id: b\n")
    assert problems == []
    assert node is not None
    assert node.keys == {"claims": (2, 1)}
    first = node.find(("claims", 0))
    assert (first.line, first.column) == (3, 5)
    scope = node.find(("claims", 0, "basis", "scope"))
    assert (scope.value, scope.line, scope.column) == ("chip", 4, 20)
    assert node.find(("claims", 0, "basis")).keys == {"scope": (4, 13)}
    assert node.find(("claims", 7, "basis")) is node.find(("claims",))
    assert node.find(("claims", 0, "basis", "scope", "further")) is scope


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\nb: 2\na: 3\n", 'a.yaml:3:1: the key "a" is given twice, first in line 1; keep one of them'),
        ("a: {b: 1, 'b': 2}\n", 'a.yaml:1:11: the key "b" is given twice, first in line 1; keep one of them'),
        ("a: &x 1\n", "a.yaml:1:4: the anchor &x is not allowed; write the value out where it is needed"),
        ("&x a: 1\n", "a.yaml:1:1: the anchor &x is not allowed; write the value out where it is needed"),
        ("<<: {a: 1}\n", "a.yaml:1:1: the merge key << is not followed; write the keys out"),
        (
            "a: !!int 1\n",
            "a.yaml:1:4: the tag tag:yaml.org,2002:int is not allowed; every value is text: write it without a tag",
        ),
        ("a: !x [1]\n", "a.yaml:1:4: the tag !x is not allowed; every value is text: write it without a tag"),
        (
            "a: !!python/object/apply:os.system [ls]\n",
            (
                "a.yaml:1:4: the tag tag:yaml.org,2002:python/object/apply:os.system is not allowed; "
                "every value is text: write it without a tag"
            ),
        ),
        ("? [a]\n: b\n", "a.yaml:1:3: a key must be text; write a word before the colon"),
        (
            "a: 1\n---\nb: 2\n",
            'a.yaml:2:1: a second YAML document in one file; move it to a file of its own, without "---"',
        ),
        ("a: b: c\n", f"a.yaml:1:5: not valid YAML: mapping values are not allowed in this context; {SYNTAX_HINT}"),
        ("a:\n\t- b\n", f"a.yaml:2:1: not valid YAML: found character that cannot start any token; {SYNTAX_HINT}"),
        ("a: \x1b[31m\n", "a.yaml:1:4: not valid YAML: it holds the control character U+001B; remove the character"),
    ],
)
def test_what_is_refused(text: str, expected: str) -> None:
    _, problems = read(text)
    assert problems == [expected]


def test_all_faults_of_a_file_are_found_and_the_rest_is_kept() -> None:
    node, problems = read("a: &x 1\nb: *x\nc: 3\nc: 4\nd: !t 5\n? {k: v}\n: w\ne: 6\n")
    assert [problem.split(":")[1] for problem in problems] == ["1", "2", "4", "5", "6"]
    assert node is not None
    assert node.plain() == {"a": "1", "b": None, "c": "3", "d": "5", "e": "6"}


def test_aliases_do_not_multiply() -> None:
    rows = ["a0: &a0 [x, x]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9))]
    node, problems = read("\n".join(rows))
    assert node is not None
    assert len(problems) == 9 + 8 * 9


@pytest.mark.usefixtures("any_parser")
def test_nesting_is_limited() -> None:
    node, problems = read("a: " + "[" * 33 + "]" * 33)
    assert node is None
    assert problems == ["a.yaml:1:35: nested more than 32 deep; flatten it"]
    node, problems = read("a: " + "[" * 100_000)
    assert node is None
    assert len(problems) == 1


def test_an_empty_text_is_empty_and_an_empty_file_an_empty_mapping(tmp_path: Path) -> None:
    node, problems = read("# nothing\n")
    assert node is not None
    assert (node.plain(), problems) == ("", [])
    file = tmp_path / "a.yaml"
    file.write_text("")
    found: list[Problem] = []
    root = read_yaml(str(file), found)
    assert root is not None
    assert (root.plain(), found) == ({}, [])


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"- a\n", '1:1: a mapping is expected at the top of the file; write "key: value" lines'),
        (b"just text\n", '1:1: a mapping is expected at the top of the file; write "key: value" lines'),
        ("ä: 1\nb: ö".encode() + b"\xff\n", "2:5: not UTF-8 text; save the file as UTF-8"),
        ("a: 1\n".encode("utf-16"), "1:1: not UTF-8 text; save the file as UTF-8"),
    ],
)
def test_what_a_file_must_be(tmp_path: Path, content: bytes, expected: str) -> None:
    file = tmp_path / "a.yaml"
    file.write_bytes(content)
    problems: list[Problem] = []
    assert read_yaml(str(file), problems) is None
    assert [str(problem) for problem in problems] == [f"{file}:{expected}"]


def test_a_byte_order_mark_is_no_content(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_bytes(b"\xef\xbb\xbfa: 1\r\nb: 2\r\n")
    problems: list[Problem] = []
    root = read_yaml(str(file), problems)
    assert root is not None
    assert (root.plain(), root.keys, problems) == ({"a": "1", "b": "2"}, {"a": (1, 1), "b": (2, 1)}, [])


def test_an_unreadable_file_is_a_problem(tmp_path: Path) -> None:
    problems: list[Problem] = []
    assert read_yaml(str(tmp_path / "none.yaml"), problems) is None
    assert [str(problem) for problem in problems] == [
        f"{tmp_path}/none.yaml: cannot be read: No such file or directory"
    ]


def test_files_of_a_folder(tmp_path: Path) -> None:
    for name in ("b.yaml", "a/z.yml", "a/.hidden.yaml", ".git/c.yaml", "a.txt", "a.yaml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    assert yaml_files(str(tmp_path)) == [f"{tmp_path}/{name}" for name in ("a.yaml", "a/z.yml", "b.yaml")]


@given(st.text())
def test_any_text_gives_a_node_or_a_problem(text: str) -> None:
    node, problems = read(text)
    assert node is not None or problems


@given(
    st.recursive(
        st.text("abc:#-4.0 é\"'", max_size=6),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", min_size=1), inner, max_size=3),
        max_leaves=8,
    )
)
def test_what_was_dumped_is_read_back(data: object) -> None:
    text = yaml.dump(data, default_style='"', allow_unicode=True)
    node, problems = read(text)
    assert problems == []
    assert node is not None
    assert node.plain() == data


def test_long_values_are_cut_in_messages() -> None:
    assert quoted("a\nb") == '"a b"'
    assert quoted("x" * 200) == f'"{"x" * 57}..."'


@pytest.mark.parametrize(
    ("known", "hint"),
    [
        ([], "none is defined"),
        (["alpha", "gamma"], "did you mean alpha?"),
        (["x", "y"], "write one of x, y"),
        ([f"n{number}" for number in range(20)], "write one of n0, n1, n2, n3, n4, n5 ... (20 in all)"),
    ],
)
def test_suggestions(known: list[str], hint: str) -> None:
    assert suggest("alpa", known) == hint


@pytest.mark.parametrize("others", [0, 5000])
@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("h100-memry", "h100-memory"),
        ("h100-memoory", "h100-memory"),
        ("h100-memori", "h100-memory"),
        ("h100-meomry", "h100-memory"),
        ("H100-Memory", "h100-memory"),
        ("h200-memory", ""),
        ("something", ""),
        ("", ""),
    ],
)
def test_one_slip_is_seen_through_among_many_names(word: str, meant: str, others: int) -> None:
    assert nearest(word, ["h100-memory", *(f"claim-{number}" for number in range(others))]) == meant


def test_five_thousand_slips_are_seen_through() -> None:
    known = tuple(f"claim-{number}" for number in range(5000))
    assert all(nearest(f"clam-{number}", known) == f"claim-{number}" for number in range(5000))
    assert nearest("x" * 1_000_000, ("y" * 1_000_000, *known)) == ""
