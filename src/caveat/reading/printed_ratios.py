"""Ratios and percentages of two figures printed beside them, or in the sentence that they refer back to."""

from __future__ import annotations

from collections.abc import Iterator

from caveat.reading.passages import Passage
from caveat.reading.terms import RELATIVE, Derivation, Term, derivation, is_change
from caveat.registry.registry import Registry

_NEAR = 12


def printed_ratios(passage: Passage, registry: Registry, *, refers_back: bool) -> Iterator[Derivation]:
    """As in "1.8 TB/s against 900 GB/s, or 2x"; with `refers_back`: "... That is 1.76x the memory"."""
    for index, result in passage.results():
        if result.kind not in RELATIVE:
            continue
        groups = _groups(passage.terms[:index], result, registry)
        if not refers_back:
            groups = [group for group in groups if _restates(passage, group, index)]
        rate = passage.wording.tail("rate-word", result, 3) or passage.wording.lead("rate-word", result, 4)
        pairs = [(one, other) for group in groups for at, one in enumerate(group) for other in group[at + 1 :]]
        found = next((p for p in pairs if is_change(*p, result, rate=rate)), None)
        if found is not None:
            yield derivation(result, found, "ratio", fits=True)
        elif len(pairs) == 1 and _about(passage, pairs[0], result, refers_back=refers_back):
            yield derivation(result, pairs[0], "ratio", fits=False)


def _groups(terms: list[Term], result: Term, registry: Registry) -> list[list[Term]]:
    """The amounts before a ratio that it can be of, by dimension; no more than four of a kind, the nearest."""
    groups: dict[tuple[str, tuple[str, ...]], list[Term]] = {}
    for term in terms:
        if term.absolute and term.statement is not None and _fits(term, result, registry):
            groups.setdefault((term.dimension, term.per), []).append(term)
    return [group[-4:] for group in groups.values() if len(group) > 1]


def _fits(term: Term, result: Term, registry: Registry) -> bool:
    """Whether a ratio can be one of figures like this: its metric, if words name it, has their dimension."""
    statement = result.statement
    if statement is None or not statement.metric_named:
        return True
    metric = statement.metrics[0]
    return not registry.vocabulary.metrics.get(metric) or registry.vocabulary.fits(metric, term.dimension)


def _restates(passage: Passage, group: list[Term], index: int) -> bool:
    """Whether a ratio follows on the last amount before it, or on ratios that do."""
    at, result = index - 1, passage.terms[index]
    while at >= 0 and passage.wording.apposed(passage.terms[at], result):
        if passage.terms[at] in group:
            return True
        at, result = at - 1, passage.terms[at]
    return False


def _about(passage: Passage, pair: tuple[Term, Term], result: Term, *, refers_back: bool) -> bool:
    """Whether a ratio that two amounts do not give is plainly meant to be theirs."""
    one, other = pair
    wording = passage.wording
    if wording.compared_on(result) or len(wording.between(one, other)) > 2 * _NEAR:
        return False
    if not wording.joined(one, other) and not _of_two(one, other):
        return False
    if _named(one) and _named(other) and _named(one) != _named(other):
        return False
    return not refers_back or wording.lead("back-reference", result, 3) or bool(_named(result))


def _of_two(one: Term, other: Term) -> bool:
    """Whether two amounts are of two different things that the text names."""
    if one.statement is None or other.statement is None:
        return False
    left, right = one.statement.subject.mention, other.statement.subject.mention
    return left is not None and right is not None and (left.product, left.start) != (right.product, right.start)


def _named(term: Term) -> str:
    statement = term.statement
    return statement.metrics[0] if statement is not None and statement.metric_named and statement.metrics else ""
