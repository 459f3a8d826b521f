"""The start of the packed program: Bramble, and Python itself for the children that Bramble starts.

In the packed folder `sys.executable` is this program. Children are asked for as `python -P FILE`,
`-P -c CODE` or `-P -m MODULE`, so those forms do here what they do in Python.
"""

from __future__ import annotations

import multiprocessing
import runpy
import sys


def main(argv: list[str]) -> int:
    """Run Bramble with `argv`, or what a child was asked for; returns the exit code."""
    multiprocessing.freeze_support()
    if argv[:1] == ["-P"] and len(argv) > 1:
        _as_python(argv[1:])
        return 0
    if argv[:1] == ["--colour-code"]:  # ui/window/transcript/lexing.py
        from ui.window.transcript import lexing

        lexing.main()
        return 0
    from ui.launch import main as bramble

    return bramble(argv)


def _as_python(argv: list[str]) -> None:
    kind, rest = argv[0], argv[1:]
    if kind == "-c":
        sys.argv = ["-c", *rest[1:]]
        exec(compile(rest[0], "<string>", "exec"), {"__name__": "__main__"})
    elif kind == "-m":
        sys.argv = rest
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    else:
        sys.argv = argv
        runpy.run_path(kind, run_name="__main__")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
