"""All tools the app knows: ours from `tools/` (the folder is the category, the module is the tool), and those
of servers and of the person, which come and go.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType, ModuleType

import tools
from app.models.request import ToolSchema
from app.records import Mode, ToolInfo
from app.toolbox.schema import cost_of
from app.toolbox.signature import name_of, spec_of
from app.toolbox.tool import AnyTool as AnyTool, Tool as Tool
from tools import Function

CORE = frozenset(
    {
        "run_command",
        "read_file",
        "write_file",
        "edit_file",
        "list_dir",
        "find_files",
        "grep_files",
        "find_tools",
        "use_tool",
        "load_skill",
        "remember",
        "recall",
    }
)
"""Always offered (product.md 2.2), unless the person deferred them; the others are deferred."""
FINDING = frozenset({"find_tools", "use_tool"})
"""Lead to all others, so they cannot be deferred."""
Only = frozenset[str] | None
"""The tools that a helper may use, None for all."""
FEW = 12
"""So many of them are all offered, and nothing has to be searched for."""


class Registry:
    """All tools by name, in the order of their names. It belongs to the loop of the engine: `tools` is
    replaced whole, never changed, so that what was read stays as it was.
    """

    def __init__(self, ours: Mapping[str, AnyTool]) -> None:
        self._ours = ours
        self._others: dict[str, tuple[AnyTool, ...]] = {}
        self._left_out: dict[str, Mapping[str, str]] = {}
        self._listeners: list[Callable[[], None]] = []
        self.tools: Mapping[str, AnyTool] = ours
        self.generation = 0
        """Grows whenever tools come or go."""
        self.clashes: tuple[AnyTool, ...] = ()
        """Tools of others that are left out, since an earlier one has their name."""

    def put(self, source: str, tools: Sequence[AnyTool]) -> None:
        """Let these be the tools of `source` ("mcp:SERVER", "own") from now on."""
        self._others[source] = tuple(tools)
        self._renew()

    def drop(self, source: str) -> None:
        """Forget the tools of a source, left-out ones too; one that has none is fine."""
        self._left_out.pop(source, None)
        if self._others.pop(source, None):
            self._renew()

    def leave_out(self, source: str, why: Mapping[str, str]) -> None:
        """Take down why tools of a source cannot be called now: names, each with a sentence for models."""
        self._left_out[source] = why

    def why_not(self, name: str) -> str:
        """Return why a tool of this name cannot be called, "" where there is none of that name, or it can."""
        known = (why[name] for why in self._left_out.values() if name in why)
        return "" if name in self.tools else next(known, "")

    def of(self, source: str) -> tuple[AnyTool, ...]:
        """Return what a source has put, left-out ones too."""
        return self._others.get(source, ())

    def subscribe(self, listener: Callable[[], None]) -> None:
        """Call `listener` after each change."""
        self._listeners.append(listener)

    def _renew(self) -> None:
        found, clashes = dict(self._ours), []
        for source in sorted(self._others):
            for tool in self._others[source]:
                if tool.name in found:
                    clashes.append(tool)
                else:
                    found[tool.name] = tool
        self.tools = MappingProxyType(dict(sorted(found.items())))
        self.clashes = tuple(clashes)
        self.generation += 1
        for listener in self._listeners:
            listener()

    def offered(
        self,
        mode: Mode,
        *,
        always: Iterable[str] = (),
        deferred: Iterable[str] = (),
        only: Only = None,
    ) -> tuple[ToolSchema, ...]:
        """Return the schemas that every request of a mode carries: core ones, less what the person deferred,
        and what they pinned. Sorted by name, so that their bytes stay the same. Of a short list `only` all.
        """
        pinned, left_out = frozenset(always), frozenset(deferred) - FINDING
        if only is not None and len(only) <= FEW:
            pinned, left_out = only, FINDING - only
        return tuple(
            tool.schema
            for tool in self._of(mode, only)
            if tool.name in pinned or (tool.core and tool.name not in left_out)
        )

    def loadable(self, mode: Mode, offered: Iterable[str] = (), only: Only = None) -> dict[str, AnyTool]:
        """Return what a mode can call beyond what is `offered`."""
        there = set(offered) | FINDING
        return {tool.name: tool for tool in self._of(mode, only) if tool.name not in there}

    def _of(self, mode: Mode, only: Only) -> Iterator[AnyTool]:
        """Yield the tools of a mode. What finds others is there where there is more than a few."""
        for name, tool in self.tools.items():
            finds = name in FINDING and only is not None and len(only) > FEW
            if tool.offered_in(mode) and (only is None or name in only or finds):
                yield tool

    def infos(self, *, always: Iterable[str] = (), deferred: Iterable[str] = ()) -> tuple[ToolInfo, ...]:
        """Return a line on each tool for `tools list` and the window, with the person's switches applied."""
        sent = {schema.name for schema in self.offered("agent", always=always, deferred=deferred)}
        return tuple(
            ToolInfo(
                name=tool.name,
                category=tool.category,
                summary=tool.summary,
                core=tool.core,
                read_only=tool.read_only,
                source=tool.source,
                tokens=cost_of(tool.schema),
                state="always" if tool.name in sent else "needed",
                fixed=tool.name in FINDING,
            )
            for tool in self.tools.values()
        )


def load_registry() -> Registry:
    """Import every tool module and return the registry; also in a frozen app that collected the submodules.

    Raises TypeError for a module without its tool, which the contract test finds first.
    """
    return registry_of(_found(module) for module in tool_modules())


def registry_of(found: Iterable[Tool]) -> Registry:
    """Return a registry of these tools. Raises TypeError when two have one name."""
    by_name: dict[str, AnyTool] = {}
    for tool in sorted(found, key=lambda tool: tool.name):
        if tool.name in by_name:
            raise TypeError(
                f"two tools are named {tool.name}: {by_name[tool.name].category}, {tool.category}"
            )
        by_name[tool.name] = tool
    return Registry(MappingProxyType(by_name))


def tool_modules(package: ModuleType = tools) -> list[ModuleType]:
    """Import and return all modules that hold a tool. A leading underscore marks a helper of its category."""
    folders = [entry.name for entry in pkgutil.iter_modules(package.__path__) if entry.ispkg]
    categories = [importlib.import_module(f"{package.__name__}.{name}") for name in folders]
    return [
        importlib.import_module(f"{category.__name__}.{entry.name}")
        for category in categories
        for entry in pkgutil.iter_modules(category.__path__)
        if not entry.name.startswith("_") and not entry.ispkg
    ]


def _found(module: ModuleType) -> Tool:
    category, name = module.__name__.split(".")[-2:]
    function = getattr(module, name, None)
    if function is None:
        raise TypeError(f"{module.__name__} holds no function named {name}")
    return tool_of(function, category)


def tool_of(function: Function, category: str, source: str = "built in") -> Tool:
    """Return the tool that a marked function is. Raises TypeError when it is not marked."""
    name = name_of(function)
    core = name in CORE and source == "built in"
    return Tool(name, category, function, spec_of(function), core, source)


def nearest(name: str, names: Iterable[str]) -> list[str]:
    """Return up to three names that are much like one that is unknown, the likest first.

    A tool of a server is also known by the name that its server gives it: models leave the prefix out.
    """
    import difflib

    spelled: dict[str, list[str]] = {}
    for known in names:
        whole = _spelling(known)
        for spelling in dict.fromkeys((whole, whole.rpartition("__")[2])):
            spelled.setdefault(spelling, []).append(known)
    close = difflib.get_close_matches(_spelling(name), spelled, n=3)
    return list(dict.fromkeys(known for spelling in close for known in spelled[spelling]))[:3]


def _spelling(name: str) -> str:
    return re.sub(r"[^\w]", "_", name.lower())
