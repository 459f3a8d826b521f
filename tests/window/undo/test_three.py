"""Three versions of a file beside each other: every cell is a line of its side, and nothing that differs is
left out.
"""

from __future__ import annotations

import random

from app.changes.diff import file_diff
from ui.window.undo.three import Cell, Line, three_ways


def rows(before: list[str], made: list[str], now: list[str]) -> list[Line]:
    old, mid, new = ("".join(f"{line}\n" for line in side).encode() for side in (before, made, now))
    ours, since = file_diff("/a", "a", old, mid), file_diff("/a", "a", mid, new)
    return three_ways(ours.hunks, since.hunks)


def texts(found: list[Line], side: str) -> list[str]:
    cells: list[Cell] = [getattr(row, side) for row in found]
    return [cell.text for cell in cells if cell is not None]


def test_a_line_that_both_changed_stands_in_one_row() -> None:
    before = [str(n) for n in range(12)]
    made = [*before[:5], "five", *before[6:]]
    now = [*before[:5], "five, by me", *before[6:], "more"]
    found = rows(before, made, now)
    (row,) = [one for one in found if one.before is not None and one.before.text == "5"]
    assert row.made is not None and row.now is not None
    assert (row.made.text, row.now.text) == ("five", "five, by me")
    assert (row.before.kind, row.made.kind, row.now.kind) == ("-", "+", "+")
    assert found[-1].now is not None and found[-1].now.text == "more" and found[-1].before is None


def test_a_file_that_was_not_there_before() -> None:
    found = rows([], ["one", "two"], ["one", "2", "three"])
    assert texts(found, "before") == []
    assert texts(found, "made") == ["one", "two"] and texts(found, "now") == ["one", "2", "three"]


def test_nothing_differs() -> None:
    assert rows(["a"], ["a"], ["a"]) == []


def edited(lines: list[str], chance: random.Random) -> list[str]:
    out: list[str] = []
    for line in lines:
        roll = chance.random()
        if roll < 0.08:
            continue
        out.append(f"{line}!" if roll < 0.16 else line)
        if roll > 0.92:
            out.append(f"new {chance.randrange(5)}")
    return out


def test_any_three_versions() -> None:
    chance = random.Random(7)
    for _ in range(300):
        before = [f"line {chance.randrange(30)}" for _ in range(chance.randrange(40))]
        made = edited(before, chance)
        now = edited(made, chance)
        found = rows(before, made, now)
        for name, side in (("before", before), ("made", made), ("now", now)):
            cells = [cell for row in found if (cell := getattr(row, name)) is not None]
            numbers = [cell.new or cell.old for cell in cells]
            assert [side[number - 1] for number in numbers] == [cell.text for cell in cells], name
            assert numbers == sorted(set(numbers)), "each line stands once, in order"
