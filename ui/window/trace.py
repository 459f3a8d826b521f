"""Start-up times on stderr for `./dev bench`, only when BRAMBLE_TRACE_START asks for them."""

from __future__ import annotations

import os
import sys
import time


def trace(step: str) -> None:
    """Print `start STEP_ms=N`, N in milliseconds since the unix time that BRAMBLE_TRACE_START names."""
    began = os.environ.get("BRAMBLE_TRACE_START", "")
    if not began:
        return
    try:
        elapsed = (time.time() - float(began)) * 1000
    except ValueError:
        return
    print(f"start {step}_ms={elapsed:.0f}", file=sys.stderr, flush=True)
