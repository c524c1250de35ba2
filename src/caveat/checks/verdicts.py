"""Whether a verdict between products of different vendors cites evidence."""

from __future__ import annotations

from collections.abc import Iterator

from caveat.article import Article
from caveat.checks.common import finding
from caveat.checks.parties import Party, asserted, attributed, families, family, of_results_body, parties
from caveat.finding import Finding
from caveat.language.phrases import Mark
from caveat.reading.sentences import Sentence
from caveat.rulebook.rules import Rule

# So many verdicts of a sentence are looked at.
_MOST = 12
# How far from a verdict its two sides may stand, in words, and how long "leaves the H100 behind" may be.
_SIDE_REACH = 25
_OBJECT_REACH = 12
_AROUND_REACH = 6
_METRIC_REACH = 5
_STOPS = frozenset((";", ":", ".", "!", "?"))
_CLAUSES = frozenset((";", ":", ".", "!", "?", "while", "whereas", "but"))
_ALONE = frozenset(("wins",))
_PRONOUNS = frozenset(("it", "they", "this", "that", "which", "both"))
# A figure that other rules judge.
_RELATIVE = frozenset(("ratio", "percent", "points"))
_INFINITIVE = frozenset(("to", "of", "by", "at", "for", "from", "without", "let"))
_PAIR = 2


def verdict_supported(article: Article, rule: Rule) -> Iterator[Finding]:
    """Verdicts of the writer's own between products of different vendors, with no evidence cited beside them.

    Option: `facts`, metrics that data sheets give, so that a verdict on them is one about registered figures.
    """
    facts = frozenset(rule.options["facts"])
    tokens = article.tokens
    for sentence in article.sentences:
        if article.document.blocks[sentence.block].table >= 0:
            span = _of_cell(article, sentence)
        else:
            span = next((s for m in sentence.of_kind("verdict")[:_MOST] if (s := _verdict(article, sentence, m, facts))), None)
        if span is None or attributed(article, sentence) or of_results_body(article, sentence):
            continue
        if article.sourcing.in_own_report(sentence) or _disowned(article, sentence):
            continue
        start, end = tokens.starts[span[0]], tokens.ends[span[1] - 1]
        yield finding(rule, start, end, words=article.words(start, end))


def _disowned(article: Article, sentence: Sentence) -> bool:
    """Whether a sentence doubts its verdict, or the next one tells of a search for a test: "We have seen none"."""
    if article.stances.disowns(sentence):
        return True
    block = article.subjects.of_block(sentence.block)
    return any(s.has("search") for s in block if 0 <= s.place - sentence.place <= 1)


def _verdict(article: Article, sentence: Sentence, mark: Mark, facts: frozenset[str]) -> tuple[int, int] | None:
    """The tokens of a verdict across vendors that the sentence asserts, on no ratio, figures or specification."""
    last = mark.last
    if mark.value == "around":
        last = _around_end(sentence, mark)
        if not last:
            return None
    words = article.tokens.words
    if not asserted(article, sentence, mark.first, last) or words[mark.first - 1] in _INFINITIVE:
        return None
    if (mark.value != "wins" and _on_figures(sentence)) or _on_fact(article, sentence, mark, last, facts):
        return None
    here = parties(article, sentence)
    if not (_across(article, sentence, mark, here) if mark.value != "wins" else _wins(article, sentence, mark, here)):
        return None
    return mark.first, _with_everything(sentence, last, words)


def _around_end(sentence: Sentence, mark: Mark) -> int:
    """Where "leaves the H100 behind" ends; 0 if it does not."""
    ends = [m for m in sentence.of_kind("verdict-end") if 0 < m.first - mark.last <= _AROUND_REACH]
    return ends[0].last if ends else 0


def _with_everything(sentence: Sentence, last: int, words: list[str]) -> int:
    """Where "better than anything AMD ships" ends: behind the vendor's verb."""
    for mark in sentence.of_kind("everything-else"):
        if mark.first == last:
            vendor = next((v for v in sentence.of_kind("vendor") if 0 <= v.first - mark.last <= _PAIR), None)
            if vendor is not None:
                return min(sentence.last, vendor.last + (words[vendor.last : vendor.last + 1] not in ([","], ["."])))
    return last


def _on_figures(sentence: Sentence) -> bool:
    """Whether a sentence prints figures that its comparative sets side by side, or a ratio that other rules judge."""
    if any(figure.kind in _RELATIVE for figure in sentence.figures):
        return True
    dimensions = [figure.dimension for figure in sentence.figures]
    return len(set(dimensions)) < len(dimensions)


def _on_fact(article: Article, sentence: Sentence, mark: Mark, last: int, facts: frozenset[str]) -> bool:
    """As in "beats the H100 on memory", "memory that is faster than the H100's": what data sheets settle."""
    words = article.tokens.words
    for metric in sentence.of_kind("metric"):
        if metric.value not in facts:
            continue
        if metric.last <= mark.first and mark.first - metric.last <= _PAIR:
            return True
        if metric.first >= last and words[metric.first - 1] in ("on", "in", "for"):
            return True
        if metric.first >= last and metric.first - last <= _OBJECT_REACH and words[metric.first - 1] == "'s":
            return True
        if metric.last <= mark.first and words[metric.first - 1] in ("on", "in") and words[metric.last] in (",", "alone"):
            return True
        if metric.first == sentence.first and words[metric.last] == ":":
            return True
    return False


def _across(article: Article, sentence: Sentence, mark: Mark, here: list[Party]) -> bool:
    """Whether the two sides of a verdict are of different vendors."""
    words = article.tokens.words
    left = [p for p in here if p.last <= mark.first and mark.first - p.last <= _SIDE_REACH]
    left = [p for p in left if not any(w in _CLAUSES for w in words[p.last : mark.first - 1])]
    right = [p for p in here if p.first >= mark.last and p.first - mark.last <= _OBJECT_REACH]
    right = [p for p in right if not any(w in _STOPS or w in (",", "and", "but") for w in words[mark.last : p.first])]
    left = [p for p in left if p.vendor or p.product or p.first > sentence.first or mark.first - p.last <= 1]
    left = left or _carried(article, sentence, mark)
    if not right and words[mark.last : mark.last + 1] in (["it"], ["them"]):
        right = _meant(article, sentence, here, left)
    return bool(left and right) and _differ(article, left[-1], right[0])


def _meant(article: Article, sentence: Sentence, here: list[Party], left: list[Party]) -> list[Party]:
    """What "it" stands for in "the H100 beats it": the last product before of another vendor."""
    before = [p for p in here if left and p.last <= left[-1].first and p.vendor]
    if not before and sentence.place > 0:
        before = [p for p in parties(article, article.sentences[sentence.index - 1]) if p.vendor]
    return [p for p in before if left and p.vendor != left[-1].vendor][-1:]


def _carried(article: Article, sentence: Sentence, mark: Mark) -> list[Party]:
    """The products of the sentence before, or of the labels, for "it beats the H100" and "Beats the H100"."""
    words = article.tokens.words
    before = [w for w in words[sentence.first : mark.first] if w.isalpha()]
    if before and _PRONOUNS.isdisjoint(before) and not sentence.has("product-class"):
        return []
    found = [p for s in article.labels(sentence) for p in parties(article, s) if p.known or p.product]
    if sentence.place > 0:
        found += [p for p in parties(article, article.sentences[sentence.index - 1]) if p.known or p.product][:1]
    elif not found:
        heading = article.subjects.heading_of(sentence.block)
        found = [p for s in article.subjects.of_block(heading) for p in parties(article, s)] if heading >= 0 else []
    return found[:1]


def _differ(article: Article, one: Party, other: Party) -> bool:
    """Whether two parties are plainly of different vendors, and one of them is known or of a known family."""
    vendors = [p.vendor or _family_of(article, p) for p in (one, other)]
    if not any(vendors):
        return False
    return vendors[0] != vendors[1]


def _family_of(article: Article, party: Party) -> str:
    """The vendor whose products have names like that of an unknown one: a "V100" is no rival of the H100."""
    known = families(article.registry)
    starts, ends = article.tokens.starts, article.tokens.ends
    for at in range(max(0, party.first - 1), party.last):
        word = article.words(starts[at], ends[at])
        vendor = known.get(family(word) if any(c.isdigit() for c in word) else word, "")
        if vendor:
            return vendor
    return ""


def _wins(article: Article, sentence: Sentence, mark: Mark, here: list[Party]) -> bool:
    """Whether one of two vendors' products is said to win: both in the sentence, or the rival right before it."""
    left = [p for p in here if p.last <= mark.first and p.vendor]
    if not left or mark.first - left[-1].last > _AROUND_REACH:
        return False
    rivals = {p.vendor for p in here if p.vendor}
    if sentence.place > 0:
        rivals |= {p.vendor for p in parties(article, article.sentences[sentence.index - 1]) if p.vendor}
    heading = article.subjects.heading_of(sentence.block)
    if heading >= 0:
        rivals |= {p.vendor for s in article.subjects.of_block(heading) for p in parties(article, s) if p.vendor}
    return len(rivals | {left[-1].vendor}) >= _PAIR


def _of_cell(article: Article, sentence: Sentence) -> tuple[int, int] | None:
    """A cell that names the winner of a row or is one: "wins" under a product, a product under "Winner"."""
    block = article.document.blocks[sentence.block]
    if block.row == 0 or block.column == 0 or article.stances.silences(sentence):
        return None
    if not _vendors_meet(article, block.table, block.row):
        return None
    whole = (sentence.first, _words_end(article, sentence))
    cells = [m for m in sentence.of_kind("verdict-cell") if (m.first, m.last) == whole]
    if cells and (cells[0].value == "winner" or not _row_has_winner(article, block.table, block.row)):
        return whole
    named = [p for p in parties(article, sentence) if (p.first, p.last) == whole and p.known]
    return whole if named and _labelled_winner(article, sentence) and not _row_figures(article, block.table, block.row) else None


def _words_end(article: Article, sentence: Sentence) -> int:
    """The end of a cell's words, without signs behind them."""
    last = sentence.last
    while last > sentence.first and not article.tokens.words[last - 1].isalnum():
        last -= 1
    return last


def _row(article: Article, table: int, row: int) -> list[Sentence]:
    """The texts of a row's cells."""
    cells = article.document.tables[table].rows[row]
    return [s for cell in cells if cell >= 0 for s in article.subjects.of_block(cell)]


def _vendors_meet(article: Article, table: int, row: int) -> bool:
    """Whether a table's header, or the row with its header, names products of different vendors."""
    cells = _row(article, table, 0) + _row(article, table, row)
    return len({p.vendor for s in cells for p in parties(article, s) if p.vendor}) >= _PAIR


def _row_has_winner(article: Article, table: int, row: int) -> bool:
    return any(m.value == "winner" and m.first == s.first for s in _row(article, table, row) for m in s.of_kind("verdict-cell"))


def _row_figures(article: Article, table: int, row: int) -> bool:
    """Whether a row prints the figures that its verdict is on."""
    return sum(len(s.figures) for s in _row(article, table, row)) >= _PAIR


def _labelled_winner(article: Article, sentence: Sentence) -> bool:
    """Whether a cell's row or column is labelled as one of winners."""
    return any(m.first == s.first for s in article.labels(sentence) for m in s.of_kind("verdict-label"))
