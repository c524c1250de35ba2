"""The steps of the build that are ours: rules and vocabulary travel compiled, and so does the engine, to C.

A wheel has both, an editable install neither, for its files may change. The engine runs from its Python files as well,
in about twice the time, so a machine without a C compiler gets a wheel without that part; CAVEAT_COMPILE says "never"
to do without it anywhere, and "always" to fail rather than do without.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# What a check spends its time in.
COMPILED = (
    *("data", "digest", "finding", "language", "markdown", "figures", "registry", "rulebook", "reading"),
    *("arithmetic", "binding", "article", "checks", "engine"),
)
# These extend classes of markdown-it-py, which mypyc cannot, or give it functions that it makes methods of.
INTERPRETED = frozenset(("markdown/parser.py", "markdown/inline.py", "markdown/embedded.py", "markdown/rendering.py"))


class CompiledFiles(BuildHookInterface):  # type: ignore[type-arg]
    """Adds to a wheel what is compiled."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile what this checkout ships with its own code."""
        if version == "editable":
            return
        self.folder = tempfile.TemporaryDirectory()  # lives as long as the build
        sys.path.insert(0, os.path.join(self.root, "src"))
        from caveat.loading.shipped import write_shipped

        path = os.path.join(self.folder.name, "compiled.json")
        write_shipped(path)
        build_data["force_include"][path] = "caveat/data/compiled.json"
        for library in self._libraries(os.environ.get("CAVEAT_COMPILE", "auto")):
            build_data["force_include"][library] = os.path.relpath(library, self._native)
            build_data["pure_python"] = False
            build_data["infer_tag"] = True

    @property
    def _native(self) -> str:
        return os.path.join(self.folder.name, "native")

    def _libraries(self, wanted: str) -> list[str]:
        """The paths of the engine's compiled modules; none if they are not wanted, or there is no C compiler."""
        if wanted == "never":
            return []
        # In a process of its own, since setuptools keeps much in globals and prints as it likes.
        command = [sys.executable, os.path.abspath(__file__), self._native]
        done = subprocess.run(  # noqa: S603 - this very file
            command, cwd=os.path.join(self.root, "src"), capture_output=True, encoding="utf-8", check=False
        )
        if done.returncode:
            said = f"{done.stdout}{done.stderr}".strip()
            if wanted == "always":
                raise RuntimeError(f"the engine could not be compiled:\n{said}")
            self.app.display_warning(f"the engine is not compiled, and takes twice the time:\n{said[-2000:]}")
            return []
        return list(_files(self._native, os.path.splitext(_suffix())[1]))


def _suffix() -> str:
    import sysconfig

    return str(sysconfig.get_config_var("EXT_SUFFIX"))


def _files(folder: str, ending: str) -> Iterable[str]:
    for at, _, names in sorted(os.walk(folder)):
        yield from (os.path.join(at, name) for name in sorted(names) if name.endswith(ending))


def _sources(modules: Iterable[str]) -> list[str]:
    """The Python files of some modules and packages of Caveat, from the folder `src`."""
    paths: list[str] = []
    for module in modules:
        path = os.path.join("caveat", module)
        paths += _files(path, ".py") if os.path.isdir(path) else [f"{path}.py"]
    return [path for path in paths if path.replace(os.sep, "/").removeprefix("caveat/") not in INTERPRETED]


def compile_engine(target: str) -> None:
    """Compile the engine into the folder `target`, laid out as they are installed. From the folder `src`."""
    from mypyc.build import mypycify
    from pybind11.setup_helpers import ParallelCompile
    from setuptools import setup

    ParallelCompile().install()
    with tempfile.TemporaryDirectory() as work:
        options = ["--config-file=", f"--cache-dir={os.path.join(work, 'mypy')}", "--ignore-missing-imports"]
        extensions = mypycify(
            [*options, *_sources(COMPILED)],
            opt_level="1",  # "2" gains a twentieth of a run for half as much again of building
            debug_level="0",
            multi_file=True,
            group_name="caveat",
            target_dir=os.path.join(work, "c"),
        )
        arguments = ["build_ext", f"--build-lib={target}", f"--build-temp={work}"]
        setup(name="caveat", packages=[], ext_modules=extensions, script_args=arguments)


if __name__ == "__main__":
    compile_engine(sys.argv[1])
