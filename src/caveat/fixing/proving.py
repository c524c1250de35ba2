"""Fixes are proven: the draft is checked with them, and must lack their findings and have no other.

Several are proven together, one a paragraph, so that a draft is checked a few times and not once for each of them; one
a sentence, if all of them are to be made. What is found fault with is left out, and the rest tried again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from caveat.article import Article
from caveat.engine import Checked
from caveat.finding import Edit, Finding, Fix, apply_edits
from caveat.fixing.edits import moved, touch
from caveat.fixing.offers import Offers
from caveat.markdown.document import Document
from caveat.rulebook.rules import Rule

# So many times a draft is checked at most to tell which fixes hold; a finding beyond them gets none.
MOST_CHECKS = 16

Recheck = Callable[[str], Checked]


class Proof(NamedTuple):
    """Fixes that hold together, by the place of their findings in the list of findings, and the draft with them.

    `origin` gives for each finding that is left the number of the one that it was.
    """

    fixes: dict[int, Fix]
    edits: tuple[Edit, ...]
    text: str
    checked: Checked
    origin: list[int]


class Prover:
    """Tries the fixes of the findings in one draft.

    `recheck` checks another text in the place of the draft's. `allowed` says which fixes are of use. Findings with a
    number in `kept` keep their fingerprint, and the lines of those in `closed` are left as they are. `by_sentence` lets
    several fixes of a paragraph be proven together, which says less of each of them.
    """

    def __init__(
        self,
        checked: Checked,
        rules: list[Rule],
        recheck: Recheck,
        allowed: Callable[[Fix], bool] = lambda _: True,
        kept: Collection[int] = (),
        closed: Collection[int] = (),
        *,
        by_sentence: bool = False,
    ) -> None:
        self.checked = checked
        self._recheck = recheck
        self._allowed = allowed
        self._kept = kept
        self._by_sentence = by_sentence
        self._closed = [self._lines(checked.findings[number]) for number in closed]
        self._offers = Offers(checked, rules)
        self._checks = 0

    def proofs(self, numbers: Sequence[int]) -> Iterator[Proof]:
        """Batches of fixes that hold, for the findings with these numbers, until all are tried."""
        findings = self.checked.findings
        waiting = {number: self._offers.of(findings[number]) for number in numbers}
        following = {number: fix for number, fixes in waiting.items() if (fix := self._next(fixes)) is not None}
        while following and self._checks < MOST_CHECKS:
            batch = self._batch(following)
            while batch and self._checks < MOST_CHECKS:
                proof, refuted = self._try(batch)
                if proof is not None:
                    for number in batch:
                        del following[number]
                    yield proof
                    break
                if not refuted and len(batch) > 1:  # nobody knows which: the first half by itself
                    batch = dict(list(batch.items())[: len(batch) // 2])
                    continue
                for number in refuted or batch:
                    other = self._next(waiting[number])
                    if other is None:
                        del following[number]
                    else:
                        following[number] = other
                batch = {number: fix for number, fix in batch.items() if number not in (refuted or batch)}

    def every(self, number: int) -> list[Fix]:
        """All fixes of one finding that hold, each proven by itself, the best first."""
        fixes = [fix for fix in self._offers.of(self.checked.findings[number]) if self._may(fix)]
        held = [fix for fix in fixes[:MOST_CHECKS] if self._try({number: fix})[0] is not None]
        return [fix for at, fix in enumerate(held) if fix.title not in {other.title for other in held[:at]}]

    def _next(self, fixes: Iterator[Fix]) -> Fix | None:
        return next((fix for fix in fixes if self._may(fix)), None)

    def _may(self, fix: Fix) -> bool:
        return self._allowed(fix) and not touch(fix.edits, self._closed)

    def _lines(self, finding: Finding) -> Edit:
        """The lines that a finding is on, as an edit that leaves them as they are."""
        source = self.checked.article.document.source
        starts = source.row_starts()
        first, last = (source.place(offset)[0] for offset in (finding.start, finding.end))
        end = starts[last] - 1 if last < len(starts) else len(source.text)
        return Edit(starts[first - 1], end, source.text[starts[first - 1] : end])

    def _batch(self, following: dict[int, Fix]) -> dict[int, Fix]:
        """As many of the fixes as have no paragraph (or sentence) and no edit in common."""
        batch: dict[int, Fix] = {}
        units: set[tuple[int, int]] = set()
        edits: list[Edit] = []
        for number, fix in following.items():
            unit = self._unit(self.checked.article, self.checked.findings[number])
            if unit not in units and not touch(fix.edits, edits):
                batch[number] = fix
                units.add(unit)
                edits += fix.edits
        return batch

    def _unit(self, article: Article, finding: Finding) -> tuple[int, int]:
        """The place of the paragraph or sentence that a finding is in."""
        if not article.sentences:
            return 0, len(article.document.source.text)
        sentence = article.sentence_at(finding.start)
        unit = sentence if self._by_sentence else article.document.blocks[sentence.block]
        return unit.start, unit.end

    def _try(self, batch: dict[int, Fix]) -> tuple[Proof | None, set[int]]:
        """What comes of a batch: that it holds, or which of its fixes do not, as far as that can be told."""
        self._checks += 1
        before = self.checked
        edits = tuple(sorted(edit for fix in batch.values() for edit in fix.edits))
        text = apply_edits(before.article.document.source.text, edits)
        after = self._recheck(text)
        if text == before.article.document.source.text:
            return None, set(batch)
        if not same_shape(before.article.document, after.article.document):
            return None, set()
        origin, new = pair_up(before.findings, after.findings, edits)
        _, new_below = pair_up(before.suppressed, after.suppressed, edits)
        refuted = {number for number in batch if number in origin}
        refuted |= self._blamed(batch, edits, [*new, *new_below], after)
        if not new:
            new = [
                finding
                for finding, number in zip(after.findings, origin, strict=True)
                if number in self._kept and finding.fingerprint != before.findings[number].fingerprint
            ]
            refuted |= self._blamed(batch, edits, new, after)
        if refuted or new or new_below:
            return None, refuted
        return Proof(batch, edits, text, after, origin), set()

    def _blamed(self, batch: dict[int, Fix], edits: Sequence[Edit], new: Sequence[Finding], after: Checked) -> set[int]:
        """The fixes with an edit in the paragraph or sentence of a finding that was not there before."""
        units = {self._unit(after.article, finding) for finding in new}
        places = [(number, *moved(edit[:2], edits)) for number, fix in batch.items() for edit in fix.edits]
        return {number for number, low, high in places for start, end in units if low <= end and start <= high}


def pair_up(
    before: Sequence[Finding], after: Sequence[Finding], edits: Sequence[Edit]
) -> tuple[list[int], list[Finding]]:
    """For each finding after some edits the number of the one that it was before, and those that are new.

    Both lists are in order of place. A finding was there before if its rule had one on words that overlap.
    """
    places: dict[str, list[tuple[int, int, int]]] = {}
    for number, finding in enumerate(before):
        places.setdefault(finding.rule, []).append((*moved((finding.start, finding.end), edits), number))
    first = dict.fromkeys(places, 0)
    origin, new = [], []
    for finding in after:
        known = places.get(finding.rule, [])
        at = first.get(finding.rule, 0)
        while at < len(known) and known[at][1] < finding.start:
            at += 1
        if at < len(known) and known[at][0] <= finding.end:
            origin.append(known[at][2])
            at += 1
        else:
            new.append(finding)
        first[finding.rule] = at
    return origin, new


def same_shape(before: Document, after: Document) -> bool:
    """Whether edits left all blocks what they were, but for footnotes added at the end."""
    shape, other = _shape(before), _shape(after)
    added = other[len(shape) :]
    return other[: len(shape)] == shape and all(footnote and footnote not in before.footnotes for *_, footnote in added)


def _shape(document: Document) -> list[tuple[str, int, bool, int, int, int, int, str]]:
    return [(b.kind, b.level, b.quoted, b.item, b.table, b.row, b.column, b.footnote) for b in document.blocks]
