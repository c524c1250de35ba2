"""Standard output and standard error: reports go to the one, all that is said about them to the other."""

from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from caveat.outcome import DeskError, UserError
from caveat.report.text import counted, visible

WORTH_A_BAR = 200_000  # characters of Markdown: more than a moment's work


class Speaker:
    """What is said on standard error. `failed` tells whether any of it was an error."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.quiet = quiet
        self.failed = False

    def error(self, error: UserError | str) -> None:
        """Say what could not be done. Faults of the registry begin with their place, so that editors find them."""
        self.failed = True
        lines = str(error).split("\n")
        if isinstance(error, DeskError):
            _say(lines)
            lines = [f"{counted(len(lines), 'fault')} in the registry or the rules; nothing was checked against them"]
        _say([f"error: {line}" for line in lines])

    def note(self, *lines: str) -> None:
        """Say something that is no error."""
        if not self.quiet:
            _say(lines)

    def aside(self, report: str) -> None:
        """Say a report, because something else is on standard output."""
        _say(report.splitlines())

    @contextmanager
    def progress(self, total: int, label: str = "Checking") -> Iterator[Callable[[int], None]]:
        """A function to be told of work done, out of a total; it draws a bar if there is someone to see it."""
        if self.quiet or total < WORTH_A_BAR or not sys.stderr.isatty():
            yield lambda _: None
            return
        import click

        with click.progressbar(length=total, label=label, file=sys.stderr) as bar:
            yield bar.update


def _say(lines: Sequence[str]) -> None:
    sys.stderr.write("".join(f"{visible(line)}\n" for line in lines))


def wants_colour(when: str) -> bool:
    """Whether to colour standard output: the option, FORCE_COLOR, NO_COLOR, a dumb terminal, whether it is one."""
    if when != "auto":
        return when == "always"
    if os.environ.get("FORCE_COLOR"):
        return True
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty()


def print_report(report: str, *, for_machines: bool = False) -> None:
    """Write a report to standard output, for machines as it is and in UTF-8.

    For people it is in the encoding of the terminal, with escapes where that ends. A reader that goes away early is no
    error.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        encoding, line_end = ("utf-8", "\n") if for_machines else (None, None)
        sys.stdout.reconfigure(encoding=encoding, newline=line_end, errors="backslashreplace")
    try:
        sys.stdout.write(report)
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or the interpreter fails again when it ends
        if not isinstance(error, BrokenPipeError):
            raise UserError(f"standard output cannot be written: {error.strerror or error}") from error


def save_report(report: str, path: str, option: str = "--output-file") -> None:
    """Write a report to a file, in UTF-8: whole or not at all. `option` is who asked for it."""
    try:
        replace_file(path, report.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise UserError(f"{option} {path}: cannot be written: {error.strerror or error}") from error


def replace_file(path: str, data: bytes) -> None:
    """Write a file beside the one meant and let it take its place; a pipe or a device is written to as it is."""
    target = os.path.realpath(path)
    if os.path.exists(target) and not (os.path.isfile(target) and os.access(target, os.W_OK)):
        with open(target, "wb") as file:  # or says why not
            file.write(data)
        return
    passing = os.path.join(os.path.dirname(target), f".caveat-{os.getpid()}-{time.monotonic_ns()}")
    try:
        with open(passing, "xb") as file:
            file.write(data)
        if os.path.exists(target):
            about = os.stat(target)
            if hasattr(os, "chown"):
                with suppress(OSError):  # only root gives files away
                    os.chown(passing, about.st_uid, about.st_gid)
            os.chmod(passing, about.st_mode & 0o7777)
        os.replace(passing, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(passing)
        raise


def add_to_file(text: str, path: str, what: str) -> None:
    """Write a text to the end of a file, in UTF-8. `what` names the file in a message."""
    try:
        with open(path, "ab") as file:
            file.write(text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise UserError(f"{what} {path}: cannot be written: {error.strerror or error}") from error
