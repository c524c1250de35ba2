"""What has changed in a registry and what that makes wrong: as text for people, or JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from caveat.loading.problems import Problem
from caveat.outcome import Outcome
from caveat.report.concise import concise, place
from caveat.report.json_report import objects, written_out
from caveat.report.text import counted, visible
from caveat.report.uses import Use, as_record

ADDED, REMOVED, CHANGED = "added", "removed", "changed"


class Change(NamedTuple):
    """A record that was added, removed or changed: its kind ("claim"), id and place (a removed one's in the past).

    `fields` are those that differ: (name, before, after), "" standing for none.
    """

    how: str
    kind: str
    id: str
    file: str
    line: int
    column: int
    fields: tuple[tuple[str, str, str], ...]


class Lost(NamedTuple):
    """A place in a draft that rested on a claim and rests on none now: what the claim was and is, "" if it is gone."""

    use: Use
    before: str
    now: str


class Difference(NamedTuple):
    """What a change of the registry since a commit comes to.

    `failing` are the derived claims that no longer work out, by id, with the places in drafts that rest on each;
    `outcomes` the drafts with the findings that are new, `lost` for each the places without one that lost their claim.
    """

    base: str
    changes: Sequence[Change]
    failing: Mapping[str, tuple[Problem, Sequence[Use]]]
    outcomes: Sequence[Outcome]
    lost: Sequence[Sequence[Lost]]

    @property
    def wrong(self) -> list[int]:
        """How many places are wrong now in each draft that has some."""
        counts = []
        for outcome, lost in zip(self.outcomes, self.lost, strict=True):
            places = {(finding.start, finding.end) for finding in outcome.findings}
            counts.append(len(places | {(each.use.start, each.use.end) for each in lost}))
        return [count for count in counts if count]


def render_difference(difference: Difference, fmt: str) -> str:
    """The difference: a JSON object for "json", else a line for each piece of news, and a closing count."""
    if fmt == "json":
        return written_out(_record(difference), indent=2) + "\n"
    lines: list[str] = []
    for change in difference.changes:
        lines.append(f"{change.file}:{change.line}:{change.column}: {change.how} {change.kind} {change.id}")
        lines += [f"    {name}: {_shift(before, after)}" for name, before, after in change.fields]
    for problem, uses in difference.failing.values():
        lines.append(f"{problem.file}:{problem.line}:{problem.column}: {_told(problem)}")
        lines += [f"    {place(use.source, use.start)}: {use.words} {_rests(use)}" for use in uses]
    for outcome, lost in zip(difference.outcomes, difference.lost, strict=True):
        news = [(finding.start, concise(outcome.source, finding)) for finding in outcome.findings]
        news += [(each.use.start, f"{place(outcome.source, each.use.start)}: {_lost(each)}") for each in lost]
        lines += [line for _, line in sorted(news)]
    return "".join(f"{visible(line)}\n" for line in [*lines, _counted(difference)])


def _lost(lost: Lost) -> str:
    claim, words = lost.use.through[0], lost.use.words
    if not lost.now:
        return f"{words} rested on {claim} ({lost.before}), which is gone"
    if lost.now == lost.before:
        return f"{words} rested on {claim} ({lost.before}), and does no longer"
    return f"{words} rested on {claim}, which was {lost.before} and is {lost.now} now"


def _told(problem: Problem) -> str:
    return f"{problem.subject} no longer works out: {problem.message}"


def _rests(use: Use) -> str:
    return f"{use.how} it" if len(use.through) == 1 else f"{use.how} {use.through[0]}, which is derived from it"


def _shift(before: str, after: str) -> str:
    if not before:
        return f"+ {after}"
    return f"{before} -> {after}" if after else f"- {before}"


def _counted(difference: Difference) -> str:
    """How much has changed, and what it breaks."""
    if not difference.changes:
        return f"Nothing has changed in the registry since {difference.base}."
    of_kind = [(how, sum(change.how == how for change in difference.changes)) for how in (ADDED, REMOVED, CHANGED)]
    changes = ", ".join(f"{count} {how}" for how, count in of_kind if count)
    count = len(difference.failing)
    failing = counted(count, "derived claim no longer works out", "derived claims no longer work out")
    wrong = counted(sum(difference.wrong), "place is wrong now", "places are wrong now")
    inside = counted(len(difference.wrong), "draft")
    news = [failing] * bool(count) + [f"{wrong} in {inside}"] * bool(difference.wrong)
    return f"Since {difference.base}: {changes}; {', '.join(news) or 'nothing is wrong for that'}."


def _record(difference: Difference) -> dict[str, Any]:
    return {
        "base": difference.base,
        "changes": [_change(change) for change in difference.changes],
        "derived": [_failing(id_, *told) for id_, told in difference.failing.items()],
        "findings": list(objects(difference.outcomes)),
        "lost": [_lost_record(each) for lost in difference.lost for each in lost],
    }


def _lost_record(lost: Lost) -> dict[str, Any]:
    return {**as_record(lost.use), "before": lost.before, "now": lost.now or None}


def _change(change: Change) -> dict[str, Any]:
    fields = {name: {"before": before or None, "after": after or None} for name, before, after in change.fields}
    return {
        "how": change.how,
        "kind": change.kind,
        "id": change.id,
        "filename": change.file,
        "location": {"row": change.line, "column": change.column},
        "fields": fields,
    }


def _failing(id_: str, problem: Problem, uses: Iterable[Use]) -> dict[str, Any]:
    return {
        "claim": id_,
        "message": problem.message,
        "filename": problem.file,
        "location": {"row": problem.line, "column": problem.column},
        "uses": [as_record(use) for use in uses],
    }
