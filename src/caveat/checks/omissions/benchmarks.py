"""Whether a measured score says of which model it is, on how many devices, and at which precision or load."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import takewhile

from caveat.article import Article
from caveat.checks.claimless import claims_nothing
from caveat.checks.common import figure_finding, words_between
from caveat.checks.omissions.models import names_model
from caveat.checks.surroundings import Surroundings
from caveat.figures.figure import Figure, Number
from caveat.figures.words import CARDINALS
from caveat.finding import Finding
from caveat.reading.sentences import Sentence
from caveat.reading.statements import Statement
from caveat.rulebook.rules import Rule

MODEL, COUNT, LOAD = "the model", "the number of devices", "the precision or load"
NEEDS = (MODEL, COUNT, LOAD)
_HEADERS = ((MODEL, "model-header"), (COUNT, "count-header"))
# How many words may stand between a time and what makes it a score, or a limit.
_SCORE_REACH = 14
_LIMIT_REACH = 12
# How many words before a figure tell that it is a result.
_RESULT_REACH = 2
# "a single NVIDIA H200": how far before a device the word for one may stand.
_ONE_REACH = 3
_LOADS = frozenset(("request-rate", "query-rate"))
# Rates of other things than models as well: of proxies, databases, cameras.
_ANYTHING = frozenset(("request-rate", "query-rate", "frame-rate", "image-rate"))
_LOAD_LEADS = frozenset(("at", "of", "with", "offered", "to", "under"))
# Before the values of a change; signs that say "about" as often as they say "equals".
_OLD_AND_NEW = frozenset(("from", "to", "into", "and", "against", "than"))
_ABOUT = frozenset(("≈", "≃", "~"))
_CLAUSE_SIGNS = frozenset((",", ";", ":"))
# What takes its time, before "took".
_RUNS = frozenset(("it", "that", "this", "run", "job", "which"))
# Before the time that a run took.
_TAKING = frozenset(("took", "takes", "in", "needed", "needs", "lasted", "after"))
_HARDWARE = frozenset(("setting", "count", "multiplicity", "figure"))
# How many blocks above a table may tell its set-up.
_ABOVE = 3
# How many sentences under a heading may do so.
_BELOW = 4
_DEVICES = frozenset(
    (
        "chip",
        "GPU",
        "TPU",
        "CPU",
        "accelerator",
        "card",
        "device",
        "node",
        "instance",
        "rack",
        "pod",
        "superchip",
        "core",
    )
)
_DEVICE_WORDS = (
    "gpu",
    "tpu",
    "cpu",
    "lpu",
    "ipu",
    "npu",
    "rdu",
    "chip",
    "card",
    "accelerator",
    "device",
    "node",
    "rack",
    "server",
    "instance",
)


def benchmark_context(article: Article, rule: Rule) -> Iterator[Finding]:
    """Measured scores of models that leave out what they depend on.

    Options: `rates`, the dimensions of figures that are scores by their unit.
    """
    scores = _Scores(article, frozenset(rule.options["rates"]))
    if not scores.found:
        return
    context = _Context(article, scores)
    for binding in article.bindings:
        statement = binding.statement
        figure, sentence = statement.figure, statement.sentence
        if id(statement) not in scores.found:
            continue
        if claims_nothing(article, binding) and not sentence.has("results-body"):
            continue
        missing = [need for need in NEEDS if need not in context.given(sentence)]
        if missing:
            yield figure_finding(article, rule, figure, missing=_listed(missing))


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


class _Scores:
    """Which statements of a draft tell a measured score of a model."""

    def __init__(self, article: Article, rates: frozenset[str]) -> None:
        self.article = article
        self.rates = rates
        self.around = Surroundings(article)
        self.found: set[int] = set()
        self.sentences: set[int] = set()
        for statement in article.statements:
            if statement.figure.kind == "measure" and self._is_score(statement):
                self.found.add(id(statement))
                self.sentences.add(statement.sentence.index)

    def _is_score(self, statement: Statement) -> bool:
        """Whether a figure is a rate or a time of a model that somebody measured."""
        figure, sentence, article = statement.figure, statement.sentence, self.article
        if figure.dimension not in self.rates and figure.dimension != "time":
            return False
        if figure.dimension in self.rates:
            if sentence.has("other-rate"):
                return False
            scored = not self._is_load(figure)
            on_device = figure.dimension == "image-rate" and self._ran_on_device(sentence)
            if figure.dimension in _ANYTHING and not on_device and not self._speaks_of_model(sentence):
                return False
        else:
            scored = self._is_latency(figure, sentence) or self._is_training(figure, sentence)
        if not scored or self._follows(statement) or article.stances.silences(sentence):
            return False
        if article.stances.rejects(sentence, figure) or self._is_theory(figure, sentence):
            return False
        return not self._is_limit(figure, sentence)

    def _is_theory(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "theoretically 300 tokens/s", "it would do 300": nothing that was measured."""
        if sentence.has("theory-word", "theory"):
            return True
        words, first = self.article.tokens.words, self.article.tokens.first_from(figure.start)
        verbs = sentence.of_kind("theory-verb")
        return any(not _CLAUSE_SIGNS.intersection(words[min(v.first, first) : max(v.last, first)]) for v in verbs)

    def _follows(self, statement: Statement) -> bool:
        """As in "That makes 6.84 million tokens an hour": what other figures come to; not the new value of a change."""
        figure, sentence = statement.figure, statement.sentence
        first, words = self.article.tokens.first_from(figure.start), self.article.tokens.words
        if self.article.is_result(statement) and words[first - 1] not in _OLD_AND_NEW:
            return True
        plain = [m for m in sentence.of_kind("plain-result-word") if 0 <= first - m.last <= _RESULT_REACH]
        return any(words[mark.first] not in _ABOUT for mark in plain) and sentence.figures[0] is not figure

    def _is_load(self, figure: Figure) -> bool:
        """As in "at 12 requests per second": how much a model was given, not what it did."""
        first = self.article.tokens.first_from(figure.start)
        return figure.dimension in _LOADS and self.article.tokens.words[first - 1] in _LOAD_LEADS

    def _ran_on_device(self, sentence: Sentence) -> bool:
        """As in "212 images/s on one L4": a product that something runs on, as its network."""
        words, article = self.article.tokens.words, self.article
        starts = (article.tokens.first_from(m.start) for m in article.subjects.mentions(sentence))
        return any("on" in words[max(sentence.first, at - _ONE_REACH) : at] for at in starts)

    def _speaks_of_model(self, sentence: Sentence) -> bool:
        """Whether requests are those to a model, and not to a proxy: a model or its serving is named near."""
        near = [
            sentence,
            *self.around.before(sentence),
            *self.around.of_place(sentence),
            *self.around.headings(sentence),
        ]
        return any(names_model(self.article, s) or s.has("serving-word") or s.has("results-body") for s in near)

    def _is_latency(self, figure: Figure, sentence: Sentence) -> bool:
        """Whether a time is that of a first token, of a token or of an inference."""
        if "token" in figure.per or "image" in figure.per:
            return True
        labels = self.article.labels(sentence)
        if any(label.has("latency-score") for label in labels if label is not sentence):
            return self.article.document.blocks[sentence.block].table >= 0 or not sentence.has("other-latency")
        marks = sentence.of_kind("latency-score")
        if any(words_between(self.article, figure, mark) <= _SCORE_REACH for mark in marks if mark.value != "whole"):
            return True
        if names_model(self.article, sentence):
            marks = marks + sentence.of_kind("model-latency")  # "puts Whisper latency at 180 ms"
        return not sentence.has("other-latency") and any(
            words_between(self.article, figure, mark) <= _SCORE_REACH for mark in marks
        )

    def _is_training(self, figure: Figure, sentence: Sentence) -> bool:
        """Whether a time is that of a training run or of a step of it."""
        if figure.base()[0] <= 0 or sentence.has("other-latency"):
            return False
        marks = sentence.of_kind("training-score")
        near = any(words_between(self.article, figure, mark) <= _SCORE_REACH for mark in marks)
        table = self.article.document.blocks[sentence.block].table >= 0
        labelled = table and any(s.has("training-score") for s in self.around.column(sentence))
        named, body = names_model(self.article, sentence), sentence.has("results-body")
        told = named or body or (near and self._ends_run(figure, sentence))
        return (near and told) or (named and body) or labelled or self._goes_on_training(sentence)

    def _ends_run(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "the fine-tune finished in 47 minutes on eight A100s": how long a run took, on a known device."""
        lead = self.article.tokens.words[self.article.tokens.first_from(figure.start) - 1]
        return lead in _TAKING and any(m.product for m in self.article.subjects.mentions(sentence))

    def _goes_on_training(self, sentence: Sentence) -> bool:
        """As in "We trained a 1.3B model. In FP8 it took 38 hours": the run of the sentence before."""
        words = self.article.tokens.words[sentence.first : sentence.last]
        at = words.index("took") if "took" in words else 0
        if at == 0 or words[at - 1] not in _RUNS:
            return False
        return any(s.has("training-score") and names_model(self.article, s) for s in self.around.before(sentence)[:1])

    def _is_limit(self, figure: Figure, sentence: Sentence) -> bool:
        """As in "demands at least 25 tokens per second": what is asked for, not what was measured."""
        marks = sentence.of_kind("limit-word")
        if any(words_between(self.article, figure, mark) <= _LIMIT_REACH for mark in marks):
            return True
        labels = self.article.labels(sentence)
        if any(label.has("limit-word") for label in labels if label is not sentence):
            return True
        around = [*self.around.before(sentence), *self.around.of_place(sentence), *self.around.headings(sentence)]
        return any(s.has("human-speed") for s in (sentence, *around))


class _Context:
    """What a draft says of the runs behind its scores, sentence by sentence."""

    def __init__(self, article: Article, scores: _Scores) -> None:
        self.article = article
        self.scores = scores
        self.around = scores.around
        self._said: dict[int, frozenset[str]] = {}
        self._given: dict[int, frozenset[str]] = {}
        self.everywhere = self._union(s for s in article.sentences if self._sets_up(s))

    def given(self, sentence: Sentence) -> frozenset[str]:
        """Which needs the sentence of a score, or what it plainly belongs to, answers."""
        found = self._given.get(sentence.index)
        if found is None:
            found = self.said(sentence) | self.everywhere | self._union(self._reach(sentence))
            if self.article.document.blocks[sentence.block].table >= 0:
                found |= self._headed(sentence)
            self._given[sentence.index] = found
        return found

    def _union(self, sentences: Iterable[Sentence]) -> frozenset[str]:
        return frozenset().union(*(self.said(sentence) for sentence in sentences))

    def _reach(self, sentence: Sentence) -> Iterator[Sentence]:
        """The sentences whose words are plainly about the scores of one."""
        yield from self.around.of_place(sentence)
        yield from self.around.headings(sentence)
        beside = [*self.around.before(sentence), *self.around.behind(sentence), *self.around.opening(sentence)]
        yield from (s for s in beside if s.index not in self.scores.sentences)
        if not self._starts_anew(sentence):
            yield from (s for s in self.around.before(sentence) if s.index in self.scores.sentences)
        yield from self._above_table(sentence)
        yield from self._below_heading(sentence)

    def _starts_anew(self, sentence: Sentence) -> bool:
        """Whether a sentence speaks of another run than the one before: it names a model or an organisation."""
        return MODEL in self.said(sentence) or bool(self.article.sourcing.own(sentence).organisations)

    def _above_table(self, sentence: Sentence) -> Iterator[Sentence]:
        """The blocks of the section right above a table that tell no score themselves."""
        document = self.article.document
        table = document.blocks[sentence.block].table
        if table < 0:
            return
        before = document.tables[table].before
        for block in range(before, max(before - _ABOVE, -1), -1):
            if document.blocks[block].kind == "heading" or document.blocks[block].table >= 0:
                break
            yield from (s for s in self.article.subjects.of_block(block) if s.index not in self.scores.sentences)

    def _below_heading(self, sentence: Sentence) -> list[Sentence]:
        """The first sentences under a heading that tells a score, up to the next score."""
        if self.article.document.blocks[sentence.block].kind != "heading":
            return []
        below = self.article.subjects.of_block(sentence.block + 1)[:_BELOW]
        return list(takewhile(lambda s: s.index not in self.scores.sentences, below))

    def _headed(self, sentence: Sentence) -> frozenset[str]:
        """What the header of a table names and the cell's row fills in: a column of models, of GPUs, of batches."""
        block = self.article.document.blocks[sentence.block]
        rows = self.article.document.tables[block.table].rows
        filled = [head for head, cell in zip(rows[0], rows[block.row], strict=False) if head >= 0 and cell >= 0]
        heads = [s for head in filled for s in self.article.subjects.of_block(head)]
        found = set(self._union(heads)) & {LOAD}
        found |= {need for need, kind in _HEADERS if any(s.has(kind) for s in heads)}
        return frozenset(found)

    def _sets_up(self, sentence: Sentence) -> bool:
        """Whether a sentence tells the set-up of all runs, by its words or by the heading it stands under."""
        if sentence.index in self.scores.sentences:
            return False
        if sentence.has("set-up-statement"):
            return True
        heading = self.article.subjects.heading_of(sentence.block)
        return heading >= 0 and any(s.has("set-up-title") for s in self.article.subjects.of_block(heading))

    def said(self, sentence: Sentence) -> frozenset[str]:
        """Which needs a sentence's own words answer."""
        found = self._said.get(sentence.index)
        if found is None:
            answers = []
            if names_model(self.article, sentence):
                answers.append(MODEL)
            if self._counts(sentence):
                answers.append(COUNT)
            if sentence.has("precision") or sentence.has("quantised") or sentence.has("load-word"):
                answers.append(LOAD)
            found = self._said[sentence.index] = frozenset(answers)
        return found

    def _counts(self, sentence: Sentence) -> bool:
        """Whether a sentence says on how many devices something ran."""
        if sentence.has("system-word") or sentence.has("parallel-word"):
            return True
        mentions = self.article.subjects.mentions(sentence)
        if self._has_plural(sentence):
            return True
        if any(self._is_part_of(number) for number in sentence.numbers):
            return False
        if any(self._is_count(number) for number in sentence.numbers):
            return True
        if any(m.count != 1 for m in mentions):
            return True
        devices = [mark.first for mark in sentence.of_kind("counted")]
        devices += [self.article.tokens.first_from(m.start) for m in mentions]
        return any(self._is_one(at, sentence) for at in devices)

    def _has_plural(self, sentence: Sentence) -> bool:
        """As in "on two L4s": a number, and the plural of a name like a product's."""
        tokens, prose = self.article.tokens, self.article.document.prose
        for at in range(sentence.first, sentence.last - 1):
            name = tokens.words[at + 1]
            if tokens.words[at] in CARDINALS and name.endswith("s") and any(c.isdigit() for c in name):
                return prose[tokens.starts[at + 1]].isupper()
        return False

    def _is_part_of(self, number: Number) -> bool:
        """As in "37 of 512 H200s failed", which is no set-up."""
        words, at = self.article.tokens.words, self.article.tokens.first_from(number.end)
        return words[at : at + 1] == ["of"] and any(word[:1].isdigit() for word in words[at + 1 : at + 2])

    def _is_count(self, number: Number) -> bool:
        """As in "eight GPUs", "2,048 H100s", "8x", "8xH100"."""
        text = self.article.words(number.start, number.end).lower()
        lead = text.lstrip("0123456789,")
        if lead[:1] in ("x", "×") and lead != text and len(lead) > 1:
            return not (lead[1:-1].isdigit() and lead[-1] == "b")  # "8xH100", and no "Mixtral 8x7B"
        if number.reading == "number":
            at = self.article.tokens.first_from(number.end)
            return any(word.removesuffix("s") in _DEVICE_WORDS for word in self.article.tokens.words[at : at + 1])
        if number.reading not in _HARDWARE:
            return False
        if number.reading == "multiplicity" or number.why == "the hardware of a run":
            return True
        if number.figure is not None:
            return number.figure.kind == "count" and number.figure.noun in _DEVICES
        return any(device in text for device in _DEVICE_WORDS)

    def _is_one(self, at: int, sentence: Sentence) -> bool:
        """Whether a word for one leads up to a device: "a single NVIDIA H200", "an H100"."""
        tokens = self.article.tokens
        ones = {mark.first for mark in (*sentence.of_kind("one-word"), *sentence.of_kind("count-word"))}
        names = {mark.first for mark in sentence.marks if mark.kind in ("vendor", "product-line", "memory", "product")}
        for step in range(at - 1, max(sentence.first, at - _ONE_REACH) - 1, -1):
            if step in ones:
                return True
            if tokens.words[step] in CARDINALS or tokens.words[step].isdigit():
                return True
            word = self.article.document.prose[tokens.starts[step] : tokens.ends[step]]
            rented = tokens.words[step - 1] in ("a", "an") and word.endswith("ed")  # "on a rented H200"
            if step not in names and not rented and not word[:1].isupper():
                return False
        return False
