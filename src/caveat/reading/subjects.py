"""What a figure is about: the product named by it, carried over, or given by row, column, list or heading."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import islice

from caveat.figures.figure import ANY_METRIC, Figure
from caveat.language.tokens import Tokens
from caveat.markdown.document import Document
from caveat.reading.mentions import Mention, find_mentions
from caveat.reading.sentences import Sentence
from caveat.registry.registry import Product, Registry

# How surely a figure belongs to its subject.
STRONG, WEAK, CARRIED, BEHIND = "strong", "weak", "carried", "behind"

# Words between a figure and the product behind it that let the figure belong to it: "192 GB of HBM3 for the MI300X".
_FORWARD_REACH = 8
_ADJACENT = 5
# How many characters may stand between two figures and the "vs" between them.
_SIDE_BY_SIDE = 5
# How many blocks back a product is looked for.
_LATELY = 4
_MOST_AROUND = 12
# How many words behind a figure may say what has it, what begins such a clause, and what in it is the product named.
_CLAUSE_OF_OTHER = 8
_CLAUSES = frozenset(("that", "which"))
_OWN_PRONOUNS = frozenset(("it", "its", "they", "their", "itself"))
# So many columns of a table are looked at for the product that a row is about.
_MOST_COLUMNS = 60
# How many sentences back a product is still what "it" means.
_BACKWARD_REACH = 5
# "from 900 GB/s to 1.8 TB/s": how far before "to" its "from" stands.
_MOVE_REACH = 8
# ", dense," between a figure and its product: how long such an aside may be, and what may stand in it.
_ASIDE = 6
_QUALIFYING = frozenset(("sparsity", "precision", "memory", "kind", "direction"))
# "..., and each has 144 GB": what comes behind "and" is not what holds the parts.
_HELD_REACH = 3
_EACH = frozenset(("each", "every", "all", "its", "their", "the", "a", "one", "an", "those", "they", "per"))
_LEADS = frozenset(("with", "at", "having", "offering", "carrying", "packing"))
# How many sentences or cells back the product is named that "the UltraServer" is.
_UNIT_REACH = 40
_DEFINITE = frozenset(("the", "this", "that", "each", "one"))
_APPOSING = frozenset((",", ":", "–", "—", "("))
_ARTICLES = frozenset(("a", "an", "the", "each", "every"))
# "1.8 times the FP8 of a dense H100": how far behind a ratio what it is over may stand, in words.
_RATIO_REACH = 7
_PAIR = 2
_BEING = frozenset(("is", "are", "was", "were", "makes", "means"))
_CLAUSE_ENDS = frozenset(
    (
        ",",
        ";",
        ":",
        "(",
        ")",
        ".",
        "and",
        "while",
        "where",
        "but",
        "whereas",
        "is",
        "are",
        "was",
        "were",
        "has",
        "have",
        "had",
    )
)
_COMPARING = frozenset(
    ("than", "against", "over", "versus", "vs", "to", "from", "next", "beside", "ahead", "behind", "above", "below")
)
# First words of an answer that denies what was asked.
_DENIALS = frozenset(("no", "not", "wrong", "neither", "never", "nope"))
# "out of one", "with a single": what a rate is got from.
_ONE = frozenset(("one", "single", "a", "an"))
_OUT_OF = frozenset(("from", "with"))
# What leads to the product that the sentence sets its subject against.
_AGAINST = frozenset(("against", "than", "over", "versus", "vs", "to", "beside", "above", "below"))
# What stands between the figures of two things that are set against each other.
_OPPOSING = frozenset(("against", "versus", "vs", "to"))
_POSSESSIVES = frozenset(("its", "their"))
# What leads to the source of what is said.
_SOURCE_LEADS = frozenset(("by", "per", "from"))


class Subject:
    """What a figure is about.

    `mention` is the product's mention, None if nothing names a product; `hold` how surely the figure belongs to it
    (strong, weak, carried, or behind: named only after it), `in_order` that "respectively" or a question gives it;
    `others` the further products in reach, that the figure might be about instead; `nearby` those of the blocks before,
    for a figure that no product is sure of.
    """

    __slots__ = ("_other_products", "hold", "in_order", "mention", "nearby", "others")

    def __init__(
        self,
        mention: Mention | None,
        hold: str,
        others: list[Mention],
        *,
        in_order: bool = False,
        nearby: Sequence[Mention] = (),
    ) -> None:
        self._other_products: list[str] | None = None
        self.nearby = nearby
        self.in_order = in_order
        self.mention = mention
        self.hold = hold
        self.others = others

    def turned_to(self, product: Product, figure: Figure) -> Subject:
        """The same reach with another product as the subject: the one whose registered figure the text gives."""
        if product.id == self.product:
            return self
        for mention in (*self.others, *self.nearby):
            if mention.product == product.id:
                rest = [m for m in self.others if m is not mention]
                return Subject(mention, self.hold, rest + ([self.mention] if self.mention else []))
        return Subject(_stand_in(product, figure), self.hold, self.others)

    @property
    def other_products(self) -> list[str]:
        """The known products among the others, each once, in order."""
        if self._other_products is None:
            self._other_products = list(dict.fromkeys(m.product for m in self.others if m.product))
        return self._other_products

    @property
    def product(self) -> str:
        """The registry's id of the product, or ""."""
        return self.mention.product if self.mention else ""


NOBODY = Subject(None, CARRIED, [])


class SubjectReader:
    """Tells the subjects of the figures of one draft."""

    def __init__(self, document: Document, tokens: Tokens, sentences: list[Sentence], registry: Registry) -> None:
        self.document = document
        self.tokens = tokens
        self.sentences = sentences
        self.registry = registry
        self._mentions: dict[int, list[Mention]] = {}
        self._of_block: dict[int, list[Sentence]] = {}
        for sentence in sentences:
            self._of_block.setdefault(sentence.block, []).append(sentence)
        self._headings = _headings(document)
        self._rows: dict[tuple[int, int], list[tuple[int, Mention]]] = {}
        self._nearby: dict[int, list[Mention]] = {}
        self._late: dict[int, Subject] = {}

    def mentions(self, sentence: Sentence) -> list[Mention]:
        """The products that a sentence names."""
        found = self._mentions.get(sentence.index)
        if found is None:
            found = find_mentions(sentence, self.tokens, self.registry, self.document.prose)
            found = self._beside_sources(found, sentence)
            found = self._mentions[sentence.index] = self._with_units(sentence, found)
        return found

    def _beside_sources(self, mentions: list[Mention], sentence: Sentence) -> list[Mention]:
        """The products named beside those in the name of a source: of "UltraClusters, by the Trn3 page", the first."""
        words = self.tokens.words
        sources = [s for s in sentence.of_kind("source") if _SOURCE_LEADS & {words[s.first - 1], words[s.first - 2]}]
        apart = [m for m in mentions if not any(s.start <= m.start and m.end <= s.end for s in sources)]
        return apart if any(m.product for m in apart) else mentions

    def _with_units(self, sentence: Sentence, named: list[Mention]) -> list[Mention]:
        """The mentions with those of a unit that stands for the one product called so: "the UltraServer's 706 TB/s"."""
        found = list(named)
        for mark in sentence.of_kind("scope"):
            word = self.document.prose[mark.start : mark.end]
            led = mark.first > sentence.first and self.tokens.words[mark.first - 1] in _DEFINITE
            in_name = any(m.start <= mark.start < m.end for m in named)
            if in_name or not (led and word[:1].isupper() and not word.isupper()):
                continue
            product = self._called(word.lower(), mark.value, sentence)
            if product is not None:
                found.append(Mention(mark.start, mark.end, product.id, product.vendor, product.unit, Decimal(1)))
        return sorted(found, key=lambda mention: mention.start)

    def _called(self, word: str, unit: str, sentence: Sentence) -> Product | None:
        """The one product of a unit that the sentences before name, if its name holds the word for the unit."""
        near = self.sentences[max(0, sentence.index - _UNIT_REACH) : sentence.index]
        named = {mark.value for other in near for mark in other.of_kind("product")}
        fitting = [self.registry.products[name] for name in named if self.registry.products[name].unit == unit]
        return fitting[0] if len(fitting) == 1 and word in fitting[0].name.lower().split() else None

    def of_block(self, block: int) -> list[Sentence]:
        """The sentences of a block, in order."""
        return self._of_block.get(block, [])

    def subject(self, figure: Figure, sentence: Sentence) -> Subject:
        """The subject of a figure in a sentence or a cell."""
        mentions = [m for m in self.mentions(sentence) if m.end <= figure.start or m.start >= figure.end]
        if not mentions:
            return self.given(sentence, figure.start)
        answered = self._answered(figure, sentence, mentions)
        if answered is not None:
            return answered
        if self._set_against(figure, sentence) and self._behind(figure, sentence, mentions) is None:
            first = mentions[0] if mentions[0].start > figure.end else None
            return Subject(first, BEHIND, mentions, nearby=self._around(sentence))
        in_order = self._respectively(figure, sentence, mentions) or self._opposed(figure, sentence, mentions)
        if in_order is not None:
            return in_order
        if self._describes_row(figure, sentence, mentions):
            row = self._in_table(sentence)
            return Subject(row.mention, BEHIND, row.others)
        return self._in_sentence(figure, sentence, mentions)

    def _describes_row(self, figure: Figure, sentence: Sentence, mentions: list[Mention]) -> bool:
        """As in the H200's row, "a Hopper with 141 GB": what the row's product is, by a name that is no product's."""
        if self.document.blocks[sentence.block].table < 0 or any(m.product for m in mentions):
            return False
        before = self.tokens.first_from(mentions[0].start) - 1
        leads = before >= sentence.first and self.tokens.words[before] in ("a", "an")
        return leads and mentions[0].end <= figure.start

    def _answered(self, figure: Figure, sentence: Sentence, mentions: list[Mention]) -> Subject | None:
        """As in "Does an H200 have 192 GB? No, that is the MI300X; it has 141 GB": what the question was about.

        Likewise in "How much memory has Gaudi 3? 128 GB, more than an H100".
        """
        asked = self._question_of(sentence)
        if asked is None:
            return None
        start = figure.qualifier_span[0] if figure.qualifier_span else figure.start
        if self.tokens.first_from(min(start, figure.start)) == sentence.first:
            return Subject(asked, STRONG, mentions, in_order=True)
        if self.tokens.words[sentence.first] not in _DENIALS:
            return None
        clause = self._clause_start(figure, sentence)
        if clause <= sentence.first or any(m.start >= self.tokens.starts[clause] for m in mentions):
            return None
        if not any(m.end <= self.tokens.starts[clause] for m in mentions):
            return None
        sure = self.tokens.words[clause + 1] not in ("it", "its", "that", "this", "which")
        return Subject(asked, STRONG if sure else WEAK, mentions, in_order=sure)

    def _question_of(self, sentence: Sentence) -> Mention | None:
        """The one product of a question right before a sentence."""
        if sentence.place == 0:
            return None
        before = self.sentences[sentence.index - 1]
        if "?" not in self.tokens.words[max(before.first, before.last - 2) : before.last]:
            return None
        mentions = self.mentions(before)
        return mentions[0] if len({m.product or m.start for m in mentions}) == 1 else None

    def _clause_start(self, figure: Figure, sentence: Sentence) -> int:
        """The token of the sign or ", and" with which the clause of a figure begins; the sentence's first without."""
        words = self.tokens.words
        for at in range(self.tokens.first_from(figure.start) - 1, sentence.first, -1):
            if words[at] in (";", ":") or (words[at] in ("and", "but") and words[at - 1] == ","):
                return at
        return sentence.first

    def _set_against(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "its larger memory (180 vs 141 GB)": the second of two figures side by side is another product's."""
        at = self.tokens.first_from(figure.start) - 1
        if at <= sentence.first or self.tokens.words[at] not in ("vs", "versus", "against", "."):
            return False
        if self.tokens.words[at] == "." and self.tokens.words[at - 1] != "vs":
            return False
        return any(
            0 <= self.tokens.starts[at] - n.end <= _SIDE_BY_SIDE
            for n in sentence.numbers
            if n.end <= self.tokens.starts[at]
        )

    def _in_sentence(self, figure: Figure, sentence: Sentence, mentions: list[Mention]) -> Subject:
        """The subject among the products that the sentence itself names."""
        forward = self._behind(figure, sentence, mentions) if figure.kind not in ANY_METRIC else None
        if forward is not None:
            return Subject(forward, STRONG, [m for m in mentions if m is not forward])
        before = [m for m in mentions if m.end <= figure.start]
        if not before:
            carried = self.given(sentence) if self.has_pronoun(sentence, figure.start) else NOBODY
            if carried.mention is not None and not carried.others and self._only_compared_with(sentence, mentions):
                return Subject(carried.mention, CARRIED, [])  # "It has 141 GB, more than the H100"
            if carried.mention is not None:
                return Subject(carried.mention, WEAK, mentions + carried.others)
            if self._led_by_with(figure, sentence, mentions):
                return Subject(mentions[0], STRONG, mentions[1:])
            return Subject(mentions[0], BEHIND, mentions[1:], nearby=self._around(sentence))
        if (result := self._result_of_ratio(before, figure, sentence)) is not None:
            return Subject(result, STRONG, [m for m in mentions if m is not result])
        if self._is_of_another(figure, sentence, before):
            return Subject(before[-1], BEHIND, [], nearby=self._around(sentence))
        nearest = self._owner(before, figure) or self._holder(before, figure) or before[-1]
        alone = len({m.product or m.start for m in mentions}) == 1
        sure = alone or (self._led_up_to(nearest, figure, sentence) and not self._moving(figure))
        sure = sure and (alone or not self._ends_ratio(nearest, sentence))
        return Subject(nearest, STRONG if sure else WEAK, [m for m in mentions if m is not nearest])

    def _only_compared_with(self, sentence: Sentence, mentions: list[Mention]) -> bool:
        """Whether each product that a sentence names stands right behind a word such as "than"."""
        for mention in mentions:
            at = self.tokens.first_from(mention.start) - 1
            at -= self.tokens.words[at] in _ARTICLES
            if at <= sentence.first or self.tokens.words[at] not in ("than", "against", "versus", "vs"):
                return False
        return True

    def _is_of_another(self, figure: Figure, sentence: Sentence, before: list[Mention]) -> bool:
        """As in "A B200 has 1.8 TB/s, 14 times the 128 GB/s that the specification allows a slot".

        What a ratio of the one product named is over, with a clause that says what else has it.
        """
        words, first = self.tokens.words, self.tokens.first_from(figure.start)
        led = words[first - 1] == "the" and any(
            self.tokens.first_from(f.end) == first - 1 for f in sentence.figures if f.kind == "ratio"
        )
        if not led or figure.kind in ANY_METRIC or len({m.product for m in before}) > 1:
            return False
        behind = words[self.tokens.first_from(figure.end) : sentence.last][:_CLAUSE_OF_OTHER]
        return not _CLAUSES.isdisjoint(behind) and _OWN_PRONOUNS.isdisjoint(behind)

    def _ends_ratio(self, mention: Mention, sentence: Sentence) -> bool:
        """As in "1.32x the H100: 2,614.9 over 1,979 TFLOPS": what a ratio is over, before the figures of both."""
        words, after = self.tokens.words, self.tokens.first_from(mention.end)
        if after >= sentence.last or words[after] != ":":
            return False
        first = self.tokens.first_from(mention.start)
        ends = [
            self.tokens.first_from(f.end) for f in sentence.figures if f.kind in ANY_METRIC and f.end <= mention.start
        ]
        return bool(ends) and first - ends[-1] <= _RATIO_REACH

    def _result_of_ratio(self, before: list[Mention], figure: Figure, sentence: Sentence) -> Mention | None:
        """As in "An MI300X has 1.5 times the memory of Gaudi 3, so 192 GB": what the ratio is of."""
        over = before[-1]
        gap = self.tokens.words[self.tokens.first_from(over.end) : self.tokens.first_from(figure.start)]
        if len(before) < _PAIR or gap[:1] != [","] or gap[1:2] not in (["so"], ["or"], ["hence"], ["thus"]):
            return None
        ratio = next((f for f in sentence.figures if f.kind == "ratio" and f.end <= over.start), None)
        near = ratio and self.tokens.first_from(over.start) - self.tokens.first_from(ratio.end) <= _RATIO_REACH
        return next((m for m in reversed(before) if near and ratio and m.end <= ratio.start), None)

    def _owner(self, before: list[Mention], figure: Figure) -> Mention | None:
        """What "its 7.37 TB/s" is of: the product that the sentence is about, not one that it compares it with."""
        at = self.tokens.first_from(figure.start)
        if not any(word in _POSSESSIVES for word in self.tokens.words[max(0, at - 2) : at]):
            return None
        own = [m for m in before if self.tokens.words[self.tokens.first_from(m.start) - 1] not in _COMPARING]
        return own[-1] if own else None

    def _holder(self, before: list[Mention], figure: Figure) -> Mention | None:
        """As in "A rack takes 144 chips and pools 20.7 TB": what does the second thing is what has the parts."""
        if len(before) < _PAIR or before[-1].count == 1 or figure.per:
            return None
        holder, part = before[-_PAIR:]
        words = self.tokens.words[self.tokens.first_from(part.end) : self.tokens.first_from(figure.start)]
        words = words[words.index("and") :] if "and" in words[:_HELD_REACH] else []  # "chips, and"
        known = self.registry.products.get(holder.product)
        goes_on = 1 < len(words) <= _ADJACENT and words[1] not in _EACH
        return holder if known is not None and part.product in known.contains and goes_on else None

    def _moving(self, figure: Figure) -> bool:
        """As in "from 900 GB/s to 1.8 TB/s": an end of a movement, which may be another product's."""
        at = self.tokens.first_from(figure.start)
        words = self.tokens.words
        moves = words[at - 1] == "from" or (words[at - 1] == "to" and "from" in words[max(0, at - _MOVE_REACH) : at])
        return figure.quantity.is_range or (at > 0 and moves)

    def _behind(self, figure: Figure, sentence: Sentence, mentions: list[Mention]) -> Mention | None:
        """The product behind a figure to which a preposition ties it: "80 GB of an H100"."""
        behind = next((m for m in mentions if m.start >= figure.end), None)
        if behind is None:
            return None
        start, stop = self.tokens.first_from(figure.end), self.tokens.first_from(behind.start)
        words = self.tokens.words[start:stop]
        after = self.tokens.first_from(behind.end)
        if words == ["("] and self.tokens.words[after : after + 1] == [")"]:
            return behind  # "141 GB (H200)"
        aside = self._aside(sentence, start, stop) or self._apposed(sentence, start, stop)
        if aside:
            words, start = self.tokens.words[aside:stop], aside
        if words[:1] and words[0] in _OUT_OF and len(words) > 1 and _ONE.issuperset(words[1:]):
            return behind  # "3,010 tokens/s from one MI300X"
        relative = "that" in words or "which" in words
        if stop - start > _FORWARD_REACH * (2 if relative else 1):
            return None
        if any(word in _CLAUSE_ENDS or word in _COMPARING for word in words):
            return None
        if "between" in words and self.tokens.words[after : after + 1] == ["and"]:
            return None  # "from 80 GB to 141 GB between the H100 and the H200"
        if any(figure.end <= other.start < behind.start for other in sentence.figures):
            return None
        forward = {mark.last - 1 for mark in sentence.marks if mark.kind == "forward-word"}
        skipped = {mark.first for mark in sentence.marks if mark.kind in ("article", "vendor")}
        at = stop - 1
        counts = self._number_before(behind, sentence)
        while at >= start and (at in skipped or at in counts) and at not in forward:
            at -= 1
        if at >= start and (at in forward or self.tokens.words[at] in ("that", "which")):
            return behind
        return behind if self._in_short_clause(behind, at, stop, sentence) else None

    def _number_before(self, mention: Mention, sentence: Sentence) -> range:
        """The tokens of the number of a product that a preposition is before: "24.6 minutes on eight H200s"."""
        if mention.count == 1:
            return range(0)
        before = (n for n in sentence.numbers if n.start < mention.start and mention.start - n.end <= _PAIR)
        start = max((n.start for n in before), default=mention.start)
        return range(self.tokens.first_from(start), self.tokens.first_from(mention.start))

    def _aside(self, sentence: Sentence, start: int, stop: int) -> int:
        """Where it goes on behind ", dense," that only qualifies the figure before it; 0 without such an aside."""
        words = self.tokens.words
        if start >= stop or words[start] != ",":
            return 0
        close = next((at for at in range(start + 1, min(stop, start + _ASIDE)) if words[at] == ","), 0)
        marks = [m for m in sentence.marks if start < m.first < close and m.kind in _QUALIFYING]
        return close + 1 if marks else 0

    def _apposed(self, sentence: Sentence, start: int, stop: int) -> int:
        """Where it goes on behind ", the memory bandwidth" that says what a figure is of; 0 without such words."""
        words = self.tokens.words
        if start >= stop or words[start] not in _APPOSING:
            return 0
        at = start + 1
        if words[at : at + 2] in (["which", "is"], ["that", "is"], ["this", "is"], ["namely", "the"]):
            at += 2
        while at < stop and words[at] in _ARTICLES:
            at += 1
        told = (m for m in sentence.of_kind("metric") if at <= m.first <= at + 1 and m.last < stop)
        return next((m.last for m in told), 0)

    def _led_by_with(self, figure: Figure, sentence: Sentence, mentions: list[Mention]) -> bool:
        """As in "With 128 GB and 3.7 TB/s, Gaudi 3 is ...": figures that a sentence opens with."""
        words, at = self.tokens.words, self.tokens.first_from(mentions[0].start)
        end = self.tokens.first_from(mentions[0].end)
        leads = words[sentence.first] in _LEADS and figure.end <= mentions[0].start
        while at > sentence.first and words[at - 1] in _ARTICLES:
            at -= 1
        behind = at == self.tokens.first_from(figure.end) < self.tokens.first_from(mentions[0].start)
        return leads and (words[at - 1] == "," or behind) and words[end : end + 1] not in (["'s"], [","])

    def _in_short_clause(self, mention: Mention, at: int, stop: int, sentence: Sentence) -> bool:
        """As in "the 1,979 TFLOPS of dense FP8 an H100 manages": a product between an article and a verb."""
        after = self.tokens.first_from(mention.end)
        if (
            stop - 1 - at < 1
            or self.tokens.words[stop - 1] not in ("a", "an", "the", "each", "one")
            or after >= sentence.last
        ):
            return False
        return self.tokens.words[after].isalpha() and self.tokens.words[after] not in _COMPARING

    def _led_up_to(self, mention: Mention, figure: Figure, sentence: Sentence) -> bool:
        """Whether a figure follows its product, or a chain of figures that do: "whose 141 GB come with 4.8 TB/s"."""
        at = mention.end
        if self._opens_clause(figure):
            return False
        for other in sentence.figures:
            if mention.end <= other.start <= figure.start:
                if self.tokens.first_from(other.start) - self.tokens.first_from(at) > _ADJACENT:
                    return False
                at = other.end
        return at > mention.end

    def _opens_clause(self, figure: Figure) -> bool:
        """As in "..., and 144 GB is 12.5% more": a figure that is the subject of a clause of its own."""
        words = self.tokens.words
        first, last = self.tokens.first_from(figure.start), self.tokens.first_from(figure.end)
        return (
            first > 0
            and words[first - 1] in ("and", ";", ",", "but")
            and words[last : last + 1] != []
            and words[last] in _BEING
        )

    def has_pronoun(self, sentence: Sentence, offset: int, value: str = "") -> bool:
        """Whether a word before an offset stands for a product named earlier; only of the `value` if given."""
        return any(m.start < offset and value in ("", m.value) for m in sentence.of_kind("subject-pronoun"))

    def _respectively(self, figure: Figure, sentence: Sentence, mentions: list[Mention]) -> Subject | None:
        """The subject by order, when the sentence says "respectively" and has as many figures as products."""
        if not sentence.has("respectively") and not self._in_parallel(figure, sentence, mentions):
            return None
        alike = [f for f in sentence.figures if f.dimension == figure.dimension]
        known = [m for m in mentions if m.product] or mentions
        if len(alike) != len(known) or figure not in alike:
            return None
        mention = known[alike.index(figure)]
        return Subject(mention, STRONG, [], in_order=True)

    def _opposed(self, figure: Figure, sentence: Sentence, mentions: list[Mention]) -> Subject | None:
        """As in "The one card beats the other on memory, 256 GB against 141 GB": two products, a figure of each."""
        alike = [f for f in sentence.figures if f.dimension == figure.dimension]
        if len(mentions) != _PAIR or len(alike) != _PAIR or mentions[-1].end > alike[0].start or figure not in alike:
            return None
        words, first_from = self.tokens.words, self.tokens.first_from
        second = alike[1].qualifier_span[0] if alike[1].qualifier_span else alike[1].start
        gap = words[first_from(alike[0].end) : first_from(min(second, alike[1].start))]
        if len(gap) != 1 or gap[0] not in _OPPOSING:
            return None
        led = [w for w in words[sentence.first : first_from(mentions[0].start)] if w not in _ARTICLES][-1:]
        ordered = mentions[::-1] if not _AGAINST.isdisjoint(led) else mentions
        return Subject(ordered[alike.index(figure)], STRONG, [], in_order=True)

    def _in_parallel(self, figure: Figure, sentence: Sentence, mentions: list[Mention]) -> bool:
        """As in "The H100 and the H200 have 80 GB and 141 GB": two products, and as many like figures."""
        alike = [f for f in sentence.figures if f.dimension == figure.dimension]
        if len(mentions) != len(alike) or len(alike) != _PAIR or mentions[-1].end > alike[0].start:
            return False
        words, first_from = self.tokens.words, self.tokens.first_from
        between = words[first_from(mentions[0].end) : first_from(mentions[1].start)]
        gap = words[first_from(alike[0].end) : first_from(alike[1].start)]
        return between[:1] == ["and"] and set(between) <= {"and", *_ARTICLES} and gap == ["and"]

    def given(self, sentence: Sentence, before: int | None = None) -> Subject:
        """The subject that the surroundings give to a sentence without a product, or to the part before an offset."""
        block = self.document.blocks[sentence.block]
        if block.table >= 0:
            return self._in_table(sentence)
        term = self._term(sentence.block)
        if term is not None:
            return Subject(term, STRONG, [])
        for index in range(sentence.index - 1, max(sentence.index - 1 - min(sentence.place, _BACKWARD_REACH), -1), -1):
            mentions = self.mentions(self.sentences[index])
            if mentions and self._is_label(self.sentences[index], mentions):
                return Subject(mentions[0], STRONG, mentions[1:])
            if mentions and (question := self._asked(index)):
                return Subject(mentions[0], CARRIED, [*mentions[1:], *question])
            if mentions:
                sure = len({m.product for m in mentions}) == 1 and self.has_pronoun(
                    sentence, sentence.end if before is None else before
                )
                return Subject(mentions[0], STRONG if sure else CARRIED, mentions[1:])
        if block.item >= 0:
            lead = self._lead_in(block.item)
            if lead is not None:
                return lead
        heading = self._heading(sentence)
        if heading.mention is None and block.kind == "heading" and (below := self._below(sentence)) is not None:
            return below
        if heading.mention is None:
            return self._lately(sentence)
        return Subject(heading.mention, heading.hold, heading.others, nearby=self._around(sentence))

    def _asked(self, index: int) -> list[Mention]:
        """The products of the question before a sentence, if it and the one before it are both questions."""
        earlier = self.sentences[index - 1] if index > 0 else None
        if earlier is None or earlier.block != self.sentences[index].block:
            return []
        return (
            self.mentions(earlier)
            if "?" in self.tokens.words[max(earlier.first, earlier.last - 2) : earlier.last]
            else []
        )

    def term(self, block: int) -> int:
        """The block of the term that a definition in a list defines, -1 for any other block."""
        return block - 1 if block > 0 and self.document.blocks[block - 1].kind == "term" else -1

    def _term(self, block: int) -> Mention | None:
        """The product that a definition list defines, for a definition in it."""
        term = self.term(block)
        mentions = [m for s in self.of_block(term) for m in self.mentions(s)] if term >= 0 else []
        return mentions[0] if len(mentions) == 1 else None

    def _is_label(self, sentence: Sentence, mentions: list[Mention]) -> bool:
        """Whether a sentence is nothing but a product's name: "**Gaudi 3.** Intel's white paper has ..."."""
        size = sum(self.tokens.first_from(m.end) - self.tokens.first_from(m.start) for m in mentions)
        return len(mentions) == 1 and sentence.last - sentence.first <= size + 1

    def _lately(self, sentence: Sentence) -> Subject:
        """The product last named in the blocks before: what the text may still be about, but not for sure."""
        known = self._late.get(sentence.block)
        if known is not None:
            return known
        found = NOBODY
        for block in range(sentence.block - 1, max(sentence.block - 1 - _LATELY, -1), -1):
            mentions = [m for s in self.of_block(block) for m in self.mentions(s)]
            if mentions:
                found = Subject(mentions[0], BEHIND, mentions[1:], nearby=self._around(sentence))
                break
        self._late[sentence.block] = found
        return found

    def _around(self, sentence: Sentence) -> list[Mention]:
        """The products that the few blocks before a sentence's own, and its heading, name: the last block's first."""
        known = self._nearby.get(sentence.block)
        if known is not None:
            return known
        blocks = list(range(sentence.block - 1, max(sentence.block - 1 - _LATELY, -1), -1))
        heading = self._headings[sentence.block]
        if heading >= 0 and heading not in blocks:
            blocks.append(heading)
        named = (m for block in blocks for s in self.of_block(block) for m in self.mentions(s))
        found = self._nearby[sentence.block] = list(islice(named, _MOST_AROUND))
        return found

    def _in_table(self, sentence: Sentence) -> Subject:
        """The product of a cell's row or column, or of the table's caption."""
        block = self.document.blocks[sentence.block]
        table = self.document.tables[block.table]
        found: list[Mention] = []
        for row, column in ((block.row, 0), (0, block.column)):
            if (row, column) != (block.row, block.column):
                found += self._cell_mentions(table.rows, row, column)
        if not found and block.row > 0:
            found += [m for column, m in self._named_in_row(block.table, block.row) if column != block.column]
        if found:
            return Subject(found[0], STRONG if len(found) == 1 else WEAK, found[1:])
        found = self._cell_mentions(table.rows, 0, 0)
        if not found and table.before >= 0:
            found = [m for s in self.of_block(table.before) for m in self.mentions(s)]
        if found:
            return Subject(found[0], CARRIED, found[1:])
        return self._heading(sentence)

    def _named_in_row(self, table: int, row: int) -> list[tuple[int, Mention]]:
        """The cells of a row, after its label, that hold a product's name and no figure, by their columns."""
        found = self._rows.get((table, row))
        if found is None:
            rows, found = self.document.tables[table].rows, []
            for column in range(1, min(len(rows[row]), _MOST_COLUMNS)):
                mentions = self._cell_mentions(rows, row, column)
                if len(mentions) == 1 and not self._cell_figures(rows, row, column):
                    found.append((column, mentions[0]))
            self._rows[table, row] = found
        return found

    def _cell_mentions(self, rows: list[list[int]], row: int, column: int) -> list[Mention]:
        block = rows[row][column] if row < len(rows) and column < len(rows[row]) else -1
        return [m for s in self.of_block(block) for m in self.mentions(s)] if block >= 0 else []

    def _cell_figures(self, rows: list[list[int]], row: int, column: int) -> bool:
        return any(s.figures for s in self.of_block(rows[row][column]))

    def _lead_in(self, item: int) -> Subject | None:
        """The product that a list's lead-in, or the item that the list is in, is about."""
        while item >= 0:
            entry = self.document.items[item]
            blocks = [self.document.lists[entry.list].lead_in]
            if entry.parent >= 0:
                blocks += self.document.items[entry.parent].blocks[:1]
            for block in blocks:
                mentions = [m for s in self.of_block(block) for m in self.mentions(s)] if block >= 0 else []
                if mentions:
                    return Subject(mentions[0], CARRIED, mentions[1:])
            item = entry.parent
        return None

    def heading_of(self, block: int) -> int:
        """The index of the heading above a block, -1 if there is none."""
        return self._headings[block]

    def heading_around(self, heading: int) -> int:
        """The heading of the section that a heading's own section is in, -1 if there is none."""
        level, at = self.document.blocks[heading].level, self._headings[heading]
        while at >= 0 and self.document.blocks[at].level >= level:
            at = self._headings[at]
        return at

    def _below(self, sentence: Sentence) -> Subject | None:
        """As in the heading "1.4 TB for every board" over "The HGX B200 has ...": the one product told of below."""
        first = self.of_block(sentence.block + 1)[:1] if sentence.block + 1 < len(self.document.blocks) else []
        mentions = [m for s in first for m in self.mentions(s)]
        return Subject(mentions[0], BEHIND, []) if len({m.product for m in mentions}) == 1 else None

    def _heading(self, sentence: Sentence) -> Subject:
        """The product that the heading above names."""
        heading = self._headings[sentence.block]
        mentions = [m for s in self.of_block(heading) for m in self.mentions(s)] if heading >= 0 else []
        return Subject(mentions[0], CARRIED, mentions[1:]) if mentions else NOBODY


def _stand_in(product: Product, figure: Figure) -> Mention:
    """A mention of a product that a figure alone names: "Google's 4,614 TFLOPS"."""
    return Mention(figure.start, figure.start, product.id, product.vendor, product.unit, Decimal(1))


def _headings(document: Document) -> list[int]:
    """For each block the index of the heading above it, -1 if there is none."""
    above, headings = -1, []
    for index, block in enumerate(document.blocks):
        headings.append(above)
        if block.kind == "heading":
            above = index
    return headings


def multiplicity(subject: Subject) -> Decimal:
    """How many of its product a subject speaks of."""
    return subject.mention.count if subject.mention else Decimal(1)
