"""The dialog as a person edits, chooses a scope and uses the keyboard alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.changes.diff import file_diff
from app.changes.preview import preview
from app.records import (
    Answer,
    Approval,
    CommandEffect,
    Effect,
    FileDiff,
    FilesEffect,
    Loss,
    Mark,
    Problem,
)
from ui.window.approvals import ApprovalDialog
from ui.window.approvals.guard import GUARD_SECONDS
from ui.window.approvals.wording import is_destructive
from ui.window.theme import make_theme

OLD = "one\n" + "".join(f"{n}\n" for n in range(20)) + "two\n"


class Scene:
    """One dialog whose guard is open; texts are compared as the engine does it."""

    def __init__(self, qtbot: QtBot, effect: Effect, **more: Any) -> None:
        self.bot, self.answers = qtbot, list[Answer]()
        approval = Approval(
            id="q", session="s", turn="t", call="c", tool="x", effect=effect, asked=1.0, cwd="/w", **more
        )
        self.dialog: Any = ApprovalDialog(approval, make_theme("light"))
        self.dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        self.dialog.answered.connect(lambda approval, answer: self.answers.append(answer))
        self.dialog.preview_wanted.connect(self._compare)
        qtbot.addWidget(self.dialog)
        with qtbot.waitActive(self.dialog, timeout=20_000):
            self.dialog.show()
            self.dialog.activateWindow()
        self.dialog._guard._clock = lambda: 1e9

    def _compare(self, dialog: Any, index: int, text: str) -> None:
        dialog.show_preview(index, text, preview(dialog.approval.effect.files[index], text))

    def key(self, key: Qt.Key, alt: bool = False) -> None:
        """Press a key where the focus is."""
        held = self.dialog.focusWidget()
        modifier = Qt.KeyboardModifier.AltModifier if alt else Qt.KeyboardModifier.NoModifier
        self.bot.keyClick(held, key, modifier)

    def words(self) -> str:
        return " ".join(part.text().replace("\u200b", "") for part in self.dialog.findChildren(QLabel))


@pytest.fixture
def files(tmp_path: Path) -> tuple[FileDiff, ...]:
    def made(name: str, old: str | None, new: str) -> FileDiff:
        path = tmp_path / name
        if old is not None:
            path.write_text(old)
        found = file_diff(str(path), name, old.encode() if old is not None else None, new.encode())
        return msgspec.structs.replace(found, text=new)

    changed = OLD.replace("one", "first").replace("two", "second")
    return made("a.md", OLD, changed), made("b.py", None, "print()\n"), made("c.txt", "x\n", "y\n")


def test_three_files_by_keyboard_alone(qtbot: QtBot, files: tuple[FileDiff, ...]) -> None:
    scene = Scene(qtbot, FilesEffect(files=files))
    dialog = scene.dialog
    assert dialog.focusWidget() is dialog._files.diff
    scene.key(Qt.Key.Key_Down, alt=True)
    scene.key(Qt.Key.Key_Space)
    assert dialog._foot.allow.text() == "Allow 3 of 4 pieces"
    scene.key(Qt.Key.Key_Down, alt=True)
    assert dialog._files.index == 1, "behind the last piece comes the next file"
    dialog._edit_button.click()
    field = dialog._files.editor.field
    assert dialog.focusWidget() is field and field.text() == "print()\n"
    qtbot.keyClicks(field, "import sys")
    scene.key(Qt.Key.Key_Return)
    scene.key(Qt.Key.Key_Escape)
    assert dialog.isVisible() and not dialog._files.editing(), "Esc leaves the editor, not the dialog"
    assert dialog._files.proposal.file(1).added == 2
    assert "edited by you" in dialog._files.list.item(1).data(Qt.ItemDataRole.AccessibleTextRole)
    scene.key(Qt.Key.Key_Return)
    assert scene.answers == [
        Answer(
            decision="allow",
            rejected=((0, 1),),
            edited={files[1].path: "import sys\nprint()\n"},
            by="window",
        )
    ]


def test_what_was_typed_a_moment_ago_is_seen_before_it_is_allowed(
    qtbot: QtBot, files: tuple[FileDiff, ...]
) -> None:
    scene = Scene(qtbot, FilesEffect(files=files[1:2]))
    scene.dialog._edit_button.click()
    qtbot.keyClicks(scene.dialog._files.editor.field, "#")
    scene.dialog._foot.allow.click()
    assert scene.answers == [], "the first press compares"
    scene.dialog._foot.allow.click()
    assert scene.answers[0].edited == {files[1].path: "#print()\n"}


def test_a_text_that_cannot_be_written_cannot_be_allowed(qtbot: QtBot, files: tuple[FileDiff, ...]) -> None:
    scene = Scene(qtbot, FilesEffect(files=files[1:2]))
    dialog = scene.dialog
    dialog.preview_wanted.disconnect()
    dialog._edit_button.click()
    qtbot.keyClicks(dialog._files.editor.field, "#")
    dialog._files.editor.flush()
    dialog.refuse_preview(Problem(code="encoding", fields={"encoding": "latin-1"}))
    assert dialog._caution.isVisible() and not dialog._foot.allow.isEnabled()
    dialog._files.editor._back.click()
    assert dialog._foot.allow.isEnabled() and not dialog._caution.isVisible()


def test_the_rule_that_is_shown_is_the_rule_that_is_saved(qtbot: QtBot) -> None:
    offers = (("run_command(npm run build)",), ("run_command(npm run *)",))
    effect = CommandEffect(command="npm run build", cwd="/w", layer="bubblewrap", undoable=True)
    scene = Scene(qtbot, effect, offers=offers, parts=("npm run build",))
    foot = scene.dialog._foot
    assert foot.scope.isEnabled() and not foot.strip.isVisible()
    assert foot.chosen_scope() == ("once", ())
    room = scene.dialog._plain.height()
    foot.scope._take("project")
    assert foot.strip.isVisible() and "run_command(npm run build)" in scene.words()
    assert scene.dialog._plain.height() >= room, "what is asked about keeps its room"
    assert "exactly the command npm run build" in scene.words()
    foot.strip._pick.setCurrentIndex(1)
    assert "every command that begins with npm run" in scene.words()
    assert foot.allow.text() == "Allow, and save the rule"
    foot.allow.click()
    assert (scene.answers[0].scope, scene.answers[0].rules) == ("project", ("run_command(npm run *)",))


def test_without_an_offer_it_says_why(qtbot: QtBot) -> None:
    loss = Loss(path="/w/build", items=2229, untracked=2229, size=5_000_000, sample=("a.pdf",))
    effect = CommandEffect(command="rm -rf build", cwd="/w", layer="bubblewrap", reach="network")
    marks = (Mark(kind="web", name="example.org"),)
    scene = Scene(qtbot, effect, losses=(loss,), outside=("/etc/motd",), marks=marks, reason="destructive")
    assert not scene.dialog._foot.scope.isEnabled()
    assert "asked about each time" in scene.dialog._foot.scope.accessibleDescription()
    words = scene.words()
    for part in ("2,229 files (5.0 MB)", "no Git repository", "a.pdf", "/etc/motd", "example.org",
                 "with the network", "deletes or overwrites"):  # fmt: skip
        assert part in words, part


def test_losses_and_places_outside_are_never_approved_by_enter(files: tuple[FileDiff, ...]) -> None:
    def approval(**more: Any) -> Approval:
        effect = FilesEffect(files=files)
        return Approval(id="q", session="s", turn="t", call="c", tool="x", effect=effect, asked=1.0, **more)

    assert not is_destructive(approval())
    assert is_destructive(approval(outside=("/etc/motd",)))
    assert is_destructive(approval(losses=(Loss(path="/w/a", items=1),)))
    assert is_destructive(approval(reason="protected"))


def test_a_window_that_is_not_active_hears_nothing(qtbot: QtBot, files: tuple[FileDiff, ...]) -> None:
    scene = Scene(qtbot, FilesEffect(files=files[2:]))
    from PySide6.QtWidgets import QWidget

    other = QWidget()
    qtbot.addWidget(other)
    with qtbot.waitActive(other, timeout=20_000):
        other.show()
        other.activateWindow()
    assert not scene.dialog.isActiveWindow() and not scene.dialog._guard.open()
    qtbot.mouseClick(scene.dialog._foot.allow, Qt.MouseButton.LeftButton)
    assert scene.answers == [], "the click that only brings the window to the front"


def test_one_click_is_enough_where_the_window_below_has_the_keyboard(
    qtbot: QtBot, files: tuple[FileDiff, ...]
) -> None:
    """Without a window manager the keyboard may stay in the window that the question stands over."""
    from PySide6.QtWidgets import QWidget

    below = QWidget()
    qtbot.addWidget(below)
    approval = Approval(
        id="q", session="s", turn="t", call="c", tool="x", effect=FilesEffect(files=files[2:]), asked=1.0
    )
    now: list[float] = [10.0]
    answers: list[Answer] = []
    with qtbot.waitActive(below, timeout=20_000):
        below.show()
        below.activateWindow()
    dialog = ApprovalDialog(approval, make_theme("light"), below)
    dialog._guard._clock = lambda: now[0]
    dialog.answered.connect(lambda id, answer: answers.append(answer))
    dialog.show()
    with qtbot.waitActive(below, timeout=20_000):
        below.activateWindow()
    assert not dialog.isActiveWindow()
    now[0] += GUARD_SECONDS - 0.01
    qtbot.mouseClick(dialog._foot.allow, Qt.MouseButton.LeftButton)
    assert answers == [], "it has only just come up"
    now[0] += 0.02
    qtbot.keyClick(dialog._foot.allow, Qt.Key.Key_Return)
    assert answers == [], "keys are for what is active"
    qtbot.mousePress(dialog._foot.allow, Qt.MouseButton.LeftButton)
    with qtbot.waitActive(dialog, timeout=20_000):
        dialog.activateWindow()  # as the press does, before the button is let go
    qtbot.mouseRelease(dialog._foot.allow, Qt.MouseButton.LeftButton)
    assert [answer.decision for answer in answers] == ["allow"]


def test_it_says_that_the_file_changed_meanwhile(qtbot: QtBot, files: tuple[FileDiff, ...]) -> None:
    approval = Approval(
        id="q", session="s", turn="t", call="c", tool="x", effect=FilesEffect(files=files), asked=1.0
    )
    dialog = ApprovalDialog(approval, make_theme("light"), again=True)
    qtbot.addWidget(dialog)
    assert any("changed meanwhile" in part.text() for part in dialog.findChildren(QLabel))


def test_a_whole_folder_is_one_piece_that_can_be_left_out(qtbot: QtBot) -> None:
    sample = ("deep/" * 30 + "name.txt",)
    folder = FileDiff(path="/w/old", shown="old", kind="deleted", items=2229, size=48_000_000, sample=sample)
    made = FileDiff(path="/w/new", shown="new", kind="folder")
    scene = Scene(qtbot, FilesEffect(files=(folder, made)))
    words = scene.words()
    assert "2,229 files, 48 MB" in words and sample[0] in words and "and 2,228 more" in words
    scene.dialog._files.whole.setFocus()
    scene.key(Qt.Key.Key_Space)
    assert scene.dialog._foot.allow.text() == "Allow 1 of 2 pieces"
    scene.dialog._foot.allow.click()
    assert scene.answers[0].rejected == ((0, -1),)
