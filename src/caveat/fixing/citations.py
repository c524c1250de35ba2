"""References that lead nowhere: a key with one letter wrong is corrected, a missing footnote is written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from caveat.article import Article
from caveat.binding.bind import BOUND
from caveat.comparing.wording import note_text, plain
from caveat.finding import SAFE, UNSAFE, Edit, Finding, Fix
from caveat.fixing.case import Case
from caveat.fixing.wording import LINE_END, line_end
from caveat.markdown.document import Reference
from caveat.reading.sentences import Sentence
from caveat.registry.registry import SourceRecord

# In a key this short one letter makes another key: "amd" and "arm".
_SHORTEST = 4


def near_key(case: Case, finding: Finding) -> Iterator[Fix]:
    """The key that was meant, if exactly one that is defined is one letter away.

    A name with digits in it is never spelt wrong: the note on the B200 is not the one on the H200 or the GB200.
    """
    reference = _reference(case.article, finding)
    if reference is None or reference.kind not in ("footnote", "citation"):
        return
    keys = _footnotes(case.article) if reference.kind == "footnote" else _citations(case.article)
    near = [key for key in sorted(set(keys)) if one_letter_apart(reference.label.casefold(), key.casefold())]
    if len(near) == 1:
        yield from _with_label(case.article, reference, near[0], f"Correct the key to {near[0]}", SAFE)


def one_letter_apart(one: str, other: str) -> bool:
    """Whether two keys differ by one sign that is put in, left out or exchanged, in a word that has no digit."""
    if abs(len(one) - len(other)) > 1 or one == other or max(len(one), len(other)) < _SHORTEST:
        return False
    first = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    shorter, longer = sorted((one[first:], other[first:]), key=len)
    same = shorter[1:] == longer[1:] if len(shorter) == len(longer) else shorter == longer[1:]
    return same and not any(sign.isdigit() for key in (one, other) for sign in _word_at(key, first))


def _word_at(key: str, at: int) -> str:
    """The letters and digits of a key on both sides of a place."""
    before = re.search(r"[^\W_]*\Z", key[:at])
    behind = re.match(r"[^\W_]*", key[at:])
    return (before[0] if before else "") + (behind[0] if behind else "")


def registered_note(case: Case, finding: Finding) -> Iterator[Fix]:
    """The footnote that is missing, from the source of the registry that the figures before its reference rest on.

    Where the draft has a note on that source already, the reference is led there.
    """
    article, reference = case.article, _reference(case.article, finding)
    if reference is None or reference.kind != "footnote":
        return
    source = _source_meant(article, case.sentence(finding), reference)
    if source is None:
        return
    known = note_on(article, source)
    if known:
        title = f"Refer to the note on {plain(source.title)}"
        yield from _with_label(article, reference, known, title, UNSAFE)
    else:
        note = f"[^{reference.label}]: {note_text(article.registry, source)}"
        yield Fix(f"Add the footnote: {note}", UNSAFE, (note_edit(article, note),))


def _source_meant(article: Article, sentence: Sentence, reference: Reference) -> SourceRecord | None:
    """The source that the registry has for all figures between a reference and the one before it."""
    before = max((r.end for r in sentence.references if r.end <= reference.start), default=sentence.start)
    statements = [s for s in article.statements_of(sentence) if before <= s.figure.start < reference.start]
    bindings = [article.binding_of(statement) for statement in statements]
    sources = [[claim.source for claim in binding.claims if binding.status == BOUND] for binding in bindings]
    shared = [name for name in (sources[0] if sources else []) if all(name in others for others in sources)]
    return article.registry.sources.get(shared[0]) if shared else None


def note_on(article: Article, source: SourceRecord) -> str:
    """The label of the draft's footnote that gives the address or the title of a source; "" if there is none."""
    text = article.document.source.text
    named = source.url.rstrip("/") or source.title
    cited = re.compile(re.escape(named) + r"/?(?![\w/?#&=%-])", re.IGNORECASE)
    notes = article.document.footnotes.items()
    return next((label for label, (start, end) in notes if cited.search(text, start, end)), "")


def note_edit(article: Article, note: str) -> Edit:
    """The edit that adds a footnote at the end of a draft, which keeps having a line end there or none."""
    text = article.document.source.text
    end = line_end(text)
    last = max((stop for _, stop in article.document.footnotes.values()), default=-1)
    follows_note = last >= len(text.rstrip())
    if not text.endswith(("\n", "\r")):
        return Edit(len(text), len(text), end * (1 if follows_note else 2) + note)
    has_blank = re.search(rf"{LINE_END}[ \t]*{LINE_END}\Z", text) is not None
    return Edit(len(text), len(text), ("" if follows_note or has_blank else end) + note + end)


def _reference(article: Article, finding: Finding) -> Reference | None:
    return next((r for r in article.document.references if (r.start, r.end) == (finding.start, finding.end)), None)


def _footnotes(article: Article) -> Iterable[str]:
    return article.document.footnotes


def _citations(article: Article) -> Iterable[str]:
    return (*article.registry.sources, *(claim.id for claim in article.registry.all_claims()))


def _with_label(article: Article, reference: Reference, label: str, title: str, applicability: str) -> Iterator[Fix]:
    """The reference with another label."""
    written = article.words(reference.start, reference.end)
    at = written.casefold().find(reference.label.casefold())
    if at >= 0 and len(written.casefold()) == len(written):
        place = reference.start + at
        yield Fix(title, applicability, (Edit(place, place + len(reference.label), label),))
