"""What went wrong with skills and with the instructions of projects, as rows of `ui/problems.py`."""

from __future__ import annotations

from ui.language import later as L
from ui.problem import Row

SKILLS: dict[str, Row] = {
    "no_skill": Row(
        L("There is no such skill."),
        L("Look at the list of skills."),
        "show_skills",
        L("There is no skill named {name}."),
    ),
    "bad_skill": Row(
        L("This is no whole skill, so it was not saved."),
        L("It needs a block with a name and a description, and instructions below."),
        "none",
        L("This is no whole skill, so it was not saved: {why}"),
    ),
    "skill_exists": Row(
        L("There is a skill of this name already, so nothing was saved."),
        L("Choose another name, or change the one that is there."),
        "none",
        L("There is a skill named {name} already, so nothing was saved."),
    ),
    "no_project_skills": Row(
        L("This folder belongs to no project with skills."),
        L("A project's skills lie in its folder .agents/skills."),
        "none",
        L("{path} belongs to no project with skills."),
    ),
    "no_instructions": Row(
        L("This folder belongs to no project with instructions."),
        L("A project's instructions stand in AGENTS.md, or in CLAUDE.md."),
        "none",
        L("{path} belongs to no project with instructions."),
    ),
    "instructions_changed": Row(
        L("The instructions of this project were changed in the meantime, so nothing was agreed to."),
        L("Look at them again."),
        "none",
    ),
    "skills_changed": Row(
        L("The skills of this project were changed in the meantime, so nothing was agreed to."),
        L("Look at them again."),
        "none",
    ),
    "nothing_done": Row(
        L("Nothing was said in this conversation yet, so there is nothing to make a skill of."),
        L("Ask for something first."),
        "none",
    ),
    "skills_too_large": Row(
        L("The skills of this project are too many or too large to be looked after."),
        L("Up to 2,000 files and 64 MiB can be agreed to. Copy those that you need to your own skills."),
        "none",
    ),
    # --- taking back
}
