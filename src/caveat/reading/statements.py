"""Each figure with what it is about: its subject, its metric and its basis."""

from __future__ import annotations

from itertools import pairwise

from caveat.figures.agreement import same_value
from caveat.figures.figure import ANY_METRIC, Figure
from caveat.language.phrases import Mark
from caveat.language.tokens import Tokens
from caveat.markdown.document import Block, Document
from caveat.reading.basis import attach
from caveat.reading.sentences import Sentence
from caveat.reading.subjects import STRONG, Subject, SubjectReader
from caveat.registry.registry import Registry

# Beyond this many words a metric's name no longer belongs to a figure, unless it is the only one in the sentence.
_METRIC_REACH = 16
# Kinds of words that make a percentage behind "by" a change.
_CHANGING = ("change-noun", "cutting-verb")
# How near to a percentage a word such as "gain" or "above" makes it a comparison.
_CHANGE_REACH = 3
# What stands between a figure and a metric's name counts as so many words.
_BARRIER = 30
_STOPS = {";": _BARRIER, "•": _BARRIER, ",": 3, "so": 6, "because": 6, "which": 4, "while": 6, "but": 6, "whereas": 6}
_PAST = 6
_AND = 8
_SPEEDS = frozenset(("fast", "faster", "quick", "quicker", "slow", "slower"))
# Other words than these between two ratios make them parts of no list: "4.4x, 3.9x and up to 4x".
_LIST_WORDS = frozenset(
    (",", "and", "or", "up", "to", "over", "about", "nearly", "more", "than", "some", "almost", "at", "least")
)
# "Reads its memory 60% faster" is about the memory: a general word gives way to any metric in reach.
_GENERAL = 8
_READING = frozenset(("read", "reads", "reading", "streams", "sweeps", "scans", "drains"))
# "4x as many chips": how far behind a ratio what it counts may stand.
_COUNTED_REACH = 5
_COUNTING = frozenset(("the", "as", "many", "of", "number", "its", "their", "more", "fewer", "total"))
_MOST_COLUMNS = 60
# What leads from a ratio to the amount that comes of it, and within how many words before that.
_RESULTING = frozenset(
    ("so", "or", "thus", "hence", "i.e", "makes", "is", "gives", "giving", "leaves", "leaving", ":", "=")
)
_RESULT_LEAD = 3
# Scopes that are parts of a product, and what leads from one to the product that it is in.
_PARTS = frozenset(("core", "die", "link"))
_INSIDE = frozenset(("in", "of", "on", "inside", "within"))
_DETERMINERS = frozenset(("a", "an", "the", "each", "every", "one", "single", "'s"))
# How far apart "in" and the product may stand, and behind the product the figure of its part.
_INSIDE_REACH, _HEAD_REACH = 4, 6
# Words by which a sentence speaks of all that follows in its paragraph, and how long such a one is at most, in words.
_OF_ALL = frozenset(("all", "everything", "every", "throughout", "both", "each"))
_ANNOUNCEMENT = 24
# What a figure of a cost has; "four times as fast ... and costs half as much" is not four times the cost.
_MONEY = frozenset(("USD",))
_PAIR = 2
# What stands between one amount in two units.
_RESTATING = ([",", "or"], ["or"], ["("], ["="], [",", "i", ".", "e", ".", ","], ["-"], ["–"])
_PRONOUNS = frozenset(("that", "this", "it", "they", "those"))
_SUPPOSING = frozenset(("would", "will", "should"))
# How many words may stand between a product and a figure that is plainly its own.
_NEXT_TO = 3


class Statement:
    """What the text says with one figure.

    `metrics` are the metrics that it may be about, surest first; `metric_named` says that words name the first. `basis`
    maps dimensions to the values stated for it in its sentence, cell, row, column, caption or heading; `tied` holds
    those of them whose words stand by the figure itself. `followed_by` is the word behind the figure.
    """

    __slots__ = (
        "adjacent",
        "basis",
        "compares",
        "figure",
        "followed_by",
        "lines",
        "metric_named",
        "metrics",
        "sentence",
        "subject",
        "tied",
    )

    def __init__(
        self,
        figure: Figure,
        sentence: Sentence,
        subject: Subject,
        metrics: list[str],
        basis: dict[str, str],
        *,
        metric_named: bool,
        adjacent: bool = False,
    ) -> None:
        self.adjacent = adjacent
        self.tied: dict[str, str] = {}
        self.followed_by = ""
        self.lines: list[str] = []
        self.compares = False
        self.figure = figure
        self.sentence = sentence
        self.subject = subject
        self.metrics = metrics
        self.metric_named = metric_named
        self.basis = basis

    @property
    def product(self) -> str:
        """The registry's id of the product that the figure is about, or ""."""
        return self.subject.product

    def of(self, figure: Figure) -> Statement:
        """The same said with another figure."""
        return Statement(figure, self.sentence, self.subject, self.metrics, self.basis, metric_named=self.metric_named)

    def __repr__(self) -> str:
        return f"Statement({self.figure!r} of {self.product or '?'} {self.metrics} {self.basis})"


class StatementReader:
    """Makes the statements of one draft."""

    def __init__(self, document: Document, tokens: Tokens, subjects: SubjectReader, registry: Registry) -> None:
        self.document = document
        self.tokens = tokens
        self.subjects = subjects
        self.vocabulary = registry.vocabulary
        self._distinct = self.vocabulary.distinct
        self._bases: dict[int, list[tuple[dict[str, str], dict[str, str]]]] = {}
        self._captions: dict[int, dict[str, str]] = {}
        self._row_remarks: dict[tuple[int, int], list[Sentence]] = {}

    def statement(self, figure: Figure, sentence: Sentence) -> Statement:
        """What the text says with a figure of a sentence."""
        metrics, named = self._metrics(figure, sentence)
        tied, shared = self._sentence_bases(sentence)[sentence.figures.index(figure)]
        subject = self.subjects.subject(figure, sentence)
        if "scope" in shared and self._names_another(sentence, subject):
            shared = {name: value for name, value in shared.items() if name != "scope"}
        basis = shared | tied
        for dimension, value in self._surrounding_basis(figure, sentence).items():
            basis.setdefault(dimension, value)
        if (kind := self._kind_carried(sentence)) and "kind" not in basis:
            basis["kind"] = kind
        basis = self._announced_basis(sentence) | basis
        statement = Statement(
            figure,
            sentence,
            subject,
            metrics,
            basis,
            metric_named=named,
            adjacent=self._adjacent(figure, subject),
        )
        statement.tied = tied
        statement.compares = self._compares(figure, sentence)
        after = self.tokens.first_from(figure.end)
        words = self.tokens.words[after : min(sentence.last, after + _PAIR)]
        statement.followed_by = " ".join(words if words == ["instead", "of"] else words[:1])
        if subject.mention is None:
            statement.lines = self.lines(sentence)
        return statement

    def _names_another(self, sentence: Sentence, subject: Subject) -> bool:
        """Whether the words for a scope are all in the names of other products: the cluster of "UltraClusters 3.0"."""
        if subject.hold != STRONG:
            return False
        others = [m for m in self.subjects.mentions(sentence) if m is not subject.mention]
        return all(any(m.start <= mark.start < m.end for m in others) for mark in sentence.of_kind("scope"))

    def _adjacent(self, figure: Figure, subject: Subject) -> bool:
        """Whether a figure stands right behind its product: "Gaudi 3, 96 GB", "the H200 has 144 GB"."""
        if subject.mention is None:
            return False
        if subject.mention.end > figure.start or subject.in_order:
            return subject.in_order
        return self.tokens.first_from(figure.start) - self.tokens.first_from(subject.mention.end) <= _NEXT_TO

    def _sentence_bases(self, sentence: Sentence) -> list[tuple[dict[str, str], dict[str, str]]]:
        """The basis of each figure of a sentence by its words: what is tied to the figure, and what all share."""
        bases = self._bases.get(sentence.index)
        if bases is None:
            bases = [({}, {}) for _ in sentence.figures]
            for name, dimension in self.vocabulary.dimensions.items():
                marks = [mark for mark in sentence.of_kind(name) if not self._in_longer(mark, sentence)]
                if not marks:
                    continue
                limits = dimension["applies_to"]
                fitting = [f for f in sentence.figures if not limits or f.dimension in limits or f.kind in ANY_METRIC]
                if name == "scope":
                    marks = self._heads(marks, sentence)
                own, shared = attach(marks, fitting, sentence, self.tokens)
                self._pass_on(own, marks, fitting)
                if name == "scope":
                    self._give_to_heads(own, marks, fitting, sentence)
                if len({mark.value for mark in marks}) == 1 and not limits:
                    shared = marks[0].value
                for index, figure in enumerate(fitting):
                    tied, common = bases[sentence.figures.index(figure)]
                    if own.get(index):
                        tied[name] = own[index]
                    elif shared:
                        common[name] = shared
            for figure, (tied, _) in zip(sentence.figures, bases, strict=True):
                if figure.like in sentence.figures:
                    tied.update(bases[sentence.figures.index(figure.like)][0] | tied)
            for at in range(1, len(bases)):
                if self._restates(sentence.figures[at - 1], sentence.figures[at]):
                    both = bases[at][0] | bases[at - 1][0]
                    bases[at - 1][0].update(both)
                    bases[at][0].update(both)
            self._bases[sentence.index] = bases
        return bases

    def _restates(self, one: Figure, other: Figure) -> bool:
        """As in "400 Gb/s, or 50 GB/s, in each direction": one amount in two units, of which the same is said."""
        if one.kind != "measure" or one.unit == other.unit or one.dimension != other.dimension:
            return False
        between = self.tokens.words[self.tokens.first_from(one.end) : self.tokens.first_from(other.start)]
        return between in _RESTATING and same_value(one, other)

    def _pass_on(self, own: dict[int, str], marks: list[Mark], figures: list[Figure]) -> None:
        """As in "72 PFLOPS with sparsity; dense is half of that, so 36 PFLOPS": a word by a ratio is its result's."""
        for index, (ratio, result) in enumerate(pairwise(figures)):
            if ratio.kind not in ANY_METRIC or result.kind != "measure" or index not in own:
                continue
            words = self.tokens.words[self.tokens.first_from(ratio.end) : self.tokens.first_from(result.start)]
            last = max((mark for mark in marks if mark.end <= result.start), key=lambda mark: mark.end)
            if last.value == own[index] and not _RESULTING.isdisjoint(words[-_RESULT_LEAD:]):
                own[index + 1] = own[index]

    def _heads(self, marks: list[Mark], sentence: Sentence) -> list[Mark]:
        """The words for a scope without those in a product's name that another such word is a part of.

        As in "each of the two TensorCores in an Ironwood chip": what has so much is a core.
        """
        inner = {id(mark) for head in marks if (mark := self._whole_of(head, marks, sentence)) is not None}
        return [mark for mark in marks if id(mark) not in inner]

    def _whole_of(self, head: Mark, marks: list[Mark], sentence: Sentence) -> Mark | None:
        """The word for a scope right behind a product that a part is said to be in or of; None if there is none."""
        product = self._product_of(head, sentence)
        if product is None or head.value not in _PARTS:
            return None
        return next((m for m in marks if 0 <= m.first - product.last <= 1 and m.value != head.value), None)

    def _product_of(self, head: Mark, sentence: Sentence) -> Mark | None:
        """The product of "TensorCores in an Ironwood", "die of a B200": what a part is in."""
        words = self.tokens.words
        for mark in sentence.of_kind("product"):
            between = words[head.last : mark.first]
            inside = between[:1] != [] and between[0] in _INSIDE and len(between) <= _INSIDE_REACH
            if inside and _DETERMINERS.issuperset(between[1:]):
                return mark
        return None

    def _give_to_heads(self, own: dict[int, str], marks: list[Mark], figures: list[Figure], sentence: Sentence) -> None:
        """Give a part's scope to the figure that it has: the 96 GB of "a core of an Ironwood chip has 96 GB"."""
        for head in marks:
            product = self._product_of(head, sentence) if head.value in _PARTS else None
            if product is None:
                continue
            behind = [index for index, f in enumerate(figures) if f.start >= product.end and f.kind == "measure"]
            near = self.tokens.first_from(figures[behind[0]].start) - product.last if behind else _HEAD_REACH + 1
            if near <= _HEAD_REACH:
                own.setdefault(behind[0], head.value)

    def _in_longer(self, mark: Mark, sentence: Sentence) -> bool:
        """Whether a word is part of a metric's name or a number of parts: in "on-chip SRAM", "an eight-GPU board"."""
        if mark.kind == "scope" and self._counted(mark, sentence):
            return True
        return mark.kind == "scope" and any(
            metric.start <= mark.start
            and mark.end <= metric.end
            and metric.last - metric.first > mark.last - mark.first
            for metric in sentence.of_kind("metric")
        )

    def _counted(self, mark: Mark, sentence: Sentence) -> bool:
        """As in "eight-GPU": a number joined to a word by a hyphen."""
        hyphen = self.document.prose[mark.start - 1 : mark.start] in ("-", "\u2010", "\u2011")
        return hyphen and any(
            number.start < mark.start <= number.end + 1 or number.end > mark.start > number.start
            for number in sentence.numbers
        )

    def _surrounding_basis(self, figure: Figure, sentence: Sentence) -> dict[str, str]:
        """The basis that a table's labels, a list's lead-in or the heading give, nearest first."""
        basis: dict[str, str] = {}
        dimensions = self.vocabulary.dimensions
        for other in self.surroundings(sentence):
            said = {
                kind: [mark.value for mark in marks]
                for kind, marks in other.kinds.items()
                if kind in dimensions and kind not in basis
            }
            basis.update({name: self._by_order(values, figure, sentence) for name, values in said.items()})
        return self._caption_basis(self.document.blocks[sentence.block].table) | basis

    def _caption_basis(self, table: int) -> dict[str, str]:
        """The one value that a table's caption gives of a distinct dimension: "All in dense FP8:"."""
        before = self.document.tables[table].before if table >= 0 else -1
        if before < 0:
            return {}
        basis = self._captions.get(table)
        if basis is None:
            said: dict[str, set[str]] = {}
            for mark in (m for s in self.subjects.of_block(before) for m in s.marks):
                if mark.kind in self._distinct:
                    said.setdefault(mark.kind, set()).add(mark.value)
            basis = self._captions[table] = {name: values.pop() for name, values in said.items() if len(values) == 1}
        return basis

    def _by_order(self, values: list[str], figure: Figure, sentence: Sentence) -> str:
        """The value for a figure of a label's: of "(dense/sparse)", the second for the second of "1,979/3,958"."""
        values = list(dict.fromkeys(values))
        alike = [f for f in sentence.figures if f.dimension == figure.dimension]
        if len(alike) == len(values) > 1 and self.document.blocks[sentence.block].table >= 0:
            return values[alike.index(figure)]
        return values[0]

    def _kind_carried(self, sentence: Sentence) -> str:
        """As in "AWS is targeting three times that. It would be 7.6 PFLOPS": the kind of what "it" stands for."""
        words = self.tokens.words[sentence.first : sentence.first + 2]
        if sentence.place == 0 or len(words) < _PAIR or words[0] not in _PRONOUNS or words[1] not in _SUPPOSING:
            return ""
        kinds = self.subjects.sentences[sentence.index - 1].of_kind("kind")
        return kinds[-1].value if len({mark.value for mark in kinds}) == 1 else ""

    def _announced_basis(self, sentence: Sentence) -> dict[str, str]:
        """What a first sentence without figures says of all in its paragraph: "All dense, all FP8."."""
        if sentence.place == 0:
            return {}
        first = self.subjects.sentences[sentence.index - sentence.place]
        words = self.tokens.words[first.first : first.last]
        if first.figures or _OF_ALL.isdisjoint(words) or len(words) > _ANNOUNCEMENT:
            return {}
        said = {name: {mark.value for mark in first.of_kind(name)} for name in self._distinct}
        return {name: values.pop() for name, values in said.items() if len(values) == 1}

    def surroundings(self, sentence: Sentence) -> list[Sentence]:
        """The labels of a cell (row, column, corner), or the lead-in of a list item."""
        block = self.document.blocks[sentence.block]
        if block.table >= 0:
            rows = self.document.tables[block.table].rows
            places = [(block.row, 0), (0, block.column)]
            found = [rows[r][c] for r, c in places if (r, c) != (block.row, block.column) and c < len(rows[r])]
            return [s for b in found if b >= 0 for s in self.subjects.of_block(b)] + [
                s for s in self._remarks(block) if s.block != sentence.block
            ]
        term = self.subjects.term(sentence.block)
        if term >= 0:
            return self.subjects.of_block(term)
        if block.item >= 0:
            lead = self.document.lists[self.document.items[block.item].list].lead_in
            return self.subjects.of_block(lead) if lead >= 0 else []
        return []

    def _remarks(self, block: Block) -> list[Sentence]:
        """The cells of a row, behind its label, that hold words and no figures: "dense" in a column "Status"."""
        found = self._row_remarks.get((block.table, block.row))
        if found is None:
            cells = self.document.tables[block.table].rows[block.row][1:_MOST_COLUMNS] if block.row else []
            inside = [s for cell in cells if cell >= 0 for s in self.subjects.of_block(cell)]
            found = self._row_remarks[block.table, block.row] = [s for s in inside if not s.figures]
        return found

    def _metrics(self, figure: Figure, sentence: Sentence) -> tuple[list[str], bool]:
        """The metrics that a figure may be about, surest first, and whether words name the first."""
        named = self._named_metric(figure, sentence)
        fitting = self.vocabulary.metrics_of(figure.dimension) if figure.kind not in ANY_METRIC else []
        if named:
            return [named, *(m for m in fitting if m != named)], True
        first, close = self._rate(figure, sentence)
        return ([first, *(m for m in fitting if m != first)], close) if first else (fitting, False)

    def _named_metric(self, figure: Figure, sentence: Sentence) -> str:
        """The metric whose name belongs to a figure by nearness and fits its dimension, or that a label gives."""
        marks = sentence.of_kind("metric")
        fitting = [mark for mark in marks if self._fits(mark, figure)]
        if figure.kind in ANY_METRIC:
            fitting = [m for m in fitting if not self._counts_comparand(m, figure)]
        if self._of_speed(figure):
            fitting = [m for m in fitting if not _MONEY.issubset(self.vocabulary.metrics[m.value])]
        if figure.kind in ANY_METRIC and self._of_format(figure, sentence):
            fitting = [m for m in fitting if self._metric_distance(m, figure, sentence) < _CHANGE_REACH]
        near = min(fitting, key=lambda mark: self._metric_distance(mark, figure, sentence), default=None)
        if figure.kind in ANY_METRIC and near is not None and self._of_another(near, figure, sentence):
            near = None
        if near is not None and self._metric_distance(near, figure, sentence) < _METRIC_REACH:
            meant = self._meant(near, fitting)
            speed = self._of_speed(figure) or (figure.kind in ANY_METRIC and self._is_read(near))
            return self.vocabulary.rates.get(meant, meant) if speed else meant
        labels = self._label_metrics(sentence)
        named = next((mark.value for mark in labels if self._fits(mark, figure)), "")
        named = named or self._caption_metric(figure, sentence)
        only = len({mark.value for mark in fitting}) == 1 and figure.kind in ANY_METRIC
        if (
            not named
            and only
            and not self._of_format(figure, sentence)
            and not self._of_another(fitting[0], figure, sentence)
        ):
            named = fitting[0].value  # the one metric that the sentence speaks of
            named = self.vocabulary.rates.get(named, named) if self._of_speed(figure) else named
        if not named and fitting and self._leads(fitting, sentence):
            named = fitting[0].value
        return named or self._changed_before(figure, sentence)

    def _changed_before(self, figure: Figure, sentence: Sentence) -> str:
        """As in "Finance asks about the invoice. Trainium lowers it by 50%": the one metric that "it" stands for."""
        if sentence.place == 0 or figure.kind not in ANY_METRIC:
            return ""
        changed = (m for m in sentence.of_kind("changing-verb") if self.tokens.words[m.last : m.last + 1] == ["it"])
        if not any(mark.end <= figure.end for mark in changed):
            return ""
        named = {mark.value for mark in self.subjects.sentences[sentence.index - 1].of_kind("metric")}
        return named.pop() if len(named) == 1 else ""

    def _counts_comparand(self, mark: Mark, figure: Figure) -> bool:
        """As in "four times faster than GPUs": things that a ratio is over, and not of; "twice the GPUs" is of them."""
        if set(self.vocabulary.metrics[mark.value]) != {"count"}:
            return False
        last = self.tokens.first_from(figure.end)
        near = last <= mark.first <= last + _COUNTED_REACH
        return not near or not _COUNTING.issuperset(self.tokens.words[last : mark.first])

    def _of_speed(self, figure: Figure) -> bool:
        """As in "its HBM runs 1.46x as fast": what a ratio is of is how fast, not how much."""
        last = self.tokens.first_from(figure.end)
        return figure.kind in ANY_METRIC and not _SPEEDS.isdisjoint(self.tokens.words[last : last + 2])

    def _is_read(self, mark: Mark) -> bool:
        """As in "reads its memory at two thirds of the rate": a metric that something is done with, so its speed."""
        return not _READING.isdisjoint(self.tokens.words[max(0, mark.first - _PAIR) : mark.first])

    def _leads(self, fitting: list[Mark], sentence: Sentence) -> bool:
        """As in "Bandwidth first: 5.3 TB/s for ...": the one metric, named before every figure and product."""
        start = min([f.start for f in sentence.figures] + [m.start for m in sentence.of_kind("product")], default=0)
        words = self.tokens.words[sentence.first : self.tokens.first_from(start)]
        leads = fitting[0].start < start and fitting[0].first == sentence.first and ":" in words
        return leads and len({mark.value for mark in fitting}) == 1

    def _of_format(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "6x in FP4, 3x in FP8 and 4x in memory bandwidth": a ratio of rates in the number format behind it."""
        last = self.tokens.first_from(figure.end)
        return any(0 <= mark.first - last <= _CHANGE_REACH for mark in sentence.of_kind("precision"))

    def _of_another(self, mark: Mark, figure: Figure, sentence: Sentence) -> bool:
        """As in "four times the frame rate on Trainium3 at half the cost": a metric that the next ratio alone is of."""
        if mark.start < figure.end:
            return False
        between = [f for f in sentence.figures if f.kind in ANY_METRIC and figure.end <= f.start < mark.start]
        if not between:
            return False
        gap = self.tokens.words[self.tokens.first_from(figure.end) : self.tokens.first_from(between[0].start)]
        return not _LIST_WORDS.issuperset(gap) and mark.first - self.tokens.first_from(between[-1].end) <= 1

    def _meant(self, near: Mark, fitting: list[Mark]) -> str:
        """What a word for a metric means: "NVLink ... has triple the bandwidth" speaks of the link's."""
        dimensions = set(self.vocabulary.metrics[near.value])
        if self._is_general(near) and dimensions:
            for mark in fitting:
                if not self._is_general(mark) and dimensions & set(self.vocabulary.metrics[mark.value]):
                    return mark.value
        return near.value

    def _is_general(self, mark: Mark) -> bool:
        return self.document.prose[mark.start : mark.end].lower() in self.vocabulary.general

    def _caption_metric(self, figure: Figure, sentence: Sentence) -> str:
        """As in "Memory capacity, with an A100 as 1:": the one metric of a caption, for a ratio in the table."""
        table = self.document.blocks[sentence.block].table
        before = self.document.tables[table].before if table >= 0 and figure.kind in ANY_METRIC else -1
        if before < 0 or any(label.has("precision") for label in self.surroundings(sentence)):
            return ""
        marks = [m for s in self.subjects.of_block(before) for m in s.of_kind("metric") if self._fits(m, figure)]
        said = {m.value for m in marks if set(self.vocabulary.metrics[m.value]) != {"count"}}
        return said.pop() if len(said) == 1 else ""

    def _label_metrics(self, sentence: Sentence) -> list[Mark]:
        return [mark for other in self.surroundings(sentence) for mark in other.of_kind("metric")]

    def _rate(self, figure: Figure, sentence: Sentence) -> tuple[str, bool]:
        """The metric of a figure per second that is said of a named one, and whether that is named close by.

        As in "reads its HBM at 4.8 TB/s".
        """
        rates = self.vocabulary.rates
        marks = [m for m in sentence.of_kind("metric") if m.value in rates]
        # The "gigabytes" of "nine hundred gigabytes per second" name nothing.
        inside = [(f.start, f.end) for f in sentence.figures] if marks else []
        marks = [m for m in marks if not any(start <= m.start < end for start, end in inside)]
        marks = [m for m in marks if self.vocabulary.fits(rates[m.value], figure.dimension)]
        for mark in marks:
            if self._metric_distance(mark, figure, sentence) < _METRIC_REACH:
                return rates[mark.value], True
        for mark in self._label_metrics(sentence):
            if mark.value in rates and self.vocabulary.fits(rates[mark.value], figure.dimension):
                return rates[mark.value], True
        return (rates[marks[0].value], False) if marks else ("", False)

    def _metric_distance(self, mark: Mark, figure: Figure, sentence: Sentence) -> int:
        """How far a metric's name is from a figure, in words: more before it, past a semicolon or a like figure."""
        first, last = self.tokens.first_from(figure.start), self.tokens.first_from(figure.end)
        place = mark.first
        behind = place >= last
        low, high = (last, place) if behind else (min(place, first), first)
        words = self.tokens.words[low:high]
        distance = high - low + (0 if behind else 2)
        distance += sum(_STOPS.get(word, 0) for word in words) + (_AND if behind and "and" in words else 0)
        if not behind and self._is_other_ratios(mark, figure, sentence):
            distance += _BARRIER
        way = distance
        if self._is_general(mark) and not self.vocabulary.metrics[mark.value]:
            distance += _GENERAL
        alike = [
            f for f in sentence.figures if f is not figure and (f.dimension, f.kind) == (figure.dimension, figure.kind)
        ]
        if behind:  # a name behind may lead up to the next figure
            nearer = [f for f in alike if mark.start < f.start and self._gap(mark, f) < way]
            between = [f for f in alike if figure.end <= f.start < mark.start]
            distance += _BARRIER * len(nearer) + _PAST * len(between)
        return distance

    def _is_other_ratios(self, mark: Mark, figure: Figure, sentence: Sentence) -> bool:
        """As in "half the cost of GPUs and 4x the speed": right behind a ratio, where the next one has its own."""
        if figure.kind not in ANY_METRIC:
            return False
        starts, last = {m.first for m in sentence.of_kind("metric")}, self.tokens.first_from(figure.end)
        if self.tokens.words[last : last + 1] != ["the"] or last + 1 not in starts:
            return False
        ends = {self.tokens.first_from(f.end) for f in sentence.figures if f.kind == "ratio" and f.end <= mark.start}
        return mark.first - 1 in ends and self.tokens.words[mark.first - 1] == "the"

    def _gap(self, mark: Mark, figure: Figure) -> int:
        """How far a figure is behind a metric's name, in words; "and" starts another thing."""
        words = self.tokens.words[mark.first : self.tokens.first_from(figure.start)]
        return len(words) + (_BARRIER if "and" in words else 0)

    def _compares(self, figure: Figure, sentence: Sentence) -> bool:
        """Whether a figure is a ratio, or a percentage that words or a table column make a difference: "36% above"."""
        if figure.kind == "ratio":
            return True
        if figure.kind != "percent":
            return False
        words = self.tokens.words
        first, last = self.tokens.first_from(figure.start), self.tokens.first_from(figure.end)
        if words[first - 1 : first] == ["("] and words[last : last + 1] == [")"]:
            return False  # an aside that gives a share, not a difference
        start = figure.qualifier_span[0] if figure.qualifier_span else figure.start
        if self._changed_by(self.tokens.first_from(min(start, figure.start)), sentence):
            return True
        if words[last : last + 1] == ["of"] and any(m.start > figure.end for m in self.subjects.mentions(sentence)):
            return True  # "70% of the memory bandwidth of an H200"
        if figure.direction or sentence.has("comparative") or self.document.blocks[sentence.block].table >= 0:
            return True
        places = [mark.first for mark in sentence.of_kind("change-noun")]
        return any(-_CHANGE_REACH <= at - first < 0 or 0 <= at - last < _CHANGE_REACH for at in places)

    def _changed_by(self, first: int, sentence: Sentence) -> bool:
        """As in "cut training and inference cost by 50%": "by" before a percentage, and a word of change before it."""
        at = first - 1
        while at > sentence.first and self.tokens.words[at] in ("up", "to", "about", "some", "over"):
            at -= 1
        if self.tokens.words[at] != "by":
            return False
        return any(mark.first < at for kind in _CHANGING for mark in sentence.of_kind(kind))

    def lines(self, sentence: Sentence) -> list[str]:
        """The lines of products ("Trainium") that a sentence or its labels name."""
        near = [sentence, *self.surroundings(sentence)]
        return [mark.value for each in near for mark in each.of_kind("product-line")]

    def _fits(self, mark: Mark, figure: Figure) -> bool:
        """Whether a metric can have a figure of this kind and dimension."""
        return figure.kind in ANY_METRIC or self.vocabulary.fits(mark.value, figure.dimension)
