"""Open the window: claim the home, show the frame, and build the rest after its first paint."""

from __future__ import annotations

import contextlib
import gc
import logging
import os
import sys
from typing import TYPE_CHECKING

from ui.window.trace import trace

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication, QWidget


def open_window(argv: list[str]) -> int:
    """Open the window of this home, or hand `argv` to the one that is open; returns the exit code."""
    gc.disable()  # until the first conversation stands: start-up makes many objects and drops few
    skip_source_scan()
    from app.platform.paths import home, make_private
    from ui.window.desktop.single import SingleWindow

    ours = home(os.environ)
    with contextlib.suppress(OSError):  # a home that cannot be written to still opens, for reading
        make_private(ours.runtime)
    single = SingleWindow(ours.runtime)
    if not single.claim():
        return 0 if single.tell(argv) else _unanswered()
    if not _has_display():
        print("Bramble needs a display for its window. In a terminal, use: bramble chat", file=sys.stderr)
        return 1
    from ui.language import use_language
    from ui.window.remembered import read
    from ui.window.theme import make_theme

    remembered = read(ours.data / "window.json")
    remembered.here = _here(str(ours.data))
    app = _application(use_language(remembered.language))
    theme = make_theme(remembered.theme, remembered.font_size, reduced_motion=remembered.reduced_motion)
    theme.apply(app)

    from ui.window.first_paint import FirstPaint
    from ui.window.main_window import MainWindow

    window = MainWindow(theme)
    if not remembered.panel:
        window.chat.panel_side.wanted = False
    window.resize(remembered.width, remembered.height)
    fit(window)
    window.chat.composer.editor.setPlainText(remembered.drafts.get(remembered.session, ""))
    window.showMaximized() if remembered.maximised else window.show()
    window.chat.composer.editor.setFocus()
    painted = FirstPaint(window)

    def complete() -> None:
        trace("frame")
        fit(window)
        from app import logs

        logs.install(ours.logs, os.environ)
        from ui.window.bridge import Bridge

        bridge = Bridge(ours, window)
        bridge.start()
        try:
            from ui.window.life import Life

            app.life = Life(app, window, ours, single, remembered, argv, bridge)  # type: ignore[attr-defined]
        except Exception:  # the entry point: a window that is only half there must not stay
            logging.getLogger(__name__).exception("the window could not be built")
            bridge.stop()
            app.exit(1)

    painted.painted.connect(complete)
    return app.exec()


def _application(language: str) -> QApplication:
    """Return Qt's application, named, in our style and in the direction of the language."""
    from PySide6.QtWidgets import QApplication

    QApplication.setApplicationName("bramble")
    QApplication.setApplicationDisplayName("Bramble")
    QApplication.setDesktopFileName("bramble")
    # The style by an argument: `setStyle` returns it, for which PySide would build every class of styles.
    app = QApplication([*sys.argv[:1], "-style", "Fusion"])
    _set_direction(app, language)
    return app


def fit(window: QWidget) -> None:
    """Make a window that is larger than its screen as large as that; its frame counts once it has one."""
    frame, room = window.frameGeometry(), window.screen().availableGeometry()
    if window.isMaximized() or (frame.width() <= room.width() and frame.height() <= room.height()):
        return
    over_width, over_height = max(0, frame.width() - room.width()), max(0, frame.height() - room.height())
    window.resize(window.width() - over_width, window.height() - over_height)


def skip_source_scan() -> None:
    """Keep PySide from reading the source text of every module that is imported later.

    It looks there for `from __feature__ import snake_case`, which nothing here uses; the scan costs more
    than a third of a millisecond a module (napari/napari#8584). Where a version of PySide has no such
    scan, nothing happens.
    """
    import PySide6.QtCore  # noqa: F401

    scan = sys.modules.get("shibokensupport.feature")
    if scan is not None and hasattr(scan, "_mod_uses_pyside"):
        setattr(scan, "_mod_uses_pyside", lambda module: False)  # noqa: B010


def _here(data: str) -> str:
    from ui.window.remembered import started_in

    try:
        folder = os.getcwd()
    except OSError:  # it was deleted meanwhile
        return ""
    program = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    return started_in(folder, os.path.expanduser("~"), program, data)


def _unanswered() -> int:
    print("Another Bramble holds this home and does not answer. End it, then start again.", file=sys.stderr)
    return 1


def _has_display() -> bool:
    """Tell whether Qt can open a window; without a display it would abort instead of saying so."""
    if sys.platform in ("win32", "darwin") or os.environ.get("QT_QPA_PLATFORM"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _set_direction(app: object, language: str) -> None:
    from PySide6.QtCore import QLocale, Qt
    from PySide6.QtWidgets import QApplication

    assert isinstance(app, QApplication)
    mirrored = QLocale(language).textDirection() == Qt.LayoutDirection.RightToLeft
    app.setLayoutDirection(Qt.LayoutDirection.RightToLeft if mirrored else Qt.LayoutDirection.LeftToRight)
