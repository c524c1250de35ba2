"""Units after a number: symbols and names, the words between, and what the figure is counted per."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal

from caveat.figures.quantity import divided
from caveat.figures.vocabulary import Unit, Vocabulary
from caveat.figures.words import UNIT_FILLERS, word_set

# Typographic signs stand in no class of these patterns: such a class alone takes a tenth of a millisecond to compile.
_WORD = re.compile(r"%(?:pt)?|[°º][CF]|US\$|[^\W\d_]{1,40}[²³23]?(?!\w)")
_SIGNS = "％℃℉$€£¥₹₩¢円元"
_LEADING_SIGNS = frozenset("$€£¥₹₩")
_ANY_WORD = re.compile(r"\w{1,40}(?:[-:]\w{1,40}){0,3}(?!\w)")
_PER = re.compile(r"\s{0,8}(/)\s?|[\s-]{1,40}(per)[\s-]{1,40}|\s{1,40}(an?|each|every)\s{1,40}", re.IGNORECASE)
_PER_WORDS = re.compile(r"[0-9][0-9,]{0,12}\s?|[^\W\d_]{1,40}[²2]?(?!\w)|\$")
_INVERSE_SECOND = r"\s?[·⋅]?\s?s(?:⁻¹|\^-1)"  # rare, and compiled when it is first met
_FOOTNOTE_SIGNS = "¹²³⁴⁵⁶⁷⁸⁹⁰"
# So many tokens per one of these is how a run was set up.
_PARTS_OF_A_RUN = word_set("batch step request query sample image stream")
_HYPHENS = "-\u2010\u2011"
_BLANKS = " \t\u00a0\u2007\u2009\u200a\u202f"
_WIDEST_GAP = 40


class Stretch:
    """A stretch of text to read values in.

    `limit` is where it ends. `filler` tells where a statement of precision, sparsity and the like that starts at an
    offset ends, or -1; such words may stand between a number and its unit.
    """

    __slots__ = ("filler", "limit", "start", "text", "vocabulary")

    def __init__(
        self, text: str, start: int, limit: int, vocabulary: Vocabulary, *, filler: Callable[[int], int] | None = None
    ) -> None:
        self.text = text
        self.start = start
        self.limit = limit
        self.vocabulary = vocabulary
        self.filler = filler


class UnitMatch:
    """A unit found after a number.

    `end` is where the unit ends, `stop` where the "per" parts after it end. `key`, `dimension` and `factor` are those
    of the rate if the unit is counted per stretch of time.
    """

    __slots__ = ("dimension", "end", "factor", "key", "per", "rated", "stop", "unit")

    def __init__(self, unit: Unit, end: int) -> None:
        self.unit = unit
        self.key = unit.key
        self.dimension = unit.dimension
        self.factor = unit.factor
        self.per: tuple[str, ...] = ()
        self.rated = False
        self.end = end
        self.stop = end

    @property
    def kind(self) -> str:
        """The kind of a figure in this unit: things counted per second or per watt are a measure."""
        measured = self.rated or any(key not in _PARTS_OF_A_RUN for key in self.per)
        return "measure" if self.unit.kind == "count" and measured else self.unit.kind


def read_unit(stretch: Stretch, at: int) -> UnitMatch | None:
    """The unit after a number that ends at an offset, with what it is counted per, or None.

    Between number and unit may stand nothing, a hyphen, blanks with one line break, or words that state the format.
    """
    text, limit = stretch.text, stretch.limit
    glued = True
    begin = at
    if text[at : at + 1] in _HYPHENS and at + 1 < limit:
        begin = at + 1
    else:
        begin = gap_end(text, at, limit)
        glued = begin == at
    found = _lookup(stretch, begin)
    if found is not None and not (glued and begin == at and not found[0].glued):
        match = with_per(stretch, found)
        if match is not None:
            return match
    if glued and begin == at:
        return None
    return _behind_fillers(stretch, begin)


def unit_at(stretch: Stretch, at: int) -> UnitMatch | None:
    """The unit that stands alone at an offset, as in the header of a column."""
    found = _lookup(stretch, at)
    return None if found is None else with_per(stretch, found)


def _behind_fillers(stretch: Stretch, at: int) -> UnitMatch | None:
    """The unit after up to three words that state format, direction and the like: "362 FP8 PFLOPs"."""
    text, limit = stretch.text, stretch.limit
    for _ in range(3):
        word = _ANY_WORD.match(text, at, limit)
        if word is None:
            return None
        end = stretch.filler(at) if stretch.filler is not None else -1
        if end < 0:
            if word.group().lower() not in UNIT_FILLERS:
                return None
            end = word.end()
        at = gap_end(text, end, limit)
        if at >= limit or at == end:
            return None
        found = _lookup(stretch, at)
        if found is not None and found[1] - at > 1:
            return with_per(stretch, found)
    return None


def _lookup(stretch: Stretch, at: int) -> tuple[Unit, int] | None:
    """The unit spelt at an offset and where it ends: symbols with their letter case, names of one or more words."""
    vocabulary = stretch.vocabulary
    end = _word_end(stretch.text, at, stretch.limit)
    if not end:
        return None
    word = stretch.text[at:end]
    lower = word.lower()
    if lower in vocabulary.starts:
        longer = _longer_name(stretch, lower, end)
        if longer is not None:
            return longer
    key = vocabulary.symbols.get(word) or (vocabulary.names.get(lower) if len(word) > 1 else None)
    if key is None and word[-1] in _FOOTNOTE_SIGNS:
        word = word.rstrip(_FOOTNOTE_SIGNS)
        key, end = vocabulary.symbols.get(word), at + len(word)
    return None if key is None else (vocabulary.unit(key), end)


def _word_end(text: str, at: int, limit: int) -> int:
    """Where the sign or word at an offset ends that may be a unit's; 0 if there is none."""
    if at < limit and text[at] in _SIGNS:
        leads = text[at] in _LEADING_SIGNS and text[at + 1 : at + 2].isdigit()
        return 0 if leads else at + 1  # "the new one €1.5 million"
    match = _WORD.match(text, at, limit)
    return match.end() if match else 0


def gap_end(text: str, at: int, limit: int) -> int:
    """Where the blanks end that may stand between a number and its unit: at most one line break among them."""
    at = _past(text, at, limit, _BLANKS)
    if text.startswith("\n", at) and at < limit:
        return _past(text, at + 1, limit, " \t")
    if text.startswith("\r\n", at) and at + 1 < limit:
        return _past(text, at + 2, limit, " \t")
    return at


def _past(text: str, at: int, limit: int, signs: str) -> int:
    """The offset behind at most forty of some signs."""
    stop = min(at + _WIDEST_GAP, limit)
    while at < stop and text[at] in signs:
        at += 1
    return at


def _longer_name(stretch: Stretch, name: str, end: int) -> tuple[Unit, int] | None:
    """A name of two or three words that begins with `name`."""
    text, limit = stretch.text, stretch.limit
    found = None
    for _ in range(2):
        at = gap_end(text, end, limit)
        if at == end:
            at += text[end : end + 1] in _HYPHENS
        following = _word_end(text, at, limit) if end < at < limit else 0
        if not following:
            break
        name, end = f"{name} {text[at:following].lower()}", following
        key = stretch.vocabulary.names.get(name)
        if key is not None:
            found = stretch.vocabulary.unit(key), end
    return found


def with_per(stretch: Stretch, found: tuple[Unit, int]) -> UnitMatch | None:
    """The unit with its "per" parts; None if it is nothing without a rate and has none."""
    vocabulary = stretch.vocabulary
    match = UnitMatch(*found)
    inverse = _inverse_second(stretch, match.end) if match.unit.rate else None
    if inverse is not None:
        _apply_time(match, "second", vocabulary)
        match.end = match.stop = inverse
    for _ in range(4):
        if not _read_per(stretch, match):
            break
    if match.unit.needs_rate and not match.rated:
        return None
    return match


def _inverse_second(stretch: Stretch, at: int) -> int | None:
    """Where "s⁻¹" or "s^-1" ends after a unit, or None."""
    near = stretch.text[at : at + 6]
    if "s⁻" not in near and "s^" not in near:
        return None
    match = re.compile(_INVERSE_SECOND).match(stretch.text, at, stretch.limit)
    return match.end() if match else None


def _read_per(stretch: Stretch, match: UnitMatch) -> bool:
    """Take one "per" part, with the hour of "per GPU-hour"; False if there is none."""
    text, vocabulary = stretch.text, stretch.vocabulary
    lead = _PER.match(text, match.stop, stretch.limit)
    if lead is None:
        return False
    slash, _, article = lead.groups()
    part = _per_key(stretch, lead.end())
    if part is None:
        return False
    key, end = part
    timed = key in vocabulary.seconds
    if article and not timed:
        return False
    counted_by_time = timed and not match.rated and bool(match.unit.rate)
    if counted_by_time:
        _apply_time(match, key, vocabulary)
    else:
        match.per += (key,)
    if counted_by_time or slash or timed:
        match.end = end
    match.stop = end
    joined = not timed and text[end : end + 1] in ("-", " ", "\u2011")
    tail = _per_key(stretch, end + 1) if joined else None
    if tail is not None and tail[0] in vocabulary.seconds:
        match.per += (tail[0],)
        match.stop = tail[1]
    return True


def _apply_time(match: UnitMatch, key: str, vocabulary: Vocabulary) -> None:
    """Turn a unit into its rate per a stretch of time."""
    seconds = Decimal(vocabulary.seconds[key])
    match.rated = True
    if match.unit.rate == match.unit.dimension:
        return
    match.dimension = match.unit.rate
    match.key = f"{match.unit.key}/{'s' if key == 'second' else key}"
    match.factor = divided(match.unit.factor, seconds)


def _per_key(stretch: Stretch, at: int) -> tuple[str, int] | None:
    """The per-unit spelt at an offset: the longest of up to three words, "input" and "output" left out."""
    text, limit, vocabulary = stretch.text, stretch.limit, stretch.vocabulary
    words: list[str] = []
    best = None
    for _ in range(5):
        match = _PER_WORDS.match(text, at, limit)
        if match is None:
            break
        word = match.group().rstrip()
        end = at + len(word)
        if not words and word in vocabulary.per_symbols:
            best = vocabulary.per_symbols[word], end
        lower = word.lower()
        if lower not in UNIT_FILLERS or (not words and best is None and lower == "us"):
            words.append(lower)
            key = vocabulary.per_names.get(" ".join(words))
            if key is not None:
                best = key, end
        at = gap_end(text, match.end(), limit)
        if at == end and text[at : at + 1] in _HYPHENS:
            at += 1
    return best
