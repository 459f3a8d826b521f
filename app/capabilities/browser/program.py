"""Finds an installed Chromium and says how it is started: without a profile, and with no way out but
a proxy.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping

_NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "microsoft-edge-stable",
    "microsoft-edge",
    "brave-browser",
)
_MAC = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
NONE = "none"
"""What the setting says for no browser at all."""
_OFF = (
    "AutofillServerCommunication",
    "CertificateTransparencyComponentUpdater",
    "InterestFeedContentSuggestions",
    "MediaRouter",
    "OptimizationHints",
    "Translate",
    "AsyncDns",
    "DnsOverHttps",
)


def find(setting: str, environ: Mapping[str, str]) -> str:
    """Return the path of the browser: the one of the setting, else one in its usual places, "" for none.

    Places of PATH that are relative do not count: a working folder may hold a program of that name.
    """
    if setting == NONE or sys.platform == "win32":  # there its remote control takes handles in place of pipes
        return ""
    if setting:
        return setting if os.path.isabs(setting) and os.access(setting, os.X_OK) else ""
    places = [one for one in environ.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(one)]
    for name in _NAMES:
        if path := shutil.which(name, path=os.pathsep.join(places)):
            return path
    return next((path for path in _MAC if sys.platform == "darwin" and os.access(path, os.X_OK)), "")


def arguments(program: str, folder: str, proxy: int) -> list[str]:
    """Return the command line. `folder` is its empty profile, `proxy` the port on 127.0.0.1 that all of its
    traffic takes: loopback too, no name is looked up by itself, nothing goes over UDP.
    """
    return [
        program,
        "--headless=new",
        "--remote-debugging-pipe",
        f"--user-data-dir={folder}",
        f"--proxy-server=http://127.0.0.1:{proxy}",
        "--proxy-bypass-list=<-loopback>",
        "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
        "--webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--disable-quic",
        f"--disable-features={','.join(_OFF)}",
        "--disable-background-networking",
        "--disable-breakpad",
        "--disable-client-side-phishing-detection",
        "--disable-component-update",
        "--disable-default-apps",
        "--disable-domain-reliability",
        "--disable-extensions",
        "--disable-gpu",
        "--disable-sync",
        "--metrics-recording-only",
        "--mute-audio",
        "--no-default-browser-check",
        "--no-first-run",
        "--no-pings",
        "--password-store=basic",
        "--use-mock-keychain",
        "--window-size=1280,1600",
        "about:blank",
    ]
