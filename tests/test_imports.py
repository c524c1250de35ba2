"""Which way imports point, and what a command loads: sets of modules, which unlike times are never noisy."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from caveat.options import FORMATS

PACKAGE = Path(__file__).parent.parent / "src" / "caveat"

# From the bottom to the top: a module may import from its own layer and from those before it.
LAYERS = (
    ("finding", "options", "data", "digest", "markdown.source", "language"),
    ("markdown",),
    ("figures",),
    ("registry", "rulebook"),
    ("reading",),
    ("arithmetic",),
    ("binding",),
    ("comparing",),
    ("article",),
    ("checks",),
    ("engine",),
    ("fixing",),
    ("loading",),
    ("outcome",),
    ("report",),
    ("running",),
    ("streams",),
    ("mending",),
    ("command",),
    ("harvesting",),
    ("evidence",),
    ("upkeep",),
    ("exchange",),
    ("site",),
    ("baselining",),
    ("syncing",),
    ("server",),
    ("cli",),
    ("__main__",),
)

# The only packages that may import a library.
LIBRARIES = {
    "markdown_it": {"markdown"},
    "mdit_py_plugins": {"markdown"},
    "linkify_it": {"markdown"},
    "yaml": {"loading"},
    "ruamel": {"harvesting", "loading"},
    "justhtml": {"evidence"},
    "pypdf": {"evidence"},
    "http": {"evidence"},
    "socket": {"evidence"},
    "ssl": {"evidence"},
    "pydantic": {"loading"},
    "jinja2": {"site"},
    "markupsafe": {"site"},
    "pathspec": {"running"},
    "tomllib": {"loading"},
    "click": {"cli", "streams"},
    "pygls": {"server"},
    "lsprotocol": {"server"},
}


def modules() -> dict[str, Path]:
    """Every module of the package by its name within it."""
    return {
        ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__"): path
        for path in sorted(PACKAGE.rglob("*.py"))
        if path != PACKAGE / "__init__.py"
    }


def imports(path: Path, *, at_once: bool = False) -> Iterator[str]:
    """The full names of what a file imports, except for types only: `at_once` when it is itself imported, or ever."""
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        if at_once and isinstance(node, ast.FunctionDef):
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        waiting += ast.iter_child_nodes(node)


def own_imports(path: Path, *, at_once: bool = False) -> set[str]:
    """The modules of the package that a file imports, by their names within it."""
    known = modules()
    found = set()
    for name in imports(path, at_once=at_once):
        within = name.removeprefix("caveat.")
        if name.startswith("caveat."):
            found.add(within if within in known else within.rpartition(".")[0])
    return found - {"", "__version__"}


def layer(module: str) -> int:
    """The number of a module's layer; the longest name that fits counts."""
    fitting = [
        (len(name), number)
        for number, names in enumerate(LAYERS)
        for name in names
        if module == name or module.startswith(f"{name}.")
    ]
    assert fitting, f"{module} has no layer: give it one in this test and in ARCHITECTURE.md"
    return max(fitting)[1]


@pytest.mark.parametrize("module", modules())
def test_imports_point_downwards(module: str) -> None:
    upwards = {name for name in own_imports(modules()[module]) if layer(name) > layer(module)}
    assert not upwards


def test_no_import_goes_round_in_a_circle() -> None:
    graph = {name: own_imports(path, at_once=True) - {name} for name, path in modules().items()}
    TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("module", modules())
def test_a_library_is_known_to_one_package_only(module: str) -> None:
    for name in imports(modules()[module]):
        library = name.partition(".")[0]
        assert module.partition(".")[0] in LIBRARIES.get(library, {module.partition(".")[0]}), library


def test_architecture_names_the_layers_in_their_order() -> None:
    page = (PACKAGE.parent.parent / "ARCHITECTURE.md").read_text(encoding="utf-8")
    table = page.partition("## Modules")[2].partition("## What")[0]
    named = [name for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for name in re.findall("`(.*?)`", row)]
    assert named == [name for layer in LAYERS for name in layer]


def loaded_by(folder: Path, *arguments: str) -> set[str]:
    """The modules that are loaded when a command has ended."""
    script = (
        "import sys\n"
        "from caveat.__main__ import main\n"
        "assert main() in (0, 1)\n"
        "sys.stderr.write('\\n'.join(['MODULES', *sys.modules]))"
    )
    run = subprocess.run(
        [sys.executable, "-c", script, *arguments], cwd=folder, capture_output=True, encoding="utf-8", check=True
    )
    return set(run.stderr.partition("MODULES\n")[2].split("\n"))


HEAVY = {"yaml", "pydantic", "pydantic_core", "markdown_it", "mdit_py_plugins", "linkify_it", "pathspec", "tomllib"}
DRAFT = "The Trainium3 chip has 144 GB of memory and is twice as fast.\n"


def test_only_the_server_loads_what_it_is_made_of(inside: Path, own_cache: Path) -> None:
    (inside / "draft.md").write_text(DRAFT)
    for command in (["check", "--no-cache", "draft.md"], ["lsp", "--help"]):
        loaded = loaded_by(inside, *command)
        assert not loaded & {"pygls", "lsprotocol", "attrs", "cattrs", "asyncio"}
        assert not {name for name in loaded if name.startswith("caveat.server")}


def test_help_loads_click_and_the_options_only() -> None:
    loaded = loaded_by(PACKAGE, "--help")
    assert not loaded & (HEAVY | {"json", "logging", "decimal", "importlib.metadata"})
    assert {name for name in loaded if name.startswith("caveat")} == {
        "caveat",
        "caveat.__main__",
        "caveat.cli",
        "caveat.cli.claims",
        "caveat.cli.shared",
        "caveat.options",
    }


def test_a_warm_check_loads_no_yaml_no_pydantic_and_no_click(inside: Path, own_cache: Path) -> None:
    (inside / "warm.md").write_text("Nothing yet.\n")
    (inside / "draft.md").write_text(DRAFT)
    assert {"yaml", "pydantic"} <= loaded_by(inside, "check", "--isolated", "warm.md")
    loaded = loaded_by(inside, "check", "--isolated", "draft.md")
    assert "markdown_it" in loaded
    assert not loaded & {"yaml", "pydantic", "pydantic_core", "click", "pathspec", "tomllib", "difflib", "selectors"}
    assert not {name for name in loaded if name.startswith(("caveat.loading", "caveat.fixing"))}


def test_only_a_draft_with_a_table_from_the_registry_loads_what_makes_tables(inside: Path, own_cache: Path) -> None:
    (inside / "draft.md").write_text(f"<!-- caveat: see the table -->\n\n{DRAFT}")
    (inside / "table.md").write_text("<!-- caveat: table h200 metrics=memory -->\n<!-- caveat: end -->\n")
    made = {"caveat.comparing", "caveat.comparing.tables", "caveat.checks.values.tables", "shlex"}
    assert not loaded_by(inside, "check", "--isolated", "draft.md") & (made | {"caveat.markdown.regions"})
    assert made <= loaded_by(inside, "check", "--isolated", "table.md")


def test_a_configuration_is_parsed_only_when_it_changes(inside: Path, own_cache: Path) -> None:
    (inside / "draft.md").write_text(DRAFT)
    (inside / "caveat.toml").write_text('severity = "info"\n[per-rule-severity]\nundated-price = "error"\n')
    assert {"tomllib", "pydantic"} <= loaded_by(inside, "check", "draft.md")
    loaded = loaded_by(inside, "check", "draft.md")
    assert not loaded & (HEAVY | {"click", "decimal", "caveat.engine", "caveat.registry", "caveat.figures"})


@pytest.mark.parametrize("form", ["full", "concise"])
def test_a_report_loads_its_own_format_only(form: str, inside: Path, own_cache: Path) -> None:
    (inside / "draft.md").write_text(DRAFT)
    loaded_by(inside, "check", "--isolated", "draft.md")
    loaded = loaded_by(inside, "check", "--isolated", "--format", form, "draft.md")
    others = {f"caveat.report.{module}" for name, module in FORMATS.items() if name != form} - {"caveat.report.concise"}
    assert f"caveat.report.{form}" in loaded
    assert not {name for name in loaded if name.startswith("caveat.fixing")} | (loaded & {"caveat.mending"})
    assert not loaded & {*others, "caveat.running.root", "xml", "urllib.parse", "caveat.report.columns"}


def test_an_unchanged_draft_does_not_even_load_the_parser(inside: Path, own_cache: Path) -> None:
    (inside / "draft.md").write_text(DRAFT)
    loaded_by(inside, "check", "--isolated", "draft.md")
    loaded = loaded_by(inside, "check", "--isolated", "draft.md")
    assert not loaded & (HEAVY | {"click", "decimal", "caveat.engine", "caveat.registry", "caveat.figures"})


def test_a_baseline_loads_nothing_heavy_either_and_git_is_run_for_diff_only(inside: Path, own_cache: Path) -> None:
    (inside / "draft.md").write_text(DRAFT)
    loaded_by(inside, "baseline", "--isolated", "draft.md")
    loaded = loaded_by(inside, "check", "--isolated", "--baseline", ".caveat-baseline.json", "draft.md")
    assert not loaded & (HEAVY | {"click", "decimal", "caveat.engine", "caveat.registry", "subprocess", "difflib"})
    assert "caveat.running.baseline" in loaded
