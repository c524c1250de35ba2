"""The bytes of a snapshot as a page."""

from __future__ import annotations

from caveat.evidence.formats import HTML, PDF, decode
from caveat.evidence.page import Page, PageBuilder, without_marks
from caveat.outcome import UserError


def read_page(data: bytes, kind: str, name: str, encoding: str = "") -> Page:
    """The page that the bytes of a file are. `name` is what messages call it, `encoding` what is known of it.

    Raises UserError for one that cannot be read, or that holds no text.
    """
    in_order = ""
    if kind == PDF:
        from caveat.evidence.pdf_page import read_pdf

        builder, in_order = read_pdf(data, name)
    elif kind == HTML:
        from caveat.evidence.html_page import read_html

        builder = read_html(decode(data, kind, name, encoding))
    else:
        from caveat.evidence.lines import add_lines

        builder = PageBuilder()
        add_lines(builder, without_marks(decode(data, kind, name, encoding)))
    page = Page(builder.document(name), builder.pages, in_order)
    blocks = page.document.blocks
    if not blocks or (kind == HTML and len(blocks) == 1 and blocks[0].kind == "heading"):  # a title, and nothing below
        hint = "scripts may write it: open the page in a browser, and save and store what it shows"
        raise UserError(f"{name}: no text; {hint if kind == HTML else 'store a page with text'}")
    return page
