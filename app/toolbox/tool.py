"""What every tool is to the app, and the tools that are functions of ours."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any, Protocol

from app.errors import ToolError
from app.models.request import ToolSchema
from app.platform.plain_text import visible
from app.record import Record
from app.records import Mode
from app.toolbox.schema import schema_of, validate
from tools import Function, ToolResult, ToolSpec

if TYPE_CHECKING:
    from app.toolbox.here import Here


class AnyTool(Protocol):
    """A tool, whoever made it. All names are those of models and rules."""

    @property
    def name(self) -> str: ...
    @property
    def category(self) -> str: ...
    @property
    def core(self) -> bool:
        """Whether it is offered with every request, unless the person deferred it (product.md 2.2)."""
        ...

    @property
    def source(self) -> str:
        """Whose it is: "built in", "own", or "mcp:SERVER"."""
        ...

    @property
    def schema(self) -> ToolSchema:
        """What the model is told."""
        ...

    @property
    def description(self) -> str: ...
    @property
    def summary(self) -> str: ...
    @property
    def verb(self) -> str:
        """Plain words for the row of a call."""
        ...

    @property
    def examples(self) -> tuple[str, ...]: ...
    @property
    def read_only(self) -> bool:
        """Whether it changes nothing, whatever the arguments."""
        ...

    @property
    def whole(self) -> bool:
        """Whether its results hold themselves short, so that nothing is ever cut out of them."""
        ...

    def reads(self, arguments: str | dict[str, Any]) -> bool:
        """Whether this call only reads. Arguments that cannot be read count as a change."""
        ...

    def subject(self, arguments: str | dict[str, Any]) -> str:
        """Return the argument that a row shows, nothing in it hidden; "" where there is none to read."""
        ...

    def offered_in(self, mode: Mode) -> bool:
        """Whether the mode lets the tool be called at all; a call that changes something is checked again."""
        ...

    def validate(self, arguments: str | dict[str, Any]) -> dict[str, Any]:
        """Return the arguments as the tool takes them. Raises ToolError bad_arguments with the schema."""
        ...

    async def run(self, here: Here, arguments: dict[str, Any]) -> ToolResult:
        """Run it with arguments that were validated."""
        ...


class Tool(Record, dict=True):
    """A tool that is a function in `tools/`."""

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
    def verb(self) -> str:
        """See AnyTool."""
        return self.spec.verb

    @property
    def examples(self) -> tuple[str, ...]:
        """Requests in a person's words that it answers."""
        return self.spec.examples

    @property
    def read_only(self) -> bool:
        """See AnyTool."""
        return self.spec.reads is True

    @property
    def whole(self) -> bool:
        """See AnyTool."""
        return self.spec.whole

    def reads(self, arguments: str | dict[str, Any]) -> bool:
        """See AnyTool."""
        if isinstance(self.spec.reads, bool):
            return self.spec.reads
        try:
            return bool(self.spec.reads(self.validate(arguments)))
        except ToolError:
            return False

    def subject(self, arguments: str | dict[str, Any]) -> str:
        """See AnyTool."""
        if not self.spec.main:
            return ""
        try:
            value = self.validate(arguments).get(self.spec.main)
        except ToolError:
            return ""
        if isinstance(value, list | tuple):
            value = ", ".join(map(str, value))
        return "" if value is None else visible(str(value))

    def offered_in(self, mode: Mode) -> bool:
        """See AnyTool."""
        return mode == "agent" or self.spec.reads is not False

    def validate(self, arguments: str | dict[str, Any]) -> dict[str, Any]:
        """See AnyTool."""
        return validate(self.function, arguments)

    async def run(self, here: Here, arguments: dict[str, Any]) -> ToolResult:
        """See AnyTool."""
        return await self.function(here.context(), **arguments)
