"""Processes of this computer as a tool may use them: looked at freely, ended only with permission, and only
the very one that was shown: its start is compared again at the moment of the end.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from app.capabilities.gate import Permit
from app.errors import ToolError
from app.logs import without_keys
from app.platform.ending import Identity, lives, send_end
from app.platform.plain_text import visible
from app.platform.processes import ancestors
from app.records import ActionEffect
from tools import EndedProcess, Listener, Listeners, Process, Processes

if TYPE_CHECKING:
    import psutil

_MOMENT = 0.25
"""Seconds over which the use of the processor is measured."""
_COMMAND = 300
"""Characters of a command line."""
_TERM_SECONDS = 3.0
_KILL_SECONDS = 2.0
_LOOK = 0.05
_MOST = 50
"""Processes that one call ends at most: more than that is a mistake."""
_SECRET = re.compile(
    r"(?i)((?:--?|\b)[\w-]*(?:password|passwd|passphrase|token|secret|api-?_?key|credential)[\w-]*(?:=|\s+))"
    r"(?!-)\S+"
)
_LOGIN = re.compile(r"(?<=://)[^\s/@]+@")
"""What looks like a secret in a command line: the value of an option, a login in an address."""


class ProcessReader:
    """Implements `tools.ReadProcesses`."""

    def __init__(self, gate: Permit) -> None:
        self._gate = gate

    async def running(
        self,
        *,
        order: Literal["cpu", "memory", "name", "started"] = "cpu",
        having: str = "",
        limit: int = 20,
    ) -> Processes:
        """See ReadProcesses."""
        if limit < 1:
            raise ToolError("bad_arguments", "limit is at least 1.")
        before = await asyncio.to_thread(_times)
        await asyncio.sleep(_MOMENT)
        found = await asyncio.to_thread(_all, before)
        fitting = [one for one in found if having.casefold() in f"{one.name} {one.command}".casefold()]
        keys: dict[str, Callable[[Process], tuple[float | str, ...]]] = {
            "cpu": lambda one: (-one.cpu, -one.memory),
            "memory": lambda one: (-one.memory,),
            "name": lambda one: (one.name.casefold(),),
            "started": lambda one: (-one.started,),
        }
        return Processes(tuple(sorted(fitting, key=keys[order])[:limit]), len(fitting), len(found))

    async def listeners(self, port: int = 0, way: Literal["tcp", "udp", "both"] = "both") -> Listeners:
        """See ReadProcesses."""
        if not 0 <= port <= 65535:
            raise ToolError("bad_arguments", "A port goes from 1 to 65535.")
        return await asyncio.to_thread(_listeners, port, way)


class ProcessEnder(ProcessReader):
    """Implements `tools.EndProcesses`."""

    async def end_processes(
        self, *, pid: int = 0, name: str = "", port: int = 0, force: bool = False
    ) -> Sequence[EndedProcess]:
        """See EndProcesses. Raises ToolError (bad_arguments, no_process, not_ended) and Refused."""
        if sum(map(bool, (pid, name, port))) != 1:
            raise ToolError("bad_arguments", "Name one of pid, name and port.")
        found = await asyncio.to_thread(_wanted, pid, name, port)
        await asyncio.to_thread(_refuse_own, found)
        if len(found) > _MOST:
            raise ToolError("not_ended", f"{len(found)} processes are called {name}; end them by their pid.")
        names = sorted({one.name for one in found})
        await self._gate.permit(
            ActionEffect(
                kind="end_process",
                subject=visible(", ".join(names)),
                details="\n".join(map(_described, found)),
                loses=force,
            )
        )
        return await _ended(found, force)


async def _ended(found: Sequence[Process], force: bool) -> Sequence[EndedProcess]:
    """End the processes and look what became of each."""
    outcomes = await asyncio.to_thread(lambda: [send_end(_identity(one), force=force) for one in found])
    loop = asyncio.get_running_loop()
    until = loop.time() + (_KILL_SECONDS if force else _TERM_SECONDS)
    waiting = {one.pid: one for one, sent in zip(found, outcomes, strict=True) if sent == "sent"}
    while waiting and loop.time() < until:
        await asyncio.sleep(_LOOK)
        for gone in await asyncio.to_thread(
            lambda: [pid for pid, one in waiting.items() if not lives(_identity(one))]
        ):
            del waiting[gone]
    words: dict[str, Literal["gone before", "another now", "not allowed"]] = {
        "gone": "gone before",
        "another": "another now",
        "refused": "not allowed",
    }
    return tuple(
        EndedProcess(one, words[sent] if sent != "sent" else "still there" if one.pid in waiting else "ended")
        for one, sent in zip(found, outcomes, strict=True)
    )


def _identity(one: Process) -> Identity:
    return Identity(one.pid, one.started)


def _described(one: Process) -> str:
    user = f" of {one.user}" if one.user else ""
    return f"pid {one.pid}  {visible(one.name)}{user}  {visible(one.command)}".rstrip()


# --- looking ----------------------------------------------------------------------------------------------


def _times() -> dict[tuple[int, float], tuple[float, float]]:
    """Return for each process how long it has used a processor, and when that was looked at, in seconds."""
    import time

    import psutil

    found = {}
    for one in psutil.process_iter(["create_time", "cpu_times"]):
        spent = one.info["cpu_times"]
        if spent:
            now = time.monotonic()
            found[one.pid, one.info["create_time"]] = (spent.user + spent.system, now)
    return found


def _all(before: dict[tuple[int, float], tuple[float, float]]) -> list[Process]:
    import time

    import psutil

    found = []
    for one in psutil.process_iter():
        spent = _asked(one, "cpu_times")
        now = time.monotonic()
        made = _process(one)
        if made is None:
            continue
        past = before.get((made.pid, made.started))
        if past and spent and now > past[1]:
            share = max(0.0, (spent.user + spent.system - past[0]) / (now - past[1]))
            made = made._replace(cpu=round(100 * share, 1))
        found.append(made)
    return found


def _asked(one: psutil.Process, what: str) -> Any:
    """Return what the system tells of a process, None where it tells nothing or the process is gone."""
    import psutil

    try:
        return getattr(one, what)()
    except (psutil.Error, OSError):
        return None


def _process(one: psutil.Process) -> Process | None:
    """Return a process with what may be seen of it, None where it is gone."""
    import psutil

    try:
        with one.oneshot():
            memory = _asked(one, "memory_info")
            return Process(
                pid=one.pid,
                name=one.name(),
                user=_asked(one, "username") or "",
                memory=getattr(memory, "rss", 0),
                started=one.create_time(),
                command=_command(_asked(one, "cmdline") or []),
                state=_asked(one, "status") or "",
                parent=_asked(one, "ppid") or 0,
            )
    except psutil.Error:
        return None


def _command(words: Sequence[str]) -> str:
    line = _LOGIN.sub("***@", _SECRET.sub(r"\1***", without_keys(" ".join(words))))
    line = line.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return line if len(line) <= _COMMAND else f"{line[:_COMMAND]}..."


def _listeners(port: int, way: str) -> Listeners:
    """Return who waits on a port, by TCP or UDP, over IPv4 or IPv6."""
    import socket

    import psutil

    kinds = {"tcp": ("tcp",), "udp": ("udp",), "both": ("tcp", "udp")}[way]
    notes, rows = [], []
    for kind in kinds:
        try:
            rows += psutil.net_connections(kind=kind)
        except (psutil.AccessDenied, PermissionError):
            notes.append(f"The system does not tell who waits by {kind}; a process of an administrator may.")
    known: dict[int, Process | None] = {}
    found = []
    for row in rows:
        tcp = row.type == socket.SOCK_STREAM
        if not row.laddr or (port and row.laddr.port != port):
            continue
        if (tcp and row.status != psutil.CONN_LISTEN) or (not tcp and row.raddr):
            continue
        if row.pid and row.pid not in known:
            known[row.pid] = _by_pid(row.pid)
        address = f"[{row.laddr.ip}]" if row.family == socket.AF_INET6 else row.laddr.ip
        process = known.get(row.pid) if row.pid else None
        found.append(Listener("tcp" if tcp else "udp", address, row.laddr.port, process))
    found = list(dict.fromkeys(found))
    if any(one.process is None for one in found):
        notes.append("Whose some of them are is not told: another person's, or that of the system.")
    return Listeners(
        tuple(sorted(found, key=lambda one: (one.port, one.protocol, one.address))), tuple(notes)
    )


def _by_pid(pid: int) -> Process | None:
    import psutil

    try:
        return _process(psutil.Process(pid))
    except psutil.Error:
        return None


# --- which are meant --------------------------------------------------------------------------------------


def _wanted(pid: int, name: str, port: int) -> list[Process]:
    """Return the processes that are to end. Raises ToolError where there is none."""
    if pid:
        found = _by_pid(pid)
        if found is None:
            raise ToolError("no_process", f"There is no process {pid}.", pid=str(pid))
        if found.state == "zombie":
            text = (
                f"Process {pid} has ended already; the process {found.parent} that began it has not noticed."
            )
            raise ToolError("no_process", text, pid=str(pid))
        return [found]
    if port:
        listening = _listeners(port, "both").found
        owners = {one.process.pid: one.process for one in listening if one.process}
        if not owners:
            why = "its process is not told" if listening else "nothing waits there"
            raise ToolError("no_process", f"No process to end on port {port}: {why}.", port=str(port))
        return list(owners.values())
    named = [one for one in _all({}) if _is_named(one, name) and one.state != "zombie"]
    if not named:
        raise ToolError("no_process", f"No process is called {name!r}; list_processes shows all.", name=name)
    return named


def _is_named(one: Process, name: str) -> bool:
    """Whether a process is called exactly this; the kernel's own have no command line and never are."""
    wanted = name.casefold().removesuffix(".exe")
    first = os.path.basename(one.command.split(" ", 1)[0]).casefold().removesuffix(".exe")
    return bool(one.command) and wanted in (one.name.casefold().removesuffix(".exe"), first)


def _refuse_own(found: Sequence[Process]) -> None:
    """Refuse where Bramble itself, what it runs in, or the first process of the system would end."""
    own = {os.getpid(), *ancestors(), 0, 1}
    for one in found:
        if one.pid in own:
            text = f"Process {one.pid} ({one.name}) is Bramble itself or what it runs in; it stays."
            raise ToolError("not_ended", text, pid=str(one.pid))
