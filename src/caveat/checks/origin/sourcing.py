"""Whether a figure says where it comes from."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise, permutations

from caveat.article import Article
from caveat.binding.bind import Binding
from caveat.binding.ratios import UNKNOWN, recompute
from caveat.binding.registered_arithmetic import RegisteredArithmetic
from caveat.checks.claimless import claims_nothing
from caveat.checks.common import figure_finding
from caveat.checks.ownership.testimonials import Testimonials
from caveat.figures.agreement import gives, same_value, span
from caveat.figures.figure import MODEL_SIZE, Figure
from caveat.figures.quantity import Interval
from caveat.finding import Finding
from caveat.reading.sentences import Sentence
from caveat.reading.statements import Statement
from caveat.rulebook.rules import Rule

# How far before a figure its equals sign may stand, in characters, and "so" or "which gives", in words.
_SIGN_REACH = 12
_SO_REACH = 14
_SUMMING = frozenset(("i.e", "ie", "i.e.", "i", "so", "thus", "hence", "therefore"))
_OUTPUT = frozenset(("that", "this", "so", "here", "as", "which"))
# So much of what stands between two paragraphs is looked at for a formula, in characters.
_FORMULA = 2000
_STANDING_IN = frozenset(("that", "this", "it", "them", "these", "those"))
# What only a specification counts.
_PARTS = frozenset(("core", "transistor", "stack"))
# How many words may stand between "runs" and what is run: "more than 250,000 GPUs over".
_HELD_REACH = 8
_ARROWS = ("→", "=>")
_COMPARED = frozenset(("ratio", "percent", "points", "count"))
_TABLED = frozenset(("measure", "price", "ratio", "percent"))
# So many figures of a sentence, and of the one before, are looked at for a value said before.
_EARLIER = 12


def unsourced_figure(article: Article, rule: Rule) -> Iterator[Finding]:
    """Figures with no source by GUIDE's list.

    Options: `kinds` of figures that need a source; `least_count`, below which a bare count is a narrative one, and
    `least_own_count`, below which it is one even of a named product.
    """
    kinds = frozenset(rule.options["kinds"])
    computed, testimonials = _Computed(article), Testimonials(article)
    for binding in article.bindings:
        figure, sentence = binding.statement.figure, binding.statement.sentence
        if figure.kind not in kinds or binding.registered or _is_small_count(article, binding, rule):
            continue
        if article.stances.disowns(sentence) or article.stances.rejects(sentence, figure):
            continue
        reported = article.sourcing.in_own_report(sentence) and not article.sourcing.tells_of_another(sentence)
        if article.sourcing.sourced(sentence) or reported:
            continue
        if claims_nothing(article, binding) or computed.shows(binding.statement):
            continue
        if testimonials.told_by(binding) is not None:
            continue  # a testimonial, which is the graver fault
        yield figure_finding(article, rule, figure)


def _is_small_count(article: Article, binding: Binding, rule: Rule) -> bool:
    """Whether a count is one of those that a story tells: a small one, or of nothing named."""
    figure, statement = binding.statement.figure, binding.statement
    if figure.kind != "count":
        return False
    mention = statement.subject.mention
    named = (
        mention is not None
        and statement.sentence.start <= mention.start < figure.start
        and statement.subject.hold == "strong"
        and not any(figure.start <= m.start < figure.end for m in article.subjects.mentions(statement.sentence))
    )
    named = named or figure.noun in _PARTS or _is_an_organisations(article, binding)
    return figure.quantity.high < Decimal(rule.options["least_own_count" if named else "least_count"])


def _is_an_organisations(article: Article, binding: Binding) -> bool:
    """As in "CoreWeave runs 32 sites": what a named organisation, right before a verb of having, has."""
    sentence, figure = binding.statement.sentence, binding.statement.figure
    at = article.tokens.first_from(figure.start)
    words, marks = article.tokens.words, sentence.of_kind("holding-verb")
    near = (mark for mark in marks if 0 <= at - mark.last <= _HELD_REACH)
    verbs = {mark.first for mark in near if not words[mark.last].endswith("ed")}
    return any(name.last in verbs for name in article.sourcing.own(sentence).organisations) if verbs else False


class _Computed:
    """Which figures of a draft the text itself computes, and shows or says so."""

    def __init__(self, article: Article) -> None:
        self.article = article
        self.workings = article.workings()
        self.registered = RegisteredArithmetic(article.subjects, article.document.prose)
        self.ratios = _worked_out(article)
        blocks = article.document.blocks
        self.supposed = {
            (article.subjects.heading_of(s.block), f.dimension, f.base()[0])
            for s in article.sentences
            if s.figures and "supposed" in article.stances.of(s)
            for f in s.figures
        }
        self.in_tables = {
            (f.dimension, f.base()[0]) for s in article.sentences if blocks[s.block].table >= 0 for f in s.figures
        }
        self.held = {
            (b.statement.figure.dimension, b.statement.figure.base()[0])
            for b in article.bindings
            if b.registered and b.statement.figure.kind == "measure"
        }
        self.tabled = {
            (f.dimension, f.base()[0])
            for s in article.sentences
            if blocks[s.block].table >= 0 and s.figures
            if article.sourcing.sourced(s) or article.sourcing.in_own_report(s)
            for f in s.figures
        }
        self.tabled_in_order: dict[str, list[Decimal]] = {}
        for dimension, value in sorted(self.tabled):
            self.tabled_in_order.setdefault(dimension, []).append(value)
        self.anchors: dict[str, int] | None = None
        self.shares: dict[int, set[Decimal]] = {}
        self.sections: dict[str, dict[tuple[str, Decimal], set[int]]] = {}
        self.repeats = {w for w in (article.words(*place) for place in self.ratios) if sum(c.isdigit() for c in w) > 1}

    def shows(self, statement: Statement) -> bool:
        """Whether the text shows how a figure comes out of others, says that it is computed, or has just given it."""
        figure, sentence = statement.figure, statement.sentence
        if self.article.is_result(statement) or (figure.start, figure.end) in self.ratios:
            return True
        if figure.kind == "ratio" and self.article.words(figure.start, figure.end) in self.repeats:
            return True
        return (
            self._follows_sign(figure, sentence)
            or self._leads_to_result(statement)
            or self._held(statement)
            or self._tabled(statement)
            or (figure.kind in _COMPARED and self.article.sourcing.points_at_own(sentence))
            or (figure.kind in _COMPARED and self.article.sourcing.of_own_chart(sentence))
            or self._said_in_section(figure, sentence)
            or self._of_model_sizes(figure, sentence)
            or self._of_table_above(figure, sentence)
            or self._supposed(figure, sentence)
            or self._is_output(figure, sentence)
            or self._leads_to_code(sentence)
            or (figure.kind in _COMPARED and self._sums_up(figure, sentence))
            or self._is_conversion(statement)
            or self._mathematical(figure, sentence)
            or self._points_to_table(figure, sentence)
            or self._worked(figure, sentence)
            or self._concludes(figure, sentence)
            or self._said_before(statement)
            or self._said_to_be(figure, sentence)
            or self.registered.gives(statement)
        )

    def _held(self, statement: Statement) -> bool:
        """As in "(20 × 20.7 TB)" further down: a value that the draft gives elsewhere for a product of the registry."""
        figure, mentions = statement.figure, self.article.subjects.mentions(statement.sentence)
        if figure.kind != "measure" or any(not mention.product for mention in mentions):
            return False
        return (figure.dimension, figure.base()[0]) in self.held

    def _tabled(self, statement: Statement) -> bool:
        """As in "in just 9 hours, for under $300": a value of a sourced table of the draft."""
        figure, block = statement.figure, self.article.document.blocks[statement.sentence.block]
        if block.table >= 0 or figure.kind not in _TABLED:
            return False
        if (figure.dimension, figure.base()[0]) in self.tabled:
            return True
        room, values = self._room(statement), self.tabled_in_order.get(figure.dimension, [])
        at = bisect_left(values, room.low) if room is not None else len(values)
        return room is not None and at < len(values) and values[at] <= room.high

    def _room(self, statement: Statement) -> Interval | None:
        """What a qualified figure may stand for; in "under $300 and $600, respectively" the second one as well."""
        figure, words = statement.figure, self.article.tokens.words
        if figure.qualifier:
            return span(figure)
        first, last = statement.sentence.first, self.article.tokens.first_from(figure.start)
        if words[last - 1] != "and" or "respectively" not in words[last : statement.sentence.last]:
            return None
        start = self.article.tokens.starts[max(first, last - 2)]
        before = next((f for f in statement.sentence.figures if f.start <= start < f.end and f.qualifier), None)
        if before is None or before.dimension != figure.dimension or not before.base()[0]:
            return None
        room, scale = span(before), figure.base()[0] / before.base()[0]
        return Interval(room.low * scale, room.high * scale)

    def _supposed(self, figure: Figure, sentence: Sentence) -> bool:
        """Whether the section supposed the same value above: "Let's say you have a 200 Gbps link"."""
        section = self.article.subjects.heading_of(sentence.block)
        return (section, figure.dimension, figure.base()[0]) in self.supposed

    def _leads_to_code(self, sentence: Sentence) -> bool:
        """As in "Here is the package, 1.67 GiB in 13,019 files, copied to both drives:", with the commands below."""
        words, last = self.article.tokens.words, sentence.last
        ends = last > sentence.first and words[last - 1] == ":"
        return ends and self.article.sourcing.above_code(sentence) and not self.article.subjects.mentions(sentence)

    def _sums_up(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "i.e. 2 GPUs were 6.5x slower than 8", right under a list or table of the figures that give it."""
        blocks, words = self.article.document.blocks, self.article.tokens.words
        if sentence.place or sentence.block == 0 or words[sentence.first] not in _SUMMING:
            return False
        above = blocks[sentence.block - 1]
        if not ((above.item >= 0 and blocks[sentence.block].item < 0) or above.table >= 0):
            return False
        told = [s for b in self._listed(sentence.block - 1) for s in self.article.subjects.of_block(b) if s.figures]
        figures = [f for s in told for f in s.figures][:_EARLIER]
        if any(self.article.sourcing.sourced(s) for s in told[-1:]) or any(_equal(figure, other) for other in figures):
            return True
        return any(gives(one, other, figure) for one, other in permutations(figures, 2))

    def _listed(self, block: int) -> range:
        """The blocks of a list's items from so many before one on, which is the last of them."""
        first, blocks = block, self.article.document.blocks
        while first > max(0, block - _EARLIER) and blocks[first - 1].item >= 0:
            first -= 1
        return range(first, block + 1)

    def _is_conversion(self, statement: Statement) -> bool:
        """As in "400 Gbps is 50 GB/s", "1 Gbps = 1/8 GB/s": one amount in two units, and a claim of nothing."""
        here = self.article.statements_of(statement.sentence)[:_EARLIER]
        words, first_from = self.article.tokens.words, self.article.tokens.first_from
        for one, other in pairwise(here):
            if statement in (one, other) and one.figure.unit != other.figure.unit and one.figure.kind == "measure":
                between = words[first_from(one.figure.end) : first_from(other.figure.start)]
                if between in (["is"], ["="], ["are"], ["equals"]) and same_value(one.figure, other.figure):
                    return True
        return self._is_factor(statement)

    def _is_factor(self, statement: Statement) -> bool:
        """As in "1.25 is 25% for activations": what a factor says, in a list of what goes into a formula."""
        figure, words = statement.figure, self.article.tokens.words
        at = self.article.tokens.first_from(figure.start)
        if figure.kind != "percent" or words[at - 1] not in ("is", "="):
            return False
        end = self.article.tokens.ends[at - 2]
        factor = next((n.quantity for n in statement.sentence.numbers if n.end == end and n.reading == "number"), None)
        share = figure.base()[0]
        return factor is not None and factor.low in (share, 1 + share, 1 - share)

    def _is_output(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "That is 77x slower", right under code: what its output says; also the times of a table led up to."""
        table = self.article.document.blocks[sentence.block].table
        if table >= 0:
            before = self.article.document.tables[table].before
            return figure.dimension == "time" and self._leads_from_code(before, sentence)
        if sentence.place or sentence.first >= sentence.last or not self.article.sourcing.below_code(sentence):
            return False
        tokens = self.article.tokens
        leads = bool(sentence.figures) and sentence.figures[0].start == tokens.starts[sentence.first]
        return leads or tokens.words[sentence.first] in _OUTPUT

    def _leads_from_code(self, block: int, cell: Sentence) -> bool:
        """Whether a block right under code leads in to a table: of a run, unless the cell is about a known product."""
        lead, subjects = self.article.subjects.of_block(block) if block >= 0 else [], self.article.subjects
        if not lead or self.article.tokens.words[lead[-1].last - 1] != ":":
            return False
        known = any(mention.product for label in self.article.labels(cell) for mention in subjects.mentions(label))
        return not known and self.article.sourcing.below_code(lead[0])

    def _mathematical(self, figure: Figure, sentence: Sentence) -> bool:
        """Whether a ratio in words of no product stands beside mathematics: "half the work" of a derivation.

        Likewise what comes of "if we" in a sentence with mathematics in it.
        """
        if self._in_derivation(sentence):
            return True
        if figure.kind != "ratio" or not figure.in_words or sentence.has("weasel"):
            return False
        if self.article.subjects.mentions(sentence):
            return False
        blocks = self.article.document.blocks
        first, last = max(0, sentence.block - 1), min(len(blocks) - 1, sentence.block + 1)
        return self.workings.between(blocks[first].start, blocks[last].end)

    def _in_derivation(self, sentence: Sentence) -> bool:
        """As in "if we use all three axes, we 3x $W$ and can go down to 850 per chip"."""
        document, words = self.article.document, self.article.tokens.words[sentence.first : sentence.last]
        if "if" not in words or not any(pair in (("if", "we"), ("if", "you")) for pair in pairwise(words)):
            return False
        written, prose = document.source.text, document.prose
        return any(written[at] == "$" != prose[at] for at in range(sentence.start, sentence.end))

    def _points_to_table(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "9 hours, as shown in Table 1": a value of a table of the draft, which is where its source stands."""
        pointers = [number for number in sentence.numbers if number.reading == "pointer"]
        if not pointers:
            return False
        words, first_from = self.article.tokens.words, self.article.tokens.first_from
        if self.tabled and any(words[first_from(n.start) - 1] in ("table", "tables") for n in pointers):
            return True  # what the table says, said roundly
        return (figure.dimension, figure.base()[0]) in self.in_tables

    def _leads_to_result(self, statement: Statement) -> bool:
        """As in "72 PFLOPS with sparsity. The footnote halves that to 36": a verb of change, and what comes of it."""
        figure, sentence, words = statement.figure, statement.sentence, self.article.tokens.words
        last = self.article.tokens.first_from(figure.end)
        if figure.kind != "ratio" or words[last : last + 1] == [] or words[last] not in _STANDING_IN:
            return False
        here = self.article.statements_of(sentence)
        result = next((s.figure for s in here[:_EARLIER] if s.figure.start >= figure.end), None)
        if result is None or "to" not in words[last + 1 : self.article.tokens.first_from(result.start)][:1]:
            return False
        told = [s for s in here[:_EARLIER] if s.figure.end <= figure.start]
        if sentence.place > 0:
            told += self.article.statements_of(self.article.sentences[sentence.index - 1])[:_EARLIER]
        return any(gives(result, s.figure, figure) for s in told)

    def _of_model_sizes(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "a 6.7B model there and a 50B model here, 7.5x larger": what the sizes of two models give."""
        if figure.kind != "ratio" or not sentence.has("size-word"):
            return False
        texts = [self.article.words(n.start, n.end)[:-1] for n in sentence.numbers if n.why == MODEL_SIZE][:_EARLIER]
        sizes = [Decimal(text) for text in texts if text.replace(".", "", 1).isdecimal() and Decimal(text)]
        room = span(figure)
        return any(room.low <= one / other <= room.high for one, other in permutations(sizes, 2))

    def _said_in_section(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "[over 15x faster](#results)": a value that the section of the draft gives to which the words lead."""
        labels = [r.label for r in sentence.references if r.kind == "link" and r.label.startswith("#")]
        told = (self._told_in(label).get((figure.dimension, figure.base()[0])) for label in labels)
        return any(places and places != {sentence.index} for places in told)

    def _told_in(self, label: str) -> dict[tuple[str, Decimal], set[int]]:
        """The sentences of the section with an anchor that give each value; none if the draft has no such section."""
        if label not in self.sections:
            blocks, told = self.article.document.blocks, self.sections.setdefault(label, {})
            first = self._anchors().get(_letters(label), len(blocks))
            for at in range(first, len(blocks)):
                if at > first and blocks[at].kind == "heading" and blocks[at].level <= blocks[first].level:
                    break
                for sentence in self.article.subjects.of_block(at):
                    for figure in sentence.figures:
                        told.setdefault((figure.dimension, figure.base()[0]), set()).add(sentence.index)
        return self.sections[label]

    def _anchors(self) -> dict[str, int]:
        """The headings of the draft by what they have in common with their anchors; of two alike the first."""
        if self.anchors is None:
            blocks = self.article.document.blocks
            heads = [at for at, block in enumerate(blocks) if block.kind == "heading"]
            self.anchors = {
                _letters(self.article.words(blocks[at].start, blocks[at].end)): at for at in reversed(heads)
            }
        return self.anchors

    def _of_table_above(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "At 16 MiB a healthy fabric reports 12.5%", right under a table with that cell."""
        blocks = self.article.document.blocks
        above = blocks[sentence.block - 1].table if sentence.block and blocks[sentence.block].table < 0 else -1
        if above < 0 or figure.kind != "percent" or self.article.subjects.mentions(sentence):
            return False
        return figure.base()[0] in self._shares_of(above)

    def _shares_of(self, table: int) -> set[Decimal]:
        """The percentages in the cells of a table, its header apart."""
        if table not in self.shares:
            cells = [cell for row in self.article.document.tables[table].rows[1:] for cell in row if cell >= 0]
            told = [f for cell in cells for s in self.article.subjects.of_block(cell) for f in s.figures]
            self.shares[table] = {f.base()[0] for f in told if f.kind == "percent"}
        return self.shares[table]

    def _follows_sign(self, figure: Figure, sentence: Sentence) -> bool:
        """Whether an equals sign leads up to the figure, from an expression in words, code or mathematics.

        An arrow between two amounts of one kind is a movement: "2.5 → 3.1 → 6.3 GB/s" computes nothing.
        """
        before = self.article.document.prose[max(0, figure.start - _SIGN_REACH) : figure.start].rstrip(" ~≈\t*_1/")
        if before.endswith(_ARROWS):
            ends = [f.end for f in sentence.figures if f.dimension == figure.dimension and f.end <= figure.start]
            return not ends or bool(self.article.document.prose[ends[-1] : figure.start].strip(" →=>~≈\t*_"))
        return before.endswith(("=", "≈"))

    def _worked(self, figure: Figure, sentence: Sentence) -> bool:
        """Whether code or mathematics gives the figure: in the sentence, in the section above, or for the table."""
        article, workings = self.article, self.workings
        if not workings.starts:
            return False
        block = article.document.blocks[sentence.block]
        if block.table >= 0:
            before = article.document.tables[block.table].before
            lead = article.document.blocks[before] if before >= 0 else None
            return lead is not None and workings.between(lead.start, lead.end)
        if workings.between(sentence.start, sentence.end):
            return True
        heading = article.subjects.heading_of(sentence.block)
        section = article.document.blocks[heading].start if heading >= 0 else 0
        if workings.gives(article.words(figure.start, figure.end), section, sentence.end):
            return True
        if self._follows(figure, sentence) and workings.between(block.start, sentence.end):
            return True
        return figure.kind == "percent" and self._under_mathematics(sentence)

    def _under_mathematics(self, sentence: Sentence) -> bool:
        """As in "Thus attention is about 10% of the operations at 8k", where a formula stands right above."""
        article, first = self.article, sentence.index - sentence.place
        if sentence.block == 0 or not any(
            m.start == article.sentences[first].start for m in article.sentences[first].of_kind("consequence")
        ):
            return False
        blocks = article.document.blocks
        start = blocks[sentence.block].start
        between = article.words(max(blocks[sentence.block - 1].end, start - _FORMULA), start)
        return between.rstrip().endswith("$$") and "=" in between

    def _concludes(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "One comes out every 18 months, a contract is for 3 years. Which means that for half of that time ...".

        A share in words of what the sentence before tells in numbers, of no product.
        """
        if figure.kind != "ratio" or not (figure.in_words and figure.is_share) or not sentence.place:
            return False
        if not any(mark.first == sentence.first for mark in sentence.of_kind("consequence")):
            return False
        before = self.article.sentences[sentence.index - 1]
        told = [number for number in before.numbers if number.reading in ("count", "figure", "number")]
        return len(told) > 1 and not any(self.article.subjects.mentions(s) for s in (before, sentence))

    def _follows(self, figure: Figure, sentence: Sentence) -> bool:
        """Whether "so", "thus" or "which means" leads up to the figure."""
        at = self.article.tokens.first_from(figure.start)
        places = (self.article.tokens.first_from(mark.start) for mark in sentence.of_kind("consequence"))
        return any(at - _SO_REACH <= place < at for place in places)

    def _said_before(self, statement: Statement) -> bool:
        """As in "3.2 Tbps (0.4 TB/s)", "1,350 kW ... (2 × 1,350 kW)": the paragraph has just given the same value."""
        figure, sentence = statement.figure, statement.sentence
        if (
            figure.kind not in ("measure", "price", "percent", "count")
            or self.article.document.blocks[sentence.block].table >= 0
        ):
            return False
        here = self.article.statements_of(sentence)
        at = next((index for index, other in enumerate(here[:_EARLIER]) if other is statement), _EARLIER)
        earlier = here[:at]
        if figure.kind == "count":  # "16,000 H100 GPUs ... on 16,000 H100s"
            earlier = [s for s in earlier if s.figure.noun == figure.noun or not (s.figure.noun and figure.noun)]
        elif sentence.place > 0:
            earlier = earlier + self.article.statements_of(self.article.sentences[sentence.index - 1])[:_EARLIER]
        return any(s.figure.kind == figure.kind and _equal(figure, s.figure) for s in earlier)

    def _said_to_be(self, figure: Figure, sentence: Sentence) -> bool:
        """Whether the sentence says that it computes: of several figures, or of a ratio in so many words."""
        marks = sentence.of_kind("computed")
        if not marks:
            return False
        if figure.kind in _COMPARED and any(m.value == "compared" for m in marks):
            return True
        if figure.kind == "ratio" and any(m.value == "computed" for m in marks):
            return True
        return any(_may_give(figure, other) for other in sentence.figures[:_EARLIER] if other is not figure)


def _letters(text: str) -> str:
    """What a heading and its anchor have in common."""
    return "".join(filter(str.isalnum, text.lower()))


def _may_give(figure: Figure, other: Figure) -> bool:
    """Whether one of two figures may be computed with the other: as like amounts, or by a ratio or a rate."""
    if figure.kind in _COMPARED and figure.kind != "count":
        return True
    if (figure.kind, figure.dimension, figure.noun) == (other.kind, other.dimension, other.noun):
        return True
    return bool(figure.per or other.per) or other.kind in ("ratio", "percent") or _is_rate(figure) or _is_rate(other)


def _is_rate(figure: Figure) -> bool:
    return figure.dimension.endswith("-rate")


def _equal(figure: Figure, other: Figure) -> bool:
    """Whether two figures give one value, in one unit or two, to the digits of the finer one."""
    value, _, step = figure.base()
    second, _, second_step = other.base()
    return figure.dimension == other.dimension and abs(value - second) * 2 <= min(step, second_step)


def _worked_out(article: Article) -> set[tuple[int, int]]:
    """The ratios that printed or registered figures give, rightly or wrongly: other rules look at those."""
    return {
        (c.start, c.end)
        for c in article.comparisons
        if c.figure is not None and (c.recomputes is not None or recompute(c, article.registry).status != UNKNOWN)
    }
