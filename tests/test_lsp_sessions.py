"""Sessions with the language server, as an editor has them: over standard input and output, with files that change."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from editors import ABLE, editor

REGISTRY = """\
vendors:
  acme: {name: Acme}
products:
  rocket: {name: Rocket, vendor: acme, unit: chip}
sources:
  sheet: {title: Rocket data sheet, publisher: acme, kind: vendor-doc, url: https://example.com/rocket}
claims:
  - id: rocket-memory
    product: rocket
    metric: memory-capacity
    value: 64 GB
    basis: {scope: chip}
    source: sheet
    caveat: In the larger of two variants.
"""
GOOD = "# Notes\n\nAcme says the Rocket has 64 GB of memory.\n"


@pytest.fixture
def project(inside: Path) -> Path:
    """A folder with a registry of its own and a configuration."""
    (inside / "claims").mkdir()
    (inside / "claims" / "acme.yaml").write_text(REGISTRY)
    (inside / "caveat.toml").write_text('claims = ["claims"]\n')
    return inside


@pytest.mark.asyncio
async def test_a_bad_figure_is_flagged_as_it_is_typed_and_its_rule_can_be_left_out(project: Path) -> None:
    draft = (project / "a draft, 50%.md").as_uri()
    async with editor(project) as at_work:
        at_work.open(draft, GOOD)
        await at_work.sees(draft, [])
        at_work.replace(draft, "64 GB", "80 GB")
        (found,) = await at_work.sees(draft, ["figure-mismatch"])
        assert found.range == at_work.range_of(draft, "80 GB")
        assert found.severity == types.DiagnosticSeverity.Error
        (claim,) = found.related_information or ()
        assert claim.location.uri == (project / "claims" / "acme.yaml").as_uri()
        assert claim.location.range.start.line == REGISTRY[: REGISTRY.index("- id")].count("\n")

        here, everywhere = (each for each in await at_work.actions(draft, found.range) if "Ignore" in each.title)
        at_work.apply(here)
        await at_work.sees(draft, ["figure-mismatch", "unexplained-suppression"])
        at_work.replace(draft, "[figure-mismatch]", "[figure-mismatch] Acme is correcting the sheet")
        await at_work.sees(draft, [])

        at_work.replace(draft, "80 GB", "64 GB")
        (unused,) = await at_work.sees(draft, ["unused-suppression"])
        (fix,) = await at_work.actions(draft, unused.range)
        assert (fix.title, fix.is_preferred) == ("Remove the unused suppression", True)
        at_work.apply(fix)
        await at_work.sees(draft, [])
        assert at_work.texts[draft] == GOOD
        assert everywhere.title == "Ignore figure-mismatch in this draft, with a reason"


@pytest.mark.asyncio
async def test_what_is_pointed_at_is_explained(project: Path) -> None:
    draft = (project / "draft.md").as_uri()
    async with editor(project) as at_work:
        at_work.open(draft, GOOD + "\nThe Rocket has 80 GB [@sheet] [^1].\n\n[^1]: See above.\n")
        text = await at_work.hover(draft, "64 GB")
        assert "**64 GB**: memory-capacity of Rocket, current" in text
        assert "[Rocket data sheet](<https://example.com/rocket>): Acme (vendor-doc, about its own product)" in text
        assert "**Caveat**: In the larger of two variants" in text
        assert "**figure-mismatch** (error): 80 GB here" in await at_work.hover(draft, "80 GB")
        assert await at_work.hover(draft, "Notes") == ""

        async def leads_to(words: str) -> list[tuple[str, int]]:
            about = types.TextDocumentIdentifier(draft)
            asked = types.DefinitionParams(about, at_work.range_of(draft, words).start)
            found = await at_work.client.text_document_definition_async(asked)
            assert isinstance(found, list)
            return [
                (os.path.basename(each.uri), each.range.start.line)
                for each in found
                if isinstance(each, types.Location)
            ]

        assert await leads_to("64 GB") == [("acme.yaml", 7)]
        assert await leads_to("@sheet") == [("acme.yaml", 5)]
        assert await leads_to("^1") == [("draft.md", 6)]
        assert await leads_to("Notes") == []


@pytest.mark.asyncio
async def test_the_registry_is_watched_and_the_last_good_one_kept(project: Path) -> None:
    draft, registry = (project / "draft.md").as_uri(), project / "claims" / "acme.yaml"
    async with editor(project) as at_work:
        at_work.open(draft, GOOD)
        await at_work.sees(draft, [])
        await at_work.until(lambda: bool(at_work.registered))
        registry.write_text(REGISTRY.replace("64 GB", "96 GB"))
        at_work.saved(registry)
        await at_work.sees(draft, ["figure-mismatch"])

        registry.write_text(REGISTRY.replace("value: 64 GB", "valeu: 64 GB"))
        at_work.saved(registry)
        await at_work.until(lambda: len(at_work.shown(registry.as_uri())) > 0)
        (*_, fault) = at_work.client.diagnostics[registry.as_uri()]
        assert "valeu" in fault.message
        assert fault.range.start == types.Position(10, 4)
        at_work.replace(draft, "64 GB", "96 GB")  # checked by the last good registry
        await at_work.sees(draft, [])

        registry.write_text(REGISTRY)
        at_work.saved(registry)
        await at_work.sees(registry.as_uri(), [])
        await at_work.sees(draft, ["figure-mismatch"])
        (project / "caveat.toml").write_text('claims = ["claims"]\nignore = ["figure-mismatch"]\n')
        at_work.replace(draft, "Notes", "Note")  # nobody told of the change: it is seen with the next edit
        await at_work.sees(draft, [])
        (project / "caveat.toml").write_text('claims = ["claims"]\nignor = ["figure-mismatch"]\n')
        at_work.saved(project / "caveat.toml")
        await at_work.until(lambda: len(at_work.shown((project / "caveat.toml").as_uri())) == 1)
        assert at_work.shown(draft) == []


@pytest.mark.asyncio
async def test_drafts_outside_of_the_workspace_and_without_a_file_are_checked_too(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other é") / "straße #1.md"
    (other.parent / ".caveat.toml").write_text('select = ["missing-baseline"]\nexclude = ["old*"]\n')
    excluded, unsaved = (other.parent / "old.md").as_uri(), "untitled:Untitled-1"
    bad = "The Rocket has 80 GB of memory, and is 40% faster.\n"
    async with editor(project, other.parent, able={}) as at_work:
        for uri in (other.as_uri(), excluded, unsaved):
            at_work.open(uri, bad)
        at_work.open((project / "notes.yaml").as_uri(), bad, "yaml")
        await at_work.sees(other.as_uri(), ["missing-baseline"])
        await at_work.sees(excluded, [])
        await at_work.sees(unsaved, ["figure-mismatch", "missing-baseline", "unsourced-figure"])
        assert (project / "notes.yaml").as_uri() not in at_work.client.diagnostics
        at_work.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(unsaved)))
        await at_work.sees(unsaved, [])


@pytest.mark.asyncio
async def test_an_editor_that_asks_for_diagnostics_is_told_when_to_ask_anew(project: Path) -> None:
    draft, registry = (project / "draft.md").as_uri(), project / "claims" / "acme.yaml"
    able: dict[str, Any] = ABLE | {
        "workspace": types.WorkspaceClientCapabilities(
            diagnostics=types.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
        ),
        "text_document": types.TextDocumentClientCapabilities(diagnostic=types.DiagnosticClientCapabilities()),
    }
    async with editor(project, able=able) as at_work:
        at_work.open(draft, GOOD)

        async def pull(before: str | None = None) -> Any:
            asked = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(draft), previous_result_id=before)
            return await at_work.client.text_document_diagnostic_async(asked)

        first = await pull()
        assert list(first.items) == []
        assert (await pull(first.result_id)).kind == "unchanged"
        registry.write_text(REGISTRY.replace("64 GB", "96 GB"))
        at_work.saved(registry)
        await at_work.until(lambda: at_work.client.diagnostic_refresh_count == 1)
        assert [each.code for each in (await pull(first.result_id)).items] == ["figure-mismatch"]
        assert draft not in at_work.client.diagnostics


@pytest.mark.asyncio
async def test_a_request_that_fails_is_logged_and_the_next_one_answered(project: Path) -> None:
    draft = (project / "draft.md").as_uri()
    async with editor(project) as at_work:
        at_work.open(draft, GOOD)
        await at_work.sees(draft, [])
        at_work.versions["file:///unopened.md"], at_work.texts["file:///unopened.md"] = 1, ""
        at_work.edit("file:///unopened.md", types.Range(types.Position(0, 0), types.Position(0, 0)), "x")
        await at_work.until(lambda: len(at_work.client.log_messages) > 0)
        assert "this is a fault in Caveat" in at_work.client.log_messages[0].message
        at_work.replace(draft, "64 GB", "80 GB")
        await at_work.sees(draft, ["figure-mismatch"])


def test_messages_that_cannot_be_read_are_left_aside_and_standard_output_is_the_protocols_alone(inside: Path) -> None:
    def message(**said: Any) -> bytes:
        body = json.dumps({"jsonrpc": "2.0", **said}).encode()
        return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)

    sent = [
        message(id=7, method="textDocument/hover", params={"textDocument": {"uri": "a"}, "position": {}}),
        message(id=8, method="caveat/unheardOf"),
        message(method="textDocument/didClose", params={"textDocument": {"uri": "file:///a.md"}}),
        message(id=1, method="initialize", params={"processId": None, "rootUri": None, "capabilities": {}}),
        message(id=2, method="textDocument/hover", params={"textDocument": {}}),
        b"Content-Length: 5\r\n\r\nhello",
        message(id=3, method="caveat/unheardOf", params={}),
        message(id=5, method="caveat/unheardOf"),
        message(method="$/unheardOf"),
        message(id=4, method="shutdown"),
        message(id=6, method="caveat/unheardOf"),
        message(method="exit"),
    ]
    command = [sys.executable, "-m", "caveat", "lsp", "--stdio"]
    run = subprocess.run(command, input=b"".join(sent), capture_output=True, check=False, timeout=60)
    heads, answers = run.stdout.split(b"Content-Length: ")[1:], []
    for head in heads:
        length, _, body = head.partition(b"\r\n\r\n")
        assert int(length.partition(b"\r")[0]) == len(body)
        answers.append(json.loads(body))
    codes = {answer["id"]: answer.get("error", {}).get("code") for answer in answers if "id" in answer}
    assert codes == {
        7: -32602,  # its parameters are wrong
        8: -32002,  # nothing is asked before "initialize"
        1: None,
        2: -32602,
        3: -32601,  # there is no such method
        5: -32601,
        4: None,
        6: -32600,  # nothing is asked after "shutdown"
    }
    said = [answer["params"]["message"] for answer in answers if answer.get("method") == "window/logMessage"]
    assert len([words for words in said if words.startswith("a message that cannot be read was left aside")]) == 3
    assert len(said) == 3
    assert run.returncode == 0


def test_options_that_cannot_be_followed_end_the_server_with_a_message(inside: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "caveat", "lsp", "--stdio", "--config", "none.toml"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (run.returncode, run.stdout, run.stderr) == (2, "", "error: --config none.toml: no such file\n")
