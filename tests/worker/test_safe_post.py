"""Nothing is sent to addresses inside: checked for every form of an address, and again when it is connected to."""

import contextlib
import socket
import ssl
import threading
from collections.abc import Iterator
from ipaddress import ip_address
from typing import Any

import pytest

from service.accounts.webhooks import check_url
from service.addresses import Reach, is_allowed, networks_of, ports_of
from service.config import BadSetting, settings_from
from service.errors import Refused
from tests.worker.receiver import CERTIFICATE, Receiver, receiving
from worker import safe_post
from worker.safe_post import Undelivered, post

HERE = Reach(networks_of("127.0.0.0/8, ::1/128"), ports_of("1-65535"))
ANY_PORT = Reach(ports=ports_of("1-65535"))
INSIDE = """
0.1.2.3 10.0.0.1 100.64.0.1 127.0.0.1 127.8.8.8 169.254.169.254 172.16.0.1 192.168.1.1 192.0.2.1 198.18.0.1
224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 64:ff9b::7f00:1
64:ff9b::a9fe:a9fe 2002:7f00:1::1 2002:a00:1::1 2001:0:4136:e378:8000:63bf:80ff:fffe fc00::1 fd00::1 fe80::1
ff02::1 2001:db8::1 192.0.0.1 192.0.0.9 192.31.196.1 192.52.193.1 192.88.99.1 192.175.48.1 198.51.100.1
203.0.113.1 ::192.88.99.1 ::ffff:192.88.99.1 ::ffff:192.0.0.9 64:ff9b::c058:6301 64:ff9b:1::808:808
2002:c000:9::1 2002:c058:6301::1 100::1 2001:2::1 2001:4:112::1 2001:20::1 2620:4f:8000::1 3fff::1
3fff:fff::1 5f00::1 fec0::1 feff::1 4000::1
"""
OUTSIDE = """
1.1.1.1 8.8.8.8 203.0.114.1 2606:4700:4700::1111 ::ffff:8.8.8.8 64:ff9b::808:808 2002:808:808::1 2a00::1
3ffe::1
"""


@pytest.mark.parametrize("address", INSIDE.split())
def test_addresses_inside_are_refused(address: str) -> None:
    """In all their disguises; unless the operator allows them."""
    assert not is_allowed(ip_address(address), ())
    assert is_allowed(ip_address(address), networks_of("0.0.0.0/0, ::/0"))


@pytest.mark.parametrize("address", OUTSIDE.split())
def test_public_addresses_are_allowed(address: str) -> None:
    assert is_allowed(ip_address(address), ())


NOWHERE = """
ftp://bots.example/x https:// https:///path bots.example/x https://user@bots.example/
https://user:secret@bots.example/ https://bots.example/#there https://bots.example:99999/ https://bots.example/ü
https://[::1]/ https://127.0.0.1/ https://[::ffff:10.0.0.1]/ http://bots.example/ https://[not-an-address/
"""
ODD = ["https://bots.example/\r\nX: y", "https://bots.example/" + "x" * 1000]


@pytest.mark.parametrize("url", [*NOWHERE.split(), *ODD])
def test_urls_that_nothing_is_sent_to(url: str) -> None:
    """Refused when they are named, and again when something would be sent."""
    with pytest.raises(Refused, match="webhook_refused"):
        check_url(url, Reach())
    with pytest.raises(Undelivered):
        post(url, b"{}", {}, Reach())


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


def leads_to(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    """Every name leads to these addresses."""

    def getaddrinfo(_host: str, port: int, **_: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)


@pytest.mark.parametrize("url", ["https://bots.example:8443/", "https://bots.example:0/", "http://127.0.0.1/"])
def test_ports_that_are_not_allowed_are_refused(url: str) -> None:
    """Only 443 is, unless the operator says so: other services of a host are not ours to reach."""
    here = Reach(networks_of("127.0.0.0/8"))
    with pytest.raises(Refused, match="port 443"):
        check_url(url, here)
    with pytest.raises(Undelivered, match="port 443"):
        post(url, b"{}", {}, here)
    for fine in ("https://bots.example/", "https://bots.example:443/", "http://127.0.0.1:443/"):
        check_url(fine, here)


def test_ports_that_the_operator_names_are_allowed() -> None:
    here = Reach(networks_of("127.0.0.0/8"), ports_of("80, 8000-8002"))
    for port, allowed in ((80, True), (443, False), (7999, False), (8000, True), (8002, True), (8003, False)):
        assert here.has_port(port) is allowed
    check_url("http://127.0.0.1/", here)


@pytest.mark.parametrize("text", ["http", "0", "65536", "90-80", "1-", "-1", "443;80"])
def test_ports_that_are_none_are_refused(text: str) -> None:
    """With the name of the setting."""
    with pytest.raises(BadSetting, match="WINTERCOUNT_WEBHOOK_PORTS"):
        settings_from({"WINTERCOUNT_WEBHOOK_PORTS": text})


def test_one_setting_opens_this_machine(receiver: Receiver) -> None:
    """Its own addresses at every port, by number or name; nothing else inside. Without it, none of that."""
    reach = settings_from({"WINTERCOUNT_WEBHOOK_LOCAL": "1"}).reach
    assert post(receiver.url, b"{}", {}, reach) == 200
    assert post(receiver.url.replace("127.0.0.1", "localhost"), b"{}", {}, reach) == 200
    assert is_allowed(ip_address("::1"), reach.networks)
    assert [
        address for address in ("10.0.0.1", "169.254.169.254") if is_allowed(ip_address(address), reach.networks)
    ] == []
    with pytest.raises(Undelivered, match="https"):
        post(receiver.url, b"{}", {}, settings_from({}).reach)
    assert settings_from({"WINTERCOUNT_WEBHOOK_LOCAL": "0"}).reach == settings_from({}).reach


def test_what_is_sent_arrives(receiver: Receiver) -> None:
    """With its path, its query and its headers; the status is given back."""
    receiver.status = 418
    assert post(receiver.url, b'{"a":1}', {"webhook-id": "m"}, HERE) == 418
    letter = receiver.letters[0]
    assert (letter.path, letter.body, letter.headers["webhook-id"]) == ("/turn?bot=1", b'{"a":1}', "m")


def test_a_name_that_leads_inside_is_not_followed(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    """What counts is where it leads when it is connected to, however innocent it looked when it was named."""
    check_url(f"https://bots.example:{receiver.port}/", ANY_PORT)
    leads_to(monkeypatch, "127.0.0.1", "10.0.0.1")
    with pytest.raises(Undelivered, match="no allowed address"):
        post(f"https://bots.example:{receiver.port}/", b"{}", {}, ANY_PORT)
    assert receiver.letters == []


def test_a_name_that_leads_inside_is_told_as_one_that_leads_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot is shown what came of sending to it: strangers could ask by it for the names of an operator's machines."""

    def getaddrinfo(host: str, port: int, **_: Any) -> list[Any]:
        if host == "no-name.example":
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    told = []
    for name in ("database.internal", "no-name.example"):
        with pytest.raises(Undelivered) as refused:
            post(f"https://{name}/", b"{}", {}, Reach())
        told.append(str(refused.value))
    assert told == ["the name has no allowed address"] * 2


def test_it_is_connected_to_the_address_that_was_checked(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name is looked up once: were it asked again, it could lead elsewhere; addresses inside are passed over."""
    looked_up: list[str] = []

    def getaddrinfo(host: str, port: int, **_: Any) -> list[Any]:
        looked_up.append(host)
        found = ("10.0.0.1", "127.0.0.1") if len(looked_up) == 1 else ("10.0.0.1",)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in found]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    assert post(f"http://bots.example:{receiver.port}/", b"{}", {}, HERE) == 200
    assert looked_up == ["bots.example"]


def test_nothing_goes_unencrypted_over_the_internet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where an operator allows networks of his own, http is for those alone."""
    leads_to(monkeypatch, "8.8.8.8")
    with pytest.raises(Undelivered, match="no allowed address"):
        post("http://bots.example/", b"{}", {}, HERE)


def test_redirects_are_not_followed(receiver: Receiver) -> None:
    """They are an answer like any other."""
    receiver.status, receiver.redirect = 302, receiver.url
    assert post(receiver.url, b"{}", {}, HERE) == 302
    assert len(receiver.letters) == 1


@pytest.mark.parametrize(("trusted", "name"), [(True, "hooks.test"), (True, "other.test"), (False, "hooks.test")])
def test_the_certificate_is_that_of_the_name(monkeypatch: pytest.MonkeyPatch, trusted: bool, name: str) -> None:
    """Though it is connected to an address."""
    if trusted:
        monkeypatch.setattr(safe_post, "CONTEXT", ssl.create_default_context(cafile=CERTIFICATE))
    leads_to(monkeypatch, "127.0.0.1")
    with receiving(encrypted=True) as receiver:
        url = f"https://{name}:{receiver.port}/"
        if trusted and name == "hooks.test":
            assert post(url, b"{}", {}, HERE) == 200
            return
        with pytest.raises(Undelivered, match="SSLCertVerificationError"):
            post(url, b"{}", {}, HERE)
        assert receiver.letters == []


def test_who_does_not_answer_is_left(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a short while."""
    monkeypatch.setattr(safe_post, "CONNECT_S", 0.1)
    receiver.answer.clear()
    with pytest.raises(Undelivered, match="took too long"):
        post(receiver.url, b"{}", {}, HERE)


def test_who_answers_byte_by_byte_is_left_too() -> None:
    """Each byte comes in time, and all of them never would."""
    ending = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def drip() -> None:
            client, _ = listener.accept()
            with client, contextlib.suppress(OSError):
                client.sendall(b"HTTP/1.1 200 OK\r\n")
                while not ending.wait(0.02):
                    client.sendall(b"x")

        thread = threading.Thread(target=drip, daemon=True)
        thread.start()
        with pytest.raises(Undelivered):
            post(f"http://127.0.0.1:{listener.getsockname()[1]}/", b"{}", {}, HERE, limit_s=0.3)
        ending.set()
        thread.join()


def test_who_always_says_that_an_answer_comes_is_left() -> None:
    """At once: to read that for as long as an answer may take would keep a whole processor busy."""
    heard = []

    def flood(listening: socket.socket) -> None:
        bot, _ = listening.accept()
        with bot, contextlib.suppress(OSError):
            while True:
                heard.append(bot.send(100 * b"HTTP/1.1 100 Continue\r\n\r\n"))

    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 16)
        thread = threading.Thread(target=flood, args=(listening,), daemon=True)
        thread.start()
        with pytest.raises(Undelivered, match="no answer"):
            post(f"http://127.0.0.1:{listening.getsockname()[1]}/", b"{}", {}, HERE)
        thread.join(30)
    assert sum(heard) < 2 << 20  # what the two systems hold, and no more
