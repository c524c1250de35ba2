"""What may become of a claim that is held against the page of its source."""

from __future__ import annotations

from typing import NamedTuple

from caveat.registry.registry import Claim

VERIFIED = "verified"
VALUE_ABSENT = "value absent"
WORDS_ABSENT = "words absent"
OTHER_PRODUCT = "other product's column"
MODE = "mode contradicted"
DROPPED = "qualifier dropped"
ADDED = "qualifier added"
NOTHING_TO_FIND = "nothing to find"
NO_SNAPSHOT = "no snapshot"
CHANGED = "page changed since"
UNREADABLE = "snapshot unreadable"

# Those that the page does not bear out, the worst first: of several places with the value, the best one counts.
NOT_BORNE_OUT = (VALUE_ABSENT, WORDS_ABSENT, OTHER_PRODUCT, MODE, DROPPED, ADDED)


class Verdict(NamedTuple):
    """What became of a claim: a result, what the page has in a few words, and the words of the page with their place.

    `page` is the number of the page in a PDF, 0 where there are none.
    """

    claim: Claim
    result: str
    message: str = ""
    excerpt: str = ""
    page: int = 0

    @property
    def verified(self) -> bool:
        """Whether the page bears the claim out."""
        return self.result == VERIFIED

    @property
    def failed(self) -> bool:
        """Whether the page does not bear the claim out."""
        return self.result in NOT_BORNE_OUT
