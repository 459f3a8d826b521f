"""The ways to get an answer, with model servers of this computer that are really there."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QLabel, QPushButton

from tests.servers.scripted import Exchange, Script, fails, says, scripted_in_thread
from tests.window.furnished import Furnished


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
        use = next(one for one in card.findChildren(QPushButton) if one.accessibleName() == "Use qwen3:8b")
        use.click()
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
