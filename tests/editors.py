"""An editor for tests: a real client that starts `caveat lsp`, opens texts, types in them, and sees what is shown."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient

PATIENCE = 30  # seconds; a machine that runs many things at once is slow

# What a modern editor says that it can do.
ABLE: dict[str, Any] = {
    "general": types.GeneralClientCapabilities(position_encodings=["utf-8", "utf-16"]),
    "workspace": types.WorkspaceClientCapabilities(
        did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True),
        workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True),
    ),
    "text_document": types.TextDocumentClientCapabilities(
        publish_diagnostics=types.PublishDiagnosticsClientCapabilities(related_information=True),
        hover=types.HoverClientCapabilities(content_format=[types.MarkupKind.Markdown]),
        code_action=types.CodeActionClientCapabilities(is_preferred_support=True),
    ),
}


class Editor:
    """What a test does in an editor. `registered` are the patterns of the files that the server asked to be told of."""

    def __init__(self, client: LanguageClient) -> None:
        self.client = client
        self.registered: list[Any] = []
        self.versions: dict[str, int] = {}
        self.texts: dict[str, str] = {}

    def open(self, uri: str, text: str, language: str = "markdown") -> None:
        """Open a text, whether or not there is a file."""
        self.versions[uri], self.texts[uri] = 1, text
        item = types.TextDocumentItem(uri, language, 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def replace(self, uri: str, old: str, new: str) -> None:
        """Type `new` in the place of `old`, which is in one line."""
        self.edit(uri, self.range_of(uri, old), new)

    def edit(self, uri: str, where: types.Range, new: str) -> None:
        """Type over a range of ASCII text."""
        self.versions[uri] += 1
        first, last = self._offset(uri, where.start), self._offset(uri, where.end)
        self.texts[uri] = self.texts[uri][:first] + new + self.texts[uri][last:]
        about = types.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        change = types.TextDocumentContentChangePartial(where, new)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(about, [change]))

    def range_of(self, uri: str, words: str) -> types.Range:
        """Where some words first stand."""
        before = self.texts[uri].partition(words)[0]
        assert before != self.texts[uri], words
        row, column = before.count("\n"), len(before.rpartition("\n")[2])
        return types.Range(types.Position(row, column), types.Position(row, column + len(words)))

    def _offset(self, uri: str, place: types.Position) -> int:
        lines = self.texts[uri].split("\n")
        return sum(len(line) + 1 for line in lines[: place.line]) + place.character

    def shown(self, uri: str) -> list[str]:
        """The rules, or the words of faults, that are shown in a file."""
        return [str(each.code or each.message) for each in self.client.diagnostics.get(uri, ())]

    async def sees(self, uri: str, expected: Sequence[str]) -> Sequence[types.Diagnostic]:
        """Wait until these rules are shown in a file, and no others."""
        await self.until(lambda: uri in self.client.diagnostics and self.shown(uri) == list(expected), uri)
        return self.client.diagnostics[uri]

    async def until(self, condition: Callable[[], bool], uri: str = "") -> None:
        """Wait until something is so."""
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, (self.shown(uri), [m.message for m in self.client.log_messages])
            await asyncio.sleep(0.01)

    async def actions(self, uri: str, where: types.Range) -> list[types.CodeAction]:
        """What can be done about a place."""
        about = types.TextDocumentIdentifier(uri)
        asked = types.CodeActionParams(about, where, types.CodeActionContext(self.client.diagnostics[uri]))
        found = await self.client.text_document_code_action_async(asked)
        return [each for each in found or [] if isinstance(each, types.CodeAction)]

    def apply(self, action: types.CodeAction) -> None:
        """Do what an action says."""
        assert action.edit
        for change in action.edit.document_changes or []:
            assert isinstance(change, types.TextDocumentEdit)
            assert change.text_document.version == self.versions[change.text_document.uri]
            for edit in sorted(change.edits, key=lambda each: (each.range.start.line, each.range.start.character))[
                ::-1
            ]:
                assert isinstance(edit, types.TextEdit)
                self.edit(change.text_document.uri, edit.range, edit.new_text)

    async def hover(self, uri: str, words: str) -> str:
        """What is shown of some words that are pointed at."""
        place = self.range_of(uri, words).start
        found = await self.client.text_document_hover_async(types.HoverParams(types.TextDocumentIdentifier(uri), place))
        if found is None:
            return ""
        assert isinstance(found.contents, types.MarkupContent)
        return found.contents.value

    def saved(self, *paths: Path) -> None:
        """Tell of files that have changed on disk."""
        changed = [types.FileEvent(path.as_uri(), types.FileChangeType.Changed) for path in paths]
        self.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(changed))


@asynccontextmanager
async def editor(
    *folders: Path, options: Sequence[str] = (), able: dict[str, Any] | None = None
) -> AsyncIterator[Editor]:
    """An editor with these folders open, and the server that it has started."""
    command = [sys.executable, "-m", "caveat", "lsp", *options]
    client = await ClientServerConfig(server_command=command).start()
    assert isinstance(client, LanguageClient)
    at_work = Editor(client)

    @client.feature(types.CLIENT_REGISTER_CAPABILITY)  # type: ignore[untyped-decorator]
    def register(params: types.RegistrationParams) -> None:
        at_work.registered += params.registrations

    capabilities = types.ClientCapabilities(**(ABLE if able is None else able))
    roots = [types.WorkspaceFolder(folder.as_uri(), folder.name) for folder in folders]
    try:
        await client.initialize_session(types.InitializeParams(capabilities, workspace_folders=roots))
        yield at_work
        await client.shutdown_session()
        assert client._server is not None
        assert client._server.returncode == 0
    finally:
        if client._server is not None and client._server.returncode is None:  # a test has failed
            client._server.kill()
        await client.stop()  # type: ignore[no-untyped-call]
