"""The text of the file of rules: read into rules and faults, and changed line by line so that the person's
own lines stay.

Sections `[always]`, `[project /folder]` and `[session ID]`; below them one rule a line, such as
`allow TOOL(PATTERN)`, or ask or deny; `#` begins a comment. Pure: bytes in, bytes out.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
from collections.abc import Callable, Sequence

from app.errors import BrambleError
from app.permissions import rules
from app.permissions.rules import Rule
from app.records import DecisionKind, Record, RuleFault, RuleInfo, Scope

BYTES_CAP = 1 << 20
"""A larger file is not read: nobody writes so many rules by hand, and each call would pay for them."""
RULES_CAP = 2_000
LINE_CAP = 4_096
"""Characters of one line."""
_SHOWN = 200
"""Characters of a faulty line that are told."""
_BOM = b"\xef\xbb\xbf"
_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_HEADER = re.compile(r"\[\s*(?P<scope>[A-Za-z]+)(?:\s+(?P<place>.*?))?\s*\]\Z", re.DOTALL)
_ENTRY = re.compile(r"(?P<decision>\w+)\s+(?P<rule>.+)\Z", re.DOTALL)
_HEADER_NOTE, _RULE_NOTE = re.compile(r"(?<=\])\s+#"), re.compile(r"(?<=\))\s+#")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")
_BEGINNING = """\
# Rules of Bramble: what may happen without a question, what is always asked about, and what never happens.
# Below a section stands one rule a line: allow, ask or deny, then TOOL(PATTERN). deny counts before ask, and
# ask before allow. You may edit this file; `bramble permissions list` names the lines that cannot be used.
"""


class Section(Record):
    """Where the lines below a header hold; None for a header that cannot be read. Lines count from 0."""

    header: int
    scope: Scope | None
    place: str


class Entry(Record):
    """A rule of the file, taken apart once."""

    info: RuleInfo
    rule: Rule


class Page(Record):
    """The file as it was read. `blind` says that none of it could be read: see Policy."""

    lines: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()
    entries: tuple[Entry, ...] = ()
    faults: tuple[RuleFault, ...] = ()
    blind: bool = False
    mark: bytes = b""
    """The byte-order mark that it begins with, b"" for none."""

    @property
    def ending(self) -> str:
        """The line end that most lines have."""
        return "\r\n" if 2 * sum(line.endswith("\r\n") for line in self.lines) > len(self.lines) else "\n"


def unreadable(why: str) -> Page:
    """Return what a file that cannot be read is: no rules, and the reason."""
    return Page(faults=(RuleFault(line=0, text="", why=why),), blind=True)


def rule_id(decision: DecisionKind, rule: str, scope: Scope, place: str) -> str:
    """Return the id of a rule, which stays the same wherever its line stands."""
    words = "\0".join((decision, scope, place, rule))
    return hashlib.sha256(words.encode(errors="surrogateescape")).hexdigest()[:10]


def read_page(data: bytes) -> Page:
    """Return rules and faults. Lines that cannot be used are named, all others hold."""
    if len(data) > BYTES_CAP:
        return unreadable(f"The file is larger than {BYTES_CAP:,} bytes, so none of its rules is read.")
    if b"\0" in data:
        return unreadable("The file is not UTF-8 text (it holds NUL), so none of its rules is read.")
    mark = _BOM if data.startswith(_BOM) else b""
    lines = tuple(_LINES.findall(data[len(mark) :].decode("utf-8", "surrogateescape")))
    reader = _Reader()
    for number, line in enumerate(lines):
        reader.take(number, line.rstrip("\n").rstrip("\r"))
    return Page(
        lines, tuple(reader.sections), tuple(reader.entries.values()), tuple(reader.faults), mark=mark
    )


class _Fault(Exception):
    """Why a line cannot be used, as a sentence."""


class _Reader:
    """Reads line after line, within the section that began last."""

    def __init__(self) -> None:
        self.sections: list[Section] = []
        self.entries: dict[str, Entry] = {}
        self.faults: list[RuleFault] = []

    def take(self, number: int, line: str) -> None:
        text = line.strip()
        if not text or text.startswith("#"):
            return
        try:
            _must_be_plain(line)
            if text.startswith("["):
                self._begin(number, text)
            else:
                self._rule(number, text)
        except _Fault as fault:
            if text.startswith("["):
                self.sections.append(Section(number, None, ""))
            shown = text.encode("utf-8", "backslashreplace").decode()[:_SHOWN]
            self.faults.append(RuleFault(line=number + 1, text=shown, why=str(fault)))

    def _begin(self, number: int, text: str) -> None:
        scope, place = read_header(_HEADER_NOTE.split(text, maxsplit=1)[0])
        self.sections.append(Section(number, scope, place))

    def _rule(self, number: int, text: str) -> None:
        section = self.sections[-1] if self.sections else None
        if section is None:
            raise _Fault("It stands above the first section. Write [always] above it.")
        if section.scope is None:
            raise _Fault(f"It does not hold, since line {section.header + 1} above it cannot be read.")
        decision, rule = _read_entry(_RULE_NOTE.split(text, maxsplit=1)[0])
        id = rule_id(decision, rule.text, section.scope, section.place)
        if id in self.entries:
            return
        if len(self.entries) >= RULES_CAP:
            raise _Fault(f"There are more than {RULES_CAP:,} rules above it, so it is not read.")
        info = RuleInfo(
            id=id,
            decision=decision,
            rule=rule.text,
            scope=section.scope,
            place=section.place,
            line=number + 1,
        )
        self.entries[id] = Entry(info, rule)


def _must_be_plain(line: str) -> None:
    if len(line) > LINE_CAP:
        raise _Fault(f"The line is longer than {LINE_CAP:,} characters.")
    if any("\ud800" <= letter <= "\udfff" for letter in line):
        raise _Fault("The line is not UTF-8 text.")
    if _CONTROL.search(line):
        raise _Fault("The line holds a control character.")


def read_header(text: str) -> tuple[Scope, str]:
    """Return scope and place of a section's header. Raises a fault with the reason."""
    found = _HEADER.match(text)
    if found is None:
        raise _Fault("A section reads [always], [project /folder] or [session ID].")
    scope, place = found["scope"].casefold(), found["place"] or ""
    if scope == "always" and not place:
        return "always", ""
    if scope == "project" and place:
        folder = os.path.expanduser(place)
        if not os.path.isabs(folder):
            raise _Fault("The folder of a project section must be a whole path, such as /home/me/work.")
        return "project", os.path.normpath(folder)
    if scope == "session" and place and len(place.split()) == 1:
        return "session", place
    raise _Fault("A section reads [always], [project /folder] or [session ID].")


def _read_entry(text: str) -> tuple[DecisionKind, Rule]:
    found = _ENTRY.match(text)
    word = found["decision"].casefold() if found else ""
    if found is None or word not in ("allow", "ask", "deny"):
        raise _Fault("A rule begins with allow, ask or deny, such as: allow run_command(git status).")
    try:
        return word, checked_rule(found["rule"])  # type: ignore[return-value]
    except BrambleError as error:
        raise _Fault(str(error)) from error


def checked_rule(text: str) -> Rule:
    """Return a rule that can stand in the file. Raises BrambleError (bad_rule)."""
    rule = rules.parse(text)
    problem = ""
    if _CONTROL.search(rule.text) or not _encodes(rule.text):
        problem = "it holds a control character or half of a character"
    elif len(rule.text) > LINE_CAP - 10:
        problem = "it is too long"
    elif _RULE_NOTE.search(rule.text):
        problem = "a # behind its bracket would begin a comment"
    elif rule.tool in ("run_command", "start_job") and not _quotes_close(rule.pattern):
        problem = "a quote in it is not closed"
    if problem:
        raise BrambleError("bad_rule", f"{text!r} cannot be a rule: {problem}.", rule=text)
    return rule


def _encodes(text: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def _quotes_close(pattern: str) -> bool:
    try:
        shlex.split(pattern)
    except ValueError:
        return False
    return True


# --- changing ----------------------------------------------------------------------------------------------


def added(page: Page, wanted: Sequence[RuleInfo]) -> bytes:
    """Return the file with these rules too; those that stand there already are not added twice.

    Raises BrambleError (bad_rule) for a rule or a place that the file cannot hold.
    """
    for info in wanted:
        if not _holds(page, info):
            page = read_page(_joined(page, _with(page, info)))
            if not _holds(page, info):
                raise BrambleError(
                    "bad_rule", f"{info.rule} for {info.place} cannot stand in the rules.", rule=info.rule
                )
    return _joined(page, page.lines)


def _holds(page: Page, info: RuleInfo) -> bool:
    return any(entry.info.id == info.id for entry in page.entries)


def _with(page: Page, info: RuleInfo) -> list[str]:
    """Return the lines with one rule more: at the end of its section, else in a new one."""
    lines = list(page.lines)
    line = f"{info.decision} {info.rule}{page.ending}"
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += page.ending
    starts = [section.header for section in page.sections]
    for at, section in enumerate(page.sections):
        if (section.scope, section.place) == (info.scope, info.place):
            end = starts[at + 1] if at + 1 < len(starts) else len(lines)
            while not lines[end - 1].strip():
                end -= 1
            return [*lines[:end], line, *lines[end:]]
    header = f"[{info.scope} {info.place}]" if info.place else f"[{info.scope}]"
    if not lines:
        lines = _LINES.findall(_BEGINNING)
    return [*lines, page.ending, header + page.ending, line]


def without(page: Page, gone: Callable[[RuleInfo], bool]) -> bytes:
    """Return the file without some rules, and without the sections that hold nothing any more."""
    ids = {entry.info.id for entry in page.entries if gone(entry.info)}
    lines: list[str] = list(page.lines)
    for section, start, end in _spans(page):
        doomed = [at for at in range(start, end) if _id_at(page, section, at) in ids]
        for at in doomed:
            lines[at] = ""
        empty = not any(line.strip() for line in lines[start:end])
        if doomed and empty and section.scope != "always":
            lines[section.header : end] = [""] * (end - section.header)
    return _joined(page, lines)


def edited(page: Page, id: str, rule: Rule) -> bytes:
    """Return the file with other words for one rule, in the place where it stands; its comment stays."""
    lines = list(page.lines)
    for section, start, end in _spans(page):
        for at in range(start, end):
            if _id_at(page, section, at) == id:
                text = lines[at]
                body = _RULE_NOTE.split(text.strip(), maxsplit=1)[0]
                found = _ENTRY.match(body)
                assert found
                lines[at] = text.replace(found["rule"], rule.text, 1)
    return _joined(page, lines)


def _spans(page: Page) -> list[tuple[Section, int, int]]:
    """Return each section with the lines between its header and the next."""
    ends = [section.header for section in page.sections[1:]] + [len(page.lines)]
    return [(one, one.header + 1, end) for one, end in zip(page.sections, ends, strict=True)]


def _id_at(page: Page, section: Section, at: int) -> str:
    """Return the id of the rule in a line, "" where there is none."""
    text = page.lines[at].strip()
    if section.scope is None or not text or text.startswith("#"):
        return ""
    try:
        _must_be_plain(page.lines[at].rstrip("\n").rstrip("\r"))
        decision, rule = _read_entry(_RULE_NOTE.split(text, maxsplit=1)[0])
    except _Fault:
        return ""
    return rule_id(decision, rule.text, section.scope, section.place)


def _joined(page: Page, lines: Sequence[str]) -> bytes:
    return page.mark + "".join(lines).encode("utf-8", "surrogateescape")
