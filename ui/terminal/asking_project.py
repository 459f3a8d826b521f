"""Tells at the terminal that something of a project waits for the person's word: instructions, skills."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.engine import Engine
    from ui.terminal.output import Terminal


async def tell_waiting(terminal: Terminal, engine: Engine, folder: str) -> None:
    """Say what waits and how to agree to it."""
    if instructions := await engine.instructions.waiting(folder):
        from ui.terminal.instructions import tell_instructions

        tell_instructions(terminal, instructions)
    if skills := await engine.skills.waiting(folder):
        from ui.terminal.skill_asking import tell_project

        tell_project(terminal, skills)
