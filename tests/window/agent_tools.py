"""Answers of a model that sets down steps and starts helpers, and answers that wait for the test."""

from __future__ import annotations

import asyncio
import threading

from tests.servers.scripted import Exchange, Script, calls


class Held:
    """A script that waits until the test lets it go on."""

    def __init__(self, script: Script) -> None:
        self._script, self._go = script, threading.Event()

    def go(self) -> None:
        """Let the answer come."""
        self._go.set()

    async def __call__(self, exchange: Exchange) -> None:
        await asyncio.to_thread(self._go.wait, 60)
        await self._script(exchange)


def plan(*states: str) -> Script:
    """Return an answer that sets down steps in these states."""
    steps = [{"text": f"Do thing {at}", "state": state} for at, state in enumerate(states, 1)]
    return calls(("use_tool", {"name": "plan_steps", "arguments": {"steps": steps}}))


def helps(*tasks: str) -> Script:
    """Return an answer that gives these tasks to helpers."""
    return calls(("use_tool", {"name": "delegate", "arguments": {"tasks": list(tasks)}}))
