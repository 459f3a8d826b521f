"""Runs lines with the real bash in a throw-away folder without a network; notes what ran and what changed.

This file is also the program that does it inside of the sandbox. Every name that the lines use is a small
program that only notes its words; builtins that run nothing are switched off in favour of such programs,
those that run something note their words first.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

REAL = ("timeout", "env", "nice", "nohup", "xargs", "find", "sh", "bash")
"""Programs that start others: they note their words and then really do it."""
OFF = ("echo", "printf", "true", "false", "test", "pwd", "kill", ":")
LOUD = ("eval", "exec", "cd", "source", ".", "trap", "set", "shopt", "alias", "hash", "enable",
        "let", "read", "pushd", "popd", "unset", "export", "declare")  # fmt: skip
SECONDS = 5


def run(lines: list[str], names: tuple[str, ...], folder: Path) -> list[dict[str, Any]]:
    """Return for each line what ran (`ran`: words) and which files were made or changed (`files`: relative).

    `folder` is the only one that anything can write to.
    """
    work = json.dumps({"lines": lines, "names": names, "top": str(folder)})
    inside = [sys.executable, "-I", __file__]
    done = subprocess.run(
        [*_sandbox(folder), *inside],
        input=work,
        capture_output=True,
        text=True,
        timeout=60 + len(lines),
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return list(json.loads(done.stdout))


def _sandbox(folder: Path) -> list[str]:
    """Bubblewrap where it works; without it the folder alone has to do, since nothing but notes can run."""
    held = [
        "bwrap",
        "--unshare-all",
        "--die-with-parent",
        "--ro-bind",
        "/",
        "/",
        "--dev",
        "/dev",
        "--proc",
        "/proc",
    ]
    held += ["--tmpfs", str(folder), "--"]
    if not shutil.which("bwrap"):
        return []
    probe = subprocess.run([*held, "/bin/true"], capture_output=True, check=False)
    return held if probe.returncode == 0 else []


def main() -> None:
    """Run what stands on the standard input; answer on the standard output."""
    work = json.load(sys.stdin)
    top = Path(work["top"], "run")
    top.mkdir()
    programs, log = top / "bin", top / "log"
    _prepare(programs, log, tuple(work["names"]))
    environment = {
        "PATH": str(programs),
        "HOME": str(top / "home"),
        "LANG": "C.UTF-8",
        "BASH_ENV": str(programs / ".env"),
    }
    answers = []
    for line in work["lines"]:
        if not answers or answers[-1]["files"]:
            _fill(top / "w", log)
        answers.append(_one(line, top / "w", log, environment))
    shutil.rmtree(top)
    print(json.dumps(answers))


def _prepare(programs: Path, log: Path, names: tuple[str, ...]) -> None:
    programs.mkdir()
    (programs.parent / "home").mkdir()
    note = "printf '%s\\037' {name} \"$@\" '\036' >> {log}\n"
    for name in (*names, *OFF, *REAL):
        real = f'exec {shutil.which(name)} "$@"\n' if name in REAL else "exit 1\n" if name == "false" else ""
        text = "#!/bin/dash\n" if Path("/bin/dash").exists() else "#!/bin/sh\n"
        (programs / name).write_text(text + note.format(name=name, log=log) + real)
        (programs / name).chmod(0o755)
    write = shutil.which("printf")
    functions = [
        f"{name}() {{ {write} '%s\\037' {name} \"$@\" '\036' >> {log}; builtin {name} \"$@\"; }}\n"
        for name in LOUD
    ]
    (programs / ".env").write_text("enable -n " + " ".join(OFF) + "\n" + "".join(functions))


def _fill(folder: Path, log: Path) -> None:
    """Make the folder that a line begins in."""
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("d/.git", "out", ".git"):
        (folder / name).mkdir(parents=True)
    (folder / "in.txt").write_text("in\n")
    zz = folder / "zz"
    zz.write_text(f"#!/bin/sh\nprintf '%s\\037' ./zz \"$@\" '\036' >> {log}\n")
    zz.chmod(0o755)


def _one(line: str, folder: Path, log: Path, environment: dict[str, str]) -> dict[str, Any]:
    log.write_bytes(b"")
    before = _files(folder.parent)
    try:
        child = subprocess.Popen(
            ["/bin/bash", "--noprofile", "--norc", "-c", line.encode(errors="surrogatepass")],
            cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
    except ValueError:  # a NUL: no such command can be run at all
        return {"ran": [], "files": []}
    try:
        child.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.communicate()
    _gone(child.pid)
    after = _files(folder.parent)
    changed = sorted(
        os.path.relpath(path, folder)
        for path in before.keys() | after.keys()
        if before.get(path) != after.get(path)
    )
    return {"ran": _read(log), "files": changed}


def _gone(group: int) -> None:
    """Wait until nothing of a line runs any more: what it left in the background counts as its own."""
    until = time.monotonic() + SECONDS
    while True:
        try:
            os.killpg(group, 0 if time.monotonic() < until else signal.SIGKILL)
        except ProcessLookupError:
            return
        time.sleep(0.001)


def _files(top: Path) -> dict[str, Any]:
    """Every file outside of the notes with its content, so that a second write in one tick is seen."""
    found = {}
    for folder, names, files in os.walk(top):
        names[:] = [name for name in names if Path(folder, name) != top / "bin"]
        for name in files:
            path = Path(folder, name)
            if path != top / "log":
                found[str(path)] = (path.read_bytes() if path.is_file() else b"", os.lstat(path).st_mtime_ns)
    return found


def _read(log: Path) -> list[list[str]]:
    text = log.read_bytes().decode(errors="replace")
    return [record.split("\037")[:-1] for record in text.split("\036\037") if record]


if __name__ == "__main__":
    main()
