"""Results that go on from amounts told before: what is added, left or run up over time, a price per so many tokens.

Each kind yields a computation that fails only if the words plainly say that the result comes from the operands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise
from itertools import product as pairs_of

from caveat.arithmetic.passages import Passage
from caveat.arithmetic.terms import (
    RATE,
    Derivation,
    Term,
    holds,
    is_change,
    is_movement,
    meant,
    multiplied,
    quotient,
)
from caveat.arithmetic.worked_amounts import leads_to
from caveat.figures.figure import RELATIVE
from caveat.figures.quantity import ONE, Interval, difference, product, total

# So many terms of one kind are tried, the nearest ones.
_MOST = 6
# How many words into a sentence the word may stand that makes it one of adding or taking off.
_OPENING = 2
# How many words into it its first number may stand.
_ADDEND_REACH = 7
# How many words behind a factor's name its value may stand, and behind a verb its result.
_FACTOR_REACH, _VERB_REACH = 3, 4
_LARGEST_FACTOR, _MOST_COUNTED = Decimal(4), Decimal(1000)
_HOUR = 3600
# A product that is off by more than this is no slip but another thing.
_FAR_OFF = 2
# What leads up to the result of "eight of those", and how many words may stand before it.
_COMING_TO = ("plain-result-word", "result-word", "cost-word", "running-result")
_THOSE_REACH = 10
# What leads from an amount to so many of the thing that has it, and how near to their number.
_SO, _SO_REACH = frozenset(("so", "thus", "hence", "therefore")), 5
# Before a number, these make it one of certain things, and of no more than those.
_CERTAIN = frozenset(("the", "our", "its", "their", "these", "those", "my", "your", "all"))
_ONE_OF = frozenset(("a", "an", "the", "each", "every", "one", "single", "per", "that", "this"))
_MORE_OR_LESS = frozenset(
    (
        "practice",
        "typical",
        "average",
        "load",
        "idle",
        "actually",
        "but",
        "with",
        "including",
        "plus",
        "without",
        "after",
        "less",
        "minus",
        "capped",
        "limited",
        "usable",
        "measured",
        "only",
        "under",
    )
)
# An amount before a sum is one of no more than so many.
_FEW = 2
# Words that lead up to what so many tokens cost, and words for tokens that no rate is told of.
_COSTING = ("cost-word", "plain-result-word", "result-word", "back-reference")
_INPUT = frozenset(("input", "prompt", "cached"))
# What moved further than the two values that were told.
_FURTHER = frozenset(("since", "then", "now", "today", "again", "further", "another", "elsewhere", "meanwhile"))
# A month is told as of 28 to 31 days, or as a twelfth of a year.
_MONTHS = tuple(Decimal(hours * _HOUR) for hours in (672, 696, 720, 730, 744))
_ACCOUNTS = {"billion": 10**9, "million": 10**6, "thousand": 10**3}

Earlier = list[list[Term]]


def sequels(passage: Passage, result: Term, earlier: Earlier, seconds: Mapping[str, str]) -> Iterator[Derivation]:
    """The computations of one absolute result from its sentence and from the sentences before, nearest first."""
    own = passage.before(result)
    yield from _added(passage, result, own, earlier)
    yield from _left(passage, result, own, earlier)
    yield from _over_time(passage, result, own, earlier, seconds)
    yield from _per_tokens(passage, result, own, earlier)
    yield from _factored(passage, result, own, earlier)
    yield from _so_many(passage, result, own, earlier)
    yield from _of_those(passage, result, own, earlier)


def _amounts(terms: Sequence[Term], result: Term) -> list[Term]:
    """The terms that are amounts of the same thing as a result."""
    return [term for term in terms if term.like(result) and term.absolute and not term.bare]


def _added(passage: Passage, result: Term, own: list[Term], earlier: Earlier) -> Iterator[Derivation]:
    """As in "... makes 140 GB. Add the 22 GB of cache and you are at 162 GB", "Take off 10 GB and 130 GB are left"."""
    wording, begin = passage.wording, passage.sentence.first
    leads = [value for first, _, value in wording.marks("running-lead") if first - begin <= _OPENING]
    near = bool(own) and wording.at(own[0]) - begin <= _ADDEND_REACH
    if not leads or not earlier or not near or not wording.lead("running-result", result, 2):
        return
    here, before = _amounts(own, result), [t for terms in reversed(earlier) for t in _amounts(terms, result)][-_MOST:]
    if not here or not before or len(here) != len([t for t in own if t.absolute and not t.bare]):
        return
    compute = _reduced if leads[0] == "take" else _summed
    runs = [before[at:] for at in range(len(before))] + [[term] for term in before]
    wanted = [meant(result)]
    found = next((run for run in runs if holds(compute, [total_of(run), *here], wanted)), None)
    plain = len(here) == 1 and len(before) <= _FEW and leads[0] != "with" and _alone(passage, own, result)
    if found is not None or (plain and before[-1].sentence.block == result.sentence.block):
        yield Derivation(result, [*(found or before[-1:]), *here], "total", fits=found is not None)


def total_of(terms: Sequence[Term]) -> Term:
    """The sum of like terms as a term that stands where the first does."""
    first = terms[0]
    whole = Term(first.start, first.end, first.sentence, None, first.statement)
    whole.face = total([term.face for term in terms])
    whole.span = total([term.span for term in terms])
    return whole


def _so_many(passage: Passage, result: Term, own: list[Term], earlier: Earlier) -> Iterator[Derivation]:
    """As in "The reseller wants $28,000 a card. A tray of eight is $224,000"; those that hold are found elsewhere."""
    units = [term for term in (earlier[0] if earlier else []) if term.absolute and not term.bare]
    if result.kind != "price" or result.per or result.seconds != ONE or len(units) != 1 or len(own) != 1:
        return
    unit, count = units[0], own[0]
    told = passage.wording.lead("plain-result-word", result, 0) or passage.wording.lead("cost-word", result, 0)
    if not told or not count.whole or unit.dimension != result.dimension or not _each(passage, unit):
        return
    value = count.face.low * unit.face.low
    near = value < result.face.low * _FAR_OFF and result.face.low < value * _FAR_OFF
    if near and passage.wording.closed(result) and _near_to(count, result, passage):
        fits = holds(multiplied, [count, unit], [meant(result)])
        yield Derivation(result, [count, unit], "product", fits=fits)


def _of_those(passage: Passage, result: Term, own: list[Term], earlier: Earlier) -> Iterator[Derivation]:
    """As in "... 192 GB on an MI300X. Eight of those in one server make 1,536 GB", "... 750 W, so eight draw 6 kW"."""
    wording = passage.wording
    count = own[-1] if own else None
    if count is None or not count.whole or result.per:
        return
    here = own[:-1]
    pointed = wording.tail("of-them", count, 0) or (bool(here) and _so_before(passage, count))
    told = any(wording.lead(kind, result, 0) for kind in (*_COMING_TO, "totalling-verb"))
    before = here or (earlier[0] if earlier else [])
    units = [t if t.like(result) else t.untimed() for t in before if t.absolute and not t.bare]
    units = [unit for unit in units if unit.like(result)]
    if not told or len(units) != 1 or len(wording.between(count, result)) > _THOSE_REACH:
        return
    again = (
        not pointed and _names_again(passage, count, units[0]) and len(wording.between(count, result)) <= _VERB_REACH
    )
    if again and not wording.closed(result):
        return
    if not pointed and not again:
        return
    if (here or again) and (
        any(t.whole or t.kind in RELATIVE for t in here) or _qualified_behind(passage, count, result)
    ):
        return
    fits = holds(multiplied, [count, units[0]], [meant(result)])
    value = count.face.low * units[0].face.low
    if fits or value / _FAR_OFF < result.face.low < value * _FAR_OFF:
        yield Derivation(result, [count, units[0]], "product", fits=fits)


def _names_again(passage: Passage, count: Term, unit: Term) -> bool:
    """As in "The sled draws 1.2 kW; 32 sleds come to 38.4 kW": what is counted is what one of was told of."""
    wording, tokens = passage.wording, passage.wording.tokens
    if passage.sentence.has("own") or unit.sentence.has("own") or passage.sentence.has("kind"):
        return False
    text = passage.prose[count.start : count.end].split()
    noun = text[-1].lower() if text[-1].isalpha() and len(text) > 1 else wording.words[wording.behind(count)]
    if not noun.endswith("s") or len(noun) <= len("its") or wording.words[wording.at(count) - 1] in _CERTAIN:
        return False
    before = tokens.words[unit.sentence.first : min(tokens.first_from(unit.start), wording.at(count))]
    return any(one in _ONE_OF and other == noun[:-1] for one, other in pairwise(before))


def _so_before(passage: Passage, count: Term) -> bool:
    """Whether "so" or the like leads up to a count: ", so eight of them"."""
    at = passage.wording.at(count)
    return not _SO.isdisjoint(passage.wording.words[max(passage.wording.first, at - _SO_REACH) : at])


def _qualified_behind(passage: Passage, count: Term, result: Term) -> bool:
    """As in "so eight of them with their switches draw 6.4 kW": more, or less, than so many of the thing."""
    words = passage.wording.words[passage.wording.behind(count) : passage.wording.last]
    behind = passage.wording.behind(result) - passage.wording.behind(count)
    between = passage.wording.between(count, result)
    return "and" in between or not _MORE_OR_LESS.isdisjoint(words[: behind + _VERB_REACH])


def _near_to(count: Term, result: Term, passage: Passage) -> bool:
    """Whether a count leads up to a result, with nothing put to it: not "eight with a switch cost"."""
    words = passage.wording.between(count, result)
    return count.sentence is result.sentence and len(words) <= _VERB_REACH and not {"with", "and", "plus"} & set(words)


def _alone(passage: Passage, own: list[Term], result: Term) -> bool:
    """Whether no count and no percentage makes the amounts before a result more or less than they say."""
    each = any(passage.wording.tail("each-word", term, 3) for term in own)
    return not each and not any(term.whole or term.kind in RELATIVE for term in own) and not result.per


def _summed(values: Sequence[Interval]) -> Interval | None:
    return total(list(values))


def _reduced(values: Sequence[Interval]) -> Interval | None:
    return difference(values[0], total(list(values[1:])))


def _left(passage: Passage, result: Term, own: list[Term], earlier: Earlier) -> Iterator[Derivation]:
    """As in "Of the 192 GB the weights take 140 GB, which leaves 52 GB"."""
    if not passage.wording.lead("leftover-lead", result, 1):
        return
    here = _amounts(own, result)
    told = ([t for terms in reversed(earlier[:_FEW]) for t in _amounts(terms, result)] + here)[-_MOST:]
    wanted = [meant(result)]
    runs = [told[at:] for at in range(len(told) - 1)] + [[a, b] for a in told for b in told if a is not b]
    found = next((run for run in runs if holds(_reduced, run, wanted)), None)
    plain = len(told) == len(("whole", "part")) and _alone(passage, told, result) and _alone(passage, own, result)
    if found is not None or (plain and result.face.high < max(term.face.high for term in told)):
        yield Derivation(result, found or told, "difference", fits=found is not None)


def _over_time(
    passage: Passage, result: Term, own: list[Term], earlier: Earlier, seconds: Mapping[str, str]
) -> Iterator[Derivation]:
    """As in "draws 5.6 kW. Around the clock that is 134 kWh a day", "at $3.20 an hour. A year costs $28,032"."""
    rate = "power" if result.dimension == "energy" else result.dimension.removesuffix(RATE) + RATE
    if rate == RATE or (rate != "power" and result.kind != "price") or not _stretches(passage, result, seconds):
        return
    told = next((terms for terms in (own, *earlier) if any(t.dimension == rate for t in terms)), [])
    rates = [term for term in told if term.dimension == rate][-_MOST:]
    counted = [term.face.low for term in (*own, *told) if term.whole and term.face.low <= _MOST_COUNTED]
    counts = [ONE, *counted[:_MOST]]
    tried = pairs_of(reversed(rates), _stretches(passage, result, seconds), counts)
    found = next((one for one, stretch, count in tried if _lasts(one, stretch * count, result)), None)
    nonstop = passage.sentence.of_kind("nonstop")
    others = [t for t in own if t not in rates and not any(m.start <= t.start < m.end for m in nonstop)]
    plain = nonstop and not others and len([term for term in rates if not _each(passage, term)]) == 1
    plain = plain or (len(rates) == 1 and rates[0] not in own and _for_so_many(passage, result, own))
    if found is not None or plain:
        yield Derivation(result, [found or rates[-1]], "rate", fits=found is not None)


def _for_so_many(passage: Passage, result: Term, own: list[Term]) -> bool:
    """As in "sixty-four GPUs for a week come to": a count, a stretch and a word for the result, and nothing else."""
    told = passage.wording.lead("plain-result-word", result, 0) and passage.wording.closed(result)
    if not told or len(own) != 1 or not own[0].whole or result.kind != "price":
        return False
    return not {"with", "and", "plus"} & set(passage.wording.between(own[0], result))


def _each(passage: Passage, term: Term) -> bool:
    """Whether an amount of any sentence is told per piece: "700 W apiece"."""
    behind = passage.wording.behind(term)
    return bool(term.per) or any(0 <= mark.first - behind <= 1 for mark in term.sentence.of_kind("each-word"))


def _stretches(passage: Passage, result: Term, seconds: Mapping[str, str]) -> list[Decimal]:
    """The seconds that a result is told to be for: those of its "a day", or of a stretch that its sentence names."""
    if result.seconds != ONE:
        return [ONE] if result.seconds > _HOUR else []  # a price per year is a rate itself
    names = [name for name in result.per if name in seconds]
    names = names or [value for _, _, value in passage.wording.marks("stretch-word") if value in seconds]
    return [each for name in names for each in (_MONTHS if name == "month" else (Decimal(seconds[name]),))]


def _lasts(rate: Term, stretch: Decimal, result: Term) -> bool:
    return holds(lambda values: product(values[0], Interval(stretch, stretch)), [rate], [meant(result)])


def _per_tokens(passage: Passage, result: Term, own: list[Term], earlier: Earlier) -> Iterator[Derivation]:
    """As in "1,600 tokens/s ... with the GPU at $3.20 an hour, a million tokens cost us $0.56"."""
    account = _account(passage, result)
    if not account:
        return
    before = [term for terms in reversed(earlier[:2]) for term in terms] + own
    prices = [term for term in before if term.dimension == result.dimension + RATE][-_MOST:]
    rates = [term for term in before if term.dimension == "token-rate"][-_MOST:]
    counted = [term.face.low for term in before if term.whole and term.face.low <= _MOST_COUNTED]
    counts = [ONE, *counted[-_MOST:]]
    wanted = [_scaled(meant(result), ONE / (account * count)) for count in counts]
    pair = next((pair for pair in pairs_of(prices, rates) if holds(quotient, pair, wanted)), None)
    plain = len(prices) == 1 and len({rate.face for rate in rates}) == 1 and not prices[0].per
    plain = plain and not any(term.kind in RELATIVE for term in before)
    plain = plain and any(passage.wording.lead(kind, result, 2) for kind in _COSTING)
    if pair is not None or plain:
        yield Derivation(result, pair or (prices[0], rates[0]), "product", fits=pair is not None)


def _scaled(interval: Interval, factor: Decimal) -> Interval:
    return product(interval, Interval(factor, factor))


def _account(passage: Passage, result: Term) -> Decimal:
    """How many tokens a price is for by the words of its sentence: "a million tokens cost"; 0 if they do not say."""
    if result.kind != "price" or result.seconds != ONE or (result.per and "tokens" not in " ".join(result.per)):
        return Decimal(0)
    words = " ".join(result.per).split()
    for number in passage.sentence.numbers[: _MOST * 2]:
        told = passage.prose[number.start : number.end].lower().split()
        if number.reading == "count" and told[-1:] in (["tokens"], ["token"]) and not _INPUT & set(told):
            words = words or told
    return Decimal(next((_ACCOUNTS[word] for word in words if word in _ACCOUNTS), 0))


def _factored(passage: Passage, result: Term, own: list[Term], earlier: Earlier) -> Iterator[Derivation]:
    """As in "With a PUE of 1.3, 10 MW of IT load means 13 MW at the meter"."""
    amounts = _amounts(own, result)
    if not amounts:
        return
    here = _factors(passage, own)
    factors = here or [term for terms in earlier[:2] for term in _factors(passage, terms)]
    wanted = [meant(result)]
    for factor, amount in pairs_of(factors, amounts):
        pair = [amount, factor]
        if holds(lambda v: product(v[0], v[1]), pair, wanted) or holds(quotient, pair, wanted):
            yield Derivation(result, pair, "product", fits=True)
            return
    told = passage.wording.lead("running-result", result, 1)
    told = told and passage.wording.between(amounts[0], result)[-1:] != ["and"]
    if told and len(here) == len(amounts) == 1 and not any(term.whole for term in own):
        yield Derivation(result, [amounts[0], here[0]], "product", fits=False)


def _factors(passage: Passage, terms: list[Term]) -> list[Term]:
    """The bare numbers that a word such as "PUE" leads up to."""
    found = []
    for term in terms:
        if term.kind != "number" or not ONE < term.face.low <= _LARGEST_FACTOR:
            continue
        at, marks = passage.wording.at(term), term.sentence.of_kind("factor-noun")
        if any(0 <= at - mark.last <= _FACTOR_REACH for mark in marks):
            found.append(term)
    return found


def moved(passage: Passage, result: Term, own: list[Term], earlier: Earlier) -> Iterator[Derivation]:
    """As in "... $4.10 on 1 June 2025 and $2.87 on 1 June 2026. In twelve months the price fell by 30%"."""
    if not _is_movement(passage, result) or passage.wording.compared_on(result):
        return
    here = [term for term in own if term.absolute and not term.bare]
    two = here or [term for term in (earlier[0] if earlier else []) if term.absolute and not term.bare]
    if len(two) != 2:
        return
    old, new = two
    if old.dimension != new.dimension and old.kind == new.kind == "price":
        old, new = old.unpriced(), new.unpriced()
    if not old.like(new) or not _dated(old, new):
        return
    fits = is_movement(old, new, result) if result.kind == "percent" else is_change(old, new, result)
    words = passage.wording.words[passage.sentence.first : passage.wording.at(result)]
    later = not here and any(n.reading in ("date", "year") for n in passage.sentence.numbers)
    if fits or (old.sentence.block == result.sentence.block and not later and not _FURTHER & set(words)):
        yield Derivation(result, [old, new], "change", fits=fits)


def across(passage: Passage, result: Term, own: list[Term], earlier: Earlier) -> Iterator[Derivation]:
    """As in "It cost $3.99 in January. By June it was $2.99, a 25% drop": what a thing was before and is now."""
    wording = passage.wording
    here = [term for term in own if term.absolute and not term.bare]
    before = [term for term in (earlier[0] if earlier else []) if term.absolute and not term.bare]
    if len(here) != 1 or len(before) != 1 or not wording.leads_back(here[0]):
        return
    moved_by = wording.lead("movement-lead", result, 1) or wording.tail("change-noun", result, 0)
    if not moved_by or not here[0].like(before[0]) or not leads_to(passage, here[0], result):
        return
    pair = [before[0], here[0]]
    fits = is_change(before[0], here[0], result, moved=True)
    ends = wording.closed(result) or wording.closed(result, "change-noun")
    if fits or (ends and not wording.compared_on(result) and before[0].sentence.block == result.sentence.block):
        yield Derivation(result, pair, "change", fits=fits)


def _is_movement(passage: Passage, result: Term) -> bool:
    """Whether a ratio is what something did: "halved", "fell by a third", "is down 30%"."""
    words = passage.prose[result.start : result.end].lower().split()
    if words and words[-1] in ("halved", "doubled", "tripled", "trebled", "quadrupled"):
        return True
    return passage.wording.lead("movement-verb", result, 1)


def _dated(old: Term, new: Term) -> bool:
    """Whether a date stands behind each of two values, or before each, with the same subject and no other one."""
    numbers = {each.start: each for each in (*old.sentence.numbers, *new.sentence.numbers)}.values()
    dates = [number.start for number in numbers if number.reading in ("date", "year")]
    between = any(old.end <= date < new.start for date in dates)
    outside = any(date < old.start or date > new.end for date in dates)
    products = {term.statement.product for term in (old, new) if term.statement is not None}
    return between and outside and len(products) <= 1
