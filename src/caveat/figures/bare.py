"""Numbers without a unit: counts, pointers, versions, settings and names; and units that a table or a figure lends."""

from __future__ import annotations

from caveat.figures.counts import counted_noun, read_count
from caveat.figures.figure import MODEL_SIZE, Figure
from caveat.figures.numerals import spaced_thousands
from caveat.figures.places import is_year
from caveat.figures.reader import Reader, make_figure, ratio_of
from caveat.figures.settings import instructed, parameter_before
from caveat.figures.units import UnitMatch
from caveat.figures.values import Value
from caveat.figures.words import word_set

_SMALL = 20
_SIZE_LETTERS = frozenset("BMT")
# Of these nobody has billions: "Ascend 910B chips" are chips of that name.
_DEVICES = frozenset(("GPU", "TPU", "NPU", "chip", "card", "accelerator", "die", "package", "board", "node"))
_HYPHENS = frozenset("-\u2010\u2011")
# Words that may open a sentence with a capital before a number and name nothing.
_NO_NAMES = word_set(
    "in at on of the a an and or but for from with to by is are was were as than that this these those it its their "
    "our we you i he she they when while if so only just about around over under up more less some all both each per "
    "between after before since until against versus vs use using set then also not no yes first second third "
    "takes has have had gets got least most nearly almost roughly approximately exactly another every any what where "
    "which who why how here there now today still even can could may might must should will would do does total overall"
)
_CELL_LEAD, _CELL_TAIL, _CELL_ASIDE = 30, 12, 30
# "300 PFLOPS for one machine and 180 for the other": what leads to the second number, and to what it is of.
_GOING_ON = word_set(", ; and against versus vs but while")
_PARALLEL = word_set("for on from with of")
_NAMING = word_set("a an the one each")
_PARALLEL_REACH = 14


def decide_bare(reader: Reader, value: Value) -> None:
    """Add a number without a unit, or a range, as what it is: most are no figures."""
    last = value.last
    if reader.context.before(value.index, "factor", reader.block) is not None:
        reader.figure(ratio_of(value), last.stop, "a factor", value.index)
        return
    place = _pointing(reader, value) or _form(reader, value)
    if place is None:
        _widen(reader, value)
    if place is None and value.numeral.whole:
        noun = counted_noun(reader, last.end)
        letter = value.numeral.letter
        named = noun is not None and (noun.named or (letter == "B" and noun.noun in _DEVICES))
        if noun is not None and not (letter in _SIZE_LETTERS and named):
            read_count(reader, value, noun)
            return
    place = place or _set(reader, value) or _named(reader, value) or _continuing(reader, value)
    if place is not None:
        reader.place(value.start, last.end, *place, value.quantity())
    elif not (_from_table(reader, value) or _from_figure(reader, value) or _in_parallel(reader, value)):
        _plain(reader, value)


def _widen(reader: Reader, value: Value) -> None:
    """Take "12 500" as one number if something that is counted follows."""
    wide = spaced_thousands(reader.context.text, value.numeral, reader.block.end)
    if wide is not None and value.high is None and counted_noun(reader, wide.end) is not None:
        value.numeral, value.end, value.stop = wide, wide.end, wide.end


def _pointing(reader: Reader, value: Value) -> tuple[str, str] | None:
    """Whether a number points to a place or is the number of a version."""
    context, block = reader.context, reader.block
    if value.sign:
        return None
    if context.before(value.index, "pointer", block) is not None:
        return "pointer", "the number of a place or an item"
    if context.before(value.index, "version", block) is None or value.numeral.letter:
        return None
    if "," in context.text[value.start : value.end] or _glued(reader, value):
        return None
    return "version", "a version or generation"


def _glued(reader: Reader, value: Value) -> bool:
    """Whether letters of no known meaning are glued to the digits: "910C", "400G"."""
    end = value.last.numeral.end
    following = reader.context.text[end : end + 1] if end < reader.block.end else ""
    return not value.numeral.in_words and (following.isalpha() or following == "_")


def _form(reader: Reader, value: Value) -> tuple[str, str] | None:
    """Whether a number is part of a form or code: "8-bit", "910C"."""
    context, last = reader.context, value.last
    if _glued(reader, value):
        tokens = context.tokens
        last.end = max(last.end, tokens.ends[tokens.first_from(last.numeral.end) - 1])
        return "name", "letters after the digits"
    mark = context.after(last.end, "form-unit", reader.block)
    if mark is None or mark.start - last.end > 1 or value.sign:
        return None
    last.end = mark.end
    return "name", "a format or form"


def _set(reader: Reader, value: Value) -> tuple[str, str] | None:
    """Whether a number is a setting by the words around it."""
    context, block = reader.context, reader.block
    if context.after(value.last.end, "setting-after", block) is not None:
        return "setting", "the value of a parameter"
    if parameter_before(context, value.index, block):
        return "setting", "the value of a parameter"
    if instructed(context, value.index, block):
        return "setting", "a value that an instruction gives"
    return None


def _named(reader: Reader, value: Value) -> tuple[str, str] | None:
    """Whether a number is part of a name: "Maia 200", "70B", "12-node"."""
    context, block, text, last = reader.context, reader.block, reader.context.text, value.last
    if value.numeral.in_words:
        return None
    if value.numeral.letter in _SIZE_LETTERS:
        return "name", MODEL_SIZE
    if last.end + 1 < block.end and text[last.end] in _HYPHENS and text[last.end + 1].isalpha():
        return "name", "part of a compound word"
    before = value.index - 1
    previous = context.word(before, block)
    if value.sign or value.plus or value.high is not None or not previous or "," in text[value.start : value.end]:
        return None
    tokens = context.tokens
    if value.start - tokens.ends[before] > 3 or not text[tokens.starts[before]].isupper() or previous in _NO_NAMES:
        return None
    if value.numeral.plain and is_year(text, value.start, value.end):
        return "year", "a year"
    return ("name" if value.numeral.whole else "version"), "a number after a name"


def _continuing(reader: Reader, value: Value) -> tuple[str, str] | None:
    """The reading of the number before if a conjunction goes on from it: "Sections 3 and 4"."""
    before = reader.continued(value.start)
    return None if before is None or value.sign else (before.reading, before.why)


def _from_table(reader: Reader, value: Value) -> bool:
    """Add a number that fills its cell by what the header of its column or the label of its row says."""
    header = reader.headers.of_cell(reader.block)
    if header is None or not fills_cell(reader, value):
        return False
    if header.unit is not None:
        _in_unit_of_header(reader, value, header.unit)
    elif header.ratio and not value.numeral.in_words:
        figure = ratio_of(value)
        figure.from_header = True
        reader.figure(figure, value.last.stop, "a ratio by the header of its column", value.index)
    elif header.counts and reader.headers.counts_parts(reader.block):
        figure = make_figure(value, "count")
        figure.noun, figure.dimension, figure.from_header = reader.headers.counts_parts(reader.block), "count", True
        reader.figure(figure, value.last.stop, "a count by the header of its column", value.index)
    elif header.counts:
        why = "its column holds counts or settings"
        reader.place(value.start, value.last.end, "setting", why, value.quantity())
    else:
        return False
    return True


def _in_unit_of_header(reader: Reader, value: Value, unit: UnitMatch) -> None:
    if unit.kind == "count" and value.numeral.value < unit.unit.setting:
        why = "an amount that a run was given"
        reader.place(value.start, value.last.end, "setting", why, value.quantity())
        return
    figure = make_figure(value, unit.kind, unit)
    figure.from_header = True
    reader.figure(figure, value.last.stop, f"in {unit.key} by the header of its column or row", value.index)


def fills_cell(reader: Reader, value: Value) -> bool:
    """Whether a number, with its qualifier, is all that its cell holds."""
    context, block = reader.context, reader.block
    before = context.text[block.start : value.start].strip()
    after = context.text[value.last.end : block.end].strip()
    if len(before) > _CELL_LEAD or len(after) > (_CELL_ASIDE if after[:1] in (",", ";", "(") else _CELL_TAIL):
        return False
    if _one_of_some(before, after):
        return True
    if any(sign.isalnum() for sign in before) and context.qualifier_before(value.index, block) is None:
        return False
    if after[:1] in (",", ";", "(") and not any("0" <= sign <= "9" for sign in after):
        return True  # "1,835, dense" under "TFLOPS"
    return not any(sign.isalpha() or "0" <= sign <= "9" for sign in after)


def _one_of_some(before: str, after: str) -> bool:
    """Whether a number is one of "1,979/3,958", which together fill their cell."""
    around = before + after
    return (before.endswith("/") or after.startswith("/")) and all("0" <= c <= "9" or c in "/,. " for c in around)


def _from_figure(reader: Reader, value: Value) -> bool:
    """Add a number whose format or mode is stated in the unit of the throughput before: "(3,958 with sparsity)"."""
    context = reader.context
    following = context.next_token(value.last.end, reader.block)
    if following < 0 or value.sign or not context.states(context.tokens.starts[following]):
        return False
    model = reader.last_measure()
    if model is None or not context.takes_modes(model.dimension):
        return False
    _in_unit_of(reader, value, model)
    return True


def _in_parallel(reader: Reader, value: Value) -> bool:
    """Add the second number of "300 PFLOPS for one machine and 180 for the other", in the unit of the first."""
    context, model = reader.context, reader.last_measure()
    words, following = context.tokens.words, context.next_token(value.last.end, reader.block)
    if model is None or value.sign or following < 0 or words[following] not in _PARALLEL:
        return False
    between = words[context.tokens.first_from(model.end) : value.index]
    if not 1 < len(between) <= _PARALLEL_REACH or between[-1] not in _GOING_ON or "." in between:
        return False
    if words[following] not in between or not _names(reader, following + 1):
        return False
    _in_unit_of(reader, value, model)
    return True


def _names(reader: Reader, index: int) -> bool:
    """Whether a token begins the name of a thing, or is an article before one."""
    tokens = reader.context.tokens
    if index >= len(tokens.words) or tokens.ends[index] > reader.block.end:
        return False
    return tokens.words[index] in _NAMING or reader.context.text[tokens.starts[index]].isupper()


def _in_unit_of(reader: Reader, value: Value, model: Figure) -> None:
    figure = make_figure(value, model.kind)
    figure.unit, figure.dimension, figure.factor, figure.per = model.unit, model.dimension, model.factor, model.per
    figure.like = model
    reader.figure(figure, value.last.stop, "in the unit of the figure before", value.index)


def _plain(reader: Reader, value: Value) -> None:
    """A number of which nothing tells more."""
    text, numeral = reader.context.text, value.numeral
    if value.high is not None:
        value.end = value.high.end
        reader.bare(value, "no unit")
    elif numeral.plain and is_year(text, numeral.start, numeral.end):
        reader.place(value.start, value.end, "year", "a year", value.quantity())
    elif numeral.whole and numeral.value <= _SMALL and not value.sign:
        reader.bare(value, "a small number", "count")
    else:
        reader.bare(value, "no unit")
