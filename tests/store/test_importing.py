"""Import: our own JSON comes back the same, and other assistants' exports with branches, times and models."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from app.errors import StoreError
from app.records import IMPORTED, Message, SessionInfo, ToolCall, Usage
from app.store import export, importing, messages, search, sessions
from app.store.database import Store

Make = Callable[..., SessionInfo]
MakeMessage = Callable[..., Message]
CASES = Path(__file__).parent / "cases"


def _rows(message: MakeMessage) -> list[Message]:
    call = ToolCall(id="c", name="x", arguments="{}", extra={"sig": "1"})
    return [
        message("q", None, "question \ud800 and \0", created=10.0, context="clock"),
        message("a", "q", "one", role="assistant", created=11.0, model="p/m", calls=(call,), cost=0.5),
        message("t", "a", "result", role="tool", created=12.0, call="c", tool="x", ok=False, seconds=1.5),
        message(
            "b",
            "q",
            "two",
            role="assistant",
            created=13.0,
            model="p/n",
            usage=Usage(input=3),
            extra={"k": [1]},
        ),
        message("q2", "b", "again", created=14.0),
    ]


@pytest.fixture
async def full(store: Store, session: Make, message: MakeMessage) -> Store:
    """A session with two branches whose head is not its newest message."""
    await store.write(sessions.create, session(title="title", model="p/m", mode="plan", pinned=True))
    for row in _rows(message):
        await store.write(messages.add, row)
    await store.write(messages.set_head, "s", "t")
    return store


async def test_a_round_trip_into_another_store_keeps_everything(
    full: Store, tmp_path: Path, message: MakeMessage
) -> None:
    text = await full.read(export.export, "s", "json")
    other = Store(tmp_path / "other.db")
    await other.open()
    (info,) = await other.write(importing.import_text, text)
    assert info == await full.read(sessions.get, "s")
    rows = [msgspec.structs.replace(row, marks=(IMPORTED,)) for row in _rows(message)]
    assert await other.read(messages.tree, "s") == rows
    assert [one.id for one in await other.read(messages.branch, "s")] == ["q", "a", "t"]
    assert len(await other.read(search.search, "again")) == 1
    await other.close()


async def test_importing_beside_the_original_makes_a_copy(full: Store, message: MakeMessage) -> None:
    text = await full.read(export.export, "s", "json")
    await full.write(sessions.delete, "s")
    for _ in range(2):
        (info,) = await full.write(importing.import_text, text)
        assert info.id != "s" and not info.deleted
        copied = await full.read(messages.tree, info.id)
        assert not {one.id for one in copied} & {"q", "a", "t", "b", "q2"}
        places = {one.id: place for place, one in enumerate(copied)}
        parents = [places[one.parent] if one.parent else None for one in copied]
        assert parents == [None, 0, 1, 0, 3]
        fresh = ("id", "session", "parent", "turn")
        for one, original in zip(copied, _rows(message), strict=True):
            same = msgspec.structs.replace(one, **{name: getattr(original, name) for name in fresh})
            assert same == msgspec.structs.replace(original, marks=(IMPORTED,))
        assert info.head == copied[2].id
    assert len(await full.read(sessions.list_sessions)) == 2


async def test_a_hand_made_file_is_put_in_order(store: Store, message: MakeMessage) -> None:
    rows = [message("c", "b"), message("b", "a"), message("a", "lost"), message("x", "y"), message("y", "x")]
    data = {
        "format": export.FORMAT,
        "version": export.VERSION,
        "session": {"id": "s", "title": "t", "cwd": "", "created": 1.0, "updated": 1.0, "head": "nowhere"},
        "messages": [msgspec.to_builtins(row) for row in rows],
    }
    await store.write(importing.import_text, json.dumps(data))
    found = {one.id: one.parent for one in await store.read(messages.tree, "s")}
    assert found == {"a": None, "b": "a", "c": "b", "y": None, "x": "y"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "[]",
        "{}",
        "[1]",
        "null",
        '{"format": "bramble-session", "version": 99}',
        '{"format": "bramble-session", "version": 1, "session": {}, "messages": []}',
        '{"format": "bramble-session", "version": 1}',
        '[{"mapping": {"a": 1}}]',
        '[{"mapping": {"a": {"message": {"author": 5}}}}]',
        '[{"chat_messages": [1]}]',
        '[{"chat_messages": [{}]}]',
        "[" * 100_000,
    ],
)
async def test_what_is_no_export_is_refused_and_stores_nothing(store: Store, text: str) -> None:
    with pytest.raises(StoreError) as caught:
        await store.write(importing.import_text, text)
    assert caught.value.code == "bad_import" and caught.value.problem.detail
    assert await store.read(sessions.list_sessions) == []


SAID = {"author": {"role": "user"}, "create_time": 7, "content": {"parts": ["hello"]}}


@pytest.mark.parametrize("time", [float("nan"), float("inf"), 1e300, -5.0])
async def test_times_without_a_date_are_not_kept(store: Store, message: MakeMessage, time: float) -> None:
    rows = [message("a", created=time), message("b", "a", role="assistant", created=12.0, cost=time)]
    data = {
        "format": export.FORMAT,
        "version": export.VERSION,
        "session": {"id": "s", "title": "t", "cwd": "", "created": 10.0, "updated": time},
        "messages": [msgspec.to_builtins(row) for row in rows],
    }
    (made,) = await store.write(importing.import_text, json.dumps(data))
    first, second = await store.read(messages.tree, made.id)
    assert (made.created, first.created, second.cost) == (10.0, 10.0, None)
    odd = [{"title": "t", "create_time": 10**400 if time > 0 else time, "mapping": {"a": {"message": SAID}}}]
    (other,) = await store.write(importing.import_text, json.dumps(odd))
    assert other.created == 7.0


async def test_an_import_that_fails_midway_leaves_nothing(store: Store) -> None:
    good = json.loads((CASES / "chatgpt.json").read_text())
    with pytest.raises(StoreError):
        await store.write(importing.import_text, json.dumps([*good, {"neither": 1}]))
    assert await store.read(sessions.list_sessions) == []


async def test_chatgpt_comes_with_branches_times_and_models(store: Store) -> None:
    (info,) = await store.write(importing.import_text, (CASES / "chatgpt.json").read_text())
    assert (info.title, info.created, info.updated) == ("Tea and coffee", 1_700_000_000.0, 1_700_000_050.0)
    tree = await store.read(messages.tree, info.id)
    assert [(one.role, one.text, one.model) for one in tree] == [
        ("user", "What is better,\ntea or coffee?\n[image asset pointer]", ""),
        ("assistant", "Tea.", "openai/gpt-4o"),
        ("assistant", "Coffee.", "openai/gpt-4o-mini"),
        ("user", "Show me", ""),
        ("assistant", "```\nprint('coffee')\n```", "openai/gpt-4o-mini"),
    ]
    assert [one.created for one in tree] == [1_700_000_010.0 + 10 * place for place in range(5)]
    branch = await store.read(messages.branch, info.id)
    assert [one.text for one in branch][1:] == ["Coffee.", "Show me", "```\nprint('coffee')\n```"]
    first, second = tree[1], tree[2]
    assert first.parent == second.parent == tree[0].id
    assert await store.read(messages.siblings, first.id) == [first.id, second.id]


async def test_claude_comes_with_branches_times_and_attachments(store: Store) -> None:
    made = await store.write(importing.import_text, (CASES / "claude.json").read_text())
    assert [info.title for info in made] == ["Garden", "Older form"]
    tree = await store.read(messages.tree, made[0].id)
    assert [(one.role, one.text, one.reasoning) for one in tree] == [
        ("user", "What grows here?\n\n[soil.txt]\npH 6.5", ""),
        ("assistant", "Roses.", "sandy soil"),
        ("assistant", "Lavender.", ""),
    ]
    assert tree[0].created == 1_735_732_800.5 and tree[1].model == "anthropic/claude-x"
    assert tree[1].parent == tree[2].parent == tree[0].id
    assert made[0].head == tree[2].id
    older = await store.read(messages.branch, made[1].id)
    assert [one.text for one in older] == ["Hello", "Hi"]


def test_fresh_ids_never_collide() -> None:
    from app.store.incoming import fresh_ids

    assert len(set(fresh_ids(20_000))) == 20_000


async def test_a_large_import_is_quick(store: Store, message: MakeMessage) -> None:
    rows = [message(f"m{n}", f"m{n - 1}" if n else None, "words " * 20) for n in range(5000)]
    data = {
        "format": export.FORMAT,
        "version": export.VERSION,
        "session": {"id": "s", "title": "t", "cwd": "", "created": 1.0, "updated": 1.0},
        "messages": [msgspec.to_builtins(row) for row in rows],
    }
    await store.write(importing.import_text, json.dumps(data))
    assert len(await store.read(messages.branch, "s")) == 5000

    def sound(db: sqlite3.Connection) -> None:
        db.execute("INSERT INTO message_words(message_words, rank) VALUES ('integrity-check', 1)")

    await store.write(sound)


@pytest.mark.parametrize("name", ["../../elsewhere", "/etc", ".", "a/b", ""])
async def test_an_id_that_leads_elsewhere_is_not_kept(store: Store, message: MakeMessage, name: str) -> None:
    data = {
        "format": export.FORMAT,
        "version": export.VERSION,
        "session": {"id": name, "title": "t", "cwd": "", "created": 1.0, "updated": 1.0, "head": "a"},
        "messages": [msgspec.to_builtins(message("a", session=name))],
    }
    (info,) = await store.write(importing.import_text, json.dumps(data))
    assert info.id.isalnum()
    assert [one.session for one in await store.read(messages.tree, info.id)] == [info.id]


async def test_a_helper_comes_in_as_a_conversation_of_its_own(store: Store, session: Make) -> None:
    await store.write(sessions.create, session("p"))
    await store.write(sessions.create, session("h", parent="p"))
    text = await store.read(export.export, "h", "json")
    (info,) = await store.write(importing.import_text, text)
    assert info.parent == ""
    assert {one.id for one in await store.read(sessions.list_sessions)} == {"p", info.id}
