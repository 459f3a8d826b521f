"""What a person does to let files go with a message: drop or choose them, name one, look at one."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.attachment_records import Attachment
from ui.language import _
from ui.window import dialogs
from ui.window.local_files import openable
from ui.window.remedies import open_file, open_folder

if TYPE_CHECKING:
    from ui.window.composer.chips import Thing
    from ui.window.composer.incoming import Incoming
    from ui.window.furniture import Furniture
    from ui.window.life import Life


class Bringing(QObject):
    """Files go with what is written here; over a helper's transcript nothing is."""

    def __init__(self, life: Life, rest: Furniture) -> None:
        super().__init__()
        self._life, self._rest = life, rest

    def bring(self, incoming: Incoming) -> None:
        """Attach what was dropped."""
        if not self._rest.helping.refuses():
            self._rest.attaching.bring(incoming)

    def pick(self) -> None:
        """Let the person choose files that go with the message."""
        if self._rest.helping.refuses():
            return
        dialogs.pick_files(self._life.window, self._life.conversation.folder(), self._rest.attaching.add)

    def pick_folder(self) -> None:
        """Let the person choose a folder whose names go with the message."""
        if self._rest.helping.refuses():
            return
        title, start = _("Choose a folder to attach"), self._life.conversation.folder()
        dialogs.pick_folder(self._life.window, start, lambda path: self._rest.attaching.add([path]), title)

    def attach_below(self, path: str) -> None:
        """Attach a file of the working folder, or of elsewhere by its whole path."""
        whole = os.path.join(self._life.conversation.folder(), os.path.expanduser(path))
        self._rest.attaching.add([whole])

    def show_attachment(self, attachment: Attachment) -> None:
        """Show a picture or text that a message brought."""
        from ui.window.viewer import Viewer

        Viewer(self._life.window, self._life.window.theme, self._life.bridge, attachment).open()

    def show_thing(self, thing: Thing) -> None:
        """Show what is to go with the message: what is read here, a file by the system's program for it."""
        if thing.known is not None:
            self.show_attachment(thing.known)
            return
        path = thing.path
        if thing.kind == "folder":
            open_folder(path)
            return

        async def find(engine: object) -> str:
            return await asyncio.to_thread(openable, path, (os.path.dirname(path),))

        words = _("This kind of file is not opened from here.")
        if path:
            self._life.bridge.call(
                find, lambda real: open_file(real) if real else self._rest.toast.say(words)
            )
