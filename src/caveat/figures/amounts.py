"""What a value is: a multiplier, a measure, or neither. The decisions shared by numbers in digits and in words."""

from __future__ import annotations

from caveat.figures.bare import decide_bare, fills_cell
from caveat.figures.context import Context
from caveat.figures.quantity import ONE
from caveat.figures.reader import Reader, make_figure, ratio_of
from caveat.figures.settings import instructed, parameter_before
from caveat.figures.units import UnitMatch
from caveat.figures.values import Value
from caveat.figures.words import RELATIVES, word_set
from caveat.markdown.document import Block

_POSSESSIVE = frozenset(("'s", "'", "’"))
_TOLD_IN_WORDS = 20
# After these "4x" compares: "is 4x Trainium".
_COMPARING = word_set("is was are were be at by than to or about roughly nearly almost only just")
_SPEAKING = word_set("talk talks talked talking speak speaks spoke speaking")
_ACCOUNTED = word_set("a one million thousand")
# As far as this a unit, noun or name may be from its number, in characters: markup between them is blank.
_APART = 40


def decide(reader: Reader, value: Value) -> None:
    """Add a value, which may be a range, as a figure or as what it is instead."""
    unit = value.last.unit
    if value.last.ratio:
        _multiplier(reader, value)
    elif unit is not None:
        _measure(reader, value, unit)
    elif value.factor and value.high is None:
        reader.bare(value, "a factor")
    else:
        decide_bare(reader, value)


def _multiplier(reader: Reader, value: Value) -> None:
    """A number with "x", "times" or "fold": a ratio, or a number of things."""
    context, block, last = reader.context, reader.block, value.last
    following = context.next_token(last.end, block)
    if last.ratio == "times" and following >= 0 and context.word(following, block)[0].isdigit():
        reader.place(value.start, last.end, "number", "a factor", value.quantity())
    elif last.ratio == "times" and not (_compares(reader, value) or _relates(reader, following)):
        reader.place(value.start, last.end, "count", "how often, not how much", value.quantity())
    elif last.ratio == "x" and _echoes(reader, value):
        reader.place(value.start, last.end, "multiplicity", "a number of things named before", value.quantity())
    elif last.ratio == "x" and following >= 0 and _is_multiplicity(reader, value, following):
        reader.place(value.start, last.end, "multiplicity", "a number of the things named after it", value.quantity())
    elif last.ratio == "x" and _is_display(reader, value, following):
        reader.place(value.start, last.end, "setting", "how large something is shown", value.quantity())
    else:
        reader.figure(ratio_of(value), last.stop, "a multiplier", value.index)


def _is_display(reader: Reader, value: Value, following: int) -> bool:
    """As in "shown at 2x"; not "puts its video at 4x the speed"."""
    context, block = reader.context, reader.block
    of = following >= 0 and context.word(following, block) == "the"
    return not of and context.before(value.index, "display", block) is not None


# What a multiplier may be of, behind it: "3x throughput".
_SAID_OF = ("metric", "precision", "memory", "change", "product-line")
# So many numbers back another number of things may stand in a list, and one that is repeated.
_LIST_REACH, _ECHO_REACH = 4, 12
_LIST_MARKS = frozenset((",", ".", ";", "and", "with", "+", "plus", ")"))

_ARTICLES = frozenset(("a", "an"))

_THESE = frozenset(("these", "those", "them"))


def _is_multiplicity(reader: Reader, value: Value, index: int) -> bool:
    """Whether "4x" stands before things that come in numbers: "4x 400G NICs", "8x H100"."""
    context, block = reader.context, reader.block
    start, word = context.tokens.starts[index], context.word(index, block)
    if value.high is not None or not value.numeral.whole or start - value.end > _APART:
        return False
    spoken_of = context.word(value.index - 2, block) in _SPEAKING and context.word(value.index - 1, block) == "about"
    if context.qualifier_before(value.index, block) is not None and not spoken_of:
        return False
    if context.starting_at(start, "multiplied") is not None or word[0].isdigit():
        return True
    if word == "of" and context.word(index + 1, block) in _THESE:
        return True
    if _goes_on_counting(reader, value, index):
        return True
    held = context.before(value.index - 1, "container", block) is not None or _restates_number(reader, value)
    held = (held or spoken_of) and context.is_name(index, block)
    if context.word(value.index - 1, block) in _COMPARING and not held and not _heads_list(context, index, block):
        return False
    if context.starting_at(start, "vendor") is not None:
        return context.word(index + 1, block) not in _POSSESSIVE
    if context.is_name(index, block):
        return not _is_possessed(reader, index) and not _against_a_product(reader, start)
    following = context.word(index + 1, block)
    if not context.text[start].isupper():
        return False
    if following[:1].isdigit() or context.is_name(index + 1, block):
        return True
    if context.starting_at(start, "product-line") is not None and following in _LIST_MARKS:
        return True
    return following not in _POSSESSIVE and not any(context.starting_at(start, kind) is not None for kind in _SAID_OF)


def _against_a_product(reader: Reader, start: int) -> bool:
    """As in a cell "4x Trainium3" of a column "Bandwidth": a product behind a multiplier that is over it."""
    context, block = reader.context, reader.block
    if block.table < 0 or block.row <= 0 or block.column <= 0 or context.starting_at(start, "product") is None:
        return False
    header = context.document.tables[block.table].rows[0]
    cell = header[block.column] if block.column < len(header) else -1
    if cell < 0:
        return False
    first_from, column = context.tokens.first_from, context.document.blocks[cell]
    starts = context.tokens.starts[first_from(column.start) : first_from(column.end)]
    kinds = {kind for at in starts for kind in ("metric", "counted") if context.starting_at(at, kind) is not None}
    return kinds == {"metric"}


def _restates_number(reader: Reader, value: Value) -> bool:
    """As in "4x GB200, which is 8x B200": a number of things told as one of others."""
    last = reader.last()
    if last is not None and last.reading == "name" and len(reader.numbers) > 1:
        last = reader.numbers[-2]  # the name of the things
    if last is None or last.reading != "multiplicity" or last.start < reader.block.start:
        return False
    words, at = reader.context.tokens.words, value.index - 1
    return words[at] in ("is", "are", "=") and reader.context.tokens.first_from(last.end) + _LIST_REACH >= at


def _echoes(reader: Reader, value: Value) -> bool:
    """Whether a multiplier in quotation marks repeats a number of things of the block: "reading that "4x" as"."""
    text = reader.context.text
    if text[value.start - 1 : value.start] not in ('"', "“") or text[value.last.end : value.last.end + 1] not in (
        '"',
        "”",
    ):
        return False
    own = _plain(text[value.start : value.last.end])
    earlier = (
        n for n in reader.numbers[-_ECHO_REACH:] if n.start >= reader.block.start and n.reading == "multiplicity"
    )
    return any(_plain(text[n.start : n.end]) == own for n in earlier)


def _plain(multiplier: str) -> str:
    return multiplier.replace("×", "x")


def _goes_on_counting(reader: Reader, value: Value, index: int) -> bool:
    """As in "8x H200 NVL, 4x ConnectX-7 and 3x rail kits": one more number of things in a list of such."""
    context, block = reader.context, reader.block
    if context.word(value.index - 1, block) not in _LIST_MARKS or not context.word(index, block).isalpha():
        return False
    start = context.tokens.starts[index]
    if (
        any(context.starting_at(start, kind) is not None for kind in _SAID_OF)
        or context.word(index, block) in RELATIVES
    ):
        return False
    earlier = [number for number in reader.numbers[-_LIST_REACH:] if number.start >= block.start]
    return any(number.reading == "multiplicity" for number in earlier)


def _heads_list(context: Context, index: int, block: Block) -> bool:
    """As in "A node is 2x Xeon, 8x MI300X": a number of things before more of them."""
    return context.word(index + 1, block) in _LIST_MARKS and context.word(index + 2, block)[:1].isdigit()


def _is_possessed(reader: Reader, index: int) -> bool:
    """Whether a name is in the possessive: "4x Trainium3's bandwidth"."""
    context = reader.context
    product = context.starting_at(context.tokens.starts[index], "product")
    after = product.last if product is not None else index + 1
    return context.word(after, reader.block) in _POSSESSIVE


def _compares(reader: Reader, value: Value) -> bool:
    """Whether "N times" must be a multiplier by what stands before it or by its value."""
    context, block = reader.context, reader.block
    if context.word(value.index - 1, block) == "by" or not value.numeral.whole:
        return True
    return context.qualifier_before(value.index, block) is not None


def _relates(reader: Reader, index: int) -> bool:
    """Whether what follows "N times" makes it a multiplier."""
    context = reader.context
    word = context.word(index, reader.block) if index >= 0 else ""
    if not word or word in RELATIVES or word[0].isdigit():
        return True
    if word in _ARTICLES and context.word(index + 1, reader.block):
        index += 1  # "five times an H200", and not "five times a day"
    start = context.tokens.starts[index]
    return context.text[start].isupper() or context.starting_at(start, "change") is not None


def _measure(reader: Reader, value: Value, unit: UnitMatch) -> None:
    """A number with a unit: a figure, or a setting, a stretch of time that is told, a size in a name."""
    told = _told(reader, value, unit)
    if told is not None:
        reader.place(value.start, max(value.last.end, value.last.stop), *told, value.quantity())
        return
    figure = make_figure(value, unit.kind, unit)
    if unit.unit.kind == "count":
        figure.noun = unit.unit.key
    reader.figure(figure, value.last.stop, f"in {unit.key}", value.index)


def _told(reader: Reader, value: Value, unit: UnitMatch) -> tuple[str, str] | None:
    """The reading of a number with a unit that is no figure, or None."""
    context, block, index, kind = reader.context, reader.block, value.index, unit.kind
    if _in_name(reader, value, unit):
        return "name", "a size in a name"
    if unit.unit.narrative and not unit.rated and not unit.per and _is_narrative(value, unit):
        return "count", "a stretch of time that is told"
    if kind == "count":
        if _is_account(context, value):
            return "count", "a unit of account"
        if value.numeral.value < unit.unit.setting:
            return "setting", "an amount that a run was given"
    elif not unit.rated and not unit.per and value.numeral.value < unit.unit.setting:
        return "count", "an amount too small to be claimed"
    if kind in ("measure", "count") and not unit.rated and parameter_before(context, index, block, near=True):
        return "setting", "the value of a parameter"
    if kind != "price" and instructed(context, index, block):
        return "setting", "a value that an instruction gives"
    if kind == "measure" and block.column == 0 and _labels_row(reader, value):
        return "setting", "the label of a row"
    return None


def _is_narrative(value: Value, unit: UnitMatch) -> bool:
    """Whether a stretch of time is told rather than measured: "five minutes", "3 years"."""
    if value.numeral.in_words and value.numeral.value <= _TOLD_IN_WORDS:
        return True
    return unit.unit.narrative == "all" and value.numeral.whole and value.last.numeral.whole


def _is_account(context: Context, value: Value) -> bool:
    """Whether a round number of tokens in words is what a cost is counted by: "a million tokens"."""
    amount = value.numeral.value
    if not value.numeral.in_words or context.tokens.words[value.index] not in _ACCOUNTED:
        return False
    return amount > 0 and amount == ONE.scaleb(amount.adjusted())


def _labels_row(reader: Reader, value: Value) -> bool:
    """Whether a size fills the first cell of a row whose other cells hold numbers."""
    block, document = reader.block, reader.context.document
    if block.row <= 0 or not fills_cell(reader, value):
        return False
    for at in document.tables[block.table].rows[block.row][1:]:
        cell = document.blocks[at] if at >= 0 else None
        if cell is not None and any("0" <= sign <= "9" for sign in reader.context.text[cell.start : cell.end]):
            return True
    return False


def _in_name(reader: Reader, value: Value, unit: UnitMatch) -> bool:
    """Whether a size glued to its unit stands right beside a device's name: "H100 80GB", "80GB A100"."""
    context, block, tokens = reader.context, reader.block, reader.context.tokens
    if value.high is not None or unit.per or unit.rated or value.sign or not unit.unit.rate:
        return False  # a capacity is what may also be read at a rate
    if not context.text[value.numeral.end : value.numeral.end + 1].isalpha():
        return False
    before = value.index - 1
    if before >= 0 and block.start <= tokens.starts[before] and value.start - tokens.ends[before] <= 1:
        last = reader.last()
        named = last is not None and last.end == tokens.ends[before] and last.reading in ("name", "version")
        if named or context.ending_at(tokens.ends[before], "product") is not None or _ends_name(reader, before):
            return True
    following = context.next_token(value.end, block)
    return following >= 0 and tokens.starts[following] - value.end <= 1 and context.is_name(following, block)


def _ends_name(reader: Reader, at: int) -> bool:
    """Whether a capitalised word ends a longer name: the "Ada" of "RTX 6000 Ada", the "V" of "Titan V"."""
    context, block, tokens = reader.context, reader.block, reader.context.tokens
    if not context.word(at - 1, block) or tokens.starts[at] - tokens.ends[at - 1] > 1:
        return False
    both = (at - 1, at)
    if any(context.starting_at(tokens.starts[step], kind) is not None for step in both for kind in _SAID_OF):
        return False
    last = reader.last()
    numbered = last is not None and last.end == tokens.ends[at - 1] and last.reading in ("name", "version")
    proper = [context.text[tokens.starts[step]].isupper() and tokens.words[step].isalpha() for step in both]
    return proper[1] and (numbered or (proper[0] and context.word(at - 2, block) not in ("", ".", "!", "?", ":")))
