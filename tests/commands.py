"""How the tests of the command line run a command, and what they look at when it has ended."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Result(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


Run = Callable[..., Result]
