"""What it means that a request got no answer, in words for the model and codes for people."""

from __future__ import annotations

import ssl

from app.errors import ToolError

_CERTIFICATE = {
    10: "its certificate has expired",
    9: "its certificate does not hold yet",
    18: "its certificate is signed by itself",
    19: "its certificate is signed by nobody that this computer trusts",
    20: "its certificate is signed by nobody that this computer trusts",
    21: "its certificate is signed by nobody that this computer trusts",
    62: "its certificate is for another name",
    64: "its certificate is for another address",
}
"""By the numbers of OpenSSL (X509_V_ERR_*)."""


def from_transport(error: Exception, host: str) -> ToolError:
    """Return the error for what came of the connection."""
    if (fault := _tls(error)) is not None:
        why = _of_tls(fault)
        return ToolError("tls_failed", f"No safe connection to {host}: {why}.", host=host, why=why)
    name = type(error).__name__
    if name in ("RemoteProtocolError", "ReadError") and "complete message" in str(error):
        return incomplete(str(error))
    why = {
        "ConnectTimeout": "it does not answer",
        "ReadTimeout": "it said nothing for a minute",
        "WriteTimeout": "it takes nothing any more",
        "ProxyError": f"the proxy of the settings refused: {error}",
        "RemoteProtocolError": f"what it says is no HTTP: {error}",
    }.get(name) or _system(error)
    return ToolError("no_answer", f"No connection to {host}: {why}.", host=host, why=why)


def private(host: str, address: str, rule: str) -> ToolError:
    """Return why an address of this computer or the own network is not connected; `rule` would open it."""
    where = "is" if address == host else f"is at {address},"
    way = f" Only the person can open it, with the rule {rule}." if rule else ""
    words = f"{host} {where} this computer or a network of its own, so nothing was sent.{way}"
    return ToolError("private_address", words, host=host, address=address, rule=rule)


def never(host: str, address: str = "") -> ToolError:
    """Return why an address is never connected: none of a page, or one that gives machines their keys."""
    where = "is" if address in ("", host) else f"is at {address},"
    words = f"{host} {where} no address that pages have, so nothing was sent."
    return ToolError("private_address", words, host=host, address=address or host, rule="")


def incomplete(why: str) -> ToolError:
    """Return the error for a body that ended too soon or cannot be unpacked."""
    return ToolError("cut_body", f"The answer broke off or is damaged: {why}.", why=why)


def timed_out(host: str, seconds: float) -> ToolError:
    """Return the error for a request whose time is over, whatever it waited for."""
    return ToolError("timed_out", f"{host} did not answer in full within {seconds:g} seconds.", host=host)


def _system(error: BaseException) -> str:
    """Return the system's own words for it, which stand below what the libraries raise."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, OSError) and seen.strerror:
            return seen.strerror[0].lower() + seen.strerror[1:]
        seen = seen.__cause__ or seen.__context__
    return str(error) or "the connection was closed"


def _tls(error: BaseException) -> ssl.SSLError | None:
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, ssl.SSLError):
            return seen
        seen = seen.__cause__ or seen.__context__
    return None


def _of_tls(error: ssl.SSLError) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return _CERTIFICATE.get(error.verify_code) or str(error.verify_message)
    reason = str(error.reason or "").replace("_", " ").lower()
    return f"what it says is no TLS that we speak ({reason or error})"
