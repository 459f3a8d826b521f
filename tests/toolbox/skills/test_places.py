"""Folders of skills on a real disk: which one counts, and that nothing outside of them is read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.skill_records import Skill
from app.toolbox.skills.folder import beside, read_skill, real_file
from app.toolbox.skills.places import Place, gather, places, project_of

posix = pytest.mark.skipif(os.name == "nt", reason="links need rights there")


def make(place: Path, folder: str, name: str = "", text: str = "", file: str = "SKILL.md") -> Path:
    made = place / folder
    made.mkdir(parents=True, exist_ok=True)
    named = name or folder
    (made / file).write_text(
        text or f"---\nname: {named}\ndescription: {place.name} {folder}\n---\n{folder}\n"
    )
    return made


def first(skills: tuple[Skill, ...], name: str) -> Skill:
    return next(skill for skill in skills if skill.name == name)


def test_later_places_win_by_name(tmp_path: Path) -> None:
    bundled, person, project = tmp_path / "bundled", tmp_path / "person", tmp_path / "project"
    for place in (bundled, person, project / ".agents" / "skills"):
        make(place, "notes")
    make(bundled, "only")
    make(person, "other")
    found = gather(places(person, project, bundled))
    assert [(skill.name, skill.source, bool(skill.hidden_by)) for skill in found] == [
        ("notes", "project", False), ("notes", "bundled", True), ("notes", "person", True),
        ("only", "bundled", False), ("other", "person", False),
    ]  # fmt: skip
    assert set(first(found, "notes").hides) == {"bundled", "person"}
    assert first(found, "notes").faults == ()
    without = gather(places(person, None, bundled))
    assert (first(without, "notes").source, len(without)) == ("person", 4)


def test_a_broken_one_does_not_hide_a_good_one(tmp_path: Path) -> None:
    make(tmp_path / "a", "notes")
    make(tmp_path / "b", "notes", text="no block")
    found = gather([Place("bundled", tmp_path / "a"), Place("person", tmp_path / "b")])
    assert [(skill.source, skill.loaded) for skill in found] == [("bundled", True), ("person", False)]


def test_two_of_one_name_in_one_place(tmp_path: Path) -> None:
    make(tmp_path, "a-copy", "notes")
    make(tmp_path, "notes")
    make(tmp_path, "z-copy", "notes")
    found = gather([Place("person", tmp_path)])
    assert [Path(skill.folder).name for skill in found] == ["notes", "a-copy", "z-copy"]
    assert "a-copy, z-copy" in found[0].faults[0].message and found[0].ok and found[0].loaded
    assert all(skill.hidden_by and "that one counts" in skill.faults[0].message for skill in found[1:])


def test_places_that_are_not_there_and_things_that_are_no_skills(tmp_path: Path) -> None:
    (tmp_path / "file.md").write_text("x")
    (tmp_path / "empty").mkdir()
    make(tmp_path, ".hidden")
    make(tmp_path, "_draft")
    assert gather([Place("person", tmp_path), Place("bundled", tmp_path / "nothing")]) == ()


def test_a_file_name_in_small_letters_is_a_fault_only(tmp_path: Path) -> None:
    skill = read_skill(make(tmp_path, "notes", file="skill.md"))
    assert skill and skill.loaded and "Name the file" in skill.faults[0].message


@posix
def test_links_out_of_the_folder_are_refused(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("---\nname: secret\ndescription: d\n---\n")
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "deep.txt").write_text("x")
    folder = make(tmp_path / "place", "notes")
    (folder / "a.md").write_text("a")
    (folder / "sub").mkdir()
    (folder / "sub" / "b.md").write_text("bb")
    (folder / "inside.md").symlink_to("a.md")
    (folder / "out.md").symlink_to(secret)
    (folder / "far").symlink_to(tmp_path / "far")
    (folder / "loop").symlink_to("loop")
    files, faults = beside(folder)
    assert [(file.path, file.size) for file in files] == [("a.md", 1), ("inside.md", 1), ("sub/b.md", 2)]
    assert sorted(fault.message.split()[0] for fault in faults) == ["far", "out.md"]
    skill = read_skill(folder)
    assert skill is not None
    assert real_file(skill, "sub/b.md") and real_file(skill, "inside.md")
    for path in (
        "out.md",
        "far/deep.txt",
        "../../secret.txt",
        str(secret),
        "sub",
        "loop",
        "",
        "sub\\..\\..\\x",
    ):
        assert real_file(skill, path) is None
    other = make(tmp_path / "place", "linked")
    (other / "SKILL.md").unlink()
    (other / "SKILL.md").symlink_to(secret)
    linked = read_skill(other)
    assert linked and not linked.loaded and "leaves the folder" in linked.faults[0].message


@posix
def test_a_file_that_is_a_link_to_nothing_is_named_once(tmp_path: Path) -> None:
    folder = tmp_path / "dangling"
    folder.mkdir()
    (folder / "SKILL.md").symlink_to("/nowhere/SKILL.md")
    skill = read_skill(folder)
    told = "SKILL.md is a link that leaves the folder; it is refused."
    assert skill is not None and not skill.loaded and [fault.message for fault in skill.faults] == [told]
    assert beside(folder) == ((), ())


def test_a_project_may_not_link_to_elsewhere_but_a_person_may(tmp_path: Path) -> None:
    elsewhere = make(tmp_path / "elsewhere", "notes")
    project = tmp_path / "project"
    place = project / ".agents" / "skills"
    place.mkdir(parents=True)
    (place / "notes").symlink_to(elsewhere)
    (skill,) = gather([Place("project", place, project)])
    assert not skill.loaded and "leaves the project" in skill.faults[0].message
    (skill,) = gather([Place("person", place)])
    assert skill.loaded


@posix
def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    folder = tmp_path / "pipe"
    folder.mkdir()
    os.mkfifo(folder / "SKILL.md")
    skill = read_skill(folder)
    assert skill and not skill.loaded and "cannot be read" in skill.faults[0].message
    made = tmp_path / "folder"
    (made / "SKILL.md").mkdir(parents=True)
    skill = read_skill(made)
    assert skill and not skill.loaded


def test_many_files_are_listed_in_bounds(tmp_path: Path) -> None:
    folder = make(tmp_path, "many")
    for number in range(1_500):
        (folder / f"{number}.txt").write_text("")
    deep = folder.joinpath(*"abcdefgh")
    deep.mkdir(parents=True)
    (deep / "x").write_text("")
    files, _ = beside(folder)
    assert len(files) == 200


def test_the_project_of_a_folder(tmp_path: Path) -> None:
    home = tmp_path / "home"
    project = home / "project"
    (project / ".agents" / "skills").mkdir(parents=True)
    (project / "a" / "b").mkdir(parents=True)
    assert project_of(str(project / "a" / "b"), home) == project == project_of(str(project), home)
    (project / "a" / ".git").mkdir()
    assert project_of(str(project / "a" / "b"), home) is None
    (home / ".agents" / "skills").mkdir(parents=True)
    (home / "other").mkdir()
    assert project_of(str(home / "other"), home) is None and project_of(str(home), home) is None
    assert project_of("", home) is None and project_of("/", home) is None
