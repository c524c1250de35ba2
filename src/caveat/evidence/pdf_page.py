"""PDF as a page: the text that it shows, line by line and where it stands, so that columns stay columns."""

from __future__ import annotations

import io
import logging

from pypdf import PdfReader
from pypdf.errors import DependencyError, PyPdfError

from caveat.evidence.lines import add_lines
from caveat.evidence.page import PageBuilder
from caveat.outcome import UserError

_MOST_PAGES = 500
_SAVE_AS_TEXT = "save its text as a .txt file and store that"


def read_pdf(data: bytes, name: str) -> tuple[PageBuilder, str]:
    """The page of a PDF, and its text in the order in which the file has it, where a sentence is never parted.

    Raises UserError for one that is broken or locked, or that has no text. `name` is what messages call it.
    """
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it writes of each slip in a file; readers forgive them
    try:
        reader = PdfReader(io.BytesIO(data))
        locked = reader.is_encrypted and not reader.decrypt("")
        builder, in_order = PageBuilder(), []
        for page in () if locked else reader.pages[:_MOST_PAGES]:
            builder.begin_page()
            add_lines(builder, page.extract_text(extraction_mode="layout", layout_mode_space_vertically=True))
            in_order.append(page.extract_text())
    except DependencyError:  # a cipher that pypdf leaves to another library
        locked = True
    except (PyPdfError, ArithmeticError, LookupError, ValueError, TypeError, AttributeError, RecursionError) as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise UserError(f"{name}: the PDF is broken ({reason}); {_SAVE_AS_TEXT}") from error
    if locked:
        raise UserError(f"{name}: the PDF is encrypted; store a copy without a password")
    text = "\n".join(in_order)
    if not text.strip():
        raise UserError(f"{name}: the PDF has no text, only pictures of it; {_SAVE_AS_TEXT}")
    return builder, text
