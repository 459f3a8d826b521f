"""Events out of raw bytes, however they are cut."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st

from app.models.sse import EventReader, ServerEvent, TooLong


def read(data: bytes, cuts: list[int], longest: int = 1_000_000) -> list[ServerEvent]:
    reader = EventReader(longest)
    found: list[ServerEvent] = []
    places = [0, *sorted(cuts), len(data)]
    for start, end in pairwise(places):
        found += reader.feed(data[start:end])
    last = reader.end()
    return [*found, last] if last else found


LINES = st.text(st.characters(exclude_characters="\r\n", exclude_categories=("Cs",)), max_size=12)
EVENTS = st.lists(st.lists(LINES, min_size=1, max_size=3), max_size=5)


@settings(max_examples=200, deadline=None)
@given(EVENTS, st.sampled_from(["\n", "\r\n", "\r"]), st.data())
def test_any_cut_gives_the_same_events(events: list[list[str]], ending: str, data: st.DataObject) -> None:
    text = "".join(
        "".join(f"data: {line}{ending}" for line in lines) + f": comment{ending}id: 7{ending}{ending}"
        for lines in events
    )
    raw = text.encode()
    cuts = data.draw(st.lists(st.integers(0, len(raw)), max_size=12))
    assert read(raw, cuts) == [ServerEvent("", "\n".join(lines)) for lines in events]
    assert read(b"\xef\xbb\xbf" + raw, cuts) == read(raw, [])


def test_names_fields_and_spaces() -> None:
    raw = b"event: error\ndata:one\ndata:  two\nretry: 5\nnonsense\n\nevent: lost\n\ndata\n\ndata: x\n\n"
    assert read(raw, []) == [ServerEvent("error", "one\n two"), ServerEvent("", ""), ServerEvent("", "x")]


def test_only_cr_lf_and_crlf_end_a_line() -> None:
    for odd in "\u2028\u2029\u0085\x0b\x0c\x1c\x1d\x1e":
        assert read(f"data: a{odd}b\n\n".encode(), []) == [ServerEvent("", f"a{odd}b")]


def test_a_cr_is_a_line_end_at_once() -> None:
    reader = EventReader(100)
    assert list(reader.feed(b"data: x\r\r")) == [ServerEvent("", "x")]
    assert list(reader.feed(b"\ndata: y\r\n\r")) == [ServerEvent("", "y")]


def test_an_unterminated_event_comes_at_the_end() -> None:
    assert read(b"data: one\n\ndata: two", []) == [ServerEvent("", "one"), ServerEvent("", "two")]
    assert read(b"data: one\n\n: only a comment", []) == [ServerEvent("", "one")]


def test_a_line_has_a_limit() -> None:
    with pytest.raises(TooLong):
        read(b"data: " + b"x" * 200, [], 100)
    with pytest.raises(TooLong):
        read(b"data: " + b"x" * 200 + b"\n\n", [50], 100)


def test_a_long_line_in_small_pieces_is_read_in_linear_time() -> None:
    raw = b"data: " + b"x" * 2_000_000 + b"\n\n"
    chance = random.Random(1)
    cuts = [chance.randrange(len(raw)) for _ in range(5_000)]
    assert len(read(raw, cuts, 3_000_000)[0].data) == 2_000_000
