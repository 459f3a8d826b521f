"""What goes with the message that is being written, from the moment it is brought to the moment it is sent:
one list for each conversation, read by the engine when the message goes out.

A text whose attachments cannot be read stays in its field with all of them, and each says what hinders it.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QBuffer, QObject, QRunnable, Qt, QThreadPool, Signal
from PySide6.QtGui import QImage

from app.attachment_records import MOST_PICTURES, Looked, attachments_of, joined
from app.records import Problem
from ui import slash
from ui.attachment_words import MOST
from ui.language import _
from ui.window.bridge import Bridge, Ticket
from ui.window.composer.chips import Chips, Thing
from ui.window.composer.composer import Composer
from ui.window.composer.incoming import Incoming
from ui.window.conversation import Conversation
from ui.window.outbox import Outbox
from ui.window.remembered import Remembered
from ui.window.transcript.gallery import Gallery

TEXT_CAP = 256 * 1024
"""Bytes of all parts of a message, as the engine has it."""


class Attaching(QObject):
    """Owns the things of the message that is being written in the conversation that is shown."""

    said = Signal(str)
    """Something to be told in a toast."""
    opened = Signal(object)
    """The person wants to see a Thing."""
    _packed = Signal(object, bytes)

    def __init__(
        self,
        bridge: Bridge,
        composer: Composer,
        conversation: Conversation,
        outbox: Outbox,
        remembered: Remembered,
        gallery: Gallery,
    ) -> None:
        super().__init__()
        self._bridge, self._composer, self._conversation = bridge, composer, conversation
        self._outbox, self._remembered, self._gallery = outbox, remembered, gallery
        self.chips: Chips = composer.put_chips()
        self.things: list[Thing] = []
        self._session = conversation.session
        self._reading: tuple[str, bool] | None = None
        """The words that wait for what goes with them, and whether they are for the running answer."""
        self._parts: dict[int, str] = {}
        """What was read of things by their place."""
        self._ticket: Ticket | None = None
        self._count = 0
        """Pictures that were pasted so far, for their names."""
        self._sees = True
        self._connect()
        self._restore()

    def _connect(self) -> None:
        composer, chips = self._composer, self.chips
        composer.editor.brought.connect(self.bring)
        composer.reading_stopped.connect(self.cancel)
        chips.removed.connect(self.remove)
        chips.opened.connect(self.opened)
        chips.cancelled.connect(self.cancel)
        chips.left.connect(composer.editor.setFocus)
        self._conversation.changed.connect(self._follow)
        self._conversation.stored.connect(self._stored)
        self._outbox.returned.connect(self._returned)
        self._gallery.ready.connect(self._show_kept)
        self._packed.connect(self._keep_picture, Qt.ConnectionType.QueuedConnection)

    # --- what comes and goes ------------------------------------------------------------

    def bring(self, incoming: Incoming) -> None:
        """Take what was dropped or pasted; nothing more while the message is on its way."""
        if self._reading is not None:
            return
        if incoming.paths:
            self.add(incoming.paths)
        elif incoming.data:
            self._keep_picture(self._pasted(), incoming.data)
        elif incoming.image is not None:
            thing = self._pasted()
            QThreadPool.globalInstance().start(_Packing(self, thing, incoming.image))

    def add(self, paths: Sequence[str]) -> None:
        """Attach files and folders; what stands there already does so once."""
        if self._reading is not None:
            return
        there = {thing.path for thing in self.things}
        fresh = [path for path in dict.fromkeys(paths) if path not in there]
        room = max(0, MOST - len(self.things))
        for path in fresh[:room]:
            thing = Thing(name=_name_of(path), path=path)
            self.things.append(thing)
            self._look(thing)
        if len(fresh) > room:
            words = _("One message can bring {n} files. Attach their folder instead.")
            self.said.emit(words.replace("{n}", str(MOST)))
        self._changed()

    def add_parts(self, parts: Sequence[str]) -> None:
        """Attach what was read already: of a message that is edited, or that could not be sent."""
        there = {thing.part for thing in self.things}
        self.things += [_of_part(part) for part in parts if part not in there]
        self._changed()

    def replace(self, parts: Sequence[str]) -> None:
        """Attach these parts and nothing else."""
        if self._reading is None:
            self.things = []
            self.add_parts(parts)

    def remove(self, thing: Thing) -> None:
        """Take one thing away."""
        if self._reading is None and thing in self.things:
            self.things.remove(thing)
            self._changed()

    def _pasted(self) -> Thing:
        self._count += 1
        number = "" if self._count == 1 else f" {self._count}"
        thing = Thing(name=_("Pasted picture") + number, kind="picture", state="keeping")
        self.things.append(thing)
        self._changed()
        return thing

    def _keep_picture(self, thing: Thing, data: bytes) -> None:
        session, name = self._session, thing.name
        self._bridge.call(
            lambda engine: engine.attachments.keep_picture(data, name),
            lambda part: self._kept(session, thing, part),
            lambda problem: self._not_kept(thing, problem),
        )

    def _kept(self, session: str, thing: Thing, part: str) -> None:
        thing.state = ""
        if thing in self.things:
            thing.part, thing.known = part, attachments_of(part)[0]
            self._changed()
        elif session != self._session:  # another conversation was opened meanwhile
            self._remembered.attached.setdefault(session, []).append(["", part])
        self._go_on()

    def _not_kept(self, thing: Thing, problem: Problem) -> None:
        thing.state, thing.problem = "", problem
        self.chips.refresh(thing)
        self._go_on()

    def _look(self, thing: Thing) -> None:
        path = thing.path
        self._bridge.call(
            lambda engine: engine.attachments.look(path),
            lambda found: self._looked(thing, found),
            lambda problem: self._hindered(thing, problem),
        )

    def _looked(self, thing: Thing, found: Looked) -> None:
        thing.kind, thing.size = found.kind, found.size
        if found.thumbnail:
            image = QImage.fromData(found.thumbnail)
            thing.image = None if image.isNull() else image
        self.chips.refresh(thing)
        self._hint()

    def _hindered(self, thing: Thing, problem: Problem) -> None:
        thing.problem = problem
        self.chips.refresh(thing)

    def _show_kept(self, id: str) -> None:
        for thing in self.things:
            if thing.known is not None and thing.known.picture is not None and thing.known.picture.id == id:
                self._changed()
                return

    # --- showing ------------------------------------------------------------

    def _changed(self) -> None:
        for thing in self.things:
            known = thing.known
            if known is not None and known.picture is not None and thing.image is None:
                thing.image = self._gallery.image(known.picture)
                self.chips.refresh(thing)
        kept = [[thing.path, thing.part] for thing in self.things if thing.path or thing.part]
        if kept:
            self._remembered.attached[self._session] = kept
        else:
            self._remembered.attached.pop(self._session, None)
        self.chips.show_things(self.things)
        for thing in self.things:
            self.chips.refresh(thing)
        self._composer.set_loaded(bool(self.things))
        self._hint()

    def _follow(self) -> None:
        """Show the things of the conversation that is shown now, and know whether its model sees."""
        if self._conversation.session != self._session:
            self.cancel()
            self._session = self._conversation.session
            self._restore()
        self.look_at_model()

    def _stored(self, session: str) -> None:
        """The new conversation has its place now; what was brought meanwhile is for its next message."""
        self._session = session

    def look_at_model(self) -> None:
        """Ask whether the model takes pictures."""
        info = self._conversation.info
        name = info.model if info is not None else self._outbox.model
        if any(thing.kind == "picture" for thing in self.things):
            self._bridge.call(lambda engine: engine.models.sees(name), self._know)

    def _know(self, sees: bool) -> None:
        self._sees = sees
        self._show_hint()

    def _hint(self) -> None:
        self._show_hint()
        self.look_at_model()

    def _show_hint(self) -> None:
        blind = not self._sees and any(thing.kind == "picture" for thing in self.things)
        self.chips.show_hint(
            _("This model does not see pictures. It is told their names only.") if blind else ""
        )

    def _restore(self) -> None:
        self.things = []
        for path, part in self._remembered.attached.get(self._session, ()):
            if part:
                self.things.append(_of_part(part))
            else:
                self.things.append(Thing(name=_name_of(path), path=path))
        for thing in self.things:
            if thing.path:
                self._look(thing)
        self._changed()

    # --- sending ------------------------------------------------------------

    def send(self, text: str, *, steer: bool = False) -> None:
        """Send a text with its things once they are read; a text without any goes at once."""
        if not self.things:
            (self._outbox.steer if steer else self._outbox.send)(text)
            return
        if self._reading is not None:
            return
        self._composer.editor.replace(f"/{text}" if slash.split(text) else text)  # as it was written
        self._reading, self._parts = (text, steer), {}
        self._composer.set_reading(True)
        for thing in self.things:
            if thing.path or thing.part:
                thing.problem = None
        self._go_on()

    def cancel(self) -> None:
        """Stop reading: the text and its things stay as they are."""
        if self._ticket is not None:
            self._ticket.cancel()
        if self._reading is not None:
            self._stop_reading()

    def _stop_reading(self) -> None:
        self._reading, self._ticket = None, None
        self._composer.set_reading(False)
        self.chips.show_progress("")
        for thing in self.things:
            if thing.state == "reading":
                thing.state = ""
            self.chips.refresh(thing)

    def _go_on(self) -> None:
        """Read the next thing, or send when all were read."""
        if self._reading is None or any(thing.state == "reading" for thing in self.things):
            return
        for at, thing in enumerate(self.things):
            if thing.state == "keeping":
                return
            if thing.part and at not in self._parts:
                self._parts[at] = thing.part
            if at not in self._parts and thing.problem is None:
                self._read(at, thing)
                return
        self._finish()

    def _read(self, at: int, thing: Thing) -> None:
        count = len(self.things)
        words = _("Reading {at} of {n}").replace("{at}", str(at + 1)).replace("{n}", str(count))
        self.chips.show_progress(words)
        thing.state = "reading"
        self.chips.refresh(thing)
        left = TEXT_CAP - sum(len(part.encode("utf-8", "surrogatepass")) for part in self._parts.values())
        path = thing.path

        def read(part: str) -> None:
            thing.state = ""
            self._parts[at] = part
            self.chips.refresh(thing)
            self._go_on()

        def failed(problem: Problem) -> None:
            thing.state, thing.problem = "", problem
            self.chips.refresh(thing)
            self._go_on()

        current = self._reading
        self._ticket = self._bridge.call(
            lambda engine: engine.attachments.part(path, max(0, left)),
            lambda part: read(part) if self._reading is current else None,
            lambda problem: failed(problem) if self._reading is current else None,
        )

    def _finish(self) -> None:
        """Send, unless something could not be read."""
        assert self._reading is not None
        text, steer = self._reading
        parts = [self._parts[at] for at in sorted(self._parts)]
        self._limit_pictures()
        self._stop_reading()
        if any(thing.problem is not None for thing in self.things):
            self._composer.editor.setFocus()
            self.said.emit(_("Not sent yet: something could not be attached. Take it away, or mend it."))
            return
        self.things = []
        self._changed()
        self._composer.editor.replace("")
        whole = joined(text if text.strip() else "", parts)
        (self._outbox.steer if steer else self._outbox.send)(whole)

    def _limit_pictures(self) -> None:
        pictures = 0
        for at, thing in enumerate(self.things):
            pictures += any(part.picture is not None for part in attachments_of(self._parts.get(at, "")))
            if pictures > MOST_PICTURES:
                thing.problem = thing.problem or Problem(
                    code="too_many_pictures", fields={"most": str(MOST_PICTURES)}
                )

    def _returned(self, session: str, parts: Sequence[str]) -> None:
        """A message could not be sent: what it brings stands above its text again."""
        if session == self._session:
            self.add_parts(parts)
        else:
            self._remembered.attached.setdefault(session, []).extend(["", part] for part in parts)


class _Packing(QRunnable):
    """Makes the bytes of a picture that a system gave without any."""

    def __init__(self, owner: Attaching, thing: Thing, image: QImage) -> None:
        super().__init__()
        self._owner, self._thing, self._image = owner, thing, image

    def run(self) -> None:
        buffer = QBuffer()
        buffer.open(QBuffer.OpenModeFlag.WriteOnly)
        self._image.save(buffer, "PNG")  # type: ignore[call-overload]
        try:
            self._owner._packed.emit(self._thing, bytes(buffer.data().data()))
        except RuntimeError:
            return  # the window is gone


def _name_of(path: str) -> str:
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2] or path


def _of_part(part: str) -> Thing:
    found = attachments_of(part)
    if not found:
        return Thing(name=part, part=part)
    known = found[0]
    size = len(known.text.encode("utf-8", "surrogatepass")) if known.kind == "file" else 0
    return Thing(name=known.title, part=part, kind=known.kind, size=size, known=known)
