"""What a figure may be instead of a claim: an amount of one, advice, an example, a forecast, a setting, a definition.

GUIDE, "What a figure is" and what it leaves out; each function looks at one such kind.
"""

from __future__ import annotations

from decimal import Decimal
from itertools import combinations

from caveat.article import Article
from caveat.binding.bind import Binding
from caveat.checks.surroundings import label_of_kind
from caveat.figures.figure import Figure
from caveat.figures.words import SCALES
from caveat.reading.sentences import Sentence
from caveat.reading.statements import Statement
from caveat.reading.subjects import BEHIND

_SMALL_TYPE = Decimal(64)
_WOULD_REACH = 8
_IF_REACH = 12
# The same in an example that the reader is to imagine: "for example, if you watch the counters and see 10%".
_IMAGINED_REACH = 24
_TO_REACH = 3
_FEW = frozenset(("few", "several", "many", "some", "the"))
_ALL = Decimal(100)
_PRONOUNS = frozenset(("it", "this", "that", "you", "we", "they"))
_PLACES = frozenset(("below", "above", "at", "past", "beyond", "until", "under", "around", "by"))
_GIVEN = frozenset(("at", "for", "past", "beyond", "above", "below", "across"))
_CLAUSE_STARTS = frozenset((",", ";", ":", "and", "then", "("))
_DEFAULTS = frozenset(("default", "defaults"))
_PARTING = frozenset(("of", "the", "our", "my", "a", "that", "this"))
_THE = frozenset(("the", "that", "this", "your"))
_ONES = frozenset(
    (
        "row",
        "rows",
        "column",
        "columns",
        "figure",
        "number",
        "mark",
        "case",
        "cases",
        "line",
        "entry",
        "bar",
        "card",
        "cards",
        "part",
        "parts",
        "version",
        "versions",
        "model",
        "models",
        "variant",
        "variants",
        "sku",
        "one",
    )
)
_GERUNDS = frozenset(("halving", "doubling", "tripling", "quadrupling"))
# Before these words a gerund tells a result: "..., halving the cost", "while doubling it".
_RESULTS = frozenset(
    (",", "thus", "thereby", "nearly", "almost", "effectively", "more", "than", "while", "and", "as", "is", "are")
)
# "This should be halved": what has to be done to a number.
_PARTICIPLES = frozenset(("halved", "doubled", "tripled", "quadrupled"))
_MODALS = frozenset(("should", "must", "can", "may", "to"))
_ACTED_ON = (["the"], ["a"], ["it"], ["your"])
_IMPERATIVES = frozenset(("halve", "double", "triple", "quadruple"))
_NUMBERS = (
    ["the", "figure"],
    ["the", "number"],
    ["the", "value"],
    ["the", "result"],
    ["the", "numbers"],
    ["the", "figures"],
)
_SIZE_LEADS = frozenset(("with", "of", "for", "a", "an", "the", "at", "having", "featuring", "counting"))
_MINUTE = Decimal(60)
# How far before what one wants the word for wanting may stand: "wants to use a 2x slower".
_WISH_REACH = 4
_GUESSING = frozenset(("maybe", "perhaps"))
_POINTING = frozenset(("this", "that", "these", "those", "it", "them"))
_SPEEDS = frozenset(("speed", "speeds", "throughput", "fast", "operations"))
_MIGHT = frozenset(("may", "might", "could", "possible"))


def claims_nothing(article: Article, binding: Binding) -> bool:
    """Whether a figure asserts nothing of the world, so that it needs no source."""
    key = ("claims nothing", binding.statement.figure.start)
    if key not in article.memory:
        article.memory[key] = _claims_nothing(article, binding)
    found: bool = article.memory[key]
    return found


def _claims_nothing(article: Article, binding: Binding) -> bool:
    statement = binding.statement
    figure, sentence = statement.figure, statement.sentence
    return (
        _is_reference(figure)
        or _is_unit_amount(article, statement)
        or _is_set(article, figure, sentence)
        or _is_required(article, figure, sentence)
        or _is_operation(article, figure)
        or _is_law(article, figure, sentence)
        or _is_epithet(article, figure, sentence)
        or _is_stretch(article, figure, sentence)
        or _is_part_of_a_story(article, figure, sentence)
        or _is_percentile(article, figure, sentence)
        or _is_vague(article, figure)
        or _is_in_name(article, figure, sentence)
        or _is_a_place_on_an_axis(article, figure, sentence)
        or _would_be(article, figure, sentence)
        or _is_condition(article, figure, sentence)
        or _is_of_nothing_named(article, figure, sentence)
        or _is_possible_example(article, figure, sentence)
        or _is_guess(article, figure, sentence)
        or _is_tolerance(article, figure, sentence)
        or _is_wished(article, figure, sentence)
        or (figure.kind == "ratio" and (_is_definition(article, sentence) or _is_of_widths(article, figure, sentence)))
    )


def _is_reference(figure: Figure) -> bool:
    """As in "1.0x": what the others are relative to."""
    return figure.kind == "ratio" and figure.quantity.low == figure.quantity.high == 1


def _is_unit_amount(article: Article, statement: Statement) -> bool:
    """As in "1 byte", "1 second", "4 bytes for fp32": a unit, or the size of a type."""
    figure, sentence = statement.figure, statement.sentence
    if figure.kind != "measure" or figure.from_header or figure.qualifier or figure.per:
        return False
    subject = statement.subject
    if figure.dimension.endswith("-rate") and subject.mention is not None and subject.hold != BEHIND:
        return False  # "**Chip of the week: the S5000.** One petaflop of FP8 ..."
    if figure.dimension == "bytes" and figure.base()[1] <= _SMALL_TYPE:
        return True
    quantity = figure.quantity
    return quantity.low == quantity.high == quantity.step == 1 and not article.subjects.mentions(sentence)


def _is_set(article: Article, figure: Figure, sentence: Sentence) -> bool:
    """As in "12% variance", "2 MiB blocks", "give the page cache 64 GB": a setting, by its noun or verb."""
    words = article.tokens
    last = words.first_from(figure.end)
    if any(words.first_from(mark.start) == last for mark in sentence.of_kind("set-noun")):
        return True
    if _is_instructed(article, figure, sentence) or _is_default(article, figure, sentence):
        return True
    if _is_in_table_of_settings(article, sentence):
        return True
    heading = article.subjects.heading_of(sentence.block)
    return heading >= 0 and any(s.has("set-up-heading") for s in article.subjects.of_block(heading))


def _is_in_table_of_settings(article: Article, sentence: Sentence) -> bool:
    """As in the row "KV cache | 16 GB" under "Setting | Value": how a program is set, of no product."""
    first, told = article.column_head(sentence, 0), article.column_head(sentence)
    sets = first is not None and first.has("setting-header")
    return sets and (told is None or not article.subjects.mentions(told))


def _is_instructed(article: Article, figure: Figure, sentence: Sentence) -> bool:
    """As in "Give the page cache 64 GB", "...; take off ten percent": an order that names no product."""
    words = article.tokens.words
    limits = [mark.first for mark in sentence.of_kind("limit-noun") if mark.end <= figure.start]
    for mark in (*sentence.of_kind("instruction"), *sentence.of_kind("calculation")):
        whole = mark.last - mark.first > 1 or any(at >= mark.last for at in limits)  # "..., set the cap to $500"
        opens = mark.first == sentence.first or (whole and words[mark.first - 1] in _CLAUSE_STARTS)
        if opens and mark.end <= figure.start:
            return not any(m.start >= mark.start for m in article.subjects.mentions(sentence))
    return False


def _is_default(article: Article, figure: Figure, sentence: Sentence) -> bool:
    """As in "the default head-room goes from 10% to 15%": how a program is set."""
    before = article.tokens.words[sentence.first : article.tokens.first_from(figure.start)]
    if _DEFAULTS.isdisjoint(before):
        return False
    named = any(word in _DEFAULTS and before[at - 1] != "by" for at, word in enumerate(before))
    return named and not article.subjects.mentions(sentence)


def _is_required(article: Article, figure: Figure, sentence: Sentence) -> bool:
    """As in "the contract asks for a first token within 400 ms": what is wanted, of nobody and nothing named."""
    nouns = [mark for mark in sentence.of_kind("requirement") if mark.end <= figure.start]
    verbs = [mark for mark in sentence.of_kind("requiring") if mark.end <= figure.start]
    if not nouns or not any(mark.first >= nouns[0].last for mark in verbs):
        return False
    return not _named(article, [sentence])


def _is_epithet(article: Article, figure: Figure, sentence: Sentence) -> bool:
    """As in "the 40 GB card": which one of several is meant."""
    words = article.tokens.words
    first, last = article.tokens.first_from(figure.start), article.tokens.first_from(figure.end)
    led = words[first - 1] in _THE or words[first - 1] == "'s"
    return led and last < sentence.last and words[last] in _ONES


def _is_operation(article: Article, figure: Figure) -> bool:
    """As in "halving the dimension", "halve the figure": what one does to a number, not what came of it."""
    words, at = article.tokens.words, article.tokens.first_from(figure.start)
    if figure.kind != "ratio" or not figure.in_words or figure.qualifier:
        return False
    if words[at] in _GERUNDS:
        return words[at - 1] not in _RESULTS
    if words[at] in _PARTICIPLES and words[at - 1] == "be":
        return words[at - 2] in _MODALS and not article.subjects.mentions(article.sentence_at(figure.start))
    behind = words[at + 1 : at + 3]
    if words[at] in _IMPERATIVES and words[at - 1] in ("we", "you", "to") and behind[:1] in _ACTED_ON:
        return "if" in words[max(0, at - 2) : at] or words[at - 1] == "to"
    return words[at] in _IMPERATIVES and (not _PRONOUNS.isdisjoint(behind[:1]) or behind in _NUMBERS)


def _is_law(article: Article, figure: Figure, sentence: Sentence) -> bool:
    """As in "Halve the bits and the rate doubles": what follows from a step, of no product."""
    words, first = article.tokens.words, sentence.first
    if figure.kind != "ratio" or not figure.in_words or words[first] not in _IMPERATIVES:
        return False
    steps = words[first + 1 : first + 2] in _ACTED_ON and not article.subjects.mentions(sentence)
    return steps and "and" in words[first : sentence.last]


def _is_stretch(article: Article, figure: Figure, sentence: Sentence) -> bool:
    """As in "the talk ran 25 minutes over": a stretch of time that is told of nobody."""
    if figure.dimension != "time" or figure.base()[0] < _MINUTE or figure.per:
        return False
    return article.document.blocks[sentence.block].table < 0 and not _named(article, [sentence])


def _is_part_of_a_story(article: Article, figure: Figure, sentence: Sentence) -> bool:
    """As in "half the team was in Lisbon", "a third of us": a part of people or of a time, of nothing named."""
    if not (figure.kind == "ratio" and figure.in_words and figure.quantity.high < 1):
        return False
    words, last = article.tokens.words, article.tokens.first_from(figure.end)
    while last < sentence.last and words[last] in _PARTING:
        last += 1
    told = any(mark.first == last for mark in sentence.of_kind("told-whole"))
    return told and not article.subjects.mentions(sentence)


def _is_percentile(article: Article, figure: Figure, sentence: Sentence) -> bool:
    """As in "p95, so 5% of the requests": a share that a percentile names."""
    if figure.kind != "percent":
        return False
    block = article.document.blocks[sentence.block]
    text = article.words(block.start, block.end)
    return any(f"p{share:f}" in text for share in (figure.quantity.low, 100 - figure.quantity.low))


def _is_vague(article: Article, figure: Figure) -> bool:
    """As in "a few billion", "100% unnecessary": an amount that is none, or a figure of speech."""
    words = article.tokens.words
    first, last = article.tokens.first_from(figure.start), article.tokens.first_from(figure.end)
    if words[first].isalpha() and words[first] in SCALES and words[first - 1] in _FEW:
        return True
    if figure.kind == "percent" and words[last : last + 1] == ["solution"]:
        return True
    whole = figure.kind == "percent" and figure.quantity.low == figure.quantity.high == _ALL
    return whole and (words[last : last + 1] != ["of"] or words[first - 1] == "all")


def _is_in_name(article: Article, figure: Figure, sentence: Sentence) -> bool:
    """As in "GPT-J-6B has 6 billion parameters": what the name of the model says."""
    if figure.kind == "count" and figure.noun != "parameter":
        digits = f"{figure.quantity.low:f}"
        names = (article.words(n.start, n.end) for n in sentence.numbers if n.reading == "name")
        return len(digits) > 1 and any(name.endswith(digits) for name in names)  # "NVL72: 72 accelerators"
    if figure.noun != "parameter":
        return False
    start = figure.qualifier_span[0] if figure.qualifier_span else figure.start
    if article.tokens.words[article.tokens.first_from(min(start, figure.start)) - 1] in _SIZE_LEADS:
        return True  # "With 70B weights in FP8 you have room", "models with fewer than 13 billion parameters"
    if not any(m.start < figure.start for m in article.subjects.mentions(sentence)):
        before = article.tokens.first_from(figure.start)
        if not any(
            name.first < before and name.first > sentence.first for name in article.sourcing.own(sentence).names
        ):
            return article.tokens.words[sentence.first] not in ("the", "it", "its", "this")  # "70B weights make 140 GB"
    size = article.words(figure.start, figure.end).split()[0]
    names = (article.words(n.start, n.end) for n in sentence.numbers if n.reading == "name")
    return any(name.lower().rstrip("b").endswith(size) for name in names if name[-1:] in "bB")


def _is_a_place_on_an_axis(article: Article, figure: Figure, sentence: Sentence) -> bool:
    """As in "below about 1 GiB it falls off a cliff": a size at which something happens, of no product."""
    if figure.dimension not in ("bytes", "time", "tokens"):
        return False
    start = figure.qualifier_span[0] if figure.qualifier_span else figure.start
    at = article.tokens.first_from(min(start, figure.start))
    placed = not _PLACES.isdisjoint(article.tokens.words[at - 1 : at + 1])
    return placed and not _named(article, [sentence])


def _would_be(article: Article, figure: Figure, sentence: Sentence) -> bool:
    """As in "this would take 0.64 seconds": what would come of a supposition."""
    words, at = article.tokens.words, article.tokens.first_from(figure.start)
    last = article.tokens.first_from(figure.end)
    if words[last : last + 1] == ["would"] and words[at - 1] in ("of", "with", "at"):
        return True  # "a card of 48 GB would do"
    for step in range(at - 1, max(sentence.first, at - _WOULD_REACH) - 1, -1):
        if words[step] in (";", ":", "which", "("):
            return False
        if words[step] == "would" and sentence.has("reporting-verb") and article.sourcing.own(sentence).named:
            return False  # "told analysts that it would use 30% less"
        if words[step] == "would" or (words[step] == "d" and words[step - 1] in {"'", *_PRONOUNS}):
            return True
        if words[step] in ("will", "ll") and words[step - 1 - (words[step] == "ll")] in _PRONOUNS:
            promised = sentence.has("reporting-verb") and article.sourcing.own(sentence).named
            return not promised and (figure.kind != "price" or not _named(article, [sentence]))
    return False


def _is_condition(article: Article, figure: Figure, sentence: Sentence) -> bool:
    """As in "if MFU is 50%": inside an if-clause that names no product."""
    words, at = article.tokens.words, article.tokens.first_from(figure.start)
    if words[sentence.first] == "to" and at - sentence.first <= _TO_REACH:
        return True  # "To hold 1 TB of weights you want ..."
    given = words[sentence.first] == "with" or (words[sentence.first] in _GIVEN and figure.kind == "count")
    if given and at - sentence.first <= _TO_REACH and not _named(article, [sentence]):
        return True  # "With 10 MW of load ...", "At 100 cards ..."
    reach = _IMAGINED_REACH if sentence.has("example") else _IF_REACH
    for step in range(at - 1, max(sentence.first, at - reach) - 1, -1):
        if words[step] in (",", ";", ":", "then", "unless", "when", "whether"):
            return False
        if words[step] == "if" and (at - step <= _IF_REACH or words[step + 1] == "you"):
            return not article.subjects.mentions(sentence)
    return False


def _is_of_nothing_named(article: Article, figure: Figure, sentence: Sentence) -> bool:
    """A header, a cell of a table without any name, or advice to the reader and examples that name nobody."""
    block = article.document.blocks[sentence.block]
    if block.table >= 0:
        if block.row == 0:
            return True
        return not (_named(article, [sentence, *article.captions(sentence)]) or _is_of_a_kind(article, sentence))
    words, first = article.tokens.words[sentence.first : sentence.last], sentence.first
    behind = article.tokens.first_from(figure.end) - first
    before = words[: article.tokens.first_from(figure.start) - first]
    addressed = "you" in before or "your" in before or words[behind : behind + 2] == ["of", "your"]
    advice = figure.kind != "price" and addressed and not sentence.has("weasel")
    return (advice or sentence.has("example")) and not _named(article, [sentence])


def _is_of_a_kind(article: Article, sentence: Sentence) -> bool:
    """As in the row "MTIA" under "Card": a name that is an acronym, in a column of a kind of products."""
    label = label_of_kind(article, sentence)
    return label is not None and label is not sentence and bool(article.sourcing.own(label).names)


def _is_possible_example(article: Article, figure: Figure, sentence: Sentence) -> bool:
    """As in "for example, it may report being 5% full": what might be, of no product."""
    marks = sentence.of_kind("example")
    if not marks or any(mention.product for mention in article.subjects.mentions(sentence)):
        return False
    words = article.tokens.words[article.tokens.first_from(marks[0].end) : article.tokens.first_from(figure.start)]
    return any(word in _MIGHT for word in words)


def _is_guess(article: Article, figure: Figure, sentence: Sentence) -> bool:
    """As in "the real numbers are maybe half of this": what the writer supposes, of nobody and nothing named."""
    start = figure.qualifier_span[0] if figure.qualifier_span else figure.start
    words, last = article.tokens.words, article.tokens.first_from(figure.end)
    if words[article.tokens.first_from(min(start, figure.start)) - 1] not in _GUESSING or words[last : last + 1] != [
        "of"
    ]:
        return False
    return not _POINTING.isdisjoint(words[last + 1 : last + 2]) and not _named(article, [sentence])


def _is_tolerance(article: Article, figure: Figure, sentence: Sentence) -> bool:
    """As in "often a reasonable bound (within 1.5x)": how near an estimate comes, of nobody and nothing named."""
    words, first, last = article.tokens.words, *map(article.tokens.first_from, (figure.start, figure.end))
    told = figure.kind in ("ratio", "percent") and words[first - 1] == "within" and words[last : last + 1] != ["of"]
    return told and not _named(article, [sentence])


def _is_wished(article: Article, figure: Figure, sentence: Sentence) -> bool:
    """As in "nobody wants a 2-5x slower card": of what one would have, if of nobody and nothing named."""
    at = article.tokens.first_from(figure.start)
    wishes = [m for m in sentence.of_kind("wish-word") if m.value == "wish" and 0 <= at - m.last <= _WISH_REACH]
    indefinite = article.tokens.words[at - 1] in ("a", "an")
    return bool(wishes) and figure.kind == "ratio" and indefinite and not _named(article, [sentence])


def _named(article: Article, sentences: list[Sentence]) -> bool:
    """Whether any of the sentences names a product or an organisation; an acronym alone ("SLO") names none."""
    return any(article.subjects.mentions(s) or _organisations(article, s) for s in sentences)


def _organisations(article: Article, sentence: Sentence) -> bool:
    """Whether a sentence names an organisation; the capital of its first word alone is none, outside a table."""
    table = article.document.blocks[sentence.block].table >= 0
    names = article.sourcing.own(sentence).organisations
    return any(table or n.vendor or n.last - n.first > 1 or (n.first > sentence.first and not n.acronym) for n in names)


def _is_definition(article: Article, sentence: Sentence) -> bool:
    """As in "sparsity doubles the dense number": how two values of one dimension differ, of one product or none."""
    if len(article.subjects.mentions(sentence)) > 1:
        return False
    return any(
        len({mark.value for mark in sentence.of_kind(dimension)}) > 1
        for dimension, about in article.registry.vocabulary.dimensions.items()
        if about["applies_to"]
    )


def _is_of_widths(article: Article, figure: Figure, sentence: Sentence) -> bool:
    """As in "from FP16 to INT4 four times as many fit": what the widths of two formats give, of no product.

    How much faster one is than another is a claim.
    """
    fast = sentence.has("rate-word") or not _SPEEDS.isdisjoint(article.tokens.words[sentence.first : sentence.last])
    if fast or article.subjects.mentions(sentence):
        return False
    named = {"".join(filter(str.isdecimal, mark.value)) for mark in sentence.of_kind("precision")}
    widths = [Decimal(digits) for digits in named if digits]
    value = figure.quantity.low
    return figure.quantity.high == value and any(value in (a / b, b / a) for a, b in combinations(widths, 2))
