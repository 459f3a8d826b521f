"""Reads the block at the head of a SKILL.md as people write it, and names each fault by its line.

The block is a small part of YAML: keys with a text, a list or a text of several lines. A YAML library would
lose the whole skill at the first unquoted colon. Time is linear in the length of the block.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from app.record import Record
from app.skill_records import Fault
from app.toolbox.skills import values
from app.toolbox.skills.values import Raw, Value

LONGEST_LINE = 4_000
MOST_FAULTS = 50
_END = ("---", "...")
_KEY = r"[A-Za-z_][\w .-]{0,63}"
KNOWN = frozenset({"name", "description", "triggers", "suggested-tools", "allowed-modes"})


class Block(Record, kw_only=True):
    """What the block says. `found` is false where there is none; then the body is the whole file."""

    found: bool
    values: dict[str, Value]
    body: str
    body_line: int
    faults: tuple[Fault, ...] = ()


def read_block(text: str) -> Block:
    """Return the block and the body of a file. Line ends may be CRLF, LF or CR."""
    lines = re.split(r"\r\n|\n|\r", text)
    start = next((number for number, line in enumerate(lines) if line.strip()), 0)
    if lines[start].rstrip() != "---":
        missing = "There is no block: begin with a line ---, then name: and description:, then a line ---."
        return Block(
            found=False, values={}, body=text, body_line=1, faults=(Fault(line=start + 1, message=missing),)
        )
    reader = _Reader()
    if start:
        reader.fault(1, "The block must begin on the first line of the file; blank lines stand before it.")
    end = _end(lines, start + 1)
    if end is None:
        end = _open_end(lines, start + 1)
        body_from = end
        reader.fault(start + 1, "The block is never closed: a line --- is missing after it.")
    else:
        body_from = end + 1
    for number in range(start + 1, end):
        reader.take(number + 1, lines[number])
    found = {raw.key: values.read(raw, reader.fault) for raw in reader.keys.values()}
    return Block(
        found=True,
        values=found,
        body="\n".join(lines[body_from:]).strip("\n"),
        body_line=_first_line(lines, body_from),
        faults=tuple(sorted(reader.faults, key=lambda fault: fault.line)[:MOST_FAULTS]),
    )


def _end(lines: Sequence[str], start: int) -> int | None:
    return next((number for number in range(start, len(lines)) if lines[number].rstrip() in _END), None)


def _open_end(lines: Sequence[str], start: int) -> int:
    """Return where a block without an end stops: at a blank line, or at what can be no part of it."""
    for number in range(start, len(lines)):
        line = lines[number]
        if not line.strip() or (not line[0].isspace() and line[0] not in "-#" and _key_of(line) is None):
            return number
    return len(lines)


def _first_line(lines: Sequence[str], start: int) -> int:
    return next((number for number in range(start, len(lines)) if lines[number]), start) + 1


def _key_of(line: str) -> tuple[str, str] | None:
    """Return key and rest of `key: rest`, None where the line is none. A known key needs no blank."""
    key, colon, rest = line.partition(":")
    if not colon or not re.fullmatch(_KEY, key.strip(" \"'")):
        return None
    spaced = not rest or rest[0] in " \t"
    return (key, rest) if spaced or plain_key(key) in KNOWN else None


def plain_key(key: str) -> str:
    """Return a key as the known ones are written: `Suggested_Tools ` is suggested-tools."""
    return re.sub(r"[ _]+", "-", key.strip(" \"'").lower())


class _Reader:
    """Gathers the lines of each key. Faults are kept to a number that a person can read."""

    def __init__(self) -> None:
        self.keys: dict[str, Raw] = {}
        self.faults: list[Fault] = []
        self._current: Raw | None = None

    def fault(self, line: int, message: str) -> None:
        """Note a fault."""
        if len(self.faults) < MOST_FAULTS * 4:
            self.faults.append(Fault(line=line, message=message))

    def take(self, number: int, line: str) -> None:
        """Take one line of the block."""
        if len(line) > LONGEST_LINE:
            self.fault(number, f"The line is longer than {LONGEST_LINE:,} characters; the rest is not read.")
            line = line[:LONGEST_LINE]
        if not line.strip():
            self._below(number, "")
            return
        indent = line[: len(line) - len(line.lstrip())]
        if "\t" in indent:
            self.fault(number, "A tab indents this line; use blanks.")
            line = indent.replace("\t", "  ") + line.lstrip()
        if indent:
            self._indented(number, line)
        elif line[0] != "#":
            self._outermost(number, line.rstrip())

    def _indented(self, number: int, line: str) -> None:
        if self._current is None and (found := _key_of(line.strip())):
            self.fault(number, "This key is indented; keys begin at the start of the line.")
            self._begin(number, *found)
        elif self._current is None:
            self.fault(number, "This line belongs to no key.")
        else:
            self._below(number, line)

    def _outermost(self, number: int, line: str) -> None:
        found = _key_of(line)
        if line == "-" or line.startswith("- "):
            self._item(number, line)
        elif found is not None:
            self._begin(number, *found)
        elif self._current is None:
            self.fault(number, "This line is no `key: value`.")
        else:
            self.fault(number, f"Indent this line if it belongs to {self._current.key}.")
            self._below(number, "  " + line)

    def _item(self, number: int, line: str) -> None:
        if self._current is None:
            self.fault(number, "This item belongs to no key.")
        else:
            self._below(number, line)

    def _below(self, number: int, line: str) -> None:
        if self._current is not None:
            self._current.below.append((number, line))

    def _begin(self, number: int, written: str, rest: str) -> None:
        key = plain_key(written)
        if key in KNOWN and written != key:
            self.fault(number, f"Write this key as {key}.")
        if rest and rest[0] not in " \t":
            self.fault(number, f"Put a blank after the colon of {key}.")
        self._current = Raw(key, number, rest.strip(), [])
        if key in self.keys:
            self.fault(number, f"The key {key} is given twice; the first one counts.")
        else:
            self.keys[key] = self._current
