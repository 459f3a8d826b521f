"""What small local models need: few tools under a short prompt, and their last answer in a fresh request.

Measured (voice facts, section 7): after a tool's result they call again instead of answering while tools
are offered; asked anew with the result in the person's own message and without tools, they answered four or
five times of five.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from app.models.request import ModelRequest, ToolSchema

OFFERED = frozenset({"run_command", "read_file", "write_file", "list_dir"})
"""With more, and with two that sound alike, they pick the wrong one."""
SHOWN = 3000
"""Characters of one result that the fresh request holds; their windows are small."""


def few(tools: Sequence[ToolSchema]) -> tuple[ToolSchema, ...]:
    """Return the tools that a small model is offered."""
    return tuple(tool for tool in tools if tool.name in OFFERED)


def fresh(request: ModelRequest) -> ModelRequest:
    """Return a request for the last answer: the person's words and what the tools said in one message, no
    tools.
    """
    start = max((i for i, message in enumerate(request.messages) if message.role == "user"), default=0)
    asked = request.messages[start]
    results = [
        f"{message.tool} {message.subject}: {_short(message.text)}"
        for message in request.messages[start + 1 :]
        if message.role == "tool" and message.summary != "not run"
    ]
    told = "\n".join(results)
    asking = f'I asked: "{asked.text}"\nYou used your tools, and they said:\n{told}'
    text = f"{asking}\nTell me the outcome in one or two sentences."
    said = msgspec.structs.replace(asked, text=text, context="")
    return msgspec.structs.replace(request, tools=(), tool_choice="auto", messages=(said,))


def _short(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]} [...]"
