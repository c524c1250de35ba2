"""Whether a superlative of a product says whose it is."""

from __future__ import annotations

from collections.abc import Iterator

from caveat.article import Article
from caveat.checks.common import finding
from caveat.checks.parties import Party, attributed, disclaimed, families_of, parties, stands_by, told_below
from caveat.checks.surroundings import label_of_kind
from caveat.checks.wording.matchless import TRIGGERS, Matchless, matchless
from caveat.finding import Finding
from caveat.language.phrases import Mark
from caveat.reading.sentences import Sentence
from caveat.registry.registry import Claim
from caveat.rulebook.rules import Rule

# The registry's metric for superlatives.
_METRIC = "superlative"
# The lexicons without a word of which a sentence has no superlative.
_TRIGGERS = ("superlative", *TRIGGERS)
# So many superlatives of a sentence are looked at.
_MOST = 12
# How long the noun phrase of a superlative may be, in words, and how far behind it its scope may stand.
_PHRASE_REACH = 7
_SCOPE_REACH = 7
# How far behind the phrase its product may stand: "the fastest GPU on the market is NVIDIA's B200".
_BEHIND_REACH = 5
# How far from stock praise a product may stand, and how far before a verb its subject.
_STOCK_REACH = 30
_SUBJECT_REACH = 25
# How far behind stock praise its figure may stand, in characters.
_FIGURE_REACH = 4
# How many small words may stand between a verb and its superlative.
_ADVERBS = 4
# How many words an infinitive behind the phrase may have: "the fastest place to run Llama 4".
_PURPOSE = 6

_STOPS = frozenset((",", ";", ":", ".", "(", ")", "!", "?", "|", "–", "—", '"', "\n"))
_ENDS = frozenset(
    (
        "of", "in", "on", "for", "to", "with", "that", "which", "who", "from", "at", "by", "as", "than", "and", "or",
        "but", "is", "are", "was", "were", "has", "have", "had", "can", "could", "will", "would", "does", "do", "we",
        "you", "i", "it", "they", "money", "when", "where", "while", "because", "so", "if", "ever", "available",
        "today", "yet", "here", "there", "anywhere", "anyone", "'s", "without", "per", "against", "over", "under",
        "across", "among", "until", "then",
    )
)  # fmt: skip
_PRONOUNS = frozenset(("it", "they", "this", "that", "these", "which", "who", "its", "their", "both", "each"))
_DEFINITE = frozenset(("the", "this", "that", "its", "their", "these", "our"))
_RANKED = frozenset(("in", "of", "for", "among", "on", "and", "by"))
_A = frozenset(("a", "an"))
_JOINTS = frozenset((",", "(", ":", "–", "—", "-"))
# What links a superlative to the product behind it, and the small words between them.
_LINKS = frozenset(("is", "are", "was", "were", "remains", ",", "(", ":", "–", "—"))
_SMALL = frozenset(("the", "a", "an", "its", "now", "still", "called", "namely"))
# Endings of adjectives, and what sets a name in bold.
_ADJECTIVES = ("ed", "ing", "ful", "ous", "able", "ible", "ive", "ant", "ent")
_BOLD = "**"
# Before "bills ... as": the writer's own name for it, or nobody's.
_NOT_CALLING = frozenset(
    ("we", "i", "is", "are", "was", "were", "been", "be", "being", "the", "a", "to", "can", "on", "of")
)
# Before what somebody sells from: "rents time on the largest chip in the world".
_SELLING = frozenset(("from", "on", "with"))
_HAVING = ("holding-verb", "present-verb", "price-now")
_MAKING = frozenset(("makes", "made", "make", "making", "crowns", "crowned"))


class _Praise:
    """A superlative with its noun phrase.

    `first` and `last` are the tokens to flag; `noun` is where the noun phrase ends, `rest` where its scope does. `head`
    is what the lexicon calls its noun, "other" for one that it does not know, "" for none. `market` says that it is
    among all there are, `owned` that it is "the world's".
    """

    __slots__ = ("first", "head", "last", "market", "noun", "owned", "rest")

    def __init__(self, first: int, last: int, head: str, noun: int, rest: int, *, market: bool, owned: bool) -> None:
        self.first = first
        self.last = last
        self.head = head
        self.noun = noun
        self.rest = rest
        self.market = market
        self.owned = owned


def superlative_attributed(article: Article, rule: Rule) -> Iterator[Finding]:
    """Superlatives of a product or vendor that the text tells as its own: "the world's largest chip".

    Options: `kinds` of superlative words that count, by the names that the lexicon gives them; `independent`, kinds of
    sources whose registered superlatives may be told without naming them.
    """
    kinds, independent = frozenset(rule.options["kinds"]), frozenset(rule.options["independent"])
    tokens = article.tokens
    for sentence in article.sentences:
        if not sentence.has_any(_TRIGGERS):
            continue
        behind = -1
        for mark in [mark for mark in sentence.of_kind("superlative") if mark.value in kinds][:_MOST]:
            span = _flagged(article, sentence, mark) if mark.first >= behind else None
            if span is None or _stood_by(article, sentence) or _called(article, sentence, span[0]):
                continue
            behind = span[1]
            claims = registered_superlatives(article, sentence, mark)
            if not any(article.registry.sources[claim.source].kind in independent for claim in claims):
                start, end = tokens.starts[span[0]], tokens.ends[span[1] - 1]
                yield finding(rule, start, end, claims, words=article.told(start, end))
        for praise in matchless(article, sentence)[:_MOST]:
            if _is_unmatched(article, sentence, praise) and not _stood_by(article, sentence):
                start, end = tokens.starts[praise.first], tokens.ends[praise.last - 1]
                yield finding(rule, start, end, words=article.told(start, end))


def _stood_by(article: Article, sentence: Sentence) -> bool:
    """Whether somebody is named who says it, or the writer tells of a search.

    Who is named below a heading says it, unless of a figure there: "Intel's white paper gives it 128 GB".
    """
    if not attributed(article, sentence):
        return disclaimed(article, sentence) or _told_by_column(article, sentence)
    below = told_below(article, sentence)
    return below is None or any(attributed(article, s) and (s.has("superlative") or not s.figures) for s in below)


def _told_by_column(article: Article, sentence: Sentence) -> bool:
    """As under "What it says", "Claim": a column of the words of those whom its rows name."""
    label = article.column_head(sentence)
    return label is not None and (label.has("reporting-verb") or label.has("claim-header"))


def _called(article: Article, sentence: Sentence, first: int) -> bool:
    """As in "Cerebras describes the WSE-3 as the largest chip": somebody else's name for it, in the active voice."""
    words = article.tokens.words
    for verb in sentence.of_kind("calling-verb"):
        if verb.last > first or words[verb.first - 1] in _NOT_CALLING or verb.first == sentence.first:
            continue
        if words[first - 1] == "as" or (verb.value == "verb" and _STOPS.isdisjoint(words[verb.last : first])):
            return True
    return False


def _is_unmatched(article: Article, sentence: Sentence, praise: Matchless) -> bool:
    """Whether words such as "no other chip comes close" praise a product, and not one of the writer's set."""
    if not stands_by(article, sentence, praise.first, praise.last):
        return False
    near = range(praise.first, praise.last + _SCOPE_REACH)
    wide = {at for m in sentence.of_kind("market-scope") for at in range(m.first, m.last)}
    ranges = range(praise.first, praise.last + 2 if praise.before else praise.last)
    if any(m.first in near and m.first not in wide for m in sentence.of_kind("own-set")):
        return False
    if any(m.first in ranges for m in sentence.of_kind("vendor")):
        return False  # "than any other NVIDIA card"
    here = parties(article, sentence)
    if praise.before:
        return _subject(article, sentence, praise.subject, here, None)
    return any(p.known or p.product for p in here or _of_context(article, sentence))


def registered_superlatives(article: Article, sentence: Sentence, mark: Mark) -> list[Claim]:
    """The superlatives that the registry holds of the products of a sentence, in the same word."""
    word = article.tokens.words[mark.last - 1]
    products = {mention.product for mention in article.subjects.mentions(sentence) if mention.product}
    claims = [claim for product in sorted(products) for claim in article.registry.claims_of(product)]
    return [claim for claim in claims if claim.metric == _METRIC and word in claim.value.lower()]


def _flagged(article: Article, sentence: Sentence, mark: Mark) -> tuple[int, int] | None:
    """The tokens to flag for a superlative word; None where it praises no product, or nobody stands by it."""
    if mark.value in ("stock", "peerless", "rank"):
        return _stock(article, sentence, mark)
    praise = _praise(article, sentence, mark)
    if praise is None or not stands_by(article, sentence, praise.first, praise.last, noun=True):
        return None
    if _of_own_set(article, sentence, praise) or not _fits(praise, mark, article.tokens.words):
        return None
    return (praise.first, praise.last) if _said_of_product(article, sentence, praise) else None


def _stock(article: Article, sentence: Sentence, mark: Mark) -> tuple[int, int] | None:
    """Stock praise, if a product, vendor or kind of product stands near: "AMD's industry-leading 192 GB"."""
    if not stands_by(article, sentence, mark.first, mark.last, noun=True):
        return None
    here = parties(article, sentence)
    near = [p for p in here if abs(p.first - mark.first) <= _STOCK_REACH] or _of_context(article, sentence)
    near = near or _named_before(article, sentence)
    fits = _noun_behind(sentence, mark) or _predicated(sentence, mark, near)
    if mark.value == "rank":
        fits = _is_rank(article, sentence, mark, here)
    if mark.value != "stock" and not fits:
        return None
    return (mark.first, mark.last) if any(p.known or p.product for p in near) or (near and fits) else None


def _is_rank(article: Article, sentence: Sentence, mark: Mark, here: list[Party]) -> bool:
    """As in "NVIDIA is number one in chips", "the market leader, NVIDIA": not "rule No. 1", "the number one reason"."""
    words = article.tokens.words
    led = words[mark.first - 1] == "the" or any(m.last == mark.first for m in sentence.of_kind("says-of"))
    if not led or mark.last >= sentence.last:
        return led
    starts = {m.first for m in sentence.of_kind("product-class")} | {p.first for p in here}
    return words[mark.last] in _STOPS or words[mark.last] in _RANKED or mark.last in starts


def _noun_behind(sentence: Sentence, mark: Mark) -> bool:
    """Whether a product's kind, quality or figure stands close behind stock praise: "unmatched memory bandwidth"."""
    nouns = (*sentence.of_kind("product-class"), *sentence.of_kind("product-quality"))
    figures = any(0 <= figure.start - mark.end <= _FIGURE_REACH for figure in sentence.figures)
    return figures or any(0 <= noun.first - mark.last <= _ADVERBS for noun in nouns)


def _predicated(sentence: Sentence, mark: Mark, near: list[Party]) -> bool:
    """As in "the NVL72 is second to none": stock praise that a verb says of a product or a name right before it."""
    verb = next((m for m in sentence.of_kind("says-of") if m.value == "is" and 0 <= mark.first - m.last <= 2), None)
    return verb is not None and any(p.last == verb.first for p in near)


def _praise(article: Article, sentence: Sentence, mark: Mark) -> _Praise | None:
    """The noun phrase of a superlative that "the" leads in, or that begins its cell, label or heading."""
    words = article.tokens.words
    first = _owner(sentence, mark, words)
    owned = first < mark.first
    if first > sentence.first and words[first - 1] == "the":
        first -= 1
    elif not (owned or _begins(article, sentence, first) or (mark.value == "leading" and words[first - 1] in _A)):
        return None
    noun, head = _head(sentence, mark, words)
    scope = _scope(sentence, noun, words)
    last = _extent(sentence, noun, head, scope, words)
    return _Praise(first, last, head, noun, max(noun, scope), market=owned or scope > 0, owned=owned)


def _owner(sentence: Sentence, mark: Mark, words: list[str]) -> int:
    """Where "the world's" before a superlative begins, or "industry" before "first"; the superlative if neither is."""
    for owner in sentence.of_kind("market-owner"):
        if owner.last == mark.first and (words[owner.last - 1] == "'s" or mark.value == "first"):
            return owner.first
    return mark.first


def _begins(article: Article, sentence: Sentence, first: int) -> bool:
    """Whether a token begins a sentence or follows a label: "**B200:** best value on the market"."""
    return first == sentence.first or article.tokens.words[first - 1] in (":", "–", "—", "|")


def _head(sentence: Sentence, mark: Mark, words: list[str]) -> tuple[int, str]:
    """Where the noun phrase behind a superlative ends, and what kind of noun ends it."""
    stop, head = _noun(sentence, mark.last, _run_end(sentence, mark.last, words))
    if not head and words[stop : stop + 1] in (["and"], [","], ["yet"]):
        further, head = _noun(sentence, mark.last, _run_end(sentence, stop + 1, words))
        stop = further if head else stop  # "the fastest and most efficient chip"
    return stop, head or ("other" if stop > mark.last else "")


def _noun(sentence: Sentence, first: int, stop: int) -> tuple[int, str]:
    """The end of the noun that ends a run of words, and its kind as the lexicon names it; "" for any other.

    The noun may reach beyond the run: "cost per token".
    """
    for kind in ("product-class", "product-quality"):
        for noun in sentence.of_kind(kind):
            if first <= noun.first < stop <= noun.last:
                return noun.last, noun.value
    product = any(first <= m.first and m.last == stop for m in sentence.of_kind("product"))
    return stop, "class" if product else ""


def _run_end(sentence: Sentence, first: int, words: list[str]) -> int:
    """The end of a run of words that no small word or sign ends; an "available" within the run does not."""
    stop, most = first, min(sentence.last, first + _PHRASE_REACH)
    while stop < most and words[stop] not in _STOPS:
        if words[stop] in _ENDS and not (words[stop] == "available" and words[stop - 1].endswith("ly")):
            break
        stop += 1
    return stop


def _scope(sentence: Sentence, last: int, words: list[str]) -> int:
    """The end of the words that make a superlative one among all: "on the market", "of any instance"; 0 for none."""
    for mark in sentence.of_kind("market-scope"):
        if not 0 <= mark.first - last <= _SCOPE_REACH or any(w in _STOPS for w in words[last : mark.first]):
            continue
        if mark.value == "scope":
            return mark.last
        stop = _run_end(sentence, mark.last, words)
        named = any(mark.last <= noun.first and noun.last <= stop for noun in sentence.of_kind("product-class"))
        if named:
            return stop
    return 0


def _extent(sentence: Sentence, last: int, head: str, scope: int, words: list[str]) -> int:
    """Where the words to flag end: behind the scope, or behind what a place is for ("to run Llama 4")."""
    if scope:
        return scope
    if head == "stand-in" and words[last : last + 1] == ["to"]:
        stop = last + 1
        while stop < min(sentence.last, last + _PURPOSE) and words[stop] not in _STOPS:
            stop += 1
        return stop
    return last


def _fits(praise: _Praise, mark: Mark, words: list[str]) -> bool:
    """Whether a superlative of its kind is one with such a noun and scope."""
    if mark.value == "amount":
        described = praise.noun - mark.last > 1  # "the most frugal chip", "the most sought-after part"
        fits = praise.head == "class" or _is_adjective(words[mark.last : mark.last + 2])
        return praise.market and ((described and fits) or praise.head == "quality")
    if mark.value == "first":
        return _is_first(praise, mark, words)
    if mark.value == "leading":
        return praise.head == "class"
    if praise.head == "stand-in":
        return words[mark.first] != "best" or words[praise.noun - 1] in ("place", "home")
    return praise.market or praise.head not in ("", "other")


def _is_adjective(words: list[str]) -> bool:
    """Whether words begin like an adjective behind "most": "coveted", "sought-after"."""
    return bool(words) and (words[0].endswith(_ADJECTIVES) or words[1:] == ["after"])


def _is_first(praise: _Praise, mark: Mark, words: list[str]) -> bool:
    """As in "the world's first chip with ...", "the first accelerator to ...": not "the first GPU of the node"."""
    if praise.owned or (praise.market and praise.head in ("class", "model")):
        return True
    if words[mark.first : mark.last] == ["only"]:
        return False
    return praise.head == "class" and words[praise.rest : praise.rest + 1] in (["to"], ["with"], ["that"], ["built"])


def _of_own_set(article: Article, sentence: Sentence, praise: _Praise) -> bool:
    """Whether a superlative is one of what the writer looks at: "the largest of the three", "that fits", "we have"."""
    words = article.tokens.words
    for mark in sentence.of_kind("own-set"):
        if praise.last <= mark.first <= praise.last + _SCOPE_REACH and not any(
            w in _STOPS for w in words[praise.last : mark.first]
        ):
            return True
    if _of_vendors_range(article, sentence, praise) or _among_printed(article, sentence, praise):
        return True
    opening = words[sentence.first] in ("of", "among", "between")
    return opening or any(
        m.last <= praise.first and m.last - m.first > 1 and not words[m.first - 1][-1:].isdigit()
        for m in sentence.of_kind("own-set")
    )  # "of the three", but not "500,000 of them"


def _among_printed(article: Article, sentence: Sentence, praise: _Praise) -> bool:
    """As in "the MI300X has the largest memory, 192 GB against 141 GB": a set that the sentence itself sets out."""
    if praise.market:
        return False
    dimensions = [figure.dimension for figure in sentence.figures]
    products = {mention.start for mention in article.subjects.mentions(sentence)}
    return len(set(dimensions)) < len(dimensions) or (praise.head == "quality" and len(products) > 1)


def _of_vendors_range(article: Article, sentence: Sentence, praise: _Praise) -> bool:
    """As in "the largest system that AWS sells": one of a vendor's own, by the letter of it."""
    words, at = article.tokens.words, praise.noun
    while at < sentence.last and at - praise.noun < _ADVERBS and words[at] in ("that", "which", "ever", "from", "by"):
        at += 1
    return any(mark.first == at for mark in sentence.of_kind("vendor")) or _in_line(article, praise)


def _in_line(article: Article, praise: _Praise) -> bool:
    """As in "the first TPU with chiplets": the noun is the name of one vendor's line."""
    tokens = article.tokens
    name = article.words(tokens.starts[praise.noun - 1], tokens.ends[praise.noun - 1])
    return not praise.market and bool(families_of(article).get(name.removesuffix("s")))


def _said_of_product(article: Article, sentence: Sentence, praise: _Praise) -> bool:
    """Whether a sentence says its superlative of a product, a vendor or another name."""
    here = parties(article, sentence)
    if _behind(article, sentence, praise, here):
        return True
    at = praise.first
    adverbs = {m.last: m.first for m in sentence.of_kind("superlative-adverb")}
    ends = {at}
    for _ in range(_ADVERBS):
        at = adverbs.get(at, at)
        ends.add(at)
    if at == sentence.first:
        return _heads_fragment(article, sentence, praise)
    if article.tokens.words[at - 1] in _SELLING and praise.market and praise.head == "class" and _acts(sentence, here):
        return True
    verb = next((m for m in sentence.of_kind("says-of") if m.last in ends), None)  # "is still" is one
    if verb is not None:
        return _verb_fits(article, praise, verb) and _subject(article, sentence, verb.first, here, praise)
    if any(p.last == at and _is_made(article, sentence, p) for p in here):
        return True
    return article.tokens.words[at - 1] in _JOINTS and _beside(article, sentence, at, here)


def _acts(sentence: Sentence, here: list[Party]) -> bool:
    """As in "Groq sells tokens, from the fastest platform on earth": a name and a verb of having open the sentence."""
    verbs = {verb.first for kind in _HAVING for verb in sentence.of_kind(kind)}
    return bool(here) and here[0].first == sentence.first and here[0].last in verbs


def _verb_fits(article: Article, praise: _Praise, verb: Mark) -> bool:
    """Whether one says with such a verb that something is, has or runs the like: a GPU runs a model and is none."""
    if praise.head == "model":
        return verb.value == "is"
    if verb.value == "runs":
        return praise.head == "class"
    return praise.head != "quality" or praise.market or _has_flatly(article, verb, praise)


def _is_made(article: Article, sentence: Sentence, party: Party) -> bool:
    """As in "this makes the B200 the fastest GPU": a name behind such a verb, right before its superlative."""
    words = article.tokens.words
    at = party.first - (words[party.first - 1] in _DEFINITE)
    return at > sentence.first and words[at - 1] in _MAKING


def _beside(article: Article, sentence: Sentence, at: int, here: list[Party]) -> bool:
    """As in "the WSE-3, the largest chip", "B200: the fastest GPU": a name before a comma or a colon.

    A figure may stand between: "B200, 180 GB, the fastest GPU".
    """
    first_from = article.tokens.first_from
    aside = next((f for f in sentence.figures if first_from(f.end) == at - 1), None)
    if aside is not None and article.tokens.words[first_from(aside.start) - 1] == ",":
        at = first_from(aside.start)
    if any(0 <= at - 1 - p.last <= 1 for p in here):
        return True
    labelled = article.tokens.words[at - 1] != "," and _is_fragment(article, sentence)
    return labelled and bool(here) and here[0].last <= at


def _has_flatly(article: Article, verb: Mark, praise: _Praise) -> bool:
    """As in "AWS offers the lowest prices": not "reaches the best throughput", nor "has the lowest latency at ..."."""
    words = article.tokens.words
    return verb.value == "has" and words[praise.rest : praise.rest + 1] not in (["at"], ["when"], ["if"], ["with"])


def _behind(article: Article, sentence: Sentence, praise: _Praise, here: list[Party]) -> bool:
    """As in "the fastest GPU on the market is the B200", "the world's largest chip, the WSE-3,"."""
    words = article.tokens.words
    end = max(praise.last, praise.rest)
    if praise.head not in ("class", "stand-in") or not praise.market or end >= sentence.last:
        return False
    near = next((p for p in here if p.first >= end), None)
    if near is None or near.first - end > _BEHIND_REACH:
        return False
    if near.first == end:
        return True
    return words[end] in _LINKS and all(w in _SMALL or not w.isalpha() for w in words[end + 1 : near.first])


def _subject(article: Article, sentence: Sentence, verb: int, here: list[Party], praise: _Praise | None) -> bool:
    """Whether the words before a verb name a product or vendor, or stand for one named before."""
    words = article.tokens.words
    first = verb
    while first > max(sentence.first, verb - _SUBJECT_REACH) and words[first - 1] not in (";", ":", "(", "."):
        first -= 1
    near = [p for p in here if first <= p.first and p.last <= verb]
    near = [p for p in near if p.known or p.product or (praise is not None and praise.head not in ("", "other"))]
    if any(p.known or p.product or p.last == verb or words[p.last] in ("'s", ",") for p in near):
        return not _about_else(article, near, verb)
    region = words[first:verb]
    if praise is not None and praise.head == "class" and _is_title(article, sentence, region):
        return True
    if _PRONOUNS.isdisjoint(region) and not any(w in _DEFINITE for w in region) and region:
        return False
    return _stands_for(article, sentence, first, verb) and bool(near or _of_context(article, sentence, names=True))


def _is_title(article: Article, sentence: Sentence, region: list[str]) -> bool:
    """As in "**turboserve** is the fastest server": a small name that opens the sentence, in bold or the title.

    What stands between is the one word that its heading is.
    """
    if len(region) != 1 or not region[0].isalpha() or article.tokens.words[sentence.first] != region[0]:
        return False
    start = article.tokens.starts[sentence.first]
    if article.words(max(0, start - len(_BOLD)), start) == _BOLD:
        return True
    heading = article.subjects.heading_of(sentence.block)
    above = article.subjects.of_block(heading) if heading >= 0 else []
    return any(article.tokens.words[s.first : s.last] == region for s in above)


def _about_else(article: Article, near: list[Party], verb: int) -> bool:
    """Whether another subject stands between the last name and the verb: "on an H100 we have", "with TPUs, I get"."""
    words = article.tokens.words
    return any(word in ("we", "i", "you", "our", "my", "your", "one") for word in words[near[-1].last : verb])


def _stands_for(article: Article, sentence: Sentence, first: int, verb: int) -> bool:
    """Whether "it", "this chip" or "its cloud" leads up to a verb."""
    words = article.tokens.words
    at = verb - 1
    while at > first and words[at] in ("now", "still", "also", "already", "thus"):
        at -= 1
    if words[at] in _PRONOUNS:
        return True
    return any(m.last == at + 1 and words[m.first - 1] in _DEFINITE for m in sentence.of_kind("product-class"))


def _of_context(article: Article, sentence: Sentence, *, names: bool = False) -> list[Party]:
    """The products and vendors, or all `names`, that a sentence may speak of: of its labels, and lately named."""
    found = [p for s in article.labels(sentence) for p in parties(article, s)]
    if sentence.place > 0:
        found += parties(article, article.sentences[sentence.index - 1])
    else:
        heading = article.subjects.heading_of(sentence.block)
        found += [p for s in article.subjects.of_block(heading) for p in parties(article, s)] if heading >= 0 else []
    return [p for p in found if p.known or p.product or names]


def _named_before(article: Article, sentence: Sentence) -> list[Party]:
    """As in "Blackhole is an accelerator. It comes with ...": what opens the sentence before, and is of a kind."""
    if article.tokens.words[sentence.first] not in _PRONOUNS or sentence.place == 0:
        return []
    before = article.sentences[sentence.index - 1]
    here = parties(article, before)[:1] if any(m.value == "class" for m in before.of_kind("product-class")) else []
    return [p for p in here if p.first == before.first]


def _defines(article: Article, sentence: Sentence) -> bool:
    """Whether a sentence begins a definition in a list of terms."""
    block = article.document.blocks[sentence.block]
    before = article.document.blocks[sentence.block - 1].end if sentence.block > 0 else 0
    return sentence.place == 0 and article.document.source.text[before : block.start].strip() == ":"


def _is_fragment(article: Article, sentence: Sentence) -> bool:
    """Whether a sentence is a cell, heading, list item or definition: what need not be a whole sentence."""
    block = article.document.blocks[sentence.block]
    return block.table >= 0 or block.item >= 0 or block.kind in ("heading", "term") or _defines(article, sentence)


def _heads_fragment(article: Article, sentence: Sentence, praise: _Praise) -> bool:
    """As in "The lowest footprint of any instance" under "Trn1": a label's text without a verb."""
    if not _is_fragment(article, sentence) or not (praise.market or praise.head == "class"):
        return False
    words = article.tokens.words
    end = max(praise.last, praise.rest)
    if end < sentence.last and words[end] not in (".", "!", ",", "\n", "with", "for", ";"):
        return False
    named = _defines(article, sentence) or _in_row_of_a_kind(article, sentence) or _of_context(article, sentence)
    return praise.market and bool(named)


def _in_row_of_a_kind(article: Article, sentence: Sentence) -> bool:
    """As in the row "GroqCloud" under "Provider": what has a name in a column of a kind of products or makers."""
    label = label_of_kind(article, sentence)
    return label is not None and label.block != sentence.block and bool(parties(article, label))
