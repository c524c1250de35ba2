"""`caveat claims export`: the registry in a format of other programs, on standard output or in a file."""

from __future__ import annotations

from caveat.command import Run
from caveat.exchange.contents import Contents, read_contents
from caveat.outcome import UserError
from caveat.streams import print_report, replace_file

_OPTION = "--output-file"


def export_registry(run: Run, fmt: str, path: str) -> None:
    """Write the registry as "csv", "json", "jsonld" or "sqlite" to a file, whole or not at all; "" prints it.

    Raises UserError for faults in the registry, and if it cannot be written.
    """
    if fmt == "sqlite" and not path:
        raise UserError(f"sqlite is a file that nobody reads as text: name one with {_OPTION}")
    contents = read_contents(run)
    if not path:
        print_report(_text(contents, fmt), for_machines=True)
        return
    try:
        replace_file(path, _bytes(contents, fmt))
    except OSError as error:
        raise UserError(f"{_OPTION} {path}: cannot be written: {error.strerror or error}") from error


def _bytes(contents: Contents, fmt: str) -> bytes:
    if fmt == "sqlite":
        from caveat.exchange.database import render_database

        return render_database(contents)
    return _text(contents, fmt).encode("utf-8", "backslashreplace")


def _text(contents: Contents, fmt: str) -> str:
    if fmt == "csv":
        from caveat.exchange.csv_table import render_csv

        return render_csv(contents)
    if fmt == "json":
        from caveat.exchange.json_document import render_json

        return render_json(contents)
    from caveat.exchange.linked_data import render_linked_data

    return render_linked_data(contents)
