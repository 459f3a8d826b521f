"""The blocks of an answer's tool calls: the strips of their card, and the places of their pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set as AbstractSet
from functools import partial

from ui.step_words import steps_of
from ui.window.transcript.blocks import Block
from ui.window.transcript.calls import Call
from ui.window.transcript.cards import Picture
from ui.window.transcript.helper_rows import HelperRow
from ui.window.transcript.helpers_seen import helpers_of
from ui.window.transcript.painting import Sheet
from ui.window.transcript.step_rows import StepList
from ui.window.transcript.tool_rows import InCard, Pane, ToolRow, UndoRow, What

Keep = Callable[[str, Callable[[], Block]], Block]
"""Returns the block of a key, made when first wanted."""


def tool_blocks(sheet: Sheet, calls: Mapping[str, Call], opened: AbstractSet[str], keep: Keep) -> list[Block]:
    """Return a strip for each call with what it opens to, then the pictures. `opened` holds the keys of calls
    that the person opened, or closed where they are open by themselves.
    """
    strips: list[InCard] = []
    pictures: list[Block] = []
    for key, call in calls.items():
        row = keep(f"tool {key}", partial(ToolRow, sheet, call))
        assert isinstance(row, ToolRow)
        row.call, row.opened = call, (key in opened) != call.listed
        strips.append(row)
        strips += _helper_rows(sheet, call, keep)
        strips += _open_blocks(sheet, call, keep) if row.opened else ()
        if call.view.kind == "image":
            path = str(call.view.data.get("path", ""))
            pictures.append(keep(f"picture {key}", partial(Picture, sheet, call.summary, path)))
    for index, strip in enumerate(strips):
        strip.first, strip.last = index == 0, index == len(strips) - 1
    return [*strips, *pictures]


def _helper_rows(sheet: Sheet, call: Call, keep: Keep) -> Iterator[InCard]:
    for seen in helpers_of(call.view) or call.helpers:
        row = keep(f"helper {call.key} {seen.session}", partial(HelperRow, sheet))
        assert isinstance(row, HelperRow)
        row.seen = seen
        yield row


def _open_blocks(sheet: Sheet, call: Call, keep: Keep) -> Iterator[InCard]:
    steps = steps_of(call.view)
    if steps:  # they say all that its arguments and its output say
        listed = keep(f"steps {call.key}", partial(StepList, sheet))
        assert isinstance(listed, StepList)
        listed.show(steps)
        yield listed
        return
    texts: dict[What, str] = {"arguments": call.arguments_text(), "output": call.output}
    for what, text in texts.items():
        if text:
            pane = keep(f"{what} {call.key}", partial(Pane, sheet, call, what))
            assert isinstance(pane, Pane)
            pane.refresh()
            yield pane
    if call.undo:
        row = keep(f"undo {call.key}", partial(UndoRow, sheet, call))
        assert isinstance(row, InCard)
        yield row
