"""How it looks in numbers: contrast of what is painted, sharp edges at 200 %, the shapes of the design."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from app.events import ApprovalAsked
from tests.window.transcript.conftest import Show
from tests.window.transcript.stage import approval, call, message, picture
from ui.window.theme import make_theme
from ui.window.transcript.painting import mark_color, selection_color
from ui.window.transcript.view import TranscriptView

ROOT = Path(__file__).resolve().parents[3]
SCALED = """
import sys
sys.path.insert(0, ROOT)
from PySide6.QtWidgets import QApplication
app = QApplication([])
from app.records import Message, ToolCall
from ui.window.theme import make_theme
from ui.window.transcript.view import TranscriptView
view = TranscriptView(make_theme('light'))
view.resize(656, 300)
calls = (ToolCall(id='1', name='a'), ToolCall(id='2', name='b'))
view.load([Message(id='1', session='s', parent=None, turn='t', role='assistant', created=1.0, calls=calls)])
view.show()
app.processEvents()
view.viewport().grab().toImage().save(OUT)
"""


def parts(color: QColor) -> tuple[float, float, float]:
    return color.redF(), color.greenF(), color.blueF()


def blended(over: QColor, ground: QColor) -> QColor:
    alpha = over.alphaF()
    mixed = [alpha * a + (1 - alpha) * b for a, b in zip(parts(over), parts(ground), strict=True)]
    return QColor.fromRgbF(mixed[0], mixed[1], mixed[2])


def contrast(first: QColor, second: QColor) -> float:
    def light(color: QColor) -> float:
        linear = [
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts(color)
        ]
        return float(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])

    high, low = sorted((light(first), light(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_text_stays_readable_under_selection_and_marks(qtbot: QtBot, name: str) -> None:
    theme = make_theme(name)
    colors = theme.colors
    for ground in (colors.ground, colors.surface, colors.accent_soft, colors.code_ground):
        for veil in (selection_color(theme), mark_color(theme, False), mark_color(theme, True)):
            assert contrast(colors.text, blended(veil, ground)) >= 4.5


def test_shapes_of_the_design(show: Show) -> None:
    view: TranscriptView = show(
        [message("user", "go"), message("assistant", "", calls=(call("c1"), call("c2")))]
    )
    view.resize(656, 400)
    view.apply(ApprovalAsked(session="s", approval=approval()))
    view.flush()
    rows = [shown for shown in view.shown if shown.block.kind == "tool"]
    waiting = next(shown for shown in view.shown if shown.block.kind == "waiting")
    assert [shown.block.height for shown in rows] == [35, 35]
    assert rows[1].y == rows[0].y + 35
    assert waiting.y == rows[1].y + 35 + 16
    assert view.shown[0].y == 20
    shot, colors = picture(view), view.sheet.theme.colors
    assert shot.pixelColor(28 + 300, rows[0].y) == colors.line
    assert shot.pixelColor(28 + 300, rows[1].y) == colors.line
    assert shot.pixelColor(28 + 300, rows[0].y + 3) == colors.surface
    assert shot.pixelColor(28, waiting.y + 40) == colors.accent
    assert shot.pixelColor(28 + 4, waiting.y + 40) == colors.accent_soft
    # Round corners: the ground shows at the very corner.
    assert shot.pixelColor(28, rows[0].y) == colors.ground
    assert shot.pixelColor(28, waiting.y) == colors.ground


@pytest.mark.parametrize("scale", ["1", "1.25", "2"])
def test_sharp_at_every_scale(qtbot: QtBot, tmp_path: Path, scale: str) -> None:
    out = tmp_path / "shot.png"
    script = SCALED.replace("ROOT", repr(str(ROOT))).replace("OUT", repr(str(out)))
    environ = os.environ | {"QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": scale}
    subprocess.run([sys.executable, "-P", "-c", script], check=True, env=environ, timeout=60)
    shot = QImage(str(out))
    ratio, colors = float(scale), make_theme("light").colors
    assert shot.width() == round(656 * ratio)
    x = round(300 * ratio)
    column = [shot.pixelColor(x, y) for y in range(shot.height())]
    lined = [y for y, color in enumerate(column) if color == colors.line]
    if scale == "2":  # a line is two whole pixels, and nothing between line and ground is blurred
        assert len(lined) == 6
        assert {color.name() for color in column} == {
            c.name() for c in (colors.line, colors.ground, colors.surface)
        }
    assert lined
