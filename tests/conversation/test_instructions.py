"""The instructions of a project: which files hold, in which order, within 32 KiB, and who is asked when."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.conversation import instruction_chain as chain
from app.conversation.instructions import Instructions
from app.errors import BrambleError
from app.store.database import Store
from app.toolbox.skills import places as skill_places


def put(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def repository(home: Path) -> Path:
    (home / "work" / ".git").mkdir(parents=True)
    return home / "work"


def texts(cwd: Path, home: Path) -> list[str]:
    found = chain.read_chain(str(cwd), home)
    return [] if found is None else [file.text for file in found[1]]


def test_outer_files_come_first_and_the_chain_ends_at_the_repository(home: Path, repository: Path) -> None:
    put(home / "AGENTS.md", "home")
    put(repository / "AGENTS.md", "outer")
    put(repository / "src" / "AGENTS.md", "inner")
    assert texts(repository / "src", home) == ["outer", "inner"]
    assert texts(home, home) == []
    assert texts(Path("/"), home) == []


def test_without_a_repository_it_goes_up_to_below_home(home: Path) -> None:
    put(home / "AGENTS.md", "home")
    put(home / "a" / "CLAUDE.md", "outer")
    put(home / "a" / "b" / "c" / "AGENTS.md", "inner")
    found = chain.read_chain(str(home / "a" / "b" / "c"), home)
    assert found is not None and found[0] == home / "a"
    assert [file.text for file in found[1]] == ["outer", "inner"]


def test_claude_is_read_where_agents_is_missing(home: Path, repository: Path) -> None:
    put(repository / "AGENTS.md", "agents")
    put(repository / "CLAUDE.md", "claude")
    put(repository / "x" / "CLAUDE.md", "inner claude")
    assert texts(repository / "x", home) == ["agents", "inner claude"]


def test_the_same_text_twice_counts_once(home: Path, repository: Path) -> None:
    put(repository / "AGENTS.md", "same\n")
    put(repository / "x" / "AGENTS.md", "same\n")
    assert texts(repository / "x", home) == ["same"]


def test_what_is_farther_away_is_cut_first(home: Path, repository: Path) -> None:
    put(repository / "AGENTS.md", "o" * 20_000)
    put(repository / "x" / "AGENTS.md", "i" * 30_000)
    found = chain.read_chain(str(repository / "x"), home)
    assert found is not None
    outer, inner = found[1]
    assert (len(inner.text), inner.cut) == (30_000, 0)
    assert (len(outer.text), outer.cut) == (32 * 1024 - 30_000, 20_000 - (32 * 1024 - 30_000))
    assert f"[{outer.cut} more bytes of this file are left out]" in chain.as_prompt(found[1])


def test_a_character_is_never_cut_in_half(home: Path, repository: Path) -> None:
    put(repository / "AGENTS.md", "x" + "ü" * 20_000)
    (text,) = texts(repository, home)
    assert set(text) == {"x", "ü"} and len(text.encode()) <= 32 * 1024


def test_a_link_out_of_the_project_is_not_followed(home: Path, repository: Path) -> None:
    put(home / ".ssh" / "id_rsa", "secret")
    (repository / "AGENTS.md").symlink_to(home / ".ssh" / "id_rsa")
    put(repository / "docs" / "CLAUDE.md", "inside")
    (repository / "x").mkdir()
    (repository / "x" / "AGENTS.md").symlink_to(repository / "docs" / "CLAUDE.md")
    found = chain.read_chain(str(repository / "x"), home)
    assert found is not None
    assert [(file.text, file.why) for file in found[1]] == [("", "link"), ("inside", "")]
    assert "secret" not in chain.as_prompt(found[1])


@pytest.mark.parametrize(
    ("target", "why"), [("docs/rules.md", "link"), (".github/copilot-instructions.md", "")]
)
def test_a_link_leads_only_where_every_change_is_asked_about(
    home: Path, repository: Path, target: str, why: str
) -> None:
    put(repository / target, "inside")
    (repository / "AGENTS.md").symlink_to(target)
    found = chain.read_chain(str(repository), home)
    assert found is not None and [file.why for file in found[1]] == [why]


def test_a_home_behind_a_link_is_never_among_them(home: Path, tmp_path: Path) -> None:
    put(home / "AGENTS.md", "home")
    put(home / "a" / "AGENTS.md", "inner")
    put(home / ".agents" / "skills" / "x" / "SKILL.md", "skill")
    linked = tmp_path / "linked"
    linked.symlink_to(home)
    assert texts(linked / "a", linked) == ["inner"]
    assert skill_places.project_of(str(home / "a"), linked) is None


def test_what_is_no_text_is_named_and_not_read(home: Path, repository: Path) -> None:
    put(repository / "AGENTS.md", b"\x00\x01\x02" * 50)
    os.mkfifo(repository / "CLAUDE.md")
    (repository / "x").mkdir()
    os.mkfifo(repository / "x" / "AGENTS.md")
    found = chain.read_chain(str(repository / "x"), home)
    assert found is not None
    assert [file.why for file in found[1]] == ["binary", "unreadable"]


def test_any_encoding_and_nothing_hidden(home: Path, repository: Path) -> None:
    put(repository / "AGENTS.md", "Grüße\r\nzwei".encode("utf-16"))
    put(repository / "x" / "AGENTS.md", "see\u202ehidden")
    assert texts(repository / "x", home) == ["Grüße\nzwei", "see\\u202ehidden"]


# --- asking ------------------------------------------------------------------------------------------------


class World:
    def __init__(self, store: Store, home: Path) -> None:
        self.told = 0
        self.now = 1.0
        self.facade = Instructions(store, lambda: self.now, self.tell, home)

    async def tell(self) -> None:
        self.told += 1

    async def agree(self, cwd: str) -> None:
        """Agree to what stands there, as a person does who looks at it and says yes."""
        found = await self.facade.project(cwd)
        assert found is not None
        await self.facade.agree(cwd, found.print)

    async def see(self, cwd: str) -> None:
        """Look at what stands there."""
        found = await self.facade.project(cwd)
        assert found is not None
        await self.facade.seen(cwd, found.print)


@pytest.fixture
async def world(tmp_path: Path, home: Path) -> AsyncIterator[World]:
    store = Store(tmp_path / "bramble.db", lambda: 1.0)
    await store.open()
    yield World(store, home)
    await store.close()


async def test_a_person_is_asked_once_a_project(world: World, repository: Path) -> None:
    put(repository / "AGENTS.md", "Be kind.")
    (repository / "x").mkdir()
    cwd = str(repository / "x")
    waiting = await world.facade.waiting(cwd)
    assert waiting is not None and waiting.project == str(repository)
    assert await world.facade.text(cwd) == ""
    await world.facade.agree(cwd, waiting.print)
    assert world.told == 1
    assert await world.facade.waiting(str(repository)) is None
    assert "Be kind." in await world.facade.text(cwd)


async def test_a_change_holds_and_is_shown_until_it_was_seen(world: World, repository: Path) -> None:
    file = put(repository / "AGENTS.md", "one")
    await world.agree(str(repository))
    put(file, "two")
    found = await world.facade.project(str(repository))
    assert found is not None and (found.state, found.changed) == ("agreed", True)
    assert "two" in await world.facade.text(str(repository))
    await world.see(str(repository))
    found = await world.facade.project(str(repository))
    assert found is not None and (found.state, found.changed) == ("agreed", False)


async def test_a_no_holds_until_it_is_taken_back(world: World, repository: Path) -> None:
    put(repository / "AGENTS.md", "one")
    await world.facade.refuse(str(repository))
    assert await world.facade.text(str(repository)) == ""
    assert await world.facade.waiting(str(repository)) is None
    await world.facade.forget_answer(str(repository))
    assert await world.facade.waiting(str(repository)) is not None


async def test_an_answer_that_is_taken_back_is_no_look(world: World, repository: Path) -> None:
    cwd, file = str(repository), put(repository / "AGENTS.md", "one")
    await world.agree(cwd)
    put(file, "two")
    await world.facade.refuse(cwd)
    await world.facade.take_back(cwd)
    found = await world.facade.project(cwd)
    assert found is not None and (found.state, found.changed) == ("agreed", True)
    await world.facade.take_back(cwd)  # there is nothing more to take back
    found = await world.facade.project(cwd)
    assert found is not None and found.state == "agreed"


async def test_what_another_process_answered_since_is_not_taken_back(
    world: World, repository: Path, tmp_path: Path, home: Path
) -> None:
    cwd = str(repository)
    put(repository / "AGENTS.md", "one")
    await world.facade.refuse(cwd)
    other = Store(tmp_path / "bramble.db", lambda: 2.0)
    await other.open()
    theirs = World(other, home)
    theirs.now = 2.0
    await theirs.agree(cwd)
    await world.facade.take_back(cwd)
    found = await world.facade.project(cwd)
    await other.close()
    assert found is not None and found.state == "agreed"


async def test_what_changed_since_it_was_shown_is_not_agreed_to(world: World, repository: Path) -> None:
    file = put(repository / "AGENTS.md", "one")
    shown = await world.facade.waiting(str(repository))
    put(file, "two")
    assert shown is not None
    with pytest.raises(BrambleError) as raised:
        await world.facade.agree(str(repository), shown.print)
    assert raised.value.code == "instructions_changed"
    assert await world.facade.waiting(str(repository)) is not None


async def test_an_answer_without_what_was_shown_is_none(world: World, repository: Path) -> None:
    put(repository / "AGENTS.md", "one")
    with pytest.raises(BrambleError) as raised:
        await world.facade.agree(str(repository), "")
    assert raised.value.code == "instructions_changed"
    assert await world.facade.waiting(str(repository)) is not None and world.told == 0


async def test_what_was_written_after_the_look_still_counts_as_changed(
    world: World, repository: Path
) -> None:
    file = put(repository / "AGENTS.md", "one")
    await world.agree(str(repository))
    put(file, "two")
    shown = await world.facade.project(str(repository))
    assert shown is not None
    put(file, "three")
    await world.facade.seen(str(repository), shown.print)
    found = await world.facade.project(str(repository))
    assert found is not None and (found.state, found.changed) == ("agreed", True)


async def test_a_folder_without_instructions(world: World, repository: Path) -> None:
    assert await world.facade.project(str(repository)) is None
    assert await world.facade.project("") is None
    with pytest.raises(BrambleError) as raised:
        await world.facade.agree(str(repository), "")
    assert raised.value.code == "no_instructions"


async def test_an_answer_counts_for_the_folder_that_was_asked_about(world: World, repository: Path) -> None:
    put(repository / "x" / "AGENTS.md", "inner")
    inner = str(repository / "x")
    asked = await world.facade.waiting(inner)
    assert asked is not None and asked.project == str(repository) and asked.folder == inner
    agreed = await world.facade.agree(asked.folder, asked.print)
    assert (agreed.state, agreed.changed) == ("agreed", False)


async def test_what_was_seen_in_one_folder_is_no_news_in_another(world: World, repository: Path) -> None:
    put(repository / "AGENTS.md", "outer")
    put(repository / "x" / "AGENTS.md", "inner")
    outer, inner = str(repository), str(repository / "x")
    await world.agree(outer)
    found = await world.facade.project(inner)
    assert found is not None and found.changed, "the inner file was never shown"
    await world.see(inner)
    for folder in (outer, inner):
        found = await world.facade.project(folder)
        assert found is not None and not found.changed
    put(repository / "AGENTS.md", "other")
    for folder in (outer, inner):
        found = await world.facade.project(folder)
        assert found is not None and found.changed


async def test_what_is_unpacked_below_a_folder_without_a_repository_waits(world: World, home: Path) -> None:
    put(home / "downloads" / "AGENTS.md", "mine")
    await world.agree(str(home / "downloads"))
    below = str(home / "downloads" / "archive")
    put(Path(below) / "AGENTS.md", "theirs")
    text = await world.facade.text(below)
    assert "mine" in text and "theirs" not in text
    found = await world.facade.project(below)
    assert found is not None and found.changed
    await world.facade.agree(below, found.print)
    assert "theirs" in await world.facade.text(below)
