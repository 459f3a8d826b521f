"""Volume on a real sound server, brightness on a kernel's files and through logind's protocol."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.capabilities.desktop import desk as desk_module, levels
from app.capabilities.desktop.surroundings import Surroundings
from app.errors import Refused, ToolError
from app.records import Answer
from tests.tools.desktop.desktop_desk import DesktopDesk, base, needs, running, service, session_bus, until

LOGIN = "org.freedesktop.login1"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[DesktopDesk]:
    """PulseAudio with an output that nobody hears."""
    needs("pulseaudio", "pactl")
    environ = base(tmp_path)
    words = ("pulseaudio", "-n", "--exit-idle-time=-1", "--daemonize=no", "--load=module-null-sink",
             "--load=module-native-protocol-unix")  # fmt: skip
    with running(*words, environ=environ):
        until(lambda: pactl(environ, "info", code=None), "the sound server")
        yield DesktopDesk(environ)


def pactl(environ: dict[str, str], *words: str, code: int | None = 0) -> str:
    done = subprocess.run(["pactl", *words], env={**environ, "LC_ALL": "C"}, capture_output=True, text=True)
    assert code is None or done.returncode == code, done.stderr
    return done.stdout if done.returncode == 0 else ""


async def test_the_volume_is_set_moved_and_muted(desk: DesktopDesk) -> None:
    sink = "@DEFAULT_SINK@"
    done = await desk.call("set_volume", '{"level": 40}')
    assert done.ok and "40 %" in done.text and "[verified]" in done.text
    assert " 40% " in pactl(dict(desk.environ), "get-sink-volume", sink)
    quieter = await desk.call("set_volume", '{"change": -15}')
    assert "25 %" in quieter.text and "it was 40 %" in quieter.text
    assert "0 %" in (await desk.call("set_volume", '{"change": -90}')).text
    muted = await desk.call("set_volume", '{"mute": true}')
    assert muted.ok and "muted" in muted.text and "yes" in pactl(dict(desk.environ), "get-sink-mute", sink)
    assert (await desk.call("set_volume", '{"mute": false, "level": 100}')).summary == "100 %, not muted"
    assert [one.subject for one in desk.asked] == ["40 %", "25 %", "0 %", "mute", "100 %"]
    assert desk.asked[1].details == "40 % to 25 %"


async def test_no_means_that_it_stays(desk: DesktopDesk) -> None:
    before = pactl(dict(desk.environ), "get-sink-volume", "@DEFAULT_SINK@")
    desk.answer = Answer(decision="deny", by="test")
    with pytest.raises(Refused):
        await desk.call("set_volume", '{"level": 3}')
    assert pactl(dict(desk.environ), "get-sink-volume", "@DEFAULT_SINK@") == before


async def test_what_is_no_level(desk: DesktopDesk) -> None:
    for arguments, says in (
        ('{"level": 130}', "0 to 100"),
        ('{"level": 5, "change": 5}', "not both"),
        ("{}", "level, a change or mute"),
    ):
        with pytest.raises(ToolError, match=says):
            await desk.call("set_volume", arguments)


async def test_where_there_is_no_sound(tmp_path: Path) -> None:
    needs("pactl")
    with pytest.raises(ToolError, match="does not reach the sound"):
        await DesktopDesk({**base(tmp_path), "PULSE_SERVER": "unix:/nowhere"}).call(
            "set_volume", '{"level": 5}'
        )
    with pytest.raises(ToolError, match="pactl, wpctl or amixer"):
        await DesktopDesk({**base(tmp_path), "PATH": "/nowhere"}).call("set_volume", '{"level": 5}')
    with pytest.raises(ToolError, match="on Windows"):
        await DesktopDesk(base(tmp_path), kind="windows").call("set_volume", '{"level": 5}')


# --- light -------------------------------------------------------------------------------------------------


def backlight(folder: Path, name: str, level: int, most: int, kind: str = "raw") -> Path:
    place = folder / "backlight" / name
    place.mkdir(parents=True)
    for file, text in (("brightness", level), ("max_brightness", most), ("type", kind)):
        (place / file).write_text(f"{text}\n")
    return place


async def test_the_light_is_set_in_steps_and_never_goes_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backlight(tmp_path, "acpi_video0", 3, 7)
    place = backlight(tmp_path, "intel_backlight", 480, 960, "firmware")
    for name in ("light", "set_light"):
        found = getattr(levels, name)
        monkeypatch.setattr(
            desk_module.levels, name, lambda *given, found=found: found(*given, tmp_path / "backlight")
        )
    environ = {**base(tmp_path), "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={tmp_path}/none"}
    desk = DesktopDesk(environ)
    done = await desk.call("set_brightness", '{"level": 25}')
    assert done.ok and "intel_backlight: 25 %" in done.text and "it was 50 %" in done.text
    assert (place / "brightness").read_text() == "240"
    dark = await desk.call("set_brightness", '{"change": -90}')
    assert "1 %" in dark.text and int((place / "brightness").read_text()) == 10
    assert [one.subject for one in desk.asked] == ["25 %", "1 %"]
    other = await desk.call("set_brightness", '{"level": 100, "display": "acpi"}')
    assert "acpi_video0: 100 %" in other.text
    with pytest.raises(ToolError, match=r"No screen is called 'none'.*intel_backlight"):
        await desk.call("set_brightness", '{"level": 10, "display": "none"}')


async def test_the_login_service_sets_it_for_who_sits_there(tmp_path: Path) -> None:
    note = tmp_path / "asked"
    place = backlight(tmp_path, "intel_backlight", 480, 960)
    with session_bus(base(tmp_path)) as environ, service(environ, LOGIN, "login", str(note)):
        around = Surroundings({**environ, "DBUS_SYSTEM_BUS_ADDRESS": environ["DBUS_SESSION_BUS_ADDRESS"]})
        before = await levels.light(around, "", tmp_path / "backlight")
        after = await levels.set_light(around, before, 50, tmp_path / "backlight")
        assert after.verified and (place / "brightness").read_text() == "480\n", "it is left to the service"
        unheard = await levels.set_light(around, before, 10, tmp_path / "backlight")
        assert not unheard.verified, "the service of this test sets nothing, and that is seen"
    assert note.read_text() == "backlight intel_backlight 480\nbacklight intel_backlight 96\n"


async def test_where_no_screen_has_a_light(tmp_path: Path) -> None:
    around = Surroundings({**base(tmp_path), "PATH": "/nowhere"})
    with pytest.raises(ToolError, match="no backlight"):
        await levels.light(around, "", tmp_path / "none")
    for kind, system in (("macos", "macOS"), ("windows", "Windows")):
        with pytest.raises(ToolError, match=f"on {system}"):
            desk = DesktopDesk(base(tmp_path), kind=kind)  # type: ignore[arg-type]
            await desk.call("set_brightness", '{"level": 5}')


async def test_a_light_that_may_not_be_set(tmp_path: Path) -> None:
    environ = {**base(tmp_path), "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={tmp_path}/none"}
    light = levels.Light("gone", 5, 10)
    with pytest.raises(ToolError, match="may not be set here"):
        await levels.set_light(Surroundings(environ), light, 50, tmp_path / "none")
