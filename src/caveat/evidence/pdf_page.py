"""PDF as a page: the text that it shows, line by line and where it stands, so that columns stay columns."""

from __future__ import annotations

import io
import logging
import re

from pypdf import PdfReader
from pypdf.errors import DependencyError

from caveat.evidence.lines import add_lines
from caveat.evidence.page import PageBuilder, raised, unmarked, without_marks
from caveat.outcome import UserError

_MOST_PAGES = 500
# So small is a mark beside the words before it, and so long at most.
_SMALL = 0.8
_LONGEST = 6
_MOST_MARKS = 300  # of a page
_SAVE_AS_TEXT = "save its text as a .txt file and store that"


class _Marks:
    """The small numbers and signs behind words of a page: without their size, 700 with the mark 1 would be 7001."""

    def __init__(self) -> None:
        self._size = 0.0
        self._before = ""
        self._found: list[tuple[str, str]] = []

    def see(self, text: str, around: list[float], within: list[float], _: object, size: float) -> None:
        """Take the next piece of the page, with what scales it and the size of its font, as pypdf tells them."""
        size *= max(abs(within[0] * around[0]), abs(within[3] * around[3]))
        if not text.strip():
            self._before = "" if "\n" in text else self._before
            return
        words = self._before.split()
        if words and size < self._size * _SMALL and len(text) <= _LONGEST and len(self._found) < _MOST_MARKS:
            self._found.append((words[-1], text.strip()))
            return
        self._size, self._before = size, text

    def set_in(self, text: str) -> str:
        """A text of the page with each of them as the mark or the exponent that it is."""
        text = without_marks(text)
        for word, small in self._found:
            found = re.search(rf"{re.escape(word)}(\s?{re.escape(small)})(?![0-9])", text)
            if found:
                text = text[: found.start(1)] + raised(small, word)[0] + text[found.end(1) :]
        return text


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
            marks = _Marks()
            text = page.extract_text(visitor_text=marks.see)
            add_lines(builder, marks.set_in(page.extract_text(extraction_mode="layout")))
            in_order.append(unmarked(marks.set_in(text)))
    except DependencyError as error:
        hint = "`pip install pypdf[crypto]` reads those that need no password, or store a copy that is not encrypted"
        raise UserError(f"{name}: the PDF is encrypted by AES; {hint}") from error
    except Exception as error:  # pypdf raises all sorts of things on what strangers wrote
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise UserError(f"{name}: the PDF is broken ({reason}); {_SAVE_AS_TEXT}") from error
    if locked:
        raise UserError(f"{name}: the PDF is encrypted; store a copy without a password")
    text = "\n".join(in_order)
    if not text.strip():
        raise UserError(f"{name}: the PDF has no text, only pictures of it; {_SAVE_AS_TEXT}")
    return builder, text
