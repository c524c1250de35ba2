"""Whether what a vendor's customers report is told as that."""

from __future__ import annotations

from collections.abc import Iterator

from caveat.article import Article
from caveat.binding.bind import BOUND, UNKNOWN, Binding
from caveat.checks.common import around, asserted, claim_text, finding
from caveat.figures.agreement import said_effects, same_effect
from caveat.figures.quantity import Interval
from caveat.finding import Finding
from caveat.language.phrases import Mark
from caveat.reading.comparisons import RELATIVE
from caveat.reading.sentences import Sentence
from caveat.reading.statements import Statement
from caveat.registry.registry import Claim
from caveat.rulebook.rules import Rule

# The kind of a source in which a vendor publishes what a customer reports.
CUSTOMER = "customer-via-vendor"

# What a claim is compared with, when its source does not say.
UNSTATED = "unstated"

# "Customers on Trainium2 can save", "saves early customers": how many words may stand between people and verb.
_VERB_REACH = 6
_GIVING_REACH = 3
# How far behind the verb the figure may stand, and behind one customer's work what it is said to prove.
_FIGURE_REACH = 12
_PROOF_REACH = 8
_OURS = frozenset(("our", "my", "we", "i"))
# Before the name of a customer.
_INTRODUCING = frozenset(("as", "like", "including", "customer", "customers", "at", "by", "from"))
_READER = frozenset(("you", "your"))


def testimonial_as_result(article: Article, rule: Rule) -> Iterator[Finding]:
    """Results of a vendor's customers told as general facts: registered ones, and what the text shows to be such.

    It has no options.
    """
    promised = _Promises(article)
    for binding in article.bindings:
        statement = binding.statement
        if not asserted(article, statement) or _is_own(article, statement):
            continue
        claims = _customer_claims(article, binding) or promised.claims(binding)
        if claims:
            told = not _told_as_theirs(article, statement.sentence, claims)
        else:
            told = told_of_customers(article, binding)
        if told:
            figure = statement.figure
            yield finding(
                rule,
                figure.start,
                figure.end,
                claims,
                figure=article.words(figure.start, figure.end),
                whose=f"what {_reporters(article, claims)} reported" if claims else "what customers are said to get",
                claim=f", {claim_text(article, claims[0])}" if claims else "",
            )


def told_of_customers(article: Article, binding: Binding) -> bool:
    """Whether a figure that the registry does not have is told as what customers in general get."""
    statement = binding.statement
    if binding.status != UNKNOWN or statement.figure.kind not in RELATIVE or not statement.compares:
        return False
    if article.is_result(statement) or not _of_a_product(statement):
        return False
    return _proved(article, statement) or (
        not article.sourcing.sourced(statement.sentence)
        and not _named_customers(article, statement.sentence)
        and _gained(article, statement)
    )


def _customer_claims(article: Article, binding: Binding) -> list[Claim]:
    """The claims of a bound figure, if customers reported all of them, and the words are about what they reported."""
    sources, statement = article.registry.sources, binding.statement
    if binding.status != BOUND or not all(sources[claim.source].kind == CUSTOMER for claim in binding.claims):
        return []
    if statement.metric_named or statement.sentence.has("customer"):
        return binding.claims
    compared = (claim.compare_to for claim in binding.claims)
    return binding.claims if _says_name(article, statement.sentence, {*compared} - {""}) else []


def _is_own(article: Article, statement: Statement) -> bool:
    """Whether a figure is the writer's own; "a case study shows" is the writer's only where it says so."""
    return article.sourcing.is_own(statement.sentence) and not _proved(article, statement)


class _Promises:
    """Customers' registered results promised to the reader without a product's name: "your bill is up to 50% lower"."""

    def __init__(self, article: Article) -> None:
        self.article = article
        self._registered: list[Claim] | None = None

    def claims(self, binding: Binding) -> list[Claim]:
        """The claims whose metric, value and qualifier a figure of no product repeats to the reader."""
        statement = binding.statement
        if binding.status != UNKNOWN or not statement.compares or not statement.metric_named:
            return []
        if statement.subject.mention is not None or not self._to_reader(statement.sentence):
            return []
        said = said_effects(statement.figure)
        return [claim for claim in self._all() if self._repeats(statement, said, claim)]

    def _to_reader(self, sentence: Sentence) -> bool:
        """Whether a sentence speaks to the reader and rests on no source."""
        words = self.article.tokens.words[sentence.first : sentence.last]
        return not _READER.isdisjoint(words) and not self.article.sourcing.sourced(sentence)

    def _repeats(self, statement: Statement, said: list[Interval], claim: Claim) -> bool:
        return (
            claim.figure is not None
            and claim.metric == statement.metrics[0]
            and claim.bound == statement.figure.qualifier
            and same_effect(said, claim.figure)
            and self._same_comparand(statement.sentence, claim)
        )

    def _same_comparand(self, sentence: Sentence, claim: Claim) -> bool:
        """Whether a sentence compares with what a claim does, or names what it compares with no better."""
        if claim.compare_to == UNSTATED:
            return sentence.has("unnamed-comparand")
        return _says_name(self.article, sentence, {claim.compare_to})

    def _all(self) -> list[Claim]:
        """All claims of customers in the registry, gathered when the first promise asks for them."""
        if self._registered is None:
            registry = self.article.registry
            customers = {source.id for source in registry.sources.values() if source.kind == CUSTOMER}
            self._registered = list(registry.claims_from(customers))
        return self._registered


def _told_as_theirs(article: Article, sentence: Sentence, claims: list[Claim]) -> bool:
    """Whether a text tells registered results of customers as what those customers report."""
    names = {article.registry.sources[claim.source].reporter for claim in claims} - {""}
    named = {name for name in names if name[:1].isupper()}
    if _proves(article, sentence, named):
        return False
    if any(_names_claimant(article, each, named) for each in around(article, sentence)):
        return True
    if _says_name(article, sentence, named) or _named_customers(article, sentence):
        return True
    return article.sourcing.sourced(sentence) and (sentence.has("customer") or sentence.has("customer-claim"))


def _proves(article: Article, sentence: Sentence, named: set[str]) -> bool:
    """As in "Decart's deployment shows that ...": one customer's work, and a verb that makes it a proof."""
    verbs = sentence.of_kind("proof-verb")
    works = [mark.start for mark in sentence.of_kind("customer-work")]
    works += [mark.start for mark in sentence.of_kind("customer")]
    prose = article.document.prose
    works += [at for name in named if (at := prose.find(name, sentence.start, sentence.end)) >= 0]
    return any(start < verb.start for start in works for verb in verbs)


def _names_claimant(article: Article, sentence: Sentence, named: set[str]) -> bool:
    """As in "Those are customer claims", "The claim is Decart's": a sentence that says whose claims stand beside it."""
    if sentence.has("customer-claim"):
        return True
    return _says_name(article, sentence, named) and (sentence.has("figure-noun") or sentence.has("reporting-verb"))


def _says_name(article: Article, sentence: Sentence, named: set[str]) -> bool:
    return any(article.document.prose.find(name, sentence.start, sentence.end) >= 0 for name in named)


def _named_customers(article: Article, sentence: Sentence) -> bool:
    """As in "customers such as Ricoh", "Ricoh and Karakuri report": organisations that are said to have the result."""
    words = article.tokens.words
    verbs = {mark.first for kind in ("gain-verb", "reporting-verb") for mark in sentence.of_kind(kind)}
    taken = {mark.first for kind in ("product", "product-line", "source") for mark in sentence.of_kind(kind)}
    for name in article.sourcing.own(sentence).organisations:
        if name.vendor or name.first in taken:
            continue
        if words[name.first - 1] in _INTRODUCING and name.first > sentence.first:
            return True
        if name.last < sentence.last and (name.last in verbs or words[name.last].endswith("ed")):
            return True
    return False


def _gained(article: Article, statement: Statement) -> bool:
    """As in "customers save up to 50%", "it saves customers 50%"; or a label "Customer savings" of the figure."""
    sentence, at = statement.sentence, article.tokens.first_from(statement.figure.start)
    if any(label.has("customer-label") for label in article.labels(sentence)):
        return True
    people = sentence.of_kind("customer")
    return any(
        _precedes(one, verb, _VERB_REACH) and verb.last <= at < verb.last + _FIGURE_REACH
        for one in people
        for verb in sentence.of_kind("gain-verb")
    ) or any(
        _precedes(verb, one, _GIVING_REACH) and one.last <= at < one.last + _FIGURE_REACH
        for one in people
        for verb in sentence.of_kind("giving-verb")
    )


def _precedes(one: Mark, other: Mark, reach: int) -> bool:
    """Whether a phrase stands at most so many words before another."""
    return 0 <= other.first - one.last <= reach


def _proved(article: Article, statement: Statement) -> bool:
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


def _of_a_product(statement: Statement) -> bool:
    """Whether a figure is told of a product, a line of them or a vendor."""
    sentence = statement.sentence
    return statement.subject.mention is not None or bool(statement.lines) or sentence.has("vendor")


def _reporters(article: Article, claims: list[Claim]) -> str:
    """Who reported what the claims hold, in words."""
    names = dict.fromkeys(article.registry.sources[claim.source].reporter for claim in claims)
    return " and ".join(name for name in names if name) or "customers"
