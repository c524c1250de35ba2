"""Asking git about a repository. Nothing is written, and nothing is fetched."""

from __future__ import annotations

import os
import re
import subprocess

from caveat.outcome import UserError

# Variables that would change what git is asked, or what it answers, and that no option overrides.
_MEDDLING = frozenset(
    ("GIT_DIFF_OPTS", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS")
)


class Repository:
    """A repository by its root. `asked_by` is the option or command that asks, with which messages begin."""

    __slots__ = ("asked_by", "root")

    def __init__(self, root: str, asked_by: str) -> None:
        self.root = root
        self.asked_by = asked_by

    def commit(self, name: str) -> str:
        """The full id of a commit. Raises UserError if git knows none by this name; names like options are none."""
        found = self._commit(name)
        if found is None:
            shown = name or repr(name)
            raise UserError(
                f"{self.asked_by} {shown}: git knows no such commit, branch or tag{self.how_to_fetch(name)}"
            )
        return found

    def has_commits(self) -> bool:
        """Whether anything has been committed yet."""
        return self._commit("HEAD") is not None

    def _commit(self, name: str) -> str | None:
        if not name or name.startswith("-") or "\0" in name:
            return None
        found = self.run("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
        return found.stdout.decode("ascii").strip() if found.returncode == 0 else None

    def how_to_fetch(self, base: str) -> str:
        """What to do about a commit that is missing."""
        if self.run("rev-parse", "--is-shallow-repository").stdout.strip() == b"true":
            return "; this clone is shallow: fetch its history (git fetch --unshallow, or fetch-depth: 0 in a workflow)"
        of_remote = re.match(r"\w[\w.-]*\Z", base)
        return f"; a branch of a remote is fetched first, and written origin/{base}" if of_remote else ""

    def from_root(self, path: str) -> str:
        """The path of a file as git has it, "." for the root itself; "" for one outside of the repository."""
        folder, name = os.path.split(os.path.abspath(path))
        inside = os.path.relpath(os.path.join(os.path.realpath(folder), name), self.root).replace(os.sep, "/")
        return "" if inside == ".." or inside.startswith("../") else inside

    def ask(self, *arguments: str) -> bytes:
        """What git answers. Raises UserError with its words if it fails."""
        said = self.run(*arguments)
        if said.returncode:
            message = f"{self.asked_by}: git {arguments[0]} failed: {_words(said.stderr)}{self._what_is_lacking()}"
            raise UserError(message)
        return said.stdout

    def names(self, *arguments: str) -> list[str]:
        """The names that git lists, with a NUL after each."""
        return [os.fsdecode(name) for name in self.ask(*arguments).split(b"\0") if name]

    def run(self, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        """Git as it has ended, whatever it says."""
        command = ["git", "-C", self.root, "-c", "core.quotePath=false", *arguments]
        environment = {name: value for name, value in os.environ.items() if name not in _MEDDLING}
        environment |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1"}  # it writes nothing, and fetches nothing
        return subprocess.run(command, capture_output=True, check=False, env=environment)  # noqa: S603 - a list, and no shell

    def _what_is_lacking(self) -> str:
        """What to do where git would have fetched old files by itself."""
        if self.run("config", "--get-regexp", r"remote\..*\.promisor").returncode:
            return ""
        return "; this clone is partial: fetch what it lacks first (git fetch --refetch --filter=blob:limit=1g)"


def find_repository(folder: str, asked_by: str) -> Repository:
    """The repository that a folder is in. Raises UserError if it is in none, or git cannot be run."""
    command = ["git", "-C", folder, "rev-parse", "--show-toplevel"]
    try:
        said = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - a list, and no shell
    except OSError as error:
        raise UserError(f"{asked_by}: git cannot be run: {error.strerror or error}") from error
    root = os.fsdecode(said.stdout).rstrip("\n")
    if said.returncode or not root:
        where = "here" if folder == "." else f"at {folder}"
        raise UserError(f"{asked_by}: no working tree of git {where}: {_words(said.stderr)}")
    return Repository(os.path.realpath(root), asked_by)


def _words(said: bytes) -> str:
    """What git said, on one line."""
    return " ".join(said.decode("utf-8", "replace").split()) or "it does not say why"
