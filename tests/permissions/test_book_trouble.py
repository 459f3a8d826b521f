"""The file of rules in trouble: no rights, a full disk, several writers at once, one that hangs."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from app.errors import RulesError
from app.permissions.book import Book, wanted
from app.platform.locking import locked
from app.records import RuleInfo

ROOT = Path(__file__).parents[2]


@pytest.fixture
def book(tmp_path: Path) -> Book:
    return Book(tmp_path / "rules.txt", wait=0.3)


def allow(rule: str) -> RuleInfo:
    return wanted("allow", rule, "always")


AS_NOBODY = """
import os, sys
sys.path.insert(0, {root!r})
from pathlib import Path
from app.errors import RulesError
from app.permissions.book import Book, wanted
book = Book(Path({path!r}))
if os.getuid() == 0:
    os.setgid(65534); os.setuid(65534)
print(book.page().blind, len(book.page().entries))
try:
    book.add([wanted("allow", "x(b)", "always")])
except RulesError as error:
    print(error.code)
"""


@pytest.mark.parametrize(("file", "folder", "seen"), [(0o000, 0o755, "True 0"), (0o444, 0o555, "False 1")])
def test_no_rights(book: Book, file: int, folder: int, seen: str) -> None:
    book.path.write_text("[always]\nallow x(a)\n")
    for parent in (book.path.parent, *book.path.parent.parents[:3]):
        if parent.stat().st_uid == os.getuid() and "pytest" in str(parent):
            parent.chmod(parent.stat().st_mode | 0o055)
    book.path.chmod(file)
    book.path.parent.chmod(folder)
    try:
        script = AS_NOBODY.format(root=str(ROOT), path=str(book.path))
        ran = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True)
    finally:
        book.path.parent.chmod(0o755)
    assert ran.stdout.split("\n")[:2] == [seen, "no_permission"], ran.stderr
    book.path.chmod(0o644)
    assert book.path.read_text() == "[always]\nallow x(a)\n"


def _fill_up(path: Path) -> None:
    """Write with a disk that takes no more bytes, as far as this process can see."""
    book = Book(path)
    book.page()
    resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        book.add([allow("x(b)")])
    except RulesError as error:
        os._exit({"no_permission": 3, "disk_full": 4}[error.code])
    os._exit(0)


def test_a_disk_that_takes_no_more_leaves_the_old_file(book: Book) -> None:
    book.path.write_text("[always]\nallow x(a)\n")
    child = multiprocessing.get_context("fork").Process(target=_fill_up, args=(book.path,))
    child.start()
    child.join(20)
    assert child.exitcode in (3, 4)
    assert book.path.read_text() == "[always]\nallow x(a)\n"
    assert sorted(path.name for path in book.path.parent.iterdir()) == [".rules.txt.lock", "rules.txt"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a small file system")
def test_a_full_file_system(tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(small)], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("may not mount")
    try:
        book = Book(small / "rules.txt")
        book.path.write_text("[always]\nallow x(a)\n")
        with pytest.raises(OSError, match="No space"):
            (small / "ballast").write_bytes(bytes(1 << 20))
        with pytest.raises(RulesError) as caught:
            book.add([allow(f"x({'b' * 4000})")])
        assert caught.value.code == "disk_full"
        assert book.path.read_text() == "[always]\nallow x(a)\n"
        (small / "ballast").unlink()
        book.add([allow("x(b)")])
    finally:
        subprocess.run(["umount", str(small)], check=True)


ADDING = """
import sys
sys.path.insert(0, {root!r})
from pathlib import Path
from app.permissions.book import Book, wanted
book = Book(Path({path!r}))
sys.stdin.readline()
for number in range(20):
    book.add([wanted("allow", f"x({{sys.argv[1]}}-{{number}})", "project" if number % 2 else "always",
                     "/w" if number % 2 else "")])
"""


def test_several_processes_add_at_once(book: Book) -> None:
    script = ADDING.format(root=str(ROOT), path=str(book.path))
    children = [
        subprocess.Popen([sys.executable, "-P", "-c", script, str(n)], stdin=subprocess.PIPE)
        for n in range(4)
    ]
    for child in children:
        assert child.stdin
        child.stdin.write(b"\n")
        child.stdin.close()
    assert [child.wait(60) for child in children] == [0] * 4
    assert len(book.page().entries) == 80 and not book.page().faults
    assert book.path.read_text().count("[always]") == book.path.read_text().count("[project /w]") == 1


def test_a_process_that_hangs_in_the_lock_is_said(book: Book) -> None:
    with locked(book.path.with_name(".rules.txt.lock"), 1), pytest.raises(RulesError) as caught:
        book.add([allow("x(a)")])
    assert caught.value.code == "rules_busy"
    book.add([allow("x(a)")])


def test_threads_add_at_once(book: Book) -> None:
    waiting = Book(book.path)
    threads = [threading.Thread(target=waiting.add, args=([allow(f"x({n})")],)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(book.page().entries) == 8
