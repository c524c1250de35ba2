"""Numbers written in words, and the small closed classes of words that numbers stand next to."""

from __future__ import annotations

from decimal import Decimal

from caveat.figures.quantity import divided
from caveat.language.tokens import Tokens


def word_set(text: str) -> frozenset[str]:
    """The words of a text as a set."""
    return frozenset(text.split())


CARDINALS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
    "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
DOZENS = {"dozen": 12}

# Parts: "a third", "two-thirds". The first ordinals are left out: "first" and "second" are no fractions.
PARTS = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4, "fourths": 4,
    "fifth": 5, "fifths": 5, "sixth": 6, "sixths": 6, "seventh": 7, "sevenths": 7, "eighth": 8, "eighths": 8,
    "ninth": 9, "ninths": 9, "tenth": 10, "tenths": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13,
    "fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19,
    "twentieth": 20, "thirtieth": 30, "fiftieth": 50, "hundredth": 100, "thousandth": 1000,
}  # fmt: skip
ORDINALS = word_set(" ".join(name for name in PARTS if name.endswith(("th", "ird"))))

# Multipliers in one word. A gerund or a past form says the same of a change that has happened.
MULTIPLES = {
    "twice": 2, "thrice": 3, "double": 2, "doubles": 2, "doubled": 2, "doubling": 2, "triple": 3, "triples": 3,
    "tripled": 3, "tripling": 3, "treble": 3, "trebled": 3, "trebles": 3, "quadruple": 4, "quadruples": 4,
    "quadrupled": 4, "quadrupling": 4, "quintuple": 5, "quintupled": 5,
}  # fmt: skip
HALVINGS = word_set("halve halves halved halving")
FOLDS = {word + "fold": value for word, value in CARDINALS.items()} | {"hundredfold": 100, "thousandfold": 1000}

GLYPHS = {
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5),
    "⅘": (4, 5), "⅙": (1, 6), "⅚": (5, 6), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8), "⅒": (1, 10),
}  # fmt: skip

NUMBER_WORDS = frozenset(
    {*CARDINALS, *SCALES, *DOZENS, *PARTS, *ORDINALS, *MULTIPLES, *HALVINGS, *FOLDS, *GLYPHS, "order", "orders"}
)

MONTHS = word_set(
    "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec"
)
CLOCK = word_set("am pm a.m p.m utc gmt pst pdt est edt cst cdt mst mdt cet cest bst jst o'clock")
YEAR_LEADS = (
    word_set(
        "in since by until till from of during before after through early mid late year fiscal spring summer autumn "
        "fall winter between circa copyright © end and to around"
    )
    | MONTHS
)
# Prepositions that put hardware into a set-up: "on 8 H100s".
SETUP = word_set("on with using across over via uses used running requires needs need require at among between")
# What may stand between a qualifier and its figure: "up to a stated 1 million chips".
FILLERS = word_set(
    "a an stated claimed reported quoted listed advertised rated published full whole total nominal "
    "theoretical peak combined just only another by further"
)
# What may stand between a number and its unit: "25K output tokens/s".
UNIT_FILLERS = word_set(
    "output input generated prompt decode prefill total aggregate ai tensor peak raw combined matrix vector us "
    "effective additional more usable bidirectional unidirectional completion sustained theoretical"
)
# After a part or "twice", these make it a multiplier of what follows.
RELATIVES = word_set(
    "the of as that what its their his her our your those this these any more less fewer over than it them each every"
)
ARTICLES = word_set("a an one")
LINKS = word_set("of to at is was = : are were set with for up the a and by as from equal equals on over in")


class WordNumber:
    """A number read from words: its value, the step of its last word, and the index after its last token."""

    __slots__ = ("step", "stop", "value")

    def __init__(self, value: Decimal, step: Decimal, stop: int) -> None:
        self.value = value
        self.step = step
        self.stop = stop


def read_words(tokens: Tokens, at: int, stop: int) -> WordNumber | None:
    """The cardinal that starts at a token: "ninety-six", "one hundred and forty-four", "half a million"."""
    words = tokens.words
    if words[at] == "half" and at + 2 < stop and words[at + 1] == "a" and words[at + 2] in SCALES:
        size = SCALES[words[at + 2]]
        return WordNumber(Decimal(size) / 2, Decimal(size) / 10, at + 3)
    article = words[at] in ("a", "an")
    if article:
        if at + 1 >= stop or words[at + 1] not in SCALES:
            return None
        group, last, at = 1, 1, at + 1
    else:
        group, last = 0, 0
    return _cardinal(words, at, stop, group, last)


def _cardinal(words: list[str], at: int, stop: int, group: int, last: int) -> WordNumber | None:
    """Add up the words of a cardinal: `group` is the part below a thousand so far, `last` the size of its last word."""
    total, step, begin = 0, 1, at
    while at < stop:
        word = words[at]
        value = CARDINALS.get(word)
        if value is not None:
            if last and (last < 20 or value > 9 or value == 0) and last != 100:
                break
            group, last, step = group + value, max(value, 1) if value < 20 else 20, 1
        elif word == "hundred" and 0 <= group < 100:
            group, last, step = (group or 1) * 100, 100, 100
        elif word in SCALES:
            total, group, last, step = total + (group or 1) * SCALES[word], 0, 100, SCALES[word]
        elif word == "and" and last == 100 and at > begin and at + 1 < stop and words[at + 1] in CARDINALS:
            pass
        else:
            break
        at += 1
    if at == begin:
        return None
    return WordNumber(Decimal(total + group), Decimal(step), at)


def part(count: Decimal, size: int) -> tuple[Decimal, Decimal]:
    """The value of a fraction in words and its step: a fraction in words is good to about a tenth of itself."""
    value = divided(count, Decimal(size))
    return value, abs(value) * Decimal("0.16")
