"""A server by its address in the window: how it is talked to, and a certificate that is its own."""

from __future__ import annotations

import json
import ssl
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from tests.servers import anthropic
from tests.servers.scripted import Exchange, fails, scripted_in_thread
from tests.window.furnished import Furnished
from tests.window.pages.test_first_run import first_page, write_profiles
from ui.window import dialogs

LIST = {"object": "list", "data": [{"id": "mine"}]}


async def messages_only(exchange: Exchange) -> None:
    """Answers as a server that speaks nothing but Messages."""
    request = exchange.request
    if request.path == "/v1/models":
        await fails(200, LIST)(exchange)
    elif request.path != "/v1/messages":
        await fails(404, {"error": "unknown path"})(exchange)
    elif request.body == b"{}":
        await fails(400, anthropic.error("invalid_request_error", "model: Field required"))(exchange)
    else:
        await anthropic.says("By Messages.")(exchange)


def test_how_it_is_talked_to_is_found_out_and_kept(furnished: Furnished, home: Path) -> None:
    write_profiles(home)
    with scripted_in_thread(messages_only) as server:
        page = first_page(furnished)
        page.show_screen("server")
        own = page.own_server
        own.address.setText(server.url)
        furnished.bot.keyClick(own.address, Qt.Key.Key_Return)
        furnished.until(own.use.isVisible, "what it has")
        assert own.wire.currentData() == "messages" and own.wire.currentText() == "Messages"
        offered = [own.wire.itemText(at) for at in range(own.wire.count())]
        assert offered[0] == "Chat Completions, which it did not answer to" and len(offered) == 3
        own.use.click()
        furnished.until(lambda: page.shown == "folder", "the next step")
        furnished.send("Hello")
        furnished.until(lambda: "By Messages." in furnished.text(), "the answer")


def test_the_person_may_choose_otherwise(furnished: Furnished, home: Path) -> None:
    write_profiles(home)
    with scripted_in_thread(messages_only) as server:
        page = first_page(furnished)
        page.show_screen("server")
        own = page.own_server
        own.address.setText(server.url)
        own.look.click()
        furnished.until(own.use.isVisible, "what it has")
        own.wire.setFocus()
        furnished.bot.keyClick(own.wire, Qt.Key.Key_Up)
        assert own.wire.currentData() == "responses"
        own.use.click()
        furnished.until(lambda: page.shown == "folder", "the next step")

        def kept() -> list[object]:
            own = furnished.life.settings.profiles.values()
            return [one["wire"] for one in own if one.get("like") == "custom"]

        furnished.until(lambda: kept() == ["responses"], "what is kept")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for localhost that its maker signed alone, and its key."""
    folder = tmp_path_factory.mktemp("own")
    made, key = folder / "own.pem", folder / "own.key"
    wish = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    wish += ["-addext", "subjectAltName=DNS:localhost", "-addext", "basicConstraints=critical,CA:TRUE"]
    subprocess.run(["openssl", *wish, "-out", made, "-keyout", key], check=True, capture_output=True)
    return made, key


class _Listing(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self._answer(200, LIST)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", "0")))
        known = self.path.endswith("/chat/completions")
        self._answer(400 if known else 404, {"error": {"message": "no"}})

    def _answer(self, status: int, value: Any) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def secure(certificate: tuple[Path, Path]) -> Iterator[str]:
    """A server with that certificate."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Listing)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"https://localhost:{server.server_port}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_certificate_of_its_own_can_be_trusted_where_it_is_refused(
    furnished: Furnished,
    home: Path,
    secure: str,
    certificate: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    write_profiles(home)
    empty = tmp_path / "empty.pem"
    empty.write_text("nothing")
    chosen = [str(empty), str(certificate[0])]
    monkeypatch.setattr(dialogs, "pick_certificates", lambda parent, now, taken: taken(chosen.pop(0)))
    page = first_page(furnished)
    page.show_screen("server")
    own = page.own_server
    own.address.setText(secure)
    own.look.click()
    furnished.until(lambda: "is not secure" in own._word.text(), "the refusal")
    assert own._certificates.isVisible()
    own._certificates.click()
    furnished.until(lambda: "no certificates in it" in own._word.text(), "the useless file")
    assert furnished.life.settings.ca_file == "" and own._certificates.isVisible()
    own._certificates.click()
    furnished.until(lambda: "has 1 model" in own._word.text(), "what it has")
    assert furnished.life.settings.ca_file == str(certificate[0]) and not own._certificates.isVisible()
    assert own.wire.currentData() == "chat"
