"""Drafts and registries made for measuring: always the same, and as dense in figures as an article on hardware."""

from __future__ import annotations

import os
from collections.abc import Iterator

PRODUCTS_PER_VENDOR = 5
CLAIMS_PER_PRODUCT = 5
ARTICLE = 10_000  # characters


def write_registry(folder: str, claims: int) -> None:
    """A registry of so many claims, sources and products in proportion, in files of a few hundred claims."""
    os.makedirs(folder)
    per_file = 300
    for first in range(0, claims, per_file):
        with open(os.path.join(folder, f"part{first // per_file:03}.yaml"), "w", encoding="utf-8") as file:
            file.write("\n".join(_registry_part(first, min(first + per_file, claims))) + "\n")


def _registry_part(first: int, last: int) -> Iterator[str]:
    products = range(first // CLAIMS_PER_PRODUCT, (last - 1) // CLAIMS_PER_PRODUCT + 1)
    vendors = range(products[0] // PRODUCTS_PER_VENDOR, products[-1] // PRODUCTS_PER_VENDOR + 1)
    yield "vendors:"
    for vendor in vendors:
        yield f"  maker{vendor}: {{name: {_word('Vel', vendor)}, aliases: [{_word('Vel', vendor)} Systems]}}"
    yield "products:"
    for product in products:
        vendor = product // PRODUCTS_PER_VENDOR
        name = _word("Kor", product)
        yield f"  chip{product}: {{name: {name}, vendor: maker{vendor}, unit: chip, aliases: [{name} chip]}}"
    yield "sources:"
    for vendor in vendors:
        yield f"  sheet{vendor}:"
        yield f'    title: "{_word("Vel", vendor)} accelerator data sheet"'
        yield f"    publisher: maker{vendor}"
        yield "    kind: vendor-doc"
        yield f"    url: https://example.com/maker{vendor}/data-sheet"
        yield "    retrieved: 2026-11-30"
    yield "claims:"
    for claim in range(first, last):
        yield from _claim(claim)


def _claim(claim: int) -> Iterator[str]:
    product = claim // CLAIMS_PER_PRODUCT
    metric, value, basis = (
        ("memory-capacity", f"{memory(product)} GB", "{scope: chip}"),
        ("memory-bandwidth", f"{bandwidth(product)} TB/s", "{scope: chip}"),
        ("power", f"{power(product)} W", "{scope: chip}"),
        ("compute", f"{compute(product)} TFLOPS", "{precision: FP8, sparsity: dense, scope: chip, kind: peak}"),
        ("compute", f"{2 * compute(product)} TFLOPS", "{precision: FP8, sparsity: sparse, scope: chip, kind: peak}"),
    )[claim % CLAIMS_PER_PRODUCT]
    yield f"  - id: claim{claim}"
    yield f"    product: chip{product}"
    yield f"    metric: {metric}"
    yield f"    value: {value}"
    yield f"    basis: {basis}"
    yield f"    source: sheet{product // PRODUCTS_PER_VENDOR}"
    yield f'    evidence: "The data sheet lists {value} for this part, in the table on the first page"'


def memory(product: int) -> int:
    """The memory of a product of the registry, in GB."""
    return 80 + 16 * (product % 12)


def bandwidth(product: int) -> str:
    """Its memory bandwidth, in TB/s."""
    return f"{2 + (product % 13) * 0.45:.2f}"


def power(product: int) -> int:
    """Its power, in watts."""
    return 400 + 50 * (product % 13)


def compute(product: int) -> int:
    """Its dense FP8 throughput, in TFLOPS."""
    return 900 + 75 * (product % 17)


def _word(stem: str, number: int) -> str:
    """A name that no other has: Korbaca, Korbace ..."""
    syllables = ["ba", "ce", "di", "fo", "gu", "la", "me", "ni", "po", "ru"]
    return stem + "".join(syllables[int(digit)] for digit in f"{number:04}")


def article(size: int = ARTICLE) -> str:
    """An article of about so many characters: prose, lists, quotations, tables and code, full of figures."""
    parts = ["---\ntitle: Accelerators compared\ndate: 2026-12-01\n---\n"]
    length, section = 0, 0
    while length < size:
        parts.append(_section(section))
        length += len(parts[-1])
        section += 1
    return "\n".join(parts)


def _section(section: int) -> str:
    one, other = 2 * section % 60, (2 * section + 1) % 60
    first, second = _word("Kor", one), _word("Kor", other)
    return f"""
## {first} and {second}

The **{first}** has {memory(one)} GB of memory, as the [data sheet](https://example.com/{one}) says, and is read at
{bandwidth(one)} TB/s. Its maker gives {compute(one):,} TFLOPS of dense FP8 for a chip. The {second} draws up to
{power(other)} W, which is {power(other) / power(one):.2f}x as much. We measured 41.5 tokens/s on 8.[^{section}]

- *Memory*: {memory(other)} GB, or about {memory(other) - 20} GB after the runtime has taken its share
- Bandwidth: {bandwidth(other)} TB/s, "the highest of its class", said {_word("Vel", section)} in March 2026
- Price: $2.99 per hour, 30% less than in the year before `batch_size=32`

| | {first} | {second} |
|---|---:|---:|
| Memory | {memory(one)} GB | {memory(other)} GB |
| Power | {power(one)} W | {power(other)} W |

> Twice as fast as the last generation, and half the price of the next.

```python
run(chips=8, precision="fp8")  # 2,520 of 9,000 lines
```

Not everything in this paragraph is about figures. A reader wants to know what was compared with what, how it was
measured and by whom, and whether the next version, 3.1, changes any of it; see section 4 and table 2. Much of what
decides such a choice is not in a table at all: which frameworks run without changes, how long the queue for the parts
is, who answers when a run stops at night, and whether the people who have to live with the answer were ever asked.

The memory is where most of the difference comes from. A model that fits on one part needs no partner, and what is not
sent over a link does not have to wait for it; when it does not fit, the speed of the link decides, and data sheets are
silent about that. The honest thing is to say so, to name the model and the length of its context, and to leave the
rest to the reader, who knows better than any article what the work at hand will be and what it may cost.

[^{section}]: Own measurement of {section + 2} runs, 2026-11-{section % 28 + 1:02}.
"""


def hostile(size: int = 100_000) -> dict[str, str]:
    """Inputs of about so many characters that make careless programs slow."""
    cells = "| " + " | ".join(["1 GB"] * 100) + " |"
    return {
        "digits": "7" * size,
        "spaced digits": "12 " * (size // 3),
        "one line of figures": "The chip has 144 GB and is 2x faster. " * (size // 38),
        "one endless line": "word " * (size // 5),
        "open brackets": "[" * size,
        "nested brackets": "[" * (size // 2) + "]" * (size // 2),
        "open links": "[a](" * (size // 4),
        "open notes": "[^a" * (size // 3),
        "back quotes": "".join("`" * count + " " for count in range(1, 440)),
        "stars": "*a **b " * (size // 7),
        "nested quotes": ">" * size,
        "nested lists": "".join("  " * depth + "- 1 GB\n" for depth in range(310)),
        "open HTML": "<a href='" * (size // 9),
        "open comments": "<!-- " * (size // 5),
        "open math": "$" * size,
        "dollars and figures": "$1 " * (size // 3),
        "open quotation marks": '"“' * (size // 2),
        "ten thousand cells": "\n".join([cells, "|" + "---|" * 100, *[cells] * 100])[:size],
        "footnotes": "".join(f"a[^{n}] 1 GB\n\n[^{n}]: b\n\n" for n in range(size // 28)),
        "entities": "&amp;" * (size // 5),
        "dots and commas": "1,2.3," * (size // 6),
        "dashes": "1-2–3—" * (size // 6),
        "one word": "x" * size,
        "line ends": "\r\n" * (size // 2),
    }
