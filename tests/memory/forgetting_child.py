"""Remembers fifty facts in a home and forgets them one by one, each told on its output once it is gone,
until a kill ends it.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.memory.conftest import Desk


async def main(home: Path) -> None:
    """Work until killed."""
    desk = Desk(home)
    await desk.store.open()
    for number in range(50):
        await desk.fact(f"Secret{number:02}quill stands in room {number}")
    for number in range(50):
        await desk.memory.forget([f"m{number + 1}"])
        print(f"Secret{number:02}quill", flush=True)


asyncio.run(main(Path(sys.argv[1])))
