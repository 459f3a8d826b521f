"""A person at the window for the first time: from an empty home to the first answer by one route, with a real
mouse and keyboard; run as a program on a desk's display.

Prints one JSON object: what was answered, and the seconds that the program took between what the person did.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from tests.servers.copilot import CLIENT_ID, copilot_server
from tests.servers.responses import arrives, ends, message, streams
from tests.servers.scripted import Exchange, Script, ScriptedServer, fails, says, scripted_in_thread
from tests.window.furnished import Furnished

ANSWER = "Here I am, from the other end."
PATIENCE = 120.0
MOST_STEPS = 60
"""Parts that Tab may come by on its way to the one that is wanted."""


class Waiting:
    """Lets the window work while a condition does not hold yet; stands in for a test's robot."""

    def __init__(self, app: QApplication) -> None:
        self.app = app

    def waitUntil(self, condition: Callable[[], None], timeout: int) -> None:
        """Work until `condition` no longer fails."""
        end = time.monotonic() + max(PATIENCE, timeout / 1000)
        while True:
            try:
                return condition()
            except AssertionError:
                if time.monotonic() > end:
                    raise
            self.app.processEvents()
            time.sleep(0.002)


class Person:
    """Clicks and types on the display; `seconds` counts what the program took in between."""

    def __init__(self, app: QApplication, home: Path) -> None:
        self.seconds: dict[str, float] = {}
        self.furnished = Furnished(app, Waiting(app), os.environ)  # type: ignore[arg-type]
        self._begun = time.monotonic()
        self.life: Any = self.furnished.open()
        self.life.window.chat.composer.editor.setFocus()  # as `ui.window.start` does
        self.wait(lambda: self.life.rest.empty.isVisible() or self.page is not None, "the first page")

    @property
    def page(self) -> Any:
        """The page of the first start, None where it is not shown."""
        page = self.life.rest.first_run
        return page if page is not None and page.isVisible() else None

    def wait(self, condition: Callable[[], object], what: str) -> None:
        """Wait for the program, and count that."""
        self.furnished.until(condition, what)
        now = time.monotonic()
        self.seconds[what] = round(now - self._begun, 3)
        self._begun = now

    def click(self, part: QWidget) -> None:
        """Click in the middle of a part, as the mouse does."""
        if self.page is not None and self.page.isAncestorOf(part):
            self.page.area.ensureWidgetVisible(part)
        place: list[QPoint] = []

        def still() -> bool:
            place.append(part.mapToGlobal(part.rect().center()))
            return len(place) > 30 and place[-1] == place[-25] and part.isVisible()

        self.furnished.until(still, f"{part.accessibleName()} to stand still")
        ratio = part.devicePixelRatioF()
        at = place[-1]
        self._do("mousemove", "--sync", str(round(at.x() * ratio)), str(round(at.y() * ratio)))
        self._begun = time.monotonic()
        self._do("click", "1")

    def press(self, words: str, within: QWidget) -> None:
        """Click the button of that name."""
        found: list[QPushButton] = []

        def there() -> bool:
            found[:] = [
                one
                for one in within.findChildren(QPushButton)
                if words in (one.accessibleName(), one.text()) and one.isVisible() and one.isEnabled()
            ]
            return bool(found)

        self.furnished.until(there, f"the button {words!r}")
        self.click(found[0])

    def type(self, text: str, field: Any) -> None:
        """Type a text into a field that was clicked."""
        self.furnished.until(field.hasFocus, "the field to take keys")
        self._do("type", "--delay", "2", text)
        self.furnished.until(lambda: field.text() == text, "what was typed")

    def key(self, *names: str) -> None:
        """Press keys."""
        self._begun = time.monotonic()
        self._do("key", *names)

    def go(self, route: str) -> Any:
        """Open the screen of a route."""
        page = self.page
        self.click(page.ways.rows[route].findChildren(QPushButton)[0])
        self.wait(lambda: page.shown == route, f"the screen {route}")
        return page

    def finish(self) -> str:
        """Take no folder, send the example, and return what the transcript then holds."""
        page = self.page
        self.wait(lambda: page.shown == "folder", "the step of the folder")
        self.click(page.folder.none)
        self.wait(lambda: page.shown == "try", "the step to try it")
        self.click(page.example.first)
        return self.answered()

    def answered(self) -> str:
        """Wait for the end of the turn and return the answer."""
        life = self.life
        self.wait(lambda: life.conversation.running or life.conversation.newest, "the turn to begin")
        self.wait(lambda: not life.conversation.running and "\n" in self.furnished.text(), "the answer")
        return self.furnished.text()

    def _do(self, *words: str) -> None:
        running = subprocess.Popen(["xdotool", *words])
        self.furnished.until(lambda: running.poll() is not None, "the keyboard and the mouse")


class Typist(Person):
    """Never touches the mouse: Tab leads to each part, Space and Enter press it in turn. `faults` are parts
    on the way that do not show that they have the keyboard, or that it leads to out of sight.
    """

    def __init__(self, app: QApplication, home: Path) -> None:
        self.faults: list[str] = []
        self._pressed = 0
        super().__init__(app, home)

    def click(self, part: QWidget) -> None:
        """Go to a part by Tab, and press it where it is a button."""
        self.furnished.until(lambda: part.isVisible() and part.isEnabled(), f"{named(part)} to be there")
        steps: list[str] = []
        while not part.hasFocus():
            if len(steps) > MOST_STEPS:
                raise AssertionError(f"Tab never came to {named(part)}, only to {steps}")
            steps.append(self._step())
        if isinstance(part, QPushButton):
            self._pressed += 1
            self.key("space" if self._pressed % 2 else "Return")

    def _step(self) -> str:
        """Press Tab, and look at what had the keyboard and at what has it now; return the latter's name."""
        before = QApplication.focusWidget()
        lit = None if before is None else before.grab().toImage()
        self.key("Tab")
        self.furnished.until(
            lambda: QApplication.focusWidget() is not before, f"Tab to leave {named(before)}"
        )
        now = QApplication.focusWidget()
        self.furnished.app.processEvents()
        if before is not None and before.isVisible() and lit == before.grab().toImage():
            self.faults.append(f"{named(before)} looks the same with the keyboard")
        area = self.page.area.viewport() if self.page is not None else None
        if now is not None and area is not None and area.isAncestorOf(now):
            middle = now.mapTo(area, now.rect().center())
            if not area.rect().contains(middle):
                self.faults.append(f"{named(now)} is out of sight")
        return named(now)


def named(part: QWidget | None) -> str:
    """What a part is called."""
    return "nothing" if part is None else part.accessibleName() or type(part).__name__


# --- the servers -------------------------------------------------------------------------------------------


def lists(paths: Mapping[str, Any], answer: Script) -> Script:
    """A script that answers some paths with JSON, and every request of a model with `answer`."""

    async def script(exchange: Exchange) -> None:
        path = exchange.request.path.split("?")[0]
        if path in paths:
            await fails(200, paths[path])(exchange)
        elif exchange.request.method == "POST":
            await answer(exchange)
        else:
            await fails(404, {"error": "not found"})(exchange)

    return script


def listed(*names: str) -> dict[str, Any]:
    """A list of models as the servers of this computer send it."""
    return {"object": "list", "data": [{"id": name, "object": "model"} for name in names]}


OLLAMA = {
    "/v1/models": listed("qwen3:8b"),
    "/api/ps": {"models": [{"name": "qwen3:8b", "context_length": 32768}]},
}
LM_STUDIO = {
    "/v1/models": listed("gemma-4-12b"),
    "/api/v0/models": {"data": [{"id": "gemma-4-12b", "loaded_context_length": 32768}]},
}
LLAMA_CPP = {
    "/v1/models": {"models": [{"name": "phi-5.gguf"}], **listed("phi-5.gguf")},
    "/props": {"default_generation_settings": {"n_ctx": 32768}},
}
KILO = {"/v1/models": {"data": [{"id": "a/paid"}, {"id": "b/open:free", "name": "Open"}]}}
LOCAL = {"ollama": OLLAMA, "lmstudio": LM_STUDIO, "llamacpp": LLAMA_CPP}
THOUGHTS = streams(*arrives(0, message(ANSWER)), ends(message(ANSWER)))


# --- the routes --------------------------------------------------------------------------------------------


def local_server(person: Person, server: Any) -> str:
    """A server of this computer that is found."""
    page = person.page
    person.wait(lambda: any("Use " in one for one in names(page.ways.servers)), "the servers to be found")
    person.press(next(one for one in names(page.ways.servers) if one.startswith("Use ")), page.ways.servers)
    return person.finish()


def bramble_variables(person: Person, server: Any) -> str:
    """BRAMBLE_BASE_URL and the others: nothing is left to choose."""
    person.wait(lambda: person.life.rest.empty.isVisible(), "the examples")
    person.click(person.life.rest.empty.examples[0])
    person.furnished.until(lambda: person.life.window.chat.composer.text(), "the example in the field")
    person.key("Return")
    return person.answered()


def found_key(person: Person, server: Any) -> str:
    """OPENAI_API_KEY is there."""
    person.press("Use OpenAI", person.page.ways.found)
    return person.finish()


def own_key(person: Person, server: Any) -> str:
    """A key is typed, and no keyring answers."""
    page = person.go("key")
    person.furnished.until(page.entry.provider.count, "the providers")
    person.click(page.entry.field)
    person.type("sk-typed-by-hand", page.entry.field)
    person.key("Return")
    person.wait(page.entry._agree.isVisible, "the offer of a file")
    person.click(page.entry._agree)
    return person.finish()


def copilot(person: Person, server: Any) -> str:
    """The terms, the code, the wait at GitHub."""
    page = person.go("copilot")
    panel = page.sign_in
    person.press("I have read this, go on", panel)
    person.wait(panel.begin.isVisible, "the field for the client id")
    person.click(panel.field)
    person.type(CLIENT_ID, panel.field)
    person.key("Return")
    person.wait(panel.code.isVisible, "the code")
    person.wait(panel.keep.isVisible, "the end of the sign-in")
    person.click(panel.keep)
    person.wait(lambda: "Use GitHub Copilot" in names(panel), "the sign-in to be kept")
    person.press("Use GitHub Copilot", panel)
    return person.finish()


def gateway(person: Person, server: Any) -> str:
    """Free models, after reading what that means."""
    page = person.go("free")
    person.press("I have read this, use it", page._free)
    return person.finish()


def address(person: Person, server: Any) -> str:
    """A server by its address, as it was copied, with a key."""
    page = person.go("server")
    own = page.own_server
    person.click(own.address)
    person.type(f"127.0.0.1:{server.port}/v1/chat/completions", own.address)
    person.key("Return")
    person.wait(own.use.isVisible, "what the server has")
    person.click(own.use)
    return person.finish()


def in_app(person: Person, server: Any) -> str:
    """The model in the app, whose weights are here."""
    page = person.go("app")
    person.press("Use this", page._locals[server])
    return person.finish()


ROUTES: dict[str, Callable[[Person, Any], str]] = {
    "ollama": local_server,
    "lmstudio": local_server,
    "llamacpp": local_server,
    "variables": bramble_variables,
    "found-key": found_key,
    "own-key": own_key,
    "copilot": copilot,
    "gateway": gateway,
    "address": address,
    "in-app": in_app,
}


def names(part: QWidget) -> list[str]:
    """The names of all buttons in sight."""
    return [one.accessibleName() for one in part.findChildren(QPushButton) if one.isVisible()]


def prepare(route: str, home: Path, stack: ExitStack) -> Any:
    """Start the servers of a route, and let the profiles point to them; returns what the route needs."""
    if route == "in-app":
        from tests.whole.weights import SMALL

        write_settings(home, {})
        return SMALL
    if route == "copilot":
        made = stack.enter_context(copilot_server())
        made.interval, made.text = 1, ANSWER
        write_settings(home, {"copilot": made.profile()})
        return made
    script: Script = THOUGHTS
    paths: Mapping[str, Any] = {}
    if route not in ("found-key", "own-key"):
        script = says(ANSWER)
        paths = LOCAL.get(route, KILO if route == "gateway" else {"/v1/models": listed("mine")})
    server = stack.enter_context(scripted_in_thread(lists(paths, script)))
    profile = {"found-key": "openai", "own-key": "openai", "gateway": "kilo"}.get(route, route)
    if route == "variables":
        os.environ.update(BRAMBLE_BASE_URL=server.url, BRAMBLE_API_KEY="key", BRAMBLE_MODEL="mine")
    if route == "found-key":
        os.environ["OPENAI_API_KEY"] = "sk-from-the-environment"
    write_settings(home, {} if route in ("variables", "address") else {profile: {"base_url": server.url}})
    return server


def write_settings(home: Path, profiles: Mapping[str, Mapping[str, str]]) -> None:
    """Point profiles to servers of ours, and those of this computer to where nobody is."""
    tables = {name: {"base_url": "http://127.0.0.1:9/v1"} for name in (*LOCAL, "vllm")}
    lines = []
    for name, table in {**tables, **profiles}.items():
        lines += [f"[profiles.{name}]", *(f"{key} = {json.dumps(value)}" for key, value in table.items())]
    (home / "settings.toml").write_text("\n".join(lines) + "\n")


def main(route: str, by: str = "mouse") -> None:
    """Walk one route and print what came of it; `by` keys alone, or the mouse too."""
    home = Path(os.environ["BRAMBLE_HOME"])
    app = QApplication([])
    with ExitStack() as stack:
        server = prepare(route, home, stack)
        person = Person(app, home) if by == "mouse" else Typist(app, home)
        text = ROUTES[route](person, server)
        sent = server.requests if isinstance(server, ScriptedServer) else getattr(server, "seen", [])
        keys = sorted({one.headers.get("authorization", "") for one in sent if one.method == "POST"})
        person.furnished.close()
    faults = sorted(set(person.faults)) if isinstance(person, Typist) else []
    print(json.dumps({"text": text, "seconds": person.seconds, "keys": keys, "faults": faults}))


if __name__ == "__main__":
    main(*sys.argv[1:])
