"""Pictures go with messages and results, as long as their provider takes them."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import multiprocessing
import os
from pathlib import Path
from typing import Any

from PIL import Image

from app.events import Noticed
from app.records import Message
from app.store.upkeep import nightly
from tests.conversation.test_engine import YES, Bench, bench
from tests.servers.scripted import calls, fails, says


def png(width: int = 30, height: int = 20) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, height), "red").save(out, "PNG")
    return out.getvalue()


def pictures(body: dict[str, Any]) -> list[bytes]:
    """The pictures of a request, in their order."""
    parts = [
        part
        for message in body["messages"]
        if isinstance(message["content"], list)
        for part in message["content"]
    ]
    urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
    return [base64.b64decode(url.partition(",")[2]) for url in urls]


def texts(body: dict[str, Any]) -> str:
    return str(body["messages"])


async def said(scene: Bench) -> str:
    path = scene.folder / "shot.png"
    path.write_bytes(png())
    return await scene.engine.attach("What is it?", [str(path)])


async def stored(scene: Bench, session: str) -> list[Message]:
    return await scene.engine.sessions.messages(session)


async def test_a_picture_goes_with_its_message_each_time(tmp_path: Path) -> None:
    async with bench(tmp_path, says("red"), says("still red")) as scene:
        session = (await scene.engine.sessions.create(cwd=str(scene.folder))).id
        await scene.turn(await said(scene), session=session)
        await scene.turn("Sure?", session=session)
        first, second = (request.json for request in scene.server.requests)
        assert pictures(first) == pictures(second) == [png()]
        assert (await stored(scene, session))[0].pictures[0].name.endswith("shot.png")
        one, two = (request.body for request in scene.server.requests)
        assert two.startswith(one[: one.rindex(b"]}")])
        found = await scene.engine.context(session=session)
        assert sum(part.bytes for part in found.parts) == len(found.body.encode())


async def test_a_queued_and_a_steered_picture_arrive_too(tmp_path: Path) -> None:
    async with bench(tmp_path, says("one"), says("two")) as scene:
        session = (await scene.engine.sessions.create(cwd=str(scene.folder))).id
        await scene.engine.steer(session, await said(scene))
        await scene.turn("go", session=session)
        assert pictures(scene.server.requests[-1].json) == [png()]


async def test_a_picture_that_is_read_is_seen(tmp_path: Path) -> None:
    async with bench(tmp_path, calls(("read_file", {"path": "photo.png"})), says("large")) as scene:
        (scene.folder / "photo.png").write_bytes(png(3000, 300))
        await scene.turn("look at photo.png")
        (seen,) = pictures(scene.server.requests[1].json)
        assert Image.open(io.BytesIO(seen)).size == (1568, 157)


async def test_a_refused_picture_is_left_out_from_then_on_and_said_once(tmp_path: Path) -> None:
    refusal = fails(400, {"error": {"message": "Invalid image data in message"}})
    async with bench(tmp_path, refusal, says("no picture"), says("go on"), says("seen")) as scene:
        session = (await scene.engine.sessions.create(cwd=str(scene.folder))).id
        ended = await scene.turn(await said(scene), session=session)
        assert ended.stop == "done"
        await scene.turn("And now?", session=session)
        bodies = [request.json for request in scene.server.requests]
        assert [len(pictures(body)) for body in bodies] == [1, 0, 0]
        assert "A picture was not sent" in texts(bodies[2])
        notices = [event.problem.code for event in scene.events if isinstance(event, Noticed)]
        assert notices.count("pictures_refused") == 1
        second, third = scene.server.requests[1].body, scene.server.requests[2].body
        assert third.startswith(second[: second.rindex(b"]}")])
        found = await scene.engine.context(session=session)
        assert "picture" in {use.why for use in found.prefixes}
        other = scene.folder / "other.png"
        other.write_bytes(png(9, 9))
        await scene.turn(await scene.engine.attach("This?", [str(other)]), session=session)
        assert pictures(scene.server.requests[-1].json) == [png(9, 9)]


async def test_the_night_keeps_pictures_that_messages_name(tmp_path: Path) -> None:
    async with bench(tmp_path, says("red")) as scene:
        session = (await scene.engine.sessions.create(cwd=str(scene.folder))).id
        await scene.turn(await said(scene), session=session)
        folder = scene.engine.home.pictures
        (kept,) = [path.name for path in folder.iterdir()]
        (folder / ("0" * 16)).write_bytes(b"nobody's")
        store = scene.engine._parts.store
        now = scene.engine.clock()
        await nightly(store, scene.engine.home, now + 20 * 86_400)
        assert len([*folder.iterdir()]) == 2
        await nightly(store, scene.engine.home, now + 31 * 86_400)
        assert [path.name for path in folder.iterdir()] == [kept]


async def test_an_imported_conversation_opens_no_file_or_folder_that_it_names(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    async with bench(tmp_path, says("ok")) as scene:
        first = (await scene.engine.sessions.create(cwd=str(scene.folder))).id
        whole = json.loads(await scene.engine.sessions.export(first, "json"))
        message = {"id": "m", "session": first, "parent": None, "turn": "t", "role": "user", "created": 1.0}
        shown = [{"id": str(secret), "media": "image/png"}]
        message = {**message, "text": "see", "pictures": shown}
        whole["messages"] = [message]
        whole["session"] |= {"head": "m", "cwd": "/"}
        made = await scene.engine.sessions.import_text(json.dumps(whole))
        assert Path(made.cwd).is_relative_to(tmp_path / "home")
        await scene.turn("And?", session=made.id)
        assert pictures(scene.server.requests[0].json) == []
        assert base64.b64encode(b"secret") not in scene.server.requests[0].body


async def test_what_is_attached_again_is_not_cleared_away_before_it_is_sent(tmp_path: Path) -> None:
    async with bench(tmp_path, says("red")) as scene:
        await said(scene)
        (kept,) = scene.engine.home.pictures.iterdir()
        os.utime(kept, (1.0, 1.0))
        text = await said(scene)
        await nightly(scene.engine._parts.store, scene.engine.home, scene.engine.clock())
        await scene.turn(text)
        assert pictures(scene.server.requests[0].json) == [png()]


async def test_what_was_refused_for_something_else_keeps_its_pictures(tmp_path: Path) -> None:
    refusal = fails(400, {"error": {"message": "No such model: some-vision-model"}})
    async with bench(tmp_path, refusal, refusal, says("red")) as scene:
        session = (await scene.engine.sessions.create(cwd=str(scene.folder))).id
        ended = await scene.turn(await said(scene), session=session)
        assert ended.stop == "failed"
        await scene.turn("And now?", session=session)
        assert [len(pictures(request.json)) for request in scene.server.requests] == [1, 0, 1]
        assert not [one for one in scene.events if isinstance(one, Noticed)]


async def test_a_stop_while_a_picture_is_shrunk_keeps_what_the_tool_did(tmp_path: Path) -> None:
    async with bench(tmp_path, calls(("read_file", {"path": "photo.png"}))) as scene:
        (scene.folder / "photo.png").write_bytes(png(3000, 300))
        session = (await scene.engine.sessions.create(cwd=str(scene.folder))).id
        await scene.engine.send(session, "look", YES)
        async with asyncio.timeout(20):
            while not multiprocessing.active_children():
                await asyncio.sleep(0.001)
        await scene.engine.stop(session)
        result = (await stored(scene, session))[-1]
        assert result.role == "tool" and result.ok and "interrupted" not in result.text
        assert result.pictures == ()
