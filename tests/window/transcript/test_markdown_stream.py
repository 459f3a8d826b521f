"""The split of Markdown: the same blocks as a real parser, whatever the chunks, and each line read once."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings, strategies as st
from markdown_it import MarkdownIt

from ui.window.transcript.markdown_stream import LIMIT, TABLE_ROWS, Splitter, split
from ui.window.transcript.pieces import Piece

PARSER = MarkdownIt("commonmark").enable("table").disable(["html_block", "html_inline", "reference"])
KINDS = {
    "paragraph_open": "prose",
    "heading_open": "heading",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "fence": "code",
    "code_block": "code",
    "blockquote_open": "quote",
    "table_open": "table",
    "hr": "rule",
}
# fmt: off
LINES = [
    "text", "more *words*", "", "", "# Head", "## ", "#no", "---", "===", "***", "- a", "- ", "* b",
    "+ c", "1. one", "2. two", "7) seven", "  indented", "   three", "    code", "     five", "> quote",
    ">", "> - x", "```", "```py", "~~~", "| a | b |", "|---|---|", "|:-|-:|", "| 1 | 2 |", "-", "--",
    "   - sub", "  para in item", "\tx", "  ```", "   ```js", "1) x", "- - y", "- # h", "- > q", "- ```",
    "*", "`` ` ``", "a | b", "    - deep",
]
# fmt: on


def outline(pieces: list[Piece]) -> list[tuple[str, str]]:
    """Top-level blocks as (kind, first line); items and what is inside them count as their list."""
    found: list[tuple[str, str]] = []
    for piece in pieces:
        inside = piece.depth > 0 or (piece.kind == "item" and not piece.first) or piece.joined
        if inside:
            continue
        kind = "list" if piece.kind == "item" else piece.kind
        first = "" if piece.kind in ("code", "item") else piece.lines[0].strip()
        found.append((kind, first))
    return found


def outline_of_parser(text: str) -> list[tuple[str, str]]:
    lines = text.split("\n")
    found = []
    for token in PARSER.parse(text):
        if token.level == 0 and token.nesting >= 0 and token.map:
            kind = KINDS[token.type]
            first = "" if kind in ("code", "list") else lines[token.map[0]].strip()
            found.append((kind, first))
    return found


def fed(text: str, sizes: list[int]) -> Splitter:
    splitter, at, index = Splitter(), 0, 0
    while at < len(text):
        size = sizes[index % len(sizes)]
        splitter.feed(text[at : at + size])
        at, index = at + size, index + 1
    splitter.close()
    return splitter


def state(pieces: list[Piece]) -> list[tuple[object, ...]]:
    return [
        (p.kind, p.lines, p.depth, p.first, p.joined, p.language, p.number, p.head, p.soft) for p in pieces
    ]


@pytest.mark.proof("markdown split", small=1_500, full=300_000)
def test_blocks_are_those_of_a_real_parser(count: int, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(count):
        text = "\n".join(rng.choice(LINES) for _ in range(rng.randrange(1, 9)))
        assert outline(split(text)) == outline_of_parser(text), text


@settings(max_examples=120, deadline=None)
@given(
    st.lists(st.sampled_from(LINES) | st.text(max_size=12), max_size=14),
    st.lists(st.integers(1, 9), min_size=1, max_size=5),
)
def test_chunks_do_not_matter(lines: list[str], sizes: list[int]) -> None:
    text = "\n".join(lines)
    assert state(fed(text, sizes).pieces) == state(split(text))


def test_no_character_is_lost_when_long_lines_are_cut() -> None:
    rng = random.Random(5)
    text = "".join(rng.choice("abc de") for _ in range(30_000))
    pieces = split(text)
    assert "".join(line for piece in pieces for line in piece.lines) == text
    assert max(piece.size for piece in pieces) <= LIMIT + 1
    assert [piece.joined for piece in pieces] == [False] + [True] * (len(pieces) - 1)
    assert state(fed(text, [997]).pieces) == state(pieces)


def test_long_line_in_a_fence_is_cut_softly() -> None:
    text = "```\n" + "x" * 10_000 + "\nlast\n```\nafter"
    pieces = split(text)
    assert [piece.kind for piece in pieces] == ["code", "prose"]
    assert pieces[0].text() == "x" * 10_000 + "\nlast"
    assert max(map(len, pieces[0].lines)) <= LIMIT
    assert state(fed(text, [131, 7]).pieces) == state(pieces)


def test_fence_inside_an_item_is_a_block_of_code() -> None:
    pieces = split("1. Install:\n\n   ```sh\n   pip install x\n     deep\n   ```\n   Then:\n   - sub\n2. Run")
    assert [(p.kind, p.depth, p.text()) for p in pieces] == [
        ("item", 0, "1. Install:"),
        ("code", 1, "pip install x\n  deep"),
        ("prose", 1, "Then:\n- sub"),
        ("item", 0, "2. Run"),
    ]
    assert pieces[1].language == "sh"
    assert pieces[3].number == 2


def test_ordered_items_count_on() -> None:
    assert [p.number for p in split("3. a\n3. b\n\n3. c\n\ntext\n\n1. d")] == [3, 4, 5, -1, 1]


def test_long_table_goes_on_with_its_heading() -> None:
    rows = "\n".join(f"| {n} | x |" for n in range(100))
    pieces = split(f"| a | b |\n|---|---|\n{rows}")
    assert [piece.kind for piece in pieces] == ["table"] * 3
    assert pieces[1].head == ("| a | b |", "|---|---|")
    assert max(len(piece.lines) for piece in pieces) <= TABLE_ROWS


def test_open_fence_shows_the_line_that_arrives_and_hides_its_end() -> None:
    splitter = Splitter()
    splitter.feed("```py\nx = 1\ny =")
    piece = splitter.pieces[-1]
    assert (piece.lines, piece.partial) == (["x = 1"], "y =")
    serial = piece.serial
    splitter.feed(" 2\n``")
    assert (splitter.pieces[-1].lines, splitter.pieces[-1].partial) == (["x = 1", "y = 2"], "")
    assert splitter.feed("`\nafter") == 0
    assert [p.kind for p in splitter.pieces] == ["code", "prose"]
    assert splitter.pieces[0].serial == serial


def test_undecided_beginning_of_a_line_is_not_shown() -> None:
    splitter = Splitter()
    splitter.feed("para\n")
    for mark in ("#", "#", " "):
        splitter.feed(mark)
        assert [p.kind for p in splitter.pieces] == ["prose"]
    splitter.feed("Head")
    assert [p.kind for p in splitter.pieces] == ["prose", "heading"]


def test_carriage_returns_end_lines_once() -> None:
    whole = split("a\r\nb\rc\n\r\nd")
    assert [p.text() for p in whole] == ["a\nb\nc", "d"]
    assert state(fed("a\r\nb\rc\n\r\nd", [1]).pieces) == state(whole)


@pytest.mark.parametrize(
    "unit", ["word ", "- item text\n", "| a | b |\n", "x = call(1)\n", "> quote\n", "para\n\n"]
)
def test_cost_of_a_token_does_not_grow(unit: str) -> None:
    start = {"| a | b |\n": "| a | b |\n|---|---|\n", "x = call(1)\n": "```\n"}.get(unit, "")
    splitter = Splitter()
    splitter.feed(start)
    costs = []
    for _ in range(20):
        before = time.thread_time()
        for _ in range(300):
            splitter.feed(unit)
        costs.append(time.thread_time() - before)
    assert min(costs[-5:]) < 2.5 * max(min(costs[:5]), 1e-4)


@pytest.mark.parametrize("text", ["- a\n- \n\n\n- a", "- \n\n\n- a", "- a\n- \n\n- a", "- a\n\n\n- b"])
def test_an_empty_item_and_two_blank_lines_end_a_list(text: str) -> None:
    assert outline(split(text)) == outline_of_parser(text)
