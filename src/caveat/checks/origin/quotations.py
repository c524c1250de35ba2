"""Whether words in quotation marks are those that the registry has from the source they are attributed to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from caveat.article import Article
from caveat.checks.common import finding
from caveat.checks.surroundings import around
from caveat.figures.words import CARDINALS
from caveat.finding import Finding
from caveat.language.tokens import words_of
from caveat.reading.sentences import Sentence
from caveat.registry.registry import Claim
from caveat.rulebook.rules import Rule

# Which signs close a quotation, by the one that opens it.
_CLOSING = {'"': '"', "“": "”", "„": "“”", "«": "»", "‘": "’", "'": "'"}
_NO_SIGN = "(?!)"
# A quotation of more characters is not one that is held against a fragment.
_LONGEST = 600
# Words that carry no weight: a quotation that differs in them alone is left alone.
_SMALL = frozenset(
    (
        *("a", "an", "the", "of", "to", "in", "on", "for", "and", "or", "with", "by", "at", "as", "is", "are", "be"),
        *("that", "this", "it", "its", "'s", "s", "sec", "per"),
    )
)
# Where a quotation leaves something out, or has words of the editor's; a letter that the editor changed.
_CUTS = r"\[[^\]]{2,}\]|\[\]|\.\s?\.\s?\.|…"
_LETTER = r"\[(\w)\]"
_LEAST_DOTS = 3
# The words for numbers, by their digits.
_NAMES = {str(value): word for word, value in CARDINALS.items()}
# How many words before a quotation its rejection may stand.
_REJECTION_REACH = 3
# What an alignment counts for a weighty word and a small one that match, and for a word without a partner.
_WEIGHTY_MATCH, _SMALL_MATCH, _GAP = 4, 2, -1
# What the form of a word puts behind its stem, and how long that is at least.
_ENDINGS, _STEM = ("ing", "ed", "es", "e", "s"), 4
# A text of words alone that matches in so many weighty ones is not quoted with another small word by chance.
_SURE = 4
# How many sentences before a quotation may name who is quoted, if none beside it does.
_EARLIER = 4
# If all weighty words of a quotation match, and so many, a small word that was put for another one counts.
_WHOLE = 3
# So many weighty words must be shared with a short recorded text, and what part of both sides they must be.
_LEAST_SHORT, _HALF = 2, 0.5
# "AWS's marketing says": how many words may stand between a vendor or its product and the verb.
_VERB_REACH = 2
# What can be quoted: vendors, what they make and publish.
_SPEAKING = ("vendor", "product", "product-line", "source", "document-noun")


def altered_quotation(article: Article, rule: Rule) -> Iterator[Finding]:
    """Quotations of a vendor that come close to words that the registry has from it, and differ.

    Options: `metrics` whose claims hold words of the source, beside the evidence of all claims; `least_shared` weighty
    words that a quotation must have in common with the recorded ones, in order; `least_share`, the part of its own
    weighty words that these must be, or `least_record_share`, the part of the recorded ones. Of recorded texts with at
    most `short` weighty words two in common are enough that are half of both sides.
    """
    recorded = _Recorded(article, rule)
    least = recorded.least_short
    for sentence, start, end, inner in quotations(article):
        words = _pieces(article.document.prose[inner[0] : inner[1]])
        if not any(len(_weighty(piece)) >= least for piece in words):
            continue
        if not _is_quoted(article, sentence, start, end):
            continue
        publishers = _publishers(article, sentence, start, end)
        closest = next((c for p in words if (c := recorded.closest(p, publishers, _products(article, sentence)))), None)
        if closest is not None:
            yield finding(
                rule,
                start,
                end,
                [closest.claim],
                words=article.told(start, end),
                source=article.registry.sources[closest.claim.source].title,
                recorded=closest.text,
            )


# Where the quotations are.


def quotations(article: Article) -> Iterator[tuple[Sentence, int, int, tuple[int, int]]]:
    """Each quotation with its sentence, its place with its marks, and without them; sentences of a block quote too."""
    signs = "".join(sign for sign in _CLOSING if sign in article.document.prose)
    done, opening = 0, re.compile(f"[{signs}]" if signs else _NO_SIGN)  # all signs in one class take long to compile
    for sentence in article.sentences:
        block = article.document.blocks[sentence.block]
        inside = False
        for match in opening.finditer(article.document.prose, max(sentence.start, done), max(sentence.end, done)):
            if match.start() < done:
                continue
            close = _close(article.document.prose, match.start(), block.end)
            if close > 0:
                inside, done = True, close + 1
                yield sentence, match.start(), close + 1, (match.start() + 1, close)
        if block.quoted and not inside and done <= sentence.start:
            text = article.document.prose[sentence.start : sentence.end]
            end = sentence.start + len(text.rstrip())
            yield sentence, sentence.start, end, (sentence.start, end)


def _close(prose: str, start: int, stop: int) -> int:
    """Where the quotation that a sign may open is closed; 0 if the sign opens none."""
    sign = prose[start]
    if start > 0 and prose[start - 1].isalnum():
        return 0  # 19", don't
    stop = min(stop, start + _LONGEST)
    for closing in _CLOSING[sign]:
        at = prose.find(closing, start + 1, stop)
        while at > 0 and sign in "‘'" and prose[at + 1 : at + 2].isalnum():
            at = prose.find(closing, at + 1, stop)
        if at > 0:
            return at
    return 0


def _is_quoted(article: Article, sentence: Sentence, start: int, end: int) -> bool:
    """Whether the text gives words as a source's: no question, no rejection, no paraphrase, no title."""
    if article.stances.silences(sentence) or sentence.has("paraphrase-word"):
        return False
    if any(mark.start < end and start < mark.end for mark in sentence.of_kind("source")):
        return False
    at = article.tokens.first_from(start)
    return not any(0 <= at - mark.last <= _REJECTION_REACH for mark in sentence.of_kind("negation"))


# Who is quoted.


def _publishers(article: Article, sentence: Sentence, start: int, end: int) -> set[str]:
    """The vendors that a quotation may be of: those it is attributed to, else those that its surroundings name."""
    vendors = article.sourcing.vendors(sentence)
    if vendors:
        return vendors
    marked = article.document.prose[start] in _CLOSING  # else a block quote is all quotation, and names no speaker
    if (article.document.blocks[sentence.block].quoted and not marked) or _others_speak(article, sentence, start, end):
        return set()
    named = _named(article, sentence, start, end)
    if named:
        return named
    heading = article.subjects.heading_of(sentence.block)
    above = article.subjects.of_block(heading) if heading >= 0 else []
    found = set[str]().union(*(_named(article, each, start, end) for each in (*around(article, sentence), *above)))
    if found:
        return found
    earlier = article.sentences[sentence.index - min(sentence.place, _EARLIER) : sentence.index][::-1]
    above_it = (_named(article, each, start, end) for each in earlier)  # "AWS's page makes two promises. One is ..."
    return next((speakers for speakers in above_it if speakers), set())


def _others_speak(article: Article, sentence: Sentence, start: int, end: int) -> bool:
    """Whether a quotation that is attributed to no vendor has another speaker, as in "A reader wrote: ..."."""
    if sentence.has("weasel"):
        return True
    theirs = [mark for kind in _SPEAKING for mark in sentence.of_kind(kind)]
    own = article.sourcing.own(sentence)
    if own.named and any(
        not name.vendor and not any(mark.first <= name.first < mark.last for mark in theirs)
        for name in own.organisations
        if not start <= article.tokens.starts[name.first] < end
    ):
        return True
    verbs = [mark for mark in sentence.of_kind("reporting-verb") if not start <= mark.start < end]
    ours = any(0 <= verb.first - mark.last <= _VERB_REACH for verb in verbs for mark in theirs)
    return bool(verbs) and not ours and not sentence.has("source-pronoun")


def _named(article: Article, sentence: Sentence, start: int, end: int) -> set[str]:
    """The vendors that a sentence names outside a quotation, or whose products or documents it names."""
    registry = article.registry
    marks = [mark for mark in sentence.marks if mark.kind in _SPEAKING and not start <= mark.start < end]
    found = {mark.value for mark in marks if mark.kind == "vendor"}
    found |= {registry.products[mark.value].vendor for mark in marks if mark.kind == "product"}
    found |= {registry.sources[mark.value].publisher for mark in marks if mark.kind == "source"}
    lines = {mark.value for mark in marks if mark.kind == "product-line"}
    return found | {p.vendor for p in registry.products.values() if any(p.name.startswith(line) for line in lines)}


def _products(article: Article, sentence: Sentence) -> set[str]:
    """The products that a sentence and what stands around it name."""
    near = [sentence, *around(article, sentence)]
    return {mention.product for each in near for mention in article.subjects.mentions(each) if mention.product}


# What is on record.


class _Text:
    """Words of a source as the registry has them."""

    __slots__ = ("_letters", "claim", "text")

    def __init__(self, claim: Claim, text: str) -> None:
        self.claim = claim
        self.text = text
        self._letters = text.lower()

    def words(self) -> list[str]:
        """Its words, without its signs."""
        return _words(self.text)

    def shares(self, words: set[str], least: int) -> bool:
        """Whether so many of some words are among its own; "two" and "2" are the same word.

        Most texts fail by a look for the letters of the words, which takes a tenth of cutting a text into words.
        """
        seen = sum(word in self._letters or _NAMES.get(word, word) in self._letters for word in words)
        return seen >= least and len(words & {*words_of(self.text), *self.words()}) >= least


class _Recorded:
    """The recorded words of each vendor, gathered when a draft first quotes it."""

    def __init__(self, article: Article, rule: Rule) -> None:
        self.registry = article.registry
        self.metrics = frozenset(rule.options["metrics"])
        self.least, self.short = int(rule.options["least_shared"]), int(rule.options["short"])
        self.least_short = min(self.least, _LEAST_SHORT)
        self.share, self.record_share = (float(rule.options[key]) for key in ("least_share", "least_record_share"))
        self._texts: dict[str, list[_Text]] = {}

    def closest(self, quoted: list[str], publishers: set[str], products: set[str]) -> _Text | None:
        """The recorded words of which a quotation is an altered version; None if it is none, or verbatim."""
        found: tuple[int, _Text] | None = None
        for publisher in sorted(publishers):
            for text in self._candidates(quoted, publisher):
                likeness = _Likeness(quoted, text.words())
                if likeness.verbatim:
                    return None
                if self._altered(likeness, text, products) and (found is None or likeness.score > found[0]):
                    found = likeness.score, text
        return found[1] if found else None

    def _altered(self, likeness: _Likeness, text: _Text, products: set[str]) -> bool:
        if likeness.shared < self.least_short or not likeness.differing:
            return False
        numbers_alone = all(word[0].isdigit() for word in likeness.differing)
        about = text.claim.product in products or any(self._contains(each, text.claim.product) for each in products)
        if numbers_alone and not about and (products or likeness.shared < self.least):
            return False  # the same sentence, said of another product
        own, record = likeness.shared / likeness.weight, likeness.shared / likeness.record_weight
        if likeness.akin >= self.least > likeness.shared:
            return likeness.akin / likeness.weight >= self.share  # "no change to the code" for "without changing"
        if likeness.shared < self.least:
            return likeness.record_weight <= self.short and min(own, record) >= _HALF
        if likeness.akin / likeness.weight >= self.share:
            return True
        return own >= (self.share if likeness.shared < _SURE else _HALF) or record >= self.record_share

    def _contains(self, product: str, part: str) -> bool:
        """Whether a product is made of another: a page on the rack speaks of its chips too."""
        return part in self.registry.products[product].contains

    def _candidates(self, quoted: list[str], publisher: str) -> Iterator[_Text]:
        """The recorded texts of a publisher that share enough weighty words with a quotation."""
        wanted = set(_weighty(quoted))
        for text in self._of(publisher):
            if text.shares(wanted, self.least_short):
                yield text

    def _of(self, publisher: str) -> list[_Text]:
        known = self._texts.get(publisher)
        if known is None:
            known = self._texts[publisher] = list(self._read(publisher))
        return known

    def _read(self, publisher: str) -> Iterator[_Text]:
        ids = {source.id for source in self.registry.sources.values() if source.publisher == publisher}
        for claim in self.registry.claims_from(ids):
            if claim.metric in self.metrics:
                yield _Text(claim, claim.value)
            if claim.evidence:
                yield _Text(claim, claim.evidence)


# How alike two texts are.


class _Likeness:
    """The best alignment of a stretch of quoted words with a stretch of recorded ones, in order.

    `shared` counts the weighty words in common, `akin` those of the quotation that the other text has in any form and
    order ("a single changed line" for "changing a single line"); `differing` has those of either that the alignment
    does not hold, up to the ends of the shorter side; `verbatim` says that one is cut out of the other or continues it.
    """

    __slots__ = ("akin", "differing", "record_weight", "score", "shared", "verbatim", "weight")

    def __init__(self, quoted: list[str], recorded: list[str]) -> None:
        self.score, pairs = _align(quoted, recorded)
        self.weight = len(_weighty(quoted))
        self.record_weight = max(1, len(_weighty(recorded)))
        self.shared = len(_weighty([quoted[one] for one, _ in pairs]))
        stems = {_stem(word) for word in _weighty(recorded)}
        self.akin = sum(_stem(word) in stems for word in _weighty(quoted))
        missed, lost = _unmatched(quoted, recorded, pairs)
        self.differing = _weighty(missed + lost)
        if self.shared >= _SURE and not any(quoted[one][0].isdigit() for one, _ in pairs):
            self.differing = missed + lost
        if missed and lost and self.shared == self.weight >= _WHOLE:
            self.differing = missed + lost  # "2.52 PFLOPs in FP8" for "2.52 PFLOPs of FP8"
        self.verbatim = bool(pairs) and not self.differing and self.shared >= min(self.weight, self.record_weight)


def _unmatched(quoted: list[str], recorded: list[str], pairs: list[tuple[int, int]]) -> tuple[list[str], list[str]]:
    """The words of both sides that have no partner; a margin that only one side has is no difference."""
    if not pairs:
        return quoted, recorded
    ones, others = {one for one, _ in pairs}, {other for _, other in pairs}
    first, last = (0, 0), (len(quoted), len(recorded))
    if min(pairs[0]) == 0:
        first = pairs[0]
    if pairs[-1][0] == len(quoted) - 1 or pairs[-1][1] == len(recorded) - 1:
        last = pairs[-1]
    return (
        [word for at, word in enumerate(quoted) if first[0] <= at < last[0] and at not in ones],
        [word for at, word in enumerate(recorded) if first[1] <= at < last[1] and at not in others],
    )


def _align(quoted: list[str], recorded: list[str]) -> tuple[int, list[tuple[int, int]]]:
    """The score of the best local alignment of two texts, word by word, and the pairs of places that it matches."""
    width = len(recorded) + 1
    scores = [[0] * width for _ in range(len(quoted) + 1)]
    best, at = 0, (0, 0)
    for i, one in enumerate(quoted, 1):
        row, above = scores[i], scores[i - 1]
        worth = _worth(one)
        for j, other in enumerate(recorded, 1):
            same = above[j - 1] + (worth if one == other else _GAP)
            row[j] = score = max(0, same, above[j] + _GAP, row[j - 1] + _GAP)
            if score > best:
                best, at = score, (i, j)
    return best, _traced(quoted, recorded, scores, at)


def _traced(
    quoted: list[str], recorded: list[str], scores: list[list[int]], at: tuple[int, int]
) -> list[tuple[int, int]]:
    """The matches along the path that leads up to a place of the alignment."""
    pairs = []
    i, j = at
    while scores[i][j] > 0:
        same = quoted[i - 1] == recorded[j - 1]
        worth = _worth(quoted[i - 1]) if same else _GAP
        if scores[i][j] == scores[i - 1][j - 1] + worth:
            if same:
                pairs.append((i - 1, j - 1))
            i, j = i - 1, j - 1
        elif scores[i][j] == scores[i - 1][j] + _GAP:
            i -= 1
        else:
            j -= 1
    return pairs[::-1]


def _pieces(text: str) -> list[list[str]]:
    """The words of a quotation, cut where it leaves something out or the editor put words in; "[W]ith" is "With"."""
    cut = "[" in text or "…" in text or text.count(".") >= _LEAST_DOTS
    pieces = re.split(_CUTS, re.sub(_LETTER, r"\1", text)) if cut else [text]
    return [words for piece in pieces if (words := _words(piece))]


def _words(text: str) -> list[str]:
    """The words of a text without its signs, numbers in digits."""
    return [str(CARDINALS.get(word, word)) for word in words_of(text) if word[0].isalnum() or word == "'s"]


def _stem(word: str) -> str:
    """A word without the ending that its form gives it: "chang" for "change", "changed" and "changing"."""
    ending = next((each for each in _ENDINGS if word.endswith(each)), "")
    return word[: -len(ending)] if ending and len(word) - len(ending) >= _STEM else word


def _worth(word: str) -> int:
    return _SMALL_MATCH if word in _SMALL else _WEIGHTY_MATCH


def _weighty(words: list[str]) -> list[str]:
    return [word for word in words if word not in _SMALL]
