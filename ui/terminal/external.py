"""Let a person edit a text in the editor of their own: $VISUAL or $EDITOR, on the terminal it belongs to."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any


class CannotEdit(Exception):
    """There is no editor, or it ended with an error; `str()` is what it was."""


def editor(environ: Mapping[str, str]) -> list[str]:
    """Return the words of the person's editor. Raises CannotEdit."""
    for name in ("VISUAL", "EDITOR"):
        if wanted := environ.get(name, "").strip():
            try:
                return shlex.split(wanted)
            except ValueError as error:
                raise CannotEdit(f"${name}: {error}") from error
    for name in ("sensible-editor", "editor", "nano", "vi"):
        if found := shutil.which(name, path=environ.get("PATH")):
            return [found]
    raise CannotEdit("$VISUAL, $EDITOR")


async def edited(text: str, name: str, environ: Mapping[str, str]) -> str:
    """Return the text as the person left it, byte for byte; `name` is the file's own, for its colours.

    Raises CannotEdit. The caller must not read the terminal meanwhile. When cancelled, the editor ends.
    """
    words = editor(environ)
    with tempfile.TemporaryDirectory(prefix="bramble-edit-") as folder:  # 0700
        path = Path(folder, name)
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        with _terminal() as stream:
            await _run([*words, str(path)], stream)
        try:
            return path.read_bytes().decode("utf-8", "surrogateescape")
        except OSError as error:
            raise CannotEdit(str(error)) from error


async def _run(words: list[str], stream: IO[Any] | None) -> None:
    try:
        process = await asyncio.create_subprocess_exec(*words, stdin=stream, stdout=stream, stderr=stream)
    except OSError as error:
        raise CannotEdit(f"{words[0]}: {error.strerror}") from error
    try:
        code = await process.wait()
    except asyncio.CancelledError:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        await process.wait()
        raise
    if code:
        raise CannotEdit(f"{words[0]}: {code}")


@contextlib.contextmanager
def _terminal() -> Iterator[IO[Any] | None]:
    """Yield the controlling terminal, whatever stdin and stdout are; None where it has no name."""
    try:
        stream = open("/dev/tty", "r+b", buffering=0)  # noqa: SIM115
    except OSError:
        yield None
        return
    with stream, _settings_kept(stream):
        yield stream


@contextlib.contextmanager
def _settings_kept(stream: IO[Any]) -> Iterator[None]:
    """Put the terminal back as it was: an editor that is ended leaves it as it likes."""
    import termios

    before = termios.tcgetattr(stream.fileno())
    try:
        yield
    finally:
        if os.isatty(stream.fileno()):
            termios.tcsetattr(stream.fileno(), termios.TCSADRAIN, before)
