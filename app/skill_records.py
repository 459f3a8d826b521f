"""What is known of a skill: what its SKILL.md says, what is wrong with it, where it stands; also for ui."""

from __future__ import annotations

from typing import Literal

from app.record import Record
from app.records import Mode

Source = Literal["bundled", "person", "project"]
MODES: tuple[Mode, ...] = ("agent", "plan", "chat")
LONGEST_NAME = 64


class Fault(Record, kw_only=True):
    """Something wrong with a SKILL.md. `line` counts from 1 and is 0 where it concerns the file or
    folder as a whole; the message is an English sentence.
    """

    line: int
    message: str


class Skill(Record, kw_only=True):
    """One skill. `ok` is false when the block, the name or the description is missing or the name is no plain
    name; `loaded` says whether it can be used all the same.
    """

    name: str
    description: str = ""
    triggers: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    """The suggested tools: hints that force nothing."""
    modes: tuple[Mode, ...] = MODES
    body: str = ""
    body_line: int = 1
    """The line of the file that the body begins on."""
    folder: str = ""
    source: Source = "person"
    ok: bool = True
    loaded: bool = True
    faults: tuple[Fault, ...] = ()
    hides: tuple[Source, ...] = ()
    """The places whose skills of this name it stands for."""
    hidden_by: str = ""
    """The folder of the skill of the same name that counts instead, "" for most."""


class BesideFile(Record, kw_only=True):
    """A file of a skill's folder. `path` is relative, with slashes; `size` in bytes."""

    path: str
    size: int


class SkillInfo(Record, kw_only=True):
    """One line of the list."""

    name: str
    description: str
    source: Source
    folder: str
    ok: bool = True
    loaded: bool = True
    enabled: bool = True
    pinned: bool = False
    modes: tuple[Mode, ...] = MODES
    used: float | None = None
    """When it was last loaded, in seconds since 1970."""
    shown: Literal["whole", "cut", "name", "no"] = "no"
    """How much of its description the index of agent mode holds now."""
    hidden_by: str = ""
    problems: tuple[Fault, ...] = ()


class Shown(Record, kw_only=True):
    """A whole skill, for a page or the terminal."""

    skill: Skill
    info: SkillInfo
    files: tuple[BesideFile, ...] = ()
    text: str = ""
    """The whole SKILL.md, to be edited."""


class SkillDraft(Record, kw_only=True):
    """What a conversation would be as a skill; a person changes it before it is saved."""

    name: str
    description: str
    body: str
    tools: tuple[str, ...] = ()


class SavedSkill(Record, kw_only=True):
    """A SKILL.md that was written. `before` is what stood there, None where there was nothing."""

    name: str
    path: str
    before: bytes | None = None


ProjectState = Literal["waiting", "changed", "agreed", "refused"]


class ProjectSkills(Record, kw_only=True):
    """The skills that a project brings. They count only while `state` is agreed: never asked is waiting, and
    other files than those that were agreed to are changed.
    """

    project: str
    state: ProjectState
    skills: tuple[Skill, ...] = ()
    changed: tuple[str, ...] = ()
    """Folders whose files are new or other ones since the person agreed."""
    print: str = ""
    """Stands for these very files: `Skills.agree` takes it, so that nobody agrees to what was not shown."""
    too_large: bool = False
    """There are more files than can be held against the agreement later; it cannot be agreed to."""


class Report(Record, kw_only=True):
    """The answer of `skills check`."""

    ok: bool
    loaded: bool
    problems: tuple[Fault, ...] = ()


class FoundSkill(Record, kw_only=True):
    """A skill that fits a request. `score` is between 0 and 1; `sure`: no other one comes near it."""

    name: str
    score: float
    description: str = ""
    why: tuple[str, ...] = ()
    sure: bool = False


class SkillIndex(Record, kw_only=True):
    """The part of the prompt that names skills; the same bytes for a whole session."""

    text: str = ""
    tokens: int = 0
    named: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()
    """Those of `named` whose description is not whole."""
    left_out: tuple[str, ...] = ()


class SkillsNow(Record, kw_only=True):
    """The skills that count as a turn begins: their names with short descriptions, and the one that surely
    fits what was said ("" for most). The index is made only where it is wanted.
    """

    present: dict[str, str]
    anywhere: frozenset[str] = frozenset()
    """The names of all that can be loaded in some mode."""
    hint: str = ""
    index: SkillIndex = SkillIndex()


class Loaded(Record, kw_only=True):
    """What `load_skill` answers: the skills whose texts it gives, and the tools that these suggest."""

    text: str
    ok: bool
    names: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    """Real paths of the files that the text holds."""
    foreign: tuple[str, ...] = ()
    """Those of `read` that nobody vouches for: they lie outside of the places of skills."""
