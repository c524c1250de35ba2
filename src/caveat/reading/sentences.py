"""A draft cut into sentences, each with the phrases, figures and references that lie in it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from operator import attrgetter

from caveat.figures.figure import Figure, Number
from caveat.figures.words import word_set
from caveat.language.phrases import Mark
from caveat.language.tokens import Tokens
from caveat.markdown.document import Block, Document, Reference

# The end of a sentence: a full stop or its like, closing quotes or brackets, white space, and a beginning.
_END = re.compile(r"[.!?][\"')\]*]*(\s+)(?=[\"'(\[]*[^\s\W_a-z])")
# Typographic signs as that pattern has them: with them in it, it takes half a millisecond to compile.
_PLAIN = (("…", "!"), ("”", ")"), ("’", ")"), ("“", "("), ("‘", "("))

# Words after which a full stop ends no sentence.
_ABBREVIATIONS = word_set(
    "vs approx e.g i.e cf etc fig figs no nos sec eq eqs inc corp ltd co st mr ms dr prof u.s u.k al resp incl excl "
    "max min ca est dept gen rev ver vol pp p"
)
_LAST_WORD = re.compile(r"[\w.]+$")

# So many numbers a sentence holds at most.
_MOST_NUMBERS = 50

_NO_MARKS: list[Mark] = []

# Block kinds that are never cut: a cell or a heading is read as a whole.
_WHOLE = frozenset(("cell", "heading"))


class Sentence:
    """One sentence, heading or table cell: the unit in which words belong to a figure.

    `start` and `end` are offsets, `first` and `last` the range of its tokens, `block` the index of its block, `place`
    its number within the block. `marks`, `figures`, `numbers` and `references` lie in it, in order; `kinds` are its
    marks by lexicon.
    """

    __slots__ = (
        "block",
        "end",
        "figures",
        "first",
        "index",
        "kinds",
        "last",
        "marks",
        "numbers",
        "place",
        "references",
        "start",
    )

    def __init__(self, index: int, block: int, place: int, start: int, end: int) -> None:
        self.index = index
        self.block = block
        self.place = place
        self.start = start
        self.end = end
        self.first = 0
        self.last = 0
        self.marks: list[Mark] = []
        self.figures: list[Figure] = []
        self.numbers: list[Number] = []
        self.references: list[Reference] = []
        self.kinds: dict[str, list[Mark]] = {}

    def of_kind(self, kind: str) -> list[Mark]:
        """The sentence's phrases of one lexicon; not to be changed."""
        return self.kinds.get(kind, _NO_MARKS)

    def has(self, kind: str, value: str = "") -> bool:
        """Whether a phrase of a lexicon, or of one entry of it, is in the sentence."""
        if not value or kind not in self.kinds:
            return kind in self.kinds
        return any(mark.value == value for mark in self.kinds[kind])

    def has_any(self, kinds: Iterable[str]) -> bool:
        """Whether a phrase of one of several lexicons is in the sentence: a quick look before a long one."""
        return not self.kinds.keys().isdisjoint(kinds)

    def take(self, marks: list[Mark]) -> None:
        """Make these the phrases of the sentence, and sort them out by lexicon."""
        self.marks = marks
        kinds = self.kinds = defaultdict(list)
        for mark in marks:
            kinds[mark.kind].append(mark)


def cut_sentences(document: Document, tokens: Tokens, marks: list[Mark], numbers: list[Number]) -> list[Sentence]:
    """The sentences of all blocks, in order of place, with what lies in each of them."""
    sentences: list[Sentence] = []
    starts = [number.start for number in numbers]
    plain = document.prose
    for sign, instead in _PLAIN:
        plain = plain.replace(sign, instead)
    for index, block in enumerate(document.blocks):
        bounds = [piece for bound in _bounds(plain, block) for piece in _pieces(bound, starts)]
        for place, (start, end) in enumerate(bounds):
            sentences.append(Sentence(len(sentences), index, place, start, end))
    sentences.sort(key=lambda sentence: sentence.start)
    for index, sentence in enumerate(sentences):
        sentence.index = index
        sentence.first, sentence.last = tokens.first_from(sentence.start), tokens.first_from(sentence.end)
    _share_out(sentences, marks, numbers, document.references)
    return sentences


def _bounds(prose: str, block: Block) -> list[tuple[int, int]]:
    """Where the sentences of a block begin and end; together they cover the block."""
    if block.kind in _WHOLE:
        return [(block.start, block.end)]
    bounds, start = [], block.start
    for match in _END.finditer(prose, block.start, block.end):
        if prose[match.start()] == "." and _abbreviated(prose, start, match.start()):
            continue
        bounds.append((start, match.start(1)))
        start = match.end()
    bounds.append((start, block.end))
    return bounds


def _pieces(bound: tuple[int, int], numbers: list[int]) -> Iterator[tuple[int, int]]:
    """A sentence in pieces of not too many numbers each: no sentence has more, and the cost of one grows with them."""
    start, end = bound
    first, last = bisect_left(numbers, start), bisect_left(numbers, end)
    for at in range(first + _MOST_NUMBERS, last, _MOST_NUMBERS):
        yield start, numbers[at]
        start = numbers[at]
    yield start, end


def _abbreviated(prose: str, start: int, stop: int) -> bool:
    """Whether the full stop at `stop` belongs to an abbreviation or an initial."""
    word = _LAST_WORD.search(prose, max(start, stop - 12), stop)
    if word is None:
        return False
    text = word.group()
    if prose[start : word.start()].rstrip()[-1:].isdigit():
        return False  # "700 W." ends with a unit
    return text.lower() in _ABBREVIATIONS or (len(text) == 1 and text.isalpha() and text.isupper() and text != "I")


def _share_out(
    sentences: list[Sentence], marks: list[Mark], numbers: list[Number], references: list[Reference]
) -> None:
    """Give each phrase, number and reference to the sentence that it lies in.

    A footnote mark behind the full stop belongs to the sentence before it: a sentence reaches to the start of the next.
    """
    _share_marks(sentences, marks)
    pictures = [(r.start, r.end) for r in references if r.kind == "image"]
    at = 0
    for number in numbers:
        at = _owner(sentences, at, number.start)
        if at < len(sentences) and sentences[at].start <= number.start:
            if _in_image(number, pictures):
                continue  # the alternative text stands for a picture, and is an attribute of it
            sentences[at].numbers.append(number)
            if number.figure is not None:
                sentences[at].figures.append(number.figure)
    at = 0
    for reference in references:
        at = _owner(sentences, at, reference.start)
        home = at
        if reference.kind == "link":
            home = _owner(sentences, at, reference.end - 1)
        if home < len(sentences) and sentences[home].start <= reference.end:
            sentences[home].references.append(reference)


def _share_marks(sentences: list[Sentence], marks: list[Mark]) -> None:
    """Give each phrase to the last sentence that starts at or before it."""
    start_of = attrgetter("start")
    edges = [*(bisect_left(marks, sentence.start, key=start_of) for sentence in sentences), len(marks)]
    for sentence, (first, last) in zip(sentences, pairwise(edges), strict=True):
        sentence.take(marks[first:last])


def _in_image(number: Number, pictures: list[tuple[int, int]]) -> bool:
    """Whether a number lies in an image's alternative text; `pictures` are in order."""
    at = bisect_right(pictures, (number.start, number.start)) - 1
    return at >= 0 and number.end <= pictures[at][1]


def _owner(sentences: list[Sentence], at: int, offset: int) -> int:
    """The index of the last sentence that starts at or before an offset, searching on from `at`."""
    while at + 1 < len(sentences) and sentences[at + 1].start <= offset:
        at += 1
    return at
