"""The two signs beside the model: they say what holds, give way where there is no room, and open what they
mean.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.events import MessageStored
from app.records import Mark, Message, SandboxInfo
from tests.window.furnished import Furnished
from ui.window.composer.trust_sign import TrustSign
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
    sign.resize(sign.marks.room(True) + sign.sandbox.room(False) + 1, 30)
    assert sign.marks.text() and not sign.sandbox.text(), "the text nobody vouches for comes first"
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
