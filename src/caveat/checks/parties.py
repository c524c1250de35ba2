"""Who a sentence speaks of, and whether it stands by what it says: for the checks that judge words, not figures."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from caveat.article import Article
from caveat.language.phrases import Mark
from caveat.reading.sentences import Sentence
from caveat.registry.registry import Registry

# How far before a phrase a hedge of a kind may stand, in words, and what between them ends its reach.
_HEDGES = {
    "before": (8, ("and", "but", "which", "who")),
    "condition": (40, ()),
    "clause": (12, (",", "and", "but")),
}
_ASIDES = frozenset((",", "(", "–", "—"))
# How far before a phrase a denial still bears on it, and how far behind it an open outcome stands, in words.
_DENIAL_REACH = 5
_OPEN_REACH = 30
# How far before "figures" the "'s" of their owner may stand, and behind "announced" the product, in words.
_OWNER_REACH = 4
_OBJECT = 4
_PREPOSITIONS = frozenset(("per", "from", "by", "in", "on", "of", "at", "for", "to", "with"))
_STOPS = frozenset((";", ":", ".", "(", ")", "!", "?"))
_QUOTES = frozenset('"')
# How far behind a verb the figure that it gives may stand, in characters, and verbs that may give an opinion too.
_LISTED_REACH = 60
_SAYING = frozenset(("says", "said", "say", "claims", "claimed", "claim", "argues", "insists", "adds", "writes"))
_POSSESSIVES = frozenset(("'s", "its", "their", "his", "her", "own"))
_RELATIVE = frozenset(("which", "who", "whose", "a", "an", "the"))
_EVIDENCE = ("evidence-noun", "datum-noun", "figure-noun", "document-noun")
_JOINING = frozenset(("and", "but", "yet", "while", "though", "although", "whereas"))
# Stances that a sentence's own doubt does not bring about: it asks, supposes or corrects.
_UNSAID = frozenset(("question", "supposed", "corrected"))
# How many sentences below a heading may say whose words it is.
_BELOW = 2
# Behind "in our" where nothing was searched or tested.
_OPINIONS = (["view"], ["opinion"], ["book"], ["eyes"], ["judgement"], ["judgment"], ["mind"])


class Party:
    """A product, a vendor or another capitalised name in a sentence: its tokens, and its vendor's id if one can tell.

    `known` says that the registry has it, `product` that it is a product or named like one.
    """

    __slots__ = ("first", "known", "last", "product", "vendor")

    def __init__(self, first: int, last: int, vendor: str, *, known: bool, product: bool) -> None:
        self.first = first
        self.last = last
        self.vendor = vendor
        self.known = known
        self.product = product


def parties(article: Article, sentence: Sentence) -> list[Party]:
    """The products, vendors and other names of a sentence, in order; of overlapping ones the surest.

    An unknown product has the vendor whose name stands before it: "AMD's MI355X".
    """
    key = ("parties", sentence.index)
    if key not in article.memory:
        article.memory[key] = _read_parties(article, sentence)
    found: list[Party] = article.memory[key]
    return found


def _read_parties(article: Article, sentence: Sentence) -> list[Party]:
    """The parties of a sentence, read anew."""
    tokens = article.tokens
    found = [
        Party(tokens.first_from(m.start), tokens.first_from(m.end), m.vendor, known=bool(m.vendor), product=True)
        for m in article.subjects.mentions(sentence)
    ]
    taken = {at for party in found for at in range(party.first, party.last)}
    for mark in sentence.of_kind("vendor"):
        if mark.first not in taken:
            found.append(Party(mark.first, mark.last, mark.value, known=True, product=False))
            taken.update(range(mark.first, mark.last))
    for name in article.sourcing.own(sentence).names:  # of "Cerebras WSE-3", what stands before the product
        last = next((at for at in range(name.first, name.last) if at in taken), name.last)
        if last > name.first:
            found.append(Party(name.first, last, "", known=False, product=False))
    return _joined(sorted(found, key=lambda party: party.first), tokens.words)


def _joined(found: list[Party], words: list[str]) -> list[Party]:
    """Parties in order, with those side by side made one ("Cerebras WSE-3", "GB300 NVL72")."""
    joined: list[Party] = []
    for party in found:
        before = joined[-1] if joined else None
        if before is None:
            joined.append(party)
        elif before.last == party.first and not (before.product and party.known):
            before.last, before.known = party.last, before.known or party.known
            before.vendor, before.product = party.vendor or before.vendor, before.product or party.product
        else:
            if not before.product and before.last + 1 == party.first and words[before.last] == "'s":
                party.vendor = party.vendor or before.vendor
            joined.append(party)
    return joined


def family(name: str) -> str:
    """A word of a name with its digits and capitals made alike: the "H100" and the "V100" are of one family.

    A word without digits is its own family.
    """
    if not any(c.isdigit() for c in name):
        return name
    kinds = ["9" if c.isdigit() else "A" if c.isupper() else c for c in name]
    return "".join(c for at, c in enumerate(kinds) if c != "9" or at == 0 or kinds[at - 1] != "9")


def families_of(article: Article) -> dict[str, str]:
    """The families of an article's registry, read once."""
    key = ("families", 0)
    if key not in article.memory:
        article.memory[key] = families(article.registry)
    found: dict[str, str] = article.memory[key]
    return found


def families(registry: Registry) -> dict[str, str]:
    """The vendor of each family of names in the registry; "" for a family that several vendors share.

    What begins with no capital ("3", "80GB", "v7") is no name of its own.
    """
    found: dict[str, str] = {}
    for product in registry.products.values():
        for word in {word for name in (product.name, *product.aliases) for word in name.split()}:
            if not word[0].isupper():
                continue
            key = family(word)
            found[key] = product.vendor if found.get(key, product.vendor) == product.vendor else ""
    return found


def stands_by(article: Article, sentence: Sentence, first: int, last: int, *, noun: bool = False) -> bool:
    """Whether a sentence stands by the words from token `first` to `last`.

    It does not where it asks, supposes, hedges, denies or quotes them, or makes them hang on a condition. A `noun`
    behind a comma is an aside that no hedge reaches: "you can rent the B200, the fastest GPU".
    """
    if unsaid(article, sentence) or quoted(article, sentence, first):
        return False
    aside = noun and article.tokens.words[first - 1] in _ASIDES
    hedged = _hedged(article, sentence, first, aside=aside)
    return not (hedged or _denied(article, sentence, first) or _left_open(sentence, last))


def attributed(
    article: Article, sentence: Sentence, *, own: bool = True, stop: int | None = None, clause: int | None = None
) -> bool:
    """Whether words of a sentence are somebody else's, or rest on a source, or, with `own`, on the writer's tests.

    Stricter than for figures: that "NVIDIA's B200" is in the sentence, or that NVIDIA announced it, says nothing of
    who praises it. Who says it is told before the token `stop`, if one is given. What a document lists before the
    token `clause` is a source of that only.
    """
    first, *lent = article.sourcing.of(sentence)
    if sentence.has("told-by") or _speaks(article, sentence) or _reports_past_aside(article, sentence):
        return True
    if (first.cited and not _cites_nothing(sentence)) or any(e.cited or e.named or (own and e.own) for e in lent):
        return True
    if own and first.own:
        return True
    return first.named and _tells_who(article, sentence, stop, clause)


def told_below(article: Article, sentence: Sentence) -> list[Sentence] | None:
    """The first sentences below a heading, which may say whose words it is; None where that is no question.

    It is none outside of headings, and for a heading that says so itself.
    """
    heads = article.document.blocks[sentence.block].kind == "heading"
    if not heads or article.sourcing.own(sentence).sourced or sentence.has("told-by"):
        return None
    return article.subjects.of_block(sentence.block + 1)[:_BELOW]


def _cites_nothing(sentence: Sentence) -> bool:
    """Whether a sentence has references, and none of them is defined: nobody stands behind its praise."""
    return bool(sentence.references) and not any(reference.defined for reference in sentence.references)


def _speaks(article: Article, sentence: Sentence) -> bool:
    """As in "as its own engineers say", "its chief executive insists": people of a party's, who say it."""
    words = article.tokens.words
    speakers = {
        m.last
        for m in sentence.of_kind("speaker")
        if m.value == "outsider" or _is_of_somebody(words, m.first, sentence.first)
    }
    if not speakers:
        return False
    return any(m.first - gap in speakers for m in sentence.of_kind("reporting-verb") for gap in (0, 1))


def _reports_past_aside(article: Article, sentence: Sentence) -> bool:
    """As in "The Register, which tested both, found ...": a name, an aside, and a verb of reporting."""
    words = article.tokens.words
    verbs = [m.first for m in sentence.of_kind("reporting-verb") if words[m.first - 1] == ","]
    if not verbs:
        return False
    return any(
        words[p.last : p.last + 1] == [","] and words[p.last + 1] in _RELATIVE and p.last < verb
        for p in parties(article, sentence)
        if not p.product
        for verb in verbs
    )


def _is_of_somebody(words: list[str], at: int, first: int) -> bool:
    """Whether "its" or a name's "'s" stands before a noun: not unnamed "engineers"."""
    return any(word in _POSSESSIVES for word in words[max(first, at - _OWNER_REACH) : at])


def _tells_who(article: Article, sentence: Sentence, stop: int | None, clause: int | None) -> bool:
    """Whether words, before a token if one is given, attribute what is said to the name that the sentence has.

    Before such a token, "AWS's claim" is what the words at it speak of, and no source.
    """
    words = article.tokens.words
    marks = sentence.marks
    if stop is not None:
        claims = {m.first for m in sentence.of_kind("figure-noun")}
        marks = [m for m in marks if m.first < stop and m.first not in claims]
    if any(m.kind in ("according", "own-account", "makers-own") for m in marks):
        return True
    if clause is not None:
        marks = [m for m in marks if m.first >= clause or not _lists(article, sentence, m)]
    here = parties(article, sentence)
    starts, ends = {p.first for p in here}, {p.last for p in here if not p.product}
    nouns = [m for m in marks if m.kind in ("figure-noun", "document-noun")]
    if any(_owned(words, m, sentence.first) or (m.kind == "document-noun" and m.first in ends) for m in nouns):
        return True
    launched = {m.first for m in sentence.of_kind("launch-verb") if words[m.last : m.last + 1] != ["that"]}
    return any(
        m.first not in launched or not any(at in starts for at in range(m.last, m.last + _OBJECT))
        for m in marks
        if m.kind == "reporting-verb"
    )


def _lists(article: Article, sentence: Sentence, mark: Mark) -> bool:
    """As in "AMD's data sheet has the MI300X at 5.3 TB/s, and ...": a noun or a verb that gives a figure, no opinion.

    "AMD says it has 5.3 TB/s and ..." may go on to what follows.
    """
    if mark.kind in ("document-noun", "figure-noun"):
        return True
    words = article.tokens.words
    start = article.tokens.starts[mark.last - 1]
    figured = any(0 <= figure.start - start <= _LISTED_REACH for figure in sentence.figures)
    return mark.kind == "reporting-verb" and figured and words[mark.first] not in _SAYING


class Clause(NamedTuple):
    """A range of tokens."""

    start: int
    stop: int


def clause_of(words: list[str], sentence: Sentence, at: int) -> Clause:
    """The clause of a sentence around a token: between ";", ", and", ", but" and the like."""
    start, stop = at, at
    while start > sentence.first and not _parts(words, start - 1):
        start -= 1
    while stop < sentence.last - 1 and not _parts(words, stop):
        stop += 1
    return Clause(start, stop if stop < sentence.last - 1 else sentence.last)


def _parts(words: list[str], at: int) -> bool:
    """Whether two clauses meet at a token."""
    return words[at] == ";" or (words[at] == "," and words[at + 1] in _JOINING)


def _owned(words: list[str], noun: Mark, first: int) -> bool:
    """As in "AMD's own figures", "by the data sheet": a noun of a source with its owner or a preposition before it."""
    at = noun.first - 1
    while at > max(first, noun.first - _OWNER_REACH) and words[at] not in _PREPOSITIONS and words[at] != "'s":
        at -= 1
    return words[at] == "'s" or (noun.kind == "document-noun" and words[at] in _PREPOSITIONS)


def disclaimed(article: Article, sentence: Sentence) -> bool:
    """Whether a sentence or the next one tells of a search or of a test not made: "We have seen no test of it"."""
    block, words = article.subjects.of_block(sentence.block), article.tokens.words
    return any(
        words[mark.last : mark.last + 1] not in _OPINIONS and not _lacks_else(words, mark, s)
        for s in block[sentence.place : sentence.place + 2]
        for mark in s.of_kind("search")
    )


def _lacks_else(words: list[str], mark: Mark, sentence: Sentence) -> bool:
    """As in "We have no contract with them": what the writer lacks is no evidence."""
    if words[mark.last - 1] not in ("have", "had") or words[mark.last : mark.last + 1] != ["no"]:
        return False
    return not any(m.first > mark.last for kind in _EVIDENCE for m in sentence.of_kind(kind))


def of_results_body(article: Article, sentence: Sentence) -> bool:
    """Whether a sentence names a body that checks and publishes results."""
    return any(is_results_body(article, mark) for mark in sentence.of_kind("results-body"))


def is_results_body(article: Article, mark: Mark) -> bool:
    """Whether words are such a body's name: not the "spec" of a "spec sheet", nor "MLPerf-style"."""
    behind = article.tokens.words[mark.last : mark.last + 1]
    return not article.words(mark.start, mark.end).islower() and behind not in (["style"], ["grade"], ["like"])


def unsaid(article: Article, sentence: Sentence) -> bool:
    """Whether a sentence as a whole asks, supposes or corrects."""
    return bool(article.stances.of(sentence) & _UNSAID)


def quoted(article: Article, sentence: Sentence, at: int) -> bool:
    """Whether a token stands between quotation marks."""
    words = article.tokens.words
    if '"' not in words[sentence.first : sentence.last]:
        return False
    marks = [step for step in range(sentence.first, sentence.last) if words[step] in _QUOTES]
    return any(one < at < other for one, other in list(pairwise(marks))[::2])


def _denied(article: Article, sentence: Sentence, first: int) -> bool:
    """Whether a word of denial stands close before a token, in its clause: "is not the", "one of the"."""
    words = article.tokens.words
    for mark in sentence.of_kind("denial"):
        if mark.last <= first <= mark.last + _DENIAL_REACH and not _broken(words[mark.last : first], ","):
            return True
    return False


def _hedged(article: Article, sentence: Sentence, first: int, *, aside: bool) -> bool:
    """Whether a hedge stands before a token in its clause, or a condition anywhere before it in the sentence."""
    words = article.tokens.words
    sure = {at for m in sentence.of_kind("sure") for at in range(m.first, m.last)}
    for mark in sentence.of_kind("hedge"):
        reach, stops = _HEDGES[mark.value]
        if mark.first in sure or (aside and mark.value != "condition"):
            continue
        if not 0 <= first - mark.last <= reach or _broken(words[mark.last : first], *stops):
            continue
        if mark.value != "condition" or not _of_needs(article, sentence, mark, first):
            return True
    return False


def _of_needs(article: Article, sentence: Sentence, condition: Mark, stop: int) -> bool:
    """Whether a condition that a comma ends before a token says what the reader needs, not whether a claim holds.

    "If you train all day, Gaudi 3 beats the H100" tells of Gaudi 3; "if Intel's numbers hold, ..." and "if you find
    that ..." do not.
    """
    words = article.tokens.words
    commas = [at for at in range(condition.last, stop) if words[at] in (",", ":")]
    if not sentence.has("need-condition") or not commas or words[commas[-1] + 1] in ("and", "or"):
        return False
    leads = any(m.first <= condition.first < m.last for m in sentence.of_kind("need-condition"))
    inside = range(condition.last, commas[-1])
    needed = any(m.value == "need" and m.first in inside for m in sentence.of_kind("need"))
    believed = any(m.value == "belief" and m.first in inside for m in sentence.of_kind("need"))
    return leads and needed and not believed


def _left_open(sentence: Sentence, last: int) -> bool:
    """As in "faster than an H200, or slower": the words behind leave the other outcome open."""
    return any(
        0 <= m.first - last <= _OPEN_REACH and not (m.value == "reader" and _needs_behind(sentence, m))
        for m in sentence.of_kind("open-outcome")
    )


def _needs_behind(sentence: Sentence, mark: Mark) -> bool:
    """Whether a condition behind a verdict says what the reader needs: "beats the H100 if you train all day"."""
    return not any(m.value == "belief" and m.first >= mark.last for m in sentence.of_kind("need"))


def _broken(words: list[str], *stops: str) -> bool:
    """Whether a stretch of words holds the end of a clause."""
    return any(word in _STOPS or word in stops for word in words)
