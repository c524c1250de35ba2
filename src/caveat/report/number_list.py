"""Every number of a draft, how it was read, and why: what `--show-figures` prints."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from caveat.markdown.source import Source
from caveat.report.concise import place
from caveat.report.json_report import array, position
from caveat.report.text import visible

if TYPE_CHECKING:
    from caveat.article import Article
    from caveat.figures.figure import Figure, Number


def as_text(articles: Iterable[Article]) -> str:
    """One line a number: `path:row:column: text: reading (value), why`."""
    return "".join(visible(_line(article, number)) + "\n" for article in articles for number in article.numbers)


def as_json(articles: Iterable[Article]) -> str:
    """A JSON array with one object a number."""
    return array(_object(article.document.source, number) for article in articles for number in article.numbers)


def _line(article: Article, number: Number) -> str:
    words = article.told(number.start, number.end)
    figure = number.figure
    value = f" {figure.kind}, {_value(figure)}" if figure else ""
    reason = f" ({number.why})" if number.why else ""
    return f"{place(article.document.source, number.start)}: {words}: {number.reading}{value}{reason}"


def _value(figure: Figure) -> str:
    """The value as it was understood: `up to 2520 TFLOPS per GPU`."""
    low, high = figure.quantity.low, figure.quantity.high
    span = f"{low:f}" if low == high else f"{low:f} to {high:f}"
    per = "".join(f" per {name}" for name in figure.per)
    return " ".join(f"{figure.qualifier} {span} {figure.unit} {figure.noun}".split()) + per


def _object(source: Source, number: Number) -> dict[str, Any]:
    figure = number.figure
    return {
        "filename": source.filename,
        "location": position(source, number.start),
        "end_location": position(source, number.end),
        "text": source.text[number.start : number.end],
        "reading": number.reading,
        "why": number.why,
        "kind": figure.kind if figure else None,
        "value": _value(figure) if figure else None,
        "unit": figure.unit if figure else None,
    }
