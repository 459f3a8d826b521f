"""A project's skills count for the very files that the person agreed to, and no longer."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from app.errors import BrambleError
from app.toolbox.skills import prints
from app.toolbox.skills.choices import ChoiceFile
from app.toolbox.skills.facade import Skills
from app.toolbox.skills.shelf import Shelf


def make(place: Path, name: str, body: str = "Do it.") -> Path:
    folder = place / name
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(f"---\nname: {name}\ndescription: About {name}.\n---\n{body}\n")
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with one skill that has a file beside it."""
    folder = make(tmp_path / "project" / ".agents" / "skills", "deploy")
    (folder / "run.sh").write_text("echo\n")
    return tmp_path / "project"


@pytest.fixture
def skills(tmp_path: Path) -> Skills:
    return facade(tmp_path)


def facade(tmp_path: Path) -> Skills:
    file = ChoiceFile(tmp_path / "data" / "skills.json")
    shelf = Shelf(tmp_path / "own", file, home=tmp_path, bundled=tmp_path / "bundled")
    return Skills(shelf, lambda: 100.0)


async def names(skills: Skills, cwd: Path) -> set[str]:
    return {one.name for one in await skills.list(str(cwd))}


async def test_it_is_asked_once_and_remembered(skills: Skills, project: Path, tmp_path: Path) -> None:
    inside = project / "src"
    inside.mkdir()
    found = await skills.waiting(str(inside))
    assert found and found.state == "waiting" and [one.name for one in found.skills] == ["deploy"]
    assert found.skills[0].body == "Do it." and await names(skills, project) == set()
    assert skills.readable(str(project))[2:] == ()
    loaded = await skills.load(["deploy"], mode="agent", cwd=str(project))
    assert not loaded.ok and "did not agree" in loaded.text
    await skills.agree(str(inside), found.print)
    again = facade(tmp_path)
    assert await again.waiting(str(project)) is None and await names(again, inside) == {"deploy"}
    assert again.readable(str(inside))[2:] == (str(project / ".agents" / "skills" / "deploy"),)
    loaded = await again.load(["deploy"], mode="agent", cwd=str(inside))
    assert loaded.ok and loaded.foreign == ()
    assert loaded.read == (str(project / ".agents" / "skills" / "deploy" / "SKILL.md"),)


@pytest.mark.parametrize("change", ["text", "beside", "new", "gone", "hidden", "link"])
async def test_any_other_file_is_asked_about_again(skills: Skills, project: Path, change: str) -> None:
    await skills.agree(str(project))
    place = project / ".agents" / "skills"
    before = os.stat(place / "deploy" / "run.sh")
    match change:
        case "text":
            (place / "deploy" / "SKILL.md").write_text("---\nname: deploy\ndescription: d\n---\nOther.\n")
        case "beside":  # of the same size, with its old time
            (place / "deploy" / "run.sh").write_text("exit\n")
            os.utime(place / "deploy" / "run.sh", ns=(before.st_atime_ns, before.st_mtime_ns))
        case "new":
            make(place, "another")
        case "gone":
            (place / "deploy" / "run.sh").unlink()
        case "hidden":
            (place / "deploy" / ".more").write_text("x")
        case "link":
            (place / "deploy" / "more").symlink_to("/etc")
    found = await skills.waiting(str(project))
    assert found and found.state == "changed"
    assert found.changed == (("another",) if change == "new" else ("deploy",))
    assert await names(skills, project) == set()
    await skills.agree(str(project), found.print)
    assert await skills.waiting(str(project)) is None


async def test_a_no_holds_whatever_changes_and_can_be_taken_back(skills: Skills, project: Path) -> None:
    await skills.agree(str(project))
    assert (await skills.refuse(str(project))).state == "refused"
    make(project / ".agents" / "skills", "another")
    found = await skills.project(str(project))
    assert found and found.state == "refused" and await skills.waiting(str(project)) is None
    assert await names(skills, project) == set()
    assert (await skills.forget_answer(str(project))).state == "waiting"
    assert await skills.waiting(str(project)) is not None


async def test_nobody_agrees_to_what_was_not_shown(skills: Skills, project: Path) -> None:
    found = await skills.waiting(str(project))
    assert found is not None
    (project / ".agents" / "skills" / "deploy" / "run.sh").write_text("rm\n")
    with pytest.raises(BrambleError) as raised:
        await skills.agree(str(project), found.print)
    assert raised.value.code == "skills_changed" and await names(skills, project) == set()
    with pytest.raises(BrambleError) as raised:
        await skills.agree(str(project.parent))
    assert raised.value.code == "no_project_skills"


async def test_more_than_can_be_looked_after_is_never_used(
    skills: Skills, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prints, "MOST_FILES", 1)
    found = await skills.waiting(str(project))
    assert found and found.too_large
    with pytest.raises(BrambleError) as raised:
        await skills.agree(str(project))
    assert raised.value.code == "skills_too_large"


async def test_a_folder_that_links_out_of_the_project_gives_nothing(
    skills: Skills, project: Path, tmp_path: Path
) -> None:
    out = make(tmp_path / "elsewhere", "out", "secret words")
    (project / ".agents" / "skills" / "out").symlink_to(out)
    await skills.agree(str(project))
    shown = await skills.show("out", str(project))
    assert not shown.skill.loaded and "leaves the project" in shown.skill.faults[0].message
    assert "secret words" not in (await skills.load(["out"], mode="agent", cwd=str(project))).text
    assert str(out) not in skills.readable(str(project))


async def test_a_link_of_the_persons_is_used_but_nobody_vouches_for_it(
    skills: Skills, tmp_path: Path
) -> None:
    out = make(tmp_path / "elsewhere", "linked")
    make(tmp_path / "own", "mine")
    (tmp_path / "own" / "linked").symlink_to(out)
    loaded = await skills.load(["linked", "mine"], mode="agent")
    assert loaded.ok and loaded.foreign == (str(out / "SKILL.md"),) and len(loaded.read) == 2


async def test_the_persons_own_edit_keeps_the_agreement(skills: Skills, project: Path) -> None:
    await skills.agree(str(project))
    shown = await skills.show("deploy", str(project))
    saved = await skills.save("deploy", shown.text.replace("Do it.", "Do that."), str(project))
    assert (await skills.show("deploy", str(project))).skill.body == "Do that."
    await skills.put_back(saved, str(project))
    assert (await skills.show("deploy", str(project))).skill.body == "Do it."


async def test_news_and_what_loaded_skills_suggest(skills: Skills, project: Path, tmp_path: Path) -> None:
    make(tmp_path / "own", "mine")
    index = await skills.index("agent", str(project))
    known = frozenset((*index.named, *index.left_out))
    assert not (await skills.now("", "agent", str(project), index=False)).present.keys() - known
    text = (project / ".agents" / "skills" / "deploy" / "SKILL.md").read_text()
    (project / ".agents" / "skills" / "deploy" / "SKILL.md").write_text(
        text.replace("\n---\nDo", "\nsuggested-tools: [port_status]\n---\nDo")
    )
    await skills.agree(str(project))
    present = (await skills.now("", "agent", str(project), index=False)).present
    assert present.keys() - known == {"deploy"} and present["deploy"] == "About deploy."
    assert await skills.suggested(["deploy"], "agent", str(project)) == {"port_status"}
    assert await skills.suggested([], "agent") == frozenset()
    shutil.rmtree(project / ".agents")
    assert await skills.suggested(["deploy"], "agent", str(project)) == frozenset()
