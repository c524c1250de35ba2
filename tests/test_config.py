"""Where the configuration of a draft is found, what it says, and what is said about a wrong one."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveat import data
from caveat.loading.config_schema import ConfigEntry, compile_config
from caveat.loading.toml_text import key_places
from caveat.options import CheckOptions
from caveat.outcome import UserError
from caveat.running.cache import Cache
from caveat.running.settings import DEFAULTS, Settings, SettingsFinder


def finder(**options: Any) -> SettingsFinder:
    return SettingsFinder(CheckOptions(**options), Cache(""))


def settings(path: str, **options: Any) -> Settings:
    return finder(**options).of_path(path)


def write(*files: tuple[str, str]) -> None:
    for name, text in files:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")


def fault(path: str = ".", **options: Any) -> str:
    """What is said about a wrong configuration."""
    with pytest.raises(UserError) as raised:
        settings(path, **options)
    return str(raised.value)


# Where it is found


def test_without_a_file_the_defaults_hold(inside: Path) -> None:
    found = settings(".")
    assert found.values == DEFAULTS
    assert set(found.origins.values()) == {None}
    assert (found.claims, found.rules) == ((data.claims_folder(),), ())


def test_keys_and_defaults_are_those_that_a_file_may_have() -> None:
    said = ConfigEntry.model_validate({}).model_dump(by_alias=True)
    assert said.pop("extend") == ""
    assert said == DEFAULTS


def test_the_nearest_file_counts_and_nothing_is_merged(inside: Path) -> None:
    write(
        ("caveat.toml", 'claims = "figures"\nselect = ["one"]\n'),
        ("a/pyproject.toml", '[tool.caveat]\nignore = ["two"]\n'),
        ("a/b/pyproject.toml", '[tool.other]\nname = "caveat"\n'),
    )
    deep, top = settings("a/b/draft.md"), settings("draft.md")
    assert (deep.values["ignore"], deep.values["select"], deep.claims) == (["two"], [], (data.claims_folder(),))
    assert (top.values["select"], top.claims) == (["one"], (str(inside / "figures"),))


def test_drafts_of_one_configuration_share_their_settings(inside: Path) -> None:
    write(("a/caveat.toml", ""), ("a/deep/x.md", ""), ("b/x.md", ""))
    found = finder()
    assert found.of_path("a/x.md") is found.of_path("a/deep/x.md") is found.of_path("a")
    assert found.of_path("a/x.md") is not found.of_path("b/x.md")


def test_the_order_of_the_names_in_one_folder(inside: Path) -> None:
    files = [
        ("pyproject.toml", '[tool.caveat]\nseverity = "info"\n'),
        ("caveat.toml", 'severity = "warning"\n'),
        (".caveat.toml", 'severity = "error"\n'),
    ]
    for file, severity in zip(files, ("info", "warning", "error"), strict=True):
        write(file)
        assert settings(".").values["severity"] == severity


def test_what_is_relative_in_a_named_file_starts_from_the_working_folder(inside: Path) -> None:
    write(("conf/mine.toml", 'claims = ["claims"]\nexclude = ["old/"]\nextend = "base.toml"\n'), ("conf/base.toml", ""))
    found = settings("elsewhere/draft.md", config="conf/mine.toml")
    assert found.claims == (str(inside / "claims"),)
    assert [pattern.base for pattern in found.exclude] == [str(inside)]


def test_the_command_line_has_the_last_word(inside: Path) -> None:
    write(("caveat.toml", 'claims = "mine"\nrules = "r"\nselect = ["a"]\nignore = ["b"]\nseverity = "error"\n'))
    found = settings(".", claims="starter", rules="other", select=("b",), severity="info")
    assert (found.claims, found.rules) == ((data.claims_folder(),), ("other",))
    assert [found.values[key] for key in ("select", "ignore", "severity")] == [("b",), [], "info"]
    assert settings(".", ignore=("c",)).values["select"] == ["a"]
    assert settings(".", isolated=True).values == DEFAULTS


# Registries


@pytest.mark.parametrize(
    ("text", "folders"),
    [
        ('claims = "starter"', ["STARTER"]),
        ('claims = ["starter", "claims"]', ["STARTER", "claims"]),
        ('claims = ["claims", "../shared"]', ["claims", "../shared"]),
        ('claims = "./starter"', ["./starter"]),
    ],
)
def test_registries(inside: Path, text: str, folders: list[str]) -> None:
    write(("caveat.toml", text))
    named = tuple(data.claims_folder() if name == "STARTER" else str(inside / "X")[:-1] + name for name in folders)
    assert settings(".").claims == named


# One file extends another


def test_a_file_says_what_it_says_and_the_extended_one_the_rest(inside: Path) -> None:
    write(
        ("caveat.toml", 'ignore = ["one"]\nclaims = "claims"\nseverity = "error"\nexclude = ["old/"]\n'),
        ("sub/caveat.toml", 'extend = "../caveat.toml"\nignore = ["two"]\n'),
        ("sub/deep/pyproject.toml", '[tool.caveat]\nextend = "../caveat.toml"\nseverity = "info"\n'),
    )
    found = settings("sub/deep/draft.md")
    assert [found.values[key] for key in ("ignore", "severity")] == [["two"], "info"]
    assert found.claims == (str(inside / "claims"),)
    assert [pattern.base for pattern in found.exclude] == [str(inside)]


def test_patterns_of_a_file_beside_the_project_are_about_the_project(inside: Path) -> None:
    write(
        ("shared/base.toml", 'exclude = ["/old/"]\nrules = "house"\n'),
        ("project/caveat.toml", 'extend = "../shared/base.toml"'),
    )
    found = settings("project/draft.md")
    assert [pattern.base for pattern in found.exclude] == [str(inside / "project")]
    assert found.rules == (str(inside / "shared" / "house"),)


def test_extending_goes_wrong(inside: Path) -> None:
    write(("caveat.toml", '# nothing\nextend = "no.toml"\n'))
    assert fault() == f"caveat.toml:2:1: extend: {inside}/no.toml: no such file; write its path from this file on"
    write(("caveat.toml", 'extend = "pyproject.toml"\n'), ("pyproject.toml", "[tool.other]\n"))
    assert fault() == f"caveat.toml:1:1: extend: {inside}/pyproject.toml: it has no [tool.caveat] table"
    write(("caveat.toml", 'extend = "a.toml"\n'), ("a.toml", 'extend = "b.toml"\n'), ("b.toml", 'extend = "a.toml"\n'))
    circle = "caveat.toml -> a.toml -> b.toml -> a.toml"
    assert fault() == f"b.toml:1:1: extend goes in a circle: {circle}; take one of them out"
    write(("caveat.toml", 'extend = "caveat.toml"\n'))
    assert "caveat.toml -> caveat.toml" in fault()
    (inside / "folder").mkdir()
    write(("caveat.toml", 'extend = "folder"\n'))
    assert fault() == "folder: cannot be read: Is a directory"
    write(("caveat.toml", 'extend = "/dev/zero"\n'))
    assert fault() == "/dev/zero: not a configuration: it has more than 1,000,000 bytes"


# Rules for some files


def test_rules_are_left_out_by_pattern(inside: Path) -> None:
    text = 'ignore = ["one"]\n[per-file-ignores]\n"notes/" = ["two"]\n"*.mdx" = ["three", "one"]\n"/a.md" = ["four"]\n'
    write(("docs/caveat.toml", text))
    found = settings("docs")
    assert found.ignores_for("") == {"one": ""}
    assert found.ignores_for("docs/notes/deep/x.md") == {"one": "", "two": "notes/"}
    assert found.ignores_for("docs/x.mdx") == {"one": "", "three": "*.mdx"}
    assert found.ignores_for("docs/a.md") == {"one": "", "four": "/a.md"}
    assert found.ignores_for("docs/sub/a.md") == {"one": ""}
    assert found.ignores_for("notes/x.md") == {"one": ""}


# Mistakes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('selct = ["a"]', 'caveat.toml:1:1: unknown key "selct"; did you mean select?'),
        ("\n  what = 1", 'caveat.toml:2:3: unknown key "what"; write one of extend, claims, rules, select, ignore'),
        ('select = "a"', "caveat.toml:1:1: select: a list is expected, not text; write a list of the rules to run"),
        ("select = [1]", "caveat.toml:1:11: select 1: text in quotes is expected, not 1; write a list of the rules"),
        ("claims = 3", "caveat.toml:1:1: claims: text in quotes is expected, not 3; write registry folders"),
        ("claims = true", "caveat.toml:1:1: claims: text in quotes is expected, not true; write registry folders"),
        ('severity = "bad"', 'caveat.toml:1:1: severity: "bad" is not known; write one of info, warning, error'),
        ('severity = "eror"', 'caveat.toml:1:1: severity: "eror" is not known; did you mean error?'),
        ('citation-scope = "article"', 'citation-scope: "article" is not known; write one of sentence, paragraph'),
        ('citation_scope = "sentence"', 'unknown key "citation_scope"; did you mean citation-scope?'),
        ('[severity]\nx = "error"', "caveat.toml:1:1: severity: one severity is expected, not a table; to give rules"),
        ('[per-rule-severity]\nx = "off"', '2:1: per-rule-severity.x: "off" is no severity; to leave the rule out'),
        ('[per-file-ignores]\n"a" = "b"', "2:1: per-file-ignores.a: a list is expected, not text; write a table of"),
        ('[per-file-ignores]\n"!a" = ["b"]', '"!a" would leave nothing out; write the files that are meant'),
        ('rules = ""', "caveat.toml:1:1: rules 1: empty; write folders of rules"),
        ("claims =", "caveat.toml:1:9: not valid TOML: invalid value; write key = "),
        ("ignore = [\n  1,\n", "caveat.toml:2:5: not valid TOML: "),
        ('severity = "info"\nseverity = "info"', "caveat.toml:2:18: not valid TOML: cannot overwrite a value"),
        (
            "select = " + "[" * 5000,
            "caveat.toml:1:1: brackets or dots nested too deeply; write lists and",
        ),
        (".".join("a" * 5000) + " = 1", "caveat.toml:1:1: brackets or dots nested too deeply; write lists and"),
    ],
)
def test_a_wrong_file_is_named_with_the_place_and_what_to_write(inside: Path, text: str, message: str) -> None:
    write(("caveat.toml", text))
    assert message in fault()


def test_all_faults_of_a_file_come_at_once_in_order(inside: Path) -> None:
    write(("pyproject.toml", '[tool.caveat]\nselct = []\nrules = ""\nwhat = 1\nignore = ["a", 2]\n'))
    places = [line.split(" ")[0] for line in fault().splitlines()]
    assert places == [f"pyproject.toml:{place}:" for place in ("2:1", "3:1", "4:1", "5:16")]


def test_text_that_is_not_utf_8_is_said(inside: Path) -> None:
    Path("caveat.toml").write_bytes(b'severity = "info"\n# \xff\n')
    assert fault() == "caveat.toml:2:1: not UTF-8 text; save the file as UTF-8"


def test_a_table_must_be_one(inside: Path) -> None:
    write(("pyproject.toml", '[tool]\ncaveat = "yes"\n'))
    assert fault() == "pyproject.toml:2:1: caveat is to be a table; write [tool.caveat]"


@pytest.mark.parametrize(
    ("text", "message"),
    [(None, "no such file"), ("[tool.other]\n", "it has no [tool.caveat] table")],
)
def test_a_named_file_must_be_there_and_speak(inside: Path, text: str | None, message: str) -> None:
    if text is not None:
        write(("pyproject.toml", text))
    assert fault(config="pyproject.toml") == f"--config pyproject.toml: {message}"


def test_what_a_file_says_is_kept_and_a_change_is_seen(inside: Path, own_cache: Path) -> None:
    for severity in ("info", "error", "info"):
        write(("caveat.toml", f'severity = "{severity}"'))
        for _ in range(2):
            found = SettingsFinder(CheckOptions(), Cache(str(own_cache))).of_folder(".")
            assert found.values["severity"] == severity
    assert len(list((own_cache / "configs").iterdir())) == 2


# Places


def test_every_key_and_item_has_its_place() -> None:
    text = (
        "# a comment = 1\n"
        'top = "x"\n'
        "\n"
        "[tool.caveat]  # ours\n"
        "ignore = [  # both\n"
        '  "b", "a",\n'
        "]\n"
        "  [tool.caveat.per-file-ignores]\n"
        '  "a/*" = ["b"]\n'
        'odd = {x = "1", y = ["2", "3"]}\n'
        "[[list]]\n"
        'k = """\n'
        "[not.a.table]\n"
        '"""\n'
        "[[list]]\n"
        "k = 1"
    )
    assert key_places(text) == {
        ("top",): (2, 1),
        ("tool", "caveat"): (4, 1),
        ("tool", "caveat", "ignore"): (5, 1),
        ("tool", "caveat", "ignore", 0): (6, 3),
        ("tool", "caveat", "ignore", 1): (6, 8),
        ("tool", "caveat", "per-file-ignores"): (8, 3),
        ("tool", "caveat", "per-file-ignores", "a/*"): (9, 3),
        ("tool", "caveat", "per-file-ignores", "a/*", 0): (9, 12),
        ("tool", "caveat", "per-file-ignores", "odd"): (10, 1),
        ("tool", "caveat", "per-file-ignores", "odd", "x"): (10, 8),
        ("tool", "caveat", "per-file-ignores", "odd", "y"): (10, 17),
        ("tool", "caveat", "per-file-ignores", "odd", "y", 0): (10, 22),
        ("tool", "caveat", "per-file-ignores", "odd", "y", 1): (10, 27),
        ("list", 0): (11, 1),
        ("list", 0, "k"): (12, 1),
        ("list", 1): (15, 1),
        ("list", 1, "k"): (16, 1),
    }


SCRAPS = st.sampled_from(
    [
        "select", "ignore", "claims", "[tool.caveat]", "[per-file-ignores]", "=", '"a"', "'b'", "[", "]", "{", "}", ",",
        ".", "\n", "#", "1", "true", '"""', "[[x]]", "severity", '"error"', "\\u0061", "\ufeff", "\r\n", "2026-01-01",
    ]
)  # fmt: skip


@given(st.lists(SCRAPS, max_size=25).map(" ".join), st.booleans())
def test_no_text_is_too_odd(text: str, of_project: bool) -> None:  # noqa: FBT001
    values, problems = compile_config(text.encode(), "c.toml", of_project=of_project)
    for problem in problems:
        assert problem.line <= text.count("\n") + 1
        assert problem.line >= 1
    try:
        tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError:
        assert values is None
        assert problems
