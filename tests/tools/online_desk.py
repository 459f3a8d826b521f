"""A desk for tests of tools that reach the web: real sockets, a real gate with rules, a person who
answers.
"""

from __future__ import annotations

import os
import ssl
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.capabilities.gate import Gate, Stance
from app.capabilities.online import Call, Online, acting, reading
from app.capabilities.web import Web
from app.capabilities.web_addresses import resolve
from app.capabilities.web_sending import Way
from app.errors import BrambleError
from app.models.models import Models
from app.permissions.policy import policy
from app.platform.paths import Home, home as find_home
from app.records import Answer, Decision, Effect, Mark
from app.settings import Settings
from tools import ReadContext, ToolContext, ToolFailed, ToolResult

VARIABLES = {"github": "GH_ENTERPRISE_TOKEN", "brave": "BRAVE_API_KEY", "tavily": "TAVILY_API_KEY"}


async def _never(*given: Any, **more: Any) -> Any:
    raise AssertionError("no test of this desk changes settings or tells other processes")


@dataclass
class OnlineDesk:
    """What a test works with. `answer` is the person; `keys` are those of accounts; `names` say where
    hosts are that no system knows.
    """

    folder: Path
    settings: Settings = field(default_factory=Settings)
    keys: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    answer: Callable[[Effect], Answer] = lambda effect: Answer(decision="allow", by="test")
    asked: list[Effect] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    marks: tuple[Mark, ...] = ()
    now: float = 1_796_000_000.0
    last: Gate | None = None
    _online: Online | None = None

    async def _resolve(self, host: str, port: int) -> Sequence[str]:
        return [self.names[host]] if host in self.names else await resolve(host, port)

    @property
    def online(self) -> Online:
        """What all calls of this desk share."""
        if self._online is None:
            web = Web(lambda: Way(self._resolve, ssl.create_default_context))
            models = Models(self.home, self.environ, lambda: self.settings, _never, print, _never)
            self._online = Online(
                web, self.home, self.environ, lambda: self.settings, models, lambda: self.now
            )
        return self._online

    @property
    def environ(self) -> dict[str, str]:
        """The environment: the keys of the desk, no keyring, no program of GitHub's."""
        return {
            **{name: value for name, value in os.environ.items() if not name.endswith("_TOKEN")},
            **{VARIABLES[name]: key for name, key in self.keys.items()},
            "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
            "BRAMBLE_HOME": str(self.folder / "home"),
        }

    @property
    def home(self) -> Home:
        """Where the data of this desk are."""
        return find_home(self.environ)

    def engines(self, text: str) -> None:
        """Write the person's own file of engines."""
        path = self.home.settings.with_name("engines.toml")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def gate(
        self,
        tool: str,
        *,
        allow: Sequence[str] = (),
        deny: Sequence[str] = (),
        yes: bool = False,
        attended: bool = True,
        stance: Stance = "act",
        named: Sequence[str] = (),
    ) -> Gate:
        async def ask(effect: Effect, decision: Decision) -> Answer:
            self.asked.append(effect)
            return self.answer(effect)

        import msgspec

        made = policy(str(self.folder), allow, deny, yes=yes, attended=attended)
        made = msgspec.structs.replace(made, marks=self.marks, named_hosts=frozenset(named))
        self.last = Gate(tool=tool, policy=made, ask=ask, stance=stance)
        return self.last

    async def call(self, tool: Any, /, *, reads: bool = True, files: Any = None, **given: Any) -> ToolResult:
        """Call a tool; what is in `rules` goes to the gate. A failure comes back as a result that is
        not ok.
        """
        rules: Mapping[str, Any] = given.pop("rules", {})
        gate = self.gate(tool.__name__, **rules)
        call = Call(self.online, gate, tool.__name__, self.told.append)
        given_to = (self.online, gate, tool.__name__, self.told.append)
        cwd = str(self.folder)
        context: Any
        if reads:
            made = reading(*given_to)
            context = ReadContext(
                cwd,
                files,
                None,
                self.told.append,
                search=made.search,
                services=made.services,
                pages=made.pages,
                web=call.talk(gate),
            )
        else:
            did = acting(*given_to, files)
            context = ToolContext(
                cwd,
                files,
                None,
                self.told.append,
                search=did.search,
                services=did.services,
                pages=did.pages,
                pictures=did.pictures,
            )
        try:
            return await tool(context, **given)
        except (ToolFailed, BrambleError) as error:
            return ToolResult(str(error), getattr(error, "code", "failed"), ok=False)
