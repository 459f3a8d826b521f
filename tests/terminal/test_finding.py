"""`tools find` answers people, scripts and streams of queries, over our tools and over another catalogue."""

from __future__ import annotations

import json
import subprocess
import threading
from pathlib import Path

from tests.terminal.conftest import PATIENCE, Bramble, Start


def test_one_query(bramble: Bramble) -> None:
    ran = bramble("tools", "find", "--json", "rename", "photo.jpg", "to", "beach.jpg")
    (first, *_) = json.loads(ran.out)["tools"]
    assert ran.code == 0 and first["name"] == "move_file" and 0 < first["score"] <= 1 and first["why"]
    ran = bramble("tools", "find", "--explain", "will it rain tomorrow")
    assert ran.code == 0 and "weather" in ran.out and "learned:" in ran.out


def test_what_is_planned_stands_last_for_a_person_and_is_explained(bramble: Bramble) -> None:
    asked = ("tools", "find", "move a file and read its name aloud")
    ranked = json.loads(bramble(*asked, "--json").out)["tools"]
    ran = bramble(*asked)
    shown = [line.split("\t") for line in ran.out.splitlines()]
    signs = [row[2] for row in shown]
    assert sorted(row[0] for row in shown) == sorted(one["name"] for one in ranked)
    assert signs == sorted(signs) and "planned" in signs and "no model gets it" in ran.err
    assert "No tool that is there fits" in bramble("tools", "find", "read this text aloud to me").err


def test_nothing_fits(bramble: Bramble) -> None:
    ran = bramble("tools", "find", "--json", "thank you very much")
    assert (ran.code, json.loads(ran.out)) == (0, {"tools": []})
    ran = bramble("tools", "find", "thank you very much")
    assert ran.code == 0 and ran.out == "" and ran.err


def test_wrong_use(bramble: Bramble, work: Path) -> None:
    assert bramble("tools", "find").code == 2
    assert bramble("tools", "find", "x", "--jsonl").code == 2
    assert bramble("tools", "find", "x", "--catalogue", str(work / "none.json")).code == 2
    for text in ("{", "[1]", '{"a": 1}', '[{"description": "x"}]', '[{"name": ""}]'):
        (work / "bad.json").write_text(text)
        assert bramble("tools", "find", "x", "--catalogue", str(work / "bad.json")).code == 2, text


def test_lines_are_answered_in_order(bramble: Bramble) -> None:
    lines = ['{"query": "git_blame"}', "no json", '{"query": 1}', "{}", '{"query": ""}', ""]
    lines.append('{"query": "weather"}')
    ran = bramble("tools", "find", "--jsonl", stdin="\n".join(lines))
    answers = [json.loads(line)["tools"] for line in ran.out.splitlines()]
    assert ran.code == 0
    assert answers == [["git_blame"], [], [], [], [], [], ["weather"]]


def test_another_catalogue(bramble: Bramble, work: Path) -> None:
    tools = [
        {"name": "desk.create ticket", "description": "Open a new support ticket.", "category": "desk"},
        {"name": "list_invoices", "description": "List all invoices.", "category": "billing"},
        {"name": "stir", "description": "Stir the soup.", "category": "kitchen"},
    ]
    (work / "other.json").write_text(json.dumps(tools))
    asked = ("open a support ticket", "will it rain tomorrow")
    given = "\n".join(json.dumps({"query": text}) for text in asked)
    ran = bramble("tools", "find", "--jsonl", "--catalogue", str(work / "other.json"), stdin=given)
    assert [json.loads(line)["tools"] for line in ran.out.splitlines()] == [["desk.create ticket"], []]


def test_each_answer_comes_before_the_next_query(start: Start) -> None:
    child = start("tools", "find", "--jsonl", stdin=subprocess.PIPE, bufsize=0)
    assert child.stdin and child.stdout
    watchdog = threading.Timer(PATIENCE, child.kill)  # an answer that never comes ends the reading
    watchdog.start()
    try:
        for query, wanted in (("git_log", ["git_log"]), ("notify", ["notify"])):
            child.stdin.write((json.dumps({"query": query}) + "\n").encode())
            assert json.loads(child.stdout.readline())["tools"] == wanted
        child.stdin.close()
        assert child.wait(30) == 0
    finally:
        watchdog.cancel()
