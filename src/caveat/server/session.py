"""What the server knows: the texts that are open, what holds for each of them, and what was last found in them."""

from __future__ import annotations

import os
import traceback
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from lsprotocol import types

from caveat.article import Article
from caveat.command import from_severity
from caveat.engine import Checked
from caveat.finding import Finding, Fix
from caveat.markdown.source import Source
from caveat.options import CheckOptions
from caveat.outcome import Cited, Outcome
from caveat.running.cache import Cache, cache_folder
from caveat.running.checking import check_at, outcome_of, recheck
from caveat.running.files import shown_path
from caveat.server.places import UTF16, Places, edited
from caveat.server.standing import Standing, Terms
from caveat.server.uris import name_of, path_of

# What an editor may have open beside drafts: the files that Caveat itself reads.
NO_DRAFTS = (".yaml", ".yml", ".toml", ".json")


class Buffer(NamedTuple):
    """A text as it is in the editor. `path` is "" if it belongs to no file; `version` is the editor's count."""

    uri: str
    path: str
    language: str
    version: int
    text: str

    @property
    def filename(self) -> str:
        """The name by which reports would call it; it also tells MDX from Markdown."""
        if self.path:
            return shown_path(self.path)
        name = name_of(self.uri)
        return f"{name}.mdx" if self.language == "mdx" and not name.endswith(".mdx") else name

    @property
    def is_draft(self) -> bool:
        """Whether it is something to check."""
        return not self.filename.lower().endswith(NO_DRAFTS)


class Review:
    """What was found in one version of a draft. `failure` says what went wrong if a fault in Caveat was in the way."""

    def __init__(
        self, buffer: Buffer, terms: Terms | None, source: Source, checked: Checked | None = None, failure: str = ""
    ) -> None:
        self.buffer = buffer
        self.terms = terms
        self.source = source
        self.failure = failure
        self.findings: Sequence[Finding] = ()
        self.cited: dict[str, Cited] = {}
        self._checked = checked
        self._fixes: dict[int, Fix | None] = {}
        if terms is not None and checked is not None and not terms.excluded:
            outcome = _narrowed(outcome_of(checked, terms.desk), terms)
            self.findings, self.cited = outcome.findings, outcome.cited

    def is_of(self, buffer: Buffer, terms: Terms | None) -> bool:
        """Whether it says what a review of this text would say."""
        return self.terms is terms and self.buffer.text == buffer.text and self.buffer.filename == buffer.filename

    @property
    def article(self) -> Article | None:
        """The draft read and bound, for those who ask about its figures; None if it could not be."""
        return self._checked.article if self._checked else None

    def fixed(self, findings: Sequence[Finding]) -> list[Finding]:
        """Some of the findings with the fixes that are proven for them. Proving takes a few checks of the draft."""
        checked, terms = self._checked, self.terms
        if checked is None or terms is None:
            return list(findings)
        number_of = {id(finding): number for number, finding in enumerate(checked.findings)}
        numbers = [number_of[id(finding)] for finding in findings]
        unknown = [number for number in numbers if number not in self._fixes]
        if unknown:
            from caveat.fixing.applying import with_fixes

            again = partial(recheck, terms.desk, self.source)
            proven = with_fixes(checked, terms.desk.rules, again, shown=unknown)
            self._fixes |= {number: proven[number].fix for number in unknown}
        return [finding._replace(fix=self._fixes[at]) for finding, at in zip(findings, numbers, strict=True)]


class Session:
    """One editor's connection. `folders` are the roots of its workspace; texts without a file belong to the first."""

    def __init__(self, options: CheckOptions) -> None:
        """Raises UserError for options that cannot be followed."""
        self.standing = Standing(options, Cache("" if options.no_cache else cache_folder(os.environ)))
        self.encoding = UTF16
        self.folders: list[str] = []
        self.buffers: dict[str, Buffer] = {}
        self._reviews: dict[str, Review] = {}

    def open(self, uri: str, language: str, version: int, text: str) -> None:
        """A text was opened."""
        self.buffers[uri] = Buffer(uri, path_of(uri), language, version, text)

    def change(self, uri: str, version: int, changes: Sequence[types.TextDocumentContentChangeEvent]) -> None:
        """A text was edited: each change is about the text that the one before it left."""
        buffer = self.buffers[uri]
        text = buffer.text
        for change in changes:
            text = edited(text, change, self.encoding)
        self.buffers[uri] = buffer._replace(version=version, text=text)

    def close(self, uri: str) -> None:
        """A text was closed."""
        self.buffers.pop(uri, None)
        self._reviews.pop(uri, None)

    def is_current(self, buffer: Buffer) -> bool:
        """Whether a text is still the one in the editor."""
        return self.buffers.get(buffer.uri) is buffer

    def review(self, buffer: Buffer) -> Review:
        """What is found in a text, by the files as they are now. What was found in the same text before is used."""
        terms = self.terms(buffer) if buffer.is_draft else None
        known = self._reviews.get(buffer.uri)
        if known is None or not known.is_of(buffer, terms):
            known = self._reviews[buffer.uri] = _review(buffer, terms)
        return known

    def terms(self, buffer: Buffer) -> Terms | None:
        """What holds for a text by the files as they are now. A text without a file is of the first folder."""
        self.standing.refresh()
        folder = self.folders[0] if self.folders else "."
        return self.standing.terms(buffer.path or os.path.join(folder, ""))

    def look_at_folders(self) -> None:
        """Read what holds in the folders of the workspace, whether or not a draft of theirs is open."""
        self.standing.refresh()
        for folder in self.folders:
            self.standing.look_at(folder)

    def places(self, source: Source) -> Places:
        """The places of a text in the units of this editor."""
        return Places(source, self.encoding)


def _review(buffer: Buffer, terms: Terms | None) -> Review:
    source = Source(buffer.text, buffer.filename)
    if terms is None:
        return Review(buffer, terms, source)
    try:
        return Review(buffer, terms, source, check_at(terms.desk, source))
    except Exception:  # noqa: BLE001 - it is logged, and the server goes on
        return Review(buffer, terms, source, failure=f"{source.filename}: not checked\n{traceback.format_exc()}")


def _narrowed(outcome: Outcome, terms: Terms) -> Outcome:
    """The outcome without what is known and what is too slight, as `check` would show it."""
    if terms.baseline is not None:
        outcome = terms.baseline.of_draft(outcome.source.filename).leave_out(outcome)
    return from_severity(terms.settings, outcome)
