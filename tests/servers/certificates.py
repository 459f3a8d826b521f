"""Certificates that only their maker vouches for, for servers of tests."""

from __future__ import annotations

import ssl
import subprocess
from pathlib import Path

import pytest

FAR = "models.example.test"
"""A host outside of this computer that a certificate is for, too; only a proxy knows where it is."""


def own_certificate(folder: Path) -> tuple[Path, Path]:
    """Make a certificate for localhost, 127.0.0.1 and FAR, and its key. Skips where openssl is not here."""
    certificate, key = folder / "own.pem", folder / "own.key"
    words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    words += ["-addext", f"subjectAltName=DNS:localhost,DNS:{FAR},IP:127.0.0.1"]
    words += ["-addext", "basicConstraints=critical,CA:TRUE"]
    try:
        subprocess.run(
            ["openssl", *words, "-keyout", str(key), "-out", str(certificate)],
            check=True,
            capture_output=True,
        )
    except FileNotFoundError:
        pytest.skip("openssl is not here")
    return certificate, key


def serving(pair: tuple[Path, Path]) -> ssl.SSLContext:
    """Return what a server shows who it is with."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*pair)
    return context
