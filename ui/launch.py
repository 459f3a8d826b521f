"""The entry point: no arguments open the window, anything else is a terminal command.

The first lines are kept light, since `--version`, a second start of the window and every command pass here.
BRAMBLE_TRACE_START=SECONDS (unix time of the process's start) makes the window print on stderr how long it
`start frame_ms=N` when the window is painted and its composer takes keys, `start session_ms=N` when the
list is filled and the last conversation drawn, `start sandbox_ms=N` when it says what holds commands.
"""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False  # type checkers take this name for true; to import typing would be slow
if TYPE_CHECKING:
    from collections.abc import MutableMapping

VERSION = "0.1.0"
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RARELY = 50_000
"""New objects until garbage is looked for: what a start imports stays, so looking through it is in vain."""
WINDOW_OPTIONS = ("--toggle", "--session", "--new")


def main(argv: list[str]) -> int:
    """Run Bramble with the arguments after its name; returns the exit code."""
    if argv in (["--version"], ["-V"]):
        print(f"bramble {VERSION}")
        return 0
    only_our_modules(ROOT)
    use_utf8(os.environ)
    if not argv or argv[0] in WINDOW_OPTIONS:
        from ui.window.start import open_window

        return open_window(argv)
    gc.set_threshold(RARELY)
    from ui.terminal.main import main as run_command

    return run_command(argv)


def only_our_modules(root: str) -> None:
    """Put the project first on the module path, and drop what the caller's folder and PYTHONPATH put there.

    A person's own `app/` or `tools/` must never replace ours, nor those of a child process.
    """
    foreign = {os.path.abspath(part) for part in os.environ.pop("PYTHONPATH", "").split(os.pathsep) if part}
    foreign |= {os.path.join(root, "ui"), root}
    os.environ.pop("PYTHONHOME", None)
    kept = [part for part in sys.path if part and os.path.abspath(part) not in foreign]
    sys.path[:] = [root, *kept]


def use_utf8(environ: MutableMapping[str, str]) -> None:
    """Choose a UTF-8 character set where the locale has none (Qt needs it), and keep the person's
    language."""
    if sys.platform == "win32":
        return
    locale = environ.get("LC_ALL") or environ.get("LC_CTYPE") or environ.get("LANG") or ""
    if "utf8" in locale.lower().replace("-", ""):
        return
    if "LC_ALL" in environ:
        environ["LANG"] = environ.pop("LC_ALL") or environ.get("LANG", "C")
    environ["LC_CTYPE"] = "UTF-8" if sys.platform == "darwin" else "C.UTF-8"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
