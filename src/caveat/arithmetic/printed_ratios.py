"""Ratios and percentages of two figures printed beside them, or in the sentence that they refer back to."""

from __future__ import annotations

from collections.abc import Iterator

from caveat.arithmetic.passages import Passage
from caveat.arithmetic.terms import Derivation, Term, is_change, is_share
from caveat.figures.figure import RELATIVE
from caveat.registry.registry import Registry

_NEAR, _PHRASE = 12, 7
_PAIR = 2
_COMPARING = frozenset(
    (
        "ahead",
        "short",
        "shy",
        "behind",
        "above",
        "below",
        "the",
        "of",
        "as",
        "more",
        "less",
        "than",
        "faster",
        "higher",
        "lower",
    )
)
_ON = (["on"], ["with"], ["across"], ["using"], ["from"], ["for"], ["over"])
_BREAKS = frozenset((",", ";", ":", "(", ")", ".", "and", "or", "but", "while"))


def printed_ratios(passage: Passage, registry: Registry, *, refers_back: bool) -> Iterator[Derivation]:
    """As in "1.8 TB/s against 900 GB/s, or 2x"; with `refers_back`: "... That is 1.76x the memory"."""
    for index, result in passage.results():
        if result.kind not in RELATIVE:
            continue
        moved = passage.wording.lead("movement-lead", result, 1)  # the "saving of 10%" is no cost
        groups = _groups(passage, index, None if moved else result, registry)
        if not refers_back:
            groups = [group for group in groups if _restates(passage, group, index)]
        rate = passage.wording.tail("rate-word", result, 3) or passage.wording.lead("rate-word", result, 4)
        pairs = [(one, other) for group in groups for at, one in enumerate(group) for other in group[at + 1 :]]
        if passage.wording.says_part(result):
            found = next((p for p in pairs if is_share(*p, result) or is_share(p[1], p[0], result)), None)
        else:
            found = next((p for p in pairs if is_change(*p, result, rate=rate)), None)
        if found is not None:
            yield Derivation(result, found, "ratio", fits=True)
        elif len(pairs) == 1 and _about(passage, pairs[0], result, refers_back=refers_back):
            yield Derivation(result, pairs[0], "ratio", fits=False)


def _groups(passage: Passage, stop: int, result: Term | None, registry: Registry) -> list[list[Term]]:
    """The amounts before a ratio that it can be of, by dimension; no more than four of a kind, the nearest."""
    terms = passage.terms[:stop]
    groups: dict[tuple[str, tuple[str, ...]], list[Term]] = {}
    for at, term in enumerate(terms):
        if at and _takes_unit(passage, terms[at - 1], term):
            lent = term.lent(terms[at - 1])
            groups.setdefault((lent.dimension, lent.per), []).append(lent)
        elif term.absolute and term.statement is not None and _fits(term, result, registry):
            groups.setdefault((term.dimension, term.per), []).append(term)
    prices = [term for term in terms if term.kind == "price" and term.statement is not None]
    if len(prices) == _PAIR and not prices[0].like(prices[1]):
        told, elliptic = prices[0].untimed(), prices[1]  # "$2.99 an hour and RunPod at $2.39"
        if told.dimension == elliptic.dimension and not elliptic.per:
            groups["price", ()] = [told, elliptic]
    return [group[-4:] for group in groups.values() if len(group) > 1]


def _takes_unit(passage: Passage, before: Term, term: Term) -> bool:
    """As in "5.3 TB/s and the other 3.35", "from 64 chips in a rack to 144": a bare number beside an amount."""
    if term.kind != "number" or before.figure is None:
        return False
    moves = before.whole and term.whole and passage.wording.joined(before, term) == "to"
    return term.span.high > term.span.low or (moves and passage.wording.lead("between-word", before, 0))


def _fits(term: Term, result: Term | None, registry: Registry) -> bool:
    """Whether a ratio can be one of figures like this: its metric, if words name it, has their dimension."""
    statement = result.statement if result is not None else None
    if statement is None or not statement.metric_named:
        return True
    metric = statement.metrics[0]
    return not registry.vocabulary.metrics.get(metric) or registry.vocabulary.fits(metric, term.dimension)


def _restates(passage: Passage, group: list[Term], index: int) -> bool:
    """Whether a ratio follows on the last amount before it, or on ratios that do."""
    at, result = index - 1, passage.terms[index]
    starts = {term.start for term in group}
    if _is_said(passage, passage.terms[at], result):
        return passage.terms[at].start in starts
    while at >= 0 and passage.wording.apposed(passage.terms[at], result):
        if passage.terms[at].start in starts:
            return True
        if passage.terms[at].whole and at and _made_on(passage, passage.terms[at - 1], passage.terms[at]):
            return passage.terms[at - 1].start in starts
        at, result = at - 1, passage.terms[at]
    return False


def _made_on(passage: Passage, amount: Term, count: Term) -> bool:
    """As in "24.6 minutes on eight H200s": a number of things that an amount was got on."""
    return passage.wording.between(amount, count) in _ON


def _is_said(passage: Passage, last: Term, result: Term) -> bool:
    """Whether a verb leads from an amount to a ratio: "compared with 3.35 TB/s, 4.8 TB/s on the H200 is 1.4x"."""
    wording = passage.wording
    words = wording.between(last, result)
    if words[:2] == [",", "so"] and len(words) <= _PHRASE and wording.closed(result):
        return True  # "192 GB against 80 GB, so AMD gives you 2.4x"
    return words[-1:] in (["is"], ["are"]) and len(words) <= _PHRASE and "," not in words and wording.closed(result)


def between_operands(passage: Passage, registry: Registry) -> Iterator[Derivation]:
    """As in "192 GB, that is 2.4x the 80 GB of an H100" and "has 256 GB, 33% more than the 192 GB of the MI300X"."""
    wording = passage.wording
    for index, result in passage.results():
        if result.kind not in RELATIVE or not 0 < index < len(passage.terms) - 1:
            continue
        one, other = passage.terms[_left_of(passage, index)], passage.terms[index + 1]
        words = wording.between(result, other)
        words = words[:-1] if words[-1:] == ["("] and len(words) > 1 else words  # "12% ahead of the H200 (141 GB)"
        bare = other.kind == "number" and not words
        other = other.lent(one) if bare else other  # "7.37 TB/s are 2.2 times 3.35"
        if not one.absolute or not one.like(other) or len(words) > _PHRASE or _BREAKS & set(words):
            continue
        if _counts_only(one, other, result, registry):
            continue
        if not bare and (not words or words[0] not in _COMPARING):
            named = other.statement is not None and other.statement.subject.mention is not None
            if not named or "'s" not in words:
                continue
        fits = is_change(other, one, result, rate=wording.tail("rate-word", result, 3)) or is_share(one, other, result)
        follows = wording.words[wording.behind(other) : wording.behind(other) + 1]
        goes_on = one is not passage.terms[index - 1]
        between = [] if goes_on else wording.between(one, result)
        ends = wording.closed(other) or follows in (["of"], [")"], ["on"])
        share = words in (["of", "its"], ["of", "their"], ["of", "the"])  # "96% of its 8 kW plate"
        plain = ends or share or (goes_on and not wording.compared_on(result))
        restated = between == [",", "or"]  # "3.7 TB/s, or 10% more than the 3.35 TB/s of an H100"
        if fits or (plain and len(between) <= _PHRASE and (restated or not {"and", "or"} & set(between))):
            yield Derivation(result, [one, other], "ratio", fits=fits)


def _counts_only(one: Term, other: Term, result: Term, registry: Registry) -> bool:
    """As in "eight of the new cards at 1.6x the throughput of eight of the old": numbers of things, and their work."""
    statement = result.statement
    if not (one.whole and other.whole) or statement is None or not statement.metric_named:
        return False
    return "count" not in registry.vocabulary.metrics.get(statement.metrics[0], ())


def _left_of(passage: Passage, index: int) -> int:
    """What a ratio is of: the number before it, or that of the ratio that it goes on from.

    As in "4.8 TB/s are 1.43 times the H100's 3.35 TB/s and 0.91 times the MI300X's 5.3 TB/s".
    """
    terms, at = passage.terms, index - 1
    while at >= 2 and terms[at - 1].kind in RELATIVE and terms[at].absolute:
        if not {"and", ",", "but"}.issuperset(passage.wording.between(terms[at], terms[index])):
            break
        index, at = at - 1, at - 2
    return at


def _about(passage: Passage, pair: tuple[Term, Term], result: Term, *, refers_back: bool) -> bool:
    """Whether a ratio that two amounts do not give is plainly meant to be theirs."""
    one, other = pair
    wording = passage.wording
    if refers_back and passage.sentence.has("own"):
        return False  # what the writer measured is no conclusion
    if wording.compared_on(result) or len(wording.between(one, other)) > 2 * _NEAR:
        return False
    apart = wording.joined(one, other) or wording.lead("between-word", one, 0) or _priced_apart(one, other, result)
    apart = apart or _told_apart(passage, one, other, result)
    if not apart and not _of_two(one, other) and not wording.contrasted(one, result):
        return False
    if _named(one) and _named(other) and _named(one) != _named(other):
        return False
    return not refers_back or wording.lead("back-reference", result, 3) or bool(_named(result))


def _priced_apart(one: Term, other: Term, result: Term) -> bool:
    """As in "Lambda lists it at $2.99 and RunPod at $2.39, 25% less": two prices, and how they differ."""
    told = result.figure is not None and (result.figure.direction != "" or result.kind == "ratio")
    return told and one.kind == other.kind == "price"


def _told_apart(passage: Passage, one: Term, other: Term, result: Term) -> bool:
    """As in "Its stack has 2 TB/s; the rival's has 2.8 TB/s, 1.4x as much": one amount in each of two clauses."""
    wording = passage.wording
    behind = wording.behind(result)
    as_much = wording.words[behind : behind + 2] in (["as", "much"], ["as", "many"], ["as", "fast"])
    told = as_much or (result.figure is not None and result.figure.direction != "")
    return told and ";" in wording.between(one, other) and wording.between(other, result) == [","]


def _of_two(one: Term, other: Term) -> bool:
    """Whether two amounts are of two different things that the text names."""
    if one.statement is None or other.statement is None:
        return False
    left, right = one.statement.subject.mention, other.statement.subject.mention
    return left is not None and right is not None and (left.product, left.start) != (right.product, right.start)


def _named(term: Term) -> str:
    statement = term.statement
    return statement.metrics[0] if statement is not None and statement.metric_named and statement.metrics else ""
