"""Pictures of a real X11 screen, and of Wayland through a real portal's protocol."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from app.errors import Refused, ToolError
from app.records import Answer, FilesEffect, Mark
from tests.capabilities.files_desk import open_desk
from tests.tools.desktop.desktop_desk import (
    DesktopDesk,
    base,
    needs,
    running,
    screen,
    service,
    session_bus,
    until,
)

PORTAL = "org.freedesktop.portal.Desktop"
WINDOW = """
import sys
from Xlib import X, Xatom, display
shown = display.Display()
root = shown.screen().root
made = root.create_window(100, 50, 200, 100, 0, shown.screen().root_depth, background_pixel=0xff0000)
made.set_wm_name('Red window')
made.set_wm_class('red', 'Red')
made.map()
for name in ('_NET_CLIENT_LIST_STACKING', '_NET_ACTIVE_WINDOW'):
    root.change_property(shown.intern_atom(name), Xatom.WINDOW, 32, [made.id])
shown.sync()
open(sys.argv[1], 'w').close()
while True:
    shown.next_event()
"""


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[DesktopDesk]:
    with screen(tmp_path) as environ:
        yield DesktopDesk(environ)


@pytest.fixture
def window(desk: DesktopDesk, tmp_path: Path) -> Iterator[None]:
    """A red window on the screen."""
    needs("xprop", "xwininfo")
    note = tmp_path / "there"
    environ = {**desk.environ, "XAUTHORITY": "/dev/null"}
    with running(sys.executable, "-I", "-c", WINDOW, str(note), environ=environ):
        until(note.exists, "the window")
        yield


def pixels(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB")


async def test_the_whole_screen(desk: DesktopDesk, window: None) -> None:
    found = await desk.call("screenshot")
    assert found.view == "image" and found.summary == "640 x 480"
    image = pixels(found.images[0])
    assert image.size == (640, 480) and image.getpixel((150, 80)) == (255, 0, 0)
    assert image.getpixel((20, 20)) != (255, 0, 0)
    assert [(one.kind, one.subject, one.discloses) for one in desk.asked] == [("screenshot", "screen", True)]
    assert desk.gates[-1].marks == (Mark(kind="other", name="screen"),)


async def test_one_window(desk: DesktopDesk, window: None) -> None:
    for arguments in ('{"target": "window"}', '{"window": "red"}'):
        found = await desk.call("screenshot", arguments)
        image = pixels(found.images[0])
        assert image.size == (200, 100) and image.getcolors() == [(200 * 100, (255, 0, 0))]
        assert "Red window" in desk.asked[-1].details
    with pytest.raises(ToolError, match=r"No window has 'blue'.*Red window"):
        await desk.call("screenshot", '{"window": "blue"}')


async def test_no_means_no_picture(desk: DesktopDesk) -> None:
    desk.answer = Answer(decision="deny", by="test")
    with pytest.raises(Refused):
        await desk.call("screenshot")


async def test_where_there_is_no_screen(tmp_path: Path) -> None:
    desk = DesktopDesk(base(tmp_path))
    with pytest.raises(ToolError, match="no screen"):
        await desk.call("screenshot")
    gone = DesktopDesk({**base(tmp_path), "DISPLAY": ":4711"})
    with pytest.raises(ToolError, match="No picture of the screen"):
        await gone.call("screenshot")
    wayland = DesktopDesk({**base(tmp_path), "WAYLAND_DISPLAY": "wayland-9"})
    with pytest.raises(ToolError, match="no portal"):
        await wayland.call("screenshot")
    with pytest.raises(ToolError, match="need X11"):
        await wayland.call("screenshot", '{"window": "x"}')


@pytest.mark.parametrize("answer", ["picture", "refuse", "none"])
async def test_wayland_is_asked_through_its_portal(tmp_path: Path, answer: str) -> None:
    path = tmp_path / "Screen shot.png"
    if answer == "picture":
        Image.new("RGB", (30, 20), (0, 0, 255)).save(path)
    words = str(path).replace(" ", "%20") if answer != "refuse" else answer
    with session_bus(base(tmp_path)) as environ, service(environ, PORTAL, "portal", words):
        desk = DesktopDesk({**environ, "WAYLAND_DISPLAY": "wayland-9"})
        if answer == "picture":
            found = await desk.call("screenshot")
            assert pixels(found.images[0]).getpixel((3, 3)) == (0, 0, 255) and found.summary == "30 x 20"
            assert not path.exists(), "what the portal leaves behind is taken away"
        else:
            says = "did not let" if answer == "refuse" else "cannot be read"
            with pytest.raises(ToolError, match=says):
                await desk.call("screenshot")


async def test_a_picture_is_saved_where_it_was_named(desk: DesktopDesk, tmp_path: Path) -> None:
    async with open_desk(tmp_path) as files:
        found = await desk.call("screenshot", '{"path": "shot.png"}', files=files.files())
        assert found.ok and "as shot.png. [verified]" in found.text
        path = files.folder / "shot.png"
        assert pixels(path.read_bytes()).size == (640, 480)
        (effect,) = files.asked
        assert isinstance(effect, FilesEffect) and effect.files[0].path == str(path)
        await files.undo.one(found.undo)
        assert not path.exists()
