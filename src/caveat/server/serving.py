"""The language server: answers an editor over standard input and output until that is closed.

Edits are taken at once. All reading, of files and of drafts, is done one piece after the other by a single thread
beside, so that no two of them meet; what it finds is dropped if the draft has been edited meanwhile.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
import traceback
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from json import JSONDecodeError
from typing import Any, TypeVar

from lsprotocol import types
from pygls.capabilities import get_capability
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams, JsonRpcMethodNotFound
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from caveat import __version__
from caveat.digest import digest
from caveat.markdown.source import Source
from caveat.options import CheckOptions
from caveat.outcome import UserError
from caveat.server import diagnostics
from caveat.server.actions import Able, actions
from caveat.server.completion import TRIGGERS, completions
from caveat.server.definition import definitions
from caveat.server.faults import Fault
from caveat.server.hover import hover_text
from caveat.server.looking_up import look_up
from caveat.server.places import Places
from caveat.server.session import Buffer, Review, Session
from caveat.server.uris import path_of, uri_of
from caveat.streams import Speaker

Result = TypeVar("Result")

# How long after an edit a draft is checked, in seconds: as long as its last check took, within these bounds.
SHORTEST, LONGEST = 0.05, 1.0
# Files that may be a registry, rules, a configuration or a baseline.
WATCHED = ("**/*.{yaml,yml,toml}", "**/*.json")
FAILED = 2


class Protocol(LanguageServerProtocol):
    """The protocol without the library's own texts, which break lines where the protocol does not.

    Every request is answered, also one that cannot be read or comes out of turn: an editor waits for it.
    """

    lsp_text_document__did_open = None  # type: ignore[assignment]
    lsp_text_document__did_change = None  # type: ignore[assignment]
    lsp_text_document__did_close = None  # type: ignore[assignment]

    def structure_message(self, data: dict[str, Any]) -> Any:
        """A message, or a part of one, as an object. A message that the library has no type for may have no params."""
        asked = "jsonrpc" in data and "method" in data
        if asked and self.get_message_type(data["method"]) is None:
            data.setdefault("params", None)
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if asked and "id" in data:
                self._send_response(data["id"], error=error.to_response_error())
            raise

    def handle_message(self, message: Any) -> None:
        """Act on a message if it is its turn: nothing comes before "initialize", and only "exit" after "shutdown"."""
        method = getattr(message, "method", "")
        early = bool(method) and method != types.INITIALIZE and not hasattr(self, "client_capabilities")
        if method == types.EXIT or not (early or self._shutdown):
            super().handle_message(message)
        elif method and hasattr(message, "id"):
            code = types.ErrorCodes.ServerNotInitialized if early else types.ErrorCodes.InvalidRequest
            said = 'nothing is asked before "initialize"' if early else 'nothing is asked after "shutdown"'
            self._send_response(message.id, error=types.ResponseError(code=code.value, message=said))


class Server(LanguageServer):
    """A server for one editor."""

    def __init__(self, session: Session) -> None:
        super().__init__("caveat", __version__, protocol_cls=Protocol)
        self.session = session
        self.able = Able(versions=False, snippets=False, related=False)
        self.pulls = False
        self.was_shut_down = False
        self._reader = ThreadPoolExecutor(1, "reader")
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._cost: dict[str, float] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._age = 0
        self._faults: list[Fault] = []  # those that the editor shows, and the files that they are in
        self._blamed: set[str] = set()
        self._said: set[str] = set()

    async def read(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """Do a piece of reading after those that were asked for before, and tell of files that have changed."""
        result = await asyncio.get_running_loop().run_in_executor(self._reader, work, *arguments)
        if self.session.standing.age != self._age:
            self._age = self.session.standing.age
            self._check_all_again()
        self._tell_faults()
        return result

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something that nobody waits for; what goes wrong is logged."""

        async def guarded() -> None:
            try:
                await work
            except Exception as error:  # noqa: BLE001 - one failure must not end the server
                self.log_fault(error)

        task = asyncio.ensure_future(guarded())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def report_server_error(self, error: Exception, source: Any) -> None:  # noqa: ARG002 - as the library calls it
        """What went wrong goes to the log of the editor, and the server goes on."""
        if isinstance(error, JsonRpcMethodNotFound):  # which the answer says
            return
        if isinstance(error, JsonRpcInvalidParams | JSONDecodeError):
            text = f"a message that cannot be read was left aside: {error}"
            self.window_log_message(types.LogMessageParams(types.MessageType.Warning, text))
        else:
            self.log_fault(error)

    def log_fault(self, error: BaseException) -> None:
        """Write a fault of Caveat's to the editor's log, with the place in the code."""
        lines = "".join(traceback.format_exception(error)).rstrip()
        text = f"{lines}\nthis is a fault in Caveat; please report it with the lines above"
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, text))

    # Checking

    def check_soon(self, uri: str, delay: float | None = None) -> None:
        """Check a draft when nothing has been typed in it for a moment, in seconds."""
        self.forget(uri)
        if delay is None:
            delay = min(max(self._cost.get(uri, 0), SHORTEST), LONGEST)
        loop = asyncio.get_running_loop()
        self._timers[uri] = loop.call_later(delay, lambda: self.start(self._check(uri)))

    def forget(self, uri: str) -> None:
        """Do not check a draft that was to be checked soon."""
        timer = self._timers.pop(uri, None)
        if timer is not None:
            timer.cancel()

    async def _check(self, uri: str) -> None:
        self._timers.pop(uri, None)
        buffer = self.session.buffers.get(uri)
        if buffer is None:
            return
        review = await self.review(buffer)
        if self.session.is_current(buffer):
            found = diagnostics.of_draft(review, self.places(review), related=self.able.related)
            self.publish(uri, found, buffer.version)

    async def review(self, buffer: Buffer) -> Review:
        """What is found in a text."""
        review = await self.read(self._review, buffer)
        if review.failure and review.failure not in self._said:
            self._said.add(review.failure)
            self.window_log_message(types.LogMessageParams(types.MessageType.Error, review.failure))
        return review

    def _review(self, buffer: Buffer) -> Review:
        begun = time.thread_time()
        review = self.session.review(buffer)
        self._cost[buffer.uri] = time.thread_time() - begun
        return review

    def _check_all_again(self) -> None:
        """The files have changed that drafts are checked by."""
        if self.pulls:
            self.start(self._ask_to_pull())
            return
        for uri in self.session.buffers:
            self.check_soon(uri, 0)

    async def _ask_to_pull(self) -> None:
        await self.workspace_diagnostic_refresh_async(None)

    async def look_around(self) -> None:
        """See whether files have changed."""
        await self.read(self.session.look_at_folders)

    def _tell_faults(self) -> None:
        """Show the faults of the files in these files, and take away those that are gone."""
        faults = list(self.session.standing.faults)
        if faults == self._faults:
            return
        self._faults = faults
        shown = diagnostics.of_faults(faults, self.session.encoding)
        for path in self._blamed - set(shown):
            self.publish(self._uri(path), [], None)
        for path, found in shown.items():
            self.publish(self._uri(path), found, None)
        self._blamed = set(shown)
        for fault in faults:
            if not fault.path and fault.message not in self._said:
                self._said.add(fault.message)
                self.window_show_message(types.ShowMessageParams(types.MessageType.Error, fault.message))

    def _uri(self, path: str) -> str:
        """The URI of a file, as the editor spells it if it has it open."""
        return next((b.uri for b in self.session.buffers.values() if b.path == path), "") or uri_of(path)

    def publish(self, uri: str, found: list[types.Diagnostic], version: int | None) -> None:
        """Show these diagnostics of a text, and no others."""
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, version))

    def places(self, review: Review) -> Places:
        """The places of a draft in the editor's units."""
        return self.session.places(review.source)

    async def at(self, uri: str, position: types.Position, work: Callable[[Review, int], Result]) -> Result | None:
        """What a piece of reading gives for a place in a draft; None for a text that is none, or is not open."""
        buffer = self.session.buffers.get(uri)
        if buffer is None or not buffer.is_draft:
            return None
        review = await self.review(buffer)
        return await self.read(work, review, self.places(review).offset(position))


def register(server: Server) -> None:
    """Say which function answers which message."""
    _register_life(server)
    _register_texts(server)
    _register_questions(server)


def _register_life(server: Server) -> None:
    session = server.session

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        client = _Client(params.capabilities)
        agreed = server.workspace.position_encoding
        session.encoding = agreed.value if isinstance(agreed, types.PositionEncodingKind) else str(agreed)
        server.able = client.able()
        folders = [path_of(folder.uri) for folder in params.workspace_folders or ()]
        root = path_of(params.root_uri) if params.root_uri else params.root_path or ""
        session.folders = [folder for folder in folders or [root] if folder]
        server.pulls = client.pulls()
        if server.pulls:
            options = types.DiagnosticOptions(
                inter_file_dependencies=False, workspace_diagnostics=False, identifier="caveat"
            )
            server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)(pull)

    async def pull(params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        buffer = session.buffers.get(params.text_document.uri)
        if buffer is None:
            return types.RelatedFullDocumentDiagnosticReport([])
        review = await server.review(buffer)
        state = digest(f"{session.standing.age}\n{buffer.filename}\n{buffer.text}".encode("utf-8", "surrogatepass"))
        if state == params.previous_result_id:
            return types.RelatedUnchangedDocumentDiagnosticReport(state)
        found = diagnostics.of_draft(review, server.places(review), related=server.able.related)
        return types.RelatedFullDocumentDiagnosticReport(found, result_id=state)

    @server.feature(types.INITIALIZED)
    async def initialized(_: types.InitializedParams) -> None:
        server.start(server.look_around())
        if _Client(server.client_capabilities).watches():
            watchers = [types.FileSystemWatcher(pattern) for pattern in WATCHED]
            options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
            wanted = types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            await server.client_register_capability_async(types.RegistrationParams([wanted]))

    @server.feature(types.SHUTDOWN)
    def shutdown(_: None) -> None:
        server.was_shut_down = True

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(_: types.DidChangeWatchedFilesParams) -> None:
        server.start(server.look_around())

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders_changed(params: types.DidChangeWorkspaceFoldersParams) -> None:
        gone = {path_of(folder.uri) for folder in params.event.removed}
        added = [path_of(folder.uri) for folder in params.event.added]
        session.folders = [folder for folder in [*session.folders, *added] if folder and folder not in gone]
        server.start(server.look_around())


def _register_texts(server: Server) -> None:
    session = server.session

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        text = params.text_document
        session.open(text.uri, str(text.language_id), text.version, text.text)
        edited(text.uri, 0)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        text = params.text_document
        session.change(text.uri, text.version, params.content_changes)
        edited(text.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(_: types.DidSaveTextDocumentParams) -> None:
        server.start(server.look_around())

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        server.forget(uri)
        session.close(uri)
        if not server.pulls:
            server.publish(uri, [], None)

    def edited(uri: str, delay: float | None = None) -> None:
        if session.buffers[uri].is_draft and not server.pulls:
            server.check_soon(uri, delay)


def _register_questions(server: Server) -> None:
    session = server.session

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        kind = _Client(server.client_capabilities).hover_kind()

        def answer(review: Review, offset: int) -> types.Hover | None:
            spot = look_up(review, offset)
            if spot is None or review.article is None:
                return None
            text = hover_text(spot, review.article.registry, markdown=kind is types.MarkupKind.Markdown)
            range_ = server.places(review).range(spot.start, spot.end)
            return types.Hover(types.MarkupContent(kind, text), range_) if text else None

        return await server.at(params.text_document.uri, params.position, answer)

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def definition(params: types.DefinitionParams) -> list[types.Location] | None:
        def answer(review: Review, offset: int) -> list[types.Location]:
            spot = look_up(review, offset)
            return definitions(spot, review, server.places(review)) if spot else []

        return await server.at(params.text_document.uri, params.position, answer)

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=TRIGGERS))
    async def completion(params: types.CompletionParams) -> list[types.CompletionItem] | None:
        buffer = session.buffers.get(params.text_document.uri)
        if buffer is None or not buffer.is_draft:
            return None

        def answer() -> list[types.CompletionItem]:
            terms = session.terms(buffer)
            source = Source(buffer.text, buffer.filename)
            places = session.places(source)
            return completions(source, places.offset(params.position), terms.desk, places) if terms else []

        return await server.read(answer)

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])
    )
    async def code_action(params: types.CodeActionParams) -> list[types.CodeAction] | None:
        wanted = params.context.only
        if wanted is not None and not any(kind in {"", types.CodeActionKind.QuickFix} for kind in wanted):
            return None

        def answer(review: Review, start: int) -> list[types.CodeAction]:
            places = server.places(review)
            return actions(review, start, places.offset(params.range.end), places, server.able)

        return await server.at(params.text_document.uri, params.range.start, answer)


class _Client:
    """What an editor says that it can do; what it does not speak of it cannot."""

    def __init__(self, capabilities: types.ClientCapabilities) -> None:
        self._capabilities = capabilities

    def _can(self, path: str) -> Any:
        return get_capability(self._capabilities, path, None)

    def able(self) -> Able:
        """What it can do with edits and diagnostics."""
        return Able(
            versions=bool(self._can("workspace.workspace_edit.document_changes")),
            snippets=bool(self._can("workspace.workspace_edit.snippet_edit_support")),
            related=bool(self._can("text_document.publish_diagnostics.related_information")),
        )

    def pulls(self) -> bool:
        """Whether it asks for diagnostics itself, and can be told when to ask anew."""
        return self._can("text_document.diagnostic") is not None and bool(
            self._can("workspace.diagnostics.refresh_support")
        )

    def watches(self) -> bool:
        """Whether it tells of changed files if it is asked to."""
        return bool(self._can("workspace.did_change_watched_files.dynamic_registration"))

    def hover_kind(self) -> types.MarkupKind:
        """How it likes best to be shown text."""
        formats = self._can("text_document.hover.content_format") or [types.MarkupKind.PlainText]
        return types.MarkupKind.Markdown if types.MarkupKind.Markdown in formats else types.MarkupKind.PlainText


def run_server(options: CheckOptions) -> int:
    """Serve the editor at the other end of standard input and output, and return the exit code."""
    try:
        session = Session(options)
    except UserError as error:
        Speaker().error(error)
        return FAILED
    logging.getLogger("pygls").setLevel(logging.CRITICAL)  # what matters goes to the log of the editor
    output, sys.stdout = sys.stdout.buffer, sys.stderr  # the protocol's alone
    server = Server(session)
    register(server)
    server.start_io(sys.stdin.buffer, output)
    return 0 if server.was_shut_down else 1
