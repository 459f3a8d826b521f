"""One message as a row of blocks with their heights: made when it is seen, changed only where it grows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import msgspec

from app.attachment_records import attachments_of, own_words
from app.memory_records import recalled
from app.records import Approval, Message, Problem
from ui.window.transcript.attached import Attached
from ui.window.transcript.blocks import Block
from ui.window.transcript.body import Body
from ui.window.transcript.calls import Call, declared
from ui.window.transcript.cards import Countdown, Line, Reasoning, Trouble, Waiting
from ui.window.transcript.heights import Heights
from ui.window.transcript.legible import encodable, legible
from ui.window.transcript.markdown_stream import LIMIT
from ui.window.transcript.painting import Sheet
from ui.window.transcript.prose import Bubble
from ui.window.transcript.recalled import Recalled
from ui.window.transcript.summaries import Summarised
from ui.window.transcript.tool_blocks import tool_blocks
from ui.window.transcript.tool_rows import InCard
from ui.words import _

_TEXT = ("prose", "item", "quote", "heading")


def gap(before: Block, block: Block) -> int:
    """Return the space between two blocks of a message, in pixels of the design."""
    if block.joined or (isinstance(block, InCard) and isinstance(before, InCard)):
        return 0
    if block.kind == "heading":
        return 12 if before.kind == "heading" else 24
    if block.kind == "attached":
        return 8
    if block.kind == "item" and block.further and before.kind in _TEXT:
        return 4
    if before.kind == "heading" or block.further or block.kind == "line" or before.kind == "reasoning":
        return 8
    return 12 if block.kind in _TEXT and before.kind in _TEXT else 16


class _Made(msgspec.Struct):
    """What a row has once it was in sight."""

    body: Body
    reasons: Body | None = None
    blocks: list[Block] = msgspec.field(default_factory=list)
    gaps: list[int] = msgspec.field(default_factory=list)
    heights: Heights = msgspec.field(default_factory=Heights)
    cards: dict[str, Block] = msgspec.field(default_factory=dict)
    opened: set[str] = msgspec.field(default_factory=set)
    """What is open: "reasoning", or the keys of calls."""


class Row:
    """One message of the person, or one answer with its calls; `order` only grows downwards.

    A long conversation has thousands that are never seen, so a row is small until it is made.
    """

    state = "complete"
    problem: Problem | None = None
    live = False
    """It is being written now."""
    by_model = False
    """A message that stands where the person's do, but a model wrote it: the task of a helper."""
    recalled: tuple[tuple[str, str], ...] = ()
    """Of a message of the person: what was told from memory with it, id and line."""
    summary: Message | None = None
    """Where earlier messages were summarised: the message that says it."""
    note = ending = retry = ""
    """Quiet lines: how the turn stopped, what it took, when the next try comes."""
    offer: tuple[str, str] | None = None
    """While a provider is waited for and another model could answer: what is said, and the button's words."""
    _made: _Made | None = None
    _said: tuple[str, str] | None = None
    """The text, and what `said` made of it."""
    _new: tuple[list[str], list[str]] | None = None
    """Text and reasoning that are not shown yet."""

    def __init__(self, sheet: Sheet, key: str, turn: str, *, mine: bool, order: int = 0) -> None:
        self.sheet, self.key, self.turn, self.mine, self.order = sheet, key, turn, mine, order
        self.calls: dict[str, Call] = {}
        self.approvals: dict[str, Approval] = {}
        self._texts: list[str] | str = ""
        self._reasons: list[str] | str = ""

    @property
    def text(self) -> str:
        """The whole text as it came."""
        if not isinstance(self._texts, str):
            self._texts = "".join(self._texts)
        return self._texts

    @property
    def reasoning(self) -> str:
        """What the model thought."""
        if not isinstance(self._reasons, str):
            self._reasons = "".join(self._reasons)
        return self._reasons

    @property
    def blocks(self) -> list[Block]:
        """Its blocks; none before it is made."""
        return self._made.blocks if self._made is not None else []

    @property
    def gaps(self) -> list[int]:
        """The space over each block."""
        return self._made.gaps if self._made is not None else []

    @property
    def heights(self) -> Heights:
        """The heights of the blocks with the space over them."""
        return self._made.heights if self._made is not None else Heights()

    @property
    def space(self) -> int:
        """The gap above it: more before the person speaks again."""
        return self.sheet.theme.px(28 if self.mine else 16)

    @property
    def height(self) -> int:
        """Its height with the gap above; a guess by the number of characters until it is made."""
        if self._made is not None:  # an answer that came to nothing takes no room
            return self.space + self._made.heights.total if self._made.blocks else 0
        text, sheet = self.said, self.sheet
        lines = 2 + text.count("\n") + len(text) // sheet.letters
        lines += 2 * len(self.calls) + (2 if self.ending else 0)
        return lines * sheet.line

    def take(self, message: Message) -> None:
        """Show the message as it is stored; what was streamed of it stays where it is the same."""
        if message.role == "summary":  # it opens to its text as an answer does to what was thought
            self.summary = message
            message = msgspec.structs.replace(message, text="", reasoning=message.text)
        self.state, self.problem, self.turn = message.state, message.problem, message.turn
        self.by_model, self.recalled = message.by_model, recalled(message.context)
        made = self._made
        if message.text != self.text:
            self._texts = message.text
            if made is not None and not self.mine:
                made.body = Body(self.sheet)
                made.body.feed(message.text)
        if message.reasoning != self.reasoning:
            self._reasons = message.reasoning
            if made is not None:
                made.reasons = None
        if message.state != "streaming":
            self.live = False
            if made is not None:
                made.body.close()
        if self.calls:
            self.calls = {key: call for key, call in self.calls.items() if not key.startswith("#")}
        for call in message.calls:
            self.calls.setdefault(call.id, declared(call))

    def make(self) -> None:
        """Build the blocks, unless they are there."""
        if self._made is not None:
            return
        self._made = _Made(Body(self.sheet))
        if not self.mine:
            self._made.body.feed(self.text)
            if not self.live:
                self._made.body.close()
        self.refresh()

    def stream(self, text: str = "", reasoning: str = "") -> None:
        """Take streamed text; `flush` shows it."""
        if self._new is None:
            self._new = [], []
        if text:
            self._new[0].append(text)
        if reasoning:
            self._new[1].append(reasoning)

    def flush(self) -> bool:
        """Show what has streamed since the last time; tell whether there was anything."""
        if self._new is None:
            return False
        text, reasons = "".join(self._new[0]), "".join(self._new[1])
        self._new = None
        self._texts = _longer(self._texts, text)
        self._reasons = _longer(self._reasons, reasons)
        made = self._made
        if made is not None:
            if made.reasons is not None and reasons:
                made.reasons.feed(reasons)
            begins = bool(reasons) or not made.body.blocks
            first = made.body.feed(text) if text else 0
            self._compose(0 if begins else len(self._before()) + first)
        return True

    @property
    def _body_blocks(self) -> list[Block]:
        return self._made.body.blocks if self._made is not None else []

    def refresh(self) -> None:
        """Compose the blocks anew; those that stay keep their layout."""
        if self._made is not None:
            self._compose(0)

    def _compose(self, first: int) -> None:
        """Replace the blocks from number `first` on."""
        made, before = self._made, self._before()
        assert made is not None
        wanted: list[Block] = before[first:]
        wanted += made.body.blocks[max(0, first - len(before)) :]
        wanted += self._bubbles() if self.mine else self._after()
        del made.blocks[first:], made.gaps[first:]
        made.heights.cut(first)
        for block in wanted:
            space = self.sheet.theme.px(gap(made.blocks[-1], block)) if made.blocks else 0
            made.blocks.append(block)
            made.gaps.append(space)
            made.heights.append(space + block.height)

    def measure(self, index: int, width: int) -> bool:
        """Measure one block; tell whether its height changed."""
        block = self.blocks[index]
        if block.width == width:
            return False
        before = self.heights[index]
        self.heights[index] = self.gaps[index] + block.measure(width)
        return self.heights[index] != before

    def _before(self) -> list[Block]:
        made = self._made
        if made is None or self.mine or not self._reasons:
            return []
        row = self._card("reasoning", self._opener)
        assert isinstance(row, Reasoning)
        row.running, row.opened = self.live and not made.body.blocks, "reasoning" in made.opened
        if not row.opened:
            made.reasons = None
            return [row]
        if made.reasons is None:
            made.reasons = Body(self.sheet, muted=True)
            made.reasons.feed(self.reasoning)
            if not self.live:
                made.reasons.close()
        return [row, *made.reasons.blocks]

    def _opener(self) -> Reasoning:
        return Reasoning(self.sheet) if self.summary is None else Summarised(self.sheet, self.summary)

    def _card(self, key: str, make: Callable[[], Block]) -> Block:
        """Return a block that lives as long as the row, made when first wanted."""
        assert self._made is not None
        if key not in self._made.cards:
            self._made.cards[key] = make()
        return self._made.cards[key]

    @property
    def said(self) -> str:
        """What is shown of the text: of the person's messages their own words, without what they attached."""
        if not self.mine:
            return self.text
        if self._said is None or self._said[0] is not self.text:
            self._said = self.text, own_words(self.text)
        return self._said[1]

    def _bubbles(self) -> list[Block]:
        attached = attachments_of(self.text)
        words = self.said
        parts = list(_chunks(words)) if words.strip() or not attached else []
        found = [
            self._card(f"bubble {index}", partial(_bubble, self.sheet, part, index, len(parts)))
            for index, part in enumerate(parts)
        ]
        if attached:
            found.append(self._card("attached", partial(Attached, self.sheet, attached)))
        if self.recalled:
            found += self._recalled()
        if self.by_model:
            found.insert(0, self._line("given", _("The task that Bramble gave")))
        return found

    def _recalled(self) -> list[Block]:
        """The quiet row that says what was recalled with the message, and when it is open all of that."""
        opened = "reasoning" in (self._made.opened if self._made is not None else set())
        row = self._card("recalled", partial(Recalled, self.sheet, self.recalled))
        assert isinstance(row, Reasoning)
        row.opened = opened
        return [row, *(self._line(f"fact {key}", legible(words)) for key, words in self.recalled if opened)]

    def _after(self) -> list[Block]:
        sheet = self.sheet
        opened = self._made.opened if self._made is not None else set()
        found = tool_blocks(sheet, self.calls, opened, self._card)
        for key, approval in self.approvals.items():
            found.append(self._card(f"waiting {key}", partial(Waiting, sheet, approval)))
        if self.problem is not None:
            found.append(self._card(f"error {self.problem!r}", partial(Trouble, sheet, self.problem)))
        note = self.note or self._partial()
        if note:
            found.append(self._line("note", note, "circle-slash"))
        if self.retry and self.offer is not None:
            card = self._card(f"countdown {self.offer!r}", partial(Countdown, sheet, *self.offer))
            assert isinstance(card, Countdown)
            card.say(self.retry)
            found.append(card)
        elif self.retry:
            found.append(self._line("retry", self.retry, "clock"))
        elif self.live and not (self._body_blocks or found or self._reasons):
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

    def _line(self, key: str, words: str, icon: str = "") -> Line:
        line = self._card(key, partial(Line, self.sheet, words, icon))
        assert isinstance(line, Line)
        line.say(words)
        return line

    def toggle(self, key: str) -> None:
        """Open or close a call or the reasoning."""
        if self._made is not None:
            self._made.opened ^= {key}
            self.refresh()

    def index_of(self, block: Block) -> int:
        """Return the number of a block, -1 when it is gone."""
        return next((index for index, found in enumerate(self.blocks) if found is block), -1)

    def markdown(self) -> str:
        """Return the whole message for the clipboard."""
        said = self.text if self.summary is None else self.summary.text
        parts = [said, "\n".join(call.markdown() for call in self.calls.values())]
        return encodable("\n\n".join(part for part in parts if part))


def _longer(parts: list[str] | str, more: str) -> list[str] | str:
    """Add to a text that is joined only when it is read."""
    if not more:
        return parts
    found = [parts] if isinstance(parts, str) else parts
    found.append(more)
    return found


def _bubble(sheet: Sheet, text: str, index: int, count: int) -> Bubble:
    return Bubble(sheet, text, first=index == 0, last=index == count - 1)


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
