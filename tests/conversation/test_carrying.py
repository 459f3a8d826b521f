"""A conversation that is carried to another home brings its pictures and its pinned notes along."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from app.conversation import carrying
from app.conversation.pins import LONGEST
from app.engine import Engine
from app.errors import BrambleError
from app.platform.paths import home as home_of
from app.records import IMPORTED
from app.store import enclosures
from tests.conversation.story import Story
from tests.conversation.test_pictures import pictures, png
from tests.servers.scripted import calls, says, scripted

PNG = png()
ID = hashlib.sha256(PNG).hexdigest()[:16]


@asynccontextmanager
async def elsewhere(one: Story, place: Path) -> AsyncIterator[Engine]:
    """Open an engine with another home and the same model."""
    environ = {**one.environ, "BRAMBLE_HOME": str(place / "elsewhere")}
    engine = Engine(home_of(environ), environ, clock=lambda: one.now)
    await engine.open()
    try:
        yield engine
    finally:
        await engine.close()


async def talked(one: Story) -> None:
    """Send a picture, let a tool read another one, and pin two notes."""
    (one.folder / "shot.png").write_bytes(PNG)
    (one.folder / "blue.png").write_bytes(png(40, 40))
    await one.begin()
    await one.turn(await one.engine.attach("What is it?", [str(one.folder / "shot.png")]))
    await one.engine.sessions.pins.add(one.session, "Answer in rhymes.")
    question = (await one.engine.sessions.messages(one.session))[0].id
    await one.engine.sessions.pins.add(one.session, "It is red.", source=question)
    await one.turn("And the other one?")


def looking() -> tuple[Any, ...]:
    """What the model says meanwhile."""
    return says("red"), calls(("read_file", {"path": "blue.png"})), says("blue"), says("as before")


async def test_pictures_and_notes_come_along(tmp_path: Path) -> None:
    async with scripted(*looking()) as server:
        one = Story(tmp_path, server)
        await talked(one)
        text = await one.engine.sessions.export(one.session, "json")
        sent = pictures(server.requests[-1].json)
        assert len(sent) == 2 and sent[0] == PNG
        before = [pin.text for pin in await one.engine.sessions.pins.all(one.session)]
        await one.engine.close()
        async with elsewhere(one, tmp_path) as engine:
            info = await engine.sessions.import_text(text)
            notes = await engine.sessions.pins.all(info.id)
            assert [pin.text for pin in notes] == before == ["Answer in rhymes.", "It is red."]
            assert all(IMPORTED in pin.marks for pin in notes), "whoever wrote the file wrote them"
            question = (await engine.sessions.messages(info.id))[0].id
            assert question and not notes[0].message
            folder = engine.home.pictures
            assert sorted(path.read_bytes() for path in folder.iterdir()) == sorted(sent)
            await engine.sessions.configure(info.id, cwd=str(one.folder))
            await engine.send(info.id, "Again?")
            await engine.wait(info.id)
            assert pictures(server.requests[-1].json) == sent
            said = [message["content"] for message in server.requests[-1].json["messages"]]
            assert "no longer pinned" not in str(said)


async def test_a_copy_beside_the_original_has_notes_of_its_own(tmp_path: Path) -> None:
    async with scripted(*looking()) as server:
        one = Story(tmp_path, server)
        await talked(one)
        text = await one.engine.sessions.export(one.session, "json")
        copy = await one.engine.sessions.import_text(text)
        assert copy.id != one.session
        theirs = await one.engine.sessions.pins.all(one.session)
        ours = await one.engine.sessions.pins.all(copy.id)
        assert [pin.text for pin in ours] == [pin.text for pin in theirs]
        assert not {pin.id for pin in ours} & {pin.id for pin in theirs}
        told = {code for message in await one.engine.sessions.messages(copy.id) for code in message.told}
        assert {code for code in told if "pin" in code} == {f"+pin {pin.id}" for pin in ours}
        await one.engine.close()


async def test_markdown_and_html_name_them(tmp_path: Path) -> None:
    async with scripted(*looking()) as server:
        one = Story(tmp_path, server)
        await talked(one)
        for form in ("md", "html"):
            text = await one.engine.sessions.export(one.session, form)
            assert "Pinned notes" in text and "Answer in rhymes." in text
            assert "shot.png" in text and "blue.png (image/png, 40 x 40)" in text
            assert base64.b64encode(PNG).decode()[:40] not in text
        await one.engine.close()


def _without(data: dict[str, Any]) -> None:
    del data["pictures"], data["pins"]


def _other_bytes(data: dict[str, Any]) -> None:
    data["pictures"][ID] = base64.b64encode(png(31, 20)).decode()


def _no_picture(data: dict[str, Any]) -> None:
    """A file whose id is right, and which is a program of HTML."""
    page = b"<script>alert(1)</script>"
    id_ = hashlib.sha256(page).hexdigest()[:16]
    for message in data["messages"]:
        for picture in message.get("pictures", ()):
            picture["id"] = id_
    data["pictures"] = {id_: base64.b64encode(page).decode()}


def _another_place(data: dict[str, Any]) -> None:
    data["pictures"] = {"../../settings.toml": base64.b64encode(PNG).decode()}


@pytest.mark.parametrize("spoil", [_without, _other_bytes, _no_picture, _another_place])
async def test_what_is_no_picture_of_it_is_left_out(
    tmp_path: Path, spoil: Callable[[dict[str, Any]], None]
) -> None:
    """Exports of before, and files that somebody made: the words still come in."""
    async with scripted(says("red")) as server:
        one = Story(tmp_path, server)
        (one.folder / "shot.png").write_bytes(PNG)
        await one.begin()
        await one.turn(await one.engine.attach("What is it?", [str(one.folder / "shot.png")]))
        await one.engine.sessions.pins.add(one.session, "a note")
        data = json.loads(await one.engine.sessions.export(one.session, "json"))
        await one.engine.close()
        spoil(data)
        async with elsewhere(one, tmp_path) as engine:
            before = set(engine.home.data.rglob("*"))
            info = await engine.sessions.import_text(json.dumps(data))
            assert (await engine.sessions.messages(info.id))[0].text.startswith("What is it?")
            made = set(engine.home.data.rglob("*")) - before
            assert not [path for path in made if path.is_file() and path.parent.name == "pictures"]


async def test_more_than_the_bound_is_left_out_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with scripted(*looking()) as server:
        one = Story(tmp_path, server)
        await talked(one)
        sizes = [path.stat().st_size for path in one.engine.home.pictures.iterdir()]
        monkeypatch.setattr(enclosures, "MOST_BYTES", sum(sizes) - 1)
        data = json.loads(await one.engine.sessions.export(one.session, "json"))
        assert len(data["pictures"]) == 1 and data["pictures_left_out"] == 1
        assert ID not in data["pictures"], "the newest are kept"
        data["pins"] = [{**data["pins"][0], "text": "x" * (LONGEST + 1)}, data["pins"][1]]
        copy = await one.engine.sessions.import_text(json.dumps(data))
        assert [pin.text for pin in await one.engine.sessions.pins.all(copy.id)] == ["It is red."]
        monkeypatch.setattr(carrying, "MOST_LETTERS", 1000)
        with pytest.raises(BrambleError) as caught:
            await one.engine.sessions.import_text(json.dumps(data))
        assert caught.value.code == "too_large"
        await one.engine.close()


@pytest.mark.parametrize("field", [{"pictures": []}, {"pins": [{"id": "x"}]}, {"pictures": {ID: "?"}}])
async def test_a_damaged_file_says_so(tmp_path: Path, field: dict[str, Any]) -> None:
    async with scripted(says("red")) as server:
        one = Story(tmp_path, server)
        (one.folder / "shot.png").write_bytes(PNG)
        await one.begin()
        await one.turn(await one.engine.attach("What is it?", [str(one.folder / "shot.png")]))
        data = json.loads(await one.engine.sessions.export(one.session, "json"))
        with pytest.raises(BrambleError) as caught:
            await one.engine.sessions.import_text(json.dumps({**data, **field}))
        assert caught.value.code == "bad_import"
        assert len(await one.engine.sessions.list()) == 1
        await one.engine.close()


async def test_a_folder_that_cannot_be_is_one_of_ours(tmp_path: Path) -> None:
    async with scripted(says("red")) as server:
        one = Story(tmp_path, server)
        await one.begin()
        await one.turn("Hello")
        data = json.loads(await one.engine.sessions.export(one.session, "json"))
        data["session"]["cwd"] = "/tmp/a\0b"
        made = await one.engine.sessions.import_text(json.dumps(data))
        assert Path(made.cwd if made.cwd else (await one.engine.sessions.get(made.id)).cwd).is_dir()
        await one.engine.close()
