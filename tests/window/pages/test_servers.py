"""The page of servers: one is added by its command, approved, looked into, removed and put back."""

from __future__ import annotations

import json
import shlex
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QMessageBox, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from app.mcp_offers import Field
from app.records import HeldTool, ServerInfo, ServerTool
from tests.servers.mcp_registry import entry, npm, registry
from tests.servers.scripted import fails, scripted_in_thread
from tests.toolbox.mcp.test_sign_in import signing_server
from tests.window.furnished import Furnished
from tests.window.seen import buttons, press
from ui.window.pages import servers
from ui.window.pages.long_list import FIRST
from ui.window.pages.server_card import HeldRow, ServerCard, ToolRow
from ui.window.pages.server_fields import Fields
from ui.window.pages.server_form import ByHand, suggested
from ui.window.parts import Choice, Switch
from ui.window.theme import make_theme

SCRIPTED = Path(__file__).parents[2] / "toolbox" / "mcp" / "scripted.py"
SERVER = (sys.executable, "-I", str(SCRIPTED))


def words(part: QWidget) -> str:
    """Return all words of a part that is seen."""
    seen = [one.text() for one in part.findChildren(QLabel) if one.isVisibleTo(part)]
    seen += [one.toPlainText() for one in part.findChildren(QPlainTextEdit) if one.isVisibleTo(part)]
    return " ".join(seen).replace("\u200b", "").replace("\u200e", "")


def boxes(furnished: Furnished) -> list[QMessageBox]:
    """Return the questions that are open."""
    return [one for one in furnished.window.findChildren(QMessageBox) if one.isVisible()]


def page_of(furnished: Furnished) -> Any:
    page: Any = furnished.life.rest.toolbox.show("servers")
    furnished.until(lambda: page.sentence.text() != "Looking…", "the servers")
    return page


def test_a_server_comes_by_its_command_and_goes_with_a_way_back(furnished: Furnished, home: Path) -> None:
    life = furnished.open()
    page = page_of(furnished)
    furnished.until(lambda: "No servers yet" in words(page), "the empty page")
    page.open_form("command")
    form = page.form.command
    form.target.setText(shlex.join(SERVER))
    form.name.setText("files")
    form.given.setPlainText("LEVEL=3")
    assert "It is called files and starts" in words(form)
    furnished.bot.keyClick(form.target, Qt.Key.Key_Return)
    furnished.until(lambda: "files" in page.cards and "tool" in words(page.cards["files"]), "the server")
    furnished.until(lambda: not page.form.isVisible(), "the end of the adding")
    assert "No servers yet" not in words(page)
    saved = json.loads((home / "mcp.json").read_text())["mcpServers"]["files"]
    assert (saved["command"], saved["args"], saved["env"]) == (SERVER[0], list(SERVER[1:]), {"LEVEL": "3"})
    press(page.cards["files"], "Show more of files")
    furnished.until(lambda: str(SCRIPTED) in words(page.cards["files"]), "its command")
    assert "LEVEL" in words(page.cards["files"])
    page.cards["files"].switch.click()
    furnished.until(lambda: page.cards["files"].info.state == "off", "the switch")
    assert page.cards["files"]._details is not None, "what was open stays open"
    press(page.cards["files"], "Remove files")
    assert life.rest is not None
    toast = life.rest.toast
    furnished.until(lambda: not page.cards and "removed" in toast._words.text(), "the removal")
    toast._act()
    furnished.until(lambda: "files" in page.cards, "the way back")
    assert json.loads((home / "mcp.json").read_text())["mcpServers"]["files"]["env"] == {"LEVEL": "3"}


def add_by_keyboard(furnished: Furnished, page: Any, name: str) -> None:
    """Add the server under a name and wait until the form is away."""
    page.open_form("command")
    page.form.command.target.setText(shlex.join(SERVER))
    page.form.command.name.setText(name)
    furnished.bot.keyClick(page.form.command.target, Qt.Key.Key_Return)
    furnished.until(lambda: not page.form.isVisible(), "the end of the adding")
    furnished.until(lambda: name in page.cards and page.cards[name].info.state == "ready", "the server")


def test_the_keyboard_goes_to_the_server_that_was_added(furnished: Furnished) -> None:
    furnished.open()
    page = page_of(furnished)

    def on(name: str) -> bool:
        return bool(page.cards[name].isAncestorOf(page.window().focusWidget()))

    for name in ("first", "second"):
        add_by_keyboard(furnished, page, name)
        furnished.until(partial(on, name), f"the keyboard on {name}")
    assert page.window().focusWidget().accessibleName() == "Show more of second"


def test_who_has_gone_on_while_a_server_starts_is_left_there(furnished: Furnished) -> None:
    furnished.open()
    page = page_of(furnished)
    add_by_keyboard(furnished, page, "first")
    page.open_form("command")
    page.cards["first"].switch.setFocus()
    page._added(page.cards["first"].info)
    assert not page.form.isVisible() and page.window().focusWidget() is page.cards["first"].switch


def test_an_entry_of_an_editor_waits_for_approval_of_its_exact_command(
    furnished: Furnished, home: Path
) -> None:
    home.mkdir(exist_ok=True)
    raw = {"mcpServers": {"pasted": {"command": SERVER[0], "args": list(SERVER[1:])}, "odd": {"args": 5}}}
    (home / "mcp.json").write_text(json.dumps(raw))
    furnished.open()
    page = page_of(furnished)
    furnished.until(lambda: "pasted" in page.cards, "the server")
    card = page.cards["pasted"]
    assert "Nothing was started yet" in words(card) and str(SCRIPTED) in words(card)
    assert "Cannot be used" in words(page.cards["odd"]) and "waits for you" in page.sentence.text()
    approve = next(one for one in buttons(card) if "Approve" in one.accessibleName())
    approve.setFocus()
    approve.click()
    furnished.until(lambda: page.cards["pasted"].info.state == "ready", "the start")
    held = page.window().focusWidget()
    assert page.cards["pasted"].isAncestorOf(held), "the keyboard stays with the server"


ROW = entry(
    "io.github.somebody/weather",
    title="Weather",
    packages=[
        npm(
            "@somebody/weather",
            environmentVariables=[
                {"name": "API_KEY", "isSecret": True, "isRequired": True, "description": "Your key"},
                {"name": "UNITS", "default": "metric", "choices": ["metric", "imperial"]},
            ],
        )
    ],
)
CONTAINER = entry("io.github.somebody/weather-box", packages=[{"registryType": "oci", "identifier": "a/b"}])


def test_the_registry_is_searched_and_its_fields_filled(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scripted_in_thread(registry(ROW, CONTAINER)) as server:
        monkeypatch.setenv("BRAMBLE_MCP_REGISTRY", server.url.removesuffix("/v1"))
        furnished.open()
        page = page_of(furnished)
        page.open_form()
        search = page.form.search
        search.field.setText("weather")
        furnished.bot.keyClick(search.field, Qt.Key.Key_Return)
        furnished.until(lambda: "comes as a container" in words(search), "the answer")
        assert "2 servers found. 1 of them can be used here" in words(search)
        press(search, "Set up: Weather")
        furnished.until(lambda: "@somebody/weather@1.2.3" in words(search), "the exact command")
        search._chosen.install.click()
        furnished.until(lambda: "This is needed." in words(search), "the missing key")
        key = next(row for row in search._chosen._fields.rows if row.field.secret)
        assert key.control.echoMode() == QLineEdit.EchoMode.Password
        search.field.setText("zeppelin")
        search.look()
        furnished.until(lambda: "nothing for this" in words(search), "the empty answer")


def test_a_registry_that_fails_says_so_and_can_be_asked_again(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scripted_in_thread(fails(500, {"error": "no"}), registry(ROW)) as server:
        monkeypatch.setenv("BRAMBLE_MCP_REGISTRY", server.url.removesuffix("/v1"))
        furnished.open()
        page = page_of(furnished)
        page.open_form()
        search = page.form.search
        search.field.setText("weather")
        search.look()
        furnished.until(lambda: "did not answer" in words(search), "the failure")
        press(search, "Run again")
        furnished.until(lambda: "1 server found" in words(search), "the answer")


def test_what_changed_in_a_held_tool_can_be_seen_before_it_is_agreed_to(qtbot: QtBot) -> None:
    held = HeldTool(tool="read", old='{\n "a": 1\n}', new='{\n "a": 2\n}')
    tool = ServerTool(name="f__list", tool="list", description="Lists.")
    info = ServerInfo(
        id="f", state="ready", command=("x",), tools=(tool,), held=(held,), stderr="warn\rlast\n"
    )
    card = ServerCard(make_theme("dark", 14), info, open=True)
    qtbot.addWidget(card)
    card.show()
    assert "1 tool, 1 held back" in words(card) and "no longer what you agreed to" in words(card)
    assert "Lists." in words(card) and "last" in words(card) and "warn" not in words(card)
    row = card.findChild(HeldRow)
    assert row is not None
    row.turn()
    assert '-  "a": 1' in words(row) and '+  "a": 2' in words(row)
    with qtbot.waitSignal(card.wanted) as asked:
        press(card, "Agree to what they say now: f")
    assert asked.args == ["agree", info]


def test_each_type_of_field_has_its_control_and_a_name(qtbot: QtBot) -> None:
    made = Fields(
        make_theme("light", 14),
        [
            Field(key="a", place="env", name="A", choices=("x", "y"), default="y"),
            Field(key="b", place="env", name="B", kind="boolean"),
            Field(key="c", place="argument", name="dir", kind="file", repeated=True, required=True),
            Field(key="d", place="header", name="D", secret=True),
        ],
    )
    qtbot.addWidget(made)
    rows = {row.field.key: row for row in made.rows}
    assert made.rows[0].field.key == "c", "what is needed comes first"
    assert isinstance(rows["a"].control, Choice) and isinstance(rows["b"].control, Switch)
    assert all(row.control.accessibleName() for row in made.rows)
    assert isinstance(rows["c"].control, QPlainTextEdit) and isinstance(rows["d"].control, QLineEdit)
    rows["c"].control.setPlainText("/one\n\n/two")
    rows["b"].control.click()
    assert made.values() == {"a": "y", "b": "true", "c": ["/one", "/two"]}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("npx --yes @modelcontextprotocol/server-everything@2026.8.31", "everything"),
        ("uvx --from mcp-server-time==2026.1.1 mcp-server-time", "time"),
        ("https://mcp.notion.com/mcp", "notion"),
        ("/usr/bin/node /home/me/weather.js", "weather"),
        ("docker", "docker"),
    ],
)
def test_a_server_gets_a_short_name(text: str, name: str) -> None:
    assert suggested(text) == name


def test_a_form_says_what_it_cannot_read(qtbot: QtBot) -> None:
    form = ByHand(make_theme("light", 14), remote=True)
    qtbot.addWidget(form)
    form.target.setText("not an address")
    assert form.read() is None and "cannot be read yet" in words(form)
    form.target.setText("https://mcp.example.com/mcp")
    form.given.setPlainText("Authorization: Bearer a:b")
    made = form.read()
    assert made is not None and made.given == {"Authorization": "Bearer a:b"} and made.id == "example"


def test_every_control_of_the_page_has_a_name_and_room(furnished: Furnished, home: Path) -> None:
    home.mkdir(exist_ok=True)
    raw = {
        "mcpServers": {"pasted": {"command": "npx", "args": ["x@1"]}, "web": {"url": "https://a.example/mcp"}}
    }
    (home / "mcp.json").write_text(json.dumps(raw))
    furnished.open()
    page = page_of(furnished)
    furnished.until(lambda: len(page.cards) == 2, "the servers")
    page.open_form("address")
    for card in page.cards.values():
        card.open_details(True)
    controls = [one for one in page.findChildren(QAbstractButton) if one.isVisible()]
    assert [one for one in controls if not one.accessibleName()] == []
    own = [one for one in controls if not isinstance(one.parent(), QLineEdit)]
    assert [
        (one.accessibleName(), one.height()) for one in own if one.height() < 28 or one.width() < 24
    ] == []
    assert all(one.accessibleName() for one in page.findChildren(QLineEdit))
    furnished.bot.keyClick(page.form.address.target, Qt.Key.Key_Escape)
    assert not page.form.isVisible()


def test_a_sign_in_can_be_given_up(furnished: Furnished, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(servers.QDesktopServices, "openUrl", lambda url: shown.append(url.toString()))
    home.mkdir(exist_ok=True)
    with signing_server() as url:
        (home / "mcp.json").write_text(json.dumps({"mcpServers": {"web": {"url": url}}}))
        furnished.open()
        page = page_of(furnished)
        furnished.until(lambda: "web" in page.cards, "the server")
        press(page.cards["web"], "Approve and start: web")
        furnished.until(lambda: page.cards["web"].info.state == "sign_in", "the wish for a sign-in")
        press(page.cards["web"], "Sign in: web")
        furnished.until(lambda: shown or boxes(furnished), "the question where to keep it")
        for box in boxes(furnished):  # no keyring answers here
            press(box, "Keep them in a file")
        furnished.until(lambda: shown, "the page of the sign-in")
        furnished.until(lambda: page.cards["web"].signing, "the way out of it")
        press(page.cards["web"], "Give up the sign-in: web")
        furnished.until(lambda: not page.cards["web"].signing, "the end of it")
        assert page.cards["web"].info.state == "sign_in" and not page.cards["web"].info.signed_in
        press(page.cards["web"], "Sign in: web")
        furnished.until(lambda: len(shown) > 1 or boxes(furnished), "another try")


def test_the_tools_of_a_large_server_come_by_pages(qtbot: QtBot) -> None:
    tools = tuple(ServerTool(name=f"big__{n}", tool="x" * 90, description="Does it.") for n in range(500))
    card = ServerCard(make_theme("light"), ServerInfo(id="big", state="ready", tools=tools), open=True)
    qtbot.addWidget(card)
    card.resize(680, 600)
    card.show()
    rows = card.findChildren(ToolRow)
    assert len(rows) == FIRST
    press(card, "Show 50 more of 488")
    assert len(card.findChildren(ToolRow)) == FIRST + 50
    qtbot.waitUntil(lambda: rows[0].width() > 0)
    assert all(row.width() <= card.width() for row in rows), "a long name makes the card no wider"


def test_what_could_not_be_taken_of_a_tool_is_said_in_words(qtbot: QtBot) -> None:
    notes = ("name_changed", "schema_broken", "schema_large", "description_cut")
    tools = (
        ServerTool(name="s__a_b", tool="a.b", notes=notes),
        ServerTool(name="s__get", tool="get"),
        ServerTool(name="s__tool", tool=""),
    )
    card = ServerCard(make_theme("light"), ServerInfo(id="s", state="ready", tools=tools), open=True)
    qtbot.addWidget(card)
    card.show()
    odd, plain, nameless = card.findChildren(ToolRow)
    assert "so models and rules know it as s__a_b." in words(odd)
    assert "cannot be used, so models are told of none." in words(odd)
    assert "too long, so models get it shortened." in words(odd)
    assert "too long, so models get the beginning." in words(odd)
    assert (words(plain), words(nameless)) == ("get", "s__tool")
