"""Tools that are no functions of ours: a server's, or the person's own; known by their JSON schema alone."""

from __future__ import annotations

import functools
import json
from collections.abc import Awaitable, Callable, Iterator
from typing import TYPE_CHECKING, Any

from app.errors import ToolError
from app.models.request import ToolSchema
from app.platform.plain_text import visible
from app.record import Record
from app.records import Mode
from app.toolbox.arguments import read
from app.toolbox.schema import as_text
from tools import ToolResult

if TYPE_CHECKING:
    from app.toolbox.here import Here

Call = Callable[["Here", dict[str, Any]], Awaitable[ToolResult]]
Check = Callable[[dict[str, Any]], str]
Follow = Callable[[Any, Any, Any, Any], Any]

_REFERENCES = ("$ref", "$dynamicRef")
_FOLLOWED = 5_000
"""References that one check follows; a few definitions can lead to any number of them."""
_SHOWN = 4_000
"""Characters of a schema that an error shows; a larger one is named by its required arguments only."""


class ForeignTool(Record, dict=True):
    """A tool with a schema of somebody else. It is never core, and what it says of itself is no grant: it
    counts as reading only where a person vouched for that.
    """

    name: str
    category: str
    source: str
    schema: ToolSchema
    call: Call
    """Passes the gate of the place it is given, and then acts."""
    verb: str = ""
    main: str = ""
    """The argument that a row shows; the first text of the arguments where it names none."""
    reading: bool = False
    examples: tuple[str, ...] = ()

    @property
    def core(self) -> bool:
        """See AnyTool."""
        return False

    @property
    def whole(self) -> bool:
        """See AnyTool."""
        return False

    @property
    def description(self) -> str:
        """What its maker says of it."""
        return self.schema.description

    @property
    def summary(self) -> str:
        """Its first sentence."""
        return " ".join(self.schema.description.split()).partition(". ")[0]

    @property
    def read_only(self) -> bool:
        """See AnyTool."""
        return self.reading

    def reads(self, arguments: str | dict[str, Any]) -> bool:
        """See AnyTool."""
        return self.reading

    def subject(self, arguments: str | dict[str, Any]) -> str:
        """See AnyTool."""
        try:
            given = read(self.name, arguments)
        except ToolError:
            return ""
        value = given.get(self.main) if self.main else next(iter(given.values()), None)
        return "" if value is None else visible(value if isinstance(value, str) else json.dumps(value))

    def offered_in(self, mode: Mode) -> bool:
        """See AnyTool."""
        return mode == "agent" or self.reading

    def validate(self, arguments: str | dict[str, Any]) -> dict[str, Any]:
        """See AnyTool. A schema that cannot be used holds nothing back: the tool itself has to check."""
        given = read(self.name, arguments, self._tail)
        if self._check is not None and (problem := self._check(given)):
            raise ToolError(
                "bad_arguments",
                f"The arguments of {self.name} do not fit: {problem}.{self._tail}",
                tool=self.name,
            )
        return given

    @functools.cached_property
    def _tail(self) -> str:
        text = as_text(self.schema)
        if len(text) > _SHOWN:
            required = ", ".join(map(str, self.schema.parameters.get("required", ()))) or "none"
            return f"\nRequired: {required}. The schema is long: find_tools with the exact name shows it."
        return f"\nSchema: {text}"

    @functools.cached_property
    def _check(self) -> Check | None:
        return compiled(self.schema.parameters)

    async def run(self, here: Here, arguments: dict[str, Any]) -> ToolResult:
        """See AnyTool."""
        return await self.call(here, arguments)


def compiled(parameters: dict[str, Any]) -> Check | None:
    """Return what says in one sentence why arguments do not fit (""), None for a schema that cannot be used.

    The schema of somebody else is only data: it is interpreted, never turned into code (which is why this is
    jsonschema), no reference of it is fetched, and its patterns are left to its maker, since a pattern can be
    written to take for ever; so is whether the items of a list differ.
    """
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError, best_match
    from jsonschema.validators import extend
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    try:
        held = _without_patterns(parameters)  # a pattern that only JavaScript reads makes no schema unusable
        Draft202012Validator.check_schema(held)
        left = [0]
        references = {key: _bounded(Draft202012Validator.VALIDATORS[key], left) for key in _REFERENCES}
        checker = extend(Draft202012Validator, references)(held, registry=Registry())
    except (SchemaError, RecursionError, ValueError, TypeError, KeyError, AttributeError):
        return None

    def check(given: dict[str, Any]) -> str:
        left[0] = _FOLLOWED
        try:
            worst = best_match(checker.iter_errors(given))
        except (Unresolvable, RecursionError):
            return ""  # it leads elsewhere, round in a circle, or twice to each of what leads twice on
        except (ArithmeticError, ValueError):
            return ""  # a number that is none, or too large to be divided
        if worst is None:
            return ""
        where = ".".join(map(str, worst.absolute_path))
        return f"{where}: {worst.message}" if where else worst.message

    return check


def _bounded(follow: Follow, left: list[int]) -> Follow:
    """Return `follow` for as many references as are `left`; then it raises RecursionError."""

    def step(validator: Any, value: Any, given: Any, schema: Any) -> Iterator[Any]:
        left[0] -= 1
        if left[0] < 0:
            raise RecursionError
        yield from follow(validator, value, given, schema) or ()

    return step


def _without_patterns(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_without_patterns(value) for value in schema]
    if not isinstance(schema, dict):
        return schema
    left_out = {key for key in ("pattern", "format") if isinstance(schema.get(key), str)}
    if isinstance(schema.get("uniqueItems"), bool):  # compares each with each: hours for one long list
        left_out.add("uniqueItems")
    if "patternProperties" in schema:
        left_out |= {"patternProperties", "additionalProperties"}
    return {key: _without_patterns(value) for key, value in schema.items() if key not in left_out}
