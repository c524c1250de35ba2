"""What is wrong with the suppressions of a draft: they leave nothing out, name what there is not, or give no reason.

These checks run after all others, for they look at what the suppressions did; no suppression leaves them out.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence

from caveat.checks.common import finding
from caveat.finding import Finding
from caveat.markdown.suppressions import FILE, FORMS, LINE, NEXT_BLOCK, RuleName, Suppression
from caveat.rulebook.rules import Rule

WHERE = {LINE: "on this line", NEXT_BLOCK: "in the block that follows", FILE: "in this draft"}
CURE = "write caveat: ignore[rule] reason"
_LIKE_ENOUGH = 0.6


class Ledger:
    """The suppressions of a draft, and which findings each of them leaves out.

    A finding is left out by the narrowest suppression that covers it: its line's before its block's before its file's.
    `known` are the names of the rules that there are, `running` of those that ran.
    """

    def __init__(
        self,
        suppressions: Sequence[Suppression],
        found: Sequence[Finding],
        known: Collection[str],
        running: Collection[str],
    ) -> None:
        self.suppressions = suppressions
        self.known = known
        self.running = running
        self.used: set[int] = set()  # the places of the names that left something out
        self._left_out: set[tuple[str, int, int]] = set()
        if suppressions:
            self._settle(found)

    def leaves_out(self, found: Finding) -> bool:
        """Whether a suppression leaves this finding out."""
        return (found.rule, found.start, found.end) in self._left_out

    def _settle(self, found: Sequence[Finding]) -> None:
        """Give each finding to the suppression that leaves it out; `found` is in order of place."""
        open_findings: dict[str, list[Finding]] = {}
        for each in found:
            open_findings.setdefault(each.rule, []).append(each)
        for suppression in sorted(self.suppressions, key=_width):
            first, last = suppression.covered
            for name in suppression.names if suppression.holds else ():
                candidates = open_findings.get(name.text, [])
                low, high = (bisect_left(candidates, at, key=_start) for at in (first, last))
                if low < high:
                    self.used.add(name.start)
                    self._left_out.update((f.rule, f.start, f.end) for f in candidates[low:high])
                    del candidates[low:high]


def unused_suppression(ledger: Ledger, rule: Rule) -> Iterator[Finding]:
    """Names in suppressions whose rule ran and found nothing there. Their range is the name."""
    for suppression, name in _names(ledger):
        if name.text in ledger.running and name.start not in ledger.used:
            where = WHERE[suppression.form]
            yield finding(rule, name.start, name.end, words=name.text, where=where)


def unknown_suppression(ledger: Ledger, rule: Rule) -> Iterator[Finding]:
    """Comments that cannot be read, and names and forms that there are not; with what was probably meant."""
    for suppression in ledger.suppressions:
        start, form = suppression.form_start, suppression.form
        if form not in FORMS:
            if form:
                problem = f"is no form of suppression; {meant(form, FORMS, f'write {LINE}, {NEXT_BLOCK} or {FILE}')}"
                yield finding(rule, start, start + len(form), words=form, problem=problem)
            else:
                problem = f"cannot be read as a suppression; {CURE}"
                yield finding(rule, suppression.start, suppression.end, words="this comment", problem=problem)
        elif not suppression.names:
            yield finding(rule, start, start + len(form), words=form, problem=f"names no rule; {CURE}")
    for _, name in _names(ledger, holding=False):
        if name.text not in ledger.known:
            hint = meant(name.text, ledger.known, "`caveat rules` lists them")
            problem = f"is no rule that can be suppressed; {hint}"
            yield finding(rule, name.start, name.end, words=" ".join(name.text.split()), problem=problem)


def unexplained_suppression(ledger: Ledger, rule: Rule) -> Iterator[Finding]:
    """Suppressions without a reason: they leave nothing out."""
    for suppression in ledger.suppressions:
        if suppression.form in FORMS and suppression.names and not suppression.reason:
            names = ", ".join(dict.fromkeys(" ".join(name.text.split()) for name in suppression.names))
            yield finding(rule, suppression.start, suppression.end, names=names)


def _names(ledger: Ledger, *, holding: bool = True) -> Iterator[tuple[Suppression, RuleName]]:
    for suppression in ledger.suppressions:
        if suppression.holds or (not holding and suppression.form in FORMS):
            yield from ((suppression, name) for name in suppression.names)


def meant(word: str, known: Collection[str], otherwise: str) -> str:
    """What a word was probably meant to be, as a hint."""
    from difflib import get_close_matches  # a draft without a slip does not need it

    near = get_close_matches(word[:100].lower(), sorted(known), n=1, cutoff=_LIKE_ENOUGH)
    return f"did you mean {near[0]}?" if near else otherwise


def _width(suppression: Suppression) -> int:
    return suppression.covered[1] - suppression.covered[0]


def _start(found: Finding) -> int:
    return found.start
