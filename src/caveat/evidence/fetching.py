"""One page fetched from the public web: the only place in Caveat that opens a connection.

An address in a registry is untrusted, and whoever runs Caveat may stand where a private network can be reached. So a
name is resolved once, every address that it has is looked at, and the connection is made to one of those: no second
look-up could lead elsewhere. Each redirect is looked at anew. No proxy is asked, for it would do the resolving.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import NamedTuple
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from caveat import __version__
from caveat.outcome import UserError

USER_AGENT = f"Caveat/{__version__} (a linter for claims; one page, fetched because its user asked for it)"
MOST_BYTES = 32 * 1024 * 1024
TIMEOUT = 30.0  # seconds, for all of it
_MOST_REDIRECTS = 5
_PIECE = 64 * 1024
_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_OK = 200
_STORE_A_FILE = "save the page in a browser and store the file"


class Network(NamedTuple):
    """How a name becomes addresses, and an address a connection. Tests bring their own."""

    resolve: Callable[[str, int], list[str]]
    connect: Callable[[str, int, float], socket.socket]


class Fetched(NamedTuple):
    """A page: what it holds, the type that its server says, and the address that it came from in the end."""

    data: bytes
    content_type: str
    url: str


def _resolve(host: str, port: int) -> list[str]:
    """All addresses of a host, in the order in which the system would try them."""
    return [str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def _connect(address: str, port: int, timeout: float) -> socket.socket:
    """A connection to an address, which is no name, so that nothing is looked up."""
    return socket.create_connection((address, port), timeout)


NETWORK = Network(_resolve, _connect)


def is_public(address: str) -> bool:
    """Whether an address is one of the public internet, also by what it carries of IPv4."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None or ip in _NAT64:
            return _global(ip.ipv4_mapped or ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF))
        if any(each is not None and not _global(each) for each in (ip.sixtofour, *(ip.teredo or ()))):
            return False
    return _global(ip)


_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


def _global(ip: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified)


def fetch(url: str, *, network: Network | None = None, most: int = MOST_BYTES, timeout: float = TIMEOUT) -> Fetched:
    """The page at an address, as its server sends it, uncompressed.

    `most` is in bytes, `timeout` in seconds for all redirects together. Raises UserError with what went wrong.
    """
    at = url
    with _deadline(timeout) as watch:
        for _ in range(_MOST_REDIRECTS + 1):
            parts = _parts(at, url)
            try:
                answer = _ask(parts, network or NETWORK, watch, timeout)
                if isinstance(answer, str):
                    at = urljoin(at, answer)
                    continue
                data = _body(answer, at, most)
                if watch.late:
                    raise TimeoutError
                return Fetched(data, answer.headers.get("Content-Type", ""), at)
            except (OSError, http.client.HTTPException, zlib.error, ValueError) as error:
                told = _told(error, timeout, late=watch.late)
                raise UserError(f"{_where(at, url)}: {told}; {_STORE_A_FILE}") from error
    raise UserError(f"{url}: more than {_MOST_REDIRECTS} redirects; {_STORE_A_FILE}")


class _Watch:
    """Cuts the connection off when time is up, however slowly the other side drips."""

    def __init__(self) -> None:
        self.late = False
        self.socket: socket.socket | None = None
        self.opened = ExitStack()

    def end(self) -> None:
        self.late = True
        if self.socket is not None:
            with suppress(OSError):
                self.socket.shutdown(socket.SHUT_RDWR)


@contextmanager
def _deadline(timeout: float) -> Iterator[_Watch]:
    watch = _Watch()
    timer = threading.Timer(timeout, watch.end)
    timer.daemon = True
    timer.start()
    try:
        yield watch
    finally:
        timer.cancel()
        watch.opened.close()


def _where(at: str, first: str) -> str:
    """An address as messages name it: with the one that led to it."""
    return at if at == first else f"{first} leads to {at}"


def _parts(at: str, first: str) -> SplitResult:
    """An address in its parts. Raises UserError for one that is not fetched from."""
    where = _where(at, first)
    try:
        parts = urlsplit(at)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise UserError(f"{where}: not an address ({error})") from error
    if parts.scheme not in ("http", "https"):
        raise UserError(f"{where}: only http:// and https:// are fetched; {_STORE_A_FILE}")
    if not host:
        raise UserError(f"{where}: it names no host; write it in full, from https://")
    if parts.username is not None:
        raise UserError(f"{where.replace(parts.netloc, host)}: an address with a password is not fetched; leave it out")
    if port == 0:
        raise UserError(f"{where}: there is no port 0")
    return parts


def _ask(parts: SplitResult, network: Network, watch: _Watch, timeout: float) -> http.client.HTTPResponse | str:
    """The answer of a server; of a redirect, where it leads."""
    host = parts.hostname or ""
    secure = parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    name = host if ":" in host or host.isascii() else host.encode("idna").decode("ascii")
    connection = http.client.HTTPConnection(name, port, timeout=timeout)
    connection.sock = _opened(name, port, secure=secure, network=network, watch=watch, timeout=timeout)
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._") + (
        f"?{quote(parts.query, safe='/?%:@!$&()*+,;=~-._')}" if parts.query else ""
    )
    headers = {"User-Agent": USER_AGENT, "Accept": "text/html, application/pdf, text/plain;q=0.9, */*;q=0.5"}
    default = port == (443 if secure else 80)
    bracketed = f"[{name}]" if ":" in name else name
    connection.putrequest("GET", path, skip_host=True, skip_accept_encoding=True)
    connection.putheader("Host", bracketed if default else f"{bracketed}:{port}")
    connection.putheader("Accept-Encoding", "gzip, identity")
    connection.putheader("Connection", "close")
    for key, value in headers.items():
        connection.putheader(key, value)
    connection.endheaders()
    answer = watch.opened.enter_context(closing(connection.getresponse()))
    where = answer.headers.get("Location")
    if answer.status in _REDIRECTS and where:
        return where
    if answer.status != _OK:
        raise http.client.HTTPException(f"the server answers {answer.status} {answer.reason}")
    return answer


def _opened(host: str, port: int, *, secure: bool, network: Network, watch: _Watch, timeout: float) -> socket.socket:
    """A connection to a public address of a host. A host with any other address is not spoken to at all."""
    try:
        addresses = [str(ipaddress.ip_address(host))]
    except ValueError:
        addresses = network.resolve(host, port)
    private = next((address for address in addresses if not is_public(address)), None)
    if private is not None:
        raise PermissionError(f"{host} is at {private}, which is no address of the public internet")
    failure: OSError = OSError(f"{host} has no address")
    for address in dict.fromkeys(addresses):
        try:
            plain = network.connect(address, port, timeout)
        except OSError as error:
            failure = error
            continue
        watch.socket = watch.opened.enter_context(closing(plain))
        if watch.late:
            break
        if not secure:
            return plain
        context = ssl.create_default_context()
        wrapped = context.wrap_socket(plain, server_hostname=host, do_handshake_on_connect=False)
        watch.socket = watch.opened.enter_context(closing(wrapped))  # before the handshake, which may drip as well
        wrapped.do_handshake()
        return wrapped
    raise failure


def _body(answer: http.client.HTTPResponse, at: str, most: int) -> bytes:
    """What an answer holds, at most so many bytes, packed or not."""
    size = answer.headers.get("Content-Length", "")
    packing = answer.headers.get("Content-Encoding", "identity").strip().lower()
    if packing not in ("identity", "", "gzip", "x-gzip", "deflate"):
        raise http.client.HTTPException(f"the server packs it as {packing}, which was not asked for")
    unpack = None if packing in ("identity", "") else zlib.decompressobj(zlib.MAX_WBITS | 32)
    data = bytearray()
    if size.isdecimal() and int(size) > most:
        raise UserError(_too_large(at, most))
    while piece := answer.read(_PIECE):
        while unpack is not None and piece:
            data += unpack.decompress(piece, most + 1 - len(data))
            piece = unpack.unconsumed_tail if len(data) <= most else b""
        if unpack is None:
            data += piece
        if len(data) > most:
            raise UserError(_too_large(at, most))
    if answer.length:
        raise http.client.HTTPException("the answer ends too early")
    if unpack is not None and not unpack.eof:
        raise http.client.HTTPException("its packed content ends too early")
    return bytes(data)


def _too_large(at: str, most: int) -> str:
    return f"{at}: more than {most // (1024 * 1024)} MiB, the most that a snapshot may have; store the part that counts"


def _told(error: Exception, timeout: float, *, late: bool) -> str:
    """What went wrong, for people."""
    if late or isinstance(error, TimeoutError):
        return f"no whole answer within {timeout:g} seconds"
    if isinstance(error, socket.gaierror):
        return "its host is not known"
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate cannot be trusted ({error.verify_message})"
    if isinstance(error, zlib.error):
        return "its packed content is broken"
    if isinstance(error, OSError):
        return error.strerror or str(error) or "the connection failed"
    return str(error) or "no answer of HTTP"
