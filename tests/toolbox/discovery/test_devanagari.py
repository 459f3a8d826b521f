"""Hindi is read the same in both scripts, as far as people type what they say."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, strategies

from app.toolbox.discovery.devanagari import latin
from app.toolbox.discovery.text import words


@pytest.mark.parametrize(
    ("written", "typed"),
    [
        ("करो", "karo"),
        ("दिखाओ", "dikhao"),
        ("नया", "naya"),
        ("क्या", "kya"),
        ("मतलब", "matlab"),
        ("समय", "samay"),
        ("मौसम", "mausam"),
        ("टेस्ट", "test"),
        ("पोर्ट", "port"),
        ("इंटरनेट", "intarnet"),
        ("फ़ोल्डर", "foldar"),
        ("सड़क", "sarak"),
        ("शब्द", "shabd"),
        ("८०८०", "8080"),
    ],
)
def test_a_word_is_written_as_it_is_typed(written: str, typed: str) -> None:
    assert latin(unicodedata.normalize("NFKD", written)) == typed


def test_a_request_reads_the_same_in_both_scripts() -> None:
    assert words("नया नोट बनाओ") == words("naya not banao")


@given(
    strategies.text(alphabet=strategies.characters(min_codepoint=0x0900, max_codepoint=0x097F), max_size=30)
)
def test_any_devanagari_becomes_plain_letters(text: str) -> None:
    for word in words(text):
        assert word.isascii() and word.isalnum()
