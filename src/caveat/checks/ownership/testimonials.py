"""Whether what a vendor's customers report is told as that."""

from __future__ import annotations

from collections.abc import Iterator

from caveat.article import Article
from caveat.binding.bind import BOUND, CONTRADICTS, UNKNOWN, Binding
from caveat.checks.common import asserted, claim_text, figure_finding, other_way_round
from caveat.checks.ownership.customers import (
    a_story_tells,
    denied,
    in_story,
    named_customers,
    proved,
    quoted_of_others,
    some_report,
    told_of_customers,
)
from caveat.checks.surroundings import around
from caveat.figures.agreement import inverse, said_effects, same_effect
from caveat.figures.figure import RELATIVE
from caveat.finding import Finding
from caveat.reading.sentences import Sentence
from caveat.reading.statements import Statement
from caveat.registry.registry import UNSTATED, Claim
from caveat.rulebook.rules import Rule

# The kind of a source in which a vendor publishes what a customer reports.
CUSTOMER = "customer-via-vendor"

# Before customers whose results are the writer's, or nobody's.
_OURS_OR_NONE = frozenset(("our", "my", "no"))
# A metric of which a result may be told as one of the other.
_KIN = {"price": "cost", "token-throughput": "performance", "compute": "performance"}
_READER = frozenset(("you", "your"))


def testimonial_as_result(article: Article, rule: Rule) -> Iterator[Finding]:
    """Results of a vendor's customers told as general facts: registered ones, and what the text shows to be such.

    It has no options.
    """
    testimonials = Testimonials(article)
    for binding in article.bindings:
        claims = testimonials.told_by(binding)
        if claims is None:
            continue
        figure = binding.statement.figure
        yield figure_finding(
            article,
            rule,
            figure,
            claims,
            whose=f"what {_reporters(article, claims)} reported" if claims else "what customers are said to get",
            claim=f", {claim_text(article, claims[0])}" if claims else "",
        )


class Testimonials:
    """Which figures of a draft are results of customers that it tells as general facts."""

    def __init__(self, article: Article) -> None:
        self.article = article
        self._registered: list[Claim] | None = None

    def told_by(self, binding: Binding) -> list[Claim] | None:
        """The claims of customers that a figure tells as a general fact, none if the text alone shows it, else None."""
        article, statement = self.article, binding.statement
        if statement.figure.kind not in RELATIVE or article.is_result(statement):
            return None
        claims = self._bound(binding) or self._repeated(binding)
        told = _told_in_general(article, statement, claims) if claims else told_of_customers(article, binding)
        if not told or not asserted(article, statement) or (claims and _is_own(article, statement)):
            return None
        if denied(article, statement) or quoted_of_others(article, statement):
            return None
        return claims

    def _bound(self, binding: Binding) -> list[Claim]:
        """The claims of a bound figure, if customers reported all of them, and the words are about what they report."""
        sources, statement = self.article.registry.sources, binding.statement
        if binding.status != BOUND or not all(sources[claim.source].kind == CUSTOMER for claim in binding.claims):
            return []
        about = statement.metric_named or statement.sentence.has("customer")
        return [c for c in binding.claims if about or self._same_comparand(statement.sentence, c)]

    def _repeated(self, binding: Binding) -> list[Claim]:
        """The claims that an unbound figure repeats in value, qualifier and what it is compared with."""
        statement = binding.statement
        if binding.status == CONTRADICTS:
            return self._turned(statement, binding.claims)
        if binding.status != UNKNOWN:
            return []
        turned = self._turned(statement, self._all())
        if turned:
            return turned
        claims = [c for c in self._all() if self._same_comparand(statement.sentence, c) and self._about(statement, c)]
        said = said_effects(statement.figure) if claims else []
        return [c for c in claims if c.bound == statement.figure.qualifier and c.figure and same_effect(said, c.figure)]

    def _turned(self, statement: Statement, claims: list[Claim]) -> list[Claim]:
        """The claims that a figure repeats the other way round: "on GPUs it costs twice what it does on Trainium3"."""
        turned = [c for c in claims if self._by_customer(c) and other_way_round(self.article, statement, c)]
        said = said_effects(statement.figure) if turned else []
        both = said + [inverse(each) for each in said if each.low > 0]
        return [c for c in turned if c.figure and same_effect(both, c.figure)]

    def _by_customer(self, claim: Claim) -> bool:
        return self.article.registry.sources[claim.source].kind == CUSTOMER

    def _same_comparand(self, sentence: Sentence, claim: Claim) -> bool:
        """Whether a sentence compares with what a claim does, or names what it compares with no better."""
        if claim.compare_to == UNSTATED:
            return sentence.has("unnamed-comparand")
        return _says_name(self.article, sentence, {claim.compare_to, claim.compare_to.removesuffix("s")})

    def _about(self, statement: Statement, claim: Claim) -> bool:
        """Whether a figure is of a claim's metric and product, or promised to the reader without any product."""
        if statement.metric_named and claim.metric not in (statement.metrics[0], _KIN.get(statement.metrics[0])):
            return False
        name = self.article.registry.products[claim.product].name
        if claim.product == statement.product or any(name.startswith(line) for line in self._lines(statement)):
            return True
        return statement.subject.mention is None and statement.metric_named and self._to_reader(statement.sentence)

    def _lines(self, statement: Statement) -> list[str]:
        return statement.lines or [mark.value for mark in statement.sentence.of_kind("product-line")]

    def _to_reader(self, sentence: Sentence) -> bool:
        """Whether a sentence speaks to the reader and rests on no source."""
        words = self.article.tokens.words[sentence.first : sentence.last]
        return not _READER.isdisjoint(words) and not self.article.sourcing.sourced(sentence)

    def _all(self) -> list[Claim]:
        """All claims of customers in the registry, gathered when the first figure asks for them."""
        if self._registered is None:
            registry = self.article.registry
            customers = {source.id for source in registry.sources.values() if source.kind == CUSTOMER}
            self._registered = list(registry.claims_from(customers)) if customers else []
        return self._registered


def _is_own(article: Article, statement: Statement) -> bool:
    """Whether a figure is the writer's own; "a case study shows" is the writer's only where it says so."""
    return article.sourcing.is_own(statement.sentence) and not proved(article, statement)


def _told_in_general(article: Article, statement: Statement, claims: list[Claim]) -> bool:
    """Whether a text tells registered results of customers as true of all, and not of its own customers or of none."""
    sentence, words = statement.sentence, article.tokens.words
    theirs = (*sentence.of_kind("customer"), *sentence.of_kind("customer-work"))
    if any(not _OURS_OR_NONE.isdisjoint(words[max(sentence.first, m.first - 2) : m.first]) for m in theirs):
        return False
    return not _told_as_theirs(article, sentence, claims)


def _told_as_theirs(article: Article, sentence: Sentence, claims: list[Claim]) -> bool:
    """Whether a text tells registered results of customers as what those customers report."""
    names = {article.registry.sources[claim.source].reporter for claim in claims} - {""}
    named = {name for name in names if name[:1].isupper()}
    if _proves(article, sentence, named):
        return False
    if _leads_to_a_post(article, sentence, named):
        return False
    if any(_names_claimant(article, each, named) for each in around(article, sentence)):
        return True
    if _credits(article, sentence, named) or named_customers(article, sentence) or some_report(article, sentence):
        return True
    if a_story_tells(sentence):
        return True
    people = any(not in_story(sentence, mark) for mark in sentence.of_kind("customer"))
    return article.sourcing.sourced(sentence) and (people or sentence.has("customer-claim"))


def _proves(article: Article, sentence: Sentence, named: set[str]) -> bool:
    """As in "Decart's deployment shows that ...": one customer's work, and a verb that makes it a proof."""
    verbs = sentence.of_kind("proof-verb")
    works = [mark.start for mark in sentence.of_kind("customer-work")]
    works += [mark.start for mark in sentence.of_kind("customer")]
    prose = article.document.prose
    works += [at for name in named if (at := prose.find(name, sentence.start, sentence.end)) >= 0]
    return any(start < verb.start for start in works for verb in verbs)


def _names_claimant(article: Article, sentence: Sentence, named: set[str]) -> bool:
    """As in "Those are customer claims", "The claim is Decart's": a sentence that says whose claims stand beside it.

    "Customers report savings of 50%" says it of a figure of its own.
    """
    if sentence.has("customer-claim") and not sentence.figures:
        return True
    return _credits(article, sentence, named) and (sentence.has("figure-noun") or sentence.has("reporting-verb"))


def _credits(article: Article, sentence: Sentence, named: set[str]) -> bool:
    """Whether a sentence names a customer, and not only as what a page is about: "per AWS's page on Decart"."""
    documents, words = {mark.last for mark in sentence.of_kind("document-noun")}, article.tokens.words
    stories = documents | {mark.last for mark in sentence.of_kind("story")}
    for name in named:
        start = article.document.prose.find(name, sentence.start, sentence.end)
        at = article.tokens.first_from(start) if start >= 0 else -1
        if at >= 0 and not (words[at - 1] in ("on", "about") and at - 1 in stories):
            return True
    return False


def _leads_to_a_post(article: Article, sentence: Sentence, named: set[str]) -> bool:
    """As in "It halves the cost; Decart's post has the details": all that names the customer says where to read on."""
    block = article.subjects.of_block(sentence.block)
    near = [s for s in block[max(0, sentence.place - 1) : sentence.place + 2] if _says_name(article, s, named)]
    if not near or any(s.index < sentence.index or (s is not sentence and s.figures) for s in near):
        return False
    words, prose, told = article.tokens.words, article.document.prose, near[-1]
    behind = max((f.end for f in sentence.figures), default=sentence.start) if told is sentence else told.start
    posts = {mark.first for kind in ("document-noun", "story") for mark in told.of_kind(kind)}
    for name in named:
        start = prose.find(name, sentence.start if told is sentence else told.start, told.end)
        if start < 0:
            continue
        at = article.tokens.first_from(start + len(name))
        clause = told is not sentence or any(w in (";", ":") for w in words[article.tokens.first_from(behind) : at])
        if start < behind or not clause or words[at : at + 1] != ["'s"] or at + 1 not in posts:
            return False
    return True


def _says_name(article: Article, sentence: Sentence, named: set[str]) -> bool:
    return any(article.document.prose.find(name, sentence.start, sentence.end) >= 0 for name in named)


def _reporters(article: Article, claims: list[Claim]) -> str:
    """Who reported what the claims hold, in words."""
    names = dict.fromkeys(article.registry.sources[claim.source].reporter for claim in claims)
    return " and ".join(name for name in names if name) or "customers"
