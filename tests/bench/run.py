"""`./dev bench`: all numbers from one run, as a table or as JSON; `--only WORD` measures a part of them."""

from __future__ import annotations

import argparse
import queue
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

# Python starts with -P, so the project's own folder is named here.
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench import (
    cost,
    deciding,
    discovery,
    local_model,
    sandbox_start,
    searching,
    terminal_start,
    tool_rounds,
    window_start,
    window_work,
)
from tests.bench.figures import Number, as_json, as_table, say

Measure = Callable[[Path, int], list[Number]]

MEASURES: dict[str, tuple[Measure, int]] = {
    "version": (terminal_start.version, 15),
    "request": (terminal_start.request_leaves, 11),
    "deciding": (deciding.deciding, 200),
    "discovery": (discovery.discovery, 5),
    "cost": (cost.session_cost, 1),
    "sandbox": (sandbox_start.sandbox_start, 25),
    "search": (searching.searching, 5),
    "round": (tool_rounds.tool_rounds, 60),
    "start": (window_start.window_start, 9),
    "memory": (window_start.window_memory, 3),
    "session": (window_work.open_session, 5),
    "diff": (window_work.diff_shown, 7),
    "reply": (window_work.long_reply, 3),
}
"""Name -> what measures it, and how many rounds."""


def main(arguments: list[str]) -> int:
    """Measure and print; 1 when something could not be measured. A number that misses is no failure."""
    parser = argparse.ArgumentParser(prog="./dev bench", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print a JSON list")
    parser.add_argument("--only", default="", metavar="WORD", help=f"one of: {', '.join(MEASURES)}")
    parser.add_argument(
        "--local-model", action="store_true", help="what the models in the app make of plain requests"
    )
    parser.add_argument("--quick", action="store_true", help="few rounds: for a first look only")
    options = parser.parse_args(arguments)
    found: list[Number] = []
    failed = []
    with tempfile.TemporaryDirectory(prefix="bramble-bench-") as folder:
        wanted = {"local": (local_model.local_model, 1)} if options.local_model else MEASURES
        for name, (measure, rounds) in wanted.items():
            if options.only not in name:
                continue
            say(f"measuring: {name}")
            place = Path(folder) / name
            place.mkdir()
            try:
                found += measure(place, min(2, rounds) if options.quick else rounds)
            except (OSError, RuntimeError, subprocess.SubprocessError, queue.Empty) as error:
                say(f"{name} could not be measured: {error}")
                failed.append(name)
    print(as_json(found) if options.json else as_table(found))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
