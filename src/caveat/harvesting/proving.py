"""Whether drafts can be checked against what is proposed from them: no figure of theirs may contradict it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from caveat.article import Article
from caveat.checks import CHECKS
from caveat.figures.readings import read_quantity
from caveat.harvesting.proposals import NEW, LeftOut, Proposal
from caveat.registry.registry import Registry, SourceRecord, pack_figure
from caveat.rulebook.rules import Rule

# The check that holds figures against claims of the same product, metric and basis.
_CONTRADICTION = "contradiction"
# The source of all claims that nobody has looked up yet.
_DRAFT = SourceRecord("the-draft", "the draft", "", "press", "", "", "", "", [])
# So often what is left of the proposals is tried: each round leaves some out.
_ROUNDS = 4


def leave_out_contradicted(
    proposals: list[Proposal],
    read: Callable[[Registry], list[Article]],
    knowing: Callable[[set[str]], Registry],
    rules: Sequence[Rule],
) -> list[LeftOut]:
    """Take out of the proposals those that the drafts themselves contradict, as they are read, and say which.

    `read` gives the drafts as they read by a registry, `knowing` that which knows the products with some ids. A draft
    that has two figures for what reads as the same was read too coarsely, and a registry that holds one of them would
    call the other wrong.
    """
    by = [rule for rule in rules if rule.check == _CONTRADICTION]
    left_out: list[LeftOut] = []
    for _ in range(_ROUNDS if by else 0):
        wrong = _contradicted(proposals, read, knowing, by[0])
        left_out += [LeftOut(p.places[0], wrong[p.id]) for p in proposals if p.state == NEW and p.id in wrong]
        kept = [p for p in proposals if p.state != NEW or p.id not in wrong]
        if len(kept) == len(proposals):
            break
        proposals[:] = kept
    return left_out


def _contradicted(
    proposals: Sequence[Proposal],
    read: Callable[[Registry], list[Article]],
    knowing: Callable[[set[str]], Registry],
    rule: Rule,
) -> dict[str, str]:
    """The ids of claims that figures of the drafts contradict, each with what does."""
    new = [p for p in proposals if p.state == NEW]
    known = knowing({product for p in new for product in (p.product, p.compare_to)})
    claims = [_claim(p, known) for p in new if p.product and p.metric]
    registry = known.extended(sources=[_DRAFT], claims=claims)
    wrong: dict[str, str] = {}
    for article in read(registry):
        for finding in CHECKS[rule.check](article, rule):
            row, _ = article.document.source.place(finding.start)
            words = article.told(finding.start, finding.end)
            why = f"line {row} of the draft has {words} for what reads as the same"
            wrong |= {claim: why for claim in finding.claims if claim not in wrong}
    return wrong


def _claim(proposal: Proposal, known: Registry) -> dict[str, Any]:
    """A proposal as a record that `Claim` takes."""
    figure = read_quantity(proposal.value, known.vocabulary)
    return {
        "id": proposal.id,
        "product": proposal.product,
        "metric": proposal.metric,
        "value": proposal.value,
        "figure": None if figure is None else pack_figure(figure),
        "qualifier": proposal.qualifier,
        "bound": proposal.qualifier,
        "basis": proposal.basis,
        "compare_to": proposal.compare_to,
        "source": _DRAFT.id,
        "file": proposal.places[0].filename,
        "line": proposal.places[0].row,
    }
