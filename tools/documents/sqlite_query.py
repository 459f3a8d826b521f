"""Run SQL on a SQLite database file; changing it asks and can be taken back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from tools import SqlRows, ToolContext, ToolFailed, ToolResult, checked, plural, tool
from tools.documents._report import markdown

ROOM = 17_000
MOST = 2_000


def _reads(arguments: Mapping[str, Any]) -> bool:
    return not arguments.get("write")


@tool(
    reads=_reads,
    verb="Query database",
    main="sql",
    keywords=("sqlite", "sql", "database", "db", "select", "query", "table", "schema"),
    examples=("which tables are in shop.db", "select the ten newest orders from shop.sqlite"),
    accepts={"database": "path", "file": "path", "query": "sql", "max_rows": "limit"},
)
async def sqlite_query(
    context: ToolContext,
    path: Annotated[str, "Path relative to the workspace or absolute"],
    sql: Annotated[str, "SQL statement"],
    write: Annotated[bool, "Allow changes"] = False,
    limit: Annotated[int, "Most rows"] = 200,
) -> ToolResult:
    """Run a SQL query on a SQLite database file."""
    if context.documents is None:
        raise ToolFailed("Databases cannot be read here.")
    most = max(1, min(limit, MOST))
    if not write:
        return _shown(await context.documents.query(path, sql, most))
    made = await context.documents.execute(path, sql, most)
    lines = []
    if made.returned.columns:
        lines += markdown(made.returned.columns, made.returned.rows, ROOM)[0]
    seen = checked(made.verified)
    lines.append(f"{made.path}: {plural(made.rows, 'row', 'rows')} changed, {seen}. {made.note}".rstrip())
    return ToolResult(
        "\n".join(lines), summary=plural(made.rows, "row", "rows"), ok=made.verified, undo=made.undo
    )


def _shown(found: SqlRows) -> ToolResult:
    if not found.columns:
        return ToolResult("The statement returned nothing.", summary="no rows")
    lines, taken = markdown(found.columns, found.rows, ROOM)
    more = found.more or taken < len(found.rows)
    note = (
        f"{plural(taken, 'row', 'rows')}{'; there are more: narrow the query or use LIMIT' if more else ''}"
    )
    return ToolResult(
        "\n".join([*lines, f"[{note}]"]),
        summary=plural(taken, "row", "rows"),
        view="table",
        data={"columns": list(found.columns), "rows": [list(row) for row in found.rows[:taken]]},
    )
