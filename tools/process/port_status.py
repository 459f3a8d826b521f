"""Tell who listens on a port."""

from __future__ import annotations

from typing import Annotated, Literal

from tools import Listener, ReadContext, ToolFailed, ToolResult, tool
from tools.process._report import named, reading


@tool(
    reads=True,
    verb="Look at port",
    main="port",
    keywords=("listener", "address in use", "socket", "server"),
    examples=("what is running on port 8000", "is port 5000 free", "wer blockiert Port 3000"),
    accepts={"number": "port", "proto": "protocol"},
)
async def port_status(
    context: ReadContext,
    port: Annotated[int, "Port, 1 to 65535; 0 for all"],
    protocol: Annotated[Literal["tcp", "udp", "both"], "Protocol"] = "both",
) -> ToolResult:
    """Find which process is listening on a TCP or UDP port."""
    if not 0 <= port <= 65535:
        raise ToolFailed("A port goes from 1 to 65535; 0 lists all.")
    found = await reading(context.processes).listeners(port, protocol)
    where = f"port {port}" if port else "any port"
    lines = [_line(one) for one in found.found] or [f"Nothing listens on {where}."]
    lines += [f"[{note}]" for note in found.notes]
    first = next((one.process.name for one in found.found if one.process), "")
    return ToolResult(
        "\n".join(lines),
        (first or "in use") if found.found else "free",
        view="table",
        data={
            "columns": ["protocol", "address", "port", "pid", "process", "command"],
            "rows": [_row(one) for one in found.found],
        },
    )


def _row(one: Listener) -> list[str]:
    who = one.process
    told = [str(who.pid), who.name, who.command] if who else ["", "", ""]
    return [one.protocol, one.address, str(one.port), *told]


def _line(one: Listener) -> str:
    who = named(one.process) if one.process else "a process that is not told"
    command = f": {one.process.command}" if one.process and one.process.command else ""
    return f"{one.protocol} {one.address}:{one.port} {who}{command}"
