"""What a sentence sets a figure against: the other side behind a ratio, words such as "than", two products."""

from __future__ import annotations

from caveat.article import Article
from caveat.checks.omissions.models import ends_in_size
from caveat.figures.figure import Figure, Number
from caveat.figures.words import CARDINALS
from caveat.language.phrases import Mark
from caveat.reading.sentences import Sentence

# How many words behind a ratio its product may stand ("2x H100 throughput"), and the "of" of the other side.
_RIGHT_BEHIND = 3
_OF_REACH = 8
# How many words behind a ratio "as" and a clause may begin; behind "from", the old value.
_AS_REACH = 24
_CLAUSE_REACH = 6
_FROM_REACH = 4
# "A third of the time the T4 took": so many words up to the other side, if the verb is its own.
_WHOLE_OF = 4
# How many words before a word for the other side "than" may stand, and between two products that are one side.
_LED_REACH = 4
_HELD_REACH = 5
_OPENERS = frozenset(
    ("the", "a", "an", "its", "their", "our", "that", "those", "what", "any", "one", "another", "each", "this")
)
_CLOSERS = frozenset(
    (".", ",", ";", ":", "(", ")", "and", "but", "in", "on", "for", "with", "at", "by", "per", "from", "to", "of")
)
_WITHIN = frozenset(("of", "per", "in", "on"))
# What ends "of the time GPUs take": a clause without "that".
_TAKING = frozenset(("take", "takes", "took", "need", "needs", "needed", "use", "uses", "used", "cost", "have", "has"))
_CLAUSES = frozenset(("that", "which", "it", "they", "what", "we", "you"))
_BREAKS = frozenset((",", ";", ":", "(", ")"))
_JOINING = frozenset(("and", "but", "so", "yet", "because"))
# First words of a clause that sets the scene for a comparison: "where conventional servers need a chiller".
_SETTING = frozenset(("where", "whereas", "while", "when", "for", "over", "from", "of"))
# "Trainium2 in Trn2 instances": between two names that are one side, and never between two sides.
_HOLDING = frozenset(("in", "into", "inside", "within", "on", "onto"))
_APART = frozenset((",", ";", "and", "or", "than", "from", "to"))
# What a number behind "over" may be that is no figure: "over 3.1", "over v5e".
_UNITLESS = frozenset(("version", "name", "number"))
_POINTERS = frozenset(("the", "that", "those", "its", "their"))


class Comparands:
    """Tells what sentences of one draft set figures against."""

    def __init__(self, article: Article) -> None:
        self.article = article
        self.tokens = article.tokens

    def names_other_side(self, sentence: Sentence, figure: Figure | None = None) -> bool:
        """Whether words of a sentence set something against something, or say that they do not.

        With a `figure`, only words that can belong to it count.
        """
        if sentence.has("no-baseline") or self.tokens.words[sentence.first : sentence.first + 1] == ["without"]:
            return True
        people = {mark.first for mark in sentence.of_kind("other-noun")}
        marks = [mark for mark in sentence.of_kind("baseline-word") if mark.last not in people]
        marks += [mark for mark in sentence.of_kind("comparative") if mark.value != "equal"]
        marks += [mark for mark in sentence.of_kind("against-word") if self.leads(mark, sentence)]
        return any(figure is None or self._belongs(mark, figure, sentence) for mark in marks)

    def _belongs(self, mark: Mark, figure: Figure, sentence: Sentence) -> bool:
        """Whether a word for the other side can be about a figure: "As rivals stumble, Groq claims 10x" has none."""
        words = self.tokens.words
        first, last = self.tokens.first_from(figure.start), self.tokens.first_from(figure.end)
        low, high = (mark.last, first) if mark.last <= first else (last, mark.first)
        breaks = [at for at in range(low, high) if words[at] in _BREAKS]
        if not breaks or self.article.document.blocks[sentence.block].table >= 0:
            return True
        if mark.kind == "baseline-word":
            return mark.value != "baseline" or self._is_led(mark, figure, sentence)
        return mark.last <= first or not self._is_elsewhere(mark, breaks, sentence)

    def _is_led(self, mark: Mark, figure: Figure, sentence: Sentence) -> bool:
        """Whether a word such as "rivals" is set against something where it stands, beyond a comma from a figure."""
        words, start, stop = self.tokens.words, mark.first, mark.last
        while start > sentence.first and words[start - 1] not in _BREAKS:
            start -= 1
        while stop < sentence.last and words[stop] not in _BREAKS:
            stop += 1
        if words[start] in _SETTING or any(
            start <= m.first <= mark.first and mark.first - m.last <= _LED_REACH
            for m in sentence.of_kind("against-word")
        ):
            return True
        beside = (f for f in sentence.figures if f is not figure and f.kind in ("ratio", "percent"))
        return any(start <= self.tokens.first_from(f.start) < stop for f in beside)

    def _is_elsewhere(self, mark: Mark, breaks: list[int], sentence: Sentence) -> bool:
        """As in "..., and on price Trainium3 crushes the H200": a clause behind a figure about a product of its own."""
        joined = [at for at in breaks if self.tokens.words[at] == ";" or self.tokens.words[at + 1] in _JOINING]
        if not joined:
            return False
        start = self.tokens.starts[joined[0]]
        if any(f.kind in ("ratio", "percent") and f.start > start for f in sentence.figures):
            return False
        return any(start < m.start < mark.start for m in self.article.subjects.mentions(sentence))

    def leads(self, mark: Mark, sentence: Sentence) -> bool:
        """Whether "than" or "over" leads to the other side, and not to the figure: "more than 2x", "over 40%"."""
        if mark.value == "behind":
            return False
        starts = [
            self.tokens.first_from(f.start)
            for f in sentence.figures
            if f.qualifier_span and f.qualifier_span[0] <= mark.start < f.start
        ]
        if mark.last in starts or mark.last >= sentence.last:
            return False
        if self.tokens.words[mark.first] == "while" and self.tokens.words[mark.last].endswith("ing"):
            return False  # "while running"
        return mark.value != "over" or self._leads_over(mark.last, sentence) or self._is_gain_over(mark, sentence)

    def _is_gain_over(self, mark: Mark, sentence: Sentence) -> bool:
        """As in "a speed-up over greedy decoding": what a gain is over; not "a gain over several years"."""
        gains = {m.last for kind in ("gain-word", "change-noun") for m in sentence.of_kind(kind)}
        number = self.tokens.words[mark.last][:1].isdigit() or self.tokens.words[mark.last] in CARDINALS
        return (
            mark.first in gains and not number and all(m.first != mark.last for m in sentence.of_kind("stretch-noun"))
        )

    def _leads_over(self, at: int, sentence: Sentence) -> bool:
        """As in "over the H100", "over its predecessor"; not "over 40%", "over the past year", "over time"."""
        words, start = self.tokens.words, self.tokens.starts[at]
        if any(number.start == start and number.reading in _UNITLESS for number in sentence.numbers):
            return True
        if words[at] in _OPENERS:
            return not any(m.first == at + 1 for m in sentence.of_kind("stretch-noun"))
        return self._is_name(at) or any(
            m.first == at for m in (*sentence.of_kind("baseline-word"), *sentence.of_kind("other-side"))
        )

    def _is_name(self, at: int) -> bool:
        """Whether a word is written as a name: "Blackwell", "v5e"."""
        word = self.article.document.prose[self.tokens.starts[at] : self.tokens.ends[at]]
        return word[:1].isupper() or (word[:1].isalpha() and any(sign.isdigit() for sign in word))

    def has_other_side(self, figure: Figure, sentence: Sentence) -> bool:
        """Whether the words behind a ratio give what it is over."""
        return (
            self._is_of_other(figure, sentence)
            or self._is_multiple_of(figure, sentence)
            or self._is_as_much(figure, sentence)
            or self._is_in_clause(figure, sentence)
        )

    def _is_as_much(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "5x as many tokens from Trainium3 as from Trainium2", "twice as fast as the last one"."""
        last = self.tokens.first_from(figure.end)
        words = self.tokens.words[last : min(sentence.last, last + _AS_REACH)]
        return words[:1] == ["as"] and "as" in words[1:]

    def _is_in_clause(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "three times the bandwidth that it has on the H200": a product in a clause behind the ratio."""
        behind = self.tokens.words[self.tokens.first_from(figure.end) : sentence.last]
        if behind[:2] == ["of", "the"] and not _TAKING.isdisjoint(behind[4:5]):
            return True  # "a quarter of the time GPUs take"
        for mention in self.article.subjects.mentions(sentence):
            if mention.start < figure.end:
                continue
            between = self.tokens.words[self.tokens.first_from(figure.end) : self.tokens.first_from(mention.start)]
            if between[:2] == ["of", "the"]:
                return len(between) == _WHOLE_OF  # "a third of the time the T4 took"
            return not _CLAUSES.isdisjoint(between) and between[:1] == ["the"] and "," not in between
        last = self.tokens.first_from(figure.end)
        words = self.tokens.words[last : sentence.last]
        if words[:1] == ["the"] and self._named_clause(last, sentence):
            return True
        return words[:1] == ["the"] and not _CLAUSES.isdisjoint(words[2:_CLAUSE_REACH])

    def _named_clause(self, last: int, sentence: Sentence) -> bool:
        """As in "twice the tokens per dollar that ROCm 6 gave": a clause behind a ratio that begins with a name."""
        stop = min(sentence.last - 1, last + _AS_REACH)
        clauses = [at for at in range(last, stop) if self.tokens.words[at] == "that"]
        return any(self._is_name(at + 1) and _BREAKS.isdisjoint(self.tokens.words[last:at]) for at in clauses)

    def _is_of_other(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "1.9x the throughput of the H100": what the ratio is over stands behind an "of"."""
        last = self.tokens.first_from(figure.end)
        words = self.tokens.words
        for at in range(last + 1, min(sentence.last - 1, last + _OF_REACH)):
            if words[at] in _CLOSERS and words[at] not in _WITHIN:
                return False
            if words[at] == "of" and at > last:
                named = words[at + 1] in _OPENERS or self._is_name(at + 1) or self._is_number_of(at + 2, sentence)
                return named or any(m.first == at + 1 for m in sentence.of_kind("other-side"))
        return False

    def _is_number_of(self, at: int, sentence: Sentence) -> bool:
        """As in "the throughput of eight H100s": a product at a token, with a number before it."""
        mentions = self.article.subjects.mentions(sentence)
        return any(m.count != 1 and self.tokens.first_from(m.start) == at for m in mentions)

    def _is_multiple_of(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "twice that", "1.8x Trainium3's", "2x what it was": the other side right behind the ratio."""
        last = self.tokens.first_from(figure.end)
        own = self.tokens.words[last : last + 1] in (["its"], ["their"])
        if figure.quantity.low > 1 and own and self._is_sign(figure):
            return True
        behind = (m.first for m in sentence.of_kind("against-word") if m.value == "behind" and 0 <= m.first - last <= 1)
        if any(_CLOSERS.isdisjoint(self.tokens.words[last:at]) for at in behind):
            return True
        if any(self._is_printed_behind(number, last) for number in sentence.numbers):
            return True
        for mention in self.article.subjects.mentions(sentence):
            gap = self.tokens.first_from(mention.start) - last
            if 0 <= gap <= _RIGHT_BEHIND and _CLOSERS.isdisjoint(self.tokens.words[last : last + gap]):
                return True
        return False

    def _is_printed_behind(self, number: Number, last: int) -> bool:
        """As in "doubles the 989 TFLOPS of BF16": what is multiplied is printed."""
        printed = number.figure is not None and number.figure.kind not in ("ratio", "percent")
        at = self.tokens.first_from(number.start)
        return printed and at == last + 1 and self.tokens.words[last] in _POINTERS

    def _is_sign(self, figure: Figure) -> bool:
        """Whether a ratio is no verb: "4x its bandwidth" is over something else, "doubles its bandwidth" is not."""
        word = self.tokens.words[self.tokens.first_from(figure.start)]
        return not word.endswith(("led", "les", "ling", "ble", "ple"))

    def sides(self, sentence: Sentence, stop: int) -> set[str | int]:
        """The products before an offset that can be two sides; a model is none, nor is what stands in another."""
        models = {mark.start for mark in sentence.of_kind("model-family")}
        found, before = set[str | int](), -1
        for mention in self.article.subjects.mentions(sentence):
            if mention.end > stop or mention.start in models:
                continue
            if not ends_in_size(self.article.words(mention.start, mention.end)):
                if before < 0 or not self._holds(before, mention.start):
                    found.add(mention.product or mention.start)
                before = mention.end
        return found

    def _holds(self, end: int, start: int) -> bool:
        """Whether the words between two names make them one side: "Trainium2 in Trn2 instances"."""
        between = self.tokens.words[self.tokens.first_from(end) : self.tokens.first_from(start)]
        return len(between) <= _HELD_REACH and not _HOLDING.isdisjoint(between) and _APART.isdisjoint(between)

    def _is_amount(self, sentence: Sentence, first: int) -> bool:
        """Whether an amount stands close behind "from": "from the 540 ms of May"; not "from ROCm 7"."""
        stop = min(sentence.last, first + _FROM_REACH)
        named = {self.tokens.first_from(n.start) for n in sentence.numbers if n.reading in ("name", "version")}
        amounts = [at for at in range(first, stop) if self.tokens.words[at][:1].isdigit()]
        return any(at == first or (at not in named and not self._is_name(at - 1)) for at in amounts)

    def moves(self, sentence: Sentence, *, own: bool) -> bool:
        """As in "from 12 ms to 9 ms", "down from the 540 ms of May": an old value is printed."""
        words = self.tokens.words
        products = [self.tokens.first_from(m.start) for m in self.article.subjects.mentions(sentence)]
        moving = {mark.last for mark in sentence.of_kind("moving-word")}
        for at in range(sentence.first, sentence.last - 1):
            if words[at] != "from":
                continue
            if at in moving and any(0 < p - at <= _FROM_REACH for p in products):
                return True
            if self._is_amount(sentence, at + 1) or words[at - 1] in ("down", "up"):
                return True
            if own and "to" in words[at + 1 : min(sentence.last, at + 2 * _FROM_REACH)]:
                return True
        return False
