"""Programs and links are opened by real desktop entries and a real xdg-open, with what was shown."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from app.capabilities.desktop import opening
from app.errors import Refused, ToolError
from app.permissions.policy import policy
from app.platform import desktop_entries
from app.records import Answer, Mark
from tests.tools.desktop.desktop_desk import DesktopDesk, base, needs, running, screen, until

NAMES = ["Fine Editor", "feiner editor", "org.example.Editor", "text editor", "editor", "fine"]
TWICE = "[Desktop Entry]\nType=Application\nExec=x\n"


def entry(folder: Path, id: str, **keys: str) -> None:
    place = folder / "share" / "applications"
    place.mkdir(parents=True, exist_ok=True)
    lines = [
        f"{key.replace('__', '[') + (']' if '__' in key else '')}={value}" for key, value in keys.items()
    ]
    (place / f"{id}.desktop").write_text("\n".join(["[Desktop Entry]", "Type=Application", *lines, ""]))


def program(folder: Path, name: str, code: str) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{code}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DesktopDesk]:
    """A desktop with an editor that notes how it was started and then stays for a moment."""
    monkeypatch.setattr(opening, "_WINDOW", 1.0)
    note = f'printf "%s\\n" "$@" > {tmp_path}/given.part; mv {tmp_path}/given.part {tmp_path}/given'
    editor = program(tmp_path, "edit it", f"{note}; exec sleep 6")
    entry(tmp_path, "org.example.Editor", Name="Fine Editor", Name__de="Feiner Editor",
          GenericName="Text Editor", Exec=f'"{editor}" --new %F',
          MimeType="text/plain;x-scheme-handler/mailto;")  # fmt: skip
    entry(tmp_path, "broken", Name="Broken", Exec=str(program(tmp_path, "broken", "exit 3")))
    entry(tmp_path, "gone", Name="Gone", Exec=f"{tmp_path}/not-there")
    entry(tmp_path, "hidden", Name="Hidden", Exec=str(editor), NoDisplay="true")
    entry(tmp_path, "viewer-a", Name="Viewer One", Exec=str(editor))
    entry(tmp_path, "viewer-b", Name="Viewer Two", Exec=str(editor))
    yield DesktopDesk({**base(tmp_path), "DISPLAY": ":4711", "OPENAI_API_KEY": "sk-1"})


@pytest.mark.parametrize(
    "app", ["Fine Editor", "feiner editor", "org.example.Editor", "text editor", "editor", "fine"]
)
async def test_a_program_is_found_by_what_people_call_it(desk: DesktopDesk, tmp_path: Path, app: str) -> None:
    desk.answer = Answer(decision="deny", by="test")
    with pytest.raises(Refused):
        await desk.call("open_app", json.dumps({"app": app}))
    assert desk.asked[0].words == (f"{tmp_path}/edit it", "--new") and desk.asked[0].subject == "Fine Editor"
    assert not (tmp_path / "given").exists()


async def test_it_is_started_with_files_and_stays(desk: DesktopDesk, tmp_path: Path) -> None:
    done = await desk.call("open_app", json.dumps({"app": "editor", "args": ["a b.txt", "$(x)"]}))
    assert done.ok and "Fine Editor is running. [verified]" in done.text
    assert (tmp_path / "given").read_text() == "--new\na b.txt\n$(x)\n"
    assert desk.asked[0].details == f"'{tmp_path}/edit it' --new 'a b.txt' '$(x)'"
    desk.rules = policy("/", allow=["open_app(Fine Editor)"])
    await desk.call("open_app", json.dumps({"app": "editor", "args": ["other"]}))
    assert len(desk.asked) == 2, "a rule for the program does not cover words that are given to it"


async def test_programs_that_cannot_be_opened(desk: DesktopDesk, tmp_path: Path) -> None:
    for app, says in (
        ("nothing like it", "No program of this desktop"),
        ("hidden", "No program of this desktop"),
        ("viewer", "Several programs.*Viewer One.*Viewer Two"),
        ("gone", "its program is gone"),
        ("broken", "ended at once with exit 3"),
        (" ", "Name the program"),
    ):
        with pytest.raises(ToolError, match=says):
            await desk.call("open_app", json.dumps({"app": app}))
    with pytest.raises(ToolError, match="no screen"):
        await DesktopDesk(base(tmp_path)).call("open_app", '{"app": "editor"}')


WINDOWS = """
import sys
from Xlib import display
shown = display.Display()
screen = shown.screen()
for name in ('Other', 'Viewer'):
    made = screen.root.create_window(0, 0, 100, 100, 0, screen.root_depth)
    made.set_wm_name(name)
    made.set_wm_class(name.lower(), name)
    made.map()
    shown.sync()
open(sys.argv[1], 'w').close()
while True:
    shown.next_event()
"""


async def test_a_window_that_is_there_is_brought_to_the_front(desk: DesktopDesk, tmp_path: Path) -> None:
    needs("openbox", "xdotool", "xprop")
    note = tmp_path / "windows"
    entry(tmp_path, "other", Name="Other One", Exec=f'"{tmp_path}/edit it"', StartupWMClass="Other")
    with screen(tmp_path) as seen:
        environ = {**seen, "XAUTHORITY": "/dev/null"}

        def told(*words: str) -> str:
            return subprocess.run(words, env=environ, capture_output=True, text=True).stdout.strip()

        def active() -> str:
            return told("xdotool", "getactivewindow", "getwindowname")

        def viewer_in_front() -> bool:
            told("xdotool", "search", "--onlyvisible", "--class", "Viewer", "windowactivate")
            return active() == "Viewer"

        with running(
            "openbox", environ={**environ, "XDG_DATA_DIRS": "/usr/share"}
        ):  # it ends without a theme
            # It names itself before it takes care of windows; one that comes in between is nobody's for ever.
            until(lambda: "(WINDOW)" in told("xprop", "-root", "_NET_CLIENT_LIST"), "openbox")
            with running(sys.executable, "-I", "-c", WINDOWS, str(note), environ=environ):
                until(note.exists, "the windows")
                until(viewer_in_front, "the second window")
                desk.environ = {**desk.environ, **environ}
                done = await desk.call("open_app", '{"app": "Other One"}')
                assert "brought to the front. [verified]" in done.text and active() == "Other"
        assert not (tmp_path / "given").exists(), "no second one was started"


def test_entries_are_read_as_the_specification_says(tmp_path: Path) -> None:
    entry(tmp_path, "a", Name="A", Exec='prog "one two" %u %i --title=%c 100%%')
    entry(tmp_path, "b", Name="B", Exec="prog 'unclosed")
    (tmp_path / "shared" / "applications").mkdir(parents=True)
    (tmp_path / "shared" / "applications" / "a.desktop").write_text(
        "[Desktop Entry]\nType=Application\nExec=x\n"
    )
    (tmp_path / "shared" / "applications" / "c.desktop").write_bytes(b"\xff\xfe[Desktop")
    found = {one.id: one for one in desktop_entries.entries(base(tmp_path))}
    assert set(found) == {"a", "b"} and found["a"].name == "A", "that of the person comes first"
    words = desktop_entries.command(found["a"], ("x", "y"))
    assert words == ["prog", "one two", "x", "--title=A", "100%"]
    assert desktop_entries.command(found["b"], ()) == [""]


async def test_a_link_is_handed_over(desk: DesktopDesk, tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    program(tools, "xdg-open", f'printf "%s" "$1" > {tmp_path}/opened; env > {tmp_path}/environ')
    desk.environ = {**desk.environ, "PATH": f"{tools}:{desk.environ['PATH']}"}
    url = "https://example.org/a?b=c&d=%20#e"
    done = await desk.call("open_url", json.dumps({"url": url}))
    assert done.ok and "[unverified]" in done.text and (tmp_path / "opened").read_text() == url
    assert (desk.asked[0].subject, desk.asked[0].host) == (url, "example.org")
    assert "sk-1" not in (tmp_path / "environ").read_text()
    assert "DISPLAY=:4711" in (tmp_path / "environ").read_text()
    desk.rules = policy("/", allow=["open_url(example.org)"])
    await desk.call("open_url", json.dumps({"url": url}))
    assert len(desk.asked) == 1
    desk.rules = msgspec.structs.replace(desk.rules, marks=(Mark(kind="web", name="evil.example"),))
    await desk.call("open_url", json.dumps({"url": url}))
    assert len(desk.asked) == 2, "an address could carry something away"
    await desk.call("open_url", json.dumps({"url": "mailto:a@b.c?subject=x", "browser": "editor"}))
    until((tmp_path / "given").exists, "the program")
    assert (tmp_path / "given").read_text() == "--new\nmailto:a@b.c?subject=x\n"
    assert (
        desk.asked[-1].details
        == f"mailto:a@b.c?subject=x\n'{tmp_path}/edit it' --new 'mailto:a@b.c?subject=x'"
    )


async def test_a_rule_for_a_host_starts_no_program_that_opens_no_links(
    desk: DesktopDesk, tmp_path: Path
) -> None:
    desk.rules = policy("/", allow=["open_url(example.org)"])
    for name in ("editor", "Viewer One"):
        with pytest.raises(ToolError, match="that opens https links is called"):
            await desk.call("open_url", json.dumps({"url": "https://example.org/", "browser": name}))
    assert not (tmp_path / "given").exists()


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd", "javascript:alert(1)", "example.org", "--help", "vscode://x", "http://", "",
        "https://a b", "https://a\nb", "data:text/html,x", "https://good.example@evil.example/",
        "https://a\\@b/", "smb://h/x", "http://[::1", " ",
        "mailto:a@b.c?attach=/etc/passwd", "mailto:a@b.c?subject=x&%41ttachment=~/.ssh/id_rsa",
    ],
)  # fmt: skip
async def test_what_is_no_link_is_not_opened(desk: DesktopDesk, url: str) -> None:
    with pytest.raises(ToolError, match=r"is not opened|no link|names no host|hides|holds no"):
        await desk.call("open_url", json.dumps({"url": url}))
    assert desk.asked == []
