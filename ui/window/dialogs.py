"""The system's own dialogs: pick a folder, a file to save to, a file to open. None of them blocks the
window's events."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from ui.language import _


def pick_folder(parent: QWidget, start: str, taken: Callable[[str], object], title: str = "") -> None:
    """Let the person choose a folder, by default the one to work in."""
    dialog = QFileDialog(parent, title or _("Choose the folder that Bramble works in"), start)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly, True)
    _open(dialog, taken)


def pick_new_file(parent: QWidget, title: str, name: str, kinds: str, taken: Callable[[str], object]) -> None:
    """Let the person name a file to write; `kinds` as Qt wants them ("Markdown (*.md)")."""
    dialog = QFileDialog(parent, title, name, kinds)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.selectFile(name)
    _open(dialog, taken)


def pick_file(parent: QWidget, title: str, folder: str, kinds: str, taken: Callable[[str], object]) -> None:
    """Let the person choose a file that exists."""
    dialog = QFileDialog(parent, title, folder, kinds)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    _open(dialog, taken)


def pick_files(parent: QWidget, folder: str, taken: Callable[[Sequence[str]], object]) -> None:
    """Let the person choose files to attach."""
    dialog = QFileDialog(parent, _("Choose files to attach"), folder)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    dialog.filesSelected.connect(lambda paths: taken(paths) if paths else None)
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()


def pick_certificates(parent: QWidget, now: str, taken: Callable[[str], object]) -> None:
    """Let the person choose a file of certificates to trust beside those of the system."""
    kinds = _("Certificates (*.pem *.crt *.cer)")
    pick_file(parent, _("Choose a file of certificates"), now, kinds, taken)


def ask(parent: QWidget, title: str, words: str, yes: str, done: Callable[[], object], no: str = "") -> None:
    """Ask before something that cannot be undone; Enter and Esc both leave it alone. `no` names that."""
    box = QMessageBox(QMessageBox.Icon.NoIcon, title, words, QMessageBox.StandardButton.NoButton, parent)
    agree = box.addButton(yes, QMessageBox.ButtonRole.AcceptRole)
    leave = box.addButton(no or _("Leave it"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(leave)
    box.setEscapeButton(leave)
    box.finished.connect(lambda code: done() if box.clickedButton() is agree else None)
    box.finished.connect(box.deleteLater)
    box.open()


def _open(dialog: QFileDialog, taken: Callable[[str], object]) -> None:
    dialog.fileSelected.connect(lambda path: taken(path) if path else None)
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
