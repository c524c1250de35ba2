"""Findings for people: the line, the words marked, why, what would cure it, and the claim that it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from caveat.finding import APPLICABILITIES, SEVERITIES, Finding, Fix
from caveat.outcome import Cited, Outcome
from caveat.report.concise import place
from caveat.report.excerpt import excerpt
from caveat.report.layout import wrapped
from caveat.report.summary import summary
from caveat.report.text import visible

MOST_CLAIMS = 5
_BOLD, _GUTTER, _PLAIN = "\x1b[1m", "\x1b[34m", "\x1b[0m"
_BY = dict(zip(APPLICABILITIES, ("--fix", "--fix --unsafe-fixes", "in an editor, or by hand"), strict=True))
_OF_SEVERITY = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m", "info": "\x1b[1;36m"}


def render(outcomes: Sequence[Outcome], *, colour: bool) -> str:
    """All findings, those on the same words together and the worst of them first; then the closing count."""
    paint = _painted if colour else _unpainted
    lines: list[str] = []
    for outcome in outcomes:
        for _, same_words in groupby(outcome.findings, key=lambda finding: (finding.start, finding.end)):
            lines += [*_group(outcome, sorted(same_words, key=_worst_first), paint), ""]
    return "\n".join([*lines, *summary(outcomes)]) + "\n"


def _worst_first(finding: Finding) -> tuple[int, str]:
    return -SEVERITIES.index(finding.severity), finding.rule


def _group(outcome: Outcome, findings: Sequence[Finding], paint: Callable[[str, str], str]) -> Iterator[str]:
    """Findings on the same words: the first with the words themselves, the others under it."""
    first = findings[0]
    marked = excerpt(outcome.source, first.start, first.end)
    gutter = len(str(marked[-1].row))
    for finding in findings:
        colour = _OF_SEVERITY[finding.severity]
        where = paint(_BOLD, visible(place(outcome.source, finding.start)))
        kind = paint(colour, finding.severity) + paint(_BOLD, f"[{visible(finding.rule)}]")
        yield f"{where}: {kind} {visible(' '.join(finding.message.split()))}"
        if finding is first:
            bar = paint(_GUTTER, " " * gutter + " |")
            yield bar
            for line in marked:
                number = paint(_GUTTER, f"{line.row:>{gutter}} |")
                yield f"{number} {line.before}{line.marked}{line.after}".rstrip()
                yield f"{bar} {line.carets[: -len(line.carets.lstrip())]}{paint(colour, line.carets.lstrip())}"
        for name, text in _notes(outcome, finding):
            lead = " " * gutter + " = "
            head, *rest = wrapped(visible(text), f"{lead}{name}: ", " " * (len(lead) + len(name) + 2))
            yield head.replace(f"{name}:", paint(_BOLD, f"{name}:"), 1)
            yield from rest


def _notes(outcome: Outcome, finding: Finding) -> Iterator[tuple[str, str]]:
    if finding.why:
        yield "why", " ".join(finding.why.split())
    if finding.cite:
        yield "by", " ".join(finding.cite.split())
    if finding.help:
        yield "help", " ".join(finding.help.split())
    if finding.fix:
        yield "fix", _fix(finding.fix)
    for claim in finding.claims[:MOST_CLAIMS]:
        yield "claim", _claim(claim, outcome.cited.get(claim))
    if len(finding.claims) > MOST_CLAIMS:
        yield "claim", f"and {len(finding.claims) - MOST_CLAIMS} more"


def _fix(fix: Fix) -> str:
    """What a fix would do, and which option does it."""
    return f"{' '.join(fix.title.split())} ({_BY[fix.applicability]})"


def _claim(claim: str, cited: Cited | None) -> str:
    if cited is None:
        return claim
    return f'{claim}: {cited.value}, "{cited.source}" ({cited.file}:{cited.line})'


def _painted(code: str, text: str) -> str:
    return f"{code}{text}{_PLAIN}"


def _unpainted(code: str, text: str) -> str:  # noqa: ARG001 - the twin of _painted
    return text
