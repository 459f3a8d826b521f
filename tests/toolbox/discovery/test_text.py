"""Words are folded, stemmed and paired the same way in every language and for any input."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies

from app.toolbox.discovery.hints import hints
from app.toolbox.discovery.text import MOST_WORDS, letters, pairs, sound, stem, stems, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("routine", "routines"),
        ("commit", "committed"),
        ("Datei", "Dateien"),
        ("archivo", "archivos"),
        ("fichier", "fichiers"),
        ("rotina", "rotinas"),
        ("rename", "renaming"),
        ("फाइल", "फाइलें"),
    ],
)
def test_forms_of_one_word_share_a_stem(one: str, other: str) -> None:
    assert stems(one) == stems(other)


def test_words_are_folded() -> None:
    assert words("L\u2019École: ¿Qué HAY, git_status moveFile?") == [
        "lecole",
        "que",
        "hay",
        "git",
        "status",
        "move",
        "file",
    ]
    assert words("फ़ाइल हटाओ") == words("फ़ाइल   हटाओ") and len(words("फ़ाइल हटाओ")) == 2


def test_pieces_and_pairs() -> None:
    assert list(letters("note")) == ["^no", "not", "ote", "te$"]
    assert list(pairs(["a", "b", "c", "d"])) == [("a", "b"), ("a", "c"), ("b", "c"), ("b", "d"), ("c", "d")]
    assert sound("aawaaz") == sound("awaz")


@given(strategies.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    found = words(text)
    assert len(found) <= MOST_WORDS
    assert all(stem(word) for word in found)
    assert hints(text) == sorted(set(hints(text)))


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("read https://example.org/a.html", "url"),
        ("sum sales.csv", "ending table"),
        ("sum up contract.pdf", "ending document"),
        ("what runs on port 8080", "port"),
        ("jeden Montag um 9", "recurring"),
        ("every two hours", "recurring"),
        ("wake me at 6:45", "clock"),
        ("12 * 7", "sum"),
        ("line 40 of main.py", "line"),
        ("sha256 of it", "hash"),
        ("is localhost:3000 up", "local"),
    ],
)
def test_shapes_are_seen(text: str, shape: str) -> None:
    assert shape in hints(text)
