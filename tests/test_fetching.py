"""A page is fetched from the public web and from nowhere else, within a size and a time, whatever a server does.

The servers are on this machine. A test says which public addresses its names have, and a connection to one of those is
led to its server: what is looked at is looked at as always.
"""

from __future__ import annotations

import gzip
import socket
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from caveat.evidence import fetching
from caveat.evidence.fetching import USER_AGENT, Fetched, Network, fetch, is_public
from caveat.outcome import UserError
from commands import Result, Run
from pages import REGISTRY

PUBLIC = "93.184.215.14"
PAGE = b"<!doctype html><title>Rocket</title><p>The Rocket has up to 64 GB of memory."
NAMES = {
    "vendor.example": [PUBLIC],
    "inside.example": ["10.0.0.8"],
    "both.example": [PUBLIC, "192.168.1.1"],
    "mapped.example": ["::ffff:127.0.0.1"],
    "nowhere.example": [],
}
Answer = Callable[[BaseHTTPRequestHandler], None]


def headed(status: int, body: bytes = b"", **headers: str) -> Answer:
    """An answer with headers, in which "_" stands for "-"."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in ({"Content_Type": "text/html", "Content_Length": str(len(body))} | headers).items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def to(where: str) -> Answer:
    return headed(302, Location=where)


def endless(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(b"x" * 65536)


def dripping(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(b"x")
        time.sleep(0.02)


def silent(handler: BaseHTTPRequestHandler) -> None:
    time.sleep(1)


def says_no_http(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"SSH-2.0-OpenSSH\r\n")


BOMB = gzip.compress(b"\0" * 100_000_000)
ANSWERS: dict[str, Answer] = {
    "/page": headed(200, PAGE, Content_Type="text/html; charset=utf-8"),
    "/latin": headed(200, PAGE + "Fusée".encode("latin-1"), Content_Type="text/html; charset=iso-8859-1"),
    "/pdf": headed(200, b"%PDF-1.7", Content_Type="text/html"),
    "/gzip": headed(200, gzip.compress(PAGE), Content_Encoding="gzip"),
    "/deflate": headed(200, zlib.compress(PAGE), Content_Encoding="deflate"),
    "/bomb": headed(200, BOMB, Content_Encoding="gzip"),
    "/cut": headed(200, gzip.compress(PAGE)[:-12], Content_Encoding="gzip"),
    "/garbled": headed(200, PAGE, Content_Encoding="gzip"),
    "/brotli": headed(200, PAGE, Content_Encoding="br"),
    "/large": headed(200, b"", Content_Length="100000000"),
    "/short": headed(200, PAGE, Content_Length="999"),
    "/endless": endless,
    "/dripping": dripping,
    "/silent": silent,
    "/no-http": says_no_http,
    "/forbidden": headed(403),
    "/moved": to("/page"),
    "/moved-far": to("http://vendor.example/page"),
    "/to-private": to("http://inside.example/admin"),
    "/to-metadata": to("http://169.254.169.254/latest/meta-data"),
    "/to-localhost": to("http://[::1]/"),
    "/to-file": to("file:///etc/passwd"),
    "/loop": to("/loop"),
}


class Handler(BaseHTTPRequestHandler):
    asked: ClassVar[list[dict[str, str]]] = []

    def do_GET(self) -> None:
        type(self).asked.append({"path": self.path, **dict(self.headers.items())})
        with suppress(OSError):  # the other side has heard enough
            ANSWERS[self.path.partition("?")[0]](self)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[str, int]]:
    """The address of a server with those answers."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        running.daemon_threads = True
        threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield running.server_address  # type: ignore[misc]
        running.shutdown()


@pytest.fixture
def network(server: tuple[str, int]) -> Network:
    """Names with addresses of the public internet and of others; the public ones lead to the server."""
    Handler.asked.clear()

    def resolve(host: str, port: int) -> list[str]:
        if host not in NAMES:
            raise socket.gaierror(socket.EAI_NONAME, "not known")
        return NAMES[host]

    def connect(address: str, port: int, timeout: float) -> socket.socket:
        assert address == PUBLIC
        return socket.create_connection(server, timeout)

    return Network(resolve, connect)


def refused(url: str, network: Network, **limits: Any) -> str:
    with pytest.raises(UserError) as error:
        fetch(url, network=network, **limits)
    return str(error.value)


@pytest.mark.parametrize("path", ["/page", "/gzip", "/deflate", "/moved", "/moved-far"])
def test_a_page_arrives_whole_packed_or_not(path: str, network: Network) -> None:
    fetched = fetch(f"http://vendor.example{path}", network=network)
    where = path if path in ("/gzip", "/deflate") else "/page"
    kind = "text/html" if path in ("/gzip", "/deflate") else "text/html; charset=utf-8"
    assert fetched == Fetched(PAGE, kind, f"http://vendor.example{where}")


def test_who_asks_is_said_and_nothing_of_the_user(network: Network) -> None:
    fetch("http://vendor.example/page?size=1&name=ä", network=network)
    (asked,) = Handler.asked
    assert asked["path"] == "/page?size=1&name=%C3%A4"
    assert asked["User-Agent"] == USER_AGENT
    assert USER_AGENT.startswith("Caveat/")
    assert set(asked) == {"path", "Host", "Accept-Encoding", "Connection", "User-Agent", "Accept"}
    assert asked["Host"] == "vendor.example"


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/bomb", "more than 1 MiB, the most that a snapshot may have"),
        ("/large", "more than 1 MiB, the most that a snapshot may have"),
        ("/endless", "more than 1 MiB, the most that a snapshot may have"),
        ("/cut", "its packed content ends too early"),
        ("/garbled", "its packed content is broken"),
        ("/brotli", "the server packs it as br, which was not asked for"),
        ("/short", "the answer ends too early"),
        ("/forbidden", "the server answers 403 Forbidden"),
        ("/no-http", "SSH-2.0-OpenSSH"),
        ("/loop", "more than 5 redirects"),
    ],
)
def test_what_a_server_does_wrong_is_said(path: str, message: str, network: Network) -> None:
    said = refused(f"http://vendor.example{path}", network, most=1024 * 1024)
    assert said.startswith(f"http://vendor.example{path}: ")
    assert message in said


@pytest.mark.parametrize("path", ["/silent", "/dripping"])
def test_time_is_up_however_slowly_a_server_answers(path: str, network: Network) -> None:
    begun = time.monotonic()
    said = refused(f"http://vendor.example{path}", network, timeout=0.2)
    assert said.startswith(f"http://vendor.example{path}: no whole answer within 0.2 seconds; ")
    assert time.monotonic() - begun < 0.9


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://inside.example/", "10.0.0.8"),
        ("http://both.example/", "192.168.1.1"),
        ("http://mapped.example/", "::ffff:127.0.0.1"),
        ("http://127.0.0.1:8000/", "127.0.0.1"),
        ("https://[fe80::1%25eth0]/", "fe80::1%25eth0"),
        ("http://vendor.example/to-private", "10.0.0.8"),
        ("http://vendor.example/to-metadata", "169.254.169.254"),
        ("http://vendor.example/to-localhost", "::1"),
    ],
)
def test_no_private_address_is_spoken_to_also_behind_a_redirect(url: str, address: str, network: Network) -> None:
    said = refused(url, network)
    assert f" is at {address}, which is no address of the public internet; " in said
    assert len(Handler.asked) == ("vendor.example" in url)


def test_a_name_is_looked_up_once_so_that_its_second_answer_leads_nowhere(network: Network) -> None:
    answers = iter([[PUBLIC], ["127.0.0.1"]])
    looked_up = []

    def rebinding(host: str, port: int) -> list[str]:
        looked_up.append(host)
        return next(answers)

    fetch("http://vendor.example/page", network=network._replace(resolve=rebinding))
    assert looked_up == ["vendor.example"]
    answers = iter([[PUBLIC], ["127.0.0.1"]])
    said = refused("http://vendor.example/moved", network._replace(resolve=rebinding))
    assert said.startswith("http://vendor.example/moved leads to http://vendor.example/page: vendor.example is at 127")


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("ftp://vendor.example/a", "only http:// and https:// are fetched"),
        ("http://vendor.example/to-file", "leads to file:///etc/passwd: only http:// and https:// are fetched"),
        ("http:///page", "it names no host"),
        ("http://vendor.example:99999/", "not an address"),
        ("http://me:secret@vendor.example/", "http://vendor.example/: an address with a password is not fetched"),
        ("http://unknown.example/", "its host is not known"),
        ("http://nowhere.example/", "nowhere.example has no address"),
    ],
)
def test_what_is_wrong_with_an_address_is_said(url: str, message: str, network: Network) -> None:
    said = refused(url, network)
    assert message in said
    assert "secret" not in said


def test_a_server_that_cannot_be_trusted_is_not(network: Network) -> None:
    said = refused("https://vendor.example/page", network, timeout=2)
    assert said.startswith("https://vendor.example/page: ")
    assert not Handler.asked


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.0.1", "169.254.169.254", "255.255.255.255"),
        *(
            "100.64.0.1",
            "192.0.2.1",
            "198.18.0.1",
            "224.0.0.1",
            "240.0.0.1",
            "::",
            "0.0.0.1",
            "::1",
            "fe80::1",
            "fc00::1",
        ),
        *("ff02::1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "fe80::1%eth0", "2001:db8::1", "name", ""),
    ],
)
def test_an_address_that_is_not_public_is_told(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:2800:220:1::1", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_an_address_that_is_public_is_told(address: str) -> None:
    assert is_public(address)


@pytest.fixture
def fetched(run: Run, inside: Path, network: Network, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Result]:
    """Store what the server has at a path as the snapshot of a source."""
    monkeypatch.setattr(fetching, "NETWORK", network)
    (inside / "claims").mkdir()
    (inside / "claims" / "acme.yaml").write_text(REGISTRY)

    def fetch_here(path: str) -> Result:
        return run("claims", "snapshot", "sheet", "--from", f"http://vendor.example{path}", "--claims", "claims")

    return fetch_here


@pytest.mark.parametrize("path", ["/page", "/moved", "/gzip", "/latin"])
def test_a_page_that_is_fetched_is_stored(path: str, fetched: Callable[[str], Result], run: Run) -> None:
    assert fetched(path).code == 0
    assert Path("claims/snapshots/sheet.html").read_bytes().startswith(PAGE)
    assert run("claims", "verify", "--claims", "claims").out == "Verified: 1 of 1 claim.\n"


@pytest.mark.parametrize(
    "path", ["/bomb", "/large", "/cut", "/brotli", "/short", "/forbidden", "/loop", "/to-private", "/to-file", "/pdf"]
)
def test_a_page_that_cannot_be_fetched_changes_nothing(path: str, fetched: Callable[[str], Result]) -> None:
    done = fetched(path)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: http://vendor.example/")
    assert Path("claims/acme.yaml").read_text() == REGISTRY
    assert not Path("claims/snapshots").exists()
