"""Languages that nobody speaks: every word for people 40 % longer, or in letters that run from right to left;
and a look at what of the window's words is cut.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QPushButton, QToolButton, QWidget

from tests.terminal.test_translations import texts_in_code
from ui import language
from ui.window.parts import Elided

LONGER = 1.4
_KEPT = re.compile(r"(\{\w+\}|/\w+|`[^`]*`)")
"""What stands for something else, or is typed, stays as it is."""
_ACCENTS = str.maketrans("aeiouAEIOU", "äéîöûÄÉÎÖÛ")
_HEBREW = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "אבגדהוזחטיכלמנסעפצקרשתםןףץאבגדהוזחטיכלמנסעפצקרשתםןףץ",
)


def longer(text: str) -> str:
    """Return a text in long words, as German has them: 40 % more in each."""
    return _worded(
        text, lambda word: word.translate(_ACCENTS) + "ungsstelle"[: round(len(word) * (LONGER - 1))]
    )


def mirrored(text: str) -> str:
    """Return a text in letters that run from right to left."""
    return _worded(text, lambda word: word.translate(_HEBREW))


def _worded(text: str, change: object) -> str:
    assert callable(change)
    parts = _KEPT.split(text)
    for at in range(0, len(parts), 2):
        parts[at] = re.sub(r"[A-Za-z]+", lambda found: str(change(found[0])), parts[at])
    return "".join(parts)


def speak(monkeypatch: pytest.MonkeyPatch, folder: Path, code: str) -> None:
    """Let every further word be of `code`: "de" for long ones, "he" for those from right to left."""
    change = longer if code == "de" else mirrored
    head = "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=n != 1;\n"
    blocks = [f'msgid ""\nmsgstr {json.dumps(head)}']
    for text in sorted(set(texts_in_code())):
        one, _nul, many = text.partition("\0")
        lines = [f"msgid {json.dumps(one)}"]
        if many:
            lines += [f"msgid_plural {json.dumps(many)}"]
            lines += [f"msgstr[{at}] {json.dumps(change(part))}" for at, part in enumerate((one, many))]
        else:
            lines += [f"msgstr {json.dumps(change(one))}"]
        blocks.append("\n".join(lines))
    (folder / f"{code}.po").write_text("\n\n".join(blocks) + "\n")
    monkeypatch.setattr(language, "CATALOGUES", folder)
    language._catalogue.cache_clear()
    language.use_language(code)


def speak_english() -> None:
    """Go back to the texts of the code."""
    language._catalogue.cache_clear()
    language.use_language("en")


def cut(root: QWidget) -> list[str]:
    """Return the words that are seen and have no room: cut, or higher than their place."""
    return [f"{type(one).__name__} {one.text()!r}" for one in _worded_parts(root) if _is_cut(one)]


def _worded_parts(root: QWidget) -> Iterator[QLabel | QAbstractButton]:
    for one in root.findChildren(QWidget):
        if one.window() is root.window() and one.isVisible() and isinstance(one, QLabel | QAbstractButton):
            yield one


def _is_cut(one: QLabel | QAbstractButton) -> bool:
    if isinstance(one, Elided) or not one.text().strip():
        return False  # it ends in an ellipsis on purpose, and tells the rest in its tooltip
    if isinstance(one, QLabel):
        if one.wordWrap():
            return one.heightForWidth(one.width()) > one.height() + 1
        return one.sizeHint().width() > one.width() + 1
    if isinstance(one, QToolButton):
        return False
    plain = type(one).sizeHint is QPushButton.sizeHint
    return plain and one.sizeHint().width() > one.width() + 1


def laid_over(root: QWidget) -> list[str]:
    """Return pairs of parts that are seen in one place and lie on each other."""
    found = []
    parts = [one for one in _worded_parts(root)] + [
        one for one in root.findChildren(QComboBox) if one.isVisible()
    ]
    for at, one in enumerate(parts):
        for other in parts[at + 1 :]:
            if one.parent() is other.parent() and _shared(one.geometry(), other.geometry()):
                found.append(f"{_named(one)} lies on {_named(other)}")
    return found


def outside(root: QWidget) -> list[str]:
    """Return parts that reach beyond the place that holds them."""
    return [
        f"{_named(one)} reaches out of {type(one.parent()).__name__}"
        for one in _worded_parts(root)
        if isinstance(one.parent(), QWidget)
        and (one.geometry().right() > one.parentWidget().width() or one.geometry().left() < 0)
    ]


def _shared(one: QRect, other: QRect) -> bool:
    both = one.intersected(other)
    return both.width() > 2 and both.height() > 2


def _named(part: QWidget) -> str:
    return f"{type(part).__name__} {part.accessibleName() or getattr(part, 'text', str)()!r}"
