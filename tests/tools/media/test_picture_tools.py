"""Drawing, changing, finding and viewing pictures through the whole engine, against servers that
answer as the Images API, Openverse and Wikimedia Commons document it.
"""

from __future__ import annotations

import asyncio
import base64
import io
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from app.engine import Engine
from app.events import ApprovalAsked, Event, ToolFinished
from app.platform.paths import home as find_home
from app.records import Answer, RequestEffect, TurnOptions
from app.settings import Settings
from tests.servers.scripted import ScriptedServer, scripted
from tests.servers.site import Sent, query_of, site
from tests.tools.online_desk import OnlineDesk
from tools.media.photo_search import photo_search


def picture(kind: str = "PNG", colour: str = "red") -> bytes:
    made = io.BytesIO()
    Image.new("RGB", (4, 4), colour).save(made, kind)
    return made.getvalue()


def answer(data: bytes, **more: Any) -> Sent:
    return Sent({"created": 1, "data": [{"b64_json": base64.b64encode(data).decode(), **more}]})


@asynccontextmanager
async def painter(
    home: Path, routes: dict[str, Any], *, images: str = "", key: bool = True, model: str = "painter/paint-1"
) -> AsyncIterator[tuple[Engine, ScriptedServer, list[Any]]]:
    """An engine whose pictures are made by a server of this test; each question is allowed and noted."""
    async with scripted(site(routes)) as server:
        settings = find_home({**os.environ, "BRAMBLE_HOME": str(home)}).settings
        settings.parent.mkdir(parents=True, exist_ok=True)
        settings.write_text(
            f'image_model = "{model}"\n[profiles.painter]\nbase_url = "{server.url}"\n'
            f'key_names = ["PAINTER_KEY"]\nneeds_key = true\n[profiles.painter.images]\n{images}\n'
        )
        environ = {
            **os.environ,
            "BRAMBLE_HOME": str(home),
            "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
            **({"PAINTER_KEY": "sk-painter-secret"} if key else {}),
        }
        engine = Engine(find_home(environ), environ)
        asked: list[Any] = []
        answers: set[asyncio.Task[Any]] = set()

        def hear(event: Event) -> None:
            if isinstance(event, ApprovalAsked):
                asked.append(event.approval)
                answers.add(
                    asyncio.ensure_future(
                        engine.answer(event.approval.id, Answer(decision="allow", by="window"))
                    )
                )

        await engine.open()
        engine.subscribe(hear)
        try:
            yield engine, server, asked
        finally:
            await engine.close()


async def call(
    engine: Engine, cwd: Path, tool: str, options: TurnOptions = TurnOptions(), **given: Any
) -> ToolFinished:
    return await engine.call_tool(tool, json.dumps(given), cwd=str(cwd), options=options)


async def test_a_picture_is_drawn_saved_verified_and_taken_back_after_one_question(
    home: Path, tmp_path: Path
) -> None:
    work = tmp_path / "work"
    work.mkdir()
    routes = {"/v1/images/generations": answer(picture(), revised_prompt="A red fox")}
    images = 'sizes = { wide = "1536x1024" }\nformats = { ".png" = "png" }\nbody = { quality = "low" }'
    async with painter(home, routes, images=images) as (engine, server, asked):
        ran = await call(
            engine, work, "image_generate", prompt="Ein Fuchs im Schnee!", size="wide", style="ink"
        )
        assert ran.ok and "Verified: painter/paint-1 made ein-fuchs-im-schnee.png" in ran.text, ran.text
        assert "A red fox" in ran.text and (work / "ein-fuchs-im-schnee.png").read_bytes() == picture()
        assert server.requests[0].json == {
            "model": "paint-1",
            "prompt": "Ein Fuchs im Schnee!\n\nStyle: ink",
            "quality": "low",
            "size": "1536x1024",
            "output_format": "png",
        }
        assert server.requests[0].headers["authorization"] == "Bearer sk-painter-secret"
        assert len(asked) == 1, "sending and saving are one question"
        effect = asked[0].effect
        assert isinstance(effect, RequestEffect) and "Ein Fuchs" in effect.body and effect.saves is not None
        assert "sk-painter-secret" not in str(asked)
        assert ran.undo
        await engine.changes.undo(ran.undo)
        assert list(work.iterdir()) == []
        again = await call(engine, work, "image_generate", prompt="x", path="deep/er/x.png")
        assert again.ok and (work / "deep/er/x.png").exists()


async def test_a_picture_is_changed_into_a_new_file(home: Path, tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    (work / "street.png").write_bytes(picture(colour="blue"))
    (work / "mask.png").write_bytes(picture(colour="white"))
    async with painter(home, {"/v1/images/edits": answer(picture("JPEG"))}) as (engine, server, _):
        ran = await call(engine, work, "image_edit", picture="street.png", prompt="no car", mask="mask.png")
        assert ran.ok and "street-edited.png" in ran.text and "image/jpeg, though its name" in ran.text
        sent = server.requests[0]
        assert sent.headers["content-type"].startswith("multipart/form-data")
        assert picture(colour="blue") in sent.body and picture(colour="white") in sent.body
        assert b'name="prompt"' in sent.body and b'filename="street.png"' in sent.body
        assert (work / "street.png").read_bytes() == picture(colour="blue")
        second = await call(engine, work, "image_edit", picture="street.png", prompt="no car")
        assert "street-edited-2.png" in second.text
    async with painter(home, {"/v1/images/edits": answer(picture())}, images='edit_as = "json"') as (
        engine,
        server,
        _,
    ):
        ran = await call(engine, work, "image_edit", picture="street.png", prompt="no car", path="new.png")
        assert ran.ok and server.requests[0].json["image"]["url"].startswith("data:image/png;base64,")
    async with painter(home, {}, images='edit = ""') as (engine, server, asked):
        ran = await call(engine, work, "image_edit", picture="street.png", prompt="no car")
        assert not ran.ok and "cannot change pictures" in ran.text and asked == []


@pytest.mark.parametrize(
    ("route", "words"),
    [
        (Sent({"error": {"message": "Incorrect API key"}}, 401), "Incorrect API key"),
        (Sent({"error": {"message": "Your request was rejected by the safety system"}}, 400), "safety"),
        (Sent({"error": {"message": "slow down"}}, 429, headers={"retry-after": "7"}), "slow down"),
        (Sent("<html><title>Sign in</title></html>"), "page"),
        (Sent({"data": []}), "none to what was asked"),
        (Sent({"data": [{"url": "https://elsewhere.example/x.png"}]}), "a link in place"),
        (Sent({"data": [{"b64_json": "!!"}]}), "none to what was asked"),
        (answer(b"<svg onload=alert(1)>"), "no picture"),
        (Sent("gone", 503), "503"),
    ],
    ids=["401", "refused", "429", "page", "nothing", "link", "no base64", "svg", "503"],
)
async def test_what_comes_in_place_of_a_picture_is_said_and_nothing_is_written(
    home: Path, tmp_path: Path, route: Sent, words: str
) -> None:
    work = tmp_path / "work"
    work.mkdir()
    async with painter(home, {"/v1/images/generations": route}) as (engine, _, _):
        ran = await call(engine, work, "image_generate", prompt="x")
    assert not ran.ok and words in ran.text and list(work.iterdir()) == [], ran.text


async def test_without_a_yes_a_key_or_a_model_nothing_is_sent(home: Path, tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    routes = {"/v1/images/generations": answer(picture())}
    async with painter(home, routes) as (engine, server, _):
        alone = await call(engine, work, "image_generate", TurnOptions(attended=False), prompt="x")
        assert not alone.ok and alone.decision == "ask"
        outside = await call(
            engine,
            work,
            "image_generate",
            TurnOptions(attended=False, allow=("image_generate(*)",)),
            prompt="x",
        )
        assert not outside.ok, "a rule for the request does not let a file be written"
        assert (await call(engine, work, "image_generate", prompt="  ")).ok is False
        assert server.requests == []
    async with painter(home, routes, key=False) as (engine, server, asked):
        ran = await call(engine, work, "image_generate", prompt="x")
        assert not ran.ok and "no key" in ran.text and asked == [] and server.requests == []
    async with painter(home, routes, key=False, model="") as (engine, server, asked):
        ran = await call(engine, work, "image_generate", prompt="x")
        assert not ran.ok and "image_model" in ran.text and asked == []
    async with painter(home, routes, model="nobody/x") as (engine, _, asked):
        ran = await call(engine, work, "image_generate", prompt="x")
        assert not ran.ok and "nobody" in ran.text and asked == []


async def test_a_dead_provider_is_said(home: Path, tmp_path: Path) -> None:
    async with painter(home, {}) as (engine, server, _):
        settings = find_home({**os.environ, "BRAMBLE_HOME": str(home)}).settings
        settings.write_text(settings.read_text().replace(f":{server.port}/", ":9/"))
        await engine.settings_changed()
        ran = await call(engine, tmp_path, "image_generate", prompt="x")
    assert not ran.ok and not list(tmp_path.glob("*.png"))


async def test_a_picture_file_is_viewed_and_nothing_else(home: Path, tmp_path: Path) -> None:
    (tmp_path / "red.png").write_bytes(picture())
    (tmp_path / "cut.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (tmp_path / "notes.txt").write_text("hello")
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.4")
    async with painter(home, {}) as (engine, _, asked):
        seen = await call(engine, tmp_path, "view_image", path="red.png")
        assert seen.ok and "image/png" in seen.text and seen.view.kind == "image" and asked == []
        for name, words in (
            ("notes.txt", "is no picture (text)"),
            ("a.pdf", "cannot be read"),
            ("no.png", "no.png"),
        ):
            assert words in (await call(engine, tmp_path, "view_image", path=name)).text


# --- photographs

VERSE = {
    "result_count": 1,
    "page_count": 1,
    "page_size": 8,
    "page": 1,
    "results": [
        {
            "id": "1",
            "title": "Lighthouse",
            "foreign_landing_url": "https://flickr.example/1",
            "url": "https://live.example/1.jpg",
            "creator": "Ada",
            "license": "by-sa",
            "license_version": "2.0",
            "license_url": "https://creativecommons.org/licenses/by-sa/2.0/",
            "source": "flickr",
            "attribution": '"Lighthouse" by Ada is licensed under CC BY-SA 2.0.',
            "width": 800,
            "height": 600,
        },
        {"id": "2", "title": "No licence", "url": "https://live.example/2.jpg", "license": ""},
    ],
}
COMMONS = {
    "batchcomplete": "",
    "query": {
        "pages": {
            "9": {
                "pageid": 9,
                "index": 2,
                "title": "File:Tower.png",
                "imageinfo": [
                    {
                        "url": "https://upload.example/Tower.png",
                        "descriptionurl": "https://commons.example/Tower",
                        "mime": "image/png",
                        "width": 10,
                        "height": 20,
                        "extmetadata": {
                            "LicenseShortName": {"value": "CC0"},
                            "Artist": {"value": "<a href='x'>Bob</a>"},
                        },
                    }
                ],
            },
            "8": {
                "pageid": 8,
                "index": 1,
                "title": "File:Sound.ogg",
                "imageinfo": [{"url": "https://u.example/s.ogg", "mime": "audio/ogg"}],
            },
        }
    },
}


@asynccontextmanager
async def collections(
    folder: Path, verse: Any, commons: Any
) -> AsyncIterator[tuple[OnlineDesk, ScriptedServer]]:
    async with scripted(site({"/verse": verse, "/commons": commons})) as server:
        base = f"http://127.0.0.1:{server.port}"
        moved = {"openverse": f"{base}/verse", "commons": f"{base}/commons"}
        yield OnlineDesk(folder, Settings(services=moved)), server


async def test_free_photos_come_with_licence_and_credit(tmp_path: Path) -> None:
    async with collections(tmp_path, Sent(VERSE), Sent(COMMONS)) as (desk, server):
        told = await desk.call(photo_search, query="light  house")
        assert told.ok and told.summary == "2 photos" and len(desk.asked) == 1
        assert (
            "1. Lighthouse by Ada, 800 x 600\n   Licence: CC BY-SA 2.0 (https://creativecommons.org"
            in told.text
        )
        assert (
            '2. Tower by Bob, 10 x 20\n   Licence: CC0\n   Credit: "Tower" by Bob, CC0, via Wikimedia'
            in told.text
        )
        assert "No licence" not in told.text and "Sound" not in told.text
        asked = {one.path.split("?")[0]: query_of(one) for one in server.requests}
        assert asked["/verse"]["q"] == "light house"
        assert asked["/commons"]["gsrsearch"] == "filetype:bitmap light house"


@pytest.mark.parametrize(
    ("verse", "commons", "ok", "words"),
    [
        (Sent({"results": []}), Sent({"batchcomplete": ""}), True, "No free photo was found"),
        (Sent("<html>", 200), Sent(COMMONS), True, "Failed: Openverse: its answer is not what"),
        (Sent({"detail": "throttled"}, 429), Sent(COMMONS), True, "Openverse: it has had too many questions"),
        (Sent({}, 500), Sent({"error": {"code": "x"}}), False, "no collection answered"),
        (Sent({"results": [1, {"url": 3}]}), Sent({"query": 5}), True, "No free photo was found"),
    ],
    ids=["none", "html", "429", "both fail", "odd"],
)
async def test_a_collection_that_fails_is_named(
    tmp_path: Path, verse: Sent, commons: Sent, ok: bool, words: str
) -> None:
    async with collections(tmp_path, verse, commons) as (desk, _):
        told = await desk.call(photo_search, query="x")
    assert told.ok is ok and words in told.text, told.text
