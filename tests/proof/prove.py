"""Run the proofs at full count with a fresh seed, and note each one in tests/proofs.md."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOTES = ROOT / "tests" / "proofs.md"
HEADER = """# Proofs

Each row is one proof at the count that was asked of it (`./dev prove NAME`). A `+` after the commit says that
files differed from it. Repeat a row with `BRAMBLE_SEED=SEED ./dev prove NAME`.

| commit | proof | count | seed | seconds | result |
|---|---|---|---|---|---|
"""


@dataclass(frozen=True)
class Row:
    """One proof that ran."""

    proof: str
    count: str
    seed: str
    seconds: float
    result: str


def commit() -> str:
    """Return the short commit, with `+` when tracked files differ from it."""
    git = ["git", "-C", str(ROOT)]
    name = subprocess.run(
        [*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True
    ).stdout.strip()
    changed = subprocess.run([*git, "status", "--porcelain", "-uno"], capture_output=True, text=True).stdout
    changed = "\n".join(line for line in changed.splitlines() if not line.endswith("tests/proofs.md"))
    return (name or "unknown") + ("+" if changed else "")


def rows(report: Path) -> list[Row]:
    """Read the proofs out of pytest's XML report."""
    found = []
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        known = {item.get("name", ""): item.get("value", "") for item in case.iter("property")}
        result = next(
            (
                word
                for tag, word in (("failure", "FAILED"), ("error", "ERROR"), ("skipped", "skipped"))
                if case.find(tag) is not None
            ),
            "holds",
        )
        name = f"{known.get('proof', '?')}: {case.get('name', '')}"
        seconds = float(case.get("time", "0"))
        found.append(Row(name, known.get("count", "-"), known.get("seed", "-"), seconds, result))
    return found


def note(found: list[Row]) -> None:
    """Append the rows to tests/proofs.md."""
    text = NOTES.read_text(encoding="utf-8") if NOTES.exists() else HEADER
    at = commit()
    for row in found:
        text += f"| {at} | {row.proof} | {row.count} | {row.seed} | {row.seconds:.1f} | {row.result} |\n"
    NOTES.write_text(text, encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Run pytest over the proofs (all, or the one named) and return its exit code."""
    name = arguments[0] if arguments else "1"
    seed = os.environ.get("BRAMBLE_SEED") or str(secrets.randbelow(10**9))
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [
            sys.executable,
            "-P",
            "-m",
            "pytest",
            "-q",
            f"--junit-xml={report}",
            "-o",
            "junit_family=xunit1",
        ]
        environ = os.environ | {"BRAMBLE_PROVE": name, "BRAMBLE_SEED": seed}
        done = subprocess.run([*command, *arguments[1:]], cwd=ROOT, env=environ)
        found = rows(report) if report.exists() else []
    if not found:
        print(f"no proof is named {name}" if arguments else "no proof was found", file=sys.stderr)
        return done.returncode or 1
    note(found)
    for row in found:
        print(
            f"{row.proof}: {row.result}, count {row.count}, seed {row.seed}, {row.seconds:.1f} s",
            file=sys.stderr,
        )
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
