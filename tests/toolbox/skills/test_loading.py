"""What the facade gives to a model and to a person, on real folders."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.errors import BrambleError
from app.toolbox.skills.choices import ChoiceFile
from app.toolbox.skills.facade import Skills, check
from app.toolbox.skills.reading import skill_of
from app.toolbox.skills.shelf import Shelf

ROOT = Path(__file__).parents[3]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """The person's folder with three skills."""
    for name, more in (
        ("notes", "triggers: [meeting minutes]\nsuggested-tools: [todo]"),
        ("trips", ""),
        ("maps", ""),
    ):
        folder = tmp_path / "skills" / name
        folder.mkdir(parents=True)
        block = f"---\nname: {name}\ndescription: About {name} of all kinds.\n{more}\n---\n"
        (folder / "SKILL.md").write_text(f"{block}\n# {name}\nDo {name}.\n")
    return tmp_path / "skills"


class Clock:
    """Time that a test holds."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def skills(tmp_path: Path, place: Path, clock: Clock) -> Skills:
    file = ChoiceFile(tmp_path / "data" / "skills.json")
    shelf = Shelf(place, file, home=tmp_path, bundled=tmp_path / "bundled")
    return Skills(shelf, clock)


async def test_bodies_of_up_to_three_are_loaded_and_count_as_used(skills: Skills, clock: Clock) -> None:
    loaded = await skills.load(["notes", "Trips", "notes"], mode="agent")
    assert loaded.ok and loaded.names == ("notes", "trips") and loaded.tools == ("todo",)
    assert '<skill name="notes" from="person">\n# notes\nDo notes.' in loaded.text
    clock.now = 200.0
    await skills.load(["maps"], mode="agent")
    assert [one.used for one in await skills.list()] == [200.0, 100.0, 100.0]
    assert (await skills.index("agent")).named == ("maps", "notes", "trips")
    assert not (await skills.load(["a", "b", "c", "d"], mode="agent")).ok
    assert not (await skills.load(mode="agent")).ok


async def test_an_unknown_name_gets_the_nearest(skills: Skills) -> None:
    loaded = await skills.load(["note", "maps"], mode="agent")
    assert loaded.ok and loaded.names == ("maps",) and "Nearest: notes" in loaded.text
    loaded = await skills.load(["x" * 100_000, "../../etc", "\ud800\0"], mode="agent")
    assert not loaded.ok and len(loaded.text) < 1_000


async def test_a_query_loads_what_surely_fits_and_else_lists(skills: Skills) -> None:
    loaded = await skills.load(query="write the meeting minutes", mode="agent")
    assert loaded.ok and loaded.names == ("notes",) and "Do notes." in loaded.text
    loaded = await skills.load(query="all kinds", mode="agent")
    assert loaded.ok and loaded.names == () and "- trips:" in loaded.text
    for query in ("qqq", "🙂", "", " ", "x" * 10_000):
        loaded = await skills.load(query=query, mode="agent")
        assert not loaded.ok and loaded.names == ()


async def test_long_bodies_are_cut_with_a_note(skills: Skills, place: Path) -> None:
    path = place / "notes" / "SKILL.md"
    lines = "".join(f"line {number:04} of many words\n" for number in range(600))
    path.write_text(f"---\nname: notes\ndescription: d\n---\n{lines}## The end\nlast\n")
    text = (await skills.load(["notes"], mode="agent")).text
    body, _, note = text.partition("\n[Cut here: ")
    assert len(body) < 8_100 and "the parts: The end." in note and str(path) in note
    last = int(body.rsplit("line ", 1)[1][:4])
    assert f"in line {last + 1 + 5} of" in note  # four lines of the block, lines count from 1
    assert path.read_text().splitlines()[last + 5].startswith(f"line {last + 1:04}")
    path.write_text(f"---\nname: notes\ndescription: d\n---\n{'x' * 50_000}")
    assert 8_000 <= len((await skills.load(["notes"], mode="agent")).text) < 8_600


async def test_files_beside_it_are_listed_and_loaded(skills: Skills, place: Path) -> None:
    folder = place / "notes"
    (folder / "form.md").write_text("# Form\n" + "y" * 9_000)
    (folder / "sub").mkdir()
    (folder / "sub" / "b.txt").write_bytes("Caf\xe9\u202e".encode("utf-8"))
    (folder / "picture.png").write_bytes(b"\x89PNG\0\0")
    if os.name != "nt":
        (folder / "out.md").symlink_to("/etc/hostname")
    text = (await skills.load(["notes"], mode="agent")).text
    assert "form.md (9 kB), picture.png (6 bytes), sub/b.txt (8 bytes)" in text and "out.md" not in text
    loaded = await skills.load(["notes/sub/b.txt", "Notes/form.md", "notes/SKILL.md"], mode="agent")
    assert loaded.ok and loaded.names == ("notes",)
    assert (
        "Café\\u202e" in loaded.text and "[Cut here: 1,007 of" in loaded.text and "Do notes." in loaded.text
    )
    for name in (
        "notes/out.md",
        "notes/../maps/SKILL.md",
        "notes//etc/passwd",
        "notes/picture.png",
        "notes/sub",
        "notes/a\0b",
        "notes/a\ud800b",
    ):
        loaded = await skills.load([name], mode="agent")
        assert not loaded.ok and loaded.names == () and len(loaded.text) < 300


async def test_modes_and_switches_are_kept(skills: Skills, place: Path) -> None:
    path = place / "maps" / "SKILL.md"
    path.write_text(path.read_text().replace("---\n\n", "allowed-modes: [agent]\n---\n\n"))
    assert (await skills.index("chat")).named == ("notes", "trips")
    assert not (await skills.load(["maps"], mode="chat")).ok
    assert [one.name for one in await skills.find("maps", mode="plan")] == []
    await skills.enable("notes", False)
    assert (await skills.index("agent")).named == ("maps", "trips")
    assert "switched the skill notes off" in (await skills.load(["notes"], mode="agent")).text
    assert [one.enabled for one in await skills.list()] == [True, False, True]
    await skills.enable("notes")
    await skills.pin("trips")
    assert (await skills.index("agent")).named == ("trips", "maps", "notes")
    await skills.pin("trips", False)
    assert (await skills.index("agent")).named == ("maps", "notes", "trips")


async def test_a_routine_is_told_what_is_missing(skills: Skills) -> None:
    """CherryHQ/cherry-studio#16049."""
    await skills.enable("trips", False)
    assert await skills.missing(["notes", "Trips", "gone"], mode="agent") == ("Trips", "gone")


async def test_bundled_ones_know_the_persons_folder(skills: Skills, tmp_path: Path, place: Path) -> None:
    for folder, name in ((tmp_path / "bundled", "make"), (place, "mine")):
        (folder / name).mkdir(parents=True)
        (folder / name / "SKILL.md").write_text(f"---\nname: {name}\ndescription: d\n---\nto $SKILLS/X\n")
    text = (await skills.load(["make", "mine"], mode="agent")).text
    assert f"to {place}/X" in text and "to $SKILLS/X" in text


async def test_a_project_counts_only_once_agreed(skills: Skills, tmp_path: Path) -> None:
    for project in ("yes", "no"):
        folder = tmp_path / project / ".agents" / "skills" / f"of-{project}"
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(f"---\nname: of-{project}\ndescription: d\n---\nbody\n")
    yes, no = str(tmp_path / "yes"), str(tmp_path / "no")
    assert (await skills.agree(yes)).state == "agreed"
    assert "of-yes" in {one.name for one in await skills.list(yes)} and await skills.waiting(yes) is None
    assert "of-no" not in {one.name for one in await skills.list(no)}
    waiting = await skills.waiting(no)
    assert waiting and waiting.project == no and await skills.waiting("") is None
    assert not (await skills.load(["of-no"], mode="agent", cwd=no)).ok
    assert (await skills.load(["of-yes"], mode="agent", cwd=yes)).ok


async def test_a_hint_needs_a_sure_skill(skills: Skills) -> None:
    words = "please write up the meeting minutes from today"
    assert (await skills.now(words, "agent", index=False)).hint == "notes"
    assert (await skills.now("all kinds of things", "agent", index=False)).hint == ""


async def test_making_one_of_text(skills: Skills, place: Path) -> None:
    text = skills.document("Trip: Röme", 'Plan: "Rome" # now', "Go.\n", triggers=["a: b"], tools=["weather"])
    made = await skills.create(text)
    assert (made.skill.name, made.skill.description) == ("trip-rome", 'Plan: "Rome" # now')
    assert made.skill.triggers == ("a: b",) and made.skill.ok and made.skill.faults == ()
    assert (place / "trip-rome" / "SKILL.md").read_text() == text and made.info.source == "person"
    for wrong, code in (
        (text, "skill_exists"),
        ("no block", "bad_skill"),
        (text.replace("trip-rome", "../x"), "bad_skill"),
    ):
        with pytest.raises(BrambleError) as raised:
            await skills.create(wrong)
        assert raised.value.code == code
    assert (await skills.create(text.replace("Go.", "Stay."), replace=True)).skill.body == "Stay."
    assert sorted(path.name for path in place.iterdir()) == ["maps", "notes", "trip-rome", "trips"]


async def test_show_names_the_faults_and_files(skills: Skills, place: Path) -> None:
    (place / "notes" / "a.md").write_text("x")
    shown = await skills.show("Notes")
    assert shown.skill.body == "# notes\nDo notes." and [file.path for file in shown.files] == ["a.md"]
    assert shown.info.shown == "whole"
    with pytest.raises(BrambleError) as raised:
        await skills.show("nothing")
    assert raised.value.code == "no_skill"


def test_check_takes_the_folder_or_the_file(place: Path) -> None:
    good = check(str(place / "notes"))
    assert (
        good == check(str(place / "notes" / "SKILL.md")) and good.ok and good.loaded and good.problems == ()
    )
    for path in (place, place / "nothing", place / "nothing" / "SKILL.md"):
        report = check(str(path))
        assert not report.ok and not report.loaded and report.problems[0].line == 0


def test_a_tool_cannot_change_skills(skills: Skills, monkeypatch: pytest.MonkeyPatch) -> None:
    from app.platform.processes import MARK

    monkeypatch.setenv(MARK, "1")
    for call in (skills.enable("notes", False), skills.pin("notes"), skills.create("x")):
        with pytest.raises(BrambleError) as raised:
            asyncio.run(call)
        assert raised.value.code == "own_approval"


async def test_a_damaged_file_of_choices_is_kept_aside(skills: Skills, tmp_path: Path) -> None:
    path = tmp_path / "data" / "skills.json"
    path.parent.mkdir()
    path.write_bytes(b"{no json \xff")
    assert len((await skills.index("agent")).named) == 3
    await skills.pin("maps")
    assert json.loads(path.read_bytes())["pinned"] == ["maps"]
    assert path.with_name("skills.json.damaged").read_bytes() == b"{no json \xff"


NOTE = """
import sys
sys.path.insert(0, {root!r})
from pathlib import Path
from app.toolbox.skills.choices import ChoiceFile, noted
file = ChoiceFile(Path({path!r}))
for number in range(20):
    file.change(lambda choices: noted(choices, (f"s-{{sys.argv[1]}}-{{number}}",), 1.0))
"""


def test_processes_do_not_lose_each_others_uses(tmp_path: Path) -> None:
    path = tmp_path / "data" / "skills.json"
    code = NOTE.format(root=str(ROOT), path=str(path))
    running = [subprocess.Popen([sys.executable, "-P", "-c", code, str(number)]) for number in range(3)]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    assert len(ChoiceFile(path).read().used) == 60


def test_a_skill_of_any_bytes_can_be_given() -> None:
    skill = skill_of(b"---\nname: a\ndescription: \x1b[31m\xe2\x80\xaered\n---\n\x1b]0;x\x07body", "/none/a")
    from app.toolbox.skills.loading import body_text

    text = body_text(skill, Path("/none"))
    assert "\x1b" not in text + skill.description and "body" in text
