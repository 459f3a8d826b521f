"""All tools the app knows, found in `tools/`: the folder is the category, the module is the tool."""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
from collections.abc import Iterable, Mapping
from types import MappingProxyType, ModuleType
from typing import Any

import tools
from app.errors import ToolError
from app.models.request import ToolSchema
from app.platform.plain_text import visible
from app.record import Record
from app.records import Mode, ToolInfo
from app.toolbox.schema import schema_of, validate
from app.toolbox.signature import name_of, spec_of
from tools import Function, ToolSpec

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
"""Always offered (product.md 2.2); the others are deferred."""
UNSENT = frozenset({"archive", "copy_file", "create_dir", "move_file", "restore_file", "trash_file"})
"""Deferred ones whose schemas no request carries: with them the first would pass its 1,500 tokens. They run
when they are named, by `tools call` too; the other deferred ones follow once tools can be found by words."""


class Tool(Record, dict=True):
    """One tool. `source` says whose it is: "built in", or later a server or the person."""

    name: str
    category: str
    function: Function
    spec: ToolSpec
    core: bool = False
    source: str = "built in"

    @functools.cached_property
    def schema(self) -> ToolSchema:
        """What the model is told."""
        return schema_of(self.function)

    @property
    def description(self) -> str:
        """The docstring as one line."""
        return " ".join((self.function.__doc__ or "").split())

    @property
    def summary(self) -> str:
        """The first paragraph of the docstring."""
        return " ".join(inspect.cleandoc(self.function.__doc__ or "").partition("\n\n")[0].split())

    @property
    def read_only(self) -> bool:
        """Whether it changes nothing, whatever the arguments."""
        return self.spec.reads is True

    def reads(self, arguments: str | dict[str, Any]) -> bool:
        """Whether this call only reads. Arguments that cannot be read count as a change."""
        if isinstance(self.spec.reads, bool):
            return self.spec.reads
        try:
            return bool(self.spec.reads(validate(self.function, arguments)))
        except ToolError:
            return False

    def subject(self, arguments: str | dict[str, Any]) -> str:
        """Return the argument that a row shows, nothing in it hidden; "" where there is none to read."""
        if not self.spec.main:
            return ""
        try:
            value = validate(self.function, arguments).get(self.spec.main)
        except ToolError:
            return ""
        return "" if value is None else visible(str(value))

    def offered_in(self, mode: Mode) -> bool:
        """Whether the mode lets the tool be called at all; a call that changes something is checked again."""
        return mode == "agent" or self.spec.reads is not False


class Registry(Record):
    """All tools by name, in the order of their names."""

    tools: Mapping[str, Tool]

    def offered(self, mode: Mode, *, core_only: bool = False) -> tuple[ToolSchema, ...]:
        """Return the schemas for a request, sorted by name, so that their bytes stay the same."""
        found = (
            tool
            for tool in self.tools.values()
            if tool.offered_in(mode) and (tool.core or not core_only) and tool.name not in UNSENT
        )
        return tuple(tool.schema for tool in found)

    def infos(self) -> tuple[ToolInfo, ...]:
        """Return a line on each tool for `tools list` and the window."""
        return tuple(
            ToolInfo(
                name=tool.name,
                category=tool.category,
                summary=tool.summary,
                core=tool.core,
                read_only=tool.read_only,
                source=tool.source,
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
    by_name: dict[str, Tool] = {}
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
