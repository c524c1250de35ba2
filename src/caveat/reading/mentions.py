"""Products that a sentence names, as the registry knows them or not."""

from __future__ import annotations

from bisect import bisect_left
from decimal import Decimal

from caveat.figures.figure import MODEL_SIZE, Number
from caveat.figures.words import CARDINALS
from caveat.language.phrases import Mark
from caveat.language.tokens import Tokens
from caveat.reading.sentences import Sentence
from caveat.registry.registry import Registry

# Numbers read as names inside phrases of these kinds are formats, metrics or documents, not products.
_NOT_PRODUCTS = ("precision", "memory", "metric", "source", "vendor", "sparsity", "kind", "direction", "document-noun")

# The scope of what holds several of a product: "an eight-GPU H100 machine".
SYSTEM = "node"
# "Is a different chip from the H100": how far before the name the word may stand, and such words.
_UNLIKE_REACH = 4
_UNLIKE = frozenset(("differs", "differ", "different", "distinct"))
# Parts of a product of which there are several in it: "a Trainium2 core".
_PARTS = frozenset(("core",))
# Kinds of phrases that may stand before a product's name without making it another's.
_NAMING = frozenset((*_NOT_PRODUCTS, "product", "product-line", "scope", "variant", "article"))

# Readings of a number before a product's name that say how many there are.
_COUNTS = frozenset(("figure", "multiplicity", "count", "setting"))
# How many words before a figure an unknown name may stand.
_NAME_REACH = 3
_HYPHENS = frozenset("-\u2010\u2011")
# Kinds of phrases that an unknown name may hold.
_LOOSE = frozenset(("article", "document-noun", "figure-noun"))


class Mention:
    """A product named in a sentence.

    `product` is its id, or "" for one that the registry does not know (another variant, another generation); `kin` is
    then the product of which it is made, if it is ("an MI300X platform"). `count` is how many of them the text speaks
    of ("eight H200s"); `scope` the unit of which it is one (chip, board, rack ...).
    """

    __slots__ = ("count", "end", "kin", "product", "scope", "start", "vendor")

    def __init__(
        self, start: int, end: int, product: str, vendor: str, scope: str, count: Decimal, kin: str = ""
    ) -> None:
        self.kin = kin
        self.start = start
        self.end = end
        self.product = product
        self.vendor = vendor
        self.scope = scope
        self.count = count

    def __repr__(self) -> str:
        return f"Mention({self.start}, {self.end}, {self.product!r}, count={self.count})"


# How far a name may stand from "the PCIe version of", in words, what leads to it, and what ends the phrase.
_FORM_REACH = 5
_OF_A_FORM = frozenset(("of", "in", "from"))
_FORM_ENDS = frozenset((",", ";", ":", "(", ")", "and", "than", "against"))


def find_mentions(sentence: Sentence, tokens: Tokens, registry: Registry, prose: str) -> list[Mention]:
    """The products that a sentence names, in order of place."""
    products = [mark for mark in sentence.of_kind("product") if not _is_denied(mark, sentence, tokens)]
    mentions = [_known(mark, sentence, tokens, registry, prose) for mark in products]
    taken = [(m.start, m.end) for m in mentions]
    covers = taken + [(mark.start, mark.end) for kind in _NOT_PRODUCTS for mark in sentence.of_kind(kind)]
    mentions.extend(
        Mention(_name_start(number, prose), number.end, "", "", "", Decimal(1))
        for number in sentence.numbers
        if _names_something(number, prose) and not any(a < number.end and number.start < b for a, b in covers)
    )
    mentions.extend(
        Mention(mark.start, mark.end, "", "", "", Decimal(1))
        for mark in sentence.of_kind("variant")
        if not any(a <= mark.start and mark.end <= b for a, b in taken) and _names_a_card(mark, sentence)
    )
    mentions += _unknown_names(sentence, tokens, prose, mentions)
    mentions.sort(key=lambda mention: mention.start)
    return mentions


def _is_denied(mark: Mark, sentence: Sentence, tokens: Tokens) -> bool:
    """As in "The MI300A is no MI300X", "is not an H100", "differs from the B200": what something unknown is not.

    What a known product is not, it may be compared with: "The H200 is no H100: it has 1.8x the memory".
    """
    words, at = tokens.words, mark.first
    others = any(m.first < at and m.value != mark.value for m in sentence.of_kind("product"))
    if others or at - 2 < sentence.first:
        return False
    at -= words[at - 1] in ("a", "an", "the")
    if any(m.value == "copula" and sentence.first < m.first and m.last == at for m in sentence.of_kind("negation")):
        return True
    unlike = words[max(sentence.first, at - _UNLIKE_REACH) : at]
    return unlike[-1:] == ["from"] and not _UNLIKE.isdisjoint(unlike)


def _unknown_names(sentence: Sentence, tokens: Tokens, prose: str, known: list[Mention]) -> list[Mention]:
    """Capitalised words directly before a figure that name nothing known: "Rubin at 50 PFLOPS", "Trillium's 32 GB"."""
    if not sentence.figures:
        return []
    taken = {mark.first for kind, marks in sentence.kinds.items() if kind not in _LOOSE for mark in marks}
    found = []
    for figure in sentence.figures:
        at = tokens.first_from(figure.start) - 1
        for step in range(at, max(sentence.first, at - _NAME_REACH), -1):
            word = prose[tokens.starts[step] : tokens.ends[step]]
            if any(m.start <= tokens.starts[step] < m.end for m in known) or not (word[0].isalpha() or word == "'s"):
                break
            if (
                word[0].isupper()
                and len(word) > 3
                and not word.isupper()
                and step not in taken
                and step > sentence.first
            ):
                found.append(Mention(tokens.starts[step], tokens.ends[step], "", "", "", Decimal(1)))
                break
    return found


def _name_start(number: Number, prose: str) -> int:
    """Where the name begins that a number ends: the "C" of "CS-3"."""
    start = number.start
    if start == 0 or prose[start - 1] not in _HYPHENS:
        return start
    start -= 1
    while start > 0 and prose[start - 1].isalnum():
        start -= 1
    return start


def _names_something(number: Number, prose: str) -> bool:
    """Whether a number is part of a name: of a product ("MI355X", "Ascend 910C") or of a version of one ("v5p")."""
    text = prose[number.start : number.end]
    if number.reading == "name" and " " in text and text.islower():
        return False  # "going down to eight bits"
    if number.reading == "name":
        return number.why != MODEL_SIZE and not (text[:-1].isdecimal() and text[-1:].islower())  # "from 1h 20m to 40m"
    return number.reading == "version" and (text[-1:].isalpha() or prose[number.end : number.end + 1].isalpha())


def _known(mark: Mark, sentence: Sentence, tokens: Tokens, registry: Registry, prose: str) -> Mention:
    """A product mark as a mention: another product if a variant or another scope follows it."""
    product = registry.products[mark.value]
    scope = _scope_before(mark, sentence, prose)
    if scope and scope != product.unit and not _is_of_a_known(mark, sentence, registry):
        return Mention(mark.start, mark.end, "", product.vendor, scope, Decimal(1), mark.value)
    if _part_of_longer_name(mark, sentence, tokens, prose):
        return Mention(mark.start, mark.end, "", "", "", Decimal(1))
    count = _count_before(mark.start, sentence, prose)
    if _in_another_form(mark, sentence, tokens):
        return Mention(mark.start, mark.end, "", product.vendor, "", count)
    after = mark.last
    start_after = tokens.starts[after] if after < sentence.last else -1
    for other in sentence.marks:
        if other.start != start_after:
            continue
        if other.kind == "variant":
            return Mention(mark.start, other.end, "", product.vendor, "", count)
        if other.kind == "counted" and other.value in _PARTS:
            return Mention(mark.start, other.end, "", product.vendor, other.value, count, mark.value)
        if other.kind == "scope" and product.unit and other.value != product.unit:
            related = _related(mark.value, other.value, registry)
            if not _same_thing(product.unit, other.value):
                scope = registry.products[related].unit if related else other.value
                kin = "" if related else mark.value
                return Mention(mark.start, other.end, related, product.vendor, scope, count, kin)
    return Mention(mark.start, mark.end, mark.value, product.vendor, product.unit, count)


def _in_another_form(mark: Mark, sentence: Sentence, tokens: Tokens) -> bool:
    """As in "the PCIe version of the H100", "the H100 in its PCIe form": another product than the one of that name."""
    nouns = sentence.of_kind("form-noun")
    if not nouns:
        return False
    words, forms = tokens.words, {m.last for kind in ("variant", "variant-form") for m in sentence.of_kind(kind)}
    for noun in nouns:
        if noun.first not in forms:
            continue
        before = range(noun.last, mark.first)
        if 0 < len(before) <= _FORM_REACH and words[noun.last] in _OF_A_FORM:
            return not any(words[at] in _FORM_ENDS for at in before)
        behind = words[mark.last : noun.first]
        if behind[:1] in (["in"], ["as"]) and len(behind) <= _FORM_REACH:
            return not any(word in _FORM_ENDS for word in behind)
    return False


def _is_of_a_known(mark: Mark, sentence: Sentence, registry: Registry) -> bool:
    """As in "the eight-GPU B200 board": whether the word behind names a product of the registry that has the parts."""
    behind = (m for m in sentence.of_kind("scope") if m.first == mark.last)
    return any(_related(mark.value, m.value, registry) for m in behind)


def _part_of_longer_name(mark: Mark, sentence: Sentence, tokens: Tokens, prose: str) -> bool:
    """Whether an acronym right before a product's name makes it another thing's: the "H100" of a "DGX-H100"."""
    at = mark.first - 1
    if at < sentence.first or tokens.starts[at + 1] - tokens.ends[at] != 1:
        return False
    word = prose[tokens.starts[at] : tokens.ends[at]]
    known = any(m.start <= tokens.starts[at] < m.end and m.kind in _NAMING for m in sentence.marks)
    return len(word) > 2 and word.isalpha() and word.isupper() and not known


def _scope_before(mark: Mark, sentence: Sentence, prose: str) -> str:
    """The scope whose acronym stands right before a product's name, as in "a DGX B200"; "" if none does.

    The parts of "an eight-GPU B200 box" make it a system of several.
    """
    before = [m for m in sentence.of_kind("scope") if m.last == mark.first]
    if any(prose[m.start - 1 : m.start] == "-" for m in before):
        return SYSTEM
    return next((m.value for m in before if prose[m.start : m.end].isupper()), "")


def _same_thing(unit: str, scope: str) -> bool:
    """Whether a scope word after a product's name names the product itself: a cluster of chips is no chip."""
    return unit == scope


def _related(product: str, scope: str, registry: Registry) -> str:
    """The product of a scope that contains a product or is contained in it; "" if there is none or more than one."""
    found = [p.id for p in registry.products.values() if p.unit == scope and product in p.contains]
    found += [
        c for c in registry.products[product].contains if c in registry.products and registry.products[c].unit == scope
    ]
    return found[0] if len(found) == 1 else ""


def _count_before(start: int, sentence: Sentence, prose: str) -> Decimal:
    """The number that directly precedes a product's name: "eight H200s", "8x H100"; otherwise 1."""
    starts = [number.start for number in sentence.numbers]
    at = bisect_left(starts, start) - 1
    if at < 0:
        return Decimal(1)
    return count_of(sentence.numbers[at], prose) if start - sentence.numbers[at].end <= 2 else Decimal(1)


def count_of(number: Number, prose: str) -> Decimal:
    """How many a number says there are: "8x", "eight", "8 GPUs"; 1 for a number that counts nothing."""
    if number.reading not in _COUNTS:
        return Decimal(1)
    if number.figure is not None:
        return number.figure.quantity.high if number.figure.kind == "count" else Decimal(1)
    return _value(prose[number.start : number.end])


def _value(text: str) -> Decimal:
    """The value of a whole number in digits ("8x", "1,024") or in a word; 1 for anything else."""
    word = text.partition(" ")[0]
    digits = word.rstrip("x×").replace(",", "")
    if digits.isdecimal() and len(digits) < 10:
        return Decimal(digits)
    return Decimal(CARDINALS.get(word.lower(), 1))


def _names_a_card(mark: Mark, sentence: Sentence) -> bool:
    """As in "the PCIe card", "the NVL version": a variant that stands for a product; a bare "PCIe" is a bus."""
    return any(other.kind == "scope" and 0 < other.start - mark.end <= 2 for other in sentence.marks)
