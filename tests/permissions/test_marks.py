"""Untrusted sources: what brings them in, which hosts a person named, what they switch off."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from app.permissions.decide import decide
from app.permissions.marks import MARKS_CAP, merged, named_hosts, persists_instructions, sources
from app.permissions.policy import policy
from app.records import CommandEffect, FileDiff, FilesEffect, Mark, ReadEffect, RequestEffect

WEB = Mark(kind="web", name="example.org")


def test_reading_outside_the_working_folder_marks_and_inside_does_not():
    assert sources(ReadEffect(path="/w/a"), "/w") == ()
    assert sources(ReadEffect(path="/w-evil/a"), "/w") == (Mark(kind="file", name="/w-evil/a"),)
    request = RequestEffect(method="GET", url="https://example.org/x", host="example.org")
    assert sources(request, "/w") == (WEB,)
    assert sources(FilesEffect(files=()), "/w") == ()


@pytest.mark.parametrize(
    ("command", "reach", "expected"),
    [
        ("ls -l", "folder", ()),
        ("make test", "network", ("network",)),
        ("curl https://example.org/a?b", "folder", ("example.org",)),
        ("curl -s example.org", "folder", ("network",)),
        ("python fetch.py 'http://User@Example.org:8080/x'", "all", ("example.org",)),
        ("cat notes.txt", "folder", ()),
        ("cat {outside}", "folder", ("{outside}",)),
        ("sort <{outside}", "folder", ("{outside}",)),
        ("cat ../outside.txt 'unclosed", "folder", ("{outside}",)),
        ("/usr/bin/env python x", "folder", ()),
        ("cat /nowhere/at/all", "folder", ()),
    ],
)
def test_a_command_marks_by_what_its_words_read(
    tmp_path: Path, command: str, reach: str, expected: tuple[str, ...]
):
    inside, outside = tmp_path / "work", tmp_path / "outside.txt"
    inside.mkdir()
    outside.write_text("x")
    effect = CommandEffect(command=command.format(outside=outside), cwd=str(inside), reach=reach)
    assert [mark.name for mark in sources(effect, str(inside))] == [
        name.format(outside=outside) for name in expected
    ]


def test_marks_are_kept_once_each_and_not_without_end():
    many = [Mark(kind="web", name=f"{number}.example") for number in range(MARKS_CAP + 10)]
    assert merged([WEB], [WEB], many)[:2] == (WEB, many[0])
    assert len(merged(many, many)) == MARKS_CAP


def test_hosts_that_a_person_named():
    said = "Look at https://Docs.Example.org:8443/a, then b.example.com. Not me@mail.example.net or v1.2.3"
    assert named_hosts([said, "http://[::1]/"]) == {
        "docs.example.org",
        "docs.example.org:8443",
        "b.example.com",
        "::1",
    }


@pytest.mark.parametrize(
    ("said", "authority"),
    [
        ("what does http://localhost:3000/x say?", "localhost:3000"),
        ("look at localhost:8000.", "localhost:8000"),
        ("look at 127.0.0.1:8000, please", "127.0.0.1:8000"),
        ("go to [::1]:99 now", "::1:99"),
        ("http://nas:8080/", "nas:8080"),
    ],
)
def test_a_host_with_a_port_is_named_with_it(said, authority):
    assert named_hosts([said]) == {authority, authority.rpartition(":")[0]}


def test_a_mark_closes_the_ways_out_that_rules_opened():
    def verdict(effect, tool, *allow, hosts=()):
        rules = policy("/w", allow)
        marked = msgspec.structs.replace(rules, marks=(WEB,), named_hosts=frozenset(hosts))
        return decide(effect, tool, marked)

    request = RequestEffect(method="GET", url="https://A.b/", host="A.b")
    refused = verdict(request, "web_fetch", "web_fetch(*)")
    assert (refused.decision, refused.reason, refused.marks) == ("ask", "untrusted", (WEB,))
    assert verdict(request, "web_fetch", "web_fetch(a.b)", hosts=["a.b"]).decision == "allow"
    assert verdict(request, "web_fetch", hosts=["a.b"]).decision == "ask"  # named is not yet allowed

    def change(path):
        return FilesEffect(files=(FileDiff(path=path, shown=path, kind="changed"),))

    assert verdict(change("/w/a.py"), "write_file", "write_file(**)").decision == "allow"
    for path in ("/w/GEMINI.md", "/w/skills/x/SKILL.md", "/w/.claude/a.md"):
        found = verdict(change(path), "write_file", "write_file(**)")
        assert (found.decision, found.reason) == ("ask", "untrusted"), path
    assert verdict(ReadEffect(path="/w/a"), "read_file").decision == "allow"
    outside = verdict(ReadEffect(path="/x/a"), "read_file")
    assert (outside.decision, outside.reason, outside.marks) == ("ask", "outside", (WEB,))


def test_what_persists_instructions():
    assert all(map(persists_instructions, ("/w/agents.md", "/w/.cursor/rules/a.mdc", "/h/skills/a/x.py")))
    assert not any(map(persists_instructions, ("/w/readme.md", "/w/skills", "/w/my-skills/a")))


def test_marks_cross_as_json():
    assert msgspec.json.decode(msgspec.json.encode(WEB), type=Mark) == WEB
