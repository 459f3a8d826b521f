"""Where one call runs: its gate, its folder, and the capabilities that are made for it when it needs them."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from app.capabilities.gate import Gate
from tools import ReadContext, ToolContext


class Here(msgspec.Struct):
    """The place of one call. `context` makes its capabilities; a foreign tool that has none of them, such as
    a server's, passes `gate` with its own effect instead.
    """

    gate: Gate
    context: Callable[[], ReadContext | ToolContext]
    session: str
    turn: str
    call: str
    cwd: str
    progress: Callable[[str], None] = lambda text: None
