"""Changes as rows of a page: what, how much, when; open for the lines, with the way back at the end."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.records import ChangeInfo, FileDiff
from ui.notes import cautions, without_lines
from ui.window.approvals.facts import wrapping
from ui.window.approvals.wording import amount_text, kind_text
from ui.window.diff import DiffView
from ui.window.kinds import icon_of
from ui.window.parts import Choice, Elided, IconButton, label, plain_tip
from ui.window.theme import Theme
from ui.window.transcript.legible import legible
from ui.window.work.rows import counts, undo_button
from ui.window.work.undoing import name_of
from ui.words import _, clock

MOST_HEIGHT = 320
"""The most height of the lines of one file, in pixels of the design; more scrolls."""


def tool_word(change: ChangeInfo) -> str:
    """Return what was done, in plain words."""
    words = {
        "undo": _("Taken back"),
        "write_file": _("Wrote"),
        "edit_file": _("Edited"),
        "edit_lines": _("Edited"),
        "apply_patch": _("Patched"),
        "run_command": _("By a command"),
        "start_job": _("By a command"),
        "trash_file": _("To the trash"),
        "restore_file": _("Restored"),
        "move_file": _("Moved"),
        "copy_file": _("Copied"),
        "create_dir": _("Made a folder"),
        "archive": _("Archive"),
        "download_file": _("Downloaded"),
        "screenshot": _("Took a picture of the screen"),
        "spreadsheet": _("Changed a table"),
        "sqlite_query": _("Changed a database"),
        "calendar_add": _("Added to a calendar"),
        "email_draft": _("Drafted a mail"),
        "image_generate": _("Drew a picture"),
        "image_edit": _("Changed a picture"),
        "git_stash": _("Put aside or brought back by Git"),
        "git_checkout": _("Brought back by Git"),
        "git_commit": _("By a commit of Git"),
        "git_branch": _("By a branch of Git"),
        "git_sync": _("Pulled by Git"),
    }
    return words.get(change.tool, change.tool.replace("_", " ").capitalize())


class Lines(QWidget):
    """The lines of one change, file by file; made when a row is opened."""

    def __init__(self, theme: Theme, change: ChangeInfo) -> None:
        super().__init__()
        self._theme, self._files = theme, change.files
        self._column = QVBoxLayout(self)
        self._pick = Choice(theme, _("File"))
        for file in change.files:
            self._pick.addItem(f"{legible(file.shown)}  +{file.added} \u2212{file.removed}")
        self._pick.currentIndexChanged.connect(self._show)
        if len(change.files) > 1:
            self._column.addWidget(self._pick)
        else:
            self._pick.hide()
        self._says = wrapping("", "small")
        self._column.addWidget(self._says)
        self._diff = DiffView(theme)
        self._diff.set_choosable(False)
        self._column.addWidget(self._diff)
        self.set_theme(theme)
        self._show(0)

    def _show(self, index: int) -> None:
        if not 0 <= index < len(self._files):
            return
        file = self._files[index]
        said = [*cautions(file)] if file.hunks else [kind_text(file), without_lines(file), amount_text(file)]
        self._says.setText(legible(" ".join(filter(None, said))))
        self._says.setVisible(any(said))
        self._diff.setVisible(bool(file.hunks))
        if file.hunks:
            self._diff.show_file(file)
            self._diff.setFixedHeight(min(self._diff.content_height(), self._theme.px(MOST_HEIGHT)))

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self._column.setContentsMargins(0, theme.s4, 0, theme.s8)
        self._column.setSpacing(theme.s8)
        self._pick.set_theme(theme)
        self._diff.set_theme(theme)

    def end(self) -> None:
        """End the process that coloured the lines."""
        self._diff.end()


class ChangeRow(QWidget):
    """One change. `opened` asks for its lines, `show_lines` takes them."""

    opened = Signal(str)
    undo_asked = Signal(str)
    """What is to be taken back: the change, or the undo that took it back."""

    def __init__(self, theme: Theme, change: ChangeInfo, way_back: str, told: str) -> None:
        """`told` is the time that the head of its turn tells already."""
        super().__init__()
        self.change = change
        self._lines: Lines | None = None
        name, word = name_of(change), tool_word(change)
        self.setAccessibleName(f"{word}: {name}")
        self._column, self._line = QVBoxLayout(self), QHBoxLayout()
        self._icon = QLabel()
        self._line.addWidget(self._icon)
        self._word = label(word, "muted" if change.undone else "")
        self._line.addWidget(self._word)
        self._name = Elided("muted" if change.undone else "")
        self._name.setText(name)
        self._name.setToolTip(plain_tip("\n".join(legible(file.path) for file in change.files[:30])))
        self._line.addWidget(self._name, 1)
        if change.undone:
            self._line.addWidget(label(_("taken back"), "caption"))
        added, removed = sum(f.added for f in change.files), sum(f.removed for f in change.files)
        self._counts = counts(theme, added, removed)
        self._line.addWidget(self._counts)
        if clock(change.made) != told:
            self._line.addWidget(label(clock(change.made), "caption"))
        self._undo = undo_button(theme, change, lambda: self.undo_asked.emit(way_back))
        self._line.addWidget(self._undo)
        self._more = IconButton(
            theme, "chevron-right", _("Show the lines of {name}").replace("{name}", name), px=16
        )
        self._more.clicked.connect(self.flip)
        self._line.addWidget(self._more)
        self._column.addLayout(self._line)
        self.set_theme(theme)

    def held(self) -> str:
        """Return which button has the keyboard ("undo", or "more" for what opens its lines), "" for none."""
        held = self.window().focusWidget()
        if held is self._undo:
            return "undo"
        return "more" if self.isAncestorOf(held) else ""

    def hold(self, part: str) -> None:
        """Give one of the buttons the keyboard."""
        (self._undo if part == "undo" else self._more).setFocus()

    def flip(self) -> None:
        """Show the lines, or hide them."""
        if self._lines is not None:
            self.end()
            self._lines.hide()
            self._lines.deleteLater()
            self._lines = None
            self._show_arrow()
        else:
            self.opened.emit(self.change.id)

    def show_lines(self, change: ChangeInfo) -> None:
        """Show the lines of the change."""
        if self._lines is None:
            shown = {file.path: file.shown for file in self.change.files}
            files = tuple(_named(file, shown) for file in change.files)
            import msgspec

            self._lines = Lines(self._theme, msgspec.structs.replace(change, files=files))
            self._column.addWidget(self._lines)
            self._show_arrow()

    def end(self) -> None:
        """End what runs for the row."""
        if self._lines is not None:
            self._lines.end()

    def _show_arrow(self) -> None:
        self._more.show_icon(self._theme, "chevron-down" if self._lines is not None else "chevron-right")

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        first = self.change.files[0] if self.change.files else None
        icon = "undo-2" if self.change.undone or self.change.undoes else icon_of(first) if first else "file"
        self._icon.setPixmap(theme.pixmap(icon, "muted", 16, self.devicePixelRatioF()))
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._line.setSpacing(theme.s8)
        self._undo.setIcon(theme.icon("undo-2", "muted"))
        self._undo.setIconSize(QSize(theme.px(14), theme.px(14)))
        self._more.set_theme(theme)
        if self._lines is not None:
            self._lines.set_theme(theme)


def _named(file: FileDiff, shown: dict[str, str]) -> FileDiff:
    """The journal keeps whole paths; the row says how the person knows the file."""
    import msgspec

    return msgspec.structs.replace(file, shown=shown.get(file.path, file.shown))
