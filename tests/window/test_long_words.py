"""Every view with words 40 % longer, from right to left, at the usual and at twice the size of text: nothing
is cut, and nothing lies on anything else.

With BRAMBLE_SHOTS=FOLDER a picture of each view is kept there.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from tests.servers.scripted import calls, says, scripted_in_thread
from tests.window.agent_tools import Held, helps, plan
from tests.window.furnished import Furnished
from tests.window.pseudo import cut, laid_over, outside, speak, speak_english
from tests.window.test_helpers import by_task, rows
from tests.window.test_talking import point_at
from ui.window.life import Life
from ui.window.pages.first_ways import ROUTES
from ui.window.transcript.helper_rows import HelperRow

ROUNDS = 12
"""Rounds of events until all is laid out."""
SHOTS = os.environ.get("BRAMBLE_SHOTS", "")
LOOKS = [("de", 14, "light"), ("de", 28, "dark"), ("he", 14, "dark"), ("he", 28, "light")]


@pytest.fixture(params=LOOKS, ids=lambda look: "-".join(map(str, look)))
def spoken(
    request: pytest.FixtureRequest,
    furnished: Furnished,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    home: Path,
) -> Iterator[str]:
    """A window in one of these languages, sizes and colours; returns the name of the look."""
    code, size, theme = request.param
    (tmp_path / "words").mkdir()
    speak(monkeypatch, tmp_path / "words", code)
    direction = Qt.LayoutDirection.RightToLeft if code == "he" else Qt.LayoutDirection.LeftToRight
    furnished.app.setLayoutDirection(direction)
    (home / "data").mkdir(parents=True, exist_ok=True)
    kept = f'{{"width": 1280, "height": 800, "theme": "{theme}", "font_size": {size}}}'
    (home / "data" / "window.json").write_text(kept)
    (home / "settings.toml").write_text(f'font_size = {size}\ntheme = "{theme}"\n')
    font = furnished.app.font()
    yield f"{code}-{size}-{theme}"
    furnished.app.setFont(font)
    furnished.app.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    speak_english()


def look_at(furnished: Furnished, part: QWidget, name: str) -> None:
    """Keep a picture of the window, and look whether anything of a part is cut."""
    found: list[str] = []
    rounds = [0]

    def whole() -> bool:
        rounds[0] += 1  # parts that were just shown are laid out in the next rounds of events
        found[:] = [*cut(part), *laid_over(part), *outside(part)] if rounds[0] > ROUNDS else ["not looked at"]
        return not found

    try:
        furnished.until(whole, "all words to have room")
    except furnished.bot.TimeoutError:
        found.append("and that does not change")
    if SHOTS:
        Path(SHOTS).mkdir(parents=True, exist_ok=True)
        (part if part.isWindow() else furnished.window).grab().save(f"{SHOTS}/{name}.png")
    assert not found, (name, found)


def helper_rows(life: Life) -> list[HelperRow]:
    """The rows of helpers, in sight or not."""
    blocks = [block for row in life.transcript.story.rows for block in row.blocks]
    return [block for block in blocks if isinstance(block, HelperRow)]


def test_the_screens_of_the_first_start(furnished: Furnished, spoken: str) -> None:
    life = furnished.open()
    furnished.until(lambda: life.rest.first_run is not None and life.rest.first_run.isVisible(), "the page")
    page = life.rest.first_run
    furnished.until(lambda: page._locals and page.entry.provider.count() and page.sign_in._way, "the ways")
    for screen in ("ways", *ROUTES, "folder", "try"):
        page.show_screen(screen)
        look_at(furnished, page, f"first-{screen}-{spoken}")


def test_a_conversation_with_all_that_may_stand_in_it(
    furnished: Furnished, spoken: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, home: Path
) -> None:
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    (project / "AGENTS.md").write_text("Use tabs.\n")
    (project / "picture.txt").write_text("words\n")
    held = Held(says("It holds nothing."))
    script = by_task(
        Everything=[plan("done", "doing", "open"), helps("Look around the folder", "Read on"), says("Done.")],
        Look=[calls(("list_dir", {"path": "."})), held],
        Read=[says("There are none.")],
    )
    with scripted_in_thread(script) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()
        rest = life.rest
        life.conversation.set_folder(str(project))
        furnished.until(rest.toolbox.bar.isVisible, "the question about the project")
        look_at(furnished, rest.toolbox.bar, f"project-{spoken}")
        rest.attaching.add([str(project / "AGENTS.md"), str(project / "picture.txt"), str(project)])
        furnished.until(lambda: not any(one.state for one in rest.attaching.things), "the chips")
        look_at(furnished, life.window.chat, f"chips-{spoken}")
        for thing in list(rest.attaching.things):
            rest.attaching.remove(thing)
        rest.toolbox.bar.question.later.click()
        furnished.send("Everything please")
        furnished.until(rest.planning.strip.isVisible, "the steps")
        furnished.until(lambda: rows(life), "the helpers")
        rest.planning.strip.toggle_button.click()
        rest.notes.pin("Never touch the archive, whatever else is said here.")
        furnished.until(rest.notes.isVisible, "the note")
        look_at(furnished, life.window.chat, f"work-{spoken}")
        rest.helping.open(next(row.seen.session for row in helper_rows(life)))
        furnished.until(rest.helping.bar.isVisible, "the helper's transcript")
        look_at(furnished, life.window.chat, f"helper-{spoken}")
        held.go()
        rest.helping.bar.back.click()
        furnished.until(lambda: "Done." in furnished.text(), "the answer")
        rest.deeds.show_tab("context")
        furnished.until(lambda: rest.panel.context._report is not None, "the report")
        look_at(furnished, life.window.chat, f"context-{spoken}")
        rest.deeds.show_context()
        furnished.until(
            lambda: rest.inspecting.page is not None and rest.inspecting.page.isVisible(), "the page"
        )
        look_at(furnished, rest.inspecting.page, f"inspector-{spoken}")


def test_a_plan_and_the_list_of_models(
    furnished: Furnished, spoken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scripted_in_thread(says("# Plan\n\n1. Read a.txt\n2. Write b.txt")) as server:
        point_at(monkeypatch, server.url)
        monkeypatch.setenv("GROQ_API_KEY", "gsk-wrong")
        life = furnished.open()
        life.conversation.set_mode("plan")
        furnished.send("Plan it")
        bar = life.rest.planning.bar
        furnished.until(bar.isVisible, "the question about the plan")
        look_at(furnished, life.window.chat, f"plan-{spoken}")
        life.models.pick()
        picker = life.models._picker
        furnished.until(lambda: life.models._models and picker.list.count() > 4, "the models")
        look_at(furnished, picker, f"picker-{spoken}")
        picker.close()
        life.window.show_page("settings")
        look_at(furnished, life.rest.settings_page, f"settings-{spoken}")
