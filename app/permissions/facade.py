"""What a front end can do with saved rules: list them with their faults, add, remove and change them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from app.errors import BrambleError, RulesError
from app.events import Event, RulesChanged
from app.permissions.book import Book, wanted
from app.permissions.page import Page, checked_rule
from app.platform.processes import began_in_tool
from app.records import DecisionKind, RuleFault, RuleInfo, Scope
from app.store import feed, sessions
from app.store.database import Store

LOOK_SECONDS = 2.0
"""How often the file is looked at while a question waits: an editor tells nobody what it wrote."""


class Rules:
    """Facade over the file of rules. Whatever changes it tells this process and the others."""

    def __init__(
        self,
        book: Book,
        store: Store,
        emit: Callable[[Event], None],
        changed: Callable[[], Awaitable[None]] | None = None,
        every: float = LOOK_SECONDS,
    ) -> None:
        self._book = book
        self._store = store
        self._emit = emit
        self._changed = changed
        """Lets questions that wait be decided anew."""
        self.every = every
        """Seconds between two looks at the file while a question waits."""
        self._seen: Page | None = None
        self._looking = asyncio.Lock()

    @property
    def path(self) -> Path:
        """Where the file stands; it need not exist."""
        return self._book.path

    async def list(self) -> tuple[tuple[RuleInfo, ...], tuple[RuleFault, ...]]:
        """Return the saved rules in the order of the file, and the lines that cannot be used. A fault of
        line 0 speaks of the whole file.
        """
        page = await asyncio.to_thread(self._book.page)
        return tuple(entry.info for entry in page.entries), page.faults

    async def begin_looking(self) -> None:
        """Take the file as it is now for known, unless it was looked at before."""
        page = await asyncio.to_thread(self._book.page)
        self._seen = self._seen or page

    async def look(self) -> None:
        """Tell of rules that an editor has changed since the last look, and let what waits be decided anew.

        Raises StoreError where others cannot be told.
        """
        async with self._looking:
            page = await asyncio.to_thread(self._book.page)
            known = self._seen
            if known and (page.lines, page.faults) == (known.lines, known.faults):
                return
            await self._tell(RulesChanged())
            self._seen = page  # not before: whoever waits behind does it when this one is cancelled

    async def check(self, rule: str) -> None:
        """Look whether a rule could be saved, while it is typed. Raises BrambleError (bad_rule)."""
        checked_rule(rule)

    async def add(
        self, decision: DecisionKind, rule: str, scope: Scope = "always", place: str = ""
    ) -> RuleInfo:
        """Save a rule: for always, for a project (`place` is its folder) or for a session (its id).

        Raises BrambleError: own_approval where a tool began this process, bad_rule, no_folder, no_session,
        and as `Book.add`.
        """
        _only_by_a_person()
        (saved,) = await self.add_all(decision, (rule,), scope, place)
        return saved

    async def add_all(
        self, decision: DecisionKind, rules: Sequence[str], scope: Scope, place: str = ""
    ) -> tuple[RuleInfo, ...]:
        """Save several rules of one place, all or none; for an answer that a person gave. See `add`."""
        place = await self._place(scope, place)
        infos = [wanted(decision, rule, scope, place) for rule in rules]
        known = {info.id for info in (await self.list())[0]}
        saved = await asyncio.to_thread(self._book.add, infos)
        if added := tuple(info for info in saved if info.id not in known):
            await self._tell(RulesChanged(session=_session(added), added=added))
        return saved

    async def remove(self, id: str) -> bool:
        """Take a rule out; false when there is none with this id. Raises as `add`."""
        _only_by_a_person()
        return bool(await self._remove(lambda info: info.id == id))

    async def edit(self, id: str, rule: str) -> RuleInfo:
        """Give a rule other words, in its place in the file; it gets another id.

        Raises RulesError no_rule, and as `add`.
        """
        _only_by_a_person()
        old = {info.id: info for info in (await self.list())[0]}.get(id)
        new = await asyncio.to_thread(self._book.edit, id, rule)
        removed = (old,) if old else ()
        await self._tell(RulesChanged(session=_session((new,)), added=(new,), removed=removed))
        return new

    async def forget_sessions(self) -> int:
        """Take out the rules of sessions that are gone for good; return how many."""
        places = {info.place for info in (await self.list())[0] if info.scope == "session"}
        gone = {place for place in places if await self._store.read(sessions.get, place) is None}
        if not gone:
            return 0
        return len(await self._remove(lambda info: info.scope == "session" and info.place in gone))

    async def _remove(self, gone: Callable[[RuleInfo], bool]) -> tuple[RuleInfo, ...]:
        removed = await asyncio.to_thread(self._book.remove, gone)
        if removed:
            await self._tell(RulesChanged(session=_session(removed), removed=removed))
        return removed

    async def _place(self, scope: Scope, place: str) -> str:
        if scope == "project":
            folder = Path(place).expanduser().resolve() if place else None
            if folder is None or not folder.is_dir():
                raise BrambleError("no_folder", f"The folder {place} does not exist.", path=place)
            return str(folder)
        if scope == "session":
            if not place or await self._store.read(sessions.get, place) is None:
                raise BrambleError("no_session", f"There is no conversation {place}.", session=place)
            return place
        if scope == "once":
            raise RulesError("bad_rule", "A rule that holds once is not saved.")
        return ""

    async def _tell(self, event: RulesChanged) -> None:
        """Let windows and terminals refresh; what was saved holds even where others cannot be told."""
        if self._store.problem is None:
            await self._store.write(feed.append, "rules", event.session)
        self._emit(event)
        if self._changed is not None:
            await self._changed()


def _only_by_a_person() -> None:
    if began_in_tool():
        raise BrambleError("own_approval", "A command of a tool cannot change what may happen.")


def _session(infos: Sequence[RuleInfo]) -> str:
    """Return the session that all of them are of, "" where it concerns all."""
    places = {info.place if info.scope == "session" else "" for info in infos}
    return places.pop() if len(places) == 1 else ""
