"""The list of what can be loaded, for the prompt: a line a category with names, never a schema.

It is made once for a conversation and never grows beyond its bounds, however many servers there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby

from app.record import Record
from app.toolbox.skills.index import careful
from app.toolbox.tool import AnyTool

LINES, LINE, TOKENS = 64, 120, 270
"""Within the bounds of product.md 2.3; all of a first request is to stay within 1,500 tokens."""
HEAD = "Further tools, by category. Load what you need with find_tools, then call it with use_tool:"
BY_NAME = "Further tools, by category. Load what you need with find_tools, then call it by its name:"
"""For models whose provider loads the tools that were found (`native`)."""
SMALL = 6
"""A server with more tools is named with a count and a few of them."""
_FIRST = (
    "web_search", "web_fetch", "weather", "move_file", "trash_file", "archive", "create_dir",
    "git_status", "git_diff", "git_log", "git_commit", "github_issues", "github_pulls", "clipboard",
    "screenshot", "open_app", "open_url", "notify", "image_generate", "view_image", "mcp_search",
    "mcp_connect", "job_output", "job_stop", "project_note", "project_brief", "todo", "timer",
    "translate", "routine_create", "routine_list",
)  # fmt: skip
"""Named before the others of their category, where not all names have room: what people ask for most."""
_SERVERS = (12, 8, 4, 0)
"""How many servers get a line of their own where not all names have room; the rest share one."""
MARGIN = 0.97
"""Share of the budget that is filled, since tokens are an estimate here."""

Count = Callable[[str], int]


class Group(Record):
    """The tools of one category. `server` is set for one that a server brings."""

    title: str
    names: tuple[str, ...]
    server: bool = False


def groups(tools: Iterable[AnyTool]) -> tuple[Group, ...]:
    """Return tools by category: ours first, then the person's own, then the servers; of ours those that are
    asked for most come first, all others by name.
    """

    def place(tool: AnyTool) -> tuple[int, str]:
        kind = 0 if tool.source == "built in" else 2 if is_server(tool.source) else 1
        return kind, tool.category

    def weight(tool: AnyTool) -> int:
        return _FIRST.index(tool.name) if tool.name in _FIRST and place(tool)[0] == 0 else len(_FIRST)

    ordered = sorted(tools, key=lambda tool: (*place(tool), weight(tool), tool.name))
    return tuple(
        Group(title, tuple(tool.name for tool in members), kind == 2)
        for (kind, title), members in groupby(ordered, place)
    )


def is_server(source: str) -> bool:
    """Whether a tool of this source comes from a server."""
    return source.startswith("mcp:")


def catalogue(
    tools: Mapping[str, AnyTool], count: Count = careful, budget: int = TOKENS, head: str = HEAD
) -> str:
    """Return the catalogue of loadable tools, "" where there are none; the same tools give the same bytes."""
    found = groups(tools.values())
    if not found:
        return ""
    room = int(budget * MARGIN)
    most = max(len(group.names) for group in found)
    whole = {group.title: most for group in found}
    for server in (SMALL, 4, 2, 0):
        text = _text(found, server, whole, LINES - 2, head)
        if count(text) <= room:
            return text
    for servers in _SERVERS:
        if count(_text(found, 0, {}, servers, head)) <= room:
            return _filled(found, servers, head, lambda text: count(text) <= room)
    return head


def _filled(found: Sequence[Group], servers: int, head: str, fits: Callable[[str], bool]) -> str:
    """Return the list in which all categories of ours have as many names as there is room for, and some of
    them one more. Few tries: each counts the tokens of the whole.
    """
    titles = [group.title for group in found if not group.server]
    least, most = 0, max((len(group.names) for group in found if not group.server), default=0)
    while least < most:
        middle = (least + most + 1) // 2
        if fits(_text(found, 0, dict.fromkeys(titles, middle), servers, head)):
            least = middle
        else:
            most = middle - 1
    names = dict.fromkeys(titles, least)
    text = _text(found, 0, names, servers, head)
    for title in titles:
        more = {**names, title: least + 1}
        longer = _text(found, 0, more, servers, head)
        if longer != text and fits(longer):
            names, text = more, longer
    return text


def _text(found: Sequence[Group], server: int, ours: Mapping[str, int], servers: int, head: str) -> str:
    """Return the list with so many names for a server and for each category of ours, and so many servers."""
    lines = [head]
    lines += [
        _line(f"- {group.title}", group.names, ours.get(group.title, 0))
        for group in found
        if not group.server
    ]
    named = [group for group in found if group.server]
    lines += [_server(group, server) for group in named[:servers]]
    if rest := named[servers:]:
        total = sum(len(group.names) for group in rest)
        lines.append(
            _line(f"- {len(rest)} servers with {total} tools", [one.title for one in rest], len(rest))
        )
    return "\n".join(lines[:LINES])


def _server(group: Group, most: int) -> str:
    if len(group.names) <= min(SMALL, most):
        return _line(f"- {group.title} (server)", group.names, most)
    bare = [name.removeprefix(f"{group.title}__") for name in group.names]
    return _line(f"- {group.title} (server, {len(bare)} tools)", bare, most, more="such as ")


def _line(head: str, names: Sequence[str], most: int, *, more: str = "") -> str:
    """Return `head: a, b, c`, with as many names as fit, and how many are left out."""
    head = head if len(head) <= LINE else f"{head[: LINE - 1]}…"
    for number in range(min(most, len(names)), 0, -1):
        left = len(names) - number
        end = "" if not left or more else f", {left} more"
        line = f"{head}: {more}{', '.join(names[:number])}{end}"
        if len(line) <= LINE:
            return line
    return head if more or not names else f"{head}: {len(names)} tools"[:LINE]
