"""Which product a figure of a draft is of, and what it is compared with: where a claim of a registry must be sure."""

from __future__ import annotations

from collections.abc import Mapping

from caveat.article import Article
from caveat.figures.figure import RELATIVE
from caveat.loading.compile import forms_of
from caveat.reading.comparisons import Comparison
from caveat.reading.mentions import Mention
from caveat.reading.sentences import Sentence
from caveat.reading.statements import Statement
from caveat.reading.subjects import BEHIND, CARRIED, STRONG

# Scopes that are parts of whatever the product is.
PARTS = frozenset(("core", "die", "link"))
# "8 chips with 144 GB", "144 GB each": words by which an amount is that of a part.
_EACH = frozenset(("each", "every", "apiece"))
_HAVING = frozenset(("with", "at", "having", "of"))
_COMPARES = frozenset(("compare", "compares", "compared", "comparing"))
_WITH = frozenset(("with", "to", "against", "and"))
# "1.4 TB across 8 GPUs": what leads from an amount to the parts that share it, and how many words may stand between.
_ACROSS = frozenset(("across", "over", "among"))
_ACROSS_REACH = 3
# Words for a comparand that are no name: how many there may be, and what begins and ends them.
_MOST_WORDS = 8
_THAN = frozenset(("than", "with", "to", "of", "over", "against"))
_ENDS = frozenset((".", ",", ";", ":", "(", ")", "and", "at", "with", "but", "while", "in", "on", "for", '"', "?", "!"))


class Owners:
    """Tells of the figures of one draft, whose article knows its names, whose they are."""

    def __init__(self, article: Article, meant: Mapping[int, str]) -> None:
        """`meant` has by the offset of a name another product that it stands for there."""
        self.article = article
        self.products = article.registry.products
        self.meant = meant
        self._ids = {
            form.lower(): product.id
            for product in self.products.values()
            for name in (product.id, product.name, *product.aliases)
            for form in forms_of(name)
        }
        self.topic = self._title()
        self._comparisons = {id(c.statement): c for c in article.comparisons if c.statement is not None}

    def _title(self) -> str:
        """The product that the title names first; "" without a title that names one."""
        for sentence in self.article.sentences:
            block = self.article.document.blocks[sentence.block]
            if block.kind == "heading":
                products = [m.product for m in self.article.subjects.mentions(sentence) if m.product]
                return products[0] if products and block.level == 1 else ""
        return ""

    def product(self, statement: Statement) -> tuple[str, bool]:
        """The product that a figure is of, and whether the text leaves no doubt about that; "" for none."""
        comparison = self._comparisons.get(id(statement))
        if comparison is not None and statement.figure.kind in RELATIVE and (left := self._sides(comparison)[0]):
            return left, True
        subject = statement.subject
        if subject.mention is not None and (whole := self._holder(subject.mention, statement)):
            return whole, True
        reach = self._reach(statement)
        first = reach[0] if reach else ""
        scope = self._other_scope(statement, first)
        if scope:
            fitting = list(dict.fromkeys(product for product in reach if product and self.unit(product) == scope))
            if len(fitting) == 1:
                return fitting[0], True
            if not first or self.unit(first) or self._shared_out(statement):
                return "", True
        if subject.mention is not None and self._is_comparand(subject.mention, statement):
            return self._carried(statement), False
        if first and subject.hold in (CARRIED, BEHIND) and self._is_of_another_maker(statement, first):
            return "", False
        return first, subject.hold == STRONG

    def unit(self, product: str) -> str:
        """What one of a product is; "" if nothing says so."""
        return self.products[product].unit

    def _reach(self, statement: Statement) -> list[str]:
        """The products that a figure may be of, likeliest first, "" for one without a name."""
        subject = statement.subject
        table = self.article.document.blocks[statement.sentence.block].table >= 0
        if table and subject.mention is not None and not subject.mention.product:
            given = self.article.subjects.given(statement.sentence)
            subject = given if given.mention is not None else subject
        mentions = ([] if subject.mention is None else [subject.mention]) + subject.others
        return [self._meant(mention, statement.sentence) for mention in mentions]

    def _other_scope(self, statement: Statement, first: str) -> str:
        """The scope of what a figure is of, if that is no product of the one that is likeliest; "" if it may be."""
        told = self._shared_out(statement)
        scope = told or statement.tied.get("scope", "")
        other = first and scope and scope not in PARTS and self.unit(first) != scope
        return scope if told or other else ""

    def _meant(self, mention: Mention, sentence: Sentence) -> str:
        """The product that a name stands for; in another sentence than its own, what it is by itself."""
        here = sentence.start <= mention.start < sentence.end
        return self.meant.get(mention.start, mention.product) if here else mention.product

    def _holder(self, mention: Mention, statement: Statement) -> str:
        """As in "a rack holds 144 chips for 20.7 TB": the whole has what is told behind its parts, if not each."""
        tokens, figure = self.article.tokens, statement.figure
        counts = [s for s in self.article.statements_of(statement.sentence) if s.figure.kind == "count"]
        for count in counts:
            inside = count.figure.start <= mention.start < count.figure.end <= figure.start
            between = tokens.words[tokens.first_from(count.figure.end) : tokens.first_from(figure.start)]
            behind = tokens.words[tokens.first_from(figure.end) : tokens.first_from(figure.end) + 1]
            each = not _EACH.isdisjoint([*between, *behind]) or behind == ["per"] or not _HAVING.isdisjoint(between[:1])
            if inside and not figure.per and not each and count.product != mention.product:
                return count.product if count.subject.hold == STRONG else ""
        return ""

    def _shared_out(self, statement: Statement) -> str:
        """The unit of what an amount is of that several parts share, as in "1.4 TB across 8 GPUs"; "" for others."""
        words, last = self.article.tokens.words, self.article.tokens.first_from(statement.figure.end)
        if words[last : last + 1] and words[last] in _ACROSS and statement.sentence.last > last + 1:
            number = next((n for n in statement.sentence.numbers if n.start >= statement.figure.end), None)
            near = number is not None and self.article.tokens.first_from(number.start) - last <= _ACROSS_REACH
            wholes = {self.unit(m.product) for m in statement.subject.others if m.product} - {"", "chip"}
            return wholes.pop() if near and len(wholes) == 1 else ""
        return ""

    def _is_comparand(self, mention: Mention, statement: Statement) -> bool:
        """Whether the product before a figure is only what another figure of its sentence is compared with."""
        if statement.figure.kind in RELATIVE:
            return False
        beside = [c for c in self.article.comparisons if c.sentence is statement.sentence and c.start < mention.start]
        return any(c.right.mention is not None and c.right.mention.start == mention.start for c in beside)

    def _carried(self, statement: Statement) -> str:
        """What a sentence is about whose own products are only compared with."""
        given = self.article.subjects.given(statement.sentence)
        return self._meant(given.mention, statement.sentence) if given.mention is not None else ""

    def _is_of_another_maker(self, statement: Statement, product: str) -> bool:
        """Whether a figure is somebody's who does not make the product that was named last."""
        vendors = self.article.sourcing.own(statement.sentence).vendors
        maker = self.products[product].vendor
        return bool(vendors) and bool(maker) and maker not in vendors

    def _sides(self, comparison: Comparison) -> tuple[str, str]:
        """The products that a ratio sets against each other, by the ids that their names stand for."""
        left, right = comparison.left.mention, comparison.right.mention
        if left is not None and right is not None and self._is_set_beside(right, left):
            left, right = right, left
        return self._side(left, comparison), self._side(right, comparison)

    def _side(self, mention: Mention | None, comparison: Comparison) -> str:
        """The product of one side: the whole, if the name only says what a count before the ratio is of."""
        if mention is None:
            return ""
        statement = comparison.statement
        whole = self._holder(mention, statement) if statement is not None else ""
        return whole or self._meant(mention, comparison.sentence)

    def _is_set_beside(self, first: Mention, second: Mention) -> bool:
        """As in "they compare Alpha2 with Alpha1: 3x the speed": the first is the one that has so much."""
        tokens = self.article.tokens
        at, stop = tokens.first_from(first.start), tokens.first_from(second.start)
        between = tokens.words[tokens.first_from(first.end) : stop]
        return (
            first.end <= second.start
            and tokens.words[at - 1] in _COMPARES
            and len(between) == 1
            and between[0] in _WITH
        )

    def compared(self, statement: Statement, product: str) -> str:
        """The product, or the words, that a ratio is over; "" if the text does not say."""
        comparison = self._comparisons.get(id(statement))
        right = self._sides(comparison)[1] if comparison is not None else ""
        if right and right != product and self._told_right(comparison, statement):
            return right
        return self._words_compared(statement)

    def _told_right(self, comparison: Comparison | None, statement: Statement) -> bool:
        """Whether the product that a ratio is over is not only one that counts something in its sentence."""
        mention = comparison.right.mention if comparison is not None else None
        return mention is None or not any(
            f.kind == "count" and f.start <= mention.start < f.end for f in statement.sentence.figures
        )

    def _words_compared(self, statement: Statement) -> str:
        """As in "half the cost of GPUs", "compared with alternatives": the words behind "than" or "of"."""
        tokens, last = self.article.tokens, statement.sentence.last
        start = tokens.first_from(statement.figure.end)
        amounts = {mark.first for mark in statement.sentence.of_kind("qualifier")}
        others = [f.start for f in statement.sentence.figures if f.start > statement.figure.start]
        stop = min([last, *(tokens.first_from(start) for start in others)])
        for at in range(start, stop):
            if tokens.words[at] in _THAN and at + 1 < stop and at + 1 not in amounts:
                end = at + 1
                while end < min(stop, at + _MOST_WORDS) and tokens.words[end] not in _ENDS:
                    end += 1
                if end > at + 1:
                    words = self.article.told(tokens.starts[at + 1], tokens.ends[end - 1])
                    return self._ids.get(words.lower(), words)
        return ""
