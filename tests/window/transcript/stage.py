"""What the tests of the transcript share: messages, events, and a view to look at."""

from __future__ import annotations

import itertools
import re
from typing import Any, cast

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.records import Approval, FileDiff, FilesEffect, Message, Role, ToolCall
from ui.window.transcript.blocks import Block
from ui.window.transcript.painting import Part
from ui.window.transcript.rows import Row
from ui.window.transcript.view import TranscriptView

_numbers = itertools.count(1)
RICH = """# How it works

The build has **three** parts, and *each* has a `Makefile`. See [the manual](https://example.org/manual).

1. Install the tools:
   ```sh
   pip install build  # once
   ```
2. Run `make all`.
   - it fetches nothing
   - it writes to `out/`
- [x] Read the notes
- [ ] Write the tests

> A quote that says something.

| Name | Size |
|:-----|-----:|
| alpha | 12 |
| beta | 4,096 |

---

![A chart](https://example.org/chart.png)

```python
def load(path):
    return path.read_text()
```

The end."""


def message(role: Role, text: str = "", turn: str = "t1", **fields: Any) -> Message:
    """Return a message with an id that sorts."""
    number = next(_numbers)
    fields.setdefault("id", f"m{number:05}")
    fields.setdefault("created", float(number))
    return Message(session="s", parent=None, turn=turn, role=role, text=text, **fields)


def call(key: str, name: str = "read_file", arguments: str = '{"path": "notes.txt"}') -> ToolCall:
    """Return a declared call."""
    return ToolCall(id=key, name=name, arguments=arguments)


def approval(key: str = "a1", of: str = "c1", *, undoable: bool = True) -> Approval:
    """Return a question about two files."""
    files = (
        FileDiff(path="/x/sort.py", shown="sort.py", kind="new", added=24),
        FileDiff(path="/x/README.md", shown="README.md", kind="changed", added=3, removed=1),
    )
    effect = FilesEffect(files=files, undoable=undoable)
    return Approval(id=key, session="s", turn="t1", call=of, tool="write_file", effect=effect, asked=1.0)


def blocks(view: TranscriptView) -> list[Block]:
    """Return all blocks, made."""
    for row in view.story.rows:
        row.make()
    return [block for row in view.story.rows for block in row.blocks]


def parts(view: TranscriptView, act: str) -> list[tuple[Block, Part, QPoint]]:
    """Return the parts in sight that do this, and the point of the viewport in the middle of each."""
    found = []
    for shown in view.shown:
        corner = view.rect_of(shown.row, shown.number).topLeft()
        for part in shown.block.parts():
            if part.act == act:
                found.append((shown.block, part, corner + part.rect.center()))
    return found


def click(view: TranscriptView, point: QPoint, *, shift: bool = False) -> None:
    """Press and release the left button."""
    keys = Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, keys, point)


def send(view: TranscriptView, kind: QEvent.Type, point: QPoint) -> None:
    """Send one mouse event with the left button held."""
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    button = none if kind == QEvent.Type.MouseMove else left
    where, keys = QPointF(point), Qt.KeyboardModifier.NoModifier
    globally = QPointF(view.viewport().mapToGlobal(point))
    QApplication.sendEvent(view.viewport(), QMouseEvent(kind, where, globally, button, left, keys))


def drag(view: TranscriptView, start: QPoint, end: QPoint) -> None:
    """Select from one point to another."""
    left = Qt.MouseButton.LeftButton
    QTest.mousePress(view.viewport(), left, pos=start)
    QTest.mouseMove(view.viewport(), (start + end) / 2)
    QTest.mouseMove(view.viewport(), end)
    QTest.mouseRelease(view.viewport(), left, pos=end)


def point_of(view: TranscriptView, needle: str, *, end: bool = False) -> QPoint:
    """Return the point of the viewport where this text begins, or ends, in a block in sight."""
    for shown in view.shown:
        for start, stop in shown.block.found(re.compile(re.escape(needle))):
            rect = view.rect_of(shown.row, shown.number)
            wanted = stop if end else start
            upper, lower = shown.block.extent(wanted - 1 if end else wanted)
            y = rect.top() + (upper + lower) // 2
            for x in range(rect.width()):
                if shown.block.position(x, y - rect.top()) >= wanted:
                    return QPoint(rect.left() + x + (1 if end else 2), y)
    raise AssertionError(f"{needle!r} is not in sight")


def picture(view: TranscriptView) -> QImage:
    """Return what the viewport shows."""
    return view.viewport().grab().toImage()


def on_screen(view: TranscriptView) -> QImage:
    """Return what has really been painted: also what was only shifted."""
    QApplication.processEvents()
    QApplication.sendPostedEvents()  # what a timer of these events wants to have painted
    whole = view.screen().grabWindow(view.winId())
    return whole.copy(view.viewport().geometry()).toImage().convertToFormat(picture(view).format())


def differences(first: QImage, second: QImage) -> list[tuple[int, int]]:
    """Return the points that differ by more than the last bits, which smooth edges may round otherwise."""
    if first == second:
        return []
    assert first.size() == second.size()
    found = []
    for y in range(first.height()):
        one, two = (bytes(cast(memoryview, image.constScanLine(y))) for image in (first, second))
        if one != two:
            found += [(at // 4, y) for at in range(len(one)) if at % 4 < 3 and abs(one[at] - two[at]) > 2]
    return found


def row_of(view: TranscriptView, key: str) -> Row:
    """Return the row of a message."""
    return next(row for row in view.story.rows if row.key == key)
