"""One message as a row of blocks with their heights: made when it is seen, changed only where it grows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from app.records import Approval, Message, Problem
from ui.window.transcript.blocks import Block
from ui.window.transcript.calls import Call, declared
from ui.window.transcript.cards import Line, Picture, Reasoning, Trouble, Waiting
from ui.window.transcript.code import Code, Table
from ui.window.transcript.heights import Heights
from ui.window.transcript.legible import encodable
from ui.window.transcript.markdown_stream import LIMIT, Splitter
from ui.window.transcript.painting import Sheet
from ui.window.transcript.pieces import Piece
from ui.window.transcript.prose import Bubble, Prose, Rule
from ui.window.transcript.tool_rows import InCard, Pane, ToolRow, UndoRow
from ui.words import _

_PICTURE = re.compile(r"\s*!\[([^\]]*)\]\(\s*<?([^\s)>]+)>?(?:\s+[\"'(][^\n]*)?\)\s*")
_TEXT = ("prose", "item", "quote", "heading")


def gap(before: Block, block: Block) -> int:
    """Return the space between two blocks of a message, in pixels of the design."""
    if block.joined or (isinstance(block, InCard) and isinstance(before, InCard)):
        return 0
    if block.kind == "heading":
        return 12 if before.kind == "heading" else 24
    if block.kind == "item" and block.further and before.kind in _TEXT:
        return 4
    if before.kind == "heading" or block.further or block.kind == "line" or before.kind == "reasoning":
        return 8
    return 12 if block.kind in _TEXT and before.kind in _TEXT else 16


class Body:
    """The blocks of one growing text."""

    def __init__(self, sheet: Sheet, *, muted: bool = False) -> None:
        self.sheet, self.muted = sheet, muted
        self.blocks: list[Block] = []
        self._serials: list[int] = []
        self._splitter = Splitter()

    def feed(self, text: str) -> int:
        """Take more text; return the first block that may have changed."""
        return self._follow(self._splitter.feed(text))

    def close(self) -> int:
        """Nothing more comes."""
        first = self._follow(self._splitter.close())
        for block in self.blocks[first:]:
            if isinstance(block, Code):
                block.close()
        return first

    def _follow(self, first: int) -> int:
        pieces = self._splitter.pieces
        for index in range(first, len(pieces)):
            self._show(index, pieces[index])
        del self.blocks[len(pieces) :], self._serials[len(pieces) :]
        for block in self.blocks[first : len(pieces) - 1]:
            if isinstance(block, Code):
                block.close()
        return first

    def _show(self, index: int, piece: Piece) -> None:
        if index < len(self.blocks) and self._serials[index] == piece.serial:
            block = self.blocks[index]
            if isinstance(block, _kind_of(piece)):
                if isinstance(block, Prose | Code | Table):
                    block.take(piece)
                return
        del self.blocks[index:], self._serials[index:]
        self.blocks.append(self._make(piece))
        self._serials.append(piece.serial)

    def _make(self, piece: Piece) -> Block:
        kind = _kind_of(piece)
        if kind is Code:
            return Code(self.sheet, piece)
        if kind is Table:
            before = self.blocks[-1] if self.blocks else None
            return Table(self.sheet, piece, before if isinstance(before, Table) else None)
        if kind is Picture:
            match = _PICTURE.fullmatch(piece.text())
            assert match is not None
            return Picture(self.sheet, match[1], match[2])
        return Rule(self.sheet) if kind is Rule else Prose(self.sheet, piece, muted=self.muted)


def _kind_of(piece: Piece) -> type[Block]:
    if (
        piece.kind == "prose"
        and piece.lines[0].lstrip().startswith("![")
        and _PICTURE.fullmatch(piece.text())
    ):
        return Picture
    return {"code": Code, "table": Table, "rule": Rule}.get(piece.kind, Prose)


class Row:
    """One message of the person, or one answer with its calls; `order` only grows downwards."""

    def __init__(self, sheet: Sheet, key: str, turn: str, *, mine: bool, order: int = 0) -> None:
        self.sheet, self.key, self.turn, self.mine, self.order = sheet, key, turn, mine, order
        self.state = "complete"
        self.calls: dict[str, Call] = {}
        self.approvals: dict[str, Approval] = {}
        self.problem: Problem | None = None
        self.live = False
        """It is being written now."""
        self.note = self.ending = self.retry = ""
        """Quiet lines: how the turn stopped, what it took, when the next try comes."""
        self.opened: set[str] = set()
        """What is open: "reasoning", or the keys of calls."""
        self._texts: list[str] = []
        self._reasons: list[str] = []
        self.pending: list[str] = []
        self.pending_reasons: list[str] = []
        self.blocks: list[Block] = []
        self.gaps: list[int] = []
        self.heights = Heights()
        self.made = False
        self._body = Body(sheet)
        self._reason_body: Body | None = None
        self._cards: dict[str, Block] = {}

    @property
    def text(self) -> str:
        """The whole text as it came."""
        if len(self._texts) > 1:
            self._texts = ["".join(self._texts)]
        return self._texts[0] if self._texts else ""

    @property
    def reasoning(self) -> str:
        """What the model thought."""
        if len(self._reasons) > 1:
            self._reasons = ["".join(self._reasons)]
        return self._reasons[0] if self._reasons else ""

    @property
    def space(self) -> int:
        """The gap above it: more before the person speaks again."""
        return self.sheet.theme.px(28 if self.mine else 16)

    @property
    def height(self) -> int:
        """Its height with the gap above; a guess by the number of characters until it is made."""
        if self.made:
            return self.space + self.heights.total
        theme, text = self.sheet.theme, self.text
        letters = max(20, self.sheet.width // theme.px(7))
        lines = 1 + text.count("\n") + len(text) // letters
        extra = theme.px(18) if self.mine else theme.px(35) * len(self.calls)
        return self.space + lines * theme.px(21) + extra + (theme.px(34) if self.ending else 0)

    def take(self, message: Message) -> None:
        """Show the message as it is stored; what was streamed of it stays where it is the same."""
        self.state, self.problem, self.turn = message.state, message.problem, message.turn
        same = message.text == self.text
        if not same:
            self._texts, self._body = [message.text], Body(self.sheet)
            if self.made:
                self._feed_body(message.text)
        if message.reasoning != self.reasoning:
            self._reasons, self._reason_body = [message.reasoning], None
        if message.state != "streaming":
            self.live = False
            if self.made and not self.mine:
                self._body.close()
        known = {call.id for call in message.calls}
        self.calls = {
            key: call for key, call in self.calls.items() if key in known or not key.startswith("#")
        }
        for call in message.calls:
            self.calls.setdefault(call.id, declared(call))

    def make(self) -> None:
        """Build the blocks, unless they are there."""
        if self.made:
            return
        self.made = True
        if not self.mine:
            self._feed_body(self.text)
            if not self.live:
                self._body.close()
        self.refresh()

    def flush(self) -> bool:
        """Show what has streamed since the last time; tell whether there was anything."""
        text, reasons = "".join(self.pending), "".join(self.pending_reasons)
        self.pending, self.pending_reasons = [], []
        if reasons:
            self._reasons.append(reasons)
            if self._reason_body is not None:
                self._reason_body.feed(reasons)
        if text:
            self._texts.append(text)
        if self.made and (reasons or (text and not self._body.blocks)):
            if text:
                self._feed_body(text)
            self.refresh()
        elif self.made and text:
            first = self._feed_body(text)
            self._compose(len(self._before()) + first)
        return bool(text or reasons)

    def _feed_body(self, text: str) -> int:
        return self._body.feed(text)

    def refresh(self) -> None:
        """Compose the blocks anew; those that stay keep their layout."""
        if self.made:
            self._compose(0)

    def _compose(self, first: int) -> None:
        """Replace the blocks from number `first` on."""
        before = self._before()
        wanted: list[Block] = before[first:]
        wanted += self._body.blocks[max(0, first - len(before)) :]
        wanted += self._bubbles() if self.mine else self._after()
        del self.blocks[first:], self.gaps[first:]
        self.heights.cut(first)
        for block in wanted:
            space = self.sheet.theme.px(gap(self.blocks[-1], block)) if self.blocks else 0
            self.blocks.append(block)
            self.gaps.append(space)
            self.heights.append(space + block.height)

    def measure(self, index: int, width: int) -> bool:
        """Measure one block; tell whether its height changed."""
        block = self.blocks[index]
        if block.width == width:
            return False
        before = self.heights[index]
        self.heights[index] = self.gaps[index] + block.measure(width)
        return self.heights[index] != before

    def _before(self) -> list[Block]:
        if self.mine or not (self.reasoning or self.pending_reasons):
            return []
        row = self._card("reasoning", Reasoning)
        assert isinstance(row, Reasoning)
        row.running, row.opened = self.live and not self._body.blocks, "reasoning" in self.opened
        if not row.opened:
            self._reason_body = None
            return [row]
        if self._reason_body is None:
            self._reason_body = Body(self.sheet, muted=True)
            self._reason_body.feed(self.reasoning)
            if not self.live:
                self._reason_body.close()
        return [row, *self._reason_body.blocks]

    def _card(self, key: str, kind: type[Reasoning]) -> Block:
        if key not in self._cards:
            self._cards[key] = kind(self.sheet)
        return self._cards[key]

    def _bubbles(self) -> list[Block]:
        if "bubble" not in self._cards:
            parts = list(_chunks(self.text))
            for index, part in enumerate(parts):
                ends = {"first": index == 0, "last": index == len(parts) - 1}
                self._cards[f"bubble{index or ''}"] = Bubble(self.sheet, part, **ends)
        return [block for key, block in self._cards.items() if key.startswith("bubble")]

    def _after(self) -> list[Block]:
        found = self._tool_blocks()
        found += [self._waiting(approval) for approval in self.approvals.values()]
        if self.problem is not None:
            key = f"error {self.problem!r}"
            found.append(self._cards.setdefault(key, Trouble(self.sheet, self.problem)))
        note = self.note or self._partial()
        if note:
            found.append(self._line("note", note, "circle-slash"))
        if self.retry:
            found.append(self._line("retry", self.retry, "clock"))
        elif self.live and not (self._body.blocks or found or self.reasoning):
            found.append(self._line("working", _("Thinking")))
        if self.ending:
            found.append(self._line("ending", self.ending))
        return found

    def _partial(self) -> str:
        if self.state == "stopped":
            return _("Stopped. This answer is not complete.")
        unfinished = self.state == "streaming" and not self.live
        if unfinished or (self.state == "failed" and self.problem is None):
            return _("This answer broke off.")
        return ""

    def _waiting(self, approval: Approval) -> Block:
        key = f"waiting {approval.id}"
        if key not in self._cards:
            self._cards[key] = Waiting(self.sheet, approval)
        return self._cards[key]

    def _line(self, key: str, words: str, icon: str = "") -> Line:
        line = self._cards.get(key)
        if not isinstance(line, Line):
            line = self._cards[key] = Line(self.sheet, words, icon)
        line.say(words)
        return line

    def _tool_blocks(self) -> list[Block]:
        strips: list[InCard] = []
        pictures: list[Block] = []
        for key, call in self.calls.items():
            row = self._cards.get(f"tool {key}")
            if not isinstance(row, ToolRow) or row.call is not call:
                row = self._cards[f"tool {key}"] = ToolRow(self.sheet, call)
            row.opened = key in self.opened
            strips.append(row)
            strips += self._open_blocks(call) if row.opened else ()
            if call.view.kind == "image":
                path = str(call.view.data.get("path", ""))
                shown = self._cards.setdefault(f"picture {key}", Picture(self.sheet, call.summary, path))
                pictures.append(shown)
        for index, strip in enumerate(strips):
            strip.first, strip.last = index == 0, index == len(strips) - 1
        return [*strips, *pictures]

    def _open_blocks(self, call: Call) -> Iterator[InCard]:
        for what, text in (("arguments", call.arguments_text()), ("output", call.output)):
            if text:
                pane = self._cards.get(f"{what} {call.key}")
                if not isinstance(pane, Pane):
                    pane = Pane(self.sheet, call, "output" if what == "output" else "arguments")
                    self._cards[f"{what} {call.key}"] = pane
                pane.refresh()
                yield pane
        if call.undo:
            row = self._cards.setdefault(f"undo {call.key}", UndoRow(self.sheet, call))
            assert isinstance(row, InCard)
            yield row

    def toggle(self, key: str) -> None:
        """Open or close a call or the reasoning."""
        self.opened ^= {key}
        self.refresh()

    def index_of(self, block: Block) -> int:
        """Return the number of a block, -1 when it is gone."""
        return next((index for index, found in enumerate(self.blocks) if found is block), -1)

    def markdown(self) -> str:
        """Return the whole message for the clipboard."""
        parts = [self.text, "\n".join(call.markdown() for call in self.calls.values())]
        return encodable("\n\n".join(part for part in parts if part))


def _chunks(text: str) -> Iterable[str]:
    """Cut a long text of the person at line ends, or within a line that is too long itself."""
    while len(text) > LIMIT:
        end = text.rfind("\n", LIMIT // 2, LIMIT)
        if end >= 0:
            yield text[:end]
            text = text[end + 1 :]
        else:
            end = text.rfind(" ", LIMIT // 2, LIMIT) + 1 or LIMIT
            yield text[:end]
            text = text[end:]
    yield text
