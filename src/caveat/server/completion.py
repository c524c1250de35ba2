"""What an editor offers to write on: keys and ids in citations, labels of notes, and rules in suppressions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from lsprotocol import types

from caveat.checks import CHECKS
from caveat.markdown.document import read
from caveat.markdown.source import Source
from caveat.markdown.suppressions import FORMS
from caveat.registry.registry import Registry
from caveat.report.sentences import one_line
from caveat.running.desk import Desk
from caveat.server.places import Places

TRIGGERS = ("^", "@", "[", ",")
# How far before the cursor the beginning of what is written is looked for.
_FAR = 400
_RULE = re.compile(rf"caveat:\s*(?:{'|'.join(FORMS)})\s*\[(?:[^\[\]]*,)?\s*([\w-]*)$")
_KEY = re.compile(r"\[(?:[^\[\]]*[\s-])?@([\w:.#$%&+?<>~/-]*)$")
_NOTE = re.compile(r"\[\^([^\[\]\s]*)$")


class Offer(NamedTuple):
    """A word to write, what it stands for, and its kind."""

    word: str
    about: str
    kind: types.CompletionItemKind


def completions(source: Source, offset: int, desk: Desk, places: Places) -> list[types.CompletionItem]:
    """What may be written at an offset."""
    before = source.text[max(0, offset - _FAR) : offset].rpartition("\n")[2]
    if found := _RULE.search(before):
        offers, closing = list(_rules(desk)), ""
    elif found := _KEY.search(before):
        offers, closing = list(_keys(desk.registry)), ""
    elif found := _NOTE.search(before):
        offers, closing = list(_notes(source)), "" if source.text.startswith("]", offset) else "]"
    else:
        return []
    range_ = places.range(offset - len(found[1]), offset)
    return [
        types.CompletionItem(
            label=offer.word,
            kind=offer.kind,
            detail=one_line(offer.about),
            text_edit=types.TextEdit(range_, offer.word + closing),
        )
        for offer in offers
    ]


def _rules(desk: Desk) -> Iterator[Offer]:
    for rule in desk.every_rule:
        if rule.check in CHECKS:
            yield Offer(rule.name, rule.summary, types.CompletionItemKind.EnumMember)


def _keys(registry: Registry) -> Iterator[Offer]:
    for source in registry.sources.values():
        yield Offer(source.id, source.title, types.CompletionItemKind.Reference)
    for claim in registry.all_claims():
        about = f"{claim.stated}, {claim.metric} of {registry.products[claim.product].name}"
        yield Offer(claim.id, about, types.CompletionItemKind.Value)


def _notes(source: Source) -> Iterator[Offer]:
    for label, (start, end) in read(source).footnotes.items():
        words = source.text[start:end].partition(":")[2]
        yield Offer(label, words, types.CompletionItemKind.Reference)
