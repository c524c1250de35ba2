"""Readings: numbers that are no figures are told as what they are, and figures beside them stay figures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from caveat import data
from caveat.figures.figure import Number
from caveat.figures.grammar import read_numbers
from caveat.figures.vocabulary import Vocabulary
from caveat.language.phrases import find_phrases
from caveat.language.tokens import Tokens
from caveat.loading.compile import compile_folders
from caveat.markdown.document import read
from caveat.markdown.source import Source

REGISTRY = """\
vendors:
  acme: {name: Acme}
products:
  n1: {name: Acme N1, vendor: acme, unit: chip, aliases: [N1, N1 80GB]}
  corvid-3: {name: Corvid 3, vendor: acme, unit: chip}
sources:
  page: {title: Acme 2025 data book, publisher: acme, kind: vendor-page}
"""

Reader = Callable[[str], list[Number]]


@pytest.fixture(scope="module")
def numbers_of(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    folder = tmp_path_factory.mktemp("claims")
    Path(folder, "registry.yaml").write_text(REGISTRY, encoding="utf-8")
    compiled, _ = compile_folders([str(folder)], [data.rules_folder()], frozenset())
    vocabulary = Vocabulary(compiled["vocabulary"])

    def numbers(text: str) -> list[Number]:
        document = read(Source(text))
        tokens = Tokens(document.prose)
        return read_numbers(document, tokens, find_phrases(tokens, compiled["phrases"]), vocabulary)

    return numbers


READINGS = [
    # dates and times
    ("It opened on December 2, 2025.", "date year"),
    ("It opened on 3 March 2026 in Lyon.", "date year"),
    ("It opened on Sept. 14.", "date"),
    ("Posted 2025-12-19, seen 2026-03.", "date date"),
    ("Posted 12/31/2025 and 1.2.2026.", "date date"),
    ("From Q1'26 to '27", "date year year"),
    ("Due in Q3 2026 or H1 2027.", "date year date year"),
    ("FY26 numbers come in 2025–26.", "date year"),
    ("In 2024 GPUs were scarce.", "year"),
    ("The 2019 part is from the 1990s.", "year year"),
    ("It starts at 08:00 PST and ends at 6 pm.", "time time"),
    ("At 9:30 it was over.", "time"),
    # versions and names
    ("CUDA 12.4, PyTorch 2.6.0 and driver 550.54.15", "version version version"),
    ("version 3, v2.5.1 and Ubuntu 24.04", "version version version"),
    ("PCIe Gen5 x16 with NVLink 5", "name pattern version"),
    ("Corvid 3 beside an N1 and a Zeta 200", "name name name"),
    ("Llama 3.1 70B and GPT-4", "version name name"),
    ("Qwen3-235B-A22B, gpt-oss-120b, Mixtral 8x7B", "name name name"),
    ("the 405B checkpoint", "name"),
    ("a 13 billion parameter model", "name"),
    ("an N1 80GB, a Z100-40GB, an RTX 4090 24GB", "name name name name name"),
    ("the 80GB Z100 of a 3nm N3P line", "name name figure name"),
    ("FP8, INT4, W4A16, HBM3e", "name name name name"),
    ("8-bit weights and 16-bit sums", "name name"),
    ("800GbE and 400 GbE", "name name"),
    ("a 910C or 400G card in 4U", "name name name"),
    ("p5.48xlarge, p99, x86-64", "name name name"),
    ("the Acme 2025 data book", "name"),
    ("commit 9f2c1e4", "name"),
    # places
    ("Section 3.2, Table 4 and Figures 1 and 2", "pointer pointer pointer pointer"),
    ("see pages 4–7, step 2, §3.1, #12", "pointer pointer pointer pointer"),
    # ordinals
    ("the 3rd generation, the nineteenth tray", "ordinal ordinal"),
    ("a third option", "ordinal"),
    # settings
    ("batch size 32 and a sequence length of 4096", "setting setting"),
    ("a batch size of up to 64", "setting"),
    ("batch sizes 1, 2, 4 and 8", "setting setting setting setting"),
    ("TP=8, temperature 0.7, learning rate 1e-4", "setting setting setting"),
    ("64 concurrent requests, 2K input tokens, 512 output tokens", "setting setting setting"),
    ("Train for 3 epochs with seed 7.", "setting setting"),
    ("We ran on 8 Z100s.", "setting"),
    ("We ran with 8 GPUs on 4 nodes of 8 GPUs.", "setting setting setting"),
    ("Set the host cache limit to 512 MB.", "setting"),
    ("Keep temperature at 0.5, and set the cap to 40%.", "setting setting"),
    ("Keep time to first token under 300 ms.", "setting"),
    ("a block size of 128 KB", "setting"),
    ("We ran on 8, 16 and 32 GPUs.", "count count setting"),
    # patterns and multiplicity
    ("a 2:4 pattern, a 10:1 mix, 4:1 at the spine", "pattern pattern pattern"),
    ("a 4x4x4 torus at 1920x1080", "pattern pattern"),
    ("open 24/7", "pattern"),
    ("8x Z100, 2x Xenon 8480, 4x 400G NICs", "multiplicity name multiplicity name multiplicity name"),
    ("screenshots at 2x zoom", "multiplicity"),
    ("60 Z200s", "multiplicity"),
    # what is told, not measured
    ("two reasons, three options, one of the four", "count count count count"),
    ("Five minutes on the phone", "count"),
    ("a contract of 3 years", "count"),
    ("two GPUs in a box", "count"),
    ("an 8-GPU box", "count"),
    ("run it three times.", "count"),
    ("Think twice.", "name"),
    ("the second half of the year, half an hour", "name name"),
    ("double precision, half-precision", "name name"),
    ("what a million tokens cost", "count"),
    ("2 bytes a weight for more than 2 people", "count count"),
    # numbers without a unit
    ("between 144 in the base model", "number"),
    ("leave the 24.5 out", "number"),
]


@pytest.mark.parametrize(("text", "expected"), READINGS)
def test_readings(numbers_of: Reader, text: str, expected: str) -> None:
    assert " ".join(number.reading for number in numbers_of(text)) == expected


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("Corvid 3, 128 GB", ["128 GB"]),
        ("In 2024, 144 chips shipped.", ["144 chips"]),
        ("Section 4 gives 80 GB and 700 W.", ["80 GB", "700 W"]),
        ("At batch size 32, 3,014 tokens/s.", ["3,014 tokens/s"]),
        ("(8 × 141 GB) is 1,128 GB", ["141 GB", "1,128 GB"]),
        ("8×141 GB is 1,128 GB", ["141 GB", "1,128 GB"]),
        ("9,216 chips × 4,614 TFLOPS", ["9,216 chips", "4,614 TFLOPS"]),
        ("NVLink 4 gives 900 GB/s.", ["900 GB/s"]),
        ("Only 2 of them reach 5 TB/s.", ["5 TB/s"]),
        ("The third quarter brought $33 billion.", ["$33 billion"]),
        ("It is 2x as fast on an N1.", ["2x"]),
        ("Acme says it cut latency to 300 ms.", ["300 ms"]),
        ("The rate was set to $2.99 an hour.", ["$2.99 an hour"]),
        ("`4x` in code, 5x in prose", ["5x"]),
        ("see https://example.org/4x and ![6x](7x.png)", ["6x"]),
    ],
)
def test_figures_beside_other_numbers(numbers_of: Reader, text: str, figures: list[str]) -> None:
    assert [text[number.start : number.end] for number in numbers_of(text) if number.figure] == figures


def test_a_factor_keeps_its_value(numbers_of: Reader) -> None:
    factor = numbers_of("8 × 141 GB")[0]
    assert factor.figure is None
    assert factor.quantity is not None
    assert factor.quantity.low == 8


def test_every_reading_says_why(numbers_of: Reader) -> None:
    assert all(number.why for text, _ in READINGS for number in numbers_of(text))


LONG = [
    "1" * 100_000,
    "1,1" * 33_000,
    "1 " * 50_000,
    "1 GB " * 20_000,
    "1-" * 50_000,
    "1:" * 50_000,
    "1/" * 50_000,
    "1\u2009" * 50_000,
    "1" + " " * 100_000 + "GB",
    "a-1-" * 25_000,
    "one hundred and " * 6_000,
    "up to a stated " * 6_000 + "1",
    "1 GB" + "/s" * 50_000,
    "set it to 1 " * 8_000,
    "1 x " * 25_000,
    "from 1 to 2 " * 8_000,
    "|1|2|\n|-|-|\n" + "|1 GB|2|\n" * 10_000,
]


@pytest.mark.parametrize("text", LONG, ids=range(len(LONG)))
def test_the_cost_grows_with_the_text_and_no_faster(
    numbers_of: Reader, text: str, calls: Callable[[Callable[[], object]], int]
) -> None:
    part = text[: len(text) // 5]
    assert calls(lambda: numbers_of(text)) < 7 * calls(lambda: numbers_of(part))
