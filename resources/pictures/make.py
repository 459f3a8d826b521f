"""`./dev screenshot`: the real window in a real conversation, light and dark, at 100 and 200 %, as PNG files.

A scripted model answers over a loopback socket, the keyboard is xdotool's, all else is the product itself.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from app.permissions.book import rules_path
from app.platform.ids import new_id
from app.platform.paths import home as find_home
from app.records import Message, SessionInfo
from app.store import messages, sessions
from app.store.database import Store
from tests.bench.machine import LAUNCH, display, end, environment, read_lines
from tests.bench.server import serving

HERE = Path(__file__).resolve().parent
STORY: dict[str, Any] = json.loads((HERE / "story.json").read_text(encoding="utf-8"))
WIDTH, HEIGHT = 1280, 800
NEEDED = ("Xvfb", "openbox", "xdotool", "import")


def make_person(folder: Path, theme: str) -> tuple[Path, Path]:
    """Make a person's home with conversations and a folder of invoices; returns it and the data's place."""
    place = folder / "Documents" / "invoices"
    place.mkdir(parents=True)
    (place / "README.md").write_text(STORY["readme"], encoding="utf-8")
    for number in range(48):
        name = f"2026-{number // 4 + 1:02}-{number % 4 * 7 + 1:02} invoice {number + 1}.pdf"
        (place / name).write_bytes(b"%PDF-1.4\n")
    data = folder / "bramble"
    home = find_home({"BRAMBLE_HOME": str(data)})
    home.make()
    home.settings.write_text(f'theme = "{theme}"\nfolder = "{place}"\n', encoding="utf-8")
    home.data.mkdir(exist_ok=True)
    seen = {"theme": theme, "width": WIDTH, "height": HEIGHT, "folder": str(place)}
    (home.data / "window.json").write_text(json.dumps(seen), encoding="utf-8")
    asyncio.run(_fill(Store(home.database), str(place)))
    return folder, data


async def _fill(store: Store, place: str) -> None:
    await store.open()
    for told in STORY["sessions"]:
        made = time.time() - told["days"] * 86_400
        info = SessionInfo(id=new_id(made), title=told["title"], cwd=place, created=made, updated=made)
        await store.write(sessions.create, info)
        known: dict[str, Any] = {"session": info.id, "turn": new_id(made), "created": made}
        asked = Message(id=new_id(made), parent=None, role="user", text=told["title"], **known)
        await store.write(messages.add, asked)
        said = Message(id=new_id(made), parent=asked.id, role="assistant", text=told["summary"], **known)
        await store.write(messages.add, said)
    await store.close()


class Desk:
    """A display with the window on it."""

    def __init__(
        self, variables: Mapping[str, str], environ: Mapping[str, str], name: str, wanted: Sequence[str]
    ) -> None:
        self.environ = dict(os.environ) | dict(variables)
        self.variables, self.ours, self.name, self.wanted = variables, environ, name, wanted

    def keys(self, *names: str) -> None:
        """Press keys."""
        subprocess.run(["xdotool", "key", "--clearmodifiers", *names], env=self.environ, check=True)

    def type(self, text: str) -> None:
        """Type a text as a person does, only faster."""
        subprocess.run(["xdotool", "type", "--delay", "4", text], env=self.environ, check=True)

    def wait_for_title(self, title: str, seconds: float = 30) -> None:
        """Wait until a window with this in its title is there, and give it the keyboard."""
        find = ["xdotool", "search", "--onlyvisible", "--name", title]
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            done = subprocess.run(find, env=self.environ, capture_output=True, text=True)
            if done.stdout.strip():
                window = done.stdout.split()[-1]
                subprocess.run(["xdotool", "windowactivate", "--sync", window], env=self.environ, check=True)
                return
            time.sleep(0.1)
        raise TimeoutError(f"no window named {title!r}")

    def ended(self, seconds: float = 60) -> None:
        """Wait until the newest answer of the conversation is whole."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if not any(told["running"] for told in self.command("sessions", "list", "--json")):
                return
            time.sleep(0.2)
        raise TimeoutError("the turn did not end")

    def command(self, *words: str) -> Any:
        """Run a terminal command in the same home and return its JSON."""
        done = subprocess.run([*LAUNCH, *words], env=self.ours, capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    def keep_rules(self) -> None:
        """Write the story's rules into their file, a line that cannot be used among them."""
        home = find_home({"BRAMBLE_HOME": self.ours["BRAMBLE_HOME"]})
        text = "\n".join(STORY["rules"]).replace("FOLDER", str(Path(self.ours["HOME"], "Documents/invoices")))
        rules_path(home.settings).write_text(text + "\n", encoding="utf-8")

    def rest(self) -> None:
        """Wait until the screen has come to rest."""
        before = b""
        for _ in range(40):
            now = self._screen("rgb:-")
            if now == before:
                return
            before = now
            time.sleep(0.25)

    def shoot(self, what: str) -> None:
        """Keep the whole screen as a PNG file, where this picture is wanted."""
        self.rest()  # in any case: what is pressed next is for what is shown by then
        if self.wanted and what not in self.wanted:
            return
        target = HERE / f"{what}-{self.name}.png"
        self._screen("-strip", "-define", "png:compression-level=9", str(target))
        print(target.relative_to(HERE.parents[1]))

    def _screen(self, *words: str) -> bytes:
        command = ["import", "-silent", "-window", "root", *words]
        return subprocess.run(command, env=self.environ, check=True, stdout=subprocess.PIPE).stdout


@contextmanager
def shadows(variables: Mapping[str, str]) -> Iterator[None]:
    """Give windows the soft shadow that desktops draw, where picom is installed."""
    if not shutil.which("picom"):
        yield
        return
    soft = ["--shadow", "--shadow-radius", "18", "--shadow-opacity", "0.35", "--config", "/dev/null"]
    command = ["picom", "--backend", "xrender", *soft]
    compositor = subprocess.Popen(command, env=os.environ | variables, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        end(compositor)


def tell(desk: Desk) -> None:
    """Go through the story and take its pictures."""
    desk.wait_for_title("Bramble")
    desk.shoot("start")
    if desk.wanted == ["start"]:
        return
    desk.type(STORY["request"])
    desk.keys("Return")
    desk.wait_for_title(STORY["questions"][0])
    desk.rest()  # a question that has just come up hears nothing for a moment
    desk.keys("shift+Tab", "Down", "Tab", "alt+Down", "space")
    desk.shoot("approval")
    desk.keys("alt+e")
    desk.shoot("edit")
    desk.keys("Escape")
    desk.rest()
    desk.keys("Return")
    desk.wait_for_title(STORY["questions"][1])
    desk.shoot("command")
    desk.keys("alt+a", "space")
    desk.wait_for_title("Bramble")
    desk.ended()
    desk.shoot("answer")
    desk.keys("ctrl+3")
    desk.shoot("changes")
    desk.keep_rules()  # not before: the window says of faults that it finds when a turn begins
    desk.keys("ctrl+4")
    desk.shoot("permissions")
    desk.keys("ctrl+5")
    desk.shoot("tools")
    desk.keys("ctrl+shift+i")
    desk.shoot("context")


def main(arguments: list[str]) -> int:
    """Take all pictures, or those of the theme and scale given (light-100), or only some of them (start)."""
    missing = [name for name in NEEDED if not shutil.which(name)]
    if missing:
        print(f"these programs are needed: {' '.join(missing)}", file=sys.stderr)
        return 1
    looks = [word for word in arguments if word.startswith(("light", "dark"))]
    wanted = [word for word in arguments if word not in looks]
    for theme in ("light", "dark"):
        for scale in (1, 2):
            name = f"{theme}-{scale}00"
            if not looks or any(name.startswith(look) for look in looks):
                if not wanted or "first" in wanted:
                    take_first(theme, scale, name, wanted)
                if wanted != ["first"]:
                    take(theme, scale, name, [word for word in wanted if word != "first"])
    return 0


def take_first(theme: str, scale: int, name: str, wanted: Sequence[str]) -> None:
    """Take the picture of the very first start, in a home with nothing in it."""
    with tempfile.TemporaryDirectory(prefix="bramble-") as place, display(WIDTH, HEIGHT, scale) as screen:
        home = find_home({"BRAMBLE_HOME": str(Path(place, "bramble"))})
        home.make()
        seen = {"theme": theme, "width": WIDTH, "height": HEIGHT}
        (home.data / "window.json").write_text(json.dumps(seen), encoding="utf-8")
        home.settings.write_text(f'theme = "{theme}"\n', encoding="utf-8")
        variables = {**screen, "HOME": place, "QT_SCALE_FACTOR": str(scale)}
        environ = environment(Path(place, "bramble"), BRAMBLE_TRACE_START="0", **variables)
        window = subprocess.Popen(LAUNCH, env=environ, stderr=subprocess.PIPE, text=True, cwd=place)
        try:
            read_lines(window, "start session")
            desk = Desk(screen, environ, name, wanted)
            desk.wait_for_title("Bramble")
            desk.shoot("first")
        finally:
            end(window)


def take(theme: str, scale: int, name: str, wanted: Sequence[str]) -> None:
    """Take the pictures of one theme at one scale."""
    with tempfile.TemporaryDirectory(prefix="bramble-") as place, display(WIDTH, HEIGHT, scale) as screen:
        person, data = make_person(Path(place), theme)
        with serving(STORY["replies"], person) as server:
            variables = {
                **screen,
                **server.variables("demo"),
                "HOME": str(person),
                "QT_SCALE_FACTOR": str(scale),
            }
            environ = environment(data, BRAMBLE_TRACE_START="0", **variables)
            pipe = subprocess.PIPE
            window = subprocess.Popen(LAUNCH, env=environ, stderr=pipe, text=True, cwd=person)
            try:
                read_lines(window, "start sandbox")  # the last that an opened window learns and shows
                with shadows(screen):
                    tell(Desk(screen, environ, name, wanted))
            finally:
                end(window)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
