"""Whether a text tells it as a fact that there is no evidence, where it can only say that none was found."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from caveat.article import Article
from caveat.checks.common import finding
from caveat.checks.parties import attributed, clause_of, is_results_body, parties, quoted, unsaid
from caveat.finding import Finding
from caveat.language.phrases import Mark
from caveat.reading.sentences import Sentence
from caveat.rulebook.rules import Rule

# How many words may stand between "no" and its noun, between the noun and what is said of it, between "nobody" and
# its verb, and between a verb and its noun.
_NOUN_REACH = 5
_SAID_REACH = 16
_PEOPLE_REACH = 6
_OBJECT_REACH = 8
_ADVERBS = 3
_ADJECTIVES = 3
# So many phrases of a sentence are looked at.
_MOST = 20
_STOPS = frozenset((";", ":", ".", "(", ")", "!", "?", ",", "but", "while"))
_FINITE = frozenset(
    ("is", "are", "was", "were", "will", "can", "could", "should", "would", "may", "might", "must", "does", "do", "and")
)
# What ends the noun phrase that a word of absence begins; a comma between adjectives does not.
_PHRASE_ENDS = (_STOPS - {","}) | _FINITE | {"of", "for", "that"}
_PRONOUNS = frozenset(("it", "they", "this", "which", "that", "and", ",", "but"))
_AMONG = frozenset(("at", "in", "from", "of", "inside", "within"))
_OURS = frozenset(("our", "ours", "us", "we", "my", "here"))
# What ends "nobody outside AWS", or makes it one of the writer's own people.
_PEOPLE_ENDS = (_STOPS - {"but"}) | _FINITE | _OURS
# What ends the object of a verb, and what may be tested: a product, its figures, a claim.
_OBJECT_ENDS = (_STOPS | _FINITE | {"on", "for", "in", "since", "against", "with", "from", "to", "at"}) - {"and"}
_PRONOUN_OBJECTS = frozenset(("it", "them", "this", "that", "these", "those", "either", "both", "pair", "two", "one"))
_TESTABLE = ("product-class", "product-quality", "figure-noun", "evidence-noun", "metric", "vendor", "tested-thing")
_LOOSE = frozenset(("if", "unless", "whether", "until", "where", "when", "wherever", "whenever"))
# What may follow a noun of evidence that ends its phrase.
_BEHIND_NOUN = frozenset(
    (
        "of", "for", "on", "that", "which", "in", "from", "with", "between", "against", "yet", "so", "as", "by", "and",
        "or", "at", "comparing", "showing", "available", "behind", "beyond", "anywhere", "whatsoever", "outside",
        "today", "but", "because", "since", "either", "to", "published", "out",
    )
)  # fmt: skip
# What stands before a list that was looked through, and how far behind its name its round may stand.
_PLACES = frozenset(("in", "on", "at", "to", "from", "into", "of", "by", "through"))
_ROUND_REACH = 2
_PLACE_REACH = 6
_FIGURE_REACH = 5
# "Nobody has.", "As of today, no lab has yet.": an answer's auxiliary, what may follow, and how late it may stand.
_AUXILIARIES = (["has"], ["have"], ["did"], ["does"])
_YET = frozenset(("yet", "so", "to", "and"))
_SAID_FIRST = 5
# What nobody is said to have shown: the opposite of what the sentence holds.
_OTHERWISE = (["otherwise"], ["the", "contrary"], ["the", "opposite"], ["the", "reverse"], ["that", "wrong"])
_PUT = frozenset((("put", "through"), ("subjected", "to"), ("subject", "to"), ("part", "of")))
_PAIR = 2
# What is done with two things "on the same model", and words that stand for the two.
_RUNNING = frozenset(("put", "run", "ran", "trained", "served", "set", "tried"))
_ON = frozenset(("on", "through", "with", "over", "under", "in"))
_BOTH = frozenset(("two", "both", "them", "pair", "either"))
_EXCEPT = frozenset(("outside", "but", "beyond", "except", "besides", "than", "beside", "anyone", "anybody"))
# What names a source within a clause.
_TELLING = ("reporting-verb", "according", "own-account")
# First words of what follows from an absence, whose sources are no source of it.
_SEQUELS = frozenset(("so", "and", "but", "which", "hence", "thus", "while", "though"))
# Words that name the place or the agent whose silence it is: "no benchmark on AWS's page", "published by NVIDIA".
_WHERE = frozenset(("on", "in", "at"))
_AGENT = frozenset(("by", "from"))
# The lexicons without a word of which a sentence, but for a cell, tells no absence: each reader begins at one of them.
_TRIGGERS = ("no-evidence", "nobody", "never-been", "have-not", "untested", "exists")

Span = tuple[int, int]


def absence_told(article: Article, rule: Rule) -> Iterator[Finding]:
    """Absences of evidence told as facts about the world: "no independent benchmark exists", "nobody has tested it".

    What a named vendor or document leaves out, and what the writer searched for and did not find, is silent.
    """
    tokens = article.tokens
    for sentence in article.sentences:
        for span in _absences(article, sentence):
            if not _allowed(article, sentence, span):
                start, end = tokens.starts[span[0]], tokens.ends[span[1] - 1]
                yield finding(rule, start, end, words=article.told(start, end))


def _absences(article: Article, sentence: Sentence) -> list[Span]:
    """The absences of evidence that a sentence tells, as ranges of tokens: one for each of its clauses."""
    if article.document.blocks[sentence.block].table >= 0 and (cell := _in_cell(article, sentence)) is not None:
        return [cell]
    if not sentence.has_any(_TRIGGERS):
        return []
    found: dict[int, Span] = {}
    for read in _READERS:
        span = read(article, sentence)
        if span is not None:
            found.setdefault(clause_of(article.tokens.words, sentence, span[0]).start, span)
    return sorted(found.values())


def _allowed(article: Article, sentence: Sentence, span: Span) -> bool:
    """Whether the absence is asked, supposed, quoted, attributed, or told of a search."""
    if unsaid(article, sentence) or quoted(article, sentence, span[0]) or _conditional(article, sentence, span[0]):
        return True
    if _searched(article, sentence, span) or _attributed(article, sentence, span):
        return True
    return any(near.has("search") for near in _around(article, sentence))


def _searched(article: Article, sentence: Sentence, span: Span) -> bool:
    """As in "no entry in MLPerf", "MLPerf v5.1 has no result": a published list that was looked through.

    "MLPerf results do not exist" and "nobody has run MLPerf" name no list and no round of it.
    """
    words = article.tokens.words
    clause = clause_of(words, sentence, span[0])
    for mark in sentence.of_kind("results-body"):
        if not clause.start <= mark.first < clause.stop or not is_results_body(article, mark):
            continue
        rounds = words[mark.last : mark.last + _ROUND_REACH]
        if any(word[:1] in "v0123456789" and any(c.isdigit() for c in word) for word in rounds):
            return True
        lists = words[mark.last : mark.last + 1] in (["has"], ["lists"], ["shows"], ["holds"], ["prints"])
        before = words[max(sentence.first, mark.first - _PAIR) : mark.first]
        if lists or any(word in _PLACES for word in before):
            return True
    return False


def _attributed(article: Article, sentence: Sentence, span: Span) -> bool:
    """Whether somebody else is named as the one who says it, before or right behind the words of absence.

    "Nobody outside AWS has tested" names no source, nor does "nobody has verified Google's figures".
    """
    words = article.tokens.words
    clause = clause_of(words, sentence, span[0])
    if _starts_anew(article, sentence, clause.start, span[0]):
        return False
    alone = span[0] == sentence.first and sentence.last - span[1] <= 1  # "No one has.": an answer that names nobody
    if not (alone and _asked_of_tests(article, sentence)) and attributed(
        article, sentence, own=False, stop=span[0], clause=clause.start
    ):
        return True
    stop = next((at for at in range(span[1], sentence.last - 1) if _goes_on(words, at)), sentence.last)
    behind = [m for m in sentence.marks if span[1] <= m.first < stop]
    if any(m.kind == "according" for m in behind) and article.sourcing.own(sentence).named:
        return True
    verbs = [m.first for m in behind if m.kind == "reporting-verb"]
    named = [p for p in parties(article, sentence) if words[p.first - 1] == ","]
    return any(0 <= verb - p.last <= 1 for p in named for verb in verbs)


def _starts_anew(article: Article, sentence: Sentence, start: int, first: int) -> bool:
    """As in "AWS says 4.4x; no lab has reproduced that": what is told before a semicolon names no source of it."""
    if article.tokens.words[start - 1] != ";" or start == sentence.first or article.sourcing.own(sentence).cited:
        return False
    return not any(start <= m.first < first for kind in _TELLING for m in sentence.of_kind(kind))


def _goes_on(words: list[str], at: int) -> bool:
    """Whether what follows from an absence begins at a sign: "; the sheet says ...", ", so we take ..."."""
    return words[at] in (";", ":") or (words[at] == "," and words[at + 1] in _SEQUELS)


def _around(article: Article, sentence: Sentence) -> list[Sentence]:
    """A sentence and those beside it in its block; for a cell, its labels and the blocks around its table."""
    block = article.document.blocks[sentence.block]
    if block.table >= 0:
        table = article.document.tables[block.table]
        beside = [s for b in (table.before, table.after) if b >= 0 for s in article.subjects.of_block(b)]
        return [sentence, *article.labels(sentence), *beside]
    inside = article.subjects.of_block(sentence.block)
    return [s for s in inside if abs(s.place - sentence.place) <= 1]


def _conditional(article: Article, sentence: Sentence, first: int) -> bool:
    """Whether the absence stands under "if", "until" or "where" in its clause."""
    words = article.tokens.words
    for at in range(first - 1, max(sentence.first, first - _SAID_REACH) - 1, -1):
        if words[at] in _STOPS:
            return False
        if words[at] in _LOOSE or words[at : at + _PAIR] == ["long", "as"]:
            return True
    return False


def _of_product(article: Article, sentence: Sentence) -> bool:
    """Whether a sentence, those beside it, its labels or its heading speak of a product or a vendor."""
    block = article.subjects.of_block(sentence.block)
    near = [*article.labels(sentence), *block[max(0, sentence.place - 1) : sentence.place + 2]]
    if any(s.has("product-class") or _names_product(article, s) for s in near):
        return True
    heading = article.subjects.heading_of(sentence.block)
    return heading >= 0 and any(_names_product(article, s) for s in article.subjects.of_block(heading))


def _names_product(article: Article, sentence: Sentence) -> bool:
    """Whether a sentence names a vendor of the registry, or a product or what is named like one."""
    return any(party.known or party.product for party in parties(article, sentence))


def _evidence(article: Article, sentence: Sentence, first: int, reach: int = _NOUN_REACH) -> Mark | None:
    """The noun of evidence close behind a token, the last of a run: "independent benchmark", "head-to-head test"."""
    words = article.tokens.words
    found: Mark | None = None
    adjectives = {at for m in sentence.of_kind("outside") for at in range(m.first, m.last)}
    outside = not adjectives.isdisjoint(range(first, first + reach + 1))
    for mark in sentence.of_kind("evidence-noun"):
        if mark.first < first:
            continue
        if (found is not None and mark.first > found.last) or mark.first - first > reach:
            break
        if any(words[at] in _PHRASE_ENDS for at in range(first, mark.first) if at not in adjectives):
            break
        if mark.value == "strong" or outside or found is not None or _names_product(article, sentence):
            found = mark
    return found


def _none_exists(article: Article, sentence: Sentence) -> Span | None:
    """As in "no independent benchmark exists", "there are no third-party results"."""
    for mark in sentence.of_kind("no-evidence")[:_MOST]:
        noun = _evidence(article, sentence, mark.last)
        such = article.tokens.words[mark.last : mark.last + 1] == ["such"]
        if such and (before := _asked_of_tests(article, sentence)):
            noun = noun or next((n for n in sentence.of_kind("evidence-noun") if n.first == mark.last + 1), None)
            such = _OURS.isdisjoint(article.tokens.words[before.first : before.last])
        elif such or (noun and not _is_outside(sentence, mark.last, noun.last) and not _of_product(article, sentence)):
            continue
        if noun is None or (such and not _of_product(article, sentence)):
            continue
        last = _there_is(article, sentence, noun) if mark.value == "there-is" else _said(article, sentence, noun)
        if last and not _published_by(article, sentence, last):
            return mark.first, last
    return None


def _asked_of_tests(article: Article, sentence: Sentence) -> Sentence | None:
    """The sentence or heading before, if it speaks of tests by outsiders: "Has anyone outside AWS measured it?"."""
    before = article.sentences[sentence.index - 1] if sentence.index > 0 else None
    if before is None or (sentence.place == 0 and article.document.blocks[before.block].kind != "heading"):
        return None
    outside = any(before.has(kind) for kind in ("outside", "people", "anyone"))
    tests = before.has("evidence-noun") or before.has("test-verb") or before.has("evidence-verb", "strong")
    tests = tests or (before.has("evidence-verb") and before.has("comparand-word"))
    return before if outside and tests else None


def _nobody_at_all(article: Article, sentence: Sentence) -> Span | None:
    """As in "Has anyone outside AWS tested it? No one has.": an answer without a verb of its own."""
    words = article.tokens.words
    for mark in sentence.of_kind("nobody")[:_MOST]:
        behind = words[mark.last + 1 : min(sentence.last, mark.last + 2)]
        ends = not behind or not behind[0].isalpha() or behind[0] in _YET
        answers = words[mark.last : mark.last + 1] in _AUXILIARIES and mark.first - sentence.first <= _SAID_FIRST
        if answers and ends and _asked_of_tests(article, sentence) and _of_product(article, sentence):
            return mark.first, mark.last + 1
    return None


def _there_is(article: Article, sentence: Sentence, noun: Mark) -> int:
    """The end of "there is no benchmark"; 0 where the noun goes on: "there is no data loss"."""
    return noun.last if _ends_there(article, sentence, noun) else 0


def _said(article: Article, sentence: Sentence, noun: Mark) -> int:
    """The end of what is said of a noun behind "no": "exists", "has been published"; 0 for anything else."""
    said = next((m for m in sentence.of_kind("exists") if m.value == "exists" and m.first >= noun.last), None)
    if said is None or said.first - noun.last > _SAID_REACH:
        return 0
    between = article.tokens.words[noun.last : said.first]
    if between[:1] == ["in"] and between[1:2] in (["this"], ["these"]):
        return 0  # "no test in this suite covers"
    ends = _STOPS | _FINITE | _OURS
    if between[:1] in (["of"], ["between"], ["for"]) and between.count("and") == 1:
        ends -= {"and"}  # "no benchmark of Trainium3 and the B200 exists"
    return said.last if ends.isdisjoint(between) else 0


def _ends_there(article: Article, sentence: Sentence, noun: Mark) -> bool:
    """Whether a noun is the last of its phrase: "no data loss" is no absence of data, "no comparison here" no claim."""
    if noun.last >= sentence.last:
        return True
    word = article.tokens.words[noun.last]
    return not word.isalpha() or word in _BEHIND_NOUN


def _is_outside(sentence: Sentence, first: int, last: int) -> bool:
    """Whether an adjective of outsiders stands in a stretch of tokens."""
    return any(first <= m.first < last for m in sentence.of_kind("outside"))


def _published_by(article: Article, sentence: Sentence, last: int) -> bool:
    """As in "no benchmark on AWS's page", "has been published by NVIDIA": the absence is of a named place or agent."""
    words = article.tokens.words
    others = {at for m in sentence.of_kind("outside") for at in range(m.first, m.last)}  # "by a third party"
    here = [p for p in parties(article, sentence) if p.first not in others]
    agents, places = {p.first for p in here}, {p.first for p in here if not p.product}
    places |= {m.first for m in sentence.of_kind("document-noun")}
    for at in range(last, min(sentence.last, last + _SAID_REACH)):
        if words[at] in _STOPS:
            return False
        near = range(at + 1, min(sentence.last, at + _PLACE_REACH))
        named = agents if words[at] in _AGENT else places if words[at] in _WHERE else set()
        if not named.isdisjoint(near) and not any(words[n] in _EXCEPT for n in near):
            return True
    return False


def _nobody_has(article: Article, sentence: Sentence) -> Span | None:
    """As in "nobody has compared", "no lab outside AWS has ever trained", "not a single outside lab has measured"."""
    words = article.tokens.words
    for first, last in _nobodies(article, sentence)[:_MOST]:
        for verb in sentence.of_kind("evidence-verb"):
            if verb.first < last:
                continue
            between = words[last : verb.first]
            if len(between) > _PEOPLE_REACH or not _PEOPLE_ENDS.isdisjoint(between):
                break
            if _is_deed(article, sentence, last, verb) and not _of_any(article, sentence, first):
                return first, verb.last
    return None


def _nobodies(article: Article, sentence: Sentence) -> list[Span]:
    """The words for people of whom not one is meant: "nobody", "not one independent engineer", "none of the labs"."""
    found = [(mark.first, mark.last) for mark in sentence.of_kind("nobody")]
    people = sentence.of_kind("people")
    for mark in sentence.of_kind("no-evidence")[:_MOST] if people else ():
        near = next((p for p in people if 0 <= p.first - mark.last <= _ADJECTIVES), None)
        if mark.value != "there-is" and near and _PHRASE_ENDS.isdisjoint(article.tokens.words[mark.last : near.first]):
            found.append((mark.first, near.last))
    return sorted(found)


def _of_any(article: Article, sentence: Sentence, first: int) -> bool:
    """As in "a claim that nobody has tested is no result": words about any such thing, not about one."""
    words = article.tokens.words
    if first - 2 <= sentence.first or words[first - 1] not in ("that", "which"):
        return False
    return any(w in ("a", "an", "any", "no") for w in words[max(sentence.first, first - _NOUN_REACH) : first - 1])


def _is_deed(article: Article, sentence: Sentence, nobody: int, verb: Mark) -> bool:
    """Whether a verb behind "nobody", which ends at a token, tells of testing, by itself or with a noun of evidence."""
    named = {p.first for p in parties(article, sentence) if nobody <= p.first and p.last <= verb.first}
    if any(article.tokens.words[at - 1] in _AMONG for at in named):
        return False  # "nobody at AWS has": of its own people
    if _is_of_the_opposite(article, sentence, verb):
        return True
    if verb.value == "strong":
        figured = any(0 <= f.start - verb.end <= _FIGURE_REACH for f in sentence.figures)  # "has verified the 4.4x"
        return figured or (_is_testable(article, sentence, verb) and _of_product(article, sentence))
    noun = _evidence(article, sentence, verb.last, _OBJECT_REACH) or _datum(article, sentence, verb)
    noun = noun or _test_of_both(article, sentence, verb)
    bodies = (m.first for m in sentence.of_kind("results-body"))
    run = any(0 <= at - verb.last <= _PAIR for at in bodies)  # "has ever run MLPerf"
    return (noun is not None or run or _on_the_same(article, sentence, verb)) and _of_product(article, sentence)


def _on_the_same(article: Article, sentence: Sentence, verb: Mark) -> bool:
    """As in "has run the two on the same model": two things set side by side by what they have in common."""
    words = article.tokens.words[verb.last : min(sentence.last, verb.last + _SAID_REACH)]
    same = next((at for at, pair in enumerate(pairwise(words)) if pair == ("the", "same")), 0)
    if article.tokens.words[verb.first] not in _RUNNING or not same or words[same - 1] not in _ON:
        return False
    object_ = range(verb.last, verb.last + same)
    return not _BOTH.isdisjoint(words[:same]) or sum(p.first in object_ for p in parties(article, sentence)) > 1


def _test_of_both(article: Article, sentence: Sentence, verb: Mark) -> Mark | None:
    """As in "has put Ironwood and the B200 through the same test": the test behind what is put through it."""
    words = article.tokens.words
    for noun in sentence.of_kind("evidence-noun"):
        lead = words[max(verb.last, noun.first - _ADJECTIVES) : noun.first]
        if 0 < noun.first - verb.last <= _SAID_REACH and not {"through", "to"}.isdisjoint(lead):
            return noun if words[verb.first] in ("put", "run", "ran") else None
    return None


def _datum(article: Article, sentence: Sentence, verb: Mark) -> Mark | None:
    """What only a test can give, behind a verb of publishing: "has published hit rates", "released power curves"."""
    if not _OURS.isdisjoint(article.tokens.words[verb.last : verb.last + _OBJECT_REACH]):
        return None
    data = (m for m in sentence.of_kind("datum-noun") if 0 <= m.first - verb.last <= _ADJECTIVES)
    return next((m for m in data if _PHRASE_ENDS.isdisjoint(article.tokens.words[verb.last : m.first])), None)


def _is_of_the_opposite(article: Article, sentence: Sentence, verb: Mark) -> bool:
    """As in "Gaudi 3 beats the H100, and nobody has ever shown otherwise": nobody tested the claim."""
    words = article.tokens.words
    behind = (words[verb.last : verb.last + 1], words[verb.last : verb.last + 2])
    if not any(phrase in _OTHERWISE for phrase in behind):
        return False
    claims = sentence.has("verdict") or sentence.has("better-word") or _of_product(article, sentence)
    return claims and bool(parties(article, sentence))


def _is_testable(article: Article, sentence: Sentence, verb: Mark) -> bool:
    """Whether what was never tested is a product or its figures: not "our fork", "the pull request", "prices here"."""
    words = article.tokens.words
    stop = verb.last
    while stop < sentence.last and words[stop] not in _OBJECT_ENDS and stop - verb.last < _OBJECT_REACH:
        stop += 1
    inside = words[verb.last : stop]
    if not _OURS.isdisjoint(inside):
        return False
    if not inside or inside[-1] in _PRONOUN_OBJECTS:
        return True
    things = [m.first for kind in _TESTABLE for m in sentence.of_kind(kind)]
    things += [party.first for party in parties(article, sentence)]
    things += [article.tokens.first_from(figure.start) for figure in sentence.figures]
    return any(verb.last <= at < stop for at in things)


def _never_been(article: Article, sentence: Sentence) -> Span | None:
    """As in "has never been independently tested", "has yet to be benchmarked by anyone"."""
    verbs = [v for v in sentence.of_kind("evidence-verb") if v.value == "strong"]
    for mark in sentence.of_kind("never-been")[:_MOST]:
        first = mark.first if mark.value == "never" else _neither(article, sentence, mark)
        verb = next((v for v in verbs if v.first >= mark.last), None)
        if mark.value == "never" and (put := _put_through(article, sentence, mark)):
            return first, put
        if first < 0 or verb is None or verb.first - mark.last > _ADVERBS:
            continue
        if any(w in _STOPS or w in _FINITE for w in article.tokens.words[mark.last : verb.first]):
            continue
        if _by_anyone(article, sentence, mark, verb):
            return first, verb.last
    return None


def _put_through(article: Article, sentence: Sentence, mark: Mark) -> int:
    """The end of "has never been put through an independent test", of a product; 0 for anything else."""
    if tuple(article.tokens.words[mark.last : mark.last + _PAIR]) not in _PUT:
        return 0
    noun = _evidence(article, sentence, mark.last + 2)
    tested = noun is not None and _is_outside(sentence, mark.last, noun.last) and _of_product(article, sentence)
    return noun.last if noun is not None and tested else 0


def _by_no_one(article: Article, sentence: Sentence) -> Span | None:
    """As in "has been replicated by no one": a deed of testing that not one person did."""
    nobody = {m.first: m.last for m in sentence.of_kind("nobody")}
    for verb in sentence.of_kind("evidence-verb") if nobody else ():
        behind = article.tokens.words[verb.last : verb.last + 1]
        if verb.value == "strong" and behind == ["by"] and verb.last + 1 in nobody and _of_product(article, sentence):
            return verb.first, nobody[verb.last + 1]
    return None


def _outsiders_have_not(article: Article, sentence: Sentence) -> Span | None:
    """As in "third parties have yet to test Ironwood", "independent labs have not measured it"."""
    for mark in sentence.of_kind("have-not")[:_MOST]:
        outside = [m for m in sentence.of_kind("outside") if 0 <= mark.first - m.last <= _PAIR]
        if not outside or article.tokens.words[mark.first - 1] == ",":
            continue
        people = any(m.last == mark.first for m in sentence.of_kind("people"))
        people = people or outside[0].last == mark.first
        verb = next((v for v in sentence.of_kind("test-verb") if 0 <= v.first - mark.last <= 1), None)
        if people and verb is not None and _is_testable(article, sentence, verb) and _of_product(article, sentence):
            return outside[0].first, verb.last
    return None


def _neither(article: Article, sentence: Sentence, mark: Mark) -> int:
    """As in "neither chip has been tested": the place of the word that denies what follows, -1 for none."""
    words = article.tokens.words
    near = range(max(sentence.first, mark.first - _NOUN_REACH), mark.first)
    return next((at for at in near if words[at] in ("neither", "none")), -1)


def _by_anyone(article: Article, sentence: Sentence, mark: Mark, verb: Mark) -> bool:
    """Whether a product or its figures were never tested by anyone: not "the driver was never tested", nor "by AWS"."""
    words = article.tokens.words
    first = max(sentence.first, mark.first - _PEOPLE_REACH)
    if not _OURS.isdisjoint(words[first : mark.first]) or _published_by(article, sentence, verb.last):
        return False
    tested = any(first <= p.first < mark.first for p in parties(article, sentence))
    tested = tested or any(first <= m.first < mark.first for m in sentence.of_kind("product-class"))
    tested = tested or any(figure.end <= mark.start for figure in sentence.figures)
    return (tested or words[mark.first - 1] in _PRONOUNS) and _of_product(article, sentence)


def _untested(article: Article, sentence: Sentence) -> Span | None:
    """As in "remains untested", "lacks any independent benchmark", "the chip has no independent benchmark"."""
    for mark in sentence.of_kind("untested")[:_MOST]:
        if mark.value == "untested":
            if _of_product(article, sentence) and _is_product_or_figure(article, sentence, mark.first):
                return mark.first, mark.last
            continue
        noun = _evidence(article, sentence, mark.last)
        if noun is None or not _is_outside(sentence, mark.last, noun.last):
            continue
        if mark.value == "lacks" or _of_a_product(article, sentence, mark.first):
            return mark.first, noun.last
    return None


def _is_product_or_figure(article: Article, sentence: Sentence, verb: int) -> bool:
    """Whether a product, a figure, a claim or a pronoun stands right before a verb: not "the MI300X backend"."""
    words = article.tokens.words
    if any(m.last == verb for m in sentence.of_kind("says-of")):
        return True  # "remain unverified by anyone"
    if not words[verb - 1].isalpha() or words[verb - 1] in _PRONOUNS or _of_a_product(article, sentence, verb):
        return True
    return any(m.last == verb for kind in _TESTABLE for m in sentence.of_kind(kind))


def _of_a_product(article: Article, sentence: Sentence, verb: int) -> bool:
    """Whether the subject right before a verb is a product: that a vendor has no test says what it has."""
    if any(p.last == verb and p.product for p in parties(article, sentence)):
        return True
    return any(m.last == verb for m in sentence.of_kind("product-class"))


def _lacking(article: Article, sentence: Sentence) -> Span | None:
    """As in "independent benchmarks do not exist", "third-party results: none exist"."""
    for mark in sentence.of_kind("exists")[:_MOST]:
        if mark.value == "exists" or _published_by(article, sentence, mark.last):
            continue
        first = max(sentence.first, mark.first - _SAID_REACH)
        they = mark.value == "lacking" and article.tokens.words[sentence.first : mark.first] in (["they"], ["it"])
        if (they or (mark.value == "none" and sentence.first == mark.first)) and sentence.place > 0:
            before = article.sentences[sentence.index - 1]
            if before.has("outside") and before.has("evidence-noun"):
                return mark.first, mark.last
        if mark.value == "has-none" and (span := _has_none(article, sentence, mark)):
            return span
        nouns = [n for n in sentence.of_kind("evidence-noun") if first <= n.first and n.last <= mark.first]
        if nouns and _is_outside(sentence, first, mark.first) and not _broken(article, nouns[-1].last, mark):
            return mark.first, mark.last
    return None


def _has_none(article: Article, sentence: Sentence, mark: Mark) -> Span | None:
    """As in "The B200 has third-party reviews; Trainium3 has none": a product without the evidence named before."""
    subject = next((p for p in parties(article, sentence) if p.last == mark.first and p.product), None)
    near = [sentence, article.sentences[sentence.index - 1]] if sentence.place > 0 else [sentence]
    told = any(
        m.first < mark.first and (m.value == "strong" or _is_outside(s, m.first - _NOUN_REACH, m.last))
        for s in near
        for m in s.of_kind("evidence-noun")
    )
    return (subject.first, mark.last) if subject is not None and told else None


def _broken(article: Article, first: int, mark: Mark) -> bool:
    """Whether a clause ends between a noun and what is said of it; "none" may follow a colon, or two products."""
    between = article.tokens.words[first : mark.first]
    if mark.value == "none":
        return any(word in _STOPS - {":"} or word in _FINITE - {"and"} for word in between)
    return any(word in _STOPS or word in _FINITE for word in between)


def _in_cell(article: Article, sentence: Sentence) -> Span | None:
    """As in "none exist" in a row "Independent benchmarks": a cell that is nothing but words of absence."""
    marks = sentence.of_kind("none-cell")
    if not marks or marks[0].first != sentence.first or article.document.blocks[sentence.block].row == 0:
        return None
    rest = article.tokens.words[marks[0].last : sentence.last]
    if any(word.isalnum() for word in rest):
        return None
    labels = [*article.labels(sentence), sentence]
    outside = any(s.has("outside") and s.has("evidence-noun") for s in labels)
    return (marks[0].first, marks[0].last) if outside else None


# All ways of telling an absence, in the order in which they are tried.
_READERS = (
    _none_exists,
    _nobody_has,
    _nobody_at_all,
    _never_been,
    _by_no_one,
    _outsiders_have_not,
    _untested,
    _lacking,
)
