"""A real engine running one turn of many tool rounds: `engine_child.py HOME WORK ROUNDS`, times as JSON.

The model is a real one behind a socket; the time that the engine waits in the wire is not counted. What is
left of a round is ours: store the answer, find and run the tool, store its result, build the next request.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import sys
import time
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from app.engine import Engine
from app.models.client import ModelClient
from app.platform.paths import home as find_home
from app.records import TurnOptions


def watch(client: type[ModelClient]) -> list[float]:
    """Note when each request is given to the wire and when its answer is whole; returns the growing list."""
    times: list[float] = []
    stream = client.stream

    async def watched(self: ModelClient, request: Any) -> AsyncGenerator[Any, None]:
        times.append(time.perf_counter())
        async for event in stream(self, request):
            if type(event).__name__ == "Finished":
                times.append(time.perf_counter())
            yield event

    client.stream = watched  # type: ignore[method-assign]
    return times


async def turn(home: str, work: str, rounds: int) -> list[float]:
    """Run the turn and return the milliseconds between the end of each answer and the next request."""
    times = watch(ModelClient)
    engine = Engine(find_home({"BRAMBLE_HOME": home}), os.environ)
    await engine.open()
    try:
        session = await engine.sessions.create(cwd=work)
        await engine.send(session.id, "Read it all.", TurnOptions(max_rounds=rounds + 5))
        ended = await engine.wait(session.id)
        assert ended is not None and ended.stop == "done", ended
    finally:
        await engine.close()
    ends, begins = times[1::2], times[2::2]
    return [(begin - end) * 1000 for end, begin in zip(ends, begins, strict=False)]


def requests(rounds: int) -> float:
    """Median milliseconds of a bare request and its whole answer over one open connection."""
    import httpx

    taken = []
    body = {"model": "loopback", "stream": True, "messages": [{"role": "user", "content": "x" * 4000}]}
    with httpx.Client(trust_env=False, timeout=30) as client:
        for _ in range(rounds):
            began = time.perf_counter()
            client.post(os.environ["BRAMBLE_BASE_URL"] + "/chat/completions", json=body).read()
            taken.append((time.perf_counter() - began) * 1000)
    return statistics.median(taken)


if __name__ == "__main__":
    found = asyncio.run(turn(sys.argv[1], sys.argv[2], int(sys.argv[3])))
    print(json.dumps({"loop": statistics.median(found), "rounds": len(found), "request": requests(30)}))
