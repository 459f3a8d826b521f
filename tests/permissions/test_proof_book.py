"""Two proofs about the file of rules: a kill loses nothing that was saved, no change touches other lines."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from app.permissions import page as pages
from app.permissions.book import Book, wanted
from app.records import RuleInfo

ROOT = Path(__file__).parents[2]
ADDING = """
import sys
sys.path.insert(0, {root!r})
from pathlib import Path
from app.permissions.book import Book, wanted
book = Book(Path({path!r}))
print("ready", flush=True)
for number in range(10_000):
    rule = f"x({{sys.argv[1]}}-{{number}})"
    book.add([wanted("allow", rule, "project" if number % 3 else "always", "/w" if number % 3 else "")])
    print(rule, flush=True)
"""


@pytest.mark.proof("rules_killed", small=3, full=200)
def test_a_kill_at_any_moment_loses_no_rule(tmp_path: Path, count: int, seed: int) -> None:
    choose = random.Random(seed)
    book = Book(tmp_path / "rules.txt")
    book.path.write_text("# mine\n[always]\ndeny run_command(rm *)\n")
    script = ADDING.format(root=str(ROOT), path=str(book.path))
    acknowledged: list[str] = []
    for number in range(count):
        child = subprocess.Popen([sys.executable, "-P", "-c", script, str(number)], stdout=subprocess.PIPE)
        assert child.stdout
        child.stdout.readline()
        for _ in range(choose.randrange(1, 12)):
            acknowledged.append(child.stdout.readline().decode().strip())
        child.kill()  # somewhere in the next one
        acknowledged += [line for line in child.stdout.read().decode().split("\n")[:-1]]
        child.wait()
        child.stdout.close()
        page = book.page()
        found = {entry.info.rule for entry in page.entries}
        assert not page.faults and set(acknowledged) <= found
        assert len(found) <= len(acknowledged) + number + 2
        assert book.path.read_text().startswith("# mine\n[always]\ndeny run_command(rm *)\n")
    book.add([wanted("allow", "x(last)", "always")])
    assert sorted(path.name for path in tmp_path.iterdir()) == [".rules.txt.lock", "rules.txt"]


PIECES = (
    "", " ", "# a note", "[always]", "[project /w/a]", "[project /w/b ]  # there", "[session s1]",
    "[projekt]", "allow x(a)", "deny x(b)   # why", "ask x(c)", "  allow   x(d)", "allow", "x(e)",
    "allow x(f", "deny x(\t)", "allow x(\udcff)", "allow run_command('q)", "[", "allow x(a)", "[always] x",
)  # fmt: skip
PLACES = (("always", ""), ("project", "/w/a"), ("project", "/w/c"), ("session", "s1"), ("session", "s2"))


@pytest.mark.proof("rules_edited", small=300, full=20_000)
def test_a_change_leaves_all_other_lines_as_they_are(count: int, seed: int) -> None:
    choose = random.Random(seed)
    for _ in range(count):
        end = choose.choice(("\n", "\n", "\r\n"))
        lines = [choose.choice(PIECES) for _ in range(choose.randrange(12))]
        text = end.join(lines) + choose.choice(("", end))
        data = choose.choice((b"", b"\xef\xbb\xbf")) + text.encode("utf-8", "surrogateescape")
        page = pages.read_page(data)
        new = [_new(choose) for _ in range(choose.randrange(1, 4))]
        after = pages.read_page(pages.added(page, new))
        _holds_beside(page, after, new)
        gone = {info.id for info in new}
        back = pages.read_page(pages.without(after, lambda info, gone=gone: info.id in gone))
        left = {entry.info.id for entry in page.entries} - gone
        assert {entry.info.id for entry in back.entries} == left, data
        assert _faults(back) == _faults(page)


def _new(choose: random.Random) -> RuleInfo:
    scope, place = choose.choice(PLACES)
    decision = choose.choice(("allow", "ask", "deny"))
    return wanted(decision, f"x({choose.choice('abcdghij')})", scope, place)  # type: ignore[arg-type]


def _holds_beside(before: pages.Page, after: pages.Page, new: list[RuleInfo]) -> None:
    """Every line that stood there stands there in its order, every rule holds, the new ones too."""
    old = [line.rstrip("\r\n") for line in before.lines]
    now = iter(line.rstrip("\r\n") for line in after.lines)
    assert all(any(line == other for other in now) for line in old), before.lines
    ids = {entry.info.id for entry in after.entries}
    assert ids == {entry.info.id for entry in before.entries} | {info.id for info in new}, before.lines
    assert _faults(after) == _faults(before) and after.mark == before.mark


def _faults(page: pages.Page) -> list[tuple[str, str]]:
    return [(fault.text, fault.why.rstrip("0123456789.")[:20]) for fault in page.faults]
