"""How a sentence holds what it says: as a question, a supposition, a correction, a doubt, a rejection."""

from __future__ import annotations

from itertools import pairwise

from caveat.figures.figure import RELATIVE, Figure
from caveat.language.phrases import Mark
from caveat.language.tokens import Tokens
from caveat.markdown.document import Document
from caveat.reading.sentences import Sentence

# "If an H200 had 192 GB": how far behind "if" its verb may stand.
_IF_REACH = 6
# "Do not ever compare": how far behind a refusal its verb may stand.
_REFUSAL_REACH = 2
_CLAUSE_LEADS = frozenset((",", ";", ":", "and", "but", "so", "please", "you", "we", "(", '"', "then", "should", "to"))
# A label of what is not so: "Myth: Gaudi 3 has 192 GB".
_FALSEHOODS = frozenset(
    ("myth", "fiction", "wrong", "false", "incorrect", "misconception", "rumour", "rumor", "falsehood")
)
_SUBJECTS = frozenset(("you", "we", "to", "should"))
_ASKING = frozenset(("asked", "asks", "ask", "asking", "wonder", "wonders", "wondered"))
_ASK_REACH = 5
# Behind "not", these deny nothing: "not quite an eighth", "not far from 4x".
_NEARLY = frozenset(("quite", "far", "much", "even"))
# First words of a sentence that dismiss what it repeats, and of one that works an example.
_DISMISSING = frozenset(("ignore", "disregard", "forget"))
_WORKED = frozenset(("take", "consider", "picture"))
_CORRECTING = frozenset(("correction", "corrections", "corrected", "amended", "erratum", "errata", "fixed", "fixes"))
_EXERCISES = frozenset(("exercise", "exercises", "problem", "quiz", "homework", "puzzle"))
# Stances that assert a figure and no comparison, or that need no source for it.
_INVENTED = frozenset(("supposed", "worked"))
_ASSERTING = frozenset(("unlike", "worked"))
# "Is that the card or the whole module?": the length, in words, and the words of a question about the sentence before.
_SHORT = 10
_QUESTIONS = frozenset(
    ("who", "what", "why", "how", "which", "when", "where", "is", "are", "does", "do", "should", "can", "will")
)
_ABOUT_IT = frozenset(("that", "this", "it", "those", "these", "which", "true", "right", "really"))
# "But that sets a rack against a chip": what leads to the verb, and what stands between the two unlike things.
_POINTING_BACK = frozenset(("that", "this", "it", "which"))
_TURNING = frozenset(("but", "though", "although", "yet", ";", ".", "because", "since", "as"))
_PITTED = frozenset(("against", "by", "over", "beside", "with"))
_UNLIKE_IN = ("scope", "precision", "sparsity", "kind", "direction")
_DEFINITE = frozenset(("the", "that", "this", "any"))
# How far into "That is the Trainium3's number" the name may stand.
_ANOTHER_REACH = 3
_PRONOUNS = frozenset(("it", "they", "that", "this"))
_AUXILIARIES = frozenset(("has", "have", "does", "do", "did", "is", "are", "was", "were", "will", "can"))
_CLOSERS = "\"'”’)]* \t\r\n"
# How many words may stand between a word of rejection and the figure that it rejects.
_REACH = 5


class Stances:
    """The stances of all sentences of a draft, told once and asked often."""

    def __init__(self, document: Document, tokens: Tokens, sentences: list[Sentence]) -> None:
        self._tokens = tokens
        self._stances = [_own_stance(sentence, document.prose, tokens) for sentence in sentences]
        self._carry(sentences)
        self._stand_below(document, sentences)
        self._reach_over_blocks(document, sentences)

    def of(self, sentence: Sentence) -> set[str]:
        """Any of "question", "supposed", "corrected", "doubted", "unlike" and "worked"."""
        return self._stances[sentence.index]

    def silences(self, sentence: Sentence) -> bool:
        """Whether nothing in the sentence is asserted, so that no figure in it can be wrong (GUIDE, ruling 14)."""
        return bool(self._stances[sentence.index] - _ASSERTING)

    def disowns(self, sentence: Sentence) -> bool:
        """Whether the sentence asserts no comparison: nothing at all, or that its figures are not alike."""
        return bool(self._stances[sentence.index])

    def rejects(self, sentence: Sentence, figure: Figure) -> bool:
        """Whether the words by a figure deny it: "does not have 94 GB", "3,958 TFLOPS is not its dense rate"."""
        words = self._tokens.words
        negations = [m for m in sentence.of_kind("negation") if _NEARLY.isdisjoint(words[m.last : m.last + 1])]
        if not negations:
            return False
        first, last = self._tokens.first_from(figure.start), self._tokens.first_from(figure.end)
        for mark in negations:
            start, stop = mark.first, mark.last
            before = 0 <= first - stop <= _REACH and not self._broken(stop, first)
            behind = mark.value == "copula" and 0 <= start - last <= 2 and not self._broken(last, start)
            if before or behind:
                return True
        return False

    def _broken(self, start: int, stop: int) -> bool:
        """Whether punctuation ends the reach of a rejection."""
        return any(self._tokens.words[at] in (",", ";", ":", "but", "(") for at in range(start, stop))

    def _reach_over_blocks(self, document: Document, sentences: list[Sentence]) -> None:
        """A paragraph that ends in "Is that so?" asks; a lead-in that refuses ("Do not use:") refuses its items.

        One that supposes ("Let's say you train in BF16:") supposes those of them that name no product.
        """
        by_block: dict[int, list[Sentence]] = {}
        for sentence in sentences:
            by_block.setdefault(sentence.block, []).append(sentence)
        for table in document.tables:
            before = by_block.get(table.before, [])
            invented = self._stances[before[-1].index] & _INVENTED if before else set()
            for cell in (c for row in table.rows for c in row if invented and c >= 0):
                for sentence in by_block.get(cell, []):
                    self._stances[sentence.index] |= invented
            for column, head in enumerate(table.rows[0]):
                label = by_block.get(head, [])[:1]
                if any(not _FALSEHOODS.isdisjoint(self._tokens.words[s.first : s.first + 1]) for s in label):
                    cells = (row[column] for row in table.rows[1:] if column < len(row))
                    for sentence in (s for cell in cells if cell >= 0 for s in by_block.get(cell, [])):
                        self._stances[sentence.index].add("doubted")
        for block, inside in by_block.items():
            if self._asks_of_it(inside[-1]) and len(inside) > 1:
                self._stances[inside[-2].index].add("question")
            item = document.blocks[block].item
            lead = document.lists[document.items[item].list].lead_in if item >= 0 else -1
            given = self._stances[by_block[lead][-1].index] if lead >= 0 else set()
            lent = given & _INVENTED if lead >= 0 and self._tokens.words[by_block[lead][-1].last - 1] == ":" else set()
            lent = lent | {"doubted"} if given & {"doubted", "unlike"} else lent
            for sentence in inside if lent else ():
                self._stances[sentence.index] |= lent - _INVENTED if sentence.has("product") else lent

    def _asks_of_it(self, sentence: Sentence) -> bool:
        """As in "Is that the card or the whole module?", "True?": a short question about what was just said."""
        words = self._tokens.words[sentence.first : sentence.last]
        asks = "question" in self._stances[sentence.index] and not sentence.figures
        return asks and len(words) <= _SHORT and not _ABOUT_IT.isdisjoint(words)

    def _stand_below(self, document: Document, sentences: list[Sentence]) -> None:
        """Under a heading "Errata" every sentence is a correction, under one "Exercise 7" a supposition."""
        below = ""
        for sentence in sentences:
            if document.blocks[sentence.block].kind == "heading":
                first = self._tokens.words[sentence.first] if sentence.first < sentence.last else ""
                corrects = first in _CORRECTING or "corrected" in self._stances[sentence.index]
                below = "corrected" if corrects else "supposed" if first in _EXERCISES else ""
            elif below:
                self._stances[sentence.index].add(below)

    def _carry(self, sentences: list[Sentence]) -> None:
        """A supposition and a correction hold on through their paragraph; a doubt reaches back over one sentence."""
        for before, sentence in pairwise(sentences):
            if before.block != sentence.block:
                continue
            earlier, own = self._stances[before.index], self._stances[sentence.index]
            if not sentence.figures and own & {"doubted", "unlike"} and before.place > 0 and before.figures:
                self._stances[before.index - 1] |= own & {"doubted", "unlike"}
            own |= earlier & {"supposed", "corrected", "worked"}
            if "unlike" in earlier and _goes_on(sentence, self._tokens):
                own.add("unlike")
            silent = not sentence.figures and not _of_several(before, sentence, self._tokens)
            if silent or self._speaks_of(before, sentence):
                earlier |= own & {"doubted", "unlike"}
            if _takes_back(sentence, self._tokens) or ("question" in own and sentence.has("asking-back")):
                earlier.add("doubted")

    def _speaks_of(self, before: Sentence, sentence: Sentence) -> bool:
        """As in "It gets there by ..., so the six should not be repeated", "a board against a chip is no comparison".

        A pronoun that opens a sentence is about the one before it; a comparison that a sentence without a ratio rejects
        is the one of the sentence before.
        """
        if self._tokens.words[sentence.first : sentence.first + 1] in (["it"], ["that"], ["this"], ["they"]):
            return True
        if "unlike" not in self._stances[sentence.index]:
            return False
        return _has_ratio(before) and not _has_ratio(sentence)


def _has_ratio(sentence: Sentence) -> bool:
    return any(figure.kind == "ratio" for figure in sentence.figures)


def _own_stance(sentence: Sentence, prose: str, tokens: Tokens) -> set[str]:
    """The stances that a sentence's own words give it."""
    stances = {mark.value for mark in sentence.of_kind("stance") if not _others_assume(mark, sentence, tokens)}
    first = tokens.words[sentence.first] if sentence.first < sentence.last else ""
    if _dismisses(sentence, tokens) or (
        first in _FALSEHOODS and tokens.words[sentence.first + 1 : sentence.first + 2] == [":"]
    ):
        stances.add("doubted")
    if first in _WORKED and _names_next(sentence, tokens):
        stances.add("worked")
    if first in _CORRECTING and sentence.last - sentence.first > 1 and not tokens.words[sentence.first + 1].isalpha():
        stances.add("corrected")
    if first == "say" or _counterfactual(sentence, tokens) or _imagines(sentence, tokens):
        stances.add("supposed")
    if (first == "whether" and not _either_way(sentence, tokens)) or _asks_whether(sentence, tokens):
        stances.add("question")
    if _sets_unlike_apart(sentence, tokens):
        stances.add("unlike")
    if first == "nor" or _left_out(sentence, tokens):
        stances.add("doubted")
    stances |= _refusals(sentence, tokens)
    if prose[sentence.start : sentence.end].rstrip(_CLOSERS).endswith(("?", "？")) and not _asks_after(
        sentence, tokens
    ):
        stances.add("question")
    if _asks_within(sentence, prose):
        stances.add("question")
    return stances


def _sets_unlike_apart(sentence: Sentence, tokens: Tokens) -> bool:
    """As in "..., but that sets a rack against one chip": a comparison that is told with what is unlike in it.

    What names both without a "but" is no caveat.
    """
    words = tokens.words
    for verb in sentence.of_kind("pitting-verb"):
        if words[verb.first - 1] not in _POINTING_BACK or words[verb.first - 2] not in _TURNING:
            continue
        behind = words[verb.last : sentence.last]
        joint = next((verb.last + at for at, word in enumerate(behind) if word in _PITTED), 0)
        for dimension in _UNLIKE_IN if joint else ():
            marks = [m for m in sentence.of_kind(dimension) if m.first >= verb.last]
            if any(m.last <= joint for m in marks) and any(m.first >= joint for m in marks):
                return True
    return False


def _imagines(sentence: Sentence, tokens: Tokens) -> bool:
    """As in "Assume, for the sake of the sum, $2 an hour": an order to suppose; not "Assume nothing"."""
    words = tokens.words[sentence.first : sentence.first + 2]
    return words[:1] == ["assume"] and words[1:] not in (["nothing"], ["no"], ["responsibility"])


def _others_assume(mark: Mark, sentence: Sentence, tokens: Tokens) -> bool:
    """As in "Analysts assume that": what others suppose they hold to be so."""
    if tokens.words[mark.first] != "assume" or mark.first == sentence.first:
        return False
    before = tokens.words[mark.first - 1]
    return before.endswith("s") and before not in ("us", "'s", "always")


def _asks_within(sentence: Sentence, prose: str) -> bool:
    """As in the heading "2x faster? Not for us": its figures are asked, and what follows does not say yes."""
    if not sentence.figures:
        return False
    asks = prose.rfind("?", sentence.figures[-1].end, sentence.end)
    return asks >= 0 and not prose[asks + 1 : sentence.end].lstrip(_CLOSERS).lower().startswith(("yes", "indeed"))


def _dismisses(sentence: Sentence, tokens: Tokens) -> bool:
    """As in "Ignore ...", "..., so ignore the 14x that you see on slides"; not "we ignore it here"."""
    words = tokens.words
    if _DISMISSING.isdisjoint(words[sentence.first : sentence.last]):
        return False
    places = [at for at in range(sentence.first, sentence.last) if words[at] in _DISMISSING]
    return any(at == sentence.first or words[at - 1] in _CLAUSE_LEADS - _SUBJECTS for at in places)


def _asks_after(sentence: Sentence, tokens: Tokens) -> bool:
    """As in "288 GB on every MI350X: who needs it?": the figures are told before the question."""
    if not sentence.figures:
        return False
    last = tokens.first_from(sentence.figures[-1].end)
    return any(tokens.words[at] == ":" and tokens.words[at + 1] in _QUESTIONS for at in range(last, sentence.last - 1))


def _names_next(sentence: Sentence, tokens: Tokens) -> bool:
    """Whether a product's name follows the first word, or an article behind it: "Take the MI300X at 750 W".

    "Take the H200 as the yardstick" and "Take the H200 for prompts that fit" work no example: they say what is compared
    with, and what to buy.
    """
    starts = {tokens.starts[at] for at in range(sentence.first + 1, min(sentence.last, sentence.first + 3))}
    return any(
        mark.start in starts and not _is_advice(tokens.words[mark.last : mark.last + 2])
        for mark in sentence.of_kind("product")
    )


def _is_advice(words: list[str]) -> bool:
    """Whether the words behind "take" and a name say what it is to be taken as, or for."""
    return words[:1] in (["as"], ["if"], ["when"], ["where"]) or (
        words[:1] == ["for"] and words[1:] not in (["example"], ["instance"])
    )


def _counterfactual(sentence: Sentence, tokens: Tokens) -> bool:
    """As in "If an H200 had 192 GB, ...", "had it": a condition contrary to fact."""
    words = tokens.words[sentence.first : sentence.last]
    if "if" not in words:
        return False
    leads = (at for at, word in enumerate(words) if word == "if")
    return any(word in ("had", "were") for at in leads for word in words[at + 1 : at + _IF_REACH])


def _refusals(sentence: Sentence, tokens: Tokens) -> set[str]:
    """As in "Do not divide ...", "never set ... over ...": what the sentence warns against, "unlike" or "doubted"."""
    marks = sentence.of_kind("refusal")
    if not marks:
        return set()
    leads = {mark.last for mark in marks if mark.value == "lead" and _opens_clause(mark, sentence, tokens)}
    verbs = [(mark.first, mark.value) for mark in marks if mark.value != "lead"]
    return {value for verb, value in verbs if any(lead <= verb <= lead + _REFUSAL_REACH for lead in leads)}


def _opens_clause(mark: Mark, sentence: Sentence, tokens: Tokens) -> bool:
    """Whether a refusal begins its sentence or clause, or is said to "you": "are never read" refuses nothing."""
    at = mark.first
    if at == sentence.first or mark.last - at > 1:
        return True
    return tokens.words[at - 1] in _CLAUSE_LEADS


def _either_way(sentence: Sentence, tokens: Tokens) -> bool:
    """As in "Whether you train or serve, the B200 wins": what holds in both cases is said, and not asked."""
    words = tokens.words[sentence.first : sentence.last]
    stop = words.index(",") if "," in words else 0
    return words[1:2] in (["you"], ["we"], ["they"]) and "or" in words[:stop]


def _asks_whether(sentence: Sentence, tokens: Tokens) -> bool:
    """As in "Asked later whether per-GPU memory is 180 or 192 GB": an indirect question."""
    words = tokens.words
    if _ASKING.isdisjoint(words[sentence.first : sentence.last]):
        return False
    return any(
        words[at] in _ASKING
        and any(w in ("whether", "if") for w in words[at + 1 : min(sentence.last, at + _ASK_REACH)])
        for at in range(sentence.first, sentence.last)
    )


def _left_out(sentence: Sentence, tokens: Tokens) -> bool:
    """As in "leave the 24 out": a figure that is not to be carried."""
    words = tokens.words
    if "out" not in words[sentence.first : sentence.last]:
        return False
    return any(
        (words[at] in ("leave", "leaves") or (words[at] == "left" and words[at - 1] in ("we", "i")))
        and "out" in words[at + 1 : min(sentence.last, at + _IF_REACH)]
        for at in range(sentence.first, sentence.last)
    )


def _of_several(before: Sentence, sentence: Sentence, tokens: Tokens) -> bool:
    """As in "Sparse kernels are another story, and we leave them out": of what the sentence itself names, not of 4.5.

    The sentence before has one figure, which no "them" can mean.
    """
    doubts = [mark for mark in sentence.of_kind("stance") if mark.value in ("doubted", "unlike")]
    if len(before.figures) != 1 or not doubts or tokens.words[sentence.first] in {*_PRONOUNS, "these", "those", "both"}:
        return False
    return all("them" in tokens.words[mark.first : mark.last] and mark.first > sentence.first for mark in doubts)


def _goes_on(sentence: Sentence, tokens: Tokens) -> bool:
    """As in "Do not set the one against the other. The 147x you get counts parts": what the refused step gives."""
    if not sentence.figures or sentence.figures[0].kind not in RELATIVE:
        return False
    at = tokens.first_from(sentence.figures[0].start)
    return at == sentence.first + 1 and tokens.words[sentence.first] in _DEFINITE


def _is_anothers(sentence: Sentence, tokens: Tokens) -> bool:
    """As in "The slide had the H200 at 4.9 TB/s. That is Trainium3's number": the figure is another product's."""
    words, nouns = tokens.words, {mark.first for mark in sentence.of_kind("figure-noun")}
    opening = words[sentence.first : sentence.first + 2]
    if _PRONOUNS.isdisjoint(opening[:1]) or opening[1:] not in (["is"], ["was"]):
        return False
    named = (m for m in sentence.of_kind("product") if m.first - sentence.first <= _ANOTHER_REACH)
    return any(words[m.last : m.last + 1] == ["'s"] and m.last + 1 in nouns for m in named)


def _takes_back(sentence: Sentence, tokens: Tokens) -> bool:
    """As in "It has not; check the data sheets.", "We do not believe it": a denial of the sentence before.

    Likewise "Please do not: ...", which refuses the step that the sentence before tells of.
    """
    if any(mark.first == sentence.first for mark in sentence.of_kind("taking-back")):
        return True
    refused = [m for kind in ("refusal", "declining") for m in sentence.of_kind(kind) if m.first == sentence.first]
    if any(tokens.words[mark.last : mark.last + 1] in ([":"], ["."], ["!"], [";"]) for mark in refused):
        return True
    if _is_anothers(sentence, tokens):
        return True
    words = tokens.words[sentence.first : min(sentence.last, sentence.first + 4)]
    if len(words) < 3 or words[0] not in _PRONOUNS or words[1] not in _AUXILIARIES or words[2] != "not":
        return False
    return len(words) == 3 or words[3] in (".", ",", ";", "!", ":")
