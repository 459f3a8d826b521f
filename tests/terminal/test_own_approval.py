"""Nobody approves himself: what a tool's command starts may look at rights and widens none, also hidden."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from app.platform import spawning
from app.platform.processes import MARK, signal_marked
from tests.terminal.conftest import Bramble, command

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc and at limits")

WIDENING = {
    "add": ["permissions", "add", "run_command(*)", "--json"],
    "remove": ["permissions", "remove", "0123456789", "--json"],
    "edit": ["permissions", "edit", "0123456789", "run_command(*)", "--json"],
    "approve": ["approvals", "allow", "nothing", "--json"],
    "approve for always": ["approvals", "allow", "nothing", "--always", "--json"],
    "ask --yes": ["ask", "--yes", "x", "--json"],
    "ask --allow": ["ask", "--allow", "run_command(*)", "x", "--json"],
    "call --yes": ["tools", "call", "write_file", "--yes", "--args", '{"path":"b","content":""}', "--json"],
    "call --allow": ["tools", "call", "write_file", "--allow", "write_file(**)", "--args", "{}", "--json"],
    "chat --yes": ["chat", "--yes"],
    "trust a tool": ["tools", "trust", "nothing", "--yes", "--json"],
    "trust it no longer": ["tools", "forget", "nothing", "--json"],
    "switch a tool": ["tools", "on", "nothing", "--json"],
    "agree to terms": ["login", "copilot", "--agree", "--json"],
    "take a token elsewhere": ["login", "copilot", "--domain", "evil.example", "--json"],
    "trust an app": ["login", "copilot", "--client-id", "x", "--json"],
    "take a sign-in": ["login", "copilot", "--gh", "--json"],
    "accept a model's terms": ["models", "accept", "copilot/x", "--yes", "--json"],
}
HIDING = {
    "direct": "{it}",
    "no environment": "env -i {it}",
    "in place of the shell": "exec env -i {it}",
    "a session of its own": "setsid -w env -i {it}",
    "nohup in the background": "nohup env -i {it} & wait",
    "through python": "python3 quiet.py {it}",
    "by a terminal of its own": "env -i script -qec {quoted} /dev/null </dev/null",
    "a grandchild that nobody waits for": "(setsid env -i bash -c {writing} </dev/null &) & disown; exit 0",
    "after all its parents ended": "python3 away.py {writing}",
}
LATER = ("a grandchild that nobody waits for", "after all its parents ended")
"""Those whose end the tool's command does not wait for."""
QUIET = "import subprocess, sys; subprocess.run(sys.argv[1:], env={})"
AWAY = """
import os, sys, time
if os.fork():
    os._exit(0)
os.setsid()
if os.fork():
    os._exit(0)
parent = os.getppid()
for _ in range(500):
    if os.getppid() != parent or parent == 1:
        break
    time.sleep(0.01)
os.execve("/bin/bash", ["bash", "-c", sys.argv[1]], {})
"""


def run_as_tool(text: str, cwd: Path, environment: Mapping[str, str]) -> str:
    """Run a command as a tool does, without a sandbox; return what it says."""
    bash = spawning.find_bash()
    assert bash
    mark = f"test-{os.getpid()}"
    environ = {**spawning.environment(environment), MARK: mark, "BRAMBLE_HOME": environment["BRAMBLE_HOME"]}
    child = spawning.start(bash, text, str(cwd), environ, input=False)
    os.set_blocking(child.output, True)
    try:
        spawning.go(child)
        os.close(child.input)
        with open(child.output, "rb") as output:
            said = output.read()
        child.process.wait(60)
        return said.decode(errors="replace")
    finally:
        signal_marked(mark, 9)


def hidden(how: str, words: list[str], environment: Mapping[str, str]) -> str:
    """Return the command line that hides where `words` come from."""
    kept = [f"BRAMBLE_HOME={environment['BRAMBLE_HOME']}", "LC_ALL=C.UTF-8", f"PATH={os.environ['PATH']}"]
    it = shlex.join(["env", *kept, *command(*words)])
    writing = shlex.quote(f"{it} >out 2>&1; echo $? >done.new; mv done.new done")
    return HIDING[how].format(it=it, quoted=shlex.quote(it), writing=writing)


def test_what_widens_rights_is_refused(environment: dict[str, str], work: Path, home: Path) -> None:
    lines = [
        f"({shlex.join(command(*words))} >out-{number} 2>&1; echo $? >code-{number}) </dev/null &"
        for number, words in enumerate(WIDENING.values())
    ]
    run_as_tool("\n".join([*lines, "wait"]), work, environment)
    for number, what in enumerate(WIDENING):
        said = (work / f"out-{number}").read_text()
        assert (work / f"code-{number}").read_text() == "3\n", (what, said)
        assert "A tool of Bramble started this command" in said, what
    assert not (home / "rules.txt").exists() and not (work / "b").exists()


@pytest.mark.parametrize("how", HIDING)
def test_it_is_seen_however_it_hides(how: str, environment: dict[str, str], work: Path, home: Path) -> None:
    program = {"by a terminal of its own": "script"}.get(how, "python3")
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not here")
    (work / "quiet.py").write_text(QUIET)
    (work / "away.py").write_text(AWAY)
    said = run_as_tool(hidden(how, WIDENING["add"], environment), work, environment)
    if how in LATER:
        end = time.monotonic() + 60
        while not (work / "done").exists():
            assert time.monotonic() < end, said
            time.sleep(0.02)
        assert (work / "done").read_text() == "3\n"
        said = (work / "out").read_text()
    assert "own_approval" in said, said
    assert not (home / "rules.txt").exists()


def test_a_terminal_that_a_tool_opens_has_nobody_at_it(
    environment: dict[str, str], work: Path, home: Path
) -> None:
    """On a pty of its own a tool could type the y itself: there a call is refused instead of asked about."""
    if shutil.which("script") is None:
        pytest.skip("script is not here")
    it = command("tools", "call", "write_file", "--args", '{"path":"b","content":"x"}')
    text = f"(sleep 2; yes y) | script -qec {shlex.quote(shlex.join(it))} /dev/null"
    said = run_as_tool(text, work, environment)
    assert "Nobody was there" in said and not (work / "b").exists()


def test_looking_is_free(environment: dict[str, str], work: Path) -> None:
    said = run_as_tool(f"{shlex.join(command('permissions', 'list', '--json'))}; echo $?", work, environment)
    assert "[]\n" in said and said.endswith("0\n")


def test_a_person_may(bramble: Bramble) -> None:
    assert bramble(*WIDENING["add"]).code == 0
    limit = subprocess.run(["bash", "-c", "ulimit -Hx"], capture_output=True, text=True)
    assert limit.stdout.strip() == "unlimited"
