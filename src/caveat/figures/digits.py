"""Numbers in digits: what their form and neighbours exclude, then the value, its range and its meaning."""

from __future__ import annotations

import re
from decimal import Decimal

from caveat.figures.amounts import decide
from caveat.figures.numerals import digits_end
from caveat.figures.places import formed_place, glued_place
from caveat.figures.reader import Reader, ratio_figure
from caveat.figures.units import UnitMatch
from caveat.figures.values import Value, read_value
from caveat.figures.words import RELATIVES, part, word_set

_BETWEEN = re.compile(r"[-\s]{1,8}(to|through|and)[-\s]{1,8}(?:about\s|~)?", re.IGNORECASE)
_DASHES = "-–\u2010\u2011"
# Rare, and compiled when a sign or word of theirs is first met.
_FRACTION = r"([0-9]{1,3})\s?[/\u2044]\s?([0-9]{1,4})(?:th|rd|nd)?(?![\w/%.,]\d|\w|/)"
_OUT_OF = r"([0-9]{1,4})\s{1,8}(?:out\s{1,8}of|in)\s{1,8}(?:every\s{1,8})?([0-9]{1,4})(?![\w%.,]?\d|\w)"
_RANGE_VERBS = word_set("range ranges ranging ranged vary varies varying varied anywhere anything run runs")
# "1h 20m": what a part of an hour and of a minute is told in, and how it is written.
_SMALLER = {"h": "min", "min": "s"}
_SMALLER_PART = r"\s?(?:and\s)?([0-9]{1,2})\s?(minutes?|mins?|m|seconds?|secs?|s)(?!\w)"
_SHARES_OF = frozenset((2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 20, 50, 100, 1000, 10000))


def read_digits(reader: Reader, index: int) -> None:
    """Read the number in digits that starts with a token, and add what it is."""
    context, block = reader.context, reader.block
    start = context.tokens.starts[index]
    cover = context.cover(start)
    if cover is not None and cover.start < block.end and cover.kind != "kind":
        end = min(max(cover.end, context.tokens.ends[index]), block.end)
        reader.place(start, end, "pattern" if cover.kind == "sparsity" else "name", f"part of a {cover.kind} name")
        return
    place = glued_place(context, start, block) or formed_place(context, index, start, block)
    if place is not None:
        reading, why, end = place
        reader.place(start, end, reading, why)
        return
    if _read_share(reader, index, start):
        return
    begin = max(block.start, reader.cursor)
    value = read_value(reader.stretch, start, begin)
    if value is None:
        reader.place(start, digits_end(context.text, start, block.end), "name", "too long to be a number")
    elif value.numeral.dots:
        reader.place(start, value.end, "version", "several points")
    else:
        value.index = index if value.start == start else context.tokens.first_from(value.start)
        _read_minutes(reader, value)
        _read_range(reader, value)
        decide(reader, value)


def _read_share(reader: Reader, index: int, start: int) -> bool:
    """Add "1/2 the power", "9 in 10" and "24/7"."""
    text, block = reader.context.text, reader.block
    sign = text[start : start + 8].lstrip("0123456789").lstrip()[:1]
    match = re.compile(_FRACTION).match(text, start, block.end) if sign in ("/", "\u2044") else None
    if match is not None:
        over, under = int(match.group(1)), int(match.group(2))
        following = reader.context.next_token(match.end(), block)
        relates = following >= 0 and reader.context.word(following, block) in RELATIVES
        if 0 < over < under and relates:
            figure = ratio_figure(start, match.end(), *part(Decimal(over), under))
            reader.figure(figure, match.end(), "a fraction", index)
            return True
        if (over, under) == (24, 7) or (
            max(over, under) < 100 and text[match.end() : match.end() + 1] not in ("", " ")
        ):
            reader.place(start, match.end(), "pattern", "two numbers and a slash")
            return True
        return False
    if reader.context.word(index + 1, block) not in ("in", "out"):
        return False
    match = re.compile(_OUT_OF).match(text, start, block.end)
    if match is None:
        return False
    over, under = int(match.group(1)), int(match.group(2))
    if not 0 < over < under or under not in _SHARES_OF:
        return False
    figure = ratio_figure(start, match.end(), *part(Decimal(over), under))
    reader.figure(figure, match.end(), "a share", index)
    return True


def _read_range(reader: Reader, value: Value) -> None:
    """Read the other end if the value begins a range: it becomes `value.high`, or lends the value its unit."""
    text, limit = reader.context.text, reader.block.end
    word, after = _between(text, value.stop, limit) if not value.factor else ("", 0)
    if not after or not _starts_number(text, after, limit):
        return
    lead = reader.context.word(value.index - 1, reader.block)
    if word == "and" and lead != "between":
        return
    begin = after
    while not "0" <= text[begin] <= "9":
        begin += 1
    high = read_value(reader.stretch, begin, after)
    if high is None or high.numeral.dots or high.sign or not _one_range(value, high):
        return
    changes = lead == "from" and reader.context.word(value.index - 2, reader.block) not in _RANGE_VERBS
    if changes or value.numeral.value >= high.numeral.value:
        _share_unit(value, high)
        return
    if not value.bare and high.bare:
        _share_unit(high, value)
    value.high = high


def _read_minutes(reader: Reader, value: Value) -> None:
    """Read the smaller part of "1h 20m" and "2 hours and 40 minutes": the value is then one in that part's unit."""
    unit, vocabulary = value.unit, reader.context.vocabulary
    if unit is None or unit.unit.key not in _SMALLER or unit.rated or unit.per or not value.numeral.whole:
        return
    match = re.compile(_SMALLER_PART).match(reader.context.text, unit.stop, reader.block.end)
    if match is None or match.group(2)[0].lower() != _SMALLER[unit.unit.key][0]:
        return
    smaller = UnitMatch(vocabulary.unit(_SMALLER[unit.unit.key]), match.end())
    value.numeral.scaled(unit.factor / smaller.factor, value.numeral.end)
    value.numeral.value += Decimal(match.group(1))
    value.numeral.step = value.numeral.coarse = Decimal(1)
    value.unit, value.end, value.stop = smaller, match.end(), match.end()


def _between(text: str, at: int, limit: int) -> tuple[str, int]:
    """The word that joins the ends of a range, "" for a dash or dots, and where it ends: 0 if there is none."""
    match = _BETWEEN.match(text, at, limit)
    if match is not None:
        return match.group(1).lower(), match.end()
    at += text[at : at + 1].isspace()
    if at < limit and text[at] in _DASHES:
        end = at + 1
    elif text.startswith("..", at, limit):
        end = at + (3 if text.startswith("...", at, limit) else 2)
    elif text.startswith("…", at, limit):
        end = at + 1
    else:
        return "", 0
    end += end < limit and text[end].isspace()
    return "", end


def _starts_number(text: str, at: int, limit: int) -> bool:
    """Whether a number in digits starts at an offset, perhaps with a currency."""
    stop = min(at + 4, limit)
    while at < stop and text[at] in "US$€£¥~≈":
        at += 1
    return at < limit and "0" <= text[at] <= "9"


def _one_range(low: Value, high: Value) -> bool:
    """Whether two values can be the ends of one range: units alike, or a unit for both at the end."""
    if low.bare and not low.currency:
        if high.bare and low.numeral.plain and high.numeral.plain and low.numeral.value >= high.numeral.value:
            return False
        _borrow_scale(low, high)
        return True
    if low.currency:
        _borrow_scale(low, high)
    if low.ratio or high.ratio:
        return bool(low.ratio) == bool(high.ratio)
    if low.unit is None:
        return False
    if high.unit is None:
        return low.unit.unit.kind in ("price", "percent") and low.currency != ""
    return low.unit.dimension == high.unit.dimension


def _borrow_scale(low: Value, high: Value) -> None:
    """In "2-3 million" the million belongs to both."""
    numeral = high.numeral
    if low.numeral.letter or numeral.letter or not low.numeral.plain or numeral.plain or numeral.step <= 1:
        return
    if low.numeral.value < 1000 and numeral.step in (1000, 10**6, 10**9, 10**12):
        low.numeral.scaled(numeral.step, low.numeral.end)


def _share_unit(value: Value, other: Value) -> None:
    """Give a bare value the unit or multiplier of another."""
    if value.bare and not value.factor:
        value.unit, value.ratio = other.unit, other.ratio
