"""The clipboard of a real X11 screen, by xclip, and what other programs make of it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from app.errors import Refused, ToolError
from app.permissions.policy import policy
from app.records import Answer, Mark
from tests.tools.desktop.desktop_desk import DesktopDesk, base, needs, screen

ODD = "zwei\nZeilen\t\u00e4\u4f60\U0001f600 'quotes' $HOME `x`\n"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[DesktopDesk]:
    needs("xclip")
    with screen(tmp_path) as environ:
        yield DesktopDesk(environ)


def person_copies(desk: DesktopDesk, text: bytes, kind: str = "UTF8_STRING") -> None:
    subprocess.run(
        ["xclip", "-selection", "clipboard", "-in", "-target", kind],
        input=text, env=dict(desk.environ), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def person_pastes(desk: DesktopDesk) -> bytes:
    words = ["xclip", "-selection", "clipboard", "-out", "-target", "UTF8_STRING"]
    return subprocess.run(words, env=dict(desk.environ), check=True, capture_output=True).stdout


async def test_what_is_set_can_be_pasted_by_others(desk: DesktopDesk) -> None:
    done = await desk.call("clipboard", json.dumps({"action": "write", "text": ODD}))
    assert done.ok and "[verified]" in done.text
    assert person_pastes(desk) == ODD.encode()
    assert [(one.kind, one.subject, one.details) for one in desk.asked] == [("set_clipboard", "set", ODD)]
    again = await desk.call("clipboard", '{"action": "write", "text": "-display x"}')
    assert again.ok and person_pastes(desk) == b"-display x"


async def test_what_a_person_copied_is_read_and_marked(desk: DesktopDesk) -> None:
    empty = await desk.call("clipboard", '{"action": "read"}')
    assert empty.text == "The clipboard is empty."
    person_copies(desk, ODD.encode())
    found = await desk.call("clipboard", '{"action": "read"}')
    assert found.text == ODD
    assert desk.asked[-1].kind == "read_clipboard" and desk.asked[-1].discloses
    assert desk.gates[-1].marks == (Mark(kind="other", name="clipboard"),)


async def test_what_is_no_text_is_named(desk: DesktopDesk) -> None:
    person_copies(desk, b"\x89PNG...", "image/png")
    found = await desk.call("clipboard", '{"action": "read"}')
    assert found.ok and "holds a picture" in found.text


async def test_a_long_text_is_cut_and_a_long_one_can_be_set(desk: DesktopDesk) -> None:
    long = "0123456789" * 200_000
    done = await desk.call("clipboard", json.dumps({"action": "write", "text": long}))
    assert done.ok and len(person_pastes(desk)) == 2_000_000
    found = await desk.call("clipboard", '{"action": "read"}')
    assert len(found.text) < 1_100_000 and "only its beginning" in found.text
    with pytest.raises(ToolError, match="characters, more than"):
        await desk.call("clipboard", json.dumps({"action": "write", "text": long * 3}))


async def test_it_is_emptied(desk: DesktopDesk) -> None:
    person_copies(desk, b"secret")
    done = await desk.call("clipboard", '{"action": "write"}')
    assert done.ok and "verified" in done.text and person_pastes(desk) == b""


async def test_no_means_that_it_is_not_read(desk: DesktopDesk) -> None:
    person_copies(desk, b"secret")
    desk.answer = Answer(decision="deny", by="test")
    for arguments in ('{"action": "read"}', '{"action": "write", "text": "x"}'):
        with pytest.raises(Refused):
            await desk.call("clipboard", arguments)
    assert person_pastes(desk) == b"secret"


async def test_a_rule_lets_it_be_read_but_not_while_strangers_speak(desk: DesktopDesk) -> None:
    person_copies(desk, b"text")
    desk.rules = policy("/", allow=["clipboard(read)"])
    assert (await desk.call("clipboard", '{"action": "read"}')).text == "text" and desk.asked == []
    desk.rules = msgspec.structs.replace(desk.rules, marks=(Mark(kind="web", name="evil.example"),))
    await desk.call("clipboard", '{"action": "read"}')
    assert len(desk.asked) == 1


async def test_where_there_is_none_that_is_said(tmp_path: Path) -> None:
    desk = DesktopDesk(base(tmp_path))
    with pytest.raises(ToolError, match="no clipboard"):
        await desk.call("clipboard", '{"action": "read"}')
    for variables, says in (({"DISPLAY": ":9"}, "xclip or xsel"), ({"WAYLAND_DISPLAY": "w"}, "wl-clipboard")):
        desk = DesktopDesk({**base(tmp_path), **variables, "PATH": "/nowhere"})
        with pytest.raises(ToolError, match=says):
            await desk.call("clipboard", '{"action": "write", "text": "x"}')
    assert desk.asked == [] or desk.asked[0].kind == "set_clipboard"
