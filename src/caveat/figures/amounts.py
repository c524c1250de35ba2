"""Which figure a value is, or what else: the decisions shared by numbers in digits and in words."""

from __future__ import annotations

import re

from caveat.figures.context import Context
from caveat.figures.counts import counted_noun, read_count
from caveat.figures.figure import Figure
from caveat.figures.places import is_year
from caveat.figures.quantity import ONE
from caveat.figures.reader import Reader, make_figure
from caveat.figures.settings import instructed, parameter_before
from caveat.figures.units import UnitMatch
from caveat.figures.values import Value
from caveat.figures.words import word_set, RELATIVES

_POSSESSIVE = frozenset(("'s", "'", "’"))
_NARRATIVE_WORDS = 20
_SMALL = 20
# After these "4x" compares: "is 4x Trainium".
_COMPARING = word_set("is was are were be at by than to or about roughly nearly almost only just")
_SIZE_LETTERS = frozenset("BMT")
_LOWER_LEADS = word_set(
    "in at on of the a an and or but for from with to by is are was were as than that this these those it its their "
    "our we you i he she they when while if so only just about around over under up more less some all both each per "
    "between after before since until against versus vs use using set then also not no yes first second third "
    "takes has have had gets got at least most nearly almost roughly approximately exactly another every any "
    "what where which who why how here there now today still even can could may might must should will would do does "
    "total overall"
)


def decide(reader: Reader, index: int, value: Value, high: Value | None = None) -> None:
    """Add a value, or the range from it to `high`, as a figure or as what it is instead.

    `index` is the token with which the number starts.
    """
    last = high or value
    if last.ratio:
        _multiplier(reader, index, value, high)
    elif last.unit is not None:
        _measure(reader, index, value, high, last.unit)
    elif value.factor and high is None:
        reader.bare(value, "a factor")
    else:
        _bare(reader, index, value, high)


def _multiplier(reader: Reader, index: int, value: Value, high: Value | None) -> None:
    """A number with "x", "times" or "fold": a ratio, or a number of things."""
    context, block, last = reader.context, reader.block, high or value
    quantity = value.quantity()
    following = context.next_token(last.end, block)
    if last.ratio == "times" and context.word(index - 1, block) != "by" and not _relates(context, following, reader):
        reader.place(value.start, last.end, "count", "how often, not how much", quantity)
        return
    if last.ratio == "x" and high is None and value.numeral.whole and following >= 0:
        if context.qualifier_before(index, block) is None and _is_thing(reader, index, following, last.end):
            reader.place(value.start, last.end, "multiplicity", "a number of the things named after it", quantity)
            return
    figure = _ratio(value, high)
    reader.figure(figure, last.stop, "a multiplier", index)


def _is_thing(reader: Reader, first: int, index: int, end: int) -> bool:
    """Whether "4x" stands before things that come in numbers: "4x 400G NICs", "8x H100"."""
    context, block = reader.context, reader.block
    start, word = context.tokens.starts[index], context.word(index, block)
    if start - end > 40:
        return False
    if context.starting_at(start, "multiplied") is not None or word[0].isdigit():
        return True
    if context.word(first - 1, block) in _COMPARING:
        return False
    if context.starting_at(start, "vendor") is not None:
        return context.word(index + 1, block) not in _POSSESSIVE
    if context.is_name(index, block):
        return not _possessed(context, index, reader)
    following = context.word(index + 1, block)
    return context.text[start].isupper() and (following[:1].isdigit() or context.is_name(index + 1, block))


def _possessed(context: Context, index: int, reader: Reader) -> bool:
    """Whether a name is in the possessive: "4x Trainium3's bandwidth"."""
    product = context.starting_at(context.tokens.starts[index], "product")
    after = context.tokens.first_from(product.end) if product is not None else index + 1
    return context.word(after, reader.block) in _POSSESSIVE


def _relates(context: Context, index: int, reader: Reader) -> bool:
    """Whether what follows "N times" makes it a multiplier."""
    word = context.word(index, reader.block) if index >= 0 else ""
    if word in RELATIVES or not word:
        return True
    if word[0].isdigit() or context.is_name(index, reader.block):
        return True
    start = context.tokens.starts[index]
    if context.text[start].isupper():
        return True
    return context.starting_at(start, "change") is not None or word in ("better", "bigger", "denser", "cheaper")


def _ratio(value: Value, high: Value | None) -> Figure:
    figure = make_figure(value, high, "ratio", None)
    figure.unit, figure.dimension = "x", "ratio"
    return figure


def _measure(reader: Reader, index: int, value: Value, high: Value | None, unit: UnitMatch) -> None:
    """A number with a unit: a figure, or a setting, a stretch of time that is told, a size in a name."""
    context, block = reader.context, reader.block
    last = high or value
    kind = unit.unit.kind
    if kind == "count" and unit.rated:
        kind = "measure"
    quantity = value.quantity()
    told = _told_measure(reader, index, value, last, unit, kind)
    if told is not None:
        reader.place(value.start, max(last.end, last.stop), *told, quantity)
        return
    figure = make_figure(value, high, kind, unit)
    if unit.unit.kind == "count":
        figure.noun = unit.unit.key
    why = f"{value.numeral.value.normalize():f} in {unit.key}" if abs(value.numeral.value) < 10**15 else unit.key
    reader.figure(figure, last.stop, why, index)


def _told_measure(
    reader: Reader, index: int, value: Value, last: Value, unit: UnitMatch, kind: str
) -> tuple[str, str] | None:
    """The reading of a number with a unit that is no figure, or None."""
    context, block, numeral = reader.context, reader.block, value.numeral
    if _in_name(reader, index, value, last, unit):
        return "name", "a size in a name"
    if unit.unit.narrative and not unit.rated and not unit.per:
        small = numeral.in_words and numeral.value <= _NARRATIVE_WORDS
        if small or (unit.unit.narrative == "all" and numeral.whole and last.numeral.whole):
            return "count", "a stretch of time that is told"
    if (
        kind == "count"
        and not unit.rated
        and numeral.value == ONE.scaleb(numeral.value.adjusted())
        and _accounted(context, index, value)
    ):
        return "count", "a unit of account"
    if kind == "count" and not unit.rated and numeral.value < unit.unit.setting:
        return "setting", "an amount that a run was given"
    if kind in ("measure", "count") and not unit.rated and parameter_before(context, index, block, near=True):
        return "setting", "the value of a parameter"
    if kind != "price" and instructed(context, index, block):
        return "setting", "a value that an instruction gives"
    if kind == "measure" and block.column == 0 and _labels_row(reader, index, value, last):
        return "setting", "the label of a row"
    return None


def _labels_row(reader: Reader, index: int, value: Value, last: Value) -> bool:
    """Whether a size fills the first cell of a row whose other cells hold numbers."""
    block, document = reader.block, reader.context.document
    if block.row <= 0 or not _fills_cell(reader, index, value, last):
        return False
    for at in document.tables[block.table].rows[block.row][1:]:
        cell = document.blocks[at] if at >= 0 else None
        if cell is not None and any("0" <= sign <= "9" for sign in reader.context.text[cell.start : cell.end]):
            return True
    return False


def _accounted(context: Context, index: int, value: Value) -> bool:
    """Whether a round number of tokens is what a price or cost is counted by: "a million tokens"."""
    return value.numeral.in_words and context.tokens.words[index] in ("a", "one", "million", "thousand")


def _in_name(reader: Reader, index: int, value: Value, last: Value, unit: UnitMatch) -> bool:
    """Whether a size glued to its unit stands right beside a device's name: "H100 80GB", "80GB A100"."""
    context, block, tokens = reader.context, reader.block, reader.context.tokens
    if value is not last or unit.per or unit.rated or value.sign or value.currency or unit.unit.kind != "measure":
        return False
    if not context.text[value.numeral.end : value.numeral.end + 1].isalpha():
        return False
    if index > 0 and tokens.starts[index - 1] >= block.start and value.start - tokens.ends[index - 1] <= 1:
        last_read = reader.last()
        named = (
            last_read is not None
            and last_read.end == tokens.ends[index - 1]
            and last_read.reading in ("name", "version")
        )
        if named or context.ending_at(tokens.ends[index - 1], "product") is not None:
            return True
    following = context.next_token(value.end, block)
    return following >= 0 and tokens.starts[following] - value.end <= 1 and context.is_name(following, block)


def _bare(reader: Reader, index: int, value: Value, high: Value | None) -> None:
    """A number without a unit: most are no figures."""
    context, block = reader.context, reader.block
    last = high or value
    quantity = value.quantity()
    place = _pointing(reader, index, value) or _glued_letters(reader, last)
    if place is not None:
        reader.place(value.start, last.end, *place, quantity)
        return
    if context.after(last.end, "form-unit", block) is not None and not value.sign:
        mark = context.after(last.end, "form-unit", block)
        if mark is not None and mark.start - last.end <= 1:
            reader.place(value.start, mark.end, "name", "a format or form", quantity)
            return
    noun = counted_noun(context, last.end, reader) if value.numeral.whole else None
    if noun is not None and not (value.numeral.letter in _SIZE_LETTERS and noun.named):
        read_count(reader, index, value, high, noun)
        return
    place = _set(reader, index, value, last) or _named(reader, index, value, last) or _continuing(reader, value)
    if place is not None:
        reader.place(value.start, last.end, *place, quantity)
        return
    if not _from_elsewhere(reader, index, value, high):
        _plain(reader, value, high)


def _pointing(reader: Reader, index: int, value: Value) -> tuple[str, str] | None:
    """Whether a bare number points to a place or is the number of a version."""
    context, block = reader.context, reader.block
    if context.before(index, "pointer", block) is not None and not value.sign:
        return "pointer", "the number of a place or an item"
    if (
        context.before(index, "version", block) is not None
        and not value.numeral.letter
        and "," not in context.text[value.start : value.end]
    ):
        return "version", "a version or generation"
    return None


def _continuing(reader: Reader, value: Value) -> tuple[str, str] | None:
    """The reading of the number before if a conjunction goes on from it: "Sections 3 and 4"."""
    before = reader.continued(value.start)
    if before is None or value.sign:
        return None
    return before.reading, before.why


def _glued_letters(reader: Reader, last: Value) -> tuple[str, str] | None:
    """Whether letters of no known meaning are glued to the digits: "910C", "400G"."""
    context, text = reader.context, reader.context.text
    following = text[last.numeral.end : last.numeral.end + 1] if last.numeral.end < reader.block.end else ""
    if last.numeral.in_words or not (following.isalpha() or following == "_"):
        return None
    last.end = max(last.end, context.tokens.ends[context.tokens.first_from(last.numeral.end) - 1])
    return "name", "letters after the digits"


def _set(reader: Reader, index: int, value: Value, last: Value) -> tuple[str, str] | None:
    """Whether a bare number is a setting by the words around it or by its column."""
    context, block = reader.context, reader.block
    if context.after(last.end, "setting-after", block) is not None or parameter_before(context, index, block):
        return "setting", "the value of a parameter"
    if instructed(context, index, block):
        return "setting", "a value that an instruction gives"
    return None


def _named(reader: Reader, index: int, value: Value, last: Value) -> tuple[str, str] | None:
    """Whether a bare number is part of a name: "Maia 200", "70B", "910C", "8-way"."""
    context, block, text = reader.context, reader.block, reader.context.text
    if value.numeral.in_words:
        return None
    if value.numeral.letter in _SIZE_LETTERS:
        return "name", "the size of a model"
    following = text[last.end : last.end + 1] if last.end < block.end else ""
    if following in ("-", "\u2010", "\u2011") and text[last.end + 1 : last.end + 2].isalpha():
        return "name", "part of a compound word"
    if value.sign or value.plus or value is not last or index <= 0 or "," in text[value.start : value.end]:
        return None
    previous = context.word(index - 1, block)
    start = context.tokens.starts[index - 1]
    if previous and previous[0].isalpha() and text[start].isupper() and previous not in _LOWER_LEADS:
        if value.start - context.tokens.ends[index - 1] <= 3:
            if is_year(text, value.start, value.end) and value.numeral.plain:
                return "year", "a year"
            return ("name" if value.numeral.whole else "version"), "a number after a name"
    return None


def _from_elsewhere(reader: Reader, index: int, value: Value, high: Value | None) -> bool:
    """Add a bare number as a figure if a table's header or a figure before gives its unit."""
    context, block, last = reader.context, reader.block, high or value
    header = reader.headers.of_cell(block)
    if header is not None and _fills_cell(reader, index, value, last):
        if header.unit is not None:
            _measure_from_header(reader, index, value, high, header.unit)
            return True
        if header.ratio and not value.numeral.in_words:
            figure = _ratio(value, high)
            figure.from_header = True
            reader.figure(figure, last.stop, "a ratio by the header of its column", index)
            return True
        if header.counts:
            reader.place(value.start, last.end, "setting", "its column holds counts or settings", value.quantity())
            return True
    following = context.next_token(last.end, block)
    if following >= 0 and context.states(context.tokens.starts[following]):
        model = reader.last_measure()
        if model is not None and model.dimension == "operation-rate" and not value.sign:
            figure = make_figure(value, high, model.kind, None)
            figure.unit, figure.dimension, figure.factor, figure.per = (
                model.unit,
                model.dimension,
                model.factor,
                model.per,
            )
            reader.figure(figure, last.stop, "in the unit of the figure before", index)
            return True
    return False


def _measure_from_header(reader: Reader, index: int, value: Value, high: Value | None, unit: UnitMatch) -> None:
    last = high or value
    kind = "measure" if unit.rated else unit.unit.kind
    if kind == "count" and value.numeral.value < unit.unit.setting:
        reader.place(value.start, last.end, "setting", "an amount that a run was given", value.quantity())
        return
    figure = make_figure(value, high, kind, unit)
    figure.end = last.end
    figure.from_header = True
    reader.figure(figure, last.stop, f"{unit.key} by the header of its column or row", index)


def _fills_cell(reader: Reader, index: int, value: Value, last: Value) -> bool:
    """Whether a number, with its qualifier, is all that its cell holds."""
    context, block = reader.context, reader.block
    before = context.text[block.start : value.start].strip()
    after = context.text[last.end : block.end].strip()
    if len(before) > 30 or len(after) > 12:
        return False
    if any(sign.isalnum() for sign in before) and context.qualifier_before(index, block) is None:
        return False
    return not any(sign.isalpha() or "0" <= sign <= "9" for sign in after)


def _plain(reader: Reader, value: Value, high: Value | None) -> None:
    """A bare number of which nothing tells more."""
    text, numeral = reader.context.text, value.numeral
    if numeral.plain and is_year(text, numeral.start, numeral.end) and high is None:
        reader.place(value.start, value.end, "year", "a year", value.quantity())
    elif numeral.whole and numeral.value <= _SMALL and not value.sign and high is None:
        reader.bare(value, "a small number")
        reader.numbers[-1].reading = "count"
    else:
        if high is not None:
            value.end = high.end
        reader.bare(value, "no unit")
