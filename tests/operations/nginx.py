"""nginx with `operations/nginx.conf`, whose paths and ports are changed to those of a test."""

import contextlib
import datetime
import http.client
import ipaddress
import os
import socket
import ssl
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.servers import free_port, wait_while

NGINX = Path(".venv/operations/usr/sbin/nginx").absolute()
CONFIGURATION = Path("operations/nginx.conf")
PATIENCE_S = 20.0
A_DAY = datetime.timedelta(days=1)
OTHERS = "".join(f"{kind}_temp_path {{0}}/{kind};" for kind in ("fastcgi", "uwsgi", "scgi"))


class Connection:
    """A connection through TLS on which requests can be sent in pieces, or many before the first answer is read."""

    def __init__(self, plain: socket.socket, trusting: ssl.SSLContext) -> None:
        self._socket = trusting.wrap_socket(plain, server_hostname="localhost")
        self._file = self._socket.makefile("rb")

    def send(self, content: bytes) -> None:
        """Sends these bytes."""
        self._socket.sendall(content)

    def half_close(self) -> None:
        """Says that nothing more will be sent, and goes on reading."""
        with socket.socket(fileno=os.dup(self._socket.fileno())) as same:
            same.shutdown(socket.SHUT_WR)

    def head(self) -> tuple[int, http.client.HTTPMessage]:
        """Status and headers of the next answer."""
        return int(self._file.readline().split()[1]), http.client.parse_headers(self._file)

    def answer(self) -> tuple[int, bytes]:
        """Status and body of the next answer."""
        status, headers = self.head()
        return status, self._file.read(int(headers["Content-Length"]))

    def statuses(self, paths: list[str]) -> list[int]:
        """The statuses of the answers to these paths, all asked for at once."""
        self.send("".join(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n" for path in paths).encode())
        return [self.answer()[0] for _ in paths]

    def close(self) -> None:
        """Ends the connection."""
        self._file.close()
        self._socket.close()


class Answer(NamedTuple):
    """An answer that has been read."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes


class Proxy(NamedTuple):
    """Where nginx listens, with and without TLS, and the certificate to trust."""

    port: int
    plain: int
    certificate: Path

    def get(self, path: str, source: str = "127.0.0.1", **headers: str) -> Answer:
        """The answer to a client at an address of this machine; in names of headers, `_` stands for `-`."""
        with self._sent("GET", path, source, None, headers) as found:
            return Answer(found.status, found.headers, found.read())

    def post(self, path: str, body: bytes, **headers: str) -> Answer:
        """The same of a body."""
        with self._sent("POST", path, "127.0.0.1", body, {"Content-Type": "application/json"} | headers) as found:
            return Answer(found.status, found.headers, found.read())

    @contextlib.contextmanager
    def stream(self, path: str, source: str = "127.0.0.1", **headers: str) -> Iterator[http.client.HTTPResponse]:
        """An open stream."""
        with self._sent("GET", path, source, None, {"Accept": "text/event-stream"} | headers) as answer:
            assert answer.status == 200
            yield answer

    @contextlib.contextmanager
    def connected(self, receives: int | None = None) -> Iterator[Connection]:
        """A connection for what `http.client` does not do; `receives` is how many bytes its socket takes in unread."""
        plain = socket.socket()
        plain.settimeout(PATIENCE_S)
        if receives:
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receives)
        plain.connect(("localhost", self.port))
        with contextlib.closing(Connection(plain, self._trusting())) as found:
            yield found

    @contextlib.contextmanager
    def _sent(
        self, method: str, path: str, source: str, body: bytes | None, headers: Mapping[str, str]
    ) -> Iterator[http.client.HTTPResponse]:
        with contextlib.closing(
            http.client.HTTPSConnection(
                "localhost", self.port, timeout=PATIENCE_S, context=self._trusting(), source_address=(source, 0)
            )
        ) as connection:
            named = {name.replace("_", "-"): text for name, text in headers.items()}
            connection.request(method, path, body, named)
            with connection.getresponse() as answer:
                yield answer

    def _trusting(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.certificate))


@contextlib.contextmanager
def nginx(folder: Path, server: str, changes: Mapping[str, str]) -> Iterator[Proxy]:
    """A running nginx before a server; `changes` are further texts of the file and what takes their place."""
    found = Proxy(free_port(), free_port(), folder / "cert.pem")
    certify(found.certificate, folder / "key.pem")
    text = CONFIGURATION.read_text(encoding="utf-8")
    for said, now in (of_this_machine(folder, found, server) | dict(changes)).items():
        assert said in text, said
        text = text.replace(said, now)
    (folder / "nginx.conf").write_text(text, encoding="utf-8")
    process = subprocess.Popen([NGINX, "-c", folder / "nginx.conf", "-p", folder, "-g", "daemon off;"])
    try:
        wait_while(lambda: process.poll() is None, lambda: listens(found.port))
        yield found
    finally:
        process.terminate()
        process.wait(PATIENCE_S)


def of_this_machine(folder: Path, found: Proxy, server: str) -> dict[str, str]:
    """What the file says, and what has to stand there for a test."""
    return {
        "user www-data;\n": "" if os.geteuid() else "user root;\n",  # of the folder, which nobody else may read
        "worker_processes auto;": "worker_processes 1;",
        "/run/nginx.pid": f"{folder}/pid",
        "/var/log/nginx": str(folder),
        "http {\n": "http {\n" + OTHERS.format(folder),
        "/var/cache/nginx": str(folder),
        "server 127.0.0.1:8000;": f"server {server};",
        "listen 80;": f"listen 127.0.0.1:{found.plain};",
        "listen 443 ssl http2;": f"listen 127.0.0.1:{found.port} ssl http2;",
        "        listen [::]:80;\n": "",
        "        listen [::]:443 ssl http2;\n": "",
        "/etc/ssl/wintercount.pem": str(found.certificate),
        "/etc/ssl/wintercount.key": str(folder / "key.pem"),
    }


def listens(port: int) -> bool:
    """Whether somebody answers at a port."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def certify(certificate: Path, key_file: Path) -> None:
    """A certificate for this machine that signs itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), now, now + A_DAY)
    signed = made.add_extension(x509.SubjectAlternativeName(names), critical=False).sign(key, hashes.SHA256())
    certificate.write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    plain = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    key_file.write_bytes(key.private_bytes(*plain))
