"""Drafts with what each of their figures rests on: what `check` counts, figure by figure."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from caveat.command import Draft, Run, desk_of, task_of
from caveat.digest import digest
from caveat.markdown.source import Source
from caveat.outcome import Outcome
from caveat.running.cache import FINDINGS
from caveat.running.checking import check_at, described, outcome_of, worker_count
from caveat.running.desk import Desk
from caveat.running.record import read_outcome, write_outcome


class SeenFigure(NamedTuple):
    """A figure of a draft: its offsets, what it rests on (a state of the engine), how it is bound, and to what."""

    start: int
    end: int
    state: str
    binding: str
    claims: tuple[str, ...]


class Surveyed(NamedTuple):
    """A draft, what was found in it, and its figures in order of place. `registry` is the key of the one it is of."""

    draft: Draft
    outcome: Outcome
    figures: tuple[SeenFigure, ...]
    registry: str


def survey(run: Run, drafts: Sequence[Draft]) -> list[Surveyed]:
    """All drafts that could be checked, in their order; of the others it is said why not."""
    keys = [_key(run, draft) for draft in drafts]
    known = {
        at: read for at, key in enumerate(keys) if (read := _read(run.cache.read(FINDINGS, key), drafts[at].source))
    }
    desks = {at: desk for at, draft in enumerate(drafts) if at not in known and (desk := desk_of(run, draft))}
    waiting = list(desks)
    sizes = [len(drafts[at].source.text) for at in waiting]
    with run.speak.progress(sum(sizes)) as done:
        answers = _answers([partial(_look, drafts[at].source, desks[at]) for at in waiting], sizes, run, done)
    for at, answer in zip(waiting, answers, strict=True):
        read = None if answer.startswith("!") else _read(answer, drafts[at].source)
        if read is None:
            why = answer[1:] or "its process answered wrongly"
            run.speak.error(f"{drafts[at].source.filename}: not checked, by a fault in Caveat: {why}")
        else:
            known[at] = read
            run.cache.write(FINDINGS, keys[at], answer)
    files = run.desks.files
    return [Surveyed(drafts[at], *known[at], files(drafts[at].settings).key) for at in sorted(known)]


def _answers(
    works: Sequence[Callable[[], str]], sizes: Sequence[int], run: Run, done: Callable[[int], None]
) -> list[str]:
    """What each piece of work gives, done here or in several processes; "!" and the reason if it fails."""
    count = worker_count(run.options.workers, sizes)
    answers = [""] * len(works)
    if count == 1:
        for at, work in enumerate(works):
            answers[at] = work()
            done(sizes[at])
        return answers
    from caveat.running.workers import run_forked

    for at, answer in run_forked(lambda number: works[number](), sizes, count):
        answers[at] = answer if isinstance(answer, str) else f"!the process that checked it {answer.how}"
        done(sizes[at])
    return answers


def _key(run: Run, draft: Draft) -> str:
    return digest(task_of(run, draft).key.encode("ascii"), b"with its figures")


def _look(source: Source, desk: Desk) -> str:
    """What there is to know of a draft, as text for the cache. A fault of the engine costs this draft only."""
    from caveat.engine import figure_states

    try:
        checked = check_at(desk, source)
        states = figure_states(checked.article, checked.findings)
        figures = [
            (b.statement.figure.start, b.statement.figure.end, state, b.status, [claim.id for claim in b.claims])
            for b, state in zip(checked.article.bindings, states, strict=True)
        ]
        return f"{json.dumps(figures)}\n{write_outcome(outcome_of(checked, desk))}"
    except Exception as error:  # noqa: BLE001 - reported, and the other drafts are still checked
        return f"!{described(error)}"


def _read(text: str | None, source: Source) -> tuple[Outcome, tuple[SeenFigure, ...]] | None:
    """What `_look` wrote of this draft; None if it is not that."""
    listed, _, rest = (text or "").partition("\n")
    outcome = read_outcome(rest, source)
    if outcome is None:
        return None
    try:
        rows = [
            (int(start), int(end), str(state), str(binding), claims)
            for start, end, state, binding, claims in json.loads(listed)
        ]
        return outcome, tuple(SeenFigure(*row[:4], tuple(map(str, row[4]))) for row in sorted(rows))
    except (ValueError, TypeError):
        return None
