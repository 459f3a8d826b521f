"""The list of models: window, price, abilities and effort, by keyboard, also with a thousand of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.records import ListState, ModelInfo, Problem
from tests.servers import responses
from tests.servers.scripted import Exchange, fails, scripted_in_thread
from tests.window.desk import Desk, until
from tests.window.furnished import Furnished
from ui.window.model_picker import ModelPicker
from ui.window.model_rows import rows, stale
from ui.window.picker import ENTRY, HEADING, Entry, shown_note, spoken
from ui.window.theme import make_theme
from ui.words import problem_text

DATA = """
[[profiles.mine.models]]
id = "thinker"
title = "Thinker"
window = 200000
input = 2
output = 10
cached = 1
abilities = ["tools", "vision", "reasoning"]

[[profiles.mine.models]]
id = "plain"
window = 8000
abilities = ["tools"]
"""


def info(name: str, **fields: Any) -> ModelInfo:
    """A model of the list."""
    profile, _slash, model = name.partition("/")
    return ModelInfo(
        **{"name": name, "profile": profile, "model": model, "provider": profile.title(), **fields}
    )


MODELS = (
    info("near/small", title="Small", input_price=0.0, output_price=0.0, abilities=("tools",), window=4_096),
    info("shop/dear", title="Dear", input_price=2.5, output_price=0.05, priced="2026-11-29", window=128_000,
         abilities=("vision", "tools", "audio", "reasoning")),
    info("shop/old", title="Old", gone=True, input_price=1.0, output_price=2.0),
    info("shop/plan", title="Plan", multiplier=3.0),
    info("away/far", title="Far", ready=False, why="no_key"),
)  # fmt: skip


def test_rows_stand_by_provider_the_current_one_first() -> None:
    found = rows(MODELS, "shop/plan")
    assert [(row.group, row.value) for row in found] == [
        ("Shop", "shop/dear"), ("Shop", "shop/plan"), ("Shop", "shop/old"), ("Near", "near/small"),
        ("Away", "away/far"),
    ]  # fmt: skip
    assert [row.chosen for row in found] == [False, True, False, False, False]
    dear, plan, old, small, far = found
    assert (dear.note, dear.aside) == ("$2.50 / $0.05", "prices of 2026-11-29")
    assert [words for _icon, words in dear.signs] == ["uses tools", "sees pictures", "reasons"]
    assert "128,000 tokens" in dear.line
    assert "US dollars for a million tokens: $2.50 read, $0.05 written. Prices of 2026-11-29." in dear.tip
    assert shown_note(dear) == "\u2066$2.50 / $0.05\u2069" and shown_note(small) == small.note
    assert (plan.note, small.note, far.note) == ("counts 3 times", "free", "price not known")
    assert "no longer in the list of its provider" in old.line and "needs a key" in far.line
    said = spoken(dear)
    assert "reasons" in said and "$2.50" in said and "Shop" in said and "chosen" in spoken(plan)


@pytest.mark.parametrize(
    ("current", "named"),
    [
        ("shop/lost", "Shop does not list lost any more"),
        ("shop/old", "Shop does not list old any more"),
        ("shop/dear", ""),
        ("", ""),
    ],
)
def test_a_model_that_vanished_is_named_and_others_stand_below(current: str, named: str) -> None:
    found = rows(MODELS, current)
    assert (found[0].title if not found[0].enabled else "") == named
    if named:
        assert found[1].group == "Shop"
    assert rows((), current) == [], "before the list is here nothing is said of it"


NOW = 1_700_000_000.0
REFUSED = Problem(code="bad_key", fields={"profile": "Shop"})
OFFLINE = Problem(code="no_network", fields={"host": "a.example"})


def state(title: str, listed: float, problem: Problem | None) -> ListState:
    failed = NOW - 60 if problem is not None else 0.0
    return ListState(profile=title.lower(), title=title, listed=listed, failed=failed, problem=problem)


def test_a_list_that_could_not_be_brought_up_to_date_is_told_of_on_top() -> None:
    old, never = state("Shop", NOW - 7200, REFUSED), state("Away", 0.0, OFFLINE)
    first, second = stale([old, never, state("Near", NOW, None)], NOW)
    assert first.title == "Shop: models as they were listed 2 h ago" and not first.enabled
    assert problem_text(REFUSED).title in first.line and "Asked at" in first.line
    assert second.title == "Away: models as Bramble knows them"
    assert "The list of Away could not be brought up to date" in second.tip
    many = stale([state(name, NOW - 7200, OFFLINE) for name in ("A", "B", "C")], NOW)
    assert [one.title for one in many] == ["3 lists of models are not up to date"]
    assert "(A, B, C)" in many[0].line and many[0].tip.count("\n") == 2


@pytest.fixture
def picker(qtbot: QtBot) -> Iterator[ModelPicker]:
    """The list, open, without a window."""
    made = ModelPicker(None, make_theme("light", 14))  # type: ignore[arg-type]
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(made)
    made.show()
    yield made
    made.close()


def here(picker: ModelPicker) -> str:
    """The value of the row that is gone to."""
    item = picker.list.currentItem()
    return "" if item is None else str(item.data(ENTRY).value)


def test_the_keyboard_filters_goes_over_headings_and_takes(picker: ModelPicker, qtbot: QtBot) -> None:
    picker.show_entries(rows(MODELS, "shop/plan"))
    assert here(picker) == "shop/plan"
    steps = []
    for _ in range(4):
        QTest.keyClick(picker.field, Qt.Key.Key_Down)
        steps.append(here(picker))
    assert steps == ["shop/old", "near/small", "away/far", "away/far"]
    QTest.keyClicks(picker.field, "vision shop")
    assert here(picker) == ""
    picker.field.clear()
    QTest.keyClicks(picker.field, "pictures shop")
    assert here(picker) == "shop/dear"
    picker.field.clear()
    QTest.keyClicks(picker.field, "near")
    with qtbot.waitSignal(picker.taken) as taken:
        QTest.keyClick(picker.field, Qt.Key.Key_Return)
    assert taken.args == ["near/small"]


def test_what_only_says_something_is_neither_gone_to_nor_taken(picker: ModelPicker) -> None:
    taken: list[str] = []
    picker.taken.connect(taken.append)
    picker.show_entries([Entry("", "Looking for models…", enabled=False)])
    QTest.keyClick(picker.field, Qt.Key.Key_Down)
    QTest.keyClick(picker.field, Qt.Key.Key_Return)
    QTest.keyClicks(picker.field, "zzz")
    QTest.keyClick(picker.field, Qt.Key.Key_Return)
    assert [picker.list.item(at).data(ENTRY).title for at in range(picker.list.count())] == [
        "Looking for models…"
    ]
    picker.show_entries(rows(MODELS, "shop/lost"))
    assert [picker.list.item(at).data(ENTRY).title for at in range(picker.list.count())] == [
        "Shop does not list lost any more",
        "Nothing fits these words.",
    ]
    QTest.keyClick(picker.field, Qt.Key.Key_Return)
    assert taken == [] and picker.isVisible()
    QTest.keyClick(picker.field, Qt.Key.Key_Escape)
    assert not picker.isVisible()


def test_only_the_efforts_of_the_model_are_offered(picker: ModelPicker, qtbot: QtBot) -> None:
    picker.show_efforts((), "")
    assert picker.efforts is None
    picker.show_efforts(("low", "high"), "high")
    assert picker.efforts is not None and picker.efforts.value() == "high"
    for name, value in (("low", "low"), ("own", "")):
        with qtbot.waitSignal(picker.effort_chosen) as chosen:
            picker.efforts.part(name).click()
        assert chosen.args == [value]
    assert picker.efforts.accessibleName() == "Reasoning"


def test_a_thousand_models_are_narrowed_within_the_time_of_a_few_keys(picker: ModelPicker) -> None:
    many = [
        info(f"p{n % 9}/model-{n}", input_price=1.0, output_price=2.0, abilities=("tools",))
        for n in range(1_000)
    ]
    picker.show_entries(rows(many, "p3/model-3"))
    assert picker.list.count() == 1_009
    QTest.keyClicks(picker.field, "model-99")
    found = [picker.list.item(at).data(ENTRY).value for at in range(picker.list.count())]
    assert len({value for value in found if value}) == 11


async def _answers(exchange: Exchange) -> None:
    if exchange.request.method == "GET":
        await exchange.answer(404, {"error": "no list"})
        return
    await responses.answers(responses.message("Fine."), usage=responses.usage(100_000, 400_000))(exchange)


def test_model_and_effort_are_chosen_for_the_conversation_and_its_cost_is_told(furnished: Furnished) -> None:
    with scripted_in_thread(_answers) as server:
        home = Path(os.environ["BRAMBLE_HOME"])
        home.mkdir(parents=True, exist_ok=True)
        text = (
            f'model = "mine/plain"\n[limits]\nday_money = 2.0\n[profiles.mine]\nbase_url = "{server.url}"\n'
        )
        (home / "settings.toml").write_text(text + 'wire = "responses"\nneeds_key = false\n' + DATA)
        life = furnished.open()
        life.models.pick()
        furnished.until(lambda: life.models._picker and life.models._picker.list.count() > 3, "the list")
        QTest.keyClicks(life.models._picker.field, "thinker")
        QTest.keyClick(life.models._picker.field, Qt.Key.Key_Return)
        furnished.until(lambda: life.models.holds()[0] == "mine/thinker", "the model")
        furnished.send("/effort high")
        furnished.until(lambda: life.conversation.effort() == "high", "the effort")
        button = furnished.window.chat.composer.model
        furnished.until(lambda: button.accessibleName() == "Model: Thinker, Reasoning: High", "its sign")
        furnished.send("Hello.")
        furnished.until(lambda: "Fine." in furnished.text(), "the answer")
        furnished.until(lambda: not life.conversation.running, "the end of the turn")
        sent = [one for one in server.requests if one.method == "POST"][-1].json
        assert (sent["model"], sent["reasoning"]["effort"]) == ("thinker", "high")
        furnished.until(lambda: life.rest.panel.changes._account, "the account")
        furnished.until(lambda: "$1.80" in furnished.window.chat.title_bar.meter.toolTip(), "the costs")
        tip = furnished.window.chat.title_bar.meter.toolTip()
        assert "90 % of today's limit of $2.00 are used." in tip
        session, today = life.rest.panel.changes._account
        assert session.whole == "$1.80 (500k tokens)" and not session.near
        assert today.words == "$1.80 of $2.00" and today.near
        said: list[str] = []
        life.rest.work.tell_costs(said.append)
        furnished.until(lambda: said, "the costs in words")
        assert "This conversation: $1.80" in said[0] and "Today: $1.80" in said[0]
        life.models.pick()
        furnished.until(lambda: life.models._picker and life.models._picker.efforts, "the efforts")
        assert life.models._picker.efforts.value() == "high"
        life.models._picker.efforts.part("low").click()
        furnished.until(lambda: life.conversation.info.effort == "low", "the other effort")
        life.models._picker.close()
        furnished.until(lambda: button.accessibleName().endswith("Reasoning: Low"), "its sign")
        life.rest.deeds.use_model("mine/plain")  # which takes no such wish
        furnished.until(lambda: button.accessibleName() == "Model: plain", "a sign that tells no more of it")
        life.rest.deeds.use_model("mine/thinker")
        furnished.until(lambda: button.accessibleName().endswith("Reasoning: Low"), "the effort that is kept")


@pytest.fixture
def keyless(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home where a model is set up, a key can stand in a file, and no other provider has one."""
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    for name in ("GROQ_API_KEY", "GH_TOKEN", "COPILOT_GITHUB_TOKEN", "GITHUB_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    (home / "settings.toml").write_text(
        'model = "mine/plain"\nkeys_in_file = true\n[profiles.mine]\nbase_url = "http://127.0.0.1:9/v1"\n'
        f"needs_key = false\n{DATA}"
        '[profiles.groq]\nbase_url = "http://127.0.0.1:9/v1"\n'
    )


def take(furnished: Furnished, name: str) -> str:
    """Take the first model of the list whose name begins so; return its whole name."""
    life = furnished.life
    life.models.pick()
    picker = life.models._picker

    def found() -> list[str]:
        return [entry.value for entry in picker._entries if entry.value.startswith(name)]

    furnished.until(found, "the models")
    value = found()[0]
    row = next(at for at in range(picker.list.count()) if picker.list.item(at).data(ENTRY).value == value
               and not picker.list.item(at).data(HEADING))  # fmt: skip
    picker._take(picker.list.item(row))
    return value


def test_a_model_without_its_key_leads_to_the_field_of_its_provider_and_is_taken_then(
    furnished: Furnished, keyless: None
) -> None:
    life = furnished.open()
    name = take(furnished, "groq/")
    page = life.rest.first_run
    furnished.until(lambda: page.isVisible() and page.shown == "key", "the field for a key")
    assert page.entry.provider.currentData() == "groq" and life.settings.model == "mine/plain"
    life.window.activateWindow()
    furnished.until(page.entry.field.hasFocus, "the caret")
    QTest.keyClicks(page.entry.field, "gsk-typed")
    QTest.keyClick(page.entry.field, Qt.Key.Key_Return)
    furnished.until(lambda: life.model() == name, "the model that was picked")
    assert life.conversation.session == "" and life.rest.empty.isVisible()


def test_a_refused_key_is_told_of_in_the_list(
    furnished: Furnished, keyless: None, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    with scripted_in_thread(fails(401, {"error": {"message": "Invalid API Key"}})) as server:
        monkeypatch.setenv("GROQ_API_KEY", "gsk-wrong")
        text = (home / "settings.toml").read_text()
        groq = "[profiles.groq]\nbase_url = "
        text = text.replace(f'{groq}"http://127.0.0.1:9/v1"', f'{groq}"{server.url}"')
        (home / "settings.toml").write_text(text)
        life = furnished.open()
        life.models.pick()
        picker = life.models._picker

        def told() -> list[Entry]:
            items = (picker.list.item(at).data(ENTRY) for at in range(picker.list.count()))
            return [entry for entry in items if entry.title == "Groq: models as Bramble knows them"]

        furnished.until(told, "what is said of the list")
        assert "key" in told()[0].line and "Groq: models" in picker.field.accessibleDescription()
        QTest.keyClicks(picker.field, "zzz")
        assert told(), "it stands whatever is typed"
        assert here(picker) == ""


def test_the_ways_stay_until_the_person_is_done_with_them(furnished: Furnished, keyless: None) -> None:
    life = furnished.open()
    life.rest.deeds.setting_up.show_first_run("server")
    page, seen = life.rest.first_run, []
    life.models.known.connect(lambda: seen.append("known"))
    life.models.read()
    furnished.until(lambda: seen, "the model, read again")
    life.change_settings(font_size=15)
    furnished.until(lambda: life.settings.font_size == 15, "the setting")
    assert page.isVisible() and page.shown == "server"
    life.rest.deeds.new()
    assert not page.isVisible() and life.rest.empty.isVisible()
    life.rest.deeds.setting_up.show_first_run("server")
    assert page.isVisible()
    furnished.send("Hello")
    furnished.until(life.transcript.isVisible, "the conversation")


def test_a_model_that_needs_a_sign_in_leads_to_it(furnished: Furnished, keyless: None) -> None:
    life = furnished.open()
    life.rest.deeds.use_model("copilot/any")
    furnished.until(lambda: life.model() == "copilot/any", "the model")
    life.rest.deeds.remedy("sign_in")
    page = life.rest.first_run
    furnished.until(lambda: page.isVisible() and page.shown == "copilot", "the sign-in")
    life.rest.deeds.use_model("kilo/any")
    life.rest.deeds.remedy("sign_in")
    furnished.until(lambda: page.shown == "free", "what its use means")
    life.models.set_up_asked.emit("local/any")
    furnished.until(lambda: page.shown == "app", "the model in the app")
    life.models.set_up_asked.emit("")
    assert page.shown == "ways"


def test_the_list_opens_by_keyboard_on_a_real_display(desk: Desk, home: Path) -> None:
    with scripted_in_thread(_answers) as server:
        (home / "settings.toml").write_text(
            f'model = "mine/plain"\n[profiles.mine]\nbase_url = "{server.url}"\nwire = "responses"\n'
            f"needs_key = false\n{DATA}"
        )
        window = desk.start(home).ready()
        desk.key("ctrl+m")
        desk.type("thinker")

        def chosen() -> bool:
            desk.key("Return")  # takes nothing before the list is there
            return "thinker" in (home / "settings.toml").read_text().split("\n")[0]

        until(chosen, "the chosen model")
        desk.type("Hello.")
        desk.key("Return")
        until(lambda: any(one.method == "POST" for one in server.requests), "the request")
        sent = next(one for one in server.requests if one.method == "POST")
        assert sent.json["model"] == "thinker"
        assert window.end() == 0
