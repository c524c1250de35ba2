"""Whether a verdict between products of different vendors cites evidence."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from string import ascii_letters

from caveat.article import Article
from caveat.checks.common import finding
from caveat.checks.parties import (
    Party,
    attributed,
    clause_of,
    disclaimed,
    families_of,
    family,
    of_results_body,
    parties,
    stands_by,
    told_below,
)
from caveat.checks.wording.contests import contests
from caveat.figures.figure import ANY_METRIC, Figure
from caveat.finding import Finding
from caveat.language.phrases import Mark
from caveat.reading.sentences import Sentence
from caveat.rulebook.rules import Rule

# So many verdicts of a sentence are looked at, and so many cells of a row.
_MOST = 12
_MOST_CELLS = 60
# How far from a verdict its two sides may stand, in words, and how long "leaves the H100 behind" may be.
_SIDE_REACH = 25
_OBJECT_REACH = 12
_AROUND_REACH = 6
_PAIR = 2
# So many sentences of a paragraph may tell what its names are of.
_NEAR = 20
_STOPS = frozenset((";", ":", ".", "!", "?"))
_CLAUSES = _STOPS | {"while", "whereas", "but"}
_OBJECT_ENDS = _STOPS | {",", "and", "but"}
_GLUE = ("-", "/", "_")
_AGAINST = frozenset(("against", "versus", "vs", "beside"))
# "Computing power" is no power that a data sheet gives.
_COMPUTING = frozenset(("computing", "processing", "compute"))
# "Memory-bound decode" is no memory.
_BOUND = frozenset(("bound", "limited", "hungry", "heavy", "intensive", "starved"))
_RESPECT = frozenset(("on", "in", "for"))
_PRONOUNS = frozenset(("it", "they", "this", "that", "which", "both"))
# Behind one of these a verb is no statement: "to beat the H100".
_INFINITIVE = frozenset(("to", "of", "by", "at", "for", "from", "without", "let"))
_OURS = frozenset(("our", "my"))
_WRITERS = frozenset(("our", "my", "us", "me"))
# What of a product its verdict may be on: "the performance of", "training on"; and small words beside its name.
_ITS_OWN = ("product-class", "product-quality", "accelerator-word", "scope", "metric")
_ARTICLES = frozenset(("the", "a", "an", "its", "new", "'s"))
_OF = frozenset(("of", "about", "on", "for", "to", "from", "in", "behind"))
_CIRCUMSTANCE = frozenset(("with", "on", "in", "at", "under", "for", "when", "without"))
_ADVERBS = frozenset(("now", "still", "also", "itself", "alone", "too", "never", "always", "simply", "here", "today"))
# The letters of a family of names.
_LETTERS = ascii_letters
# What may stand before "we measured" that makes it a clause of its own.
_LEADING = frozenset(("and", "but", "so", "when", "as", "where", "while", "after", "then", "once", "because", "since"))
# Words that make a sentence a report.
_TELLING = frozenset(("reporting-verb", "according", "own-account", "makers-own", "figure-noun", "document-noun"))
# The lexicons without a word of which a sentence, but for a cell, has no verdict.
_TRIGGERS = ("verdict", "bare-verdict", "better-word", "falls-short")

Span = tuple[int, int]


def verdict_supported(article: Article, rule: Rule) -> Iterator[Finding]:
    """Verdicts of the writer's own between products of different vendors, with no evidence cited beside them.

    Option: `facts`, metrics that data sheets give, so that a verdict on them is one about registered figures.
    """
    reader = _Verdicts(article, frozenset(rule.options["facts"]))
    tokens = article.tokens
    for sentence in article.sentences:
        span = reader.of(sentence)
        if span is not None and not _supported(article, sentence, span[0]):
            start, end = tokens.starts[span[0]], tokens.ends[span[1] - 1]
            yield finding(rule, start, end, words=article.told(start, end))


def _supported(article: Article, sentence: Sentence, first: int) -> bool:
    """Whether a sentence names or cites who says a verdict or who measured it, or doubts it.

    What a vendor's sheet lists in an earlier clause is no evidence of it, nor is a link to a vendor.
    """
    clause = clause_of(article.tokens.words, sentence, first)
    if of_results_body(article, sentence) or article.stances.disowns(sentence):
        return True
    own = not _own_aside(article, sentence)
    if not _is_told_below(article, sentence):
        return False
    if attributed(article, sentence, own=own, clause=clause.start) and not _links_vendors_alone(article, sentence):
        return True
    return article.sourcing.in_own_report(sentence) or disclaimed(article, sentence)


def _is_told_below(article: Article, sentence: Sentence) -> bool:
    """Whether what stands below a heading can be what its verdict rests on: no maker's figure of one side alone."""
    below = told_below(article, sentence)
    sourced = [s for s in below or () if article.sourcing.own(s).sourced]
    if not sourced:
        return True
    return any(s.has_any(_TRIGGERS) or not s.figures or article.sourcing.own(s).own for s in sourced)


def _own_aside(article: Article, sentence: Sentence) -> bool:
    """As in "on every model we serve": the writer's own work is told in a relative clause, and is no test."""
    words = article.tokens.words
    marks = sentence.of_kind("own")
    told = [m for m in marks if words[m.first] not in ("we", "i") or not words[m.first - 1].isalpha()]
    led = [m for m in marks if m.first == sentence.first or words[m.first - 1] in _LEADING]
    return bool(marks) and not told and not led and _OURS.isdisjoint(words[sentence.first : sentence.last])


def _links_vendors_alone(article: Article, sentence: Sentence) -> bool:
    """Whether all that stands behind a sentence is links to pages of vendors: no independent evidence.

    "AMD says", with a link or without, is a report.
    """
    own, *lent = article.sourcing.of(sentence)
    links = sentence.references
    if own.own or any(e.sourced for e in lent) or not links or sentence.has("told-by"):
        return False
    if any(m.kind in _TELLING and not any(r.start <= m.start < r.end for r in links) for m in sentence.marks):
        return False
    return all(r.kind in ("link", "url") and _is_vendors(article, r.label) for r in links)


def _is_vendors(article: Article, address: str) -> bool:
    """Whether an address is on a vendor's site, as its host tells: "www.amd.com"."""
    host = address.partition("://")[2].partition("/")[0].lower()
    labels = host.split(".")[:-1]
    return any(
        name in labels for vendor in article.registry.vendors.values() for name in (vendor.id, vendor.name.lower())
    )


class _Verdicts:
    """Finds the verdicts across vendors in one draft, each as a range of tokens."""

    def __init__(self, article: Article, facts: frozenset[str]) -> None:
        self.article = article
        self.facts = facts
        self.words = article.tokens.words

    def of(self, sentence: Sentence) -> Span | None:
        """The first verdict that a sentence or a cell gives in its own voice."""
        if self.article.document.blocks[sentence.block].table >= 0:
            cell = self._in_cell(sentence)
            if cell is not None:
                return cell
        if not sentence.has_any(_TRIGGERS) or sentence.has("business"):
            return None
        marks = sentence.of_kind("verdict")[:_MOST] + sentence.of_kind("bare-verdict")[:_MOST]
        marks += contests(self.article, sentence)
        spans = (self._verdict(sentence, mark) for mark in marks)
        return next((span for span in spans if span is not None), None)

    def _verdict(self, sentence: Sentence, mark: Mark) -> Span | None:
        """The tokens of a verdict that the sentence asserts, on no ratio, printed figures or specification."""
        last = _around_end(sentence, mark) if mark.value == "around" else mark.last
        if not last or self.words[mark.first - 1] in _INFINITIVE or self._in_name(mark) or self._for_us(sentence, last):
            return None
        if not stands_by(self.article, sentence, mark.first, last) or self._on_fact(sentence, mark, last):
            return None
        figures = self._figures_beside(sentence, mark)
        if mark.value in ("wins", "bare"):
            across = not _on_ratio(figures) and self._wins(sentence, mark)
        else:
            across = not _on_figures(figures) and self._across(sentence, mark)
        return (mark.first, self._with_everything(sentence, last)) if across else None

    def _figures_beside(self, sentence: Sentence, mark: Mark) -> list[Figure]:
        """The figures in the clause of a verdict."""
        clause = clause_of(self.words, sentence, mark.first)
        starts = self.article.tokens.starts
        stop = starts[clause.stop] if clause.stop < sentence.last else sentence.end
        return [figure for figure in sentence.figures if starts[clause.start] <= figure.start < stop]

    def _for_us(self, sentence: Sentence, last: int) -> bool:
        """As in "a better fit than the H100 for our racks": a choice of the writer's own."""
        stop = clause_of(self.words, sentence, last - 1).stop
        return any(self.words[at] == "for" and self.words[at + 1] in _WRITERS for at in range(last, stop - 1))

    def _in_name(self, mark: Mark) -> bool:
        """Whether the words are no verb but an abbreviation (TOPS) or part of an address."""
        around = self.article.words(max(0, mark.start - 1), mark.end + 1)
        if around.startswith(_GLUE) or around.endswith(_GLUE):
            return True
        return mark.last - mark.first == 1 and self.article.words(mark.start, mark.end).isupper()

    def _with_everything(self, sentence: Sentence, last: int) -> int:
        """Where "better than anything AMD ships" ends: behind the vendor's verb."""
        everything = next((m for m in sentence.of_kind("everything-else") if m.first == last), None)
        if everything is None:
            return last
        vendors = [v for v in sentence.of_kind("vendor") if 0 <= v.first - everything.last <= _PAIR]
        ends = [v.last + self.words[v.last].isalpha() for v in vendors if v.last < sentence.last]
        return ends[0] if ends else last

    def _on_fact(self, sentence: Sentence, mark: Mark, last: int) -> bool:
        """As in "beats the H100 on memory", "memory that is faster than the H100's": what data sheets settle."""
        words = self.words
        for metric in sentence.of_kind("metric"):
            before, behind = words[metric.first - 1], words[metric.last] if metric.last < sentence.last else "."
            if metric.first >= last:
                settled = before in _RESPECT or (before == "'s" and metric.first - last <= _OBJECT_REACH)
            else:
                led = before in _RESPECT and behind in (",", "alone")
                settled = led or mark.first - metric.last <= _PAIR or (metric.first == sentence.first and behind == ":")
            if settled and metric.value in self.facts and before not in _COMPUTING and behind not in _BOUND:
                return True
        return False

    def _across(self, sentence: Sentence, mark: Mark) -> bool:
        """Whether the two sides of a verdict are of different vendors."""
        here = parties(self.article, sentence)
        left = [p for p in here if p.last <= mark.first and self._is_left(sentence, mark, p)]
        if mark.value == "outmatched":
            left = [p for p in here if mark.first < p.first < mark.last]
        left = left or self._earlier(here, sentence, mark) or self._carried(sentence, mark)
        right = [p for p in here if p.first >= mark.last and self._is_right(mark, p)]
        right = right or self._every(sentence, mark)
        if left and not right and self.words[mark.last : mark.last + 1] in (["it"], ["them"]):
            right = self._meant(sentence, here, left[-1])
        return bool(left and right) and self._differ(sentence, left[-1], right[0])

    def _is_left(self, sentence: Sentence, mark: Mark, party: Party) -> bool:
        """Whether a name before a verdict may be what wins or loses; the first word of a sentence only beside it."""
        gap = mark.first - party.last
        if gap > _SIDE_REACH or any(w in _CLAUSES for w in self.words[party.last : mark.first - 1]):
            return False
        if not self._heads(sentence, mark, party):
            return False
        named = bool(party.vendor) or party.product or self.words[party.last] == "'s"
        return named or party.first > sentence.first or gap <= 1

    def _heads(self, sentence: Sentence, mark: Mark, party: Party) -> bool:
        """Whether a name is what its phrase is of: not in "the MI300X guide is", "delivery of the MI300X was".

        "The performance of the MI300X" and "training on it" are the product's.
        """
        words, at = self.words, party.first - 1
        while at > sentence.first and words[at] in _ARTICLES:
            at -= 1
        while at - 2 > sentence.first and words[at] in _OF and words[at - 2] in _OF:
            at -= 2  # "support for FP8 on the MI300X"
        if at > sentence.first and words[at] in _OF and words[at - 1][:1].isalpha():
            return any(m.last == at for kind in _ITS_OWN for m in sentence.of_kind(kind))
        return party.last + 1 > mark.first or not self._is_modifier(sentence, party)

    def _is_modifier(self, sentence: Sentence, party: Party) -> bool:
        """As in "the MI300X guide is": a noun of something else between a name and its verb."""
        word = self.words[party.last]
        verbs = {m.first for m in sentence.of_kind("says-of") if m.value == "is"}
        if party.last + 1 not in verbs or party.last in verbs or not word.isalpha():
            return False
        its_own = any(m.first == party.last for kind in _ITS_OWN for m in sentence.of_kind(kind))
        return not its_own and word not in _ADVERBS and not word.endswith("ly")

    def _is_right(self, mark: Mark, party: Party) -> bool:
        """Whether a name behind a verdict is what it is over: no clause ends between them."""
        between = self.words[mark.last : party.first]
        if between[:1] and between[0] in _CIRCUMSTANCE and not party.vendor:
            return False  # "runs faster than with TGI"
        return len(between) <= _OBJECT_REACH and _OBJECT_ENDS.isdisjoint(between)

    def _meant(self, sentence: Sentence, here: list[Party], left: Party) -> list[Party]:
        """What "it" stands for in "the H100 beats it": the last product before of another vendor."""
        before = [p for p in here if p.last <= left.first]
        if not before and sentence.place > 0:
            before = parties(self.article, self.article.sentences[sentence.index - 1])
        return [p for p in before if self._vendor(p) and self._differ(sentence, p, left)][-1:]

    def _earlier(self, here: list[Party], sentence: Sentence, mark: Mark) -> list[Party]:
        """What "it" stands for in "The B200 costs more; it still beats ...": the product of an earlier clause."""
        near = self.words[max(sentence.first, mark.first - _PAIR) : mark.first]
        return [p for p in here if p.last < mark.first and p.product][:1] if "it" in near or "they" in near else []

    def _carried(self, sentence: Sentence, mark: Mark) -> list[Party]:
        """The product of the labels, the sentence before or the heading, for "it beats ..." and "Beats ..."."""
        labels = [p for p in parties(self.article, sentence) if p.last < mark.first and self.words[p.last] == ":"]
        if labels:
            return labels[:1]
        before = [w for w in self.words[sentence.first : mark.first] if w.isalpha()]
        if before and _PRONOUNS.isdisjoint(before) and not sentence.has("product-class"):
            return []
        near = [*self.article.labels(sentence), *self._beside_cell(sentence)]
        if sentence.place > 0:
            near.append(self.article.sentences[sentence.index - 1])
        found = [p for s in near or self._heading(sentence) for p in parties(self.article, s)]
        hardware = {m.first for s in near for m in s.of_kind("accelerator-word")}
        served = {s.first for s in near if s.has("workload-word")}  # "Cerebras runs an inference service"
        return [
            p
            for p in found
            if p.known
            or p.product
            or not hardware.isdisjoint(range(p.last, p.last + _AROUND_REACH))
            or (p.first in served and self._is_plain(p))
        ][:1]

    def _beside_cell(self, sentence: Sentence) -> list[Sentence]:
        """The other cells of a cell's row: "MI325X | beats the H200 on long prompts"."""
        block = self.article.document.blocks[sentence.block]
        return [s for s in self._row(block.table, block.row) if s is not sentence] if block.table >= 0 else []

    def _heading(self, sentence: Sentence) -> list[Sentence]:
        """The heading above a sentence."""
        heading = self.article.subjects.heading_of(sentence.block)
        return self.article.subjects.of_block(heading) if heading >= 0 else []

    def _wins(self, sentence: Sentence, mark: Mark) -> bool:
        """Whether one of two vendors' products is said to win: both here, or the rival right before or above."""
        here = parties(self.article, sentence)
        left = [p for p in here if p.last <= mark.first and self._vendor(p)]
        if not left or mark.first - left[-1].last > _AROUND_REACH:
            return False
        near = self._heading(sentence) if mark.value == "wins" else []
        if mark.value == "bare" and not self._set_against(sentence, mark):
            return False
        if sentence.place > 0 and mark.value == "wins":
            near = [*near, self.article.sentences[sentence.index - 1]]
        winner = left[-1]
        rivals = here + [p for s in near for p in parties(self.article, s)]
        rivals = [p for p in rivals if p.product or not winner.product or self._beside(p)]
        return len({self._vendor(p) for p in (winner, *rivals)} - {""}) >= _PAIR

    def _beside(self, party: Party) -> bool:
        """As in "next to NVIDIA's cards", "against AMD": a vendor that stands for what it makes."""
        behind = self.words[party.last : party.last + 1]
        return party.known and (behind == ["'s"] or self.words[party.first - 1] in _AGAINST)

    def _set_against(self, sentence: Sentence, mark: Mark) -> bool:
        """As in "Compared with the H100, the MI300X is faster.": the comparison is said, and the clause ends."""
        ends = mark.last >= sentence.last or not self.words[mark.last].isalpha()
        return ends and any(
            m.last - m.first > 1 or self.words[m.first] in _AGAINST for m in sentence.of_kind("comparand-word")
        )

    def _every(self, sentence: Sentence, mark: Mark) -> list[Party]:
        """As in "every GPU", "any GPU on the market": a whole kind of products, as one that nobody makes alone."""
        if self.words[mark.last : mark.last + 1] not in (["every"], ["any"], ["all"], ["most"]):
            return []
        kinds = [m for m in sentence.of_kind("product-class") if m.first == mark.last + 1 and m.value == "class"]
        return [Party(m.first, m.last, "", known=False, product=True) for m in kinds]

    def _differ(self, sentence: Sentence, one: Party, other: Party) -> bool:
        """Whether two parties are plainly of different vendors: one of them known, or both strangers to each other."""
        vendors = {self._vendor(one), self._vendor(other)}
        return len(vendors) == _PAIR or (vendors == {""} and self._strangers(sentence, one, other))

    def _strangers(self, sentence: Sentence, one: Party, other: Party) -> bool:
        """Whether two unknown names are of hardware and have no word or shape in common ("Maia 200" and "Maia 100")."""
        first, second = self._shapes(one), self._shapes(other)
        if not first or not second or not first.isdisjoint(second) or self._of_software(sentence):
            return False
        if self._owned(one) and self._owned(other) and any(p.product for p in parties(self.article, sentence)):
            return True  # "Microsoft's Maia 200" and "Meta's MTIA"
        near = [*self.article.subjects.of_block(sentence.block)[:_NEAR], *self._heading(sentence)]
        before = self.article.sentences[max(0, sentence.index - min(1, sentence.place))]
        served = sentence.has("workload-word") or before.has("workload-word")
        if served and self._is_plain(one) and self._is_plain(other):
            return True  # "Cerebras leaves Groq behind on long contexts"
        return any(s.has("accelerator-word") for s in near)

    def _is_plain(self, party: Party) -> bool:
        """Whether a name is one of a company, as it looks: "Groq", "SambaNova"; not "vLLM", "TensorRT", "GPT"."""
        starts, ends = self.article.tokens.starts, self.article.tokens.ends
        name = self.article.words(starts[party.first], ends[party.last - 1])
        shouted = any(one.isupper() and not other.islower() for one, other in pairwise(name))
        return name[:1].isupper() and name[-1:].islower() and not shouted

    def _owned(self, party: Party) -> bool:
        """Whether a name has another one's "'s" before it, or is that other one."""
        return self.words[party.first - 1] == "'s" or self.words[party.last : party.last + 1] == ["'s"]

    def _of_software(self, sentence: Sentence) -> bool:
        """Whether a sentence speaks of programs or language models, or of a vendor whose they may both be."""
        known = any(p.vendor for p in parties(self.article, sentence))
        return known or sentence.has("software-word") or sentence.has("model-family")

    def _shapes(self, party: Party) -> set[str]:
        """The words of a name, each by its family; a kind of product is no name."""
        starts, ends = self.article.tokens.starts, self.article.tokens.ends
        names = (self.article.words(starts[at], ends[at]) for at in range(party.first, party.last))
        return {family(name) for name in names if name[:1].isupper()}

    def _vendor(self, party: Party) -> str:
        """The vendor of a party; of an unknown one, the one whose products have names like it (L40S, V100, H100)."""
        if party.vendor:
            return party.vendor
        starts, ends = self.article.tokens.starts, self.article.tokens.ends
        names = (self.article.words(starts[at], ends[at]) for at in range(max(0, party.first - 1), party.last))
        shapes = [shape for name in names for shape in (family(name), family(name).rstrip(_LETTERS))]
        return next((vendor for shape in shapes if (vendor := families_of(self.article).get(shape))), "")

    def _in_cell(self, sentence: Sentence) -> Span | None:
        """A cell that names the winner of a row or is one: "wins" under a product, a product under "Winner"."""
        block = self.article.document.blocks[sentence.block]
        whole = (sentence.first, self._words_end(sentence))
        said = next((m for m in sentence.of_kind("verdict-cell") if (m.first, m.last) == whole), None)
        named = any((p.first, p.last) == whole for p in parties(self.article, sentence))
        if block.row == 0 or block.column == 0 or not (said or named) or self.article.stances.silences(sentence):
            return None
        row = self._row(block.table, block.row)
        if not self._vendors_meet(self._row(block.table, 0) + row) or sum(len(s.figures) for s in row) >= _PAIR:
            return None
        if said is not None:
            return whole if said.value == "winner" or not any(_is_winner(s) for s in row) else None
        labelled = any(m.first == s.first for s in self.article.labels(sentence) for m in s.of_kind("verdict-label"))
        return whole if labelled else None

    def _words_end(self, sentence: Sentence) -> int:
        """The end of a cell's words, without signs behind them."""
        last = sentence.last
        while last > sentence.first and not self.words[last - 1].isalnum():
            last -= 1
        return last

    def _row(self, table: int, row: int) -> list[Sentence]:
        """The texts of a row's cells."""
        cells = self.article.document.tables[table].rows[row][:_MOST_CELLS]
        return [s for cell in cells if cell >= 0 for s in self.article.subjects.of_block(cell)]

    def _vendors_meet(self, cells: list[Sentence]) -> bool:
        """Whether cells name products of different vendors; a product of no known one is a stranger's."""
        here = [p for s in cells for p in parties(self.article, s)]
        return len({self._vendor(p) for p in here if p.product or self._vendor(p)}) >= _PAIR


def _around_end(sentence: Sentence, mark: Mark) -> int:
    """Where "leaves the H100 behind" ends; 0 if it does not."""
    ends = [m for m in sentence.of_kind("verdict-end") if 0 < m.first - mark.last <= _AROUND_REACH]
    return ends[0].last if ends else 0


def _on_figures(figures: list[Figure]) -> bool:
    """Whether a clause prints figures that its comparative sets side by side, or a ratio that other rules judge."""
    dimensions = [figure.dimension for figure in figures]
    return _on_ratio(figures) or len(set(dimensions)) < len(dimensions)


def _on_ratio(figures: list[Figure]) -> bool:
    """Whether a clause prints a ratio or a percentage."""
    return any(figure.kind in ANY_METRIC for figure in figures)


def _is_winner(cell: Sentence) -> bool:
    """Whether a cell begins with the word for a winner."""
    return any(mark.value == "winner" and mark.first == cell.first for mark in cell.of_kind("verdict-cell"))
