"""The names of products and of their makers that a draft itself gives, read without a registry.

A name is told by its form: capitals with digits in them ("MI300X"), a capitalised word with a number behind it
("Gaudi 3"), and what stands about it that is written as a name too ("AMD Instinct MI300X", "GB200 NVL72"). A word that
the draft elsewhere writes small is none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from itertools import count, pairwise

from caveat.article import Article
from caveat.figures.figure import MODEL_SIZE, RELATIVE, Number
from caveat.figures.readings import read_quantity
from caveat.reading.sentences import Sentence

# Kinds of phrases that name formats, quantities and documents, and no product.
_NO_PRODUCTS = frozenset(("precision", "memory", "sparsity", "direction", "metric", "power", "kind"))
# Kinds of phrases of which no word is the name of a product that has no digit.
_KNOWN = _NO_PRODUCTS | {
    "vendor",
    "source",
    "product",
    "scope",
    "document-noun",
    "figure-noun",
    "role",
    "press-place",
    "not-a-name",
}
# Readings of a number that a capitalised word before it may make a name of: "Gaudi 3", "RTX 4090".
_NUMBERED = frozenset(("version", "name"))
# Readings of a number that may hold the name of what is counted.
_COUNTING = frozenset(("figure", "count", "setting", "multiplicity"))
# Between the parts of a name stands one of these.
_JOINTS = frozenset((" ", "-", "\u2010", "\u2011", "\u00a0"))
# What stands between two names of which the second has the word for both: "Alpha1 and Alpha2 Servers".
_JOINING = frozenset(("and", "or", "with", "versus", "vs", "to", "against", "from"))
# How many words may stand between a name and the amount that shows that it is one of a product.
_NEXT_TO = 3
_MOST_WORDS = 6
_LEAST_LETTERS = 2
# So many letters the name of a line of products has at least: "Trn" may be anybody's.
_LINE = 5
# What stands between an amount and the product that has it: "128 GB for a Gaudi 3".
_LEADING = frozenset(("for", "per", "of", "on"))
_PLACING = frozenset(("in", "of", "for"))

_HYPHENS = _JOINTS - {" ", "\u00a0"}
# As in "P2P": from one to another, and no product.
_TO = re.compile(r"[A-Z]2[A-Z]\Z")
_CORE = re.compile(r"[A-Z][A-Za-z]*[-\u2010\u2011]?\d[\w-]*\Z|[A-Z]+[a-z]*\d[\w-]*\Z")
_PLURAL = re.compile(r"(?<=[\w])s\Z")
_OWNING = re.compile(r"['’]s\b")
_NO_ID = re.compile(r"[^a-z0-9.]+")


def slug(name: str) -> str:
    """A name as an id: "Trn3 UltraServer" is trn3-ultraserver."""
    return _NO_ID.sub("-", _OWNING.sub("", name.lower())).strip("-.") or "unnamed"


def free_id(id_: str, taken: Container[str]) -> str:
    """An id that is not taken: the one given, or with the next number behind it."""
    if id_ not in taken:
        return id_
    return next(f"{id_}-{number}" for number in count(2) if f"{id_}-{number}" not in taken)


class Piece:
    """A word or a number of a sentence: a part that a name may have. `kind` is core, numeral, word or ""."""

    __slots__ = ("end", "kind", "start", "text")

    def __init__(self, start: int, end: int, text: str, kind: str) -> None:
        self.start = start
        self.end = end
        self.text = text
        self.kind = kind


class Occurrence:
    """A name where a draft has it: `name` as a registry would write it, and the words `before` it that belong to it.

    `shown` is whether its form or its place makes it a product's.
    """

    __slots__ = ("before", "end", "name", "sentence", "shown", "start", "whole")

    def __init__(
        self,
        sentence: Sentence,
        start: int,
        end: int,
        name: str,
        before: tuple[str, ...],
        whole: str,
        *,
        shown: bool = True,
    ) -> None:
        self.shown = shown
        self.sentence = sentence
        self.start = start
        self.end = end
        self.name = name
        self.before = before
        self.whole = whole


class NamedProduct:
    """A product that a draft names: its name, the other forms that the draft has, and whose it is as the draft says."""

    __slots__ = ("forms", "name", "vendor")

    def __init__(self, name: str) -> None:
        self.name = name
        self.vendor = ""
        self.forms: dict[str, None] = {}


class Names:
    """All names of a draft: `vendors` are makers and tellers.

    `meant` has by the offset of a name another product that it stands for there.
    """

    __slots__ = ("meant", "products", "vendors")

    def __init__(self) -> None:
        self.products: dict[str, NamedProduct] = {}
        self.vendors: list[str] = []
        self.meant: dict[int, str] = {}

    def only(self, ids: Container[str]) -> Names:
        """These names without the products that have none of some ids."""
        names = Names()
        names.products = {id_: product for id_, product in self.products.items() if id_ in ids}
        names.vendors, names.meant = self.vendors, self.meant
        return names


def read_names(article: Article) -> Names:
    """The products and makers that a draft names, by its own words alone and what the registry has."""
    return _NameReader(article).names()


class _NameReader:
    def __init__(self, article: Article) -> None:
        self.article = article
        self.prose = article.document.prose
        self.tokens = article.tokens
        self._small, self._inside = self._cases()
        self._scopes = {self.prose[m.start : m.end] for s in article.sentences for m in s.of_kind("scope")}
        products = article.registry.products.values()
        self._registered = {name.lower(): p.id for p in products for name in (p.name, *p.aliases)}

    def names(self) -> Names:
        """The names of the draft: first the products, then whose they are, then what stands for them."""
        names = Names()
        told = [each for sentence in self.article.sentences for each in self._occurrences(sentence)]
        shown = {each.name for each in told if each.shown}
        told = [each for each in told if each.name in shown]
        found = [each for each in told if not self._is_registered(each)]
        found += self._by_place(told)
        tellers = self._tellers()
        vendors = self._makers(found, tellers)
        for each in found:
            product = names.products.setdefault(self._id(each.name), NamedProduct(each.name))
            self._add_forms(product, each, vendors)
        self._share_heads(told, names)
        self._fold(names)
        self._share_makers(names)
        owners = {product.vendor for product in names.products.values() if product.vendor}
        names.vendors = sorted(tellers | vendors | owners, key=str.lower)
        return names

    def _id(self, name: str) -> str:
        """The id of a name: another one than the registry has for what is not called so."""
        return free_id(slug(name), self.article.registry.products)

    def _cases(self) -> tuple[set[str], set[str]]:
        """The words that the draft writes small, and those that it writes with a capital inside a sentence."""
        small, inside = set(), set()
        blocks = self.article.document.blocks
        for sentence in self.article.sentences:
            running = blocks[sentence.block].kind not in ("heading", "cell")
            for at in range(sentence.first, sentence.last):
                word = self._word(at)
                if word.islower():
                    small.add(word)
                elif running and at > sentence.first and self.tokens.words[at - 1] not in ('"', ":", ".", "("):
                    inside.add(word)
        return small, inside

    def _word(self, at: int) -> str:
        return self.prose[self.tokens.starts[at] : self.tokens.ends[at]]

    def _is_proper(self, word: str, sentence: Sentence) -> bool:
        """Whether a word is written as a name is."""
        if not word[:1].isupper() or len(word) < _LEAST_LETTERS or not word.replace("'", "").isalpha():
            return False
        if word.isupper() or any(sign.isupper() for sign in word[1:]):
            return True
        small = word.lower() in self._small or _PLURAL.sub("", word.lower()) in self._small
        cell = self.article.document.blocks[sentence.block].kind == "cell"
        return not small and (word in self._inside or cell)

    def _pieces(self, sentence: Sentence) -> list[Piece]:
        """The words and numbers of a sentence in order, each with the part of a name that it can be."""
        numbers = {number.start: number for number in sentence.numbers}
        covered = {at for m in sentence.marks if m.kind in _NO_PRODUCTS for at in range(m.first, m.last)}
        variants = {m.end for m in sentence.of_kind("variant")}
        no_names = {m.first for m in sentence.of_kind("not-a-name")}
        pieces: list[Piece] = []
        at = sentence.first
        while at < sentence.last:
            start, stop, last = self.tokens.starts[at], self.tokens.ends[at], at + 1
            number = numbers.get(start)
            if number is not None:
                kind = self._kind(number)
                last = self.tokens.first_from(number.end) if kind else last  # names may be in "eight H100s"
                stop = number.end if kind else stop
            elif _is_core(self._word(at)) and at > sentence.first and self._counted(at, sentence):
                kind = "core"
            else:
                proper = self._is_proper(self._word(at), sentence) or self._is_numbered(at, numbers)
                kind = "word" if proper and at not in no_names else ""
            if not covered.isdisjoint(range(at, last)) or self._belongs(at, covered, variants):
                kind = ""
            pieces.append(Piece(start, stop, self.prose[start:stop], kind))
            at = last
        return pieces

    def _counted(self, at: int, sentence: Sentence) -> bool:
        """Whether a token lies in a number and is not its first: the "H100s" of "eight H100s"."""
        start = self.tokens.starts[at]
        return any(n.start < start < n.end and n.reading in _COUNTING for n in sentence.numbers)

    def _is_numbered(self, at: int, numbers: dict[int, Number]) -> bool:
        """As in "Gaudi 3 has 128 GB": a word with a number behind it, which the draft never writes small."""
        word, end = self._word(at), self.tokens.ends[at]
        number = numbers.get(end + 1)
        numbered = number is not None and number.reading in _NUMBERED and self.prose[end : end + 1] in _JOINTS
        return numbered and word[:1].isupper() and word.isalpha() and word.lower() not in self._small

    def _belongs(self, at: int, covered: set[int], variants: set[int]) -> bool:
        """As in "NVLink-C2C", "PCIe Gen5": part of a name that is no product's."""
        start = self.tokens.starts[at]
        return start - 1 in variants or (self.prose[start - 1 : start] in _HYPHENS and at - 1 in covered)

    def _kind(self, number: Number) -> str:
        """The part of a name that a number can be."""
        text = self.prose[number.start : number.end]
        if number.figure is not None or number.reading not in _NUMBERED or number.why == MODEL_SIZE:
            return ""
        if number.reading == "name" and _is_core(text):
            return "core"
        return "numeral" if text[:1].isdigit() or text[:1] in "vV" else ""

    def _occurrences(self, sentence: Sentence) -> Iterator[Occurrence]:
        """The names with digits in them that a sentence has."""
        pieces = self._pieces(sentence)
        at = 0
        while at < len(pieces):
            if pieces[at].kind not in ("core", "numeral"):
                at += 1
                continue
            first = last = at
            while (
                first > 0
                and pieces[first - 1].kind in ("word", "core")
                and self._joined(pieces[first - 1], pieces[first])
            ):
                first -= 1
            while last + 1 < len(pieces) and self._goes_on(pieces[last], pieces[last + 1], sentence):
                last += 1
            run = pieces[first : last + 1]
            found = self._occurrence(run, at - first, sentence) if len(run) <= _MOST_WORDS else None
            if found is not None:
                yield found
            at = last + 1

    def _is_registered(self, found: Occurrence) -> bool:
        """Whether the registry has a product that is called so."""
        return any(m.start <= found.start and found.end <= m.end for m in found.sentence.of_kind("product"))

    def _joined(self, one: Piece, other: Piece) -> bool:
        return other.start - one.end == 1 and self.prose[one.end] in _JOINTS

    def _goes_on(self, last: Piece, piece: Piece, sentence: Sentence) -> bool:
        """Whether a name goes on with a piece: another name with digits, a word for a variant or a scope, a name."""
        if not self._joined(last, piece) or piece.kind == "":
            return False
        if piece.kind in ("core", "numeral"):
            return True
        marks = [m for m in sentence.marks if m.start == piece.start]
        if any(m.kind in ("variant", "scope") and m.value != "chip" for m in marks):
            return True
        return not piece.text.isupper() and not any(m.kind in ("document-noun", "scope") for m in marks)

    def _occurrence(self, run: list[Piece], at: int, sentence: Sentence) -> Occurrence | None:
        """The name in a run of pieces, of which the one at `at` is the first that was told by its digits."""
        cores = [index for index, piece in enumerate(run) if piece.kind == "core"]
        begin = cores[0] if cores else at - 1
        if begin < 0:
            return None
        scopes = {mark.start for mark in sentence.of_kind("scope")}
        if cores and begin > 0 and run[begin - 1].start in scopes:
            begin -= 1
        start, end = run[begin].start, run[-1].end
        name = _singular(self.prose[start:end], self._small)
        before = tuple(piece.text for piece in run[:begin])
        whole = _singular(self.prose[run[0].start : end], self._small)
        shown = bool(cores) or self._is_shown(run, sentence)
        return Occurrence(sentence, start, end, name, before, whole, shown=shown)

    def _is_shown(self, run: list[Piece], sentence: Sentence) -> bool:
        """Whether the place of a word with a number shows that it is a product, and no version of a program."""
        block = self.article.document.blocks[sentence.block]
        if block.kind == "heading" or (block.table >= 0 and (not block.row or not block.column)):
            return True
        if any(mark.start == piece.start for piece in run for mark in sentence.of_kind("scope")):
            return True
        end = self.tokens.first_from(run[-1].end)
        amounts = [f for f in sentence.figures if f.kind not in RELATIVE]
        if any(0 <= self.tokens.first_from(f.start) - end <= _NEXT_TO for f in amounts):
            return True
        begin = self.tokens.first_from(run[0].start)
        led = any(word in _LEADING for word in self.tokens.words[max(sentence.first, begin - 2) : begin])
        return led and any(0 < begin - self.tokens.first_from(f.end) <= _NEXT_TO for f in amounts)

    def _by_place(self, found: list[Occurrence]) -> list[Occurrence]:
        """Names without a digit, told by where they stand: before an amount, behind a count, over a column."""
        by_sentence: dict[int, list[Occurrence]] = {}
        for each in found:
            by_sentence.setdefault(each.sentence.index, []).append(each)
        places: list[Occurrence] = []
        for sentence in self.article.sentences:
            for start, end in self._places(sentence):
                run = self._proper_run(start, end, sentence)
                here = by_sentence.setdefault(sentence.index, [])
                if run is not None and not any(o.start < run[1] and run[0] < o.end for o in here):
                    text = self.prose[run[0] : run[1]]
                    here.append(Occurrence(sentence, run[0], run[1], text, (), text))
                    places.append(here[-1])
        return places

    def _places(self, sentence: Sentence) -> Iterator[tuple[int, int]]:
        """Where names of products stand that have no digit: offsets of a first and behind a last word, roughly."""
        for statement in self.article.statements_of(sentence):
            mention = statement.subject.mention
            if mention is not None and not mention.product and sentence.start <= mention.start < sentence.end:
                yield mention.start, mention.end
            if statement.figure.kind == "count":
                at = self.tokens.first_from(statement.figure.end)
                if self.tokens.words[at : at + 1] and self.tokens.words[at] in _PLACING and at + 1 < sentence.last:
                    yield self.tokens.starts[at + 1], self.tokens.ends[at + 1]
        block = self.article.document.blocks[sentence.block]
        if block.table >= 0 and block.row == 0 and block.column > 0 and sentence.last > sentence.first:
            yield self.tokens.starts[sentence.first], self.tokens.ends[sentence.last - 1]

    def _proper_run(self, start: int, end: int, sentence: Sentence) -> tuple[int, int] | None:
        """The run of names around a place that the draft writes with capitals inside sentences, if any."""
        first, last = self.tokens.first_from(start), self.tokens.first_from(end)
        if first >= sentence.last or not self._is_name(first, sentence):
            return None
        while first > sentence.first and self._is_name(first - 1, sentence) and self._touch(first - 1):
            first -= 1
        last = max(last, first + 1)
        while last < sentence.last and self._is_name(last, sentence) and self._touch(last - 1):
            last += 1
        numbers = {self.tokens.first_from(number.start) for number in sentence.numbers}
        if last in numbers or any(not self._is_name(at, sentence) for at in range(first, last)):
            return None  # a name with a number is told by that
        return self.tokens.starts[first], self.tokens.ends[last - 1]

    def _touch(self, at: int) -> bool:
        return self.tokens.starts[at + 1] - self.tokens.ends[at] == 1

    def _is_name(self, at: int, sentence: Sentence) -> bool:
        """Whether a word is a name wherever the draft has it, and none that the lexicons know."""
        word = self._word(at)
        known = any(m.first <= at < m.last and m.kind in _KNOWN for m in sentence.marks)
        proper = word[:1].isupper() and word.isalpha() and len(word) > _LEAST_LETTERS and word in self._inside
        return proper and not known and word.lower() not in self._small and not self._is_unit(word)

    def _is_unit(self, word: str) -> bool:
        """Whether a word is a unit, as the header of a column may be."""
        read = read_quantity(f"1 {word}", self.article.registry.vocabulary)
        return read is not None and read.unit != ""

    def _tellers(self) -> set[str]:
        """The organisations to which the draft attributes what it says."""
        found = set()
        for sentence in self.article.sentences:
            for name in self.article.sourcing.own(sentence).tellers:
                text = self.prose[self.tokens.starts[name.first] : self.tokens.ends[name.last - 1]]
                if not name.vendor and self._is_organisation(name.first, name.last, sentence):
                    found.add(text)
        return found

    def _is_organisation(self, first: int, last: int, sentence: Sentence) -> bool:
        """Whether all words of a name are written as names are, and none is a product's or a document's."""
        words = [self._word(at) for at in range(first, last)]
        known = {
            at for m in sentence.marks if m.kind in ("document-noun", "figure-noun") for at in range(m.first, m.last)
        }
        plain = all(word.isalpha() and self._is_proper(word, sentence) for word in words)
        return plain and not known.intersection(range(first, last))

    def _makers(self, found: Iterable[Occurrence], tellers: set[str]) -> set[str]:
        """The words before names that are names of makers: they tell, stand alone, or stand before several products."""
        before: dict[str, set[str]] = {}
        at_names = Counter(each.before[0] for each in found if each.before)
        for each in found:
            if each.before:
                before.setdefault(each.before[0], set()).add(each.name)
        overall = Counter(self._word(at) for s in self.article.sentences for at in range(s.first, s.last))
        return {
            word
            for word, products in before.items()
            if word.isalpha()
            and (
                word in tellers
                or len({_stem(name) for name in products}) > 1
                or (word.isupper() and overall[word] > at_names[word])
            )
        }

    def _add_forms(self, product: NamedProduct, each: Occurrence, vendors: set[str]) -> None:
        """Note the form that a name has in one place, and whose product it is there."""
        if each.whole != product.name:
            product.forms[each.whole] = None
        owner = each.before[0] if each.before and each.before[0] in vendors else self._owner(each)
        product.vendor = product.vendor or owner

    def _owner(self, each: Occurrence) -> str:
        """The name before "'s" and a product: the maker of "Acme's Rocket 2"."""
        at = self.tokens.first_from(each.start) - len(each.before)
        if at - 2 < each.sentence.first or self.tokens.words[at - 1] != "'s":
            return ""
        word = self._word(at - 2)
        return word if self._is_proper(word, each.sentence) else ""

    def _share_heads(self, found: list[Occurrence], names: Names) -> None:
        """Give the head of the second of two names to the first as well, as in "from Alpha1 to Alpha2 Servers"."""
        by_sentence: dict[int, list[Occurrence]] = {}
        for each in found:
            by_sentence.setdefault(each.sentence.index, []).append(each)
        for row in by_sentence.values():
            row.sort(key=lambda each: each.start)
            for one, other in pairwise(row):
                between = self.tokens.words[self.tokens.first_from(one.end) : self.tokens.first_from(other.start)]
                core, _, head = other.name.partition(" ")
                plural = head and self.prose[other.start : other.end].endswith(f"{head}s")
                if plural and len(between) == 1 and between[0] in _JOINING and _alike(one.name, core):
                    name = f"{one.name} {head}"
                    if name.lower() in self._registered:
                        names.meant[one.start] = self._registered[name.lower()]
                        continue
                    product = names.products.setdefault(self._id(name), NamedProduct(name))
                    maker = names.products.get(self._id(one.name))
                    product.vendor = product.vendor or (maker.vendor if maker else "")
                    names.meant[one.start] = self._id(name)

    def _fold(self, names: Names) -> None:
        """Make a name that is the end of another with words before it a form of the same product."""
        for id_, product in list(names.products.items()):
            for other_id, other in names.products.items():
                if other is not product and product.name.endswith(f" {other.name}") and self._is_prefix(product, other):
                    other.forms[product.name] = None
                    other.forms |= product.forms
                    other.vendor = other.vendor or product.vendor
                    del names.products[id_]
                    names.meant = {at: other_id if to == id_ else to for at, to in names.meant.items()}
                    break

    def _share_makers(self, names: Names) -> None:
        """Give all products of one line the maker that the draft names for some of them: Alpha2 is Alpha1's maker's."""
        by_line: dict[str, set[str]] = {}
        for product in names.products.values():
            if product.vendor:
                by_line.setdefault(_stem(product.name), set()).add(product.vendor)
        for product in names.products.values():
            makers = by_line.get(_stem(product.name), set())
            if not product.vendor and len(makers) == 1 and len(_stem(product.name)) >= _LINE:
                product.vendor = next(iter(makers))

    def _is_prefix(self, product: NamedProduct, other: NamedProduct) -> bool:
        """Whether what stands before a name in another is no word that makes it another product."""
        before = product.name[: -len(other.name)].split()
        digits = any(sign.isdigit() for word in before for sign in word)
        return not digits and not self._scopes.intersection(before)


def _is_core(text: str) -> bool:
    """Whether a text has the form of a product's name: capitals, and digits in them or behind them."""
    return _CORE.match(text) is not None and not _TO.match(text)


def _stem(name: str) -> str:
    """What stands before the digits of a name: "MI" of MI300X, which is of one line with MI350X."""
    return re.split(r"\d", name, maxsplit=1)[0]


def _alike(name: str, other: str) -> bool:
    """Whether two names differ in their digits only: Alpha1 and Alpha2."""
    return name != other and re.sub(r"\d+", "0", name) == re.sub(r"\d+", "0", other)


def _singular(name: str, small: set[str]) -> str:
    """A name without the "s" of several: "H200s", "Trn3 UltraServers"."""
    last = name.rpartition(" ")[2]
    several = len(last) > _LEAST_LETTERS and last.endswith("s") and not last.endswith("ss")
    marked = any(sign.isdigit() for sign in name) or any(sign.isupper() for sign in last[1:])
    return name[:-1] if several and (marked or last.lower() in small) else name
