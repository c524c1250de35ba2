"""Findings as JUnit XML: one suite a draft, one test a finding, one passed test for a draft without any.

A finding is a failed test, or, if it does not fail the run, a passed one that says what was found.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from caveat.finding import SEVERITIES, Finding
from caveat.markdown.source import Source
from caveat.outcome import Outcome
from caveat.report.concise import place
from caveat.report.sentences import message, one_line


def render(outcomes: Sequence[Outcome], fail_level: str = "info") -> str:
    """A whole XML document. CI servers refuse one without tests, so there is always at least one."""
    root = Element("testsuites", name="caveat")
    failing = SEVERITIES[SEVERITIES.index(fail_level) :]
    for outcome in outcomes:
        _suite(root, one_line(outcome.source.filename), outcome.source, outcome.findings, failing)
    if not outcomes:
        _suite(root, "caveat", Source(""), (), failing)
    for name in ("tests", "failures", "errors"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _suite(root: Element, name: str, source: Source, findings: Sequence[Finding], failing: Sequence[str]) -> None:
    tests, failures = max(1, len(findings)), sum(finding.severity in failing for finding in findings)
    suite = SubElement(root, "testsuite", name=name, tests=str(tests), failures=str(failures), errors="0")
    for finding in findings:
        row, column = source.place(finding.start)
        case = SubElement(suite, "testcase", name=f"{finding.rule} at {row}:{column}", classname=name)
        if finding.severity in failing:
            about = SubElement(case, "failure", type=finding.severity, message=message(finding))
        else:
            about = SubElement(case, "system-out")
        about.text = _account(source, finding)
    if not findings:
        SubElement(suite, "testcase", name="no findings", classname=name)


def _account(source: Source, finding: Finding) -> str:
    """All that a reader of a test report needs: the place, the words, why it matters and what would cure it."""
    where = f"{one_line(place(source, finding.start))}: {one_line(source.text[finding.start : finding.end])}"
    notes = [f"{name}: {one_line(text)}" for name, text in (("why", finding.why), ("help", finding.help)) if text]
    return "\n".join([where, message(finding), *notes])
