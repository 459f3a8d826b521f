"""SKILL.md as people write it: what can be used is used, and each fault is named by its line."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, strategies

from app.skill_records import MODES, Skill
from app.toolbox.skills.reading import is_plain_name, skill_of

GOOD = "---\nname: notes\ndescription: Write notes.\n---\n\n# Notes\nDo it.\n"


def read(text: str | bytes, folder: str = "/skills/notes") -> Skill:
    return skill_of(text if isinstance(text, bytes) else text.encode(), folder)


def block(*lines: str) -> str:
    return "\n".join(["---", *lines, "---", "body"])


def faults(skill: Skill) -> list[tuple[int, str]]:
    return [(fault.line, fault.message) for fault in skill.faults]


def test_a_good_one_has_no_fault() -> None:
    skill = read(GOOD)
    assert (skill.name, skill.description, skill.body) == ("notes", "Write notes.", "# Notes\nDo it.")
    assert skill.ok and skill.loaded and skill.faults == () and skill.modes == MODES
    assert skill.body_line == 6


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_line_ends_of_all_systems(end: str) -> None:
    skill = read(GOOD.replace("\n", end))
    assert skill.ok and skill.faults == () and skill.body == "# Notes\nDo it."
    broken = read(block("name: notes", "description: a", "allowed-modes: x").replace("\n", end))
    assert [fault.line for fault in broken.faults] == [4]


def test_an_unquoted_colon_does_not_make_a_skill_vanish() -> None:
    """C32, BuilderIO/skills#38."""
    skill = read(block("name: notes", "description: Write notes. Triggers: minutes, protocol"))
    assert skill.ok and skill.loaded
    assert skill.description == "Write notes. Triggers: minutes, protocol"
    ((line, message),) = faults(skill)
    assert line == 3 and "colon" in message and "quotes" in message


def test_quotes_make_it_right() -> None:
    for text in ('"Notes: all # of \\"them\\""', "'Notes: all # of \"them\"'"):
        skill = read(block("name: notes", f"description: {text}"))
        assert skill.description == 'Notes: all # of "them"' and skill.faults == ()
    assert read(block("name: notes", "description: 'it''s'")).description == "it's"
    assert read(block("name: notes", 'description: "C:\\users"')).description == "C:\\users"


def test_a_byte_order_mark_is_read_over_and_named() -> None:
    """C32."""
    skill = read(b"\xef\xbb\xbf" + GOOD.encode())
    assert skill.ok and skill.loaded and skill.name == "notes"
    assert [fault.line for fault in skill.faults] == [1]


def test_without_a_block_it_is_broken_but_still_told_apart() -> None:
    """C32."""
    skill = read("# How to do notes\n\nWrite.")
    assert not skill.ok and not skill.loaded
    assert (skill.name, skill.description) == ("notes", "How to do notes")
    assert [fault.line for fault in skill.faults] == [1] and "---" in skill.faults[0].message


@pytest.mark.parametrize(
    "text", [b"", b"\n\n", b"---", b"---\n", b"---\n---", b"\0", b"\xff\xfe", b"\xff" * 99]
)
def test_nearly_nothing_is_not_ok(text: bytes) -> None:
    skill = read(text)
    assert not skill.ok and skill.faults


def test_hundreds_of_brace_groups_take_no_time() -> None:
    """C32: nothing is expanded; the time grows with the length only."""
    groups = "{a,b}" * 700 + "[[" * 200 + "'\"" * 50
    lines = [f"triggers: {groups}", f"paths: [{groups}", f"other: {{{groups}"] * 60
    text = block("name: notes", f"description: {groups}", *lines)
    began = time.process_time()
    skill = read(text)
    assert time.process_time() - began < 2
    assert skill.loaded and skill.name == "notes"


def test_a_megabyte_of_anything_takes_little_time() -> None:
    began = time.process_time()
    for piece in ("a: [b, 'c\n", "- x\n", "  - 'y: {{\n", "\t\n", "[](", '"\\', "a:\n", "]: ", "![x]( <"):
        many = piece * (100_000 // len(piece))
        text = f"---\nname: notes\ndescription: d\ntriggers:\n{many}\n---\n{piece * 5_000}"
        assert read(text).name == "notes"
    assert time.process_time() - began < 8


@pytest.mark.parametrize(
    ("lines", "line", "words"),
    [
        (["name: notes", "description: d", "name: other"], 4, "twice"),
        (["name: notes", "description: d", "allowed-modes: [agent, root]"], 4, "no mode"),
        (["name: notes", "description: d", "suggested-tools:", "  - read_file", "  - ../evil"], 6, "path"),
        (["name: notes", "description: d", "suggested-tools: [/bin/sh]"], 4, "path"),
        (["name: notes", "description: d", "suggested-tools: [C:\\x]"], 4, "path"),
        (["name: notes", "description: d", "triggers:", "\t- a"], 5, "tab"),
        (["name: notes", "description: d", "x: " + "a" * 4_001], 4, "4,000"),
        (["name: notes", "description:", "  one", "  two: three"], 5, "colon"),
        (["name: notes", "description: one", "two three"], 4, "Indent"),
        (["name: notes", "description: fix #1 # two"], 3, "#"),
        (["name: notes", 'description: "open'], 3, "never closed"),
        (["name: notes", "description: 'a' b"], 3, "after the closing"),
        (["name: notes", "description: {{x}}"], 3, "begins with {"),
        (["name: notes", "description: d", "triggers: [a, b"], 4, "never closed"),
        (["name: notes", "description: d", "triggers: ['a' 'b']"], 4, "comma"),
        (["Name: notes", "description: d"], 2, "Write this key as name"),
        (["name:notes", "description: d"], 2, "blank after the colon"),
        (["name: notes", "description: d", "suggested_tools: [a]"], 4, "suggested-tools"),
        (["  name: notes", "description: d"], 2, "indented"),
        (["what", "name: notes", "description: d"], 2, "no `key: value`"),
    ],
)
def test_a_fault_that_does_not_keep_it_from_loading(lines: list[str], line: int, words: str) -> None:
    skill = read(block(*lines))
    assert skill.loaded and skill.ok and skill.name == "notes" and skill.description
    assert any(number == line and words in message for number, message in faults(skill)), faults(skill)


@pytest.mark.parametrize(
    ("lines", "line", "words"),
    [
        (["description: d"], 1, "no name"),
        (["name:", "description: d"], 2, "no name"),
        (["name: notes"], 1, "no description"),
        (["name: notes", "description: ''"], 3, "no description"),
        (["name: ../../etc", "description: d"], 2, "no plain name"),
        (["name: My Notes", "description: d"], 2, "no plain name"),
        (["name: nótes", "description: d"], 2, "no plain name"),
        (["name: " + "a" * 65, "description: d"], 2, "no plain name"),
        (["name: [notes]", "description: d"], 2, "no plain name"),
    ],
)
def test_what_makes_it_not_ok(lines: list[str], line: int, words: str) -> None:
    skill = read(block(*lines))
    assert not skill.ok and skill.loaded and skill.name == "notes"
    assert any(number == line and words in message for number, message in faults(skill)), faults(skill)
    assert not read(block(*lines), "/skills/Not Plain").ok


def test_without_any_plain_name_it_does_not_load() -> None:
    skill = read(block("name: a/b", "description: d"), "/skills/Not Plain")
    assert not skill.ok and not skill.loaded


def test_a_block_that_is_never_closed_is_read_as_far_as_it_goes() -> None:
    skill = read("---\nname: notes\ndescription: d\n\n# Notes\nText: more\n")
    assert skill.loaded and (skill.name, skill.description) == ("notes", "d")
    assert skill.body == "# Notes\nText: more" and "never closed" in skill.faults[0].message


def test_blank_lines_before_the_block_are_a_fault_only() -> None:
    skill = read("\n\n" + GOOD)
    assert skill.loaded and skill.name == "notes" and [fault.line for fault in skill.faults] == [1]


def test_text_that_is_not_utf8() -> None:
    skill = read("---\nname: notes\ndescription: d\n---\nCaf\xe9 \x85".encode("latin-1"))
    assert skill.loaded and skill.body.startswith("Café") and [fault.line for fault in skill.faults] == [5]
    wide = read(GOOD.encode("utf-16"))
    assert wide.loaded and wide.description == "Write notes." and "UTF-16" in wide.faults[0].message
    assert "\0" not in read(GOOD.replace("Do", "D\0o")).body


def test_what_nobody_sees_is_named_by_its_line() -> None:
    skill = read(
        "---\nname: notes\ndescription: a\u202e b\n---\nSee \u200bthis.\n\U0001f469\u200d\U0001f680 is one.\n"
    )
    told = "This line holds a character that nobody sees; take it out."
    assert faults(skill) == [(3, told), (5, told)] and skill.ok and skill.loaded
    many = read(GOOD + "\u2066x\n" * 500)
    assert [line for line, _ in faults(many)] == [8, 9, 10, 11, 12]


@pytest.mark.parametrize(
    ("lines", "description"),
    [
        (["description: >", "  one", "  two", "", "  three"], "one two three"),
        (["description: |-", "  one: 1", "  two # 2"], "one: 1 two # 2"),
        (["description:", "  one", "  two"], "one two"),
        (['description: "one', '  two"'], "one two"),
        (["description: one", "  two"], "one two"),
        (["description: a\u202eb\x1bc\ud7ff"], None),
    ],
)
def test_texts_of_several_lines(lines: list[str], description: str | None) -> None:
    skill = read(block("name: notes", *lines))
    assert skill.ok
    if description is not None:
        assert skill.description == description and skill.faults == ()
    assert skill.description.isprintable()


@pytest.mark.parametrize(
    "lines",
    [
        ["triggers:", "  - one: 1", "  - 'two, three'", "  # no", "  -", "  - four # said"],
        ["triggers:", "- one: 1", "- two, three", "- four"],
        ["triggers: [one: 1, 'two, three', four]"],
        ["triggers: [one: 1,", "  'two, three',", "  four,]"],
    ],
)
def test_lists_in_all_their_forms(lines: list[str]) -> None:
    skill = read(block("name: notes", "description: d", *lines))
    assert skill.triggers == ("one: 1", "two, three", "four") and skill.faults == ()
    assert read(block("name: n", "description: d", "triggers: one, two")).triggers == ("one", "two")


def test_keys_of_others_are_no_fault() -> None:
    text = block(
        "name: notes",
        "description: d",
        "license: MIT",
        "metadata:",
        "  author: me",
        "allowed-tools: Bash(git *)",
    )
    assert read(text).faults == ()


def test_modes_and_tools() -> None:
    skill = read(
        block("name: notes", "description: d", "allowed-modes: plan, Agent", "suggested-tools: [a, x/y, b]")
    )
    assert skill.modes == ("agent", "plan") and skill.tools == ("a", "b")
    assert read(block("name: notes", "description: d", "allowed-modes: root")).modes == MODES


@pytest.mark.parametrize(
    ("target", "leaves"),
    [
        ("../other/a.md", True), ("a/../../b", True), ("/etc/passwd", True), ("~/.ssh/id", True),
        ("%2e%2e/a", True), ("..\\a", True), ("C:/x", True), ("file:///etc/passwd", True),
        ("<../a b>", True), ("..", True),
        ("a.md", False), ("./a/../b.md", False), ("https://x.org/../a", False), ("#part", False),
        ("mailto:a@b.c", False), ("..a.md", False), ("a/b/c.md#../x", False), ("//host/a", False),
    ],
)  # fmt: skip
def test_links_that_leave_the_folder(target: str, leaves: bool) -> None:
    for text in (f"see [it]({target})", f"![x]({target} 'title')", f"[it]: {target}"):
        if target.startswith("<") and "]:" in text:
            continue
        skill = read(GOOD + text)
        assert [(fault.line, "leaves" in fault.message) for fault in skill.faults] == (
            [(8, True)] if leaves else []
        )
        assert skill.ok and skill.loaded
    assert read(f"{GOOD}```\n[it]({target})\n```").faults == ()


def test_plain_names() -> None:
    assert all(map(is_plain_name, ("a", "a-b", "a_b", "a1-2", "1")))
    assert not any(map(is_plain_name, ("", "-a", "a-", "a--b", "A", "a b", "a/b", "a.b", "..", "é", "a\n")))


@given(
    strategies.binary(max_size=400)
    | strategies.text(alphabet="-: \n\t'\"[]{}#|>ab,\\&*\r", max_size=300).map(str.encode)
)
def test_nothing_breaks_it(data: bytes) -> None:
    for text in (data, b"---\n" + data, b"---\nname: a\ndescription: " + data + b"\n---\n" + data):
        skill = skill_of(text, "/skills/notes")
        lines = text.replace(b"\r", b"\n").count(b"\n") + text.count(b"\0\n") + 1
        assert all(1 <= fault.line <= max(lines, 2) for fault in skill.faults)
        assert skill.ok <= skill.loaded
        assert (
            all(map(str.isprintable, re.sub("[\u200c\u200d]", "", skill.description)))
            and "\0" not in skill.body
        )
