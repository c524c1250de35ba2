"""`caveat claims uses`: the places in drafts that rest on a claim."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from caveat.article import Article
from caveat.command import CLEAN, FAILED, Draft, Run
from caveat.loading.problems import suggest
from caveat.options import CheckOptions
from caveat.outcome import UserError
from caveat.registry.registry import Claim, Registry
from caveat.report.uses import Use, render_uses
from caveat.streams import Speaker, print_report
from caveat.upkeep.derivation import Derivations
from caveat.upkeep.drafts import article_at, desk_of, each_draft, run_with_drafts
from caveat.upkeep.uses import UNTRACED, places_in


def run_uses(options: CheckOptions, claim_id: str, fmt: str) -> int:
    """Print the places in drafts that rest on a claim, and return the exit code."""
    speak = Speaker()
    try:
        run = Run(options, speak)
        claim = _known(claim_id, run.desk().registry)
        if claim.metric in UNTRACED:
            speak.note(f"note: {claim_id} is of the metric {claim.metric}, which is not traced through drafts")
        trace = _Tracer(run, claim_id)
        drafts = run_with_drafts(run, options.paths)
        found = [uses for _, uses in each_draft(run, drafts, trace.uses)]
        listed = [use for uses in found for use in uses]
        print_report(render_uses(listed, claim_id, len(found), fmt), for_machines=fmt == "json")
    except UserError as error:
        speak.error(error)
    return FAILED if speak.failed else CLEAN


def _known(claim_id: str, registry: Registry) -> Claim:
    """The claim with an id. Raises UserError, with the nearest id that there is, if there is none."""
    claim = registry.claim(claim_id)
    if claim is None:
        near = suggest(claim_id, [each.id for each in registry.all_claims()])
        raise UserError(f"there is no claim {claim_id!r}; {near}")
    return claim


class _Tracer:
    """Finds the uses of one claim, each draft read by its own registry."""

    def __init__(self, run: Run, claim_id: str) -> None:
        self._run = run
        self._claim_id = claim_id
        self._resting: dict[Registry, dict[str, str]] = {}

    def uses(self, draft: Draft) -> list[Use]:
        """Those in a draft, in order."""
        desk = desk_of(self._run, draft)
        return list(uses_in(article_at(desk, draft), self._resting_by(desk.registry)))

    def _resting_by(self, registry: Registry) -> dict[str, str]:
        if registry not in self._resting:
            self._resting[registry] = Derivations(registry).resting_on(self._claim_id)
        return self._resting[registry]


def uses_in(article: Article, resting: Mapping[str, str]) -> Iterator[Use]:
    """The places of a draft that rest on any of these claims, as `Derivations.resting_on` returns them; each once.

    Of several ways in which one place rests on them the surest is told, then the shortest.
    """
    source, found = article.document.source, dict[tuple[int, int], Use]()
    for place in places_in(article):
        if place.claim in resting:
            words = article.told(place.start, place.end)
            use = Use(source, place.start, place.end, words, place.how, _through(place.claim, resting))
            known = found.setdefault(place[:2], use)
            if use.how == known.how and len(use.through) < len(known.through):
                found[place[:2]] = use
    yield from found.values()


def _through(claim_id: str, resting: Mapping[str, str]) -> tuple[str, ...]:
    """The claims from one down to the one that all rest on, both included."""
    found = [claim_id]
    while resting[found[-1]]:
        found.append(resting[found[-1]])
    return tuple(found)
