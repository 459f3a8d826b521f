"""The first start, the settings page, and problems of the store."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path
from typing import Any

import pytest

from app.platform.ids import new_id
from app.platform.paths import home as find_home
from app.records import Message, SessionInfo
from app.store import backup, messages, sessions
from app.store.database import Store
from tests.servers.scripted import says, scripted_in_thread
from tests.window.furnished import Furnished
from tests.window.test_talking import CLOSED, point_at


def test_without_a_model_the_first_page_shows_the_ways(furnished: Furnished) -> None:
    life = furnished.open()
    furnished.until(
        lambda: life.rest.first_run is not None and life.rest.first_run.isVisible(),
        "the first page",
    )
    page = life.rest.first_run
    assert page is not None
    furnished.until(lambda: page.entry.provider.count() > 3 and len(page._locals) > 0, "its choices")
    assert page.entry.provider.currentText() == "OpenAI"
    assert "OpenAI" in page.entry._sends.text()
    local = next(iter(page._locals.values()))
    facts = " ".join(label.text() for label in local.findChildren(type(page.title)))
    for fact in (local._weights.license, local._weights.source, local._weights.sha256[:20]):
        assert fact in facts.replace("\u200b", "")


def test_a_message_without_a_model_is_not_lost(furnished: Furnished) -> None:
    life = furnished.open()
    furnished.send("Is anybody there?")
    furnished.until(
        lambda: "Is anybody there?" in furnished.text() + life.window.chat.composer.text(), "the message"
    )
    furnished.until(lambda: not life.conversation.running, "the end")
    life.transcript.remedy_requested.emit("pick_model")
    assert life.rest.first_run is not None and life.rest.first_run.isVisible()


def test_a_chosen_model_is_set_and_the_examples_show(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    life = furnished.open()
    furnished.until(
        lambda: life.rest.first_run is not None and life.rest.first_run.isVisible(),
        "the first page",
    )
    assert life.rest.first_run is not None
    life.rest.first_run.chosen.emit("openai/gpt-6-sol")
    furnished.until(lambda: life.rest.first_run.shown == "folder", "the next step")
    life.rest.first_run.later.click()
    furnished.until(lambda: life.rest.empty.isVisible(), "the examples")
    path = life.home.settings
    furnished.until(lambda: path.exists() and "openai/gpt-6-sol" in path.read_text(), "the choice on disk")
    life.rest.empty.tried.emit("Look through this folder")
    assert life.window.chat.composer.text() == "Look through this folder"


def test_settings_are_written_as_they_are_changed(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    life.window.show_page("settings")
    page = life.rest.settings_page
    assert page is not None
    page._limit_fields["rounds"].setText("7")
    page._limit_fields["rounds"].editingFinished.emit()
    furnished.until(lambda: life.settings.limits.rounds == 7, "the limit")
    page._calm.click()
    furnished.until(lambda: life.window.theme.reduced_motion, "the motion to end")
    text = life.home.settings.read_text()
    assert "rounds = 7" in text and "reduced_motion = true" in text


def test_a_key_without_a_keyring_is_kept_after_consent(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    life.rest.deeds.setting_up.show_key_field()
    assert life.rest.settings_page is not None
    entry = life.rest.settings_page.entry
    furnished.until(lambda: entry.provider.count() > 0, "the providers")
    entry.choose("openai")
    entry.field.setText("sk-secret")
    entry._save.click()
    furnished.until(lambda: entry._agree.isVisible(), "the offer of a file")
    assert entry.field.text() == "sk-secret", "what was typed is kept"
    entry._agree.click()
    furnished.until(lambda: entry.field.text() == "", "the key to be kept")
    where = {one.name: one.key for one in furnished.ask(lambda engine: engine.models.profiles())}
    assert where["openai"] == "file"


def fill_store(home: Path, count: int = 0) -> Path:
    """Make a store with one conversation of `count` messages and return its file."""
    ours = find_home({"BRAMBLE_HOME": str(home)})
    ours.make()

    async def fill() -> None:
        store = Store(ours.database)
        await store.open()
        kept = SessionInfo(id=new_id(1.0), title="Kept", cwd="/", created=1, updated=1)
        await store.write(sessions.create, kept)
        for number in range(count):
            said = Message(
                id=f"m{number}",
                session=kept.id,
                turn="t",
                parent=f"m{number - 1}" if number else None,
                role="user",
                text=f"word{number} " * 300,
                created=1,
            )
            await store.write(messages.add, said)
        await store.close()

    asyncio.run(fill())
    return ours.database


def damage(database: Path) -> None:
    """Spoil the head of a database."""
    with database.open("r+b") as file:
        file.write(b"this is no database" * 20)


def test_a_corrupt_store_offers_the_backup_and_one_click_restores_it(
    furnished: Furnished, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    point_at(monkeypatch, CLOSED)
    database = fill_store(home)
    night = backup.nightly(database, find_home({"BRAMBLE_HOME": str(home)}).backups, time.time() - 3 * 3600)
    assert night is not None
    damage(database)
    life = furnished.open()
    notice = life.rest.notice
    furnished.until(lambda: notice.isVisible(), "the notice")
    assert "damaged" in notice._title.text()
    assert "Newest backup: 3 h ago." in notice._detail.text()
    assert notice.problem.fields["backup"] == str(night)
    assert notice._remedy.text() == "Restore this backup"
    notice._remedy.click()
    furnished.until(lambda: not notice.isVisible(), "the notice to go")
    furnished.until(lambda: [info.title for info in life.list.all()] == ["Kept"], "the conversation")
    furnished.until(lambda: life.rest.toast._words.text() == "The backup is in place.", "the word on it")
    assert furnished.ask(problem_of) is None
    assert list(night.parent.glob("*.damaged")), "the damaged file is kept"


def test_without_a_backup_what_can_be_read_is_offered(
    furnished: Furnished, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    point_at(monkeypatch, CLOSED)
    database = fill_store(home)
    damage(database)
    life = furnished.open()
    notice = life.rest.notice
    furnished.until(lambda: notice.isVisible(), "the notice")
    assert notice._remedy.text() == "Save what can be read" and "no backup" in notice._detail.text()
    notice._remedy.click()
    furnished.until(
        lambda: notice._remedy.text() == "Open the data folder", "the word that nothing can be read"
    )
    assert str(database) in notice._detail.text()


def test_what_could_be_read_takes_the_place_of_a_damaged_store(
    furnished: Furnished, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    point_at(monkeypatch, CLOSED)
    database = fill_store(home, 120)
    with database.open("r+b") as file:
        for page in range(40, database.stat().st_size // 4096, 25):
            file.seek(page * 4096)
            file.write(b"\xa5" * 4096)
    life = furnished.open()
    notice = life.rest.notice
    assert furnished.ask(check_of), "damage is found"
    furnished.until(lambda: notice.isVisible(), "the notice")
    notice._remedy.click()
    furnished.until(lambda: not notice.isVisible(), "the notice to go")
    furnished.until(
        lambda: life.rest.toast._words.text() == "What could be read is in place.", "the word on it"
    )
    furnished.until(lambda: [info.title for info in life.list.all()] == ["Kept"], "the conversation")
    assert furnished.ask(problem_of) is None


async def check_of(engine: Any) -> Any:
    """Look at every page of the store."""
    return await engine._store.check()


async def problem_of(engine: Any) -> Any:
    """What is wrong with the store."""
    return engine.problem


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_home_is_said(furnished: Furnished, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    point_at(monkeypatch, CLOSED)
    home.chmod(0o500)
    life = furnished.open()
    furnished.until(lambda: life.rest.notice.isVisible(), "the notice")
    home.chmod(0o700)


def test_broken_settings_are_named(furnished: Furnished, home: Path) -> None:
    (home / "settings.toml").write_text("theme = 'no such colour'\n")
    life = furnished.open()
    furnished.until(lambda: life.rest.notice.isVisible(), "the notice")
    assert "settings.toml" in life.rest.notice._title.text()


def test_the_folder_of_a_conversation_is_shown_and_changed(
    furnished: Furnished, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "photos").mkdir()
    with scripted_in_thread(says("Yes.")) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()
        life.conversation.set_folder(str(tmp_path / "photos"))
        assert "photos" in life.window.chat.title_bar.folder.accessibleName()
        furnished.send("hello")
        furnished.until(lambda: "Yes." in furnished.text(), "the answer")
        furnished.until(lambda: not life.conversation.running, "the end")
        info: Any = furnished.ask(lambda engine: engine.sessions.get(life.conversation.session))
        assert info.cwd == str((tmp_path / "photos").resolve())
