"""Whether a sentence tells what its writers themselves measured, tried or saw on a device of theirs."""

from __future__ import annotations

from caveat.figures.figure import Figure
from caveat.language.tokens import Tokens
from caveat.markdown.document import Document
from caveat.reading.sentences import Sentence

_OWN_REACH = 5
# How long the name of what records for the writer may be, with "our", in words.
_RECORDER = 5
# How far behind "our team" the verb of what it did may stand, and the kinds of such verbs.
_PEOPLE_REACH = 4
_DOING = ("measuring-verb", "recording-verb", "trying-verb", "outcome-verb", "looking-verb")
_DEED_REACH = 4
_WRITERS = frozenset(("we", "i"))
_COMMAND_REACH = 1000
_PAST = frozenset(
    ("had", "saw", "got", "found", "took", "ran", "wrote", "made", "built", "paid", "spent", "cut", "was", "could")
)
# What stands behind a figure that is a result, and not the size of something.
_AFTER_RESULT = frozenset((".", ",", ";", ")", "and", "for", "of", "on", "in", "at", "from", "with", "is", "was"))


class OwnWork:
    """Tells the writers' own results in one draft from those of others."""

    def __init__(self, document: Document, tokens: Tokens) -> None:
        self.document = document
        self.tokens = tokens
        self._raw = document.source.text
        self._prose = document.prose

    def told(self, sentence: Sentence) -> bool:
        """Whether a sentence tells of the writers' own work, in their own voice and not in a quotation."""
        quoted = self._quoted(sentence)
        if self.document.blocks[sentence.block].quoted:
            quoted = set(range(sentence.first, sentence.last))
        return (
            self._own_words(sentence, quoted)
            or self._own_work(sentence, quoted)
            or self._own_deed(sentence, quoted)
            or self._own_people(sentence, quoted)
            or self._own_trial(sentence, quoted)
            or self._own_command(sentence)
            or (self._opens_with_ours(sentence) and sentence.first not in quoted)
        )

    def _quoted(self, sentence: Sentence) -> set[int]:
        """The tokens between quotation marks: the "our" of a quotation is not the writer's."""
        inside = False
        quoted: set[int] = set()
        if '"' not in self.tokens.words[sentence.first : sentence.last]:
            return quoted
        for at in range(sentence.first, sentence.last):
            if self.tokens.words[at] == '"':
                inside = not inside
            elif inside:
                quoted.add(at)
        return quoted

    def _opens_with_ours(self, sentence: Sentence) -> bool:
        """As in "Ours reached 1,453 TFLOPS": what the writers have, and so measured."""
        return self.tokens.words[sentence.first : sentence.first + 1] in (["ours"], ["mine"])

    def _own_words(self, sentence: Sentence, quoted: set[int]) -> bool:
        """As in "we measured", "in our tests", in the writer's own voice; not "NVIDIA gave us 2.1x the bandwidth"."""
        makers = {mark.last for mark in sentence.of_kind("vendor")}
        return any(
            mark.first not in quoted and not (mark.value == "given" and mark.first in makers)
            for mark in sentence.of_kind("own")
        )

    def _own_command(self, sentence: Sentence) -> bool:
        """As in "`ib_write_bw -d rdma0` sustained 193 Gbps": a measurement, with the command that made it."""
        if self.shown_by_command(sentence):
            return True
        if not (sentence.has("kind", "measured") or sentence.has("kind", "sustained")):
            return False
        return any(
            self._raw[at] == "`" for at in range(sentence.start, min(sentence.end, sentence.start + _COMMAND_REACH))
        )

    def shown_by_command(self, sentence: Sentence) -> bool:
        """As in "`nvidia-smi nvlink -s` reports ...": code, and right behind it a verb that says what it prints."""
        verbs = {mark.first for mark in sentence.of_kind("reporting-verb")}
        return any(
            self._raw[self.tokens.starts[at] - 2 : self.tokens.starts[at] - 1] == "`"
            for at in verbs
            if self.tokens.starts[at] - 2 >= sentence.start
        )

    def _own_deed(self, sentence: Sentence, quoted: set[int]) -> bool:
        """As in "when I first wrote a benchmark": what the writer alone did, in the past tense."""
        words = self.tokens.words
        if "i" not in words[sentence.first : sentence.last]:
            return False
        for at in range(sentence.first, sentence.last):
            if words[at] == "i" and at not in quoted and self._prose[self.tokens.starts[at]] == "I":
                near = words[at + 1 : min(sentence.last, at + _DEED_REACH)]
                if any(word in _PAST or word.endswith("ed") for word in near):
                    return True
        return False

    def _own_people(self, sentence: Sentence, quoted: set[int]) -> bool:
        """As in "our team measured 2,100 tokens/s", "one of us clocked it at 40 ms": who works with the writer."""
        people = [mark for mark in sentence.of_kind("own-people") if mark.first not in quoted]
        if not people:
            return False
        did = {mark.first for kind in _DOING for mark in sentence.of_kind(kind)}
        return any(mark.last + step in did for mark in people for step in range(_PEOPLE_REACH))

    def _own_trial(self, sentence: Sentence, quoted: set[int]) -> bool:
        """As in "we hung a meter on the feed and saw 31 kW": what the writers tried, and what they measured.

        A device in what they tell is enough; one who read a brochure and "found 31 kW" measured nothing.
        """
        words, outcomes = self.tokens.words, sentence.of_kind("outcome-verb")
        recording, devices = sentence.of_kind("recording-verb"), sentence.of_kind("measuring-device")
        if not (outcomes or recording or devices):
            return False
        writers = [at for at in range(sentence.first, sentence.last) if words[at] in _WRITERS and at not in quoted]
        if devices:
            ours = any(words[at] in ("our", "my") and at not in quoted for at in range(sentence.first, sentence.last))
            return ours or bool(writers)
        if not writers:
            return False
        trying = {mark.first for mark in sentence.of_kind("trying-verb")}
        tried = any(at + step in trying for at in writers for step in (1, 2))
        measured = [*recording, *outcomes] if tried else recording
        return any(
            writers[0] < mark.first and (words[mark.first - 1] == "and" or words[mark.first - 2] == "and")
            for mark in measured
        )

    def _own_work(self, sentence: Sentence, quoted: set[int]) -> bool:
        """As in "in our FP8 GEMM sweep": a possessive of the writer's, with a noun of measuring close behind it."""
        nouns = {mark.first for mark in sentence.of_kind("own-noun")}
        verbs = sentence.has("measuring-verb")
        recording = {mark.first for mark in sentence.of_kind("recording-verb")}
        words = self.tokens.words
        ours = [at for at in range(sentence.first, sentence.last) if words[at] in ("our", "my") and at not in quoted]
        if not ours:
            return False
        if any(self._is_ours(figure, ours) for figure in sentence.figures):
            return True
        products = {mark.first for mark in sentence.of_kind("product")} if verbs else set()
        if any(at + step in recording for at in ours for step in range(2, _RECORDER)):
            return True  # "our PDU logged 512 W"
        near = any(0 < noun - at <= _OWN_REACH for at in ours for noun in nouns)
        return near or any(at + 1 in products for at in ours) or self._leads_in(sentence, ours, nouns)

    def _is_ours(self, figure: Figure, ours: list[int]) -> bool:
        """As in "Our 2.9 TB/s for the H100": a result that the writer has, not "our 80 GB cards"."""
        if figure.kind == "count" or self.tokens.first_from(figure.start) - 1 not in ours:
            return False
        last = self.tokens.first_from(figure.end)
        return last >= len(self.tokens.words) or self.tokens.words[last] in _AFTER_RESULT

    def _leads_in(self, sentence: Sentence, ours: list[int], nouns: set[int]) -> bool:
        """As in "Same copy test, our machines: 4.1 TB/s on an MI300X": what stands before a colon is of all behind."""
        colon = next((at for at in range(ours[0], sentence.last) if self.tokens.words[at] == ":"), 0)
        before = sentence.figures and self.tokens.first_from(sentence.figures[0].start) > colon
        return bool(colon and before) and any(noun < ours[0] for noun in nouns)
