"""Whether words name a model, and not a product."""

from __future__ import annotations

from caveat.article import Article
from caveat.figures.figure import MODEL_SIZE
from caveat.reading.sentences import Sentence


def names_model(article: Article, sentence: Sentence) -> bool:
    """Whether a sentence names a model, by its family or by the size in its name: "70B", "Qwen3-235B"."""
    if sentence.has("model-family"):
        return True
    names = (n for n in sentence.numbers if n.reading == "name")
    return any(n.why == MODEL_SIZE or ends_in_size(article.words(n.start, n.end)) for n in names)


def ends_in_size(name: str) -> bool:
    """Whether a name ends in a number of billions: "Qwen3-235B"."""
    return name[-1:] in ("b", "B") and name[-2:-1].isdigit()
