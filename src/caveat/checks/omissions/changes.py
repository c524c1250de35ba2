"""Changes over time, by what somebody did, or with what they depend on: what was before is the other side."""

from __future__ import annotations

from caveat.article import Article
from caveat.figures.figure import Figure
from caveat.language.phrases import Mark
from caveat.reading.sentences import Sentence

# How many words before a figure a deed may stand, and how far into a condition its figure.
_DEED_REACH = 8
_CONDITION_REACH = 8
_EVERY_REACH = 3
_TIMES = frozenset(("year", "years", "quarter", "quarters", "month", "months", "week", "weeks", "day", "days",
                    "generation", "generations", "decade"))  # fmt: skip
_YEAR_LEADS = frozenset(("in", "by", "between", "from", "to", "until", "of", "for"))
_MONTHS = frozenset(("january", "february", "march", "april", "may", "june", "july", "august", "september",
                     "october", "november", "december", "spring", "summer", "autumn", "winter", "early", "late",
                     "mid"))  # fmt: skip
_CAUSING = frozenset(("by", "after", "the", "this", "that", "with", "from", ",", "we", "they", "you", "i"))
_DOERS = frozenset(("we", "i", "have", "ve"))
_CONDITIONS = frozenset(("when", "whenever", "if", "as", "each", "every", "once"))
_SUPPLYING = frozenset(("with", "at", "on", "for", "across"))


class Changes:
    """Tells which sentences of one draft are of a change that has its own baseline."""

    def __init__(self, article: Article) -> None:
        self.article = article
        self.tokens = article.tokens

    def has_start(self, figure: Figure, sentence: Sentence) -> bool:
        """Whether a figure tells a change in time, what the writer did, or what follows on a step."""
        return self._in_time(sentence) or self._was_done(figure, sentence) or self._is_law(figure, sentence)

    def _in_time(self, sentence: Sentence) -> bool:
        """As in "rose 40% last year", "has doubled since 2022": a change, and the time that it took."""
        spans = [mark for mark in sentence.of_kind("time-span") if mark.value != "every" or self._is_of_time(mark)]
        if sentence.has("change-verb") and any(mark.value != "growth" for mark in spans):
            return True
        if not sentence.has("change-verb", "changed"):
            return False
        years = (n for n in sentence.numbers if n.reading in ("year", "date") and self._leads_to_year(n.start))
        return bool(spans) or any(years)

    def _is_of_time(self, mark: Mark) -> bool:
        """As in "every year", "every 18 months"; not "in every paragraph"."""
        return not _TIMES.isdisjoint(self.tokens.words[mark.last : mark.last + _EVERY_REACH])

    def _leads_to_year(self, start: int) -> bool:
        at = self.tokens.first_from(start) - 1
        at -= self.tokens.words[at] in _MONTHS
        return self.tokens.words[at] in _YEAR_LEADS

    def _was_done(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "We cut latency by 30%": what was before is what it compares with."""
        first, words = self.tokens.first_from(figure.start), self.tokens.words
        deeds = [m.first for m in sentence.of_kind("deed-verb") if m.first <= first and first - m.last <= _DEED_REACH]
        opens = any(m.first <= sentence.first + 1 and m.first <= first for m in sentence.of_kind("deed-verb"))
        return (opens and words[sentence.first] in _DOERS) or any(words[at - 1] in _DOERS for at in deeds)

    def _is_law(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "Double the batch and latency grows 60%", "with twice the cards it was 1.7x faster"."""
        words, first = self.tokens.words, sentence.first
        if words[first] in _CONDITIONS or words[first] in _SUPPLYING:
            return self._opens_with_amount(sentence)
        steps = {mark.value for mark in sentence.of_kind("step-verb") if mark.first == first}
        if "put" in steps and figure.in_words:
            return True  # "Give the queue twice the workers"
        joints = [at for at in range(first + 2, sentence.last - 1) if words[at] == "and"]
        called = {mark.first for mark in sentence.of_kind("call-to-act")}
        return bool(steps) and any(at + 1 not in called for at in joints[:1])

    def _opens_with_amount(self, sentence: Sentence) -> bool:
        """As in "when the context doubles, ...", "with twice the cards ...": more or less of what is put in."""
        figure = next((f for f in sentence.figures if f.kind == "ratio" and f.in_words), None)
        if figure is None:
            return False
        first, last = self.tokens.first_from(figure.start), self.tokens.first_from(figure.end)
        if first - sentence.first > _CONDITION_REACH or "," in self.tokens.words[sentence.first : first]:
            return False
        if self.tokens.words[sentence.first] in _CONDITIONS:
            return "," in self.tokens.words[last : sentence.last]
        return any(0 < mark.first - last <= 1 for mark in sentence.of_kind("counted"))

    def tells_cause(self, sentence: Sentence) -> bool:
        """Whether a sentence tells of something that was done, before which there was the baseline."""
        words = self.tokens.words
        for mark in sentence.of_kind("cause-word"):
            if mark.first <= sentence.first or words[mark.first - 1] in _CAUSING:
                return True
            if mark.first == sentence.first + 1:
                return True
        return self.article.sourcing.own(sentence).own and sentence.has("movement-verb")

    def is_feature(self, sentence: Sentence) -> bool:
        """As in "By combining FP4 and caching, Dynamo delivers up to 2x": how a thing is made, not what was changed."""
        by = self.tokens.words[sentence.first] == "by"
        made = by and any(mark.first == sentence.first + 1 for mark in sentence.of_kind("cause-word"))
        return made and sentence.has("offering-verb") and not self.article.sourcing.is_own(sentence)
