"""Plans, steps, helpers and a project's instructions in the real window, by mouse and keyboard."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QImage

from app.platform.paths import home as find_home
from app.records import Message, SessionInfo, ToolCall, View
from app.store import messages, sessions
from app.store.database import Store
from tests.servers.scripted import says, scripted_in_thread
from tests.window.approvals.test_real_dialog import rest
from tests.window.desk import Desk, until
from tests.window.test_real_window import MODEL, texts
from ui.window.theme import LIGHT

PLAN = "1. Read the notes\n2. Write a summary"
FIELD = 640
"""From here on down the composer stands, in pixels of the screen."""


@pytest.fixture
def calm(home: Path) -> Path:
    """A home whose window does not move by itself."""
    (home / "settings.toml").write_text('theme = "light"\nreduced_motion = true\n')
    return home


def rows_of(home: Path, words: str) -> list[Any]:
    """Return what the store says."""
    with sqlite3.connect(f"file:{home / 'data' / 'bramble.db'}?mode=ro", uri=True) as db:
        found = db.execute(words).fetchall()
    db.close()
    return found


def accents(desk: Desk, *, below: int = 0, above: int = 10_000) -> tuple[int, int]:
    """Return the middle of the widest run of the accent's colour between two heights: the main button."""
    image = QImage(str(desk.shot(desk.folder / "accents.png")))
    best = (0, 0, 0)
    for y in range(below, min(above, image.height())):
        run = 0
        for x in range(72, image.width() + 1):
            if x < image.width() and image.pixelColor(x, y).rgb() == LIGHT.accent.rgb():
                run += 1
            else:
                best, run = max(best, (run, x - run // 2, y)) if 30 < run < 200 else best, 0
    assert best[0], "there is a main button"
    return best[1], best[2] + 8


def test_a_plan_is_edited_by_keyboard_and_another_accepted_by_mouse(desk: Desk, calm: Path) -> None:
    with scripted_in_thread(says(PLAN), says("First done."), says(PLAN), says("Second done.")) as server:
        desk.start(calm, BRAMBLE_BASE_URL=server.url, **MODEL).ready()
        desk.wait_for_focus("Bramble")
        desk.key("ctrl+shift+2")
        rest(desk)
        desk.type("Plan it")
        desk.key("Return")
        until(lambda: PLAN in texts(calm), "the plan")
        rest(desk)
        desk.type("/accept edit")
        desk.key("Return")
        desk.wait_for_focus("Edit the plan")
        desk.key("ctrl+End")
        desk.type(" of one page")
        desk.key("Escape")
        rest(desk)
        desk.key("Return")  # what was written is kept, unless one says otherwise
        desk.wait_for_focus("Edit the plan")
        rest(desk)
        desk.key("Tab", "Tab", "space")  # Cancel, Accept
        until(lambda: "First done." in texts(calm), "the work")
        assert rows_of(calm, "SELECT text FROM pins") == [(f"{PLAN} of one page",)]
        desk.key("ctrl+n", "ctrl+shift+2")
        rest(desk)
        desk.type("Plan it again")
        desk.key("Return")
        until(lambda: texts(calm).count(PLAN) >= 2, "the other plan")
        rest(desk)
        desk.click(*accents(desk, above=FIELD + 40))
        until(lambda: "Second done." in texts(calm), "the other work")
        modes = [json.loads(one.body)["tools"] for one in server.requests]
        assert ["write_file" in str(one) for one in modes] == [False, True, False, True]
    desk.close_windows()


def test_instructions_are_agreed_to_by_mouse_and_the_keyboard_is_back_in_the_field(
    desk: Desk, calm: Path, tmp_path: Path
) -> None:
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    (project / "AGENTS.md").write_text("Use tabs.")
    settings = calm / "settings.toml"
    settings.write_text(f'{settings.read_text()}folder = "{project}"\n')
    with scripted_in_thread(says("Hello.")) as server:
        desk.start(calm, BRAMBLE_BASE_URL=server.url, **MODEL).ready()
        desk.wait_for_focus("Bramble")
        rest(desk)
        desk.click(*accents(desk, above=FIELD))
        until(lambda: rows_of(calm, "SELECT agreed FROM projects") == [(1,)], "the answer")
        desk.type("Hello")
        desk.key("Return")
        until(lambda: "Hello." in texts(calm), "the answer of the model")
        assert "Use tabs." in str(server.requests[0].body)
    desk.close_windows()


def fill(home: Path) -> None:
    """Store a conversation with steps and a helper, as a turn leaves them."""
    ours = find_home({"BRAMBLE_HOME": str(home)})
    ours.make()
    call = ToolCall(id="c1", name="delegate", arguments="{}")
    helped = [{"session": "helper", "task": "Look around", "ok": True, "rounds": 1}]
    steps = [{"text": "Look around", "state": "done"}, {"text": "Tell", "state": "open"}]

    def said(id: str, session: str = "home", **more: Any) -> Message:
        more.setdefault("role", "assistant")
        return Message(id=id, session=session, parent=more.pop("after", None), turn="t", created=2.0, **more)

    async def store() -> None:
        made = Store(ours.database)
        await made.open()
        info = SessionInfo(id="home", title="The whole work", cwd=str(home), created=1, updated=1)
        await made.write(sessions.create, info)
        helper = SessionInfo(
            id="helper", title="Look around", cwd=str(home), created=1, updated=1, parent="home"
        )
        await made.write(sessions.create, helper)
        for one in (
            said("m1", role="user", text="Do it"),
            said("m2", after="m1", calls=(call, ToolCall(id="c2", name="plan_steps"))),
            said(
                "m3",
                after="m2",
                role="tool",
                call="c1",
                tool="delegate",
                verb="Delegate",
                view=View(kind="helpers", data={"helpers": helped}),
            ),
            said(
                "m4",
                after="m3",
                role="tool",
                call="c2",
                tool="plan_steps",
                verb="Plan steps",
                view=View(kind="steps", data={"steps": steps}),
            ),
            said("h1", "helper", role="user", text="Look around", by_model=True),
            said("h2", "helper", after="h1", text="I saw nothing."),
        ):
            await made.write(messages.add, one)
        await made.close()

    asyncio.run(store())


def test_a_helper_is_opened_by_mouse_and_left_by_keyboard(desk: Desk, calm: Path) -> None:
    fill(calm)
    desk.start(calm, "--session", "home", BRAMBLE_BASE_URL="http://127.0.0.1:9/v1", **MODEL).ready()
    desk.wait_for_focus("The whole work")
    rest(desk)
    shown = QImage(str(desk.shot(desk.folder / "home.png")))
    desk.click(*helper_row(shown))
    desk.wait_for_focus("Look around")
    rest(desk)
    desk.key("Escape")
    desk.wait_for_focus("The whole work")
    rest(desk)
    desk.click(*helper_row(shown))
    desk.wait_for_focus("Look around")
    desk.key("alt+Left")
    desk.wait_for_focus("The whole work")
    rest(desk)
    strip = QImage(str(desk.shot(desk.folder / "strip.png")))
    desk.key("shift+Tab", "space")  # from the field to the strip of steps
    rest(desk)
    assert QImage(str(desk.shot(desk.folder / "steps.png"))) != strip, "it opens"
    desk.close_windows()


def helper_row(image: QImage) -> tuple[int, int]:
    """Return a point of the helper's row: where its link in the accent's colour ends, right of the middle."""
    for y in range(100, FIELD):
        for x in range(900, 960):
            if image.pixelColor(x, y).rgb() == LIGHT.accent.rgb():
                return 700, y + 4
    raise AssertionError("no helper is in sight")
