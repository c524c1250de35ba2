"""What stands around a figure and is plainly about it: labels, captions, lead-ins, headings, notes, its paragraph."""

from __future__ import annotations

from caveat.article import Article
from caveat.markdown.document import Block
from caveat.reading.sentences import Sentence
from caveat.reading.statements import Statement

# So many sentences of a paragraph are looked at on each side of one.
_PARAGRAPH = 8
# How many blocks under a heading open its section.
_OPENING = 2
# So many cells of a row are looked at, and so many rows of a column.
_MOST_CELLS = 60
# How deep headings are climbed.
_LEVELS = 6


class Surroundings:
    """The sentences around those of one draft, by how they belong to them; each kind is gathered once a place."""

    def __init__(self, article: Article) -> None:
        self.article = article
        self._tables: dict[int, list[Sentence]] = {}
        self._rows: dict[tuple[int, int], list[Sentence]] = {}
        self._above: dict[int, list[Sentence]] = {}

    def of_place(self, sentence: Sentence) -> list[Sentence]:
        """What the place of a sentence says of it: a cell's row, labels and caption, a list's lead-in, its notes."""
        article = self.article
        block = article.document.blocks[sentence.block]
        found = article.notes(sentence)
        if block.table >= 0:
            found = found + self.row(sentence) + self.column(sentence) + self.around_table(block.table)
            found += [note for s in self.column(sentence) for note in article.notes(s)]
        if block.item >= 0:
            found = found + self.lead_ins(block.item)
        return found

    def row(self, sentence: Sentence) -> list[Sentence]:
        """The cells of a cell's row."""
        block = self.article.document.blocks[sentence.block]
        found = self._rows.get((block.table, block.row))
        if found is None:
            cells = self.article.document.tables[block.table].rows[block.row][:_MOST_CELLS]
            found = [s for cell in cells if cell >= 0 for s in self.article.subjects.of_block(cell)]
            self._rows[block.table, block.row] = found
        return found

    def column(self, sentence: Sentence) -> list[Sentence]:
        """The label of a cell's column and the corner of its table."""
        block = self.article.document.blocks[sentence.block]
        header = self.article.document.tables[block.table].rows[0]
        cells = [header[at] for at in sorted({block.column, 0}) if at < len(header) and header[at] >= 0]
        return [s for cell in cells for s in self.article.subjects.of_block(cell)]

    def around_table(self, index: int) -> list[Sentence]:
        """The blocks directly before and after a table: its caption or lead-in, and the note under it."""
        found = self._tables.get(index)
        if found is None:
            table, of_block = self.article.document.tables[index], self.article.subjects.of_block
            before = of_block(table.before)[-_PARAGRAPH:] if table.before >= 0 else []
            after = of_block(table.after)[:2] if table.after >= 0 else []
            found = self._tables[index] = before + after
        return found

    def lead_ins(self, item: int) -> list[Sentence]:
        """The lead-ins of the lists that an item is in, and the first blocks of the items around it."""
        document, found = self.article.document, list[Sentence]()
        while item >= 0:
            entry = document.items[item]
            blocks = [document.lists[entry.list].lead_in]
            if entry.parent >= 0:
                blocks += document.items[entry.parent].blocks[:1]
            found += [s for b in blocks if b >= 0 for s in self.article.subjects.of_block(b)[-_PARAGRAPH:]]
            item = entry.parent
        return found

    def before(self, sentence: Sentence) -> list[Sentence]:
        """The sentences before one in its block, the nearest first."""
        first = sentence.index - min(sentence.place, _PARAGRAPH)
        return self.article.sentences[first : sentence.index][::-1]

    def behind(self, sentence: Sentence) -> list[Sentence]:
        """The sentences behind one in its block, the nearest first."""
        after = self.article.sentences[sentence.index + 1 : sentence.index + 1 + _PARAGRAPH]
        return [s for s in after if s.block == sentence.block]

    def headings(self, sentence: Sentence) -> list[Sentence]:
        """The headings of the sections that a sentence is in, the nearest first."""
        at, found = self.article.subjects.heading_of(sentence.block), list[Sentence]()
        while at >= 0 and len(found) < _LEVELS:
            found += self.article.subjects.of_block(at)
            at = self.article.subjects.heading_around(at)
        return found

    def opening(self, sentence: Sentence) -> list[Sentence]:
        """The first paragraphs of the section that a sentence is in, as far as they stand before its own block."""
        heading = self.article.subjects.heading_of(sentence.block)
        found = self._above.get(heading)
        if found is None:
            found, blocks = [], self.article.document.blocks
            for block in range(heading + 1, min(heading + 1 + _OPENING, len(blocks))):
                if blocks[block].kind == "heading" or blocks[block].table >= 0:
                    break
                found += self.article.subjects.of_block(block)[:_PARAGRAPH]
            self._above[heading] = found
        return [s for s in found if s.block < sentence.block]


def around(article: Article, sentence: Sentence) -> list[Sentence]:
    """What a reader takes with a sentence: its neighbours, notes and lead-in; a cell's labels, caption and notes."""
    block = article.document.blocks[sentence.block]
    found = article.notes(sentence)
    if block.table >= 0:
        table = article.document.tables[block.table]
        corner = [s for b in table.rows[0][:1] if b >= 0 for s in article.subjects.of_block(b)]
        after = article.subjects.of_block(table.after)[:2] if table.after >= 0 else []
        return found + corner + article.captions(sentence) + after
    found += article.labels(sentence) + below_list(article, block)
    if block.kind == "heading":
        return found + article.subjects.of_block(sentence.block + 1)[:2]
    return found + neighbours(article, sentence)


def below_list(article: Article, block: Block) -> list[Sentence]:
    """The first sentence after the list that an item's block is in."""
    if block.item < 0:
        return []
    document = article.document
    last = document.lists[document.items[block.item].list].items[-1]
    return article.subjects.of_block(document.items[last].blocks[-1] + 1)[:1] if document.items[last].blocks else []


def asked_for_gain(article: Article, statement: Statement) -> Sentence | None:
    """The question before that a figure answers by itself, as in "What do teams save? Up to 50% on training".

    What somebody did save is one result, and no promise.
    """
    sentence, figure, words = statement.sentence, statement.figure, article.tokens.words
    start = figure.qualifier_span[0] if figure.qualifier_span else figure.start
    if sentence.place == 0 or article.tokens.first_from(min(start, figure.start)) > sentence.first:
        return None
    before = article.sentences[sentence.index - 1]
    asks = "question" in article.stances.of(before) and before.has("gain-verb") and not before.figures
    return before if asks and "did" not in words[before.first : before.last] else None


def neighbours(article: Article, sentence: Sentence) -> list[Sentence]:
    """The sentences before and after one in its block."""
    places = (sentence.index - 1, sentence.index + 1)
    found = [article.sentences[at] for at in places if 0 <= at < len(article.sentences)]
    return [each for each in found if each.block == sentence.block]


def label_of_kind(article: Article, sentence: Sentence) -> Sentence | None:
    """The first cell of a cell's row, if its column is of a kind of products or makers: "MTIA" under "Card"."""
    block, header = article.document.blocks[sentence.block], article.column_head(sentence, 0)
    if header is None or not header.has("product-class"):
        return None
    return article.cell(article.document.tables[block.table].rows[block.row][0])
