"""Whose claim it is, said where the draft leaves it out: "per AWS", with or without the registry's footnote."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from caveat.article import Article
from caveat.comparing.wording import capital, note_text, publisher
from caveat.figures.words import word_set
from caveat.finding import UNSAFE, Edit, Finding, Fix
from caveat.fixing.case import Case
from caveat.fixing.citations import note_edit, note_on
from caveat.fixing.wording import CLOSING, end_of, first_word, start_of
from caveat.reading.sentences import Sentence
from caveat.registry.registry import SourceRecord

# What opens another thought behind a figure, to which "per AWS" at the end of the sentence would belong: before the
# comma of some of it "per AWS" stands well, of the others it would be what the thought is about.
_TURNING = frozenset(("so", "because", "while", "but", "though", "and"))
_CONCLUDING = frozenset((":", "which", "so", "because", "while", "but", "though"))
_PAUSES = frozenset((";", "–", "—"))
_TURNS = _CONCLUDING | _PAUSES | {",", "(", "and", "as"}
# What leads in to a sentence and ends with a comma.
_LEADING = word_set("on in at with for against next compared over by from under per when while where if as")
# So many words before its end a "per" keeps another one away: "4x the performance per watt, by AWS's account".
_PER_REACH = 4


def attributed(case: Case, finding: Finding) -> Iterator[Fix]:
    """The name of the one publisher of all claims that a finding rests on, where it belongs in the sentence."""
    yield from _attributed(case, finding, "", ())


def attributed_with_note(case: Case, finding: Finding) -> Iterator[Fix]:
    """The same with the registry's footnote, for which the draft's own is taken if it has one on that address."""
    article = case.article
    sources = {claim.source for claim in case.claims(finding)}
    source = article.registry.sources.get(sources.pop()) if len(sources) == 1 else None
    if source is None or not source.url:
        return
    label = note_on(article, source)
    if label:
        yield from _attributed(case, finding, f"[^{label}]", ())
    else:
        label = _new_label(article, source)
        note = note_edit(article, f"[^{label}]: {note_text(article.registry, source)}")
        yield from _attributed(case, finding, f"[^{label}]", (note,))


def _attributed(case: Case, finding: Finding, mark: str, others: tuple[Edit, ...]) -> Iterator[Fix]:
    article, names = case.article, {publisher(case.article.registry, claim) for claim in case.claims(finding)}
    name = names.pop() if len(names) == 1 else ""
    if not name:
        return
    for words, edit in _ways(article, case.sentence(finding), finding, name, mark):
        title = f'Add "{words}"' + (" and a footnote" if mark else "")
        yield Fix(title, UNSAFE, (edit, *others))


def _ways(article: Article, sentence: Sentence, finding: Finding, name: str, mark: str) -> Iterator[tuple[str, Edit]]:
    """Ways to name who says so, the best English first: the words, and the edit that puts them in."""
    end = end_of(article, sentence)
    block = article.document.blocks[sentence.block]
    words, tokens = article.tokens.words, article.tokens
    found, last = tokens.first_from(finding.end), tokens.first_from(end)
    per = f"by {name}'s account" if "per" in words[max(found, last - _PER_REACH) : last] else f"per {name}"
    if block.table >= 0:
        yield per, Edit(end, end, f" ({per}{mark})")
        return
    at_end = per, Edit(end, end, f", {per}{mark}")
    behind = words[found:last]
    if _TURNS.isdisjoint(behind):
        yield at_end
        return
    turn = _turn(words, found, last)
    if turn:
        end = tokens.ends[turn - 1]
        closing = CLOSING.match(article.document.source.text, end)
        place = closing.end() if closing else end
        yield per, Edit(place, place, f", {per}{mark}")
        return
    if name.lower() in words[sentence.first : sentence.last] and (_CONCLUDING | _PAUSES).isdisjoint(behind):
        yield at_end
        return
    if block.kind != "heading":
        leading = f"according to {name}"
        yield from ((leading, edit) for edit in _in_front(article, sentence, finding, f"{leading}{mark},"))
    yield at_end


def _turn(words: Sequence[str], found: int, last: int) -> int:
    """The token between two others at which a thought behind a figure ends: ", so", ";"; 0 if the first is no such."""
    for at in range(found, last - 1):
        if words[at] in _PAUSES or (words[at] == "," and words[at + 1] in _TURNING):
            return at
        if words[at] in _TURNS:
            return 0
    return 0


def _in_front(article: Article, sentence: Sentence, finding: Finding, words: str) -> Iterator[Edit]:
    """The words behind what leads in to a sentence ("On Bedrock, according to AWS, ..."), else at its beginning."""
    tokens = article.tokens
    before = range(sentence.first, tokens.first_from(finding.start))
    comma = next((tokens.ends[at] for at in before if tokens.words[at] == ","), 0)
    leads = tokens.words[sentence.first]
    if comma and (leads in _LEADING or leads.endswith("ing")):
        yield Edit(comma, comma, f" {words}")
        return
    opening = first_word(article, sentence)
    if opening is not None:
        start, first = start_of(article, sentence), tokens.starts[sentence.first]
        lead = f"{capital(words)} {article.words(start, first)}{opening}"
        yield Edit(start, first + len(opening), lead)


def _new_label(article: Article, source: SourceRecord) -> str:
    """A label for a new footnote: the id of its source, with a number if the draft has that label."""
    used = {label.casefold() for label in article.document.footnotes}
    used |= {reference.label.casefold() for reference in article.document.references}
    base = "".join(sign if sign.isalnum() else "-" for sign in source.id)
    names = (f"{base}-{number}" if number > 1 else base for number in range(1, len(used) + 3))
    return next(name for name in names if name.casefold() not in used)
