"""Every fault of a provider, on each wire, through the whole engine and the terminal: what the person reads,
what is stored, and that the next message works. The table in `faults.md` is made here.

BRAMBLE_WRITE_FAULTS=1 writes it anew; else each row must stand in it as it came out.
"""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PIL import Image

from app.engine import Engine
from app.events import Event, Noticed, RetryWaited
from app.models.answer import Bounds
from app.platform.paths import home as home_of
from app.records import Message
from tests.servers.certificates import serving
from tests.servers.scripted import Exchange, Script, ScriptedServer, scripted
from tests.wires.cases import CASES as OTHERS, Case, section
from tests.wires.failing import PATHS, WIRES, answer, silent
from tests.wires.faults import FAULTS, Fault
from tests.wires.test_errors import free_port
from ui.terminal.output import Terminal
from ui.terminal.report import Report
from ui.terminal.turn_view import TurnView
from ui.words import problem_text, stop_text

TABLE = Path(__file__).with_name("faults.md")
HEAD = """# What a person meets when a provider fails

Made by `tests/wires/test_faults.py` (BRAMBLE_WRITE_FAULTS=1), which holds it: every row ran against a real
server behind the whole engine and the terminal, on the wires that are named. *Tries* are requests that
reached the server, with the seconds between them; *kept* is what the conversation holds of the answer.
Whatever happened, the next message was answered.

| what happens | wires | tries | the person reads | what helps | kept | exit |
|---|---|---|---|---|---|---|
"""
AGAIN = "Hello again"
SYSTEM = ("no_network", "tls", "proxy_failed", "server_error", "cut_stream")
"""Codes whose detail may be the words of the system, which differ from one to the other."""


class World:
    """An engine of its own home, the server that it talks to, and a person at a terminal."""

    def __init__(self, fault: Fault, wire: str, place: Path, server: ScriptedServer) -> None:
        self.fault, self.wire, self.server = fault, wire, server
        self.folder = place / "work"
        self.folder.mkdir()
        self.environ = {
            **{key: value for key, value in os.environ.items() if not key.lower().endswith("_proxy")},
            "BRAMBLE_HOME": str(place / "home"),
            "BRAMBLE_API_KEY": "sk-test",
            "BRAMBLE_MODEL": "test-model",
            "BRAMBLE_WIRE": wire,
            "LANGUAGE": "en",
        }
        self.home = home_of(self.environ)
        self.home.make()
        self.events: list[Event] = []
        self.waits: list[float] = []
        self.engine = Engine(self.home, self.environ)
        self.session = ""

    def point(self, url: str, *, whole: bool) -> None:
        """Point the environment to a server, and `whole` sets everything right."""
        self.environ |= {"BRAMBLE_BASE_URL": url, "BRAMBLE_API_KEY": "sk-test"}
        if not whole:
            root = url.removesuffix("/v1")
            self.environ |= {name: value.format(root=root) for name, value in self.fault.environ.items()}
        dead = f"http://127.0.0.1:{free_port()}"
        lines = "" if whole else self.fault.settings.replace("{dead}", dead).replace("{url}", url[:-3])
        self.home.settings.parent.mkdir(parents=True, exist_ok=True)
        self.home.settings.write_text(lines)

    async def open(self) -> None:
        """Begin a conversation."""
        await self.engine.open()
        self.engine.subscribe(self.events.append)
        client = self.engine.models.client

        async def sleep(seconds: float) -> None:
            self.waits.append(seconds)

        client._sleep, client._chance, client._bounds = sleep, lambda: 1.0, Bounds(characters=20_000)
        self.session = (await self.engine.sessions.create(cwd=str(self.folder))).id

    async def say(self, text: str) -> Report:
        """Say something as `ask` does, and wait for the end."""
        report, view = Report(session=self.session), TurnView(Terminal(self.environ))
        ends = [self.engine.subscribe(report.take), self.engine.subscribe(view.take)]
        report.turn = (await self.engine.send(self.session, text)).turn
        await self.engine.wait(self.session)
        for end in ends:
            end()
        if report.ended is not None and report.ended.stop not in ("done", "failed"):
            Terminal(self.environ).note(stop_text(report.ended.stop))
        return report

    async def pictured(self, text: str) -> str:
        """A message with a picture."""
        picture = self.home.data / "shot.png"
        Image.new("RGB", (30, 20), "red").save(picture)
        return await self.engine.attach(text, [str(picture)])

    async def last(self) -> Message:
        """The newest message of the conversation."""
        return (await self.engine.sessions.messages(self.session))[-1]


@asynccontextmanager
async def world(fault: Fault, wire: str, place: Path, certificate: tuple[Path, Path]) -> AsyncIterator[World]:
    """The server plays the fault, then works."""
    turn = [*([answer(wire, "Read.", 25_000)] if fault.before else []), *fault.scripts(wire)]
    scripts: tuple[Script, ...] = (*turn, answer(wire, "All well."))

    async def script(exchange: Exchange) -> None:
        if exchange.request.method == "GET":
            await exchange.answer(404, {"error": "no list"})
            return
        number = sum(one.method == "POST" for one in server.requests)
        await scripts[min(number, len(scripts)) - 1](exchange)

    async with scripted(script) as server, AsyncExitStack() as stack:
        made = World(fault, wire, place, server)
        made.point(await _address(fault, server, certificate, stack), whole=False)
        await made.open()
        try:
            yield made
        finally:
            await made.engine.close()


async def _address(
    fault: Fault, server: ScriptedServer, certificate: tuple[Path, Path], stack: AsyncExitStack
) -> str:
    if fault.name.startswith("nobody listens"):
        return f"http://127.0.0.1:{free_port()}/v1"
    if fault.code != "tls":
        return server.url
    secure = await stack.enter_async_context(scripted(silent, tls=serving(certificate)))
    return secure.url


def posts(server: ScriptedServer) -> list[Any]:
    """The requests to the model, without looks at its list."""
    return [one for one in server.requests if one.method == "POST"]


CASES = [(fault, wire) for fault in FAULTS for wire in WIRES]


@pytest.mark.parametrize(("fault", "wire"), CASES, ids=lambda one: getattr(one, "name", one))
async def test_a_fault_is_told_and_the_conversation_goes_on(
    fault: Fault,
    wire: str,
    tmp_path: Path,
    certificate: tuple[Path, Path],
    capsys: pytest.CaptureFixture[str],
    table: dict[tuple[str, str], str],
) -> None:
    async with world(fault, wire, tmp_path, certificate) as at:
        if fault.before:
            await at.say(fault.before)
        earlier = len(posts(at.server))
        report = await at.say(await at.pictured("Hello") if fault.picture else "Hello")
        tries = len(posts(at.server)) - earlier
        read = capsys.readouterr()
        kept = await at.last()
        ended = report.ended
        assert ended is not None
        code = fault.codes.get(wire, fault.code)
        assert (ended.stop, ended.problem.code if ended.problem else "") == (fault.stop, code)
        assert (tries, report.exit) == (fault.tries, fault.exit)
        assert fault.waits is None or tuple(at.waits) == fault.waits
        waited = [event for event in at.events if isinstance(event, RetryWaited)]
        assert [event.seconds for event in waited] == at.waits, "each wait is told beforehand"
        assert not list(at.folder.iterdir()), "no half-received call ran"
        assert (
            kept.role == "assistant"
            and kept.text.startswith(fault.kept)
            and bool(kept.text) == bool(fault.kept)
        )
        assert kept.state == ("failed" if fault.code else "complete") and not kept.calls
        assert (kept.problem.code if kept.problem else "") == code
        assert "sk-test" not in read.err + read.out and "Traceback" not in read.err
        for text in filter(None, [problem_text(ended.problem) if ended.problem else None]):
            assert text.title in read.err and text.detail in read.err and "{" not in text.title
        if fault.beside:
            assert fault.beside in [one.problem.code for one in at.events if isinstance(one, Noticed)]
        table[fault.name, wire] = row(fault, at, read.err, kept)

        at.point(at.server.url, whole=True)
        await at.engine.settings_changed()
        after = await at.say(AGAIN)
        assert after.ended is not None and (after.ended.stop, after.text) == ("done", "All well.")
        sent = posts(at.server)[-1]
        assert sent.path.endswith(PATHS[wire]) and sent.body.count(AGAIN.encode()) == 1
        assert sent.body.count(b"Hello") == 2, "what was said before is sent too, once"
        for one in sent.json.get("messages", []):
            assert one["role"] != "assistant" or one.get("content"), "no empty answer goes to a provider"


def row(fault: Fault, at: World, read: str, kept: Message) -> str:
    """The cells of a case behind its name and wire."""
    between = ", ".join(f"{seconds:g} s" for seconds in at.waits)
    tries = f"{fault.tries} ({between})" if between else str(fault.tries)
    lines = [line.strip() for line in read.splitlines() if line.strip()]
    shown = next((line for line in lines if line.startswith("Try:")), "")
    words = " ".join(dict.fromkeys(line for line in lines if line != shown))
    port = str(at.server.port)
    for address in {
        f"127.0.0.1:{port}",
        *(word.strip(".,") for word in words.split() if "127.0.0.1:" in word),
    }:
        words = words.replace(address, "ADDRESS")
    problem = kept.problem
    if problem is not None and problem.code in SYSTEM and "status" not in problem.fields and problem.detail:
        own = problem_text(problem).detail
        bare = problem_text(msgspec.structs.replace(problem, detail="")).detail
        words = words.replace(own, f"{bare} (the system's own words)")
    state = {"complete": "whole", "failed": "marked as broken off"}[kept.state]
    text = f"“{kept.text[:30].strip()}”, {state}" if kept.text else "the words of the person"
    return " | ".join([tries, words, shown.removeprefix("Try: "), text, str(fault.exit)]).replace("\n", " ")


@pytest.mark.parametrize("case", OTHERS, ids=lambda case: case.source)
def test_a_case_of_others_is_held_by_its_test_and_stands_in_the_table(case: Case) -> None:
    assert case.code in case.source_of_proof(), "the test names the problem that the person reads"
    assert case.row in TABLE.read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def table() -> Any:
    """The rows that came out; compared with the file, or written to it, when all have run."""
    found: dict[tuple[str, str], str] = {}
    yield found
    if len(found) < len(CASES):
        return  # a part was run: whole rows cannot be told
    lines = []
    for fault in FAULTS:
        cells = {wire: found[fault.name, wire] for wire in WIRES}
        for text in dict.fromkeys(cells.values()):
            wires = [wire for wire in WIRES if cells[wire] == text]
            lines.append(f"| {fault.name} | {'all' if len(wires) == 3 else ', '.join(wires)} | {text} |")
    made = HEAD + "\n".join(lines) + "\n" + section()
    if os.environ.get("BRAMBLE_WRITE_FAULTS"):
        TABLE.write_text(made, encoding="utf-8")
        sys.stdout.write(made)
    assert TABLE.read_text(encoding="utf-8") == made, "BRAMBLE_WRITE_FAULTS=1 writes it anew"
