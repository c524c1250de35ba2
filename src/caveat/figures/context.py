"""What stands around a number: the marks that touch it, its neighbours, and the name that it may lie in."""

from __future__ import annotations

from collections.abc import Sequence

from caveat.figures.vocabulary import Vocabulary
from caveat.figures.words import FILLERS, word_set
from caveat.language.phrases import Mark
from caveat.language.tokens import Tokens
from caveat.markdown.document import Block, Document

# Kinds of the lexicons rules/lexicons/numbers.yaml and qualifiers.yaml, by the side of the number on which they stand.
_BEFORE = word_set("pointer version setting qualifier change product factor display container")
_AFTER = word_set(
    "qualifier-after setting-after instruction order counted counted-people multiplied change form-unit ratio-header "
    "product product-line measured-noun"
)
# Marks in which a number is part of a name or a set phrase.
_NAMES = word_set("product vendor source metric not-a-multiple")

_SENTENCE_ENDS = frozenset(".!?;")
_NO_MARKS: list[Mark] = []


class Context:
    """The prose, its tokens and the marks that matter to numbers, found by the offset at which they start or end."""

    __slots__ = (
        "_after", "_before", "_cover_at", "_covers", "_open", "dimensions", "document", "text",
        "tokens", "vocabulary",
    )  # fmt: skip

    def __init__(self, document: Document, tokens: Tokens, marks: Sequence[Mark], vocabulary: Vocabulary) -> None:
        self.document = document
        self.text = document.prose
        self.tokens = tokens
        self.vocabulary = vocabulary
        self.dimensions = frozenset(vocabulary.dimensions)
        self._before: dict[int, list[Mark]] = {}
        self._after: dict[int, list[Mark]] = {}
        self._covers: list[Mark] = []
        self._cover_at = 0
        self._open: Mark | None = None
        self._sort(marks)

    def _sort(self, marks: Sequence[Mark]) -> None:
        """Keep the marks that matter, by the place at which a number would touch them."""
        naming = _NAMES | self.dimensions
        wanted = naming | _BEFORE | _AFTER
        for mark in [mark for mark in marks if mark.kind in wanted]:
            kind = mark.kind
            names = kind in naming
            if names:
                self._covers.append(mark)
            if kind in _BEFORE:
                self._before.setdefault(mark.end, []).append(mark)
            if names or kind in _AFTER:
                self._after.setdefault(mark.start, []).append(mark)
        self._covers.sort(key=lambda mark: (mark.start, mark.end, mark.kind, mark.value))

    def ending_at(self, offset: int, kind: str) -> Mark | None:
        """The mark of a kind that ends at an offset."""
        for mark in self._before.get(offset, _NO_MARKS):
            if mark.kind == kind:
                return mark
        return None

    def starting_at(self, offset: int, kind: str) -> Mark | None:
        """The mark of a kind that starts at an offset."""
        for mark in self._after.get(offset, _NO_MARKS):
            if mark.kind == kind:
                return mark
        return None

    def filler_end(self, offset: int) -> int:
        """Where a statement of format, mode or kind that starts at an offset ends, or -1."""
        for mark in self._after.get(offset, _NO_MARKS):
            if mark.kind in self.dimensions:
                return mark.end
        return -1

    def states(self, offset: int) -> bool:
        """Whether precision or sparsity is stated right at an offset."""
        return any(mark.kind in ("sparsity", "precision") for mark in self._after.get(offset, _NO_MARKS))

    def takes_modes(self, dimension: str) -> bool:
        """Whether figures of a dimension of units are given per precision and sparsity."""
        return dimension in self.vocabulary.dimensions.get("sparsity", {}).get("applies_to", ())

    def cover(self, offset: int) -> Mark | None:
        """The name or set phrase that holds an offset. Offsets must be asked for in ascending order."""
        covers = self._covers
        while self._cover_at < len(covers) and covers[self._cover_at].start <= offset:
            mark = covers[self._cover_at]
            if self._open is None or mark.end > self._open.end:
                self._open = mark
            self._cover_at += 1
        return self._open if self._open is not None and offset < self._open.end else None

    def word(self, index: int, block: Block) -> str:
        """The lower-case word of a token, or "" outside the block."""
        tokens = self.tokens
        if 0 <= index < len(tokens.words) and block.start <= tokens.starts[index] < block.end:
            return tokens.words[index]
        return ""

    def next_token(self, offset: int, block: Block) -> int:
        """The index of the first token at or after an offset in the block, or -1."""
        index = self.tokens.first_from(offset)
        return index if index < len(self.tokens.starts) and self.tokens.starts[index] < block.end else -1

    def after(self, offset: int, kind: str, block: Block) -> Mark | None:
        """The mark of a kind that starts with the next token after an offset."""
        index = self.next_token(offset, block)
        return None if index < 0 else self.starting_at(self.tokens.starts[index], kind)

    def before(self, index: int, kind: str, block: Block) -> Mark | None:
        """The mark of a kind that ends with the token before a token."""
        if index <= 0 or self.tokens.starts[index - 1] < block.start:
            return None
        return self.ending_at(self.tokens.ends[index - 1], kind)

    def is_name(self, index: int, block: Block) -> bool:
        """Whether a token looks like the name of a device: a product of the registry, or capitals with digits."""
        word = self.word(index, block)
        if not word:
            return False
        start = self.tokens.starts[index]
        if self.starting_at(start, "product") is not None:
            return True
        if self.filler_end(start) >= 0:  # a format, not a device
            return False
        return word[0].isalpha() and not word.isalpha() and self.text[start].isupper()

    def sentence_start(self, index: int, block: Block) -> int:
        """The index of the first token of the sentence around a token; looks back over at most sixty."""
        words, starts = self.tokens.words, self.tokens.starts
        stop = max(0, index - 60)
        while index > stop and starts[index - 1] >= block.start and words[index - 1] not in _SENTENCE_ENDS:
            index -= 1
        return index

    def qualifier_before(self, index: int, block: Block) -> Mark | None:
        """The qualifier that belongs to the figure that starts with a token: "up to a stated"."""
        for _ in range(4):
            mark = self.before(index, "qualifier", block)
            if mark is not None:
                return self._first_of_chain(mark, block)
            index -= 1
            if self.word(index, block) not in FILLERS:
                return None
        return None

    def _first_of_chain(self, mark: Mark, block: Block) -> Mark:
        """Of "up to about", the first: it is the bound."""
        outer = self.before(mark.first, "qualifier", block)
        if outer is None:
            return mark
        return Mark(outer.start, mark.end, "qualifier", outer.value, outer.first, mark.last)
