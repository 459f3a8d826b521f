"""Writes what `load_skill` gives to a model: bodies, what was cut of them, and the files beside them."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from app.platform import filesystem
from app.platform.plain_text import visible
from app.skill_records import BesideFile, FoundSkill, Skill
from app.toolbox.skills.folder import FILE, beside, real_file
from app.toolbox.skills.reading import decoded

LONGEST_BODY = 8_000
"""Characters of one body or file (product.md 3.2)."""
MOST_NAMES = 3
_LISTED = 20
"""Files beside SKILL.md that are named to a model ..."""
_LISTED_LENGTH = 1_000
"""... and the characters of their names together."""
_NEAR = LONGEST_BODY // 4
_LARGEST = 1 << 20


def body_text(skill: Skill, person: Path) -> str:
    """Return a skill for a model. Reads the list of its files from the disk.

    In bundled ones $SKILLS stands for the folder of the person's own, whose path they cannot know.
    """
    files, _ = beside(Path(skill.folder))
    path = os.path.join(skill.folder, FILE)
    body = skill.body.replace("$SKILLS", str(person)) if skill.source == "bundled" else skill.body
    parts = [f'<skill name="{skill.name}" from="{skill.source}">', cut(body, path, skill.body_line)]
    if files:
        parts.append(_listing(skill, files))
    if skill.tools:
        parts.append(f"Tools that help here: {', '.join(skill.tools)}.")
    return "\n".join([*parts, "</skill>"])


def cut(text: str, path: str, first_line: int = 1) -> str:
    """Return a text within 8,000 characters, with a note of what was cut and where it goes on."""
    text = visible(text)
    if len(text) <= LONGEST_BODY:
        return text.strip("\n") or "(It is empty.)"
    end = text.rfind("\n", LONGEST_BODY - _NEAR, LONGEST_BODY)
    end = LONGEST_BODY if end < 0 else end + 1
    kept, rest = text[:end], text[end:]
    headings = [line.lstrip("# ").strip()[:60] for line in rest.split("\n") if re.match(r"#{1,6} ", line)]
    note = f"Cut here: {len(rest):,} of {len(text):,} characters are left out"
    if headings:
        note += f", among them the parts: {'; '.join(headings[:8])}"
    line = first_line + kept.count("\n")
    return f"{kept.rstrip()}\n[{note}. They go on in line {line} of {visible(path)}; read_file shows them.]"


def _listing(skill: Skill, files: Sequence[BesideFile]) -> str:
    names = [f"{visible(file.path)} ({_size(file.size)})" for file in files[:_LISTED]]
    while sum(map(len, names)) > _LISTED_LENGTH and len(names) > 1:
        names.pop()
    named = ", ".join(names)
    more = f" and {len(files) - len(names)} more" if len(files) > len(names) else ""
    first = visible(files[0].path)
    return (
        f"Files in {visible(skill.folder)}: {named}{more}. Load one with load_skill as {skill.name}/{first}."
    )


def _size(size: int) -> str:
    return f"{size} bytes" if size < 1_000 else f"{size / 1_000:.0f} kB"


def file_text(skill: Skill, relative: str) -> tuple[str, bool]:
    """Return a file of a skill's folder for a model, or why it is not given, and whether it was."""
    path = real_file(skill, relative)
    name = f"{skill.name}/{visible(relative)}"
    if path is None:
        return f"{name}: there is no such file in the folder of the skill.", False
    try:
        data = filesystem.read(path, _LARGEST + 1)
    except OSError as error:
        return f"{name}: it cannot be read ({error.strerror or error}).", False
    if b"\0" in data[:8_000] and data[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        return f"{name}: it is no text. It lies at {visible(path)}.", False
    text, _ = decoded(data)
    return f'<file name="{name}">\n{cut(text, path)}\n</file>', True


def not_there(name: str, known: Sequence[str]) -> str:
    """Say that there is no such skill, with the nearest names."""
    import difflib

    near = difflib.get_close_matches(name[:100].lower(), known, 3, 0.5)
    hint = f" Nearest: {', '.join(near)}." if near else " Describe what you need with query instead."
    return f"There is no skill named {visible(name[:100])}.{hint}"


def found_text(found: Sequence[FoundSkill]) -> str:
    """Return a list of skills that may fit, to load one of them by name."""
    if not found:
        return "No skill fits that. Go on without one."
    lines = [f"- {one.name}: {visible(one.description)[:300]}" for one in found]
    return "\n".join(["These skills may fit; load one by its name:", *lines])


def plain(name: str) -> tuple[str, str]:
    """Split what a model names into skill and file beside it: `Meeting Notes/a.md` is meeting-notes, a.md."""
    skill, _, file = name.strip().replace("\\", "/").partition("/")
    return re.sub(r"\s+", "-", skill.strip().lower()), "" if file.lower() == FILE.lower() else file
