"""The options of `caveat check`, once: click makes its help from this table, and the plain form is read by it.

Importing click costs a warm run a fifth of its time, so `caveat check PATH... [--option value]...` is read here.
Whatever is written in another way, or wrongly, is left to click, which knows all forms and what to say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

# The formats of a report, and the module of `caveat.report` that writes each; it is loaded when one is asked for.
FORMATS = {
    "full": "full",
    "concise": "concise",
    "json": "json_report",
    "jsonl": "jsonl",
    "github": "github",
    "sarif": "sarif",
    "gitlab": "gitlab",
    "rdjson": "rdjson",
    "rdjsonl": "rdjsonl",
    "junit": "junit",
}
COLORS = ("auto", "always", "never")
SEVERITIES = ("info", "warning", "error")


class CheckOptions:
    """What a `check` was asked for. An empty text means "not said", so that the configuration may say it."""

    paths: tuple[str, ...] = ()
    files_from = ""
    text: str | None = None
    stdin_filename = ""
    format = "full"
    output_file = ""
    output: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity = ""
    no_suppressions = False
    claims = ""
    rules = ""
    baseline = ""
    diff: str | None = None
    config = ""
    isolated = False
    force_exclude = False
    fix = False
    unsafe_fixes = False
    diff_fixes = False
    show_fixes = False
    fail_on = ""
    max_warnings: int | None = None
    exit_zero = False
    statistics = False
    show_files = False
    show_figures = False
    no_cache = False
    color = "auto"
    workers = 0
    quiet = False

    def __init__(self, **said: Any) -> None:
        """`said` are the fields that differ from the above, by name."""
        vars(self).update(said)


class Option:
    """One option: its field of CheckOptions, what it takes ("" for a flag), and its line of help.

    `name` is as it is written, `--output-file`. `variable` is the environment's, which counts if nothing is said.
    """

    __slots__ = ("choices", "field", "help", "many", "name", "short", "takes", "variable")

    def __init__(
        self,
        field: str,
        takes: str,
        help: str,  # noqa: A002 - as click calls it
        *,
        choices: tuple[str, ...] = (),
        short: str = "",
        variable: str = "",
        many: bool = False,
    ) -> None:
        self.field = field
        self.name = "--" + field.replace("_", "-")
        self.takes = takes
        self.help = help
        self.choices = choices
        self.short = short
        self.variable = variable
        self.many = many


OPTIONS = (
    Option(
        "files_from", "FILE", "Check what this file names too, one path a line or after each NUL; `-`: standard input."
    ),
    Option("text", "SENTENCE", "Check this text instead of files."),
    Option("stdin_filename", "PATH", "The name of the draft that `-` reads from standard input."),
    Option("format", "FORMAT", "How to print the findings.", choices=tuple(FORMATS), variable="CAVEAT_FORMAT"),
    Option("output_file", "FILE", "Write the report to a file instead of standard output.", short="-o"),
    Option("output", "FORMAT=PATH", "Write another report to a file, or to standard output for `-`.", many=True),
    Option("select", "RULES", "Run these rules only (names, with commas between them).", many=True),
    Option("ignore", "RULES", "Leave these rules out.", many=True),
    Option("severity", "LEVEL", "Report findings of this severity and above.", choices=SEVERITIES),
    Option("no_suppressions", "", "Report what drafts ask to leave out as well."),
    Option("claims", "DIR", "The registry folder, or `starter`. Without it: the configuration's, else the starter."),
    Option("rules", "DIR", "A folder of rule files to add; one with the name of a shipped rule takes its place."),
    Option("baseline", "FILE", "A file of known findings, which are left out; `caveat baseline` records them."),
    Option("diff", "BASE", "Show findings on lines changed since the merge base with this commit or branch."),
    Option(
        "config",
        "FILE",
        "The configuration file, instead of the nearest .caveat.toml, caveat.toml or pyproject.toml.",
        variable="CAVEAT_CONFIG",
    ),
    Option("isolated", "", "Use no configuration file."),
    Option("force_exclude", "", "Leave out what the configuration excludes even if it is named (for hooks)."),
    Option("fix", "", "Make the safe fixes in the drafts; of standard input and --text the fixed text is printed."),
    Option("unsafe_fixes", "", "With --fix or --diff-fixes: make also those that change what a sentence says."),
    Option("diff_fixes", "", "Print what --fix would do, as a patch for `git apply`; write nothing."),
    Option("show_fixes", "", "Say in the full report how each finding can be fixed."),
    Option("fail_on", "LEVEL", "Exit 1 for findings of this severity and above only.", choices=SEVERITIES),
    Option("max_warnings", "N", "Exit 1 for more warnings than this, and for errors."),
    Option("exit_zero", "", "Exit 0 even if there are findings; errors still exit 2."),
    Option("statistics", "", "Count the findings of each rule, instead of listing them."),
    Option("show_files", "", "List the drafts that would be checked, instead of checking them."),
    Option("show_figures", "", "List every number with its reading, instead of findings."),
    Option("no_cache", "", "Neither read nor write the cache.", variable="CAVEAT_NO_CACHE"),
    Option("color", "WHEN", "Colour the full report.", choices=COLORS),
    Option("workers", "N", "Processes for many files. Without it: one for each processor."),
    Option("quiet", "", "No notes, progress or closing count on standard error.", short="-q"),
)
FIELDS = ("paths", *(option.field for option in OPTIONS))
NUMBERS = {"workers": (1, 999), "max_warnings": (0, 999_999)}  # from and to
WHOLE = frozenset({"output"})  # of those that may be given many times: a comma in the value is part of it


def read_plain(arguments: Sequence[str], environment: Mapping[str, str]) -> CheckOptions | None:
    """The options of a plainly written `check`, or None where click must read (or refuse) the command line."""
    if not arguments or arguments[0] != "check":
        return None
    named = {name: option for option in OPTIONS for name in (option.name, option.short) if name}
    said: list[tuple[Option, str]] = []
    paths: list[str] = []
    words = iter(arguments[1:])
    for word in words:
        if not word.startswith("-") or word == "-":
            paths.append(word)
            continue
        name, equals, value = word.partition("=")
        option = named.get(name)
        if option is None or (equals and (not option.takes or name == option.short)):
            return None
        if option.takes and not equals:
            value = next(words, "-?")
            if value.startswith("-"):
                return None
        said.append((option, value))
    inherited = [(option, environment.get(option.variable, "")) for option in OPTIONS if option.variable]
    return options_from([(option, value) for option, value in inherited if value] + said, paths)


def options_from(said: Sequence[tuple[Option, str]], paths: Sequence[str]) -> CheckOptions | None:
    """What was said as CheckOptions, the last word counting; None if a value is not one that its option takes."""
    values: dict[str, Any] = {"paths": tuple(paths)}
    for option, value in said:
        if option.many:
            values[option.field] = values.get(option.field, ()) + values_in(option, value)
        elif option.field in NUMBERS:
            least, most = NUMBERS[option.field]
            if not (value.isascii() and value.isdigit() and len(value) < 10 and least <= int(value) <= most):
                return None
            values[option.field] = int(value)
        elif option.choices and value not in option.choices:
            return None
        else:
            values[option.field] = value if option.takes else True
    return CheckOptions(**values)


def values_in(option: Option, value: str) -> tuple[str, ...]:
    """The values that were given in one word to an option that takes many."""
    return (value,) if option.field in WHOLE else split_names(value)


def split_names(value: str) -> tuple[str, ...]:
    """The names in "a, b,c"."""
    return tuple(name.strip() for name in value.split(",") if name.strip())
