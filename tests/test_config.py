"""Where the configuration is found, and what is said about a wrong one."""

from __future__ import annotations

from pathlib import Path

import pytest

from caveat.outcome import UserError
from caveat.running.config import find_config, read_config


def test_without_a_file_everything_is_unsaid(inside: Path) -> None:
    assert vars(find_config(str(inside))) == {}


def test_the_nearest_file_counts_and_nothing_is_merged(inside: Path) -> None:
    (inside / "a" / "b").mkdir(parents=True)
    (inside / "caveat.toml").write_text('claims = "figures"\nselect = ["one"]\n')
    (inside / "a" / "pyproject.toml").write_text('[tool.caveat]\nignore = ["two"]\n')
    (inside / "a" / "b" / "pyproject.toml").write_text('[tool.other]\nname = "caveat"\n')
    assert find_config("a/b/draft.md").ignore == ("two",)
    assert find_config("a/b/draft.md").claims == ""
    assert find_config("draft.md").claims == str(inside / "figures")


def test_caveat_toml_comes_before_pyproject(inside: Path) -> None:
    (inside / "caveat.toml").write_text('severity = "error"\n')
    (inside / "pyproject.toml").write_text('[tool.caveat]\nseverity = "warning"\n')
    assert find_config(".").severity == "error"


def test_what_is_relative_in_a_named_file_starts_from_the_working_folder(inside: Path) -> None:
    (inside / "conf").mkdir()
    (inside / "conf" / "mine.toml").write_text('claims = "claims"\nexclude = ["old/"]\n')
    config = read_config("conf/mine.toml")
    assert (config.claims, config.base, config.exclude) == (str(inside / "claims"), str(inside), ("old/",))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('selct = ["a"]', "caveat.toml: unknown key 'selct'; did you mean select?"),
        ('select = "a"', 'caveat.toml: select must be a list of texts, as in select = ["..."]'),
        ("select = [1]", 'caveat.toml: select must be a list of texts, as in select = ["..."]'),
        ("claims = 3", 'caveat.toml: claims must be a text, as in claims = "..."'),
        ('severity = "bad"', "caveat.toml: severity must be one of info, warning, error, not 'bad'"),
        ("claims =", "caveat.toml: not readable as TOML: "),
    ],
)
def test_a_wrong_file_is_named_with_what_to_write(inside: Path, text: str, message: str) -> None:
    (inside / "caveat.toml").write_text(text)
    with pytest.raises(UserError) as raised:
        find_config(".")
    assert message in str(raised.value)


def test_all_faults_of_a_file_come_at_once(inside: Path) -> None:
    (inside / "caveat.toml").write_text('selct = []\nrules = ""\nwhat = 1\n')
    with pytest.raises(UserError) as raised:
        find_config(".")
    assert len(str(raised.value).splitlines()) == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [(None, "no such file"), ("[tool.other]\n", "it has no [tool.caveat] table")],
)
def test_a_named_file_must_be_there_and_speak(inside: Path, text: str | None, message: str) -> None:
    if text is not None:
        (inside / "pyproject.toml").write_text(text)
    with pytest.raises(UserError) as raised:
        read_config("pyproject.toml")
    assert str(raised.value) == f"--config pyproject.toml: {message}"
