"""How a sentence holds what it says: as a question, a supposition, a correction, a doubt, a rejection."""

from __future__ import annotations

from itertools import pairwise

from caveat.figures.figure import Figure
from caveat.language.tokens import Tokens
from caveat.markdown.document import Document
from caveat.reading.sentences import Sentence

# "If an H200 had 192 GB": how far behind "if" its verb may stand.
_IF_REACH = 6
# "Do not ever compare": how far behind a refusal its verb may stand.
_REFUSAL_REACH = 2
# First words of a sentence that dismiss what it repeats, and of one that works an example.
_DISMISSING = frozenset(("ignore", "disregard", "forget"))
_WORKED = frozenset(("take", "consider", "picture"))
_CORRECTING = frozenset(("correction", "corrections", "erratum", "errata"))
# Stances that assert a figure and no comparison, or that need no source for it.
_ASSERTING = frozenset(("unlike", "worked"))
_PRONOUNS = frozenset(("it", "they", "that", "this"))
_AUXILIARIES = frozenset(("has", "have", "does", "do", "did", "is", "are", "was", "were", "will", "can"))
_CLOSERS = "\"'”’)]* \t\r\n"
# How many words may stand between a word of rejection and the figure that it rejects.
_REACH = 5


class Stances:
    """The stances of all sentences of a draft, told once and asked often."""

    def __init__(self, document: Document, tokens: Tokens, sentences: list[Sentence]) -> None:
        self._tokens = tokens
        self._stances = [_own_stance(sentence, document.prose, tokens) for sentence in sentences]
        self._carry(sentences)
        self._correct_below(document, sentences)

    def of(self, sentence: Sentence) -> set[str]:
        """Any of "question", "supposed", "corrected", "doubted", "unlike" and "worked"."""
        return self._stances[sentence.index]

    def silences(self, sentence: Sentence) -> bool:
        """Whether nothing in the sentence is asserted, so that no figure in it can be wrong (GUIDE, ruling 14)."""
        return bool(self._stances[sentence.index] - _ASSERTING)

    def disowns(self, sentence: Sentence) -> bool:
        """Whether the sentence asserts no comparison: nothing at all, or that its figures are not alike."""
        return bool(self._stances[sentence.index])

    def rejects(self, sentence: Sentence, figure: Figure) -> bool:
        """Whether the words by a figure deny it: "does not have 94 GB", "3,958 TFLOPS is not its dense rate"."""
        negations = sentence.of_kind("negation")
        if not negations:
            return False
        first, last = self._tokens.first_from(figure.start), self._tokens.first_from(figure.end)
        for mark in negations:
            start, stop = mark.first, mark.last
            before = 0 <= first - stop <= _REACH and not self._broken(stop, first)
            behind = 0 <= start - last <= 2 and not self._broken(last, start)
            if before or behind:
                return True
        return False

    def _broken(self, start: int, stop: int) -> bool:
        """Whether punctuation ends the reach of a rejection."""
        return any(self._tokens.words[at] in (",", ";", ":", "but", "(") for at in range(start, stop))

    def _correct_below(self, document: Document, sentences: list[Sentence]) -> None:
        """Under a heading "Errata" or "Corrections" every sentence is one."""
        below = False
        for sentence in sentences:
            if document.blocks[sentence.block].kind == "heading":
                below = "corrected" in self._stances[sentence.index]
            elif below:
                self._stances[sentence.index].add("corrected")

    def _carry(self, sentences: list[Sentence]) -> None:
        """A supposition and a correction hold on through their paragraph; a doubt reaches back over one sentence."""
        for before, sentence in pairwise(sentences):
            if before.block != sentence.block:
                continue
            earlier, own = self._stances[before.index], self._stances[sentence.index]
            own |= earlier & {"supposed", "corrected", "worked"}
            if not sentence.figures:
                earlier |= own & {"doubted", "unlike"}
            if _takes_back(sentence, self._tokens):
                earlier.add("doubted")


def _own_stance(sentence: Sentence, prose: str, tokens: Tokens) -> set[str]:
    """The stances that a sentence's own words give it."""
    stances = {mark.value for mark in sentence.of_kind("stance")}
    first = tokens.words[sentence.first] if sentence.first < sentence.last else ""
    if first in _DISMISSING:
        stances.add("doubted")
    if first in _WORKED and _names_next(sentence, tokens):
        stances.add("worked")
    if first in _CORRECTING and sentence.last - sentence.first > 1 and not tokens.words[sentence.first + 1].isalpha():
        stances.add("corrected")
    if first == "say" or _counterfactual(sentence, tokens):
        stances.add("supposed")
    if first == "nor" or _left_out(sentence, tokens):
        stances.add("doubted")
    stances |= _refusals(sentence)
    if prose[sentence.start : sentence.end].rstrip(_CLOSERS).endswith(("?", "？")):
        stances.add("question")
    return stances


def _names_next(sentence: Sentence, tokens: Tokens) -> bool:
    """Whether a product's name follows the first word, or an article behind it: "Take the MI300X at 750 W"."""
    starts = {tokens.starts[at] for at in range(sentence.first + 1, min(sentence.last, sentence.first + 3))}
    return any(mark.start in starts for mark in sentence.of_kind("product"))


def _counterfactual(sentence: Sentence, tokens: Tokens) -> bool:
    """As in "If an H200 had 192 GB, ...", "had it": a condition contrary to fact."""
    words = tokens.words[sentence.first : sentence.last]
    if "if" not in words:
        return False
    leads = (at for at, word in enumerate(words) if word == "if")
    return any(word in ("had", "were") for at in leads for word in words[at + 1 : at + _IF_REACH])


def _refusals(sentence: Sentence) -> set[str]:
    """As in "Do not divide ...", "never set ... over ...": what the sentence warns against, "unlike" or "doubted"."""
    marks = sentence.of_kind("refusal")
    if not marks:
        return set()
    leads = {mark.last for mark in marks if mark.value == "lead"}
    verbs = [(mark.first, mark.value) for mark in marks if mark.value != "lead"]
    return {value for verb, value in verbs if any(lead <= verb <= lead + _REFUSAL_REACH for lead in leads)}


def _left_out(sentence: Sentence, tokens: Tokens) -> bool:
    """As in "leave the 24 out": a figure that is not to be carried."""
    words = tokens.words
    if "out" not in words[sentence.first : sentence.last]:
        return False
    return any(
        (words[at] in ("leave", "leaves") or (words[at] == "left" and words[at - 1] in ("we", "i")))
        and "out" in words[at + 1 : min(sentence.last, at + _IF_REACH)]
        for at in range(sentence.first, sentence.last)
    )


def _takes_back(sentence: Sentence, tokens: Tokens) -> bool:
    """As in "It has not; check the data sheets.", "It does not.": a bare denial of the sentence before."""
    words = tokens.words[sentence.first : min(sentence.last, sentence.first + 4)]
    if len(words) < 3 or words[0] not in _PRONOUNS or words[1] not in _AUXILIARIES or words[2] != "not":
        return False
    return len(words) == 3 or words[3] in (".", ",", ";", "!", ":")
