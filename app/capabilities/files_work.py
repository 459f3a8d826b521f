"""Work off the event loop.

In a thread that stops when its call is cancelled, or in a process that can be killed.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import threading
import warnings
from collections.abc import Callable
from multiprocessing import connection
from multiprocessing.connection import Connection
from typing import Any, TypeVar

T = TypeVar("T")
Stopped = Callable[[], bool]
"""True once the result is not wanted any more; long work asks it now and then."""
_TICK = 0.05


class Abandoned(Exception):
    """Raised in a thread whose result nobody waits for."""


async def in_thread(work: Callable[[Stopped], T]) -> T:
    """Return what `work` returns; when this is cancelled, `stopped()` becomes true in the thread."""
    stop = threading.Event()
    try:
        return await asyncio.to_thread(work, stop.is_set)
    finally:
        stop.set()


async def in_process(work: Callable[..., T], *args: Any, seconds: float) -> T:
    """Return what `work(*args)` returns in a process of its own, which ends with this call.

    `work` must be importable by name. What it raises is raised here. Raises TimeoutError after `seconds`; the
    process is killed then, and when this is cancelled: nothing else ends a regular expression or a parser
    that runs wild.
    """
    return await in_thread(lambda stopped: _run(work, args, seconds, stopped))


def _run(work: Callable[..., T], args: tuple[Any, ...], seconds: float, stopped: Stopped) -> T:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    child = context.Process(target=_serve, args=(theirs, work, args), daemon=True)
    child.start()
    theirs.close()
    try:
        waited = 0.0
        while not ours.poll(_TICK):
            waited += _TICK
            if stopped():
                raise Abandoned
            if waited >= seconds:
                raise TimeoutError
        try:
            ok, value = ours.recv()
        except EOFError:
            raise RuntimeError("the process for heavy work ended without a result") from None
    finally:
        ours.close()
        child.kill()
        child.join()
    if ok:
        return value  # type: ignore[no-any-return]
    raise value


def _serve(pipe: Connection, work: Callable[..., Any], args: tuple[Any, ...]) -> None:
    """Run in the child: do the work within bounds of memory and time of its own, and without a word."""
    logging.disable(logging.CRITICAL)  # what libraries say of a damaged file would stand on our terminal
    warnings.simplefilter("ignore")
    try:
        _end_with_parent()
        _bound()
        pipe.send((True, work(*args)))
    except Exception as error:  # the border of the process: the other side raises it
        pipe.send((False, error))


def _end_with_parent() -> None:
    """End this process when the one that wants its result is gone, however that ended: nobody would hear of
    what it still changes.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait(sentinel: int) -> None:
        connection.wait([sentinel])
        os._exit(1)

    threading.Thread(target=wait, args=(parent.sentinel,), name="ends with its parent", daemon=True).start()


def _bound() -> None:
    """Limit the memory of the process to 2 GiB, where the system can."""
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
