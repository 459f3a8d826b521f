"""End the commands of an app that was killed: a tiny process that waits for our end and then ends theirs."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping

from app.platform.brand import value_of
from app.platform.processes import MARK

_SCRIPT = f"""
trap '' HUP INT TERM
while read -r sign group mark value; do
  if [ "$sign" = + ]; then marks[group]=$mark values[group]=$value; else unset "marks[group]"; fi
done
end() {{
  for group in "${{!marks[@]}}"; do
    [ "$2" = 1 ] && kill "-$1" -- "-$group"
    for path in $(grep -lzxF "{MARK}=${{marks[group]}}" /proc/[0-9]*/environ
      grep -lE "^Max file locks +[0-9]+ +${{values[group]}} " /proc/[0-9]*/limits); do
      path=${{path#/proc/}}
      kill "-$1" "${{path%%/*}}"
    done
  done
}}
[ "${{#marks[@]}}" -gt 0 ] || exit 0
end TERM 1
sleep 2
end KILL 1
end KILL 2
end KILL 3
"""
"""Reads who runs, one line a change; our end of the pipe closes when we end in any way, kill -9 too."""


class Warden:
    """Keeps the list of running groups outside of this process: one bash of 3 MB once a command ran."""

    def __init__(self, bash: str, environ: Mapping[str, str]) -> None:
        self._bash = bash
        self._environ = environ
        self._groups: dict[int, str] = {}
        self._process: subprocess.Popen[bytes] | None = None

    def watch(self, group: int, mark: str) -> None:
        """Take a group in before its command runs. Raises OSError when no process can be started."""
        self._groups[group] = mark
        if self._process is None:
            self._begin()
        else:
            self._tell(_line(group, mark))

    def forget(self, group: int) -> None:
        """Take a group out that has ended, before the system gives its number to another."""
        if self._groups.pop(group, None) is not None and self._process is not None:
            self._tell(f"- {group}\n")

    def close(self) -> None:
        """End the warden, which ends what is still in its list."""
        process, self._process = self._process, None
        if process is not None:
            assert process.stdin
            process.stdin.close()
            process.wait()

    def _begin(self) -> None:
        self._process = subprocess.Popen(
            [self._bash, "--noprofile", "--norc", "-c", _SCRIPT, "bramble-warden"],
            cwd="/",
            env=dict(self._environ),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
        )
        self._tell("".join(_line(group, mark) for group, mark in self._groups.items()))

    def _tell(self, line: str) -> None:
        assert self._process and self._process.stdin
        try:
            os.write(self._process.stdin.fileno(), line.encode())
        except BrokenPipeError:  # somebody killed it: begin again with all that runs
            self._process.stdin.close()
            self._process.wait()
            self._begin()


def _line(group: int, mark: str) -> str:
    return f"+ {group} {mark} {value_of(mark)}\n"
