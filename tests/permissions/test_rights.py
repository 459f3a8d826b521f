"""The policy of a call: which saved rules hold for which session and folder, and that each call sees them."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.errors import BrambleError
from app.permissions.book import Book, wanted
from app.permissions.decide import decide
from app.permissions.policy import Rights
from app.records import (
    CommandEffect,
    DecisionKind,
    FileDiff,
    FilesEffect,
    Mark,
    ReadEffect,
    Scope,
    TurnOptions,
)

NOTHING = TurnOptions()


@pytest.fixture
def book(tmp_path: Path) -> Book:
    return Book(tmp_path / "rules.txt")


@pytest.fixture
def rights(book: Book) -> Rights:
    return Rights(book, ())


def save(
    book: Book, rule: str, scope: Scope = "always", place: str = "", decision: DecisionKind = "allow"
) -> None:
    book.add([wanted(decision, rule, scope, place)])


def command(
    rights: Rights, cwd: Path | str, session: str = "s", text: str = "make all", **options: object
) -> str:
    policy = rights.policy(session, str(cwd), TurnOptions(**options))  # type: ignore[arg-type]
    return decide(CommandEffect(command=text, cwd=str(cwd)), "run_command", policy).decision


def test_a_rule_for_always_holds_everywhere(book: Book, rights: Rights, tmp_path: Path) -> None:
    assert command(rights, tmp_path) == "ask"
    save(book, "run_command(make all)")
    (tmp_path / "other").mkdir()
    assert command(rights, tmp_path) == command(rights, tmp_path / "other", session="") == "allow"


def test_a_session_rule_holds_in_its_session(book: Book, rights: Rights, tmp_path: Path) -> None:
    save(book, "run_command(make all)", "session", "s")
    assert command(rights, tmp_path, "s") == "allow"
    assert command(rights, tmp_path, "t") == command(rights, tmp_path, "") == "ask"


def test_a_project_rule_holds_in_the_folder_and_below(book: Book, rights: Rights, tmp_path: Path) -> None:
    work = tmp_path / "w"
    for name in ("proj/sub/deep", "proj-evil", "proj.evil", "other"):
        (work / name).mkdir(parents=True)
    save(book, "run_command(make all)", "project", str(work / "proj"))
    assert command(rights, work / "proj") == command(rights, work / "proj/sub/deep") == "allow"
    for outside in (work, work / "proj-evil", work / "proj.evil", work / "other", "/"):
        assert command(rights, outside) == "ask", outside


def test_a_project_folder_may_be_named_over_links(book: Book, rights: Rights, tmp_path: Path) -> None:
    (tmp_path / "real/sub").mkdir(parents=True)
    (tmp_path / "evil").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    book.path.write_text(f"[project {tmp_path}/link/../link/]\nallow run_command(make all)\n")
    assert command(rights, tmp_path / "real") == command(rights, tmp_path / "real/sub") == "allow"
    assert command(rights, tmp_path / "evil") == "ask"
    (tmp_path / "link").unlink()
    assert command(rights, tmp_path / "real") == "ask"


def test_home_in_a_project_section(
    book: Book, rights: Rights, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "code").mkdir()
    book.path.write_text("[project ~/code]\nallow run_command(make all)\n")
    assert command(rights, tmp_path / "code") == "allow"
    assert command(rights, tmp_path) == "ask"


def test_relative_paths_of_a_rule_count_from_the_working_folder(
    book: Book, rights: Rights, tmp_path: Path
) -> None:
    for name in ("a/docs", "b/docs"):
        (tmp_path / name).mkdir(parents=True)
    save(book, "write_file(docs/**)")

    def write(cwd: str, path: str) -> str:
        effect = FilesEffect(files=(FileDiff(path=str(tmp_path / path), shown=path, kind="new"),))
        return decide(effect, "write_file", rights.policy("s", str(tmp_path / cwd), NOTHING)).decision

    assert write("a", "a/docs/x") == write("b", "b/docs/x") == "allow"
    assert write("a", "b/docs/x") == write("a", "a/x") == "ask"


def test_deny_before_ask_before_allow_whatever_the_scope(book: Book, rights: Rights, tmp_path: Path) -> None:
    save(book, "run_command(make *)")
    save(book, "run_command(make all)", "project", str(tmp_path), "ask")
    assert command(rights, tmp_path) == "ask"
    assert command(rights, tmp_path, text="make clean-docs") == "allow"
    assert command(rights, tmp_path, yes=True) == "ask"
    assert command(rights, tmp_path, allow=("run_command(make all)",)) == "ask"
    save(book, "run_command(make all)", "session", "s", "deny")
    assert command(rights, tmp_path) == "deny" and command(rights, tmp_path, "t") == "ask"
    assert command(rights, tmp_path, "t", deny=("run_command(make *)",)) == "deny"


def test_options_of_the_turn_count_beside_the_saved_rules(rights: Rights, tmp_path: Path) -> None:
    assert command(rights, tmp_path, allow=("run_command(make *)",)) == "allow"
    with pytest.raises(BrambleError) as caught:
        rights.policy("s", "/", TurnOptions(allow=("no rule",)))
    assert caught.value.code == "bad_rule"


def test_each_policy_sees_what_was_saved_a_moment_ago(book: Book, rights: Rights, tmp_path: Path) -> None:
    other = Book(book.path)
    for _ in range(5):
        save(other, "run_command(make all)")
        assert command(rights, tmp_path) == "allow"
        other.remove(lambda info: True)
        assert command(rights, tmp_path) == "ask"


def test_where_the_rules_cannot_be_read_everything_asks(book: Book, rights: Rights, tmp_path: Path) -> None:
    save(book, "run_command(make all)")
    book.path.write_bytes(book.path.read_bytes() + b"\0")
    assert command(rights, tmp_path) == command(rights, tmp_path, yes=True) == "ask"
    assert command(rights, tmp_path, deny=("run_command(make *)",)) == "deny"
    reading = decide(
        ReadEffect(path=str(tmp_path / "a")), "read_file", rights.policy("", str(tmp_path), NOTHING)
    )
    assert (reading.decision, reading.reason) == ("ask", "rules_unreadable")


def test_faults_are_told_once_for_each_set_of_them(book: Book, rights: Rights) -> None:
    assert rights.news() is None
    book.path.write_text("[always]\nnonsense\n")
    problem = rights.news()
    assert problem and problem.code == "rule_faults" and problem.fields["line"] == "2"
    assert rights.news() is None
    book.path.write_bytes(b"\0")
    problem = rights.news()
    assert problem and problem.code == "bad_rules"
    book.path.write_text("[always]\n")
    assert rights.news() is None
    book.path.write_text("[always]\nnonsense\n")
    assert rights.news() is not None


def test_what_else_a_policy_carries(book: Book, tmp_path: Path) -> None:
    mark, more = Mark(kind="web", name="a.org"), Mark(kind="other", name="--untrusted")
    rights = Rights(book, ("/own",), lambda: True)
    policy = rights.policy(
        "s", "/w", TurnOptions(marks=(more,), attended=False), marks=(mark,), named_hosts=frozenset({"b.org"})
    )
    assert (policy.marks, policy.named_hosts, policy.own) == ((mark, more), frozenset({"b.org"}), ("/own",))
    assert (policy.free_reading, policy.attended) == (True, False)
