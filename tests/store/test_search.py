"""Full-text search: what people type, over every branch, in every script."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import pytest
from hypothesis import given, strategies as st

from app.records import Message, SessionInfo
from app.store import messages, search, sessions
from app.store.database import Store

MakeSession = Callable[..., SessionInfo]
MakeMessage = Callable[..., Message]

TEXTS = {
    "german": "Die größte Müllkippe liegt südlich von Köln",
    "french": "Où est le café de l'élève ?",
    "combining": "the cafe\u0301 again",
    "hindi": "हिन्दी भाषा में लिखा गया",
    "hindi2": "हम बाज़ार जा रहे हैं",
    "chinese": "我们明天去北京开会",
    "japanese": "東京タワーに行きました",
    "code": "call foo->bar(x) in src/main.cpp or C++",
    "quotes": 'he said "stop it" AND left NOT (near) col:umn *',
    "halves": "face \ud83d\ude00 smiles",
    "family": "my 👩‍👩‍👧‍👦 family",
}


@pytest.fixture
async def full(store: Store, session: MakeSession, message: MakeMessage) -> Store:
    """A store with one message a text, in one session, each its own branch."""
    await store.write(sessions.create, session(title="Reise nach Köln"))
    for name, text in TEXTS.items():
        await store.write(messages.add, message(name, None, text))
    return store


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("größte", {"german"}),
        ("GROSSTE", set()),
        ("mullkippe", {"german"}),
        ("köln liegt", {"german"}),
        ("lieg", {"german"}),
        ("lie kippe", set()),
        ("CAFE", {"french", "combining"}),
        ("café", {"french", "combining"}),
        ("élève", {"french"}),
        ("हिन्दी", {"hindi"}),
        ("ह", {"hindi", "hindi2"}),
        ("北京", {"chinese"}),
        ("東京タワー", {"japanese"}),
        ("foo->bar", {"code"}),
        ("C++", {"code"}),
        ("->", {"code"}),
        ("main.cpp", {"code"}),
        ('"stop it"', {"quotes"}),
        ("AND", {"quotes"}),
        ("NOT", {"quotes"}),
        ("col:umn", {"quotes"}),
        ("(near)", {"quotes"}),
        ("smiles", {"halves"}),
        ("\ud800 smiles", {"halves"}),
        ("smiles\0", {"halves"}),
        ("👩‍👩‍👧‍👦", {"family"}),
        ("", set()),
        ("   ", set()),
        ("*", {"quotes"}),
        ('"', {"quotes"}),
        ("nowhere", set()),
    ],
)
async def test_what_is_typed_is_what_is_found(full: Store, text: str, found: set[str]) -> None:
    hits = await full.read(search.search, text, 50)
    # The hit of the title "Reise nach Köln" carries the head of the session.
    assert {hit.message for hit in hits if "Reise" not in hit.snippet} == found


@given(st.text(st.characters(exclude_categories=()), max_size=30))
def test_no_text_is_a_syntax_error(text: str) -> None:
    match = search.match_of(search.clean(text))
    db = sqlite3.connect(":memory:")
    try:
        db.execute("CREATE VIRTUAL TABLE words USING fts5(text)")
        if match:
            db.execute("SELECT * FROM words WHERE words MATCH ?", (match,)).fetchall()
    finally:
        db.close()


async def test_every_branch_and_the_title_are_searched(
    store: Store, session: MakeSession, message: MakeMessage
) -> None:
    await store.write(sessions.create, session(title="about penguins"))
    await store.write(messages.add, message("q", None, "question"))
    await store.write(messages.add, message("a", "q", "penguins in branch one", created=10.0))
    await store.write(messages.add, message("b", "q", "the second branch"))
    hits = await store.read(search.search, "penguins")
    assert [(hit.message, hit.title, hit.created) for hit in hits] == [
        ("b", "about penguins", 10.0),
        ("a", "about penguins", 10.0),
    ]
    await store.write(sessions.rename, "s", "about owls")
    assert [hit.message for hit in await store.read(search.search, "penguins")] == ["a"]
    assert [hit.message for hit in await store.read(search.search, "owls")] == ["b"]


async def test_snippets_are_short_marked_and_on_one_line(
    store: Store, session: MakeSession, message: MakeMessage
) -> None:
    await store.write(sessions.create, session())
    long = "filler " * 500 + "\u2068isolated\u2069 line\nneedle\tend " + "more " * 500
    await store.write(messages.add, message("m", None, long))
    (hit,) = await store.read(search.search, "needle")
    assert "\u2068needle\u2069" in hit.snippet
    assert "\n" not in hit.snippet and len(hit.snippet) < 200
    assert hit.snippet.count("\u2068") == hit.snippet.count("\u2069") == 1
    await store.write(messages.add, message("c", None, "あ" * 500 + "針" + "い" * 500))
    (hit,) = await store.read(search.search, "針")
    assert hit.snippet.startswith("…") and hit.snippet.endswith("…") and "\u2068針\u2069" in hit.snippet
    assert len(hit.snippet) < 120


async def test_the_limit_holds_over_titles_and_messages(
    store: Store, session: MakeSession, message: MakeMessage
) -> None:
    for number in range(4):
        name = f"s{number}"
        await store.write(sessions.create, session(name, title="same word"))
        await store.write(messages.add, message(f"m{number}", None, "same word", session=name))
    assert len(await store.read(search.search, "word", 6)) == 6
    assert len(await store.read(search.search, "word", 3)) == 3


async def test_the_snippet_of_a_message_holds_own_words_alone(
    store: Store, session: MakeSession, message: MakeMessage
) -> None:
    part = "Attached file `/work/list.txt`:\n\n```\nkumquats and medlars 東京タワー\n```"
    await store.write(sessions.create, session())
    await store.write(messages.add, message("m1", None, f"Please sort my fruit\n\n{part}"))
    await store.write(messages.add, message("m2", None, part))
    for text, snippet in (
        ("fruit", "Please sort my \u2068fruit\u2069"),
        ("medlars", "Please sort my fruit"),
        ("東京", "Please sort my fruit"),
    ):
        found = {hit.message: hit.snippet for hit in await store.read(search.search, text)}
        assert found["m1"] == snippet
        assert text == "fruit" or found["m2"] == "list.txt"


@pytest.mark.parametrize("words", ["zebra", "striped", "条纹"])
async def test_the_helpers_of_a_deleted_conversation_are_not_found(
    store: Store, session: MakeSession, message: MakeMessage, words: str
) -> None:
    await store.write(sessions.create, session("p"))
    await store.write(sessions.create, session("h", title="Look at the zebra", parent="p"))
    await store.write(messages.add, message("m", session="h", text="it is striped 条纹"))
    assert [hit.session for hit in await store.read(search.search, words)] == ["h"]
    await store.write(sessions.delete, "p")
    assert await store.read(search.search, words) == []
    await store.write(sessions.restore, "p")
    assert len(await store.read(search.search, words)) == 1
