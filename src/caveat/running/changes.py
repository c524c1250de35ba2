"""What has changed in a git repository since a commit, line by line, by asking git.

The commit is where the work began: the merge base with the one that is named. What counts is the working tree, with
what is not committed, or not even added.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable

from caveat.finding import Finding
from caveat.markdown.source import Source
from caveat.outcome import Outcome, UserError
from caveat.running.files import MARKDOWN, NEVER_ENTERED
from caveat.running.patch import ALL, Ranges, changed_lines, touches

OPTION = "--diff"

# A command beneath `git diff`, which no configuration changes; with what attributes and defaults could still do undone.
PATCH = (
    *("diff-index", "--patch", "--unified=0", "--inter-hunk-context=0", "--find-renames", "--text", "--no-color"),
    *("--no-ext-diff", "--no-textconv", "--ignore-submodules", "--src-prefix=a/", "--dst-prefix=b/"),
)

# Variables that would change what git is asked, or what it answers, and that no option overrides.
_MEDDLING = frozenset(
    ("GIT_DIFF_OPTS", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS")
)


class Changes:
    """The lines that have changed, by the path of their file from the root of the repository."""

    def __init__(self, root: str, changed: dict[str, Ranges], tracked: set[str]) -> None:
        self.root = root
        self._changed = changed
        self._tracked = tracked

    def lines(self, path: str) -> Ranges:
        """The changed lines of a file: all, if git does not know it. Raises UserError for one in no repository."""
        inside = _from_root(self.root, path)
        if not inside:
            raise UserError(f"{OPTION}: {path} is not in the repository {self.root}")
        return self._changed.get(inside, [] if inside in self._tracked else ALL)

    def drafts(self) -> list[str]:
        """The Markdown that has changed, from the working folder on, in order."""
        here = os.path.realpath(os.getcwd())
        named = [path for path, ranges in sorted(self._changed.items()) if ranges and path.lower().endswith(MARKDOWN)]
        wanted = [path for path in named if NEVER_ENTERED.isdisjoint(path.split("/"))]
        paths = [os.path.relpath(os.path.join(self.root, path), here) for path in wanted]
        return [path for path in paths if os.path.isfile(path)]

    def leave_out(self, outcome: Outcome) -> Outcome:
        """The outcome with the findings set aside that touch no changed line."""
        ranges = self.lines(outcome.source.filename)
        lines = _Lines(outcome.source)
        shown = [finding for finding in outcome.findings if touches(ranges, *lines.of(finding))]
        kept = set(shown)
        unchanged = tuple(finding for finding in outcome.findings if finding not in kept)
        return outcome._replace(findings=tuple(shown), unchanged=unchanged)


class _Lines:
    """The lines of a draft as git counts them: a lone CR ends none."""

    def __init__(self, source: Source) -> None:
        self._text = source.text
        self._at, self._line = 0, 1

    def of(self, finding: Finding) -> tuple[int, int]:
        """The first and the last line of a finding; findings come in order of their start."""
        self._line += self._text.count("\n", self._at, finding.start)
        self._at = finding.start
        return self._line, self._line + self._text.count("\n", finding.start, max(finding.start, finding.end - 1))


def find_changes(base: str, named: Iterable[str] = ()) -> Changes:
    """What has changed since the merge base with `base` in the repository that the working folder is in.

    Of files that are not Markdown by their name only those in `named` are looked at. Raises UserError with what keeps
    git from saying it.
    """
    root = _root()
    start = _merge_base(root, base)
    others = [path for path in named if not path.lower().endswith(MARKDOWN) and os.path.isfile(path)]
    wanted = [f":(top,icase,glob)**/*{ending}" for ending in MARKDOWN]
    wanted += [f":(top,literal){inside}" for path in others if (inside := _from_root(root, path))]
    patch = _git(*PATCH, start, "--", *wanted, root=root)
    changed = changed_lines(patch)
    changed |= dict.fromkeys(_names(_git("ls-files", "-z", "--others", "--exclude-standard", root=root)), ALL)
    return Changes(root, changed, set(_names(_git("ls-files", "-z", "--cached", root=root))))


def _from_root(root: str, path: str) -> str:
    """The path of a file as git has it; "" for one outside of the repository."""
    folder, name = os.path.split(os.path.abspath(path))
    inside = os.path.relpath(os.path.join(os.path.realpath(folder), name), root).replace(os.sep, "/")
    return "" if inside.startswith("../") else inside


def _root() -> str:
    try:
        said = subprocess.run(["git", "rev-parse", "--show-toplevel"], capture_output=True, check=False)  # noqa: S607
    except OSError as error:
        raise UserError(f"{OPTION}: git cannot be run: {error.strerror or error}") from error
    root = os.fsdecode(said.stdout).rstrip("\n")
    if said.returncode or not root:
        raise UserError(f"{OPTION}: no working tree of git here: {_words(said.stderr)}")
    return os.path.realpath(root)


def _merge_base(root: str, base: str) -> str:
    if _commit(root, "HEAD") is None:
        raise UserError(f"{OPTION}: the repository {root} has no commit yet; leave {OPTION} out to check all drafts")
    named = _commit(root, base)
    if named is None:
        shown = base or repr(base)
        raise UserError(f"{OPTION} {shown}: git knows no such commit, branch or tag{_how_to_fetch(root, base)}")
    found = _run("merge-base", named, "HEAD", root=root)
    if found.returncode:
        raise UserError(f"{OPTION} {base}: it has no commit in common with HEAD{_how_to_fetch(root, base)}")
    return found.stdout.decode("ascii").strip()


def _commit(root: str, name: str) -> str | None:
    """The full id of a commit, None if git knows none by this name; names like options are none."""
    if not name or name.startswith("-") or "\0" in name:
        return None
    found = _run("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}", root=root)
    return found.stdout.decode("ascii").strip() if found.returncode == 0 else None


def _how_to_fetch(root: str, base: str) -> str:
    """What to do about a commit that is missing."""
    if _run("rev-parse", "--is-shallow-repository", root=root).stdout.strip() == b"true":
        return "; this clone is shallow: fetch its history (git fetch --unshallow, or fetch-depth: 0 in a workflow)"
    of_remote = re.match(r"\w[\w.-]*\Z", base)
    return f"; a branch of a remote is fetched first, and written origin/{base}" if of_remote else ""


def _git(*arguments: str, root: str) -> bytes:
    said = _run(*arguments, root=root)
    if said.returncode:
        raise UserError(f"{OPTION}: git {arguments[0]} failed: {_words(said.stderr)}{_what_is_lacking(root)}")
    return said.stdout


def _what_is_lacking(root: str) -> str:
    """What to do where git would have fetched old files by itself."""
    if _run("config", "--get-regexp", r"remote\..*\.promisor", root=root).returncode:
        return ""
    return "; this clone is partial: fetch what it lacks first (git fetch --refetch --filter=blob:limit=1g)"


def _run(*arguments: str, root: str) -> subprocess.CompletedProcess[bytes]:
    command = ["git", "-C", root, "-c", "core.quotePath=false", *arguments]
    environment = {name: value for name, value in os.environ.items() if name not in _MEDDLING}
    environment |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1"}  # it writes nothing, and fetches nothing
    return subprocess.run(command, capture_output=True, check=False, env=environment)  # noqa: S603 - a list, and no shell


def _names(listed: bytes) -> list[str]:
    return [os.fsdecode(name) for name in listed.split(b"\0") if name]


def _words(said: bytes) -> str:
    """What git said, on one line."""
    return " ".join(said.decode("utf-8", "replace").split()) or "it does not say why"
