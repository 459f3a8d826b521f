"""Read what a tool takes from its signature: names, types, texts and defaults, without the context."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import types
import typing
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Union

from app.record import Record
from tools import Function, ToolSpec

NOTHING = object()
"""Stands for "no default"."""


class Parameter(Record):
    """One argument of a tool or one field of an item; `type` without Annotated, `text` for the model."""

    name: str
    type: Any
    text: str = ""
    default: Any = NOTHING

    @property
    def required(self) -> bool:
        """Whether the model must give it."""
        return self.default is NOTHING


@functools.lru_cache(maxsize=512)
def parameters(function: Function) -> tuple[Parameter, ...]:
    """Return what `function` takes after its context, in its order.

    Raises NameError or TypeError for annotations that do not resolve.
    """
    hints = typing.get_type_hints(function, include_extras=True)
    found = list(inspect.signature(function).parameters.values())[1:]
    return tuple(_parameter(entry.name, hints.get(entry.name, Any), entry.default) for entry in found)


def _parameter(name: str, hint: Any, default: Any) -> Parameter:
    bare, text = plain(hint)
    return Parameter(name, bare, text, NOTHING if default is inspect.Parameter.empty else default)


def plain(hint: Any) -> tuple[Any, str]:
    """Return a type without Annotated and Required around it, and the first text that stood beside it."""
    text = ""
    while typing.get_origin(hint) in (typing.Annotated, typing.Required, typing.NotRequired):
        notes = getattr(hint, "__metadata__", ())
        hint = hint.__origin__ if notes else typing.get_args(hint)[0]
        text = text or next((note for note in notes if isinstance(note, str)), "")
    return hint, text


def options(hint: Any) -> tuple[Any, ...]:
    """Return the members of a union without None, or the type alone."""
    if typing.get_origin(hint) in (Union, types.UnionType):
        return tuple(plain(member)[0] for member in typing.get_args(hint) if member is not type(None))
    return (hint,)


def takes_none(hint: Any) -> bool:
    """Whether None is a value of the type."""
    return hint is Any or type(None) in typing.get_args(hint)


def choices(hint: Any) -> tuple[Any, ...]:
    """Return the values of a Literal, else ()."""
    return typing.get_args(hint) if typing.get_origin(hint) is Literal else ()


def item_type(hint: Any) -> Any:
    """Return the type of the items of a list or tuple, `NOTHING` for anything else."""
    if hint in (list, tuple):
        return Any
    if typing.get_origin(hint) in (list, tuple, Sequence):
        return plain(typing.get_args(hint)[0])[0]
    return NOTHING


def value_type(hint: Any) -> Any:
    """Return the type of the values of a free object (dict), `NOTHING` for anything else."""
    if hint is dict:
        return Any
    if typing.get_origin(hint) in (dict, Mapping):
        return plain(typing.get_args(hint)[1])[0]
    return NOTHING


@functools.lru_cache(maxsize=512)
def fields(hint: Any) -> tuple[Parameter, ...]:
    """Return the fields of a TypedDict or dataclass, () for anything else."""
    if typing.is_typeddict(hint):
        hints = typing.get_type_hints(hint, include_extras=True)
        total = bool(getattr(hint, "__total__", True))
        return tuple(
            Parameter(name, *plain(kind), NOTHING if _must_be_there(kind, total) else None)
            for name, kind in hints.items()
        )
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        hints = typing.get_type_hints(hint, include_extras=True)
        return tuple(
            Parameter(entry.name, *plain(hints[entry.name]), _default(entry))
            for entry in dataclasses.fields(hint)
        )
    return ()


def _must_be_there(hint: Any, total: bool) -> bool:
    """Whether a TypedDict needs the field; `__required_keys__` cannot tell where annotations are text."""
    while (origin := typing.get_origin(hint)) in (typing.Annotated, typing.Required, typing.NotRequired):
        if origin is not typing.Annotated:
            return origin is typing.Required
        hint = hint.__origin__
    return total


def _default(entry: dataclasses.Field[Any]) -> Any:
    if entry.default is not dataclasses.MISSING:
        return entry.default
    return NOTHING if entry.default_factory is dataclasses.MISSING else None


def spec_of(function: Function) -> ToolSpec:
    """Return what `@tool` said. Raises TypeError when the function has no such mark."""
    spec = getattr(function, "__tool__", None)
    if not isinstance(spec, ToolSpec):
        raise TypeError(f"{getattr(function, '__name__', function)!r} is not marked with @tool")
    return spec


def name_of(function: Function) -> str:
    """Return the tool's name, which is the function's."""
    return str(getattr(function, "__name__", ""))
