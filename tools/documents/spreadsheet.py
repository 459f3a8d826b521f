"""Read, filter, summarize and edit tables: CSV, TSV, Excel workbooks, OpenDocument sheets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from tools import (
    Table,
    TableChanged,
    TableEdit,
    TableQuery,
    ToolContext,
    ToolFailed,
    ToolResult,
    plural,
    tool,
)
from tools.documents._report import markdown, written

ROOM = 17_000
MOST = 2_000
PAGE = 100
Plain = str | int | float | bool | None


def _reads(arguments: Mapping[str, Any]) -> bool:
    return arguments.get("action") != "write" and not arguments.get("output")


@tool(
    reads=_reads,
    verb="Spreadsheet",
    main="path",
    keywords=("csv", "excel", "xlsx", "ods", "table", "columns", "rows", "cells", "sum", "average", "pivot"),
    examples=(
        "sum the column amount of sales.csv",
        "which rows of orders.xlsx are unpaid",
        "set B4 of budget.xlsx to 1200",
    ),
    accepts={"file": "path", "file_path": "path", "filter": "where", "group_by": "by", "max_rows": "limit"},
)
async def spreadsheet(
    context: ToolContext,
    path: Annotated[str, "Path relative to the workspace or absolute"],
    action: Annotated[Literal["read", "filter", "summarize", "write"], "What to do"],
    sheet: Annotated[str, "Sheet"] = "",
    columns: Annotated[list[str] | None, "Columns"] = None,
    where: Annotated[str, "Row condition, such as: amount > 100 and (city = Rome or city is empty)"] = "",
    output: Annotated[str, "New file (.csv, .tsv, .xlsx) for the rows, or for the edited table"] = "",
    by: Annotated[str, "summarize: a column whose equal values make groups"] = "",
    offset: Annotated[int, "Rows to skip"] = 0,
    limit: Annotated[int, "Most rows"] = PAGE,
    cells: Annotated[dict[str, Any] | None, 'write: values by cell, {"B2": 5}'] = None,
    values: Annotated[dict[str, Any] | None, "write: values by column for the rows of `where`"] = None,
    rows: Annotated[list[Any] | None, "write: new rows at the end, lists or {column: value}"] = None,
    remove: Annotated[bool, "write: take the rows of `where` away"] = False,
) -> ToolResult:
    """Read, filter, summarize or edit CSV and Excel tables."""
    if context.documents is None:
        raise ToolFailed("Tables cannot be read here.")
    if action == "write":
        edit = TableEdit(path, sheet, _plain(cells), _plain(values), where, remove, _rows(rows), output)
        if (edit.values or remove) and not where.strip():
            raise ToolFailed("`where` is missing: which rows are meant? Nothing was changed.")
        if not (edit.cells or edit.values or edit.rows or remove):
            raise ToolFailed(
                "Give cells, values with where, rows, or remove with where. Nothing was changed."
            )
        return _changed(await context.documents.edit_table(edit))
    many, wanted = action == "summarize", tuple(columns or ())
    if output and not many:
        whole = TableQuery(path, sheet, wanted, where, "", max(0, offset), limit if limit != PAGE else 0)
        return _changed(await context.documents.save_rows(whole, output))
    page = max(1, min(limit, MOST))
    query = TableQuery(path, sheet, wanted, where, by, max(0, offset), page, many)
    return _shown(await context.documents.table(query), many, query.offset)


def _plain(given: Mapping[str, Any] | None) -> dict[str, Plain]:
    """Return the values, all of which must be plain ones."""
    for name, value in (given or {}).items():
        _must_be_plain(value, name)
    return dict(given or {})


def _rows(given: list[Any] | None) -> tuple[Any, ...]:
    made: list[Any] = []
    for number, row in enumerate(given or [], 1):
        if isinstance(row, Mapping):
            made.append(_plain(row))
        elif isinstance(row, list):
            for value in row:
                _must_be_plain(value, f"row {number}")
            made.append(tuple(row))
        else:
            raise ToolFailed(f"New row {number} is neither a list nor values by column. Nothing was changed.")
    return tuple(made)


def _must_be_plain(value: Any, where: str) -> None:
    if not isinstance(value, (str, int, float, bool, type(None))):
        raise ToolFailed(f"The value of {where} is no text, number or truth value. Nothing was changed.")


def _shown(found: Table, summary: bool, offset: int) -> ToolResult:
    notes = list(found.notes)
    if len(found.sheets) > 1:
        notes.append(f"Sheet {found.sheet}; there are: {', '.join(found.sheets)}.")
    if not found.columns:
        return ToolResult(" ".join(notes) or "The table is empty.", summary="empty")
    lines, taken = markdown(found.columns, found.rows, ROOM)
    if summary or found.matched != found.total:
        notes.insert(0, f"{found.matched:,} of {plural(found.total, 'row', 'rows')} fit.")
    else:
        notes.insert(0, f"{plural(found.total, 'row', 'rows')}.")
    if not summary and offset + taken < found.matched:
        last = offset + taken
        notes.insert(1, f"Shown are {offset + 1:,} to {last:,}; go on with offset {last}.")
    return ToolResult(
        "\n".join([*lines, f"[{' '.join(notes)}]"]),
        summary=plural(found.matched, "row", "rows"),
        view="table",
        data={"columns": list(found.columns), "rows": [list(row) for row in found.rows[:taken]]},
    )


def _changed(made: TableChanged) -> ToolResult:
    counts = (
        plural(made.changed, "cell changed", "cells changed") if made.changed else "",
        plural(made.removed, "row removed", "rows removed") if made.removed else "",
        plural(made.added, "row written", "rows written") if made.added else "",
    )
    said = ", ".join(filter(None, counts)) or "no rows"
    files = made.files
    done = any(file.kind != "same" for file in files.files)
    head = f"Proposed and done: {said}." if done and not files.note else f"Proposed: {said}."
    return ToolResult(
        "\n".join([head, *written(files), *made.notes]),
        summary=said if done else "nothing changed",
        ok=all(file.verified for file in files.files),
        view="diff",
        data={
            "files": [
                {"path": file.path, "kind": file.kind, "added": file.added, "removed": file.removed}
                for file in files.files
            ]
        },
        undo=files.undo,
    )
