"""The tab of changes: what waits for an answer, what was written, each with its undo, and what the turn
cost."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from app.records import Approval, ChangeInfo, FileDiff, FilesEffect, Usage
from ui.language import _, plural
from ui.spending_words import Line, turn_text
from ui.window.kinds import icon_of
from ui.window.parts import button
from ui.window.theme import Theme
from ui.window.work.rows import Column, counts, heading, line, quiet, undo_button
from ui.window.work.undoing import listed, name_of, way_back


class ChangesTab(Column):
    """What happened to files in one conversation."""

    undo_asked = Signal(str)
    review_asked = Signal(str)
    """An approval's id: its files are to be reviewed."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(_("Changes"), theme)
        self._changes: tuple[ChangeInfo, ...] = ()
        self._waiting: tuple[Approval, ...] = ()
        self._usage: Usage | None = None
        self._cost: float | None = None
        self._sandbox = ""
        self._account: tuple[Line, ...] = ()
        self._buttons: dict[str, QPushButton] = {}
        """The button of each change: the keyboard stays at it when the rows are made anew."""
        self._draw()

    def show_changes(self, changes: Sequence[ChangeInfo]) -> None:
        """Show the journaled changes of the conversation; an undo only marks what it took back."""
        self._changes = tuple(sorted(changes, key=lambda change: change.made, reverse=True))
        self._draw()

    def show_waiting(self, approvals: Sequence[Approval]) -> None:
        """Show the files of the questions that wait."""
        if tuple(approvals) != self._waiting:
            self._waiting = tuple(approvals)
            self._draw()

    def show_usage(self, usage: Usage | None, cost: float | None) -> None:
        """Show what the last turn used; None hides it."""
        self._usage, self._cost = usage, cost
        self._draw()

    def show_account(self, account: tuple[Line, ...]) -> None:
        """Show what the conversation and the day cost; () hides it."""
        if account != self._account:
            self._account = account
            self._draw()

    def show_sandbox(self, name: str) -> None:
        """Show what holds commands, "" for nothing."""
        if name != self._sandbox:
            self._sandbox = name
            self._draw()

    def newest(self) -> str:
        """Return the newest change that is not undone, "" for none."""
        return next((change.id for change in listed(self._changes) if not change.undone), "")

    def is_undo(self, change: str) -> bool:
        """Whether a change took others back, so that taking it back lets them stand again."""
        return any(one.id == change and one.undoes for one in self._changes)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self.theme = theme
        self._draw()

    def _draw(self) -> None:
        held = next((id_ for id_, one in self._buttons.items() if one is self.window().focusWidget()), "")
        self._buttons = {}
        parts = [*self._waiting_rows(), *self._change_rows(), *self._usage_rows(), *self._account_rows()]
        self.fill(
            parts or [quiet(self.theme, _("What Bramble changes shows here, and can be taken back here."))]
        )
        if held in self._buttons:
            self._buttons[held].setFocus()

    def _waiting_rows(self) -> list[QWidget]:
        rows: list[QWidget] = []
        for approval in self._waiting:
            if isinstance(approval.effect, FilesEffect):
                rows += [self._file(file) for file in approval.effect.files]
        if rows:
            rows.append(quiet(self.theme, _("Waiting for you. Nothing is written yet.")))
            rows.append(self._review())
        return rows

    def _review(self) -> QPushButton:
        first = next(one for one in self._waiting if isinstance(one.effect, FilesEffect))
        return button(_("Review"), "link", lambda: self.review_asked.emit(first.id))

    def _file(self, file: FileDiff) -> QWidget:
        amount = counts(self.theme, file.added, file.removed)
        return line(self.theme, icon_of(file), file.shown, amount, tip=file.path)

    def _change_rows(self) -> list[QWidget]:
        shown = listed(self._changes)
        if not shown:
            return []
        words = _("Earlier in this conversation") if self._waiting else _("In this conversation")
        return [heading(self.theme, words), *(self._change(change) for change in shown)]

    def _change(self, change: ChangeInfo) -> QWidget:
        theme, first = self.theme, change.files[0] if change.files else None
        name = name_of(change)
        amount = counts(theme, sum(f.added for f in change.files), sum(f.removed for f in change.files))
        icon = "undo-2" if change.undone else icon_of(first) if first else "file"
        tip = "\n".join(file.path for file in change.files)
        way = way_back(self._changes, change)
        undo = self._buttons[change.id] = undo_button(theme, change, lambda: self.undo_asked.emit(way))
        return line(theme, icon, name, amount, undo, tip=tip)

    def _usage_rows(self) -> list[QWidget]:
        if self._usage is None or not self._usage.input + self._usage.output:
            return []
        usage, theme = self._usage, self.theme
        words = plural("{n} token", "{n} tokens", usage.input + usage.output)
        words = words.replace(str(usage.input + usage.output), f"{usage.input + usage.output:,}")
        if usage.cached:
            words += ", " + _("{n} from cache").replace("{n}", f"{usage.cached:,}")
        if not usage.exact:
            words = _("about {words}").replace("{words}", words)
        rows: list[QWidget] = [heading(theme, _("This turn")), line(theme, "message-square", words)]
        rows.append(line(theme, "coins", turn_text(usage, self._cost)))
        if self._sandbox:
            rows.append(line(theme, "shield-check", _("Sandbox: {name}").replace("{name}", self._sandbox)))
        return rows

    def _account_rows(self) -> list[QWidget]:
        """One row for each line; one whose limit is near has a sign of its own, and says so in words."""
        rows: list[QWidget] = [heading(self.theme, _("Cost"))] if self._account else []
        for one in self._account:
            icon = "triangle-alert" if one.near else "coins"
            near = _("The limit of the settings is near.") if one.near else ""
            tip = "\n".join(filter(None, [f"{one.name}: {one.whole}", near]))
            rows.append(line(self.theme, icon, f"{one.name}: {one.words}", tip=tip))
        return rows
