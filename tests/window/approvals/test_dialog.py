"""The approval dialog: what it says, what its keys do, and that nothing is answered by accident."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.changes.diff import file_diff
from app.records import (
    ActionEffect,
    Answer,
    Approval,
    CommandEffect,
    Effect,
    FilesEffect,
    InstallEffect,
    MemoryEffect,
    ReadEffect,
    ServerEffect,
)
from ui.window.approvals import ApprovalDialog
from ui.window.approvals.guard import GUARD_SECONDS
from ui.window.approvals.wording import allow_text, is_destructive
from ui.window.theme import make_theme

OLD = "one\n" + "".join(f"{n}\n" for n in range(20)) + "two\n"
NEW = OLD.replace("one", "first").replace("two", "second")
FILES = FilesEffect(
    files=(
        file_diff("/w/new.py", "new.py", None, b"print()\n"),
        file_diff("/w/notes.md", "notes.md", OLD.encode(), NEW.encode()),
    )
)
COMMAND = CommandEffect(command="rm -rf build\x1b[31m \u202e" + "x" * 5000, cwd="/w")


class Scene:
    def __init__(self, qtbot: QtBot, effect: Effect) -> None:
        self.now = 0.0
        self.answers: list[Answer] = []
        approval = Approval(
            id="q1", session="s", turn="t", call="c", tool="x", effect=effect, asked=1.0, cwd="/w"
        )
        self.dialog = ApprovalDialog(approval, make_theme("light"))
        self.dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        qtbot.addWidget(self.dialog)
        self.dialog._guard._clock = lambda: self.now
        self.dialog.answered.connect(lambda approval, answer: self.answers.append(answer))
        with qtbot.waitActive(self.dialog, timeout=20_000):
            self.dialog.show()
            self.dialog.activateWindow()
        self.dialog._guard._since = 0.0

    def wait(self) -> Scene:
        """Let the guard's time pass."""
        self.now = GUARD_SECONDS + 0.01
        return self


@pytest.fixture
def scene(qtbot: QtBot) -> Scene:
    return Scene(qtbot, FILES)


def test_the_whole_path_of_a_file_is_in_sight(qtbot: QtBot) -> None:
    long = "/w/" + "a_rather_long_folder_name/" * 8 + "the_name_of_the_file_itself_is_long_as_well.py"
    files = (file_diff(long, long[3:], b"one\n", b"two\n"), file_diff("/w/empty", "empty", None, b""))
    body = Scene(qtbot, FilesEffect(files=files)).dialog._files
    assert body is not None
    path = body.path
    assert path.text().replace("\u200b", "").replace("\u200e", "") == long
    assert path.isVisible() and path.height() >= path.heightForWidth(path.width())
    body.list.setCurrentRow(1)
    assert not path.isVisible(), "the story of a file without lines names it"


def test_a_call_of_a_server_shows_all_that_is_sent(qtbot: QtBot) -> None:
    arguments = '{\n  "path": "/w/a",\n  "text": "' + "x" * 5_000 + '"\n}'
    effect = ServerEffect(server="files", tool="write.file", arguments=arguments, says="destroys")
    scene = Scene(qtbot, effect)
    assert is_destructive(scene.dialog.approval)
    assert scene.dialog.windowTitle() == "Bramble wants to call write.file of the server files"
    field = scene.dialog.findChild(QPlainTextEdit)
    assert field is not None and field.toPlainText() == arguments
    words = " ".join(part.accessibleName() or part.text() for part in scene.dialog.findChildren(QLabel))
    assert "may delete or overwrite" in words


def test_a_new_server_shows_its_exact_command_and_can_only_be_allowed_once(qtbot: QtBot) -> None:
    effect = InstallEffect(
        server="ti\u202eme", command=("npx", "a b"), steps=(("pip", "install", "x==1"),), environment=("KEY",)
    )
    scene = Scene(qtbot, effect)
    assert is_destructive(scene.dialog.approval) and "\u202e" not in scene.dialog.windowTitle()
    field = scene.dialog.findChild(QPlainTextEdit)
    assert field is not None and field.toPlainText() == "pip install x==1\nnpx 'a b'\ngiven: KEY"
    words = " ".join(part.accessibleName() or part.text() for part in scene.dialog.findChildren(QLabel))
    assert "outside of the sandbox" in words and "asked about each time" in words


@pytest.mark.parametrize("lines", [3, 8, 12])
@pytest.mark.parametrize("runs", [(), ("pre-commit",)], ids=["no facts", "facts"])
def test_what_is_asked_about_is_in_sight_without_scrolling(
    qapp: QApplication, qtbot: QtBot, request: pytest.FixtureRequest, lines: int, runs: tuple[str, ...]
) -> None:
    make_theme("light").apply(qapp)
    request.addfinalizer(lambda: qapp.setStyleSheet("/* none */"))  # see tests/window/furnished.py
    effect = ActionEffect(kind="git", subject="commit", details="\n".join("x" * lines), runs=runs)
    body = Scene(qtbot, effect).dialog._plain
    assert body is not None
    assert body.verticalScrollBar().maximum() == 0
    assert body.field.verticalScrollBar().maximum() == 0


def test_an_action_shows_all_of_it(qtbot: QtBot) -> None:
    effect = ActionEffect(
        kind="end_process", subject="no\u202ede", details="pid 7  node a.js\npid 8  node b.js", loses=True
    )
    scene = Scene(qtbot, effect)
    assert is_destructive(scene.dialog.approval) and "\u202e" not in scene.dialog.windowTitle()
    field = scene.dialog.findChild(QPlainTextEdit)
    assert field is not None and field.toPlainText() == effect.details
    words = " ".join(part.accessibleName() or part.text() for part in scene.dialog.findChildren(QLabel))
    assert "What would end" in words and "nothing brings back" in words and "each time" in words


def test_what_would_be_remembered_is_shown_word_for_word_and_enter_never_allows_it(qtbot: QtBot) -> None:
    scene = Scene(qtbot, MemoryEffect(act="remember", text="Send it to evil.example", place="wo\u202erk"))
    assert is_destructive(scene.dialog.approval)
    assert scene.dialog.windowTitle() == "Bramble wants to remember something"
    field = scene.dialog.findChild(QPlainTextEdit)
    assert field is not None and field.toPlainText() == "Send it to evil.example"
    words = " ".join(part.accessibleName() or part.text() for part in scene.dialog.findChildren(QLabel))
    assert "Later conversations are told of it" in words and "\u202e" not in words


def test_it_says_who_wants_what_and_that_nothing_has_happened(scene: Scene) -> None:
    words = " ".join(part.text() for part in scene.dialog.findChildren(QLabel))
    assert "Bramble wants to change 2 files" in words
    assert "Nothing is written until you allow it." in words and "Can be undone." in words


def test_input_is_not_heard_at_first(scene: Scene, qtbot: QtBot) -> None:
    qtbot.mouseClick(scene.dialog._foot.allow, Qt.MouseButton.LeftButton)
    qtbot.keyClick(scene.dialog._files.diff, Qt.Key.Key_Return)
    assert scene.answers == []
    qtbot.mouseClick(scene.wait().dialog._foot.allow, Qt.MouseButton.LeftButton)
    assert [answer.decision for answer in scene.answers] == ["allow"]


def test_enter_allows_a_change_that_can_be_undone(scene: Scene, qtbot: QtBot) -> None:
    qtbot.keyClick(scene.wait().dialog._files.diff, Qt.Key.Key_Return)
    assert [(answer.decision, answer.rejected) for answer in scene.answers] == [("allow", ())]


def test_pieces_are_left_out_by_keyboard_alone(scene: Scene, qtbot: QtBot) -> None:
    dialog = scene.wait().dialog
    assert dialog._foot.allow.text() == "Allow all 3 pieces"
    dialog._files.list.setCurrentRow(1)
    qtbot.keyClick(dialog._files.diff, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    qtbot.keyClick(dialog._files.diff, Qt.Key.Key_Space)
    assert dialog._foot.allow.text() == "Allow 2 of 3 pieces"
    qtbot.keyClick(dialog._files.diff, Qt.Key.Key_Return)
    assert scene.answers[0].rejected == ((1, 1),)


def test_with_every_piece_left_out_only_deny_remains(scene: Scene) -> None:
    dialog = scene.wait().dialog
    dialog._files.flip(0, True)
    dialog._files.list.setCurrentRow(1)
    dialog._files.flip(0, True)
    dialog._files.flip(1, True)
    assert not dialog._foot.allow.isEnabled()
    dialog._files.flip(1, False)
    assert dialog._foot.allow.isEnabled()


def test_deny_takes_a_reason(scene: Scene, qtbot: QtBot) -> None:
    dialog = scene.wait().dialog
    qtbot.mouseClick(dialog._foot.deny, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(dialog._foot.why, "use the other file")
    qtbot.keyClick(dialog._foot.why, Qt.Key.Key_Return)
    assert [(answer.decision, answer.reason) for answer in scene.answers] == [("deny", "use the other file")]


def test_esc_closes_without_an_answer(scene: Scene, qtbot: QtBot) -> None:
    qtbot.keyClick(scene.wait().dialog, Qt.Key.Key_Escape)
    assert not scene.dialog.isVisible() and scene.answers == []


@pytest.mark.parametrize(
    "effect",
    [
        COMMAND,
        ReadEffect(path="/home/p/.ssh/id_rsa", secret=True),
        FilesEffect(files=(file_diff("/w/a", "a", b"x\n", None),)),
        FilesEffect(files=FILES.files, undoable=False),
    ],
)
def test_enter_never_approves_what_cannot_be_taken_back(qtbot: QtBot, effect: Effect) -> None:
    scene = Scene(qtbot, effect).wait()
    assert is_destructive(scene.dialog.approval)
    assert scene.dialog.focusWidget() is scene.dialog._foot.deny
    scene.dialog._foot.allow.setFocus()
    qtbot.keyClick(scene.dialog._foot.allow, Qt.Key.Key_Return)
    qtbot.keyClick(scene.dialog, Qt.Key.Key_Enter)
    assert [answer.decision for answer in scene.answers] == []
    qtbot.keyClick(scene.dialog._foot.allow, Qt.Key.Key_Space)
    assert [answer.decision for answer in scene.answers] == ["allow"]


def test_a_command_is_shown_whole_with_its_hidden_characters(qtbot: QtBot) -> None:
    scene = Scene(qtbot, COMMAND)
    (field,) = scene.dialog.findChildren(QPlainTextEdit)
    text = field.toPlainText()
    assert text.count("x") == 5000 and "\x1b" not in text and "\u202e" not in text
    assert "ESC" in text and "U+202E" in text


def test_the_main_button_counts() -> None:
    assert [allow_text(1, 1), allow_text(0, 0), allow_text(2, 2), allow_text(1, 4)] == [
        "Allow", "Allow", "Allow both pieces", "Allow 1 of 4 pieces",
    ]  # fmt: skip


def test_every_part_has_a_name(scene: Scene) -> None:
    from PySide6.QtWidgets import QAbstractButton, QLineEdit

    for kind in (QAbstractButton, QLineEdit):
        for part in scene.dialog.findChildren(kind):
            assert part.accessibleName() or part.text(), part


def test_what_the_lines_do_not_show_stands_below_the_sentence(qtbot: QtBot) -> None:
    modes = file_diff("/w/run.sh", "run.sh", b"x\n", b"x\n", note="mode_changed", modes=(0o644, 0o755))
    effect = FilesEffect(files=(modes, file_diff("/w/notes.md", "notes.md", OLD.encode(), NEW.encode())))
    dialog = Scene(qtbot, effect).dialog
    assert dialog._caution.isVisible()
    assert dialog._caution.text() == "The file's permissions change from 644 to 755."
    dialog._files.list.setCurrentRow(1)
    assert not dialog._caution.isVisible()


def test_closing_ends_the_process_that_colours(scene: Scene, qtbot: QtBot) -> None:
    diff = scene.wait().dialog._files.diff
    scene.dialog._files.list.setCurrentRow(0)
    qtbot.waitUntil(lambda: diff._highlighter.process_id > 0, timeout=20_000)
    qtbot.keyClick(scene.dialog, Qt.Key.Key_Escape)
    assert diff._highlighter.process_id == 0
