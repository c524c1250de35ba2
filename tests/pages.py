"""Pages for the tests about evidence: a registry of a few claims, and documents that its sources might be."""

from __future__ import annotations

from collections.abc import Sequence

from fpdf import FPDF
from fpdf.enums import CharVPos

REGISTRY = """\
# What Acme says of its rockets.
vendors:
  acme: {name: Acme}

products:
  rocket: {name: Rocket, vendor: acme, unit: chip}
  rocket-mini: {name: Rocket Mini, vendor: acme, unit: chip}  # the small one

sources:
  sheet: {title: Rocket data sheet, publisher: acme, kind: vendor-doc, url: https://vendor.example/page}  # in brackets
  page:
    title: Rocket page  # in lines
    publisher: acme
    kind: vendor-page
    published: 2025-12-02
    aliases: ["The Rocket's page"]

claims:
  - id: rocket-memory
    product: rocket
    metric: memory-capacity
    value: 64 GB
    qualifier: up to
    source: sheet
    evidence: up to 64 GB of memory
"""

TITLE = "<!doctype html><title>Acme Rocket</title>"
PAGE = f"{TITLE}<p>The Rocket has up to 64 GB of memory.</p>"


def pdf(
    *paragraphs: str, table: Sequence[Sequence[str]] = (), password: str = "", owner: str = "", note: str = ""
) -> bytes:
    """A PDF with a few paragraphs, a table and a note below it; encrypted if a password or its owner is given.

    Of a paragraph, what stands between two "^" is raised; with a form feed a page begins.
    """
    made = FPDF()
    made.add_page()
    made.set_font("Helvetica", size=11)
    for text in paragraphs:
        if text.startswith("\f"):
            made.add_page()
        for number, piece in enumerate(text.split("^")):
            made.char_vpos = CharVPos.SUP if number % 2 else CharVPos.LINE
            made.write(6, piece)
        made.ln(10)
    if table:
        with made.table() as drawn:
            for row in table:
                drawn.row(row)
        made.ln(4)
    if note:
        made.multi_cell(0, 6, note)
    if password or owner:
        made.set_encryption(owner_password=owner or f"owner of {password}", user_password=password)
    return bytes(made.output())
