"""`caveat claims diff`: what has changed in the registry since a commit, and what that makes wrong."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from caveat.article import Article
from caveat.command import CLEAN, FAILED, FOUND, Draft, Run, from_severity
from caveat.loading.registry_files import Records
from caveat.loading.yaml_text import Plain
from caveat.options import CheckOptions
from caveat.outcome import DeskError, Outcome, UserError
from caveat.report.registry_diff import ADDED, CHANGED, REMOVED, Change, Difference, Lost, render_difference
from caveat.report.text import counted
from caveat.report.uses import Use
from caveat.running.checking import check_at, outcome_of
from caveat.running.desk import Desk, DeskFiles, check_names, select_rules
from caveat.streams import Speaker, print_report
from caveat.upkeep.drafts import each_draft, run_with_drafts
from caveat.upkeep.revision import Edition, Past, Rules, read_edition
from caveat.upkeep.tracing import uses_in
from caveat.upkeep.uses import CONTRADICTED, places_in

_VOCABULARY = "vocabulary"
_KINDS = (_VOCABULARY, "vendor", "product", "source", "claim")


def run_diff(options: CheckOptions, base: str, fmt: str) -> int:
    """Print what has changed since a commit, and what is wrong for it; the exit code is 1 if anything is."""
    speak = Speaker()
    breaks = False
    try:
        run = Run(options, speak)
        settings = run.settings.of_path(".")
        past = Past(run.desks.files(settings).claims, base, "claims diff")
        try:
            difference = _difference(_Comparison(run, past), base)
        finally:
            past.close()
        breaks = bool(difference.failing or difference.wrong)
        print_report(render_difference(difference, fmt), for_machines=fmt == "json")
    except UserError as error:
        speak.error(error)
    if speak.failed:
        return FAILED
    return FOUND if breaks else CLEAN


def _difference(comparison: _Comparison, base: str) -> Difference:
    drafts = comparison.drafts()
    before, now = comparison.editions(comparison.rules)
    comparison.say_what_was_faulty(before)
    changes = list(changes_between(before, now))
    failing = {id_: now.failing[id_] for id_ in now.failing if id_ not in before.failing}
    found = list(comparison.news_of(drafts, failing)) if changes else []
    told = {id_: (problem, [use for news in found for use in news.resting[id_]]) for id_, problem in failing.items()}
    return Difference(base, changes, told, [news.outcome for news in found], [news.lost for news in found])


class _News(NamedTuple):
    """What is new about a draft: findings, places that lost their claim, places that rest on claims that fail."""

    outcome: Outcome
    lost: list[Lost]
    resting: dict[str, list[Use]]


class _Comparison:
    """Two editions of one registry, and the drafts that are checked against both.

    Drafts may have rules of their own, so there is a pair of editions for each choice of rules.
    """

    def __init__(self, run: Run, past: Past) -> None:
        self._run = run
        self._past = past
        self._claims = list(map(os.path.realpath, run.settings.of_path(".").claims))
        self.rules = self._files(run.settings.of_path(".")).rules
        self._editions: dict[tuple[str, ...], tuple[Edition, Edition]] = {}

    def _files(self, settings: Any) -> DeskFiles:
        return self._run.desks.files(settings)

    def editions(self, rules: tuple[str, ...]) -> tuple[Edition, Edition]:
        """The registry of the past and that of today. Raises DeskError for faults in the latter.

        A derived claim that no longer works out is none of them: it is what is looked for.
        """
        if rules not in self._editions:
            read = Rules(rules)
            now = read_edition(self._files(self._run.settings.of_path(".")).claims, read)
            if now.problems:
                raise DeskError("\n".join(map(str, now.problems)))
            self._editions[rules] = read_edition(self._past.folders, read, self._past.shown), now
        return self._editions[rules]

    def say_what_was_faulty(self, before: Edition) -> None:
        """A note on the faults of the registry of the past."""
        if before.problems:
            faults = counted(len(before.problems), "fault")
            first = f"{before.problems[0]}"
            self._run.speak.note(f"note: the registry then had {faults}; what was faulty counts as absent: {first}")

    def drafts(self) -> list[Draft]:
        """The drafts that have this registry; how many have not is said."""
        drafts = run_with_drafts(self._run, self._run.options.paths)
        own = [draft for draft in drafts if list(map(os.path.realpath, draft.settings.claims)) == self._claims]
        if len(own) < len(drafts):
            count = len(drafts) - len(own)
            self._run.speak.note(f"note: {count} of {len(drafts)} drafts left out, which have another registry")
        return own

    def news_of(self, drafts: Sequence[Draft], failing: Iterable[str]) -> Iterator[_News]:
        """What is new about each draft. `failing` are the claims of which the places that rest on them are wanted."""
        for _, news in each_draft(self._run, drafts, lambda draft: self._news(draft, failing)):
            yield news

    def _news(self, draft: Draft, failing: Iterable[str]) -> _News:
        before, now = self.editions(self._files(draft.settings).rules)
        desk = _narrowed(now.desk, draft)
        old, new = check_at(_narrowed(before.desk, draft), draft.source), check_at(desk, draft.source)
        known = {(finding.rule, finding.start, finding.end) for finding in old.findings}
        outcome = from_severity(draft.settings, outcome_of(new, desk))
        findings = tuple(each for each in outcome.findings if (each.rule, each.start, each.end) not in known)
        found = {(finding.start, finding.end) for finding in findings}
        lost = [each for each in _lost(old.article, new.article) if (each.use.start, each.use.end) not in found]
        resting = {id_: list(uses_in(new.article, now.derivations.resting_on(id_))) for id_ in failing}
        return _News(outcome._replace(findings=findings), lost, resting)


def _lost(old: Article, new: Article) -> Iterator[Lost]:
    """The places of a draft that rested on a claim of the past and rest on none of today; each once."""
    resting = {place[:2] for place in places_in(new) if place.how != CONTRADICTED}
    for place in places_in(old):
        claim, now = old.registry.claim(place.claim), new.registry.claim(place.claim)
        if claim is not None and place.how != CONTRADICTED and place[:2] not in resting:
            resting.add(place[:2])
            words = old.told(place.start, place.end)
            use = Use(old.document.source, place.start, place.end, words, place.how, (place.claim,))
            yield Lost(use, claim.stated, now.stated if now is not None else "")


def _narrowed(desk: Desk, draft: Draft) -> Desk:
    """The desk with the rules that run for a draft."""
    check_names(desk, draft.settings)
    values = draft.settings.values
    return select_rules(desk, values["select"], draft.ignores, values["per-rule-severity"], values["citation-scope"])


def changes_between(before: Edition, now: Edition) -> Iterator[Change]:
    """What was added, removed and changed, kind by kind in the order of the registry."""
    for kind in _KINDS:
        old, new = _of_kind(before.records, kind), _of_kind(now.records, kind)
        for id_, written in new.items():
            known = old.get(id_)
            fields = _fields(known.plain if known else None, written.plain)
            if known is None or fields:
                yield Change(CHANGED if known else ADDED, kind, id_, *written[1:], fields)
        for id_, written in old.items():
            if id_ not in new:
                yield Change(REMOVED, kind, id_, *written[1:], _fields(written.plain, None))


class _Written(NamedTuple):
    """A record as it is written, and where."""

    plain: Plain
    file: str
    line: int
    column: int


def _of_kind(records: Records, kind: str) -> dict[str, _Written]:
    """The records of a kind by id; what is added to the vocabulary by the name of its file."""
    if kind == _VOCABULARY:
        return {
            os.path.basename(file): _Written(node.plain(), file, node.line, node.column)
            for file, node in records.vocabularies
        }
    by_id: dict[str, Any] = getattr(records, f"{kind}s")
    return {id_: _Written(each.node.plain(), each.file, each.line, each.column) for id_, each in by_id.items()}


def _fields(old: Plain, new: Plain) -> tuple[tuple[str, str, str], ...]:
    """The fields that differ between two records, each with its values; a record's id is none."""
    before, after = dict(_flat(old)), dict(_flat(new))
    names = [name for name in dict.fromkeys([*after, *before]) if name != "id"]
    return tuple(
        (name, before.get(name, ""), after.get(name, "")) for name in names if before.get(name) != after.get(name)
    )


def _flat(value: Plain, name: str = "") -> Iterator[tuple[str, str]]:
    """The fields of a record with their paths: basis.precision. A list of texts is one field."""
    if isinstance(value, dict):
        for key, child in value.items():
            yield from _flat(child, f"{name}.{key}" if name else key)
    elif isinstance(value, list):
        yield name, ", ".join(text for each in value for _, text in _flat(each))
    elif value is not None:
        yield name, value
