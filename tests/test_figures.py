"""Figures: what the number grammar makes of quantities as people print them."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from caveat import data
from caveat.figures.figure import Figure, Number
from caveat.figures.grammar import read_numbers
from caveat.figures.readings import read_quantity
from caveat.figures.vocabulary import Vocabulary, compile_vocabulary
from caveat.language.phrases import PhraseIndex, find_phrases
from caveat.language.tokens import Tokens
from caveat.loading.compile import compile_folders
from caveat.markdown.document import read
from caveat.markdown.source import Source

REGISTRY = """\
vendors:
  acme: {name: Acme}
products:
  n1: {name: Acme N1, vendor: acme, unit: chip, aliases: [N1]}
  corvid-3: {name: Corvid 3, vendor: acme, unit: chip}
"""

Reader = Callable[[str], list[Number]]


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    folder = tmp_path_factory.mktemp("claims")
    Path(folder, "registry.yaml").write_text(REGISTRY, encoding="utf-8")
    return compile_folders([str(folder)], [data.rules_folder()], frozenset())[0]


@pytest.fixture(scope="module")
def vocabulary(compiled: dict[str, object]) -> Vocabulary:
    return Vocabulary(compiled["vocabulary"])  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def numbers_of(compiled: dict[str, object], vocabulary: Vocabulary) -> Reader:
    def numbers(text: str) -> list[Number]:
        document = read(Source(text))
        tokens = Tokens(document.prose)
        return read_numbers(document, tokens, find_phrases(tokens, PhraseIndex(compiled["phrases"])), vocabulary)  # type: ignore[arg-type]

    return numbers


def shown(value: Decimal) -> str:
    """A value to four places, without trailing zeros."""
    text = f"{value:.4f}" if abs(value) < 10**15 else f"{value:.3e}"
    return text.rstrip("0").rstrip(".") if "e" not in text else text


def told(text: str, figure: Figure) -> str:
    """A figure as one line: words | kind value unit per noun (qualifier) direction."""
    quantity = figure.quantity
    parts = [text[figure.start : figure.end], "|", figure.kind, shown(quantity.low)]
    if quantity.is_range:
        parts[-1] += f"..{shown(quantity.high)}"
    if quantity.margin is not None:
        parts.append(f"±{shown(quantity.margin)}")
    parts += [figure.unit] if figure.unit else []
    parts += [f"per {name}" for name in figure.per]
    parts += [f"of {figure.noun}"] if figure.noun and figure.kind == "count" else []
    parts += [f"({figure.qualifier})"] if figure.qualifier else []
    parts += [figure.direction] if figure.direction else []
    return " ".join(parts)


def check(numbers_of: Reader, text: str, expected: list[str]) -> None:
    assert [told(text, number.figure) for number in numbers_of(text) if number.figure] == expected


MEASURES = [
    ("Peak: 1,979 TFLOPS.", ["1,979 TFLOPS | measure 1979 TFLOPS"]),
    ("Peak: 1 979 TFLOPS.", ["1 979 TFLOPS | measure 1979 TFLOPS"]),
    ("Peak: 1\u202f979\u00a0TFLOPS.", ["1\u202f979\u00a0TFLOPS | measure 1979 TFLOPS"]),
    ("Peak: 1.979,5 TFLOPS.", ["1.979,5 TFLOPS | measure 1979.5 TFLOPS"]),
    ("Reads at 3,35 TB/s.", ["3,35 TB/s | measure 3.35 TB/s"]),
    ("It has 80GB, 900GB/s, 700W.", ["80GB | measure 80 GB", "900GB/s | measure 900 GB/s", "700W | measure 700 W"]),
    ("A 144-GB part at 700-watt load.", ["144-GB | measure 144 GB", "700-watt | measure 700 W"]),
    ("100Gb/s is not 100 GB/s.", ["100Gb/s | measure 100 Gb/s", "100 GB/s | measure 100 GB/s"]),
    ("4 Gbit/s, 4 Gbps, 4 GBps", ["4 Gbit/s | measure 4 Gb/s", "4 Gbps | measure 4 Gb/s", "4 GBps | measure 4 GB/s"]),
    ("192GiB against 192 GB", ["192GiB | measure 192 GiB", "192 GB | measure 192 GB"]),
    ("64 kB, 64 KB, 64 KiB", ["64 kB | measure 64 kB", "64 KB | measure 64 KB", "64 KiB | measure 64 KiB"]),
    ("8 TB per second, 8 TB a second", ["8 TB per second | measure 8 TB/s", "8 TB a second | measure 8 TB/s"]),
    ("4.5 PFLOP/s and 4.5 PFLOPs", ["4.5 PFLOP/s | measure 4.5 PFLOPS", "4.5 PFLOPs | measure 4.5 PFLOPS"]),
    ("36 petaFLOPS, 1.44 exaflops", ["36 petaFLOPS | measure 36 PFLOPS", "1.44 exaflops | measure 1.44 EFLOPS"]),
    ("4.5×10^15 FLOPS", ["4.5×10^15 FLOPS | measure 4.500e+15 FLOPS"]),
    ("4.5 × 10¹⁵ FLOP/s", ["4.5 × 10¹⁵ FLOP/s | measure 4.500e+15 FLOPS"]),
    ("4.5e15 FLOPS", ["4.5e15 FLOPS | measure 4.500e+15 FLOPS"]),
    ("4.5 ± 0.1 PFLOPS", ["4.5 ± 0.1 PFLOPS | measure 4.5 ±0.1 PFLOPS"]),
    ("1,000 TOPS", ["1,000 TOPS | measure 1000 TOPS"]),
    ("362 FP8 PFLOPs", ["362 FP8 PFLOPs | measure 362 PFLOPS"]),
    ("260 dense BF16 TFLOP/s per device", ["260 dense BF16 TFLOP/s | measure 260 TFLOPS per device"]),
    ("−40 °C or -40 °C", ["−40 °C | measure -40 °C", "-40 °C | measure -40 °C"]),
    ("the chip—144 GB—ships", ["144 GB | measure 144 GB"]),
    ("the chip - 144 GB - ships", ["144 GB | measure 144 GB"]),
    ("35 tokens/s/user", ["35 tokens/s/user | measure 35 token/s per user"]),
    ("128 tok/s per GPU", ["128 tok/s | measure 128 token/s per GPU"]),
    ("25K output tokens/s", ["25K output tokens/s | measure 25000 token/s"]),
    ("6.84 million tokens an hour", ["6.84 million tokens an hour | measure 6840000 token/hour"]),
    (".9 TB, not .5%", [".9 TB | measure 0.9 TB", ".5% | percent 0.5 %"]),
    ("2.1 tokens per joule", ["2.1 tokens | measure 2.1 token per joule"]),
    ("10 microseconds, 450 ms", ["10 microseconds | measure 10 µs", "450 ms | measure 450 ms"]),
    ("a 3nm part", ["3nm | measure 3 nm"]),
    ("5 mW is not 5 MW", ["5 mW | measure 5 mW", "5 MW | measure 5 MW"]),
    ("an 814 mm² die", ["814 mm² | measure 814 mm²"]),
    ("holds 20.7 TB¹ of it", ["20.7 TB | measure 20.7 TB"]),
    ("ninety-six gigabytes", ["ninety-six gigabytes | measure 96 GB"]),
    ("One hundred and forty-four gigabytes", ["One hundred and forty-four gigabytes | measure 144 GB"]),
    ("five terabytes a second", ["five terabytes a second | measure 5 TB/s"]),
    ("80 and 96 GB", ["80 | measure 80 GB", "96 GB | measure 96 GB"]),
    ("80, 96 or 141 GB", ["80 | measure 80 GB", "96 | measure 96 GB", "141 GB | measure 141 GB"]),
    ("1,979/3,958 TFLOPS", ["1,979 | measure 1979 TFLOPS", "3,958 TFLOPS | measure 3958 TFLOPS"]),
    ("1,979 TFLOPS dense (3,958 with sparsity)", ["1,979 TFLOPS | measure 1979 TFLOPS", "3,958 | measure 3958 TFLOPS"]),
    ("83.2 → 362 PFLOPS", ["83.2 | measure 83.2 PFLOPS", "362 PFLOPS | measure 362 PFLOPS"]),
    ("FP8 and 144 GB", ["144 GB | measure 144 GB"]),
    ("4 HBM stacks, 8 KV heads", ["4 HBM stacks | count 4 of stack"]),
    ("402 km by WLTP", ["402 km | measure 402 km"]),
]
RANGES = [
    ("10–15% faster", ["10–15% | percent 10..15 % more"]),
    ("10-15% cheaper", ["10-15% | percent 10..15 % less"]),
    ("5%-10%", ["5%-10% | percent 5..10 %"]),
    ("30 to 60 percent", ["30 to 60 percent | percent 30..60 %"]),
    ("between 30 and 60 percent", ["30 and 60 percent | percent 30..60 %"]),
    ("ranges from 2 to 3 TB", ["2 to 3 TB | measure 2..3 TB"]),
    ("fell from 540 ms to 420 ms", ["540 ms | measure 540 ms", "420 ms | measure 420 ms"]),
    ("from 16K to 25K tokens/s", ["16K | measure 16000 token/s", "25K tokens/s | measure 25000 token/s"]),
    ("2–3× more", ["2–3× | ratio 2..3 x more"]),
    ("3x to 5x", ["3x to 5x | ratio 3..5 x"]),
    ("a 5k–20k GPU cluster", ["5k–20k GPU | count 5000..20000 of GPU"]),
    ("$2–$4 an hour", ["$2–$4 an hour | price 2..4 USD per hour"]),
    ("2-3 million users", ["2-3 million users | count 2000000..3000000 of user"]),
    ("2-to-3x the rate", ["2-to-3x | ratio 2..3 x"]),
    ("two- to threefold", ["two- to threefold | ratio 2..3 x"]),
    ("$5-10 million", ["$5-10 million | price 5000000..10000000 USD"]),
    ("1.5x-2x, 20+ TB/s", ["1.5x-2x | ratio 1.5..2 x", "20+ TB/s | measure 20 TB/s (more than)"]),
    ("two to three times the memory", ["two to three times | ratio 2..3 x"]),
]
RATIOS = [
    ("1.8x faster", ["1.8x | ratio 1.8 x more"]),
    ("1.8× faster", ["1.8× | ratio 1.8 x more"]),
    ("4.4x, 3.9x and 4x", ["4.4x | ratio 4.4 x", "3.9x | ratio 3.9 x", "4x | ratio 4 x"]),
    ("a 1.8-fold gain", ["1.8-fold | ratio 1.8 x more"]),
    ("grew fourfold", ["fourfold | ratio 4 x more"]),
    ("2.3 times as much", ["2.3 times | ratio 2.3 x"]),
    ("five times the size", ["five times | ratio 5 x"]),
    ("increased by 4 times", ["4 times | ratio 4 x more"]),
    ("twice as fast", ["twice | ratio 2 x"]),
    ("twice N1's bandwidth", ["twice | ratio 2 x"]),
    ("which doubles the rate", ["doubles | ratio 2 x more"]),
    ("or double.", ["double | ratio 2 x more"]),
    ("halves the cost", ["halves | ratio 0.5 x less"]),
    ("half the cost", ["half | ratio 0.5 x"]),
    ("cut in half.", ["half | ratio 0.5 x less"]),
    ("a third of the power", ["a third | ratio 0.3333 x"]),
    ("two-thirds of it", ["two-thirds | ratio 0.6667 x"]),
    ("a quarter more than that", ["a quarter | ratio 0.25 x more"]),
    ("½ the power", ["½ | ratio 0.5 x"]),
    ("1/2 the power", ["1/2 | ratio 0.5 x"]),
    ("2½ times the power", ["2½ times | ratio 2.5 x"]),
    ("two and a half times the power", ["two and a half times | ratio 2.5 x"]),
    ("Nine in ten chips", ["Nine in ten | ratio 0.9 x"]),
    ("one in five racks", ["one in five | ratio 0.2 x"]),
    ("9 out of 10 racks", ["9 out of 10 | ratio 0.9 x"]),
    ("by a factor of four", ["four | ratio 4 x"]),
    ("1/10th the cost", ["1/10th | ratio 0.1 x"]),
    ("More than half run on it", ["half | ratio 0.5 x (more than)"]),
    ("**4.4**x faster", ["4.4**x | ratio 4.4 x more"]),
    ("an order of magnitude faster", ["an order of magnitude | ratio 10 x more"]),
    ("two orders of magnitude", ["two orders of magnitude | ratio 100 x"]),
    ("at least 4x Corvid 3", ["4x | ratio 4 x (at least)"]),
    ("it is 4x Acme's rate", ["4x | ratio 4 x"]),
]
PERCENTS = [
    ("50% less", ["50% | percent 50 % less"]),
    ("forty percent", ["forty percent | percent 40 %"]),
    ("40 per cent", ["40 per cent | percent 40 %"]),
    ("+15 % and -50%", ["+15 % | percent 15 % more", "-50% | percent -50 % less"]),
    ("fell by 38%", ["38% | percent 38 % less"]),
    ("from 34% to 54%", ["34% | percent 34 %", "54% | percent 54 %"]),
    ("3 percentage points, 5 pp", ["3 percentage points | points 3 pp", "5 pp | points 5 pp"]),
]
PRICES = [
    ("US$2.99/hr", ["US$2.99/hr | price 2.99 USD per hour"]),
    ("$4.54 an hour", ["$4.54 an hour | price 4.54 USD per hour"]),
    ("$2.99 per GPU-hour", ["$2.99 | price 2.99 USD per GPU per hour"]),
    ("$0.59/M input tokens", ["$0.59/M input tokens | price 0.59 USD per million tokens"]),
    ("$0.66 per million", ["$0.66 | price 0.66 USD per million tokens"]),
    ("$0.79/1M tokens", ["$0.79/1M tokens | price 0.79 USD per million tokens"]),
    ("sixty cents per million tokens", ["sixty cents | price 60 cent per million tokens"]),
    ("$3.5 million and $8B", ["$3.5 million | price 3500000 USD", "$8B | price 8000000000 USD"]),
    ("$**2.99** per hour", ["$**2.99** per hour | price 2.99 USD per hour"]),
    ("28\u202f000\u00a0€", ["28\u202f000\u00a0€ | price 28000 EUR"]),
    ("€30k or 300 dollars", ["€30k | price 30000 EUR", "300 dollars | price 300 USD"]),
]
COUNTS = [
    ("up to 144 chips", ["144 chips | count 144 of chip (up to)"]),
    ("more than 500,000 N1 chips", ["500,000 N1 chips | count 500000 of chip (more than)"]),
    ("half a million chips", ["half a million chips | count 500000 of chip"]),
    ("a million chips at most", ["a million chips | count 1000000 of chip (up to)"]),
    ("1 million chips", ["1 million chips | count 1000000 of chip"]),
    ("a 72-GPU rack", ["72-GPU | count 72 of GPU"]),
    ("500+ chips", ["500+ chips | count 500 of chip (more than)"]),
    ("has 208 billion transistors", ["208 billion transistors | count 208000000000 of transistor"]),
    ("12 500 chips", ["12 500 chips | count 12500 of chip"]),
    ("100k H100s", ["100k H100s | count 100000"]),
    ("8 GPUs per board", ["8 GPUs | count 8 of GPU"]),
    ("trained on 15 trillion tokens", ["15 trillion tokens | count 15000000000000 token of token"]),
]
QUALIFIED = [
    ("~4.5 PFLOPS", ["4.5 PFLOPS | measure 4.5 PFLOPS (about)"]),
    ("≈ 4.5 PFLOPS", ["4.5 PFLOPS | measure 4.5 PFLOPS (about)"]),
    ("roughly 50%", ["50% | percent 50 % (about)"]),
    ("nearly 4x", ["4x | ratio 4 x (nearly)"]),
    ("almost twice the memory", ["twice | ratio 2 x (nearly)"]),
    ("as much as 4.4x", ["4.4x | ratio 4.4 x (up to)"]),
    ("a maximum of 362 PFLOPS", ["362 PFLOPS | measure 362 PFLOPS (up to)"]),
    ("tops out at 144 chips", ["144 chips | count 144 of chip (up to)"]),
    ("is 4.4x in the best case", ["4.4x | ratio 4.4 x (up to)"]),
    ("6x its FP4 rate or more", ["6x | ratio 6 x (at least)"]),
    ("north of 20 TB", ["20 TB | measure 20 TB (more than)"]),
    ("just under 10 microseconds", ["10 microseconds | measure 10 µs (just under)"]),
    ("a shade under five terabytes", ["five terabytes | measure 5 TB (just under)"]),
    ("a little more than a third of it", ["a third | ratio 0.3333 x (just over)"]),
    ("up to a stated 1 million chips", ["1 million chips | count 1000000 of chip (up to)"]),
    ("up to about 5x", ["5x | ratio 5 x (up to)"]),
    ("up to 4.4x, 3.9x and 4x", ["4.4x | ratio 4.4 x (up to)", "3.9x | ratio 3.9 x", "4x | ratio 4 x"]),
    ("2% more than 144 GB", ["2% | percent 2 % more", "144 GB | measure 144 GB"]),
    ("4x over 8 TB", ["4x | ratio 4 x", "8 TB | measure 8 TB"]),
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [*MEASURES, *RANGES, *RATIOS, *PERCENTS, *PRICES, *COUNTS, *QUALIFIED],
    ids=lambda x: str(x)[:30],
)
def test_figures(numbers_of: Reader, text: str, expected: list[str]) -> None:
    check(numbers_of, text, expected)


def test_markup_inside_a_figure_belongs_to_it(numbers_of: Reader) -> None:
    text = "It has 144&nbsp;GB, **700** W and <b>3.35</b>&thinsp;TB/s."
    found = [text[number.start : number.end] for number in numbers_of(text) if number.figure]
    assert found == ["144&nbsp;GB", "700** W", "3.35</b>&thinsp;TB/s"]


def test_a_figure_may_break_over_a_line_but_not_over_blocks(numbers_of: Reader) -> None:
    check(numbers_of, "> It has 144\n> GB of it.", ["144\n> GB | measure 144 GB"])
    check(numbers_of, "- 144\n- GB", [])
    check(numbers_of, "| a | b |\n|---|---|\n| 144 | GB |", [])


def test_units_of_columns_and_rows(numbers_of: Reader) -> None:
    text = (
        "| Chip | HBM (GB) | Output tokens/s | Latency (min)(s) | Speedup |\n|---|---|---|---|---|\n"
        "| N1 | 144 | about 3,679 | 1.5 | 1.8 |\n"
    )
    check(
        numbers_of,
        text,
        ["144 | measure 144 GB", "3,679 | measure 3679 token/s (about)", "1.5 | measure 1.5 s", "1.8 | ratio 1.8 x"],
    )
    assert all(number.figure.from_header for number in numbers_of(text) if number.figure)
    check(numbers_of, "| Spec | N1 |\n|---|---|\n| Bandwidth (GB/s) | 819 |", ["819 | measure 819 GB/s"])


def test_columns_that_count_hold_settings(numbers_of: Reader) -> None:
    text = "| Cards | Concurrency | Payload |\n|---|---|---|\n| 4 | 64 | 2 |\n"
    assert [number.reading for number in numbers_of(text)] == ["setting"] * 3


@pytest.mark.parametrize(
    ("text", "base"),
    [
        ("2.52 PFLOPS", "2.52e15"),
        ("4 Gb/s", "5e8"),
        ("1 GiB", "1073741824"),
        ("10 µs", "1e-5"),
        ("60 cents", "0.6"),
        ("40%", "0.4"),
        ("1 kWh", "3.6e6"),
        ("20 tokens per second", "20"),
    ],
)
def test_base_units(vocabulary: Vocabulary, text: str, base: str) -> None:
    figure = read_quantity(text, vocabulary)
    assert figure is not None
    assert figure.base()[0] == Decimal(base)


def test_one_digit_multipliers_are_not_stretched_to_their_half_step(vocabulary: Vocabulary) -> None:
    figure = read_quantity("2x", vocabulary)
    assert figure is not None
    assert figure.interval().low > Decimal("1.5")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2.52 PFLOPS", "2.52 PFLOPS | measure 2.52 PFLOPS"),
        ("4.4x", "4.4x | ratio 4.4 x"),
        ("-50%", "-50% | percent -50 % less"),
        ("1000000 chips", "1000000 chips | count 1000000 of chip"),
        ("8 GPUs", "8 GPUs | count 8 of GPU"),
        ("10 microseconds", "10 microseconds | measure 10 µs"),
        ("$2.99 per hour", "$2.99 per hour | price 2.99 USD per hour"),
        (" 3 nm ", "3 nm | measure 3 nm"),
    ],
)
def test_values_of_a_registry(vocabulary: Vocabulary, text: str, expected: str) -> None:
    figure = read_quantity(text, vocabulary)
    assert figure is not None
    assert told(text.strip(), figure) == expected


@pytest.mark.parametrize(
    "text", ["", "2025-12-02", "largest of all", "about 5 GB", "5 GB of HBM", "1.2.3", "x4", "4x4", "1,5", "9" * 99]
)
def test_what_is_no_value_of_a_registry(vocabulary: Vocabulary, text: str) -> None:
    assert read_quantity(text, vocabulary) is None


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ({"unit": {}}, "unknown section 'unit'"),
        ({"units": {"GB": {"factor": "1"}}}, "units: GB: dimension is missing"),
        ({"units": {"GB": {"dimension": "bytes", "factor": "one"}}}, "factor: 'one' is not a number above zero"),
        ({"units": {"GB": {"dimension": "bytes", "factor": "1", "symbol": ["G"]}}}, "unknown field 'symbol'"),
        ({"units": {"GB": {"dimension": "bytes", "factor": "1", "symbols": "G"}}}, "symbols: write a list"),
        ({"units": {"GB": {"dimension": "bytes", "factor": "1", "kind": "size"}}}, "kind: 'size'; write one of"),
        ({"units": {"GB": {"dimension": "bytes", "factor": "1", "prefixes": ["big"]}}}, "prefixes: 'big'"),
        ({"units": {"GB": "bytes"}}, "units: GB: write a mapping"),
        ({"units": ["GB"]}, "units: write a mapping"),
        ({"dimensions": {"mode": {"values": {"a": ["a"]}, "aliases": {"b": "c"}}}}, "aliases: b: 'c' is no value"),
    ],
)
def test_faults_of_a_vocabulary(raw: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        compile_vocabulary(raw)


def test_another_field_needs_no_code() -> None:
    raw = {
        "prefixes": {"decimal": {"kilo": {"symbols": ["k"], "factor": "1e3"}}},
        "units": {"yd": {"dimension": "length", "factor": "0.9144", "symbols": ["yd"], "names": ["yard", "yards"]}},
        "per": {"charge": {"names": ["charge"]}},
        "metrics": {"reach": {"dimensions": ["length"], "phrases": ["reach"]}},
    }
    vocabulary = Vocabulary(compile_vocabulary(raw))
    figure = read_quantity("300 yards per charge", vocabulary)
    assert figure is not None
    assert (figure.unit, figure.per, figure.dimension) == ("yd", ("charge",), "length")
    assert vocabulary.metrics_of("length") == ["reach"]


PIECES = (
    "1 2.5 1,979 10% 4x 8x $3 GB TB/s tokens/s FP8 N1 Corvid 3 one half twice hundred million and to from between "
    "up of the a third per second GPU chips 2025 March Section batch size set – - / × ± ~ + ( ) . , ; ½ 10^9 1e9 1:2 "
    "4x4 𝟜 ٣ ²"
)
WORDS = st.sampled_from(PIECES.split(" "))


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(WORDS, st.sampled_from(["", " ", " ", " ", "\n", "\u00a0"])), max_size=30))
def test_numbers_lie_in_order_inside_the_text(numbers_of: Reader, parts: list[tuple[str, str]]) -> None:
    text = "".join(word + gap for word, gap in parts)
    end = 0
    for number in numbers_of(text):
        assert end <= number.start < number.end <= len(text)
        end = number.start + 1
        assert (number.figure is not None) == (number.reading == "figure")
        if number.figure is not None:
            low, high, step = number.figure.base()
            assert low <= high
            assert step >= 0
            assert number.figure.interval().low <= number.figure.interval().high


def test_a_paragraph_of_thousands_of_numbers_is_data(numbers_of: Reader) -> None:
    prose = "It draws 700 W. " * 4000
    assert {number.reading for number in numbers_of(prose)} == {"figure"}
    heap = numbers_of(f"It draws 700 W.\n\n{prose}and 9 more.\n\nIt draws 700 W.")
    assert [number.reading for number in heap] == ["figure", *["data"] * 4001, "figure"]
    assert heap[1].why == "one of more than 4,000 in a paragraph"
