"""Findings as SARIF 2.1.0, as GitHub code scanning and the viewers of editors take it.

GitHub shows an alert in a pull request only if all lines of its region are in the diff, so a region never goes beyond
the row that it begins in; the rest of the words is in its context region. Columns are UTF-16 code units, which is what
readers take them for that do not look at `columnKind`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from caveat import __version__
from caveat.finding import DISPLAY_ONLY, Finding, Fix
from caveat.markdown.source import Source
from caveat.outcome import Cited, Outcome
from caveat.report.columns import Columns, end_in_first_row, last_row, utf16_columns
from caveat.report.json_report import written_out
from caveat.report.sentences import message_and_help, one_line

if TYPE_CHECKING:
    from caveat.rulebook.rules import Rule

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
ROOT = "%SRCROOT%"
FINGERPRINT = "caveatFinding/v1"  # not primaryLocationLineHash, which GitHub computes itself
LONGEST_DESCRIPTION = 1024
MOST_EXAMPLES = 2
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_GITHUB_LEVELS = {"error": "error", "warning": "warning", "info": "recommendation"}
_ABSOLUTE = re.compile(r"/|[A-Za-z]:[/\\]")
_LINK = re.compile(r"\[[^\]]*\]\(")
_GAP = re.compile(r"\{[^{}]*\}")  # what a finding fills in, in the words of a rule
_PLACEHOLDER = re.compile(r"\{(\d+)\}")

Json = dict[str, Any]


def render(outcomes: Iterable[Outcome], rules: Sequence[Rule]) -> str:
    """One run with all rules, whether they found something or not, and one result a finding."""
    described = {rule.name: _rule(rule) for rule in rules}
    results = [result for outcome in outcomes for result in _results(outcome, described)]
    numbers = {name: number for number, name in enumerate(described)}
    for result in results:
        result["ruleIndex"] = numbers[result["ruleId"]]
    driver = {"name": "caveat", "semanticVersion": __version__, "rules": list(described.values())}
    run = {
        "tool": {"driver": driver},
        "columnKind": "utf16CodeUnits",
        "newlineSequences": ["\r\n", "\n", "\r"],
        "originalUriBaseIds": {ROOT: {"description": {"text": "The root of the repository."}}},
        "results": results,
    }
    return written_out({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _rule(rule: Rule) -> Json:
    """The page of a rule, as code scanning shows it beside an alert."""
    parts = [("Why", rule.why), ("What would cure it", _GAP.sub("...", rule.help)), ("By", " ".join(rule.cite))]
    page = [f"**{title}.** {one_line(text)}" for title, text in parts if text]
    for title, bad in (("Flagged, at the words in «»", True), ("Not flagged", False)):
        examples = [_code(example.text) for example in rule.examples if example.bad == bad]
        page += [f"**{title}.**", *examples[:MOST_EXAMPLES]] if examples else []
    described = _descriptor(rule.name, rule.severity, rule.summary, rule.why)
    return {**described, "help": {"text": _plain(parts), "markdown": "\n\n".join(page)}}


def _rule_of(finding: Finding) -> Json:
    """What is known of a rule that is not in a file: what a finding of it says."""
    parts = [("Why", finding.why), ("What would cure it", finding.help), ("By", finding.cite)]
    described = _descriptor(finding.rule, finding.severity, finding.rule, finding.why)
    return {**described, "help": {"text": _plain(parts) or finding.rule}}


def _descriptor(name: str, severity: str, summary: str, why: str) -> Json:
    return {
        "id": name,
        "name": "".join(word.capitalize() for word in name.split("-")),
        "shortDescription": {"text": one_line(summary)[:LONGEST_DESCRIPTION]},
        "fullDescription": {"text": one_line(why or summary)[:LONGEST_DESCRIPTION]},
        "defaultConfiguration": {"level": _LEVELS[severity]},
        "properties": {"problem.severity": _GITHUB_LEVELS[severity], "tags": ["claims"]},
    }


def _plain(parts: Sequence[tuple[str, str]]) -> str:
    return "\n\n".join(f"{title}: {one_line(text)}" for title, text in parts if text)


def _code(text: str) -> str:
    """An example as a block of code, which nothing in it can end."""
    longest = max((len(ticks) for ticks in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}markdown\n{text.rstrip()}\n{fence}"


def _results(outcome: Outcome, described: dict[str, Json]) -> Iterator[Json]:
    """One result a finding; rules that are not described yet are added to `described`."""
    columns = utf16_columns(outcome.source)
    for finding in outcome.findings:
        if finding.rule not in described:
            described[finding.rule] = _rule_of(finding)
        cited = [(claim, outcome.cited[claim]) for claim in finding.claims if claim in outcome.cited]
        related = [_claim(number, *pair) for number, pair in enumerate(cited) if _is_inside(pair[1].file)]
        result: Json = {
            "ruleId": finding.rule,
            "level": _LEVELS[finding.severity],
            "message": {"text": _escaped(message_and_help(finding))},
            "locations": [{"physicalLocation": _place(outcome.source, columns, finding)}],
            "partialFingerprints": {FINGERPRINT: finding.fingerprint},
        }
        if related:
            result["relatedLocations"] = related
        if finding.fix is not None and finding.fix.applicability != DISPLAY_ONLY:
            result["fixes"] = [_fix(outcome.source, columns, finding.fix)]
        yield result


def _place(source: Source, columns: Columns, finding: Finding) -> Json:
    end = end_in_first_row(source, finding.start, finding.end)
    (row, column), (_, end_column) = columns.span(finding.start, end)
    place: Json = {
        "artifactLocation": _artifact(source.filename),
        "region": {
            "startLine": row,
            "startColumn": column,
            "endLine": row,
            "endColumn": end_column,
            "snippet": {"text": source.text[finding.start : end]},
        },
    }
    if end < finding.end:
        last = last_row(source, finding.start, finding.end)
        place["contextRegion"] = {"startLine": row, "endLine": last, "snippet": {"text": _rows(source, row, last)}}
    return place


def _fix(source: Source, columns: Columns, fix: Fix) -> Json:
    """A fix with what it replaces. Its regions may go over several rows, for they are no alerts."""
    replacements = []
    for edit in fix.edits:
        (row, column), (end_row, end_column) = columns.span(edit.start, edit.end)
        region = {"startLine": row, "startColumn": column, "endLine": end_row, "endColumn": end_column}
        replacements.append({"deletedRegion": region, "insertedContent": {"text": edit.text}})
    change = {"artifactLocation": _artifact(source.filename), "replacements": replacements}
    return {"description": {"text": _escaped(one_line(fix.title))}, "artifactChanges": [change]}


def _rows(source: Source, first: int, last: int) -> str:
    """The text of some rows, without the end of the last line."""
    starts = source.row_starts()
    end = starts[last] if last < len(starts) else len(source.text)
    return source.text[starts[first - 1] : end].rstrip("\r\n")


def _claim(number: int, claim: str, cited: Cited) -> Json:
    """Where the registry says otherwise."""
    text = one_line(f'{claim}: {cited.value}, "{cited.source}"')
    region = {"startLine": max(1, cited.line)}
    location = {"artifactLocation": _artifact(cited.file), "region": region}
    return {"id": number, "message": {"text": _escaped(text)}, "physicalLocation": location}


def _is_inside(path: str) -> bool:
    """Whether a path is below the root of the repository, and so means something to who reads the report."""
    return not _ABSOLUTE.match(path) and not path.startswith("../")


def _artifact(path: str) -> Json:
    address = quote(path.encode("utf-8", "surrogateescape"))
    if _ABSOLUTE.match(path):
        return {"uri": f"file:///{address.lstrip('/')}"}
    return {"uri": address, "uriBaseId": ROOT} if _is_inside(path) else {"uri": address}


def _escaped(text: str) -> str:
    """A message in which nothing from a draft is a link or the place of an argument.

    Brackets and braces that make neither are left as they are: GitHub shows the signs that escape them.
    """
    text = _PLACEHOLDER.sub(r"{{\1}}", text)
    return re.sub(r"([\[\]\\])", r"\\\1", text) if _LINK.search(text) else text
