"""Which figures say how much more or less something is than something else."""

from __future__ import annotations

from caveat.article import Article
from caveat.checks.surroundings import asked_for_gain
from caveat.figures.figure import Figure
from caveat.figures.words import NUMBER_WORDS
from caveat.language.phrases import Mark
from caveat.reading.sentences import Sentence
from caveat.reading.statements import Statement

# Kinds of phrases by a ratio that make it one of more or less, and by a percentage.
_COMPARING = (
    "change",
    "comparative-adjective",
    "change-noun",
    "measured-noun",
    "speed-word",
    "change-verb",
    "deed-verb",
    "changing-verb",
    "gain-noun",
)
_CHANGING = ("change", "comparative-adjective", "change-noun")
_LEADING = ("change", "change-noun", "change-verb", "deed-verb", "changing-verb")
# How many words before and behind a ratio, and a percentage, they may stand, and how many before "by half".
_WORD_BEFORE, _WORD_BEHIND = 4, 6
_CHANGE_BEFORE, _CHANGE_BEHIND = 2, 1
_LEAD_REACH = 8
# How many words behind "half" the thing may stand that is halved; from how many on it is that of a named whole.
_NOUN_REACH = 4
_MODIFIED = 2
# How far behind a part its verb may stand, and how far before a figure a word of wishing.
_VERB_REACH = 16
_WISH_REACH = 6
# "Shaves a stated 30% off": how many words may stand between.
_SHAVE_REACH = 4
# "Puts NVIDIA's HBM3E at 90%": how far before its share a verb of counting may stand.
_COUNTED_REACH = 8
_BREAKS = frozenset((",", ";", ":", "(", ")", "because", "so", "while", "if", "at"))
_STOPS = frozenset((",", ";", ":", "."))
_BEING = frozenset(("is", "are", "was", "were", "been", "has", "have", "had", "being"))
_VERBS = frozenset(("is", "are", "was", "were", "goes", "go", "comes", "come", "went", "gets"))
# Before a figure that is no claim of its own: of a formula, of a bound, or told before ("the 2x above").
_POINTING = frozenset(("=", "be", "≈", "*", "within", "the", "this", "that", "these", "those", "same"))
# Before "be" in what ought to be, and is not claimed.
_ADVISING = frozenset(("should", "must", "would", "ought"))
# Behind a percentage that is a share, and before one that is lost of a whole.
_SHARED = frozenset(("of", "have", "has", "had", "are", "is", "were", "do", "did"))
_LOSING = frozenset(("lose", "loses", "lost", "losing", "at"))
# Behind "2x as" where it is no "2x as fast": "as a rule", "as four copies".
_NO_ADJECTIVES = NUMBER_WORDS | {"a", "an", "the", "our", "their", "its"}
_DETERMINERS = frozenset(("the", "its", "their", "as", "of", "our"))
_SINGULAR = frozenset(("its", "as", "'s", "less", "this"))


class Comparatives:
    """Tells the comparative figures of one draft."""

    def __init__(self, article: Article) -> None:
        self.article = article
        self.tokens = article.tokens

    def compares(self, statement: Statement) -> bool:
        """Whether a figure says how much more or less something is, and not which part of it."""
        figure, sentence = statement.figure, statement.sentence
        if self._of_list_price(figure, sentence):
            return False
        if figure.kind == "percent":
            return self._is_at_share(figure, sentence) if figure.is_share else self._is_change(statement)
        if figure.quantity.low == figure.quantity.high == 1:
            return False
        if self._is_no_gain(figure, sentence):
            return False
        if figure.quantity.high < 1:
            return self._is_less(figure, sentence)
        return figure.in_words or self._is_of_something(figure, sentence)

    def _is_of_something(self, figure: Figure, sentence: Sentence) -> bool:
        """Whether words around a ratio say in what something is more or less: "2x faster", "a 2x gain"."""
        if self.article.document.blocks[sentence.block].table >= 0:
            return True
        first, last = self.tokens.first_from(figure.start), self.tokens.first_from(figure.end)
        words = self.tokens.words
        if words[last : last + 1] == ["as"] and _NO_ADJECTIVES.isdisjoint(words[last + 1 : last + 2]):
            return True  # "4x as fast"
        if words[last : last + 1] == ["the"]:
            return True  # "2.3x the lookups"
        before = (m for kind in _COMPARING for m in sentence.of_kind(kind) if 0 <= first - m.last < _WORD_BEFORE)
        if any(self._is_whole(mark.last, first) for mark in before):
            return True
        behind = (
            m for kind in (*_COMPARING, "metric") for m in sentence.of_kind(kind) if 0 <= m.first - last < _WORD_BEHIND
        )
        return any(self._is_whole(last, mark.first) for mark in behind)

    def _is_whole(self, start: int, stop: int) -> bool:
        """Whether no punctuation and no conjunction stands in a stretch of tokens."""
        return _BREAKS.isdisjoint(self.tokens.words[start:stop])

    def _is_less(self, figure: Figure, sentence: Sentence) -> bool:
        """Whether a fraction compares: "half the cost", "a third less", "cut by two-thirds"; not "one in four"."""
        first, last = self.tokens.first_from(figure.start), self.tokens.first_from(figure.end)
        words = self.tokens.words
        if "in" in words[first:last] or self._is_part(first, last, sentence):
            return False
        if words[first][:1].isdigit() and words[last : last + 1] == ["of"]:
            return False  # "1 / 3 of the compute"
        if self._is_of_measure(figure, sentence) or words[last : last + 1] == ["as"]:
            return True
        return figure.in_words and (
            words[first].startswith("halv")
            or any(0 <= mark.first - last <= 1 for mark in sentence.of_kind("change"))
            or self._led_by_change(figure, sentence)
        )

    def _is_part(self, first: int, last: int, sentence: Sentence) -> bool:
        """As in "a quarter of the energy is lost", "eats a fifth of the power", "a fifth of the list rate"."""
        words = self.tokens.words
        if words[last : last + 1] != ["of"]:
            return False
        if any(mark.last == first for mark in sentence.of_kind("share-verb")):
            return True
        if any(last + _MODIFIED < m.first <= last + _NOUN_REACH for m in sentence.of_kind("measured-noun")):
            return True
        stop = next((at for at in range(last, sentence.last) if words[at] in _STOPS), sentence.last)
        return not _VERBS.isdisjoint(words[last : min(stop, last + _VERB_REACH)])

    def _is_no_gain(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "= 10x parameter count", "within 2x", "3x zoom", "that number halved,", "we want 2x"."""
        first, last = self.tokens.first_from(figure.start), self.tokens.first_from(figure.end)
        words = self.tokens.words
        if words[first - 1] in _POINTING and not self._is_promised(first, last, sentence):
            return True
        if sentence.has("no-gain") or words[last : last + 1] == ["here"]:
            return True
        if words[last : last + 2] == [",", "not"]:
            return True  # "costs 2x, not 18x"
        if figure.in_words and words[first] in words[sentence.first : first]:
            return True  # "a double batch gave double throughput"
        halted = last < sentence.last and words[last] in _STOPS
        if words[first].endswith("ed") and halted and words[first - 1] not in _BEING:
            return True
        return self._is_wished(first, last, sentence)

    def _is_promised(self, first: int, last: int, sentence: Sentence) -> bool:
        """As in "will be 3x faster", "is said to be 10x cheaper"; not "should be 2x larger"."""
        words = self.tokens.words
        if words[first - 1] != "be" or words[first - 2] in _ADVISING:
            return False
        return any(mark.first == last for mark in sentence.of_kind("change"))

    def _is_wished(self, first: int, last: int, sentence: Sentence) -> bool:
        """As in "we want 10x", "you need twice more": what is asked for."""
        wishes = [mark for mark in sentence.of_kind("wish-word") if 0 <= first - mark.last <= _WISH_REACH]
        more = any(0 <= m.first - last <= 1 and m.value == "more" for m in sentence.of_kind("change"))
        return any(mark.value == "wish" or more for mark in wishes)

    def _is_change(self, statement: Statement) -> bool:
        """Whether a percentage is of more or less: "40% cheaper", "cut by 30%", a column of gains."""
        figure, sentence = statement.figure, statement.sentence
        first, last = self.tokens.first_from(figure.start), self.tokens.first_from(figure.end)
        before = self.tokens.words[first - 1]
        if statement.followed_by in _SHARED or before in _LOSING:
            return False
        if asked_for_gain(self.article, statement) is not None:
            return True
        if before in _POINTING and not self._is_promised(first, last, sentence):
            return False
        if self.article.document.blocks[sentence.block].table < 0:
            return self._is_by_change(figure, sentence) or self._led_by_change(figure, sentence)
        labels = [s for s in self.article.labels(sentence) if s is not sentence]
        signed = self.article.words(figure.start, figure.end)[:1] in "+-−–"
        return (
            signed
            or self._is_by_change(figure, sentence)
            or any(s.has("change-noun") or s.has("customer-label") for s in labels)
        )

    def _is_by_change(self, figure: Figure, sentence: Sentence) -> bool:
        """Whether a word of more or less stands right by a figure: "40% cheaper", "a 40% gain", "fell 40%"."""
        first, last = self._first(figure), self.tokens.first_from(figure.end)
        if self.tokens.words[first - 1] == "to":
            return False  # "rose to 80%"
        marks = (m for kind in _CHANGING for m in sentence.of_kind(kind) if not self._is_in_compound(m))
        return any(
            0 <= mark.first - last <= _CHANGE_BEHIND or 0 <= first - mark.last <= _CHANGE_BEFORE for mark in marks
        )

    def _is_in_compound(self, mark: Mark) -> bool:
        """As in "all-reduce", "reduce-scatter": a word of change that is part of the name of something else."""
        prose = self.article.document.prose
        before, behind = prose[max(0, mark.start - 2) : mark.start], prose[mark.end : mark.end + 2]
        return (before[:1].isalpha() and before[1:] == "-") or (behind[:1] == "-" and behind[1:].isalpha())

    def _is_at_share(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "the same work at 40% of the cost"; not "40% of the cost of the rack is memory".

        Whom somebody "puts at 40% of the output" has a share of it.
        """
        first, words = self._first(figure), self.tokens.words
        at = words[first - 1] == "at" and self._is_of_measure(figure, sentence)
        counted = any(0 < first - mark.first <= _COUNTED_REACH for mark in sentence.of_kind("placing-verb"))
        return at and not counted and not self._is_part(first, self.tokens.first_from(figure.end), sentence)

    def _first(self, figure: Figure) -> int:
        """The first token of a figure, its qualifier counted in: "by up to 50%"."""
        start = figure.qualifier_span[0] if figure.qualifier_span else figure.start
        return self.tokens.first_from(min(start, figure.start))

    def _led_by_change(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "cut by two-thirds", "a reduction of half"."""
        first = self._first(figure)
        led = self.tokens.words[first] == "by" or self.tokens.words[first - 1] in (
            "by",
            "of",
        )  # "by up to" is one phrase
        return led and any(
            0 <= first - mark.last <= _LEAD_REACH for kind in _LEADING for mark in sentence.of_kind(kind)
        )

    def _is_of_measure(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "half the cost", "a third of the power": of an amount, and no part of a number of things."""
        last = self.tokens.first_from(figure.end)
        words = self.tokens.words[last : last + 2]
        if not words or words[0] not in _DETERMINERS:
            return False
        nouns = [m.first for m in sentence.of_kind("measured-noun") if 0 <= m.first - last <= _NOUN_REACH]
        behind = (self.tokens.words[at - 1] for at in nouns)
        return any(not word.endswith("s") or word in _SINGULAR for word in behind)

    def _of_list_price(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "20% off", "a 10% discount": of the price that is asked."""
        first, last = self.tokens.first_from(figure.start), self.tokens.first_from(figure.end)
        if any(0 <= first - mark.last <= _SHAVE_REACH for mark in sentence.of_kind("shaving-verb")):
            return False  # "shave up to 50% off their bill"
        marks = sentence.of_kind("reduction-of-list")
        return any(0 <= m.first - last <= 1 or 0 <= first - m.last <= 1 for m in marks)
