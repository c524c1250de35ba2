"""What README, CONTRIBUTING and ARCHITECTURE print is what happens."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from caveat import __version__
from caveat.__main__ import main
from caveat.cli import main as command_line
from caveat.evidence.verdicts import CHANGED, NO_SNAPSHOT, NOT_BORNE_OUT, NOTHING_TO_FIND, UNREADABLE, VERIFIED
from caveat.fixing.offers import FIXERS
from caveat.markdown.document import read
from caveat.markdown.source import Source
from caveat.options import FORMATS, CheckOptions
from caveat.running.cache import Cache
from caveat.running.desk import find_desk, load_desk
from caveat.running.settings import DEFAULTS, SettingsFinder
from caveat.upkeep.checking import CLASSES
from caveat.upkeep.warnings import WARNINGS
from test_diff import QUIET, commit, git

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
EDITORS = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
REGISTRY = (ROOT / "docs" / "registry.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of a language, without the indentation that they have in a list."""
    found = re.finditer(rf"^( *)```{language}\n(.*?)^\1```$", text, re.MULTILINE | re.DOTALL)
    return [re.sub(rf"^{match[1]}", "", match[2], flags=re.MULTILINE) for match in found]


def run(monkeypatch: pytest.MonkeyPatch, words: list[str]) -> int:
    monkeypatch.setattr(sys, "argv", words)
    return main()


def test_the_readme_prints_what_its_command_prints(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    (block,) = blocks(README, "console")
    command, _, output = block.removeprefix("$ ").partition("\n")
    assert run(monkeypatch, shlex.split(command)) == 1
    assert capsys.readouterr().out == output


def test_the_sentences_of_the_readme_are_those_of_its_example() -> None:
    quoted = [line.removeprefix("> ") for line in README.splitlines() if line.startswith("> ")]
    assert quoted == [line for line in (ROOT / "examples" / "sentences.md").read_text().splitlines() if line]


def test_the_project_itself_can_be_checked(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    assert run(monkeypatch, ["caveat", "check", "--show-files"]) == 0
    listed = capsys.readouterr()
    assert {"README.md", "docs/editors.md", "docs/registry.md", "examples/draft.md"} <= set(listed.out.splitlines())
    assert listed.err == ""


def test_the_first_command_of_the_readme_shows_findings(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    *_, command = blocks(README, "sh")[0].split(" && ")
    assert run(monkeypatch, shlex.split(command)) == 1
    rules = set(re.findall(r"\[([a-z-]+)\]", capsys.readouterr().out))
    assert {"figure-mismatch", "mixed-sparsity", "dropped-qualifier", "undefined-citation"} <= rules


def test_the_one_script_runs_the_test_command_of_the_readme() -> None:
    script = (ROOT / ".ci" / "run").read_text()
    pattern = re.search(r"grep -m 1 '(.*)' README.md", script)
    assert pattern
    found = [line for line in README.splitlines() if re.match(pattern[1], line)]
    assert found[0].endswith(".venv/bin/python -m pytest --quiet -n auto --dist loadfile")


@pytest.mark.parametrize("line", blocks(README, "sh")[2].splitlines())
def test_every_command_of_the_readme_is_one(
    line: str, inside: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (inside / "docs").mkdir()
    for name in ("docs/a.md", "article.md"):
        (inside / name).write_text("The RK2 draws 700 W.\n")
    assert run(monkeypatch, shlex.split(line, comments=True)) in {0, 1}


def test_the_table_of_the_readme_names_every_format() -> None:
    table = README.partition("\n## Reports\n")[2].partition("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("| `")]
    assert [name for row in rows for name in re.findall("`(.*?)`", row.split(" | ")[0])] == list(FORMATS)


def test_the_suppressions_of_the_readme_leave_something_out() -> None:
    (block,) = blocks(README, "markdown")
    found = read(Source(block)).suppressions
    assert [(each.form, len(each.names), each.holds) for each in found] == [
        ("ignore", 1, True),
        ("ignore-next-block", 2, True),
    ]


def test_the_commands_about_baselines_work_one_after_the_other(
    inside: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (inside / "old.md").write_text((ROOT / "examples" / "draft.md").read_text())
    for line in blocks(README, "sh")[3].splitlines():
        assert run(monkeypatch, shlex.split(line, comments=True)) == 0
    assert capsys.readouterr().out.endswith(" left.\n")


def test_the_registry_of_the_readme_is_sound(
    inside: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (inside / "claims").mkdir()
    (inside / "claims" / "acme.yaml").write_text(blocks(README, "yaml")[0])
    assert run(monkeypatch, ["caveat", "claims", "check", "--claims", "claims"]) == 0, capsys.readouterr().err
    draft = ["caveat", "check", "--claims", "claims", "--format", "json", "--text", "Acme says the Rocket has 64 GB."]
    capsys.readouterr()
    assert run(monkeypatch, draft) == 1
    assert [row["rule"] for row in json.loads(capsys.readouterr().out)] == ["dropped-qualifier"]


def test_the_configuration_of_the_readme_has_every_key(inside: Path) -> None:
    (inside / "caveat.toml").write_text("")
    (inside / "drafts").mkdir()
    (inside / "drafts" / "caveat.toml").write_text(blocks(README, "toml")[0])
    assert set(tomllib.loads(blocks(README, "toml")[0])) == {*DEFAULTS, "extend"}
    assert SettingsFinder(CheckOptions(), Cache("")).of_folder("drafts").values["severity"] == "warning"


def test_the_rule_of_contributing_works_as_it_says(
    inside: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (inside / "my-rules").mkdir()
    (inside / "my-rules" / "mixed-precision.yaml").write_text(blocks(CONTRIBUTING, "yaml")[0])
    command = shlex.split(blocks(CONTRIBUTING, "sh")[0])
    assert run(monkeypatch, [*command, "--format", "json"]) == 1
    assert [(row["rule"], row["text"]) for row in json.loads(capsys.readouterr().out)] == [("mixed-precision", "4.5x")]


def test_the_settings_for_editors_can_be_read_and_start_the_server() -> None:
    (vs_code,) = map(json.loads, blocks(EDITORS, "json"))
    helix, *_ = map(tomllib.loads, blocks(EDITORS, "toml"))
    commands = [
        [vs_code["glspc.server.command"], *vs_code["glspc.server.commandArguments"]],
        [helix["language-server"]["caveat"]["command"], *helix["language-server"]["caveat"]["args"]],
    ]
    assert commands == [["caveat", "lsp"]] * 2
    for language in ("lua", "rust", "elisp"):
        (block,) = blocks(EDITORS, language)
        assert {"caveat", "lsp"} <= set(re.findall(r"""["'](\w+)["']""", block))
    assert "lsp" in command_line.commands


ARTICLE = "The Acme Two has up to 96 GB, by its data sheet. It is 3x faster.\n"


def test_the_examples_of_the_registry_desk_print_what_they_say(
    inside: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (inside / "article.md").write_text(ARTICLE)
    run(monkeypatch, ["caveat", "init", "--no-hooks", "--no-workflow"])
    capsys.readouterr()
    text = "".join(map(section, ("caveat claims export", "caveat claims import", "caveat report")))
    for match in re.finditer(r"^```(csv|console)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        if match[1] == "csv":
            (inside / "new.csv").write_text(match[2])
            continue
        for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", match[2], re.MULTILINE):
            run(monkeypatch, shlex.split(command))
            shown = capsys.readouterr()
            assert shown.out + shown.err == output


def test_every_link_between_the_pages_leads_somewhere() -> None:
    for text in (README, CONTRIBUTING, ARCHITECTURE):
        for target in re.findall(r"\]\(([^)#:]+)\)", text):
            assert (ROOT / target).exists(), target


def test_no_page_has_a_line_that_is_too_long() -> None:
    for text in (README, CONTRIBUTING, ARCHITECTURE, EDITORS, REGISTRY):
        prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
        assert max(len(line) for line in prose.splitlines() if not line.startswith("|")) <= 120


def test_the_one_script_is_sound_bash() -> None:
    assert subprocess.run(["bash", "-n", ROOT / ".ci" / "run"], check=False).returncode == 0


def test_hooks_and_action_of_the_readme_are_those_that_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    _, hooks, action = (yaml.safe_load(block) for block in blocks(README, "yaml"))
    offered = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (repository,) = hooks["repos"]
    assert repository["hooks"] == [{"id": hook["id"]} for hook in offered]
    inputs = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
    *_, step = action["steps"]
    assert set(step["with"]) == set(inputs) - {"python-version"}
    assert step["uses"].partition("@")[2] == repository["rev"] == f"v{__version__}"
    assert run(monkeypatch, ["caveat", "check", step["with"]["arguments"], "--text", "Nothing."]) == 0


def test_the_readme_shows_how_to_fix_a_draft(
    inside: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (inside / "docs").mkdir()
    (inside / "docs" / "sentences.md").write_text((ROOT / "examples" / "sentences.md").read_text())
    lines = [line.partition(">")[0] for line in blocks(README, "sh")[4].splitlines()]
    assert [run(monkeypatch, shlex.split(line, comments=True)) for line in lines] == [1] * len(lines)
    assert capsys.readouterr().out.count("Fixed 3 findings.") == 1


def test_the_readme_names_every_rule_with_a_fix() -> None:
    table = README.partition("| fix | of | how far |\n|---|---|---|\n")[2].partition("\n\n")[0]
    named = {name for row in table.splitlines() for name in row.split(" | ")[1].split(", ")}
    desk = load_desk(find_desk(str(ROOT / "claims")), Cache(""))
    fixable = {rule.name for rule in desk.rules if rule.check in FIXERS}
    of_basis = {rule.name for rule in desk.rules if rule.check == "comparison-basis"}
    assert named - {"mixed-sparsity and its kin"} == fixable - of_basis


def section(title: str) -> str:
    """The part of the page on the registry that is under a heading."""
    return REGISTRY.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


@pytest.mark.parametrize("command", ["check", "uses", "diff"])
def test_the_upkeep_of_a_registry_is_as_its_page_says(
    command: str, inside: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (inside / "claims").mkdir()
    registry = inside / "claims" / "tea.yaml"
    example = section("caveat claims check")
    registry.write_text(blocks(example, "yaml")[0])
    (inside / "tea.md").write_text(blocks(example, "markdown")[0])
    for name, value in QUIET.items():
        monkeypatch.setenv(name, value)
    git("init", "--quiet")
    commit()
    if command == "diff":
        registry.write_text(registry.read_text().replace("value: 64 GB", "value: 48 GB"))
    (block,) = blocks(section(f"caveat claims {command}"), "console")
    line, _, output = block.removeprefix("$ ").partition("\n")
    assert run(monkeypatch, shlex.split(line)) == (command == "diff")
    assert capsys.readouterr().out == output


def test_the_page_on_the_registry_names_every_warning_and_key_of_upkeep(inside: Path) -> None:
    page = section("caveat claims check")
    assert re.findall(r"^\| `(.*?)` \|", page, re.MULTILINE) == list(WARNINGS)
    (block,) = blocks(page, "toml")
    (inside / "caveat.toml").write_text(block)
    said = SettingsFinder(CheckOptions(), Cache("")).of_folder(".")
    assert said.upkeep().keys() == DEFAULTS["upkeep"].keys() == said.values["upkeep"].keys()
    assert all(said.upkeep()[class_] == DEFAULTS["upkeep"][class_] for class_ in CLASSES)


def test_the_harvest_of_the_page_on_the_registry_is_what_its_draft_gives(
    inside: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = section("caveat claims harvest")
    (inside / "claims").mkdir()
    (inside / "claims" / "acme.yaml").write_text("claims:\n")
    (inside / "article.md").write_text(blocks(page, "markdown")[0])
    for block in blocks(page, "console"):
        command, _, output = block.removeprefix("$ ").partition("\n")
        assert run(monkeypatch, shlex.split(command)) in {0, 2}
        printed = capsys.readouterr()
        assert printed.out + printed.err == output


def test_the_snapshot_of_the_page_on_the_registry_is_stored_and_verified_as_it_says(
    inside: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    storing, verifying = section("caveat claims snapshot"), section("caveat claims verify")
    registry, recorded = blocks(storing, "yaml")
    (page,) = blocks(storing, "html")
    (inside / "claims").mkdir()
    (inside / "claims" / "acme.yaml").write_text(registry)
    (inside / "sheet.html").write_text(page)
    for part, code in ((storing, 0), (verifying, 1)):
        (block,) = blocks(part, "console")
        command, _, output = block.removeprefix("$ ").partition("\n")
        assert run(monkeypatch, shlex.split(command)) == code
        assert capsys.readouterr().out == output
    written = (inside / "claims" / "acme.yaml").read_text()
    assert recorded.replace("HASH", hashlib.sha256(page.encode()).hexdigest()) in written
    named = re.findall(r"^\| `(.*?)` \|", verifying, re.MULTILINE)
    assert set(named) == {VERIFIED, *NOT_BORNE_OUT, NOTHING_TO_FIND, NO_SNAPSHOT, CHANGED, UNREADABLE}


@pytest.mark.parametrize("command", ["compare", "table"])
def test_comparisons_and_tables_are_printed_as_the_page_says(
    command: str, inside: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    examples = blocks(section(f"caveat claims {command}"), "console")
    assert examples
    for block in examples:
        line, _, output = block.removeprefix("$ ").partition("\n")
        assert run(monkeypatch, shlex.split(line)) == 0
        assert capsys.readouterr().out == output


def test_sync_writes_the_table_of_the_page_into_its_region(
    inside: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = section("caveat claims table")
    (block,), (example,) = blocks(page, "markdown"), blocks(page, "console")
    (inside / "draft.md").write_text(block)
    assert run(monkeypatch, ["caveat", "sync", "draft.md"]) == 0
    assert example.partition("\n")[2] in (inside / "draft.md").read_text()
    assert run(monkeypatch, ["caveat", "sync", "--check", "draft.md"]) == 0
