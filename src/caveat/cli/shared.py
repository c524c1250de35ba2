"""What commands have in common: options from the one table, how a page is printed, what is said of a wrong name."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

import click

from caveat.options import FIELDS, NUMBERS, OPTIONS, CheckOptions, Option, split_names, values_in

if TYPE_CHECKING:
    from caveat.command import Run

Command = Callable[..., None]
SETTINGS_FIELDS = ("select", "ignore", "severity", "claims", "rules", "baseline", "config", "isolated", "no_cache")
DESK_FIELDS = ("claims", "rules", "config", "isolated", "no_cache")


def _click_option(option: Option) -> Callable[[Command], Command]:
    """An entry of the table of options as click wants it."""
    about: dict[str, Any] = {"help": option.help, "envvar": option.variable or None, "show_envvar": True}
    if not option.takes:
        about["is_flag"] = True
    elif option.choices:
        about["type"] = click.Choice(option.choices)
        about["default"] = getattr(CheckOptions, option.field) or None
    elif option.field in NUMBERS:
        least, most = NUMBERS[option.field]
        about["type"] = click.IntRange(min=least, max=most)
    about["metavar"] = None if option.choices else option.takes or None
    about["multiple"] = option.many
    names = [name for name in (option.short, option.name) if name]
    return click.option(*names, option.field, **about)


def _with_options(command: Command, fields: Collection[str]) -> Command:
    """A command with the options of these fields of CheckOptions."""
    for option in reversed(OPTIONS):
        if option.field in fields:
            command = _click_option(option)(command)
    return command


def settings_options(command: Command) -> Command:
    """A command with the options that say what holds for drafts."""
    return _with_options(command, SETTINGS_FIELDS)


def check_options(command: Command) -> Command:
    """A command with all options of `check`."""
    return _with_options(command, FIELDS)


def draft_options(command: Command) -> Command:
    """A command with the options of `check` that matter to those who check drafts and do not list the findings."""
    return _with_options(command, (*SETTINGS_FIELDS, "force_exclude", "workers", "quiet"))


def sync_options(command: Command) -> Command:
    """A command with the options of `check` that say which drafts it is about, and which registry they are from."""
    return _with_options(command, (*DESK_FIELDS, "stdin_filename", "force_exclude", "quiet"))


def desk_options(command: Command) -> Command:
    """A command with the options that say which registry and rules it works with."""
    return _with_options(command, DESK_FIELDS)


def listing_options(command: Command) -> Command:
    """The options of the commands that print what is in the registry or in the rules."""
    formats = click.Choice(["full", "json"])
    command = click.option("--format", "fmt", type=formats, default="full", help="How to print it.")(command)
    return _with_options(command, DESK_FIELDS)


def given_options(paths: tuple[str, ...], given: dict[str, Any]) -> CheckOptions:
    """What click has read, as `read_plain` would have returned it."""
    said = {field: value for field, value in given.items() if value is not None}
    for option in OPTIONS:
        if option.many and option.field in said:
            said[option.field] = tuple(name for value in said[option.field] for name in values_in(option, value))
    return CheckOptions(paths=paths, **said)


def print_page(
    given: dict[str, Any], page: Callable[[Run], str], fmt: str = "full", paths: tuple[str, ...] = ()
) -> None:
    """Print what a page says of what the options name, or what is wrong, and exit 2."""

    def show(run: Run) -> None:
        from caveat.streams import print_report

        print_report(page(run), for_machines=fmt == "json")

    do(given, show, paths)


def do(given: dict[str, Any], work: Callable[[Run], None], paths: tuple[str, ...] = ()) -> None:
    """Do a piece of work with what the options name, or say what is wrong, and exit 2."""
    from caveat.command import FAILED, Run
    from caveat.outcome import UserError
    from caveat.streams import Speaker

    speak = Speaker(quiet=given.get("quiet", False))
    try:
        work(Run(given_options(paths, given), speak))
    except UserError as error:
        speak.error(error)
    if speak.failed:
        sys.exit(FAILED)


@contextmanager
def answered() -> Iterator[None]:
    """Turns what cannot be answered as it was asked into a UserError, with the name that was probably meant."""
    from caveat.comparing.asking import Mistake, NotKnown
    from caveat.loading.problems import nearest
    from caveat.outcome import UserError

    try:
        yield
    except NotKnown as error:
        near = nearest(error.name, error.known)
        no_such(error.kind, error.name, [near] if near else error.listed)
    except Mistake as error:
        raise UserError(str(error)) from error


def split_all(values: Iterable[str]) -> list[str]:
    """The names in all values of an option that takes several, each with commas between them."""
    return [name for value in values for name in split_names(value)]


def no_such(kind: str, name: str, names: Iterable[str]) -> NoReturn:
    """Raise the UserError that says so, with the nearest of the names that there are."""
    from caveat.loading.problems import suggest
    from caveat.outcome import UserError

    raise UserError(f"there is no {kind} {name!r}; {suggest(name, names)}")
