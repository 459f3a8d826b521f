"""Shows one attachment of a message: a picture, or the text that the model was given."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication, QPixmap, QResizeEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPlainTextEdit, QSizePolicy, QVBoxLayout, QWidget

from app.attachment_records import Attachment
from app.records import Picture
from ui.language import _
from ui.window.bridge import Bridge
from ui.window.parts import Elided, button
from ui.window.theme import Theme
from ui.window.transcript.gallery import Gallery
from ui.window.transcript.legible import encodable, legible

LONGEST = 2_000
"""Pixels of the longer side of a picture; those that were attached are smaller."""
WIDTH, HEIGHT = 760, 620
"""The most that it takes, in pixels of the design."""


class Viewer(QDialog):
    """Esc closes it."""

    def __init__(self, parent: QWidget, theme: Theme, bridge: Bridge, shown: Attachment) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._theme, self._bridge, self._shown = theme, bridge, shown
        name = legible(" ".join(shown.name.split()))
        self.setWindowTitle(legible(shown.title))
        self._title = Elided("heading")
        self._title.setText(legible(shown.title))
        where = Elided("caption")
        where.setText(name)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.s20, theme.s16, theme.s20, theme.s16)
        column.setSpacing(theme.s8)
        column.addWidget(self._title)
        column.addWidget(where)
        where.setVisible(name != legible(shown.title))
        column.addSpacing(theme.s4)
        self.body = self._picture(shown.picture) if shown.picture is not None else self._text()
        column.addWidget(self.body, 1)
        foot = QHBoxLayout()
        foot.addStretch(1)
        if shown.picture is None:
            foot.addWidget(button(_("Copy"), "", self._copy))
        self.done_button = button(_("Close"), "main", self.close)
        self.done_button.setDefault(True)
        foot.addWidget(self.done_button)
        column.addSpacing(theme.s4)
        column.addLayout(foot)
        room = parent.window().size()
        self.resize(min(theme.px(WIDTH), room.width() - 40), min(theme.px(HEIGHT), room.height() - 40))
        self.done_button.setFocus()

    def _text(self) -> QWidget:
        """Return the text as it was sent; what would hide in it stands as a mark."""
        field = QPlainTextEdit()
        field.setProperty("box", "field")
        field.setProperty("mono", "true")
        field.setReadOnly(True)
        field.setAccessibleName(_("What the model was given"))
        field.setPlainText(legible(self._shown.text))
        return field

    def _picture(self, picture: Picture) -> QWidget:
        self._gallery = Gallery(LONGEST)
        self._gallery.setParent(self)
        feed(self._gallery, self._bridge)
        area = Fitted(legible(self._shown.title))
        self._gallery.ready.connect(lambda id: self._show_picture(area, picture))
        image = self._gallery.image(picture)
        assert image is None, "a new gallery is empty"
        return area

    def _show_picture(self, area: Fitted, picture: Picture) -> None:
        image = self._gallery.image(picture)
        if image is None:
            area.setText(_("This picture is not there any more."))
        else:
            area.show_pixmap(QPixmap.fromImage(image))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(encodable(self._shown.text))


class Fitted(QLabel):
    """A picture as large as there is room, never larger than it is."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._whole = QPixmap()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.setAccessibleName(name)

    def show_pixmap(self, whole: QPixmap) -> None:
        """Show this picture."""
        self._whole = whole
        self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(80, 80)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        if self._whole.isNull():
            return
        ratio = self.devicePixelRatioF()
        most = self.size() * ratio
        size = self._whole.size()
        if size.width() > most.width() or size.height() > most.height():
            size = size.scaled(most, Qt.AspectRatioMode.KeepAspectRatio)
        fit = self._whole.scaled(
            size, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
        fit.setDevicePixelRatio(ratio)
        self.setPixmap(fit)


def feed(gallery: Gallery, bridge: Bridge) -> None:
    """Let a gallery get the pictures that it wants from the engine."""

    def give(picture: Picture) -> None:
        bridge.call(
            lambda engine: engine.attachments.picture(picture.id),
            lambda data: gallery.take(picture.id, data),
            lambda problem: gallery.miss(picture.id),
        )

    gallery.wanted.connect(give)
