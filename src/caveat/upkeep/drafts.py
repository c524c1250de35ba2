"""The drafts that a registry is for, read against it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from caveat.article import Article, read_article
from caveat.command import Draft, Run, read_drafts
from caveat.options import CheckOptions
from caveat.outcome import UserError
from caveat.running.checking import described
from caveat.running.desk import Desk
from caveat.running.files import STDIN

Result = TypeVar("Result")


def run_with_drafts(run: Run, paths: Sequence[str]) -> list[Draft]:
    """The drafts at these paths, else at those of the configuration, else in the working folder, as `check` finds them.

    What cannot be read is said.
    """
    if STDIN in paths:
        raise UserError("the drafts of a registry are files: give paths, not -")
    named = tuple(paths) or tuple(run.settings.of_path(".").upkeep()["drafts"])
    run.options = CheckOptions(**{**vars(run.options), "paths": named})
    return read_drafts(run)


def each_draft(run: Run, drafts: Sequence[Draft], work: Callable[[Draft], Result]) -> Iterator[tuple[Draft, Result]]:
    """What a piece of work gives for each draft. A fault of Caveat's costs its draft only, and is said."""
    with run.speak.progress(sum(len(draft.source.text) for draft in drafts)) as done:
        for draft in drafts:
            try:
                yield draft, work(draft)
            except UserError as error:
                run.speak.error(error)
            except Exception as error:  # noqa: BLE001 - reported, and the other drafts are still read
                run.speak.error(f"{draft.source.filename}: not read, by a fault in Caveat: {described(error)}")
            done(len(draft.source.text))


def article_at(desk: Desk, draft: Draft) -> Article:
    """A draft as it is read at a desk."""
    return read_article(draft.source, desk.registry, desk.citation_scope)


def desk_of(run: Run, draft: Draft) -> Desk:
    """The desk of a draft. Raises UserError for faults in its registry or rules."""
    return run.desks.desk(draft.settings, draft.ignores)
