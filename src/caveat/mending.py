"""What `caveat check --fix` does to drafts, and `--diff-fixes` shows: the fixes made, written or as a patch."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from caveat.finding import SAFE, UNSAFE, Finding, Fix
from caveat.outcome import Outcome, UserError
from caveat.report.difference import patch_of
from caveat.running import files
from caveat.running.checking import outcome_of, recheck
from caveat.running.desk import Desk
from caveat.streams import print_report, replace_file

if TYPE_CHECKING:
    from caveat.markdown.source import Source


class Mended:
    """A draft before and after its fixes: what was found in it, and what is found in it now."""

    __slots__ = ("after", "before", "path")

    def __init__(self, path: str, before: Outcome, after: Outcome) -> None:
        self.path = path
        self.before = before
        self.after = after

    def patch(self) -> str:
        """The change that the fixes make, as a patch."""
        before, after = self.before.source, self.after.source
        return patch_of(before.filename, before.whole, after.whole)


def mend(path: str, outcome: Outcome, desk: Desk, *, unsafe: bool) -> Mended:
    """Make the fixes of all findings that an outcome shows: the safe ones, or with `unsafe` those that change words.

    What is recorded in a baseline or on unchanged lines stays as it is, and no number is changed.
    """
    from caveat.fixing.applying import apply_fixes, may_be_fixed, with_fixes

    if not may_be_fixed(outcome.findings, desk.rules):
        return Mended(path, outcome, outcome)
    check = partial(recheck, desk, outcome.source)
    checked = check(outcome.source.text)
    numbers = {finding: number for number, finding in enumerate(checked.findings)}
    shown, kept, closed = (
        {numbers[finding._replace(fix=None)] for finding in group}
        for group in (outcome.findings, outcome.baselined, outcome.unchanged)
    )
    allowed = partial(_is_allowed, unsafe=unsafe)
    applied = apply_fixes(checked, desk.rules, check, allowed, shown, (kept, closed))
    left = {at for at, first in enumerate(applied.origin) if first in shown}
    applied.checked.findings = with_fixes(applied.checked, desk.rules, check, left)
    now = outcome_of(applied.checked, desk)
    remaining = [_of(now.findings, applied.origin, group) for group in (shown, kept, closed)]
    fixed = shown - set(applied.origin)
    after = now._replace(
        findings=remaining[0],
        suppressed=outcome.suppressed,
        baselined=remaining[1],
        unchanged=remaining[2],
        fixed=tuple(finding for number, finding in enumerate(checked.findings) if number in fixed),
    )
    return Mended(path, outcome, after)


def _is_allowed(fix: Fix, *, unsafe: bool) -> bool:
    return fix.applicability == SAFE or (unsafe and fix.applicability == UNSAFE)


def _of(findings: Sequence[Finding], origin: Sequence[int], group: set[int]) -> tuple[Finding, ...]:
    return tuple(finding for finding, first in zip(findings, origin, strict=True) if first in group)


def write_mended(mended: Mended) -> None:
    """Put a draft with its fixes where it was: in its file, or on standard output if it came from none.

    Raises UserError if it cannot be written, or the file is no longer what was checked.
    """
    before, after = mended.before.source, mended.after.source
    if mended.path in ("", files.STDIN):
        print_report(after.whole, for_machines=True)
    elif before.text != after.text:
        overwrite(mended.path, before, after, "fixed")


def overwrite(path: str, before: Source, after: Source, done: str) -> None:
    """Put a draft in the place of what it was made from; `done` is what has been done to it, for messages.

    Raises UserError if it cannot be written, or the file is no longer what was read.
    """
    target, shown = os.path.realpath(path), before.filename
    try:
        if not os.path.isfile(target):
            raise UserError(f"{shown}: no plain file, and not {done}")
        with open(target, "rb") as file:
            unchanged = file.read() == before.written()
        if not unchanged:
            raise UserError(f"{shown}: changed while it was checked, and not {done}; run the command again")
        if not (os.access(target, os.W_OK) and os.stat(target).st_mode & 0o222):
            raise UserError(f"{shown}: cannot be {done}: the file is read-only")
        replace_file(target, after.written())
    except OSError as error:
        raise UserError(f"{shown}: cannot be {done}: {error.strerror or error}") from error
