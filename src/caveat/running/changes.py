"""What has changed in a git repository since a commit, line by line, by asking git.

The commit is where the work began: the merge base with the one that is named. What counts is the working tree, with
what is not committed, or not even added.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from caveat.finding import Finding
from caveat.markdown.source import Source
from caveat.outcome import Outcome, UserError
from caveat.running.files import MARKDOWN, NEVER_ENTERED
from caveat.running.git import Repository, find_repository
from caveat.running.patch import ALL, Ranges, changed_lines, touches

OPTION = "--diff"

# A command beneath `git diff`, which no configuration changes; with what attributes and defaults could still do undone.
PATCH = (
    *("diff-index", "--patch", "--unified=0", "--inter-hunk-context=0", "--find-renames", "--text", "--no-color"),
    *("--no-ext-diff", "--no-textconv", "--ignore-submodules", "--src-prefix=a/", "--dst-prefix=b/"),
)


class Changes:
    """The lines that have changed, by the path of their file from the root of the repository."""

    def __init__(self, repository: Repository, changed: dict[str, Ranges], tracked: set[str]) -> None:
        self._repository = repository
        self._changed = changed
        self._tracked = tracked

    def lines(self, path: str) -> Ranges:
        """The changed lines of a file: all, if git does not know it. Raises UserError for one in no repository."""
        inside = self._repository.from_root(path)
        if not inside:
            raise UserError(f"{OPTION}: {path} is not in the repository {self._repository.root}")
        return self._changed.get(inside, [] if inside in self._tracked else ALL)

    def drafts(self) -> list[str]:
        """The Markdown that has changed, from the working folder on, in order."""
        here = os.path.realpath(os.getcwd())
        named = [path for path, ranges in sorted(self._changed.items()) if ranges and path.lower().endswith(MARKDOWN)]
        wanted = [path for path in named if NEVER_ENTERED.isdisjoint(path.split("/"))]
        paths = [os.path.relpath(os.path.join(self._repository.root, path), here) for path in wanted]
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
    repository = find_repository(".", OPTION)
    start = _merge_base(repository, base)
    others = [path for path in named if not path.lower().endswith(MARKDOWN) and os.path.isfile(path)]
    wanted = [f":(top,icase,glob)**/*{ending}" for ending in MARKDOWN]
    wanted += [f":(top,literal){inside}" for path in others if (inside := repository.from_root(path))]
    changed = changed_lines(repository.ask(*PATCH, start, "--", *wanted))
    changed |= dict.fromkeys(repository.names("ls-files", "-z", "--others", "--exclude-standard"), ALL)
    return Changes(repository, changed, set(repository.names("ls-files", "-z", "--cached")))


def _merge_base(repository: Repository, base: str) -> str:
    if not repository.has_commits():
        message = f"the repository {repository.root} has no commit yet; leave {OPTION} out to check all drafts"
        raise UserError(f"{OPTION}: {message}")
    found = repository.run("merge-base", repository.commit(base), "HEAD")
    if found.returncode:
        raise UserError(f"{OPTION} {base}: it has no commit in common with HEAD{repository.how_to_fetch(base)}")
    return found.stdout.decode("ascii").strip()
