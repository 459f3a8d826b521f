"""The file of rules: read as it stands, mistakes named, written whole, the person's own lines kept."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from app.errors import BrambleError, RulesError
from app.permissions.book import Book, wanted
from app.permissions.page import BYTES_CAP, RULES_CAP, read_page
from app.records import RuleInfo


@pytest.fixture
def book(tmp_path: Path) -> Book:
    return Book(tmp_path / "rules.txt", wait=0.3)


def texts(book: Book) -> list[str]:
    return [f"{one.info.decision} {one.info.rule}" for one in book.page().entries]


def allow(rule: str) -> RuleInfo:
    return wanted("allow", rule, "always")


HAND = """\
# my rules
[always]
allow run_command(git status)   # looked at it
  deny   run_command(rm *)

[project /w/proj]
ask write_file(docs/**)
[session s1]
ALLOW web_fetch(example.org)
"""


def test_nothing_is_there_at_first_and_reading_makes_nothing(book: Book) -> None:
    assert book.page().entries == () and book.page().faults == ()
    assert list(book.path.parent.iterdir()) == []


def test_a_file_written_by_hand(book: Book) -> None:
    book.path.write_text(HAND)
    found = [entry.info for entry in book.page().entries]
    assert [(one.decision, one.rule, one.scope, one.place, one.line) for one in found] == [
        ("allow", "run_command(git status)", "always", "", 3),
        ("deny", "run_command(rm *)", "always", "", 4),
        ("ask", "write_file(docs/**)", "project", "/w/proj", 7),
        ("allow", "web_fetch(example.org)", "session", "s1", 9),
    ]
    assert book.page().faults == ()
    assert len({one.id for one in found}) == 4


def test_an_id_survives_what_is_done_to_the_file_by_hand(book: Book) -> None:
    book.path.write_text("[always]\nallow run_command(ls)\n")
    (before,) = book.page().entries
    book.path.write_text("# moved\n\n[project /w]\n\n[always]\n# note\n  allow  run_command(ls) # why\n")
    (after,) = book.page().entries
    assert after.info.id == before.info.id and after.info.line == 7
    assert book.remove(lambda info: info.id == before.info.id)
    assert book.path.read_text() == "# moved\n\n[project /w]\n\n[always]\n# note\n"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("allow git status", "TOOL(PATTERN)"),
        ("allow", "begins with allow, ask or deny"),
        ("permit run_command(ls)", "begins with allow, ask or deny"),
        ("run_command(ls)", "begins with allow, ask or deny"),
        ("allow run_command()", "TOOL(PATTERN)"),
        ("allow run_command(git 'x)", "quote"),
        ("allow run_command(a\x1bb)", "control character"),
        ("allow run_command(a\rb)", "control character"),
        ("deny run_command(\udcff)", "not UTF-8"),
        ("deny run_command(" + "x" * 5000 + ")", "longer than"),
    ],
)
def test_a_mistake_is_named_with_its_line_and_the_rest_holds(book: Book, line: str, why: str) -> None:
    text = f"[always]\nallow run_command(a)\n{line}\ndeny run_command(b)\n"
    book.path.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert texts(book) == ["allow run_command(a)", "deny run_command(b)"]
    (fault,) = book.page().faults
    assert fault.line == 3 and why in fault.why and len(fault.text) <= 200
    fault.text.encode()  # can be shown
    before = book.path.read_bytes()
    book.add([allow("run_command(c)")])
    assert book.path.read_bytes() == before + b"allow run_command(c)\n"


@pytest.mark.parametrize(
    "header",
    [
        "[projekt /w]",
        "[project]",
        "[project docs]",
        "[session]",
        "[session a b]",
        "[always x]",
        "[",
        "[always",
    ],
)
def test_below_a_broken_section_nothing_holds(book: Book, header: str) -> None:
    book.path.write_text(
        f"[always]\nallow web_fetch(a)\n{header}\nallow run_command(*)\n[always]\nask x(y)\n"
    )
    assert texts(book) == ["allow web_fetch(a)", "ask x(y)"]
    assert [fault.line for fault in book.page().faults] == [3, 4]
    assert "line 3" in book.page().faults[1].why


def test_rules_above_the_first_section_do_not_hold(book: Book) -> None:
    book.path.write_text("allow run_command(*)\n[always]\nask x(y)\n")
    assert texts(book) == ["ask x(y)"]
    assert book.page().faults[0].line == 1 and "[always]" in book.page().faults[0].why


def test_byte_order_mark_and_line_ends_are_kept(book: Book) -> None:
    book.path.write_bytes(b"\xef\xbb\xbf[always]\r\nallow x(a)\r\n\r\n[project /w]\r\nask x(b)")
    assert book.page().faults == () and len(book.page().entries) == 2
    book.add([allow("x(c)"), wanted("deny", "x(d)", "project", "/w")])
    assert book.path.read_bytes() == (
        b"\xef\xbb\xbf[always]\r\nallow x(a)\r\nallow x(c)\r\n\r\n[project /w]\r\nask x(b)\r\ndeny x(d)\r\n"
    )


def test_what_the_person_wrote_stays_in_its_order(book: Book) -> None:
    book.path.write_text(HAND)
    book.add([allow("x(a)"), wanted("allow", "x(b)", "session", "s2"), allow("run_command(git status)")])
    kept = book.path.read_text()
    assert (
        kept
        == HAND.replace("  deny   run_command(rm *)\n", "  deny   run_command(rm *)\nallow x(a)\n")
        + "\n[session s2]\nallow x(b)\n"
    )
    book.remove(lambda info: info.rule in ("x(a)", "x(b)"))
    assert book.path.read_text() == HAND + "\n"


def test_a_new_file_says_what_it_is_and_is_private(book: Book) -> None:
    saved = book.add([wanted("ask", "run_command(make *)", "project", "/w a/b]c")])
    assert saved[0].line and texts(book) == ["ask run_command(make *)"]
    assert book.page().entries[0].info.place == "/w a/b]c"
    assert stat.S_IMODE(book.path.stat().st_mode) == 0o600
    assert book.path.read_text().startswith("# Rules of Bramble")
    assert sorted(path.name for path in book.path.parent.iterdir()) == [".rules.txt.lock", "rules.txt"]


def test_nothing_is_added_twice(book: Book) -> None:
    for _ in range(3):
        book.add([allow("x(a)"), allow("x(a)")])
    assert book.path.read_text().count("x(a)") == 1


def test_other_words_for_a_rule(book: Book) -> None:
    book.path.write_text(HAND)
    id = book.page().entries[0].info.id
    new = book.edit(id, "run_command(git log)")
    assert (new.rule, new.line) == ("run_command(git log)", 3) and new.id != id
    assert book.path.read_text() == HAND.replace("git status", "git log")
    with pytest.raises(RulesError) as caught:
        book.edit(id, "run_command(ls)")
    assert caught.value.code == "no_rule"
    with pytest.raises(BrambleError) as bad:
        book.edit(new.id, "no rule")
    assert bad.value.code == "bad_rule"


@pytest.mark.parametrize(
    ("rule", "place"),
    [
        ("x(a\nallow run_command(*))", ""),
        ("x(a) # y)", ""),
        ("x(\ud800)", ""),
        ("x(a)\rb)", ""),
        ("x(a)", "/w\n[always]"),
        ("x(a)", "/w\udcff"),
        ("x(a)", "/w] #"),
    ],
)
def test_nothing_can_be_smuggled_into_the_file(book: Book, rule: str, place: str) -> None:
    book.path.write_text(HAND)
    with pytest.raises(BrambleError) as caught:
        book.add([wanted("allow", rule, "project" if place else "always", place)])
    assert caught.value.code == "bad_rule"
    assert book.path.read_text() == HAND


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\xff\xfe[\0a\0", "not UTF-8"),
        (b"[always]\n" + b"# x\n" * (BYTES_CAP // 4), "larger than"),
    ],
)
def test_a_file_that_is_no_text_or_huge_is_left_alone(book: Book, data: bytes, why: str) -> None:
    book.path.write_bytes(data)
    page = book.page()
    assert page.blind and page.faults[0].line == 0 and why in page.faults[0].why
    with pytest.raises(RulesError) as caught:
        book.add([allow("x(a)")])
    assert caught.value.code == "bad_rules" and book.path.read_bytes() == data


def test_too_many_rules(book: Book) -> None:
    rules = "".join(f"allow x({number})\n" for number in range(RULES_CAP + 5))
    page = read_page(b"[always]\n" + rules.encode())
    assert len(page.entries) == RULES_CAP and len(page.faults) == 5
    assert page.faults[0].line == RULES_CAP + 2


def test_no_file_but_something_else(book: Book) -> None:
    for make in (os.mkdir, os.mkfifo):
        make(book.path)
        assert book.page().blind  # and a FIFO does not keep anybody waiting
        with pytest.raises(RulesError):
            book.add([allow("x(a)")])
        os.rmdir(book.path) if book.path.is_dir() else book.path.unlink()
    book.path.symlink_to(book.path)
    assert book.page().blind


def test_a_link_into_a_folder_of_dotfiles_stays_a_link(book: Book, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "bramble-rules"
    real.parent.mkdir()
    real.write_text("[always]\n")
    real.chmod(0o640)
    book.path.symlink_to(real)
    book.add([allow("x(a)")])
    assert book.path.is_symlink() and real.read_text() == "[always]\nallow x(a)\n"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


def test_what_another_process_saved_counts_at_once(book: Book) -> None:
    other = Book(book.path)
    for number in range(50):
        rule = allow(f"x({number})")
        (other if number % 2 else book).add([rule])
        assert rule.id in {entry.info.id for entry in book.page().entries}
        assert rule.id in {entry.info.id for entry in other.page().entries}


def test_a_change_in_place_of_the_same_length_is_seen(book: Book) -> None:
    book.path.write_text("[always]\nallow x(a)\n")
    assert texts(book) == ["allow x(a)"]
    for letter in "bcdefgh":
        with open(book.path, "r+") as file:
            file.write(f"[always]\nallow x({letter})\n")
        assert texts(book) == [f"allow x({letter})"]


def test_reading_is_only_a_look_at_the_stamp(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    book.path.write_text(HAND)
    os.utime(book.path, ns=(10**18, 10**18))
    first = book.page()
    monkeypatch.setattr(Book, "_read", lambda self: pytest.fail("it was read again"))
    assert book.page() is first
