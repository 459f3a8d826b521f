"""The file tools as a model calls them: arguments as JSON, results as text, on the one path of a call."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

import pytest

from app.capabilities.call_site import CallSite
from app.capabilities.files import FileReader, Files
from app.capabilities.gate import Gate
from app.permissions.policy import policy
from app.records import Answer, Decision, Effect, ToolCall
from app.toolbox.call import Outcome, Scope, ToolCalls
from app.toolbox.output import Spill
from app.toolbox.registry import load_registry
from tests.capabilities.files_desk import Desk, open_desk
from tools import ReadContext, RunShell, ToolContext


class Caller:
    """Calls tools in the folder of a desk; every question is answered with yes."""

    def __init__(self, desk: Desk, spill: Path) -> None:
        self.desk = desk
        self.calls = ToolCalls(load_registry(), self._context, Spill(spill))

    def _context(self, gate: Gate, site: CallSite) -> ReadContext | ToolContext:
        session, turn, tool, cwd, reads, progress, *_ = site
        shell = cast(RunShell, None)  # no file tool has a use for it
        if reads:
            return ReadContext(cwd, FileReader(self.desk.world, gate, cwd), shell, progress)
        files = Files(self.desk.world, gate, cwd, session=session, turn=turn, tool=tool)
        return ToolContext(cwd, files, shell, progress)

    async def __call__(self, tool: str, **arguments: Any) -> Outcome:
        async def ask(effect: Effect, decision: Decision) -> Answer:
            self.desk.asked.append(effect)
            return self.desk.answer(effect)

        folder = str(self.desk.folder)
        scope = Scope(session="s", turn="t", cwd=folder, mode="agent", policy=policy(folder))
        return await self.calls.run(ToolCall(id="c", name=tool, arguments=json.dumps(arguments)), scope, ask)


@pytest.fixture
async def call(tmp_path: Path) -> AsyncIterator[Caller]:
    async with open_desk(tmp_path) as desk:
        yield Caller(desk, tmp_path / "spill")


async def test_the_time_of_a_call_is_that_of_its_work(call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    answer = call.desk.answer

    def late(effect: Effect) -> Answer:
        now[0] += 75
        return answer(effect)

    monkeypatch.setattr(call.desk, "answer", late)
    call.calls.clock = lambda: now[0]
    assert (await call("write_file", path="x", content="a\n")).seconds == 0.0
    assert now == [75.0], "the person was asked"


async def test_read_numbers_lines_and_keeps_tabs(call: Caller) -> None:
    call.desk.write("x.py", "def f():\n\treturn 1\n")
    found = await call("read_file", path="x.py")
    assert (found.text, found.summary, found.ok) == ("1\tdef f():\n2\t\treturn 1", "2 lines", True)


async def test_read_says_how_to_go_on(call: Caller) -> None:
    call.desk.write("x", "".join(f"{number}\n" for number in range(1, 51)))
    found = await call("read_file", path="x", offset=11, limit=2)
    assert found.text == "11\t11\n12\t12\n[lines 11 to 12 of 50; go on with offset 13]"
    assert "only 50 lines" in (await call("read_file", path="x", offset=99)).text


async def test_a_page_ends_at_a_line_before_the_app_cuts_it(call: Caller) -> None:
    call.desk.write("x", "".join(f"{'word ' * 20}{number}\n" for number in range(1, 2001)))
    found = await call("read_file", path="x")
    assert "left out here" not in found.text
    last = int(found.text.rsplit("offset ", 1)[1].rstrip("]"))
    following = await call("read_file", path="x", offset=last)
    assert following.text.startswith(f"{last}\t")


async def test_read_other_kinds(call: Caller) -> None:
    picture = b"\x89PNG\r\n\x1a\n" + b"\0" * 30
    call.desk.write("p.png", picture)
    call.desk.write("b", b"\0\1")
    call.desk.write("l.txt", b"caf\xe9\n")
    call.desk.write("e", b"")
    shown = await call("read_file", path="p.png")
    assert (shown.images, shown.view.kind) == ((picture,), "image")
    assert shown.view.data["path"] == str(call.desk.folder / "p.png").replace(os.sep, "/")
    assert not (await call("read_file", path="b")).ok
    assert (await call("read_file", path="l.txt")).text == "1\tcafé\n[encoding cp1252]"
    assert (await call("read_file", path="e")).text == "[the file is empty]"


async def test_write(call: Caller) -> None:
    made = await call("write_file", path="sub/x", content="one\r\ntwo")
    assert (call.desk.folder / "sub" / "x").read_bytes() == b"one\r\ntwo"
    assert made.text == f"{os.path.join('sub', 'x')}: made (+2 -0), verified."
    assert made.undo
    assert made.view.data == {
        "files": [{"path": os.path.join("sub", "x"), "kind": "new", "added": 2, "removed": 0}]
    }


@pytest.mark.parametrize(
    "arguments",
    [
        {"edits": [{"old": "one", "new": "1"}]},
        {"old_text": "one", "new_text": "1"},
        {"old_string": "one", "new_string": "1"},
        {"edits": [{"old_text": "one", "new_text": "1"}]},
        {"edits": {"old": "one", "new": "1"}},
        {"edits": '[{"old":"one","new":"1"}]'},
    ],
)
async def test_edit_takes_the_usual_spellings(call: Caller, arguments: dict[str, Any]) -> None:
    path = call.desk.write("x", "one\r\ntwo\r\n")
    made = await call("edit_file", path="x", **arguments)
    assert made.ok, made.text
    assert path.read_bytes() == b"1\r\ntwo\r\n"


async def test_edit_every_occurrence(call: Caller) -> None:
    path = call.desk.write("x", "a a a\n")
    assert not (await call("edit_file", path="x", edits=[{"old": "a", "new": "b"}])).ok
    await call("edit_file", path="x", edits=[{"old": "a", "new": "b"}], all=True)
    assert path.read_bytes() == b"b b b\n"


@pytest.mark.parametrize("edits", [[], [{"old": "a"}], [{"new": "b"}], [{}]])
async def test_half_an_edit_is_refused(call: Caller, edits: list[Any]) -> None:
    path = call.desk.write("x", "a\n")
    made = await call("edit_file", path="x", edits=edits)
    assert (made.ok, path.read_bytes()) == (False, b"a\n")


async def test_edit_tells_what_the_person_changed(call: Caller) -> None:
    path = call.desk.write("x", "a\n")
    call.desk.answer = lambda effect: Answer(decision="allow", edited={str(path): "mine\n"})
    made = await call("edit_file", path="x", edits=[{"old": "a", "new": "b"}])
    assert path.read_bytes() == b"mine\n"
    assert "-b\n+mine" in made.text
    assert "did not take all of it" in made.text


@pytest.mark.parametrize(
    ("start", "end", "text", "right"),
    [
        (2, 2, "B", b"a\r\nB\r\nc\r\n"),
        (2, 3, "B\nC\nD\n", b"a\r\nB\r\nC\r\nD\r\n"),
        (1, 1, "", b"b\r\nc\r\n"),
        (1, 3, "x", b"x\r\n"),
        (3, 3, "", b"a\r\nb\r\n"),
    ],
)
async def test_edit_lines(call: Caller, start: int, end: int, text: str, right: bytes) -> None:
    path = call.desk.write("x", b"a\r\nb\r\nc\r\n")
    made = await call("edit_lines", path="x", start=start, end=end, text=text)
    assert made.ok, made.text
    assert path.read_bytes() == right


@pytest.mark.parametrize(("start", "end"), [(0, 1), (1, 4), (3, 2), (4, 4), (-1, -1)])
async def test_edit_lines_outside_the_file(call: Caller, start: int, end: int) -> None:
    path = call.desk.write("x", b"a\nb\nc\n")
    made = await call("edit_lines", path="x", start=start, end=end, text="x")
    assert (made.ok, path.read_bytes()) == (False, b"a\nb\nc\n")


async def test_patch(call: Caller) -> None:
    call.desk.write("x", "a\n")
    made = await call("apply_patch", patch="--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n")
    assert made.text == "y: moved (+1 -1), verified."
    assert (call.desk.folder / "y").read_bytes() == b"b\n"
    assert not (call.desk.folder / "x").exists()


async def test_list_find_and_grep(call: Caller) -> None:
    call.desk.write("src/a.py", "x = 1\nneedle\ny = 2\nz = 3\nneedle 2\n")
    call.desk.write("b.txt", "needle\n")
    assert (await call("list_dir", path=".", depth=2)).text == "b.txt  7 B\nsrc/\nsrc/a.py  34 B"
    assert (await call("find_files", pattern="*.py")).text == "src/a.py"
    assert "nothing matches" in (await call("find_files", pattern="*.rs")).text
    found = await call("grep_files", pattern="needle", context=1)
    assert found.text == "b.txt\n1:needle\n\nsrc/a.py\n1-x = 1\n2:needle\n3-y = 2\n4-z = 3\n5:needle 2"
    assert found.summary == "3 lines in 2 files"
    assert (
        await call("grep_files", pattern="NEEDLE", glob="*.txt", ignore_case=True)
    ).text == "b.txt\n1:needle"
    assert "no match" in (await call("grep_files", pattern="nowhere")).text


async def test_reading_tools_run_without_a_question(call: Caller) -> None:
    call.desk.write("x", "a\n")
    for tool, arguments in (
        ("read_file", {"path": "x"}),
        ("list_dir", {"path": "."}),
        ("find_files", {"pattern": "x"}),
        ("grep_files", {"pattern": "a"}),
    ):
        assert (await call(tool, **arguments)).decision == "allow"
    assert call.desk.asked == []


def test_core_schemas_are_short() -> None:
    """Product 2.2: at most 90 tokens of o200k_base each, as the request carries them."""
    from rs_bpe.bpe import openai

    tokens = openai.o200k_base()
    registry = load_registry()
    for name in ("read_file", "write_file", "edit_file", "list_dir", "find_files", "grep_files"):
        schema = registry.tools[name].schema
        function = {"name": schema.name, "description": schema.description, "parameters": schema.parameters}
        text = json.dumps(
            {"type": "function", "function": function}, separators=(",", ":"), ensure_ascii=False
        )
        assert len(tokens.encode(text)) <= 90, name


async def test_a_line_end_in_a_name_makes_no_second_name(call: Caller) -> None:
    call.desk.write("one\ntwo.txt", "needle\n")
    assert (await call("list_dir", path=".")).text == "one\\ntwo.txt  7 B"
    assert (await call("find_files", pattern="*.txt")).text == "one\\ntwo.txt"
    assert (await call("grep_files", pattern="needle")).text == "one\\ntwo.txt\n1:needle"


async def test_the_name_of_an_unknown_tool_hides_nothing_and_fills_no_screen(call: Caller) -> None:
    verb, subject = call.calls.label(
        ToolCall(id="c", name="re\u202ead\n\x1b[2J" + "x" * 5_000, arguments="{}")
    )
    assert verb.startswith("re\\u202ead\\nxxx") and len(verb) < 120 and subject == ""
