"""The sentence about two figures of two products: with their ratio if they are like for like, else with both bases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from caveat.binding.ratios import printed_quotient
from caveat.comparing.wording import capital, grouped, listed, plain, publisher, with_article
from caveat.registry.registry import UNSTATED, Claim, Registry

_APPROXIMATE = frozenset(("about", "nearly", "just under", "just over"))
# What is to be said of a figure that others contradict.
CONFLICT = "the sources conflict"
# What a figure's own words say: notes on them would say it twice.
_IN_WORDS = frozenset(("unit", "value", "per", "what is counted", "qualifier", "date"))


class Half(NamedTuple):
    """One side as a sentence names it: the product, its figure, and the claim that the figure rests on.

    `notes` are what is said of the figure in brackets.
    """

    name: str
    figure: str
    claim: Claim
    notes: tuple[str, ...] = ()


def half_of(claim: Claim, registry: Registry, name: str = "") -> Half:
    """A claim as one side of a sentence; the product by its own name if no other is given."""
    called = name or with_article(plain(registry.products[claim.product].name))
    return Half(called, told(claim), claim)


def told(claim: Claim) -> str:
    """The value of a claim with its qualifier as prose prints it: "about 4.5 PFLOPS"."""
    return grouped(plain(claim.stated))


def rivals_of(claim: Claim, registry: Registry) -> list[Claim]:
    """The claims that contradict a claim."""
    return [rival for id_ in claim.conflicts if (rival := registry.claim(id_)) is not None]


def with_rivals(claim: Claim, registry: Registry) -> str:
    """The value of a claim with those that contradict it: "95 GiB or 95 GB"."""
    return " or ".join(dict.fromkeys(told(each) for each in (claim, *rivals_of(claim, registry))))


def like_for_like_sentence(halves: Sequence[Half], registry: Registry, lead: str = "") -> str:
    """Both figures and their ratio; `lead` says what they count, which else is the format of the first: "dense FP8"."""
    one, other = halves
    about = "about " if {one.claim.bound, other.claim.bound} & _APPROXIMATE else ""
    ratio = f"a ratio of {about}{printed_quotient(one.claim, other.claim)}"
    return (
        f"{_opening(one, lead or number_format(one.claim))} {one.figure}{_bracketed(one.notes)} and {other.name} "
        f"{other.figure}{_bracketed(other.notes)}, {ratio}, per {_publishers(halves, registry)}"
    )


def unlike_sentence(
    halves: Sequence[Half], unlike: Sequence[tuple[str, str, str]], registry: Registry, lead: str = ""
) -> str:
    """Both figures and no ratio; `unlike` are the dimensions in which they differ, with what each of them has.

    Without a `lead` each figure is told with its number format.
    """
    one, other = halves
    said = [_counted(one, [(name, left) for name, left, _ in unlike], lead)]
    said.append(_counted(other, [(name, right) for name, _, right in unlike], lead))
    return (
        f"{_opening(one, lead)} {one.figure}{said[0]} and {other.name} {other.figure}{said[1]}, per "
        f"{_publishers(halves, registry)}, so there is no like-for-like ratio"
    )


def number_format(claim: Claim) -> str:
    """The sparsity and number format of a claim as running text: "dense FP8"."""
    stated = (claim.basis.get(name, UNSTATED) for name in ("sparsity", "precision"))
    return plain(" ".join(each for each in stated if each != UNSTATED))


def _opening(half: Half, lead: str) -> str:
    return f"In {lead}, {half.name} has" if lead else f"{capital(half.name)} has"


def _publishers(halves: Sequence[Half], registry: Registry) -> str:
    return listed([publisher(registry, half.claim) for half in halves])


def _counted(half: Half, bases: Sequence[tuple[str, str]], lead: str) -> str:
    """What a figure counts: " of dense FP8", " of FP8 (sparsity not stated)", " (rack)"; not what its words say."""
    form = "" if lead else " ".join(w for w in number_format(half.claim).split() if w not in half.figure.split())
    said = f"{form} {half.figure}".split()
    notes = [
        f"{name} not stated" if basis == UNSTATED else plain(basis)
        for name, basis in bases
        if basis and basis not in said and name not in _IN_WORDS
    ]
    return (f" of {form}" if form else "") + _bracketed([*notes, *half.notes])


def _bracketed(notes: Sequence[str]) -> str:
    return f" ({', '.join(notes)})" if notes else ""
