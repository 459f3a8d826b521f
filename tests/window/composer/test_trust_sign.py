"""The two signs beside the model: they say what holds, give way where there is no room, and open what they
mean.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.events import MessageStored
from app.platform.paths import home as find_home
from app.records import Mark, Message, SandboxInfo, SessionInfo
from app.store import messages, sessions
from app.store.database import Store
from tests.window.furnished import Furnished
from ui.window.composer.trust_sign import FULL, ICON, SHORT, TrustSign
from ui.window.theme import make_theme

MARKS = (Mark(kind="web", name="example.org"),)


def test_words_give_way_to_icons_where_there_is_no_room(qtbot: QtBot) -> None:
    sign = TrustSign(make_theme("light"))
    qtbot.addWidget(sign)
    sign.show()
    sign.show_sandbox(SandboxInfo(layer="bubblewrap"))
    assert sign.marks.isHidden() and sign.sandbox.accessibleName() == "Sandbox: on"
    sign.resize(600, 30)
    sign.show_marks(MARKS)
    assert sign.marks.text() and sign.sandbox.text()
    sign.resize(sign.marks.room(FULL) + sign.sandbox.room(ICON) + 1, 30)
    assert "example.org" in sign.marks.text() and not sign.sandbox.text(), "it comes first"
    sign.resize(sign.marks.room(SHORT) + sign.sandbox.room(ICON) + 1, 30)
    assert sign.marks.text() == " Untrusted text" and not sign.sandbox.text(), "a long name leaves the words"
    sign.resize(60, 30)
    assert not sign.marks.text() and not sign.sandbox.text()
    assert sign.marks.accessibleName() == "Untrusted text: example.org"
    sign.show_marks(())
    assert sign.marks.isHidden()


def test_a_sign_opens_what_it_means_and_leads_to_the_page(qtbot: QtBot) -> None:
    sign = TrustSign(make_theme("light"))
    qtbot.addWidget(sign)
    sign.show()
    sign.show_sandbox(SandboxInfo(layer="none", why="There is no bubblewrap.", fix="Install it."))
    sign.show_marks(MARKS)
    asked: list[bool] = []
    sign.page_asked.connect(lambda: asked.append(True))
    for part, said in ((sign.sandbox, "There is no bubblewrap."), (sign.marks, "example.org")):
        part.click()
        opened: Any = QApplication.activePopupWidget()
        assert said in opened.accessibleName()
        opened._more.click()
    assert asked == [True, True]


def test_the_marks_of_a_conversation_are_those_of_its_messages(furnished: Furnished) -> None:
    life = furnished.open()
    sign = life.window.chat.composer.trust

    async def make(engine: Any) -> Any:
        return await engine.sessions.create(cwd=str(engine.home.data))

    info = furnished.ask(make)
    life.conversation.open(info)
    furnished.until(lambda: life.conversation.session == info.id, "the conversation")
    message = Message(
        id="m", session=info.id, parent=None, turn="t", role="tool", created=1.0, marks=MARKS, call="c"
    )
    for follower in life.rest.trust._followers:
        follower.apply(MessageStored(session=info.id, message=message))
    assert not sign.marks.isHidden()
    life.conversation.show_new()
    assert sign.marks.isHidden(), "another conversation is not marked"
    furnished.until(lambda: not sign.sandbox.isHidden(), "the sandbox to be known")


def test_the_marks_of_the_conversation_that_is_shown_at_the_start_are_shown(
    furnished: Furnished, home: Path
) -> None:
    ours = find_home({"BRAMBLE_HOME": str(home)})
    ours.make()
    asyncio.run(_fill(Store(ours.database)))
    (ours.data / "window.json").write_text('{"session": "s"}')
    life = furnished.open()
    furnished.until(lambda: life.conversation.newest, "the conversation")
    sign = life.window.chat.composer.trust
    furnished.until(lambda: sign.marks.isVisible(), "the sign")
    assert sign.marks.accessibleName() == "Untrusted text: example.org"


async def _fill(store: Store) -> None:
    """Keep a conversation that holds somebody else's text."""
    await store.open()
    await store.write(sessions.create, SessionInfo(id="s", title="t", cwd="/", created=1.0, updated=1.0))
    for id, role, marks in (("a", "user", ()), ("b", "tool", MARKS)):
        made: Any = {"role": role, "parent": None if role == "user" else "a", "marks": marks}
        await store.write(
            messages.add, Message(id=id, session="s", turn="t", created=1.0, text="text", call="c", **made)
        )
    await store.close()
