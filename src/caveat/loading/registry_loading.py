"""The folders of a registry from their files to records that hold together, with every fault of the folders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from caveat.figures.figure import ANY_METRIC, Figure
from caveat.figures.readings import read_quantity
from caveat.figures.vocabulary import Vocabulary, compile_vocabulary
from caveat.loading.problems import Problem, quoted, suggest
from caveat.loading.registry_checks import check_derived, check_references
from caveat.loading.registry_files import Records, read_records
from caveat.loading.registry_schema import DATES, WORDS, ClaimEntry, is_date
from caveat.loading.validation import Placed
from caveat.registry.registry import UNSTATED


def load_registry(
    folders: Sequence[str],
    vocabulary_file: str,
    problems: list[Problem],
    qualifiers: Mapping[str, str],
    known_vocabulary: dict[str, Any] | None = None,
) -> tuple[Records, dict[str, Any]]:
    """The records of folders with the figures of their claims, and the vocabulary (as written) that they are in.

    `vocabulary_file` is the shipped vocabulary, to which the folders may add; `qualifiers` gives the canonical
    qualifier of each phrase, in lower case; `known_vocabulary` is the shipped one, if it has been read already. Every
    fault is added to `problems`; faulty records stay without an entry.
    """
    records = read_records(folders, problems)
    return records, check_records(records, vocabulary_file, problems, qualifiers, known_vocabulary)


def check_records(
    records: Records,
    vocabulary_file: str,
    problems: list[Problem],
    qualifiers: Mapping[str, str],
    known_vocabulary: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Check what must hold between records, add the figures of their claims, and return their vocabulary."""
    if known_vocabulary is not None and not records.vocabularies:
        merged = known_vocabulary
    else:
        from caveat.loading.vocabulary_schema import merge_vocabularies

        merged = merge_vocabularies(vocabulary_file, records.vocabularies, problems)
    vocabulary = Vocabulary(compile_vocabulary(merged))
    check_references(records, problems)
    for id_, claim in records.claims.items():
        if claim.entry is not None:
            _check_basis(claim, claim.entry, merged["dimensions"], problems)
            figure = _read_value(claim, claim.entry, merged["metrics"], vocabulary, problems)
            qualifier = _canonical(claim, claim.entry, qualifiers, problems)
            if figure is not None:
                figure.qualifier = qualifier
                records.figures[id_] = figure
    check_derived(records, problems)
    return merged


def _canonical(
    claim: Placed[ClaimEntry], entry: ClaimEntry, qualifiers: Mapping[str, str], problems: list[Problem]
) -> str:
    """The canonical qualifier of a claim, "" if it has none."""
    if not entry.qualifier:
        return ""
    canonical = qualifiers.get(entry.qualifier.lower())
    if canonical is None:
        message = f"{quoted(entry.qualifier)} is not a known qualifier"
        problems.append(claim.problem(("qualifier",), message, suggest(entry.qualifier, qualifiers)))
    return canonical or ""


def _check_basis(
    claim: Placed[ClaimEntry], entry: ClaimEntry, dimensions: Mapping[str, Any], problems: list[Problem]
) -> None:
    """The dimensions of a basis are known, and so are their values unless the dimension is open."""
    for dimension, value in entry.basis.items():
        known = dimensions.get(dimension)
        if known is None:
            assert isinstance(claim.node.value, dict)
            line, column = claim.node.value["basis"].keys[dimension]
            message = f"basis: unknown dimension {quoted(dimension)}"
            problems.append(Problem(claim.file, line, column, claim.subject, message, suggest(dimension, dimensions)))
        elif known.get("open") != "yes":
            values = [*known.get("values", ()), *known.get("aliases", ())]
            if value not in values and value != UNSTATED:
                message = f"{quoted(value)} is not a known value"
                hint = suggest(value, dict.fromkeys([*values, UNSTATED]))
                problems.append(claim.problem(("basis", dimension), message, hint))


def _read_value(
    claim: Placed[ClaimEntry],
    entry: ClaimEntry,
    metrics: Mapping[str, Any],
    vocabulary: Vocabulary,
    problems: list[Problem],
) -> Figure | None:
    """The figure that a claim's value is; None for words, dates and what cannot be read."""
    if entry.metric not in metrics:
        message = f"no metric has the name {quoted(entry.metric)}"
        problems.append(claim.problem(("metric",), message, suggest(entry.metric, metrics)))
        return None
    if entry.metric in WORDS:
        return None
    if entry.metric in DATES:
        if not is_date(entry.value):
            message = f"{quoted(entry.value)} is not a date"
            problems.append(claim.problem(("value",), message, "write YYYY-MM-DD, for example 2025-12-02"))
        return None
    figure = read_quantity(entry.value, vocabulary)
    if figure is None:
        message = f"{quoted(entry.value)} is not a number with a known unit"
        hint = 'write one number and its unit, for example 144 GB, 4.4x, -50% or 8 GPUs; "up to" goes into qualifier'
        problems.append(claim.problem(("value",), message, hint))
        return None
    allowed = vocabulary.metrics[entry.metric]
    if allowed and figure.kind not in ANY_METRIC and not vocabulary.fits(entry.metric, _dimension(figure)):
        message = f"{quoted(entry.value)} is no value of {entry.metric}"
        problems.append(claim.problem(("value",), message, f"write a value in a unit of {' or '.join(allowed)}"))
    return figure


def _dimension(figure: Figure) -> str:
    """The dimension of a figure's unit; a bare count is of the dimension "count"."""
    return figure.dimension or ("count" if figure.kind == "count" else "")
