"""`operations/nginx.conf` before a web server: TLS, streams without buffering, the client's own address."""

import contextlib
import datetime
import http.client
import ipaddress
import json
import os
import socket
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import requests
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.servers import free_port, wait_while
from tests.service.api.world import embedded_store
from tests.service.web import serving

NGINX = Path(".venv/operations/usr/sbin/nginx").absolute()
CONFIGURATION = Path("operations/nginx.conf")
PATIENCE_S = 20.0
FRAME_OF = """
pid {0}/pid;
daemon off;
error_log {0}/error.log;
events {{}}
http {{
    access_log {0}/access.log;
    client_body_temp_path {0}/body;
    proxy_temp_path {0}/proxy;
    fastcgi_temp_path {0}/fastcgi;
    uwsgi_temp_path {0}/uwsgi;
    scgi_temp_path {0}/scgi;
    include {0}/wintercount.conf;
}}
"""


class Proxied(NamedTuple):
    """Where nginx listens, with and without TLS, and the certificate to trust."""

    port: int
    plain: int
    certificate: Path

    def get(self, path: str, source: str = "127.0.0.1", **headers: str) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of an answer to a client at an address of this machine."""
        return self.send("GET", path, source, None, headers)

    def send(
        self, method: str, path: str, source: str, body: Any, headers: dict[str, str]
    ) -> tuple[int, dict[str, str], bytes]:
        """The same of any request."""
        with contextlib.closing(self._connected(source)) as connection:
            sent = None if body is None else json.dumps(body)
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, sent, {"Content-Type": "application/json"} | named)
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.headers.items()}, answer.read()

    def _connected(self, source: str) -> http.client.HTTPSConnection:
        trusting = ssl.create_default_context(cafile=str(self.certificate))
        return http.client.HTTPSConnection(
            "localhost", self.port, timeout=PATIENCE_S, context=trusting, source_address=(source, 0)
        )

    @contextlib.contextmanager
    def stream(self, path: str, token: str) -> Iterator[http.client.HTTPResponse]:
        """An open stream."""
        with contextlib.closing(self._connected("127.0.0.1")) as connection:
            connection.request("GET", path, headers={"Accept": "text/event-stream", "Authorization": f"Bearer {token}"})
            with connection.getresponse() as answer:
                yield answer


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxied]:
    """nginx with our configuration, its names and ports changed, before a web server."""
    folder = tmp_path_factory.mktemp("nginx")
    found = Proxied(free_port(), free_port(), folder / "cert.pem")
    certify(found.certificate, folder / "key.pem")
    with embedded_store() as url, serving(url, TRUSTED_PROXIES="127.0.0.1/32", ACCOUNTS="2") as address:
        configure(folder, found, address.removeprefix("http://"))
        nginx = subprocess.Popen([NGINX, "-c", folder / "nginx.conf", "-p", folder])
        try:
            wait_while(lambda: nginx.poll() is None, lambda: listens(found.port))
            yield found
        finally:
            nginx.terminate()
            nginx.wait(PATIENCE_S)


def configure(folder: Path, found: Proxied, server: str) -> None:
    """Writes the configuration, for this machine; each change has something to change."""
    text = CONFIGURATION.read_text(encoding="utf-8")
    for said, now in (
        ("server 127.0.0.1:8000;", f"server {server};"),
        ("listen 80;", f"listen 127.0.0.1:{found.plain};"),
        ("listen 443 ssl http2;", f"listen 127.0.0.1:{found.port} ssl http2;"),
        ("    listen [::]:80;\n", ""),
        ("    listen [::]:443 ssl http2;\n", ""),
        ("server_name example.org;", "server_name localhost;"),
        ("/etc/ssl/example.org.pem", str(found.certificate)),
        ("/etc/ssl/example.org.key", str(folder / "key.pem")),
    ):
        assert said in text, said
        text = text.replace(said, now)
    (folder / "wintercount.conf").write_text(text, encoding="utf-8")
    user = "" if os.geteuid() else "user root;"  # of the folder: nobody may not read it
    (folder / "nginx.conf").write_text(user + FRAME_OF.format(folder), encoding="utf-8")


def certify(certificate: Path, key_file: Path) -> None:
    """A certificate for this machine that signs itself."""
    key, name = (
        ec.generate_private_key(ec.SECP256R1()),
        x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")]),
    )
    now = datetime.datetime.now(datetime.UTC)
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), now, now + A_DAY)
    signed = made.add_extension(x509.SubjectAlternativeName(names), critical=False).sign(key, hashes.SHA256())
    certificate.write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    plain = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    key_file.write_bytes(key.private_bytes(*plain))


A_DAY = datetime.timedelta(days=1)


def listens(port: int) -> bool:
    """Whether somebody answers at a port."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def test_requests_come_through_tls(proxied: Proxied) -> None:
    """With the name that the client gave its request, or one that nginx made up; browsers are told to stay with TLS."""
    status, headers, body = proxied.get("/v1/games", X_Request_Id="mine-1")
    assert (status, headers["x-request-id"]) == (200, "mine-1")
    assert len(json.loads(body)["games"]) == 4
    assert headers["strict-transport-security"] == "max-age=31536000"
    assert len(proxied.get("/v1/games")[1]["x-request-id"]) == 32


def test_without_tls_a_client_is_sent_there(proxied: Proxied) -> None:
    """A POST stays a POST."""
    answer = requests.post(
        f"http://localhost:{proxied.plain}/v1/players?a=b", allow_redirects=False, timeout=PATIENCE_S
    )
    assert (answer.status_code, answer.headers["Location"]) == (308, "https://localhost/v1/players?a=b")


def test_a_stream_tells_what_happens_at_once(proxied: Proxied) -> None:
    """Its first frames come while it is open, and so does the event of somebody who sits down meanwhile."""
    body = {"name": "Ann"}
    account = json.loads(proxied.send("POST", "/v1/players", "127.0.0.5", body, {})[2])
    token = account["token"]["secret"]
    signed = {"Authorization": f"Bearer {token}"}
    offers = {"game": "manitou", "seats": [{"kind": "open"}, {"kind": "open"}]}
    table = json.loads(proxied.send("POST", "/v1/tables", "127.0.0.5", offers, signed)[2])["table"]
    with proxied.stream(f"/v1/tables/{table}/events", token) as stream:
        assert next(line for line in stream if b"TableOpened" in line)
        assert proxied.send("POST", f"/v1/tables/{table}/seats/1", "127.0.0.5", {}, signed)[0] == 200
        assert next(line for line in stream if b"SeatTaken" in line)


def test_each_client_has_its_own_budget(proxied: Proxied) -> None:
    """Two accounts an hour for an address; an address that a client makes up is not believed."""

    def create(source: str, claimed: str) -> int:
        return proxied.send("POST", "/v1/players", source, {"name": "Bob"}, {"X_Forwarded_For": claimed})[0]

    assert [create("127.0.0.2", f"10.0.0.{n}") for n in range(3)] == [201, 201, 429]
    assert create("127.0.0.3", "127.0.0.2") == 201


def test_metrics_are_not_for_the_world(proxied: Proxied) -> None:
    """nginx itself answers that there is nothing."""
    status, headers, _ = proxied.get("/metrics")
    assert (status, headers["content-type"]) == (404, "text/html")


def test_an_archive_is_not_too_large_for_the_proxy(proxied: Proxied) -> None:
    """The service answers, and says what is wrong."""
    status, headers, _ = proxied.send("POST", "/v1/archives", "127.0.0.4", "x" * (4 << 20), {})
    assert (status, headers["content-type"]) == (401, "application/problem+json")
