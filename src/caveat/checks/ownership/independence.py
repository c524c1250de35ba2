"""Whether a vendor's comparison of its own product is told as its own."""

from __future__ import annotations

from collections.abc import Iterator

from caveat.article import Article
from caveat.binding.bind import BOUND, Binding
from caveat.checks.common import claim_text, finding
from caveat.finding import Finding
from caveat.language.phrases import Mark
from caveat.reading.sentences import Sentence
from caveat.rulebook.rules import Rule

# How many sentences before "by the same article" may tell which one it is.
_BEFORE = 2


def self_comparison(article: Article, rule: Rule) -> Iterator[Finding]:
    """A vendor's comparison of its own product, not attributed to it, or dressed in words of independence.

    Words of independence take the finding, once, if there are any; else the ratio does (GUIDE, ruling 2).
    """
    dressed: set[int] = set()
    for sentence in article.sentences:
        mark = _independence(article, sentence)
        if mark is None:
            continue
        near = _near(article, sentence)
        vendor = _own_result(article, sentence, near)
        if vendor:
            dressed.update(each.index for each in near)
            yield _finding(article, rule, mark.start, mark.end, vendor, None)
    for binding in article.bindings:
        figure, sentence = binding.statement.figure, binding.statement.sentence
        if figure.start in article.recomputed or article.sourcing.points_at_own(sentence):
            continue  # the text's own arithmetic, on figures that it prints
        if sentence.index in dressed or not _told_flat(article, binding):
            continue
        vendor = article.registry.products[binding.claims[0].product].vendor
        yield _finding(article, rule, figure.start, figure.end, vendor, binding)


def _finding(article: Article, rule: Rule, start: int, end: int, vendor: str, binding: Binding | None) -> Finding:
    claims = binding.claims if binding else []
    known = article.registry.vendors.get(vendor)
    return finding(
        rule,
        start,
        end,
        claims,
        words=article.told(start, end),
        vendor=known.name if known else vendor,
        claim=claim_text(article, claims[0]) if claims else "",
    )


def _independence(article: Article, sentence: Sentence) -> Mark | None:
    """The words of independence of a sentence that asserts them."""
    marks = sentence.of_kind("independence")
    if sentence.has("results-body"):
        return None  # results that a body of others checks and publishes
    if not marks or article.stances.silences(sentence):
        return None
    return next((mark for mark in marks if not _denied(article, sentence, mark)), None)


def _denied(article: Article, sentence: Sentence, mark: Mark) -> bool:
    """As in "not independent tests", "no independent benchmark": the independence is denied."""
    words, at = article.tokens.words, article.tokens.first_from(mark.start)
    return any(word in _DENIALS for word in words[max(sentence.first, at - 5) : at])


_DENIALS = frozenset(
    (
        "not",
        "no",
        "never",
        "without",
        "nor",
        "lack",
        "lacks",
        "t",
        "neither",
        "any",
        "find",
        "until",
        "none",
        "nothing",
        "nobody",
    )
)


def _near(article: Article, sentence: Sentence) -> list[Sentence]:
    """A sentence, the ones before and after it, which its words of independence may be about."""
    around = (sentence.index, sentence.index - 1, sentence.index + 1)
    found = [article.sentences[at] for at in around if 0 <= at < len(article.sentences)]
    return [each for each in found if each.block == sentence.block]


def _own_result(article: Article, sentence: Sentence, near: list[Sentence]) -> str:
    """The vendor whose own result the sentence, or one beside it, tells; "" if they tell none."""
    for each in near:
        for statement in article.statements_of(each):
            binding = article.binding_of(statement)
            if binding.status == BOUND and binding.claims[0].self_published:
                return article.registry.products[binding.claims[0].product].vendor
    for each in near:
        both = _tellers(article, each, named_only=each is not sentence)
        if both and any(s.figure.kind in ("ratio", "percent") for s in article.statements_of(each)):
            return both[0]
    return _whose_people(article, sentence)


def _whose_people(article: Article, sentence: Sentence) -> str:
    """As in "objective tests, run by Cerebras engineers, put it at 20x": whose own people made a comparison."""
    if not any(s.figure.kind in ("ratio", "percent") for s in article.statements_of(sentence)):
        return ""
    words, tokens = article.tokens.words, article.tokens
    staff = {mark.first for mark in sentence.of_kind("own-staff")}
    for name in article.sourcing.own(sentence).names:
        behind = name.last + (words[name.last : name.last + 1] in (["'s"], ["'"]))
        if words[name.first - 1] == "by" and behind in staff:
            return article.words(tokens.starts[name.first], tokens.ends[name.last - 1])
    return ""


def _tellers(article: Article, sentence: Sentence, *, named_only: bool) -> list[str]:
    """The vendors that a sentence has a result from, those of its products first; only those if `named_only`."""
    evidence, words = article.sourcing.own(sentence), article.tokens.words
    own = article.sourcing.vendors(sentence)
    own |= {n.vendor for n in evidence.names if n.vendor and words[n.first - 1] in ("by", "from")}
    about = {m.vendor for m in article.subjects.mentions(sentence) if m.vendor}
    return sorted(own & about or (set() if named_only else own))


def _told_flat(article: Article, binding: Binding) -> bool:
    """Whether a statement repeats a vendor's own comparison and says nowhere that it is the vendor's."""
    statement = binding.statement
    if binding.status != BOUND or statement.figure.kind not in ("ratio", "percent"):
        return False
    if article.stances.silences(statement.sentence) or article.stances.rejects(statement.sentence, statement.figure):
        return False
    claims = [claim for claim in binding.claims if claim.compare_to and claim.self_published]
    if len(claims) < len(binding.claims) or article.sourcing.is_own(statement.sentence):
        return False
    if any(claim.basis.get("kind") == "target" for claim in claims):
        return False
    if any(article.registry.sources[claim.source].kind == "customer-via-vendor" for claim in claims):
        return False
    vendor = article.registry.products[claims[0].product].vendor
    evidence = article.sourcing.of(statement.sentence)
    named = any(name.vendor == vendor for e in evidence for name in e.names) and any(e.named for e in evidence)
    if named or vendor in article.sourcing.vendors(statement.sentence):
        return False
    return not _by_its_own_account(article, statement.sentence, vendor)


def _by_its_own_account(article: Article, sentence: Sentence, vendor: str) -> bool:
    """As in "AWS thinks big. By its own account ...": a pronoun for the vendor that the paragraph speaks of.

    "By the same article" means the one that the sentence before rests on, even in the paragraph above.
    """
    words, block = article.tokens.words, article.subjects.of_block(sentence.block)
    owned = any(
        words[noun.first - 2 : noun.first] == ["its", "own"]
        or (words[noun.first - 1] == "its" and words[noun.first - 2] in ("by", "in", "on"))
        for kind in ("figure-noun", "document-noun")
        for noun in sentence.of_kind(kind)
    )
    if owned and any(mark.value == vendor for s in block[: sentence.place] for mark in s.of_kind("vendor")):
        return True
    again = any(
        words[noun.first - 1] in ("that", "this") or words[noun.first - 2 : noun.first] == ["the", "same"]
        for noun in sentence.of_kind("document-noun")
    )
    if not again:
        return False
    above = article.subjects.of_block(sentence.block - 1)[-1:] if sentence.block else []
    told = [*above, *block[: sentence.place]][-_BEFORE:]
    return any(vendor in {*article.sourcing.vendors(s), *(m.value for m in s.of_kind("vendor"))} for s in told)
