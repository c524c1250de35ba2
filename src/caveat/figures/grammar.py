"""The one grammar of numbers: it reads every number of a draft, and the figure that it is, if it is one."""

from __future__ import annotations

from collections.abc import Sequence

from caveat.figures.context import Context
from caveat.figures.digits import read_digits
from caveat.figures.figure import Number
from caveat.figures.places import name_place
from caveat.figures.reader import Reader
from caveat.figures.vocabulary import Vocabulary
from caveat.figures.word_numbers import read_word
from caveat.figures.words import GLYPHS, NUMBER_WORDS
from caveat.language.phrases import Mark
from caveat.language.tokens import Tokens
from caveat.markdown.document import Block, Document

# A paragraph of more numbers is a heap of data that nobody reads as prose, and none of them is a figure. So no input
# costs more than a dense table of its length.
MOST_NUMBERS = 4000
DATA = "data"


def read_numbers(document: Document, tokens: Tokens, marks: Sequence[Mark], vocabulary: Vocabulary) -> list[Number]:
    """Every number of the draft's prose, in digits or words, in order of place, and how it is read.

    `tokens` and `marks` are those of `document.prose`. A number never reaches out of its block.
    """
    context = Context(document, tokens, marks, vocabulary)
    reader = Reader(context)
    starts, words = tokens.starts, tokens.words
    blocks = document.blocks
    at, is_data = -1, False
    block = reader.block
    next_start = blocks[0].start if blocks else len(document.prose)
    openings = {word for word in set(words) if _may_open(word)}
    for index, word in enumerate(words):
        if word not in openings:
            continue
        start = starts[index]
        if start < reader.cursor:
            continue
        while start >= next_start:
            at += 1
            block = blocks[at]
            reader.enter(block)
            next_start = blocks[at + 1].start if at + 1 < len(blocks) else len(document.prose) + 1
            is_data = _is_data(tokens, block)
        if start < block.end:
            if not is_data:
                _read(reader, index, word)
            elif word[0].isdigit():
                reader.place(start, tokens.ends[index], DATA, f"one of more than {MOST_NUMBERS:,} in a paragraph")
    return reader.numbers


def _is_data(tokens: Tokens, block: Block) -> bool:
    """Whether a block has too many numbers to be prose."""
    if block.end - block.start < 2 * MOST_NUMBERS:
        return False  # as nearly all blocks, at a glance
    words = tokens.words[tokens.first_from(block.start) : tokens.first_from(block.end)]
    return sum(word[0].isdigit() for word in words) > MOST_NUMBERS


def _may_open(word: str) -> bool:
    """Whether a number may start with a word, for all that it shows: told once for each word of a draft."""
    return word in NUMBER_WORDS if word.isalpha() else word[0].isalnum()


def _read(reader: Reader, index: int, word: str) -> None:
    """Read the number that starts with a token."""
    first = word[0]
    if "0" <= first <= "9":
        read_digits(reader, index)
    elif first in GLYPHS or (word in NUMBER_WORDS and not _is_name(reader, index)):
        read_word(reader, index)
    elif any("0" <= sign <= "9" for sign in word):
        reading, why, end = name_place(reader.context, index, reader.block)
        reader.place(reader.context.tokens.starts[index], end, reading, why)


def _is_name(reader: Reader, index: int) -> bool:
    """Whether capitals inside a number word make it a name: "ZeRO"."""
    tokens = reader.context.tokens
    written = reader.context.text[tokens.starts[index] : tokens.ends[index]]
    return not written[1:].islower() and not written.isupper()
