"""A tool whose definition changed after it was found is told anew when it is looked for again."""

from __future__ import annotations

from pathlib import Path

import msgspec

from tests.conversation.test_prefix import LATE, Story, find, use
from tests.servers.scripted import says, scripted


async def test_a_changed_definition_is_not_loaded_already(tmp_path: Path) -> None:
    name = LATE.name
    scripts = (
        find(name),
        find(name),
        says("so"),
        find(name),
        use(name, customer="Anna"),
        find(name),
        says("ok"),
    )
    async with scripted(*scripts) as server:
        one = Story(tmp_path, server)
        await one.begin()
        one.registry.put("mcp:late", [LATE])
        await one.turn("look her up")
        schema = msgspec.structs.replace(LATE.schema, description="Look a customer up by name.")
        changed = msgspec.structs.replace(LATE, schema=schema)
        one.registry.put("mcp:late", [changed])
        await one.turn("again")
        results = [
            message.text
            for message in await one.engine.sessions.messages(one.session)
            if message.tool == "find_tools"
        ]
        await one.engine.close()
    assert "Look a customer up." in results[0] and "already loaded" in results[1]
    assert "Look a customer up by name." in results[2] and "already loaded" in results[3]
