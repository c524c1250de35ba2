"""How far a claim's source stands from the maker of the product, in five steps."""

from __future__ import annotations

OWN = "vendor's own"
THROUGH = "through the vendor"
PRESS = "press"
RIVAL = "another vendor"
INDEPENDENT = "independent"
STEPS = (OWN, THROUGH, PRESS, RIVAL, INDEPENDENT)

_OF_KIND = {"customer-via-vendor": THROUGH, "commissioned": THROUGH, "press": PRESS}


def independence(kind: str, *, self_published: bool) -> str:
    """The step of a claim from its source's kind, and whether the source's publisher made the product.

    What a customer says on the vendor's page, and what the vendor paid for, came through the vendor.
    """
    if kind in _OF_KIND:
        return _OF_KIND[kind]
    if self_published:
        return OWN
    return RIVAL if kind.startswith("vendor-") else INDEPENDENT
