"""Signing in to Copilot in the real window, with a GitHub of our own: terms, code, wait, every refusal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton

from app.events import TurnEnded
from tests.servers.copilot import CLIENT_ID, GITHUB_TOKEN, Copilot, copilot_server
from tests.servers.copilot_refusals import MESSAGES, PASSING, SIGN_IN, Refusal
from tests.window.furnished import Furnished
from ui.words import problem_text

PENDING = {"error": "authorization_pending"}


@pytest.fixture
def copilot(home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Copilot]:
    """A Copilot of our own; no keyring, no gh and no token in the environment."""
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    for name in ("GH_TOKEN", "COPILOT_GITHUB_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    with copilot_server() as running:
        settle(home, running, more="keys_in_file = true")
        yield running


def settle(home: Path, copilot: Copilot, **fields: Any) -> None:
    """Write the settings of this home."""
    (home / "settings.toml").write_text(copilot.settings(**fields))


def panel_of(furnished: Furnished) -> Any:
    """Open the window and return its sign-in, once it knows the ways."""
    life = furnished.open()
    furnished.until(lambda: life.rest.first_run is not None, "the first page")
    life.rest.first_run.show_screen("copilot")
    panel = life.rest.first_run.sign_in
    furnished.until(lambda: panel._way is not None, "the ways")
    return panel


def said(panel: Any) -> str:
    """What the panel says last."""
    return str(panel._word.text()) if panel._word.isVisible() else ""


def words(panel: Any) -> str:
    """Everything that can be read in the panel."""
    return "\n".join(one.text() for one in panel.findChildren(QLabel) if one.isVisible())


def press(panel: Any, name: str) -> None:
    """Press the visible button of that name."""
    found = [one for one in panel.findChildren(QPushButton) if one.isVisible() and one.text() == name]
    assert len(found) == 1, [one.text() for one in panel.findChildren(QPushButton) if one.isVisible()]
    found[0].click()


def test_from_the_terms_to_the_first_answer(
    furnished: Furnished, copilot: Copilot, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(home, copilot, agreed=False, client_id="", more="keys_in_file = true")
    copilot.models.reverse()
    copilot.polls = [dict(PENDING), dict(PENDING)]
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    panel = panel_of(furnished)
    assert "close your account" in words(panel) and "under your own account" in words(panel)
    assert not panel.begin.isVisible(), "nothing can be begun before the terms were read"
    panel.agree.click()
    furnished.until(lambda: panel.begin.isVisible(), "the field")
    assert "close your account" not in words(panel) and "Enable Device Flow" in words(panel)
    assert f"{copilot.url}/settings/developers" in words(panel) and not panel.begin.isEnabled()
    press(panel, "Open the page of OAuth Apps")
    panel.field.setText("two words")
    assert not panel.begin.isEnabled()
    panel.field.setText(CLIENT_ID)
    panel.begin.click()
    furnished.until(lambda: panel.code.isVisible(), "the code")
    assert panel.code.code.text() == "WDJB-MJHT" and not panel.begin.isVisible()
    assert panel.code.code.accessibleName() == "Code: W D J B - M J H T"
    assert "15 minutes left" in panel.code.waiting.text()
    panel.code.copy.click()
    assert QGuiApplication.clipboard().text() == "WDJB-MJHT" and panel.code.copy.text() == "Copied"
    panel.code.page.click()
    assert opened == [f"{copilot.url}/settings/developers", f"{copilot.url}/login/device"]
    furnished.until(lambda: "It opens 6 models." in said(panel), "the end of the sign-in")
    assert not panel.code.isVisible() and panel.code.code.text() == ""
    furnished.until(lambda: "Kept in a file" in words(panel), "where it is")
    press(panel, "What is left of the plan")
    furnished.until(lambda: "Premium requests: 120.5 of 300 left" in said(panel), "the quota")
    press(panel, "Use this")
    life = furnished.life
    furnished.until(lambda: life.settings.model, "the choice")
    assert life.settings.model == "copilot/gpt-5-mini", "it calls tools and counts nothing against the plan"
    furnished.send("Hello")
    furnished.until(lambda: "Hello from Copilot." in furnished.text(), "the answer")
    furnished.until(lambda: not life.conversation.running, "the end")
    assert (home / "data" / "keys" / "copilot").read_text() == GITHUB_TOKEN


def test_cancel_ends_the_wait_and_keeps_nothing(furnished: Furnished, copilot: Copilot, home: Path) -> None:
    copilot.polls = [dict(PENDING) for _ in range(500)]
    panel = panel_of(furnished)
    panel.begin.click()
    furnished.until(lambda: panel.code.isVisible(), "the code")
    panel.code.cancel.click()
    assert said(panel) == "Stopped. Nothing was kept." and not panel.code.isVisible()
    furnished.until(lambda: panel.begin.isVisible() and panel.begin.isEnabled(), "another try")
    furnished.until(lambda: furnished.ask(no_sign_in_waits) == {}, "the end of the wait")
    assert not (home / "data" / "keys").exists()
    copilot.polls = []
    panel.begin.click()
    furnished.until(lambda: "It opens 6 models." in said(panel), "the second try")


async def no_sign_in_waits(engine: Any) -> Any:
    """What still waits for a person."""
    return dict(engine.models.sign_in._waiting)


@pytest.mark.parametrize("refusal", SIGN_IN, ids=lambda refusal: refusal.name)
def test_each_refusal_has_its_sentence_and_nothing_is_kept(
    furnished: Furnished, copilot: Copilot, home: Path, refusal: Refusal
) -> None:
    refusal.play(copilot)
    panel = panel_of(furnished)
    panel.begin.click()
    furnished.until(lambda: refusal.sentence in said(panel), "the sentence")
    furnished.until(lambda: panel.begin.isVisible() and panel.begin.isEnabled(), "another try")
    assert not panel.code.isVisible() and not (home / "data" / "keys").exists()


@pytest.mark.parametrize(("name", "refusal"), PASSING)
def test_what_passes_by_itself_keeps_the_sign_in(
    furnished: Furnished, copilot: Copilot, home: Path, name: str, refusal: tuple[int, Any]
) -> None:
    copilot.exchange = [refusal]
    panel = panel_of(furnished)
    panel.begin.click()
    furnished.until(lambda: "Kept in a file" in words(panel), f"the end of the sign-in: {name}")
    assert (home / "data" / "keys" / "copilot").read_text() == GITHUB_TOKEN


def test_a_code_that_is_asked_about_too_early_is_waited_for(furnished: Furnished, copilot: Copilot) -> None:
    copilot.polls = [{"error": "slow_down", "interval": 2}, dict(PENDING)]
    panel = panel_of(furnished)
    panel.begin.click()
    furnished.until(lambda: "It opens 6 models." in said(panel), "the end of the sign-in")
    assert len(copilot.asked("/login/oauth/access_token")) == 3


def test_what_is_typed_stays_while_the_ways_are_read_again(furnished: Furnished, copilot: Copilot) -> None:
    panel = panel_of(furnished)
    panel.field.setText("Ov23half")
    before = panel._way
    panel.look()
    furnished.until(lambda: panel._way is not before, "the ways, read again")
    furnished.life.look.choose("dark")
    furnished.until(lambda: furnished.life.window.theme.dark, "the dark theme")
    assert panel.field.text() == "Ov23half" and panel.begin.isVisible()


def test_the_keyboard_is_enough(furnished: Furnished, copilot: Copilot) -> None:
    panel = panel_of(furnished)
    panel.field.setFocus()
    furnished.bot.keyClick(panel.field, Qt.Key.Key_Return)
    furnished.until(lambda: panel.code.isVisible(), "the code")
    assert panel.code.page.hasFocus() or not furnished.window.isActiveWindow()
    order = [panel.code.page]
    while order[-1].nextInFocusChain() is not panel.code.page and len(order) < 5000:
        order.append(order[-1].nextInFocusChain())
    assert panel.code.cancel in order and panel.code.copy in order
    furnished.bot.keyClick(panel.code.cancel, Qt.Key.Key_Space)
    assert said(panel) == "Stopped. Nothing was kept."


def test_a_client_id_that_nobody_knows(furnished: Furnished, copilot: Copilot) -> None:
    panel = panel_of(furnished)
    panel.field.setText("Ov23nobody")
    panel.begin.click()
    furnished.until(lambda: "GitHub does not know this client id." in said(panel), "the sentence")
    assert panel.field.text() == "Ov23nobody", "what was typed is kept"


def test_without_a_keyring_a_file_is_agreed_to_and_nothing_is_lost(
    furnished: Furnished, copilot: Copilot, home: Path
) -> None:
    settle(home, copilot)
    panel = panel_of(furnished)
    panel.begin.click()
    furnished.until(lambda: panel.keep.isVisible(), "the offer of a file")
    assert "no keyring" in said(panel) and not (home / "data" / "keys").exists()
    panel.keep.click()
    furnished.until(lambda: "It opens 6 models." in said(panel), "the end of the sign-in")
    assert len(copilot.asked("/login/oauth/access_token")) == 1
    furnished.until(lambda: "Kept in a file" in words(panel), "where it is")
    press(panel, "Sign out")
    furnished.until(lambda: "Signed out." in said(panel), "the end of it")
    assert not list((home / "data" / "keys").iterdir())
    furnished.until(lambda: panel.begin.isVisible(), "the way in")


def test_the_environments_token_is_looked_at_before_it_is_used(
    furnished: Furnished, copilot: Copilot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GH_TOKEN", "ghp_forSomethingElse0000")
    panel = panel_of(furnished)
    assert "The variable GH_TOKEN holds a token." in words(panel) and panel.begin.isVisible()
    press(panel, "Use it")
    furnished.until(lambda: "does not accept the sign-in" in said(panel), "the word on it")
    copilot.tokens.add("ghp_forSomethingElse0000")
    press(panel, "Use it")
    furnished.until(lambda: furnished.life.settings.model.startswith("copilot/"), "the choice")


def test_free_models_are_taken_after_a_yes(furnished: Furnished, copilot: Copilot, home: Path) -> None:
    from tests.servers.scripted import Exchange, fails, says, scripted_in_thread

    answer = says("Free of charge.")

    async def serve(exchange: Exchange) -> None:
        listed = {"data": [{"id": "a/paid"}, {"id": "b/open:free", "name": "Open"}]}
        await (fails(200, listed) if exchange.request.method == "GET" else answer)(exchange)

    with scripted_in_thread(serve) as kilo:
        text = copilot.settings() + f'[profiles.kilo]\nbase_url = "{kilo.url}"\n'
        (home / "settings.toml").write_text(text)
        life = furnished.open()
        furnished.until(lambda: life.rest.first_run is not None, "the first page")
        life.rest.first_run.show_screen("free")
        card = life.rest.first_run._free
        furnished.until(lambda: "learn from it" in words(card), "the offer")
        assert kilo.requests == []
        press(card, "I have read this, use it")
        furnished.until(lambda: life.settings.model == "kilo/b/open:free", "the choice")
        furnished.send("Hello")
        furnished.until(lambda: "Free of charge." in furnished.text(), "the answer")
        furnished.until(lambda: not life.conversation.running, "the end")
        assert all("authorization" not in one.headers for one in kilo.requests)


def test_a_models_own_terms_are_asked_about_where_it_is_picked(
    furnished: Furnished, copilot: Copilot, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ui.window import dialogs

    asked: list[tuple[str, str, Any]] = []
    monkeypatch.setattr(
        dialogs, "ask", lambda parent, title, text, yes, done: asked.append((title, text, done))
    )
    monkeypatch.setenv("GH_TOKEN", GITHUB_TOKEN)
    settle(home, copilot, more='model = "copilot/gpt-5-mini"')
    life = furnished.open()
    life.models.pick()
    furnished.until(lambda: any(one.name == "copilot/grok-9" for one in life.models._models), "the models")
    life.models._taken("copilot/grok-9")
    assert asked[0][:2] == ("Terms of GROK-9", "Grok 9 is run by somebody else.")
    assert not copilot.asked("/models/grok-9/policy")
    asked[0][2]()
    furnished.until(lambda: life.settings.model == "copilot/grok-9", "the choice")
    assert copilot.asked("/models/grok-9/policy")


@pytest.mark.parametrize(
    ("model", "path"),
    [
        ("gpt-5-mini", "/chat/completions"),
        ("gpt-6-codex", "/responses"),
        ("claude-sonnet-5.5", "/v1/messages"),
    ],
)
def test_each_model_answers_on_its_own_endpoint(
    furnished: Furnished, copilot: Copilot, home: Path, monkeypatch: pytest.MonkeyPatch, model: str, path: str
) -> None:
    monkeypatch.setenv("GH_TOKEN", GITHUB_TOKEN)
    settle(home, copilot, more=f'model = "copilot/{model}"')
    life = furnished.open()
    furnished.send("Hello")
    furnished.until(lambda: "Hello from Copilot." in furnished.text(), "the answer")
    furnished.until(lambda: not life.conversation.running, "the end")
    (sent,) = copilot.asked(path)
    assert sent.headers["x-initiator"] == "user"


@pytest.mark.parametrize("refusal", MESSAGES, ids=lambda refusal: refusal.name)
def test_a_refused_message_says_why_and_the_next_is_answered(
    furnished: Furnished, copilot: Copilot, home: Path, monkeypatch: pytest.MonkeyPatch, refusal: Refusal
) -> None:
    monkeypatch.setenv("GH_TOKEN", GITHUB_TOKEN)
    settle(home, copilot, more='model = "copilot/gpt-5-mini"')
    life = furnished.open()
    furnished.until(lambda: life.settings.model, "the settings")
    refusal.play(copilot)
    ended: list[Any] = []
    life.bridge.events.connect(lambda batch: ended.extend(one for one in batch if isinstance(one, TurnEnded)))
    furnished.send("Hello")
    furnished.until(lambda: ended, "the end")
    assert ended[0].problem.code == refusal.code
    assert refusal.sentence in problem_text(ended[0].problem).title
    tried = copilot.asked("/chat/completions") + copilot.asked("/responses")
    assert len(tried) == refusal.tries
    copilot.answers = []
    furnished.send("Hello again")
    furnished.until(lambda: "Hello from Copilot." in furnished.text(), "the answer")
    furnished.until(lambda: not life.conversation.running, "the end")
    if refusal.code == "signed_out":
        life.transcript.remedy_requested.emit("sign_in")
        furnished.until(
            lambda: life.rest.first_run is not None and life.rest.first_run.isVisible(), "the way in"
        )
