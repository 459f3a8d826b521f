"""Sums of heights: the same as adding them up, whatever was changed."""

from __future__ import annotations

from hypothesis import given, strategies as st

from ui.window.transcript.heights import Heights

STEP = st.tuples(st.sampled_from(["append", "set", "cut"]), st.integers(0, 60), st.integers(0, 500))


@given(st.lists(st.integers(0, 500), max_size=40), st.lists(STEP, max_size=40))
def test_sums_and_places_are_those_of_the_list(start: list[int], steps: list[tuple[str, int, int]]) -> None:
    values, heights = list(start), Heights(start)
    for what, at, value in steps:
        if what == "append":
            values.append(value)
            heights.append(value)
        elif what == "cut":
            del values[at:]
            heights.cut(at)
        elif at < len(values):
            values[at] = value
            heights[at] = value
    assert [heights[index] for index in range(len(heights))] == values
    assert [heights.above(index) for index in range(len(values) + 1)] == [
        sum(values[:index]) for index in range(len(values) + 1)
    ]
    assert heights.total == sum(values)
    for y in range(0, heights.total, 97):
        row = heights.at(y)
        assert heights.above(row) <= y < heights.above(row + 1)


def test_places_outside_are_the_ends() -> None:
    heights = Heights([10, 20])
    assert (heights.at(-5), heights.at(30), heights.at(999)) == (0, 1, 1)
    assert Heights().at(3) == 0
