"""Two products set against each other: what the registry has on each side, whether the two compare, and the ratio."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple

from caveat.binding.ratios import SCOPE, Difference, basis_value, differences, quotient_of
from caveat.comparing.asking import Asked, Mistake
from caveat.comparing.telling import (
    CONFLICT,
    Half,
    half_of,
    like_for_like_sentence,
    number_format,
    rivals_of,
    unlike_sentence,
    with_rivals,
)
from caveat.comparing.wording import plain
from caveat.figures.quantity import Interval, ratio
from caveat.registry.registry import UNSTATED, Claim, Product, Registry

# Claims that still hold, though another may contradict them.
_HOLDING = frozenset(("current", "conflicting"))
# What a device has whatever it runs.
_OF_HARDWARE = frozenset(("operation-rate", "data-rate", "bytes", "power", ""))
# A figure of compute is told by what it counts: "of dense FP8".
_COUNTING_IN_FORMATS = frozenset(("compute",))


# A metric, and a number format where its figures have one.
Key = tuple[str, str]


class Verdict(NamedTuple):
    """Two claims, and whether they may be divided: their ratio with the interval that rounding leaves, or why not.

    `differences` are all that keeps them apart; `ratio` and `interval` are None where there are any, or one of the two
    claims is in dispute. `sentence` says it for a draft.
    """

    left: Claim
    right: Claim
    differences: tuple[Difference, ...]
    ratio: Decimal | None
    interval: Interval | None
    sentence: str


class Row(NamedTuple):
    """A metric, in one number format where its figures have one: all that holds on each side, and what follows.

    `verdicts` are of all pairs that are like for like, or of the nearest that is not; none where a side has nothing.
    `published` are the claims that set the one against the other themselves.
    """

    metric: str
    precision: str
    left: tuple[Claim, ...]
    right: tuple[Claim, ...]
    verdicts: tuple[Verdict, ...]
    published: tuple[Claim, ...]


def compare(registry: Registry, left: Product, right: Product, asked: Sequence[Asked] = ()) -> list[Row]:
    """Every metric that either of two products has figures on, in the order of the vocabulary; or those asked for.

    Raises Mistake where they have none in common.
    """
    ours, theirs = figures_of(registry, left.id), figures_of(registry, right.id)
    published = _published(registry, left.id, right.id)
    keys = [key for key in ordered(registry, {*ours, *theirs, *published}) if wanted(asked, key)]
    if not any((key in ours and key in theirs) or key in published for key in keys):
        raise Mistake(_nothing_in_common(registry, left, right, keys, asked, {*ours} & {*theirs}))
    return [
        Row(*key, tuple(one), tuple(other), tuple(_verdicts(registry, one, other)), tuple(published.get(key, ())))
        for key in keys
        for one, other in [(ours.get(key, []), theirs.get(key, []))]
    ]


def _published(registry: Registry, left: str, right: str) -> dict[Key, list[Claim]]:
    """What is claimed of two products in relation to each other, by metric and number format."""
    found: dict[Key, list[Claim]] = {}
    for product, other in ((left, right), (right, left)):
        for claim in registry.claims_of(product):
            if claim.compare_to == other and claim.figure is not None and claim.status in _HOLDING:
                found.setdefault((claim.metric, claim.basis.get("precision", "")), []).append(claim)
    return found


def figures_of(registry: Registry, product: str) -> dict[Key, list[Claim]]:
    """The absolute claims of a product that hold, by metric and number format."""
    found: dict[Key, list[Claim]] = {}
    for claim in registry.claims_of(product):
        if claim.figure is not None and is_absolute(claim):
            found.setdefault((claim.metric, claim.basis.get("precision", "")), []).append(claim)
    return found


def is_absolute(claim: Claim) -> bool:
    """Whether a claim still holds and says what one thing has, not how it is to another."""
    relative = claim.compare_to or (claim.figure is not None and claim.figure.kind == "ratio")
    return not relative and claim.status in _HOLDING


def ordered(registry: Registry, keys: Iterable[Key]) -> list[Key]:
    """Metrics and number formats in the order of the vocabulary."""
    metrics = list(registry.vocabulary.metrics)
    formats = ["", *registry.vocabulary.dimensions.get("precision", {}).get("values", ())]
    known = {name: at for at, name in enumerate(formats)}
    return sorted(keys, key=lambda key: (metrics.index(key[0]), known.get(key[1], len(known)), key[1]))


def wanted(asked: Sequence[Asked], key: Key) -> bool:
    """Whether a row was asked for, as each one is where nothing is."""
    return not asked or any(each.holds(*key) for each in asked)


def _nothing_in_common(
    registry: Registry,
    left: Product,
    right: Product,
    keys: Sequence[Key],
    asked: Sequence[Asked],
    shared: set[Key],
) -> str:
    what = "these metrics" if asked else "any metric"
    lead = f"the registry has no figures of both {left.name} and {right.name} on {what}"
    if keys:
        return f"{lead}, only of one of them on {', '.join(sorted({heading(registry, *key) for key in keys}))}"
    if shared:
        return f"{lead}; they share {', '.join(sorted({heading(registry, *key) for key in shared}))}"
    return lead


def heading(registry: Registry, metric: str, precision: str = "") -> str:
    """What a row is about: "FP8 compute", "memory capacity"."""
    title = registry.vocabulary.titles.get(metric, "")
    return f"{precision} {title[:1].lower() + title[1:] or metric.replace('-', ' ')}".strip()


def _verdicts(registry: Registry, ours: list[Claim], theirs: list[Claim]) -> list[Verdict]:
    """What follows from the claims of two products on one metric: the ratios that there are, or why there is none."""
    sides = [of_one_thing(registry, claims) for claims in (ours, theirs)]
    pairs = [(one, other, _apart(registry, one, other)) for one in sides[0] for other in sides[1]]
    alike: dict[tuple[str, ...], tuple[Claim, Claim, list[Difference]]] = {}
    for one, other, apart in pairs:
        if not apart and _undisputed(one, other):
            counted = [name for name, about in registry.vocabulary.dimensions.items() if not about["describes"]]
            alike.setdefault(tuple(basis_value(one, name, registry) for name in counted), (one, other, apart))
    chosen = list(alike.values())
    if pairs and not chosen:
        chosen = [min(pairs, key=lambda pair: (not _undisputed(*pair[:2]), len(pair[2]), not _to_print(*pair[:2])))]
    return [_verdict(registry, *pair) for pair in chosen]


def _apart(registry: Registry, one: Claim, other: Claim) -> list[Difference]:
    """What keeps two claims from being divided, a value that nothing can be said to be times of among it."""
    found = differences(one, other, registry)
    return found if found or _interval(one, other) else [Difference("value", one.value, other.value)]


def of_one_thing(registry: Registry, claims: Sequence[Claim]) -> list[Claim]:
    """The claims about the thing that the first of them describes: of the fabrics of a chip, the one named first."""
    described = [name for name, about in registry.vocabulary.dimensions.items() if about["describes"]]
    first = {name: claims[0].basis[name] for name in described if claims and name in claims[0].basis}
    return [claim for claim in claims if all(claim.basis.get(name, value) == value for name, value in first.items())]


def _undisputed(one: Claim, other: Claim) -> bool:
    return one.status == other.status == "current"


def _to_print(one: Claim, other: Claim) -> bool:
    """Whether the registry has no other side of a conflict that it would rather print."""
    return all(claim.status == "current" or bool(claim.chosen) for claim in (one, other))


def _interval(one: Claim, other: Claim) -> Interval | None:
    """All quotients of what two figures, as they are printed, may stand for; None if one may be nothing or less."""
    if one.figure is None or other.figure is None:
        return None
    left, right = one.figure.interval(qualified=False), other.figure.interval(qualified=False)
    return ratio(left, right) if left.low > 0 and right.low > 0 else None


def _verdict(registry: Registry, one: Claim, other: Claim, apart: list[Difference]) -> Verdict:
    halves, interval = [_half(one, registry), _half(other, registry)], _interval(one, other)
    if apart or not _undisputed(one, other) or interval is None:
        lead = "" if one.metric in _COUNTING_IN_FORMATS else heading(registry, one.metric)
        told = [_as_told(each, one, other) for each in apart]
        told += _set_ups(one, other, {difference.dimension for difference in apart})
        told.sort(key=lambda difference: difference.dimension not in registry.vocabulary.distinct)
        said = unlike_sentence(halves, told, registry, lead)
        return Verdict(one, other, tuple(apart), None, None, f"{said}.")
    said = like_for_like_sentence(halves, registry, _shared(one, registry))
    return Verdict(one, other, (), quotient_of(one, other), interval, f"{said}.")


def _as_told(difference: Difference, one: Claim, other: Claim) -> Difference:
    """A difference without what goes without saying: that a figure of which no kind is recorded is as published."""
    name, *values = difference
    told = [v if v != "peak" or name in c.basis else "" for v, c in zip(values, (one, other), strict=True)]
    return Difference(name, *told)


def _half(claim: Claim, registry: Registry) -> Half:
    """A claim as one side of a sentence, with what contradicts it, and on how many devices it was measured."""
    half = half_of(claim, registry)
    single = is_score(claim) and basis_value(claim, SCOPE, registry) == registry.products[claim.product].unit
    name = f"one {plain(registry.products[claim.product].name)}" if single else half.name
    described = [
        plain(claim.basis[dimension])
        for dimension, about in registry.vocabulary.dimensions.items()
        if about["describes"] and claim.basis.get(dimension, "") not in ("", *about["values"])
    ]
    notes = [CONFLICT] if rivals_of(claim, registry) else []
    notes += [f"as of {claim.as_of}"] if claim.as_of else []
    return half._replace(name=name, figure=with_rivals(claim, registry), notes=(*described, *notes))


def is_score(claim: Claim) -> bool:
    """Whether a claim is a result of a benchmark, which says little without its set-up."""
    dimension = claim.figure.dimension if claim.figure is not None else ""
    return claim.basis.get("kind", "peak") != "peak" and dimension not in _OF_HARDWARE


def _set_ups(one: Claim, other: Claim, told: Collection[str]) -> list[Difference]:
    """The format and the workload of benchmark scores, which say little without them."""
    of_each = [claim.basis if is_score(claim) else {} for claim in (one, other)]
    names = [name for name in ("precision", "workload") if name not in told]
    return [Difference(name, *(basis.get(name, UNSTATED) if basis else "" for basis in of_each)) for name in names]


def _shared(claim: Claim, registry: Registry) -> str:
    """What both figures of a sentence count: "dense FP8", "two-way interconnect bandwidth", "power (TDP)"."""
    basis = {name: plain(value) for name, value in claim.basis.items() if value != UNSTATED}
    kind = basis.get("kind", "peak")
    words = [] if kind == "peak" else [kind.removeprefix("vendor-")]
    words += [basis.get("direction", ""), number_format(claim)]
    if claim.metric not in _COUNTING_IN_FORMATS or not words[-1]:
        words.append(heading(registry, claim.metric))
    stated = {"precision": UNSTATED, **claim.basis} if is_score(claim) else claim.basis
    notes = [f"{name} not stated" for name, value in stated.items() if value == UNSTATED]
    notes += [basis[name] for name in ("power", "phase", "workload") if name in basis]
    return " ".join(word for word in words if word) + (f" ({', '.join(notes)})" if notes else "")
