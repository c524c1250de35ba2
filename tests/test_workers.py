"""Work in several processes: every answer comes, whatever becomes of a process."""

from __future__ import annotations

import os
import signal
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveat.running.checking import worker_count

if sys.platform == "win32":
    pytest.skip("there is no fork", allow_module_level=True)

from caveat.running.workers import Crash, run_forked, shares


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=30), st.integers(1, 6))
def test_every_task_is_given_to_one_worker(sizes: list[int], workers: int) -> None:
    parts = shares(sizes, workers)
    assert sorted(task for part in parts for task in part) == list(range(len(sizes)))
    for part in parts:
        assert [sizes[task] for task in part] == sorted((sizes[task] for task in part), reverse=True)


def test_the_work_is_shared_evenly() -> None:
    assert shares([10, 1, 1, 8, 2], 2) == [[0, 1], [3, 4, 2]]


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_all_answers_come(workers: int) -> None:
    sizes = [5, 1, 9, 0, 3, 3]
    answers = dict(run_forked(lambda task: f"{task}é" * 50_000, sizes, workers))
    assert answers == {task: f"{task}é" * 50_000 for task in range(len(sizes))}


@pytest.mark.parametrize("workers", [1, 2])
def test_a_process_that_dies_costs_the_task_that_it_was_at(workers: int) -> None:
    def work(task: int) -> str:
        if task == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        if task == 4:
            os._exit(7)
        return str(task)

    answers = dict(run_forked(work, [1] * 7, workers))
    assert answers[2] == Crash("was killed by SIGKILL")
    assert answers[4] == Crash("ended with exit code 7")
    assert {task: answer for task, answer in answers.items() if task not in {2, 4}} == {
        task: str(task) for task in (0, 1, 3, 5, 6)
    }


def test_an_error_in_the_work_is_a_crash_too() -> None:
    def work(task: int) -> str:
        raise MemoryError

    assert dict(run_forked(work, [1], 1)) == {0: Crash("ended with exit code 1")}


def test_no_process_outlives_a_run_that_is_given_up() -> None:
    running = run_forked(str, [1] * 40, 3)
    next(running)
    running.close()
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


@pytest.mark.parametrize(
    ("asked", "sizes", "count"),
    [(1, [10**6] * 9, 1), (4, [10**6] * 9, 4), (4, [10**6] * 2, 2), (4, [100] * 9, 1), (0, [100], 1), (3, [], 1)],
)
def test_processes_are_used_only_where_they_pay(asked: int, sizes: list[int], count: int) -> None:
    assert worker_count(asked, sizes) == count


def test_without_a_number_there_is_one_for_each_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2}, raising=False)
    assert worker_count(0, [10**6] * 9) == 3


def test_where_there_is_no_fork_there_is_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "fork")
    assert worker_count(4, [10**6] * 9) == 1
