"""Qt calls that return nothing give back their reference to None, or the process aborts after some thousands.

PySide6 6.12.0 lost one reference a call. Below Python 3.12 None is counted, and the end of that is
"none_dealloc: deallocating None". A later PySide6 is judged by this test.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

CHILD = """
import json, os, sys
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QTextBlockFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QTextBrowser, QWidget

class Sender(QObject):
    sent = Signal(str)

app = QApplication([])
document, label, browser = QTextDocument(), QLabel(), QTextBrowser()
plain, widget, sender = QPlainTextEdit(), QWidget(), Sender()
sender.sent.connect(lambda text: None)
cursor = QTextCursor(document)
calls = {
    "document.setMarkdown": lambda: document.setMarkdown("x"),
    "document.setHtml": lambda: document.setHtml("x"),
    "document.setPlainText": lambda: document.setPlainText("x"),
    "document.setTextWidth": lambda: document.setTextWidth(100),
    "browser.setMarkdown": lambda: browser.setMarkdown("x"),
    "browser.setHtml": lambda: browser.setHtml("x"),
    "browser.setPlainText": lambda: browser.setPlainText("x"),
    "label.setText": lambda: label.setText("x"),
    "plain.setPlainText": lambda: plain.setPlainText("x"),
    "plain.appendPlainText": lambda: plain.appendPlainText("x"),
    "cursor.insertText": lambda: cursor.insertText("x"),
    "cursor.insertMarkdown": lambda: cursor.insertMarkdown("x"),
    "cursor.insertBlock": lambda: cursor.insertBlock(QTextBlockFormat()),
    "widget.setGeometry": lambda: widget.setGeometry(0, 0, 9, 9),
    "widget.update": lambda: widget.update(),
    "signal.emit": lambda: sender.sent.emit("x"),
    "processEvents": lambda: app.processEvents(),
}
lost = {}
for name, call in calls.items():
    call()
    before = sys.getrefcount(None)
    for _ in range(300):
        call()
    if abs(sys.getrefcount(None) - before) > 50:
        lost[name] = sys.getrefcount(None) - before
print(json.dumps({"calls": len(calls), "lost": lost}), flush=True)
os._exit(0)
"""


def test_calls_that_return_nothing_keep_none_alive() -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", CHILD],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"calls": 17, "lost": {}}
