"""What the HTTP clients cost and trust: httpx without its command line, certificates only where needed."""

from __future__ import annotations

import ssl
import subprocess
import sys
from pathlib import Path

from app.models.connections import Connections, is_loopback

ROOT = Path(__file__).resolve().parents[2]


NEAR = "http://127.0.0.1:8080/v1 http://127.9.9.9/v1 http://localhost/v1 https://[::1]:1/v1 http://a.localhost/v1"
FAR = "http://192.168.0.2/v1 https://api.openai.com/v1 http://localhost.evil.example/v1 http://[::1 nonsense"


def test_what_is_this_computer() -> None:
    assert all(is_loopback(url) for url in NEAR.split())
    assert not any(is_loopback(url) for url in [*FAR.split(), ""])


async def test_clients_are_shared_by_kind_and_trust_nobody_without_encryption() -> None:
    connections = Connections()
    near, also_near = connections.client("http://127.0.0.1:1/v1"), connections.client("http://localhost:2/v1")
    secure = connections.client("https://api.openai.com/v1")
    assert near is also_near and near is not secure
    plain_context = near._transport._pool._ssl_context
    secure_context = secure._transport._pool._ssl_context
    assert plain_context.verify_mode == secure_context.verify_mode == ssl.CERT_REQUIRED
    assert plain_context.cert_store_stats()["x509_ca"] == 0 < secure_context.cert_store_stats()["x509_ca"]
    await connections.close()


def test_httpx_comes_without_its_command_line_and_only_when_needed() -> None:
    code = """
import sys
from app.models import client, catalogue
assert not {"httpx", "rich", "click", "keyring"} & set(sys.modules), "imported too early"
from app.models.connections import Connections
Connections().client("http://127.0.0.1:1")
assert "httpx" in sys.modules
assert not {"rich", "click", "pygments", "httpx._main"} & set(sys.modules)
"""
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
