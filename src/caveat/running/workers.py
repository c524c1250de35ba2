"""Many tasks in several processes: largest first, answers by task, and no answer lost if a process dies.

Children are forked, which costs a few milliseconds where a pool costs a hundred: what they need is already loaded, and
they hand back text through a pipe. A child that dies costs the task that it was at, and another takes over the rest.
"""

from __future__ import annotations

import os
import selectors
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

_HEADER = 12  # of an answer: the number of its task (4 bytes), the length of its text (8 bytes)
_CHUNK = 1 << 16


class Crash(NamedTuple):
    """Instead of an answer: how the process that was at the task ended."""

    how: str


def shares(sizes: Sequence[int], workers: int) -> list[list[int]]:
    """The numbers of the tasks for each worker, largest first, each given to the worker with least to do."""
    loads = [0] * workers
    parts: list[list[int]] = [[] for _ in range(workers)]
    for task in sorted(range(len(sizes)), key=lambda task: (-sizes[task], task)):
        idlest = loads.index(min(loads))
        loads[idlest] += sizes[task] + 1
        parts[idlest].append(task)
    return parts


def run_forked(
    work: Callable[[int], str], sizes: Sequence[int], workers: int
) -> Generator[tuple[int, str | Crash], None, None]:
    """(task, what `work` answered or how its process ended), as they come. `work` gets the number of a task."""
    children = [_Child(work, tasks) for tasks in shares(sizes, workers) if tasks]
    with selectors.DefaultSelector() as selector:
        try:
            for child in children:
                selector.register(child.pipe, selectors.EVENT_READ, child)
            while selector.get_map():
                for key, _ in selector.select():
                    child = key.data
                    yield from child.answers()
                    if child.ended:
                        selector.unregister(child.pipe)
                        children.remove(child)
                        successor = yield from child.bury(work)
                        if successor is not None:
                            children.append(successor)
                            selector.register(successor.pipe, selectors.EVENT_READ, successor)
        finally:
            for child in children:
                child.kill()


class _Child:
    """A forked process that works through its tasks in order."""

    def __init__(self, work: Callable[[int], str], tasks: list[int]) -> None:
        self.tasks = tasks
        self.ended = False
        self._received = bytearray()
        self.pipe, writing = os.pipe()
        self.process = os.fork()
        if self.process == 0:
            os.close(self.pipe)
            _work_through(work, tasks, writing)
        os.close(writing)

    def answers(self) -> Iterator[tuple[int, str | Crash]]:
        """The answers that have come in since the last call."""
        data = os.read(self.pipe, _CHUNK)
        self.ended = not data
        self._received += data
        while len(self._received) >= _HEADER:
            task, length = (int.from_bytes(part, "big") for part in (self._received[:4], self._received[4:_HEADER]))
            if len(self._received) < _HEADER + length:
                return
            text = self._received[_HEADER : _HEADER + length].decode("utf-8")
            del self._received[: _HEADER + length]
            self.tasks.remove(task)
            yield task, text

    def bury(self, work: Callable[[int], str]) -> Generator[tuple[int, str | Crash], None, _Child | None]:
        """After the end: a crash for the task it was at, if any is left, and a successor for the tasks after that."""
        os.close(self.pipe)
        status = os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])
        if not self.tasks:
            return None
        how = f"was killed by {signal.Signals(-status).name}" if status < 0 else f"ended with exit code {status}"
        yield self.tasks[0], Crash(how)
        return _Child(work, self.tasks[1:]) if len(self.tasks) > 1 else None

    def kill(self) -> None:
        """End the process before its time."""
        with suppress(ProcessLookupError):
            os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.pipe)


def _work_through(work: Callable[[int], str], tasks: list[int], writing: int) -> None:
    """The whole life of a child. It never returns, and never runs what the parent has yet to run."""
    status = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        for task in tasks:
            text = work(task).encode("utf-8")
            message = memoryview(task.to_bytes(4, "big") + len(text).to_bytes(8, "big") + text)
            while message:
                message = message[os.write(writing, message) :]
        status = 0
    finally:
        os._exit(status)
