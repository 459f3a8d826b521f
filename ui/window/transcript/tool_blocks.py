"""The blocks of an answer's tool calls: the strips of their card, and the places of their pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set as AbstractSet
from functools import partial

from ui.step_words import steps_of
from ui.window.transcript.attached import Pictured
from ui.window.transcript.blocks import Block
from ui.window.transcript.calls import Call
from ui.window.transcript.cards import Picture
from ui.window.transcript.helper_rows import HelperRow
from ui.window.transcript.helpers_seen import helpers_of
from ui.window.transcript.painting import Sheet
from ui.window.transcript.results import Keep, drawn_words, result_blocks, text_key
from ui.window.transcript.step_rows import StepList
from ui.window.transcript.tool_rows import InCard, Pane, ToolRow, UndoRow, What


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
        strips += _open_blocks(sheet, call, opened, keep) if row.opened else ()
        if call.pictures:
            pictures.append(
                keep(f"pictures {key} {len(call.pictures)}", partial(Pictured, sheet, call.pictures))
            )
        elif call.view.kind == "image" and call.view.data.get("path"):
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


def _open_blocks(sheet: Sheet, call: Call, opened: AbstractSet[str], keep: Keep) -> Iterator[InCard]:
    steps = steps_of(call.view)
    if steps:  # they say all that its arguments and its output say
        listed = keep(f"steps {call.key}", partial(StepList, sheet))
        assert isinstance(listed, StepList)
        listed.show(steps)
        yield listed
        return
    if call.arguments_text():
        yield _pane(sheet, call, "arguments", keep)
    drawn = result_blocks(sheet, call, opened, keep)
    if drawn is not None and text_key(call) not in opened:
        yield from drawn
    elif call.output:
        pane = _pane(sheet, call, "output", keep)
        pane.other = (text_key(call), drawn_words(call.view.kind)) if drawn is not None else ("", "")
        yield pane
    if call.undo:
        row = keep(f"undo {call.key}", partial(UndoRow, sheet, call))
        assert isinstance(row, InCard)
        yield row


def _pane(sheet: Sheet, call: Call, what: What, keep: Keep) -> Pane:
    pane = keep(f"{what} {call.key}", partial(Pane, sheet, call, what))
    assert isinstance(pane, Pane)
    pane.refresh()
    return pane
