"""What a file is by its content, whatever its name says, and its text in the encoding that it declares."""

from __future__ import annotations

import codecs
import os
import re

from caveat.outcome import UserError

HTML, PDF, TEXT = "HTML", "PDF", "text"
EXTENSIONS = {HTML: ".html", PDF: ".pdf", TEXT: ".txt"}

# What the end of a name says, and what a server says.
_NAMED = {
    **dict.fromkeys((".html", ".htm", ".xhtml"), HTML),
    ".pdf": PDF,
    **dict.fromkeys((".txt", ".text", ".md", ".markdown", ".rst", ".csv", ".tsv"), TEXT),
}
_SERVED = {
    **dict.fromkeys(("text/html", "application/xhtml+xml"), HTML),
    "application/pdf": PDF,
    **dict.fromkeys(("text/plain", "text/markdown", "text/csv"), TEXT),
}
# What other files begin with.
_OTHERS = (
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"PK\x03\x04", "a ZIP archive, such as a document of Word or Excel"),
    (b"\x1f\x8b", "compressed by gzip"),
    (b"\xd0\xcf\x11\xe0", "an old document of Word or Excel"),
    (b"RIFF", "an image or a sound"),
)
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_BEGINS_HTML = re.compile(rb"(?is)(?:\s|<\?xml[^>]*>|<!--.*?-->)*<(?:!doctype\s+html|html|head|body)\b")
_ANY_TAG = re.compile(rb"(?i)<(?:p|div|table|h[1-6]|ul|ol|span|section|article|main|title|meta)[\s>]")
_META = re.compile(rb"<meta\b[^>]*?\bcharset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]+)", re.IGNORECASE)
_XML = re.compile(rb"\s*<\?xml\b[^>]*?\bencoding\s*=\s*[\"']([A-Za-z0-9_:.-]+)", re.IGNORECASE)
_LOOKED_AT = 4096
# Codecs of Python that are in no page.
_NO_TEXT = frozenset(
    (
        "idna",
        "punycode",
        "unicode_escape",
        "unicode-escape",
        "raw_unicode_escape",
        "raw-unicode-escape",
        "undefined",
        "utf-7",
        "utf7",
    )
)
# Browsers take pages that say these for what they nearly always are.
_MEANT = {"iso8859-1": "cp1252", "ascii": "cp1252"}


def kind_of(data: bytes, name: str, *, says: str = "") -> str:
    """HTML, PDF or TEXT. Raises UserError if it is none, or not what its name (or `says`, a server's type) promises."""
    found = _found(data, name)
    served = says.partition(";")[0].strip().lower()
    promised = _SERVED.get(served) if says else _NAMED.get(os.path.splitext(name)[1].lower())
    fragment = promised == HTML and found == TEXT and _ANY_TAG.search(data)
    if fragment:
        return HTML
    if promised and promised != found:
        who = f"the server calls it {served}" if says else "by its name it is to be"
        promise = "" if says else f" {promised}"
        raise UserError(
            f"{name}: {who}{promise}, and its content is {found}; "
            f"save it as a file that ends in {EXTENSIONS[found]} and store that"
        )
    return found


def _found(data: bytes, name: str) -> str:
    if not data.strip():
        raise UserError(f"{name}: empty; store a page with text")
    if b"%PDF-" in data[:1024]:
        return PDF
    if any(data.startswith(bom) for bom, _ in _BOMS):
        data = _decoded(data, next(encoding for bom, encoding in _BOMS if data.startswith(bom)), name).encode()
    other = next((what for begins, what in _OTHERS if data.startswith(begins)), "")
    if not other and b"\x00" in data:
        other = "a binary file"
    if other:
        raise UserError(f"{name}: {other}; a snapshot is HTML, PDF or text")
    return HTML if _BEGINS_HTML.match(data[:_LOOKED_AT]) else TEXT


def declared_encoding(says: str) -> str:
    """The encoding that a server's Content-Type names, or ""."""
    found = re.search(r"charset\s*=\s*[\"']?([A-Za-z0-9_:.-]+)", says, re.IGNORECASE)
    return found[1] if found else ""


def decode(data: bytes, kind: str, name: str, encoding: str = "") -> str:
    """The text of HTML or of a plain text: in `encoding` if one is known, else in what it declares, else in UTF-8.

    Raises UserError for bytes that are not in it: no encoding is ever guessed, or a figure could turn into another.
    """
    marked = next((found for bom, found in _BOMS if data.startswith(bom)), "")
    said = marked or encoding
    if not said and kind == HTML:
        found = _META.search(data[:_LOOKED_AT]) or _XML.match(data)
        said = found[1].decode("ascii") if found else ""
        said = "utf-8" if said.lower().replace("-", "").startswith("utf16") else said  # it was read as ASCII
    if said:
        return _decoded(data, said, name)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UserError(
            f"{name}: says no encoding and is not UTF-8 (byte {error.start}); "
            "give the one that it is in, for example --encoding windows-1252"
        ) from error


def _decoded(data: bytes, encoding: str, name: str) -> str:
    try:
        known = codecs.lookup("" if encoding.lower() in _NO_TEXT else encoding).name
        return data.decode(_MEANT.get(known, known))
    except UnicodeDecodeError as error:
        raise UserError(
            f"{name}: not {encoding}, which it is said to be (byte {error.start}); give another as --encoding"
        ) from error
    except (LookupError, ValueError, TypeError) as error:
        raise UserError(f"{name}: there is no encoding {encoding!r}; give another as --encoding") from error
