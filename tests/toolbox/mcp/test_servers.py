"""The file of servers: read entry by entry, changed without losing anything."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import msgspec
import pytest

from app.errors import BrambleError
from app.toolbox.mcp import servers
from app.toolbox.mcp.servers import ServerFile, ServerSpec, print_of, spec_of

TIME = ServerSpec(id="time", command=("uvx", "mcp-server-time", "--zone", "UTC"), env={"TZ": "UTC"})


@pytest.fixture
def file(tmp_path: Path) -> ServerFile:
    return ServerFile(tmp_path / "config" / "mcp.json")


def written(file: ServerFile) -> dict[str, Any]:
    return dict(json.loads(file.path.read_text("utf-8")))


def write(file: ServerFile, text: str) -> None:
    file.path.parent.mkdir(parents=True, exist_ok=True)
    file.path.write_text(text, "utf-8")


def code_of(call: Any, *arguments: Any, **named: Any) -> str:
    with pytest.raises(BrambleError) as caught:
        call(*arguments, **named)
    return caught.value.code


def test_an_entry_comes_back_as_it_was_put(file: ServerFile) -> None:
    assert file.read().specs == ()
    full = ServerSpec(
        id="Über all",
        url="https://a.org/mcp",
        headers=("Authorization", "X-Key"),
        enabled=False,
        seconds=5,
        start_seconds=2.5,
        package="a",
        version="1.2",
        approved="x",
        pinned={"tool": "print"},
    )
    local = ServerSpec(id="b", command=("/opt/b", "", "ö x"), secrets=("TOKEN",), cwd="/srv", pinned={})
    for spec in (TIME, full, local):
        file.put(spec)
    assert file.read().specs == (TIME, full, local)
    assert file.path.stat().st_mode & 0o077 == 0
    assert set(written(file)["mcpServers"]["time"]) == {"command", "args", "env"}


def test_a_pasted_entry_of_another_program_is_understood_and_keeps_its_own_keys(file: ServerFile) -> None:
    write(
        file,
        '\ufeff{"theme": 1, "mcpServers": {"fs": {"type": "stdio", "command": "npx", "args": ["-y", "fs"]}}}',
    )
    (spec,) = file.read().specs
    assert spec.command == ("npx", "-y", "fs") and spec.enabled and not spec.is_approved
    file.edit("fs", lambda one: msgspec.structs.replace(one, enabled=False))
    file.put(TIME)
    assert written(file)["theme"] == 1
    assert written(file)["mcpServers"]["fs"]["type"] == "stdio"
    assert written(file)["mcpServers"]["fs"]["enabled"] is False


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (3, "no object"),
        ({}, "either a command or a url"),
        ({"command": "a", "url": "http://b"}, "either a command or a url"),
        ({"command": ["a"]}, '"command" is no text'),
        ({"command": "a", "args": "b c"}, '"args" is no list'),
        ({"command": "a", "args": [1]}, '"args" is no list'),
        ({"command": "./a"}, "absolute"),
        ({"command": "a\0b"}, "NUL"),
        ({"command": "a", "cwd": "b"}, '"cwd"'),
        ({"command": "a", "env": {"A": 1}}, '"env"'),
        ({"command": "a", "env": {"A=B": "1"}}, "equals sign"),
        ({"command": "a", "timeout": True}, '"timeout" is no number'),
        ({"command": "a", "timeout": -1}, '"timeout" is a number'),
        ({"command": "a", "enabled": "yes"}, '"enabled"'),
        ({"url": "file:///etc/passwd"}, "no http"),
        ({"url": "http://[::1"}, "no http"),
        ({"url": "http://a:99999/"}, "no http"),
        ({"url": "https://me:secret@a.org/"}, "password"),
        ({"url": "https://a.org", "headers": {"Authorization": "Bearer x"}}, "list of names"),
        ({"url": "https://a.org", "headers": ["A: b"]}, "can be sent"),
    ],
)
def test_a_bad_entry_says_what_is_wrong_and_drops_no_other(file: ServerFile, raw: object, words: str) -> None:
    write(file, json.dumps({"mcpServers": {"bad": raw, "good": {"command": "x"}}}))
    bad, good = file.read().specs
    assert words in bad.fault and not bad.enabled and bad.id == "bad"
    assert good == ServerSpec(id="good", command=("x",))
    file.put(TIME)
    assert written(file)["mcpServers"]["bad"] == raw
    if isinstance(raw, dict) and raw:
        assert code_of(file.edit, "bad", lambda spec: spec) == "bad_server"
    file.remove("bad")
    assert [spec.id for spec in file.read().specs] == ["good", "time"]


@pytest.mark.parametrize("text", ["{", "[]", '{"mcpServers": []}', "\0", '{"mcpServers":' * 5_000])
def test_a_file_that_cannot_be_read_is_never_written_over(file: ServerFile, text: str) -> None:
    write(file, text)
    assert "cannot be used" in file.read().fault
    assert code_of(file.put, TIME) == "bad_servers"
    assert file.path.read_text("utf-8") == text


def test_errors_have_codes(file: ServerFile) -> None:
    file.put(TIME, new=True)
    assert code_of(file.put, TIME, new=True) == "server_exists"
    assert code_of(file.remove, "other") == "no_server"
    assert code_of(file.edit, "other", lambda spec: spec) == "no_server"
    assert code_of(file.put, ServerSpec(id="a\nb", command=("x",))) == "bad_server"


def test_what_is_approved_is_the_exact_command() -> None:
    approved = msgspec.structs.replace(TIME, approved=print_of(TIME))
    assert approved.is_approved and not TIME.is_approved
    for change in (
        {"command": ("uvx", "mcp-server-time", "--zone UTC")},
        {"command": (*TIME.command, "x")},
        {"env": {"TZ": "CET"}},
        {"env": {**TIME.env, "LD_PRELOAD": "/x"}},
        {"cwd": "/srv"},
        {"secrets": ("TOKEN",)},
        {"version": "2"},
    ):
        assert not msgspec.structs.replace(approved, **change).is_approved  # type: ignore[arg-type]
    for harmless in ({"seconds": 5.0}, {"enabled": False}, {"pinned": {"a": "b"}}):
        assert msgspec.structs.replace(approved, **harmless).is_approved  # type: ignore[arg-type]


def test_a_link_stays_a_link(file: ServerFile, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "mcp.json"
    real.parent.mkdir()
    real.write_text("{}")
    file.path.parent.mkdir(parents=True)
    file.path.symlink_to(real)
    file.put(TIME)
    assert file.path.is_symlink() and "time" in real.read_text()


def test_spec_of_takes_any_value() -> None:
    for raw in (None, [], "x", {"env": []}, {"pinned": 3, "command": "a"}, {"url": "\ud800"}):
        assert spec_of("a", raw).fault


def test_a_file_with_two_names_is_never_torn_and_what_a_killed_process_left_goes(
    file: ServerFile, tmp_path: Path
) -> None:
    file.put(ServerSpec(id="one", command=("a",)))
    os.link(file.path, tmp_path / "second")
    old, young = (file.path.with_name(f".mcp.json.new-{name}") for name in ("old", "young"))
    old.write_text("half")
    young.write_text("half")
    os.utime(old, (1, 1))
    before = file.path.stat().st_ino
    file.put(ServerSpec(id="two", command=("b",)))
    assert file.path.stat().st_ino != before and len(file.read().specs) == 2
    assert "two" not in (tmp_path / "second").read_text()
    assert not old.exists() and young.exists()


def test_it_is_never_written_longer_than_it_is_read(
    file: ServerFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.put(ServerSpec(id="one", command=("a",)))
    monkeypatch.setattr(servers, "BYTES_CAP", 500)
    with pytest.raises(BrambleError) as caught:
        file.put(ServerSpec(id="two", command=("b" * 500,)))
    assert caught.value.code == "bad_servers" and "too large" in str(caught.value)
    assert [spec.id for spec in file.read().specs] == ["one"]


def test_a_check_writes_what_stands_there(file: ServerFile) -> None:
    file.put(ServerSpec(id="one", command=("a",)))
    before = file.path.read_bytes()
    file.check()
    assert file.path.read_bytes() == before
