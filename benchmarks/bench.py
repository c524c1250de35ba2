"""Measure Caveat against proselint and against its own bounds: `python benchmarks/bench.py --drafts FOLDER`.

What users run is compiled, so Caveat is installed for this as they do, not editably. Everything runs as a process of
its own, the two sides of a ratio in turn and in both orders, and the median of the ratios counts: on a busy machine
only they can be trusted. CPU time is that of the process and of those it started.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import corpus

BIN = os.path.dirname(sys.executable)
CAVEAT = [os.path.join(BIN, "caveat")]
PROSELINT = [os.path.join(BIN, "proselint"), "check"]


class Cost(NamedTuple):
    """What one process cost: seconds of CPU, seconds by the clock, and the most memory it held, in MiB."""

    cpu: float
    wall: float
    memory: float


class Case(NamedTuple):
    """One bound: what is measured, what it is measured against, and the largest ratio allowed."""

    name: str
    bound: float
    sample: Callable[[int], float]
    unit: str = "x"
    once: bool = False


class Bench:
    """A temporary folder with the drafts, registries and caches of one run."""

    def __init__(self, folder: str, drafts: str) -> None:
        self.folder = folder
        self.drafts = drafts or self._own_drafts()
        self.small, self.large = os.path.join(folder, "claims300"), os.path.join(folder, "claims5000")
        corpus.write_registry(self.small, 300)
        corpus.write_registry(self.large, 5000)
        self.fresh = 0
        for claims in (self.small, self.large):
            self.caveat("--claims", claims, "--text", "warm")

    def _own_drafts(self) -> str:
        folder = os.path.join(self.folder, "drafts")
        os.makedirs(folder)
        for number in range(40):
            with open(os.path.join(folder, f"{number:02}.md"), "w", encoding="utf-8") as file:
                file.write(corpus.article(5_000 + 1_500 * number))
        return folder

    def run(self, command: list[str], cache: str = "cache") -> Cost:
        """Run a command with a cache folder of this bench; what it prints is thrown away."""
        environment = {**os.environ, "CAVEAT_CACHE_DIR": os.path.join(self.folder, cache)}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # or a checkout is compiled anew in each run
        start = time.perf_counter()
        actions = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
        process = os.posix_spawn(command[0], command, environment, file_actions=actions)
        _, status, usage = os.wait4(process, 0)
        if os.waitstatus_to_exitcode(status) not in {0, 1}:
            sys.exit(f"{' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")
        cost = usage.ru_utime + usage.ru_stime
        return Cost(cost, time.perf_counter() - start, usage.ru_maxrss / 1024)

    def caveat(self, *arguments: str, cache: str = "cache") -> Cost:
        """A run of `caveat check`."""
        return self.run([*CAVEAT, "check", "--isolated", *arguments], cache)

    def draft(self, size: int = corpus.ARTICLE, text: str = "") -> str:
        """The path of a draft that was never checked before."""
        self.fresh += 1
        path = os.path.join(self.folder, f"draft{self.fresh}.md")
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write((text or corpus.article(size)) + f"\n<!-- {self.fresh} -->\n")
        return path

    @contextmanager
    def new_cache(self) -> Iterator[str]:
        """A cache that holds the compiled registry and no findings."""
        name = f"cache{self.fresh}"
        self.fresh += 1
        self.caveat("--claims", self.small, "--text", "warm", cache=name)
        yield name
        shutil.rmtree(os.path.join(self.folder, name))


def against(one: Callable[[], float], other: Callable[[], float], turn: int) -> float:
    """The ratio of two costs, measured one right after the other, every second time the other way round."""
    if turn % 2:
        divisor = other()
        return one() / divisor
    dividend = one()
    return dividend / other()


def cases(bench: Bench) -> Iterator[Case]:
    """All bounds, those of one draft first."""
    yield from draft_cases(bench)
    yield from folder_cases(bench)
    yield from growth_cases(bench)
    yield from registry_cases(bench)


def draft_cases(bench: Bench) -> Iterator[Case]:
    """One draft of 10 kB against proselint on the same draft."""

    def pair(turn: int, *options: str) -> float:
        draft = bench.draft()
        own = ["--claims", bench.small, *options, draft]
        return against(lambda: bench.caveat(*own).cpu, lambda: bench.run([*PROSELINT, draft]).cpu, turn)

    def help_pair(turn: int) -> float:
        draft = bench.draft()
        return against(lambda: bench.run([*CAVEAT, "--help"]).cpu, lambda: bench.run([*PROSELINT, draft]).cpu, turn)

    def registries(turn: int) -> float:
        draft = bench.draft()
        return against(
            lambda: bench.caveat("--claims", bench.large, draft).cpu,
            lambda: bench.caveat("--claims", bench.small, draft).cpu,
            turn,
        )

    def memory(*options: str) -> float:
        return bench.caveat("--claims", bench.small, *options, bench.draft()).memory

    yield Case("10 kB draft, warm registry / proselint", 0.65, pair)
    yield Case("10 kB draft, no cache / proselint", 2.0, lambda turn: pair(turn, "--no-cache"))
    yield Case("--help / proselint on 10 kB", 0.35, help_pair)
    yield Case("5,000 claims / 300 claims", 1.25, registries)
    yield Case("peak memory, 10 kB draft", 60, lambda _: memory(), "MiB")
    yield Case("peak memory, no cache", 60, lambda _: memory("--no-cache"), "MiB")


def folder_cases(bench: Bench) -> Iterator[Case]:
    """A folder of drafts: against proselint, two processes against one, and a second run against the first."""
    files = sorted(
        os.path.join(parent, name)
        for parent, _, names in os.walk(bench.drafts)
        for name in names
        if name.endswith((".md", ".markdown", ".mdx"))
    )

    def whole(workers: int) -> Cost:
        with bench.new_cache() as cache:
            return bench.caveat("--claims", bench.small, "--workers", str(workers), bench.drafts, cache=cache)

    def again(_: int) -> float:
        with bench.new_cache() as cache:
            command = ["--claims", bench.small, "--workers", "1", bench.drafts]
            first = bench.caveat(*command, cache=cache).cpu
            return bench.caveat(*command, cache=cache).cpu / first

    def two_workers(turn: int) -> float:
        return against(lambda: whole(2).wall, lambda: whole(1).wall, turn)

    def proselint() -> float:
        return bench.run([*PROSELINT, *files]).cpu

    yield Case("folder, one worker / proselint", 0.4, lambda turn: against(lambda: whole(1).cpu, proselint, turn))
    yield Case("folder, two workers / one, by the clock", 0.65, two_workers)
    yield Case("folder unchanged / first run", 0.12, again)


def growth_cases(bench: Bench) -> Iterator[Case]:
    """Cost in a straight line: ten times the draft, and inputs that are made to be slow."""

    def no_cache(draft: str) -> float:
        return bench.caveat("--no-cache", "--claims", bench.small, draft).cpu

    def tenfold(turn: int) -> float:
        start = bench.caveat("--no-cache", "--claims", bench.small, "--text", "x").cpu  # what does not grow
        ten, one = bench.draft(300_000), bench.draft(30_000)
        return against(lambda: no_cache(ten) - start, lambda: no_cache(one) - start, turn)

    yield Case("300 kB / 30 kB, start-up taken off", 11, tenfold)
    for name, text in corpus.hostile().items():
        yield Case(f"100 kB of {name}", 3, lambda _, text=text: no_cache(bench.draft(text=text)), "s", once=True)  # type: ignore[misc]


def registry_cases(bench: Bench) -> Iterator[Case]:
    """A registry of 5,000 claims: its upkeep by the clock, and what it costs a draft in which it matters little."""

    def upkeep(*options: str) -> float:
        command = ["claims", "check", "--isolated", "--claims", bench.large, "--no-cache", *options]
        return bench.run([CAVEAT[0], *command]).wall

    def start(turn: int) -> float:
        return against(
            lambda: bench.caveat("--claims", bench.large, bench.draft(text="Nothing.")).cpu,
            lambda: bench.caveat("--claims", bench.small, bench.draft(text="Nothing.")).cpu,
            turn,
        )

    yield Case("claims check, 5,000 claims", 10, lambda _: upkeep(), "s", once=True)
    yield Case(
        "claims check, 5,000 claims and a draft", 10, lambda _: upkeep("--drafts", bench.draft()), "s", once=True
    )
    yield Case("warm start, 5,000 claims / 300 claims", 1.5, start)


def main() -> None:
    """Measure, print a line a bound, and exit 1 if one does not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drafts", default="", help="a folder of real drafts; without it generated ones are used")
    parser.add_argument("--pairs", type=int, default=9, help="how often each ratio is measured (9)")
    parser.add_argument("--only", default="", help="measure only what has this in its name")
    arguments = parser.parse_args()
    if not os.path.exists(PROSELINT[0]):
        sys.exit("proselint is missing: python -m pip install '.[bench]'")
    version = subprocess.run([PROSELINT[0], "version"], capture_output=True, text=True, check=False).stdout.strip()
    caveat = subprocess.run([*CAVEAT, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    print(f"{caveat} against {version}; Python {sys.version.split()[0]}; {os.cpu_count()} processors")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder, arguments.drafts)
        for case in cases(bench):
            if arguments.only not in case.name:
                continue
            samples = [case.sample(turn) for turn in range(1 if case.once else arguments.pairs)]
            middle = statistics.median(samples)
            verdict = "holds" if middle <= case.bound else "FAILS"
            failed += verdict == "FAILS"
            spread = "" if case.once else f"  [{min(samples):.3f} to {max(samples):.3f}]"
            print(f"{verdict}  {middle:7.3f} {case.unit:<3} of {case.bound:<5} {case.name}{spread}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
