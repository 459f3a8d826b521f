"""Measure the decision on a command: a plain one, and one that needs the second opinion.

Both stand beside the start of `/bin/true` in the same run, the least that running any command costs.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from app.permissions.decide import decide
from app.permissions.policy import policy
from app.records import CommandEffect
from tests.bench.figures import Number, by_value

PLAIN = "git log --oneline -20 -- docs/guide.md src/main.py"
CHAIN = "cd sub && grep -n 'two words' docs/guide.md | head -n 20 > out/found.txt"


def deciding(folder: Path, rounds: int) -> list[Number]:
    """Return milliseconds of a decision under two hundred rules."""
    for name in ("sub/docs", "sub/out", "docs", "out"):
        (folder / name).mkdir(parents=True)
    allow = [f"run_command(tool{number} *)" for number in range(150)]
    allow += ["run_command(git log *)", "run_command(cd sub)", "run_command(grep *)", "run_command(head *)"]
    allow += ["write_file(**)"]
    rules = policy(str(folder.resolve()), allow, [f"run_command(never{number} *)" for number in range(50)])

    def judge(command: str) -> Callable[[int], object]:
        def work(number: int) -> None:  # another line each time: what was read once is known
            effect = CommandEffect(command=f"{command}{number}", cwd=rules.cwd)
            assert decide(effect, "run_command", rules).decision == "allow", effect

        work(-1)
        return work

    reference = _milliseconds(lambda number: subprocess.run(["/bin/true"], check=True), rounds)
    plain = _milliseconds(judge(PLAIN), rounds)
    chain = _milliseconds(judge(CHAIN), rounds)
    beside = "start of /bin/true"
    return [
        by_value("decision on a plain command", plain, "ms", reference, 1.0, beside),
        by_value("decision with the second opinion", chain, "ms", reference, 10.0, beside),
    ]


def _milliseconds(work: Callable[[int], object], rounds: int) -> float:
    seen = []
    for number in range(rounds):
        start = time.perf_counter()
        work(number)
        seen.append((time.perf_counter() - start) * 1000)
    return median(seen)
