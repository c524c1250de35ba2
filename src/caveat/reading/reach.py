"""How far a source reaches: from its own sentence to a neighbour, a list, a table.

GUIDE, "What makes a figure sourced": for a table or a list the source may stand in the caption, the lead-in, the
sentence right after it, or a source column or row; a neighbouring sentence may say where the figures come from.

With the citation scope "paragraph", as a configuration may ask for it, any source in a paragraph reaches all of it.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate

from caveat.language.phrases import Mark
from caveat.language.tokens import Tokens
from caveat.markdown.document import Document
from caveat.reading.evidence import Evidence
from caveat.reading.sentences import Sentence
from caveat.reading.sources import SourceReader, is_remark
from caveat.reading.subjects import SubjectReader

# How many blocks after a heading are the opening of its section.
_OPENING = 3
# So many columns of a table are looked at for what a row says.
_MOST_COLUMNS = 60
# How many blocks around a table may speak of it.
_NOTES_BEHIND = 4
# How many characters below a paragraph a block of code begins that it leads in to.
_FENCE_REACH = 80
# So many sentences of a paragraph are looked at for an announcement.
_PARAGRAPH = 8
# How many blocks below a sentence the picture and its source may stand that it points at; how many above, a table.
_PICTURE_REACH = 3
_POINTER_REACH = 10
# How many words after "it" or "the same page" a reporting verb may stand.
_VERB_REACH = 2
# How long a sentence is that only leads to another page, in words.
_LINK_WORDS = 6
# Who tells of own work.
_FIRST_PERSON = frozenset(("we", "our", "us", "i", "my", "mine", "ours"))
# What the chart of a draft is called, and what stands behind its number where its caption begins.
_CHARTS = frozenset(("figure", "figures", "fig", "fig.", "chart", "plot", "graph"))
_CAPTION_SIGNS = frozenset((":", ".", "|", "–", "—", "-"))
_EVERY = frozenset(("all", "everything"))
# What a cell without a source holds.
_EMPTY = frozenset(("-", "–", "—", "n", "/", "a", "none", "unknown", "no", "source", "."))
# How far a link, footnote or attribution reaches at the least.
SENTENCE, PARAGRAPH = "sentence", "paragraph"


class Sourcing:
    """The evidence for the figures of each sentence of a draft: its own, and what its surroundings lend it."""

    def __init__(
        self,
        document: Document,
        tokens: Tokens,
        sentences: list[Sentence],
        reader: SourceReader,
        subjects: SubjectReader,
        scope: str = SENTENCE,
    ) -> None:
        """`scope` is SENTENCE or PARAGRAPH."""
        self.scope = scope
        self.document = document
        self.tokens = tokens
        self.sentences = sentences
        self.reader = reader
        self.subjects = subjects
        self._own: dict[int, Evidence] = {}
        self._all: dict[int, list[Evidence]] = {}
        self._paragraphs: dict[int, tuple[int, int, set[str]]] = {}
        self._tables: dict[int, list[Evidence]] = {}
        self._rows: dict[tuple[int, int], list[Evidence]] = {}
        self._reports: dict[int, bool] = {}
        self._notes: tuple[list[int], list[int]] | None = None
        self._source_rows: dict[int, tuple[list[int], list[int]]] = {}
        self._own_charts: set[str] | None = None

    def own(self, sentence: Sentence) -> Evidence:
        """The evidence that a sentence itself holds."""
        evidence = self._own.get(sentence.index)
        if evidence is None:
            evidence = self._own[sentence.index] = self.reader.read(sentence)
        return evidence

    def of(self, sentence: Sentence) -> list[Evidence]:
        """All evidence that covers the figures of a sentence, its own first."""
        found = self._all.get(sentence.index)
        if found is None:
            found = self._all[sentence.index] = [self.own(sentence), *self._lent(sentence)]
        return found

    def sourced(self, sentence: Sentence) -> bool:
        """Whether the figures of a sentence have a source."""
        return any(evidence.sourced for evidence in self.of(sentence))

    def is_own(self, sentence: Sentence) -> bool:
        """Whether the figures of a sentence are the writer's own measurement, by its words or those around it."""
        return any(evidence.own for evidence in self.of(sentence))

    def in_own_report(self, sentence: Sentence) -> bool:
        """Whether a section around a sentence opens by saying that the writer measured what follows."""
        heading = self.subjects.heading_of(sentence.block)
        while True:
            if heading not in self._reports:
                self._reports[heading] = self._opens_as_report(heading)
            if self._reports[heading] or heading < 0:
                return self._reports[heading]
            heading = self.subjects.heading_around(heading)

    def _opens_as_report(self, heading: int) -> bool:
        """Whether a heading or the first paragraphs under it say that the writer measured what follows."""
        blocks = self.document.blocks
        start = max(heading, 0)
        levels = [block.level for block in blocks if block.kind == "heading"] if heading < 0 else []
        if levels and blocks[0].kind == "heading" and min(levels[1:], default=levels[0] + 1) <= levels[0]:
            return False  # the first heading is no title: what it says is said of its own section
        if heading >= 0 and self._heads_own_results(heading):
            return True
        for block in range(start, min(start + _OPENING + 1, len(blocks))):
            if blocks[block].kind == "heading" and block > heading and (heading >= 0 or block > 0):
                return False
            if blocks[block].table < 0 and any(
                s.has("report") or (_announces(s) and self.own(s).own) for s in self.subjects.of_block(block)
            ):
                return True
        return False

    def _heads_own_results(self, heading: int) -> bool:
        """As in "Results", further down than "How we measured": what an earlier section says how it was got."""
        if not any(s.has("results-title") for s in self.subjects.of_block(heading)):
            return False
        around = self.subjects.heading_around(heading)
        earlier = (b for b in range(heading) if self.document.blocks[b].kind == "heading")
        beside = (s for b in earlier if self.subjects.heading_around(b) == around for s in self.subjects.of_block(b))
        return any(s.has("method-title") for s in beside)

    def vendors(self, sentence: Sentence) -> set[str]:
        """The vendors to whom the sentence's figures are attributed."""
        return set().union(*(evidence.vendors for evidence in self.of(sentence)))

    def _lent(self, sentence: Sentence) -> list[Evidence]:
        """The evidence of the sentence's surroundings."""
        block = self.document.blocks[sentence.block]
        if block.table >= 0:
            return self._of_table(sentence)
        lent = self._of_neighbours(sentence)
        if self.scope == PARAGRAPH:
            lent.append(self._of_paragraph(sentence))
        if block.item >= 0:
            lent += self._of_list(sentence)
        if block.quoted:
            lent += self._of_quotation(sentence)
        if block.kind == "heading":
            lent += self._below_heading(sentence)
        return lent

    def _of_paragraph(self, sentence: Sentence) -> Evidence:
        """What the other sentences of a paragraph cite, and to whom they attribute something, as one evidence.

        They are counted once: were each lent the evidence of each, the cost would grow with a paragraph's square.
        """
        if sentence.block not in self._paragraphs:
            every = self._of_block(sentence.block)
            vendors = set().union(*(each.vendors for each in every))
            self._paragraphs[sentence.block] = sum(e.cited for e in every), sum(e.named for e in every), vendors
        cited, named, vendors = self._paragraphs[sentence.block]
        own, found = self.own(sentence), Evidence()
        found.cited, found.named, found.vendors = cited > own.cited, named > own.named, vendors
        return found

    def _of_neighbours(self, sentence: Sentence) -> list[Evidence]:
        """What the sentences before and after say of where the figures come from."""
        lent = []
        before = self._beside(sentence, -1)
        after = self._beside(sentence, 1)
        if before is not None:
            if not sentence.has("weasel") and self._refers_back(sentence) and self._names_source(before):
                lent.append(_named(self._known(before)))
            if self.own(before).own and (not sentence.has("product") or self.reader.own_work.shown_by_command(before)):
                lent += [self.own(before)] if not self.tells_of_another(sentence) else []
            if self.own(before).named and self._leaves_the_verb_out(sentence):
                lent.append(_named({name.vendor for name in self.own(sentence).names if name.vendor}))
            lent += self._announced(sentence) + self._measured_on(sentence)
        elif (listed := self._listed_above(sentence)) is not None and self.own(listed).own:
            lent.append(self.own(listed))
        elif (lead := self._before_code(sentence)) is not None and self.own(lead).own:
            lent.append(self.own(lead))
        lent += self._from_opening(sentence) + self._from_closing(sentence) + self._by_own_account(sentence)
        lent += self._from_below(sentence)
        for neighbour in (before, after):
            if neighbour is not None and self._tells_origin(neighbour):
                lent.append(self.own(neighbour))
        return lent

    def tells_of_another(self, sentence: Sentence) -> bool:
        """As in "NVIDIA's RTX PRO 6000 carries 96 GB": what another product has, and not what was measured before."""
        if sentence.has("by-specification") and not self.own(sentence).own:
            return True  # "The board is specified for 1,000 W": what nobody measured
        first = sentence.figures[0].start if sentence.figures else sentence.start
        named = [mention for mention in self.subjects.mentions(sentence) if mention.start < first]
        if not named or not any(n.vendor for n in self.own(sentence).names) or sentence.has("kind"):
            return False
        verbs = [m for m in sentence.of_kind("present-verb") if named[0].end <= m.start < first]
        return bool(verbs)

    def _leaves_the_verb_out(self, sentence: Sentence) -> bool:
        """As in "Supermicro quotes 14.3 kW. Dell, for its own, 14.1 kW.": a name that the verb before is for too."""
        leads = [name for name in self.own(sentence).organisations if name.first == sentence.first]
        verbs = sentence.has("present-verb") or sentence.has("holding-verb") or sentence.has("reporting-verb")
        return bool(leads) and not verbs and self.tokens.words[leads[0].last : leads[0].last + 1] == [","]

    def _listed_above(self, sentence: Sentence) -> Sentence | None:
        """The sentence that leads in to the list right above one that sums it up: "Together 84 kWh, of which ..."."""
        item = self.document.blocks[sentence.block - 1].item if sentence.block and not sentence.place else -1
        if item < 0 or not any(sentence.has(kind) for kind in ("sum-lead", "sum-tail", "back-reference")):
            return None
        lead = self.document.lists[self.document.items[item].list].lead_in
        return next(iter(self.subjects.of_block(lead)[-1:]), None) if lead >= 0 else None

    def _from_opening(self, sentence: Sentence) -> list[Evidence]:
        """What the first sentence of the paragraph says of all of it: "Everything in this paragraph is from ..."."""
        if sentence.place < 2:
            return []
        first = self.sentences[sentence.index - sentence.place]
        return [self.own(first)] if first.has("origin-reach") and self._tells_origin(first) else []

    def _from_closing(self, sentence: Sentence) -> list[Evidence]:
        """What a remark at the end of the paragraph says of all of it: "(All from NVIDIA's page.)"."""
        last = self.subjects.of_block(sentence.block)[-1]
        every = self.tokens.words[last.first + 1 : last.first + 2]
        remarks = is_remark(last, self.tokens.words) and not _EVERY.isdisjoint(every)
        return [self.own(last)] if remarks and self._tells_origin(last) else []

    def _by_own_account(self, sentence: Sentence) -> list[Evidence]:
        """As in "By its own account ...", "according to its launch post": the organisation last named before."""
        if self.own(sentence).vendors or not (sentence.has("own-account") or self.own(sentence).theirs):
            return []
        start = sentence.index - min(sentence.place, _PARAGRAPH)
        for other in reversed(self.sentences[start : sentence.index]):
            known = self._known(other)
            if known:
                return [_named(known)]
        return []

    def _announced(self, sentence: Sentence) -> list[Evidence]:
        """What an earlier sentence of the paragraph announces: "here is a measurement"."""
        start = sentence.index - min(sentence.place, _PARAGRAPH)
        before = self.sentences[start : sentence.index]
        return [self.own(s) for s in before if _announces(s)]

    def _measured_on(self, sentence: Sentence) -> list[Evidence]:
        """As in "Without the warm-up it measured 561 Gbps": what goes on from the writer's run, told before it."""
        names = [n for n in self.own(sentence).names if n.vendor or n.first > sentence.first]
        if not sentence.has("kind", "measured") or sentence.has("product") or names:
            return []
        index, note = sentence.index - 1, self.document.blocks[sentence.block].footnote
        found: list[Evidence] = []
        while sentence.index - index <= _PARAGRAPH and index >= 0 and not found:
            other = self.sentences[index]
            same = other.block == sentence.block or (note and self.document.blocks[other.block].footnote == note)
            if not same:
                break
            found = [self.own(other)] if self.own(other).own else []
            index -= 1
        return found

    def _from_below(self, sentence: Sentence) -> list[Evidence]:
        """What stands under the picture that a sentence speaks of: "The following slide shows ...", and its source."""
        if not sentence.has("points-below"):
            return []
        below = range(sentence.block + 1, min(sentence.block + 1 + _PICTURE_REACH, len(self.document.blocks)))
        found = [self.own(s) for block in below for s in self.subjects.of_block(block)[:1]]
        return [evidence for evidence in found if evidence.cited]

    def points_at_own(self, sentence: Sentence) -> bool:
        """As in "You can see that it is 3x slower": words that point at a table or an output right above."""
        blocks = self.document.blocks
        paragraph = self.sentences[sentence.index - min(sentence.place, _PARAGRAPH) : sentence.index + 1]
        if blocks[sentence.block].table >= 0 or not any(s.has("table-pointer") for s in paragraph):
            return False
        above = range(sentence.block - 1, max(sentence.block - 1 - _POINTER_REACH, -1), -1)
        for block in above:
            if blocks[block].kind == "heading":
                break
            if blocks[block].table >= 0 or self._under_code(block + 1):
                return True
        return self._under_code(sentence.block)

    def of_own_chart(self, sentence: Sentence) -> bool:
        """As in "Figure 5 shows that it is 3x faster": from a captioned chart of a draft that tells of own measuring.

        The caption counts as well, and so does what a paragraph goes on to say of a chart that opens a sentence.
        """
        if self._points_to_chart(sentence):
            return True
        before = self.sentences[sentence.index - min(sentence.place, _PARAGRAPH) : sentence.index]
        return any(self.tokens.words[s.first] in _CHARTS and self._points_to_chart(s) for s in before)

    def _points_to_chart(self, sentence: Sentence) -> bool:
        pointers = [number.start for number in sentence.numbers if number.reading == "pointer"]
        if not pointers or not self._charts():
            return False
        places = map(self.tokens.first_from, pointers)
        words = self.tokens.words
        return any(words[at - 1] in _CHARTS and words[at] in self._charts() for at in places)

    def _charts(self) -> set[str]:
        """The numbers of the charts that the draft has captions of, if it tells anywhere of the writer's own work."""
        if self._own_charts is None:
            words = self.tokens.words
            first = [s.first for s in self.sentences if s.place == 0 and s.numbers and words[s.first] in _CHARTS]
            captions = {words[at + 1] for at in first if words[at + 2 : at + 3] and words[at + 2] in _CAPTION_SIGNS}
            told = (s for s in self.sentences if s.has("own") or s.has("report"))
            own = bool(captions) and any(not _FIRST_PERSON.isdisjoint(words[s.first : s.last]) for s in told)
            self._own_charts = captions if own else set()
        return self._own_charts

    def _under_code(self, block: int) -> bool:
        """Whether a block of code ends right above a block."""
        if not 0 < block < len(self.document.blocks):
            return False
        between = self.document.source.text[self.document.blocks[block - 1].end : self.document.blocks[block].start]
        return between.rstrip(" \t\r\n>").endswith(("```", "~~~"))

    def _before_code(self, sentence: Sentence) -> Sentence | None:
        """The sentence that leads in to the code right above a paragraph: what follows speaks of its output."""
        if sentence.place or sentence.block == 0 or not self.below_code(sentence):
            return None
        return next(iter(self.subjects.of_block(sentence.block - 1)[-1:]), None)

    def below_code(self, sentence: Sentence) -> bool:
        """Whether a sentence's paragraph stands right under a block of code."""
        block = self.document.blocks[sentence.block]
        if sentence.block == 0 or block.table >= 0 or block.kind == "heading":
            return False
        return self._under_code(sentence.block)

    def above_code(self, sentence: Sentence) -> bool:
        """Whether a block of code begins right under a sentence's paragraph."""
        blocks, text = self.document.blocks, self.document.source.text
        block = blocks[sentence.block]
        if block.table >= 0 or block.kind == "heading":
            return False
        stop = blocks[sentence.block + 1].start if sentence.block + 1 < len(blocks) else len(text)
        return text[block.end : min(stop, block.end + _FENCE_REACH)].lstrip(" \t\r\n>").startswith(("```", "~~~"))

    def _beside(self, sentence: Sentence, step: int) -> Sentence | None:
        """The sentence before (-1) or after (1) in the same block."""
        index = sentence.index + step
        if not 0 <= index < len(self.sentences):
            return None
        other, blocks = self.sentences[index], self.document.blocks
        note = blocks[sentence.block].footnote
        if other.block == sentence.block or (note and blocks[other.block].footnote == note):
            return other
        return None

    def _refers_back(self, sentence: Sentence) -> bool:
        """As in "It lists ...", "The same page has ...", "the company says": a source named before, with its verb."""
        verbs = {mark.first for mark in sentence.of_kind("reporting-verb")}
        adverbs = {mark.first for mark in sentence.of_kind("source-adverb")}
        documents = {mark.last for mark in sentence.of_kind("document-noun")}
        for mark in sentence.of_kind("source-pronoun"):
            at = mark.last
            if at in documents and self.tokens.words[at : at + 1] in (["has"], ["had"]):
                return True  # "the announcement has just the one number"
            if mark.value == "pronoun" and self._is_of_document(sentence, mark):
                return True
            while at in adverbs and at not in verbs:
                at += 1
            if at in verbs or mark.value == "document":
                return True
        return False

    def _is_of_document(self, sentence: Sentence, mark: Mark) -> bool:
        """As in "The paper from Alibaba is short. It has 82% for ...": "it" stands for the document named first."""
        before = self._beside(sentence, -1)
        if before is None or mark.first != sentence.first or self.tokens.words[mark.first : mark.last] != ["it"]:
            return False
        opens = any(noun.first - before.first <= 1 for noun in before.of_kind("document-noun"))
        return opens and self.tokens.words[mark.last : mark.last + 1] in (["has"], ["had"])

    def _names_source(self, sentence: Sentence) -> bool:
        """Whether a sentence is attributed, or names an organisation that a pronoun behind it can mean."""
        own = self.own(sentence)
        if own.sourced or own.names:
            return True
        before = self._beside(sentence, -1)
        return before is not None and bool(self.own(before).names)

    def _known(self, sentence: Sentence) -> set[str]:
        """The vendors that a sentence names as a source, or names at all."""
        own = self.own(sentence)
        return own.vendors or {name.vendor for name in own.names if name.vendor}

    def _tells_origin(self, sentence: Sentence) -> bool:
        """As in "All three numbers are from Google's documentation": the sentence is about where figures come from."""
        own = self.own(sentence)
        if not own.sourced:
            return False
        if sentence.has("figures-come-from") or sentence.has("according", "label"):
            return True
        if own.named and is_remark(sentence, self.tokens.words):
            return True
        nouns = sentence.of_kind("figure-noun")
        return own.named and not sentence.figures and any(mark.value != "praise" for mark in nouns)

    def _of_quotation(self, sentence: Sentence) -> list[Evidence]:
        """Who is quoted: in the quotation, its lead-in, or the sentence after it ("That is what Dell wrote")."""
        first = last = sentence.block
        blocks = self.document.blocks
        while first > 0 and blocks[first - 1].quoted:
            first -= 1
        while last + 1 < len(blocks) and blocks[last + 1].quoted:
            last += 1
        around = [s for s in self.subjects.of_block(first - 1)[-1:] if first > 0]
        around += self.subjects.of_block(last + 1)[:1]
        signed = (s for s in self.subjects.of_block(last)[-1:] if s is not sentence and not s.figures)
        around += [s for s in signed if s.block == sentence.block or self._is_signature(s)]
        told = [self.own(s) for s in around if self.own(s).named or self.own(s).cited]
        signers = [n for s in around if s.block <= last and self._is_signature(s) for n in self.own(s).names]
        return told + ([_named({name.vendor for name in signers if name.vendor})] if signers else [])

    def _is_signature(self, sentence: Sentence) -> bool:
        """Whether a paragraph says who is quoted above it: "— NVIDIA's H200 page", "(From the data sheet.)"."""
        return (
            self.tokens.words[sentence.first : sentence.first + 1] != []
            and sentence.place == 0
            and (not self.tokens.words[sentence.first].isalnum())
        )

    def _of_list(self, sentence: Sentence) -> list[Evidence]:
        """The evidence of a list's lead-in, of the items around, and of the sentence after the list."""
        item = self.document.blocks[sentence.block].item
        lent: list[Evidence] = []
        while item >= 0:
            entry = self.document.items[item]
            run = self.document.lists[entry.list]
            lent += self._of_block(run.lead_in)
            lent += self._following(run.items)
            if entry.parent >= 0:
                lent += [e for block in self.document.items[entry.parent].blocks[:1] for e in self._of_block(block)]
            item = entry.parent
        return lent

    def _following(self, items: list[int]) -> list[Evidence]:
        """The first sentence after a list, if it says where the figures come from."""
        last = max((block for item in items[-1:] for block in self.document.items[item].blocks), default=-1)
        following = self.subjects.of_block(last + 1)[:1] if last >= 0 else []
        return [self.own(s) for s in following if self._tells_origin(s) or self._is_mere_link(s)]

    def _is_mere_link(self, sentence: Sentence) -> bool:
        """As in "[More details](https://...)": a few words that only lead to another page."""
        return self.own(sentence).cited and not sentence.figures and sentence.last - sentence.first <= _LINK_WORDS

    def _of_table(self, sentence: Sentence) -> list[Evidence]:
        """The evidence of a table's caption, lead-in and note, and of the cell's row and column."""
        block = self.document.blocks[sentence.block]
        table = self.document.tables[block.table]
        lent = self._around_table(block.table) + self._of_source_labels(sentence) + self._of_row(block.table, block.row)
        if block.row > 0:
            for row, column in ((0, block.column), (0, 0)):
                if column < len(table.rows[row]):
                    lent += self._of_cell(table.rows[row][column])
        return lent

    def _around_table(self, index: int) -> list[Evidence]:
        """The evidence of a table's caption, lead-in and notes, and of the writer's work told above it."""
        found = self._tables.get(index)
        if found is None:
            table = self.document.tables[index]
            found = self._of_block(table.before) + self._own_above(index)
            if table.after >= 0:
                found += [self.own(s) for s in self.subjects.of_block(table.after)[:2]]
                found += self._about_tables_above(table.after)
            self._tables[index] = found
        return found

    def _of_row(self, table: int, row: int) -> list[Evidence]:
        """What the cells of a row offer as sources."""
        found = self._rows.get((table, row))
        if found is None:
            cells = self.document.tables[table].rows[row][:_MOST_COLUMNS]
            found = [e for cell in cells for e in self._of_cell(cell) if e.sourced or e.names]
            self._rows[table, row] = found
        return found

    def _about_tables_above(self, block: int) -> list[Evidence]:
        """What the blocks behind a table say of "both tables above"."""
        notes, prose = self._table_notes()
        found: list[Evidence] = []
        for note in notes[bisect_left(notes, block) :]:
            if prose[note] - prose[block] >= _NOTES_BEHIND or self.subjects.heading_of(note) >= block:
                break
            of_note = self.subjects.of_block(note)
            found += [self.own(s) for s in of_note if s.has("tables-above") and self.own(s).sourced]
        return found

    def _table_notes(self) -> tuple[list[int], list[int]]:
        """The blocks that speak of tables above them, and how many blocks outside tables stand before each block."""
        if self._notes is None:
            blocks = self.document.blocks
            notes = [
                index
                for index, block in enumerate(blocks)
                if block.table < 0
                and block.kind != "heading"
                and any(s.has("tables-above") for s in self.subjects.of_block(index))
            ]
            prose = list(accumulate((block.table < 0 for block in blocks), initial=0))
            self._notes = notes, prose
        return self._notes

    def _own_above(self, table: int) -> list[Evidence]:
        """The writer's own measuring, told in the blocks of the section right above a table."""
        blocks = self.document.blocks
        first = next((cell for row in self.document.tables[table].rows for cell in row if cell >= 0), 0)
        found = []
        for above in range(first - 1, max(first - 1 - _NOTES_BEHIND, -1), -1):
            if blocks[above].kind == "heading" or blocks[above].table >= 0:
                break
            found += [self.own(s) for s in self.subjects.of_block(above) if self.own(s).own]
        return found

    def _of_source_labels(self, sentence: Sentence) -> list[Evidence]:
        """A source row or column: whatever its cell for this row or column holds is the source."""
        block = self.document.blocks[sentence.block]
        rows = self.document.tables[block.table].rows
        row_labels, column_labels = self._source_places(block.table)
        cells = [rows[row][block.column] for row in row_labels if block.column < len(rows[row])]
        cells += [rows[block.row][column] for column in column_labels if column < len(rows[block.row])]
        return [_cited() for cell in cells if cell >= 0 and self._says_source(cell)]

    def _says_source(self, cell: int) -> bool:
        """Whether a cell for a source holds one: a dash or "n/a" is none."""
        words = [w for s in self.subjects.of_block(cell) for w in self.tokens.words[s.first : s.last]]
        cited = any(s.references for s in self.subjects.of_block(cell))
        return cited or not _EMPTY.issuperset(words)

    def _source_places(self, table: int) -> tuple[list[int], list[int]]:
        """The rows and the columns of a table whose label says that they give sources."""
        places = self._source_rows.get(table)
        if places is None:
            rows = self.document.tables[table].rows
            named = [row for row in range(1, len(rows)) if rows[row] and self._is_source_label(rows[row][0])]
            columns = [column for column in range(len(rows[0])) if self._is_source_label(rows[0][column])]
            places = self._source_rows[table] = (named, columns)
        return places

    def _is_source_label(self, block: int) -> bool:
        """Whether a label cell begins with a word for a source."""
        return any(
            mark.kind == "source-label" and not self.document.prose[s.start : mark.start].strip()
            for s in (self.subjects.of_block(block) if block >= 0 else [])
            for mark in s.marks
        )

    def _of_cell(self, block: int) -> list[Evidence]:
        """The evidence of a label: a citation, an attribution, or a bare name of an organisation's figures."""
        return [self.own(s) for s in self.subjects.of_block(block)] if block >= 0 else []

    def _of_block(self, block: int) -> list[Evidence]:
        return [self.own(s) for s in self.subjects.of_block(block)] if block >= 0 else []

    def _below_heading(self, sentence: Sentence) -> list[Evidence]:
        """The evidence of the first sentences under a heading."""
        return [self.own(s) for s in self.subjects.of_block(sentence.block + 1)[:2]]


def _announces(sentence: Sentence) -> bool:
    """As in "All runs are ours", "Two numbers, both measured by us": what follows is the writer's measurement."""
    return sentence.has("announcement", "own") or (sentence.has("announcement") and not sentence.figures)


def _cited() -> Evidence:
    evidence = Evidence()
    evidence.cited = True
    return evidence


def _named(vendors: set[str]) -> Evidence:
    evidence = Evidence()
    evidence.named = True
    evidence.vendors = vendors
    return evidence
