"""What an editor can do about a finding: apply its fix, or leave it out with a reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lsprotocol import types

from caveat.checks import CHECKS
from caveat.finding import SAFE, Edit, Finding
from caveat.report.sentences import one_line
from caveat.server.diagnostics import of_finding
from caveat.server.places import Places
from caveat.server.session import Review
from caveat.server.suppressing import Comment, comment_for, comment_for_all


class Able(NamedTuple):
    """What an editor says that it can do with edits: know their version, and put the cursor into what they insert."""

    versions: bool
    snippets: bool
    related: bool


def actions(review: Review, start: int, end: int, places: Places, able: Able) -> list[types.CodeAction]:
    """The actions for the findings that a range touches."""
    touched = [finding for finding in review.findings if finding.start <= end and start <= finding.end]
    return [action for finding in review.fixed(touched) for action in _for_finding(review, finding, places, able)]


def _for_finding(review: Review, finding: Finding, places: Places, able: Able) -> Iterator[types.CodeAction]:
    diagnostic = of_finding(review, finding, places, related=able.related)

    def action(title: str, edit: types.WorkspaceEdit, *, preferred: bool | None = None) -> types.CodeAction:
        kind = types.CodeActionKind.QuickFix
        return types.CodeAction(title, kind=kind, diagnostics=[diagnostic], is_preferred=preferred, edit=edit)

    fix = finding.fix
    if fix is not None:
        edit = _edit(review, [_text_edit(each, places) for each in fix.edits], able)
        yield action(one_line(fix.title), edit, preferred=True if fix.applicability == SAFE else None)
    if _is_suppressible(review, finding):
        here, everywhere = comment_for(review.source, finding), comment_for_all(review.source, finding)
        if here is not None:
            yield action(f"Ignore {finding.rule} here, with a reason", _put_in(review, here, places, able))
        if everywhere is not None:
            yield action(
                f"Ignore {finding.rule} in this draft, with a reason", _put_in(review, everywhere, places, able)
            )


def _is_suppressible(review: Review, finding: Finding) -> bool:
    """Whether comments can be about the rule of a finding: those about comments cannot be left out."""
    rules = review.terms.desk.every_rule if review.terms else []
    return any(rule.name == finding.rule and rule.check in CHECKS for rule in rules)


def _text_edit(edit: Edit, places: Places) -> types.TextEdit:
    return types.TextEdit(places.range(edit.start, edit.end), edit.text)


def _put_in(review: Review, comment: Comment, places: Places, able: Able) -> types.WorkspaceEdit:
    """A comment as an edit. The reason is the writer's to give: until then a finding says that it is missing."""
    range_ = places.range(comment.at, comment.at)
    if not able.snippets:
        return _edit(review, [types.TextEdit(range_, comment.text())], able)
    before, after = (text.replace("\\", "\\\\").replace("$", "\\$") for text in (comment.before, comment.after))
    snippet = types.StringValue(f"{before} $1{after}")
    return _edit(review, [types.SnippetTextEdit(range_, snippet)], able)


def _edit(review: Review, edits: Sequence[types.TextEdit | types.SnippetTextEdit], able: Able) -> types.WorkspaceEdit:
    """Edits of the draft, of the version that was looked at if the editor tells versions apart."""
    buffer = review.buffer
    if not (able.versions or able.snippets):
        plain = [edit for edit in edits if isinstance(edit, types.TextEdit)]
        return types.WorkspaceEdit(changes={buffer.uri: plain})
    document = types.OptionalVersionedTextDocumentIdentifier(buffer.uri, buffer.version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(document, list(edits))])
