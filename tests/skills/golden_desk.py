"""A desk on which a golden request runs whole: the engine, its tools and servers are real, only what the
model says is scripted; a person answers every question with yes.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import tomllib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tomlkit

from app.capabilities.search.engines import _FILE as ENGINES
from app.events import ApprovalAsked, Event, ToolFinished, ToolStarted
from app.records import Answer, Approval, Message, TurnOptions
from app.toolbox.registry import CORE
from app.toolbox.skills.places import gather, places
from tests.conversation.test_engine import Bench, bench, calls, says
from tests.servers.scripted import Exchange, Script, scripted
from tests.servers.site import site
from tests.tools.web.test_web_search import duck

GOLDEN = tomllib.loads((Path(__file__).parent / "golden.toml").read_text("utf-8"))
SUGGESTED = {skill.name: frozenset(skill.tools) for skill in gather(places(Path("/nowhere")))}
LATER: frozenset[str] = frozenset()
"""Suggested tools that are not there yet: a run calls all others."""
PERSON = "[init]\n\tdefaultBranch = main\n[user]\n\tname = Ada\n\temail = ada@example.org\n"

Arguments = Mapping[str, Any]
Later = Callable[[list[dict[str, Any]]], Arguments]
"""Arguments that follow from what the model was told so far, as an id does."""


def does(*wanted: tuple[str, Arguments | Later]) -> Script:
    """The model calls tools: those of the core by name, all others through use_tool."""

    async def script(exchange: Exchange) -> None:
        told = exchange.request.json["messages"]
        made = [(name, dict(given(told) if callable(given) else given)) for name, given in wanted]
        by_bridge = [
            one if one[0] in CORE else ("use_tool", {"name": one[0], "arguments": one[1]}) for one in made
        ]
        await calls(*by_bridge)(exchange)

    return script


def told(messages: Sequence[Mapping[str, Any]]) -> str:
    """Return all that tools answered so far."""
    return "\n".join(str(message["content"]) for message in messages if message["role"] == "tool")


@dataclass
class Ran:
    """What came of a golden request."""

    scene: Bench
    session: str
    turn: str
    started: list[ToolStarted]
    finished: list[ToolFinished]
    asked: list[Approval]
    messages: Sequence[Message]

    @property
    def called(self) -> set[str]:
        """The tools that ran and did what they should; those of the bridge by their own names."""
        return {event.tool for event in self.finished if event.ok}

    @property
    def questions(self) -> list[str]:
        """Which tools the person was asked about, in order."""
        return [approval.tool for approval in self.asked]

    def text(self, tool: str, number: int = 0) -> str:
        """Return what a tool answered, the first time or the `number`-th after it."""
        return [event.text for event in self.finished if event.tool == tool][number]

    @property
    def answer(self) -> str:
        """The final answer."""
        return self.messages[-1].text


@dataclass
class GoldenDesk:
    """The folder, home and settings before a run."""

    tmp_path: Path
    settings: dict[str, Any] = field(default_factory=lambda: {"browser": "none"})
    environ: dict[str, str] = field(default_factory=dict)
    allow: list[str] = field(default_factory=list)
    engines: str = ""

    def __post_init__(self) -> None:
        for folder in (self.folder, self.home, self.person):
            folder.mkdir(parents=True, exist_ok=True)
        (self.person / ".gitconfig").write_text(PERSON)
        self.environ["HOME"] = str(self.person)

    @property
    def folder(self) -> Path:
        """The working folder."""
        return self.tmp_path / "work"

    @property
    def home(self) -> Path:
        """BRAMBLE_HOME."""
        return self.tmp_path / "home"

    @property
    def person(self) -> Path:
        """HOME."""
        return self.tmp_path / "person"

    def write(self, name: str, content: str | bytes) -> Path:
        """Write a file of the working folder."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def git(self, *words: str) -> str:
        """Run Git in the working folder as the person would."""
        environ = {"PATH": os.environ["PATH"], "HOME": str(self.person), "GIT_CONFIG_NOSYSTEM": "1"}
        done = subprocess.run(
            ["git", *words], cwd=self.folder, env=environ, capture_output=True, text=True, check=True
        )
        return done.stdout

    def commit(self, message: str) -> str:
        """Commit all and return the id."""
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)
        return self.git("rev-parse", "HEAD").strip()

    @asynccontextmanager
    async def site(self, routes: Mapping[str, Any]) -> AsyncIterator[str]:
        """Serve pages on this computer, which the person lets the tools of the web read; yield where."""
        async with scripted(site(routes)) as server:
            place = f"127.0.0.1:{server.port}"
            self.allow += [f"{tool}({place})" for tool in ("web_fetch", "web_scrape", "rss_read")]
            yield f"http://{place}"

    async def run(
        self,
        skill: str,
        find: Mapping[str, str],
        *steps: Script,
        answer: str,
        after: Callable[[Ran], Awaitable[None]] | None = None,
    ) -> Ran:
        """Run the golden request of a skill: load it, find its tools by `find` (tool -> words), take the
        steps, answer. Holds what every such run must show; `after` still has the engine.
        """
        self._configure()
        request = GOLDEN[skill]["sure"][0]
        searches = [calls(*(("find_tools", {"query": query}) for query in find.values()))] if find else []
        scripts = (calls(("load_skill", {"names": [skill]})), *searches, *steps, says(answer))
        async with bench(self.tmp_path, *scripts, **self.environ) as scene:
            ran = await self._turn(scene, request)
            if after is not None:
                await after(ran)
        newest = scene.asked(1)[-1]
        assert newest["role"] == "user" and f"A skill that fits: {skill} (load_skill)" in str(newest), newest
        failed = [(event.tool, event.text) for event in ran.finished if not event.ok]
        assert failed == [], failed
        assert ran.text("load_skill").count("\n") > 20
        for number, tool in enumerate(find):
            assert f'{{"name":"{tool}",' in ran.text("find_tools", number), (tool, find[tool])
        assert ran.answer == answer, [(event.tool, event.text[-400:]) for event in ran.finished]
        return ran

    def _configure(self) -> None:
        (self.home / "settings.toml").write_text(tomlkit.dumps(self.settings))
        if self.engines:
            (self.home / "engines.toml").write_text(self.engines)

    async def _turn(self, scene: Bench, request: str) -> Ran:
        asked: list[Approval] = []
        answering: set[asyncio.Task[Any]] = set()

        def answer(event: Event) -> None:
            if isinstance(event, ApprovalAsked):
                asked.append(event.approval)
                given = Answer(decision="allow", by="person")
                answering.add(asyncio.ensure_future(scene.engine.answer(event.approval.id, given)))

        scene.engine.subscribe(answer)
        ended = await scene.turn(request, TurnOptions(allow=tuple(self.allow)))
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(*answering)
        assert ended.stop == "done"
        messages = await scene.engine.sessions.messages(ended.session)
        return Ran(
            scene,
            ended.session,
            ended.turn,
            [event for event in scene.events if isinstance(event, ToolStarted)],
            [event for event in scene.events if isinstance(event, ToolFinished)],
            asked,
            messages,
        )


def whole(ran: Ran, skill: str) -> None:
    """Every tool that a skill suggests was called and did its work."""
    assert SUGGESTED[skill] - LATER - ran.called == set()


def searching(desk: GoldenDesk, url: str, *names: str) -> Any:
    """Let web_search ask one engine, on this computer; return the route that answers it."""
    known = tomllib.loads(ENGINES.read_text("utf-8"))
    engine = url.replace("127.0.0.1", "localhost")  # what leads to an engine's own host is no result
    for name, one in known.items():
        if not one.get("address"):
            one["url"] = f"{engine}/{name}"
        one["off"] = name != "duckduckgo"
    desk.engines = tomlkit.dumps(known)
    return duck(*((name.title(), f"{url}/{name}", f"All about {name}") for name in names))
