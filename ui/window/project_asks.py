"""What a project brings that the person is asked about: its instructions and its skills, as one kind of
question.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from app.instruction_records import ProjectInstructions
from app.skill_records import ProjectSkills
from ui.instruction_words import changed_text, instructions_text, instructions_title
from ui.language import _
from ui.skill_words import project_text, project_title

if TYPE_CHECKING:
    from app.engine import Engine

Work = Callable[["Engine"], Coroutine[Any, Any, Any]]
Name = Literal["instructions", "skills", "changed"]


@dataclass(frozen=True)
class Ask:
    """One question. `print` tells what is asked about, so that it can be put off until that changes."""

    name: Name
    """`changed`: instructions that hold were changed, which is told quietly."""
    print: str
    title: str
    text: str
    agree: Work | None
    """None where it cannot be agreed to."""
    refuse: Work
    back: Work
    """Takes the answer back."""
    agreed: str
    refused: str


async def waiting(engine: Engine, folder: str) -> tuple[Ask, ...]:
    """Return what waits for a word in a folder, the most important first."""
    instructions = await engine.instructions.project(folder)
    skills = await engine.skills.waiting(folder)
    found = [
        _instructions(instructions) if instructions and instructions.state == "waiting" else None,
        _skills(skills) if skills else None,
        _changed(instructions) if instructions and instructions.changed else None,
    ]
    return tuple(one for one in found if one is not None)


def _instructions(found: ProjectInstructions) -> Ask:
    folder = found.folder
    return Ask(
        name="instructions",
        print=found.print,
        title=instructions_title(found),
        text=instructions_text(found),
        agree=lambda engine: engine.instructions.agree(folder, found.print),
        refuse=lambda engine: engine.instructions.refuse(folder),
        back=lambda engine: engine.instructions.take_back(folder),
        agreed=_("The instructions of this project are used from now on."),
        refused=_("The instructions of this project are left out."),
    )


def _skills(found: ProjectSkills) -> Ask:
    project = found.project
    agree: Work = lambda engine: engine.skills.agree(project, found.print)  # noqa: E731
    return Ask(
        name="skills",
        print=found.print,
        title=project_title(found),
        text=project_text(found),
        agree=None if found.too_large else agree,
        refuse=lambda engine: engine.skills.refuse(project),
        back=lambda engine: engine.skills.forget_answer(project),
        agreed=_("The skills of this project are used from now on."),
        refused=_("The skills of this project are left out."),
    )


def _changed(found: ProjectInstructions) -> Ask | None:
    """Return what is said of instructions that hold and say something else than when they were seen."""
    if found.state != "agreed":
        return None
    folder = found.folder
    return Ask(
        name="changed",
        print=found.print,
        title=changed_text(found),
        text="",
        agree=None,
        refuse=lambda engine: engine.instructions.refuse(folder),
        back=lambda engine: engine.instructions.take_back(folder),
        agreed="",
        refused=_("The instructions of this project are left out."),
    )
