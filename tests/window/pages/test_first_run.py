"""The ways to get an answer, with model servers of this computer that are really there."""

from __future__ import annotations

import socket
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

from app.records import Answer
from tests.servers.scripted import Exchange, Script, calls, fails, says, scripted_in_thread
from tests.window.desk import until
from tests.window.furnished import Furnished
from tests.window.seen import press
from ui.window.pages.example_requests import examples


def serves(models: Mapping[str, Any]) -> Script:
    """A script that lists models as Ollama and llama.cpp do, and answers everything else."""
    answer = says("Here I am.")

    async def script(exchange: Exchange) -> None:
        if exchange.request.path.endswith("/models"):
            await fails(200, models)(exchange)
        elif exchange.request.path.endswith("/chat/completions"):
            await answer(exchange)
        else:
            await fails(404, {"error": "not found"})(exchange)

    return script


def write_profiles(home: Path, **urls: str) -> None:
    """Let the profiles of local servers point to a test's own, the others to where nobody is."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{probe.getsockname()[1]}/v1"
    names = ("ollama", "lmstudio", "llamacpp", "vllm")
    lines = [f'[profiles.{name}]\nbase_url = "{urls.get(name, nobody)}"\n' for name in names]
    (home / "settings.toml").write_text("\n".join(lines))


OLLAMA = {"object": "list", "data": [{"id": "qwen3:8b", "object": "model"}, {"id": "gemma4"}]}
LLAMA_CPP = {"models": [{"name": "phi-5.gguf"}], "object": "list", "data": [{"id": "phi-5.gguf"}]}


def words(card: Any) -> list[str]:
    """Everything that a card says."""
    return [one.text() for one in card.findChildren(QLabel) if one.isVisible() and one.text()]


def test_a_server_of_this_computer_is_offered_and_taken(furnished: Furnished, home: Path) -> None:
    with scripted_in_thread(serves(OLLAMA)) as ollama, scripted_in_thread(serves(LLAMA_CPP)) as llama:
        write_profiles(home, ollama=ollama.url, llamacpp=llama.url)
        life = furnished.open()
        furnished.until(lambda: life.rest.first_run is not None, "the first page")
        card = life.rest.first_run._servers
        furnished.until(lambda: "qwen3:8b" in words(card), "the models of the servers")
        said = words(card)
        assert [one for one in said if one in ("qwen3:8b", "gemma4", "phi-5.gguf")] == [
            "phi-5.gguf",
            "qwen3:8b",
            "gemma4",
        ]
        assert said.count("Ollama") == 2 and said.count("llama.cpp") == 1
        press(card, "Use qwen3:8b")
        furnished.until(lambda: life.rest.first_run.shown == "folder", "the next step")
        furnished.until(lambda: life.settings.model == "ollama/qwen3:8b", "the choice to be written")
        furnished.send("Is anybody there?")
        furnished.until(lambda: "Here I am." in furnished.text(), "the answer of that server")
        furnished.until(lambda: not life.conversation.running, "the end")


def test_a_server_without_models_is_named(furnished: Furnished, home: Path) -> None:
    with scripted_in_thread(serves({"object": "list", "data": None})) as ollama:
        write_profiles(home, ollama=ollama.url)
        life = furnished.open()
        furnished.until(lambda: life.rest.first_run is not None, "the first page")
        sentence = life.rest.first_run._servers.sentence
        furnished.until(lambda: "no model yet" in sentence.text(), "the word on it")
        assert sentence.text().startswith("Ollama runs here")


def test_without_a_server_it_is_said(furnished: Furnished, home: Path) -> None:
    write_profiles(home)
    life = furnished.open()
    furnished.until(lambda: life.rest.first_run is not None, "the first page")
    sentence = life.rest.first_run._servers.sentence
    furnished.until(lambda: "No model server answers here" in sentence.text(), "the word on it")


def first_page(furnished: Furnished) -> Any:
    """Open the window and return its first page, once it knows the ways."""
    life = furnished.open()
    furnished.until(lambda: life.rest.first_run is not None and life.rest.first_run.isVisible(), "the page")
    page = life.rest.first_run
    furnished.until(lambda: page._locals and page.entry.provider.count() and page.sign_in._way, "the ways")
    return page


def test_each_way_is_a_screen_and_what_is_typed_stays(furnished: Furnished, home: Path) -> None:
    write_profiles(home)
    page = first_page(furnished)
    assert page.shown == "ways" and page.steps.accessibleName() == "Step 1 of 3: Who answers"
    for route, field in (("key", page.entry.field), ("server", page.own_server.address)):
        page.ways.route_taken.emit(route)
        assert page.shown == route and field.isVisible() and not page.ways.isVisible()
        field.setText("half of it")
        furnished.bot.keyClick(page, Qt.Key.Key_Escape)
        assert page.shown == "ways" and page.ways.isVisible()
        page.ways.route_taken.emit(route)
        assert field.text() == "half of it"
        page.back.click()
    for route in ("copilot", "free", "app"):
        page.ways.route_taken.emit(route)
        assert page.shown == route and page.title.text() == page.accessibleName()
        page.back.click()


def test_every_control_of_every_screen_can_be_reached_by_tab(furnished: Furnished, home: Path) -> None:
    write_profiles(home)
    page = first_page(furnished)
    for screen in page._screens:
        page.show_screen(screen)
        able = [one for one in page.findChildren(QPushButton) if one.isVisible() and one.isEnabled()]
        assert able, screen
        chain, one = [], able[0]
        while one not in chain:
            chain.append(one)
            one = one.nextInFocusChain()
        assert [part.accessibleName() for part in able if part not in chain] == [], screen
        assert all(part.focusPolicy() & Qt.FocusPolicy.TabFocus for part in able), screen


def test_the_steps_can_be_left_and_gone_on_with_at_the_next_start(
    furnished: Furnished, home: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    with scripted_in_thread(serves(OLLAMA)) as ollama:
        write_profiles(home, ollama=ollama.url)
        page = first_page(furnished)
        life = furnished.life
        page.chosen.emit("ollama/qwen3:8b")
        furnished.until(lambda: page.shown == "folder" and life.models.current, "the second step")
        page.folder.taken.emit(str(folder))
        furnished.until(lambda: page.shown == "try" and life.settings.folder == str(folder), "the third step")
        furnished.until(
            lambda: page.example.first.hasFocus() or not life.window.isActiveWindow(), "the keyboard"
        )
        request = page.example.first
        life.conversation.changed.emit()
        assert page.example.first is request and request.isVisible(), "a button in use is not made anew"
        page.back.click()
        assert page.shown == "folder" and page.folder.use.isVisible()
        page.back.click()
        assert page.shown == "ways"
        page.chosen.emit("ollama/gemma4")
        furnished.until(
            lambda: page.shown == "folder" and life.settings.model == "ollama/gemma4", "another one"
        )
        page.folder.use.click()
        assert page.shown == "try"
        furnished.close()
        furnished.life = None
        again = Furnished(furnished.app, furnished.bot, furnished.environ)
        try:
            life = again.open()
            again.until(
                lambda: life.rest.first_run is not None and life.rest.first_run.isVisible(), "the page"
            )
            page = life.rest.first_run
            assert page.shown == "try" and page.steps.accessibleName() == "Step 3 of 3: Try it"
            assert "papers" in page.example.sentence.text() and "gemma4" in page.example.sentence.text()
            page.later.click()
            again.until(lambda: life.rest.empty.isVisible(), "the examples")
            assert life.remembered.setup == ""
        finally:
            again.close()


def test_the_example_that_writes_asks_first(furnished: Furnished, home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    answers = [calls(("write_file", {"path": "hello.txt", "content": "Hello\n"})), says("It is written.")]
    posts: list[str] = []

    async def script(exchange: Exchange) -> None:
        if exchange.request.method == "POST" and exchange.request.path.endswith("/chat/completions"):
            posts.append(exchange.request.body.decode())
            await answers[len(posts) - 1](exchange)
        else:
            await serves(OLLAMA)(exchange)

    with scripted_in_thread(script) as ollama:
        write_profiles(home, ollama=ollama.url)
        page = first_page(furnished)
        page.chosen.emit("ollama/qwen3:8b")
        page.folder.taken.emit(str(folder))
        furnished.until(lambda: page.shown == "try" and furnished.life.settings.folder, "the third step")
        assert "Allow" in " ".join(words(page.example)) and "Undo" in " ".join(words(page.example))
        page.example.second.click()
        life = furnished.life
        furnished.until(lambda: life.questions.waiting(), "the question")
        assert not (folder / "hello.txt").exists() and life.remembered.setup == ""
        approval = life.questions.waiting()[0]
        furnished.ask(lambda engine: engine.answer(approval.id, Answer(decision="allow")))
        furnished.until(lambda: "It is written." in furnished.text(), "the answer")
        furnished.until(lambda: not life.conversation.running, "the end")
        assert (folder / "hello.txt").read_text() == "Hello\n"


def test_asking_what_there_is_can_be_given_up(
    furnished: Furnished, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = threading.Event()
    gone: list[int] = []

    async def silent(exchange: Exchange) -> None:
        asked.set()
        await exchange.gone()
        gone.append(exchange.number)

    monkeypatch.setenv("GROQ_API_KEY", "gsk-test")
    with scripted_in_thread(silent) as groq:
        write_profiles(home)
        with (home / "settings.toml").open("a") as file:
            file.write(f'[profiles.groq]\nbase_url = "{groq.url}"\n')
        page = first_page(furnished)
        page.ways.profile_taken.emit("groq")
        furnished.until(lambda: page._busy.isVisible() and asked.is_set(), "the wait")
        page.cancel.click()
        assert not page._busy.isVisible() and page.shown == "ways"
        page.ways.route_taken.emit("server")
        own = page.own_server
        own.address.setText(groq.url)
        own.look.click()
        furnished.until(own.cancel.isVisible, "the wait for the server")
        own.cancel.click()
        assert own._word.text() == "Stopped. Nothing was kept." and own.look.isVisible()
        assert own.address.text() == groq.url and furnished.life.settings.model == ""
        furnished.close()
        furnished.life = None
        until(lambda: len(gone) == len(groq.requests), "the requests to be given up")


@pytest.mark.parametrize(
    ("status", "sentence"),
    [(401, "It answers, and wants a key."), (404, "no answer of a model"), (500, "error of its own")],
)
def test_an_address_that_leads_nowhere_says_what_to_do(
    furnished: Furnished, home: Path, status: int, sentence: str
) -> None:
    write_profiles(home)

    async def script(exchange: Exchange) -> None:
        await exchange.answer(status, b"<p>no</p>")

    with scripted_in_thread(script) as server:
        page = first_page(furnished)
        page.show_screen("server")
        own = page.own_server
        own.address.setText(server.url)
        own.look.click()
        furnished.until(lambda: sentence in own._word.text(), "the sentence")
        assert own.look.isVisible() and not own.use.isVisible() and own.address.text() == server.url


def test_a_server_without_a_list_takes_a_name(furnished: Furnished, home: Path) -> None:
    answer = says("Named.")

    async def script(exchange: Exchange) -> None:
        if exchange.request.method == "POST":
            await answer(exchange)
        else:
            await exchange.answer(404, {"error": "not found"})

    write_profiles(home)
    with scripted_in_thread(script) as server:
        page = first_page(furnished)
        page.show_screen("server")
        own = page.own_server
        own.address.setText(server.url)
        own.look.click()
        furnished.until(own.name.isVisible, "the field for a name")
        assert not own.use.isEnabled()
        own.name.setText("nameless-7b")
        own.use.click()
        furnished.until(lambda: page.shown == "folder", "the next step")
        furnished.send("Hello")
        furnished.until(lambda: "Named." in furnished.text(), "the answer")
        furnished.until(lambda: not furnished.life.conversation.running, "the end")
        assert server.requests[-1].json["model"] == "nameless-7b"


def test_examples_fit_what_lies_in_the_folder(
    furnished: Furnished, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRAMBLE_BASE_URL", "http://127.0.0.1:9/v1")
    folder = tmp_path / "photos"
    folder.mkdir()
    for name in ("a.jpg", "b.png", "c.pdf"):
        (folder / name).touch()
    life = furnished.open()
    furnished.until(lambda: life.rest.empty.isVisible(), "the examples")
    shown = life.rest.empty.examples
    assert "hello.txt" in shown[0].text()
    life.conversation.set_folder(str(folder))
    furnished.until(
        lambda: "pictures" in shown[1].text() and "invoice" in shown[2].text(), "those of the folder"
    )
    life.conversation.set_folder("")
    furnished.until(lambda: "hello.txt" in shown[0].text(), "those without a folder")


@pytest.mark.parametrize(
    ("names", "part"),
    [
        (("pyproject.toml", "app", "README.md"), "how this project is built"),
        (("a.py", "b.py"), "how this project is built"),
        (("sales.csv",), "tables"),
        ((".hidden",), "hello.txt"),
        (("notes", "Music"), "overview.md"),
        (("x.PDF",), "invoice"),
    ],
)
def test_examples_by_names(names: tuple[str, ...], part: str) -> None:
    found = examples(names)
    assert len(found) == len(set(found)) == 3 and any(part in one for one in found)


def test_the_settings_lead_to_the_screen_that_is_meant(
    furnished: Furnished, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRAMBLE_BASE_URL", "http://127.0.0.1:9/v1")
    write_profiles(home)
    life = furnished.open()
    life.window.show_page("settings").local_asked.emit()
    page = life.rest.first_run
    assert page.isVisible() and page.shown == "app" and not page.steps.isVisible()
    page.back.click()
    assert page.shown == "ways" and page.later.text() == "Back to the conversation"
    page.later.click()
    assert life.rest.empty.isVisible()
