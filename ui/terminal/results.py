"""The result of a tool that a person called: on a terminal tables in columns, differences in colour."""

from __future__ import annotations

from app.events import ToolFinished
from app.records import View
from ui.result_views import TableSeen, head_of, notes_of, patch_of, table_of
from ui.terminal.clean import clean
from ui.terminal.output import Channel, Style
from ui.terminal.table import write_table


def write_result(out: Channel, finished: ToolFinished) -> None:
    """Write a result. A pipe gets the text as it is, for programs that read it."""
    text = clean(finished.text).rstrip("\n")
    table = table_of(finished.view) if out.terminal else None
    if table is not None:
        _write_table(out, finished.view, table, text)
    elif out.terminal and finished.view.kind == "diff" and patch_of(text):
        _write_patch(out, text)
    else:
        out.line(text)


def _write_table(out: Channel, view: View, table: TableSeen, text: str) -> None:
    if head := clean(head_of(view)):
        out.line(head + "\n")
    write_table(out, table.rows, [clean(" ".join(name.split())) for name in table.columns])
    for note in notes_of(text):
        out.line(out.styled(f"[{note}]", "muted"))


def _write_patch(out: Channel, text: str) -> None:
    """Write lines that came and went in colour; their signs say the same without it."""
    patch = patch_of(text).rstrip("\n")
    before = text[: text.find(patch)] if patch in text else ""
    if before:
        out.line(before.rstrip("\n") + "\n")
    for line in patch.split("\n"):
        out.line(out.styled(line, _style(line)))


def _style(line: str) -> Style:
    if line.startswith(("diff --", "+++ ", "--- ")):
        return "strong"
    return {"+": "good", "-": "danger", "@": "accent"}.get(line[:1], "plain")  # type: ignore[return-value]
