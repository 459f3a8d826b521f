"""The tree of messages: exact text, branches, streaming, and long sessions."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given, strategies as st

from app.errors import StoreError
from app.records import Message, Problem, SessionInfo, ToolCall, Usage, View
from app.store import messages, search, sessions
from app.store.columns import pack, unpack
from app.store.connection import prepare, transact
from app.store.database import Store
from app.store.schema import STEPS

MakeSession = Callable[..., SessionInfo]
MakeMessage = Callable[..., Message]

AWKWARD = [
    "",
    "\0",
    "a\0b",
    "\ud800",
    "\udfff alone \ud83d",
    "\ud83d\ude00",  # two halves that Python holds as two characters: not the same text as one emoji
    "\U0001f600",
    "\ufeffmark first",
    "\u202eright to left\u202c",
    "\x01\x7f\x1b[31m",
    "e\u0301 combining, 👩‍👩‍👧‍👦 a family",
    "line\r\nends\rof\nall\u2028kinds\u2029",
    "\ufffe\uffff",
]


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    """A database in memory, for what needs no process."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    prepare(connection, "test", lambda: 1000.0)
    transact(connection, lambda db: [step(db) for step in STEPS])
    yield connection
    connection.close()


@pytest.mark.parametrize("text", AWKWARD)
async def test_any_text_comes_back_exactly_and_its_neighbours_are_found(
    store: Store, session: MakeSession, message: MakeMessage, text: str
) -> None:
    whole = message(
        "m",
        None,
        f"before {text} behind",
        role="assistant",
        reasoning=text,
        calls=(ToolCall(id=text, name=text, arguments=text, extra={text or "k": [text, {"n": None}]}),),
        extra={"deep": {"list": [text, 1, 1.5, True, None]}},
        problem=Problem(code="internal", fields={"x": text}, detail=text),
        view=View(kind="table", data={"rows": [[text]]}),
        usage=Usage(input=3),
        context=text,
    )
    await store.write(sessions.create, session(title=f"title {text}", cwd=f"/x/{text}"))
    await store.write(messages.add, whole)
    assert await store.read(messages.branch, "s") == [whole]
    info = await store.read(sessions.get, "s")
    assert info is not None and (info.title, info.cwd) == (f"title {text}", f"/x/{text}")
    for word in ("before", "behind"):
        assert [hit.message for hit in await store.read(search.search, word)] == ["m"]


@given(st.text(st.characters(exclude_categories=())))
def test_every_text_survives_packing(text: str) -> None:
    whole = Message(
        id=text,
        session=text,
        parent=text,
        turn=text,
        role="tool",
        created=0.1,
        extra={text: text, "n": 2**70},
    )
    assert unpack(pack(whole), Message) == whole


async def test_adding_moves_the_head_the_time_and_the_summary(
    store: Store, session: MakeSession, message: MakeMessage
) -> None:
    await store.write(sessions.create, session(updated=5.0))
    await store.write(messages.add, message("q", None, "question", created=6.0))
    await store.write(
        messages.add, message("a", "q", "\n## **Done**: see `x`\nmore", role="assistant", created=7.0)
    )
    info = await store.read(sessions.get, "s")
    assert info == session(updated=7.0, head="a", summary="Done: see x")


async def test_branches_live_side_by_side_and_can_be_switched(
    store: Store, session: MakeSession, message: MakeMessage
) -> None:
    await store.write(sessions.create, session())
    for name, parent in (("q", None), ("a1", "q"), ("q2", "a1"), ("a2", "q2"), ("b1", "q"), ("b2", "b1")):
        await store.write(messages.add, message(name, parent, name))

    def names(found: list[Message]) -> list[str]:
        return [one.id for one in found]

    assert names(await store.read(messages.branch, "s")) == ["q", "b1", "b2"]
    assert await store.read(messages.siblings, "a1") == ["a1", "b1"]
    assert await store.read(messages.siblings, "q") == ["q"]
    assert await store.read(messages.newest_leaf, "a1") == "a2"
    await store.write(messages.set_head, "s", "a2")
    assert names(await store.read(messages.branch, "s")) == ["q", "a1", "q2", "a2"]
    assert names(await store.read(messages.tail, "s", 2)) == ["q2", "a2"]
    assert names(await store.read(messages.tree, "s")) == ["q", "a1", "q2", "a2", "b1", "b2"]
    assert names(await store.read(messages.branch, "s", "b1")) == ["q", "b1"]


async def test_edges_of_tail(store: Store, session: MakeSession, message: MakeMessage) -> None:
    await store.write(sessions.create, session())
    assert await store.read(messages.tail, "s", 10) == []
    assert await store.read(messages.tail, "nobody", 10) == []
    await store.write(messages.add, message("q"))
    assert await store.read(messages.tail, "s", 0) == []
    assert len(await store.read(messages.tail, "s", 10)) == 1
    assert await store.read(messages.get, "\udcff") is None


async def test_streamed_text_is_joined_and_replaced_by_the_whole(
    store: Store, session: MakeSession, message: MakeMessage
) -> None:
    await store.write(sessions.create, session())
    await store.write(messages.add, message("a", None, "", role="assistant", state="streaming"))
    await store.write(messages.append_text, "a", "one \ud83d", "think")
    await store.write(messages.append_text, "a", "\ude00 two", "")
    streaming = await store.read(messages.get, "a")
    assert streaming is not None
    assert (streaming.text, streaming.reasoning) == ("one \ud83d\ude00 two", "think")
    whole = msgspec.structs.replace(streaming, text="one, two, three", state="complete")
    await store.write(messages.put, whole)
    assert await store.read(messages.branch, "s") == [whole]
    assert [hit.message for hit in await store.read(search.search, "three")] == ["a"]
    assert await store.read(lambda db: db.execute("SELECT count(*) FROM pieces").fetchone()[0]) == 0


async def test_a_request_that_starts_anew_drops_what_was_streamed(
    store: Store, session: MakeSession, message: MakeMessage
) -> None:
    await store.write(sessions.create, session())
    await store.write(messages.add, message("a", None, "", role="assistant", state="streaming"))
    await store.write(messages.append_text, "a", "half")
    await store.write(messages.drop_text, "a")
    again = await store.read(messages.get, "a")
    assert again is not None and again.text == ""


async def test_what_does_not_fit_is_refused(store: Store, session: MakeSession, message: MakeMessage) -> None:
    await store.write(sessions.create, session("s"))
    await store.write(sessions.create, session("other"))
    await store.write(messages.add, message("q"))
    cases: list[tuple[str, Any, tuple[Any, ...]]] = [
        ("no_session", messages.add, (message("x", None, session="nobody"),)),
        ("not_found", messages.add, (message("x", "nothing"),)),
        ("not_found", messages.add, (message("x", "q", session="other"),)),
        ("not_found", messages.put, (message("x"),)),
        ("not_found", messages.append_text, ("x", "text")),
        ("not_found", messages.set_head, ("other", "q")),
    ]
    for code, work, arguments in cases:
        with pytest.raises(StoreError) as caught:
            await store.write(work, *arguments)
        assert caught.value.code == code
    assert [one.id for one in await store.read(messages.tree, "s")] == ["q"]
    assert await store.read(messages.tree, "other") == []


async def test_adding_a_message_twice_is_refused_and_changes_nothing(
    store: Store, session: MakeSession, message: MakeMessage
) -> None:
    await store.write(sessions.create, session())
    await store.write(messages.add, message("q", None, "first"))
    with pytest.raises(sqlite3.IntegrityError):
        await store.write(messages.add, message("q", None, "second"))
    assert [one.text for one in await store.read(messages.branch, "s")] == ["first"]


def test_a_long_session_opens_at_its_end_in_milliseconds(
    db: sqlite3.Connection, session: MakeSession, message: MakeMessage
) -> None:
    def build(db: sqlite3.Connection) -> None:
        sessions.create(db, session())
        for number in range(10_000):
            parent = f"m{number - 1}" if number else None
            messages.add(db, message(f"m{number}", parent, f"words {number} " * 20, created=float(number)))

    transact(db, build)
    begun = time.perf_counter()
    tail = messages.tail(db, "s", 60)
    took = time.perf_counter() - begun
    assert [one.id for one in tail] == [f"m{number}" for number in range(9_940, 10_000)]
    assert took < 0.02
    begun = time.perf_counter()
    assert [one.id for one in messages.branch(db, "s")] == [f"m{number}" for number in range(10_000)]
    assert time.perf_counter() - begun < 1.0
    sessions.purge(db, "s")
    assert messages.tree(db, "s") == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", ""),
        ("\n\n", ""),
        ("plain", "plain"),
        ("- item *one*", "item one"),
        ("```\ncode", "code"),
        ("x" * 200, "x" * 119 + "…"),
        ("> quote\nnext", "quote"),
    ],
)
def test_summaries_are_one_plain_line(text: str, line: str) -> None:
    assert messages.summary_of(text) == line
