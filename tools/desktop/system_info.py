"""Tell what this computer is and has."""

from __future__ import annotations

from typing import Annotated, Literal

from tools import ReadContext, ToolResult, tool
from tools.desktop._report import looking


@tool(
    reads=True,
    verb="System info",
    main="section",
    keywords=("hardware", "operating system", "battery", "free disk space", "ram"),
    examples=(
        "how much memory does this computer have",
        "is the battery full",
        "welches Betriebssystem läuft hier",
    ),
    accepts={"part": "section"},
)
async def system_info(
    context: ReadContext,
    section: Annotated[Literal["all", "os", "cpu", "memory", "disk", "battery", "network"], "Part"] = "all",
) -> ToolResult:
    """Report operating system, CPU, memory, disk, battery and network details."""
    found = await looking(context.desktop).system(section)
    lines = []
    for name, rows in found.items():
        lines += [f"{name}:", *(f"  {key}: {value}" for key, value in rows)]
    table = [[key, value] for rows in found.values() for key, value in rows]
    return ToolResult(
        "\n".join(lines), section, view="table", data={"columns": ["what", "value"], "rows": table}
    )
