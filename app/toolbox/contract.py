"""Hold a tool module against the contract: one tool, well described, that touches only what it may."""

from __future__ import annotations

import ast
import inspect
import typing
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import tools
from app.toolbox.contract_source import Fault, check_names
from app.toolbox.schema import schema_of
from app.toolbox.signature import Parameter, fields, item_type, name_of, options, parameters, spec_of
from tools import Function, ReadContext, ToolContext, ToolResult

_EXAMPLES = 2
"""Requests in a person's words that a tool names at least; discovery is tested with them."""
_PLAIN = (str, int, float, bool, tuple, type(None))
"""Types of defaults: nothing that a call could change for the next one."""


def check_source(source: str, name: str, category: str = "") -> list[Fault]:
    """Return what the source of the tool `name` does against the contract, in the order of its lines."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError) as error:
        # The text of a SyntaxError ends in "(<unknown>, line 3)", and the line is told beside it.
        line, reason = getattr(error, "lineno", 1), getattr(error, "msg", str(error))
        return [Fault(line or 1, f"this is not Python: {reason}")]
    faults = [*check_names(tree, category), *_check_shape(tree, name), *_check_reach(tree)]
    return sorted(faults, key=lambda fault: fault.line)


def check_helper(source: str, category: str) -> list[Fault]:
    """Return the faults of a module that tools of one category share (its name begins with an underscore)."""
    return check_names(ast.parse(source), category)


def check_module(module: ModuleType) -> list[Fault]:
    """Return the faults of an imported tool module: of its source, and of what the tool says of itself."""
    category, name = module.__name__.split(".")[-2:]
    faults = check_source(inspect.getsource(module), name, category)
    function = getattr(module, name, None)
    return faults if function is None else [*faults, *check_tool(function)]


def check_tool(function: Function) -> list[Fault]:
    """Return what is wrong with a tool's signature, words and examples."""
    line = function.__code__.co_firstlineno if inspect.isfunction(function) else 1
    try:
        return [Fault(line, message) for message in (*_words(function), *_signature(function))]
    except (TypeError, NameError) as error:
        return [Fault(line, f"the signature cannot be read: {error}")]


# --- the source ----------------------------------------------------------------------------------


def _check_shape(tree: ast.Module, name: str) -> Iterator[Fault]:
    """One decorated coroutine with the module's name, and nothing that runs when the module is imported."""
    if not ast.get_docstring(tree):
        yield Fault(1, "the module has no docstring")
    found = [node for node in tree.body if isinstance(node, ast.AsyncFunctionDef) and _is_tool(node)]
    if [node.name for node in found] != [name]:
        yield Fault(1, f"the module must hold one async function {name} marked with @tool")
    plain = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in tree.body:
        text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not text and not isinstance(node, (*plain, ast.ClassDef)):
            yield Fault(node.lineno, "a statement runs when the module is imported")


def _is_tool(node: ast.AsyncFunctionDef) -> bool:
    return any(
        isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == "tool"
        for mark in node.decorator_list
    )


def _check_reach(tree: ast.Module) -> Iterator[Fault]:
    """A tool with a reading context names no method that changes something, not even by a detour; one that
    reads by its arguments names no capability that it is not given then.
    """
    reading = any(isinstance(node, ast.Name) and node.id == "ReadContext" for node in ast.walk(tree))
    if not reading:
        yield from _check_both(tree)
        return
    offered = _methods(ReadContext)
    changing = {
        pair for pair in _methods(ToolContext) - offered if pair[1] not in {one for _, one in offered}
    }
    names = {name for _, name in changing} - _fields()
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute):
            continue
        of = node.value.attr if isinstance(node.value, ast.Attribute) else ""
        if node.attr in names or (of, node.attr) in changing:
            yield Fault(node.lineno, f"a reading tool may not reach {node.attr}")


def _check_both(tree: ast.Module) -> Iterator[Fault]:
    marks = (node for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg == "reads")
    if all(isinstance(mark.value, ast.Constant) for mark in marks):
        return
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or node.attr in ReadContext._fields:
            continue
        if isinstance(node.value, ast.Name) and node.value.id == "context":
            yield Fault(node.lineno, f"a tool that reads at times has no {node.attr} then")


def _methods(context: type) -> set[tuple[str, str]]:
    """Return (capability, method) of all that a context holds, what may be None among it."""
    return {
        (name, method)
        for name, hint in typing.get_type_hints(context, vars(tools)).items()
        for kind in (hint, *typing.get_args(hint))
        if getattr(kind, "_is_protocol", False)
        for method in dir(kind)
        if not method.startswith("_")
    }


def _fields() -> set[str]:
    """Return the names of what records hold: `note` of a page is read, `note` of the memory changes it."""
    records = (kind for kind in vars(tools).values() if isinstance(kind, type) and issubclass(kind, tuple))
    return {name for kind in records for name in getattr(kind, "_fields", ())}


# --- the function --------------------------------------------------------------------------------


def _words(function: Function) -> Iterator[str]:
    spec = spec_of(function)
    text = inspect.cleandoc(function.__doc__ or "")
    if not text:
        yield "the tool has no docstring, which is its description"
    elif not text.partition("\n\n")[0].endswith("."):
        yield "the first paragraph of the docstring must be a sentence"
    if len({example.strip() for example in spec.examples} - {""}) < _EXAMPLES:
        yield f"the tool needs at least {_EXAMPLES} examples of requests"
    if not spec.verb.strip():
        yield "the tool has no verb for its row"


def _signature(function: Function) -> Iterator[str]:
    if not inspect.iscoroutinefunction(function):
        yield "the tool must be an async function"
    hints = typing.get_type_hints(function)
    yield from _context(function, hints)
    if hints.get("return") is not ToolResult:
        yield "the tool must return ToolResult"
    entries = parameters(function)
    for entry in entries:
        yield from _argument(entry, entry.name)
    yield from _names(function, {entry.name for entry in entries})
    schema_of(function)


def _context(function: Function, hints: dict[str, Any]) -> Iterator[str]:
    found = list(inspect.signature(function).parameters.values())
    wanted = ReadContext if spec_of(function).reads is True else ToolContext
    if not found or found[0].name != "context" or hints.get("context") is not wanted:
        yield f"the first parameter must be `context: {wanted.__name__}`"
    if any(entry.kind is not inspect.Parameter.POSITIONAL_OR_KEYWORD for entry in found):
        yield "parameters must be plain ones, without *, ** and /"


def _argument(entry: Parameter, path: str) -> Iterator[str]:
    if not entry.text.strip():
        yield f'parameter {path} needs Annotated[..., "text for the model"]'
    if not entry.required and not isinstance(entry.default, _PLAIN):
        yield f"the default of {path} could be changed by a call"
    for kind in options(entry.type):
        item = item_type(kind)
        for field in fields(kind) or fields(item if isinstance(item, type) else None):
            yield from _argument(field, f"{path}.{field.name}")


def _names(function: Function, known: set[str]) -> Iterator[str]:
    spec = spec_of(function)
    if spec.main and spec.main not in known:
        yield f"main names {spec.main}, which is no parameter of {name_of(function)}"
    for other, target in spec.accepts.items():
        if other in known or target.partition(".")[0] not in known:
            yield f"accepts maps {other} to {target}, which cannot be"
