"""What of a context crosses to a tool's child process: the capabilities and methods of the contract.

`reads` says which context is meant: that of a reading tool, or that of a changing one.
"""

from __future__ import annotations

import functools
import inspect
import types
import typing
from typing import Any

import tools
from tools import ReadContext, ToolContext

CALL = "__call__"
"""The one method of a capability that is called itself."""


@functools.cache
def protocols(reads: bool) -> dict[str, type]:
    """Return the capabilities by their field."""
    found: dict[str, type] = {}
    for name, hint in typing.get_type_hints(ReadContext if reads else ToolContext, vars(tools)).items():
        for one in typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,):
            if getattr(one, "_is_protocol", False):
                found[name] = one
    return found


@functools.cache
def offers(reads: bool) -> dict[str, tuple[str, ...]]:
    """Return the names of the methods of each capability."""
    return {name: _methods(protocol) for name, protocol in protocols(reads).items()}


def _methods(protocol: type) -> tuple[str, ...]:
    named = tuple(name for name in dir(protocol) if not name.startswith("_"))
    return (*named, CALL) if inspect.isfunction(vars(protocol).get(CALL)) else named


@functools.cache
def signature(reads: bool, capability: str, method: str) -> tuple[inspect.Signature, dict[str, Any]] | None:
    """Return how a method is called, without `self`, and its types; None where the contract has none."""
    if method not in offers(reads).get(capability, ()):
        return None
    function = getattr(protocols(reads)[capability], method)
    plain = inspect.signature(function)
    without = plain.replace(parameters=list(plain.parameters.values())[1:])
    return without, typing.get_type_hints(function)
