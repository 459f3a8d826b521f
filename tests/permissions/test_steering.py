"""What tells the app what to do is asked about always: its skills, own tools, settings, rules and servers,
and a project's instructions and skills.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

from app.permissions.book import Book
from app.permissions.decide import decide
from app.permissions.offers import with_offers
from app.permissions.policy import Policy, Rights
from app.platform.paths import home
from app.records import CommandEffect, Decision, FileDiff, FilesEffect, Mark, TurnOptions
from app.toolbox import guarded

EVERYTHING = TurnOptions(yes=True, allow=("write_file(*)", "trash_file(*)", "run_command(*)"))
OURS = (
    "skills/a/SKILL.md",
    "skills/a",
    "tools/a.py",
    "mcp.json",
    "rules.txt",
    "settings.toml",
    "engines.toml",
)
IN_A_PROJECT = ("AGENTS.md", "sub/claude.md", ".agents/skills/a/SKILL.md", ".agents/skills", ".agents")
WEB = Mark(kind="web", name="example.org")


class Place:
    """A home of the app beside a working folder, and what may happen in it when everything was allowed."""

    def __init__(self, root: Path) -> None:
        self.home, self.work = root / "config", root / "work"
        for folder in (self.home, self.work):
            folder.mkdir()
        ours = home({"BRAMBLE_HOME": str(self.home)})
        book = Book(self.home / "rules.txt")
        self.rights = Rights(book, guarded.own(ours), steering=guarded.steering(ours))

    def policy(self, marks: tuple[Mark, ...] = ()) -> Policy:
        return self.rights.policy("", str(self.work), EVERYTHING, marks=marks)

    def change(self, path: Path, kind: str = "changed", tool: str = "write_file", old: str = "") -> Decision:
        diff = FileDiff(path=str(path), shown="x", kind=kind, old_path=old)  # type: ignore[arg-type]
        effect = FilesEffect(files=(diff,))
        return with_offers(effect, tool, self.policy(), decide(effect, tool, self.policy()))

    def command(self, text: str, marks: tuple[Mark, ...] = (), cwd: str = "") -> Decision:
        effect = CommandEffect(command=text, cwd=cwd or str(self.work), layer="bubblewrap")
        policy = self.policy(marks)
        return with_offers(effect, "run_command", policy, decide(effect, "run_command", policy))


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path.resolve())


def test_whoever_allows_everything_is_asked_about_what_steers_the_app(place: Place) -> None:
    paths = [place.home / name for name in OURS] + [place.work / name for name in IN_A_PROJECT]
    for path in paths:
        for kind, tool in (("new", "write_file"), ("changed", "edit_file"), ("deleted", "trash_file")):
            found = place.change(path, kind, tool)
            assert (found.decision, found.reason, found.offers) == ("ask", "steering", ()), path
    away = place.change(place.work / "a", "renamed", "write_file", old=str(place.home / "skills"))
    assert away.reason == "steering"


def test_what_only_looks_like_it_follows_the_rules(place: Place) -> None:
    for name in ("agents.txt", "skills/a.md", "tools/a.py", "mcp.json", "my.agents/skills/a", ".agents.md"):
        assert place.change(place.work / name).decision == "allow", name
    assert place.change(place.home.with_name("config2") / "skills" / "a").decision == "allow"
    assert place.change(place.home / "data" / "workspaces" / "1" / "a.txt").decision == "allow"


def test_a_folder_that_would_bring_skills_along_is_asked_about(place: Place) -> None:
    assert place.change(place.home, "copied").reason == "steering"
    assert place.change(place.home.parent, "renamed").reason == "steering"


def test_skills_that_the_person_linked_elsewhere_steer_too(place: Place, tmp_path: Path) -> None:
    real = tmp_path.resolve() / "dotfiles"
    real.mkdir()
    assert place.change(real / "a" / "SKILL.md").decision == "allow"
    (place.home / "skills").symlink_to(real)
    assert place.change(real / "a" / "SKILL.md").reason == "steering", "seen without a restart"
    assert place.change(place.home / "skills", "deleted", "trash_file").reason == "steering"
    assert place.command(f"tee {real}/a/SKILL.md").decision == "ask"


@pytest.mark.parametrize(
    "text",
    [
        "echo x > {home}/skills/a/SKILL.md",
        "echo x >> {home}/tools/a.py",
        "cp a.md {home}/skills/a/SKILL.md",
        "cp -r a {home}/skills",
        "mv a {home}/skills/",
        "mv {home}/skills b",
        "cp -t {home}/tools a.py",
        "tee {home}/skills/a/SKILL.md",
        "sed -i s/a/b/ {home}/skills/a/SKILL.md",
        "ln -s a {home}/skills/a",
        "ln {home}/skills/a/SKILL.md b",
        "tar -xf a.tar -C {home}/skills",
        "unzip a.zip -d {home}/skills",
        "rsync -a a/ {home}/skills/",
        "git clone https://example.org/a {home}/skills/a",
        "mkdir {home}/skills",
        "python3 make.py --output={home}/tools/a.py",
        "cd {home} && touch skills/a",
        "cp -r skills {home}",
        "rm -r {home}/skills",
        "cp a {home}/mcp.json",
        "echo x > {home}/rules.txt",
        "echo x > .agents/skills/a/SKILL.md",
        "cp -r a .agents/skills",
        "mkdir -p .agents/skills/a",
        "mv evil .agents",
        "echo x >> AGENTS.md",
        "cp a CLAUDE.md",
        "cp docs/AGENTS.md .",
    ],
)
def test_a_command_that_writes_it_asks_whatever_was_allowed(place: Place, text: str) -> None:
    found = place.command(text.format(home=place.home))
    assert found.decision == "ask" and found.offers == ()
    assert found.reason in ("steering", "own_program"), found.reason


def test_a_command_that_only_reads_it_follows_the_rules(place: Place) -> None:
    for text in (f"cat {place.home}/skills/a/SKILL.md", "cat AGENTS.md", "ls .agents/skills", "cd .."):
        assert place.command(text).decision == "allow", text
    assert place.command(f"cat {place.home}/rules.txt").reason == "own_program"


def test_a_conversation_in_the_folder_of_skills_asks_for_whatever_writes(place: Place) -> None:
    inside = place.home / "skills" / "a"
    inside.mkdir(parents=True)
    for text in ("make", "python3 x.py", "echo x > b"):
        assert place.command(text, cwd=str(inside)).reason == "steering", text
    assert place.command("ls", cwd=str(inside)).decision == "allow"


@pytest.mark.parametrize("name", [".claude/commands/a.md", ".cursorrules", "skills/a/SKILL.md"])
def test_a_yes_to_everything_lets_no_marked_conversation_instruct_an_assistant(
    place: Place, name: str
) -> None:
    path = place.work / name
    effect = FilesEffect(files=(FileDiff(path=str(path), shown=name, kind="new"),))
    for allow in ((), ("write_file(*)",)):
        policy = msgspec.structs.replace(
            place.rights.policy("", str(place.work), TurnOptions(yes=True, allow=allow)), marks=(WEB,)
        )
        assert decide(effect, "write_file", policy).reason == "untrusted"
    assert place.change(path).decision == "allow", "without a mark it follows the rules"
    for text in (f"cp a {name}", f"echo x > {name}", f"tee {name}"):
        os.makedirs(path.parent, exist_ok=True)
        marked = place.command(text, (WEB,))
        assert (marked.decision, marked.reason) == ("ask", "untrusted"), text
