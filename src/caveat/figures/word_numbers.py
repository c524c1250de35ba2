"""Numbers in words: cardinals, fractions, multipliers and orders of magnitude."""

from __future__ import annotations

from decimal import Decimal

from caveat.figures.amounts import decide
from caveat.figures.figure import Figure
from caveat.figures.numerals import Numeral
from caveat.figures.quantity import ONE, TWO
from caveat.figures.reader import Reader, ratio_figure
from caveat.figures.values import Value, read_rest
from caveat.figures.words import (
    ARTICLES,
    CARDINALS,
    DOZENS,
    FOLDS,
    GLYPHS,
    HALVINGS,
    MULTIPLES,
    ORDINALS,
    PARTS,
    RELATIVES,
    SCALES,
    WordNumber,
    part,
    read_words,
    word_set,
)

# After these "half" is one of two things, not a fraction.
_HALVES_OF = word_set(
    "first second either other each this that latter former top bottom left right back front upper lower my your our "
    "another"
)
_HALF_LEADS = word_set("by in about is was are roughly to nearly at only than under around almost over just of")
_DOUBLE_LEADS = word_set("or to than nearly almost about is are was by roughly up - – with get got")
# Before "double" where it is part of a noun: "the double throughput test".
_DETERMINERS = word_set("a an the our its their each every of")
# How many words the name of a measure may have, and small words that end it.
_MEASURED_REACH = 3
_SMALL = word_set("and or but for on in at per of with when while as than over are is says said to by from")
_HALVED = RELATIVES - {"of", "than", "over"}
# How far behind "half as" its "again" may stand, in words.
_AGAIN_REACH = 6
_HALVING = frozenset(("it", "which", "that", "also", "nearly", "almost", "roughly", "effectively"))
_ENDS = word_set(". , ; : ! ? ) ( — –")
# The one number of quarters that is a fraction, and what makes it three months each all the same.
_FRACTION = Decimal(3)
_YEARLY_LEADS = word_set("next last past coming previous first final these those following remaining within after")
_YEARLY_TAILS = word_set("ago later running straight earlier out ahead away now before after since")
# After "against a fifth", these go on with when or where it was so.
_PART_LEADS = word_set("against from to versus vs")
_PART_TAILS = word_set("when in at last this by before after for today now then if while on and a two three ago back")
_CARDINAL_WORDS = frozenset({*CARDINALS, *SCALES, *DOZENS})


def read_word(reader: Reader, index: int) -> None:
    """Read the number that starts with a number word, and add what it is."""
    context = reader.context
    word, start = context.tokens.words[index], context.tokens.starts[index]
    cover = context.cover(start)
    if cover is not None and cover.kind not in ("kind", "scope", "metric"):
        reader.place(start, context.tokens.ends[index], "name", "part of a set phrase or name")
        return
    if word in _CARDINAL_WORDS or _half_million(reader, index):
        _read_cardinal(reader, index)
    elif word in PARTS and not (word == "halves" and _is_verb(reader, index)):
        _read_part(reader, index)
    elif word in MULTIPLES or word in HALVINGS:
        _read_multiple(reader, index)
    elif word in FOLDS:
        figure = ratio_figure(start, context.tokens.ends[index], Decimal(FOLDS[word]), ONE, direction="more")
        reader.figure(figure, figure.end, "a multiplier in words", index)
    elif word[0] in GLYPHS:
        over, under = GLYPHS[word[0]]
        figure = ratio_figure(start, start + 1, *part(Decimal(over), under))
        reader.figure(figure, start + 1, "a fraction", index)
    elif word in ("order", "orders"):
        _read_magnitude(reader, index, None, index)
    elif word in ORDINALS:
        reader.place(start, context.tokens.ends[index], "ordinal", "an ordinal")


def _is_verb(reader: Reader, index: int) -> bool:
    """As in "halves the cost", "halves memory use", "it halves": what halves stands before, what is halved follows."""
    context, tokens = reader.context, reader.context.tokens
    if context.word(index + 1, reader.block) in _HALVED:
        return True
    if context.word(index - 1, reader.block) in _HALVING and context.word(index - 2, reader.block) != "what":
        return True
    return index + 1 < len(tokens) and context.starting_at(tokens.starts[index + 1], "metric") is not None


def _half_million(reader: Reader, index: int) -> bool:
    """Whether "half a million" starts here."""
    word, block = reader.context.word, reader.block
    return word(index, block) == "half" and word(index + 1, block) == "a" and word(index + 2, block) in SCALES


def _read_cardinal(reader: Reader, index: int) -> None:
    """Read a cardinal, and see whether it is a fraction, a share, a magnitude, a multiplier or has a unit."""
    context, block, tokens = reader.context, reader.block, reader.context.tokens
    first = index
    collective = tokens.words[index] in SCALES or tokens.words[index] in DOZENS
    if collective and context.word(index - 1, block) in ("a", "an"):
        first = index - 1
    stop = tokens.first_from(block.end)
    number = _number(reader, index, first, stop)
    after = context.word(number.stop, block)
    if after == "half" and number.value == ONE:  # "one half" is read at "half"
        return
    if after == "quarters" and _are_of_a_year(reader, first, number):
        reader.place(tokens.starts[first], tokens.ends[number.stop], "date", "quarters of a year")
        return
    if after in PARTS and after != "half" and _joined_part(number, after) and number.value < PARTS[after]:
        figure = ratio_figure(tokens.starts[first], tokens.ends[number.stop], *part(number.value, PARTS[after]))
        if again := _again(reader, number.stop):
            figure = _on_top(tokens.starts[first], tokens.ends[again], number.value, PARTS[after])
        if context.starting_at(tokens.starts[first], "not-a-multiple") is None:
            reader.figure(figure, figure.end, "a fraction in words", first)
            return
    if after in ("order", "orders") and _read_magnitude(reader, number.stop, number.value, first):
        return
    if _read_share(reader, first, number):
        return
    value = _value(reader, first, number)
    value.high = _read_high(reader, number, value)
    if number.value == ONE and value.unit is None and not value.ratio:
        reader.place(value.start, value.end, "count", "one", value.quantity())
        return
    decide(reader, value)


def _are_of_a_year(reader: Reader, first: int, number: WordNumber) -> bool:
    """As in "two quarters", "the last three quarters", "three quarters ago": only three are ever a fraction."""
    context, block = reader.context, reader.block
    if number.value != _FRACTION:
        return number.value > ONE
    return context.word(first - 1, block) in _YEARLY_LEADS or context.word(number.stop + 1, block) in _YEARLY_TAILS


def _joined_part(number: WordNumber, after: str) -> bool:
    """Whether number and part agree: "two-thirds", "one third", not "two third-party"."""
    return (number.value == ONE) != after.endswith("s") and number.value < 100


def _number(reader: Reader, index: int, first: int, stop: int) -> WordNumber:
    """The cardinal at a token, with "and a half" taken in."""
    tokens, word, block = reader.context.tokens, reader.context.word, reader.block
    if tokens.words[index] in DOZENS:
        return WordNumber(Decimal(DOZENS[tokens.words[index]]), Decimal(DOZENS[tokens.words[index]]), index + 1)
    number = read_words(tokens, first, stop) or WordNumber(Decimal(SCALES[tokens.words[index]]), ONE, index + 1)
    number = _scaled(reader, _with_decimals(reader, number))
    if [word(number.stop + step, block) for step in range(3)] == ["and", "a", "half"]:
        number = WordNumber(number.value + ONE / TWO, ONE / TWO, number.stop + 3)
        if word(number.stop, block) in SCALES:
            size = Decimal(SCALES[word(number.stop, block)])
            number = WordNumber(number.value * size, number.step * size, number.stop + 1)
    return number


def _with_decimals(reader: Reader, number: WordNumber) -> WordNumber:
    """The cardinal with the digits of "one point eight", if such follow."""
    word, block = reader.context.word, reader.block
    if word(number.stop, block) != "point":
        return number
    value, step, at = number.value, number.step, number.stop + 1
    while CARDINALS.get(word(at, block), 10) < 10:
        step = (min(ONE, step)) / 10
        value, at = value + step * CARDINALS[word(at, block)], at + 1
    return WordNumber(value, step, at) if at > number.stop + 1 else number


def _scaled(reader: Reader, number: WordNumber) -> WordNumber:
    """A decimal in words times the scale behind it: "one point five million"."""
    word = reader.context.word(number.stop, reader.block)
    if number.step >= ONE or word not in SCALES:
        return number
    size = Decimal(SCALES[word])
    return WordNumber(number.value * size, number.step * size, number.stop + 1)


def _value(reader: Reader, first: int, number: WordNumber) -> Value:
    """The value of a cardinal, with what follows it."""
    tokens = reader.context.tokens
    end = tokens.ends[number.stop - 1]
    numeral = Numeral(tokens.starts[first], end, number.value, number.step)
    numeral.in_words = True
    value = Value(tokens.starts[first], numeral)
    value.index = first
    read_rest(reader.stretch, value)
    return value


def _read_high(reader: Reader, number: WordNumber, value: Value) -> Value | None:
    """The other end of "two to three times"; None unless it has a unit or multiplier for both."""
    context, block = reader.context, reader.block
    if value.unit is not None or value.ratio or context.word(number.stop, block) not in ("to", "or"):
        return None
    following = context.word(number.stop + 1, block)
    if following in FOLDS and FOLDS[following] > number.value:
        return _folds(reader, number.stop + 1, following)
    if following not in CARDINALS:
        return None
    other = read_words(context.tokens, number.stop + 1, context.tokens.first_from(block.end))
    if other is None or other.value <= number.value:
        return None
    high = _value(reader, number.stop + 1, other)
    return high if high.unit is not None or high.ratio else None


def _folds(reader: Reader, index: int, word: str) -> Value:
    """The other end of "two- to threefold"."""
    tokens = reader.context.tokens
    numeral = Numeral(tokens.starts[index], tokens.ends[index], Decimal(FOLDS[word]), ONE)
    numeral.in_words = True
    value = Value(numeral.start, numeral)
    value.ratio = "x"
    return value


def _read_share(reader: Reader, first: int, number: WordNumber) -> bool:
    """Add "nine in ten" and "two out of three"."""
    context, block, tokens = reader.context, reader.block, reader.context.tokens
    at = number.stop
    if context.word(at + 1, block) == "in" and context.word(at, block).isalpha():
        at += 1  # "one deployment in three"
    if context.word(at, block) == "out" and context.word(at + 1, block) == "of":
        at += 2
    elif context.word(at, block) == "in":
        at += 1
    else:
        return False
    if context.word(at, block) == "every":
        at += 1
    word = context.word(at, block)
    under = CARDINALS.get(word, 100 if word in ("hundred", "100") else 0)
    if not 0 < number.value < under:
        return False
    figure = ratio_figure(tokens.starts[first], tokens.ends[at], *part(number.value, under))
    reader.figure(figure, figure.end, "a share in words", first)
    return True


def _read_part(reader: Reader, index: int) -> None:
    """Read "half", "a third", "a quarter"; an ordinal or a noun is no figure."""
    context, block, tokens = reader.context, reader.block, reader.context.tokens
    word, start, end = tokens.words[index], tokens.starts[index], tokens.ends[index]
    before, after = context.word(index - 1, block), _next_word(reader, index)
    relative = after in RELATIVES or not after or after in _ENDS or _changes(reader, index + 1)
    first = index - 1 if before in ARTICLES else index
    if word == "half":
        fraction = before not in _HALVES_OF and (
            relative and (after not in _ENDS or first < index or before in _HALF_LEADS or not before)
        )
        fraction = fraction or context.qualifier_before(index, block) is not None
        fraction = fraction or (before == "a" and _told_of_a_time(reader, index, after))
        fraction = fraction or (before in _HALF_LEADS and before != "of" and after not in ("a", "an"))
    elif word.endswith("s") or before not in ARTICLES:
        fraction = False
    else:
        fraction = relative or _told_of_a_time(reader, index, after)
    again = _again(reader, index)
    if again:
        figure = _on_top(tokens.starts[first], tokens.ends[again], ONE, PARTS[word])
        reader.figure(figure, figure.end, "a part on top, in words", first)
    elif fraction:
        figure = ratio_figure(tokens.starts[first], end, *part(ONE, PARTS[word]))
        reader.figure(figure, end, "a fraction in words", first)
    elif word in ORDINALS:
        reader.place(start, end, "ordinal", "an ordinal")
    else:
        reader.place(start, end, "count", "a part that is told, not measured")


def _told_of_a_time(reader: Reader, index: int, after: str) -> bool:
    """As in "against a fifth when Volta was new", "from a third in 2021 to a half today"."""
    return after in _PART_TAILS and reader.context.word(index - 2, reader.block) in _PART_LEADS


def _again(reader: Reader, index: int) -> int:
    """The "again" of "half as much again", "half again as large", by its token; 0 if there is none."""
    context, block = reader.context, reader.block
    word = [context.word(index + step, block) for step in range(_AGAIN_REACH)]
    if word[1] == "again":
        return index + 1
    end = word.index("again", 3) if word[1] == "as" and "again" in word[3:] else 0
    return index + end if end and all(each.isalpha() for each in word[1:end]) else 0


def _on_top(start: int, end: int, count: Decimal, size: int) -> Figure:
    """The multiplier of "half as much again": a part that comes on top of the whole."""
    value, step = part(count, size)
    return ratio_figure(start, end, ONE + value, TWO * step)


def _next_word(reader: Reader, index: int) -> str:
    """The word after a token; "" at the end of the block and before a dash."""
    tokens = reader.context.tokens
    word = reader.context.word(index + 1, reader.block)
    gap = reader.context.text[tokens.ends[index] : tokens.starts[index + 1]] if word else ""
    return "" if "-" in gap and " " in gap else word


def _changes(reader: Reader, index: int) -> bool:
    """Whether a token tells of more or less, or is in the possessive sense of a name."""
    context = reader.context
    if not context.word(index, reader.block):
        return False
    return context.starting_at(context.tokens.starts[index], "change") is not None or context.is_name(
        index, reader.block
    )


def _read_multiple(reader: Reader, index: int) -> None:
    """Read "twice", "doubles", "halved" where they compare."""
    context, block, tokens = reader.context, reader.block, reader.context.tokens
    word, start, end = tokens.words[index], tokens.starts[index], tokens.ends[index]
    before, after = context.word(index - 1, block), _next_word(reader, index)
    if word in HALVINGS:
        figure = ratio_figure(start, end, *part(ONE, 2), direction="less")
    else:
        figure = ratio_figure(start, end, Decimal(MULTIPLES[word]), ONE, direction="" if word == "twice" else "more")
    relative = after in RELATIVES or after in ("a", "an") or after[:1].isdigit()
    relative = relative or (after != "" and _changes(reader, index + 1))
    if word in ("twice", "thrice", "double", "triple", "treble", "quadruple"):
        compares = relative or (
            word not in ("twice", "thrice") and before in _DOUBLE_LEADS and (not after or after in _ENDS)
        )
        compares = compares or (before not in _DETERMINERS and word != "twice" and _measured(reader, index + 1))
        compares = compares or (word in ("twice", "thrice") and (context.before(index, "qualifier", block) is not None))
    else:
        compares = True
    if compares:
        reader.figure(figure, end, "a multiplier in words", index)
    else:
        reader.place(start, end, "count", "how often, or part of a name")


def _measured(reader: Reader, index: int) -> bool:
    """Whether what is measured follows: "triple inference throughput"; not "triple power feeds"."""
    context, block, starts = reader.context, reader.block, reader.context.tokens.starts
    near = [at for at in range(index, index + _MEASURED_REACH) if context.word(at, block).isalpha()]
    nouns = [at for at in near if context.starting_at(starts[at], "measured-noun") is not None]
    if not nouns or (nouns[0] > index and context.word(index, block) in _SMALL):
        return False
    behind = _next_word(reader, nouns[-1])
    return not behind.isalpha() or behind in _SMALL


def _read_magnitude(reader: Reader, index: int, count: Decimal | None, first: int) -> bool:
    """Add "an order of magnitude", "two orders of magnitude"; False if that is not what stands here."""
    context, block, tokens = reader.context, reader.block, reader.context.tokens
    if context.word(index + 1, block) != "of" or context.word(index + 2, block) not in ("magnitude", "magnitudes"):
        return False
    if count is None:
        if context.word(index - 1, block) not in ("an", "one", "full"):
            return False
        count, first = ONE, index - 1
    if not ONE <= count <= 12:
        return False
    value = Decimal(10) ** count
    figure = ratio_figure(tokens.starts[first], tokens.ends[index + 2], value, value)
    reader.figure(figure, figure.end, "orders of magnitude", first)
    return True
