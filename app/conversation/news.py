"""What came and went since a conversation began, for its newest message: servers, own tools, skills.

Pure. Each message keeps what it told, so that nothing is told twice and a branch knows what it was told.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from app.conversation.prefix import Prefix
from app.record import Record
from app.records import Message
from app.toolbox.catalogue import groups
from app.toolbox.tool import AnyTool

_MOST = 12
"""Things that one message tells of; what is left out is told with the next."""
_NAMES = 3
_PROJECT = "instructions "


class News(Record):
    """`lines` for the model; `told` are codes with + or - before them, for `Message.told`."""

    lines: tuple[str, ...] = ()
    told: tuple[str, ...] = ()


def known(prefix: Prefix, history: Iterable[Message]) -> frozenset[str]:
    """Return the codes of what the model knows to be there: what its requests begin with, and all that the
    branch `history` told, in the order in which it stands there. No clock has a word in that, and neither has
    the mode in which something was told: the model reads it all the same.
    """
    found = set(prefix.known)
    for message in history:
        if message.role == "user":
            for code in message.told:
                if code[1:].startswith(("pin ", "memory ")):
                    continue  # what the person pinned or is remembered is told elsewhere (`remembering`)
                (found.add if code[0] == "+" else found.discard)(code[1:])
    return frozenset(found)


def news(
    before: frozenset[str],
    now: Iterable[str],
    anywhere: Iterable[str],
    loadable: Mapping[str, AnyTool],
    skills: Mapping[str, str],
) -> News:
    """Return what is new against the codes `before`; `skills` are names with a short description.

    `now` is what this mode has, `anywhere` what any mode has: only what is in none of them is gone.
    """
    come = sorted({*now} - before)[:_MOST]
    gone = sorted(before - {*anywhere})[: _MOST - len(come)]
    lines = [f"New: {_told(code, loadable, skills)}" for code in come if not code.startswith(_PROJECT)]
    lines += [f"Gone: {code}" for code in gone if not code.startswith(_PROJECT)]
    lines += _project_lines(come, gone)
    return News(tuple(lines), (*(f"+{code}" for code in come), *(f"-{code}" for code in gone)))


def _project_lines(come: Iterable[str], gone: Iterable[str]) -> Iterable[str]:
    """What the instructions say now is not repeated: the model reads the files where it needs them."""
    if any(code.startswith(_PROJECT) for code in come):
        yield "The project's instructions (AGENTS.md or CLAUDE.md) are other ones now: read them again."
    elif any(code.startswith(_PROJECT) for code in gone):
        yield "The project's instructions hold no longer."


def _told(code: str, loadable: Mapping[str, AnyTool], skills: Mapping[str, str]) -> str:
    kind, _, name = code.partition(" ")
    if kind == "skill":
        return f"{code}: {skills.get(name, '')}".rstrip(": ")
    if kind == "tool":
        return f"{code} (find_tools)"
    group = next((one for one in groups(loadable.values()) if one.server and one.title == name), None)
    if group is None:
        return code
    some = ", ".join(one.removeprefix(f"{name}__") for one in group.names[:_NAMES])
    return f"{code} with {len(group.names)} tools, such as {some} (find_tools)"
