"""Search the text of files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from tools import Match, ReadContext, ToolResult, plural, tool
from tools.files._report import one_line


@tool(
    reads=True,
    verb="Search files",
    main="pattern",
    keywords=("grep", "search text", "regex", "occurrences", "where is used", "ripgrep", "contains"),
    examples=(
        "where is parse_config used",
        "search for TODO in all python files",
        "which file mentions invoices",
    ),
    accepts={
        "context": "around",
        "query": "pattern",
        "regex": "pattern",
        "text": "pattern",
        "include": "glob",
        "folder": "path",
    },
)
async def grep_files(
    context: ReadContext,
    pattern: Annotated[str, "Text or regular expression"],
    path: Annotated[str, "Path"] = ".",
    glob: Annotated[str, "Glob"] = "",
    ignore_case: Annotated[bool, "Ignore case"] = False,
    around: Annotated[int, "Lines of context"] = 0,
) -> ToolResult:
    """Search for text or a regular expression inside files."""
    hidden = glob.startswith(".") or "/." in glob
    found = await context.files.search(
        pattern, path, glob=glob, ignore_case=ignore_case, context=around, hidden=hidden
    )
    if not found.matches:
        text = (
            "[no match; hidden, ignored and binary files, those over 16 MB and those that may hold secrets "
            "are not searched]"
        )
        return ToolResult(text, summary="no match")
    by_file: dict[str, list[Match]] = {}
    for match in found.matches:
        by_file.setdefault(match.path, []).append(match)
    lines = [line for name, matches in by_file.items() for line in (one_line(name), *_lines(matches), "")]
    if found.more:
        lines.append(f"[the first {len(found.matches)} matching lines; there are more]")
    files = plural(len(by_file), "file", "files")
    more = " and more" if found.more else ""
    return ToolResult(
        text="\n".join(lines).rstrip("\n"),
        summary=f"{plural(len(found.matches), 'line', 'lines')} in {files}{more}",
    )


def _lines(matches: Iterable[Match]) -> list[str]:
    """Return matching lines as `12:text` and their neighbours as `13-text`, each once."""
    shown: dict[int, str] = {}
    for match in matches:
        for number, text in enumerate(match.before, match.line - len(match.before)):
            shown.setdefault(number, f"{number}-{text}")
        shown[match.line] = f"{match.line}:{match.text}"
        for number, text in enumerate(match.after, match.line + 1):
            shown.setdefault(number, f"{number}-{text}")
    return [shown[number] for number in sorted(shown)]
