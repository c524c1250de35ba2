"""A table from the registry that is stale is written anew, as `caveat sync` would."""

from __future__ import annotations

from collections.abc import Iterator

from caveat.comparing.regions import read_regions
from caveat.finding import DISPLAY_ONLY, Edit, Finding, Fix
from caveat.fixing.case import Case


def written_anew(case: Case, finding: Finding) -> Iterator[Fix]:
    """The whole table as the registry has it; an editor makes it, and for all drafts at once there is `sync`."""
    article = case.article
    regions, _ = read_regions(article.document, article.registry)
    for region in regions:
        if region.opening.start <= finding.start < region.end:
            yield Fix(
                "Write the table anew from the registry",
                DISPLAY_ONLY,
                (Edit(region.start, region.end, region.expected),),
            )
