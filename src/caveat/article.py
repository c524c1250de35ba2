"""A draft read and bound: everything that a rule may look at, in one bundle."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from caveat.arithmetic.derivations import Derivation, DerivationReader
from caveat.arithmetic.shown import Workings
from caveat.binding.bind import BOUND, Binder, Binding
from caveat.figures.figure import RELATIVE, Number
from caveat.figures.grammar import read_numbers
from caveat.language.phrases import find_phrases
from caveat.language.tokens import Tokens
from caveat.markdown.document import Document, read
from caveat.markdown.source import Source
from caveat.reading.comparisons import Comparison, ComparisonReader
from caveat.reading.reach import SENTENCE, Sourcing
from caveat.reading.sentences import Sentence, cut_sentences
from caveat.reading.sources import SourceReader
from caveat.reading.stance import Stances
from caveat.reading.statements import Statement, StatementReader
from caveat.reading.subjects import STRONG, SubjectReader
from caveat.registry.registry import Registry

# Signs that lead from a figure to a note below.
_NOTE_SIGNS = frozenset("*†‡§¹²³⁴⁵")


class Article:
    """One draft: its document, numbers and sentences, and what they say, bound to the registry.

    `statements` are in order of place; `bindings` has the binding of each, by index. `comparisons` likewise in order;
    `recomputed` has the starts of the figures that the text works out itself from others that it prints.
    `memory` is where checks keep what several of them ask: by what is asked, and the index of a sentence or the start
    of a figure.
    """

    __slots__ = (
        "_binding_of",
        "_by_sentence",
        "_notes",
        "_results",
        "_starts",
        "_statement_reader",
        "_workings",
        "bindings",
        "comparisons",
        "derivations",
        "document",
        "memory",
        "numbers",
        "recomputed",
        "registry",
        "sentences",
        "sourcing",
        "stances",
        "statements",
        "subjects",
        "tokens",
    )

    def __init__(self, document: Document, registry: Registry, citation_scope: str = SENTENCE) -> None:
        self.document = document
        self.registry = registry
        self.memory: dict[tuple[str, int], Any] = {}
        self.tokens = Tokens(document.prose, [block.end for block in document.blocks])
        marks = find_phrases(self.tokens, registry.phrases)
        self.numbers: list[Number] = read_numbers(document, self.tokens, marks, registry.vocabulary)
        self.sentences: list[Sentence] = cut_sentences(document, self.tokens, marks, self.numbers)
        self.stances = Stances(document, self.tokens, self.sentences)
        self.subjects = SubjectReader(document, self.tokens, self.sentences, registry)
        publishers = {source.id: source.publisher for source in registry.sources.values()}
        reader = SourceReader(document, self.tokens, publishers, registry.vocabulary.symbols)
        self.sourcing = Sourcing(document, self.tokens, self.sentences, reader, self.subjects, citation_scope)
        self._starts = [sentence.start for sentence in self.sentences]
        self._notes: dict[str, list[Sentence]] | None = None
        self._workings: Workings | None = None
        self._statement_reader = StatementReader(document, self.tokens, self.subjects, registry)
        self.statements = self._read_statements()
        self._by_sentence: dict[int, list[Statement]] = {}
        for statement in self.statements:
            self._by_sentence.setdefault(statement.sentence.index, []).append(statement)
        self.bindings = self._bind()
        self._binding_of = {id(binding.statement): binding for binding in self.bindings}
        self.comparisons: list[Comparison] = ComparisonReader(
            document, self.tokens, self.subjects, self._by_sentence
        ).comparisons(self.sentences)
        self.recomputed = frozenset(comparison.start for comparison in self.comparisons if comparison.recomputes)
        self.derivations: list[Derivation] = DerivationReader(
            document, self.tokens, self.subjects, self._by_sentence
        ).derivations()
        self._results = {id(derivation.result): derivation for derivation in self.derivations}

    def statements_of(self, sentence: Sentence) -> list[Statement]:
        """The statements that a sentence makes, in order."""
        return self._by_sentence.get(sentence.index, [])

    def sentence_at(self, offset: int) -> Sentence:
        """The sentence that an offset lies in, or behind."""
        return self.sentences[max(0, bisect_right(self._starts, offset) - 1)]

    def binding_of(self, statement: Statement) -> Binding:
        """The binding of a statement."""
        return self._binding_of[id(statement)]

    def is_result(self, statement: Statement) -> bool:
        """Whether the text computes a statement's figure from others that it prints."""
        return id(statement) in self._results

    def drawn_on(self, statement: Statement) -> set[str]:
        """The products whose like amounts, told in other paragraphs, the text computes a statement's figure from."""
        derivation, block = self._results.get(id(statement)), statement.sentence.block
        operands = derivation.operands if derivation is not None else ()
        like = (s for s in operands if s.figure.dimension == statement.figure.dimension)
        return {s.product for s in like if s.product and s.sentence.block != block}

    def operands_of(self, statement: Statement) -> list[Statement]:
        """The statements of its own sentence from which the text computes a statement's figure."""
        derivation = self._results.get(id(statement))
        shown = {start for start, _ in derivation.shown} if derivation is not None else set()
        return [s for s in self.statements_of(statement.sentence) if s.figure.start in shown]

    def workings(self) -> Workings:
        """The arithmetic that the draft shows in code or mathematics."""
        if self._workings is None:
            self._workings = Workings(self.document)
        return self._workings

    def cell(self, block: int) -> Sentence | None:
        """The text of a table cell, None for an empty one."""
        return next(iter(self.subjects.of_block(block)), None) if block >= 0 else None

    def column_head(self, sentence: Sentence, column: int = -1) -> Sentence | None:
        """The header over a cell, or over another column of its row; None in a header and outside of tables."""
        block = self.document.blocks[sentence.block]
        if block.table < 0 or not block.row:
            return None
        header, at = self.document.tables[block.table].rows[0], block.column if column < 0 else column
        return self.cell(header[at]) if at < len(header) else None

    def notes(self, sentence: Sentence) -> list[Sentence]:
        """The sentences of the notes that a sentence's footnote marks or signs (*, †, ¹) lead to."""
        labels = {reference.label for reference in sentence.references if reference.kind == "footnote"}
        found = [s for label in labels for s in self._footnotes().get(label, [])]
        signs = set(self.document.prose[sentence.start : sentence.end]) & _NOTE_SIGNS
        return found + [s for sign in sorted(signs) for s in self._footnotes().get(sign, []) if s is not sentence]

    def _footnotes(self) -> dict[str, list[Sentence]]:
        """The sentences of each footnote by its label, and of each paragraph that begins with a sign by that sign."""
        if self._notes is None:
            self._notes = {}
            for sentence in self.sentences:
                block = self.document.blocks[sentence.block]
                first = self.document.prose[block.start : block.end].lstrip()[:1]
                label = block.footnote or (first if first in _NOTE_SIGNS else "")
                if label:
                    self._notes.setdefault(label, []).append(sentence)
        return self._notes

    def captions(self, sentence: Sentence) -> list[Sentence]:
        """All that says what a table cell is about: its labels, the block before the table, the heading above."""
        block = self.document.blocks[sentence.block]
        above = [self.document.tables[block.table].before, self.subjects.heading_of(sentence.block)]
        return self.labels(sentence) + [s for b in above if b >= 0 for s in self.subjects.of_block(b)]

    def labels(self, sentence: Sentence) -> list[Sentence]:
        """The labels of a table cell's row and column, or the lead-in of a list item."""
        return self._statement_reader.surroundings(sentence)

    def words(self, start: int, end: int) -> str:
        """The words of the file between two offsets."""
        return self.document.source.text[start:end]

    def told(self, start: int, end: int) -> str:
        """The words between two offsets as a message tells them: on one line, without the marks of Markdown.

        Words that are no prose are told as they stand.
        """
        prose = self.document.prose[start:end].split()
        return " ".join(prose or self.words(start, end).split())

    def _read_statements(self) -> list[Statement]:
        reader = self._statement_reader
        return [reader.statement(figure, sentence) for sentence in self.sentences for figure in sentence.figures]

    def _bind(self) -> list[Binding]:
        binder = Binder(self.registry)
        reporters = {source.reporter for source in self.registry.sources.values() if source.reporter[:1].isupper()}
        bindings = []
        for statement in self.statements:
            evidence = self.sourcing.of(statement.sentence)
            vendors = {name.vendor for e in evidence for name in e.names if name.vendor}
            vendors |= {v for e in evidence for v in e.vendors}
            if self._is_labelled(statement):
                vendors = set()
            binding = binder.bind(statement, vendors, self._reporters(statement.sentence, reporters))
            if binding.status == BOUND and statement.figure.kind not in RELATIVE:
                statement.subject = statement.subject.turned_to(
                    self.registry.products[binding.claims[0].product], statement.figure
                )
            bindings.append(binding)
        return bindings

    def _is_labelled(self, statement: Statement) -> bool:
        """Whether a cell's row or column says whose its figure is, so that the vendors around its table do not."""
        table = self.document.blocks[statement.sentence.block].table >= 0
        return table and statement.subject.hold == STRONG and statement.figure.kind not in RELATIVE

    def _reporters(self, sentence: Sentence, reporters: set[str]) -> list[str]:
        """Those of the customers and testers whose results the registry holds that a sentence names."""
        if not reporters or not any(figure.kind in RELATIVE for figure in sentence.figures):
            return []
        words = self.document.prose[sentence.start : sentence.end]
        return [name for name in reporters if name in words]


def read_article(source: Source, registry: Registry, citation_scope: str = SENTENCE) -> Article:
    """Read a draft and bind its figures to the registry.

    `citation_scope` says how far a source reaches in prose: "sentence", or "paragraph" for those who cite once in each.
    """
    return Article(read(source), registry, citation_scope)
