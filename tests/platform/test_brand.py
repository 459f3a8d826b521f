"""The brand of a tool's command stays whatever it takes off, and no front end allows anything under it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from app.platform.brand import VALUE, branded, carries, script, value_of

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a limit of Linux")
LOOK = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from app.platform.brand import branded
print(branded())
"""
ALLOW = f"""
import asyncio, sys
sys.path.insert(0, {str(ROOT)!r})
from app.engine import Engine
from app.errors import BrambleError
from app.platform.paths import home
from app.records import Answer

async def main():
    engine = Engine(home({{"BRAMBLE_HOME": sys.argv[1]}}), {{}}, kind="window")
    await engine.open()
    for work in (
        engine.rules.add("allow", "run_command(*)"),
        engine.rules.remove("0"),
        engine.rules.edit("0", "x(y)"),
        engine.answer("0", Answer(decision="allow", by="window")),
        engine.answer("0", Answer(decision="deny", by="window")),
    ):
        try:
            print(await work)
        except BrambleError as error:
            print(error.code)
    await engine.close()

asyncio.run(main())
"""


def run(shell: str, *words: str) -> str:
    ran = subprocess.run(
        ["bash", "-c", shell, "bash", sys.executable, "-P", "-c", *words], capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_a_persons_process_carries_none() -> None:
    assert not branded() and run('"$@"', LOOK) == "False\n"


@pytest.mark.parametrize(
    "shell",
    [
        '"$@"',
        'exec env -i "$@"',
        'setsid -w env -i "$@"',
        '(ulimit -x unlimited || true) 2>/dev/null; "$@"',
        'ulimit -x 5; "$@"',
        script("mark") + '"$@"',
    ],
)
def test_what_descends_from_it_does(shell: str) -> None:
    assert run(script("mark") + shell, LOOK) == "True\n"


def test_under_it_no_front_end_allows_anything(tmp_path: Path) -> None:
    assert run(script("mark") + '"$@"', ALLOW, str(tmp_path)).split() == ["own_approval"] * 4 + ["False"]
    assert not (tmp_path / "rules.txt").exists()
    assert run('"$@"', ALLOW, str(tmp_path)).split()[-4:] == ["False", "no_rule", "False", "False"]
    assert (tmp_path / "rules.txt").exists()


def test_each_command_has_a_brand_of_its_own() -> None:
    values = {value_of(f"mark-{number}") for number in range(10_000)}
    assert len(values) == 10_000 and max(values) < value_of("") == VALUE
    limits = f"Max processes  9 9 processes\nMax file locks            {VALUE}    {VALUE}    locks\n".encode()
    assert carries(limits, VALUE) and not carries(limits, VALUE - 1) and not carries(b"", VALUE)
