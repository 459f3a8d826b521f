"""The page of MCP servers: what each is doing, what waits for the person, and how one more comes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from app.events import Event, ServersChanged, SignInAsked
from app.mcp_offers import Offer, Way
from app.records import Problem, ServerInfo
from ui.places import tilde
from ui.server_words import summary_text
from ui.window import dialogs
from ui.window.bridge import Bridge, Ticket
from ui.window.pages.page import Card, Page
from ui.window.pages.server_card import ServerCard
from ui.window.pages.server_form import EXAMPLE, AddServer, NewServer
from ui.window.parts import button, label
from ui.window.theme import Theme
from ui.window.transcript.legible import legible
from ui.words import _, problem_text

Work = Callable[[Any], Awaitable[Any]]


class ServersPage(Page):
    """Reads the servers whenever one changes, here, in the terminal or in an editor."""

    said = Signal(str, object)
    """What was done, and how to take it back (or None)."""
    open_asked = Signal(str)

    def __init__(self, bridge: Bridge, theme: Theme) -> None:
        super().__init__(theme, _("Servers"), _("Looking…"))
        self._bridge = bridge
        self._open: set[str] = set()
        self._signing: Ticket | None = None
        self._signing_in = ""
        """The server that the person signs in to just now."""
        self._arriving = ""
        """The server that was just added and gets the keyboard as soon as its card is there."""
        self.cards: dict[str, ServerCard] = {}
        self.form = AddServer(theme, bridge)
        self.form.wanted.connect(self._add)
        self.form.install_wanted.connect(self._install)
        self.add_action(button(_("Add a server"), "main", self.open_form))
        self.column.addWidget(self.form)
        self._first = self.column.count()
        self._empty: Card | None = None
        self._trouble: Card | None = None
        self.column.addStretch(1)
        self.read()

    def open_form(self, way: str = "registry") -> None:
        """Show the form for a new server."""
        self.form.open_form(way)
        self.area.ensureWidgetVisible(self.form)

    def apply(self, event: Event) -> None:
        """Follow servers that come, go and change; open the page of a sign-in that was begun here."""
        if isinstance(event, ServersChanged):
            self.read()
        elif isinstance(event, SignInAsked):
            QDesktopServices.openUrl(QUrl(event.url))
            self.said.emit(_("Your browser shows where to sign in."), None)

    def read(self) -> None:
        """Read the servers again."""

        async def listed(engine: Any) -> Sequence[ServerInfo]:
            found: Sequence[ServerInfo] = await engine.mcp.list()
            return found

        self._bridge.call(listed, self.show_servers, self._problem)

    # --- showing -------------------------------------------------------------------------------------------

    def show_servers(self, servers: Sequence[ServerInfo]) -> None:
        """Show these servers; a card whose server is as it was stays, and with it the keyboard."""
        self.sentence.setText(summary_text(servers))
        self._drop_trouble()
        names = [info.id for info in servers]
        for id in [id for id in self.cards if id not in names]:
            self._drop(self.cards.pop(id))
        for at, info in enumerate(servers):
            card = self.cards.get(info.id)
            if card is None or card.info != info or card.signing != (info.id == self._signing_in):
                self._put(at, info, card)
            elif self.column.indexOf(card) != self._first + at:
                self.column.insertWidget(self._first + at, card)
        self._show_empty(not servers)
        self._greet()

    def _greet(self) -> None:
        """Give the keyboard to the card of the server that was just added."""
        card = self.cards.get(self._arriving)
        if card is not None:
            self._arriving = ""
            card.take_keyboard()
            self.area.ensureWidgetVisible(card)

    def _put(self, at: int, info: ServerInfo, old: ServerCard | None) -> None:
        focus = self.window().focusWidget()  # also while another program has the keyboard
        inside = old is not None and focus is not None and old.isAncestorOf(focus)
        held = (focus.accessibleName(), type(focus)) if inside and focus is not None else None
        made = ServerCard(self.theme, info, open=info.id in self._open, signing=info.id == self._signing_in)
        made.wanted.connect(self._act)
        made.opened.connect(self._remember)
        if old is not None:
            self._drop(old)
        self.cards[info.id] = made
        self.column.insertWidget(self._first + at, made)
        made.show()  # what is hidden holds no keyboard
        if held is not None:
            parts = [one for one in made.findChildren(QWidget) if isinstance(one, held[1])]
            same = [one for one in parts if one.accessibleName() == held[0]]
            wanted = next(iter([*same, *parts]), None)
            if wanted is not None:
                wanted.setFocus()
            else:  # its button went with the state that it was for
                made.take_keyboard()

    def _drop(self, card: QWidget) -> None:
        self.column.removeWidget(card)
        card.hide()
        card.deleteLater()

    def _remember(self, id: str, open: bool) -> None:
        (self._open.add if open else self._open.discard)(id)

    def _show_empty(self, empty: bool) -> None:
        if not empty and self._empty is not None:
            self._drop(self._empty)
            self._empty = None
        elif empty and self._empty is None:
            card = self._empty = Card(
                self.theme,
                _("No servers yet"),
                _(
                    "A server is a program, or a place on the web, that gives Bramble more tools. You agree"
                    " to its exact command first, and each call is asked about."
                ),
            )
            made = button(EXAMPLE, "example", self._try)
            made.setProperty("mono", True)
            card.rows.addWidget(made)
            card.rows.addWidget(
                label(_("An example with a tool of every kind; it needs Node.js."), "caption")
            )
            self.column.insertWidget(self._first, card)

    def _try(self) -> None:
        self.open_form("command")
        self.form.command.target.setText(EXAMPLE)

    # --- changing ------------------------------------------------------------------------------------------

    def _act(self, deed: str, info: ServerInfo) -> None:
        """Do what a card asks for."""
        id = info.id
        if deed == "remove":
            self._remove(id)
            return
        works: dict[str, Work] = {
            "enable": lambda engine: engine.mcp.enable(id),
            "disable": lambda engine: engine.mcp.disable(id),
            "restart": lambda engine: engine.mcp.restart(id),
            "approve": lambda engine: engine.mcp.approve(id, info.print),
            "agree": lambda engine: engine.mcp.approve_definitions(id, info.held),
            "sign_out": lambda engine: engine.mcp.sign_out(id),
        }
        if deed == "sign_in":
            self._sign_in(id)
        elif deed == "leave":
            self._leave_sign_in()
            self.read()
        else:
            self._bridge.call(_asked(works[deed]), self._done, self._refused)

    def _sign_in(self, id: str, file: bool = False) -> None:
        """Let the person sign in in their browser; its newest page is the one that counts."""
        self._leave_sign_in()
        self._signing_in = id

        def ended(info: ServerInfo | None = None) -> None:
            if self._signing_in == id:
                self._signing_in, self._signing = "", None
            self.read()

        self._signing = self._consenting(
            lambda engine, file: engine.mcp.sign_in(id, file_consent=file),
            ended,
            file,
            ended=ended,
            again=lambda: self._sign_in(id, True),
        )
        self.read()

    def _leave_sign_in(self) -> None:
        if self._signing is not None:
            self._signing.cancel()
        self._signing_in, self._signing = "", None

    def _remove(self, id: str) -> None:
        def done(nothing: object) -> None:
            self.read()
            self.said.emit(_("{name} is removed.").replace("{name}", legible(id)), lambda: self._put_back(id))

        self._bridge.call(_asked(lambda engine: engine.mcp_registry.take_out(id)), done, self._refused)

    def _put_back(self, id: str) -> None:
        self._bridge.call(_asked(lambda engine: engine.mcp_registry.put_back(id)), self._done, self._refused)

    def _add(self, made: NewServer) -> None:
        def work(engine: Any, file: bool) -> Awaitable[ServerInfo]:
            found: Awaitable[ServerInfo] = engine.mcp_registry.add(
                made.id, made.command, made.url, made.given, approved=True, file_consent=file
            )
            return found

        self._consenting(work, self._added)

    def _install(self, offer: Offer, way: Way, values: object) -> None:
        def work(engine: Any, file: bool) -> Awaitable[ServerInfo]:
            found: Awaitable[ServerInfo] = engine.mcp_registry.install(offer, way, values, file_consent=file)
            return found

        self.sentence.setText(_("Installing {name}…").replace("{name}", legible(offer.title or offer.name)))
        self._consenting(work, self._added)

    def _consenting(
        self,
        work: Callable[[Any, bool], Awaitable[Any]],
        done: Callable[[ServerInfo], None],
        file: bool = False,
        *,
        ended: Callable[[], None] = lambda: None,
        again: Callable[[], object] | None = None,
    ) -> Ticket:
        """Do what may keep secrets; where no keyring answers, ask once whether a file will do.

        `ended` is called where it did not work, `again` does it with the file.
        """

        def failed(problem: Problem) -> None:
            ended()
            if problem.code != "needs_consent" or file:
                self.form.refuse(_words(problem))
                self._refused(problem)
                return
            dialogs.ask(
                self.window(),
                _("Where secrets are kept"),
                _("No keyring of this computer answers. They can be kept in a file that only you can read."),
                _("Keep them in a file"),
                again or (lambda: self._consenting(work, done, True)),
            )

        return self._bridge.call(_asked(lambda engine: work(engine, file)), done, failed)

    def _added(self, info: ServerInfo) -> None:
        held = self.window().focusWidget()
        if held is not None and self.form.isAncestorOf(held):  # who has gone on meanwhile is left there
            self._arriving = info.id
            self._greet()  # before the form is hidden, since its focus would go to the first card
        self.form.close_form()
        self._done(info)
        self.said.emit(
            _("{name} is added.").replace("{name}", legible(info.id)), lambda: self._remove(info.id)
        )

    def _done(self, info: ServerInfo) -> None:
        self.read()

    # --- trouble -------------------------------------------------------------------------------------------

    def _refused(self, problem: Problem) -> None:
        self.read()
        self.said.emit(_words(problem), None)

    def _problem(self, problem: Problem) -> None:
        """The file as a whole cannot be read: say so, and lead to it."""
        told = problem_text(problem)
        self.sentence.setText(told.title)
        path = problem.fields.get("path", "")
        if self._trouble is None and path:
            card = self._trouble = Card(self.theme, _("Look at the file of servers"), told.detail)
            made = button(_("Open the file"), "", lambda: self.open_asked.emit(path))
            card.add_row(tilde(path), made, button(_("Look again"), "", self.read))
            self.column.insertWidget(self._first, card)

    def _drop_trouble(self) -> None:
        if self._trouble is not None:
            self._drop(self._trouble)
            self._trouble = None


def _asked(work: Work) -> Callable[[Any], Any]:
    async def asked(engine: Any) -> Any:
        return await work(engine)

    return asked


def _words(problem: Problem) -> str:
    told = problem_text(problem)
    return " ".join(
        filter(None, (told.title, problem.detail[-300:] if problem.code == "install_failed" else ""))
    )
