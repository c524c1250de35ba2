"""Where what a draft speaks of is written down: claims and sources in the registry, notes in the draft itself."""

from __future__ import annotations

from lsprotocol import types

from caveat.loading.registry_files import place_of_source
from caveat.server.diagnostics import row_of
from caveat.server.looking_up import Spot
from caveat.server.places import Places
from caveat.server.session import Review


def definitions(spot: Spot, review: Review, places: Places) -> list[types.Location]:
    """The places of all that stands at one: notes first, then sources, then claims."""
    article, terms = review.article, review.terms
    assert article is not None
    assert terms is not None
    notes = [places.range(*article.document.footnotes[label]) for label in spot.notes]
    sources = [place_of_source(terms.settings.claims, source.id) for source in spot.sources]
    found = [types.Location(review.buffer.uri, note) for note in notes]
    found += [row_of(*place) for place in sources if place is not None]
    return found + [row_of(claim.file, claim.line) for claim in spot.claims]
