"""A terminal for tests: a pty with the real program on it, read until the awaited words stand there."""

from __future__ import annotations

import fcntl
import os
import select
import struct
import subprocess
import termios
import time
from collections.abc import Sequence
from types import TracebackType

PATIENCE = 60.0


class Console:
    """One program on its controlling terminal. `screen` is all that it wrote, as it came."""

    def __init__(
        self,
        words: Sequence[str],
        environment: dict[str, str],
        cwd: str,
        *,
        piped_stdout: bool = False,
        columns: int = 100,
    ) -> None:
        self.master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        # The shell leads a new session and opens the terminal by name, which makes it the controlling one.
        script = 'exec "$@" <"$CONSOLE" 2>"$CONSOLE"' + ("" if piped_stdout else ' >"$CONSOLE"')
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", script, "sh", *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if piped_stdout else subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment
            | {"CONSOLE": os.ttyname(slave), "TERM": environment.get("TERM", "xterm-256color")},
            cwd=cwd,
            start_new_session=True,
        )
        self.slave = slave  # held open, so that the last words are not lost when the program ends
        self.screen = ""
        self._seen = 0

    def __enter__(self) -> Console:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()
        os.close(self.master)
        os.close(self.slave)

    def _read(self, seconds: float) -> bool:
        ready, _write, _error = select.select([self.master], [], [], seconds)
        if ready:
            self.screen += os.read(self.master, 65536).decode("utf-8", "replace")
        return bool(ready)

    def expect(self, text: str) -> str:
        """Wait until the text stands behind what was expected before; return all up to its end."""
        end = time.monotonic() + PATIENCE
        while (place := self.screen.find(text, self._seen)) < 0:
            if not self._read(max(0.0, min(0.2, end - time.monotonic()))) and time.monotonic() > end:
                raise AssertionError(f"{text!r} did not come. The screen:\n{self.screen[self._seen :]!r}")
            if (
                self.process.poll() is not None
                and not self._read(0)
                and self.screen.find(text, self._seen) < 0
            ):
                raise AssertionError(
                    f"ended before {text!r} came. The screen:\n{self.screen[self._seen :]!r}"
                )
        before = self.screen[self._seen : place + len(text)]
        self._seen = place + len(text)
        return before

    def send(self, text: str) -> None:
        """Type the text."""
        os.write(self.master, text.encode())

    def wait(self) -> int:
        """Wait for the end of the program and return its exit code."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            self._read(0.05)
            if time.monotonic() > end:
                raise AssertionError(f"did not end. The screen:\n{self.screen!r}")
        while self._read(0):
            pass
        return self.process.returncode
