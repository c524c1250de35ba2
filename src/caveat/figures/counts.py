"""Things counted: which noun a number counts, and whether the count is a figure."""

from __future__ import annotations

from caveat.figures.figure import MODEL_SIZE
from caveat.figures.reader import Reader, make_figure
from caveat.figures.settings import set_up
from caveat.figures.values import Value
from caveat.figures.words import word_set

# Words that end the search for the noun of a number.
_STOPS = word_set(
    "and or of per in on to the a an with for from at by is are was were as than but if so which that this these those "
    "not no its their our your we you it they has have had will can may more less faster slower over under into when "
    "while out up down each every both all after before between through against versus vs i do does s"
)
# So many devices are no set-up of a run but a fleet.
_FLEET = 10_000
_WEAK_SETUP = word_set("with at between among over")
_REACH = 5
_NARRATIVE = 20
_CONFIGURATION = 16
_MANY = 1000


class Counted:
    """The noun that a number counts and where it ends; `named` says that a product's name stands there."""

    __slots__ = ("end", "hyphen", "named", "noun", "people")

    def __init__(self, noun: str, end: int, *, people: bool, hyphen: bool, named: bool) -> None:
        self.noun = noun
        self.end = end
        self.people = people
        self.hyphen = hyphen
        self.named = named


def counted_noun(reader: Reader, end: int) -> Counted | None:
    """The noun that a number counts which ends at an offset: "500,000 Trainium2 chips", "72-GPU"."""
    context, block, tokens = reader.context, reader.block, reader.context.tokens
    index = context.next_token(end, block)
    if index < 0 or tokens.starts[index] - end > 40:
        return None
    hyphen = context.text[end : end + 1] in ("-", "\u2010", "\u2011")
    named_end, plain = -1, 0
    at = index
    while at < min(index + _REACH, len(tokens.words)):
        start, word = tokens.starts[at], context.word(at, block)
        if not word or not (word[0].isalnum() or word in "'’"):
            break
        for kind in ("counted", "counted-people"):
            mark = context.starting_at(start, kind)
            if mark is not None:
                return Counted(mark.value, mark.end, people=kind != "counted", hyphen=hyphen, named=named_end >= 0)
        product = context.starting_at(start, "product")
        if product is not None:
            named_end = product.end
            at = product.last
            continue
        if context.is_name(at, block):
            named_end = tokens.ends[at]
        elif word in _STOPS or (
            word[0].isdigit() and (at == index or not context.text[tokens.starts[at - 1]].isupper())
        ):
            break
        elif not context.text[start].isupper():
            plain += 1
            if plain > 1:
                break
        at += 1
    if named_end >= 0 and context.text[named_end - 1 : named_end] == "s":
        return Counted("", named_end, people=False, hyphen=hyphen, named=True)
    return None


def read_count(reader: Reader, value: Value, noun: Counted) -> None:
    """Add a number of things as a figure, or as what it is instead."""
    told = _told(reader, value, noun)
    if told is not None:
        reader.place(value.start, max(noun.end, value.last.end), *told, value.quantity())
        return
    figure = make_figure(value, "count")
    figure.end = max(noun.end, figure.end)
    figure.noun = noun.noun
    figure.dimension = "count"
    reader.figure(figure, figure.end, f"counts {noun.noun or 'named devices'}", value.index)


def _told(reader: Reader, value: Value, noun: Counted) -> tuple[str, str] | None:
    """The reading of a count that is no figure, or None."""
    size = value.last.numeral.value
    qualified = value.plus or reader.qualifier_before(value.index, few=size <= _NARRATIVE) is not None
    if size >= _MANY and noun.noun == "parameter" and reader.context.text[noun.end - 1] not in "sS":
        return "name", MODEL_SIZE
    if size == 1 or (value.numeral.in_words and size <= _NARRATIVE and not qualified):
        return "count", "a small number told in words"
    if noun.hyphen and size <= _CONFIGURATION:
        return "count", "the size of a configuration"
    if noun.people and size <= _NARRATIVE:
        return "count", "a small number of people or things"
    if not qualified and size < _FLEET and _is_set_up(reader, value, noun):
        return "setting", "the hardware of a run"
    if not noun.noun and size < _MANY and not qualified:
        return "multiplicity", "a number of named devices"
    return None


def _is_set_up(reader: Reader, value: Value, noun: Counted) -> bool:
    """Whether devices are what a run used: "on 8 H100s", "on 4 nodes of 8 GPUs"."""
    index = reader.list_start(value.index)
    lead, last = reader.context.word(index - 1, reader.block), reader.last()
    if lead == "of":
        return last is not None and last.reading == "setting"
    if not set_up(reader.context, index, reader.block):
        return False
    return lead not in _WEAK_SETUP or value.last.numeral.value <= _CONFIGURATION or noun.named
