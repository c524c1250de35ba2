"""Two products set against each other, and a table of several, as text for people and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from typing import Any

from caveat.binding.ratios import printed_quotient
from caveat.comparing.compare import Row, Verdict, heading
from caveat.comparing.tables import NOT_STATED, Cell, Line, Table, as_markdown
from caveat.registry.registry import UNSTATED, Claim, Product, Registry
from caveat.report.registry import basis_text, claim_record, publisher_of
from caveat.report.text import counted, visible

_DIGITS = 4  # of an end of an interval: more say nothing, and less would close it


def render_comparison(registry: Registry, left: Product, right: Product, rows: Sequence[Row], fmt: str) -> str:
    """What both products have, row by row, and whether it compares: a JSON object for "json", else text."""
    if fmt == "json":
        products = {"left": _product(registry, left), "right": _product(registry, right)}
        return _json({**products, "metrics": [_row_record(registry, row) for row in rows]})
    blocks = [_row_text(registry, (left, right), row) for row in rows]
    verdicts = [verdict for row in rows for verdict in row.verdicts]
    like = sum(verdict.ratio is not None for verdict in verdicts)
    count = counted(len(rows), "metric")
    return "\n".join([*blocks, f"{count}: {like} like for like, {len(verdicts) - like} not\n"])


def render_table(registry: Registry, table: Table, fmt: str) -> str:
    """A table of products: a JSON object for "json", else Markdown."""
    if fmt != "json":
        return as_markdown(table)
    return _json(
        {
            "products": [_product(registry, product) for product in table.products],
            "rows": [_line_record(registry, line) for line in table.lines],
            "notes": table.notes,
        }
    )


def _row_text(registry: Registry, products: tuple[Product, Product], row: Row) -> str:
    lines = [heading(registry, row.metric, row.precision)]
    cells = [
        (product.name, *_claim_cells(registry, claim))
        for product, claims in zip(products, (row.left, row.right), strict=True)
        for claim in claims or ([] if row.published else [None])
    ]
    names = {product.id: product.name for product in products}
    cells += [(f"{names[c.product]} to {names[c.compare_to]}", *_claim_cells(registry, c)) for c in row.published]
    widths = [max(len(visible(cell[at])) for cell in cells) for at in range(len(cells[0]))]
    for cell in cells:
        padded = (visible(text).ljust(width) for text, width in zip(cell, widths, strict=True))
        lines.append(f"  {'  '.join(padded)}".rstrip())
    for verdict in row.verdicts:
        lines += [f"  {_verdict_text(verdict)}", f"    {visible(verdict.sentence)}"]
    return "".join(f"{line}\n" for line in lines)


def _claim_cells(registry: Registry, claim: Claim | None) -> tuple[str, ...]:
    """What a line says of a claim: its value, what it counts, who published it, and its id."""
    if claim is None:
        return (NOT_STATED, "", "", "")
    basis = [basis_text(claim), f"computed: {claim.derived}" if claim.derived else "", claim.as_of]
    if claim.status != "current":
        basis.append(f"{claim.status}: {', '.join(claim.conflicts)}")
    who = publisher_of(registry, registry.sources[claim.source], claim)
    return (claim.stated, "; ".join(part for part in basis if part), who, claim.id)


def _verdict_text(verdict: Verdict) -> str:
    ids = visible(f"{verdict.left.id} to {verdict.right.id}")
    if verdict.interval is not None:
        low, high = _ends(verdict)
        return f"like for like, {printed_quotient(verdict.left, verdict.right)} ({low} to {high}): {ids}"
    reasons = [f"{name}: {_said(left)} against {_said(right)}" for name, left, right in verdict.differences]
    return f"no like-for-like ratio, {visible('; '.join(reasons) or 'the sources conflict')}: {ids}"


def _said(value: str) -> str:
    return NOT_STATED if value in ("", UNSTATED) else value


def _ends(verdict: Verdict) -> tuple[Decimal, Decimal]:
    """The interval of a ratio, rounded outwards."""
    assert verdict.interval is not None
    low, high = verdict.interval
    return (
        Context(prec=_DIGITS, rounding=ROUND_FLOOR).create_decimal(low),
        Context(prec=_DIGITS, rounding=ROUND_CEILING).create_decimal(high),
    )


def _row_record(registry: Registry, row: Row) -> dict[str, Any]:
    return {
        "metric": row.metric,
        "precision": row.precision,
        "left": [claim_record(registry, claim) for claim in row.left],
        "right": [claim_record(registry, claim) for claim in row.right],
        "published": [claim_record(registry, claim) for claim in row.published],
        "comparisons": [_verdict_record(verdict) for verdict in row.verdicts],
    }


def _verdict_record(verdict: Verdict) -> dict[str, Any]:
    ratio = None
    if verdict.ratio is not None:
        low, high = _ends(verdict)
        ratio = {"value": float(f"{verdict.ratio:.6g}"), "low": float(low), "high": float(high)}
    return {
        "left": verdict.left.id,
        "right": verdict.right.id,
        "comparable": ratio is not None,
        "differences": [difference._asdict() for difference in verdict.differences],
        "ratio": ratio,
        "sentence": verdict.sentence,
    }


def _line_record(registry: Registry, line: Line) -> dict[str, Any]:
    cells = [_cell_record(registry, cell) for cell in line.cells]
    return {"metric": line.metric, "precision": line.precision, "title": line.title, "cells": cells}


def _cell_record(registry: Registry, cell: Cell) -> dict[str, Any]:
    return {"text": cell.text, "claims": [claim_record(registry, claim) for claim in cell.claims]}


def _product(registry: Registry, product: Product) -> dict[str, str]:
    return {
        "id": product.id,
        "name": product.name,
        "vendor": registry.vendors[product.vendor].name,
        "unit": product.unit,
        "status": product.status,
    }


def _json(data: Any) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
