"""Counts that build on one another, told in words: racks of boards of chips, devices for so many hours, so much each.

Each kind yields a computation that fails only if the words plainly say that the result comes from the operands.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise

from caveat.arithmetic.passages import Passage
from caveat.arithmetic.terms import COUNT, Derivation, Term, holds, meant, multiplied
from caveat.arithmetic.worked_amounts import leads_to
from caveat.figures.quantity import Interval, product

# How far behind a count its noun and what it is counted by may stand: "HGX boards to the rack".
_NOUN_REACH, _LINK_REACH = 3, 5
_NEAR = 4
_CHAIN = 6
_HOLDING = frozenset(("with", "of", "has", "have", "holds", "holding", "having", "carrying", "carries"))
_HOURS = {"hour": 3600, "hours": 3600, "day": 86400, "days": 86400}
_MAKING = frozenset(("make", "makes", "are", "is", "give", "gives"))
_GOING_ON = frozenset(("have", "has", "hold", "holds", "make", "makes", "give", "gives", "carry", "offer", "draw"))
_EVERY = frozenset(("a", "per", "each", "every"))
_SMALL = frozenset(("for", "and", "each", "in", "to", "the", "of", "per", "or", "with", "at", "all", "that", "is"))
_OVER = frozenset(("over", "for", "across", "on", "with", "times"))
# So many terms before a result are tried for a product that gives it, and no count above this.
_TRIED, _MOST = 8, Decimal(10) ** 7
# So many terms behind one may be the count that it is for: "2.68 GB for a context of 8,192".
_BEHIND = 2


def tallies(passage: Passage) -> Iterator[Derivation]:
    """As in "four racks, six boards to the rack", "64 chips for 72 hours", "$900 per host, over 12 hosts $10,800"."""
    yield from _chains(passage)
    yield from _device_hours(passage)
    yield from _per_counted(passage)
    yield from _series(passage)


def plain_products(passage: Passage) -> Iterator[Derivation]:
    """Amounts that are a count before them times another amount, whatever the words say; only those that hold."""
    for _, result in passage.results():
        if result.bare or not result.absolute or result.figure is None or not _tells(result):
            continue
        before = passage.before(result)[-_TRIED:]
        behind = [t for t in passage.terms if t.start >= result.end][:_BEHIND]
        for count in (*before, *behind):
            if not count.whole or count.face.high > _MOST:
                continue
            unit = next((u for u in before if u is not count and _gives(count, u, result)), None)
            if unit is not None:
                yield Derivation(result, [count, unit], "product", fits=True)
                break


def _tells(result: Term) -> bool:
    """Whether a value has the two digits that make it no coincidence when a product gives it."""
    quantity = result.figure.quantity if result.figure is not None else None
    return quantity is not None and not quantity.is_range and quantity.low >= quantity.step * 10


def _gives(count: Term, unit: Term, result: Term) -> bool:
    if unit.dimension != result.dimension or unit.face == result.face:
        return False
    return holds(multiplied, [count, unit], [meant(result, exact=True)])


def _stems(words: list[str]) -> set[str]:
    return {word.rstrip("s") for word in words if len(word) > 1 and word.isalpha() and word not in _SMALL}


def _nouns(passage: Passage, term: Term) -> set[str]:
    """The words of a count and those right behind it, without their plural endings."""
    wording = passage.wording
    start, stop = wording.at(term), min(wording.behind(term) + _NOUN_REACH, wording.last)
    return _stems(wording.words[start:stop])


def _chains(passage: Passage) -> Iterator[Derivation]:
    """Runs of counts each of which says how many there are in one of those before it, and what they come to."""
    terms, at = passage.terms, 0
    while at < len(terms) - 1:
        run = [terms[at]] if terms[at].whole else []
        for term in terms[at + 1 : at + _CHAIN]:
            if not run or not _links(passage, run[-1], term):
                break
            run.append(term)
        following = terms[at + len(run)] if at + len(run) < len(terms) else None
        if len(run) > 1 and following is not None and following.start >= passage.start:
            yield from _chain_total(passage, run, following)
        at += max(len(run) - 1, 1)


def _links(passage: Passage, one: Term, other: Term) -> bool:
    """As in "four racks, six boards to the rack", "two nodes, each with eight cards"."""
    wording = passage.wording
    if not other.whole and (other.bare or not other.absolute):
        return False
    between = wording.between(one, other)
    if not between or len(between) > _LINK_REACH + 1 or "." in between:
        return False
    nouns = _nouns(passage, one)
    if (
        "each" in between
        and between[-1] in _HOLDING
        and set(between) <= {",", ";", "and", "each", *_HOLDING, *_named(between, nouns)}
    ):
        return True
    if between[-1] == "of" and len(between) == len(("drives", "of")) and between[0].endswith("s"):
        return not other.bare or _of_product(passage, other)  # "six drives of 30 TB", "ten trays of eight H100s"
    if between in (["of"], ["with"]) and any(map(str.isalpha, passage.prose[one.start : one.end].split()[1:])):
        return other.bare or between == ["of"]  # "eight nodes of eight GPUs", "six drives of 30 TB"
    start = wording.at(one)
    if wording.words[max(start - 3, 0) : start] == ["each", "of", "the"] and between[-1] in _HOLDING:
        return len(between) <= _NEAR
    behind = wording.words[wording.behind(other) : min(wording.behind(other) + _LINK_REACH, wording.last)]
    for place, word in enumerate(behind[:-1]):
        link = word in ("per", "each", "every", "a") or behind[place : place + 2] == ["to", "the"]
        named = _stems(behind[place + 1 : place + 3])
        if link and named & nouns:
            return True
    return False


def _of_product(passage: Passage, term: Term) -> bool:
    """Whether a product's name follows a count: "eight H100s"."""
    behind = passage.wording.behind(term)
    return any(mark.first == behind for mark in passage.sentence.of_kind("product"))


def _named(words: list[str], nouns: set[str]) -> set[str]:
    """The words that name one of some nouns."""
    return {word for word in words if word.rstrip("s") in nouns}


def _chain_total(passage: Passage, run: list[Term], result: Term) -> Iterator[Derivation]:
    last, wording = run[-1], passage.wording
    alike = result.dimension == last.dimension or (result.bare and last.bare)
    if not alike or not result.absolute:
        return
    fits = holds(multiplied, run, [meant(result)])
    cue = wording.lead("plain-result-word", result, 3) or wording.apposed(last, result)
    cue = cue or wording.tail("sum-tail", result, 2) or wording.lead("sum-lead", result, 2)
    cue = cue or (wording.lead("totalling-verb", result, 0) and leads_to(passage, last, result))
    made = _of_product(passage, last) and wording.words[wording.at(result) - 1] in _MAKING
    cue = cue or made
    of_them = not last.bare or made or bool(_nouns(passage, result) & _nouns(passage, last))
    behind = wording.words[wording.behind(result) : wording.behind(result) + _LINK_REACH]
    apart = "and" in wording.between(last, result) and not wording.apposed(last, result)
    if fits or (cue and of_them and not apart and not {"with", "including", "plus"} & set(behind)):
        yield Derivation(result, run, "product", fits=fits)


def _device_hours(passage: Passage) -> Iterator[Derivation]:
    """As in "64 chips for 72 hours, or 4,608 chip-hours"."""
    wording = passage.wording
    for _, result in passage.results():
        seconds = _hours_behind(passage, result)
        if not seconds:
            continue
        before = passage.before(result)
        times = {term: _stretch(passage, term) for term in before}
        pairs = [(c, t) for c in before if c.whole and not times[c] for t in before if times[t] and t is not c]
        found = next((pair for pair in pairs if _hours_hold(pair, times[pair[1]], seconds, result)), None)
        if found is not None:
            yield Derivation(result, found, "product", fits=True)
        elif len(pairs) == 1 and before[-1] in pairs[0] and wording.apposed(before[-1], result):
            yield Derivation(result, pairs[0], "product", fits=False)


def _stretch(passage: Passage, term: Term) -> int:
    """The seconds of what a term counts if that is time: 86,400 for "three days", 1 for a measured time, else 0."""
    if term.dimension == "time":
        return 1
    return _HOURS.get(passage.prose[term.start : term.end].rsplit(" ", 1)[-1].lower(), 0) if term.whole else 0


def _hours_hold(pair: tuple[Term, Term], stretch: int, seconds: int, result: Term) -> bool:
    """Whether a count of devices times a time of `stretch` seconds a unit gives device-hours of `seconds` each."""
    factor = Decimal(seconds) / stretch
    return holds(multiplied, pair, [product(meant(result), Interval(factor, factor))])


def _hours_behind(passage: Passage, result: Term) -> int:
    """The seconds of the hour or day of a count of device-hours; 0 if it is none."""
    if result.kind not in (COUNT, "number"):
        return 0
    behind = passage.wording.behind(result)
    start = result.start + len(passage.prose[result.start : result.end].rstrip())
    words = passage.wording.words[behind : behind + 2]
    for place, word in enumerate(words):
        at = passage.wording.tokens.starts[behind + place]
        joined = passage.prose[at - 1] in "-\u2010\u2011" and at - start <= _NOUN_REACH * 8
        regular = passage.wording.words[behind + place + 1 : behind + place + 2]
        if word in _HOURS and joined and not _EVERY & set(regular):
            return _HOURS[word]
    return 0


def _per_counted(passage: Passage) -> Iterator[Derivation]:
    """As in "we save $900 per host, and over twelve hosts $10,800"."""
    wording = passage.wording
    for count, result in pairwise(passage.terms):
        if result.start < passage.start or not count.whole or result.bare or not result.absolute:
            continue
        if not _OVER & set(wording.words[max(wording.at(count) - 2, wording.first) : wording.at(count)]):
            continue
        nouns = _nouns(passage, count)
        units = [u for u in passage.before(count) if u.dimension == result.dimension and _is_per(passage, u, nouns)]
        fits = next((u for u in units if holds(multiplied, [count, u], [meant(result)])), None)
        near = len(wording.between(count, result)) <= _NEAR and not result.per
        if fits is not None or (near and len(units) == 1):
            yield Derivation(result, [count, fits or units[0]], "product", fits=fits is not None)


def _series(passage: Passage) -> Iterator[Derivation]:
    """As in "One H200 has 141 GB; two have 282 GB, eight have 1,128 GB": so many times the first amount."""
    first = next((term for term in passage.terms if term.absolute and not term.bare), None)
    mention = first.statement.subject.mention if first is not None and first.statement is not None else None
    if first is None or mention is None or mention.start > first.start:
        return
    for count, result in pairwise(passage.terms):
        words = passage.wording.between(count, result)
        told = count.whole and count.start > first.end and result.start >= passage.start and result.like(first)
        if not told or not _goes_on(passage, count, result, words) or _of_another(passage, mention.end, result):
            continue
        wanted = product(meant(result), Interval(mention.count, mention.count))
        fits = holds(multiplied, [count, first], [wanted])
        yield Derivation(result, [first, count], "product", fits=fits)


def _goes_on(passage: Passage, count: Term, result: Term, words: list[str]) -> bool:
    """As in "two have 282 GB", ", four 564 GB,": a verb or nothing between, and in that case nothing around."""
    wording = passage.wording
    if words:
        return len(words) == 1 and words[0] in _GOING_ON
    return wording.words[wording.at(count) - 1] in (",", ";", "and") and wording.closed(result)


def _of_another(passage: Passage, start: int, result: Term) -> bool:
    """Whether another product is named between an offset and an amount, or right behind it."""
    marks, behind = passage.sentence.of_kind("product"), passage.wording.behind(result)
    return any(start <= mark.start < result.end or mark.first - behind in (1, 2) for mark in marks)


def _is_per(passage: Passage, unit: Term, nouns: set[str]) -> bool:
    """Whether words behind an amount make it one for each of the things that a noun names."""
    wording = passage.wording
    behind = wording.words[wording.behind(unit) : wording.behind(unit) + 2]
    inside = wording.words[wording.at(unit) : wording.behind(unit)]
    words = inside + behind
    return any(a in _EVERY and b.rstrip("s") in nouns for a, b in pairwise(words))
