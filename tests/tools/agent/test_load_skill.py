"""load_skill in whole engines: long bodies uncut, marks, modes, files that are read without a question."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from rs_bpe import openai

from app.events import ApprovalAsked, Event
from app.records import Answer, Approval, Message, TurnOptions
from app.toolbox.schema import schema_of
from tests.conversation.test_engine import Bench, bench, calls, says
from tools.agent.load_skill import load_skill

NOBODY = TurnOptions(attended=False)


def make(place: Path, name: str, body: str = "Do it.", more: str = "") -> Path:
    folder = place / name
    folder.mkdir(parents=True)
    text = f"---\nname: {name}\ndescription: About {name} of every kind.\n{more}---\n{body}\n"
    (folder / "SKILL.md").write_text(text)
    return folder


async def results(scene: Bench) -> list[Message]:
    """Return the results of the newest conversation in the order of their calls."""
    session = (await scene.engine.sessions.list())[0].id
    told = await scene.engine.sessions.messages(session)
    order = [call.id for one in told for call in one.calls]
    return sorted((one for one in told if one.role == "tool"), key=lambda one: order.index(one.call))


def allowing(scene: Bench) -> list[Approval]:
    """Answer each question with yes, as a person; returns what is asked, as it comes."""
    asked: list[Approval] = []
    answers: set[asyncio.Task[object]] = set()

    def take(event: Event) -> None:
        if isinstance(event, ApprovalAsked):
            asked.append(event.approval)
            answers.add(asyncio.create_task(scene.engine.answer(event.approval.id, Answer(decision="allow"))))

    scene.engine.subscribe(take)
    return asked


def test_its_schema_is_small() -> None:
    schema = schema_of(load_skill)
    function = {"name": schema.name, "description": schema.description, "parameters": schema.parameters}
    text = json.dumps({"type": "function", "function": function}, separators=(",", ":"))
    assert openai.o200k_base().count(text) <= 90


async def test_three_long_bodies_reach_the_model_each_cut_for_itself(tmp_path: Path) -> None:
    names = ["one", "two", "three"]
    for name in names:
        make(tmp_path / "home" / "skills", name, "\n".join(f"{name} line {at:04}" for at in range(2_000)))
    async with bench(tmp_path, calls(("load_skill", {"names": names})), says("done")) as scene:
        await scene.turn("go", NOBODY)
        (result,) = await results(scene)
        assert result.ok and result.summary == "one, two, three" and result.marks == ()
        assert result.text.count("[Cut here: ") == 3 and "left out here" not in result.text
        assert len(result.text) > 23_000 and "three line 0400" in result.text
        assert result.subject and scene.engine.skills.loaded([result]) == ("one", "two", "three")


async def test_a_query_and_odd_arguments(tmp_path: Path) -> None:
    asked = [
        {"query": "write release notes for the new version"},
        {"query": "🙂"},
        {},
        {"names": "bug-repro"},
    ]
    asked += [{"names": ["a", "b", "c", "d"]}, {"query": "x" * 10_000}]
    scripts = [calls(*(("load_skill", one) for one in asked)), says("done")]
    async with bench(tmp_path, *scripts) as scene:
        await scene.turn("go", NOBODY)
        found = await results(scene)
        assert [one.ok for one in found] == [True, False, False, True, False, False]
        assert '<skill name="release-notes"' in found[0].text and '<skill name="bug-repro"' in found[3].text
        assert all(len(one.text) < 12_000 for one in found)


async def test_a_mode_that_a_skill_is_not_for(tmp_path: Path) -> None:
    make(tmp_path / "home" / "skills", "acting", more="allowed-modes: [agent]\n")
    async with bench(tmp_path, calls(("load_skill", {"names": ["acting"]})), says("done")) as scene:
        await scene.turn("go", TurnOptions(mode="chat", attended=False))
        (result,) = await results(scene)
        assert not result.ok and "is for other modes: agent" in result.text


async def test_files_beside_a_skill_are_read_without_a_question(tmp_path: Path) -> None:
    folder = make(tmp_path / "home" / "skills", "mine", "Look at [the form](form.md).")
    (folder / "form.md").write_text("the form\n")
    (folder / ".env").write_text("KEY=1\n")
    (tmp_path / "other.md").write_text("other\n")
    (folder / "out.md").symlink_to(tmp_path / "other.md")
    bundled = Path(__file__).parents[3] / "skills" / "bug-repro" / "SKILL.md"
    paths = [folder / "form.md", bundled, folder / ".env", folder / "out.md", tmp_path / "other.md"]
    reads = [("read_file", {"path": str(path)}) for path in paths]
    async with bench(tmp_path, calls(*reads), says("done"), calls(reads[0]), says("done")) as scene:
        await scene.turn("go", NOBODY)
        found = await results(scene)
        assert [one.ok for one in found] == [True, True, False, False, False]
        assert "the form" in found[0].text and not any(one.marks for one in found)
        await scene.engine.rules.add("deny", f"read_file({folder}/**)")
        await scene.turn("again", NOBODY)
        (result,) = await results(scene)
        assert not result.ok and "denies" in result.text


async def test_a_project_above_the_folder_counts_and_is_read_once_agreed(tmp_path: Path) -> None:
    project = tmp_path / "work"
    folder = make(project / ".agents" / "skills", "deploy", "See [steps](steps.md).")
    (folder / "steps.md").write_text("the steps\n")
    (project / ".agents" / "skills" / "README.md").write_text("beside\n")
    inside = project / "src"
    inside.mkdir()
    used = calls(
        ("load_skill", {"names": ["deploy"]}),
        ("read_file", {"path": str(folder / "steps.md")}),
        ("read_file", {"path": str(project / ".agents" / "skills" / "README.md")}),
    )
    async with bench(tmp_path, used, says("no"), used, says("yes")) as scene:
        for agreed in (False, True):
            if agreed:
                await scene.engine.skills.agree(str(inside))
            session = (await scene.engine.sessions.create(cwd=str(inside))).id
            await scene.turn("go", NOBODY, session)
            found = await results(scene)
            assert [one.ok for one in found] == [agreed, agreed, False]
            assert not any(one.marks for one in found)


async def test_what_nobody_vouches_for_marks_the_conversation(tmp_path: Path) -> None:
    out = make(tmp_path / "elsewhere", "linked")
    (tmp_path / "home" / "skills").mkdir(parents=True)
    (tmp_path / "home" / "skills" / "linked").symlink_to(out)
    place = tmp_path / "home" / "skills"
    first, second = (
        calls(("write_file", {"path": str(place / name / "SKILL.md"), "content": "x"})) for name in "ab"
    )
    scripts = (first, says("1"), calls(("load_skill", {"names": ["linked"]})), second, says("2"))
    async with bench(tmp_path, *scripts) as scene:
        asked = allowing(scene)
        rights = TurnOptions(allow=("write_file(*)",))
        await scene.turn("go", rights)
        (result,) = await results(scene)
        assert result.ok
        await scene.turn("again", rights)
        loaded, written = await results(scene)
        assert [mark.name for mark in loaded.marks] == [str(out / "SKILL.md")] and loaded.ok and written.ok
        assert [(one.reason, one.offers) for one in asked] == [("steering", ())] * 2, "no rule silences it"
        assert [[mark.name for mark in one.marks] for one in asked] == [[], [str(out / "SKILL.md")]]


@pytest.mark.parametrize("names", [["my-skill"], ["my-skill/notes.md"]])
async def test_what_a_marked_conversation_wrote_stays_marked(tmp_path: Path, names: list[str]) -> None:
    """Acceptance 5.4: a file that was made from untrusted text holds it."""
    (tmp_path / "strange.txt").write_text("strange\n")
    place = tmp_path / "home" / "skills" / "my-skill"
    text = "---\nname: my-skill\ndescription: d\n---\nFrom a stranger.\n"
    scripts = (
        calls(("read_file", {"path": str(tmp_path / "strange.txt")})),
        calls(
            ("write_file", {"path": str(place / "SKILL.md"), "content": text}),
            ("write_file", {"path": str(place / "notes.md"), "content": "notes\n"}),
        ),
        says("1"),
        calls(("load_skill", {"names": names})),
        says("2"),
    )
    async with bench(tmp_path, *scripts) as scene:
        allowing(scene)
        await scene.turn("go")
        await scene.turn("again")
        (result,) = await results(scene)
        assert result.ok and [mark.name for mark in result.marks] == [str(tmp_path / "strange.txt")]
