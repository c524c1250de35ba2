"""Which figures a text itself shows to be results of a vendor's customers, told as what all get."""

from __future__ import annotations

from caveat.article import Article
from caveat.binding.bind import UNKNOWN, Binding
from caveat.checks.parties import quoted
from caveat.checks.surroundings import around, asked_for_gain
from caveat.language.phrases import Mark
from caveat.reading.mentions import Mention
from caveat.reading.sentences import Sentence
from caveat.reading.statements import Statement

# "Customers on Trainium2 can save", "saves early customers": how many words may stand between people and verb.
_VERB_REACH = 6
_GIVING_REACH = 3
_REPORT_REACH = 3
# How far behind the verb the figure may stand, and behind one customer's work what it is said to prove.
_FIGURE_REACH = 12
_PROOF_REACH = 8
_OURS = frozenset(("our", "my", "we", "i"))
# Before the name of a customer.
_INTRODUCING = frozenset(
    (
        *("as", "like", "including", "customer", "customers", "at", "by", "from", "for", "cost", "costs", "saves"),
        *("saved", "saving", "gives", "gave"),
    )
)
# Before people who are not customers in general.
_SOME = frozenset(
    (
        *("our", "my", "no", "one", "a", "an", "two", "three", "four", "five", "some", "several", "few", "another"),
        *("this", "that", "these", "those", "single", "certain"),
    )
)
# "A typical customer saves": any of them.
_TYPICAL = frozenset(("typical", "average", "median", "usual"))
# Words that deny all that follows in their clause, how far they reach, and "not only", which denies nothing.
_NOBODY = frozenset(("nobody", "none", "nothing", "neither", "never", "not", "no one"))
_DENIAL_REACH = 14
_BREAKS = frozenset((",", ";", ":", "but", "only", "just"))
# How far behind a comma the story may stand that it leads to.
_STORY_REACH = 4
# What ends the clause of a figure.
_CLAUSE_ENDS = frozenset((";", ":", "(", ")", "–", "—"))
_COMMA_LEADS = frozenset(("as", "says", "said", "going", "per", "according", "if", "reports", "which", "judging", "by"))
# Words that keep a result to whom it belongs, and those that promise it to the reader.
_KEEPING = frozenset(("its", "their", "his", "her", "it", "they", "them", "itself"))
_READER = frozenset(("you", "your", "anyone", "everyone"))
# What follows the verb of an order to the reader, which may look like a name: "Switch to TPUs".
_ORDERS = (["to"], ["in"], ["out"], ["over"], ["your"], ["the"], ["up"], ["it"])
_ASKERS = frozenset(("you", "we", "i", "one"))
_PAST = frozenset(
    (
        *(
            "was",
            "were",
            "fell",
            "got",
            "saw",
            "ran",
            "took",
            "paid",
            "went",
            "had",
            "did",
            "came",
            "rose",
            "grew",
            "won",
        ),
        *("gave", "spent", "found", "built", "sold", "became", "brought", "sank", "shrank", "made", "kept", "told"),
    )
)


def told_of_customers(article: Article, binding: Binding) -> bool:
    """Whether a figure that the registry does not have, and not the writer's, is told as what customers get."""
    statement = binding.statement
    if binding.status != UNKNOWN or not (statement.compares or asked_for_gain(article, statement)):
        return False
    if _told_by_a_story(article, statement):
        return True
    question = asked_for_gain(article, statement)
    if not (_of_a_product(statement) or (question is not None and _names_product(article, question))):
        return False
    sentence = statement.sentence
    return proved(article, statement) or (
        _gained(article, statement)
        and not article.sourcing.is_own(sentence)
        and not article.sourcing.sourced(sentence)
        and not named_customers(article, sentence)
        and not any(each.has("customer-claim") for each in around(article, sentence))
    )


def _of_a_product(statement: Statement) -> bool:
    """Whether a figure is told of a product, a line of them or a vendor."""
    sentence = statement.sentence
    return statement.subject.mention is not None or bool(statement.lines) or sentence.has("vendor")


def _names_product(article: Article, sentence: Sentence) -> bool:
    """Whether a sentence names a product, a line of them or a vendor."""
    return bool(article.subjects.mentions(sentence)) or sentence.has("product-line") or sentence.has("vendor")


def denied(article: Article, statement: Statement) -> bool:
    """As in "Nobody has shown that customers save up to 50%": a word that denies the clause that a figure is in."""
    words, at = article.tokens.words, article.tokens.first_from(statement.figure.start)
    for step in range(at - 1, max(statement.sentence.first, at - _DENIAL_REACH) - 1, -1):
        if words[step] in _BREAKS:
            return False
        if words[step] in _NOBODY:
            return True
    return False


def quoted_of_others(article: Article, statement: Statement) -> bool:
    """Whether a figure stands in the quoted words of somebody whom the sentence names, and who is no vendor."""
    sentence = statement.sentence
    if not quoted(article, sentence, article.tokens.first_from(statement.figure.start)):
        return False
    return bool(_organisations(article, sentence))


# Customers in general.


def named_customers(article: Article, sentence: Sentence) -> bool:
    """As in "customers such as Ricoh", "Ricoh and Karakuri report": organisations that are said to have the result."""
    words = article.tokens.words
    verbs = {mark.first for kind in ("gain-verb", "reporting-verb") for mark in sentence.of_kind(kind)}
    for first, last in _organisations(article, sentence):
        if words[first - 1] in _INTRODUCING and first > sentence.first:
            return True
        if last < sentence.last and (last in verbs or words[last].endswith("ed")):
            return True
    return False


def _organisations(article: Article, sentence: Sentence) -> list[tuple[int, int]]:
    """The tokens of names that are no vendor's, product's or source's, as ranges."""
    kinds = ("product", "product-line", "source", "counted", "customer", "gain-verb")
    taken = {mark.first for kind in kinds for mark in sentence.of_kind(kind)}
    if article.tokens.words[sentence.first].endswith("ing"):
        taken.add(sentence.first)  # "Moving ...", a capital that every sentence begins with
    taken |= {
        article.tokens.first_from(m.start) for m in article.subjects.mentions(sentence) if _is_product(article, m)
    }
    names = article.sourcing.own(sentence).organisations
    return [(name.first, name.last) for name in names if not name.vendor and name.first not in taken]


def _is_product(article: Article, mention: Mention) -> bool:
    """Whether a name is the registry's or has a digit: "Uber", which something is said of, may be a customer."""
    return bool(mention.product) or any(c.isdigit() for c in article.words(mention.start, mention.end))


def a_story_tells(sentence: Sentence) -> bool:
    """As in "AWS's customer quotes give up to 50%": what a vendor publishes of customers, with a verb of telling."""
    stories = [mark for kind in ("story", "customer-claim") for mark in sentence.of_kind(kind)]
    verbs = [mark for mark in sentence.of_kind("reporting-verb") if mark.first not in {s.last - 1 for s in stories}]
    proofs = {mark.first for mark in sentence.of_kind("proof-verb")}
    return any(_precedes(story, verb, 1) and verb.first not in proofs for story in stories for verb in verbs)


def in_story(sentence: Sentence, people: Mark) -> bool:
    """Whether a word for customers is part of one for their stories: "customer page"."""
    return any(mark.first <= people.first < mark.last for mark in sentence.of_kind("story"))


def some_report(article: Article, sentence: Sentence) -> bool:
    """As in "one customer told AWS", "some users report": people who are not all, and what they say."""
    words = article.tokens.words
    some = [people for people in sentence.of_kind("customer") if words[people.first - 1] in _SOME]
    some += [one for one in sentence.of_kind("one-customer") if words[one.first - 1] == "the"]
    return any(_precedes(one, verb, _REPORT_REACH) for one in some for verb in sentence.of_kind("reporting-verb"))


def _gained(article: Article, statement: Statement) -> bool:
    """As in "customers save up to 50%", "it saves customers 50%"; or a label "Customer savings" of the figure."""
    sentence, at = statement.sentence, article.tokens.first_from(statement.figure.start)
    question = asked_for_gain(article, statement)
    if question is not None and _promises(article, question):
        return True
    if any(_is_label(article, label) for label in article.labels(sentence)) or sentence.has("customer-label"):
        return True
    people = [mark for mark in sentence.of_kind("customer") if _in_general(article, sentence, mark)]
    return any(
        _they_gain(article, one, verb, at) or _is_what_they_get(article, one, verb)
        for one in people
        for verb in sentence.of_kind("gain-verb")
    ) or any(
        _precedes(verb, one, _GIVING_REACH) and one.last <= at < one.last + _FIGURE_REACH
        for one in people
        for verb in sentence.of_kind("giving-verb")
    )


def _they_gain(article: Article, people: Mark, verb: Mark, at: int) -> bool:
    """As in "customers on Trainium2 save 40%", "customers halve": a verb of people, and a figure behind it or in it.

    Also "customers of Gaudi 3: 40% less". What people "pay for" is no gain of theirs.
    """
    if article.tokens.words[people.last : people.last + 1] == [":"] and people.last < at <= people.last + _GIVING_REACH:
        return True
    behind = verb.last <= at < verb.last + _FIGURE_REACH and article.tokens.words[verb.last : verb.last + 1] != ["for"]
    return _precedes(people, verb, _VERB_REACH) and (behind or verb.first == at)


def _is_label(article: Article, label: Sentence) -> bool:
    """Whether a label or lead-in makes what it is of a result of customers: "What customers on Trainium2 save"."""
    if label.has("customer-label"):
        return True
    people = [mark for mark in label.of_kind("customer") if _in_general(article, label, mark)]
    return not label.figures and any(
        _precedes(one, verb, _VERB_REACH) for one in people for verb in label.of_kind("gain-verb")
    )


def _promises(article: Article, question: Sentence) -> bool:
    """As in "What do teams save?", "How much will we save?": a question of what all get, or the reader."""
    words = article.tokens.words[question.first : question.last]
    return _is_label(article, question) or not _ASKERS.isdisjoint(words)


def _is_what_they_get(article: Article, people: Mark, verb: Mark) -> bool:
    """As in "that is what customers on Trainium2 get"."""
    return article.tokens.words[people.first - 1] == "what" and _precedes(people, verb, _VERB_REACH)


def _in_general(article: Article, sentence: Sentence, people: Mark) -> bool:
    """Whether people are customers in general: not "our users", "three customers" or a "customer story"."""
    inside = (*sentence.of_kind("customer-work"), *sentence.of_kind("customer-claim"), *sentence.of_kind("story"))
    if any(mark.first <= people.first < mark.last and mark.last > people.last for mark in inside):
        return False
    before = article.tokens.words[people.first - 1]
    return people.first == sentence.first or before in _TYPICAL or before not in _SOME


def _precedes(one: Mark, other: Mark, reach: int) -> bool:
    """Whether a phrase stands at most so many words before another."""
    return 0 <= other.first - one.last <= reach


# One customer's work or story.


def proved(article: Article, statement: Statement) -> bool:
    """As in "Finch's migration shows that Inferentia cuts inference cost by 80%", of somebody else than the writer."""
    sentence = statement.sentence
    words = article.tokens.words[sentence.first : sentence.last]
    if not _OURS.isdisjoint(words):
        return False
    at = article.tokens.first_from(statement.figure.start)
    return any(
        _precedes(work, verb, _PROOF_REACH) and verb.last <= at
        for work in sentence.of_kind("customer-work")
        for verb in sentence.of_kind("proof-verb")
    )


def _told_by_a_story(article: Article, statement: Statement) -> bool:
    """As in "TPUs cut the bill by 65%, says Midjourney's story on Google's site": true of all, on one story's word.

    What a clause keeps to the customer, or tells in the past, is that customer's result.
    """
    sentence = statement.sentence
    words = article.tokens.words[sentence.first : sentence.last]
    if not sentence.has("story") or not _OURS.isdisjoint(words) or _a_vendor_says(article, sentence):
        return False
    if any(each.has("customer-claim") and not each.figures for each in around(article, sentence)):
        return False
    first, last = _clause(article, statement)
    at = article.tokens.first_from(statement.figure.start)
    if any(first <= mark.first < at for mark in sentence.of_kind("story")):
        return False  # "A case study puts the gain at 2x"
    clause = article.tokens.words[first:last]
    if not _READER.isdisjoint(clause):
        return True
    before = article.tokens.words[first:at]
    if not _KEEPING.isdisjoint(before) or any(word in _PAST or word.endswith("ed") for word in before):
        return False
    for start, stop in _organisations(article, sentence):
        if start == sentence.first and words[stop - start : stop - start + 1] in _ORDERS:
            continue  # "Switch to TPUs and ..."
        if _publishes(article, sentence, start, stop):
            continue
        if first <= start < last or (start == sentence.first and words[stop - start : stop - start + 1] == [","]):
            return False
    people = [mark for kind in ("customer", "one-customer") for mark in sentence.of_kind(kind)]
    return all(
        _in_general(article, sentence, mark) or in_story(sentence, mark)
        for mark in people
        if first <= mark.first < last
    )


def _publishes(article: Article, sentence: Sentence, start: int, stop: int) -> bool:
    """As in "on Groq's site": whether a sentence says that something can be read with an organisation."""
    words = article.tokens.words
    name = words[start:stop]
    return any(
        words[at - 1] in ("on", "at") and words[at : at + len(name)] == name
        for at in range(sentence.first + 1, sentence.last - len(name))
        if words[at + len(name)] == "'s"
    )


def _a_vendor_says(article: Article, sentence: Sentence) -> bool:
    """As in "AMD says in a customer story that ...": a vendor's claim, reported as that."""
    words = article.tokens.words
    return any(
        _precedes(vendor, verb, 1) and words[vendor.last] != "'s"
        for vendor in sentence.of_kind("vendor")
        for verb in sentence.of_kind("reporting-verb")
    )


def _clause(article: Article, statement: Statement) -> tuple[int, int]:
    """The tokens of the clause that a figure is in; a comma ends it before words that lead to a source."""
    words, sentence = article.tokens.words, statement.sentence
    at = article.tokens.first_from(statement.figure.start)
    before_a_story = {
        step for mark in sentence.of_kind("story") for step in range(mark.first - _STORY_REACH, mark.first)
    }
    first = last = at
    while first > sentence.first and words[first - 1] not in _CLAUSE_ENDS:
        if words[first - 1] == "," and words[first] != "by":
            break
        first -= 1
    while last + 1 < sentence.last and words[last] not in _CLAUSE_ENDS:
        if words[last] == "," and (words[last + 1] in _COMMA_LEADS or last + 1 in before_a_story):
            break
        last += 1
    return first, last
