"""Drafts through the engine: from the cache where nothing changed, else here or in several processes."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from caveat.markdown.source import Source
from caveat.outcome import Cited, Outcome
from caveat.running.cache import FINDINGS, Cache
from caveat.running.desk import Desk
from caveat.running.record import read_outcome, write_outcome

if TYPE_CHECKING:
    from caveat.engine import Checked
    from caveat.running.workers import Crash

# A second process is worth its start from this much Markdown on, in characters.
WORTH_A_FORK = 50_000


class Task:
    """A draft to check, the key of its findings in the cache, how much work it is, and whether fixes are wanted."""

    __slots__ = ("fixes", "key", "size", "source")

    def __init__(self, source: Source, key: str, size: int, *, fixes: bool = False) -> None:
        self.fixes = fixes
        self.source = source
        self.key = key
        self.size = size


class Failure:
    """A draft that could not be checked because of a fault in Caveat, and what is known about the fault."""

    __slots__ = ("filename", "message")

    def __init__(self, filename: str, message: str) -> None:
        self.filename = filename
        self.message = message


def kept_outcomes(tasks: Sequence[Task], cache: Cache) -> list[Outcome | None]:
    """For each draft its outcome from the cache, or None."""
    outcomes: list[Outcome | None] = []
    for task in tasks:
        kept = cache.read(FINDINGS, task.key)
        outcomes.append(None if kept is None else read_outcome(kept, task.source))
    return outcomes


def check_tasks(
    tasks: Sequence[Task], desks: Sequence[Desk], cache: Cache, workers: int, done: Callable[[int], None]
) -> list[Outcome | Failure]:
    """The outcome of each draft at its desk, in the order of the tasks whatever the number of workers.

    `workers` is the number asked for, 0 for as many as it pays; `done` is told the size of each task when it is done.
    """
    sizes = [task.size for task in tasks]
    count = worker_count(workers, sizes)
    if count == 1:
        return [_check_here(task, desk, cache, done) for task, desk in zip(tasks, desks, strict=True)]
    from caveat.running.workers import run_forked

    def work(number: int) -> str:
        result = _check(tasks[number], desks[number], cache)
        return "!" + result.message if isinstance(result, Failure) else write_outcome(result)

    answers: dict[int, str | Crash] = {}
    for number, answer in run_forked(work, sizes, count):
        answers[number] = answer
        done(sizes[number])
    return [_result(task, answers[number]) for number, task in enumerate(tasks)]


def worker_count(asked: int, sizes: Sequence[int]) -> int:
    """How many processes to use for drafts of these sizes: as many as asked for (0: one a processor), if it pays."""
    if not hasattr(os, "fork"):
        return 1
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(asked or available, len(sizes), 1 + sum(sizes) // WORTH_A_FORK))


def _check_here(task: Task, desk: Desk, cache: Cache, done: Callable[[int], None]) -> Outcome | Failure:
    result = _check(task, desk, cache)
    done(task.size)
    return result


def _result(task: Task, answer: str | Crash) -> Outcome | Failure:
    """What a worker's answer says about a draft."""
    name = task.source.filename
    if not isinstance(answer, str):
        return Failure(name, f"the process that checked it {answer.how}")
    if answer.startswith("!"):
        return Failure(name, answer[1:])
    return read_outcome(answer, task.source) or Failure(name, "the process that checked it answered wrongly")


def _check(task: Task, desk: Desk, cache: Cache) -> Outcome | Failure:
    """Check one draft and keep what was found. Any fault of the engine costs this draft only, and is reported."""
    try:
        checked = check_at(desk, task.source)
        if task.fixes:
            from caveat.fixing.applying import with_fixes

            checked.findings = with_fixes(checked, desk.rules, partial(recheck, desk, task.source))
    except Exception as error:  # noqa: BLE001 - reported, and the other drafts are still checked
        return Failure(task.source.filename, described(error))
    outcome = outcome_of(checked, desk)
    cache.write(FINDINGS, task.key, write_outcome(outcome))
    return outcome


def check_at(desk: Desk, source: Source) -> Checked:
    """Check a draft by all that a desk holds."""
    from caveat.engine import check

    return check(source, desk.registry, desk.rules, desk.citation_scope, desk.every_rule)


def recheck(desk: Desk, source: Source, text: str) -> Checked:
    """Check another text in the place of a draft's."""
    return check_at(desk, source.edited(text))


def outcome_of(checked: Checked, desk: Desk) -> Outcome:
    """What checking a draft at a desk gave, with the claims that it names."""
    named = {claim for finding in checked.findings for claim in finding.claims}
    cited = {claim: _cited(desk, claim) for claim in sorted(named)}
    return Outcome(
        checked.article.document.source,
        tuple(checked.findings),
        checked.counts,
        {claim: record for claim, record in cited.items() if record is not None},
        tuple(checked.suppressed),
    )


def _cited(desk: Desk, claim_id: str) -> Cited | None:
    claim = desk.registry.claim(claim_id)
    if claim is None:
        return None
    source = desk.registry.sources.get(claim.source)
    return Cited(claim.stated, source.title if source else claim.source, claim.file, claim.line)


def described(error: Exception) -> str:
    """An unforeseen error as one line, with the place in the code where it came up."""
    import traceback

    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{place}"
