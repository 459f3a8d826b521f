"""The program in which a tool of the person's own runs: it gets the source, seals itself, then runs it.

It reads one message a line from its input and answers on its output. What the tool prints goes elsewhere. A
capability is a proxy: a call of it is a message to the parent, which does it behind the gate of the call, and
the parent's answer is what it returns. Nothing here is trusted by the parent.
"""

from __future__ import annotations

import os
import sys

if not getattr(sys, "frozen", False):  # started as a file, so that no folder of anybody is on the path
    sys.path.insert(0, os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 3)))

import importlib
import select
import threading
import warnings
from collections.abc import Callable, Generator, Mapping
from types import CodeType
from typing import Any, cast

import tools
from app.platform.sandbox.seal import bound, seal
from app.toolbox.contract_source import ALLOWED
from app.toolbox.own import wire
from app.toolbox.own.capabilities import CALL, offers
from tools import Function, ToolFailed, ToolResult

LATE = ("_strptime", "calendar", "encodings.latin_1", "encodings.utf_16", "locale", "string")
"""What modules that a tool may import load late; the packed program has them by name (bramble.spec)."""
_REFUSED_EVENTS = (
    "os.", "socket.", "subprocess.", "ctypes.", "shutil.", "tempfile.", "glob.", "pty.", "signal.", "fcntl.",
    "mmap.", "syslog.", "sqlite3.", "urllib.", "ftplib.", "webbrowser.", "winreg.",
)  # fmt: skip
_REFUSED = frozenset({"open", "import", "sys.addaudithook", "sys.settrace", "sys.setprofile", "code.__new__"})
_NAMES = frozenset(
    {
        "open", "eval", "exec", "compile", "globals", "locals", "vars", "dir", "getattr", "setattr",
        "delattr", "input", "print", "breakpoint", "help", "exit", "quit", "license", "credits", "copyright",
    }
)  # fmt: skip
"""As in the contract; they are missing here even where the contract was got around."""


class Link:
    """The two pipes to the parent."""

    def __init__(self, incoming: int, outgoing: int) -> None:
        self._incoming = os.fdopen(incoming, "rb")
        self._outgoing = outgoing

    def send(self, **message: Any) -> None:
        """Send one message, whole."""
        line = wire.packed(message)
        while line:
            line = line[os.write(self._outgoing, line) :]

    def receive(self) -> dict[str, Any]:
        """Return the next message. Ends the process when the parent is gone."""
        line = self._incoming.readline(wire.LONGEST)
        return wire.unpacked(line) if line else os._exit(0)


class _Asked:
    """A call of a capability on its way to the parent."""

    def __init__(self, **message: Any) -> None:
        self.message = message

    def __await__(self) -> Generator[_Asked, Any, Any]:
        return (yield self)


class _Proxy:
    """Stands for one capability; its attributes are the methods that the contract names."""

    def __init__(self, capability: str, methods: tuple[str, ...]) -> None:
        for method in methods:
            setattr(self, "itself" if method == CALL else method, _asking(capability, method))

    def __call__(self, *args: Any, **named: Any) -> _Asked:
        ask: Callable[..., _Asked] = vars(self)["itself"]
        return ask(*args, **named)


def _asking(capability: str, method: str) -> Callable[..., _Asked]:
    def ask(*args: Any, **named: Any) -> _Asked:
        return _Asked(
            kind="call",
            on=capability,
            method=method,
            args=[wire.told(one) for one in args],
            named={name: wire.told(one) for name, one in named.items()},
        )

    return ask


def main() -> None:
    """Do what the first message says, then end."""
    link = Link(os.dup(0), os.dup(1))
    _keep_streams_apart()
    begin = link.receive()
    _load_all()
    threading.Thread(target=_end_with_parent, args=(0,), daemon=True).start()
    bound(int(begin["memory"]), int(begin["seconds"]))
    link.send(kind="ready", sealed=seal())
    sys.addaudithook(_refuse)
    answer = {"describe": _describe, "run": _run}[begin["do"]]
    try:
        answer(link, begin)
    except ToolFailed as failed:
        link.send(kind="failed", text=str(failed))
    except BaseException as error:  # the border of the process: the parent says it to the model
        link.send(kind="crashed", text=_in_words(error))
    os._exit(0)


def _keep_streams_apart() -> None:
    """What is printed goes where the parent reads errors. The input stays open as 0, so that the end of the
    parent is seen there.
    """
    os.dup2(2, 1)
    sys.stdin = None
    warnings.simplefilter("ignore")


def _load_all() -> None:
    """Load what a tool may import, and what that loads late: after the seal nothing can be loaded."""
    import time

    from app.toolbox import contract, schema  # noqa: F401

    for name in (*ALLOWED, *LATE):
        importlib.import_module(name)
    time.localtime()


def _end_with_parent(descriptor: int) -> None:
    """End at once when nobody writes there any more, whatever the tool is doing."""
    if not hasattr(select, "poll"):  # Windows, where the reading end tells
        return
    watch = select.poll()
    watch.register(descriptor, 0)
    watch.poll()
    os._exit(0)


def _refuse(event: str, args: object) -> None:
    if event in _REFUSED or event.startswith(_REFUSED_EVENTS):
        raise PermissionError(f"a tool may not do this itself ({event})")


# --- the tool ----------------------------------------------------------------------------------------------


def _load(begin: Mapping[str, Any]) -> Function:
    """Run the module of the tool and return its function. Raises whatever it raises."""
    name = str(begin["name"])
    code = compile(str(begin["source"]), f"{name}.py", "exec", dont_inherit=True)
    return _executed(code, name)


def _executed(code: CodeType, name: str) -> Function:
    import builtins

    kept = {key: value for key, value in vars(builtins).items() if key not in _NAMES}
    module = type(sys)(f"own_{name}")
    sys.modules[module.__name__] = module  # where typing looks names of annotations up
    space = vars(module)
    space["__builtins__"] = {**kept, "__import__": _import}
    exec(code, space)
    return cast(Function, space[name])


def _import(name: str, where: Any = None, local: Any = None, wanted: Any = (), level: int = 0) -> Any:
    if level or name not in ALLOWED:
        raise ImportError(f"import of {name} is refused")
    return importlib.__import__(name, where, local, wanted, level)


def _describe(link: Link, begin: Mapping[str, Any]) -> None:
    from app.toolbox.contract import check_tool
    from app.toolbox.schema import schema_of
    from app.toolbox.signature import spec_of

    function = _load(begin)
    faults = check_tool(function)
    if faults:
        link.send(kind="faulty", faults=[[fault.line, fault.message] for fault in faults])
        return
    schema, spec = schema_of(function), spec_of(function)
    link.send(
        kind="described",
        description=schema.description,
        parameters=schema.parameters,
        reads=spec.reads is True,
        verb=spec.verb,
        main=spec.main,
        keywords=list(spec.keywords),
        examples=list(spec.examples),
    )


def _run(link: Link, begin: Mapping[str, Any]) -> None:
    from app.errors import ToolError
    from app.toolbox.schema import validate

    function = _load(begin)
    try:
        arguments = validate(function, begin["arguments"])
    except ToolError as error:
        raise ToolFailed(str(error)) from None
    made = _context(link, str(begin["cwd"]), bool(begin["reads"]))
    coroutine = cast(Generator[Any, Any, Any], function(made, **arguments))
    asked, answer = coroutine.send, None
    while True:
        try:
            wish = asked(answer)
        except StopIteration as ended:
            link.send(kind="result", value=wire.told(_result(ended.value)))
            return
        if not isinstance(wish, _Asked):
            raise TypeError("only capabilities of the context can be awaited")
        link.send(**wish.message)
        answer = wire.heard(link.receive().get("value"))


def _context(link: Link, cwd: str, reads: bool) -> tools.ReadContext | tools.ToolContext:
    given: dict[str, Any] = {"cwd": cwd, "progress": lambda text: link.send(kind="said", text=str(text))}
    given |= {name: _Proxy(name, methods) for name, methods in offers(reads).items()}
    return tools.ReadContext(**given) if reads else tools.ToolContext(**given)


def _result(value: object) -> ToolResult:
    if not isinstance(value, ToolResult):
        raise TypeError(f"the tool returned {type(value).__name__}, not a ToolResult")
    return value


def _in_words(error: BaseException) -> str:
    """Return the error and the line of the tool that it came from."""
    line, trace = 0, error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        line = trace.tb_lineno if not os.path.isabs(file) and file.endswith(".py") else line
        trace = trace.tb_next
    where = f" (line {line})" if line else ""
    return f"{type(error).__name__}: {error}{where}"


if __name__ == "__main__":
    main()
