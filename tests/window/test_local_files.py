"""Files that an answer points to are opened when they lie where it worked and are no programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices

from tests.window.furnished import Furnished
from tests.window.test_talking import CLOSED, point_at
from ui.window.local_files import local_path, openable


def test_a_link_without_a_host_is_a_path() -> None:
    for link, path in (
        ("chart.png", "/w/chart.png"),
        ("out/my%20chart.png", "/w/out/my chart.png"),
        ("/tmp/chart.png", "/tmp/chart.png"),
        ("file:///tmp/a%20b.png", "/tmp/a b.png"),
        ("https://example.org/chart.png", ""),
        ("//example.org/chart.png", ""),
        ("file://example.org/chart.png", ""),
        ("javascript:alert(1)", ""),
        ("mailto:a@b.c", ""),
        ("http://[broken", ""),
        ("#part", ""),
        ("a\0.png", ""),
        ("", ""),
    ):
        assert local_path(link, "/w") == path, link


def test_only_shown_files_inside_are_opened(tmp_path: Path) -> None:
    work, outside = tmp_path / "work", tmp_path / "outside"
    for folder in (work, outside):
        folder.mkdir()
        for name in ("chart.png", "run.sh", "start.desktop", "page.html", "notes.txt"):
            (folder / name).write_bytes(b"x")
    (work / "link.png").symlink_to(outside / "chart.png")
    (work / "disguised.png").symlink_to(work / "run.sh")
    folders = (str(work), "")

    def opened(name: str) -> str:
        return openable(str(work / name), folders)

    assert opened("chart.png") == str(work / "chart.png") and opened("notes.txt")
    for name in ("run.sh", "start.desktop", "page.html", "link.png", "disguised.png", "none.png", "."):
        assert opened(name) == "", name
    assert opened("../outside/chart.png") == ""


class Opened(QObject):
    """Takes the place of the system's programs."""

    def __init__(self) -> None:
        super().__init__()
        self.urls: list[str] = []

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        """Note what is to be opened."""
        self.urls.append(url.toString())


@pytest.fixture
def opened(qapp: Any) -> Any:
    """What the system was asked to open."""
    taker = Opened()
    for scheme in ("file", "https"):
        QDesktopServices.setUrlHandler(scheme, taker, "take")
    yield taker.urls
    for scheme in ("file", "https"):
        QDesktopServices.unsetUrlHandler(scheme)


def test_the_picture_of_an_answer_is_opened(
    furnished: Furnished, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: list[str]
) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    work = tmp_path / "work"
    work.mkdir()
    (work / "chart.png").write_bytes(b"x")
    life.conversation.set_folder(str(work))
    life.transcript.link_activated.emit("chart.png")
    furnished.until(lambda: opened, "the picture")
    assert opened == [QUrl.fromLocalFile(str(work / "chart.png")).toString()]
    life.transcript.link_activated.emit("../../etc/passwd")
    furnished.until(lambda: life.rest.toast.isVisible(), "the word that it is not opened")
    life.transcript.link_activated.emit("https://example.org/")
    assert opened[1:] == ["https://example.org/"]


def test_where_to_get_a_key_stands_beside_its_field(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch, opened: list[str]
) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    life.window.show_page("settings")
    page = life.rest.settings_page
    entry = page.entry
    furnished.until(lambda: entry.provider.count() > 0, "the providers")
    entry.choose("openai")
    assert entry._page.text() == "Get a key at platform.openai.com"
    entry._page.click()
    assert opened == ["https://platform.openai.com/api-keys"]
    for at in range(entry.provider.count()):
        entry.provider.setCurrentIndex(at)
        assert entry._sends.text(), entry.provider.currentText()
    profiles = furnished.ask(lambda engine: engine.models.profiles())
    assert page._sent_card.rows.count() - page._sent_kept == len(profiles) > 10
