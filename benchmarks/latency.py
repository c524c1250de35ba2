"""Measure what a keystroke costs the language server: `python benchmarks/latency.py`.

A client opens a draft of 10 kB, makes 200 edits one by one, and waits for the diagnostics of each. What counts is the
CPU time of the server between the two, all of its threads, and the middle of all edits. A cold `caveat check` of the
same draft is a new process without a cache; one with the registry compiled stands beside it. CPU time is read from the
clock that Linux keeps of a process, so this runs there only.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable
from typing import NamedTuple

from lsprotocol import types
from pygls.lsp.client import LanguageClient

import corpus
from bench import Bench
from caveat.server.serving import SHORTEST

BOUND, SHARE = 0.050, 0.25
PARTS = 4
TYPED = "It has 144 GB. "


class Keystroke(NamedTuple):
    """What one edit cost: seconds of CPU in the server, and seconds by the clock until its diagnostics came."""

    cpu: float
    wall: float


def cpu_time(process: int) -> float:
    """The seconds of CPU that a running process has taken."""
    return time.clock_gettime((~process << 3) | 2)  # how Linux numbers the clocks of processes


async def keystrokes(claims: str, text: str, edits: int, part: int) -> list[Keystroke]:
    """Type into one part of a draft, a sign at a time, and take the words away again."""
    client = LanguageClient("latency", "1")
    arrived: dict[int | None, asyncio.Event] = {}

    @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
    def shown(params: types.PublishDiagnosticsParams) -> None:
        arrived.setdefault(params.version, asyncio.Event()).set()

    await client.start_io(sys.executable, "-m", "caveat", "lsp", "--isolated", "--claims", claims)
    assert client._server is not None  # noqa: SLF001 - the library has no other way to the process
    server = client._server.pid  # noqa: SLF001
    await client.initialize_async(types.InitializeParams(types.ClientCapabilities()))
    client.initialized(types.InitializedParams())
    uri = "file:///drafts/draft.md"
    client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "markdown", 0, text)))
    await arrived.setdefault(0, asyncio.Event()).wait()
    rows = text.split("\n")
    row = next(number for number, line in enumerate(rows) if number >= len(rows) * part // PARTS and len(line) > 60)
    samples = []
    for version in range(1, edits + 1):
        at = (version - 1) % (2 * len(TYPED))
        adding = at < len(TYPED)
        column = at if adding else 2 * len(TYPED) - 1 - at
        place = types.Range(types.Position(row, column), types.Position(row, column + (not adding)))
        change = types.TextDocumentContentChangePartial(place, TYPED[column] if adding else "")
        begun, clock = cpu_time(server), time.perf_counter()
        about = types.VersionedTextDocumentIdentifier(version, uri)
        client.text_document_did_change(types.DidChangeTextDocumentParams(about, [change]))
        await arrived.setdefault(version, asyncio.Event()).wait()
        samples.append(Keystroke(cpu_time(server) - begun, time.perf_counter() - clock))
    await client.shutdown_async(None)
    client.exit(None)
    await client._server.wait()  # noqa: SLF001
    await client.stop()  # type: ignore[no-untyped-call]
    return samples


def main() -> None:
    """Measure, print a line a bound, and exit 1 if one does not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=int, default=200, help="how many edits (200)")
    parser.add_argument("--size", type=int, default=corpus.ARTICLE, help="characters of the draft (10,000)")
    parser.add_argument("--draft", default="", help="a draft of one's own instead")
    arguments = parser.parse_args()
    text = corpus.article(arguments.size)
    if arguments.draft:
        with open(arguments.draft, encoding="utf-8", newline="") as file:
            text = file.read()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder, folder)
        os.environ["CAVEAT_CACHE_DIR"] = os.path.join(folder, "cache")
        checks: dict[str, list[float]] = {"cold": [], "warm": []}
        samples = []
        for part in range(PARTS):  # in turn, as the machine may be busy for a while
            samples += asyncio.run(keystrokes(bench.small, text, arguments.edits // PARTS, part))
            for _ in range(3):
                checks["warm"].append(bench.caveat("--claims", bench.small, bench.draft(text=text)).cpu)
                checks["cold"].append(bench.caveat("--claims", bench.small, "--no-cache", bench.draft(text=text)).cpu)
    middle = statistics.median(sample.cpu for sample in samples)
    cold, warm = (statistics.median(checks[kind]) for kind in ("cold", "warm"))
    slow = sorted(sample.cpu for sample in samples)[len(samples) * 95 // 100]
    print(f"{len(text)} characters, {len(samples)} edits; 95 of 100 within {slow * 1000:.1f} ms of CPU; by the clock")
    print(f"{_ms(sample.wall for sample in samples)}, of which {SHORTEST * 1000:.0f} ms or more wait for the next key")
    print(f"cold check {cold * 1000:.1f} ms; with the registry compiled {warm * 1000:.1f} ms")
    print(f"a keystroke is {middle / warm:.2f} of the latter")
    verdicts = [(middle, BOUND, "seconds of CPU a keystroke"), (middle / cold, SHARE, "keystroke / cold check")]
    for value, bound, name in verdicts:
        print(f"{'holds' if value <= bound else 'FAILS'}  {value:7.3f}  of {bound:<5} {name}")
    sys.exit(any(value > bound for value, bound, _ in verdicts))


def _ms(samples: Iterable[float]) -> str:
    return f"{statistics.median(samples) * 1000:.1f} ms"


if __name__ == "__main__":
    main()
