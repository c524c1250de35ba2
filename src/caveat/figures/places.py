"""Numbers in digits that are no figures by their form: dates, times, versions, patterns, parts of names."""

from __future__ import annotations

import re

from caveat.figures.context import Context
from caveat.figures.units import Stretch, read_unit
from caveat.figures.words import CLOCK, MONTHS, YEAR_LEADS, word_set
from caveat.markdown.document import Block

# Rare, and compiled when a sign of theirs is first met.
_DATE = (  # its first sign between numbers has been looked at
    r"(?:1[89]|20)[0-9]{2}(?P<sep>.)(?:0?[1-9]|1[0-2])(?:(?P=sep)(?:3[01]|[12][0-9]|0?[1-9]))?"
    r"(?:T[0-9:.]{4,15}Z?)?(?![\w%])"
    r"|[0-9]{1,2}/[0-9]{1,2}/(?:[0-9]{2}){1,2}(?![\w%])"
    r"|[0-9]{1,2}\.[0-9]{1,2}\.(?:19|20)[0-9]{2}(?!\w)"
)
_DATE_SIGNS = frozenset("-/\u2011")
_CLOCK = r"[0-2]?[0-9]:[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,6})?)?(?![\w:])"
_PATTERN = r"[0-9]{1,6}(?:\.[0-9]{1,4})?(?::[0-9]{1,6}(?:\.[0-9]{1,4})?){1,6}(?![\w:])"
_VALUE = r"[0-9]+(?:[.,][0-9]+)*(?:[eE][-+]?[0-9]{1,4})?\w*"
_YEAR_SIZES = (2, 4)
_GRID = r"[0-9]{1,7}(?:[x×X][0-9]{1,7}){1,6}(?=(?P<tail>\w?))"
_RUN = re.compile(r"\w+(?:[.\-\u2010\u2011]\w+)*")
# A name goes on no further than this, so that a line of hyphens and digits costs no more than any other.
_LONGEST_RUN = 80
_LEAST_PERCENTILE = 50
_TIME_LEADS = word_set("at from until till by before after to around about since between and –")
_COUNT_LEADS = word_set("from of to between around about through over by for and")
_ORDINAL_ENDINGS = frozenset(("st", "nd", "rd", "th"))
_DECADE_LEADS = frozenset(("the", "early", "mid", "late", "'", "’"))
_OPEN_PREFIXES = word_set("mid early late pre post sub non over under near a to")
_MONTH_NUMBERS = frozenset(str(day) for day in range(1, 32)) | frozenset(f"0{day}" for day in range(1, 10))

# The reading of a number, why, and where the number ends.
Place = tuple[str, str, int]


def name_place(context: Context, index: int, block: Block) -> Place:
    """The reading of a token that begins with a letter and holds a digit: "H200", "p5.48xlarge", "Q3", "x16"."""
    start = context.tokens.starts[index]
    word = context.tokens.words[index]
    match = _RUN.match(context.text, start, block.end)
    end = match.end() if match else context.tokens.ends[index]
    if word[0] in "qhfc" and _is_quarter(word):
        return "date", "a quarter, half or fiscal year", context.tokens.ends[index]
    if word[0] == "x" and word[1:].isdecimal() and end == context.tokens.ends[index]:
        return "pattern", "a number of lanes", end
    if word[0] == "p" and word[1:].isdecimal() and int(word[1:3]) >= _LEAST_PERCENTILE:
        return "name", "a percentile", end
    if word[0] == "v" and word[1:2].isdigit():
        return "version", "a version", end
    return "name", "a name with digits in it", end


def _is_quarter(word: str) -> bool:
    """Whether a word is a quarter, half or year of business: "q3", "h1", "fy26", "cy2026"."""
    if word[0] in "qh":
        return word[1:] in ("1", "2", "3", "4")
    return word[:2] in ("fy", "cy") and len(word) - 2 in _YEAR_SIZES and _is_digits(word[2:], len(word) - 2)


def glued_place(context: Context, start: int, block: Block) -> Place | None:
    """The reading that the sign directly before the digits forces: "GPT-4", "TP=8", "#12", "[3]", "\u00a73.1"."""
    text = context.text
    if start <= block.start:
        return None
    sign = text[start - 1]
    if sign in " \n$€£¥~≈+(":
        return None
    end = _run_end(text, start, block.end)
    before = text[start - 2] if start - 2 >= block.start else " "
    if sign in "-\u2010\u2011" and (before.isalnum() or before == "_"):
        return _hyphenated(text, start, end, block)
    if sign == "=":
        return "setting", "the value of a parameter", _value_end(text, start, block.end)
    if sign in "#§№":
        return "pointer", "the number of a place or an item", end
    if sign == "[" and text[end : end + 1] == "]":
        return "pointer", "a citation", end
    if (sign == "." and (before.isalnum() or before == "_")) or sign in "@_\\":
        return "name", "part of a name", end
    if sign == "^" or sign.isalnum():
        return "pattern", "an exponent or index", end
    return None


def _hyphenated(text: str, start: int, end: int, block: Block) -> Place | None:
    """A number after a word and a hyphen: part of the name, unless the word is a mere prefix ("sub-10")."""
    begin = start - 1
    while begin > block.start and begin > start - 24 and (text[begin - 1].isalnum() or text[begin - 1] in "._-"):
        begin -= 1
    word = text[begin : start - 1]
    if word.lower() in _OPEN_PREFIXES or word[:1].isdigit():
        return None
    return "name", "part of a name", end


def _run_end(text: str, start: int, limit: int) -> int:
    match = _RUN.match(text, start, min(limit, start + _LONGEST_RUN))
    return match.end() if match else start + 1


def _value_end(text: str, start: int, limit: int) -> int:
    match = re.compile(_VALUE).match(text, start, limit)
    return match.end() if match else start + 1


def formed_place(context: Context, index: int, start: int, block: Block) -> Place | None:
    """Dates, times, ordinals, years, grids and ratio notation, told by the form of the number itself."""
    text = context.text
    following = text[start + 1 : start + 8]
    if ":" in following:
        place = _colon(context, index, start, block)
        if place is not None:
            return place
    if _may_be_date(text[start : start + 6]):
        match = re.compile(_DATE).match(text, start, block.end)
        if match is not None:
            return "date", "a date", match.end()
    if "x" in following or "×" in following or "X" in following:
        match = re.compile(_GRID).match(text, start, block.end)
        if match is not None:
            if match.group("tail"):
                return "name", "a size in a name", _run_end(text, match.end(), block.end)
            if read_unit(Stretch(text, block.start, block.end, context.vocabulary), match.end()) is not None:
                return None
            return "pattern", "a grid or a resolution", match.end()
    word, end = context.tokens.words[index], context.tokens.ends[index]
    if word[-2:] in _ORDINAL_ENDINGS and word[:-2].isdigit():
        if context.word(index + 1, block) in MONTHS or context.word(index - 1, block) in MONTHS:
            return "date", "a day of the month", end
        return "ordinal", "an ordinal", end
    if word.endswith("0s") and word[:-1].isdigit() and context.word(index - 1, block) in _DECADE_LEADS:
        return "year", "a decade", end
    return _dated(context, index, start, block)


def _colon(context: Context, index: int, start: int, block: Block) -> Place | None:
    """A number with a colon: a time if its neighbours say so, else a ratio or pattern."""
    match = re.compile(_CLOCK).match(context.text, start, block.end)
    if match is not None:
        following = context.next_token(match.end(), block)
        timed = following >= 0 and context.tokens.words[following] in CLOCK
        parts = match.group().count(":")
        if timed or parts > 1 or match.group()[0] == "0" or context.word(index - 1, block) in _TIME_LEADS:
            return "time", "a time of day", match.end()
    match = re.compile(_PATTERN).match(context.text, start, block.end)
    return None if match is None else ("pattern", "a ratio or pattern in colons", match.end())


def _dated(context: Context, index: int, start: int, block: Block) -> Place | None:
    """Days beside a month, hours beside am or pm, and years."""
    text, tokens = context.text, context.tokens
    word = tokens.words[index]
    if word in _MONTH_NUMBERS:
        following, previous = context.word(index + 1, block), context.word(index - 1, block)
        if previous == "." and context.word(index - 2, block) in MONTHS:
            previous, shift = context.word(index - 2, block), 2
        else:
            shift = 1
        if following in MONTHS and text[tokens.starts[index + 1]].isupper():
            return "date", "a day of the month", tokens.ends[index]
        if previous in MONTHS and text[tokens.starts[index - shift]].isupper():
            return "date", "a day of the month", tokens.ends[index]
        if following in CLOCK and len(word) <= 2 and following != "m":
            return "time", "a time of day", tokens.ends[index]
    elif len(word) <= 4 and word[-2:] in ("am", "pm") and word[:-2].isdigit():
        return "time", "a time of day", tokens.ends[index]
    end = _years_end(text, start, block.end)
    if not end:
        short = len(word) == 2 and start > block.start and text[start - 1] in "'’"
        return ("year", "a year", tokens.ends[index]) if short else None
    return _year(context, index, end, block)


def _may_be_date(head: str) -> bool:
    """Whether the first six signs of a number can be those of a date: "2025-", "1/2/2", "1.12.2"."""
    if head[4:5] in _DATE_SIGNS and head[:2] in ("18", "19", "20"):
        return True
    sign = head[1:2] if head[1:2] in ("/", ".") else head[2:3]
    return sign in ("/", ".") and head.count(sign) > 1


def _years_end(text: str, start: int, limit: int) -> int:
    """Where a year, or a span of years such as "2024-26", that starts at an offset ends; 0 if there is none."""
    year = text[start : start + 4]
    if year[:2] not in ("18", "19", "20") or not _is_digits(year, 4):
        return 0
    at = start + 4 + text[start + 4 : start + 5].isspace()
    if text[at : at + 1] in ("-", "–", "/"):
        at += 1 + text[at + 1 : at + 2].isspace()
        following = text[at : at + 4]
        if following[:2] in ("19", "20") and _is_digits(following, 4) and _ends_year(text, at + 4, limit):
            return at + 4
        if _is_digits(following[:2], 2) and _ends_year(text, at + 2, limit):
            return at + 2
    return start + 4 if _ends_year(text, start + 4, limit) else 0


def _is_digits(text: str, size: int) -> bool:
    return len(text) == size and text.isascii() and text.isdigit()


def _ends_year(text: str, at: int, limit: int) -> bool:
    """Whether nothing makes a number that ends at an offset more than a year: a unit, decimals, thousands."""
    if at >= limit:
        return at == limit
    sign = text[at]
    if sign.isalnum() or sign in "_%°$€":
        return False
    if sign == "." and _is_digits(text[at + 1 : min(at + 2, limit)], 1):
        return False
    return not (sign == "," and _is_digits(text[at + 1 : min(at + 4, limit)], 3))


def _year(context: Context, index: int, end: int, block: Block) -> Place | None:
    """Years that their neighbours or a second year tell; the others wait for what is counted or measured."""
    if end - context.tokens.starts[index] > 4:
        if read_unit(Stretch(context.text, block.start, block.end, context.vocabulary), end) is not None:
            return None
        return "year", "a span of years", end
    lead = context.word(index - 1, block)
    if lead == "," and context.word(index - 2, block) in _MONTH_NUMBERS:
        lead = "january"
    if lead in YEAR_LEADS and not (lead in _COUNT_LEADS and _is_counted(context, end, block)):
        return "year", "a year", end
    return None


def _is_counted(context: Context, end: int, block: Block) -> bool:
    """Whether a unit or a counted noun follows."""
    if context.after(end, "counted", block) is not None:
        return True
    return read_unit(Stretch(context.text, block.start, block.end, context.vocabulary), end) is not None


def is_year(text: str, start: int, end: int) -> bool:
    """Whether a bare number has the form of a year of our time."""
    return end - start == 4 and text[start : start + 2] in ("19", "20")
