"""What may be saved from a question: rules for just that, tried before they are offered; often none."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.permissions.decide import decide
from app.permissions.offers import allows, with_offers
from app.permissions.policy import Policy, policy
from app.records import Effect, FileDiff, FilesEffect, Loss, Mark, ReadEffect, RequestEffect


def offers(effect: Effect, tool: str, rules: Policy | None = None) -> list[tuple[str, ...]]:
    rules = rules or policy("/srv/w/proj")
    found = with_offers(effect, tool, rules, decide(effect, tool, rules)).offers
    for offer in found:
        assert allows(effect, tool, rules, offer)
    return list(found)


def change(*paths: str, kind: str = "changed", **fields: object) -> FilesEffect:
    files = tuple(FileDiff(path=path, shown=path, kind=kind) for path in paths)  # type: ignore[arg-type]
    return FilesEffect(files=files, **fields)  # type: ignore[arg-type]


def test_a_change_of_a_file() -> None:
    assert offers(change("/srv/w/proj/docs/a.md"), "edit_file") == [
        ("write_file(/srv/w/proj/docs/a.md)",),
        ("write_file(/srv/w/proj/docs/**)",),
    ]


def test_a_change_of_several_files_is_one_set() -> None:
    assert offers(change("/srv/w/proj/a/x", "/srv/w/proj/b/y"), "apply_patch") == [
        ("write_file(/srv/w/proj/a/x)", "write_file(/srv/w/proj/b/y)"),
        ("write_file(/srv/w/proj/**)",),
    ]


def test_tools_that_move_and_copy_have_rules_of_their_own() -> None:
    moved = FilesEffect(
        files=(FileDiff(path="/srv/w/proj/b", shown="b", kind="renamed", old_path="/srv/w/proj/a"),)
    )
    assert offers(moved, "move_file")[0] == ("move_file(/srv/w/proj/b)", "move_file(/srv/w/proj/a)")


@pytest.mark.parametrize(
    "effect",
    [
        change("/srv/w/proj/.git/config"),
        change("/home/p/.bashrc"),
        change("/srv/w/proj/a\u202eb"),
        change("/srv/w/proj/a", kind="deleted"),
        change("/srv/w/proj/a", losses=(Loss(path="/srv/w/proj/a", items=1),)),
        change(*(f"/srv/w/proj/{number}" for number in range(30))),
        ReadEffect(path="/home/p/.ssh/id_rsa", secret=True),
    ],
)
def test_never_for_protected_secret_or_many(effect: Effect) -> None:
    assert offers(effect, "read_file" if isinstance(effect, ReadEffect) else "write_file") == []


@pytest.mark.parametrize("name", ["**", "x/**", "a ", "a\nb", "*"])
def test_a_name_that_a_rule_would_read_otherwise_is_not_offered(name: str) -> None:
    found = offers(change(f"/srv/w/proj/{name}"), "write_file")
    assert all("**)" not in rule or rule == "write_file(/srv/w/proj/**)" for offer in found for rule in offer)
    assert not any(rule == f"write_file(/srv/w/proj/{name})" for offer in found for rule in offer)


def test_nothing_as_wide_as_home_or_a_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for path in (home / "a", tmp_path / "b", Path("/etc/hosts"), Path("/x")):
        assert offers(ReadEffect(path=str(path)), "read_file") == [(f"read_file({path})",)], path
    below = offers(ReadEffect(path=str(home / "code/a")), "read_file")
    assert below[1] == (f"read_file({home}/code/**)",)


def test_reading_a_folder(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    folder = tmp_path / "d"
    assert offers(ReadEffect(path=str(folder)), "list_dir") == [
        (f"read_file({folder})",),
        (f"read_file({folder})", f"read_file({folder}/**)"),
    ]


def test_requests_name_their_host() -> None:
    effect = RequestEffect(method="GET", url="https://Example.org/x", host="Example.org")
    assert offers(effect, "web_fetch") == [("web_fetch(example.org)",)]
    assert offers(RequestEffect(method="GET", url="x", host="a)\nb"), "web_fetch") == []


def test_while_strangers_text_is_there_no_way_out_is_offered() -> None:
    marked = Policy(cwd="/srv/w/proj", marks=(Mark(kind="web", name="x"),))
    assert offers(RequestEffect(method="GET", url="https://a.b/", host="a.b"), "web_fetch", marked) == []
    assert offers(change("/srv/w/proj/AGENTS.md"), "write_file", marked) == []
    assert offers(change("/srv/w/proj/a.md"), "write_file", marked)


def test_what_a_rule_says_to_ask_is_not_offered_away() -> None:
    from app.permissions.rules import parse

    asked = Policy(cwd="/srv/w/proj", ask=(parse("write_file(**)"),))
    assert offers(change("/srv/w/proj/a.md"), "write_file", asked) == []
