"""Makes a skill of the bytes of its SKILL.md: whatever can be used is used, and each fault is named."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import PurePath

from app.platform.plain_text import hides
from app.records import Mode
from app.skill_records import LONGEST_NAME, MODES, Fault, Skill
from app.toolbox.skills import values
from app.toolbox.skills.frontmatter import Block, read_block
from app.toolbox.skills.links import leaving
from app.toolbox.skills.values import Value

LONGEST_FILE = 1 << 20
"""Bytes of a SKILL.md that are read; 8,000 characters of it reach a model."""
MOST_HIDDEN = 5
"""Lines with characters that nobody sees that are named; a file may hold thousands."""
_NAME = r"[a-z0-9]+(?:[-_][a-z0-9]+)*"
_NOTHING = Value(1)


def is_plain_name(name: str) -> bool:
    """Whether this is a name that people and models can write and that is no path: small letters a to z and
    digits, single hyphens or underscores between them, at most 64 characters.
    """
    return len(name) <= LONGEST_NAME and re.fullmatch(_NAME, name) is not None


@lru_cache(maxsize=64)  # a turn looks at all skills, and they seldom change
def skill_of(data: bytes, folder: str) -> Skill:
    """Return the skill of a file's bytes. The folder's name stands in where the file gives no usable name."""
    text, faults = decoded(data)
    block = read_block(text)
    faults += block.faults
    own = PurePath(folder).name
    name, named = _name(block, own)
    description, described = _description(block)
    tools, modes = block.values.get("suggested-tools", _NOTHING), block.values.get("allowed-modes", _NOTHING)
    faults += (*named, *described, *_paths(tools), *_unknown(modes), *leaving(block.body, block.body_line))
    return Skill(
        name=name if is_plain_name(name) else own,
        description=description,
        triggers=_clean(values.texts(block.values.get("triggers", _NOTHING))),
        tools=_clean(item for item in values.texts(tools) if not _is_path(item[1])),
        modes=_modes(modes),
        body=block.body,
        body_line=block.body_line,
        folder=folder,
        ok=block.found and not named and not described,
        loaded=block.found and is_plain_name(name),
        faults=tuple(sorted(faults, key=lambda fault: fault.line)),
    )


def decoded(data: bytes) -> tuple[str, tuple[Fault, ...]]:
    """Return the text of a file in whatever encoding it is, and what should be otherwise."""
    faults = []
    if len(data) > LONGEST_FILE:
        data = data[:LONGEST_FILE]
        faults.append(Fault(line=0, message="The file is larger than 1 MiB; the rest is not read."))
    if data[:3] == b"\xef\xbb\xbf":
        data = data[3:]
        faults.append(Fault(line=1, message="A byte-order mark stands before the text; save it without."))
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        faults.append(Fault(line=1, message="The file is UTF-16; save it as UTF-8."))
        text = data.decode("utf-16", "replace")
    else:
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            text = (
                data.decode("utf-8", "replace")
                if len(data) == LONGEST_FILE
                else data.decode("cp1252", "replace")
            )
            line = len(re.findall(rb"\r\n|\n|\r", data[: error.start])) + 1
            faults.append(Fault(line=line, message="This line is not UTF-8; save the file as UTF-8."))
    lines = [number for number, line in enumerate(re.split(r"\r\n|\n|\r", text), 1) if hides(line)]
    if lines and "\0" not in text:
        message = "This line holds a character that nobody sees; take it out."
        faults += [Fault(line=line, message=message) for line in lines[:MOST_HIDDEN]]
    if "\0" in text:
        line = len(re.findall(r"\r\n|\n|\r", text[: text.index("\0")])) + 1
        faults.append(Fault(line=line, message="This line holds a character NUL; it is left out."))
        text = text.replace("\0", "")
    return text, tuple(faults)


def _name(block: Block, own: str) -> tuple[str, tuple[Fault, ...]]:
    """Return the name, and what keeps it from being a good one. The folder's name may stand in."""
    if not block.found:
        return own, ()
    value = block.values.get("name", _NOTHING)
    name = _text(value)
    if not name:
        message = "There is no name."
    elif is_plain_name(name):
        return name, ()
    else:
        message = (
            f"{_short(name)} is no plain name: small letters a to z, digits and single hyphens,"
            f" at most {LONGEST_NAME} characters."
        )
    if is_plain_name(own):
        message += f" The folder's name stands in: {own}."
    return own, (Fault(line=value.line, message=message),)


def _description(block: Block) -> tuple[str, tuple[Fault, ...]]:
    """Return the description, else the first words of the body, so that the skill can be told apart."""
    value = block.values.get("description", _NOTHING)
    if text := _text(value):
        return text, ()
    words = (line.lstrip("# ").strip() for line in block.body.splitlines()[:50])
    first = next((found for line in words if (found := _line(line))), "")[:200]
    if not block.found:
        return first, ()
    message = "There is no description: say in one sentence what it does and when to use it."
    return first, (Fault(line=value.line, message=message),)


def _text(value: Value) -> str:
    return _line(value.text or ", ".join(item for _, item in value.items))


def _line(text: str) -> str:
    """Return a text as one line without what nobody sees; the joiners of Indian letters and emoji stay."""
    if text.isprintable():
        return " ".join(text.split())
    kept = (letter if letter.isprintable() or letter in "\u200c\u200d" else " " for letter in text)
    return " ".join("".join(kept).split())


def _clean(items: Iterable[tuple[int, str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for _, item in items if (text := _line(item))))[:100]


def _is_path(tool: str) -> bool:
    return "/" in tool or "\\" in tool or tool[:1] in ".~" or re.match(r"[A-Za-z]:", tool) is not None


def _paths(tools: Value) -> Iterator[Fault]:
    for line, tool in values.texts(tools):
        if _is_path(tool):
            yield Fault(line=line, message=f"{_short(tool)} is a path, no name of a tool; it is left out.")


def _unknown(modes: Value) -> Iterator[Fault]:
    for line, mode in values.texts(modes):
        if mode.lower() not in MODES:
            yield Fault(line=line, message=f"{_short(mode)} is no mode; there are {', '.join(MODES)}.")


def _modes(value: Value) -> tuple[Mode, ...]:
    """Return the modes it is for: all, where it names none that exists."""
    wanted = {item.lower() for _, item in values.texts(value)}
    return tuple(mode for mode in MODES if mode in wanted) or MODES


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"{text[:60]}…"
