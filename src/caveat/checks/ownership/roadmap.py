"""Whether figures of what cannot be had yet are told as those of a product."""

from __future__ import annotations

from collections.abc import Iterator

from caveat.article import Article
from caveat.binding.bind import BOUND, Binding
from caveat.checks.common import asserted, claim_text, figure_finding
from caveat.checks.surroundings import around, neighbours
from caveat.figures.figure import Figure
from caveat.finding import Finding
from caveat.language.phrases import Mark
from caveat.reading.mentions import Mention
from caveat.reading.sentences import Sentence
from caveat.reading.statements import Statement
from caveat.reading.subjects import STRONG
from caveat.registry.registry import Claim
from caveat.rulebook.rules import Rule

# How far before a figure the verb may stand that tells it, in words.
_VERB_REACH = 14
# How far behind "upcoming" the name of what is to come may stand, in words.
_NAME_REACH = 3
# "The chip", "it": what the sentence before is about; how far behind such a word the verb may stand.
_BACK = frozenset(("it", "the", "this", "that", "each", "every"))
# What a sentence opens with that speaks of the product of the one before.
_PRONOUNS = frozenset(("it", "they", "both"))
# How many words at least stand behind "roadmap" in "dates it to 2027".
_ROAD_REACH = 4
_PAIR = 2
# How many sentences below a heading may date what it offers.
_BELOW = 2
_ROADMAPS = frozenset(("roadmap", "roadmaps", "timeline", "calendar"))
# What a sentence opens with that holds on a condition: "If AWS keeps its word, Trainium4 ...".
_CONDITIONS = frozenset(("if", "once", "should", "provided", "assuming", "unless"))
_OBJECTS = frozenset(("it", "them", "both"))
# What a column "Available" has for what cannot be had.
_NO = frozenset(("no", "not", "none", "never", "tba", "tbd", "✗", "✘", "❌", "–", "—", "-"))
# "With 432 GB the MI450 holds ...": before a figure that is told ahead of its product.
_OPENING = frozenset(("with", "at", "packing", "boasting"))
# Words that turn a sentence under a heading "Coming in 2027" to what there is today.
_TODAY = frozenset(("until", "today", "now", "meanwhile", "currently", "before", "still", "predecessor"))
_BACK_REACH = 4
_IT_REACH = 16
# How far behind "plans" its date may stand, in words.
_PLAN_REACH = 8
# Words that lead up to a date, how far behind them it may stand, and words for one.
_DATE_LEADS = frozenset(
    (
        *("in", "by", "late", "early", "next", "this", "for", "mid", "at", "around", "from", "to"),
        *("before", "until", "than"),
    )
)
_DATE_REACH = 6
_SEASONS = frozenset(
    (
        *(
            "half",
            "quarter",
            "year",
            "month",
            "months",
            "spring",
            "summer",
            "autumn",
            "fall",
            "winter",
            "decade",
            "generation",
        ),
        *("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november"),
        *("december", "q1", "q2", "q3", "q4", "h1", "h2", "1h", "2h", "years"),
    )
)
_DENIALS = frozenset(("not", "unlike", "than", "against", "before", "without"))
# "You will want the one that has 6x" plans what the reader does.
_READERS = frozenset(("you", "we", "i", "one", "they", "customers", "teams", "who", "people", "buyers"))
# "... 432 GB, so plan your sharding around it": before a verb that tells the reader what to do.
_PLANS = frozenset(("plan", "expect", "aim", "target"))
_ADVISING = frozenset(("so", "and", "to", "you", "then"))


def target_as_shipping(article: Article, rule: Rule) -> Iterator[Finding]:
    """Figures of design targets and of products to come, told as if they could be had.

    Options: `statuses` of claims and products, and `kinds` of claims, that make a figure a target; `figures`, the kinds
    of figures that are looked at where no claim says so, but the text says that the product is to come.
    """
    for binding in article.bindings:
        statement = binding.statement
        if statement.figure.start in article.recomputed:
            continue  # the text's own arithmetic on a target
        if not asserted(article, statement) or article.sourcing.is_own(statement.sentence):
            continue
        claims = _targets(article, binding, rule)
        if claims is None:
            told = statement.figure.kind in rule.options["figures"] and _told_of_a_product_to_come(article, binding)
        else:
            told = _told_as_shipping(article, statement)
        if told:
            figure = statement.figure
            source = claim_text(article, claims[0]) if claims else ""
            yield figure_finding(
                article,
                rule,
                figure,
                claims,
                why=f"the registry has it as a target, {source}" if source else "the product is still to come",
            )


def _targets(article: Article, binding: Binding, rule: Rule) -> list[Claim] | None:
    """The claims that make a figure a target; none for another figure of such a product; None if it is no target."""
    statuses, kinds = rule.options["statuses"], rule.options["kinds"]
    products = article.registry.products
    if binding.status == BOUND:
        claims = _about_named(article, binding)
        targets = all(
            claim.status in statuses or claim.basis.get("kind") in kinds or products[claim.product].status in statuses
            for claim in claims
        )
        return claims if targets else None
    subject, sentence = binding.statement.subject, binding.statement.sentence
    known = products.get(subject.product)
    in_table = article.document.blocks[sentence.block].table >= 0
    if known is None or known.status not in statuses or (subject.hold != STRONG and not in_table):
        return None
    return []


def _about_named(article: Article, binding: Binding) -> list[Claim]:
    """The claims of a figure whose product its sentence or labels name; all of them if that leaves none or all."""
    sentence = binding.statement.sentence
    if len(binding.claims) == 1:
        return binding.claims
    near = [sentence, *article.labels(sentence)]
    named = {mention.product for each in near for mention in article.subjects.mentions(each)}
    return [claim for claim in binding.claims if claim.product in named] or binding.claims


# What the registry has as a target.


def _told_as_shipping(article: Article, statement: Statement) -> bool:
    """Whether nothing near a target says that it is one."""
    sentence, figure = statement.sentence, statement.figure
    if _aims(article, sentence, figure) or _supposed(article, statement):
        return False
    verb = _verb(article, statement)
    if verb is not None and _is_infinitive(article, verb):
        return False
    coming = sentence.of_kind("future-product")
    if coming and (verb is None or any(verb.start < mark.start < figure.start for mark in coming)):
        return False
    return not _marked_around(article, sentence, told=verb is not None)


def _marked_around(article: Article, sentence: Sentence, *, told: bool) -> bool:
    """Whether what stands around a sentence says that its figures are targets.

    Where a verb tells the figure in the present tense (`told`), it is not enough that the product is to come.
    """
    table = article.document.blocks[sentence.block].table >= 0
    near = around(article, sentence)
    if table and any(_available(each) for each in article.labels(sentence)):
        near = article.labels(sentence)  # a column "Status" says more than a caption
    if any(_aims(article, each) for each in near) or (table and _denied_in_row(article, sentence)):
        return True
    if _available(sentence) or told:
        return False
    heading = article.subjects.heading_of(sentence.block)
    above = article.subjects.of_block(heading) if heading >= 0 else []
    if any(each.has("future-product") or _aims(article, each) for each in near):
        return True
    return any(
        each.has("future-product") or (_aims(article, each) and not _of_own_plan(article, each)) for each in above
    )


def _of_own_plan(article: Article, heading: Sentence) -> bool:
    """As in the heading "Capacity plan, second quarter": what the writer plans, and no product's target."""
    words = article.tokens.words
    aims = heading.of_kind("target-word")
    plans = [m for m in aims if words[m.first] in ("plan", "plans", "planning") and words[m.first - 1].isalpha()]
    return len(plans) == len(aims) and all(m.first > heading.first for m in plans) and not _products(article, heading)


def _denied_in_row(article: Article, sentence: Sentence) -> bool:
    """Whether the row of a cell says "no" in a column "Available"."""
    document = article.document
    table = document.tables[document.blocks[sentence.block].table]
    for each in article.labels(sentence):
        column = document.blocks[each.block].column
        header = article.cell(table.rows[0][column]) if column < len(table.rows[0]) else None
        if header is not None and _available(header) and article.tokens.words[each.first] in _NO:
            return True
    return False


def _available(sentence: Sentence) -> bool:
    """Whether a sentence says that something can be had now: "shipping" does, "not yet shipping" does not."""
    coming = sentence.of_kind("future-product")
    return any(
        not any(other.first <= mark.first < other.last for other in coming)
        for mark in sentence.of_kind("available-word")
    )


# What the text itself says to be still to come.


def _told_of_a_product_to_come(article: Article, binding: Binding) -> bool:
    """As in "The rack, due next year, carries 31 TB": the text says that it is to come, and tells it in the present."""
    statement = binding.statement
    sentence, figure = statement.sentence, statement.figure
    if binding.status == BOUND or (figure.kind == "percent" and not statement.compares):
        return False
    if _aims(article, sentence, figure) or _supposed(article, statement):
        return False
    if article.document.blocks[sentence.block].table >= 0 or _offered_early(article, sentence):
        return _offered_early(article, sentence)
    if article.document.blocks[sentence.block].kind == "heading" and _available(sentence):
        return any(_dated_by_roadmap(article, each) for each in article.subjects.of_block(sentence.block + 1)[:_BELOW])
    verb = _verb(article, statement) or _verb_behind(article, statement)
    if verb is None or _is_infinitive(article, verb) or _available(sentence):
        return False
    near = (each for each in neighbours(article, sentence) if _aims(article, each))
    if not all(_planned_for(article, each) or _dated_by_roadmap(article, each) for each in near):
        return False
    return (
        _refers_back(article, sentence, verb)
        or _said_to_be_due(article, sentence, verb)
        or _due_behind(article, statement, verb)
        or _under_a_date(article, statement, verb)
    )


def _said_to_be_due(article: Article, sentence: Sentence, verb: Mark) -> bool:
    """Whether the sentence itself says, before a verb, that what the verb tells of is to come."""
    return any(
        _is_what_the_verb_tells(article, sentence, mark, verb)
        for mark in sentence.of_kind("future-product")
        if mark.end <= verb.start and _dated(article, sentence, mark)
    )


def _offered_early(article: Article, sentence: Sentence) -> bool:
    """As in a row "MI450, due late 2026" under "What you can order today": offered, and still to come."""
    document = article.document
    block = document.blocks[sentence.block]
    of_block = article.subjects.of_block
    if block.table >= 0:
        table = document.tables[block.table]
        own, above = of_block(table.rows[block.row][0]), table.before
        if block.row and any(_offers(article, s) for at in table.rows[0][:1] if at >= 0 for s in of_block(at)):
            return any(_is_due(article, each) for each in own)
    elif block.item >= 0:
        own, above = [sentence], document.lists[document.items[block.item].list].lead_in
    else:
        return False
    places = [at for at in (above, article.subjects.heading_of(sentence.block)) if at >= 0]
    return any(_is_due(article, each) for each in own) and any(
        _offers(article, s) for at in places for s in of_block(at)
    )


def _offers(article: Article, sentence: Sentence) -> bool:
    """Whether a sentence offers what stands under it, all of it and now."""
    return sentence.has("offer-word") and not (
        sentence.has("negation") or sentence.has("future-product") or article.stances.silences(sentence)
    )


def _is_due(article: Article, sentence: Sentence) -> bool:
    """Whether a sentence says when something is to come, and not that it can be had."""
    return not _available(sentence) and any(
        mark.value == "due" and _dated(article, sentence, mark) for mark in sentence.of_kind("future-product")
    )


def _due_behind(article: Article, statement: Statement, verb: Mark) -> bool:
    """As in "The MI450 carries 432 GB and ships in 2027", "... It is due in 2027.": what is behind says when."""
    sentence, words = statement.sentence, article.tokens.words
    if not _to_come(article, statement, verb):
        return False
    for mark in sentence.of_kind("future-product"):
        linked = words[mark.first - 1] == "and" or words[mark.first - 2 : mark.first] == ["and", "is"]
        if linked and mark.value == "due" and mark.start > statement.figure.end and _dated(article, sentence, mark):
            return True
    return sentence.index + 1 < len(article.sentences) and _opens_with_a_date(article, sentence)


def _opens_with_a_date(article: Article, sentence: Sentence) -> bool:
    """Whether the sentence behind one says of what that one tells when it is to come."""
    behind = article.sentences[sentence.index + 1]
    if behind.block != sentence.block or behind.figures or _products(article, behind):
        return False
    if _dated_by_roadmap(article, behind):
        return True
    if not _is_due(article, behind):
        return False
    words = article.tokens.words[behind.first : behind.last]
    of_the_part = words[0] in ("the", "this") and any(m.first == behind.first + 1 for m in behind.of_kind("scope"))
    opens = any(mark.first == behind.first for mark in behind.of_kind("future-product"))
    return opens or of_the_part or words[0] in _PRONOUNS


def _dated_by_roadmap(article: Article, sentence: Sentence) -> bool:
    """As in "Its roadmap dates the part to 2027", "AMD's roadmap has it in 2026": of what was told before.

    Likewise "It is from the roadmap slide, which dates the part to 2027".
    """
    words = article.tokens.words
    for at in (at for at in range(sentence.first, sentence.last - _ROAD_REACH) if words[at] in _ROADMAPS):
        aside = next((step for step in (2, 3) if words[at + step - 1 : at + step + 1] == [",", "which"]), 0)
        told = at + aside + _PAIR  # behind the verb
        end = told + 1 if words[told] in _OBJECTS else told + _PAIR if words[told] in ("the", "this") else 0
        if end and words[end] in ("to", "in", "at", "for"):
            return _dated(article, sentence, Mark(0, 0, "", "due", end, end + 1))
    return False


def _under_a_date(article: Article, statement: Statement, verb: Mark) -> bool:
    """As in "The MI450 carries 432 GB" under a heading "Coming in 2027"."""
    sentence = statement.sentence
    heading = article.subjects.heading_of(sentence.block)
    if heading < 0 or not _to_come(article, statement, verb):
        return False
    if not _TODAY.isdisjoint(article.tokens.words[sentence.first : sentence.last]):
        return False
    told = _words_of_names(article, sentence, verb.start)
    return any(
        _is_due(article, each)
        and not article.stances.silences(each)
        and _words_of_names(article, each, each.end) <= told
        for each in article.subjects.of_block(heading)
    )


def _to_come(article: Article, statement: Statement, verb: Mark) -> bool:
    """Whether the one thing named before a verb may be still to come: nothing that the registry has as shipping."""
    sentence = statement.sentence
    if any(mention.product for mention in _products(article, sentence) if mention.end <= verb.start):
        return False
    return len(_names_before(article, sentence, verb.start)) == 1


def _names_before(article: Article, sentence: Sentence, stop: int) -> set[tuple[str, ...]]:
    """The names before an offset, as their words: of no vendor or owner ("Qualcomm's"), and no part of a date."""
    first_from, words = article.tokens.first_from, article.tokens.words
    taken = {at for m in sentence.of_kind("future-product") for at in range(m.first, m.last)}
    taken |= {at for m in sentence.of_kind("vendor") for at in range(m.first, m.last)}
    names = [name for name in article.sourcing.own(sentence).names if not name.vendor]
    ranges = [(name.first, name.last) for name in names if words[name.last : name.last + 1] != ["'s"]]
    ranges += [(first_from(m.start), first_from(m.end)) for m in _products(article, sentence)]
    found = set()
    for first, last in ranges:
        if last <= first_from(stop) and taken.isdisjoint(range(first, last)):
            found.add(tuple(words[first:last]))
            taken.update(range(first, last))
    return found


def _words_of_names(article: Article, sentence: Sentence, stop: int) -> set[str]:
    return {word for name in _names_before(article, sentence, stop) for word in name}


def _refers_back(article: Article, sentence: Sentence, verb: Mark) -> bool:
    """As in "It holds 31 TB", behind a sentence that says of something with a name when it is due."""
    words = article.tokens.words[sentence.first : verb.first]
    reach = _IT_REACH if words[:1] == ["it"] else _BACK_REACH
    if not sentence.place or not words or words[0] not in _BACK or len(words) > reach:
        return False
    if any(mention.end <= verb.start for mention in _products(article, sentence)):
        return False
    before = article.sentences[sentence.index - 1]
    if _planned_for(article, before):
        return True
    return not _available(before) and any(
        mark.value == "due" and _dated(article, before, mark) and _is_of_one(article, before, mark)
        for mark in before.of_kind("future-product")
    )


def _planned_for(article: Article, sentence: Sentence) -> bool:
    """As in "Qualcomm plans the AI250 for early 2027": one product between a verb of planning and its date."""
    words = article.tokens.words
    for verb in sentence.of_kind("planning-verb"):
        near = range(verb.last + 1, min(sentence.last - 1, verb.last + _PLAN_REACH))
        at = next((at for at in near if words[at] in ("for", "in")), 0)
        starts = (article.tokens.starts[step] for step in range(verb.last, at))
        soon = words[at + 1 : at + 2]
        if at and soon and not (soon[0][:1].isdigit() or soon[0] in _DATE_LEADS or soon[0] in {"the", *_SEASONS}):
            continue  # "plans 768 GB for each card, its October announcement says"
        if at and any(article.document.prose[start].isupper() for start in starts) and not _available(sentence):
            return _dated(article, sentence, Mark(verb.start, verb.end, "", "due", at, at + 1))
    return False


def _is_of_one(article: Article, sentence: Sentence, mark: Mark) -> bool:
    """Whether something with a name is to come: "The MI450 is due in", "Nobody can buy the MI450 yet"."""
    return _named(article, sentence, mark) or len(_names_before(article, sentence, sentence.end)) == 1


def _dated(article: Article, sentence: Sentence, mark: Mark) -> bool:
    """Whether a phrase that leads up to a date ("due in") has one: "due in 30 days" has none."""
    words = article.tokens.words
    if words[mark.last - 1] not in _DATE_LEADS:
        return True
    behind = words[mark.last : min(sentence.last, mark.last + _DATE_REACH)]
    stop = mark.last + len(behind)
    years = (n for n in sentence.numbers if n.reading in ("year", "date", "time"))
    return not _SEASONS.isdisjoint(behind) or any(
        mark.last <= article.tokens.first_from(number.start) < stop for number in years
    )


def _is_what_the_verb_tells(article: Article, sentence: Sentence, mark: Mark, verb: Mark) -> bool:
    """Whether what is to come by a mark is the subject of a verb behind it."""
    words = article.tokens.words
    between = words[mark.last : verb.first]
    products = [m for m in _products(article, sentence) if mark.end <= m.start < verb.start]
    if ";" in between or ":" in between:
        return False
    if mark.value == "coming":  # "the upcoming MI450": its name follows
        close = [m for m in products if article.tokens.first_from(m.start) - mark.last <= _NAME_REACH]
        denied = not _DENIALS.isdisjoint(words[max(sentence.first, mark.first - 2) : mark.first])
        return not denied and len(products) == len(close) <= 1 and _named(article, sentence, verb)
    leads = sentence.of_kind("future-product")[0].first == sentence.first  # "Due next year, the Helios rack has ..."
    return mark.value == "due" and (leads or not products) and _named(article, sentence, verb if leads else mark)


def _named(article: Article, sentence: Sentence, before: Mark) -> bool:
    """Whether something has a name before a phrase: "AMD's Helios rack, due ..."."""
    starts = [article.tokens.starts[name.first] for name in article.sourcing.own(sentence).names]
    starts += [mention.start for mention in _products(article, sentence)]
    return any(start < before.start for start in starts)


def _products(article: Article, sentence: Sentence) -> list[Mention]:
    """The products that a sentence names; what begins with a small letter ("the second half") names none."""
    mentions = article.subjects.mentions(sentence)
    return [m for m in mentions if m.product or not article.document.prose[m.start].islower()]


# How a figure is told.


def _aims(article: Article, sentence: Sentence, figure: Figure | None = None) -> bool:
    """Whether words of a sentence make its figures, or that one, something to be reached: "will", "the target is".

    "Planned for 2027" says when a product comes; "planned for 4x", right before a figure, what it is to reach.
    """
    words = article.tokens.words
    dates = {
        at
        for mark in sentence.of_kind("future-product")
        if mark.value == "due"
        and (figure is None or mark.last != _first(article, figure))
        and _dated(article, sentence, mark)
        for at in range(mark.first, mark.last)
    }
    return any(
        mark.first not in dates
        and not (mark.value == "modal" and (words[mark.first - 1] in _READERS or _is_month(article, mark)))
        and not (words[mark.last - 1] in _PLANS and words[mark.first - 1] in _ADVISING)
        and (figure is not None or not _of_other_things(article, sentence, mark))
        for mark in sentence.of_kind("target-word")
    )


def _of_other_things(article: Article, sentence: Sentence, mark: Mark) -> bool:
    """As in "Its page promises that models move over": nothing that the sentence beside it is about."""
    words, products = article.tokens.words, {m.first for m in sentence.of_kind("product")}
    about = mark.last + 1
    if words[mark.last : about] != ["that"]:
        return False
    return (_BACK | _PRONOUNS).isdisjoint(words[about : about + 1]) and about not in products


def _is_month(article: Article, mark: Mark) -> bool:
    """Whether a modal verb is none, but the name of a month."""
    return mark.last - mark.first == 1 and article.document.prose[mark.start].isupper()


def _first(article: Article, figure: Figure) -> int:
    """The first token of a figure with its qualifier."""
    start = figure.qualifier_span[0] if figure.qualifier_span is not None else figure.start
    return article.tokens.first_from(min(start, figure.start))


def _verb(article: Article, statement: Statement) -> Mark | None:
    """The verb in the present tense that tells a figure: the last before it in reach, no product between the two."""
    at = article.tokens.first_from(statement.figure.start)
    start = max((m.start for m in _products(article, statement.sentence) if m.end <= statement.figure.start), default=0)
    verbs = [
        mark
        for mark in statement.sentence.of_kind("present-verb")
        if mark.first <= at and at - mark.first <= _VERB_REACH and mark.start > start
    ]
    return verbs[-1] if verbs else None


def _verb_behind(article: Article, statement: Statement) -> Mark | None:
    """As in "With 432 GB the MI450, due late 2026, holds ...": the verb behind a figure that opens its sentence."""
    sentence, figure, words = statement.sentence, statement.figure, article.tokens.words
    at, behind = article.tokens.first_from(figure.start), article.tokens.first_from(figure.end)
    if words[sentence.first] not in _OPENING or "," in words[sentence.first : at]:
        return None
    due = [mark for mark in sentence.of_kind("future-product") if mark.first >= behind]
    return next((mark for mark in sentence.of_kind("present-verb") if due and mark.start >= due[0].end), None)


def _is_infinitive(article: Article, verb: Mark) -> bool:
    """As in "is specified to carry": what something is to do."""
    return article.tokens.words[verb.first - 1] == "to"


def _supposed(article: Article, statement: Statement) -> bool:
    """As in "If Trainium4 has 4x the bandwidth, ...": inside a condition."""
    words, at = article.tokens.words, article.tokens.first_from(statement.figure.start)
    first = statement.sentence.first
    if words[first] in _CONDITIONS and not {";", ":"} & set(words[first:at]):
        return True
    for step in range(at - 1, statement.sentence.first - 1, -1):
        if words[step] in (",", ";", ":"):
            return False
        if words[step] in ("if", "unless", "whether"):
            return True
    return False
