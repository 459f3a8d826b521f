"""Tab in a conversation: files after an @ go with the message, commands are completed; waits count down."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.servers.scripted import calls, fails, says, scripted_in_thread
from tests.terminal.conftest import command
from tests.terminal.console import Console
from tests.terminal.model_server import holds
from ui.terminal.completing import Completer
from ui.terminal.countdown import Countdown
from ui.terminal.editor import Editor
from ui.terminal.keys import Keys


class Desk:
    """An editor whose Tab is completed among these files, in this order."""

    def __init__(self, *files: str) -> None:
        self.files, self.asked, self.changes = files, list[str](), 0
        self.editor = Editor()
        self.completer = Completer(self.editor, self.find, self.changed)

    async def find(self, typed: str) -> Sequence[str]:
        self.asked.append(typed)
        return [name for name in self.files if typed in name]

    def changed(self) -> None:
        self.changes += 1

    async def type(self, data: bytes) -> None:
        for key in Keys().feed(data):
            if key.name == "tab":
                self.completer.tab()
                for _ in range(3):
                    await asyncio.sleep(0)
            else:
                self.editor.press(key)
            self.completer.typed()


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        (b"read @no\t", "read @notes.md "),
        (b"read @no\t\t", "read @sub/notes old.txt "),
        (b"read @no\t\t\t", "read @notes.md "),
        (b"@sub\tplease", "@sub/notes old.txt please"),
        (b"see @no please\x1b[1;5D\x1b[D\t", "see @notes.md  please"),
        (b"mail a@notes\t", "mail a@notes"),
        (b"read @none\t", "read @none"),
        (b"/attach no\t", "/attach notes.md "),
        (b"/comp\t", "/compact "),
        (b"/co\t\t", "/compact "),
        (b"/xyz\t", "/xyz"),
        (b"a /co\t", "a /co"),
        (b"\t", ""),
    ],
)
async def test_what_fits_takes_the_place_of_what_is_typed(typed: bytes, text: str) -> None:
    desk = Desk("notes.md", "sub/notes old.txt")
    await desk.type(typed)
    assert desk.editor.text == text


async def test_what_else_fits_is_offered_until_something_is_typed() -> None:
    desk = Desk("notes.md", "sub/notes old.txt")
    await desk.type(b"@no\t")
    assert desk.completer.offered == ["notes.md", "sub/notes old.txt"]
    await desk.type(b"\t")
    assert desk.completer.offered == ["sub/notes old.txt", "notes.md"]
    before = desk.changes
    await desk.type(b"x")
    assert desk.completer.offered == () and desk.changes == before + 1


async def test_only_what_stands_in_the_sent_text_goes_along_and_only_once() -> None:
    desk = Desk("notes.md", "sub/notes old.txt")
    await desk.type(b"@no\t\t and @notes.m\t")
    assert desk.completer.sent(desk.editor.text) == ["notes.md", "sub/notes old.txt"]
    assert desk.completer.sent(desk.editor.text) == []
    await desk.type(b"\x15@no\t\x15")
    assert desk.completer.sent("other words") == []
    await desk.type(b"/attach no\t")
    assert desk.completer.sent(desk.editor.text) == [], "the command itself attaches it"


async def test_an_answer_that_comes_too_late_changes_nothing() -> None:
    desk = Desk("notes.md", "bad\x1bname")
    desk.editor.press(Keys().feed(b"@no")[0])
    desk.completer.tab()
    desk.editor.press(Keys().feed(b"w")[0])
    for _ in range(5):
        await asyncio.sleep(0)
    assert desk.editor.text == "@now" and desk.asked == ["no"]
    await desk.type(b"\x15@bad\t")
    assert desk.editor.text == "@bad", "a name that no terminal can show is not typed"


async def test_the_seconds_are_told_afresh_and_end() -> None:
    told: list[str] = []
    done = asyncio.Event()

    def changed() -> None:
        told.append(counting.text)
        if not counting.text:
            done.set()

    counting = Countdown(changed)
    assert counting.text == ""
    counting.begin(1.2)
    await asyncio.wait_for(done.wait(), 30)
    assert told[0] == "Next try in 2 s." and told[-1] == "" and "Next try in 1 s." in told
    counting.begin(60)
    counting.end()
    assert counting.text == ""


def test_a_model_that_nobody_has_is_refused_at_once_and_an_old_list_is_told(
    environment: dict[str, str], work: Path, home: Path
) -> None:
    with (
        scripted_in_thread(fails(503, {"error": "out of order"})) as lists,
        scripted_in_thread(says("Hi.")) as server,
    ):
        home.mkdir(exist_ok=True)
        (home / "settings.toml").write_text(f'[profiles.openai]\nbase_url = "{lists.url}"\n')
        told = {**environment, "BRAMBLE_BASE_URL": server.url, "OPENAI_API_KEY": "k-test"}
        with Console(command("chat"), told, str(work), columns=100) as console:
            console.expect("/help")
            console.send("/model nobody/at-all\r")
            console.expect("There is no provider named nobody.")
            console.send("hello\r")
            console.expect("Hi.")
            console.send("/model\r")
            console.expect("The list of OpenAI could not be brought up to date at")
            console.send("/quit\r")
            assert console.wait() == 0


def test_the_checklist_of_the_model_stands_above_the_prompt(environment: dict[str, str], work: Path) -> None:
    steps = [{"text": "look", "state": "done"}, {"text": "write it down", "state": "doing"}]
    with scripted_in_thread(calls(("plan_steps", {"steps": steps})), holds("Well,")) as server:
        told = {**environment, "BRAMBLE_BASE_URL": server.url}
        with Console(command("chat"), told, str(work)) as console:
            console.expect("/help")
            console.send("work\r")
            console.expect("Step 2 of 2: write it down · Working")
            console.send("\x03")
            console.expect("cost")
            console.send("/quit\r")
            assert console.wait() == 0


def test_a_file_goes_along_and_a_wait_counts_down(environment: dict[str, str], work: Path) -> None:
    (work / "notes.md").write_text("The sky is green.\n")
    slow = fails(429, {"error": {"message": "slow down"}}, headers={"retry-after": "2"})
    with scripted_in_thread(slow, says("Green.")) as server:
        told = {**environment, "BRAMBLE_BASE_URL": server.url}
        with Console(command("chat"), told, str(work)) as console:
            console.expect("/help")
            console.send("what is in @not\t")
            console.expect("@notes.md")
            console.send("?\r")
            console.expect("notes.md")
            console.expect("Next try in 2 s. · Working")
            console.expect("Next try in 1 s. · Working")
            console.expect("Green.")
            console.send("/quit\r")
            assert console.wait() == 0
        said = server.requests[-1].json["messages"][-1]["content"]
        assert "what is in @notes.md ?" in said and "The sky is green." in said
