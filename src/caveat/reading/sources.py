"""Where the figures of a sentence come from: what it cites, whom it names, and whether the writer measured.

GUIDE: a figure is sourced by a link, a bare URL, a footnote, a citation key or an attribution to a named organisation
or document in its sentence. This module reads one sentence at a time; `reach` carries evidence to tables, lists and
neighbours.
"""

from __future__ import annotations

from collections.abc import Container

from caveat.figures.figure import RELATIVE, Figure
from caveat.language.phrases import Mark
from caveat.language.tokens import Tokens
from caveat.markdown.document import Document, Reference
from caveat.reading.by_token import ByToken
from caveat.reading.evidence import Evidence, Name
from caveat.reading.own_work import OwnWork
from caveat.reading.sentences import Sentence

_CITING = frozenset(("link", "url", "footnote", "inline-footnote", "citation", "reference"))

# How many words may stand between a name and the noun or verb that makes it a source.
# How far behind "Lambda's" a role may stand, and how far a verb or the rest of the role behind that.
_ROLE_REACH = 4
# How long a reference between brackets may be, in words.
_REFERENCE_REACH = 24
# A document behind one of these is not the name's: "DeepSpeed-Ulysses, released with this blog".
_ELSEWHERE = frozenset(("with", "this", "these", "our", "my", "your", "which", "who", "when", "while", "because"))
_OWNERS = frozenset(("'s", "its", "their"))
# "in its 2025 survey": how far before the noun its owner may stand.
_OWNER_REACH = 3
# What may stand right behind a name that ends a sentence: ", writes SemiAnalysis in its note".
_TAILS = frozenset(
    (
        ".",
        ",",
        ";",
        ":",
        ")",
        "!",
        "in",
        "on",
        "at",
        "of",
        "for",
        "'s",
        "this",
        "last",
        "with",
        "and",
        "after",
        "today",
        "which",
        "who",
    )
)
# "calls the product off": how far behind a verb a particle may stand that gives it another meaning.
_PARTICLE_REACH = 5
_PARTICLES = frozenset(("off", "together"))
_NOUN_REACH = 7
_VERB_REACH = 3
# How long what stands between commas behind a name may be, in words.
_ASIDE_REACH = 14
_NAME_REACH = 5

# How many words may stand between "Intel's" and the ratio that is Intel's.
_OWN_FIGURE = 3
# How the acronyms of kinds of processors end: "LPU", "IPU".
_PROCESSING_UNIT = "PU"
# How a name that is the address of a site ends, and how many tokens it has: "fal.ai".
_DOMAINS = frozenset(("ai", "com", "io", "net", "org", "dev", "cloud", "co", "eu", "uk", "de", "cn", "gg", "sh", "app"))
_DOMAIN = 3
# How many letters the name of a house has at least that ends in digits.
_HOUSE_NAME = 4
# A text of so many words may be a label, whose every word counts.
_LABEL = 6
# What somebody did who made a test or a study.
_MADE = frozenset(
    ("run", "made", "done", "conducted", "carried", "performed", "published", "compiled", "taken", "prepared")
)
# How a remark in brackets ends, and what stands before the "from" with which it says where figures come from.
_REMARK_ENDS = frozenset((".", ")"))
_REMARK_LEADS = frozenset(
    (",", "(", "all", "both", "these", "figures", "numbers", "values", "data", "are", "is", "come")
)
# How far before a place "reports" may end: "reports out of Taiwan".
_UNSIGNED_REACH = 3
_ENDS = frozenset((".", "!", "?"))
_STOPS = frozenset((".", ",", ";", ":", "(", ")", '"', "!", "?", "|", "/", "="))


# How the grammar of numbers says that a number in brackets is a citation.
_CITATION = "a citation"


class SourceReader:
    """Reads the evidence of sentences of one draft."""

    def __init__(self, document: Document, tokens: Tokens, publishers: dict[str, str], units: Container[str]) -> None:
        """`publishers` gives the vendor id of each source id of the registry; `units` are symbols that name nobody."""
        self.document = document
        self.raw = document.source.text
        self.units = units
        self.prose = document.prose
        self.tokens = tokens
        self.publishers = publishers
        self.own_work = OwnWork(document, tokens)

    def read(self, sentence: Sentence) -> Evidence:
        """The evidence that the sentence holds by itself."""
        evidence = Evidence()
        evidence.sentence = sentence.index
        evidence.cited = any(_cites(reference) for reference in sentence.references) or any(
            number.reading == "pointer" and number.why == _CITATION for number in sentence.numbers
        )
        if (
            not sentence.marks
            and not evidence.cited
            and not sentence.numbers
            and sentence.last - sentence.first > _LABEL
        ):
            return evidence
        evidence.own = self.own_work.told(sentence)
        evidence.computed = sentence.has("computed")
        marks = ByToken(sentence, self.tokens)
        evidence.names = self._names(sentence, marks)
        for name in evidence.names:
            if self._is_source(name, marks, sentence):
                evidence.named = True
                evidence.tellers.append(name)
                if name.vendor:
                    evidence.vendors.add(name.vendor)
        for mark in sentence.of_kind("source"):
            evidence.sources.add(mark.value)
        if not evidence.named and (self._labelled(evidence, sentence, marks) or self._their_document(marks, sentence)):
            evidence.named = True
        if not evidence.named and evidence.names and sentence.has("own-account"):
            evidence.named = True
        if not evidence.named:
            self._by_pronoun(evidence, marks, sentence)
        if not evidence.named and (sentence.has("makers-own") or self._products_page(marks, sentence)):
            evidence.named = True
        if not evidence.named and (self._unnamed_document(marks, sentence) or self._their_role(marks, sentence)):
            evidence.named = True
        if not evidence.named and (evidence.names or marks.product) and self._bracketed_document(marks, sentence):
            evidence.named = True
        if not evidence.named and self._named_standard(sentence):
            evidence.named = True
        evidence.theirs = self._unnamed_document(marks, sentence) or self._their_document(marks, sentence)
        if evidence.named and not evidence.vendors:
            evidence.vendors |= {self.publishers[s] for s in evidence.sources if s in self.publishers}
        if evidence.named and marks.weasel and not evidence.theirs:
            evidence.named = self._named_beyond(evidence, marks, sentence)
        return evidence

    def _names(self, sentence: Sentence, marks: ByToken) -> list[Name]:
        """Organisations and documents: vendors and sources of the registry, and other runs of capitalised words."""
        names: list[Name] = []
        at = sentence.first
        inside = self._number_tokens(sentence)
        while at < sentence.last:
            if at in inside:
                at += 1
                continue
            known = marks.vendor.get(at)
            if known is not None:
                names.append(Name(at, known[0], known[1]))
                at = known[0]
                continue
            lower = self._word(at).islower()
            stop = at + (_DOMAIN if lower and self._is_domain(at + 1, sentence) else 0)
            stop = stop if lower else self._capitalised(at, sentence, marks)
            if stop > at:
                names.append(Name(at, stop, acronym=stop - at == 1 and self._word(at).isupper()))
            at = max(stop, at + 1)
        for first, (last, source) in marks.source.items():
            names.append(Name(first, last, self.publishers.get(source, "")))
        return names

    def _word(self, at: int) -> str:
        """A token as the draft writes it."""
        return self.prose[self.tokens.starts[at] : self.tokens.ends[at]]

    def _number_tokens(self, sentence: Sentence) -> set[int]:
        """The tokens of figures: "GB" is no organisation."""
        found: set[int] = set()
        for figure in sentence.figures:
            found.update(range(self.tokens.first_from(figure.start), self.tokens.first_from(figure.end)))
        return found

    def _capitalised(self, at: int, sentence: Sentence, marks: ByToken) -> int:
        """The end of a run of capitalised words that begins at a token; `at` itself if there is none."""
        first = at
        while at < sentence.last and at not in marks.blocked and at not in marks.vendor:
            word = self.prose[self.tokens.starts[at] : self.tokens.ends[at]]
            if at > first and self._is_inner_apostrophe(at):
                at += 1
                continue
            if at > first and self._is_domain(at, sentence):
                return at + 2  # "Vast.ai"
            if not word[0].isalpha() or word.islower() or word in self.units:
                break
            if any(c.isdigit() for c in word) and not self._owns_noun(at, marks):
                break
            if (
                at == first
                and at in marks.not_a_name
                and not (at > sentence.first and word.isupper() and len(word) > 3)
            ):
                break
            if at > first and self.tokens.starts[at] - self.tokens.ends[at - 1] > 1:
                break
            at += 1
        return at

    def _owns_noun(self, at: int, marks: ByToken) -> bool:
        """As in "Signal65's test", "tests by Signal65": a word with digits that names who tests, and no product."""
        words, letters = self.tokens.words, self._word(at).rstrip("0123456789")
        if not letters.isalpha() or letters.isupper() or len(letters) < _HOUSE_NAME:
            return False
        if words[at - 1] == "by" and (at - 2 in marks.noun_ends or words[at - 2] in _MADE):
            return True
        return words[at + 1 : at + 2] in (["'s"], ["'"]) and any(step in marks.noun for step in (at + 2, at + 3))

    def _is_domain(self, at: int, sentence: Sentence) -> bool:
        """Whether a full stop and what follows make the word before it the name of a site: the ".ai" of "Vast.ai"."""
        words = self.tokens.words
        return at + 1 < sentence.last and words[at] == "." and words[at + 1] in _DOMAINS and self._inner(at)

    def _is_inner_apostrophe(self, at: int) -> bool:
        """Whether an apostrophe stands inside a name: "Dell'Oro"."""
        starts, ends = self.tokens.starts, self.tokens.ends
        glued = at + 1 < len(starts) and starts[at] == ends[at - 1] and starts[at + 1] == ends[at]
        return glued and self.tokens.words[at] == "'" and self._word(at + 1)[:1].isupper()

    def _is_source(self, name: Name, marks: ByToken, sentence: Sentence) -> bool:
        """Whether the words around a name make it the source of what is said."""
        words = self.tokens.words
        if name.last in marks.anonymous and not name.vendor:
            return False  # "the Korean press"
        if name.first in marks.place and self._is_unsigned(name, sentence):
            return False
        return (
            self._owns_document(name, marks, sentence)
            or self._reports(name.last, marks, sentence)
            or (name.acronym and self._reports(name.last + 1, marks, sentence))  # "SK hynix puts ..."
            or self._follows_according(name, marks, sentence)
            or self._follows_verb(name, marks, sentence)
            or self._has_it(name, sentence)
            or self._tried(name, marks, sentence)
            or self._document_of(name, marks)
            or self._introduces(name, sentence)
            or self._owns_figures(name, marks, sentence)
            or self._publishes_results(name, marks, sentence)
            or self._ran_it(name, marks, sentence)
            or self._in_reference(name, sentence)
            or self._in_lead_in(name, sentence)
            or (
                name.first > sentence.first
                and name.last < sentence.last
                and words[name.first - 1] == "("
                and words[name.last] == ")"
                and (name.vendor != "" or name.last - 1 in marks.house)
            )
            or (
                name.last - 1 in marks.house
                and words[name.first - 1] == "("
                and ")" in words[name.last : min(sentence.last, name.last + _NAME_REACH)]  # "(JEDEC JESD270-4)"
            )
        )

    def _is_unsigned(self, name: Name, sentence: Sentence) -> bool:
        """As in "reports out of Taiwan", "talk in Seoul": no more than where the reports of nobody come from."""
        near = range(name.first - _UNSIGNED_REACH, name.first)
        words = self.tokens.words
        return words[name.first - 1] in ("from", "of", "in") and any(
            m.last in near for m in sentence.of_kind("unsigned")
        )

    def _owns_document(self, name: Name, marks: ByToken, sentence: Sentence) -> bool:
        """As in "AMD's data sheet", "by Google's own figures", "the Neuron documentation"."""
        words = self.tokens.words
        stop = min(sentence.last, name.last + _NOUN_REACH + 1)
        possessive = name.last < sentence.last and words[name.last] in ("'s", "'")
        for at in range(name.first + 1, stop):
            aside = at == name.last and words[at : at + 2] == [",", "in"]
            if (
                at >= name.last
                and not aside
                and (words[at] in _ELSEWHERE or (words[at] in _STOPS and not self._inner(at)))
            ):
                return False
            if words[at] in ("a", "an") and not possessive and words[at - 1] != "in":
                return False  # "Groq set up a site"
            if words[at - 2 : at] in (["in", "a"], ["in", "an"]) and marks.noun.get(at) == "output" and at > name.last:
                return True  # "SemiAnalysis, in a note, has ..."
            noun = marks.noun.get(at)
            if noun is None or (at < name.last and noun != "document"):
                continue
            if noun == "people":
                looked = words[name.first - 1] in ("when", "after", "once") and at + 1 in marks.looking
                return possessive and (looked or words[name.first - 1] in ("by", "from", "at", "in", "inside"))
            if noun == "deed":
                ends = at + 1 >= sentence.last or words[at + 1] in _TAILS or at + 1 in marks.verb
                return possessive and ends
            if noun == "place":  # "Oracle's site lists"; a site may be one of servers too
                has = words[at + 1 : at + 2] in (["has"], ["had"])
                return has or at + 1 in marks.verb or words[name.first - 1] in ("on", "from", "per", "by")
            if noun == "document" or possessive:
                return True
        return False

    def _reports(self, at: int, marks: ByToken, sentence: Sentence) -> bool:
        """Whether a reporting verb follows, with only adverbs and auxiliaries between; "Reuters has AWS doing"."""
        words = self.tokens.words
        if at + 1 < sentence.last and words[at][0].isdigit():
            at += 1  # "MLPerf 5.1 has"
        relative = words[at : at + 1] == [","] and words[at + 1 : at + 2] in (["which"], ["who"])
        if relative and at + 2 in marks.verb:
            return True  # "TrendForce, which says so, ..."
        at = self._past_aside(at, sentence)
        if at + 1 < sentence.last and words[at] in ("has", "had"):
            follower = at + 2 if words[at + 1] in ("the", "a", "an") and at + 2 < sentence.last else at + 1
            if follower in marks.product or follower in marks.vendor or self._word(follower)[:1].isupper():
                return True
        at = self._past_role(at, marks, sentence)
        for step in range(at, min(sentence.last, at + _VERB_REACH + 1)):
            if step in marks.verb:
                particle = not _PARTICLES.isdisjoint(words[step + 1 : min(sentence.last, step + 1 + _PARTICLE_REACH)])
                return not particle and (step not in marks.naming or self._told_behind(step, sentence))
            if step not in marks.adverb:
                return False
        return False

    def _past_aside(self, at: int, sentence: Sentence) -> int:
        """The place behind ", for readers in France," right after a name; the same place without such an aside."""
        words = self.tokens.words
        if words[at : at + 1] != [","]:
            return at
        close = (step for step in range(at + 1, min(sentence.last, at + _ASIDE_REACH)) if words[step] in _STOPS)
        end = next(close, at)
        return end + 1 if words[end] == "," and end > at + 1 else at

    def _tried(self, name: Name, marks: ByToken, sentence: Sentence) -> bool:
        """As in "Puget Systems ran Llama 3.1 8B on each card and got 2,400 tokens/s": who tried, and the outcome."""
        words, tried = self.tokens.words, name.last
        while tried < sentence.last and tried in marks.adverb:
            tried += 1
        if tried not in marks.trying:
            return False
        return any(
            step + 1 in marks.outcome or (step + 2 in marks.outcome and step + 1 in marks.adverb)
            for step in range(tried + 1, sentence.last - 1)
            if words[step] == "and"
        )

    def _told_behind(self, at: int, sentence: Sentence) -> bool:
        """Whether a figure follows: "NVIDIA calls it a context processor" gives none."""
        return any(figure.start > self.tokens.starts[at] for figure in sentence.figures)

    def _past_role(self, at: int, marks: ByToken, sentence: Sentence) -> int:
        """The place behind "'s head of operations": who speaks for an organisation."""
        words = self.tokens.words
        roles = [role for role in marks.role if at < role <= at + _ROLE_REACH]
        if not roles or words[at] not in ("'s", "'"):
            return at
        behind = range(roles[-1] + 1, min(sentence.last, roles[-1] + _ROLE_REACH + 1))
        return next((step for step in behind if step in marks.verb or words[step] in _STOPS), at)

    def _in_reference(self, name: Name, sentence: Sentence) -> bool:
        """As in "(Microsoft, "Splitwise", ISCA 2024)": a name and a year between brackets."""
        words = self.tokens.words
        if name.first == sentence.first or words[name.first - 1] != "(":
            return False
        stop = min(sentence.last, name.last + _REFERENCE_REACH)
        close = next((at for at in range(name.last, stop) if words[at] == ")"), 0)
        end = self.tokens.starts[close] if close else -1
        return any(n.reading == "year" and self.tokens.starts[name.first] < n.start < end for n in sentence.numbers)

    def _in_lead_in(self, name: Name, sentence: Sentence) -> bool:
        """As in "Power budget, from the site manager's plan of May (Equinix):": whose the paper is that all is from."""
        words = self.tokens.words
        if words[sentence.last - 1] != ":" or words[name.first - 1] != "(" or sentence.figures:
            return False
        owned = [at for at in range(sentence.first, name.first - 1) if words[at] in _OWNERS]
        return any(
            words[at] in ("from", "by", "per") and any(o > at for o in owned)
            for at in range(sentence.first, name.first - 1)
        )

    def _follows_according(self, name: Name, marks: ByToken, sentence: Sentence) -> bool:
        """As in "per AWS", "according to NVIDIA's page", "says Intel", "source: Dell"."""
        words = self.tokens.words
        for at in range(name.first - 1, max(sentence.first - 1, name.first - 1 - _NAME_REACH), -1):
            strength = marks.according.get(at)
            if strength is not None:
                direct = all(words[i] in ("the", "its", "their", "a") for i in range(at + 1, name.first))
                if strength == "direct":
                    return direct
                return (direct and not (strength == "per" and self._is_unit(name, at, marks))) or strength != "per"
            if words[at] in _STOPS:
                return False
        return False

    def _is_unit(self, name: Name, per: int, marks: ByToken) -> bool:
        """As in "230 MB of SRAM per LPU": an acronym that something is counted by, and no organisation."""
        if not name.acronym or name.vendor:
            return False
        return self._word(name.first).endswith(_PROCESSING_UNIT) or per - 1 in marks.blocked

    def _follows_verb(self, name: Name, marks: ByToken, sentence: Sentence) -> bool:
        """As in "A rack takes 132 kW, writes SemiAnalysis.": a verb, behind a comma or quotation, before the name."""
        words, verb = self.tokens.words, name.first - 1
        verb -= words[verb] in ("us", "me")
        if verb <= sentence.first or verb not in marks.verb or words[verb - 1] not in (",", '"', "—", "–", "so"):
            return False
        return name.last >= sentence.last or words[name.last] in _TAILS

    def _has_it(self, name: Name, sentence: Sentence) -> bool:
        """As in "As Uptime Institute has it, ...", "..., if SemiAnalysis is right"."""
        words = self.tokens.words
        if words[name.first - 1] == "if" and words[name.last : name.last + 1] == ["is"]:
            return words[name.last + 1 : name.last + 3] in (
                ["right", "."],
                ["right", ","],
                ["to", "be"],
                ["right", ";"],
            )
        leads = name.first > sentence.first and words[name.first - 1] == "as"
        return leads and words[name.last : name.last + 2] in (["has", "it"], ["had", "it"], ["tells", "it"])

    def _is_label(self, kind: str, sentence: Sentence) -> bool:
        """Whether a sentence stands over something: a heading, a cell, a lead-in."""
        leads = self.tokens.words[sentence.last - 1] in (":", "：")
        return kind == "heading" or self.document.blocks[sentence.block].table >= 0 or leads

    def _labelled(self, evidence: Evidence, sentence: Sentence, marks: ByToken) -> bool:
        """As in the heading "AWS: 144 GB a chip", or the lead-in "AWS's own before-and-after:"."""
        words, kind = self.tokens.words, self.document.blocks[sentence.block].kind
        products = {mark.first for mark in sentence.of_kind("product")}
        for name in evidence.names:
            after = words[name.last] if name.last < sentence.last else ""
            on = name.vendor and name.first == sentence.first and after == "on" and name.last + 1 in products
            if on and (kind in ("heading", "cell") or words[sentence.last - 1] not in _ENDS):
                evidence.vendors.add(name.vendor)
                return True  # "AWS on Trainium3, against Trainium2"
            if name.vendor and kind == "heading" and name.first == sentence.first and after in (":", "："):
                evidence.vendors |= {name.vendor} - {""}
                return True
            on_product = after == "on" and name.last + 1 in marks.product  # "AWS on Trainium3"
            if name.vendor and name.first == sentence.first and on_product and self._is_label(kind, sentence):
                evidence.vendors |= {name.vendor}
                return True
            own = after in ("'s", "'") and words[name.last + 1 : name.last + 2] == ["own"]
            if own and words[sentence.last - 1] in (":", "："):
                evidence.vendors |= {name.vendor} - {""}
                return True
        return False

    def _their_document(self, marks: ByToken, sentence: Sentence) -> bool:
        """As in "their slide had the MI400 at 432 GB", "the page's 192 GB": a document of somebody named before."""
        words = self.tokens.words
        if any(self._has_figure(mark, sentence) for mark in sentence.of_kind("document-noun")):
            return True
        for at, noun in marks.noun.items():
            before = words[max(sentence.first, at - _OWNER_REACH) : at]
            if noun in ("document", "output") and self._is_the_firms(at, marks, sentence):
                return True  # "the firm's roadmap says"
            if noun in ("document", "output") and self._is_public(before, at, marks, sentence):
                return True  # "the county's permit puts"
            if noun != "document" or not before:
                continue
            if before[-1] in ("their", "his", "her") or ("its" in before and self._verb_behind(at, marks)):
                return True  # "its October 2025 announcement says"
        return False

    def _has_figure(self, noun: Mark, sentence: Sentence) -> bool:
        """As in "The announcement's 4x": a document that is not the writer's, and right behind it what it has."""
        words, at = self.tokens.words, noun.last
        if noun.value != "document" or words[at : at + 1] != ["'s"] or words[noun.first - 1] in ("our", "my"):
            return False
        return any(0 < self.tokens.first_from(f.start) - at <= _OWN_FIGURE for f in sentence.figures)

    def _is_public(self, before: list[str], at: int, marks: ByToken, sentence: Sentence) -> bool:
        """Whether the owner of a document is a public body, and a verb says what it has."""
        if "'s" not in before or not self._verb_behind(at, marks):
            return False
        owner = at - len(before) + before.index("'s")
        return any(mark.last == owner for mark in sentence.of_kind("public-body"))

    def _is_the_firms(self, at: int, marks: ByToken, sentence: Sentence) -> bool:
        """As in "the firm's roadmap says": a document of what stands for somebody named, with a verb of reporting."""
        owners = {mark.last for mark in sentence.of_kind("source-pronoun") if mark.value == "pronoun"}
        owned = any(at - step in owners and self.tokens.words[at - step] == "'s" for step in (1, 2))
        return owned and self._verb_behind(at, marks)

    def _by_pronoun(self, evidence: Evidence, marks: ByToken, sentence: Sentence) -> None:
        """As in "AMD adds up both directions when it lists 1,075 GB/s": the name that opens it, and its pronoun.

        A product before the pronoun may be what it stands for, and a first word alone has a capital for its place.
        """
        leads = [n for n in evidence.organisations if n.first == sentence.first and (n.vendor or n.last - n.first > 1)]
        pronouns = [m for m in sentence.of_kind("source-pronoun") if m.value == "pronoun" and m.last in marks.verb]
        product = min(marks.product, default=sentence.last)
        if leads and any(leads[0].last <= mark.first < product for mark in pronouns):
            evidence.named = True
            evidence.vendors |= {leads[0].vendor} - {""}
        teller = next((n for n in evidence.names if any(self._tells_behind(n, mark) for mark in pronouns)), None)
        if teller is not None and (teller.vendor or not (marks.product or sentence.has("product-line"))):
            evidence.named = True
            evidence.vendors |= {teller.vendor} - {""}

    def _tells_behind(self, name: Name, pronoun: Mark) -> bool:
        """As in "Microsoft spent $80 billion, the company said": the name opens what a clause behind a comma tells."""
        opens = not self._word(name.first - 1)[:1].isalpha()
        return opens and name.last < pronoun.first and self.tokens.words[pronoun.first - 1] == ","

    def _verb_behind(self, at: int, marks: ByToken) -> bool:
        """Whether a reporting verb stands behind a noun of one word or two: "its price list gave"."""
        behind = range(at + 1, min(at + 3, len(self.tokens.words)))
        return any(step in marks.verb or self.tokens.words[step] in ("has", "had") for step in behind)

    def _products_page(self, marks: ByToken, sentence: Sentence) -> bool:
        """As in "The HGX B200 page prints ...": a document named after a product, with a verb of reporting."""
        words = self.tokens.words
        ends = {mark.last for mark in sentence.of_kind("product")}
        if any(
            words[end : end + 1] in (["for"], ["of"]) and ":" in words[end : min(sentence.last, end + _NAME_REACH)]
            for end in marks.document_ends
        ):
            return True  # "The spec sheet for the L40S: ..."
        return any(
            noun == "document" and (at in ends or at - 1 in ends) and self._verb_behind(at, marks)
            for at, noun in marks.noun.items()
        )

    def _owns_figures(self, name: Name, marks: ByToken, sentence: Sentence) -> bool:
        """As in "Those three figures are Dell's.", "That number is AWS's own": whose figures they are."""
        words, at = self.tokens.words, name.last
        if at >= sentence.last or words[at] not in ("'s", "'"):
            return False
        at += 1
        if at < sentence.last and words[at] == "own":
            at += 1
        if any(
            f.kind in RELATIVE and 0 <= self.tokens.first_from(f.start) - at <= _OWN_FIGURE for f in sentence.figures
        ):
            return True  # "Intel's 1.7x", "AWS's up to 4.4x"
        if any(self.tokens.first_from(f.start) == at and self._given_for(f, sentence) for f in sentence.figures):
            return True
        ends = at >= sentence.last or words[at] in _STOPS or words[at] in ("about", "and", "not")
        return ends and bool(marks.noun)

    def _given_for(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "AWS's 706 TB/s for the rack": a measure for something, so whose number, not whose thing."""
        last = self.tokens.first_from(figure.end)
        return figure.kind == "measure" and last < sentence.last and self.tokens.words[last] == "for"

    def _ran_it(self, name: Name, marks: ByToken, sentence: Sentence) -> bool:
        """As in "tests, run by students at ETH Zurich, put it at 20x": who made what the figures come from."""
        words = self.tokens.words
        for at in range(name.first - 1, max(sentence.first + 1, name.first - 1 - _NAME_REACH), -1):
            if words[at] == "by":
                made = at - 1 - (words[at - 1] == "out")
                noun = made - 1 - (words[made - 1] == ",")
                return words[made] in _MADE and noun in marks.noun_ends
            if words[at] in _STOPS:
                return False
        return False

    def _publishes_results(self, name: Name, marks: ByToken, sentence: Sentence) -> bool:
        """As in "In MLPerf Training v5.0, ...": a body that publishes results, with a preposition before it."""
        if not marks.bodies & set(range(name.first, name.last)):
            return False
        behind = range(name.last, min(sentence.last, name.last + _NAME_REACH))
        if name.first == sentence.first and any(self.tokens.words[at] in ("has", "had") for at in behind):
            return True  # "MLPerf Training v4.1 has Gaudi 3 at 27 minutes"
        before = name.first - 1 - (self.tokens.words[name.first - 1] in ("the", "its"))
        return before >= sentence.first and self.tokens.words[before] in (
            "in",
            "from",
            "by",
            "at",
            "on",
            "per",
            "to",
        )

    def _inner(self, at: int) -> bool:
        """Whether a full stop or slash stands inside a word ("v0.5", "r/LocalLLaMA") and ends nothing."""
        tokens = self.tokens
        return at + 1 < len(tokens) and tokens.starts[at + 1] == tokens.ends[at] and tokens.words[at] in (".", "/")

    def _introduces(self, name: Name, sentence: Sentence) -> bool:
        """As in "Memory on parts available today, from AWS and AMD:": a lead-in that says who gives what follows."""
        words, last = self.tokens.words, sentence.last
        at = name.last
        if words[at : at + 1] in (["about"], ["on"]) and name.first == sentence.first and words[last - 1] == ":":
            return bool(name.vendor) and sentence.has("product") and not sentence.figures  # "AWS on the Trn3:"
        if at < last and words[at] == "'s":  # "from Schneider's reference design:"
            return (
                words[last - 1] == ":" and words[name.first - 1] in ("from", "by", "via") and last - at <= _NOUN_REACH
            )
        while at < last and (words[at] in ("and", ",", "'s") or self.prose[self.tokens.starts[at]].isupper()):
            at += 1
        if is_remark(sentence, words) and at >= last - len(_REMARK_ENDS) and _REMARK_ENDS.issuperset(words[at:last]):
            return words[name.first - 1] in ("from", "by", "via") and words[name.first - 2] in _REMARK_LEADS
        if at < last - 1 or (at == last - 1 and words[at] != ":"):
            return False
        first = name.first - 1
        while first > sentence.first and (
            words[first] in ("and", ",") or self.prose[self.tokens.starts[first]].isupper()
        ):
            first -= 1
        return words[first] in ("from", "by", "via")

    def _unnamed_document(self, marks: ByToken, sentence: Sentence) -> bool:
        """As in "per the two data sheets", "by its own announcement": a document in reach of a preposition."""
        words = self.tokens.words
        for at, noun in marks.noun.items():
            if noun == "document" and words[at + 1 : at + 3] in (["has", "it"], ["had", "it"]):
                return True  # "so the keynote had it"
            if noun != "document" and _OWNERS.isdisjoint(words[max(sentence.first, at - _OWNER_REACH) : at]):
                continue
            for step in range(at - 1, max(sentence.first - 1, at - _NOUN_REACH - 1), -1):
                if words[step] in _STOPS:
                    break
                of = words[step - 1 : step + 1] == ["those", "of"]  # "the rates are those of the two price pages"
                if of or words[step] in ("per", "from", "by", "in", "off") or step in marks.according:
                    return True
        return False

    def _named_standard(self, sentence: Sentence) -> bool:
        """As in "The UALink specification gives a port 800 Gb/s": a standard with a name, and what it says."""
        verbs = {mark.first for mark in sentence.of_kind("standard-verb")}
        for noun in sentence.of_kind("standard-noun") if verbs else ():
            name = self._word(noun.first - 1)
            named = name[:1].isalpha() and (name[:1].isupper() or sum(c.isupper() for c in name) > 1)
            if noun.first - 1 > sentence.first - (len(name) > 1 and name.isupper()) and named and noun.last in verbs:
                return True
        return False

    def _their_role(self, marks: ByToken, sentence: Sentence) -> bool:
        """As in "In the words of its founder, ...", "its chief executive said": who speaks for somebody named."""
        words = self.tokens.words
        for at in marks.role:
            owned = not _OWNERS.isdisjoint(words[max(sentence.first, at - _OWNER_REACH) : at])
            before = range(max(sentence.first, at - _ROLE_REACH), at)
            told = any(step in marks.according for step in before) or self._verb_behind(at, marks)
            if owned and told:
                return True
        return False

    def _bracketed_document(self, marks: ByToken, sentence: Sentence) -> bool:
        """As in "$2.95 (price page, 4 May 2026)", "$1.5 billion (company release)": of what the sentence names."""
        words = self.tokens.words
        return any(
            noun in ("document", "output") and "(" in words[max(sentence.first, at - 2) : at]
            for at, noun in marks.noun.items()
        )

    def _document_of(self, name: Name, marks: ByToken) -> bool:
        """As in "the rate card at Nebius", "a filing by CoreWeave": a document, and behind it whose it is."""
        words, ends = self.tokens.words, marks.document_ends
        if words[name.first - 1] == "by" and marks.noun.get(name.first - 2) == "output":
            return True  # "The study by Epoch puts"
        return words[name.first - 1] in ("of", "at", "by", "from") and name.first - 1 in ends

    def _named_beyond(self, evidence: Evidence, marks: ByToken, sentence: Sentence) -> bool:
        """Whether a name other than the subject of the weasel words makes the attribution."""
        return any(
            self._is_source(name, marks, sentence) and not (name.first in marks.weasel or name.last - 1 in marks.weasel)
            for name in evidence.names
        )


def is_remark(sentence: Sentence, words: list[str]) -> bool:
    """As in "(All for the UltraServer, from AWS.)": a sentence in brackets, which has no figure of its own."""
    return words[sentence.first : sentence.first + 1] == ["("] and not sentence.figures


def _cites(reference: Reference) -> bool:
    """Whether a reference leads to a source: a link to another place of the same page does not."""
    return reference.kind in _CITING and not (reference.kind == "link" and reference.label.startswith("#"))
