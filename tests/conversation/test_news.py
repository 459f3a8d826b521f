"""What came and went is told once, whatever the clock says and in whatever mode it was told; and a beginning
fits the model that answers.
"""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from app.models.profile import Profile
from app.records import TurnOptions
from tests.conversation.story import DAY, LATE, Story, begins
from tests.servers.scripted import says, scripted

PLAN = TurnOptions(mode="plan", yes=True)
WRITES = replace(LATE, reading=False)
SKILL = "---\nname: water-plants\ndescription: Water the plants.\nallowed-modes: [agent]\n---\n\nGently.\n"


async def test_a_clock_that_is_set_back_tells_nothing_again(tmp_path: Path) -> None:
    async with scripted(*(says("well") for _ in range(4))) as server:
        story = Story(tmp_path, server)
        await story.begin()
        await story.turn("one")
        story.now -= DAY
        story.registry.put("mcp:late", [LATE])
        await story.turn("two")
        await story.turn("three")
        story.registry.drop("mcp:late")
        await story.turn("four")
        await story.engine.close()
    told = [request.body.decode().count(": server late") for request in server.requests]
    assert told == [0, 1, 1, 2], "it came once and went once"


async def test_what_one_mode_lacks_is_neither_gone_nor_new_again(tmp_path: Path) -> None:
    async with scripted(*(says("well") for _ in range(7))) as server:
        story = Story(tmp_path, server)
        await story.begin()
        await story.turn("one", PLAN)
        await story.turn("two")
        story.registry.put("mcp:late", [WRITES])
        folder = tmp_path / "home" / "skills" / "water-plants"
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(SKILL)
        await story.turn("three")
        await story.turn("four", PLAN)
        await story.turn("five")
        story.registry.drop("mcp:late")
        (folder / "SKILL.md").unlink()
        await story.turn("six", PLAN)
        await story.turn("seven")
        await story.engine.close()
    bodies = [request.body.decode() for request in server.requests]
    for thing in ("server late", "skill water-plants"):
        assert [body.count(f"New: {thing}") for body in bodies] == [0, 0, 1, 1, 1, 1, 1], thing
        assert [body.count(f"Gone: {thing}") for body in bodies] == [0, 0, 0, 0, 0, 1, 1], thing


async def test_the_beginning_fits_the_model_that_answers(tmp_path: Path) -> None:
    """Whatever was expected of it while it was made ready: what its provider lists may come in between."""
    async with scripted(says("one"), says("two")) as server:
        story = Story(tmp_path, server)
        await story.begin()
        models = story.engine._parts.models
        real = models.preview

        async def other(name: str = "") -> tuple[Profile, str]:
            profile, model = await real(name)
            return replace(profile, quirks=replace(profile.quirks, small_local=True)), model

        models.preview = other  # type: ignore[method-assign]
        await story.turn("one")
        models.preview = real  # type: ignore[method-assign]
        await story.turn("two")
        await story.engine.close()
    tools = [{tool["function"]["name"] for tool in request.json["tools"]} for request in server.requests]
    assert "use_tool" in tools[0] and tools[0] == tools[1] and list(begins(server)) == [True]
