"""Numbers that someone set: parameters of a run, hardware it ran on, and values that an instruction gives."""

from __future__ import annotations

from caveat.figures.context import Context
from caveat.figures.words import LINKS, SETUP, word_set
from caveat.markdown.document import Block

_CLAUSE_STARTS = word_set(", ; : . ! ? ( - – — and then or please not should must to never always can just also")
_INSTRUCTION_LINKS = word_set(
    "to at under below above over of = with for around about within between than on up least most only by"
)
_DIRECT_LINKS = word_set("of = : to at is was ~ ≈ about around up a")
_NEAR = 3
# What opens a sentence whose main clause may be an instruction: "To see it, limit the cards to 250 W".
_LEADS = word_set("to if for before when then first next please now finally after while once")
# What a verb acts on, or how, when it gives an instruction: "clamp each", "hold them", "run at".
_ACTED_ON = word_set("the a an each every it them your all both this that these those to up down one at for any")
# Before a verb that is always one of setting: "we set the limit to"; "we cut it by" tells what was done.
_TOLD = word_set(": should must you we")
_JOINS = word_set("and , ; : or but")
_SUBJECTS = word_set("you it they we i which that this there")
_TELLING = word_set(
    "is are was were will has have had gives give gets needs takes becomes goes draws runs stays loses costs"
)


def parameter_before(context: Context, index: int, block: Block, *, near: bool = False) -> bool:
    """Whether the name of a parameter leads to a number: "batch size of up to 64".

    `near` asks for one that stands right before it or one word away, for numbers that have a unit.
    """
    tokens = context.tokens
    for step in range(6):
        mark = context.before(index, "setting", block)
        if mark is not None and not (near and mark.value == "bare"):
            return True
        index -= 1
        word = context.word(index, block)
        if not word or word not in (_DIRECT_LINKS if near else LINKS) or (near and step >= _NEAR):
            return False
        if step and tokens.starts[index + 1] - tokens.ends[index] > 40:
            return False
    return False


def instructed(context: Context, index: int, block: Block) -> bool:
    """Whether an imperative gives a number: "set the limit to 512 MB", "Keep temperature at 0.7"."""
    words, starts = context.tokens.words, context.tokens.starts
    link = context.word(index - 1, block)
    verb_next = index > 0 and context.starting_at(starts[index - 1], "instruction") is not None if link else False
    if (link not in _INSTRUCTION_LINKS and not verb_next) or _compares(context, index, block):
        return False
    begin = context.sentence_start(index, block)
    opens = _orders(context, begin, block) or words[begin] in _LEADS
    for at in range(index - 1, max(begin, index - 16) - 1, -1):
        if words[at] in _JOINS and _starts_clause(context, at, index):
            return False
        if not _orders(context, at, block):
            continue
        if at == begin or (opens and words[at - 1] in _CLAUSE_STARTS):
            return True
        told = context.starting_at(starts[at], "instruction") is not None and words[at - 1] in _TOLD
        if told or words[at - 1] == "please" or (at - 1 == begin and words[begin] == "then"):
            return True
    return False


def _compares(context: Context, index: int, block: Block) -> bool:
    """As in "Budget for a bill up to 50% below that of ...": a percentage of less than something, and no setting."""
    words, starts = context.tokens.words, context.tokens.starts
    if context.word(index + 1, block) != "%" or context.word(index + 2, block) == "":
        return False
    compared = context.word(index + 3, block) in ("than", "that", "what")
    return compared and context.starting_at(starts[index + 2], "change") is not None and words[index - 1] == "to"


def _orders(context: Context, at: int, block: Block) -> bool:
    """Whether a token is a verb that may give an instruction, some only before what they act on: "clamp the cards"."""
    start = context.tokens.starts[at]
    if context.starting_at(start, "instruction") is not None:
        return True
    if context.starting_at(start, "order") is None:
        return False
    following = context.word(at + 1, block)
    return following in _ACTED_ON or (following != "" and context.is_name(at + 1, block))


def _starts_clause(context: Context, at: int, stop: int) -> bool:
    """Whether "and", or a sign, leads to a clause that tells what comes of it: "and the rate falls to 94%"."""
    words, starts = context.tokens.words, context.tokens.starts
    if words[at + 1] in _SUBJECTS:
        return True
    told = (words[step] in _TELLING or context.starting_at(starts[step], "change") for step in range(at + 2, stop))
    return any(told)


def set_up(context: Context, index: int, block: Block) -> bool:
    """Whether a number of devices is what a run used: "on 8 H100s", "across 64 GPUs"."""
    return context.word(index - 1, block) in SETUP
